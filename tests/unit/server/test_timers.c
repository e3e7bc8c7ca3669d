/*
 * test_timers.c - the heap of due times against a plain array.
 */
#include <stdlib.h>

#include "server/core/timers.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define OWNERS 50

static uint64_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(dice >> 33) % sides;
}

struct model {
	struct timers timers;
	struct timer owner[OWNERS];
	int64_t due[OWNERS]; /* INT64_MAX: not set */
};

static void model_init(struct model *m)
{
	*m = (struct model){.timers = {0}};
	for (size_t i = 0; i < OWNERS; i++) {
		m->due[i] = INT64_MAX;
	}
	assert_true(timers_reserve(&m->timers, OWNERS));
}

static int64_t model_next(const struct model *m)
{
	int64_t next = INT64_MAX;
	for (size_t i = 0; i < OWNERS; i++) {
		next = m->due[i] < next ? m->due[i] : next;
	}
	return next;
}

/* Everything due by now comes out, the earliest first, each once. */
static void model_run(struct model *m, int64_t now)
{
	int64_t last = INT64_MIN;
	for (struct timer *t; (t = timers_due(&m->timers, now)) != NULL;) {
		size_t i = (size_t)(t - m->owner);
		assert_in_range(i, 0, OWNERS - 1);
		assert_int_equal(t->due_ms, m->due[i]);
		assert_true(m->due[i] <= now);
		assert_true(m->due[i] >= last);
		last = m->due[i];
		m->due[i] = INT64_MAX;
	}
	assert_true(model_next(m) > now);
}

static void model_act(struct model *m, int64_t now)
{
	size_t i = roll(OWNERS);
	int64_t due = now + (int64_t)roll(1000) - 100;
	switch (roll(4)) {
	case 0:
		timers_set(&m->timers, &m->owner[i], due);
		m->due[i] = due;
		break;
	case 1:
		timers_set_earlier(&m->timers, &m->owner[i], due);
		m->due[i] = due < m->due[i] ? due : m->due[i];
		break;
	case 2:
		timers_cancel(&m->timers, &m->owner[i]);
		m->due[i] = INT64_MAX;
		break;
	default:
		model_run(m, now);
		break;
	}
}

TEST(test_timers_come_out_when_they_are_due_and_in_order)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct model m;
		int64_t now = 0;
		dice = seed;
		print_message("seed %d\n", (int)seed);
		model_init(&m);
		for (size_t i = 0; i < 2000; i++) {
			now += roll(20);
			model_act(&m, now);
			assert_int_equal(timers_next(&m.timers), model_next(&m));
		}
		model_run(&m, now + 100000);
		assert_int_equal(timers_next(&m.timers), INT64_MAX);
		timers_finish(&m.timers);
	}
}

TEST(test_a_timer_may_be_set_again_while_it_is_handled)
{
	struct timers t = {0};
	struct timer one = {0};
	assert_true(timers_reserve(&t, 1));
	timers_set(&t, &one, 10);
	assert_null(timers_due(&t, 9));
	assert_ptr_equal(timers_due(&t, 10), &one);
	timers_set(&t, &one, 20);
	assert_null(timers_due(&t, 19));
	assert_ptr_equal(timers_due(&t, 25), &one);
	assert_null(timers_due(&t, INT64_MAX));
	timers_finish(&t);
}

TEST(test_cancelling_what_is_not_set_is_fine)
{
	struct timers t = {0};
	struct timer one = {0};
	timers_cancel(&t, &one);
	assert_null(timers_due(&t, INT64_MAX));
	timers_finish(&t);
}

TEST(test_without_memory_reserving_says_so_and_keeps_what_there_is)
{
	struct timers t = {0};
	struct timer one = {0};
	assert_true(timers_reserve(&t, 1));
	timers_set(&t, &one, 10);
	heap_fail_nth(0, false);
	assert_false(timers_reserve(&t, 100000));
	heap_fail_never();
	assert_int_equal(timers_next(&t), 10);
	assert_ptr_equal(timers_due(&t, 10), &one);
	timers_finish(&t);
}
