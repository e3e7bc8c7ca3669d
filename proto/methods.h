/*
 * methods.h - the methods and notifications of the protocol, made of the rows of method_rows.h:
 * their numbers, what each takes and returns, and looking names up.
 */
#ifndef PROTO_METHODS_H
#define PROTO_METHODS_H

#include "proto/method_rows.h"
#include "proto/records/records.h"

/*
 * What the caller must be, checked before the handler runs. Finer rights are checked by rights.h
 * and the handler.
 */
enum method_who {
	WHO_ANYONE,  /* even before session.hello */
	WHO_GREETED, /* after session.hello */
	WHO_USER,    /* logged in on this connection */
	WHO_KEYED,   /* logged in with a key: a lasting user */
	WHO_SEATED,  /* with a user_key, in params or sent earlier on this connection */
	/* with a seat or the host_key; the room's policy restricts it further (rights.h) */
	WHO_MEMBER,
	WHO_HOST,    /* with the host's seat or the host_key, in params or sent earlier */
	WHO_OWNER,   /* a unix-socket peer with the server's own uid, or root */
	WHO_KIOSK,   /* a unix-socket peer with the uid of the host's ssh kiosk (server_config) */
};

/* The partition a method acts on. */
enum method_where {
	WHERE_NOWHERE,  /* the connection and the server itself */
	WHERE_DIRECTORY, /* sessions, users and all other partitions that are not rooms */
	WHERE_USER_NAME, /* in the directory, the partition of the name params.user_name */
	WHERE_QUESTION, /* in the directory, the partition of params.question_id */
	WHERE_GROUP,    /* in the directory, the partition of params.group_id */
	WHERE_INVITATION, /* in the directory, the item of params.code */
	WHERE_CONTAINER, /* in the directory, the partition of params.container_id */
	WHERE_NEW_ROOM, /* a room that must not exist yet */
	WHERE_ROOM,     /* params.room_id */
};
#define WHERE_COUNT (WHERE_ROOM + 1)

enum method_effect {
	EFFECT_READS,
	/*
	 * changes the state of the connection or the process: a subscription, a session, a
	 * listener; safe to repeat
	 */
	EFFECT_ATTENDS,
	EFFECT_CHANGES, /* changes stored data; takes an idempotency_key */
};

enum method {
#define METHOD_ENUM(symbol, name, who, where, effect, params, result, help) METHOD_##symbol,
	METHODS(METHOD_ENUM)
#undef METHOD_ENUM
	METHOD_COUNT
};

struct method_row {
	const char *name;
	enum method_who who;
	enum method_where where;
	enum method_effect effect;
	const struct record *params;
	const struct record *result;
	const char *help;
};

extern const struct method_row method_rows[METHOD_COUNT];

/*
 * How to find the partition that params name: the prefix of its PK, or a word in place of it, and
 * the field with the rest of the PK. NULL: params name no partition.
 */
struct method_place {
	const char *pk_prefix;
	const char *field;
};
extern const struct method_place method_places[WHERE_COUNT];

/* Return the method with this name, or METHOD_COUNT if there is none. */
enum method method_find(struct slice name);

/* Large enough for the params, and the result, of any method. */
union method_params {
#define METHOD_PARAMS(symbol, name, who, where, effect, params, result, help) struct params symbol;
	METHODS(METHOD_PARAMS)
#undef METHOD_PARAMS
};
union method_result {
#define METHOD_RESULT(symbol, name, who, where, effect, params, result, help) struct result symbol;
	METHODS(METHOD_RESULT)
#undef METHOD_RESULT
};

enum notice {
#define NOTICE_ENUM(symbol, name, record, help) NOTICE_##symbol,
	NOTICES(NOTICE_ENUM)
#undef NOTICE_ENUM
	NOTICE_COUNT
};

struct notice_row {
	const char *name;
	const struct record *record;
	const char *help;
};

extern const struct notice_row notice_rows[NOTICE_COUNT];

/* Return the notification with this name, or NOTICE_COUNT if there is none. */
enum notice notice_find(struct slice name);

/* The protocol version in session.hello. */
#define PROTOCOL_VERSION 1

#endif
