/*
 * rules.c - why a room may change: every difference between two states needs a
 * request that asked for it and was allowed to, or a grace that ended.
 *
 * Requests that are with the server and not yet answered are the possible
 * causes; when several are, any will do. That is weaker than running a second
 * server and comparing, and needs no second server to be right.
 */
#include "tests/sim/rules.h"

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
	return !op->is_dead || op->dead_mono + 5000 > ch->w->mono_ms || !ch->r->in_memory;
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

bool rules_may_host(const struct change *ch, const struct op *op)
{
	/* A load carries out all that had waited for it: who was host in between cannot be seen. */
	bool was_loaded = ch->before->version < 0;
	bool changed_hands = ch->after->version > ch->before->version + 1 &&
			     strcmp(ch->before->host, ch->after->host) != 0;
	if (was_loaded || changed_hands) {
		return true;
	}
	return op->shows_host_key || op->host_key_was_shown || op->user_id[0] == '\0' ||
	       rules_is_host_in(ch->before, op->user_id) ||
	       rules_is_host_in(ch->after, op->user_id);
}

/* What the policy leaves to hosts, or gives to everybody; changed on the way, either may hold. */
bool rules_may(const struct change *ch, const struct op *op)
{
	const struct policy *a = &ch->before->policy;
	const struct policy *b = &ch->after->policy;
	switch (op->method) {
	case METHOD_ROOM_SET_REVEALED:
	case METHOD_REVEAL_CANCEL:
	case METHOD_REVEAL_ARM:
		return a->everyone_reveals || b->everyone_reveals || rules_may_host(ch, op);
	case METHOD_STORY_ADD:
	case METHOD_STORY_UPDATE:
	case METHOD_STORY_MOVE:
	case METHOD_STORY_REMOVE:
	case METHOD_STORY_RESTORE:
		return a->everyone_edits_stories || b->everyone_edits_stories ||
		       rules_may_host(ch, op);
	case METHOD_ROOM_RESET:
	case METHOD_ROUND_AGAIN:
	case METHOD_ROUND_UNDO_RESET:
	case METHOD_ROUND_SETTLE:
	case METHOD_TIMER_START:
	case METHOD_TIMER_STOP:
	case METHOD_STORY_SELECT:
	case METHOD_STORY_NEXT:
		return a->everyone_resets || b->everyone_resets || rules_may_host(ch, op);
	default:
		return rules_may_host(ch, op);
	}
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

bool rules_has_cause(const struct change *ch, struct methods methods, const char *actor)
{
	size_t at = ch->w->ops_first;
	return rules_cause(ch, methods, actor, &at) != NULL;
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

bool rules_was_away(const struct change *ch, const char *user_id, enum limit grace)
{
	int64_t since = room_away_since(ch->r, user_id);
	return since != INT64_MAX && ch->w->mono_ms - since >= ch->w->config.limits[grace];
}

/* ---- the room ---- */

static bool rules_title_asked(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SET_TITLE), NULL, &at)) != NULL) {
		if (strcmp(op->text, ch->after->title) == 0 && rules_may_host(ch, op)) {
			return true;
		}
	}
	return false;
}

static bool rules_deck_asked(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SET_VALID_SIZES), NULL, &at)) != NULL) {
		if (strcmp(op->deck, ch->after->deck) == 0 && rules_may_host(ch, op)) {
			return true;
		}
	}
	return false;
}

static bool rules_countdown_is_over(const struct change *ch)
{
	return ch->before->countdown != 0 &&
	       ch->w->mono_ms - ch->r->countdown_mono >= ch->w->config.limits[LIMIT_COUNTDOWN_MS];
}

/* Whether the room surely waits for that seat; for one that is away it does so for a while. */
static bool rules_is_waited_for(const struct view_user *u)
{
	return u->has_name && !u->is_spectator && !u->is_bot && u->is_connected && !u->is_waiting;
}

static bool rules_everybody_voted(const struct change *ch)
{
	bool any = false;
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *u = &ch->after->users[i];
		if (rules_is_waited_for(u) && !u->has_vote) {
			return false;
		}
		any = any || u->has_vote;
	}
	return any;
}

/* By somebody who meant this countdown, or whichever ran; of several changes in one step the
 * countdown may be one that was never seen. */
static bool rules_cancelled(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	bool several = ch->after->version > ch->before->version + 1;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_REVEAL_CANCEL), NULL, &at)) != NULL) {
		if (rules_may(ch, op) &&
		    (op->token == 0 || op->token == ch->before->countdown || several)) {
			return true;
		}
	}
	return false;
}

static void rules_countdown(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	bool is_one = b->version == a->version + 1;
	if (b->countdown != 0 && b->countdown != a->countdown && is_one &&
	    !rules_everybody_voted(ch)) {
		rules_broken(ch, "a countdown", NULL);
	}
	bool votes_left = false;
	for (size_t i = 0; i < b->n; i++) {
		votes_left = votes_left || (b->users[i].has_vote &&
					    (!b->users[i].is_bot || b->policy.bots_count));
	}
	struct methods stops = METHODS_OF(METHOD_ROOM_VOTE, RULES_BEGIN, METHOD_ROOM_SET_REVEALED,
					  METHOD_ROOM_SET_POLICY);
	if (rules_cancelled(ch)) {
		return;
	}
	if (a->countdown != 0 && b->countdown == 0 && !b->is_revealed && votes_left &&
	    !rules_has_cause(ch, stops, NULL)) {
		rules_broken(ch, "the end of the countdown", NULL);
	}
}

/* Then the last missing vote reveals, or whoever was missing has gone. */
static bool rules_is_armed(const struct change *ch)
{
	return ch->before->is_armed ||
	       rules_host_causes(ch, METHODS_OF(METHOD_REVEAL_ARM), true, true) > 0;
}

static void rules_play(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	if (memcmp(&a->policy, &b->policy, sizeof(a->policy)) != 0 &&
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), false, false) == 0) {
		rules_broken(ch, "another policy", NULL);
	}
	if (!a->is_armed && b->is_armed &&
	    rules_host_causes(ch, METHODS_OF(METHOD_REVEAL_ARM), true, true) == 0) {
		rules_broken(ch, "an armed reveal", NULL);
	}
	if (b->timer_ends_at != 0 && a->timer_ends_at != b->timer_ends_at &&
	    rules_host_causes(ch, METHODS_OF(METHOD_TIMER_START), false, false) == 0) {
		rules_broken(ch, "another timer", NULL);
	}
	if (strcmp(a->story_id, b->story_id) != 0 &&
	    rules_host_causes(ch,
			      METHODS_OF(METHOD_STORY_SELECT, METHOD_STORY_NEXT,
					 METHOD_ROUND_UNDO_RESET),
			      false, false) == 0) {
		rules_broken(ch, "another story to vote on", NULL);
	}
	if (!a->can_undo && b->can_undo &&
	    rules_host_causes(ch, METHODS_OF(RULES_BEGIN), false, false) == 0) {
		rules_broken(ch, "a way back", NULL);
	}
}

/* Without names, whatever becomes of those who voted changes nothing in what is said of the round. */
static void rules_result(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	bool is_fixed = a->is_revealed && b->is_revealed && a->policy.anonymous &&
			b->policy.anonymous && a->round == b->round;
	bool may_be_another =
		b->version > a->version + 1 && rules_has_cause(ch, METHODS_OF(RULES_BEGIN), NULL);
	if (is_fixed && !may_be_another && a->result != b->result) {
		rules_broken(ch, "another result without names", NULL);
	}
}

static void rules_room(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	if (strcmp(a->title, b->title) != 0 && !rules_title_asked(ch)) {
		rules_broken(ch, "another title", NULL);
	}
	if (strcmp(a->deck, b->deck) != 0 && !rules_deck_asked(ch)) {
		rules_broken(ch, "another deck", NULL);
	}
	size_t resets = rules_host_causes(ch, METHODS_OF(RULES_BEGIN), false, false);
	size_t undone = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_UNDO_RESET), false, false);
	if (a->round != b->round &&
	    (size_t)(b->round < a->round ? a->round - b->round : b->round - a->round) >
		    (b->round < a->round ? undone : resets)) {
		rules_broken(ch, "another round", NULL);
	}
	bool shown = rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_REVEALED), true, true) > 0 ||
		     rules_countdown_is_over(ch) || rules_is_armed(ch) || a->timer_reveals ||
		     undone > 0;
	bool hidden = resets > 0 ||
		      rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_REVEALED), true, false) > 0;
	if (a->is_revealed != b->is_revealed && !(b->is_revealed ? shown : hidden)) {
		rules_broken(ch, b->is_revealed ? "a reveal" : "a hiding", NULL);
	}
}

void rules_follow(struct world *w, int room, const struct view *before, const struct view *after)
{
	struct change ch = {w, room, &w->rooms[room], before, after};
	rules_room(&ch);
	rules_result(&ch);
	rules_countdown(&ch);
	rules_play(&ch);
	rules_data(&ch);
	rules_stories(&ch);
	rules_host(&ch);
	for (size_t i = 0; i < after->n && !w->is_broken; i++) {
		const struct view_user *was = view_user_const(before, after->users[i].user_id);
		if (was == NULL) {
			rules_seat_new(&ch, &after->users[i]);
		} else {
			rules_seat(&ch, was, &after->users[i]);
		}
	}
	for (size_t i = 0; i < before->n && !w->is_broken; i++) {
		if (view_user_const(after, before->users[i].user_id) == NULL) {
			rules_seat_gone(&ch, &before->users[i]);
		}
	}
}
