/*
 * answers.c - what an answer promises: that a granted change can be seen where
 * it says, and that a refusal had its reason.
 *
 * Both are judged by the states the room was in between the request's arrival
 * and its answer. Where one of those is no longer known (a load, a long wait),
 * the benefit of the doubt goes to the server.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

/* ---- granted ---- */

/* The version in a result, whatever record it is; -1: none. */
static int64_t granted_version(enum method method, const union method_result *result)
{
	const struct record *rec = method_rows[method].result;
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		if (strcmp(f->name, "version") == 0 && field_with(f, result)) {
			int64_t version;
			memcpy(&version, (const char *)result + f->offset, sizeof(version));
			return version;
		}
	}
	return -1;
}

void oracle_durable(struct world *w, int room, int64_t epoch, int64_t version, const char *what)
{
	const struct sim_room *r = &w->rooms[room];
	const struct view *v = room_at(r, epoch, version);
	if (!r->mem->in_memory || epoch != r->mem->now.epoch ||
	    version <= r->mem->durable_version || v == NULL) {
		return;
	}
	if (view_durable_hash(v) != r->mem->durable_hash) {
		const char *lacks = table_differs(&w->table, r->id, v);
		broken(w, CLAIM_DURABLE,
		       "%s of %s at version %lld leaves, and the disk stands at %lld, and lacks %s",
		       what, r->id, (long long)version, (long long)r->mem->durable_version,
		       lacks == NULL ? "something" : lacks);
	}
}

/* A room that has ended is made anew by its key: with the same host_key, and a code as long as codes are by then. */
static bool repeat_makes_anew(const struct world *w, const struct op *op,
			      const union method_result *result)
{
	const struct room_create_result *made = &result->ROOM_CREATE;
	for (size_t i = 0; i < w->rooms_n && op->method == METHOD_ROOM_CREATE; i++) {
		const struct sim_room *r = &w->rooms[i];
		struct slice code = slice_str(r->id);
		if (r->is_ending && !slice_eq(code, made->room_id) &&
		    (slice_starts(code, made->room_id) || slice_starts(made->room_id, code)) &&
		    slice_eq(slice_str(r->host_key), made->host_key)) {
			return true;
		}
	}
	return false;
}

/* On the directory a key is its user's, who is not certain where a login was on its way when the call came. */
static bool repeat_is_of_user(const struct world *w, const struct op *op, const struct op *other)
{
	const struct session *all = w->sessions.all;
	return op->is_settled && other->is_settled && op->session != 0 && other->session != 0 &&
	       strcmp(all[op->session - 1].user_id, all[other->session - 1].user_id) == 0;
}

static void granted_repeat(struct world *w, const struct op *op, const union method_result *result)
{
	/* A room made again by a member who has logged in meanwhile is another caller's. */
	bool is_others = op->method == METHOD_ROOM_CREATE && w->members[op->member].has_signed_in;
	/* A session ends later each time it is used: see sessions.c. */
	is_others =
		is_others || op->method == METHOD_SESSION_LOGIN || repeat_makes_anew(w, op, result);
	for (size_t i = 0; i < w->ops_n && op->once[0] != '\0' && !is_others; i++) {
		const struct op *other = &w->ops[i];
		bool is_same = !op_is_of_directory(op) || repeat_is_of_user(w, op, other);
		if (other != op && other->is_ok && is_same && strcmp(other->once, op->once) == 0 &&
		    other->result_hash != op->result_hash) {
			broken(w, CLAIM_REPEATS, "%s repeated with its key has another result",
			       method_rows[op->method].name);
		}
	}
}

/* The version that an answer names shows the change, and is durable. */
static void granted_shows(struct world *w, const struct request *row, const struct op *op,
			  const union method_result *result)
{
	const struct sim_room *r = &w->rooms[op->room];
	int64_t version = row->names_version ? granted_version(op->method, result) : -1;
	const struct view *v =
		version < 0 || op->is_again ? NULL : room_at(r, r->mem->now.epoch, version);
	if (v == NULL || op->from_epoch != r->mem->now.epoch) {
		return;
	}
	oracle_durable(w, op->room, r->mem->now.epoch, version, "an answer");
	const char *lacks =
		op->user_id[0] == '\0' || row->lacks == NULL ? NULL : row->lacks(op, result, v);
	if (lacks != NULL) {
		broken(w, CLAIM_RULES, "%s of %s is granted, but version %lld of %s lacks %s",
		       method_rows[op->method].name, member_name(w, op->member), (long long)version,
		       r->id, lacks);
	}
}

void answers_granted(struct world *w, struct conn *c, const struct op *op,
		     const union method_result *result)
{
	const struct request *row = feature_request(op->method);
	if (op->expect != FAULT_NONE) {
		broken(w, CLAIM_RULES, "%s of %s is granted and had to be refused",
		       method_rows[op->method].name, member_name(w, op->member));
	}
	granted_repeat(w, op, result);
	FEATURES_DO(granted, w, c, op, result);
	if (op->room >= 0 && row != NULL) {
		granted_shows(w, row, op, result);
	}
}

/* ---- refused ---- */

bool answers_some(const struct world *w, const struct op *op, state_test *test)
{
	const struct sim_room *r = &w->rooms[op->room];
	if (!r->mem->in_memory || op->from_epoch != r->mem->now.epoch || op->from_version < 0 ||
	    op->faults_before != w->faults) {
		return true;
	}
	for (int64_t version = op->from_version; version <= r->mem->now.version; version++) {
		const struct view *v = room_at(r, r->mem->now.epoch, version);
		if (v == NULL || test(w, op, v)) {
			return true;
		}
	}
	return false;
}

bool is_revealed(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->is_revealed;
}

bool is_no_host(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->is_host;
}

bool has_no_seat(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return view_user_const(v, op->user_id) == NULL;
}

bool has_no_target(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return view_user_const(v, op->target) == NULL;
}

static bool refused_forbidden(const struct world *w, const struct op *op, const struct request *row)
{
	if (op->room < 0) {
		return op->method == METHOD_SERVER_STATS || op->method == METHOD_SERVER_SHARE;
	}
	state_test *test = row == NULL || row->forbidden == NULL ? is_no_host : row->forbidden;
	bool has_key = op->shows_host_key && (row == NULL || !row->takes_no_key);
	return !has_key && answers_some(w, op, test);
}

static bool refused_by(const struct world *w, const struct op *op, state_test *test)
{
	return test != NULL && op->room >= 0 && answers_some(w, op, test);
}

static bool refused_unauthenticated(struct world *w, const struct op *op)
{
	const struct conn *c = net_by_serial(w, op->conn);
	return op->room < 0 || !op->shows_user_key || c == NULL || !c->left_greeted ||
	       answers_some(w, op, has_no_seat);
}

static bool refused_not_found(const struct world *w, const struct op *op)
{
	const struct sim_room *r = op->room < 0 ? NULL : &w->rooms[op->room];
	return r == NULL || r->is_ending || r->is_deleted || !table_has_room(&w->table, r->id);
}

static bool refused_by_nothing(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	(void)v;
	return false;
}

/* A miss is paid for when it is found; its answer may leave later. */
bool answers_may_have_guessed(const struct world *w)
{
	int64_t misses = (int64_t)w->misses;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		misses += w->ops[i].is_delivered && !w->ops[i].is_answered;
	}
	return misses >= w->config.limits[LIMIT_ROOM_MISSES_PER_MINUTE];
}

/* Nobody who proves something is refused because codes were tried. */
static bool refused_guess(const struct world *w, const struct op *op)
{
	bool is_seated = op->shows_user_key && op->user_id[0] != '\0' && op->room >= 0 &&
			 !answers_some(w, op, has_no_seat);
	bool is_hosting = op->shows_host_key && op->room >= 0 &&
			  !answers_some(w, op, refused_by_nothing); /* of a room that exists */
	bool is_proven = is_hosting || is_seated;
	return answers_may_have_guessed(w) && !is_proven;
}

/* For a reason that is the same whatever was asked for. */
static bool refused_rightly(struct world *w, const struct op *op, const struct fault *f)
{
	static const struct request none;
	const struct request *row = feature_request(op->method);
	row = row == NULL ? &none : row;
	switch (f->code) {
	case FAULT_VALIDATION_ERROR:
		return op->expect == FAULT_VALIDATION_ERROR || op->room < 0 ||
		       refused_by(w, op, row->invalid);
	case FAULT_UNKNOWN_METHOD:
		return op->method == METHOD_COUNT;
	case FAULT_UNAUTHENTICATED:
		return refused_unauthenticated(w, op);
	case FAULT_FORBIDDEN:
		return refused_forbidden(w, op, row);
	case FAULT_ROOM_NOT_FOUND:
		return refused_not_found(w, op);
	case FAULT_NOT_FOUND:
		return refused_by(w, op, row->not_found);
	case FAULT_CONFLICT:
		return refused_by(w, op, row->conflict);
	case FAULT_RATE_LIMITED:
		if (strstr(f->message, "wrong codes") != NULL) {
			return refused_guess(w, op);
		}
		return w->config.limits[LIMIT_REQUESTS_PER_SECOND] < 100 || op->room < 0 ||
		       (int64_t)w->misses >= w->config.limits[LIMIT_ROOM_MISSES_PER_MINUTE];
	case FAULT_ELSEWHERE:
		return w->nodes_n > 1;
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->node->is_stopping ||
		       w->commits != NULL || w->nodes_n > 1; /* a frozen node */
	default:
		return false;
	}
}

static bool refused_is_excused(struct world *w, const struct op *op, enum fault_code code)
{
	for (size_t i = 0; i < features_n; i++) {
		if (features[i]->excuses != NULL && features[i]->excuses(w, op, code)) {
			return true;
		}
	}
	return false;
}

void answers_refused(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	const struct request *row = feature_request(op->method);
	/* Reads see what is not acknowledged, such as that somebody has left a group. */
	bool may_have_gone =
		w->master.is_on && f->code == FAULT_NOT_FOUND && op->faults_before != w->faults;
	w->misses += may_have_gone;
	if (may_have_gone) {
		return;
	}
	if (row != NULL && row->refused != NULL) {
		row->refused(w, c, op, f);
		return;
	}
	/* A commit that fails takes the answers with it, also that of a guess which has been paid for. */
	w->misses += f->code == FAULT_ROOM_NOT_FOUND || f->code == FAULT_PASSCODE_REQUIRED ||
		     f->code == FAULT_ROOM_LOCKED || f->code == FAULT_ELSEWHERE ||
		     (f->code == FAULT_UNAVAILABLE && op->room >= 0);
	bool is_right = refused_rightly(w, op, f) || refused_is_excused(w, op, f->code);
	for (size_t i = 0; i < features_n; i++) {
		is_right = is_right &&
			   (features[i]->refutes == NULL || !features[i]->refutes(w, op, f->code));
	}
	if (!is_right) {
		broken(w, CLAIM_RULES, "%s of %s is refused without a reason: %s (%s) %s",
		       op->method == METHOD_COUNT ? "a call" : method_rows[op->method].name,
		       member_name(w, op->member), fault_code_name(f->code), f->field, f->message);
	}
}
