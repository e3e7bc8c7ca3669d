/*
 * test_lmdb_full.c - a map or a disk that is full: what is refused, what still goes through, and that deletes help.
 */
#include "check.h"
#include "fixture.h"

#include <signal.h>
#include <sys/stat.h>

static int setup_small(void **state)
{
	static struct fixture f;
	fixture_init(&f, FIXTURE_LMDB);
	f.map_bytes = 1 << 20;
	assert_int_equal(fixture_try_open(&f), OK);
	*state = &f;
	return 0;
}

#define SMALL_LMDB_TEST(name, f) TEST_IN(name, struct fixture, f, setup_small, fixture_teardown)

static enum err put_once(struct fixture *f, int i, size_t bytes)
{
	char sk[32];
	format_to(sk, sizeof(sk), "ONCE#%06d", i);
	return commit_op(f, op_put("ROOM:A", sk, value_once(1000 + i, bytes))).e;
}

/* Put new items until there is no room for more; how many went in. */
static int fill(struct fixture *f, int from)
{
	int i = from;
	enum err e;
	while ((e = put_once(f, i, 1500)) == OK) {
		i++;
		assert_true(i < 100000);
	}
	assert_int_equal(e, ERR_FULL);
	return i;
}

SMALL_LMDB_TEST(a_full_map_refuses_new_items_only_and_recovers_by_deletes, f)
{
	struct store_status status;
	put_seat(f, "ROOM:B", "USER:a", "1");
	int n = fill(f, 0);
	assert_true(n > 50);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	assert_true(status.bytes_used >= status.bytes_max / 5 * 4);
	put_seat(f, "ROOM:B", "USER:a", "2");
	assert_int_equal(put_once(f, 0, 1500), OK);
	assert_int_equal(load(f, "ROOM:A", "").n, n);
	for (int i = 0; i < n; i += 2) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%06d", i);
		assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", sk)).e, OK);
	}
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "ROOM:A", "")).e, OK);
	put_seat(f, "ROOM:B", "USER:b", "3");
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_true(fill(f, 0) > n / 2);
	assert_check_clean(f);
}

static enum err put_item(struct fixture *f, int i)
{
	static char note[1500];
	char sk[32];
	format_to(sk, sizeof(sk), "ITEM#i_%06d", i);
	memset(note, 'n', sizeof(note));
	struct item_item item = {.created_on = NOW,
				 .updated_on = NOW,
				 .group_id = SLICE("g_a"),
				 .name = SLICE("Flour"),
				 .category = SLICE("none"),
				 .note = slice_of(note, sizeof(note)),
				 .created_at = NOW,
				 .revision = 1};
	return commit_op(f, op_put("CONTAINER:c_a", sk, value_of(&record_item_item, &item))).e;
}

SMALL_LMDB_TEST(the_last_tenth_is_for_rooms_and_sessions, f)
{
	struct store_status status;
	int n = 0;
	enum err e;
	while ((e = put_item(f, n)) == OK) {
		assert_true(++n < 100000);
	}
	assert_int_equal(e, ERR_FULL);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_RESERVING);
	assert_in_range(status.bytes_used, status.bytes_max / 10 * 7, status.bytes_max / 10 * 8);
	put_seat(f, "ROOM:B", "USER:a", "1");
	assert_true(fill(f, 0) > n / 20);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	assert_int_equal(put_item(f, 0), OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE_PREFIX, "CONTAINER:c_a", "")).e, OK);
	put_seat(f, "ROOM:B", "USER:b", "3");
	assert_int_equal(put_item(f, 0), OK);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_check_clean(f);
}

SMALL_LMDB_TEST(overwrites_that_do_not_fit_fail_alone_and_deletes_beside_them_go_through, f)
{
	struct answer grown = {.calls = 0}, deleted[20] = {{.calls = 0}};
	int n = fill(f, 0);
	bool was_refused = false;
	for (int i = 0; i < 20; i++) {
		char sk[32];
		format_to(sk, sizeof(sk), "ONCE#%06d", i);
		struct store_op grow = op_put("ROOM:A", sk, value_once(1, 60000));
		struct store_commit c = {.ops = &grow, .n = 1, .now_ms = NOW};
		assert_int_equal(commit_begin(f, &c, &grown), OK);
		format_to(sk, sizeof(sk), "ONCE#%06d", n - 1 - i);
		struct store_op del = op_of(STORE_DELETE, "ROOM:A", sk);
		c.ops = &del;
		assert_int_equal(commit_begin(f, &c, &deleted[i]), OK);
	}
	fixture_drain(f);
	was_refused = grown.e == ERR_FULL;
	assert_true(was_refused);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(deleted[i].e, OK);
	}
	assert_check_clean(f);
}

LMDB_TEST(a_full_disk_refuses_new_items_and_recovers_without_restart, f)
{
	struct store_status status;
	struct stat st;
	char path[128];

	put_seat(f, "ROOM:B", "USER:a", "1");
	path_in(path, f, "data.mdb");
	assert_int_equal(stat(path, &st), 0);
	limit_files((rlim_t)st.st_size);
	int n = fill(f, 0);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_NEARLY_FULL);
	put_seat(f, "ROOM:B", "USER:a", "2");
	assert_int_equal(put_once(f, 0, 1500), OK);
	assert_int_equal(commit_op(f, op_of(STORE_DELETE, "ROOM:A", "ONCE#000001")).e, OK);
	limit_files(RLIM_INFINITY);
	assert_int_equal(put_once(f, n, 1500), OK);
	store_status(f->s, &status);
	assert_int_equal(status.state, STORE_OK);
	assert_int_equal(load(f, "ROOM:A", "").n, n);
	assert_check_clean(f);
}

LMDB_TEST(a_disk_that_takes_nothing_fails_commits_whole_and_reads_go_on, f)
{
	put_seat(f, "ROOM:A", "USER:a", "1");
	for (int i = 0; i < 40; i++) {
		assert_int_equal(put_once(f, i, 1500), OK);
	}
	limit_files(4096);
	for (int i = 0; i < 3; i++) {
		struct answer a = commit_op(f, op_put("ROOM:A", "USER:a", value_seat("2")));
		assert_int_equal(a.e, ERR_FULL);
		assert_load(f, "ROOM:A", "USER:", "USER:a=1@1");
	}
	limit_files(RLIM_INFINITY);
	put_seat(f, "ROOM:A", "USER:a", "3");
	assert_load(f, "ROOM:A", "USER:", "USER:a=3@42");
	fixture_reopen(f);
	assert_load(f, "ROOM:A", "USER:", "USER:a=3@42");
	assert_check_clean(f);
}

int main(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	return test_run(NULL, NULL);
}
