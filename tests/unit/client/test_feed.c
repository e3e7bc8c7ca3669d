/*
 * test_feed.c - a list that is read page after page, as far as it is scrolled.
 */
#include "client/model/feed.h"
#include "proto/records/records.h"
#include "tests/support/test.h"

static const struct feed_kind teams = {.list = METHOD_GROUP_LIST,
				       .rows = "groups",
				       .entry = &record_group_entry,
				       .key = "group_id"};

#define FEED_TEST(name, f) TEST_OF(name, struct feed, f, feed_init(f, &teams), feed_finish(f))

/* A page with a row for each letter, as the answer to what is or was asked. */
static void take(struct feed *f, const char *ids, const char *cursor)
{
	struct group_entry page[8] = {{.group_id = {0}}};
	size_t n = 0;
	for (; ids[n] != '\0'; n++) {
		page[n].group_id = slice_of(&ids[n], 1);
	}
	const struct group_list_result result = {.groups = page,
						 .groups_n = n,
						 .cursor = slice_str(cursor)};
	struct request *r = request_make(METHOD_GROUP_LIST);
	feed_sent(f, r);
	feed_take(f, r, &result);
	request_free(r);
}

static void assert_rows(const struct feed *f, const char *ids)
{
	assert_int_equal(f->rows.n, strlen(ids));
	for (size_t i = 0; ids[i] != '\0'; i++) {
		const struct group_entry *g = f->rows.items[i];
		assert_int_equal(g->group_id.data[0], ids[i]);
	}
}

FEED_TEST(test_a_page_is_shown_and_the_next_is_wanted_where_one_scrolls_there, f)
{
	assert_int_equal(f->read, FEED_WANTED);
	take(f, "ab", "next");
	assert_rows(f, "ab");
	assert_int_equal(f->read, FEED_IDLE);
	assert_true(f->has_more);
	feed_more(f);
	assert_int_equal(f->read, FEED_WANTED);
	assert_string_equal(f->cursor, "next");
	take(f, "cd", "");
	assert_rows(f, "abcd");
	assert_false(f->has_more);
	feed_more(f);
	assert_int_equal(f->read, FEED_IDLE);
}

FEED_TEST(test_what_is_read_again_is_shown_when_as_much_of_it_is_there, f)
{
	take(f, "ab", "next");
	take(f, "cd", "next");
	feed_refresh(f);
	assert_int_equal(f->read, FEED_WANTED);
	assert_null(f->cursor);
	take(f, "ax", "next");
	assert_rows(f, "abcd");
	assert_int_equal(f->read, FEED_WANTED);
	take(f, "yz", "next");
	assert_rows(f, "axyz");
	assert_int_equal(f->read, FEED_IDLE);
	assert_true(f->has_more);
	feed_refresh(f);
	take(f, "a", "");
	assert_rows(f, "a");
	assert_false(f->has_more);
}

FEED_TEST(test_a_list_that_changes_while_it_is_read_is_read_again, f)
{
	take(f, "ab", "");
	feed_refresh(f);
	f->read = FEED_ASKED;
	feed_refresh(f);
	take(f, "ab", "");
	assert_rows(f, "ab");
	assert_int_equal(f->read, FEED_WANTED);
	take(f, "b", "");
	assert_rows(f, "b");
	assert_int_equal(f->read, FEED_IDLE);
}

FEED_TEST(test_what_is_lost_on_the_way_is_wanted_from_the_first_page_on, f)
{
	take(f, "ab", "next");
	f->read = FEED_ASKED;
	feed_lost(f);
	assert_int_equal(f->read, FEED_WANTED);
	assert_null(f->cursor);
	assert_rows(f, "ab");
	feed_clear(f);
	assert_rows(f, "");
	assert_false(f->is_known);
}

FEED_TEST(test_a_list_of_pages_that_bring_nothing_ends, f)
{
	take(f, "ab", "next");
	for (int i = 0; i < 100; i++) { /* all on them may be hidden */
		take(f, "", "next");
		assert_true(f->has_more);
	}
	take(f, "c", "next");
	for (int i = 0; i < 101; i++) {
		assert_true(f->has_more);
		take(f, "c", "next");
	}
	assert_false(f->has_more);
	assert_rows(f, "abc");
	feed_refresh(f);
	for (int i = 0; i < 102; i++) {
		take(f, "a", "next");
	}
	assert_int_equal(f->read, FEED_IDLE);
	assert_rows(f, "a");
}

/* ---- what is refused, and what comes too late ---- */

FEED_TEST(test_what_is_refused_is_asked_for_again_after_a_while, f)
{
	struct request *r = feed_ask(f);
	feed_sent(f, r);
	assert_null(feed_ask(f));
	feed_take_refusal(f, r, "the server is busy", 20 * 1000);
	request_free(r);
	assert_string_equal(f->refused, "the server is busy");
	assert_null(feed_ask(f));
	assert_int_equal(feed_wait(f, 1000), 20 * 1000);
	assert_int_equal(feed_wait(f, 20 * 1000), 1000);
	assert_int_equal(feed_wait(f, 21 * 1000), 0);
	r = feed_ask(f);
	assert_non_null(r);
	request_free(r);
}

FEED_TEST(test_a_page_that_nobody_waits_for_any_more_is_passed_over, f)
{
	const struct group_list_result result = {.groups_n = 0};
	struct request *r = feed_ask(f);
	feed_sent(f, r);
	feed_lost(f);
	feed_take(f, r, &result);
	assert_false(f->is_known);
	assert_int_equal(f->read, FEED_WANTED);
	request_free(r);
}

/* What it asks for after the pause is of after the change. */
FEED_TEST(test_a_list_that_changed_while_it_was_refused_is_asked_for_once, f)
{
	take(f, "ab", "next");
	feed_more(f);
	struct request *r = feed_ask(f);
	feed_sent(f, r);
	feed_refresh(f);
	feed_take_refusal(f, r, "the server is busy", 20 * 1000);
	request_free(r);
	assert_int_equal(feed_wait(f, 1000), 20 * 1000);
	assert_string_equal(f->refused, "the server is busy");
	assert_int_equal(feed_wait(f, 21 * 1000), 0);
	r = feed_ask(f);
	assert_non_null(r);
	assert_null(f->cursor); /* from the first page on */
	request_free(r);
	take(f, "bc", "");
	assert_rows(f, "bc");
	assert_int_equal(f->read, FEED_IDLE);
}

/* ---- several pages as one ---- */

TEST(test_pages_that_are_shown_as_one_are_read_up_to_a_number)
{
	struct feed_kind kind = teams;
	struct feed f;
	kind.most = 4;
	kind.pages = 3;
	feed_init(&f, &kind);
	take(&f, "a", "next");
	assert_rows(&f, "");
	assert_int_equal(f.read, FEED_WANTED);
	take(&f, "b", "next");
	take(&f, "c", "next");
	assert_rows(&f, "abc");
	assert_int_equal(f.read, FEED_IDLE);
	assert_true(f.has_more);
	feed_refresh(&f);
	take(&f, "uvwxyz", "next");
	assert_rows(&f, "uvwx");
	assert_int_equal(f.read, FEED_IDLE);
	feed_finish(&f);
}

/* ---- a watch ---- */

static const struct feed_kind watch = {.list = METHOD_GROUP_WATCH,
				       .unwatch = METHOD_GROUP_UNWATCH,
				       .of = "group_id"};

#define WATCH_TEST(name, f) TEST_OF(name, struct feed, f, feed_init(f, &watch), feed_finish(f))

static void assert_asks(const struct feed *f, enum method method, const char *group_id)
{
	const void *in;
	struct slice text;
	struct request *r = feed_ask(f);
	assert_non_null(r);
	assert_int_equal(r->method, method);
	const struct field *field = request_field(r, "group_id", &in);
	memcpy(&text, field_member(field, in), sizeof(text));
	assert_string_equal(text.data, group_id);
	request_free(r);
}

static void begin(struct feed *f, const char *group_id)
{
	feed_open(f, slice_str(group_id));
	assert_asks(f, METHOD_GROUP_WATCH, group_id);
	struct request *r = feed_ask(f);
	feed_sent(f, r);
	feed_take(f, r, &(struct watch_result){.epoch = 1, .version = 5});
	request_free(r);
}

static enum feed_fit follow(struct feed *f, const char *of, int64_t since, int64_t version)
{
	return feed_follow(f, slice_str(of), 1, since, version, false);
}

WATCH_TEST(test_updates_follow_a_watch_until_one_is_missed, f)
{
	assert_null(feed_ask(f)); /* nothing is open */
	assert_int_equal(follow(f, "", 5, 6), FEED_OTHER);
	begin(f, "g_1");
	assert_null(feed_ask(f));
	assert_int_equal(follow(f, "g_1", 5, 6), FEED_FITS);
	assert_int_equal(follow(f, "g_1", 5, 6), FEED_FITS);
	assert_int_equal(follow(f, "g_2", 5, 6), FEED_OTHER);
	assert_int_equal(follow(f, "g_1", 8, 9), FEED_MISSED);
	assert_int_equal(follow(f, "g_1", 9, 10), FEED_OTHER); /* it is in the answer */
	begin(f, "g_1");
	assert_int_equal(feed_follow(f, SLICE("g_1"), 2, 5, 6, false), FEED_MISSED);
	begin(f, "g_1");
	assert_int_equal(feed_follow(f, SLICE("g_1"), 1, 0, 0, true), FEED_MISSED);
	assert_asks(f, METHOD_GROUP_WATCH, "g_1");
}

WATCH_TEST(test_what_was_left_is_watched_no_more, f)
{
	begin(f, "g_1");
	feed_open(f, SLICE("g_1"));
	assert_null(feed_ask(f));
	feed_open(f, SLICE("g_2"));
	assert_int_equal(follow(f, "g_1", 5, 6), FEED_OTHER);
	assert_asks(f, METHOD_GROUP_UNWATCH, "g_1");
	struct request *r = feed_ask(f);
	feed_sent(f, r);
	feed_take_refusal(f, r, "it is gone", 0);
	request_free(r);
	begin(f, "g_2");
	feed_lost(f); /* with the connection */
	assert_asks(f, METHOD_GROUP_WATCH, "g_2");
	begin(f, "g_2");
	feed_gone(f);
	assert_null(feed_ask(f));
	feed_open(f, SLICE("g_1"));
	assert_asks(f, METHOD_GROUP_WATCH, "g_1");
}
