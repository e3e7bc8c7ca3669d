/*
 * heap_test.h - a test that is run for every n with the nth allocation failing.
 *
 *   HEAP_TEST_IN(test_a_login_is_whole_or_none, struct desk, d, nth, desk_lay, scene_clear)
 *   {
 *           heap_fail_nth(nth, false);
 *           ...
 *           heap_fail_never();
 *
 * Each n has a scene of its own; the last is the first n of which nothing failed.
 */
#ifndef TESTS_SUPPORT_HEAP_TEST_H
#define TESTS_SUPPORT_HEAP_TEST_H

#include "tests/support/heap.h"
#include "tests/support/test.h"

#define HEAP_TRIES_MAX 100000

static inline void heap_test_run(int (*setup)(void **scene), void (*body)(void *scene, size_t nth),
				 int (*teardown)(void **scene))
{
	bool is_over = false;
	for (size_t nth = 0; !is_over; nth++) {
		void *scene = NULL;
		assert_in_range(nth, 0, HEAP_TRIES_MAX);
		setup(&scene);
		body(scene, nth);
		is_over = !heap_has_failed();
		teardown(&scene);
	}
}

#define HEAP_TEST_IN(name, type, scene, nth, setup, teardown) \
	static void name(type *scene, size_t nth);            \
	static void name##_body(void *scene_, size_t nth_)    \
	{                                                     \
		name(scene_, nth_);                           \
	}                                                     \
	static void name##_run(void **state)                  \
	{                                                     \
		(void)state;                                  \
		heap_test_run(setup, name##_body, teardown);  \
	}                                                     \
	TEST_ROW_(name, #name, name##_run, NULL, NULL)        \
	static void name(type *scene, size_t nth)

#endif
