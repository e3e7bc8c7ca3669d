/*
 * rig_peer.c - connections of the rig: what they send and receive.
 */
#include "tests/support/rig.h"

#include <stdio.h>

#include <jansson.h>
#include <msgpack.h>
#include <utlist.h>

#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/rpc.h"
#include "tests/support/heap.h"

#define RIG_MESSAGE_BYTES_MAX ((size_t)64 << 20)
#define RIG_RUNS_MAX	      8

struct rig_alias {
	char *text;
	char *alias;
	struct rig_alias *next;
};

/* ---- text ---- */

void rig_alias(struct rig *r, const char *text, const char *alias)
{
	for (size_t first = 0; text == NULL && first < RIG_ALIAS_LISTS; first++) {
		while (r->aliases[first] != NULL) {
			struct rig_alias *a = r->aliases[first];
			LL_DELETE(r->aliases[first], a);
			free(a->text);
			free(a->alias);
			free(a);
		}
	}
	if (text != NULL) {
		struct rig_alias *a = calloc(1, sizeof(*a));
		assert_non_null(a);
		a->text = strdup(text);
		a->alias = strdup(alias);
		LL_PREPEND(r->aliases[(unsigned char)text[0]], a);
	}
}

static const struct rig_alias *rig_alias_at(const struct rig *r, const char *text)
{
	const struct rig_alias *a;
	LL_FOREACH (r->aliases[(unsigned char)text[0]], a) {
		if (strncmp(text, a->text, strlen(a->text)) == 0) {
			return a;
		}
	}
	return NULL;
}

char *rig_render(const struct rig *r, const char *text)
{
	struct buf b = {.max = SIZE_MAX / 2};
	while (*text != '\0') {
		const struct rig_alias *a = rig_alias_at(r, text);
		if (a != NULL) {
			buf_append(&b, a->alias, strlen(a->alias));
			text += strlen(a->text);
		} else {
			buf_append(&b, *text == '"' ? "'" : text, 1);
			text++;
		}
	}
	assert_int_equal(buf_append(&b, "", 1), OK);
	return buf_take(&b);
}

static char *rig_dump(const json_t *value)
{
	char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	assert_non_null(json);
	return json;
}

static char *rig_render_json(const struct rig *r, const json_t *value)
{
	char *json = rig_dump(value);
	char *text = rig_render(r, json);
	free(json);
	return text;
}

static const char *rig_keep(struct rig_peer *p, char *line)
{
	free(p->line);
	p->line = line;
	return line;
}

/* ---- connections ---- */

struct rig_peer *rig_peer_of(struct rig *r, struct conn_id id)
{
	return id.slot < r->peers_n && r->peers[id.slot]->id.generation == id.generation
		       ? r->peers[id.slot]
		       : NULL;
}

static struct rig_peer *rig_peer_new(struct rig *r, const char *name)
{
	struct rig_peer *p = calloc(1, sizeof(*p));
	assert_non_null(p);
	if (r->peers_n == r->peers_capacity) {
		r->peers_capacity = r->peers_capacity * 2 + 16;
		r->peers = realloc(r->peers, r->peers_capacity * sizeof(*r->peers));
		assert_non_null(r->peers);
	}
	p->rig = r;
	p->id = (struct conn_id){(uint32_t)r->peers_n, 1};
	p->is_open = true;
	p->window = RIG_UNBOUNDED;
	p->in.max = SIZE_MAX / 2;
	(void)snprintf(p->name, sizeof(p->name), "%s", name);
	strcpy(p->room_id, r->room_id);
	r->peers[r->peers_n++] = p;
	return p;
}

struct rig_peer *rig_open_as(struct rig *r, const char *name, const struct peer *peer)
{
	struct rig_peer *p = rig_peer_new(r, name);
	rig_step(r, &(struct event){.kind = EVENT_OPEN, .conn = p->id, .peer = *peer});
	rig_settle(r);
	return p;
}

struct rig_peer *rig_connect_as(struct rig *r, const char *name, enum peer_kind kind,
				unsigned char host, bool is_owner)
{
	struct peer peer = {.kind = kind, .is_owner = is_owner};
	if (kind != PEER_UNIX) {
		memcpy(peer.address, "\0\0\0\0\0\0\0\0\0\0\377\377\012\0\0", 15);
		peer.address[15] = host;
	} else {
		peer.uid = 1000u + host;
	}
	return rig_open_as(r, name, &peer);
}

struct rig_peer *rig_connect(struct rig *r, const char *name)
{
	uint32_t uid = 0;
	for (const char *c = name; *c != '\0'; c++) {
		uid = uid * 31 + (unsigned char)*c;
	}
	return rig_open_as(r, name,
			   &(struct peer){.kind = PEER_UNIX, .uid = 2000u + uid % 1000000});
}

void rig_hello(struct rig_peer *p)
{
	(void)rig_must(p, "session.hello", "'protocol':1,'client':'rig'");
}

struct rig_peer *rig_guest(struct rig *r, const char *name)
{
	struct rig_peer *p = rig_connect(r, name);
	rig_hello(p);
	return p;
}

void rig_cut(struct rig_peer *p)
{
	assert_true(p->is_open);
	p->is_open = false;
	rig_step(p->rig, &(struct event){.kind = EVENT_CLOSED, .conn = p->id});
	rig_settle(p->rig);
}

void rig_eof(struct rig_peer *p)
{
	rig_step(p->rig, &(struct event){.kind = EVENT_EOF, .conn = p->id});
	rig_settle(p->rig);
}

void rig_broken(struct rig_peer *p, const char *reason)
{
	rig_step(p->rig,
		 &(struct event){.kind = EVENT_BROKEN, .conn = p->id, .bytes = slice_str(reason)});
	rig_settle(p->rig);
}

void rig_peer_free(struct rig_peer *p)
{
	rig_forget(p);
	rig_copies_free(p);
	buf_finish(&p->in);
	free(p->line);
	free(p);
}

/* ---- its socket ---- */

/* One write, as much of it as the socket takes. */
void rig_deliver(struct rig_peer *p)
{
	struct slice runs[RIG_RUNS_MAX];
	size_t total = 0;
	size_t sent = 0;
	rig_enter(p->rig);
	size_t n = server_gather(p->rig->server, p->id, runs, RIG_RUNS_MAX);
	rig_leave();
	for (size_t i = 0; i < n; i++) {
		size_t len = runs[i].len < p->window ? runs[i].len : p->window;
		assert_true(runs[i].len > 0);
		assert_int_equal(buf_append(&p->in, runs[i].data, len), OK);
		p->window -= p->window == RIG_UNBOUNDED ? 0 : len;
		sent += len;
		total += runs[i].len;
	}
	if (total > 0) {
		p->writes++;
		assert_int_equal(buf_append(&p->rig->order, &p->id.slot, sizeof(p->id.slot)), OK);
	}
	p->is_blocked = sent < total;
	rig_enter(p->rig);
	server_wrote(p->rig->server, p->id, sent, p->is_blocked, p->rig->mono_ms);
	rig_leave();
}

void rig_window(struct rig_peer *p, size_t window)
{
	p->window = window;
	if (p->is_blocked && window > 0) {
		p->is_blocked = false;
		server_writable(p->rig->server, p->id);
	}
	rig_settle(p->rig);
}

void rig_bytes(struct rig_peer *p, struct slice bytes)
{
	rig_step(p->rig, &(struct event){.kind = EVENT_BYTES, .conn = p->id, .bytes = bytes});
	rig_settle(p->rig);
}

/* ---- saying ---- */

__attribute__((format(printf, 3, 0))) static void rig_params(const struct rig_peer *p,
							     const char *method, const char *params,
							     va_list args, struct buf *json)
{
	char text[32768]; /* an answer of 5,000 characters is 20 KB */
	int len = vsnprintf(text, sizeof(text), params, args);
	assert_in_range(len, 0, sizeof(text) - 1);
	for (char *at = strchr(text, '\''); at != NULL; at = strchr(at, '\'')) {
		*at = '"';
	}
	json->max = 2 * sizeof(text);
	bool in_room = strchr(method, '.') == NULL;
	if (in_room) {
		assert_int_equal(buf_printf(json, "{\"room_id\":\"%s\"%s%s}", p->room_id,
					    len > 0 ? "," : "", text),
				 OK);
	} else {
		assert_int_equal(buf_printf(json, "{%s}", text), OK);
	}
}

__attribute__((format(printf, 4, 0))) static uint32_t
rig_compose_v(struct rig_peer *p, struct buf *out, const char *method, const char *params,
	      va_list args)
{
	struct buf json = {0};
	struct buf packed = {.max = 65536};
	struct errmsg why = {""};
	char name[64];
	(void)snprintf(name, sizeof(name), "%s%s", strchr(method, '.') == NULL ? "room." : "",
		       method);
	rig_params(p, method, params, args, &json);
	if (json_to_bytes(buf_slice(&json), &packed, &why) != OK) {
		fail_msg("%s: %s", method, why.text);
	}
	rpc_write_request_raw(out, ++p->last_msgid, slice_str(name), buf_slice(&packed));
	assert_int_equal(out->error, OK);
	buf_finish(&json);
	buf_finish(&packed);
	return p->last_msgid;
}

uint32_t rig_compose(struct rig_peer *p, struct buf *out, const char *method, const char *params,
		     ...)
{
	va_list args;
	va_start(args, params);
	uint32_t msgid = rig_compose_v(p, out, method, params, args);
	va_end(args);
	return msgid;
}

__attribute__((format(printf, 3, 0))) static uint32_t
rig_send_v(struct rig_peer *p, const char *method, const char *params, va_list args)
{
	struct buf out = {.max = 131072};
	uint32_t msgid = rig_compose_v(p, &out, method, params, args);
	rig_bytes(p, buf_slice(&out));
	buf_finish(&out);
	return msgid;
}

uint32_t rig_send(struct rig_peer *p, const char *method, const char *params, ...)
{
	va_list args;
	va_start(args, params);
	uint32_t msgid = rig_send_v(p, method, params, args);
	va_end(args);
	return msgid;
}

/* ---- hearing ---- */

static void rig_message_free(struct rig_message *m)
{
	free(m->name);
	json_decref(m->value);
	free(m);
}

void rig_forget(struct rig_peer *p)
{
	rig_read(p);
	while (p->heard != NULL) {
		struct rig_message *m = p->heard;
		DL_DELETE(p->heard, m);
		rig_message_free(m);
	}
}

/* [1, msgid, error, result] or [2, "name", [params]]; anything else is not for a client. */
static void rig_take(struct rig_peer *p, const json_t *message)
{
	struct rig_message *m = calloc(1, sizeof(*m));
	json_int_t kind = json_integer_value(json_array_get(message, 0));
	const json_t *second = json_array_get(message, 1);
	json_t *third = json_array_get(message, 2);
	assert_non_null(m);
	assert_in_range(kind, 1, 2);
	m->is_answer = kind == 1;
	if (m->is_answer) {
		json_t *result = json_array_get(message, 3);
		m->is_refusal = !json_is_null(third);
		m->msgid = (uint32_t)json_integer_value(second);
		assert_true(!m->is_refusal || json_is_null(result));
		m->value = json_incref(m->is_refusal ? third : result);
	} else {
		assert_int_equal(json_array_size(third), 1);
		m->name = strdup(json_string_value(second));
		m->value = json_incref(json_array_get(third, 0));
		rig_hear(p, m->name, json_array_get(third, 0));
	}
	DL_APPEND(p->heard, m);
}

/* Not by way of text, which took most of the time of tests with many members. Binary has no place in a message. */
static json_t *rig_json(const msgpack_object *value)
{
	json_t *json = NULL;
	switch (value->type) {
	case MSGPACK_OBJECT_NIL:
		return json_null();
	case MSGPACK_OBJECT_BOOLEAN:
		return json_boolean(value->via.boolean);
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		assert_true(value->via.u64 <= INT64_MAX);
		return json_integer((json_int_t)value->via.u64);
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		return json_integer(value->via.i64);
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		return json_real(value->via.f64);
	case MSGPACK_OBJECT_STR:
		json = json_stringn(value->via.str.ptr, value->via.str.size);
		assert_non_null(json); /* else it is not UTF-8 */
		return json;
	case MSGPACK_OBJECT_ARRAY:
		json = json_array();
		for (uint32_t i = 0; i < value->via.array.size; i++) {
			json_array_append_new(json, rig_json(&value->via.array.ptr[i]));
		}
		return json;
	case MSGPACK_OBJECT_MAP:
		json = json_object();
		for (uint32_t i = 0; i < value->via.map.size; i++) {
			const msgpack_object_kv *pair = &value->via.map.ptr[i];
			char key[128];
			assert_int_equal(pair->key.type, MSGPACK_OBJECT_STR);
			assert_in_range(pair->key.via.str.size, 0, sizeof(key) - 1);
			memcpy(key, pair->key.via.str.ptr, pair->key.via.str.size);
			key[pair->key.via.str.size] = '\0';
			json_object_set_new(json, key, rig_json(&pair->val));
		}
		return json;
	case MSGPACK_OBJECT_BIN:
	case MSGPACK_OBJECT_EXT:
	default:
		fail_msg("a message has a value of MessagePack's type %d", (int)value->type);
		return NULL;
	}
}

void rig_read(struct rig_peer *p)
{
	msgpack_zone zone;
	assert_true(msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE));
	while (p->read_at < p->in.len) {
		struct slice rest = slice_of(p->in.data + p->read_at, p->in.len - p->read_at);
		struct frame_scan scan;
		msgpack_object value;
		size_t at = 0;
		frame_scan_init(&scan);
		enum err e = frame_scan_value(&scan, rest, RIG_MESSAGE_BYTES_MAX);
		if (e == ERR_MORE) {
			break;
		}
		assert_int_equal(e, OK);
		msgpack_zone_clear(&zone);
		assert_int_equal(msgpack_unpack(rest.data, scan.at, &at, &zone, &value),
				 MSGPACK_UNPACK_SUCCESS);
		json_t *message = rig_json(&value);
		rig_take(p, message);
		json_decref(message);
		p->read_at += scan.at;
	}
	msgpack_zone_destroy(&zone);
}

static struct rig_message *rig_find_answer(struct rig_peer *p, uint32_t msgid)
{
	struct rig_message *m;
	rig_read(p);
	DL_FOREACH (p->heard, m) {
		if (m->is_answer && m->msgid == msgid) {
			return m;
		}
	}
	return NULL;
}

bool rig_is_answered(struct rig_peer *p, uint32_t msgid)
{
	return rig_find_answer(p, msgid) != NULL;
}

const char *rig_answer(struct rig_peer *p, uint32_t msgid, bool *is_refusal)
{
	struct rig_message *m = rig_find_answer(p, msgid);
	if (m == NULL) {
		return NULL;
	}
	char *text = rig_render_json(p->rig, m->value);
	*is_refusal = m->is_refusal;
	DL_DELETE(p->heard, m);
	rig_message_free(m);
	return rig_keep(p, text);
}

const char *rig_must(struct rig_peer *p, const char *method, const char *params, ...)
{
	va_list args;
	bool is_refusal = true;
	va_start(args, params);
	uint32_t msgid = rig_send_v(p, method, params, args);
	va_end(args);
	const char *text = rig_answer(p, msgid, &is_refusal);
	if (text == NULL || is_refusal) {
		fail_msg("%s of %s: %s", method, p->name, text == NULL ? "no answer" : text);
	}
	return text;
}

const char *rig_refused(struct rig_peer *p, const char *method, const char *params, ...)
{
	va_list args;
	bool is_refusal = false;
	va_start(args, params);
	uint32_t msgid = rig_send_v(p, method, params, args);
	va_end(args);
	const char *text = rig_answer(p, msgid, &is_refusal);
	if (text == NULL || !is_refusal) {
		fail_msg("%s of %s was not refused: %s", method, p->name,
			 text == NULL ? "no answer" : text);
	}
	return text;
}

/* "FORBIDDEN" or "VALIDATION_ERROR username", from the rendered error map. */
static const char *rig_code_of(struct rig_peer *p, const char *error)
{
	char code[64] = "";
	char field[128] = "";
	const char *at = strstr(error, "'field':'");
	assert_int_equal(sscanf(error, "{'code':'%63[A-Z_]'", code), 1);
	if (at != NULL) {
		assert_int_equal(sscanf(at, "'field':'%127[^']'", field), 1);
	}
	char *text = calloc(1, sizeof(code) + sizeof(field));
	assert_non_null(text);
	(void)snprintf(text, sizeof(code) + sizeof(field), "%s%s%s", code,
		       field[0] == '\0' ? "" : " ", field);
	return rig_keep(p, text);
}

const char *rig_code(struct rig_peer *p, const char *method, const char *params, ...)
{
	va_list args;
	va_start(args, params);
	uint32_t msgid = rig_send_v(p, method, params, args);
	va_end(args);
	return rig_outcome(p, msgid);
}

const char *rig_outcome(struct rig_peer *p, uint32_t msgid)
{
	bool is_refusal = false;
	const char *text = rig_answer(p, msgid, &is_refusal);
	if (text == NULL) {
		return "none";
	}
	return is_refusal ? rig_code_of(p, text) : "ok";
}

const char *rig_next(struct rig_peer *p)
{
	struct rig_message *m;
	rig_read(p);
	DL_FOREACH (p->heard, m) {
		if (!m->is_answer) {
			break;
		}
	}
	if (m == NULL) {
		return "";
	}
	char *text = rig_render_json(p->rig, m->value);
	size_t size = strlen(m->name) + strlen(text) + 2;
	char *line = malloc(size);
	assert_non_null(line);
	(void)snprintf(line, size, "%s %s", m->name, text);
	free(text);
	DL_DELETE(p->heard, m);
	rig_message_free(m);
	return rig_keep(p, line);
}

const char *rig_heard(struct rig_peer *p)
{
	struct buf b = {.max = SIZE_MAX / 2};
	struct rig_message *m;
	rig_read(p);
	DL_FOREACH (p->heard, m) {
		assert_int_equal(buf_printf(&b, "%s%s", b.len == 0 ? "" : " ",
					    m->is_answer ? "answer" : m->name),
				 OK);
	}
	assert_int_equal(buf_append(&b, "", 1), OK);
	return rig_keep(p, buf_take(&b));
}

size_t rig_count(struct rig_peer *p, const char *notice)
{
	size_t n = 0;
	struct rig_message *m;
	rig_read(p);
	DL_FOREACH (p->heard, m) {
		n += !m->is_answer && strcmp(m->name, notice) == 0;
	}
	return n;
}
