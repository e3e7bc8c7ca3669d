/*
 * xdg_dirs.c - see xdg_dirs.h.
 */
#include "client/state/xdg_dirs.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/format.h"

/* A relative path there is to be ignored, says the specification. */
static bool xdg_is_usable(const char *path)
{
	return path != NULL && path[0] == '/' && strlen(path) < PATH_MAX - 512;
}

enum err xdg_dir(const char *variable, const char *below, char out[XDG_DIR_BYTES],
		 struct errmsg *why)
{
	const char *base = getenv(variable);
	if (xdg_is_usable(base)) {
		format_to(out, XDG_DIR_BYTES, "%s/aye", base);
		return OK;
	}
	const char *home = getenv("HOME");
	const struct passwd *person = xdg_is_usable(home) ? NULL : getpwuid(geteuid());
	home = person == NULL ? home : person->pw_dir;
	if (!xdg_is_usable(home)) {
		errmsg_set(why, "neither %s nor HOME names a directory", variable);
		return ERR_IO;
	}
	format_to(out, XDG_DIR_BYTES, "%s/%s/aye", home, below);
	return OK;
}
