/*
 * connection_uv.c - hello, msgids, pings and coming back; see connection_uv.h.
 */
#include "client/net/connection_uv.h"

#include <stdlib.h>

#include <sodium.h>

#include "client/model/memory.h"

#define uthash_malloc(size) memory_new(1, size)
/* The default one's unmarked fall-throughs are warnings for clang; msgids are small numbers and
 * need no better. */
#define HASH_FUNCTION HASH_SAX
#include <uthash.h>

#include "client/net/transport_uv.h"
#include "proto/arena.h"
#include "proto/assert.h"
#include "proto/format.h"
#include "proto/methods.h"
#include "proto/rpc.h"

struct connection_pending {
	uint32_t msgid;
	enum method method;
	connection_answer_cb cb;
	void *arg;
	UT_hash_handle hh;
};

struct connection {
	uv_loop_t *loop;
	struct address address;
	struct connection_timing timing;
	struct connection_handler on;
	void *owner;
	bool keeps_trying;
	bool is_greeted; /* hello was answered */
	bool is_signing; /* a way to sign in has been asked for, and not answered */
	bool is_open;	 /* nothing of that is left to do: requests may be made */
	bool is_up;	 /* both */
	bool is_used;	 /* the owner has made a request */
	bool is_closing;
	bool is_heard; /* bytes have come since the last ping timer */
	bool is_asked; /* a ping has gone out since then */
	unsigned tries;
	struct sign_in *sign_in; /* NULL: a stranger */
	char nonce[KEY_CHARS + 1];
	int64_t epoch_ms; /* the server's time when the loop's clock stood at 0; 0: not known */

	struct transport *wire; /* NULL between tries */
	uv_timer_t timer;	/* hello, ping or retry, whichever the state needs */
	uint32_t next_msgid;
	struct connection_pending *pending;
	struct decoder decoder;
};

static void connection_try(struct connection *l);
static void connection_lost(struct connection *l, const char *why);

static void connection_on_timer_closed(uv_handle_t *handle)
{
	struct connection *l = handle->data;
	decoder_finish(&l->decoder);
	free(l);
}

/* Nothing of the connection holds any more, or yet. */
static void connection_reset(struct connection *l)
{
	l->is_greeted = false;
	l->is_signing = false;
	l->is_open = false;
	l->is_up = false;
	l->is_used = false;
}

static void connection_forget(struct connection *l, struct connection_pending *p)
{
	HASH_DEL(l->pending, p);
	free(p);
}

void connection_close(struct connection *l)
{
	if (l == NULL || l->is_closing) {
		return;
	}
	l->is_closing = true;
	connection_reset(l);
	while (l->pending != NULL) {
		connection_forget(l, l->pending);
	}
	transport_close(l->wire);
	l->wire = NULL;
	uv_close((uv_handle_t *)&l->timer, connection_on_timer_closed);
}

void connection_forget_requests(struct connection *l)
{
	struct connection_pending *p;
	struct connection_pending *next;
	HASH_ITER (hh, l->pending, p, next) {
		if (p->arg != l) { /* hello, signing in and pings are the connection's own */
			connection_forget(l, p);
		}
	}
}

void connection_sign_in(struct connection *l, struct sign_in *s)
{
	l->sign_in = s;
}

static void connection_on_hello_timer(uv_timer_t *timer);

void connection_set_timing(struct connection *l, const struct connection_timing *timing)
{
	l->timing = *timing;
	if (l->wire != NULL) {
		(void)uv_timer_start(&l->timer, connection_on_hello_timer, timing->hello_ms, 0);
	}
}

bool connection_is_up(const struct connection *l)
{
	return l->is_up;
}

bool connection_is_open(const struct connection *l)
{
	return l->is_open;
}

bool connection_is_stranger(const struct connection *l)
{
	bool is_signed_in = l->sign_in != NULL && l->sign_in->is_signed_in;
	return l->is_open && !l->is_used && !is_signed_in;
}

void connection_hold(struct connection *l)
{
	transport_hold(l->wire);
}

void connection_let_go(struct connection *l)
{
	transport_let_go(l->wire);
}

int64_t connection_server_ms(const struct connection *l)
{
	return l->epoch_ms == 0 ? 0 : l->epoch_ms + (int64_t)uv_now(l->loop);
}

/* ---- requests ---- */

static enum err connection_send(struct connection *l, struct slice method, struct slice params,
				connection_answer_cb cb, void *arg, uint32_t *id)
{
	if (HASH_COUNT(l->pending) >= CONNECTION_PENDING_MAX) {
		return ERR_BUSY;
	}
	struct connection_pending *p = memory_new(1, sizeof(*p));
	p->msgid = l->next_msgid++;
	p->method = method_find(method);
	p->cb = cb;
	p->arg = arg;
	HASH_ADD(hh, l->pending, msgid, sizeof(p->msgid), p);
	if (id != NULL) {
		*id = p->msgid;
	}
	struct buf *out = transport_out(l->wire);
	if (params.len == 0) {
		rpc_write_request(out, p->msgid, method, NULL, NULL);
	} else {
		rpc_write_request_raw(out, p->msgid, method, params);
	}
	transport_flush(l->wire);
	return OK;
}

enum err connection_request(struct connection *l, struct slice method, struct slice params,
			    connection_answer_cb cb, void *arg, uint32_t *id)
{
	if (!l->is_open) {
		return ERR_CLOSED;
	}
	l->is_used = true;
	return connection_send(l, method, params, cb, arg, id);
}

static void connection_answer(struct connection *l, struct connection_pending *p, struct answer a)
{
	connection_answer_cb cb = p->cb;
	void *arg = p->arg;
	a.id = p->msgid;
	a.method = p->method;
	connection_forget(l, p);
	cb(arg, &a);
}

static void connection_take_answer(struct connection *l, const struct rpc_message *m)
{
	struct connection_pending *p = NULL;
	HASH_FIND(hh, l->pending, &m->msgid, sizeof(m->msgid), p);
	if (p != NULL) { /* else it answers nothing that was asked */
		struct answer a = {.e = OK,
				   .refusal = m->error,
				   .result = m->error == NULL ? m->result : NULL};
		connection_answer(l, p, a);
	}
}

/* A callback may close the connection: then the rest is gone already. */
static void connection_answer_all_closed(struct connection *l)
{
	while (!l->is_closing && l->pending != NULL) {
		connection_answer(l, l->pending, (struct answer){.e = ERR_CLOSED});
	}
}

/* ---- hello and pings ---- */

/* Hello and signing in: their params are within the limits, and no others are open yet. */
static void connection_send_own(struct connection *l, enum method method, const struct buf *params,
				connection_answer_cb cb)
{
	enum err e = memory_check(params->error);
	ASSERT_CMP(e, ==, OK);
	e = connection_send(l, slice_str(method_rows[method].name), buf_slice(params), cb, l, NULL);
	ASSERT_CMP(e, ==, OK);
}

static void connection_on_pong(void *arg, const struct answer *a)
{
	(void)arg, (void)a; /* that bytes came is all a ping is for */
}

static void connection_watch_over(struct connection *l);

/* Whoever stood still, as in a laptop that was closed, comes to its timers before it reads what lay
 * there all the time: so that is read first. */
static void connection_on_last_look(uv_timer_t *timer)
{
	struct connection *l = timer->data;
	if (l->is_heard) {
		connection_watch_over(l);
	} else {
		connection_lost(l, "the server is silent");
	}
}

static void connection_on_ping_timer(uv_timer_t *timer)
{
	struct connection *l = timer->data;
	if (l->is_heard) {
		l->is_heard = false;
		l->is_asked = false;
	} else if (!l->is_asked) {
		l->is_asked = true;
		struct slice ping = slice_str(method_rows[METHOD_SERVER_PING].name);
		(void)connection_send(l, ping, (struct slice){0}, connection_on_pong, l, NULL);
	} else {
		(void)uv_timer_start(timer, connection_on_last_look, 1, 0);
	}
}

static void connection_watch_over(struct connection *l)
{
	l->is_heard = true;
	(void)uv_timer_start(&l->timer, connection_on_ping_timer, l->timing.ping_ms,
			     l->timing.ping_ms);
}

/* A server that does not tell its time leaves what was known. */
static void connection_take_hello(struct connection *l, const struct msgpack_object *result)
{
	struct arena arena = {0};
	struct fault ignored;
	struct hello_result hello;
	if (result != NULL &&
	    memory_check(record_from_object(&record_hello_result, result, RECORD_LENIENT, &arena,
					    &hello, &ignored)) == OK) {
		l->epoch_ms = hello.now - (int64_t)uv_now(l->loop);
		/* Never a part of a longer one: it may be signed. */
		format_to(l->nonce, sizeof(l->nonce), "%.*s",
			  nonce_is_formed(hello.nonce) ? (int)hello.nonce.len : 0,
			  hello.nonce.data);
	}
	arena_finish(&arena);
}

static void connection_is_ready(struct connection *l)
{
	l->is_up = true;
	l->tries = 0;
	connection_watch_over(l);
	l->on.on_up(l->owner);
}

/* We are who we can be. */
static void connection_has_signed_in(struct connection *l)
{
	l->is_open = true;
	if (l->on.on_open != NULL) {
		l->on.on_open(l->owner);
	}
	if (l->is_open && l->is_greeted) { /* else hello's answer is still to come */
		connection_is_ready(l);
	}
}

static void connection_go_on_signing_in(struct connection *l);

static void connection_on_signed_in(void *arg, const struct answer *a)
{
	struct connection *l = arg;
	l->is_signing = false;
	if (a->e == OK) { /* else on_end follows */
		sign_in_answer(l->sign_in, a->method, a->refusal, a->result);
		connection_go_on_signing_in(l);
	}
}

/* What to ask next to sign in: its params appended, or METHOD_COUNT. */
static enum method connection_next_sign_in(struct connection *l, struct buf *params)
{
	return l->sign_in == NULL ? METHOD_COUNT
				  : sign_in_next(l->sign_in, slice_str(l->nonce), params);
}

/* The time for hello is the time for all of this. */
static void connection_go_on_signing_in(struct connection *l)
{
	struct buf params;
	if (!l->is_greeted && l->sign_in != NULL && sign_in_needs_nonce(l->sign_in)) {
		return; /* hello's answer brings it */
	}
	buf_init(&params, MAX_FRAME_BYTES_GUEST);
	enum method method = connection_next_sign_in(l, &params);
	l->is_signing = method != METHOD_COUNT;
	if (l->is_signing) {
		connection_send_own(l, method, &params, connection_on_signed_in);
	}
	buf_finish(&params);
	if (!l->is_signing) {
		connection_has_signed_in(l);
	}
}

static void connection_on_hello(void *arg, const struct answer *a)
{
	struct connection *l = arg;
	if (a->e != OK) {
		return; /* on_end follows */
	}
	if (a->refusal != NULL) {
		struct fault f;
		char why[sizeof(f.message) + 40];
		rpc_read_fault(a->refusal, NULL, &f);
		format_to(why, sizeof(why), "the server refuses us: %s", f.message);
		connection_lost(l, why);
		return;
	}
	connection_take_hello(l, a->result);
	l->is_greeted = true;
	if (l->is_open) {
		connection_is_ready(l);
	} else if (!l->is_signing) {
		connection_go_on_signing_in(l);
	}
}

static void connection_send_hello(struct connection *l)
{
	struct hello_params hello = {.protocol = PROTOCOL_VERSION,
				     .client = SLICE("aye " AYE_VERSION)};
	struct buf params;
	buf_init(&params, MAX_FRAME_BYTES_GUEST);
	record_write(&record_hello_params, &hello, &params);
	connection_send_own(l, METHOD_SESSION_HELLO, &params, connection_on_hello);
	buf_finish(&params);
}

/* Hello, and behind it, in the same write, whatever does not need its answer: the server takes one
 * after the other. */
static void connection_on_connected(void *owner)
{
	struct connection *l = owner;
	l->nonce[0] = '\0'; /* that of the connection before is worth nothing on this one */
	connection_send_hello(l);
	if (l->sign_in != NULL) {
		sign_in_begin(l->sign_in);
	}
	connection_go_on_signing_in(l);
}

/* ---- the wire's news ---- */

static void connection_on_frame(void *owner, struct slice frame)
{
	struct connection *l = owner;
	struct rpc_message m;
	bool answerable = false;
	l->is_heard = true;
	enum err e = memory_check(rpc_decode(&l->decoder, frame, &m, &answerable));
	if (e != OK) {
		connection_lost(l, "what answers there does not speak aye's protocol");
	} else if (m.kind == RPC_RESPONSE) {
		connection_take_answer(l, &m);
	} else if (m.kind == RPC_NOTICE) {
		l->on.on_notice(l->owner, m.method, m.params);
	}
	/* A request from the server is no part of protocol 1; a later one may have them, so it is
	 * passed over. */
}

static void connection_on_end(void *owner, const char *why)
{
	struct connection *l = owner;
	l->wire = NULL; /* it is gone after this call */
	connection_lost(l, why);
}

static const struct transport_handler connection_transport_handler = {
	.on_open = connection_on_connected,
	.on_frame = connection_on_frame,
	.on_end = connection_on_end,
};

/* ---- trying ---- */

/* Half of the full pause is certain, the other half is drawn, so that a room does not come back in
 * one instant. */
static int64_t connection_pause_ms(const struct connection_timing *t, unsigned tries)
{
	uint32_t full_ms = t->retry_first_ms;
	while (tries-- > 0 && full_ms < t->retry_last_ms) {
		full_ms = full_ms < t->retry_last_ms / 2 ? 2 * full_ms : t->retry_last_ms;
	}
	return (int64_t)(full_ms / 2 + randombytes_uniform(full_ms / 2 + 1));
}

static void connection_on_retry_timer(uv_timer_t *timer)
{
	connection_try(timer->data);
}

static void connection_on_hello_timer(uv_timer_t *timer)
{
	connection_lost(timer->data, "the server did not answer in time");
}

static void connection_lost(struct connection *l, const char *why)
{
	if (l->is_closing) {
		return;
	}
	connection_reset(l);
	transport_close(l->wire);
	l->wire = NULL;
	(void)uv_timer_stop(&l->timer);
	connection_answer_all_closed(l);
	if (l->is_closing) {
		return;
	}
	int64_t retry_ms = -1;
	if (l->keeps_trying) {
		retry_ms = connection_pause_ms(&l->timing, l->tries);
		l->tries++;
		(void)uv_timer_start(&l->timer, connection_on_retry_timer, (uint64_t)retry_ms, 0);
	}
	l->on.on_down(l->owner, why, retry_ms);
}

static void connection_on_no_descriptors(uv_timer_t *timer)
{
	connection_lost(timer->data, "no connection can be opened here");
}

static void connection_try(struct connection *l)
{
	ASSERT(l->wire == NULL);
	l->wire = transport_open(l->loop, &l->address, &connection_transport_handler, l);
	if (l->wire == NULL) {
		/* Told from the loop like every other failure, not from inside connection_open(). */
		(void)uv_timer_start(&l->timer, connection_on_no_descriptors, 0, 0);
		return;
	}
	(void)uv_timer_start(&l->timer, connection_on_hello_timer, l->timing.hello_ms, 0);
}

struct connection *connection_open(uv_loop_t *loop, const struct address *address,
				   bool keeps_trying, const struct connection_handler *on,
				   void *owner)
{
	struct connection *l = memory_new(1, sizeof(*l));
	l->loop = loop;
	l->address = *address;
	l->timing = (struct connection_timing){.ping_ms = CONNECTION_PING_MS,
					       .hello_ms = CONNECTION_HELLO_MS,
					       .retry_first_ms = CONNECTION_RETRY_FIRST_MS,
					       .retry_last_ms = CONNECTION_RETRY_LAST_MS};
	l->on = *on;
	l->owner = owner;
	l->keeps_trying = keeps_trying;
	int status = uv_timer_init(loop, &l->timer);
	ASSERT_CMP(status, ==, 0); /* it has no way to fail */
	l->timer.data = l;
	connection_try(l);
	return l;
}
