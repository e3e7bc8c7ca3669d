/*
 * state_login.c - one small file per login; see state_login.h.
 */
#include "client/state/state_login.h"

#include <string.h>
#include <unistd.h>

#include "client/net/transport/address.h"
#include "client/state/state_file.h"
#include "proto/base/format.h"

/* No address has a line end. */
static void state_login_path(const struct state *s, const char *server, const char *beside,
			     char out[PATH_MAX])
{
	char whose[ADDRESS_TEXT_BYTES + sizeof(((struct state_login *)0)->user_name)];
	(void)format_to(whose, sizeof(whose), "%s%s%s", server, beside == NULL ? "" : "\n",
			beside == NULL ? "" : beside);
	state_file_path(out, s->dir, "logins", whose, "");
}

enum err state_get_login(const struct state *s, const char *server, const char *beside,
			 struct state_login *out, struct errmsg *why)
{
	char path[PATH_MAX];
	json_t *login;
	state_login_path(s, server, beside, path);
	memset(out, 0, sizeof(*out));
	enum err e = state_file_read(path, &login, why);
	if (e != OK) {
		return e;
	}
	state_file_get(login, "user_name", out->user_name, sizeof(out->user_name));
	state_file_get(login, "token", out->token, sizeof(out->token));
	out->is_guest = json_is_true(json_object_get(login, "is_guest"));
	json_decref(login);
	return OK;
}

enum err state_keep_login(const struct state *s, const char *server, const char *beside,
			  const struct state_login *l, struct errmsg *why)
{
	char path[PATH_MAX];
	int lock;
	format_to(path, sizeof(path), "%s/logins", s->dir);
	enum err e = state_make_dir(path, why);
	format_to(path, sizeof(path), "%s/lock", s->dir);
	if (e == OK) {
		e = state_lock(path, &lock, why);
	}
	if (e != OK) {
		return e;
	}
	json_t *login = json_object();
	state_file_set(login, "server", server);
	state_file_set(login, "user_name", l->user_name);
	state_file_set(login, "token", l->token);
	(void)json_object_set_new(login, "is_guest", json_boolean(l->is_guest));
	state_login_path(s, server, beside, path);
	e = state_file_write(path, login, why);
	json_decref(login);
	state_unlock(lock);
	return e;
}

enum err state_forget_login(const struct state *s, const char *server, const char *beside,
			    struct errmsg *why)
{
	char path[PATH_MAX];
	state_login_path(s, server, beside, path);
	if (unlink(path) != 0 && access(path, F_OK) == 0) {
		errmsg_set(why, "%s cannot be removed", path);
		return ERR_IO;
	}
	return OK;
}
