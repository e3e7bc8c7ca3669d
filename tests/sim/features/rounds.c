/*
 * rounds.c - a round from its beginning to its estimate: reveals and what leads
 * to them (countdown, armed reveal, timer), resets and the way back; breaks.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

/* @token 0: whichever runs. */
static void send_cancel(struct world *w, struct conn *c, int room, int64_t token, bool with_key,
			const char *once)
{
	struct reveal_cancel_params p = {.token = token, .with_token = token != 0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	about.token = token;
	send_op(w, c, METHOD_REVEAL_CANCEL, room, &p, &about);
}

void send_arm(struct world *w, struct conn *c, int room, bool is_armed, bool with_key,
	      const char *once)
{
	struct reveal_arm_params p = {.is_armed = is_armed, .with_is_armed = true};
	struct op about = {.flag = is_armed};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_REVEAL_ARM, room, &p, &about);
}

static void send_timer(struct world *w, struct conn *c, int room, int64_t seconds, bool reveals,
		       bool with_key, const char *once)
{
	struct timer_start_params p = {.seconds = seconds,
				       .with_seconds = seconds > 0,
				       .reveal_at_zero = reveals,
				       .with_reveal_at_zero = true};
	struct op about = {.flag = reveals};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_TIMER_START, room, &p, &about);
}

/* @minutes 0: ends it. */
static void send_pause(struct world *w, struct conn *c, int room, int64_t minutes, bool with_key,
		       const char *once)
{
	struct room_pause_params p = {.minutes = minutes};
	struct op about = {.flag = minutes > 0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_PAUSE, room, &p, &about);
}

void send_settle(struct world *w, struct conn *c, int room, const char *card, bool with_key,
		 const char *once)
{
	struct round_settle_params p = {.estimate = slice_str(card), .with_estimate = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.card, sizeof(about.card), p.estimate);
	send_op(w, c, METHOD_ROUND_SETTLE, room, &p, &about);
}

void send_reveal(struct world *w, struct conn *c, int room, bool flag, bool with_key,
		 const char *once)
{
	struct room_set_revealed_params p = {.is_revealed = flag};
	struct op about = {.flag = flag};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_SET_REVEALED, room, &p, &about);
}

static const char *rounds_say(const struct op *op)
{
	return op->method != METHOD_ROOM_SET_REVEALED ? NULL : op->flag ? "true" : "false";
}

/* ---- acts ---- */

void act_reveal(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_reveal(w, c, room, dice_percent(&w->dice, 65) && !w->o.is_hidden,
		    act_shows(w, c, room), act_once(w, once));
}

void act_reset(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_member(w, c, METHOD_ROOM_RESET, room, act_shows(w, c, room), act_once(w, once));
}

static void act_cancel(struct world *w, struct conn *c, int room)
{
	char once[40];
	int64_t token = c->subs[room]->view.countdown;
	uint32_t kind = dice_below(&w->dice, 10);
	if (kind < 3 || token == 0) {
		token = kind == 0 ? 1 : 0; /* one that never was, or whichever runs */
	} else if (kind < 5) {
		token--; /* a countdown before this one */
	}
	send_cancel(w, c, room, token, act_shows(w, c, room), act_once(w, once));
}

static void act_arm(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_arm(w, c, room, dice_percent(&w->dice, 70) && !w->o.is_hidden, act_shows(w, c, room),
		 act_once(w, once));
}

static void act_undo(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_member(w, c, METHOD_ROUND_UNDO_RESET, room, act_shows(w, c, room), act_once(w, once));
}

static void act_again(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_member(w, c, METHOD_ROUND_AGAIN, room, act_shows(w, c, room), act_once(w, once));
}

static void act_timer(struct world *w, struct conn *c, int room)
{
	char once[40];
	if (dice_percent(&w->dice, 70)) {
		send_timer(w, c, room, 1 + dice_below(&w->dice, 20),
			   dice_percent(&w->dice, 50) && !w->o.is_hidden, act_shows(w, c, room),
			   act_once(w, once));
	} else {
		send_member(w, c, METHOD_TIMER_STOP, room, act_shows(w, c, room),
			    act_once(w, once));
	}
}

static void act_pause(struct world *w, struct conn *c, int room)
{
	char once[40];
	int64_t minutes = dice_percent(&w->dice, 70) ? 1 + dice_below(&w->dice, 2) : 0;
	send_pause(w, c, room, minutes, act_shows(w, c, room), act_once(w, once));
}

static void act_settle(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_settle(w, c, room, "A0", act_shows(w, c, room), act_once(w, once));
}

/* ---- answers ---- */

static bool refused_hidden(const struct world *w, const struct op *op, const struct view *v)
{
	return is_of_open_story(op, v) ? refused_open_story(w, op, v) : !v->is_revealed;
}

static bool refused_no_undo(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->can_undo;
}

static bool refused_is_fixed(const struct world *w, const struct op *op, const struct view *v)
{
	return is_of_open_story(op, v) ? refused_open_story(w, op, v)
				       : v->is_revealed && v->policy.anonymous;
}

static const char *reveal_lacks(const struct op *op, const union method_result *result,
				const struct view *v)
{
	(void)result;
	return !is_of_open_story(op, v) && v->is_revealed != op->flag ? "the reveal" : NULL;
}

static const char *reset_lacks(const struct op *op, const union method_result *result,
			       const struct view *v)
{
	(void)op;
	return v->is_revealed || v->round != result->ROOM_RESET.round ? "the round" : NULL;
}

static bool everyone_reveals(const struct policy *p)
{
	return p->everyone_reveals;
}

static bool everyone_resets(const struct policy *p)
{
	return p->everyone_resets;
}

static bool timer_reveals(const struct op *op)
{
	return op->flag;
}

static const struct request round_requests[] = {
	{.method = METHOD_ROOM_SET_REVEALED,
	 .names_version = true,
	 .lacks = reveal_lacks,
	 .everyones = everyone_reveals,
	 .not_found = refused_no_open_story,
	 .conflict = refused_is_fixed},
	{.method = METHOD_REVEAL_CANCEL, .everyones = everyone_reveals},
	{.method = METHOD_REVEAL_ARM, .everyones = everyone_reveals, .conflict = is_revealed},
	{.method = METHOD_ROOM_RESET,
	 .names_version = true,
	 .lacks = reset_lacks,
	 .everyones = everyone_resets},
	{.method = METHOD_ROUND_AGAIN, .everyones = everyone_resets},
	{.method = METHOD_ROUND_UNDO_RESET,
	 .everyones = everyone_resets,
	 .conflict = refused_no_undo},
	{.method = METHOD_ROUND_SETTLE,
	 .everyones = everyone_resets,
	 .not_found = refused_no_open_story,
	 .invalid = refused_nothing_to_settle,
	 .conflict = refused_hidden},
	{.method = METHOD_TIMER_START, .everyones = everyone_resets, .reveals = timer_reveals},
	{.method = METHOD_TIMER_STOP, .everyones = everyone_resets},
	{.method = METHOD_ROOM_PAUSE, .everyones = everyone_resets},
};

/* ---- rules ---- */

static bool rules_countdown_is_over(const struct change *ch)
{
	return ch->before->countdown != 0 && ch->w->mono_ms - ch->r->mem->countdown_mono >=
						     ch->w->config.limits[LIMIT_COUNTDOWN_MS];
}

/* Whether the room surely waits for that seat; for one that is away it does so for a while. */
static bool rules_is_waited_for(const struct view_user *u)
{
	return u->has_name && !u->is_spectator && !u->is_bot && u->is_connected && !u->is_waiting;
}

/* Votes that count; withdrawn ones too. */
static int64_t rules_votes(const struct view *v)
{
	int64_t votes = view_hides_voters(v)
				? v->votes_n
				: 0; /* where who voted is hidden, their number is enough */
	for (size_t i = 0; i < v->n; i++) {
		votes += v->users[i].has_vote && (!v->users[i].is_bot || v->policy.bots_count);
	}
	return votes;
}

/* A quorum; or, where votes are not kept, everybody. Where who voted is hidden, by their number and by who may have; of
 * one who has taken a vote back that is not certain. */
static bool rules_enough_voted(const struct change *ch)
{
	bool any = false;
	const struct policy *policy = &ch->after->policy;
	if (policy->quorum > 0 || view_keeps_votes(ch->after)) {
		return policy->quorum > 0 && rules_votes(ch->after) >= policy->quorum;
	}
	int64_t waited_for = 0;
	bool hides = view_hides_voters(ch->after);
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *u = &ch->after->users[i];
		waited_for += rules_is_waited_for(u);
		if (rules_is_waited_for(u) && !rules_may_have_voted(ch, u)) {
			return false;
		}
		any = any || u->has_vote;
	}
	return hides ? ch->after->votes_n > 0 && ch->after->votes_n >= waited_for : any;
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

/* Within several changes somebody whose vote lies there in the end may have only watched in between. */
static bool rules_watched(const struct change *ch)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	bool several = ch->after->version > ch->before->version + 1;
	while (several && (op = rules_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), NULL, &at)) != NULL) {
		if (op->flag) {
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
	    !rules_enough_voted(ch)) {
		rules_broken(ch, "a countdown", NULL);
	}
	bool votes_left = rules_votes(b) >= (b->policy.quorum > 0 ? b->policy.quorum : 1);
	struct methods stops = METHODS_OF(METHOD_ROOM_VOTE, RULES_BEGIN, METHOD_ROOM_SET_REVEALED,
					  METHOD_ROOM_SET_POLICY);
	if (rules_cancelled(ch) || rules_watched(ch)) {
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

static void rules_ways(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	if (!a->is_armed && b->is_armed &&
	    rules_host_causes(ch, METHODS_OF(METHOD_REVEAL_ARM), true, true) == 0) {
		rules_broken(ch, "an armed reveal", NULL);
	}
	if (b->timer_ends_at != 0 && a->timer_ends_at != b->timer_ends_at &&
	    rules_host_causes(ch, METHODS_OF(METHOD_TIMER_START), false, false) == 0) {
		rules_broken(ch, "another timer", NULL);
	}
	if (b->pause_ends_at != 0 && a->pause_ends_at != b->pause_ends_at &&
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_PAUSE), true, true) == 0) {
		rules_broken(ch, "another break", NULL);
	}
	if (b->pause_ends_at == 0 && a->pause_ends_at > ch->w->wall_ms && ch->w->jumps == 0 &&
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_PAUSE), true, false) == 0) {
		rules_broken(ch, "the early end of a break", NULL);
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

/*
 * Cards that lie open anew although nobody voted: of those who watched and are voters again. Turned over, a card that the
 * deck did not have was withdrawn, and counted for nothing; its member took it along when they began to watch, as nothing
 * of it lay there to be left. When the deck has it again, it waits for its member, and counts as if they had never
 * watched, where the new deck itself would have brought it back. Which card it is votes_aside.c looks at.
 */
static int64_t rules_laid_again(const struct change *ch)
{
	int64_t n = 0;
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *is = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, is->user_id);
		bool votes_again = was != NULL && was->is_spectator && !is->is_spectator &&
				   is->vote[0] != '\0' &&
				   view_left(ch->before, is->user_id) == NULL;
		n += votes_again && (!is->is_bot || ch->after->policy.bots_count) &&
		     rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), is->user_id);
	}
	return n;
}

/* With names, only a vote changes what was turned over, one that is laid again, another deck, or a policy of bots: whoever
 * leaves stays in it. What the disk says of a result is not known here. */
static void rules_turned_over(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	bool is_same = a->is_revealed && b->is_revealed && a->round == b->round &&
		       !a->policy.anonymous && !b->policy.anonymous;
	struct methods changes = METHODS_OF(METHOD_ROOM_VOTE, RULES_BEGIN, METHOD_ROOM_SET_REVEALED,
					    METHOD_ROOM_SET_VALID_SIZES, METHOD_ROOM_SET_POLICY);
	if (!is_same || rules_has_cause(ch, changes, NULL)) {
		return;
	}
	if (a->result != 0 && a->votes + rules_laid_again(ch) != b->votes) {
		rules_broken(ch, "a result of other cards than were turned over", NULL);
	}
	for (size_t i = 0; i < a->left_n; i++) {
		const struct view_left *left = &a->left[i];
		const struct view_left *is = view_left(b, left->user_id);
		const struct view_user *user = view_user_const(b, left->user_id);
		const char *vote = is != NULL ? is->vote : user != NULL ? user->vote : "";
		if (strcmp(vote, left->vote) != 0) {
			rules_broken(ch, "another card than was left", left->user_id);
		}
	}
}

static void rules_round(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	size_t resets = rules_host_causes(ch, METHODS_OF(RULES_BEGIN), false, false);
	/* A settled story that is not at the table becomes the round before the one there. */
	size_t settled = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_SETTLE), false, false);
	if (rules_host_causes(ch, METHODS_OF(METHOD_ROUND_SETTLE_AGREED), false, false) > 0) {
		settled += SIM_STORIES_MAX;
	}
	size_t undone = rules_host_causes(ch, METHODS_OF(METHOD_ROUND_UNDO_RESET), false, false);
	if (a->round != b->round &&
	    (size_t)(b->round < a->round ? a->round - b->round : b->round - a->round) >
		    (b->round < a->round ? undone : resets + settled)) {
		rules_broken(ch, "another round", NULL);
	}
	bool shown = rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_REVEALED), true, true) > 0 ||
		     rules_countdown_is_over(ch) || rules_is_armed(ch) || a->timer_reveals ||
		     rules_story_ended(ch, a->story_id) || rules_story_ended(ch, b->story_id) ||
		     undone > 0 || rules_brings_votes(ch);
	bool hidden = resets > 0 ||
		      rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_REVEALED), true, false) > 0;
	if (a->is_revealed != b->is_revealed && !(b->is_revealed ? shown : hidden)) {
		rules_broken(ch, b->is_revealed ? "a reveal" : "a hiding", NULL);
	}
}

static void rounds_follow(const struct change *ch)
{
	rules_round(ch);
	rules_result(ch);
	rules_turned_over(ch);
	rules_countdown(ch);
	rules_ways(ch);
}

/* ---- when all is quiet ---- */

/* Whether the card of somebody who is here lies there, and not to be kept when they go. */
static bool calm_waits_to_see(const struct world *w, const struct sim_room *r,
			      const struct view_user *u)
{
	char pk[32];
	const struct table_row *row = table_seat(&w->table, table_pk(pk, r->id), u->user_id);
	return u->is_connected && (row == NULL || row->keep_seconds == 0);
}

/* Whether a quorum has voted, or every voter who counts and one of them waits to see it. Where who voted is hidden, only the number tells: as
 * it is that of the disk's votes by then (table_differs()), as many as there are voters means all. */
static bool calm_enough_voted(const struct world *w, const struct sim_room *r)
{
	const struct view *v = &r->mem->now;
	bool any = false;
	if (v->policy.quorum > 0) {
		return rules_votes(v) >= v->policy.quorum;
	}
	for (size_t i = 0; i < v->n; i++) {
		const struct view_user *u = &v->users[i];
		if (u->has_name && !u->is_waiting && !u->is_spectator &&
		    (!u->is_bot || v->policy.bots_count)) {
			if (!u->has_vote && v->votes_n < view_voters(v)) {
				return false;
			}
			any = any ||
			      (r->mem->now.is_armed ? u->is_connected : calm_waits_to_see(w, r, u));
		}
	}
	return any;
}

/* Nobody waits for what nothing will bring. */
static void calm_check_reveal(struct world *w, const struct sim_room *r)
{
	static struct view on_disk;
	if (r->mem->now.is_revealed || r->mem->now.countdown != 0 || !calm_enough_voted(w, r) ||
	    !table_view(&w->table, r->id, &on_disk)) {
		return;
	}
	const struct policy *policy = &r->mem->now.policy;
	bool reveals_itself =
		policy->auto_reveal && (policy->quorum > 0 || !view_keeps_votes(&r->mem->now));
	if (r->mem->now.is_armed || (reveals_itself && !on_disk.is_held)) {
		broken(w, CLAIM_LIVENESS, "everybody in %s has voted, and nothing comes of it",
		       r->id);
	}
}

static void rounds_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t timer = r->mem->now.timer_ends_at - (planted(w, BREAK_LONG_TIMER, 1) ? 600000 : 0);
	if (r->mem->now.timer_ends_at != 0 && w->jumps == 0 && w->wall_ms > timer + 1100) {
		broken(w, CLAIM_LIVENESS, "the timer of %s goes on past its end", r->id);
	}
	if (r->mem->now.countdown != 0 &&
	    w->mono_ms - r->mem->countdown_mono > w->config.limits[LIMIT_COUNTDOWN_MS] + 1100) {
		broken(w, CLAIM_LIVENESS, "%s counts down past the end", r->id);
	}
	if (r->mem->now.pause_ends_at != 0 && w->jumps == 0 &&
	    w->wall_ms > r->mem->now.pause_ends_at + 1100) {
		broken(w, CLAIM_LIVENESS, "the break of %s goes on past its end", r->id);
	}
	calm_check_reveal(w, r);
}

static const struct act round_acts[] = {
	{110, act_reveal, true}, {60, act_reset, true}, {26, act_cancel, true},
	{16, act_arm, true},	 {30, act_undo, true},	{8, act_again, true},
	{18, act_timer, true},	 {8, act_settle, true}, {8, act_pause, true},
};

const struct feature feature_rounds = {
	.name = "rounds",
	FEATURE_ROWS(acts, round_acts),
	FEATURE_ROWS(requests, round_requests),
	.follow = rounds_follow,
	.settled_room = rounds_settled,
	.says = rounds_say,
};
