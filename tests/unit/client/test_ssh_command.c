/*
 * test_ssh_command.c - what a stranger may ask for by ssh.
 */
#include <string.h>

#include "client/cli/verbs.h"
#include "client/model/ssh_command.h"
#include "proto/base/format.h"
#include "tests/support/test.h"

static void assert_asks(const char *text, const char *verb, const char *word, const char *name)
{
	struct ssh_command c;
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_string_equal(c.verb, verb);
	assert_string_equal(c.act, "");
	assert_string_equal(c.words[0], word);
	assert_string_equal(c.words[1], "");
	assert_string_equal(c.name, name);
	assert_int_equal(c.options_n, 0);
}

static void assert_team(const char *text, const char *act, const char *word)
{
	struct ssh_command c;
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_string_equal(c.verb, "team");
	assert_string_equal(c.act, act);
	assert_string_equal(c.words[0], word);
	assert_string_equal(c.words[1], "");
	assert_string_equal(c.name, "");
	assert_int_equal(c.options_n, 0);
}

static void assert_answers(const char *text, const char *id, const char *answer)
{
	struct ssh_command c;
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_string_equal(c.verb, "answer");
	assert_string_equal(c.act, "");
	assert_string_equal(c.words[0], id);
	assert_string_equal(c.words[1], answer);
	assert_string_equal(c.name, "");
	assert_int_equal(c.options_n, 0);
}

/* @options  each behind |, of a question in words "". */
static void assert_question(const char *text, const char *question, const char *options)
{
	struct ssh_command c;
	char all[SSH_COMMAND_BYTES_MAX + 1] = "";
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_string_equal(c.verb, "ask");
	assert_string_equal(c.act, "");
	assert_string_equal(c.words[0], question);
	assert_string_equal(c.words[1], "");
	assert_string_equal(c.name, "");
	for (size_t i = 0; i < c.options_n; i++) {
		size_t len = strlen(all);
		(void)format_to(all + len, sizeof(all) - len, "|%s", c.options[i]);
	}
	assert_string_equal(all, options);
}

static void assert_refused(const char *text)
{
	struct ssh_command c = {.verb = "untouched"};
	if (ssh_command_parse(slice_str(text), &c) != ERR_INVALID) {
		fail_msg("\"%s\" was taken", text);
	}
	assert_string_equal(c.verb, "untouched");
}

TEST(test_nothing_is_home)
{
	assert_asks("", "home", "", "");
	assert_asks("   ", "home", "", "");
}

TEST(test_a_code_alone_or_behind_join_goes_into_a_room)
{
	assert_asks("K7QX3M", "join", "K7QX3M", "");
	assert_asks(" k7qx3m ", "join", "K7QX3M", "");
	assert_asks("join  k7qx3m", "join", "K7QX3M", "");
	assert_asks("K7QX3M --name Ada", "join", "K7QX3M", "Ada");
}

TEST(test_a_name_goes_to_the_end_of_the_line)
{
	assert_asks("join K7QX3M --name Ada L ", "join", "K7QX3M", "Ada L");
	assert_asks("join K7QX3M --name Zo\xc3\xab; rm -rf $HOME `id`", "join", "K7QX3M",
		    "Zo\xc3\xab; rm -rf $HOME `id`");
	assert_asks("login Ada", "login", "Ada", "");
}

TEST(test_words_without_an_object_take_none)
{
	assert_asks("new", "new", "", "");
	assert_asks("new --name Ada L", "new", "", "Ada L");
	assert_asks("logout", "logout", "", "");
	assert_asks("whoami", "whoami", "", "");
	assert_refused("new K7QX3M");
	assert_refused("whoami --json");
	assert_refused("login");
	assert_refused("login --guest");
	assert_refused("join");
}

TEST(test_a_question_goes_to_the_next_option_or_to_the_end)
{
	assert_question("ask Ship it today?", "Ship it today?", "");
	assert_question(" ask   Ship  it? -o yes -o  not now ", "Ship  it?", "|yes|not now");
	assert_question("ask - -o merge -o wait", "-", "|merge|wait");
	assert_question("ask Ship it - today? -o yes - or so", "Ship it - today?", "|yes - or so");
	assert_question("ask \"Ship it?\" -o 'yes'", "\"Ship it?\"", "|'yes'");
	assert_question("ask $(id) `id`; sh > x | y & \\ -o $HOME", "$(id) `id`; sh > x | y & \\",
			"|$HOME");
	assert_question("ask a-o b -o c-o", "a-o b", "|c-o");
}

TEST(test_a_question_takes_no_other_option)
{
	assert_refused("ask");
	assert_refused("ask -o yes -o no");
	assert_refused("ask Ship it? -o");
	assert_refused("ask Ship it? -o -o no");
	assert_refused("ask Ship it? -o yes -o");
	assert_refused("ask Ship it? -oyes");
	assert_refused("ask Ship it? --option yes");
	assert_refused("ask Ship it? --option=yes");
	assert_refused("ask Ship it? --server tcp://127.0.0.1:1");
	assert_refused("ask Ship it? -o yes --wait");
	assert_refused("ask --json Ship it?");
	assert_refused("ask -- Ship it?");
	assert_refused("ask - Ship it?");
	assert_refused("ask Ship it? -o - yes");
}

TEST(test_a_question_has_as_many_options_as_the_server_takes)
{
	char text[SSH_COMMAND_BYTES_MAX] = "ask Which?";
	struct ssh_command c;
	for (size_t i = 0; i < MAX_QUESTION_OPTIONS; i++) {
		size_t len = strlen(text);
		(void)format_to(text + len, sizeof(text) - len, " -o %zu", i);
	}
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_int_equal(c.options_n, MAX_QUESTION_OPTIONS);
	(void)format_to(text + strlen(text), sizeof(text) - strlen(text), " -o more");
	assert_refused(text);
}

TEST(test_an_answer_has_an_id_and_goes_to_the_end)
{
	assert_asks("answer", "inbox", "", "");
	assert_asks("inbox", "inbox", "", "");
	assert_answers("answer q_K7QX3M7HQ2", "q_K7QX3M7HQ2", "");
	assert_answers("answer q_k7qx3m7hq2  not  now; sh ", "q_k7qx3m7hq2", "not  now; sh");
	assert_answers("answer q_K7QX3M7HQ2 -", "q_K7QX3M7HQ2", "-");
	assert_refused("answer -");
	assert_refused("answer - yes");
	assert_refused("answer --json");
	assert_refused("answer /etc/passwd");
	assert_refused("answer ../q_K7QX3M7HQ2");
	assert_refused("answer q_K7QX3M7HQ2;sh");
	assert_refused("answer \xc3\xab");
	assert_refused("answer q_K7QX3M7HQ2 --sure 4");
	assert_refused("answer q_K7QX3M7HQ2 yes --comment x");
	assert_refused("answer q_K7QX3M7HQ2 -o yes");
	assert_refused("answer q_K7QX3M7HQ2 yes -o no");
	assert_refused("answer q_K7QX3M7HQ2 - yes");
	assert_refused("inbox --plain");
	assert_refused("inbox q_K7QX3M7HQ2");
}

TEST(test_a_team_is_listed_shown_made_and_joined)
{
	assert_team("team", "list", "");
	assert_team(" team  list ", "list", "");
	assert_team("team show The Payments", "show", "The Payments");
	assert_team("team new Pay & Co; sh", "new", "Pay & Co; sh");
	assert_team("team join K7QX-3MHQ-2MB4-XNAW-PX6R", "join", "K7QX-3MHQ-2MB4-XNAW-PX6R");
	assert_refused("team show");
	assert_refused("team new");
	assert_refused("team join");
	assert_refused("team list Payments");
	assert_refused("team show --json");
	assert_refused("team show Payments --server tcp://127.0.0.1:1");
	assert_refused("team show Payments -o /tmp/x");
	assert_refused("team join K7QX --server ssh://x");
	assert_refused("team delete Payments");
	assert_refused("team leave Payments");
	assert_refused("team Payments");
	assert_refused("teams");
	assert_refused("list");
}

/* Else what somebody types behind a verb of one word would choose another one. */
TEST(test_every_word_is_a_verb_and_nothing_typed_behind_it_makes_another)
{
	static const struct {
		const char *verb, *act;
	} rows[] = {
#define TEST_ROW(verb, act, takes, shape, help) {verb, act},
		SSH_COMMANDS(TEST_ROW)
#undef TEST_ROW
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct args a = {.words = {rows[i].verb, rows[i].act}, .words_n = 2};
		bool is_alone = rows[i].act[0] == '\0';
		size_t used;
		assert_non_null(verbs_find(&a, &used));
		assert_int_equal(used, is_alone ? 1 : 2);
		for (const struct verb *v = verbs; is_alone && v->name != NULL; v++) {
			if (verbs_in_group(v, rows[i].verb)) {
				fail_msg("%s would be reached by %s", v->name, rows[i].verb);
			}
		}
	}
}

TEST(test_everything_else_is_refused)
{
	static const char *const wrong[] = {
		"home",
		"export K7QX3M -o /tmp/x",
		"story import K7QX3M /etc/passwd",
		"internal-sftp",
		"/usr/lib/openssh/sftp-server",
		"scp -t /tmp",
		"--ssh-session",
		"relay",
		"ssh-setup",
		"K7QX3M; sh",
		"K7QX3M --server tcp://127.0.0.1:1",
		"K7QX3M --name",
		"K7QX3M --name --json",
		"join K7QX3M K7QX3M",
		"join K0OI1L",
		"JOIN K7QX3M",
		"sh -c 'aye'",
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_refused(wrong[i]);
	}
}

TEST(test_bytes_that_are_no_text_are_refused)
{
	struct ssh_command c;
	assert_refused("K7QX3M\n");
	assert_refused("K7QX3M\tx");
	assert_refused("login A\033]0;x\007");
	assert_refused("login A\x7f");
	assert_refused("login \xff\xfe");
	assert_int_equal(ssh_command_parse(slice_of("new\0", 4), &c), ERR_INVALID);
}

TEST(test_it_has_a_length)
{
	char text[SSH_COMMAND_BYTES_MAX + 2];
	struct ssh_command c;
	memset(text, ' ', sizeof(text));
	memcpy(text, "new", 3);
	assert_int_equal(ssh_command_parse(slice_of(text, SSH_COMMAND_BYTES_MAX), &c), OK);
	assert_int_equal(ssh_command_parse(slice_of(text, SSH_COMMAND_BYTES_MAX + 1), &c),
			 ERR_INVALID);
	memset(text, 'a', sizeof(text));
	memcpy(text, "login ", 6);
	size_t most = 6 + MAX_NAME_BYTES < SSH_COMMAND_BYTES_MAX ? 6 + MAX_NAME_BYTES
								 : SSH_COMMAND_BYTES_MAX;
	assert_int_equal(ssh_command_parse(slice_of(text, most), &c), OK);
	assert_int_equal(ssh_command_parse(slice_of(text, most + 1), &c), ERR_INVALID);
}
