/*
 * data_check_uv.c - data that the last server did not close are checked while this one serves.
 *
 * The store's engine needs no check: a process that is killed leaves the data whole. This
 * is to find what memory and disks do, before somebody asks for it; until then whatever is
 * damaged is refused when it is read. A part at a time, with a rest after each, so that
 * requests hardly notice. Progress goes to the service manager, the metrics and the log. A check
 * that the end of the server interrupts is not continued by the next one.
 */
#include <string.h>

#include "proto/base/format.h"
#include "server/net/event_loop_uv.h"
#include "server/net/sd_notify.h"

#define DATA_CHECK_REST_MS   2
#define DATA_CHECK_LINES_MAX 100 /* of problems, in the log */

static void data_check_end(struct event_loop *loop, enum err e)
{
	struct data_check *k = &loop->data_check;
	struct log_line l;
	server_counters(loop->server)->check_left = 0;
	log_begin(&l, loop->config.log, e == OK && k->problems == 0 ? LOG_INFO : LOG_ERROR,
		  "data_checked");
	log_int(&l, "entries", (int64_t)k->entries);
	log_int(&l, "problems", (int64_t)k->problems);
	if (e != OK) {
		log_str(&l, "stopped",
			e == ERR_CORRUPT ? "a page is damaged; a restart repairs the file"
					 : err_text(e));
	}
	log_end(&l);
	sd_notify_progress("STATUS=Serving");
}

static void data_check_log_problems(struct event_loop *loop, struct slice lines)
{
	char text[LOG_LINE_BYTES_MAX];
	while (lines.len > 0 && loop->data_check.lines < DATA_CHECK_LINES_MAX) {
		const char *end = memchr(lines.data, '\n', lines.len);
		size_t len = end == NULL ? lines.len : (size_t)(end - lines.data);
		(void)format_to(text, sizeof(text), "%.*s", (int)len, lines.data);
		log_pair(loop->config.log, LOG_ERROR, "data_damaged", "what", text);
		loop->data_check.lines++;
		len += end != NULL;
		lines = slice_of(lines.data + len, lines.len - len);
	}
}

static void data_check_report(struct event_loop *loop, uint64_t all)
{
	struct data_check *k = &loop->data_check;
	char state[96];
	uint64_t left = all > k->entries ? all - k->entries : 1;
	unsigned percent = (unsigned)(k->entries * 100 / (k->entries + left));
	server_counters(loop->server)->check_left = left;
	if (percent == k->percent) {
		return;
	}
	k->percent = percent;
	(void)format_to(state, sizeof(state), "STATUS=Serving; data checked: %u%%", percent);
	sd_notify_progress(state);
}

static void data_check_go_on(uv_timer_t *timer);

static void data_check_on_part(void *arg, enum err e, const struct store_checked *c)
{
	struct event_loop *loop = arg;
	struct data_check *k = &loop->data_check;
	if (loop->glue.is_muted) {
		return;
	}
	k->entries += c->entries;
	k->problems += c->problems;
	server_counters(loop->server)->data_problems = k->problems;
	data_check_log_problems(loop, c->lines);
	if (e != OK || c->next.len == 0) {
		data_check_end(loop, e);
		return;
	}
	k->cursor_len = c->next.len;
	memcpy(k->cursor, c->next.data, c->next.len);
	data_check_report(loop, c->entries_all);
	(void)uv_timer_start(&k->rest, data_check_go_on, DATA_CHECK_REST_MS, 0);
}

static void data_check_go_on(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	struct data_check *k = &loop->data_check;
	if (loop->glue.store != NULL && !loop->glue.is_muted) {
		store_check(loop->glue.store, slice_of(k->cursor, k->cursor_len),
			    data_check_on_part, loop);
	}
}

void data_check_begin(struct event_loop *loop)
{
	struct store_status status;
	store_status(loop->glue.store, &status);
	if (!status.is_unchecked) {
		return;
	}
	server_counters(loop->server)->check_left = 1;
	log_pair(loop->config.log, LOG_INFO, "data_check", "reason",
		 "the data were not closed cleanly; checking them while serving");
	(void)uv_timer_start(&loop->data_check.rest, data_check_go_on, DATA_CHECK_REST_MS, 0);
}
