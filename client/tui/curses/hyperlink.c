/*
 * hyperlink.c - see hyperlink.h.
 */
#include "client/tui/curses/hyperlink.h"

#include <string.h>

bool hyperlink_is_known(const char *term)
{
	/* The beginnings of their types; the Linux console and real terminals would show the address. */
	static const char *const types[] = {"xterm", "tmux",	"screen",  "foot",   "alacritty",
					    "kitty", "wezterm", "konsole", "vte",    "gnome",
					    "iterm", "contour", "ghostty", "mintty", "st-"};
	bool is_known = false;
	for (size_t i = 0; term != NULL && i < sizeof(types) / sizeof(types[0]); i++) {
		is_known = is_known || strncmp(term, types[i], strlen(types[i])) == 0;
	}
	return is_known;
}

bool hyperlink_is_one(const char *address)
{
	struct slice s = slice_str(address);
	return slice_starts(s, SLICE("https://")) || slice_starts(s, SLICE("http://"));
}

void hyperlink_begin(struct buf *out, const char *address)
{
	(void)buf_printf(out, "\033]8;;");
	for (const char *at = address; *at != '\0'; at++) {
		unsigned char c = (unsigned char)*at;
		(void)buf_printf(out, c > ' ' && c < 0x7f ? "%c" : "%%%02X", c);
	}
	(void)buf_printf(out, "\033\\");
}
