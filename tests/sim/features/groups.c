/*
 * groups.c - people who make groups, invite each other, join by codes that are good, used up or invented,
 * leave, are removed and become owners, over lost answers and crashes.
 */
#include "tests/sim/features/groups.h"

#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/keys/key_hash.h"

#define NO_CODE "2222-2222-2222-2222-2222"

/* ---- answers leave ---- */

/* A world that begins with a backup knows the requests of another, and nothing of its sessions. */
const struct session *sender(const struct world *w, const struct op *op)
{
	bool is_known = op->session > 0 && op->session <= w->sessions.n;
	return is_known ? &w->sessions.all[op->session - 1] : NULL;
}

bool was_there(struct world *w, const struct op *op, const struct table_row *row)
{
	/* What a transaction has made is there for the next one before it is durable, and may be read without it till then. */
	return row != NULL && op->jumps_before == w->jumps &&
	       row->since_mono < op->delivered_mono &&
	       ((const struct email_item *)item_of_row(w, row))->created_on < op->delivered_wall;
}

bool group_is_there(struct world *w, const char *group_id)
{
	const struct table_row *row = find_row(w, ITEM_GROUP, group_id, "");
	return row != NULL && !((const struct group_item *)item_of_row(w, row))->is_deleted;
}

bool is_surely_in(struct world *w, const struct op *op, const char *group_id)
{
	const struct session *s = sender(w, op);
	return s != NULL && group_is_there(w, group_id) &&
	       was_there(w, op, find_row(w, ITEM_MEMBERSHIP, s->user_id, group_id));
}

/* The row of the invitation of a code, as it is sent; NULL: it has ended. */
static const struct table_row *row_of_code(struct world *w, const char *code)
{
	char letters[32];
	size_t n = 0;
	for (; *code != '\0' && n < sizeof(letters); code++) {
		if (*code != '-') {
			letters[n++] =
				*code >= 'a' && *code <= 'z' ? (char)(*code - 'a' + 'A') : *code;
		}
	}
	struct key_text hash = key_hash(w->config.server_key, "invitation", slice_of(letters, n));
	TABLE_EACH (&w->table, ITEM_INVITATION, row) {
		if (slice_eq(sk_rest(row), slice_str(hash.text))) {
			return row;
		}
	}
	return NULL;
}

/* Whoever made it is deleted, and it goes as well. */
static bool is_without_maker(struct world *w, const struct table_row *row, const char *group_id)
{
	char maker[CODE_CHARS_MAX + 1];
	view_text(maker, sizeof(maker),
		  ((const struct invitation_item *)item_of_row(w, row))->created_by);
	return find_row(w, ITEM_MEMBERSHIP, maker, group_id) == NULL;
}

static bool is_by_code(const struct op *op)
{
	return op->method == METHOD_GROUP_JOIN || op->method == METHOD_INVITATION_GET;
}

/* What it made has ended: of a repeat, or of a commit that comes again after its token's ten minutes (see sessions.c). */
static bool may_have_made(const struct world *w, const struct op *op)
{
	return op->method == METHOD_INVITATION_CREATE && op->once[0] != '\0' &&
	       (op->is_again || (op->faults_before != w->faults && op->jumps_before != w->jumps));
}

/* As many groups as a user may make in an hour, by calls of the same member: a guest makes none. */
static bool has_made_many(const struct world *w, const struct op *op)
{
	int64_t n = 0;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		n += other != op && other->method == METHOD_GROUP_CREATE && other->is_delivered &&
		     other->member == op->member &&
		     other->delivered_mono + 3600000 > op->delivered_mono;
	}
	return n >= w->config.limits[LIMIT_GROUPS_PER_HOUR];
}

/* A user who is in so many groups that the calls on their way make it too many. */
static bool is_in_many(struct world *w, const struct session *s)
{
	const struct table_row *row = s == NULL ? NULL : find_row(w, ITEM_USER, s->user_id, "");
	return row != NULL && ((const struct user_item *)item_of_row(w, row))->groups >
				      w->config.limits[LIMIT_GROUPS_OF_USER] / 2;
}

static bool groups_may_refuse(struct world *w, const struct op *op, enum fault_code code)
{
	const struct session *s = sender(w, op);
	const struct table_row *row;
	char id[20];
	bool is_of_another =
		op->method == METHOD_GROUP_REMOVE_USER || op->method == METHOD_GROUP_SET_ROLE;
	bool is_of_invitation =
		op->method == METHOD_INVITATION_RENEW || op->method == METHOD_INVITATION_REVOKE;
	bool is_owners = is_of_another || is_of_invitation || op->method == METHOD_GROUP_RENAME ||
			 op->method == METHOD_GROUP_SET_DEFAULTS ||
			 op->method == METHOD_GROUP_DELETE;
	switch (code) {
	case FAULT_UNAUTHENTICATED:
		return true;
	case FAULT_RATE_LIMITED:
		return team_is_often(w, op) || (is_by_code(op) && answers_may_have_guessed(w)) ||
		       (op->method == METHOD_GROUP_CREATE && has_made_many(w, op));
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->node->is_stopping ||
		       w->commits != NULL || w->nodes_n > 1;
	case FAULT_FORBIDDEN:
		if (op->method == METHOD_GROUP_JOIN && s != NULL) {
			row = row_of_code(w, op->text);
			view_text(id, sizeof(id), row == NULL ? SLICE("") : pk_rest(row));
			return !s->is_keyed || !op->is_settled || row == NULL ||
			       w->commits != NULL || removal_of(w, id, s->user_id) != NULL;
		}
		return s == NULL || !s->is_keyed || !op->is_settled || is_owners;
	case FAULT_NOT_FOUND:
		row = is_by_code(op) ? row_of_code(w, op->text) : NULL;
		view_text(id, sizeof(id), row == NULL ? SLICE("") : pk_rest(row));
		return is_by_code(op)
			       ? w->is_lagging || !was_there(w, op, row) ||
					 row->expires_at <= w->wall_ms || !group_is_there(w, id) ||
					 is_without_maker(w, row, id)
			       : is_of_another || is_of_invitation ||
					 !is_surely_in(w, op, op->text);
	case FAULT_CONFLICT:
		return is_of_another || op->method == METHOD_GROUP_LEAVE || may_have_made(w, op);
	case FAULT_TOO_LARGE:
		return op->method == METHOD_GROUP_WATCH && team_watches_many(w, op);
	case FAULT_QUOTA_EXCEEDED:
		row = find_row(w, ITEM_GROUP, op->text, "");
		return (op->method == METHOD_INVITATION_CREATE && row != NULL &&
			((const struct group_item *)item_of_row(w, row))->invitations >
				MAX_GROUP_INVITATIONS / 2) ||
		       ((op->method == METHOD_GROUP_JOIN || op->method == METHOD_GROUP_CREATE) &&
			is_in_many(w, s));
	default:
		return false;
	}
}

void groups_judge(struct world *w, struct conn *c, const struct op *op, const struct fault *f)
{
	(void)c;
	w->misses += f->code == FAULT_NOT_FOUND && is_by_code(op);
	if (!groups_may_refuse(w, op, f->code)) {
		broken(w, CLAIM_RULES, "%s of %s about %s is refused without a reason: %s",
		       method_rows[op->method].name, member_name(w, op->member), op->text,
		       fault_code_name(f->code));
	}
}

/* The row of an invitation of the group; NULL: it has ended. */
static const struct table_row *row_of_invitation(struct world *w, const struct op *op)
{
	TABLE_EACH (&w->table, ITEM_INVITATION, row) {
		if (slice_eq(pk_rest(row), slice_str(op->text)) &&
		    slice_eq(((const struct invitation_item *)item_of_row(w, row))->invitation_id,
			     slice_str(op->other))) {
			return row;
		}
	}
	return NULL;
}

/* Where the user came or went while the call was with the server, either may be said. */
static void granted_is_user(struct world *w, const struct op *op, bool is_user)
{
	const struct table_row *row = find_row(w, ITEM_MEMBERSHIP, op->target, op->text);
	bool was_in = may_have_been_in(w, op->target, op->text, false, op->delivered_mono);
	if (is_user ? !was_in : was_there(w, op, row)) {
		broken(w, CLAIM_CONVERGE, "group.is_user says that %s is %sin %s", op->target,
		       is_user ? "" : "not ", op->text);
	}
}

/* Who begins a session with a key, whether anybody has heard of them or not. */
static void groups_delivered(struct world *w, struct conn *c, struct op *op)
{
	char user_id[CODE_CHARS_MAX + 1];
	(void)c;
	if (op->method == METHOD_SESSION_LOGIN && op->asks_group) {
		code_derive(w->config.server_key, "user_id", slice_str(op->deck), user_id,
			    CODE_CHARS_MAX);
		const struct table_row *row = find_row(w, ITEM_USER, user_id, "");
		op->had_group =
			row != NULL && ((const struct user_item *)item_of_row(w, row))->had_group;
	}
}

/* A login creates a first group where it asks for one, and its user was never in any. */
static void granted_first_group(struct world *w, const struct op *op, const struct login_result *r)
{
	char user_id[CODE_CHARS_MAX + 1];
	view_text(user_id, sizeof(user_id), r->user_id);
	const struct table_row *row = find_row(w, ITEM_USER, user_id, "");
	bool had_one = op->had_group && was_there(w, op, row);
	const struct user_item *user = row == NULL ? NULL : item_of_row(w, row);
	bool is_there = user != NULL && !user->with_deleted_on;
	if (r->group_id.len > 0 && (!op->asks_group || had_one)) {
		broken(w, CLAIM_RULES, "a login of %s creates a group that is not their first",
		       user_id);
	} else if (op->asks_group && !op->is_again && op->faults_before == w->faults && is_there &&
		   (!user->had_group || planted(w, BREAK_NO_FIRST, 1))) {
		broken(w, CLAIM_RULES, "a login of %s asks for a first group and creates none",
		       user_id);
	}
}

static void groups_granted(struct world *w, struct conn *c, const struct op *op,
			   const union method_result *result)
{
	char id[20] = "";
	(void)c;
	if (op->method == METHOD_GROUP_IS_USER) {
		granted_is_user(w, op, result->GROUP_IS_USER.is_user);
	} else if (op->method == METHOD_INVITATION_REVOKE && row_of_invitation(w, op) != NULL) {
		broken(w, CLAIM_DURABLE, "invitation.revoke is answered, and the disk has it");
	} else if (op->method == METHOD_GROUP_CREATE) {
		view_text(id, sizeof(id), result->GROUP_CREATE.group_id);
	} else if (op->method == METHOD_GROUP_JOIN) {
		view_text(id, sizeof(id), result->GROUP_JOIN.group_id);
	} else if (op->method == METHOD_SESSION_LOGIN) {
		granted_first_group(w, op, &result->SESSION_LOGIN);
		view_text(id, sizeof(id), result->SESSION_LOGIN.group_id);
	}
	if (id[0] != '\0' && find_row(w, ITEM_GROUP, id, "") == NULL &&
	    group_deleted_mono(w, id) == 0) {
		broken(w, CLAIM_DURABLE, "a group is answered for that is not on the disk");
	}
}

static const struct request groups_requests[] = {
	{.method = METHOD_GROUP_CREATE, .refused = groups_judge},
	{.method = METHOD_GROUP_LIST, .refused = groups_judge},
	{.method = METHOD_GROUP_GET, .refused = groups_judge},
	{.method = METHOD_GROUP_USERS, .refused = groups_judge},
	{.method = METHOD_GROUP_IS_USER, .refused = groups_judge},
	{.method = METHOD_GROUP_WATCH, .refused = groups_judge},
	{.method = METHOD_GROUP_UNWATCH, .refused = groups_judge},
	{.method = METHOD_GROUP_RENAME, .refused = groups_judge},
	{.method = METHOD_GROUP_LEAVE, .refused = groups_judge},
	{.method = METHOD_GROUP_REMOVE_USER, .refused = groups_judge},
	{.method = METHOD_GROUP_SET_ROLE, .refused = groups_judge},
	{.method = METHOD_GROUP_JOIN, .refused = groups_judge},
	{.method = METHOD_INVITATION_CREATE, .refused = groups_judge},
	{.method = METHOD_INVITATION_LIST, .refused = groups_judge},
	{.method = METHOD_INVITATION_GET, .refused = groups_judge},
	{.method = METHOD_INVITATION_RENEW, .refused = groups_judge},
	{.method = METHOD_INVITATION_REVOKE, .refused = groups_judge},
};

/* ---- acts ---- */

bool is_worth_it(struct world *w, const struct conn *c)
{
	const struct session *s = session_of_conn(w, c);
	return (s != NULL && s->is_keyed) || dice_percent(&w->dice, 4);
}

struct slice some_group(struct world *w, const struct conn *c, struct op *about)
{
	const struct session *s = session_of_conn(w, c);
	bool is_own = s != NULL && dice_percent(&w->dice, 85);
	size_t n = 0;
	view_text(about->text, sizeof(about->text), SLICE(NO_GROUP));
	TABLE_EACH (&w->table, is_own ? ITEM_MEMBERSHIP : ITEM_GROUP, row) {
		bool is_one = !is_own || slice_eq(pk_rest(row), slice_str(s->user_id));
		if (is_one && dice_below(&w->dice, (uint32_t)++n) == 0) {
			view_text(about->text, sizeof(about->text),
				  is_own ? sk_rest(row) : pk_rest(row));
		}
	}
	return slice_str(about->text);
}

/* A user of the group in about, in about; or nobody. */
static struct slice some_user(struct world *w, struct op *about)
{
	size_t n = 0;
	view_text(about->target, sizeof(about->target), SLICE("2222222222222222"));
	TABLE_EACH (&w->table, ITEM_MEMBERSHIP, row) {
		if (slice_eq(sk_rest(row), slice_str(about->text)) &&
		    dice_below(&w->dice, (uint32_t)++n) == 0) {
			view_text(about->target, sizeof(about->target), pk_rest(row));
		}
	}
	return slice_str(about->target);
}

static void act_found(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct group_create_params p = {.group_name = SLICE("Payments")};
	(void)room;
	if (is_worth_it(w, c)) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_CREATE, -1, &p, &about);
	}
}

/* The act makes no sense: that is tried now and then. */
static bool is_nowhere(struct world *w, const struct op *about)
{
	return strcmp(about->text, NO_GROUP) == 0 && dice_percent(&w->dice, 90);
}

static void act_invite(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct invitation_create_params p = {
		.group_id = some_group(w, c, &about),
		.uses = dice_below(&w->dice, 3),
		.expires_in_seconds = 60,
		.with_expires_in_seconds = dice_percent(&w->dice, 20),
	};
	if (!is_worth_it(w, c)) {
		return;
	}
	if (is_nowhere(w, &about)) {
		act_found(w, c, room);
		return;
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_INVITATION_CREATE, -1, &p, &about);
}

/* Two of a last use, and more, meet where few codes are known. */
void act_join_group(struct world *w, struct conn *c, int room)
{
	const size_t most = sizeof(w->codes) / sizeof(w->codes[0]);
	size_t n = w->codes_n < most ? w->codes_n : most;
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	if (!is_worth_it(w, c)) {
		return;
	}
	if (n == 0 && dice_percent(&w->dice, 95)) {
		act_invite(w, c, room);
		return;
	}
	view_text(about.text, sizeof(about.text),
		  n == 0 || dice_percent(&w->dice, 4)
			  ? SLICE(NO_CODE)
			  : slice_str(w->codes[dice_percent(&w->dice, 60)
						       ? (w->codes_n - 1) % most
						       : dice_below(&w->dice, (uint32_t)n)]));
	if (dice_percent(&w->dice, 20)) {
		struct invitation_get_params get = {.code = slice_str(about.text),
						    .with_code = true};
		send_op(w, c, METHOD_INVITATION_GET, -1, &get, &about);
		return;
	}
	struct group_join_params p = {.code = slice_str(about.text), .with_code = true};
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_GROUP_JOIN, -1, &p, &about);
}

/* One of the group in about, whose id is then in about->other; or none that exists. */
static struct slice some_invitation(struct world *w, struct op *about)
{
	size_t n = 0;
	view_text(about->other, sizeof(about->other), SLICE("i_2222222222"));
	TABLE_EACH (&w->table, ITEM_INVITATION, row) {
		if (slice_eq(pk_rest(row), slice_str(about->text)) &&
		    dice_below(&w->dice, (uint32_t)++n) == 0) {
			view_text(about->other, sizeof(about->other),
				  ((const struct invitation_item *)item_of_row(w, row))
					  ->invitation_id);
		}
	}
	return slice_str(about->other);
}

static void act_renew_or_revoke(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct invitation_renew_params renew = {
		.group_id = some_group(w, c, &about),
		.invitation_id = some_invitation(w, &about),
		.expires_in_seconds = 60,
		.with_expires_in_seconds = dice_percent(&w->dice, 50),
	};
	struct invitation_revoke_params revoke = {.group_id = renew.group_id,
						  .invitation_id = renew.invitation_id};
	(void)room;
	if (!is_worth_it(w, c) || is_nowhere(w, &about)) {
		return;
	}
	if (dice_percent(&w->dice, 60)) {
		SEND_ONCE(renew, about, key);
		send_op(w, c, METHOD_INVITATION_RENEW, -1, &renew, &about);
	} else {
		SEND_ONCE(revoke, about, key);
		send_op(w, c, METHOD_INVITATION_REVOKE, -1, &revoke, &about);
	}
}

static void act_leave_or_remove(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct slice group_id = some_group(w, c, &about);
	if (!is_worth_it(w, c)) {
		return;
	}
	if (is_nowhere(w, &about)) {
		act_found(w, c, room);
		return;
	}
	if (dice_percent(&w->dice, 40)) {
		struct group_change_params p = {.group_id = group_id};
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_LEAVE, -1, &p, &about);
		return;
	}
	/* Few groups have two users: where this one has, somebody else is meant more often. */
	const struct session *s = session_of_conn(w, c);
	struct group_user_params p = {.group_id = group_id, .user_id = some_user(w, &about)};
	for (int i = 0; i < 3 && s != NULL && slice_eq(p.user_id, slice_str(s->user_id)); i++) {
		p.user_id = some_user(w, &about);
	}
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_GROUP_REMOVE_USER, -1, &p, &about);
}

static void act_set_role(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct group_set_role_params p = {
		.group_id = some_group(w, c, &about),
		.user_id = some_user(w, &about),
		.role = dice_percent(&w->dice, 60) ? GROUP_OWNER : GROUP_MEMBER,
	};
	(void)room;
	if (is_worth_it(w, c) && !is_nowhere(w, &about)) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_SET_ROLE, -1, &p, &about);
	}
}

static void act_rename_group(struct world *w, struct conn *c, int room)
{
	static const char *const names[] = {"Payments", "Bills", "Taxes"};
	char once[40];
	const char *key = act_once(w, once);
	struct op about = {0};
	struct group_rename_params p = {
		.group_id = some_group(w, c, &about),
		.group_name = slice_str(names[dice_below(&w->dice, 3)]),
	};
	(void)room;
	if (is_worth_it(w, c) && !is_nowhere(w, &about)) {
		SEND_ONCE(p, about, key);
		send_op(w, c, METHOD_GROUP_RENAME, -1, &p, &about);
	}
}

static void act_watch_group(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct group_watch_params p = {.group_id = some_group(w, c, &about)};
	if (!is_worth_it(w, c)) {
		return;
	}
	if (is_nowhere(w, &about)) {
		act_join_group(w, c, room);
		return;
	}
	send_op(w, c, METHOD_GROUP_WATCH, -1, &p, &about);
}

static void act_read_groups(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	(void)room;
	if (!is_worth_it(w, c)) {
		return;
	}
	if (dice_percent(&w->dice, 20)) {
		struct invitation_list_params list = {.group_id = some_group(w, c, &about)};
		send_op(w, c, METHOD_INVITATION_LIST, -1, &list, &about);
	} else if (dice_percent(&w->dice, 30)) {
		struct group_list_params list = {.limit = 2, .with_limit = true};
		send_op(w, c, METHOD_GROUP_LIST, -1, &list, &about);
	} else if (dice_percent(&w->dice, 40)) {
		struct group_get_params get = {.group_id = some_group(w, c, &about),
					       .with_group_id = true};
		send_op(w, c, METHOD_GROUP_GET, -1, &get, &about);
	} else if (dice_percent(&w->dice, 30)) {
		struct group_is_user_params is = {.group_id = some_group(w, c, &about),
						  .user_id = some_user(w, &about)};
		send_op(w, c, METHOD_GROUP_IS_USER, -1, &is, &about);
	} else {
		struct group_users_params users = {.group_id = some_group(w, c, &about)};
		send_op(w, c, METHOD_GROUP_USERS, -1, &users, &about);
	}
}

/* ---- the client ---- */

/* A code goes round, and everybody who is logged in uses it: of a last use, all at once. */
static void code_goes_round(struct world *w, const char *code, int member)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *c = w->conns[i];
		const struct session *s = session_of_conn(w, c);
		struct op about = {0};
		struct group_join_params p = {.code = slice_str(code), .with_code = true};
		/* What follows half a message would be read as the rest of it. */
		if (c->server_has && !c->is_broken && c->member != member && s != NULL &&
		    s->is_keyed && dice_percent(&w->dice, 70)) {
			char once[40];
			const char *key = act_once(w, once);
			view_text(about.text, sizeof(about.text), p.code);
			SEND_ONCE(p, about, key);
			send_op(w, c, METHOD_GROUP_JOIN, -1, &p, &about);
		}
	}
}

/* When all is calm those who log in then (sign_in.c) make groups, and meet there. */
static bool goes_on(const struct world *w, const struct conn *c)
{
	return !c->is_broken && (!w->is_calm || (c->is_desk && !c->is_brief && !w->is_night));
}

static void groups_heard(struct world *w, struct conn *c, const struct op *op,
			 const union method_result *result)
{
	if (op->method == METHOD_INVITATION_CREATE) {
		char *code = w->codes[w->codes_n++ % (sizeof(w->codes) / sizeof(w->codes[0]))];
		view_text(code, sizeof(w->codes[0]), result->INVITATION_CREATE.code);
		if (goes_on(w, c)) {
			code_goes_round(w, code, op->member);
		}
	} else if (op->method == METHOD_GROUP_JOIN && !w->is_calm && dice_percent(&w->dice, 15)) {
		struct op about = {0};
		struct group_change_params p = {0};
		view_text(about.text, sizeof(about.text), result->GROUP_JOIN.group_id);
		p.group_id = slice_str(about.text);
		send_op(w, c, METHOD_GROUP_LEAVE, -1, &p, &about);
	} else if (op->method == METHOD_SESSION_WATCH && w->is_calm && goes_on(w, c)) {
		act_found(w, c, -1);
	} else if (op->method == METHOD_GROUP_CREATE && goes_on(w, c)) {
		struct op about = {0};
		struct invitation_create_params p = {.uses = dice_below(&w->dice, 3)};
		view_text(about.text, sizeof(about.text), result->GROUP_CREATE.group_id);
		p.group_id = slice_str(about.text);
		send_op(w, c, METHOD_INVITATION_CREATE, -1, &p, &about);
	}
}

static const struct act groups_acts[] = {
	{4, act_found, false},
	{10, act_invite, false},
	{20, act_join_group, false},
	{10, act_leave_or_remove, false},
	{4, act_set_role, false},
	{10, act_read_groups, false},
	{3, act_rename_group, false},
	{8, act_watch_group, false},
	{10, act_renew_or_revoke, false},
};

const struct feature feature_groups = {
	.name = "groups",
	FEATURE_ROWS(desk_acts, groups_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, groups_requests),
	.delivered = groups_delivered,
	.granted = groups_granted,
	.heard = groups_heard,
};
