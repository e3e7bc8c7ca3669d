/*
 * replica_kit.h - updates of a room, and the copies that they lead to.
 */
#ifndef TESTS_UNIT_CLIENT_REPLICA_KIT_H
#define TESTS_UNIT_CLIENT_REPLICA_KIT_H

#include <stdlib.h>
#include <string.h>

#include "client/model/room/replica.h"
#include "tests/support/test.h"
#include "tests/unit/client/view_kit.h"

static struct slice three_cards[] = {{"1", 1}, {"2", 1}, {"3", 1}};

static inline struct room_view view(bool is_revealed)
{
	struct room_view v = first_view(three_cards, 3);
	v.title = SLICE("Sprint");
	v.is_revealed = is_revealed;
	v.host_user_id = SLICE("U1");
	return v;
}

/* All that there is of somebody. */
static inline struct user_view user(const char *id, const char *name)
{
	return (struct user_view){
		.user_id = slice_str(id),
		.username = slice_str(name),
		.with_username = true,
		.role = ROLE_VOTER,
		.with_role = true,
		.with_is_bot = true,
		.is_connected = true,
		.with_is_connected = true,
		.with_is_host = true,
		.with_has_vote = true,
	};
}

static inline struct room_update update(int64_t since, int64_t version)
{
	return (struct room_update){.room_id = SLICE("K7QX3M"),
				    .epoch = 7,
				    .since = since,
				    .version = version};
}

/* A room at version 5 with Ada and Grace. */
static inline enum err take_full(struct replica *r)
{
	struct user_view users[] = {user("U1", "Ada"), user("U2", "Grace")};
	struct room_update u = update(5, 5);
	u.full = u.with_full = true;
	u.room = view(false);
	u.with_room = true;
	u.users = users;
	u.users_n = 2;
	u.with_users = true;
	return replica_update(r, &u);
}

static inline enum err take_users(struct replica *r, struct user_view *users, size_t n,
				  bool votes_cleared)
{
	struct room_update u = update(r->version, r->version + 1);
	u.users = users;
	u.users_n = n;
	u.with_users = n > 0;
	u.votes_cleared = u.with_votes_cleared = votes_cleared;
	return replica_update(r, &u);
}

/* ---- a room that plays ---- */

static inline struct room_view played_view(void)
{
	struct room_view v = first_view(three_cards, 3);
	v.policy.auto_reveal = true;
	return v;
}

static inline struct room_view revealed_view(void)
{
	static struct result_card voted[] = {
		{.card = {"1", 1}, .votes = 1},
		{.card = {"3", 1}, .votes = 1},
	};
	struct room_view v = played_view();
	v.is_revealed = true;
	v.phase = PHASE_REVEALED;
	v.with_result = true;
	v.result = (struct room_result){
		.votes = 2,
		.cards = voted,
		.cards_n = 2,
		.average = 2,
		.with_average = true,
		.median = 2,
		.with_median = true,
		.mode = SLICE("1"),
		.with_mode = true,
		.agreement_percent = 50,
		.spread_steps = 2,
		.with_spread_steps = true,
		.lowest = SLICE("1"),
		.with_lowest = true,
		.highest = SLICE("3"),
		.with_highest = true,
	};
	return v;
}

static inline struct story_view story(const char *id, const char *rank, const char *title)
{
	return (struct story_view){.story_id = slice_str(id),
				   .rank = slice_str(rank),
				   .title = slice_str(title),
				   .status = STORY_TODO};
}

/* What one update brings, put together by the tests. */
struct news {
	struct room_update u;
	struct user_view users[2];
	struct story_view stories[4];
};

static inline struct room_update *news_of(struct news *n, int64_t since, int64_t version)
{
	n->u.room_id = SLICE("K7QX3M");
	n->u.epoch = 7;
	n->u.since = since;
	n->u.version = version;
	n->u.users = n->users;
	n->u.with_users = n->u.users_n > 0;
	n->u.stories = n->stories;
	n->u.with_stories = n->u.stories_n > 0;
	return &n->u;
}

/* Version 5: Ada, Grace, and the stories b, a (removed) and c, in no order. */
static inline enum err take_played(struct replica *r)
{
	struct news n = {.u = {.full = true, .room = played_view(), .with_room = true}};
	n.users[0] = user("U1", "Ada");
	n.users[1] = user("U2", "Grace");
	n.u.users_n = 2;
	n.stories[0] = story("S3", "c", "Third");
	n.stories[1] = story("S1", "a", "First");
	n.stories[1].is_removed = n.stories[1].with_is_removed = true;
	n.stories[2] = story("S2", "b", "Second");
	n.stories[2].description = SLICE("one\n\ttwo\x1b\n");
	n.stories[2].with_description = true;
	n.u.stories_n = 3;
	return replica_update(r, news_of(&n, 5, 5));
}

static inline enum err take_change(struct replica *r)
{
	struct news n = {.u = {.room = revealed_view(), .with_room = true}};
	n.u.room.story_id = SLICE("S2");
	n.stories[0] = story("S2", "d", "Second and last");
	n.stories[0].estimate = SLICE("3");
	n.stories[0].with_estimate = true;
	n.stories[0].status = STORY_DONE;
	n.stories[1] = story("S4", "bb", "New");
	n.u.stories_n = 2;
	n.users[0] = (struct user_view){.user_id = SLICE("U1"), .vote = SLICE("1"), .with_vote = true};
	n.users[1] = (struct user_view){.user_id = SLICE("U2"), .vote = SLICE("3"), .with_vote = true};
	n.u.users_n = 2;
	return replica_update(r, news_of(&n, 5, 6));
}

#endif
