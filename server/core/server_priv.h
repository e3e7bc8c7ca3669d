/*
 * server_priv.h - the state of the server; only the core includes it.
 *
 *   conn.c                a connection: receiving, answering, closing
 *   request.c             one message: decode, check, dispatch
 *   request_room.c        a request on a room: its partition, its caller, the call; new_room.c room.create
 *   connection_methods.c  methods that act on no partition
 *   forward.c             connections that mean a room of another node
 *   subscription.c        subscriptions of connections to rooms, and their states
 *   partition.c           a room in memory: load, wait, drop
 *   unit_of_work.c        the unit of work: from handlers' marks to one commit, answers and updates
 *   unit_replies.c        the answers of a unit
 *   unit_undo.c           a unit whose commit failed: its requests are refused, or run again
 *   fanout.c              write scheduling and fan-out; send_queue.c output of one connection
 *   rate_limit.c          rates, per connection and address; guess_limit.c tries of room codes
 *   txn.c                 transactions on the directory: begin, run, begin again, answer
 *   txn_*.c               their reads, writes, lines, commits, topics, ...: see txn_priv.h
 *   directory_rooms.c     connects the two: tasks that transactions give to rooms, what rooms bring there
 *   news.c                what a change of the directory brings to others, on every node
 *   topic.c               subscriptions to partitions of the directory
 *   session_cache.c       sessions in use; user_conns.c the connections of a user
 *   live_time.c           rates of users, and when something first happened
 *   command.c             runs of the notification command
 *   cluster.c             one of several servers on one table: its lease, the other nodes, frozen or not
 *   room_bucket.c           rooms of one bucket: taken, held, left
 *   lease.c, membership.c, rendezvous.c  what a node may do by time, which others there are, who is home
 *   ticket.c              sends loads and commits, and finds the owner of an answer
 *   update_log.c          a room's ring buffer of encoded update frames
 *   timers.c              heap of due times
 *   expiry.c              removal of expired items
 *   server.c              events in, effects out
 *
 * A request passes through: conn -> request -> partition -> room_call() -> unit -> FX_COMMIT ->
 * EVENT_COMMITTED -> publish -> fanout.
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
#include "server/core/commit_log.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"

struct batch;
struct cluster;
struct command;
struct conn;
struct line;
struct live_item;
struct live_partition;
struct live_session;
struct partition;
struct send_queue;
struct topic;
struct topic_right;
struct transaction;
struct unit;
struct user_conns;

struct server {
	struct server_config config;
	/* length of room codes: config's value before sharing, or the one it gets then */
	size_t other_code_chars;
	struct random random;
	unsigned char nonce_key[SEED_BYTES]; /* key from which nonces are derived */
	/*
	 * token of rooms' commits, completed with the number of the ticket; unique among
	 * processes
	 */
	struct store_token token;
	struct buf hello_limits; /* the current limits, as session.hello sends them */
	char web[MAX_WEB_BYTES]; /* address of the page for browsers, likewise */
	size_t web_len;
	struct clocks now;
	struct effects *fx; /* effects of the current step; NULL between steps */
	struct arena scratch; /* results of handlers, log lines; reset when a step starts */
	struct arena decoded; /* params of the current message */
	struct decoder decoder;
	struct shared_fields shared;

	struct conn **conns; /* by slot */
	size_t conns_capacity;
	size_t conns_n;
	struct partition *partitions; /* uthash by room_id */
	size_t partitions_n;
	struct address *addresses;
	struct live_time *user_rates; /* uthash: when a bucket will be drained, in monotonic us */
	struct live_time *live_notes; /* uthash: when it happened, in monotonic ms */
	struct live_session *sessions; /* uthash by token_hash */
	struct user_conns *user_conns; /* uthash by user_id */
	struct transaction *transactions;     /* utlist */
	struct transaction *transactions_due; /* utlist by due_next */
	struct transaction *transactions_later; /* utlist by later_next, in the order of their times */
	size_t transactions_n;
	struct command *commands; /* utlist: runs that have not ended */
	size_t commands_n;
	/* bytes held by transactions: requests, items read and written */
	size_t transactions_bytes;
	struct line *lines; /* uthash by partition */
	struct batch *batches; /* utlist: transactions that have run and are not durable */
	bool is_batch_due;
	struct live_item *live_items; /* uthash: items that transactions read and write */
	struct live_partition *live_partitions; /* uthash by PK */
	struct topic *topics; /* uthash by PK */
	struct topic_right *topic_rights; /* uthash by the item's key */
	struct topic *topic_missed; /* the next that is reset, as in topics_missed(); NULL: none */
	size_t topics_missed_n, topics_missed_done;
	int64_t topics_missed_mono;
	bool topics_missed_again;
	uint64_t published;  /* number of the last publication; 0: none was heard */
	int64_t looks_mono;  /* when sessions are looked for that have to be looked up */
	struct bucket misses; /* wrong guesses of all peers */
	char missed[CODE_CHARS_MAX + 1]; /* as in struct address, for connections without one */
	struct timers timers;

	struct send_queue *spare_send_queues; /* unused, for reuse */
	unsigned spare_send_queues_n;
	struct unit *spare_units;
	unsigned spare_units_n;
	struct conn *ready;        /* connections with output of their own */
	struct conn *resuming;     /* connections that may continue to read */
	struct partition *dirty;   /* partitions with a unit to close */
	struct partition *marked;  /* partitions with frames to fan out */
	unsigned slice_used;       /* used part of its slice, of the first partition */
	unsigned large_n;          /* number of marked partitions that are large */
	bool to_relieve;           /* the send queues hold too much, and a peer reads nothing */

	struct ticket *tickets; /* uthash by number */
	uint64_t last_ticket;
	uint64_t last_subscription;
	uint64_t hellos; /* number of session.hello answered on all connections */
	struct ticket expiry_ticket;
	size_t expiry_limit;    /* most items of a sweep */
	int64_t expiry_mono;    /* when the next sweep starts in any case */
	/* number of failed commits when the items of the last sweep were found */
	uint64_t expiry_failed;
	/*
	 * the next sweep starts after this position of the index, where the last one ended; 0: at
	 * the beginning
	 */
	size_t expiry_after_len;
	char expiry_after[STORE_CURSOR_BYTES_MAX];
	uint64_t expiry_requests; /* number of requests when the last sweep started */
	int64_t expiry_asked_mono; /* when that number was last seen to have grown */
	bool expiry_goes_on;    /* there is more: the next sweep starts when the store is idle */
	uint64_t expiry_rooms_ended; /* expired rooms that no log line has counted yet */
	int64_t expiry_log_mono; /* when the next line counts them */
	int64_t addresses_mono; /* when unused addresses are freed next */
	bool is_stopping;
	bool is_frozen;   /* as in cluster.h */
	bool is_refusing; /* frozen for long: requests do not wait any more */
	struct cluster *cluster; /* NULL: this server is alone */
	int64_t started_wall;
	struct counters counters;
	struct commit_log commit_log;
};

/* Append an effect; false when memory is out. */
bool server_effect(struct server *s, const struct effect *e);
void server_log(struct server *s, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
int64_t server_limit(const struct server *s, enum limit limit);

#endif
