/*
 * test.c - the tests of a program, and its main() where it has none.
 */
#include "tests/support/test.h"

#include <utlist.h>

#include "proto/base/assert.h"

#define TESTS_MAX 256

static struct test *tests;

static int by_line(const struct test *a, const struct test *b)
{
	return a->line - b->line;
}

void test_add(struct test *test)
{
	LL_INSERT_INORDER(tests, test, by_line);
}

int test_run(CMFixtureFunction setup_all, CMFixtureFunction teardown_all)
{
	static struct CMUnitTest rows[TESTS_MAX];
	size_t n = 0;
	struct test *test;
	LL_FOREACH (tests, test) {
		ASSERT(n < TESTS_MAX);
		rows[n++] = test->row;
	}
	return _cmocka_run_group_tests("tests", rows, n, setup_all, teardown_all);
}
