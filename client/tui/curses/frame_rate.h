/*
 * frame_rate.h - how often the screen is drawn anew: at once when it was still, and
 * never more than FRAME_RATE_FRAMES_A_SECOND times a second, whatever happens.
 *
 * Pure; times are ms of any clock that does not go back.
 *
 * Life: a zeroed struct.
 */
#ifndef CLIENT_TUI_CURSES_FRAME_RATE_H
#define CLIENT_TUI_CURSES_FRAME_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAME_RATE_FRAMES_A_SECOND = 60 };

struct frame_rate {
	bool has_begun; /* a frame was made */
	uint64_t frame_ms; /* the last one */
};

/* In how many ms the next frame may be made; 0: now. */
uint64_t frame_rate_wait_ms(const struct frame_rate *p, uint64_t now_ms);
/* A frame is made now. */
void frame_rate_take(struct frame_rate *p, uint64_t now_ms);

#endif
