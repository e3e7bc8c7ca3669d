/*
 * user_rooms.c - see user_rooms.h.
 */
#include "server/core/user_rooms.h"

#include "proto/base/format.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/base/user_key.h"
#include "store/items.h"

void user_rooms_changed(struct server *s, struct slice user_id, struct slice room_id, bool has_left)
{
	struct item_pk pk;
	struct session_update update = {0};
	*(has_left ? &update.left : &update.joined) = room_id;
	topic_publish(s, item_pk_of(&pk, ITEM_USER, user_id), NOTICE_SESSION_UPDATE,
		      (struct topic_stamp *)(void *)&update);
}

void user_seat_ended(struct server *s, struct slice user_id, struct slice room_id)
{
	struct key_text hash = user_key_hash_of_login(s->config.server_key, user_id, room_id);
	char sk[ITEM_KEY_BYTES_MAX + 1];
	size_t len = format_to(sk, sizeof(sk), "%s%s", item_rows[ITEM_SEAT].sk, hash.text);
	struct item_pk text;
	struct slice pk = item_pk_of(&text, ITEM_SEAT, room_id);
	topic_item_gone(s, pk, slice_of(sk, len));
	txn_overtake_readers(s, pk, slice_of(sk, len));
}

bool user_is_watched(const struct server *s, struct slice user_id)
{
	struct item_pk pk;
	return topic_is_followed(s, item_pk_of(&pk, ITEM_USER, user_id));
}

void user_signal(struct server *s, struct slice user_id, struct slice notification)
{
	struct item_pk pk;
	topic_signal(s, item_pk_of(&pk, ITEM_USER, user_id), notification);
}
