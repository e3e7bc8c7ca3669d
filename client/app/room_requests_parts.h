/*
 * room_requests_parts.h - what room_requests.c and room_requests_play.c share; only for them.
 */
#ifndef CLIENT_APP_ROOM_REQUESTS_PARTS_H
#define CLIENT_APP_ROOM_REQUESTS_PARTS_H

#include <stdbool.h>

#include "client/app/room_requests.h"
#include "proto/key_hash.h"
#include "proto/methods.h"

/* What every act carries. */
struct room_requests_frame {
	struct slice room_id;
	struct slice host_key;
	struct slice once;
	char once_text[KEY_CHARS + 1];
};

/* The members that all params share, for designated initialisers. */
#define ROOM_REQUESTS_COMMON(f)                                                                        \
	.room_id = (f)->room_id, .host_key = (f)->host_key, .idempotency_key = (f)->once

/* Rounds, the reveal, time, signals, stories and policy. ERR_INVALID: none of these. */
NODISCARD enum err room_requests_play(struct room_client *to, const struct room_requests_frame *f, const struct ask *ask);

#endif
