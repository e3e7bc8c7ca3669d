/*
 * points.c - see points.h.
 */
#include "server/domain/question/points.h"

#include <string.h>

#include "proto/base/format.h"

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS	  (60 * MINUTE_MS)
#define DAY_MS	  (24 * HOUR_MS)

enum {
	LONG_TEXT_CHARS = 100,
	QUICK_MINUTES = 5, /* after one's notification */
	EARLY_MINUTES = 2, /* after the question was asked */
	SPEEDY_SECONDS = 30,
	NIGHT_HOURS = 6, /* from midnight */
};

/* What a streak earns on the day that it reaches so many days. */
static const struct {
	int64_t days, points;
} streaks[] = {{3, 10}, {7, 25}, {30, 100}, {100, 500}};

/* A badge is earned when that counter of the item reaches `need`. */
static const struct badge {
	const char *id, *name;
	size_t counter;
	int64_t need;
} badges[] = {
#define COUNTER(member) offsetof(struct stats_item, member)
	{"first_steps", "First steps", COUNTER(total_answers), 1},
	{"getting_started", "Getting started", COUNTER(total_answers), 10},
	{"century", "Century", COUNTER(total_answers), 100},
	{"veteran", "Veteran", COUNTER(total_answers), 500},
	{"legend", "Legend", COUNTER(total_answers), 1000},
	{"on_a_roll", "On a roll", COUNTER(streak_days), 3},
	{"week_warrior", "Week warrior", COUNTER(streak_days), 7},
	{"monthly_maven", "Monthly maven", COUNTER(streak_days), 30},
	{"centurion", "Centurion", COUNTER(streak_days), 100},
	{"tech_expert", "Tech expert", COUNTER(answers_by_category.technical), 25},
	{"product_pro", "Product pro", COUNTER(answers_by_category.product), 25},
	{"ethics_advocate", "Ethics advocate", COUNTER(answers_by_category.ethics), 25},
	{"creative_mind", "Creative mind", COUNTER(answers_by_category.creative), 25},
	{"generalist", "Generalist", COUNTER(answers_by_category.general), 25},
	{"early_bird", "Early bird", COUNTER(early_answers), 1},
	{"night_owl", "Night owl", COUNTER(night_answers), 10},
	{"speed_demon", "Speed demon", COUNTER(speedy_answers), 5},
	{"confident", "Confident", COUNTER(confident_answers), 10},
#undef COUNTER
};
enum { BADGES = sizeof(badges) / sizeof(badges[0]) };
_Static_assert(BADGES <= BADGES_MAX, "an item holds all of them");

/* ---- dates ---- */

/* The day of a time, counted from the epoch: rounded down, before it too. */
static int64_t day_of(int64_t ms)
{
	return ms / DAY_MS - (ms % DAY_MS < 0 ? 1 : 0);
}

/* Of the person's clock. */
static int64_t local_ms(int64_t wall_ms, int64_t utc_offset_minutes)
{
	return wall_ms + utc_offset_minutes * MINUTE_MS;
}

/*
 * The Gregorian date. Years are taken to begin in March, so that a leap day is the
 * last of its year; 400 of them, an era, have always as many days.
 */
static struct points_date date_of(int64_t day)
{
	enum { DAYS_TO_MARCH_0000 = 719468, ERA_DAYS = 146097, YEAR_DAYS = 365 };
	struct points_date date;
	int64_t from_march = day + DAYS_TO_MARCH_0000;
	int64_t era = (from_march >= 0 ? from_march : from_march - ERA_DAYS + 1) / ERA_DAYS;
	int64_t in_era = from_march - era * ERA_DAYS;
	int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / YEAR_DAYS;
	int64_t in_year = in_era - (year * YEAR_DAYS + year / 4 - year / 100);
	int64_t month = (5 * in_year + 2) / 153; /* 0 is March */
	int64_t month_day = in_year - (153 * month + 2) / 5 + 1;
	(void)format_to(date.text, sizeof(date.text), "%04lld-%02d-%02d",
			(long long)(year + era * 400 + (month >= 10 ? 1 : 0)),
			(int)(month < 10 ? month + 3 : month - 9), (int)month_day);
	return date;
}

struct points_date points_day(int64_t wall_ms)
{
	return date_of(day_of(wall_ms));
}

struct points_date points_week(int64_t wall_ms)
{
	int64_t day = day_of(wall_ms);
	int64_t from_monday = ((day + 3) % 7 + 7) % 7; /* the epoch was a Thursday */
	return date_of(day - from_monday);
}

/* True where the text was an earlier date, and becomes that one. */
static bool date_advance(struct slice *text, const struct points_date *date, struct arena *arena,
			 bool *ok)
{
	if (slice_cmp(slice_str(date->text), *text) <= 0) {
		return false;
	}
	*text = arena_copy(arena, slice_str(date->text), ok);
	return true;
}

/* ---- the streak ---- */

/* Count the day of an answer; the points where it reaches a length that has some. */
static int64_t streak_extend(const struct points_answer *a, struct stats_item *stats,
			     struct arena *arena, bool *ok)
{
	int64_t day = day_of(local_ms(a->wall_ms, a->utc_offset_minutes));
	struct points_date today = date_of(day);
	struct points_date yesterday = date_of(day - 1);
	bool goes_on = slice_eq(stats->streak_last_date, slice_str(yesterday.text));
	if (!date_advance(&stats->streak_last_date, &today, arena, ok)) {
		return 0;
	}
	stats->streak_days = goes_on ? stats->streak_days + 1 : 1;
	for (size_t i = 0; i < sizeof(streaks) / sizeof(streaks[0]); i++) {
		if (streaks[i].days == stats->streak_days) {
			return streaks[i].points;
		}
	}
	return 0;
}

int64_t points_streak(const struct stats_item *stats, int64_t wall_ms, int64_t utc_offset_minutes)
{
	struct points_date yesterday = date_of(day_of(local_ms(wall_ms, utc_offset_minutes)) - 1);
	bool goes_on = slice_cmp(stats->streak_last_date, slice_str(yesterday.text)) >= 0;
	return goes_on ? stats->streak_days : 0;
}

/* ---- badges ---- */

static int64_t badge_have(const struct badge *badge, const struct stats_item *stats)
{
	int64_t have;
	memcpy(&have, (const char *)stats + badge->counter, sizeof(have));
	return have;
}

static bool badge_is_earned(const struct badge *badge, const struct stats_item *stats)
{
	for (size_t i = 0; i < stats->badges_n; i++) {
		if (slice_eq(stats->badges[i].id, slice_str(badge->id))) {
			return true;
		}
	}
	return false;
}

/* Those whose counters are high enough, once each. */
static bool badges_give(const struct points_answer *a, struct stats_item *stats,
			struct arena *arena, struct question_answer_result *result)
{
	struct badge_item *all = arena_alloc(arena, (stats->badges_n + BADGES) * sizeof(*all));
	struct badge_view *fresh = arena_alloc(arena, BADGES * sizeof(*fresh));
	if (all == NULL || fresh == NULL) {
		return false;
	}
	for (size_t i = 0; i < stats->badges_n; i++) {
		all[i] = stats->badges[i];
	}
	stats->badges = all;
	result->new_badges = fresh;
	for (const struct badge *b = badges; b < badges + BADGES; b++) {
		if (badge_have(b, stats) < b->need || badge_is_earned(b, stats)) {
			continue;
		}
		all[stats->badges_n++] =
			(struct badge_item){.id = slice_str(b->id), .earned_at = a->wall_ms};
		fresh[result->new_badges_n++] = (struct badge_view){.id = slice_str(b->id),
								    .name = slice_str(b->name),
								    .earned_at = a->wall_ms};
	}
	return true;
}

/* The one of which the greatest part is done; of equal ones the first of the table. False where all are earned. */
static bool badge_next(const struct stats_item *stats, struct badge_progress *next)
{
	bool is_found = false;
	for (const struct badge *b = badges; b < badges + BADGES; b++) {
		int64_t have = badge_have(b, stats);
		if (badge_is_earned(b, stats) ||
		    (is_found && have * next->need <= next->have * b->need)) {
			continue;
		}
		is_found = true;
		*next = (struct badge_progress){.id = slice_str(b->id),
						.name = slice_str(b->name),
						.have = have < b->need ? have : b->need,
						.need = b->need};
	}
	return is_found;
}

size_t points_badges(const struct stats_item *stats, struct badge_view *out)
{
	size_t n = 0;
	for (size_t i = 0; i < stats->badges_n; i++) {
		const struct badge_item *earned = &stats->badges[i];
		for (const struct badge *b = badges; b < badges + BADGES; b++) {
			if (slice_eq(earned->id, slice_str(b->id))) {
				out[n++] = (struct badge_view){.id = earned->id,
							       .name = slice_str(b->name),
							       .earned_at = earned->earned_at};
			}
		}
	}
	return n;
}

/* ---- an answer ---- */

/* The time is that, or later by so much at most. */
static bool is_within(int64_t time, int64_t from, int64_t ms)
{
	return time >= from && time - from <= ms;
}

/* It counts, whether it earns anything or not. */
static bool count_answer(const struct points_answer *a, struct stats_item *stats,
			 struct arena *arena)
{
	struct points_date today = points_day(a->wall_ms);
	struct points_date monday = points_week(a->wall_ms);
	bool ok = true;
	stats->leaderboard = POINTS_LEADERBOARD;
	if (date_advance(&stats->day, &today, arena, &ok)) {
		stats->day_points = 0;
		stats->day_answers = 0;
		stats->day_capped = 0;
	}
	if (date_advance(&stats->week, &monday, arena, &ok)) {
		stats->week_points = 0;
		stats->week_answers = 0;
	}
	int64_t *const by_category[] = {
		[AUDIENCE_TECHNICAL] = &stats->answers_by_category.technical,
		[AUDIENCE_PRODUCT] = &stats->answers_by_category.product,
		[AUDIENCE_ETHICS] = &stats->answers_by_category.ethics,
		[AUDIENCE_CREATIVE] = &stats->answers_by_category.creative,
		[AUDIENCE_GENERAL] = &stats->answers_by_category.general,
	};
	++*by_category[a->category];
	stats->total_answers++;
	stats->week_answers++;
	stats->day_answers++;
	return ok;
}

bool points_give(const struct points_answer *a, struct stats_item *stats, struct arena *arena,
		 struct question_answer_result *result)
{
	bool ok = count_answer(a, stats, arena);
	result->points = arena_alloc(arena, WORDS_COUNT(point_reason) * sizeof(*result->points));
	if (!ok || result->points == NULL) {
		return false;
	}
	if (!a->is_fast) {
		int64_t day_ms = local_ms(a->wall_ms, a->utc_offset_minutes);
		day_ms -= day_of(day_ms) * DAY_MS;
		stats->night_answers += day_ms < NIGHT_HOURS * HOUR_MS;
		stats->early_answers +=
			is_within(a->wall_ms, a->created_on, EARLY_MINUTES * MINUTE_MS);
		stats->speedy_answers += a->response_time_ms >= 0 &&
					 a->response_time_ms < SPEEDY_SECONDS * SECOND_MS;
		stats->confident_answers += a->confidence == MAX_QUESTION_CONFIDENCE;

		int64_t streak_points = streak_extend(a, stats, arena, &ok);
		const struct {
			int64_t points;
			bool is_earned;
		} reasons[] = {
			[POINTS_TEXT] = {10, a->type == QUESTION_TEXT},
			[POINTS_CHOICE] = {5, a->type == QUESTION_CHOICE},
			[POINTS_CONFIDENCE] = {2, a->confidence > 0},
			[POINTS_LONG_TEXT] = {5, a->type == QUESTION_TEXT &&
							 a->chars > LONG_TEXT_CHARS},
			[POINTS_QUICK] = {3, a->notified_at > 0 &&
						     is_within(a->wall_ms, a->notified_at,
							       QUICK_MINUTES * MINUTE_MS)},
			[POINTS_EARLY] = {5, 2 * a->current_responses < a->required_responses},
			[POINTS_STREAK] = {streak_points, streak_points > 0},
		};
		int64_t sum = 0;
		for (int reason = 0; reason < WORDS_COUNT(point_reason); reason++) {
			if (reasons[reason].is_earned) {
				result->points[result->points_n++] =
					(struct point_view){.reason = (enum point_reason)reason,
							    .points = reasons[reason].points};
				sum += reasons[reason].points;
			}
		}
		int64_t capped = sum - streak_points;
		int64_t left = MAX_POINTS_PER_DAY - stats->day_capped;
		capped = capped < left ? capped : left;
		stats->day_capped += capped;
		result->points_earned = capped + streak_points;
		stats->total_points += result->points_earned;
		stats->week_points += result->points_earned;
		stats->day_points += result->points_earned;
		ok = badges_give(a, stats, arena, result) && ok;
		result->with_next_badge = badge_next(stats, &result->next_badge);
	}
	result->total_points = stats->total_points;
	result->streak_days = points_streak(stats, a->wall_ms, a->utc_offset_minutes);
	return ok;
}
