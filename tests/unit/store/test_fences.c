/*
 * test_fences.c - a process that has taken a bucket of rooms keeps others from them.
 */
#include "fixture.h"

struct taken {
	unsigned calls;
	enum err e;
	unsigned char had; /* the first byte of the fence that it had */
	uint64_t version;
};

static void on_taken(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	struct taken *t = arg;
	t->calls++;
	t->e = e;
	t->had = had.bytes[0];
	t->version = version;
}

static struct store_fence fence_of(unsigned char byte)
{
	struct store_fence f;
	memset(f.bytes, byte, sizeof(f.bytes));
	return f;
}

static struct store_take take_of(const char *pk, unsigned char byte, bool gives_up)
{
	return (struct store_take){.bucket = item_scope_of(slice_str(pk)),
				   .fence = fence_of(byte),
				   .gives_up = gives_up};
}

static struct taken take(struct fixture *f, const char *pk, unsigned char byte, bool gives_up)
{
	struct store_take t = take_of(pk, byte, gives_up);
	struct taken taken = {.calls = 0};
	assert_int_equal(store_take(f->s, &t, on_taken, &taken), OK);
	assert_int_equal(taken.calls, 0);
	fixture_drain(f);
	assert_int_equal(taken.calls, 1);
	return taken;
}

/* A vote in that room under a fence; 0: without one. */
static enum err vote(struct fixture *f, const char *pk, const char *vote, unsigned char byte)
{
	struct store_op op = op_put(pk, "USER:a", value_seat(vote));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .fence = fence_of(byte)};
	return commit_all(f, &c).e;
}

static struct answer load_fenced(struct fixture *f, const char *pk, unsigned char byte)
{
	struct store_load l = {.pk = slice_str(pk), .fence = fence_of(byte)};
	return load_of(f, &l);
}

SHARED_TEST(only_the_fence_of_the_bucket_lets_in, f)
{
	assert_int_equal(vote(f, "ROOM:A", "1", 1), ERR_FENCED);
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(vote(f, "ROOM:A", "1", 1), OK);
	assert_int_equal(vote(f, "ROOM:A", "2", 2), ERR_FENCED);
	struct answer a = load_fenced(f, "ROOM:A", 1);
	assert_int_equal(a.e, OK);
	assert_string_equal(a.text, "USER:a=1@1");
	a = load_fenced(f, "ROOM:A", 2);
	assert_int_equal(a.e, ERR_FENCED);
	assert_int_equal(a.n, 0);
}

SHARED_TEST(what_names_no_fence_is_not_kept_out, f)
{
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(vote(f, "ROOM:A", "1", 0), OK);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

SHARED_TEST(a_bucket_that_another_process_has_taken_is_lost, f)
{
	struct store_take theirs = take_of("ROOM:A", 2, false);
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(vote(f, "ROOM:A", "1", 1), OK);
	f->engine->other_takes(f, &theirs);
	assert_int_equal(vote(f, "ROOM:A", "2", 1), ERR_FENCED);
	assert_int_equal(load_fenced(f, "ROOM:A", 1).e, ERR_FENCED);
	assert_load(f, "ROOM:A", "", "USER:a=1@1");
}

SHARED_TEST(taking_says_whose_it_was_and_the_last_commit, f)
{
	assert_int_equal(vote(f, "ROOM:A", "1", 0), OK);
	struct taken t = take(f, "ROOM:A", 1, false);
	assert_int_equal(t.had, 0);
	assert_true(t.version == version_of("ROOM:A", 1));
	assert_int_equal(vote(f, "ROOM:A", "2", 1), OK);
	t = take(f, "ROOM:A", 2, false);
	assert_int_equal(t.had, 1);
	assert_true(t.version == version_of("ROOM:A", 2));
	t = take(f, "ROOM:A", 2, false);
	assert_int_equal(t.e, OK);
	assert_int_equal(t.had, 2);
}

SHARED_TEST(a_bucket_is_given_up_only_by_who_has_it, f)
{
	assert_int_equal(take(f, "ROOM:A", 1, true).e, OK);
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	struct taken t = take(f, "ROOM:A", 2, true);
	assert_int_equal(t.e, ERR_FENCED);
	assert_int_equal(t.had, 1);
	assert_int_equal(vote(f, "ROOM:A", "1", 1), OK);
	assert_int_equal(take(f, "ROOM:A", 1, true).e, OK);
	assert_int_equal(vote(f, "ROOM:A", "2", 1), ERR_FENCED);
	assert_int_equal(take(f, "ROOM:A", 3, false).had, 0);
}

SHARED_TEST(other_buckets_are_not_concerned, f)
{
	assert_int_not_equal(item_scope_of(SLICE("ROOM:A")), item_scope_of(SLICE("ROOM:B")));
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(vote(f, "ROOM:B", "1", 1), ERR_FENCED);
	assert_int_equal(take(f, "ROOM:B", 2, false).had, 0);
	assert_int_equal(vote(f, "ROOM:A", "1", 1), OK);
	assert_int_equal(vote(f, "ROOM:B", "1", 2), OK);
}

/* It was made while the process had the bucket, and its answer was lost. */
SHARED_TEST(a_token_is_known_behind_a_fence, f)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {
		.token = token_of(5), .ops = &op, .n = 1, .now_ms = NOW, .fence = fence_of(1)};
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(commit_all(f, &c).e, OK);
	assert_int_equal(take(f, "ROOM:A", 2, false).e, OK);
	struct answer again = commit_all(f, &c);
	assert_int_equal(again.e, OK);
	assert_int_equal(again.nth, 1);
	c.token = token_of(6);
	assert_int_equal(commit_all(f, &c).e, ERR_FENCED);
}

/* Conditions are not looked at: whoever is kept out learns nothing of the room. */
SHARED_TEST(a_fence_comes_before_every_condition, f)
{
	struct store_op op = op_of(STORE_CHECK, "ROOM:A", "USER:a");
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .fence = fence_of(1)};
	op.expect = STORE_EXPECT_VERSION;
	op.version = 1;
	assert_int_equal(commit_all(f, &c).e, ERR_FENCED);
	assert_int_equal(take(f, "ROOM:A", 1, false).e, OK);
	assert_int_equal(commit_all(f, &c).e, ERR_CONFLICT);
}

SHARED_TEST(the_directory_has_no_fence, f)
{
	struct store_op op = op_of(STORE_DELETE, "USER:B", "x");
	assert_aborts(
		f, &(struct store_commit){.ops = &op, .n = 1, .now_ms = NOW, .fence = fence_of(1)});
}

LMDB_TEST(data_of_one_process_have_no_fences, f)
{
	struct store_op op = op_of(STORE_DELETE, "ROOM:A", "x");
	assert_false(store_is_shared(f->s));
	assert_aborts(
		f, &(struct store_commit){.ops = &op, .n = 1, .now_ms = NOW, .fence = fence_of(1)});
}
