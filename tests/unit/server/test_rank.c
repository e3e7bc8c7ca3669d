/*
 * test_rank.c - places in a list as strings, against a list that is kept the
 * simple way.
 */
#include <stdlib.h>
#include <string.h>

#include "server/domain/base/rank.h"
#include "tests/support/test.h"

#define INSERTIONS 10000

static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void assert_formed(const struct rank *r)
{
	size_t len = strlen(r->text);
	assert_in_range(len, 1, RANK_CHARS_MAX);
	assert_int_equal(strspn(r->text, alphabet), len);
	assert_int_not_equal(r->text[len - 1], '0');
}

static void assert_sorted(const struct rank *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_formed(&list[i]);
		assert_true(i == 0 || strcmp(list[i - 1].text, list[i].text) < 0);
	}
}

static void renumber(struct rank *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		list[i] = rank_nth(i);
	}
}

/* Put one at `at`; counts in *renumbered how often there was no room. */
static void insert(struct rank *list, size_t *n, size_t at, size_t *renumbered)
{
	struct rank made;
	const struct rank *before = at == 0 ? NULL : &list[at - 1];
	const struct rank *after = at == *n ? NULL : &list[at];
	if (!rank_between(before, after, &made)) {
		renumber(list, *n);
		(*renumbered)++;
		assert_true(rank_between(before, after, &made));
	}
	assert_formed(&made);
	assert_true(before == NULL || strcmp(before->text, made.text) < 0);
	assert_true(after == NULL || strcmp(made.text, after->text) < 0);
	memmove(list + at + 1, list + at, (*n - at) * sizeof(*list));
	list[at] = made;
	(*n)++;
}

static struct rank *list_of(size_t n)
{
	struct rank *list = calloc(n, sizeof(*list));
	assert_non_null(list);
	return list;
}

TEST(test_ten_thousand_random_insertions_keep_the_order)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct rank *list = list_of(INSERTIONS);
		uint64_t random = seed * 0x9e3779b97f4a7c15U;
		size_t n = 0;
		size_t renumbered = 0;
		while (n < INSERTIONS) {
			insert(list, &n, (size_t)(next_random(&random) % (n + 1)), &renumbered);
		}
		assert_sorted(list, n);
		assert_int_equal(renumbered, 0);
		free(list);
	}
}

TEST(test_insertions_near_one_place_keep_the_order_and_number_afresh_in_time)
{
	struct rank *list = list_of(2000);
	uint64_t random = 4711;
	size_t n = 0;
	size_t renumbered = 0;
	while (n < 2000) {
		size_t near = n / 2 + (size_t)(next_random(&random) % 3);
		insert(list, &n, near > n ? n : near, &renumbered);
	}
	assert_sorted(list, n);
	assert_true(renumbered > 0);
	free(list);
}

TEST(test_always_in_front_keeps_the_order)
{
	struct rank *list = list_of(1000);
	size_t n = 0;
	size_t renumbered = 0;
	while (n < 1000) {
		insert(list, &n, 0, &renumbered);
	}
	assert_sorted(list, n);
	free(list);
}

TEST(test_always_between_the_same_two_fails_only_when_they_are_too_close)
{
	struct rank low = rank_nth(0);
	struct rank high = rank_nth(1);
	struct rank middle;
	size_t steps = 0;
	while (rank_between(&low, &high, &middle)) {
		assert_true(strcmp(low.text, middle.text) < 0);
		assert_true(strcmp(middle.text, high.text) < 0);
		assert_formed(&middle);
		*(steps % 2 == 0 ? &low : &high) = middle;
		steps++;
		assert_true(steps < 10000);
	}
	assert_in_range(strlen(low.text), RANK_CHARS_MAX - 1, RANK_CHARS_MAX);
	assert_true(steps > 100);
}

TEST(test_appends_stay_short)
{
	struct rank last;
	assert_true(rank_between(NULL, NULL, &last));
	for (size_t i = 0; i < 100000; i++) {
		struct rank next;
		assert_true(rank_between(&last, NULL, &next));
		assert_true(strcmp(last.text, next.text) < 0);
		assert_formed(&next);
		assert_in_range(strlen(next.text), 1, 5);
		last = next;
	}
}

TEST(test_there_is_a_place_behind_the_last_of_all)
{
	struct rank last = {"zzzzV"};
	struct rank next;
	for (size_t i = 0; i < 10; i++) {
		assert_true(rank_between(&last, NULL, &next));
		assert_true(strcmp(last.text, next.text) < 0);
		assert_formed(&next);
		last = next;
	}
}

TEST(test_a_fresh_numbering_is_in_order_and_has_room_between_neighbours)
{
	for (size_t i = 0; i + 1 < 200000; i += 997) {
		struct rank a = rank_nth(i);
		struct rank b = rank_nth(i + 1);
		struct rank middle;
		assert_formed(&a);
		assert_true(strcmp(a.text, b.text) < 0);
		assert_true(rank_between(&a, &b, &middle));
		assert_true(strcmp(a.text, middle.text) < 0 && strcmp(middle.text, b.text) < 0);
		assert_in_range(strlen(middle.text), 1, 5);
	}
}

TEST(test_before_the_first_there_is_always_a_place)
{
	static const char *const firsts[] = {"1", "01", "001", "0001V", "V", "z", "00000V"};
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		struct rank first;
		struct rank made;
		strcpy(first.text, firsts[i]);
		assert_true(rank_between(NULL, &first, &made));
		assert_formed(&made);
		assert_true(strcmp(made.text, first.text) < 0);
	}
}

TEST(test_neighbours_that_leave_no_digit_between_them_get_a_longer_one)
{
	static const char *const pairs[][2] = {
		{"1", "2"},  {"1", "11"}, {"1z", "2"},	{"1zz", "2"},
		{"V", "V1"}, {"Vz", "W"}, {"1", "101"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct rank a;
		struct rank b;
		struct rank made;
		strcpy(a.text, pairs[i][0]);
		strcpy(b.text, pairs[i][1]);
		assert_true(rank_between(&a, &b, &made));
		assert_formed(&made);
		if (strcmp(a.text, made.text) >= 0 || strcmp(made.text, b.text) >= 0) {
			fail_msg("%s is not between %s and %s", made.text, a.text, b.text);
		}
	}
}
