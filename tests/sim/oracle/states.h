/*
 * states.h - which moves of the declared state machines the runs have seen.
 */
#ifndef TESTS_SIM_ORACLE_STATES_H
#define TESTS_SIM_ORACLE_STATES_H

#include <stdbool.h>
#include <stdint.h>

struct server;

/* Count what a server has seen, before it goes. A forbidden move has ended the run by then: the server asserts. */
void states_count(const struct server *s);
/* Print the moves that are allowed and were never seen; how many there are. */
unsigned states_print_unseen(void);

#endif
