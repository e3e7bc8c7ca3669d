/*
 * screen_parts_curses.h - what the parts of the screen share; only for the
 * *_curses.c files.
 *
 * screen_curses.c opens and closes, restore_curses.c gives the terminal back
 * whatever happens, keys_curses.c reads and paint_curses.c writes.
 */
#ifndef CLIENT_TUI_SCREEN_PARTS_CURSES_H
#define CLIENT_TUI_SCREEN_PARTS_CURSES_H

#include <termios.h>

#include "client/tui/screen_curses.h"
#include "proto/buf.h"

enum { SCREEN_PASTE_BYTES_MAX = 16384, SCREEN_MODE_BYTES_MAX = 256 };

/* Bytes made from capabilities. */
struct screen_bytes {
	char data[SCREEN_MODE_BYTES_MAX];
	size_t len;
};

struct screen {
	void *curses; /* SCREEN, which is another struct screen: theirs */
	void *keys;   /* WINDOW, a pad: reading from it never refreshes anything */
	char paste[SCREEN_PASTE_BYTES_MAX];
	size_t paste_len;
	bool is_pasting;

	struct grid shown;
	bool is_stale; /* shown is not what the terminal shows */
	struct buf out;
	struct screen_bytes style[STYLE_COUNT];
	int last_style;
};

/* Append a capability, if the terminal has it; padding is curses' part. */
void screen_put(struct buf *b, const char *capability);
/* Keep what stands in b, and clear it. ERR_TOO_LARGE, or what went wrong in b. */
NODISCARD enum err screen_keep(struct screen_bytes *to, struct buf *b);

/* What puts the terminal into our mode and back; complete before the handlers of signals are installed. */
struct restore {
	struct termios before;
	struct termios ours;
	struct screen_bytes enter;
	struct screen_bytes leave;
};

/* The terminal is in our mode from here to restore_end(), which puts it back. */
void restore_begin(const struct restore *r);
void restore_end(void);
/* Whether the program was stopped and goes on; tells it once. */
bool restore_was_stopped(void);
/* To the terminal, whole even where its descriptor does not block or a signal comes between. Async-signal-safe. */
bool restore_write(const char *data, size_t len);

/* Keys come as described in screen_read() from here on. */
NODISCARD enum err keys_start(struct screen *s);

/* Make the bytes of every style. */
NODISCARD enum err paint_start(struct screen *s, bool has_color);

#endif
