/*
 * test_invite.c - codes and lines as people type and paste them.
 */
#include <stdio.h>
#include <string.h>

#include "client/model/invite.h"
#include "tests/support/test.h"

static void assert_leads_to(const char *line, const char *room_id, const char *server)
{
	struct invite invite;
	struct errmsg why = {""};
	if (invite_parse(line, &invite, &why) != OK) {
		fail_msg("\"%s\" was refused: %s", line, why.text);
	}
	assert_string_equal(invite.room_id, room_id);
	assert_string_equal(invite.server, server);
}

static void assert_refused(const char *line, const char *word)
{
	struct invite invite;
	struct errmsg why = {""};
	assert_int_equal(invite_parse(line, &invite, &why), ERR_INVALID);
	if (strstr(why.text, word) == NULL) {
		fail_msg("\"%s\" was refused with \"%s\", without \"%s\"", line, why.text, word);
	}
}

TEST(test_a_code_is_taken_in_any_case_and_spacing)
{
	assert_leads_to("K7QX3M", "K7QX3M", "");
	assert_leads_to("k7qx3m", "K7QX3M", "");
	assert_leads_to("  k7Q x3M\t", "K7QX3M", "");
	assert_leads_to("K7Q-X3M", "K7QX3M", "");
	assert_leads_to("K7QX3MABCDEFGH22", "K7QX3MABCDEFGH22", "");
}

TEST(test_the_line_that_joins_is_taken_whole)
{
	assert_leads_to("aye join K7QX3M", "K7QX3M", "");
	assert_leads_to("$ aye join k7qx3m", "K7QX3M", "");
	assert_leads_to("build/release/aye join K7QX3M", "K7QX3M", "");
	assert_leads_to("aye join K7QX3M --server tcp://poker.example:2937", "K7QX3M",
			"tcp://poker.example:2937");
	assert_leads_to("aye join --server=unix:/run/x K7QX3M", "K7QX3M", "unix:/run/x");
	assert_leads_to("K7QX3M --server tcp://poker.example", "K7QX3M", "tcp://poker.example");
}

#define PIN "SHA256:04Lvr4myS6ePuns+FNja4g"

/* By itself, behind a prompt, broken by a backslash, with what stood around it: where a line is edited, row ends are blanks. */
TEST(test_an_invitation_is_taken_in_every_form_it_is_pasted_in)
{
	static const char *const forms[] = {
		"aye join 2TCZ2PZP --server tls://192.0.2.7#" PIN,
		"  $ aye join 2TCZ2PZP --server tls://192.0.2.7#" PIN "  \r\n",
		"aye join 2TCZ2PZP \\\n     --server tls://192.0.2.7#" PIN,
		"aye join 2TCZ2PZP \\\r\n --server tls://192.0.2.7#" PIN,
		"aye join 2TCZ2PZP \\      --server tls://192.0.2.7#" PIN,
		"$ aye join 2TCZ2PZP \\\n> --server tls://192.0.2.7#" PIN "\n",
		"aye join 2TCZ2PZP --server tls://192.0.2.7#SHA256:04Lvr4\\\nmyS6ePuns+FNja4g",
		"aye join 2TCZ2PZP --server tls://192.0.2.7#SHA256:04Lvr4\\ myS6ePuns+FNja4g",
		"aye join 2TCZ2PZP --ser\\\nver tls://192.0.2.7#SHA256:04Lvr4\\\n> "
		"myS6ePuns+FNja4g",
		"aye join 2TCZ\\\n2PZP\\\n --server=tls://192.0.2.7#" PIN,
		"2TCZ2PZP\naye join 2TCZ2PZP --server tls://192.0.2.7#" PIN
		"\naye join 2TCZ2PZP --server tls://10.0.0.7#" PIN "\n"
		"With ssh access only: run ssh -NL 2937:192.0.2.7:2937 192.0.2.7, then\n"
		"aye join 2TCZ2PZP --server tls://localhost#" PIN "\n",
		"   Nobody else here. To join, run:\n"
		"     aye join 2TCZ2PZP \\\n"
		"       --server tls://192.0.2.7#" PIN "\n   or, with ssh access only: -",
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char blanks[512];
		assert_leads_to(forms[i], "2TCZ2PZP", "tls://192.0.2.7#" PIN);
		(void)snprintf(blanks, sizeof(blanks), "%s", forms[i]);
		for (char *c = strpbrk(blanks, "\r\n"); c != NULL; c = strpbrk(c, "\r\n")) {
			size_t ends = strspn(c, "\r\n"); /* the two of one end are one */
			memmove(c + 1, c + ends, strlen(c + ends) + 1);
			*c = ' ';
		}
		assert_leads_to(blanks, "2TCZ2PZP", "tls://192.0.2.7#" PIN);
	}
	assert_leads_to("aye join K7QX3M\nGrace is waiting", "K7QX3M", "");
	assert_refused("aye join 2TCZ2PZP\\", "not a code"); /* half of it */
	assert_true(invite_goes_on("aye join 2TCZ2PZP \\"));
	assert_false(invite_goes_on("aye join 2TCZ2PZP") || invite_goes_on(""));
}

TEST(test_what_is_wrong_is_said)
{
	assert_refused("", "Enter a room code");
	assert_refused("   ", "Enter a room code");
	assert_refused("aye join", "Enter a room code");
	assert_refused("K7QX3", "K7QX3 is too short for a code");
	assert_refused("K7QX3MABCDEFGH222", "too long for a code");
	assert_refused("K7QX30", "no 0 O 1 I L U");
	assert_refused("K7QX3M!", "K7QX3M! is not a code");
	assert_refused("aye new", "Only aye join");
	assert_refused("K7QX3M --server", "--server needs");
	assert_refused("K7QX3M --server=", "--server needs");
	assert_refused("aye join K7QX3M --name Ada", "--name is not allowed here");
}

TEST(test_hostile_lines_are_refused_in_safe_words)
{
	struct invite invite;
	struct errmsg why = {""};
	char line[4096];
	memset(line, 'A', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	assert_refused(line, "too long for a code");
	for (size_t i = 5; i < sizeof(line) - 1; i += 6) {
		line[i] = ' ';
	}
	assert_refused(line, "too long for a code");
	assert_int_equal(invite_parse("\x1b[2J\xe2\x80\xaeK7QX3M", &invite, &why), ERR_INVALID);
	assert_null(strchr(why.text, '\x1b'));
	assert_null(strstr(why.text, "\xe2\x80\xae"));
	assert_refused("--\x1b]0;x\x07", "is not allowed here");
}

TEST(test_the_line_says_what_one_has_to_know_and_is_understood)
{
	static const struct invite_place here = {.n = 0};
	static const struct invite_place ssh = {.is_ssh = true};
	static const struct invite_place kiosk = {.is_ssh = true, .ssh = "vote@poker"};
	static const struct invite_place host = {.ssh = "vote@poker"};
	static const struct invite_place told = {.n = 2,
						 .addresses = {"tcp://192.0.2.7:2937",
							       "tcp://[2001:db8::7]:2937"}};
	static const struct invite_place path = {.n = 1, .addresses = {"unix:/run/ayed/ayed.sock"}};
	char line[INVITE_LINE_BYTES_MAX + 1];
	invite_line(&here, 0, "K7QX3M", line);
	assert_string_equal(line, "aye join K7QX3M");
	assert_leads_to(line, "K7QX3M", "");
	invite_line(&told, 1, "K7QX3M", line);
	assert_string_equal(line, "aye join K7QX3M --server tcp://[2001:db8::7]:2937");
	assert_leads_to(line, "K7QX3M", "tcp://[2001:db8::7]:2937");
	assert_false(invite_is_of_machine(&here) || invite_is_of_machine(&told) ||
		     invite_is_of_machine(&ssh));
	assert_true(invite_is_of_machine(&path));
	invite_line(&ssh, 0, "K7QX3M", line);
	assert_string_equal(line, "ssh -t HOST K7QX3M");
	invite_line(&kiosk, 0, "K7QX3M", line);
	assert_string_equal(line, "ssh -t vote@poker K7QX3M");
	invite_line(&host, 0, "K7QX3M", line);
	assert_string_equal(line, "aye join K7QX3M");
	invite_ssh_line(&host, "K7QX3M", line);
	assert_string_equal(line, "ssh -t vote@poker K7QX3M");
	invite_ssh_line(&here, "K7QX3M", line);
	assert_string_equal(line, "");
}

#define FINGERPRINT	  "SHA256:OfC8scN57TFUsL0uJTfYzHvPtaMqaTwI+Ks6vA3HSFY"
#define FINGERPRINT_SHORT "SHA256:OfC8scN57TFUsL0uJTfYzA"

TEST(test_the_line_of_an_encrypted_server_has_its_fingerprint)
{
	struct slice address = SLICE("tls://192.0.2.7:2937");
	struct server_share_result share = {.addresses = {&address, 1},
					    .fingerprint = SLICE(FINGERPRINT)};
	struct invite_place place = {.is_own = true};
	char line[INVITE_LINE_BYTES_MAX + 1];
	invite_place_set(&place, &share);
	invite_line(&place, 0, "K7QX3M", line);
	assert_string_equal(line, "aye join K7QX3M --server tls://192.0.2.7#" FINGERPRINT_SHORT);
	assert_leads_to(line, "K7QX3M", "tls://192.0.2.7#" FINGERPRINT_SHORT);
	share.fingerprint = SLICE("x; rm -rf");
	invite_place_set(&place, &share);
	invite_line(&place, 0, "K7QX3M", line);
	assert_string_equal(line, "aye join K7QX3M --server tls://192.0.2.7");
}

/* The longest code on a server's number, and a room of a server with an ordinary name. */
TEST(test_the_line_fits_a_row_of_a_terminal)
{
	static const char *const rows[][2] = {
		{"tls://192.168.100.200:2937", "K7QX3MAB"},
		{"tls://poker.example.org:2937", "K7QX3M"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice address = slice_str(rows[i][0]);
		struct invite_place place = {.is_own = true};
		char line[INVITE_LINE_BYTES_MAX + 1];
		invite_place_set(&place,
				 &(struct server_share_result){.addresses = {&address, 1},
							       .fingerprint = SLICE(FINGERPRINT)});
		invite_line(&place, 0, rows[i][1], line);
		assert_true(strlen(line) < 80);
	}
}

TEST(test_an_address_has_one_form_in_what_we_print)
{
	static const char *const rows[][2] = {
		{"tls://h.example:2937#" FINGERPRINT, "tls://h.example#" FINGERPRINT_SHORT},
		{"tls://h.example:2937#" FINGERPRINT_SHORT, "tls://h.example#" FINGERPRINT_SHORT},
		{"tls://[2001:db8::2937]:2937", "tls://[2001:db8::2937]"},
		{"tls://[2001:db8::2937]:40001#" FINGERPRINT,
		 "tls://[2001:db8::2937]:40001#" FINGERPRINT_SHORT},
		{"tls://h:12937", "tls://h:12937"},
		{"tcp://h:2937", "tcp://h"},
		{"ssh://h:2937", "ssh://h:2937"},
		{"unix:/run/a#b:2937", "unix:/run/a#b:2937"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[RECENT_SERVER_BYTES_MAX + 1];
		invite_address(slice_str(rows[i][0]), (struct slice){0}, out);
		assert_string_equal(out, rows[i][1]);
	}
}

TEST(test_what_a_shell_would_run_is_no_address)
{
	struct slice told[] = {SLICE("tcp://192.0.2.7:2937;reboot"),
			       SLICE("tcp://$(reboot):1"),
			       SLICE("tcp://a b"),
			       SLICE("--server"),
			       SLICE(""),
			       SLICE("tcp://[2001:db8::7]:2937")};
	struct invite_place place = {.n = 1};
	invite_place_set(&place, &(struct server_share_result){.addresses = {told, 6}});
	assert_int_equal(place.n, 1);
	assert_string_equal(place.addresses[0], "tcp://[2001:db8::7]");
}

TEST(test_the_code_of_a_team_is_found_in_any_line)
{
	char code[INVITE_TEAM_CODE_BYTES_MAX + 1];
	assert_true(invite_team_code("aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server x", code));
	assert_string_equal(code, "K7QX-3MHQ-2MB4-XNAW-PX6R");
	assert_true(invite_team_code("$ aye team join K7QX-3MHQ-2MB\\\n4-XNAW-PX6R \\\n --server x",
				     code));
	assert_string_equal(code, "K7QX-3MHQ-2MB4-XNAW-PX6R");
	assert_false(invite_team_code("K7QX-3MHQ-2MB4-XNAW-PX6R;reboot", code));
	assert_false(invite_team_code("$(reboot)", code));
	assert_false(invite_team_code("-K7QX3MHQ2MB4XNAWPX6R", code));
	assert_string_equal(code, "");
}

TEST(test_a_line_names_this_server_or_another)
{
	char server[RECENT_SERVER_BYTES_MAX + 1];
	const char *line = "aye team join CODE --server tls://poker.example:2937#" FINGERPRINT;
	assert_true(invite_is_server("aye team join CODE", "poker.example", server));
	assert_true(invite_is_server(line, "poker.example", server));
	assert_false(invite_is_server("aye team join CODE \\\n    --ser\\\nver other.example",
				      "poker.example", server));
	assert_string_equal(server, "other.example");
	assert_true(invite_is_server(line, "tls://poker.example:2937", server));
	assert_false(invite_is_server(line, "tls://poker.example:2938", server));
	assert_false(invite_is_server("--server=other.example", "poker.example", server));
	assert_string_equal(server, "other.example");
}

TEST(test_the_tunnel_leads_to_where_the_server_listens)
{
	static const struct {
		const char *address, *line, *server;
	} ways[] = {
		{"tcp://192.0.2.7:2938", "ssh -NL 2937:192.0.2.7:2938 192.0.2.7",
		 "tcp://localhost"},
		{"tls://[2001:db8::7]:2937", "ssh -NL 2937:[2001:db8::7]:2937 2001:db8::7",
		 "tls://localhost#" FINGERPRINT_SHORT},
		{"tls://127.0.0.1:40001", "ssh -NL 2937:127.0.0.1:40001 HOST",
		 "tls://localhost#" FINGERPRINT_SHORT},
	};
	char line[INVITE_LINE_BYTES_MAX + 1];
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct invite_place place = {.is_own = true};
		struct slice address = slice_str(ways[i].address);
		invite_place_set(&place,
				 &(struct server_share_result){.addresses = {&address, 1},
							       .fingerprint = SLICE(FINGERPRINT),
							       .with_fingerprint = true});
		invite_tunnel_line(&place, line);
		assert_string_equal(line, ways[i].line);
		invite_tunnel_server(&place, line);
		assert_string_equal(line, ways[i].server);
	}
}

TEST(test_the_link_opens_the_page_at_the_room)
{
	char link[INVITE_LINK_BYTES_MAX + 1];
	struct invite_place place = {.web = "https://poker.example/"};
	invite_link(&place, "K7QX3M", link);
	assert_string_equal(link, "https://poker.example/#K7QX3M");
	place.web[0] = '\0';
	invite_link(&place, "K7QX3M", link);
	assert_string_equal(link, "");
}
