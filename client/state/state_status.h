/*
 * state_status.h - how the rooms stood that a client of this person followed last.
 *
 * One small file for each, for `aye status` where no server answers at once. Whoever
 * follows a room writes it whenever it stands otherwise, without waiting for the
 * disk. No vote and no key is in it.
 *
 *   status/HASH-K7QX3M.json   {"server", "room_id", "name", and the fields of struct room_status}
 */
#ifndef CLIENT_STATE_STATE_STATUS_H
#define CLIENT_STATE_STATE_STATUS_H

#include "client/model/recent_rooms.h"
#include "client/model/room/room_status.h"
#include "client/state/state.h"

#define STATE_STATUS_MAX 16 /* files; the ones not written for longest go */

struct state_status {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char room_id[CODE_CHARS_MAX + 1];
	char name[MAX_NAME_BYTES + 1]; /* of the person's seat; "": none */
	struct room_status is;
	int64_t age_ms;
};

/* ERR_IO, ERR_INVALID with *why. age_ms means nothing. */
NODISCARD enum err state_put_status(const struct state *s, const struct state_status *status, struct errmsg *why);
/* That is no room of ours any more. */
void state_drop_status(const struct state *s, const char *server, const char *room_id);
/*
 * The one written last of those that are meant; false where there is none.
 * @server, room_id  NULL: any; any room that was followed, and none that has only said no.
 */
bool state_get_status(const struct state *s, const char *server, const char *room_id, struct state_status *out);

#endif
