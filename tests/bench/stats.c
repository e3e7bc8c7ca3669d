/*
 * stats.c - histogram and medians; see stats.h.
 */
#include "tests/bench/stats.h"

#include <stdlib.h>

#define SUB_BITS 7 /* 128 buckets for each doubling */

static size_t bucket_of(uint64_t value)
{
	unsigned shift = 0;
	while (value >> shift >= (2U << SUB_BITS)) {
		shift++;
	}
	return ((size_t)shift << SUB_BITS) + (size_t)(value >> shift);
}

/* The largest value that falls into the bucket. */
static uint64_t bucket_end(size_t bucket)
{
	if (bucket < (2U << SUB_BITS)) {
		return bucket;
	}
	unsigned shift = (unsigned)(bucket >> SUB_BITS) - 1;
	uint64_t top = bucket - ((size_t)shift << SUB_BITS);
	return ((top + 1) << shift) - 1;
}

void quantiles_add(struct quantiles *h, uint64_t value)
{
	size_t bucket = bucket_of(value);
	h->counts[bucket < QUANTILES_BUCKETS ? bucket : QUANTILES_BUCKETS - 1]++;
	h->n++;
}

uint64_t quantiles_at(const struct quantiles *h, double part)
{
	double wanted = part * (double)h->n;
	uint64_t seen = 0;
	for (size_t i = 0; i < QUANTILES_BUCKETS; i++) {
		seen += h->counts[i];
		if (seen > 0 && (double)seen >= wanted) {
			return bucket_end(i);
		}
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

double stats_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double stats_least(const double *values, size_t n)
{
	double least = values[0];
	for (size_t i = 1; i < n; i++) {
		least = values[i] < least ? values[i] : least;
	}
	return least;
}

double stats_most(const double *values, size_t n)
{
	double most = values[0];
	for (size_t i = 1; i < n; i++) {
		most = values[i] > most ? values[i] : most;
	}
	return most;
}
