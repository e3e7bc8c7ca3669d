/*
 * test_verb_mcp.c - aye mcp against a server that hangs up, refuses and is silent: one question, one answer.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#define Q "q_K7QX3MHW4A"
#define ASKED                                                                  \
	"{\"question_id\":\"" Q                                                \
	"\",\"status\":\"OPEN\",\"created_at\":1,\"expires_at\":2,\"required_" \
	"responses\":5,\"people\":7}"
#define VIEW                                                                               \
	"{\"question\":{\"question_id\":\"" Q                                              \
	"\",\"status\":\"OPEN\",\"prompt\":\"Shall we ship it?\","                         \
	"\"type\":\"text\",\"audience\":[\"general\"],\"required_responses\":5,\"current_" \
	"responses\":0,"                                                                   \
	"\"responses_needed\":5,\"created_at\":1,\"expires_at\":2,\"is_mine\":true}}"
#define SIGNED_IN \
	"{\"token\":\"" KEY "\",\"user_id\":\"U1\",\"user_name\":\"Ada\",\"expires_at\":9}"

/* A message each: initialize, then a question. */
#define INPUT                                                                                      \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":" \
	"\"2025-06-18\"}}\n"                                                                       \
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"                                        \
	"call\",\"params\":{\"name\":\"ask_human\","                                               \
	"\"arguments\":{\"question\":\"Shall we ship it?\"}}}\n"

#define VERB_TEST(name) TEST_OF(name, struct verb_desk, d, verb_desk_open(d), verb_desk_close(d))

/* The server does this at first, and its best behind it. */
static void run(struct verb_desk *d, const struct scripted_rule *first, const char *line)
{
	const struct scripted_rule rules[] = {
		*first,
		{.method = "session.login", .json = SIGNED_IN},
		{.method = "question.ask", .json = ASKED},
		{.method = "question.get", .json = VIEW},
	};
	d->input = INPUT;
	scripted_play(&d->server, rules, sizeof(rules) / sizeof(rules[0]));
	verb_ends(d, line, EXIT_DONE);
	verb_assert_clean(d);
}

static void assert_said(const struct verb_desk *d, const char *text)
{
	if (strstr(d->out, text) == NULL) {
		fail_msg("\"%s\" is not in: %s%s", text, d->out, d->err);
	}
}

static void assert_asked(struct verb_desk *d, size_t times)
{
	struct slice first = {0};
	assert_int_equal(scripted_count(&d->server, METHOD_QUESTION_ASK), times);
	for (size_t i = 0; i < times; i++) {
		struct question_ask_params p;
		scripted_read(&d->server, scripted_find(&d->server, METHOD_QUESTION_ASK, i), &p);
		assert_true(p.with_idempotency_key);
		assert_true(i == 0 || slice_eq(p.idempotency_key, first));
		first = p.idempotency_key;
	}
}

VERB_TEST(test_what_had_no_answer_is_asked_again_with_the_same_key)
{
	static const struct scripted_rule first[] = {
		{.method = "question.ask", .times = 1, .act = SCRIPTED_HANGS_UP},
		{.method = "question.ask",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAVAILABLE\",\"message\":\"not now\"}"},
		{.method = "question.ask",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAUTHENTICATED\",\"message\":\"who?\"}"},
	};
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		run(d, &first[i], "mcp");
		assert_said(d, "\"question_id\":\"" Q "\"");
		assert_asked(d, 2);
		assert_string_equal(d->err, "");
	}
}

VERB_TEST(test_a_session_is_resumed_by_the_next_one_of_the_name)
{
	static const struct scripted_rule nothing = {.method = "server.ping",
						     .act = SCRIPTED_ANSWERS};
	run(d, &nothing, "mcp");
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_LOGIN), 1);
	run(d, &nothing, "mcp");
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_LOGIN), 0);
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_RESUME), 1);
	run(d, &nothing, "mcp|--name|Grace");
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_LOGIN), 1);
	struct login_params p;
	scripted_read(&d->server, scripted_find(&d->server, METHOD_SESSION_LOGIN, 0), &p);
	assert_true(slice_eq(p.user_name, SLICE("Grace")) && p.with_public_key);
}

VERB_TEST(test_a_session_that_cannot_be_had_is_told)
{
	static const struct scripted_rule taken = {
		.method = "session.login",
		.act = SCRIPTED_REFUSES,
		.json = "{\"code\":\"NAME_TAKEN\",\"message\":\"taken\"}"};
	run(d, &taken, "mcp");
	assert_said(d, "NAME_TAKEN: taken. The person who runs this program");
	assert_said(d, "\"isError\":true");
	assert_asked(d, 0);
}

VERB_TEST(test_a_silent_server_is_told_in_time)
{
	static const struct scripted_rule silent = {.method = "question.ask",
						    .act = SCRIPTED_IS_SILENT};
	run(d, &silent, "mcp|--timeout|0.3");
	assert_said(d,
		    "it did not answer in time. It is not known whether the question was asked.");
	assert_said(d, "\"isError\":true");
}

VERB_TEST(test_nothing_is_asked_of_a_server_before_a_tool_is_called)
{
	static const struct scripted_rule nothing = {.method = "server.ping",
						     .act = SCRIPTED_ANSWERS};
	scripted_play(&d->server, &nothing, 1);
	d->input = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		   "\"protocolVersion\":\"2025-06-18\"}}\n"
		   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";
	verb_ends(d, "mcp", EXIT_DONE);
	assert_said(d, "check_human_responses");
	assert_int_equal(d->server.connections, 0);
}
