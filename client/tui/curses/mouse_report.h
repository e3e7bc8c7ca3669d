/*
 * mouse_report.h - what a terminal says of its mouse, byte by byte.
 *
 * Pure, and resumable at any byte. The form is SGR, mode 1006: ESC [ < button ;
 * column ; row, then M for a press and m for a release. Terminals that do not
 * know it send three raw bytes behind ESC [ M, which would be read as keys, and
 * a report whose Escape came alone would be, too: both are swallowed. So is
 * everything that begins like a report and is none, up to its end or
 * MOUSE_REPORT_SWALLOWED_MAX bytes.
 *
 * Life: a zeroed struct.
 */
#ifndef CLIENT_TUI_CURSES_MOUSE_REPORT_H
#define CLIENT_TUI_CURSES_MOUSE_REPORT_H

#include <stddef.h>

#include "client/tui/widgets/keys.h"

/* Of a report that means something, and of what is swallowed. */
enum { MOUSE_REPORT_BYTES_MAX = 24, MOUSE_REPORT_SWALLOWED_MAX = 256 };

enum mouse_report_state {
	MOUSE_REPORT_NONE,
	MOUSE_REPORT_ESCAPED, /* an Escape came alone, and was taken for the key */
	MOUSE_REPORT_OTHER,   /* behind that a [: something, of which nothing is known yet */
	MOUSE_REPORT_SGR,
	MOUSE_REPORT_OLD
};

struct mouse_report {
	enum mouse_report_state state;
	size_t len; /* what came; what fits of it stands in the text */
	char text[MOUSE_REPORT_BYTES_MAX + 1];
};

/* Its first bytes were found: ESC [ <, or ESC [ M where it is of the old form. */
void mouse_report_begin(struct mouse_report *r, enum mouse_report_state state);
/* A lone Escape was taken for the key; what follows may show that it was none. */
void mouse_report_escaped(struct mouse_report *r);

enum mouse_report_taken {
	MOUSE_REPORT_NOT_MINE, /* read it as a key */
	MOUSE_REPORT_MORE,     /* taken; nothing to tell */
	MOUSE_REPORT_EVENT     /* taken; *out is set */
};
/* @code  a byte, or above 255 a key that was found whole, which ends any report. */
enum mouse_report_taken mouse_report_take(struct mouse_report *r, int code, struct tui_mouse *out);

#endif
