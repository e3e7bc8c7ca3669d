/*
 * points_view.c - what an answer has brought: its points with their reasons, new badges, and how
 * far it is to the next one; then the next question. Only where the settings show points.
 */
#include "client/tui/tui_state.h"

#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum { POINTS_X = 3, POINTS_COLUMN = 38 };

static int points_draw_reasons(const struct question_answer_result *r, struct grid *g, int y)
{
	char line[80];
	int64_t sum = 0;
	int end = g->width - 1 < POINTS_COLUMN ? g->width - 1 : POINTS_COLUMN;
	for (size_t i = 0; i < r->points_n; i++, y++) {
		(void)grid_text(g, POINTS_X, y, STYLE_TEXT, question_reason(r->points[i].reason),
				-1);
		(void)format_to(line, sizeof(line), "+%lld", (long long)r->points[i].points);
		(void)draw_right(g, end, y, STYLE_GOOD, line);
		sum += r->points[i].points;
	}
	if (r->points_n == 0) {
		y += draw_wrapped(g, POINTS_X, y, STYLE_TEXT,
				  "No points: it was too fast to be considered.",
				  g->width - POINTS_X - 1);
	} else if (r->points_earned < sum) {
		(void)format_to(line, sizeof(line), "%lld of these count: daily maximum reached.",
				(long long)r->points_earned);
		(void)grid_text(g, POINTS_X, y++, STYLE_DIM, line, -1);
	}
	return y;
}

/* "New badge: First steps" and "Next: Getting started ████ 4 of 10". */
static int points_draw_badges(const struct tui *t, const struct question_answer_result *r,
			      struct grid *g, int y)
{
	enum { NARROW = 60, BAR_CELLS = 10, BAR_CELLS_NARROW = 4 };
	int bar = g->width < NARROW ? BAR_CELLS_NARROW : BAR_CELLS;
	char line[120];
	for (size_t i = 0; i < r->new_badges_n; i++, y++) {
		(void)format_to(line, sizeof(line), "New badge: %s", r->new_badges[i].name.data);
		(void)grid_text(g, POINTS_X, y, STYLE_OWN, line, -1);
	}
	if (r->with_next_badge) {
		const struct badge_progress *next = &r->next_badge;
		int x = POINTS_X;
		(void)format_to(line, sizeof(line), "Next: %s ", next->name.data);
		x += grid_text(g, x, y, STYLE_TEXT, line, -1);
		if (next->have > 0) {
			draw_bar(g, x, y, bar, next->have, next->need, STYLE_DIM, t->signs);
		}
		(void)format_to(line, sizeof(line), "%lld of %lld", (long long)next->have,
				(long long)next->need);
		(void)grid_text(g, x + bar + 1, y++, STYLE_TEXT, line, -1);
	}
	return y;
}

/* From row y on; returns the row below. */
static int points_draw(const struct tui *t, struct grid *g, int y, int gap)
{
	const struct inbox *in = inbox_of(t->home);
	const struct question_answer_result *r = in->result;
	char line[80];
	y = points_draw_reasons(r, g, y) + gap;
	(void)format_to(line, sizeof(line), "%lld points%s%lld %s in a row",
			(long long)r->total_points, t->signs->dot, (long long)r->streak_days,
			r->streak_days == 1 ? "day" : "days");
	(void)grid_text(g, POINTS_X, y, STYLE_STRONG, line, -1);
	y = points_draw_badges(t, r, g, y + 1) + gap;
	size_t n = inbox_waiting(in);
	if (n == 0) {
		(void)format_to(line, sizeof(line), "No other questions.");
	} else {
		(void)format_to(line, sizeof(line), "%zu more %s", n,
				n == 1 ? "question waits" : "questions wait");
	}
	(void)grid_text(g, POINTS_X, y, STYLE_DIM, line, -1);
	return y + 1;
}

static void points_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			     int height)
{
	const struct inbox *in = inbox_of(t->home);
	struct grid nothing = grid_rows(g, 0, 0);
	int first = draw_title(g, "Your answer was sent");
	int gap = first - 1;
	if (in == NULL || in->result == NULL) {
		return;
	}
	if (in->result->points_earned > 0) {
		char line[40];
		(void)format_to(line, sizeof(line), "%s+%lld", t->signs->dot,
				(long long)in->result->points_earned);
		(void)grid_text(g, 1 + (int)sizeof("Your answer was sent") - 1, 0, STYLE_GOOD, line,
				-1);
	}
	int lines = points_draw(t, &nothing, 0, gap);
	int top = list_scroll(tui_listing(t, room, VIEW_POINTS), lines, height - first);
	struct grid part = grid_rows(g, first, height - first);
	(void)points_draw(t, &part, -top, gap);
}

static struct act points_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key == TUI_KEY_ENTER && inbox_of(t->home) != NULL) {
		inbox_go_on(t);
		return (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view points_view = {
	.parent = VIEW_INBOX,
	.leave = inbox_leave,
	.draw = points_view_draw,
	.take_key = points_view_take_key,
	.rows = &list_of_text,
	.footer = "Enter next",
};
