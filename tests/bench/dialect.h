/*
 * dialect.h - what the load generator must know of a server's protocol.
 *
 * A dialect is pure: it appends the bytes to say and splits the bytes that came
 * into whole messages. Who is connected, what was due when, and what has been
 * seen by whom, is load.h's.
 *
 * To add one: write a dialect_NAME.c with a table like the others', declare it
 * below, and let tests/unit/bench/test_dialects.c split a stream of it.
 */
#ifndef TESTS_BENCH_DIALECT_H
#define TESTS_BENCH_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

#define PAYLOAD_BYTES	100 /* of one vote, where the payload is ours to choose */
#define ROOM_NAME_BYTES 24
#define DIALECT_BAD	SIZE_MAX

enum incoming_kind {
	INCOMING_OTHER,   /* of no interest */
	INCOMING_STEP,    /* what was said last in setting up has been taken */
	INCOMING_ROOM,    /* the room asked for by make() is there: text is its name */
	INCOMING_MESSAGE, /* a vote, by publisher and seq */
	INCOMING_VERSION, /* votes, by the room's versions behind `since` up to `version` */
	INCOMING_ANSWER,  /* the vote `seq` of this connection was taken, and is in `version` */
	INCOMING_REPLY,	  /* to one of several commands that a vote is made of: text is the reply */
	INCOMING_REFUSED, /* text says why */
};

struct incoming {
	enum incoming_kind kind;
	uint32_t publisher;
	uint64_t seq;
	int64_t since;
	int64_t version; /* also of INCOMING_STEP: at least this will be seen; -1 for none */
	bool is_full;    /* replaces what was there, as a member gets who fell behind */
	struct slice text; /* into the bytes that were split */
};

/* A connection: where it sits. room_name is empty for the one that makes the rooms. */
struct speaker {
	const char *room_name;
	uint32_t room;
	uint32_t member; /* 0 ..; the first `publishers` of a room vote */
};

struct dialect {
	const char *name;
	/* Rooms count versions (INCOMING_VERSION and _ANSWER); otherwise INCOMING_MESSAGE tells the vote. */
	bool counts_versions;
	/*
	 * What a connection says in setting up, step 0, 1, ...; step 0 when it is
	 * connected, the next ones each after an INCOMING_STEP. Nothing is waited for
	 * that the protocol does not want waited for: a step may append nothing, where
	 * the server speaks first, or what was said before has another answer. False:
	 * no such step, everything is set up.
	 */
	bool (*greet)(const struct speaker *who, unsigned step, struct buf *out);
	/* Ask for a new room, on a connection that is set up; NULL where a room is there by being named. */
	void (*make)(uint32_t room, struct buf *out);
	/* Vote number seq (0, 1, ...) of this connection. */
	void (*vote)(const struct speaker *who, uint64_t seq, struct buf *out);
	/*
	 * What follows an INCOMING_REPLY while vote `seq` is under way: the next of the
	 * commands that it is made of. NULL where a vote is one message. A connection
	 * has one vote under way then.
	 */
	void (*go_on)(const struct speaker *who, uint64_t seq, struct slice reply, struct buf *out);
	/*
	 * The first message of `in`: how many bytes it has, with what it says in
	 * *out, which comes in as INCOMING_NOTHING; 0 where it is not whole yet;
	 * DIALECT_BAD where it is none.
	 */
	size_t (*split)(struct slice in, struct incoming *out);
};

/* What split() is handed. */
#define INCOMING_NOTHING ((struct incoming){.version = -1})

extern const struct dialect dialect_aye;
extern const struct dialect dialect_web;
extern const struct dialect dialect_redis;
extern const struct dialect dialect_redis_vote;
extern const struct dialect dialect_redis_wait;
extern const struct dialect dialect_nats;
extern const struct dialect dialect_mqtt;
extern const struct dialect dialect_reference;

/* The payload that the dialects without versions carry: publisher, seq, and bytes up to PAYLOAD_BYTES. */
void payload_write(const struct speaker *who, uint64_t seq, struct buf *out);
/* False where this is no such payload. */
bool payload_read(struct slice payload, struct incoming *out);

#endif
