/*
 * config.h - what the person wants the screen to be like: the settings file,
 * then the environment, then the command line.
 *
 * The file is $XDG_CONFIG_HOME/aye/config (~/.config/aye/config). It is theirs:
 * we write it only when told to, change only what was changed, and keep it
 * where it is if it is a link.
 *
 *   NO_COLOR, not empty          colors = none
 *   AYE_THEME, AYE_COLORS, ...   each setting's name in capitals
 *   --theme, --colors, --ascii, --calm, --hyperlinks, --plain
 */
#ifndef CLIENT_CLI_CONFIG_H
#define CLIENT_CLI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "client/cli/options.h"
#include "client/model/settings.h"
#include "proto/base/err.h"

#define CONFIG_BYTES_MAX (64u << 10)

struct config {
	struct settings now;   /* what counts; the screen changes it */
	struct settings start; /* what counted at first */
	uint32_t is_told;      /* a bit for each setting that an option chose or that was saved */
	struct errmsg warning; /* the first thing that is wrong with the file; "": nothing */
};

/*
 * Gather it. A file that cannot be read, or lines of it that make no sense, are
 * told on stderr and left out; so are variables.
 * ERR_INVALID  an option's value makes no sense; *why.
 */
NODISCARD enum err config_open(struct config *c, const struct args *args, struct errmsg *why);

/*
 * Write to the file what was chosen since the start, or by options; what the
 * environment says stays out of it. The old file stays where it fails: ERR_IO,
 * ERR_TOO_LARGE, with *why.
 */
NODISCARD enum err config_save(struct config *c, struct errmsg *why);

/* The words an option's value is chosen from, ended by NULL; NULL where it is none of the settings'. */
const char *const *config_choices(enum option option);

/* Whether the terminal, by its kind and the locale's character set, is one that may show ASCII alone. */
bool config_terminal_is_ascii(void);

#endif
