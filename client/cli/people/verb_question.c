/*
 * verb_question.c - aye question show, and the lists: list, mine and answered.
 */
#include <stdlib.h>

#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "client/model/memory.h"
#include "client/model/questions/question_text.h"
#include "proto/text/decimal.h"

/* ---- one ---- */

int verb_question_show(struct cli *c)
{
	struct visit v;
	struct question_whole w = {.pages_n = 0};
	int code = room_command_open(c, &v, c->verb->needs);
	if (code == EXIT_DONE) {
		code = question_get_whole(&v, c->args.words[0], &w);
	}
	if (code == EXIT_DONE) {
		code = question_print_whole(c, &w, true, question_now_ms(v.client));
	}
	question_whole_finish(&w);
	room_command_close(&v);
	return code;
}

/* ---- lists ---- */

/* How many are wanted; 0: the first page, as long as the server makes it. */
static int verb_question_limit(const struct cli *c, int64_t *most)
{
	const char *limit = c->args.value[OPTION_LIMIT];
	bool is_all = c->args.value[OPTION_PAGES] != NULL;
	*most = is_all ? INT64_MAX : 0;
	if (limit != NULL && is_all) {
		print_problem("choose --limit or --all, not both");
		return EXIT_USAGE;
	}
	if (limit != NULL && !decimal_read(slice_str(limit), 1, INT32_MAX, most)) {
		print_problem("--limit: %s is not a number from 1", print_typed(limit));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* A page of what the method lists. */
union verb_question_page {
	struct question_list_result questions; /* question.list and question.mine */
	struct answer_mine_result answers;
};

/* Each in a line of words or of JSON. */
static int verb_question_print_page(const struct visit *v, enum method method,
				    const union verb_question_page *page)
{
	bool is_json = v->cli->is_json;
	bool is_answers = method == METHOD_ANSWER_MINE;
	const struct record *rec = is_answers ? &record_answer_view : &record_question_view;
	size_t n = is_answers ? page->answers.answers_n : page->questions.questions_n;
	struct buf lines;
	int code = EXIT_DONE;
	buf_init(&lines, MAX_FRAME_BYTES);
	for (size_t i = 0; i < n && code == EXIT_DONE; i++) {
		const void *row = is_answers ? (const void *)&page->answers.answers[i]
					     : &page->questions.questions[i];
		if (is_json) {
			code = print_record(rec, row);
			continue;
		}
		void *own = memory_have(record_own(rec, row));
		if (is_answers) {
			question_write_answer(own, &lines);
		} else {
			question_write_row(own, question_now_ms(v->client), &lines);
		}
		free(own);
	}
	code = code == EXIT_DONE ? question_print_lines(&lines) : code;
	buf_finish(&lines);
	return code;
}

static int verb_question_pages(struct visit *v, struct request *r, int64_t most)
{
	bool is_answers = r->method == METHOD_ANSWER_MINE;
	union verb_question_page page;
	struct slice cursor;
	int64_t shown = 0;
	int64_t wanted = most == 0 ? MAX_QUESTION_PAGE_USUAL : most;
	int code = EXIT_DONE;
	do {
		int64_t left = wanted - shown;
		arena_reset(&v->arena);
		request_int(r, "limit", left < MAX_QUESTION_PAGE ? left : MAX_QUESTION_PAGE);
		code = visit_call(v, r->method, r->params, &page);
		if (code != EXIT_DONE) {
			return code;
		}
		code = verb_question_print_page(v, r->method, &page);
		shown +=
			(int64_t)(is_answers ? page.answers.answers_n : page.questions.questions_n);
		cursor = is_answers ? page.answers.cursor : page.questions.cursor;
		if (cursor.len > 0) {
			char *text = memory_text_of(cursor);
			request_text(r, "cursor", text);
			free(text);
		}
	} while (code == EXIT_DONE && cursor.len > 0 && shown < wanted);
	if (code == EXIT_DONE && cursor.len > 0 && most == 0) {
		print_progress("There are more: --all prints them.");
	} else if (code == EXIT_DONE && shown == 0) {
		print_progress(is_answers			   ? "No answers of yours."
			       : r->method == METHOD_QUESTION_LIST ? "No questions for you."
								   : "No questions of yours.");
	}
	return code;
}

int verb_question_list(struct cli *c)
{
	struct visit v;
	struct request *r;
	int64_t most = 0;
	int code = verb_method_request(c, &r);
	if (code == EXIT_DONE) {
		code = verb_question_limit(c, &most);
	}
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, c->verb->needs);
		if (code == EXIT_DONE) {
			code = verb_question_pages(&v, r, most);
		}
		room_command_close(&v);
	}
	request_free(r);
	return code;
}
