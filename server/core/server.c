/*
 * server.c - events in, effects out; see server.h.
 */
#include "server/core/server.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/keys/key_hash.h"
#include "proto/link.h"
#include "server/core/cluster/cluster.h"
#include "server/core/command.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/forward.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/conns/send_queue.h"
#include "server/core/expiry.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"
#include "server/core/txn/news.h"
#include "server/core/txn/session_cache.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"

#define ADDRESSES_EVERY_MS 60000

void server_config_defaults(struct server_config *c)
{
	*c = (struct server_config){.room_code_chars = CODE_CHARS};
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		c->limits[i] = limit_rows[i].value;
	}
}

enum err server_create(const struct server_config *c, struct server **out)
{
	ASSERT(c->room_code_chars >= CODE_CHARS && c->room_code_chars <= CODE_CHARS_MAX);
	struct server *s = calloc(1, sizeof(*s));
	if (s == NULL) {
		return ERR_NOMEM;
	}
	s->config = *c;
	s->other_code_chars =
		c->room_code_chars > SHARED_CODE_CHARS ? c->room_code_chars : SHARED_CODE_CHARS;
	s->started_wall = c->now_ms;
	s->counters.started_us = c->now_ms > 0 ? (uint64_t)c->now_ms * 1000 : 0;
	s->expiry_mono = 1; /* with the first tick */
	random_seed(&s->random, c->seed);
	random_bytes(&s->random, s->nonce_key, sizeof(s->nonce_key));
	derive_bytes(s->nonce_key, "token", SLICE("commits"), s->token.bytes,
		     sizeof(s->token.bytes));
	shared_fields_find(&s->shared);
	if (connection_methods_limits(s->config.limits, &s->hello_limits) != OK) {
		server_destroy(s);
		return ERR_NOMEM;
	}
	if (c->node != 0) {
		s->config.room_code_chars = s->other_code_chars;
		if (cluster_create(s) != OK) {
			server_destroy(s);
			return ERR_NOMEM;
		}
	}
	*out = s;
	return OK;
}

void server_destroy(struct server *s)
{
	if (s == NULL) {
		return;
	}
	for (size_t i = 0; i < s->conns_capacity; i++) {
		if (s->conns[i] != NULL) {
			conn_destroy(s, s->conns[i]);
		}
	}
	struct partition *p;
	struct partition *later;
	HASH_ITER (hh, s->partitions, p, later) {
		partition_destroy(s, p);
	}
	cluster_destroy(s);
	txn_finish(s);
	commands_forget_all(s);
	ticket_close(s, &s->expiry_ticket);
	send_queue_finish(s);
	buf_finish(&s->hello_limits);
	unit_finish_spare(s);
	address_forget_all(s);
	live_times_forget(&s->user_rates, INT64_MAX);
	live_times_forget(&s->live_notes, INT64_MAX);
	timers_finish(&s->timers);
	arena_finish(&s->scratch);
	arena_finish(&s->decoded);
	decoder_finish(&s->decoder);
	free(s->conns);
	free(s);
}

/* ---- what the files of the core share ---- */

int64_t server_limit(const struct server *s, enum limit limit)
{
	return s->config.limits[limit];
}

void effects_finish(struct effects *fx)
{
	free(fx->items);
	*fx = (struct effects){0};
}

bool server_effect(struct server *s, const struct effect *e)
{
	struct effects *fx = s->fx;
	if (fx == NULL) {
		return false; /* between steps: the caller tries again with the next one */
	}
	if (fx->n == fx->capacity) {
		size_t capacity = fx->capacity == 0 ? 32 : fx->capacity * 2;
		struct effect *items = realloc(fx->items, capacity * sizeof(*items));
		if (items == NULL) {
			return false;
		}
		fx->items = items;
		fx->capacity = capacity;
	}
	fx->items[fx->n++] = *e;
	return true;
}

void server_log(struct server *s, enum log_level level, const char *format, ...)
{
	enum { LINE_BYTES_MAX = 512 };
	char *line = arena_alloc(&s->scratch, LINE_BYTES_MAX);
	if (line == NULL) {
		return; /* a line less is the least of the troubles then */
	}
	va_list args;
	va_start(args, format);
	size_t len = format_to_v(line, LINE_BYTES_MAX, format, args);
	va_end(args);
	(void)server_effect(s, &(struct effect){.kind = FX_LOG,
						.level = level,
						.log = slice_of(line, len)});
}

struct counters *server_counters(struct server *s)
{
	return &s->counters;
}

enum err server_set_limits(struct server *s, const int64_t limits[LIMIT_COUNT])
{
	struct buf hello;
	enum err e = connection_methods_limits(limits, &hello);
	if (e == OK) {
		memcpy(s->config.limits, limits, sizeof(s->config.limits));
		buf_finish(&s->hello_limits);
		s->hello_limits = hello;
	}
	return e;
}

void server_set_web(struct server *s, struct slice page)
{
	ASSERT(page.len == 0 || link_is_page(page));
	s->web_len = page.len;
	memcpy(s->web, page.data == NULL ? "" : page.data, page.len);
}

/* ---- steps ---- */

static void server_begin(struct server *s, struct clocks now, struct effects *fx)
{
	s->now = now;
	s->fx = fx;
	arena_reset(&s->scratch);
	if (s->cluster != NULL) {
		cluster_look(s);
	}
}

/* The struct of that type that has *member embedded. */
#define OWNER_OF(pointer, type, member) ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

static void server_tick(struct server *s, struct slice fresh)
{
	if (fresh.len == SEED_BYTES) {
		random_stir(&s->random, (const unsigned char *)fresh.data);
	}
	if (s->cluster != NULL) {
		cluster_tick(s);
		txn_tick(s);
		topics_tick(s);
		sessions_tick(s);
	}
	for (struct timer *t; (t = timers_due(&s->timers, s->now.mono_ms)) != NULL;) {
		switch (t->owner) {
		case TIMER_CONN:
			conn_timer(s, OWNER_OF(t, struct conn, timer));
			break;
		case TIMER_PARTITION:
			partition_timer(s, OWNER_OF(t, struct partition, timer));
			break;
		}
	}
	if (s->now.mono_ms >= s->addresses_mono) {
		address_forget_quiet(s);
		live_times_forget(&s->user_rates, s->now.mono_ms * 1000);
		s->addresses_mono = s->now.mono_ms + ADDRESSES_EVERY_MS;
	}
	if (!s->is_frozen) {
		expiry_tick(s);
	}
}

static void server_stop(struct server *s)
{
	s->is_stopping = true;
	for (size_t i = 0; i < s->conns_capacity; i++) {
		struct conn *c = s->conns[i];
		if (c != NULL && c->pending == 0) {
			conn_end(s, c, "the server was stopped");
		}
	}
}

/* An answer of the store, for the owner of its ticket; nothing where that is closed. */
static void server_answered(struct server *s, const struct event *e)
{
	struct ticket *t = ticket_take(s, e->ticket);
	if (t == NULL) {
		return;
	}
	switch ((enum ticket_owner)t->owner) {
	case TICKET_PARTITION:
		if (e->kind == EVENT_LOADED) {
			partition_loaded(s, OWNER_OF(t, struct partition, ticket), e);
		} else {
			unit_committed(s, OWNER_OF(t, struct partition, ticket), e);
		}
		break;
	case TICKET_PAGE:
		room_page_loaded(s, t, e);
		break;
	case TICKET_READ:
		txn_read_done(s, t, e);
		break;
	case TICKET_COMMIT:
		txn_committed(s, t, e);
		break;
	case TICKET_COMMAND:
		command_ended(s, t, e);
		break;
	case TICKET_RENEWAL:
		cluster_renewed(s, e);
		break;
	case TICKET_LIST:
		cluster_listed(s, e);
		break;
	case TICKET_BUCKET:
		room_bucket_done(s, OWNER_OF(t, struct room_bucket, ticket), e);
		break;
	case TICKET_SWEEP:
		expiry_due(s, e);
		break;
	}
}

/* A number that does not follow the last one shows as well that some were missed. */
static void server_published(struct server *s, const struct event *e)
{
	bool is_next = s->published == 0 || e->number == s->published + 1;
	s->published = e->number;
	if (s->cluster == NULL) {
		return;
	}
	if (e->bytes.len == 0 || !is_next) {
		news_missed(s);
	}
	news_published(s, e->bytes);
}

void server_step(struct server *s, const struct event *e, struct effects *fx)
{
	server_begin(s, e->now, fx);
	struct conn *c = conn_find(s, e->conn);
	switch (e->kind) {
	case EVENT_OPEN:
		conn_open(s, e->conn, &e->peer);
		break;
	case EVENT_BYTES:
		if (c != NULL) {
			conn_bytes(s, c, e->bytes);
		}
		break;
	case EVENT_BROKEN:
		if (c != NULL) {
			conn_break_for(s, c, e->bytes);
		}
		break;
	case EVENT_EOF:
		if (c != NULL) {
			conn_eof(s, c);
		}
		break;
	case EVENT_UNREACHED:
		if (c != NULL) {
			forward_failed(s, c, e);
		}
		break;
	case EVENT_CLOSED:
		if (c != NULL) {
			conn_destroy(s, c);
		}
		break;
	case EVENT_TICK:
		server_tick(s, e->bytes);
		break;
	case EVENT_LOADED:
	case EVENT_DUE:
	case EVENT_COUNTED:
	case EVENT_COMMITTED:
	case EVENT_COMMANDED:
	case EVENT_RENEWED:
	case EVENT_LISTED:
	case EVENT_TAKEN:
		server_answered(s, e);
		break;
	case EVENT_PUBLISHED:
		server_published(s, e);
		break;
	case EVENT_SHARED:
		connection_shared(s, e);
		break;
	case EVENT_STOP:
		if (s->cluster != NULL) {
			cluster_leave(s);
		}
		server_stop(s);
		break;
	}
	s->fx = NULL;
}

static void server_close_units(struct server *s)
{
	/* Up to the one that is last now: what becomes dirty meanwhile is for the next turn. */
	struct partition *stop = s->dirty == NULL ? NULL : s->dirty->dirty_prev;
	while (s->dirty != NULL) {
		struct partition *p = s->dirty;
		bool is_last = p == stop;
		DL_DELETE2(s->dirty, p, dirty_prev, dirty_next);
		p->is_dirty = false;
		unit_close(s, p);
		if (p->room == NULL && p->subscriptions == NULL && !partition_is_busy(p)) {
			partition_destroy(s,
					  p); /* a code that leads nowhere is not worth keeping */
		}
		if (is_last) {
			break;
		}
	}
}

void server_turn(struct server *s, struct clocks now, struct effects *fx)
{
	server_begin(s, now, fx);
	conn_resume_all(s);
	txn_turn(s);
	server_close_units(s);
	send_queue_relieve(s);
	expiry_turn(s);
	if (s->cluster != NULL) {
		cluster_turn(s);
	}
	if (s->is_stopping) {
		server_stop(s); /* those whose last answer has left meanwhile */
	}
	s->fx = NULL;
}

int64_t server_deadline(const struct server *s)
{
	if (s->resuming != NULL || s->dirty != NULL || s->to_relieve ||
	    s->transactions_due != NULL || s->is_batch_due) {
		return 0;
	}
	int64_t latest = s->now.mono_ms + 1000;
	int64_t next = timers_next(&s->timers);
	int64_t sweep = s->is_frozen ? INT64_MAX : expiry_deadline(s);
	next = next < sweep ? next : sweep;
	if (s->cluster != NULL) {
		const int64_t dues[] = {cluster_deadline(s), txn_deadline(s), topics_deadline(s),
					sessions_deadline(s)};
		for (size_t i = 0; i < sizeof(dues) / sizeof(dues[0]); i++) {
			next = next < dues[i] ? next : dues[i];
		}
	}
	return next < latest ? next : latest;
}

bool server_is_idle(const struct server *s)
{
	if (s->transactions != NULL || (s->cluster != NULL && !cluster_has_left(s))) {
		return false;
	}
	for (const struct partition *p = s->partitions; p != NULL; p = p->hh.next) {
		if (p->flight != NULL || p->is_dirty) {
			return false;
		}
	}
	for (size_t i = 0; i < s->conns_capacity; i++) {
		const struct conn *c = s->conns[i];
		if (c != NULL && !c->is_blocked && (c->send_queue != NULL || c->pending > 0)) {
			return false;
		}
	}
	return true;
}

static struct partition *peek(struct server *s, struct slice room_id)
{
	char id[CODE_CHARS_MAX + 1];
	struct partition *p = code_normalise(room_id, id) ? partition_find(s, id) : NULL;
	return p == NULL || p->room == NULL ? NULL : p;
}

const char *server_peek_due(struct server *s, struct slice room_id, struct clocks now)
{
	const struct partition *p = peek(s, room_id);
	struct room_now room_now = {now.mono_ms, now.wall_ms, s->config.limits};
	bool is_over = p == NULL || room_is_deleted(p->room) || room_is_over(p->room, now.wall_ms);
	return is_over ? NULL : room_due(p->room, &room_now);
}

enum err server_peek_room(struct server *s, struct slice room_id, struct buf *out)
{
	struct arena arena = {0};
	struct partition *p = peek(s, room_id);
	if (p == NULL) {
		return ERR_NOT_FOUND;
	}
	room_write_full(p->room, true, &arena, out);
	arena_finish(&arena);
	return out->error;
}
