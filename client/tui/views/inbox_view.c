/*
 * inbox_view.c - the questions that wait for an answer, and those one has asked: two lists of
 * lines, and what they share with the pages that they open.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include "client/model/question_text.h"
#include "proto/format.h"

enum {
	INBOX_X = 3,
	INBOX_WIDE = 60, /* columns from which on words are not shortened */
	INBOX_WORD_CELLS = 11,
	INBOX_NEEDED_CELLS = 8,
	INBOX_SPAN_CELLS = 9,
	INBOX_SPAN_CELLS_SHORT = 5,
	MINUTE_MS = 60 * 1000
};

static struct inbox *inbox_here(const struct tui *t)
{
	return inbox_of(t->home);
}

static const struct rows *inbox_rows(const struct tui *t, enum inbox_which which)
{
	static const struct rows none;
	return inbox_here(t) == NULL ? &none : &inbox_here(t)->lists[which].rows;
}

int64_t inbox_changes_in_ms(const struct tui *t)
{
	const struct inbox *in = inbox_here(t);
	int64_t next = -1;
	for (size_t i = 0; in != NULL && t->view != VIEW_HOME && i < INBOX_LISTS; i++) {
		const struct rows *rows = &in->lists[i].rows;
		for (size_t k = 0; k < rows->n; k++) {
			const struct question_view *q = rows->items[k];
			int64_t left = q->expires_at - t->now_ms;
			next = timing_sooner(next, left <= 0 ? -1 : left % MINUTE_MS + 1);
		}
	}
	return next;
}

/* ---- reading ---- */

static struct act inbox_ask_list(struct tui *t, enum inbox_which which)
{
	const struct inbox_list *l = &inbox_here(t)->lists[which];
	struct request *r =
		tui_request(t, which == INBOX_MINE ? ACTION_ASKED : ACTION_INBOX,
			    which == INBOX_MINE ? METHOD_QUESTION_MINE : METHOD_QUESTION_LIST);
	request_int(r, "limit", (int64_t)(INBOX_ROWS_MAX - l->coming.n));
	if (l->cursor != NULL) {
		request_text(r, "cursor", l->cursor);
	}
	return (struct act){.request = r};
}

struct act inbox_wants(struct tui *t)
{
	struct inbox *in = inbox_here(t);
	if (in == NULL || !t->home->is_signed_in || t->link != LINK_LIVE) {
		return (struct act){0};
	}
	bool is_page = t->view == VIEW_QUESTION || t->view == VIEW_OUTCOME;
	if (is_page && in->question != NULL && in->read == INBOX_WANTED) {
		struct request *r = tui_request(t, ACTION_OPEN, METHOD_QUESTION_GET);
		request_text(r, "question_id", in->question->question_id.data);
		if (in->cursor != NULL) {
			request_text(r, "cursor", in->cursor);
		}
		return (struct act){.request = r};
	}
	if (t->view == VIEW_ASKED && in->lists[INBOX_MINE].read == INBOX_WANTED) {
		return inbox_ask_list(t, INBOX_MINE);
	}
	if (in->lists[INBOX_WAITING].read == INBOX_WANTED) {
		return inbox_ask_list(t, INBOX_WAITING);
	}
	return (struct act){0};
}

/* ---- opening ---- */

bool inbox_refuses_strangers(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	(void)room, (void)arg;
	if (inbox_here(t) != NULL && t->home->is_signed_in) {
		return false;
	}
	(void)format_to(out, cap, "Questions are for who is logged in: aye login NAME");
	return true;
}

static enum inbox_which inbox_which_of(const struct tui *t)
{
	return t->view == VIEW_ASKED ? INBOX_MINE : INBOX_WAITING;
}

bool inbox_refuses_empty(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	(void)room, (void)arg;
	if (inbox_rows(t, inbox_which_of(t))->n > 0) {
		return false;
	}
	(void)format_to(out, cap, "There is no question here to open");
	return true;
}

void inbox_show(struct tui *t, const struct question_view *q)
{
	inbox_open(inbox_here(t), q);
	tui_open(t, q->is_mine ? VIEW_OUTCOME : VIEW_QUESTION);
}

void inbox_go_on(struct tui *t)
{
	const struct question_view *next = inbox_next(inbox_here(t));
	if (next != NULL) {
		inbox_show(t, next);
		return;
	}
	inbox_close(inbox_here(t));
	tui_open(t, VIEW_INBOX);
}

void inbox_go_back(struct tui *t)
{
	enum view_kind to = t->view == VIEW_OUTCOME ? VIEW_ASKED
			    : t->view == VIEW_INBOX ? VIEW_HOME
						    : VIEW_INBOX;
	if (t->view != VIEW_ASKED && t->view != VIEW_INBOX) {
		inbox_close(inbox_here(t));
	}
	t->view = to; /* its cursor stays where it was */
}

struct act inbox_open_row(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct rows *rows = inbox_rows(t, inbox_which_of(t));
	(void)a, (void)arg;
	inbox_show(t, rows->items[list_at(tui_listing(t, room, t->view))]);
	return (struct act){0};
}

bool inbox_offers_asked(struct tui *t, const struct replica *room)
{
	(void)room;
	return t->view == VIEW_INBOX;
}

struct act inbox_turn(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	bool is_back = t->view == VIEW_ASKED;
	if (!is_back) {
		inbox_refresh(inbox_here(t), INBOX_MINE);
	}
	tui_open(t, is_back ? VIEW_INBOX : VIEW_ASKED);
	return (struct act){0};
}

/* ---- the lists ---- */

static size_t inbox_count(struct listing l)
{
	return inbox_rows(l.t, INBOX_WAITING)->n;
}

static size_t asked_count(struct listing l)
{
	return inbox_rows(l.t, INBOX_MINE)->n;
}

static bool inbox_matches(const struct question_view *q, const char *filter, bool is_mine)
{
	return list_matches(q->prompt.data, filter) ||
	       list_matches(question_word(q, is_mine), filter);
}

static bool inbox_shows(struct listing l, size_t at, const char *filter)
{
	return inbox_matches(inbox_rows(l.t, INBOX_WAITING)->items[at], filter, false);
}

static bool asked_shows(struct listing l, size_t at, const char *filter)
{
	return inbox_matches(inbox_rows(l.t, INBOX_MINE)->items[at], filter, true);
}

static uint64_t inbox_key(struct listing l, size_t at)
{
	const struct question_view *q = inbox_rows(l.t, INBOX_WAITING)->items[at];
	return list_key(q->question_id.data);
}

static uint64_t asked_key(struct listing l, size_t at)
{
	const struct question_view *q = inbox_rows(l.t, INBOX_MINE)->items[at];
	return list_key(q->question_id.data);
}

/* The column before which how many answers it needs ends. */
static int inbox_needed_end(const struct grid *g)
{
	return g->width - 1 - (g->width >= INBOX_WIDE ? INBOX_SPAN_CELLS : INBOX_SPAN_CELLS_SHORT);
}

/* What it is, what is asked, what it needs, and how long. */
static void inbox_draw_row(const struct tui *t, struct grid *g, int y,
			   const struct question_view *q, bool is_mine, bool has_cursor)
{
	bool is_wide = g->width >= INBOX_WIDE;
	int needed_end = inbox_needed_end(g);
	int prompt_x = INBOX_X + INBOX_WORD_CELLS - (is_wide ? 0 : 1);
	char prompt[256];
	char line[48];
	(void)grid_text(g, INBOX_X, y, STYLE_DIM, question_word(q, is_mine), INBOX_WORD_CELLS - 1);
	question_one_line(q->prompt.data, prompt, sizeof(prompt));
	(void)draw_cut(g, prompt_x, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT, prompt,
		       needed_end - INBOX_NEEDED_CELLS - prompt_x, t->signs);
	(void)format_to(line, sizeof(line), "%lld of %lld",
			(long long)(is_mine ? q->current_responses : q->responses_needed),
			(long long)q->required_responses);
	(void)draw_right(g, needed_end, y, STYLE_TEXT, line);
	question_when(q, t->now_ms, true, line, sizeof(line));
	(void)draw_right(g, g->width - 1, y, STYLE_DIM, line);
}

static void inbox_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	inbox_draw_row(l.t, g, y, inbox_rows(l.t, INBOX_WAITING)->items[at], false, has_cursor);
}

static void asked_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	inbox_draw_row(l.t, g, y, inbox_rows(l.t, INBOX_MINE)->items[at], true, has_cursor);
}

static const struct list_rows inbox_list_rows = {
	.count = inbox_count,
	.shows = inbox_shows,
	.key = inbox_key,
	.draw = inbox_draw_one,
	.sign_x = 1,
	.cursor_x = INBOX_X,
	.newest_first = true,
};

static const struct list_rows asked_list_rows = {
	.count = asked_count,
	.shows = asked_shows,
	.key = asked_key,
	.draw = asked_draw_one,
	.sign_x = 1,
	.cursor_x = INBOX_X,
	.newest_first = true,
};

/* Why there is no list. */
static const char *inbox_nothing(const struct tui *t, enum inbox_which which)
{
	if (inbox_here(t) == NULL || t->link != LINK_LIVE) {
		return "Looking for the server";
	}
	if (!t->home->is_signed_in) {
		return "Questions are for who is logged in: aye login NAME, then come back";
	}
	if (!inbox_here(t)->lists[which].is_known) {
		return "Asking for them";
	}
	return which == INBOX_MINE
		       ? "You have asked nothing yet: aye ask \"Ship it today?\" -o yes -o no"
		       : "No question waits for you.";
}

static void inbox_draw_list(struct tui *t, const struct replica *room, struct grid *g, int height,
			    enum inbox_which which)
{
	const struct rows *rows = inbox_rows(t, which);
	char line[80];
	int y = draw_title(g, which == INBOX_MINE ? "Your questions" : "Inbox");
	if (rows->n == 0) {
		(void)draw_wrapped(g, INBOX_X, y, STYLE_DIM, inbox_nothing(t, which),
				   g->width - INBOX_X - 1);
		return;
	}
	bool has_more = inbox_here(t)->lists[which].has_more;
	(void)format_to(line, sizeof(line), "%s%zu%s", t->signs->dot, rows->n,
			has_more ? " and more" : "");
	(void)grid_text(g, 1 + (which == INBOX_MINE ? 14 : 5), 0, STYLE_DIM, line, -1);
	if (t->link == LINK_LIVE) { /* else that stands there */
		(void)draw_right(g, inbox_needed_end(g), 0, STYLE_DIM,
				 which == INBOX_MINE ? "answers" : "needed");
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM,
				 g->width < INBOX_WIDE ? "" : "time");
	}
	list_draw(tui_listing(t, room, which == INBOX_MINE ? VIEW_ASKED : VIEW_INBOX), g, y,
		  height - y, true);
}

static void inbox_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	inbox_draw_list(t, room, g, height, INBOX_WAITING);
}

static void asked_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	inbox_draw_list(t, room, g, height, INBOX_MINE);
}

const struct view inbox_view = {
	.draw = inbox_view_draw,
	.rows = &inbox_list_rows,
};
const struct view asked_view = {
	.draw = asked_view_draw,
	.rows = &asked_list_rows,
};

/* ---- the head of a page about one of them ---- */

void inbox_draw_head(const struct tui *t, struct grid *g)
{
	const struct question_view *q = inbox_here(t)->question;
	bool is_mine = q->is_mine;
	char line[120];
	char when[40];
	int x = 1 + grid_text(g, 1, 0, STYLE_TITLE, question_word(q, is_mine), -1);
	question_when(q, t->now_ms, g->width < INBOX_WIDE, when, sizeof(when));
	(void)format_to(line, sizeof(line), "%s%lld of %lld %s%s%s", t->signs->dot,
			(long long)(is_mine ? q->current_responses : q->responses_needed),
			(long long)q->required_responses,
			is_mine			? "answered"
			: g->width < INBOX_WIDE ? "needed"
						: "answers needed",
			when[0] == '\0' ? "" : t->signs->dot, when);
	x += draw_cut(g, x, 0, STYLE_DIM, line, g->width - x - 1, t->signs);
	if (q->asked_by.len > 0 && !is_mine && t->link == LINK_LIVE) {
		enum { FROM_CELLS_LEAST = 12 };
		int cells = g->width - x - 4;
		(void)format_to(line, sizeof(line), "from %s", q->asked_by.data);
		if (cells >= FROM_CELLS_LEAST) {
			int used = draw_cells(line) < cells ? draw_cells(line) : cells;
			(void)draw_cut(g, g->width - 1 - used, 0, STYLE_DIM, line, used, t->signs);
		}
	}
}
