/*
 * test_ssh_call.c - the command line that ssh is run with, and what its end means.
 */
#include <stdio.h>
#include <string.h>

#include "client/net/transport/ssh_call.h"
#include "tests/support/test.h"

static struct address address_of(const char *text)
{
	struct address a;
	struct errmsg why = {""};
	assert_int_equal(address_parse(text, &a, &why), OK);
	return a;
}

/* The words, with a | behind each. */
static void assert_call(const char *text, bool has_command, bool may_ask, const char *words)
{
	struct address a = address_of(text);
	struct ssh_call call;
	char told[1024] = "";
	size_t len = 0;
	ssh_call_make(&a, has_command, may_ask, &call);
	for (size_t i = 0; call.argv[i] != NULL; i++) {
		len += (size_t)snprintf(told + len, sizeof(told) - len, "%s|", call.argv[i]);
	}
	assert_string_equal(told, words);
}

TEST(test_ssh_is_run_with_what_the_address_says)
{
	assert_call("ssh://poker", false, true, "ssh|-T|--|poker|aye relay|");
	assert_call("ssh://ada@poker:2222", false, true, "ssh|-T|-p|2222|--|ada@poker|aye relay|");
	assert_call("ssh://[::1]", false, true, "ssh|-T|--|::1|aye relay|");
	assert_call("ssh://poker/srv/a.sock", false, true,
		    "ssh|-T|--|poker|aye relay --server 'unix:/srv/a.sock'|");
}

TEST(test_where_nobody_can_be_asked_ssh_does_not_ask)
{
	assert_call("ssh://poker", false, false, "ssh|-T|-o|BatchMode=yes|--|poker|aye relay|");
}

/* A shell splits the command; what comes from the address it does not look at. */
TEST(test_another_command_is_run_by_a_shell)
{
	assert_call("ssh://ada@poker:2222/srv/a.sock", true, false,
		    "/bin/sh|-c|eval \"exec $AYE_SSH_COMMAND \\\"\\$@\\\"\"|AYE_SSH_COMMAND|-T|-o|"
		    "BatchMode=yes|-p|2222|--|ada@poker|aye relay --server 'unix:/srv/a.sock'|");
}

TEST(test_the_longest_address_fits)
{
	char text[ADDRESS_TEXT_BYTES] = "ssh://";
	struct ssh_call call;
	memset(text + 6, 'u', ADDRESS_USER_MAX);
	text[6 + ADDRESS_USER_MAX] = '@';
	memset(text + 7 + ADDRESS_USER_MAX, 'h', ADDRESS_HOST_MAX);
	memcpy(text + 7 + ADDRESS_USER_MAX + ADDRESS_HOST_MAX, ":65535/", 7);
	memset(text + 14 + ADDRESS_USER_MAX + ADDRESS_HOST_MAX, 'p', ADDRESS_PATH_MAX - 1);
	struct address a = address_of(text);
	assert_string_equal(a.text, text);
	ssh_call_make(&a, true, false, &call);
	assert_int_equal(strlen(call.destination), ADDRESS_USER_MAX + 1 + ADDRESS_HOST_MAX);
	assert_int_equal(strlen(call.command),
			 strlen("aye relay --server 'unix:'") + ADDRESS_PATH_MAX);
	assert_string_equal(call.command + strlen(call.command) - 2, "p'");
}

static void assert_explained(const char *text, struct ssh_end end, const char *wanted)
{
	struct address a = address_of(text);
	char why[SSH_CALL_WHY_BYTES];
	ssh_call_explain(&a, &end, why);
	assert_string_equal(why, wanted);
}

TEST(test_an_end_says_which_end_failed)
{
	assert_explained("ssh://ada@poker:2222",
			 (struct ssh_end){.status = 255, .said = "Permission denied (publickey)."},
			 "ssh to poker failed: Permission denied (publickey). "
			 "(try: ssh -p 2222 ada@poker)");
	assert_explained("ssh://poker", (struct ssh_end){.status = 255, .said = ""},
			 "ssh to poker failed (try: ssh poker)");
	assert_explained(
		"ssh://poker",
		(struct ssh_end){.status = 255,
				 .has_answered = true,
				 .said = "Connection to poker closed by remote host."},
		"the ssh connection to poker was lost: Connection to poker closed by remote host.");
	assert_explained("ssh://poker",
			 (struct ssh_end){.status = 127, .said = "sh: 1: aye: not found"},
			 "aye is not installed on poker: sh: 1: aye: not found");
	assert_explained("ssh://poker",
			 (struct ssh_end){.status = 127,
					  .has_command = true,
					  .said = "AYE_SSH_COMMAND: 1: exec: plink: not found"},
			 "ssh cannot be run here: AYE_SSH_COMMAND: 1: exec: plink: not found");
	assert_explained("ssh://poker", (struct ssh_end){.status = 126, .said = "denied"},
			 "aye cannot be run on poker: denied");
	assert_explained("ssh://poker", (struct ssh_end){.status = 3, .said = "nobody listens"},
			 "no server is running on poker: nobody listens");
	assert_explained("ssh://poker", (struct ssh_end){.status = 2, .said = "no such verb"},
			 "aye on poker does not relay: no such verb");
	assert_explained("ssh://poker", (struct ssh_end){.status = 42, .said = ""},
			 "aye relay on poker ended with 42");
	assert_explained("ssh://poker", (struct ssh_end){.signal = 9, .said = ""},
			 "ssh to poker was ended by signal 9");
	assert_explained("ssh://poker", (struct ssh_end){.has_answered = true, .said = ""},
			 "the server closed the connection");
}
