/*
 * test_screens_backlog.c - a backlog as a table: keys in, requests and screens out. The screens are
 * compared with tests/tui/screens/, as in test_screens.c.
 */
#include "tests/unit/client/screen_files.h"
#include "tests/unit/client/teams_kit.h"

static struct item_view an_item(const char *id, const char *name)
{
	return (struct item_view){.item_id = slice_str(id),
				  .name = slice_str(name),
				  .category = SLICE(ITEM_CATEGORY_USUAL),
				  .revision = 1};
}

/* The backlog is open, with these items and perhaps more behind them. */
static void take(struct some_teams *s, struct item_view *items, size_t n, const char *cursor)
{
	answer(s, &(struct item_list_result){
			  .items = items, .items_n = n, .cursor = slice_str(cursor), .version = 1});
}

/* What an estimated story, food, and a plain task look like. */
static void five_items(struct some_teams *s, bool ascii)
{
	const int64_t day_ms = INT64_C(24) * HOUR_MS;
	const int64_t today = A_NOW - A_NOW % day_ms;
	struct item_view items[] = {
		an_item("i_1", "Refund a split payment"),
		an_item("i_2", "milk"),
		an_item("i_3", "Export of all that is in a room, for whoever wants to go elsewhere "
			       "with it"),
		an_item("i_4", "Bread"),
		an_item("i_5", "見積もりの表を直す"),
	};
	items[0].quantity = SLICE("5");
	items[0].unit = SLICE("points");
	items[0].category = SLICE("payments");
	items[0].note =
		SLICE("Two cards and a voucher, where the voucher is used up first.\nSee PAY-105.");
	items[1].quantity = SLICE("12.5");
	items[1].unit = SLICE("l");
	items[1].category = SLICE("food");
	items[1].expiry = today + 3 * day_ms;
	items[3].quantity = SLICE("999999999999.99");
	items[3].unit = SLICE("slices of the loaf");
	items[3].category = SLICE("food");
	items[3].expiry = today - day_ms;
	a_team(s, ascii);
	(void)key(s, TUI_KEY_ENTER);
	take(s, items, 5, "");
}

#define ITEMS_TEST(name, s) \
	TEST_OF(name, struct some_teams, s, five_items(s, false), teams_test_close(s))
#define TEAM_TEST(name, s) \
	TEST_OF(name, struct some_teams, s, a_team(s, false), teams_test_close(s))

/* ---- the table ---- */

TEAM_TEST(test_an_empty_backlog_says_how_to_fill_it, s)
{
	(void)key(s, TUI_KEY_ENTER);
	assert_says(s, "Loading");
	assert_request(wants_list(s), METHOD_ITEM_LIST, "container_id", "c_AAAAAAAAAA", "cursor",
		       "(absent)", NULL);
	take(s, NULL, 0, "");
	assert_pages(s, "backlog-empty");
	assert_nothing(type(s, "e"));
	assert_says(s, "Nothing here yet");
}

ITEMS_TEST(test_a_backlog_is_a_table, s)
{
	assert_pages(s, "backlog");
	(void)key(s, TUI_KEY_DOWN);
	for (int i = 0; i < 4; i++) {
		(void)key(s, TUI_KEY_RIGHT);
	}
	assert_pages(s, "backlog-expiry");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_says(s, "[Backlogs]");
}

/* Stories of a sprint: there is nothing to say of unit, category and expiry, unless one goes there. */
TEAM_TEST(test_a_backlog_shows_the_columns_that_it_uses, s)
{
	struct item_view items[] = {
		an_item("i_1", "PAY-101 Show the balance, also of accounts that are closed"),
		an_item("i_2", "PAY-102 Say \"thank you\" after a payment"),
		an_item("i_3", "PAY-103 Refund"),
	};
	for (size_t i = 0; i < 2; i++) {
		items[i].quantity = i == 0 ? SLICE("8") : SLICE("5");
		items[i].unit = SLICE("points");
	}
	(void)key(s, TUI_KEY_ENTER);
	take(s, items, 3, "");
	assert_pages(s, "backlog-estimates");
	(void)key(s, TUI_KEY_RIGHT);
	(void)type(s, "z");
	assert_says(s, "By estimate");
	(void)key(s, TUI_KEY_RIGHT);
	assert_says(s, "estimate  unit\n");
	(void)key(s, TUI_KEY_RIGHT);
	assert_says(s, "estimate  category\n");
	(void)key(s, TUI_KEY_LEFT);
	items[2].quantity = SLICE("2");
	items[2].unit = SLICE("l");
	rows_put(&s->teams.lists[TEAM_ITEMS].rows, &items[2]);
	(void)key(s, TUI_KEY_LEFT);
	(void)key(s, TUI_KEY_LEFT);
	assert_says(s, "quantity  unit\n");
}

TEST(test_a_backlog_in_ascii_needs_no_more)
{
	struct some_teams s;
	five_items(&s, true);
	assert_sizes(s.tui, s.none, "backlog-ascii", SIZES({80, 24}, {40, 12}));
	teams_test_close(&s);
}

TEAM_TEST(test_a_long_backlog_is_read_page_by_page, s)
{
	enum { PAGE = 256 };
	struct item_view items[PAGE];
	char ids[PAGE][8];
	(void)key(s, TUI_KEY_ENTER);
	for (size_t page = 0; page < 2; page++) {
		for (size_t i = 0; i < PAGE; i++) {
			(void)snprintf(ids[i], sizeof(ids[i]), "i_%04zu", page * PAGE + i);
			items[i] = an_item(ids[i], ids[i]);
		}
		take(s, items, PAGE, "next");
		assert_nothing(wants_list(s));
		(void)key(s, TUI_KEY_END);
		assert_request(wants_list(s), METHOD_ITEM_LIST, "cursor", "next", NULL);
	}
	assert_int_equal(teams_rows(&s->teams, TEAM_ITEMS)->n, 2 * PAGE);
	(void)type(s, "z");
	assert_says(s, "by name");
	assert_says(s, "of those loaded so far");
}

/* ---- order ---- */

/* The names from the top, as they begin. */
static void assert_order(struct some_teams *s, const char *first, const char *second,
			 const char *last)
{
	char *text = screen_text(s->tui, s->none, 120, 24);
	const char *a = strstr(text, first);
	const char *b = strstr(text, second);
	const char *c = strstr(text, last);
	if (a == NULL || b == NULL || c == NULL || a > b || b > c) {
		fail_msg("%s, %s, %s are not in this order:\n%s", first, second, last, text);
	}
	free(text);
}

ITEMS_TEST(test_items_are_sorted_by_the_field_under_the_cursor, s)
{
	(void)type(s, "z");
	assert_order(s, "Bread", "Export", "milk");
	assert_says(s, "> Refund"); /* the cursor stays on its item */
	(void)type(s, "z");
	assert_order(s, "milk", "Export", "Bread");
	(void)type(s, "z");
	assert_order(s, "Refund", "milk", "Export");
	(void)key(s, TUI_KEY_RIGHT);
	(void)type(s, "z");
	assert_order(s, "Refund", "milk", "Bread"); /* numbers, and none last */
	assert_order(s, "milk", "Bread", "Export");
	(void)type(s, "z");
	assert_pages(s, "backlog-sorted");
}

ITEMS_TEST(test_items_are_filtered_by_any_field, s)
{
	(void)type(s, "/food\n");
	assert_says(s, "Filter: food · 2 of 5");
	assert_order(s, "30 items", "> milk", "Bread");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_says(s, "Refund");
}

/* ---- changes ---- */

ITEMS_TEST(test_a_field_is_changed_in_its_place, s)
{
	(void)type(s, "e refunds");
	assert_pages(s, "backlog-typing");
	struct act act = key(s, TUI_KEY_ENTER);
	assert_request(act, METHOD_ITEM_UPDATE, "container_id", "c_AAAAAAAAAA", "item_id", "i_1",
		       "name", "refunds", "quantity", "(absent)", NULL);
	done(s, act, &(struct item_result){.item_id = SLICE("i_1"), .revision = 2});
	assert_says(s, "> refunds");
	assert_says(s, "points"); /* what was not changed stays */
	(void)key(s, TUI_KEY_RIGHT);
	assert_nothing(type(s, "e1.005\n"));
	assert_says(s, "1.005 has more than two decimals");
	(void)key(s, TUI_KEY_ESCAPE);
	(void)type(s, "e");
	(void)key(s, TUI_KEY_BACKSPACE);
	act = key(s, TUI_KEY_ENTER);
	assert_request(act, METHOD_ITEM_UPDATE, "quantity", "(nil)", "name", "(absent)", NULL);
	done(s, act, &(struct item_result){.item_id = SLICE("i_1"), .revision = 3});
	assert_nothing(type(s, "+"));
	assert_says(s, "No quantity yet. Set one in its column first");
}

ITEMS_TEST(test_a_category_and_a_day_are_typed_as_people_do, s)
{
	(void)key(s, TUI_KEY_DOWN);
	for (int i = 0; i < 3; i++) {
		(void)key(s, TUI_KEY_RIGHT);
	}
	(void)type(s, "e");
	for (int i = 0; i < 4; i++) {
		(void)key(s, TUI_KEY_BACKSPACE);
	}
	assert_request(key(s, TUI_KEY_ENTER), METHOD_ITEM_UPDATE, "item_id", "i_2", "category",
		       "none", NULL);
	(void)key(s, TUI_KEY_RIGHT);
	assert_nothing(type(s, "e24.12.\n"));
	assert_says(s, "24.12. is not a day or a time from now: use 2026-12-24, 7d or 12h");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_request(type(s, "e2026-12-24\n"), METHOD_ITEM_UPDATE, "item_id", "i_2", "expiry",
		       "1798070400000", NULL);
}

ITEMS_TEST(test_items_are_added_one_after_the_other, s)
{
	struct act act = type(s, "aButter\n");
	assert_request(act, METHOD_ITEM_ADD, "container_id", "c_AAAAAAAAAA", "name", "Butter",
		       NULL);
	done(s, act, &(struct item_result){.item_id = SLICE("i_6"), .revision = 1});
	assert_says(s, "Butter");
	assert_says(s, "New item:");
	assert_request(type(s, "Jam\n"), METHOD_ITEM_ADD, "name", "Jam", NULL);
	assert_nothing(key(s, TUI_KEY_ENTER));
}

ITEMS_TEST(test_a_quantity_goes_up_and_down, s)
{
	struct act act = type(s, "j+");
	assert_request(act, METHOD_ITEM_ADJUST, "container_id", "c_AAAAAAAAAA", "item_id", "i_2",
		       "by", "1", NULL);
	done(s, act, &(struct item_adjust_result){.quantity = SLICE("13.5"), .revision = 2});
	assert_request(type(s, "-"), METHOD_ITEM_ADJUST, "item_id", "i_2", "by", "-1", NULL);
	assert_request(type(s, ":item-adjust -1.5\n"), METHOD_ITEM_ADJUST, "item_id", "i_2", "by",
		       "-1.5", NULL);
}

/* The backlogs have rows too, with ids of their own. */
TEAM_TEST(test_items_are_changed_only_in_their_backlog, s)
{
	static const char *const lines[] = {":item-name X\n",	 ":item-quantity 2\n",
					    ":item-unit l\n",	 ":item-category food\n",
					    ":item-expiry 7d\n", ":item-adjust 1\n",
					    ":item-sort\n"};
	assert_says(s, "[Backlogs]");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_nothing(type(s, lines[i]));
		assert_says(s, "Open a backlog first: press T");
		(void)key(s, TUI_KEY_ESCAPE); /* the line is open again */
		assert_says(s, "[Backlogs]");
	}
}

ITEMS_TEST(test_an_estimate_goes_up_and_down_after_a_question, s)
{
	assert_nothing(type(s, "+"));
	assert_says(s, "Refund a split payment is estimated at 5. Change it? y / n");
	assert_nothing(type(s, "n"));
	assert_nothing(type(s, "-"));
	assert_request(type(s, "y"), METHOD_ITEM_ADJUST, "item_id", "i_1", "by", "-1", NULL);
}

ITEMS_TEST(test_an_item_is_removed_after_a_question, s)
{
	assert_nothing(type(s, "jd"));
	assert_says(s, "Delete milk? This cannot be undone.");
	struct act act = type(s, "y");
	assert_request(act, METHOD_ITEM_REMOVE, "container_id", "c_AAAAAAAAAA", "item_id", "i_2",
		       NULL);
	done(s, act, &(struct nothing){0});
	assert_says(s, "> Export");
}

ITEMS_TEST(test_a_note_is_written_in_lines_and_kept_where_others_were_faster, s)
{
	(void)type(s, "\n");
	assert_pages(s, "item-note");
	(void)type(s, "!");
	struct act act = key(s, TUI_KEY_ESCAPE);
	assert_request(
		act, METHOD_ITEM_UPDATE, "item_id", "i_1", "if_revision", "1", "note",
		"Two cards and a voucher, where the voucher is used up first.\nSee PAY-105.!",
		NULL);
	tui_take_refusal(s->tui, METHOD_ITEM_UPDATE);
	assert_says(s, "See PAY-105.!");
	assert_request(key(s, 19), METHOD_ITEM_UPDATE, "if_revision", "(absent)", NULL);
	(void)type(s, "\n");
	assert_nothing(key(s, TUI_KEY_ESCAPE)); /* nothing was changed */
}

/* ---- what others change ---- */

static struct container_update an_update(int64_t since)
{
	return (struct container_update){.since = since,
					 .version = since + 1,
					 .epoch = 1,
					 .container_id = SLICE("c_AAAAAAAAAA")};
}

ITEMS_TEST(test_what_others_change_is_seen_at_once, s)
{
	struct item_view items[] = {an_item("i_1", "Refund half a payment"), an_item("i_9", "Tea")};
	struct slice gone = SLICE("i_2");
	struct container_update up = an_update(1);
	up.items = items;
	up.items_n = 2;
	up.gone = (struct slices){&gone, 1};
	up.container = (struct container_entry){.container_id = up.container_id,
						.container_name = SLICE("Next sprint"),
						.items = 31};
	up.with_container = true;
	(void)type(s, "j");
	assert_false(teams_take_container_update(&s->teams, &up));
	assert_says(s, "Next sprint · 31 items");
	assert_order(s, "Refund half a payment", "Export", "Tea");
	assert_says(s, "> Export"); /* the item under the cursor is gone: the next one has it */
	assert_nothing(wants_list(s));
}

static void assert_read_again(struct some_teams *s, const struct container_update *up)
{
	assert_false(teams_take_container_update(&s->teams, up));
	assert_request(wants(s), METHOD_CONTAINER_WATCH, "container_id", "c_AAAAAAAAAA", NULL);
	assert_request(wants_list(s), METHOD_ITEM_LIST, "cursor", "(absent)", NULL);
}

ITEMS_TEST(test_what_was_missed_is_read_again, s)
{
	struct container_update up = an_update(7);
	assert_read_again(s, &up);
}

ITEMS_TEST(test_what_follows_in_another_epoch_is_read_again, s)
{
	struct item_view item = an_item("i_9", "Tea");
	struct container_update up = an_update(1);
	up.epoch = 2;
	up.items = &item;
	up.items_n = 1;
	assert_read_again(s, &up);
}

ITEMS_TEST(test_what_the_server_could_not_send_is_read_again, s)
{
	struct container_update up = an_update(1);
	up.reset = true;
	assert_read_again(s, &up);
}

ITEMS_TEST(test_a_backlog_that_was_deleted_is_left, s)
{
	struct container_update up = an_update(1);
	up.is_deleted = true;
	assert_true(teams_take_container_update(&s->teams, &up));
	tui_take_team_change(s->tui, METHOD_CONTAINER_DELETE);
	assert_says(s, "The backlog was deleted");
	assert_says(s, "[Backlogs]");
}

ITEMS_TEST(test_another_backlog_is_watched_in_place_of_the_one_before, s)
{
	(void)key(s, TUI_KEY_ESCAPE);
	(void)type(s, "j\n");
	struct act act = wants(s);
	assert_request(act, METHOD_CONTAINER_UNWATCH, "container_id", "c_AAAAAAAAAA", NULL);
	feed_sent(act.feed, act.request);
	assert_request(wants(s), METHOD_CONTAINER_WATCH, "container_id", "c_BBBBBBBBBB", NULL);
}

/* ---- in a room ---- */

/* A room of the team with the backlog, one of whose items is a story already. */
struct at_table {
	struct a_room room;
	struct teams teams;
	struct inbox inbox;
	struct tui *tui;
};

static void table_open(struct at_table *x)
{
	teams_init(&x->teams);
	x->teams.is_open = true;
	a_room_init(&x->room, "Sprint 42");
	a_room_seat(&x->room, "Ada", IS_ME | IS_HOST, NULL);
	struct story_view *s = a_room_story(&x->room, "milk", STORY_DONE, "8");
	s->item = (struct item_ref){.container_id = SLICE("c_AAAAAAAAAA"), .item_id = SLICE("i_2")};
	s->with_item = true;
	s->is_unsaved = true;
	s->unsaved_reason = UNSAVED_ITEM_GONE;
	s->with_unsaved_reason = true;
	x->room.r.room.group_id = SLICE("g_AAAAAAAAAA");
	inbox_init(&x->inbox);
	x->tui = tui_create(&(struct tui_options){.teams = &x->teams, .inbox = &x->inbox});
	tui_set_link(x->tui, LINK_LIVE);
	tui_set_now(x->tui, A_NOW);
}

static void table_close(struct at_table *x)
{
	tui_destroy(x->tui);
	inbox_finish(&x->inbox);
	teams_finish(&x->teams);
}

static struct act table_key(struct at_table *x, int32_t k)
{
	return tui_take_key(x->tui, &x->room.r, k);
}

static void table_answer(struct at_table *x, enum method method, const void *result)
{
	free(screen_text(x->tui, &x->room.r, 80, 24));
	struct act act = wants_list_of(x->tui, &x->room.r);
	assert_non_null(act.request);
	assert_int_equal(act.request->method, method);
	answer_to(act, result);
}

#define TABLE_TEST(name, x) TEST_OF(name, struct at_table, x, table_open(x), table_close(x))

/* What is estimated already is behind it; of the old one nobody knows, and of the pantry nothing is asked. */
TABLE_TEST(test_backlogs_with_something_to_estimate_come_first, x)
{
	struct container_entry c[] = {
		{.container_id = SLICE("c_AAAAAAAAAA"),
		 .container_name = SLICE("Pantry"),
		 .items = 2,
		 .with_unestimated = true},
		{.container_id = SLICE("c_BBBBBBBBBB"), .container_name = SLICE("Old"), .items = 9},
		{.container_id = SLICE("c_CCCCCCCCCC"),
		 .container_name = SLICE("Done"),
		 .items = 3,
		 .with_unestimated = true},
		{.container_id = SLICE("c_DDDDDDDDDD"),
		 .container_name = SLICE("Sprint"),
		 .items = 4,
		 .unestimated = 1,
		 .with_unestimated = true},
	};
	struct group_entry g = {.group_id = SLICE("g_AAAAAAAAAA"), .group_name = SLICE("Platform")};
	(void)table_key(x, 'S');
	(void)table_key(x, 'b');
	table_answer(x, METHOD_CONTAINER_LIST,
		     &(struct container_list_result){.containers = c, .containers_n = 4});
	table_answer(x, METHOD_GROUP_LIST,
		     &(struct group_list_result){.groups = &g, .groups_n = 1});
	assert_sizes(x->tui, &x->room.r, "sources-sorted", SIZES({80, 24}, {40, 12}));
	(void)table_key(x, TUI_KEY_DOWN);
	(void)table_key(x, TUI_KEY_ENTER);
	assert_string_equal(x->teams.container_id, "c_DDDDDDDDDD");
}

TABLE_TEST(test_in_a_room_of_a_team_items_become_stories, x)
{
	struct container_entry c = {.container_id = SLICE("c_AAAAAAAAAA"),
				    .container_name = SLICE("Sprint backlog"),
				    .items = 2};
	struct group_entry g = {.group_id = SLICE("g_AAAAAAAAAA"), .group_name = SLICE("Platform")};
	struct item_view items[] = {an_item("i_1", "Refund a split payment"),
				    an_item("i_2", "milk")};
	(void)table_key(x, 'S');
	assert_sizes(x->tui, &x->room.r, "stories-unsaved", SIZES({80, 24}, {40, 12}, {200, 60}));
	assert_nothing(table_key(x, 'b'));
	table_answer(x, METHOD_CONTAINER_LIST,
		     &(struct container_list_result){.containers = &c, .containers_n = 1});
	table_answer(x, METHOD_GROUP_LIST,
		     &(struct group_list_result){.groups = &g, .groups_n = 1});
	assert_sizes(x->tui, &x->room.r, "sources", SIZES({80, 24}, {40, 12}, {200, 60}));
	assert_nothing(table_key(x, TUI_KEY_ENTER));
	table_answer(x, METHOD_ITEM_LIST, &(struct item_list_result){.items = items, .items_n = 2});
	assert_sizes(x->tui, &x->room.r, "backlog-in-room", SIZES({80, 24}, {40, 12}, {200, 60}));
	assert_request(table_key(x, 'b'), METHOD_STORY_ADD, "container_id", "c_AAAAAAAAAA",
		       "item_id", "i_1", "title", "(absent)", NULL);
	assert_nothing(table_key(x, 'b')); /* the next one is a story already */
	for (int i = 0; i < 3; i++) {
		(void)table_key(x, TUI_KEY_ESCAPE);
	}
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_non_null(strstr(text, "Sprint 42"));
	free(text);
}

static void assert_table_says(struct at_table *x, const char *words)
{
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	if (strstr(text, words) == NULL) {
		fail_msg("\"%s\" is not on the screen:\n%s", words, text);
	}
	free(text);
}

/* The inbox lies over a backlog; of teams one is open, whose pages are left before another is chosen. */
TABLE_TEST(test_in_a_backlog_of_the_room_i_T_and_I_are_what_they_are_elsewhere, x)
{
	struct container_entry c = {.container_id = SLICE("c_AAAAAAAAAA"),
				    .container_name = SLICE("Sprint backlog")};
	struct item_view item = an_item("i_1", "Refund a split payment");
	(void)table_key(x, 'S');
	(void)table_key(x, 'b');
	table_answer(x, METHOD_CONTAINER_LIST,
		     &(struct container_list_result){.containers = &c, .containers_n = 1});
	table_answer(x, METHOD_GROUP_LIST, &(struct group_list_result){.groups_n = 0});
	assert_local(table_key(x, 'I'), LOCAL_COPY);
	assert_table_says(x, "aye join K7QX3M");
	(void)table_key(x, TUI_KEY_ENTER);
	table_answer(x, METHOD_ITEM_LIST, &(struct item_list_result){.items = &item, .items_n = 1});
	assert_local(table_key(x, 'I'), LOCAL_COPY);
	(void)table_key(x, 'i');
	assert_table_says(x, "Inbox");
	(void)table_key(x, TUI_KEY_ESCAPE);
	assert_table_says(x, "Refund a split payment");
	(void)table_key(x, 'i');
	(void)table_key(x, 'T');
	assert_table_says(x, "No teams yet");
	(void)table_key(x, TUI_KEY_ESCAPE);
	assert_table_says(x, "1  milk");
}

TABLE_TEST(test_what_is_counted_in_anything_but_points_becomes_no_story, x)
{
	struct container_entry c = {.container_id = SLICE("c_AAAAAAAAAA"),
				    .container_name = SLICE("Pantry"),
				    .items = 1};
	struct group_entry g = {.group_id = SLICE("g_AAAAAAAAAA"), .group_name = SLICE("Platform")};
	struct item_view oats = an_item("i_7", "Oats");
	oats.quantity = SLICE("1.5");
	oats.unit = SLICE("kg");
	(void)table_key(x, 'S');
	assert_nothing(table_key(x, 'b'));
	table_answer(x, METHOD_CONTAINER_LIST,
		     &(struct container_list_result){.containers = &c, .containers_n = 1});
	table_answer(x, METHOD_GROUP_LIST,
		     &(struct group_list_result){.groups = &g, .groups_n = 1});
	assert_nothing(table_key(x, TUI_KEY_ENTER));
	table_answer(x, METHOD_ITEM_LIST, &(struct item_list_result){.items = &oats, .items_n = 1});
	assert_nothing(table_key(x, 'b'));
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_non_null(strstr(text, "Oats has a quantity: 1.5 kg"));
	free(text);
}

TABLE_TEST(test_a_room_of_no_team_has_no_backlog, x)
{
	x->room.r.room.group_id = (struct slice){0};
	(void)table_key(x, 'S');
	assert_nothing(table_key(x, 'b'));
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_non_null(strstr(text, "This room has no team"));
	assert_null(strstr(text, "b backlog"));
	free(text);
}

TABLE_TEST(test_from_a_room_of_a_team_its_row_leads_back_and_another_does_not, x)
{
	struct group_entry team = {.group_id = SLICE("g_AAAAAAAAAA"),
				   .group_name = SLICE("Payments")};
	struct group_room rooms[] = {{.room_id = SLICE("8SHXB4"), .round = 1},
				     {.room_id = SLICE("K7QX3M"), .round = 1}};
	assert_nothing(table_key(x, 'T'));
	table_answer(x, METHOD_GROUP_LIST,
		     &(struct group_list_result){.groups = &team, .groups_n = 1});
	assert_nothing(table_key(x, TUI_KEY_ENTER));
	table_answer(x, METHOD_GROUP_ROOMS,
		     &(struct group_rooms_result){.rooms = rooms, .rooms_n = 2});
	assert_nothing(table_key(x, TUI_KEY_ENTER));
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_non_null(strstr(text, "Only at home: leave this room first"));
	assert_non_null(strstr(text, "[Rooms]"));
	free(text);
	(void)table_key(x, TUI_KEY_DOWN);
	assert_nothing(table_key(x, TUI_KEY_ENTER));
	text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_null(strstr(text, "[Rooms]"));
	assert_non_null(strstr(text, "your card"));
	free(text);
	assert_request(table_key(x, '2'), METHOD_ROOM_VOTE, "vote", "2", NULL);
}

/* Asked for at home, done when one is in a room by now: its pages are of home. */
TABLE_TEST(test_in_a_room_no_page_of_home_opens_by_a_late_answer, x)
{
	static const enum method late[] = {METHOD_GROUP_CREATE, METHOD_GROUP_JOIN,
					   METHOD_INVITATION_CREATE};
	(void)table_key(x, 'S');
	assert_nothing(table_key(x, 'b'));
	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++) {
		tui_take_team_change(x->tui, late[i]);
		char *text = screen_text(x->tui, &x->room.r, 80, 24);
		assert_non_null(strstr(text, "Backlogs"));
		assert_null(strstr(text, "[Rooms]"));
		assert_null(strstr(text, "An invitation"));
		free(text);
	}
	assert_nothing(table_key(x, TUI_KEY_ESCAPE));
	char *text = screen_text(x->tui, &x->room.r, 80, 24);
	assert_non_null(strstr(text, "Stories"));
	free(text);
}
