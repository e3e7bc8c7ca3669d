/*
 * chains.h - commits under load that tell whether one was lost, made twice, or overtaken.
 *
 * A chain is votes of one seat, one after another, each made from the version that the last one was
 * answered with: a commit that was made twice, or whose predecessor was lost, conflicts.
 */
#ifndef TESTS_UNIT_STORE_CHAINS_H
#define TESTS_UNIT_STORE_CHAINS_H

#include "fixture.h"

#define CHAINS 32

struct chains;

struct chain {
	struct chains *all;
	char sk[16], vote[16];
	uint64_t version; /* of the last that was acknowledged; 0: none */
	unsigned number;
};

struct chains {
	struct store *s;
	struct redis_poll *poll;
	const char *pk;
	struct chain chain[CHAINS];
	unsigned acks;
	bool is_ending;
};

static inline void chain_go_on(struct chain *c);

static inline void on_link(void *arg, enum err e, uint64_t version)
{
	struct chain *c = arg;
	assert_int_equal(e, OK);
	assert_true(version > c->version);
	c->version = version;
	c->number++;
	c->all->acks++;
	if (!c->all->is_ending) {
		chain_go_on(c);
	}
}

static inline void chain_go_on(struct chain *c)
{
	format_to(c->vote, sizeof(c->vote), "%u", c->number + 1);
	struct store_op op = op_put(c->all->pk, c->sk, value_seat(c->vote));
	op.expect = c->version == 0 ? STORE_EXPECT_ABSENT : STORE_EXPECT_VERSION;
	op.version = c->version;
	struct store_commit commit = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(store_commit(c->all->s, &commit, on_link, c), OK);
}

static inline void chains_begin(struct chains *c, struct store *s, struct redis_poll *poll,
				const char *pk)
{
	*c = (struct chains){.s = s, .poll = poll, .pk = pk};
	for (unsigned i = 0; i < CHAINS; i++) {
		c->chain[i].all = c;
		format_to(c->chain[i].sk, sizeof(c->chain[i].sk), "USER:%02u", i);
		chain_go_on(&c->chain[i]);
	}
}

/* Until so many were acknowledged, of all since the beginning. */
static inline void chains_until(struct chains *c, unsigned acks)
{
	while (c->acks < acks) {
		(void)store_poll(c->s);
		c->poll->net.run(c->poll);
	}
}

static inline void on_chains(void *arg, enum err e, const struct store_item *items, size_t n,
			     uint64_t version, bool has_more)
{
	struct chains *c = arg;
	(void)version, (void)has_more;
	assert_int_equal(e, OK);
	assert_int_equal(n, CHAINS);
	for (size_t i = 0; i < n; i++) {
		struct seat_item seat;
		struct arena arena = {NULL};
		struct fault fault;
		assert_true(slice_eq(items[i].sk, slice_str(c->chain[i].sk)));
		assert_int_equal(record_from_bytes(&record_seat_item, items[i].value, RECORD_STRICT,
						   &arena, &seat, &fault),
				 OK);
		assert_true(slice_eq(seat.vote, slice_str(c->chain[i].vote)));
		assert_int_equal(items[i].version, c->chain[i].version);
		arena_finish(&arena);
	}
}

static inline void chains_drain(struct chains *c)
{
	while (store_poll(c->s)) {
		c->poll->net.run(c->poll);
	}
}

/* No more; and all that was acknowledged is there, and nothing else. */
static inline void chains_end(struct chains *c)
{
	c->is_ending = true;
	chains_drain(c);
	store_load(c->s, &(struct store_load){.pk = slice_str(c->pk)}, on_chains, c);
	chains_drain(c);
}

/* ---- a row: commits that are all under way at once, answered in the order of the calls ---- */

struct row {
	unsigned answered;
	uint64_t version;
};

/* One commit of a row, in its place. */
struct in_row {
	struct row *row;
	unsigned nth;
};

static inline void on_in_row(void *arg, enum err e, uint64_t version)
{
	struct in_row *c = arg;
	assert_int_equal(e, OK);
	assert_int_equal(c->nth, c->row->answered);
	assert_true(version > c->row->version);
	c->row->answered++;
	c->row->version = version;
}

/* Commit the i-th of the row, of about so many bytes. */
static inline void row_commit(struct store *s, struct row *row, struct in_row *c, unsigned i,
			      unsigned bytes)
{
	struct store_op op = op_put("ROOM:A", "ONCE#a", value_once(i, bytes));
	struct store_commit commit = {.ops = &op, .n = 1, .now_ms = NOW};
	*c = (struct in_row){row, i};
	assert_int_equal(store_commit(s, &commit, on_in_row, c), OK);
	store_flush(s);
}

#endif
