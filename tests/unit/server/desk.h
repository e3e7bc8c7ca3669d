/*
 * desk.h - the scene the tests of sessions begin with: ada and bob are
 * connected, and neither has said hello. Below it the requests of a login, as a
 * guest or with a pair of keys.
 */
#ifndef TESTS_UNIT_SERVER_DESK_H
#define TESTS_UNIT_SERVER_DESK_H

#include <stdio.h>

#include <sodium.h>

#include "proto/keys/signature.h"
#include "store/items.h"
#include "tests/support/store_mem.h"
#include "tests/unit/server/scene.h"

#define LIFE_MS (60 * MINUTE_MS)

struct desk {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

/* A pair of keys, to log in with. */
struct pair {
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
	char public_key[KEY_CHARS + 1];
};

static inline int desk_lay(void **state)
{
	struct desk *d = scene_init(state, sizeof(*d));
	rig_start(&d->r);
	/* One user of the unix socket, as guest()'s are, whose idempotency keys are those of all. */
	d->ada = rig_connect_as(&d->r, "ada", PEER_UNIX, 0, false);
	d->bob = rig_connect_as(&d->r, "bob", PEER_UNIX, 0, false);
	return 0;
}

#define DESK_TEST(name, d)	     TEST_IN(name, struct desk, d, desk_lay, scene_clear)
#define DESK_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct desk, d, nth, desk_lay, scene_clear)

static inline void base64(char *out, size_t size, const unsigned char *bytes, size_t n)
{
	assert_non_null(
		sodium_bin2base64(out, size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING));
}

static inline struct pair make_pair(unsigned char seed_byte)
{
	struct pair k;
	unsigned char seed[crypto_sign_SEEDBYTES];
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
	memset(seed, seed_byte, sizeof(seed));
	assert_int_equal(crypto_sign_seed_keypair(public_key, k.secret, seed), 0);
	base64(k.public_key, sizeof(k.public_key), public_key, sizeof(public_key));
	return k;
}

static inline void hello(struct rig_peer *p, char nonce[KEY_CHARS + 1])
{
	rig_field(rig_must(p, "session.hello", "'protocol':1,'client':'t'"), "nonce", nonce,
		  KEY_CHARS + 1);
}

static inline struct rig_peer *guest(struct desk *d, const char *name)
{
	char nonce[KEY_CHARS + 1];
	struct rig_peer *p = rig_connect_as(&d->r, name, PEER_UNIX, 0, false);
	hello(p, nonce);
	return p;
}

static inline void both_greet(struct desk *d)
{
	rig_hello(d->ada);
	rig_hello(d->bob);
}

struct session {
	char token[KEY_CHARS + 1];
	char user_id[65];
	char user_name[257];
	long long expires_at;
};

static inline struct session session_of(const char *answer)
{
	struct session s;
	rig_field(answer, "token", s.token, sizeof(s.token));
	rig_field(answer, "user_id", s.user_id, sizeof(s.user_id));
	rig_field(answer, "user_name", s.user_name, sizeof(s.user_name));
	s.expires_at = rig_field_number(answer, "expires_at");
	return s;
}

static inline struct session login(struct rig_peer *p, const char *name)
{
	return session_of(rig_must(p, "session.login", "'user_name':'%s'", name));
}

/* Any text: what a login signs is login_text()'s. */
static inline void sign_text(const struct pair *k, struct slice text, char out[SIGNATURE_CHARS + 1])
{
	unsigned char signature[crypto_sign_BYTES];
	crypto_sign_detached(signature, NULL, (const unsigned char *)text.data, text.len,
			     k->secret);
	base64(out, SIGNATURE_CHARS + 1, signature, sizeof(signature));
}

static inline void sign(const struct pair *k, const char *name, const char *nonce,
			char out[SIGNATURE_CHARS + 1])
{
	char text[LOGIN_TEXT_BYTES_MAX];
	size_t len = login_text(slice_str(name), slice_str(nonce), text);
	sign_text(k, slice_of(text, len), out);
}

/* On a connection that has not said hello yet. */
static inline uint32_t send_signed(struct rig_peer *p, const char *name, const struct pair *k)
{
	char nonce[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	hello(p, nonce);
	sign(k, name, nonce, signature);
	return rig_send(p, "session.login", "'user_name':'%s','public_key':'%s','signature':'%s'",
			name, k->public_key, signature);
}

static inline struct session login_signed(struct rig_peer *p, const char *name,
					  const struct pair *k)
{
	bool is_refusal = true;
	const char *answer = rig_answer(p, send_signed(p, name, k), &is_refusal);
	assert_non_null(answer);
	assert_false(is_refusal);
	return session_of(answer);
}

static inline const char *resume(struct rig_peer *p, const char *token)
{
	return rig_code(p, "session.resume", "'token':'%s'", token);
}

static inline bool is_logged_in(struct rig_peer *p)
{
	return strcmp(rig_code(p, "session.whoami", RIG_NONE), "ok") == 0;
}

/* ---- the table ---- */

/* A user's sessions there, and of the last of them: */
struct kept {
	size_t n;
	bool is_keyed;
	int64_t offset;
};

static inline void on_tokens(void *arg, enum err e, const struct store_item *items, size_t n,
			     struct slice next, bool is_partial)
{
	(void)is_partial;
	struct kept *k = arg;
	struct arena arena = {0};
	struct fault fault;
	void *item;
	(void)next;
	assert_int_equal(e, OK);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(item_decode(ITEM_TOKEN, items[i].value, RECORD_STRICT, &arena,
					     &item, &fault),
				 OK);
		k->is_keyed = ((const struct token_item *)item)->is_keyed;
		k->offset = ((const struct token_item *)item)->utc_offset_minutes;
	}
	k->n = n;
	arena_finish(&arena);
}

static inline struct kept sessions_kept(struct rig *r, const char *user_id)
{
	struct kept k = {.n = SIZE_MAX};
	struct store_query q = {.index = INDEX_BY_USER_ID,
				.partition = slice_str(user_id),
				.to = INT64_MAX,
				.limit = 8};
	store_query(r->store, &q, on_tokens, &k);
	store_mem_run(r->store, SIZE_MAX);
	store_poll(r->store);
	return k;
}

#endif
