/*
 * user_rooms.c - see user_rooms.h.
 */
#include "server/core/user_rooms.h"

#include "proto/base/format.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/base/user_key.h"
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

void user_seat_ended(struct server *s, struct slice user_id, struct slice room_id)
{
	const struct item_row *row = &item_rows[ITEM_SEAT];
	struct key_text hash = user_key_hash_of_login(s->config.server_key, user_id, room_id);
	char pk[sizeof("ROOM:") + CODE_CHARS_MAX], sk[sizeof("USER:") + KEY_CHARS];
	struct slice item_pk = slice_of(pk, format_to(pk, sizeof(pk), "%s%.*s", row->pk_prefix,
						      (int)room_id.len, room_id.data));
	struct slice item_sk = slice_of(sk, format_to(sk, sizeof(sk), "%s%s", row->sk, hash.text));
	topic_item_gone(s, item_pk, item_sk);
	txn_overtake_readers(s, item_pk, item_sk);
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
