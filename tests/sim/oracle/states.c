/*
 * states.c - see states.h.
 */
#include "tests/sim/oracle/states.h"

#include <stdio.h>

#include "server/core/subscription_state.h"

static uint64_t seen[SUBSCRIPTION_STATE_COUNT][SUBSCRIPTION_STATE_COUNT];

void states_count(const struct server *s)
{
	for (int from = 0; from < SUBSCRIPTION_STATE_COUNT; from++) {
		for (int to = 0; to < SUBSCRIPTION_STATE_COUNT; to++) {
			seen[from][to] += server_subscription_moves(s, from, to);
		}
	}
}

unsigned states_print_unseen(void)
{
	unsigned unseen = 0;
	unsigned allowed = 0;
	for (int from = 0; from < SUBSCRIPTION_STATE_COUNT; from++) {
		for (int to = 0; to < SUBSCRIPTION_STATE_COUNT; to++) {
			allowed += subscription_may_move(from, to);
			if (subscription_may_move(from, to) && seen[from][to] == 0) {
				printf("# no subscription went from %s to %s\n",
				       subscription_state_name(from), subscription_state_name(to));
				unseen++;
			}
		}
	}
	printf("# %u of %u moves between the states of a subscription\n", allowed - unseen,
	       allowed);
	return unseen;
}
