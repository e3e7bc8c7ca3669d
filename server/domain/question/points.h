/*
 * points.h - what an answer earns: points, days of a streak, badges.
 *
 * Pure functions on a person's STATS item, which question_answer.c reads and writes
 * in the transaction of the answer. The tables of reasons, streaks and badges are in
 * points.c. Points are for answering, never for agreeing with others: nothing here
 * knows what was answered, by this person or by anybody else.
 *
 * Two calendars. The cap and the boards go by UTC days and weeks, the same for all;
 * streaks and nights go by the person's own days, UTC and the offset that their
 * client has named. In both a date never goes back: where the clock was set back, or the
 * offset is another than at the last answer, an earlier date is taken for the latest
 * one, so that no day counts twice.
 */
#ifndef SERVER_DOMAIN_QUESTION_POINTS_H
#define SERVER_DOMAIN_QUESTION_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "store/items.h"

/* stats_item.leaderboard: all items are in this partition of the board of all time. */
#define POINTS_LEADERBOARD SLICE("_leaderboard")

/* An answer as far as points depend on it. Times are wall ms. */
struct points_answer {
	int64_t wall_ms;
	int64_t utc_offset_minutes; /* of the person's clock */
	enum question_type type;
	enum audience category;	    /* of the question */
	size_t chars;		    /* of an answer in words */
	int64_t confidence;	    /* 0: not given */
	int64_t created_on;	    /* of the question */
	int64_t current_responses;  /* that the question had before */
	int64_t required_responses;
	int64_t notified_at;	    /* when the person was notified of the question; 0: never */
	int64_t response_time_ms;   /* since they first read it; negative: not known */
	bool is_fast;		    /* it counts among their answers, and earns nothing */
};

/*
 * Count an answer and give what it earns.
 *
 * @stats   the person's item, zeroed where they have none yet; its texts and lists may be in the arena then.
 * @result  gets points_earned, points, new_badges, total_points, streak_days, and unless it is fast next_badge.
 * False where memory is out: neither may be used.
 */
bool points_give(const struct points_answer *a, struct stats_item *stats, struct arena *arena,
		 struct question_answer_result *result);

/* The streak as it is now: 0 once a day was missed. */
int64_t points_streak(const struct stats_item *stats, int64_t wall_ms, int64_t utc_offset_minutes);

/* Badges as they are shown, those that no table names any more left out: at most badges_n, in `out`. Returns how many. */
size_t points_badges(const struct stats_item *stats, struct badge_view *out);

/* A date as text, which sorts as dates do. */
struct points_date {
	char text[24]; /* 2026-11-23 */
};
/* The UTC day, and the Monday of the UTC week. */
struct points_date points_day(int64_t wall_ms);
struct points_date points_week(int64_t wall_ms);

#endif
