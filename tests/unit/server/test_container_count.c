/*
 * test_container_count.c - what a container counts of its items.
 */
#include "server/domain/team/container.h"
#include "tests/support/test.h"

/* Data of an earlier version have no such count: it is not made up, and begins when there is nothing left to count. */
TEST(test_what_was_never_counted_is_not_known)
{
	const struct item_item story = {.name = SLICE("Refund")};
	struct container_item old = {.items = 2, .with_items = true};
	container_count(&old, &story, NULL);
	assert_int_equal(old.items, 1);
	assert_false(old.with_unestimated);
	assert_false(container_show(SLICE("c_1"), &old).with_unestimated);
	container_count(&old, NULL, &story);
	container_count(&old, &story, NULL);
	container_count(&old, &story, NULL);
	assert_true(container_show(SLICE("c_1"), &old).with_unestimated);
	container_count(&old, NULL, &story);
	assert_true(old.with_unestimated);
	assert_int_equal(old.unestimated, 1);
}
