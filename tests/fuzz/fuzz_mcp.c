/*
 * fuzz_mcp.c - any bytes as an agent's messages, a line each: every answer is a line of JSON, and no call is lost.
 */
#include <stdint.h>
#include <stdlib.h>

#include "client/mcp/mcp.h"
#include "client/mcp/mcp_call.h"
#include "proto/base/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_check_out(struct mcp *m)
{
	for (size_t at = 0; at < m->out.len;) {
		const char *from = m->out.data + at;
		const char *end = memchr(from, '\n', m->out.len - at);
		ASSERT(end != NULL);
		json_t *value = json_loadb(from, (size_t)(end - from),
					   JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
		ASSERT(value != NULL);
		json_decref(value);
		at += (size_t)(end - from) + 1;
	}
	buf_clear(&m->out);
}

static void fuzz_answer(struct mcp *m, struct mcp_call *call)
{
	const struct question_view closed = {.question_id = SLICE("q_1"),
					     .status = QUESTION_CLOSED};
	const struct question_ask_result asked = {.question_id = SLICE("q_1")};
	const struct question_watch_result watched = {.question = closed};
	const struct question_get_result page = {.question = closed};
	const enum method method = call->request->method;
	mcp_call_take_answer(m, call,
			     method == METHOD_QUESTION_ASK     ? (const void *)&asked
			     : method == METHOD_QUESTION_WATCH ? (const void *)&watched
							       : (const void *)&page,
			     0);
}

/* The first byte chooses what the server says to each call. */
static void fuzz_serve(struct mcp *m, uint8_t how)
{
	struct fault f;
	fault_set(&f, FAULT_UNAVAILABLE, "not now");
	while (m->calls != NULL) {
		struct mcp_call *call = m->calls;
		call->is_sent = true;
		call->was_sent = true;
		if (how % 3 == 0) {
			mcp_call_take_outage(m, call, "gone");
		} else if (how % 3 == 1) {
			mcp_call_take_refusal(m, call, &f);
		} else {
			fuzz_answer(m, call);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mcp m;
	struct slice rest = slice_of(data, size);
	uint8_t how = size == 0 ? 0 : data[0];
	mcp_init(&m);
	mcp_take_line(&m, SLICE("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
				"\"params\":{\"protocolVersion\":\"2025-06-18\"}}"));
	while (rest.len > 0) {
		const char *end = memchr(rest.data, '\n', rest.len);
		size_t len = end == NULL ? rest.len : (size_t)(end - rest.data);
		mcp_take_line(&m, slice_of(rest.data, len));
		rest = slice_of(rest.data + len, rest.len - len);
		rest = slice_of(rest.data + (rest.len > 0), rest.len - (rest.len > 0));
		if (how % 2 == 0) {
			fuzz_serve(&m, how);
		}
		fuzz_check_out(&m);
	}
	fuzz_serve(&m, how);
	fuzz_check_out(&m);
	mcp_finish(&m);
	return 0;
}
