/*
 * lines_inbox.c - a list with numbers, a line, what comes of it; see lines_inbox.h.
 */
#include "client/lines/lines_inbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/acts/fault_words.h"
#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/login.h"
#include "client/cli/reach/reach.h"
#include "client/cli/verb_screen.h"
#include "client/kiosk/ssh_session.h"
#include "client/lines/lines_ask.h"
#include "client/model/memory.h"
#include "client/model/questions/inbox.h"
#include "client/model/questions/question_outcome.h"
#include "client/model/questions/question_text.h"
#include "client/tui/actions/action_table.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"

#define LINES_INBOX_HELP                                                                        \
	"Type a number to read that question, answer 1 yes, sure 1 4, comment 1 TEXT, skip 1, " \
	"list, mine, cancel 1, or q to quit."

struct lines_inbox {
	struct cli *cli;
	struct server_place place;
	struct lines_ask ask; /* with the connection */
	struct inbox inbox;
	enum inbox_which which; /* the list that numbers mean */
	struct arena arena;	/* what results live in */
	int code;		/* what it ends with; -1: it goes on */
};

/* ---- asking ---- */

/* EXIT_DONE, or the exit code, told. */
static int lines_inbox_connect(struct lines_inbox *l)
{
	struct errmsg why = {""};
	const struct sign_in *s = l->ask.sign_in;
	lines_ask_connect(&l->ask, &l->place.address, l->ask.sign_in);
	if (room_client_connect(l->ask.client, true, l->cli->answer_ms, &why) != OK) {
		lines_ask_disconnect(&l->ask);
		return reach_tell_lost(&l->place, &why);
	}
	if (s == NULL || !s->is_signed_in) {
		print_problem("log in to see questions: aye login NAME");
		return EXIT_REFUSED;
	}
	return EXIT_DONE;
}

/*
 * One request; false where it has no result: a refusal is told and is in *fault, anything else
 * is told and ends the program.
 */
static bool lines_inbox_call(struct lines_inbox *l, enum method method, const void *params,
			     void *result, struct fault *fault)
{
	struct reply reply = {.is_refused = false};
	enum err e = ERR_CLOSED;
	char line[FAULT_WORDS_BYTES_MAX];
	*fault = (struct fault){.code = FAULT_NONE};
	for (int tries = 0; e == ERR_CLOSED && tries < 2; tries++) {
		if (l->ask.client == NULL) {
			l->code = lines_inbox_connect(l);
			if (l->code != EXIT_DONE) {
				return false;
			}
			l->code = -1;
		}
		e = room_client_ask_record(l->ask.client, method, params, l->cli->answer_ms,
					   &l->arena, result, &reply);
		if (e == ERR_CLOSED) {
			lines_ask_disconnect(&l->ask);
		}
	}
	if (e != OK) {
		l->code = print_failure(e, l->ask.client == NULL ? "the connection was lost"
								 : room_client_why(l->ask.client));
		return false;
	}
	if (reply.is_refused) {
		*fault = reply.fault;
		fault_words(fault, line);
		line[0] = ascii_upper(line[0]);
		(void)print_line("%s.", print_soft(slice_str(line)));
		return false;
	}
	return true;
}

/* ---- the lists ---- */

static bool lines_inbox_read(struct lines_inbox *l)
{
	struct feed *list = &l->inbox.lists[l->which];
	struct request *r;
	feed_refresh(list);
	while ((r = feed_ask(list)) != NULL) {
		struct question_list_result page;
		struct fault fault;
		bool is_read = lines_inbox_call(l, r->method, r->params, &page, &fault);
		feed_sent(list, r);
		if (is_read) {
			feed_take(list, r, &page);
		}
		request_free(r);
		if (!is_read) {
			feed_lost(list);
			l->code = l->code < 0 ? EXIT_REFUSED : l->code;
			return false;
		}
	}
	return true;
}

static int64_t lines_inbox_now(const struct lines_inbox *l)
{
	return l->ask.client == NULL ? 0 : room_client_server_ms(l->ask.client);
}

/* "technical, 2 of 5 answers, 54 min left" */
static void lines_inbox_stands(const struct lines_inbox *l, const struct question_view *q,
			       char *out, size_t cap)
{
	char when[40];
	bool is_mine = l->which == INBOX_MINE;
	question_when(q, lines_inbox_now(l), false, when, sizeof(when));
	(void)format_to(out, cap, "%s, %lld of %lld answer%s%s%s", question_word(q, is_mine),
			(long long)q->current_responses, (long long)q->required_responses,
			q->required_responses == 1 ? "" : "s", when[0] == '\0' ? "" : ", ", when);
}

static bool lines_inbox_tell_list(struct lines_inbox *l)
{
	const struct feed *list = &l->inbox.lists[l->which];
	bool is_told = true;
	for (size_t i = 0; i < list->rows.n && is_told; i++) {
		const struct question_view *q = list->rows.items[i];
		char stands[120];
		char prompt[200];
		lines_inbox_stands(l, q, stands, sizeof(stands));
		question_one_line(q->prompt.data, prompt, sizeof(prompt));
		is_told = print_line("%zu: %s: %s", i + 1, stands, prompt);
	}
	if (is_told && list->has_more) {
		is_told = print_line("There are more.");
	}
	return is_told && (list->rows.n > 0 ||
			   print_line(l->which == INBOX_MINE ? "You have not asked any questions."
							     : "No questions for you."));
}

static void lines_inbox_show_list(struct lines_inbox *l)
{
	if (lines_inbox_read(l) && !lines_inbox_tell_list(l)) {
		l->code = EXIT_BROKEN;
	}
}

/* Each as a line of JSON. */
static int lines_inbox_print_json(const struct lines_inbox *l)
{
	const struct rows *rows = &l->inbox.lists[INBOX_WAITING].rows;
	int code = EXIT_DONE;
	for (size_t i = 0; i < rows->n && code == EXIT_DONE; i++) {
		code = print_record(&record_question_view, rows->items[i]);
	}
	return code;
}

/* ---- one question ---- */

/* The question whose number begins the text becomes the open one, and *rest is what stands behind; false: told that there is none. */
static bool lines_inbox_open(struct lines_inbox *l, const char *text, const char **rest)
{
	const struct rows *rows = &l->inbox.lists[l->which].rows;
	size_t len = strcspn(text, " ");
	int64_t number;
	if (!decimal_read(slice_of(text, len), 1, (int64_t)rows->n, &number)) {
		(void)print_line(len == 0 ? "Which question? Start with its number."
					  : "No question %.*s here.",
				 (int)len, text);
		return false;
	}
	*rest = text + len + strspn(text + len, " ");
	inbox_open(&l->inbox, rows->items[number - 1]);
	return true;
}

static void lines_inbox_tell_answers(const struct question_view *q)
{
	struct buf text;
	for (size_t i = 0; i < q->summary_n; i++) {
		(void)print_line("%s: %lld", q->summary[i].option.data,
				 (long long)q->summary[i].votes);
	}
	buf_init(&text, MAX_FRAME_BYTES * 2);
	question_write_responses(q, &text);
	(void)buf_append(&text, "", 1);
	(void)memory_check(text.error);
	(void)print_part("%s", q->responses_n == 0 && q->is_mine ? "Nobody has answered yet.\n"
								 : text.data);
	buf_finish(&text);
}

static void lines_inbox_show(struct lines_inbox *l, const char *text)
{
	const char *rest;
	char stands[120];
	if (!lines_inbox_open(l, text, &rest)) {
		return;
	}
	while (l->inbox.read == FEED_WANTED) {
		struct question_get_params p = {.question_id = l->inbox.question->question_id};
		struct question_get_result r;
		struct fault fault;
		p.cursor = slice_str(l->inbox.cursor == NULL ? "" : l->inbox.cursor);
		if (!lines_inbox_call(l, METHOD_QUESTION_GET, &p, &r, &fault)) {
			return;
		}
		inbox_take_question(&l->inbox, &r);
	}
	const struct question_view *q = l->inbox.question;
	lines_inbox_stands(l, q, stands, sizeof(stands));
	(void)print_line("%s%s%s", stands, q->asked_by.len > 0 && !q->is_mine ? ", from " : "",
			 q->asked_by.len > 0 && !q->is_mine ? q->asked_by.data : "");
	(void)print_line("%s", q->prompt.data);
	for (size_t i = 0; i < q->options.n && q->can_answer; i++) {
		(void)print_line("  %zu) %s", i + 1, q->options.items[i].data);
	}
	lines_inbox_tell_answers(q);
}

/* ---- answering ---- */

/* What was typed, as the question takes it; false: told that it is none of the options. */
static bool lines_inbox_fill(const struct question_view *q, const char *text,
			     struct question_answer_params *p)
{
	if (q->type == QUESTION_TEXT) {
		p->answer = slice_str(text);
		p->with_answer = text[0] != '\0';
		return true;
	}
	int option = question_option(&q->options, slice_str(text));
	if (option < 0) {
		(void)print_line(text[0] == '\0'
					 ? "Which option?%s Type the question's number to see them."
					 : "No option %s; type the question's number to see them.",
				 text);
		return false;
	}
	p->selected_option = option;
	p->with_selected_option = true;
	return true;
}

static void lines_inbox_answer(struct lines_inbox *l, const char *text)
{
	const char *answer;
	char once[REACH_ONCE_CHARS + 1];
	struct question_answer_result r;
	struct fault fault;
	if (!lines_inbox_open(l, text, &answer)) {
		return;
	}
	struct question_answer_params p = inbox_draft(&l->inbox);
	if (!lines_inbox_fill(l->inbox.question, answer, &p)) {
		return;
	}
	p.idempotency_key = reach_once(once);
	p.with_idempotency_key = true;
	if (lines_inbox_call(l, METHOD_QUESTION_ANSWER, &p, &r, &fault)) {
		(void)question_print_result(l->cli, &r);
		inbox_take_answer(&l->inbox, l->inbox.question->question_id);
		lines_inbox_show_list(l);
	} else if (fault.code != FAULT_NONE && fault.code != FAULT_VALIDATION_ERROR) {
		lines_inbox_show_list(l);
	}
}

/* Said beside the answer that follows. */
static void lines_inbox_beside(struct lines_inbox *l, const char *text, bool is_comment)
{
	const char *said;
	int64_t sure = 0;
	if (!lines_inbox_open(l, text, &said)) {
		return;
	}
	struct question_answer_params p = inbox_draft(&l->inbox);
	if (is_comment) {
		p.comment = slice_str(said);
		p.with_comment = said[0] != '\0';
	} else if (decimal_read(slice_str(said), 1, MAX_QUESTION_CONFIDENCE, &sure)) {
		p.confidence = sure;
		p.with_confidence = true;
	} else {
		(void)print_line("Confidence is a number from 1 to %d.", MAX_QUESTION_CONFIDENCE);
		return;
	}
	inbox_keep(&l->inbox, &p);
	(void)print_line("It is sent with your answer.");
}

/* The word's own text behind it, or NULL where the line is about something else. */
static const char *lines_inbox_behind(const char *line, const char *word)
{
	size_t len = strlen(word);
	bool is_it = strncmp(line, word, len) == 0 && (line[len] == ' ' || line[len] == '\0');
	return is_it ? line + len + strspn(line + len, " ") : NULL;
}

/* ---- what the screen does with a question by one request ---- */

/* Where the row has a question before it, the next line answers that. */
static bool lines_inbox_is_sure(struct lines_inbox *l, const struct action_row *row)
{
	const char *line = "y";
	if (row->sure != NULL) {
		(void)print_line("%s Type y or n.", row->sure);
		line = lines_ask(&l->ask);
	}
	return line != NULL && (strcmp(line, "y") == 0 || strcmp(line, "yes") == 0);
}

/* @text  the question's number, then what the row's next word is made of */
static void lines_inbox_act(struct lines_inbox *l, const struct action_row *row, const char *text)
{
	const char *typed;
	char once[REACH_ONCE_CHARS + 1];
	char why[WORD_WHY_BYTES];
	struct fault fault;
	if (!lines_inbox_open(l, text, &typed)) {
		return;
	}
	struct request *r = request_make(row->method);
	void *result = memory_new(1, method_rows[row->method].result->size);
	request_text(r, row->words[0].field, l->inbox.question->question_id.data);
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	if (row->words[1].kind != WORD_NONE &&
	    !word_fill(r, &row->words[1], NULL, typed, lines_inbox_now(l), why)) {
		(void)print_line("%s.", why);
	} else if (lines_inbox_is_sure(l, row) &&
		   lines_inbox_call(l, r->method, r->params, result, &fault)) {
		inbox_drop(&l->inbox, l->inbox.question->question_id);
		lines_inbox_show_list(l);
	}
	free(result);
	request_free(r);
}

/* The action of a question that the footer of the screen calls by the line's first word; NULL: none. */
static const struct action_row *lines_inbox_action(const char *line, const char **text)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		const struct action_row *row = &action_rows[a];
		*text = row->words[0].kind == WORD_QUESTION ? lines_inbox_behind(line, row->hint)
							    : NULL;
		if (*text != NULL) {
			return row;
		}
	}
	return NULL;
}

/* ---- lines ---- */

static void lines_inbox_take(struct lines_inbox *l, const char *line)
{
	const char *text;
	const struct action_row *row = lines_inbox_action(line, &text);
	if (row != NULL) {
		lines_inbox_act(l, row, text);
	} else if ((text = lines_inbox_behind(line, "show")) != NULL) {
		lines_inbox_show(l, text);
	} else if ((text = lines_inbox_behind(line, "answer")) != NULL) {
		lines_inbox_answer(l, text);
	} else if ((text = lines_inbox_behind(line, "sure")) != NULL) {
		lines_inbox_beside(l, text, false);
	} else if ((text = lines_inbox_behind(line, "comment")) != NULL) {
		lines_inbox_beside(l, text, true);
	} else if (strcmp(line, "list") == 0 || strcmp(line, "mine") == 0) {
		l->which = line[0] == 'm' ? INBOX_MINE : INBOX_WAITING;
		lines_inbox_show_list(l);
	} else if (line[0] >= '0' && line[0] <= '9') {
		lines_inbox_show(l, line);
	} else if (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0) {
		l->code = EXIT_DONE;
	} else {
		(void)print_line("%s", LINES_INBOX_HELP);
	}
}

static int lines_inbox_run(struct lines_inbox *l)
{
	bool is_talked_to = verb_screen_has_terminal() || ssh_session_is_on();
	bool takes_lines = is_talked_to || l->cli->args.value[OPTION_PLAIN] != NULL;
	if (!lines_inbox_read(l)) {
		return l->code;
	}
	if (l->cli->is_json) {
		return lines_inbox_print_json(l);
	}
	if (!lines_inbox_tell_list(l)) {
		return EXIT_BROKEN;
	}
	if (is_talked_to) {
		(void)print_line("%s", LINES_INBOX_HELP);
	}
	const char *line;
	while (takes_lines && l->code < 0 && (line = lines_ask(&l->ask)) != NULL) {
		if (line[0] != '\0') {
			lines_inbox_take(l, line);
		}
		arena_finish(&l->arena);
		l->arena = (struct arena){0};
	}
	return l->code < 0 ? EXIT_DONE : l->code;
}

int lines_inbox(struct cli *c)
{
	struct lines_inbox l = {.cli = c, .code = -1};
	int code = reach_place(c, &l.place);
	if (code != EXIT_DONE) {
		return code;
	}
	inbox_init(&l.inbox);
	lines_ask_open(&l.ask, "inbox", "list");
	l.ask.sign_in = login_asker(l.place.address.text, NULL);
	code = lines_inbox_run(&l);
	lines_ask_close(&l.ask);
	inbox_finish(&l.inbox);
	arena_finish(&l.arena);
	return code;
}
