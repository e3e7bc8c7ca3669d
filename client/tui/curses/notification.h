/*
 * notification.h - what a terminal is sent to call somebody who looks elsewhere.
 *
 * Every terminal rings. Those that are known to show notices on the desktop
 * are sent one in the form they know, through tmux or screen where one stands
 * between; a terminal that is not known is sent nothing but the bell. What is
 * known comes from the environment, as data. When to call is notification_rules.c.
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_NOTIFICATION_H
#define CLIENT_TUI_CURSES_NOTIFICATION_H

#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

/* What tells of the terminal.  field                   variable */
#define NOTICE_VARIABLES(X)                            \
	X(term,                  "TERM")               \
	X(term_program,          "TERM_PROGRAM")       \
	X(lc_terminal,           "LC_TERMINAL") /* the one that ssh takes along */ \
	X(kitty_window_id,       "KITTY_WINDOW_ID")    \
	X(konsole_version,       "KONSOLE_VERSION")    \
	X(wezterm_pane,          "WEZTERM_PANE")       \
	X(ghostty_resources_dir, "GHOSTTY_RESOURCES_DIR") \
	X(iterm_session_id,      "ITERM_SESSION_ID")   \
	X(tmux,                  "TMUX")               \
	X(sty,                   "STY")

/* The variables' values; NULL where there is none. */
struct notification_env {
#define NOTICE_FIELD(field, name) const char *field;
	NOTICE_VARIABLES(NOTICE_FIELD)
#undef NOTICE_FIELD
};

/* As the OSC numbers have it: 9 is a line, 99 is kitty's, 777 a title and a line. */
enum notification_form { NOTIFICATION_BELL, NOTIFICATION_OSC_9, NOTIFICATION_OSC_99, NOTIFICATION_OSC_777 };
/* What stands between and has to be told to pass it on. */
enum notification_through { NOTIFICATION_DIRECT, NOTIFICATION_TMUX, NOTIFICATION_SCREEN };

struct notification_way {
	enum notification_form form;
	enum notification_through through;
};

struct notification_way notification_way_of(const struct notification_env *env);

/*
 * How often one is called at most, whatever a server sends: once in so many
 * milliseconds, and so many times in a minute. Zeroed at first; now_ms is of a
 * clock that no server sets.
 */
enum { NOTICE_GAP_MS = 2000, NOTICE_MINUTE_MS = 60000, NOTICE_MINUTE_MAX = 10 };
struct notification_pace {
	int64_t called_at_ms[NOTICE_MINUTE_MAX]; /* the last ones, in turn */
	size_t calls;
};
/* How long one has to be left in peace yet; 0: not at all. */
int64_t notification_wait_ms(const struct notification_pace *p, int64_t now_ms);
/* One is called now. */
void notification_count(struct notification_pace *p, int64_t now_ms);

/* Longer text is cut, in bytes. Whole notices fit what GNU screen passes on, which is 256 bytes in old versions. */
enum { NOTICE_TEXT_BYTES_MAX = 120 };

/*
 * Append the notice. Whatever is in the text, controls and what is invisible
 * do not come out. The bell is not part of it. Nothing for NOTIFICATION_BELL.
 * What went wrong stays in out->error.
 */
void notification_put(struct buf *out, struct notification_way way, const char *text);

#endif
