/*
 * ticket.h - from the number of a load, query or commit to its owner.
 *
 * Each load, query and commit goes out under a number of its own; the answer
 * brings it back. The owner embeds a struct ticket, and one table leads
 * from the number to it. A ticket is used up by its answer.
 */
#ifndef SERVER_CORE_TICKET_H
#define SERVER_CORE_TICKET_H

#include <stdbool.h>
#include <stdint.h>

#include "server/domain/base/uthash_config.h"

struct effect;
struct server;

enum ticket_owner {
	TICKET_PARTITION, /* a room's load or commit */
	TICKET_PAGE,      /* a load of rounds */
	TICKET_READ,      /* a transaction's load or query */
	TICKET_COMMIT,    /* a transaction's commit */
	TICKET_COMMAND,   /* a run of the command for notices */
	TICKET_SWEEP
};

/* A zeroed one waits for nothing. */
struct ticket {
	uint64_t number; /* 0: nothing is on its way */
	UT_hash_handle hh;
	unsigned char owner; /* enum ticket_owner */
};

/* Send a load, query or commit under a new number, and wait for its answer, for no earlier one. False when memory is out: it was not
 * sent, and the ticket waits for nothing. */
bool ticket_send(struct server *s, struct ticket *t, enum ticket_owner owner, const struct effect *effect);
/* Wait no longer: the answer, when it comes, is dropped. */
void ticket_close(struct server *s, struct ticket *t);
/* The one that waits for the number, and waits no longer; NULL where none does. */
struct ticket *ticket_take(struct server *s, uint64_t number);

#endif
