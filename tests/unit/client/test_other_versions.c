/*
 * test_other_versions.c - what aye says to servers of other versions: to newer ones nothing, as they may say more than
 * it knows; to one that is too old for what is asked, or speaks another protocol, a sentence that says what to do.
 */
#define _XOPEN_SOURCE 700 /* nftw() */
#include "tests/unit/client/verb_kit.h"

#define OLD_HELLO                                                                            \
	"{\"protocol\":1,\"server\":\"ayed 0.8.0\",\"features\":[],\"limits\":{},\"now\":1," \
	"\"nonce\":\"" KEY "\"}"

/* promise: same-protocol */
TEST(test_what_a_newer_server_says_besides_is_passed_over)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello",
		 .json = "{\"protocol\":1,\"server\":\"ayed 99.0\",\"features\":[\"dreams\"],"
			 "\"limits\":{\"dreams\":7},\"now\":1,\"nonce\":\"" KEY
			 "\",\"mood\":\"good\"}"},
		{.method = "server.ping", .json = "{\"now\":1795257267286,\"then\":[{\"a\":1}]}"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "server|ping", EXIT_DONE);
	assert_string_equal(d.err, "");
	verb_desk_close(&d);
}

TEST(test_a_server_that_is_too_old_for_what_is_asked_is_named)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello", .json = OLD_HELLO},
		{.method = "server.ping",
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNKNOWN_METHOD\",\"message\":\"unknown method\"}"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "server|ping", EXIT_REFUSED);
	assert_string_equal(d.err,
			    "aye: the server (ayed 0.8.0) is too old for this aye (" AYE_VERSION
			    "); ask its administrator to upgrade it\n");
	verb_desk_close(&d);
}

/* promise: other-protocol */
TEST(test_a_server_of_another_protocol_is_told_from_one_that_is_not_there)
{
	static const struct scripted_rule rule = {
		.method = "session.hello",
		.act = SCRIPTED_REFUSES,
		.json = "{\"code\":\"VALIDATION_ERROR\",\"message\":\"this server speaks protocol "
			"2\",\"field\":\"protocol\"}"};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, &rule, 1);
	verb_ends(&d, "server|ping", EXIT_NO_SERVER);
	assert_non_null(strstr(d.err, "this server speaks protocol 2, aye " AYE_VERSION
				      " speaks 1: use the aye of its version"));
	verb_desk_close(&d);
}
