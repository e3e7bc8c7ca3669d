/*
 * test_points.c - what an answer earns, by a table of answers of one person after another:
 * reasons, the day's cap, streaks over midnights, offsets, leap days and clocks that go back, and
 * every badge.
 */
#include "server/domain/question/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/keys/random.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

#define MINUTE_MS INT64_C(60000)
#define DAY_MS	  (1440 * MINUTE_MS)

/* ---- a calendar of its own, which counts ---- */

static bool is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int month_days(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/* "2024-02-29 23:59:59" as wall ms. */
static int64_t at(const char *text)
{
	int64_t days = 0;
	int part[6];
	for (int i = 0; i < 6; i++, text++) {
		char *end;
		part[i] = (int)strtol(text, &end, 10);
		text = end;
	}
	for (int year = 1970; year < part[0]; year++) {
		days += is_leap(year) ? 366 : 365;
	}
	for (int month = 1; month < part[1]; month++) {
		days += month_days(part[0], month);
	}
	return (((days + part[2] - 1) * 24 + part[3]) * 60 + part[4]) * MINUTE_MS +
	       part[5] * INT64_C(1000);
}

TEST(test_every_day_has_its_date_and_every_week_its_monday)
{
	char monday[40] = "1969-12-29";
	int64_t day = 0;
	for (int year = 1970; year <= 2401; year++) {
		for (int month = 1; month <= 12; month++) {
			for (int of_month = 1; of_month <= month_days(year, month); of_month++) {
				char date[40];
				(void)snprintf(date, sizeof(date), "%04d-%02d-%02d", year, month,
					       of_month);
				if (day % 7 == 4) { /* the fifth of January 1970 was one */
					strcpy(monday, date);
				}
				for (int64_t ms = 0; ms < DAY_MS; ms += DAY_MS - 1) {
					struct points_date is = points_day(day * DAY_MS + ms);
					assert_string_equal(is.text, date);
					is = points_week(day * DAY_MS + ms);
					assert_string_equal(is.text, monday);
				}
				day++;
			}
		}
	}
}

/* ---- a person ---- */

struct person {
	struct stats_item stats;
	struct question_answer_result result;
	struct arena arena;
};

static void person_finish(struct person *p)
{
	arena_finish(&p->arena);
}

static void give(struct person *p, const struct points_answer *a)
{
	p->result = (struct question_answer_result){.points_n = 0};
	assert_true(points_give(a, &p->stats, &p->arena, &p->result));
}

#define PERSON_TEST(name, p) \
	TEST_OF(name, struct person, p, (memset(p, 0, sizeof(*p))), person_finish(p))

/* An answer that earns nothing but for being a choice. */
static struct points_answer choice_at(int64_t wall_ms)
{
	return (struct points_answer){
		.wall_ms = wall_ms,
		.type = QUESTION_CHOICE,
		.category = AUDIENCE_GENERAL,
		.created_on = wall_ms - 10 * MINUTE_MS,
		.current_responses = 3,
		.required_responses = 5,
		.response_time_ms = -1,
	};
}

/* "choice 5 + early 5 = 10, 1 day: first_steps"; the sum is what was earned. */
static const char *render(const struct person *p)
{
	static char out[512];
	const struct question_answer_result *r = &p->result;
	size_t len = 0;
	for (size_t i = 0; i < r->points_n; i++) {
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s %d",
					i == 0 ? "" : " + ",
					words_text(&words_point_reason, (int)r->points[i].reason),
					(int)r->points[i].points);
	}
	len += (size_t)snprintf(out + len, sizeof(out) - len, "%s= %d, %d day%s",
				len == 0 ? "" : " ", (int)r->points_earned, (int)r->streak_days,
				r->streak_days == 1 ? "" : "s");
	for (size_t i = 0; i < r->new_badges_n; i++) {
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s %.*s", i == 0 ? ":" : "",
					(int)r->new_badges[i].id.len, r->new_badges[i].id.data);
	}
	return out;
}

/* ---- the table ---- */

/* Answers one after another; a row with `who` begins with a person who has never answered. */
#define NEW(who_, at_, offset_) .who = (who_), .at = (at_), .offset = (offset_)
#define AT(at_, offset_)	.at = (at_), .offset = (offset_)
static const struct row {
	const char *who;
	const char *at;
	int offset;
	const char *expected;
	int confidence;
	size_t text_chars; /* 0: a choice */
	int had, needs;	   /* answers of the question; 0: 3 of 5 */
	int notified_s;	   /* before the answer; 0: never */
	int asked_s;	   /* likewise; 0: ten minutes */
	int64_t read_ms;   /* 0: not known */
	bool is_fast;
} rows[] = {
	{NEW("each reason", "2026-11-23 10:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-23 10:00:00", 0), .expected = "text 10 = 10, 1 day", .text_chars = 1},
	{AT("2026-11-23 10:00:00", 0), .expected = "text 10 = 10, 1 day", .text_chars = 100},
	{AT("2026-11-23 10:00:00", 0), .expected = "text 10 + long_text 5 = 15, 1 day",
	 .text_chars = 101},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 + confidence 2 = 7, 1 day",
	 .confidence = 1},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 + quick 3 = 8, 1 day",
	 .notified_s = 300},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day", .notified_s = 301},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day", .notified_s = -1},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 + early 5 = 10, 1 day", .had = 0,
	 .needs = 1},
	{AT("2026-11-23 10:00:00", 0),
	 .expected = "choice 5 + early 5 = 10, 1 day: getting_started", .had = 1, .needs = 3},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day", .had = 2, .needs = 4},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day", .asked_s = 121},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day: early_bird",
	 .asked_s = 120},
	{NEW("all reasons at once", "2026-11-23 10:00:00", 0),
	 .expected = "text 10 + confidence 2 + long_text 5 + quick 3 + early 5 = 25, 1 day: "
		     "first_steps",
	 .text_chars = 5000, .confidence = 5, .had = 0, .needs = 5, .notified_s = 1},
	{NEW("a question asked after its answer", "2026-11-23 10:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps", .asked_s = -1},

	{NEW("fast answers earn nothing", "2026-11-23 10:00:00", 0), .expected = "= 0, 0 days",
	 .is_fast = true, .confidence = 5, .read_ms = 1999},
	{AT("2026-11-23 10:00:00", 0), .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-24 10:00:00", 0), .expected = "= 0, 1 day", .is_fast = true},
	{AT("2026-11-24 10:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-26 10:00:00", 0), .expected = "= 0, 0 days", .is_fast = true},

	{NEW("midnights", "2026-11-23 23:59:59", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-24 00:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-24 23:59:59", 0), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-25 00:00:00", 0), .expected = "choice 5 + streak 10 = 15, 3 days: on_a_roll"},
	{AT("2026-11-25 12:00:00", 0), .expected = "choice 5 = 5, 3 days"},
	{AT("2026-11-27 00:00:00", 0), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-28 00:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-29 23:00:00", 0), .expected = "choice 5 + streak 10 = 15, 3 days"},

	{NEW("a leap day", "2024-02-28 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2024-02-29 12:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{AT("2024-03-01 12:00:00", 0), .expected = "choice 5 + streak 10 = 15, 3 days: on_a_roll"},
	{NEW("a leap day without an answer", "2024-02-28 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2024-03-01 12:00:00", 0), .expected = "choice 5 = 5, 1 day"},
	{NEW("no leap day", "2023-02-28 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2023-03-01 12:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{NEW("no leap day in a century", "2100-02-28 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2100-03-01 12:00:00", 0), .expected = "choice 5 = 5, 2 days"},
	{NEW("a leap day in the fourth", "2000-02-28 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2000-03-01 12:00:00", 0), .expected = "choice 5 = 5, 1 day"},
	{NEW("the end of a year", "2026-12-31 23:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2027-01-01 01:00:00", 0), .expected = "choice 5 = 5, 2 days"},

	{NEW("a day begins fourteen hours earlier", "2026-11-23 09:59:59", 840),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-23 10:00:00", 840), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-24 09:59:59", 840), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-11-24 10:00:00", 840),
	 .expected = "choice 5 + streak 10 = 15, 3 days: on_a_roll"},
	{NEW("a day begins twelve hours later", "2026-11-23 11:59:59", -720),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-23 12:00:00", -720), .expected = "choice 5 = 5, 2 days"},
	{NEW("half an hour", "2026-11-23 18:29:59", 330),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-23 18:30:00", 330), .expected = "choice 5 = 5, 2 days"},
	{NEW("summer time is another offset", "2026-10-24 12:00:00", 120),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-10-25 12:00:00", 60), .expected = "choice 5 = 5, 2 days"},
	{AT("2026-10-25 23:30:00", 60), .expected = "choice 5 + streak 10 = 15, 3 days: on_a_roll"},
	{NEW("before the epoch, by one's clock", "1970-01-01 00:00:00", -720),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("1970-01-01 12:00:00", -720), .expected = "choice 5 = 5, 2 days"},

	{NEW("an offset that jumps counts no day twice", "2026-11-23 11:00:00", -720),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-23 11:00:00", 840), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-23 11:00:00", -720), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-23 11:00:00", 840), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-23 12:00:00", -720), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-24 10:00:00", 840), .expected = "choice 5 = 5, 2 days"},
	{NEW("a clock that was set back", "2026-11-23 12:00:00", 0),
	 .expected = "choice 5 = 5, 1 day: first_steps"},
	{AT("2026-11-20 12:00:00", 0), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-21 12:00:00", 0), .expected = "choice 5 = 5, 1 day"},
	{AT("2026-11-24 12:00:00", 0), .expected = "choice 5 = 5, 2 days"},
};
#undef AT
#undef NEW

static struct points_answer answer_of(const struct row *row)
{
	struct points_answer a = choice_at(at(row->at));
	a.utc_offset_minutes = row->offset;
	a.type = row->text_chars > 0 ? QUESTION_TEXT : QUESTION_CHOICE;
	a.chars = row->text_chars;
	a.confidence = row->confidence;
	a.is_fast = row->is_fast;
	if (row->needs > 0) {
		a.current_responses = row->had;
		a.required_responses = row->needs;
	}
	if (row->notified_s != 0) {
		a.notified_at = a.wall_ms - row->notified_s * INT64_C(1000);
	}
	if (row->asked_s != 0) {
		a.created_on = a.wall_ms - row->asked_s * INT64_C(1000);
	}
	if (row->read_ms != 0) {
		a.response_time_ms = row->read_ms;
	}
	return a;
}

PERSON_TEST(test_answers_earn_what_the_table_says, p)
{
	const char *who = "";
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct points_answer a = answer_of(&rows[i]);
		if (rows[i].who != NULL) {
			who = rows[i].who;
			p->stats = (struct stats_item){.total_points = 0};
		}
		give(p, &a);
		if (strcmp(render(p), rows[i].expected) != 0) {
			fail_msg("%s, row %zu: %s", who, i, render(p));
		}
	}
}

/* ---- the cap ---- */

PERSON_TEST(test_a_utc_day_has_five_hundred_points_and_streaks_apart, p)
{
	struct points_answer a = choice_at(at("2026-11-23 00:00:00"));
	a.type = QUESTION_TEXT;
	a.chars = 101;
	for (int i = 1; i <= 40; i++) { /* 15 each */
		give(p, &a);
		assert_int_equal(p->result.points_earned, i <= 33 ? 15 : i == 34 ? 5 : 0);
		assert_int_equal(p->result.points_n, 2);
	}
	assert_int_equal(p->stats.total_points, MAX_POINTS_PER_DAY);
	assert_int_equal(p->stats.total_answers, 40);
	for (int day = 2; day <= 3; day++) {
		a.wall_ms += DAY_MS;
		for (int i = 1; i <= 40; i++) {
			give(p, &a);
			/* The first answer of the third day brings the streak's points as well. */
			assert_int_equal(p->result.points_earned,
					 (i <= 33   ? 15
					  : i == 34 ? 5
						    : 0) +
						 (day == 3 && i == 1 ? 10 : 0));
		}
	}
	assert_int_equal(p->stats.total_points, 3 * MAX_POINTS_PER_DAY + 10);
	assert_int_equal(p->stats.day_points, MAX_POINTS_PER_DAY + 10);
	assert_int_equal(p->stats.week_points, 3 * MAX_POINTS_PER_DAY + 10);
	assert_int_equal(p->stats.day_answers, 40);
}

/* The cap goes by UTC days: neither another offset nor a clock that was set back gives a second one. */
PERSON_TEST(test_no_clock_gives_a_day_two_caps, p)
{
	struct points_answer a = choice_at(at("2026-11-24 00:00:00"));
	a.type = QUESTION_TEXT;
	for (int i = 0; i < 200; i++) {
		a.utc_offset_minutes = i % 2 == 0 ? -720 : 840;
		a.wall_ms = at(i % 3 == 0 ? "2026-11-23 23:59:59" : "2026-11-24 00:00:00");
		give(p, &a);
	}
	assert_int_equal(p->stats.total_points, 10 + MAX_POINTS_PER_DAY);
}

PERSON_TEST(test_streaks_have_points_and_badges_at_their_lengths, p)
{
	static const struct {
		int day;
		int64_t points;
		const char *badge;
	} at_days[] = {
		{3, 10, "on_a_roll"},
		{7, 25, "week_warrior"},
		{30, 100, "monthly_maven"},
		{100, 500, "centurion"},
	};
	size_t next = 0;
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	for (int day = 1; day <= 400; day++, a.wall_ms += DAY_MS) {
		give(p, &a);
		bool is_there = next < 4 && at_days[next].day == day;
		assert_int_equal(p->result.points_earned,
				 5 + (is_there ? at_days[next].points : 0));
		assert_int_equal(p->result.streak_days, day);
		if (is_there) {
			assert_non_null(strstr(render(p), at_days[next].badge));
			next++;
		}
	}
	assert_int_equal(next, 4);
}

PERSON_TEST(test_a_streak_shows_until_a_day_was_missed, p)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	give(p, &a);
	assert_int_equal(points_streak(&p->stats, at("2026-11-23 12:00:00"), 0), 1);
	assert_int_equal(points_streak(&p->stats, at("2026-11-24 23:59:59"), 0), 1);
	assert_int_equal(points_streak(&p->stats, at("2026-11-25 00:00:00"), 0), 0);
	assert_int_equal(points_streak(&p->stats, at("2026-11-25 11:59:59"), -720), 1);
	assert_int_equal(points_streak(&p->stats, at("2026-11-24 10:00:00"), 840), 0);
	assert_int_equal(points_streak(&p->stats, at("2026-11-01 00:00:00"), 0), 1);
	struct stats_item none = {.total_points = 0};
	assert_int_equal(points_streak(&none, at("2026-11-01 00:00:00"), 0), 0);
}

/* Any offsets and a clock that goes anywhere: a streak has no more days than were different in it. */
PERSON_TEST(test_random_clocks_count_no_day_twice, p)
{
	static const unsigned char seed[SEED_BYTES] = {14};
	static bool seen[64];
	struct random random;
	random_seed(&random, seed);
	for (int walk = 0; walk < 200; walk++) {
		p->stats = (struct stats_item){.total_points = 0};
		memset(seen, 0, sizeof(seen));
		int64_t days = 0;
		int64_t before = 0;
		for (int i = 0; i < 60; i++) {
			struct points_answer a = choice_at(at("2024-02-20 00:00:00"));
			a.wall_ms += (int64_t)(random_u64(&random) % (20 * 1440)) * MINUTE_MS;
			a.utc_offset_minutes = (int64_t)(random_u64(&random) % 1561) - 720;
			int64_t local = a.wall_ms + a.utc_offset_minutes * MINUTE_MS;
			size_t day = (size_t)(local / DAY_MS - at("2024-02-18 00:00:00") / DAY_MS);
			days += seen[day] ? 0 : 1;
			seen[day] = true;
			give(p, &a);
			assert_true(p->stats.streak_days <= days);
			assert_true(p->stats.streak_days <= before + 1);
			before = p->stats.streak_days;
		}
		arena_reset(&p->arena);
	}
}

/* ---- badges ---- */

static const struct badge_row {
	const char *id;
	int need;
	struct points_answer of; /* what counts for it */
} badge_rows[] = {
	{"first_steps", 1, {.category = AUDIENCE_GENERAL}},
	{"getting_started", 10, {.category = AUDIENCE_GENERAL}},
	{"century", 100, {.category = AUDIENCE_GENERAL}},
	{"veteran", 500, {.category = AUDIENCE_GENERAL}},
	{"legend", 1000, {.category = AUDIENCE_GENERAL}},
	{"tech_expert", 25, {.category = AUDIENCE_TECHNICAL}},
	{"product_pro", 25, {.category = AUDIENCE_PRODUCT}},
	{"ethics_advocate", 25, {.category = AUDIENCE_ETHICS}},
	{"creative_mind", 25, {.category = AUDIENCE_CREATIVE}},
	{"generalist", 25, {.category = AUDIENCE_GENERAL}},
	{"night_owl", 10, {.utc_offset_minutes = -361}}, /* 05:59 */
	{"speed_demon", 5, {.response_time_ms = 29999}},
	{"confident", 10, {.confidence = 5}},
};

PERSON_TEST(test_each_badge_is_earned_once_when_its_number_is_reached, p)
{
	for (size_t row = 0; row < sizeof(badge_rows) / sizeof(badge_rows[0]); row++) {
		const struct badge_row *b = &badge_rows[row];
		p->stats = (struct stats_item){.total_points = 0};
		for (int n = 1; n <= b->need + 5; n++) {
			struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
			bool is_at_night = b->of.utc_offset_minutes != 0;
			bool is_earned = false;
			a.category = is_at_night ? AUDIENCE_GENERAL : b->of.category;
			a.utc_offset_minutes = b->of.utc_offset_minutes;
			a.confidence = b->of.confidence;
			a.response_time_ms =
				b->of.response_time_ms > 0 ? b->of.response_time_ms : -1;
			give(p, &a);
			for (size_t i = 0; i < p->result.new_badges_n; i++) {
				is_earned = is_earned ||
					    slice_eq(p->result.new_badges[i].id, slice_str(b->id));
			}
			if (is_earned != (n == b->need)) {
				fail_msg("%s after %d answers: %s", b->id, n, render(p));
			}
		}
		arena_reset(&p->arena);
	}
}

/* One less sure, one second slower, one minute later. */
PERSON_TEST(test_what_is_nearly_a_badge_does_not_count_for_it, p)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	a.utc_offset_minutes = -360;
	a.confidence = 4;
	a.response_time_ms = 30000;
	for (int i = 0; i < 30; i++) {
		give(p, &a);
	}
	assert_int_equal(p->stats.night_answers, 0);
	assert_int_equal(p->stats.confident_answers, 0);
	assert_int_equal(p->stats.speedy_answers, 0);
	assert_int_equal(p->stats.early_answers, 0);
}

/* It would not be given: first_steps had 1 of 1 then. */
PERSON_TEST(test_a_fast_answer_names_no_next_badge, p)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	a.is_fast = true;
	give(p, &a);
	assert_int_equal(p->stats.total_answers, 1);
	assert_int_equal(p->result.new_badges_n, 0);
	assert_false(p->result.with_next_badge);
	a.is_fast = false;
	give(p, &a);
	assert_int_equal(p->result.new_badges_n, 1);
	assert_true(p->result.with_next_badge);
}

PERSON_TEST(test_the_next_badge_is_the_one_nearest_to_its_number, p)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	const struct badge_progress *next = &p->result.next_badge;
	give(p, &a);
	assert_true(slice_eq(next->id, SLICE("on_a_roll"))); /* 1 of 3, 1 of 10 */
	assert_int_equal(next->have, 1);
	assert_int_equal(next->need, 3);
	for (int i = 0; i < 3; i++) {
		give(p, &a);
	}
	assert_true(slice_eq(next->id, SLICE("getting_started"))); /* 4 of 10 */
	assert_true(slice_eq(next->name, SLICE("Getting started")));
	for (int i = 0; i < 1200; i++) {
		a.wall_ms += DAY_MS / 2;
		a.category = (enum audience)(i % WORDS_COUNT(audience));
		a.created_on = a.wall_ms;
		a.confidence = 5;
		a.response_time_ms = 10000;
		give(p, &a);
	}
	assert_false(p->result.with_next_badge);
	struct badge_view shown[BADGES_MAX];
	assert_int_equal(points_badges(&p->stats, shown), 18);
	assert_true(slice_eq(shown[0].id, SLICE("first_steps")));
	assert_int_equal(shown[0].earned_at, at("2026-11-23 12:00:00"));
}

PERSON_TEST(test_of_badges_equally_near_the_first_of_the_table_is_next, p)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	p->stats.total_answers = 3;
	p->stats.answers_by_category.technical = 10;
	p->stats.answers_by_category.product = 10;
	give(p, &a); /* 4 of 10; 10 of 25, twice */
	assert_true(slice_eq(p->result.next_badge.id, SLICE("getting_started")));
	assert_int_equal(p->result.next_badge.have, 4);
}

TEST(test_a_badge_that_no_table_names_stays_and_is_not_shown)
{
	static struct badge_item old[] = {{.id = SLICE_INIT("of_another_version"), .earned_at = 7}};
	struct person p = {.stats = {.badges = old, .badges_n = 1}};
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	struct badge_view shown[BADGES_MAX];
	give(&p, &a);
	assert_int_equal(p.stats.badges_n, 2);
	assert_int_equal(p.stats.badges[0].earned_at, 7);
	assert_int_equal(points_badges(&p.stats, shown), 1);
	person_finish(&p);
}

/* Without memory it says so, and with some it is as if it had never failed. */
TEST(test_any_allocation_of_an_answer_may_fail)
{
	struct points_answer a = choice_at(at("2026-11-23 12:00:00"));
	bool has_failed = true;
	for (size_t nth = 0; has_failed; nth++) {
		struct person p = {.stats = {.total_points = 0}};
		heap_fail_nth(nth, false);
		bool ok = points_give(&a, &p.stats, &p.arena, &p.result);
		has_failed = heap_has_failed();
		heap_fail_never();
		assert_int_equal(ok, !has_failed);
		person_finish(&p);
	}
}
