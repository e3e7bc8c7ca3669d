/*
 * test_keys.c - keys, codes and the stream they come from.
 */
#include <string.h>

#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "proto/keys/seal.h"
#include "proto/keys/signature.h"
#include "tests/support/test.h"

static const unsigned char seed_a[SEED_BYTES] = "one seed of thirty-two bytes....";
static const unsigned char seed_b[SEED_BYTES] = "another of thirty-two bytes.....";

static int start(void **state)
{
	(void)state;
	return crypto_start() ? 0 : -1;
}

TEST(test_the_same_seed_makes_the_same_stream)
{
	struct random a, b;
	unsigned char x[1000], y[1000];
	random_seed(&a, seed_a);
	random_seed(&b, seed_a);
	random_bytes(&a, x, sizeof(x));
	random_bytes(&b, y, sizeof(y));
	assert_memory_equal(x, y, sizeof(x));
	assert_true(random_u64(&a) == random_u64(&b));
	assert_string_equal(key_make(&a).text, key_make(&b).text);
}

TEST(test_another_seed_makes_another_stream)
{
	struct random a, b;
	random_seed(&a, seed_a);
	random_seed(&b, seed_b);
	assert_string_not_equal(key_make(&a).text, key_make(&b).text);
}

TEST(test_what_is_sealed_is_read_with_its_key_alone)
{
	static const char *const texts[] = {
		"", "x", "nine byte",
		"a longer text, which fills more than one block of the cipher, and some"};
	struct random r;
	random_seed(&r, seed_a);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct slice plain = slice_str(texts[i]);
		struct buf sealed = {.max = 1000}, again = {.max = 1000}, out = {.max = 1000};
		assert_int_equal(seal(seed_a, &r, plain, &sealed), OK);
		assert_in_range(sealed.len, 1, SEALED_CHARS(plain.len));
		assert_int_equal(seal_open(seed_a, buf_slice(&sealed), &out), OK);
		assert_true(slice_eq(buf_slice(&out), plain));
		assert_int_equal(seal_open(seed_b, buf_slice(&sealed), &out), ERR_CORRUPT);
		assert_int_equal(seal_open(seed_a, slice_of(sealed.data, sealed.len - 1), &out),
				 ERR_CORRUPT);
		assert_int_equal(seal(seed_a, &r, plain, &again), OK);
		assert_false(slice_eq(buf_slice(&sealed), buf_slice(&again)));
		for (size_t at = 0; at < sealed.len; at++) {
			char before = sealed.data[at];
			sealed.data[at] = before == 'A' ? 'B' : 'A';
			assert_int_equal(seal_open(seed_a, buf_slice(&sealed), &out), ERR_CORRUPT);
			sealed.data[at] = before;
		}
		assert_int_equal(out.len, plain.len);
		buf_finish(&sealed);
		buf_finish(&again);
		buf_finish(&out);
	}
}

TEST(test_a_sealed_text_may_just_fill_its_buffer)
{
	char plain[400] = {0};
	struct random r;
	random_seed(&r, seed_a);
	for (size_t len = 0; len <= sizeof(plain); len++) {
		struct buf sealed = {.max = 1000}, out = {.max = 1000};
		assert_int_equal(seal(seed_a, &r, slice_of(plain, len), &sealed), OK);
		assert_true(sealed.len < sealed.capacity); /* there is a NUL behind it */
		assert_int_equal(seal_open(seed_a, buf_slice(&sealed), &out), OK);
		assert_int_equal(out.len, len);
		buf_finish(&sealed);
		buf_finish(&out);
	}
}

TEST(test_what_does_not_fit_is_not_sealed)
{
	struct random r;
	random_seed(&r, seed_a);
	struct buf out = {.max = 20};
	assert_int_equal(seal(seed_a, &r, SLICE("text"), &out), ERR_TOO_LARGE);
	assert_int_equal(out.len, 0);
	assert_int_equal(seal_open(seed_a, SLICE("not sealed"), &out), ERR_CORRUPT);
	assert_int_equal(seal_open(seed_a, SLICE(""), &out), ERR_CORRUPT);
	buf_finish(&out);
}

TEST(test_nothing_comes_twice_in_one_stream)
{
	struct random r;
	uint64_t seen[1000];
	random_seed(&r, seed_a);
	for (size_t i = 0; i < 1000; i++) {
		seen[i] = random_u64(&r);
		for (size_t j = 0; j < i; j++) {
			assert_true(seen[j] != seen[i]);
		}
	}
}

TEST(test_what_was_handed_out_is_not_in_the_state)
{
	struct random r;
	unsigned char out[SEED_BYTES];
	random_seed(&r, seed_a);
	unsigned char before[SEED_BYTES];
	memcpy(before, r.key, SEED_BYTES);
	random_bytes(&r, out, sizeof(out));
	assert_memory_not_equal(r.key, before, SEED_BYTES);
	assert_memory_not_equal(r.key, out, SEED_BYTES);
}

TEST(test_stirring_changes_what_comes_and_keeps_what_was)
{
	struct random a, b, c;
	random_seed(&a, seed_a);
	random_seed(&b, seed_a);
	random_seed(&c, seed_b);
	random_stir(&a, seed_b);
	assert_true(random_u64(&a) != random_u64(&b));
	/* The old state still counts: the same stir on another one gives another stream. */
	random_seed(&a, seed_a);
	random_stir(&a, seed_b);
	random_stir(&c, seed_b);
	assert_true(random_u64(&a) != random_u64(&c));
}

TEST(test_keys_have_the_form_of_keys)
{
	struct random r;
	random_seed(&r, seed_a);
	for (int i = 0; i < 500; i++) {
		struct key_text key = key_make(&r);
		assert_int_equal(strlen(key.text), KEY_CHARS);
		assert_true(key_is_formed(slice_str(key.text)));
	}
}

TEST(test_other_text_has_not)
{
	static const char *const rows[] = {
		"",
		"short",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",	/* 42 */
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", /* 44 */
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",	/* padded */
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+",	/* of the other alphabet */
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\xc3\xa9",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB", /* bits beyond the last byte */
	};
	assert_true(key_is_formed(SLICE("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_false(key_is_formed(slice_str(rows[i])));
	}
}

TEST(test_hashes_depend_on_key_domain_and_secret)
{
	struct key_text base = key_hash(seed_a, "user", SLICE("key"));
	assert_string_equal(base.text, key_hash(seed_a, "user", SLICE("key")).text);
	assert_string_not_equal(base.text, key_hash(seed_b, "user", SLICE("key")).text);
	assert_string_not_equal(base.text, key_hash(seed_a, "host", SLICE("key")).text);
	assert_string_not_equal(base.text, key_hash(seed_a, "user", SLICE("kez")).text);
	assert_string_not_equal(base.text, key_hash(seed_a, "userk", SLICE("ey")).text);
	assert_string_not_equal(base.text, key_hash(seed_a, "user", SLICE("")).text);
	assert_true(key_is_formed(slice_str(base.text)));
}

TEST(test_hashes_are_compared_whole)
{
	struct key_text a = key_hash(seed_a, "user", SLICE("key"));
	struct key_text b = a;
	assert_true(key_hash_eq(&a, slice_str(b.text)));
	for (size_t i = 0; i < KEY_CHARS; i++) {
		b = a;
		b.text[i] = b.text[i] == 'A' ? 'B' : 'A';
		assert_false(key_hash_eq(&a, slice_str(b.text)));
	}
	assert_false(key_hash_eq(&a, slice_of(a.text, KEY_CHARS - 1)));
	assert_false(key_hash_eq(&a, SLICE("")));
}

TEST(test_derived_bytes_repeat_and_differ_by_input)
{
	unsigned char a[64], b[64];
	derive_bytes(seed_a, "room", SLICE("once"), a, sizeof(a));
	derive_bytes(seed_a, "room", SLICE("once"), b, sizeof(b));
	assert_memory_equal(a, b, sizeof(a));
	derive_bytes(seed_a, "room", SLICE("twice"), b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
}

/* 30 letters, 60,000 draws: 2,000 each, give or take 5 standard deviations. */
TEST(test_no_letter_of_a_code_is_likelier_than_another)
{
	struct random r;
	size_t seen[128] = {0};
	random_seed(&r, seed_a);
	for (int i = 0; i < 10000; i++) {
		char code[CODE_CHARS_MAX + 1];
		code_make(&r, code, CODE_CHARS);
		assert_int_equal(strlen(code), CODE_CHARS);
		for (size_t j = 0; j < CODE_CHARS; j++) {
			assert_non_null(strchr(CODE_ALPHABET, code[j]));
			seen[(unsigned char)code[j]]++;
		}
	}
	const size_t letters = strlen(CODE_ALPHABET);
	for (size_t i = 0; i < letters; i++) {
		assert_in_range(seen[(unsigned char)CODE_ALPHABET[i]], 60000 / letters - 220,
				60000 / letters + 220);
	}
}

TEST(test_codes_may_be_of_any_length_asked_for)
{
	struct random r;
	random_seed(&r, seed_b);
	for (size_t len = 0; len <= CODE_CHARS_MAX; len++) {
		char code[CODE_CHARS_MAX + 1];
		code_make(&r, code, len);
		assert_int_equal(strlen(code), len);
	}
}

TEST(test_codes_are_taken_in_either_case_and_checked)
{
	static const struct {
		const char *in, *out; /* NULL: no code */
	} rows[] = {
		{"K7QX3M", "K7QX3M"},
		{"k7qx3m", "K7QX3M"},
		{"K7qX3m", "K7QX3M"},
		{"23456789ABCDEFGH", "23456789ABCDEFGH"},
		{"", NULL},
		{"K7QX3", NULL},
		{"K7QX3MK7QX3MK7QX3", NULL},
		{"K7QX30", NULL},
		{"K7QX3O", NULL},
		{"K7QX31", NULL},
		{"K7QX3I", NULL},
		{"K7QX3l", NULL},
		{"K7QX3U", NULL},
		{"K7QX3 ", NULL},
		{"K7QX3-", NULL},
		{"K7QX3\xc3\xa9", NULL},
		{"K7QX3\x1b", NULL},
	};
	char out[CODE_CHARS_MAX + 1];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool ok = code_normalise(slice_str(rows[i].in), out);
		assert_int_equal(ok, rows[i].out != NULL);
		if (ok) {
			assert_string_equal(out, rows[i].out);
		}
	}
	assert_false(code_normalise(slice_of("K7QX3\0", 6), out));
}

/* The vector of proto/README.md; another implementation made the signature. */
TEST(test_a_login_signs_three_lines)
{
	static const char nonce[] = "B4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fds";
	static const char expected[] =
		"aye-login-1\nAda\nB4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fds\n";
	char text[LOGIN_TEXT_BYTES_MAX];
	size_t len = login_text(SLICE("Ada"), slice_str(nonce), text);
	assert_true(slice_eq(slice_of(text, len), slice_str(expected)));
	assert_true(signature_is_good(SLICE("A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"),
				      SLICE("AMKQLNLpzCgKSja-40564zEcbVuwh2HhDSqE9p9oJmgo"
					    "xKPohjqa8QiaTFahaXm_HEutOCQlF_O37PwOBU0OCQ"),
				      slice_of(text, len)));
}

TEST(test_a_nonce_is_43_letters_of_base64url)
{
	static const char all[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	char nonce[KEY_CHARS + 1];
	for (size_t i = 0; i + KEY_CHARS < sizeof(all); i++) {
		assert_true(nonce_is_formed(slice_of(all + i, KEY_CHARS)));
	}
	for (size_t len = 0; len < sizeof(all); len++) {
		assert_int_equal(nonce_is_formed(slice_of(all, len)), len == KEY_CHARS);
	}
	for (int c = 0; c < 256; c++) {
		memset(nonce, 'A', KEY_CHARS);
		nonce[KEY_CHARS / 2] = (char)c;
		assert_int_equal(nonce_is_formed(slice_of(nonce, KEY_CHARS)),
				 c != 0 && strchr(all, c) != NULL);
	}
}

int main(void)
{
	return test_run(start, NULL);
}
