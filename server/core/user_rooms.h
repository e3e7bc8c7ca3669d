/*
 * user_rooms.h - publishes what rooms change in a user's list of rooms: where the two halves of the core meet.
 */
#ifndef SERVER_CORE_USER_ROOMS_H
#define SERVER_CORE_USER_ROOMS_H

#include <stdbool.h>

#include "proto/slice.h"

struct server;

/* It is durable that the user has a seat in the room, or has none any more: sessions that watch the user are sent that. */
void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left);

#endif
