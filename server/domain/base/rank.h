/*
 * rank.h - places in a list as keys: strings that sort in the order of the list.
 *
 * A new place between two others needs no change of these, so two concurrent moves of entries
 * never overwrite each other.
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

/* Return the nth rank of a new numbering (n below 200,000), with space between neighbours. */
struct rank rank_nth(size_t n);

/*
 * Find a rank between two; NULL: before the first, or after the last. Returns false if they are
 * too close for RANK_CHARS_MAX: number the list again.
 */
bool rank_between(const struct rank *before, const struct rank *after, struct rank *out);

/*
 * Insert an element into a utlist that is sorted by rank, before `later`, or at the end if that
 * is NULL, and set its rank. is_renumbered: all other elements got new ranks, in the same order.
 *
 * @other  a variable of the element's pointer type. The including file needs utlist.h.
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
			(void)rank_between(left_, right_, &(element)->rank); /* fits now */ \
		}                                                                                  \
		DL_PREPEND_ELEM(list, later, element);                                             \
	} while (0)

#endif
