/*
 * machine.h - declared state machines: which transitions are allowed.
 *
 * A machine is a constant table. Its owner keeps the state in its own enum and changes it in one
 * function, which calls machine_move() first.
 */
#ifndef SERVER_DOMAIN_BASE_MACHINE_H
#define SERVER_DOMAIN_BASE_MACHINE_H

#define MACHINE_STATES_MAX 12
#define MACHINE_TO(state)  (1u << (state))

struct machine {
	const char *name;
	struct {
		const char *name; /* NULL: no such state */
		unsigned next;    /* MACHINE_TO() of the allowed next states */
	} states[MACHINE_STATES_MAX];
};

/* Called before each transition. For tests; NULL: none. */
struct machine_trace {
	void (*moves)(void *context, const struct machine *m, const char *whose, unsigned from, unsigned to);
	void *context;
};

/* Assert that the transition is allowed. @whose: an id for the trace. */
void machine_move(const struct machine *m, const struct machine_trace *trace, const char *whose, unsigned from,
		  unsigned to);

#endif
