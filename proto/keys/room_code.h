/*
 * room_code.h - room codes and ids: short, and written in an alphabet that survives being read aloud.
 */
#ifndef PROTO_KEYS_ROOM_CODE_H
#define PROTO_KEYS_ROOM_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"
#include "proto/keys/random.h"

/* Characters of room codes: no 0 O 1 I L U, so that a code survives being read aloud. */
#define CODE_ALPHABET "23456789ABCDEFGHJKMNPQRSTVWXYZ"
#define CODE_CHARS     6
#define CODE_CHARS_MAX 16
#define SHARED_CODE_CHARS 8 /* of new rooms, once strangers reach the server */
#define GROUP_CODE_CHARS  4 /* by so many the code of a group's room is longer: it may be guessed at for weeks */
#define USER_ID_CHARS  10

/* len characters of CODE_ALPHABET and a NUL, without bias. out: len + 1 bytes. */
void code_make(struct random *r, char *out, size_t len);
/* The same, but always the same for the same input: keyed, so that the input does not reveal the code. */
void code_derive(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input, char *out,
		 size_t len);
/* Upper case, and checked: false where s is no code (wrong length or character). out: CODE_CHARS_MAX + 1 bytes. */
bool code_normalise(struct slice s, char *out);

#endif
