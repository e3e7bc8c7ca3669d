/*
 * room_read.c - a room from its items; room_items.c is the way there.
 *
 * What a later version may have added is skipped; what does not decode at all
 * fails the load, as does an item too few or too many, because a room that is
 * half there would be written back half.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "server/domain/base/policy_item.h"

struct room_reader {
	struct room *room;
	struct arena arena;
	int64_t mono_ms;
	int64_t counted; /* items of the kinds that room_count_items() counts */
};

/* Decodes what the table has: OK, ERR_NOMEM or ERR_CORRUPT. */
static enum err read_record(struct room_reader *rd, const struct record *rec, struct slice bytes,
			    void *out)
{
	struct fault ignored;
	enum err e = record_from_bytes(rec, bytes, RECORD_LENIENT, &rd->arena, out, &ignored);
	return e == OK || e == ERR_NOMEM ? e : ERR_CORRUPT;
}

static void read_text(struct slice text, char *out, size_t cap)
{
	size_t len = text.len < cap ? text.len
				    : 0; /* longer than we ever wrote: as if it were not there */
	memcpy(out, text.data == NULL ? "" : text.data, len);
	out[len] = '\0';
}

/* Decoded once here, so that it can be later. */
static enum err read_result(struct room_reader *rd, struct slice bytes, struct fixed_result *out)
{
	struct room_result result;
	enum err e = bytes.len == 0 ? OK : read_record(rd, &record_room_result, bytes, &result);
	return e == OK && bytes.len > 0 && !fixed_result_set(out, bytes) ? ERR_NOMEM : e;
}

static enum err read_room(struct room_reader *rd, const char *room_id,
			  const struct store_item *item)
{
	struct room_item it;
	enum err e = read_record(rd, &record_room_item, item->value, &it);
	if (e != OK) {
		return e;
	}
	struct room *r = room_create(room_id, it.title, it.valid_sizes, it.created_on);
	if (r == NULL) {
		return ERR_NOMEM;
	}
	rd->room = r;
	if (!room_set_text(&r->link_template, it.link_template) ||
	    !room_copy_texts(it.reactions, &r->reactions)) {
		return ERR_NOMEM;
	}
	memcpy(r->host_key_hash.text, it.host_key.data, KEY_CHARS);
	r->needs_write = false;
	r->items_stored = it.items;
	r->open_stored = it.stories_open;
	r->waits_until = it.timer_ends_at;
	r->stored_version = item->version;
	r->version = it.version;
	r->shown_version = it.version;
	r->expires_at = it.expires_at;
#define FIELD_BOOL_OF(to, from)		      to = from;
#define FIELD_INT_OF(to, from)		      to = from;
#define FIELD_TEXT_OF(to, from)		      read_text(from, to, sizeof(to));
#define FIELD_OF_ROW(KIND, name, bytes, VIEW) FIELD_##KIND##_OF(r->name, it.name)
#define UNDO_OF(KIND, field, name)	      FIELD_##KIND##_OF(r->undo.name, it.undo.field)
	ROOM_FIELDS(FIELD_OF_ROW)
	r->started_at = it.with_started_at ? it.started_at : it.updated_on;
	for (size_t i = 0; i < it.rounds_n; i++) {
		const struct round_mark *mark = &it.rounds[i];
		struct past_round *p = calloc(1, sizeof(*p)); /* without its view */
		if (p == NULL) {
			return ERR_NOMEM;
		}
		p->n = mark->n;
		p->view_len = (size_t)mark->bytes;
		read_text(mark->story_id, p->story_id, sizeof(p->story_id));
		DL_APPEND(r->rounds, p);
		r->rounds_n++;
		r->rounds_bytes += p->view_len;
	}
	policy_from_item(&it.policy, &r->policy, &r->passcode_hash);
	read_text(it.host_user_id, r->host_user_id, sizeof(r->host_user_id));
	UNDO_FIELDS(UNDO_OF)
	e = read_result(rd, it.result, &r->result);
	return e == OK ? read_result(rd, it.undo.result, &r->undo.result) : e;
}

static enum err read_seat(struct room_reader *rd, const struct store_item *item)
{
	struct seat_item it;
	enum err e = read_record(rd, &record_seat_item, item->value, &it);
	struct key_text key_hash = {{0}};
	struct slice hash = item_sk_rest(item, ITEM_SEAT);
	if (e != OK || hash.len != KEY_CHARS || it.user_id.len > CODE_CHARS_MAX) {
		return e != OK ? e : ERR_CORRUPT;
	}
	memcpy(key_hash.text, hash.data, KEY_CHARS);
	struct seat *seat =
		room_seat_add(rd->room, &key_hash, it.user_id, it.created_on, rd->mono_ms);
	if (seat == NULL) {
		return ERR_NOMEM;
	}
	seat->state = SEAT_STORED; /* where a seat of the table begins */
	rd->room->kept_n++;
	seat->role = it.role;
	seat->is_account = it.with_account;
	bool ok = true;
#define TAKE_TEXT(field, member)  ok = ok && room_set_text(&seat->member, it.field);
#define TAKE_INT(field, member)	  seat->member = it.field;
#define TAKE_SMALL(field, member) seat->member = (int)it.field;
#define TAKE_BOOL(field, member)  seat->member = it.field;
#define TAKE_CARD(field, member) \
	ok = ok && (!it.with_##field || room_read_card(rd->room, it.field, &seat->member));
#define TAKE_ROW(KIND, field, member) TAKE_##KIND(field, member)
	SEAT_MAP(TAKE_ROW)
	/* Seats come behind the stories, as their keys do. */
	for (size_t i = 0; ok && i < it.story_votes_n; i++) {
		ok = room_read_story_vote(rd->room, seat, &it.story_votes[i]);
	}
	return ok ? OK : ERR_NOMEM;
}

static enum err read_barred(struct room_reader *rd, const struct store_item *item)
{
	struct barred_item it;
	enum err e = read_record(rd, &record_barred_item, item->value, &it);
	struct slice hash = item_sk_rest(item, ITEM_BARRED);
	if (e != OK || hash.len != KEY_CHARS || it.user_id.len > CODE_CHARS_MAX) {
		return e != OK ? e : ERR_CORRUPT;
	}
	struct barred *b = calloc(1, sizeof(*b));
	if (b == NULL || !room_set_text(&b->username, it.username)) {
		barred_destroy(b);
		return ERR_NOMEM;
	}
	memcpy(b->key_hash.text, hash.data, KEY_CHARS);
	read_text(it.user_id, b->user_id, sizeof(b->user_id));
	b->created_on = it.created_on;
	room_barred_insert(rd->room, b);
	return OK;
}

static enum err read_once(struct room_reader *rd, const struct store_item *item)
{
	struct once_item it;
	enum err e = read_record(rd, &record_once_item, item->value, &it);
	if (e != OK) {
		return e;
	}
	struct slice key = item_sk_rest(item, ITEM_ONCE);
	enum method m = method_find(it.method);
	if (key.len == 0 || key.len > ONCE_KEY_BYTES_MAX) {
		return ERR_CORRUPT;
	}
	if (m == METHOD_COUNT) {
		return OK; /* a method that this version does not have cannot be repeated */
	}
	return idempotency_add(&rd->room->once, key, m, it.result, it.created_on, it.expires_at,
			       false)
		       ? OK
		       : ERR_NOMEM;
}

static enum err read_story(struct room_reader *rd, const struct store_item *item)
{
	struct story_item it;
	enum err e = read_record(rd, &record_story_item, item->value, &it);
	struct slice rank = item_sk_rest(item, ITEM_STORY);
	if (e != OK || rank.len > RANK_CHARS_MAX) {
		return e != OK ? e : ERR_CORRUPT;
	}
	struct rank place;
	read_text(rank, place.text, sizeof(place.text));
	struct story *s = room_story_insert(rd->room,
					    (struct story_view){
						    .title = it.title,
						    .key = it.key,
						    .link = it.link,
						    .description = it.description,
						    .estimate = it.estimate,
						    .status = it.status,
						    .is_removed = it.is_removed,
						    .item = it.item,
						    .with_item = it.with_item,
						    .unsaved_reason = it.unsaved_reason,
						    .with_unsaved_reason = it.with_unsaved_reason,
						    .ends_at = it.ends_at,
						    .with_ends_at = it.with_ends_at,
					    },
					    place);
	if (s == NULL) {
		return ERR_NOMEM;
	}
	read_text(it.story_id, s->story_id, sizeof(s->story_id));
	s->stored_rank = s->rank;
	s->created_on = it.created_on;
	s->waits_until = it.ends_at;
	s->is_held = it.is_held;
	rd->room->story_ends_mono = it.ends_at > 0 ? 0 : rd->room->story_ends_mono;
	return OK;
}

/* Their keys come behind those of stories. */
static enum err read_story_votes(struct room_reader *rd, const struct store_item *item)
{
	struct story_votes_item it;
	enum err e = read_record(rd, &record_story_votes_item, item->value, &it);
	struct story *s = room_story(rd->room, item_sk_rest(item, ITEM_STORY_VOTES));
	if (e != OK || s == NULL || s->revealed.len > 0) {
		return e != OK ? e : ERR_CORRUPT;
	}
	return room_read_story_votes(rd->room, s, it.votes);
}

static enum err read_unsaved(struct room_reader *rd, const struct store_item *item)
{
	struct unsaved_item it;
	enum err e = read_record(rd, &record_unsaved_item, item->value, &it);
	struct story *s = room_story(rd->room, item_sk_rest(item, ITEM_UNSAVED));
	if (e != OK || s == NULL) {
		return e != OK ? e : ERR_CORRUPT;
	}
	read_text(it.mark, s->save_mark, sizeof(s->save_mark));
	read_text(it.user_id, s->save_user, sizeof(s->save_user));
	read_text(it.estimate, s->save_card, sizeof(s->save_card));
	return OK;
}

static enum err read_round(struct room_reader *rd, const struct store_item *item)
{
	struct round_item it;
	struct round_view view;
	enum err e = read_record(rd, &record_round_item, item->value, &it);
	e = e == OK ? read_record(rd, &record_round_view, it.round, &view) : e;
	if (e != OK) {
		return e;
	}
	struct room *r = rd->room;
	struct past_round *p = room_past_round(r, view.n);
	if (p == NULL || p->view != NULL || p->view_len != it.round.len) {
		return ERR_CORRUPT;
	}
	p->created_on = it.created_on;
	p->view = malloc(it.round.len);
	if (p->view == NULL) {
		return ERR_NOMEM;
	}
	memcpy(p->view, it.round.data, it.round.len);
	return OK;
}

/* MAP#name is the map, MAP#name#key one of its keys; names hold no #. */
static enum err read_data(struct room_reader *rd, const struct store_item *item,
			  enum item_kind item_kind, enum data_kind kind)
{
	struct data_item it;
	enum err e = read_record(rd, &record_data_item, item->value, &it);
	struct slice name = item_sk_rest(item, item_kind);
	const char *split = e == OK ? memchr(name.data, '#', name.len) : NULL;
	struct slice rest = {0};
	if (split != NULL) {
		rest = slice_of(split + 1, name.len - (size_t)(split + 1 - name.data));
		name.len = (size_t)(split - name.data);
	}
	if (e != OK || name.len > MAX_DATA_NAME_BYTES || rest.len > MAX_DATA_NAME_BYTES) {
		return e != OK ? e : ERR_CORRUPT;
	}
	struct data_store *d = &rd->room->data;
	struct data_set *set = data_find(d, kind, name);
	if (set == NULL && (set = data_add(d, kind, name, it.created_on)) == NULL) {
		return ERR_NOMEM;
	}
	if (rest.len == 0) {
		read_text(it.by, set->by, sizeof(set->by));
		return OK;
	}
	struct slice id = kind == DATA_LIST ? it.entry_id : rest;
	if (id.len == 0 || id.len > MAX_DATA_NAME_BYTES ||
	    (kind == DATA_LIST && rest.len > RANK_CHARS_MAX)) {
		return ERR_CORRUPT;
	}
	struct data_entry_state *entry = data_entry_add(d, set, id, it.value);
	if (entry == NULL) {
		return ERR_NOMEM;
	}
	entry->revision = it.revision;
	entry->created_on = it.created_on;
	read_text(it.by, entry->by, sizeof(entry->by));
	if (kind == DATA_LIST) {
		read_text(rest, entry->rank.text,
			  sizeof(entry->rank.text)); /* keys come in the order of ranks */
		entry->stored_rank = entry->rank;
	}
	return OK;
}

static enum err read_presence(struct room_reader *rd, const struct store_item *item)
{
	return read_data(rd, item, ITEM_PRESENCE, DATA_PRESENCE);
}

static enum err read_map(struct room_reader *rd, const struct store_item *item)
{
	return read_data(rd, item, ITEM_MAP, DATA_MAP);
}

static enum err read_list(struct room_reader *rd, const struct store_item *item)
{
	return read_data(rd, item, ITEM_LIST, DATA_LIST);
}

/* Kinds without a row were read before, or a later version may have left them. */
static const struct {
	enum err (*read)(struct room_reader *rd, const struct store_item *item);
	bool is_counted;
} readers[ITEM_COUNT] = {
	[ITEM_ROOM] = {NULL, true},
	[ITEM_SEAT] = {read_seat, true},
	[ITEM_BARRED] = {read_barred, true},
	[ITEM_STORY] = {read_story, true},
	[ITEM_STORY_VOTES] = {read_story_votes, true},
	[ITEM_UNSAVED] = {read_unsaved, false},
	[ITEM_ROUND] = {read_round, false},
	[ITEM_PRESENCE] = {read_presence, true},
	[ITEM_MAP] = {read_map, true},
	[ITEM_LIST] = {read_list, true},
	[ITEM_ONCE] = {read_once, false},
};

static enum err read_any(struct room_reader *rd, const struct store_item *item)
{
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind == ITEM_COUNT) {
		return OK;
	}
	rd->counted += readers[kind].is_counted;
	return readers[kind].read == NULL ? OK : readers[kind].read(rd, item);
}

static int seat_by_age(const struct seat *a, const struct seat *b)
{
	if (a->created_on != b->created_on) {
		return a->created_on < b->created_on ? -1 : 1;
	}
	return strcmp(a->user_id, b->user_id);
}

static int barred_by_age(const struct barred *a, const struct barred *b)
{
	return a->created_on < b->created_on ? -1 : a->created_on > b->created_on;
}

enum err room_load(const char *room_id, const struct store_item *items, size_t n, int64_t epoch,
		   int64_t mono_ms, int64_t vote_grace_ms, struct room **out)
{
	const struct store_item *room_item = NULL;
	for (size_t i = 0; room_item == NULL && i < n; i++) {
		room_item = item_kind_of(items[i].pk, items[i].sk) == ITEM_ROOM ? &items[i] : NULL;
	}
	if (room_item == NULL) {
		*out = NULL;
		return n == 0 ? OK : ERR_CORRUPT;
	}
	struct room_reader rd = {.mono_ms = mono_ms};
	enum err e = read_room(&rd, room_id, room_item);
	for (size_t i = 0; e == OK && i < n; i++) {
		e = read_any(&rd, &items[i]);
		arena_reset(&rd.arena);
	}
	arena_finish(&rd.arena);
	/* The last rounds are in memory from the load on. */
	const struct past_round *p = e == OK ? rd.room->rounds : NULL;
	for (size_t i = 0; e == OK && i < ROUNDS_IN_MEMORY && i < rd.room->rounds_n; i++) {
		p = p->prev;
		e = p->view == NULL ? ERR_CORRUPT : OK;
	}
	/* No item was lost to a damaged page, and none came. A room that was loaded from a dump need not say how many it has. */
	if (e == OK && rd.room->items_stored != 0 && rd.room->items_stored != rd.counted) {
		e = ERR_CORRUPT;
	}
	if (e != OK) {
		room_destroy(rd.room);
		return e;
	}
	struct room *r = rd.room;
	DL_SORT(r->seats, seat_by_age);
	DL_SORT(r->barred, barred_by_age);
	idempotency_sort(&r->once);
	room_count_story_rounds(r);
	room_find_left(r);
	room_fix_result(r);
	r->epoch = epoch;
	r->is_touched = false;
	(void)room_take_growth(r);
	r->next_grace_mono = r->seats == NULL ? INT64_MAX : mono_ms + vote_grace_ms;
	*out = r;
	return OK;
}
