/*
 * test_new_index.c - data of a program that did not know an index: they are checked, backed up and restored as they
 * are, and the index is filled when they are opened for writing.
 */
#include "tests/unit/store/fixture.h"

#include <lmdb.h>
#include <stdio.h>

#include "store/admin/admin.h"
#include "store/key.h"
#include "store/stored_value.h"

#define RESULTS 50

static void put_results(struct fixture *f, int n)
{
	for (int i = 0; i < n; i++) {
		char pk[32];
		format_to(pk, sizeof(pk), "ROOM:R%04d", i);
		put_seat(f, pk, "USER:a", "5");
		assert_int_equal(commit_op(f, op_put(pk, "ONCE#k", value_once(i, 10))).e, OK);
	}
}

static void drop_the_index(struct kv *kv)
{
	const struct lmdb_txn *v = (const struct lmdb_txn *)(const void *)kv;
	assert_int_equal(mdb_drop(v->txn, v->env->dbi[KV_INDEX + INDEX_BY_EXPIRY], 1), 0);
}

static void assert_index_entries(const char *directory, uint64_t entries)
{
	struct admin_counts counts;
	struct errmsg why = {""};
	if (admin_check(directory, NO_SLICE, NULL, NULL, &counts, &why) != OK) {
		fail_msg("%s", why.text); /* a problem would have called NULL */
	}
	assert_int_equal(counts.index_entries, entries);
}

LMDB_TEST(data_without_the_index_are_backed_up_and_restored, f)
{
	static const char *const files[] = {NULL};
	char parent[64], backup[96], data[96];
	struct admin_copied copied;
	struct errmsg why = {""};
	format_to(parent, sizeof(parent), "/tmp/store-test-XXXXXX");
	assert_non_null(mkdtemp(parent));
	format_to(backup, sizeof(backup), "%s/b", parent);
	format_to(data, sizeof(data), "%s/d", parent);
	put_results(f, RESULTS);
	fixture_change(f, drop_the_index);
	assert_index_entries(f->directory, 0);
	const struct admin_copy out = {.from = f->directory, .to = backup, .files = files};
	assert_int_equal(admin_backup(&out, &copied, &why), OK);
	assert_index_entries(backup, 0);
	const struct admin_copy back = {.from = backup, .to = data, .files = files};
	assert_int_equal(admin_restore(&back, &copied, &why), OK);
	assert_int_equal(copied.counts.items, 2 * RESULTS);
	fixture_remove(backup);
	fixture_remove(data);
	assert_int_equal(rmdir(parent), 0);
	assert_int_equal(fixture_try_open(f), OK);
}

static bool on_item(void *arg, struct slice line)
{
	int *lines = arg;
	(void)line;
	++*lines;
	return true;
}

LMDB_TEST(data_without_the_index_are_dumped, f)
{
	struct admin_counts counts;
	struct errmsg why = {""};
	int lines = 0;
	put_results(f, RESULTS);
	fixture_change(f, drop_the_index);
	assert_int_equal(admin_dump(f->directory, false, on_item, &lines, &counts, &why), OK);
	assert_int_equal(lines, 2 * RESULTS);
	assert_int_equal(fixture_try_open(f), OK);
}

LMDB_TEST(opened_for_writing_the_index_has_all_its_items, f)
{
	put_results(f, RESULTS);
	struct answer before = query(f, 0, RESULTS, RESULTS, NULL);
	fixture_tamper(f, drop_the_index);
	assert_index_entries(f->directory, RESULTS);
	struct answer after = query(f, 0, RESULTS, RESULTS, NULL);
	assert_int_equal(after.n, RESULTS);
	assert_string_equal(after.text, before.text);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:R0000", "ONCE#k")).e, OK);
	assert_index_entries(f->directory, RESULTS - 1);
}

/* A result whose kind no index listed when it was written; and it is damaged, if `flip` is a bit of it. */
static void make_unlisted(struct kv *kv, char flip)
{
	struct slice stored, value;
	uint64_t version;
	struct key k;
	struct buf sealed;
	key_of_item(&k, SLICE("ROOM:R0001"), SLICE("ONCE#k"));
	assert_int_equal(kv_get(kv, KV_ITEMS, key_slice(&k), &stored), OK);
	assert_int_equal(stored_value_open(key_slice(&k), stored, &version, &value), OK);
	buf_init(&sealed, 1024);
	stored_value_seal(key_slice(&k), version, false, value, &sealed);
	sealed.data[sealed.len - 1] ^= flip;
	assert_int_equal(kv_put(kv, KV_ITEMS, key_slice(&k), buf_slice(&sealed)), OK);
	buf_finish(&sealed);
	drop_the_index(kv);
}

static void drop_the_first_index(struct kv *kv)
{
	make_unlisted(kv, 0);
}

/* Such an item says that nothing lists it, and the next write would believe that. */
LMDB_TEST(the_index_may_be_the_first_that_lists_an_item, f)
{
	put_results(f, 3);
	fixture_tamper(f, drop_the_first_index);
	assert_index_entries(f->directory, 3);
	assert_load(f, "ROOM:R0001", "ONCE#", "ONCE#k@2");
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:R0001", "ONCE#k")).e, OK);
	assert_index_entries(f->directory, 2);
}

static void damage_an_item(struct kv *kv)
{
	make_unlisted(kv, 1);
}

LMDB_TEST(a_damaged_item_keeps_nothing_from_being_opened, f)
{
	put_results(f, 3);
	fixture_tamper(f, damage_an_item);
	struct answer a = query(f, 0, 10, 10, NULL);
	assert_int_equal(a.n, 2);
}
