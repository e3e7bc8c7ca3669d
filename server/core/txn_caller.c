/*
 * txn_caller.c - what a transaction asks and changes of its caller: the limits of its
 * address, sessions in use, what its connection subscribes to; and what it publishes.
 */
#include "server/core/txn_priv.h"

#include "proto/format.h"
#include "server/core/conn.h"
#include "server/core/live_note.h"
#include "server/core/rate_limit.h"
#include "server/core/session_cache.h"
#include "server/core/user_rate.h"

/* ---- the address ---- */

static struct bucket *bucket_of(const struct conn *c, enum limit limit)
{
	if (c == NULL || c->address == NULL) {
		return NULL;
	}
	return limit == LIMIT_LOGINS_PER_MINUTE ? &c->address->logins : &c->address->login_misses;
}

/* True the first time that it is asked for the limit, however often the transaction runs. */
static bool is_first_asked(struct transaction *ta, enum limit limit)
{
	_Static_assert(LIMIT_COUNT <= 128, "two words hold a bit for each limit");
	uint64_t *word = &ta->asked[limit / 64];
	uint64_t bit = UINT64_C(1) << (limit % 64);
	bool is_first = (*word & bit) == 0;
	*word |= bit;
	return is_first;
}

bool txn_take(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	return c == NULL || !is_first_asked(ta, limit) ||
	       address_may(ta->server, c, bucket_of(c, limit), limit, what, &t->fault);
}

/* False with t->fault filled, or where memory is out. */
static bool take_of(struct transaction *ta, enum limit limit, struct slice who, const char *what)
{
	struct server *s = ta->server;
	int64_t wait_ms = 0;
	if (user_rate_take(s, limit, who, &wait_ms) != OK) {
		txn_lacks_memory(ta);
		return false;
	}
	if (wait_ms > 0) {
		const struct limit_row *row = &limit_rows[limit];
		s->counters.rate_limited++;
		(void)txn_refuse(&ta->txn, FAULT_RATE_LIMITED, "more than %lld %s %s",
				 (long long)server_limit(s, limit), what,
				 strcmp(row->unit, "1/h") == 0 ? "an hour" : "a minute");
		ta->txn.fault.retry_after_ms = wait_ms;
	}
	return wait_ms == 0;
}

bool txn_take_of_user(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	char who[USER_RATE_WHO_BYTES];
	if (!is_first_asked(ta, limit)) {
		return true;
	}
	size_t len = format_to(who, sizeof(who), "user %s", t->session->user_id);
	if (!take_of(ta, limit, slice_of(who, len), what)) {
		return false;
	}
	if (t->session->is_keyed || c == NULL || c->peer_kind != PEER_NETWORK) {
		return true;
	}
	len = address_name(c, who, sizeof(who));
	return take_of(ta, limit, slice_of(who, len), what);
}

bool txn_may_guess(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	struct bucket *b = bucket_of(conn_find(s, ta->conn), limit);
	int64_t rate = server_limit(s, limit);
	int64_t wait_ms = b == NULL ? 0 : bucket_wait_ms(b, s->now.mono_ms, rate, 60000, rate);
	if (!is_first_asked(ta, limit) || wait_ms == 0) {
		return true;
	}
	s->counters.rate_limited++;
	(void)txn_refuse(t, FAULT_RATE_LIMITED, "%s", what);
	t->fault.retry_after_ms = wait_ms;
	return false;
}

enum txn_step txn_refuse_guess(struct txn *t, enum limit limit, const char *message)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	struct bucket *b = bucket_of(conn_find(s, ta->conn), limit);
	s->counters.login_misses++;
	if (b != NULL) {
		(void)bucket_take(b, s->now.mono_ms, server_limit(s, limit), 60000, INT32_MAX);
	}
	return txn_refuse(t, FAULT_UNAUTHENTICATED, "%s", message);
}

void txn_note(struct txn *t, struct slice what)
{
	live_note_add(transaction_of(t)->server, what);
}

int64_t txn_note_age_ms(const struct txn *t, struct slice what)
{
	return live_note_age_ms(transaction_of(t)->server, what);
}

/* ---- sessions ---- */

bool txn_session_is_live(const struct txn *t, struct slice token_hash, int64_t expires_at)
{
	return session_is_live(transaction_of(t)->server, token_hash, expires_at);
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

void txn_end_session(struct txn *t, struct slice token_hash)
{
	struct transaction *ta = transaction_of(t);
	struct ending *e = arena_alloc(&ta->made, sizeof(*e));
	if (e == NULL) {
		txn_lacks_memory(ta);
	} else if (token_hash.len == KEY_CHARS) {
		memcpy(e->token_hash.text, token_hash.data, KEY_CHARS);
		LL_PREPEND(ta->endings, e);
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
	LL_APPEND(ta->publications, p);
}

void txn_end_topic(struct txn *t, enum item_kind kind, struct slice pk)
{
	struct transaction *ta = transaction_of(t);
	ta->ends_topic = topic_key(ta, &ta->made, kind, pk);
}

bool txn_topic_has_moved(struct transaction *ta)
{
	int64_t version = ta->topic.len == 0 ? 0 : topic_version(ta->server, ta->topic);
	bool has_moved = version > ta->topic_version;
	ta->topic_version = has_moved ? version : ta->topic_version;
	return has_moved;
}
