/*
 * room_page.h - rounds of a room's history that are loaded for the requests that wait for them.
 */
#ifndef SERVER_CORE_ROOMS_ROOM_PAGE_H
#define SERVER_CORE_ROOMS_ROOM_PAGE_H

#include <stdbool.h>

#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/domain/room/room.h"

struct parked;
struct partition;
struct request;

/* Rounds of a partition that are being loaded, and the requests that wait for them. */
struct room_page {
	struct ticket ticket;
	struct partition *partition;
	struct rounds_page rounds;
	struct parked *parked; /* in order */
};
/* Have the request, which has been counted, wait for those rounds and be taken again. False when memory is out. */
bool room_page_want(struct server *s, struct partition *p, const struct request *rq, const struct rounds_page *rounds);
void room_page_loaded(struct server *s, struct ticket *ticket, const struct event *e);
void room_page_destroy(struct server *s, struct room_page *page); /* NULL is fine */

#endif
