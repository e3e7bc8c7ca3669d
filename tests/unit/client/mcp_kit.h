/*
 * mcp_kit.h - an agent's client for the tests of the Model Context Protocol: lines in, and what comes back.
 */
#ifndef TESTS_UNIT_CLIENT_MCP_KIT_H
#define TESTS_UNIT_CLIENT_MCP_KIT_H

#include <stdlib.h>
#include <string.h>

#include "client/mcp/mcp.h"
#include "client/mcp/mcp_call.h"
#include "proto/json.h"
#include "tests/support/test.h"

#define KEY "0123456789abcdef"
#define Q   "q_K7QX3MHW4A"
#define ASKED                   \
	"{\"question_id\":\"" Q \
	"\",\"status\":\"OPEN\",\"created_at\":1795400000000,\"expires_at\":1795403600000,"      \
	"\"required_responses\":2,\"people\":3}"
#define VIEW(status, type, n, more)                                                               \
	"{\"question\":{\"question_id\":\"" Q "\",\"status\":\"" status                           \
	"\",\"prompt\":\"Shall we ship it?\",\"type\":\"" type                                    \
	"\",\"audience\":[\"general\"],\"required_responses\":2,\"current_responses\":" #n        \
	",\"responses_needed\":1,\"created_at\":1795400000000,\"expires_at\":1795403600000," more \
	"}"
#define ASK(arguments) "{\"name\":\"ask_human\",\"arguments\":" arguments "}"
#define NOW_MS	       1795400000000

/* ---- a client of it ---- */

static inline void say(struct mcp *m, const char *line)
{
	buf_clear(&m->out);
	mcp_take_line(m, slice_str(line));
}

static inline void assert_out(struct mcp *m, const char *expected)
{
	(void)buf_append(&m->out, "", 1);
	assert_string_equal(m->out.data, expected);
	buf_clear(&m->out);
}

/* A line that has such an answer; "" has none. */
static inline void assert_says(struct mcp *m, const char *line, const char *expected)
{
	say(m, line);
	assert_out(m, expected);
}

static inline void open_as(struct mcp *m, const char *version)
{
	char line[200];
	mcp_init(m);
	(void)snprintf(line, sizeof(line),
		       "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
		       "\"protocolVersion\":\"%s\"}}",
		       version);
	say(m, line);
	assert_non_null(m->version);
	buf_clear(&m->out);
	assert_says(m, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "");
}

#define MCP_TEST(name) TEST_OF(name, struct mcp, m, open_as(m, "2025-06-18"), mcp_finish(m))

/* A call of a tool, by its id. */
static inline struct mcp_call *call(struct mcp *m, const char *id, const char *params)
{
	char line[4000];
	(void)snprintf(line, sizeof(line),
		       "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":%s}",
		       id, params);
	say(m, line);
	struct mcp_call *c = m->calls;
	while (c != NULL && !slice_eq(c->id, slice_str(id))) {
		c = c->next;
	}
	return c;
}

/* What a call asks of the server. */
static inline void assert_asks(const struct mcp_call *c, enum method method, const char *params)
{
	struct buf bytes = {.max = 100000};
	struct buf text = {.max = 100000};
	assert_non_null(c);
	assert_false(c->is_sent);
	assert_int_equal(c->request->method, method);
	assert_int_equal(c->request->fault.code, FAULT_NONE);
	record_write(method_rows[method].params, c->request->params, &bytes);
	assert_int_equal(json_from_bytes(buf_slice(&bytes), &text), OK);
	(void)buf_append(&text, "", 1);
	assert_string_equal(text.data, params);
	buf_finish(&bytes);
	buf_finish(&text);
}

/* The request has left, and this is its answer; one that cannot be read is a refusal, as for the owner. */
static inline void answer(struct mcp *m, struct mcp_call *c, const char *json)
{
	const struct record *record = method_rows[c->request->method].result;
	struct buf bytes = {.max = 1000000};
	struct arena arena = {0};
	struct fault fault = {0};
	struct errmsg why;
	void *result = arena_alloc(&arena, record->size);
	assert_int_equal(json_to_bytes(slice_str(json), &bytes, &why), OK);
	c->is_sent = true;
	c->was_sent = true;
	if (record_from_bytes(record, buf_slice(&bytes), RECORD_LENIENT, &arena, result, &fault) ==
	    OK) {
		mcp_call_take_answer(m, c, result, NOW_MS);
	} else {
		fault_set(&fault, FAULT_SERVER_ERROR, "the server sent an invalid answer");
		mcp_call_take_refusal(m, c, &fault);
	}
	arena_finish(&arena);
	buf_finish(&bytes);
}

/* The only answer that was given: its result, the caller's. */
static inline json_t *result_of(struct mcp *m)
{
	json_t *message = json_loadb(m->out.data, m->out.len, JSON_DISABLE_EOF_CHECK, NULL);
	assert_non_null(message);
	json_t *result = json_incref(json_object_get(message, "result"));
	assert_non_null(result);
	assert_non_null(memchr(m->out.data, '\n', m->out.len));
	json_decref(message);
	buf_clear(&m->out);
	return result;
}

static inline void assert_text(struct mcp *m, bool is_error, const char *expected)
{
	json_t *result = result_of(m);
	json_t *content = json_array_get(json_object_get(result, "content"), 0);
	assert_string_equal(json_string_value(json_object_get(content, "text")), expected);
	assert_int_equal(json_is_true(json_object_get(result, "isError")), is_error);
	assert_int_equal(json_object_get(result, "structuredContent") == NULL, is_error);
	json_decref(result);
}

#define R(id, rest)	  "{\"jsonrpc\":\"2.0\",\"id\":" id "," rest "}\n"
#define E(id, code, text) R(id, "\"error\":{\"code\":" #code ",\"message\":\"" text "\"}")
#define PONG(id)	  R(id, "\"result\":{}")
#define BAD_JSON          \
	E("null", -32700, \
	  "not a line of JSON, or with repeated members, or nested too deeply")
#define BAD_REQUEST(id) \
	E(id, -32600, "not a JSON-RPC 2.0 request, or an id that is neither text nor a number")

/* ---- the two tools ---- */

static inline struct mcp_call *ask(struct mcp *m, const char *id, const char *more)
{
	char params[400];
	(void)snprintf(params, sizeof(params), ASK("{\"question\":\"Shall we ship it?\"%s}"), more);
	return call(m, id, params);
}

static inline struct mcp_call *check(struct mcp *m, const char *more)
{
	char params[400];
	(void)snprintf(params, sizeof(params),
		       "{\"name\":\"check_human_responses\",\"arguments\":{\"question_id\":\"" Q
		       "\"%s}}",
		       more);
	return call(m, "1", params);
}

#endif
