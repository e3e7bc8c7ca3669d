/*
 * shots.h - what stands on a terminal as text, compared with expected files.
 *
 * A shot waits until the screen is as its file says, up to a deadline that only
 * a wrong screen reaches. With AYE_UPDATE_SCREENS=1 the first of each name waits
 * until the screen is at rest, and writes its file; the others are compared.
 *
 * Life: shots_begin() .. shots_end().
 */
#ifndef TESTS_SUPPORT_SHOTS_H
#define TESTS_SUPPORT_SHOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/terminal.h"

enum { SHOTS_NAMES_MAX = 128, SHOTS_NAME_BYTES = 64 };

struct shots {
	const char *dir; /* of the files, made where it is missing; borrowed */
	/* Put in place of what differs from run to run as many cells of something that does not. */
	void (*mask)(char *text, void *arg);
	void *arg;
	/*
	 * On terminals of ASCII, another directory, or NULL: a screen that is not among `own`, names that end with NULL, has
	 * no file, but the letters and digits of that one's, line by line, and no sign beyond ASCII.
	 */
	const char *like;
	const char *const *own;
	char names[SHOTS_NAMES_MAX][SHOTS_NAME_BYTES]; /* those that were taken, "NAME.txt" */
	size_t names_n;
};

void shots_begin(struct shots *s, const char *dir);
/* What stands on t now, as it would be compared: rows, then where the cursor is. The caller frees it. */
char *shots_text(const struct shots *s, struct terminal *t);
/* Compare with DIR/NAME.txt, or as `like` says; the first difference is shown, and fails the test. */
void shots_take(struct shots *s, struct terminal *t, const char *name);
/* Fails the test where DIR has a file that none was compared with. */
void shots_end(const struct shots *s);

#endif
