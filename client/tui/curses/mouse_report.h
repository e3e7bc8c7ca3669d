/*
 * mouse_report.h - parses the mouse reports of a terminal, byte by byte.
 *
 * Pure, and resumable at any byte. The format is SGR, mode 1006: ESC [ < button ;
 * column ; row, then M for a press and m for a release. Terminals without it send
 * three raw bytes after ESC [ M, which would be read as keys, as would a report
 * whose Escape came alone: both are discarded, and so is anything that starts like
 * a report and is not one, up to its end or MOUSE_REPORT_SWALLOWED_MAX bytes.
 *
 * Life: a zeroed struct.
 */
#ifndef CLIENT_TUI_CURSES_MOUSE_REPORT_H
#define CLIENT_TUI_CURSES_MOUSE_REPORT_H

#include <stddef.h>

#include "client/tui/widgets/keys.h"

/* The most bytes of a valid report, and of discarded input. */
enum { MOUSE_REPORT_BYTES_MAX = 24, MOUSE_REPORT_SWALLOWED_MAX = 256 };

enum mouse_report_state {
	MOUSE_REPORT_NONE,
	MOUSE_REPORT_ESCAPED, /* an Escape came alone, and was read as the key */
	MOUSE_REPORT_OTHER,   /* a [ after that: the kind is not known yet */
	MOUSE_REPORT_SGR,
	MOUSE_REPORT_OLD
};

struct mouse_report {
	enum mouse_report_state state;
	size_t len; /* the bytes received; text holds those that fit */
	char text[MOUSE_REPORT_BYTES_MAX + 1];
};

/* The start of a report was read: ESC [ <, or ESC [ M of the old format. */
void mouse_report_begin(struct mouse_report *r, enum mouse_report_state state);
/* A lone Escape was read as the key; the next bytes may show that it was the start of a report. */
void mouse_report_escaped(struct mouse_report *r);

enum mouse_report_taken {
	MOUSE_REPORT_NOT_MINE, /* read it as a key */
	MOUSE_REPORT_MORE,     /* consumed; no event yet */
	MOUSE_REPORT_EVENT     /* consumed; *out is set */
};
/* @code  a byte; above 255, a complete key, which ends any report. */
enum mouse_report_taken mouse_report_take(struct mouse_report *r, int code, struct tui_mouse *out);

#endif
