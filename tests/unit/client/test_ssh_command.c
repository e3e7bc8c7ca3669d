/*
 * test_ssh_command.c - what a stranger may ask for by ssh.
 */
#include <string.h>

#include "client/model/ssh_command.h"
#include "tests/support/test.h"

static void assert_asks(const char *text, const char *verb, const char *word, const char *name)
{
	struct ssh_command c;
	assert_int_equal(ssh_command_parse(slice_str(text), &c), OK);
	assert_string_equal(c.verb, verb);
	assert_string_equal(c.word, word);
	assert_string_equal(c.name, name);
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
