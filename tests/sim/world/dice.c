/*
 * dice.c - the simulator's own randomness (splitmix64), and its hash.
 */
#include "tests/sim/world/dice.h"

uint64_t dice_u64(struct dice *d)
{
	d->state += 0x9e3779b97f4a7c15u;
	uint64_t z = d->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint32_t dice_below(struct dice *d, uint32_t n)
{
	return n == 0 ? 0 : (uint32_t)(((dice_u64(d) >> 32) * n) >> 32);
}

int64_t dice_between(struct dice *d, int64_t from, int64_t to)
{
	return from + (int64_t)dice_below(d, (uint32_t)(to - from + 1));
}

bool dice_permille(struct dice *d, unsigned permille)
{
	return dice_below(d, 1000) < permille;
}

void dice_bytes(struct dice *d, void *out, size_t len)
{
	unsigned char *p = out;
	for (size_t i = 0; i < len; i++) {
		p[i] = (unsigned char)dice_u64(d);
	}
}

uint64_t sim_hash(uint64_t h, const void *data, size_t len)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < len; i++) {
		h = (h ^ p[i]) * 1099511628211u;
	}
	return h;
}

uint64_t sim_hash_u64(uint64_t h, uint64_t value)
{
	return (h ^ value) * 1099511628211u + (h >> 29);
}
