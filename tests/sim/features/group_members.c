/*
 * group_members.c - who is in a group, who was until lately, and as what: a call is decided at some moment between its
 * coming and its answer, so both count.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"

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

bool sender_may_have_been_in(const struct world *w, const struct op *op, const char *group_id,
			     bool as_owner)
{
	const struct session *s = sender(w, op);
	return !op->is_settled || (s != NULL && may_have_been_in(w, s->user_id, group_id, as_owner,
								 op->delivered_mono));
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
	.commit_before = members_before,
};
