/*
 * test_memory.c - buffers, arenas, formatting and errors: what all else stands on.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/format.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

TEST(test_a_buffer_holds_exactly_its_maximum)
{
	for (size_t max = 0; max < 300; max++) {
		struct buf b;
		buf_init(&b, max);
		for (size_t i = 0; i < max; i++) {
			assert_int_equal(buf_append(&b, "z", 1), OK);
		}
		assert_int_equal(b.len, max);
		assert_true(b.capacity <= max || max == 0);
		assert_int_equal(buf_append(&b, "z", 1), ERR_TOO_LARGE);
		assert_int_equal(b.len, max);
		buf_finish(&b);
	}
}

TEST(test_an_error_sticks_until_the_buffer_is_cleared)
{
	struct buf b;
	buf_init(&b, 4);
	assert_int_equal(buf_append(&b, "12345", 5), ERR_TOO_LARGE);
	assert_int_equal(buf_append(&b, "1", 1), ERR_TOO_LARGE);
	assert_int_equal(buf_append(&b, NULL, 0), ERR_TOO_LARGE);
	assert_null(buf_reserve(&b, 0));
	assert_int_equal(b.len, 0);
	buf_clear(&b);
	assert_int_equal(buf_append_slice(&b, SLICE("1234")), OK);
	assert_true(slice_eq(buf_slice(&b), SLICE("1234")));
	buf_finish(&b);
}

TEST(test_a_failed_allocation_loses_nothing)
{
	struct buf b;
	buf_init(&b, 1 << 20);
	assert_int_equal(buf_append(&b, "before", 6), OK);
	char *more = calloc(1, 4096);
	assert_non_null(more);
	heap_fail_nth(0, false);
	enum err e = buf_append(&b, more, 4096);
	heap_fail_never();
	assert_int_equal(e, ERR_NOMEM);
	assert_true(slice_eq(buf_slice(&b), SLICE("before")));
	assert_int_equal(b.error, ERR_NOMEM);
	free(more);
	buf_finish(&b);
}

TEST(test_huge_lengths_do_not_wrap_around)
{
	struct buf b;
	buf_init(&b, SIZE_MAX);
	assert_int_equal(buf_append(&b, "z", 1), OK);
	assert_null(buf_reserve(&b, SIZE_MAX));
	assert_int_equal(b.error, ERR_TOO_LARGE);
	buf_finish(&b);
	struct arena a = {0};
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_alloc(&a, SIZE_MAX - 64));
	arena_finish(&a);
}

TEST(test_dropping_takes_from_the_front)
{
	struct buf b;
	buf_init(&b, 64);
	buf_append(&b, "abcdef", 6);
	buf_drop(&b, 0);
	assert_true(slice_eq(buf_slice(&b), SLICE("abcdef")));
	buf_drop(&b, 2);
	assert_true(slice_eq(buf_slice(&b), SLICE("cdef")));
	buf_drop(&b, 99);
	assert_int_equal(b.len, 0);
	buf_finish(&b);
}

TEST(test_taking_leaves_an_empty_buffer_that_can_go_on)
{
	struct buf b;
	buf_init(&b, 64);
	assert_null(buf_take(&b));
	buf_append(&b, "abc", 4);
	char *taken = buf_take(&b);
	assert_string_equal(taken, "abc");
	free(taken);
	assert_int_equal(b.len, 0);
	assert_int_equal(buf_append(&b, "z", 1), OK);
	buf_finish(&b);
}

TEST(test_formatted_text_is_appended_whole_or_not_at_all)
{
	struct buf b;
	buf_init(&b, 16);
	assert_int_equal(buf_printf(&b, "%d %s", 42, "cards"), OK);
	assert_true(slice_eq(buf_slice(&b), SLICE("42 cards")));
	assert_int_equal(buf_printf(&b, "%s", "12345678"), ERR_TOO_LARGE);
	assert_int_equal(b.len, 8);
	buf_finish(&b);
}

TEST(test_cut_text_ends_at_a_character)
{
	static const struct {
		const char *text;
		size_t cap;
		const char *want;
	} rows[] = {
		{"abc", 1, ""},
		{"abc", 3, "ab"},
		{"abc", 4, "abc"},
		{"ab\xc3\xa9", 4, "ab"},
		{"ab\xc3\xa9", 5, "ab\xc3\xa9"},
		{"a\xe2\x88\x9ez", 3, "a"},
		{"a\xe2\x88\x9ez", 4, "a"},
		{"a\xe2\x88\x9ez", 5, "a\xe2\x88\x9e"},
		{"\xf0\x9f\x98\x80", 2, ""},
		{"\xf0\x9f\x98\x80", 3, ""},
		{"\xf0\x9f\x98\x80", 4, ""},
		{"\xf0\x9f\x98\x80", 5, "\xf0\x9f\x98\x80"},
		{"\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 7, "\xf0\x9f\x98\x80"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[16];
		memset(out, '#', sizeof(out));
		size_t len = format_to(out, rows[i].cap, "%s", rows[i].text);
		assert_string_equal(out, rows[i].want);
		assert_int_equal(len, strlen(rows[i].want));
		assert_int_equal(out[rows[i].cap], '#');
	}
}

TEST(test_arena_memory_is_zero_aligned_and_apart)
{
	struct arena a = {0};
	for (int round = 0; round < 3; round++) {
		char *last = NULL;
		for (size_t len = 0; len < 9000; len = len * 2 + 1) {
			char *p = arena_alloc(&a, len);
			assert_non_null(p);
			assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
			assert_ptr_not_equal(p, last);
			for (size_t i = 0; i < len; i++) {
				assert_int_equal(p[i], 0);
			}
			memset(p, 'z', len);
			last = p;
		}
		arena_reset(&a);
	}
	arena_finish(&a);
	assert_null(a.blocks);
	arena_finish(&a);
}

TEST(test_a_reset_arena_serves_small_messages_without_allocating)
{
	struct arena a = {0};
	assert_non_null(arena_alloc(&a, 100));
	assert_non_null(arena_alloc(&a, 1000));
	assert_non_null(arena_alloc(&a, 100000));
	arena_reset(&a);
	heap_fail_nth(0, true);
	void *small = arena_alloc(&a, 1000);
	void *large = arena_alloc(&a, 100000);
	heap_fail_never();
	assert_non_null(small);
	assert_null(large);
	arena_finish(&a);
}

TEST(test_copies_of_nothing_are_nothing)
{
	struct arena a = {0};
	bool ok = true;
	assert_null(arena_copy(&a, SLICE(""), &ok).data);
	assert_true(ok);
	struct slice copy = arena_copy(&a, SLICE("abc"), &ok);
	assert_true(ok && slice_eq(copy, SLICE("abc")));
	arena_finish(&a);
	heap_fail_nth(0, true);
	copy = arena_copy(&a, SLICE("abc"), &ok);
	heap_fail_never();
	assert_false(ok);
	assert_int_equal(copy.len, 0);
}

TEST(test_slices_are_ordered_by_bytes_and_then_by_length)
{
	assert_int_equal(slice_cmp(SLICE("a"), SLICE("a")), 0);
	assert_true(slice_cmp(SLICE("a"), SLICE("b")) < 0);
	assert_true(slice_cmp(SLICE("a"), SLICE("aa")) < 0);
	assert_true(slice_cmp(SLICE("\xff"), SLICE("a")) > 0);
	assert_true(slice_cmp((struct slice){NULL, 0}, SLICE("a")) < 0);
	assert_true(slice_eq((struct slice){NULL, 0}, SLICE("")));
	assert_true(slice_starts(SLICE("abc"), SLICE("ab")));
	assert_true(slice_starts(SLICE("abc"), SLICE("")));
	assert_false(slice_starts(SLICE("ab"), SLICE("abc")));
	assert_int_equal(slice_str(NULL).len, 0);
}

TEST(test_every_error_has_its_text)
{
	assert_string_equal(err_text(OK), "ok");
	assert_string_equal(err_text(ERR_CLOSED), "closed");
	assert_string_equal(err_text((enum err)999), "unknown error");
	for (int e = OK; e <= ERR_CLOSED; e++) {
		assert_true(err_text((enum err)e)[0] != '\0');
	}
}

TEST(test_descriptions_are_prefixed_and_cut)
{
	struct errmsg m = {""};
	errmsg_set(&m, "map is full at %d", 7);
	errmsg_prefix(&m, "open store");
	assert_string_equal(m.text, "open store: map is full at 7");
	for (int i = 0; i < 100; i++) {
		errmsg_prefix(&m, "again");
	}
	assert_int_equal(strlen(m.text), sizeof(m.text) - 1);
	assert_int_equal(strncmp(m.text, "again: again: ", 14), 0);
}
