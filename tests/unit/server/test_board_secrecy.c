/*
 * test_board_secrecy.c - a program that asks for the boards at each question.update, and
 * ties answers together by what moved there since it asked before.
 *
 * It sees what anybody sees: each answer with what that must have earned, and the boards. It
 * takes entries of a board that look the same for one another's, and narrows an answer down to
 * the entries that may have moved by it: those that rose by as much as answers since the last
 * change amount to, else those that changed at all. An answer with one entry left is chained.
 */
#include <stdlib.h>

#include "tests/unit/server/panel.h"

enum { PEOPLE = 12, ENTRIES_MAX = 64, PENDING_MAX = 256 };

/* A board as it was shown, an entry for each person on it. */
struct shown {
	int64_t points[ENTRIES_MAX];
	size_t n;
};

/* What of its answers is known when it is given, but for who gives it. */
struct pending {
	int64_t points;
	size_t person; /* the truth, for the score */
};

struct chain {
	struct shown shown;
	struct pending pending[PENDING_MAX];
	size_t pending_n;
	size_t answers, chained, fewest; /* fewest: entries that an answer was narrowed down to */
	double right; /* how many are expected to be right where one of the entries left is guessed */
};

struct hunt {
	struct panel panel;
	struct rig_peer *people[PEOPLE];
	int64_t own[3][PEOPLE]; /* what each person's entry showed, by period */
	struct chain chains[3];
	uint32_t dice;
};

static const char *const periods[3] = {"daily", "weekly", "all_time"};

static uint32_t roll(struct hunt *h, uint32_t sides)
{
	h->dice = h->dice * 1103515245u + 12345u;
	return (h->dice >> 16) % sides;
}

static int hunt_open(void **state)
{
	struct hunt *h = scene_init(state, sizeof(*h));
	int64_t *limits = h->panel.r.config.limits;
	limits[LIMIT_SESSION_LIFE_MS] = 30 * DAY_MS;
	limits[LIMIT_QUESTIONS_PER_HOUR] = 100000;
	limits[LIMIT_QUESTION_LISTS_PER_HOUR] = 100000;
	limits[LIMIT_QUESTION_READS_PER_HOUR] = 100000;
	limits[LIMIT_ANSWERS_PER_HOUR] = 100000;
	limits[LIMIT_ANSWERS_PER_MINUTE] = 100000;
	h->dice = 2937;
	(void)panel_begin(&h->panel);
	for (size_t i = 0; i < PEOPLE; i++) {
		char name[8] = {'p', (char)('a' + i), '\0'};
		h->people[i] = scene_person(&h->panel.r, name);
	}
	return 0;
}

/* ---- the program ---- */

static struct shown look(struct hunt *h, size_t period)
{
	struct shown shown = {.n = 0};
	const char *at = rig_must(h->panel.ada, "leaderboard.get", "'period':'%s','limit':100",
				  periods[period]);
	while ((at = strstr(at, "{'rank':")) != NULL) {
		char entry[128];
		(void)snprintf(entry, sizeof(entry), "%.*s", (int)strcspn(at, "}"), at);
		assert_false(says(entry, "'answers'"));
		int64_t people = says(entry, "'people'") ? rig_field_number(entry, "people") : 1;
		for (int64_t k = 0; k < people; k++) {
			assert_true(shown.n < ENTRIES_MAX);
			shown.points[shown.n++] = rig_field_number(entry, "points");
		}
		at++;
	}
	return shown;
}

static size_t count_of(const struct shown *shown, int64_t points)
{
	size_t n = 0;
	for (size_t i = 0; i < shown->n; i++) {
		n += shown->points[i] == points;
	}
	return n;
}

/* The entries of `now` with so many points look the same: as many as were not there before make all of them suspects. */
static bool has_changed(const struct chain *c, const struct shown *now, int64_t points)
{
	return count_of(now, points) != count_of(&c->shown, points);
}

/* Whether an entry may have come to so many points by that answer alone. */
static bool fits_alone(const struct chain *c, const struct shown *now, int64_t points,
		       int64_t earned)
{
	int64_t before = points - earned;
	return has_changed(c, now, points) && before >= 0 &&
	       (before == 0 || (count_of(&c->shown, before) > 0 && has_changed(c, now, before)));
}

/* Narrow each answer since the last change down, and score the guess. */
static void narrow(struct hunt *h, size_t period, const struct shown *now)
{
	struct chain *c = &h->chains[period];
	for (size_t i = 0; i < c->pending_n; i++) {
		const struct pending *answer = &c->pending[i];
		bool by_amount = false;
		for (size_t e = 0; e < now->n; e++) {
			by_amount = by_amount || fits_alone(c, now, now->points[e], answer->points);
		}
		size_t left = 0;
		bool has_it = false;
		for (size_t e = 0; e < now->n; e++) {
			int64_t points = now->points[e];
			bool is_left = by_amount ? fits_alone(c, now, points, answer->points)
						 : has_changed(c, now, points);
			left += is_left;
			has_it = has_it || (is_left && h->own[period][answer->person] == points);
		}
		if (left == 0) {
			continue;
		}
		c->chained += left == 1 && has_it;
		c->right += has_it ? 1.0 / (double)left : 0;
		c->fewest = c->fewest == 0 || left < c->fewest ? left : c->fewest;
	}
	c->shown = *now;
	c->pending_n = 0;
}

/* What a person's own entry shows, which the program does not see: -1 where they have none. */
static void learn_truth(struct hunt *h, size_t period)
{
	for (size_t i = 0; i < PEOPLE; i++) {
		const char *text = rig_must(h->people[i], "leaderboard.get",
					    "'period':'%s','limit':100", periods[period]);
		const char *me = strstr(text, "'is_me':true");
		h->own[period][i] = -1;
		for (const char *at = text;
		     me != NULL && (at = strstr(at, "{'rank':")) != NULL && at < me; at++) {
			h->own[period][i] = rig_field_number(at, "points");
		}
	}
}

/* At a question.update, and again whenever it likes. */
static void poll(struct hunt *h)
{
	for (size_t period = 0; period < 3; period++) {
		struct chain *c = &h->chains[period];
		struct shown now = look(h, period);
		if (now.n != c->shown.n ||
		    memcmp(now.points, c->shown.points, sizeof(now.points)) != 0) {
			learn_truth(h, period);
			narrow(h, period, &now);
		}
	}
}

/* ---- what it sees ---- */

static void person_answers(struct hunt *h, size_t person)
{
	bool is_sure = roll(h, 2) == 0;
	char params[256];
	bool is_long = roll(h, 3) == 0;
	(void)snprintf(params, sizeof(params), "'answer':'%0*d'%s", is_long ? 120 : 3,
		       (int)roll(h, 100), is_sure ? ",'confidence':3" : "");
	rig_forget(h->panel.ada);
	const char *result = rig_must(h->people[person], "question.answer", "'question_id':'%s',%s",
				      h->panel.id, params);
	int64_t points = rig_field_number(result, "points_earned");
	assert_int_equal(rig_count(h->panel.ada, "question.update"), 1);
	for (size_t period = 0; period < 3; period++) {
		struct chain *c = &h->chains[period];
		assert_true(c->pending_n < PENDING_MAX);
		c->pending[c->pending_n++] = (struct pending){.points = points, .person = person};
		c->answers++;
	}
	poll(h);
}

/* Some of them answer, in any order; the rest leave it. */
static void question(struct hunt *h, size_t people)
{
	size_t order[PEOPLE];
	for (size_t i = 0; i < people; i++) {
		size_t j = roll(h, (uint32_t)i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	ask_unnamed(&h->panel, TEXT ",'min_responses':50,'timeout_seconds':3600");
	rig_must(h->panel.ada, "question.watch", "'question_id':'%s'", h->panel.id);
	for (size_t i = 0; i < people; i++) {
		if (roll(h, 4) > 0) {
			person_answers(h, order[i]);
			rig_advance(&h->panel.r, SECOND_MS);
		}
	}
	rig_must(h->panel.ada, "question.cancel", "'question_id':'%s'", h->panel.id);
}

static void hunt_for(struct hunt *h, size_t people, int hours)
{
	poll(h);
	for (int hour = 0; hour < hours; hour++) {
		for (int i = 0; i < 3; i++) {
			question(h, people);
		}
		rig_advance(&h->panel.r, HOUR_MS);
		poll(h);
	}
	for (size_t period = 0; period < 3; period++) {
		const struct chain *c = &h->chains[period];
		print_message("%s: %zu answers, %zu chained, %.1f expected right, at least %zu "
			      "entries each\n",
			      periods[period], c->answers, c->chained, c->right, c->fewest);
		assert_int_equal(c->chained, 0);
		/* Nobody is one of fewer than five, so that a guess is right once in five at most. */
		assert_true(c->fewest == 0 || c->fewest >= MAX_BOARD_PEOPLE);
		assert_true(c->right * MAX_BOARD_PEOPLE <= (double)c->answers);
		assert_true(period == 0 || c->fewest > 0); /* it had boards to look at */
	}
}

#define HUNT_TEST(name, h) TEST_IN(name, struct hunt, h, hunt_open, scene_finish)

/* promise: shared-places */
HUNT_TEST(test_boards_of_seven_tie_no_answers_together, h)
{
	hunt_for(h, 7, 8);
}

HUNT_TEST(test_boards_of_twelve_tie_no_answers_together, h)
{
	hunt_for(h, PEOPLE, 8);
}
