/*
 * group_rooms.c - see group_rooms.h.
 */
#include "server/core/group_rooms.h"

#include <string.h>

#include "proto/base/format.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/txn/topic.h"
#include "server/domain/room/room.h"
#include "store/items.h"

struct group_pk {
	char text[sizeof("GROUP:") + 2 + CODE_CHARS_MAX];
	size_t len;
};

static struct group_pk group_pk(struct slice group_id)
{
	struct group_pk pk;
	pk.len = format_to(pk.text, sizeof(pk.text), "%s%.*s", item_rows[ITEM_GROUP].pk_prefix,
			   (int)group_id.len, group_id.data);
	return pk;
}

bool group_room_note(const struct server *s, const struct partition *p, struct unit *u)
{
	struct group_room room;
	if (!room_has_group(p->room)) {
		return true;
	}
	const struct group_pk pk = group_pk(room_of_group(p->room, &room));
	if (!topic_is_followed(s, slice_of(pk.text, pk.len))) {
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
		const struct group_pk pk = group_pk(group_id);
		const struct since at = topic_at(s, slice_of(pk.text, pk.len));
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
		topic_publish(s, slice_of(pk.text, pk.len), NOTICE_GROUP_UPDATE,
			      (struct topic_stamp *)(void *)&update);
	}
	buf_finish(&p->group_line);
	p->group_line = line;
}
