/*
 * action_question.c - what is asked before an action that takes votes with it, as its row in act_rows.h names it;
 * see action_acts.h.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include "proto/base/format.h"
#include "proto/text/text.h"

/*
 * What will be done, then which votes it takes that nobody has seen: open cards have been seen,
 * hidden ones would go unseen. False where there are none.
 */
static bool act_question_votes(const struct replica *room, const char *what, char *out, size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	size_t n = format_to(out, cap, "%s", what);
	replica_count_votes(room, &voters, &voted);
	if (voted > 0 && !room->room.is_revealed) {
		(void)format_to(out + n, cap - n, " %zu %s not revealed.", voted,
				voted == 1 ? "vote was" : "votes were");
	}
	return voted > 0 && !room->room.is_revealed;
}

/* "Go on to PAY-5 Refund a split…?" */
static bool act_question_story(const struct tui *t, const struct replica *room, const char *what,
			       const struct story_view *s, char *out, size_t cap)
{
	enum { TITLE_CELLS_MAX = 24 };
	char line[TUI_MESSAGE_BYTES_MAX];
	size_t at = 0;
	size_t used = 0;
	size_t cells = 0;
	while (at < s->title.len && used + cells <= TITLE_CELLS_MAX) {
		size_t next = at;
		(void)text_next(s->title, &next, 0, &cells);
		if (used + cells <= TITLE_CELLS_MAX) {
			used += cells;
			at = next;
		}
	}
	(void)format_to(line, sizeof(line), "%s %.*s%s?", what, (int)at, s->title.data,
			at < s->title.len ? t->signs->cut : "");
	return act_question_votes(room, line, out, cap);
}

/* The first story to do behind the one that is voted on, else the first of all: as the server goes on. */
static const struct story_view *act_next_story(const struct replica *room)
{
	size_t n = room->stories.n;
	size_t current = stories_index(room, room->room.story_id.data);
	for (size_t i = 0; i < n; i++) {
		size_t from = current < n ? current + 1 : 0;
		const struct story_view *s = replica_story_at(room, (from + i) % n);
		if (s->status == STORY_TODO) {
			return s;
		}
	}
	return NULL;
}

/* There is one timer: a short one takes the place of the deadline of days. */
bool act_question_timer(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	enum { HOUR_S = 3600 };
	char left[24];
	int64_t seconds = timing_left(t->now_ms, room->room.timer.ends_at);
	(void)arg;
	timing_text(seconds, left, sizeof(left));
	(void)format_to(out, cap, "Votes are revealed in %s. Set another time instead?", left);
	return room->room.policy.keep_votes && room->room.timer.reveal_at_zero && seconds > HOUR_S;
}

bool act_question_next(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	const struct story_view *s = act_next_story(room);
	(void)arg;
	return s == NULL ? act_question_votes(room, "Start the next round?", out, cap)
			 : act_question_story(t, room, "Continue with", s, out, cap);
}

bool act_question_select(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	const struct story_view *s = stories_focus(t, room);
	(void)arg;
	return s == NULL ? act_question_votes(room, "Vote on it?", out, cap)
			 : act_question_story(t, room, "Vote on", s, out, cap);
}

bool act_question_quick(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)t, (void)arg;
	return act_question_votes(room, "Vote without a story?", out, cap);
}

bool act_question_reset(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)t, (void)arg;
	return act_question_votes(room, "Clear all votes?", out, cap);
}

bool act_question_missing(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	(void)t, (void)arg;
	replica_count_votes(room, &voters, &voted);
	if (voted < voters) {
		(void)format_to(out, cap, "%zu of %zu have not voted. Reveal?", voters - voted,
				voters);
	} else {
		(void)format_to(out, cap, "Everyone has voted. Reveal?");
	}
	return voted < voters;
}

/* Who only watches has no card on the table: not this one, which the server keeps for them, nor one on its way there. */
bool act_question_spectate(struct tui *t, const struct replica *room, const char *arg, char *out,
			   size_t cap)
{
	const char *card = replica_own_vote(room);
	(void)arg;
	if (card != NULL) {
		(void)format_to(out, cap,
				room->pending_vote != NULL ? "Spectate? Your %s was not sent yet."
				: room->room.is_revealed
					? "Spectate? Your %s stays in this result."
					: "Spectate? Your %s returns if you vote again this round.",
				draw_label(t->signs, card));
	}
	return card != NULL && room->you.role == ROLE_VOTER;
}

/* What would be lost with it: a text, what waits for the connection, a room's host. */
bool act_question_leave(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)arg;
	if (writing_is_unsaved(t)) {
		(void)format_to(out, cap, "You have unsaved text. Leave?");
		return true;
	}
	if (t->said.held[0] != '\0') {
		(void)format_to(out, cap, "%s. Leave?", t->said.held);
		return true;
	}
	size_t others = room_view_here(room, false);
	(void)format_to(out, cap, "You host, and %zu %s here. Leave?", others,
			others == 1 ? "other is" : "others are");
	return room->you.is_host && others > 0;
}
