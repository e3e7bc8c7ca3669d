/*
 * notification_rules.c - when somebody is called who may be looking elsewhere.
 *
 * `notify mine`: a nudge, from another room as well; a question for us; ours is the last vote the others wait for; somebody
 * waits in the lobby of a room we host. `notify all`: besides, while the window
 * is known to be without the focus, the cards were turned over, or the timer
 * ran out. `notify off`: nothing. What a vote or a secret is never is part of it.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/text/text.h"

/* So long one may look at the cards before being called to choose one; no time at all elsewhere. */
enum { NOTICE_CHOOSING_MS = 8000, NOTICE_TITLE_CELLS = 24 };

static void notice_say(struct tui *t, enum notify_choice least, const char *text)
{
	if (t->settings.value[SETTING_NOTIFY] >= least) {
		(void)format_to(t->calls.text, sizeof(t->calls.text), "%s", text);
	}
}

static void notice_say_elsewhere(struct tui *t, const char *text)
{
	if (t->calls.focus == FOCUS_AWAY) {
		notice_say(t, NOTIFY_ALL, text);
	}
}

void notice_of_nudge(struct tui *t)
{
	notice_say(t, NOTIFY_MINE, t->said.nudge);
	t->calls.has_called = true;
}

void notice_of_nudge_elsewhere(struct tui *t, const char *text)
{
	notice_say(t, NOTIFY_MINE, text);
}

void notice_of_question(struct tui *t, const char *text)
{
	notice_say(t, NOTIFY_MINE, text);
}

void notice_of_timer(struct tui *t)
{
	notice_say_elsewhere(t, "Time is up");
}

/* All have voted who can, but for us; a vote that is on its way counts. */
static bool notice_are_others_waiting(const struct tui *t, const struct replica *room)
{
	size_t voters = 0;
	size_t voted = 0;
	bool has_chosen = replica_own_vote(room) != NULL;
	replica_count_votes(room, &voters, &voted);
	return t->link == LINK_LIVE && room->has_state && !room->room.is_revealed &&
	       room->you.username.data != NULL && room->you.role == ROLE_VOTER && !has_chosen &&
	       voters > 1 && voted + 1 == voters;
}

static void notice_follow_votes(struct tui *t, const struct replica *room)
{
	struct calls *c = &t->calls;
	if (c->round != room->room.round) {
		c->round = room->room.round;
		c->has_called = false;
		c->waited_since_ms = 0;
	}
	if (c->has_called || t->now_ms == 0 || !notice_are_others_waiting(t, room)) {
		c->waited_since_ms = 0;
		return;
	}
	if (c->waited_since_ms == 0) {
		c->waited_since_ms = t->now_ms;
	}
	if (c->focus == FOCUS_AWAY || t->now_ms - c->waited_since_ms >= NOTICE_CHOOSING_MS) {
		c->has_called = true;
		c->waited_since_ms = 0;
		notice_say(t, NOTIFY_MINE, "The others are waiting for your vote");
	}
}

static void notice_follow_lobby(struct tui *t, const struct replica *room)
{
	const struct user_view *last = NULL;
	char text[NOTICE_TEXT_BYTES_MAX];
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		if (replica_member_at(room, i)->is_waiting) {
			last = replica_member_at(room, i);
			n++;
		}
	}
	if (t->calls.has_seen_room && room->you.is_host && n > t->calls.waiting_n) {
		(void)format_to(text, sizeof(text), "%s is waiting in the lobby",
				replica_name_of(room, last));
		notice_say(t, NOTIFY_MINE, text);
	}
	t->calls.waiting_n = n;
}

void notice_follow(struct tui *t, const struct replica *room)
{
	struct calls *c = &t->calls;
	if (c->has_seen_room && room->room.is_revealed && !c->was_revealed) {
		notice_say_elsewhere(t, "The cards are revealed");
	}
	notice_follow_lobby(t, room);
	notice_follow_votes(t, room);
	c->was_revealed = room->room.is_revealed;
	c->has_seen_room = room->has_state;
}

int64_t notice_changes_in_ms(const struct tui *t)
{
	int64_t since_ms = t->calls.waited_since_ms;
	int64_t left_ms = since_ms + NOTICE_CHOOSING_MS - t->now_ms;
	if (t->calls.text[0] != '\0') {
		return t->calls.wait_ms;
	}
	return since_ms == 0 ? -1 : left_ms > 0 ? left_ms : 0;
}

/*
 * tmux says "here" when it is attached, and may never say more: only who has been away can be known
 * to be back.
 */
void tui_set_focus(struct tui *t, enum focus focus)
{
	bool is_known = focus == FOCUS_AWAY || t->calls.has_been_away;
	t->calls.has_been_away = is_known;
	t->calls.focus = is_known ? focus : FOCUS_UNKNOWN;
}

struct tui_notice tui_take_notice(struct tui *t, const struct replica *room, int64_t now_ms)
{
	struct calls *c = &t->calls;
	struct slice title = slice_str(room->room.title.data == NULL ? "" : room->room.title.data);
	if (c->text[0] == '\0') {
		return (struct tui_notice){0};
	}
	c->wait_ms = notification_wait_ms(&c->pace, now_ms);
	if (c->wait_ms > 0) {
		bool is_too_much = c->wait_ms > NOTICE_GAP_MS;
		c->text[0] = is_too_much ? '\0' : c->text[0];
		return (struct tui_notice){0};
	}
	notification_count(&c->pace, now_ms);
	title.len = text_fit(title, NOTICE_TITLE_CELLS);
	(void)format_to(c->told, sizeof(c->told), "%.*s%s%s", (int)title.len, title.data,
			title.len > 0 ? ": " : "", c->text);
	c->text[0] = '\0';
	return (struct tui_notice){.text = c->told, .is_here = c->focus == FOCUS_HERE};
}
