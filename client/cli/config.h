/*
 * config.h - the settings of the screen: from the settings file, overridden by the
 * environment, overridden by the command line.
 *
 * The file is $XDG_CONFIG_HOME/aye/config (~/.config/aye/config). It is the user's:
 * it is written only on request, only changed settings are changed in it, and a
 * symbolic link is kept.
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
	struct settings now;   /* in effect; changed by the screen */
	struct settings start; /* in effect at the start */
	uint32_t is_told;      /* a bit for each setting that was given by an option, or saved */
	struct errmsg warning; /* the first error in the file; "": none */
};

/*
 * Read the settings. An unreadable file, and invalid lines and variables, are reported
 * on stderr and ignored.
 * ERR_INVALID  an option has an invalid value; *why is set.
 */
NODISCARD enum err config_open(struct config *c, const struct args *args, struct errmsg *why);

/*
 * Write to the file the settings changed since the start, or given by options, but not
 * those from the environment. On an error the old file is kept.
 * ERR_IO, ERR_TOO_LARGE  with *why set.
 */
NODISCARD enum err config_save(struct config *c, struct errmsg *why);

/* The choices for an option's value, ending with NULL; NULL: not an option for a setting. */
const char *const *config_choices(enum option option);

/* Whether the terminal, by its type and the locale's character set, may be limited to ASCII. */
bool config_terminal_is_ascii(void);

#endif
