/*
 * test_paged.c - a list that is read page after page, as far as it is scrolled.
 */
#include "client/model/paged.h"
#include "proto/records.h"
#include "tests/support/test.h"

static void paged_test_open(struct paged *p)
{
	paged_init(p, &record_group_entry, "group_id", NULL);
}

#define PAGED_TEST(name, p) TEST_OF(name, struct paged, p, paged_test_open(p), paged_finish(p))

/* A page with a row for each letter. */
static void take(struct paged *p, const char *ids, const char *cursor)
{
	struct group_entry page[8] = {{.group_id = {0}}};
	size_t n = 0;
	for (; ids[n] != '\0'; n++) {
		page[n].group_id = slice_of(&ids[n], 1);
	}
	p->read = PAGED_ASKED;
	paged_take(p, page, n, slice_str(cursor));
}

static void assert_rows(const struct paged *p, const char *ids)
{
	assert_int_equal(p->rows.n, strlen(ids));
	for (size_t i = 0; ids[i] != '\0'; i++) {
		const struct group_entry *g = p->rows.items[i];
		assert_int_equal(g->group_id.data[0], ids[i]);
	}
}

PAGED_TEST(test_a_page_is_shown_and_the_next_is_wanted_where_one_scrolls_there, p)
{
	assert_int_equal(p->read, PAGED_WANTED);
	take(p, "ab", "next");
	assert_rows(p, "ab");
	assert_int_equal(p->read, PAGED_IDLE);
	assert_true(p->has_more);
	paged_more(p);
	assert_int_equal(p->read, PAGED_WANTED);
	assert_string_equal(p->cursor, "next");
	take(p, "cd", "");
	assert_rows(p, "abcd");
	assert_false(p->has_more);
	paged_more(p);
	assert_int_equal(p->read, PAGED_IDLE);
}

PAGED_TEST(test_what_is_read_again_is_shown_when_as_much_of_it_is_there, p)
{
	take(p, "ab", "next");
	take(p, "cd", "next");
	paged_refresh(p);
	assert_int_equal(p->read, PAGED_WANTED);
	assert_null(p->cursor);
	take(p, "ax", "next");
	assert_rows(p, "abcd");
	assert_int_equal(p->read, PAGED_WANTED);
	take(p, "yz", "next");
	assert_rows(p, "axyz");
	assert_int_equal(p->read, PAGED_IDLE);
	assert_true(p->has_more);
	paged_refresh(p);
	take(p, "a", "");
	assert_rows(p, "a");
	assert_false(p->has_more);
}

PAGED_TEST(test_a_list_that_changes_while_it_is_read_is_read_again, p)
{
	take(p, "ab", "");
	paged_refresh(p);
	p->read = PAGED_ASKED;
	paged_refresh(p);
	take(p, "ab", "");
	assert_rows(p, "ab");
	assert_int_equal(p->read, PAGED_WANTED);
	take(p, "b", "");
	assert_rows(p, "b");
	assert_int_equal(p->read, PAGED_IDLE);
}

PAGED_TEST(test_what_is_lost_on_the_way_is_wanted_from_the_first_page_on, p)
{
	take(p, "ab", "next");
	p->read = PAGED_ASKED;
	paged_lost(p);
	assert_int_equal(p->read, PAGED_WANTED);
	assert_null(p->cursor);
	assert_rows(p, "ab");
	paged_clear(p);
	assert_rows(p, "");
	assert_false(p->is_known);
}

PAGED_TEST(test_a_list_of_pages_that_bring_nothing_ends, p)
{
	take(p, "ab", "next");
	for (int i = 0; i < 100; i++) { /* all on them may be hidden */
		take(p, "", "next");
		assert_true(p->has_more);
	}
	take(p, "c", "next");
	for (int i = 0; i < 101; i++) {
		assert_true(p->has_more);
		take(p, "c", "next");
	}
	assert_false(p->has_more);
	assert_rows(p, "abc");
	paged_refresh(p);
	for (int i = 0; i < 102; i++) {
		take(p, "a", "next");
	}
	assert_int_equal(p->read, PAGED_IDLE);
	assert_rows(p, "a");
}
