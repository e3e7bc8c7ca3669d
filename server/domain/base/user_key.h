/*
 * user_key.h - the key of a seat in a room, and the key that a login has there.
 *
 * A login has one seat in a room, on any connection: its user_key is derived from user and room.
 * So one item tells, for the room and for the directory, whether a user has a seat in a room.
 */
#ifndef SERVER_DOMAIN_BASE_USER_KEY_H
#define SERVER_DOMAIN_BASE_USER_KEY_H

#include "proto/keys/key_hash.h"

/* Return the hash of a key: the rest of the SK of the SEAT item. */
struct key_text user_key_hash(const unsigned char *server_key, struct slice user_key);

/* Return the key of a login's seat in the room. */
struct key_text user_key_of_login(const unsigned char *server_key, struct slice user_id, struct slice room_id);
/* Return its hash; "", which no seat has, if user_id is empty. */
struct key_text user_key_hash_of_login(const unsigned char *server_key, struct slice user_id, struct slice room_id);

#endif
