/*
 * test_cluster_nodes.c - what a node of a cluster concludes from time and lists: which bucket is
 * whose, which nodes there are, how long it may answer and send.
 */
#include "server/core/cluster/node_record.h"
#include "server/core/cluster/lease.h"
#include "server/core/cluster/membership.h"
#include "server/core/cluster/rendezvous.h"
#include "server/core/server.h"
#include "store/items.h"
#include "tests/support/test.h"

/* ---- homes ---- */

TEST(test_nodes_agree_on_homes_whatever_the_order_of_their_lists)
{
	const uint64_t nodes[] = {11, 7, 93};
	const uint64_t others[] = {93, 11, 7};
	for (unsigned b = 0; b < ITEM_BUCKETS; b++) {
		assert_int_equal(rendezvous_home(nodes, 3, b), rendezvous_home(others, 3, b));
	}
	assert_int_equal(rendezvous_home(nodes, 0, 5), 0);
}

/* Written down: a node of another version must conclude the same. */
TEST(test_homes_never_change)
{
	const uint64_t nodes[] = {1, 2, 3};
	static const uint64_t homes[] = {1, 3, 1, 3, 1, 1, 1, 2};
	for (unsigned b = 0; b < sizeof(homes) / sizeof(homes[0]); b++) {
		assert_int_equal(rendezvous_home(nodes, 3, b), homes[b]);
	}
}

TEST(test_each_of_forty_nodes_has_about_its_share)
{
	uint64_t nodes[40];
	unsigned shares[40] = {0};
	for (size_t i = 0; i < 40; i++) {
		nodes[i] = 1000 + i;
	}
	for (unsigned b = 0; b < ITEM_BUCKETS; b++) {
		shares[rendezvous_home(nodes, 40, b) - 1000]++;
	}
	for (size_t i = 0; i < 40; i++) {
		assert_in_range(shares[i], 60, 150); /* 102 each on average */
	}
}

TEST(test_buckets_move_only_to_a_node_that_comes)
{
	const uint64_t nodes[] = {5, 6, 7, 8};
	unsigned moved = 0;
	for (unsigned b = 0; b < ITEM_BUCKETS; b++) {
		uint64_t before = rendezvous_home(nodes, 3, b);
		uint64_t after = rendezvous_home(nodes, 4, b);
		assert_true(after == before || after == 8);
		moved += after != before;
	}
	assert_in_range(moved, ITEM_BUCKETS / 5, ITEM_BUCKETS / 3);
}

/* ---- the list ---- */

#define NODE(n, leaves)                               \
	{                                             \
		.number = (n), .is_leaving = (leaves) \
	}
#define LIST(...)                     \
	(const struct cluster_node[]) \
	{                             \
		__VA_ARGS__           \
	}

TEST(test_a_node_counts_itself_from_the_beginning)
{
	struct membership m;
	membership_begin(&m, 1);
	assert_int_equal(membership_home(&m, 17), 1);
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 1000, true));
}

TEST(test_a_node_that_is_listed_is_there_at_once)
{
	struct membership m;
	membership_begin(&m, 1);
	assert_true(membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 1000, false));
	assert_int_equal(m.living_n, 2);
	assert_false(membership_listed(&m, LIST(NODE(2, false), NODE(1, false)), 2, 2000, false));
}

TEST(test_absence_takes_two_lists)
{
	struct membership m;
	membership_begin(&m, 1);
	membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 1000, true);
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 2000, true));
	assert_true(membership_listed(&m, LIST(NODE(1, false)), 1, 3000, true));
	assert_int_equal(m.living_n, 1);
}

TEST(test_a_node_that_is_back_in_the_second_list_was_not_absent)
{
	struct membership m;
	membership_begin(&m, 1);
	membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 1000, true);
	membership_listed(&m, LIST(NODE(1, false)), 1, 2000, true);
	assert_false(membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 3000, true));
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 4000, true));
	assert_int_equal(m.living_n, 2);
}

TEST(test_lists_that_prove_nothing_do_not_count)
{
	struct membership m;
	membership_begin(&m, 1);
	membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 1000, true);
	membership_listed(&m, LIST(NODE(1, false)), 1, 2000, true);
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 3000, false));
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 4000, true));
	assert_true(membership_listed(&m, LIST(NODE(1, false)), 1, 5000, true));
}

/* Between two that do, each node had the time to renew its key. */
TEST(test_of_two_lists_within_a_second_one_counts)
{
	struct membership m;
	membership_begin(&m, 1);
	membership_listed(&m, LIST(NODE(1, false), NODE(2, false)), 2, 1000, true);
	membership_listed(&m, LIST(NODE(1, false)), 1, 2000, true);
	assert_false(membership_listed(&m, LIST(NODE(1, false)), 1, 2100, true));
	assert_true(membership_listed(&m, LIST(NODE(1, false)), 1, 3000, true));
}

TEST(test_who_leaves_is_home_of_nothing)
{
	struct membership m;
	membership_begin(&m, 1);
	assert_true(membership_listed(&m, LIST(NODE(2, false)), 1, 1000, true));
	assert_true(membership_listed(&m, LIST(NODE(2, true)), 1, 2000, true));
	assert_int_equal(m.living_n, 1);
	assert_true(membership_listed(&m, LIST(NODE(2, false)), 1, 3000, true));
	membership_leave(&m);
	assert_int_equal(m.living_n, 1);
	assert_int_equal(membership_home(&m, 3), 2);
	membership_listed(&m, LIST(NODE(1, true), NODE(2, true)), 2, 4000, true);
	assert_int_equal(membership_home(&m, 3), 0);
}

TEST(test_a_node_is_known_as_the_latest_list_has_it)
{
	struct membership m;
	struct cluster_node node = {.number = 2, .items_version = 1, .address = "10.0.0.2:7000"};
	membership_begin(&m, 1);
	assert_null(membership_node(&m, 2));
	membership_listed(&m, &node, 1, 1000, true);
	assert_string_equal(membership_node(&m, 2)->address, "10.0.0.2:7000");
	node = (struct cluster_node){.number = 2,
				     .items_version = 2,
				     .announce = "tls://ayed2:7433"};
	membership_listed(&m, &node, 1, 2000, true);
	assert_string_equal(membership_node(&m, 2)->address, "");
	assert_string_equal(membership_node(&m, 2)->announce, "tls://ayed2:7433");
	assert_int_equal(membership_node(&m, 2)->items_version, 2);
	membership_listed(&m, NULL, 0, 3000, true);
	assert_non_null(membership_node(&m, 2));
	membership_listed(&m, NULL, 0, 4000, true);
	assert_null(membership_node(&m, 2));
	assert_null(membership_node(&m, 1));
}

/* ---- what nodes say of themselves ---- */

static struct cluster_node node_read(const char *bytes, size_t len)
{
	struct arena arena = {NULL};
	struct cluster_node node;
	node_record_read(2, slice_of(bytes, len), &arena, &node);
	arena_finish(&arena);
	return node;
}

TEST(test_fields_of_a_newer_node_are_passed_over)
{
	static const char bytes[] = "\x82\xa7"
				    "address\xa3"
				    "h:1\xa5"
				    "later\x92\x01\x02";
	struct cluster_node node = node_read(bytes, sizeof(bytes) - 1);
	assert_int_equal(node.number, 2);
	assert_string_equal(node.address, "h:1");
	assert_int_equal(node.items_version, 0);
}

TEST(test_of_a_node_that_cannot_be_read_the_number_is_known)
{
	static const char *const texts[] = {"", "\xc1",
					    "\x81\xa7"
					    "address\x01",
					    "\x81\xa7"
					    "addr"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct cluster_node node = node_read(texts[i], strlen(texts[i]));
		assert_int_equal(node.number, 2);
		assert_string_equal(node.address, "");
	}
}

TEST(test_nodes_differ_in_limits_that_should_be_alike)
{
	int64_t limits[LIMIT_COUNT];
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		limits[i] = limit_rows[i].value;
	}
	int64_t before = node_limits(limits);
	limits[LIMIT_CONNECTIONS]--; /* as many as its machine can have */
	assert_true(node_limits(limits) == before);
	limits[LIMIT_ROOM_CREATES_PER_MINUTE]++;
	assert_true(node_limits(limits) != before);
	assert_true(before > 0);
}

/* ---- the lease ---- */

/* A renewal and a list that are sent then, and answered so much later. */
static void renewed(struct lease *l, int64_t sent_ms, int64_t after_ms)
{
	lease_round_sent(&l->renewal, sent_ms);
	lease_round_sent(&l->list, sent_ms);
	lease_renewed(l, true, false, sent_ms + after_ms);
	lease_round_answered(&l->list, true);
}

TEST(test_without_an_answer_there_is_no_lease)
{
	struct lease l = {.failed_ms = 0};
	assert_false(lease_is_fresh(&l, 1));
	lease_round_sent(&l.renewal, 100);
	lease_round_sent(&l.list, 100);
	assert_false(lease_is_fresh(&l, 200));
	lease_renewed(&l, true, true, 200);
	assert_false(lease_is_fresh(&l, 200)); /* the list has not come */
	lease_round_answered(&l.list, true);
	assert_true(lease_is_fresh(&l, 200));
}

TEST(test_the_lease_counts_from_the_sending)
{
	struct lease l = {.failed_ms = 0};
	renewed(&l, 1000, 2000);
	assert_true(lease_is_fresh(&l, 1000 + LEASE_MS - 1));
	assert_false(lease_is_fresh(&l, 1000 + LEASE_MS));
	renewed(&l, 5000, LEASE_MS);
	assert_false(lease_is_fresh(&l, 5000 + LEASE_MS)); /* answered too late */
}

TEST(test_an_old_list_ends_the_lease_too)
{
	struct lease l = {.failed_ms = 0};
	renewed(&l, 1000, 10);
	lease_round_sent(&l.renewal, 4000);
	lease_renewed(&l, true, false, 4010);
	lease_round_sent(&l.list, 4000);
	lease_round_answered(&l.list, false);
	assert_true(lease_is_fresh(&l, 1000 + LEASE_MS - 1));
	assert_false(lease_is_fresh(&l, 1000 + LEASE_MS));
}

TEST(test_one_round_a_second_and_one_at_a_time)
{
	struct lease_round r = {.is_sent = false};
	assert_true(lease_round_is_due(&r, 1));
	lease_round_sent(&r, 100);
	assert_false(lease_round_is_due(&r, 5000));
	lease_round_answered(&r, true);
	assert_false(lease_round_is_due(&r, 100 + LEASE_EVERY_MS - 1));
	assert_true(lease_round_is_due(&r, 100 + LEASE_EVERY_MS));
}

TEST(test_absence_is_proved_by_three_good_seconds)
{
	struct lease l = {.failed_ms = 0};
	assert_false(lease_proves_absence(&l, 9000)); /* nothing was answered yet */
	renewed(&l, 10000, 10);
	assert_true(lease_proves_absence(&l, 10020));
	lease_round_sent(&l.renewal, 11000);
	lease_renewed(&l, false, false, 11010);
	assert_false(lease_proves_absence(&l, 11010 + LEASE_REST_MS - 1));
	assert_true(lease_proves_absence(&l, 11010 + LEASE_REST_MS));
}

TEST(test_a_lapsed_key_and_a_late_answer_are_failures_too)
{
	struct lease l = {.failed_ms = 0};
	renewed(&l, 10000, 10);
	lease_round_sent(&l.renewal, 11000);
	lease_renewed(&l, true, true, 11010);
	assert_false(lease_proves_absence(&l, 11010 + LEASE_REST_MS - 1));
	renewed(&l, 20000, 10);
	lease_round_sent(&l.renewal, 21000);
	assert_true(lease_proves_absence(&l, 21000 + LEASE_EVERY_MS - 1));
	assert_false(lease_proves_absence(&l, 21000 + LEASE_EVERY_MS)); /* none has come */
	lease_renewed(&l, true, false, 22500);
	assert_false(lease_proves_absence(&l, 22500 + LEASE_REST_MS - 1));
}
