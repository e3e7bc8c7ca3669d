/*
 * room_client_wait_uv.h - a client of one server for sequential programs: each call runs the
 * client's own loop until what it waits for is there.
 */
#ifndef CLIENT_NET_ROOM_CLIENT_WAIT_UV_H
#define CLIENT_NET_ROOM_CLIENT_WAIT_UV_H

#include "client/net/room_client_uv.h"

/*
 * Run until is_so(arg), the connection is lost, or timeout_ms is over (negative: no limit). Returns
 * is_so(arg).
 */
bool room_client_wait(struct room_client *c, bool (*is_so)(const void *arg), const void *arg, int64_t timeout_ms);

/*
 * Wait until requests may be made, or with needs_hello until the server has answered hello.
 * Without needs_hello the first room_client_ask() is sent right after hello, and fails if the
 * server does not answer in time. If ssh may prompt first, this always waits for hello's answer,
 * for up to CONNECTION_ASK_MS.
 *
 * Errors, with *why set:
 * ERR_CLOSED   no server there, or not this protocol.
 * ERR_UNKNOWN  no answer within timeout_ms.
 */
NODISCARD enum err room_client_connect(struct room_client *c, bool needs_hello, int64_t timeout_ms, struct errmsg *why);

/*
 * Make one request and wait for its reply. out->bytes is valid until the next call.
 *
 * Errors, described by room_client_why():
 * ERR_UNKNOWN  no answer within timeout_ms.
 * ERR_CLOSED   there is no connection, it ended first, or the server has never answered hello.
 * ERR_BUSY     CONNECTION_PENDING_MAX requests are unanswered.
 */
NODISCARD enum err room_client_ask(struct room_client *c, struct slice method, struct slice params,
				   int64_t timeout_ms, struct reply *out);
/*
 * The same with records: params is of the method's params record. If the reply is not a refusal,
 * *result is set, of the method's result record, with its strings in the arena.
 *
 * Further errors:
 * ERR_PROTO      the result does not match the method's record.
 * ERR_TOO_LARGE  the params do not fit in MAX_FRAME_BYTES.
 */
NODISCARD enum err room_client_ask_record(struct room_client *c, enum method method, const void *params,
					  int64_t timeout_ms, struct arena *arena, void *result, struct reply *out);
/*
 * After room_client_enter(): wait until the room and the state of the seat have arrived.
 * A refusal sets out->is_refused and out->fault, even one that would be retried later;
 * out->bytes is empty. Errors: ERR_UNKNOWN and ERR_CLOSED as in room_client_ask().
 */
NODISCARD enum err room_client_await_seat(struct room_client *c, int64_t timeout_ms, struct reply *out);
/* The description of the last error; valid until the next call with this client. */
const char *room_client_why(struct room_client *c);

#endif
