/*
 * test_tui.c - keys in, wishes out; looks are test_screens.c's part.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/acts/story_words.h"
#include "client/tui/actions/action_table.h"

static void assert_votes(struct act act, const char *card)
{
	assert_request(act, METHOD_ROOM_VOTE, "vote", card, NULL);
}

MEMBER_TEST(test_a_digit_votes_for_the_card_of_that_label_at_once)
{
	assert_votes(type(t, a, "1"), "1");
	assert_votes(type(t, a, "5"), "5");
	assert_votes(type(t, a, "8"), "8");
}

MEMBER_TEST(test_a_letter_means_the_card_that_is_it)
{
	a_room_deck(a, "S M L XL Y ?");
	assert_votes(type(t, a, "L"), "L");
	assert_votes(type(t, a, "l"), "L");
	assert_votes(type(t, a, "y"), "Y");
	assert_nothing(type(t, a, "X"));
	assert_message(t, a, " No action for that key. ? for help");
	a_room_deck(a, "l L");
	assert_votes(type(t, a, "L"), "L");
	assert_votes(type(t, a, "l"), "l");
	a->r.room.is_revealed = true;
	assert_nothing(type(t, a, "l"));
	assert_message(t, a, " Already revealed; wait for the next round");
}

MEMBER_TEST(test_other_digits_mean_the_card_at_that_place_or_one_left_over)
{
	assert_votes(type(t, a, "6"), "13");
	assert_votes(type(t, a, "7"), "20");
	assert_votes(type(t, a, "9"), "∞");
	assert_votes(type(t, a, "0"), "?");
	assert_nothing(type(t, a, "4"));
	assert_message(t, a, " No card for key 4. Choose with the arrows");
	a_room_deck(a, "XS S M L XL XXL ?");
	assert_votes(type(t, a, "3"), "M");
	assert_nothing(type(t, a, "8"));
	a_room_deck(a, "0 1 2 3 5 8 13 21 34 55 89 ?");
	assert_votes(type(t, a, "0"), "0");
	assert_votes(type(t, a, "7"), "13");
}

MEMBER_TEST(test_arrows_walk_the_hand_and_enter_votes)
{
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_RIGHT));
	assert_votes(tui_take_key(t, &a->r, TUI_KEY_ENTER), "2");
	(void)tui_take_key(t, &a->r, TUI_KEY_LEFT);
	(void)tui_take_key(t, &a->r, TUI_KEY_LEFT);
	assert_votes(tui_take_key(t, &a->r, TUI_KEY_ENTER), "∞");
}

MEMBER_TEST(test_the_focus_follows_a_vote_that_came_from_elsewhere)
{
	a->r.you.vote = slice_str("20");
	assert_votes(tui_take_key(t, &a->r, TUI_KEY_ENTER), "20");
}

MEMBER_TEST(test_minus_retracts_only_a_card_that_lies_there)
{
	assert_nothing(type(t, a, "-"));
	assert_message(t, a, " You have not voted yet");
	a->r.pending_vote = "5"; /* the server is still to say so */
	assert_votes(type(t, a, "-"), "(nil)");
	a->r.you.vote = slice_str("5");
	a->r.pending_vote = "";
	assert_nothing(type(t, a, "-"));
	a->r.pending_vote = NULL;
	assert_votes(type(t, a, "-"), "(nil)");
}

MEMBER_TEST(test_acts_of_a_host_are_refused_to_others_by_name)
{
	for (const char *key = "RNHAVUt"; *key != '\0'; key++) {
		assert_nothing(tui_take_key(t, &a->r, *key));
		assert_message(t, a, " Only a host can do that here (Ada)");
	}
	for (const char *key = "eDKG"; *key != '\0'; key++) {
		assert_nothing(tui_take_key(t, &a->r, *key));
		assert_message(t, a, " Only a host can do that (Ada)");
	}
	assert_refused(t, a, ":delete", "Only a host can do that (Ada)");
	a->r.i_have_host_key = true;
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " Only a host can do that here; you hold the host key: press C");
	assert_request(type(t, a, "C"), METHOD_ROOM_CLAIM_HOST, NULL);
}

MEMBER_TEST(test_nobody_votes_while_the_cards_lie_open)
{
	a->r.room.is_revealed = true;
	assert_nothing(type(t, a, "5"));
	assert_message(t, a, " Already revealed; wait for the next round");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
}

HOST_TEST(test_revealing_asks_only_while_votes_are_missing)
{
	assert_nothing(type(t, a, "R"));
	assert_nothing(type(t, a, "x"));
	assert_request(type(t, a, "y"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", NULL);
	assert_nothing(type(t, a, "R"));
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ESCAPE));
	assert_nothing(type(t, a, "y"));
	a->members[1].has_vote = true;
	a->members[2].has_vote = true;
	assert_request(type(t, a, "R"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", NULL);
}

HOST_TEST(test_a_yes_is_worth_nothing_when_things_have_changed)
{
	(void)type(t, a, "R");
	a->r.you.is_host = false;
	a->r.room.host_user_id = a->members[1].user_id;
	assert_nothing(type(t, a, "y"));
	assert_message(t, a, " Only a host can do that here (Grace)");
}

HOST_TEST(test_the_next_round_asks_only_while_votes_are_unseen)
{
	assert_nothing(type(t, a, "N"));
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_RESET, NULL);
	a->r.room.is_revealed = true;
	assert_request(type(t, a, "N"), METHOD_ROOM_RESET, NULL);
	assert_request(type(t, a, "H"), METHOD_ROOM_SET_REVEALED, "is_revealed", "false", NULL);
}

HOST_TEST(test_kicking_picks_somebody_and_asks)
{
	(void)type(t, a, "K");
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_message(t, a, " Remove Linus from the room? y / n");
	assert_request(type(t, a, "y"), METHOD_ROOM_KICK, "user_id", a->members[2].user_id.data,
		       NULL);
}

HOST_TEST(test_somebody_who_left_meanwhile_is_not_kicked)
{
	(void)type(t, a, "K");
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	a->r.users.n = 2;
	assert_nothing(type(t, a, "y"));
	assert_message(t, a, " They have already left");
}

HOST_TEST(test_commands_do_what_keys_do)
{
	static const struct {
		const char *typed;
		enum method method; /* METHOD_COUNT: nothing */
		const char *field;
		const char *value;
	} rows[] = {
		{":vote 13", METHOD_ROOM_VOTE, "vote", "13"},
		{":vote 14", METHOD_COUNT, NULL, NULL},
		{":retract", METHOD_ROOM_VOTE, "vote", "(nil)"},
		{":title  Sprint 43 ", METHOD_ROOM_SET_TITLE, "title", "Sprint 43"},
		{":deck tshirt", METHOD_ROOM_SET_VALID_SIZES, "valid_sizes", "XS S M L XL XXL ?"},
		{":deck 1 2, 3", METHOD_ROOM_SET_VALID_SIZES, "valid_sizes", "1 2 3"},
		{":name Grace H.", METHOD_ROOM_JOIN, "username", "Grace H."},
		{":nonsense", METHOD_COUNT, NULL, NULL},
		{":", METHOD_COUNT, NULL, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct act act = enter(t, a, rows[i].typed);
		if (rows[i].method == METHOD_COUNT) {
			assert_nothing(act);
			(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
		} else {
			assert_request(act, rows[i].method, rows[i].field, rows[i].value, NULL);
		}
	}
	assert_nothing(enter(t, a, ":spectate"));
	assert_request(type(t, a, "y"), METHOD_ROOM_JOIN, "username", "me", NULL);
	(void)type(t, a, ":kick Grace");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(type(t, a, "y"), METHOD_ROOM_KICK, "user_id", a->members[1].user_id.data,
		       NULL);
	struct barred_view barred = {.user_id = SLICE("U9"), .username = SLICE("Mallory")};
	a->r.you.barred = &barred;
	a->r.you.barred_n = 1;
	assert_refused(t, a, ":unkick Grace", "Grace is not banned");
	(void)type(t, a, ":unkick Mallory");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_UNKICK, "user_id", "U9",
		       NULL);
	a->r.room.policy.locked = true;
	(void)type(t, a, ":unkick Mallory");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_UNKICK, "user_id", "U9",
		       NULL);
	assert_row(t, a, 22, " Mallory can join once the room is not locked");
	a->r.room.policy.locked = false;
	(void)type(t, a, ":delete");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(type(t, a, "y"), METHOD_ROOM_DELETE, NULL);
}

HOST_TEST(test_tab_completes_commands_and_their_arguments)
{
	(void)type(t, a, ":del");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :delete");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, ":item-q"); /* no backlog is open */
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :item-q");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, ":kick G");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :kick Grace");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, ":deck fi");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " :deck fi");
	(void)type(t, a, "s");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_SET_VALID_SIZES,
		       "valid_sizes", "0 1 2 3 4 5", NULL);
}

/* Each time with the next address, and into the clipboard. */
TEST(test_the_invitation_is_shown_and_copied_at_any_time)
{
	static const struct invite_place told = {.n = 2,
						 .addresses = {"tcp://192.0.2.7:2937",
							       "tcp://10.0.0.7:2937"}};
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	a_room_seat(&a, "Grace", 0, NULL);
	struct tui *t = open_tui();
	tui_set_place(t, &told);
	struct act act = type(t, &a, "I");
	assert_local(act, LOCAL_COPY);
	assert_string_equal(act.text, "aye join K7QX3M --server tcp://192.0.2.7:2937");
	assert_message(t, &a, " aye join K7QX3M --server tcp://192.0.2.7:2937");
	act = enter(t, &a, ":invite");
	assert_local(act, LOCAL_COPY);
	assert_string_equal(act.text, "aye join K7QX3M --server tcp://10.0.0.7:2937");
	assert_string_equal(type(t, &a, "I").text, "aye join K7QX3M --server tcp://192.0.2.7:2937");
	tui_destroy(t);
}

/* As the first screen does: on one row as long as it fits, then with a backslash at each end, as a shell takes it. */
TEST(test_an_invitation_is_shown_as_a_shell_takes_it)
{
	static const struct invite_place told = {
		.n = 1, .addresses = {"tls://poker.example.org#SHA256:04Lvr4myS6ePuns+FNja4g"}};
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	a_room_seat(&a, "Grace", 0, NULL);
	struct tui *t = open_tui();
	tui_set_place(t, &told);
	(void)type(t, &a, "I");
	assert_row(
		t, &a, 22,
		" aye join K7QX3M --server tls://poker.example.org#SHA256:04Lvr4myS6ePuns+FNja4g");
	tui_destroy(t);
}

TEST(test_an_estimate_is_compared_with_the_stories_of_the_teams_other_rooms)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	struct tui *t = open_tui();
	assert_nothing(type(t, &a, "F"));
	assert_message(t, &a, " Only in a team's room: its other rooms are looked through");
	a.r.room.group_id = SLICE("g_AAAAAAAAAA");
	assert_nothing(type(t, &a, "F"));
	assert_message(t, &a, " Estimate:");
	(void)type(t, &a, "8");
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_GROUP_REFERENCES, "group_id",
		       "g_AAAAAAAAAA", "estimate", "8", NULL);
	a.r.you.vote = SLICE("5");
	assert_request(type(t, &a, "F"), METHOD_GROUP_REFERENCES, "group_id", "g_AAAAAAAAAA",
		       "estimate", "5", NULL);
	tui_destroy(t);
}

TEST(test_a_deadline_of_days_is_not_replaced_unasked)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME | IS_HOST, NULL);
	struct tui *t = open_tui();
	tui_set_now(t, A_NOW);
	a.r.room.policy.keep_votes = true;
	a.r.room.timer.ends_at = A_NOW + INT64_C(2) * 86400 * 1000;
	a.r.room.timer.reveal_at_zero = true;
	assert_nothing(type(t, &a, "t"));
	assert_message(t, &a, " Votes are revealed in 2 d 0 h. Set another time instead? y / n");
	assert_nothing(type(t, &a, "y"));
	assert_message(t, &a, " Timer: stop");
	tui_destroy(t);
}

TEST(test_references_are_one_line)
{
	struct group_reference stories[] = {
		{.title = SLICE("Refund"), .key = SLICE("PAY-2")},
		{.title = SLICE("Sign out")},
	};
	/* As it came: what follows is no part of it. */
	struct group_references_result r = {.estimate = slice_of("5\xa7stories", 1),
					    .stories = stories};
	struct buf line = {.max = 200};
	story_references_line(&r, &line);
	assert_true(slice_eq(buf_slice(&line), SLICE("No story of the team's other rooms has 5")));
	buf_clear(&line);
	r.stories_n = 2;
	story_references_line(&r, &line);
	assert_true(slice_eq(buf_slice(&line), SLICE("5 was: PAY-2, Sign out")));
	buf_finish(&line);
}

TEST(test_only_a_server_of_ones_own_can_be_shared)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	struct tui *t = open_tui();
	assert_nothing(type(t, &a, "O"));
	assert_message(t, &a, " You can share only your own server");
	tui_set_place(t, &(struct invite_place){.is_own = true});
	assert_nothing(type(t, &a, "OO"));
	assert_message(t, &a, " Address [all]:");
	assert_row(
		t, &a, 23,
		" 192.0.2.7  192.0.2.7:2937  · web: also for browsers                 Esc cancel");
	struct act act = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_request(act, METHOD_SERVER_SHARE, "address", "0.0.0.0", NULL);
	assert_request(enter(t, &a, ":share 127.0.0.1:0"), METHOD_SERVER_SHARE, "address",
		       "127.0.0.1:0", NULL);
	assert_request(enter(t, &a, ":share :2940"), METHOD_SERVER_SHARE, "address", "0.0.0.0:2940",
		       NULL);
	assert_request(enter(t, &a, ":share web"), METHOD_SERVER_SHARE, "address", "0.0.0.0",
		       "web_scheme", "https", NULL);
	assert_request(enter(t, &a, ":share web 192.0.2.7"), METHOD_SERVER_SHARE, "address",
		       "192.0.2.7", "web_scheme", "https", NULL);
	assert_request(enter(t, &a, ":share web.example"), METHOD_SERVER_SHARE, "address",
		       "web.example", NULL);
	tui_destroy(t);
}

TEST(test_sharing_is_chosen_from_the_machines_addresses)
{
	static const struct machine_address machine[] = {{"192.0.2.7", "eth0"},
							 {"[2001:db8::7]", "wlan0"}};
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	struct tui *t = open_tui();
	tui_set_place(t, &(struct invite_place){.is_own = true,
						.n = 1,
						.addresses = {"tls://192.0.2.7"}});
	tui_set_machine(t, machine, 2);
	(void)type(t, &a, "O");
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_SERVER_SHARE, "address",
		       "192.0.2.7", "web_scheme", "(absent)", NULL);
	(void)type(t, &a, "O");
	(void)tui_take_key(t, &a.r, TUI_KEY_DOWN);
	assert_request(type(t, &a, "w"), METHOD_SERVER_SHARE, "address", "[2001:db8::7]",
		       "web_scheme", "https", NULL);
	(void)type(t, &a, "Ojj");
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_SERVER_SHARE, "address",
		       "0.0.0.0", NULL);
	(void)type(t, &a, "Ojjj");
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_SERVER_SHARE, "unshare", "true",
		       NULL);
	tui_destroy(t);
}

TEST(test_only_what_is_shared_can_be_unshared)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	struct tui *t = open_tui();
	assert_refused(t, &a, ":unshare", "You can share only your own server");
	tui_set_place(t, &(struct invite_place){.is_own = true});
	assert_refused(t, &a, ":unshare", "Your server is not shared");
	tui_set_place(t, &(struct invite_place){.is_own = true,
						.n = 1,
						.addresses = {"tls://192.0.2.7"}});
	assert_request(enter(t, &a, ":unshare"), METHOD_SERVER_SHARE, "unshare", "true", "address",
		       "(absent)", NULL);
	tui_destroy(t);
}

TEST(test_the_invitation_goes_on_to_the_link_of_a_server_with_a_page)
{
	static const struct invite_place place = {.n = 2,
						  .addresses = {"tls://poker.example",
								"tls://10.0.0.7"},
						  .web = "https://poker.example/"};
	static const char *const ways[] = {" aye join K7QX3M --server tls://poker.example",
					   " aye join K7QX3M --server tls://10.0.0.7",
					   " https://poker.example/#K7QX3M"};
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	a_room_seat(&a, "Grace", 0, NULL);
	struct tui *t = open_tui();
	tui_set_place(t, &place);
	for (size_t i = 0; i < 4; i++) {
		struct act act = type(t, &a, "I");
		assert_int_equal(act.local, LOCAL_COPY);
		assert_string_equal(act.text, ways[i % 3] + 1);
		assert_message(t, &a, ways[i % 3]);
	}
	tui_destroy(t);
}

TEST(test_a_code_for_phones_needs_a_page)
{
	struct a_room a;
	a_room_init(&a, NULL);
	a_room_seat(&a, "me", IS_ME, NULL);
	struct tui *t = open_tui();
	assert_nothing(type(t, &a, "Q"));
	assert_message(t, &a, " This server has no page for browsers: see https:// in ayed(8)");
	tui_set_place(t, &(struct invite_place){.is_own = true});
	assert_nothing(type(t, &a, "Q"));
	assert_message(t, &a, " No page for browsers yet: press O, then w");
	tui_set_place(t, &(struct invite_place){.web = "https://poker.example/"});
	assert_nothing(type(t, &a, "Q"));
	assert_row(t, &a, 23, " Esc back");
	assert_nothing(type(t, &a, "Q")); /* the same key closes it */
	assert_message(t, &a, "");
	tui_destroy(t);
}

TEST(test_who_has_no_name_is_asked_once)
{
	struct a_room a;
	struct tui *t;
	a_room_init(&a, NULL);
	t = tui_create(&(struct tui_options){.name_hint = "ada", .is_spectator = true});
	assert_message(t, &a, " Your name: ada");
	struct act act = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_JOIN, "username", "ada", "role", "spectator", NULL);
	assert_message(t, &a, "");
	assert_nothing(type(t, &a, "5"));
	assert_message(t, &a, " Choose a name before you vote; press n");
	assert_nothing(type(t, &a, "n"));
	assert_message(t, &a, " Your name: ada");
	tui_destroy(t);
}

TEST(test_a_refused_name_is_asked_for_again)
{
	struct a_room a;
	struct tui *t;
	a_room_init(&a, NULL);
	struct tui_options o = {.joins_by_itself = true, .name_hint = "Ada, as all of us"};
	t = tui_create(&o);
	tui_set_link(t, LINK_LIVE);
	assert_message(t, &a, "");
	tui_refuse_name(t, "username: is too long");
	assert_message(t, &a, " Your name: Ada, as all of us");
	assert_below(t, &a, " username: is too long");
	(void)tui_take_key(t, &a.r, TUI_KEY_HOME);
	(void)type(t, &a, "Not ");
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_ROOM_JOIN, "username",
		       "Not Ada, as all of us", NULL);
	tui_refuse_name(t, "username: is too long");
	assert_message(t, &a, " Your name: Not Ada, as all of us");
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	assert_message(t, &a, "");
	tui_destroy(t);
}

TEST(test_a_refused_name_waits_for_what_is_being_typed)
{
	struct a_room a;
	struct tui *t;
	a_room_init(&a, NULL);
	struct tui_options o = {.joins_by_itself = true, .name_hint = "ada"};
	t = tui_create(&o);
	(void)type(t, &a, ":set");
	tui_refuse_name(t, "username: no");
	assert_message(t, &a, " :set");
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	assert_message(t, &a, " Your name: ada");
	tui_destroy(t);
}

MEMBER_TEST(test_a_refused_rename_is_mended_too)
{
	(void)type(t, a, ":name Grace");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_JOIN, "username", "Grace",
		       NULL);
	tui_refuse_name(t, "that name is taken");
	assert_message(t, a, " Your name: Grace");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "n");
	assert_message(t, a, " Your name: me");
}

TEST(test_an_empty_name_stays_in_the_prompt)
{
	struct a_room a;
	a_room_init(&a, NULL);
	struct tui *t = open_tui();
	assert_nothing(tui_take_key(t, &a.r, TUI_KEY_ENTER));
	assert_nothing(type(t, &a, "Bo"));
	assert_request(tui_take_key(t, &a.r, TUI_KEY_ENTER), METHOD_ROOM_JOIN, "username", "Bo",
		       NULL);
	tui_destroy(t);
}

TEST(test_no_prompt_where_the_client_joins_by_itself)
{
	struct a_room a;
	struct tui *t;
	a_room_init(&a, NULL);
	t = tui_create(&(struct tui_options){.joins_by_itself = true});
	assert_message(t, &a, "");
	tui_destroy(t);
}

MEMBER_TEST(test_spectating_is_a_switch)
{
	struct act act = type(t, a, "s");
	assert_request(act, METHOD_ROOM_JOIN, "username", "me", "role", "spectator", NULL);
	a->r.you.role = ROLE_SPECTATOR;
	act = type(t, a, "s");
	assert_request(act, METHOD_ROOM_JOIN, "username", "me", "role", "voter", NULL);
	act = type(t, a, "n");
	assert_nothing(act);
	(void)tui_take_key(t, &a->r, TUI_KEY_RIGHT);
	(void)type(t, a, "2");
	act = tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_JOIN, "username", "me2", "role", "spectator", NULL);
}

HOST_TEST(test_leaving_asks_a_host_with_company_only)
{
	assert_nothing(type(t, a, "q"));
	assert_message(t, a, " You host, and 2 others are here. Leave? y / n");
	assert_nothing(type(t, a, "n"));
	enum { CTRL_C = 3 };
	assert_nothing(tui_take_key(t, &a->r, CTRL_C));
	assert_local(tui_take_key(t, &a->r, CTRL_C), LOCAL_LEAVE);
	a->members[1].is_connected = false;
	a->members[2].is_connected = false;
	assert_local(type(t, a, "q"), LOCAL_LEAVE);
}

MEMBER_TEST(test_what_waits_for_the_connection_is_said_and_not_left_behind_unasked)
{
	tui_set_message(t, "Connection lost: gone. Retrying");
	tui_set_held(t, "1 act waits for the connection: title");
	assert_message(t, a, " 1 act waits for the connection: title");
	assert_nothing(type(t, a, "q"));
	assert_message(t, a, " 1 act waits for the connection: title. Leave? y / n");
	(void)type(t, a, "n");
	tui_set_held(t, "");
	assert_message(t, a, " Connection lost: gone. Retrying");
	assert_local(type(t, a, "q"), LOCAL_LEAVE);
}

MEMBER_TEST(test_an_answer_goes_with_the_message_it_stands_over_and_not_with_none)
{
	tui_tell(t, "config:1: theme must be default, contrast, mono, dark or light");
	tui_set_message(t, "");
	assert_message(t, a, " config:1: theme must be default, contrast, mono, dark or light");
	tui_set_message(t, "Connection lost: gone. Retrying");
	tui_tell(t, "Not connected. Try again in a moment");
	tui_set_message(t, "");
	assert_message(t, a, "");
}

/* Tries to reconnect are many, and a sentence needs its time to be read. */
MEMBER_TEST(test_an_answer_outlives_the_tries_that_fail_behind_it_and_the_vote_that_waits_them_all)
{
	tui_set_now(t, A_NOW);
	tui_tell(t, "Copied");
	tui_lose_link(t, "Connection lost: gone. Retrying");
	assert_message(t, a, " Connection lost: gone. Retrying");
	tui_tell(t, "Not connected. This is sent on reconnect");
	tui_lose_link(t, "Connection lost: connection refused. Retrying");
	assert_message(t, a, " Not connected. This is sent on reconnect");
	tui_set_now(t, A_NOW + 60000);
	assert_message(t, a, " Connection lost: connection refused. Retrying");
	a->r.pending_vote = "5";
	tui_lose_link(t, "Connection lost: connection refused. Retrying");
	assert_message(t, a, " Your 5 is sent on reconnect");
	a->r.pending_vote = "";
	assert_message(t, a, " Your card is taken back on reconnect");
	a->r.pending_vote = NULL;
	tui_set_link(t, LINK_LIVE);
	tui_set_message(t, "");
	assert_message(t, a, "");
}

HOST_TEST(test_pasted_text_never_acts_as_keys)
{
	(void)tui_take_paste(t, &a->r, SLICE("q\r5"));
	assert_message(t, a, " Press S first, then paste your stories");
	(void)type(t, a, "e");
	for (int i = 0; i < 9; i++) {
		(void)tui_take_key(t, &a->r, TUI_KEY_BACKSPACE);
	}
	(void)tui_take_paste(t, &a->r, SLICE("Sprint\r\n\x1b[31m43"));
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_SET_TITLE, "title",
		       "Sprint [31m43", NULL);
}

HOST_TEST(test_escape_leaves_whatever_is_open)
{
	for (const char *key = "?K:TDRN"; *key != '\0'; key++) {
		assert_nothing(tui_take_key(t, &a->r, *key));
		assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ESCAPE));
		assert_votes(type(t, a, "8"), "8");
	}
}

TEST(test_no_key_and_no_command_belongs_to_two_actions)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		const struct action_row *row = &action_rows[a];
		if (row->key != 0) {
			for (enum view_kind v = 0; v < VIEW_COUNT; v++) {
				if (action_is_in(a, v)) {
					assert_int_equal(action_of_key(v, row->key), a);
				}
			}
		}
		if (row->command[0] != '\0') {
			assert_int_equal(action_of_command(row->command, strlen(row->command)), a);
		}
	}
}

TEST(test_before_the_room_is_known_only_leaving_and_help_work)
{
	struct a_room a = {.r = {.room_id = "K7QX3M"}};
	struct tui *t = open_tui();
	for (int32_t key = 1; key < 128; key++) {
		if (key != 'q' && key != 3) {
			assert_nothing(tui_take_key(t, &a.r, key));
			(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
		}
	}
	assert_local(type(t, &a, "q"), LOCAL_LEAVE);
	tui_destroy(t);
}

/* Each row names a field that its method has; what the table says needs no other list. */
TEST(test_every_row_names_fields_of_its_method)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		const struct action_row *row = &action_rows[a];
		const void *in;
		if (row->method == METHOD_NONE) {
			assert_true(row->fill == NULL);
			continue;
		}
		struct request *r = request_make(row->method);
		for (const struct act_word *w = row->words; w->kind != WORD_NONE; w++) {
			assert_non_null(request_field(r, w->field, &in));
		}
		assert_true(row->check == NULL || row->wrong != NULL);
		request_free(r);
	}
}
