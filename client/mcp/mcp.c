/*
 * mcp.c - JSON-RPC, the few methods, and the life of a call; see mcp.h.
 */
#include "client/mcp/mcp.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "client/mcp/json_text.h"
#include "client/mcp/mcp_tell.h"
#include "client/model/memory.h"
#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/json.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"

/* Of JSON-RPC. */
enum mcp_error {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_METHOD_NOT_FOUND = -32601,
	MCP_INVALID_PARAMS = -32602,
};

/* A client that asks for another is offered the newest, the last one. */
static const char *const mcp_versions[] = {"2025-06-18", "2025-11-25"};
#define MCP_VERSIONS (sizeof(mcp_versions) / sizeof(mcp_versions[0]))

#define MCP_INSTRUCTIONS                                                                           \
	"Asks people and reads what they answered. ask_human returns a question_id at once, "      \
	"people take minutes to hours, and check_human_responses shows what has come, at once or " \
	"after a short wait. Until enough have answered nothing is decided: no answer is not a "   \
	"no."

struct mcp_message {
	struct slice id; /* as it came; empty: a notification */
	const char *method;
	json_t *params; /* NULL: none */
	struct slice params_text;
};

/* ---- out ---- */

/* Takes the value. */
static void mcp_send(struct mcp *m, struct slice id, const char *kind, json_t *value)
{
	char *text = memory_have(json_dumps(memory_have(value), JSON_COMPACT));
	(void)buf_append_slice(&m->out, SLICE("{\"jsonrpc\":\"2.0\",\"id\":"));
	(void)buf_append_slice(&m->out, id);
	(void)buf_printf(&m->out, ",\"%s\":", kind);
	(void)buf_append_slice(&m->out, slice_str(text));
	(void)buf_append_slice(&m->out, SLICE("}\n"));
	(void)memory_check(m->out.error);
	free(text);
	json_decref(value);
}

static void mcp_send_result(struct mcp *m, const struct mcp_message *msg, json_t *result)
{
	mcp_send(m, msg->id, "result", result);
}

/* @id  empty: of a message that had none, or of which that is not known. */
static void mcp_send_error(struct mcp *m, struct slice id, enum mcp_error code, const char *text)
{
	mcp_send(m, id.len == 0 ? SLICE("null") : id, "error",
		 json_pack("{s:i, s:s}", "code", (int)code, "message", text));
}

static void mcp_refuse(struct mcp *m, const struct mcp_message *msg, enum mcp_error code,
		       const char *text)
{
	if (msg->id.len > 0) { /* a notification has no answer, whatever is wrong with it */
		mcp_send_error(m, msg->id, code, text);
	}
}

/* ---- calls ---- */

static void mcp_free_call(struct mcp *m, struct mcp_call *call)
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
static void mcp_send_tool_result(struct mcp *m, struct slice id, struct buf *text, bool is_error,
				 json_t *structured)
{
	(void)memory_check(text->error);
	json_t *result = memory_have(json_pack("{s:[{s:s, s:s%}], s:b}", "content", "type", "text",
					       "text", text->data, text->len, "isError", is_error));
	if (structured != NULL) {
		(void)json_object_set_new(result, "structuredContent", structured);
	}
	mcp_send(m, id, "result", result);
	buf_finish(text);
}

/* Answer a call, unless nobody wants that any more, and forget it. */
static void mcp_end_call(struct mcp *m, struct mcp_call *call, struct buf *text, bool is_error,
			 json_t *structured)
{
	if (!call->is_cancelled) {
		mcp_send_tool_result(m, call->id, text, is_error, structured);
	} else {
		buf_finish(text);
		json_decref(structured);
	}
	mcp_free_call(m, call);
}

static struct buf mcp_text(void)
{
	struct buf text;
	buf_init(&text, MCP_OUT_BYTES_MAX);
	return text;
}

static void mcp_end_refused(struct mcp *m, struct mcp_call *call, const struct fault *f)
{
	struct buf text = mcp_text();
	mcp_tell_refusal(call->tool, f, &text);
	mcp_end_call(m, call, &text, true, NULL);
}

/* ---- what was shown ---- */

static struct mcp_shown *mcp_find_shown(struct mcp *m, struct slice question_id)
{
	for (size_t i = 0; i < m->shown_n && i < MCP_SHOWN_MAX; i++) {
		if (slice_eq(slice_str(m->shown[i].question_id), question_id)) {
			return &m->shown[i];
		}
	}
	return NULL;
}

static void mcp_note_shown(struct mcp *m, const struct question_view *view)
{
	struct mcp_shown *shown = mcp_find_shown(m, view->question_id);
	if (shown == NULL) {
		shown = &m->shown[m->shown_n++ % MCP_SHOWN_MAX];
		(void)format_to(shown->question_id, sizeof(shown->question_id), "%.*s",
				(int)view->question_id.len, view->question_id.data);
	}
	shown->n = view->current_responses;
}

/* Whether a check has something to say that none has said. */
static bool mcp_has_news(struct mcp *m, const struct question_view *view)
{
	const struct mcp_shown *shown = mcp_find_shown(m, view->question_id);
	return mcp_has_ended(view) || view->current_responses != (shown == NULL ? 0 : shown->n);
}

/* A record as JSON. */
static json_t *mcp_json(const struct record *rec, const void *in)
{
	struct buf bytes = mcp_text();
	struct buf text = mcp_text();
	record_write(rec, in, &bytes);
	enum err e = memory_check(json_from_bytes(buf_slice(&bytes), &text));
	ASSERT_CMP(e, ==, OK);
	json_t *value = memory_have(json_loadb(text.data, text.len, 0, NULL));
	buf_finish(&bytes);
	buf_finish(&text);
	return value;
}

static void mcp_end_checked(struct mcp *m, struct mcp_call *call, struct slice cursor,
			    int64_t now_ms)
{
	struct buf text = mcp_text();
	json_t *structured = mcp_json(&record_question_view, &call->whole.view);
	if (call->asked == NULL && !call->is_cancelled) {
		mcp_note_shown(m, &call->whole.view);
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
	mcp_end_call(m, call, &text, false, structured);
}

/* The question is asked, and how it stands could not be read. */
static void mcp_end_asked(struct mcp *m, struct mcp_call *call)
{
	struct buf text = mcp_text();
	mcp_tell_asked(call->asked, NULL, 0, &text);
	mcp_end_call(m, call, &text, false, mcp_json(&record_question_ask_result, call->asked));
}

/* The call goes on with another request. */
static void mcp_go_on(struct mcp_call *call, enum method method, struct slice question_id,
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
static struct slice mcp_question_id(const struct mcp_call *call)
{
	if (call->request->method == METHOD_QUESTION_GET) {
		const struct question_get_params *p = call->request->params;
		return p->question_id;
	}
	const struct question_params *p = call->request->params;
	return p->question_id;
}

/* Nobody else watches it: a question is watched once on a connection, whoever wants to know. */
static bool mcp_is_last_watch(const struct mcp *m, const struct mcp_call *call)
{
	const struct mcp_call *other = m->calls;
	while (other != NULL && (other == call || other->request->method != METHOD_QUESTION_WATCH ||
				 !slice_eq(mcp_question_id(other), mcp_question_id(call)))) {
		other = other->next;
	}
	return other == NULL;
}

/* Go on to what there is. @has_ended  the server has ended the watch with the question. */
static void mcp_stop_waiting(struct mcp *m, struct mcp_call *call, bool has_ended)
{
	bool must_leave = !has_ended && mcp_is_last_watch(m, call);
	call->is_waiting = false;
	call->until_ms = 0;
	mcp_go_on(call, must_leave ? METHOD_QUESTION_UNWATCH : METHOD_QUESTION_GET,
		  mcp_question_id(call), (struct slice){0});
}

/* Nobody waits any more: forget the call, and what it watches. */
static void mcp_abandon_watch(struct mcp *m, struct mcp_call *call)
{
	if (mcp_is_last_watch(m, call)) {
		mcp_stop_waiting(m, call, false);
	} else {
		mcp_free_call(m, call);
	}
}

/* A call that waits holds the place of one that does not. */
static void mcp_make_room(struct mcp *m)
{
	struct mcp_call *call = m->calls;
	while (call != NULL && (m->calls_n < MCP_CALLS_MAX || !call->is_waiting)) {
		call = call->next;
	}
	if (call != NULL) {
		mcp_stop_waiting(m, call, false);
	}
}

static void mcp_take_watch(struct mcp *m, struct mcp_call *call, const struct question_view *view)
{
	if (mcp_has_news(m, view)) {
		mcp_stop_waiting(m, call, mcp_has_ended(view));
		return;
	}
	call->is_waiting = true;
	mcp_make_room(m);
	if (call->is_waiting) {
		mcp_take_time(m, call, 0);
	}
}

void mcp_take_update(struct mcp *m, const struct question_update *u)
{
	for (struct mcp_call *call = m->calls; call != NULL; call = call->next) {
		if (!call->is_waiting) {
			continue;
		}
		if (!u->with_question) { /* some were missed: it is looked at again */
			call->is_waiting = false;
			call->is_sent = false;
			call->until_ms = 0;
		} else if (slice_eq(mcp_question_id(call), u->question.question_id) &&
			   mcp_has_news(m, &u->question)) {
			mcp_stop_waiting(m, call, mcp_has_ended(&u->question));
		}
	}
}

int64_t mcp_next_time_ms(const struct mcp_call *call)
{
	int64_t progress_ms = call->progress_n * MCP_PROGRESS_MS;
	return call->progress.len > 0 && progress_ms < call->wait_ms ? progress_ms : call->wait_ms;
}

void mcp_take_time(struct mcp *m, struct mcp_call *call, int64_t waited_ms)
{
	if (waited_ms >= call->wait_ms) {
		mcp_stop_waiting(m, call, false);
	} else if (call->progress.len > 0 && waited_ms >= mcp_next_time_ms(call)) {
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

static void mcp_take_asked(struct mcp *m, struct mcp_call *call,
			   const struct question_ask_result *asked)
{
	call->asked = memory_have(record_own(&record_question_ask_result, asked));
	if (!call->is_cancelled) {
		mcp_go_on(call, METHOD_QUESTION_GET, call->asked->question_id, (struct slice){0});
	} else if (!call->has_given_key) {
		mcp_go_on(call, METHOD_QUESTION_CANCEL, call->asked->question_id,
			  (struct slice){0});
	} else {
		mcp_free_call(m, call);
	}
}

static void mcp_take_page(struct mcp *m, struct mcp_call *call,
			  const struct question_get_result *page, int64_t now_ms)
{
	struct question_whole *whole = &call->whole;
	bool was_asked = call->asked != NULL; /* its answers are for a check */
	question_whole_add(whole, page);
	if (was_asked || whole->cursor.len == 0 || whole->pages_n == MCP_PAGES_MAX) {
		mcp_end_checked(m, call, was_asked ? (struct slice){0} : whole->cursor, now_ms);
	} else {
		mcp_go_on(call, METHOD_QUESTION_GET, whole->view.question_id, whole->cursor);
	}
}

void mcp_take_answer(struct mcp *m, struct mcp_call *call, const void *result, int64_t now_ms)
{
	enum method method = call->request->method;
	if (call->is_cancelled && method == METHOD_QUESTION_WATCH) {
		mcp_abandon_watch(m, call);
	} else if (call->is_cancelled && method != METHOD_QUESTION_ASK) {
		mcp_free_call(m, call);
	} else if (method == METHOD_QUESTION_UNWATCH) {
		mcp_go_on(call, METHOD_QUESTION_GET, mcp_question_id(call), (struct slice){0});
	} else if (method == METHOD_QUESTION_ASK) {
		mcp_take_asked(m, call, result);
	} else if (method == METHOD_QUESTION_WATCH) {
		const struct question_watch_result *watch = result;
		mcp_take_watch(m, call, &watch->question);
	} else {
		mcp_take_page(m, call, result, now_ms);
	}
}

void mcp_take_refusal(struct mcp *m, struct mcp_call *call, const struct fault *f)
{
	if (call->asked != NULL) {
		mcp_end_asked(m, call);
	} else if (call->request->method == METHOD_QUESTION_UNWATCH && !call->is_cancelled) {
		mcp_go_on(call, METHOD_QUESTION_GET, mcp_question_id(call), (struct slice){0});
	} else {
		mcp_end_refused(m, call, f);
	}
}

void mcp_take_outage(struct mcp *m, struct mcp_call *call, const char *why)
{
	if (call->asked != NULL) {
		mcp_end_asked(m, call);
		return;
	}
	struct buf text = mcp_text();
	struct slice key = {0};
	if (call->request->method == METHOD_QUESTION_ASK) {
		const struct question_ask_params *p = call->request->params;
		key = p->idempotency_key;
	}
	mcp_tell_outage(call->tool, why, key, call->was_sent, &text);
	mcp_end_call(m, call, &text, true, NULL);
}

/* ---- the methods ---- */

static void mcp_take_client(struct mcp *m, const json_t *info)
{
	const char *name = json_string_value(json_object_get(info, "name"));
	size_t len = 0;
	int32_t bad = 0;
	bool is_name = name != NULL && text_clean(slice_str(name), m->client_name, MAX_NAME_BYTES,
						  &len, &bad) == OK;
	m->client_name[is_name ? len : 0] = '\0';
}

static void mcp_on_initialize(struct mcp *m, const struct mcp_message *msg)
{
	const char *asked = json_string_value(json_object_get(msg->params, "protocolVersion"));
	if (m->version != NULL) {
		mcp_refuse(m, msg, MCP_INVALID_REQUEST, "initialize comes once");
		return;
	}
	if (asked == NULL) {
		mcp_refuse(m, msg, MCP_INVALID_PARAMS, "protocolVersion is missing");
		return;
	}
	m->version = mcp_versions[MCP_VERSIONS - 1];
	for (size_t i = 0; i < MCP_VERSIONS; i++) {
		m->version = strcmp(asked, mcp_versions[i]) == 0 ? mcp_versions[i] : m->version;
	}
	mcp_take_client(m, json_object_get(msg->params, "clientInfo"));
	mcp_send_result(m, msg,
			json_pack("{s:s, s:{s:{}}, s:{s:s, s:s, s:s}, s:s}", "protocolVersion",
				  m->version, "capabilities", "tools", "serverInfo", "name", "aye",
				  "title", "aye: ask humans", "version", AYE_VERSION,
				  "instructions", MCP_INSTRUCTIONS));
}

static void mcp_on_ping(struct mcp *m, const struct mcp_message *msg)
{
	mcp_send_result(m, msg, json_object());
}

static void mcp_on_list(struct mcp *m, const struct mcp_message *msg)
{
	json_t *all = json_array();
	const json_t *cursor = json_object_get(msg->params, "cursor");
	if (cursor != NULL && !json_is_null(cursor)) {
		json_decref(all);
		mcp_refuse(m, msg, MCP_INVALID_PARAMS,
			   "all tools are on the first page: no cursor");
		return;
	}
	for (const struct mcp_tool *t = mcp_tools; t->name != NULL; t++) {
		(void)json_array_append_new(all, mcp_tool_describe(t));
	}
	mcp_send_result(m, msg, json_pack("{s:o}", "tools", all));
}

/* Whether both are the same id; numbers are where they are written alike. */
static bool mcp_is_same_id(struct slice a, struct slice b)
{
	if (slice_eq(a, b) || a.data[0] != '"' || b.data[0] != '"') {
		return slice_eq(a, b);
	}
	json_t *x = json_loadb(a.data, a.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	json_t *y = json_loadb(b.data, b.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	bool is_same = json_equal(x, y) != 0;
	json_decref(x);
	json_decref(y);
	return is_same;
}

static struct mcp_call *mcp_find_call(struct mcp *m, struct slice id)
{
	struct mcp_call *call = m->calls;
	while (call != NULL && (call->is_cancelled || !mcp_is_same_id(call->id, id))) {
		call = call->next;
	}
	return call;
}

/* Empty: nobody wants to be told. */
static struct slice mcp_progress_token(const struct mcp_message *msg)
{
	const json_t *meta = json_object_get(msg->params, "_meta");
	const json_t *token = json_object_get(meta, "progressToken");
	struct slice text =
		json_text_member(json_text_member(msg->params_text, "_meta"), "progressToken");
	bool is_token =
		(json_is_string(token) || json_is_number(token)) && text.len <= MCP_ID_BYTES_MAX;
	return is_token ? text : (struct slice){0};
}

static void mcp_on_call(struct mcp *m, const struct mcp_message *msg)
{
	json_t *name = json_object_get(msg->params, "name");
	json_t *arguments = json_object_get(msg->params, "arguments");
	const struct mcp_tool *tool =
		mcp_tool_find(slice_of(json_string_value(name), json_string_length(name)));
	if (tool == NULL) {
		mcp_refuse(m, msg, MCP_INVALID_PARAMS, "no tool has that name");
		return;
	}
	if (arguments != NULL && !json_is_object(arguments)) {
		mcp_refuse(m, msg, MCP_INVALID_PARAMS, "arguments must be an object");
		return;
	}
	if (m->calls_n == MCP_CALLS_MAX) {
		struct buf text = mcp_text();
		(void)buf_printf(&text, "%d calls are already in progress. Try again later.",
				 MCP_CALLS_MAX);
		mcp_send_tool_result(m, msg->id, &text, true, NULL);
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
	call->id = memory_copy(&call->arena, msg->id);
	call->request = mcp_tool_request(tool, arguments, &wait_seconds);
	call->has_given_key = request_has(call->request, "idempotency_key");
	if (call->request->fault.code != FAULT_NONE) {
		mcp_end_refused(m, call, &call->request->fault);
		return;
	}
	if (wait_seconds > 0 && !request_has(call->request, "cursor")) {
		call->wait_ms = wait_seconds * 1000;
		call->progress = memory_copy(&call->arena, mcp_progress_token(msg));
		mcp_go_on(call, METHOD_QUESTION_WATCH, mcp_question_id(call), (struct slice){0});
	}
	mcp_make_room(m);
}

/* What was not sent is not done at all. */
static void mcp_on_cancelled(struct mcp *m, const struct mcp_message *msg)
{
	struct slice id = json_text_member(msg->params_text, "requestId");
	struct mcp_call *call = id.len == 0 ? NULL : mcp_find_call(m, id);
	if (call == NULL) {
		return; /* it was answered before, or never came */
	}
	call->is_cancelled = true;
	if (!call->was_sent) {
		mcp_free_call(m, call);
	} else if (call->is_waiting) {
		mcp_abandon_watch(m, call);
	}
}

static void mcp_on_initialized(struct mcp *m, const struct mcp_message *msg)
{
	(void)m, (void)msg; /* nothing of ours waits for it */
}

static const struct mcp_method {
	const char *name;
	bool is_notification;
	bool comes_first; /* also before initialize */
	void (*run)(struct mcp *m, const struct mcp_message *msg);
} mcp_methods[] = {
	{"initialize", false, true, mcp_on_initialize},
	{"ping", false, true, mcp_on_ping},
	{"tools/list", false, false, mcp_on_list},
	{"tools/call", false, false, mcp_on_call},
	{"notifications/initialized", true, true, mcp_on_initialized},
	{"notifications/cancelled", true, true, mcp_on_cancelled},
};

static void mcp_dispatch(struct mcp *m, const struct mcp_message *msg)
{
	const struct mcp_method *method = NULL;
	for (size_t i = 0; i < sizeof(mcp_methods) / sizeof(mcp_methods[0]); i++) {
		if (strcmp(msg->method, mcp_methods[i].name) == 0) {
			method = &mcp_methods[i];
		}
	}
	if (method == NULL || method->is_notification != (msg->id.len == 0)) {
		mcp_refuse(m, msg, MCP_METHOD_NOT_FOUND, "no request has that name");
	} else if (m->version == NULL && !method->comes_first) {
		mcp_refuse(m, msg, MCP_INVALID_REQUEST, "initialize must come first");
	} else if (msg->params != NULL && !json_is_object(msg->params)) {
		mcp_refuse(m, msg, MCP_INVALID_PARAMS, "params must be an object");
	} else if (msg->id.len > 0 && mcp_find_call(m, msg->id) != NULL) {
		mcp_refuse(m, msg, MCP_INVALID_REQUEST, "a request with that id is in progress");
	} else {
		method->run(m, msg);
	}
}

/* ---- messages ---- */

/* @text  of which value was read. */
static void mcp_take_message(struct mcp *m, const json_t *value, struct slice text)
{
	const json_t *id = json_object_get(value, "id");
	const json_t *method = json_object_get(value, "method");
	const char *jsonrpc = json_string_value(json_object_get(value, "jsonrpc"));
	struct mcp_message msg = {
		.params = json_object_get(value, "params"),
		.params_text = json_text_member(text, "params"),
	};
	bool is_id = json_is_string(id) || json_is_number(id);
	if (is_id) {
		msg.id = json_text_member(text, "id");
		is_id = msg.id.len > 0 && msg.id.len <= MCP_ID_BYTES_MAX;
		msg.id.len = is_id ? msg.id.len : 0;
	}
	bool is_answer = method == NULL && (json_object_get(value, "result") != NULL ||
					    json_object_get(value, "error") != NULL);
	if (is_answer) {
		return; /* to a request, and we make none */
	}
	/* Names of methods have no NUL: what is behind one must not be lost. */
	msg.method = json_string_value(method);
	bool is_method = msg.method != NULL && strlen(msg.method) == json_string_length(method);
	if (jsonrpc == NULL || strcmp(jsonrpc, "2.0") != 0 || !is_method ||
	    (id != NULL && !is_id)) {
		mcp_send_error(m, msg.id, MCP_INVALID_REQUEST,
			       "not a JSON-RPC 2.0 request, or an id that is neither text nor a "
			       "number");
		return;
	}
	mcp_dispatch(m, &msg);
}

static bool mcp_is_blank(struct slice line)
{
	size_t at = 0;
	while (at < line.len && strchr(" \t\r", line.data[at]) != NULL && line.data[at] != '\0') {
		at++;
	}
	return at == line.len;
}

/* Numbers beyond 64 bits are read as well: an id is sent back as text. */
void mcp_take_line(struct mcp *m, struct slice line)
{
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
	json_t *value = NULL;
	if (mcp_is_blank(line)) {
		return;
	}
	if (utf8_is_valid(line) && json_text_is_flat(line, MCP_DEPTH_MAX)) {
		value = json_loadb(line.data, line.len, flags | JSON_DECODE_ANY, NULL);
	}
	if (value == NULL) {
		mcp_send_error(
			m, (struct slice){0}, MCP_PARSE_ERROR,
			"not a line of JSON, or with repeated members, or nested too deeply");
	} else if (json_is_array(value)) {
		mcp_send_error(m, (struct slice){0}, MCP_INVALID_REQUEST,
			       "batches are not supported");
	} else {
		mcp_take_message(m, value, line);
	}
	json_decref(value);
}

void mcp_take_long_line(struct mcp *m)
{
	mcp_send_error(m, (struct slice){0}, MCP_INVALID_REQUEST, "the message is too long");
}

/* ---- life ---- */

void mcp_init(struct mcp *m)
{
	*m = (struct mcp){.version = NULL};
	buf_init(&m->out, MCP_OUT_BYTES_MAX);
}

void mcp_finish(struct mcp *m)
{
	while (m->calls != NULL) {
		struct mcp_call *call = m->calls;
		call->is_cancelled = true;
		mcp_free_call(m, call);
	}
	buf_finish(&m->out);
}
