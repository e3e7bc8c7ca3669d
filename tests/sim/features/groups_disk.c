/*
 * groups_disk.c - what the disk must say of groups, and what a commit may do to them: that a group counts what it has
 * and has an owner, that nobody gets in but by an invitation, and that each of its uses lets one in.
 */
#include "tests/sim/features/groups.h"

#include "tests/sim/features/feature.h"

#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"

/* ---- what is on the disk ---- */

const void *item_of_row(struct world *w, const struct table_row *row)
{
	void *item = NULL;
	struct fault fault;
	arena_reset(&w->arena);
	enum err e = item_decode(row->kind, slice_of(row->value, row->value_len), RECORD_STRICT,
				 &w->arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	return item;
}

struct slice pk_rest(const struct table_row *row)
{
	size_t prefix = item_rows[row->kind].pk_prefix_len;
	return slice_of(row->pk + prefix, row->pk_len - prefix);
}

struct slice sk_rest(const struct table_row *row)
{
	size_t prefix = item_rows[row->kind].sk_len;
	return slice_of(row->sk + prefix, row->sk_len - prefix);
}

const struct table_row *find_row(const struct world *w, enum item_kind kind, const char *pk,
				 const char *sk)
{
	char item_pk[64], item_sk[80];
	size_t pk_len =
		(size_t)snprintf(item_pk, sizeof(item_pk), "%s%s", item_rows[kind].pk_prefix, pk);
	size_t sk_len = (size_t)snprintf(item_sk, sizeof(item_sk), "%s%s", item_rows[kind].sk, sk);
	return table_find(&w->table, slice_of(item_pk, pk_len), slice_of(item_sk, sk_len));
}

/* MiB that a container counts for its group, if it is that group's. */
static int64_t blocks_of(struct world *w, const struct table_row *container,
			 const struct table_row *group)
{
	const struct container_item *c = item_of_row(w, container);
	bool counts = !c->is_deleted && slice_eq(c->group_id, pk_rest(group));
	return counts ? (c->bytes + (1 << 20) - 1) >> 20 : 0;
}

static void group_holds(struct world *w, const struct table_row *row)
{
	const struct group_item group = *(const struct group_item *)item_of_row(w, row);
	int64_t users = 0, owners = 0, containers = 0, invitations = 0, blocks = 0;
	TABLE_EACH (&w->table, ITEM_CONTAINER, other) {
		blocks += blocks_of(w, other, row);
	}
	if (blocks != group.blocks && !group.is_deleted) {
		broken(w, CLAIM_RULES, "a group counts %lld MiB of items and has %lld",
		       (long long)group.blocks, (long long)blocks);
	}
	TABLE_EACH (&w->table, TABLE_ALL, other) {
		bool is_within = slice_eq(row_pk(other), row_pk(row));
		containers += is_within && other->kind == ITEM_GROUP_CONTAINER;
		invitations += is_within && other->kind == ITEM_INVITATION;
		if (other->kind == ITEM_MEMBERSHIP && slice_eq(sk_rest(other), pk_rest(row))) {
			const struct membership_item *m = item_of_row(w, other);
			users++;
			owners += m->role == GROUP_OWNER;
		}
	}
	if (users != group.users || owners != group.owners || containers != group.containers ||
	    invitations != group.invitations) {
		broken(w, CLAIM_RULES, "a group counts %lld users and has %lld",
		       (long long)group.users, (long long)users);
	} else if (owners == 0 && !group.is_deleted) {
		broken(w, CLAIM_RULES, "a group has no owner");
	}
}

static void user_holds(struct world *w, const struct table_row *row)
{
	int64_t groups = ((const struct user_item *)item_of_row(w, row))->groups;
	int64_t n = 0;
	TABLE_EACH (&w->table, ITEM_MEMBERSHIP, other) {
		n += slice_eq(row_pk(other), row_pk(row));
	}
	if (n != groups) {
		broken(w, CLAIM_RULES, "a user counts %lld groups and is in %lld",
		       (long long)groups, (long long)n);
	}
}

static void groups_hold(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_GROUP, row) {
		group_holds(w, row);
	}
	TABLE_EACH (&w->table, ITEM_USER, row) {
		user_holds(w, row);
	}
}

/* ---- commits ---- */

/* What the commit takes of the invitation that it lets somebody in by: one use, or none where it has no number of them. */
static bool takes_a_use(struct world *w, const struct store_op *op)
{
	const struct table_row *row = table_find(&w->table, op->pk, op->sk);
	if (row == NULL) {
		return false;
	}
	int64_t before = ((const struct invitation_item *)item_of_row(w, row))->uses_left;
	int64_t after = before;
	if (op->kind == STORE_PUT) {
		void *item = NULL;
		struct fault fault;
		enum err e = item_decode(ITEM_INVITATION, op->value, RECORD_STRICT, &w->arena,
					 &item, &fault);
		ASSERT_CMP(e, ==, OK);
		after = ((const struct invitation_item *)item)->uses_left;
	}
	return op->kind == STORE_DELETE ? before == 1
	       : before == 0		? after == 0
					: after == before - 1;
}

const struct table_row *removal_of(const struct world *w, const char *group_id, const char *user_id)
{
	char text[64];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s %s", group_id, user_id);
	struct key_text hash = key_hash(w->config.server_key, "removed", slice_of(text, len));
	return find_row(w, ITEM_REMOVED, group_id, hash.text);
}

/* Whoever was removed comes in by an invitation that an owner has made since. */
static void broken_unless_owners(struct world *w, const struct sim_commit *c,
				 const struct store_op *removal)
{
	const struct table_row *row = table_find(&w->table, removal->pk, removal->sk);
	int64_t removed_on =
		row == NULL ? 0 : ((const struct removed_item *)item_of_row(w, row))->updated_on;
	for (size_t i = 0; row != NULL && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *by = table_find(&w->table, op->pk, op->sk);
		if (by == NULL || by->kind != ITEM_INVITATION) {
			continue;
		}
		char maker[CODE_CHARS_MAX + 1], group_id[CODE_CHARS_MAX + 1];
		const struct invitation_item *item = item_of_row(w, by);
		bool is_later = item->created_on >= removed_on;
		view_text(maker, sizeof(maker), item->created_by);
		view_text(group_id, sizeof(group_id), pk_rest(by));
		const struct table_row *m = find_row(w, ITEM_MEMBERSHIP, maker, group_id);
		if (!is_later || m == NULL ||
		    ((const struct membership_item *)item_of_row(w, m))->role != GROUP_OWNER) {
			broken(w, CLAIM_RULES,
			       "whoever was removed comes in by an older invitation");
		}
	}
}

static void groups_before(struct world *w, const struct sim_commit *c)
{
	bool lets_in = false, makes = false, by_invitation = false;
	const struct table_row *removal = NULL;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		enum item_kind kind = item_kind_of(op->pk, op->sk);
		bool is_new =
			op->kind == STORE_PUT && table_find(&w->table, op->pk, op->sk) == NULL;
		if (kind == ITEM_MEMBERSHIP && is_new) {
			char user_id[CODE_CHARS_MAX + 1], group_id[CODE_CHARS_MAX + 1];
			view_text(user_id, sizeof(user_id),
				  slice_of(op->pk.data + strlen("USER:"),
					   op->pk.len - strlen("USER:")));
			view_text(group_id, sizeof(group_id),
				  slice_of(op->sk.data + strlen("GROUP#"),
					   op->sk.len - strlen("GROUP#")));
			lets_in = true;
			removal = removal_of(w, group_id, user_id);
		}
		makes = makes || (kind == ITEM_GROUP && is_new);
	}
	for (size_t i = 0; lets_in && !makes && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_DELETE && item_kind_of(op->pk, op->sk) == ITEM_REMOVED) {
			broken_unless_owners(w, c, op);
			removal = NULL;
		}
		by_invitation = by_invitation || (item_kind_of(op->pk, op->sk) == ITEM_INVITATION &&
						  takes_a_use(w, op));
	}
	if (removal != NULL) {
		broken(w, CLAIM_RULES, "somebody who was removed from a group is in it again");
	}
	if (lets_in && !makes && !by_invitation) {
		broken(w, CLAIM_RULES, "somebody gets into a group without an invitation's use");
	}
}

static void groups_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		has_some = has_some || slice_starts(c->ops[i].pk, SLICE("GROUP:")) ||
			   slice_starts(c->ops[i].sk, SLICE("GROUP#"));
	}
	if (has_some) {
		groups_hold(w);
	}
}

const struct feature feature_groups_disk = {
	.name = "groups-disk",
	.commit_before = groups_before,
	.commit_after = groups_after,
	.table = groups_hold,
};
