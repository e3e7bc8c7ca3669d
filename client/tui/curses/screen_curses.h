/*
 * screen_curses.h - the terminal: writes grids, reads keys. Only the *_curses.c files
 * use curses.
 *
 * One screen at a time, on the terminal of stdin and stdout. screen_close() restores
 * the terminal's state from before screen_open(); so do signal handlers installed here
 * for the signals that end the program and have their default action when the screen
 * opens (TERM, HUP, INT, QUIT, and crashes). A program that handles TERM, HUP and INT
 * itself calls screen_close(). One that handles CONT calls screen_resume() and then
 * reads; otherwise it notices a stop only at the next key.
 *
 * Painting never blocks. The rest of a frame for a slow terminal is sent by
 * screen_flush(), when screen_output() is writable; frames in between are skipped.
 * Output to stderr, if that is a terminal, is held back until the screen is closed.
 *
 * Life:    screen_open() .. screen_close().
 * Threads: the thread that opened it.
 */
#ifndef CLIENT_TUI_CURSES_SCREEN_CURSES_H
#define CLIENT_TUI_CURSES_SCREEN_CURSES_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/settings.h"
#include "client/tui/tui.h"
#include "client/tui/widgets/grid.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

struct screen;

struct screen_options {
	const char *term; /* terminal type; NULL: that of $TERM */
	enum theme_choice theme;
	enum colors_choice colors; /* auto: those of the terminal's description */
	enum hyperlinks_choice links;   /* auto: if the terminal type is known to open them */
};

/*
 * Open the screen. Sets LC_CTYPE to C.UTF-8 unless it is UTF-8 already. An unknown
 * TERM is treated as xterm-256color.
 *
 * ERR_NOT_FOUND  the terminal cannot move its cursor (TERM=dumb), or stdin or
 *                stdout is not a terminal: use lines instead. Nothing was changed.
 * ERR_IO
 */
NODISCARD enum err screen_open(const struct screen_options *o, struct screen **out);

/*
 * Change the look from the next paint on, which redraws everything. ERR_TOO_LARGE: nothing is
 * changed.
 */
NODISCARD enum err screen_set_look(struct screen *s, enum theme_choice theme,
				   enum colors_choice colors);

/*
 * Choose whether a grid's link is sent to the terminal (OSC 8), from the next paint on, which
 * redraws everything.
 */
void screen_set_links(struct screen *s, enum hyperlinks_choice links);

/* Restore the terminal, and free the screen. NULL is allowed. */
void screen_close(struct screen *s);

/* Read the terminal's size; call it again after SIGWINCH. The next paint redraws everything. */
void screen_size(struct screen *s, int *width, int *height);

enum screen_event {
	SCREEN_NOTHING, /* no more for now: wait until stdin is readable */
	SCREEN_KEY,
	SCREEN_PASTE,
	SCREEN_MOUSE, /* see screen_mouse() */
	SCREEN_CHANGED, /* continued after a stop: read the size again and paint */
	SCREEN_FOCUS_IN, /* the terminal's window has the focus, if the terminal reports it */
	SCREEN_FOCUS_OUT,
	SCREEN_GONE	/* the terminal hung up */
};

/*
 * Read one event. Waits at most 25 ms, and only after a lone Escape.
 *
 * @key    for SCREEN_KEY: a code point or enum tui_key. ^L also makes the next paint redraw
 *         everything.
 * @paste  for SCREEN_PASTE: the bytes as received; valid until the next call.
 *
 * ^Z restores the terminal and stops the program here, until it is continued.
 */
enum screen_event screen_read(struct screen *s, int32_t *key, struct slice *paste);

/* The mouse event, after SCREEN_MOUSE; valid until the next screen_read(). */
const struct tui_mouse *screen_mouse(const struct screen *s);

/*
 * Turn the terminal's mouse reports (SGR, mode 1006) on or off, from the next paint on. They are
 * off at first, and while the program is stopped.
 */
void screen_set_mouse(struct screen *s, bool is_on);

/*
 * Write the differences from the last painted grid, in one write.
 *
 * ERR_BUSY  the last frame is still being written, and this grid was ignored: paint the newest
 *           one once screen_is_writing() is false.
 * ERR_IO    the next paint redraws everything.
 */
NODISCARD enum err screen_paint(struct screen *s, const struct grid *g);

/* Whether bytes wait to be written; the descriptor to watch until it is writable. */
bool screen_is_writing(const struct screen *s);
int screen_output(const struct screen *s);
/* Write waiting bytes, as many as the terminal accepts. ERR_IO: the terminal is gone. */
NODISCARD enum err screen_flush(struct screen *s);

/*
 * Call it after SIGCONT: sets the terminal's mode again, whatever stopped the program.
 * screen_read() then returns SCREEN_CHANGED, once per stop.
 */
void screen_resume(struct screen *s);

/*
 * Ring the bell with the next paint. @on_desktop  also show the text as a desktop
 * notification, if the terminal is known to support it (notification.h).
 */
void screen_notify(struct screen *s, const char *text, bool on_desktop);

/*
 * Copy the text to the terminal's clipboard with the next paint, unless the terminal may not
 * support it (clipboard.h).
 */
void screen_copy(struct screen *s, const char *text);

/*
 * Restore the terminal from a signal handler: async-signal-safe; may be called repeatedly, and
 * without a screen.
 */
void screen_restore_raw(void);

#endif
