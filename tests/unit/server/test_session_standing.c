/*
 * test_session_standing.c - which methods a session suffices for.
 */
#include "server/domain/session/session.h"
#include "tests/support/test.h"

TEST(test_some_methods_need_a_session_and_some_a_key)
{
	const struct session guest_session = {.is_keyed = false};
	const struct session keyed = {.is_keyed = true};
	struct fault f = {0};
	assert_true(session_suffices(WHO_GREETED, NULL, &f));
	assert_false(session_suffices(WHO_USER, NULL, &f));
	assert_int_equal(f.code, FAULT_UNAUTHENTICATED);
	assert_true(session_suffices(WHO_USER, &guest_session, &f));
	assert_false(session_suffices(WHO_KEYED, NULL, &f));
	assert_int_equal(f.code, FAULT_UNAUTHENTICATED);
	assert_false(session_suffices(WHO_KEYED, &guest_session, &f));
	assert_int_equal(f.code, FAULT_FORBIDDEN);
	assert_true(session_suffices(WHO_KEYED, &keyed, &f));
}
