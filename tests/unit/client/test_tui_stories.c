/*
 * test_tui_stories.c - keys and commands for what is voted on, and what was:
 * stories and history.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/model/room/round_history.h"

/* ---- stories ---- */

VOTING_TEST(test_a_command_names_its_story)
{
	(void)type(t, a, ":select 3");
	struct act act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_nothing(act); /* cards lie there: that is a question */
	act = type(t, a, "y");
	assert_request(act, METHOD_STORY_SELECT, "story_id",
		       replica_story_at(&a->r, 2)->story_id.data, NULL);
	(void)type(t, a, ":edit 2 A better title");
	act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_STORY_UPDATE, "title", "A better title", "story_id",
		       replica_story_at(&a->r, 1)->story_id.data, NULL);
	(void)type(t, a, ":down 1");
	act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_STORY_MOVE, "after", replica_story_at(&a->r, 1)->story_id.data,
		       NULL);
	assert_refused(t, a, ":remove 99", "No story 99");
	assert_refused(t, a, ":remove it", "No story it");
	assert_refused(t, a, ":remove 2 now", "No story 2 now");
}

VOTING_TEST(test_a_command_without_a_number_means_a_story_that_is_in_sight)
{
	const char *voted_on = a->r.room.story_id.data;
	struct act act = enter(t, a, ":skip");
	assert_request(act, METHOD_STORY_UPDATE, "status", "skipped", "story_id", voted_on, NULL);
	a->r.room.story_id = (struct slice){0};
	assert_refused(t, a, ":remove", "Which story? Start with its number or key");
	(void)type(t, a, "S");
	assert_request(enter(t, a, ":remove"), METHOD_STORY_REMOVE, NULL);
}

VOTING_TEST(test_a_key_is_typed_completed_and_found)
{
	a->stories[0].key = SLICE("PAY-101");
	a->stories[1].key = SLICE("PAY-107");
	(void)type(t, a, ":remove pay");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :remove PAY-10");
	assert_request(enter(t, a, "1"), METHOD_STORY_REMOVE, "story_id",
		       a->stories[0].story_id.data, NULL);
	assert_request(enter(t, a, ":key pay-107 #7"), METHOD_STORY_UPDATE, "key", "#7", "story_id",
		       a->stories[1].story_id.data, NULL);
}

REVEALED_TEST(test_arrows_and_V_choose_a_story)
{
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN); /* from the one that is voted on */
	struct act act = type(t, a, "V");
	assert_request(act, METHOD_STORY_SELECT, "story_id", a->stories[2].story_id.data, NULL);
	assert_nothing(type(t, a, "R")); /* back at the table */
	assert_message(t, a, " Already revealed");
}

REVEALED_TEST(test_a_filter_is_kept_by_enter_and_cleared_by_escape)
{
	(void)type(t, a, "S/F");
	assert_row(
		t, a, 2,
		" >  4  four                                                             skipped");
	assert_row(t, a, 3, "");
	(void)type(t, a, "x"); /* nothing has that: all are shown */
	assert_row(
		t, a, 3,
		" >▸ 2  two                                                               voting");
	assert_below(t, a, " No line contains Fx: showing all");
	(void)tui_take_key(t, &a->r, TUI_KEY_BACKSPACE);
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_message(t, a, " Filter: F · 1 of 4");
	assert_request(type(t, a, ">"), METHOD_STORY_UPDATE, "status", "todo", "story_id",
		       a->stories[3].story_id.data, NULL);
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ESCAPE));
	assert_message(t, a, "");
	assert_row(
		t, a, 5,
		" >  4  four                                                             skipped");
	(void)type(t, a, "/one");
	assert_row(t, a, 3, "");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ESCAPE));
	assert_row(
		t, a, 5,
		" >  4  four                                                             skipped");
	(void)type(t, a, "/");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("one")));
	assert_row(t, a, 3, "");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(enter(t, a, ":filter thr"));
	assert_request(type(t, a, "V"), METHOD_STORY_SELECT, "story_id",
		       a->stories[2].story_id.data, NULL);
	assert_refused(t, a, ":filter one", "No list to filter here");
}

TEST(test_every_list_has_the_same_keys)
{
	/* The last line of each, and the one that a text is in. */
	static const struct {
		const char *opened;
		const char *filter;
		const char *found;
		const char *last;
	} lists[] = {
		{"S", "thr", "three", "four"},
		{"P", "LOBBY", "obby", "asscode"},
		{"o", "mou", "mouse", ""},
		{"K", "lin", "Linus", "Linus"},
	};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct a_room a;
		struct grid g = {0};
		init_session(&a, true);
		grid_resize(&g, 80, 24);
		struct tui *t = open_tui();
		(void)type(t, &a, lists[i].opened);
		tui_follow(t, &a.r);
		tui_draw(t, &a.r, &g);
		int first = g.cursor_y;
		(void)tui_take_key(t, &a.r, TUI_KEY_HOME);
		(void)type(t, &a, "j");
		tui_follow(t, &a.r);
		tui_draw(t, &a.r, &g);
		assert_true(g.cursor_y >= first - 1);
		(void)tui_take_key(t, &a.r, TUI_KEY_END);
		tui_follow(t, &a.r);
		tui_draw(t, &a.r, &g);
		int last = g.cursor_y;
		char *row = row_from_below(t, &a, 23 - last);
		assert_non_null(strstr(row, lists[i].last));
		free(row);
		(void)tui_take_key(t, &a.r, TUI_KEY_PAGE_UP);
		(void)type(t, &a, "kkkkkkkkkkkkkkkkkk");
		tui_follow(t, &a.r);
		tui_draw(t, &a.r, &g);
		assert_true(g.cursor_y < last || last == first);
		(void)type(t, &a, "/");
		(void)enter(t, &a, lists[i].filter);
		tui_follow(t, &a.r);
		tui_draw(t, &a.r, &g);
		row = row_from_below(t, &a, 23 - g.cursor_y);
		assert_non_null(strstr(row, lists[i].found));
		free(row);
		assert_int_equal(g.cursor_y, 2);
		grid_finish(&g);
		tui_destroy(t);
	}
}

VOTING_TEST(test_choosing_asks_where_votes_would_go_unseen)
{
	(void)type(t, a, "Sj");
	assert_nothing(type(t, a, "V"));
	assert_message(t, a, " Vote on three? 1 vote was not revealed. y / n");
	struct act act = type(t, a, "y");
	assert_request(act, METHOD_STORY_SELECT, "story_id", a->stories[2].story_id.data, NULL);
	assert_nothing(enter(t, a, ":quick"));
	act = type(t, a, "y");
	assert_request(act, METHOD_STORY_SELECT, "story_id", "(nil)", NULL);
}

VOTING_TEST(test_stories_are_added_one_after_the_other)
{
	(void)type(t, a, "Sa");
	struct act act = enter(t, a, "PAY-1 Refund");
	assert_request(act, METHOD_STORY_ADD, "title", "PAY-1 Refund", "after", "(absent)", NULL);
	assert_message(t, a, " New story:");
	assert_request(enter(t, a, "PAY-2"), METHOD_STORY_ADD, "title", "PAY-2", NULL);
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_message(t, a, "");
	(void)type(t, a, "A");
	act = enter(t, a, "behind");
	assert_request(act, METHOD_STORY_ADD, "title", "behind", "after",
		       a->stories[1].story_id.data, NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_request(enter(t, a, ":add from the table"), METHOD_STORY_ADD, "title",
		       "from the table", NULL);
	assert_message(t, a, "");
}

VOTING_TEST(test_stories_are_changed_moved_skipped_and_removed)
{
	(void)type(t, a, "Se");
	assert_message(t, a, " Title: two");
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	struct act act = enter(t, a, "!");
	assert_request(act, METHOD_STORY_UPDATE, "title", "two!", "story_id",
		       a->stories[1].story_id.data, NULL);
	act = type(t, a, "J");
	assert_request(act, METHOD_STORY_MOVE, "story_id", a->stories[1].story_id.data, "after",
		       a->stories[2].story_id.data, "before", "(absent)", NULL);
	act = type(t, a, "K");
	assert_request(act, METHOD_STORY_MOVE, "before", a->stories[0].story_id.data, "after",
		       "(absent)", NULL);
	act = type(t, a, ">");
	assert_request(act, METHOD_STORY_UPDATE, "status", "skipped", NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	assert_request(type(t, a, ">"), METHOD_STORY_UPDATE, "status", "todo", NULL);
	assert_nothing(type(t, a, "J"));
	act = type(t, a, "d");
	assert_request(act, METHOD_STORY_REMOVE, "story_id", a->stories[3].story_id.data, NULL);
	assert_nothing(type(t, a, "u"));
	assert_message(t, a, " No removed story");
	a_room_remove(a, 1);
	act = type(t, a, "u");
	assert_request(act, METHOD_STORY_RESTORE, "story_id", a->stories[3].story_id.data, NULL);
}

/* The server refuses it, and a second d must not meet another story. */
VOTING_TEST(test_the_cursor_stays_on_the_story_voted_on_that_is_to_be_removed)
{
	(void)type(t, a, "S");
	struct act act = type(t, a, "d");
	assert_request(act, METHOD_STORY_REMOVE, "story_id", a->stories[1].story_id.data, NULL);
	act = type(t, a, "d");
	assert_request(act, METHOD_STORY_REMOVE, "story_id", a->stories[1].story_id.data, NULL);
}

/* Those behind it move up. */
static void take_away(struct a_room *a, size_t at)
{
	for (; at + 1 < a->r.stories.n; at++) {
		a->stories[at] = a->stories[at + 1];
	}
	a->r.stories.n--;
}

VOTING_TEST(test_after_a_story_is_removed_the_one_behind_it_has_the_cursor)
{
	struct slice third = a->stories[2].story_id;
	(void)type(t, a, "Sjk");
	a->r.room.story_id = (struct slice){0}; /* the one that is voted on cannot be removed */
	assert_request(type(t, a, "d"), METHOD_STORY_REMOVE, "story_id",
		       a->stories[1].story_id.data, NULL);
	take_away(a, 1);
	const struct story_view other = a->stories[0];
	a->stories[0] = a->stories[1]; /* somebody moves it up meanwhile */
	a->stories[1] = other;
	assert_request(type(t, a, ">"), METHOD_STORY_UPDATE, "story_id", third.data, NULL);
	a->stories[1] = a->stories[0];
	a->stories[0] = other;
	(void)tui_take_key(t, &a->r, TUI_KEY_END); /* behind the last there is none */
	assert_request(type(t, a, "d"), METHOD_STORY_REMOVE, "story_id",
		       a->stories[2].story_id.data, NULL);
	take_away(a, 2);
	assert_request(type(t, a, ">"), METHOD_STORY_UPDATE, "story_id", third.data, NULL);
}

VOTING_TEST(test_the_focus_stays_on_its_story_while_others_move)
{
	(void)type(t, a, "Sj");
	struct story_view third = a->stories[2];
	a->stories[2] = a->stories[0];
	a->stories[0] = third;
	struct act act = type(t, a, ">");
	assert_request(act, METHOD_STORY_UPDATE, "story_id", third.story_id.data, NULL);
	a->stories[0] = a->stories[3]; /* and it is gone */
	a->r.stories.n = 3;
	act = type(t, a, ">");
	assert_request(act, METHOD_STORY_UPDATE, "story_id", a->stories[0].story_id.data, NULL);
}

/* ---- history ---- */

VOTING_TEST(test_history_is_asked_for_page_by_page)
{
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	char cursor[] = "8";
	struct round_history rounds = {.items = items, .n = 2, .cursor = cursor};
	assert_request(type(t, a, "h"), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	assert_nothing(type(t, a, "j"));
	tui_set_rounds(t, &rounds);
	assert_nothing(type(t, a, "j"));
	assert_request(type(t, a, "j"), METHOD_ROUND_LIST, "cursor", "8", NULL);
	rounds.cursor = NULL;
	assert_nothing(type(t, a, "j"));
	assert_nothing(type(t, a, "q"));
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
}

/* What the screen wants once it is drawn in that size. */
static struct act wants(struct tui *t, const struct a_room *a, int width, int height)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	grid_finish(&g);
	return tui_wants(t, &a->r);
}

VOTING_TEST(test_history_is_fetched_where_there_is_a_place_for_it)
{
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	assert_nothing(wants(t, a, 80, 24));
	struct act act = wants(t, a, 200, 60);
	assert_request(act, METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	assert_true(((const struct page_params *)act.request->params)->limit > 20);
	assert_nothing(wants(t, a, 200, 60)); /* it is on its way */
	assert_nothing(type(t, a, "h"));
	assert_nothing(type(t, a, "q"));
	tui_set_rounds(t, &rounds);
	assert_nothing(wants(t, a, 200, 60));
	a->r.room.round++; /* hidden cards bring no history */
	assert_nothing(wants(t, a, 200, 60));
	a->r.epoch++; /* a restart may have lost some of it */
	assert_request(wants(t, a, 200, 60), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	tui_set_rounds(t, &rounds);
	assert_nothing(wants(t, a, 200, 60));
}

VOTING_TEST(test_history_is_kept_fresh_after_each_reveal_and_settling)
{
	char cursor[] = "8";
	struct round_view nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	assert_request(wants(t, a, 120, 40), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	tui_set_rounds(t, &rounds);
	init_session(a, true);
	struct act act = wants(t, a, 120, 40);
	assert_request(act, METHOD_ROUND_LIST, "cursor", "(absent)", "limit", "3", NULL);
	tui_set_rounds(t, &rounds);
	a->r.room.outcome = slice_str("5");
	assert_request(wants(t, a, 120, 40), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	tui_set_rounds(t, &rounds);
	assert_nothing(wants(t, a, 120, 40));
	tui_set_link(t, LINK_LOST);
	assert_nothing(wants(t, a, 120, 40));
	tui_set_link(t, LINK_LIVE);
	assert_request(wants(t, a, 120, 40), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	rounds.cursor = cursor; /* and what it lacks of what is shown */
	tui_set_rounds(t, &rounds);
	assert_request(wants(t, a, 120, 40), METHOD_ROUND_LIST, "cursor", "8", NULL);
}

VOTING_TEST(test_news_in_front_do_not_move_the_round_that_is_looked_at)
{
	a->r.stories.n = 0;
	struct round_view ten = {.n = 10}, nine = {.n = 9}, eight = {.n = 8};
	struct round_view *items[] = {&nine, &eight};
	struct round_view *more[] = {&ten, &nine, &eight};
	struct round_history rounds = {.items = items, .n = 2};
	struct round_history later = {.items = more, .n = 3};
	(void)type(t, a, "h");
	tui_set_rounds(t, &rounds);
	(void)type(t, a, "j");
	tui_set_rounds(t, &later);
	assert_row(
		t, a, 4,
		" >  8  Quick vote                                                   not settled");
}
