/*
 * screen_files.h - screens of a tui as text, compared with the files in tests/tui/screens/.
 *
 * A file has one screen in all the sizes that a test asks for, each below its heading:
 *
 *	80x24
 *	 aye · Home                                      ● live
 *	...
 *	(cursor in column 4 of row 6)
 *	40x12
 *	...
 *
 * It is compared as a whole: a size that no test asks for is a difference as well.
 * AYE_UPDATE_SCREENS=1 writes the files anew, which is what `make screens` does.
 */
#ifndef TESTS_UNIT_CLIENT_SCREEN_FILES_H
#define TESTS_UNIT_CLIENT_SCREEN_FILES_H

#include <stdio.h>
#include <stdlib.h>

#include "client/tui/tui.h"
#include "client/tui/widgets/grid.h"
#include "tests/support/difference.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

#define SCREENS "tests/tui/screens/"

enum { SIZES_MAX = 4, KEYS_MAX = 8 };

/* The sizes of a screen, in the order of its file; there is none without a width. */
struct sizes {
	struct size {
		int width, height;
	} at[SIZES_MAX];
};

#define SIZES(...) ((struct sizes){{__VA_ARGS__}})

static const struct size usual_sizes[SIZES_MAX] = {{80, 24}, {40, 12}, {120, 40}};

static inline struct tui *open_tui(bool ascii)
{
	struct tui *t = tui_create(&(struct tui_options){.ascii = ascii});
	tui_set_link(t, LINK_LIVE);
	return t;
}

/* A screen of that size: its cells, and where the cursor is. The caller frees it. */
static inline char *screen_text(struct tui *t, const struct replica *r, int width, int height)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	tui_follow(t, r);
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

/* Nothing beyond ASCII in any of the usual sizes: where signs are ASCII, and so is what people wrote. */
static inline void assert_ascii(struct tui *t, const struct replica *r)
{
	for (size_t i = 0; i < SIZES_MAX && usual_sizes[i].width > 0; i++) {
		char *text = screen_text(t, r, usual_sizes[i].width, usual_sizes[i].height);
		for (const char *c = text; *c != '\0'; c++) {
			if ((unsigned char)*c > 126) {
				fail_msg("there is more than ASCII:\n%s", text);
			}
		}
		free(text);
	}
}

/* The file of a screen while its sizes are drawn: file_open() .. file_compare(). */
struct screen_file {
	char *text;
	size_t len;
	FILE *out;
};

static inline void file_open(struct screen_file *f)
{
	f->out = open_memstream(&f->text, &f->len);
	assert_non_null(f->out);
}

static inline void file_draw(struct screen_file *f, struct tui *t, const struct replica *r,
			     struct size size)
{
	char *text = screen_text(t, r, size.width, size.height);
	fprintf(f->out, "%dx%d\n%s", size.width, size.height, text);
	free(text);
}

static inline void file_compare(struct screen_file *f, const char *name)
{
	char path[256];
	assert_int_equal(fclose(f->out), 0);
	snprintf(path, sizeof(path), SCREENS "%s.txt", name);
	tell_screen_read(path);
	assert_as_file(path, f->text);
	free(f->text);
}

/* What a tui shows is the screen of that name. */
static inline void assert_sizes(struct tui *t, const struct replica *r, const char *name,
				struct sizes sizes)
{
	struct screen_file f;
	file_open(&f);
	for (size_t i = 0; i < SIZES_MAX && sizes.at[i].width > 0; i++) {
		file_draw(&f, t, r, sizes.at[i]);
	}
	file_compare(&f, name);
}

/* A screen of a room: what a new tui, one for each size, shows that was prepared and got the keys. */
struct screen {
	const char *name;
	bool ascii;
	void (*prepare)(struct tui *t);
	int32_t keys[KEYS_MAX];
	struct sizes sizes; /* none: the usual ones */
};

static inline void screen_compare(const struct a_room *a, const struct screen *s)
{
	const struct size *sizes = s->sizes.at[0].width > 0 ? s->sizes.at : usual_sizes;
	struct screen_file f;
	file_open(&f);
	for (size_t i = 0; i < SIZES_MAX && sizes[i].width > 0; i++) {
		struct tui *t = open_tui(s->ascii);
		tui_set_now(t, A_NOW);
		if (s->prepare != NULL) {
			s->prepare(t);
		}
		for (size_t k = 0; k < KEYS_MAX && s->keys[k] != 0; k++) {
			(void)tui_take_key(t, &a->r, s->keys[k]);
		}
		file_draw(&f, t, &a->r, sizes[i]);
		tui_destroy(t);
	}
	file_compare(&f, s->name);
}

/* assert_screen(a, "stories", .keys = {'S'}) */
#define assert_screen(a, ...) screen_compare((a), &(struct screen){.name = __VA_ARGS__})

#endif
