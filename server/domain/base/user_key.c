/*
 * user_key.c - see user_key.h.
 */
#include "server/domain/base/user_key.h"

#include "proto/base/format.h"
#include "proto/keys/room_code.h"

struct key_text user_key_hash(const unsigned char *server_key, struct slice user_key)
{
	return key_hash(server_key, "user", user_key);
}

struct key_text user_key_of_login(const unsigned char *server_key, struct slice user_id,
				  struct slice room_id)
{
	char text[2 * CODE_CHARS_MAX + 2];
	unsigned char key[SEED_BYTES];
	size_t len = format_to(text, sizeof(text), "%.*s#%.*s", (int)user_id.len, user_id.data,
			       (int)room_id.len, room_id.data);
	derive_bytes(server_key, "seat", slice_of(text, len), key, sizeof(key));
	return key_from_bytes(key);
}

struct key_text user_key_hash_of_login(const unsigned char *server_key, struct slice user_id,
				       struct slice room_id)
{
	if (user_id.len == 0) {
		return (struct key_text){{0}};
	}
	struct key_text key = user_key_of_login(server_key, user_id, room_id);
	return user_key_hash(server_key, slice_of(key.text, KEY_CHARS));
}
