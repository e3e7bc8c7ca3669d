/*
 * replica.c - takes updates whole or not at all; see replica.h.
 *
 * An update is prepared beside the copy, with everything that can fail, and
 * then put in place by steps that cannot.
 */
#include "client/model/replica_parts.h"

#include <stdlib.h>

#include "proto/format.h"
#include "proto/text.h"

/* A softened byte may grow to three, the length of U+FFFD. NULL when memory is out. */
char *replica_soften(struct slice text)
{
	size_t cap = 3 * text.len;
	char *out = malloc(cap + 1);
	if (out != NULL) {
		out[text_soften(text, out, cap)] = '\0';
	}
	return out;
}

/* As above; nil and absent text is NULL and no failure. */
bool replica_soften_nil(struct slice text, bool is_there, char **out)
{
	*out = NULL;
	if (!is_there || text.data == NULL) {
		return true;
	}
	*out = replica_soften(text);
	return *out != NULL;
}

static void replica_finish_member(struct member *m)
{
	free(m->user_id);
	free(m->username);
	free(m->vote);
	free(m->note);
}

static void replica_free_members(struct member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		replica_finish_member(&members[i]);
	}
	free(members);
}

static void replica_free_barred(struct barred_member *barred, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(barred[i].user_id);
		free(barred[i].username);
	}
	free(barred);
}

static void replica_free_cards(char **cards, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(cards[i]);
	}
	free(cards);
}

void replica_finish(struct replica *r)
{
	replica_free_members(r->members, r->members_n);
	replica_free_cards(r->cards, r->cards_n);
	free(r->title);
	free(r->host_user_id);
	free(r->my_user_id);
	free(r->my_name);
	free(r->my_vote);
	free(r->my_note);
	replica_free_barred(r->barred, r->barred_n);
	replica_finish_play(r);
	replica_finish_data(&r->data);
	*r = (struct replica){0};
}

/* ---- preparing ---- */

static void replica_drop_next(struct replica_next *next)
{
	replica_free_members(next->members, next->members_n);
	replica_free_cards(next->cards, next->cards_n);
	free(next->title);
	free(next->host_user_id);
	replica_drop_play(next);
	replica_finish_data(&next->data);
}

static bool replica_make_member(const struct user_view *v, struct member *out)
{
	*out = (struct member){
		.is_spectator = v->role == ROLE_SPECTATOR,
		.is_bot = v->is_bot,
		.is_connected = v->is_connected,
		.is_host = v->is_host,
		.has_vote = v->has_vote,
		.confidence = v->with_confidence ? (int)v->confidence : 0,
		.is_changed = v->with_is_changed && v->is_changed,
		.is_waiting = v->with_is_waiting && v->is_waiting,
	};
	out->user_id = replica_soften(v->user_id);
	bool is_made = out->user_id != NULL &&
		       replica_soften_nil(v->username, true, &out->username) &&
		       replica_soften_nil(v->vote, v->with_vote, &out->vote) &&
		       replica_soften_nil(v->note, v->with_note, &out->note);
	if (!is_made) {
		replica_finish_member(out);
	}
	return is_made;
}

static bool replica_prepare_members(const struct room_update *u, struct replica_next *next)
{
	if (!u->with_users || u->users_n == 0) {
		return true;
	}
	next->members = calloc(u->users_n, sizeof(*next->members));
	if (next->members == NULL) {
		return false;
	}
	for (size_t i = 0; i < u->users_n; i++) {
		if (!replica_make_member(&u->users[i], &next->members[i])) {
			return false;
		}
		next->members_n++;
	}
	return true;
}

static bool replica_prepare_room(const struct room_view *v, struct replica_next *next)
{
	next->cards = calloc(v->valid_sizes.n + 1, sizeof(*next->cards));
	if (next->cards == NULL) {
		return false;
	}
	for (size_t i = 0; i < v->valid_sizes.n; i++) {
		next->cards[i] = replica_soften(v->valid_sizes.items[i]);
		if (next->cards[i] == NULL) {
			return false;
		}
		next->cards_n++;
	}
	return replica_soften_nil(v->title, true, &next->title) &&
	       replica_soften_nil(v->host_user_id, true, &next->host_user_id) &&
	       replica_prepare_play(v, next);
}

/* Room for all that may be appended; what is there stays as it is. */
static bool replica_reserve(struct replica *r, size_t more)
{
	if (more == 0) {
		return true;
	}
	struct member *grown = realloc(r->members, (r->members_n + more) * sizeof(*grown));
	if (grown != NULL) {
		r->members = grown;
	}
	return grown != NULL;
}

/* ---- putting in place ---- */

static size_t replica_find(const struct replica *r, const char *user_id)
{
	size_t i = 0;
	while (i < r->members_n && strcmp(r->members[i].user_id, user_id) != 0) {
		i++;
	}
	return i;
}

static void replica_put_text(bool is_there, char **to, char *text)
{
	if (is_there) {
		free(*to);
		*to = text;
	}
}

/* What the update does not say stays as it is. Takes the texts of *m. */
static void replica_merge_member(struct member *to, const struct user_view *v, struct member *m)
{
	replica_put_text(v->with_username, &to->username, m->username);
	replica_put_text(v->with_vote, &to->vote, m->vote);
	replica_put_text(v->with_note, &to->note, m->note);
	to->is_spectator = v->with_role ? m->is_spectator : to->is_spectator;
	to->is_bot = v->with_is_bot ? m->is_bot : to->is_bot;
	to->is_connected = v->with_is_connected ? m->is_connected : to->is_connected;
	to->is_host = v->with_is_host ? m->is_host : to->is_host;
	to->has_vote = v->with_has_vote ? m->has_vote : to->has_vote;
	to->confidence = v->with_confidence ? m->confidence : to->confidence;
	to->is_changed = v->with_is_changed ? m->is_changed : to->is_changed;
	to->is_waiting = v->with_is_waiting ? m->is_waiting : to->is_waiting;
	free(m->user_id);
}

static void replica_put_members(struct replica *r, const struct room_update *u,
				struct replica_next *next)
{
	for (size_t i = 0; i < next->members_n; i++) {
		size_t at = replica_find(r, next->members[i].user_id);
		if (at < r->members_n) {
			replica_merge_member(&r->members[at], &u->users[i], &next->members[i]);
		} else {
			r->members[r->members_n++] = next->members[i];
		}
	}
	free(next->members);
}

static void replica_clear_votes(struct replica *r)
{
	for (size_t i = 0; i < r->members_n; i++) {
		struct member *m = &r->members[i];
		replica_put_text(true, &m->vote, NULL);
		replica_put_text(true, &m->note, NULL);
		m->has_vote = false;
		m->confidence = 0;
		m->is_changed = false;
	}
}

/* user_ids are compared as they came: softening leaves those of a sound server alone. */
static void replica_drop_gone(struct replica *r, const struct slices *gone)
{
	for (size_t i = 0; i < gone->n; i++) {
		for (size_t at = 0; at < r->members_n; at++) {
			if (slice_eq(slice_str(r->members[at].user_id), gone->items[i])) {
				replica_finish_member(&r->members[at]);
				r->members_n--;
				memmove(&r->members[at], &r->members[at + 1],
					(r->members_n - at) * sizeof(r->members[0]));
				break;
			}
		}
	}
}

static void replica_put_room(struct replica *r, const struct room_view *v,
			     struct replica_next *next)
{
	replica_free_cards(r->cards, r->cards_n);
	free(r->title);
	free(r->host_user_id);
	r->cards = next->cards;
	r->cards_n = next->cards_n;
	r->title = next->title;
	r->host_user_id = next->host_user_id;
	r->is_revealed = v->is_revealed;
	r->round = v->round;
	replica_put_play(r, v, next);
}

static void replica_put(struct replica *r, const struct room_update *u, struct replica_next *next)
{
	if (u->full) {
		replica_free_members(r->members, r->members_n);
		r->members = next->members;
		r->members_n = next->members_n;
	} else {
		if (u->with_gone) {
			replica_drop_gone(r, &u->gone);
		}
		if ((u->with_votes_cleared && u->votes_cleared) || u->with_votes_n) {
			replica_clear_votes(r);
		}
		replica_put_members(r, u, next);
	}
	replica_put_stories(r, u->full, next);
	replica_put_data(r, u->full, next);
	if (u->with_room) {
		replica_put_room(r, &u->room, next);
	}
	format_to(r->room_id, sizeof(r->room_id), "%.*s", (int)u->room_id.len, u->room_id.data);
	r->votes_n = u->with_votes_n ? u->votes_n : replica_hides_voters(r) ? r->votes_n : 0;
	r->epoch = u->epoch;
	r->version = u->version;
	r->has_state = true;
}

/* ---- the two doors ---- */

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
	struct replica_next next = {0};
	bool is_ready = replica_prepare_members(u, &next) &&
			(!u->with_room || replica_prepare_room(&u->room, &next)) &&
			replica_prepare_stories(u, &next) && replica_prepare_data(u, &next) &&
			replica_reserve_data(r, &next.data) &&
			(u->full || (replica_reserve(r, next.members_n) &&
				     replica_reserve_stories(r, next.stories_n)));
	if (!is_ready) {
		replica_drop_next(&next);
		return ERR_NOMEM;
	}
	replica_put(r, u, &next);
	return OK;
}

/* Into texts, which replica_finish() frees. */
static bool replica_make_barred(const struct room_you *y, struct replica *texts)
{
	texts->barred = calloc(y->barred_n + 1, sizeof(*texts->barred));
	for (size_t i = 0; texts->barred != NULL && i < y->barred_n; i++) {
		struct barred_member *b = &texts->barred[texts->barred_n++];
		if (!replica_soften_nil(y->barred[i].user_id, true, &b->user_id) ||
		    !replica_soften_nil(y->barred[i].username, true, &b->username)) {
			return false;
		}
	}
	return texts->barred != NULL;
}

static void replica_put_you(struct replica *r, const struct room_you *y,
			    const struct replica *texts)
{
	replica_free_barred(r->barred, r->barred_n);
	r->barred = texts->barred;
	r->barred_n = texts->barred_n;
	free(r->my_user_id);
	free(r->my_name);
	free(r->my_vote);
	free(r->my_note);
	r->my_user_id = texts->my_user_id;
	r->my_name = texts->my_name;
	r->my_vote = texts->my_vote;
	r->my_note = texts->my_note;
	r->my_vote_is_withdrawn = y->with_is_withdrawn && y->is_withdrawn;
	r->my_confidence = y->with_confidence ? (int)y->confidence : 0;
	r->i_am_spectator = y->role == ROLE_SPECTATOR;
	r->i_am_host = y->is_host;
	r->i_am_waiting = y->with_is_waiting && y->is_waiting;
}

enum err replica_you(struct replica *r, const struct room_you *y)
{
	struct replica texts = {0};
	if (replica_is_other_room(r, y->room_id)) {
		return OK;
	}
	if (!replica_soften_nil(y->user_id, true, &texts.my_user_id) ||
	    !replica_soften_nil(y->username, true, &texts.my_name) ||
	    !replica_soften_nil(y->vote, true, &texts.my_vote) ||
	    !replica_soften_nil(y->note, y->with_note, &texts.my_note) ||
	    !replica_make_barred(y, &texts)) {
		replica_finish(&texts);
		return ERR_NOMEM;
	}
	replica_put_you(r, y, &texts);
	return OK;
}

const char *replica_barred(const struct replica *r, const char *who)
{
	const char *found = NULL;
	size_t named = 0;
	for (size_t i = 0; i < r->barred_n; i++) {
		const struct barred_member *b = &r->barred[i];
		if (strcmp(b->user_id, who) == 0) {
			return b->user_id;
		}
		if (b->username != NULL && strcmp(b->username, who) == 0) {
			found = b->user_id;
			named++;
		}
	}
	return named == 1 ? found : NULL;
}

const struct member *replica_member(const struct replica *r, const char *user_id)
{
	size_t at = replica_find(r, user_id);
	return at < r->members_n ? &r->members[at] : NULL;
}

static bool replica_counts(const struct replica *r, const struct member *m)
{
	return m->username != NULL && !m->is_spectator && !m->is_waiting &&
	       (!m->is_bot || r->policy.bots_count);
}

bool replica_is_counted(const struct replica *r, const struct member *m)
{
	return replica_counts(r, m) && m->is_connected;
}

bool replica_hides_voters(const struct replica *r)
{
	return r->policy.hide_who_voted && !r->is_revealed;
}

void replica_count_votes(const struct replica *r, size_t *voters, size_t *voted)
{
	*voters = 0;
	bool hides = replica_hides_voters(r);
	*voted = hides ? (size_t)r->votes_n : 0;
	for (size_t i = 0; i < r->members_n; i++) {
		if (hides ? replica_counts(r, &r->members[i])
			  : replica_is_counted(r, &r->members[i])) {
			(*voters)++;
			*voted += r->members[i].has_vote;
		}
	}
}
