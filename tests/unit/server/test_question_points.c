/*
 * test_question_points.c - points, streaks, badges and boards, by what the server answers.
 */
#include "tests/unit/server/panel.h"

/* Answers without a bound of the hour, and logins that last. */
static int panel_busy(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_SESSION_LIFE_MS] = 30 * DAY_MS;
	d->r.config.limits[LIMIT_QUESTIONS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_QUESTION_READS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_QUESTION_LISTS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_ANSWERS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_ANSWERS_PER_MINUTE] = 100000;
	return panel_begin(d);
}

#define POINTS_TEST(name, d) TEST_IN(name, struct panel, d, panel_busy, scene_finish)

#define LATE ",'min_responses':1,'timeout_seconds':86400"

/* The wall clock alone, as after a night without anybody. */
static void sleep_until(struct panel *d, int64_t wall_ms)
{
	d->r.wall_ms = wall_ms;
	rig_tick(&d->r);
}

/* Midnight in UTC, `days` after the first one there is. */
static int64_t midnight(int64_t days)
{
	return (RIG_WALL / DAY_MS + 1 + days) * DAY_MS;
}

/* ada asks a question, and p gives one of the answers that it needs. */
static const char *answer_new(struct panel *d, struct rig_peer *p, const char *question,
			      const char *params)
{
	ask_unnamed(d, question);
	return rig_must(p, "question.answer", "'question_id':'%s',%s", d->id, params);
}

static int64_t earn(struct panel *d, struct rig_peer *p)
{
	return rig_field_number(answer_new(d, p, CHOICE LATE, "'selected_option':0"),
				"points_earned");
}

POINTS_TEST(test_an_answer_says_what_it_earned, d)
{
	const char *first = answer_new(d, d->bob, CHOICE, "'selected_option':0,'confidence':3");
	assert_true(says(first, "'points_earned':12,'points':[{'reason':'choice','points':5},"
				"{'reason':'confidence','points':2},{'reason':'early','points':5}],"
				"'new_badges':[{'id':'first_steps','name':'First steps',"
				"'earned_at':1700000000000},{'id':'early_bird',"));
	assert_true(says(first, "'total_points':12,'streak_days':1,'next_badge':{'id':'on_a_roll',"
				"'name':'On a roll','have':1,'need':3}}"));
	char text[256];
	(void)snprintf(text, sizeof(text), "'answer':'%0101d'", 7);
	const char *second = answer_new(d, d->bob, TEXT, text);
	assert_true(says(second, "'points_earned':20,'points':[{'reason':'text','points':10},"
				 "{'reason':'long_text','points':5},{'reason':'early','points':5}],"
				 "'new_badges':[],'total_points':32,'streak_days':1"));
}

/* Five within half a minute of reading the question: not those who thought for longer. */
POINTS_TEST(test_only_who_answers_soon_after_reading_is_speedy, d)
{
	static const struct {
		int64_t after_ms;
		bool is_speedy;
	} rows[] = {{30 * SECOND_MS, false}, {30 * SECOND_MS - 1, true}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool is_speedy = false;
		for (int n = 0; n < 5; n++) {
			ask_unnamed(d, CHOICE);
			(void)get(d, d->bob);
			rig_advance(&d->r, rows[i].after_ms);
			is_speedy = says(rig_must(d->bob, "question.answer",
						  "'question_id':'%s','selected_option':0", d->id),
					 "'id':'speed_demon','name':'Speed demon','earned_at'");
		}
		assert_int_equal(is_speedy, rows[i].is_speedy);
	}
}

/* Characters are counted, not bytes. */
POINTS_TEST(test_a_long_text_has_more_than_a_hundred_characters, d)
{
	char text[1024] = "'answer':'";
	for (int i = 0; i < 100; i++) {
		strcat(text, "\xf0\x9f\x8e\xb2");
	}
	strcat(text, "'");
	assert_false(says(answer_new(d, d->bob, TEXT, text), "long_text"));
	text[strlen(text) - 1] = '\0';
	strcat(text, "!'");
	assert_true(says(answer_new(d, d->cy, TEXT, text), "long_text"));
}

/* Under half of the answers of a question that needs four: the first two are early. */
POINTS_TEST(test_early_answers_earn_more, d)
{
	ask(d, CHOICE ",'min_responses':4");
	for (int i = 0; i < 4; i++) {
		char name[8] = {'p', (char)('0' + i), '\0'};
		const char *result = rig_must(scene_person(&d->r, name), "question.answer",
					      "'question_id':'%s','selected_option':0", d->id);
		assert_int_equal(rig_field_number(result, "points_earned"), i < 2 ? 10 : 5);
	}
}

/* Within five minutes, of the notice that the person was sent themselves. */
POINTS_TEST(test_an_answer_soon_after_its_notice_earns_more, d)
{
	rig_must(d->bob, "subscription.create", "'channel':'live'");
	rig_must(d->cy, "subscription.create", "'channel':'live'");
	ask(d, CHOICE ",'min_responses':4");
	assert_int_equal(panel_stored(d, "NOTIFIED:"), 2);
	rig_advance(&d->r, 5 * MINUTE_MS);
	assert_true(says(rig_must(d->bob, "question.answer",
				  "'question_id':'%s','selected_option':0", d->id),
			 "{'reason':'quick','points':3}"));
	assert_false(says(rig_must(scene_person(&d->r, "dan"), "question.answer",
				   "'question_id':'%s','selected_option':0", d->id),
			  "quick"));
	rig_advance(&d->r, SECOND_MS);
	assert_false(says(rig_must(d->cy, "question.answer",
				   "'question_id':'%s','selected_option':0", d->id),
			  "quick"));
}

POINTS_TEST(test_a_changed_answer_earns_nothing_more, d)
{
	ask(d, CHOICE ",'min_responses':5");
	const char *first = rig_must(d->bob, "question.answer",
				     "'question_id':'%s','selected_option':0", d->id);
	assert_true(says(first, "'points_earned':10,"));
	assert_true(says(first, "'total_points':10,"));
	for (int i = 0; i < 3; i++) {
		const char *again = rig_must(d->bob, "question.answer",
					     "'question_id':'%s','selected_option':1,"
					     "'confidence':5",
					     d->id);
		assert_true(says(again, "'is_changed':true,'points_earned':0,'points':[],"
					"'new_badges':[],'total_points':10,'streak_days':1}"));
	}
	const char *stats = rig_must(d->bob, "stats.get", RIG_NONE);
	assert_true(says(stats, "'total_points':10,'total_answers':1,"));
}

POINTS_TEST(test_what_is_refused_earns_nothing, d)
{
	ask(d, CHOICE LATE);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "ok");
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "QUESTION_CLOSED");
	assert_string_equal(answer(d, d->cy, "'selected_option':0"), "QUESTION_CLOSED");
	assert_string_equal(answer(d, d->ada, "'selected_option':0"), "FORBIDDEN");
	ask(d, CHOICE ",'timeout_seconds':60");
	rig_advance(&d->r, MINUTE_MS);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "EXPIRED");
	assert_true(says(answer_new(d, d->bob, CHOICE LATE, "'selected_option':0"),
			 "'total_points':20,"));
	assert_true(says(answer_new(d, d->cy, CHOICE LATE, "'selected_option':0"),
			 "'total_points':10,"));
}

POINTS_TEST(test_a_repeat_of_an_answer_earns_once_and_says_the_same, d)
{
	char first[2048];
	static const char *const params =
		"'selected_option':0,'idempotency_key':'0123456789abcdef'";
	(void)snprintf(first, sizeof(first), "%s", answer_new(d, d->bob, CHOICE LATE, params));
	for (int i = 0; i < 3; i++) {
		assert_string_equal(rig_must(d->bob, "question.answer", "'question_id':'%s',%s",
					     d->id, params),
				    first);
	}
	assert_true(says(answer_new(d, d->bob, CHOICE LATE, "'selected_option':0"),
			 "'total_points':20,"));
}

POINTS_TEST(test_a_fast_answer_is_stored_and_earns_nothing, d)
{
	ask(d, CHOICE LATE);
	(void)get(d, d->bob);
	rig_advance(&d->r, 1999);
	const char *result = rig_must(d->bob, "question.answer",
				      "'question_id':'%s','selected_option':0", d->id);
	assert_true(says(result, "'points_earned':0,'points':[],'new_badges':[],'total_points':0,"
				 "'streak_days':0}"));
	assert_true(says(get(d, d->ada), "'is_fast':true"));
	ask(d, CHOICE LATE);
	(void)get(d, d->bob);
	rig_advance(&d->r, 2000);
	assert_true(says(rig_must(d->bob, "question.answer",
				  "'question_id':'%s','selected_option':0", d->id),
			 "'points_earned':10,"));
}

/* Fifty answers of ten points are a day's; the streak's points come on top. */
POINTS_TEST(test_a_day_has_a_cap_and_a_streak_is_outside_it, d)
{
	sleep_until(d, midnight(0));
	assert_int_equal(earn(d, d->bob), 10);
	sleep_until(d, midnight(1));
	assert_int_equal(earn(d, d->bob), 10);
	sleep_until(d, midnight(2));
	assert_int_equal(earn(d, d->cy), 10);
	for (int i = 0; i < 52; i++) {
		int64_t earned = earn(d, d->bob);
		assert_int_equal(earned, i == 0 ? 20 : i < 50 ? 10 : 0);
	}
	assert_int_equal(earn(d, d->cy), 10);
	sleep_until(d, midnight(3) - 1);
	assert_int_equal(earn(d, d->bob), 0);
	sleep_until(d, midnight(3));
	assert_int_equal(earn(d, d->bob), 10);
}

/* A streak goes on over a restart, by the days of the person's own clock. */
POINTS_TEST(test_a_streak_goes_by_the_persons_own_days, d)
{
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	char token[64];
	rig_field(rig_must(eve, "session.login", "'user_name':'eve','utc_offset_minutes':840"),
		  "token", token, sizeof(token));
	sleep_until(d, midnight(0) + 10 * HOUR_MS - 1);
	assert_int_equal(earn(d, eve), 10);
	assert_int_equal(earn(d, d->bob), 10);
	sleep_until(d, midnight(0) + 10 * HOUR_MS);
	const char *second = answer_new(d, eve, CHOICE LATE, "'selected_option':0");
	assert_true(says(second, "'streak_days':2"));
	assert_true(
		says(answer_new(d, d->bob, CHOICE LATE, "'selected_option':0"), "'streak_days':1"));
	rig_crash(&d->r);
	d->ada = scene_person(&d->r, "anna");
	sleep_until(d, midnight(1) + 10 * HOUR_MS);
	eve = rig_guest(&d->r, "eve");
	rig_must(eve, "session.resume", "'token':'%s'", token);
	const char *third = answer_new(d, eve, CHOICE LATE, "'selected_option':0");
	assert_true(says(third, "'points_earned':20,"));
	assert_true(says(third, "{'reason':'streak','points':10}"));
	assert_true(says(third, "'id':'on_a_roll'"));
	assert_true(says(third, "'streak_days':3"));
}

/* Two connections of one user answer two questions at once: both count. */
POINTS_TEST(test_answers_of_one_person_at_once_all_count, d)
{
	char token[64], first[32];
	struct rig_peer *p = rig_guest(&d->r, "p");
	struct rig_peer *q = rig_guest(&d->r, "q");
	rig_field(rig_must(p, "session.login", "'user_name':'pat'"), "token", token, sizeof(token));
	rig_must(q, "session.resume", "'token':'%s'", token);
	ask_unnamed(d, CHOICE LATE);
	memcpy(first, d->id, sizeof(first));
	ask_unnamed(d, CHOICE LATE);
	rig_hold(&d->r);
	uint32_t a =
		rig_send(p, "question.answer", "'question_id':'%s','selected_option':0", first);
	uint32_t b =
		rig_send(q, "question.answer", "'question_id':'%s','selected_option':0", d->id);
	rig_release(&d->r);
	bool is_refusal;
	assert_true(says(rig_answer(p, a, &is_refusal), "'total_points':10,"));
	assert_true(says(rig_answer(q, b, &is_refusal), "'total_points':20,"));
}

POINTS_TEST(test_an_answer_that_was_not_stored_earns_nothing, d)
{
	ask(d, CHOICE LATE);
	rig_fail_commits(&d->r, 1, ERR_IO);
	assert_string_equal(answer(d, d->bob, "'selected_option':0"), "UNAVAILABLE");
	assert_true(says(rig_must(d->bob, "question.answer",
				  "'question_id':'%s','selected_option':0", d->id),
			 "'total_points':10,"));
}

/* ---- stats ---- */

POINTS_TEST(test_stats_say_what_was_earned, d)
{
	assert_string_equal(rig_must(d->bob, "stats.get", RIG_NONE),
			    "{'total_points':0,'total_answers':0,'streak_days':0,'badges':[],"
			    "'answers_by_category':{}}");
	(void)answer_new(d, d->bob, CHOICE ",'audience':['ethics','general']",
			 "'selected_option':0");
	rig_advance(&d->r, MINUTE_MS);
	(void)answer_new(d, d->bob, CHOICE LATE, "'selected_option':0");
	assert_string_equal(rig_must(d->bob, "stats.get", RIG_NONE),
			    "{'total_points':20,'total_answers':2,'streak_days':1,'badges':["
			    "{'id':'first_steps','name':'First steps','earned_at':1700000000000},"
			    "{'id':'early_bird','name':'Early bird','earned_at':1700000000000}],"
			    "'answers_by_category':{'ethics':1,'general':1}}");
}

POINTS_TEST(test_a_missed_day_ends_the_streak_that_stats_show, d)
{
	sleep_until(d, midnight(0));
	(void)earn(d, d->bob);
	sleep_until(d, midnight(2) - 1);
	assert_true(says(rig_must(d->bob, "stats.get", RIG_NONE), "'streak_days':1,"));
	sleep_until(d, midnight(2));
	assert_true(says(rig_must(d->bob, "stats.get", RIG_NONE), "'streak_days':0,"));
}

POINTS_TEST(test_stats_outlive_questions_answers_and_a_restart, d)
{
	char token[64];
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	rig_field(rig_must(eve, "session.login", "'user_name':'eve'"), "token", token,
		  sizeof(token));
	for (int i = 0; i < 3; i++) {
		(void)earn(d, eve);
	}
	sleep_until(d, RIG_WALL + 29 * DAY_MS);
	rig_advance(&d->r, MINUTE_MS);
	assert_int_equal(panel_stored(d, ""), 1); /* the answer: its question is gone */
	rig_crash(&d->r);
	eve = rig_guest(&d->r, "eve");
	rig_must(eve, "session.resume", "'token':'%s'", token);
	assert_true(says(rig_must(eve, "stats.get", RIG_NONE),
			 "{'total_points':30,'total_answers':3,'streak_days':0,"));
}

/* ---- boards ---- */

/* "1. 5x50 me 6. 6x0 ; 1. 72": rank, people and points of each place, and the caller's. */
static const char *board(struct rig_peer *p, const char *params)
{
	static char out[512];
	const char *text = rig_must(p, "leaderboard.get", "'period':%s", params);
	const char *own = strstr(text, "],"); /* behind the entries */
	size_t len = 0;
	assert_non_null(own);
	for (const char *at = text; (at = strstr(at, "{'rank':")) != NULL; at++) {
		char rank[16];
		(void)snprintf(rank, sizeof(rank), "%lld", (long long)rig_field_number(at, "rank"));
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s. %lldx%lld%s ", rank,
					(long long)rig_field_number(at, "people"),
					(long long)rig_field_number(at, "points"),
					strncmp(strstr(at, "'is_me':"), "'is_me':true", 12) == 0
						? " me"
						: "");
	}
	len += (size_t)snprintf(out + len, sizeof(out) - len, "; ");
	if (says(own, "your_rank")) {
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%lld. ",
					(long long)rig_field_number(own, "your_rank"));
	}
	(void)snprintf(out + len, sizeof(out) - len, "%lld",
		       (long long)rig_field_number(own, "your_points"));
	return out;
}

enum { CROWD = 12 };

/* So many more people; each of them answers as often as that says. */
static void crowd(struct panel *d, struct rig_peer **people, const int *answers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[8] = {'p', (char)('a' + i), '\0'};
		people[i] = people[i] != NULL ? people[i] : scene_person(&d->r, name);
		for (int k = 0; k < answers[i]; k++) {
			(void)earn(d, people[i]);
		}
	}
}

/* The boards are begun when somebody asks for them. */
static void boards_begin(struct panel *d)
{
	static const char *const periods[] = {"'daily'", "'weekly'", "'all_time'"};
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(board(d->ada, periods[i]), "; 0");
	}
}

static void next_boards(struct panel *d)
{
	rig_advance(&d->r, HOUR_MS);
	rig_advance(&d->r, MINUTE_MS);
}

POINTS_TEST(test_a_board_has_places_of_five_and_names_nobody, d)
{
	static const int answers[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, answers, 11);
	assert_string_equal(rig_must(p[0], "leaderboard.get", "'period':'daily'"),
			    "{'entries':[],'your_points':90}");
	assert_false(says(rig_must(p[0], "stats.get", RIG_NONE), "rank"));
	next_boards(d);
	static const char *const periods[] = {"'daily'", "'weekly'", "'all_time'"};
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(board(p[4], periods[i]), "1. 5x50 me 6. 6x0 ; 1. 50");
		assert_string_equal(board(p[5], periods[i]), "1. 5x50 6. 6x0 me ; 6. 40");
		assert_string_equal(board(d->ada, periods[i]), "1. 5x50 6. 6x0 ; 0");
	}
	assert_true(says(rig_must(p[5], "stats.get", RIG_NONE), "'rank':6}"));
	assert_false(says(rig_must(d->ada, "stats.get", RIG_NONE), "rank"));
	const char *first = rig_must(p[5], "leaderboard.get", "'period':'daily','limit':1");
	assert_true(says(first, "{'entries':[{'rank':1,'people':5,'points':50,'is_me':false}],"
				"'made_at':17000"));
	assert_true(says(first, "'your_rank':6,'your_points':40}"));
	char of_all_time[1024];
	(void)snprintf(of_all_time, sizeof(of_all_time), "%s",
		       rig_must(p[0], "leaderboard.get", "'period':'all_time'"));
	assert_string_equal(rig_must(p[0], "leaderboard.get", RIG_NONE), of_all_time);
	assert_string_equal(rig_code(d->bob, "leaderboard.get", "'period':'hourly'"),
			    "VALIDATION_ERROR period");
	assert_string_equal(rig_code(d->bob, "leaderboard.get", "'period':'daily','limit':0"),
			    "VALIDATION_ERROR limit");
	assert_string_equal(rig_code(d->bob, "leaderboard.get", "'period':'daily','limit':101"),
			    "VALIDATION_ERROR limit");
}

/* Those who have less than the last place, being fewer than five, are on none. */
POINTS_TEST(test_fewer_than_five_have_no_place, d)
{
	static const int four[] = {5, 5, 5, 5}, fifth[] = {0, 0, 0, 0, 5, 4, 4, 4, 4};
	static const int more[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 4};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, four, 4);
	next_boards(d);
	assert_string_equal(board(p[0], "'all_time'"), "; 50");
	crowd(d, p, fifth, 9);
	next_boards(d);
	assert_string_equal(board(p[0], "'all_time'"), "1. 5x50 me ; 1. 50");
	assert_string_equal(board(p[8], "'all_time'"), "1. 5x50 ; 40");
	/* What is one's own is known at once, and by nobody else. */
	(void)earn(d, p[8]);
	assert_string_equal(board(p[8], "'all_time'"), "1. 5x50 me ; 1. 50");
	assert_string_equal(board(p[7], "'all_time'"), "1. 5x50 ; 40");
	crowd(d, p, more, 10);
	next_boards(d);
	assert_string_equal(board(p[7], "'all_time'"), "1. 5x50 ; 40"); /* of two alone */
}

/* From one board to the next at least five have answered. */
POINTS_TEST(test_a_board_stays_until_five_have_answered, d)
{
	static const int five[] = {5, 5, 5, 5, 5}, four[] = {5, 5, 5, 5}, last[] = {0, 0, 0, 0, 5};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, five, 5);
	assert_string_equal(board(p[0], "'all_time'"), "; 50");
	next_boards(d);
	assert_string_equal(board(p[0], "'all_time'"), "1. 5x50 me ; 1. 50");
	crowd(d, p, four, 4);
	next_boards(d);
	next_boards(d);
	assert_string_equal(board(p[0], "'all_time'"), "1. 5x50 me ; 1. 100");
	crowd(d, p, last, 5);
	assert_string_equal(board(p[4], "'all_time'"), "1. 5x50 me ; 1. 100");
	next_boards(d);
	assert_string_equal(board(p[4], "'all_time'"), "1. 5x100 me ; 1. 100");
	rig_crash(&d->r);
	struct rig_peer *eve = scene_person(&d->r, "eve");
	assert_string_equal(board(eve, "'all_time'"), "1. 5x100 ; 0");
}

POINTS_TEST(test_a_board_is_in_order_where_its_index_lags, d)
{
	static const int first[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
			 then[] = {0, 0, 0, 0, 0, 4, 4, 4, 4, 4};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, first, 10);
	store_mem_delay_indexes(d->r.store, 2000);
	crowd(d, p, then, 10);
	next_boards(d);
	assert_string_equal(board(p[0], "'all_time'"), "1. 5x50 6. 5x0 me ; 6. 20");
}

/* A new day's board is empty until it is made; a week begins on Monday, in UTC. */
POINTS_TEST(test_boards_of_a_day_and_a_week_begin_by_themselves, d)
{
	static const int five[] = {5, 5, 5, 5, 5};
	struct rig_peer *p[CROWD] = {NULL};
	const int64_t sunday = midnight(4); /* 2023-11-19 */
	sleep_until(d, sunday + DAY_MS - 3 * HOUR_MS);
	boards_begin(d);
	crowd(d, p, five, 5);
	next_boards(d);
	assert_string_equal(board(p[0], "'daily'"), "1. 5x50 me ; 1. 50");
	assert_string_equal(board(p[0], "'weekly'"), "1. 5x50 me ; 1. 50");
	sleep_until(d, sunday + DAY_MS);
	assert_string_equal(board(p[0], "'daily'"), "; 0");
	assert_string_equal(board(p[0], "'weekly'"), "; 0");
	assert_string_equal(board(p[0], "'all_time'"), "1. 5x50 me ; 1. 50");
	crowd(d, p, five, 5);
	next_boards(d);
	assert_string_equal(board(p[0], "'daily'"), "1. 5x50 me ; 1. 50");
	assert_string_equal(board(d->ada, "'all_time'"), "1. 5x100 ; 0");
	sleep_until(d, sunday + 7 * DAY_MS);
	assert_string_equal(board(p[0], "'daily'"), "; 0");
	assert_string_equal(board(p[0], "'weekly'"), "1. 5x50 me ; 1. 50");
}

static int panel_few_ranks(void **state)
{
	struct panel *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_SESSION_LIFE_MS] = DAY_MS;
	d->r.config.limits[LIMIT_ANSWERS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_QUESTIONS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_QUESTION_LISTS_PER_HOUR] = 100000;
	d->r.config.limits[LIMIT_ANSWERS_PER_MINUTE] = 100000;
	d->r.config.limits[LIMIT_BOARD_RANKS] = 7;
	return panel_begin(d);
}

/* Who is listed behind the bound, and has as much as the last place, is counted there; whoever has less has no rank. */
TEST_IN(test_ranks_beyond_the_bound_are_not_told, struct panel, d, panel_few_ranks, scene_finish)
{
	static const int answers[] = {6, 6, 5, 5, 5, 5, 5, 5, 5, 4, 4};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, answers, 11);
	next_boards(d);
	assert_string_equal(board(p[8], "'all_time'"), "1. 9x50 me ; 1. 50");
	assert_string_equal(board(p[10], "'all_time'"), "1. 9x50 ; 40");
	assert_false(says(rig_must(p[10], "stats.get", RIG_NONE), "rank"));
}

POINTS_TEST(test_a_read_that_fails_tells_no_stats_and_no_board, d)
{
	static const int five[] = {5, 5, 5, 5, 5};
	struct rig_peer *p[CROWD] = {NULL};
	boards_begin(d);
	crowd(d, p, five, 5);
	next_boards(d);
	for (size_t nth = 0; nth < 3; nth++) {
		store_mem_fail_reads(d->r.store, 1, ERR_IO);
		assert_string_equal(rig_code(p[0], "leaderboard.get", "'period':'daily'"),
				    "UNAVAILABLE");
		store_mem_fail_reads(d->r.store, 1, ERR_CORRUPT);
		assert_string_equal(rig_code(p[0], "stats.get", RIG_NONE), "UNAVAILABLE");
	}
	assert_string_equal(board(p[0], "'daily'"), "1. 5x50 me ; 1. 50");
}

POINTS_TEST(test_stats_and_boards_are_for_users, d)
{
	struct rig_peer *p = rig_guest(&d->r, "p");
	assert_string_equal(rig_code(p, "stats.get", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(p, "leaderboard.get", "'period':'daily'"), "UNAUTHENTICATED");
}
