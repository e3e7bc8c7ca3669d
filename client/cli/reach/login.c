/*
 * login.c - signs, and keeps what came of it; see login.h.
 */
#include "client/cli/reach/login.h"

#include <string.h>

#include <sodium.h>

#include "client/cli/output/print.h"
#include "client/kiosk/ssh_session.h"
#include "client/net/transport/address.h"
#include "client/state/state_identity.h"
#include "client/state/state_login.h"
#include "proto/base/format.h"

static struct login {
	struct state state;
	char server[ADDRESS_TEXT_BYTES];
	const char *same_as; /* whose key signs, told with this login; NULL: not told */
	char beside[4 * MAX_NAME_BYTES + 1]; /* the name that the key is of; "": the person's */
	bool is_asker;			     /* of the person, for questions alone */
	bool is_new;			     /* likewise, and not told yet */
	struct sign_in sign_in;
} login_current;

/* ---- what sign_in asks of us ---- */

static bool login_sign(void *owner, struct slice text, char public_text[KEY_CHARS + 1],
		       char signature_text[SIGNATURE_CHARS + 1])
{
	struct login *l = owner;
	unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
	unsigned char secret_key[STATE_SECRET_KEY_BYTES];
	unsigned char signature[crypto_sign_BYTES];
	struct errmsg why = {""};
	enum err e = l->beside[0] != '\0'
			     ? state_get_other_identity(&l->state, l->server, l->beside, public_key,
							secret_key, &why)
			     : state_get_identity(&l->state, l->server, l->same_as, public_key,
						  secret_key, &why);
	print_warning(&why);
	if (e != OK) {
		return false;
	}
	(void)crypto_sign_detached(signature, NULL, (const unsigned char *)text.data, text.len,
				   secret_key);
	sodium_memzero(secret_key, sizeof(secret_key));
	(void)sodium_bin2base64(public_text, KEY_CHARS + 1, public_key, sizeof(public_key),
				sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	(void)sodium_bin2base64(signature_text, SIGNATURE_CHARS + 1, signature, sizeof(signature),
				sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return true;
}

/* As state_login.h has it. */
static const char *login_name_beside(const struct login *l)
{
	const char *person = l->is_asker ? STATE_LOGIN_ASKER : NULL;
	return l->beside[0] == '\0' ? person : l->beside;
}

static void login_keep(void *owner, const struct sign_in *s)
{
	struct login *l = owner;
	struct state_login kept = {.is_guest = s->is_guest};
	struct errmsg why = {""};
	if (s->token[0] == '\0' && s->is_guest && !s->is_wanted) {
		login_forget(l->server); /* a guest ends with its session */
		return;
	}
	format_to(kept.user_name, sizeof(kept.user_name), "%s", s->user_name);
	format_to(kept.token, sizeof(kept.token), "%s", s->token);
	enum err e = OK;
	if (l->same_as != NULL && s->token[0] != '\0') {
		e = state_keep_same_as(&l->state, l->server, l->same_as, &why);
	}
	e = e == OK ? state_keep_login(&l->state, l->server, login_name_beside(l), &kept, &why) : e;
	if (e == OK && s->token[0] != '\0' && login_name_beside(l) == NULL) {
		/* Whoever is logged in asks and answers as that user. */
		e = state_forget_login(&l->state, l->server, STATE_LOGIN_ASKER, &why);
	}
	(void)e; /* it is told, and no reason to stop */
	sodium_memzero(kept.token, sizeof(kept.token));
	print_warning(&why);
	if (l->is_new) {
		l->is_new = false;
		print_problem("you ask and answer as %s here; to log in: aye login NAME",
			      print_soft(slice_str(s->user_name)));
	}
}

static const struct sign_in_handler login_handler = {.sign = login_sign, .keep = login_keep};

/* ---- whose ---- */

static enum err login_begin(const char *server, struct errmsg *why)
{
	struct login *l = &login_current;
	memset(l, 0, sizeof(*l));
	format_to(l->server, sizeof(l->server), "%s", server);
	l->sign_in.on = &login_handler;
	l->sign_in.owner = l;
	return state_open(&l->state, why);
}

/* Nobody is there where the state has nobody, or cannot be read, which is told. */
static void login_load(struct login *l)
{
	struct sign_in *s = &l->sign_in;
	struct state_login kept;
	struct errmsg why = {""};
	enum err e = state_get_login(&l->state, l->server, login_name_beside(l), &kept, &why);
	print_warning(&why);
	if (e == OK) {
		format_to(s->user_name, sizeof(s->user_name), "%s", kept.user_name);
		format_to(s->token, sizeof(s->token), "%s", kept.token);
		s->is_guest = kept.is_guest;
		sodium_memzero(kept.token, sizeof(kept.token));
	}
}

struct sign_in *login_stored(const char *server)
{
	struct errmsg why = {""};
	if (ssh_session_is_on()) {
		return ssh_session_sign_in();
	}
	if (login_begin(server, &why) != OK) {
		return NULL; /* a program without a home is a stranger everywhere */
	}
	login_load(&login_current);
	return login_current.sign_in.user_name[0] == '\0' ? NULL : &login_current.sign_in;
}

struct sign_in *login_asker(const char *server, const char *name)
{
	struct login *l = &login_current;
	struct sign_in *s = login_stored(server);
	struct errmsg why = {""};
	if (s != NULL || ssh_session_is_on() || login_begin(server, &why) != OK) {
		return s;
	}
	s = &l->sign_in;
	s->is_numbered = true;
	l->is_asker = true;
	login_load(l);
	if (s->user_name[0] == '\0' && name != NULL) {
		format_to(s->user_name, sizeof(s->user_name), "%s", name);
		l->is_new = true;
	}
	return s->user_name[0] == '\0' ? NULL : s;
}

struct sign_in *login_beside(const char *server, const char *user_name)
{
	struct login *l = &login_current;
	struct errmsg why = {""};
	enum err e = login_begin(server, &why);
	if (e != OK) {
		(void)print_failure(e, why.text);
		return NULL;
	}
	format_to(l->beside, sizeof(l->beside), "%s", user_name);
	login_load(l);
	format_to(l->sign_in.user_name, sizeof(l->sign_in.user_name), "%s", user_name);
	return &l->sign_in;
}

struct sign_in *login_fresh(const char *server, const char *user_name, bool is_guest,
			    const char *same_as)
{
	struct sign_in *s = &login_current.sign_in;
	struct errmsg why = {""};
	enum err e = login_begin(server, &why);
	if (e != OK) {
		(void)print_failure(e, why.text);
		return NULL;
	}
	format_to(s->user_name, sizeof(s->user_name), "%s", user_name);
	s->is_guest = is_guest;
	s->is_wanted = true;
	login_current.same_as = same_as;
	return s;
}

void login_forget(const char *server)
{
	struct state state;
	struct errmsg why = {""};
	enum err e = state_open(&state, &why);
	e = e == OK ? state_forget_login(&state, server, NULL, &why) : e;
	e = e == OK ? state_forget_login(&state, server, STATE_LOGIN_ASKER, &why) : e;
	(void)e; /* likewise */
	print_warning(&why);
}
