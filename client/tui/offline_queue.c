/*
 * offline_queue.c - a short queue of copied asks; see offline_queue.h.
 */
#include "client/tui/offline_queue.h"

#include <stdlib.h>
#include <string.h>

#include "client/tui/action_table.h"
#include "proto/format.h"

/* The text is ours to free; an ask only reads it. */
static void held_free_text(const char *text)
{
	union {
		const char *in;
		char *out;
	} u = {text};
	free(u.out);
}

void offline_queue_free_ask(struct ask *ask)
{
	held_free_text(ask->text);
	held_free_text(ask->id);
	held_free_text(ask->other);
	*ask = (struct ask){0};
}

void offline_queue_finish(struct offline_queue *h)
{
	for (size_t i = 0; i < h->n; i++) {
		offline_queue_free_ask(&h->asks[i].ask);
	}
	h->n = 0;
}

/* The action that asks for it; several that do share their right. */
static enum action held_action(enum ask_kind kind)
{
	enum action a = 0;
	while (a < ACTION_COUNT && action_rows[a].asks != kind) {
		a++;
	}
	return a;
}

/* "next" asks for either of two. */
static enum action held_action_of(enum ask_kind kind)
{
	return held_action(kind == ASK_NEXT_STORY ? ASK_RESET : kind);
}

bool offline_queue_may(enum ask_kind kind)
{
	enum action a = held_action_of(kind);
	if (a == ACTION_COUNT || action_rows[a].takes == TAKES_SECRET) {
		return false;
	}
	switch (action_rows[a].right) {
	case RIGHT_REVEAL:
	case RIGHT_RESET:
	case RIGHT_SIGNAL:
	case RIGHT_LEAD:
	case RIGHT_EDIT_STORIES:
		return true;
	default:
		return false;
	}
}

static const char *held_copy(const char *text, bool *ok)
{
	char *copy = strdup(text == NULL ? "" : text);
	*ok = *ok && copy != NULL;
	return copy;
}

enum err offline_queue_push(struct offline_queue *h, const struct replica *room,
			    const struct ask *ask)
{
	bool ok = true;
	if (h->n == OFFLINE_QUEUE_MAX) {
		return ERR_BUSY;
	}
	struct queued_ask own = {.ask = *ask, .round = room->room.round};
	own.ask.text = held_copy(ask->text, &ok);
	own.ask.id = held_copy(ask->id, &ok);
	own.ask.other = held_copy(ask->other, &ok);
	if (!ok) {
		offline_queue_free_ask(&own.ask);
		return ERR_NOMEM;
	}
	h->asks[h->n++] = own;
	return OK;
}

void offline_queue_words(const struct offline_queue *h, char *out, size_t cap)
{
	size_t n = 0;
	out[0] = '\0';
	for (size_t i = 0; i < h->n; i++) {
		if (i == 0) {
			n = format_to(out, cap, "%zu %s for the connection: ", h->n,
				      h->n == 1 ? "act waits" : "acts wait");
		}
		n += format_to(out + n, cap - n, "%s%s", i == 0 ? "" : ", ",
			       action_rows[held_action_of(h->asks[i].ask.kind)].command);
	}
}

/* Stories, rules and hosts outlive a round. */
static bool held_is_of_round(enum action a)
{
	int right = action_rows[a].right;
	return right == RIGHT_REVEAL || right == RIGHT_RESET || right == RIGHT_SIGNAL;
}

static bool held_is_stale(const struct queued_ask *own, const struct replica *room, struct buf *out)
{
	enum { WHY_BYTES_MAX = 400 };
	char why[WHY_BYTES_MAX];
	enum action a = held_action_of(own->ask.kind);
	if (held_is_of_round(a) && own->round != room->room.round) {
		(void)format_to(why, sizeof(why), "Another round has begun");
	} else if (!action_refusal_typed(a, room, why, sizeof(why))) {
		return false;
	}
	(void)buf_printf(out, "What waited was not done (%s): %s.\n", action_rows[a].command, why);
	return true;
}

struct ask offline_queue_next(struct offline_queue *h, const struct replica *room, struct buf *out)
{
	while (h->n > 0) {
		struct queued_ask first = h->asks[0];
		h->n--;
		memmove(h->asks, h->asks + 1, h->n * sizeof(h->asks[0]));
		if (!held_is_stale(&first, room, out)) {
			return first.ask;
		}
		offline_queue_free_ask(&first.ask);
	}
	return (struct ask){0};
}
