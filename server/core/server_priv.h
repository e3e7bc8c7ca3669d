/*
 * server_priv.h - the server's state; only the core includes it.
 *
 *   conn.c                a connection: its bytes in, its answers out, its end
 *   request.c             one message: decode, check, hand it on
 *   request_room.c        a request on a room: its partition, its caller, the call; room.create
 *   connection_methods.c  the methods that act on no partition
 *   subscription.c        which connections follow a room, and the states of a subscription
 *   partition.c      a room in memory: load, wait, drop; rounds that a request needs and that are not
 *   unit_of_work.c        the unit of work: from handlers' marks to one commit, then answers and updates
 *   unit_replies.c        what it holds
 *   unit_undo.c           one that was not made: its requests are refused, or run again
 *   fanout.c              write scheduling and fan-out; send_queue.c per-connection send queue
 *   rate_limit.c          rates, per connection and per address; guess_limit.c room codes that are tried
 *   txn.c                 transactions on the directory: begin, run, begin again, answer
 *   txn_*.c               their reads, writes, line, commits, repeats, topics, caller: see txn_priv.h
 *   directory_rooms.c     where the two meet: what transactions have rooms do
 *   topic.c               subscriptions to partitions of the directory; user_rooms.c what rooms publish there
 *   session_cache.c       the sessions that connections use now; user_conns.c the connections of a user
 *   live_time.c           how often users do things, and when something first happened
 *   command.c             runs of the command for notices
 *   ticket.c              sends loads and commits, and finds the owner of an answer
 *   update_log.c          per-room ring of encoded update frames; timers.c heap of due times
 *   expiry.c              what has expired
 *   server.c              events in, effects out
 *
 * One request's way: conn -> request -> partition -> room_call() -> unit ->
 * FX_COMMIT -> EVENT_COMMITTED -> publish -> fanout.
 */
#ifndef SERVER_CORE_SERVER_PRIV_H
#define SERVER_CORE_SERVER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "proto/rpc.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"

struct batch;
struct command;
struct conn;
struct line;
struct live_item;
struct live_partition;
struct live_session;
struct partition;
struct send_queue;
struct topic;
struct transaction;
struct unit;
struct user_conns;

struct server {
	struct server_config config;
	size_t other_code_chars; /* of rooms' codes: what config's was before sharing, or will be then */
	struct random random;
	unsigned char nonce_key[SEED_BYTES]; /* nonces follow from it */
	struct store_token token; /* of rooms' commits, with the number of the ticket behind it: no other process has the same */
	struct buf hello_limits; /* the limits in force, as session.hello sends them */
	struct clocks now;
	struct effects *fx; /* of the step that runs; NULL between steps */
	struct arena scratch; /* results of handlers, log lines; reset when a step begins */
	struct arena decoded; /* params of the message at hand */
	struct decoder decoder;
	struct shared_fields shared;

	struct conn **conns; /* by slot */
	size_t conns_capacity;
	size_t conns_n;
	struct partition *partitions; /* uthash by room_id */
	size_t partitions_n;
	struct address *addresses;
	struct live_time *user_rates; /* uthash: when a bucket has drained, in monotonic us */
	struct live_time *live_notes; /* uthash: when it happened, in monotonic ms */
	struct live_session *sessions; /* uthash by token_hash */
	struct user_conns *user_conns; /* uthash by user_id */
	struct transaction *transactions;     /* utlist */
	struct transaction *transactions_due; /* utlist by due_next */
	size_t transactions_n;
	struct command *commands; /* utlist: runs that have not ended */
	size_t commands_n;
	size_t transactions_bytes; /* that they hold: requests, items read and written */
	struct line *lines; /* uthash by partition */
	struct batch *batches; /* utlist: of transactions that have run and are not durable */
	bool is_batch_due;
	struct live_item *live_items; /* uthash: that transactions read and write */
	struct live_partition *live_partitions; /* uthash by PK */
	struct topic *topics; /* uthash by PK */
	struct topic_right *topic_rights; /* uthash by the item's key */
	struct bucket misses; /* of everybody */
	char missed[CODE_CHARS_MAX + 1]; /* as an address has it, of connections that have none */
	struct timers timers;

	struct send_queue *spare_send_queues; /* that nobody needs now */
	unsigned spare_send_queues_n;
	struct unit *spare_units;
	unsigned spare_units_n;
	struct conn *ready;        /* have something of their own to write */
	struct conn *resuming;     /* may read on */
	struct partition *dirty;   /* have a unit to close */
	struct partition *marked;  /* have frames to fan out */
	unsigned slice_used;       /* of its slice, by the partition in front */
	unsigned large_n;          /* marked ones that are large */
	bool to_relieve;           /* the send_queues hold too much, and a peer takes nothing */

	struct ticket *tickets; /* uthash by number */
	uint64_t last_ticket;
	uint64_t last_subscription;
	uint64_t hellos; /* session.hello that were answered, on whatever connection */
	struct ticket expiry_ticket;
	size_t expiry_limit;    /* of its items */
	int64_t expiry_mono;    /* when the next begins in any case */
	uint64_t expiry_failed; /* commits that had failed when the last one was found */
	size_t expiry_after_len; /* the next begins behind that place of the index, where the last one ended; 0: a new pass */
	char expiry_after[STORE_CURSOR_BYTES_MAX];
	uint64_t expiry_requests; /* requests that had come when it last began, */
	int64_t expiry_asked_mono; /* and when that number was last seen to have grown */
	bool expiry_goes_on;    /* there is more: the next begins when the store is quiet */
	uint64_t expiry_rooms_ended; /* rooms that no log line has counted yet */
	int64_t expiry_log_mono; /* when the next line counts them */
	int64_t addresses_mono; /* when quiet addresses are next forgotten */
	bool is_stopping;
	int64_t started_wall;
	struct counters counters;
};

/* Append an effect; false when memory is out. */
bool server_effect(struct server *s, const struct effect *e);
void server_log(struct server *s, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
int64_t server_limit(const struct server *s, enum limit limit);

#endif
