/*
 * user_key.h - the key that names a seat of a room, and the one that a login has there.
 *
 * A login has one seat in a room, on whatever connection: its user_key follows
 * from user and room. So whether a user has a seat in a room is a look at one
 * item, for the room and for the directory.
 */
#ifndef SERVER_DOMAIN_BASE_USER_KEY_H
#define SERVER_DOMAIN_BASE_USER_KEY_H

#include "proto/keys/key_hash.h"

/* The key as the table has it: the rest of the SEAT item's SK. */
struct key_text user_key_hash(const unsigned char *server_key, struct slice user_key);

/* The key of a login's seat in the room. */
struct key_text user_key_of_login(const unsigned char *server_key, struct slice user_id, struct slice room_id);
/* The hash of that; "", which no seat has, where nobody is logged in (user_id is empty). */
struct key_text user_key_hash_of_login(const unsigned char *server_key, struct slice user_id, struct slice room_id);

#endif
