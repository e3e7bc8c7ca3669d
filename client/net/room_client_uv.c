/*
 * room_client_uv.c - a connection, a room on it, and requests; see room_client_uv.h.
 */
#include "client/net/room_client_uv.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <utlist.h>

#include "client/model/memory.h"
#include "client/net/connection_uv.h"
#include "client/net/transport/transport_uv.h"
#include "proto/base/assert.h"
#include "proto/rpc.h"

#define CLIENT_DROPPED_BYTES_MAX 8192

#define CLIENT_SNAPSHOT_MS 200

/* A request that has no reply yet. */
struct client_call {
	struct room_client *client;
	reply_fn *on;
	void *owner;
	bool is_by_name;
	bool is_of_room;
	struct client_call *prev, *next;
};

struct room_client {
	struct loop *loop;
	struct loop own_loop;
	bool has_own_loop;
	struct connection *connection;
	event_cb on_event;
	void *owner;
	uv_timer_t wake;
	uv_timer_t snapshot; /* active from the first news behind the last snapshot on */
	bool is_closing;

	struct room_subscription *subscription;
	struct membership *membership; /* of that */
	struct client_call *calls;     /* in the order in which they were made */
	struct offline_queue held;
	offline_refuses *refuses;

	/* The rest is for programs that wait. */
	struct room_client_wait wait;
	bool is_running;
	enum room_client_end end;
	struct fault fault;
};

static bool client_is_over(const struct room_client *c)
{
	return c->is_closing || (c->is_running && c->end != CLIENT_RUNS);
}

static void client_emit(struct room_client *c, const struct event *event)
{
	if (!client_is_over(c) && c->on_event != NULL) {
		c->on_event(c->owner, event);
	}
}

static void client_end(struct room_client *c, enum room_client_end end)
{
	if (c->end == CLIENT_RUNS) {
		c->end = end;
		loop_hold_lines(c->loop);
		loop_wake(c->loop);
	}
}

/* ---- the room ---- */

static void client_send_held(struct room_client *c);

static void client_on_snapshot(uv_timer_t *timer)
{
	client_emit(timer->data, &(struct event){.kind = EVENT_SNAPSHOT});
}

static void client_on_news(void *owner, unsigned news)
{
	struct room_client *c = owner;
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		c->fault = c->membership->fault;
		errmsg_set(&c->wait.why, "%s", c->membership->reason);
	}
	client_emit(c, &(struct event){.kind = EVENT_NEWS, .news = news});
	client_send_held(c);
	if (!c->is_closing && room_subscription_has_room(c->subscription) &&
	    !uv_is_active((uv_handle_t *)&c->snapshot)) {
		(void)uv_timer_start(&c->snapshot, client_on_snapshot, CLIENT_SNAPSHOT_MS, 0);
	}
	if (c->is_running && (news & MEMBERSHIP_NEWS_ENDED) != 0) {
		client_end(c,
			   (news & MEMBERSHIP_NEWS_REFUSED) != 0 ? CLIENT_REFUSED : CLIENT_ENDED);
	}
}

void room_client_enter(struct room_client *c, const struct room_entry *entry)
{
	room_client_exit(c);
	c->refuses = entry->refuses;
	connection_name_room(c->connection, slice_str(entry->room_id));
	room_subscription_enter(c->subscription, entry);
}

static void client_drop_call(struct client_call *call)
{
	struct room_client *c = call->client;
	connection_forget(c->connection, call);
	DL_DELETE(c->calls, call);
	free(call);
}

void room_client_exit(struct room_client *c)
{
	if (room_subscription_has_room(c->subscription)) {
		struct client_call *call;
		struct client_call *next;
		DL_FOREACH_SAFE (c->calls, call, next) {
			if (call->is_of_room) {
				client_drop_call(call);
			}
		}
		offline_queue_finish(&c->held);
		(void)uv_timer_stop(&c->snapshot);
		room_subscription_exit(c->subscription);
	}
}

struct membership *room_client_membership(struct room_client *c)
{
	return c->membership;
}

void room_client_go(struct room_client *c)
{
	room_subscription_go(c->subscription);
}

/* ---- requests ---- */

static bool client_shows_all(struct room_client *c)
{
	return c->calls == NULL && membership_is_settled(c->membership);
}

bool room_client_is_settled(struct room_client *c)
{
	return c->held.n == 0 && client_shows_all(c);
}

bool room_client_hold(struct room_client *c, struct request *r)
{
	return offline_queue_push(&c->held, &c->membership->room, r);
}

const struct offline_queue *room_client_held(const struct room_client *c)
{
	return &c->held;
}

/* After anything that may have brought the room, or the connection, back. */
static void client_send_held(struct room_client *c)
{
	while (!c->is_closing && c->held.n > 0 && connection_is_up(c->connection) &&
	       client_shows_all(c)) {
		struct buf why;
		buf_init(&why, CLIENT_DROPPED_BYTES_MAX);
		struct request *r =
			offline_queue_next(&c->held, &c->membership->room, c->refuses, &why);
		(void)buf_append(&why, "", 1);
		(void)memory_check(why.error);
		client_emit(c, &(struct event){.kind = EVENT_HELD,
					       .request = r,
					       .why = why.error == OK ? why.data : ""});
		request_free(r);
		buf_finish(&why);
	}
}

/* The result of most changes of a room says which version of it shows them. */
static void client_note_version(struct room_client *c, const struct reply *r)
{
	int64_t version;
	const struct field *f = record_field(method_rows[r->method].result, SLICE("version"));
	if (r->result != NULL && f != NULL && field_with(f, r->result)) {
		memcpy(&version, field_member(f, r->result), sizeof(version));
		membership_must_show(c->membership, version);
	}
}

static void client_on_answer(void *arg, const struct answer *a)
{
	struct client_call call = *(struct client_call *)arg;
	struct room_client *c = call.client;
	struct arena arena = {0};
	struct reply r;
	DL_DELETE(c->calls, (struct client_call *)arg);
	free(arg);
	reply_read(&r, a, call.is_by_name, &arena);
	if (call.is_of_room) {
		client_note_version(c, &r);
	}
	if (!client_is_over(c) || call.owner == c) {
		call.on(call.owner, &r);
	}
	arena_finish(&arena);
	client_send_held(c);
}

static enum err client_send(struct client_call call, struct slice method, struct slice params)
{
	ASSERT(call.on != NULL);
	ASSERT(call.owner != NULL);
	struct client_call *kept = memory_new(1, sizeof(*kept));
	*kept = call;
	enum err e =
		connection_request(call.client->connection, method, params, client_on_answer, kept);
	if (e != OK) {
		free(kept);
		return e;
	}
	DL_APPEND(call.client->calls, kept);
	return OK;
}

enum err room_client_send(struct room_client *c, struct slice method, struct slice params,
			  reply_fn *on, void *owner)
{
	struct client_call call = {.client = c, .on = on, .owner = owner, .is_by_name = true};
	return client_send(call, method, params);
}

enum err room_client_call(struct room_client *c, enum method method, const void *params,
			  reply_fn *on, void *owner)
{
	const struct method_row *row = &method_rows[method];
	struct client_call call = {
		.client = c,
		.on = on,
		.owner = owner,
		.is_of_room = room_subscription_has_room(c->subscription) &&
			      record_field(row->params, SLICE("room_id")) != NULL,
	};
	struct buf bytes;
	enum err e = request_write(method, params, &bytes);
	if (e == OK) {
		e = client_send(call, slice_str(row->name), buf_slice(&bytes));
	}
	buf_finish(&bytes);
	return e;
}

enum err room_client_request(struct room_client *c, struct request *r, reply_fn *on, void *owner)
{
	unsigned char bytes[SEED_BYTES];
	randombytes_buf(bytes, sizeof(bytes));
	struct key_text once = key_from_bytes(bytes);
	const struct request_common common = {
		.room_id = c->membership->room_id,
		.host_key = c->membership->host_key,
		.idempotency_key = once.text,
	};
	request_fill_common(r, &common);
	return room_client_call(c, r->method, r->params, on, owner);
}

void room_client_stay(struct room_client *c)
{
	connection_stay(c->connection);
}

void room_client_forget(struct room_client *c, const void *owner)
{
	struct client_call *call;
	struct client_call *next;
	DL_FOREACH_SAFE (c->calls, call, next) {
		if (call->owner == owner) {
			client_drop_call(call);
		}
	}
}

/* ---- the connection's news ---- */

/* What the membership asks leaves with hello. */
static void client_on_open(void *owner)
{
	struct room_client *c = owner;
	c->wait.is_lost = false;
	room_subscription_up(c->subscription);
	client_emit(c, &(struct event){.kind = EVENT_OPEN});
}

static void client_on_move(void *owner)
{
	struct room_client *c = owner;
	room_subscription_move(c->subscription);
}

static void client_on_up(void *owner)
{
	struct room_client *c = owner;
	c->wait.was_up = true;
	client_emit(c, &(struct event){.kind = EVENT_UP});
	client_send_held(c);
}

static void client_on_silent(void *owner)
{
	client_emit(owner, &(struct event){.kind = EVENT_SILENT});
}

static void client_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct room_client *c = owner;
	c->wait.is_lost = true;
	if (c->end == CLIENT_RUNS) { /* else it says how it ended */
		errmsg_set(&c->wait.why, "%s", why);
	}
	room_subscription_down(c->subscription);
	if (c->is_running && !c->wait.was_up) {
		client_end(c, CLIENT_LOST);
	}
	client_emit(c, &(struct event){.kind = EVENT_DOWN, .why = why, .retry_ms = retry_ms});
}

/* Read once, for the handler and for the room. */
static void client_on_notice(void *owner, struct slice name, const struct msgpack_object *params)
{
	struct room_client *c = owner;
	struct event event = {.kind = EVENT_NOTICE,
			      .notice = notice_find(name),
			      .name = name,
			      .value = params};
	struct arena arena = {0};
	if (event.notice != NOTICE_COUNT && params != NULL) {
		event.update = reply_read_record(notice_rows[event.notice].record, params, &arena);
	}
	event.notice = event.update == NULL ? NOTICE_COUNT : event.notice;
	client_emit(c, &event);
	if (event.update != NULL) {
		room_subscription_notice(c->subscription, event.notice, event.update);
	}
	arena_finish(&arena);
}

static const struct connection_handler client_connection_handler = {
	.on_open = client_on_open,
	.on_move = client_on_move,
	.on_up = client_on_up,
	.on_silent = client_on_silent,
	.on_down = client_on_down,
	.on_notice = client_on_notice,
};

bool room_client_is_asking(const struct room_client *c)
{
	return connection_is_asking(c->connection);
}

bool room_client_is_open(const struct room_client *c)
{
	return connection_is_open(c->connection);
}

bool room_client_is_up(const struct room_client *c)
{
	return connection_is_up(c->connection);
}

int64_t room_client_server_ms(const struct room_client *c)
{
	return connection_server_ms(c->connection);
}

const char *room_client_web(const struct room_client *c)
{
	return connection_web(c->connection);
}

int64_t room_client_waits_ms(const struct room_client *c)
{
	return connection_waits_ms(c->connection);
}

static void client_on_wake(uv_timer_t *timer)
{
	client_emit(timer->data, &(struct event){.kind = EVENT_WAKE});
}

void room_client_wake_in(struct room_client *c, int64_t ms)
{
	(void)uv_timer_start(&c->wake, client_on_wake, (uint64_t)ms, 0);
}

/* ---- running ---- */

static void client_on_loop_event(void *owner, const struct event *event)
{
	struct room_client *c = owner;
	if (event->kind == EVENT_SIGNAL) {
		client_end(c, CLIENT_STOPPED);
	} else {
		client_emit(c, event);
	}
}

static bool client_has_ended(const void *arg)
{
	const struct room_client *c = arg;
	return c->end != CLIENT_RUNS;
}

enum room_client_end room_client_run(struct room_client *c, int64_t timeout_ms, struct fault *fault,
				     struct errmsg *why)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	c->is_running = true;
	loop_watch_signals(c->loop, numbers, sizeof(numbers) / sizeof(numbers[0]));
	if (!loop_run(c->loop, client_has_ended, c, timeout_ms)) {
		c->end = CLIENT_TIMED_OUT;
	}
	*fault = c->fault;
	*why = c->wait.why;
	return c->end;
}

void room_client_stop(struct room_client *c)
{
	client_end(c, CLIENT_STOPPED);
}

struct loop *room_client_loop(struct room_client *c)
{
	return c->loop;
}

struct room_client_wait *room_client_waiting(struct room_client *c)
{
	return &c->wait;
}

/* ---- life ---- */

struct room_client *room_client_open(struct loop *loop, const struct room_client_options *o)
{
	struct room_client *c = memory_new(1, sizeof(*c));
	c->has_own_loop = loop == NULL;
	c->loop = c->has_own_loop ? &c->own_loop : loop;
	if (c->has_own_loop) {
		loop_open(&c->own_loop, client_on_loop_event, c);
	}
	c->wait.address = o->address;
	c->on_event = o->on_event;
	c->owner = o->owner;
	(void)uv_timer_init(&c->loop->uv, &c->wake);
	c->wake.data = c;
	(void)uv_timer_init(&c->loop->uv, &c->snapshot);
	c->snapshot.data = c;
	buf_init(&c->wait.bytes, TRANSPORT_FRAME_BYTES);
	c->connection = connection_open(&c->loop->uv, &o->address, o->keeps_trying,
					&client_connection_handler, c);
	connection_sign_in(c->connection, o->sign_in);
	connection_name_room(c->connection, slice_str(o->room_id == NULL ? "" : o->room_id));
	c->subscription = room_subscription_open(c->loop, c->connection, client_on_news, c);
	c->membership = room_subscription_membership(c->subscription);
	return c;
}

void room_client_listen(struct room_client *c, event_cb on_event, void *owner)
{
	c->on_event = on_event;
	c->owner = owner;
}

static void client_free(struct room_client *c)
{
	struct client_call *call;
	struct client_call *next;
	DL_FOREACH_SAFE (c->calls, call, next) {
		free(call);
	}
	offline_queue_finish(&c->held);
	buf_finish(&c->wait.bytes);
	free(c);
}

static void client_on_closed(uv_handle_t *handle)
{
	struct room_client *c = handle->data;
	if (!c->has_own_loop) {
		client_free(c);
	}
}

static void client_on_snapshot_closed(uv_handle_t *handle)
{
	struct room_client *c = handle->data;
	uv_close((uv_handle_t *)&c->wake, client_on_closed);
}

void room_client_close(struct room_client *c)
{
	if (c == NULL || c->is_closing) {
		return;
	}
	c->is_closing = true;
	room_subscription_close(c->subscription);
	connection_close(c->connection);
	uv_close((uv_handle_t *)&c->snapshot, client_on_snapshot_closed);
	if (c->has_own_loop) {
		loop_close(&c->own_loop);
		client_free(c);
	}
}
