/*
 * session_cache.c - the sessions that connections use now.
 *
 * All connections that have a session share one struct live_session. It lives
 * by what is here: any call prolongs it, and the table is brought up to date at
 * most once a minute (txn_renew()). Its end while it is used is judged by the
 * monotonic clock, so that a wall clock that is set ends nothing early.
 */
#include "server/core/topic.h"
#include "server/core/txn.h"

#include <stdlib.h>

#include "server/domain/session/session.h"

#define RENEW_EVERY_MS 60000

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

void session_unref(struct server *s, struct live_session *l)
{
	if (l != NULL && --l->refs == 0) {
		session_forget(s, l);
		free(l);
	}
}

static bool session_is_over(const struct server *s, const struct live_session *l)
{
	return l->is_over || l->ends_mono <= s->now.mono_ms;
}

bool session_is_used(const struct server *s, struct slice token_hash)
{
	const struct live_session *l = session_find(s, token_hash);
	return l != NULL && !session_is_over(s, l);
}

bool conn_is_user(const struct server *s, const struct conn *c, struct slice user_id)
{
	const struct live_session *l = c->session;
	return l != NULL && !session_is_over(s, l) && slice_eq(slice_str(l->is.user_id), user_id);
}

void session_end(struct server *s, const struct key_text *token_hash)
{
	struct live_session *l = session_find(s, slice_of(token_hash->text, KEY_CHARS));
	if (l != NULL) {
		l->is_over = true;
		session_forget(s, l);
	}
}

static void conn_swap_session(struct server *s, struct conn *c, struct live_session *l)
{
	struct live_session *before = c->session;
	c->session = l;
	if (l != before) {
		topic_forget_users(s, c);
	}
	session_unref(s, before);
}

/* When the table was last brought up to date, on the monotonic clock: a session that comes back again and again costs
 * no more writes than one that stays. */
static int64_t written_mono(const struct server *s, int64_t stored_at)
{
	int64_t age_ms = s->now.wall_ms - stored_at;
	bool is_recent = age_ms >= 0 && age_ms < RENEW_EVERY_MS;
	return s->now.mono_ms - (is_recent ? age_ms : RENEW_EVERY_MS);
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
		l->written_mono = written_mono(s, is->stored_at);
		HASH_ADD_KEYPTR(hh, s->sessions, l->is.token_hash.text, KEY_CHARS, l);
		if (l->hh.tbl == NULL) { /* its end would not find it */
			free(l);
			return false;
		}
	}
	l->ends_mono = s->now.mono_ms + server_limit(s, LIMIT_SESSION_LIFE_MS);
	conn_swap_session(s, c, session_ref(l));
	(void)conn_session(s, c);
	return true;
}

/* Seldom enough to cost nothing, often enough for lives shorter than usual. */
static int64_t renew_every_ms(const struct server *s)
{
	int64_t part = server_limit(s, LIMIT_SESSION_LIFE_MS) / 60;
	return part < RENEW_EVERY_MS ? part : RENEW_EVERY_MS;
}

struct live_session *conn_session(struct server *s, struct conn *c)
{
	struct live_session *l = c->session;
	if (l == NULL) {
		return NULL;
	}
	if (session_is_over(s, l)) {
		conn_swap_session(s, c, NULL);
		return NULL;
	}
	int64_t life_ms = server_limit(s, LIMIT_SESSION_LIFE_MS);
	int64_t expires_at = s->now.wall_ms + life_ms;
	l->ends_mono = s->now.mono_ms + life_ms;
	l->is.expires_at = expires_at > l->is.expires_at ? expires_at : l->is.expires_at;
	bool is_due = s->now.mono_ms - l->written_mono >= renew_every_ms(s);
	if (is_due && !l->is_renewing && !s->is_stopping && txn_renew(s, l)) {
		l->written_mono = s->now.mono_ms;
	}
	return l;
}
