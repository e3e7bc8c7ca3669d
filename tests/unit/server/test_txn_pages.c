/*
 * test_txn_pages.c - pages of a partition in a transaction, and what one
 * transaction may read and write at most.
 *
 * This program brings a table of handlers of its own instead of
 * server/domain/directory.c's: session.logout does what the test asks for. The
 * items are those that remember results, as they are the directory's only ones
 * of which a partition has many.
 */
#include <stdio.h>

#include "server/domain/directory.h"
#include "tests/support/store_mem.h"
#include "tests/unit/server/scene.h"

/* ada and bob, both logged in, and five items in the partition P. */
struct desk {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

#define P SLICE("p")
#define Q SLICE("q")

/* What the next session.logout of a connection does. */
static txn_handler *act;
static struct txn_page page;
static char listed[64]; /* the SKs that the last run listed, and "+" where there are more */
static size_t bytes;	/* of an item's result */

static enum txn_step scripted(struct txn *t)
{
	return act(t);
}

txn_handler *const directory_handlers[METHOD_COUNT] = {
	[METHOD_SESSION_LOGIN] = on_SESSION_LOGIN,
	[METHOD_SESSION_LOGOUT] = scripted,
};
txn_handler *const directory_sweepers[ITEM_COUNT] = {NULL};
txn_handler *const directory_follows[FOLLOW_COUNT] = {NULL};
txn_handler *const directory_user_joins = NULL;
const struct directory_task directory_tasks[] = {{NULL, NULL}};
const struct directory_look directory_looks[] = {{NULL, NULL}};

static void put(struct txn *t, struct slice pk, struct slice sk)
{
	static char value[MAX_FRAME_BYTES];
	value[0] = '\xdb'; /* a text of that length */
	for (size_t i = 0; i < 4; i++) {
		value[1 + i] = (char)(bytes >> (8 * (3 - i)));
	}
	memset(value + 5, 'x', bytes);
	struct once_item item = {.method = SLICE("m"),
				 .result = slice_of(value, bytes + 5),
				 .expires_at = INT64_MAX / 2};
	txn_put(t, ITEM_DIRECTORY_ONCE, pk, sk, &item);
}

/* a, b, c, d, e */
static enum txn_step fill(struct txn *t)
{
	static const char letters[] = "abcde";
	for (size_t i = 0; i < 5; i++) {
		put(t, P, slice_of(&letters[i], 1));
	}
	return TXN_DONE;
}

static enum txn_step fill_much(struct txn *t)
{
	for (size_t i = 0; i < page.limit; i++) {
		char sk[24];
		(void)snprintf(sk, sizeof(sk), "%04zu", i);
		put(t, P, txn_copy(t, slice_str(sk)));
	}
	return TXN_DONE;
}

static struct txn_items list_page(struct txn *t)
{
	struct txn_items found = txn_list(t, ITEM_DIRECTORY_ONCE, P, &page);
	size_t n = 0;
	for (size_t i = 0; i < found.n && i < 8; i++) {
		struct slice sk = item_sk_rest(&found.items[i], ITEM_DIRECTORY_ONCE);
		listed[n++] = sk.data[0];
	}
	listed[n] = '\0';
	strcat(listed, found.has_more ? "+" : "");
	return found;
}

static enum txn_step list(struct txn *t)
{
	(void)list_page(t);
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static enum txn_step list_and_note(struct txn *t)
{
	(void)list_page(t);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	put(t, Q, SLICE("comment"));
	return TXN_DONE;
}

/* Each is read again by its key, which loads nothing, then written or deleted. */
static enum txn_step list_and_change(struct txn *t)
{
	struct txn_items found = list_page(t);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		struct slice sk = item_sk_rest(&found.items[i], ITEM_DIRECTORY_ONCE);
		if (txn_get(t, ITEM_DIRECTORY_ONCE, P, sk) == NULL) {
			return txn_refuse(t, FAULT_NOT_FOUND, "it was listed");
		}
		if (i % 2 == 0) {
			txn_delete(t, ITEM_DIRECTORY_ONCE, P, sk);
		} else {
			put(t, P, sk);
		}
	}
	return TXN_DONE;
}

/* The same items on two pages count twice. */
static enum txn_step list_twice(struct txn *t)
{
	struct txn_page other = page;
	other.limit--;
	(void)txn_list(t, ITEM_DIRECTORY_ONCE, P, &page);
	(void)txn_list(t, ITEM_DIRECTORY_ONCE, P, &other);
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static enum txn_step put_and_delete_a(struct txn *t)
{
	put(t, P, SLICE("a"));
	txn_delete(t, ITEM_DIRECTORY_ONCE, P, SLICE("a"));
	return TXN_DONE;
}

static enum txn_step subscribe_to_another(struct txn *t)
{
	char topic[24];
	(void)snprintf(topic, sizeof(topic), "topic %zu", page.limit);
	(void)txn_subscribe(t, ITEM_DIRECTORY_ONCE, slice_str(topic), NOTICE_SESSION_UPDATE);
	return TXN_DONE;
}

/* One page more than a transaction may read. */
static enum txn_step list_often(struct txn *t)
{
	struct txn_page each = {.limit = 1};
	for (size_t i = 0; i <= MAX_TRANSACTION_PAGES; i++) {
		each.limit = i + 1;
		(void)txn_list(t, ITEM_DIRECTORY_ONCE, P, &each);
	}
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static enum txn_step get_often(struct txn *t)
{
	for (size_t i = 0; i <= MAX_TRANSACTION_ITEMS; i++) {
		char sk[24];
		(void)snprintf(sk, sizeof(sk), "%04zu", i);
		(void)txn_get(t, ITEM_DIRECTORY_ONCE, P, slice_str(sk));
	}
	return txn_is_loading(t) ? TXN_MORE : TXN_DONE;
}

static enum txn_step get_and_refuse(struct txn *t)
{
	(void)txn_get(t, ITEM_DIRECTORY_ONCE, P, SLICE("a"));
	(void)list_page(t);
	return txn_refuse(t, FAULT_FORBIDDEN, "no");
}

static const char *run(struct rig_peer *p, txn_handler *what)
{
	act = what;
	return rig_code(p, "session.logout", RIG_NONE);
}

static uint64_t reruns(const struct desk *d)
{
	return server_counters(d->r.server)->transactions_rerun;
}

static void set_page(const char *after, bool is_descending, size_t limit)
{
	page = (struct txn_page){.after = slice_str(after),
				 .is_descending = is_descending,
				 .limit = limit};
}

static int lay(void **state)
{
	struct desk *d = scene_init(state, sizeof(*d));
	rig_start(&d->r);
	d->ada = rig_guest(&d->r, "ada");
	d->bob = rig_guest(&d->r, "bob");
	rig_must(d->ada, "session.login", "'user_name':'Ada'");
	rig_must(d->bob, "session.login", "'user_name':'Bob'");
	bytes = 3;
	assert_string_equal(run(d->ada, fill), "ok");
	set_page("", false, 100);
	return 0;
}

#define PAGES_TEST(name, d)	      TEST_IN(name, struct desk, d, lay, scene_clear)
#define PAGES_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct desk, d, nth, lay, scene_clear)

PAGES_TEST(test_a_partition_is_listed_page_by_page_in_both_directions, d)
{
	static const struct {
		const char *after;
		bool is_descending;
		size_t limit;
		const char *listed;
	} cases[] = {
		{"", false, 2, "ab+"},	      {"ONCE#b", false, 2, "cd+"},
		{"ONCE#d", false, 2, "e"},    {"", true, 2, "ed+"},
		{"ONCE#b", true, 2, "a"},     {"", false, 5, "abcde"},
		{"ONCE#bb", false, 9, "cde"}, {"ONCE#e", false, 2, ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_page(cases[i].after, cases[i].is_descending, cases[i].limit);
		assert_string_equal(run(d->ada, list), "ok");
		assert_string_equal(listed, cases[i].listed);
	}
}

/* Another process changes an item between what ada reads and what she commits. */
static void overtake(struct desk *d, txn_handler *mine, const char *sk)
{
	rig_hold(&d->r);
	act = mine;
	uint32_t call = rig_send(d->ada, "session.logout", RIG_NONE);
	rig_let(&d->r, 1);
	assert_true(store_mem_touch(d->r.store, SLICE("ONCE:p"), slice_str(sk)));
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada, call), "ok");
}

PAGES_TEST(test_each_listed_item_is_a_condition_of_the_commit, d)
{
	set_page("", false, 2);
	overtake(d, list_and_note, "ONCE#b");
	assert_int_equal(reruns(d), 1);
	overtake(d, list_and_change, "ONCE#b");
	assert_int_equal(reruns(d), 2);
}

PAGES_TEST(test_items_that_were_not_listed_are_none, d)
{
	set_page("", false, 2);
	overtake(d, list_and_note, "ONCE#d");
	assert_int_equal(reruns(d), 0);
}

PAGES_TEST(test_a_page_that_only_answers_has_no_conditions, d)
{
	size_t commits = d->r.commits;
	assert_string_equal(run(d->ada, list), "ok");
	assert_int_equal(d->r.commits, commits);
}

PAGES_TEST(test_listed_items_are_read_again_without_a_load_and_changed, d)
{
	size_t loads = d->r.loads;
	assert_string_equal(run(d->ada, list_and_change), "ok");
	assert_int_equal(d->r.loads - loads, 1);
	assert_string_equal(run(d->ada, list), "ok");
	assert_string_equal(listed, "bd");
}

/* What it asked for would be loaded for nothing, into memory that is gone. */
PAGES_TEST(test_a_run_that_refuses_loads_nothing, d)
{
	size_t loads = d->r.loads;
	assert_string_equal(run(d->ada, get_and_refuse), "FORBIDDEN");
	assert_int_equal(d->r.loads, loads);
}

/* ---- bounds ---- */

static const char *refusal(struct rig_peer *p, txn_handler *what)
{
	act = what;
	return rig_refused(p, "session.logout", RIG_NONE);
}

#define ASSERT_TOO_LARGE(p, what, words)                       \
	do {                                                   \
		const char *refused = refusal(p, what);        \
		assert_non_null(strstr(refused, "TOO_LARGE")); \
		assert_non_null(strstr(refused, words));       \
	} while (false)

PAGES_TEST(test_what_one_transaction_reads_and_writes_is_bounded, d)
{
	ASSERT_TOO_LARGE(d->ada, list_often, "16 pages");
	ASSERT_TOO_LARGE(d->ada, get_often, "1024 items");
	set_page("", false, MAX_TRANSACTION_ITEMS + 1);
	ASSERT_TOO_LARGE(d->ada, fill_much, "1024 items");
	set_page("", false, 600);
	assert_string_equal(run(d->ada, fill_much), "ok");
	ASSERT_TOO_LARGE(d->ada, list_and_change, "1024 items");
	ASSERT_TOO_LARGE(d->ada, list_twice, "1024 items");
	assert_string_equal(run(d->ada, list), "ok");
	set_page("", false, 80);
	bytes = 60000;
	ASSERT_TOO_LARGE(d->ada, fill_much, "4194304 bytes");
	set_page("", false, 60);
	assert_string_equal(run(d->ada, fill_much), "ok");
	assert_string_equal(run(d->ada, list), "ok");
	ASSERT_TOO_LARGE(d->ada, list_and_change, "4194304 bytes");
	ASSERT_TOO_LARGE(d->ada, list_twice, "4194304 bytes");
}

PAGES_TEST(test_the_last_write_of_an_item_holds, d)
{
	assert_string_equal(run(d->ada, put_and_delete_a), "ok");
	assert_string_equal(run(d->ada, list), "ok");
	assert_string_equal(listed, "bcde");
}

PAGES_TEST(test_a_connection_has_so_many_topics_and_no_more, d)
{
	for (page.limit = 0; page.limit < MAX_CONNECTION_TOPICS; page.limit++) {
		assert_string_equal(run(d->ada, subscribe_to_another), "ok");
	}
	ASSERT_TOO_LARGE(d->ada, subscribe_to_another, "32 topics");
	page.limit = 0;
	assert_string_equal(run(d->ada, subscribe_to_another), "ok"); /* it has this one */
	assert_string_equal(run(d->bob, subscribe_to_another), "ok");
}

PAGES_TEST(test_what_all_transactions_hold_is_bounded, d)
{
	enum { ITEMS = 60, ITEM_BYTES = 60000, FIT = MAX_TRANSACTIONS_BYTES / (ITEMS * 60200) };
	uint32_t sent[FIT];
	set_page("", false, ITEMS);
	bytes = ITEM_BYTES;
	act = fill_much;
	rig_hold(&d->r);
	for (size_t i = 0; i < FIT; i++) {
		sent[i] = rig_send(d->ada, "session.logout", RIG_NONE);
	}
	for (size_t i = 0; i < 2; i++) {
		const char *refused = refusal(d->bob, fill_much);
		assert_non_null(strstr(refused, "UNAVAILABLE"));
		assert_non_null(strstr(refused, "use too much memory; try again"));
	}
	assert_string_equal(run(d->bob, get_and_refuse), "FORBIDDEN"); /* a small one fits */
	rig_release(&d->r);
	for (size_t i = 0; i < FIT; i++) {
		assert_string_equal(rig_outcome(d->ada, sent[i]), "ok");
	}
	assert_string_equal(run(d->bob, fill_much), "ok");
}

/* Others are faster each time: it gives up in the end, and has done nothing. */
PAGES_TEST(test_a_transaction_that_is_always_overtaken_gives_up, d)
{
	rig_fail_commits(&d->r, MAX_TRANSACTION_RUNS - 1, ERR_CONFLICT);
	assert_string_equal(run(d->ada, list_and_note), "ok");
	assert_int_equal(reruns(d), MAX_TRANSACTION_RUNS - 1);
	rig_fail_commits(&d->r, MAX_TRANSACTION_RUNS, ERR_CONFLICT);
	assert_non_null(strstr(refusal(d->ada, list_and_change), "too many changes at once"));
	assert_string_equal(run(d->ada, list), "ok");
	assert_string_equal(listed, "abcde");
}

PAGES_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	act = list_and_change;
	heap_fail_nth(nth, false);
	uint32_t call = rig_send(d->ada, "session.logout", RIG_NONE);
	heap_fail_never();
	bool is_done = d->ada->is_open && strcmp(rig_outcome(d->ada, call), "ok") == 0;
	assert_string_equal(run(d->bob, list), "ok");
	if (is_done || strcmp(listed, "bd") != 0) { /* an answer may be lost, no half is done */
		assert_string_equal(listed, is_done ? "bd" : "abcde");
	}
}

/* Items of which each needs memory of its own, read and written. */
PAGES_HEAP_TEST(test_large_items_are_written_all_or_none, d, nth)
{
	bytes = 9000;
	set_page("", false, 4);
	act = fill_much;
	heap_fail_nth(nth, false);
	uint32_t filled = rig_send(d->ada, "session.logout", RIG_NONE);
	set_page("", false, 100);
	act = list;
	uint32_t read = rig_send(d->bob, "session.logout", RIG_NONE);
	heap_fail_never();
	bool is_done = d->ada->is_open && strcmp(rig_outcome(d->ada, filled), "ok") == 0;
	bool is_read = d->bob->is_open && strcmp(rig_outcome(d->bob, read), "ok") == 0;
	struct rig_peer *p = d->bob->is_open ? d->bob : d->ada;
	assert_true(!is_read || strcmp(listed, "0000abcd") == 0 || strcmp(listed, "abcde") == 0);
	assert_string_equal(run(p, list), "ok");
	assert_true(strcmp(listed, "0000abcd") == 0 || (!is_done && strcmp(listed, "abcde") == 0));
}
