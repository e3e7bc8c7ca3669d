/*
 * admin_conceal.c - see admin_conceal.h.
 */
#include "store/admin/admin_conceal.h"

#include <string.h>

#include "proto/deck.h"

#define CONCEAL_VALUE_MAX ((size_t)1 << 23)

/* Point *value to the item without its fields that have any of these flags; as it is where it has none of them. */
static enum err conceal_fields(struct admin_conceal *c, const struct record *rec, void *item,
			       unsigned hidden, struct slice *value)
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
		c->value.max = CONCEAL_VALUE_MAX;
		buf_clear(&c->value);
		record_write(rec, item, &c->value);
		*value = buf_slice(&c->value);
		c->hidden++;
		e = c->value.error;
	}
	return e;
}

/* The same of a seat, or of an answer, without what nobody may know yet. */
static enum err conceal_secrets(struct admin_conceal *c, enum item_kind kind, struct slice pk,
				struct slice *value)
{
	struct fault fault;
	void *item;
	arena_reset(&c->arena);
	enum err e = item_decode(kind, *value, RECORD_LENIENT, &c->arena, &item, &fault);
	if (e != OK) {
		return e;
	}
	bool is_shown;
	if (kind == ITEM_SEAT) {
		const struct seat_item *seat = item;
		is_shown = slice_eq(pk, slice_of(c->open_pk, c->open_pk_len)) &&
			   deck_find(c->open_deck, seat->vote) >= 0;
	} else {
		is_shown = !slice_eq(pk, slice_of(c->asking_pk, c->asking_pk_len));
	}
	return conceal_fields(c, item_rows[kind].record, item,
			      is_shown ? FIELD_TAKEN : FIELD_HIDDEN, value);
}

/* Of each item in its turn: remember what lies open, and leave out of the others what does not. */
enum err admin_conceal_item(struct admin_conceal *c, enum item_kind kind, struct slice pk,
			    struct slice *value)
{
	struct fault fault;
	void *item;
	enum err e = OK;
	if (kind == ITEM_ROOM) {
		arena_reset(&c->room_arena);
		c->open_pk_len = 0;
		e = item_decode(kind, *value, RECORD_LENIENT, &c->room_arena, &item, &fault);
		const struct room_item *room = item;
		if (e == OK && room->is_revealed && !room->policy.anonymous) {
			memcpy(c->open_pk, pk.data, pk.len);
			c->open_pk_len = pk.len;
			c->open_deck = room->valid_sizes;
		}
	} else if (kind == ITEM_QUESTION) {
		arena_reset(&c->arena);
		c->asking_pk_len = 0;
		e = item_decode(kind, *value, RECORD_LENIENT, &c->arena, &item, &fault);
		const struct question_item *question = item;
		if (e == OK &&
		    (question->status == QUESTION_OPEN || question->status == QUESTION_PARTIAL)) {
			memcpy(c->asking_pk, pk.data, pk.len);
			c->asking_pk_len = pk.len;
		}
	} else if (kind == ITEM_SEAT || kind == ITEM_RESPONSE) {
		e = conceal_secrets(c, kind, pk, value);
	}
	return e;
}

void admin_conceal_forget(struct admin_conceal *c, struct slice pk)
{
	c->open_pk_len = 0;
	memcpy(c->asking_pk, pk.data, pk.len);
	c->asking_pk_len = pk.len;
}

void admin_conceal_finish(struct admin_conceal *c)
{
	buf_finish(&c->value);
	arena_finish(&c->arena);
	arena_finish(&c->room_arena);
}
