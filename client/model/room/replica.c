/*
 * replica.c - a room's records, kept by its updates; see replica.h.
 *
 * Whether an update follows is looked at first; what comes then cannot fail.
 */
#include "client/model/room/replica.h"

#include <stdlib.h>

#include "client/model/memory.h"
#include "proto/base/format.h"

void replica_finish(struct replica *r)
{
	rows_finish(&r->users);
	rows_finish(&r->left);
	rows_finish(&r->stories);
	rows_finish(&r->removed);
	rows_finish(&r->story_votes);
	rows_finish(&r->own_votes);
	rows_finish(&r->data.presents);
	rows_finish(&r->data.notes);
	free(r->room_block);
	free(r->you_block);
	*r = (struct replica){0};
}

static void replica_set_room(struct replica *r, const struct room_view *v)
{
	struct room_view *block = memory_have(record_own(&record_room_view, v));
	free(r->room_block);
	r->room_block = block;
	r->room = *block;
}

static void replica_set_you(struct replica *r, const struct room_you *y)
{
	struct room_you *block = memory_have(record_own(&record_room_you, y));
	free(r->you_block);
	r->you_block = block;
	r->you = *block;
}

void replica_copy(struct replica *to, const struct replica *from)
{
	*to = *from;
	to->room_block = NULL;
	to->you_block = NULL;
	to->pending_vote = NULL; /* whose text it is may forget it before the copy is finished */
	replica_set_room(to, &from->room);
	replica_set_you(to, &from->you);
	rows_copy(&to->users, &from->users);
	rows_copy(&to->left, &from->left);
	rows_copy(&to->stories, &from->stories);
	rows_copy(&to->removed, &from->removed);
	rows_copy(&to->story_votes, &from->story_votes);
	rows_copy(&to->own_votes, &from->own_votes);
	rows_copy(&to->data.presents, &from->data.presents);
	rows_copy(&to->data.notes, &from->data.notes);
}

/* ---- shared data ---- */

/* A member who is gone, or says what makes no sense, does nothing. */
static void replica_put_present(struct rows *presents, const struct data_entry *e)
{
	struct arena arena = {0};
	struct presence_entry entry = {0};
	struct fault ignored;
	enum err read = ERR_INVALID;
	if (!e->is_gone && e->with_value) {
		read = memory_check(record_from_bytes(&record_presence_entry, e->value,
						      RECORD_LENIENT, &arena, &entry, &ignored));
	}
	if (read == OK && entry.doing != ACTIVITY_NOTHING) {
		struct present p = {.user_id = e->entry_id,
				    .doing = entry.doing,
				    .story_id = entry.story_id};
		rows_put(presents, &p);
	} else {
		(void)rows_drop(presents, e->entry_id);
	}
	arena_finish(&arena);
}

/* Without a value it is the note that we wrote ourselves: its text comes with the answer, or has come. */
static void replica_put_noted(struct rows *notes, const struct data_entry *e)
{
	const struct shared_note *was = rows_find(notes, e->entry_id);
	struct shared_note note = {.key = e->entry_id, .revision = e->revision};
	char *text = NULL;
	if (e->is_gone) {
		(void)rows_drop(notes, e->entry_id);
		return;
	}
	if (e->with_value && shared_text_read(e->value, &text) == OK) {
		note.text = slice_str(text);
	}
	if (note.text.data != NULL || was == NULL || was->revision != note.revision) {
		rows_put(notes, &note);
	}
	free(text);
}

static void replica_put_data(struct replica_data *d, const struct data_change *c)
{
	bool is_presence = c->kind == DATA_PRESENCE && slice_eq(c->name, SLICE(SHARED_PRESENCE));
	bool is_notes = c->kind == DATA_MAP && slice_eq(c->name, SLICE(SHARED_NOTES));
	if (!is_presence && !is_notes) {
		return; /* what others made, and aye does not know */
	}
	if (c->is_gone) {
		rows_clear(is_presence ? &d->presents : &d->notes);
	}
	*(is_presence ? &d->has_presence : &d->has_notes) = !c->is_gone;
	for (size_t i = 0; i < c->entries_n; i++) {
		if (is_presence) {
			replica_put_present(&d->presents, &c->entries[i]);
		} else {
			replica_put_noted(&d->notes, &c->entries[i]);
		}
	}
}

void replica_put_note(struct replica *r, const char *key, const char *text, int64_t revision)
{
	const struct shared_note *was = replica_note(r, key);
	struct shared_note note = {.key = slice_str(key),
				   .text = slice_str(text),
				   .revision = revision};
	if (was != NULL && was->revision > revision) {
		return; /* somebody wrote after us */
	}
	r->data.has_notes = true;
	rows_put(&r->data.notes, &note);
}

/* ---- updates ---- */

/* Empty, and each of its kind. */
static void replica_clear_rows(struct replica *r)
{
	if (r->users.record == NULL) {
		rows_init(&r->users, &record_user_view, "user_id", NULL);
		rows_init(&r->left, &record_round_vote, "user_id", NULL);
		rows_init(&r->stories, &record_story_view, "story_id", "rank");
		rows_init(&r->removed, &record_story_view, "story_id", "rank");
		/* Each frame looks for every story or member in them. */
		rows_init(&r->story_votes, &record_story_votes, "story_id", "story_id");
		rows_init(&r->data.presents, &record_present, "user_id", "user_id");
		rows_init(&r->data.notes, &record_shared_note, "key", NULL);
	}
	rows_clear(&r->users);
	rows_clear(&r->left);
	rows_clear(&r->stories);
	rows_clear(&r->removed);
	rows_clear(&r->story_votes);
	rows_clear(&r->data.presents);
	rows_clear(&r->data.notes);
	r->data.has_presence = r->data.has_notes = false;
}

static void replica_clear_votes(struct replica *r)
{
	for (size_t i = 0; i < r->users.n; i++) {
		struct user_view *m = r->users.items[i];
		m->vote = m->comment = (struct slice){0};
		m->has_vote = m->is_changed = false;
		m->confidence = 0;
	}
}

static void replica_put(struct replica *r, const struct room_update *u)
{
	if (u->full) {
		replica_clear_rows(r);
		rows_set(&r->users, u->users, u->users_n);
	} else {
		for (size_t i = 0; i < u->gone.n; i++) {
			(void)rows_drop(&r->users, u->gone.items[i]);
		}
		if (u->votes_cleared || u->with_votes_n) {
			replica_clear_votes(r);
		}
		for (size_t i = 0; i < u->users_n; i++) {
			rows_put(&r->users, &u->users[i]);
		}
	}
	if (u->left_cleared) {
		rows_clear(&r->left);
	}
	for (size_t i = 0; i < u->left_votes_n; i++) {
		rows_put(&r->left, &u->left_votes[i]);
	}
	for (size_t i = 0; i < u->stories_n; i++) {
		const struct story_view *s = &u->stories[i];
		(void)rows_drop(s->is_removed ? &r->stories : &r->removed, s->story_id);
		rows_put(s->is_removed ? &r->removed : &r->stories, s);
	}
	for (size_t i = 0; i < u->story_votes_n; i++) {
		rows_put(&r->story_votes, &u->story_votes[i]);
	}
	for (size_t i = 0; i < u->data_n; i++) {
		replica_put_data(&r->data, &u->data[i]);
	}
	if (u->with_room) {
		replica_set_room(r, &u->room);
	}
	format_to(r->room_id, sizeof(r->room_id), "%.*s", (int)u->room_id.len, u->room_id.data);
	r->votes_n = u->with_votes_n ? u->votes_n : replica_hides_voters(r) ? r->votes_n : 0;
	r->by_since = u->since;
	format_to(r->by, sizeof(r->by), "%.*s", (int)u->by.len, u->by.data);
	r->epoch = u->epoch;
	r->version = u->version;
	r->has_state = true;
}

static bool replica_is_other_room(const struct replica *r, struct slice room_id)
{
	return r->room_id[0] != '\0' && !slice_eq(slice_str(r->room_id), room_id);
}

enum err replica_update(struct replica *r, const struct room_update *u)
{
	if (replica_is_other_room(r, u->room_id)) {
		return OK;
	}
	bool is_same_epoch = r->has_state && r->epoch == u->epoch;
	if (is_same_epoch && u->version <= r->version) {
		return OK; /* a repeat */
	}
	if (u->full ? !u->with_room : !is_same_epoch || u->since != r->version) {
		return ERR_CONFLICT;
	}
	replica_put(r, u);
	return OK;
}

/* Whole, or what changed: one without a card has ended. */
static void replica_put_own_votes(struct replica *r, const struct room_you *y)
{
	if (r->own_votes.record == NULL) {
		rows_init(&r->own_votes, &record_own_vote, "story_id", "story_id");
	}
	if (y->all_story_votes) {
		rows_clear(&r->own_votes);
	}
	for (size_t i = 0; i < y->story_votes_n; i++) {
		if (y->story_votes[i].vote.data == NULL) {
			(void)rows_drop(&r->own_votes, y->story_votes[i].story_id);
		} else {
			rows_put(&r->own_votes, &y->story_votes[i]);
		}
	}
}

void replica_you(struct replica *r, const struct room_you *y)
{
	if (!replica_is_other_room(r, y->room_id)) {
		replica_set_you(r, y);
		replica_put_own_votes(r, y);
	}
}

/* ---- looking ---- */

const struct user_view *replica_member(const struct replica *r, const char *user_id)
{
	return rows_find(&r->users, slice_str(user_id));
}

const struct user_view *replica_doer(const struct replica *r, int64_t since)
{
	return r->by[0] == '\0' || r->by_since != since ? NULL : replica_member(r, r->by);
}

const struct round_vote *replica_left(const struct replica *r, struct slice user_id)
{
	return rows_find(&r->left, user_id);
}

size_t replica_votes_n(const struct replica *r)
{
	return r->users.n + r->left.n;
}

struct round_vote replica_vote_at(const struct replica *r, size_t i)
{
	if (i >= r->users.n) {
		return *(const struct round_vote *)r->left.items[i - r->users.n];
	}
	const struct user_view *m = replica_member_at(r, i);
	return (struct round_vote){
		.vote = m->vote,
		.user_id = m->user_id,
		.username = m->username,
		.role = m->role,
		.is_bot = m->is_bot,
		.comment = m->comment,
		.confidence = m->confidence,
		.is_changed = m->is_changed,
	};
}

bool replica_has_gone(const struct replica *r, size_t i)
{
	const struct user_view *m =
		i < r->users.n ? NULL : rows_find(&r->users, replica_vote_at(r, i).user_id);
	return i >= r->users.n && (m == NULL || m->username.data == NULL);
}

const struct story_view *replica_story(const struct replica *r, const char *story_id)
{
	const struct story_view *s = NULL;
	if (story_id != NULL) {
		s = rows_find(&r->stories, slice_str(story_id));
		s = s == NULL ? rows_find(&r->removed, slice_str(story_id)) : s;
	}
	return s;
}

const char *replica_own_vote(const struct replica *r)
{
	if (r->pending_vote == NULL) {
		return r->you.vote.data;
	}
	return r->pending_vote[0] == '\0' ? NULL : r->pending_vote;
}

bool replica_is_current(const struct replica *r, const struct story_view *s)
{
	return r->room.story_id.data != NULL &&
	       strcmp(r->room.story_id.data, s->story_id.data) == 0;
}

bool replica_is_open(const struct replica *r, const struct story_view *s)
{
	return r->room.policy.open_stories && s->status == STORY_TODO && !s->is_removed;
}

const struct story_votes *replica_story_votes(const struct replica *r, const struct story_view *s)
{
	const struct story_votes *votes = rows_find(&r->story_votes, s->story_id);
	return votes == NULL || (votes->voted == 0 && votes->revealed_at == 0) ? NULL : votes;
}

const struct own_vote *replica_own_story_vote(const struct replica *r, const struct story_view *s)
{
	return rows_find(&r->own_votes, s->story_id);
}

static bool replica_waits_for_votes(const struct replica *r, const struct story_view *s)
{
	bool is_current = replica_is_current(r, s) && s->estimate.data == NULL;
	return r->room.policy.open_stories && (is_current || replica_is_open(r, s));
}

bool replica_awaits_vote(const struct replica *r, const struct story_view *s)
{
	return replica_waits_for_votes(r, s) &&
	       (replica_is_current(r, s) ? replica_own_vote(r) == NULL && !r->room.is_revealed
					 : replica_own_story_vote(r, s) == NULL);
}

void replica_count_open(const struct replica *r, size_t *open, size_t *voted)
{
	size_t n = r->room.policy.open_stories ? r->stories.n : 0;
	*open = *voted = 0;
	for (size_t i = 0; i < n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		bool waits = replica_waits_for_votes(r, s);
		*open += waits;
		*voted += waits && !replica_awaits_vote(r, s);
	}
}

/* The last of those off the list. */
const struct story_view *replica_removed(const struct replica *r)
{
	return r->removed.n == 0 ? NULL : r->removed.items[r->removed.n - 1];
}

const struct room_result *replica_result(const struct replica *r)
{
	return r->room.with_result ? &r->room.result : NULL;
}

const char *replica_barred(const struct replica *r, const char *who)
{
	const char *found = NULL;
	size_t named = 0;
	for (size_t i = 0; i < r->you.barred_n; i++) {
		const struct barred_view *b = &r->you.barred[i];
		if (slice_eq(b->user_id, slice_str(who))) {
			return b->user_id.data;
		}
		if (b->username.data != NULL && slice_eq(b->username, slice_str(who))) {
			found = b->user_id.data;
			named++;
		}
	}
	return named == 1 ? found : NULL;
}

const struct shared_note *replica_note(const struct replica *r, const char *key)
{
	return rows_find(&r->data.notes, slice_str(key));
}

enum activity replica_doing(const struct replica *r, const char *user_id, const char **story_id)
{
	const struct present *p = rows_find(&r->data.presents, slice_str(user_id));
	*story_id = p == NULL ? NULL : p->story_id.data;
	return p == NULL ? ACTIVITY_NOTHING : p->doing;
}

struct standing replica_standing(const struct replica *r, bool has_host_key)
{
	struct standing s = {
		.is_host = r->you.is_host || has_host_key,
		.has_name = r->you.username.data != NULL,
		.is_spectator = r->you.role == ROLE_SPECTATOR,
		.is_waiting = r->you.is_waiting,
		.is_revealed = r->room.is_revealed,
	};
	policy_from_view(&r->room.policy, &s.policy);
	return s;
}

static bool replica_counts(const struct replica *r, const struct user_view *m)
{
	return m->username.data != NULL && m->role != ROLE_SPECTATOR && !m->is_waiting &&
	       (!m->is_bot || r->room.policy.bots_count);
}

bool replica_is_counted(const struct replica *r, const struct user_view *m)
{
	bool keeps_votes = r->room.policy.keep_votes || r->room.policy.open_stories;
	return replica_counts(r, m) && (m->is_connected || keeps_votes);
}

bool replica_is_me(const struct replica *r, const struct user_view *m)
{
	return r->you.user_id.data != NULL && strcmp(r->you.user_id.data, m->user_id.data) == 0;
}

bool replica_has_vote(const struct replica *r, const struct user_view *m)
{
	return replica_hides_voters(r) && replica_is_me(r, m) ? r->you.vote.data != NULL
							      : m->has_vote;
}

const char *replica_name_of(const struct replica *r, const struct user_view *m)
{
	if (replica_is_me(r, m)) {
		return "you";
	}
	return m->username.data == NULL ? "someone" : m->username.data;
}

bool replica_is_voter(const struct user_view *m)
{
	return m->username.data != NULL && m->role == ROLE_VOTER && !m->is_bot && !m->is_waiting;
}

bool replica_is_voter_away(const struct replica *r, const struct user_view *m)
{
	return replica_is_voter(m) && !m->is_connected && !replica_is_me(r, m) &&
	       !replica_is_counted(r, m) && !(r->room.is_revealed && m->has_vote);
}

bool replica_is_missing(const struct replica *r, const struct user_view *m)
{
	return replica_is_counted(r, m) && !m->has_vote;
}

bool replica_is_absent(const struct replica *r, const struct user_view *m)
{
	return m->username.data != NULL && !m->is_connected && !m->is_host && !m->is_waiting &&
	       !m->has_vote && !replica_is_counted(r, m);
}

size_t replica_count_absent(const struct replica *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->users.n; i++) {
		n += replica_is_absent(r, replica_member_at(r, i)) ? 1 : 0;
	}
	return n;
}

bool replica_hides_voters(const struct replica *r)
{
	return r->room.policy.hide_who_voted && !r->room.is_revealed;
}

void replica_count_votes(const struct replica *r, size_t *voters, size_t *voted)
{
	*voters = 0;
	bool hides = replica_hides_voters(r);
	*voted = hides ? (size_t)r->votes_n : 0;
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (hides ? replica_counts(r, m) : replica_is_counted(r, m)) {
			(*voters)++;
			*voted += m->has_vote;
		}
	}
}
