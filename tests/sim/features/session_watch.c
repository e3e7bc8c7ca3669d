/*
 * session_watch.c - session.watch: what a connection is sent of its user's
 * sessions and rooms, that it ends up as what the disk has, and that nothing
 * is sent any more after session.unwatch.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/room_code.h"

/* ---- lists ---- */

static size_t names_find(const struct sim_names *list, struct slice name)
{
	size_t i = 0;
	while (i < list->n && !slice_eq(slice_str(list->all[i]), name)) {
		i++;
	}
	return i;
}

static void names_put(struct sim_names *list, struct slice name)
{
	if (names_find(list, name) == list->n) {
		ASSERT_CMP(list->n, <, SIM_NAMES_MAX);
		bool fits = view_text(list->all[list->n], sizeof(list->all[0]), name);
		ASSERT(fits);
		list->n++;
	}
}

static void names_drop(struct sim_names *list, struct slice name)
{
	size_t i = names_find(list, name);
	if (i < list->n) {
		memmove(list->all[i], list->all[list->n - 1], sizeof(list->all[0]));
		list->n--;
	}
}

static bool names_eq(const struct sim_names *a, const struct sim_names *b)
{
	bool same = a->n == b->n;
	for (size_t i = 0; i < a->n && same; i++) {
		same = names_find(b, slice_str(a->all[i])) < b->n;
	}
	return same;
}

/* ---- what is sent ---- */

/* What a session is called where it is shown. */
static struct slice watch_name(const struct world *w, const char *hash,
			       char out[CODE_CHARS_MAX + 1])
{
	code_derive(w->config.server_key, "session_id", slice_str(hash), out, USER_ID_CHARS);
	return slice_str(out);
}

/* Whoever is named there has to be the user's own. */
static void watch_check_owner(struct world *w, const struct sessions_watch *copy, struct slice id)
{
	char name[CODE_CHARS_MAX + 1] = "";
	for (size_t i = 0; i < w->sessions.n; i++) {
		const struct session *s = &w->sessions.all[i];
		if (slice_eq(watch_name(w, s->hash, name), id) &&
		    strcmp(s->user_id, copy->user_id) != 0) {
			broken(w, CLAIM_SECRECY, "a session is shown to another user");
		}
	}
}

/* The user's sessions and rooms, by the disk. */
static void watch_look_up(const struct world *w, const char *user_id, struct sim_names *sessions,
			  struct sim_names *rooms)
{
	char name[CODE_CHARS_MAX + 1] = "";
	const size_t prefix = sizeof("ROOM:") - 1;
	TABLE_EACH (&w->table, TABLE_ALL, row) {
		if (strcmp(row->account, user_id) != 0) {
			continue;
		}
		if (row->kind == ITEM_TOKEN) {
			names_put(sessions, watch_name(w, row->hash, name));
		} else if (row->kind == ITEM_SEAT) {
			names_put(rooms, slice_of(row->pk + prefix, row->pk_len - prefix));
		}
	}
}

/* Another login has ended the session while the answer was on its way, and the watch with it. */
static bool watch_has_ended(const struct world *w, const struct sessions_watch *copy)
{
	struct sim_names sessions = {0};
	struct sim_names rooms = {0};
	watch_look_up(w, copy->user_id, &sessions, &rooms);
	return names_find(&sessions, slice_str(copy->own)) == sessions.n;
}

static void watch_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	const struct session_watch_result *r = &result->SESSION_WATCH;
	struct sessions_watch *copy = &c->copy;
	if (op->method == METHOD_SESSION_UNWATCH) { /* carried out when it came */
		*copy = (struct sessions_watch){.is_on = false};
		c->unwatched = op->order;
		return;
	}
	if (op->method != METHOD_SESSION_WATCH || op->order < c->unwatched) {
		return;
	}
	*copy = (struct sessions_watch){
		.is_unsure = !op->is_settled || op->session != c->session,
		.is_on = true,
		.version = r->version,
	};
	view_text(copy->user_id, sizeof(copy->user_id), r->user_id);
	view_text(copy->own, sizeof(copy->own), r->session_id);
	copy->is_unsure = copy->is_unsure || watch_has_ended(w, copy);
	for (size_t i = 0; i < r->sessions_n; i++) {
		watch_check_owner(w, copy, r->sessions[i].session_id);
		names_put(&copy->sessions, r->sessions[i].session_id);
	}
	for (size_t i = 0; i < r->rooms.n; i++) {
		names_put(&copy->rooms, r->rooms.items[i]);
	}
}

/* The answer that it goes before has all that it says. */
bool watch_is_asked_for(const struct world *w, const struct conn *c)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == c->serial && op->method == METHOD_SESSION_WATCH &&
		    op->is_delivered && !op->is_answered && op->order > c->unwatched) {
			return true;
		}
	}
	return false;
}

static void watch_told(struct world *w, struct conn *c, const struct session_update *u)
{
	struct sessions_watch *copy = &c->copy;
	if (copy->is_unsure) {
		return;
	}
	if (!copy->is_on) {
		/* What ends several sessions at once says of each that it has. */
		bool is_with_own = u->with_ended && w->mono_ms == copy->ended_mono;
		if (!is_with_own && !watch_is_asked_for(w, c)) {
			broken(w, CLAIM_SECRECY, "session.update goes to one that does not watch");
		}
		return;
	}
	/* Nobody here asks again, and yet the subscription goes on: what comes after the reset is sent at once. So it is
	 * where the topic has overtaken every run of session.watch, whose answer then has a reset behind it. */
	if (u->with_reset && u->reset) {
		if (u->since != u->version || u->version < copy->version) {
			broken(w, CLAIM_VERSIONS,
			       "a topic is reset from %lld to %lld, and was at %lld",
			       (long long)u->since, (long long)u->version,
			       (long long)copy->version);
		}
		copy->version = u->version;
		copy->is_reset = true;
		return;
	}
	if (u->since != copy->version || u->version != u->since + 1) {
		broken(w, CLAIM_VERSIONS, "a topic goes from %lld to %lld, and was at %lld",
		       (long long)u->since, (long long)u->version, (long long)copy->version);
	}
	copy->version = u->version;
	if (u->with_started) {
		watch_check_owner(w, copy, u->started.session_id);
		names_put(&copy->sessions, u->started.session_id);
	}
	if (u->with_ended) {
		watch_check_owner(w, copy, u->ended);
		copy->is_on = !slice_eq(u->ended, slice_str(copy->own));
		copy->ended_mono = copy->is_on ? 0 : w->mono_ms;
		if (!planted(w, BREAK_KEEP_ENDED, 1)) {
			names_drop(&copy->sessions, u->ended);
		}
	}
	if (u->with_joined) {
		names_put(&copy->rooms, u->joined);
	}
	if (u->with_left) {
		names_drop(&copy->rooms, u->left);
	}
}

static void watch_notice(struct world *w, struct conn *c, enum notice notice,
			 const union notice_record *rec)
{
	if (notice != NOTICE_SESSION_UPDATE) {
		return;
	}
	watch_told(w, c, &rec->session);
	for (size_t i = 0; i < w->conns_n; i++) {
		if (w->conns[i]->unwatched != 0 && planted(w, BREAK_KEEP_WATCH, 1)) {
			watch_told(w, w->conns[i], &rec->session);
		}
	}
}

/* ---- when all is quiet ---- */

/* One that has been idle for its life is sent nothing more; an index that lags lists what was. */
static void watch_settled(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken && !w->is_lagging; i++) {
		const struct conn *c = w->conns[i];
		const struct sessions_watch *copy = &c->copy;
		const struct session *s = session_of_conn(w, c);
		struct sim_names sessions = {0};
		struct sim_names rooms = {0};
		if (!copy->is_on || copy->is_unsure || copy->is_reset || !c->server_has ||
		    !c->client_has || c->is_deaf || s == NULL || !session_is_in_use(w, s, NULL)) {
			continue;
		}
		watch_look_up(w, copy->user_id, &sessions, &rooms);
		w->figures.comparisons++;
		if (!names_eq(&copy->sessions, &sessions) || !names_eq(&copy->rooms, &rooms)) {
			broken(w, CLAIM_CONVERGE,
			       "all is quiet, and %s knows %zu sessions and %zu rooms of its user, "
			       "and the disk others: %zu and %zu",
			       member_name(w, c->member), copy->sessions.n, copy->rooms.n,
			       sessions.n, rooms.n);
		}
	}
}

const struct feature feature_session_watch = {
	.name = "session-watch",
	.granted = watch_granted,
	.notice = watch_notice,
	.settled = watch_settled,
};
