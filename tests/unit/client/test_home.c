/*
 * test_home.c - home: the list of rooms, making one, coming into one; keys in,
 * requests and screens out. The screens are compared with tests/tui/screens/, as
 * in test_screens.c.
 */
#include "tests/unit/client/act_kit.h"
#include "tests/unit/client/screen_files.h"

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

#define SERVER "unix:/run/user/1000/aye/ayed.sock"

struct a_home {
	struct recent_rooms recent;
	struct home home;
	struct tui *tui;
	const struct replica *none;
};

static void add(struct a_home *h, const char *room_id, const char *title, const char *name,
		int64_t age_ms)
{
	struct recent_room room = {.server = SERVER, .used_at_ms = A_NOW - age_ms};
	(void)snprintf(room.room_id, sizeof(room.room_id), "%s", room_id);
	(void)snprintf(room.title, sizeof(room.title), "%s", title);
	(void)snprintf(room.name, sizeof(room.name), "%s", name);
	recent_rooms_add(&h->recent, &room);
}

static void home_open(struct a_home *h)
{
	*h = (struct a_home){.home = {.name = "Ada", .server = "your own server"}};
	h->home.recent = &h->recent;
}

static void home_begin(struct a_home *h, bool ascii)
{
	struct tui_options o = {.home = &h->home, .ascii = ascii};
	h->tui = tui_create(&o);
	tui_set_link(h->tui, LINK_LIVE);
	tui_set_now(h->tui, A_NOW);
}

static void home_close(struct a_home *h)
{
	tui_destroy(h->tui);
	recent_rooms_finish(&h->recent);
}

static void add_some(struct a_home *h)
{
	add(h, "K7QX3M", "Sprint 42", "Ada", 20 * 1000);
	add(h, "9WD3PX", "Retro", "Ada", 5 * MINUTE);
	add(h, "A77XJFABCD234567", "The open room of the platform guild", "Ada L.", 3 * HOUR);
	add(h, "HHHHHH", "", "", 30 * (int64_t)HOUR);
	add(h, "BX4TR2", "見積もり 第三回", "Grace", 9 * (int64_t)DAY);
	h->recent.rooms[0].is_host = true;
	h->recent.rooms[3].is_host = true;
	h->recent.rooms[2].is_elsewhere = true;
	(void)snprintf(h->recent.rooms[2].server, sizeof(h->recent.rooms[2].server),
		       "tcp://poker.example:2937");
}

static struct act key(struct a_home *h, int32_t k)
{
	return tui_take_key(h->tui, h->none, k);
}

static struct act type(struct a_home *h, const char *keys)
{
	struct act act = {0};
	for (; *keys != '\0'; keys++) {
		act = key(h, *keys == '\n' ? TUI_KEY_ENTER : *keys);
	}
	return act;
}

static void assert_homes(struct a_home *h, const char *name)
{
	assert_sizes(h->tui, h->none, name, SIZES({80, 24}, {40, 12}, {200, 60}));
}

static void assert_says(struct a_home *h, const char *words)
{
	char *text = screen_text(h->tui, h->none, 120, 24);
	if (strstr(text, words) == NULL) {
		fail_msg("\"%s\" is not on the screen:\n%s", words, text);
	}
	free(text);
}

static void assert_enters(struct act act, const char *room_id, const char *server,
			  const char *passcode)
{
	assert_local(act, LOCAL_ENTER);
	assert_string_equal(act.room_id, room_id);
	assert_string_equal(act.server, server);
	assert_string_equal(act.text, passcode);
}

/* Home as it is at first, with rooms, and before it begins. */
#define HOME_TEST(name, h)  TEST_OF(name, struct a_home, h, home_empty(h), home_close(h))
#define ROOMS_TEST(name, h) TEST_OF(name, struct a_home, h, home_with_rooms(h), home_close(h))
#define BARE_TEST(name, h)  TEST_OF(name, struct a_home, h, home_open(h), home_close(h))

static void home_empty(struct a_home *h)
{
	home_open(h);
	home_begin(h, false);
}

static void home_with_rooms(struct a_home *h)
{
	home_open(h);
	add_some(h);
	home_begin(h, false);
}

/* ---- what is shown ---- */

HOME_TEST(test_at_first_it_says_what_to_press, h)
{
	assert_homes(h, "home-empty");
	assert_nothing(key(h, TUI_KEY_ENTER));
	assert_says(h, "c to create one, j to join one");
}

ROOMS_TEST(test_it_shows_the_rooms_one_was_in, h)
{
	assert_homes(h, "home");
	(void)key(h, TUI_KEY_DOWN);
	(void)key(h, TUI_KEY_DOWN);
	h->home.is_signed_in = true;
	h->home.server = "tcp://poker.example:2937";
	assert_homes(h, "home-signed-in");
}

BARE_TEST(test_in_ascii_nothing_of_ours_needs_more, h)
{
	add_some(h);
	home_begin(h, true);
	assert_sizes(h->tui, h->none, "home-ascii", SIZES({80, 24}));
}

BARE_TEST(test_many_rooms_scroll_with_the_focus, h)
{
	for (int i = 0; i < 40; i++) {
		char code[7] = "K7QX2A";
		code[4] = (char)('2' + i / 8);
		code[5] = (char)('A' + i % 8);
		add(h, code, "Weekly", "Ada", i * HOUR);
	}
	home_begin(h, false);
	(void)key(h, TUI_KEY_END);
	(void)key(h, TUI_KEY_UP);
	assert_sizes(h->tui, h->none, "home-many", SIZES({80, 24}, {40, 12}));
	assert_enters(key(h, TUI_KEY_ENTER), "K7QX6G", SERVER, "");
}

ROOMS_TEST(test_a_filter_finds_a_room_by_its_code_or_title, h)
{
	(void)key(h, '/');
	for (const char *c = h->recent.rooms[1].room_id; *c != '\0'; c++) {
		(void)key(h, *c);
	}
	assert_sizes(h->tui, h->none, "home-filter", SIZES({80, 24}));
	(void)key(h, TUI_KEY_ENTER);
	assert_sizes(h->tui, h->none, "home-filtered", SIZES({40, 12}));
	assert_enters(key(h, TUI_KEY_ENTER), h->recent.rooms[1].room_id, h->recent.rooms[1].server,
		      "");
}

BARE_TEST(test_it_says_why_there_is_no_server, h)
{
	add_some(h);
	h->home.name = NULL;
	h->home.server = "";
	home_begin(h, false);
	tui_set_link(h->tui, LINK_LOST);
	tui_set_message(h->tui, "No server: /usr/bin/ayed cannot be run. Retrying");
	assert_homes(h, "home-no-server");
}

TEST(test_ages_read_as_people_say_them)
{
	static const struct {
		int64_t age_ms;
		const char *words;
	} rows[] = {
		{-5 * MINUTE, "just now"},
		{59 * 1000, "just now"},
		{MINUTE, "1 min ago"},
		{59 * MINUTE, "59 min ago"},
		{HOUR, "1 h ago"},
		{23 * HOUR, "23 h ago"},
		{DAY, "yesterday"},
		{2 * (int64_t)DAY, "2 days ago"},
		{400 * (int64_t)DAY, "400 days ago"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct a_home h;
		home_open(&h);
		add(&h, "K7QX3M", "Sprint", "Ada", rows[i].age_ms);
		home_begin(&h, false);
		assert_says(&h, rows[i].words);
		home_close(&h);
	}
}

HOME_TEST(test_it_changes_by_time_alone_when_an_age_does, h)
{
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), -1);
	add(h, "BX4TR2", "", "Ada", 3 * HOUR + 59 * MINUTE);
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), MINUTE);
	add(h, "K7QX3M", "", "Ada", 5 * MINUTE + 59 * 1000);
	assert_int_equal(tui_changes_in_ms(h->tui, h->none), 1000);
}

ROOMS_TEST(test_help_tells_of_home_alone, h)
{
	(void)type(h, "?");
	assert_sizes(h->tui, h->none, "home-help", SIZES({80, 24}));
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Recent rooms");
}

/* ---- going in ---- */

ROOMS_TEST(test_enter_goes_into_the_room_in_focus, h)
{
	assert_enters(key(h, TUI_KEY_ENTER), "K7QX3M", SERVER, "");
	(void)key(h, TUI_KEY_DOWN);
	(void)key(h, TUI_KEY_DOWN);
	assert_enters(key(h, TUI_KEY_ENTER), "A77XJFABCD234567", "tcp://poker.example:2937", "");
}

HOME_TEST(test_a_code_or_the_whole_line_leads_in, h)
{
	assert_enters(type(h, "jk7qx3m\n"), "K7QX3M", "", "");
	assert_enters(type(h, "jaye join K7QX3M --server tcp://h:1\n"), "K7QX3M", "tcp://h:1", "");
	assert_enters(type(h, ":join k7qx3m\n"), "K7QX3M", "", "");
	(void)tui_take_paste(h->tui, h->none, SLICE("$ aye join K7QX3M\n"));
	assert_enters(key(h, TUI_KEY_ENTER), "K7QX3M", "", "");
}

/* Off a screen of 80 columns, and off one of 40, where the line is broken in the middle of a word. */
HOME_TEST(test_an_invitation_that_was_broken_is_pasted_whole, h)
{
	static const char *const pasted[] = {
		"aye join K7QX3M \\\n     --server tls://h#SHA256:04Lvr4myS6ePuns+FNja4g\n",
		"aye join K7QX3M \\\r     --server tls://h#SHA256:04Lvr4myS6ePuns+FNja4g",
		"$ aye join K7QX3M --server tls://h#SHA25\\\n6:04Lvr4myS6ePuns+FNja4g\n",
		("K7QX3M\naye join K7QX3M --server tls://h#SHA256:04Lvr4myS6ePuns+FNja4g\n"
		 "aye join K7QX3M --server tls://g#SHA256:04Lvr4myS6ePuns+FNja4g\n"),
	};
	for (size_t i = 0; i < sizeof(pasted) / sizeof(pasted[0]); i++) {
		(void)tui_take_paste(h->tui, h->none, slice_str(pasted[i]));
		assert_enters(key(h, TUI_KEY_ENTER), "K7QX3M",
			      "tls://h#SHA256:04Lvr4myS6ePuns+FNja4g", "");
	}
}

HOME_TEST(test_a_wrong_code_is_told_and_can_be_mended, h)
{
	assert_nothing(type(h, "jK7QX3\n"));
	assert_homes(h, "home-wrong-code");
	assert_enters(type(h, "m\n"), "K7QX3M", "", "");
	assert_nothing(type(h, "j\n"));
	assert_says(h, "j join");
}

HOME_TEST(test_a_room_with_a_passcode_asks_for_it, h)
{
	(void)type(h, "jK7QX3M\n");
	tui_ask_passcode(h->tui, "tcp://h:1", "K7QX3M", false);
	assert_homes(h, "home-passcode");
	struct act act = type(h, "rosebud\n");
	assert_enters(act, "K7QX3M", "tcp://h:1", "rosebud");
	char *text = screen_text(h->tui, h->none, 80, 24);
	assert_null(strstr(text, "rosebud"));
	free(text);
	tui_ask_passcode(h->tui, "tcp://h:1", "K7QX3M", true);
	assert_says(h, "Wrong passcode for K7QX3M");
	assert_nothing(key(h, TUI_KEY_ENTER));
}

BARE_TEST(test_the_room_in_focus_takes_a_passcode_too, h)
{
	add_some(h);
	h->recent.rooms[1].is_gone = true;
	home_begin(h, false);
	(void)key(h, TUI_KEY_DOWN);
	assert_says(h, "p passcode");
	assert_enters(type(h, "prosebud\n"), "9WD3PX", SERVER, "rosebud");
}

ROOMS_TEST(test_escape_gives_up_a_room_that_is_on_its_way, h)
{
	assert_nothing(key(h, TUI_KEY_ESCAPE));
	h->home.is_entering = true;
	tui_set_message(h->tui, "Joining K7QX3M. Esc cancels");
	assert_homes(h, "home-entering");
	assert_local(key(h, TUI_KEY_ESCAPE), LOCAL_STAY);
}

/* ---- making one ---- */

/* deck: the name of one, or cards with blanks between them. */
static void assert_creates(struct act act, const char *deck, const char *title)
{
	bool is_list = strchr(deck, ' ') != NULL;
	assert_request(act, METHOD_ROOM_CREATE, is_list ? "valid_sizes" : "deck", deck,
		       is_list ? "deck" : "valid_sizes", "(absent)", "title", title,
		       "policy.auto_reveal", "true", NULL);
}

HOME_TEST(test_a_room_is_made_of_a_title_and_a_deck, h)
{
	(void)type(h, "c");
	assert_homes(h, "home-title");
	(void)type(h, "Sprint 42\n");
	(void)key(h, TUI_KEY_DOWN);
	assert_homes(h, "home-decks");
	assert_creates(key(h, TUI_KEY_ENTER), "fibonacci", "Sprint 42");
	assert_creates(type(h, "c\n\n"), "guesstimator", "(nil)");
	assert_creates(type(h, "c\n4"), "tshirt", "(nil)");
	assert_creates(type(h, ":create Retro\n8"), "yesno", "Retro");
}

HOME_TEST(test_cards_of_ones_own_are_checked_before_they_are_sent, h)
{
	(void)type(h, "cMine\n");
	(void)key(h, TUI_KEY_END);
	(void)type(h, "\n1 2 2\n");
	assert_says(h, "2 is repeated");
	(void)key(h, TUI_KEY_BACKSPACE);
	assert_creates(type(h, "3\n"), "1 2 3", "Mine");
	(void)type(h, "c\ne7\n");
	assert_says(h, "7 is not one of guesstimator");
	(void)key(h, TUI_KEY_BACKSPACE);
	assert_nothing(type(h, "\n"));
	assert_says(h, "A deck must be 2 to 32 cards");
	(void)key(h, TUI_KEY_ESCAPE);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "All in favour");
}

HOME_TEST(test_a_title_that_is_too_wide_can_be_mended, h)
{
	(void)type(h, "c");
	for (int i = 0; i < 81; i++) {
		(void)key(h, 'x');
	}
	(void)type(h, "\n");
	assert_says(h, "A title is up to 80 columns wide");
	(void)key(h, TUI_KEY_BACKSPACE);
	(void)type(h, "\n");
	assert_says(h, "Cards of the new room");
}

/* ---- the list and the name ---- */

ROOMS_TEST(test_forgetting_asks_first, h)
{
	assert_nothing(type(h, "d"));
	assert_homes(h, "home-forget");
	assert_nothing(type(h, "n"));
	struct act act = type(h, "dy");
	assert_local(act, LOCAL_FORGET);
	assert_string_equal(act.room_id, "K7QX3M");
	assert_string_equal(act.server, SERVER);
	(void)type(h, ":forget 9WD3PX\n");
	assert_says(h, "Forget 9WD3PX? You lose your seat.");
	act = type(h, "y");
	assert_string_equal(act.room_id, "9WD3PX");
	(void)type(h, ":forget ZZZZZZ\ny");
	assert_says(h, "No room ZZZZZZ on the list");
}

BARE_TEST(test_a_room_that_is_no_more_may_be_forgotten_at_once, h)
{
	add_some(h);
	h->recent.rooms[1].is_gone = true;
	home_begin(h, false);
	tui_offer_forget(h->tui, SERVER, "9WD3PX", "9WD3PX not found.");
	assert_homes(h, "home-gone");
	tui_offer_forget(h->tui, SERVER, "9WD3PX", "9WD3PX: the room was deleted.");
	assert_sizes(h->tui, h->none, "home-deleted", SIZES({40, 12}));
	struct act act = type(h, "y");
	assert_local(act, LOCAL_FORGET);
	assert_string_equal(act.room_id, "9WD3PX");
}

ROOMS_TEST(test_the_focus_stays_on_the_list_when_it_shrinks, h)
{
	(void)key(h, TUI_KEY_END);
	recent_rooms_remove(&h->recent, 4);
	recent_rooms_remove(&h->recent, 3);
	assert_enters(key(h, TUI_KEY_ENTER), "A77XJFABCD234567", "tcp://poker.example:2937", "");
	while (h->recent.n > 0) {
		recent_rooms_remove(&h->recent, 0);
	}
	assert_nothing(key(h, TUI_KEY_ENTER));
	(void)key(h, TUI_KEY_DOWN);
	(void)key(h, TUI_KEY_END);
	assert_says(h, "All in favour");
}

/* ---- nudges ---- */

static void take_nudge(struct a_home *h, const char *by, const char *story)
{
	const struct session_nudged n = {.room_id = SLICE("8SHXB4"),
					 .by = slice_str(by),
					 .story = slice_str(story)};
	tui_take_nudge_elsewhere(h->tui, "tcp://poker.example:2937", &n);
}

ROOMS_TEST(test_a_nudge_from_a_room_is_shown_and_called_out_and_enter_joins_it, h)
{
	const struct replica nowhere = {.is_nowhere = true};
	take_nudge(h, "Ada", "PAY-3");
	assert_says(h, "Ada asks you to vote in 8SHXB4 (PAY-3); Enter to join");
	assert_string_equal(tui_take_notice(h->tui, &nowhere, 1).text,
			    "Ada asks you to vote in 8SHXB4 (PAY-3)");
	assert_enters(key(h, TUI_KEY_ENTER), "8SHXB4", "tcp://poker.example:2937", "");
	assert_enters(key(h, TUI_KEY_ENTER), "K7QX3M", SERVER, ""); /* what the cursor is on */
}

ROOMS_TEST(test_a_room_that_waits_is_shown_and_called_out_and_enter_joins_it, h)
{
	const struct replica nowhere = {.is_nowhere = true};
	const int64_t hour_ms = 3600000;
	struct session_waiting n = {.room_id = SLICE("8SHXB4"), .title = SLICE("Sprint 42")};
	tui_take_waiting(h->tui, "tcp://poker.example:2937", &n);
	assert_says(h, "Sprint 42 (8SHXB4) is waiting for your votes; Enter to join");
	assert_string_equal(tui_take_notice(h->tui, &nowhere, 1).text,
			    "Sprint 42 (8SHXB4) is waiting for your votes");
	assert_enters(key(h, TUI_KEY_ENTER), "8SHXB4", "tcp://poker.example:2937", "");
	n.title = (struct slice){0};
	n.ends_at = A_NOW + 23 * hour_ms;
	n.with_ends_at = true;
	tui_set_now(h->tui, A_NOW);
	tui_take_waiting(h->tui, "tcp://poker.example:2937", &n);
	assert_says(h, "8SHXB4 is waiting for your votes, 23 h left; Enter to join");
}

ROOMS_TEST(test_a_nudge_is_over_with_another_key, h)
{
	take_nudge(h, NULL, NULL);
	assert_says(h, "Someone asks you to vote in 8SHXB4; Enter to join");
	(void)key(h, TUI_KEY_DOWN);
	assert_enters(key(h, TUI_KEY_ENTER), "9WD3PX", SERVER, "");
}

/* Enter ends what is being typed, and the nudge stays for the one after it. */
ROOMS_TEST(test_a_nudge_waits_while_something_is_typed, h)
{
	(void)type(h, "j");
	take_nudge(h, "Ada", NULL);
	assert_enters(type(h, "K7QX3M\n"), "K7QX3M", "", "");
	assert_enters(key(h, TUI_KEY_ENTER), "8SHXB4", "tcp://poker.example:2937", "");
}

HOME_TEST(test_a_nudge_needs_no_room_on_the_list, h)
{
	take_nudge(h, "Ada", NULL);
	assert_enters(key(h, TUI_KEY_ENTER), "8SHXB4", "tcp://poker.example:2937", "");
}

HOME_TEST(test_the_name_is_changed_unless_a_login_has_it, h)
{
	(void)type(h, "n");
	assert_says(h, "Your name: Ada");
	(void)key(h, TUI_KEY_END);
	struct act act = type(h, " L.\n");
	assert_request(act, METHOD_ROOM_JOIN, "username", "Ada L.", NULL);
	h->home.is_signed_in = true;
	assert_nothing(type(h, "n"));
	assert_says(h, "Logged in as Ada. To change it: aye logout");
}

TEST(test_acts_of_a_room_are_refused_at_home_and_the_reverse)
{
	struct a_home h;
	struct a_room a;
	home_open(&h);
	add_some(&h);
	home_begin(&h, false);
	assert_nothing(type(&h, ":reveal\n"));
	assert_says(&h, "You are in no room yet");
	for (int32_t k = 1; k < 128; k++) {
		struct act act = key(&h, k);
		assert_true(act.local == LOCAL_NONE || act.local == LOCAL_LEAVE);
		assert_null(act.request);
		(void)key(&h, TUI_KEY_ESCAPE);
	}
	home_close(&h);
	a_room_init(&a, "Sprint 42");
	a_room_seat(&a, "Ada", IS_HOST | IS_ME, NULL);
	struct tui *t = open_tui(false);
	for (const char *at = ":create Retro"; *at != '\0'; at++) {
		(void)tui_take_key(t, &a.r, *at);
	}
	assert_nothing(tui_take_key(t, &a.r, TUI_KEY_ENTER));
	char *text = screen_text(t, &a.r, 80, 24);
	assert_non_null(strstr(text, "Only at home"));
	free(text);
	tui_destroy(t);
}

ROOMS_TEST(test_settings_are_chosen_at_home_too, h)
{
	(void)type(h, "o");
	assert_says(h, "theme");
	assert_nothing(type(h, "\n"));
	assert_int_equal(tui_settings(h->tui)->value[SETTING_THEME], THEME_CONTRAST);
	assert_local(key(h, 19), LOCAL_SAVE_SETTINGS);
	(void)key(h, TUI_KEY_ESCAPE);
	assert_says(h, "Recent rooms");
	(void)type(h, ":notify all\n");
	assert_int_equal(tui_settings(h->tui)->value[SETTING_NOTIFY], NOTIFY_ALL);
	assert_nothing(type(h, ":set theme mono\n"));
	assert_int_equal(tui_settings(h->tui)->value[SETTING_THEME], THEME_MONO);
}

ROOMS_TEST(test_commands_complete_with_the_codes_on_the_list, h)
{
	(void)type(h, ":en\t");
	(void)key(h, TUI_KEY_TAB);
	(void)type(h, "9");
	(void)key(h, TUI_KEY_TAB);
	assert_enters(key(h, TUI_KEY_ENTER), "9WD3PX", SERVER, "");
	(void)type(h, ":");
	assert_sizes(h->tui, h->none, "home-command", SIZES({80, 24}));
}
