/*
 * unit_of_work.h - from what handlers did to one commit, and from its outcome to answers and updates.
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
	unsigned char runs; /* of it, before this one */
	bool is_guess;      /* as struct request has it */
	bool stands;        /* holds even if the unit fails */
	size_t asked;       /* bytes of the request as it came; the answer is right behind it */
	size_t at;          /* in unit->bytes */
	size_t len;
	struct frame *full; /* its body follows; NULL: the answer is whole */
	struct reply *next, *prev;
};

/* Of the answer, with what it quotes. */
static inline size_t reply_bytes(const struct reply *r)
{
	return r->len + (r->full == NULL ? 0 : r->full->len - r->full->body);
}

/* How a connection followed the room before a request changed that. */
struct following {
	struct conn_id conn;
	bool follows;
	bool is_durable;  /* that it did */
	bool spares_data;
	bool stands;  /* the change holds even if the unit fails */
	bool is_over; /* a later change stands that ended what follows: undone, it is not followed again */
	unsigned seats_n;
	struct key_text user_key;
	struct following *before; /* an earlier change, of whatever connection */
};

/*
 * A notification for one member: for the connections on the seat, or for the sessions that watch its user. The seat exists at least until the
 * unit has been published: seats that are gone are freed when the next one closes.
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
	struct slice kicked_by; /* in the unit's arena; empty: nobody with a name, or the room has ended */
	bool is_barred;
	struct unit_ending *next, *prev;
};

/* Answers of one unit of work, or an update; requests pending bound it long before. */
#define UNIT_BYTES_MAX ((size_t)256 << 20)

/*
 * What handlers have done to a partition since it last closed, or what is on
 * its way to the disk. Only when that has arrived does any of it leave.
 */
struct unit {
	struct reply *replies;
	struct seat_notification *notifications;
	struct unit_ending *endings;
	struct buf bytes; /* what replies and notifications point into */
	bool ends_room;   /* the room is deleted by it */
	struct buf delta; /* one room.update for all subscribers, and transient notifications for all behind it; may be empty */
	bool has_notifications;
	int64_t since, version;
	struct data_frame *data;   /* changes of shared data, each a frame of its own before the delta */
	struct frame *full;        /* for subscriptions that begin; NULL: none does */
	struct frame *full_sparse; /* the same without shared data */
	struct room_follow *follows; /* what begins in the directory when it is durable */
	struct account_change *accounts; /* users whose list of rooms it changes */
	struct group_room *group_room; /* how it is then, where those who watch its group may have to be sent that */
	struct following *followings; /* the last first */
	struct arena arena; /* what all these lists and the ops are in */
	struct store_op *ops;
	size_t ops_n;
	struct store_token token; /* of their commit */
	bool may_be_made; /* its outcome was unknown: it may not be reported as failed */
	struct unit *next; /* of the spare ones */
};

/* Answers that leave with the open unit. Where memory is out the connection ends, and the unit fails when it closes. */
void unit_result(struct server *s, struct partition *p, const struct request *rq, const struct record *rec,
		 const void *result);
void unit_result_raw(struct server *s, struct partition *p, const struct request *rq, struct slice result);
/* The room as it is; false, with no answer given, when memory is out. */
bool unit_result_full(struct server *s, struct partition *p, const struct request *rq);
void unit_fault(struct server *s, struct partition *p, const struct request *rq, const struct fault *fault);
/* The answer just given, of the request that unit_keep_following() was last called for, waits its turn, but holds even if
 * the unit fails: nothing durable was asked for. Unless what it ended was not durable itself. */
void unit_let_stand(struct partition *p, const struct request *rq);
/* Before a request changes how the connection follows the room. False when memory is out. */
bool unit_keep_following(struct server *s, struct partition *p, struct conn *c);
/* End of turn: the open unit becomes the flight. */
void unit_close(struct server *s, struct partition *p);
/* The outcome of its commit. */
void unit_committed(struct server *s, struct partition *p, const struct event *e);
/* It was not made: unit_undo.c. The room is loaded again. */
void unit_fail(struct server *s, struct partition *p, enum err why);
/* The same because the room has changed elsewhere: its requests run again once the room is loaded. */
void unit_conflict(struct server *s, struct partition *p);
/* A request runs so often at most. */
#define UNIT_RUNS_MAX 8
/* One answer of the unit; with a fault, that instead, unless the answer stands. */
void unit_answer(struct server *s, const struct unit *u, const struct reply *r, const struct fault *fault);
/* The partition's open unit, made where there is none; NULL, and p->is_broken, when memory is out. */
struct unit *unit_open(struct server *s, struct partition *p);
/* To the open unit, which exists: p->is_broken when memory is out. The notification's bytes are u->bytes from `at` on. */
/* @seat  from which it is removed; NULL: the room ends. */
void unit_add_ending(struct server *s, struct partition *p, struct subscription *sub, const struct seat *seat);
void unit_add_notification(struct partition *p, struct seat *seat, bool is_to_sessions, size_t at);
/* Give one back; NULL is fine. */
void unit_drop(struct server *s, struct unit *u);
void unit_finish_spare(struct server *s);

#endif
