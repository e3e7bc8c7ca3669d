/*
 * policy.h - which callers a room admits: passcode, lock and lobby.
 */
#ifndef SERVER_DOMAIN_ROOM_POLICY_H
#define SERVER_DOMAIN_ROOM_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records.h"
#include "proto/rights.h"
#include "proto/wire_error.h"

struct room;
struct room_call;
struct seat;

/* Take the seat out of the lobby, if it waits there. */
void room_let_in(struct room *r, struct seat *seat);

/*
 * Whether a stranger may take a seat or read the room: FAULT_NONE, or *fault is the refusal.
 * @has_host_key  the caller has shown the host_key, which admits it whatever the policy says
 */
enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key, struct slice passcode,
			     bool has_host_key, struct fault *fault);

#endif
