/*
 * inbox_view.c - the questions that wait for an answer, and those one has asked: two lists of
 * lines, and what they share with the pages that they open.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum {
	INBOX_X = 3,
	INBOX_WIDE = 60, /* columns from which on words are not shortened */
	MINUTE_MS = 60 * 1000
};

static const struct rows *inbox_rows(const struct tui *t, enum inbox_which which)
{
	static const struct rows none;
	return t->inbox == NULL ? &none : &t->inbox->lists[which].rows;
}

int64_t inbox_changes_in_ms(const struct tui *t)
{
	const struct inbox *in = t->inbox;
	int64_t next = -1;
	for (size_t i = 0; in != NULL && i < INBOX_LISTS; i++) {
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

static enum inbox_which inbox_which_of(enum view_kind view)
{
	uint8_t which = view_of(view)->questions;
	return which == 0 ? INBOX_WAITING : (enum inbox_which)(which - 1);
}

struct act inbox_wants(struct tui *t)
{
	struct inbox *in = t->inbox;
	if (in == NULL || !tui_is_signed_in(t) || t->link != LINK_LIVE) {
		return (struct act){0};
	}
	bool is_page = tui_is_in(t, IN_QUESTION | IN_OUTCOME);
	if (t->home == NULL && !tui_is_in(t, IN_QUESTIONS)) {
		return (struct act){0}; /* nothing in the room counts them */
	}
	if (is_page && in->question != NULL && in->read == FEED_WANTED) {
		struct request *r = tui_request(t, ACTION_OPEN, METHOD_QUESTION_GET);
		request_text(r, "question_id", in->question->question_id.data);
		if (in->cursor != NULL) {
			request_text(r, "cursor", in->cursor);
		}
		return (struct act){.request = r};
	}
	struct feed *own = &in->lists[inbox_which_of(t->view)];
	return tui_wish(t, own->read == FEED_WANTED ? own : &in->lists[INBOX_WAITING], NULL);
}

/* ---- opening ---- */

bool inbox_refuses_strangers(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	(void)room, (void)arg;
	if (t->inbox != NULL && tui_is_signed_in(t)) {
		return false;
	}
	(void)format_to(out, cap, "Log in to see questions: aye login NAME");
	return true;
}

bool inbox_refuses_empty(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	(void)room, (void)arg;
	if (inbox_rows(t, inbox_which_of(t->view))->n > 0) {
		return false;
	}
	(void)format_to(out, cap, "No question to open");
	return true;
}

const struct question_view *inbox_focus(struct tui *t)
{
	return tui_is_in(t, IN_QUESTION | IN_OUTCOME) ? t->inbox->question
						      : list_row(tui_listing(t, NULL, t->view));
}

bool inbox_refuses_ended(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	(void)room, (void)arg;
	const struct question_view *q = inbox_focus(t);
	if (q != NULL && question_is_open(q)) {
		return false;
	}
	(void)format_to(out, cap, q == NULL ? "No question to cancel" : "This question has ended");
	return true;
}

static void inbox_show(struct tui *t, const struct question_view *q)
{
	inbox_open(t->inbox, q);
	tui_open(t, q->is_mine ? VIEW_OUTCOME : VIEW_QUESTION);
}

void inbox_go_on(struct tui *t)
{
	const struct question_view *next = inbox_next(t->inbox);
	if (next != NULL) {
		inbox_show(t, next);
		return;
	}
	inbox_close(t->inbox);
	tui_open(t, VIEW_INBOX);
}

void inbox_leave(struct tui *t)
{
	inbox_close(t->inbox);
}

struct act inbox_open_row(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	inbox_show(t, list_row(tui_listing(t, room, t->view)));
	return (struct act){0};
}

bool inbox_offers_answered(struct tui *t, const struct replica *room)
{
	(void)room;
	return t->inbox != NULL && t->inbox->answered != NULL;
}

bool inbox_refuses_unanswered(struct tui *t, const struct replica *room, const char *arg, char *out,
			      size_t cap)
{
	(void)arg;
	if (inbox_offers_answered(t, room)) {
		return false;
	}
	(void)format_to(out, cap, "No answer sent from here yet. To change one: aye answer ID");
	return true;
}

/* With what was answered; whether it can still be changed is read with it. */
struct act inbox_open_answered(struct tui *t, const struct replica *room, enum action a,
			       const char *arg)
{
	(void)room, (void)a, (void)arg;
	inbox_show(t, t->inbox->answered);
	return (struct act){0};
}

bool inbox_offers_asked(struct tui *t, const struct replica *room)
{
	(void)room;
	return tui_is_in(t, IN_INBOX);
}

/* What came since is not told to whoever asked for no notices. */
struct act inbox_come(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	feed_refresh(&t->inbox->lists[INBOX_WAITING]);
	return (struct act){0};
}

struct act inbox_turn(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	bool is_back = tui_is_in(t, IN_ASKED);
	if (!is_back) {
		feed_refresh(&t->inbox->lists[INBOX_MINE]);
	}
	tui_open(t, is_back ? VIEW_INBOX : VIEW_ASKED);
	return (struct act){0};
}

/* ---- the lists ---- */

static enum inbox_which inbox_which_listed(struct listing l)
{
	return inbox_which_of((enum view_kind)(l.spot - SPOT_ROW));
}

static const struct rows *inbox_list_of(struct listing l)
{
	return inbox_rows(l.t, inbox_which_listed(l));
}

/* What it is, */
static const char *inbox_word(struct list_cell *c)
{
	return question_word(c->row, inbox_which_listed(c->l) == INBOX_MINE);
}

/* what is asked, */
static const char *inbox_prompt(struct list_cell *c)
{
	const struct question_view *q = c->row;
	question_one_line(q->prompt.data, c->out, COLUMN_TEXT_BYTES);
	return c->cells > 0 ? c->out : q->prompt.data; /* the filter looks at all of it */
}

/* how many have answered, */
static const char *inbox_answers(struct list_cell *c)
{
	const struct question_view *q = c->row;
	return list_words(c, "%lld of %lld", (long long)q->current_responses,
			  (long long)q->required_responses);
}

/* and how long. */
static const char *inbox_when(struct list_cell *c)
{
	question_when(c->row, c->l.t->now_ms, true, c->out, COLUMN_TEXT_BYTES);
	return c->out;
}

static const struct column inbox_columns[] = {
	{.text = inbox_word, .look = STYLE_DIM, .is_found = true},
	{.text = inbox_prompt, .grows = true, .is_found = true},
	{.title = "answers", .text = inbox_answers, .is_right = true},
	{.title = "time", .text = inbox_when, .look = STYLE_DIM, .is_right = true},
};

/* Why there is no list. */
static const char *inbox_waits(const struct tui *t, char out[TUI_WAITS_BYTES_MAX])
{
	(void)out;
	if (t->inbox == NULL || t->link != LINK_LIVE) {
		return "Looking for the server";
	}
	if (!tui_is_signed_in(t)) {
		return "Log in to see questions: aye login NAME";
	}
	return t->inbox->lists[inbox_which_of(t->view)].is_known ? "" : "Loading";
}

static bool inbox_has_more(const struct tui *t)
{
	return t->inbox->lists[inbox_which_of(t->view)].has_more;
}

const struct view inbox_view = {
	.is_over = true,
	.title = "Inbox",
	.changes_in_ms = inbox_changes_in_ms,
	.has_more = inbox_has_more,
	.waits = inbox_waits,
	.empty = "No questions for you. Press a to ask one.",
	.rows =
		&(const struct list_rows){
			.rows = inbox_list_of,
			COLUMNS(inbox_columns),
			.chosen = 1,
			.newest_first = true,
		},
};
const struct view asked_view = {
	.title = "Your questions",
	.parent = VIEW_INBOX,
	.questions = 1 + INBOX_MINE,
	.changes_in_ms = inbox_changes_in_ms,
	.has_more = inbox_has_more,
	.waits = inbox_waits,
	.empty = "No questions of yours. Press a to ask one.",
	.rows =
		&(const struct list_rows){
			.rows = inbox_list_of,
			COLUMNS(inbox_columns),
			.chosen = 1,
			.newest_first = true,
		},
};

/* ---- the head of a page about one of them ---- */

void inbox_draw_head(const struct tui *t, struct grid *g)
{
	const struct question_view *q = t->inbox->question;
	bool is_mine = q->is_mine;
	char line[120];
	char when[40];
	int x = 1 + grid_text(g, 1, 0, STYLE_TITLE, question_word(q, is_mine), -1);
	question_when(q, t->now_ms, g->width < INBOX_WIDE, when, sizeof(when));
	(void)format_to(line, sizeof(line), "%s%lld of %lld answer%s%s%s", t->signs->dot,
			(long long)q->current_responses, (long long)q->required_responses,
			q->required_responses == 1 ? "" : "s", when[0] == '\0' ? "" : t->signs->dot,
			when);
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
