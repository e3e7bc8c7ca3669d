/*
 * user_rooms.h - notifications of rooms to sessions that watch a user; connects the two halves of
 * the core.
 */
#ifndef SERVER_CORE_USER_ROOMS_H
#define SERVER_CORE_USER_ROOMS_H

#include <stdbool.h>

#include "proto/base/slice.h"

struct server;

/*
 * The user has, or has lost, a seat in the room, durably: notify the sessions that watch the
 * user.
 */
void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left);
/*
 * The user's seat was removed, or the user was put out and may only come back to it, durably: end
 * the subscriptions to topics that depended on the seat.
 */
void user_seat_ended(struct server *s, struct slice user_id, struct slice room_id);

/* Return whether any session watches the user. */
bool user_is_watched(const struct server *s, struct slice user_id);
/* Send an encoded transient notification to the sessions that watch the user. */
void user_signal(struct server *s, struct slice user_id, struct slice notification);

#endif
