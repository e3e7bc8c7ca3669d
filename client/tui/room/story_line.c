/*
 * story_line.c - what is voted on, how often it was, and how long is left.
 *
 * Figures come before the title and the timer has its own place at the right,
 * so that nothing depends on how wide a terminal draws the title.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/room/story_find.h"
#include "proto/base/format.h"

enum { STORY_LINE_FULL = 60, STORY_LINE_HURRY_SECONDS = 10 };

bool story_line_is_shown(const struct tui *t, const struct replica *room)
{
	bool has_timer = room->room.timer.ends_at != 0 && t->now_ms != 0;
	return room->room.story_id.data != NULL || room->stories.n > 0 ||
	       room->room.story_round > 1 || has_timer;
}

/* A deadline that finds nothing to reveal. */
static bool story_line_is_idle(const struct replica *room)
{
	return room->room.timer.reveal_at_zero && room_status_is_over(room);
}

/* Returns where it begins, or the edge where there is no timer. */
static int story_line_draw_timer(const struct tui *t, const struct replica *room, struct grid *g,
				 int y)
{
	char clock[24];
	char line[48];
	if (room->room.timer.ends_at == 0 || t->now_ms == 0 || story_line_is_idle(room)) {
		return g->width - 1;
	}
	int64_t left = timing_left(t->now_ms, room->room.timer.ends_at);
	timing_text(left, clock, sizeof(clock));
	const char *label = room->room.timer.reveal_at_zero ? "reveal in " : "timer ";
	(void)format_to(line, sizeof(line), "%s%s%s", g->width >= STORY_LINE_FULL ? label : "",
			clock,
			g->width < STORY_LINE_FULL && room->room.timer.reveal_at_zero ? "!" : "");
	return draw_right(g, g->width - 1, y,
			  left <= STORY_LINE_HURRY_SECONDS ? STYLE_WARN : STYLE_STRONG, line);
}

/* Somebody has noted something on what is voted on. */
static bool story_line_has_notes(const struct replica *room)
{
	const char *key =
		room->room.story_id.data != NULL ? room->room.story_id.data : SHARED_NOTES_QUICK;
	const struct shared_note *n = replica_note(room, key);
	return n != NULL && n->text.len > 0;
}

/* "Story 3/12 · 2nd vote · notes", "Quick vote · round 7" */
static void story_line_figures(const struct tui *t, const struct replica *room, bool is_full,
			       char *out, size_t cap)
{
	size_t at = stories_index(room, room->room.story_id.data);
	size_t n = 0;
	if (room_status_is_elsewhere(room)) {
		(void)format_to(out, cap, "Open stories: %zu of %zu",
				stories_count(room, STORY_TODO), room->stories.n);
		return;
	}
	if (room->room.story_id.data == NULL) {
		n = format_to(out, cap, "Quick vote");
	} else if (at < room->stories.n) {
		n = format_to(out, cap, "%s%zu/%zu", is_full ? "Story " : "", at + 1,
			      room->stories.n);
	} else {
		n = format_to(out, cap, "Story");
	}
	/*
	 * What has no name has the room's number of the round; but where stories are open together that
	 * counts those that are settled aside, and says nothing of this table.
	 */
	bool is_quick = room->room.story_id.data == NULL;
	if (is_quick && room->room.story_round > 1 && !room->room.policy.open_stories) {
		n += format_to(out + n, cap - n, is_full ? "%sround %lld" : "%sr%lld",
			       is_full ? t->signs->dot : " ", (long long)room->room.round);
	} else if (!is_quick && room->room.story_round > 1) {
		char vote[STORY_VOTE_CHARS + 1];
		(void)story_vote(room->room.story_round, vote);
		n += format_to(out + n, cap - n, "%s%.*s", is_full ? t->signs->dot : " ",
			       (int)(is_full ? strlen(vote) : strcspn(vote, " ")), vote);
	}
	if (is_full && story_line_has_notes(room)) {
		(void)format_to(out + n, cap - n, "%snotes", t->signs->dot);
	}
}

void story_line_draw(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	char figures[80];
	char todo[80];
	bool is_full = g->width >= STORY_LINE_FULL;
	int end = story_line_draw_timer(t, room, g, y) - 2;
	story_line_figures(t, room, is_full, figures, sizeof(figures));
	int x = 1 + grid_text(g, 1, y, STYLE_DIM, figures, end - 1) + 2;
	const struct story_view *s = replica_story(room, room->room.story_id.data);
	if (s != NULL) {
		struct story_name name;
		grid_mark_link(g, x, y,
			       draw_cut(g, x, y, STYLE_STRONG, story_name(s, &name), end - x,
					t->signs));
	} else if (room->stories.n > 0 && !room_status_is_elsewhere(room)) {
		size_t left = stories_count(room, STORY_TODO);
		if (left > 0) {
			(void)format_to(todo, sizeof(todo), "%zu of %zu stories to do", left,
					room->stories.n);
		} else {
			(void)format_to(todo, sizeof(todo), "no stories left to do");
		}
		(void)draw_cut(g, x, y, STYLE_DIM, todo, end - x, t->signs);
	}
}
