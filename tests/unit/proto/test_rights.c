/*
 * test_rights.c - rights of members: the whole table, right by standing.
 */
#include <string.h>

#include "proto/rights.h"
#include "tests/support/test.h"

#define RIGHTS 9 /* RIGHT_VOTE to RIGHT_LEAD */
/* As standing_by_bits() counts them. */
#define STANDINGS (2048 * WORDS_COUNT(data_editors))

/* What each letter of a row means: the code, and the sentence with it. */
static const struct {
	char letter;
	enum fault_code code;
	const char *why;
} words[] = {
	{'n', FAULT_FORBIDDEN, "choose a name before you vote"},
	{'s', FAULT_FORBIDDEN, "spectators do not vote; become a voter first"},
	{'o', FAULT_CONFLICT, "already revealed; wait for the next round"},
	{'h', FAULT_FORBIDDEN, "only a host can do that here"},
	{'j', FAULT_FORBIDDEN, "choose a name first"},
	{'l', FAULT_FORBIDDEN, "you are in the lobby; a host must admit you"},
	{'H', FAULT_FORBIDDEN, "only a host can do that"},
	{'m', FAULT_FORBIDDEN, "only a host or its creator can delete it"},
};

/*
 * Standing: H host, N has a name, S spectator, W waits, O the cards lie open,
 * 1 everyone reveals, 2 everyone resets, 3 everyone edits stories, V votes may
 * change after the reveal; A results without names; D everyone edits data, d only hosts do, M made it.
 * Answers in the order of the rights: vote, reveal, reset, edit stories, edit
 * data, delete data, signal, read, lead; + is allowed.
 */
static const struct {
	const char *standing;
	const char *answers;
} rows[] = {
	{"", "nhhhjjj+H"},	{"123", "njjjjjj+H"},	  {"O123V", "njjjjjj+H"},
	{"S", "nhhhjjj+H"},	{"N", "+hhh+m++H"},	  {"N1", "++hh+m++H"},
	{"N2", "+h+h+m++H"},	{"N3", "+hh++m++H"},	  {"N123", "+++++m++H"},
	{"NO", "ohhh+m++H"},	{"NOV", "+hhh+m++H"},	  {"NOVA", "ohhh+m++H"},
	{"NO123", "o++++m++H"}, {"NO123V", "+++++m++H"},  {"NS", "shhh+m++H"},
	{"NS123", "s++++m++H"}, {"NSOV", "shhh+m++H"},	  {"NSO123V", "s++++m++H"},
	{"W", "lllllllll"},	{"W123", "lllllllll"},	  {"NW", "lllllllll"},
	{"NW123", "lllllllll"}, {"NWO123V", "lllllllll"}, {"NSW123", "lllllllll"},
	{"H", "n++++++++"},	{"HN", "+++++++++"},	  {"HN123", "+++++++++"},
	{"HNO", "o++++++++"},	{"HNOV", "+++++++++"},	  {"HNS", "s++++++++"},
	{"HNSOV", "s++++++++"}, {"HW", "n++++++++"},	  {"HNW", "+++++++++"},
	{"D", "nhhh++j+H"},	{"d", "nhhhhhj+H"},	  {"M", "nhhhjjj+H"},
	{"NM", "+hhh++++H"},	{"Nd", "+hhhhh++H"},	  {"NMd", "+hhhhh++H"},
	{"ND", "+hhh++++H"},	{"HNd", "+++++++++"},	  {"WD", "lllllllll"},
	{"NWM", "lllllllll"},
};

static struct standing standing_of(const char *letters)
{
	return (struct standing){
		.is_host = strchr(letters, 'H') != NULL,
		.has_name = strchr(letters, 'N') != NULL,
		.is_spectator = strchr(letters, 'S') != NULL,
		.is_waiting = strchr(letters, 'W') != NULL,
		.is_revealed = strchr(letters, 'O') != NULL,
		.policy.everyone_reveals = strchr(letters, '1') != NULL,
		.policy.everyone_resets = strchr(letters, '2') != NULL,
		.policy.everyone_edits_stories = strchr(letters, '3') != NULL,
		.policy.vote_after_reveal = strchr(letters, 'V') != NULL,
		.policy.anonymous = strchr(letters, 'A') != NULL,
		.policy.data_editors = strchr(letters, 'D') != NULL   ? DATA_EDITORS_EVERYONE
				       : strchr(letters, 'd') != NULL ? DATA_EDITORS_HOST
								      : DATA_EDITORS_MEMBERS,
		.is_maker = strchr(letters, 'M') != NULL,
	};
}

static char letter_of(enum fault_code code, const char *why)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (why != NULL && code == words[i].code && strcmp(why, words[i].why) == 0) {
			return words[i].letter;
		}
	}
	return code == FAULT_NONE && why == NULL ? '+' : '!';
}

TEST(test_each_standing_may_what_its_row_says_and_is_refused_otherwise)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct standing who = standing_of(rows[i].standing);
		char got[RIGHTS + 1] = "";
		for (int right = RIGHT_VOTE; right <= RIGHT_LEAD; right++) {
			const char *why = NULL;
			enum fault_code code = right_refusal((enum right)right, &who, &why);
			got[right - RIGHT_VOTE] = letter_of(code, why);
		}
		if (strcmp(got, rows[i].answers) != 0) {
			fail_msg("\"%s\" may %s, not %s", rows[i].standing, got, rows[i].answers);
		}
	}
}

static struct standing standing_by_bits(unsigned bits)
{
	return (struct standing){
		.is_host = (bits & 1) != 0,
		.has_name = (bits & 2) != 0,
		.is_spectator = (bits & 4) != 0,
		.is_waiting = (bits & 8) != 0,
		.is_revealed = (bits & 16) != 0,
		.policy.everyone_reveals = (bits & 32) != 0,
		.policy.everyone_resets = (bits & 64) != 0,
		.policy.everyone_edits_stories = (bits & 128) != 0,
		.policy.vote_after_reveal = (bits & 256) != 0,
		.is_maker = (bits & 512) != 0,
		.policy.anonymous = (bits & 1024) != 0,
		.policy.data_editors = (enum data_editors)(bits / 2048),
	};
}

TEST(test_every_refusal_of_every_standing_has_one_of_the_sentences)
{
	for (unsigned bits = 0; bits < STANDINGS; bits++) {
		struct standing who = standing_by_bits(bits);
		for (int right = RIGHT_VOTE; right <= RIGHT_LEAD; right++) {
			const char *why = NULL;
			enum fault_code code = right_refusal((enum right)right, &who, &why);
			assert_int_not_equal(letter_of(code, why), '!');
		}
	}
}

TEST(test_a_host_is_refused_nothing_but_a_vote)
{
	for (unsigned bits = 1; bits < STANDINGS; bits += 2) {
		struct standing who = standing_by_bits(bits);
		for (int right = RIGHT_REVEAL; right <= RIGHT_LEAD; right++) {
			const char *why = NULL;
			assert_int_equal(right_refusal((enum right)right, &who, &why), FAULT_NONE);
		}
	}
}

TEST(test_a_method_needs_the_right_of_its_row_and_one_for_hosts_that_to_lead)
{
	const struct standing stranger = {.is_waiting = true};
	const char *why = NULL;
	assert_int_equal(right_of_method(METHOD_ROOM_VOTE), RIGHT_VOTE);
	assert_int_equal(right_of_method(METHOD_ROOM_REACT), RIGHT_SIGNAL);
	assert_int_equal(right_of_method(METHOD_STORY_MOVE), RIGHT_EDIT_STORIES);
	assert_int_equal(right_of_method(METHOD_ROOM_KICK), RIGHT_LEAD);
	assert_int_equal(right_of_method(METHOD_ROOM_JOIN), RIGHT_NONE);
	assert_int_equal(right_refusal(RIGHT_NONE, &stranger, &why), FAULT_NONE);
}

TEST(test_a_member_in_the_lobby_may_do_nothing)
{
	for (unsigned bits = 0; bits < STANDINGS; bits++) {
		struct standing who = standing_by_bits(bits);
		if (who.is_host || !who.is_waiting) {
			continue;
		}
		for (int right = RIGHT_VOTE; right <= RIGHT_LEAD; right++) {
			const char *why = NULL;
			enum fault_code code = right_refusal((enum right)right, &who, &why);
			assert_int_equal(letter_of(code, why), 'l');
		}
	}
}
