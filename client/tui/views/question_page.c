/*
 * question_page.c - one question: what is asked, its options as a hand or the answer that is
 * written, and what is said beside it. The answer is a draft of the inbox (inbox.h), so nothing
 * of it is lost when the page is left or the connection is.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <assert.h>
#include <string.h>

#include "client/acts/fault_words.h"
#include "client/model/questions/question_text.h"
#include "proto/base/format.h"

enum {
	QUESTION_X = 3,
	QUESTION_PROMPT_LEAST = 2, /* rows that the prompt keeps */
	ANSWER_BYTES_MAX = FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS
};
static_assert((int)ANSWER_BYTES_MAX <= (int)SHEET_BYTES_MAX, "an answer can be written");

/* ---- what can be done ---- */

static const struct question_view *question_open(const struct tui *t)
{
	return t->inbox == NULL ? NULL : t->inbox->question;
}

bool question_offers(struct tui *t, const struct replica *room)
{
	(void)room;
	return question_open(t) != NULL && inbox_is_answerable(t->inbox);
}

bool question_offers_choice(struct tui *t, const struct replica *room)
{
	return question_offers(t, room) && question_open(t)->type == QUESTION_CHOICE;
}

bool question_offers_words(struct tui *t, const struct replica *room)
{
	return question_offers(t, room) && question_open(t)->type == QUESTION_TEXT;
}

/* Why it takes no answer; NULL: it does. */
static const char *question_why_not(const struct tui *t)
{
	const struct question_view *q = question_open(t);
	if (q == NULL) {
		return "No question is open";
	}
	if (inbox_is_sending(t->inbox)) {
		return "Your answer is being sent";
	}
	if (q->can_answer) {
		return NULL;
	}
	return q->with_why_not && q->why_not == BAR_MINE ? "It is your own"
							 : "This question is closed";
}

static bool question_is_refused(struct tui *t)
{
	const char *why = question_why_not(t);
	if (why != NULL) {
		said_reply(t, "%s", why);
	}
	return why != NULL;
}

/* The option that is chosen; how many there are: none is. */
static size_t question_chosen(const struct tui *t)
{
	struct question_answer_params draft = inbox_draft(t->inbox);
	size_t n = question_open(t)->options.n;
	return draft.with_selected_option && draft.selected_option >= 0 &&
			       (uint64_t)draft.selected_option < n
		       ? (size_t)draft.selected_option
		       : n;
}

static void question_choose(struct tui *t, size_t option)
{
	struct question_answer_params draft = inbox_draft(t->inbox);
	if (option < question_open(t)->options.n && !question_is_refused(t)) {
		draft.selected_option = (int64_t)option;
		draft.with_selected_option = true;
		inbox_keep(t->inbox, &draft);
	}
}

static void question_move(struct tui *t, int by)
{
	size_t n = question_open(t)->options.n;
	size_t at = question_chosen(t);
	question_choose(t, at == n ? (by > 0 ? 0 : n - 1) : (at + n + (size_t)(by + (int)n)) % n);
}

static struct act question_click(struct tui *t, const struct replica *room, uint32_t which)
{
	const struct question_view *q = question_open(t);
	(void)room;
	for (size_t i = 0; q != NULL && i < q->options.n; i++) {
		if ((uint32_t)list_key(q->options.items[i].data) == which) {
			question_choose(t, i);
			break;
		}
	}
	return (struct act){0};
}

/* The draft as a request; a reply says what is wrong with it. */
static struct act question_send_draft(struct tui *t)
{
	struct question_answer_params draft = inbox_draft(t->inbox);
	const struct question_view *q = question_open(t);
	if (question_is_refused(t)) {
		return (struct act){0};
	}
	if (t->inbox->sending != NULL) {
		said_reply(t, "Still sending your previous answer");
		return (struct act){0};
	}
	if (q->type == QUESTION_CHOICE && question_chosen(t) == q->options.n) {
		said_reply(t, "Choose first: a digit, or the arrows");
		return (struct act){0};
	}
	if (q->type == QUESTION_TEXT && draft.answer.len == 0) {
		said_reply(t, "Write your answer first: w");
		return (struct act){0};
	}
	struct request *r = tui_request(t, ACTION_SEND, METHOD_QUESTION_ANSWER);
	request_text(r, "question_id", q->question_id.data);
	if (q->type == QUESTION_CHOICE) {
		request_int(r, "selected_option", draft.selected_option);
	} else {
		request_text(r, "answer", draft.answer.data);
	}
	if (draft.with_confidence) {
		request_int(r, "confidence", draft.confidence);
	}
	if (draft.comment.len > 0) {
		request_text(r, "comment", draft.comment.data);
	}
	return tui_send(t, ACTION_SEND);
}

struct act question_send(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	return question_send_draft(t);
}

struct act question_write(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	if (!question_is_refused(t) && question_open(t)->type == QUESTION_TEXT) {
		struct question_answer_params draft = inbox_draft(t->inbox);
		text_editor_set(t->answer, draft.answer.len > 0 ? draft.answer.data : "",
				ANSWER_BYTES_MAX);
		t->view = VIEW_ANSWER;
	}
	return (struct act){0};
}

const char *question_start_comment(struct tui *t, const struct replica *room)
{
	(void)room;
	return inbox_draft(t->inbox).comment.data;
}

/* One of the draft's fields becomes what was typed, as its row allows it. */
static struct act question_set(struct tui *t, const char *field, const char *typed)
{
	struct request *r = request_make(METHOD_QUESTION_ANSWER);
	struct question_answer_params draft = inbox_draft(t->inbox);
	const struct question_answer_params *set = r->params;
	if (question_is_refused(t)) {
		request_free(r);
		return (struct act){0};
	}
	if (typed[0] != '\0') {
		request_value(r, field, typed);
	}
	if (r->fault.code != FAULT_NONE) {
		char line[FAULT_WORDS_BYTES_MAX];
		fault_words(&r->fault, line);
		said_reply(t, "%s", line);
	} else if (strcmp(field, "comment") == 0) {
		draft.comment = set->comment;
		draft.with_comment = set->comment.len > 0;
		inbox_keep(t->inbox, &draft);
	} else {
		draft.confidence = set->confidence;
		draft.with_confidence = set->with_confidence;
		inbox_keep(t->inbox, &draft);
	}
	request_free(r);
	return (struct act){0};
}

struct act question_comment(struct tui *t, const struct replica *room, enum action a,
			    const char *typed)
{
	(void)room, (void)a;
	return question_set(t, "comment", typed);
}

struct act question_confidence(struct tui *t, const struct replica *room, enum action a,
			       const char *typed)
{
	(void)room, (void)a;
	return question_set(t, "confidence", typed);
}

/* It is off the list at once; should the server refuse, the next reading of the list has it again. */
struct act question_skip(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)arg;
	if (question_is_refused(t)) {
		return (struct act){0};
	}
	struct inbox *in = t->inbox;
	struct request *r = tui_request(t, a, METHOD_QUESTION_SKIP);
	request_text(r, "question_id", in->question->question_id.data);
	inbox_drop(in, in->question->question_id);
	inbox_go_on(t);
	tui_tell(t, "Skipped");
	return tui_send(t, a);
}

void tui_take_answered(struct tui *t, const struct question_answer_result *r)
{
	if (!tui_is_in(t, IN_QUESTION | IN_ANSWER)) {
		return;
	}
	char line[QUESTION_SENT_BYTES];
	question_sent(r, t->settings.value[SETTING_POINTS] == POINTS_SHOWN, line);
	inbox_go_on(t);
	tui_tell(t, line);
}

/* ---- the page ---- */

/* Rows that an option takes below the others: one, and all that it needs where it is chosen or there is room. */
static int question_option_rows(const struct tui *t, const struct grid *g, size_t at, bool is_whole)
{
	const struct question_view *q = question_open(t);
	int lines = draw_wrapped(NULL, 0, 0, STYLE_TEXT, q->options.items[at].data,
				 g->width - QUESTION_X - 5);
	return lines > 1 && (is_whole || at == question_chosen(t)) ? lines : 1;
}

/* From one on to another. */
static int question_options_rows(const struct tui *t, const struct grid *g, size_t from, size_t to,
				 bool is_whole)
{
	int rows = 0;
	for (size_t i = from; i <= to && i < question_open(t)->options.n; i++) {
		rows += question_option_rows(t, g, i, is_whole);
	}
	return rows;
}

static void question_draw_options(const struct tui *t, struct grid *g, int y, int height)
{
	const struct question_view *q = question_open(t);
	size_t n = q->options.n;
	size_t chosen = question_chosen(t);
	bool is_whole = question_options_rows(t, g, 0, n, true) <= height;
	int end = y + height;
	size_t first = 0;
	while (chosen < n && first < chosen &&
	       question_options_rows(t, g, first, chosen, is_whole) > height) {
		first++;
	}
	for (size_t i = first; i < n && y < end; i++) {
		const char *label = q->options.items[i].data;
		const char digit[] = {hand_key_of_card(&q->options, i), '\0'};
		int rows = question_option_rows(t, g, i, is_whole);
		enum style style = i == chosen ? STYLE_CHOSEN : STYLE_TEXT;
		int x = QUESTION_X + 1;
		int cells = g->width - x - 4;
		rows = rows < end - y ? rows : end - y;
		if (i == chosen) {
			(void)grid_text(g, QUESTION_X, y, STYLE_OWN, "[", 1);
			(void)grid_text(g, x + 1, y, STYLE_OWN, "]", 1);
			grid_cursor(g, x, y);
		}
		(void)grid_text(g, x, y, STYLE_STRONG, digit, 1);
		if (rows > 1) {
			(void)draw_text(g, x + 3, y, style, label, cells, 0, rows);
		} else {
			(void)draw_cut(g, x + 3, y, style, label, cells, t->signs);
		}
		grid_mark(g, QUESTION_X, y, g->width - QUESTION_X, rows,
			  (struct spot){SPOT_CARD, (uint32_t)list_key(label)});
		y += rows;
	}
}

/* "How sure: 4 of 5 · it has been tested"; false where nothing is said beside the answer. */
static bool question_beside(const struct tui *t, char *out, size_t cap)
{
	struct question_answer_params draft = inbox_draft(t->inbox);
	size_t n = 0;
	out[0] = '\0';
	if (draft.with_confidence) {
		n = format_to(out, cap, "Confidence: %lld of %d", (long long)draft.confidence,
			      MAX_QUESTION_CONFIDENCE);
	}
	if (draft.comment.len > 0) {
		(void)format_to(out + n, cap - n, "%sComment: %s", n > 0 ? t->signs->dot : "",
				draft.comment.data);
	}
	return out[0] != '\0';
}

/* Where the answer stands; its rows at the lower end of `height`. */
static int question_draw_answer(const struct tui *t, struct grid *g, int y, int height,
				bool is_drawn)
{
	const struct question_view *q = question_open(t);
	bool is_roomy = g->height >= DRAW_ROOMY;
	if (!q->can_answer && !inbox_is_sending(t->inbox)) {
		if (is_drawn) {
			(void)draw_cut(g, QUESTION_X, y, STYLE_WARN, question_why_not(t),
				       g->width - QUESTION_X - 1, t->signs);
		}
		return 1;
	}
	if (q->type == QUESTION_TEXT) {
		struct question_answer_params draft = inbox_draft(t->inbox);
		const char *text = draft.answer.len > 0
					   ? draft.answer.data
					   : "Press w to write your answer, ^S to send it";
		enum style style = draft.answer.len > 0 ? STYLE_OWN : STYLE_DIM;
		int cells = g->width - QUESTION_X - 1;
		int lines = draw_text(NULL, 0, 0, style, text, cells, 0, 0);
		lines = lines > height ? height : lines;
		if (is_drawn) {
			(void)draw_text(g, QUESTION_X, y, style, text, cells, 0, lines);
		}
		return lines;
	}
	size_t chosen = question_chosen(t);
	struct hand hand = {
		.cards = &q->options,
		.focus = chosen,
		.own = chosen,
		.own_state = inbox_is_sending(t->inbox) ? 'p' : 'm',
		.title = " your answer ",
	};
	if (hand_cells(t, &q->options) <= g->width - 6) {
		int rows = is_roomy ? 3 : 2;
		if (is_drawn && is_roomy) {
			hand_draw_framed(t, &hand, g, y);
		} else if (is_drawn) {
			hand_draw_bare(t, &hand, g, y, rows);
		}
		return rows;
	}
	int rows = question_options_rows(t, g, 0, q->options.n, true);
	rows = rows <= height ? rows
			      : draw_between(1, question_options_rows(t, g, 0, q->options.n, false),
					     height);
	if (is_drawn) {
		question_draw_options(t, g, y, rows);
	}
	return rows;
}

static void question_page_draw(const struct tui *t, const struct replica *room, struct grid *g,
			       int height)
{
	const struct question_view *q = question_open(t);
	bool is_roomy = g->height >= DRAW_ROOMY;
	int gap = is_roomy ? 1 : 0;
	char beside[TUI_MESSAGE_BYTES_MAX];
	if (q == NULL) {
		(void)draw_title(g, "No question is open");
		return;
	}
	inbox_draw_head(t, g);
	int y = 1 + gap;
	bool has_beside = question_beside(t, beside, sizeof(beside));
	int below = (has_beside ? 1 + gap : 0) + gap;
	int cells = g->width - QUESTION_X - 1;
	int lines = draw_text(NULL, 0, 0, STYLE_STRONG, q->prompt.data, cells, 0, 0);
	int least = lines < QUESTION_PROMPT_LEAST ? lines : QUESTION_PROMPT_LEAST;
	int most = height - y - below - least;
	int answer = question_draw_answer(t, g, 0, most, false);
	int rows = draw_between(0, height - y - below - answer - gap, lines);
	int top = list_scroll(tui_listing(t, room, VIEW_QUESTION), lines, rows);
	(void)draw_text(g, QUESTION_X, y, STYLE_STRONG, q->prompt.data, cells, top, rows);
	if (lines > rows && rows > 0) {
		char more[32];
		(void)format_to(more, sizeof(more), "PgDn %d%%", top * 100 / (lines - rows));
		(void)draw_right(g, g->width - 1, y - 1, STYLE_DIM, gap > 0 ? more : "");
	}
	y += rows + gap;
	y += question_draw_answer(t, g, y, most, true) + gap;
	if (has_beside && y < height) {
		(void)draw_cut(g, QUESTION_X, y, STYLE_DIM, beside, cells, t->signs);
	}
}

static struct act question_page_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	const struct question_view *q = question_open(t);
	bool is_choice = q != NULL && q->type == QUESTION_CHOICE && q->options.n > 0;
	enum { CTRL_S = 19 };
	if (q == NULL && key != TUI_KEY_ESCAPE) {
		return (struct act){0};
	}
	if (is_choice && key >= '0' && key <= '9') {
		int option = hand_type_digit(t, &q->options, (int)(key - '0'));
		if (option < 0) {
			said_reply(t, "No option for key %d. Choose with the arrows",
				   (int)(key - '0'));
			return (struct act){0};
		}
		question_choose(t, (size_t)option);
		return (struct act){0};
	}
	if (is_choice && (key == TUI_KEY_LEFT || key == TUI_KEY_UP || key == TUI_KEY_RIGHT ||
			  key == TUI_KEY_DOWN)) {
		question_move(t, key == TUI_KEY_LEFT || key == TUI_KEY_UP ? -1 : 1);
		return (struct act){0};
	}
	if (key == CTRL_S) {
		return question_send_draft(t);
	}
	if (q != NULL && q->type == QUESTION_TEXT && key == TUI_KEY_ENTER) {
		return action_run(t, room, ACTION_WRITE, NULL);
	}
	return tui_act_on_key(t, room, key);
}

const struct view question_page = {
	.parent = VIEW_INBOX,
	.leave = inbox_leave,
	.click = question_click,
	.changes_in_ms = inbox_changes_in_ms,
	.draw = question_page_draw,
	.take_key = question_page_take_key,
	.rows = &list_of_text,
};

/* ---- the answer in words ---- */

static void answer_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			     int height)
{
	const struct question_view *q = question_open(t);
	bool is_roomy = g->height >= DRAW_ROOMY;
	char prompt[256];
	(void)room;
	if (q == NULL) {
		return;
	}
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Your answer", -1);
	question_one_line(q->prompt.data, prompt, sizeof(prompt));
	(void)draw_cut(g, 1, 1, STYLE_DIM, prompt, g->width - 2, t->signs);
	int y = is_roomy ? 3 : 2;
	text_editor_draw(t->answer, g, 2, y, g->width - 3, height - y - (is_roomy ? 1 : 0));
}

static struct act answer_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	enum { CTRL_S = 19 };
	struct inbox *in = t->inbox;
	(void)room;
	if (key != TUI_KEY_ESCAPE && key != CTRL_S) {
		(void)text_editor_take_key(t->answer, key);
		return (struct act){0};
	}
	struct question_answer_params draft = inbox_draft(in);
	draft.answer = slice_of(t->answer->text, t->answer->len);
	draft.with_answer = t->answer->len > 0;
	inbox_keep(in, &draft);
	tui_open(t, VIEW_QUESTION);
	return key == CTRL_S ? question_send_draft(t) : (struct act){0};
}

const struct view answer_view = {
	.sheet = offsetof(struct tui, answer),
	.draw = answer_view_draw,
	.take_key = answer_view_take_key,
	.footer = "^S send  Esc back (kept)  Enter new line",
};
