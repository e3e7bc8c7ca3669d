/*
 * narrate.c - a room, and the differences between two copies of it, as sentences.
 */
#include "client/acts/narrate.h"

#include <string.h>

#include "client/acts/narrate_open.h"
#include "client/acts/narrate_result.h"
#include "client/acts/span.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/text/utc_time.h"

void narrate_finish(struct narrate *n)
{
	replica_finish(&n->was);
	*n = (struct narrate){0};
}

/* ---- parts of both ---- */

static bool narrate_differs(struct slice a, struct slice b)
{
	return (a.data == NULL) != (b.data == NULL) || !slice_eq(a, b);
}

static void narrate_cards(const struct replica *r, const char *before, struct buf *out)
{
	(void)buf_printf(out, "%s", before);
	for (size_t i = 0; i < r->room.valid_sizes.n; i++) {
		(void)buf_printf(out, i == 0 ? "%s" : " %s", replica_card(r, i));
	}
	(void)buf_printf(out, "\n");
}

/* Where who voted is hidden. */
static void narrate_votes_n(const struct replica *r, struct buf *out)
{
	size_t voters = 0;
	size_t voted = 0;
	replica_count_votes(r, &voters, &voted);
	(void)buf_printf(out, "%zu of %zu have voted.\n", voted, voters);
}

static void narrate_target(const struct replica *r, struct buf *out)
{
	const struct story_view *s = replica_story(r, r->room.story_id.data);
	if (s == NULL) {
		return;
	}
	struct story_name name;
	(void)buf_printf(out, "Voting on: %s", story_name(s, &name));
	if (r->room.story_round > 1) {
		char vote[STORY_VOTE_CHARS + 1];
		(void)buf_printf(out, ", %s", story_vote(r->room.story_round, vote));
	}
	(void)buf_printf(out, "%s\n", s->description.data != NULL ? " (with a description)" : "");
}

/* It ends at a moment of the server's day, which has no leap seconds. */
static void narrate_until(const char *by, const char *what, int64_t ends_at, const char *then,
			  struct buf *out)
{
	int64_t s = ends_at / 1000 % 86400;
	(void)buf_printf(out, "%s%s until %02d:%02d:%02d UTC%s.\n", by, what, (int)(s / 3600),
			 (int)(s / 60 % 60), (int)(s % 60), then);
}

/* Where votes stay people have days, so a time of day does not say which. */
static void narrate_deadline(const struct replica *r, const char *by, struct buf *out)
{
	char at[UTC_TIME_CHARS + 1] = "";
	(void)utc_time(r->room.timer.ends_at, at);
	(void)buf_printf(out, "%sVotes are revealed on %.10s at %.8s UTC.\n", by, at, at + 11);
}

static void narrate_timer(const struct replica *r, const char *by, struct buf *out)
{
	if (r->room.policy.keep_votes && r->room.timer.reveal_at_zero) {
		narrate_deadline(r, by, out);
		return;
	}
	narrate_until(by, "A timer is running", r->room.timer.ends_at,
		      r->room.timer.reveal_at_zero ? ", and reveals at its end" : "", out);
}

/* ---- the room as a whole ---- */

void narrate_standing(const struct replica *r, const struct user_view *m, struct buf *out)
{
	const struct user_view *away = rows_find(&r->users, r->room.host_kept_for);
	bool leads = slice_eq(r->room.host_user_id, m->user_id);
	(void)buf_printf(out, "%s", m->is_host ? ", host" : "");
	if (leads && away != NULL && away->username.data != NULL) {
		(void)buf_printf(out, " until %s is back", away->username.data);
	}
}

/* "12 min"; "" where it is not known how long, or not long. */
static void narrate_absence(const struct user_view *m, int64_t now_ms, char out[SPAN_WORDS_BYTES])
{
	bool is_known = m->away_since > 0 && now_ms > 0;
	(void)span_words(is_known ? now_ms - m->away_since : 0, out);
}

const char *narrate_away(const struct user_view *m, int64_t now_ms, char out[AWAY_BYTES])
{
	char span[SPAN_WORDS_BYTES];
	narrate_absence(m, now_ms, span);
	(void)format_to(out, AWAY_BYTES, "away%s%s", span[0] == '\0' ? "" : " ", span);
	return out;
}

static void narrate_people(const struct replica *r, int64_t now_ms, struct buf *out)
{
	char away[AWAY_BYTES];
	size_t watching = 0;
	size_t absent = replica_count_absent(r);
	bool names_all = absent <= REPLICA_ABSENT_NAMED;
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (m->username.data == NULL) {
			watching += m->is_connected; /* else it has left */
			continue;
		}
		if (!names_all && replica_is_absent(r, m)) {
			continue;
		}
		(void)buf_printf(out, "  %s", m->username.data);
		narrate_standing(r, m, out);
		(void)buf_printf(out, "%s%s%s%s%s%s\n", m->is_bot ? ", a bot" : "",
				 m->role == ROLE_SPECTATOR ? ", spectator" : "",
				 m->is_waiting ? ", waits in the lobby" : "",
				 m->is_connected ? "" : ", ",
				 m->is_connected ? "" : narrate_away(m, now_ms, away),
				 m->has_vote ? ", has voted" : "");
	}
	if (watching > 0) {
		(void)buf_printf(out, "  and %zu without a name\n", watching);
	}
	if (!names_all) {
		(void)buf_printf(out, "  and %zu away\n", absent);
	}
}

void narrate_room(const struct replica *r, int64_t now_ms, struct buf *out)
{
	const char *title = r->room.title.data;
	size_t estimated = 0;
	(void)buf_printf(out, "Room %s%s%s, round %lld", r->room_id, title == NULL ? "" : ": ",
			 title == NULL ? "" : title, (long long)r->room.round);
	narrate_cards(r, ", cards ", out);
	for (size_t i = 0; i < r->stories.n; i++) {
		estimated += replica_story_at(r, i)->estimate.data != NULL;
	}
	if (r->stories.n > 0) {
		size_t open;
		size_t voted;
		replica_count_open(r, &open, &voted);
		(void)buf_printf(out, "Stories: %zu, %zu with an estimate", r->stories.n,
				 estimated);
		if (open > 0) {
			(void)buf_printf(out, ", %zu open together", open);
		}
		(void)buf_printf(out, "\n");
	}
	narrate_target(r, out);
	if (r->room.timer.ends_at != 0) {
		narrate_timer(r, "", out);
	}
	if (r->room.pause_ends_at != 0) {
		narrate_until("", "There is a break", r->room.pause_ends_at, "", out);
	}
	narrate_people(r, now_ms, out);
	if (replica_hides_voters(r)) {
		narrate_votes_n(r, out);
	}
	if (r->room.is_revealed) {
		narrate_result(r, out);
	}
}

/* ---- what is new: policy and stories ---- */

static void narrate_flag(const char *by, bool was, bool is, const char *on, const char *off,
			 struct buf *out)
{
	if (was != is) {
		(void)buf_printf(out, "%s%s\n", by, is ? on : off);
	}
}

static void narrate_policy(const struct policy_view *was, const struct policy_view *is,
			   const char *by, struct buf *out)
{
	static const char *const editors[WORDS_COUNT(data_editors)] = {
#define EDITORS(symbol, word, text) [DATA_EDITORS_##symbol] = text,
		POLICY_EDITORS(EDITORS)
#undef EDITORS
	};
	if (was->who_edits_data != is->who_edits_data) {
		(void)buf_printf(out, "%s%s\n", by, editors[is->who_edits_data]);
	}
#define FLAG(F, field, flag, is_default, help, label, on, off) \
	narrate_flag(by, was->field, is->field, on, off, out);
	POLICY_FLAGS(FLAG, _)
#undef FLAG
	if (was->quorum != is->quorum && is->quorum > 0) {
		(void)buf_printf(out, "%s%lld votes are needed to reveal now.\n", by,
				 (long long)is->quorum);
	} else if (was->quorum != is->quorum) {
		(void)buf_printf(out, "%sAll votes are needed to reveal now.\n", by);
	}
#define PASSCODE(on, off) narrate_flag(by, was->has_passcode, is->has_passcode, on, off, out);
	POLICY_PASSCODE(PASSCODE)
#undef PASSCODE
}

enum narrate_news {
	NARRATE_ADDED,
	NARRATE_REMOVED,
	NARRATE_RESTORED,
	NARRATE_MOVED,
	NARRATE_KINDS
};

/* NARRATE_KINDS: nothing that the list shows. */
static enum narrate_news narrate_story_news(const struct story_view *old,
					    const struct story_view *s)
{
	if (old == NULL) {
		return s->is_removed ? NARRATE_KINDS : NARRATE_ADDED;
	}
	if (old->is_removed != s->is_removed) {
		return s->is_removed ? NARRATE_REMOVED : NARRATE_RESTORED;
	}
	return slice_eq(old->rank, s->rank) ? NARRATE_KINDS : NARRATE_MOVED;
}

/* Where it was, if it was; most of them are where they were. */
static const struct story_view *narrate_old_story(const struct replica *was,
						  const struct story_view *s, size_t place)
{
	const struct rows *same = s->is_removed ? &was->removed : &was->stories;
	const struct rows *other = s->is_removed ? &was->stories : &was->removed;
	const struct story_view *old = rows_find_near(same, s->story_id, place);
	return old == NULL ? rows_find(other, s->story_id) : old;
}

/* What happened to the list: the first few by name, or, as an import is one event, only how many. */
static void narrate_list(const struct replica *was, const struct replica *r, struct buf *out)
{
	enum { NAMED_MAX = 3 };
	static const struct {
		const char *named;
		const char *counted;
	} news_rows[NARRATE_KINDS] = {
		[NARRATE_ADDED] = {"Story added", "stories were added"},
		[NARRATE_REMOVED] = {"Story removed", "stories were removed"},
		[NARRATE_RESTORED] = {"Story restored", "stories were restored"},
		[NARRATE_MOVED] = {"Story moved", "stories were moved"},
	};
	size_t count[NARRATE_KINDS + 1] = {0};
	const struct story_view *named[NARRATE_KINDS + 1][NAMED_MAX] = {{NULL}};
	for (size_t i = 0; i < r->stories.n + r->removed.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		size_t place = s->is_removed ? i - r->stories.n : i;
		enum narrate_news news = narrate_story_news(narrate_old_story(was, s, place), s);
		if (count[news] < NAMED_MAX) {
			named[news][count[news]] = s;
		}
		count[news]++;
	}
	for (size_t kind = 0; kind < NARRATE_KINDS; kind++) {
		if (count[kind] > NAMED_MAX) {
			(void)buf_printf(out, "%zu %s.\n", count[kind], news_rows[kind].counted);
			continue;
		}
		for (size_t i = 0; i < count[kind]; i++) {
			struct story_name name;
			(void)buf_printf(out, "%s: %s\n", news_rows[kind].named,
					 story_name(named[kind][i], &name));
		}
	}
}

static void narrate_stories(const struct replica *was, const struct replica *r, struct buf *out)
{
	narrate_list(was, r, out);
	for (size_t i = 0; i < r->stories.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		const struct story_view *old = narrate_old_story(was, s, i);
		if (old == NULL) {
			continue;
		}
		struct story_name name;
		struct story_name old_name;
		(void)story_name(s, &name);
		(void)story_name(old, &old_name);
		if (strcmp(old_name.text, name.text) != 0) {
			(void)buf_printf(out, "Story %s is now called %s\n", old_name.text,
					 name.text);
		}
		if (narrate_differs(old->estimate, s->estimate) && !narrate_open_tells(was, r, s)) {
			(void)buf_printf(out,
					 s->estimate.data == NULL ? "Estimate cleared: %s\n"
								  : "Estimate of %s: %s\n",
					 name.text, s->estimate.data);
		}
		if (old->status != s->status && s->status == STORY_SKIPPED) {
			(void)buf_printf(out, "Story skipped: %s\n", name.text);
		}
	}
}

/* ---- what is new: members ---- */

/* A seat that has just got its name: who it is; else what became of its standing. */
static void narrate_seat(const struct replica *r, const struct user_view *was,
			 const struct user_view *is, int64_t now_ms, struct buf *out)
{
	char span[SPAN_WORDS_BYTES] = "";
	const char *name = is->username.data;
	bool is_spectator = is->role == ROLE_SPECTATOR;
	if (was == NULL || was->username.data == NULL) {
		(void)buf_printf(out, "%s %s.\n", name,
				 is->is_waiting ? "waits in the lobby"
				 : is_spectator ? "joined as a spectator"
						: "joined");
		return;
	}
	if (!slice_eq(was->username, is->username)) {
		(void)buf_printf(out, "%s is now called %s.\n", was->username.data, name);
	} else if (was->role != is->role) {
		(void)buf_printf(out, "%s %s.\n", name,
				 is_spectator ? "is a spectator now" : "is a voter now");
	}
	if (was->is_connected != is->is_connected) {
		narrate_absence(was, now_ms, span);
		(void)buf_printf(out, "%s is %s%s%s.\n", name, is->is_connected ? "back" : "away",
				 span[0] == '\0' ? "" : " after ", span);
	}
	if (was->is_waiting && !is->is_waiting) {
		(void)buf_printf(out, "%s was admitted.\n", name);
	}
	/* Hosts beside the host: that one has a sentence of its own. */
	if (was->is_host != is->is_host && !slice_eq(r->room.host_user_id, is->user_id)) {
		(void)buf_printf(out, "%s is %s.\n", name,
				 is->is_host ? "a co-host" : "not a host now");
	}
	if (is->is_changed && is->vote.data != NULL && was->vote.data != NULL &&
	    !slice_eq(was->vote, is->vote)) {
		(void)buf_printf(out, "%s has changed the vote to %s.\n", name, is->vote.data);
	}
}

static void narrate_vote(const struct replica *old, const struct replica *r,
			 const struct user_view *was, const struct user_view *is, struct buf *out)
{
	bool had_vote = was != NULL && was->has_vote;
	bool is_same_round = r->room.round == old->room.round;
	size_t voters = 0;
	size_t voted = 0;
	if (replica_hides_voters(r) || (replica_hides_voters(old) && r->room.is_revealed)) {
		return;
	}
	if (is->has_vote && (!had_vote || !is_same_round) && is->is_bot) {
		(void)buf_printf(out, "%s, a bot, has voted.\n", is->username.data);
	} else if (is->has_vote && (!had_vote || !is_same_round)) {
		replica_count_votes(r, &voters, &voted);
		(void)buf_printf(out, "%s has voted (%zu of %zu).\n", is->username.data, voted,
				 voters);
	} else if (had_vote && !is->has_vote && is_same_round &&
		   replica_left(r, is->user_id) == NULL) {
		(void)buf_printf(out, "%s's vote was cleared.\n", is->username.data);
	}
}

static void narrate_members(const struct narrate *n, const struct replica *r, struct buf *out)
{
	for (size_t i = 0; i < n->was.users.n; i++) {
		const struct user_view *was = replica_member_at(&n->was, i);
		if (was->username.data != NULL &&
		    rows_find_near(&r->users, was->user_id, i) == NULL) {
			(void)buf_printf(out, "%s left.\n", was->username.data);
		}
	}
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *is = replica_member_at(r, i);
		const struct user_view *was = rows_find_near(&n->was.users, is->user_id, i);
		if (is->username.data != NULL) {
			narrate_seat(r, was, is, n->now_ms, out);
			if (!n->tells_mine || !slice_eq(r->you.user_id, is->user_id)) {
				narrate_vote(&n->was, r, was, is, out);
			}
		} else if (was != NULL && was->username.data != NULL) {
			(void)buf_printf(out, "%s left.\n", was->username.data);
		}
	}
}

/* What only we are told: the card that the server has of us, and what goes with it. */
static void narrate_mine(const struct room_you *was, const struct replica *r, struct buf *out)
{
	const struct room_you *is = &r->you;
	bool is_new = was->vote.data == NULL;
	const char *sure = narrate_sure(is->confidence);
	if (is->is_host_again && !was->is_host_again) {
		(void)buf_printf(out, "You are host again.\n");
	}
	if (is->vote.data == NULL) {
		return;
	}
	if (is_new || !slice_eq(was->vote, is->vote)) {
		(void)buf_printf(out, "Your card is %s.\n", is->vote.data);
	}
	if (is->is_withdrawn && !r->room.is_revealed && (is_new || !was->is_withdrawn)) {
		(void)buf_printf(out, "Your card %s is not in the new deck. Vote again.\n",
				 is->vote.data);
	}
	if (is->comment.data != NULL && (is_new || narrate_differs(was->comment, is->comment))) {
		(void)buf_printf(out, "Your comment: %s\n", is->comment.data);
	}
	if (sure[0] != '\0' && (is_new || was->confidence != is->confidence)) {
		(void)buf_printf(out, "You voted with %s.\n", sure);
	}
}

/* ---- what is new: the round ---- */

/* What follows from votes, which come before it. */
static void narrate_reveal(const struct room_view *was, const struct room_view *is, const char *by,
			   struct buf *out)
{
	bool goes_on = is->phase == PHASE_VOTING && was->round == is->round;
	if (is->phase == PHASE_COUNTDOWN && was->phase != PHASE_COUNTDOWN) {
		(void)buf_printf(out, "Everyone has voted. Revealing in a moment.\n");
	} else if (was->phase == PHASE_COUNTDOWN && goes_on) {
		(void)buf_printf(out, "%sThe countdown has stopped.\n", by);
	}
	if (is->is_armed && !was->is_armed) {
		(void)buf_printf(out, "%sThe last vote reveals at once.\n", by);
	} else if (!is->is_armed && was->is_armed && goes_on) {
		(void)buf_printf(out, "The last vote does not reveal at once now.\n");
	}
	if (is->outcome.data != NULL && narrate_differs(was->outcome, is->outcome)) {
		(void)buf_printf(out, "%sSettled on %s.\n", by, is->outcome.data);
	}
}

static bool narrate_has_other_cards(const struct slices *was, const struct slices *is)
{
	size_t i = 0;
	while (i < was->n && i < is->n && slice_eq(was->items[i], is->items[i])) {
		i++;
	}
	return i < was->n || i < is->n;
}

/* "Ada: " in front of what was the deed of another member; "" where nobody knows whose, or it is known to have been ours. */
static void narrate_doer(const struct narrate *n, const struct replica *r,
			 char out[3 * MAX_NAME_BYTES + 3])
{
	const struct user_view *doer = replica_doer(r, n->was.version);
	bool is_known = doer != NULL && doer->username.data != NULL &&
			!(n->tells_mine && slice_eq(r->you.user_id, doer->user_id));
	(void)format_to(out, 3 * MAX_NAME_BYTES + 3, "%s%s", is_known ? doer->username.data : "",
			is_known ? ": " : "");
}

/* Who comes back as host is told so as what concerns them alone. */
static void narrate_host(const struct narrate *n, const struct replica *r, const char *by,
			 struct buf *out)
{
	const struct slice id = r->room.host_user_id;
	const struct user_view *host = rows_find(&r->users, id);
	bool is_again = id.data != NULL && slice_eq(n->was.room.host_kept_for, id);
	bool is_mine = n->tells_mine && host != NULL && replica_is_me(r, host);
	if (!narrate_differs(n->was.room.host_user_id, id) || (is_again && is_mine)) {
		return;
	}
	(void)buf_printf(out, "%s%s is host%s.\n", by,
			 id.data == NULL			       ? "Nobody"
			 : host == NULL || host->username.data == NULL ? "someone"
								       : host->username.data,
			 is_again ? " again" : "");
}

static void narrate_changes(const struct narrate *n, const struct replica *r, struct buf *out)
{
	char by[3 * MAX_NAME_BYTES + 3];
	const struct room_view *was = &n->was.room;
	const struct room_view *is = &r->room;
	bool is_same_round = was->round == is->round;
	narrate_doer(n, r, by);
	if (narrate_differs(was->link_template, is->link_template)) {
		(void)buf_printf(out,
				 is->link_template.data == NULL
					 ? "%sStories have no links of their own now.\n"
					 : "%sStory links are now: %s\n",
				 by, is->link_template.data);
	}
	if (narrate_differs(was->title, is->title)) {
		(void)buf_printf(out,
				 is->title.data == NULL ? "%sThe room has no title now.\n"
							: "%sThe room is called %s.\n",
				 by, is->title.data);
	}
	if (narrate_has_other_cards(&was->valid_sizes, &is->valid_sizes)) {
		(void)buf_printf(out, "%s", by);
		narrate_cards(r, "The cards are now ", out);
	}
	if (!is_same_round) {
		(void)buf_printf(out,
				 is->round > was->round ? "%sRound %lld started.\n"
							: "%sRound %lld was restored.\n",
				 by, (long long)is->round);
	}
	narrate_policy(&was->policy, &is->policy, by, out);
	narrate_stories(&n->was, r, out);
	if (narrate_differs(was->story_id, is->story_id) || !is_same_round) {
		narrate_target(r, out);
	}
	if (was->timer.ends_at != is->timer.ends_at && is->timer.ends_at != 0) {
		narrate_timer(r, by, out);
	} else if (was->timer.ends_at != is->timer.ends_at) {
		(void)buf_printf(out, "%sThe timer has ended.\n", by);
	}
	if (was->pause_ends_at != is->pause_ends_at && is->pause_ends_at != 0) {
		narrate_until(by, "There is a break", is->pause_ends_at, "", out);
	} else if (was->pause_ends_at != is->pause_ends_at) {
		(void)buf_printf(out, "%sThe break is over.\n", by);
	}
	narrate_members(n, r, out);
	if (replica_hides_voters(r) && r->votes_n != (is_same_round ? n->was.votes_n : 0)) {
		narrate_votes_n(r, out);
	}
	narrate_open_votes(&n->was, r, by, n->tells_mine, out);
	if (n->tells_mine) {
		narrate_mine(&n->was.you, r, out);
		narrate_own_open_votes(&n->was, r, false, out);
	}
	narrate_reveal(was, is, by, out);
	narrate_host(n, r, by, out);
	if (is->is_revealed && (!was->is_revealed || !is_same_round)) {
		narrate_result(r, out);
	} else if (!is->is_revealed && was->is_revealed && is_same_round &&
		   !narrate_differs(was->story_id, is->story_id)) {
		(void)buf_printf(out, "%sThe cards are hidden again.\n", by);
	}
}

void narrate_update(struct narrate *n, const struct replica *r, struct buf *out)
{
	if (n->has_begun) {
		narrate_changes(n, r, out);
	} else {
		narrate_room(r, n->now_ms, out);
		if (n->tells_mine) {
			narrate_mine(&n->was.you, r, out);
			narrate_own_open_votes(&n->was, r, true, out);
		}
	}
	replica_finish(&n->was);
	replica_copy(&n->was, r);
	n->has_begun = true;
}

void narrate_expiring(int64_t left_ms, struct buf *out)
{
	int64_t left_s = (left_ms + 999) / 1000;
	int64_t minutes = (left_s + 30) / 60;
	if (left_ms < 0) {
		(void)buf_printf(out, "The room is deleted soon if unused.\n");
	} else if (left_s < 55) {
		(void)buf_printf(out, "The room is deleted in %lld s if unused.\n",
				 (long long)left_s);
	} else {
		(void)buf_printf(out, "The room is deleted in %lld minute%s if unused.\n",
				 (long long)minutes, minutes == 1 ? "" : "s");
	}
}

void narrate_news(struct narrate *n, const struct membership *a, unsigned news, struct buf *out)
{
	if (a->room.you.is_waiting != n->was_waiting) {
		n->was_waiting = a->room.you.is_waiting;
		(void)buf_printf(out, n->was_waiting
					      ? "You are in the lobby; a host must admit you.\n"
					      : "You were admitted.\n");
	}
	if ((news & MEMBERSHIP_NEWS_STALE) != 0) {
		(void)buf_printf(out, "The next round has started: vote again.\n");
	}
	if ((news & MEMBERSHIP_NEWS_NUDGED) != 0) {
		(void)buf_printf(out, "%s asks you to vote.\n",
				 a->nudged_by[0] == '\0' ? "Someone" : a->nudged_by);
	}
	if ((news & MEMBERSHIP_NEWS_REACTION) != 0) {
		const struct user_view *m = replica_member(&a->room, a->reaction_user_id);
		(void)buf_printf(out, "%s: %s\n",
				 m == NULL || m->username.data == NULL ? "Someone"
								       : m->username.data,
				 a->reaction_word);
	}
	if ((news & MEMBERSHIP_NEWS_EXPIRING) != 0) {
		narrate_expiring(a->expires_in_ms, out);
	}
	if ((news & MEMBERSHIP_NEWS_ROOM) != 0 && a->room.has_state) {
		narrate_update(n, &a->room, out);
	}
}
