/*
 * history_keep.c - when the newest rounds have to be fetched: as soon as the
 * screen has a place for them, and again after what changes them. That is a
 * reveal, another value that a round is settled with, and another server; time
 * alone never is.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

/* One round is new at most; the others tie it to what is there (round_history.h). */
enum { HISTORY_KEEP_NEWEST = 3 };

static const char *history_keep_outcome(const struct replica *room)
{
	return room->room.outcome.data == NULL ? "" : room->room.outcome.data;
}

/* Hidden cards change no history, so what was fetched holds until they lie open. */
static bool history_keep_is_fresh(const struct tui *t, const struct replica *room)
{
	const struct history_mark *m = &t->history_mark;
	if (!m->is_set || m->epoch != room->epoch) {
		return false;
	}
	return !room->room.is_revealed || (m->is_revealed && m->round == room->room.round &&
					   strcmp(m->outcome, history_keep_outcome(room)) == 0);
}

struct act history_ask(struct tui *t, const struct replica *room, const char *cursor, int64_t limit)
{
	struct history_mark *m = &t->history_mark;
	if (t->is_fetching) {
		return (struct act){0};
	}
	t->is_fetching = true;
	if (cursor == NULL) {
		m->is_set = true;
		m->epoch = room->epoch;
		m->round = room->room.round;
		m->is_revealed = room->room.is_revealed;
		(void)format_to(m->outcome, sizeof(m->outcome), "%s", history_keep_outcome(room));
	}
	struct request *r = tui_request(t, ACTION_HISTORY, METHOD_ROUND_LIST);
	if (limit > 0) {
		request_int(r, "limit", limit > MAX_PAGE ? MAX_PAGE : limit);
	}
	if (cursor != NULL) {
		request_text(r, "cursor", cursor);
	}
	return tui_send(t, ACTION_HISTORY);
}

struct act tui_wants(struct tui *t, const struct replica *room)
{
	size_t n = history_count(t);
	if (t->history_rows <= 0 || t->is_fetching || t->link != LINK_LIVE ||
	    !action_is_allowed(ACTION_HISTORY, room)) {
		return (struct act){0};
	}
	if (!history_keep_is_fresh(t, room)) {
		return history_ask(t, room, NULL, n == 0 ? t->history_rows : HISTORY_KEEP_NEWEST);
	}
	if (n > 0 && n < (size_t)t->history_rows && t->rounds->cursor != NULL) {
		return history_ask(t, room, t->rounds->cursor, t->history_rows);
	}
	return (struct act){0};
}

void tui_set_rounds(struct tui *t, const struct round_history *rounds)
{
	t->is_fetching = false;
	t->rounds = rounds;
	/* Rounds that came in front do not move the one that is looked at. */
	for (size_t i = 0; t->round_at > 0 && i < history_count(t); i++) {
		if (rounds->items[i]->n == t->round_n) {
			t->round_at = i;
			break;
		}
	}
}
