/*
 * test_verb_team.c - which team a word means, lists that come in pages, and invitations, against a
 * server that obeys a script.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include "proto/base/format.h"

#define A_TEAM(id, name) \
	"{\"group_id\":\"" id "\",\"group_name\":\"" name "\",\"role\":\"owner\",\"joined_on\":1}"
#define TEAMS(entries, more) "{\"groups\":[" entries "]" more "}"
#define THE_TEAM                                                                                   \
	"{\"group_id\":\"g_AAAAAAAAAA\",\"group_name\":\"Payments\",\"role\":\"owner\",\"users\":" \
	"5,"                                                                                       \
	"\"version\":3}"

static struct scripted_rule answer(const char *method, unsigned times, const char *json)
{
	return (struct scripted_rule){.method = method, .times = times, .json = json};
}

static struct slice text_sent(struct verb_desk *d, enum method method, const char *name)
{
	static char params[1024];
	scripted_read(&d->server, scripted_find(&d->server, method, 0), params);
	const struct field *f = record_field(method_rows[method].params, slice_str(name));
	return *(const struct slice *)field_member(f, params);
}

TEST(test_a_name_is_looked_for_on_every_page)
{
	const struct scripted_rule rules[] = {
		answer("group.list", 1,
		       TEAMS(A_TEAM("g_BBBBBBBBBB", "Search"), ",\"cursor\":\"c1\"")),
		answer("group.list", 1, TEAMS("", ",\"cursor\":\"c2\"")),
		answer("group.list", 1, TEAMS(A_TEAM("g_AAAAAAAAAA", "Payments"), "")),
		answer("group.get", 0, THE_TEAM),
	};
	static struct verb_desk d;
	struct group_list_params p;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 4);
	verb_ends(&d, "team|show|Payments", EXIT_DONE);
	assert_string_equal(d.out, "Payments  g_AAAAAAAAAA\n5 members; you are an owner\n");
	assert_int_equal(scripted_count(&d.server, METHOD_GROUP_LIST), 3);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_GROUP_LIST, 2), &p);
	assert_true(slice_eq(p.cursor, SLICE("c2")));
	assert_true(slice_eq(text_sent(&d, METHOD_GROUP_GET, "group_id"), SLICE("g_AAAAAAAAAA")));
	verb_desk_close(&d);
}

TEST(test_what_is_an_id_by_its_form_is_not_looked_for)
{
	const struct scripted_rule rule = answer("group.get", 0, THE_TEAM);
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, &rule, 1);
	verb_ends(&d, "team|show|g_aaaaaaaaaa", EXIT_DONE);
	assert_int_equal(scripted_count(&d.server, METHOD_GROUP_LIST), 0);
	assert_true(slice_eq(text_sent(&d, METHOD_GROUP_GET, "group_id"), SLICE("g_AAAAAAAAAA")));
	verb_desk_close(&d);
}

TEST(test_a_name_of_two_or_of_none_is_told)
{
	static const struct {
		const char *list, *line, *err;
		int code;
	} rows[] = {
		{TEAMS(A_TEAM("g_AAAAAAAAAA", "Payments") "," A_TEAM("g_BBBBBBBBBB", "Payments"),
		       ""),
		 "team|leave|Payments",
		 "aye: 2 teams of yours are called Payments: g_AAAAAAAAAA and g_BBBBBBBBBB; use an "
		 "id\n",
		 EXIT_USAGE},
		{TEAMS(A_TEAM("g_AAAAAAAAAA", "Payments"), ""), "team|leave|Payment",
		 "aye: no team of yours is called Payment; did you mean Payments? (list them: aye "
		 "team list)\n",
		 EXIT_REFUSED},
		{TEAMS("", ""), "team|leave|Payments",
		 "aye: no team of yours is called Payments (list them: aye team list)\n",
		 EXIT_REFUSED},
		{TEAMS(A_TEAM("other", "Payments") "," A_TEAM("Payments", "x"), ""),
		 "team|leave|Payments", "", EXIT_DONE}, /* an id before a name */
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct scripted_rule rule = answer("group.list", 0, rows[i].list);
		scripted_play(&d.server, &rule, 1);
		verb_ends(&d, rows[i].line, rows[i].code);
		assert_string_equal(d.err, rows[i].err);
		assert_int_equal(scripted_count(&d.server, METHOD_GROUP_LEAVE),
				 rows[i].code == EXIT_DONE);
	}
	verb_desk_close(&d);
}

TEST(test_a_member_is_looked_for_in_the_team)
{
	const struct scripted_rule rules[] = {
		answer("group.list", 0, TEAMS(A_TEAM("g_AAAAAAAAAA", "Payments"), "")),
		answer("group.users", 0,
		       "{\"users\":[{\"user_id\":\"U1\",\"user_name\":\"Ada\",\"role\":\"owner\","
		       "\"joined_on\":1},{\"user_id\":\"U2\",\"user_name\":\"Grace\",\"role\":"
		       "\"member\",\"joined_on\":1}],\"version\":1}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "team|role|Payments|Grace|owner", EXIT_DONE);
	assert_true(slice_eq(text_sent(&d, METHOD_GROUP_USERS, "group_id"), SLICE("g_AAAAAAAAAA")));
	assert_true(slice_eq(text_sent(&d, METHOD_GROUP_SET_ROLE, "user_id"), SLICE("U2")));
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "team|remove|Payments|Mary", EXIT_REFUSED);
	assert_string_equal(d.err,
			    "aye: no member is called Mary (list them: aye team users TEAM)\n");
	verb_desk_close(&d);
}

/* ---- settings ---- */

#define SETTINGS_OF(defaults)                                                                      \
	"{\"group_id\":\"g_AAAAAAAAAA\",\"group_name\":\"Payments\",\"role\":\"owner\",\"users\":" \
	"5,\"version\":3" defaults "}"

TEST(test_the_settings_of_a_team_are_lines_that_set_takes)
{
	static const struct {
		const char *json, *begins;
	} rows[] = {
		{SETTINGS_OF(""), "deck=default\nlink_template=none\ntimer=none\nreveal_in=none\n"
				  "reactions=default\nwho_reveals=host\n"},
		{SETTINGS_OF(",\"defaults\":{\"deck\":\"fibonacci\",\"timer_seconds\":90,"
			     "\"reveal_in_seconds\":172800}"),
		 "deck=fibonacci\nlink_template=none\ntimer=90s\nreveal_in=2d\n"
		 "reactions=default\nwho_reveals=host\n"},
		{SETTINGS_OF(",\"defaults\":{\"valid_sizes\":[\"S\",\"M\"],\"link_template\":"
			     "\"https://x/{key}\",\"reactions\":[\"ship\",\"it\"]}"),
		 "deck=S M\nlink_template=https://x/{key}\ntimer=none\nreveal_in=none\n"
		 "reactions=ship it\n"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct scripted_rule rule = answer("group.get", 0, rows[i].json);
		scripted_play(&d.server, &rule, 1);
		verb_ends(&d, "team|settings|g_AAAAAAAAAA", EXIT_DONE);
		assert_memory_equal(d.out, rows[i].begins, strlen(rows[i].begins));
		/* The rules of a team that keeps none are those its rooms have. */
		assert_non_null(strstr(d.out, "\nauto_reveal=on\n"));
		assert_non_null(strstr(d.out, "\nquorum=0\n"));
	}
	verb_ends(&d, "team|settings|g_AAAAAAAAAA|--json", EXIT_DONE);
	assert_string_equal(d.out,
			    "{\"valid_sizes\":[\"S\",\"M\"],\"link_template\":\"https://x/{key}\","
			    "\"reactions\":[\"ship\",\"it\"]}\n");
	verb_desk_close(&d);
}

TEST(test_settings_are_changed_as_they_are_typed)
{
	static struct verb_desk d;
	struct group_set_defaults_params p;
	verb_desk_open(&d);
	verb_ends(&d,
		  "team|set|g_AAAAAAAAAA|deck=fibonacci|quorum=5|who_reveals=everyone|"
		  "link_template=https://x/{key}|timer=5m|reveal_in=2d|keep_votes=on",
		  EXIT_DONE);
	assert_string_equal(d.out, "");
	scripted_read(&d.server, scripted_find(&d.server, METHOD_GROUP_SET_DEFAULTS, 0), &p);
	assert_true(slice_eq(p.deck, SLICE("fibonacci")) && !p.with_valid_sizes);
	assert_true(slice_eq(p.link_template, SLICE("https://x/{key}")));
	assert_int_equal(p.timer_seconds, 300);
	assert_int_equal(p.reveal_in_seconds, 172800);
	assert_true(p.policy.quorum == 5 && p.policy.keep_votes);
	assert_true(p.policy.with_who_reveals && p.policy.who_reveals == WHO_MAY_EVERYONE);
	assert_false(p.policy.with_lobby);
	scripted_play(&d.server, NULL, 0);
	verb_ends(&d, "team|set|g_AAAAAAAAAA|deck=S, M, L|timer=none|reactions= ship  it ",
		  EXIT_DONE);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_GROUP_SET_DEFAULTS, 0), &p);
	assert_true(!p.with_deck && p.valid_sizes.n == 3);
	assert_true(p.with_timer_seconds && p.timer_seconds == 0);
	assert_true(p.reactions.n == 2 && slice_eq(p.reactions.items[1], SLICE("it")));
	assert_false(p.with_reveal_in_seconds || p.with_link_template || p.with_policy);
	scripted_play(&d.server, NULL, 0);
	verb_ends(
		&d,
		"team|set|g_AAAAAAAAAA|deck=default|link_template=|reveal_in=off|reactions=default",
		EXIT_DONE);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_GROUP_SET_DEFAULTS, 0), &p);
	assert_true(p.with_deck && p.deck.data == NULL);
	assert_true(p.with_link_template && p.link_template.len == 0);
	assert_true(p.with_reveal_in_seconds && p.reveal_in_seconds == 0);
	assert_true(p.with_reactions && p.reactions.n == 0);
	verb_desk_close(&d);
}

TEST(test_a_setting_that_is_none_is_refused_with_what_was_typed)
{
	static const struct {
		const char *word, *err;
	} rows[] = {
		{"dek=fibonacci", "aye: no setting dek; did you mean deck?\n"},
		{"nonsense=1", "aye: no setting nonsense; aye team settings TEAM lists them\n"},
		{"deck", "aye: use deck=VALUE; aye team settings TEAM lists the settings\n"},
		{"deck=fibonaci", "aye: deck: fibonaci is not a deck; did you mean fibonacci?\n"},
		{"timer=soon",
		 "aye: timer: soon is not a time: use minutes, or 90s, 5m, 1h, 2d; up "
		 "to 90 days\n"},
		{"reactions=one one", "aye: reactions: one is repeated\n"},
		{"reactions=1 2 3 4 5 6 7",
		 "aye: reactions: \"1 2 3 4 5 6 7\" has more than 6 words\n"},
		{"reactions=a thirteencells",
		 "aye: reactions: thirteencells must be 1 to 12 columns wide\n"},
		{"quorum=some", "aye: quorum must be a number from 0 to 2500\n"},
		{"who_reveals=nobody", "aye: who_reveals must be host or everyone\n"},
	};
	static struct verb_desk d;
	char line[100];
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)snprintf(line, sizeof(line), "team|set|g_AAAAAAAAAA|%s", rows[i].word);
		verb_ends(&d, line, EXIT_USAGE);
		assert_string_equal(d.err, rows[i].err);
	}
	assert_int_equal(scripted_count(&d.server, METHOD_GROUP_SET_DEFAULTS), 0);
	verb_desk_close(&d);
}

TEST(test_a_new_room_does_without_what_its_team_keeps)
{
	static const char *const lines[] = {
		"room|create|--team|g_AAAAAAAAAA|--until|none|--link-template|none",
		"room|create|--team|g_AAAAAAAAAA|--until|off|--link-template|off",
		"room|create|--team|g_AAAAAAAAAA|--until=|--link-template=",
	};
	static struct verb_desk d;
	struct room_create_params p;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		scripted_play(&d.server, NULL, 0);
		verb_ends(&d, lines[i], EXIT_DONE);
		scripted_read(&d.server, scripted_find(&d.server, METHOD_ROOM_CREATE, 0), &p);
		assert_true(p.with_reveal_in_seconds && p.reveal_in_seconds == 0);
		assert_true(p.with_link_template && p.link_template.len == 0);
	}
	scripted_play(&d.server, NULL, 0);
	verb_ends(&d, "room|create|--team|g_AAAAAAAAAA", EXIT_DONE);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_ROOM_CREATE, 0), &p);
	assert_false(p.with_reveal_in_seconds || p.with_link_template);
	verb_desk_close(&d);
}

TEST(test_an_invitation_is_one_line_to_paste)
{
	const struct scripted_rule rules[] = {
		answer("group.get", 0, THE_TEAM),
		answer("invitation.create", 0,
		       "{\"invitation_id\":\"i_AAAAAAAAAA\",\"code\":\"K7QX-3MHQ-2MB4-XNAW-PX6R\","
		       "\"link_expiry_datetime\":1795415819461}"),
	};
	static struct verb_desk d;
	char line[400];
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "invite|g_AAAAAAAAAA|--ends|7d|--uses|5", EXIT_DONE);
	(void)snprintf(
		line, sizeof(line),
		"K7QX-3MHQ-2MB4-XNAW-PX6R is for Payments, valid until 2026-11-23 06:36 UTC: aye "
		"team join K7QX-3MHQ-2MB4-XNAW-PX6R --server %s\n",
		d.server.address);
	assert_string_equal(d.out, line);
	verb_desk_close(&d);
}

TEST(test_what_is_no_code_goes_into_no_line_for_a_shell)
{
	const struct scripted_rule rules[] = {
		answer("group.get", 0, THE_TEAM),
		answer("invitation.create", 0,
		       "{\"invitation_id\":\"i_AAAAAAAAAA\",\"code\":\"x_reboot\","
		       "\"link_expiry_datetime\":1795415819461}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "invite|g_AAAAAAAAAA", EXIT_NO_SERVER);
	assert_string_equal(d.out, "");
	assert_string_equal(d.err, "aye: the server sent an invalid invitation code\n");
	verb_desk_close(&d);
}

TEST(test_a_team_is_shown_with_what_is_in_it)
{
	const struct scripted_rule rules[] = {
		answer("group.get", 1,
		       "{\"group_id\":\"g_AAAAAAAAAA\",\"group_name\":\"Payments\",\"role\":"
		       "\"member\","
		       "\"users\":1,\"version\":3,\"defaults\":{\"valid_sizes\":[\"1\",\"2\",\"3\"]"
		       "}}"),
		answer("group.get", 0,
		       "{\"group_id\":\"g_AAAAAAAAAA\",\"group_name\":\"Payments\",\"role\":"
		       "\"member\","
		       "\"users\":2,\"version\":3,\"defaults\":{\"deck\":\"tshirt\"}}"),
		answer("container.list", 0,
		       "{\"containers\":[{\"container_id\":\"c_AAAAAAAAAA\",\"group_id\":\"g_"
		       "AAAAAAAAAA\","
		       "\"container_name\":\"Sprint 42\",\"items\":30,\"version\":3}]}"),
		answer("group.rooms", 0,
		       "{\"rooms\":[{\"room_id\":\"K7QX3M9WDP\",\"title\":\"Monday\",\"round\":3,"
		       "\"users\":5,\"created_on\":0}]}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 4);
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	verb_ends(&d, "team|show|g_AAAAAAAAAA", EXIT_DONE);
	assert_string_equal(d.out,
			    "Payments  g_AAAAAAAAAA\n"
			    "1 member; you are a member\n"
			    "New rooms use the cards 1 2 3\n"
			    "Backlogs\n"
			    "  c_AAAAAAAAAA  30      Sprint 42\n"
			    "Rooms\n"
			    "  K7QX3M9WDP    5   here  round 3     1970-01-01 00:00  Monday\n");
	verb_ends(&d, "team|show|g_AAAAAAAAAA", EXIT_DONE);
	assert_non_null(strstr(d.out, "New rooms use the deck tshirt\n"));
	verb_desk_close(&d);
}

/* What makes no sense without a login says how to log in. */
TEST(test_a_stranger_is_told_to_log_in)
{
	static const char *const lines[] = {"team|list", "team|join|x", "invite|Payments",
					    "backlog|list", "room|create|--team|Payments"};
	const struct scripted_rule rules[] = {
		{.method = "session.hello"},
		{.act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAUTHENTICATED\",\"message\":\"you are not logged in\"}"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		scripted_play(&d.server, rules, 2);
		verb_ends(&d, lines[i], EXIT_REFUSED);
		assert_string_equal(d.err, "aye: you are not logged in. Log in: aye login NAME\n");
	}
	/* At the server that was told. */
	char line[300];
	char said[300];
	(void)format_to(line, sizeof(line), "team|list|--server|%s", d.server.address);
	(void)format_to(said, sizeof(said),
			"aye: you are not logged in. Log in: aye login NAME --server %s\n",
			d.server.address);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, line, EXIT_REFUSED);
	assert_string_equal(d.err, said);
	verb_desk_close(&d);
}

TEST(test_what_a_hostile_server_says_of_teams_is_softened)
{
	static const char *const lines[] = {
		"team|list",	       "team|show|g_AAAAAAAAAA",   "team|show|x",
		"invite|g_AAAAAAAAAA", "invite|list|g_AAAAAAAAAA", "team|users|g_AAAAAAAAAA",
		"team|join|x"};
	const struct scripted_rule rules[] = {
		answer("group.list", 0,
		       TEAMS(A_TEAM("\\u001b[2J", "a\\u001b[31m\\u202eb\\nc"),
			     ",\"cursor\":\"again\"")),
		answer("group.get", 0,
		       "{\"group_id\":\"\\u001b\",\"group_name\":\"\\u001b]0;x\",\"role\":"
		       "\"owner\","
		       "\"users\":-1,\"version\":1}"),
		answer("group.join", 0, "{\"group_id\":\"\\u001b\",\"group_name\":\"\\u0007\"}"),
		answer("invitation.create", 0,
		       "{\"invitation_id\":\"\\u001b\",\"code\":\"\\u001b\\n\","
		       "\"link_expiry_datetime\":-99999999999999}"),
		answer("invitation.list", 0,
		       "{\"invitations\":[{\"invitation_id\":\"\\u001b\",\"created_by\":"
		       "\"\\u009b\","
		       "\"link_expiry_datetime\":9223372036854775807,\"uses_left\":-5}]}"),
		answer("group.users", 0,
		       "{\"users\":[{\"user_id\":\"\\u001b\",\"user_name\":\"\\u009b\",\"role\":"
		       "\"emperor\",\"joined_on\":-1}],\"version\":1}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		scripted_play(&d.server, rules, 6);
		verb_run(&d, lines[i]);
		verb_assert_clean(&d);
	}
	verb_desk_close(&d);
}
