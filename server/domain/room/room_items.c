/*
 * room_items.c - a room as items of the table; room_read.c is the way back.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "server/domain/base/policy_item.h"

/* The largest is a round of a full room, with every vote and comment. */
#define ITEM_BYTES_MAX ((size_t)8 << 20)

/* ---- writing ---- */

struct ops_writer {
	struct arena *arena;
	struct store_op *ops; /* in the arena */
	size_t n, capacity;
	struct slice pk;
	struct buf value; /* of the item at hand */
	bool ok;
};

/* A key of two parts, in the arena. */
static struct slice key_of(struct ops_writer *w, const char *prefix, struct slice rest)
{
	size_t prefix_len = strlen(prefix);
	char *key = arena_alloc(w->arena, prefix_len + rest.len + 1);
	if (key == NULL) {
		w->ok = false;
		return (struct slice){0};
	}
	memcpy(key, prefix, prefix_len);
	memcpy(key + prefix_len, rest.data, rest.len);
	return slice_of(key, prefix_len + rest.len);
}

/* The SK of an item of that kind: what the kind's keys begin with, and the rest. */
static struct slice item_sk(struct ops_writer *w, enum item_kind kind, struct slice rest)
{
	return key_of(w, item_rows[kind].sk, rest);
}

static void ops_add(struct ops_writer *w, struct store_op op)
{
	if (w->n == w->capacity) {
		size_t capacity = 2 * w->capacity + 8;
		struct store_op *ops = arena_alloc(w->arena, capacity * sizeof(*ops));
		if (ops == NULL) {
			w->ok = false;
			return;
		}
		if (w->n > 0) {
			memcpy(ops, w->ops, w->n * sizeof(*ops));
		}
		w->ops = ops;
		w->capacity = capacity;
	}
	op.pk = w->pk;
	w->ops[w->n++] = op;
}

static void ops_delete(struct ops_writer *w, struct slice sk)
{
	ops_add(w, (struct store_op){.kind = STORE_DELETE, .sk = sk});
}

/* The value of a put. */
static struct slice item_value(struct ops_writer *w, const struct record *rec, const void *item)
{
	buf_clear(&w->value);
	record_write(rec, item, &w->value);
	w->ok = w->ok && w->value.error == OK;
	return arena_copy(w->arena, buf_slice(&w->value), &w->ok);
}

static void ops_put(struct ops_writer *w, struct slice sk, const struct record *rec,
		    const void *item)
{
	struct slice value = item_value(w, rec, item);
	ops_add(w, (struct store_op){.kind = STORE_PUT, .sk = sk, .value = value});
}

/* The first operation, put or check: the ROOM item is as this room has it. */
static void ops_add_room(struct ops_writer *w, const struct room *r, enum store_op_kind kind,
			 struct slice value)
{
	ops_add(w, (struct store_op){
			   .kind = kind,
			   .sk = SLICE("ROOM"),
			   .value = value,
			   .expect = r->stored_version == 0 ? STORE_EXPECT_ABSENT
							    : STORE_EXPECT_VERSION,
			   .version = r->stored_version,
		   });
}

/* Not of rounds and results of calls, which change by the hundred and have bounds of their own. */
int64_t room_count_items(const struct room *r)
{
	size_t n = 1 + r->kept_n + r->barred_n + r->stories_n + r->revealed_stories_n;
	const struct data_set *set;
	DL_FOREACH (r->data.sets, set) {
		n += 1 + (set->kind == DATA_PRESENCE ? 0 : set->n);
	}
	return (int64_t)n;
}

/* The value of an item's field, by the kind of its row in room_fields.h or round.h. */
#define TO_BOOL(from)  (from)
#define TO_INT(from)   (from)
#define TO_SMALL(from) (from)
#define TO_TEXT(from)  slice_str(from)
#define TO_CARD(from)  room_card(r, from)

static void ops_put_room(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	struct round_mark *marks = arena_alloc(w->arena, (r->rounds_n + 1) * sizeof(*marks));
	if (marks == NULL) {
		w->ok = false;
		return;
	}
	size_t n = 0;
	const struct past_round *p;
	DL_FOREACH (r->rounds, p) {
		marks[n] = (struct round_mark){
			.n = p->n,
			.bytes = (int64_t)p->view_len,
			.story_id = slice_str(p->story_id),
		};
		n++;
	}
	struct room_item item = {
		.created_on = r->created_on,
		.updated_on = wall_ms,
		.host_key = slice_of(r->host_key_hash.text, KEY_CHARS),
		.host_user_id = slice_str(r->host_user_id),
		.title = slice_str(r->title),
		.link_template = slice_str(r->link_template),
		.valid_sizes = r->deck,
		.reactions = r->reactions,
		.version = r->version,
		.epoch = r->epoch,
		.result = slice_of(r->result.bytes, r->result.len),
#define FIELD_TO(KIND, name, bytes, VIEW) .name = TO_##KIND(r->name),
		ROOM_FIELDS(FIELD_TO)
#undef FIELD_TO
			.undo =
			{
#define UNDO_TO(KIND, field, name) .field = TO_##KIND(r->undo.name),
				UNDO_FIELDS(UNDO_TO)
#undef UNDO_TO
					.result =
					slice_of(r->undo.result.bytes, r->undo.result.len),
			},
		.with_undo = r->undo.round != 0,
		.with_policy = true,
		.items = room_count_items(r),
		.stories_open = room_count_open(r),
		.rounds = marks,
		.rounds_n = n,
		.expires_at = r->expires_at,
	};
	policy_to_item(&r->policy, &r->passcode_hash, &item.policy);
	ops_add_room(w, r, STORE_PUT, item_value(w, &record_room_item, &item));
}

/* Of a seat, or a key that is barred. */
static struct slice key_sk(struct ops_writer *w, enum item_kind kind, const struct key_text *hash)
{
	return item_sk(w, kind, slice_of(hash->text, KEY_CHARS));
}

static void ops_put_seat(struct ops_writer *w, const struct room *r, const struct seat *seat,
			 int64_t wall_ms)
{
	struct seat_item item = {.created_on = seat->created_on,
				 .updated_on = wall_ms,
				 .user_id = slice_str(seat->user_id),
				 .role = seat->role,
				 .account = slice_str(seat->is_account ? seat->user_id : ""),
#define SEAT_TO(KIND, field, member) .field = TO_##KIND(seat->member),
				 SEAT_MAP(SEAT_TO)
#undef SEAT_TO
	};
	struct story_vote_item votes[MAX_STORY_VOTES];
	item.story_votes = votes;
	item.story_votes_n = seat_story_vote_items(seat, votes);
	ops_put(w, key_sk(w, ITEM_SEAT, &seat->key_hash), &record_seat_item, &item);
}

static void ops_put_barred(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct barred *b;
	DL_FOREACH (r->gone_barred, b) {
		ops_delete(w, key_sk(w, ITEM_BARRED, &b->key_hash));
	}
	DL_FOREACH (r->barred_marked ? r->barred : NULL, b) {
		struct barred_item item = {
			.created_on = b->created_on,
			.updated_on = wall_ms,
			.user_id = slice_str(b->user_id),
			.username = slice_str(b->username),
		};
		if (b->needs_write) {
			ops_put(w, key_sk(w, ITEM_BARRED, &b->key_hash), &record_barred_item,
				&item);
		}
	}
}

static void ops_put_once(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct idempotent_result *o = r->once.list == NULL ? NULL : r->once.list->prev;
	for (size_t left = r->once.to_store_n; left > 0; o = o->prev) {
		if (!o->needs_write) {
			continue;
		}
		struct once_item item = {
			.created_on = o->created_on,
			.updated_on = wall_ms,
			.method = slice_str(method_rows[o->method].name),
			.result = slice_of(o->result, o->result_len),
			.expires_at = o->expires_at,
		};
		ops_put(w, item_sk(w, ITEM_ONCE, slice_of(o->key, o->key_len)), &record_once_item,
			&item);
		left--;
	}
}

/* A list's element is in the table, under another key than the one it has now. */
static bool has_moved(const struct rank *rank, const struct rank *stored)
{
	return stored->text[0] != '\0' && strcmp(rank->text, stored->text) != 0;
}

/* All deletes first: two stories may have changed theirs. */
static void ops_put_stories(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct story *first = r->stories_marked ? r->stories : NULL;
	for (const struct story *s = first; s != NULL; s = s->next) {
		if (s->needs_write && has_moved(&s->rank, &s->stored_rank)) {
			ops_delete(w, item_sk(w, ITEM_STORY, slice_str(s->stored_rank.text)));
		}
	}
	for (const struct story *s = first; s != NULL; s = s->next) {
		if (!s->needs_write) {
			continue;
		}
		struct story_item item = {
			.created_on = s->created_on,
			.updated_on = wall_ms,
			.story_id = slice_str(s->story_id),
			.title = s->text.title,
			.key = s->text.key,
			.link = s->text.link,
			.description = s->text.description,
			.status = s->text.status,
			.estimate = s->text.estimate,
			.is_removed = s->text.is_removed,
			.item = s->text.item,
			.with_item = s->text.with_item,
			.unsaved_reason = s->text.unsaved_reason,
			.with_unsaved_reason = s->text.with_unsaved_reason,
			.ends_at = s->text.ends_at,
			.with_ends_at = s->text.with_ends_at,
			.is_held = s->is_held,
		};
		ops_put(w, item_sk(w, ITEM_STORY, slice_str(s->rank.text)), &record_story_item,
			&item);
	}
}

/* The sweeper looks after those that are there longer than it takes when nothing is lost. */
#define SAVE_MS 10000

static void ops_put_unsaved(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct story *s;
	DL_FOREACH (r->stories_marked ? r->stories : NULL, s) {
		if (!s->save_changed) {
			continue;
		}
		struct slice sk = item_sk(w, ITEM_UNSAVED, slice_str(s->story_id));
		struct unsaved_item item = {
			.created_on = wall_ms,
			.updated_on = wall_ms,
			.item = s->text.item,
			.estimate = slice_str(s->save_card),
			.user_id = slice_str(s->save_user),
			.mark = slice_str(s->save_mark),
			.expires_at = wall_ms + SAVE_MS,
		};
		if (s->save_mark[0] == '\0') {
			ops_delete(w, sk);
		} else {
			ops_put(w, sk, &record_unsaved_item, &item);
		}
	}
}

static void ops_put_story_votes(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct story *s;
	DL_FOREACH (r->story_votes_marked ? r->stories : NULL, s) {
		if (!s->revealed_marked) {
			continue;
		}
		struct slice sk = item_sk(w, ITEM_STORY_VOTES, slice_str(s->story_id));
		struct story_votes_item item = {
			.created_on = s->revealed_at,
			.updated_on = wall_ms,
			.votes = slice_of(s->revealed.bytes, s->revealed.len),
		};
		if (s->revealed.len == 0) {
			ops_delete(w, sk);
		} else {
			ops_put(w, sk, &record_story_votes_item, &item);
		}
	}
}

static struct slice round_sk(struct ops_writer *w, int64_t n)
{
	char sk[ROUND_SK_BYTES_MAX];
	size_t len = round_sk_of(n, sk);
	return arena_copy(w->arena, slice_of(sk, len), &w->ok);
}

static void ops_put_rounds(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct past_round *p;
	LL_FOREACH (r->gone_rounds, p) {
		ops_delete(w, round_sk(w, p->n));
	}
	DL_FOREACH (r->rounds_marked ? r->rounds : NULL, p) {
		struct round_item item = {
			.created_on = p->created_on,
			.updated_on = wall_ms,
			.round = slice_of(p->view, p->view_len),
		};
		if (p->needs_write) {
			ops_put(w, round_sk(w, p->n), &record_round_item, &item);
		}
	}
}

static struct slice data_sk(struct ops_writer *w, const struct data_set *set, struct slice rest)
{
	char sk[DATA_SK_BYTES_MAX];
	size_t len = data_sk_of(set, rest, false, sk);
	return arena_copy(w->arena, slice_of(sk, len), &w->ok);
}

static void ops_put_data(struct ops_writer *w, const struct room *r, int64_t wall_ms)
{
	const struct data_set *set;
	const struct data_entry_state *e;
	for (const struct gone_data *gone = r->data.gone; gone != NULL; gone = gone->next) {
		/* The marks are cleared before the commit leaves: it needs a copy. */
		ops_add(w, (struct store_op){
				   .kind = gone->is_prefix ? STORE_DELETE_PREFIX : STORE_DELETE,
				   .sk = arena_copy(w->arena, slice_of(gone->sk, gone->sk_len),
						    &w->ok),
			   });
	}
	/* Items at old places are deleted before any is put at a new one: two entries may have changed theirs. */
	DL_FOREACH (r->data.sets, set) {
		DL_FOREACH (set->kind == DATA_LIST ? set->entries : NULL, e) {
			if (e->needs_write && has_moved(&e->rank, &e->stored_rank)) {
				ops_delete(w, data_sk(w, set, slice_str(e->stored_rank.text)));
			}
		}
	}
	DL_FOREACH (r->data.sets, set) {
		if (set->needs_write) {
			struct data_item item = {
				.created_on = set->created_on,
				.updated_on = wall_ms,
				.by = slice_str(set->by),
			};
			ops_put(w, data_sk(w, set, (struct slice){0}), &record_data_item, &item);
		}
		DL_FOREACH (set->kind == DATA_PRESENCE ? NULL : set->entries, e) {
			if (!e->needs_write) {
				continue;
			}
			struct data_item item = {
				.created_on = e->created_on,
				.updated_on = wall_ms,
				.entry_id = slice_str(set->kind == DATA_LIST ? e->id : ""),
				.value = slice_of(e->value, e->value_len),
				.revision = e->revision,
				.by = slice_str(e->by),
			};
			struct slice rest =
				slice_str(set->kind == DATA_LIST ? e->rank.text : e->id);
			ops_put(w, data_sk(w, set, rest), &record_data_item, &item);
		}
	}
}

/* Before the puts: a seat that was given up and taken again by the same key has the same SK. */
static void ops_delete_gone(struct ops_writer *w, const struct room *r)
{
	for (const struct seat *gone = r->gone; gone != NULL; gone = gone->next_marked) {
		if (seat_is_deleted(gone)) {
			ops_delete(w, key_sk(w, ITEM_SEAT, &gone->key_hash));
		}
	}
	for (const struct gone_once *gone = r->once.gone; gone != NULL; gone = gone->next) {
		ops_delete(w, item_sk(w, ITEM_ONCE, slice_of(gone->key, gone->key_len)));
	}
}

enum err room_take_ops(struct room *r, int64_t wall_ms, struct arena *arena, struct store_op **ops,
		       size_t *n)
{
	struct ops_writer w = {.arena = arena, .value = {.max = ITEM_BYTES_MAX}, .ok = true};
	w.pk = key_of(&w, item_rows[ITEM_ROOM].pk_prefix, slice_str(r->room_id));
	if (!r->is_deleted && (r->needs_write || r->items_stored != room_count_items(r) ||
			       (r->stories_marked && r->open_stored != room_count_open(r)))) {
		ops_put_room(&w, r, wall_ms);
	} else {
		ops_add_room(&w, r, STORE_CHECK, (struct slice){0});
	}
	if (r->is_deleted) {
		ops_add(&w, (struct store_op){.kind = STORE_DELETE_PREFIX});
	} else {
		ops_delete_gone(&w, r);
		for (const struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
			if (seat->needs_write && seat_is_kept(seat)) {
				ops_put_seat(&w, r, seat, wall_ms);
			}
		}
		ops_put_once(&w, r, wall_ms);
		ops_put_stories(&w, r, wall_ms);
		ops_put_story_votes(&w, r, wall_ms);
		ops_put_unsaved(&w, r, wall_ms);
		ops_put_rounds(&w, r, wall_ms);
		ops_put_barred(&w, r, wall_ms);
		if (r->data.is_marked) {
			ops_put_data(&w, r, wall_ms);
		}
	}
	buf_finish(&w.value);
	if (!w.ok) {
		return ERR_NOMEM;
	}
	*ops = w.ops;
	*n = w.n;
	return OK;
}

void room_stored(struct room *r, const struct store_op *ops, uint64_t version)
{
	r->stored_version = ops[0].kind == STORE_PUT ? version : r->stored_version;
}

static void add_account_change(struct account_change **all, const struct seat *seat,
			       enum account_change_kind kind, struct arena *arena, bool *ok)
{
	struct account_change *c = seat->is_account ? arena_alloc(arena, sizeof(*c)) : NULL;
	if (c == NULL) {
		*ok = *ok && !seat->is_account;
		return;
	}
	memcpy(c->user_id, seat->user_id, sizeof(c->user_id));
	c->kind = kind;
	LL_PREPEND(*all, c);
}

struct account_change *room_account_changes(const struct room *r, struct arena *arena, bool *ok)
{
	struct account_change *all = NULL;
	for (const struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
		if (seat->state == SEAT_NEW && !r->is_deleted) {
			add_account_change(&all, seat, ACCOUNT_JOINED, arena, ok);
		} else if (seat->is_kicked || seat->is_waiting) {
			add_account_change(&all, seat, ACCOUNT_PUT_OUT, arena, ok);
		}
	}
	/* At the front: a seat that was given up and taken again is there in the end. */
	for (const struct seat *gone = r->gone; gone != NULL; gone = gone->next_marked) {
		if (gone->state == SEAT_DELETED) {
			add_account_change(&all, gone, ACCOUNT_LEFT, arena, ok);
		}
	}
	for (const struct seat *seat = r->is_deleted ? r->seats : NULL; seat != NULL;
	     seat = seat->next) {
		if (seat->state == SEAT_STORED) {
			add_account_change(&all, seat, ACCOUNT_LEFT, arena, ok);
		}
	}
	return all;
}
