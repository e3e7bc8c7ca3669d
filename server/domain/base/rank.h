/*
 * rank.h - places in a list that are keys: strings that sort as the list does.
 *
 * A new place between two others is found without touching them, so two moves
 * of entries at once never overwrite each other.
 */
#ifndef SERVER_DOMAIN_BASE_RANK_H
#define SERVER_DOMAIN_BASE_RANK_H

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

/*
 * Put an element that is in no list into a utlist that is in the order of ranks, in front of `later`, at the end
 * where that is NULL, and give it a rank there. is_renumbered: all others have new ranks, in the same order.
 * @other  a cursor of the list's type. For users of utlist.h.
 */
#define RANK_INSERT(list, element, later, other, is_renumbered)                                    \
	do {                                                                                       \
		const struct rank *left_ = (list) == (later) ? NULL                                \
					   : (later) == NULL ? &(list)->prev->rank                 \
							     : &(later)->prev->rank;               \
		const struct rank *right_ = (later) == NULL ? NULL : &(later)->rank;               \
		size_t nth_ = 0;                                                                   \
		(is_renumbered) = !rank_between(left_, right_, &(element)->rank);                  \
		DL_FOREACH ((is_renumbered) ? (list) : NULL, other) {                              \
			(other)->rank = rank_nth(nth_++);                                          \
		}                                                                                  \
		if (is_renumbered) {                                                               \
			(void)rank_between(left_, right_, &(element)->rank); /* there is room now */ \
		}                                                                                  \
		DL_PREPEND_ELEM(list, later, element);                                             \
	} while (0)

#endif
