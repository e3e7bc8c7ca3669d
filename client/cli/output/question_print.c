/*
 * question_print.c - see question_print.h.
 */
#include "client/cli/output/question_print.h"

#include <time.h>

#include "client/cli/output/print.h"
#include "client/model/memory.h"
#include "client/model/questions/question_text.h"
#include "proto/base/format.h"
#include "proto/link.h"

/* Fifty answers in words, their ends of lines and what stands beside them. */
#define QUESTION_LINES_BYTES (24u << 20)

int64_t question_now_ms(const struct room_client *client)
{
	int64_t server_ms = room_client_server_ms(client);
	return server_ms > 0 ? server_ms : (int64_t)time(NULL) * 1000;
}

int question_get_whole(struct visit *v, const char *question_id, struct question_whole *w)
{
	*w = (struct question_whole){.pages_n = 0};
	do {
		struct question_get_params p = {.question_id = slice_str(question_id),
						.cursor = w->cursor};
		struct question_get_result page;
		int code = visit_call(v, METHOD_QUESTION_GET, &p, &page);
		if (code != EXIT_DONE) {
			return code;
		}
		question_whole_add(w, &page);
		arena_reset(&v->arena);
	} while (w->cursor.len > 0);
	return EXIT_DONE;
}

int question_print_lines(const struct buf *lines)
{
	enum err e = memory_check(lines->error);
	if (e == OK && lines->len > 0 && !print_part("%.*s", (int)lines->len, lines->data)) {
		e = ERR_IO;
	}
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

int question_print_whole(const struct cli *c, const struct question_whole *w, bool with_head,
			 int64_t now_ms)
{
	char state[QUESTION_STATE_BYTES];
	struct buf lines;
	if (c->is_json) {
		return print_record(&record_question_view, &w->view);
	}
	buf_init(&lines, QUESTION_LINES_BYTES);
	if (with_head) {
		question_write_head(&w->view, now_ms, &lines);
	} else {
		question_state(&w->view, now_ms, state, sizeof(state));
		(void)buf_printf(&lines, "%s\n", state);
	}
	question_write_answers(&w->view, &lines);
	int code = question_print_lines(&lines);
	buf_finish(&lines);
	return code;
}

int question_print_asked(const struct cli *c, const struct room_client *client,
			 const struct question_ask_result *asked)
{
	char link[LINK_OF_PAGE_BYTES_MAX + 1];
	char state[QUESTION_STATE_BYTES];
	(void)link_of_page(slice_str(room_client_web(client)), asked->question_id, link,
			   sizeof(link));
	if (c->is_json) {
		return print_record_linked(&record_question_ask_result, asked, link);
	}
	bool is_told = print_line("%s", print_soft(asked->question_id));
	question_asked(asked, state);
	print_progress("%s", state);
	if (link[0] != '\0') {
		print_progress("%s", link);
	}
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

bool question_print_result(const struct cli *c, const struct question_answer_result *r)
{
	char line[QUESTION_SENT_BYTES];
	question_sent(r, c->config.now.value[SETTING_POINTS] == POINTS_SHOWN, line);
	return print_line("%s.", print_soft(slice_str(line)));
}
