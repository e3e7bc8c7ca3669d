/*
 * rules.c - why a room may change: every difference between two states needs a
 * request that asked for it and was allowed to, or a grace that ended.
 *
 * Requests that are with the server and not yet answered are the possible
 * causes; when several are, any will do. That is weaker than running a second
 * server and comparing, and needs no second server to be right.
 */
#include "tests/sim/sim.h"

#include <string.h>

/* A set of methods. */
struct methods {
	uint64_t words[(METHOD_COUNT + 63) / 64];
};

#define METHODS_OF(...)                                \
	methods_of((const enum method[]){__VA_ARGS__}, \
		   sizeof((const enum method[]){__VA_ARGS__}) / sizeof(enum method))

/* What takes the votes and begins another round, or brings one back. */
#define RULES_BEGIN                                                                    \
	METHOD_ROOM_RESET, METHOD_ROUND_AGAIN, METHOD_STORY_SELECT, METHOD_STORY_NEXT, \
		METHOD_ROUND_UNDO_RESET

static struct methods methods_of(const enum method *list, size_t n)
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

struct change {
	struct world *w;
	int room;
	const struct sim_room *r;
	const struct view *before;
	const struct view *after;
};

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

static bool rules_may_host(const struct change *ch, const struct op *op)
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
static bool rules_may(const struct change *ch, const struct op *op)
{
	const struct view_policy *a = &ch->before->policy;
	const struct view_policy *b = &ch->after->policy;
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
static const struct op *rules_cause(const struct change *ch, struct methods methods,
				    const char *actor, size_t *at)
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

static bool rules_has_cause(const struct change *ch, struct methods methods, const char *actor)
{
	size_t at = ch->w->ops_first;
	return rules_cause(ch, methods, actor, &at) != NULL;
}

static bool rules_has_target(const struct change *ch, struct methods methods, const char *target)
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

static size_t rules_host_causes(const struct change *ch, struct methods methods, bool flag_matters,
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

static void rules_broken(const struct change *ch, const char *what, const char *whose)
{
	int member = whose == NULL ? -1 : member_of_seat(ch->w, ch->room, whose);
	broken(ch->w, CLAIM_RULES, "%s, versions %lld to %lld: %s%s%s, and nothing says why",
	       ch->r->id, (long long)ch->before->version, (long long)ch->after->version, what,
	       whose == NULL ? "" : " of ", whose == NULL ? "" : member_name(ch->w, member));
}

static bool rules_was_away(const struct change *ch, const char *user_id, enum limit grace)
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
	return u->has_name && !u->is_spectator && !u->is_bot && u->is_connected;
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
	struct methods stops =
		METHODS_OF(METHOD_ROOM_VOTE, METHOD_ROOM_SET_VALID_SIZES, RULES_BEGIN,
			   METHOD_ROOM_SET_REVEALED, METHOD_ROOM_SET_POLICY);
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

/* ---- stories ---- */

static bool rules_story_asked(const struct change *ch, struct methods methods, const char *story_id,
			      const char *title)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		if (rules_may(ch, op) && (story_id == NULL || strcmp(op->target, story_id) == 0) &&
		    (title == NULL || strcmp(op->text, title) == 0)) {
			return true;
		}
	}
	return false;
}

static void rules_story(const struct change *ch, const struct view_story *was,
			const struct view_story *is)
{
	if (strcmp(was->title, is->title) != 0 &&
	    !rules_story_asked(ch, METHODS_OF(METHOD_STORY_UPDATE), is->story_id, is->title)) {
		rules_broken(ch, "another title of a story", NULL);
	}
	if (was->is_removed != is->is_removed &&
	    !rules_story_asked(ch,
			       is->is_removed ? METHODS_OF(METHOD_STORY_REMOVE)
					      : METHODS_OF(METHOD_STORY_RESTORE),
			       is->story_id, NULL)) {
		rules_broken(ch, is->is_removed ? "a removed story" : "a restored story", NULL);
	}
	/* Its own move, or all get other ranks because one found no room. */
	if (strcmp(was->rank, is->rank) != 0 &&
	    !rules_story_asked(ch, METHODS_OF(METHOD_STORY_MOVE, METHOD_STORY_ADD), NULL, NULL)) {
		rules_broken(ch, "another place of a story", NULL);
	}
}

static void rules_stories(const struct change *ch)
{
	for (size_t i = 0; i < ch->after->stories_n; i++) {
		const struct view_story *is = &ch->after->stories[i];
		const struct view_story *was = view_story(ch->before, is->story_id);
		if (was != NULL) {
			rules_story(ch, was, is);
		} else if (!rules_story_asked(ch, METHODS_OF(METHOD_STORY_ADD, METHOD_STORY_UPDATE),
					      NULL, is->title)) {
			rules_broken(ch, "a new story", NULL);
		}
	}
	for (size_t i = 0; i < ch->before->stories_n; i++) {
		if (view_story(ch->after, ch->before->stories[i].story_id) == NULL) {
			rules_broken(ch, "a lost story", NULL);
		}
	}
}

/* ---- shared data ---- */

/* Whether an open request of one of the methods is about that. */
static bool rules_names(const struct change *ch, struct methods methods, const char *target)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, methods, NULL, &at)) != NULL) {
		if (strcmp(op->target, target) == 0) {
			return true;
		}
	}
	return false;
}

static void rules_data(const struct change *ch)
{
	struct methods any = METHODS_OF(METHOD_MAP_CREATE, METHOD_MAP_DELETE, METHOD_MAP_SET,
					METHOD_MAP_REMOVE, METHOD_LIST_CREATE, METHOD_LIST_DELETE,
					METHOD_LIST_PUSH, METHOD_LIST_INSERT, METHOD_LIST_SET,
					METHOD_LIST_MOVE, METHOD_LIST_REMOVE);
	if (!view_eq_data(ch->before, ch->after) && !rules_has_cause(ch, any, NULL)) {
		rules_broken(ch, "other shared data", NULL);
	}
	for (size_t i = 0; i < ch->before->data_n; i++) {
		const struct view_entry *e = &ch->before->data[i];
		if (e->id[0] != '\0' && view_entry(ch->after, e->kind, e->id) == NULL &&
		    !rules_has_cause(ch, METHODS_OF(METHOD_MAP_DELETE, METHOD_LIST_DELETE), NULL) &&
		    !rules_names(ch, METHODS_OF(METHOD_MAP_REMOVE, METHOD_LIST_REMOVE), e->id)) {
			rules_broken(ch, "a lost entry", NULL);
		}
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

/* ---- the host ---- */

static bool rules_host_is_gone(const struct change *ch)
{
	const struct view_user *was = view_user_const(ch->before, ch->before->host);
	const struct view_user *is = view_user_const(ch->after, ch->before->host);
	return was == NULL || is == NULL || (was->has_name && !is->has_name) ||
	       (!is->is_connected && rules_was_away(ch, is->user_id, LIMIT_VOTE_GRACE_MS)) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK), is->user_id) ||
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
	if ((heir_was != NULL && heir_was->is_host) ||
	    ch->r->durable_hash != view_durable_hash(ch->before) ||
	    ch->after->version != ch->before->version + 1) {
		return true;
	}
	for (size_t i = 0; i < ch->after->n && mine != NULL && mine->has_name; i++) {
		const struct view_user *u = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, u->user_id);
		const struct table_row *other = table_seat(&ch->w->table, key, u->user_id);
		if (u != heir && other != NULL && other->has_name &&
		    other->joined_at < mine->joined_at && u->has_name && u->is_connected &&
		    !u->is_spectator && !u->is_bot && was != NULL && was->has_name &&
		    was->is_connected && !was->is_spectator && !was->is_bot) {
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

static bool rules_founds(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE, METHOD_ROOM_JOIN), NULL,
				 &at)) != NULL) {
		if (op->shows_host_key || op->host_key_was_shown) {
			return !ch->r->had_host;
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

static void rules_host(const struct change *ch)
{
	const char *host = ch->after->host;
	if (strcmp(ch->before->host, host) == 0) {
		return;
	}
	/* Through several hands in one step: each of them went by one of these. */
	struct methods goes =
		METHODS_OF(METHOD_ROOM_SET_HOST, METHOD_ROOM_CLAIM_HOST, METHOD_ROOM_KICK,
			   METHOD_ROOM_LEAVE, METHOD_ROOM_DELETE_USER);
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
	if (!rules_claimed(ch, host) && !rules_founds(ch) &&
	    !(ch->r->had_host && rules_inherits(ch, heir))) {
		rules_broken(ch, "another host", host);
	}
}

/* ---- seats ---- */

static bool rules_joined(const struct change *ch, const struct view_user *was,
			 const struct view_user *u)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	bool several = ch->after->version > ch->before->version + 1;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id, &at)) != NULL) {
		/* What it does not say it keeps, and that may come from another call carried out in
		 * the same step. */
		bool role = op->has_role ? op->flag == u->is_spectator
					 : was->is_spectator == u->is_spectator || several;
		bool is_bot = op->is_bot ? u->is_bot : was->is_bot == u->is_bot || several;
		if (strcmp(op->text, u->username) == 0 && role && is_bot) {
			return true;
		}
	}
	return false;
}

/* The seat was emptied: left, kicked, or given up. */
static bool rules_emptied(const struct change *ch, const char *user_id)
{
	return rules_has_cause(ch, METHODS_OF(METHOD_ROOM_LEAVE, METHOD_ROOM_DELETE_USER),
			       user_id) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK), user_id) ||
	       rules_was_away(ch, user_id, LIMIT_NAME_GRACE_MS);
}

static bool rules_voted(const struct change *ch, const char *user_id, bool with_card)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_VOTE), user_id, &at)) != NULL) {
		if ((op->card[0] != '\0') == with_card &&
		    (!with_card || view_has_card(ch->before, op->card) ||
		     view_has_card(ch->after, op->card))) {
			return true;
		}
	}
	return false;
}

static bool rules_vote_lost(const struct change *ch, const struct view_user *u)
{
	return rules_voted(ch, u->user_id, false) || rules_emptied(ch, u->user_id) ||
	       rules_was_away(ch, u->user_id, LIMIT_VOTE_GRACE_MS) ||
	       rules_host_causes(ch, METHODS_OF(RULES_BEGIN, METHOD_ROOM_SET_VALID_SIZES), false,
				 false) > 0 ||
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id);
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
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_CLAIM_HOST), NULL);
}

static void rules_seat(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	bool other_name = was->has_name != is->has_name || strcmp(was->username, is->username) != 0;
	if (other_name &&
	    !(is->has_name ? rules_joined(ch, was, is) : rules_emptied(ch, is->user_id))) {
		rules_broken(ch, is->has_name ? "another name" : "the end of the name",
			     is->user_id);
	}
	if ((was->is_spectator != is->is_spectator || was->is_bot != is->is_bot) &&
	    !rules_joined(ch, was, is) && !rules_emptied(ch, is->user_id)) {
		rules_broken(ch, "another role", is->user_id);
	}
	if (was->is_host != is->is_host && !rules_host_moves(ch, was, is)) {
		rules_broken(ch, is->is_host ? "a host's rights" : "the end of a host's rights",
			     is->user_id);
	}
	bool undone = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_UNDO_RESET), false, false) > 0;
	bool may_change = undone || ch->before->policy.vote_after_reveal ||
			  ch->after->policy.vote_after_reveal;
	if (!was->has_vote && is->has_vote && !undone && !rules_voted(ch, is->user_id, true)) {
		rules_broken(ch, "a vote", is->user_id);
	}
	if (!was->has_vote && is->has_vote && ch->before->is_revealed && !may_change &&
	    rules_host_causes(ch, METHODS_OF(RULES_BEGIN, METHOD_ROOM_SET_REVEALED), false,
			      false) == 0) {
		rules_broken(ch, "a vote while revealed", is->user_id);
	}
	if (was->has_vote && !is->has_vote && !rules_vote_lost(ch, is)) {
		rules_broken(ch, "the end of the vote", is->user_id);
	}
	if (was->has_vote && is->has_vote && was->vote[0] != '\0' && is->vote[0] != '\0' &&
	    strcmp(was->vote, is->vote) != 0 && !may_change &&
	    rules_host_causes(ch, METHODS_OF(RULES_BEGIN, METHOD_ROOM_SET_REVEALED), false,
			      false) == 0) {
		rules_broken(ch, "another vote while revealed", is->user_id);
	}
}

static void rules_seat_gone(const struct change *ch, const struct view_user *u)
{
	bool unnamed = !u->has_name && rules_was_away(ch, u->user_id, LIMIT_VOTE_GRACE_MS);
	/* In a full room it gives way to whoever comes. */
	bool gives_way = !u->has_name && !u->is_connected &&
			 (int64_t)(ch->before->n > ch->after->n ? ch->before->n : ch->after->n) >=
				 ch->w->config.limits[LIMIT_ROOM_SEATS] &&
			 rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL);
	if (!unnamed && !gives_way &&
	    !rules_has_cause(ch, METHODS_OF(METHOD_ROOM_DELETE_USER), u->user_id) &&
	    !rules_was_away(ch, u->user_id, LIMIT_NAME_GRACE_MS)) {
		rules_broken(ch, "the end of the seat", u->user_id);
	}
}

static void rules_seat_new(const struct change *ch, const struct view_user *u)
{
	if (!rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL)) {
		rules_broken(ch, "a new seat", NULL);
	}
	if (u->has_vote && !rules_voted(ch, u->user_id, true)) {
		rules_broken(ch, "a vote on a new seat", NULL);
	}
}

void rules_follow(struct world *w, int room, const struct view *before, const struct view *after)
{
	struct change ch = {w, room, &w->rooms[room], before, after};
	rules_room(&ch);
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
