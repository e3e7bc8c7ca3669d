/*
 * invite.h - how one comes into a room: its code, or the line that joins it.
 *
 * What is read out, typed or pasted: "k7qx3m", "K7Q-X3M", "aye join K7QX3M
 * --server tcp://host:2937". Only the form is checked here.
 */
#ifndef CLIENT_MODEL_INVITE_H
#define CLIENT_MODEL_INVITE_H

#include "client/model/recent_rooms.h"
#include "proto/err.h"

struct invite {
	char room_id[CODE_CHARS_MAX + 1]; /* upper case */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* as it was written; "": none was told */
};

/* ERR_INVALID  *why says what is wrong with it, for the person; what it quotes is softened. */
NODISCARD enum err invite_parse(const char *line, struct invite *out, struct errmsg *why);

#endif
