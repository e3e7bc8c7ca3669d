/*
 * test_format.c - data that older programs wrote.
 */
#include "fixture.h"

#include "store/admin/admin.h"
#include "store/key.h"
#include "store/stored_value.h"

static void put_stamp(struct kv *kv, const char *stamp)
{
	assert_int_equal(kv_put(kv, KV_META, SLICE("format"), slice_str(stamp)), OK);
}

static bool reseal_as_format_1(struct kv *kv, const struct key *key)
{
	struct slice stored, value;
	uint64_t version;
	struct buf sealed;
	assert_int_equal(kv_get(kv, KV_ITEMS, key_slice(key), &stored), OK);
	bool was_unlisted = stored_value_is_unlisted(stored);
	assert_int_equal(stored_value_open(key_slice(key), stored, &version, &value), OK);
	buf_init(&sealed, 1024);
	stored_value_seal(key_slice(key), version, true, value, &sealed);
	assert_int_equal(kv_put(kv, KV_ITEMS, key_slice(key), buf_slice(&sealed)), OK);
	buf_finish(&sealed);
	return was_unlisted;
}

/* As format 1 had it: no item says whether an index lists it. */
static void age_to_format_1(struct kv *kv)
{
	size_t unlisted = 0;
	struct key key = {.len = 0};
	struct slice found, stored;
	enum err e = kv_find(kv, KV_ITEMS, KV_FROM, (struct slice){NULL, 0}, &found, &stored);
	while (e == OK) {
		memcpy(key.bytes, found.data, found.len);
		key.len = found.len;
		unlisted += reseal_as_format_1(kv, &key);
		e = kv_find(kv, KV_ITEMS, KV_FROM, key_slice(&key), &found, &stored);
		assert_int_equal(e, OK);
		e = kv_find(kv, KV_ITEMS, KV_NEXT, NO_SLICE, &found, &stored);
	}
	assert_int_equal(e, ERR_NOT_FOUND);
	assert_int_equal(unlisted, 2);
	put_stamp(kv, "aye table 1");
}

static void assert_is_newest(struct kv *kv)
{
	struct slice stamp;
	assert_int_equal(kv_get(kv, KV_META, SLICE("format"), &stamp), OK);
	assert_true(slice_eq(stamp, SLICE("aye table 3")));
}

static bool on_problem(void *arg, struct slice line)
{
	(void)arg;
	fail_msg("%.*s", (int)line.len, line.data);
	return true;
}

static void assert_check_clean(const struct fixture *f, unsigned entries)
{
	struct admin_counts counts;
	struct errmsg why = {""};
	assert_int_equal(admin_check(f->directory, on_problem, NULL, &counts, &why), OK);
	assert_int_equal(counts.index_entries, entries);
}

static void put_seat_of(struct fixture *f, const char *sk, const char *vote, const char *account)
{
	assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_seat_of(vote, account))).e, OK);
}

static void fill(struct fixture *f)
{
	put_seat_of(f, "USER:a", "1", NULL);
	put_seat_of(f, "USER:b", "2", NULL);
	put_seat_of(f, "USER:c", "3", "ada");
	put_seat_of(f, "USER:d", "5", "ada");
}

LMDB_TEST(data_of_format_1_are_checked_as_they_lie_and_opened_as_the_newest, f)
{
	fill(f);
	fixture_change(f, age_to_format_1);
	assert_check_clean(f, 2);
	assert_int_equal(fixture_try_open(f), OK);
	fixture_tamper(f, assert_is_newest);
}

LMDB_TEST(items_of_format_1_are_read_with_their_versions, f)
{
	struct store_op op = op_of(STORE_CHECK, "ROOM:A", "USER:b");
	fill(f);
	fixture_tamper(f, age_to_format_1);
	assert_load(f, "ROOM:A", "", "USER:a=1@1 USER:b=2@2 USER:c=3@3 USER:d=5@4");
	assert_string_equal(query_seats(f, "ada").text, "USER:c=3@3 USER:d=5@4");
	op.expect = STORE_EXPECT_VERSION;
	op.version = 2;
	assert_int_equal(commit_op(f, op).e, OK);
	op.version = 3;
	assert_int_equal(commit_op(f, op).e, ERR_CONFLICT);
}

/* Each way from an item that does not say whether it is listed. */
LMDB_TEST(items_of_format_1_are_overwritten_and_removed_with_their_listings, f)
{
	fill(f);
	fixture_tamper(f, age_to_format_1);
	put_seat_of(f, "USER:a", "8", NULL);
	put_seat_of(f, "USER:b", "8", "ada");
	put_seat_of(f, "USER:c", "8", NULL);
	assert_string_equal(query_seats(f, "ada").text, "USER:b=8@6 USER:d=5@4");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "USER:d")).e, OK);
	assert_string_equal(query_seats(f, "ada").text, "USER:b=8@6");
	assert_load(f, "ROOM:A", "", "USER:a=8@5 USER:b=8@6 USER:c=8@7");
	assert_check_clean(f, 1);
}
