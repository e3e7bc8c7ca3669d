/*
 * screen_curses.h - the terminal: grids out, keys in. Only the *_curses.c files
 * know curses.
 *
 * One screen at a time, on the terminal that stdin and stdout are. The state
 * of the terminal before screen_open() is put back by screen_close(), and by
 * handlers of its own when a signal ends the program: those that are still at
 * their default when the screen opens (TERM, HUP, INT, QUIT, and the crashes).
 * A program that watches TERM, HUP and INT itself calls screen_close(); one
 * that watches CONT calls screen_resume() and reads, else it learns of a stop
 * with the next key only.
 *
 * Painting never waits for the terminal. What a slow one has not taken yet goes
 * out with screen_flush(), when screen_output() can be written; the frames in
 * between are never made. What anybody writes to stderr, where that is a
 * terminal, waits until the screen is closed.
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
	const char *term; /* terminal type; NULL: what TERM says */
	enum theme_choice theme;
	enum colors_choice colors; /* auto: as many as the terminal says it has */
	enum hyperlinks_choice links;   /* auto: where its type is known to open them */
};

/*
 * Take the terminal over. The locale's character type becomes C.UTF-8 unless
 * it is UTF-8 already. A TERM nobody knows is taken for xterm-256color.
 *
 * ERR_NOT_FOUND  the terminal cannot place its cursor (TERM=dumb), or stdin or
 *                stdout is none: use lines instead. Nothing was changed.
 * ERR_IO
 */
NODISCARD enum err screen_open(const struct screen_options *o, struct screen **out);

/* Other looks from the next paint on, which draws everything. ERR_TOO_LARGE: those from before stay. */
NODISCARD enum err screen_set_look(struct screen *s, enum theme_choice theme,
				   enum colors_choice colors);

/* Whether a grid's link is told to the terminal (OSC 8), from the next paint on, which draws everything. */
void screen_set_links(struct screen *s, enum hyperlinks_choice links);

/* NULL is fine. Everything is as it was before. */
void screen_close(struct screen *s);

/* The terminal's size now; ask again after SIGWINCH. The next paint draws everything. */
void screen_size(struct screen *s, int *width, int *height);

enum screen_event {
	SCREEN_NOTHING, /* no more for now: wait until stdin is readable */
	SCREEN_KEY,
	SCREEN_PASTE,
	SCREEN_MOUSE, /* see screen_mouse() */
	SCREEN_CHANGED, /* back from a stop: ask the size again and paint */
	SCREEN_FOCUS_IN, /* the terminal's window has the focus, as far as terminals tell */
	SCREEN_FOCUS_OUT,
	SCREEN_GONE	/* the terminal hung up */
};

/*
 * What the user did, one event a call; never waits longer than 25 ms, and that
 * only behind a lone Escape.
 *
 * @key    for SCREEN_KEY: a code point or enum tui_key. ^L also makes the next paint draw
 * everything.
 * @paste  for SCREEN_PASTE: valid until the next call. Bytes as they came.
 *
 * ^Z stops the program here, with the terminal as it was before, until it is continued.
 */
enum screen_event screen_read(struct screen *s, int32_t *key, struct slice *paste);

/* What the mouse did, after SCREEN_MOUSE; valid until the next screen_read(). */
const struct tui_mouse *screen_mouse(const struct screen *s);

/* The terminal tells of its mouse (SGR, mode 1006) from the next paint on, or not; off at first, and whenever the terminal is not ours. */
void screen_set_mouse(struct screen *s, bool is_on);

/*
 * Write what differs from the last painted grid, in one go.
 *
 * ERR_BUSY         the frame before is not out yet: nothing was made of this grid; paint the
 *                  newest one once screen_is_writing() has ended.
 * ERR_IO           the next paint draws everything.
 */
NODISCARD enum err screen_paint(struct screen *s, const struct grid *g);

/* Whether bytes wait for the terminal; then watch this descriptor for being writable. */
bool screen_is_writing(const struct screen *s);
int screen_output(const struct screen *s);
/* Send what waits, as far as the terminal takes it. ERR_IO: it is gone. */
NODISCARD enum err screen_flush(struct screen *s);

/* After SIGCONT: the terminal is in our mode again, whatever stopped the program. screen_read() then says SCREEN_CHANGED, once for a stop. */
void screen_resume(struct screen *s);

/*
 * Ring, with the next paint; on_desktop: and show the text there as well, where
 * the terminal is known for that (notification.h).
 */
void screen_notify(struct screen *s, const char *text, bool on_desktop);

/* Put the text into the terminal's clipboard, with the next paint, where the terminal may know how. */
void screen_copy(struct screen *s, const char *text);

/* Put the terminal back from within a signal handler; async-signal-safe, any number of times, with
 * or without a screen. */
void screen_restore_raw(void);

#endif
