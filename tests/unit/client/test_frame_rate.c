/*
 * test_frame_rate.c - how often the screen is drawn, on a clock that the test drives.
 */
#include "client/tui/curses/frame_rate.h"
#include "tests/support/test.h"

TEST(test_the_first_change_is_drawn_at_once_and_so_is_one_after_a_rest)
{
	struct frame_rate p = {0};
	assert_int_equal(frame_rate_wait_ms(&p, 0), 0);
	frame_rate_take(&p, 0);
	assert_true(frame_rate_wait_ms(&p, 0) > 0);
	assert_int_equal(frame_rate_wait_ms(&p, 1000), 0);
}

/* A loop as the terminal program has it: a change asks for a frame unless one is due already. */
static unsigned count_frames(unsigned changes, uint64_t change_every_us)
{
	struct frame_rate p = {0};
	unsigned frames = 0;
	uint64_t due_ms = UINT64_MAX;
	for (unsigned i = 0; i < changes; i++) {
		uint64_t now_ms = i * change_every_us / 1000;
		if (due_ms <= now_ms) {
			frame_rate_take(&p, due_ms);
			frames++;
			due_ms = UINT64_MAX;
		}
		if (due_ms == UINT64_MAX) {
			due_ms = now_ms + frame_rate_wait_ms(&p, now_ms);
		}
	}
	return frames + 1; /* the one that is still due */
}

TEST(test_a_burst_of_a_thousand_changes_costs_at_most_sixty_frames_a_second)
{
	static const uint64_t every_us[] = {0, 1, 100, 500, 1000, 5000, 16000, 16667};
	for (size_t i = 0; i < sizeof(every_us) / sizeof(every_us[0]); i++) {
		uint64_t span_us = 1000 * every_us[i];
		unsigned frames = count_frames(1000, every_us[i]);
		assert_in_range(frames, 1, FRAME_RATE_FRAMES_A_SECOND * span_us / 1000000 + 2);
	}
}

TEST(test_what_is_slower_than_the_pace_is_drawn_every_time)
{
	assert_in_range(count_frames(1000, 20000), 999, 1000);
}
