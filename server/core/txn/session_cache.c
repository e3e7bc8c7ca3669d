/*
 * session_cache.c - the sessions that connections use now.
 *
 * All connections that have a session share one struct live_session. It lives
 * by what is here and the monotonic clock: any call prolongs it, and no change of
 * the wall clock ends it. The table has wall time, and is brought up to date at
 * most once a minute (txn_renew()).
 *
 * Where several nodes share the table a session may be in use at each of them. The table is brought
 * up to date when a tenth of a life has passed, and is believed for as much longer. A session that was
 * idle here for its whole life is looked up before it ends; until that is answered, what its
 * connections send waits (conn_must_wait()).
 */
#include "server/core/txn/session_cache.h"

#include <stdlib.h>

#include "server/core/conns/conn.h"
#include "server/core/server_priv.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/session/session.h"

#define RENEW_EVERY_MS 60000
#define SESSION_PARTS  10 /* of several nodes each writes it when that part of its life has passed */
#define CALL_EVERY_MS  60000 /* clients that are there call at least so often, to ping */
#define LOOK_EVERY_MS  1000
#define LOOK_SOON_MS   50
#define LOOKS_AT_ONCE  256

static struct live_session *session_find(const struct server *s, struct slice token_hash)
{
	struct live_session *l = NULL;
	if (token_hash.len == KEY_CHARS) {
		HASH_FIND(hh, s->sessions, token_hash.data, KEY_CHARS, l);
	}
	return l;
}

/* No connection finds it any more; those that have it keep it until they let go. */
static void session_forget(struct server *s, struct live_session *l)
{
	if (l->hh.tbl != NULL) {
		HASH_DELETE(hh, s->sessions, l);
		l->hh.tbl = NULL;
	}
}

struct live_session *session_ref(struct live_session *l)
{
	l->refs++;
	return l;
}

/* When it ends if nothing is called, by the wall clock as it is now. */
static int64_t session_ends_at(const struct server *s, const struct live_session *l)
{
	int64_t idle_ms = s->now.mono_ms - l->used_mono;
	return s->now.wall_ms + server_limit(s, LIMIT_SESSION_LIFE_MS) - idle_ms;
}

/* Nothing was called here for its whole life. Where there are other nodes it may be in use there. */
static bool session_is_idle(const struct server *s, const struct live_session *l)
{
	return session_ends_at(s, l) <= s->now.wall_ms && l->seen_until_mono <= s->now.mono_ms;
}

static bool session_is_over(const struct server *s, const struct live_session *l)
{
	return l->is_over || (s->cluster == NULL && session_is_idle(s, l));
}

/* By so much the table may be behind what another node knows of a session. */
static int64_t session_grace_ms(const struct server *s)
{
	return s->cluster == NULL ? 0 : server_limit(s, LIMIT_SESSION_LIFE_MS) / SESSION_PARTS;
}

int64_t session_seen_within_ms(const struct server *s)
{
	return session_grace_ms(s) + CALL_EVERY_MS;
}

bool session_is_live(const struct server *s, struct slice token_hash, int64_t expires_at)
{
	const struct live_session *l = session_find(s, token_hash);
	if (l != NULL && (s->cluster == NULL || l->is_over || !session_is_idle(s, l))) {
		return !session_is_over(s, l);
	}
	return expires_at + session_grace_ms(s) > s->now.wall_ms;
}

bool conn_is_user(const struct server *s, const struct conn *c, struct slice user_id)
{
	const struct live_session *l = c->session;
	return l != NULL && !session_is_over(s, l) && slice_eq(slice_str(l->is.user_id), user_id);
}

bool conn_has_user(const struct server *s, const struct conn *c)
{
	return c->session != NULL && !session_is_over(s, c->session);
}

void session_set_name(struct server *s, const struct session *is)
{
	struct live_session *l = session_find(s, slice_of(is->token_hash.text, KEY_CHARS));
	if (l != NULL) {
		memcpy(l->is.user_name, is->user_name, sizeof(l->is.user_name));
		memcpy(l->is.name_key, is->name_key, sizeof(l->is.name_key));
	}
}

void session_end(struct server *s, const struct key_text *token_hash)
{
	struct live_session *l = session_find(s, slice_of(token_hash->text, KEY_CHARS));
	if (l != NULL) {
		l->is_over = true;
		session_forget(s, l);
	}
}

void session_doubt(struct server *s, const struct key_text *token_hash)
{
	const struct live_session *l = session_find(s, slice_of(token_hash->text, KEY_CHARS));
	for (size_t i = 0; l != NULL && i < s->conns_capacity; i++) {
		if (s->conns[i] != NULL && s->conns[i]->session == l) {
			conn_end(s, s->conns[i], CONN_UNKNOWN);
		}
	}
	session_end(s, token_hash);
}

/*
 * The last connection lets go. A session that was idle for an hour, and that the
 * table would have live on after a clock that was set back, ends there, too; until
 * it has, the session is found here, and is over.
 */
void session_unref(struct server *s, struct live_session *l)
{
	if (l == NULL || --l->refs > 0) {
		return;
	}
	bool is_stored = l->hh.tbl != NULL; /* else it never came to be, or was replaced */
	if (is_stored && !l->is_over && session_is_over(s, l) &&
	    l->is.expires_at > s->now.wall_ms) {
		l->is_over = true;
		if (txn_end_idle(s, l)) {
			return; /* the transaction has it now, or has let go already */
		}
	}
	session_forget(s, l);
	free(l);
}

static void conn_swap_session(struct server *s, struct conn *c, struct live_session *l)
{
	struct live_session *before = c->session;
	c->session = l;
	if (l == NULL) {
		user_conns_leave(s, c);
	}
	if (l != before) {
		topic_forget_conn(s, c);
	}
	session_unref(s, before);
}

bool conn_set_session(struct server *s, struct conn *c, const struct session *is)
{
	if (is == NULL) {
		conn_swap_session(s, c, NULL);
		return true;
	}
	struct live_session *l = session_find(s, slice_of(is->token_hash.text, KEY_CHARS));
	if (l == NULL) {
		l = calloc(1, sizeof(*l));
		if (l == NULL) {
			return false;
		}
		l->is = *is;
		l->used_mono = s->now.mono_ms;
		l->stored_expires_at = is->expires_at;
		HASH_ADD_KEYPTR(hh, s->sessions, l->is.token_hash.text, KEY_CHARS, l);
		if (l->hh.tbl == NULL) { /* its end would not find it */
			free(l);
			return false;
		}
	}
	session_ref(l);
	if (!user_conns_join(s, c, slice_str(l->is.user_id))) {
		session_unref(s, l);
		return false;
	}
	if (is->sets_offset) {
		l->is.utc_offset_minutes = is->utc_offset_minutes;
	}
	conn_swap_session(s, c, l);
	(void)conn_session(s, c);
	if (conn_is_kiosk(s,
			  c)) { /* nobody signed that: its word is all there is, and is on record */
		server_log(s, LOG_INFO, "event=kiosk_login conn=%u.%u user_id=%s", c->id.slot,
			   c->id.generation, l->is.user_id);
	}
	return true;
}

/* What the table lacks is written when it is as much as a minute. A clock that was set back leaves expires_at as it is:
 * set right again, the session has lost nothing. */
static void session_keep_alive(struct server *s, struct live_session *l)
{
	int64_t ends_at = session_ends_at(s, l);
	l->is.expires_at = ends_at > l->is.expires_at ? ends_at : l->is.expires_at;
	/* Seldom enough to cost nothing, often enough for lives shorter than usual. */
	int64_t part = server_limit(s, LIMIT_SESSION_LIFE_MS) / 60;
	int64_t every_ms = s->cluster != NULL	   ? session_grace_ms(s)
			   : part < RENEW_EVERY_MS ? part
						   : RENEW_EVERY_MS;
	bool is_due = l->is.expires_at - l->stored_expires_at >= every_ms;
	if (is_due && !l->is_renewing && !s->is_stopping && txn_renew(s, l)) {
		l->stored_expires_at = l->is.expires_at;
	}
}

void session_keep(struct server *s, struct slice token_hash)
{
	struct live_session *l = session_find(s, token_hash);
	if (l != NULL && !session_is_over(s, l)) {
		session_keep_alive(s, l);
	}
}

/* One that is over lets go of the connection: NULL. */
static struct live_session *conn_live_session(struct server *s, struct conn *c)
{
	if (c->session != NULL && session_is_over(s, c->session)) {
		conn_swap_session(s, c, NULL);
	}
	return c->session;
}

struct conn_user conn_user(struct server *s, struct conn *c)
{
	const struct live_session *l = conn_live_session(s, c);
	return l == NULL ? (struct conn_user){.id = {0}}
			 : (struct conn_user){slice_str(l->is.user_id), slice_str(l->is.user_name),
					      l->is.is_keyed};
}

struct live_session *conn_session(struct server *s, struct conn *c)
{
	struct live_session *l = conn_live_session(s, c);
	if (l != NULL) {
		l->used_mono = s->now.mono_ms;
		session_keep_alive(s, l);
	}
	return l;
}

/* ---- looked up in the table ---- */

bool session_is_in_doubt(const struct server *s, const struct live_session *l)
{
	return s->cluster != NULL && l != NULL && !l->is_over && session_is_idle(s, l);
}

void session_look(struct server *s, struct live_session *l)
{
	if (!l->is_looking && session_is_in_doubt(s, l)) {
		l->is_looking = txn_look_up(s, l);
	}
}

void session_looked_up(struct server *s, void *of, const void *result)
{
	struct live_session *l = of;
	const struct session_seen *seen = result;
	l->is_looking = false;
	if (seen == NULL || s->is_stopping) {
		return; /* with the next tick again */
	}
	int64_t left_ms = seen->expires_at + session_grace_ms(s) - s->now.wall_ms;
	l->must_look = false;
	if (seen->exists && left_ms > 0 && session_is_idle(s, l)) { /* in use elsewhere */
		l->seen_until_mono = s->now.mono_ms + left_ms;
	} else if (!seen->exists || session_is_idle(s, l)) {
		const struct key_text token_hash = l->is.token_hash;
		session_end(s, &token_hash);
		txn_overtake_session(s, &token_hash);
	}
	user_conns_resume(s, slice_str(l->is.user_id));
}

void sessions_missed(struct server *s)
{
	for (struct live_session *l = s->sessions; l != NULL; l = l->hh.next) {
		l->must_look = true;
	}
	s->looks_mono = 1; /* with the next tick */
}

void sessions_tick(struct server *s)
{
	size_t n = 0;
	if (s->now.mono_ms < s->looks_mono || s->is_frozen || s->is_stopping) {
		return;
	}
	struct live_session *l = s->sessions;
	for (; l != NULL && n < LOOKS_AT_ONCE; l = l->hh.next) {
		if (l->must_look || session_is_in_doubt(s, l)) {
			n += l->is_looking;
			if (!l->is_looking && (l->is_looking = txn_look_up(s, l))) {
				n++;
			}
		}
	}
	s->looks_mono = s->now.mono_ms + (l == NULL ? LOOK_EVERY_MS : LOOK_SOON_MS);
}

int64_t sessions_deadline(const struct server *s)
{
	return s->is_frozen || s->is_stopping || s->sessions == NULL ? INT64_MAX : s->looks_mono;
}
