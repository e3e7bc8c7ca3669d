/*
 * test_nodes.c - the entries by which processes that share the data know of each other.
 */
#include "fixture.h"

/* A test of a process that shares its data as a node. */
static void be_node(struct fixture *f)
{
	f->is_node = true;
	fixture_reopen(f);
}
#define NODE_TEST(name, f)                             \
	static void name##_of_node(struct fixture *f); \
	SHARED_TEST(name, f)                           \
	{                                              \
		be_node(f);                            \
		name##_of_node(f);                     \
	}                                              \
	static void name##_of_node(struct fixture *f)

#define LONG_MS	 60000
#define SHORT_MS 1

struct renewed {
	unsigned calls;
	enum err e;
	uint64_t since;
};

static void on_renewed(void *arg, enum err e, uint64_t since)
{
	struct renewed *r = arg;
	*r = (struct renewed){r->calls + 1, e, since};
}

static uint64_t renew(struct fixture *f, uint64_t node, int64_t life_ms, struct slice value)
{
	struct store_renewal r = {.node = node, .life_ms = life_ms, .value = value};
	struct renewed renewed = {.calls = 0};
	store_renew(f->s, &r, on_renewed, &renewed);
	assert_int_equal(renewed.calls, 0);
	fixture_drain(f);
	assert_int_equal(renewed.calls, 1);
	assert_int_equal(renewed.e, OK);
	assert_true(renewed.since > 0);
	return renewed.since;
}

/* "1=one 2=two", in the order of the numbers. */
struct listed {
	unsigned calls;
	enum err e;
	size_t n;
	char values[8][16];
};

static void on_nodes(void *arg, enum err e, const struct store_item *nodes, size_t n)
{
	struct listed *l = arg;
	l->calls++;
	l->e = e;
	l->n = n;
	for (size_t i = 0; i < n; i++) {
		assert_in_range(nodes[i].version, 1, 7);
		assert_int_equal(nodes[i].pk.len + nodes[i].sk.len, 0);
		char *text = l->values[nodes[i].version];
		assert_true(nodes[i].value.len < sizeof(l->values[0]));
		memcpy(text, nodes[i].value.len == 0 ? "" : nodes[i].value.data,
		       nodes[i].value.len);
	}
}

static struct listed list(struct fixture *f)
{
	struct listed l = {.calls = 0};
	store_nodes(f->s, on_nodes, &l);
	fixture_drain(f);
	assert_int_equal(l.calls, 1);
	assert_int_equal(l.e, OK);
	return l;
}

/* Ask until the entries of short lives have ended, which takes a millisecond. */
static void let_lapse(struct fixture *f, size_t left)
{
	while (list(f).n > left) {
	}
}

NODE_TEST(there_are_no_nodes_at_first, f)
{
	assert_int_equal(list(f).n, 0);
}

NODE_TEST(all_nodes_are_listed_as_they_were_last_renewed, f)
{
	renew(f, 1, LONG_MS, SLICE("one"));
	renew(f, 2, LONG_MS, SLICE("two"));
	renew(f, 1, LONG_MS, SLICE("uno"));
	renew(f, 3, LONG_MS, NO_SLICE);
	struct listed l = list(f);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.values[1], "uno");
	assert_string_equal(l.values[2], "two");
	assert_string_equal(l.values[3], "");
}

NODE_TEST(a_value_may_have_any_bytes, f)
{
	renew(f, 1, LONG_MS, slice_of("a\0\r\n\xff", 5));
	assert_memory_equal(list(f).values[1], "a\0\r\n\xff", 6);
}

NODE_TEST(a_node_that_is_not_renewed_goes, f)
{
	renew(f, 1, LONG_MS, SLICE("one"));
	renew(f, 2, SHORT_MS, SLICE("two"));
	let_lapse(f, 1);
	assert_string_equal(list(f).values[1], "one");
}

NODE_TEST(a_renewal_says_whether_the_entry_had_gone, f)
{
	uint64_t since = renew(f, 1, LONG_MS, SLICE("one"));
	assert_true(renew(f, 1, LONG_MS, SLICE("two")) == since);
	assert_true(renew(f, 1, SHORT_MS, SLICE("three")) == since);
	let_lapse(f, 0);
	uint64_t again = renew(f, 1, LONG_MS, SLICE("four"));
	assert_true(again != since);
	assert_true(renew(f, 1, LONG_MS, SLICE("five")) == again);
}

NODE_TEST(entries_of_nodes_are_no_items, f)
{
	renew(f, 1, LONG_MS, SLICE("one"));
	assert_int_equal(check_all(f).items, 0);
	assert_int_equal(check_all(f).problems, 0);
}
