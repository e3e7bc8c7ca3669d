/*
 * test_tokens.c - a commit that comes twice with one token is done once, and tokens are
 * forgotten.
 */
#include "fixture.h"

/* The clock of commits goes on by as much, and so does that of an engine that has its own. */
static int64_t pass(struct fixture *f, int64_t ms)
{
	if (f->engine->pass != NULL) {
		f->engine->pass(f, ms);
	}
	return NOW + ms;
}

/* A moment before its end: an engine's own clock goes on meanwhile. */
#define MOMENT_MS 30000

STORE_TEST(a_token_seen_again_gives_the_first_result_and_does_nothing, f)
{
	assert_int_equal(commit_token(f, 1, "1", NOW).nth, 1);
	assert_int_equal(commit_token(f, 2, "2", NOW).nth, 2);
	bool has_clock = f->engine->pass != NULL;
	int64_t almost_ms = store_token_life_ms(f->s) - (has_clock ? MOMENT_MS : 1);
	struct answer a = commit_token(f, 1, "3", pass(f, almost_ms));
	assert_int_equal(a.e, OK);
	assert_int_equal(a.nth, 1);
	assert_load(f, "ROOM:A", "", "USER:a=2@2");
	if (f->engine->keeps) {
		fixture_reopen(f);
		assert_int_equal(commit_token(f, 2, "3", NOW + 1).nth, 2);
	}
}

STORE_TEST(a_token_is_forgotten_after_its_life, f)
{
	assert_int_equal(commit_token(f, 1, "1", NOW).nth, 1);
	int64_t later_ms = pass(f, store_token_life_ms(f->s));
	assert_int_equal(commit_token(f, 1, "2", later_ms).nth, 2);
	/* Its new life does not end with its old one. */
	put_seat(f, "ROOM:A", "USER:b", "1");
	assert_int_equal(commit_token(f, 1, "3", later_ms + 1).nth, 2);
	assert_load(f, "ROOM:A", "USER:a", "USER:a=2@2");
}

STORE_TEST(a_refused_commit_does_not_use_its_token_up, f)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.token = token_of(7), .ops = &op, .n = 1, .now_ms = NOW};
	op.expect = STORE_EXPECT_VERSION;
	assert_int_equal(commit_all(f, &c).e, ERR_CONFLICT);
	op.expect = STORE_EXPECT_ANY;
	assert_int_equal(commit_all(f, &c).nth, 1);
}

static size_t tokens_there;

static void count_tokens(struct kv *kv)
{
	struct slice key, value;
	enum err e = kv_find(kv, KV_TOKENS, KV_FROM, (struct slice){NULL, 0}, &key, &value);
	for (tokens_there = 0; e == OK; tokens_there++) {
		e = kv_find(kv, KV_TOKENS, KV_NEXT, NO_SLICE, &key, &value);
	}
	assert_int_equal(e, ERR_NOT_FOUND);
}

LMDB_TEST(tokens_are_forgotten_as_fast_as_they_come, f)
{
	static struct answer answer;
	const unsigned many = 300;
	for (unsigned turn = 0; turn < 12; turn++) {
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
		for (unsigned i = 0; i < many; i++) {
			unsigned number = turn * many + i + 1;
			struct store_commit c = {.ops = &op,
						 .n = 1,
						 .now_ms = NOW +
							   (int64_t)turn *
								   (store_token_life_ms(f->s) + 1)};
			memcpy(c.token.bytes, &number, sizeof(number));
			assert_int_equal(commit_begin(f, &c, &answer), OK);
		}
		fixture_drain(f);
		assert_int_equal(answer.e, OK);
	}
	fixture_tamper(f, count_tokens);
	assert_true(tokens_there >= many && tokens_there <= 2 * many);
}
