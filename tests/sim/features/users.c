/*
 * users.c - users of keys who look each other up and give themselves e-mail addresses; that an address leads to one
 * user, and that nobody learns of a user with whom they share no group.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* So few that users get into each other's way. */
static const char *const addresses[] = {"ada@example.org", "grace@example.org", "ADA@example.org"};
#define ADDRESSES (sizeof(addresses) / sizeof(addresses[0]))

/* ---- what is on the disk ---- */

/* An address leads to one user who has it; another who has it as well is not found by it. */
static void users_hold(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_EMAIL, row) {
		char user_id[20];
		view_text(user_id, sizeof(user_id),
			  ((const struct email_item *)item_of_row(w, row))->user_id);
		const struct table_row *user = find_row(w, ITEM_USER, user_id, "");
		if (user == NULL ||
		    ((const struct user_item *)item_of_row(w, user))->email_address.len == 0) {
			broken(w, CLAIM_RULES, "an e-mail address outlasts its user, or is none");
		}
	}
	TABLE_EACH (&w->table, ITEM_USER, row) {
		const struct user_item *user = item_of_row(w, row);
		bool may_be_found = user->email_address.len > 0 || user->with_deleted_on;
		size_t n = 0;
		TABLE_EACH (&w->table, ITEM_EMAIL, other) {
			n += slice_eq(((const struct email_item *)item_of_row(w, other))->user_id,
				      pk_rest(row));
		}
		if (n > may_be_found) {
			broken(w, CLAIM_RULES, "%zu e-mail addresses lead to a user who has %s", n,
			       may_be_found ? "one" : "none");
		}
	}
}

static void users_after(struct world *w, const struct sim_commit *c)
{
	bool has_some = false;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		enum item_kind kind = item_kind_of(c->ops[i].pk, c->ops[i].sk);
		has_some = has_some || kind == ITEM_EMAIL || kind == ITEM_USER;
	}
	if (has_some) {
		users_hold(w);
	}
}

/* ---- answers leave ---- */

/* They share a group now, or did when the call came. */
static bool may_know(const struct world *w, const struct op *op, const char *user_id)
{
	const struct session *s = sender(w, op);
	bool may = !op->is_settled || s == NULL || strcmp(s->user_id, user_id) == 0;
	TABLE_EACH (&w->table, ITEM_GROUP, row) {
		char group_id[20];
		view_text(group_id, sizeof(group_id), pk_rest(row));
		may = may ||
		      (may_have_been_in(w, s->user_id, group_id, false, op->delivered_mono) &&
		       may_have_been_in(w, user_id, group_id, false, op->delivered_mono));
	}
	return may;
}

static void users_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	const struct session *s = sender(w, op);
	char id[20] = "";
	(void)c;
	if (op->method == METHOD_USER_GET) {
		view_text(id, sizeof(id), result->USER_GET.user_id);
	} else if (op->method == METHOD_USER_GET_BY_EMAIL) {
		view_text(id, sizeof(id), result->USER_GET_BY_EMAIL.user_id);
	} else if (op->method == METHOD_USER_UPDATE) {
		view_text(id, sizeof(id), result->USER_UPDATE.user_id);
	}
	if (id[0] == '\0') {
		return;
	}
	bool is_own = s != NULL && strcmp(s->user_id, id) == 0;
	bool shows_address =
		op->method == METHOD_USER_GET && result->USER_GET.email_address.len > 0;
	if (op->is_settled && ((shows_address && !is_own) || !may_know(w, op, id) ||
			       planted(w, BREAK_OTHER_ADDRESS, 1))) {
		broken(w, CLAIM_SECRECY, "%s of %s tells of a stranger, or a stranger's address",
		       method_rows[op->method].name, member_name(w, op->member));
	}
}

/* As many new addresses as a user may have in an hour, by calls of the same member. */
static bool has_moved_often(const struct world *w, const struct op *op)
{
	int64_t n = 0;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		n += other != op && other->method == METHOD_USER_UPDATE && other->is_delivered &&
		     other->member == op->member &&
		     other->delivered_mono + 3600000 > op->delivered_mono;
	}
	return n >= w->config.limits[LIMIT_EMAILS_PER_HOUR];
}

static bool users_may_refuse(struct world *w, const struct op *op, enum fault_code code)
{
	const struct session *s = sender(w, op);
	/* Who is being deleted, or has yet to come to the disk, is not found by themselves. */
	bool is_own = s != NULL && op->is_settled && strcmp(s->user_id, op->target) == 0 &&
		      was_there(w, op, find_row(w, ITEM_USER, op->target, "")) &&
		      !user_is_ending(w, op->target);
	switch (code) {
	case FAULT_NOT_FOUND:
		return op->method != METHOD_USER_UPDATE && !is_own;
	case FAULT_RATE_LIMITED:
		return team_may_refuse(w, op, code) ||
		       (op->method == METHOD_USER_UPDATE && has_moved_often(w, op));
	default:
		return team_may_refuse(w, op, code);
	}
}

static void users_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	(void)c;
	if (!users_may_refuse(w, op, f->code)) {
		broken(w, CLAIM_RULES, "%s of %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member),
		       fault_code_name(f->code));
	}
}

static const struct request users_requests[] = {
	{.method = METHOD_USER_GET, .refused = users_judge},
	{.method = METHOD_USER_GET_BY_EMAIL, .refused = users_judge},
	{.method = METHOD_USER_UPDATE, .refused = users_judge},
};

/* ---- acts ---- */

/* Any user on the disk, or nobody. */
static struct slice some_user(struct world *w, struct op *about)
{
	size_t n = 0;
	view_text(about->target, sizeof(about->target), SLICE("2222222222222222"));
	TABLE_EACH (&w->table, ITEM_USER, row) {
		if (dice_below(&w->dice, (uint32_t)++n) == 0) {
			view_text(about->target, sizeof(about->target), pk_rest(row));
		}
	}
	return slice_str(about->target);
}

static void act_look_up(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 50)) {
		struct user_get_params get = {.user_id = some_user(w, &about),
					      .with_user_id = true};
		send_op(w, c, METHOD_USER_GET, -1, &get, &about);
	} else {
		struct user_get_by_email_params get = {
			.email_address = slice_str(addresses[dice_below(&w->dice, ADDRESSES)])};
		send_op(w, c, METHOD_USER_GET_BY_EMAIL, -1, &get, &about);
	}
}

static void act_update(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct user_update_params p = {.with_email_address = true};
	(void)room;
	if (is_worth_it(w, c)) {
		if (dice_percent(&w->dice, 75)) {
			p.email_address = slice_str(addresses[dice_below(&w->dice, ADDRESSES)]);
		}
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_USER_UPDATE, -1, &p, &about);
	}
}

static const struct act users_acts[] = {
	{12, act_look_up, false},
	{10, act_update, false},
};

const struct feature feature_users = {
	.name = "users",
	FEATURE_ROWS(desk_acts, users_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, users_requests),
	.granted = users_granted,
	.commit_after = users_after,
	.table = users_hold,
};
