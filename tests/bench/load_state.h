/*
 * load_state.h - what the parts of a running load share.
 *
 * load.c has the phases, load_wire.c the sockets, load_count.c the votes.
 */
#ifndef TESTS_BENCH_LOAD_STATE_H
#define TESTS_BENCH_LOAD_STATE_H

#include "proto/base/buf.h"
#include "proto/tls/tls.h"
#include "tests/bench/load.h"
#include "tests/bench/machine.h"

#define LOAD_RING 1024 /* votes of a room that are told apart; a power of two, above LOAD_PENDING_MAX */

struct load_conn;

/* A vote under way. Its place in the ring is its version, or seq * publishers + publisher. */
struct load_vote {
	uint64_t due_ns; /* 0: a version of which the voter has not heard yet */
	uint32_t seen;	 /* members */
};

/* A version seen by a member before its voter was answered. */
struct load_early {
	int64_t version;
	uint64_t now_ns;
};

struct load_room {
	uint32_t number;
	uint32_t group;
	char name[ROOM_NAME_BYTES]; /* empty until it is made */
	struct load_conn *members;  /* spec's so many */
	struct load_vote ring[LOAD_RING];
	uint32_t pending;
	uint32_t joined; /* members */
	int64_t version; /* the latest anybody was told of while setting up */
	struct load_early *early;
	size_t early_n, early_max;
	bool is_due; /* on the list of rooms that may vote */
};

struct load_conn {
	int fd; /* -1 before and after */
	struct load_room *room; /* NULL: the maker of rooms */
	struct speaker who;
	unsigned step;
	bool is_ready;
	bool is_deaf; /* reads nothing any more when everybody has joined */
	bool waits; /* for the socket to take bytes */
	struct buf in;  /* a message that is not whole yet */
	struct buf out; /* what the socket did not take; of TLS the channel has it */
	struct tls_channel *tls; /* or NULL */

	int64_t version; /* counting versions: the last seen; -1 before the first */
	uint64_t *next;	 /* otherwise: the next seq of each publisher */
	uint64_t sent;	 /* publisher: votes */
	uint64_t *due_ns; /* publisher, counting versions: of each vote not yet answered, by seq % LOAD_RING */
};

enum load_phase { LOAD_MAKING, LOAD_JOINING, LOAD_WARMING, LOAD_WINDOW, LOAD_DRAINING };

struct load_pace {
	uint64_t next_ns;
	double interval_ns;
	double due_ns; /* exact; next_ns is its whole part */
	uint32_t room, publisher;
};

struct load {
	const struct load_spec *spec;
	struct load_result *result;
	const struct dialect *dialect;
	enum load_phase phase;
	int poller;
	struct tls_context *tls; /* or NULL */
	struct load_conn maker;
	struct load_room *rooms;
	uint32_t rooms_n;
	struct load_conn *conns;
	uint32_t conns_n;
	uint32_t made, asked; /* rooms that are there, and that were asked for */
	uint32_t opened, ready;
	struct load_room **due; /* a stack */
	uint32_t due_n;
	uint32_t pending; /* votes of all rooms */
	struct load_pace paces[LOAD_GROUPS_MAX];
	uint64_t window_from_ns, window_to_ns; /* far ahead until they are known */
	uint64_t now_ns;
	uint64_t progress_ns; /* when something last came */
	bool has_failed;
	struct buf say; /* for what is about to be sent */
};

static inline const struct load_group *load_group_of(const struct load *l, const struct load_room *r)
{
	return &l->spec->groups[r->group];
}

/* The first reason stays. */
void load_fail(struct load *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- load_wire.c ---- */
/* Connect, and say step 0. */
void wire_open(struct load *l, struct load_conn *c);
/* Send l->say, keeping what the socket does not take, and clear it. */
void wire_send(struct load *l, struct load_conn *c);
/* Say the next step of setting up; with none left the connection is ready. */
void wire_greet(struct load *l, struct load_conn *c);
/* Read no more from it. */
void wire_ignore(struct load *l, struct load_conn *c);
/* Wait for bytes until `until_ns` (0: not at all), and hand them to load_incoming(). */
void wire_turn(struct load *l, uint64_t until_ns);
void wire_close_all(struct load *l);

/* ---- load.c ---- */
void load_incoming(struct load *l, struct load_conn *c, const struct incoming *m);

/* ---- load_count.c ---- */
/* Cast `n` votes of a publisher, due at that time. */
void count_cast(struct load *l, struct load_conn *c, uint32_t n, uint64_t due_ns);
/* A message came while votes are under way. */
void count_incoming(struct load *l, struct load_conn *c, const struct incoming *m);
/* Before the first vote: every room may vote. */
void count_start(struct load *l);
/* After the last: what each member has not seen. */
void count_missing(struct load *l);

#endif
