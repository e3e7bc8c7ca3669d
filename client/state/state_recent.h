/*
 * state_recent.h - the list of the stored rooms.
 *
 * From each room's file (state.h): its title, the name used there, and when the file
 * was last changed, which happens whenever the room is entered.
 */
#ifndef CLIENT_STATE_STATE_RECENT_H
#define CLIENT_STATE_STATE_RECENT_H

#include "client/model/recent_rooms.h"
#include "client/state/state.h"

/*
 * Replace *out by all stored rooms, the most recent first. Unreadable files are skipped;
 * *why may hold a warning.
 */
void state_list_rooms(const struct state *s, struct recent_rooms *out, struct errmsg *why);

/*
 * Delete a room of that list: like state_forget_room(), and also its files under earlier
 * certificates of the server.
 */
NODISCARD enum err state_forget_recent(const struct state *s, const char *server, const char *room_id, struct errmsg *why);

#endif
