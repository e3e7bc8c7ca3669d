/*
 * plain_talk_tell.c - what happens in a room, said; see plain_talk.h.
 */
#include "client/cli/plain_talk_parts.h"

#include "client/tui/tell.h"

void plain_talk_say(struct plain_talk *p, const char *text)
{
	plain_voice_say(&p->voice, text);
}

void plain_talk_print(struct plain_talk *p, struct buf *text)
{
	if (text->error != OK) {
		plain_talk_break(p, text->error);
	} else {
		plain_voice_lines(&p->voice, text);
	}
	buf_finish(text);
}

static void plain_talk_tell_room(struct plain_talk *p, const struct replica *r)
{
	struct buf text;
	buf_init(&text, PLAIN_TALK_TEXT_BYTES);
	if (r->has_state && narrate_update(&p->told, r, &text) == ERR_NOMEM) {
		text.error = ERR_NOMEM;
	}
	plain_talk_print(p, &text);
}

static void plain_talk_tell_expiring(struct plain_talk *p, const struct attend *a)
{
	struct buf text;
	buf_init(&text, PLAIN_TALK_TEXT_BYTES);
	if (narrate_expiring(a->expires_in_ms, &text) == ERR_NOMEM) {
		text.error = ERR_NOMEM;
	}
	plain_talk_print(p, &text);
}

/* What only we are told. */
static void plain_talk_tell_signals(struct plain_talk *p, const struct attend *a, unsigned news)
{
	struct errmsg line;
	if (a->room.i_am_waiting != p->was_waiting) {
		p->was_waiting = a->room.i_am_waiting;
		plain_talk_say(p, p->was_waiting ? "You are in the lobby until a host admits you"
						 : "You were admitted");
	}
	if ((news & ATTEND_NEWS_STALE) != 0) {
		plain_talk_say(p, "The next round had begun: choose a card again");
	}
	if ((news & ATTEND_NEWS_NUDGED) != 0) {
		errmsg_set(&line, "%s waits for your vote",
			   a->nudged_by[0] == '\0' ? "Somebody" : a->nudged_by);
		plain_talk_say(p, line.text);
	}
	if ((news & ATTEND_NEWS_CLOSING) != 0) {
		errmsg_set(&line, "The server is closing: %s", a->reason);
		plain_talk_say(p, line.text);
	}
}

static void plain_talk_tell_reaction(struct plain_talk *p, const struct attend *a)
{
	struct buf text;
	const struct member *m = replica_member(&a->room, a->reaction_user_id);
	buf_init(&text, PLAIN_TALK_TEXT_BYTES);
	(void)buf_printf(&text, "%s: %s\n",
			 m == NULL || m->username == NULL ? "Somebody" : m->username,
			 a->reaction_word);
	plain_talk_print(p, &text);
}

void plain_talk_tell(struct plain_talk *p, const struct attend *a, unsigned news)
{
	plain_talk_tell_signals(p, a, news);
	if ((news & ATTEND_NEWS_EXPIRING) != 0) {
		plain_talk_tell_expiring(p, a);
	}
	if ((news & ATTEND_NEWS_ROOM) != 0) {
		plain_talk_tell_room(p, &a->room);
	}
	if ((news & ATTEND_NEWS_REACTION) != 0) {
		plain_talk_tell_reaction(p, a);
	}
}

void plain_talk_tell_rounds(struct plain_talk *p, const struct rounds *rounds)
{
	struct buf text;
	buf_init(&text, PLAIN_TALK_TEXT_BYTES);
	tell_history(rounds, &text);
	plain_talk_print(p, &text);
}

void plain_talk_prompt(struct plain_talk *p)
{
	struct buf words;
	if (!p->voice.has_prompt || p->voice.is_prompting || p->is_input_over) {
		return;
	}
	buf_init(&words, PLAIN_TALK_TEXT_BYTES);
	if (p->was_lost) {
		(void)buf_printf(&words, "no connection, ");
	}
	typed_prompt(p->typed, &plain_talk_attend(p)->room, &words);
	if (buf_append(&words, "", 1) == OK) {
		plain_voice_prompt(&p->voice, words.data, typed_wants_secret(p->typed));
	}
	buf_finish(&words);
}
