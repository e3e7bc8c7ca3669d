/*
 * test_screens_teams.c - teams, their members and invitations: keys in, requests and screens out. The
 * screens are compared with tests/tui/screens/, as in test_screens.c.
 */
#include "tests/unit/client/screen_files.h"
#include "tests/unit/client/teams_kit.h"

#include "proto/deck.h"

enum { CTRL_S = 19 };

#define EMPTY_TEST(name, s) \
	TEST_OF(name, struct some_teams, s, teams_test_open(s, false), teams_test_close(s))
#define TEAMS_TEST(name, s) \
	TEST_OF(name, struct some_teams, s, two_teams(s, false), teams_test_close(s))
#define TEAM_TEST(name, s) \
	TEST_OF(name, struct some_teams, s, a_team(s, false), teams_test_close(s))

/* ---- the list ---- */

EMPTY_TEST(test_teams_are_asked_for_where_they_are_shown, s)
{
	(void)type(s, "T");
	assert_says(s, "Loading");
	assert_request(wants_list(s), METHOD_GROUP_LIST, "cursor", "(absent)", NULL);
	answer(s, &(struct group_list_result){.groups_n = 0});
	assert_pages(s, "teams-empty");
	assert_nothing(wants_list(s));
	assert_nothing(key(s, TUI_KEY_ENTER));
	assert_says(s, "Nothing here yet");
	tui_set_link(s->tui, LINK_LOST);
	assert_says(s, "Looking for the server");
}

EMPTY_TEST(test_a_page_that_was_refused_says_why_and_is_asked_for_again, s)
{
	(void)type(s, "T");
	refuse_page(wants_list(s), "the server is busy", 20 * 1000);
	assert_says(s, "Refused: the server is busy. Retrying soon.");
	assert_nothing(wants_list(s));
	assert_int_equal(tui_changes_in_ms(s->tui, s->none), 20 * 1000);
	tui_set_now(s->tui, A_NOW + 20 * 1000);
	assert_int_equal(tui_changes_in_ms(s->tui, s->none), 0);
	assert_request(wants_list(s), METHOD_GROUP_LIST, "cursor", "(absent)", NULL);
	answer(s, &(struct group_list_result){.groups_n = 0});
	assert_says(s, "No teams yet");
}

EMPTY_TEST(test_a_stranger_to_teams_is_told_to_log_in, s)
{
	s->home.is_signed_in = false;
	s->teams.is_open = false;
	assert_nothing(type(s, "T"));
	assert_says(s, "Log in to use teams: aye login NAME");
	assert_nothing(wants_list(s));
}

TEAMS_TEST(test_teams_are_listed_with_what_one_is_in_them, s)
{
	assert_pages(s, "teams");
	(void)type(s, "/guild\n");
	assert_says(s, "> The guild");
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_ESCAPE);
	assert_says(s, "aye · Home");
}

TEAMS_TEST(test_a_team_is_made_and_opens, s)
{
	struct act act = type(s, "aInfra\n");
	assert_request(act, METHOD_GROUP_CREATE, "group_name", "Infra", NULL);
	done(s, act, &(struct group_create_result){.group_id = SLICE("g_CCCCCCCCCC")});
	assert_says(s, "Infra · owner");
	assert_request(wants_list(s), METHOD_GROUP_ROOMS, "group_id", "g_CCCCCCCCCC", NULL);
	assert_nothing(type(s, "a"));
}

TEAMS_TEST(test_a_team_is_joined_by_a_code_or_by_the_line_with_it, s)
{
	assert_request(type(s, "jk7qx-3mhq-2mb4-xnaw-px6r\n"), METHOD_GROUP_JOIN, "code",
		       "k7qx-3mhq-2mb4-xnaw-px6r", NULL);
	(void)tui_take_paste(
		s->tui, s->none,
		SLICE("K7QX-3MHQ-2MB4-XNAW-PX6R is for Infra, valid until 2026-11-24: aye "
		      "team join K7QX-3MHQ-2MB4-XNAW-PX6R"));
	struct act act = key(s, TUI_KEY_ENTER);
	assert_request(act, METHOD_GROUP_JOIN, "code", "K7QX-3MHQ-2MB4-XNAW-PX6R", NULL);
	done(s, act,
	     &(struct group_join_result){SLICE("g_CCCCCCCCCC"), .group_name = SLICE("Infra")});
	assert_says(s, "Infra · member");
}

TEAMS_TEST(test_a_team_of_another_server_is_joined_by_no_code_sent_to_this_one, s)
{
	(void)tui_take_paste(s->tui, s->none,
			     SLICE("aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server "
				   "tcp://other.example:2937"));
	assert_nothing(key(s, TUI_KEY_ENTER));
	assert_says(s, "That team is on another server");
	(void)key(s, TUI_KEY_ESCAPE);
	(void)tui_take_paste(s->tui, s->none,
			     SLICE("aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server "
				   "tcp://poker.example:2937"));
	assert_request(key(s, TUI_KEY_ENTER), METHOD_GROUP_JOIN, "code", "K7QX-3MHQ-2MB4-XNAW-PX6R",
		       NULL);
}

TEAMS_TEST(test_each_address_of_this_server_leads_to_its_teams, s)
{
	static const struct {
		const char *server;
		bool is_here;
	} rows[] = {
		{"tcp://192.0.2.7:2937", true},	 {"tls://door.example:443", true},
		{"door.example:443", true},	 {"door.example", false}, /* another port */
		{"tcp://192.0.2.8:2937", false},
	};
	struct invite_place place = {.n = 2,
				     .addresses = {"tcp://192.0.2.7:2937",
						   "tls://door.example:443"}};
	tui_set_place(s->tui, &place);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[128];
		(void)snprintf(line, sizeof(line),
			       "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server %s",
			       rows[i].server);
		(void)tui_take_paste(s->tui, s->none, slice_str(line));
		struct act act = key(s, TUI_KEY_ENTER);
		if (rows[i].is_here) {
			assert_request(act, METHOD_GROUP_JOIN, "code", "K7QX-3MHQ-2MB4-XNAW-PX6R",
				       NULL);
		} else {
			assert_nothing(act);
			assert_says(s, "That team is on another server");
			(void)key(s, TUI_KEY_ESCAPE);
		}
	}
}

TEAM_TEST(test_a_team_is_deleted_after_a_question, s)
{
	assert_nothing(type(s, "D"));
	assert_says(s, "Delete Platform with its rooms, backlogs and invitations, for everyone?");
	struct act act = type(s, "y");
	assert_request(act, METHOD_GROUP_DELETE, "group_id", "g_AAAAAAAAAA", NULL);
	done(s, act, &(struct nothing){0});
	assert_says(s, "Teams · 1");
}

/* ---- what expires ---- */

TEAM_TEST(test_home_says_what_expires_this_week_and_lists_say_where, s)
{
	const int64_t today = A_NOW - A_NOW % (24 * (int64_t)HOUR_MS);
	struct expiring_item items[] = {
		{.container_id = SLICE("c_BBBBBBBBBB"),
		 .item_id = SLICE("i_1"),
		 .expiry = today - 1},
		{.container_id = SLICE("c_BBBBBBBBBB"), .item_id = SLICE("i_2"), .expiry = today},
		{.container_id = SLICE("c_AAAAAAAAAA"),
		 .item_id = SLICE("i_3"),
		 .expiry = A_NOW + HOUR_MS},
	};
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_ESCAPE);
	assert_request(wants_list(s), METHOD_ITEM_EXPIRING, "group_id", "g_AAAAAAAAAA", "before",
		       "1700604800000", NULL);
	answer(s, &(struct item_expiring_result){.items = items,
						 .items_n = 2,
						 .cursor = SLICE("next")});
	assert_request(wants_list(s), METHOD_ITEM_EXPIRING, "group_id", "g_AAAAAAAAAA", "cursor",
		       "next", NULL);
	answer(s, &(struct item_expiring_result){.items = &items[2], .items_n = 1});
	assert_request(wants_list(s), METHOD_ITEM_EXPIRING, "group_id", "g_BBBBBBBBBB", "cursor",
		       "(absent)", NULL);
	answer(s, &(struct item_expiring_result){.items_n = 0});
	assert_nothing(wants_list(s));
	assert_pages(s, "home-expiring");
	(void)type(s, "T");
	assert_says(s, "2 expire");
	(void)type(s, "\n\t");
	assert_pages(s, "team-expiring");
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_ESCAPE);
	tui_set_now(s->tui, A_NOW + 11 * 60 * 1000);
	struct act act = wants_list(s);
	assert_request(act, METHOD_ITEM_EXPIRING, "group_id", "g_AAAAAAAAAA", NULL);
	refuse_page(act, "no", 0);
	assert_request(wants_list(s), METHOD_ITEM_EXPIRING, "group_id", "g_BBBBBBBBBB", NULL);
	items[2].container_id = SLICE("c_CCCCCCCCCC");
	answer(s, &(struct item_expiring_result){.items = &items[2],
						 .items_n = 1,
						 .cursor = SLICE("next")});
	expiring_refresh(&s->teams.expiring); /* half read is not read */
	assert_request(wants_list(s), METHOD_ITEM_EXPIRING, "group_id", "g_AAAAAAAAAA", "cursor",
		       "(absent)", NULL);
	answer(s, &(struct item_expiring_result){.items_n = 0});
	answer(s, &(struct item_expiring_result){.items = &items[2], .items_n = 1});
	assert_nothing(wants_list(s));
	assert_says(s, "1 item expires this week");
	(void)type(s, "T");
	char *text = screen_text(s->tui, s->none, 120, 24);
	const char *of_one_team = strstr(text, "1 expires");
	assert_non_null(of_one_team);
	assert_null(strstr(of_one_team + 1, "1 expires"));
	free(text);
}

EMPTY_TEST(test_at_home_the_line_of_an_invitation_leads_into_its_team, s)
{
	(void)tui_take_paste(s->tui, s->none, SLICE("aye team join K7QX-3MHQ-2MB4-XNAW-PX6R"));
	struct act act = key(s, TUI_KEY_ENTER);
	assert_request(act, METHOD_GROUP_JOIN, "code", "K7QX-3MHQ-2MB4-XNAW-PX6R", NULL);
	done(s, act,
	     &(struct group_join_result){SLICE("g_CCCCCCCCCC"), .group_name = SLICE("Infra")});
	assert_says(s, "Infra · member");
	assert_local(type(s, "qqjK7QX3M --server tcp://host.example:80\n"), LOCAL_ENTER);
}

/* ---- rooms ---- */

TEAM_TEST(test_a_team_opens_with_its_rooms, s)
{
	(void)key(s, TUI_KEY_LEFT);
	assert_pages(s, "team-rooms");
	struct act act = key(s, TUI_KEY_ENTER);
	assert_local(act, LOCAL_ENTER);
	assert_string_equal(act.room_id, "K7QX3M9WDP");
	assert_string_equal(act.server, "");
	s->home.is_entering = true;
	assert_local(key(s, TUI_KEY_ESCAPE), LOCAL_STAY);
	s->home.is_entering = false;
	assert_request(type(s, "aRetro\n"), METHOD_ROOM_CREATE, "group_id", "g_AAAAAAAAAA", "title",
		       "Retro", NULL);
	assert_request(type(s, "a\n"), METHOD_ROOM_CREATE, "title", "(nil)", "policy", "(absent)",
		       NULL);
}

TEAM_TEST(test_rooms_are_read_again_while_they_are_looked_at, s)
{
	(void)key(s, TUI_KEY_LEFT);
	assert_nothing(wants_list(s));
	tui_set_now(s->tui, A_NOW + 16 * 1000);
	assert_int_equal(tui_changes_in_ms(s->tui, s->none), 0);
	assert_request(wants_list(s), METHOD_GROUP_ROOMS, "group_id", "g_AAAAAAAAAA", NULL);
	assert_int_equal(tui_changes_in_ms(s->tui, s->none), 15000);
	tui_set_link(s->tui, LINK_LOST);
	tui_set_now(s->tui, A_NOW + 60 * 1000);
	assert_int_equal(tui_changes_in_ms(s->tui, s->none), -1);
}

/* ---- backlogs ---- */

TEAM_TEST(test_backlogs_are_made_renamed_and_deleted, s)
{
	assert_pages(s, "team-backlogs");
	assert_request(type(s, "aPantry\n"), METHOD_CONTAINER_CREATE, "group_id", "g_AAAAAAAAAA",
		       "container_name", "Pantry", NULL);
	assert_request(type(s, "jeFridge\n"), METHOD_CONTAINER_RENAME, "container_id",
		       "c_BBBBBBBBBB", "container_name", "Fridge", NULL);
	assert_nothing(type(s, "d"));
	assert_says(s, "Delete What is in the fridge and all its items?");
	assert_request(type(s, "y"), METHOD_CONTAINER_DELETE, "container_id", "c_BBBBBBBBBB", NULL);
}

/* ---- members ---- */

TEAM_TEST(test_members_are_listed_with_their_roles, s)
{
	(void)key(s, TUI_KEY_TAB);
	assert_pages(s, "team-members");
	(void)key(s, TUI_KEY_DOWN);
	assert_nothing(type(s, "G"));
	assert_says(s, "Make Grace an owner?");
	assert_request(type(s, "y"), METHOD_GROUP_SET_ROLE, "group_id", "g_AAAAAAAAAA", "user_id",
		       "u_2", "role", "owner", NULL);
	(void)type(s, "d");
	assert_pages(s, "team-remove");
	assert_request(type(s, "y"), METHOD_GROUP_REMOVE_USER, "group_id", "g_AAAAAAAAAA",
		       "user_id", "u_2", NULL);
}

TEAM_TEST(test_what_is_asked_about_a_member_stays_about_that_member, s)
{
	struct group_user first = {.user_id = SLICE("u_2"), .user_name = SLICE("Grace")};
	(void)type(s, "\tjd");
	feed_refresh(&s->teams.lists[TEAM_USERS]);
	answer(s, &(struct group_users_result){.users = &first, .users_n = 1, .version = 2});
	assert_says(s, "Remove Grace from the team?");
	assert_request(type(s, "y"), METHOD_GROUP_REMOVE_USER, "user_id", "u_2", NULL);
}

TEAM_TEST(test_a_question_stays_for_the_member_it_was_begun_for, s)
{
	(void)key(s, TUI_KEY_TAB);
	(void)key(s, TUI_KEY_DOWN);
	(void)type(s, "aShip it?\n");
	(void)type(s, "\n\n"); /* answered in words */
	(void)type(s, "\n\n"); /* to Grace, as it was */
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_AAAAAAAAAA", "user_id",
		       "u_2", NULL);
	(void)type(s, ":ask-to nowhere\n");
	assert_says(s,
		    "No such team, member or room. Members are those of the team you opened last");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "user_id", "u_2", NULL);
	(void)type(s, ":ask-to Platform\n");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_AAAAAAAAAA", "user_id",
		       "(absent)", NULL);
}

static void ask_to(struct some_teams *s, const char *whom)
{
	(void)type(s, ":ask-to ");
	(void)type(s, whom);
	(void)key(s, TUI_KEY_ENTER);
}

/* Where the word before a name is part of it, and where it tells two teams apart. */
TEAM_TEST(test_a_question_is_for_the_team_that_was_named, s)
{
	static const struct {
		const char *typed, *group_id, *room_id;
	} rows[] = {
		{"team rocket", "g_AAAAAAAAAA", "(absent)"},
		{"team team rocket", "g_AAAAAAAAAA", "(absent)"},
		{"room 12", "g_BBBBBBBBBB", "(absent)"},
		{"team room 12", "g_BBBBBBBBBB", "(absent)"},
		{"room k7qx3m", "(absent)", "K7QX3M"},
	};
	struct group_entry **teams = (struct group_entry **)s->teams.lists[TEAM_GROUPS].rows.items;
	teams[0]->group_name = SLICE("Team Rocket");
	teams[1]->group_name = SLICE("Room 12");
	(void)type(s, "\taShip it?\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ask_to(s, rows[i].typed);
		assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", rows[i].group_id,
			       "room_id", rows[i].room_id, NULL);
	}
	teams[1]->group_name = SLICE("Rocket");
	ask_to(s, "rocket");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_BBBBBBBBBB", NULL);
	ask_to(s, "team rocket");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_BBBBBBBBBB", NULL);
}

TEAM_TEST(test_a_question_is_for_the_member_that_was_named, s)
{
	(void)type(s, "\taShip it?\n");
	ask_to(s, "grace");
	assert_says(s, "To          Grace");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_AAAAAAAAAA", "user_id",
		       "u_2", "room_id", "(absent)", NULL);
	ask_to(s, "everyone");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "(absent)", "user_id",
		       "(absent)", NULL);
	struct group_user **users = (struct group_user **)s->teams.lists[TEAM_USERS].rows.items;
	users[2]->user_name = SLICE("Grace");
	ask_to(s, "Grace");
	assert_says(s, "Several members have that name. Press a on the one in the team's members");
	(void)key(s, TUI_KEY_ESCAPE);
	users[2]->user_name = SLICE("Marion"); /* which is the form of a code, too */
	ask_to(s, "marion");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "user_id", "u_3", "room_id", "(absent)",
		       NULL);
}

TEAM_TEST(test_names_are_offered_where_a_question_is_addressed, s)
{
	(void)type(s, "\taShip it?\n:ask-to gr\t\n");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "user_id", "u_2", NULL);
	(void)type(s, ":ask-to plat\t\n");
	assert_request(key(s, CTRL_S), METHOD_QUESTION_ASK, "group_id", "g_AAAAAAAAAA", "user_id",
		       "(absent)", NULL);
}

TEAM_TEST(test_only_owners_are_offered_what_is_theirs, s)
{
	struct group_entry *g = s->teams.lists[TEAM_GROUPS].rows.items[0];
	g->role = GROUP_MEMBER;
	assert_nothing(type(s, "d"));
	assert_says(s, "Only team owners can do that");
	assert_nothing(type(s, "\td"));
	assert_says(s, "Only team owners can do that");
	assert_nothing(type(s, "e"));
	assert_says(s, "Only team owners can do that");
}

TEAM_TEST(test_a_team_is_renamed_and_left, s)
{
	struct act act = type(s, "\teInfra\n");
	assert_request(act, METHOD_GROUP_RENAME, "group_id", "g_AAAAAAAAAA", "group_name", "Infra",
		       NULL);
	done(s, act, &(struct nothing){0});
	assert_says(s, "Infra · owner");
	assert_nothing(type(s, "L"));
	assert_says(s, "Leave Infra? You need an invitation to return.");
	act = type(s, "y");
	assert_request(act, METHOD_GROUP_LEAVE, "group_id", "g_AAAAAAAAAA", NULL);
	done(s, act, &(struct nothing){0});
	assert_says(s, "Teams · 1");
}

/* ---- what it keeps for new rooms ---- */

/* The watch says what the team keeps. */
static void team_keeps(struct some_teams *s, struct group_defaults d)
{
	int64_t at = s->teams.watches[TEAM_WATCH_GROUP].version;
	(void)wants_list(s);
	struct group_update up = {
		.epoch = 1,
		.since = at == 0 ? 1 : at,
		.version = at == 0 ? 2 : at + 1,
		.group_id = slice_str(s->teams.group_id),
		.group = {.group_name = SLICE("Payments"),
			  .users = 3,
			  .defaults = d,
			  .with_defaults = true},
		.with_group = true,
	};
	assert_false(teams_take_group_update(&s->teams, &up));
}

TEAM_TEST(test_the_rules_of_new_rooms_are_a_page_of_the_team, s)
{
	struct slice cards[] = {SLICE("S"), SLICE("M"), SLICE("L")};
	(void)type(s, "P");
	assert_nothing(key(s, TUI_KEY_ENTER));
	(void)key(s, TUI_KEY_ESCAPE);
	assert_nothing(type(s, ":team-rule lobby on\n"));
	assert_says(s, "Still loading the team");
	(void)key(s, TUI_KEY_ESCAPE);
	team_keeps(s, (struct group_defaults){.valid_sizes = {cards, 3},
					      .timer_seconds = 300,
					      .with_timer_seconds = true});
	assert_pages(s, "team-rules");
	team_keeps(s, (struct group_defaults){.deck = SLICE("fibonacci"),
					      .policy = {.lobby = true, .quorum = 5},
					      .with_policy = true,
					      .reveal_in_seconds = 172800,
					      .with_reveal_in_seconds = true});
	assert_says(s, "fibonacci");
	assert_says(s, "2d");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_says(s, "[Backlogs]");
}

TEAM_TEST(test_an_owner_changes_them_where_they_are_shown, s)
{
	static const struct {
		int down;
		const char *says, *typed, *field, *value;
	} rows[] = {
		{0, "Deck: S M L", "fibonacci", "deck", "fibonacci"},
		{0, "Deck: S M L", "default", "deck", "(nil)"},
		{1, "Link of a story:", "https://x/{key}", "link_template", "https://x/{key}"},
		{2, "Timer: 5m", "90s", "timer_seconds", "90"},
		{3, "Reveal after creation:", "2d", "reveal_in_seconds", "172800"},
		{3, "Reveal after creation:", "", "reveal_in_seconds", "0"},
		{4, "Reactions:", "ship it", "reactions", "ship it"},
		{4, "Reactions:", "default", "reactions", ""},
	};
	struct slice cards[] = {SLICE("S"), SLICE("M"), SLICE("L")};
	(void)type(s, "P");
	team_keeps(s, (struct group_defaults){.valid_sizes = {cards, 3},
					      .timer_seconds = 300,
					      .with_timer_seconds = true});
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)key(s, TUI_KEY_HOME);
		for (int n = 0; n < rows[i].down; n++) {
			(void)key(s, TUI_KEY_DOWN);
		}
		assert_nothing(key(s, TUI_KEY_ENTER));
		assert_says(s, rows[i].says);
		(void)key(s, 21); /* ^U */
		(void)type(s, rows[i].typed);
		assert_request(key(s, TUI_KEY_ENTER), METHOD_GROUP_SET_DEFAULTS, "group_id",
			       "g_AAAAAAAAAA", rows[i].field, rows[i].value, NULL);
	}
	(void)key(s, TUI_KEY_DOWN);
	assert_request(key(s, TUI_KEY_ENTER), METHOD_GROUP_SET_DEFAULTS, "policy.who_reveals",
		       "everyone", NULL);
	assert_request(type(s, ":team-rule keep_votes on\n"), METHOD_GROUP_SET_DEFAULTS, "group_id",
		       "g_AAAAAAAAAA", "policy.keep_votes", "true", NULL);
	assert_request(type(s, ":team-quorum 5\n"), METHOD_GROUP_SET_DEFAULTS, "policy.quorum", "5",
		       NULL);
	assert_request(type(s, "psesame\n"), METHOD_GROUP_SET_DEFAULTS, "policy.passcode", "sesame",
		       NULL);
	assert_nothing(type(s, ":team-timer soon\n"));
	assert_says(s, "soon is not a time");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_nothing(type(s, ":team-reactions hm hm\n"));
	assert_says(s, "hm is repeated");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_nothing(type(s, ":team-deck fibonaci\n"));
	assert_says(s, "did you mean fibonacci?");
}

TEAM_TEST(test_a_member_reads_them, s)
{
	struct group_entry *g = s->teams.lists[TEAM_GROUPS].rows.items[0];
	g->role = GROUP_MEMBER;
	(void)type(s, "P");
	team_keeps(s, (struct group_defaults){.deck = SLICE("fibonacci")});
	assert_says(s, "only owners can change them");
	assert_says(s, "fibonacci");
	assert_nothing(key(s, TUI_KEY_ENTER));
	assert_says(s, "Only team owners can do that");
	assert_nothing(type(s, "p"));
	assert_says(s, "Only team owners can do that");
}

TEAMS_TEST(test_the_first_room_asks_for_the_deck_that_the_team_keeps, s)
{
	done(s, type(s, "aInfra\n"),
	     &(struct group_create_result){.group_id = SLICE("g_CCCCCCCCCC")});
	team_keeps(s, (struct group_defaults){.timer_seconds = 60, .with_timer_seconds = true});
	answer(s, &(struct group_rooms_result){.rooms_n = 0});
	assert_nothing(type(s, "aMonday\n"));
	assert_pages(s, "team-first-deck");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_says(s, "No rooms yet.");
	assert_nothing(type(s, "aMonday\n"));
	assert_request(type(s, "2"), METHOD_GROUP_SET_DEFAULTS, "group_id", "g_CCCCCCCCCC", "deck",
		       deck_rows[1].name, NULL);
	assert_request(key(s, TUI_KEY_ESCAPE), METHOD_ROOM_CREATE, "title", "Monday", NULL);
	/* Its own cards are kept, too. */
	assert_nothing(type(s, "aMonday\ne"));
	struct act act = type(s, "1 2 3\n");
	assert_request(act, METHOD_GROUP_SET_DEFAULTS, "deck", "(absent)", NULL);
	const struct group_set_defaults_params *kept = act.request->params;
	assert_int_equal(kept->valid_sizes.n, 3);
	(void)key(s, TUI_KEY_ESCAPE);
	/* Now there is a deck. */
	team_keeps(s, (struct group_defaults){.deck = SLICE("fibonacci")});
	act = type(s, "aTuesday\n");
	assert_request(act, METHOD_ROOM_CREATE, "group_id", "g_CCCCCCCCCC", "deck", "(absent)",
		       NULL);
	/* A room at home is nobody's, and nothing is kept. */
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_ESCAPE);
	act = type(s, "c\n2");
	assert_request(act, METHOD_ROOM_CREATE, "group_id", "(absent)", "policy.auto_reveal",
		       "true", NULL);
}

TEAMS_TEST(test_the_first_room_asks_what_else_the_team_keeps, s)
{
	done(s, type(s, "aInfra\n"),
	     &(struct group_create_result){.group_id = SLICE("g_CCCCCCCCCC")});
	team_keeps(s, (struct group_defaults){.timer_seconds = 60, .with_timer_seconds = true});
	answer(s, &(struct group_rooms_result){.rooms_n = 0});
	(void)type(s, "aMonday\n2");
	team_keeps(s, (struct group_defaults){.deck = SLICE("fibonacci")});
	assert_pages(s, "team-first-room");
	/* Each row is changed in its place, and kept at once. */
	(void)key(s, TUI_KEY_DOWN);
	assert_nothing(key(s, TUI_KEY_ENTER));
	assert_says(s, "Deck: fibonacci");
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_DOWN);
	assert_nothing(type(s, "\n"));
	assert_request(type(s, "https://x.org/{key}\n"), METHOD_GROUP_SET_DEFAULTS, "group_id",
		       "g_CCCCCCCCCC", "link_template", "https://x.org/{key}", NULL);
	(void)key(s, TUI_KEY_END);
	for (int n = 0; n < 4; n++) {
		(void)key(s, TUI_KEY_UP);
	}
	assert_request(key(s, TUI_KEY_ENTER), METHOD_GROUP_SET_DEFAULTS, "policy.open_stories",
		       "true", NULL);
	/* The first row makes the room, which starts with all of that. */
	(void)key(s, TUI_KEY_HOME);
	struct act act = key(s, TUI_KEY_ENTER);
	assert_request(act, METHOD_ROOM_CREATE, "group_id", "g_CCCCCCCCCC", "title", "Monday",
		       "deck", "(absent)", "link_template", "(absent)", NULL);
	assert_false(request_has(act.request, "policy"));
}

TEAMS_TEST(test_a_member_chooses_the_deck_of_the_first_room_only, s)
{
	done(s, type(s, "aInfra\n"),
	     &(struct group_create_result){.group_id = SLICE("g_CCCCCCCCCC")});
	team_keeps(s, (struct group_defaults){.timer_seconds = 60, .with_timer_seconds = true});
	answer(s, &(struct group_rooms_result){.rooms_n = 0});
	struct group_entry *g = rows_find(&s->teams.lists[TEAM_GROUPS].rows, SLICE("g_CCCCCCCCCC"));
	g->role = GROUP_MEMBER;
	struct act act = type(s, "aMonday\n2");
	assert_request(act, METHOD_ROOM_CREATE, "group_id", "g_CCCCCCCCCC", "deck",
		       deck_rows[1].name, NULL);
}

/* ---- invitations ---- */

TEAM_TEST(test_invitations_are_listed_renewed_and_revoked, s)
{
	(void)type(s, "\t\t");
	assert_pages(s, "team-invitations");
	(void)key(s, TUI_KEY_DOWN);
	assert_request(type(s, "r2d\n"), METHOD_INVITATION_RENEW, "invitation_id", "v_2",
		       "expires_in_seconds", "172800", NULL);
	assert_nothing(type(s, "d"));
	assert_says(s, "Revoke this invitation? Its code stops working.");
	assert_request(type(s, "y"), METHOD_INVITATION_REVOKE, "group_id", "g_AAAAAAAAAA",
		       "invitation_id", "v_2", NULL);
}

TEAM_TEST(test_a_code_is_shown_once_with_the_line_to_send, s)
{
	struct invite_place place = {.n = 1, .addresses = {"tcp://poker.example:2937"}};
	struct act act = type(s, "I\n");
	tui_set_place(s->tui, &place);
	assert_request(act, METHOD_INVITATION_CREATE, "group_id", "g_AAAAAAAAAA",
		       "expires_in_seconds", "86400", "uses", "(absent)", NULL);
	done(s, act,
	     &(struct invitation_create_result){.invitation_id = SLICE("v_3"),
						.code = SLICE("K7QX-3MHQ-2MB4-XNAW-PX6R"),
						.link_expiry_datetime =
							A_NOW + 24 * (int64_t)HOUR_MS});
	assert_pages(s, "team-invited");
	act = type(s, "I");
	assert_local(act, LOCAL_COPY);
	assert_string_equal(act.text, "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server "
				      "tcp://poker.example:2937");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_string_equal(s->teams.made.code, "");
	assert_says(s, "[Invitations]");
}

TEAM_TEST(test_what_is_no_code_is_in_no_line_to_send, s)
{
	done(s, type(s, "I\n"),
	     &(struct invitation_create_result){.invitation_id = SLICE("v_3"),
						.code = SLICE("$(reboot)")});
	assert_string_equal(s->teams.made.code, "");
	assert_says(s, "sent an invalid invitation code");
	assert_nothing(type(s, "I"));
}

TEAM_TEST(test_how_long_and_for_how_many_is_typed_in_one_line, s)
{
	assert_request(type(s, "I7d 5\n"), METHOD_INVITATION_CREATE, "expires_in_seconds", "604800",
		       "uses", "5", NULL);
	assert_nothing(type(s, "I7d five\n"));
	assert_says(s, "five is not a number of uses from 1 to 1000");
	(void)key(s, TUI_KEY_ESCAPE);
	assert_nothing(type(s, "I31d\n"));
	assert_says(s, "31d is not from 1m to 30d");
}

/* ---- elsewhere ---- */

TEAM_TEST(test_what_comes_for_a_team_that_was_left_is_not_shown, s)
{
	struct group_user other = {.user_id = SLICE("u_9"), .user_name = SLICE("Linus")};
	(void)key(s, TUI_KEY_TAB);
	feed_refresh(&s->teams.lists[TEAM_USERS]);
	struct act act = wants_list(s);
	struct request *r = request_ref(act.request);
	feed_sent(act.feed, r);
	(void)key(s, TUI_KEY_ESCAPE);
	(void)key(s, TUI_KEY_DOWN);
	(void)type(s, "\n\t\t");
	feed_take(act.feed, r, &(struct group_users_result){.users = &other, .users_n = 1});
	request_free(r);
	assert_int_equal(teams_rows(&s->teams, TEAM_USERS)->n, 0);
	assert_request(wants_list(s), METHOD_GROUP_USERS, "group_id", "g_BBBBBBBBBB", NULL);
}

TEST(test_teams_in_ascii_need_no_more)
{
	struct some_teams s;
	a_team(&s, true);
	(void)type(&s, "\t\t");
	assert_sizes(s.tui, s.none, "team-ascii", SIZES({80, 24}, {40, 12}));
	teams_test_close(&s);
}
