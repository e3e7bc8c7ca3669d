/*
 * find_server.c - goes through the places a server may be; see find_server.h.
 */
#include "client/cli/reach/find_server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/cli/reach/known_servers.h"
#include "client/cli/reach/private_server.h"
#include "client/kiosk/ssh_session.h"
#include "proto/base/format.h"

/* A directory that nobody else could have prepared for us: ours, a real directory, closed to
 * others. */
static enum err find_server_make_dir(const char *path, struct errmsg *why)
{
	struct stat st;
	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		errmsg_set(why, "make %s: %s", path, strerror(errno));
		return ERR_CLOSED;
	}
	if (lstat(path, &st) != 0) {
		errmsg_set(why, "look at %s: %s", path, strerror(errno));
		return ERR_CLOSED;
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077) != 0) {
		errmsg_set(why, "%s is not a directory of yours alone (mode 0700)", path);
		return ERR_CLOSED;
	}
	return OK;
}

/* Where our own server is, or would be. */
static enum err find_server_own(struct server_place *out, struct errmsg *why)
{
	char dir[ADDRESS_PATH_MAX + 1];
	char text[ADDRESS_PATH_MAX + 16];
	char noted[ADDRESS_PATH_MAX + 1];
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	size_t len;
	if (runtime != NULL && runtime[0] == '/') {
		len = format_to(dir, sizeof(dir), "%s/aye", runtime);
	} else {
		len = format_to(dir, sizeof(dir), "/tmp/aye-%lu", (unsigned long)geteuid());
	}
	if (len + strlen("/ayed.sock") > ADDRESS_PATH_MAX) {
		errmsg_set(why, "XDG_RUNTIME_DIR is too long for a socket");
		return ERR_CLOSED;
	}
	enum err e = find_server_make_dir(dir, why);
	if (e != OK) {
		return e;
	}
	format_to(text, sizeof(text), "unix:%s/ayed.sock", dir);
	e = address_parse(text, &out->address, why);
	if (e != OK) {
		return ERR_CLOSED;
	}
	out->is_own = true;
	out->is_down = !private_server_answers(out->address.path);
	/* As where somebody is the same user by su or cron: its data are found by HOME, and are open there. */
	if (out->is_down && private_server_noted(noted) && private_server_answers(noted)) {
		format_to(text, sizeof(text), "unix:%s", noted);
		e = address_parse(text, &out->address, why);
		out->is_down = false;
	}
	return e == OK ? OK : ERR_CLOSED;
}

enum err server_start(const struct server_place *place, struct errmsg *why)
{
	char dir[ADDRESS_PATH_MAX + 1];
	const char *path = place->address.path;
	if (!place->is_own) {
		return OK;
	}
	(void)format_to(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	enum err e = find_server_make_dir(dir, why);
	return e == OK ? private_server_ensure(dir, path, why) : e;
}

bool server_was_stopped(const struct server_place *place)
{
	return place->is_own && private_server_was_stopped();
}

enum err server_revive(const struct server_place *place, struct errmsg *why)
{
	return server_was_stopped(place) ? OK : server_start(place, why);
}

enum err server_seek(const char *server, struct server_place *out, struct errmsg *why)
{
	const char *told = server != NULL ? server : getenv("AYE_SERVER");
	memset(out, 0, sizeof(*out));
	if (told != NULL && told[0] != '\0') {
		out->is_told = true;
		enum err e = address_parse(told, &out->address, why);
		if (e != OK) {
			errmsg_prefix(why, server != NULL ? "--server" : "AYE_SERVER");
		}
		if (e == OK && out->address.is_ssh && ssh_session_is_on()) {
			errmsg_set(why, "ssh:// is not available to users who came in by ssh");
			return ERR_CLOSED; /* it would be a program run for them */
		}
		return e == OK ? known_server_pin(&out->address, why) : e;
	}
	if (private_server_answers(SYSTEM_SOCKET)) {
		return address_parse("unix:" SYSTEM_SOCKET, &out->address, why);
	}
	if (ssh_session_is_on()) {
		errmsg_set(why, "no server listens at " SYSTEM_SOCKET
				" on this host: its administrator must start ayed");
		return ERR_CLOSED;
	}
	return find_server_own(out, why);
}

enum err server_find(const char *server, struct server_place *out, struct errmsg *why)
{
	enum err e = server_seek(server, out, why);
	e = e == OK && out->is_down ? server_start(out, why) : e;
	out->is_down = out->is_down && e != OK;
	return e;
}

const char *server_label(const struct server_place *place)
{
	return place->is_own	? "your own server"
	       : place->is_told ? place->address.text
				: "this machine's server";
}
