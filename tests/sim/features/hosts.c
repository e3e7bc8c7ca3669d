/*
 * hosts.c - who is host: by the key, by another host, or as heir of one who has gone, until that one is back.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include "proto/rights.h"

/* ---- requests ---- */

static void send_claim(struct world *w, struct conn *c, int room, const char *key)
{
	struct room_claim_host_params p = {.host_key = slice_str(key)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	about.shows_host_key = strcmp(key, w->rooms[room].host_key) == 0;
	about.expect = about.shows_host_key ? FAULT_NONE : FAULT_FORBIDDEN;
	send_op(w, c, METHOD_ROOM_CLAIM_HOST, room, &p, &about);
}

/* ---- acts ---- */

static void act_set_host(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_target(w, c, METHOD_ROOM_SET_HOST, room, act_somebody(w, c, room),
		    act_shows(w, c, room), act_once(w, once));
}

/* Mostly a co-host, and where there is none, one is made. */
static void act_unset_host(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct sub *sub = c->subs[room];
	const char *whom = NULL;
	for (size_t i = 0; i < sub->view.n; i++) {
		const struct view_user *u = &sub->view.users[i];
		whom = u->is_host && strcmp(u->user_id, sub->user_id) != 0 ? u->user_id : whom;
	}
	if (whom == NULL && dice_percent(&w->dice, 80)) {
		act_set_host(w, c, room);
		return;
	}
	send_target(w, c, METHOD_ROOM_UNSET_HOST, room,
		    whom == NULL ? act_somebody(w, c, room) : whom, act_shows(w, c, room),
		    act_once(w, once));
}

static void act_claim(struct world *w, struct conn *c, int room)
{
	static const char wrong[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	send_claim(w, c, room,
		   act_has_key(w, c, room) && dice_percent(&w->dice, 90) ? w->rooms[room].host_key
									 : wrong);
}

/* ---- answers ---- */

static bool refused_no_name(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *target = view_user_const(v, op->target);
	return target == NULL || !target->has_name || target->is_waiting;
}

static const char *claim_lacks(const struct op *op, const union method_result *result,
			       const struct view *v)
{
	(void)result;
	return strcmp(v->host, op->user_id) != 0 ? "the host" : NULL;
}

static const char *set_host_lacks(const struct op *op, const union method_result *result,
				  const struct view *v)
{
	(void)result;
	return strcmp(v->host, op->target) != 0 ? "the host" : NULL;
}

static bool refused_by_key(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)v;
	return !op->shows_host_key;
}

static const char *unset_host_lacks(const struct op *op, const union method_result *result,
				    const struct view *v)
{
	const struct view_user *target = view_user_const(v, op->target);
	(void)result;
	/* An owner of the room's group is shown as host all the same. */
	return target != NULL && target->is_host && !op->target_may_be_owner
		       ? "the end of the rights"
		       : NULL;
}

/* Who has no rights loses none; and of the host they are only taken where there is another one. */
static bool refused_no_rights(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *target = view_user_const(v, op->target);
	size_t hosts = 0;
	for (size_t i = 0; i < v->n; i++) {
		hosts += v->users[i].is_host;
	}
	return target == NULL || !target->is_host || hosts < 2;
}

static bool is_against_others(const struct op *op)
{
	return (op->method == METHOD_ROOM_KICK || op->method == METHOD_ROOM_UNSET_HOST) &&
	       op->room >= 0 && strcmp(op->user_id, op->target) != 0;
}

static void hosts_delivered(struct world *w, struct conn *c, struct op *op)
{
	(void)c;
	if (op->room >= 0 && op->method == METHOD_ROOM_UNSET_HOST) {
		op->target_may_be_owner = w->rooms[op->room].group_id[0] != '\0';
	}
	if (is_against_others(op)) {
		op->target_is_creator =
			table_is_creator(&w->table, w->rooms[op->room].id, op->target);
	}
}

/* Another call, while this one was with the server, may have ended the creator's seat, which the same key takes anew. */
static bool rank_may_have_ended(const struct world *w, const struct op *op)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *o = &w->ops[i];
		bool is_open = o != op && o->room == op->room && o->is_delivered &&
			       (o->answered == 0 || o->answered > op->order);
		if (is_open && (o->method == METHOD_ROOM_DELETE_USER ||
				o->method == METHOD_ROOM_KICK || o->method == METHOD_ROOM_REJECT)) {
			return true;
		}
	}
	return false;
}

static bool may_have_key(const struct world *w, const struct op *op)
{
	return op->shows_host_key || op->host_key_was_shown || op->user_id[0] == '\0' ||
	       w->members[op->member].rooms[op->room].has_host_key;
}

/* Nobody without the host_key removes the creator, or takes the creator's rights. */
static void granted_rank(struct world *w, const struct op *op)
{
	if (is_against_others(op) && op->target_is_creator && !op->is_again &&
	    !may_have_key(w, op) && !rank_may_have_ended(w, op)) {
		broken(w, CLAIM_RULES, "%s of %s is granted against the creator of %s",
		       method_rows[op->method].name, member_name(w, op->member),
		       w->rooms[op->room].id);
	}
}

static void hosts_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)c;
	(void)result;
	granted_rank(w, op);
}

/* Who has the host_key may have shown it on the seat, which need not be on the disk yet. */
static bool hosts_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	/* Owners of its group are shown as hosts, and are none by anything that can be taken from them. */
	bool is_groups = op->room >= 0 && w->rooms[op->room].group_id[0] != '\0';
	if (is_groups && code == FAULT_CONFLICT && op->method == METHOD_ROOM_UNSET_HOST) {
		return true;
	}
	if (code != FAULT_FORBIDDEN || !is_against_others(op) || op->shows_host_key) {
		return false;
	}
	if (planted(w, BREAK_LOW_RANK, 1)) {
		granted_rank(w, op);
	}
	int owner = room_owner(&w->rooms[op->room], op->target);
	return op->target_is_creator || owner < 0 || w->members[owner].rooms[op->room].has_host_key;
}

static const struct request host_requests[] = {
	{.method = METHOD_ROOM_CLAIM_HOST,
	 .names_version = true,
	 .lacks = claim_lacks,
	 .forbidden = refused_by_key},
	{.method = METHOD_ROOM_SET_HOST,
	 .names_version = true,
	 .lacks = set_host_lacks,
	 .not_found = has_no_target,
	 .conflict = refused_no_name},
	{.method = METHOD_ROOM_UNSET_HOST,
	 .names_version = true,
	 .lacks = unset_host_lacks,
	 .not_found = has_no_target,
	 .conflict = refused_no_rights},
};

/* ---- rules ---- */

static bool rules_host_is_gone(const struct change *ch)
{
	const struct view_user *was = view_user_const(ch->before, ch->before->host);
	const struct view_user *is = view_user_const(ch->after, ch->before->host);
	return was == NULL || is == NULL || (was->has_name && !is->has_name) ||
	       (!is->is_connected && rules_was_away(ch, is->user_id, LIMIT_VOTE_GRACE_MS)) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK, METHOD_ROOM_REJECT),
				is->user_id) ||
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_LEAVE), is->user_id) ||
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_DELETE_USER), is->user_id);
}

/* The earliest joined voter. When each joined is known from the disk: only where that is what the
 * room was just now. */
static bool rules_is_earliest(const struct change *ch, const struct view_user *heir)
{
	char pk[32];
	struct slice key = slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "ROOM:%s", ch->r->id));
	const struct table_row *mine = table_seat(&ch->w->table, key, heir->user_id);
	const struct view_user *heir_was = view_user_const(ch->before, heir->user_id);
	/* Left and joined again under the same name, as the disk does not show yet. */
	struct methods joins = METHODS_OF(METHOD_ROOM_LEAVE, METHOD_ROOM_JOIN);
	if ((heir_was != NULL && heir_was->is_host) || rules_has_cause(ch, joins, heir->user_id) ||
	    ch->r->mem->durable_hash != view_durable_hash(ch->before) ||
	    ch->after->version != ch->before->version + 1) {
		return true;
	}
	for (size_t i = 0; i < ch->after->n && mine != NULL && mine->has_name; i++) {
		const struct view_user *u = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, u->user_id);
		const struct table_row *other = table_seat(&ch->w->table, key, u->user_id);
		if (u != heir && other != NULL && other->has_name &&
		    other->joined_at < mine->joined_at && u->has_name && u->is_connected &&
		    !u->is_waiting && !u->is_spectator && !u->is_bot && was != NULL &&
		    was->has_name && was->is_connected && !was->is_spectator && !was->is_bot &&
		    !rules_has_cause(ch, joins, u->user_id)) {
			return false;
		}
	}
	return true;
}

static bool rules_inherits(const struct change *ch, const struct view_user *heir)
{
	/* One tick may make an heir and then close its connection. */
	const struct view_user *was = view_user_const(ch->before, heir->user_id);
	bool is_here = heir->is_connected || (was != NULL && was->is_connected);
	/* Of several changes in one step only the last can be seen: then whoever is host now was an
	 * heir in between. */
	bool several = ch->after->version > ch->before->version + 1;
	bool is_heir = heir->has_name && is_here && !heir->is_spectator && !heir->is_bot;
	is_heir = is_heir || (was != NULL && was->is_host && is_here && heir->has_name);
	return (is_heir || several) && rules_host_is_gone(ch) && rules_is_earliest(ch, heir);
}

/* Of the disk, which may be a commit behind: then a little more is let pass. */
static bool rules_maker_came(const struct change *ch)
{
	int64_t created_on = 0;
	return table_had_host(&ch->w->table, ch->r->id, &created_on);
}

/* Until its maker comes somebody may stand in, once there has been time to come. */
static bool rules_maker_is_late(const struct change *ch)
{
	int64_t created_on = 0;
	(void)table_had_host(&ch->w->table, ch->r->id, &created_on);
	int64_t due = created_on + ch->w->config.limits[LIMIT_VOTE_GRACE_MS];
	return ch->w->jumps > 0 || ch->w->wall_ms >= due;
}

static bool rules_founds(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE, METHOD_ROOM_JOIN), NULL,
				 &at)) != NULL) {
		/* After a conflict it may be carried out behind a later one that shows the key. */
		const struct conn *c = net_by_serial(ch->w, op->conn);
		if (op->shows_host_key || op->host_key_was_shown ||
		    (c != NULL && c->host_key_shown[ch->room])) {
			return !rules_maker_came(ch);
		}
	}
	return false;
}

static bool rules_claimed(const struct change *ch, const char *host)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_CLAIM_HOST), host, &at)) != NULL) {
		if (op->shows_host_key) {
			return true;
		}
	}
	return rules_has_target(ch, METHODS_OF(METHOD_ROOM_SET_HOST), host);
}

/* From the host, whose rights were taken, to a co-host. */
static bool rules_steps_down(const struct change *ch, const char *host)
{
	const struct view_user *was = view_user_const(ch->before, host);
	return was != NULL && was->is_host &&
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_UNSET_HOST), ch->before->host);
}

/* Nobody may have their place kept and be here. */
static bool view_is_here(const struct view_user *u)
{
	return u != NULL && u->has_name && u->is_connected && !u->is_waiting;
}

static bool rules_several(const struct change *ch)
{
	return ch->after->version > ch->before->version + 1;
}

/* Whose place was kept, and is here now. Of several changes in one step only the last can be seen. */
static bool rules_returns(const struct change *ch, const char *host)
{
	bool was_kept = strcmp(ch->before->host_kept_for, host) == 0 || rules_several(ch);
	bool is_here = view_is_here(view_user_const(ch->after, host)) || rules_several(ch);
	return was_kept && is_here && ch->after->host_kept_for[0] == '\0';
}

/* With the host_key, by or for that host, or by making oneself host: whoever stands in and names another ends no place. */
static bool rules_gives_place(const struct change *ch, const char *kept)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SET_HOST), NULL, &at)) != NULL) {
		if (may_have_key(ch->w, op) || strcmp(op->target, op->user_id) == 0 ||
		    strcmp(op->target, kept) == 0 || strcmp(op->user_id, kept) == 0) {
			return true;
		}
	}
	return false;
}

/* A place is kept when its host goes, and until they are back or somebody has decided otherwise. */
static void rules_kept(const struct change *ch)
{
	const char *was = ch->before->host_kept_for;
	const char *is = ch->after->host_kept_for;
	struct methods decide =
		METHODS_OF(METHOD_ROOM_CLAIM_HOST, METHOD_ROOM_UNSET_HOST, METHOD_ROOM_KICK,
			   METHOD_ROOM_REJECT, METHOD_ROOM_DELETE_USER, METHOD_USER_DELETE,
			   METHOD_GROUP_REMOVE_USER, METHOD_GROUP_LEAVE);
	if (view_is_here(view_user_const(ch->after, is)) ||
	    (is[0] != '\0' && planted(ch->w, BREAK_LOSE_RETURN, 20))) {
		rules_broken(ch, "a host who is back and no host", is);
	}
	if (strcmp(was, is) == 0 || rules_several(ch)) {
		return;
	}
	if (is[0] != '\0' && (strcmp(is, ch->before->host) != 0 || !rules_host_is_gone(ch))) {
		rules_broken(ch, "a place that is kept", is);
	}
	if (is[0] == '\0' && strcmp(ch->after->host, was) != 0 && !rules_founds(ch) &&
	    !rules_has_cause(ch, decide, NULL) && !rules_gives_place(ch, was) &&
	    ch->r->group_id[0] == '\0') {
		rules_broken(ch, "the end of a place that was kept", was);
	}
}

static bool view_may_stand_in(const struct view_user *u)
{
	return view_is_here(u) && !u->is_bot && (!u->is_spectator || u->is_host);
}

/* Exactly while the host is away, and somebody is here to stand in, somebody is shown to be next; and that one it is. */
static void rules_next(const struct change *ch)
{
	const struct view *v = ch->after;
	const struct view_user *host = view_user_const(v, v->host);
	bool is_kept =
		host == NULL || host->is_connected || (view_keeps_votes(v) && host->has_name);
	const struct view_user *next = view_user_const(v, v->next_host);
	bool has_heir = false;
	for (size_t i = 0; i < v->n; i++) {
		has_heir = has_heir || view_may_stand_in(&v->users[i]);
	}
	if (!is_kept && has_heir && planted(ch->w, BREAK_LOSE_NEXT, 20)) {
		next = NULL;
	}
	/* Owners of the room's group are shown as hosts, and watch as any other does. */
	if (ch->r->group_id[0] == '\0' && (next != NULL) != (!is_kept && has_heir)) {
		rules_broken(ch, "who is shown as the next host", v->host);
	}
	if (v->next_host[0] != '\0' && (is_kept || !view_may_stand_in(next))) {
		rules_broken(ch, "a next host", v->next_host);
	}
	/* By the very change by which one follows who was shown may go, or somebody come who is before them; whether the
	 * newcomer is, rules_is_earliest() says. */
	const struct view_user *left = view_user_const(v, ch->before->host);
	bool followed = !rules_several(ch) && strcmp(v->host_kept_for, ch->before->host) == 0 &&
			v->host_kept_for[0] != '\0' && left != NULL && left->has_name;
	bool had_both = view_may_stand_in(view_user_const(v, ch->before->next_host)) &&
			view_may_stand_in(view_user_const(ch->before, v->host));
	if (followed && had_both && strcmp(v->host, ch->before->next_host) != 0) {
		rules_broken(ch, "a host who was not next", v->host);
	}
}

static void rules_host(const struct change *ch)
{
	const char *host = ch->after->host;
	if (strcmp(ch->before->host, host) == 0) {
		return;
	}
	/* Through several hands in one step: each of them went by one of these. */
	struct methods goes = METHODS_OF(METHOD_ROOM_SET_HOST, METHOD_ROOM_CLAIM_HOST,
					 METHOD_ROOM_KICK, METHOD_ROOM_REJECT, METHOD_ROOM_LEAVE,
					 METHOD_ROOM_DELETE_USER, METHOD_ROOM_UNSET_HOST);
	if (ch->after->version > ch->before->version + 1 && rules_has_cause(ch, goes, NULL)) {
		return;
	}
	if (host[0] == '\0') {
		if (!rules_host_is_gone(ch)) {
			rules_broken(ch, "no host any more", NULL);
		}
		return;
	}
	const struct view_user *heir = view_user_const(ch->after, host);
	if (!rules_claimed(ch, host) && !rules_founds(ch) && !rules_steps_down(ch, host) &&
	    !rules_returns(ch, host) &&
	    !((rules_maker_came(ch) || rules_maker_is_late(ch)) && rules_inherits(ch, heir))) {
		rules_broken(ch, "another host", host);
	}
}

/* With the host's place, or as co-host: whoever gives it away keeps the rights. */
static bool rules_host_moves(const struct change *ch, const struct view_user *was,
			     const struct view_user *is)
{
	if (is->is_host) {
		return strcmp(ch->after->host, is->user_id) == 0 ||
		       strcmp(ch->before->host, is->user_id) == 0 ||
		       (ch->after->version > ch->before->version + 1 &&
			rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_HOST), false, false) > 0);
	}
	return strcmp(ch->before->host, was->user_id) == 0 || rules_emptied(ch, is->user_id) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_UNSET_HOST), is->user_id) ||
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_CLAIM_HOST), NULL);
}

/* An update names who made it what it is: somebody who has asked for something of that kind, never a voter as such. */
static void hosts_update(struct world *w, struct conn *c, int room, const struct room_update *u)
{
	bool has_asked = u->by.len == 0;
	(void)c;
	for (size_t i = 0; i < w->ops_n && !has_asked; i++) {
		const struct op *op = &w->ops[i];
		enum right right =
			op->method == METHOD_COUNT ? RIGHT_NONE : right_of_method(op->method);
		has_asked =
			op->room == room && op->is_delivered &&
			(right == RIGHT_LEAD || right == RIGHT_REVEAL || right == RIGHT_RESET) &&
			(op->user_id[0] == '\0' || slice_eq(slice_str(op->user_id), u->by));
	}
	if (!has_asked) {
		broken(w, CLAIM_SECRECY, "an update of %s names a member who has led nothing",
		       w->rooms[room].id);
	}
}

static void hosts_follow(const struct change *ch)
{
	rules_host(ch);
	rules_kept(ch);
	rules_next(ch);
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *is = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, is->user_id);
		/* An owner of its group leads a room, and is shown so when they next do something there. */
		int64_t since = ch->w->mono_ms - 60000;
		bool is_owners = ch->r->group_id[0] != '\0' &&
				 (!is->is_host || may_have_been_in(ch->w, is->user_id,
								   ch->r->group_id, true, since));
		if (was != NULL && was->is_host != is->is_host && !is_owners &&
		    !rules_host_moves(ch, was, is)) {
			rules_broken(ch,
				     is->is_host ? "a host's rights" : "the end of a host's rights",
				     is->user_id);
		}
	}
}

/* ---- when all is quiet ---- */

/* Whether nobody is waited for: its maker has been there, or did not come in time. */
static bool calm_is_led(const struct world *w, const struct sim_room *r)
{
	int64_t created_on = 0;
	bool had_host = table_had_host(&w->table, r->id, &created_on);
	if (view_keeps_votes(&r->mem->now) && !had_host) {
		return false;
	}
	int64_t due = created_on + w->config.limits[LIMIT_VOTE_GRACE_MS] + 1100;
	return had_host || (w->jumps == 0 && created_on > 0 && w->wall_ms > due);
}

static void hosts_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	bool has_heir = false;
	for (size_t i = 0; i < r->mem->now.n; i++) {
		const struct view_user *u = &r->mem->now.users[i];
		has_heir = has_heir || (u->has_name && u->is_connected && !u->is_spectator &&
					!u->is_bot && !u->is_waiting);
	}
	const struct view_user *host = view_user_const(&r->mem->now, r->mem->now.host);
	/* Nobody takes the place of a host, or a maker, who is away. */
	bool keeps = view_keeps_votes(&r->mem->now);
	bool is_away = host != NULL && !host->is_connected && !(keeps && host->has_name);
	int64_t since = host == NULL ? INT64_MAX : room_alone_since(w, room, host->user_id);
	if (host != NULL && planted(w, BREAK_LONG_HOST, 1)) {
		is_away = true;
		since = 0;
	}
	if (has_heir && is_away && since != INT64_MAX &&
	    w->mono_ms - since > w->config.limits[LIMIT_VOTE_GRACE_MS] + 1100) {
		broken(w, CLAIM_RULES, "%s waits for a host who has gone", r->id);
	}
	if (r->mem->now.host[0] == '\0' && has_heir && calm_is_led(w, r)) {
		broken(w, CLAIM_RULES, "%s at version %lld has joined voters and no host", r->id,
		       (long long)r->mem->now.version);
	}
}

static const struct act host_acts[] = {
	{30, act_claim, false},
	{20, act_set_host, true},
	{20, act_unset_host, true},
};

const struct feature feature_hosts = {
	.name = "hosts",
	FEATURE_ROWS(acts, host_acts),
	FEATURE_ROWS(requests, host_requests),
	.delivered = hosts_delivered,
	.granted = hosts_granted,
	.excuses = hosts_excuse,
	.update = hosts_update,
	.follow = hosts_follow,
	.settled_room = hosts_settled,
};
