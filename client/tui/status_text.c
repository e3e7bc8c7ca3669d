/*
 * status_text.c - answers to questions about the room; see status_text.h.
 */
#include "client/tui/status_text.h"

#include <string.h>

#include "client/acts/narrate.h"
#include "client/acts/narrate_result.h"
#include "client/acts/story_words.h"
#include "client/model/room/story_find.h"
#include "client/tui/tui_state.h"
#include "client/tui/views/views.h"
#include "proto/text/decimal.h"

const struct status_row telling_rows[STATUS_COUNT] = {
#define STATUS_ROW(symbol, command, takes, help) [STATUS_##symbol] = {command, takes, help},
	STATUSS(STATUS_ROW)
#undef STATUS_ROW
};

enum status status_of(struct slice word)
{
	enum status what = 0;
	while (what < STATUS_COUNT && !slice_eq(word, slice_str(telling_rows[what].command))) {
		what++;
	}
	return what;
}

/* ---- people ---- */

static const char *status_text_vote_of(const struct replica *room, const struct user_view *m)
{
	if (m->is_waiting) {
		return "waits in the lobby";
	}
	if (m->role == ROLE_SPECTATOR) {
		return "spectator";
	}
	if (m->vote.data != NULL) {
		return m->vote.data;
	}
	if (replica_has_vote(room, m)) {
		return "has voted";
	}
	if (replica_hides_voters(room) && !replica_is_me(room, m)) {
		return "votes";
	}
	return room->room.is_revealed ? "no vote" : "no vote yet";
}

static void status_text_who(const struct replica *room, int64_t now_ms, struct buf *out)
{
	char away[AWAY_BYTES];
	size_t nameless = 0;
	size_t absent = replica_count_absent(room);
	bool names_all = absent <= REPLICA_ABSENT_NAMED;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data == NULL) {
			nameless += m->is_connected; /* else it has left */
			continue;
		}
		if (!names_all && replica_is_absent(room, m)) {
			continue;
		}
		(void)buf_printf(out, "%s%s", m->username.data,
				 replica_is_me(room, m) ? ", you" : "");
		narrate_standing(room, m, out);
		(void)buf_printf(out, "%s%s%s: %s.\n", m->is_bot ? ", a bot" : "",
				 m->is_connected ? "" : ", ",
				 m->is_connected ? "" : narrate_away(m, now_ms, away),
				 status_text_vote_of(room, m));
	}
	if (nameless > 0) {
		(void)buf_printf(out, "%zu more spectator%s without a name.\n", nameless,
				 nameless == 1 ? "" : "s");
	}
	if (!names_all) {
		(void)buf_printf(out, "%zu more are away.\n", absent);
	}
}

/* Names of those who fit, with commas; returns how many. */
static size_t status_text_names(const struct replica *room, const char *label,
				bool (*fits)(const struct replica *room, const struct user_view *m),
				struct buf *out)
{
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data != NULL && fits(room, m)) {
			(void)buf_printf(out, "%s%s", n == 0 ? label : ", ",
					 replica_name_of(room, m));
			n++;
		}
	}
	if (n > 0) {
		(void)buf_printf(out, ".\n");
	}
	return n;
}

static bool status_text_is_waiting(const struct replica *room, const struct user_view *m)
{
	(void)room;
	return m->is_waiting;
}

/* ---- the round ---- */

static void status_text_mine(const struct replica *room, struct buf *out)
{
	if (room->you.username.data == NULL) {
		(void)buf_printf(out, "No name yet. Type name and your name.\n");
	} else if (room->you.role == ROLE_SPECTATOR) {
		(void)buf_printf(out, "You are a spectator.\n");
	} else if (room->you.vote.data == NULL) {
		(void)buf_printf(out, "You have not voted yet.\n");
	} else {
		const char *sure = narrate_sure(room->you.confidence);
		(void)buf_printf(out, "Your card is %s%s%s.\n", room->you.vote.data,
				 sure[0] != '\0' ? ", " : "", sure);
	}
	if (room->you.vote.data != NULL && room->you.is_withdrawn) {
		(void)buf_printf(out, "The deck does not have that card now%s.\n",
				 room->room.is_revealed ? "" : ": choose again");
	}
	if (room->you.vote.data != NULL && room->you.comment.data != NULL) {
		(void)buf_printf(out, "Your comment: %s\n", room->you.comment.data);
	}
	if (room->you.username.data != NULL && room->you.role == ROLE_VOTER) {
		stories_progress(room, out);
	}
}

static const char *status_text_phase(const struct replica *room)
{
	switch (room->room.phase) {
	case PHASE_VOTING:
		return "the cards are hidden";
	case PHASE_COUNTDOWN:
		return "the cards are revealed in a moment";
	case PHASE_REVEALED:
		return "the cards are revealed";
	}
	return "";
}

/* Nothing is at the table: how many have how many of the stories that are open together. */
static void status_text_open(const struct replica *room, struct buf *out)
{
	size_t open;
	size_t voted;
	replica_count_open(room, &open, &voted);
	(void)buf_printf(out, "%zu %s open together", open, open == 1 ? "story is" : "stories are");
	if (room->room.policy.quorum > 0) {
		(void)buf_printf(out, "; each is revealed with %lld votes",
				 (long long)room->room.policy.quorum);
	}
	(void)buf_printf(out, ".\n");
	if (!room->room.policy.hide_who_voted) {
		(void)buf_printf(out, "Votes: ");
		story_voters_line(room, out);
		(void)buf_printf(out, ".\n");
	}
	(void)status_text_names(room, "In the lobby: ", status_text_is_waiting, out);
	if (room->you.username.data == NULL || room->you.role == ROLE_SPECTATOR) {
		status_text_mine(room, out);
	} else {
		stories_progress(room, out);
	}
}

static void status_text_status(const struct replica *room, struct buf *out)
{
	size_t voters = 0;
	size_t voted = 0;
	replica_count_votes(room, &voters, &voted);
	(void)buf_printf(out, "Room %s%s%s\n", room->room_id,
			 room->room.title.data == NULL ? "" : ": ",
			 room->room.title.data == NULL ? "" : room->room.title.data);
	if (room_status_is_elsewhere(room)) {
		status_text_open(room, out);
		return;
	}
	(void)buf_printf(out, "Round %lld, %s; %zu of %zu have voted.\n",
			 (long long)room->room.round, status_text_phase(room), voted, voters);
	if (room->room.policy.quorum > (int64_t)voted && !room->room.is_revealed) {
		(void)buf_printf(out, "%lld votes are needed.\n",
				 (long long)room->room.policy.quorum);
	}
	const struct story_view *s = replica_story(room, room->room.story_id.data);
	if (s != NULL) {
		struct story_name name;
		(void)buf_printf(out, "Voting on: %s\n", story_name(s, &name));
	}
	if (room->room.outcome.data != NULL) {
		(void)buf_printf(out, "Settled on %s.\n", room->room.outcome.data);
	}
	if (!room->room.is_revealed && !replica_hides_voters(room)) {
		(void)status_text_names(room, "Waiting for ", replica_is_missing, out);
	}
	(void)status_text_names(room, "In the lobby: ", status_text_is_waiting, out);
	status_text_mine(room, out);
}

static void status_text_hand(const struct replica *room, struct buf *out)
{
	bool has_question = false;
	(void)buf_printf(out, "Cards:");
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		(void)buf_printf(out, " %s", replica_card(room, i));
		has_question = has_question || strcmp(replica_card(room, i), "?") == 0;
	}
	(void)buf_printf(out, "\n%s",
			 has_question ? "For the card ? type vote ?, as ? alone shows the help.\n"
				      : "");
	status_text_mine(room, out);
}

static void status_text_result(const struct replica *room, struct buf *out)
{
	size_t voters = 0;
	size_t voted = 0;
	if (!room->room.is_revealed) {
		replica_count_votes(room, &voters, &voted);
		(void)buf_printf(out, "The cards are hidden; %zu of %zu have voted.\n", voted,
				 voters);
	} else {
		narrate_result(room, out);
	}
	if (room->room.is_revealed && room->room.outcome.data != NULL) {
		(void)buf_printf(out, "Settled on %s.\n", room->room.outcome.data);
	}
}

static void status_text_time(const struct replica *room, int64_t now_ms, struct buf *out)
{
	char text[24];
	if (now_ms == 0) {
		(void)buf_printf(out, "The server's time is not known yet.\n");
		return;
	}
	if (room->room.timer.ends_at > now_ms) {
		timing_text(timing_left(now_ms, room->room.timer.ends_at), text, sizeof(text));
		(void)buf_printf(out, "Timer: %s left%s.\n", text,
				 room->room.timer.reveal_at_zero ? ", then reveal" : "");
	} else {
		(void)buf_printf(out, "No timer.\n");
	}
	if (room->room.pause_ends_at > now_ms) {
		timing_text(timing_left(now_ms, room->room.pause_ends_at), text, sizeof(text));
		(void)buf_printf(out, "Break: %s left.\n", text);
	}
	if (room->room.countdown.ends_at > now_ms) {
		timing_text(timing_left(now_ms, room->room.countdown.ends_at), text, sizeof(text));
		(void)buf_printf(out, "Revealing in %s.\n", text);
	}
	if (room->room.started_at > 0 && room->room.started_at <= now_ms) {
		timing_text((now_ms - room->room.started_at) / 1000, text, sizeof(text));
		(void)buf_printf(out, "This round has taken %s so far.\n", text);
	}
}

/* ---- stories ---- */

static void status_text_story_state(const struct replica *room, const struct story_view *s,
				    struct buf *out)
{
	if (s->estimate.data != NULL) {
		(void)buf_printf(out, ", estimate %s", s->estimate.data);
	}
	const struct story_votes *votes = replica_story_votes(room, s);
	const struct own_vote *mine = replica_own_story_vote(room, s);
	if (replica_is_open(room, s)) {
		(void)buf_printf(out, ", ");
		if (votes == NULL) {
			(void)buf_printf(out, "no votes yet");
		} else {
			story_votes_summary(room, votes, out);
		}
		if (mine != NULL) {
			(void)buf_printf(out, ", you %s", mine->vote.data);
		}
	} else if (replica_is_current(room, s)) {
		(void)buf_printf(out, ", voted on now");
	} else if (s->status == STORY_SKIPPED) {
		(void)buf_printf(out, ", skipped");
	} else if (s->status == STORY_DONE && s->estimate.data == NULL) {
		(void)buf_printf(out, ", done");
	}
}

void status_text_stories(const struct replica *room, struct buf *out)
{
	if (room->stories.n == 0) {
		(void)buf_printf(out, "No stories yet. Type add and a title.\n");
	}
	for (size_t i = 0; i < room->stories.n; i++) {
		struct story_name name;
		(void)buf_printf(out, "%zu", i + 1);
		status_text_story_state(room, replica_story_at(room, i), out);
		(void)buf_printf(out, ": %s\n", story_name(replica_story_at(room, i), &name));
	}
}

/* Lines of a description, each told as one. */
static void status_text_description(const char *text, struct buf *out)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		if (len > 0) {
			(void)buf_printf(out, "Description: %.*s\n", (int)len, text);
		}
		text += len + (text[len] == '\n' ? 1 : 0);
	}
}

static void status_text_one_story(const struct replica *room, size_t at, struct buf *out)
{
	const struct story_view *s = replica_story_at(room, at);
	struct story_name name;
	(void)buf_printf(out, "Story %zu of %zu", at + 1, room->stories.n);
	status_text_story_state(room, s, out);
	if (replica_is_current(room, s) && room->room.story_round > 1) {
		char vote[STORY_VOTE_CHARS + 1];
		(void)buf_printf(out, ", %s", story_vote(room->room.story_round, vote));
	}
	(void)buf_printf(out, ": %s\n", story_name(s, &name));
	const struct story_votes *votes = replica_story_votes(room, s);
	if (replica_is_open(room, s) && votes != NULL) {
		story_votes_lines(room, votes, out);
	}
	struct story_link link;
	if (story_link(room, s, &link)[0] != '\0') {
		(void)buf_printf(out, "Link: %s\n", link.text);
	}
	if (s->description.data != NULL) {
		status_text_description(s->description.data, out);
	}
}

static void status_text_story(const struct replica *room, const char *arg, struct buf *out)
{
	struct story_found found = {.one = replica_story(room, room->room.story_id.data)};
	char why[STORY_FOUND_TEXT_MAX];
	if (arg[0] != '\0') {
		story_find(room, arg, false, &found);
	}
	size_t place = found.one == NULL ? 0 : story_place(room, found.one);
	if (place > 0) {
		status_text_one_story(room, place - 1, out);
	} else if (arg[0] != '\0') {
		story_found_text(room, &found, arg, why, sizeof(why));
		(void)buf_printf(out, "%s.\n", why);
	} else {
		(void)buf_printf(out, "Voting without a story.\n");
	}
}

/* ---- rules and history ---- */

void status_text_rules(const struct replica *room, struct buf *out)
{
	for (size_t i = 0; i < RULES_N; i++) {
		(void)buf_printf(out, "%s %s: %s.\n", rules[i].field,
				 rule_word(&rules[i], rule_value(&room->room.policy, &rules[i])),
				 rules[i].label);
	}
	(void)buf_printf(out, "passcode %s: Passcode for newcomers.\n",
			 room->room.policy.has_passcode ? "set" : "none");
	if (action_is_allowed(ACTION_SWITCH, room)) {
		(void)buf_printf(out, "To change one type rule, its name and value: rule %s %s.\n",
				 rules[RULES_N - 1].field, "on");
	}
}

/* ---- settings ---- */

void status_text_settings(const struct settings *settings, struct buf *out)
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const struct setting_row *row = &setting_rows[i];
		(void)buf_printf(out, "%s %s, of", row->name,
				 settings_word(settings, (enum setting)i));
		for (size_t c = 0; row->choices[c] != NULL; c++) {
			(void)buf_printf(out, "%s %s", c > 0 ? "," : "", row->choices[c]);
		}
		(void)buf_printf(out, ": %s.\n", row->help);
	}
	(void)buf_printf(out, "To change one type set, its name and value: set motion off. "
			      "set --save keeps them.\n");
}

static void status_text_round(const struct round_view *r, struct buf *out)
{
	struct story_name name;
	(void)buf_printf(out, "Round %lld", (long long)r->n);
	if (r->outcome.data != NULL) {
		(void)buf_printf(out, ", settled on %s", r->outcome.data);
	}
	(void)buf_printf(out, ", ");
	for (size_t i = 0; i < r->votes_n; i++) {
		const struct round_vote *v = &r->votes[i];
		(void)buf_printf(out, "%s%s%s%s", i == 0 ? "" : ", ",
				 v->username.data == NULL ? "" : v->username.data,
				 v->username.data == NULL ? "" : " ", v->vote.data);
	}
	(void)buf_printf(out, "%s: %s\n", r->votes_n == 0 ? "nobody voted" : "",
			 r->story.data == NULL ? "a quick vote" : story_name_of_round(r, &name));
}

void status_text_history(const struct round_history *rounds, struct buf *out)
{
	if (rounds == NULL) {
		return;
	}
	for (size_t i = 0; i < rounds->n; i++) {
		status_text_round(rounds->items[i], out);
	}
	if (rounds->n == 0) {
		(void)buf_printf(out, "No rounds revealed yet.\n");
	} else if (rounds->cursor != NULL) {
		(void)buf_printf(out, "For older ones, use aye export.\n");
	}
}

/* ---- asking ---- */

void status_text_tell(enum status what, const struct replica *room, const char *arg, int64_t now_ms,
		      struct buf *out)
{
	if (!room->has_state) {
		char why[TUI_MESSAGE_BYTES_MAX];
		const struct asking asking = {.is_typed = true, .now_ms = now_ms};
		(void)action_refusal(ACTION_STORIES, room, &asking, why, sizeof(why));
		(void)buf_printf(out, "%s.\n", why);
		return;
	}
	switch (what) {
	case STATUS_STATUS:
		status_text_status(room, out);
		break;
	case STATUS_WHO:
		status_text_who(room, now_ms, out);
		break;
	case STATUS_HAND:
		status_text_hand(room, out);
		break;
	case STATUS_STORY:
		status_text_story(room, arg, out);
		break;
	case STATUS_RESULT:
		status_text_result(room, out);
		break;
	case STATUS_TIME:
		status_text_time(room, now_ms, out);
		break;
	case STATUS_COUNT:
		break;
	}
}

void status_text_place(const struct replica *room, struct buf *out)
{
	size_t voters = 0;
	size_t voted = 0;
	if (room->you.is_waiting) {
		(void)buf_printf(out, "%s, in the lobby",
				 room->you.username.data == NULL ? "no name yet"
								 : room->you.username.data);
		return;
	}
	(void)buf_printf(out, "%s",
			 room->you.username.data == NULL ? "no name yet" : room->you.username.data);
	if (room->room.is_revealed) {
		(void)buf_printf(out, ", revealed");
		return;
	}
	if (room_status_is_elsewhere(room)) {
		replica_count_open(room, &voters, &voted);
		(void)buf_printf(out, ", voted on %zu of %zu", voted, voters);
		return;
	}
	replica_count_votes(room, &voters, &voted);
	(void)buf_printf(out, ", %zu of %zu voted", voted, voters);
	if (room->you.username.data == NULL || room->you.role == ROLE_SPECTATOR) {
		return;
	}
	if (room->you.vote.data == NULL) {
		(void)buf_printf(out, ", not voted yet");
	} else {
		(void)buf_printf(out, ", card %s", room->you.vote.data);
	}
}
