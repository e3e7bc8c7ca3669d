/*
 * frame_rate.c - see frame_rate.h.
 */
#include "client/tui/curses/frame_rate.h"

/* Rounded up: a little less often is not more often. */
enum { FRAME_RATE_FRAME_MS = (1000 + FRAME_RATE_FRAMES_A_SECOND - 1) / FRAME_RATE_FRAMES_A_SECOND };

uint64_t frame_rate_wait_ms(const struct frame_rate *p, uint64_t now_ms)
{
	uint64_t since_ms = now_ms - p->frame_ms;
	return !p->has_begun || since_ms >= FRAME_RATE_FRAME_MS ? 0
								: FRAME_RATE_FRAME_MS - since_ms;
}

void frame_rate_take(struct frame_rate *p, uint64_t now_ms)
{
	p->has_begun = true;
	p->frame_ms = now_ms;
}
