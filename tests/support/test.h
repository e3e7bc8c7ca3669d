/*
 * test.h - a test's name stands once: where the test is.
 *
 *   TEST(test_an_empty_log_has_no_lines)
 *   {
 *           assert_int_equal(log_lines(""), 0);
 *   }
 *
 * A program of such tests has no list of them, and no main(): test.c has one, which
 * runs the tests of the file in their order. A program with a main() of its own calls
 * test_run(). A scene that many tests begin with has a macro of its own, made of
 * TEST_IN() or TEST_OF(): see tests/unit/server/table.h.
 */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct test {
	struct CMUnitTest row;
	int line;
	struct test *next;
};

/* Before main(). The test stays the caller's. */
void test_add(struct test *test);
/* Every test of the program in the order of their lines; the number of those that failed. */
int test_run(CMFixtureFunction setup_all, CMFixtureFunction teardown_all);

/* A test that needs nothing. */
#define TEST(name)                                     \
	static void name(void);                        \
	static void name##_run(void **state)           \
	{                                              \
		(void)state;                           \
		name();                                \
	}                                              \
	TEST_ROW_(name, #name, name##_run, NULL, NULL) \
	static void name(void)

/* A test of what setup made, a `type`, which the test calls `scene`. */
#define TEST_IN(name, type, scene, setup, teardown)         \
	TEST_HEAD_(name, type)                              \
	TEST_ROW_(name, #name, name##_run, setup, teardown) \
	TEST_BODY_(name, type, scene)

/*
 * A test of a scene, a `type`, which is there for as long as the test runs: the statements
 * `lay` and `clear`, which call it by the same name, begin and end it.
 */
#define TEST_OF(name, type, scene, lay, clear)         \
	static void name(type *scene);                 \
	static void name##_run(void **state)           \
	{                                              \
		type scene_;                           \
		type *scene = &scene_;                 \
		(void)state;                           \
		lay;                                   \
		name(scene);                           \
		clear;                                 \
	}                                              \
	TEST_ROW_(name, #name, name##_run, NULL, NULL) \
	TEST_BODY_(name, type, scene)

/* ---- what the macros above are made of ---- */

#define TEST_HEAD_(name, type)               \
	static void name(type *scene);       \
	static void name##_run(void **state) \
	{                                    \
		name(*state);                \
	}
#define TEST_ROW_(id, title, run, setup, teardown)                                               \
	__attribute__((constructor)) static void id##_add(void)                                  \
	{                                                                                        \
		static struct test test = {{title, run, setup, teardown, NULL}, __LINE__, NULL}; \
		test_add(&test);                                                                 \
	}
#define TEST_BODY_(name, type, scene) static void name(__attribute__((unused)) type *scene)

#endif
