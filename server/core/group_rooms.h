/*
 * group_rooms.h - changes of a group's rooms, for those who watch the group.
 *
 * A room is not in its group's partition: its changes do not raise the version of the group. When
 * a room's entry in group.rooms has durably changed, it is sent in an update with the version
 * that watchers already have.
 */
#ifndef SERVER_CORE_GROUP_ROOMS_H
#define SERVER_CORE_GROUP_ROOMS_H

#include <stdbool.h>

struct partition;
struct server;
struct unit;

/*
 * The unit closes: save the room's entry, if its group is watched. Returns false if memory is
 * out.
 */
bool group_room_note(const struct server *s, const struct partition *p, struct unit *u);
/*
 * The unit is durable: send the entry if it differs from the last one sent; for a deleted room,
 * that it is deleted.
 */
void group_room_publish(struct server *s, struct partition *p, const struct unit *u);

#endif
