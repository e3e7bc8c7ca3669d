/*
 * outcome_view.c - a question of one's own: a bar for each option, and what was answered. Nobody
 * is told who answered what.
 */
#include "client/tui/tui_state.h"

#include "client/model/memory.h"
#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum { OUTCOME_X = 3, OUTCOME_LABEL_MOST = 24 };

static int outcome_label_cells(const struct question_view *q, const struct grid *g)
{
	int most = g->width / 3 < OUTCOME_LABEL_MOST ? g->width / 3 : OUTCOME_LABEL_MOST;
	int cells = 1;
	for (size_t i = 0; i < q->summary_n; i++) {
		int label = draw_cells(q->summary[i].option.data);
		cells = label > cells ? label : cells;
	}
	return cells < most ? cells : most;
}

static void outcome_draw_bars(const struct tui *t, const struct question_view *q, struct grid *g,
			      int y)
{
	enum { COUNT_CELLS = 6, BAR_MOST = 60 };
	int label = outcome_label_cells(q, g);
	int bar_x = OUTCOME_X + label + 2;
	int bar_cells = draw_between(4, g->width - bar_x - COUNT_CELLS, BAR_MOST);
	int64_t most = 1;
	for (size_t i = 0; i < q->summary_n; i++) {
		most = q->summary[i].votes > most ? q->summary[i].votes : most;
	}
	for (size_t i = 0; i < q->summary_n; i++, y++) {
		const struct option_votes *option = &q->summary[i];
		char votes[24];
		bool is_most = option->votes == most;
		(void)draw_cut(g, OUTCOME_X, y, is_most ? STYLE_STRONG : STYLE_TEXT,
			       option->option.data, label, t->signs);
		if (option->votes > 0) {
			draw_bar(g, bar_x, y, bar_cells, option->votes, most,
				 is_most ? STYLE_GOOD : STYLE_DIM, t->signs);
		}
		(void)format_to(votes, sizeof(votes), "%lld", (long long)option->votes);
		(void)grid_text(g, bar_x + bar_cells + 2, y, STYLE_TEXT, votes, -1);
	}
}

static void outcome_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	const struct inbox *in = t->inbox;
	const struct question_view *q = in == NULL ? NULL : in->question;
	bool is_roomy = g->height >= DRAW_ROOMY;
	int gap = is_roomy ? 1 : 0;
	if (q == NULL) {
		(void)draw_title(g, "No question is open");
		return;
	}
	inbox_draw_head(t, g);
	int first = 1 + gap;
	int cells = g->width - OUTCOME_X - 1;
	struct buf text;
	buf_init(&text, MAX_QUESTION_RESPONSES * (FIELD_CHAR_BYTES * (MAX_QUESTION_ANSWER_CHARS +
								      MAX_QUESTION_COMMENT_CHARS +
								      MAX_QUESTION_OPTION_CHARS) +
						  64));
	question_write_responses(q, &text);
	(void)buf_append(&text, "", 1);
	(void)memory_check(text.error);
	int prompt = draw_text(NULL, 0, 0, STYLE_STRONG, q->prompt.data, cells, 0, 0);
	int bars = (int)q->summary_n;
	int words = draw_text(NULL, 0, 0, STYLE_TEXT, text.data, cells, 0, 0);
	int bars_y = prompt + 1;
	int words_y = bars_y + (bars > 0 ? bars + 1 : 0);
	int all = words_y + (words > 0 ? words : 1);
	int top = list_scroll(tui_listing(t, room, VIEW_OUTCOME), all, height - first);
	struct grid part = grid_rows(g, first, height - first);
	(void)draw_text(&part, OUTCOME_X, -top, STYLE_STRONG, q->prompt.data, cells, 0, prompt);
	outcome_draw_bars(t, q, &part, bars_y - top);
	if (words > 0) {
		(void)draw_text(&part, OUTCOME_X, words_y - top, STYLE_TEXT, text.data, cells, 0,
				words);
	} else {
		(void)draw_cut(&part, OUTCOME_X, words_y - top, STYLE_DIM,
			       in->read == FEED_IDLE ? "Nobody has answered yet"
						     : "Loading the answers",
			       cells, t->signs);
	}
	buf_finish(&text);
}

const struct view outcome_view = {
	.parent = VIEW_ASKED,
	.leave = inbox_leave,
	.changes_in_ms = inbox_changes_in_ms,
	.draw = outcome_view_draw,
	.rows = &list_of_text,
	.footer = "Up Down scroll",
};
