/*
 * test_subscription.c - the states of a connection's subscription to a room:
 * what a repeat, a kick, a lost connection and a commit that fails make of one
 * whose first unit of work is still on its way to the disk.
 */
#include "server/core/rooms/subscription.h"
#include "tests/unit/server/table.h"

static unsigned moves[MACHINE_STATES_MAX][MACHINE_STATES_MAX];

static void on_move(void *context, const struct machine *m, const char *whose, unsigned from,
		    unsigned to)
{
	(void)context;
	(void)whose;
	moves[from][to] += m == &subscription_machine;
}

static int lay(void **state)
{
	static const struct machine_trace trace = {.moves = on_move};
	struct table *t = scene_init(state, sizeof(*t));
	memset(moves, 0, sizeof(moves));
	t->r.config.trace = &trace;
	return table_begin(t);
}

#define MOVES(from, to) moves[SUBSCRIPTION_##from][SUBSCRIPTION_##to]

static bool may_move(unsigned from, unsigned to)
{
	return (subscription_machine.states[from].next & MACHINE_TO(to)) != 0;
}

TEST(test_only_listed_moves_are_allowed)
{
	assert_true(may_move(SUBSCRIPTION_NONE, SUBSCRIPTION_NEW));
	assert_false(may_move(SUBSCRIPTION_NONE, SUBSCRIPTION_LIVE));
	assert_false(may_move(SUBSCRIPTION_LIVE, SUBSCRIPTION_NEW));
	assert_false(may_move(SUBSCRIPTION_LOBBY, SUBSCRIPTION_LIVE));
	assert_false(may_move(SUBSCRIPTION_NEW_ENDING, SUBSCRIPTION_LIVE));
	for (unsigned from = 1; from < SUBSCRIPTION_STATE_COUNT; from++) {
		assert_true(may_move(from, SUBSCRIPTION_NONE));
		assert_false(may_move(from, from));
	}
}

/* With a name in the first unit of work, so that it goes to the disk, and a repeat while it is on its way. */
static uint32_t subscribe_twice(struct rig_peer *cy)
{
	struct buf both = {.max = 4096};
	uint32_t first = rig_compose(cy, &both, "subscribe", RIG_NONE);
	(void)rig_compose(cy, &both, "join", "'username':'cy'");
	rig_bytes(cy, buf_slice(&both));
	buf_finish(&both);
	rig_send(cy, "subscribe", RIG_NONE);
	return first;
}

#define TRACED_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

TRACED_TEST(test_a_repeat_in_the_flight_is_for_the_next_unit, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	uint32_t first = subscribe_twice(cy);
	assert_int_equal(MOVES(NEW_FLIGHT, NEW_AGAIN), 1);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, first), "ok");
	assert_int_equal(MOVES(NEW_AGAIN, STALE), 1);
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, cy");
}

TRACED_TEST(test_a_repeat_in_the_flight_goes_with_the_connection, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	(void)subscribe_twice(cy);
	rig_cut(cy);
	assert_int_equal(MOVES(NEW_AGAIN, NONE), 1);
	rig_release(&t->r);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy away");
}

/* The first was acknowledged; that the second failed must not end it. */
TRACED_TEST(test_in_the_lobby_a_subscription_outlives_a_repeat_that_fails, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	uint32_t first = subscribe_twice(cy);
	rig_send(t->bob, "vote", "'vote':'5'");
	assert_int_equal(MOVES(NEW_LOBBY, NEW_AGAIN), 1);
	rig_let(&t->r, 1);
	assert_string_equal(rig_outcome(cy, first), "ok");
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_int_equal(MOVES(NEW_AGAIN, NONE), 0);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy waits");
}

/* The repeat is refused with its commit; the end of the subscription, which came after it, stands. */
TRACED_TEST(test_a_subscription_that_ended_after_a_repeat_that_fails_is_over, t)
{
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t again = rig_send(t->bob, "subscribe", RIG_NONE);
	uint32_t end = rig_send(t->bob, "unsubscribe", RIG_NONE);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, vote), "UNAVAILABLE");
	assert_string_equal(rig_outcome(t->bob, again), "UNAVAILABLE");
	assert_string_equal(rig_outcome(t->bob, end), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	rig_copies_free(t->bob);
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(t->bob), "");
}
