/*
 * rules.c - why a room may change: every difference between two states needs a
 * request that asked for it and was allowed to, or a grace that ended.
 *
 * Requests that are with the server and not yet answered are the possible
 * causes; when several are, any will do. That is weaker than running a second
 * server and comparing, and needs no second server to be right.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"

#include <string.h>

struct methods methods_of(const enum method *list, size_t n)
{
	struct methods m = {0};
	for (size_t i = 0; i < n; i++) {
		m.words[list[i] / 64] |= (uint64_t)1 << list[i] % 64;
	}
	return m;
}

static bool methods_has(struct methods m, enum method method)
{
	return method < METHOD_COUNT && (m.words[method / 64] >> method % 64 & 1u);
}

static bool rules_is_open(const struct change *ch, const struct op *op)
{
	/* Of two with one msgid it is not known which has been answered. */
	bool is_answered = op->is_answered && !op->is_shadowed;
	if (op->room != ch->room || !op->is_delivered || is_answered || op->is_closed) {
		return false;
	}
	/* What a lost connection had asked is still carried out, unless it had to wait for the
	 * room. */
	return !op->is_dead || op->dead_mono + 5000 > ch->w->mono_ms || !ch->r->mem->in_memory;
}

/* By its seat where that is certain; else anybody's whom the seat may belong to. */
static bool rules_acts_for(const struct change *ch, const struct op *op, const char *user_id)
{
	if (user_id == NULL || op->user_id[0] != '\0') {
		return user_id == NULL || strcmp(op->user_id, user_id) == 0;
	}
	int owner = room_owner(ch->r, user_id);
	return owner < 0 || owner == op->member;
}

static bool rules_is_host_in(const struct view *v, const char *user_id)
{
	const struct view_user *u = view_user_const(v, user_id);
	return strcmp(v->host, user_id) == 0 || (u != NULL && u->is_host);
}

bool rules_had_name(const struct change *ch, const char *user_id)
{
	return ch->after->version > ch->before->version + 1 &&
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), user_id);
}

bool rules_may_host(const struct change *ch, const struct op *op)
{
	/* A load carries out all that had waited for it: who was host in between cannot be seen. */
	bool was_loaded = ch->before->version < 0;
	bool changed_hands = ch->after->version > ch->before->version + 1 &&
			     strcmp(ch->before->host, ch->after->host) != 0;
	/* A room without a host gives itself to the first who joins. */
	bool was_first = ch->before->host[0] == '\0' && rules_had_name(ch, op->user_id);
	if (was_loaded || changed_hands || was_first || may_lead_as_owner(ch->w, op)) {
		return true;
	}
	return op->shows_host_key || op->host_key_was_shown || op->user_id[0] == '\0' ||
	       rules_is_host_in(ch->before, op->user_id) ||
	       rules_is_host_in(ch->after, op->user_id);
}

static bool is_everyones(const struct request *row, const struct op *op, const struct policy *p)
{
	bool reveals = row->reveals != NULL && row->reveals(op);
	return row->everyones != NULL && row->everyones(p) && (!reveals || p->everyone_reveals);
}

/* What the policy leaves to hosts, or gives to everybody; changed on the way, either may hold. */
bool rules_may(const struct change *ch, const struct op *op)
{
	const struct request *row = feature_request(op->method);
	return (row != NULL && (is_everyones(row, op, &ch->before->policy) ||
				is_everyones(row, op, &ch->after->policy))) ||
	       rules_may_host(ch, op);
}

/* An open request of one of the methods, by that seat (NULL: anybody). */
const struct op *rules_cause(const struct change *ch, struct methods methods, const char *actor,
			     size_t *at)
{
	for (size_t i = *at; i < ch->w->ops_n; i++) {
		const struct op *op = &ch->w->ops[i];
		if (methods_has(methods, op->method) && rules_is_open(ch, op) &&
		    rules_acts_for(ch, op, actor)) {
			*at = i + 1;
			return op;
		}
	}
	return NULL;
}

/*
 * A user who is deleted gives up all their seats. Where a clock that is set ahead has used up the patience with them, the
 * user goes first, and the rooms are given their tasks with that commit.
 */
static bool rules_is_deleted(struct world *w, const char *user_id)
{
	int64_t went = user_went_mono(w, user_id);
	bool is_there = find_row(w, ITEM_USER, user_id, "") != NULL;
	return user_is_ending(w, user_id) || (went != 0 && (!is_there || went + 5000 > w->mono_ms));
}

bool rules_has_cause(const struct change *ch, struct methods methods, const char *actor)
{
	size_t at = ch->w->ops_first;
	bool is_deleted = actor != NULL && methods_has(methods, METHOD_ROOM_DELETE_USER) &&
			  rules_is_deleted(ch->w, actor);
	return is_deleted || rules_cause(ch, methods, actor, &at) != NULL;
}

bool rules_has_target(const struct change *ch, struct methods methods, const char *target)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		if (strcmp(op->target, target) == 0 && rules_may_host(ch, op)) {
			return true;
		}
	}
	return false;
}

bool rules_story_ended(const struct change *ch, const char *story_id)
{
	const struct view_story *was = view_story(ch->before, story_id);
	return was != NULL && was->ends_at != 0 &&
	       (ch->w->jumps > 0 || ch->w->wall_ms >= was->ends_at);
}

size_t rules_host_causes(const struct change *ch, struct methods methods, bool flag_matters,
			 bool flag)
{
	size_t n = 0;
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		n += rules_may(ch, op) && (!flag_matters || op->flag == flag);
	}
	return n;
}

void rules_broken(const struct change *ch, const char *what, const char *whose)
{
	int member = whose == NULL ? -1 : member_of_seat(ch->w, ch->room, whose);
	broken(ch->w, CLAIM_RULES, "%s, versions %lld to %lld: %s%s%s, and nothing says why",
	       ch->r->id, (long long)ch->before->version, (long long)ch->after->version, what,
	       whose == NULL ? "" : " of ", whose == NULL ? "" : member_name(ch->w, member));
}

/* Where votes are kept, a member with a name has no graces. Within several changes that may not have held all the time. */
static bool rules_is_kept(const struct change *ch, const char *user_id)
{
	const struct view_user *was = view_user_const(ch->before, user_id);
	bool may_have_ended = ch->after->version > ch->before->version + 1 &&
			      rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), NULL);
	return was != NULL && was->has_name && view_keeps_votes(ch->before) &&
	       view_keeps_votes(ch->after) && !may_have_ended;
}

/* Whether it may still have an effect, whether anybody waits for the answer or not. */
static bool rules_is_unanswered(const struct change *ch, const struct op *op)
{
	return op->room == ch->room && op->is_delivered && (!op->is_answered || op->is_shadowed);
}

/*
 * Whether the vote that the disk knows is certainly on the table: whatever takes it away, or replaces it, is a call
 * that has not been answered before its commit, whether anybody still waits for the answer or not.
 */
static bool rules_lies_there(const struct change *ch, const char *user_id)
{
	struct methods own = METHODS_OF(METHOD_ROOM_VOTE, METHOD_ROOM_LEAVE, METHOD_ROOM_JOIN);
	struct methods all =
		METHODS_OF(RULES_BEGIN, METHOD_ROUND_UNDO_RESET, METHOD_ROOM_SET_POLICY);
	const struct view_user *was = view_user_const(ch->before, user_id);
	bool lies_there = was != NULL && was->has_name && was->has_vote;
	for (size_t i = 0; i < ch->w->ops_n && lies_there; i++) {
		const struct op *op = &ch->w->ops[i];
		lies_there = !rules_is_unanswered(ch, op) ||
			     !(methods_has(all, op->method) ||
			       (methods_has(own, op->method) && rules_acts_for(ch, op, user_id)));
	}
	return lies_there;
}

bool rules_was_away(const struct change *ch, const char *user_id, enum limit grace)
{
	int64_t since = room_away_since(ch->r, user_id);
	bool is_kept = grace != LIMIT_PRESENCE_GRACE_MS && rules_is_kept(ch, user_id);
	return !is_kept && since != INT64_MAX &&
	       ch->w->mono_ms - since >= ch->w->config.limits[grace];
}

bool rules_grace_is_over(const struct change *ch, const char *user_id, enum limit grace)
{
	int64_t since = room_away_since(ch->r, user_id);
	return rules_was_away(ch, user_id, grace) &&
	       (!rules_lies_there(ch, user_id) ||
		ch->w->mono_ms - since >= room_grace_ms(ch->w, ch->room, user_id, grace));
}

bool rules_emptied(const struct change *ch, const char *user_id)
{
	return rules_has_cause(ch, METHODS_OF(METHOD_ROOM_LEAVE, METHOD_ROOM_DELETE_USER),
			       user_id) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK, METHOD_ROOM_REJECT), user_id) ||
	       rules_grace_is_over(ch, user_id, LIMIT_NAME_GRACE_MS);
}

bool rules_brings_votes(const struct change *ch)
{
	struct methods moves = METHODS_OF(METHOD_STORY_SELECT, METHOD_STORY_NEXT);
	return ch->r->had_open_stories && rules_host_causes(ch, moves, false, false) > 0;
}

/* A vote that is not on the disk has not been answered, however long ago its connection was lost. */
bool rules_may_have_voted(const struct change *ch, const struct view_user *u)
{
	char pk[32];
	int len = snprintf(pk, sizeof(pk), "ROOM:%s", ch->r->id);
	if (!view_hides_voters(ch->after)) {
		return u->has_vote;
	}
	const struct table_row *row =
		table_seat(&ch->w->table, slice_of(pk, (size_t)len), u->user_id);
	bool may_have = row != NULL && row->has_vote;
	for (size_t i = 0; i < ch->w->ops_n && !may_have; i++) {
		const struct op *op = &ch->w->ops[i];
		bool is_open = rules_is_unanswered(ch, op);
		bool votes = op->method == METHOD_ROOM_JOIN ||
			     (op->method == METHOD_ROOM_VOTE && op->card[0] != '\0');
		bool brings = op->method == METHOD_STORY_SELECT || op->method == METHOD_STORY_NEXT;
		may_have = is_open && (op->method == METHOD_ROUND_UNDO_RESET || brings ||
				       (votes && rules_acts_for(ch, op, u->user_id)));
	}
	return may_have;
}

void rules_follow(struct world *w, int room, const struct view *before, const struct view *after)
{
	struct change ch = {w, room, &w->rooms[room], before, after};
	FEATURES_DO(follow, &ch);
}

void rules_follow_live(struct world *w, int room, const struct view *before,
		       const struct view *after)
{
	struct change ch = {w, room, &w->rooms[room], before, after};
	FEATURES_DO(follow_live, &ch);
}
