/*
 * keys_curses.c - what the user types, as keys and pastes.
 *
 * curses finds the keys in the bytes; characters are put together here, so
 * that bytes which are no UTF-8 cost themselves and nothing behind them.
 */
#include "client/tui/curses/screen_parts_curses.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "client/tui/tui.h"

/* After proto/base/err.h: curses calls success OK as well, with the same value, but by a macro. */
#include <curses.h>

enum {
	KEYS_ESCAPE_MS = 25,
	KEYS_PASTE_BEGIN = KEY_MAX + 1,
	KEYS_PASTE_END,
	KEYS_FOCUS_IN,
	KEYS_FOCUS_OUT,
	KEYS_MOUSE,
	KEYS_MOUSE_OLD,
	KEYS_FIRST /* and one for each of keys_rows */
};

/* Keys as terminals send them, whatever terminfo says: cursor keys come in two forms. */
static const struct {
	const char *bytes;
	int32_t key;
} keys_rows[] = {
	{"\033[A", TUI_KEY_UP},	      {"\033OA", TUI_KEY_UP},	      {"\033[B", TUI_KEY_DOWN},
	{"\033OB", TUI_KEY_DOWN},     {"\033[C", TUI_KEY_RIGHT},      {"\033OC", TUI_KEY_RIGHT},
	{"\033[D", TUI_KEY_LEFT},     {"\033OD", TUI_KEY_LEFT},	      {"\033[H", TUI_KEY_HOME},
	{"\033OH", TUI_KEY_HOME},     {"\033[1~", TUI_KEY_HOME},      {"\033[F", TUI_KEY_END},
	{"\033OF", TUI_KEY_END},      {"\033[4~", TUI_KEY_END},	      {"\033[3~", TUI_KEY_DELETE},
	{"\033[5~", TUI_KEY_PAGE_UP}, {"\033[6~", TUI_KEY_PAGE_DOWN}, {"\033OM", TUI_KEY_ENTER},
};
enum { KEYS_ROWS_N = sizeof(keys_rows) / sizeof(keys_rows[0]) };

enum err keys_start(struct screen *s)
{
	s->keys = newpad(1, 1);
	if (s->keys == NULL) {
		return ERR_NOMEM;
	}
	(void)raw();
	(void)noecho();
	(void)nonl();
	(void)keypad(s->keys, TRUE);
	(void)nodelay(s->keys, TRUE);
	(void)set_escdelay(KEYS_ESCAPE_MS);
	(void)define_key("\033[200~", KEYS_PASTE_BEGIN);
	(void)define_key("\033[201~", KEYS_PASTE_END);
	(void)define_key("\033[I", KEYS_FOCUS_IN);
	(void)define_key("\033[O", KEYS_FOCUS_OUT);
	(void)define_key("\033[<", KEYS_MOUSE);
	(void)define_key("\033[M", KEYS_MOUSE_OLD);
	for (int i = 0; i < (int)KEYS_ROWS_N; i++) {
		(void)define_key(keys_rows[i].bytes, KEYS_FIRST + i);
	}
	return OK;
}

static int32_t keys_map(int code)
{
	if (code >= KEYS_FIRST && code < KEYS_FIRST + (int)KEYS_ROWS_N) {
		return keys_rows[code - KEYS_FIRST].key;
	}
	switch (code) {
	case KEY_UP:
		return TUI_KEY_UP;
	case KEY_DOWN:
		return TUI_KEY_DOWN;
	case KEY_LEFT:
		return TUI_KEY_LEFT;
	case KEY_RIGHT:
		return TUI_KEY_RIGHT;
	case KEY_HOME:
		return TUI_KEY_HOME;
	case KEY_END:
		return TUI_KEY_END;
	case KEY_PPAGE:
		return TUI_KEY_PAGE_UP;
	case KEY_NPAGE:
		return TUI_KEY_PAGE_DOWN;
	case KEY_ENTER:
	case '\r':
	case '\n':
		return TUI_KEY_ENTER;
	case '\t':
		return TUI_KEY_TAB;
	case KEY_BACKSPACE:
	case '\b':
	case 0x7f:
		return TUI_KEY_BACKSPACE;
	case KEY_DC:
		return TUI_KEY_DELETE;
	case 0x1b:
		return TUI_KEY_ESCAPE;
	}
	return code < 0x80 ? code : 0;
}

/*
 * The rest of a character whose first byte is `lead`; 0 where it is not UTF-8. Its bytes arrive
 * together or not at all.
 */
static int32_t keys_read_character(struct screen *s, int lead)
{
	int more = lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
	if (more == 0 || lead >= 0xf8) {
		return 0;
	}
	int32_t c = lead & (0x3f >> more);
	for (int i = 0; i < more; i++) {
		int next = wgetch(s->keys);
		if (next < 0x80 || next > 0xbf) {
			if (next != ERR) {
				(void)ungetch(next);
			}
			return 0;
		}
		c = (int32_t)(c << 6 | (next & 0x3f));
	}
	return c > 0x10ffff ? 0 : c;
}

/* Whether nothing follows: an Escape that somebody pressed, not one in what was copied. */
static bool keys_is_lone(struct screen *s)
{
	int next = wgetch(s->keys);
	if (next != ERR) {
		(void)ungetch(next);
	}
	return next == ERR;
}

/*
 * True at the end of the paste. Keys inside are text; a lone Escape ends it too, so that a lost end
 * locks nobody out.
 */
static bool keys_take_paste_byte(struct screen *s, int code)
{
	if (code == KEYS_PASTE_END || (code == 0x1b && keys_is_lone(s))) {
		s->is_pasting = false;
		return true;
	}
	if (code >= 0 && code <= 0xff && s->paste_len < sizeof(s->paste)) {
		s->paste[s->paste_len++] = (char)code;
	}
	return false;
}

static bool keys_have_hung_up(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

/* Whether the program was stopped and goes on: the terminal shows something else by now. */
static bool keys_are_back(struct screen *s)
{
	output_check_back(s);
	bool is_back = s->is_back;
	s->is_back = false;
	return is_back;
}

/* What begins a report of the mouse; bytes of it are not keys, be it on or off. */
static bool keys_begin_report(struct screen *s, int code)
{
	if (code == 0x1b && s->has_mouse) {
		mouse_report_escaped(&s->report); /* and a key, as far as we know */
	}
	if (code == KEYS_MOUSE || code == KEYS_MOUSE_OLD) {
		mouse_report_begin(&s->report,
				   code == KEYS_MOUSE ? MOUSE_REPORT_SGR : MOUSE_REPORT_OLD);
		return true;
	}
	return false;
}

enum screen_event screen_read(struct screen *s, int32_t *key, struct slice *paste)
{
	enum { CTRL_L = 12, CTRL_Z = 26 };

	for (;;) {
		if (keys_are_back(s)) {
			return SCREEN_CHANGED;
		}
		int code = wgetch(s->keys);
		if (code == ERR) {
			return keys_have_hung_up() ? SCREEN_GONE : SCREEN_NOTHING;
		}
		if (s->is_pasting) {
			if (keys_take_paste_byte(s, code)) {
				*paste = slice_of(s->paste, s->paste_len);
				return SCREEN_PASTE;
			}
			continue;
		}
		if (code == KEYS_PASTE_BEGIN) {
			s->is_pasting = true;
			s->paste_len = 0;
			continue;
		}
		enum mouse_report_taken taken = mouse_report_take(&s->report, code, &s->mouse);
		if (taken == MOUSE_REPORT_EVENT && s->has_mouse) {
			return SCREEN_MOUSE;
		}
		if (taken != MOUSE_REPORT_NOT_MINE || keys_begin_report(s, code)) {
			continue;
		}
		if (code == KEYS_FOCUS_IN || code == KEYS_FOCUS_OUT) {
			return code == KEYS_FOCUS_IN ? SCREEN_FOCUS_IN : SCREEN_FOCUS_OUT;
		}
		if (code == CTRL_Z) {
			(void)kill(0, SIGTSTP);
			continue;
		}
		*key = code >= 0x80 && code <= 0xff ? keys_read_character(s, code) : keys_map(code);
		if (*key == CTRL_L) {
			s->is_stale = true;
		}
		if (*key != 0) {
			return SCREEN_KEY;
		}
	}
}
