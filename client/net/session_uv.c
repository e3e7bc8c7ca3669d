/*
 * session_uv.c - a private loop, turned until something has happened.
 */
#include "client/net/session_uv.h"

#include <stdlib.h>

#include <sodium.h>
#include <uthash.h>
#include <utlist.h>

#include "client/net/connection_uv.h"
#include "client/net/stdin_lines_uv.h"
#include "client/net/transport_uv.h"
#include "proto/assert.h"
#include "proto/buf.h"
#include "proto/format.h"
#include "proto/rpc.h"

#define SESSION_SILENT "no answer in time"

/* One thing that happened; its strings follow it in the same memory. */
struct session_news {
	struct session_event event;
	struct session_news *prev, *next;
	char bytes[];
};

struct session {
	uv_loop_t loop;
	uv_timer_t timer;
	bool is_due;
	struct address address;
	bool is_open, is_up, is_lost; /* has been, at some time */
	struct connection *link;
	struct stdin_lines *lines;
	bool is_input_paused;
	bool is_input_ended;
	bool is_out_of_memory;
	struct session_news *queue;
	struct session_news *current; /* what the last event points into */
	struct errmsg why;
};

/* Keep one event for later. Out of memory is remembered and ends the session: a hole would be
 * worse. */
static void session_keep(struct session *s, struct session_event event)
{
	size_t text_len = event.text == NULL ? 0 : strlen(event.text) + 1;
	struct session_news *n = malloc(sizeof(*n) + event.method.len + event.value.len + text_len);
	if (n == NULL) {
		s->is_out_of_memory = true;
		return;
	}
	n->event = event;
	char *at = n->bytes;
	struct slice *parts[] = {&n->event.method, &n->event.value};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i]->len > 0) {
			memcpy(at, parts[i]->data, parts[i]->len);
		}
		parts[i]->data = at;
		at += parts[i]->len;
	}
	if (text_len > 0) {
		memcpy(at, event.text, text_len);
		n->event.text = at;
	}
	DL_APPEND(s->queue, n);
}

static void session_keep_object(struct session *s, struct session_event event,
				const struct msgpack_object *value)
{
	struct buf bytes;
	buf_init(&bytes, TRANSPORT_FRAME_BYTES);
	if (value == NULL) {
		(void)buf_append(&bytes, "\xc0", 1);
	} else {
		rpc_write_object(&bytes, value);
	}
	if (bytes.error != OK) {
		s->is_out_of_memory = true;
	} else {
		event.value = buf_slice(&bytes);
		session_keep(s, event);
	}
	buf_finish(&bytes);
}

/* ---- the link's news ---- */

static void session_on_open(void *owner)
{
	struct session *s = owner;
	s->is_open = true;
}

static void session_on_up(void *owner)
{
	struct session *s = owner;
	s->is_up = true;
}

static void session_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct session *s = owner;
	(void)retry_ms;
	s->is_lost = true;
	errmsg_set(&s->why, "%s", why);
	session_keep(s, (struct session_event){.kind = SESSION_LOST, .text = why});
}

static void session_on_notice(void *owner, struct slice method, const struct msgpack_object *params)
{
	session_keep_object(owner, (struct session_event){.kind = SESSION_NOTICE, .method = method},
			    params);
}

static const struct connection_handler session_link_handler = {
	.on_open = session_on_open,
	.on_up = session_on_up,
	.on_down = session_on_down,
	.on_notice = session_on_notice,
};

static void session_on_answer(void *arg, uint32_t id, enum err e,
			      const struct msgpack_object *refusal,
			      const struct msgpack_object *result)
{
	struct session_event event = {.kind = SESSION_ANSWER,
				      .id = id,
				      .is_refused = refusal != NULL};
	if (e == OK) {
		session_keep_object(arg, event, refusal != NULL ? refusal : result);
	}
}

/* ---- standard input ---- */

static bool session_on_line(void *owner, struct slice line)
{
	struct session *s = owner;
	session_keep(s, (struct session_event){.kind = SESSION_LINE, .value = line});
	return false; /* one at a time: session_next() resumes when it has been taken */
}

static void session_on_input_end(void *owner, enum err e)
{
	struct session *s = owner;
	s->is_input_ended = true;
	session_keep(s, (struct session_event){.kind = SESSION_INPUT_END, .error = e});
}

static const struct stdin_lines_handler session_lines_handler = {
	.on_line = session_on_line,
	.on_end = session_on_input_end,
};

enum err session_read_input(struct session *s, int fd)
{
	return stdin_lines_open(&s->loop, fd, &session_lines_handler, s, &s->lines);
}

void session_pause_input(struct session *s, bool is_paused)
{
	s->is_input_paused = is_paused;
}

/* ---- turning the loop ---- */

static void session_on_due(uv_timer_t *timer)
{
	struct session *s = timer->data;
	s->is_due = true;
}

static void session_forget_current(struct session *s)
{
	free(s->current);
	s->current = NULL;
}

static struct session_event session_take(struct session *s)
{
	s->current = s->queue;
	DL_DELETE(s->queue, s->current);
	return s->current->event;
}

/* Until that is so, or can no longer be, or the time is over. */
static void session_turn(struct session *s, bool (*is_so)(const struct session *s),
			 int64_t timeout_ms)
{
	s->is_due = false;
	uv_update_time(&s->loop);
	if (timeout_ms >= 0) {
		(void)uv_timer_start(&s->timer, session_on_due, (uint64_t)timeout_ms, 0);
	}
	bool is_alive = true;
	while (is_alive && !is_so(s) && !s->is_due && !s->is_out_of_memory) {
		is_alive = uv_run(&s->loop, UV_RUN_ONCE) != 0;
	}
	(void)uv_timer_stop(&s->timer);
}

static bool session_has_news(const struct session *s)
{
	return s->queue != NULL;
}

struct session_event session_next(struct session *s, int64_t timeout_ms)
{
	session_forget_current(s);
	if (s->queue == NULL && s->lines != NULL && !s->is_input_paused) {
		stdin_lines_resume(s->lines);
	}
	session_turn(s, session_has_news, timeout_ms);
	if (s->queue != NULL) {
		return session_take(s);
	}
	if (s->is_due) {
		return (struct session_event){.kind = SESSION_TIMEOUT};
	}
	/* Nothing can happen any more, or it could not be kept. */
	enum err e = s->is_out_of_memory ? ERR_NOMEM : ERR_CLOSED;
	return (struct session_event){.kind = SESSION_LOST, .text = err_text(e)};
}

enum err session_send(struct session *s, struct slice method, struct slice params, uint32_t *id)
{
	return connection_request(s->link, method, params, session_on_answer, s, id);
}

/* ---- one call ---- */

void session_read_fault(struct slice value, struct fault *out)
{
	struct arena arena = {0};
	struct error_view view;
	struct fault ignored;
	fault_set(out, FAULT_SERVER_ERROR, "the server refused without a reason that can be read");
	if (record_from_bytes(&record_error_view, value, RECORD_LENIENT, &arena, &view, &ignored) ==
	    OK) {
		enum fault_code code = fault_code_of(view.code);
		out->code = code == FAULT_NONE ? FAULT_SERVER_ERROR : code;
		format_to(out->message, sizeof(out->message), "%.*s", (int)view.message.len,
			  view.message.data);
		format_to(out->field, sizeof(out->field), "%.*s", (int)view.field.len,
			  view.with_field ? view.field.data : "");
		out->retry_after_ms = view.retry_after_ms;
	}
	arena_finish(&arena);
}

/* Before hello was answered, nobody was reached. */
static enum err session_fail(struct session *s, enum err e, const char *why)
{
	if (s->is_up) {
		errmsg_set(&s->why, "%s", why);
		return e;
	}
	errmsg_set(&s->why, "cannot reach %s: %s", s->address.text, why);
	return ERR_CLOSED;
}

static enum err session_await(struct session *s, uint32_t id, int64_t timeout_ms,
			      struct session_event *out)
{
	int64_t end_ms = session_now_ms() + timeout_ms;
	for (;;) {
		int64_t now_ms = session_now_ms();
		*out = session_next(s, now_ms < end_ms ? end_ms - now_ms : 0);
		if (out->kind == SESSION_ANSWER && out->id == id) {
			return OK;
		}
		if (out->kind == SESSION_LOST) {
			return session_fail(s, ERR_CLOSED, out->text);
		}
		if (out->kind == SESSION_TIMEOUT) {
			return session_fail(s, ERR_UNKNOWN,
					    s->is_up ? "the server did not answer in time"
						     : SESSION_SILENT);
		}
	}
}

static enum err session_read_answer(struct session *s, const struct record *rec, struct slice value,
				    struct arena *arena, void *result)
{
	struct fault f = {0};
	enum err e = record_from_bytes(rec, value, RECORD_LENIENT, arena, result, &f);
	if (e != OK && e != ERR_NOMEM) {
		errmsg_set(&s->why, "the server's answer is not what it should be: %s %s", f.field,
			   f.message);
		return ERR_PROTO;
	}
	return e;
}

enum err session_call(struct session *s, enum method method, const void *params, int64_t timeout_ms,
		      struct arena *arena, void *result, bool *is_refused, struct fault *fault)
{
	const struct method_row *row = &method_rows[method];
	struct session_event answer;
	struct buf bytes;
	uint32_t id = 0;
	buf_init(&bytes, MAX_FRAME_BYTES);
	record_write(row->params, params, &bytes);
	enum err e = bytes.error;
	if (e == OK) {
		e = session_send(s, slice_str(row->name), buf_slice(&bytes), &id);
	}
	buf_finish(&bytes);
	if (e != OK) {
		errmsg_set(&s->why, "%s", err_text(e));
		return e;
	}
	e = session_await(s, id, timeout_ms, &answer);
	if (e != OK) {
		return e;
	}
	*is_refused = answer.is_refused;
	if (answer.is_refused) {
		session_read_fault(answer.value, fault);
		return OK;
	}
	return session_read_answer(s, row->result, answer.value, arena, result);
}

const char *session_why(const struct session *s)
{
	return s->why.text;
}

int64_t session_now_ms(void)
{
	return (int64_t)(uv_hrtime() / 1000000);
}

void session_random(void *out, size_t len)
{
	randombytes_buf(out, len);
}

/* ---- life ---- */

static bool session_is_open(const struct session *s)
{
	return s->is_open || s->is_lost;
}

static bool session_is_up(const struct session *s)
{
	return s->is_up || s->is_lost;
}

static enum err session_greet(struct session *s, bool (*is_there)(const struct session *s),
			      int64_t timeout_ms, struct errmsg *why)
{
	session_turn(s, is_there, timeout_ms);
	if (s->is_lost) {
		errmsg_set(why, "%s", s->why.text);
		return ERR_CLOSED;
	}
	if (is_there(s)) {
		return OK;
	}
	if (s->is_out_of_memory) {
		return ERR_NOMEM;
	}
	errmsg_set(why, "%s", SESSION_SILENT);
	return ERR_UNKNOWN;
}

static enum err session_begin(const struct address *address, struct sign_in *sign_in,
			      bool (*is_there)(const struct session *s), int64_t timeout_ms,
			      struct session **out, struct errmsg *why)
{
	struct session *s = calloc(1, sizeof(*s));
	if (s == NULL) {
		return ERR_NOMEM;
	}
	if (uv_loop_init(&s->loop) < 0) {
		free(s);
		return ERR_NOMEM;
	}
	(void)uv_timer_init(&s->loop, &s->timer);
	s->timer.data = s;
	s->address = *address;
	enum err e = connection_open(&s->loop, address, false, &session_link_handler, s, &s->link);
	if (e == OK) {
		connection_sign_in(s->link, sign_in);
		e = session_greet(s, is_there, timeout_ms, why);
	}
	if (e != OK) {
		session_close(s);
		return e;
	}
	*out = s;
	return OK;
}

enum err session_open(const struct address *address, struct sign_in *sign_in, int64_t timeout_ms,
		      struct session **out, struct errmsg *why)
{
	return session_begin(address, sign_in, session_is_up, timeout_ms, out, why);
}

enum err session_open_early(const struct address *address, struct sign_in *sign_in,
			    int64_t timeout_ms, struct session **out, struct errmsg *why)
{
	return session_begin(address, sign_in, session_is_open, timeout_ms, out, why);
}

void session_close(struct session *s)
{
	if (s == NULL) {
		return;
	}
	connection_close(s->link);
	stdin_lines_close(s->lines);
	uv_close((uv_handle_t *)&s->timer, NULL);
	(void)uv_run(&s->loop, UV_RUN_DEFAULT);
	int status = uv_loop_close(&s->loop);
	ASSERT_CMP(status, ==, 0);
	session_forget_current(s);
	while (s->queue != NULL) {
		(void)session_take(s);
		session_forget_current(s);
	}
	free(s);
}
