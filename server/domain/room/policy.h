/*
 * policy.h - who may do what in a room.
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

/* Out of the lobby, if the seat is in it. */
void room_let_in(struct room *r, struct seat *seat);

/*
 * Whether a stranger may take a seat, or look: FAULT_NONE, or *fault says no.
 * @has_host_key lets in anybody who has it.
 */
enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key, struct slice passcode,
			     bool has_host_key, struct fault *fault);

#endif
