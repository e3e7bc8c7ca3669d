/*
 * room_page.h - loading rounds of a room's history for requests that wait for them.
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

/* Rounds of a partition that are being loaded, and the requests waiting for them. */
struct room_page {
	struct ticket ticket;
	struct partition *partition;
	struct rounds_page rounds;
	struct parked *parked; /* in order */
};
/*
 * Let the request, which has been counted, wait for these rounds and be handled again. Returns
 * false if memory is out.
 */
bool room_page_want(struct server *s, struct partition *p, const struct request *rq, const struct rounds_page *rounds);
void room_page_loaded(struct server *s, struct ticket *ticket, const struct event *e);
void room_page_destroy(struct server *s, struct room_page *page); /* page may be NULL */

#endif
