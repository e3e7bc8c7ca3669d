/*
 * machine.c - moving from state to state.
 */
#include "server/domain/base/machine.h"

#include <stddef.h>

#include "proto/base/assert.h"

void machine_move(const struct machine *m, const struct machine_trace *trace, const char *whose,
		  unsigned from, unsigned to)
{
	ASSERT_CMP(from, <, MACHINE_STATES_MAX);
	ASSERT_CMP(to, <, MACHINE_STATES_MAX);
	if (trace != NULL) {
		trace->moves(trace->context, m, whose, from, to);
	}
	ASSERT((m->states[from].next & MACHINE_TO(to)) != 0);
}
