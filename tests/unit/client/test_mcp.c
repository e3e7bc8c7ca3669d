/*
 * test_mcp.c - the Model Context Protocol without a wire: each message and what comes back.
 */
#include "client/mcp/json_text.h"
#include "tests/unit/client/mcp_kit.h"

/* ---- messages ---- */

struct exchange {
	const char *line;
	const char *answer;
};

static void assert_exchanges(struct mcp *m, const struct exchange *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_says(m, rows[i].line, rows[i].answer);
		assert_null(m->calls);
	}
}

MCP_TEST(test_an_id_comes_back_as_it_was_written)
{
	static const struct exchange rows[] = {
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", PONG("1")},
		{"{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"ping\"}\r", PONG("-7")},
		{"{\"jsonrpc\":\"2.0\",\"id\":0.5,\"method\":\"ping\"}", PONG("0.5")},
		{"{\"id\":9007199254740993,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}",
		 PONG("9007199254740993")},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\" : "
		 "123456789012345678901234567890}",
		 PONG("123456789012345678901234567890")},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0041\\\"}{,\\n\",\"method\":\"ping\"}",
		 PONG("\"a\\u0041\\\"}{,\\n\"")},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\"}", PONG("\"\"")},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\\u0000\",\"method\":\"ping\"}",
		 PONG("\"\\u0000\"")},
		{"{\"x\":{\"id\":3},\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":{"
		 "\"id\":5}}",
		 PONG("4")},
	};
	assert_exchanges(m, rows, sizeof(rows) / sizeof(rows[0]));
}

MCP_TEST(test_what_is_no_request_is_an_error)
{
	static const struct exchange rows[] = {
		/* No JSON. */
		{"junk", BAD_JSON},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", BAD_JSON},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}", BAD_JSON},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", BAD_JSON},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} {}", BAD_JSON},
		/* No request. */
		{"1", BAD_REQUEST("null")},
		{"\"\"", BAD_REQUEST("null")},
		{"null", BAD_REQUEST("null")},
		{"{}", BAD_REQUEST("null")},
		{"{\"id\":1,\"method\":\"ping\"}", BAD_REQUEST("1")},
		{"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", BAD_REQUEST("1")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1}", BAD_REQUEST("1")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", BAD_REQUEST("1")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\\u0000\"}", BAD_REQUEST("1")},
		{"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", BAD_REQUEST("null")},
		{"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", BAD_REQUEST("null")},
		{"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", BAD_REQUEST("null")},
		{"{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"method\":\"ping\"}", BAD_REQUEST("null")},
		/* A batch was of one older version alone. */
		{"[]", E("null", -32600, "batches are not supported")},
		{"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
		 E("null", -32600, "batches are not supported")},
	};
	assert_exchanges(m, rows, sizeof(rows) / sizeof(rows[0]));
}

MCP_TEST(test_an_unknown_method_and_wrong_params_are_errors)
{
	static const struct exchange rows[] = {
		/* No method. */
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}",
		 E("1", -32601, "no request has that name")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"notifications/initialized\"}",
		 E("1", -32601, "no request has that name")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}",
		 E("1", -32600, "initialize comes once")},
		/* No params. */
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
		 E("1", -32602, "params must be an object")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		 "list\",\"params\":{\"cursor\":\"x\"}}",
		 E("1", -32602, "all tools are on the first page: no cursor")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}",
		 E("1", -32602, "no tool has that name")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		 "call\",\"params\":{\"name\":\"rm\"}}",
		 E("1", -32602, "no tool has that name")},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
		 "\"ask_human\",\"arguments\":\"x\"}}",
		 E("1", -32602, "arguments must be an object")},
	};
	assert_exchanges(m, rows, sizeof(rows) / sizeof(rows[0]));
}

MCP_TEST(test_notifications_and_answers_have_no_answer)
{
	static const struct exchange rows[] = {
		{"", ""},
		{" \t\r", ""},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", ""},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}", ""},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}", ""},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		 "cancelled\",\"params\":{\"requestId\":9}}",
		 ""},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", ""},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}", ""},
	};
	assert_exchanges(m, rows, sizeof(rows) / sizeof(rows[0]));
}

TEST(test_the_version_is_agreed)
{
	static const struct {
		const char *asked;
		const char *agreed;
	} rows[] = {
		{"2024-11-05", "2025-11-25"}, {"2025-03-26", "2025-11-25"},
		{"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
		{"2024-10-07", "2025-11-25"}, {"1.0", "2025-11-25"},
		{"2099-01-01", "2025-11-25"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mcp m;
		char line[300];
		mcp_init(&m);
		(void)snprintf(
			line, sizeof(line),
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			"\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{"
			"\"name\":\"t\",\"version\":\"1\"}}}",
			rows[i].asked);
		say(&m, line);
		json_t *result = result_of(&m);
		assert_string_equal(json_string_value(json_object_get(result, "protocolVersion")),
				    rows[i].agreed);
		assert_true(json_is_object(
			json_object_get(json_object_get(result, "capabilities"), "tools")));
		assert_string_equal(json_string_value(
					    json_object_get(json_object_get(result, "serverInfo"),
							    "name")),
				    "aye");
		json_decref(result);
		mcp_finish(&m);
	}
}

TEST(test_nothing_but_a_ping_comes_before_initialize)
{
	struct mcp m;
	mcp_init(&m);
	assert_says(&m, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
		    E("1", -32600, "initialize must come first"));
	assert_says(&m, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}", PONG("2"));
	assert_says(&m, "[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]",
		    E("null", -32600, "batches are not supported"));
	assert_says(&m, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\"}",
		    E("3", -32602, "protocolVersion is missing"));
	assert_null(m.version);
	mcp_finish(&m);
}

TEST(test_nesting_is_bounded)
{
	struct mcp m;
	char line[400] = "";
	for (size_t depth = MCP_DEPTH_MAX - 1; depth <= MCP_DEPTH_MAX + 1; depth++) {
		open_as(&m, "2025-06-18");
		size_t len = (size_t)
			snprintf(line, sizeof(line),
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":");
		memset(line + len, '[', depth);
		memset(line + len + depth, ']', depth);
		(void)snprintf(line + len + 2 * depth, sizeof(line) - len - 2 * depth, "}");
		assert_says(&m, line, depth <= MCP_DEPTH_MAX ? PONG("1") : BAD_JSON);
		mcp_finish(&m);
	}
	assert_true(json_text_is_flat(SLICE("\"[[[[[[[[\""), 0));
	assert_false(json_text_is_flat(SLICE("[[\"]]"), 0));
}

MCP_TEST(test_a_long_id_and_a_long_line_are_errors)
{
	char id[MCP_ID_BYTES_MAX + 8] = "";
	char line[MCP_ID_BYTES_MAX + 100];
	memset(id, '7', MCP_ID_BYTES_MAX + 1);
	(void)snprintf(line, sizeof(line),
		       "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}", id);
	assert_says(m, line, BAD_REQUEST("null"));
	mcp_take_long_line(m);
	assert_out(m, E("null", -32600, "the message is too long"));
}

/* ---- several at once, and cancelled ones ---- */

static void cancel(struct mcp *m, const char *id)
{
	char line[200];
	(void)snprintf(line, sizeof(line),
		       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		       "cancelled\",\"params\":{\"requestId\":%s,"
		       "\"reason\":\"r\"}}",
		       id);
	assert_says(m, line, "");
}

MCP_TEST(test_calls_are_answered_in_any_order)
{
	struct mcp_call *first = ask(m, "1", "");
	struct mcp_call *second = ask(m, "\"1\"", "");
	assert_true(first != second && m->calls_n == 2);
	assert_says(m, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}", PONG("5"));
	assert_says(m, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
		    E("1", -32600, "a request with that id is in progress"));
	mcp_call_take_outage(m, second, "gone");
	assert_int_equal(strncmp(m->out.data, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",", 24), 0);
	assert_ptr_equal(m->calls, first);
}

MCP_TEST(test_no_more_calls_than_a_bound_are_under_way)
{
	for (size_t i = 0; i < MCP_CALLS_MAX; i++) {
		char id[16];
		(void)snprintf(id, sizeof(id), "%zu", i);
		assert_non_null(ask(m, id, ""));
	}
	assert_null(ask(m, "99", ""));
	assert_text(m, true, "32 calls are already in progress. Try again later.");
	assert_int_equal(m->calls_n, MCP_CALLS_MAX);
}

MCP_TEST(test_a_cancelled_call_has_no_answer)
{
	/* Not sent yet: it is not asked at all. */
	assert_non_null(ask(m, "1", ""));
	cancel(m, "\"1\"");
	assert_int_equal(m->calls_n, 1);
	cancel(m, "1");
	assert_null(m->calls);
	/* An id that is written in another way is the same. */
	assert_non_null(ask(m, "\"a\"", ""));
	cancel(m, "\"\\u0061\"");
	assert_null(m->calls);
	/* On its way: nobody knows of the question, so it is taken back. */
	struct mcp_call *c = ask(m, "2", "");
	c->is_sent = true;
	c->was_sent = true;
	cancel(m, "2");
	cancel(m, "2");
	answer(m, c, ASKED);
	assert_asks(c, METHOD_QUESTION_CANCEL, "{\"question_id\":\"" Q "\"}");
	answer(m, c, "{\"status\":\"CANCELLED\"}");
	assert_null(m->calls);
	assert_out(m, "");
	/* With a key of the caller it is found again, and stays. */
	c = ask(m, "3", ",\"idempotency_key\":\"" KEY "\"");
	c->was_sent = true;
	cancel(m, "3");
	answer(m, c, ASKED);
	assert_null(m->calls);
	/* A check likewise, and whatever it ends in. */
	for (int i = 0; i < 3; i++) {
		struct fault f;
		c = check(m, "");
		c->was_sent = true;
		cancel(m, "1");
		assert_says(m, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", PONG("1"));
		fault_set(&f, FAULT_UNAVAILABLE, "not now");
		if (i == 0) {
			answer(m, c, VIEW("OPEN", "text", 0, "\"is_mine\":true}"));
		} else if (i == 1) {
			mcp_call_take_refusal(m, c, &f);
		} else {
			mcp_call_take_outage(m, c, "gone");
		}
		assert_null(m->calls);
		assert_out(m, "");
	}
}

/* ---- a check that waits ---- */

#define WATCHES "{\"question_id\":\"" Q "\"}"

static void drop(struct mcp *m)
{
	mcp_call_take_outage(m, m->calls, "gone");
	assert_null(m->calls);
	buf_clear(&m->out);
}

static struct mcp_call *wait_for(struct mcp *m, const char *id, const char *meta)
{
	char params[400];
	(void)snprintf(params, sizeof(params),
		       "{\"name\":\"check_human_responses\",\"arguments\":{\"question_id\":\"" Q
		       "\",\"wait_seconds\":20}%s}",
		       meta);
	struct mcp_call *c = call(m, id, params);
	assert_asks(c, METHOD_QUESTION_WATCH, WATCHES);
	return c;
}

/* The answer of question.watch: so many answers, and nothing of them. */
static void watched(struct mcp *m, struct mcp_call *c, const char *status, int n)
{
	char json[600];
	(void)snprintf(json, sizeof(json),
		       "{\"version\":1,\"question\":{\"question_id\":\"" Q
		       "\",\"status\":\"%s\",\"prompt\":\"Shall we ship it?\",\"type\":\"text\","
		       "\"audience\":[\"general\"],\"required_responses\":2,"
		       "\"current_responses\":%d,\"responses_needed\":1,\"created_at\":1,"
		       "\"expires_at\":2}}",
		       status, n);
	answer(m, c, json);
}

static void updated(struct mcp *m, const char *id, enum question_status status, int64_t n)
{
	const struct question_update u = {
		.question = {.question_id = slice_str(id),
			     .status = status,
			     .current_responses = n},
		.with_question = true,
	};
	mcp_call_take_update(m, &u);
}

/* All that is there is shown: one answer. */
static void see_one(struct mcp *m)
{
	answer(m, check(m, ""), VIEW("PARTIAL", "text", 1, "\"is_mine\":true}"));
	buf_clear(&m->out);
}

MCP_TEST(test_a_check_waits_for_an_answer_that_was_not_shown)
{
	see_one(m);
	struct mcp_call *c = wait_for(m, "7", "");
	watched(m, c, "PARTIAL", 1);
	assert_true(c->is_waiting);
	assert_int_equal(mcp_call_next_time_ms(c), 20000);
	/* Other calls go on meanwhile, and what changes elsewhere is no news. */
	assert_says(m, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}", PONG("5"));
	updated(m, "q_AAAAAAAAAA", QUESTION_PARTIAL, 2);
	updated(m, Q, QUESTION_PARTIAL, 1);
	assert_true(c->is_waiting);
	updated(m, Q, QUESTION_PARTIAL, 2);
	assert_false(c->is_waiting);
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
	answer(m, c, "{}");
	assert_asks(c, METHOD_QUESTION_GET, WATCHES);
	answer(m, c, VIEW("PARTIAL", "text", 2, "\"is_mine\":true}"));
	assert_null(m->calls);
	assert_int_equal(strncmp(m->out.data, "{\"jsonrpc\":\"2.0\",\"id\":7,", 23), 0);
	buf_clear(&m->out);
	/* Those two are known now. */
	c = wait_for(m, "8", "");
	watched(m, c, "PARTIAL", 2);
	assert_true(c->is_waiting);
}

/* What came between two checks is not waited for, nor is anything after the end. */
MCP_TEST(test_a_check_waits_for_nothing_that_is_there)
{
	struct mcp_call *c = wait_for(m, "7", "");
	watched(m, c, "PARTIAL", 1);
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
	drop(m);
	c = wait_for(m, "7", "");
	watched(m, c, "EXPIRED", 0);
	assert_asks(c, METHOD_QUESTION_GET, WATCHES);
	drop(m);
	c = wait_for(m, "7", "");
	watched(m, c, "OPEN", 0);
	updated(m, Q, QUESTION_CANCELLED, 0);
	assert_asks(c, METHOD_QUESTION_GET, WATCHES);
}

MCP_TEST(test_a_wait_ends_with_its_time_and_tells_how_far_it_is)
{
	struct mcp_call *c = wait_for(m, "7", ",\"_meta\":{\"progressToken\":\"p\\u0031\"}");
	watched(m, c, "OPEN", 0);
	assert_out(m, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		      "\"progressToken\":\"p\\u0031\",\"progress\":0,\"total\":20}}\n");
	assert_int_equal(mcp_call_next_time_ms(c), MCP_PROGRESS_MS);
	mcp_call_take_time(m, c, MCP_PROGRESS_MS - 1);
	assert_out(m, "");
	mcp_call_take_time(m, c, 12345);
	assert_out(m, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		      "\"progressToken\":\"p\\u0031\",\"progress\":12,\"total\":20}}\n");
	assert_int_equal(mcp_call_next_time_ms(c), 15000);
	mcp_call_take_time(m, c, 20000);
	assert_out(m, "");
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
	struct fault f;
	fault_set(&f, FAULT_QUESTION_NOT_FOUND, "it has gone");
	mcp_call_take_refusal(m, c, &f);
	assert_asks(c, METHOD_QUESTION_GET, WATCHES);
	answer(m, c, VIEW("OPEN", "text", 0, "\"is_mine\":true}"));
	assert_null(m->calls);
	/* A token that is none is left. */
	c = wait_for(m, "8", ",\"_meta\":{\"progressToken\":{}}");
	buf_clear(&m->out);
	watched(m, c, "OPEN", 0);
	assert_out(m, "");
}

/* A question is watched once, whoever waits; whoever waits last leaves it. */
MCP_TEST(test_two_waits_for_one_question_share_the_watch)
{
	struct mcp_call *a = wait_for(m, "7", "");
	struct mcp_call *b = wait_for(m, "8", "");
	watched(m, a, "OPEN", 0);
	watched(m, b, "OPEN", 0);
	mcp_call_take_time(m, a, 20000);
	assert_asks(a, METHOD_QUESTION_GET, WATCHES);
	assert_true(b->is_waiting);
	mcp_call_take_time(m, b, 20000);
	assert_asks(b, METHOD_QUESTION_UNWATCH, WATCHES);
}

MCP_TEST(test_a_wait_can_be_cancelled)
{
	struct mcp_call *c = wait_for(m, "7", "");
	watched(m, c, "OPEN", 0);
	cancel(m, "7");
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
	answer(m, c, "{}");
	assert_null(m->calls);
	/* While the watch is on its way; and where another goes on with it. */
	c = wait_for(m, "7", "");
	c->was_sent = true;
	cancel(m, "7");
	watched(m, c, "OPEN", 0);
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
	struct mcp_call *other = wait_for(m, "8", "");
	watched(m, other, "OPEN", 0);
	struct mcp_call *third = wait_for(m, "9", "");
	watched(m, third, "OPEN", 0);
	cancel(m, "9");
	assert_ptr_equal(other->next, NULL);
	assert_true(other->is_waiting);
	assert_out(m, "");
}

/* What was missed is read again; and a call that waits holds no place of one that does not. */
MCP_TEST(test_a_wait_gives_way)
{
	struct mcp_call *c = wait_for(m, "7", "");
	watched(m, c, "OPEN", 0);
	mcp_call_take_update(m, &(struct question_update){.reset = true, .with_reset = true});
	assert_asks(c, METHOD_QUESTION_WATCH, WATCHES);
	watched(m, c, "OPEN", 0);
	assert_true(c->is_waiting);
	for (size_t i = 1; i < MCP_CALLS_MAX; i++) {
		char id[16];
		assert_true(c->is_waiting);
		(void)snprintf(id, sizeof(id), "%zu", 100 + i);
		assert_non_null(ask(m, id, ""));
	}
	assert_asks(c, METHOD_QUESTION_UNWATCH, WATCHES);
}

MCP_TEST(test_a_wait_has_bounds)
{
	static const char *const bad[][2] = {
		{"51", "must be 0 to 50"},
		{"-1", "must be 0 to 50"},
		{"1.5", "must be a whole number"},
		{"\"9\"", "must be a whole number"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char more[64], told[200];
		(void)snprintf(more, sizeof(more), ",\"wait_seconds\":%s", bad[i][0]);
		assert_null(check(m, more));
		(void)snprintf(told, sizeof(told),
			       "VALIDATION_ERROR: wait_seconds %s. Correct the arguments and call "
			       "again.",
			       bad[i][1]);
		assert_text(m, true, told);
	}
	/* With a cursor the others are there already. */
	assert_asks(check(m, ",\"wait_seconds\":50,\"cursor\":\"c\""), METHOD_QUESTION_GET,
		    "{\"question_id\":\"" Q "\",\"cursor\":\"c\"}");
	drop(m);
	assert_asks(check(m, ",\"wait_seconds\":0,\"cursor\":null"), METHOD_QUESTION_GET, WATCHES);
}

/* ---- anything ---- */

/* A small generator: the same bytes in every run. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Every answer is a line of JSON, whatever came. */
static void assert_lines(struct mcp *m)
{
	for (size_t at = 0; at < m->out.len;) {
		const char *from = m->out.data + at;
		const char *end = memchr(from, '\n', m->out.len - at);
		assert_non_null(end);
		json_t *value = json_loadb(from, (size_t)(end - from),
					   JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
		assert_non_null(value);
		json_decref(value);
		at += (size_t)(end - from) + 1;
	}
	buf_clear(&m->out);
}

TEST(test_damaged_messages_are_answered_or_left)
{
	static const char *const lines[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"\\u0041\",\"method\":\"ping\",\"params\":{"
		"\"x\":[1,{}]}}",
		"[{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":"
		"3,\"method\":\"x\"}]",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/"
		"call\",\"params\":{\"name\":\"ask_human\","
		"\"arguments\":{\"question\":\"Shall we ship "
		"it?\",\"options\":[\"a\",\"b\"],\"min_responses\":3}}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		"cancelled\",\"params\":{\"requestId\":7}}",
	};
	static const char bytes[] = "{}[]\",:\\u0123-+.eE \t\x01\x7f\x80\xff";
	uint32_t state = 1;
	struct mcp m;
	open_as(&m, "2025-06-18");
	for (size_t n = 0; n < 20000; n++) {
		char line[400];
		const char *whole = lines[n % 4];
		size_t len = strlen(whole);
		memcpy(line, whole, len);
		for (size_t i = next_random(&state) % 4; i > 0 && len > 2; i--) {
			size_t at = next_random(&state) % len;
			switch (next_random(&state) % 3) {
			case 0:
				line[at] = bytes[next_random(&state) % sizeof(bytes)];
				break;
			case 1:
				memmove(line + at, line + at + 1, len - at - 1);
				len--;
				break;
			default:
				memmove(line + at + 1, line + at, len - at);
				line[at] = bytes[next_random(&state) % sizeof(bytes)];
				len++;
				break;
			}
		}
		char *exact = malloc(len); /* so that a byte too far is seen */
		memcpy(exact, line, len);
		mcp_take_line(&m, slice_of(exact, len));
		free(exact);
		while (m.calls != NULL) {
			mcp_call_take_outage(&m, m.calls, "gone");
		}
		assert_lines(&m);
	}
	mcp_finish(&m);
}
