/*
 * mouse_report.c - see mouse_report.h.
 */
#include "client/tui/curses/mouse_report.h"

#include <stdbool.h>

#include "proto/text/decimal.h"

enum { MOUSE_REPORT_OLD_BYTES = 3, MOUSE_REPORT_MAX = 9999 };

/* As the protocol has them; 4, 8 and 16 are Shift, Meta and Control, 32 is a motion. */
enum { MOUSE_BUTTON_LEFT = 0, MOUSE_BUTTON_WHEEL_UP = 64, MOUSE_BUTTON_WHEEL_DOWN = 65 };

void mouse_report_begin(struct mouse_report *r, enum mouse_report_state state)
{
	*r = (struct mouse_report){.state = state};
}

void mouse_report_escaped(struct mouse_report *r)
{
	mouse_report_begin(r, MOUSE_REPORT_ESCAPED);
}

/* A number and the byte behind it. */
static bool mouse_report_number(const char **at, char end, int *out)
{
	size_t digits;
	*out = (int)decimal_front(slice_str(*at), MOUSE_REPORT_MAX, &digits);
	*at += digits;
	if (*out < 0 || **at != end) {
		return false;
	}
	*at += end == '\0' ? 0 : 1;
	return true;
}

static bool mouse_report_kind(int button, enum tui_mouse_kind *out)
{
	switch (button) {
	case MOUSE_BUTTON_LEFT:
		*out = TUI_MOUSE_PRESS;
		return true;
	case MOUSE_BUTTON_WHEEL_UP:
		*out = TUI_MOUSE_WHEEL_UP;
		return true;
	case MOUSE_BUTTON_WHEEL_DOWN:
		*out = TUI_MOUSE_WHEEL_DOWN;
		return true;
	}
	return false;
}

/* Presses of what we know; columns and rows count from 1 there. */
static bool mouse_report_parse(const char *at, struct tui_mouse *out)
{
	struct tui_mouse m;
	int button;
	if (!mouse_report_number(&at, ';', &button) || !mouse_report_number(&at, ';', &m.x) ||
	    !mouse_report_number(&at, '\0', &m.y) || m.x < 1 || m.y < 1 ||
	    !mouse_report_kind(button, &m.kind)) {
		return false;
	}
	m.x--;
	m.y--;
	*out = m;
	return true;
}

static enum mouse_report_taken mouse_report_end(struct mouse_report *r,
						enum mouse_report_taken taken)
{
	r->state = MOUSE_REPORT_NONE;
	return taken;
}

/* Up to its final byte, as all control sequences have one. */
static enum mouse_report_taken mouse_report_more(struct mouse_report *r, int code,
						 struct tui_mouse *out)
{
	bool is_final = code >= 0x40 && code <= 0x7e;
	if (!is_final && (code < 0x20 || code > 0x3f)) {
		return mouse_report_end(r, MOUSE_REPORT_NOT_MINE);
	}
	if (!is_final && r->len < MOUSE_REPORT_SWALLOWED_MAX) {
		if (r->len < MOUSE_REPORT_BYTES_MAX) {
			r->text[r->len] = (char)code;
		}
		r->len++;
		return MOUSE_REPORT_MORE;
	}
	bool is_whole = r->len <= MOUSE_REPORT_BYTES_MAX;
	r->text[is_whole ? r->len : 0] = '\0';
	bool is_event = r->state == MOUSE_REPORT_SGR && code == 'M' && is_whole &&
			mouse_report_parse(r->text, out);
	return mouse_report_end(r, is_event ? MOUSE_REPORT_EVENT : MOUSE_REPORT_MORE);
}

enum mouse_report_taken mouse_report_take(struct mouse_report *r, int code, struct tui_mouse *out)
{
	if (code < 0 || code > 0xff) {
		return mouse_report_end(r, MOUSE_REPORT_NOT_MINE);
	}
	switch (r->state) {
	case MOUSE_REPORT_NONE:
		break;
	case MOUSE_REPORT_ESCAPED:
		r->state = code == '[' ? MOUSE_REPORT_OTHER : MOUSE_REPORT_NONE;
		return code == '[' ? MOUSE_REPORT_MORE : MOUSE_REPORT_NOT_MINE;
	case MOUSE_REPORT_OTHER:
		if (r->len == 0 && (code == '<' || code == 'M')) {
			r->state = code == '<' ? MOUSE_REPORT_SGR : MOUSE_REPORT_OLD;
			return MOUSE_REPORT_MORE;
		}
		return mouse_report_more(r, code, out);
	case MOUSE_REPORT_SGR:
		return mouse_report_more(r, code, out);
	case MOUSE_REPORT_OLD:
		r->len++;
		return r->len < MOUSE_REPORT_OLD_BYTES ? MOUSE_REPORT_MORE
						       : mouse_report_end(r, MOUSE_REPORT_MORE);
	}
	return MOUSE_REPORT_NOT_MINE;
}
