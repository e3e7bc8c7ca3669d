/*
 * acts_play.c - what people do with rounds, timers, stories and the policy.
 *
 * Each story has a title that no other has, so that one which is there twice
 * is seen.
 */
#include "tests/sim/send.h"

#include <string.h>

/* So few that all writes of everybody at once still fit a view. */
#define STORIES_WANTED 12

static void title_make(struct world *w, char out[24])
{
	snprintf(out, 24, "story %012llx",
		 (unsigned long long)(dice_u64(&w->dice) & 0xffffffffffff));
}

static const char *some_story(struct world *w, const struct view *v)
{
	if (v->stories_n == 0 || dice_percent(&w->dice, 5)) {
		return "nothing";
	}
	return v->stories[dice_below(&w->dice, (uint32_t)v->stories_n)].story_id;
}

static size_t stories_on_their_way(const struct world *w, int room)
{
	size_t n = 0;
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		n += w->ops[i].method == METHOD_STORY_ADD && w->ops[i].room == room &&
		     !w->ops[i].is_answered;
	}
	return n;
}

static void act_story_add(struct world *w, struct conn *c, int room, const char *once)
{
	char title[24];
	const struct view *v = &c->subs[room]->view;
	title_make(w, title);
	if (w->rooms[room].now.stories_n + stories_on_their_way(w, room) < STORIES_WANTED) {
		send_story_add(w, c, room, title,
			       dice_percent(&w->dice, 40) && v->stories_n > 0 ? some_story(w, v)
									      : NULL,
			       once);
	}
}

static void act_story(struct world *w, struct conn *c, int room, const char *once)
{
	char title[24];
	const struct view *v = &c->subs[room]->view;
	uint32_t kind = dice_below(&w->dice, 100);
	if (v->stories_n == 0 || kind < 35) {
		act_story_add(w, c, room, once);
	} else if (kind < 65) {
		const char *which = some_story(w, v);
		send_story_move(w, c, room, which, some_story(w, v), dice_percent(&w->dice, 50),
				once);
	} else if (kind < 78) {
		send_story(w, c, METHOD_STORY_REMOVE, room, some_story(w, v), once);
	} else if (kind < 90) {
		send_story(w, c, METHOD_STORY_RESTORE, room, some_story(w, v), once);
	} else {
		title_make(w, title);
		send_story_update(w, c, room, some_story(w, v), title, once);
	}
}

static void act_select(struct world *w, struct conn *c, int room, bool shows_key, const char *once)
{
	const struct view *v = &c->subs[room]->view;
	if (dice_percent(&w->dice, 40)) {
		send_member(w, c, METHOD_STORY_NEXT, room, shows_key, once);
	} else {
		send_select(w, c, room, dice_percent(&w->dice, 15) ? NULL : some_story(w, v),
			    shows_key, once);
	}
}

static void act_cancel(struct world *w, struct conn *c, int room, bool shows_key, const char *once)
{
	int64_t token = c->subs[room]->view.countdown;
	uint32_t kind = dice_below(&w->dice, 10);
	if (kind < 3 || token == 0) {
		token = kind == 0 ? 1 : 0; /* one that never was, or whichever runs */
	} else if (kind < 5) {
		token--; /* a countdown before this one */
	}
	send_cancel(w, c, room, token, shows_key, once);
}

static void act_timer(struct world *w, struct conn *c, int room, bool shows_key, const char *once)
{
	if (dice_percent(&w->dice, 70)) {
		send_timer(w, c, room, 1 + dice_below(&w->dice, 20),
			   dice_percent(&w->dice, 50) && !w->o.is_hidden, shows_key, once);
	} else {
		send_member(w, c, METHOD_TIMER_STOP, room, shows_key, once);
	}
}

void acts_play(struct world *w, struct conn *c, int room, bool shows_key, const char *once)
{
	uint32_t kind = dice_below(&w->dice, 100);
	const struct sub *sub = c->subs[room];
	const struct view_user *me = view_user_const(&sub->view, sub->user_id);
	/* Others try what is for hosts now and then, and more often where the policy lets them. */
	bool may = shows_key || (me != NULL && me->is_host) || sub->view.policy.everyone_resets;
	if (!may && kind >= 40 && dice_percent(&w->dice, 80)) {
		kind = kind % 40;
	}
	if (kind < 40) {
		act_story(w, c, room, once);
	} else if (kind < 50) {
		act_select(w, c, room, shows_key, once);
	} else if (kind < 62) {
		const uint32_t doors = PART_passcode - PART_lobby + 1; /* are act_door()'s */
		uint32_t part = dice_below(&w->dice, POLICY_PARTS - doors);
		send_policy(w, c, room, part < PART_lobby ? part : part + doors,
			    dice_percent(&w->dice, 60), shows_key, once);
	} else if (kind < 72) {
		act_cancel(w, c, room, shows_key, once);
	} else if (kind < 78) {
		send_arm(w, c, room, dice_percent(&w->dice, 70) && !w->o.is_hidden, shows_key,
			 once);
	} else if (kind < 84) {
		send_member(w, c, METHOD_ROUND_UNDO_RESET, room, shows_key, once);
	} else if (kind < 87) {
		send_member(w, c, METHOD_ROUND_AGAIN, room, shows_key, once);
	} else if (kind < 94) {
		act_timer(w, c, room, shows_key, once);
	} else if (kind < 96) {
		send_nudge(w, c, room, once);
	} else if (kind < 97) {
		send_keep(w, c, room, 1 + dice_below(&w->dice, 3), shows_key, once);
	} else {
		send_settle(w, c, room, "A0", shows_key, once);
	}
}
