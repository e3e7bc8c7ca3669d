/*
 * test_tui_stories.c - keys and commands for what is voted on, and what was:
 * stories and history.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/model/round_history.h"

/* ---- stories ---- */

static void test_a_command_names_its_story_by_number(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, ":select 3");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_NOTHING, NULL); /* cards lie there: that is a question */
	ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, replica_story_at(&a.r, 2)->story_id.data);
	(void)type(t, &a, ":edit 2 A better title");
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_RENAME_STORY, "A better title");
	assert_string_equal(ask.id, replica_story_at(&a.r, 1)->story_id.data);
	(void)type(t, &a, ":down 1");
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.other, replica_story_at(&a.r, 1)->story_id.data);
	(void)type(t, &a, ":remove 99");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " There is no story 99");
	(void)type(t, &a, ":remove it");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Which story? Its number comes first");
	(void)type(t, &a, ":remove 2 now");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only its number: remove 2");
	tui_destroy(t);
}

static void test_a_command_without_a_number_means_a_story_that_is_in_sight(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	const char *voted_on = a.r.room.story_id.data;
	struct ask ask = enter(t, &a, ":skip");
	assert_asks(ask, ASK_MARK_STORY, "skipped");
	assert_string_equal(ask.id, voted_on);
	a.r.room.story_id = (struct slice){0};
	assert_asks(enter(t, &a, ":remove"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Which story? Its number comes first");
	(void)type(t, &a, "S");
	assert_asks(enter(t, &a, ":remove"), ASK_REMOVE_STORY, NULL);
	tui_destroy(t);
}

static void test_arrows_and_enter_choose_a_story(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	(void)type(t, &a, "S");
	(void)tui_take_key(t, &a.r, TUI_KEY_DOWN); /* from the one that is voted on */
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SELECT_STORY, "");
	assert_string_equal(ask.id, a.stories[2].story_id.data);
	assert_asks(type(t, &a, "R"), ASK_NOTHING, NULL); /* back at the table */
	assert_message(t, &a, " The cards lie open already");
	tui_destroy(t);
}

static void test_choosing_asks_where_votes_would_go_unseen(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sj");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Take back 1 unseen vote? y / n");
	struct ask ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, a.stories[2].story_id.data);
	assert_asks(enter(t, &a, ":quick"), ASK_NOTHING, NULL);
	ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, "");
	tui_destroy(t);
}

static void test_stories_are_added_one_after_the_other(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sa");
	struct ask ask = enter(t, &a, "PAY-1 Refund");
	assert_asks(ask, ASK_ADD_STORY, "PAY-1 Refund");
	assert_string_equal(ask.id, "");
	assert_message(t, &a, " New story:");
	assert_asks(enter(t, &a, "PAY-2"), ASK_ADD_STORY, "PAY-2");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, "");
	(void)type(t, &a, "i");
	ask = enter(t, &a, "behind");
	assert_asks(ask, ASK_ADD_STORY, "behind");
	assert_string_equal(ask.id, a.stories[1].story_id.data);
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	assert_asks(enter(t, &a, ":add from the table"), ASK_ADD_STORY, "from the table");
	assert_message(t, &a, "");
	tui_destroy(t);
}

static void test_stories_are_changed_moved_skipped_and_removed(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Se");
	assert_message(t, &a, " Title: two");
	struct ask ask = enter(t, &a, "!");
	assert_asks(ask, ASK_RENAME_STORY, "two!");
	assert_string_equal(ask.id, a.stories[1].story_id.data);
	ask = type(t, &a, "J");
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[1].story_id.data);
	assert_string_equal(ask.other, a.stories[2].story_id.data);
	assert_false(ask.is_on);
	ask = type(t, &a, "K");
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.other, a.stories[0].story_id.data);
	assert_true(ask.is_on);
	ask = type(t, &a, "s");
	assert_asks(ask, ASK_MARK_STORY, "skipped");
	(void)tui_take_key(t, &a.r, TUI_KEY_END);
	assert_asks(type(t, &a, "s"), ASK_MARK_STORY, "todo");
	assert_asks(type(t, &a, "J"), ASK_NOTHING, NULL);
	ask = type(t, &a, "d");
	assert_asks(ask, ASK_REMOVE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[3].story_id.data);
	assert_asks(type(t, &a, "u"), ASK_NOTHING, NULL);
	assert_message(t, &a, " No story was removed");
	a_room_remove(&a, 1);
	ask = type(t, &a, "u");
	assert_asks(ask, ASK_RESTORE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[3].story_id.data);
	tui_destroy(t);
}

static void test_the_focus_stays_on_its_story_while_others_move(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sj");
	struct story_view third = a.stories[2];
	a.stories[2] = a.stories[0];
	a.stories[0] = third;
	struct ask ask = type(t, &a, "s");
	assert_string_equal(ask.id, third.story_id.data);
	a.stories[0] = a.stories[3]; /* and it is gone */
	a.r.stories.n = 3;
	ask = type(t, &a, "s");
	assert_asks(ask, ASK_MARK_STORY, NULL);
	assert_string_equal(ask.id, a.stories[0].story_id.data);
	tui_destroy(t);
}

/* ---- history ---- */

static void test_history_is_asked_for_page_by_page(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	char cursor[] = "8";
	struct round_history rounds = {.items = items, .n = 2, .cursor = cursor};
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "h"), ASK_HISTORY, "");
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	tui_set_rounds(t, &rounds);
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "j"), ASK_HISTORY, "8");
	rounds.cursor = NULL;
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "q"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "5"), ASK_VOTE, "5");
	tui_destroy(t);
}

/* What the screen wants once it is drawn in that size. */
static struct ask wants(struct tui *t, const struct a_room *a, int width, int height)
{
	struct grid g = {0};
	assert_int_equal(grid_resize(&g, width, height), OK);
	tui_draw(t, &a->r, &g);
	grid_finish(&g);
	return tui_wants(t, &a->r);
}

static void test_history_is_fetched_where_there_is_a_place_for_it(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	struct tui *t = open_tui();
	assert_asks(wants(t, &a, 80, 24), ASK_NOTHING, NULL);
	struct ask ask = wants(t, &a, 200, 60);
	assert_asks(ask, ASK_HISTORY, "");
	assert_true(ask.number > 20);
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL); /* it is on its way */
	assert_asks(type(t, &a, "h"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "q"), ASK_NOTHING, NULL);
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL);
	a.r.room.round++; /* hidden cards bring no history */
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL);
	tui_destroy(t);
}

static void test_history_is_kept_fresh_after_each_reveal_and_settling(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	char cursor[] = "8";
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	struct tui *t = open_tui();
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	tui_set_rounds(t, &rounds);
	init_session(&a, true);
	struct ask ask = wants(t, &a, 120, 40);
	assert_asks(ask, ASK_HISTORY, "");
	assert_int_equal(ask.number, 3);
	tui_set_rounds(t, &rounds);
	a.r.room.outcome = slice_str("5");
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 120, 40), ASK_NOTHING, NULL);
	tui_set_link(t, LINK_LOST);
	assert_asks(wants(t, &a, 120, 40), ASK_NOTHING, NULL);
	tui_set_link(t, LINK_LIVE);
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	rounds.cursor = cursor; /* and what it lacks of what is shown */
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "8");
	tui_destroy(t);
}

static void test_news_in_front_do_not_move_the_round_that_is_looked_at(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	a.r.stories.n = 0;
	struct round_view ten = {.n = 10}, nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_view *more[] = {&ten, &nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	struct round_history later = {.items = more, .n = 3};
	struct tui *t = open_tui();
	(void)type(t, &a, "h");
	tui_set_rounds(t, &rounds);
	(void)type(t, &a, "j");
	tui_set_rounds(t, &later);
	assert_row(
		t, &a, 4,
		" >  8  Quick vote                                                          open");
	tui_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_command_names_its_story_by_number),
		cmocka_unit_test(test_a_command_without_a_number_means_a_story_that_is_in_sight),
		cmocka_unit_test(test_arrows_and_enter_choose_a_story),
		cmocka_unit_test(test_choosing_asks_where_votes_would_go_unseen),
		cmocka_unit_test(test_stories_are_added_one_after_the_other),
		cmocka_unit_test(test_stories_are_changed_moved_skipped_and_removed),
		cmocka_unit_test(test_the_focus_stays_on_its_story_while_others_move),
		cmocka_unit_test(test_history_is_asked_for_page_by_page),
		cmocka_unit_test(test_history_is_fetched_where_there_is_a_place_for_it),
		cmocka_unit_test(test_history_is_kept_fresh_after_each_reveal_and_settling),
		cmocka_unit_test(test_news_in_front_do_not_move_the_round_that_is_looked_at),
	};
	return cmocka_run_group_tests_name("tui of stories", tests, NULL, NULL);
}
