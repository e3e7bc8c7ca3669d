/*
 * together.h - a room whose stories are open together, for tests of what a client makes of it.
 */
#ifndef TESTS_UNIT_CLIENT_TOGETHER_H
#define TESTS_UNIT_CLIENT_TOGETHER_H

#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

/* Ada is host; Grace is away; two stories have votes, the second of them was revealed. */
struct together {
	struct a_room a;
	struct own_vote mine[2];
	void *own[2];
	struct story_votes votes[3];
	void *voted[3];
	struct round_vote shown[3];
};

static inline void sit_together(struct together *s)
{
	struct a_room *a = &s->a;
	a_room_init(a, "Sprint 42");
	a->r.room.policy.open_stories = true;
	a->r.room.policy.quorum = 3;
	a_room_seat(a, "Ada", IS_ME | IS_HOST, NULL)->stories_voted = 2;
	struct user_view *grace = a_room_seat(a, "Grace", IS_AWAY, NULL);
	grace->stories_voted = 1;
	grace->away_since = A_NOW - INT64_C(2) * 86400000;
	a_room_seat(a, "Linus", 0, NULL);
	(void)a_room_story(a, "Refund a split payment", STORY_TODO, NULL);
	(void)a_room_story(a, "Login with a passkey", STORY_TODO, NULL);
	(void)a_room_story(a, "Export as CSV", STORY_TODO, NULL);
	(void)a_room_story(a, "Ship it", STORY_DONE, "8");
	a_room_rows(&a->r.own_votes, &record_own_vote, "story_id", s->own);
	a_room_rows(&a->r.story_votes, &record_story_votes, "story_id", s->voted);
	for (size_t i = 0; i < 2; i++) {
		s->mine[i] = (struct own_vote){.story_id = a->stories[i].story_id,
					       .vote = SLICE("5")};
		s->votes[i] = (struct story_votes){.story_id = a->stories[i].story_id, .voted = 2};
		s->own[i] = &s->mine[i];
		s->voted[i] = &s->votes[i];
	}
	a->r.story_votes.n = 2;
	a->r.own_votes.n = 2;
	s->shown[0] = (struct round_vote){
		.vote = SLICE("5"), .user_id = SLICE("me"), .username = SLICE("Ada")};
	s->shown[1] = (struct round_vote){.vote = SLICE("13"),
					  .user_id = SLICE("u01"),
					  .username = SLICE("Grace"),
					  .comment = SLICE("two teams")};
	s->votes[1].revealed_at = A_NOW;
	s->votes[1].votes = s->shown;
	s->votes[1].votes_n = 2;
	s->votes[1].result = (struct room_result){.votes = 2,
						  .lowest = SLICE("5"),
						  .highest = SLICE("13"),
						  .mode = SLICE("5"),
						  .spread_steps = 2,
						  .with_spread_steps = true};
}

#define TOGETHER_TEST(name, s) TEST_OF(name, struct together, s, sit_together(s), (void)s)

#endif
