/*
 * said.c - see said.h.
 */
#include "client/tui/said.h"

#include <string.h>

#include "client/model/questions/user_notice.h"
#include "client/tui/tui_state.h"
#include "proto/base/format.h"

enum {
	SAID_MOMENT_MS = 4000, /* how long a temporary message is shown, */
	SAID_READ_MS = 1000    /* and how long it takes to read */
};

/* ---- what the client answers ---- */

void said_time_reply(struct tui *t)
{
	t->said.reply_ends_at = t->now_ms == 0 ? 0 : t->now_ms + SAID_MOMENT_MS;
}

void said_reply(struct tui *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)format_to_v(t->said.reply, sizeof(t->said.reply), format, args);
	va_end(args);
	t->said.is_told = false;
	t->said.is_to_copy = false;
	said_time_reply(t);
}

bool said_shows_reply(const struct tui *t)
{
	return t->said.reply[0] != '\0' &&
	       (t->said.reply_ends_at == 0 || t->now_ms < t->said.reply_ends_at);
}

void tui_set_message(struct tui *t, const char *text)
{
	text = text == NULL ? "" : text;
	if (text[0] == '\0' && t->said.notice[0] == '\0') {
		return; /* an answer to read stays where there is nothing to take away */
	}
	(void)format_to(t->said.notice, sizeof(t->said.notice), "%s", text);
	t->said.reply[0] = '\0';
}

void tui_lose_link(struct tui *t, const char *why)
{
	if (t->link != LINK_LOST) {
		t->said.reply[0] = '\0';
	}
	(void)format_to(t->said.notice, sizeof(t->said.notice), "%s", why);
	tui_set_link(t, LINK_LOST);
}

void tui_tell(struct tui *t, const char *text)
{
	said_reply(t, "%s", text);
	t->said.is_told = true;
}

void tui_set_held(struct tui *t, const char *words)
{
	(void)format_to(t->said.held, sizeof(t->said.held), "%s", words);
}

/* ---- what others do ---- */

/* The first parts have been read. */
static void said_forget(struct tui *t, size_t parts)
{
	struct said *s = &t->said;
	const char *rest = s->moment;
	for (size_t i = 0; i < parts && rest != NULL; i++) {
		rest = strstr(rest, SAID_GAP);
		rest = rest == NULL ? NULL : rest + strlen(SAID_GAP);
	}
	size_t left = rest == NULL ? 0 : s->moment_n - parts;
	memmove(s->moment, rest == NULL ? "" : rest, rest == NULL ? 1 : strlen(rest) + 1);
	memmove(s->moment_at, s->moment_at + s->moment_n - left, left * sizeof(s->moment_at[0]));
	s->moment_n = left;
}

/* What was said long enough ago does not last longer by what is said now; nor does it leave no room for that. */
static void said_forget_old(struct tui *t)
{
	const struct said *s = &t->said;
	size_t old = strlen(s->moment) + MAX_NAME_BYTES > sizeof(s->moment) ? s->moment_n : 0;
	while (old < s->moment_n && (t->now_ms - s->moment_at[old] >= SAID_MOMENT_MS ||
				     s->moment_n - old == SAID_MOMENTS_MAX)) {
		old++;
	}
	said_forget(t, old);
}

void said_moment(struct tui *t, const char *format, ...)
{
	char line[TUI_MESSAGE_BYTES_MAX];
	va_list args;
	va_start(args, format);
	(void)format_to_v(line, sizeof(line), format, args);
	va_end(args);
	if (t->now_ms == 0) {
		return; /* nobody could say when the moment is over */
	}
	said_forget_old(t);
	size_t n = strlen(t->said.moment);
	(void)format_to(t->said.moment + n, sizeof(t->said.moment) - n, "%s%s",
			n > 0 ? SAID_GAP : "", line);
	t->said.moment_at[t->said.moment_n++] = t->now_ms;
	t->said.moment_ends_at = t->now_ms + SAID_MOMENT_MS;
}

void said_read(struct tui *t)
{
	const struct said *s = &t->said;
	if (s->moment_n > 0 && t->now_ms - s->moment_at[s->moment_n - 1] >= SAID_READ_MS) {
		said_forget(t, s->moment_n);
	}
}

void tui_take_nudge(struct tui *t, const char *by)
{
	bool is_named = by != NULL && by[0] != '\0';
	(void)format_to(t->said.nudge, sizeof(t->said.nudge), "%s asks you to vote",
			is_named ? by : "Someone");
	notice_of_nudge(t);
}

/* Another room calls: at home until the next key. */
static void said_call(struct tui *t, const char *server, struct slice room_id, const char *text)
{
	if (t->home == NULL) {
		said_moment(t, "%s", text);
	} else {
		(void)format_to(t->said.nudge, sizeof(t->said.nudge), "%s", text);
		home_keep_nudge(t, server, room_id);
	}
	notice_of_nudge_elsewhere(t, text);
}

void tui_take_nudge_elsewhere(struct tui *t, const char *server, const struct session_nudged *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_nudge(n, text);
	said_call(t, server, n->room_id, text);
}

void tui_take_waiting(struct tui *t, const char *server, const struct session_waiting *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_waiting(n, t->now_ms, text);
	said_call(t, server, n->room_id, text);
}

void tui_take_question_notice(struct tui *t, const struct replica *room,
			      const struct question_notice *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_question(n, t->signs->cut, text);
	notice_of_question(t, text);
	if (t->home != NULL) {
		said_moment(t, "%s", text);
		return;
	}
	struct action_key k = action_key_in(ACTION_INBOX, VIEW_ROOM, room);
	said_moment(t, "%s (%s %s)", text, k.name[0] == ':' ? "type" : "press", k.name);
}

void tui_take_question_ended(struct tui *t, const struct question_ended *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_end(n, t->signs->cut, text);
	notice_of_question(t, text);
	said_moment(t, "%s", text);
}

void tui_take_reaction(struct tui *t, const struct replica *room, const char *user_id,
		       const char *word)
{
	const struct user_view *m = replica_member(room, user_id);
	said_moment(t, "%s: %s", m == NULL ? "someone" : replica_name_of(room, m), word);
}

/* ---- the one to show ---- */

/* "Ada is away; Grace hosts in 40 s"; false while the host is here, or nobody would follow. */
static bool said_next_host(const struct tui *t, const struct replica *room, char *out, size_t cap)
{
	const struct user_view *host = rows_find(&room->users, room->room.host_user_id);
	const struct user_view *next = rows_find(&room->users, room->room.next_host_user_id);
	if (t->now_ms == 0 || t->link != LINK_LIVE || next == NULL || host == NULL ||
	    host->username.data == NULL || host->is_connected) {
		return false;
	}
	(void)format_to(out, cap, "%s is away; %s host%s in %lld s", host->username.data,
			replica_name_of(room, next), replica_is_me(room, next) ? "" : "s",
			(long long)timing_left(t->now_ms, room->room.next_host_at));
	return true;
}

const char *said_message(const struct tui *t, const struct replica *room, enum style *style,
			 char *out, size_t cap)
{
	bool has_moment = t->said.moment[0] != '\0' && t->now_ms < t->said.moment_ends_at;
	*style = STYLE_STRONG;
	if (said_shows_reply(t) &&
	    !(has_moment && t->said.moment_ends_at > t->said.reply_ends_at)) {
		*style = STYLE_WARN;
		return t->said.reply;
	}
	if (has_moment) {
		return t->said.moment;
	}
	bool has_card = room->pending_vote != NULL && room->pending_vote[0] != '\0';
	if (room->pending_vote != NULL && tui_silent_s(t) > 0) {
		(void)format_to(out, cap,
				has_card ? "Your %s is not confirmed yet"
					 : "Your card is not back yet%s",
				draw_label(t->signs, room->pending_vote));
		*style = STYLE_WARN;
		return out;
	}
	if (t->said.held[0] != '\0') {
		*style = STYLE_WARN;
		return t->said.held;
	}
	if (room->pending_vote != NULL && t->link == LINK_LOST) {
		(void)format_to(out, cap,
				has_card ? "Your %s is sent on reconnect"
					 : "Your card is taken back on reconnect%s",
				draw_label(t->signs, room->pending_vote));
		*style = STYLE_WARN;
		return out;
	}
	if (t->said.nudge[0] != '\0' && (t->said.notice[0] == '\0' || t->link == LINK_LIVE)) {
		*style = STYLE_WARN;
		(void)format_to(out, cap, "%s%s", t->said.nudge,
				tui_is_in(t, IN_HOME) ? "; Enter to join" : "");
		return out;
	}
	bool is_led = t->said.notice[0] != '\0' || !said_next_host(t, room, out, cap);
	return is_led ? t->said.notice : out;
}
