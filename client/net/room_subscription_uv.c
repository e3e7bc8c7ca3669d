/*
 * room_subscription_uv.c - a membership on a connection; see room_subscription_uv.h.
 */
#include "client/net/room_subscription_uv.h"

#include <stdlib.h>

#include <sodium.h>

#include "client/model/memory.h"
#include "client/net/reply.h"
#include "proto/base/assert.h"

/* When a request that could not be sent is tried again. */
#define SUBSCRIPTION_SEND_AGAIN_MS 1000

struct room_subscription {
	struct loop *loop;
	struct connection *connection;
	void (*on_news)(void *owner, unsigned news);
	void *owner;
	uv_timer_t retry;
	bool is_closing;
	bool has_room;
	struct membership membership;
	bool (*ask_passcode)(
		void *asker, unsigned tries,
		char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]); /* NULL: nobody is asked */
	void *asker;
	unsigned passcode_tries;
};

static void subscription_news(struct room_subscription *s, unsigned news)
{
	if (news != 0) {
		s->on_news(s->owner, news);
	}
}

/* Whether a person has given a passcode, and entering goes on with it. */
static bool subscription_try_passcode(struct room_subscription *s)
{
	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1] = "";
	if (s->ask_passcode == NULL || s->passcode_tries == ROOM_PASSCODE_TRIES ||
	    !membership_needs_passcode(&s->membership)) {
		return false;
	}
	loop_suspend(s->loop);
	bool has_one = s->ask_passcode(s->asker, s->passcode_tries++, passcode);
	loop_resume(s->loop);
	if (has_one) {
		membership_try_passcode(&s->membership, passcode);
	}
	sodium_memzero(passcode, sizeof(passcode));
	return has_one;
}

static void subscription_on_answer(void *arg, const struct answer *a)
{
	struct room_subscription *s = arg;
	struct arena arena = {0};
	struct reply r;
	reply_read(&r, a, false, &arena);
	unsigned news = membership_answer(&s->membership, r.method, r.error,
					  r.is_refused ? &r.fault : NULL, r.result);
	if ((news & MEMBERSHIP_NEWS_ENDED) == 0 || !subscription_try_passcode(s)) {
		subscription_news(s, news);
	}
	arena_finish(&arena);
	room_subscription_go(s);
}

static void subscription_on_retry(uv_timer_t *timer)
{
	struct room_subscription *s = timer->data;
	membership_retry(&s->membership);
	room_subscription_go(s);
}

static void subscription_send_wanted(struct room_subscription *s, unsigned *news)
{
	struct buf params;
	enum err e = OK;
	buf_init(&params, MAX_FRAME_BYTES);
	connection_hold(s->connection);
	while (e == OK) {
		buf_clear(&params);
		enum method method = membership_next(&s->membership, &params, news);
		if (method == METHOD_COUNT) {
			break;
		}
		(void)memory_check(params.error);
		e = connection_request(s->connection, slice_str(method_rows[method].name),
				       buf_slice(&params), subscription_on_answer, s);
		if (e != OK) {
			/* As if its connection had ended, and again in a while where there is one. */
			(void)membership_answer(&s->membership, method, ERR_CLOSED, NULL, NULL);
			(void)uv_timer_start(&s->retry, subscription_on_retry,
					     SUBSCRIPTION_SEND_AGAIN_MS, 0);
		}
	}
	connection_let_go(s->connection);
	buf_finish(&params);
}

void room_subscription_go(struct room_subscription *s)
{
	unsigned news = 0;
	if (!s->has_room || s->is_closing) {
		return;
	}
	if (connection_is_open(s->connection)) {
		subscription_send_wanted(s, &news);
	}
	if (s->membership.retry_ms > 0 && !uv_is_active((uv_handle_t *)&s->retry)) {
		(void)uv_timer_start(&s->retry, subscription_on_retry,
				     (uint64_t)s->membership.retry_ms, 0);
	}
	subscription_news(s, news);
}

/* ---- the connection ---- */

void room_subscription_up(struct room_subscription *s)
{
	if (s->has_room) {
		s->membership.is_stranger = connection_is_stranger(s->connection);
		membership_up(&s->membership);
		room_subscription_go(s);
	}
}

void room_subscription_down(struct room_subscription *s)
{
	if (s->has_room) {
		membership_down(&s->membership);
		(void)uv_timer_stop(&s->retry);
	}
}

void room_subscription_move(struct room_subscription *s)
{
	connection_forget(s->connection, s);
	room_subscription_down(s);
}

void room_subscription_notice(struct room_subscription *s, enum notice notice, const void *update)
{
	if (s->has_room && !s->is_closing) {
		s->membership.server_ms = connection_server_ms(s->connection);
		subscription_news(s, membership_notice(&s->membership, notice, update));
		room_subscription_go(s);
	}
}

/* ---- in and out ---- */

static const char *subscription_text(const char *text)
{
	return text == NULL ? "" : text;
}

void room_subscription_enter(struct room_subscription *s, const struct room_entry *entry)
{
	unsigned char seed[SEED_BYTES];
	struct membership *m = &s->membership;
	const char *host_key = subscription_text(entry->host_key);
	ASSERT(!s->has_room);
	randombytes_buf(seed, sizeof(seed));
	membership_start(m, entry->room_id, subscription_text(entry->user_key), seed);
	sodium_memzero(seed, sizeof(seed));
	if (subscription_text(entry->name)[0] != '\0') {
		membership_want_name(m, entry->name, entry->is_spectator, entry->is_bot);
	}
	membership_want_passcode(m, subscription_text(entry->passcode));
	if (host_key[0] != '\0' && entry->wants_host) {
		membership_want_host(m, host_key);
	} else if (host_key[0] != '\0') {
		membership_may_show_host(m, host_key, entry->shows_host_key);
	}
	bool has_passcode = subscription_text(entry->passcode)[0] != '\0';
	s->ask_passcode = has_passcode ? NULL : entry->ask_passcode;
	s->passcode_tries = 0;
	s->asker = entry->asker;
	s->has_room = true;
	if (connection_is_open(s->connection)) {
		room_subscription_up(s);
	}
}

static void subscription_on_ignored(void *arg, const struct answer *a)
{
	(void)arg, (void)a;
}

void room_subscription_exit(struct room_subscription *s)
{
	struct room_params p = {.room_id = slice_str(s->membership.room_id)};
	struct buf params;
	if (!s->has_room) {
		return;
	}
	connection_forget(s->connection, s);
	s->has_room = false;
	(void)uv_timer_stop(&s->retry);
	if (s->membership.phase != MEMBERSHIP_ENDED && connection_is_open(s->connection)) {
		/* The server would go on sending what happens there. */
		buf_init(&params, MAX_FRAME_BYTES_GUEST);
		record_write(&record_room_params, &p, &params);
		(void)memory_check(params.error);
		enum err e =
			connection_request(s->connection,
					   slice_str(method_rows[METHOD_ROOM_UNSUBSCRIBE].name),
					   buf_slice(&params), subscription_on_ignored, s);
		(void)e; /* too much waits there already: what still comes of the room is passed over */
		buf_finish(&params);
	}
	membership_finish(&s->membership);
}

bool room_subscription_has_room(const struct room_subscription *s)
{
	return s->has_room;
}

struct membership *room_subscription_membership(struct room_subscription *s)
{
	return &s->membership;
}

/* ---- life ---- */

struct room_subscription *room_subscription_open(struct loop *loop, struct connection *connection,
						 void (*on_news)(void *owner, unsigned news),
						 void *owner)
{
	struct room_subscription *s = memory_new(1, sizeof(*s));
	s->loop = loop;
	s->connection = connection;
	s->on_news = on_news;
	s->owner = owner;
	(void)uv_timer_init(&loop->uv, &s->retry);
	s->retry.data = s;
	return s;
}

static void subscription_on_closed(uv_handle_t *handle)
{
	struct room_subscription *s = handle->data;
	membership_finish(&s->membership);
	free(s);
}

void room_subscription_close(struct room_subscription *s)
{
	s->is_closing = true;
	uv_close((uv_handle_t *)&s->retry, subscription_on_closed);
}
