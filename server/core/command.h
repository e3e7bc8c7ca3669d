/*
 * command.h - runs of the server's command for notices, until they have ended.
 *
 * The command itself is outside: FX_COMMAND asks for it, EVENT_COMMANDED says how it ended.
 */
#ifndef SERVER_CORE_COMMAND_H
#define SERVER_CORE_COMMAND_H

#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/domain/txn.h"

/* Life: command_run() .. command_ended(), or the server's end. */
struct command {
	struct ticket ticket;
	struct command *next, *prev; /* of the server */
	txn_handler *then;
	struct slice key;   /* both in bytes */
	struct slice input;
	char bytes[];
};

/*
 * Have the command run; when it has ended, or could not be run, `then` runs as a
 * transaction of its own, with that key. Nothing happens where COMMANDS of them
 * have not ended, where memory is out, and while the server stops.
 */
void command_run(struct server *s, struct slice input, txn_handler *then, struct slice key);
void command_ended(struct server *s, struct ticket *ticket, const struct event *e);
void commands_forget_all(struct server *s);

#endif
