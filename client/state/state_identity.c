/*
 * state_identity.c - identity.json: the seed, and what it is not asked for; see
 * state_identity.h.
 */
#include "client/state/state_identity.h"

#include <string.h>

#include <sodium.h>

#include "client/net/transport/address.h"
#include "client/state/state_file.h"
#include "proto/base/format.h"

/* What a pair is derived for, beside the server. */
#define IDENTITY_DOMAIN "aye-identity-1"

/* ---- fields ---- */

static bool identity_unhex(const json_t *object, const char *key, unsigned char *out, size_t len)
{
	const char *hex = json_string_value(json_object_get(object, key));
	size_t n = 0;
	return hex != NULL && sodium_hex2bin(out, len, hex, strlen(hex), NULL, &n, NULL) == 0 &&
	       n == len;
}

/* The server as identity.json knows it; what is no address names itself. */
static void identity_name(const char *server, char out[ADDRESS_TEXT_BYTES])
{
	struct address a;
	struct errmsg ignored;
	if (address_parse(server, &a, &ignored) == OK) {
		address_canonical(&a, out);
	} else {
		format_to(out, ADDRESS_TEXT_BYTES, "%s", server);
	}
}

/* ---- the file, under the lock ---- */

struct identity {
	struct state_change file;
	unsigned char seed[SEED_BYTES];
};

static enum err identity_make_seed(struct identity *id, struct errmsg *why)
{
	char hex[2 * SEED_BYTES + 1];
	randombytes_buf(id->seed, sizeof(id->seed));
	(void)sodium_bin2hex(hex, sizeof(hex), id->seed, sizeof(id->seed));
	state_file_set(id->file.value, "type", "ed25519");
	state_file_set(id->file.value, "seed", hex);
	sodium_memzero(hex, sizeof(hex));
	return state_file_write(id->file.path, id->file.value, why);
}

static enum err identity_settle(struct identity *id, struct errmsg *why)
{
	if (identity_unhex(id->file.value, "seed", id->seed, sizeof(id->seed))) {
		return OK;
	}
	if (json_object_size(id->file.value) == 0) {
		return identity_make_seed(id, why);
	}
	/* Half an identity is not overwritten: it may be mended by hand. */
	errmsg_set(why, "%s has no key; move it away to get a new one", id->file.path);
	return ERR_CORRUPT;
}

static void identity_close(struct identity *id)
{
	sodium_memzero(id->seed, sizeof(id->seed));
	state_change_close(&id->file);
}

static enum err identity_open(const struct state *s, struct identity *id, struct errmsg *why)
{
	format_to(id->file.path, sizeof(id->file.path), "%s/identity.json", s->dir);
	enum err e = state_change_begin(&id->file, s->dir, why);
	if (e != OK) {
		return e;
	}
	e = identity_settle(id, why);
	if (e != OK) {
		identity_close(id);
	}
	return e;
}

/* ---- whose pair ---- */

/* The server whose pair this one has. */
static void identity_owner(const struct identity *id, const char *server,
			   char out[ADDRESS_TEXT_BYTES])
{
	char name[ADDRESS_TEXT_BYTES];
	identity_name(server, name);
	const char *other = json_string_value(
		json_object_get(json_object_get(id->file.value, "same_as"), name));
	format_to(out, ADDRESS_TEXT_BYTES, "%s", other != NULL ? other : name);
}

/* Whose it is to have: what the other one has; its own where that is itself. */
static void identity_shared(const struct identity *id, const char *server, const char *same_as,
			    char out[ADDRESS_TEXT_BYTES])
{
	char mine[ADDRESS_TEXT_BYTES];
	char other[ADDRESS_TEXT_BYTES];
	identity_name(server, mine);
	identity_name(same_as, other);
	if (strcmp(mine, other) == 0) {
		format_to(out, ADDRESS_TEXT_BYTES, "%s", mine);
	} else {
		identity_owner(id, other, out);
	}
}

static void identity_pair(const struct identity *id, const char *owner,
			  unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
			  unsigned char secret_key[STATE_SECRET_KEY_BYTES])
{
	unsigned char seed[crypto_sign_SEEDBYTES];
	derive_bytes(id->seed, IDENTITY_DOMAIN, slice_str(owner), seed, sizeof(seed));
	(void)crypto_sign_seed_keypair(public_key, secret_key, seed);
	sodium_memzero(seed, sizeof(seed));
}

enum err state_get_identity(const struct state *s, const char *server, const char *same_as,
			    unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
			    unsigned char secret_key[STATE_SECRET_KEY_BYTES], struct errmsg *why)
{
	struct identity id;
	char owner[ADDRESS_TEXT_BYTES];
	enum err e = identity_open(s, &id, why);
	if (e != OK) {
		return e;
	}
	if (same_as == NULL) {
		identity_owner(&id, server, owner);
	} else {
		identity_shared(&id, server, same_as, owner);
	}
	identity_pair(&id, owner, public_key, secret_key);
	identity_close(&id);
	return OK;
}

enum err state_get_other_identity(const struct state *s, const char *server, const char *beside,
				  unsigned char public_key[STATE_PUBLIC_KEY_BYTES],
				  unsigned char secret_key[STATE_SECRET_KEY_BYTES],
				  struct errmsg *why)
{
	struct identity id;
	char owner[ADDRESS_TEXT_BYTES];
	char whose[ADDRESS_TEXT_BYTES + 4 * MAX_NAME_BYTES + 2];
	enum err e = identity_open(s, &id, why);
	if (e != OK) {
		return e;
	}
	identity_owner(&id, server, owner);
	format_to(whose, sizeof(whose), "%s\n%s", owner, beside); /* no address has a line end */
	identity_pair(&id, whose, public_key, secret_key);
	identity_close(&id);
	return OK;
}

static void identity_share(struct identity *id, const char *server, const char *same_as)
{
	char name[ADDRESS_TEXT_BYTES];
	char owner[ADDRESS_TEXT_BYTES];
	json_t *all = json_object_get(id->file.value, "same_as");
	identity_name(server, name);
	identity_shared(id, server, same_as, owner);
	if (strcmp(name, owner) == 0) {
		(void)json_object_del(all, name);
		return;
	}
	if (!json_is_object(all)) {
		all = json_object();
		(void)json_object_set_new(id->file.value, "same_as", all);
	}
	state_file_set(all, name, owner);
}

enum err state_keep_same_as(const struct state *s, const char *server, const char *same_as,
			    struct errmsg *why)
{
	struct identity id;
	enum err e = identity_open(s, &id, why);
	if (e != OK) {
		return e;
	}
	identity_share(&id, server, same_as);
	e = state_file_write(id.file.path, id.file.value, why);
	identity_close(&id);
	return e;
}
