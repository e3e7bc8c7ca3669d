/*
 * test_summary.c - what a session came to: figures, stories that are apart, stories without an
 * estimate.
 */
#include <string.h>

#include "client/formats/summary.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

enum { DESK_ROUNDS = 5 };

struct desk {
	struct a_room a;
	struct round_view rounds[DESK_ROUNDS]; /* the newest first */
	struct round_view *items[DESK_ROUNDS];
	struct export_room x;
	struct room_summary s;
	struct arena arena;
	struct buf out;
};

/* The nth round, counted from the newest, was on that story, and so far apart. */
static void desk_round(struct desk *d, size_t story, int64_t steps, const char *lowest,
		       const char *highest)
{
	size_t i = d->x.rounds.n++;
	assert_true(i < DESK_ROUNDS);
	d->rounds[i] = (struct round_view){
		.n = DESK_ROUNDS - (int64_t)i,
		.story_id = d->a.stories[story].story_id,
		.votes_n = 2,
		.started_at = 1 + 60000 * (int64_t)i,
		.revealed_at = 60001 + 60000 * (int64_t)i,
		.result = {.votes = 2,
			   .agreement_percent = steps == 0 ? 100 : 50,
			   .with_spread_steps = steps >= 0,
			   .spread_steps = steps < 0 ? 0 : steps,
			   .lowest = slice_str(lowest),
			   .highest = slice_str(highest)},
	};
	d->items[i] = &d->rounds[i];
}

static void desk_open(struct desk *d)
{
	memset(d, 0, sizeof(*d));
	a_room_init(&d->a, "Sprint 42");
	d->x.room = &d->a.r;
	d->x.rounds.items = d->items;
	buf_init(&d->out, 1u << 16);
}

static void desk_close(struct desk *d)
{
	arena_finish(&d->arena);
	buf_finish(&d->out);
}

#define DESK_TEST(name, d) TEST_OF(name, struct desk, d, desk_open(d), desk_close(d))

static void assert_summary(struct desk *d, const char *text)
{
	buf_clear(&d->out);
	summary_make(&d->x, &d->arena, &d->s);
	summary_text(&d->s, &d->out);
	assert_int_equal(buf_append(&d->out, "", 1), OK);
	assert_string_equal(d->out.data, text);
}

DESK_TEST(test_an_empty_room_has_the_command_alone, d)
{
	assert_summary(d, "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
}

DESK_TEST(test_the_widest_spread_comes_first, d)
{
	a_room_story(&d->a, "Balance", STORY_DONE, "5");
	a_room_story(&d->a, "Refund", STORY_DONE, "8");
	a_room_story(&d->a, "Receipts", STORY_DONE, "3");
	d->a.stories[1].key = SLICE("PAY-2");
	desk_round(d, 2, 2, "2", "5");
	desk_round(d, 1, 3, "3", "13");
	desk_round(d, 0, 1, "5", "8"); /* within one card */
	assert_summary(d, "Stories: 3 (3 done, 0 to do, 0 skipped), 16 points\n"
			  "Rounds: 3, votes: 6, agreement 50% on average, 3 min of voting\n"
			  "Estimated in a single round: 3\n"
			  "To talk about (more than one card apart):\n"
			  "  PAY-2 Refund: 3 to 13, settled on 8\n"
			  "  Receipts: 2 to 5, settled on 3\n"
			  "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
}

DESK_TEST(test_the_last_votes_on_a_story_count, d)
{
	a_room_story(&d->a, "Balance", STORY_DONE, "5");
	a_room_story(&d->a, "Refund", STORY_DONE, "8");
	desk_round(d, 1, 3, "3", "13");
	desk_round(d, 1, 0, "8", "8");
	desk_round(d, 0, 0, "5", "5");
	desk_round(d, 0, 4, "1", "13");
	assert_summary(d, "Stories: 2 (2 done, 0 to do, 0 skipped), 13 points\n"
			  "Rounds: 4, votes: 8, agreement 75% on average, 4 min of voting\n"
			  "To talk about (more than one card apart):\n"
			  "  Refund: 3 to 13, settled on 8, 2 rounds\n"
			  "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
}

DESK_TEST(test_stories_without_an_estimate_are_named, d)
{
	a_room_story(&d->a, "Balance", STORY_DONE, "XL"); /* no number: no sum */
	a_room_story(&d->a, "Refund", STORY_SKIPPED, NULL);
	a_room_story(&d->a, "Receipts", STORY_TODO, NULL);
	desk_round(d, 0, -1, NULL, NULL); /* no two cards in an order */
	assert_summary(d, "Stories: 3 (1 done, 1 to do, 1 skipped)\n"
			  "Rounds: 1, votes: 2, agreement 50% on average, 60 s of voting\n"
			  "Estimated in a single round: 1\n"
			  "Without an estimate:\n"
			  "  Refund: skipped\n"
			  "  Receipts: to do\n"
			  "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
}

DESK_TEST(test_a_story_that_is_apart_and_without_an_estimate_is_listed_once, d)
{
	a_room_story(&d->a, "Balance", STORY_TODO, NULL);
	a_room_story(&d->a, "Refund", STORY_SKIPPED, NULL);
	desk_round(d, 0, 3, "3", "13");
	desk_round(d, 0, 3, "3", "13");
	assert_summary(d, "Stories: 2 (0 done, 1 to do, 1 skipped)\n"
			  "Rounds: 2, votes: 4, agreement 50% on average, 2 min of voting\n"
			  "To talk about (more than one card apart):\n"
			  "  Balance: 3 to 13, no estimate, 2 rounds\n"
			  "Without an estimate:\n"
			  "  Refund: skipped\n"
			  "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
	assert_int_equal(d->s.without_estimate_n, 1);
}

DESK_TEST(test_agreement_is_told, d)
{
	a_room_story(&d->a, "Balance", STORY_DONE, "5");
	desk_round(d, 0, 1, "3", "5");
	assert_summary(d, "Stories: 1 (1 done, 0 to do, 0 skipped), 5 points\n"
			  "Rounds: 1, votes: 2, agreement 50% on average, 60 s of voting\n"
			  "Estimated in a single round: 1\n"
			  "All votes are within one card.\n"
			  "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n");
}

DESK_TEST(test_it_is_due_when_no_story_is_left, d)
{
	assert_false(summary_is_due(&d->a.r)); /* quick votes have no end */
	a_room_story(&d->a, "Balance", STORY_DONE, "5");
	a_room_story(&d->a, "Refund", STORY_VOTING, NULL);
	assert_false(summary_is_due(&d->a.r));
	d->a.stories[1].status = STORY_TODO;
	assert_false(summary_is_due(&d->a.r));
	d->a.stories[1].status = STORY_SKIPPED;
	assert_true(summary_is_due(&d->a.r));
}

DESK_TEST(test_an_open_story_is_apart_once_its_votes_are_shown, d)
{
	struct story_votes votes = {
		.result = {.votes = 2,
			   .with_spread_steps = true,
			   .spread_steps = 3,
			   .lowest = SLICE("3"),
			   .highest = SLICE("13")},
		.voted = 2,
	};
	void *items[1] = {&votes};
	a_room_story(&d->a, "Refund", STORY_TODO, NULL);
	votes.story_id = d->a.stories[0].story_id;
	a_room_rows(&d->a.r.story_votes, &record_story_votes, "story_id", items);
	d->a.r.story_votes.n = 1;
	summary_make(&d->x, &d->arena, &d->s);
	assert_int_equal(d->s.apart_n, 0);
	votes.revealed_at = 1;
	summary_make(&d->x, &d->arena, &d->s);
	assert_int_equal(d->s.apart_n, 1);
}
