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

/* Texts that the params of many methods have; found by name once, not with every request. */
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
	const struct field *of[METHOD_COUNT][SHARED_COUNT]; /* NULL: that method has none */
};
void shared_fields_find(struct shared_fields *all);

struct request {
	struct conn *conn;
	const struct field *const *shared; /* of its method */
	uint32_t msgid;
	enum method method;
	union method_params params;
	struct slice message; /* as it came, for parking */
	bool is_guess; /* of a room code: the connection has no pass of the room */
	const struct rounds_page *page; /* loaded for it, or NULL */
	const struct room_facts *facts; /* read for it, or NULL */
	bool waits; /* for another: it is taken again when that has come */
	struct partition *parked_in; /* where it waited, if it did: then it has been counted already */
	uint64_t load; /* that it waited for; 0: none */
	unsigned char checked_chars; /* of room.create with a key: how long the code was that was checked before this one; 0: none was */
	unsigned char runs; /* how often it has run before, and came to nothing: it has paid what it costs */
};

/* One whole message. May end the connection. */
void request_take(struct server *s, struct conn *c, struct slice message);
/* The same for one that waited in a partition, or ran there before: conn, message and all that is known of that. */
void request_take_again(struct server *s, struct request *rq);
void request_refuse(struct server *s, const struct request *rq, const struct fault *fault);
void request_refuse_for(struct server *s, const struct request *rq, enum fault_code code, const char *message);
/* Have it wait for the partition to be loaded, then taken again. */
void request_park(struct server *s, struct partition *p, struct request *rq);

/* WHERE_ROOM, request_room.c */
void request_room(struct server *s, struct request *rq);
/* What any call on a room on behalf of the connection is given; method, params and result are still to be set. */
struct room_call room_call_of(struct server *s, struct conn *c, struct fault *fault);
/* Text of a param that its method may have; empty where it was not sent. */
/* Whether a repeat of it is known by the user who is logged in. */
bool request_is_of_user(const struct method_row *row);
struct slice param_text(const struct request *rq, enum shared_field which);

/* WHERE_NEW_ROOM, request_room.c */
void request_new_room(struct server *s, struct request *rq);

/* WHERE_NOWHERE, connection_methods.c */
/* The limits in force as session.hello sends them, into a buffer that is the caller's. ERR_NOMEM: it holds nothing. */
NODISCARD enum err connection_methods_limits(const int64_t *limits, struct buf *out);
void connection_call(struct server *s, struct request *rq);
/* EVENT_SHARED: the end of a server.share. */
struct event;
void connection_shared(struct server *s, const struct event *e);

#endif
