/*
 * mcp_call.c - the life of a call: its requests, its wait, and its result; see mcp_call.h.
 */
#include "client/mcp/mcp_call.h"

#include <stdlib.h>
#include <string.h>

#include "client/mcp/mcp.h"
#include "client/mcp/mcp_tell.h"
#include "client/model/memory.h"
#include "client/model/questions/question_text.h"
#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/json.h"

void mcp_call_drop(struct mcp *m, struct mcp_call *call)
{
	struct mcp_call **at = &m->calls;
	while (*at != call) {
		at = &(*at)->next;
	}
	*at = call->next;
	m->calls_n--;
	request_free(call->request);
	question_whole_finish(&call->whole);
	free(call->asked);
	arena_finish(&call->arena);
	free(call);
}

/* Empty is no answer; takes structured, which may be NULL. */
static void mcp_call_send_result(struct mcp *m, struct slice id, struct buf *text, bool is_error,
				 json_t *structured)
{
	(void)memory_check(text->error);
	json_t *result = memory_have(json_pack("{s:[{s:s, s:s%}], s:b}", "content", "type", "text",
					       "text", text->data, text->len, "isError", is_error));
	if (structured != NULL) {
		(void)json_object_set_new(result, "structuredContent", structured);
	}
	mcp_send_result(m, id, result);
	buf_finish(text);
}

/* Answer a call, unless nobody wants that any more, and forget it. */
static void mcp_call_end(struct mcp *m, struct mcp_call *call, struct buf *text, bool is_error,
			 json_t *structured)
{
	if (!call->is_cancelled) {
		mcp_call_send_result(m, call->id, text, is_error, structured);
	} else {
		buf_finish(text);
		json_decref(structured);
	}
	mcp_call_drop(m, call);
}

static struct buf mcp_call_text(void)
{
	struct buf text;
	buf_init(&text, MCP_OUT_BYTES_MAX);
	return text;
}

static void mcp_call_end_refused(struct mcp *m, struct mcp_call *call, const struct fault *f)
{
	struct buf text = mcp_call_text();
	mcp_tell_refusal(call->tool, f, &text);
	mcp_call_end(m, call, &text, true, NULL);
}

/* ---- what was shown ---- */

static struct mcp_shown *mcp_call_find_shown(struct mcp *m, struct slice question_id)
{
	for (size_t i = 0; i < m->shown_n && i < MCP_SHOWN_MAX; i++) {
		if (slice_eq(slice_str(m->shown[i].question_id), question_id)) {
			return &m->shown[i];
		}
	}
	return NULL;
}

static void mcp_call_note_shown(struct mcp *m, const struct question_view *view)
{
	struct mcp_shown *shown = mcp_call_find_shown(m, view->question_id);
	if (shown == NULL) {
		shown = &m->shown[m->shown_n++ % MCP_SHOWN_MAX];
		(void)format_to(shown->question_id, sizeof(shown->question_id), "%.*s",
				(int)view->question_id.len, view->question_id.data);
	}
	shown->n = view->current_responses;
}

/* Whether a check has something to say that none has said. */
static bool mcp_call_has_news(struct mcp *m, const struct question_view *view)
{
	const struct mcp_shown *shown = mcp_call_find_shown(m, view->question_id);
	return !question_is_open(view) || view->current_responses != (shown == NULL ? 0 : shown->n);
}

/* A record as JSON. */
static json_t *mcp_call_json(const struct record *rec, const void *in)
{
	struct buf bytes = mcp_call_text();
	struct buf text = mcp_call_text();
	record_write(rec, in, &bytes);
	enum err e = memory_check(json_from_bytes(buf_slice(&bytes), &text));
	ASSERT_CMP(e, ==, OK);
	json_t *value = memory_have(json_loadb(text.data, text.len, 0, NULL));
	buf_finish(&bytes);
	buf_finish(&text);
	return value;
}

static void mcp_call_end_checked(struct mcp *m, struct mcp_call *call, struct slice cursor,
				 int64_t now_ms)
{
	struct buf text = mcp_call_text();
	json_t *structured = mcp_call_json(&record_question_view, &call->whole.view);
	if (call->asked == NULL && !call->is_cancelled) {
		mcp_call_note_shown(m, &call->whole.view);
	}
	if (cursor.len > 0) {
		(void)json_object_set_new(structured, "cursor",
					  json_stringn(cursor.data, cursor.len));
	}
	if (call->asked != NULL) {
		mcp_tell_asked(call->asked, &call->whole.view, now_ms, &text);
	} else {
		mcp_tell_question(&call->whole.view, cursor, now_ms, &text);
	}
	mcp_call_end(m, call, &text, false, structured);
}

/* The question is asked, and how it stands could not be read. */
static void mcp_call_end_asked(struct mcp *m, struct mcp_call *call)
{
	struct buf text = mcp_call_text();
	mcp_tell_asked(call->asked, NULL, 0, &text);
	mcp_call_end(m, call, &text, false,
		     mcp_call_json(&record_question_ask_result, call->asked));
}

/* The call goes on with another request. */
static void mcp_call_go_on(struct mcp_call *call, enum method method, struct slice question_id,
			   struct slice cursor)
{
	char text[MCP_ID_BYTES_MAX];
	struct request *was = call->request; /* the id may be in it */
	call->request = request_make(method);
	(void)format_to(text, sizeof(text), "%.*s", (int)question_id.len, question_id.data);
	request_text(call->request, "question_id", text);
	if (cursor.len > 0) {
		(void)format_to(text, sizeof(text), "%.*s", (int)cursor.len, cursor.data);
		request_text(call->request, "cursor", text);
	}
	call->is_sent = false;
	request_free(was);
}

/* ---- waiting ---- */

/* Of the request of a call that checks. */
static struct slice mcp_call_question_id(const struct mcp_call *call)
{
	if (call->request->method == METHOD_QUESTION_GET) {
		const struct question_get_params *p = call->request->params;
		return p->question_id;
	}
	const struct question_params *p = call->request->params;
	return p->question_id;
}

/* Nobody else watches it: a question is watched once on a connection, whoever wants to know. */
static bool mcp_call_is_last_watch(const struct mcp *m, const struct mcp_call *call)
{
	const struct mcp_call *other = m->calls;
	while (other != NULL &&
	       (other == call || other->request->method != METHOD_QUESTION_WATCH ||
		!slice_eq(mcp_call_question_id(other), mcp_call_question_id(call)))) {
		other = other->next;
	}
	return other == NULL;
}

/* Go on to what there is. @has_ended  the server has ended the watch with the question. */
static void mcp_call_stop_waiting(struct mcp *m, struct mcp_call *call, bool has_ended)
{
	bool must_leave = !has_ended && mcp_call_is_last_watch(m, call);
	call->is_waiting = false;
	call->until_ms = 0;
	mcp_call_go_on(call, must_leave ? METHOD_QUESTION_UNWATCH : METHOD_QUESTION_GET,
		       mcp_call_question_id(call), (struct slice){0});
}

/* Nobody waits any more: forget the call, and what it watches. */
static void mcp_call_abandon_watch(struct mcp *m, struct mcp_call *call)
{
	if (mcp_call_is_last_watch(m, call)) {
		mcp_call_stop_waiting(m, call, false);
	} else {
		mcp_call_drop(m, call);
	}
}

/* A call that waits holds the place of one that does not. */
static void mcp_call_make_room(struct mcp *m)
{
	struct mcp_call *call = m->calls;
	while (call != NULL && (m->calls_n < MCP_CALLS_MAX || !call->is_waiting)) {
		call = call->next;
	}
	if (call != NULL) {
		mcp_call_stop_waiting(m, call, false);
	}
}

static void mcp_call_take_watch(struct mcp *m, struct mcp_call *call,
				const struct question_view *view)
{
	if (mcp_call_has_news(m, view)) {
		mcp_call_stop_waiting(m, call, !question_is_open(view));
		return;
	}
	call->is_waiting = true;
	mcp_call_make_room(m);
	if (call->is_waiting) {
		mcp_call_take_time(m, call, 0);
	}
}

void mcp_call_take_update(struct mcp *m, const struct question_update *u)
{
	for (struct mcp_call *call = m->calls; call != NULL; call = call->next) {
		if (!call->is_waiting) {
			continue;
		}
		if (!u->with_question) { /* some were missed: it is looked at again */
			call->is_waiting = false;
			call->is_sent = false;
			call->until_ms = 0;
		} else if (slice_eq(mcp_call_question_id(call), u->question.question_id) &&
			   mcp_call_has_news(m, &u->question)) {
			mcp_call_stop_waiting(m, call, !question_is_open(&u->question));
		}
	}
}

int64_t mcp_call_next_time_ms(const struct mcp_call *call)
{
	int64_t progress_ms = call->progress_n * MCP_PROGRESS_MS;
	return call->progress.len > 0 && progress_ms < call->wait_ms ? progress_ms : call->wait_ms;
}

void mcp_call_take_time(struct mcp *m, struct mcp_call *call, int64_t waited_ms)
{
	if (waited_ms >= call->wait_ms) {
		mcp_call_stop_waiting(m, call, false);
	} else if (call->progress.len > 0 && waited_ms >= mcp_call_next_time_ms(call)) {
		call->progress_n = waited_ms / MCP_PROGRESS_MS + 1;
		(void)buf_append_slice(&m->out,
				       SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
					     "progress\",\"params\":{\"progressToken\":"));
		(void)buf_append_slice(&m->out, call->progress);
		(void)buf_printf(&m->out, ",\"progress\":%lld,\"total\":%lld}}\n",
				 (long long)(waited_ms / 1000), (long long)(call->wait_ms / 1000));
		(void)memory_check(m->out.error);
	}
}

static void mcp_call_take_asked(struct mcp *m, struct mcp_call *call,
				const struct question_ask_result *asked)
{
	call->asked = memory_have(record_own(&record_question_ask_result, asked));
	if (!call->is_cancelled) {
		mcp_call_go_on(call, METHOD_QUESTION_GET, call->asked->question_id,
			       (struct slice){0});
	} else if (!call->has_given_key) {
		mcp_call_go_on(call, METHOD_QUESTION_CANCEL, call->asked->question_id,
			       (struct slice){0});
	} else {
		mcp_call_drop(m, call);
	}
}

static void mcp_call_take_page(struct mcp *m, struct mcp_call *call,
			       const struct question_get_result *page, int64_t now_ms)
{
	struct question_whole *whole = &call->whole;
	bool was_asked = call->asked != NULL; /* its answers are for a check */
	question_whole_add(whole, page);
	if (was_asked || whole->cursor.len == 0 || whole->pages_n == MCP_PAGES_MAX) {
		mcp_call_end_checked(m, call, was_asked ? (struct slice){0} : whole->cursor,
				     now_ms);
	} else {
		mcp_call_go_on(call, METHOD_QUESTION_GET, whole->view.question_id, whole->cursor);
	}
}

void mcp_call_take_answer(struct mcp *m, struct mcp_call *call, const void *result, int64_t now_ms)
{
	enum method method = call->request->method;
	if (call->is_cancelled && method == METHOD_QUESTION_WATCH) {
		mcp_call_abandon_watch(m, call);
	} else if (call->is_cancelled && method != METHOD_QUESTION_ASK) {
		mcp_call_drop(m, call);
	} else if (method == METHOD_QUESTION_UNWATCH) {
		mcp_call_go_on(call, METHOD_QUESTION_GET, mcp_call_question_id(call),
			       (struct slice){0});
	} else if (method == METHOD_QUESTION_ASK) {
		mcp_call_take_asked(m, call, result);
	} else if (method == METHOD_QUESTION_WATCH) {
		const struct question_watch_result *watch = result;
		mcp_call_take_watch(m, call, &watch->question);
	} else {
		mcp_call_take_page(m, call, result, now_ms);
	}
}

void mcp_call_take_refusal(struct mcp *m, struct mcp_call *call, const struct fault *f)
{
	if (call->asked != NULL) {
		mcp_call_end_asked(m, call);
	} else if (call->request->method == METHOD_QUESTION_UNWATCH && !call->is_cancelled) {
		mcp_call_go_on(call, METHOD_QUESTION_GET, mcp_call_question_id(call),
			       (struct slice){0});
	} else {
		mcp_call_end_refused(m, call, f);
	}
}

void mcp_call_take_outage(struct mcp *m, struct mcp_call *call, const char *why)
{
	if (call->asked != NULL) {
		mcp_call_end_asked(m, call);
		return;
	}
	struct buf text = mcp_call_text();
	struct slice key = {0};
	if (call->request->method == METHOD_QUESTION_ASK) {
		const struct question_ask_params *p = call->request->params;
		key = p->idempotency_key;
	}
	mcp_tell_outage(call->tool, why, key, call->was_sent, &text);
	mcp_call_end(m, call, &text, true, NULL);
}

/* ---- beginning and cancelling ---- */

void mcp_call_begin(struct mcp *m, const struct mcp_tool *tool, struct slice id, json_t *arguments,
		    struct slice progress)
{
	if (m->calls_n == MCP_CALLS_MAX) {
		struct buf text = mcp_call_text();
		(void)buf_printf(&text, "%d calls are already in progress. Try again later.",
				 MCP_CALLS_MAX);
		mcp_call_send_result(m, id, &text, true, NULL);
		return;
	}
	struct mcp_call *call = memory_new(1, sizeof(*call));
	int64_t wait_seconds = 0;
	struct mcp_call **at = &m->calls;
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = call;
	m->calls_n++;
	call->tool = tool;
	call->id = memory_copy(&call->arena, id);
	call->request = mcp_tool_request(tool, arguments, &wait_seconds);
	call->has_given_key = request_has(call->request, "idempotency_key");
	if (call->request->fault.code != FAULT_NONE) {
		mcp_call_end_refused(m, call, &call->request->fault);
		return;
	}
	if (wait_seconds > 0 && !request_has(call->request, "cursor")) {
		call->wait_ms = wait_seconds * 1000;
		call->progress = memory_copy(&call->arena, progress);
		mcp_call_go_on(call, METHOD_QUESTION_WATCH, mcp_call_question_id(call),
			       (struct slice){0});
	}
	mcp_call_make_room(m);
}

/* What was not sent is not done at all. */
void mcp_call_cancel(struct mcp *m, struct mcp_call *call)
{
	call->is_cancelled = true;
	if (!call->was_sent) {
		mcp_call_drop(m, call);
	} else if (call->is_waiting) {
		mcp_call_abandon_watch(m, call);
	}
}
