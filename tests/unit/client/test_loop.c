/*
 * test_loop.c - the loop of a client: it waits no longer than it may.
 */
#include "client/net/loop_uv.h"
#include "tests/support/test.h"

static bool is_never(const void *arg)
{
	(void)arg;
	return false;
}

static void on_later(uv_timer_t *timer)
{
	*(bool *)timer->data = true;
}

/* On a busy machine the time may be over before the loop looks at its descriptors for the first time. */
TEST(test_a_time_that_is_over_before_the_turn_waits_for_no_other_timer)
{
	struct loop l;
	uv_timer_t later;
	bool is_late = false;
	loop_open(&l, NULL, NULL);
	assert_int_equal(uv_timer_init(&l.uv, &later), 0);
	later.data = &is_late;
	assert_int_equal(uv_timer_start(&later, on_later, 200, 0), 0);
	assert_false(loop_run(&l, is_never, NULL, 0));
	assert_false(is_late);
	uv_close((uv_handle_t *)&later, NULL);
	loop_close(&l);
}
