/*
 * state.h - the state that `aye` stores between runs.
 *
 * In $XDG_STATE_HOME/aye (~/.local/state/aye): one file per room with its
 * keys, the last name used, and the identity. All files are readable only by
 * their owner. A user may have several seats in a room, one per name: the name
 * selects the key.
 *
 *   aye.json                      {"name": "Ada"}
 *   rooms/HASH-K7QX3M.json        {"server", "room_id", "title", "host_key", "name", "seats": {"Ada": "user_key"}, "bots": {...}}
 *   status/HASH-K7QX3M.json       the last state of the room: state_status.h
 *   identity.json                 the signing keys: state_identity.h
 *   server/, server.log           of the user's own server
 *
 * Several processes may use it at once: each change is made under a lock.
 * Failures are described in *why; if a call succeeds with a *why that is not
 * empty, that is a warning to pass on.
 */
#ifndef CLIENT_STATE_STATE_H
#define CLIENT_STATE_STATE_H

#include <limits.h>
#include <stdbool.h>

#include "client/state/xdg_dirs.h"
#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/keys/key_hash.h"

/* The most rooms stored; beyond that the least recently used are deleted. */
#define STATE_ROOMS_MAX 500

struct state {
	char dir[XDG_DIR_BYTES]; /* absolute */
};

/* Find the directory, creating it if needed. ERR_IO. */
NODISCARD enum err state_open(struct state *s, struct errmsg *why);

struct state_room {
	char host_key[KEY_CHARS + 1]; /* "": none */
	char name[MAX_NAME_BYTES + 1]; /* of the seat below; "": none */
	char user_key[KEY_CHARS + 1]; /* "": no seat of that name */
};

/*
 * Read what is stored about a room. A room that is not stored is OK and empty.
 * @server   the canonical form of address.h.
 * @room_id  a code in upper case; anything else is ERR_INVALID, here and below.
 * @name     selects the seat; NULL: the one used last.
 * ERR_IO
 */
NODISCARD enum err state_get_room(const struct state *s, const char *server, const char *room_id,
				  const char *name, struct state_room *out, struct errmsg *why);

/* Store a seat and its name as the one used last. @old_name  the seat's previous name, or NULL. */
NODISCARD enum err state_keep_seat(const struct state *s, const char *server, const char *room_id,
				   const char *old_name, const char *name, const char *user_key,
				   struct errmsg *why);
/*
 * Store a seat without making it the one used last, unless it is the room's first. Seats of bots
 * are stored apart from those of people, so that one name may have both.
 */
NODISCARD enum err state_keep_other_seat(const struct state *s, const char *server, const char *room_id, bool is_bot,
					 const char *name, const char *user_key, struct errmsg *why);
/* The user_key of a bot's seat with that name; "": none. */
NODISCARD enum err state_get_bot_key(const struct state *s, const char *server, const char *room_id, const char *name,
				     char user_key[KEY_CHARS + 1], struct errmsg *why);
NODISCARD enum err state_keep_host_key(const struct state *s, const char *server, const char *room_id,
				       const char *host_key, struct errmsg *why);
/*
 * Store the room's title, for the list of rooms (state_recent.h); "": none. Ignored for a room that
 * is not stored.
 */
NODISCARD enum err state_keep_title(const struct state *s, const char *server, const char *room_id,
				    const char *title, struct errmsg *why);
/* Delete what is stored about a room. */
NODISCARD enum err state_forget_room(const struct state *s, const char *server, const char *room_id,
				     struct errmsg *why);

/* The path of a room's file in that subdirectory of the state. ERR_INVALID. */
NODISCARD enum err state_room_file(const struct state *s, char out[PATH_MAX], const char *dir, const char *server,
				   const char *room_id, struct errmsg *why);
/*
 * If the directory has `most` files or more, delete the one changed least recently. Failures are
 * ignored.
 */
void state_prune(const char *dir, size_t most);

/* The name used last in any room; "": none. */
NODISCARD enum err state_get_name(const struct state *s, char out[MAX_NAME_BYTES + 1], struct errmsg *why);
NODISCARD enum err state_keep_name(const struct state *s, const char *name, struct errmsg *why);

#endif
