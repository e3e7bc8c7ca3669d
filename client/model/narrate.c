/*
 * narrate.c - differences between two looks at a room, as sentences.
 */
#include "client/model/narrate.h"

#include <stdlib.h>

#include "client/model/narrate_play.h"
#include "proto/vote_stats.h"

/* What was told about one seat. */
struct narrate_seat {
	char *user_id;
	char *username;
	bool is_spectator;
	char *vote; /* where it was shown */
	bool is_connected;
	bool is_host;
	bool is_waiting;
	bool has_vote;
};

static void narrate_free_seats(struct narrate_seat *seats, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(seats[i].user_id);
		free(seats[i].username);
		free(seats[i].vote);
	}
	free(seats);
}

void narrate_finish(struct narrate *n)
{
	narrate_free_seats(n->seats, n->seats_n);
	free(n->title);
	free(n->cards);
	free(n->host_user_id);
	free(n->my_vote);
	free(n->my_note);
	narrate_play_destroy(n->play);
	*n = (struct narrate){0};
}

/* ---- remembering ---- */

static char *narrate_copy(const char *text, bool *ok)
{
	char *copy = text == NULL ? NULL : strdup(text);
	*ok = *ok && (text == NULL || copy != NULL);
	return copy;
}

static char *narrate_join_cards(const struct replica *r, bool *ok)
{
	struct buf line;
	buf_init(&line, 4096);
	for (size_t i = 0; i < r->room.valid_sizes.n; i++) {
		(void)buf_printf(&line, i == 0 ? "%s" : " %s", replica_card(r, i));
	}
	(void)buf_append(&line, "", 1);
	*ok = *ok && line.error == OK;
	char *text = line.error == OK ? buf_take(&line) : NULL;
	buf_finish(&line);
	return text;
}

static struct narrate_seat *narrate_copy_seats(const struct replica *r, bool *ok)
{
	struct narrate_seat *seats = calloc(r->users.n + 1, sizeof(*seats));
	*ok = *ok && seats != NULL;
	for (size_t i = 0; i < r->users.n && seats != NULL; i++) {
		const struct user_view *m = replica_member_at(r, i);
		seats[i].user_id = narrate_copy(m->user_id.data, ok);
		seats[i].username = narrate_copy(m->username.data, ok);
		seats[i].is_spectator = m->role == ROLE_SPECTATOR;
		seats[i].vote = narrate_copy(m->vote.data, ok);
		seats[i].is_connected = m->is_connected;
		seats[i].is_host = m->is_host;
		seats[i].is_waiting = m->is_waiting;
		seats[i].has_vote = m->has_vote;
	}
	return seats;
}

/* Replace what was told by what is; all or nothing. */
static enum err narrate_remember(struct narrate *n, const struct replica *r)
{
	bool ok = true;
	struct narrate now = {
		.tells_mine = n->tells_mine,
		.has_begun = true,
		.seats = narrate_copy_seats(r, &ok),
		.title = narrate_copy(r->room.title.data, &ok),
		.cards = narrate_join_cards(r, &ok),
		.host_user_id = narrate_copy(r->room.host_user_id.data, &ok),
		.is_revealed = r->room.is_revealed,
		.round = r->room.round,
		.hid_voters = replica_hides_voters(r),
		.votes_n = r->votes_n,
		.my_vote = narrate_copy(r->you.vote.data, &ok),
		.my_vote_is_withdrawn = r->you.is_withdrawn,
		.my_note = narrate_copy(r->you.note.data, &ok),
		.my_confidence = (int)r->you.confidence,
		.play = narrate_play_copy(r),
	};
	ok = ok && now.play != NULL;
	now.seats_n = now.seats == NULL ? 0 : r->users.n;
	if (!ok) {
		narrate_finish(&now);
		return ERR_NOMEM;
	}
	narrate_finish(n);
	*n = now;
	return OK;
}

/* ---- the room as a whole ---- */

static const char *narrate_name(const struct replica *r, const char *user_id)
{
	const struct user_view *m = user_id == NULL ? NULL : replica_member(r, user_id);
	return m == NULL || m->username.data == NULL ? "somebody" : m->username.data;
}

static const char *narrate_sure(int64_t confidence)
{
	static const char *const words[] = {"", "not very sure", "fairly sure", "quite sure"};
	return words[confidence >= 1 && confidence <= 3 ? confidence : 0];
}

static void narrate_one_vote(const struct user_view *m, const char *between, struct buf *out)
{
	const char *sure = narrate_sure(m->confidence);
	(void)buf_printf(out, "%s%s %s", between, m->username.data, m->vote.data);
	if (sure[0] != '\0') {
		(void)buf_printf(out, " (%s)", sure);
	}
}

/* What was written on the votes, each on a line of its own: it is other people's text. */
static void narrate_notes(const struct replica *r, struct buf *out)
{
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (m->username.data != NULL && m->vote.data != NULL && m->note.data != NULL) {
			(void)buf_printf(out, "%s wrote: %s\n", m->username.data, m->note.data);
		}
	}
}

static void narrate_votes(const struct replica *r, struct buf *out)
{
	const char *between = "";
	for (size_t i = 0; i < r->users.n; i++) {
		if (replica_member_at(r, i)->username.data != NULL &&
		    replica_member_at(r, i)->vote.data != NULL) {
			narrate_one_vote(replica_member_at(r, i), between, out);
			between = ", ";
		}
	}
	(void)buf_printf(out, between[0] == '\0' ? "nobody has voted.\n" : ".\n");
	narrate_notes(r, out);
}

/* Votes of people: bots are shown, and do not count. */
static size_t narrate_collect(const struct replica *r, struct slice *votes)
{
	size_t n = 0;
	for (size_t i = 0; i < r->users.n; i++) {
		if (replica_member_at(r, i)->vote.data != NULL &&
		    !replica_member_at(r, i)->is_bot) {
			votes[n++] = replica_member_at(r, i)->vote;
		}
	}
	return n;
}

/* What is said of it, from the server where it has said it. */
static enum err narrate_tally(const struct replica *r, struct vote_stats *t)
{
	struct slice deck[MAX_CARDS_MAX];
	size_t cards_n =
		r->room.valid_sizes.n < MAX_CARDS_MAX ? r->room.valid_sizes.n : MAX_CARDS_MAX;
	if (r->room.with_result) {
		*t = (struct vote_stats){
			.votes = (size_t)r->room.result.votes,
			.has_average = r->room.result.with_average,
			.average = r->room.result.average,
			.median = r->room.result.median,
			.agreement_percent = (int)r->room.result.agreement_percent,
		};
		return OK;
	}
	struct slice *votes = calloc(r->users.n + 1, sizeof(*votes));
	if (votes == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < cards_n; i++) {
		deck[i] = slice_str(replica_card(r, i));
	}
	size_t n = narrate_collect(r, votes);
	vote_stats_of((struct slices){deck, cards_n}, votes, n, t);
	free(votes);
	return OK;
}

/* Without names: how often each card lies there. */
static void narrate_counts(const struct replica *r, struct buf *out)
{
	for (size_t i = 0; i < r->room.result.cards_n; i++) {
		(void)buf_printf(out, "%s%lld x %s", i == 0 ? "" : ", ",
				 (long long)r->room.result.cards[i].votes,
				 r->room.result.cards[i].card.data);
	}
	(void)buf_printf(out, r->room.result.cards_n == 0 ? "nobody has voted.\n" : ".\n");
}

enum err narrate_result(const struct replica *r, struct buf *out)
{
	struct vote_stats t;
	enum err e = narrate_tally(r, &t);
	if (e != OK) {
		return e;
	}
	(void)buf_printf(out, "The cards lie open: ");
	if (r->room.policy.anonymous && r->room.with_result) {
		narrate_counts(r, out);
	} else {
		narrate_votes(r, out);
	}
	if (r->room.with_result && r->room.result.withdrawn > 0) {
		(void)buf_printf(out, "%lld vote%s withdrawn: no longer in the deck.\n",
				 (long long)r->room.result.withdrawn,
				 r->room.result.withdrawn == 1 ? " was" : "s were");
	}
	if (t.has_average) {
		(void)buf_printf(out, "Average %.3g, median %.3g, agreement %d %%.\n", t.average,
				 t.median, t.agreement_percent);
	} else if (t.votes > 0) {
		(void)buf_printf(out, "Agreement %d %%.\n", t.agreement_percent);
	}
	narrate_play_result(r, out);
	return out->error;
}

static void narrate_people(const struct replica *r, struct buf *out)
{
	size_t watching = 0;
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (m->username.data == NULL) {
			watching++;
			continue;
		}
		(void)buf_printf(out, "  %s%s%s%s%s%s%s\n", m->username.data,
				 m->is_host ? ", host" : "", m->is_bot ? ", a bot" : "",
				 m->role == ROLE_SPECTATOR ? ", watches" : "",
				 m->is_waiting ? ", waits in the lobby" : "",
				 m->is_connected ? "" : ", away", m->has_vote ? ", has voted" : "");
	}
	if (watching > 0) {
		(void)buf_printf(out, "  and %zu without a name\n", watching);
	}
}

/* Where who voted is hidden. */
static void narrate_votes_n(const struct replica *r, struct buf *out)
{
	size_t voters = 0;
	size_t voted = 0;
	replica_count_votes(r, &voters, &voted);
	(void)buf_printf(out, "%zu of %zu have voted.\n", voted, voters);
}

enum err narrate_room(const struct replica *r, struct buf *out)
{
	bool ok = true;
	char *cards = narrate_join_cards(r, &ok);
	if (!ok) {
		return ERR_NOMEM;
	}
	(void)buf_printf(out, "Room %s%s%s, round %lld, cards %s\n", r->room_id,
			 r->room.title.data == NULL ? "" : ": ",
			 r->room.title.data == NULL ? "" : r->room.title.data,
			 (long long)r->room.round, cards);
	free(cards);
	narrate_play_state(r, out);
	narrate_people(r, out);
	if (replica_hides_voters(r)) {
		narrate_votes_n(r, out);
	}
	return r->room.is_revealed ? narrate_result(r, out) : out->error;
}

/* ---- what is new ---- */

static bool narrate_differs(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

static const struct narrate_seat *narrate_find(const struct narrate *n, const char *user_id)
{
	for (size_t i = 0; i < n->seats_n; i++) {
		if (strcmp(n->seats[i].user_id, user_id) == 0) {
			return &n->seats[i];
		}
	}
	return NULL;
}

static void narrate_name_change(const struct narrate_seat *was, const struct user_view *is,
				struct buf *out)
{
	if (was == NULL || was->username == NULL) {
		(void)buf_printf(out, "%s %s.\n", is->username.data,
				 is->is_waiting		      ? "waits in the lobby"
				 : is->role == ROLE_SPECTATOR ? "watches"
							      : "sits down");
	} else if (strcmp(was->username, is->username.data) != 0) {
		(void)buf_printf(out, "%s is now called %s.\n", was->username, is->username.data);
	} else if (was->is_spectator != (is->role == ROLE_SPECTATOR)) {
		(void)buf_printf(out, "%s %s.\n", is->username.data,
				 is->role == ROLE_SPECTATOR ? "only watches now" : "votes now");
	}
}

/* Let in, and hosts beside the host. */
static void narrate_standing(const struct replica *r, const struct narrate_seat *was,
			     const struct user_view *is, struct buf *out)
{
	if (was == NULL || was->username == NULL) {
		return;
	}
	if (was->is_waiting && !is->is_waiting) {
		(void)buf_printf(out, "%s was admitted.\n", is->username.data);
	}
	bool is_the_host = r->room.host_user_id.data != NULL &&
			   strcmp(r->room.host_user_id.data, is->user_id.data) == 0;
	if (was->is_host != is->is_host && !is_the_host) {
		(void)buf_printf(out, "%s is %s.\n", is->username.data,
				 is->is_host ? "host too" : "no longer host");
	}
	if (is->is_changed && is->vote.data != NULL && was->vote != NULL &&
	    strcmp(was->vote, is->vote.data) != 0) {
		(void)buf_printf(out, "%s has changed the vote to %s.\n", is->username.data,
				 is->vote.data);
	}
}

static void narrate_vote(const struct narrate *n, const struct replica *r,
			 const struct narrate_seat *was, const struct user_view *is,
			 struct buf *out)
{
	bool had_vote = was != NULL && was->has_vote;
	bool is_same_round = r->room.round == n->round;
	if (replica_hides_voters(r) || (n->hid_voters && r->room.is_revealed)) {
		return;
	}
	if (is->has_vote && is->is_bot && (!had_vote || !is_same_round)) {
		(void)buf_printf(out, "%s, a bot, has voted.\n", is->username.data);
	} else if (is->has_vote && (!had_vote || !is_same_round)) {
		size_t voters = 0;
		size_t voted = 0;
		replica_count_votes(r, &voters, &voted);
		(void)buf_printf(out, "%s has voted (%zu of %zu).\n", is->username.data, voted,
				 voters);
	} else if (had_vote && !is->has_vote && is_same_round) {
		(void)buf_printf(out, "%s has no vote any more.\n", is->username.data);
	}
}

/* What only we are told: the card that the server has of us, and what goes with it. */
static void narrate_mine(const struct narrate *n, const struct replica *r, struct buf *out)
{
	if (r->you.vote.data == NULL) {
		return;
	}
	bool is_new = !n->has_begun || n->my_vote == NULL;
	if (is_new || strcmp(n->my_vote, r->you.vote.data) != 0) {
		(void)buf_printf(out, "Your card is %s.\n", r->you.vote.data);
	}
	if (r->you.is_withdrawn && !r->room.is_revealed && (is_new || !n->my_vote_is_withdrawn)) {
		(void)buf_printf(out, "Your card %s is not in the new deck: choose again.\n",
				 r->you.vote.data);
	}
	if (r->you.note.data != NULL && (is_new || narrate_differs(n->my_note, r->you.note.data))) {
		(void)buf_printf(out, "Your note: %s\n", r->you.note.data);
	}
	const char *sure = narrate_sure(r->you.confidence);
	if (sure[0] != '\0' && (is_new || n->my_confidence != r->you.confidence)) {
		(void)buf_printf(out, "You are %s.\n", sure);
	}
}

static void narrate_member(const struct narrate *n, const struct replica *r,
			   const struct user_view *is, struct buf *out)
{
	const struct narrate_seat *was = narrate_find(n, is->user_id.data);
	bool is_mine =
		r->you.user_id.data != NULL && strcmp(r->you.user_id.data, is->user_id.data) == 0;
	if (is->username.data == NULL) {
		if (was != NULL && was->username != NULL) {
			(void)buf_printf(out, "%s leaves.\n", was->username);
		}
		return;
	}
	narrate_name_change(was, is, out);
	if (was != NULL && was->username != NULL && was->is_connected != is->is_connected) {
		(void)buf_printf(out, "%s is %s.\n", is->username.data,
				 is->is_connected ? "back" : "away");
	}
	narrate_standing(r, was, is, out);
	if (!n->tells_mine || !is_mine) {
		narrate_vote(n, r, was, is, out);
	}
}

static void narrate_gone(const struct narrate *n, const struct replica *r, struct buf *out)
{
	for (size_t i = 0; i < n->seats_n; i++) {
		if (n->seats[i].username != NULL &&
		    replica_member(r, n->seats[i].user_id) == NULL) {
			(void)buf_printf(out, "%s leaves.\n", n->seats[i].username);
		}
	}
}

static enum err narrate_changes(const struct narrate *n, const struct replica *r, struct buf *out)
{
	bool ok = true;
	char *cards = narrate_join_cards(r, &ok);
	if (narrate_differs(n->title, r->room.title.data)) {
		(void)buf_printf(out,
				 r->room.title.data == NULL ? "The room has no title any more.\n"
							    : "The room is called %s.\n",
				 r->room.title.data);
	}
	if (ok && narrate_differs(n->cards, cards)) {
		(void)buf_printf(out, "The cards are now %s\n", cards);
	}
	free(cards);
	if (n->round != r->room.round) {
		(void)buf_printf(out,
				 r->room.round > n->round ? "Round %lld begins.\n"
							  : "Round %lld is back.\n",
				 (long long)r->room.round);
	}
	narrate_play_changes(n->play, r, out);
	narrate_gone(n, r, out);
	for (size_t i = 0; i < r->users.n; i++) {
		narrate_member(n, r, replica_member_at(r, i), out);
	}
	if (replica_hides_voters(r) && r->votes_n != (r->room.round == n->round ? n->votes_n : 0)) {
		narrate_votes_n(r, out);
	}
	if (n->tells_mine) {
		narrate_mine(n, r, out);
	}
	narrate_play_reveal(n->play, r, out);
	if (narrate_differs(n->host_user_id, r->room.host_user_id.data)) {
		(void)buf_printf(out, "%s is host.\n",
				 r->room.host_user_id.data == NULL
					 ? "Nobody"
					 : narrate_name(r, r->room.host_user_id.data));
	}
	return ok ? out->error : ERR_NOMEM;
}

enum err narrate_update(struct narrate *n, const struct replica *r, struct buf *out)
{
	enum err e;
	if (!n->has_begun) {
		e = narrate_room(r, out);
		if (n->tells_mine) {
			narrate_mine(n, r, out);
		}
		return e == OK ? narrate_remember(n, r) : e;
	}
	e = narrate_changes(n, r, out);
	if (e == OK && r->room.is_revealed && (!n->is_revealed || n->round != r->room.round)) {
		e = narrate_result(r, out);
	} else if (e == OK && !r->room.is_revealed && n->is_revealed && n->round == r->room.round) {
		e = buf_printf(out, "The cards are hidden again.\n");
	}
	return e == OK ? narrate_remember(n, r) : e;
}

enum err narrate_expiring(int64_t left_ms, struct buf *out)
{
	int64_t left_s = (left_ms + 999) / 1000;
	int64_t minutes = (left_s + 30) / 60;
	if (left_ms < 0) {
		return buf_printf(out, "The room ends soon if nothing happens in it.\n");
	}
	if (left_s < 55) {
		return buf_printf(out, "The room ends in %lld s if nothing happens in it.\n",
				  (long long)left_s);
	}
	return buf_printf(out, "The room ends in %lld minute%s if nothing happens in it.\n",
			  (long long)minutes, minutes == 1 ? "" : "s");
}
