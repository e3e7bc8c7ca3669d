/*
 * points.h - what an answer earns: points, days of a streak, badges.
 *
 * Pure functions on a person's STATS item, which question_answer.c reads and writes in the
 * transaction of the answer. The tables of reasons, streaks and badges are in points.c. Points
 * are for answering, never for agreeing with others: the content of answers is not used here.
 *
 * There are two calendars. The cap and the boards use UTC days and weeks, the same for everyone;
 * streaks and nights use the person's own days, by the UTC offset that their client has sent. In
 * both, dates never go back: if the clock was set back, or the offset differs from that of the
 * last answer, an earlier date is replaced by the latest one, so that no day counts twice.
 */
#ifndef SERVER_DOMAIN_QUESTION_POINTS_H
#define SERVER_DOMAIN_QUESTION_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "store/items.h"

/* Value of stats_item.leaderboard: all items are in this partition of the all-time board. */
#define POINTS_LEADERBOARD SLICE("_leaderboard")

/* The properties of an answer that points depend on. Times are wall ms. */
struct points_answer {
	int64_t wall_ms;
	int64_t utc_offset_minutes; /* of the person's clock */
	enum question_type type;
	enum audience category;	    /* of the question */
	size_t chars;		    /* of a text answer */
	int64_t confidence;	    /* 0: not given */
	int64_t created_on;	    /* of the question */
	int64_t current_responses;  /* responses the question had before */
	int64_t required_responses;
	int64_t notified_at;	    /* when the person was notified of the question; 0: never */
	/* since the person first read the question; negative: not known */
	int64_t response_time_ms;
	bool is_fast;		    /* the answer is counted but earns nothing */
};

/*
 * Count an answer and add what it earns.
 *
 * @stats   the person's item, zeroed if they have none yet; afterwards its texts and lists may be
 *          in the arena.
 * @result  gets points_earned, points, new_badges, total_points, streak_days, and next_badge
 *          unless the answer is fast.
 *
 * Returns false if memory is out: neither may be used then.
 */
bool points_give(const struct points_answer *a, struct stats_item *stats, struct arena *arena,
		 struct question_answer_result *result);

/* Return the current streak: 0 after a missed day. */
int64_t points_streak(const struct stats_item *stats, int64_t wall_ms, int64_t utc_offset_minutes);

/*
 * Write the person's badges to `out`, without those that no table has any more: at most badges_n.
 * Returns their number.
 */
size_t points_badges(const struct stats_item *stats, struct badge_view *out);

/* A date as text; texts sort as the dates do. */
struct points_date {
	char text[24]; /* 2026-11-23 */
};
/* Return the UTC day, and the Monday of the UTC week. */
struct points_date points_day(int64_t wall_ms);
struct points_date points_week(int64_t wall_ms);

#endif
