/*
 * story_ends.c - a deadline of its own for a story that is open together with others. It is wall time,
 * which outlives a server, and runs on the monotonic clock, as the room's timer does: a clock that is set
 * moves neither.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

void room_story_set_end(struct room *r, struct story *s, int64_t seconds, int64_t wall_ms)
{
	s->text.ends_at = seconds == 0 ? 0 : wall_ms + seconds * 1000;
	s->text.with_ends_at = seconds > 0;
	s->ends_mono = 0;
	r->story_ends_mono = 0;
}

int64_t room_story_ends_at(const struct room *r, const struct room_now *now)
{
	return r->story_ends_mono == 0 ? now->mono_ms : r->story_ends_mono;
}

/* One that came to the table meanwhile is revealed there. */
static void end_story(struct room *r, struct story *s, int64_t wall_ms)
{
	room_story_set_end(r, s, 0, wall_ms);
	room_story_changed(r, s);
	if (strcmp(s->story_id, r->story_id) == 0 && !r->is_revealed && room_has_votes(r)) {
		room_reveal(r, wall_ms);
	} else if (room_story_is_open(r, s) && s->revealed.len == 0 &&
		   story_count_votes(r, s) > 0) {
		story_reveal(r, s, wall_ms);
	}
}

void room_story_ends_act(struct room *r, const struct room_now *now)
{
	const int64_t most = (int64_t)MAX_TIMER_SECONDS * 1000;
	int64_t first = INT64_MAX;
	struct story *s;
	DL_FOREACH (r->stories, s) {
		if (s->text.ends_at != 0 && s->ends_mono == 0) {
			int64_t left = s->text.ends_at - now->wall_ms;
			s->ends_mono = now->mono_ms + (left < 0 ? 0 : left > most ? most : left);
		}
		if (s->text.ends_at != 0 && s->ends_mono <= now->mono_ms) {
			end_story(r, s, now->wall_ms);
		} else if (s->text.ends_at != 0 && s->ends_mono < first) {
			first = s->ends_mono;
		}
	}
	r->story_ends_mono = first;
}
