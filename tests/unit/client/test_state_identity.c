/*
 * test_state_identity.c - the keys that sign: another pair for each server, the
 * same one every time.
 */
#include <string.h>
#include <sys/stat.h>

#include <sodium.h>

#include "client/cli/reach/login.h"
#include "client/state/state_identity.h"
#include "client/state/state_login.h"
#include "tests/unit/client/state_home.h"

#define S      "tcp://poker.example:2937"
#define M      "tcp://mallory.example:2937"
#define SOCKET "unix:/run/ayed/ayed.sock"
#define NONCE  "B4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fds"

static void read_file(const struct home *h, const char *name, char *out, size_t cap)
{
	char path[PATH_MAX];
	(void)snprintf(path, sizeof(path), "%s/%s", h->state.dir, name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	size_t n = fread(out, 1, cap - 1, f);
	out[n] = '\0';
	assert_int_equal(fclose(f), 0);
}

/* The public key for a server, in hex; the pair is one. */
struct hex {
	char text[2 * STATE_PUBLIC_KEY_BYTES + 1];
};

static struct hex key_as(struct home *h, const char *server, const char *same_as)
{
	unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
	unsigned char secret_key[STATE_SECRET_KEY_BYTES];
	unsigned char public_again[STATE_PUBLIC_KEY_BYTES];
	struct hex out;
	assert_int_equal(state_get_identity(&h->state, server, same_as, public_key, secret_key,
					    &h->why),
			 OK);
	assert_int_equal(crypto_sign_ed25519_sk_to_pk(public_again, secret_key), 0);
	assert_memory_equal(public_key, public_again, sizeof(public_key));
	(void)sodium_bin2hex(out.text, sizeof(out.text), public_key, sizeof(public_key));
	return out;
}

static struct hex key_for(struct home *h, const char *server)
{
	return key_as(h, server, NULL);
}

static void keep_login(struct home *h, const char *server, bool is_guest)
{
	struct state_login l = {.user_name = "Ada", .token = "", .is_guest = is_guest};
	assert_int_equal(state_keep_login(&h->state, server, NULL, &l, &h->why), OK);
}

HOME_TEST(test_each_server_has_a_key_of_its_own, h)
{
	struct hex s = key_for(h, S);
	struct hex m = key_for(h, M);
	struct hex socket = key_for(h, SOCKET);
	assert_string_not_equal(s.text, m.text);
	assert_string_not_equal(s.text, socket.text);
	assert_string_not_equal(m.text, socket.text);
	assert_string_equal(key_for(h, S).text, s.text);
	assert_string_equal(key_for(h, M).text, m.text);
	assert_string_not_equal(key_for(h, "tcp://poker.example:2938").text, s.text);
}

HOME_TEST(test_one_server_is_known_however_it_is_written, h)
{
	struct hex s = key_for(h, S);
	assert_string_equal(key_for(h, "tcp://Poker.EXAMPLE").text, s.text);
	assert_string_equal(key_for(h, "tcp://poker.example:02937").text, s.text);
	assert_string_not_equal(key_for(h, "unix:/run/ayed/AYED.sock").text,
				key_for(h, SOCKET).text);
}

HOME_TEST(test_another_home_has_other_keys, h)
{
	struct home other;
	struct hex s = key_for(h, S);
	home_open(&other);
	assert_string_not_equal(key_for(&other, S).text, s.text);
	home_close(&other);
}

/* The seed and the address alone: a new version, and another implementation, find the same pair. */
HOME_TEST(test_a_key_follows_from_the_seed_and_the_address, h)
{
	home_write(h, "identity.json",
		   "{\"type\": \"ed25519\", \"seed\": "
		   "\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"}");
	assert_string_equal(key_for(h, S).text,
			    "d0b1073ab56c90964f4618ca8a06f8e0b6c7264ef2d3e9912e6ee21e5c3ecfd1");
}

/* ---- on purpose ---- */

HOME_TEST(test_a_server_may_get_the_key_of_another, h)
{
	struct hex s = key_for(h, S);
	struct hex m = key_for(h, M);
	assert_string_equal(key_as(h, M, "tcp://POKER.example").text, s.text);
	assert_string_equal(key_for(h, M).text, m.text); /* that was for once */
	assert_int_equal(state_keep_same_as(&h->state, M, "tcp://POKER.example", &h->why), OK);
	assert_string_equal(key_for(h, M).text, s.text);
	assert_string_equal(key_for(h, "tcp://Mallory.example").text, s.text);
	assert_string_equal(key_for(h, S).text, s.text);
	/* Of the other's key, not of whatever it may have later. */
	assert_int_equal(state_keep_same_as(&h->state, SOCKET, M, &h->why), OK);
	assert_string_equal(key_for(h, SOCKET).text, s.text);
	assert_int_equal(state_keep_same_as(&h->state, M, M, &h->why), OK);
	assert_string_equal(key_for(h, M).text, m.text);
	assert_string_equal(key_for(h, SOCKET).text, s.text);
	assert_int_equal(state_keep_same_as(&h->state, SOCKET, M, &h->why), OK);
	assert_string_equal(key_for(h, SOCKET).text, m.text);
}

/* ---- what goes wrong ---- */

HOME_TEST(test_half_an_identity_is_not_overwritten, h)
{
	static const char *const halves[] = {
		"{\"type\": \"ed25519\", \"public_key\": \"00\"}",
		"{\"type\": \"ed25519\", \"seed\": \"00\"}",
		"{\"type\": \"ed25519\", \"seed\": 1}",
	};
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
		unsigned char secret_key[STATE_SECRET_KEY_BYTES];
		char text[2048];
		home_write(h, "identity.json", halves[i]);
		assert_int_equal(state_get_identity(&h->state, S, NULL, public_key, secret_key,
						    &h->why),
				 ERR_CORRUPT);
		assert_non_null(strstr(h->why.text, "identity.json"));
		assert_int_equal(state_keep_same_as(&h->state, S, M, &h->why), ERR_CORRUPT);
		keep_login(h, S, true); /* a guest needs none */
		assert_int_equal(state_forget_login(&h->state, S, NULL, &h->why), OK);
		read_file(h, "identity.json", text, sizeof(text));
		assert_string_equal(text, halves[i]);
	}
}

/* ---- a name beside the person ---- */

static struct hex key_beside(struct home *h, const char *server, const char *name)
{
	unsigned char public_key[STATE_PUBLIC_KEY_BYTES];
	unsigned char secret_key[STATE_SECRET_KEY_BYTES];
	struct hex out;
	assert_int_equal(state_get_other_identity(&h->state, server, name, public_key, secret_key,
						  &h->why),
			 OK);
	(void)sodium_bin2hex(out.text, sizeof(out.text), public_key, sizeof(public_key));
	return out;
}

HOME_TEST(test_a_name_beside_the_person_has_a_key_of_its_own, h)
{
	struct hex agent = key_beside(h, S, "agent");
	assert_string_equal(key_beside(h, S, "agent").text, agent.text);
	assert_string_not_equal(key_for(h, S).text, agent.text);
	assert_string_not_equal(key_beside(h, S, "other").text, agent.text);
	assert_string_not_equal(key_beside(h, M, "agent").text, agent.text);
}

/* ---- the attack ---- */

/* A server that hands on another's nonce gets a signature of a key that the other has never met. */
HOME_TEST(test_a_relay_gets_the_signature_of_another_user, h)
{
	char at[2][KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	char text[LOGIN_TEXT_BYTES_MAX];
	struct slice signed_text = slice_of(text, login_text(SLICE("Ada"), SLICE(NONCE), text));
	struct sign_in *s = login_fresh(S, "Ada", false, NULL);
	assert_true(s->on->sign(s->owner, signed_text, at[0], signature));
	assert_true(signature_is_good(slice_str(at[0]), slice_str(signature), signed_text));
	s = login_fresh(M, "Ada", false, NULL);
	assert_true(s->on->sign(s->owner, signed_text, at[1], signature));
	assert_string_not_equal(at[0], at[1]);
	assert_false(signature_is_good(slice_str(at[0]), slice_str(signature), signed_text));
	s = login_fresh(M, "Ada", false, S);
	assert_true(s->on->sign(s->owner, signed_text, at[1], signature));
	assert_string_equal(at[0], at[1]);
}
