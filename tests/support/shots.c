/*
 * shots.c - see shots.h.
 */
#include "tests/support/shots.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/support/difference.h"

enum {
	SHOTS_TEXT_BYTES = 65536,
	SHOTS_PATH_BYTES = 256,
	SHOTS_DEADLINE_MS = 10000,
	SHOTS_REST_MS = 500 /* without a byte: at rest */
};

void shots_begin(struct shots *s, const char *dir)
{
	*s = (struct shots){.dir = dir};
	assert_true(mkdir(dir, 0777) == 0 || errno == EEXIST);
}

/* ---- text ---- */

char *shots_text(const struct shots *s, struct terminal *t)
{
	char *text = calloc(1, SHOTS_TEXT_BYTES);
	size_t n = 0;
	int width;
	int height;
	int x;
	int y;
	assert_non_null(text);
	vterm_get_size(t->vt, &height, &width);
	for (int row = 0; row < height; row++) {
		n += (size_t)snprintf(text + n, SHOTS_TEXT_BYTES - n, "%s\n", terminal_row(t, row));
		assert_true(n < SHOTS_TEXT_BYTES);
	}
	if (s->mask != NULL) {
		s->mask(text, s->arg);
	}
	terminal_cursor(t, &x, &y);
	if (t->is_cursor_shown) {
		(void)snprintf(text + n, SHOTS_TEXT_BYTES - n, "(cursor in column %d of row %d)\n",
			       x, y);
	} else {
		(void)snprintf(text + n, SHOTS_TEXT_BYTES - n, "(no cursor)\n");
	}
	return text;
}

/* ---- a screen in ASCII beside the same with signs ---- */

static bool shots_is_like(const struct shots *s, const char *name)
{
	size_t i = 0;
	while (s->like != NULL && s->own[i] != NULL && strcmp(s->own[i], name) != 0) {
		i++;
	}
	return s->like != NULL && s->own[i] == NULL;
}

/*
 * Letters and digits, line by line, in place: our signs are below U+3000, and what people wrote here is not.
 * Two signs of cards are read aloud.
 */
static char *shots_letters(char *text)
{
	size_t n = 0;
	bool is_kept = false;
	for (const char *at = text; *at != '\0'; at++) {
		unsigned char byte = (unsigned char)*at;
		if (strncmp(at, "∞", 3) == 0 || strncmp(at, "½", 2) == 0) {
			memcpy(text + n, *at == '\xe2' ? "oo" : "12", 2);
			n += 2;
		}
		if (byte < 0x80 || byte >= 0xc0) {
			is_kept = byte < 0x80 ? isalnum(byte) || byte == '\n' : byte >= 0xe3;
		}
		if (is_kept) {
			text[n++] = *at;
		}
	}
	text[n] = '\0';
	return text;
}

static void shots_assert_no_signs(const char *text)
{
	for (const char *at = text; *at != '\0'; at++) {
		unsigned char byte = (unsigned char)*at;
		if (byte >= 0xc0 && byte < 0xe3) {
			fail_msg("a sign beyond ASCII: %.20s", at);
		}
	}
}

/* ---- taking one ---- */

static void shots_write(const struct shots *s, struct terminal *t, const char *path)
{
	while (terminal_take(t, SIZE_MAX, SHOTS_REST_MS) > 0) {
	}
	char *text = shots_text(s, t);
	expected_write(path, text);
	free(text);
}

/* What stands there once it is as expected, or when the deadline is over. The caller frees it. */
static char *shots_wait(const struct shots *s, struct terminal *t, const char *expected,
			bool is_like)
{
	int64_t until_ms = terminal_now_ms() + SHOTS_DEADLINE_MS;
	for (;;) {
		char *text = shots_text(s, t);
		if (is_like) {
			shots_letters(text);
		}
		int64_t left_ms = until_ms - terminal_now_ms();
		if (strcmp(text, expected) == 0 || left_ms <= 0 ||
		    terminal_take(t, SIZE_MAX, (int)left_ms) == 0) {
			return text;
		}
		free(text);
	}
}

static bool shots_has(const struct shots *s, const char *file)
{
	size_t i = 0;
	while (i < s->names_n && strcmp(s->names[i], file) != 0) {
		i++;
	}
	return i < s->names_n;
}

void shots_take(struct shots *s, struct terminal *t, const char *name)
{
	char path[SHOTS_PATH_BYTES];
	char file[SHOTS_NAME_BYTES];
	bool is_like = shots_is_like(s, name);
	(void)snprintf(file, sizeof(file), "%s.txt", name);
	(void)snprintf(path, sizeof(path), "%s/%s", is_like ? s->like : s->dir, file);
	if (is_like) {
		char *expected = shots_letters(expected_read(path));
		char *text = shots_wait(s, t, expected, true);
		assert_expected(path, expected, text);
		free(text);
		free(expected);
		text = shots_text(s, t);
		shots_assert_no_signs(text);
		free(text);
		return;
	}
	bool is_first = !shots_has(s, file);
	if (is_first) {
		assert_true(s->names_n < SHOTS_NAMES_MAX);
		memcpy(s->names[s->names_n++], file, sizeof(file));
	}
	if (is_first && expected_is_written()) {
		shots_write(s, t, path);
	}
	char *expected = expected_read(path);
	char *text = shots_wait(s, t, expected, false);
	assert_expected(path, expected, text);
	free(text);
	free(expected);
}

/* ---- all of them ---- */

void shots_end(const struct shots *s)
{
	DIR *dir = opendir(s->dir);
	size_t orphans = 0;
	assert_non_null(dir);
	for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		if (e->d_name[0] != '.' && !shots_has(s, e->d_name)) {
			print_error("%s/%s: no screen is compared with it\n", s->dir, e->d_name);
			orphans++;
		}
	}
	(void)closedir(dir);
	assert_int_equal(orphans, 0);
}
