/*
 * redis_link.c - one connection to Redis: its states. Its commands are in redis_queue.h.
 *
 *                 create
 *                    |
 *                    v      on_open            greeted
 *   RESTING --> CONNECTING --------> GREETING --------> READY --> LEAVING
 *      ^  on_time    |                   |                |          |
 *      +-------------+-------------------+----------------+----------+
 *                     any end of the connection
 */
#include "store/redis/link/redis_link.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "store/redis/link/redis_codec.h"
#include "store/redis/link/redis_greeting.h"
#include "store/redis/link/redis_queue.h"

enum link_state {
	LINK_RESTING,
	LINK_CONNECTING,
	LINK_GREETING,
	LINK_READY,
	LINK_LEAVING, /* the server is no master: take the replies that are due, send nothing */
	LINK_CLOSED   /* being destroyed */
};

#define LINK_TO(state) (1U << LINK_##state)
static const unsigned link_moves[] = {
	[LINK_RESTING] = LINK_TO(CONNECTING) | LINK_TO(CLOSED),
	[LINK_CONNECTING] = LINK_TO(GREETING) | LINK_TO(RESTING) | LINK_TO(CLOSED),
	[LINK_GREETING] = LINK_TO(READY) | LINK_TO(RESTING) | LINK_TO(CLOSED),
	[LINK_READY] = LINK_TO(LEAVING) | LINK_TO(RESTING) | LINK_TO(CLOSED),
	[LINK_LEAVING] = LINK_TO(RESTING) | LINK_TO(CLOSED),
	[LINK_CLOSED] = 0,
};

struct redis_link {
	struct redis_link_config config;
	struct redis_address address; /* where config.address points */
	void *wire;
	enum link_state state;
	struct redis_codec codec;
	struct redis_queue queue;
	size_t greetings; /* replies that the greeting lacks */
	bool is_blocked;  /* the connection takes no more now */
	bool is_busy;	  /* inside an event: what callbacks send leaves at its end */
	unsigned rests;	  /* in a row */
	int64_t rest_until_ms;
	int64_t began_ms;   /* the attempt, then the time as READY */
	int64_t quiet_ms;   /* since when nothing came that could have come */
	int64_t wake_ms;    /* what the net was asked for */
	int64_t wish_ms;    /* when on_time is to be called */
	enum redis_end end; /* of the last greeting */
	struct errmsg why;
	struct redis_greeted greeted;
	struct redis_counters counters;
};

static int64_t link_now(const struct redis_link *l)
{
	return l->config.net->now_ms(l->config.net->arg);
}

static void link_move(struct redis_link *l, enum link_state to)
{
	ASSERT((link_moves[l->state] & 1U << to) != 0);
	l->state = to;
}

static bool link_has_connection(const struct redis_link *l)
{
	return l->state == LINK_GREETING || l->state == LINK_READY || l->state == LINK_LEAVING;
}

/* Whether something should come, or the connection should take more. */
static bool link_is_owed(const struct redis_link *l)
{
	return l->queue.due != NULL || l->queue.first_sent > 0 || l->is_blocked;
}

/* Commands wait for the end of the greeting. */
static void link_write(struct redis_link *l)
{
	struct slice slices[REDIS_QUEUE_SLICES_MAX];
	size_t len;
	size_t n = 1;
	while (n > 0 && !l->is_blocked && (l->state == LINK_GREETING || l->state == LINK_READY)) {
		n = redis_queue_gather(&l->queue, l->state == LINK_READY, l->greeted.shas, slices,
				       &len);
		if (n > 0 && !link_is_owed(l)) {
			l->quiet_ms = link_now(l);
		}
		size_t sent = n == 0 ? 0 : l->config.net->write(l->wire, slices, n);
		ASSERT_CMP(sent, <=, len);
		l->counters.bytes_sent += sent;
		redis_queue_sent(&l->queue, sent);
		l->is_blocked = sent < len;
	}
}

/* When the link has something to do even if nothing comes. */
static int64_t link_next(const struct redis_link *l)
{
	int64_t at_ms = l->queue.deadline_ms;
	int64_t other_ms = REDIS_NEVER;
	if (l->state == LINK_RESTING) {
		other_ms = l->rest_until_ms;
	} else if (l->state == LINK_CONNECTING || l->state == LINK_GREETING) {
		other_ms = l->began_ms + REDIS_GREETING_MS;
	} else {
		other_ms = l->quiet_ms + (link_is_owed(l) ? REDIS_SILENT_MS : REDIS_PING_MS);
	}
	at_ms = l->wish_ms < at_ms ? l->wish_ms : at_ms;
	return at_ms < other_ms ? at_ms : other_ms;
}

/* What waits leaves, and the net knows when to come back. A time that turns out later is looked at when it comes. */
static void link_settle(struct redis_link *l)
{
	link_write(l);
	int64_t at_ms = link_next(l);
	if (at_ms < l->wake_ms) {
		l->wake_ms = at_ms;
		l->config.net->wake(l->wire, at_ms);
	}
}

/* ---- the end of a connection ---- */

static void link_tell(struct redis_link *l)
{
	if (l->config.on.on_change != NULL) {
		l->config.on.on_change(l->config.on.arg);
	}
}

/* Half of it is chance, so that those who lost one server do not all come back at once. */
static int64_t link_rest_ms(struct redis_link *l)
{
	int64_t ms = REDIS_REST_MS;
	for (unsigned i = 0; i < l->rests && ms < REDIS_REST_MS_MAX; i++) {
		ms *= 2;
	}
	ms = ms < REDIS_REST_MS_MAX ? ms : REDIS_REST_MS_MAX;
	uint64_t random = l->config.net->random(l->config.net->arg);
	return ms / 2 + (int64_t)(random % (uint64_t)(ms / 2 + 1));
}

/* The connection, or the attempt, has ended, and l->why says why. */
static void link_rest(struct redis_link *l, enum redis_end end)
{
	int64_t now_ms = link_now(l);
	bool was_ready = l->state == LINK_READY || l->state == LINK_LEAVING;
	if (was_ready && now_ms - l->began_ms >= REDIS_STEADY_MS) {
		l->rests = 0;
	}
	l->end = end;
	l->rest_until_ms = now_ms + link_rest_ms(l);
	l->rests++;
	l->is_blocked = false;
	l->greetings = 0;
	link_move(l, LINK_RESTING);
	redis_queue_lose(&l->queue, l->config.ends_unsent);
	redis_codec_finish(&l->codec);
	link_tell(l);
}

/* Set why: says follows the address of the server. */
static void link_why(struct redis_link *l, const char *says)
{
	errmsg_set(&l->why, "%s %s", l->config.address->text, says);
}

static void link_drop(struct redis_link *l, enum redis_end end, const char *says)
{
	link_why(l, says);
	l->config.net->close(l->wire);
	link_rest(l, end);
}

static void link_drop_error(struct redis_link *l, const struct redis_reply *reply)
{
	enum redis_end end = redis_end_of(reply);
	redis_error_say(l->config.address, reply, &l->why);
	l->config.net->close(l->wire);
	link_rest(l, end);
}

static void link_drop_garbage(struct redis_link *l)
{
	link_drop(l, REDIS_END_LOST, "does not speak the protocol of Redis");
}

/* ---- the greeting ---- */

static void link_be_ready(struct redis_link *l)
{
	l->began_ms = link_now(l);
	l->end = REDIS_END_OK;
	l->why.text[0] = '\0';
	l->counters.connections++;
	link_move(l, LINK_READY);
	link_tell(l);
}

static void link_on_greeted(struct redis_link *l, const struct redis_call *call,
			    const struct redis_reply *reply)
{
	if (reply->kind == REDIS_ERROR) {
		link_drop_error(l, reply);
		return;
	}
	if (!redis_greeting_read(call, reply, &l->greeted)) {
		link_drop_garbage(l);
		return;
	}
	if (call->kind == CALL_HELLO && l->config.needs_master && !l->greeted.server.is_master) {
		link_drop(l, REDIS_END_READONLY, redis_ends[REDIS_END_READONLY].says);
		return;
	}
	if (--l->greetings == 0) {
		link_be_ready(l);
	}
}

/* ---- in ---- */

/* The script is not there (any more): load it, and run the command behind that. */
static bool link_load_again(struct redis_link *l, struct redis_call *call)
{
	struct slice words[] = {SLICE("SCRIPT"), SLICE("LOAD"), l->config.scripts[call->script]};
	struct redis_call *load = NULL;
	if (redis_call_create(CALL_AGAIN, words, 3, NULL, 0, &load) != OK) {
		return false;
	}
	l->counters.scripts_missing++;
	call->was_loaded = true;
	DL_APPEND(l->queue.waiting, load);
	DL_APPEND(l->queue.waiting, call);
	return true;
}

static void link_on_answered(struct redis_link *l, struct redis_call *call,
			     const struct redis_reply *reply)
{
	enum redis_end end = redis_end_of(reply);
	if (end == REDIS_END_NOSCRIPT && call->script != REDIS_NO_SCRIPT && !call->was_loaded &&
	    !call->is_over && link_load_again(l, call)) {
		return;
	}
	if (!call->is_over) {
		redis_queue_end(&l->queue, call, end, reply);
	}
	redis_queue_destroy_call(&l->queue, call);
}

/* Of a subscription: whether this is no reply, but comes by itself. */
static bool link_on_publication(struct redis_link *l, const struct redis_reply *reply)
{
	if (l->config.channel.len == 0 || reply->kind != REDIS_ARRAY || reply->n != 3) {
		return false;
	}
	struct slice kind = reply->first->text;
	const struct redis_reply *channel = reply->first->next;
	const struct redis_reply *body = channel->next;
	if (slice_eq(kind, SLICE("sunsubscribe"))) {
		link_drop(l, REDIS_END_MOVED, redis_ends[REDIS_END_MOVED].says);
		return true;
	}
	if (!slice_eq(kind, SLICE("smessage"))) {
		return false;
	}
	if (l->state != LINK_READY || !slice_eq(channel->text, l->config.channel) ||
	    body->kind != REDIS_STRING) {
		link_drop_garbage(l);
	} else if (l->config.on.on_publication != NULL) {
		l->config.on.on_publication(l->config.on.arg, body->text);
	}
	return true;
}

/* A server that was demoted is left as soon as it owes nothing. */
static void link_leave(struct redis_link *l, const struct redis_reply *reply)
{
	enum redis_end end = redis_end_of(reply);
	if (l->state == LINK_READY && end != REDIS_END_MOVED &&
	    redis_ends[end].then == REDIS_THEN_MASTER) {
		redis_error_say(l->config.address, reply, &l->why);
		l->end = end;
		link_move(l, LINK_LEAVING);
	}
}

static void link_on_reply(struct redis_link *l, const struct redis_reply *reply)
{
	struct redis_call *call = l->queue.due;
	if (link_on_publication(l, reply)) {
		return;
	}
	if (call == NULL && reply->kind == REDIS_ERROR) { /* such as too many clients */
		link_drop_error(l, reply);
		return;
	}
	if (call == NULL) {
		link_drop_garbage(l);
		return;
	}
	DL_DELETE(l->queue.due, call);
	if (l->state != LINK_GREETING) {
		link_leave(l, reply);
	}
	if (call->kind == CALL_COMMAND) {
		link_on_answered(l, call, reply);
	} else {
		if (call->kind != CALL_AGAIN && call->kind != CALL_ALIVE) {
			link_on_greeted(l, call, reply);
		}
		redis_queue_destroy_call(&l->queue, call);
	}
	if (l->state == LINK_LEAVING && l->queue.due == NULL) {
		l->config.net->close(l->wire);
		link_rest(l, l->end);
	}
}

/* ---- events ---- */

static void link_begin(struct redis_link *l)
{
	ASSERT(!l->is_busy);
	l->is_busy = true;
}

static void link_finish(struct redis_link *l)
{
	l->is_busy = false;
	link_settle(l);
}

static void link_connect(struct redis_link *l)
{
	link_move(l, LINK_CONNECTING);
	l->began_ms = link_now(l);
	l->counters.attempts++;
	l->config.net->open(l->wire);
}

void redis_link_on_open(struct redis_link *l)
{
	struct redis_call *greeting = NULL;
	struct redis_call *call;
	struct redis_call *next;
	link_begin(l);
	link_move(l, LINK_GREETING);
	l->quiet_ms = link_now(l);
	enum err e = redis_codec_begin(&l->codec);
	e = e != OK ? e : redis_greeting_append(&l->config, &greeting);
	if (e == OK) {
		DL_COUNT(greeting, call, l->greetings);
		DL_CONCAT(greeting, l->queue.waiting);
		l->queue.waiting = greeting;
	} else {
		DL_FOREACH_SAFE (greeting, call, next) {
			redis_queue_destroy_call(&l->queue, call);
		}
		link_drop(l, REDIS_END_LOST, "could not be greeted: out of memory");
	}
	link_finish(l);
}

void redis_link_on_bytes(struct redis_link *l, struct slice bytes)
{
	link_begin(l);
	ASSERT(link_has_connection(l));
	l->quiet_ms = link_now(l);
	l->counters.bytes_received += bytes.len;
	enum err e = OK;
	while (e == OK && link_has_connection(l)) {
		const struct redis_reply *reply = NULL;
		e = redis_codec_next(&l->codec, &bytes, &reply);
		if (e == OK) {
			link_on_reply(l, reply);
		} else if (e == ERR_NOMEM) {
			link_drop(l, REDIS_END_LOST, "sent a reply when memory was out");
		} else if (e == ERR_TOO_LARGE) {
			link_drop(l, REDIS_END_LOST, "sent a reply beyond the limits");
		} else if (e != ERR_MORE) {
			link_drop_garbage(l);
		}
	}
	link_finish(l);
}

void redis_link_on_room(struct redis_link *l)
{
	link_begin(l);
	l->is_blocked = false;
	link_finish(l);
}

void redis_link_on_end(struct redis_link *l, const char *why)
{
	link_begin(l);
	ASSERT(l->state != LINK_RESTING);
	enum redis_end end = l->state == LINK_LEAVING ? l->end : REDIS_END_LOST;
	if (l->state != LINK_LEAVING) {
		errmsg_set(&l->why, "%s: %s", l->config.address->text, why);
	}
	link_rest(l, end);
	link_finish(l);
}

static void link_ping(struct redis_link *l, int64_t now_ms)
{
	struct slice ping = SLICE("PING");
	struct redis_call *call = NULL;
	l->quiet_ms = now_ms; /* where memory is out, later */
	if (redis_call_create(CALL_ALIVE, &ping, 1, NULL, 0, &call) == OK) {
		DL_APPEND(l->queue.waiting, call);
	}
}

void redis_link_on_time(struct redis_link *l)
{
	int64_t now_ms = link_now(l);
	link_begin(l);
	l->wake_ms = REDIS_NEVER;
	if (now_ms >= l->queue.deadline_ms) {
		redis_queue_expire(&l->queue, now_ms);
	}
	if (l->state == LINK_RESTING && now_ms >= l->rest_until_ms) {
		link_connect(l);
	} else if ((l->state == LINK_CONNECTING || l->state == LINK_GREETING) &&
		   now_ms >= l->began_ms + REDIS_GREETING_MS) {
		link_drop(l, REDIS_END_LATE, redis_ends[REDIS_END_LATE].says);
	} else if (l->state == LINK_READY && !link_is_owed(l) &&
		   now_ms >= l->quiet_ms + REDIS_PING_MS) {
		link_ping(l, now_ms);
	} else if ((l->state == LINK_READY || l->state == LINK_LEAVING) && link_is_owed(l) &&
		   now_ms >= l->quiet_ms + REDIS_SILENT_MS) {
		link_drop(l, REDIS_END_LATE, redis_ends[REDIS_END_LATE].says);
	}
	if (now_ms >= l->wish_ms) {
		l->wish_ms = REDIS_NEVER;
		l->config.on.on_time(l->config.on.arg);
	}
	link_finish(l);
}

/* ---- life ---- */

enum err redis_link_create(const struct redis_link_config *c, struct redis_link **out)
{
	struct redis_link *l = calloc(1, sizeof(*l));
	ASSERT_CMP(c->scripts_n, <=, REDIS_SCRIPTS_MAX);
	if (l == NULL) {
		return ERR_NOMEM;
	}
	l->config = *c;
	l->address = *c->address;
	l->config.address = &l->address;
	redis_queue_init(&l->queue);
	l->wake_ms = REDIS_NEVER;
	l->wish_ms = REDIS_NEVER;
	l->end = REDIS_END_UNSENT;
	l->wire = c->net->attach(c->net->arg, l, &l->address);
	if (l->wire == NULL) {
		redis_address_finish(&l->address);
		free(l);
		return ERR_NOMEM;
	}
	link_connect(l);
	link_settle(l);
	*out = l;
	return OK;
}

void redis_link_destroy(struct redis_link *l)
{
	if (l == NULL) {
		return;
	}
	ASSERT(!l->is_busy);
	link_move(l, LINK_CLOSED);
	l->config.net->detach(l->wire);
	redis_queue_lose(&l->queue, true);
	redis_queue_finish(&l->queue);
	redis_codec_finish(&l->codec);
	redis_address_finish(&l->address);
	free(l);
}

void redis_link_move(struct redis_link *l, const struct redis_address *address)
{
	if (l->state != LINK_RESTING) {
		l->rests = 0;
		link_drop(l, REDIS_END_LOST, "is left for another server");
	}
	l->address = *address;
	if (!l->is_busy) {
		link_settle(l);
	}
}

/* ---- commands and state ---- */

enum err redis_link_send(struct redis_link *l, const struct redis_command *c, redis_end_cb *cb,
			 void *arg)
{
	ASSERT(c->n > 0 && c->within_ms > 0 && l->config.channel.len == 0);
	ASSERT(c->script == REDIS_NO_SCRIPT || (size_t)c->script < l->config.scripts_n);
	return l->state == LINK_CLOSED ? ERR_CLOSED
				       : redis_queue_add(&l->queue, c, link_now(l), cb, arg);
}

void redis_link_flush(struct redis_link *l)
{
	if (!l->is_busy) {
		link_settle(l);
	}
}

void redis_link_wake(struct redis_link *l, int64_t at_ms)
{
	ASSERT(l->config.on.on_time != NULL);
	l->wish_ms = at_ms;
	if (!l->is_busy) {
		link_settle(l);
	}
}

bool redis_link_is_ready(const struct redis_link *l)
{
	return l->state == LINK_READY;
}

const char *redis_link_why(const struct redis_link *l)
{
	return l->why.text;
}

enum redis_end redis_link_greeted(const struct redis_link *l)
{
	return l->end;
}

const struct redis_server *redis_link_server(const struct redis_link *l)
{
	return &l->greeted.server;
}

int64_t redis_link_silent_ms(const struct redis_link *l)
{
	return link_has_connection(l) && link_is_owed(l) ? link_now(l) - l->quiet_ms : 0;
}

size_t redis_link_pending(const struct redis_link *l)
{
	return l->queue.pending;
}

void redis_link_counters(const struct redis_link *l, struct redis_counters *out)
{
	*out = l->counters;
	out->commands = l->queue.sent;
	memcpy(out->ends, l->queue.ends, sizeof(out->ends));
}
