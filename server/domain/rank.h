/*
 * rank.h - places in a list that are keys: strings that sort as the list does.
 *
 * A new place between two others is found without touching them, so two moves
 * of entries at once never overwrite each other.
 */
#ifndef SERVER_DOMAIN_RANK_H
#define SERVER_DOMAIN_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANK_CHARS_MAX 40

struct rank {
	char text[RANK_CHARS_MAX + 1]; /* 0-9A-Za-z, never ends in 0 */
};

/* The nth of a fresh numbering (n below 200,000), with room between neighbours. */
struct rank rank_nth(size_t n);

/*
 * A rank between two; NULL is before everything, or behind. False when they
 * have grown too close for RANK_CHARS_MAX: number the list afresh.
 */
bool rank_between(const struct rank *before, const struct rank *after, struct rank *out);

#endif
