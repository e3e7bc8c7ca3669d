/*
 * screen_files.h - screens of a tui as text, compared with the files in
 * tests/tui/screens/.
 */
#ifndef TESTS_UNIT_CLIENT_SCREEN_FILES_H
#define TESTS_UNIT_CLIENT_SCREEN_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/tui/grid.h"
#include "client/tui/tui.h"
#include "tests/support/difference.h"
#include "tests/unit/client/a_room.h"

#define SCREENS "tests/tui/screens/"

static const struct {
	int width, height;
} sizes[] = {{80, 24}, {40, 12}, {120, 40}};
enum { SIZES_N = sizeof(sizes) / sizeof(sizes[0]) };

static inline struct tui *open_tui(bool ascii)
{
	struct tui *t = tui_create(&(struct tui_options){.ascii = ascii});
	tui_set_link(t, LINK_LIVE);
	return t;
}

static inline char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL) {
		return NULL;
	}
	char *text = calloc(1, 65536);
	assert_non_null(text);
	assert_true(fread(text, 1, 65535, f) < 65535 && ferror(f) == 0);
	fclose(f);
	return text;
}

/* What stands on a screen of that size, and where the cursor is. The caller frees it. */
static inline char *screen_text(struct tui *t, const struct replica *r, int width, int height)
{
	struct grid g = {0};
	assert_int_equal(grid_resize(&g, width, height), OK);
	tui_draw(t, r, &g);
	char *dump = grid_dump(&g);
	assert_non_null(dump);
	size_t cap = strlen(dump) + 64;
	char *text = malloc(cap);
	assert_non_null(text);
	if (g.cursor_shown) {
		snprintf(text, cap, "%s(cursor in column %d of row %d)\n", dump, g.cursor_x,
			 g.cursor_y);
	} else {
		snprintf(text, cap, "%s(no cursor)\n", dump);
	}
	free(dump);
	grid_finish(&g);
	return text;
}

/* For who wants to know which files are read: a line each, at the end of $AYE_SCREENS_READ. */
static inline void tell_screen_read(const char *path)
{
	const char *list = getenv("AYE_SCREENS_READ");
	if (list != NULL) {
		FILE *f = fopen(list, "ab");
		assert_non_null(f);
		fprintf(f, "%s\n", path);
		assert_int_equal(fclose(f), 0);
	}
}

static inline void compare_screen(const char *name, int width, int height, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), SCREENS "%s-%dx%d.txt", name, width, height);
	tell_screen_read(path);
	if (getenv("AYE_UPDATE_SCREENS") != NULL) {
		FILE *f = fopen(path, "wb");
		assert_non_null(f);
		fputs(text, f);
		assert_int_equal(fclose(f), 0);
	}
	char *expected = read_file(path);
	if (expected == NULL) {
		fail_msg("%s is missing; `make screens` writes it", path);
	}
	assert_as_file(path, expected, text);
	free(expected);
}

/* A screen from a tui of its own that got the keys and what `prepare` does. */
static inline void assert_screen(const struct a_room *a, bool ascii, void (*prepare)(struct tui *),
				 const int32_t *keys, size_t keys_n, const char *name, int width,
				 int height)
{
	struct tui *t = open_tui(ascii);
	tui_set_now(t, A_NOW);
	if (prepare != NULL) {
		prepare(t);
	}
	for (size_t k = 0; k < keys_n; k++) {
		(void)tui_take_key(t, &a->r, keys[k]);
	}
	char *text = screen_text(t, &a->r, width, height);
	compare_screen(name, width, height, text);
	free(text);
	tui_destroy(t);
}

/* One of each size. */
static inline void assert_prepared(const struct a_room *a, bool ascii, void (*prepare)(struct tui *),
				   const int32_t *keys, size_t keys_n, const char *name)
{
	for (size_t i = 0; i < SIZES_N; i++) {
		assert_screen(a, ascii, prepare, keys, keys_n, name, sizes[i].width,
			      sizes[i].height);
	}
}

static inline void assert_room_screens(const struct a_room *a, const int32_t *keys, size_t keys_n,
				const char *name)
{
	assert_prepared(a, false, NULL, keys, keys_n, name);
}

#endif
