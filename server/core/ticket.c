/*
 * ticket.c - see ticket.h.
 */
#include "server/core/ticket.h"

#include "server/core/server_priv.h"

bool ticket_open(struct server *s, struct ticket *t, enum ticket_owner owner)
{
	ticket_close(s, t);
	t->number = ++s->last_ticket;
	t->owner = (unsigned char)owner;
	HASH_ADD(hh, s->tickets, number, sizeof(t->number), t);
	if (t->hh.tbl == NULL) {
		t->number = 0;
		return false;
	}
	return true;
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
