/*
 * sessions.c - whether a session is granted, refused, kept and ended rightly.
 *
 * The server's word is taken for nothing: a session is there while its item is
 * on the disk. Whether it is over is a matter of clocks. One that a connection
 * has is in the server's memory, and lives by the clock that never jumps; of
 * any other the item says when it ends, and where the wall clock has jumped
 * since it was last used, the benefit of the doubt goes to the server. So it
 * does where something has failed.
 */
#include "tests/sim/features/feature.h"

#include <stdlib.h>
#include <string.h>

#include "proto/assert.h"
#include "proto/key_hash.h"
#include "proto/room_code.h"

static bool sessions_is_method(enum method method)
{
	return method == METHOD_SESSION_LOGIN || method == METHOD_SESSION_RESUME ||
	       method == METHOD_SESSION_WHOAMI || method == METHOD_SESSION_WATCH ||
	       method == METHOD_SESSION_LOGOUT;
}

/* ---- looking ---- */

struct session_name {
	char text[CODE_CHARS_MAX + 1];
};

/* What a session is called where it is shown. */
static struct session_name session_name(const struct world *w, const char *hash)
{
	struct session_name name = {""};
	code_derive(w->config.server_key, "session_id", slice_str(hash), name.text, USER_ID_CHARS);
	return name;
}

static struct session *session_of_token(struct world *w, const char *token)
{
	for (size_t i = w->sessions.n; i-- > 0;) {
		if (strcmp(w->sessions.all[i].token, token) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

/* The one that the login began of which this is a repeat; NULL: none, or none of which an answer has left. */
static struct session *session_of_once(struct world *w, const struct op *op)
{
	for (size_t i = w->sessions.n; i-- > 0 && op->once[0] != '\0';) {
		if (strcmp(w->sessions.all[i].once, op->once) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

static struct session *session_of_hash(struct world *w, const char *hash)
{
	for (size_t i = w->sessions.n; i-- > 0;) {
		if (strcmp(w->sessions.all[i].hash, hash) == 0) {
			return &w->sessions.all[i];
		}
	}
	return NULL;
}

static struct session *session_of_conn(struct world *w, const struct conn *c)
{
	return c->session == 0 ? NULL : &w->sessions.all[c->session - 1];
}

static int64_t session_life(const struct world *w)
{
	return w->config.limits[LIMIT_SESSION_LIFE_MS];
}

/* Whoever has the token may be using it at this moment. */
static bool session_is_asked_for(const struct world *w, const struct session *s)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->member == s->member &&
		    (op->method == METHOD_SESSION_RESUME ||
		     (op->method == METHOD_SESSION_LOGIN && op->is_again)) &&
		    op->is_delivered && !op->is_answered) {
			return true;
		}
	}
	return false;
}

/* Whether another call that has not been answered may change whose session the connection has. */
static bool sessions_is_settled(struct world *w, uint32_t conn, const struct op *op)
{
	const struct conn *c = net_by_serial(w, conn);
	if (c != NULL && c->session_is_unsure) {
		return false;
	}
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && other->conn == conn && other->is_delivered &&
		    !other->is_answered && sessions_is_method(other->method) &&
		    other->method != METHOD_SESSION_WHOAMI &&
		    other->method != METHOD_SESSION_WATCH) {
			return false;
		}
	}
	return true;
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
	return s->life == w->life && (s->has_lapsed || s->used_mono + ms <= w->mono_ms);
}

static bool session_is_in_use(struct world *w, const struct session *s, const struct op *op)
{
	return session_is_held(w, s, op) && s->life == w->life && s->faults == w->faults &&
	       w->mono_ms < s->sure_mono + session_life(w);
}

/* By what the disk says of it and by its use; only where the clock can be trusted since then. A
 * call may have been read later than it came, so that one in memory is given twice the time. */
static bool session_is_surely_over(struct world *w, const struct session *s,
				   const struct table_row *row, int64_t wall_ms,
				   const struct op *op)
{
	if (session_is_held(w, s, op) && session_is_idle(w, s, 2 * session_life(w))) {
		return !session_is_asked_for(w, s);
	}
	bool is_known = s->life != w->life; /* then only what is on the disk counts */
	is_known = is_known || (s->jumps == w->jumps && s->used_wall + session_life(w) < wall_ms);
	return is_known && !session_is_asked_for(w, s) &&
	       (row == NULL || row->expires_at < wall_ms);
}

static bool session_is_surely_live(const struct world *w, const struct session *s,
				   const struct table_row *row, int64_t wall_ms)
{
	return row != NULL && s->jumps == w->jumps && s->faults == w->faults &&
	       row->expires_at > wall_ms && s->used_wall + session_life(w) > wall_ms;
}

/* ---- calls arrive ---- */

/* What a login is judged by: who has the name it asks for. */
static void sessions_note_name(struct world *w, struct op *op)
{
	const struct table_row *row = table_name(&w->table, op->other);
	const struct session *s = row == NULL ? NULL : session_of_hash(w, row->hash);
	op->was_there = row != NULL;
	op->was_over = s != NULL && session_is_surely_over(w, s, row, w->wall_ms, op);
	view_text(op->host, sizeof(op->host), slice_str(row == NULL ? "" : row->account));
	view_text(op->name_hash, sizeof(op->name_hash), slice_str(row == NULL ? "" : row->hash));
}

/* And any other call: the session it is about. */
static void sessions_note(struct world *w, struct op *op, const struct session *s)
{
	const struct table_row *row = table_token(&w->table, s->hash);
	op->was_there = row != NULL;
	op->was_over = session_is_surely_over(w, s, row, w->wall_ms, op);
	op->was_live = session_is_surely_live(w, s, row, w->wall_ms);
	op->was_in_use = row != NULL && session_is_in_use(w, s, op);
}

/* Granted: it was used at some moment between the call and now. */
static void session_is_used(const struct world *w, struct session *s, const struct op *op)
{
	s->used_wall = w->wall_ms;
	s->used_mono = w->mono_ms;
	s->sure_mono = op->delivered_mono;
	s->life = w->life;
	s->has_lapsed = false;
}

/* A call on one that is over does not begin it anew. */
static void session_use(struct world *w, struct session *s, const struct op *op)
{
	bool is_sure = op->method != METHOD_SESSION_RESUME && op->method != METHOD_SESSION_LOGIN &&
		       session_is_in_use(w, s, op);
	if (session_is_held(w, s, op) && session_is_idle(w, s, session_life(w))) {
		s->has_lapsed = true;
	} else if (!s->has_lapsed || s->life != w->life) {
		s->sure_mono = is_sure ? w->mono_ms : s->sure_mono;
		s->used_wall = w->wall_ms;
		s->used_mono = w->mono_ms;
		s->life = w->life;
	}
}

static void sessions_delivered(struct world *w, struct conn *c, struct op *op)
{
	struct session *own = session_of_conn(w, c);
	struct session *s = own;
	op->delivered_wall = w->wall_ms;
	op->jumps_before = w->jumps;
	op->is_settled = sessions_is_settled(w, op->conn, op);
	if (op->method == METHOD_SESSION_RESUME) {
		s = session_of_token(w, op->user_key);
	}
	struct session *again = op->method == METHOD_SESSION_LOGIN ? session_of_once(w, op) : NULL;
	s = again == NULL ? s : again;
	op->session = s == NULL ? 0 : (size_t)(s - w->sessions.all) + 1;
	op->is_known_repeat = again != NULL;
	if (op->method == METHOD_SESSION_LOGIN && again == NULL) {
		sessions_note_name(w, op);
	} else if (s != NULL) {
		sessions_note(w, op, s);
		session_use(w, s, op);
	}
	if (own != NULL && own != again) {
		session_use(w, own, op);
	}
}

/* ---- answers leave ---- */

static const char *session_user_of_key(const struct world *w, int member)
{
	for (size_t i = 0; i < w->sessions.n; i++) {
		if (w->sessions.all[i].member == member && w->sessions.all[i].is_keyed) {
			return w->sessions.all[i].user_id;
		}
	}
	return NULL;
}

static bool session_is_known_user(const struct world *w, const char *user_id)
{
	for (size_t i = 0; i < w->sessions.n; i++) {
		if (strcmp(w->sessions.all[i].user_id, user_id) == 0) {
			return true;
		}
	}
	return false;
}

static struct session *session_add(struct world *w)
{
	struct sessions *all = &w->sessions;
	if (all->n == all->capacity) {
		all->capacity = all->capacity == 0 ? 64 : 2 * all->capacity;
		all->all = realloc(all->all, all->capacity * sizeof(*all->all));
		ASSERT(all->all != NULL);
	}
	struct session *s = &all->all[all->n++];
	memset(s, 0, sizeof(*s));
	return s;
}

/* The end that is told is a life away from some moment between the call and now. */
static void session_check_end(struct world *w, const struct op *op, int64_t expires_at)
{
	int64_t from = expires_at - session_life(w);
	if (op->jumps_before == w->jumps && (from < op->delivered_wall || from > w->wall_ms)) {
		broken(w, CLAIM_SESSIONS, "a session is said to end %lld ms from now, not %lld",
		       (long long)(expires_at - w->wall_ms), (long long)session_life(w));
	}
}

/* When the call came it was in order: what went wrong later is to be counted from there. */
static void session_is_well(struct session *s, const struct op *op)
{
	s->faults = op->faults_before;
	s->jumps = op->jumps_before;
}

static void granted_session(struct world *w, const struct op *op, const char *what,
			    struct slice user_id, struct slice user_name);

/* The same session as the first time, on this connection, too. */
static void granted_login_again(struct world *w, struct conn *c, const struct op *op,
				const struct login_result *r, struct session *s)
{
	if (strcmp(s->once, op->once) != 0 || s->member != op->member) {
		broken(w, CLAIM_SESSIONS, "two logins are given one token");
	} else if (!slice_eq(r->user_id, slice_str(s->user_id)) ||
		   !slice_eq(r->user_name, slice_str(s->user_name))) {
		broken(w, CLAIM_REPEATS, "a login repeated with its key is another user");
	} else if (op->is_known_repeat) {
		granted_session(w, op, "a login repeated with its key", r->user_id, r->user_name);
	}
	session_check_end(w, op, r->expires_at);
	session_is_used(w, s, op);
	size_t session = (size_t)(s - w->sessions.all) + 1;
	c->copy = c->session == session ? c->copy : (struct sessions_watch){0};
	c->session = session;
	c->session_is_unsure = false;
}

static void granted_login(struct world *w, struct conn *c, const struct op *op,
			  const struct login_result *r)
{
	char token[KEY_CHARS + 1];
	view_text(token, sizeof(token), r->token);
	struct session *before = session_of_token(w, token);
	if (before != NULL) {
		granted_login_again(w, c, op, r, before);
		return;
	}
	if (session_of_once(w, op) != NULL) {
		broken(w, CLAIM_REPEATS, "a login repeated with its key is another session");
	}
	const char *known = op->flag ? session_user_of_key(w, op->member) : NULL;
	char user_id[20];
	view_text(user_id, sizeof(user_id), r->user_id);
	if (op->flag ? known != NULL && strcmp(known, user_id) != 0
		     : session_is_known_user(w, user_id)) {
		broken(w, CLAIM_SESSIONS, "%s",
		       op->flag ? "a key is another user than before"
				: "a guest is a user that was there before");
	}
	if (!slice_eq(r->user_name, slice_str(op->text))) {
		broken(w, CLAIM_SESSIONS, "a session has another name than was asked for");
	}
	session_check_end(w, op, r->expires_at);
	struct session *s = session_add(w);
	struct key_text hash = key_hash(w->config.server_key, "token", r->token);
	memcpy(s->hash, hash.text, KEY_CHARS);
	view_text(s->token, sizeof(s->token), r->token);
	view_text(s->user_name, sizeof(s->user_name), r->user_name);
	memcpy(s->user_id, user_id, sizeof(s->user_id));
	memcpy(s->once, op->once, sizeof(s->once));
	s->member = op->member;
	s->is_keyed = op->flag;
	session_is_used(w, s, op);
	session_is_well(s, op);
	/* Where a later login of the same connection and name was answered first, this one's outcome was unknown until
	 * then: its session is over, and the connection keeps the later one. */
	const struct session *now = session_of_conn(w, c);
	const struct table_row *name = table_name(&w->table, op->other);
	if (now != NULL && name != NULL && strcmp(name->hash, now->hash) == 0 &&
	    table_token(&w->table, s->hash) == NULL) {
		return;
	}
	c->session = w->sessions.n;
	c->session_is_unsure = false;
	c->copy = (struct sessions_watch){0};
}

static void granted_session(struct world *w, const struct op *op, const char *what,
			    struct slice user_id, struct slice user_name)
{
	struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	if (s == NULL) {
		broken(w, CLAIM_SESSIONS, "%s is granted to nobody", what);
	} else if (!op->was_there && table_token(&w->table, s->hash) == NULL) {
		broken(w, CLAIM_SESSIONS, "%s is granted, and the disk has no such session", what);
	} else if (op->was_over && op->jumps_before == w->jumps) {
		broken(w, CLAIM_SESSIONS, "%s is granted to a session that had ended", what);
	} else if (!slice_eq(user_id, slice_str(s->user_id)) ||
		   !slice_eq(user_name, slice_str(s->user_name))) {
		broken(w, CLAIM_SECRECY, "%s tells of another user", what);
	} else {
		session_is_well(s, op);
		if (op->method == METHOD_SESSION_RESUME) {
			session_is_used(w, s, op); /* that of whoami was when it came */
		}
		s->used_wall = w->wall_ms;
	}
}

static void granted_logout(struct world *w, struct conn *c, const struct op *op)
{
	const struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	/* A repeat may be of one that ended an earlier session of the user, or may be the first that is done. */
	const struct session *now = session_of_conn(w, c);
	c->session_is_unsure = op->is_again;
	if (op->is_again && now != NULL && table_token(&w->table, now->hash) != NULL) {
		return;
	}
	if (op->is_settled && s != NULL && op->faults_before == w->faults &&
	    table_token(&w->table, s->hash) != NULL) {
		broken(w, CLAIM_DURABLE,
		       "a logout is answered, and the disk has the session still");
	}
	c->session = 0;
	c->copy.is_on = false;
}

/* ---- who watches ---- */

/* Whoever is named there has to be the user's own. */
static void watch_check_owner(struct world *w, const struct sessions_watch *copy, struct slice id)
{
	for (size_t i = 0; i < w->sessions.n; i++) {
		const struct session *s = &w->sessions.all[i];
		if (slice_eq(slice_str(session_name(w, s->hash).text), id) &&
		    strcmp(s->user_id, copy->user_id) != 0) {
			broken(w, CLAIM_SECRECY, "a session is shown to another user");
		}
	}
}

static void granted_watch(struct world *w, struct conn *c, const struct op *op,
			  const struct session_watch_result *r)
{
	struct sessions_watch *copy = &c->copy;
	copy->is_unsure = !op->is_settled || op->session != c->session;
	copy->is_on = true;
	copy->version = r->version;
	view_text(copy->user_id, sizeof(copy->user_id), r->user_id);
	view_text(copy->own, sizeof(copy->own), r->session_id);
	for (size_t i = 0; i < r->sessions_n; i++) {
		watch_check_owner(w, copy, r->sessions[i].session_id);
	}
}

/* The answer that it goes before has all that it says. */
static bool sessions_is_asking(const struct world *w, const struct conn *c)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == c->serial && op->method == METHOD_SESSION_WATCH &&
		    op->is_delivered && !op->is_answered) {
			return true;
		}
	}
	return false;
}

static void sessions_told(struct world *w, struct conn *c, const struct session_update *u)
{
	struct sessions_watch *copy = &c->copy;
	if (copy->is_unsure) {
		return;
	}
	if (!copy->is_on) {
		if (!sessions_is_asking(w, c)) {
			broken(w, CLAIM_SECRECY, "session.update goes to one that does not watch");
		}
		return;
	}
	if (u->with_reset && u->reset) {
		copy->is_on = false; /* nobody here asks again */
		return;
	}
	if (u->since != copy->version || u->version != u->since + 1) {
		broken(w, CLAIM_VERSIONS, "a topic goes from %lld to %lld, and was at %lld",
		       (long long)u->since, (long long)u->version, (long long)copy->version);
	}
	copy->version = u->version;
	if (u->with_started) {
		watch_check_owner(w, copy, u->started.session_id);
	}
	if (u->with_ended) {
		char id[20];
		view_text(id, sizeof(id), u->ended);
		watch_check_owner(w, copy, u->ended);
		copy->is_on = strcmp(id, copy->own) != 0;
	}
}

static void sessions_granted(struct world *w, struct conn *c, const struct op *op,
			     const union method_result *result)
{
	const struct session_result *r = &result->SESSION_RESUME;
	const struct whoami_result *who = &result->SESSION_WHOAMI;
	switch (op->method) {
	case METHOD_SESSION_LOGIN:
		granted_login(w, c, op, &result->SESSION_LOGIN);
		break;
	case METHOD_SESSION_RESUME:
		granted_session(w, op, "a token", r->user_id, r->user_name);
		session_check_end(w, op, r->expires_at);
		c->copy = c->session == op->session ? c->copy : (struct sessions_watch){0};
		c->session = op->session;
		c->session_is_unsure = false;
		break;
	case METHOD_SESSION_WHOAMI:
		if (op->is_settled) {
			granted_session(w, op, "whoami", who->user_id, who->user_name);
		}
		break;
	case METHOD_SESSION_WATCH:
		if (op->is_settled) {
			granted_session(w, op, "session.watch", result->SESSION_WATCH.user_id,
					result->SESSION_WATCH.user_name);
		}
		granted_watch(w, c, op, &result->SESSION_WATCH);
		break;
	case METHOD_SESSION_LOGOUT:
		granted_logout(w, c, op);
		break;
	default: /* the others are judged elsewhere */
		break;
	}
}

/* Somebody else asked for the name while this call was with the server. */
static bool sessions_is_contended(const struct world *w, const struct op *op)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && other->method == METHOD_SESSION_LOGIN && other->is_delivered &&
		    !other->is_closed && strcmp(other->other, op->other) == 0 &&
		    (!other->is_answered || other->is_ok)) {
			return true;
		}
	}
	return false;
}

static bool refused_taken(const struct world *w, const struct op *op)
{
	const struct table_row *row = table_name(&w->table, op->other);
	const char *mine = op->flag ? session_user_of_key(w, op->member) : NULL;
	if (sessions_is_contended(w, op) || op->faults_before != w->faults || op->was_taken) {
		return true;
	}
	if (!op->was_there || row == NULL) {
		return op->was_there || row != NULL;
	}
	if (strcmp(op->name_hash, row->hash) != 0) {
		return true; /* somebody took it in between */
	}
	/* One that was idle for its life ends on the disk when its connection lets go; after a clock
	 * that was set back its item would have it live until that is written. */
	bool is_being_ended = w->jumps > 0 && row->expires_at > w->wall_ms;
	if (op->was_over && op->jumps_before == w->jumps && !is_being_ended) {
		return false;
	}
	return mine == NULL || strcmp(op->host, mine) != 0 || strcmp(row->account, mine) != 0;
}

/*
 * Its first result is remembered for a day: it finds neither the name taken nor what it began ended. That is
 * looked at when the disk has answered: one that no connection has may have ended by its item since it came.
 */
static void refused_repeat(struct world *w, const struct op *op, enum fault_code code)
{
	const struct session *s = session_of_once(w, op);
	const struct table_row *row = s == NULL ? NULL : table_token(&w->table, s->hash);
	bool is_sure = op->is_known_repeat && op->jumps_before == w->jumps &&
		       s->jumps == w->jumps && s->faults == w->faults &&
		       w->mono_ms - op->delivered_mono < session_life(w);
	bool is_live =
		row != NULL && (op->was_in_use || (op->was_live && row->expires_at > w->wall_ms));
	if (is_sure && (code == FAULT_NAME_TAKEN || (code == FAULT_CONFLICT && is_live))) {
		broken(w, CLAIM_REPEATS, "a login repeated with its key is refused: %s",
		       fault_code_name(code));
	}
}

static bool sessions_refused(struct world *w, struct conn *c, const struct op *op,
			     enum fault_code code)
{
	if (op->method == METHOD_SESSION_LOGIN) {
		refused_repeat(w, op, code);
	}
	const struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	const struct table_row *row = s == NULL ? NULL : table_token(&w->table, s->hash);
	/* A resume is judged when the disk has answered, the others when they come. */
	bool was_by_item = op->was_live && op->jumps_before == w->jumps && row != NULL &&
			   row->expires_at > w->wall_ms &&
			   w->mono_ms - op->delivered_mono < session_life(w);
	bool was_in_use = op->was_in_use && row != NULL && op->method != METHOD_SESSION_RESUME;
	bool was_live = op->faults_before == w->faults && (was_by_item || was_in_use);
	switch (code) {
	case FAULT_CONFLICT:
		/* The session of a repeat has ended. One whose first answer never left nobody knows. A commit
		 * that comes again after its token's ten minutes finds what it wrote itself: a repeat, too. */
		if (op->method == METHOD_SESSION_LOGIN && op->was_lost &&
		    op->jumps_before != w->jumps) {
			return true;
		}
		return op->method == METHOD_SESSION_LOGIN && op->is_again &&
		       !(op->is_known_repeat && op->faults_before == w->faults && was_by_item);
	case FAULT_NAME_TAKEN:
		return op->method == METHOD_SESSION_LOGIN && refused_taken(w, op);
	case FAULT_VALIDATION_ERROR:
		return op->expect == FAULT_VALIDATION_ERROR;
	case FAULT_UNAUTHENTICATED:
		if (op->method == METHOD_SESSION_LOGIN) {
			return op->expect == FAULT_UNAUTHENTICATED || !c->left_greeted;
		}
		if (op->method != METHOD_SESSION_RESUME && op->is_settled) {
			c->session = 0;
			c->copy.is_on = false;
		}
		return !c->left_greeted || !was_live ||
		       (op->method != METHOD_SESSION_RESUME && !op->is_settled);
	case FAULT_RATE_LIMITED:
		return true;
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->is_stopping;
	default:
		return false;
	}
}

static void sessions_judge(struct world *w, struct conn *c, const struct op *op,
			   const struct fault *f)
{
	if (!sessions_refused(w, c, op, f->code)) {
		broken(w, CLAIM_SESSIONS, "%s of %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), f->message);
	}
}

static void sessions_notice(struct world *w, struct conn *c, enum notice notice,
			    const union notice_record *rec)
{
	if (notice == NOTICE_SESSION_UPDATE) {
		sessions_told(w, c, &rec->session);
	}
}

static const struct request session_requests[] = {
	{.method = METHOD_SESSION_LOGIN, .refused = sessions_judge},
	{.method = METHOD_SESSION_RESUME, .refused = sessions_judge},
	{.method = METHOD_SESSION_WHOAMI, .refused = sessions_judge},
	{.method = METHOD_SESSION_WATCH, .refused = sessions_judge},
	{.method = METHOD_SESSION_LOGOUT, .refused = sessions_judge},
};

/* ---- the disk ---- */

/*
 * A session that is used costs a write a minute at most, however often it is
 * used: what is written back is at least a minute more than the disk has, or
 * the sixtieth part of a life that is shorter than an hour.
 */
static void session_written_back(struct world *w, const struct store_op *op)
{
	int64_t every = session_life(w) / 60 < 60000 ? session_life(w) / 60 : 60000;
	struct token_item is;
	struct fault fault;
	enum err e = record_from_bytes(&record_token_item, op->value, RECORD_STRICT, &w->arena, &is,
				       &fault);
	char hash[KEY_CHARS + 1];
	view_text(hash, sizeof(hash), slice_of(op->pk.data + 6, op->pk.len - 6));
	const struct table_row *row = table_token(&w->table, hash);
	ASSERT_CMP(e, ==, OK);
	if (row == NULL) {
		return; /* ended meanwhile: the commit meets a conflict */
	}
	int64_t gained = is.expires_at - row->expires_at - planted(w, BREAK_SOON_RENEWED, 1);
	if (gained < every) {
		broken(w, CLAIM_BOUNDS, "a session is written back that has gained %lld ms",
		       (long long)gained);
	}
}

static void sessions_asked(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n && !c->is_done; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_PUT && op->expect == STORE_EXPECT_VERSION &&
		    item_kind_of(op->pk, op->sk) == ITEM_TOKEN) {
			session_written_back(w, op);
		}
	}
}

/* The login that began that session, among those that have not been answered. */
static void sessions_lost(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *put = &c->ops[i];
		if (put->kind != STORE_PUT || item_kind_of(put->pk, put->sk) != ITEM_USER_NAME) {
			continue;
		}
		struct slice name = slice_of(put->pk.data + 10, put->pk.len - 10);
		for (size_t k = w->ops_first; k < w->ops_n; k++) {
			struct op *op = &w->ops[k];
			op->was_lost = op->was_lost ||
				       (op->method == METHOD_SESSION_LOGIN && op->once[0] != '\0' &&
					op->is_delivered && !op->is_answered &&
					slice_eq(slice_str(op->other), name));
		}
	}
}

/* Those who asked for the name meanwhile may find it taken, also where it is free again by then. */
static void sessions_name_taken(struct world *w, const char *name, const char *user_id)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		const char *own = op->flag ? session_user_of_key(w, op->member) : NULL;
		bool is_anothers = own == NULL || strcmp(own, user_id) != 0;
		if (op->method == METHOD_SESSION_LOGIN && op->is_delivered && !op->is_answered &&
		    is_anothers && strcmp(op->other, name) == 0) {
			op->was_taken = true;
		}
	}
}

/* A name changes hands only from one whose time is over, or by the same key. That is looked at just
 * before the commit is asked for, which may wait long for the disk. */
static void sessions_durable(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_USER_NAME) {
			continue;
		}
		struct slice name = slice_of(op->pk.data + 10, op->pk.len - 10);
		char text[SIM_NAME_BYTES];
		view_text(text, sizeof(text), name);
		const struct table_row *row = table_name(&w->table, text);
		char user_id[20];
		table_account(op->value, user_id);
		const struct session *s = row == NULL ? NULL : session_of_hash(w, row->hash);
		/* By the last call that the server certainly has read: one may lie in the socket for long. */
		bool is_idle = s != NULL && s->life == w->life &&
			       s->sure_mono + session_life(w) <= w->mono_ms;
		bool is_live = row != NULL && row->expires_at > w->wall_ms && !is_idle &&
			       w->jump_step + 100 < c->asked_step;
		if (row != NULL && strcmp(row->account, user_id) != 0 &&
		    (is_live || (s != NULL && session_is_in_use(w, s, NULL)))) {
			broken(w, CLAIM_SESSIONS,
			       "a name is given to another while somebody has it");
		}
		sessions_name_taken(w, text, user_id);
	}
}

/* Every session has its name, and so no name two sessions. */
static void sessions_check(struct world *w)
{
	for (size_t i = 0; i < w->table.n && !w->is_broken; i++) {
		const struct table_row *row = &w->table.rows[i];
		if (row->kind != ITEM_TOKEN) {
			continue;
		}
		const struct table_row *name = table_name(&w->table, row->username);
		if (name == NULL || memcmp(name->hash, row->hash, KEY_CHARS) != 0) {
			broken(w, CLAIM_SESSIONS, "%s",
			       name == NULL ? "a session has no name" : "a name has two sessions");
		}
	}
}

static void sessions_after(struct world *w, const struct sim_commit *c)
{
	if (c->room < 0) {
		sessions_check(w);
	}
}

static void sessions_finish(struct world *w)
{
	free(w->sessions.all);
}

const struct feature feature_sessions = {
	.name = "sessions",
	FEATURE_ROWS(requests, session_requests),
	.delivered = sessions_delivered,
	.granted = sessions_granted,
	.notice = sessions_notice,
	.commit_asked = sessions_asked,
	.commit_lost = sessions_lost,
	.commit_before = sessions_durable,
	.commit_after = sessions_after,
	.table = sessions_check,
	.finish = sessions_finish,
};
