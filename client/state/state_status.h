/*
 * state_status.h - the last states of the rooms that the user's clients followed.
 *
 * One small file per room, for `aye status` if no server answers at once. A client in a
 * room writes it whenever the status changes, without syncing. It contains no votes and
 * no keys.
 *
 *   status/HASH-K7QX3M.json   {"server", "room_id", "name", "terminal", "pid", and the fields of struct room_status}
 */
#ifndef CLIENT_STATE_STATE_STATUS_H
#define CLIENT_STATE_STATE_STATUS_H

#include "client/model/recent_rooms.h"
#include "client/model/room/room_status.h"
#include "client/state/state.h"

#define STATE_STATUS_MAX 16 /* the most files; the least recently written are deleted */

#define STATE_TERMINAL_BYTES 200

struct state_status {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char room_id[CODE_CHARS_MAX + 1];
	char name[MAX_NAME_BYTES + 1]; /* of the user's seat; "": none */
	char terminal[STATE_TERMINAL_BYTES + 1]; /* of the client that wrote it (room_context.h); "": none */
	int64_t pid; /* of that client */
	struct room_status is;
	int64_t age_ms;
};

/* Write the status; age_ms is ignored. ERR_IO, ERR_INVALID  with *why. */
NODISCARD enum err state_put_status(const struct state *s, const struct state_status *status, struct errmsg *why);
/* Delete the status of a room. */
void state_drop_status(const struct state *s, const char *server, const char *room_id);
/*
 * Read all of them, the one written last first, at most STATE_STATUS_MAX. Returns how many. Unreadable files are
 * skipped.
 */
size_t state_list_status(const struct state *s, struct state_status out[STATE_STATUS_MAX]);
/*
 * Read the matching status written last; returns false if there is none.
 * @server, room_id  NULL: any; any room_id leaves out rooms that only refused.
 */
bool state_get_status(const struct state *s, const char *server, const char *room_id, struct state_status *out);

#endif
