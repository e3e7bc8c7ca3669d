/*
 * keys.h - input from the terminal: keys and the mouse.
 */
#ifndef CLIENT_TUI_WIDGETS_KEYS_H
#define CLIENT_TUI_WIDGETS_KEYS_H

/* A key: a Unicode code point, or one of enum tui_key. Control keys are their codes: ^C is 3. */
enum tui_key {
	TUI_KEY_UP = 0x110001,
	TUI_KEY_DOWN,
	TUI_KEY_LEFT,
	TUI_KEY_RIGHT,
	TUI_KEY_HOME,
	TUI_KEY_END,
	TUI_KEY_PAGE_UP,
	TUI_KEY_PAGE_DOWN,
	TUI_KEY_ENTER,
	TUI_KEY_TAB,
	TUI_KEY_BACKSPACE,
	TUI_KEY_DELETE,
	TUI_KEY_ESCAPE
};

/*
 * A mouse event, if the mouse is enabled: a press of the left button, or the wheel; coordinates are
 * cells from 0.
 */
enum tui_mouse_kind { TUI_MOUSE_PRESS, TUI_MOUSE_WHEEL_UP, TUI_MOUSE_WHEEL_DOWN };
struct tui_mouse {
	enum tui_mouse_kind kind;
	int x;
	int y;
};

#endif
