/*
 * room_code.h - room codes and ids: short, in an alphabet that is safe to read aloud.
 */
#ifndef PROTO_KEYS_ROOM_CODE_H
#define PROTO_KEYS_ROOM_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"
#include "proto/keys/random.h"

/* Characters of room codes: without 0 O 1 I L U, which are easily confused when read aloud. */
#define CODE_ALPHABET "23456789ABCDEFGHJKMNPQRSTVWXYZ"
#define CODE_CHARS     6
#define CODE_CHARS_MAX 16
#define SHARED_CODE_CHARS 8 /* of new rooms, once strangers can reach the server */
/* additional length of the codes of a group's rooms, which can be guessed at for weeks */
#define GROUP_CODE_CHARS  4
#define USER_ID_CHARS  10

/* Write len random characters of CODE_ALPHABET, without bias, and a NUL. out: len + 1 bytes. */
void code_make(struct random *r, char *out, size_t len);
/*
 * The same, derived from the input: always the same for the same input, and keyed, so that the
 * input does not disclose the code.
 */
void code_derive(const unsigned char server_key[SEED_BYTES], const char *domain, struct slice input, char *out,
		 size_t len);
/*
 * Convert s to upper case and check it; returns false if it is not a code (wrong length or
 * character). out: CODE_CHARS_MAX + 1 bytes.
 */
bool code_normalise(struct slice s, char *out);

#endif
