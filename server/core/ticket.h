/*
 * ticket.h - finds the owner of a load, query, count or commit by its number.
 *
 * Each of them is sent with a unique number, and the answer contains it. The owner embeds a
 * struct ticket, and one table leads from the number to it. A ticket is used up by its answer.
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
	TICKET_COMMAND,   /* a run of the notification command */
	TICKET_RENEWAL,   /* of this node's key */
	TICKET_LIST,      /* of nodes */
	TICKET_BUCKET,    /* taking a bucket, checking it, giving it up */
	TICKET_SWEEP
};

/* Zeroed: waits for nothing. */
struct ticket {
	uint64_t number; /* 0: waits for nothing */
	UT_hash_handle hh;
	unsigned char owner; /* enum ticket_owner */
};

/*
 * Send an effect under a new number and wait for its answer, and for no earlier one. Returns
 * false if memory is out: nothing was sent, and the ticket waits for nothing.
 */
bool ticket_send(struct server *s, struct ticket *t, enum ticket_owner owner, const struct effect *effect);
/* Stop waiting: the answer will be dropped. */
void ticket_close(struct server *s, struct ticket *t);
/* Return the ticket that waits for the number, and stop waiting; NULL if there is none. */
struct ticket *ticket_take(struct server *s, uint64_t number);

#endif
