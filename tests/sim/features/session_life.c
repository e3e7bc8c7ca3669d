/*
 * session_life.c - what the oracle knows of a session: which one somebody means,
 * what it was last used for, and whether it is over.
 *
 * The server's word is taken for nothing: a session is there while its item is
 * on the disk. Whether it is over is a matter of clocks. One that a connection
 * has is in the server's memory, and lives by the clock that never jumps; of
 * any other the item says when it ends, and where the wall clock has jumped
 * since it was last used, the benefit of the doubt goes to the server. So it
 * does where something has failed.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

/* Whose session the connection has stays as it was. */
static bool sessions_only_asks(enum method method)
{
	return method == METHOD_SESSION_WHOAMI || method == METHOD_SESSION_WATCH ||
	       method == METHOD_SESSION_UNWATCH;
}

bool sessions_begins(enum method method)
{
	return method == METHOD_SESSION_LOGIN || method == METHOD_SESSION_ASSERT;
}

bool sessions_is_method(enum method method)
{
	return sessions_begins(method) || method == METHOD_SESSION_RESUME ||
	       method == METHOD_SESSION_LOGOUT || method == METHOD_USER_DELETE ||
	       sessions_only_asks(method);
}

bool sessions_may_change(enum method method)
{
	return sessions_is_method(method) && !sessions_only_asks(method);
}

/* ---- which ---- */

struct session *session_of_token(struct world *w, const char *token)
{
	for (size_t i = w->sessions.n; i-- > 0;) {
		if (strcmp(w->sessions.all[i].token, token) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

/* The one that the login began of which this is a repeat; NULL: none, or none of which an answer has left. */
struct session *session_of_once(struct world *w, const struct op *op)
{
	for (size_t i = w->sessions.n; i-- > 0 && op->once[0] != '\0';) {
		if (strcmp(w->sessions.all[i].once, op->once) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

struct session *session_of_hash(struct world *w, const char *hash)
{
	for (size_t i = w->sessions.n; i-- > 0;) {
		if (strcmp(w->sessions.all[i].hash, hash) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

struct session *session_of_conn(const struct world *w, const struct conn *c)
{
	return c->session == 0 ? NULL : &w->sessions.all[c->session - 1];
}

const char *session_user_of_key(const struct world *w, int member)
{
	for (size_t i = 0; i < w->sessions.n; i++) {
		if (w->sessions.all[i].member == member && w->sessions.all[i].is_keyed) {
			return w->sessions.all[i].user_id;
		}
	}
	return NULL;
}

/* ---- used, and over ---- */

int64_t session_life(const struct world *w)
{
	return w->config.limits[LIMIT_SESSION_LIFE_MS];
}

int64_t session_grace(const struct world *w)
{
	return w->nodes_n > 1 ? session_life(w) / 10 : 0;
}

bool session_is_of_life(const struct session *s)
{
	return s->node != NULL && s->life == s->node->life;
}

/* After a gap it looks up each session that is in use, as soon as the table answers it. */
bool session_end_is_unheard(const struct world *w, const struct session *s, const struct conn *c)
{
	enum { LOOKED_UP_MS = 10000 };
	const struct sim_node *node = c->node;
	int64_t since = node->gap_mono > node->away_mono ? node->gap_mono : node->away_mono;
	return w->nodes_n > 1 && s->gone_mono > 0 &&
	       (node->engine.subscription.told.number < s->gone_number ||
		(node->gap_mono >= s->gone_mono && w->mono_ms - since < LOOKED_UP_MS));
}

/* Whoever has the token may be using it at this moment. */
static bool session_is_asked_for(const struct world *w, const struct session *s)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->member == s->member &&
		    (op->method == METHOD_SESSION_RESUME || op->method == METHOD_SESSION_ASSERT ||
		     (op->method == METHOD_SESSION_LOGIN && op->is_again)) &&
		    op->is_delivered && !op->is_answered) {
			return true;
		}
	}
	return false;
}

/* Whether another call that has not been answered may change whose session the connection has. */
bool sessions_is_settled(const struct world *w, uint32_t conn, const struct op *op)
{
	const struct conn *c = net_by_serial(w, conn);
	if (c != NULL && c->session_is_unsure) {
		return false;
	}
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && other->conn == conn && other->is_delivered &&
		    !other->is_answered && sessions_may_change(other->method)) {
			return false;
		}
	}
	return true;
}

bool sessions_has_stayed(const struct world *w, const struct conn *c, const struct op *op)
{
	bool has_stayed = op->is_settled && op->session == c->session;
	for (size_t i = 0; i < w->ops_n && has_stayed; i++) {
		const struct op *other = &w->ops[i];
		has_stayed = other->conn != op->conn || !other->is_delivered ||
			     other->order < op->order || !sessions_may_change(other->method);
	}
	return has_stayed;
}

/* Whether a connection has it, and so the server's memory; op is the call that is just looked at, or NULL. */
static bool session_is_held(struct world *w, const struct session *s, const struct op *op)
{
	size_t session = (size_t)(s - w->sessions.all) + 1;
	for (size_t i = 0; i < w->conns_n; i++) {
		const struct conn *c = w->conns[i];
		if (c->server_has && c->session == session &&
		    sessions_is_settled(w, c->serial, op)) {
			return true;
		}
	}
	return false;
}

/* Whether it was used in this life of the server, and for that long no more. */
static bool session_is_idle(const struct world *w, const struct session *s, int64_t ms)
{
	return session_is_of_life(s) && (s->has_lapsed || s->used_mono + ms <= w->mono_ms);
}

bool session_is_in_use(struct world *w, const struct session *s, const struct op *op)
{
	/* A conflict keeps no session from being renewed. */
	bool has_failed = s->faults - s->conflicts != w->faults - w->conflicts;
	return session_is_held(w, s, op) && session_is_of_life(s) && !has_failed &&
	       w->mono_ms < s->sure_mono + session_life(w);
}

/* A call in a room that waits is carried out, and uses the session, at some moment until it is answered; those behind it after
 * that. */
static bool session_may_be_used_yet(const struct world *w, const struct session *s)
{
	size_t session = (size_t)(s - w->sessions.all) + 1;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->session == session && op->is_delivered && !op->is_answered &&
		    !op->is_closed && !op_is_of_directory(op)) {
			return true;
		}
	}
	return false;
}

/* By what the disk says of it and by its use; only where the clock can be trusted since then. A
 * call may have been read later than it came, so that one in memory is given twice the time: also where its item is
 * over by then, as what would prolong that may wait for the disk. */
bool session_is_surely_over(struct world *w, const struct session *s, const struct table_row *row,
			    int64_t wall_ms, const struct op *op)
{
	if (session_may_be_used_yet(w, s)) {
		return false;
	}
	if (w->nodes_n > 1) { /* by the use at all of them, twice over, and by the disk */
		return s->jumps == w->jumps && !session_is_asked_for(w, s) &&
		       s->used_mono + 2 * session_life(w) + session_grace(w) <= w->mono_ms &&
		       (row == NULL || row->expires_at + session_grace(w) < wall_ms);
	}
	if (session_is_held(w, s, op) && session_is_of_life(s)) {
		return session_is_idle(w, s, 2 * session_life(w)) && !session_is_asked_for(w, s);
	}
	bool is_known = !session_is_of_life(s); /* then only what is on the disk counts */
	is_known = is_known || (s->jumps == w->jumps && s->used_wall + session_life(w) < wall_ms);
	return is_known && !session_is_asked_for(w, s) &&
	       (row == NULL || row->expires_at < wall_ms);
}

/* By the last call that the server certainly has read: an item may outlive its session, where the clock was set back. */
bool session_is_surely_live(const struct world *w, const struct session *s,
			    const struct table_row *row, int64_t wall_ms)
{
	return row != NULL && s->jumps == w->jumps && s->faults == w->faults &&
	       row->expires_at > wall_ms && s->sure_mono + session_life(w) > w->mono_ms;
}

/* Granted: it was used at some moment between the call and now. */
void session_is_used(const struct world *w, struct session *s, const struct op *op)
{
	s->used_wall = w->wall_ms;
	s->used_mono = w->mono_ms;
	s->sure_mono = op->delivered_mono;
	s->node = w->node;
	s->life = w->node->life;
	s->has_lapsed = false;
}

bool session_call_is_held_up(const struct world *w, const struct op *op)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *first = &w->ops[i];
		if (first->conn == op->conn && first->is_delivered && !op_is_of_directory(first) &&
		    first->order < op->order &&
		    (first->answered == 0 || first->answered > op->order)) {
			return true;
		}
	}
	return false;
}

/* A call on one that is over does not begin it anew. */
void session_use(struct world *w, struct session *s, const struct op *op)
{
	bool is_sure = op->method != METHOD_SESSION_RESUME && !sessions_begins(op->method) &&
		       !session_call_is_held_up(w, op) && session_is_in_use(w, s, op);
	if (w->nodes_n == 1 && session_is_held(w, s, op) &&
	    session_is_idle(w, s, session_life(w)) && !session_may_be_used_yet(w, s)) {
		s->has_lapsed = true;
	} else if (!s->has_lapsed || !session_is_of_life(s)) {
		s->sure_mono = is_sure ? w->mono_ms : s->sure_mono;
		s->used_wall = w->wall_ms;
		s->used_mono = w->mono_ms;
		s->node = w->node;
		s->life = w->node->life;
	}
}
