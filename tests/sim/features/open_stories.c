/*
 * open_stories.c - stories that are open together: votes on each, reveals and settlements one by one or of all
 * that is agreed, and stories that bring their votes to the table and take them back.
 *
 * The votes at the table are votes.c's and rounds.c's.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

void send_open(struct world *w, struct conn *c, int room, bool is_open, bool with_key,
	       const char *once)
{
	struct room_set_policy_params p = {
		.policy = {.open_stories = is_open, .with_open_stories = true}};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_SET_POLICY, room, &p, &about);
}

/* By which open stories are revealed at once, where hidden votes need not stay hidden. */
static void send_quorum(struct world *w, struct conn *c, int room, bool with_key)
{
	char once[40];
	const char *key = act_once(w, once);
	struct room_set_policy_params p = {.policy = {.auto_reveal = true,
						      .with_auto_reveal = true,
						      .quorum = 1 + dice_below(&w->dice, 3),
						      .with_quorum = true}};
	struct op about = {0};
	if (w->o.is_hidden || dice_percent(&w->dice, 50)) {
		return;
	}
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, key);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_SET_POLICY, room, &p, &about);
}

static void send_story_reveal(struct world *w, struct conn *c, int room, const char *story_id,
			      bool flag, bool with_key, const char *once)
{
	struct room_set_revealed_params p = {.is_revealed = flag, .story_id = slice_str(story_id)};
	struct op about = {.flag = flag};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_ROOM_SET_REVEALED, room, &p, &about);
}

static void send_story_settle(struct world *w, struct conn *c, int room, const char *story_id,
			      const char *card, bool with_key, const char *once)
{
	struct round_settle_params p = {.estimate = slice_str(card),
					.with_estimate = true,
					.story_id = slice_str(story_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.story_id);
	view_text(about.card, sizeof(about.card), p.estimate);
	send_op(w, c, METHOD_ROUND_SETTLE, room, &p, &about);
}

/* @seconds 0: none any more. */
static void send_story_end(struct world *w, struct conn *c, int room, const char *story_id,
			   int64_t seconds, const char *once)
{
	struct story_update_params p = {.story_id = slice_str(story_id),
					.reveal_in_seconds = seconds,
					.with_reveal_in_seconds = true};
	struct op about = {.sets_end = true};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_UPDATE, room, &p, &about);
}

/* ---- acts ---- */

/* Hidden votes stay hidden where what is sent is compared. */
static void act_story_end(struct world *w, struct conn *c, int room)
{
	char once[40];
	int64_t seconds = w->o.is_hidden ? 0 : dice_below(&w->dice, 20);
	send_story_end(w, c, room, some_story(w, &c->subs[room]->view), seconds, act_once(w, once));
}

/* In other rooms the rule is turned on now and then. */
static void act_open_story(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct view *v = &c->subs[room]->view;
	bool shows = act_shows(w, c, room);
	uint32_t which = dice_below(&w->dice, 100);
	if (!v->policy.open_stories) {
		if (which < 30) {
			send_open(w, c, room, true, shows, act_once(w, once));
			send_quorum(w, c, room, shows);
		} else {
			act_vote(w, c, room);
		}
	} else if (which < 55) {
		send_story_reveal(w, c, room, some_story(w, v), !w->o.is_hidden && which < 40,
				  shows, act_once(w, once));
	} else if (which < 80) {
		send_story_settle(w, c, room, some_story(w, v), which < 58 ? NULL : "A0", shows,
				  act_once(w, once));
	} else if (which < 95) {
		send_member(w, c, METHOD_ROUND_SETTLE_AGREED, room, shows, act_once(w, once));
	} else {
		send_open(w, c, room, false, shows, act_once(w, once));
	}
}

/* ---- answers ---- */

bool is_of_open_story(const struct op *op, const struct view *v)
{
	return op->target[0] != '\0' && strcmp(op->target, v->story_id) != 0;
}

bool refused_open_story(const struct world *w, const struct op *op, const struct view *v)
{
	const struct view_story *s = view_story(v, op->target);
	(void)w;
	if (!view_story_is_open(v, op->target)) {
		return true;
	}
	switch (op->method) {
	case METHOD_ROOM_VOTE:
		return s->shown != 0 && (v->policy.anonymous || op->card[0] == '\0');
	case METHOD_ROOM_SET_REVEALED:
		return op->flag ? s->shown == 0 && s->voted == 0
				: s->shown != 0 && v->policy.anonymous;
	default:
		return s->shown == 0;
	}
}

bool refused_no_open_story(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return op->target[0] != '\0' && view_story(v, op->target) == NULL;
}

bool refused_nothing_to_settle(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return is_of_open_story(op, v) && op->card[0] == '\0';
}

static bool refused_one_at_a_time(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->policy.open_stories;
}

static bool everyone_resets(const struct policy *p)
{
	return p->everyone_resets;
}

static const struct request open_requests[] = {
	{.method = METHOD_ROUND_SETTLE_AGREED,
	 .everyones = everyone_resets,
	 .conflict = refused_one_at_a_time},
};

/* What leaves says nothing of hidden votes but how many there are. */
static void open_update(struct world *w, struct conn *c, int room, const struct room_update *u)
{
	(void)c;
	const struct view *v = room_at(&w->rooms[room], u->epoch, u->version);
	for (size_t i = 0; i < u->story_votes_n; i++) {
		const struct story_votes *votes = &u->story_votes[i];
		bool is_shown = votes->with_revealed_at && votes->revealed_at > 0;
		bool says_more = votes->votes_n > 0 || votes->with_result ||
				 (votes->voted > 0 && planted(w, BREAK_SHOW_STORY, 2));
		if (!is_shown && says_more) {
			broken(w, CLAIM_SECRECY, "an update of %s shows hidden votes on a story",
			       w->rooms[room].id);
		}
	}
	for (size_t i = 0; i < u->users_n && v != NULL; i++) {
		if (u->users[i].with_stories_voted && v->policy.hide_who_voted) {
			broken(w, CLAIM_SECRECY,
			       "an update of %s says on how many stories a user has voted, "
			       "where only the number of votes may be known",
			       w->rooms[room].id);
		}
	}
}

/* ---- rules ---- */

/* Somebody asked for that on the story; card: with one, without, or NULL: either. */
static bool asked_on(const struct change *ch, enum method method, const char *story_id,
		     const bool *has_card)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(method), NULL, &at)) != NULL) {
		if (strcmp(op->target, story_id) == 0 &&
		    (has_card == NULL || *has_card == (op->card[0] != '\0'))) {
			return true;
		}
	}
	return false;
}

/* Somebody who may have voted has gone, or has no name any more. */
static bool somebody_left(const struct change *ch)
{
	for (size_t i = 0; i < ch->before->n; i++) {
		const struct view_user *was = &ch->before->users[i];
		const struct view_user *is = view_user_const(ch->after, was->user_id);
		if (was->has_name && (is == NULL || !is->has_name)) {
			return true;
		}
	}
	/* Within several changes they may be back. */
	return ch->after->version > ch->before->version + 1 &&
	       rules_has_cause(ch,
			       METHODS_OF(METHOD_ROOM_LEAVE, METHOD_ROOM_DELETE_USER,
					  METHOD_ROOM_KICK, METHOD_ROOM_REJECT),
			       NULL);
}

static void rules_story_votes(const struct change *ch, const struct view_story *was,
			      const struct view_story *is)
{
	static const bool with = true;
	static const bool without = false;
	const char *id = is->story_id;
	bool is_moved = rules_brings_votes(ch);
	bool is_settled = asked_on(ch, METHOD_ROUND_SETTLE, id, NULL) ||
			  rules_has_cause(ch, METHODS_OF(METHOD_ROUND_SETTLE_AGREED), NULL);
	bool counts_otherwise =
		rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SET_POLICY, METHOD_ROOM_JOIN), NULL);
	bool is_voted = asked_on(ch, METHOD_ROOM_VOTE, id, &with);
	bool is_turned = asked_on(ch, METHOD_ROOM_SET_REVEALED, id, NULL);
	if (is->voted > was->voted && !is_voted && !counts_otherwise && !is_moved && !is_turned) {
		rules_broken(ch, "one more vote on an open story", NULL);
	}
	if (is->voted < was->voted && !asked_on(ch, METHOD_ROOM_VOTE, id, &without) &&
	    !counts_otherwise && !is_moved && !is_settled && !is_turned && !somebody_left(ch)) {
		rules_broken(ch, "one vote less on an open story", NULL);
	}
	bool is_timed = rules_story_ended(ch, id);
	bool may_show = is_turned || is_voted || is_moved || ch->before->timer_reveals ||
			is_timed || counts_otherwise;
	if (was->shown == 0 && is->shown != 0 && !may_show) {
		rules_broken(ch, "a reveal of an open story", NULL);
	}
	/* Else all later votes are seen as they are cast. */
	bool has_votes = is->voted > 0 && !planted(ch->w, BREAK_SHOW_NOTHING, 1);
	if (was->shown == 0 && is->shown != 0 && !has_votes && !counts_otherwise) {
		rules_broken(ch, "a reveal of an open story without a vote", NULL);
	}
	if (was->shown != 0 && is->shown == 0 && !is_turned && !is_settled && !is_moved) {
		rules_broken(ch, "a hiding of an open story", NULL);
	}
	/* Rules of names and of bots change what is shown, and its result. */
	bool has_rules = rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), NULL);
	if (was->shown != 0 && is->shown != 0 && was->shown != is->shown && !is_voted &&
	    !is_turned && !is_moved && !has_rules) {
		rules_broken(ch, "other votes than were shown of an open story", NULL);
	}
}

/* Somebody asked for another deadline of the story, or of any with NULL, and might. */
static bool asked_for_end(const struct change *ch, enum method method, const char *story_id)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	while ((op = rules_cause(ch, METHODS_OF(method), NULL, &at)) != NULL) {
		if (op->sets_end && (story_id == NULL || strcmp(op->target, story_id) == 0) &&
		    rules_may(ch, op)) {
			return true;
		}
	}
	return false;
}

static void rules_end(const struct change *ch, const struct view_story *was,
		      const struct view_story *is)
{
	bool is_one = ch->after->version == ch->before->version + 1;
	bool is_asked = asked_for_end(ch, METHOD_STORY_UPDATE, is->story_id);
	bool is_settled = is->estimate[0] != '\0';
	if (was->ends_at != is->ends_at && is->ends_at != 0 && !is_asked) {
		rules_broken(ch, "another deadline of a story", NULL);
	}
	if (was->ends_at != 0 && is->ends_at == 0 && !is_asked && !is_settled &&
	    !rules_story_ended(ch, is->story_id)) {
		rules_broken(ch, "the early end of a deadline of a story", NULL);
	}
	bool is_over = is_one && was->ends_at != 0 && is->ends_at == 0 && !is_asked;
	bool is_open = view_story_is_open(ch->before, is->story_id) &&
		       view_story_is_open(ch->after, is->story_id);
	bool is_shown = is->shown != 0 && !planted(ch->w, BREAK_QUIET_END, 1);
	if (is_over && is_open && was->voted > 0 && is->voted > 0 && !is_shown) {
		rules_broken(ch, "a deadline that revealed nothing", NULL);
	}
}

/* Votes at the table that count. */
static int64_t at_table(const struct view *v)
{
	int64_t n = view_hides_voters(v) ? v->votes_n : 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct view_user *u = &v->users[i];
		bool counts = !u->is_bot || v->policy.bots_count;
		n += counts && u->has_vote;
	}
	return n;
}

/* In one change, a story brings all its votes to the table. */
static void rules_laid(const struct change *ch)
{
	const struct view *a = ch->before;
	const struct view *b = ch->after;
	const struct view_story *was = view_story(a, b->story_id);
	bool is_one = b->version == a->version + 1 && strcmp(a->story_id, b->story_id) != 0;
	if (!is_one || was == NULL || b->is_revealed || was->voted == 0) {
		return;
	}
	if (at_table(b) - planted(ch->w, BREAK_LOSE_LAID, 1) < was->voted) {
		rules_broken(ch, "a vote on a story that did not come to the table with it", NULL);
	}
}

static void open_follow(const struct change *ch)
{
	ch->w->rooms[ch->room].had_open_stories |=
		ch->before->policy.open_stories || ch->after->policy.open_stories;
	for (size_t i = 0; i < ch->after->stories_n; i++) {
		const struct view_story *is = &ch->after->stories[i];
		const struct view_story *was = view_story(ch->before, is->story_id);
		if (was != NULL) {
			rules_story_votes(ch, was, is);
			rules_end(ch, was, is);
		} else if (is->ends_at != 0 &&
			   !asked_for_end(ch, METHOD_STORY_UPDATE, is->story_id)) {
			rules_broken(ch, "a deadline of a new story", NULL);
		} else if (is->voted > 0 && !ch->r->had_open_stories) {
			rules_broken(ch, "votes on a new story", NULL);
		}
	}
	rules_laid(ch);
}

/* ---- the disk ---- */

/* The seat's owner has cast it: on that story, or on the one at the table, which it was then. */
static bool story_vote_was_cast(const struct world *w, int room, const struct table_row *row,
				const struct story_vote_item *vote)
{
	int owner = room_owner(&w->rooms[room], row->user_id);
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		bool is_its = strcmp(op->user_id, row->user_id) == 0 ||
			      (op->user_id[0] == '\0' && (owner < 0 || owner == op->member));
		bool is_of_it =
			op->target[0] == '\0' || slice_eq(slice_str(op->target), vote->story_id);
		if (op->method == METHOD_ROOM_VOTE && op->room == room && op->is_delivered &&
		    is_its && is_of_it && slice_eq(slice_str(op->card), vote->vote)) {
			return true;
		}
	}
	return false;
}

static void open_durable(struct world *w, const struct sim_commit *c)
{
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		struct arena arena = {0};
		struct fault fault;
		struct seat_item item;
		if (!row->has_story_votes || !row_is_in(w, row, c->room)) {
			continue;
		}
		enum err e =
			record_from_bytes(&record_seat_item, slice_of(row->value, row->value_len),
					  RECORD_STRICT, &arena, &item, &fault);
		for (size_t i = 0; e == OK && i < item.story_votes_n; i++) {
			if (planted(w, BREAK_OTHER_STORY, 3)) {
				item.story_votes[i].vote = SLICE("Z9");
			}
			if (!story_vote_was_cast(w, c->room, row, &item.story_votes[i])) {
				broken(w, CLAIM_RULES,
				       "the disk holds a vote on a story that its seat did not "
				       "cast");
			}
		}
		arena_finish(&arena);
	}
}

/* ---- when all is quiet ---- */

/* By hand: not revealed automatically then before the next vote. */
static bool may_be_held(const struct world *w, int room, const char *story_id)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_ROOM_SET_REVEALED && op->room == room && !op->flag &&
		    op->is_delivered &&
		    (op->target[0] == '\0' || strcmp(op->target, story_id) == 0)) {
			return true;
		}
	}
	return false;
}

static void open_settled(struct world *w, int room)
{
	const struct view *v = &w->rooms[room].mem->now;
	for (size_t i = 0; i < v->stories_n; i++) {
		const struct view_story *s = &v->stories[i];
		int64_t end = s->ends_at - (planted(w, BREAK_LONG_END, 1) ? 600000 : 0);
		if (s->ends_at != 0 && w->jumps == 0 && w->wall_ms > end + 1100) {
			broken(w, CLAIM_LIVENESS,
			       "the deadline of a story of %s goes on past its time",
			       w->rooms[room].id);
		}
		bool has_enough = v->policy.auto_reveal && v->policy.quorum > 0 &&
				  s->voted >= v->policy.quorum &&
				  view_story_is_open(v, s->story_id) &&
				  !may_be_held(w, room, s->story_id);
		bool is_shown = s->shown != 0 && !(has_enough && planted(w, BREAK_KEEP_OPEN, 1));
		if (has_enough && !is_shown) {
			broken(w, CLAIM_LIVENESS,
			       "a story of %s has its votes, and is not revealed",
			       w->rooms[room].id);
		}
	}
}

static const struct act open_acts[] = {
	{40, act_open_story, true},
	{14, act_story_end, true},
};

const struct feature feature_open_stories = {
	.name = "open-stories",
	FEATURE_ROWS(acts, open_acts),
	FEATURE_ROWS(requests, open_requests),
	.update = open_update,
	.follow = open_follow,
	.commit_after = open_durable,
	.settled_room = open_settled,
};
