/*
 * test_play_order.c - the order of stories: moving them, several people moving
 * at once, and what the table holds of it.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/unit/server/play.h"

static void add(struct rig_peer *p, const char *letters)
{
	for (size_t i = 0; letters[i] != '\0'; i++) {
		char title[2] = {letters[i], '\0'};
		play_story(p, title);
	}
}

static const char *id_of(struct rig_peer *p, char title)
{
	char text[2] = {title, '\0'};
	return rig_story(p, text);
}

/* "a<b": a before b; "a>b": a behind b. The ids are those that p knows. */
static uint32_t compose_move(struct rig_peer *p, struct buf *out, const char *move)
{
	return rig_compose(p, out, "story.move", "'room_id':'%s','story_id':'%s','%s':'%s'",
			   p->rig->room_id, id_of(p, move[0]), move[1] == '<' ? "before" : "after",
			   id_of(p, move[2]));
}

static const char *move(struct rig_peer *p, const char *how)
{
	struct buf out = {.max = 4096};
	uint32_t msgid = compose_move(p, &out, how);
	rig_bytes(p, buf_slice(&out));
	buf_finish(&out);
	return rig_outcome(p, msgid);
}

/* Titles in their order: "abc". */
static const char *order(struct rig_peer *p)
{
	const char *stories = rig_stories(p);
	char *out = p->line;
	for (const char *at = stories; *at != '\0';) {
		at += *at == '-';
		*out++ = *at;
		const char *comma = strstr(at, ", ");
		at = comma == NULL ? "" : comma + 2;
	}
	*out = '\0';
	return p->line;
}

/* ---- one who moves ---- */

TABLE_TEST(test_a_story_moves_before_or_behind_another, t)
{
	static const char *const moves[][2] = {
		{"a>b", "bacde"}, {"a>e", "bcdea"}, {"a<b", "abcde"}, {"e<a", "eabcd"},
		{"a<e", "aebcd"}, {"c<a", "caebd"}, {"d>c", "cdaeb"}, {"b>d", "cdbae"},
		{"b<b", "cdbae"}, {"b>b", "cdbae"}, {"c<c", "cdbae"}, {"e>e", "cdbae"},
		{"d>c", "cdbae"}, {"d<b", "cdbae"},
	};
	add(t->ada, "abcde");
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		assert_string_equal(move(t->bob, moves[i][0]), "ok");
		assert_string_equal(order(t->ada), moves[i][1]);
	}
	assert_int_equal(rig_stored(&t->r, "STORY#"), 5);
}

TABLE_TEST(test_a_move_needs_one_place_that_is_there, t)
{
	add(t->ada, "ab");
	char id[32];
	(void)snprintf(id, sizeof(id), "%s", id_of(t->ada, 'a'));
	static const char *const bad[][2] = {
		{"", "VALIDATION_ERROR before"},
		{",'before':'x','after':'y'", "VALIDATION_ERROR after"},
		{",'before':'x'", "NOT_FOUND before"},
		{",'after':'x'", "NOT_FOUND after"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "story.move",
					     "'room_id':'%s','story_id':'%s'%s", t->r.room_id, id,
					     bad[i][0]),
				    bad[i][1]);
	}
	assert_string_equal(rig_code(t->bob, "story.move",
				     "'room_id':'%s','story_id':'x','before':'%s'", t->r.room_id,
				     id),
			    "NOT_FOUND story_id");
	assert_string_equal(order(t->ada), "ab");
}

TABLE_TEST(test_a_moved_story_has_one_item_before_and_after_a_restart, t)
{
	add(t->ada, "abc");
	(void)move(t->bob, "a>c");
	(void)move(t->bob, "b>a");
	(void)move(t->bob, "c<a");
	(void)move(t->bob, "a>b");
	assert_string_equal(order(t->ada), "cba");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 3);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(order(ada), "cba");
	(void)move(ada, "a<c");
	assert_string_equal(order(ada), "acb");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 3);
}

TABLE_TEST(test_moves_that_gather_while_a_commit_waits_leave_one_item_each, t)
{
	add(t->ada, "abcd");
	rig_hold(&t->r);
	struct buf out = {.max = 65536};
	compose_move(t->bob, &out, "a>d");
	rig_bytes(t->bob, buf_slice(&out));
	static const char *const moves[] = {"b<a", "a<b", "d<c", "c<a", "b>c", "a<c"};
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		buf_clear(&out);
		compose_move(t->ada, &out, moves[i]);
		rig_bytes(t->ada, buf_slice(&out));
	}
	buf_finish(&out);
	rig_release(&t->r);
	assert_int_equal(rig_stored(&t->r, "STORY#"), 4);
	char *before = strdup(order(t->ada));
	assert_int_equal(strlen(before), 4);
	assert_string_equal(order(t->bob), before);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(order(ada), before);
	free(before);
}

TABLE_TEST(test_a_move_that_could_not_be_stored_was_not_made, t)
{
	add(t->ada, "abc");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(move(t->bob, "a>c"), "UNAVAILABLE");
	assert_string_equal(order(t->ada), "abc");
	assert_string_equal(order(t->bob), "abc");
	assert_string_equal(move(t->bob, "a>c"), "ok");
	assert_string_equal(order(t->ada), "bca");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 3);
}

/* So often into the same gap that all have to be numbered afresh. */
TABLE_TEST(test_a_gap_that_is_used_up_is_made_anew_with_nothing_lost, t)
{
	add(t->ada, "abcd");
	for (size_t i = 0; i < 400; i++) {
		/* c and d take turns in front of b, each time nearer to it. */
		assert_string_equal(move(t->bob, i % 2 == 0 ? "c<b" : "d<b"), "ok");
	}
	assert_string_equal(order(t->ada), "acdb");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 4);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(order(ada), "acdb");
}

TABLE_TEST(test_adding_into_a_gap_that_is_used_up_loses_nothing, t)
{
	add(t->ada, "ab");
	for (size_t i = 0; i < 250; i++) {
		rig_must(t->bob, "story.add", "'room_id':'%s','title':'x','before':'%s'",
			 t->r.room_id, id_of(t->bob, 'b'));
	}
	const char *all = order(t->ada);
	assert_int_equal(strlen(all), 252);
	assert_int_equal(all[0], 'a');
	assert_int_equal(all[251], 'b');
	assert_int_equal(rig_stored(&t->r, "STORY#"), 252);
}

/* ---- three who move at once ---- */

#define WRITERS 3

/* What each of the three says, in its order. */
static const char *const plans[][WRITERS][2] = {
	{{"a>d", "b<d"}, {"d<a", "c>a"}, {"b>c", "a<b"}},
	{{"a<b", "a>c"}, {"a>b", "a<d"}, {"a>d", "a<c"}}, /* all the same one */
	{{"b<a", "a<b"}, {"c<b", "b<c"}, {"a<c", "c<a"}}, /* round in a ring */
	{{"a>d", "a>c"}, {"b>d", "b>c"}, {"c>d", "c>a"}}, /* all to the same place */
};

/* Add the story again where the writer's list says, in the simple way: the oracle. */
static void oracle_move(char *list, const char *how)
{
	char *from = strchr(list, how[0]);
	if (how[0] == how[2]) {
		return;
	}
	memmove(from, from + 1, strlen(from));
	char *to = strchr(list, how[2]) + (how[1] == '>');
	memmove(to + 1, to, strlen(to) + 1);
	*to = how[0];
}

/* One order in which the six moves arrive: turns[i] says whose next move comes ith. */
static void play_one(const char *const plan[WRITERS][2], const int *turns, bool together)
{
	struct table *t = NULL;
	void *state = NULL;
	size_t said[WRITERS] = {0};
	char expected[8] = "abcd";
	(void)table_lay(&state);
	t = state;
	struct rig_peer *const who[WRITERS] = {t->ada, t->bob, rig_sit(&t->r, "cy")};
	add(t->ada, "abcd");
	if (together) {
		rig_hold(&t->r);
	}
	for (size_t i = 0; i < 2 * WRITERS; i++) {
		struct rig_peer *p = who[turns[i]];
		const char *how = plan[turns[i]][said[turns[i]]++];
		struct buf out = {.max = 4096};
		compose_move(p, &out, how);
		rig_bytes(p, buf_slice(&out));
		buf_finish(&out);
		oracle_move(expected, how);
	}
	rig_release(&t->r);
	for (size_t i = 0; i < WRITERS; i++) {
		assert_string_equal(order(who[i]), expected);
	}
	assert_int_equal(rig_stored(&t->r, "STORY#"), 4);
	(void)scene_clear(&state);
}

/* Every order of the six moves that keeps each writer's own: 6! / (2! 2! 2!) = 90. */
static size_t play_all(const char *const plan[WRITERS][2], int *turns, size_t at, const int *left,
		       bool together)
{
	size_t n = 0;
	if (at == 2 * WRITERS) {
		play_one(plan, turns, together);
		return 1;
	}
	for (int w = 0; w < WRITERS; w++) {
		int rest[WRITERS] = {left[0], left[1], left[2]};
		if (rest[w] > 0) {
			rest[w]--;
			turns[at] = w;
			n += play_all(plan, turns, at + 1, rest, together);
		}
	}
	return n;
}

TEST(test_three_writers_in_any_order_get_the_order_of_their_arrival)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		int turns[2 * WRITERS];
		const int left[WRITERS] = {2, 2, 2};
		assert_int_equal(play_all(plans[i], turns, 0, left, false), 90);
		assert_int_equal(play_all(plans[i], turns, 0, left, true), 90);
	}
}

/* Adding, removing, restoring and moving at random by three, against the same oracle of titles. */
TABLE_TEST(test_a_thousand_random_acts_of_three_lose_no_story, t)
{
	struct rig_peer *const who[WRITERS] = {t->ada, t->bob, rig_sit(&t->r, "cy")};
	char expected[32] = "abcdefghij";
	uint64_t seed = 88172645463325252U;
	add(t->ada, expected);
	for (size_t i = 0; i < 1000; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		char how[4] = {(char)('a' + seed % 10), (seed >> 8) % 2 == 0 ? '<' : '>',
			       (char)('a' + (seed >> 16) % 10), '\0'};
		struct rig_peer *p = who[(seed >> 24) % WRITERS];
		if ((seed >> 32) % 4 == 0) {
			(void)rig_must(p, (seed >> 40) % 2 == 0 ? "story.remove" : "story.restore",
				       "'room_id':'%s','story_id':'%s'", t->r.room_id,
				       id_of(p, how[0]));
		} else {
			assert_string_equal(move(p, how), "ok");
			oracle_move(expected, how);
		}
	}
	for (size_t i = 0; i < WRITERS; i++) {
		assert_string_equal(order(who[i]), expected);
	}
	assert_int_equal(rig_stored(&t->r, "STORY#"), 10);
}
