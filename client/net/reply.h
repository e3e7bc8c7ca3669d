/*
 * reply.h - what a request ended in, for whoever made it.
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
	enum method method; /* METHOD_COUNT: it was asked by a name that is no method here */
	/*
	 * OK          the server has answered, or refused it.
	 * ERR_CLOSED  the connection ended first; whether it was done is unknown.
	 * ERR_PROTO   the answer is not one of the method's.
	 */
	enum err error;
	bool is_refused;     /* there is no result, whichever of those it is: `fault` says why */
	struct fault fault;
	const void *result;  /* of the method's result record; NULL: refused, or asked by name */
	const struct msgpack_object *value; /* the result or the error map as it came; NULL: nil, or none */
	struct slice bytes;  /* the same as MessagePack; only from room_client_ask(), and until the next */
};

/* All that the reply points to is valid for the call. May make requests, forget others, and close the client. */
typedef void reply_fn(void *owner, const struct reply *r);

/* What asks takes a reply_fn and an owner as these arguments: with NULL for either it does not compile. */
#define REPLIES_TO(on, owner) NODISCARD __attribute__((nonnull(on, owner)))

/* What is said of an answer that is not one of its method's. */
#define REPLY_UNREADABLE "the server sent an invalid answer"

/* What a connection was answered, in memory of the arena. @is_by_name  without its result. */
void reply_read(struct reply *r, const struct answer *a, bool is_by_name, struct arena *arena);
/* A record, likewise; NULL: it is none of that kind. */
void *reply_read_record(const struct record *record, const struct msgpack_object *o, struct arena *arena);
/* Its value, as MessagePack, behind what is in `out`. */
void reply_write(const struct reply *r, struct buf *out);

#endif
