/*
 * command.c - see command.h.
 */
#include "server/core/command.h"

#include <stdlib.h>

#include <utlist.h>

#include "server/core/server_priv.h"
#include "server/core/txn/txn.h"

static void command_free(struct server *s, struct command *c)
{
	ticket_close(s, &c->ticket);
	DL_DELETE(s->commands, c);
	s->commands_n--;
	free(c);
}

void command_run(struct server *s, struct slice input, txn_handler *then, struct slice key)
{
	if (s->is_stopping) {
		return;
	}
	struct command *c =
		s->commands_n >= MAX_COMMANDS ? NULL : calloc(1, sizeof(*c) + input.len + key.len);
	if (c == NULL) {
		s->counters.commands_dropped++;
		return;
	}
	c->then = then;
	memcpy(c->bytes, input.data, input.len);
	memcpy(c->bytes + input.len, key.data, key.len);
	c->input = slice_of(c->bytes, input.len);
	c->key = slice_of(c->bytes + input.len, key.len);
	DL_APPEND(s->commands, c);
	s->commands_n++;
	s->counters.commands_total++;
	struct effect fx = {.kind = FX_COMMAND, .input = c->input};
	if (!ticket_send(s, &c->ticket, TICKET_COMMAND, &fx)) {
		command_free(s, c);
	}
}

void command_ended(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct command *c =
		(struct command *)(void *)((char *)ticket - offsetof(struct command, ticket));
	s->counters.commands_failed += e->result != OK;
	txn_begin(s, (struct slice){0}, c->then, &(struct txn_next){c->key, e->result});
	command_free(s, c);
}

void commands_forget_all(struct server *s)
{
	while (s->commands != NULL) {
		command_free(s, s->commands);
	}
}
