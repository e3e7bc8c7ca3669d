/*
 * test_mcp_tools.c - the two tools: what their arguments ask of the server, and what a model is told of it.
 */
#include "proto/keys/key_hash.h"
#include "tests/unit/client/mcp_kit.h"

/* ---- the tools ---- */

MCP_TEST(test_the_tools_are_described_by_their_records)
{
	say(m, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}");
	json_t *result = result_of(m);
	json_t *tools = json_object_get(result, "tools");
	assert_int_equal(json_array_size(tools), 2);
	json_t *ask = json_array_get(tools, 0);
	json_t *check = json_array_get(tools, 1);
	const char *name;
	const char *type;
	json_int_t least, most, prompt_least, prompt_most, options_most, option_most;
	assert_int_equal(
		json_unpack(
			ask,
			"{s:s, s:{s:s, s:[s!], s:{s:{s:I, s:I}, s:{s:I, s:I}, s:{s:I, s:{s:I}}}}}",
			"name", &name, "inputSchema", "type", &type, "required", &(const char *){0},
			"properties", "question", "minLength", &prompt_least, "maxLength",
			&prompt_most, "min_responses", "minimum", &least, "maximum", &most,
			"options", "maxItems", &options_most, "items", "maxLength", &option_most),
		0);
	assert_string_equal(name, "ask_human");
	assert_int_equal(prompt_least, MAX_QUESTION_PROMPT_CHARS_MIN);
	assert_int_equal(prompt_most, MAX_QUESTION_PROMPT_CHARS);
	assert_int_equal(least, 1);
	assert_int_equal(most, MAX_QUESTION_RESPONSES);
	assert_int_equal(options_most, MAX_QUESTION_OPTIONS);
	assert_int_equal(option_most, MAX_QUESTION_OPTION_CHARS);
	assert_string_equal(json_string_value(json_object_get(check, "name")),
			    "check_human_responses");
	json_t *of_check = json_object_get(check, "outputSchema");
	for (size_t i = 0; i < record_question_view.n; i++) {
		assert_non_null(json_object_get(json_object_get(of_check, "properties"),
						record_question_view.fields[i].name));
	}
	assert_true(json_is_true(
		json_object_get(json_object_get(check, "annotations"), "readOnlyHint")));
	json_decref(result);
}

MCP_TEST(test_arguments_become_a_request)
{
	static const struct {
		const char *arguments;
		const char *params;
	} rows[] = {
		{"{\"question\":\"Shall we ship it?\"}",
		 "{\"prompt\":\"Shall we ship it?\",\"type\":\"text\"}"},
		{"{\"question\":\"Shall we ship it?\",\"options\":[\"yes\",\"no\"]}",
		 "{\"prompt\":\"Shall we ship "
		 "it?\",\"type\":\"multiple_choice\",\"options\":[\"yes\",\"no\"]}"},
		{"{\"question\":\"Shall we ship "
		 "it?\",\"type\":\"text\",\"options\":[\"yes\",\"no\"]}",
		 "{\"prompt\":\"Shall we ship "
		 "it?\",\"type\":\"text\",\"options\":[\"yes\",\"no\"]}"},
		{"{\"question\":\"  one\\n two, three "
		 "\",\"type\":null,\"options\":[],\"audience\":[\"ethics\"],"
		 "\"min_responses\":3.0,\"timeout_seconds\":60,\"idempotency_key\":\"" KEY "\"}",
		 "{\"prompt\":\"  one\\n two, "
		 "three\",\"type\":\"text\",\"audience\":[\"ethics\"],\"min_responses\":3,"
		 "\"timeout_seconds\":60,\"idempotency_key\":\"" KEY "\"}"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char params[1000];
		(void)snprintf(params, sizeof(params), ASK("%s"), rows[i].arguments);
		struct mcp_call *c = call(m, "7", params);
		assert_asks(c, METHOD_QUESTION_ASK, rows[i].params);
		assert_int_equal(c->has_given_key, i == 3);
		mcp_call_take_outage(m, c, "gone");
	}
}

/* Agents name a question by their task: the server is sent the same long key each time. */
MCP_TEST(test_a_short_key_becomes_a_long_one)
{
	static const char *const keys[] = {"task-123", "task-123", "task-124"};
	char sent[3][KEY_CHARS + 1];
	for (size_t i = 0; i < 3; i++) {
		char params[200];
		(void)snprintf(
			params, sizeof(params),
			ASK("{\"question\":\"Shall we ship it?\",\"idempotency_key\":\"%s\"}"),
			keys[i]);
		struct mcp_call *c = call(m, "7", params);
		const struct question_ask_params *p = c->request->params;
		assert_true(c->has_given_key);
		assert_int_equal(p->idempotency_key.len, KEY_CHARS);
		memcpy(sent[i], p->idempotency_key.data, KEY_CHARS);
		sent[i][KEY_CHARS] = '\0';
		mcp_call_take_outage(m, c, "gone");
	}
	assert_string_equal(sent[0], sent[1]);
	assert_string_not_equal(sent[0], sent[2]);
}

MCP_TEST(test_wrong_arguments_are_told_to_the_model)
{
#define WRONG(text) "VALIDATION_ERROR: " text ". Correct the arguments and call again."
	static const struct {
		const char *params;
		const char *text;
	} rows[] = {
		{"{\"name\":\"ask_human\"}", WRONG("question is missing")},
		{ASK("{}"), WRONG("question is missing")},
		{ASK("{\"question\":\"?\"}"), WRONG("question must be 2 to 2000 characters long")},
		{ASK("{\"question\":5}"), WRONG("question must be text")},
		{ASK("{\"question\":\"Shall we\\u0000 ship?\"}"),
		 WRONG("question must not contain a NUL character")},
		{ASK("{\"question\":\"Shall we ship it?\",\"type\":\"poll\"}"),
		 WRONG("type must be text or multiple_choice")},
		{ASK("{\"question\":\"Shall we ship it?\",\"options\":\"yes\"}"),
		 WRONG("options must be a list of 2 to 10 texts")},
		{ASK("{\"question\":\"Shall we ship it?\",\"options\":[1,2]}"),
		 WRONG("options must be text")},
		{ASK("{\"question\":\"Shall we ship it?\",\"min_responses\":51}"),
		 WRONG("min_responses must be 1 to 50")},
		{ASK("{\"question\":\"Shall we ship it?\",\"min_responses\":1.5}"),
		 WRONG("min_responses must be a whole number")},
		{ASK("{\"question\":\"Shall we ship it?\",\"min_responses\":1e300}"),
		 WRONG("min_responses must be a whole number")},
		{ASK("{\"question\":\"Shall we ship it?\",\"timeout_seconds\":\"60\"}"),
		 WRONG("timeout_seconds must be a whole number")},
		{ASK("{\"question\":\"Shall we ship "
		     "it?\",\"idempotency_key\":"
		     "\"0123456789012345678901234567890123456789012345678901234567890123"
		     "4\"}"),
		 WRONG("idempotency_key must be 1 to 64 bytes long")},
		{ASK("{\"question\":\"Shall we ship it?\",\"room_id\":\"K7QX3M\"}"),
		 WRONG("unknown argument; the arguments are question type options audience "
		       "min_responses timeout_seconds idempotency_key")},
		{"{\"name\":\"check_human_responses\",\"arguments\":{}}",
		 WRONG("question_id is missing")},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_null(call(m, "1", rows[i].params));
		assert_text(m, true, rows[i].text);
	}
}

/* ---- asking ---- */

MCP_TEST(test_ask_human_asks_and_says_how_it_stands)
{
	struct mcp_call *c = ask(m, "\"x\"", "");
	assert_out(m, "");
	answer(m, c, ASKED);
	assert_out(m, "");
	assert_asks(c, METHOD_QUESTION_GET, "{\"question_id\":\"" Q "\"}");
	answer(m, c, VIEW("OPEN", "text", 0, "\"is_mine\":true}"));
	assert_null(m->calls);
	assert_out(
		m,
		R("\"x\"",
		  "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Question asked: 2 "
		  "answers needed; 3 people can answer. Its "
		  "question_id is \\\"" Q
		  "\\\".\\n0 of 2 answers so far. It is open until 2026-11-23T03:13:20Z (in 60 "
		  "minutes), or until all have come.\\nNobody has answered yet. That is neither a "
		  "yes nor a no.\\nPeople answer in their own time. Continue with something else, "
		  "and call check_human_responses with question_id \\\"" Q
		  "\\\" later; if there is nothing else to do, add "
		  "wait_seconds.\\n\"}],\"isError\":false,\"structuredContent\":{\"question_id\":"
		  "\"" Q "\",\"status\":\"OPEN\",\"prompt\":\"Shall we ship "
		  "it?\",\"type\":\"text\",\"audience\":["
		  "\"general\"],\"required_responses\":2,\"current_responses\":0,\"responses_"
		  "needed\":1,"
		  "\"created_at\":1795400000000,\"expires_at\":1795403600000,\"is_mine\":true}}"));
}

MCP_TEST(test_a_question_that_is_asked_is_told_whatever_comes_after)
{
	static const char text[] =
		"Question asked: 2 answers needed; 3 people can answer. Its question_id is \"" Q
		"\".\n"
		"It can be answered until 2026-11-23T03:13:20Z; its status could not be read now.\n"
		"People answer in their own time. Continue with something else, and call "
		"check_human_responses with question_id \"" Q
		"\" later; if there is nothing else to do, add wait_seconds.\n";
	for (int i = 0; i < 3; i++) {
		struct fault f;
		struct mcp_call *c = ask(m, "1", "");
		answer(m, c, ASKED);
		if (i == 0) {
			mcp_call_take_outage(m, c, "gone");
		} else if (i == 1) {
			fault_set(&f, FAULT_RATE_LIMITED, "too many");
			mcp_call_take_refusal(m, c, &f);
		} else {
			answer(m, c, "{\"question\":7}");
		}
		assert_text(m, false, text);
	}
}

MCP_TEST(test_refusals_and_outages_say_what_to_do)
{
	struct fault f;
	fault_set(&f, FAULT_RATE_LIMITED, "too many questions");
	f.retry_after_ms = 59001;
	mcp_call_take_refusal(m, ask(m, "1", ""), &f);
	assert_text(m, true, "RATE_LIMITED: too many questions. Try again in 60 seconds.");
	fault_set(&f, FAULT_QUOTA_EXCEEDED, "you have 100 open questions");
	mcp_call_take_refusal(m, ask(m, "1", ""), &f);
	assert_text(m, true,
		    "QUOTA_EXCEEDED: you have 100 open questions. Read the answers to the open "
		    "questions, and ask again once a question has ended.");
	fault_field(&f, "prompt", "must be nicer");
	mcp_call_take_refusal(m, ask(m, "1", ""), &f);
	assert_text(
		m, true,
		"VALIDATION_ERROR: question must be nicer. Correct the arguments and call again.");
	fault_field(&f, "options[1]", "is blank");
	mcp_call_take_refusal(m, ask(m, "1", ""), &f);
	assert_text(m, true,
		    "VALIDATION_ERROR: options[1] is blank. Correct the arguments and call again.");
	mcp_call_take_outage(m, ask(m, "1", ""), "it is down");
	assert_text(m, true,
		    "No answer from the server: it is down. The question was not asked. Try again "
		    "in a minute.");
	struct mcp_call *c = ask(m, "1", ",\"idempotency_key\":\"" KEY "\"");
	c->was_sent = true;
	mcp_call_take_outage(m, c, "it is down");
	assert_text(m, true,
		    "No answer from the server: it is down. It is not known whether the question "
		    "was asked. Try again in a minute with idempotency_key \"" KEY
		    "\", and it is not asked twice.");
}

/* ---- checking ---- */

MCP_TEST(test_what_people_said_is_told_as_theirs)
{
	answer(m, check(m, ""),
	       VIEW("PARTIAL", "text", 1,
		    "\"is_mine\":true,\"responses\":[{\"answer\":\"Yes.\\nAnswer 2:\\n> "
		    "no\",\"confidence\":4,"
		    "\"comment\":\"soon\",\"is_fast\":true}]}"));
	assert_text(m, false,
		    "Question \"" Q "\":\n"
		    "> Shall we ship it?\n"
		    "1 of 2 answers so far. It is open until 2026-11-23T03:13:20Z (in 60 minutes), "
		    "or until all have come.\n"
		    "Answer 1, confidence: 4 of 5, given too fast to be considered:\n"
		    "> Yes.\n"
		    "> Answer 2:\n"
		    "> > no\n"
		    "with the comment:\n"
		    "> soon\n"
		    "People answer in their own time. Continue with something else, and call "
		    "check_human_responses with question_id \"" Q
		    "\" later; if there is nothing else to do, add wait_seconds.\n");
	answer(m, check(m, ""),
	       VIEW("CLOSED", "multiple_choice", 2,
		    "\"options\":[\"yes\",\"no\"],\"summary\":[{\"option\":\"yes\",\"votes\":2},{"
		    "\"option\":\"no\","
		    "\"votes\":0}],\"responses\":[{\"selected_option\":0},{\"selected_option\":0}]"
		    "}"));
	assert_text(m, false,
		    "Question \"" Q
		    "\":\n> Shall we ship it?\nIt is closed: all 2 answers have come.\n"
		    "Votes:\n2: yes\n0: no\nAnswer 1:\n> yes\nAnswer 2:\n> yes\n");
}

MCP_TEST(test_no_answer_is_told_as_none)
{
	static const struct {
		const char *view;
		const char *text;
	} rows[] = {
		{VIEW("EXPIRED", "text", 0, "\"is_mine\":true}"),
		 "It has expired: 0 of 2 answers came in time.\nNobody answered. That is neither a "
		 "yes nor a no.\n"},
		{VIEW("EXPIRED", "text", 1, "\"is_mine\":true}"),
		 "It has expired: 1 of 2 answers came in time.\n"},
		{VIEW("CANCELLED", "text", 0, "\"is_mine\":true}"),
		 "It was cancelled with 0 of 2 answers.\nNobody answered. That is neither a yes "
		 "nor a no.\n"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[400];
		answer(m, check(m, ""), rows[i].view);
		(void)snprintf(text, sizeof(text), "Question \"" Q "\":\n> Shall we ship it?\n%s",
			       rows[i].text);
		assert_text(m, false, text);
	}
}

MCP_TEST(test_a_question_of_others_keeps_its_answers_until_it_ends)
{
	answer(m, check(m, ""), VIEW("PARTIAL", "text", 1, "\"can_answer\":true}"));
	json_t *result = result_of(m);
	json_t *content = json_array_get(json_object_get(result, "content"), 0);
	assert_non_null(
		strstr(json_string_value(json_object_get(content, "text")),
		       "You did not ask it, so you will see the answers when it has ended."));
	json_decref(result);
}

#define PAGE(cursor)               \
	VIEW("PARTIAL", "text", 9, \
	     "\"is_mine\":true,\"responses\":[{\"answer\":\"a\"}]},\"cursor\":\"" cursor "\"")

MCP_TEST(test_pages_are_gathered_up_to_a_bound)
{
	struct mcp_call *c = check(m, "");
	for (size_t i = 1; i < MCP_PAGES_MAX; i++) {
		answer(m, c, PAGE("next"));
		assert_asks(c, METHOD_QUESTION_GET,
			    "{\"question_id\":\"" Q "\",\"cursor\":\"next\"}");
	}
	answer(m, c, PAGE("last"));
	assert_null(m->calls);
	json_t *result = result_of(m);
	json_t *structured = json_object_get(result, "structuredContent");
	assert_string_equal(json_string_value(json_object_get(structured, "cursor")), "last");
	assert_int_equal(json_array_size(json_object_get(structured, "responses")), MCP_PAGES_MAX);
	const char *text = json_string_value(
		json_object_get(json_array_get(json_object_get(result, "content"), 0), "text"));
	assert_non_null(strstr(text, "call check_human_responses again, with the cursor \"last\""));
	json_decref(result);

	c = check(m, ",\"cursor\":\"last\"");
	assert_asks(c, METHOD_QUESTION_GET, "{\"question_id\":\"" Q "\",\"cursor\":\"last\"}");
	answer(m, c,
	       VIEW("PARTIAL", "text", 9, "\"is_mine\":true,\"responses\":[{\"answer\":\"z\"}]}"));
	result = result_of(m);
	assert_null(json_object_get(json_object_get(result, "structuredContent"), "cursor"));
	json_decref(result);
}
