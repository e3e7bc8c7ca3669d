/*
 * pace.c - see pace.h.
 */
#include "client/tui/pace.h"

/* Rounded up: a little less often is not more often. */
enum { PACE_FRAME_MS = (1000 + PACE_FRAMES_A_SECOND - 1) / PACE_FRAMES_A_SECOND };

uint64_t pace_wait_ms(const struct pace *p, uint64_t now_ms)
{
	uint64_t since_ms = now_ms - p->frame_ms;
	return !p->has_begun || since_ms >= PACE_FRAME_MS ? 0 : PACE_FRAME_MS - since_ms;
}

void pace_take(struct pace *p, uint64_t now_ms)
{
	p->has_begun = true;
	p->frame_ms = now_ms;
}
