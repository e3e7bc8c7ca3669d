/*
 * screen_parts_curses.h - what the parts of the screen share; only for the
 * *_curses.c files.
 *
 * screen_curses.c opens and closes, restore_curses.c gives the terminal back
 * whatever happens, keys_curses.c reads, paint_curses.c makes frames and
 * output_curses.c sends them; stderr_capture_curses.c keeps stderr off the screen.
 */
#ifndef CLIENT_TUI_CURSES_SCREEN_PARTS_CURSES_H
#define CLIENT_TUI_CURSES_SCREEN_PARTS_CURSES_H

#include <signal.h>
#include <termios.h>

#include "client/tui/curses/hyperlink.h"
#include "client/tui/curses/mouse_report.h"
#include "client/tui/curses/notification.h"
#include "client/tui/curses/screen_curses.h"
#include "proto/base/buf.h"

enum { SCREEN_PASTE_BYTES_MAX = 262144, SCREEN_MODE_BYTES_MAX = 256 };

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
	struct mouse_report report; /* the one that is coming in */
	struct tui_mouse mouse;
	bool has_mouse;
	bool is_back; /* the program was stopped and goes on; not told yet */

	struct grid shown;
	bool is_stale; /* shown is not what the terminal shows */
	struct buf out; /* the frame at hand, and how much of it the terminal has taken */
	size_t sent;
	struct buf notice; /* goes out with the next frame, as the mouse's mode does */
	struct notification_way notification_way;
	int fd;	       /* the terminal, for writing; never blocks where is_own_fd */
	bool is_own_fd;
	struct screen_bytes style[STYLE_COUNT];
	bool has_ground; /* our own colour stands behind everything */
	int last_style;
	bool knows_links; /* the terminal's type is known to open them */
	bool has_links;	  /* they are told to it */
	bool is_in_link;  /* what is painted leads to it */
};

/* Append a capability, if the terminal has it; padding is curses' part. */
void screen_put(struct buf *b, const char *capability);
/* Keep what stands in b, and clear it. ERR_TOO_LARGE, or what went wrong in b. */
NODISCARD enum err screen_keep(struct screen_bytes *to, struct buf *b);

/* What puts the terminal into our mode and back; complete before the handlers of signals are installed. */
struct restore {
	int fd; /* where it is written */
	struct termios before;
	struct termios ours;
	struct screen_bytes enter;
	struct screen_bytes modes; /* the part of enter that curses knows nothing of */
	struct screen_bytes leave;
};

/*
 * The terminal is in our mode from here to restore_end(), which puts it back.
 * curses has sent the rest of `enter` by then: twice would make some terminals
 * forget their cursor.
 */
void restore_begin(const struct restore *r);
void restore_end(void);
/* What the terminal tells of its mouse; back into our mode it does so again, and no exit leaves it on. */
#define RESTORE_MOUSE_ON "\033[?1000h\033[?1006h"
#define RESTORE_MOUSE_OFF "\033[?1006l\033[?1000l"
void restore_set_mouse(bool is_on);
/* Goes on after a stop that no handler saw: into our mode again, once it is in the foreground. */
void restore_resume(void);
/* Whether the program was stopped and goes on; tells it once. */
bool restore_was_stopped(void);
/* No signal comes between: the terminal is half in our mode. */
void restore_block(sigset_t *before);
void restore_unblock(const sigset_t *before);

/*
 * Between the two, what anybody writes to stderr waits, up to what a pipe
 * holds, so that it does not stand in the middle of the screen. hold_end() is
 * async-signal-safe, and does nothing the second time.
 */
void hold_begin(void);
void hold_end(void);

/* The terminal of stdout, opened anew so that it never blocks and the shell's side does; -1 where that is not to be had. */
int output_open(void);
/* Notices the stop: what waits to be written is of no use any more. */
void output_check_back(struct screen *s);

/* Keys come as described in screen_read() from here on. */
NODISCARD enum err keys_start(struct screen *s);

/* Make the bytes of every style. What goes wrong changes none. */
NODISCARD enum err paint_set_look(struct screen *s, enum theme_choice theme,
				  enum colors_choice colors);

#endif
