/*
 * mcp.c - JSON-RPC and the few methods; see mcp.h.
 */
#include "client/mcp/mcp.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "client/mcp/json_text.h"
#include "client/mcp/mcp_call.h"
#include "client/model/memory.h"
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

void mcp_send_result(struct mcp *m, struct slice id, json_t *result)
{
	mcp_send(m, id, "result", result);
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
	mcp_send_result(m, msg->id,
			json_pack("{s:s, s:{s:{}}, s:{s:s, s:s, s:s}, s:s}", "protocolVersion",
				  m->version, "capabilities", "tools", "serverInfo", "name", "aye",
				  "title", "aye: ask humans", "version", AYE_VERSION,
				  "instructions", MCP_INSTRUCTIONS));
}

static void mcp_on_ping(struct mcp *m, const struct mcp_message *msg)
{
	mcp_send_result(m, msg->id, json_object());
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
	mcp_send_result(m, msg->id, json_pack("{s:o}", "tools", all));
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
	mcp_call_begin(m, tool, msg->id, arguments, mcp_progress_token(msg));
}

static void mcp_on_cancelled(struct mcp *m, const struct mcp_message *msg)
{
	struct slice id = json_text_member(msg->params_text, "requestId");
	struct mcp_call *call = id.len == 0 ? NULL : mcp_find_call(m, id);
	if (call != NULL) { /* else it was answered before, or never came */
		mcp_call_cancel(m, call);
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
		mcp_call_drop(m, m->calls);
	}
	buf_finish(&m->out);
}
