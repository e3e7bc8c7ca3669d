/*
 * timers.c - the heap behind timers.h. Equal times keep no order among themselves
 * beyond what the sequence of calls makes of it, which is the same in every run.
 */
#include "server/core/timers.h"

#include <stdlib.h>

#include "proto/base/assert.h"

void timers_finish(struct timers *t)
{
	free(t->heap);
	*t = (struct timers){0};
}

bool timers_reserve(struct timers *t, size_t owners)
{
	if (owners <= t->capacity) {
		return true;
	}
	if (owners >= UINT32_MAX / 2) {
		return false;
	}
	size_t capacity = t->capacity == 0 ? 64 : t->capacity * 2;
	capacity = capacity < owners ? owners : capacity;
	struct timer **heap = realloc(t->heap, capacity * sizeof(struct timer *));
	if (heap == NULL) {
		return false;
	}
	t->heap = heap;
	t->capacity = capacity;
	return true;
}

static void timers_put(struct timers *t, size_t at, struct timer *timer)
{
	t->heap[at] = timer;
	timer->place = (uint32_t)at + 1;
}

static void timers_up(struct timers *t, size_t at)
{
	struct timer *timer = t->heap[at];
	while (at > 0 && t->heap[(at - 1) / 2]->due_ms > timer->due_ms) {
		timers_put(t, at, t->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	timers_put(t, at, timer);
}

static void timers_down(struct timers *t, size_t at)
{
	struct timer *timer = t->heap[at];
	for (;;) {
		size_t child = 2 * at + 1;
		if (child + 1 < t->n && t->heap[child + 1]->due_ms < t->heap[child]->due_ms) {
			child++;
		}
		if (child >= t->n || t->heap[child]->due_ms >= timer->due_ms) {
			break;
		}
		timers_put(t, at, t->heap[child]);
		at = child;
	}
	timers_put(t, at, timer);
}

void timers_set(struct timers *t, struct timer *timer, int64_t due_ms)
{
	if (timer->place == 0) {
		ASSERT_CMP(t->n, <, t->capacity);
		timer->due_ms = due_ms;
		timers_put(t, t->n++, timer);
		timers_up(t, t->n - 1);
		return;
	}
	timer->due_ms = due_ms;
	timers_up(t, timer->place - 1);
	timers_down(t, timer->place - 1);
}

void timers_set_earlier(struct timers *t, struct timer *timer, int64_t due_ms)
{
	if (timer->place == 0 || due_ms < timer->due_ms) {
		timers_set(t, timer, due_ms);
	}
}

void timers_cancel(struct timers *t, struct timer *timer)
{
	if (timer->place == 0) {
		return;
	}
	size_t at = timer->place - 1;
	struct timer *last = t->heap[--t->n];
	timer->place = 0;
	if (last != timer) {
		timers_put(t, at, last);
		timers_up(t, at);
		timers_down(t, last->place - 1);
	}
}

int64_t timers_next(const struct timers *t)
{
	return t->n == 0 ? INT64_MAX : t->heap[0]->due_ms;
}

struct timer *timers_due(struct timers *t, int64_t now_ms)
{
	if (t->n == 0 || t->heap[0]->due_ms > now_ms) {
		return NULL;
	}
	struct timer *timer = t->heap[0];
	timers_cancel(t, timer);
	return timer;
}
