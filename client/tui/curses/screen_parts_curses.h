/*
 * screen_parts_curses.h - shared by the parts of the screen; only for the
 * *_curses.c files.
 *
 * screen_curses.c opens and closes, restore_curses.c restores the terminal in all
 * cases, keys_curses.c reads, paint_curses.c makes frames and output_curses.c
 * writes them; stderr_capture_curses.c keeps stderr off the screen.
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

/* Bytes made from terminfo capabilities. */
struct screen_bytes {
	char data[SCREEN_MODE_BYTES_MAX];
	size_t len;
};

struct screen {
	void *curses; /* curses' SCREEN, which is another struct screen */
	void *keys;   /* WINDOW, a pad, since reading from a pad does not refresh the screen */
	char paste[SCREEN_PASTE_BYTES_MAX];
	size_t paste_len;
	bool is_pasting;
	struct mouse_report report; /* being received */
	struct tui_mouse mouse;
	bool has_mouse;
	bool is_back; /* the program was stopped and continued; not reported yet */

	struct grid shown;
	bool is_stale; /* the terminal does not show `shown` */
	struct buf out; /* the current frame; `sent` of its bytes are written */
	size_t sent;
	struct buf notice; /* written with the next frame, like the mouse mode */
	struct notification_way notification_way;
	int fd;	       /* the terminal, for writing; non-blocking if is_own_fd */
	bool is_own_fd;
	struct screen_bytes style[STYLE_COUNT];
	bool has_ground; /* the theme sets a background colour */
	int last_style;
	bool knows_links; /* the terminal's type is known to open links */
	bool has_links;	  /* links are sent */
	bool is_in_link;  /* the output position is within a link */
};

/* Append a capability, if the terminal has it; curses expands its padding. */
void screen_put(struct buf *b, const char *capability);
/* Move the content of b to *to. ERR_TOO_LARGE, or the error of b. */
NODISCARD enum err screen_keep(struct screen_bytes *to, struct buf *b);

/*
 * The modes and bytes that set up and restore the terminal; complete before the signal handlers are
 * installed.
 */
struct restore {
	int fd; /* to write to */
	struct termios before;
	struct termios ours;
	struct screen_bytes enter;
	struct screen_bytes modes; /* the part of enter that curses does not handle */
	struct screen_bytes leave;
};

/*
 * Set the terminal's mode; restore_end() restores it. Writes only `modes`, since curses has
 * sent the rest of `enter` by then, and sending it twice makes some terminals lose their cursor.
 */
void restore_begin(const struct restore *r);
void restore_end(void);
/* The mouse mode: set again after a stop, and off after any exit. */
#define RESTORE_MOUSE_ON "\033[?1000h\033[?1006h"
#define RESTORE_MOUSE_OFF "\033[?1006l\033[?1000l"
void restore_set_mouse(bool is_on);
/*
 * Set the terminal's mode again after a stop that no handler saw, once the program is in the
 * foreground.
 */
void restore_resume(void);
/* Whether the program was stopped and continued; true once per stop. */
bool restore_was_stopped(void);
/* Block signals while the terminal's mode is only partly set. */
void restore_block(sigset_t *before);
void restore_unblock(const sigset_t *before);

/*
 * Between the two, output to stderr is held back in a pipe, up to its capacity, so that it
 * does not appear on the screen. hold_end() is async-signal-safe, and does nothing the
 * second time.
 */
void hold_begin(void);
void hold_end(void);

/*
 * Open the terminal of stdout again, so that only this descriptor is non-blocking, and not the
 * shell's; -1: not possible.
 */
int output_open(void);
/* After a stop, drop the bytes that wait to be written. */
void output_check_back(struct screen *s);

/* Let keys come as described at screen_read(). */
NODISCARD enum err keys_start(struct screen *s);

/* Make the bytes of all styles. On an error none is changed. */
NODISCARD enum err paint_set_look(struct screen *s, enum theme_choice theme,
				  enum colors_choice colors);

#endif
