/*
 * conn.c - a connection: bytes in, whole messages on to request.c, answers out.
 *
 * Happy path: bytes arrive, messages are found in place, handled at once, and
 * nothing of them is kept. Otherwise:
 *   half a message      kept in c->unread until the rest comes, at most FRAME_MS
 *   too much unanswered what is left is kept, reading pauses, and goes on when answers have left
 *   too much asked for  the same, and goes on in time: a client that waits needs no code for it,
 *                       as it would for a refusal
 *   no message at all   the connection ends, with the reason
 *   no byte taken       for STALL_MS: the connection ends; its client resumes when it reconnects
 */
#include "server/core/conns/conn.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/base/wipe.h"
#include "server/core/conns/forward.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/conns/send_queue.h"
#include "server/core/rooms/subscription.h"
#include "server/core/server_priv.h"
#include "server/core/timers.h"
#include "server/core/txn/session_cache.h"
#include "server/core/txn/topic.h"

/* So far ahead of its rate of bytes a connection may be before it is read later. */
#define ANSWERS_AHEAD_MS 1000

uint64_t conn_number(const struct conn *c)
{
	return ((uint64_t)c->id.generation << 32 | c->id.slot) + 1;
}

bool conn_id_eq(struct conn_id a, struct conn_id b)
{
	return a.slot == b.slot && a.generation == b.generation;
}

struct conn *conn_find(struct server *s, struct conn_id id)
{
	struct conn *c = id.slot < s->conns_capacity ? s->conns[id.slot] : NULL;
	return c != NULL && c->id.generation == id.generation ? c : NULL;
}

bool conn_is_kiosk(const struct server *s, const struct conn *c)
{
	bool is_of_host =
		s->config.has_kiosk && c->peer_kind == PEER_UNIX && c->uid == s->config.kiosk_uid;
	return c->is_forwarded ? c->is_kiosk : is_of_host;
}

struct key_text conn_nonce(const struct server *s, const struct conn *c)
{
	unsigned char bytes[SEED_BYTES];
	derive_bytes(s->nonce_key, "nonce", slice_of((const char *)&c->hello, sizeof(c->hello)),
		     bytes, sizeof(bytes));
	return key_from_bytes(bytes);
}

static bool conn_make_room(struct server *s, uint32_t slot)
{
	if (slot < s->conns_capacity) {
		return true;
	}
	size_t capacity = s->conns_capacity == 0 ? 64 : s->conns_capacity * 2;
	capacity = capacity <= slot ? (size_t)slot + 1 : capacity;
	struct conn **conns = realloc(s->conns, capacity * sizeof(*conns));
	if (conns == NULL) {
		return false;
	}
	memset(conns + s->conns_capacity, 0, (capacity - s->conns_capacity) * sizeof(*conns));
	s->conns = conns;
	s->conns_capacity = capacity;
	return true;
}

static void conn_close(struct server *s, struct conn *c)
{
	c->is_closing = true;
	if (!c->close_sent) {
		/* Closing writes what waits, and nothing leaves a frozen server. */
		bool may_close = !s->is_frozen || c->send_queue == NULL;
		c->close_sent = may_close &&
				server_effect(s, &(struct effect){.kind = FX_CLOSE, .conn = c->id});
		if (!c->close_sent) {
			timers_set(&s->timers, &c->timer, s->now.mono_ms + 1000);
		}
	}
}

/* A connection of an address that has too many ends, with the reason; no state is kept for it beyond that. */
static bool conn_admit(struct server *s, struct conn *c, const struct peer *peer)
{
	if (peer->kind == PEER_UNIX && peer->is_owner) {
		return true;
	}
	c->guesser = address_get(s, peer);
	if (c->guesser == NULL) {
		conn_end(s, c, "the server is out of memory; try again later");
		return false;
	}
	if (peer->kind == PEER_NETWORK &&
	    c->guesser->connections > server_limit(s, LIMIT_CONNECTIONS_PER_ADDRESS)) {
		s->counters.connections_refused++;
		conn_end(s, c, "too many connections from your address");
		return false;
	}
	return true;
}

void conn_open(struct server *s, struct conn_id id, const struct peer *peer)
{
	struct conn *c = calloc(1, sizeof(*c));
	if (c == NULL || !conn_make_room(s, id.slot) ||
	    !timers_reserve(&s->timers, s->conns_n + 1 + s->partitions_n)) {
		free(c);
		(void)server_effect(s, &(struct effect){.kind = FX_CLOSE, .conn = id});
		return;
	}
	ASSERT(s->conns[id.slot] == NULL);
	s->conns[id.slot] = c;
	s->conns_n++;
	s->counters.connections_total++;
	s->counters.arrivals_total += peer->is_forwarded;
	s->counters.connections_now++;
	c->id = id;
	c->peer_kind = (unsigned char)peer->kind;
	c->is_owner = peer->is_owner;
	c->is_forwarded = peer->is_forwarded;
	c->is_kiosk = peer->is_kiosk;
	c->uid = peer->uid;
	c->opened_mono = s->now.mono_ms;
	c->timer.owner = TIMER_CONN;
	if (s->is_stopping) {
		conn_end(s, c, "the server was stopped");
	} else if (conn_admit(s, c, peer)) {
		timers_set(&s->timers, &c->timer, s->now.mono_ms + server_limit(s, LIMIT_HELLO_MS));
	}
}

static void conn_drop_unread(struct conn *c)
{
	if (c->unread != NULL) {
		buf_finish(&c->unread->bytes);
		free(c->unread);
		c->unread = NULL;
	}
}

static void conn_leave_rooms(struct server *s, struct conn *c)
{
	for (struct pass *pass = c->passes; pass != NULL; pass = pass->next) {
		if (pass_subscription(pass) != NULL) {
			subscription_remove(s, &pass->subscription);
		}
	}
}

void conn_destroy(struct server *s, struct conn *c)
{
	conn_leave_rooms(s, c);
	while (c->passes != NULL) {
		struct pass *pass = c->passes;
		LL_DELETE(c->passes, pass);
		wipe(pass, sizeof(*pass)); /* it has the seat's key */
		free(pass);
	}
	if (c->to_resume) {
		DL_DELETE2(s->resuming, c, resume_prev, resume_next);
	}
	fanout_forget(s, c);
	timers_cancel(&s->timers, &c->timer);
	address_release(s, c->guesser);
	topic_forget_conn(s, c);
	user_conns_leave(s, c);
	session_unref(s, c->session);
	conn_drop_unread(c);
	send_queue_drop(s, c);
	free(c->hosts);
	s->conns[c->id.slot] = NULL;
	s->conns_n--;
	s->counters.connections_now--;
	s->counters.forwards_now -= c->is_away;
	free(c);
}

/* ---- sending ---- */

void conn_send(struct server *s, struct conn *c, struct slice bytes)
{
	if (c->is_closing) {
		return;
	}
	if (!send_queue_add(s, c, bytes, false)) {
		conn_lose(s, c);
		return;
	}
	if (s->is_frozen) {
		c->is_refused = false; /* but for cluster_refuse(): it waits, with all behind it */
	}
	fanout_ready(s, c);
}

void conn_send_full(struct server *s, struct conn *c, struct slice bytes, struct frame *f)
{
	conn_send(s, c, bytes);
	if (!c->is_closing && !send_queue_quote(s, c, f, f->body, true)) {
		conn_lose(s, c); /* a message is cut */
	}
}

void conn_charge(struct server *s, struct conn *c, size_t bytes)
{
	int64_t rate = server_limit(s, LIMIT_ANSWER_BYTES_PER_SECOND);
	if (!c->is_owner) {
		bucket_charge(&c->answers, s->now.mono_ms, (int64_t)bytes * 1000000 / rate);
	}
}

/* When the next request is read: it may be a second's answers ahead. */
static int64_t conn_answers_due(const struct conn *c)
{
	return c->answers.drained_at_us / 1000 - ANSWERS_AHEAD_MS;
}

void conn_lose(struct server *s, struct conn *c)
{
	conn_leave_rooms(s, c);
	conn_close(s, c);
}

void conn_cut(struct server *s, struct conn *c)
{
	conn_leave_rooms(s, c);
	conn_drop_unread(c);
	fanout_forget(s, c);
	send_queue_drop(s, c);
	conn_close(s, c);
}

void conn_end(struct server *s, struct conn *c, const char *reason)
{
	if (c->is_closing) {
		return;
	}
	if (c->is_away) {
		conn_lose(s, c); /* what its room's home sends to it may be cut anywhere */
		return;
	}
	struct buf notice = {.max = 1024};
	struct closing_notice n = {.reason = slice_str(reason)};
	rpc_write_notice(&notice, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name),
			 &record_closing_notice, &n);
	if (notice.error == OK) {
		conn_send(s, c, buf_slice(&notice));
	}
	buf_finish(&notice);
	conn_leave_rooms(s, c);
	conn_drop_unread(c);
	conn_close(s, c);
}

static void conn_send_buf(struct server *s, struct conn *c, struct buf *b)
{
	if (b->error == OK) {
		conn_charge(s, c, b->len);
		conn_send(s, c, buf_slice(b));
	} else {
		conn_end(s, c, "the server is out of memory; connect again");
	}
	buf_finish(b);
}

void conn_refuse(struct server *s, struct conn *c, enum method method, uint32_t msgid,
		 const struct fault *fault)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	counters_answered(&s->counters, method, fault->code);
	rpc_write_fault(&b, msgid, fault);
	conn_send_buf(s, c, &b);
}

void conn_result(struct server *s, struct conn *c, enum method method, uint32_t msgid,
		 const struct record *rec, const void *result)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	counters_answered(&s->counters, method, FAULT_NONE);
	rpc_write_result(&b, msgid, rec, result);
	conn_send_buf(s, c, &b);
}

void conn_answered(struct server *s, struct conn *c)
{
	ASSERT_CMP(c->pending, >, 0);
	c->pending--;
	ASSERT(c->pending > 0 || c->owed == 0);
	conn_resume_soon(s, c);
}

/* ---- bytes in ---- */

/* The length of an answer that waits for its room to be loaded is not known, nor what a request that waits for facts will
 * have changed: one at a time. */
static bool conn_must_wait(const struct server *s, const struct conn *c)
{
	return c->pending >= MAX_REQUESTS_PENDING || c->parked_alone > 0 ||
	       send_queue_len(c) + c->owed >= MAX_OUT_BYTES ||
	       conn_answers_due(c) > s->now.mono_ms || (s->is_frozen && !s->is_refusing) ||
	       session_is_in_doubt(s, c->session);
}

void conn_break(struct server *s, struct conn *c, const char *reason)
{
	s->counters.broken_frames++;
	server_log(s, LOG_INFO, "event=broken_frame conn=%u.%u reason=\"%s\"", c->id.slot,
		   c->id.generation, reason);
	conn_end(s, c, reason);
}

void conn_break_for(struct server *s, struct conn *c, struct slice reason)
{
	char text[MAX_CLOSING_REASON_BYTES + 1];
	size_t len = format_to(text, sizeof(text), "%.*s", (int)reason.len, reason.data);
	for (size_t i = 0; i < len; i++) {
		text[i] = text[i] == '"' ? '\'' : text[i]; /* it is between such in the log */
	}
	conn_break(s, c, len == 0 ? CONN_NO_MESSAGE : text);
}

/*
 * Take whole messages from the front of `in`; returns how many bytes were used.
 * *scan is where the search for the next one stands.
 */
static size_t conn_take_messages(struct server *s, struct conn *c, struct frame_scan *scan,
				 struct slice in)
{
	size_t used = 0;
	while (used < in.len && !c->is_closing && !c->is_away && !conn_must_wait(s, c)) {
		struct slice rest = slice_of(in.data + used, in.len - used);
		enum err e =
			frame_scan_value(scan, rest,
					 c->is_greeted ? MAX_FRAME_BYTES : MAX_FRAME_BYTES_GUEST);
		if (e == ERR_MORE) {
			break;
		}
		if (e != OK) {
			conn_break(s, c,
				   e == ERR_TOO_LARGE
					   ? "a message was larger or deeper than the limits allow"
					   : CONN_NO_MESSAGE);
			break;
		}
		size_t len = scan->at;
		frame_scan_init(scan);
		request_take(s, c, slice_of(rest.data, len));
		used += len;
		if (c->is_away) {
			forward_send(s, c, rest);
			used = in.len;
		}
	}
	return used;
}

static bool conn_keep(struct server *s, struct conn *c, struct slice rest,
		      const struct frame_scan *scan)
{
	struct unread *u = calloc(1, sizeof(*u));
	if (u == NULL) {
		return false;
	}
	/* What one read brings, and one message: reading pauses before more could come. */
	buf_init(&u->bytes, 4 * (size_t)MAX_FRAME_BYTES);
	u->scan = *scan;
	u->since_mono = s->now.mono_ms;
	c->unread = u;
	timers_set_earlier(&s->timers, &c->timer, s->now.mono_ms + server_limit(s, LIMIT_FRAME_MS));
	return buf_append_slice(&u->bytes, rest) == OK;
}

/* Reading pauses while answers are owed and resumes when they have left; each is one effect. */
static void conn_set_paused(struct server *s, struct conn *c, bool paused)
{
	if (c->is_away) {
		return; /* how fast it is read is no concern of the core's any more */
	}
	if (c->is_paused != paused && !c->is_closing &&
	    server_effect(s,
			  &(struct effect){.kind = paused ? FX_PAUSE : FX_RESUME, .conn = c->id})) {
		c->is_paused = paused;
	}
	if (c->is_paused && conn_answers_due(c) > s->now.mono_ms) {
		timers_set_earlier(&s->timers, &c->timer, conn_answers_due(c));
	}
}

static void conn_take_unread(struct server *s, struct conn *c)
{
	struct unread *u = c->unread;
	size_t used = conn_take_messages(s, c, &u->scan, buf_slice(&u->bytes));
	if (c->is_closing) {
		return; /* its unread bytes went with it */
	}
	buf_drop(&u->bytes, used);
	if (used > 0 || c->is_paused) {
		u->since_mono = s->now.mono_ms; /* the time it waited for us is not the peer's */
	}
	if (u->bytes.len == 0) {
		conn_drop_unread(c);
	} else {
		timers_set_earlier(&s->timers, &c->timer,
				   u->since_mono + server_limit(s, LIMIT_FRAME_MS));
	}
	conn_set_paused(s, c, conn_must_wait(s, c));
}

void conn_bytes(struct server *s, struct conn *c, struct slice bytes)
{
	s->counters.bytes_in += bytes.len;
	if (c->is_closing || c->is_away || bytes.len == 0) {
		return;
	}
	if (c->session != NULL) {
		session_look(s, c->session);
	}
	if (c->unread == NULL) {
		struct frame_scan scan;
		frame_scan_init(&scan);
		size_t used = conn_take_messages(s, c, &scan, bytes);
		struct slice rest = slice_of(bytes.data + used, bytes.len - used);
		if (!c->is_closing && rest.len > 0 && !conn_keep(s, c, rest, &scan)) {
			conn_end(s, c, "the server is out of memory; connect again");
		}
		if (!c->is_closing) {
			conn_set_paused(s, c, conn_must_wait(s, c));
		}
		return;
	}
	if (buf_append_slice(&c->unread->bytes, bytes) != OK) {
		conn_end(s, c, "too much is waiting for you; connect again");
		return;
	}
	conn_take_unread(s, c);
}

/* A peer that sends no more, and has been sent every answer. */
static bool conn_is_done(const struct conn *c)
{
	return c->is_eof && c->pending == 0 && c->send_queue == NULL && !c->is_paused;
}

void conn_resume_soon(struct server *s, struct conn *c)
{
	bool waits = c->is_paused && !conn_must_wait(s, c);
	if ((waits || conn_is_done(c)) && !c->is_closing && !c->to_resume) {
		c->to_resume = true;
		DL_APPEND2(s->resuming, c, resume_prev, resume_next);
	}
}

void conn_eof(struct server *s, struct conn *c)
{
	c->is_eof = !c->is_away;
	conn_resume_soon(s, c);
}

void conn_resume_all(struct server *s)
{
	/* Up to the one that is last now: each once a turn. */
	struct conn *stop = s->resuming == NULL ? NULL : s->resuming->resume_prev;
	while (s->resuming != NULL) {
		struct conn *c = s->resuming;
		DL_DELETE2(s->resuming, c, resume_prev, resume_next);
		c->to_resume = false;
		if (c->is_paused && c->unread != NULL) {
			conn_take_unread(s, c);
		} else if (c->is_paused) {
			conn_set_paused(s, c, conn_must_wait(s, c));
		}
		if (conn_is_done(c)) {
			conn_lose(s, c);
		}
		if (c == stop) {
			break;
		}
	}
}

/* ---- time ---- */

void conn_timer(struct server *s, struct conn *c)
{
	int64_t now = s->now.mono_ms;
	int64_t next = INT64_MAX;
	if (c->is_closing) {
		conn_close(s, c);
		return;
	}
	if (s->is_frozen) {
		timers_set(&s->timers, &c->timer, now + 1000);
		return;
	}
	if (c->is_away) {
		return;
	}
	if (!c->is_greeted) {
		next = c->opened_mono + server_limit(s, LIMIT_HELLO_MS);
		if (next <= now) {
			conn_end(s, c, "session.hello did not arrive in time");
			return;
		}
	}
	/* What waits because answers are owed is not the peer's delay. */
	if (c->unread != NULL && !c->is_paused) {
		int64_t due = c->unread->since_mono + server_limit(s, LIMIT_FRAME_MS);
		if (due <= now) {
			conn_break(s, c, "a message was not finished in time");
			return;
		}
		next = due < next ? due : next;
	}
	if (c->is_blocked) {
		int64_t due = c->progress_mono + server_limit(s, LIMIT_STALL_MS);
		if (due <= now) {
			s->counters.connections_stalled++;
			server_log(s, LOG_INFO, "event=stalled conn=%u.%u", c->id.slot,
				   c->id.generation);
			conn_end(s, c, "you read nothing for too long");
			return;
		}
		next = due < next ? due : next;
	}
	if (c->is_paused) {
		int64_t due = conn_answers_due(c);
		if (due <= now) {
			conn_resume_soon(s, c);
		} else {
			next = due < next ? due : next;
		}
	}
	if (next != INT64_MAX) {
		timers_set(&s->timers, &c->timer, next);
	}
}

void conn_thaw(struct server *s, struct conn *c)
{
	c->is_refused = false;
	if (!c->is_greeted && !c->is_away) {
		c->opened_mono = s->now.mono_ms;
	}
	if (c->unread != NULL) {
		c->unread->since_mono = s->now.mono_ms;
	}
	if (c->is_blocked) {
		c->progress_mono = s->now.mono_ms;
	}
	if (c->is_closing) {
		conn_close(s, c);
	} else {
		conn_resume_soon(s, c);
	}
}

/* ---- rights it has proved ---- */

/* Of hashes, so it need not take the same time whatever they are. */
bool conn_is_host(const struct conn *c, const struct key_text *host_hash)
{
	for (size_t i = 0; i < c->hosts_n; i++) {
		if (memcmp(c->hosts[i].text, host_hash->text, KEY_CHARS) == 0) {
			return true;
		}
	}
	return false;
}

struct pass *conn_pass(struct conn *c, const char *room_id)
{
	struct pass *pass;
	LL_FOREACH (c->passes, pass) {
		if (strcmp(pass->room_id, room_id) == 0) {
			return pass;
		}
	}
	return NULL;
}

void conn_keep_host(struct conn *c, const struct key_text *host_hash)
{
	if (conn_is_host(c, host_hash)) {
		return;
	}
	if (c->hosts_n == MAX_CONNECTION_HOSTS) {
		c->hosts[c->hosts_next] = *host_hash;
		c->hosts_next = (unsigned short)((c->hosts_next + 1) % MAX_CONNECTION_HOSTS);
		return;
	}
	if ((c->hosts_n & (c->hosts_n - 1)) == 0) { /* it is full: 1, 2, 4, ... */
		size_t capacity = c->hosts_n == 0 ? 1 : 2 * (size_t)c->hosts_n;
		struct key_text *hosts = realloc(c->hosts, capacity * sizeof(*hosts));
		if (hosts == NULL) {
			return;
		}
		c->hosts = hosts;
	}
	c->hosts[c->hosts_n++] = *host_hash;
}

/* The oldest pass that follows nothing any more; NULL: all do. */
static struct pass *conn_idle_pass(const struct conn *c)
{
	struct pass *pass;
	LL_FOREACH (c->passes, pass) {
		if (pass_subscription(pass) == NULL) {
			return pass;
		}
	}
	return NULL;
}

bool conn_may_pass(struct conn *c, const char *room_id)
{
	return conn_pass(c, room_id) != NULL || c->passes_n < MAX_CONNECTION_ROOMS ||
	       conn_idle_pass(c) != NULL;
}

struct pass *conn_pass_make(struct conn *c, const char *room_id)
{
	struct pass *pass = conn_pass(c, room_id);
	if (pass != NULL || !conn_may_pass(c, room_id) ||
	    (pass = calloc(1, sizeof(*pass))) == NULL) {
		return pass;
	}
	if (c->passes_n >= MAX_CONNECTION_ROOMS) {
		struct pass *idle = conn_idle_pass(c);
		LL_DELETE(c->passes, idle);
		c->passes_n--;
		wipe(idle, sizeof(*idle));
		free(idle);
	}
	strcpy(pass->room_id, room_id);
	LL_APPEND(c->passes, pass);
	c->passes_n++;
	return pass;
}
