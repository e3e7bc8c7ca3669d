/*
 * machine.h - declared state machines: which state may follow which.
 *
 * A machine is a constant table. Its owner keeps the state in an enum of its
 * own and changes it in one function, which calls machine_move() first.
 */
#ifndef SERVER_DOMAIN_BASE_MACHINE_H
#define SERVER_DOMAIN_BASE_MACHINE_H

#define MACHINE_STATES_MAX 12
#define MACHINE_TO(state)  (1u << (state))

struct machine {
	const char *name;
	struct {
		const char *name; /* NULL: no such state */
		unsigned next;    /* MACHINE_TO() of those that may follow */
	} states[MACHINE_STATES_MAX];
};

/* Is called at each move, before it. For tests; NULL: none. */
struct machine_trace {
	void (*moves)(void *context, const struct machine *m, const char *whose, unsigned from, unsigned to);
	void *context;
};

/* Asserts that the move is allowed. @whose, for the trace: an id. */
void machine_move(const struct machine *m, const struct machine_trace *trace, const char *whose, unsigned from,
		  unsigned to);

#endif
