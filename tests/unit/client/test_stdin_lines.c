/*
 * test_stdin_lines.c - lines of pipes and files, as events of a loop.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/net/stdin_lines_uv.h"
#include "tests/support/test.h"

struct reader {
	uv_loop_t loop;
	struct stdin_lines *lines;
	char text[256];
	bool is_over;
	enum err end;
	bool pauses;
	unsigned lines_n;
	bool skips; /* lines that are too long */
	unsigned long_n;
};

static bool reader_on_line(void *owner, struct slice line)
{
	struct reader *r = owner;
	size_t len = strlen(r->text);
	(void)snprintf(r->text + len, sizeof(r->text) - len, "[%.*s]", (int)line.len, line.data);
	r->lines_n++;
	return !r->pauses;
}

static void reader_on_end(void *owner, enum err e)
{
	struct reader *r = owner;
	r->is_over = true;
	r->end = e;
}

static void reader_on_long(void *owner)
{
	struct reader *r = owner;
	r->long_n++;
}

static void read_all(struct reader *r, int fd)
{
	const struct stdin_lines_handler handler = {
		.on_line = reader_on_line,
		.on_long = r->skips ? reader_on_long : NULL,
		.on_end = reader_on_end,
	};
	assert_int_equal(uv_loop_init(&r->loop), 0);
	assert_int_equal(stdin_lines_open(&r->loop, fd, &handler, r, &r->lines), OK);
	while (!r->is_over) {
		unsigned before = r->lines_n;
		(void)uv_run(&r->loop, r->pauses ? UV_RUN_NOWAIT : UV_RUN_ONCE);
		if (r->pauses) {
			assert_true(r->lines_n <= before + 1);
			stdin_lines_resume(r->lines);
		}
	}
	stdin_lines_close(r->lines);
	assert_int_equal(uv_run(&r->loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(uv_loop_close(&r->loop), 0);
}

/* A file of "one", a line that is too long, and behind it what may follow. */
static FILE *long_line_file(const char *behind)
{
	FILE *file = tmpfile();
	assert_non_null(file);
	assert_int_equal(fputs("one\n", file) >= 0, 1);
	for (size_t i = 0; i < STDIN_LINES_BYTES_MAX + 100; i++) {
		assert_int_equal(putc('x', file), 'x');
	}
	assert_int_equal(fputs(behind, file) >= 0, 1);
	assert_int_equal(fflush(file), 0);
	rewind(file);
	return file;
}

TEST(test_a_line_that_is_too_long_ends_the_input_or_is_left_out)
{
	static const struct {
		const char *behind;
		bool skips;
		const char *text;
		enum err end;
	} rows[] = {
		{"\ntwo\n", false, "[one]", ERR_TOO_LARGE},
		{"\ntwo\n", true, "[one][two]", OK},
		{"\n", true, "[one]", OK},
		{"", true, "[one]", OK},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reader r = {.skips = rows[i].skips};
		FILE *file = long_line_file(rows[i].behind);
		read_all(&r, fileno(file));
		assert_string_equal(r.text, rows[i].text);
		assert_int_equal(r.end, rows[i].end);
		assert_int_equal(r.long_n, rows[i].skips);
		(void)fclose(file);
	}
}

TEST(test_lines_come_from_pipes_and_files_with_and_without_pauses)
{
	static const char input[] = "one\n\ntwo\nlast without newline";
	for (unsigned i = 0; i < 4; i++) {
		struct reader r = {.pauses = (i & 1) != 0};
		int fds[2];
		FILE *file = tmpfile();
		assert_non_null(file);
		assert_int_equal(pipe(fds), 0);
		assert_int_equal(fwrite(input, 1, sizeof(input) - 1, file), sizeof(input) - 1);
		assert_int_equal(fflush(file), 0);
		rewind(file);
		assert_int_equal(write(fds[1], input, sizeof(input) - 1), sizeof(input) - 1);
		(void)close(fds[1]);
		read_all(&r, (i & 2) != 0 ? fileno(file) : fds[0]);
		assert_string_equal(r.text, "[one][][two][last without newline]");
		assert_int_equal(r.end, OK);
		(void)close(fds[0]);
		(void)fclose(file);
	}
}
