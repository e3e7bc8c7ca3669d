/*
 * state.h - what `aye` remembers between runs.
 *
 * In $XDG_STATE_HOME/aye (~/.local/state/aye): one file per room with its
 * keys, the last name used, and the identity. Everything is readable for its
 * owner alone. A person may hold several seats in a room, told apart by name:
 * the name chooses the key.
 *
 *   aye.json                      {"name": "Ada"}
 *   rooms/HASH-K7QX3M.json        {"server", "room_id", "title", "host_key", "name", "seats": {"Ada": "user_key"}, "bots": {...}}
 *   status/HASH-K7QX3M.json       how the room stood last: state_status.h
 *   identity.json                 the keys that sign: state_identity.h
 *   server/, server.log           the private server's
 *
 * Several `aye` at once are fine: each change is made under a lock.
 * Failures are described in *why; where a call succeeds with *why not empty,
 * that is a warning to pass on.
 */
#ifndef CLIENT_STATE_STATE_H
#define CLIENT_STATE_STATE_H

#include <limits.h>
#include <stdbool.h>

#include "client/state/xdg_dirs.h"
#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/keys/key_hash.h"

/* The most rooms that are remembered; the ones not used for longest go. */
#define STATE_ROOMS_MAX 500

struct state {
	char dir[XDG_DIR_BYTES]; /* absolute */
};

/* Where it is, made where it is missing. ERR_IO. */
NODISCARD enum err state_open(struct state *s, struct errmsg *why);

struct state_room {
	char host_key[KEY_CHARS + 1]; /* "": not ours */
	char name[MAX_NAME_BYTES + 1]; /* of the seat below; "": none */
	char user_key[KEY_CHARS + 1]; /* "": no seat of that name */
};

/*
 * What is known of a room.
 * @server   the address as address.h writes it.
 * @room_id  a code in upper case; anything else is ERR_INVALID, here and below.
 * @name     which seat; NULL: the one used last.
 * ERR_IO; a room never heard of is OK and empty.
 */
NODISCARD enum err state_get_room(const struct state *s, const char *server, const char *room_id,
				  const char *name, struct state_room *out, struct errmsg *why);

/* Remember a seat and its name as the one used last. old_name, where not NULL: the same seat had that name before. */
NODISCARD enum err state_keep_seat(const struct state *s, const char *server, const char *room_id,
				   const char *old_name, const char *name, const char *user_key,
				   struct errmsg *why);
/*
 * A seat beside the one used last, which stays that; the first of a room is both. A bot's is apart from the people's, so
 * that one name may have both.
 */
NODISCARD enum err state_keep_other_seat(const struct state *s, const char *server, const char *room_id, bool is_bot,
					 const char *name, const char *user_key, struct errmsg *why);
/* The user_key of a bot's seat under that name; "" where there is none. */
NODISCARD enum err state_get_bot_key(const struct state *s, const char *server, const char *room_id, const char *name,
				     char user_key[KEY_CHARS + 1], struct errmsg *why);
NODISCARD enum err state_keep_host_key(const struct state *s, const char *server, const char *room_id,
				       const char *host_key, struct errmsg *why);
/* What the room is called, "" nothing, for the list of rooms (state_recent.h). A room that is not remembered stays so. */
NODISCARD enum err state_keep_title(const struct state *s, const char *server, const char *room_id,
				    const char *title, struct errmsg *why);
/* The room is no more, or nobody wants to go back. */
NODISCARD enum err state_forget_room(const struct state *s, const char *server, const char *room_id,
				     struct errmsg *why);

/* The path of a room's file in that directory of the state. ERR_INVALID. */
NODISCARD enum err state_room_file(const struct state *s, char out[PATH_MAX], const char *dir, const char *server,
				   const char *room_id, struct errmsg *why);
/* Of so many files in a directory or more, the one that was not changed for longest goes. Best effort: it is only tidiness. */
void state_prune(const char *dir, size_t most);

/* The name used last anywhere; "" where there was none. */
NODISCARD enum err state_get_name(const struct state *s, char out[MAX_NAME_BYTES + 1], struct errmsg *why);
NODISCARD enum err state_keep_name(const struct state *s, const char *name, struct errmsg *why);

#endif
