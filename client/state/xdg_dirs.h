/*
 * xdg_dirs.h - where a person's files belong, as the XDG Base Directory
 * Specification says.
 */
#ifndef CLIENT_STATE_XDG_DIRS_H
#define CLIENT_STATE_XDG_DIRS_H

#include <limits.h>

#include "proto/base/err.h"

/* Leaves room for what stands in the directory. */
#define XDG_DIR_BYTES (PATH_MAX - 256)

/*
 * Our directory below the one that the variable names, or below `below` in the
 * home directory where it names none: $XDG_STATE_HOME/aye, ~/.local/state/aye.
 * Absolute; nothing is made. ERR_IO with *why.
 */
NODISCARD enum err xdg_dir(const char *variable, const char *below, char out[XDG_DIR_BYTES],
			    struct errmsg *why);

#endif
