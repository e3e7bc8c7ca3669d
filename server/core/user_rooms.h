/*
 * user_rooms.h - what rooms publish to sessions that watch a user: where the two halves of the core meet.
 */
#ifndef SERVER_CORE_USER_ROOMS_H
#define SERVER_CORE_USER_ROOMS_H

#include <stdbool.h>

#include "proto/base/slice.h"

struct server;

/* It is durable that the user has a seat in the room, or has none any more: sessions that watch the user are sent that. */
void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left);
/*
 * It is durable that the user's seat is gone, or that the user was put out and may only come back to it: subscriptions
 * to topics that it gave the right to end.
 */
void user_seat_ended(struct server *s, struct slice user_id, struct slice room_id);

/* Whether a session of the user watches. */
bool user_is_watched(const struct server *s, struct slice user_id);
/* Send a transient notification, encoded, to the sessions that watch the user. */
void user_signal(struct server *s, struct slice user_id, struct slice notification);

#endif
