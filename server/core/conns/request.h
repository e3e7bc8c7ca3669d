/*
 * request.h - one message: decoded, checked, handed on.
 */
#ifndef SERVER_CORE_CONNS_REQUEST_H
#define SERVER_CORE_CONNS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/methods.h"

struct conn;
struct partition;
struct room_call;
struct room_facts;
struct rounds_page;
struct server;

/* Text fields that the params of many methods have; found by name once, not for every request. */
#define SHARED_FIELDS(X)                                                                           \
	X(ROOM_ID, "room_id")                                                                      \
	X(USER_KEY, "user_key")                                                                    \
	X(HOST_KEY, "host_key")                                                                    \
	X(IDEMPOTENCY_KEY, "idempotency_key")
enum shared_field {
#define SHARED_ENUM(symbol, name) SHARED_##symbol,
	SHARED_FIELDS(SHARED_ENUM)
#undef SHARED_ENUM
	SHARED_COUNT
};
struct shared_fields {
	const struct field *of[METHOD_COUNT][SHARED_COUNT]; /* NULL: the method does not have it */
};
void shared_fields_find(struct shared_fields *all);

struct request {
	struct conn *conn;
	const struct field *const *shared; /* the shared fields of its method */
	uint32_t msgid;
	enum method method;
	union method_params params;
	struct slice message; /* as received, for parking */
	bool is_guess; /* it guesses a room code: the connection has no pass for the room */
	const struct rounds_page *page; /* loaded for it, or NULL */
	const struct room_facts *facts; /* read for it, or NULL */
	bool waits; /* it waits for a load, and is handled again afterwards */
	/* the partition where it waited, or NULL; it is counted already */
	struct partition *parked_in;
	uint64_t load; /* the load that it waited for; 0: none */
	/*
	 * for room.create with an idempotency_key: length of the code that was checked before
	 * this one; 0: none
	 */
	unsigned char checked_chars;
	/* how often it has run before without result; it has already been counted */
	unsigned char runs;
};

/* Return the text of a param that its method may have; empty if it was not sent. */
struct slice param_text(const struct request *rq, enum shared_field which);

/* Handle one complete message. May close the connection. */
void request_take(struct server *s, struct conn *c, struct slice message);
/*
 * The same for a request that waited in a partition, or ran there before: conn, message and the
 * members known from then are set.
 */
void request_take_again(struct server *s, struct request *rq);
void request_refuse(struct server *s, const struct request *rq, const struct fault *fault);
void request_refuse_for(struct server *s, const struct request *rq, enum fault_code code, const char *message);
/* Let the request wait for the partition to be loaded, and be handled again. */
void request_park(struct server *s, struct partition *p, struct request *rq);

/* WHERE_ROOM, request_room.c */
void request_room(struct server *s, struct request *rq);
/*
 * Return the input of a call on a room for the connection; the caller sets method, params and
 * result.
 */
struct room_call room_call_of(struct server *s, struct conn *c, struct fault *fault);
/* Return whether a repeat of the request is recognised by the logged-in user. */
bool request_is_of_user(const struct method_row *row);
/*
 * Return the facts that were read for the request, if they are about the login that asks now, or
 * nobody is logged in; else NULL.
 */
const struct room_facts *request_facts(const struct request *rq, struct slice user_id);
/* Charge the caller for what the request has added to the room: once, however often it runs. */
void request_take_growth(struct server *s, struct partition *p, const struct request *rq);

/* WHERE_NEW_ROOM, new_room.c */
void request_new_room(struct server *s, struct request *rq);

/* WHERE_NOWHERE, connection_methods.c */
/* Append the current limits as in session.hello to the caller's buffer. ERR_NOMEM: it is empty. */
NODISCARD enum err connection_methods_limits(const int64_t *limits, struct buf *out);
void connection_call(struct server *s, struct request *rq);
/* Handle EVENT_SHARED, the end of a server.share. */
struct event;
void connection_shared(struct server *s, const struct event *e);

#endif
