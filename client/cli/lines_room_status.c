/*
 * lines_room_status.c - what happens in a room, said; see lines_room.h.
 */
#include "client/cli/lines_room_parts.h"

#include "client/model/memory.h"
#include "client/tui/status_text.h"

void lines_room_say(struct lines_room *p, const char *text)
{
	lines_voice_say(&p->voice, text);
}

void lines_room_print(struct lines_room *p, struct buf *text)
{
	if (memory_check(text->error) != OK) {
		lines_room_break(p, text->error);
	} else {
		lines_voice_lines(&p->voice, text);
	}
	buf_finish(text);
}

static void lines_room_tell_room(struct lines_room *p, const struct replica *r)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	if (r->has_state) {
		narrate_update(&p->told, r, &text);
	}
	lines_room_print(p, &text);
}

static void lines_room_tell_expiring(struct lines_room *p, const struct membership *a)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	narrate_expiring(a->expires_in_ms, &text);
	lines_room_print(p, &text);
}

/* What only we are told. */
static void lines_room_tell_signals(struct lines_room *p, const struct membership *a, unsigned news)
{
	struct errmsg line;
	if (a->room.you.is_waiting != p->was_waiting) {
		p->was_waiting = a->room.you.is_waiting;
		lines_room_say(p, p->was_waiting ? "You are in the lobby until a host admits you"
						 : "You were admitted");
	}
	if ((news & MEMBERSHIP_NEWS_STALE) != 0) {
		lines_room_say(p, "The next round had begun: choose a card again");
	}
	if ((news & MEMBERSHIP_NEWS_NUDGED) != 0) {
		errmsg_set(&line, "%s waits for your vote",
			   a->nudged_by[0] == '\0' ? "Somebody" : a->nudged_by);
		lines_room_say(p, line.text);
	}
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		errmsg_set(&line, "The server is closing: %s", a->reason);
		lines_room_say(p, line.text);
	}
}

static void lines_room_tell_reaction(struct lines_room *p, const struct membership *a)
{
	struct buf text;
	const struct user_view *m = replica_member(&a->room, a->reaction_user_id);
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	(void)buf_printf(&text, "%s: %s\n",
			 m == NULL || m->username.data == NULL ? "Somebody" : m->username.data,
			 a->reaction_word);
	lines_room_print(p, &text);
}

void lines_room_status(struct lines_room *p, const struct membership *a, unsigned news)
{
	lines_room_tell_signals(p, a, news);
	if ((news & MEMBERSHIP_NEWS_EXPIRING) != 0) {
		lines_room_tell_expiring(p, a);
	}
	if ((news & MEMBERSHIP_NEWS_ROOM) != 0) {
		lines_room_tell_room(p, &a->room);
	}
	if ((news & MEMBERSHIP_NEWS_REACTION) != 0) {
		lines_room_tell_reaction(p, a);
	}
}

void lines_room_status_rounds(struct lines_room *p, const struct round_history *rounds)
{
	struct buf text;
	buf_init(&text, LINES_ROOM_TEXT_BYTES);
	status_text_history(rounds, &text);
	lines_room_print(p, &text);
}

void lines_room_prompt(struct lines_room *p)
{
	struct buf words;
	if (!p->voice.has_prompt || p->voice.is_prompting || p->is_input_over) {
		return;
	}
	buf_init(&words, LINES_ROOM_TEXT_BYTES);
	if (p->was_lost) {
		(void)buf_printf(&words, "no connection, ");
	}
	line_commands_prompt(p->typed, &lines_room_membership(p)->room, &words);
	if (buf_append(&words, "", 1) == OK) {
		lines_voice_prompt(&p->voice, words.data, line_commands_wants_secret(p->typed));
	}
	buf_finish(&words);
}
