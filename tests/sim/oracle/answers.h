/*
 * answers.h - what an answer promises: that a granted change can be seen where
 * it says, and that a refusal had its reason.
 */
#ifndef TESTS_SIM_ORACLE_ANSWERS_H
#define TESTS_SIM_ORACLE_ANSWERS_H

#include "tests/sim/world/world.h"

/* Whether in that state an answer to op is right. */
typedef bool state_test(const struct world *w, const struct op *op, const struct view *v);

/* Whether some state while the request was with the server was so; true also where not all are known. */
bool answers_some(const struct world *w, const struct op *op, state_test *test);

/* As many wrong codes may have been tried as anybody may. */
bool answers_may_have_guessed(const struct world *w);

/* Tests that several methods share: its sender is no host, has no seat; whom it concerns has none; the cards lie open. */
state_test is_no_host, has_no_seat, has_no_target, is_revealed;

void answers_granted(struct world *w, struct conn *c, const struct op *op, const union method_result *result);
void answers_refused(struct world *w, struct conn *c, const struct op *op, const struct fault *f);

#endif
