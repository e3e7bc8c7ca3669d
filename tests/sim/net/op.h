/*
 * op.h - a request that somebody sent, and all that is judged by it.
 */
#ifndef TESTS_SIM_NET_OP_H
#define TESTS_SIM_NET_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/fault.h"
#include "proto/methods.h"
#include "tests/sim/net/view.h"

struct sim_node;

/* One request that somebody sent, until the end of the run. */
struct op {
	enum method method; /* METHOD_COUNT: no method of that name */
	uint32_t msgid;
	uint32_t conn; /* serial */
	const struct sim_node *node; /* to which it was delivered; NULL: none yet */
	int member;
	int room;          /* -1: none that exists */
	uint64_t ends_at;  /* offset of its end in what the connection sends */
	size_t bytes;      /* its length */
	char user_id[20];  /* the seat it acts for; "" where that is not certain */
	char user_key[44]; /* shown in it; "": none */
	char target[20];   /* whom or which story it concerns */
	char other[20];    /* story.move: next to which one */
	int64_t token;     /* reveal.cancel; of an item: if_revision; 0: none; map.set: if_revision; -1: none */
	uint64_t value;    /* hash of what is set */
	char text[SIM_NAME_BYTES]; /* clean name or title; "" none */
	char card[SIM_CARD_BYTES]; /* "" none */
	char deck[256];
	char container[20], item[20]; /* story.add: what becomes a story; "" nothing */
	char once[40];     /* idempotency_key; "" none */
	bool flag;         /* is_revealed, or role is spectator; room.leave: if_last */
	bool has_role;     /* said; else the seat keeps its own */
	bool sets_end;     /* of a story: its deadline */
	bool is_bot;       /* likewise: true, or not said */
	bool shows_host_key;
	bool host_key_was_shown; /* earlier, on the same connection */
	bool shows_user_key;
	bool has_since;
	bool is_shadowed;  /* its msgid is in use twice: only counted */
	enum fault_code expect; /* the refusal it must get; FAULT_NONE: whatever the rules say */

	bool is_delivered;
	bool is_answered;
	bool is_ok;
	bool is_dead;      /* its connection is gone */
	bool is_closed;    /* can have no effect any more */
	bool is_heard;     /* its sender has the answer */
	bool is_known_repeat; /* of a login whose first answer had left when it came */
	bool asks_group;   /* of a login: for a first group of its user */
	bool had_group;    /* likewise: by the disk, the user had been in one when it came */
	bool is_again;     /* a repeat of an earlier one with the same key */
	bool is_made;      /* of a change of an item: one on the disk is put down to it */
	int64_t dead_mono;
	uint64_t result_hash;
	int64_t delivered_mono;
	int64_t from_epoch, from_version; /* the room when it was delivered */
	uint64_t faults_before;           /* world->faults then */
	uint64_t conflicts_before;        /* likewise */
	uint64_t order;                   /* of delivery */
	int64_t answered_mono;
	uint64_t answered;                /* likewise, of the answer that leaves; 0: none has */
	/* of a call on a session, when it was delivered: see sessions.c */
	size_t session;         /* index + 1; 0: nobody's */
	int64_t delivered_wall;
	unsigned jumps_before;
	bool is_settled, was_there, was_over, was_live, was_in_use;
	bool is_overtaken;      /* a call that may change whose session its connection has came before it was answered */
	bool was_taken;         /* of a login: somebody else got the name meanwhile */
	char host[20];          /* who had the name, and in which session */
	char name_hash[44];
	bool brings_passcode;
	int64_t keep_seconds; /* of a vote; 0: not said */
	bool is_unsure;   /* of a vote: says how sure its voter is */
	int64_t was_barred; /* since when its seat's key was, on the disk, when it was delivered; 0: it was not */
	bool had_barred;    /* whether the room had kicked anybody for good then */
	int64_t target_was_barred; /* the same of the one it concerns */
	bool target_may_be_owner; /* of the group that the room is of */
	bool target_is_creator; /* the host_key was shown on the seat it concerns, on the disk, when it was delivered */
	bool was_member, was_owner; /* of a call in a group's room: its sender was that in the group, on the disk, when it was delivered */
	bool was_ended; /* of a call in a room: its time was over, and it was not in memory */
	size_t others_on_seat; /* of room.subscribe and room.leave: other connections that may be on its seat when it was delivered */
	uint32_t other_on_seat; /* of room.leave: one that surely was, by its serial; 0: none */
	struct buf sent;   /* the params as sent, for a repeat; only with once */
};

/* Of what is no room. */
static inline bool op_is_of_directory(const struct op *op)
{
	enum method_where where =
		op->method == METHOD_COUNT ? WHERE_NOWHERE : method_rows[op->method].where;
	return where != WHERE_NOWHERE && where != WHERE_NEW_ROOM && where != WHERE_ROOM;
}

#endif
