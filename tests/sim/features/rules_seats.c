/*
 * rules_seats.c - why a seat may come, change, go, and have a host's rights.
 */
#include "tests/sim/oracle/rules.h"

#include <string.h>

/* ---- the host ---- */

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
		    !u->is_waiting && !u->is_spectator && !u->is_bot && was != NULL &&
		    was->has_name && was->is_connected && !was->is_spectator && !was->is_bot) {
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
		if (op->shows_host_key || op->host_key_was_shown) {
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

void rules_host(const struct change *ch)
{
	const char *host = ch->after->host;
	if (strcmp(ch->before->host, host) == 0) {
		return;
	}
	/* Through several hands in one step: each of them went by one of these. */
	struct methods goes =
		METHODS_OF(METHOD_ROOM_SET_HOST, METHOD_ROOM_CLAIM_HOST, METHOD_ROOM_KICK,
			   METHOD_ROOM_REJECT, METHOD_ROOM_LEAVE, METHOD_ROOM_DELETE_USER);
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
	    !((rules_maker_came(ch) || rules_maker_is_late(ch)) && rules_inherits(ch, heir))) {
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
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK, METHOD_ROOM_REJECT), user_id) ||
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

/* Whether cards that the deck does not have may have fallen away, or are hidden again: only with the reveal, and where they lie open. */
static bool rules_deck_decides(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	return (a->is_revealed || b->is_revealed) &&
	       (a->is_revealed != b->is_revealed || strcmp(a->deck, b->deck) != 0 ||
		a->policy.anonymous != b->policy.anonymous || a->round != b->round);
}

static bool rules_vote_lost(const struct change *ch, const struct view_user *u)
{
	return rules_voted(ch, u->user_id, false) || rules_emptied(ch, u->user_id) ||
	       rules_was_away(ch, u->user_id, LIMIT_VOTE_GRACE_MS) || rules_deck_decides(ch) ||
	       rules_host_causes(ch, METHODS_OF(RULES_BEGIN), false, false) > 0 ||
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

/* Let in by a host, by a key, or because there is no lobby any more; sent back by a kick. */
static void rules_door(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	struct methods in = METHODS_OF(METHOD_ROOM_ADMIT, METHOD_ROOM_KICK);
	if (was->is_waiting == is->is_waiting || rules_has_target(ch, in, is->user_id) ||
	    rules_has_cause(ch, METHODS_OF(METHOD_ROOM_CLAIM_HOST), NULL)) {
		return;
	}
	if (is->is_waiting ||
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), false, false) == 0) {
		rules_broken(ch, is->is_waiting ? "a way out" : "a way in", is->user_id);
	}
}

static bool rules_may_vote_late(const struct view *v)
{
	return v->policy.vote_after_reveal && !v->policy.anonymous;
}

void rules_seat(const struct change *ch, const struct view_user *was, const struct view_user *is)
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
	rules_door(ch, was, is);
	bool undone = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_UNDO_RESET), false, false) > 0;
	bool decides = rules_deck_decides(ch);
	bool may_change = undone || decides || rules_may_vote_late(ch->before) ||
			  rules_may_vote_late(ch->after);
	if (!was->has_vote && is->has_vote && !undone && !decides &&
	    !rules_voted(ch, is->user_id, true)) {
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

/* Asks something of strangers: then a kick is for good. */
static bool rules_is_shut(const struct view *v)
{
	return v->policy.locked || v->policy.has_passcode;
}

void rules_seat_gone(const struct change *ch, const struct view_user *u)
{
	bool unnamed = !u->has_name && rules_was_away(ch, u->user_id, LIMIT_VOTE_GRACE_MS);
	/* In a full room it gives way to whoever comes, but where a host let it in. */
	bool was_let_in = ch->before->policy.lobby && ch->after->policy.lobby && !u->is_waiting;
	bool gives_way = !was_let_in && (!u->has_name || rules_emptied(ch, u->user_id)) &&
			 !u->is_connected &&
			 (int64_t)(ch->before->n > ch->after->n ? ch->before->n : ch->after->n) >=
				 ch->w->config.limits[LIMIT_ROOM_SEATS] &&
			 rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL);
	bool is_barred = (rules_is_shut(ch->before) || rules_is_shut(ch->after)) &&
			 rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK), u->user_id);
	if (!unnamed && !gives_way && !is_barred &&
	    !rules_has_target(ch, METHODS_OF(METHOD_ROOM_REJECT), u->user_id) &&
	    !rules_has_cause(ch, METHODS_OF(METHOD_ROOM_DELETE_USER), u->user_id) &&
	    !rules_was_away(ch, u->user_id, LIMIT_NAME_GRACE_MS)) {
		rules_broken(ch, "the end of the seat", u->user_id);
	}
}

void rules_seat_new(const struct change *ch, const struct view_user *u)
{
	/* Who follows a room that is loaded again sits down again where the disk has no seat. */
	bool is_back =
		ch->before->version < 0 && room_owner(ch->r, u->user_id) >= 0 &&
		(!u->has_name || rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id));
	if (!is_back && !rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL)) {
		rules_broken(ch, "a new seat", NULL);
	}
	if (u->has_vote && !rules_voted(ch, u->user_id, true)) {
		rules_broken(ch, "a vote on a new seat", NULL);
	}
}
