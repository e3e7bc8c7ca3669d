/*
 * command.h - runs of the server's notification command, until they have ended.
 *
 * The command itself runs outside: FX_COMMAND requests it, EVENT_COMMANDED reports how it ended.
 */
#ifndef SERVER_CORE_COMMAND_H
#define SERVER_CORE_COMMAND_H

#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/domain/txn.h"

/* Life: command_run() .. command_ended(), or the server's end. */
struct command {
	struct ticket ticket;
	struct command *next, *prev; /* in the server's list */
	txn_handler *then;
	struct slice key;   /* both in bytes */
	struct slice input;
	char bytes[];
};

/*
 * Run the command; when it has ended, or could not be run, `then` runs as a separate transaction
 * with that key. Nothing happens if COMMANDS runs have not ended, if memory is out, and while the
 * server stops.
 */
void command_run(struct server *s, struct slice input, txn_handler *then, struct slice key);
void command_ended(struct server *s, struct ticket *ticket, const struct event *e);
void commands_forget_all(struct server *s);

#endif
