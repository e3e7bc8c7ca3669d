/*
 * news.c - what others did to us or to the room, in a line each.
 *
 * An update says what has changed, and, where it was a member's deed, by whom. Where it does not, and only
 * hosts may do it and there was one of them, it was that one; else no name is said.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/acts/story_words.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/records/policy.h"

/* As long as what we asked for may take to come back; what comes later was done by others. */
enum { NEWS_MINE_MS = 5000 };

static uint64_t news_deck(const struct replica *room)
{
	uint64_t key = 0;
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		key = key * 31 + list_key(replica_card(room, i));
	}
	return key;
}

static void news_take_hosts(struct news *n, const struct replica *room)
{
	n->hosts = 0;
	n->host[0] = '\0';
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->is_host && m->is_connected) {
			(void)format_to(n->host, sizeof(n->host), "%s",
					replica_is_me(room, m) || m->username.data == NULL
						? ""
						: m->username.data);
			n->hosts++;
		}
	}
	if (n->hosts != 1) {
		n->host[0] = '\0';
	}
}

static void news_take_lead(struct news *n, const struct replica *room)
{
	const struct slice id = room->room.host_user_id;
	const char *kept_for = room->room.host_kept_for.data;
	(void)format_to(n->kept_for, sizeof(n->kept_for), "%s", kept_for == NULL ? "" : kept_for);
	const struct user_view *m = id.data == NULL ? NULL : replica_member(room, id.data);
	bool has_name = m != NULL && m->username.data != NULL;
	(void)format_to(n->lead, sizeof(n->lead), "%s", has_name ? id.data : "");
	(void)format_to(n->lead_name, sizeof(n->lead_name), "%s",
			has_name ? replica_name_of(room, m) : "");
}

static void news_take_missing(struct news *n, const struct replica *room)
{
	size_t missing = 0;
	n->missing[0] = '\0';
	for (size_t i = 0; i < room->users.n && !replica_hides_voters(room); i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (replica_is_counted(room, m) && !replica_has_vote(room, m)) {
			(void)format_to(n->missing, sizeof(n->missing), "%s",
					missing == 0 ? m->user_id.data : "");
			missing++;
		}
	}
}

/* Since when they are away, of those who are. */
static const struct news_away *news_find_away(const struct news *n, const char *user_id)
{
	for (size_t i = 0; i < n->away_n; i++) {
		if (strcmp(n->away[i].user_id, user_id) == 0) {
			return &n->away[i];
		}
	}
	return NULL;
}

static void news_take_away(struct tui *t, const struct replica *room)
{
	struct news *n = &t->news;
	const struct news was = *n;
	n->away_n = 0;
	for (size_t i = 0; i < room->users.n && n->away_n < NEWS_AWAY_MAX; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!replica_is_voter(m) || m->is_connected || m->has_vote) {
			continue;
		}
		const struct news_away *known = news_find_away(&was, m->user_id.data);
		struct news_away *away = &n->away[n->away_n++];
		(void)format_to(away->user_id, sizeof(away->user_id), "%s", m->user_id.data);
		away->since_ms = known != NULL ? known->since_ms : was.has_seen ? t->now_ms : 0;
	}
}

int64_t news_waits_until(const struct tui *t, const struct replica *room, const struct user_view *m)
{
	const struct news_away *away = news_find_away(&t->news, m->user_id.data);
	bool waits = away != NULL && away->since_ms != 0 && !room->room.is_revealed &&
		     room->room.phase == PHASE_VOTING &&
		     (room->room.policy.auto_reveal || room->room.is_armed);
	int64_t until = waits ? away->since_ms + limit_rows[LIMIT_VOTE_GRACE_MS].value : 0;
	return until > t->now_ms ? until : 0;
}

/* ---- what is new ---- */

/* "Ada" where it was their deed as far as can be known, else "". */
static const char *news_by(const struct news *was, enum right right)
{
	struct standing member = {.has_name = true, .policy = was->policy};
	const char *why;
	if (was->doer[0] != '\0') {
		return was->doer;
	}
	return right_refusal(right, &member, &why) != FAULT_NONE ? was->host : "";
}

static bool news_is_mine(const struct tui *t, enum method a, enum method b)
{
	const struct news *n = &t->news;
	return (n->mine == a || n->mine == b) && t->now_ms - n->mine_ms < NEWS_MINE_MS;
}

/* "Ada stopped the countdown", or "The countdown was stopped". */
static void news_say(struct tui *t, const char *by, const char *deed, const char *alone)
{
	if (by[0] != '\0') {
		said_moment(t, "%s %s", by, deed);
	} else {
		said_moment(t, "%s", alone);
	}
}

/* Who leads in whose place. Returns false if nothing was told. */
static bool news_of_lead(struct tui *t, const struct news *was, const struct replica *room)
{
	const struct user_view *led = replica_member(room, was->lead);
	const struct user_view *leads = replica_member(room, t->news.lead);
	if (strcmp(was->lead, t->news.lead) == 0 || was->lead[0] == '\0' || leads == NULL) {
		return false;
	}
	bool is_me = replica_is_me(room, leads);
	if (strcmp(was->kept_for, t->news.lead) == 0) {
		if (!is_me) {
			said_moment(t, "%s is back, and host", replica_name_of(room, leads));
		}
		return true; /* we are told as soon as the server says so of our seat */
	}
	bool has_left = led == NULL || led->username.data == NULL;
	if (has_left || !led->is_connected) {
		said_moment(t, "%s %s; %s %s host now", was->lead_name,
			    has_left ? "left" : "is away",
			    is_me ? "you" : replica_name_of(room, leads), is_me ? "are" : "is");
		return true;
	}
	if (is_me || was->is_host != room->you.is_host ||
	    news_is_mine(t, METHOD_ROOM_SET_HOST, METHOD_ROOM_SET_HOST)) {
		return false;
	}
	said_moment(t, "%s is host now", replica_name_of(room, leads));
	return true;
}

static void news_of_host(struct tui *t, const struct news *was, const struct replica *room)
{
	if (news_of_lead(t, was, room) || was->is_host == room->you.is_host ||
	    news_is_mine(t, METHOD_ROOM_CLAIM_HOST, METHOD_ROOM_UNSET_HOST)) {
		return;
	}
	if (room->you.is_host) {
		news_say(t, news_by(was, RIGHT_LEAD), "made you a host", "You are a host now");
	} else {
		news_say(t, was->doer, "removed you as host", "You are not a host now");
	}
}

static void news_of_round(struct tui *t, const struct news *was, const struct replica *room,
			  size_t votes)
{
	const struct room_view *is = &room->room;
	bool is_same_story =
		strcmp(was->story_id, is->story_id.data == NULL ? "" : is->story_id.data) == 0;
	if (was->round == is->round && was->is_countdown && is->phase == PHASE_VOTING &&
	    votes >= was->votes && !news_is_mine(t, METHOD_REVEAL_CANCEL, METHOD_REVEAL_CANCEL)) {
		news_say(t, news_by(was, RIGHT_REVEAL), "stopped the countdown",
			 "The countdown was stopped");
	}
	const struct user_view *waited_for = replica_member(room, was->missing);
	bool goes_on = was->round == is->round && !was->is_countdown && !was->is_revealed;
	if (goes_on && is->phase != PHASE_VOTING && waited_for != NULL &&
	    waited_for->role == ROLE_SPECTATOR && !replica_is_me(room, waited_for)) {
		said_moment(t, "All others voted; %s is a spectator",
			    replica_name_of(room, waited_for));
	}
	if (was->round == is->round && was->is_revealed && !is->is_revealed && is_same_story &&
	    !news_is_mine(t, METHOD_ROOM_SET_REVEALED, METHOD_ROOM_SET_REVEALED)) {
		news_say(t, news_by(was, RIGHT_REVEAL), "hid the cards", "The cards were hidden");
	}
	if (is->round > was->round && is_same_story && !was->is_revealed && was->votes > 0 &&
	    !news_is_mine(t, METHOD_ROOM_RESET, METHOD_STORY_SELECT)) {
		news_say(t, news_by(was, RIGHT_RESET), "cleared all votes",
			 "All votes were cleared");
	}
	if (is->round < was->round &&
	    !news_is_mine(t, METHOD_ROUND_UNDO_RESET, METHOD_ROUND_UNDO_RESET)) {
		news_say(t, news_by(was, RIGHT_RESET), "undid the reset", "The reset was undone");
	}
}

static void news_of_rule(struct tui *t, const char *by, bool was, bool is, const char *on,
			 const char *off)
{
	const char *line = is ? on : off;
	int len = (int)strlen(line) - 1; /* without its full stop */
	if (was != is) {
		said_moment(t, "%s%s%.*s", by, by[0] == '\0' ? "" : ": ", len, line);
	}
}

static void news_of_room(struct tui *t, const struct news *was, const struct replica *room)
{
	const char *title = room->room.title.data == NULL ? "" : room->room.title.data;
	const char *by = news_by(was, RIGHT_LEAD);
	struct policy is;
	policy_from_view(&room->room.policy, &is);
	if (!news_is_mine(t, METHOD_ROOM_SET_POLICY, METHOD_ROOM_SET_POLICY)) {
#define NEWS_FLAG(F, field, flag, is_default, help, label, on, off) \
	news_of_rule(t, by, was->policy.flag, is.flag, on, off);
		POLICY_FLAGS(NEWS_FLAG, _)
#undef NEWS_FLAG
	}
	if (strcmp(was->title, title) != 0 &&
	    !news_is_mine(t, METHOD_ROOM_SET_TITLE, METHOD_ROOM_SET_TITLE)) {
		said_moment(t, title[0] == '\0' ? "%s%sno title now" : "%s%sthe room is called %s",
			    by, by[0] == '\0' ? "" : ": ", title);
	}
	if (was->deck != news_deck(room) &&
	    !news_is_mine(t, METHOD_ROOM_SET_VALID_SIZES, METHOD_ROOM_SET_VALID_SIZES)) {
		news_say(t, by, "changed the deck", "The deck was changed");
	}
}

static int64_t news_last_reveal(const struct replica *room)
{
	int64_t last = 0;
	for (size_t i = 0; i < room->story_votes.n; i++) {
		const struct story_votes *votes = room->story_votes.items[i];
		last = votes->revealed_at > last ? votes->revealed_at : last;
	}
	return last;
}

/* Of the stories that are not at the table, or under the eyes in the list: one by name, of several only how many. */
static void news_of_stories(struct tui *t, const struct news *was, const struct replica *room)
{
	struct buf words = {.max = TUI_MESSAGE_BYTES_MAX};
	struct story_name name;
	const struct story_view *one = NULL;
	const struct story_view *seen = tui_is_in(t, IN_STORIES) ? stories_focus(t, room) : NULL;
	size_t n = 0;
	for (size_t i = 0; i < room->stories.n; i++) {
		const struct story_view *s = replica_story_at(room, i);
		const struct story_votes *votes = replica_story_votes(room, s);
		if (votes != NULL && votes->revealed_at > was->story_revealed_at && s != seen) {
			one = s;
			n++;
		}
	}
	if (n == 0 || news_is_mine(t, METHOD_ROOM_SET_REVEALED, METHOD_ROOM_SET_REVEALED)) {
		return;
	}
	if (n == 1) {
		story_votes_summary(room, replica_story_votes(room, one), &words);
		said_moment(t, "%s revealed: %.*s", story_short(one, &name), (int)words.len,
			    words.len == 0 ? "" : words.data);
	} else {
		said_moment(t, "%zu stories revealed", n);
	}
	buf_finish(&words);
}

void news_follow(struct tui *t, const struct replica *room)
{
	struct news was = t->news;
	struct news *n = &t->news;
	const struct user_view *doer = replica_doer(room, was.version);
	size_t voters = 0;
	size_t votes = 0;
	if (!room->has_state || t->link != LINK_LIVE) {
		n->has_seen = false; /* what happens meanwhile is no news when we are back */
		return;
	}
	replica_count_votes(room, &voters, &votes);
	/* Also as the first thing there is: the place came with the connection. */
	if (room->you.is_host_again && !was.is_host_again) {
		said_moment(t, "You are host again");
	}
	n->is_host_again = room->you.is_host_again;
	news_take_away(t, room);
	news_take_lead(n, room);
	(void)format_to(was.doer, sizeof(was.doer), "%s",
			doer == NULL || doer->username.data == NULL ? "" : doer->username.data);
	bool is_ours = doer != NULL && replica_is_me(room, doer);
	if (was.has_seen && was.epoch == room->epoch && !is_ours) {
		news_of_host(t, &was, room);
		news_of_round(t, &was, room, votes);
		news_of_room(t, &was, room);
	}
	/* Also what our own vote revealed, as the last that was needed. */
	if (was.has_seen && was.epoch == room->epoch &&
	    strcmp(was.story_id,
		   room->room.story_id.data == NULL ? "" : room->room.story_id.data) == 0) {
		news_of_stories(t, &was, room);
	}
	/* Votes go when their story is settled: those of other stories are no news again. */
	int64_t revealed_at = news_last_reveal(room);
	bool is_later =
		!was.has_seen || was.epoch != room->epoch || revealed_at > n->story_revealed_at;
	n->story_revealed_at = is_later ? revealed_at : n->story_revealed_at;
	n->has_seen = true;
	n->epoch = room->epoch;
	n->version = room->version;
	n->round = room->room.round;
	(void)format_to(n->story_id, sizeof(n->story_id), "%s",
			room->room.story_id.data == NULL ? "" : room->room.story_id.data);
	n->is_countdown = room->room.phase == PHASE_COUNTDOWN;
	n->is_revealed = room->room.is_revealed;
	n->is_host = room->you.is_host;
	n->votes = votes;
	news_take_missing(n, room);
	n->deck = news_deck(room);
	policy_from_view(&room->room.policy, &n->policy);
	(void)format_to(n->title, sizeof(n->title), "%s",
			room->room.title.data == NULL ? "" : room->room.title.data);
	news_take_hosts(n, room);
}
