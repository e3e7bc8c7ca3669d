/*
 * group_rooms.c - see group_rooms.h.
 */
#include "server/core/group_rooms.h"

#include <string.h>

#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/txn/topic.h"
#include "server/domain/room/room.h"
#include "store/items.h"

bool group_room_note(const struct server *s, const struct partition *p, struct unit *u)
{
	struct group_room room;
	struct item_pk pk;
	if (!room_has_group(p->room)) {
		return true;
	}
	if (!topic_is_followed(s, item_pk_of(&pk, ITEM_GROUP, room_of_group(p->room, &room)))) {
		return true;
	}
	bool ok = true;
	u->group_room = arena_alloc(&u->arena, sizeof(*u->group_room));
	room.title = arena_copy(&u->arena, room.title, &ok);
	if (u->group_room != NULL) {
		*u->group_room = room;
	}
	return u->group_room != NULL && ok;
}

void group_room_publish(struct server *s, struct partition *p, const struct unit *u)
{
	if (u->group_room == NULL) { /* nobody is sent it: what was sent last may be so no longer */
		buf_finish(&p->group_line);
		return;
	}
	struct buf line = {.max = MAX_FRAME_BYTES};
	record_write(&record_group_room, u->group_room, &line);
	bool is_known = line.error == OK && slice_eq(buf_slice(&line), buf_slice(&p->group_line));
	if (u->ends_room || !is_known) {
		struct group_room ignored;
		struct slice room_id = slice_str(p->room_id);
		struct slice group_id = room_of_group(p->room, &ignored);
		struct item_pk text;
		struct slice pk = item_pk_of(&text, ITEM_GROUP, group_id);
		const struct since at = topic_at(s, pk);
		struct group_update update = {.epoch = at.epoch,
					      .since = at.version,
					      .version = at.version,
					      .group_id = group_id};
		if (u->ends_room) {
			update.gone = (struct slices){.items = &room_id, .n = 1};
		} else {
			update.rooms = u->group_room;
			update.rooms_n = 1;
		}
		topic_publish(s, pk, NOTICE_GROUP_UPDATE, (struct topic_stamp *)(void *)&update);
	}
	buf_finish(&p->group_line);
	p->group_line = line;
}
