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

/* The rest of the PK or SK of a commit's operation behind the fixed text of its kind, as text. */
static void op_rest(struct slice key, size_t fixed, char out[CODE_CHARS_MAX + 1])
{
	view_text(out, CODE_CHARS_MAX + 1, slice_of(key.data + fixed, key.len - fixed));
}

/* Whether the operation is of an item of that kind in the group's partition. */
static bool op_is_of_group(const struct store_op *op, enum item_kind kind, const char *group_id)
{
	char id[CODE_CHARS_MAX + 1];
	if (item_kind_of(op->pk, op->sk) != kind) {
		return false;
	}
	op_rest(op->pk, item_rows[kind].pk_prefix_len, id);
	return strcmp(id, group_id) == 0;
}

static bool op_is_new(const struct world *w, const struct store_op *op)
{
	return op->kind == STORE_PUT && table_find(&w->table, op->pk, op->sk) == NULL;
}

/* Whether it is the membership of somebody who was in no such group; and of whom, in which. */
static bool op_lets_in(const struct world *w, const struct store_op *op,
		       char user_id[CODE_CHARS_MAX + 1], char group_id[CODE_CHARS_MAX + 1])
{
	if (item_kind_of(op->pk, op->sk) != ITEM_MEMBERSHIP || !op_is_new(w, op)) {
		return false;
	}
	op_rest(op->pk, item_rows[ITEM_MEMBERSHIP].pk_prefix_len, user_id);
	op_rest(op->sk, item_rows[ITEM_MEMBERSHIP].sk_len, group_id);
	return true;
}

/*
 * How many uses the commit takes of that invitation; INT64_MAX of one that has no number of them. Who uses the last one
 * deletes it. Where a commit is of several transactions, so does who revokes it behind those who came in by it.
 */
static int64_t uses_taken(struct world *w, const struct store_op *op)
{
	const struct table_row *row = table_find(&w->table, op->pk, op->sk);
	if (row == NULL) {
		return 0;
	}
	int64_t before = ((const struct invitation_item *)item_of_row(w, row))->uses_left;
	int64_t after = op->kind == STORE_DELETE ? 0 : before;
	if (op->kind == STORE_PUT) {
		void *item = NULL;
		struct fault fault;
		enum err e = item_decode(ITEM_INVITATION, op->value, RECORD_STRICT, &w->arena,
					 &item, &fault);
		ASSERT_CMP(e, ==, OK);
		after = ((const struct invitation_item *)item)->uses_left;
	}
	if (op->kind == STORE_DELETE && !w->is_batched) {
		return before == 1;
	}
	return before == 0 && after == 0 ? INT64_MAX : before - after;
}

/*
 * Whoever makes a group is in it. Else each use of its invitations lets one in, who may have left in the same commit
 * where that is of several transactions.
 */
static bool enter_rightly(struct world *w, const struct sim_commit *c, const char *group_id)
{
	int64_t entered = 0, uses = 0;
	bool is_made = false, is_unlimited = false;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		char other[CODE_CHARS_MAX + 1], group[CODE_CHARS_MAX + 1];
		entered += op_lets_in(w, op, other, group) && strcmp(group, group_id) == 0;
		is_made = is_made || (op_is_of_group(op, ITEM_GROUP, group_id) && op_is_new(w, op));
		if (op_is_of_group(op, ITEM_INVITATION, group_id)) {
			int64_t n = uses_taken(w, op);
			is_unlimited = is_unlimited || n == INT64_MAX;
			uses += n == INT64_MAX ? 0 : n;
		}
	}
	return is_made || is_unlimited || (w->is_batched ? uses >= entered : uses == entered);
}

const struct table_row *removal_of(const struct world *w, const char *group_id, const char *user_id)
{
	char text[64];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s %s", group_id, user_id);
	struct key_text hash = key_hash(w->config.server_key, "removed", slice_of(text, len));
	return find_row(w, ITEM_REMOVED, group_id, hash.text);
}

/* Whether the commit has an invitation to the group that one of its owners has made since then. */
static bool has_owners_invitation(struct world *w, const struct sim_commit *c, const char *group_id,
				  int64_t removed_on)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct table_row *row =
			op_is_of_group(&c->ops[i], ITEM_INVITATION, group_id)
				? table_find(&w->table, c->ops[i].pk, c->ops[i].sk)
				: NULL;
		if (row == NULL) {
			continue;
		}
		char maker[CODE_CHARS_MAX + 1];
		const struct invitation_item *item = item_of_row(w, row);
		bool is_later = item->created_on >= removed_on;
		view_text(maker, sizeof(maker), item->created_by);
		const struct table_row *m = find_row(w, ITEM_MEMBERSHIP, maker, group_id);
		if (is_later && m != NULL &&
		    ((const struct membership_item *)item_of_row(w, m))->role == GROUP_OWNER) {
			return true;
		}
	}
	return false;
}

/* Whoever was removed is not let in but by an owner's newer invitation, and the removal is over then. */
static void removal_holds(struct world *w, const struct sim_commit *c, const char *group_id,
			  const struct table_row *removal)
{
	bool is_over = false;
	int64_t removed_on = ((const struct removed_item *)item_of_row(w, removal))->updated_on;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		is_over = is_over || (op->kind == STORE_DELETE &&
				      table_find(&w->table, op->pk, op->sk) == removal);
	}
	if (!is_over) {
		broken(w, CLAIM_RULES, "somebody who was removed from a group is in it again");
	} else if (!has_owners_invitation(w, c, group_id, removed_on)) {
		broken(w, CLAIM_RULES, "whoever was removed comes in by an older invitation");
	}
}

static void groups_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		char user_id[CODE_CHARS_MAX + 1], group_id[CODE_CHARS_MAX + 1];
		if (!op_lets_in(w, &c->ops[i], user_id, group_id)) {
			continue;
		}
		const struct table_row *removal = removal_of(w, group_id, user_id);
		if (removal != NULL) {
			removal_holds(w, c, group_id, removal);
		}
		if (!enter_rightly(w, c, group_id)) {
			broken(w, CLAIM_RULES,
			       "somebody gets into a group without an invitation's use");
		}
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
