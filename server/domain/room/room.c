/*
 * room.c - a room's state, its seats, the marks of what changed, and what the core reads of them.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"

bool room_copy_texts(struct slices texts, struct slices *out)
{
	size_t bytes = texts.n * sizeof(*out->items);
	for (size_t i = 0; i < texts.n; i++) {
		bytes += texts.items[i].len;
	}
	out->n = 0;
	out->items = malloc(bytes == 0 ? 1 : bytes);
	if (out->items == NULL) {
		return false;
	}
	char *at = (char *)(out->items + texts.n);
	for (size_t i = 0; i < texts.n; i++) {
		struct slice text = texts.items[i];
		memcpy(at, text.data, text.len);
		out->items[out->n++] = slice_of(at, text.len);
		at += text.len;
	}
	return true;
}

struct room *room_create(const char *room_id, struct slice title, struct slices deck,
			 int64_t wall_ms)
{
	struct room *r = calloc(1, sizeof(*r));
	if (r == NULL) {
		return NULL;
	}
	ASSERT(strlen(room_id) < sizeof(r->room_id));
	strcpy(r->room_id, room_id);
	r->created_on = wall_ms;
	r->round = 1;
	r->story_round = 1;
	r->started_at = wall_ms;
	policy_defaults(&r->policy);
	r->needs_write = true;
	r->next_grace_mono = INT64_MAX;
	r->story_ends_mono = INT64_MAX;
	if (!room_copy_texts(deck, &r->deck) || !room_set_text(&r->title, title)) {
		room_destroy(r);
		return NULL;
	}
	return r;
}

int64_t room_make_epoch(struct random *random)
{
	return (int64_t)(random_u64(random) >> 16);
}

static void seat_destroy(struct seat *seat)
{
	seat_free_story_votes(seat);
	free(seat->username);
	free(seat->kicked_by);
	free(seat->comment);
	free(seat->last.comment);
	free(seat);
}

static void room_free_rounds(struct past_round **list)
{
	while (*list != NULL) {
		struct past_round *p = *list;
		*list = p->next;
		past_round_free(p);
	}
}

/* What only lives until it was written and sent. */
static void room_free_taken(struct room *r)
{
	while (r->gone != NULL) {
		struct seat *gone = r->gone;
		LL_DELETE2(r->gone, gone, next_marked);
		seat_destroy(gone);
	}
	while (r->notifications != NULL) {
		struct room_notification *n = r->notifications;
		LL_DELETE(r->notifications, n);
		free(n->bytes);
		free(n);
	}
	room_free_data_frames(r);
	room_free_rounds(&r->gone_rounds);
	room_free_barred(&r->gone_barred);
}

void room_destroy(struct room *r)
{
	if (r == NULL) {
		return;
	}
	HASH_CLEAR(hh, r->by_key);
	struct seat *seat;
	struct seat *later;
	DL_FOREACH_SAFE (r->seats, seat, later) {
		seat_destroy(seat);
	}
	room_free_taken(r);
	room_free_barred(&r->barred);
	data_finish(&r->data);
	room_free_rounds(&r->rounds);
	struct story *s;
	struct story *next;
	DL_FOREACH_SAFE (r->stories, s, next) {
		story_destroy(s);
	}
	idempotency_finish(&r->once);
	room_forget_left(r);
	fixed_result_clear(&r->result);
	fixed_result_clear(&r->undo.result);
	free(r->deck.items);
	free(r->reactions.items);
	free(r->old_cards.items);
	free(r->title);
	free(r->link_template);
	free(r);
}

struct seat *room_seat_by_key(struct room *r, const struct key_text *key_hash)
{
	struct seat *seat = NULL;
	HASH_FIND(hh, r->by_key, key_hash->text, KEY_CHARS, seat);
	return seat;
}

struct seat *room_seat_by_id(const struct room *r, struct slice user_id)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (slice_eq(slice_str(seat->user_id), user_id)) {
			return seat;
		}
	}
	return NULL;
}

/* A new seat of the same key would have less. */
static bool seat_is_worth_keeping(const struct room *r, const struct seat *seat)
{
	bool takes_anybody = !r->policy.locked && !r->policy.has_passcode;
	bool is_as_given = takes_anybody && seat->is_waiting == r->policy.lobby;
	return seat->username != NULL || seat->is_account || !is_as_given || seat_is_host(r, seat);
}

void room_clear_place(struct room *r)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->connections == 0 && !seat_is_worth_keeping(r, seat)) {
			room_seat_remove(r, seat);
			return;
		}
	}
}

struct seat *room_seat_add(struct room *r, const struct key_text *key_hash, struct slice user_id,
			   int64_t wall_ms, int64_t mono_ms)
{
	struct seat *seat = calloc(1, sizeof(*seat));
	if (seat == NULL) {
		return NULL;
	}
	ASSERT_CMP(user_id.len, <, sizeof(seat->user_id));
	memcpy(seat->user_id, user_id.data, user_id.len);
	seat->key_hash = *key_hash;
	seat->card = CARD_NONE;
	seat->last.card = CARD_NONE;
	seat->created_on = wall_ms;
	seat->disconnected_mono = mono_ms;
	HASH_ADD_KEYPTR(hh, r->by_key, seat->key_hash.text, KEY_CHARS, seat);
	if (seat->hh.tbl == NULL) {
		free(seat);
		return NULL;
	}
	DL_APPEND(r->seats, seat);
	r->seats_n++;
	return seat;
}

const struct machine seat_machine = {
	"seat",
	{
		[SEAT_TRANSIENT] = {"TRANSIENT", MACHINE_TO(SEAT_NEW) | MACHINE_TO(SEAT_DROPPED)},
		[SEAT_NEW] = {"NEW", MACHINE_TO(SEAT_STORED) | MACHINE_TO(SEAT_REVOKED)},
		[SEAT_STORED] = {"STORED", MACHINE_TO(SEAT_DELETED)},
		[SEAT_DELETED] = {"DELETED", 0},
		[SEAT_REVOKED] = {"REVOKED", 0},
		[SEAT_DROPPED] = {"DROPPED", 0},
	},
};

static void seat_move(struct room *r, struct seat *seat, enum seat_state to)
{
	machine_move(&seat_machine, r->trace, seat->user_id, seat->state, to);
	r->kept_n -= seat_is_kept(seat);
	seat->state = to;
	r->kept_n += seat_is_kept(seat);
	ASSERT_CMP(r->kept_n, <=, r->seats_n);
}

void room_seat_remove(struct room *r, struct seat *seat)
{
	room_host_goes(r, seat);
	if (seat->card != CARD_NONE) {
		room_leave_vote(r, seat);
	}
	room_end_story_votes(r, seat);
	if (seat->is_marked) {
		LL_DELETE2(r->marked, seat, next_marked);
		seat->is_marked = false;
	}
	if (seat->connections > 0) {
		room_lose_connected(r);
	}
	seat_move(r, seat,
		  seat->state == SEAT_STORED ? SEAT_DELETED
		  : seat->state == SEAT_NEW  ? SEAT_REVOKED
					     : SEAT_DROPPED);
	HASH_DELETE(hh, r->by_key, seat);
	DL_DELETE(r->seats, seat);
	r->seats_n--;
	room_presence_gone(r, seat);
	LL_PREPEND2(r->gone, seat, next_marked);
	r->is_touched = true;
}

static void room_list_seat(struct room *r, struct seat *seat)
{
	if (!seat->is_marked) {
		seat->is_marked = true;
		LL_PREPEND2(r->marked, seat, next_marked);
	}
}

void room_mark_seat(struct room *r, struct seat *seat)
{
	r->is_touched = true;
	room_list_seat(r, seat);
}

void room_store_seat(struct room *r, struct seat *seat)
{
	seat->needs_write = true;
	room_list_seat(r, seat);
}

void room_tell_all(struct room *r, struct seat *seat)
{
	seat->needs_all_votes = true;
	room_tell(r, seat);
}

void room_tell(struct room *r, struct seat *seat)
{
	seat->needs_you = true;
	room_list_seat(r, seat);
}

void room_keep_seat(struct room *r, struct seat *seat)
{
	if (seat->state == SEAT_TRANSIENT && seat_is_worth_keeping(r, seat)) {
		seat_move(r, seat, SEAT_NEW);
		seat->needs_write = true;
		room_list_seat(r, seat);
	}
}

void room_show_seat(struct room *r, struct seat *seat, unsigned fields)
{
	seat->needs_update |= fields;
	room_mark_seat(r, seat);
}

void room_seat_changed(struct room *r, struct seat *seat, unsigned fields)
{
	room_keep_seat(r, seat);
	seat->needs_write = true;
	seat->needs_you = true;
	room_show_seat(r, seat, fields);
}

void room_changed(struct room *r)
{
	r->needs_write = true;
	r->needs_update = true;
	r->is_touched = true;
}

void room_end_change(struct room *r)
{
	room_show_next_host(r);
	if (r->is_touched) {
		r->is_touched = false;
		r->version++;
	}
}

bool room_needs_write(const struct room *r)
{
	if (r->data.is_marked || r->stories_marked || room_story_votes_need_write(r) ||
	    r->rounds_marked || r->barred_marked || r->gone_barred != NULL || r->needs_write ||
	    r->is_deleted || r->once.to_store_n > 0 || r->once.gone != NULL) {
		return true;
	}
	for (const struct seat *gone = r->gone; gone != NULL; gone = gone->next_marked) {
		if (seat_is_deleted(gone)) {
			return true;
		}
	}
	for (const struct seat *seat = r->marked; seat != NULL; seat = seat->next_marked) {
		if (seat->needs_write && seat_is_kept(seat)) {
			return true;
		}
	}
	return false;
}

bool room_needs_update(const struct room *r)
{
	return r->version != r->shown_version || r->owes_delta;
}

bool room_set_text(char **text, struct slice value)
{
	char *copy = NULL;
	if (value.len > 0 && (copy = strndup(value.data, value.len)) == NULL) {
		return false;
	}
	free(*text);
	*text = copy;
	return true;
}

void room_clear_marks(struct room *r)
{
	while (r->marked != NULL) {
		struct seat *seat = r->marked;
		LL_DELETE2(r->marked, seat, next_marked);
		seat->is_marked = false;
		seat->needs_write = false;
		seat->needs_update = 0;
		seat->needs_you = false;
		seat->needs_all_votes = false;
		seat_clear_story_marks(seat);
		seat->is_kicked = false;
		(void)room_set_text(&seat->kicked_by, (struct slice){0});
		if (seat->state == SEAT_NEW) {
			seat_move(r, seat, SEAT_STORED);
		}
	}
	room_free_taken(r);
	data_clear_marks(&r->data);
	idempotency_clear_marks(&r->once);
	struct story *s;
	bool open_may_have_changed = r->stories_marked || r->needs_write;
	DL_FOREACH (r->stories_marked ? r->stories : NULL, s) {
		if (s->needs_write) {
			s->stored_rank = s->rank;
			s->save_changed = false;
			s->waits_until = s->text.ends_at;
			s->needs_write = false;
		}
	}
	DL_FOREACH (r->story_votes_marked ? r->stories : NULL, s) {
		s->votes_marked = false;
		s->revealed_marked = false;
	}
	struct past_round *p;
	if (r->rounds_marked) {
		room_forget_views(r); /* what was marked before has been durable for a while */
	}
	DL_FOREACH (r->rounds_marked ? r->rounds : NULL, p) {
		p->needs_write = false;
	}
	struct barred *b;
	DL_FOREACH (r->barred_marked ? r->barred : NULL, b) {
		b->needs_write = false;
	}
	r->stories_marked = false;
	r->story_votes_marked = false;
	r->rounds_marked = false;
	r->barred_marked = false;
	r->items_stored = room_count_items(r);
	if (open_may_have_changed) {
		r->open_stored = room_count_open(r);
		r->waits_until = r->timer_ends_at;
	}
	r->needs_write = false;
	r->needs_update = false;
	r->by[0] = '\0';
	r->is_by_several = false;
	r->votes_cleared = false;
	r->left_cleared = false;
	struct left_vote *left;
	DL_FOREACH (r->left, left) {
		left->needs_update = false;
	}
}

/* ---- for the core ---- */

int64_t room_version(const struct room *r)
{
	return r->version;
}

int64_t room_shown_version(const struct room *r)
{
	return r->shown_version;
}

int64_t room_epoch(const struct room *r)
{
	return r->epoch;
}

bool room_is_unchanged(const struct room *r, int64_t version)
{
	return r->version == version && !r->is_touched;
}

bool room_is_deleted(const struct room *r)
{
	return r->is_deleted;
}

bool room_is_expired(const struct room *r)
{
	return r->is_expired;
}

bool room_is_short_of_memory(const struct room *r)
{
	return r->is_short_of_memory;
}

void room_trace(struct room *r, const struct machine_trace *trace)
{
	r->trace = trace;
}

const struct key_text *room_host_hash(const struct room *r)
{
	return &r->host_key_hash;
}

struct idempotency_table *room_idempotency(struct room *r)
{
	return &r->once;
}

struct subscription **seat_subscriptions(struct seat *seat)
{
	return &seat->subscriptions;
}

const struct key_text *seat_key_hash(const struct seat *seat)
{
	return &seat->key_hash;
}

bool seat_is_gone(const struct seat *seat)
{
	return seat_is_deleted(seat) || seat->state == SEAT_DROPPED;
}

struct slice seat_user_id(const struct seat *seat)
{
	return slice_str(seat->user_id);
}

bool seat_is_waiting(const struct seat *seat)
{
	return seat->is_waiting;
}

struct slice seat_kicked_by(const struct seat *seat)
{
	return slice_str(seat->kicked_by);
}

bool room_has_notifications(const struct room *r)
{
	return r->data_frames != NULL || r->notifications != NULL;
}

const struct room_notification *room_notifications(struct room *r)
{
	struct room_notification *first = NULL;
	while (r->notifications != NULL) { /* the last one is first */
		struct room_notification *n = r->notifications;
		LL_DELETE(r->notifications, n);
		LL_PREPEND(first, n);
	}
	r->notifications = first;
	return first;
}

struct data_frame *room_take_data_frames(struct room *r)
{
	struct data_frame *frames = r->data_frames;
	r->data_frames = NULL;
	return frames;
}

struct seat *room_ended_seat(const struct room *r, const struct seat *after)
{
	bool is_among_gone = after == NULL || seat_is_gone(after);
	struct seat *seat = after == NULL ? r->gone : after->next_marked;
	if (is_among_gone && seat != NULL) {
		return seat;
	}
	for (seat = is_among_gone ? r->marked : seat; seat != NULL; seat = seat->next_marked) {
		if (seat->is_kicked) {
			return seat;
		}
	}
	return NULL;
}

struct seat *room_told_seat(const struct room *r, const struct seat *after)
{
	struct seat *seat = after == NULL ? r->marked : after->next_marked;
	while (seat != NULL && !seat->needs_you) {
		seat = seat->next_marked;
	}
	return seat;
}
