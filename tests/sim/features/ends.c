/*
 * ends.c - owners who delete a group while others use it, and give it defaults, and users who delete themselves; that
 * a deleted group is there for nobody and stays deleted, that nothing of it outlasts it, and that all of it goes,
 * whenever the server ends; the same of users.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/base/assert.h"

#define DELETED_MAX (sizeof(((struct world *)NULL)->deleted) / sizeof(struct sim_deleted))
#define WENT_MAX    (sizeof(((struct world *)NULL)->went) / sizeof(struct sim_went))

/* ---- what is on the disk ---- */

int64_t group_deleted_mono(const struct world *w, const char *group_id)
{
	for (size_t i = 0; i < w->deleted_n && i < DELETED_MAX; i++) {
		if (strcmp(w->deleted[i].id, group_id) == 0) {
			return w->deleted[i].mono;
		}
	}
	return 0;
}

/* What is a group's, or is somebody's in it, goes before the GROUP item does. */
static void ends_hold(struct world *w)
{
	TABLE_EACH (&w->table, TABLE_ALL, row) {
		char id[20];
		bool is_of_group =
			row->kind == ITEM_GROUP_CONTAINER || row->kind == ITEM_INVITATION;
		if (!is_of_group && row->kind != ITEM_MEMBERSHIP) {
			continue;
		}
		view_text(id, sizeof(id), is_of_group ? pk_rest(row) : sk_rest(row));
		if (find_row(w, ITEM_GROUP, id, "") == NULL) {
			broken(w, CLAIM_RULES, "%s of %s outlasts it", item_rows[row->kind].symbol,
			       id);
		}
	}
}

/* ---- commits ---- */

/* What a group counts, and a commit deletes. */
static int64_t group_loses(const struct world *w, struct slice id, const struct sim_commit *c)
{
	int64_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *row =
			op->kind == STORE_DELETE ? table_find(&w->table, op->pk, op->sk) : NULL;
		bool is_within = row != NULL && (row->kind == ITEM_GROUP_CONTAINER ||
						 row->kind == ITEM_INVITATION);
		bool is_users = row != NULL && row->kind == ITEM_MEMBERSHIP;
		n += (is_within && slice_eq(pk_rest(row), id)) ||
		     (is_users && slice_eq(sk_rest(row), id));
	}
	return n;
}

/*
 * A group is marked before it goes, and has nothing then; of what is marked nothing is added to. Where commits are of
 * several, the step that took the last of it may be in the same one: the sweeper begins a second row of steps beside
 * that of group.delete.
 */
static void group_changes(struct world *w, const struct table_row *row, const struct sim_commit *c,
			  const struct store_op *op)
{
	const struct group_item before = *(const struct group_item *)item_of_row(w, row);
	struct group_item after = {.is_deleted = true};
	if (op->kind == STORE_PUT) {
		void *item = NULL;
		struct fault fault;
		enum err e =
			item_decode(ITEM_GROUP, op->value, RECORD_STRICT, &w->arena, &item, &fault);
		ASSERT_CMP(e, ==, OK);
		after = *(const struct group_item *)item;
	} else if (!before.is_deleted ||
		   before.users + before.containers + before.invitations !=
			   (w->is_batched ? group_loses(w, pk_rest(row), c) : 0)) {
		broken(w, CLAIM_RULES, "a group goes that was not deleted, or has something still");
	}
	if (before.is_deleted &&
	    (!after.is_deleted || after.users > before.users ||
	     after.containers > before.containers || after.invitations > before.invitations)) {
		broken(w, CLAIM_RULES, "a deleted group is added to, or comes back");
	} else if (after.is_deleted && op->kind == STORE_PUT && after.expires_at == 0) {
		broken(w, CLAIM_RULES, "the sweeper does not find a deleted group");
	} else if (after.is_deleted && !before.is_deleted) {
		struct sim_deleted *deleted = &w->deleted[w->deleted_n++ % DELETED_MAX];
		view_text(deleted->id, sizeof(deleted->id), pk_rest(row));
		deleted->mono = w->mono_ms;
	}
}

/* A user is marked before they go, and is in no group then; who is marked stays so. */
static void user_changes(struct world *w, const struct table_row *row, const struct store_op *op)
{
	bool was_deleted = ((const struct user_item *)item_of_row(w, row))->with_deleted_on;
	struct user_item after = {.with_deleted_on = true};
	if (op->kind == STORE_PUT) {
		void *item = NULL;
		struct fault fault;
		enum err e =
			item_decode(ITEM_USER, op->value, RECORD_STRICT, &w->arena, &item, &fault);
		ASSERT_CMP(e, ==, OK);
		after = *(const struct user_item *)item;
	} else if (!was_deleted) {
		broken(w, CLAIM_RULES, "a user goes who was not deleted");
	}
	/* Where commits are of several, a login may come behind the last step. */
	bool is_back = was_deleted && !after.with_deleted_on;
	if (was_deleted && (op->kind != STORE_PUT || is_back)) {
		struct sim_went *went = &w->went[w->went_n++ % WENT_MAX];
		view_text(went->user_id, sizeof(went->user_id), pk_rest(row));
		went->mono = w->mono_ms;
	}
	if (is_back && !w->is_batched) {
		broken(w, CLAIM_RULES, "a deleted user comes back");
	} else if (after.with_deleted_on && op->kind == STORE_PUT &&
		   (after.expires_at == 0 || after.groups > 0)) {
		broken(w, CLAIM_RULES, "a deleted user is in groups, or not found by the sweeper");
	}
}

static void ends_before(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		if (row != NULL && row->kind == ITEM_GROUP && op->kind != STORE_CHECK) {
			group_changes(w, row, c, op);
		} else if (row != NULL && row->kind == ITEM_USER && op->kind != STORE_CHECK) {
			user_changes(w, row, op);
		}
	}
}

static void ends_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		has_some = has_some || slice_starts(c->ops[i].pk, SLICE("GROUP:")) ||
			   slice_starts(c->ops[i].sk, SLICE("GROUP#"));
	}
	if (has_some) {
		ends_hold(w);
	}
}

/* An index that lags shows some memberships only after further commits, of which there are none. */
static void ends_morning(struct world *w)
{
	if (w->is_lagging) {
		return;
	}
	TABLE_EACH (&w->table, TABLE_ALL, row) {
		if (row->kind == ITEM_GROUP &&
		    ((const struct group_item *)item_of_row(w, row))->is_deleted) {
			broken(w, CLAIM_LIVENESS, "a group was deleted and never goes");
		} else if (row->kind == ITEM_USER &&
			   ((const struct user_item *)item_of_row(w, row))->with_deleted_on) {
			broken(w, CLAIM_LIVENESS, "a user was deleted and never goes");
		}
	}
}

/* ---- answers leave ---- */

/* A login by the same key that came behind it may have been carried out before its answer leaves: the user is there again. */
static bool may_be_there_again(const struct world *w, const struct op *deleted)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->member == deleted->member && op->is_delivered &&
		    op->order > deleted->order && sessions_begins(op->method)) {
			return true;
		}
	}
	return false;
}

bool user_is_ending(struct world *w, const char *user_id)
{
	const struct table_row *row = user_id == NULL ? NULL : find_row(w, ITEM_USER, user_id, "");
	return row != NULL && ((const struct user_item *)item_of_row(w, row))->with_deleted_on;
}

int64_t user_went_mono(const struct world *w, const char *user_id)
{
	int64_t last = 0;
	for (size_t i = 0; i < w->went_n && i < WENT_MAX; i++) {
		const struct sim_went *went = &w->went[i];
		bool is_meant = user_id == NULL || strcmp(went->user_id, user_id) == 0;
		last = is_meant && went->mono > last ? went->mono : last;
	}
	return last;
}

static void ends_granted(struct world *w, struct conn *c, const struct op *op,
			 const union method_result *result)
{
	(void)c;
	(void)result;
	if (op->method == METHOD_GROUP_DELETE && group_is_there(w, op->text)) {
		broken(w, CLAIM_DURABLE, "group.delete is answered, and the disk has the group");
	}
	const struct session *s = sender(w, op);
	if (op->method == METHOD_USER_DELETE && op->is_settled && s != NULL &&
	    !may_be_there_again(w, op) && find_row(w, ITEM_USER, s->user_id, "") != NULL &&
	    !user_is_ending(w, s->user_id)) {
		broken(w, CLAIM_DURABLE, "user.delete is answered, and the disk has the user");
	}
	/* What is not watched is unwatched, whatever became of it. */
	int64_t since = method_rows[op->method].where == WHERE_GROUP && !op->is_again &&
					op->method != METHOD_GROUP_UNWATCH
				? group_deleted_mono(w, op->text)
				: 0;
	if (since != 0 && op->delivered_mono > since) {
		broken(w, CLAIM_RULES, "%s is granted on a group that was deleted before it came",
		       method_rows[op->method].name);
	}
}

/* The user is the only owner of a group with others, or was lately. */
static void user_delete_judge(struct world *w, struct conn *c, const struct op *op,
			      const struct fault *f)
{
	if (f->code != FAULT_CONFLICT) {
		groups_judge(w, c, op, f);
	}
}

static const struct request ends_requests[] = {
	{.method = METHOD_USER_DELETE, .refused = user_delete_judge},
	{.method = METHOD_GROUP_DELETE, .refused = groups_judge},
	{.method = METHOD_GROUP_SET_DEFAULTS, .refused = groups_judge},
};

/* ---- acts ---- */

static void act_delete_group(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct group_change_params p = {.group_id = some_group(w, c, &about)};
	(void)room;
	if (is_worth_it(w, c) && strcmp(about.text, NO_GROUP) != 0) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_DELETE, -1, &p, &about);
	}
}

static void act_set_defaults(struct world *w, struct conn *c, int room)
{
	static struct slice words[] = {SLICE_INIT("ship"), SLICE_INIT("it"), SLICE_INIT("hm")};
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct group_set_defaults_params p = {
		.group_id = some_group(w, c, &about),
		.deck = SLICE("fibonacci"),
		.with_deck = true,
		.policy = {.lobby = dice_percent(&w->dice, 50), .with_lobby = true},
		.with_policy = dice_percent(&w->dice, 50),
		.link_template = dice_percent(&w->dice, 70) ? SLICE("https://x/{key}") : SLICE(""),
		.with_link_template = dice_percent(&w->dice, 50),
		.timer_seconds = dice_below(&w->dice, 3) * 30,
		.with_timer_seconds = dice_percent(&w->dice, 50),
		.reveal_in_seconds = dice_below(&w->dice, 3) * 20,
		.with_reveal_in_seconds = dice_percent(&w->dice, 50),
		.reactions = {words, dice_below(&w->dice, 4)},
		.with_reactions = dice_percent(&w->dice, 50),
	};
	(void)room;
	if (is_worth_it(w, c) && strcmp(about.text, NO_GROUP) != 0) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_SET_DEFAULTS, -1, &p, &about);
	}
}

static void act_delete_user(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct user_delete_params p = {0};
	(void)room;
	if (is_worth_it(w, c)) {
		send_op(w, c, METHOD_USER_DELETE, -1, &p, &about);
	}
}

static const struct act ends_acts[] = {
	{3, act_delete_user, false},
	{10, act_delete_group, false},
	{2, act_set_defaults, false},
};

const struct feature feature_ends = {
	.name = "ends",
	FEATURE_ROWS(desk_acts, ends_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, ends_requests),
	.granted = ends_granted,
	.commit_before = ends_before,
	.commit_after = ends_after,
	.table = ends_hold,
	.morning = ends_morning,
};
