/*
 * test_screens.c - keys in, screens out, compared with tests/tui/screens/.
 *
 * AYE_UPDATE_SCREENS=1 writes the files anew; then look at each of them, for
 * they say what is beautiful, and this program only whether it is the same.
 */
#include "tests/unit/client/screen_files.h"

#define SPRINT_TEST(name, a) TEST_OF(name, struct a_room, a, a_room_init(a, "Sprint 42"), (void)a)

static void be_connecting(struct tui *t)
{
	tui_set_link(t, LINK_CONNECTING);
}

TEST(test_before_the_room_is_known_the_screen_says_so)
{
	struct a_room a = {.r = {.room_id = "K7QX3M"}};
	assert_screen(&a, "connecting", .prepare = be_connecting);
}

SPRINT_TEST(test_who_comes_in_is_asked_for_a_name, a)
{
	a_room_seat(a, "Ada", IS_HOST, NULL);
	a_room_seat(a, NULL, 0, NULL);
	assert_screen(a, "name", .keys = {'J', 'o', 0x308, 'r', 'g'});
}

static void be_on_a_named_server(struct tui *t)
{
	static const struct invite_place named = {.n = 1, .addresses = {"tcp://poker.example.org"}};
	tui_set_place(t, &named);
}

TEST(test_alone_on_a_named_server_one_sees_its_address)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(&a, "alone-named", .prepare = be_on_a_named_server);
}

static void be_on_ones_own_server(struct tui *t)
{
	tui_set_place(t, &(struct invite_place){.is_own = true});
}

TEST(test_alone_on_ones_own_server_one_sees_that_nobody_else_can_come)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(&a, "alone-own", .prepare = be_on_ones_own_server);
}

#define FINGERPRINT "#SHA256:OfC8scN57TFUsL0uJTfYzA"

static void be_on_a_shared_server(struct tui *t)
{
	static const struct invite_place shared = {.is_own = true,
						   .n = 2,
						   .addresses = {"tls://192.0.2.7" FINGERPRINT,
								 "tls://10.0.0.7" FINGERPRINT}};
	tui_set_place(t, &shared);
}

TEST(test_alone_on_a_shared_server_one_sees_every_way_in)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(&a, "alone-shared", .prepare = be_on_a_shared_server);
}

static const struct machine_address machine[] = {{"192.0.2.7", "eth0"},
						 {"10.0.0.7", "wlan0"},
						 {"[2001:db8::7]", "eth0"}};

static void have_addresses(struct tui *t)
{
	static const struct invite_place own = {.is_own = true};
	tui_set_place(t, &own);
	tui_set_machine(t, machine, 3);
}

static void share_addresses(struct tui *t)
{
	be_on_a_shared_server(t);
	tui_set_machine(t, machine, 3);
}

TEST(test_sharing_is_chosen_from_a_list)
{
	struct a_room a;
	struct sizes sizes = {{{80, 24}, {40, 12}, {200, 60}}};
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(&a, "share", .prepare = have_addresses, .keys = {'I'}, .sizes = sizes);
	assert_screen(&a, "share-shared", .prepare = share_addresses, .keys = {'I', TUI_KEY_DOWN},
		      .sizes = sizes);
}

TEST(test_the_invitation_is_shown_at_any_time)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	a_room_seat(&a, "Grace", 0, NULL);
	assert_screen(&a, "invitation", .prepare = be_on_a_shared_server, .keys = {'I'});
}

static void be_on_a_server_with_a_page(struct tui *t)
{
	static const struct invite_place place = {.n = 1,
						  .addresses = {"tls://poker.example"},
						  .web = "https://poker.example/"};
	tui_set_place(t, &place);
}

static void be_on_a_server_shared_with_browsers(struct tui *t)
{
	static const struct invite_place place = {
		.is_own = true,
		.n = 1,
		.addresses = {"tls://192.0.2.7" FINGERPRINT},
		.web = "https://192.0.2.7:2938/",
		.web_fingerprint = {"SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"}};
	tui_set_place(t, &place);
}

TEST(test_alone_on_a_server_with_a_page_one_sees_its_link)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(&a, "alone-page", .prepare = be_on_a_server_with_a_page);
}

TEST(test_the_link_is_a_code_for_a_phone_and_where_that_does_not_fit_the_screen_says_so)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	a_room_seat(&a, "Grace", 0, NULL);
	assert_screen(&a, "qr", .prepare = be_on_a_server_with_a_page, .keys = {'Q'},
		      .sizes = SIZES({80, 24}, {40, 12}, {40, 24}, {120, 40}));
	assert_screen(&a, "qr-own", .prepare = be_on_a_server_shared_with_browsers, .keys = {'Q'},
		      .sizes = SIZES({80, 24}, {40, 12}, {40, 32}, {120, 40}));
	assert_screen(&a, "qr-ascii", .prepare = be_on_a_server_with_a_page, .keys = {'Q'},
		      .ascii = true, .sizes = SIZES({80, 24}, {120, 40}));
}

TEST(test_alone_one_sees_how_others_come_in)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "Ada", IS_HOST | IS_ME, NULL);
	assert_screen(&a, "alone");
}

SPRINT_TEST(test_while_voting_cards_lie_face_down, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "voting");
}

SPRINT_TEST(test_a_host_reads_that_all_have_voted, a)
{
	a_room_seat(a, "Ada", IS_HOST | IS_ME, "5");
	a_room_seat(a, "Grace", 0, "8");
	a_room_seat(a, "Linus", 0, "3");
	assert_screen(a, "all-voted");
}

SPRINT_TEST(test_open_cards_show_the_spread, a)
{
	a->r.room.is_revealed = true;
	a->r.room.round = 2;
	a_room_seat(a, "Ada", IS_HOST, "5");
	a_room_seat(a, "Grace", 0, "8");
	a_room_seat(a, "Linus", 0, "3");
	a_room_seat(a, "me", IS_ME, "5");
	a_room_seat(a, "Katherine", 0, "5");
	a_room_reveal(a);
	assert_screen(a, "revealed");
}

SPRINT_TEST(test_unanimity_is_told_in_one_line, a)
{
	a->r.room.is_revealed = true;
	a_room_seat(a, "Ada", IS_HOST | IS_ME, "8");
	a_room_seat(a, "Grace", 0, "8");
	a_room_seat(a, "Linus", 0, "8");
	a_room_reveal(a);
	assert_screen(a, "unanimous");
}

TEST(test_decks_without_numbers_have_no_average)
{
	struct a_room a;
	a_room_init(&a, "Shirts");
	a_room_deck(&a, "XS S M L XL XXL ?");
	a.r.room.is_revealed = true;
	a_room_seat(&a, "Ada", IS_HOST, "M");
	a_room_seat(&a, "Grace", 0, "XXL");
	a_room_seat(&a, "Linus", 0, "M");
	a_room_seat(&a, "me", IS_ME, "L");
	a_room_reveal(&a);
	assert_screen(&a, "shirts");
}

SPRINT_TEST(test_letters_of_the_deck_take_the_keys_of_actions, a)
{
	a_room_deck(a, "XS S M L XL XXL ?");
	a_room_seat(a, "Ada", IS_HOST, "M");
	a_room_seat(a, "me", IS_ME, "S");
	assert_screen(a, "shirts-voting");
}

SPRINT_TEST(test_revealed_without_votes_says_nobody_voted, a)
{
	a->r.room.is_revealed = true;
	a_room_seat(a, "Ada", IS_HOST | IS_ME, NULL);
	a_room_seat(a, "Grace", 0, NULL);
	a_room_reveal(a);
	assert_screen(a, "nobody-voted");
	a->r.room.outcome = SLICE("5"); /* who voted has left since it was settled */
	assert_screen(a, "nobody-left");
}

static void be_lost(struct tui *t)
{
	tui_set_link(t, LINK_LOST);
	tui_set_message(t, "Connection lost. Retrying in 4 s");
}

SPRINT_TEST(test_the_away_are_named_so, a)
{
	a_room_seat(a, "Ada", IS_HOST, "5");
	a_room_seat(a, "Grace", IS_AWAY, "8")->away_since = A_NOW - 45000;
	a_room_seat(a, "Linus", IS_AWAY, NULL)->away_since = A_NOW - 12 * 60000;
	a_room_seat(a, "me", IS_ME, NULL);
	a->r.pending_vote = "8";
	assert_screen(a, "away", .prepare = be_lost);
}

static void fill_table(struct a_room *a, size_t n)
{
	static const char *const names[] = {"Ada",     "Grace",	  "Linus",    "Katherine",
					    "Barbara", "Edsger",  "Donald",   "Ken",
					    "Dennis",  "Radia",	  "Margaret", "Alan",
					    "Frances", "Niklaus", "Hedy",     "Tim"};
	a_room_seat(a, "me", IS_ME | IS_HOST, "5");
	for (size_t i = 1; i < n; i++) {
		static const char *const votes[] = {"5", "8", NULL, "5", "3", "5", NULL, "13"};
		a_room_seat(a, names[i % 16], i == 9 ? IS_AWAY : 0, votes[i % 8])->away_since =
			i == 9 ? A_NOW - 3600000 : 0;
	}
}

TEST(test_twenty_fit_as_cards_at_home)
{
	struct a_room a;
	a_room_init(&a, "Everybody");
	fill_table(&a, 20);
	assert_screen(&a, "twenty");
}

/* A seat is kept for a while when its member has left: nobody sits there. */
SPRINT_TEST(test_who_has_left_watches_no_more, a)
{
	a_room_seat(a, "Ada", IS_HOST | IS_ME, NULL);
	a_room_seat(a, NULL, IS_AWAY, NULL);
	struct tui *t = open_tui(false);
	char *text = screen_text(t, &a->r, 80, 24);
	assert_null(strstr(text, "watching"));
	free(text);
	a_room_seat(a, NULL, 0, NULL);
	text = screen_text(t, &a->r, 80, 24);
	assert_non_null(strstr(text, "spectators: 1 without a name"));
	free(text);
	tui_destroy(t);
}

SPRINT_TEST(test_spectators_and_bots_sit_apart, a)
{
	a_room_seat(a, "Ada", IS_HOST | IS_SPECTATOR | IS_ME, NULL);
	a_room_seat(a, "Grace", 0, "8");
	a_room_seat(a, "Hal", IS_SPECTATOR | IS_AWAY, NULL)->away_since = A_NOW - 60000;
	a_room_seat(a, NULL, 0, NULL);
	a_room_seat(a, "ci", IS_BOT, "5");
	assert_screen(a, "apart");
}

SPRINT_TEST(test_help_lists_every_action, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "help", .keys = {'?'});
}

/* A title is cut for it. */
SPRINT_TEST(test_the_longer_code_of_a_teams_room_stands_whole_in_the_header, a)
{
	strcpy(a->r.room_id, "K7QX3M9WDPHW");
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "team-code");
}

SPRINT_TEST(test_settings_show_what_there_is_to_choose, a)
{
	a_room_seat(a, "me", IS_ME | IS_HOST, NULL);
	assert_screen(a, "settings", .keys = {'o', 'j', TUI_KEY_RIGHT});
}

SPRINT_TEST(test_the_command_line_offers_what_is_allowed, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "command", .keys = {':', 'r'});
}

SPRINT_TEST(test_room_wide_acts_ask_where_something_would_be_lost, a)
{
	a_room_seat(a, "Ada", IS_HOST | IS_ME, "5");
	a_room_seat(a, "Grace", 0, NULL);
	a_room_seat(a, "Linus", 0, NULL);
	assert_screen(a, "confirm", .keys = {'R'});
	assert_screen(a, "pick", .keys = {'K', TUI_KEY_DOWN});
}

SPRINT_TEST(test_a_key_that_is_not_allowed_says_why, a)
{
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "refused", .keys = {'R'});
}

TEST(test_hostile_names_move_nothing)
{
	struct a_room a;
	a_room_init(&a, "計画ポーカー・非常に長い題名がここに入ります・まだ続く・もう少し続く題名");
	a_room_seat(&a, "山田太郎", IS_HOST, "5");
	a_room_seat(&a, "e\xcc\x81\xcc\xa7lo\xcc\x88", 0, NULL);
	a_room_seat(&a, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", 0, "8");
	a_room_seat(&a, "Wolfeschlegelsteinhausenbergerdo", 0, NULL);
	a_room_seat(&a, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 0, "3");
	a_room_seat(&a, "a\x1b[31mb\nc", 0, "3");
	a_room_seat(&a, "me", IS_ME, NULL);
	assert_screen(&a, "hostile");
	a.r.room.is_revealed = true;
	for (size_t i = 0; i < a.r.users.n; i++) {
		a.members[i].vote = slice_str(a.members[i].has_vote ? "5" : NULL);
	}
	a_room_reveal(&a);
	assert_screen(&a, "hostile-revealed");
}

TEST(test_long_decks_scroll_under_the_focus)
{
	struct a_room a;
	a_room_init(&a, "Days");
	a_room_deck(
		&a,
		"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 quarter half-yr");
	a_room_five(&a, 0, a_room_voting);
	assert_screen(&a, "long-deck", .keys = {TUI_KEY_LEFT, TUI_KEY_LEFT});
}

SPRINT_TEST(test_ascii_draws_nothing_of_ours_beyond_ascii, a)
{
	a_room_deck(a, "1 2 3 5 8 13 20 ?");
	a_room_five(a, 0, a_room_voting);
	assert_screen(a, "ascii", .ascii = true);
	a->r.room.is_revealed = true;
	a->members[1].vote = SLICE("8");
	a->members[3].vote = SLICE("5");
	a_room_reveal(a);
	assert_screen(a, "ascii-revealed", .ascii = true);
	struct tui *t = open_tui(true);
	assert_ascii(t, &a->r);
	tui_destroy(t);
}

TEST(test_no_size_is_too_small_or_too_large)
{
	static const int32_t keys[] = {0, '?', 'K', ':', 'R', 'D'};
	struct a_room a;
	a_room_init(&a, "計画 Sprint 42");
	a_room_seat(&a, "me", IS_ME | IS_HOST, "5");
	a_room_seat(&a, "山田太郎", 0, NULL);
	a_room_seat(&a, NULL, 0, NULL);
	a_room_seat(&a, "ci", IS_BOT, "5");
	for (int revealed = 0; revealed < 2; revealed++) {
		a.r.room.is_revealed = revealed == 1;
		if (revealed == 1) {
			a.members[0].vote = SLICE("5");
			a_room_reveal(&a);
		}
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			struct tui *t = open_tui(false);
			(void)tui_take_key(t, &a.r, keys[k]);
			struct grid g = {0};
			for (int w = 0; w < 100; w += w < 12 ? 1 : 11) {
				for (int h = 0; h < 40; h += h < 12 ? 1 : 7) {
					grid_resize(&g, w, h);
					tui_follow(t, &a.r);
					tui_draw(t, &a.r, &g);
				}
			}
			grid_resize(&g, 1000, 300);
			tui_follow(t, &a.r);
			tui_draw(t, &a.r, &g);
			assert_int_equal(g.width, 1000);
			grid_finish(&g);
			tui_destroy(t);
		}
	}
}
