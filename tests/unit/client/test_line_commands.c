/*
 * test_line_commands.c - a room without a screen: lines in, sentences and requests out.
 */
#include <stdlib.h>

#include "client/model/room/round_history.h"
#include "client/tui/actions/action_table.h"
#include "client/tui/actions/line_commands.h"
#include "client/tui/status_text.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"
#include "tests/unit/client/act_kit.h"

struct talk_kit {
	struct a_room a;
	struct line_commands *t;
	struct buf out;
};

static void kit_open(struct talk_kit *k, bool is_host)
{
	a_room_init(&k->a, "Sprint 42");
	a_room_seat(&k->a, "Ada", IS_ME | (is_host ? IS_HOST : 0), NULL);
	a_room_seat(&k->a, "Grace", is_host ? 0 : IS_HOST, NULL);
	a_room_seat(&k->a, "Linus", IS_AWAY, NULL);
	(void)a_room_story(&k->a, "one", STORY_DONE, "3");
	(void)a_room_story(&k->a, "two", STORY_VOTING, NULL);
	(void)a_room_story(&k->a, "three", STORY_SKIPPED, NULL);
	k->t = line_commands_create(NULL, false, NULL);
	buf_init(&k->out, 1u << 16);
}

static void kit_close(struct talk_kit *k)
{
	line_commands_destroy(k->t);
	buf_finish(&k->out);
}

static struct act say(struct talk_kit *k, const char *line)
{
	buf_clear(&k->out);
	struct act act = line_commands_take_line(k->t, &k->a.r, slice_str(line), &k->out);
	assert_int_equal(k->out.error, OK);
	assert_int_equal(buf_append(&k->out, "", 1), OK);
	return act;
}

static void assert_told(struct talk_kit *k, const char *line, const char *expected)
{
	struct act act = say(k, line);
	assert_nothing(act);
	assert_string_equal(k->out.data, expected);
}

static void assert_prompt(struct talk_kit *k, const char *expected)
{
	buf_clear(&k->out);
	line_commands_prompt(k->t, &k->a.r, &k->out);
	assert_int_equal(buf_append(&k->out, "", 1), OK);
	assert_string_equal(k->out.data, expected);
}

#define MEMBER_TEST(name, k) TEST_OF(name, struct talk_kit, k, kit_open(k, false), kit_close(k))
#define HOST_TEST(name, k)   TEST_OF(name, struct talk_kit, k, kit_open(k, true), kit_close(k))

/* ---- what a line means ---- */

MEMBER_TEST(test_a_card_alone_is_a_vote, k)
{
	assert_request(say(k, "5"), METHOD_ROOM_VOTE, "vote", "5",
		       NULL); /* the card, not the fifth */
	assert_request(say(k, "  13 "), METHOD_ROOM_VOTE, "vote", "13", NULL);
	assert_request(say(k, "vote ?"), METHOD_ROOM_VOTE, "vote", "?", NULL);
	assert_request(say(k, "vote 13"), METHOD_ROOM_VOTE, "vote", "13", NULL);
	assert_told(k, "4", "No command 4. ? for the list.\n");
	assert_told(k, "vote 4", "No card 4 here.\n");
	assert_told(k, "vote", "Which card?\n");
	assert_told(k, "setlte", "No command setlte. Did you mean settle?\n");
	assert_request(say(k, "oo"), METHOD_ROOM_VOTE, "vote", "∞", NULL);
	assert_request(say(k, "vote oo"), METHOD_ROOM_VOTE, "vote", "∞", NULL);
	a_room_deck(&k->a, "½ 1");
	assert_request(say(k, "1/2"), METHOD_ROOM_VOTE, "vote", "½", NULL);
	a_room_deck(&k->a, "S M L XL");
	assert_request(say(k, "xl"), METHOD_ROOM_VOTE, "vote", "XL", NULL);
	assert_request(say(k, "S"), METHOD_ROOM_VOTE, "vote", "S", NULL);
}

HOST_TEST(test_commands_are_those_of_the_screen, k)
{
	assert_request(say(k, ":title Sprint 43"), METHOD_ROOM_SET_TITLE, "title", "Sprint 43",
		       NULL);
	assert_request(say(k, "title -"), METHOD_ROOM_SET_TITLE, "title", "(nil)", NULL);
	assert_request(say(k, "links https://x.example/{key}"), METHOD_ROOM_SET_LINK_TEMPLATE,
		       "link_template", "https://x.example/{key}", NULL);
	assert_told(k, "links x.example",
		    "An address starts with http:// or https:// and contains {key}.\n");
	assert_request(say(k, "links -"), METHOD_ROOM_SET_LINK_TEMPLATE, "link_template", "(nil)",
		       NULL);
	assert_request(say(k, "timer 1:30!"), METHOD_TIMER_START, "seconds", "90", "reveal_at_zero",
		       "true", NULL);
	assert_request(say(k, "pause 10"), METHOD_ROOM_PAUSE, "minutes", "10", NULL);
	assert_request(say(k, "rule lobby on"), METHOD_ROOM_SET_POLICY, "policy.lobby", "true",
		       NULL);
	assert_request(say(k, "history"), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	assert_string_equal(k->out.data, ""); /* it is told when it comes */
	assert_request(say(k, "history"), METHOD_ROUND_LIST, "cursor", "(absent)", NULL);
	assert_nothing(say(k, "quit"));
	assert_local(say(k, "y"), LOCAL_LEAVE);
	assert_told(k, "", "");
	assert_told(k, "redraw", "Only on the screen.\n");
	assert_told(k, "item-add Milk", "Only on the screen.\n");
}

static void assert_rounds(struct talk_kit *k, const struct round_history *rounds,
			  const char *expected)
{
	buf_clear(&k->out);
	assert_nothing(line_commands_take_rounds(k->t, &k->a.r, rounds, &k->out));
	assert_int_equal(buf_append(&k->out, "", 1), OK);
	assert_string_equal(k->out.data, expected);
}

/* As on the screen; with more rounds than a page has, it waits for all of them. */
HOST_TEST(test_the_summary_is_told_at_the_last_story, k)
{
	static const char summary[] = "Stories: 3 (2 done, 0 to do, 1 skipped), 8 points\n"
				      "Without an estimate:\n"
				      "  three: skipped\n"
				      "To export: aye export K7QX3M --format csv -o K7QX3M.csv\n";
	char cursor[] = "7";
	struct round_history rounds = {.cursor = cursor};
	assert_nothing(line_commands_follow(k->t, &k->a.r));
	k->a.stories[1].status = STORY_DONE;
	k->a.stories[1].estimate = SLICE("5");
	assert_request(line_commands_follow(k->t, &k->a.r), METHOD_ROUND_LIST, NULL);
	assert_nothing(line_commands_follow(k->t, &k->a.r)); /* once */
	struct act act = line_commands_take_rounds(k->t, &k->a.r, &rounds, &k->out);
	assert_request(act, METHOD_ROUND_LIST, "cursor", "7", NULL);
	rounds.cursor = NULL;
	assert_rounds(k, &rounds, summary);
	assert_request(say(k, "history"), METHOD_ROUND_LIST, NULL);
	assert_rounds(k, &rounds, "No rounds revealed yet.\n");
	assert_request(say(k, "summary"), METHOD_ROUND_LIST, NULL);
	assert_rounds(k, &rounds, summary);
}

TEST(test_every_command_of_the_table_is_understood)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		struct talk_kit k;
		const char *command = action_rows[a].command;
		if (command[0] == '\0') {
			continue;
		}
		kit_open(&k, true);
		assert_int_equal(status_of(slice_str(command)), STATUS_COUNT);
		struct act act = say(&k, command);
		assert_true(act.request != NULL || act.local != LOCAL_NONE ||
			    k.out.data[0] != '\0');
		assert_null(strstr(k.out.data, "No command"));
		kit_close(&k);
	}
}

HOST_TEST(test_a_story_is_named_by_its_number_its_key_or_its_title, k)
{
	struct act act = say(k, "select 3");
	assert_request(act, METHOD_STORY_SELECT, "story_id", k->a.stories[2].story_id.data, NULL);
	act = say(k, "edit 1 A better title");
	assert_request(act, METHOD_STORY_UPDATE, "title", "A better title", NULL);
	assert_told(k, "remove", "Which story? Start with its number or key.\n");
	act = say(k, "skip two");
	assert_request(act, METHOD_STORY_UPDATE, "story_id", k->a.stories[1].story_id.data, NULL);
	k->a.stories[2].key = SLICE("PAY-3");
	act = say(k, "edit pay-3 Three");
	assert_request(act, METHOD_STORY_UPDATE, "title", "Three", "story_id",
		       k->a.stories[2].story_id.data, NULL);
	act = say(k, "key 1 PAY-1");
	assert_request(act, METHOD_STORY_UPDATE, "key", "PAY-1", "story_id",
		       k->a.stories[0].story_id.data, NULL);
	assert_told(k, "skip t", "t could be 2: two or 3: PAY-3 three; use the number.\n");
	assert_told(k, "skip 4", "No story 4.\n");
	assert_told(k, "skip 99999999999999999999", "No story 99999999999999999999.\n");
}

MEMBER_TEST(test_where_it_is_hidden_who_has_voted_all_others_just_vote, k)
{
	assert_told(k, "who",
		    "Ada, you: no vote yet.\nGrace, host: no vote yet.\n"
		    "Linus, away: no vote yet.\n");
	assert_true(strstr((say(k, "status"), k->out.data), "Waiting for you, Grace.\n") != NULL);
	k->a.r.room.policy.hide_who_voted = true;
	k->a.r.votes_n = 1;
	assert_told(k, "who", "Ada, you: no vote yet.\nGrace, host: votes.\nLinus, away: votes.\n");
	(void)say(k, "status");
	assert_non_null(strstr(k->out.data, "1 of 3 have voted.\n"));
	assert_null(strstr(k->out.data, "Waiting for"));
	k->a.r.room.is_revealed = true;
	assert_told(k, "who", "Ada, you: no vote.\nGrace, host: no vote.\nLinus, away: no vote.\n");
}

/* ---- questions ---- */

HOST_TEST(test_a_question_is_answered_by_the_next_line, k)
{
	assert_told(k, "reveal", "Nobody has voted yet.\n");
	k->a.members[1].has_vote = true;
	assert_told(k, "reveal", "1 of 2 have not voted. Reveal? Type y or n.\n");
	assert_prompt(k, "y or n");
	assert_told(k, "perhaps", "1 of 2 have not voted. Reveal? Type y or n.\n");
	assert_told(k, "n", "Cancelled.\n");
	assert_told(k, "reveal", "1 of 2 have not voted. Reveal? Type y or n.\n");
	assert_request(say(k, "yes"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", NULL);
	assert_told(k, "kick", "Who? Type kick and a name: Grace, Linus.\n");
	assert_told(k, "kick Grace", "Remove Grace from the room? Type y or n.\n");
	assert_request(say(k, "y"), METHOD_ROOM_KICK, "user_id", k->a.members[1].user_id.data,
		       NULL);
}

HOST_TEST(test_who_has_a_card_on_the_table_is_asked_before_it_goes, k)
{
	k->a.r.you.vote = SLICE("5");
	assert_told(k, "spectate",
		    "Spectate? Your 5 returns if you vote again this round. Type y or n.\n");
	assert_request(say(k, "y"), METHOD_ROOM_JOIN, "role", "spectator", NULL);
	k->a.r.you.vote = (struct slice){0};
	assert_request(say(k, "spectate"), METHOD_ROOM_JOIN, "role", "spectator", NULL);
}

HOST_TEST(test_only_those_are_named_whom_it_may_be_done_to, k)
{
	a_room_seat(&k->a, "Zoe", IS_WAITING, NULL);
	assert_told(k, "unhost", "Who? Type unhost and a name: Ada.\n");
	assert_told(k, "cohost", "Who? Type cohost and a name: Grace, Linus.\n");
	assert_told(k, "kick", "Who? Type kick and a name: Grace, Linus, Zoe.\n");
	k->a.members[1].is_host = true;
	assert_told(k, "unhost", "Who? Type unhost and a name: Ada, Grace.\n");
	assert_told(k, "cohost", "Who? Type cohost and a name: Linus.\n");
}

HOST_TEST(test_what_is_missing_is_asked_for, k)
{
	assert_told(k, "add",
		    "New story: type it on a line of its own; an empty one changes nothing.\n");
	assert_prompt(k, "New story");
	assert_request(say(k, "quit"), METHOD_STORY_ADD, "title", "quit", NULL);
	assert_told(
		k, "title",
		"Title: type it on a line of its own; - to clear, an empty one changes nothing.\n");
	assert_told(k, "", "No changes.\n");
	assert_told(
		k, "title",
		"Title: type it on a line of its own; - to clear, an empty one changes nothing.\n");
	assert_request(say(k, "-"), METHOD_ROOM_SET_TITLE, "title", "(nil)", NULL);
}

HOST_TEST(test_a_digit_is_a_reaction_where_they_were_told, k)
{
	static struct slice words[] = {SLICE_INIT("ship"), SLICE_INIT("it")};
	k->a.r.room.reactions = (struct slices){words, 2};
	assert_told(k, "react",
		    "Word or emoji: (1 ship, 2 it) type it on a line of its own; an empty one "
		    "changes nothing.\n");
	assert_request(say(k, "2"), METHOD_ROOM_REACT, "word", "it", NULL);
	(void)say(k, "react");
	assert_request(say(k, "3"), METHOD_ROOM_REACT, "word", "3", NULL);
	assert_request(say(k, "react 2"), METHOD_ROOM_REACT, "word", "2", NULL);
}

HOST_TEST(test_after_a_refused_name_the_next_line_is_one, k)
{
	buf_clear(&k->out);
	line_commands_refuse_name(k->t, &k->a.r, &k->out);
	assert_int_equal(buf_append(&k->out, "", 1), OK);
	assert_string_equal(k->out.data, "Your name: type it on a line of its own; an empty one "
					 "changes nothing.\n");
	assert_prompt(k, "Your name");
	assert_told(k, "a name of thirty-three cells, or so",
		    "A name is up to 32 columns wide.\n"
		    "Your name: type it on a line of its own; an empty one changes nothing.\n");
	assert_request(say(k, "retract"), METHOD_ROOM_JOIN, "username", "retract",
		       NULL); /* no command now */
	assert_told(k, "retract", "You have not voted yet.\n");
	(void)say(k, "title");
	buf_clear(&k->out);
	line_commands_refuse_name(k->t, &k->a.r, &k->out); /* a question is answered first */
	assert_int_equal(k->out.len, 0);
}

HOST_TEST(test_a_secret_is_never_taken_from_a_line_that_was_shown, k)
{
	assert_false(line_commands_wants_secret(k->t));
	assert_nothing(say(k, "passcode open sesame"));
	assert_true(line_commands_wants_secret(k->t));
	assert_request(say(k, "open sesame"), METHOD_ROOM_SET_POLICY, "policy.passcode",
		       "open sesame", NULL);
	assert_false(line_commands_wants_secret(k->t));
}

/* ---- refusals ---- */

MEMBER_TEST(test_a_refusal_names_what_to_type, k)
{
	assert_told(k, "settle 5", "Only a host can do that here (Grace).\n");
	k->a.r.room.policy.who_resets = WHO_MAY_EVERYONE;
	assert_told(k, "settle 5", "Reveal the votes first: type reveal.\n");
	k->a.r.you.role = ROLE_SPECTATOR;
	k->a.members[0].role = ROLE_SPECTATOR;
	assert_told(k, "5", "Spectators do not vote; become a voter first; type spectate.\n");
	assert_told(k, "help settle",
		    "settle TEXT: Settle the story's estimate; - clears it.\n"
		    "Not now: Reveal the votes first: type reveal.\n");
}

HOST_TEST(test_a_line_beyond_the_limit_is_refused_whole, k)
{
	char line[LINE_COMMANDS_BYTES_MAX + 2];
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	memcpy(line, "notes ", 6);
	assert_told(k, line, "That line is too long: up to 1023 bytes. It was ignored.\n");
	line[LINE_COMMANDS_BYTES_MAX] = '\0';
	assert_request(say(k, line), METHOD_MAP_SET, "value", line + 6, NULL);
}

HOST_TEST(test_what_is_pasted_cannot_reach_the_terminal, k)
{
	(void)say(k, "\033[2Jfoo\r");
	assert_null(strchr(k->out.data, '\033'));
	assert_null(strchr(k->out.data, '\r'));
	assert_request(say(k, "5\r"), METHOD_ROOM_VOTE, "vote", "5",
		       NULL); /* a line as other systems end it */
}

/* ---- answers ---- */

HOST_TEST(test_the_room_is_told_as_it_is, k)
{
	k->a.members[1].has_vote = true;
	a_room_seat(&k->a, "Robo", IS_BOT, NULL);
	a_room_seat(&k->a, "Eve", IS_SPECTATOR, NULL);
	a_room_seat(&k->a, NULL, 0, NULL);
	a_room_seat(&k->a, NULL, IS_AWAY, NULL); /* has left */
	assert_told(k, "who",
		    "Ada, you, host: no vote yet.\n"
		    "Grace: has voted.\n"
		    "Linus, away: no vote yet.\n"
		    "Robo, a bot: no vote yet.\n"
		    "Eve: spectator.\n"
		    "1 more spectator without a name.\n");
	assert_told(k, "status",
		    "Room K7QX3M: Sprint 42\n"
		    "Round 1, the cards are hidden; 1 of 2 have voted.\n"
		    "Voting on: two\n"
		    "Waiting for you.\n"
		    "You have not voted yet.\n");
	assert_told(k, "hand",
		    "Cards: 1 2 3 5 8 13 20 ? ∞\n"
		    "For the card ? type vote ?, as ? alone shows the help.\n"
		    "You have not voted yet.\n");
	assert_told(k, "result", "The cards are hidden; 1 of 2 have voted.\n");
	assert_prompt(k, "Ada, 1 of 2 voted, not voted yet");
	k->a.r.you.vote = SLICE("8");
	assert_prompt(k, "Ada, 1 of 2 voted, card 8");
	k->a.r.you.is_waiting = true;
	assert_prompt(k, "Ada, in the lobby");
}

HOST_TEST(test_of_many_who_are_away_the_number_is_told, k)
{
	static const char *const names[] = {"Hedy", "Ken", "Radia", "Tim"};
	for (size_t i = 0; i < 4; i++) {
		a_room_seat(&k->a, names[i], IS_AWAY, i == 3 ? "5" : NULL);
	}
	assert_told(k, "who",
		    "Ada, you, host: no vote yet.\nGrace: no vote yet.\nTim, away: has voted.\n"
		    "4 more are away.\n");
}

HOST_TEST(test_who_is_away_is_told_with_how_long, k)
{
	k->a.members[2].away_since = A_NOW - 12 * 60000;
	assert_told(k, "who",
		    "Ada, you, host: no vote yet.\nGrace: no vote yet.\n"
		    "Linus, away: no vote yet.\n");
	line_commands_set_now(k->t, A_NOW);
	assert_told(k, "who",
		    "Ada, you, host: no vote yet.\nGrace: no vote yet.\n"
		    "Linus, away 12 min: no vote yet.\n");
}

HOST_TEST(test_stories_are_told_with_their_numbers, k)
{
	k->a.stories[1].key = SLICE("#2");
	k->a.stories[1].link = SLICE("https://example.org/2");
	k->a.stories[1].description = SLICE("a\n\nb\n");
	assert_told(k, "stories",
		    "1, estimate 3: one\n2, voted on now: #2 two\n3, skipped: three\n");
	assert_told(k, "story",
		    "Story 2 of 3, voted on now: #2 two\n"
		    "Link: https://example.org/2\nDescription: a\nDescription: b\n");
	assert_told(k, "story 1", "Story 1 of 3, estimate 3: one\n");
	assert_told(k, "story o", "Story 1 of 3, estimate 3: one\n");
	assert_told(k, "story 9", "No story 9.\n");
	assert_told(k, "story x", "No story x.\n");
}

HOST_TEST(test_time_is_told_by_the_servers_clock, k)
{
	assert_told(k, "time", "The server's time is not known yet.\n");
	line_commands_set_now(k->t, 1000000);
	k->a.r.room.started_at = 1000000 - 65000;
	assert_told(k, "time", "No timer.\nThis round has taken 1:05 so far.\n");
	k->a.r.room.timer.ends_at = 1000000 + 90000;
	k->a.r.room.timer.reveal_at_zero = true;
	assert_told(k, "time",
		    "Timer: 1:30 left, then reveal.\n"
		    "This round has taken 1:05 so far.\n");
	k->a.r.room.timer.ends_at = 0;
	k->a.r.room.pause_ends_at = 1000000 + 600000;
	assert_told(k, "time",
		    "No timer.\n"
		    "Break: 10:00 left.\n"
		    "This round has taken 1:05 so far.\n");
}

MEMBER_TEST(test_the_lobby_says_so_to_every_question, k)
{
	k->a.r.has_state = false;
	k->a.r.you.is_waiting = true;
	for (enum status what = 0; what < STATUS_COUNT; what++) {
		assert_told(k, telling_rows[what].command,
			    "You are in the lobby; a host must admit you.\n");
	}
	assert_told(k, "5", "You are in the lobby; a host must admit you.\n");
	assert_local(say(k, "quit"), LOCAL_LEAVE);
}

MEMBER_TEST(test_help_tells_what_is_allowed_now_and_names_the_rest, k)
{
	(void)say(k, "?");
	assert_non_null(strstr(k->out.data, "\nvote CARD: "));
	assert_non_null(strstr(k->out.data, "\nwho: "));
	assert_null(strstr(k->out.data, "\nreveal: "));
	assert_non_null(strstr(k->out.data, "\nNot allowed now: "));
	assert_null(strstr(k->out.data, "redraw"));
	assert_null(strstr(k->out.data, "item-"));
	char *help = strdup(k->out.data);
	(void)say(k, "help");
	assert_string_equal(k->out.data, help);
	free(help);
}

HOST_TEST(test_settings_are_told_and_changed_by_words, k)
{
	assert_nothing(say(k, "set"));
	assert_non_null(strstr(k->out.data,
			       "theme default, of default, contrast, mono, dark, light: Colour"));
	assert_non_null(strstr(k->out.data, "\nplain off, of on, off: "));
	assert_nothing(say(k, "set plain on"));
	assert_string_equal(k->out.data, "plain on. To keep it: :set --save.\n");
	assert_int_equal(line_commands_settings(k->t)->value[SETTING_PLAIN], PLAIN_ON);
	assert_local(say(k, "set --save"), LOCAL_SAVE_SETTINGS);
}

TEST(test_a_command_may_be_begun_or_called_by_its_other_name)
{
	assert_int_equal(action_of_command("rules", 5), ACTION_POLICY);
	assert_int_equal(action_of_command("policy", 6), ACTION_POLICY);
	assert_int_equal(action_of_command("pol", 3), ACTION_POLICY);
	assert_int_equal(action_of_command("rese", 4), ACTION_RESET);
	assert_int_equal(action_of_command("rest", 4), ACTION_RESTORE);
	/* Of a name that another begins with, it alone is meant. */
	assert_int_equal(action_of_command("comment", 4), ACTION_COMMENT);
	assert_int_equal(action_of_command("note", 4), ACTION_COMMENT); /* not the notes of all */
	assert_int_equal(action_of_command("res", 3), ACTION_COUNT);
	assert_int_equal(action_of_command("", 0), ACTION_COUNT);
	assert_string_equal(action_meant("res"), "reset");
	assert_string_equal(action_meant("setlte"), "settle");
	assert_null(action_meant("4"));
}
