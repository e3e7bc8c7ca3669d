/*
 * difference.c - see difference.h.
 */
#include "tests/support/difference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINES_AROUND = 3, EXPECTED_BYTES = 1 << 20 };

bool expected_is_written(void)
{
	return getenv("AYE_UPDATE_SCREENS") != NULL;
}

void expected_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

char *expected_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL) {
		fail_msg("%s is missing; `make screens` writes it", path);
	}
	char *text = calloc(1, EXPECTED_BYTES);
	assert_non_null(text);
	assert_true(fread(text, 1, EXPECTED_BYTES - 1, f) < EXPECTED_BYTES - 1 && ferror(f) == 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

/* ---- comparing ---- */

/* The nth line (from 0) of a text, and its length; NULL behind the last. */
static const char *line_of(const char *text, size_t n, size_t *len)
{
	for (; n > 0 && text != NULL; n--) {
		text = strchr(text, '\n');
		text = text == NULL ? NULL : text + 1;
	}
	if (text == NULL || text[0] == '\0') {
		return NULL;
	}
	*len = strcspn(text, "\n");
	return text;
}

static size_t first_difference(const char *a, const char *b)
{
	size_t line = 0;
	for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++) {
		line += a[i] == '\n';
	}
	return line;
}

/* Straight to stderr: cmocka's own prints cut what is long. */
static void tell(char mark, const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		size_t len = 0;
		const char *line = line_of(text, i, &len);
		if (line != NULL) {
			(void)fprintf(stderr, "%c %3zu |%.*s\n", mark, i + 1, (int)len, line);
		}
	}
}

void assert_expected(const char *path, const char *expected, const char *actual)
{
	if (strcmp(expected, actual) == 0) {
		return;
	}
	size_t at = first_difference(expected, actual);
	size_t from = at < LINES_AROUND ? 0 : at - LINES_AROUND;
	tell(' ', expected, from, at);
	tell('-', expected, at, at + LINES_AROUND);
	tell('+', actual, at, at + LINES_AROUND);
	fail_msg("%s:%zu: another screen is drawn (- expected, + drawn); "
		 "`make screens` makes the expected ones anew, to be reviewed",
		 path, at + 1);
}

void assert_as_file(const char *path, const char *actual)
{
	if (expected_is_written()) {
		expected_write(path, actual);
	}
	char *expected = expected_read(path);
	assert_expected(path, expected, actual);
	free(expected);
}
