/*
 * invitation.c - invitation.create, renew, list, revoke, get, and group.join.
 *
 * A code is 20 letters, random or of an idempotency_key; the table has its keyed
 * hash alone. One that is unknown, and one whose invitation has expired, was revoked
 * or is used up (both are deleted) get one answer after the same reads, and count
 * as a wrong room code of the address.
 */
#include "server/domain/team/team.h"

#include <stdlib.h>

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"

#define INVITATION_ID_PREFIX "v_"
#define INVITATION_LETTERS   20
#define INVITATION_GROUP     4 /* letters between two dashes */
#define INVITATION_BYTES     (INVITATION_LETTERS + INVITATION_LETTERS / INVITATION_GROUP - 1)

/* ---- codes ---- */

/* Letters in fours, in t->arena. */
static struct slice code_write(struct txn *t, const char letters[INVITATION_LETTERS + 1])
{
	char text[INVITATION_BYTES + 1];
	size_t len = 0;
	for (size_t i = 0; i < INVITATION_LETTERS; i += INVITATION_GROUP) {
		len += format_to(text + len, sizeof(text) - len, "%s%.*s", i == 0 ? "" : "-",
				 INVITATION_GROUP, letters + i);
	}
	return txn_copy(t, slice_of(text, len));
}

/* What the table has of a code of any form, in t->arena: lower case and dashes do not matter. */
static struct slice code_hash(struct txn *t, struct slice code)
{
	char letters[MAX_INVITATION_CODE_BYTES];
	size_t len = 0;
	for (size_t i = 0; i < code.len; i++) {
		char c = code.data[i];
		if (c != '-' && c != ' ') {
			letters[len++] = ascii_upper(c);
		}
	}
	struct key_text hash = key_hash(t->server_key, "invitation", slice_of(letters, len));
	return txn_copy(t, slice_str(hash.text));
}

/* ---- finding ---- */

struct txn_items group_invitations(struct txn *t, struct slice group_id)
{
	return txn_list(t, ITEM_INVITATION, group_id,
			&(struct txn_page){.limit = MAX_GROUP_INVITATIONS});
}

/* The invitation of a code, as it stands to the caller. */
struct invited {
	struct slice hash;
	const struct invitation_item *item;
	struct group group; /* .mine NULL: they are not in it */
};

/* A handler goes on where this is TXN_DONE; TXN_REFUSED with NOT_FOUND or, after too many of those, RATE_LIMITED. */
static enum txn_step find_by_code(struct txn *t, struct slice code, struct invited *in)
{
	if (!txn_may_guess(t, LIMIT_ROOM_MISSES_PER_MINUTE,
			   "too many wrong codes; check the code, wait, and try again")) {
		return TXN_REFUSED;
	}
	in->hash = code_hash(t, code);
	struct txn_items found =
		txn_query(t, INDEX_INVITATION_BY_HASH, in->hash, &(struct txn_range){.limit = 1});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct group *g = &in->group;
	g->id = found.n > 0 ? item_pk_rest(&found.items[0], ITEM_INVITATION) : SLICE("?");
	in->item = txn_get(t, ITEM_INVITATION, g->id, in->hash);
	g->item = group_get(t, g->id);
	g->mine = txn_get(t, ITEM_MEMBERSHIP, caller_id(t), g->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	/* Those of a deleted user end step by step, and lead nowhere at once. */
	struct slice maker = in->item == NULL ? SLICE("?") : in->item->created_by;
	bool has_maker = txn_get(t, ITEM_MEMBERSHIP, maker, g->id) != NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (in->item == NULL || g->item == NULL || !has_maker ||
	    in->item->expires_at <= t->wall_ms) {
		return txn_refuse_guess(
			t, LIMIT_ROOM_MISSES_PER_MINUTE, FAULT_NOT_FOUND,
			"no invitation has that code; check it, or ask for a new one");
	}
	return TXN_DONE;
}

/* The invitation of that id to a group, with what the table has of its code; else TXN_REFUSED with NOT_FOUND. */
static enum txn_step find_in_group(struct txn *t, const struct group *g, struct slice id,
				   struct slice *hash, const struct invitation_item **item)
{
	/* Those made before had the letter that items have. */
	const char *prefix = slice_starts(id, SLICE("i_")) ? "i_" : INVITATION_ID_PREFIX;
	struct slice wanted = public_id(t, prefix, USER_ID_CHARS, id);
	struct txn_items found = group_invitations(t, g->id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		*item = txn_decode(t, &found.items[i]);
		*hash = item_sk_rest(&found.items[i], ITEM_INVITATION);
		if (*item != NULL && (*item)->expires_at > t->wall_ms &&
		    slice_eq((*item)->invitation_id, wanted)) {
			return TXN_DONE;
		}
	}
	return txn_refuse(t, FAULT_NOT_FOUND, "invitation not found; it may have expired");
}

/* As above of an invitation that the caller made, or that they may change as an owner; else FORBIDDEN. */
static enum txn_step find_to_change(struct txn *t, struct slice group_id, struct slice id,
				    struct group *g, struct slice *hash,
				    const struct invitation_item **item)
{
	enum txn_step step = group_find(t, group_id, GROUP_MEMBER, g);
	if (step == TXN_DONE) {
		step = find_in_group(t, g, id, hash, item);
	}
	if (step == TXN_DONE && g->mine->role != GROUP_OWNER &&
	    !slice_eq((*item)->created_by, caller_id(t))) {
		return txn_refuse(t, FAULT_FORBIDDEN,
				  "only team owners can change another member's invitation");
	}
	return step;
}

/* ---- making and ending ---- */

static int64_t ends_at(const struct txn *t, bool with_seconds, int64_t seconds)
{
	return t->wall_ms + (with_seconds ? seconds : MAX_INVITATION_SECONDS_USUAL) * 1000;
}

void invitation_end(struct txn *t, struct slice group_id, struct slice hash, struct group_item *now)
{
	txn_delete(t, ITEM_INVITATION, group_id, hash);
	now->invitations -= now->invitations > 0;
	now->with_invitations = now->invitations > 0;
}

enum txn_step on_INVITATION_CREATE(struct txn *t)
{
	const struct invitation_create_params *p = t->params;
	char letters[INVITATION_LETTERS + 1];
	const struct invitation_item *first = NULL;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	/* With the time: who sends the key again when it is forgotten makes another invitation, not a revoked code anew. */
	char with[64];
	size_t len = format_to(with, sizeof(with), "%.*s %lld", (int)g.id.len, g.id.data,
			       (long long)t->done_at);
	struct key_text key = txn_make_key(t, slice_of(with, len));
	code_derive(t->server_key, "invitation_code", slice_of(key.text, KEY_CHARS), letters,
		    INVITATION_LETTERS);
	struct slice hash = code_hash(t, slice_str(letters));
	if (t->is_repeat) { /* else it is new, and another one each time this runs */
		first = txn_get(t, ITEM_INVITATION, g.id, hash);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (first != NULL && first->expires_at > t->wall_ms) {
		*(struct invitation_create_result *)t->result = (struct invitation_create_result){
			.invitation_id = first->invitation_id,
			.code = code_write(t, letters),
			.link_expiry_datetime = first->link_expiry_datetime,
		};
		return TXN_DONE;
	}
	if (t->is_repeat) {
		return txn_refuse(
			t, FAULT_CONFLICT,
			"that idempotency_key belongs to an ended invitation; choose another");
	}
	if (g.item->invitations >= t->limits[LIMIT_GROUP_INVITATIONS]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "the team has %lld invitations; revoke one first",
				 (long long)g.item->invitations);
		return txn_bound(t, LIMIT_GROUP_INVITATIONS);
	}

	int64_t end = ends_at(t, p->with_expires_in_seconds, p->expires_in_seconds);
	struct group_item now = *g.item;
	now.invitations++;
	struct invitation_item item = {
		.hash = hash,
		.invitation_id = public_id_make(t, INVITATION_ID_PREFIX),
		.link_expiry_datetime = end,
		.uses_left = p->uses,
		.created_by = caller_id(t),
		.expires_at = end,
	};
	txn_put_new(t, ITEM_INVITATION, g.id, hash, &item);
	txn_put(t, ITEM_GROUP, g.id, NO_SK, &now);
	*(struct invitation_create_result *)t->result = (struct invitation_create_result){
		.invitation_id = item.invitation_id,
		.code = code_write(t, letters),
		.link_expiry_datetime = end,
	};
	return TXN_DONE;
}

enum txn_step on_INVITATION_RENEW(struct txn *t)
{
	const struct invitation_renew_params *p = t->params;
	const struct invitation_item *item;
	struct slice hash = {0};
	struct group g;
	enum txn_step step = find_to_change(t, p->group_id, p->invitation_id, &g, &hash, &item);
	if (step != TXN_DONE) {
		return step;
	}
	struct invitation_item now = *item;
	now.link_expiry_datetime = ends_at(t, p->with_expires_in_seconds, p->expires_in_seconds);
	now.expires_at = now.link_expiry_datetime;
	txn_put(t, ITEM_INVITATION, g.id, hash, &now);
	*(struct invitation_renew_result *)t->result =
		(struct invitation_renew_result){.link_expiry_datetime = now.link_expiry_datetime};
	return TXN_DONE;
}

enum txn_step on_INVITATION_REVOKE(struct txn *t)
{
	const struct invitation_revoke_params *p = t->params;
	const struct invitation_item *item;
	struct slice hash = {0};
	struct group g;
	enum txn_step step = find_to_change(t, p->group_id, p->invitation_id, &g, &hash, &item);
	if (step == TXN_DONE) {
		struct group_item now = *g.item;
		invitation_end(t, g.id, hash, &now);
		txn_put(t, ITEM_GROUP, g.id, NO_SK, &now);
	}
	return step;
}

enum txn_step invitation_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice group_id = item_pk_rest(found, ITEM_INVITATION);
	struct slice hash = item_sk_rest(found, ITEM_INVITATION);
	const struct invitation_item *item = txn_get(t, ITEM_INVITATION, group_id, hash);
	const struct group_item *group = txn_get(t, ITEM_GROUP, group_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL || item->expires_at > t->wall_ms) {
		return TXN_DONE;
	}
	struct group_item now = group == NULL ? (struct group_item){.users = 0} : *group;
	invitation_end(t, group_id, hash, &now);
	if (group != NULL) {
		txn_put(t, ITEM_GROUP, group_id, NO_SK, &now);
	}
	return TXN_DONE;
}

/* One group after the other: its item counts them. */
enum user_left invitations_end(struct txn *t, struct slice user_id)
{
	struct txn_items found = txn_query(t, INDEX_INVITATIONS_OF_USER, user_id,
					   &(struct txn_range){.limit = MAX_GROUP_INVITATIONS});
	if (txn_is_loading(t) || found.n == 0) {
		return USER_LEFT_NOTHING;
	}
	struct slice group_id = item_pk_rest(&found.items[0], ITEM_INVITATION);
	const struct group_item *group = txn_get(t, ITEM_GROUP, group_id, NO_SK);
	bool is_left = txn_get(t, ITEM_MEMBERSHIP, user_id, group_id) == NULL;
	for (size_t i = 0; i < found.n; i++) {
		if (slice_eq(item_pk_rest(&found.items[i], ITEM_INVITATION), group_id)) {
			(void)txn_get(t, ITEM_INVITATION, group_id,
				      item_sk_rest(&found.items[i], ITEM_INVITATION));
		}
	}
	if (txn_is_loading(t)) {
		return USER_LEFT_NOTHING;
	}
	if (!is_left) {
		return USER_LEFT_MORE; /* this very transaction takes them out, and writes the group */
	}
	struct group_item now = group == NULL ? (struct group_item){.users = 0} : *group;
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		struct slice hash = item_sk_rest(&found.items[i], ITEM_INVITATION);
		if (slice_eq(item_pk_rest(&found.items[i], ITEM_INVITATION), group_id) &&
		    txn_get(t, ITEM_INVITATION, group_id, hash) != NULL) {
			invitation_end(t, group_id, hash, &now);
			n++;
		}
	}
	if (group != NULL && n > 0) {
		txn_put(t, ITEM_GROUP, group_id, NO_SK, &now);
	}
	return n > 0 ? USER_LEFT_MORE : USER_LEFT_LATER;
}

/* ---- showing ---- */

static int by_age(const void *a, const void *b)
{
	const struct invitation_item *const *x = a;
	const struct invitation_item *const *y = b;
	int64_t order = (*x)->created_on - (*y)->created_on;
	return order != 0 ? (order > 0) - (order < 0)
			  : slice_cmp((*x)->invitation_id, (*y)->invitation_id);
}

/* A group has few: all of them are read, and those behind the place shown. */
enum txn_step on_INVITATION_LIST(struct txn *t)
{
	const struct invitation_list_params *p = t->params;
	struct invitation_list_result *result = t->result;
	struct list_page page;
	struct group g;
	enum txn_step step = group_find(t, p->group_id, GROUP_MEMBER, &g);
	if (step != TXN_DONE) {
		return step;
	}
	char list[96];
	size_t len = format_to(list, sizeof(list), "invitations %.*s", (int)g.id.len, g.id.data);
	if (!list_begin(t, &page, slice_of(list, len), p->cursor, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_items found = group_invitations(t, g.id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	const struct invitation_item **items = list_entries(t, found.n, sizeof(*items));
	struct invitation_view *views = list_entries(t, found.n, sizeof(*views));
	if (items == NULL || views == NULL) {
		return TXN_REFUSED;
	}
	const struct invitation_item after = {.created_on = page.after.at,
					      .invitation_id = page.after.id};
	const struct invitation_item *behind = &after;
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		const struct invitation_item *item = txn_decode(t, &found.items[i]);
		if (item != NULL && item->expires_at > t->wall_ms && by_age(&item, &behind) > 0) {
			items[n++] = item;
		}
	}
	qsort(items, n, sizeof(*items), by_age);
	result->invitations = views;
	for (size_t i = 0; i < n && i < page.limit; i++) {
		views[result->invitations_n++] = (struct invitation_view){
			.invitation_id = items[i]->invitation_id,
			.created_by = items[i]->created_by,
			.link_expiry_datetime = items[i]->link_expiry_datetime,
			.uses_left = items[i]->uses_left,
		};
		page.after = (struct place){items[i]->created_on, items[i]->invitation_id};
	}
	result->cursor = list_end(t, &page, n > page.limit);
	return TXN_DONE;
}

enum txn_step on_INVITATION_GET(struct txn *t)
{
	const struct invitation_get_params *p = t->params;
	struct invited in;
	enum txn_step step = find_by_code(t, p->code, &in);
	if (step == TXN_DONE) {
		*(struct invitation_get_result *)t->result = (struct invitation_get_result){
			.group_name = in.group.item->group_name,
			.link_expiry_datetime = in.item->link_expiry_datetime,
			.uses_left = in.item->uses_left,
		};
	}
	return step;
}

/* ---- joining ---- */

/* The invitation is of somebody who is an owner, and was not made before that. Their membership was read. */
static bool is_by_owner_after(struct txn *t, const struct invited *in, int64_t at)
{
	const struct membership_item *maker =
		txn_get(t, ITEM_MEMBERSHIP, in->item->created_by, in->group.id);
	return maker != NULL && maker->role == GROUP_OWNER && in->item->created_on >= at;
}

enum txn_step on_GROUP_JOIN(struct txn *t)
{
	const struct group_join_params *p = t->params;
	struct invited in;
	enum txn_step step = find_by_code(t, p->code, &in);
	if (step != TXN_DONE) {
		return step;
	}
	*(struct group_join_result *)t->result =
		(struct group_join_result){.group_id = in.group.id,
					   .group_name = in.group.item->group_name};
	if (in.group.mine != NULL) {
		return TXN_DONE;
	}
	const struct user_item *user = user_get(t, caller_id(t));
	struct slice removed_sk = group_removed_sk(t, in.group.id, caller_id(t));
	const struct removed_item *removed = txn_get(t, ITEM_REMOVED, in.group.id, removed_sk);
	struct group first;
	if (txn_is_loading(t) || group_find_unused(t, user, &first) == TXN_MORE) {
		return TXN_MORE;
	}
	if (removed != NULL) {
		if (!is_by_owner_after(t, &in, removed->updated_on)) {
			return txn_refuse(t, FAULT_FORBIDDEN,
					  "an owner removed you from that team; ask an owner for a "
					  "new invitation");
		}
		txn_delete(t, ITEM_REMOVED, in.group.id, removed_sk);
	}
	struct group_item now = *in.group.item;
	if (now.users >= t->limits[LIMIT_GROUP_USERS]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED, "the team already has %lld members",
				 (long long)now.users);
		return txn_bound(t, LIMIT_GROUP_USERS);
	}
	struct group_user entered;
	if (!group_enter(t, in.group.id, user, GROUP_MEMBER, &entered)) {
		return TXN_REFUSED;
	}
	now.users++;
	if (in.item->uses_left == 1) {
		invitation_end(t, in.group.id, in.hash, &now);
	} else if (in.item->uses_left > 1) {
		struct invitation_item fewer = *in.item;
		fewer.uses_left--;
		txn_put(t, ITEM_INVITATION, in.group.id, in.hash, &fewer);
	}
	group_write(t, &in.group, now, (struct group_update){.users = &entered, .users_n = 1});
	if (first.item != NULL) {
		group_begin_end(t, &first, *first.item);
	}
	char joined[2 * (CODE_CHARS_MAX + 1) + 1];
	size_t len = format_to(joined, sizeof(joined), "%.*s#%.*s", (int)caller_id(t).len,
			       caller_id(t).data, (int)in.group.id.len, in.group.id.data);
	txn_then_everywhere(t, caller_id(t), directory_user_joins, slice_of(joined, len));
	return TXN_DONE;
}
