/*
 * test_round_history.c - pages of history become rounds, whole or not at all.
 */
#include <stdlib.h>

#include "client/model/room/round_history.h"
#include "tests/support/test.h"

static struct result_card cards[] = {
	{.card = {"5", 1}, .votes = 2},
};
static struct round_vote votes[] = {
	{.vote = {"5", 1},
	 .user_id = {"u1", 2},
	 .with_user_id = true,
	 .username = {"A\x1b[31mda", 8},
	 .with_username = true,
	 .role = ROLE_VOTER,
	 .comment = {"big", 3},
	 .with_comment = true,
	 .confidence = 2,
	 .with_confidence = true,
	 .is_changed = true,
	 .with_is_changed = true},
	{.vote = {"5", 1}, .role = ROLE_VOTER, .is_bot = true},
};

static struct round_view round_of(int64_t n)
{
	return (struct round_view){
		.n = n,
		.story = n > 1 ? SLICE("PAY-1") : (struct slice){0},
		.with_story = n > 1,
		.started_at = 1000,
		.revealed_at = 2000,
		.votes = votes,
		.votes_n = 2,
		.outcome = SLICE("5"),
		.with_outcome = true,
		.result = {.votes = 2,
			   .cards = cards,
			   .cards_n = 1,
			   .mode = SLICE("5"),
			   .with_mode = true,
			   .agreement_percent = 100},
	};
}

/* Rounds 9, 8 and a cursor; or 1 and the end. */
static struct round_list_result page_of(struct round_view two[2], bool is_first)
{
	two[0] = round_of(is_first ? 9 : 1);
	two[1] = round_of(8);
	return (struct round_list_result){
		.rounds = two,
		.rounds_n = is_first ? 2 : 1,
		.cursor = SLICE("8"),
		.with_cursor = is_first,
	};
}

TEST(test_a_page_is_kept_softened_and_whole)
{
	struct round_history r = {0};
	struct round_view two[2];
	struct round_list_result page = page_of(two, true);
	round_history_take(&r, &page, true);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.cursor, "8");
	assert_string_equal(r.items[0]->story.data, "PAY-1");
	assert_string_equal(r.items[0]->outcome.data, "5");
	assert_string_equal(r.items[0]->votes[0].username.data, "A\xef\xbf\xbd[31mda");
	assert_string_equal(r.items[0]->votes[0].comment.data, "big");
	assert_int_equal(r.items[0]->votes[0].confidence, 2);
	assert_true(r.items[0]->votes[0].is_changed);
	assert_null(r.items[0]->votes[1].username.data);
	assert_true(r.items[0]->votes[1].is_bot);
	assert_string_equal(r.items[0]->result.mode.data, "5");
	assert_string_equal(r.items[0]->votes[0].user_id.data, "u1");
	assert_string_equal(r.items[0]->result.cards[0].card.data, "5");
	round_history_finish(&r);
}

TEST(test_the_next_page_comes_behind_and_a_first_one_replaces)
{
	struct round_history r = {0};
	struct round_view two[2];
	struct round_list_result first = page_of(two, true);
	round_history_take(&r, &first, true);
	struct round_list_result next = page_of(two, false);
	round_history_take(&r, &next, false);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[2]->n, 1);
	assert_null(r.items[2]->story.data);
	assert_null(r.cursor);
	round_history_take(&r, &next, true);
	assert_int_equal(r.n, 1);
	struct round_list_result empty = {.rounds_n = 0};
	round_history_take(&r, &empty, true);
	round_history_take(&r, &empty, false);
	assert_int_equal(r.n, 0);
	round_history_finish(&r);
}

/* The newest rounds again, down to `oldest`. */
static void refresh(struct round_history *r, int64_t newest, int64_t oldest)
{
	struct round_view three[3];
	struct round_list_result page = {.rounds = three,
					 .cursor = SLICE("c"),
					 .with_cursor = true};
	for (int64_t n = newest; n >= oldest; n--) {
		three[page.rounds_n++] = round_of(n);
	}
	round_history_take(r, &page, true);
}

TEST(test_a_short_page_brings_a_long_history_up_to_date)
{
	struct round_history r = {0};
	struct round_view two[2];
	struct round_list_result first = page_of(two, true);
	round_history_take(&r, &first, true);
	refresh(&r, 11, 9);
	assert_int_equal(r.n, 4);
	assert_int_equal(r.items[0]->n, 11);
	assert_int_equal(r.items[3]->n, 8);
	assert_string_equal(r.cursor, "8");
	refresh(&r, 10, 8); /* the last one was taken back */
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[0]->n, 10);
	assert_string_equal(r.cursor, "8");
	refresh(&r, 20, 19); /* what is between is not known: all anew */
	assert_int_equal(r.n, 2);
	assert_string_equal(r.cursor, "c");
	round_history_finish(&r);
}
