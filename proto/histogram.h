/*
 * histogram.h - histograms: how many values were within which bounds, and the sum of all.
 *
 * The bounds are fixed, so that adding a value costs a few comparisons and an increment, and
 * histograms of different times and servers can be added.
 *
 * Threads: one at a time; other threads get copies.
 */
#ifndef PROTO_HISTOGRAM_H
#define PROTO_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_BOUNDS 13

enum histogram_kind {
	HISTOGRAM_TIME, /* values in microseconds, bounds from 100 us to 1 s */
	HISTOGRAM_SIZE, /* values are counts, bounds from 1 to 4096 */
	HISTOGRAM_KINDS
};

/*
 * Initially zeroed. counts[i] counts values above bound i-1, up to and including bound i; the
 * last one those above all bounds.
 */
struct histogram {
	uint64_t counts[HISTOGRAM_BOUNDS + 1];
	uint64_t sum;
};

/* Ascending. */
extern const uint64_t histogram_bounds[HISTOGRAM_KINDS][HISTOGRAM_BOUNDS];
/* The bounds as text, in the unit shown to people: "0.0001" for 100 us. */
extern const char *const histogram_bound_texts[HISTOGRAM_KINDS][HISTOGRAM_BOUNDS];

static inline void histogram_add(struct histogram *h, enum histogram_kind kind, uint64_t value)
{
	size_t i = 0;
	while (i < HISTOGRAM_BOUNDS && value > histogram_bounds[kind][i]) {
		i++;
	}
	h->counts[i]++;
	h->sum += value;
}

#endif
