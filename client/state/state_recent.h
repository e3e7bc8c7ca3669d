/*
 * state_recent.h - the rooms that are remembered, as a list.
 *
 * Of each room's file in state.h: what it is called, who one was there, and
 * when the file was last changed, which it is whenever one comes in.
 */
#ifndef CLIENT_STATE_STATE_RECENT_H
#define CLIENT_STATE_STATE_RECENT_H

#include "client/model/recent_rooms.h"
#include "client/state/state.h"

/*
 * All of them, the one used last first, in place of what was in *out. What
 * cannot be read is left out; *why may hold a warning.
 */
void state_list_rooms(const struct state *s, struct recent_rooms *out, struct errmsg *why);

/* Of that list, one is wanted no more: as state_forget_room(), and where it was used before the server's certificate was another one. */
NODISCARD enum err state_forget_recent(const struct state *s, const char *server, const char *room_id, struct errmsg *why);

#endif
