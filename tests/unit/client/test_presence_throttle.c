/*
 * test_presence_throttle.c - what is said of oneself: what changed, not often, and
 * nothing while nobody presses a key.
 */
#include <stdlib.h>

#include "client/model/room/presence_throttle.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

static void init_two(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_HOST, NULL);
	a_room_seat(a, "me", IS_ME, NULL);
	a->r.data.has_presence = true;
}

static void assert_quiet(struct presence_throttle *p, const struct a_room *a, int64_t now_ms,
			 int64_t wait)
{
	struct presence_request say;
	int64_t wait_ms = 0;
	assert_int_equal(presence_throttle_next(p, &a->r, now_ms, &say, &wait_ms), METHOD_COUNT);
	assert_int_equal(wait_ms, wait);
}

/* It is said, and acknowledged. */
static void assert_says(struct presence_throttle *p, const struct a_room *a, int64_t now_ms,
			enum activity doing, const char *story)
{
	struct presence_request say;
	int64_t wait_ms = 0;
	assert_int_equal(presence_throttle_next(p, &a->r, now_ms, &say, &wait_ms),
			 METHOD_PRESENCE_SET);
	assert_int_equal(say.doing, doing);
	if (story == NULL) {
		assert_null(say.story_id);
	} else {
		assert_string_equal(say.story_id, story);
	}
	presence_throttle_answer(p, METHOD_PRESENCE_SET, true);
}

static void assert_removes(struct presence_throttle *p, const struct a_room *a, int64_t now_ms)
{
	struct presence_request say;
	int64_t wait_ms = 0;
	assert_int_equal(presence_throttle_next(p, &a->r, now_ms, &say, &wait_ms),
			 METHOD_PRESENCE_REMOVE);
	presence_throttle_answer(p, METHOD_PRESENCE_REMOVE, true);
}

TEST(test_what_changed_is_said_once_and_taken_back)
{
	struct a_room a;
	struct presence_throttle p = {0};
	init_two(&a);
	assert_quiet(&p, &a, 5000, -1);
	presence_throttle_tell(&p, ACTIVITY_CHOOSING, NULL, true);
	assert_says(&p, &a, 5000, ACTIVITY_CHOOSING, NULL);
	assert_quiet(&p, &a, 5000, -1);
	presence_throttle_tell(&p, ACTIVITY_CHOOSING, NULL, true);
	assert_quiet(&p, &a, 9000, -1);
	presence_throttle_tell(&p, ACTIVITY_NOTHING, NULL, true);
	assert_removes(&p, &a, 9000);
	assert_quiet(&p, &a, 20000, -1);
}

TEST(test_many_changes_are_said_once_a_second_the_latest_last)
{
	struct a_room a;
	struct presence_throttle p = {0};
	init_two(&a);
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s1", true);
	assert_says(&p, &a, 5000, ACTIVITY_LOOKING, "s1");
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s2", true);
	assert_quiet(&p, &a, 5100, 900);
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s3", true);
	assert_quiet(&p, &a, 5600, 400);
	assert_says(&p, &a, 6000, ACTIVITY_LOOKING, "s3");
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s4", true);
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s3", true); /* and back: nothing to say */
	assert_quiet(&p, &a, 6100, -1);
}

TEST(test_it_is_renewed_by_keys_alone)
{
	struct a_room a;
	struct presence_throttle p = {0};
	init_two(&a);
	presence_throttle_tell(&p, ACTIVITY_TYPING, "s1", true);
	assert_says(&p, &a, 0, ACTIVITY_TYPING, "s1");
	presence_throttle_tell(&p, ACTIVITY_TYPING, "s1", true);
	assert_quiet(&p, &a, PRESENCE_TYPING_TTL_MS / 2 - 1, -1);
	assert_says(&p, &a, PRESENCE_TYPING_TTL_MS / 2, ACTIVITY_TYPING, "s1");
	assert_quiet(&p, &a, PRESENCE_TYPING_TTL_MS, -1);
	/* It has lapsed meanwhile; there is nothing to take back, and nothing new to say. */
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s2", false);
	assert_quiet(&p, &a, 10 * PRESENCE_TYPING_TTL_MS, -1);
	presence_throttle_tell(&p, ACTIVITY_TYPING, "s1", true);
	assert_says(&p, &a, 11 * PRESENCE_TYPING_TTL_MS, ACTIVITY_TYPING, "s1");
}

TEST(test_alone_and_in_a_crowd_nothing_is_said)
{
	struct a_room a;
	struct presence_throttle p = {0};
	init_two(&a);
	a.members[0].is_connected = false;
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s1", true);
	assert_quiet(&p, &a, 0, -1);
	a.members[0].is_connected = true;
	a.members[0].is_bot = true;
	assert_quiet(&p, &a, 0, -1);
	a.members[0].is_bot = false;
	while (a.r.users.n <= PRESENCE_MEMBERS_MAX) {
		a_room_seat(&a, "one more", 0, NULL);
	}
	assert_quiet(&p, &a, 0, -1);
	a.r.users.n = 2;
	assert_says(&p, &a, 0, ACTIVITY_LOOKING, "s1");
}

TEST(test_who_comes_first_makes_the_presence)
{
	struct a_room a;
	struct presence_throttle p = {0};
	struct presence_request say;
	int64_t wait_ms = 0;
	init_two(&a);
	a.r.data.has_presence = false;
	presence_throttle_tell(&p, ACTIVITY_CHOOSING, NULL, true);
	assert_int_equal(presence_throttle_next(&p, &a.r, 0, &say, &wait_ms),
			 METHOD_PRESENCE_CREATE);
	assert_quiet(&p, &a, 0, -1); /* it is on its way */
	presence_throttle_answer(&p, METHOD_PRESENCE_CREATE, true);
	assert_says(&p, &a, 0, ACTIVITY_CHOOSING, NULL);
	/* The room behind another connection need not have it. */
	presence_throttle_up(&p);
	presence_throttle_tell(&p, ACTIVITY_CHOOSING, NULL, true);
	assert_int_equal(presence_throttle_next(&p, &a.r, 5000, &say, &wait_ms),
			 METHOD_PRESENCE_CREATE);
}

TEST(test_a_refusal_silences_until_the_next_connection)
{
	struct a_room a;
	struct presence_throttle p = {0};
	struct presence_request say;
	int64_t wait_ms = 0;
	init_two(&a);
	a.r.data.has_presence = false;
	presence_throttle_tell(&p, ACTIVITY_CHOOSING, NULL, true);
	assert_int_equal(presence_throttle_next(&p, &a.r, 0, &say, &wait_ms),
			 METHOD_PRESENCE_CREATE);
	presence_throttle_answer(&p, METHOD_PRESENCE_CREATE, false);
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s1", true);
	assert_quiet(&p, &a, 5000, -1);
	presence_throttle_up(&p);
	a.r.data.has_presence = true;
	assert_quiet(&p, &a, 6000, -1); /* no key since */
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s1", true);
	assert_says(&p, &a, 6000, ACTIVITY_LOOKING, "s1");
	presence_throttle_tell(&p, ACTIVITY_NOTHING, NULL, true);
	assert_int_equal(presence_throttle_next(&p, &a.r, 9000, &say, &wait_ms),
			 METHOD_PRESENCE_REMOVE);
	presence_throttle_answer(&p, METHOD_PRESENCE_REMOVE, false); /* it had lapsed */
	presence_throttle_tell(&p, ACTIVITY_LOOKING, "s2", true);
	assert_says(&p, &a, 10000, ACTIVITY_LOOKING, "s2");
}
