/*
 * frame_rate.h - limits the frame rate: a frame is drawn at once after a pause, but at
 * most FRAME_RATE_FRAMES_A_SECOND are drawn per second.
 *
 * Pure; times are in ms of any monotonic clock.
 *
 * Life: a zeroed struct.
 */
#ifndef CLIENT_TUI_CURSES_FRAME_RATE_H
#define CLIENT_TUI_CURSES_FRAME_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAME_RATE_FRAMES_A_SECOND = 60 };

struct frame_rate {
	bool has_begun; /* a frame was drawn */
	uint64_t frame_ms; /* the time of the last one */
};

/* The time in ms until the next frame may be drawn; 0: now. */
uint64_t frame_rate_wait_ms(const struct frame_rate *p, uint64_t now_ms);
/* A frame is drawn now. */
void frame_rate_take(struct frame_rate *p, uint64_t now_ms);

#endif
