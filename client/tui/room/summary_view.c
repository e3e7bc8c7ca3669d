/*
 * summary_view.c - the page at the last story: sums, what to talk about, and how to export it.
 *
 * It opens by itself when no story is left to vote on, and by its key at any time.
 */
#include "client/formats/summary.h"
#include "client/model/memory.h"
#include "client/model/room/story_find.h"
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

enum {
	SUMMARY_LEFT = 3,
	SUMMARY_LEAST = 8, /* cells of a line */
	SUMMARY_MOST = 100,
	SUMMARY_SHORT_BELOW = 60,
	SUMMARY_LINE_BYTES_MAX = 4096
};

/* What is drawn, a row after the other: rows of `part` above 0 are scrolled past. */
struct summary_page {
	const struct tui *t;
	struct grid *part; /* NULL: the rows are only counted */
	int cells;
	int y;
	struct buf line;
};

/* What was written into the line since, wrapped. */
static void summary_draw_line(struct summary_page *p, enum style style)
{
	(void)buf_append(&p->line, "", 1);
	(void)memory_check(p->line.error);
	if (p->line.len > 1) {
		p->y += draw_wrapped(p->part, SUMMARY_LEFT, p->y, style, p->line.data, p->cells);
	}
	buf_clear(&p->line);
}

/* A story, and at the right what is said of it. */
static void summary_draw_story(struct summary_page *p, const struct summary_story *s,
			       enum style style)
{
	struct story_name name;
	summary_story_words(s, p->cells < SUMMARY_SHORT_BELOW, &p->line);
	(void)buf_append(&p->line, "", 1);
	(void)memory_check(p->line.error);
	if (p->part != NULL && p->y >= 0) {
		int words = draw_cells(p->line.data);
		(void)draw_cut(p->part, SUMMARY_LEFT, p->y, STYLE_TEXT,
			       story_name_of(s->key, s->title, &name), p->cells - words - 2,
			       p->t->signs);
		(void)draw_right(p->part, SUMMARY_LEFT + p->cells, p->y, style, p->line.data);
	}
	p->y++;
	buf_clear(&p->line);
}

static void summary_draw_list(struct summary_page *p, const char *title,
			      const struct summary_story *list, size_t n, enum style style)
{
	if (n == 0) {
		return;
	}
	p->y++;
	(void)buf_printf(&p->line, "%s", title);
	summary_draw_line(p, STYLE_STRONG);
	for (size_t i = 0; i < n; i++) {
		summary_draw_story(p, &list[i], style);
	}
}

/* As it is copied. */
static void summary_draw_command(struct summary_page *p, const struct room_summary *s)
{
	summary_export_line(s, &p->line);
	(void)buf_append(&p->line, "", 1);
	(void)memory_check(p->line.error);
	p->y += p->part != NULL ? draw_command(p->part, SUMMARY_LEFT, p->y, p->line.data)
				: draw_command_rows(SUMMARY_LEFT + p->cells + 1, p->line.data);
}

/* All of it, from the row on; returns the row behind it. */
static int summary_draw(const struct tui *t, const struct room_summary *s, struct grid *part,
			int cells, int y)
{
	struct summary_page p = {.t = t, .part = part, .cells = cells, .y = y};
	buf_init(&p.line, SUMMARY_LINE_BYTES_MAX);
	for (size_t i = 0; i < EXPORT_LINES_N; i++) {
		export_stats_line(&s->statistics, i, &p.line);
		summary_draw_line(&p, STYLE_TEXT);
	}
	summary_draw_list(&p, SUMMARY_APART, s->apart, s->apart_n, STYLE_WARN);
	if (s->apart_n == 0 && s->compared > 0) {
		p.y++;
		(void)buf_printf(&p.line, "%s", SUMMARY_AGREED);
		summary_draw_line(&p, STYLE_GOOD);
	}
	summary_draw_list(&p, SUMMARY_WITHOUT, s->without_estimate, s->without_estimate_n,
			  STYLE_DIM);
	p.y++;
	(void)buf_printf(&p.line, "To export:");
	summary_draw_line(&p, STYLE_STRONG);
	summary_draw_command(&p, s);
	buf_finish(&p.line);
	return p.y;
}

static void summary_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	struct room_summary s;
	struct arena arena = {0};
	struct export_room x = {.room = room};
	int y = draw_title(g, "Summary");
	int cells = draw_between(0, g->width - SUMMARY_LEFT - 1, SUMMARY_MOST);
	if (t->history.rounds != NULL) {
		x.rounds = *t->history.rounds;
	}
	t->sight->history_rows = MAX_ROUNDS_KEPT;
	if (room->room.title.len > 0) {
		int x_title = 1 + draw_cells("Summary");
		x_title += grid_text(g, x_title, 0, STYLE_DIM, t->signs->dot, -1);
		(void)draw_cut(g, x_title, 0, STYLE_DIM, room->room.title.data,
			       g->width - x_title - 1, t->signs);
	}
	if (cells < SUMMARY_LEAST) {
		return;
	}
	summary_make(&x, &arena, &s);
	int rows = summary_draw(t, &s, NULL, cells, 0);
	int top = list_scroll(tui_listing(t, room, VIEW_SUMMARY), rows, height - y);
	struct grid part = grid_rows(g, y, height - y);
	(void)summary_draw(t, &s, &part, cells, -top);
	arena_finish(&arena);
}

/* ---- when it opens ---- */

bool summary_turns_due(struct tui *t, const struct replica *room)
{
	bool is_due = summary_is_due(room);
	bool turns = is_due && t->table.seen_left;
	t->table.seen_left = room->stories.n > 0 && !is_due;
	return turns;
}

/* On the screen tui_wants() asks for the rounds. */
struct act act_summary(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)arg;
	if (!t->is_typed) {
		return (struct act){0};
	}
	t->history.is_for_summary = true;
	(void)tui_request(t, a, METHOD_ROUND_LIST);
	return tui_send(t, a);
}

bool act_offers_summary(struct tui *t, const struct replica *room)
{
	(void)t;
	return summary_is_due(room);
}

const struct view summary_view = {
	.draw = summary_view_draw,
	.is_page = true,
	.is_over = true,
	.rows = &list_of_text,
	.footer = "Up Down scroll",
};
