/*
 * connection_uv.c - hello, msgids, pings and coming back; see connection_uv.h.
 */
#include "client/net/connection_uv.h"

#include <stdlib.h>

#include <utlist.h>

#include "client/model/memory.h"
#include "client/net/connection_priv_uv.h"
#include "client/net/reply.h"
#include "client/net/transport/ssh_child_uv.h"
#include "client/net/transport/transport_uv.h"
#include "proto/base/arena.h"
#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/link.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "proto/text/text.h"

static void connection_on_timer_closed(uv_handle_t *handle)
{
	struct connection *c = handle->data;
	decoder_finish(&c->decoder);
	free(c);
}

/* Nothing of the connection holds any more, or yet. */
void connection_reset(struct connection *c)
{
	c->is_greeted = false;
	c->is_signing = false;
	c->is_open = false;
	c->is_up = false;
	c->is_used = false;
}

static void connection_drop(struct connection *c, struct connection_pending *p)
{
	HASH_DEL(c->pending, p);
	free(p);
}

void connection_close(struct connection *c)
{
	if (c == NULL || c->is_closing) {
		return;
	}
	struct connection_pending *p;
	struct connection_pending *next;
	c->is_closing = true;
	connection_reset(c);
	while (c->pending != NULL) {
		connection_drop(c, c->pending);
	}
	LL_FOREACH_SAFE (c->moving, p, next) {
		connection_take_moving(c, p);
		free(p);
	}
	transport_close(c->transport);
	c->transport = NULL;
	uv_close((uv_handle_t *)&c->timer, connection_on_timer_closed);
}

void connection_forget(struct connection *c, const void *arg)
{
	struct connection_pending *p;
	struct connection_pending *next;
	HASH_ITER (hh, c->pending, p, next) {
		if (p->arg == arg) {
			connection_drop(c, p);
		}
	}
	LL_FOREACH_SAFE (c->moving, p, next) {
		if (p->arg == arg) {
			connection_take_moving(c, p);
			free(p);
		}
	}
}

void connection_sign_in(struct connection *c, struct sign_in *s)
{
	c->sign_in = s;
}

static void connection_on_hello_timer(uv_timer_t *timer);

void connection_set_timing(struct connection *c, const struct connection_timing *timing)
{
	c->timing = *timing;
	if (c->transport != NULL) {
		(void)uv_timer_start(&c->timer, connection_on_hello_timer, timing->hello_ms, 0);
	}
}

void connection_name_room(struct connection *c, struct slice room_id)
{
	(void)format_to(c->room_id, sizeof(c->room_id), "%.*s", (int)room_id.len, room_id.data);
}

void connection_stay(struct connection *c)
{
	c->stays = true;
}

bool connection_is_asking(const struct connection *c)
{
	return c->may_ask && !c->is_greeted && c->transport != NULL;
}

bool connection_is_up(const struct connection *c)
{
	return c->is_up || c->is_moving;
}

bool connection_is_open(const struct connection *c)
{
	return c->is_open || c->is_moving;
}

bool connection_is_stranger(const struct connection *c)
{
	bool is_signed_in = c->sign_in != NULL && c->sign_in->is_signed_in;
	return c->is_open && !c->is_used && !is_signed_in;
}

void connection_hold(struct connection *c)
{
	if (c->transport != NULL) { /* else it is moving */
		transport_hold(c->transport);
	}
}

void connection_let_go(struct connection *c)
{
	if (c->transport != NULL) {
		transport_let_go(c->transport);
	}
}

int64_t connection_server_ms(const struct connection *c)
{
	return c->epoch_ms == 0 ? 0 : c->epoch_ms + (int64_t)uv_now(c->loop);
}

const char *connection_web(const struct connection *c)
{
	return c->web;
}

/* Both keep the order in which they were made, and those that move are the older ones. */
int64_t connection_waits_ms(const struct connection *c)
{
	const struct connection_pending *first = c->moving != NULL ? c->moving : c->pending;
	return first == NULL ? -1 : (int64_t)(uv_now(c->loop) - first->sent_ms);
}

/* ---- requests ---- */

static struct connection_pending *connection_pending_new(const struct connection *c,
							 struct slice method, struct slice params,
							 connection_answer_cb cb, void *arg)
{
	struct connection_pending *p = memory_new(1, sizeof(*p) + method.len + params.len);
	p->method = method_find(method);
	p->sent_ms = uv_now(c->loop);
	p->cb = cb;
	p->arg = arg;
	p->name_len = method.len;
	p->params_len = params.len;
	memcpy(p->bytes, method.data, method.len);
	if (params.len > 0) {
		memcpy(p->bytes + method.len, params.data, params.len);
	}
	return p;
}

void connection_write(struct connection *c, struct connection_pending *p)
{
	struct slice method = slice_of(p->bytes, p->name_len);
	p->msgid = c->next_msgid++;
	HASH_ADD(hh, c->pending, msgid, sizeof(p->msgid), p);
	struct buf *out = transport_out(c->transport);
	if (p->params_len == 0) {
		rpc_write_request(out, p->msgid, method, NULL, NULL);
	} else {
		rpc_write_request_raw(out, p->msgid, method,
				      slice_of(p->bytes + p->name_len, p->params_len));
	}
	transport_flush(c->transport);
}

static enum err connection_send(struct connection *c, struct slice method, struct slice params,
				connection_answer_cb cb, void *arg)
{
	if (HASH_COUNT(c->pending) >= CONNECTION_PENDING_MAX) {
		return ERR_BUSY;
	}
	connection_write(c, connection_pending_new(c, method, params, cb, arg));
	return OK;
}

enum err connection_request(struct connection *c, struct slice method, struct slice params,
			    connection_answer_cb cb, void *arg)
{
	if (c->is_moving && c->moving_n < CONNECTION_PENDING_MAX) {
		connection_add_moving(c, connection_pending_new(c, method, params, cb, arg));
		return OK;
	}
	if (!c->is_open) {
		return c->is_moving ? ERR_BUSY : ERR_CLOSED;
	}
	c->is_used = true;
	return connection_send(c, method, params, cb, arg);
}

/* One that waits in neither list any more. */
static void connection_answer(struct connection_pending *p, struct answer a)
{
	connection_answer_cb cb = p->cb;
	void *arg = p->arg;
	a.method = p->method;
	free(p);
	cb(arg, &a);
}

/* A callback may close the connection: then the rest is gone already. */
static void connection_answer_all_closed(struct connection *c)
{
	const struct answer closed = {.e = ERR_CLOSED, .server = c->server};
	while (!c->is_closing && (c->moving != NULL || c->pending != NULL)) {
		struct connection_pending *p = c->moving != NULL ? c->moving : c->pending;
		if (p == c->moving) {
			connection_take_moving(c, p);
		} else {
			HASH_DEL(c->pending, p);
		}
		connection_answer(p, closed);
	}
}

static void connection_take_answer(struct connection *c, const struct rpc_message *m)
{
	struct connection_pending *p = NULL;
	HASH_FIND(hh, c->pending, &m->msgid, sizeof(m->msgid), p);
	if (p == NULL) {
		return; /* it answers nothing that was asked */
	}
	if (!connection_keep(c, p, m->error)) {
		struct answer a = {.e = OK,
				   .refusal = m->error,
				   .result = m->error == NULL ? m->result : NULL,
				   .server = c->server};
		if (p->arg != c) {
			c->moves = 0;
		}
		HASH_DEL(c->pending, p);
		connection_answer(p, a);
	}
	if (c->is_moving && c->is_open && c->pending == NULL) {
		connection_move(c);
	}
}

/* ---- hello and pings ---- */

/* Hello and signing in: their params are within the limits, and no others are open yet. */
static void connection_send_own(struct connection *c, enum method method, const struct buf *params,
				connection_answer_cb cb)
{
	enum err e = memory_check(params->error);
	ASSERT_CMP(e, ==, OK);
	e = connection_send(c, slice_str(method_rows[method].name), buf_slice(params), cb, c);
	ASSERT_CMP(e, ==, OK);
}

static void connection_on_pong(void *arg, const struct answer *a)
{
	(void)arg, (void)a; /* that bytes came is all a ping is for */
}

static void connection_watch_over(struct connection *c);

/* Whoever stood still, as in a laptop that was closed, comes to its timers before it reads what lay
 * there all the time: so that is read first. */
static void connection_on_last_look(uv_timer_t *timer)
{
	struct connection *c = timer->data;
	if (c->watch == WATCH_HEARD) {
		connection_watch_over(c);
	} else {
		connection_lost(c, "the server is silent");
	}
}

/* A frame does not touch the timer, which looks how long ago the last one came. */
static void connection_on_watch_timer(uv_timer_t *timer)
{
	struct connection *c = timer->data;
	uint64_t ping_ms = c->timing.ping_ms;
	uint64_t silent_ms = ping_ms / CONNECTION_SILENT_PART;
	uint64_t quiet_ms = uv_now(c->loop) - c->heard_ms;
	switch (c->watch) {
	case WATCH_HEARD:
		if (quiet_ms < ping_ms) {
			(void)uv_timer_start(timer, connection_on_watch_timer, ping_ms - quiet_ms,
					     0);
			return;
		}
		c->watch = WATCH_ASKED;
		struct slice ping = slice_str(method_rows[METHOD_SERVER_PING].name);
		(void)connection_send(c, ping, (struct slice){0}, connection_on_pong, c);
		(void)uv_timer_start(timer, connection_on_watch_timer, silent_ms, 0);
		return;
	case WATCH_ASKED:
		c->watch = WATCH_SILENT;
		(void)uv_timer_start(timer, connection_on_watch_timer, ping_ms - silent_ms, 0);
		if (c->on.on_silent != NULL) {
			c->on.on_silent(c->owner);
		}
		return;
	case WATCH_SILENT:
		(void)uv_timer_start(timer, connection_on_last_look, 1, 0);
		return;
	}
}

static void connection_watch_over(struct connection *c)
{
	c->watch = WATCH_HEARD;
	c->heard_ms = uv_now(c->loop);
	(void)uv_timer_start(&c->timer, connection_on_watch_timer, c->timing.ping_ms, 0);
}

/* A server that does not tell its time leaves what was known. */
static void connection_take_hello(struct connection *c, const struct msgpack_object *result)
{
	struct arena arena = {0};
	struct fault ignored;
	struct hello_result hello;
	if (result != NULL &&
	    memory_check(record_from_object(&record_hello_result, result, RECORD_LENIENT, &arena,
					    &hello, &ignored)) == OK) {
		c->epoch_ms = hello.now - (int64_t)uv_now(c->loop);
		/* Never a part of a longer one: it may be signed. */
		format_to(c->nonce, sizeof(c->nonce), "%.*s",
			  nonce_is_formed(hello.nonce) ? (int)hello.nonce.len : 0,
			  hello.nonce.data);
		format_to(c->server, sizeof(c->server), "%.*s", (int)hello.server.len,
			  hello.server.data);
		/* It is shown, and opened: one of another form is none. */
		format_to(c->web, sizeof(c->web), "%.*s",
			  link_is_page(hello.web) ? (int)hello.web.len : 0, hello.web.data);
	}
	arena_finish(&arena);
}

static void connection_is_ready(struct connection *c)
{
	c->is_up = true;
	c->tries = 0;
	connection_watch_over(c);
	c->on.on_up(c->owner);
}

/* We are who we can be. */
static void connection_has_signed_in(struct connection *c)
{
	c->is_open = true;
	c->is_moving = false;
	if (c->on.on_open != NULL) {
		c->on.on_open(c->owner);
	}
	if (c->is_open) {
		connection_make_moved(c);
	}
	if (c->is_open && c->is_greeted) { /* else hello's answer is still to come */
		connection_is_ready(c);
	}
}

static void connection_go_on_signing_in(struct connection *c);

static void connection_on_signed_in(void *arg, const struct answer *a)
{
	struct connection *c = arg;
	c->is_signing = false;
	if (a->e == OK) { /* else on_end follows */
		sign_in_answer(c->sign_in, a->method, a->refusal, a->result);
		connection_go_on_signing_in(c);
	}
}

/* The time for hello is the time for all of this. */
static void connection_go_on_signing_in(struct connection *c)
{
	struct buf params;
	if (!c->is_greeted && c->sign_in != NULL && sign_in_needs_nonce(c->sign_in)) {
		return; /* hello's answer brings it */
	}
	if (!c->is_greeted && c->is_at_home) {
		return; /* what is asked there before it answers would have to be asked twice */
	}
	buf_init(&params, MAX_FRAME_BYTES_GUEST);
	enum method method = c->sign_in == NULL
				     ? METHOD_COUNT
				     : sign_in_next(c->sign_in, slice_str(c->nonce), &params);
	c->is_signing = method != METHOD_COUNT;
	if (c->is_signing) {
		connection_send_own(c, method, &params, connection_on_signed_in);
	}
	buf_finish(&params);
	if (!c->is_signing) {
		connection_has_signed_in(c);
	}
}

static void connection_on_hello(void *arg, const struct answer *a)
{
	struct connection *c = arg;
	if (a->e != OK) {
		return; /* on_end follows */
	}
	if (a->refusal != NULL) {
		struct fault f;
		char why[sizeof(f.message) + 120];
		rpc_read_fault(a->refusal, NULL, &f);
		if (strcmp(f.field, "room_id") == 0 && !c->is_of_one) {
			c->is_of_one = true; /* an ayed of before there were several */
			connection_leave(c, 0);
			return;
		}
		if (f.code == FAULT_ELSEWHERE) {
			c->home.text[0] = '\0'; /* the others may know better by now */
			connection_move(c);
			return;
		}
		if (strcmp(f.field, "protocol") == 0) {
			format_to(why, sizeof(why),
				  "%s, aye " AYE_VERSION " speaks %d: use the aye of its version",
				  f.message, PROTOCOL_VERSION);
		} else {
			format_to(why, sizeof(why), "the server refused: %s", f.message);
		}
		if (f.code == FAULT_UNAVAILABLE && c->tries > CONNECTION_UNAVAILABLE_TRIES) {
			c->tries = CONNECTION_UNAVAILABLE_TRIES;
		}
		connection_lost(c, why);
		return;
	}
	connection_take_hello(c, a->result);
	c->is_greeted = true;
	if (c->is_open) {
		connection_is_ready(c);
	} else if (!c->is_signing) {
		connection_go_on_signing_in(c);
	}
}

static void connection_send_hello(struct connection *c)
{
	struct hello_params hello = {.protocol = PROTOCOL_VERSION,
				     .client = SLICE("aye " AYE_VERSION),
				     .room_id = slice_str(c->is_of_one ? "" : c->room_id)};
	struct buf params;
	buf_init(&params, MAX_FRAME_BYTES_GUEST);
	record_write(&record_hello_params, &hello, &params);
	connection_send_own(c, METHOD_SESSION_HELLO, &params, connection_on_hello);
	buf_finish(&params);
}

/* Why the server closes: of more use than what comes of trying again, until it is there again. */
static void connection_take_closing(struct connection *c, const struct msgpack_object *params)
{
	struct arena arena = {0};
	const struct closing_notice *closing =
		params == NULL ? NULL : reply_read_record(&record_closing_notice, params, &arena);
	if (closing != NULL) {
		c->closing[text_soften(closing->reason, c->closing, sizeof(c->closing) - 1)] = '\0';
	}
	arena_finish(&arena);
}

/* Hello, and behind it, in the same write, whatever does not need its answer: the server takes one
 * after the other. */
static void connection_on_connected(void *owner)
{
	struct connection *c = owner;
	c->closing[0] = '\0';
	c->nonce[0] = '\0'; /* that of the connection before is worth nothing on this one */
	connection_send_hello(c);
	if (c->sign_in != NULL) {
		sign_in_begin(c->sign_in);
	}
	connection_go_on_signing_in(c);
}

/* ---- what the transport brings ---- */

static void connection_on_frame(void *owner, struct slice frame)
{
	struct connection *c = owner;
	struct rpc_message m;
	bool answerable = false;
	c->watch = WATCH_HEARD;
	c->heard_ms = uv_now(c->loop);
	enum err e = memory_check(rpc_decode(&c->decoder, frame, &m, &answerable));
	if (e != OK) {
		connection_lost(c, "the server there does not speak aye's protocol");
	} else if (m.kind == RPC_RESPONSE) {
		connection_take_answer(c, &m);
	} else if (m.kind == RPC_NOTICE) {
		if (notice_find(m.method) == NOTICE_SERVER_CLOSING) {
			connection_take_closing(c, m.params);
		}
		c->on.on_notice(c->owner, m.method, m.params);
	}
	/* A request from the server is no part of protocol 1; a later one may have them, so it is
	 * passed over. */
}

static void connection_on_end(void *owner, const char *why)
{
	struct connection *c = owner;
	c->transport = NULL; /* it is gone after this call */
	connection_lost(c, why);
}

static const struct transport_handler connection_transport_handler = {
	.on_open = connection_on_connected,
	.on_frame = connection_on_frame,
	.on_end = connection_on_end,
};

/* ---- trying ---- */

void connection_on_retry_timer(uv_timer_t *timer)
{
	connection_try(timer->data);
}

static void connection_on_hello_timer(uv_timer_t *timer)
{
	connection_lost(timer->data, "the server did not answer in time");
}

void connection_lost(struct connection *c, const char *why)
{
	if (c->is_closing || connection_gives_home_up(c)) {
		return;
	}
	connection_reset(c);
	c->is_moving = false;
	c->moves = 0;
	c->home.text[0] = '\0';
	transport_close(c->transport);
	c->transport = NULL;
	(void)uv_timer_stop(&c->timer);
	connection_answer_all_closed(c);
	if (c->is_closing) {
		return;
	}
	int64_t retry_ms = -1;
	if (c->keeps_trying) {
		retry_ms = connection_pause_ms(&c->timing, c->tries);
		c->tries++;
		(void)uv_timer_start(&c->timer, connection_on_retry_timer, (uint64_t)retry_ms, 0);
	}
	c->on.on_down(c->owner, c->closing[0] != '\0' ? c->closing : why, retry_ms);
}

static void connection_on_no_descriptors(uv_timer_t *timer)
{
	connection_lost(timer->data, "no connection can be opened here");
}

void connection_try(struct connection *c)
{
	ASSERT(c->transport == NULL);
	/* Later there may be a screen, or somebody types other things. */
	c->may_ask = !c->has_tried && ssh_child_may_ask(&c->address);
	c->has_tried = true;
	c->is_at_home = c->home.text[0] != '\0';
	c->transport = transport_open(c->loop, c->is_at_home ? &c->home : &c->address, c->may_ask,
				      &connection_transport_handler, c);
	if (c->transport == NULL) {
		/* Told from the loop like every other failure, not from inside connection_open(). */
		(void)uv_timer_start(&c->timer, connection_on_no_descriptors, 0, 0);
		return;
	}
	(void)uv_timer_start(&c->timer, connection_on_hello_timer,
			     c->may_ask	     ? CONNECTION_ASK_MS
			     : c->is_at_home ? c->timing.hello_ms / CONNECTION_HOME_PART
					     : c->timing.hello_ms,
			     0);
}

struct connection *connection_open(uv_loop_t *loop, const struct address *address,
				   bool keeps_trying, const struct connection_handler *on,
				   void *owner)
{
	struct connection *c = memory_new(1, sizeof(*c));
	c->loop = loop;
	c->address = *address;
	c->timing = (struct connection_timing){.ping_ms = CONNECTION_PING_MS,
					       .hello_ms = CONNECTION_HELLO_MS,
					       .retry_first_ms = CONNECTION_RETRY_FIRST_MS,
					       .retry_last_ms = CONNECTION_RETRY_LAST_MS};
	c->on = *on;
	c->owner = owner;
	c->keeps_trying = keeps_trying;
	int status = uv_timer_init(loop, &c->timer);
	ASSERT_CMP(status, ==, 0); /* it has no way to fail */
	c->timer.data = c;
	connection_try(c);
	return c;
}
