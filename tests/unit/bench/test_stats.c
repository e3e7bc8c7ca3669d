/*
 * test_stats.c - the histogram and the medians that the benchmark's table is made of.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/stats.h"
#include "tests/support/test.h"

/* Exact below 256, within 1 part in 128 above. */
static void assert_near(uint64_t got, uint64_t value)
{
	assert_true(got >= value);
	assert_true(got - value <= value / 128);
}

TEST(test_small_values_are_kept_exactly)
{
	static struct quantiles h;
	memset(&h, 0, sizeof(h));
	for (uint64_t i = 1; i <= 200; i++) {
		quantiles_add(&h, i);
	}
	assert_int_equal(h.n, 200);
	assert_int_equal(quantiles_at(&h, 0.5), 100);
	assert_int_equal(quantiles_at(&h, 0.99), 198);
	assert_int_equal(quantiles_at(&h, 1), 200);
	assert_int_equal(quantiles_at(&h, 0.000001), 1);
}

TEST(test_every_size_is_known_within_a_128th)
{
	static struct quantiles h;
	for (uint64_t value = 1; value < UINT64_MAX / 3; value = value * 2 + value / 7 + 1) {
		memset(&h, 0, sizeof(h));
		quantiles_add(&h, value);
		assert_near(quantiles_at(&h, 0.5), value);
	}
}

TEST(test_the_largest_value_has_a_place)
{
	static struct quantiles h;
	memset(&h, 0, sizeof(h));
	quantiles_add(&h, UINT64_MAX);
	quantiles_add(&h, 0);
	assert_int_equal(quantiles_at(&h, 0.5), 0);
	assert_int_equal(quantiles_at(&h, 1), UINT64_MAX);
}

TEST(test_the_tail_is_seen_where_it_begins)
{
	static struct quantiles h;
	memset(&h, 0, sizeof(h));
	for (int i = 0; i < 999; i++) {
		quantiles_add(&h, 1000);
	}
	quantiles_add(&h, 5000000);
	assert_near(quantiles_at(&h, 0.5), 1000);
	assert_near(quantiles_at(&h, 0.999), 1000);
	assert_near(quantiles_at(&h, 0.9995), 5000000);
}

TEST(test_nothing_recorded_is_zero)
{
	static struct quantiles h;
	memset(&h, 0, sizeof(h));
	assert_int_equal(quantiles_at(&h, 0.5), 0);
}

TEST(test_the_median_is_the_middle_one)
{
	double odd[] = {9, 1, 5};
	double even[] = {4, 1, 3, 2};
	double one[] = {7};
	assert_true(stats_median(odd, 3) == 5);
	assert_true(stats_median(even, 4) == 2.5);
	assert_true(stats_median(one, 1) == 7);
	assert_true(stats_least(odd, 3) == 1);
	assert_true(stats_most(odd, 3) == 9);
}
