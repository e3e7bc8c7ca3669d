/*
 * ticket.c - see ticket.h.
 */
#include "server/core/ticket.h"

#include "server/core/server_priv.h"

bool ticket_send(struct server *s, struct ticket *t, enum ticket_owner owner,
		 const struct effect *effect)
{
	struct effect fx = *effect;
	ticket_close(s, t);
	t->number = fx.ticket = ++s->last_ticket;
	t->owner = (unsigned char)owner;
	HASH_ADD(hh, s->tickets, number, sizeof(t->number), t);
	if (t->hh.tbl == NULL) {
		t->number = 0;
	} else if (!server_effect(s, &fx)) {
		ticket_close(s, t);
	}
	return t->number != 0;
}

void ticket_close(struct server *s, struct ticket *t)
{
	if (t->number != 0) {
		HASH_DELETE(hh, s->tickets, t);
		t->hh.tbl = NULL;
		t->number = 0;
	}
}

struct ticket *ticket_take(struct server *s, uint64_t number)
{
	struct ticket *t = NULL;
	HASH_FIND(hh, s->tickets, &number, sizeof(number), t);
	if (t != NULL) {
		ticket_close(s, t);
	}
	return t;
}
