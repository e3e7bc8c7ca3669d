/*
 * session_summary.c - see session_summary.h.
 */
#include "client/model/room/session_summary.h"

#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/deck.h"
#include "proto/text/text.h"

void session_summary_end(struct session_summary *s, const struct replica *room)
{
	s->stories = room->stories.n;
	s->estimated = 0;
	s->points = 0;
	for (size_t i = 0; i < room->stories.n; i++) {
		struct slice estimate = replica_story_at(room, i)->estimate;
		double value = 0;
		s->estimated += estimate.len > 0;
		s->points += estimate.len > 0 && card_number(estimate, &value) ? value : 0;
	}
}

/* A late vote may pull the open round apart: it is looked at whenever the room changes. */
static void session_summary_spread(struct session_summary *s, const struct replica *room,
				   const struct room_result *result)
{
	struct story_name name;
	const struct story_view *story = replica_story(room, room->room.story_id.data);
	if (!result->with_spread_steps || result->spread_steps <= s->spread_steps) {
		return;
	}
	s->spread_steps = result->spread_steps;
	(void)format_to(s->lowest, sizeof(s->lowest), "%.*s", (int)result->lowest.len,
			result->lowest.data);
	(void)format_to(s->highest, sizeof(s->highest), "%.*s", (int)result->highest.len,
			result->highest.data);
	if (story == NULL) {
		(void)format_to(s->subject, sizeof(s->subject), "round %lld",
				(long long)room->room.round);
		return;
	}
	struct slice text = slice_str(story_name(story, &name));
	size_t fits = text_fit(text, SESSION_SUMMARY_SUBJECT_CELLS);
	bool is_cut = fits < text.len;
	fits = is_cut ? text_fit(text, SESSION_SUMMARY_SUBJECT_CELLS - 1) : fits;
	(void)format_to(s->subject, sizeof(s->subject), "%.*s%s", (int)fits, text.data,
			is_cut ? "…" : "");
}

void session_summary_take(struct session_summary *s, const struct replica *room, int64_t now_ms)
{
	const struct room_result *result = replica_result(room);
	if (!room->has_state) {
		return;
	}
	if (!s->has_begun) {
		s->has_begun = true;
		s->began_ms = now_ms;
		s->revealed_round = room->room.is_revealed ? room->room.round : 0;
		if (room->room.is_revealed) {
			return;
		}
	}
	if (!room->room.is_revealed || result == NULL || result->votes == 0) {
		return;
	}
	if (room->room.round != s->revealed_round) {
		s->revealed_round = room->room.round;
		s->revealed_ms = now_ms;
		s->rounds++;
		s->again += room->room.story_round > 1;
	}
	if (s->rounds > 0) {
		session_summary_spread(s, room, result);
	}
}

void session_summary_text(const struct session_summary *s, struct buf *out)
{
	int64_t minutes = (s->revealed_ms - s->began_ms) / 60000;
	if (s->rounds == 0) {
		return;
	}
	if (s->stories > 0) {
		(void)buf_printf(out, "%zu of %zu %s estimated", s->estimated, s->stories,
				 s->stories == 1 ? "story" : "stories");
		if (s->points > 0) {
			bool is_whole = s->points == (double)(int64_t)s->points;
			(void)buf_printf(out, is_whole ? ", %.0f points" : ", %.1f points",
					 s->points);
		}
		(void)buf_printf(out, "; ");
	}
	(void)buf_printf(out, "%zu %s", s->rounds, s->rounds == 1 ? "round" : "rounds");
	if (minutes >= 60) {
		(void)buf_printf(out, " in %lld h %lld min", (long long)(minutes / 60),
				 (long long)(minutes % 60));
	} else if (minutes > 0) {
		(void)buf_printf(out, " in %lld min", (long long)minutes);
	}
	if (s->again > 0) {
		(void)buf_printf(out, ", %zu of them voted again", s->again);
	}
	(void)buf_printf(out, "\n");
	if (s->spread_steps > 0) {
		(void)buf_printf(out, "Widest spread: %s to %s on %s\n", s->lowest, s->highest,
				 s->subject);
	}
}
