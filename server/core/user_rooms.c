/*
 * user_rooms.c - see user_rooms.h.
 */
#include "server/core/user_rooms.h"

#include "proto/format.h"
#include "server/core/topic.h"
#include "store/items.h"

void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left)
{
	char pk[sizeof("USER:") + CODE_CHARS_MAX];
	size_t len = format_to(pk, sizeof(pk), "%s%.*s", item_rows[ITEM_USER].pk_prefix,
			       (int)user_id.len, user_id.data);
	struct session_update update = {0};
	*(has_left ? &update.left : &update.joined) = room_id;
	topic_publish(s, slice_of(pk, len), NOTICE_SESSION_UPDATE,
		      (struct topic_stamp *)(void *)&update);
}
