/*
 * send_play.c - requests of rounds, timers, stories and the policy.
 */
#include "tests/sim/send.h"

void send_policy(struct world *w, struct conn *c, int room, uint32_t which, bool flag,
		 bool with_key, const char *once)
{
	struct room_set_policy_params p = {0};
	struct op about = {0};
	enum who_may who = flag ? WHO_MAY_EVERYONE : WHO_MAY_HOST;
	struct policy_change *change = &p.policy;
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	change->who_reveals = change->who_resets = change->who_edits_stories = who;
	change->auto_reveal = change->vote_after_reveal = change->bots_count = flag;
	change->with_who_reveals = which == 0;
	change->with_who_resets = which == 1;
	change->with_who_edits_stories = which == 2;
	change->with_auto_reveal = which == 3;
	change->with_vote_after_reveal = which == 4;
	change->with_bots_count = which == 5;
	change->confidence = change->locked = change->lobby = flag;
	change->with_confidence = which == 6;
	change->with_locked = which == 7;
	change->with_lobby = which == 8;
	change->passcode = flag ? SLICE(SIM_PASSCODE) : (struct slice){0};
	change->with_passcode = which == 9;
	change->anonymous = flag;
	change->with_anonymous = which == 10;
	change->who_edits_data = which != 11 ? DATA_EDITORS_MEMBERS
				 : flag	     ? DATA_EDITORS_EVERYONE
					     : DATA_EDITORS_HOST;
	change->with_who_edits_data = which == 11 || which == 12;
	send_op(w, c, METHOD_ROOM_SET_POLICY, room, &p, &about);
}

/* Those that say no more than who asks. */
void send_member(struct world *w, struct conn *c, enum method method, int room, bool with_key,
		 const char *once)
{
	struct room_member_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, method, room, &p, &about);
}

/* @token 0: whichever runs. */
void send_cancel(struct world *w, struct conn *c, int room, int64_t token, bool with_key,
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

void send_timer(struct world *w, struct conn *c, int room, int64_t seconds, bool reveals,
		bool with_key, const char *once)
{
	struct timer_start_params p = {.seconds = seconds,
				       .reveal_at_zero = reveals,
				       .with_reveal_at_zero = true};
	struct op about = {.flag = reveals};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_TIMER_START, room, &p, &about);
}

void send_keep(struct world *w, struct conn *c, int room, int64_t days, bool with_key,
	       const char *once)
{
	struct room_keep_params p = {.days = days};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_KEEP, room, &p, &about);
}

void send_nudge(struct world *w, struct conn *c, int room, const char *once)
{
	struct room_nudge_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	send_op(w, c, METHOD_ROOM_NUDGE, room, &p, &about);
}

void send_settle(struct world *w, struct conn *c, int room, const char *card, bool with_key,
		 const char *once)
{
	struct round_settle_params p = {.estimate = slice_str(card), .with_estimate = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROUND_SETTLE, room, &p, &about);
}

void send_story_add(struct world *w, struct conn *c, int room, const char *title,
		    const char *before, const char *once)
{
	struct story_add_params p = {.title = slice_str(title),
				     .with_title = true,
				     .before = slice_str(before),
				     .with_before = before != NULL};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.target, sizeof(about.target), p.before);
	send_op(w, c, METHOD_STORY_ADD, room, &p, &about);
}

void send_story_update(struct world *w, struct conn *c, int room, const char *story_id,
		       const char *title, const char *once)
{
	struct story_update_params p = {.story_id = slice_str(story_id),
					.title = slice_str(title),
					.with_title = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_UPDATE, room, &p, &about);
}

void send_story_move(struct world *w, struct conn *c, int room, const char *story_id,
		     const char *to, bool behind, const char *once)
{
	struct story_move_params p = {.story_id = slice_str(story_id),
				      .before = slice_str(to),
				      .with_before = !behind,
				      .after = slice_str(to),
				      .with_after = behind};
	struct op about = {.flag = behind};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_STORY_MOVE, room, &p, &about);
}

/* story.remove, story.restore */
void send_story(struct world *w, struct conn *c, enum method method, int room, const char *story_id,
		const char *once)
{
	struct story_params p = {.story_id = slice_str(story_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, method, room, &p, &about);
}

void send_select(struct world *w, struct conn *c, int room, const char *story_id, bool with_key,
		 const char *once)
{
	struct story_select_params p = {.story_id = slice_str(story_id), .with_story_id = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_SELECT, room, &p, &about);
}
