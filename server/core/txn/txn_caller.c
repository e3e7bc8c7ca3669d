/*
 * txn_caller.c - what a transaction asks and changes of its caller: the limits of its
 * address, sessions in use, what its connection subscribes to; and what it publishes.
 */
#include "server/core/txn/txn_priv.h"

#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/guess_limit.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/send_queue.h"
#include "server/core/txn/session_cache.h"

/* ---- the address ---- */

static struct bucket *bucket_of(const struct conn *c, enum limit limit)
{
	if (limit == LIMIT_LOGINS_PER_MINUTE) {
		return c == NULL || c->guesser == NULL ? NULL : &c->guesser->logins;
	}
	struct address *a = c == NULL ? NULL : conn_address(c);
	return a == NULL ? NULL : &a->login_misses;
}

/* True the first time that it is asked for the limit, however often the transaction runs. */
static bool is_first_asked(struct transaction *ta, enum limit limit)
{
	uint64_t *word = &ta->asked[limit / 64];
	uint64_t bit = UINT64_C(1) << (limit % 64);
	bool is_first = (*word & bit) == 0;
	*word |= bit;
	return is_first;
}

/* What was refused has not been taken: should the transaction run again, it is asked for again. */
static void ask_again(struct transaction *ta, enum limit limit)
{
	ta->asked[limit / 64] &= ~(UINT64_C(1) << (limit % 64));
}

/* What is taken of a limit: n of what stands in a message as `what`. */
struct taken {
	enum limit limit;
	int64_t n;
	const char *what;
};

/*
 * @times  what one user may do.
 * False with t->fault filled, or where memory is out.
 */
static bool take_of(struct transaction *ta, const struct taken *taken, struct slice who,
		    int64_t times)
{
	struct server *s = ta->server;
	const struct limit_row *row = &limit_rows[taken->limit];
	const bool is_hourly = strstr(row->unit, "/h") != NULL;
	const int64_t rate = server_limit(s, taken->limit) * times;
	struct live_time *drained =
		live_time_get(s, &s->user_rates, MAX_USER_RATES, row->name, who, 0);
	if (drained == NULL) {
		txn_lacks_memory(ta);
		return false;
	}
	struct bucket bucket = {.drained_at_us = drained->at};
	int64_t wait_ms =
		bucket_take_n(&bucket, s->now.mono_ms, taken->n, rate, is_hourly ? 3600000 : 60000);
	drained->at = bucket.drained_at_us;
	if (wait_ms > 0) {
		(void)txn_refuse(&ta->txn, FAULT_RATE_LIMITED, "more than %lld %s %s",
				 (long long)rate, taken->what, is_hourly ? "an hour" : "a minute");
		ta->txn.fault.retry_after_ms = wait_ms;
		ask_again(ta, taken->limit);
	}
	return wait_ms == 0;
}

/* The same of whom the connection comes from, unless that is the server's own user. */
static bool take_of_address(struct transaction *ta, const struct taken *taken, int64_t times)
{
	const struct conn *c = conn_find(ta->server, ta->conn);
	char who[ADDRESS_NAME_BYTES];
	return c == NULL || c->guesser == NULL ||
	       take_of(ta, taken, slice_of(who, address_name(c, who, sizeof(who))), times);
}

static bool take_of_user(struct transaction *ta, const struct taken *taken)
{
	const struct session *session = ta->txn.session;
	char who[96];
	if (!is_first_asked(ta, taken->limit)) {
		return true;
	}
	size_t len = format_to(who, sizeof(who), "user %s", session->user_id);
	return take_of(ta, taken, slice_of(who, len), 1) &&
	       take_of_address(ta, taken,
			       session->is_keyed ? server_limit(ta->server, LIMIT_ADDRESS_USERS)
						 : 1);
}

bool txn_take(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (c == NULL || !is_first_asked(ta, limit)) {
		return true;
	}
	return limit == LIMIT_LOGINS_PER_MINUTE
		       ? address_may(ta->server, c, bucket_of(c, limit), limit, what, &t->fault)
		       : take_of_address(ta, &(struct taken){limit, 1, what}, 1);
}

bool txn_take_of_user(struct txn *t, enum limit limit, const char *what)
{
	return take_of_user(transaction_of(t), &(struct taken){limit, 1, what});
}

bool txn_take_growth(struct transaction *ta)
{
	const struct taken taken = {LIMIT_USER_BYTES_PER_HOUR, txn_growth(ta), "new bytes"};
	return ta->row == NULL || ta->txn.session == NULL || taken.n == 0 ||
	       take_of_user(ta, &taken);
}

/* Ms until the connection may guess again. */
static int64_t guess_left_ms(const struct server *s, const struct conn *c, enum limit limit)
{
	int64_t rate = server_limit(s, limit);
	const struct bucket *b = bucket_of(c, limit);
	if (limit == LIMIT_ROOM_MISSES_PER_MINUTE) {
		return guess_wait_ms(s, c);
	}
	return b == NULL ? 0 : bucket_wait_ms(b, s->now.mono_ms, rate, 60000, rate);
}

bool txn_may_guess(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	const struct conn *c = conn_find(s, ta->conn);
	int64_t wait_ms = c == NULL ? 0 : guess_left_ms(s, c, limit);
	if (!is_first_asked(ta, limit) || wait_ms == 0) {
		return true;
	}
	(void)txn_refuse(t, FAULT_RATE_LIMITED, "%s", what);
	t->fault.retry_after_ms = wait_ms;
	return false;
}

enum txn_step txn_refuse_guess(struct txn *t, enum limit limit, enum fault_code code,
			       const char *message)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	const struct conn *c = conn_find(s, ta->conn);
	struct bucket *b = bucket_of(c, limit);
	if (limit != LIMIT_ROOM_MISSES_PER_MINUTE) {
		s->counters.login_misses++;
		if (b != NULL) {
			(void)bucket_take(b, s->now.mono_ms, server_limit(s, limit), 60000,
					  INT32_MAX);
		}
	} else if (c != NULL && !guess_may(s, c, &t->fault)) {
		return TXN_REFUSED; /* its guesses that came together with this one were faster */
	} else if (c != NULL) {
		guess_count(s, c);
	}
	return txn_refuse(t, code, "%s", message);
}

void txn_note(struct txn *t, struct slice what)
{
	struct server *s = transaction_of(t)->server;
	/* Where memory is out it is not noted. */
	(void)live_time_get(s, &s->live_notes, MAX_LIVE_NOTES, "live note", what, s->now.mono_ms);
}

int64_t txn_note_age_ms(const struct txn *t, struct slice what)
{
	const struct server *s = transaction_of(t)->server;
	const struct live_time *noted = live_time_find(s, s->live_notes, "live note", what);
	return noted == NULL ? -1 : s->now.mono_ms - noted->at;
}

/* ---- sessions ---- */

/*
 * A login that has run gives the session to its connection when it is durable. Until then no
 * connection has it, and a clock that is set forward meanwhile would have it over before it begins.
 */
static bool session_is_beginning(const struct server *s, struct slice token_hash)
{
	struct item_pk pk;
	const struct live_item *item = live_item_find(s, item_pk_of(&pk, ITEM_TOKEN, token_hash),
						      slice_str(item_rows[ITEM_TOKEN].sk));
	const struct transaction *by = item == NULL || item->now == NULL ? NULL : item->now->by;
	return by != NULL && by->sets_session && by->has_new_session &&
	       slice_eq(slice_str(by->new_session.token_hash.text), token_hash);
}

bool txn_session_is_live(const struct txn *t, struct slice token_hash, int64_t expires_at)
{
	const struct server *s = transaction_of(t)->server;
	return session_is_live(s, token_hash, expires_at) || session_is_beginning(s, token_hash);
}

void txn_keep_session(struct txn *t, struct slice token_hash)
{
	session_keep(transaction_of(t)->server, token_hash);
}

void txn_set_session(struct txn *t, const struct session *session)
{
	struct transaction *ta = transaction_of(t);
	ta->sets_session = true;
	ta->has_new_session = session != NULL;
	if (session != NULL) {
		ta->new_session = *session;
	}
}

void txn_rename_session(struct txn *t, const struct session *session)
{
	struct transaction *ta = transaction_of(t);
	struct session *copy = arena_alloc(&ta->made, sizeof(*copy));
	if (copy == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	*copy = *session;
	ta->news.renamed = copy;
}

void txn_end_session(struct txn *t, struct slice token_hash)
{
	struct transaction *ta = transaction_of(t);
	struct ending *e = arena_alloc(&ta->made, sizeof(*e));
	if (e == NULL) {
		txn_lacks_memory(ta);
	} else if (token_hash.len == KEY_CHARS) {
		memcpy(e->token_hash.text, token_hash.data, KEY_CHARS);
		LL_PREPEND(ta->news.endings, e);
	}
}

/* ---- topics ---- */

static struct slice topic_key(struct transaction *ta, struct arena *arena, enum item_kind kind,
			      struct slice pk)
{
	return txn_join(ta, arena, item_rows[kind].pk_prefix, item_rows[kind].pk_prefix_len, pk);
}

int64_t txn_subscribe(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (ta->topic.len == 0 && c != NULL) {
		ta->topic = topic_key(ta, &ta->request, kind, pk);
		enum err e = topic_subscribe(ta->server, c, ta->topic, notice, &ta->subscription);
		if (e == ERR_TOO_LARGE) {
			txn_is_beyond(ta, LIMIT_CONNECTION_TOPICS);
		} else if (e != OK) {
			txn_lacks_memory(ta);
		}
		ta->topic_version = topic_version(ta->server, ta->topic);
	}
	return ta->topic_version > 0 ? ta->topic_version : 1;
}

void txn_subscribed_at(struct txn *t, int64_t epoch, int64_t version)
{
	transaction_of(t)->subscribed_at = (struct since){.epoch = epoch, .version = version};
}

void txn_subscribe_while(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	struct slice item_pk, item_sk;
	txn_item_key(ta, &ta->made, kind, pk, sk, &item_pk, &item_sk);
	if (ta->failed == OK && c != NULL &&
	    topic_need(ta->server, c, ta->subscription, item_pk, item_sk) != OK) {
		txn_lacks_memory(ta);
	}
}

void txn_unsubscribe(struct txn *t, enum item_kind kind, struct slice pk)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (c != NULL) {
		topic_unsubscribe(ta->server, c, topic_key(ta, &ta->made, kind, pk));
	}
}

void txn_publish(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice,
		 const void *record)
{
	struct transaction *ta = transaction_of(t);
	struct publication *p = arena_alloc(&ta->made, sizeof(*p));
	void *copy = arena_alloc(&ta->made, notice_rows[notice].record->size);
	if (p == NULL || copy == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	memcpy(copy, record, notice_rows[notice].record->size);
	p->pk = topic_key(ta, &ta->made, kind, pk);
	p->notice = notice;
	p->record = copy;
	LL_APPEND(ta->news.publications, p);
}

void txn_end_topic(struct txn *t, enum item_kind kind, struct slice pk)
{
	struct transaction *ta = transaction_of(t);
	struct topic_ending *e = arena_alloc(&ta->made, sizeof(*e));
	if (e == NULL) {
		txn_lacks_memory(ta);
		return;
	}
	e->pk = topic_key(ta, &ta->made, kind, pk);
	LL_APPEND(ta->news.topic_endings, e);
}

void txn_send_behind(struct txn *t, enum notice notice, const void *record)
{
	struct transaction *ta = transaction_of(t);
	struct trailer *trailer = arena_alloc(&ta->made, sizeof(*trailer));
	struct buf b = {.max = MAX_FRAME_BYTES};
	bool ok = trailer != NULL;
	rpc_write_notice(&b, slice_str(notice_rows[notice].name), notice_rows[notice].record,
			 record);
	if (ok && b.error == OK) {
		trailer->bytes = arena_copy(&ta->made, buf_slice(&b), &ok);
		LL_APPEND(ta->trailers, trailer);
	}
	if (!ok || b.error != OK) {
		txn_lacks_memory(ta);
	}
	buf_finish(&b);
}

/* ---- what becomes of that ---- */

bool txn_topic_has_moved(struct transaction *ta)
{
	int64_t version = ta->topic.len == 0 ? 0 : topic_version(ta->server, ta->topic);
	bool has_moved = version > ta->topic_version;
	ta->topic_version = has_moved ? version : ta->topic_version;
	return has_moved;
}

void txn_note_gone(struct transaction *ta)
{
	const struct write *w;
	LL_FOREACH (ta->writes, w) {
		struct gone_item *g = w->state->exists ? NULL : arena_alloc(&ta->made, sizeof(*g));
		if (g != NULL) {
			*g = (struct gone_item){.pk = w->pk, .sk = w->sk};
			LL_APPEND(ta->news.gone, g);
		} else if (!w->state->exists) {
			txn_lacks_memory(ta);
		}
	}
}

void txn_keep_subscription(struct server *s, struct conn *c, const struct transaction *ta)
{
	const struct trailer *trailer;
	const struct since topic = {.version = ta->topic_version};
	topic_settle(s, c, ta->subscription,
		     ta->subscribed_at.version > 0 ? &ta->subscribed_at : &topic);
	bool is_missed =
		ta->is_behind; /* its trailers are, too: they say what was before the reset */
	LL_FOREACH (is_missed ? NULL : ta->trailers, trailer) {
		if (send_queue_len(c) >= MAX_OUT_BYTES) {
			is_missed = true;
			break;
		}
		conn_send(s, c, trailer->bytes);
	}
	if (is_missed) {
		topic_miss(s, c, ta->subscription);
	}
}
