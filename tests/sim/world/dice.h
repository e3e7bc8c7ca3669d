/*
 * dice.h - the simulator's own randomness: seeded, repeatable, independent of
 * the server's.
 */
#ifndef TESTS_SIM_DICE_H
#define TESTS_SIM_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

uint64_t dice_u64(struct dice *d);
/* 0 to n - 1; 0 where n is 0. */
uint32_t dice_below(struct dice *d, uint32_t n);
/* from to to, both inclusive. */
int64_t dice_between(struct dice *d, int64_t from, int64_t to);
bool dice_permille(struct dice *d, unsigned permille);
static inline bool dice_percent(struct dice *d, unsigned percent)
{
	return dice_permille(d, percent * 10);
}
void dice_bytes(struct dice *d, void *out, size_t len);

/* FNV-1a, 64 bits: to compare runs, not to protect anything. */
#define SIM_HASH_START 14695981039346656037u
uint64_t sim_hash(uint64_t h, const void *data, size_t len);
uint64_t sim_hash_u64(uint64_t h, uint64_t value);

#endif
