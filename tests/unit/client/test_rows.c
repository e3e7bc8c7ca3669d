/*
 * test_rows.c - owned records under their keys: put, merged, ordered, dropped, copied.
 */
#include "client/model/rows.h"
#include "proto/records/records.h"
#include "tests/support/test.h"

static struct story_view story(const char *id, const char *rank)
{
	return (struct story_view){.story_id = slice_str(id),
				   .rank = slice_str(rank),
				   .title = slice_str(id)};
}

static void put_story(struct rows *rows, const char *id, const char *rank)
{
	struct story_view s = story(id, rank);
	rows_put(rows, &s);
}

/* Their ids, in the order in which they are. */
static void assert_stories(const struct rows *rows, const char *ids)
{
	assert_int_equal(rows->n, strlen(ids));
	for (size_t i = 0; i < rows->n; i++) {
		const struct story_view *s = rows->items[i];
		assert_int_equal(s->story_id.data[0], ids[i]);
	}
}

TEST(test_rows_are_in_order_wherever_they_are_put)
{
	struct rows rows;
	rows_init(&rows, &record_story_view, "story_id", "rank");
	put_story(&rows, "b", "b");
	put_story(&rows, "d", "d");
	put_story(&rows, "a", "a");
	put_story(&rows, "c", "c");
	assert_stories(&rows, "abcd");
	put_story(&rows, "a", "cc");
	assert_stories(&rows, "bcad");
	put_story(&rows, "d", "A");
	assert_stories(&rows, "dbca");
	assert_true(rows_drop(&rows, SLICE("b")));
	assert_false(rows_drop(&rows, SLICE("b")));
	assert_stories(&rows, "dca");
	assert_null(rows_find(&rows, SLICE("b")));
	const struct story_view *a = rows_find(&rows, SLICE("a"));
	assert_string_equal(a->rank.data, "cc");
	rows_finish(&rows);
}

TEST(test_rows_in_the_order_of_their_keys_are_each_found)
{
	static const char *const ids[] = {"m", "c", "x", "a", "e", "z", "n"};
	struct rows rows;
	rows_init(&rows, &record_story_view, "story_id", "story_id");
	assert_null(rows_find(&rows, SLICE("a")));
	for (size_t i = 0; i < 7; i++) {
		put_story(&rows, ids[i], "");
		put_story(&rows, ids[i / 2], "again");
	}
	assert_stories(&rows, "acemnxz");
	for (int letter = 'A'; letter <= 'z'; letter++) {
		char id = (char)letter;
		const struct story_view *s = rows_find(&rows, slice_of(&id, 1));
		bool is_there = memchr("acemnxz", letter, 7) != NULL;
		assert_true(is_there ? s != NULL && s->story_id.data[0] == id : s == NULL);
	}
	assert_true(rows_drop(&rows, SLICE("a")));
	assert_false(rows_drop(&rows, SLICE("b")));
	assert_stories(&rows, "cemnxz");
	rows_finish(&rows);
}

TEST(test_a_search_goes_on_behind_a_place_and_around_the_end)
{
	struct rows rows = {0};
	assert_null(rows_find_near(&rows, SLICE("a"), 3));
	rows_init(&rows, &record_story_view, "story_id", NULL);
	put_story(&rows, "a", "");
	put_story(&rows, "b", "");
	put_story(&rows, "c", "");
	assert_ptr_equal(rows_find_near(&rows, SLICE("b"), 0), rows.items[1]);
	assert_ptr_equal(rows_find_near(&rows, SLICE("a"), 2), rows.items[0]);
	assert_null(rows_find_near(&rows, SLICE("d"), 1));
	assert_ptr_equal(rows_find_near(&rows, SLICE("c"), 9), rows.items[2]);
	rows_finish(&rows);
}

TEST(test_rows_without_an_order_stay_where_they_came)
{
	struct rows rows = {0};
	assert_null(rows_find(&rows, SLICE("b")));
	rows_finish(&rows);
	rows_init(&rows, &record_story_view, "story_id", NULL);
	struct story_view two[] = {story("b", "b"), story("a", "a")};
	rows_set(&rows, two, 2);
	put_story(&rows, "b", "z");
	assert_stories(&rows, "ba");
	rows_set(&rows, &two[1], 1);
	assert_stories(&rows, "a");
	rows_clear(&rows);
	assert_stories(&rows, "");
	put_story(&rows, "c", "c");
	assert_stories(&rows, "c");
	rows_finish(&rows);
}

/* Where a record's fields are deltas, one that is absent stays; where they are not, it goes. */
TEST(test_what_is_absent_stays_only_where_that_is_said)
{
	struct rows rows;
	rows_init(&rows, &record_user_view, "user_id", NULL);
	struct user_view user = {.user_id = SLICE("u"),
				 .username = SLICE("Ada"),
				 .with_username = true,
				 .vote = SLICE("5"),
				 .with_vote = true};
	rows_put(&rows, &user);
	struct user_view delta = {.user_id = SLICE("u"),
				  .with_vote = true,
				  .is_host = true,
				  .with_is_host = true};
	rows_put(&rows, &delta);
	const struct user_view *is = rows_find(&rows, SLICE("u"));
	assert_string_equal(is->username.data, "Ada");
	assert_null(is->vote.data);
	assert_true(is->is_host);
	rows_finish(&rows);
	rows_init(&rows, &record_story_view, "story_id", "rank");
	struct story_view noted = story("s", "r");
	noted.description = SLICE("one\ntwo");
	noted.with_description = true;
	rows_put(&rows, &noted);
	assert_string_equal(((const struct story_view *)rows.items[0])->description.data,
			    "one\ntwo");
	put_story(&rows, "s", "r");
	assert_null(((const struct story_view *)rows.items[0])->description.data);
	rows_finish(&rows);
}

TEST(test_a_copy_is_its_own)
{
	struct rows rows;
	struct rows copy;
	struct rows none = {0};
	rows_init(&rows, &record_story_view, "story_id", "rank");
	put_story(&rows, "b", "b");
	put_story(&rows, "a", "a");
	rows_copy(&copy, &rows);
	rows_finish(&rows);
	assert_stories(&copy, "ab");
	put_story(&copy, "c", "aa");
	assert_stories(&copy, "acb");
	rows_finish(&copy);
	rows_copy(&copy, &none);
	assert_null(rows_find(&copy, SLICE("a")));
	rows_finish(&copy);
}
