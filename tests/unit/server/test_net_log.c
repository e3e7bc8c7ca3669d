/*
 * test_net_log.c - the log keeps to its lines, whatever is put into them.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "server/net/log.h"
#include "tests/support/test.h"

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

TEST(a_line_is_pairs)
{
	struct pipe_log p;
	struct log_line l;
	log_start(&p, LOG_INFO);
	log_begin(&l, &p.log, LOG_WARN, "seen");
	log_str(&l, "name", "plain");
	log_int(&l, "n", -7);
	log_end(&l);
	assert_string_equal(log_written(&p), "level=warn event=seen name=plain n=-7\n");
}

TEST(values_cannot_break_the_line)
{
	struct pipe_log p;
	log_start(&p, LOG_INFO);
	log_pair(&p.log, LOG_INFO, "e", "k", "a b\"c\\d\n\x1b[2J\x7f=");
	assert_string_equal(log_written(&p),
			    "level=info event=e k=\"a b\\\"c\\\\d\\x0a\\x1b[2J\\x7f=\"\n");
}

TEST(an_empty_value_is_seen)
{
	struct pipe_log p;
	log_start(&p, LOG_INFO);
	log_pair(&p.log, LOG_INFO, "e", "k", "");
	assert_string_equal(log_written(&p), "level=info event=e k=\"\"\n");
}

TEST(pairs_of_the_core_cannot_break_the_line)
{
	struct pipe_log p;
	log_start(&p, LOG_INFO);
	log_pairs(&p.log, LOG_INFO, SLICE("event=x a=\"b\n\x1b\""));
	assert_string_equal(log_written(&p), "level=info event=x a=\"b??\"\n");
}

TEST(less_important_lines_are_dropped)
{
	struct pipe_log p;
	log_start(&p, LOG_WARN);
	log_pair(&p.log, LOG_INFO, "e", "k", "v");
	log_pairs(&p.log, LOG_DEBUG, SLICE("event=x"));
	assert_string_equal(log_written(&p), "");
}

TEST(a_long_line_is_cut_and_still_one_line)
{
	struct pipe_log p;
	char value[3 * LOG_LINE_BYTES_MAX];
	log_start(&p, LOG_INFO);
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	log_pair(&p.log, LOG_INFO, "e", "k", value);
	(void)log_written(&p);
	assert_int_equal(strlen(p.text), LOG_LINE_BYTES_MAX);
	assert_ptr_equal(strchr(p.text, '\n'), p.text + LOG_LINE_BYTES_MAX - 1);
}

TEST(a_log_that_is_gone_is_no_failure)
{
	struct log gone = {.level = LOG_INFO, .fd = -1};
	log_pair(&gone, LOG_ERROR, "e", "k", "v");
}

TEST(levels_have_names)
{
	enum log_level level = LOG_ERROR;
	assert_true(log_level_of("debug", &level));
	assert_int_equal(level, LOG_DEBUG);
	assert_false(log_level_of("loud", &level));
}
