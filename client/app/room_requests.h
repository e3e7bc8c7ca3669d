/*
 * room_requests.h - what the screen asks for, as requests.
 *
 * The acts that are sent at once: turning cards, rounds, stories, hosts, rules,
 * the end of the room. Votes and names wait in membership.h.
 */
#ifndef CLIENT_APP_ROOM_REQUESTS_H
#define CLIENT_APP_ROOM_REQUESTS_H

#include "client/net/room_client_uv.h"
#include "client/tui/tui.h"
#include "proto/err.h"

/*
 * @host_key  "": not ours; then the seat's own right has to do.
 *
 * ERR_CLOSED   no connection now.
 * ERR_INVALID  it cannot be asked for; *why, for the person.
 * ERR_BUSY, ERR_NOMEM, ERR_TOO_LARGE.
 */
NODISCARD enum err room_requests_send(struct room_client *to, const char *room_id, const char *host_key,
				  const struct ask *ask, struct errmsg *why);

#endif
