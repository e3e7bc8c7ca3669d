/*
 * test_net_log.c - the log keeps to its lines, whatever is put into them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/net/log.h"

struct pipe_log {
	struct log log;
	int from;
	char text[2 * LOG_LINE_BYTES_MAX];
};

static void log_start(struct pipe_log *p, enum log_level level)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	*p = (struct pipe_log){.log = {.level = level, .fd = ends[1]}, .from = ends[0]};
}

/* What was written, without "ts=2026-01-02T03:04:05.678Z ", whose form is checked. */
static const char *log_written(struct pipe_log *p)
{
	(void)close(p->log.fd);
	ssize_t n = read(p->from, p->text, sizeof(p->text) - 1);
	(void)close(p->from);
	assert_true(n >= 0);
	p->text[n] = '\0';
	if (n == 0) {
		return p->text;
	}
	assert_memory_equal(p->text, "ts=20", 5);
	assert_memory_equal(p->text + 26, "Z ", 2);
	return p->text + 28;
}

static void a_line_is_pairs(void **state)
{
	struct pipe_log p;
	struct log_line l;
	(void)state;
	log_start(&p, LOG_INFO);
	log_begin(&l, &p.log, LOG_WARN, "seen");
	log_str(&l, "name", "plain");
	log_int(&l, "n", -7);
	log_end(&l);
	assert_string_equal(log_written(&p), "level=warn event=seen name=plain n=-7\n");
}

static void values_cannot_break_the_line(void **state)
{
	struct pipe_log p;
	(void)state;
	log_start(&p, LOG_INFO);
	log_pair(&p.log, LOG_INFO, "e", "k", "a b\"c\\d\n\x1b[2J\x7f=");
	assert_string_equal(log_written(&p),
			    "level=info event=e k=\"a b\\\"c\\\\d\\x0a\\x1b[2J\\x7f=\"\n");
}

static void an_empty_value_is_seen(void **state)
{
	struct pipe_log p;
	(void)state;
	log_start(&p, LOG_INFO);
	log_pair(&p.log, LOG_INFO, "e", "k", "");
	assert_string_equal(log_written(&p), "level=info event=e k=\"\"\n");
}

static void pairs_of_the_core_cannot_break_the_line(void **state)
{
	struct pipe_log p;
	(void)state;
	log_start(&p, LOG_INFO);
	log_pairs(&p.log, LOG_INFO, SLICE("event=x a=\"b\n\x1b\""));
	assert_string_equal(log_written(&p), "level=info event=x a=\"b??\"\n");
}

static void less_important_lines_are_dropped(void **state)
{
	struct pipe_log p;
	(void)state;
	log_start(&p, LOG_WARN);
	log_pair(&p.log, LOG_INFO, "e", "k", "v");
	log_pairs(&p.log, LOG_DEBUG, SLICE("event=x"));
	assert_string_equal(log_written(&p), "");
}

static void a_long_line_is_cut_and_still_one_line(void **state)
{
	struct pipe_log p;
	char value[3 * LOG_LINE_BYTES_MAX];
	(void)state;
	log_start(&p, LOG_INFO);
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	log_pair(&p.log, LOG_INFO, "e", "k", value);
	(void)log_written(&p);
	assert_int_equal(strlen(p.text), LOG_LINE_BYTES_MAX);
	assert_ptr_equal(strchr(p.text, '\n'), p.text + LOG_LINE_BYTES_MAX - 1);
}

static void a_log_that_is_gone_is_no_failure(void **state)
{
	struct log gone = {.level = LOG_INFO, .fd = -1};
	(void)state;
	log_pair(&gone, LOG_ERROR, "e", "k", "v");
}

static void levels_have_names(void **state)
{
	enum log_level level = LOG_ERROR;
	(void)state;
	assert_true(log_level_of("debug", &level));
	assert_int_equal(level, LOG_DEBUG);
	assert_false(log_level_of("loud", &level));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_pairs),
		cmocka_unit_test(values_cannot_break_the_line),
		cmocka_unit_test(an_empty_value_is_seen),
		cmocka_unit_test(pairs_of_the_core_cannot_break_the_line),
		cmocka_unit_test(less_important_lines_are_dropped),
		cmocka_unit_test(a_long_line_is_cut_and_still_one_line),
		cmocka_unit_test(a_log_that_is_gone_is_no_failure),
		cmocka_unit_test(levels_have_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
