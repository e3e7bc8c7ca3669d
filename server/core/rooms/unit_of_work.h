/*
 * unit_of_work.h - the unit of work of a room: turns the changes of handlers into one commit, and
 * its result into answers and updates.
 */
#ifndef SERVER_CORE_ROOMS_UNIT_OF_WORK_H
#define SERVER_CORE_ROOMS_UNIT_OF_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/fault.h"
#include "proto/keys/key_hash.h"
#include "proto/methods.h"
#include "proto/records/record.h"
#include "server/core/conns/send_queue.h"
#include "server/core/server.h"

struct account_change;
struct conn;
struct data_frame;
struct partition;
struct request;
struct room_follow;
struct seat;
struct server;
struct store_op;
struct subscription;

/* An answer, and the request it answers, which may have to run again. */
struct reply {
	struct conn_id conn;
	uint32_t msgid;
	enum method method; /* of the request */
	enum fault_code code; /* FAULT_NONE: it is a result */
	unsigned char runs; /* how often the request has run before this run */
	bool is_guess;      /* as in struct request */
	bool stands;        /* valid even if the unit fails */
	size_t asked;       /* length of the request as received; its answer directly follows it */
	size_t at;          /* in unit->bytes */
	size_t len;
	struct frame *full; /* its body follows the answer; NULL: the answer is complete */
	struct reply *next, *prev;
};

/* Return the length of the answer, including the full update. */
static inline size_t reply_bytes(const struct reply *r)
{
	return r->len + (r->full == NULL ? 0 : r->full->len - r->full->body);
}

/* The subscription state of a connection before a request changed it. */
struct following {
	struct conn_id conn;
	bool follows;
	bool is_durable;  /* the subscription was durable */
	bool spares_data;
	bool stands;  /* the change is valid even if the unit fails */
	/* a later change, which stands, ended this subscription: undoing must not restore it */
	bool is_over;
	unsigned seats_n;
	struct key_text user_key;
	struct following *before; /* an earlier change, of any connection */
};

/*
 * A notification for one member: for the connections on the seat, or for the sessions of its user
 * that watch. The seat exists until the unit has been published: removed seats are freed when the
 * next unit closes.
 */
struct seat_notification {
	struct seat *seat;
	bool is_to_sessions;
	size_t at; /* in unit->bytes */
	size_t len;
	struct seat_notification *next, *prev;
};

/* A connection whose subscription is ENDING. */
struct unit_ending {
	struct conn_id conn;
	/* in the unit's arena; empty: a member without a name, or the room has ended */
	struct slice kicked_by;
	bool is_barred;
	struct unit_ending *next, *prev;
};

/*
 * Most bytes of the answers of a unit, or of an update; the limits on pending requests keep them
 * far below this.
 */
#define UNIT_BYTES_MAX ((size_t)256 << 20)

/*
 * What handlers have done to a partition since the last unit closed, or a unit whose commit is in
 * progress. Nothing of a unit is sent before its commit is durable.
 */
struct unit {
	struct reply *replies;
	struct seat_notification *notifications;
	struct unit_ending *endings;
	struct buf bytes; /* the bytes of replies and notifications */
	bool ends_room;   /* it deletes the room */
	/*
	 * one room.update for all subscribers, followed by transient notifications for all; may
	 * be empty
	 */
	struct buf delta;
	bool has_notifications;
	int64_t since, version;
	/* changes of shared data, each a separate frame before the delta */
	struct data_frame *data;
	struct frame *full;        /* for subscriptions that start with this unit; NULL: none */
	struct frame *full_sparse; /* the same without shared data */
	struct room_follow *follows; /* transactions to start in the directory when it is durable */
	struct account_change *accounts; /* changes of users' lists of rooms */
	/* the room's new entry in group.rooms, if watchers of its group may have to be sent it */
	struct group_room *group_room;
	struct following *followings; /* the last one first */
	struct arena arena; /* memory of all these lists and the ops */
	struct store_op *ops;
	size_t ops_n;
	struct unit *next; /* in the list of spare units */
};

/*
 * Answers that are sent with the open unit. If memory is out the connection is closed, and the
 * unit fails when it closes.
 */
void unit_result(struct server *s, struct partition *p, const struct request *rq, const struct record *rec,
		 const void *result);
void unit_result_raw(struct server *s, struct partition *p, const struct request *rq, struct slice result);
/* Answer with the full room. Returns false, without an answer, if memory is out. */
bool unit_result_full(struct server *s, struct partition *p, const struct request *rq);
void unit_fault(struct server *s, struct partition *p, const struct request *rq, const struct fault *fault);
/*
 * The answer just given, to the request for which unit_keep_following() was last called, is sent
 * with the unit but is valid even if the unit fails: the request changed nothing durable. Not if
 * it ended something that was not durable itself.
 */
void unit_let_stand(struct partition *p, const struct request *rq);
/*
 * Call before a request changes the connection's subscription to the room. Returns false if
 * memory is out.
 */
bool unit_keep_following(struct server *s, struct partition *p, struct conn *c);
/* At the end of a turn: close the open unit and send its commit. */
void unit_close(struct server *s, struct partition *p);
/* Handle the result of the commit. */
void unit_committed(struct server *s, struct partition *p, const struct event *e);
/* The commit failed: refuse its requests and load the room again. In unit_undo.c. */
void unit_fail(struct server *s, struct partition *p, enum err why);
/*
 * The commit failed because another process changed the room: its requests run again after the
 * room is loaded.
 */
void unit_conflict(struct server *s, struct partition *p);
/*
 * Nobody knows whether the commit was made: the connections that wait for it are closed without
 * an answer, and the room is loaded again.
 */
void unit_unknown(struct server *s, struct partition *p);
/* Another node has taken the room's bucket: refuse the requests; the room is left. */
void unit_fenced(struct server *s, struct partition *p);
/* How often a request may run. */
#define UNIT_RUNS_MAX 8
/*
 * Send one answer of the unit; if fault is not NULL, send the fault instead, unless the answer
 * stands.
 */
void unit_answer(struct server *s, const struct unit *u, const struct reply *r, const struct fault *fault);
/*
 * Return the partition's open unit, creating it if there is none; NULL, with p->is_broken, if
 * memory is out.
 */
struct unit *unit_open(struct server *s, struct partition *p);
/*
 * Add to the open unit, which exists; p->is_broken if memory is out. A notification is in
 * u->bytes from `at` on.
 */
/* seat: from which the subscription is removed; NULL: the room ends. */
void unit_add_ending(struct server *s, struct partition *p, struct subscription *sub, const struct seat *seat);
void unit_add_notification(struct partition *p, struct seat *seat, bool is_to_sessions, size_t at);
/* Release a unit; u may be NULL. */
void unit_drop(struct server *s, struct unit *u);
void unit_finish_spare(struct server *s);

#endif
