/*
 * partition.h - a room in memory: loading it, waiting for it, dropping it.
 */
#ifndef SERVER_CORE_ROOMS_PARTITION_H
#define SERVER_CORE_ROOMS_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/keys/room_code.h"
#include "proto/methods.h"
#include "server/core/rooms/update_log.h"
#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"
#include "server/domain/base/uthash_config.h"
#include "server/domain/room/room.h"
#include "server/domain/room_directory.h"

struct address;
struct conn;
struct frame;
struct inquiry;
struct parked;
struct request;
struct server;
struct subscription;
struct unit;

/* A task that waits for its room to be loaded. */
struct waiting_task {
	room_task_handler *run;
	struct waiting_task *next, *prev;
	size_t len;
	char key[];
};
/* The most tasks that wait for one room; further ones are dropped, as tasks may be. */
#define TASKS_WAITING_MAX 64

enum partition_state { PARTITION_LOADING, PARTITION_READY };

struct partition {
	char room_id[CODE_CHARS_MAX + 1];
	enum partition_state state;
	struct room *room; /* NULL while loading, and if the room does not exist */
	struct parked *parked; /* LOADING: in order; those of an undone unit come first */
	struct inquiry *inquiries; /* requests that wait for facts from the directory, in order */
	struct waiting_task *tasks; /* LOADING: in order; before the requests */
	size_t tasks_n;
	struct unit *open;   /* NULL: no changes since the last unit closed */
	struct unit *flight; /* the unit whose commit is in progress; NULL: none */
	bool is_broken;      /* memory ran out: the open unit must fail */
	/*
	 * the store was busy, or the result unknown: send the flight's commit again with the next
	 * turn
	 */
	bool to_resend;
	bool is_dirty;  /* in server->dirty */
	bool is_marked; /* in server->marked: some subscription may have output */
	bool is_large;  /* when marked, it had more subscriptions than one turn handles */
	struct subscription *fan_next; /* where the fan-out continues */
	bool fan_again;         /* more output arrived during the fan-out: go round once more */
	struct update_log log;
	/* the latest full update, while anyone references it; not a reference itself */
	struct frame *full;
	struct frame *full_sparse; /* the same without shared data */
	/* of the last full update with shared data; of the longest one, if all were without */
	size_t full_bytes;
	/*
	 * Log position after the last transient notification. A client that resumes from before
	 * it gets a full update, so that old nudges are not sent again.
	 */
	uint64_t notifications_end;
	struct subscription *subscriptions;
	struct subscription *pending;
	size_t subscriptions_n;
	struct buf group_line;     /* its entry in group.rooms as last sent; empty: never sent */
	int64_t used_mono; /* last request or update */
	int64_t rests_mono; /* a commit failed: the room does not expire before this time */
	struct timer timer;
	struct partition *dirty_next, *dirty_prev;
	struct partition *marked_next, *marked_prev;
	UT_hash_handle hh;        /* by room_id */
	struct ticket ticket;     /* of the load in progress, or of the flight's commit */
	struct room_page *page;        /* the page being loaded; NULL: none */
	uint64_t load;            /* number of its last load, among the loads of all partitions */
	/* the address for whose guess the room is loaded, or waits to be; NULL: none */
	struct address *asker;
	bool waits_to_load;       /* in asker->loads_waiting */
	struct partition *wait_next, *wait_prev;
	struct room_bucket *bucket; /* NULL: this server is alone */
	struct partition *bucket_next, *bucket_prev;
};

/*
 * Return the partition; if it is not in memory, start to load it. NULL: memory is out, there are
 * too many, or another node is the room's home.
 */
struct partition *partition_get(struct server *s, const char *room_id);
/*
 * Add a partition that is not in memory, as LOADING, without starting the load. NULL: as
 * partition_get().
 */
struct partition *partition_add(struct server *s, const char *room_id);
/*
 * Start to load the partition, after taking its bucket if need be. Returns false if memory is
 * out, or the bucket cannot be taken.
 */
bool partition_begin_load(struct server *s, struct partition *p);
/*
 * The partition could not be loaded: refuse the requests that wait, and drop it if it has no
 * subscribers.
 */
void partition_give_up(struct server *s, struct partition *p);
/* Another node is the room's home: end its connections, and forget it. */
void partition_leave(struct server *s, struct partition *p);
/* End the connections that are subscribed, so that they come back to the room's new home. */
void partition_end_subscriptions(struct server *s, struct partition *p);
struct partition *partition_find(struct server *s, const char *room_id);
/* Return whether another node is the room's home. */
bool partition_is_elsewhere(struct server *s, const char *room_id);
#define ROOMS_FULL "the server is full; try again later"
/* Notify a connection that its subscription has ended; for a kick, with everything in why. */
void partition_send_ended(struct server *s, struct conn *c, enum notice which, const struct kicked_notice *why);
/* Return the fence of its bucket; none if this server is alone. */
struct store_fence partition_fence(const struct partition *p);
/* Return its PK, in the scratch arena; empty if memory is out. */
struct slice partition_pk(struct server *s, const struct partition *p);
/*
 * Return the name of the room in log lines: the first characters of a keyed hash, because the
 * code itself would open the room.
 */
struct key_text partition_log_name(const struct server *s, const struct partition *p);
/*
 * Give the room a task: now, or when it is loaded. If that is not possible the task is dropped.
 * The key is copied.
 */
void partition_give_task(struct server *s, const char *room_id, room_task_handler *run, struct slice key);
void partition_loaded(struct server *s, struct partition *p, const struct event *e);
/* Discard the state; subscribers stay, and start over when the room has been loaded again. */
void partition_forget_room(struct server *s, struct partition *p);
/* Load the partition again; if memory is out, a second later. */
void partition_reload(struct server *s, struct partition *p);
void partition_destroy(struct server *s, struct partition *p);
/*
 * Return a reference to the full update of the current room, encoded if there is none yet; NULL
 * if memory is out.
 */
struct frame *partition_full(struct server *s, struct partition *p, bool with_data);
/* The room ends: connections that hold its full update keep it, and it is not sent to others. */
void partition_forget_full(struct partition *p);
void partition_timer(struct server *s, struct partition *p);
/* Mark the partition as having work for the next turn. */
void partition_dirty(struct server *s, struct partition *p);
/* Set the timer to the time when the room, or dropping it when idle, needs it, or earlier. */
void partition_schedule(struct server *s, struct partition *p);
/* Handle grace periods and lifetimes that have ended. */
void partition_look(struct server *s, struct partition *p);
bool partition_is_busy(const struct partition *p);

/* ---- room_page.c: rounds of its history that requests wait for ---- */

/* Rounds of a partition that are being loaded, and the requests waiting for them. */
struct room_page {
	struct ticket ticket;
	struct partition *partition;
	struct rounds_page rounds;
	struct parked *parked; /* in order */
};
/*
 * Let the request, which has been counted, wait for these rounds and be handled again. Returns
 * false if memory is out.
 */
bool room_page_want(struct server *s, struct partition *p, const struct request *rq, const struct rounds_page *rounds);
void room_page_loaded(struct server *s, struct ticket *ticket, const struct event *e);
void room_page_destroy(struct server *s, struct room_page *page); /* page may be NULL */

#endif
