/*
 * rendezvous.c - see rendezvous.h.
 */
#include "server/core/cluster/rendezvous.h"

/* Each bit of x changes about half of the bits of the result: the finaliser of SplitMix64. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint64_t weight(uint64_t node, unsigned bucket)
{
	return mix(node ^ mix(bucket + UINT64_C(0x9e3779b97f4a7c15)));
}

/* Weights of one bucket are equal only for one node: mix() is a bijection. */
uint64_t rendezvous_home(const uint64_t *nodes, size_t n, unsigned bucket)
{
	uint64_t home = 0;
	uint64_t heaviest = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t w = weight(nodes[i], bucket);
		if (home == 0 || w > heaviest) {
			home = nodes[i];
			heaviest = w;
		}
	}
	return home;
}
