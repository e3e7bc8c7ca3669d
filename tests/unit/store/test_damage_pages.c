/*
 * test_damage_pages.c - pages of the file that are not as they were written: what each of them took, and repair.
 */
#include "damage.h"

#include "store/key.h"
#include "store/lmdb/page_format.h"

static unsigned below(uint64_t *random, unsigned n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (unsigned)(*random >> 33) % n;
}

/* Trees of three levels, long values, free pages, indexes: whatever the engine makes holds together. */
LMDB_TEST(what_the_engine_writes_has_no_problems, f)
{
	struct errmsg why = {""};
	struct lines lines;
	uint64_t random = 1;
	static struct answer answer;
	for (int turn = 0; turn < 6; turn++) {
		for (int i = 0; i < 1500; i++) {
			char pk[16], sk[64];
			format_to(pk, sizeof(pk), "ROOM:%03u", below(&random, 60));
			format_to(sk, sizeof(sk), "ONCE#%u-a-rather-long-key-for-a-key",
				  below(&random, 60));
			struct store_op op =
				below(&random, 4) == 0
					? op_of(below(&random, 40) == 0 ? STORE_DELETE_PREFIX
									: STORE_DELETE,
						pk, sk)
					: op_put(pk, sk,
						 value_once((int64_t)i,
							    below(&random, 20) == 0
								    ? 9000
								    : 20 + (size_t)i % 300));
			struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
			assert_int_equal(commit_begin(f, &c, &answer), OK);
			if (i % 20 == 0) {
				fixture_drain(f);
			}
		}
		fixture_drain(f);
		assert_int_equal(check(f, &lines, &why), OK);
		shut(f);
		assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
		assert_string_equal(lines.text, "");
	}
	assert_false(exists(f, "data.mdb.damaged-1"));
}

static void furnish(struct fixture *f)
{
	for (int room = 0; room < 10; room++) {
		for (int seat = 0; seat < 50; seat++) {
			char pk[16], sk[32];
			format_to(pk, sizeof(pk), "ROOM:%c", 'A' + room);
			format_to(sk, sizeof(sk), "USER:%04d-%c", seat, 'A' + room);
			put_seat(f, pk, sk, "1");
		}
	}
	shut(f);
}

/* The leaf with this text in use: of several, what was written last has the highest number or is the only sound one. */
static off_t page_with(const struct fixture *f, const char *text)
{
	char path[128], page[PAGE];
	off_t found = -1;
	uint64_t newest = 0;
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		for (size_t i = 0; i + strlen(text) + 32 <= PAGE; i++) {
			/* Behind the key is the head of the stored value: checksum, listing, version. */
			if (memcmp(page + i, text, strlen(text)) == 0 && page[10] == 2) {
				uint64_t version = key_get_u64((const unsigned char *)page + i +
							       strlen(text) + 8);
				version &= UINT64_MAX >> 8;
				if (version >= newest) {
					newest = version;
					found = at;
				}
			}
		}
	}
	close(fd);
	assert_true(found > 0);
	return found;
}

static void copy_page(const struct fixture *f, off_t from, off_t to)
{
	char path[128], page[PAGE];
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	if (from < 0) {
		memset(page, 0, PAGE);
	} else {
		assert_int_equal(pread(fd, page, PAGE, from), PAGE);
	}
	assert_int_equal(pwrite(fd, page, PAGE, to), PAGE);
	close(fd);
}

LMDB_TEST(check_finds_a_page_in_the_place_of_another, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	assert_int_equal(check(f, &lines, &why), OK);
	copy_page(f, page_with(f, "USER:0001-C"), page_with(f, "USER:0001-H"));
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_non_null(
		strstr(lines.text, "of items: is missing, or another page is in its place"));
	assert_int_equal(fixture_try_open(f), OK);
}

/* The last key of each branch of the items gets another first byte, which is after all others. */
static unsigned alter_branches(const struct fixture *f)
{
	const struct page_kind kind = {.page_bytes = PAGE, .is_leaf = false};
	char path[128], page[PAGE];
	unsigned altered = 0;
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = PAGE_FIRST * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		if (page_problem(&kind, (size_t)at / PAGE, page) != NULL) {
			continue; /* not a branch */
		}
		struct page_node last = page_node(&kind, page, page_nodes(page) - 1);
		if (slice_starts(last.key, SLICE("ROOM:"))) {
			assert_int_equal(pwrite(fd, "\xff", 1, at + (last.key.data - page)), 1);
			altered++;
		}
	}
	close(fd);
	return altered;
}

LMDB_TEST(check_says_that_what_follows_an_altered_key_is_lost_and_not_everything, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	assert_true(alter_branches(f) > 0);
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_non_null(strstr(lines.text, "its keys are not as expected; lost: from ?OOM:"));
	assert_null(strstr(lines.text, "lost: everything"));
}

LMDB_TEST(partitions_on_a_damaged_page_are_refused_and_others_live_on, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	copy_page(f, -1, page_with(f, "USER:0025-E"));
	for (int i = 0; i < 2; i++) { /* and when they are opened again */
		assert_int_equal(open_telling(f, &lines, SLICE("owner"), &why), OK);
		assert_int_equal(lines.n > 0, i == 0);
		assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
		assert_int_equal(commit_op(f, op_put("ROOM:E", "USER:x", value_seat("1"))).e,
				 ERR_CORRUPT);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:E", "")).e,
				 ERR_CORRUPT);
		assert_int_equal(load(f, "ROOM:A", "").n, 50 - (unsigned)i);
		assert_int_equal(load(f, "ROOM:J", "").n, 50);
		/* Rooms are listed by when they expire; subscriptions, of which none was lost, are not rooms. */
		assert_true(query(f, 0, 100, 20, NULL).is_partial);
		struct store_query q = {.index = INDEX_BY_LAST_NOTIFIED,
					.to = INT64_MAX,
					.limit = 5};
		assert_false(query_of(f, &q).is_partial);
		char sk[32];
		format_to(sk, sizeof(sk), "USER:%04d-A", i);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", sk)).e, OK);
		shut(f);
	}
	assert_true(exists(f, "data.mdb.damaged-1"));
	assert_false(exists(f, "data.mdb.damaged-2"));
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_int_equal(lines.n, 1);
	assert_non_null(strstr(lines.text, "requests for them are refused"));
	assert_int_equal(fixture_try_open(f), OK);
}

static struct store_op put_result(char pk[16], int i)
{
	format_to(pk, 16, "ONCE:c%04d", i);
	return op_put(pk, "ONCE#h", value_once(NOW, 10));
}

LMDB_TEST(a_commit_is_refused_for_any_partition_that_is_lost, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char pks[2][16];
	for (int i = 0; i < 300; i++) {
		assert_int_equal(commit_op(f, put_result(pks[0], i)).e, OK);
	}
	shut(f);
	copy_page(f, -1, page_with(f, "ONCE:c0150"));
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	struct store_op ops[] = {put_result(pks[0], 299), put_result(pks[1], 150)};
	assert_int_equal(commit_op(f, ops[0]).e, OK);
	assert_int_equal(commit_op(f, ops[1]).e, ERR_CORRUPT);
	assert_int_equal(commit_ops(f, ops, 2).e, ERR_CORRUPT);
}

LMDB_TEST(a_page_in_anothers_place_while_it_is_served_costs_its_partition_and_no_more, f)
{
	struct errmsg why = {""};
	struct lines lines;
	furnish(f);
	assert_int_equal(fixture_try_open(f), OK);
	assert_int_equal(load(f, "ROOM:E", "").n, 50);
	off_t at = page_with(f, "USER:0025-E");
	copy_page(f, page_with(f, "USER:0025-G"), at);
	assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:A", "").n, 50);
	assert_int_equal(load(f, "ROOM:J", "").n, 50);
	assert_int_equal(load(f, "ROOM:G", "").n, 50);
	put_seat(f, "ROOM:J", "USER:0001-J", "2");
	shut(f);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_true(lines.n > 0);
	assert_int_equal(load(f, "ROOM:E", "").e, ERR_CORRUPT);
	assert_int_equal(load(f, "ROOM:J", "").n, 50);
}

static bool page_has(const char *page, struct slice bytes)
{
	for (size_t i = 0; i + bytes.len <= PAGE; i++) {
		if (memcmp(page + i, bytes.data, bytes.len) == 0) {
			return true;
		}
	}
	return false;
}

/* Pages of whatever tree: the check comes to them before LMDB does. The next opening mends the file. */
LMDB_TEST(a_check_beside_serving_reports_damaged_pages_and_survives_them, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char path[128], page[PAGE];
	static const char zeroes[PAGE];
	furnish(f);
	assert_int_equal(fixture_try_open(f), OK);
	for (int i = 0; i < 300; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:X", sk, value_once(i, 30))).e, OK);
	}
	struct checking whole = check_all(f);
	assert_int_equal(whole.e, OK);
	assert_int_equal(whole.problems, 0);
	assert_in_range(whole.entries, 500 + 2 * 300, 2000);
	assert_in_range(whole.parts, whole.entries / STORE_CHECK_ENTRIES, 60);
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	unsigned found = 0;
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		assert_int_equal(pwrite(fd, zeroes, PAGE, at), PAGE);
		struct checking k = check_all(f);
		found += k.e == ERR_CORRUPT;
		assert_true(k.e == ERR_CORRUPT || (k.e == OK && k.entries == whole.entries));
		assert_true(k.problems <= (k.e == ERR_CORRUPT));
		assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
	}
	assert_true(found > 30);
	assert_int_equal(check_all(f).e, OK);
	off_t at = page_with(f, "USER:0025-E");
	copy_page(f, -1, at);
	struct checking k = check_all(f);
	assert_int_equal(k.e, ERR_CORRUPT);
	assert_non_null(
		strstr(k.lines,
		       "of items: is missing, or another page is in its place; lost: from ROOM:E"));
	close(fd);
	shut(f);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_non_null(strstr(lines.text, "data.mdb was repaired"));
}

/* A key has no checksum of its own, and an item that is elsewhere is missed where it was. */
LMDB_TEST(an_item_whose_key_was_altered_is_not_taken_for_absent, f)
{
	static const struct store_load seen[] = {
		{.pk = {"ONCE:needle3", 12}, .sk_prefix = {"ONCE#a", 6}, .is_exact = true},
		{.pk = {"ONCE:needle3", 12}},
		{.pk = {"ONCE:needle3", 12}, .is_descending = true},
		{.pk = {"ONCE:needle3", 12}, .sk_prefix = {"ONCE#a", 6}},
	};
	static const char *const altered[] = {"ONCE:needle4", "ONCE:needle2"};
	for (int way = 0; way < 2; way++) {
		for (int i = 1; i <= 5; i += 2) {
			char pk[16];
			format_to(pk, sizeof(pk), "ONCE:needle%d", i);
			assert_int_equal(commit_op(f, op_put(pk, "ONCE#a", value_once(i, 4))).e,
					 OK);
		}
		for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
			assert_int_equal(load_of(f, &seen[i]).n, 1);
		}
		assert_int_equal(load(f, "ONCE:needle4", "").n, 0);
		shut(f);
		assert_true(patch(f, "ONCE:needle3", altered[way]) > 0);
		assert_int_equal(fixture_try_open(f), OK);
		for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
			assert_int_equal(load_of(f, &seen[i]).e, ERR_CORRUPT);
		}
		assert_int_equal(load(f, "ONCE:needle9", "").e, OK);
		shut(f);
		assert_true(patch(f, altered[way], "ONCE:needle3") > 0);
		assert_int_equal(fixture_try_open(f), OK);
	}
}

static void misplace(struct kv *kv)
{
	struct slice key, item_key;
	struct key elsewhere;
	char kept[64];
	assert_int_equal(kv_find(kv, KV_INDEX + INDEX_BY_EXPIRY, KV_BELOW, SLICE("\xff"), &key,
				 &item_key),
			 OK);
	size_t len = item_key.len;
	assert_true(len <= sizeof(kept));
	memcpy(kept, item_key.data, len);
	key_of_entry(&elsewhere, SLICE(""), 500, slice_of(kept, len));
	assert_int_equal(kv_del(kv, KV_INDEX + INDEX_BY_EXPIRY, key), OK);
	assert_int_equal(kv_put(kv, KV_INDEX + INDEX_BY_EXPIRY, key_slice(&elsewhere),
				slice_of(kept, len)),
			 OK);
}

/* Whether it lies beside the range that misses it, or in one where it does not belong. */
LMDB_TEST(a_page_of_an_index_with_an_altered_entry_says_so, f)
{
	for (int i = 10; i <= 30; i += 10) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 4))).e, OK);
	}
	assert_int_equal(query(f, 0, 100, 20, NULL).n, 3);
	assert_false(query(f, 0, 100, 20, NULL).is_partial);
	assert_false(query(f, 200, 900, 20, NULL).is_partial);
	fixture_tamper(f, misplace);
	struct answer a = query(f, 0, 100, 20, NULL);
	assert_int_equal(a.e, OK);
	assert_int_equal(a.n, 2);
	assert_true(a.is_partial);
	assert_true(query(f, 200, 900, 20, NULL).is_partial);
	assert_false(query(f, 0, 15, 20, NULL).is_partial);
}

/* The number of leaves that were harmed, which are all that have the one and not the other. */
static unsigned harm_leaves(const struct fixture *f, struct slice with, struct slice without)
{
	char path[128], page[PAGE];
	unsigned harmed = 0;
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 2 * PAGE; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		if (page_has(page, with) && !page_has(page, without)) {
			page[12] = 0; /* its lower bound */
			assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
			harmed++;
		}
	}
	close(fd);
	return harmed;
}

static void alter_key(struct kv *kv)
{
	struct slice stored;
	char kept[512];
	assert_int_equal(kv_get(kv, KV_ITEMS, SLICE("ROOM:S\0USER:b"), &stored), OK);
	size_t len = stored.len;
	assert_true(len <= sizeof(kept));
	memcpy(kept, stored.data, len);
	assert_int_equal(kv_del(kv, KV_ITEMS, SLICE("ROOM:S\0USER:b")), OK);
	assert_int_equal(kv_put(kv, KV_ITEMS, SLICE("ROOM:S\0UTER:b"), slice_of(kept, len)), OK);
}

static void put_seat_of(struct fixture *f, const char *pk, const char *account)
{
	char sk[32];
	format_to(sk, sizeof(sk), "USER:%s", account);
	assert_int_equal(commit_op(f, op_put(pk, sk, value_seat_of("1", account))).e, OK);
}

/* Indexes are made from items: what lists one that cannot be read any more is kept, or the item counts as lost. */
LMDB_TEST(a_page_that_lacks_an_item_says_so_after_a_repair, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char pk[16];
	for (int way = 0; way < 3; way++) {
		for (int i = 0; i < 300; i++) {
			assert_int_equal(commit_op(f, put_result(pk, i)).e, OK);
		}
		static const char *const seats[][2] = {{"USER:a", "1"},
						       {"USER:b", "haystack"},
						       {"USER:c", "1"}};
		for (size_t i = 0; i < 3; i++) {
			struct store_op op =
				op_put("ROOM:S", seats[i][0], value_seat_of(seats[i][1], "ann"));
			assert_int_equal(commit_op(f, op).e, OK);
		}
		put_seat_of(f, "ROOM:T", "bea"); /* listed between the two others */
		put_seat_of(f, "ROOM:T", "bob");
		struct store_query of_ann = {.index = INDEX_BY_ACCOUNT,
					     .partition = SLICE("ann"),
					     .to = INT64_MAX,
					     .limit = 5};
		struct store_query of_bob = of_ann;
		of_bob.partition = SLICE("bob");
		assert_int_equal(query_of(f, &of_ann).n, 3);
		assert_false(query_of(f, &of_ann).is_partial);
		shut(f);
		if (way == 1) {
			fixture_change(f, alter_key);
		} else {
			assert_true(patch(f, "haystack", "haystacc") > 0);
		}
		if (way == 2) {
			assert_true(harm_leaves(f, SLICE("ROOM:S\0USER:b"), SLICE("haystacc")) > 0);
		} else {
			copy_page(f, -1, page_with(f, "ONCE:c0150"));
		}
		assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
		assert_non_null(strstr(lines.text, "data.mdb was repaired"));
		for (int i = 0; i < 2; i++) { /* and when they are opened again */
			assert_int_equal(query_of(f, &of_ann).e, OK);
			assert_true(query_of(f, &of_ann).is_partial);
			assert_int_equal(query_of(f, &of_bob).n, 1);
			assert_int_equal(query_of(f, &of_bob).is_partial, way == 2);
			assert_int_equal(load(f, "ROOM:S", "").e, ERR_CORRUPT);
			assert_int_equal(load(f, "ROOM:T", "").e, OK);
			shut(f);
			assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
			assert_string_equal(lines.text, "");
		}
		fixture_close(f);
		fixture_open(f, FIXTURE_LMDB);
	}
}

LMDB_TEST(a_damaged_index_is_made_anew_and_nothing_is_refused, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char before[sizeof(((struct answer *)NULL)->text)];
	put_seat(f, "ROOM:A", "USER:a", "5");
	for (int i = 0; i < 10; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 4))).e, OK);
	}
	memcpy(before, query(f, 0, 100, 20, NULL).text, sizeof(before));
	shut(f);
	/* The only leaf with an index's keys that leads to this item and not with its value. */
	assert_true(harm_leaves(f, SLICE("ROOM:A\0ONCE#9"), SLICE("ROOM:A\0USER:a")) > 0);
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_true(lines.n > 0);
	assert_string_equal(query(f, 0, 100, 20, NULL).text, before);
	assert_int_equal(load(f, "ROOM:A", "").n, 11);
	shut(f);
	assert_int_equal(check(f, &lines, &why), OK);
	assert_int_equal(fixture_try_open(f), OK);
}

LMDB_TEST(an_index_under_an_altered_name_is_made_anew, f)
{
	struct errmsg why = {""};
	struct lines lines;
	char before[sizeof(((struct answer *)NULL)->text)];
	for (int i = 0; i < 10; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%d", i);
		assert_int_equal(commit_op(f, op_put("ROOM:A", sk, value_once(i, 4))).e, OK);
	}
	memcpy(before, query(f, 0, 100, 20, NULL).text, sizeof(before));
	shut(f);
	assert_true(patch(f, "index:ByExpiry", "index:ByExpirx") > 0);
	assert_int_equal(check(f, &lines, &why), ERR_CORRUPT);
	assert_non_null(strstr(why.text, "database index:ByExpiry is missing"));
	assert_int_equal(open_telling(f, &lines, SLICE(""), &why), OK);
	assert_non_null(strstr(lines.text, "names a database that is not one of ours"));
	assert_non_null(strstr(lines.text, "data.mdb was repaired"));
	assert_string_equal(query(f, 0, 100, 20, NULL).text, before);
	shut(f);
	assert_int_equal(check(f, &lines, &why), OK);
	assert_int_equal(fixture_try_open(f), OK);
}
