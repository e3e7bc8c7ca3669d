/*
 * settings.h - the settings of the screen, in one table.
 *
 * A row defines a setting in the settings file, `:set` and its completion, the
 * command line's options, the variables AYE_THEME and so on, and the manual page,
 * which a test compares. There is no second list.
 *
 * The file has `name = value` lines; # starts a comment. The last line that names
 * a setting counts.
 */
#ifndef CLIENT_MODEL_SETTINGS_H
#define CLIENT_MODEL_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

/* The choices of each.     symbol                     word */
#define THEME_CHOICES(C)  C(THEME_DEFAULT, "default")  C(THEME_CONTRAST, "contrast") C(THEME_MONO, "mono") \
	C(THEME_DARK, "dark") C(THEME_LIGHT, "light")
#define COLORS_CHOICES(C) C(COLORS_AUTO, "auto")       C(COLORS_NONE, "none")        C(COLORS_8, "8") \
                          C(COLORS_16, "16")           C(COLORS_256, "256")
#define SIGNS_CHOICES(C)  C(SIGNS_AUTO, "auto")        C(SIGNS_UNICODE, "unicode")   C(SIGNS_ASCII, "ascii")
#define MOTION_CHOICES(C) C(MOTION_ON, "on")           C(MOTION_OFF, "off")
#define MOUSE_CHOICES(C)  C(MOUSE_ON, "on")            C(MOUSE_OFF, "off")
#define NOTIFY_CHOICES(C) C(NOTIFY_OFF, "off")         C(NOTIFY_MINE, "mine")        C(NOTIFY_ALL, "all")
#define HYPERLINKS_CHOICES(C) C(HYPERLINKS_AUTO, "auto") C(HYPERLINKS_ON, "on") C(HYPERLINKS_OFF, "off")
#define POINTS_CHOICES(C) C(POINTS_SHOWN, "on")        C(POINTS_HIDDEN, "off")
#define PLAIN_CHOICES(C)  C(PLAIN_ON, "on")            C(PLAIN_OFF, "off")

/*        SYMBOL   name     choices          default         help */
#define SETTINGS(X)                                                                                       \
	X(THEME,   theme,   THEME_CHOICES,   THEME_DEFAULT,  "Colour theme; dark and light match your background") \
	X(COLORS,  colors,  COLORS_CHOICES,  COLORS_AUTO,    "Number of colours; auto asks the terminal") \
	X(SIGNS,   signs,   SIGNS_CHOICES,   SIGNS_AUTO,     "Characters for frames and marks; auto asks the terminal") \
	X(MOTION,  motion,  MOTION_CHOICES,  MOTION_ON,      "Animate the reveal")                 \
	X(MOUSE,   mouse,   MOUSE_CHOICES,   MOUSE_OFF,      "Choose cards by mouse; select text with Shift") \
	X(NOTIFY,  notify,  NOTIFY_CHOICES,  NOTIFY_MINE,    "When to ring the bell: never, when others wait for you, or also at the end of a round") \
	X(HYPERLINKS, hyperlinks, HYPERLINKS_CHOICES, HYPERLINKS_AUTO, "Make story links clickable; auto asks the terminal") \
	X(POINTS,  points,  POINTS_CHOICES,  POINTS_HIDDEN,  "Show points and badges for your answers") \
	X(PLAIN,   plain,   PLAIN_CHOICES,   PLAIN_OFF,      "Plain lines, for screen readers; from the next start")

enum setting {
#define SETTING_ENUM(symbol, ...) SETTING_##symbol,
	SETTINGS(SETTING_ENUM)
#undef SETTING_ENUM
	SETTING_COUNT
};

/* enum theme_choice { THEME_DEFAULT, ... } and so on. */
#define SETTING_CHOICE(symbol, word) symbol,
#define SETTING_CHOICES(symbol, name, choices, ...) enum name##_choice { choices(SETTING_CHOICE) };
SETTINGS(SETTING_CHOICES)
#undef SETTING_CHOICES
#undef SETTING_CHOICE

#define SETTING_CHOICES_MAX 5

struct setting_row {
	const char *name;
	const char *choices[SETTING_CHOICES_MAX + 1]; /* ends with NULL */
	uint8_t fallback;			      /* index of the default */
	const char *help;
};
extern const struct setting_row setting_rows[SETTING_COUNT];

/* Each value is a choice of its setting: value[SETTING_THEME] is an enum theme_choice. */
struct settings {
	uint8_t value[SETTING_COUNT];
};

void settings_defaults(struct settings *s);

/* The setting of that name; SETTING_COUNT: none. */
enum setting settings_find(struct slice name);

/* The chosen word; static. */
const char *settings_word(const struct settings *s, enum setting which);

/*
 * Change a setting by its name and the word of its value. On an error nothing is changed.
 * ERR_NOT_FOUND  no setting of that name; *why lists the names.
 * ERR_INVALID    not one of its choices; *why lists them.
 */
NODISCARD enum err settings_set(struct settings *s, struct slice name, struct slice value,
				struct errmsg *why);

/*
 * Report an invalid line of the file, counted from 1; `what` is valid only during the call and may
 * quote the line.
 */
typedef void (*settings_fault_cb)(void *owner, size_t line, const char *what);

/* Apply the file's text to *s; invalid lines are reported and skipped. */
void settings_parse(struct slice text, struct settings *s, settings_fault_cb on_fault, void *owner);

/*
 * Append the file's text to *out, updated to *s: a value that differs is changed in its
 * line, or added at the end; comments and other lines stay unchanged.
 * ERR_TOO_LARGE  out is full.
 */
NODISCARD enum err settings_format(struct slice text, const struct settings *s, struct buf *out);

#endif
