/*
 * group_watch.c - group.watch: what a connection is sent of a group, that a page of its users with
 * what comes after it ends up as what the disk has, and that nobody outside is sent anything.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"

/* ---- the picture ---- */

static struct group_copy_user *user_find(struct group_copy *copy, struct slice user_id)
{
	struct group_copy_user *user = copy->users;
	while (user < copy->users + copy->users_n && !slice_eq(slice_str(user->user_id), user_id)) {
		user++;
	}
	return user == copy->users + copy->users_n ? NULL : user;
}

static void user_put(struct group_copy *copy, const struct group_user *from)
{
	struct group_copy_user *user = user_find(copy, from->user_id);
	if (user == NULL) {
		ASSERT_CMP(copy->users_n, <, SIM_NAMES_MAX);
		user = &copy->users[copy->users_n++];
		view_text(user->user_id, sizeof(user->user_id), from->user_id);
	}
	view_text(user->name, sizeof(user->name), from->user_name);
	user->role = from->role;
}

static void user_drop(struct group_copy *copy, struct slice user_id)
{
	struct group_copy_user *user = user_find(copy, user_id);
	if (user != NULL) {
		*user = copy->users[--copy->users_n];
	}
}

static bool is_watched_by(const struct conn *c, const char *group_id)
{
	return c->group.is_on && strcmp(c->group.group_id, group_id) == 0;
}

/* That call came behind this one, which may have been carried out later. */
static bool is_unwatched_since(const struct world *w, const struct op *watch)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == watch->conn && op->method == METHOD_GROUP_UNWATCH &&
		    op->is_delivered && op->order > watch->order &&
		    strcmp(op->text, watch->text) == 0) {
			return true;
		}
	}
	return false;
}

/* ---- answers and updates leave ---- */

static void group_watch_granted(struct world *w, struct conn *c, const struct op *op,
				const union method_result *result)
{
	struct group_copy *copy = &c->group;
	if (op->method == METHOD_GROUP_UNWATCH && is_watched_by(c, op->text)) {
		copy->is_on = false;
	} else if (op->method == METHOD_GROUP_WATCH) {
		*copy = (struct group_copy){
			.is_on = sessions_has_stayed(w, c, op) && !is_unwatched_since(w, op),
			.session = c->session,
			.epoch = result->GROUP_WATCH.epoch,
			.version = result->GROUP_WATCH.version,
		};
		view_text(copy->group_id, sizeof(copy->group_id), slice_str(op->text));
	} else if (op->method == METHOD_GROUP_USERS && is_watched_by(c, op->text)) {
		/* A page that is older than what was applied is asked for again. */
		const struct group_users_result *page = &result->GROUP_USERS;
		copy->is_paged = page->version >= copy->version && page->cursor.len == 0;
		copy->users_n = 0;
		for (size_t i = 0; copy->is_paged && i < page->users_n; i++) {
			user_put(copy, &page->users[i]);
		}
	}
}

static void group_watch_notice(struct world *w, struct conn *c, enum notice notice,
			       const union notice_record *rec)
{
	const struct group_update *u = &rec->group_update;
	struct group_copy *copy = &c->group;
	char id[20];
	view_text(id, sizeof(id), notice == NOTICE_GROUP_UPDATE ? u->group_id : SLICE(""));
	if (notice != NOTICE_GROUP_UPDATE || !is_watched_by(c, id)) {
		return;
	}
	bool is_next = u->since == copy->version && u->version == u->since + 1;
	bool is_same = u->since == u->version;
	if (u->reset || u->is_deleted) {
		copy->is_on = false;
		return;
	}
	if (u->epoch != copy->epoch || (!is_next && !is_same)) {
		broken(w, CLAIM_VERSIONS, "a group goes from %lld to %lld, and was at %lld",
		       (long long)u->since, (long long)u->version, (long long)copy->version);
	}
	copy->version = u->version;
	if (is_next && planted(w, BREAK_EMPTY_UPDATE, 1)) {
		return;
	}
	if (u->with_group) {
		view_text(copy->name, sizeof(copy->name), u->group.group_name);
		copy->count = u->group.users;
	}
	for (size_t i = 0; i < u->gone.n; i++) {
		user_drop(copy, u->gone.items[i]);
	}
	for (size_t i = 0; copy->is_paged && i < u->users_n; i++) {
		user_put(copy, &u->users[i]);
	}
}

/* ---- when all is quiet ---- */

/* The item of a row, in the world's arena until it is reset. */
static const void *item_of(struct world *w, const struct table_row *row)
{
	return item_of_value(w, row->kind, slice_of(row->value, row->value_len));
}

/* What differs between the picture and the disk, for a person; NULL: nothing. */
static const char *picture_differs(struct world *w, struct group_copy *copy, const char *user_id)
{
	const struct table_row *row = find_row(w, ITEM_GROUP, copy->group_id, "");
	if (row == NULL || find_row(w, ITEM_MEMBERSHIP, user_id, copy->group_id) == NULL) {
		return "its user is in no such group";
	}
	const struct group_item *group = item_of(w, row);
	if (copy->version != group->version || copy->epoch != group->created_on) {
		return "the group is at another version";
	}
	if (!slice_eq(slice_str(copy->name), group->group_name) || copy->count != group->users) {
		return "the group has another name, or so many users not";
	}
	if (copy->is_paged && copy->users_n != (size_t)group->users) {
		return "there are more users, or fewer";
	}
	for (size_t i = 0; copy->is_paged && i < copy->users_n; i++) {
		const struct group_copy_user *user = &copy->users[i];
		const struct table_row *in =
			find_row(w, ITEM_MEMBERSHIP, user->user_id, copy->group_id);
		const struct table_row *of = find_row(w, ITEM_USER, user->user_id, "");
		if (in == NULL || of == NULL) {
			return "one of its users is not in it";
		}
		if (((const struct membership_item *)item_of(w, in))->role != user->role ||
		    !slice_eq(((const struct user_item *)item_of(w, of))->user_name,
			      slice_str(user->name))) {
			return "one of its users has another name or role";
		}
	}
	return NULL;
}

bool watch_is_sure(struct world *w, const struct conn *c, size_t session)
{
	const struct session *s = session_of_conn(w, c);
	return s != NULL && c->session == session && session_is_of_life(s) &&
	       w->mono_ms < s->sure_mono + session_life(w) &&
	       table_token(&w->table, s->hash) != NULL && sessions_is_settled(w, c->serial, NULL);
}

/* The index that pages users may lag: then a page may lack one. */
static void group_watch_settled(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken && !w->is_lagging; i++) {
		struct conn *c = w->conns[i];
		const struct session *s = session_of_conn(w, c);
		if (!c->group.is_on || !c->server_has || !c->client_has || c->is_deaf ||
		    !watch_is_sure(w, c, c->group.session)) {
			continue;
		}
		w->figures.comparisons++;
		arena_reset(&w->arena);
		const char *why = picture_differs(w, &c->group, s->user_id);
		if (why != NULL) {
			broken(w, CLAIM_CONVERGE, "all is quiet, %s watches a group, and %s",
			       member_name(w, c->member), why);
		}
	}
}

/* ---- the client ---- */

/*
 * A client that is in a group watches it, and reads who is there, again where the page is behind what has come since:
 * most changes of a group come when people enter it. So does one that logs in when all is calm.
 */
static void group_watch_heard(struct world *w, struct conn *c, const struct op *op,
			      const union method_result *result)
{
	struct op about = {0};
	struct slice group_id = op->method == METHOD_GROUP_CREATE ? result->GROUP_CREATE.group_id
				: op->method == METHOD_GROUP_JOIN ? result->GROUP_JOIN.group_id
								  : (struct slice){0};
	bool pages = (op->method == METHOD_GROUP_WATCH || op->method == METHOD_GROUP_USERS) &&
		     is_watched_by(c, op->text) && !c->group.is_paged;
	if (c->is_broken || (w->is_calm && (!c->is_desk || c->is_brief || w->is_night))) {
		return;
	}
	if (group_id.len > 0 && !c->group.is_on) {
		view_text(about.text, sizeof(about.text), group_id);
		struct group_watch_params p = {.group_id = slice_str(about.text)};
		send_op(w, c, METHOD_GROUP_WATCH, -1, &p, &about);
	} else if (pages) {
		view_text(about.text, sizeof(about.text), slice_str(op->text));
		struct group_users_params p = {.group_id = slice_str(about.text)};
		send_op(w, c, METHOD_GROUP_USERS, -1, &p, &about);
	}
}

const struct feature feature_group_watch = {
	.name = "group-watch",
	.granted = group_watch_granted,
	.heard = group_watch_heard,
	.notice = group_watch_notice,
	.settled = group_watch_settled,
};
