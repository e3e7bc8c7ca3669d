/*
 * notification.h - the escape sequences for notifications of a user who looks elsewhere.
 *
 * Every terminal gets the bell. Terminals that are known to show desktop notifications
 * also get one in their format, passed through tmux or screen if needed. The terminal
 * is identified by environment variables, given as data. notification_rules.c decides
 * when to notify.
 *
 * Pure.
 */
#ifndef CLIENT_TUI_CURSES_NOTIFICATION_H
#define CLIENT_TUI_CURSES_NOTIFICATION_H

#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

/* What identifies the terminal.  field                   variable */
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

/* The variables' values; NULL: not set. */
struct notification_env {
#define NOTICE_FIELD(field, name) const char *field;
	NOTICE_VARIABLES(NOTICE_FIELD)
#undef NOTICE_FIELD
};

/* The sequence by its OSC number: 9 has a line, 99 is kitty's, 777 has a title and a line. */
enum notification_form { NOTIFICATION_BELL, NOTIFICATION_OSC_9, NOTIFICATION_OSC_99, NOTIFICATION_OSC_777 };
/* The multiplexer that must pass it on. */
enum notification_through { NOTIFICATION_DIRECT, NOTIFICATION_TMUX, NOTIFICATION_SCREEN };

struct notification_way {
	enum notification_form form;
	enum notification_through through;
};

struct notification_way notification_way_of(const struct notification_env *env);

/*
 * The rate limit, whatever a server sends: one notification in NOTICE_GAP_MS, and
 * NOTICE_MINUTE_MAX in a minute. Starts zeroed; now_ms is of a local clock.
 */
enum { NOTICE_GAP_MS = 2000, NOTICE_MINUTE_MS = 60000, NOTICE_MINUTE_MAX = 10 };
struct notification_pace {
	int64_t called_at_ms[NOTICE_MINUTE_MAX]; /* a ring of the last ones */
	size_t calls;
};
/* The time in ms until the next notification is allowed; 0: now. */
int64_t notification_wait_ms(const struct notification_pace *p, int64_t now_ms);
/* A notification is sent now. */
void notification_count(struct notification_pace *p, int64_t now_ms);

/*
 * The most bytes of text; longer text is cut. A whole sequence fits in the 256 bytes that old
 * versions of GNU screen pass on.
 */
enum { NOTICE_TEXT_BYTES_MAX = 120 };

/*
 * Append the notification, without the bell; nothing for NOTIFICATION_BELL. Control and
 * invisible characters of the text are dropped. A failure is in out->error.
 */
void notification_put(struct buf *out, struct notification_way way, const char *text);

#endif
