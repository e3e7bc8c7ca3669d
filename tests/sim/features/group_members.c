/*
 * group_members.c - who is in a group, who was until lately, and as what: a call is decided at some moment between its
 * coming and its answer, so both count.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/net/send.h"

#include <string.h>

#define LEFT_MAX (sizeof(((struct world *)NULL)->left) / sizeof(struct sim_left))

static bool has_left(const struct world *w, const char *user_id, const char *group_id,
		     bool as_owner, int64_t since_mono)
{
	for (size_t i = 0; i < w->left_n && i < LEFT_MAX; i++) {
		const struct sim_left *left = &w->left[i];
		if (left->mono >= since_mono && (!as_owner || left->was_owner) &&
		    strcmp(left->user_id, user_id) == 0 && strcmp(left->group_id, group_id) == 0) {
			return true;
		}
	}
	return false;
}

bool may_have_been_in(const struct world *w, const char *user_id, const char *group_id,
		      bool as_owner, int64_t since_mono)
{
	const struct table_row *row = find_row(w, ITEM_MEMBERSHIP, user_id, group_id);
	return (row != NULL && (!as_owner || row->is_owner)) ||
	       has_left(w, user_id, group_id, as_owner, since_mono);
}

bool sender_has_stayed(const struct world *w, const struct op *op, const char *group_id)
{
	const struct session *s = sender(w, op);
	return s != NULL && !has_left(w, s->user_id, group_id, false, op->delivered_mono);
}

/* A call that runs again, in a room that was loaded anew, is that of the connection's login by then. */
static bool later_login_may_have_been_in(const struct world *w, const struct op *op,
					 const char *group_id, bool as_owner)
{
	struct conn *c = net_by_serial(w, op->conn);
	if (op->room < 0 || c == NULL || op->from_epoch == w->rooms[op->room].mem->now.epoch) {
		return false;
	}
	const struct session *s = session_of_conn(w, c);
	return !sessions_is_settled(w, op->conn, op) ||
	       (s != NULL &&
		may_have_been_in(w, s->user_id, group_id, as_owner, op->delivered_mono));
}

bool sender_may_have_been_in(const struct world *w, const struct op *op, const char *group_id,
			     bool as_owner)
{
	const struct session *s = sender(w, op);
	return !op->is_settled ||
	       (s != NULL &&
		may_have_been_in(w, s->user_id, group_id, as_owner, op->delivered_mono)) ||
	       later_login_may_have_been_in(w, op, group_id, as_owner);
}

bool is_surely_owner(struct world *w, const struct op *op, const char *group_id)
{
	const struct session *s = sender(w, op);
	const struct table_row *row =
		s == NULL ? NULL : find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id);
	return row != NULL && row->is_owner && is_surely_in(w, op, group_id) &&
	       ((const struct membership_item *)item_of_row(w, row))->updated_on <
		       op->delivered_wall;
}

struct conn *other_owner(struct world *w, const struct conn *c, const char *group_id)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		const struct session *s = session_of_conn(w, other);
		const struct table_row *row =
			s == NULL ? NULL : find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id);
		/* What follows half a message would be read as the rest of it. */
		if (other->member != c->member && other->server_has && !other->is_broken &&
		    row != NULL && row->is_owner) {
			return other;
		}
	}
	return NULL;
}

/* Whoever comes into a group is made an owner beside the first, now and then. */
static void members_heard(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	const struct session *s = session_of_conn(w, c);
	struct op about = {0};
	if (op->method != METHOD_GROUP_JOIN || s == NULL || w->is_calm ||
	    dice_percent(&w->dice, 60)) {
		return;
	}
	view_text(about.text, sizeof(about.text), result->GROUP_JOIN.group_id);
	view_text(about.target, sizeof(about.target), slice_str(s->user_id));
	struct conn *by = other_owner(w, c, about.text);
	struct group_set_role_params p = {.group_id = slice_str(about.text),
					  .user_id = slice_str(about.target),
					  .role = GROUP_OWNER};
	if (by != NULL) {
		send_op(w, by, METHOD_GROUP_SET_ROLE, -1, &p, &about);
	}
}

static void members_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		if (op->kind == STORE_CHECK || row == NULL || row->kind != ITEM_MEMBERSHIP) {
			continue;
		}
		struct sim_left left = {.was_owner = row->is_owner, .mono = w->mono_ms};
		arena_reset(&w->arena);
		bool stays = op->kind == STORE_PUT &&
			     ((const struct membership_item *)item_of_value(w, ITEM_MEMBERSHIP,
									    op->value))
					     ->role == (row->is_owner ? GROUP_OWNER : GROUP_MEMBER);
		if (!stays) {
			view_text(left.user_id, sizeof(left.user_id), pk_rest(row));
			view_text(left.group_id, sizeof(left.group_id), sk_rest(row));
			w->left[w->left_n++ % LEFT_MAX] = left;
		}
	}
}

const struct feature feature_group_members = {
	.name = "group-members",
	.heard = members_heard,
	.commit_before = members_before,
};
