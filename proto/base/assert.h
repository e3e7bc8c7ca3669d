/*
 * assert.h - checks of our own logic, on in every build but for slow ones.
 *
 * For what a programmer got wrong: preconditions, invariants. What a peer, a
 * file or the kernel may get wrong is checked and reported, never asserted.
 * A failed check aborts: continuing would risk votes that are already on disk.
 */
#ifndef PROTO_BASE_ASSERT_H
#define PROTO_BASE_ASSERT_H

#include <stdint.h>

/*
 * Whether checks are built that cost as much as the work they check: in all
 * variants that tests run in, not in release. Code asks `if (ASSERT_SLOW)`, so
 * that it is compiled everywhere. Never for what other checks rely on.
 */
#ifndef ASSERT_SLOW
#define ASSERT_SLOW 1
#endif

_Noreturn void assert_failed(const char *file, int line, const char *claim);
_Noreturn void assert_cmp_failed(const char *file, int line, const char *claim, intmax_t a, intmax_t b);

#define ASSERT(claim) ((claim) ? (void)0 : assert_failed(__FILE__, __LINE__, #claim))
/* Both sides are evaluated a second time only to print them. */
#define ASSERT_CMP(a, op, b)                                                                       \
	(((a)op(b)) ? (void)0                                                                      \
		    : assert_cmp_failed(__FILE__, __LINE__, #a " " #op " " #b, (intmax_t)(a), (intmax_t)(b)))

#endif
