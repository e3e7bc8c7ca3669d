/*
 * user_rooms.c - see user_rooms.h.
 */
#include "server/core/user_rooms.h"

#include "proto/format.h"
#include "server/core/topic.h"
#include "store/items.h"

struct user_pk {
	char text[sizeof("USER:") + CODE_CHARS_MAX];
	size_t len;
};

static struct user_pk user_pk(struct slice user_id)
{
	struct user_pk pk;
	pk.len = format_to(pk.text, sizeof(pk.text), "%s%.*s", item_rows[ITEM_USER].pk_prefix,
			   (int)user_id.len, user_id.data);
	return pk;
}

void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left)
{
	const struct user_pk pk = user_pk(user_id);
	struct session_update update = {0};
	*(has_left ? &update.left : &update.joined) = room_id;
	topic_publish(s, slice_of(pk.text, pk.len), NOTICE_SESSION_UPDATE,
		      (struct topic_stamp *)(void *)&update);
}

bool user_is_watched(const struct server *s, struct slice user_id)
{
	const struct user_pk pk = user_pk(user_id);
	return topic_is_followed(s, slice_of(pk.text, pk.len));
}

void user_signal(struct server *s, struct slice user_id, struct slice notification)
{
	const struct user_pk pk = user_pk(user_id);
	topic_signal(s, slice_of(pk.text, pk.len), notification);
}
