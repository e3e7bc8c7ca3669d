/*
 * admin_dump_lmdb.c - the data as JSON lines; admin_load_lmdb.c reads them.
 *
 * Attributes that are secret before the reveal (FIELD_HIDDEN in the rows) are left out
 * unless they are asked for; so is what the reveal does not show: whose cards they
 * are where there are no names, a card that is no longer in the deck, and what
 * a reset took (FIELD_TAKEN); and so are the answers to questions that have not
 * ended. A room's own item stands before its seats, and a question before its
 * answers, so one pass in key order knows which of them that concerns.
 */
#include "store/admin/admin.h"

#include "proto/deck.h"
#include "store/admin/admin_child.h"
#include "store/admin/admin_line.h"
#include "store/key.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/stored_value.h"

#define DUMP_LINE_MAX ((size_t)1 << 23)

struct dump {
	struct admin_child *child;
	char open_pk[ITEM_KEY_BYTES_MAX]; /* of the room whose cards lie open, with names */
	size_t open_pk_len;
	struct slices open_deck;	    /* its cards, in: */
	char asking_pk[ITEM_KEY_BYTES_MAX]; /* of the question whose answers are hidden */
	size_t asking_pk_len;
	struct arena room_arena;
	struct arena arena;
	struct buf value; /* of the item without what is hidden */
	struct buf line;
};

/* Point *value to the item without its fields that have any of these flags; as it is where it has none of them. */
static enum err dump_without(struct dump *d, const struct record *rec, void *item, unsigned hidden,
			     struct slice *value)
{
	enum err e = OK;
	bool had = false;
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		if ((f->flags & hidden) != 0 && field_with(f, item)) {
			field_clear(f, item);
			had = true;
		}
	}
	if (had) {
		buf_clear(&d->value);
		record_write(rec, item, &d->value);
		*value = buf_slice(&d->value);
		d->child->counts.hidden++;
		e = d->value.error;
	}
	return e;
}

/* The same of a seat, or of an answer, without what nobody may know yet. */
static enum err dump_hide(struct dump *d, enum item_kind kind, struct slice pk, struct slice *value)
{
	struct fault fault;
	void *item;
	arena_reset(&d->arena);
	enum err e = item_decode(kind, *value, RECORD_LENIENT, &d->arena, &item, &fault);
	if (e != OK) {
		return e;
	}
	bool is_shown;
	if (kind == ITEM_SEAT) {
		const struct seat_item *seat = item;
		is_shown = slice_eq(pk, slice_of(d->open_pk, d->open_pk_len)) &&
			   deck_find(d->open_deck, seat->vote) >= 0;
	} else {
		is_shown = !slice_eq(pk, slice_of(d->asking_pk, d->asking_pk_len));
	}
	return dump_without(d, item_rows[kind].record, item, is_shown ? FIELD_TAKEN : FIELD_HIDDEN,
			    value);
}

/* Of each item in its turn: remember what lies open, and leave out of the others what does not. */
static enum err dump_conceal(struct dump *d, enum item_kind kind, struct slice pk,
			     struct slice *value)
{
	struct fault fault;
	void *item;
	enum err e = OK;
	if (kind == ITEM_ROOM) {
		arena_reset(&d->room_arena);
		d->open_pk_len = 0;
		e = item_decode(kind, *value, RECORD_LENIENT, &d->room_arena, &item, &fault);
		const struct room_item *room = item;
		if (e == OK && room->is_revealed && !room->policy.anonymous) {
			memcpy(d->open_pk, pk.data, pk.len);
			d->open_pk_len = pk.len;
			d->open_deck = room->valid_sizes;
		}
	} else if (kind == ITEM_QUESTION) {
		arena_reset(&d->arena);
		d->asking_pk_len = 0;
		e = item_decode(kind, *value, RECORD_LENIENT, &d->arena, &item, &fault);
		const struct question_item *question = item;
		if (e == OK &&
		    (question->status == QUESTION_OPEN || question->status == QUESTION_PARTIAL)) {
			memcpy(d->asking_pk, pk.data, pk.len);
			d->asking_pk_len = pk.len;
		}
	} else if (kind == ITEM_SEAT || kind == ITEM_RESPONSE) {
		e = dump_hide(d, kind, pk, value);
	}
	return e;
}

static enum err dump_item(struct dump *d, struct slice key, struct slice stored)
{
	struct slice pk, sk, value;
	uint64_t version;
	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    stored_value_open(key, stored, &version, &value) != OK) {
		return ERR_CORRUPT;
	}
	enum item_kind kind = item_kind_of(pk, sk);
	enum err e = d->child->task->with_hidden ? OK : dump_conceal(d, kind, pk, &value);
	buf_clear(&d->line);
	e = e == OK ? admin_line_write(pk, sk, value, &d->line) : e;
	if (e != OK) {
		return e == ERR_NOMEM ? e : ERR_CORRUPT;
	}
	d->child->counts.items++;
	d->child->counts.items_of[kind]++;
	admin_child_line(d->child, buf_slice(&d->line));
	return OK;
}

static enum err dump_scan(struct admin_child *c)
{
	struct env_options o = {.directory = c->task->directory, .read_only = true};
	struct dump d = {.child = c};
	struct slice key, stored;
	struct lmdb_txn v;
	struct env env;
	enum err e = env_open(&o, &env, &c->why);
	if (e != OK) {
		return e;
	}
	e = lmdb_txn_begin(&v, &env, false);
	if (e == OK) {
		buf_init(&d.value, DUMP_LINE_MAX);
		buf_init(&d.line, DUMP_LINE_MAX);
		e = kv_find(&v.kv, KV_ITEMS, KV_FROM, NO_SLICE, &key, &stored);
		while (e == OK) {
			e = dump_item(&d, key, stored);
			e = e == OK ? kv_find(&v.kv, KV_ITEMS, KV_NEXT, NO_SLICE, &key, &stored)
				    : e;
		}
		e = e == ERR_NOT_FOUND ? OK : e;
		buf_finish(&d.line);
		buf_finish(&d.value);
		arena_finish(&d.arena);
		arena_finish(&d.room_arena);
		lmdb_txn_abort(&v);
	}
	env_close(&env);
	if (e != OK) {
		errmsg_set(&c->why, "%s: after %llu items: %s", c->task->directory,
			   (unsigned long long)c->counts.items, err_text(e));
	}
	return e;
}

enum err admin_dump(const char *directory, bool with_hidden, admin_line_cb *on_line, void *arg,
		    struct admin_counts *counts, struct errmsg *why)
{
	const struct admin_task task = {.scan = dump_scan,
					.directory = directory,
					.with_hidden = with_hidden,
					.on_line = on_line,
					.arg = arg};
	return admin_child_run(&task, counts, why);
}
