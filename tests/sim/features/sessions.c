/*
 * sessions.c - whether a session is granted and refused rightly.
 *
 * Its other files: sign_in.c has what people do, session_life.c what is known of
 * a session, session_watch.c who watches, session_disk.c what is written.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/room_code.h"

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

/* What waits for its room, or is run again after a conflict, is then run for whoever the connection is logged in as by that time. */
static void sessions_overtake(struct world *w, const struct op *by)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		struct op *op = &w->ops[i];
		bool is_open = op->is_delivered && (!op->is_answered || op->is_shadowed);
		op->is_overtaken =
			op->is_overtaken || (op != by && op->conn == by->conn && is_open);
	}
}

static void sessions_delivered(struct world *w, struct conn *c, struct op *op)
{
	struct session *own = session_of_conn(w, c);
	struct session *s = own;
	op->delivered_wall = w->wall_ms;
	op->jumps_before = w->jumps;
	op->is_settled = sessions_is_settled(w, op->conn, op);
	if (sessions_may_change(op->method)) {
		sessions_overtake(w, op);
	}
	if (op->method == METHOD_SESSION_RESUME) {
		s = session_of_token(w, op->user_key);
	}
	struct session *again = op->method == METHOD_SESSION_LOGIN ? session_of_once(w, op) : NULL;
	s = again == NULL ? s : again;
	op->session = s == NULL ? 0 : (size_t)(s - w->sessions.all) + 1;
	op->is_known_repeat = again != NULL;
	if (sessions_begins(op->method) && again == NULL) {
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
	s->conflicts = op->conflicts_before;
	s->jumps = op->jumps_before;
}

/* What it watches is its session's, and ends with it: unless it is not certain which one it had. */
static void session_given(struct conn *c, size_t session)
{
	if (c->session != session) {
		c->copy = (struct sessions_watch){.is_unsure = c->session_is_unsure};
		c->group.is_on = c->container.is_on = false;
	}
	c->session = session;
	c->session_is_unsure = false;
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
	session_given(c, (size_t)(s - w->sessions.all) + 1);
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
	bool is_gone = table_token(&w->table, s->hash) == NULL;
	if (is_gone && now != NULL && name != NULL && strcmp(name->hash, now->hash) == 0) {
		return;
	}
	/* Or its time was over before its outcome was known, or between that and the answer. */
	bool is_over = now != NULL || r->expires_at <= w->wall_ms;
	if (is_gone && is_over && op->faults_before != w->faults) {
		c->session_is_unsure = true;
		c->copy.is_unsure = true;
		return;
	}
	session_given(c, w->sessions.n);
}

/* Of whom a call begins a session that names a key, whether anybody has heard of one of theirs or not. */
static void session_user_of_begin(const struct world *w, const struct op *op,
				  char out[CODE_CHARS_MAX + 1])
{
	bool is_ssh = op->method == METHOD_SESSION_ASSERT;
	code_derive(w->config.server_key, is_ssh ? "user_id of an ssh key" : "user_id",
		    slice_str(op->deck), out, CODE_CHARS_MAX);
}

/*
 * By the kiosk's word: of the key's user, in the session that has the name. Nobody is given its token, so which it is
 * the disk says; it may have ended since.
 */
static void granted_assert(struct world *w, struct conn *c, const struct op *op,
			   const struct session_result *r)
{
	char user_id[CODE_CHARS_MAX + 1];
	session_user_of_begin(w, op, user_id);
	if (!slice_eq(r->user_id, slice_str(user_id)) || planted(w, BREAK_OTHER_SSH, 1)) {
		broken(w, CLAIM_SESSIONS, "an ssh key is another user than it was");
	}
	session_check_end(w, op, r->expires_at);
	const struct table_row *row = table_name(&w->table, op->other);
	if (row == NULL || strcmp(row->account, user_id) != 0) {
		c->session_is_unsure = true;
		c->copy.is_unsure = true;
		return;
	}
	struct session *s = session_of_hash(w, row->hash);
	if (s != NULL && op->was_over && op->jumps_before == w->jumps &&
	    strcmp(row->hash, op->name_hash) == 0) {
		broken(w, CLAIM_SESSIONS,
		       "by session.assert somebody is in a session that had ended");
	}
	if (s == NULL) {
		s = session_add(w);
		memcpy(s->hash, row->hash, sizeof(s->hash));
		memcpy(s->user_id, row->account, sizeof(s->user_id));
		view_text(s->user_name, sizeof(s->user_name), r->user_name);
		s->member = op->member;
		s->is_keyed = true;
		session_is_well(s, op);
	}
	if (!slice_eq(r->user_name, slice_str(s->user_name))) {
		broken(w, CLAIM_SESSIONS, "a session has another name than it started with");
	}
	session_is_used(w, s, op);
	session_given(c, (size_t)(s - w->sessions.all) + 1);
}

/* The session that it was granted to, where it may have been; NULL: broken. */
static struct session *granted_call(struct world *w, const struct op *op, const char *what)
{
	struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	if (s == NULL) {
		broken(w, CLAIM_SESSIONS, "%s is granted to nobody", what);
		return NULL;
	}
	bool is_unheard =
		w->nodes_n > 1 && session_end_is_unheard(w, s, net_by_serial(w, op->conn));
	if (!op->was_there && table_token(&w->table, s->hash) == NULL && !is_unheard) {
		broken(w, CLAIM_SESSIONS, "%s is granted, and the disk has no such session", what);
		return NULL;
	}
	if (op->was_over && op->jumps_before == w->jumps) {
		broken(w, CLAIM_SESSIONS, "%s is granted to a session that had ended", what);
		return NULL;
	}
	session_is_well(s, op);
	if (op->method == METHOD_SESSION_RESUME) {
		session_is_used(w, s, op); /* that of whoami was when it came */
	}
	s->used_wall = w->wall_ms;
	return s;
}

static void granted_session(struct world *w, const struct op *op, const char *what,
			    struct slice user_id, struct slice user_name)
{
	const struct session *s = granted_call(w, op, what);
	if (s != NULL && (!slice_eq(user_id, slice_str(s->user_id)) ||
			  !slice_eq(user_name, slice_str(s->user_name)))) {
		broken(w, CLAIM_SECRECY, "%s tells of another user", what);
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
		       "a logout or user.delete is answered, and the disk has the session still");
	}
	c->session = 0;
	c->copy.is_on = false;
	c->copy.is_unsure =
		op->is_again; /* the table may know of an end that has yet to be published */
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
	case METHOD_SESSION_ASSERT:
		granted_assert(w, c, op, r);
		break;
	case METHOD_SESSION_RESUME:
		granted_session(w, op, "a token", r->user_id, r->user_name);
		session_check_end(w, op, r->expires_at);
		session_given(c, op->session);
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
		break;
	case METHOD_SESSION_UNWATCH:
		if (op->is_settled) {
			(void)granted_call(w, op, "session.unwatch");
		}
		break;
	case METHOD_SESSION_LOGOUT:
	case METHOD_USER_DELETE:
		granted_logout(w, c, op);
		break;
	default: /* the others are judged elsewhere */
		break;
	}
}

/* A call in a room may have waited, and used the session when it was carried out, whatever came of it. */
static void sessions_answered(struct world *w, const struct op *op)
{
	if (op->session != 0 && !op_is_of_directory(op)) {
		w->sessions.all[op->session - 1].used_mono = w->mono_ms;
		w->sessions.all[op->session - 1].used_wall = w->wall_ms;
	}
}

/* Somebody else asked for the name while this call was with the server. */
static bool sessions_is_contended(const struct world *w, const struct op *op)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && sessions_begins(other->method) && other->is_delivered &&
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

/* Of a key that may have had no session yet, or none that was heard of. */
static bool refused_barred(const struct world *w, const struct op *op)
{
	char user_id[CODE_CHARS_MAX + 1];
	if (!sessions_begins(op->method) || !op->flag) {
		return false;
	}
	session_user_of_begin(w, op, user_id);
	return user_may_be_barred(w, user_id, op);
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
	bool was_in_use = op->was_in_use && row != NULL && op->method != METHOD_SESSION_RESUME &&
			  !session_call_is_held_up(w, op);
	bool was_live = op->faults_before == w->faults && (was_by_item || was_in_use);
	switch (code) {
	case FAULT_CONFLICT:
		if (op->method == METHOD_SESSION_ASSERT) {
			return op->session != 0 || !op->is_settled; /* one key a connection */
		}
		/* The session of a repeat has ended. One whose first answer never left nobody knows. */
		return op->method == METHOD_SESSION_LOGIN && op->is_again &&
		       !(op->is_known_repeat && op->faults_before == w->faults && was_by_item);
	case FAULT_NAME_TAKEN:
		return sessions_begins(op->method) && refused_taken(w, op);
	case FAULT_VALIDATION_ERROR:
		return op->expect == code;
	case FAULT_FORBIDDEN:
		return op->expect == code || refused_barred(w, op);
	case FAULT_UNAUTHENTICATED:
		if (sessions_begins(op->method)) {
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
		return op->faults_before != w->faults || w->node->is_stopping || w->nodes_n > 1 ||
		       (sessions_begins(op->method) && op->flag &&
			(session_user_of_key(w, op->member) == NULL ||
			 user_is_ending(w, session_user_of_key(w, op->member)) ||
			 user_went_mono(w, NULL) >= op->delivered_mono));
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

static const struct request session_requests[] = {
	{.method = METHOD_SESSION_LOGIN, .refused = sessions_judge},
	{.method = METHOD_SESSION_ASSERT, .refused = sessions_judge},
	{.method = METHOD_SESSION_RESUME, .refused = sessions_judge},
	{.method = METHOD_SESSION_WHOAMI, .refused = sessions_judge},
	{.method = METHOD_SESSION_WATCH, .refused = sessions_judge},
	{.method = METHOD_SESSION_UNWATCH, .refused = sessions_judge},
	{.method = METHOD_SESSION_LOGOUT, .refused = sessions_judge},
};

static void sessions_finish(struct world *w)
{
	free(w->sessions.all);
}

const struct feature feature_sessions = {
	.name = "sessions",
	FEATURE_ROWS(requests, session_requests),
	.delivered = sessions_delivered,
	.answered = sessions_answered,
	.granted = sessions_granted,
	.finish = sessions_finish,
};
