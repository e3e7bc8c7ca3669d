/*
 * screen_curses.c - opening and closing the terminal; see screen_curses.h.
 *
 * curses knows the terminal: its capabilities, its modes, its keys. What is
 * painted does not go through it (paint_curses.c says why), so its windows are
 * never refreshed and it never draws.
 */
#include "client/tui/curses/screen_parts_curses.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "client/tui/curses/clipboard.h"

/* After proto/base/err.h: curses calls success OK as well, with the same value, but by a macro. */
#include <curses.h>
#include <term.h>

/* Pastes are told from keys, and whether the window has the focus is told at all. */
#define SCREEN_MODES_ON "\033[?2004h\033[?1004h"
/* Whatever was on, the mouse included: what is off already does not mind. */
#define SCREEN_MODES_OFF "\033[?1000l\033[?1002l\033[?1006l\033[?1004l\033[?2004l"

enum {
	SCREEN_FALLBACK_WIDTH = 80,
	SCREEN_FALLBACK_HEIGHT = 24,
	SCREEN_FRAME_BYTES_MAX = 64 << 20,
	SCREEN_NOTICE_BYTES_MAX = 1024
};

/* Signals that curses takes for itself when it starts. */
static const int screen_borrowed[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { SCREEN_BORROWED_N = sizeof(screen_borrowed) / sizeof(screen_borrowed[0]) };

/* tputs() gives its bytes to a function without an argument; they go here. */
static struct buf *screen_sink;

static int screen_put_byte(int byte)
{
	char c = (char)byte;
	(void)buf_append(screen_sink, &c, 1);
	return byte;
}

void screen_put(struct buf *b, const char *capability)
{
	if (capability == NULL || capability == (char *)-1) {
		return;
	}
	screen_sink = b;
	(void)tputs(capability, 1, screen_put_byte);
}

enum err screen_keep(struct screen_bytes *to, struct buf *b)
{
	enum err e = b->error;
	if (e == OK && b->len > sizeof(to->data)) {
		e = ERR_TOO_LARGE;
	}
	if (e == OK) {
		to->len = b->len;
		memcpy(to->data, b->len == 0 ? "" : b->data, b->len);
	}
	buf_clear(b);
	return e;
}

static void screen_set_locale(void)
{
	(void)setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		(void)setlocale(LC_CTYPE, "C.UTF-8");
	}
}

/* The type to open, or NULL where the terminal cannot place its cursor. */
static const char *screen_choose_type(const char *wanted)
{
	static const char *const spare = "xterm-256color";
	int status = 0;
	if (wanted == NULL || wanted[0] == '\0') {
		return NULL;
	}
	if (setupterm(wanted, STDOUT_FILENO, &status) != OK) {
		wanted = spare;
		if (setupterm(wanted, STDOUT_FILENO, &status) != OK) {
			return NULL;
		}
	}
	bool can_move = cursor_address != NULL && clear_screen != NULL;
	(void)del_curterm(cur_term);
	return can_move ? wanted : NULL;
}

/* A window beyond this is nobody's: what is drawn of it is the upper left. */
enum { SCREEN_WIDTH_MAX = 2000, SCREEN_HEIGHT_MAX = 1000 };

static SCREEN *screen_start_curses(const char *type)
{
	struct sigaction before[SCREEN_BORROWED_N];
	for (size_t i = 0; i < SCREEN_BORROWED_N; i++) {
		(void)sigaction(screen_borrowed[i], NULL, &before[i]);
	}
	struct winsize w = {0};
	/* It would make itself a window of that size, and find no memory for it; ours are drawn without it. */
	bool is_vast = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 &&
		       (w.ws_col > SCREEN_WIDTH_MAX || w.ws_row > SCREEN_HEIGHT_MAX);
	use_env(is_vast ? FALSE : TRUE);
	SCREEN *curses = newterm(type, stdout, stdin);
	for (size_t i = 0; i < SCREEN_BORROWED_N; i++) {
		(void)sigaction(screen_borrowed[i], &before[i], NULL);
	}
	return curses;
}

/*
 * Back to what was there before the program; a terminal that cannot do that goes on below its last
 * line.
 */
static void screen_put_farewell(struct buf *b)
{
	if (exit_ca_mode != NULL) {
		screen_put(b, exit_ca_mode);
		return;
	}
	screen_put(b, tparm(cursor_address, (long)lines - 1, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
	(void)buf_append(b, "\r\n", 2);
}

static enum err screen_make_bytes(struct screen *s, struct restore *r)
{
	screen_put(&s->out, enter_ca_mode);
	screen_put(&s->out, keypad_xmit);
	(void)buf_append_slice(&s->out, SLICE(SCREEN_MODES_ON));
	enum err e = screen_keep(&r->enter, &s->out);
	if (e == OK) {
		(void)buf_append_slice(&s->out, SLICE(SCREEN_MODES_ON));
		e = screen_keep(&r->modes, &s->out);
	}
	if (e == OK) {
		screen_put(&s->out, exit_attribute_mode);
		if (s->knows_links) {
			(void)buf_append_slice(&s->out, SLICE(HYPERLINK_END));
		}
		(void)buf_append_slice(&s->out, SLICE(SCREEN_MODES_OFF));
		screen_put(&s->out, keypad_local);
		screen_put(&s->out, cursor_normal);
		screen_put_farewell(&s->out);
		e = screen_keep(&r->leave, &s->out);
	}
	return e;
}

static void screen_free(struct screen *s)
{
	if (s->curses != NULL) {
		/*
		 * endwin() would send its own farewell after ours; the terminal is restored
		 * already.
		 */
		if (s->keys != NULL) {
			(void)delwin(s->keys);
		}
		delscreen(s->curses);
	}
	if (s->is_own_fd) {
		(void)close(s->fd);
	}
	grid_finish(&s->shown);
	buf_finish(&s->out);
	buf_finish(&s->notice);
	free(s);
}

static struct notification_way screen_find_notice_way(void)
{
	struct notification_env env = {
#define SCREEN_VARIABLE(field, name) .field = getenv(name),
		NOTICE_VARIABLES(SCREEN_VARIABLE)
#undef SCREEN_VARIABLE
	};
	return notification_way_of(&env);
}

void screen_set_links(struct screen *s, enum hyperlinks_choice links)
{
	s->has_links = links == HYPERLINKS_ON || (links == HYPERLINKS_AUTO && s->knows_links);
	s->is_stale = true;
}

static enum err screen_start(struct screen *s, const char *type, const struct screen_options *o,
			     struct restore *r)
{
	buf_init(&s->out, SCREEN_FRAME_BYTES_MAX);
	buf_init(&s->notice, SCREEN_NOTICE_BYTES_MAX);
	s->is_stale = true;
	s->knows_links = hyperlink_is_known(type);
	screen_set_links(s, o->links);
	s->notification_way = screen_find_notice_way();
	s->fd = output_open();
	s->is_own_fd = s->fd >= 0;
	if (!s->is_own_fd) {
		s->fd = STDOUT_FILENO; /* blocks where the terminal does; better than no screen */
	}
	r->fd = s->fd;
	s->curses = screen_start_curses(type);
	enum err e = s->curses == NULL ? ERR_IO : keys_start(s);
	if (e == OK) {
		e = paint_set_look(s, o->theme, o->colors);
	}
	if (e == OK) {
		e = screen_make_bytes(s, r);
	}
	return e == OK && tcgetattr(STDIN_FILENO, &r->ours) != 0 ? ERR_IO : e;
}

enum err screen_open(const struct screen_options *o, struct screen **out)
{
	const char *type = o->term != NULL ? o->term : getenv("TERM");
	struct restore r = {0};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &r.before) != 0) {
		return ERR_NOT_FOUND;
	}
	screen_set_locale();
	type = screen_choose_type(type);
	if (type == NULL) {
		return ERR_NOT_FOUND;
	}
	struct screen *s = memory_new(1, sizeof(*s));
	sigset_t before;
	restore_block(&before);
	enum err e = screen_start(s, type, o, &r);
	if (e == OK) {
		hold_begin();
		restore_begin(&r);
		*out = s;
	} else {
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &r.before);
		screen_free(s);
	}
	restore_unblock(&before);
	return memory_check(e); /* not before the terminal is as it was */
}

enum err screen_set_look(struct screen *s, enum theme_choice theme, enum colors_choice colors)
{
	s->is_stale = true;
	return memory_check(paint_set_look(s, theme, colors));
}

void screen_close(struct screen *s)
{
	if (s == NULL) {
		return;
	}
	restore_end();
	screen_free(s);
}

void screen_size(struct screen *s, int *width, int *height)
{
	struct winsize w = {0};
	bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0;
	*width = is_known ? w.ws_col : SCREEN_FALLBACK_WIDTH;
	*height = is_known ? w.ws_row : SCREEN_FALLBACK_HEIGHT;
	*width = *width > SCREEN_WIDTH_MAX ? SCREEN_WIDTH_MAX : *width;
	*height = *height > SCREEN_HEIGHT_MAX ? SCREEN_HEIGHT_MAX : *height;
	s->is_stale = true;
}

void screen_set_mouse(struct screen *s, bool is_on)
{
	if (s->has_mouse == is_on) {
		return;
	}
	s->has_mouse = is_on;
	restore_set_mouse(is_on);
	(void)buf_append_slice(&s->notice,
			       is_on ? SLICE(RESTORE_MOUSE_ON) : SLICE(RESTORE_MOUSE_OFF));
}

const struct tui_mouse *screen_mouse(const struct screen *s)
{
	return &s->mouse;
}

void screen_notify(struct screen *s, const char *text, bool on_desktop)
{
	if (on_desktop) {
		notification_put(&s->notice, s->notification_way, text);
	}
	(void)buf_append(&s->notice, "\a", 1);
	if (s->notice.error != OK) {
		buf_clear(&s->notice); /* a terminal that takes nothing needs no calling either */
	}
}

void screen_copy(struct screen *s, const char *text)
{
	if (clipboard_is_likely(getenv("TERM"))) {
		clipboard_put(&s->notice, slice_str(text));
	}
	if (s->notice.error != OK) {
		buf_clear(&s->notice);
	}
}
