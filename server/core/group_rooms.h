/*
 * group_rooms.h - the rooms of a group, to those who watch it.
 *
 * A room is no part of its group's partition: what changes there raises no version of
 * the group. Its line in group.rooms is sent when it has changed, durably, in an update
 * that has the version that watchers have already.
 */
#ifndef SERVER_CORE_GROUP_ROOMS_H
#define SERVER_CORE_GROUP_ROOMS_H

#include <stdbool.h>

struct partition;
struct server;
struct unit;

/* The unit closes: keep how the room is then, if its group is watched. False when memory is out. */
bool group_room_note(const struct server *s, const struct partition *p, struct unit *u);
/* The unit is durable: send that, if it is not what was sent last; of a room that ends, that it is gone. */
void group_room_publish(struct server *s, struct partition *p, const struct unit *u);

#endif
