/*
 * assert.h - checks of the program's own logic, on in every build; only slow checks are optional.
 *
 * They are for programming errors: preconditions, invariants. Input from a peer, a file or the
 * kernel is checked and reported, never asserted. A failed check aborts: continuing would
 * endanger votes that are already on disk.
 */
#ifndef PROTO_BASE_ASSERT_H
#define PROTO_BASE_ASSERT_H

#include <stdint.h>

/*
 * Whether to run checks that cost as much as the work they check: yes in all variants that tests
 * use, not in release builds. Write `if (ASSERT_SLOW)`, so that the code is always compiled.
 * Other code must not depend on them.
 */
#ifndef ASSERT_SLOW
#define ASSERT_SLOW 1
#endif

_Noreturn void assert_failed(const char *file, int line, const char *claim);
_Noreturn void assert_cmp_failed(const char *file, int line, const char *claim, intmax_t a, intmax_t b);

#define ASSERT(claim) ((claim) ? (void)0 : assert_failed(__FILE__, __LINE__, #claim))
/* Both sides are evaluated again to print them if the check fails. */
#define ASSERT_CMP(a, op, b)                                                                       \
	(((a)op(b)) ? (void)0                                                                      \
		    : assert_cmp_failed(__FILE__, __LINE__, #a " " #op " " #b, (intmax_t)(a), (intmax_t)(b)))

#endif
