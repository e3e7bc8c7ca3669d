/*
 * user_rooms.h - a user's list of rooms, as the rooms change it: where the two halves of the core meet.
 */
#ifndef SERVER_CORE_USER_ROOMS_H
#define SERVER_CORE_USER_ROOMS_H

#include <stdbool.h>

#include "proto/slice.h"

struct server;

/* It is durable that the user has a seat in the room, or has none any more: those who watch their rooms are sent that. */
void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left);

#endif
