/*
 * timers.h - a binary heap of timers.
 *
 * Intrusive: the owner embeds a struct timer. Times are monotonic ms. There are no callbacks;
 * timers_due() returns the timers that are due.
 */
#ifndef SERVER_CORE_TIMERS_H
#define SERVER_CORE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timer_owner { TIMER_CONN, TIMER_PARTITION };

/* Zeroed: not set. */
struct timer {
	int64_t due_ms;
	uint32_t place;      /* index in the heap + 1; 0: not set */
	unsigned char owner; /* enum timer_owner */
};

struct timers {
	struct timer **heap;
	size_t n;
	size_t capacity;
};

void timers_finish(struct timers *t);

/*
 * Reserve space for so many timers. Called when an owner is created, so that setting its timer
 * later cannot fail. Returns false if memory is out.
 */
bool timers_reserve(struct timers *t, size_t owners);

/* Set a timer, or change its time. */
void timers_set(struct timers *t, struct timer *timer, int64_t due_ms);
/* As timers_set(), but only to an earlier time. */
void timers_set_earlier(struct timers *t, struct timer *timer, int64_t due_ms);
void timers_cancel(struct timers *t, struct timer *timer);

/* Return the earliest due time; INT64_MAX if no timer is set. */
int64_t timers_next(const struct timers *t);
/* Remove and return the earliest timer if it is due; otherwise NULL. */
struct timer *timers_due(struct timers *t, int64_t now_ms);

#endif
