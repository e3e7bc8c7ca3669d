/*
 * stats.h - times in a histogram, and figures of several runs.
 *
 * The histogram is log-linear: a value is known within 1 part in 128, whatever
 * its size, and recording one costs a few instructions and no memory.
 */
#ifndef TESTS_BENCH_STATS_H
#define TESTS_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

#define QUANTILES_BUCKETS (58 * 128)

/* Life: a zeroed struct; nothing to finish. */
struct quantiles {
	uint64_t n;
	uint64_t counts[QUANTILES_BUCKETS];
};

void quantiles_add(struct quantiles *h, uint64_t value);

/*
 * The smallest value that at least `part` (0 < part <= 1) of all recorded ones
 * do not exceed, rounded up to its bucket's end; 0 where nothing was recorded.
 */
uint64_t quantiles_at(const struct quantiles *h, double part);

/* Of an odd or even number of values (n > 0); sorts them. */
double stats_median(double *values, size_t n);
double stats_least(const double *values, size_t n);
double stats_most(const double *values, size_t n);

#endif
