/*
 * cmocka.h - as much of cmocka as unit tests need that must link with a libc alone.
 *
 * For `make musl`: Debian has cmocka for glibc only. The first assertion that fails
 * ends the program; elsewhere the tests use the library.
 */
#ifndef TESTS_SUPPORT_MUSL_CMOCKA_H
#define TESTS_SUPPORT_MUSL_CMOCKA_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
	const char *name;
	CMUnitTestFunction test_func;
	CMFixtureFunction setup_func;
	CMFixtureFunction teardown_func;
	void *initial_state;
};

#define cmocka_require(claim)                                                                    \
	do {                                                                                     \
		if (!(claim)) {                                                                  \
			(void)printf("# %s:%d: %s\nnot ok\n", __FILE__, __LINE__, #claim); \
			exit(EXIT_FAILURE);                                                      \
		}                                                                                \
	} while (0)

#define assert_true(a) cmocka_require(a)
#define assert_false(a) cmocka_require(!(a))
#define assert_null(a) cmocka_require((a) == NULL)
#define assert_non_null(a) cmocka_require((a) != NULL)
#define assert_int_equal(a, b) cmocka_require((uintmax_t)(a) == (uintmax_t)(b))
#define assert_int_not_equal(a, b) cmocka_require((uintmax_t)(a) != (uintmax_t)(b))
#define assert_ptr_equal(a, b) cmocka_require((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) cmocka_require((const void *)(a) != (const void *)(b))
#define assert_string_equal(a, b) cmocka_require(strcmp((a), (b)) == 0)
#define assert_string_not_equal(a, b) cmocka_require(strcmp((a), (b)) != 0)
#define assert_memory_equal(a, b, n) cmocka_require(memcmp((a), (b), (n)) == 0)
#define assert_memory_not_equal(a, b, n) cmocka_require(memcmp((a), (b), (n)) != 0)
#define assert_in_range(a, low, high) \
	cmocka_require((uintmax_t)(a) >= (uintmax_t)(low) && (uintmax_t)(a) <= (uintmax_t)(high))
#define fail_msg(...)                           \
	do {                                    \
		(void)printf("# " __VA_ARGS__); \
		cmocka_require(!"reached");     \
	} while (0)

static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n,
					  CMFixtureFunction setup_all, CMFixtureFunction teardown_all)
{
	void *all = NULL;
	(void)printf("1..%zu\n# %s\n", n, group);
	cmocka_require(setup_all == NULL || setup_all(&all) == 0);
	for (size_t i = 0; i < n; i++) {
		void *state = all;
		cmocka_require(tests[i].setup_func == NULL || tests[i].setup_func(&state) == 0);
		tests[i].test_func(&state);
		cmocka_require(tests[i].teardown_func == NULL || tests[i].teardown_func(&state) == 0);
		(void)printf("ok %zu - %s\n", i + 1, tests[i].name);
	}
	cmocka_require(teardown_all == NULL || teardown_all(&all) == 0);
	return EXIT_SUCCESS;
}

#endif
