/*
 * timers.h - a binary heap of due times.
 *
 * Intrusive: the owner embeds a struct timer. Times are monotonic ms. Nothing
 * fires by itself; timers_due() hands out what has come due.
 */
#ifndef SERVER_CORE_TIMERS_H
#define SERVER_CORE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timer_owner { TIMER_CONN, TIMER_PARTITION };

/* A zeroed one is not set. */
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
 * Make sure there is room for one more timer. Called when an owner is created,
 * so that setting its timer later cannot fail. False when memory is out.
 */
bool timers_reserve(struct timers *t, size_t owners);

/* Set, or move to another time. */
void timers_set(struct timers *t, struct timer *timer, int64_t due_ms);
/* As timers_set(), but never later than it was. */
void timers_set_earlier(struct timers *t, struct timer *timer, int64_t due_ms);
void timers_cancel(struct timers *t, struct timer *timer);

/* The earliest due time; INT64_MAX where nothing is set. */
int64_t timers_next(const struct timers *t);
/* Take out the earliest if it is due; NULL where none is. */
struct timer *timers_due(struct timers *t, int64_t now_ms);

#endif
