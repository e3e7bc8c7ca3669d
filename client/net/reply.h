/*
 * reply.h - the reply to a request, as its caller receives it.
 */
#ifndef CLIENT_NET_REPLY_H
#define CLIENT_NET_REPLY_H

#include <stdbool.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

struct answer;
struct msgpack_object;
struct record;

struct reply {
	enum method method; /* METHOD_COUNT: requested by a name that is not a method known here */
	/*
	 * OK          the server answered, with a result or a refusal.
	 * ERR_CLOSED  the connection ended first; whether the request was carried out is unknown.
	 * ERR_PROTO   the answer does not match the method's result record.
	 */
	enum err error;
	/* there is no result, for whichever of these reasons; `fault` says why */
	bool is_refused;
	struct fault fault;
	/* of the method's result record; NULL: refused, or requested by name */
	const void *result;
	/* the result or the error map as received; NULL: nil, or none */
	const struct msgpack_object *value;
	/* the value as MessagePack; set only by room_client_ask(), valid until its next call */
	struct slice bytes;
};

/*
 * Everything in the reply is valid only during the call, which may make requests, forget others,
 * and close the client.
 */
typedef void reply_fn(void *owner, const struct reply *r);

/*
 * For functions that make requests: the positions of their reply_fn and owner arguments, which must
 * not be NULL.
 */
#define REPLIES_TO(on, owner) NODISCARD __attribute__((nonnull(on, owner)))

/* The fault's message for ERR_PROTO. */
#define REPLY_UNREADABLE "the server sent an invalid answer"

/*
 * Convert a connection's answer; the result is allocated in the arena. @is_by_name  leave out the
 * result.
 */
void reply_read(struct reply *r, const struct answer *a, bool is_by_name, struct arena *arena);
/* Read a record into the arena; NULL: the object does not match it. */
void *reply_read_record(const struct record *record, const struct msgpack_object *o, struct arena *arena);
/* Append the value as MessagePack; a failure is the buffer's error. */
void reply_write(const struct reply *r, struct buf *out);

#endif
