/*
 * xdg_dirs.h - the user's directories by the XDG Base Directory Specification.
 */
#ifndef CLIENT_STATE_XDG_DIRS_H
#define CLIENT_STATE_XDG_DIRS_H

#include <limits.h>

#include "proto/base/err.h"

/* Leaves room for the names of files in the directory. */
#define XDG_DIR_BYTES (PATH_MAX - 256)

/*
 * The directory `aye` in the one named by the variable, or if it is not set, in `below` of
 * the home directory: $XDG_STATE_HOME/aye, ~/.local/state/aye. Absolute; not created.
 * ERR_IO  with *why.
 */
NODISCARD enum err xdg_dir(const char *variable, const char *below, char out[XDG_DIR_BYTES],
			    struct errmsg *why);

#endif
