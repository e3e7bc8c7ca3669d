/*
 * verb_answer.c - aye answer: a choice or some words, from the command line, from standard input, or
 * asked for on a terminal.
 *
 * Who says their answer has read the question before: it is not read here for them, as
 * question.get would have it, and so their answer counts as none that was given too fast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "client/model/memory.h"
#include "client/model/questions/question_outcome.h"

/* ---- what is answered ---- */

/* Put an answer that was typed into the request. The exit code, told. */
static int answer_fill(struct request *r, const struct question_view *q, const char *typed)
{
	if (q->type == QUESTION_TEXT) {
		request_text(r, "answer", typed);
		return EXIT_DONE;
	}
	int option = question_option(&q->options, slice_str(typed));
	if (option >= 0) {
		request_int(r, "selected_option", option);
		return EXIT_DONE;
	}
	struct buf all;
	buf_init(&all, MAX_FRAME_BYTES);
	for (size_t i = 0; i < q->options.n; i++) {
		(void)buf_printf(&all, "\n%zu) %.*s", i + 1, (int)q->options.items[i].len,
				 q->options.items[i].data);
	}
	(void)memory_check(buf_append(&all, "", 1));
	print_problem("%s is not one of its options:%s", print_typed(typed), all.data);
	buf_finish(&all);
	return EXIT_USAGE;
}

/* ---- a person who is asked ---- */

/* A line without its end; false at the end of input. */
static bool answer_line(char *line, size_t cap)
{
	if (fgets(line, (int)cap, stdin) == NULL) {
		return false;
	}
	line[strcspn(line, "\r\n")] = '\0';
	return true;
}

/* Lines, until an empty one. */
static void answer_ask_text(struct buf *out)
{
	char line[MAX_FRAME_BYTES];
	(void)print_part("Your answer; an empty line ends it:\n");
	while (answer_line(line, sizeof(line)) && line[0] != '\0') {
		(void)buf_printf(out, "%s%s", out->len == 0 ? "" : "\n", line);
	}
}

/* One of the options, or nothing. */
static void answer_ask_choice(const struct question_view *q, struct buf *out)
{
	char line[MAX_FRAME_BYTES];
	for (;;) {
		(void)print_part("Your choice, 1 to %zu: ", q->options.n);
		if (!answer_line(line, sizeof(line)) || line[0] == '\0') {
			return;
		}
		if (question_option(&q->options, slice_str(line)) >= 0) {
			break;
		}
		(void)print_line("%s is not one of its options.", print_typed(line));
	}
	(void)buf_printf(out, "%s", line);
}

static void answer_ask_sure(struct request *r)
{
	char line[80];
	while (!request_has(r, "confidence")) {
		(void)print_part("Confidence, 1 to %d (Enter: none): ", MAX_QUESTION_CONFIDENCE);
		if (!answer_line(line, sizeof(line)) || line[0] == '\0') {
			return;
		}
		if (line[0] >= '1' && line[0] <= '0' + MAX_QUESTION_CONFIDENCE && line[1] == '\0') {
			request_int(r, "confidence", line[0] - '0');
		} else {
			(void)print_line("%s is not a number from 1 to %d.", print_typed(line),
					 MAX_QUESTION_CONFIDENCE);
		}
	}
}

/* Show the question, and read the answer; nobody waits at the server meanwhile. */
static int answer_ask(struct cli *c, struct request *r)
{
	struct visit v;
	struct buf typed;
	struct question_whole w = {.pages_n = 0};
	buf_init(&typed, VERB_INPUT_BYTES);
	int code = room_command_open(c, &v, c->verb->needs);
	if (code == EXIT_DONE) {
		code = question_get_whole(&v, c->args.words[0], &w);
	}
	if (code == EXIT_DONE) {
		struct cli plain = *c;
		plain.is_json = false;
		code = question_print_whole(&plain, &w, true, question_now_ms(v.client));
	}
	room_command_close(&v);
	if (code == EXIT_DONE && !w.view.can_answer) {
		print_problem("%s", w.view.why_not == BAR_MINE ? "it is your own question"
							       : "it has ended");
		code = EXIT_REFUSED;
	}
	if (code == EXIT_DONE && w.view.type == QUESTION_TEXT) {
		answer_ask_text(&typed);
	} else if (code == EXIT_DONE) {
		answer_ask_choice(&w.view, &typed);
	}
	if (code == EXIT_DONE && typed.len == 0) {
		print_problem("no answer was sent");
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE) {
		(void)memory_check(buf_append(&typed, "", 1));
		code = answer_fill(r, &w.view, typed.data);
	}
	if (code == EXIT_DONE) {
		answer_ask_sure(r);
	}
	buf_finish(&typed);
	question_whole_finish(&w);
	return code;
}

/* ---- the verb ---- */

/* What was typed means what the question makes of it: that is looked up without having it read. */
static int answer_look_up(struct visit *v, struct request *r, const char *typed)
{
	const struct question_params p = {.question_id = slice_str(v->cli->args.words[0])};
	struct question_watch_result is;
	int code = visit_call(v, METHOD_QUESTION_WATCH, &p, &is);
	return code == EXIT_DONE ? answer_fill(r, &is.question, typed) : code;
}

static int answer_print(const struct cli *c, const struct question_answer_result *result)
{
	if (c->is_json) {
		return print_record(&record_question_answer_result, result);
	}
	return question_print_result(c, result) ? EXIT_DONE : EXIT_BROKEN;
}

/* @typed  the answer; NULL: it is in the request. */
static int answer_send(struct cli *c, struct request *r, const char *typed)
{
	struct visit v;
	struct question_answer_result result;
	int code = room_command_open(c, &v, c->verb->needs);
	if (code == EXIT_DONE && typed != NULL) {
		code = answer_look_up(&v, r, typed);
	}
	if (code == EXIT_DONE && r->fault.code != FAULT_NONE) {
		code = print_slip(c, &r->fault);
	}
	if (code == EXIT_DONE) {
		code = visit_call(&v, r->method, r->params, &result);
	}
	if (code == EXIT_DONE) {
		code = answer_print(c, &result);
	}
	room_command_close(&v);
	return code;
}

int verb_answer(struct cli *c)
{
	struct request *r;
	struct buf input;
	const char *typed = c->args.words_n > 1 ? c->args.words[1] : NULL;
	bool is_asked = typed == NULL && isatty(STDIN_FILENO) == 1 && print_is_for_a_person();
	int code = verb_method_request(c, &r);
	buf_init(&input, VERB_INPUT_BYTES);
	code = code == EXIT_DONE ? verbs_open_config(c) : code;
	if (code == EXIT_DONE && typed == NULL && !is_asked) {
		print_problem("ANSWER is required: aye answer %s ANSWER, or - for standard input",
			      print_soft(slice_str(c->args.words[0])));
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE && is_asked) {
		code = answer_ask(c, r);
	} else if (code == EXIT_DONE && strcmp(typed, "-") == 0) {
		code = verb_method_read_input(&input);
		typed = input.data;
	}
	if (code == EXIT_DONE) {
		code = answer_send(c, r, typed);
	}
	buf_finish(&input);
	request_free(r);
	return code;
}
