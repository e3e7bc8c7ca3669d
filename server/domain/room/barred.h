/*
 * barred.h - user_keys that a kick in a room with a lock or a passcode has barred.
 */
#ifndef SERVER_DOMAIN_ROOM_BARRED_H
#define SERVER_DOMAIN_ROOM_BARRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/key_hash.h"
#include "proto/records.h"
#include "proto/room_code.h"
#include "proto/wire_error.h"

struct room;
struct room_call;
struct seat;

/* A user_key that a kick has barred: see room_barred.c. */
struct barred {
	struct key_text key_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char *username; /* NULL: none */
	int64_t created_on;
	bool needs_write;
	struct barred *next, *prev; /* the oldest first */
};

bool room_is_barred(const struct room *r, const struct key_text *key_hash);
/* Of a seat that is about to be removed. False when memory is out, nothing changed. */
bool room_bar(struct room *r, const struct seat *seat, int64_t wall_ms);
/* The key may take a seat again; nothing happens where it is not barred. */
void room_unbar(struct room *r, const struct key_text *key_hash);
/* The list for hosts; at most MAX_BARRED to out, which borrows from the room. */
size_t room_view_barred(const struct room *r, struct barred_view *out);
/* Append a key that was read or is new; the list owns it. */
void room_barred_insert(struct room *r, struct barred *b);
void barred_destroy(struct barred *b);
void room_free_barred(struct barred **list);

#endif
