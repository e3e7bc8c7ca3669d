/*
 * test_stats.c - the histogram and the medians that the benchmark's table is made of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/bench/stats.h"

/* Exact below 256, within 1 part in 128 above. */
static void assert_near(uint64_t got, uint64_t value)
{
	assert_true(got >= value);
	assert_true(got - value <= value / 128);
}

static void test_small_values_are_kept_exactly(void **state)
{
	static struct histogram h;
	(void)state;
	memset(&h, 0, sizeof(h));
	for (uint64_t i = 1; i <= 200; i++) {
		histogram_add(&h, i);
	}
	assert_int_equal(h.n, 200);
	assert_int_equal(histogram_at(&h, 0.5), 100);
	assert_int_equal(histogram_at(&h, 0.99), 198);
	assert_int_equal(histogram_at(&h, 1), 200);
	assert_int_equal(histogram_at(&h, 0.000001), 1);
}

static void test_every_size_is_known_within_a_128th(void **state)
{
	static struct histogram h;
	(void)state;
	for (uint64_t value = 1; value < UINT64_MAX / 3; value = value * 2 + value / 7 + 1) {
		memset(&h, 0, sizeof(h));
		histogram_add(&h, value);
		assert_near(histogram_at(&h, 0.5), value);
	}
}

static void test_the_largest_value_has_a_place(void **state)
{
	static struct histogram h;
	(void)state;
	memset(&h, 0, sizeof(h));
	histogram_add(&h, UINT64_MAX);
	histogram_add(&h, 0);
	assert_int_equal(histogram_at(&h, 0.5), 0);
	assert_int_equal(histogram_at(&h, 1), UINT64_MAX);
}

static void test_the_tail_is_seen_where_it_begins(void **state)
{
	static struct histogram h;
	(void)state;
	memset(&h, 0, sizeof(h));
	for (int i = 0; i < 999; i++) {
		histogram_add(&h, 1000);
	}
	histogram_add(&h, 5000000);
	assert_near(histogram_at(&h, 0.5), 1000);
	assert_near(histogram_at(&h, 0.999), 1000);
	assert_near(histogram_at(&h, 0.9995), 5000000);
}

static void test_nothing_recorded_is_zero(void **state)
{
	static struct histogram h;
	(void)state;
	memset(&h, 0, sizeof(h));
	assert_int_equal(histogram_at(&h, 0.5), 0);
}

static void test_the_median_is_the_middle_one(void **state)
{
	double odd[] = {9, 1, 5};
	double even[] = {4, 1, 3, 2};
	double one[] = {7};
	(void)state;
	assert_true(stats_median(odd, 3) == 5);
	assert_true(stats_median(even, 4) == 2.5);
	assert_true(stats_median(one, 1) == 7);
	assert_true(stats_least(odd, 3) == 1);
	assert_true(stats_most(odd, 3) == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_values_are_kept_exactly),
		cmocka_unit_test(test_every_size_is_known_within_a_128th),
		cmocka_unit_test(test_the_largest_value_has_a_place),
		cmocka_unit_test(test_the_tail_is_seen_where_it_begins),
		cmocka_unit_test(test_nothing_recorded_is_zero),
		cmocka_unit_test(test_the_median_is_the_middle_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
