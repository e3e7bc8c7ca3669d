/*
 * request_room.c - a request on a room: find it, find its caller, call, answer.
 *
 * A refusal that depends on a room's state waits for what it depends on to be
 * durable, as every answer does.
 */
#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/guess_limit.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/directory_rooms.h"
#include "server/core/rooms/parked.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"
#include "server/domain/base/idempotency.h"
#include "server/domain/base/user_key.h"

/* ---- rights ---- */

/*
 * Who asks: by a key in params, else as the seat this connection follows the
 * room on, else by a key it has sent before.
 */
static void caller_find(const struct server *s, const struct request *rq, struct room *r,
			struct pass *pass, struct room_caller *who)
{
	struct slice key = param_text(rq, SHARED_USER_KEY);
	const struct subscription *sub = pass_subscription(pass);
	struct seat *seat = sub == NULL ? NULL : sub->seat;
	if (key.len == 0 && seat != NULL && !seat_is_gone(seat)) {
		who->seat = seat;
		who->is_on_seat = true;
		who->user_hash = *seat_key_hash(seat);
		return;
	}
	if (key.len == 0 && pass != NULL) {
		key = slice_str(pass->user_key.text);
	}
	if (key.len > 0) {
		who->user_hash = user_key_hash(s->config.server_key, key);
		who->seat = room_seat_by_key(r, &who->user_hash);
	}
}

/* A key that was sent and is right need not be sent again on this connection. */
static void caller_remember(const struct request *rq, const struct partition *p,
			    const struct room_caller *who)
{
	bool new_user = param_text(rq, SHARED_USER_KEY).len > 0 && who->seat != NULL;
	bool new_host = who->sent_host_key && who->has_host_key;
	if (new_host) {
		conn_keep_host(rq->conn, room_host_hash(p->room));
	}
	struct pass *pass = new_user ? conn_pass_make(rq->conn, p->room_id) : NULL;
	if (pass != NULL &&
	    pass_subscription(pass) == NULL) { /* else the key has to be sent again, no more */
		memcpy(pass->user_key.text, param_text(rq, SHARED_USER_KEY).data, KEY_CHARS);
	}
}

/*
 * Whether the caller has proved something, or may still guess. Where
 * the room asks strangers for a passcode, having been there proves nothing: it
 * is the passcode that would be tried.
 */
static bool caller_may_ask(struct server *s, const struct partition *p, const struct request *rq,
			   const struct room_caller *who, struct fault *fault)
{
	return rq->runs > 0 || who->seat != NULL || who->has_host_key ||
	       (room_is_open(p->room) && !rq->is_guess) || guess_wait_ms(s, rq->conn) == 0 ||
	       room_account_seat(p->room, s->config.server_key, conn_user(s, rq->conn).id) !=
		       NULL ||
	       guess_may(s, rq->conn, fault);
}

const struct room_facts *request_facts(const struct request *rq, struct slice user_id)
{
	return rq->facts != NULL && slice_eq(rq->facts->user_id, user_id) ? rq->facts : NULL;
}

/* True where the request waits for facts about its caller, or was refused as it cannot. */
static bool caller_must_wait(struct server *s, struct partition *p, struct request *rq,
			     struct room_caller *who)
{
	struct facts_wanted wanted;
	struct conn_user user = conn_user(s, rq->conn);
	who->keyed_id = user.is_keyed ? user.id : (struct slice){0};
	who->facts = request_facts(rq, user.id);
	if (who->facts != NULL ||
	    !room_wants_facts(p->room, rq->method, &rq->params, who, &wanted) ||
	    room_ask(s, p, rq, &wanted)) {
		return rq->waits;
	}
	request_refuse_for(s, rq, FAULT_UNAVAILABLE, FACTS_UNREAD);
	return true;
}

/* ---- repeats ---- */

struct idempotency_id {
	char text[ONCE_KEY_BYTES_MAX];
	size_t len; /* 0: the call has no key, or no caller to distinguish it by */
};

static struct idempotency_id idempotency_id_of(const struct request *rq, const struct room *r,
					       const struct room_caller *who)
{
	struct idempotency_id id = {.len = 0};
	struct slice key = param_text(rq, SHARED_IDEMPOTENCY_KEY);
	const struct key_text *caller = who->user_hash.text[0] != '\0' ? &who->user_hash : NULL;
	if (caller == NULL && who->has_host_key) {
		caller = room_host_hash(r);
	}
	if (key.len == 0 || caller == NULL) {
		return id;
	}
	memcpy(id.text, caller->text, KEY_CHARS);
	id.text[KEY_CHARS] = '#';
	memcpy(id.text + KEY_CHARS + 1, key.data, key.len);
	id.len = KEY_CHARS + 1 + key.len;
	return id;
}

/* True where the call was a repeat and has been answered. */
static bool idempotency_answer(struct server *s, struct partition *p, struct request *rq,
			       const struct idempotency_id *id)
{
	struct idempotent_result *o = id->len == 0 ? NULL
						   : idempotency_find(room_idempotency(p->room),
								      slice_of(id->text, id->len));
	if (o == NULL) {
		return false;
	}
	if (o->method != rq->method) {
		struct fault fault;
		fault_field(&fault, "idempotency_key", "was used for another method");
		unit_fault(s, p, rq, &fault);
	} else {
		unit_result_raw(s, p, rq, slice_of(o->result, o->result_len));
	}
	return true;
}

static void idempotency_remember(struct server *s, struct partition *p, const struct request *rq,
				 const struct idempotency_id *id, const union method_result *result)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	int64_t now = s->now.wall_ms;
	if (id->len == 0 || room_is_deleted(p->room)) {
		return;
	}
	record_write(method_rows[rq->method].result, result, &b);
	if (b.error != OK ||
	    !idempotency_add(room_idempotency(p->room), slice_of(id->text, id->len), rq->method,
			     buf_slice(&b), now, now + MAX_ONCE_LIFE_MS, true)) {
		p->is_broken =
			true; /* a change that cannot be recognised when repeated must not happen */
	}
	buf_finish(&b);
}

/* ---- a loaded room ---- */

struct room_call room_call_of(struct server *s, struct conn *c, struct fault *fault)
{
	struct conn_user user = conn_user(s, c);
	return (struct room_call){
		.account_id = user.id,
		.account_name = user.name,
		.is_keyed = user.is_keyed,
		.caller = conn_number(c),
		.random = &s->random,
		.server_key = s->config.server_key,
		.wall_ms = s->now.wall_ms,
		.mono_ms = s->now.mono_ms,
		.limits = s->config.limits,
		.arena = &s->scratch,
		.fault = fault,
		.server = s,
		.conn = c,
		.user_is_watched = user_may_be_watched,
	};
}

void request_take_growth(struct server *s, struct partition *p, const struct request *rq)
{
	int64_t bytes = room_take_growth(p->room);
	if (rq->runs == 0) {
		room_bytes_take(s, rq->conn, bytes);
	}
}

static int64_t growth_wait_ms(const struct room_call *call, int64_t bytes)
{
	return room_bytes_wait_ms(call->server, call->conn, bytes);
}

static enum fault_code call_room(struct server *s, struct partition *p, struct request *rq,
				 struct room_caller *who, union method_result *result,
				 struct fault *fault)
{
	bool is_about_connection = method_rows[rq->method].effect == EFFECT_ATTENDS;
	const struct subscription *own = pass_subscription(conn_pass(rq->conn, p->room_id));
	struct room_subscriber subscriber;
	struct room_call call = room_call_of(s, rq->conn, fault);
	call.method = rq->method;
	call.params = &rq->params;
	call.result = result;
	call.seat = who->seat;
	call.is_on_seat = own != NULL && own->seat == who->seat;
	call.has_host_key = who->has_host_key;
	call.page = rq->page;
	call.facts = who->facts;
	call.growth_wait_ms = rq->runs > 0 ? NULL : growth_wait_ms;
	if (is_about_connection && !unit_keep_following(s, p, rq->conn)) {
		return fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	if (is_about_connection) {
		subscriber = subscriber_of(s, rq->conn, p->room_id);
		subscriber.seat_wait_ms = rq->runs > 0 ? 0 : subscriber.seat_wait_ms;
		call.subscriber = &subscriber;
	}
	enum fault_code code = room_call(p->room, &call);
	request_take_growth(s, p, rq);
	if (is_about_connection) {
		code = subscriber_settle(s, p, rq, &subscriber, code, fault);
	}
	if (call.wants.n > 0) {
		if (room_page_want(s, p, rq, &call.wants)) {
			rq->waits = true;
		} else {
			fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
		}
	}
	if (call.is_damaged) {
		server_log(s, LOG_ERROR, "event=history_damaged room=%.8s",
			   partition_log_name(s, p).text);
	}
	return code;
}

static void request_in_room(struct server *s, struct partition *p, struct request *rq)
{
	struct fault fault = {0};
	union method_result result;
	struct pass *pass = conn_pass(rq->conn, p->room_id);
	struct room_caller who = {.seat = NULL};
	memset(&result, 0, sizeof(result));
	if (room_is_deleted(p->room)) {
		fault_set(&fault, FAULT_ROOM_NOT_FOUND, "the room was deleted");
		unit_fault(s, p, rq, &fault);
		return;
	}
	caller_find(s, rq, p->room, pass, &who);
	struct slice host_key = param_text(rq, SHARED_HOST_KEY);
	who.sent_host_key = host_key.len > 0;
	if (who.sent_host_key) {
		struct key_text hash = room_hash_host_key(s->config.server_key, host_key);
		who.has_host_key =
			key_hash_eq(room_host_hash(p->room), slice_of(hash.text, KEY_CHARS));
	} else {
		who.has_host_key = conn_is_host(rq->conn, room_host_hash(p->room));
	}
	if (!caller_may_ask(s, p, rq, &who, &fault)) {
		/* As for a room that does not exist, and when that would be. */
		if (!guess_wait_for_nothing(s, rq, p->room_id, &fault)) {
			request_refuse(s, rq, &fault);
		}
		return;
	}
	struct idempotency_id once = idempotency_id_of(rq, p->room, &who);
	if (idempotency_answer(s, p, rq, &once)) {
		return;
	}
	if (caller_must_wait(s, p, rq, &who)) {
		return;
	}
	room_end_removed(p->room, who.facts,
			 &(struct room_now){.mono_ms = s->now.mono_ms,
					    .wall_ms = s->now.wall_ms,
					    .limits = s->config.limits});
	who.seat = who.seat == NULL || seat_is_gone(who.seat) ? NULL : who.seat;
	room_note_facts(p->room, who.seat, who.facts);
	enum fault_code code =
		room_check_stranger(p->room, rq->method, &who, s->config.server_key, &fault);
	if (code == FAULT_ROOM_NOT_FOUND || code == FAULT_PASSCODE_REQUIRED ||
	    code == FAULT_ROOM_LOCKED) {
		struct fault ignored; /* caller_may_ask() saw that it can be paid */
		(void)guess_miss(s, rq, p->room_id, &ignored);
	}
	if (code == FAULT_NONE) {
		code = room_check_caller(p->room, rq->method, &who, s->now.wall_ms, &fault);
	}
	if (code == FAULT_NONE) {
		caller_remember(rq, p, &who);
		code = call_room(s, p, rq, &who, &result, &fault);
	}
	if (rq->waits) {
		return;
	}
	if (code != FAULT_NONE) {
		unit_fault(s, p, rq, &fault);
		return;
	}
	if (rq->runs == 0 && rq->method == METHOD_ROOM_VOTE && result.ROOM_VOTE.has_vote) {
		s->counters.votes_cast++;
	}
	if (who.seat != NULL) {
		room_seen(p->room, who.seat, s->now.mono_ms, s->config.limits);
	}
	idempotency_remember(s, p, rq, &once, &result);
	if (rq->method != METHOD_ROOM_GET) {
		unit_result(s, p, rq, method_rows[rq->method].result, &result);
	} else if (!unit_result_full(s, p, rq)) {
		fault_set(&fault, FAULT_UNAVAILABLE, "the server is out of memory");
		unit_fault(s, p, rq, &fault);
	}
	if (rq->method == METHOD_ROOM_UNSUBSCRIBE) {
		unit_let_stand(p, rq);
	}
}

/* ---- finding the room ---- */

/* @room_id  "" where what was sent can be no code. */
static void refuse_room(struct server *s, struct request *rq, const char *room_id)
{
	struct fault fault = {0};
	if (!rq->is_guess || guess_miss(s, rq, room_id, &fault)) {
		fault_set(&fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN);
	}
	request_refuse(s, rq, &fault);
}

/*
 * Whether there is such a room only its home knows, so this tells nothing of it. It has its price all
 * the same, as a guess has; and callers that may prove something, which is not known here, are told
 * even if nothing is left.
 */
static void refuse_elsewhere(struct server *s, struct request *rq, const char *room_id)
{
	struct fault fault = {0};
	if (rq->is_guess) {
		(void)guess_miss(s, rq, room_id, &fault);
	}
	room_bucket_elsewhere(s, room_id, &fault);
	request_refuse(s, rq, &fault);
}

void request_park(struct server *s, struct partition *p, struct request *rq)
{
	if (!parked_add(&p->parked, rq, NULL)) {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE, ROOMS_FULL);
		return;
	}
	if (rq->parked_in == NULL) {
		rq->conn->pending++;
	}
}

void request_room(struct server *s, struct request *rq)
{
	struct fault fault = {0};
	char room_id[CODE_CHARS_MAX + 1];
	struct partition *p = NULL;
	bool is_code = code_normalise(param_text(rq, SHARED_ROOM_ID), room_id);
	if (rq->parked_in == NULL) {
		rq->is_guess = !is_code || conn_pass(rq->conn, room_id) == NULL;
		if (rq->is_guess && !guess_has_claim(rq) && !guess_may(s, rq->conn, &fault)) {
			request_refuse(s, rq, &fault);
			return;
		}
	}
	if (!is_code) {
		refuse_room(s, rq, "");
		return;
	}
	if (partition_is_elsewhere(s, room_id)) {
		refuse_elsewhere(s, rq, room_id);
		return;
	}
	if (rq->is_guess) {
		p = guess_partition(s, rq->conn, room_id, &fault);
	} else if ((p = partition_get(s, room_id)) == NULL) {
		fault_set(&fault, FAULT_UNAVAILABLE, ROOMS_FULL);
	}
	if (p == NULL) {
		request_refuse(s, rq, &fault);
	} else if (p->state == PARTITION_LOADING) {
		request_park(s, p, rq);
	} else if (p->room == NULL) {
		refuse_room(s, rq, room_id);
	} else {
		rq->conn->pending += rq->parked_in == NULL;
		rq->parked_in = p; /* it has been counted: a refusal from here on gives it back */
		p->used_mono = s->now.mono_ms;
		request_in_room(s, p, rq);
		partition_dirty(s, p);
	}
}
