/*
 * partition.h - a room in memory: loaded, waited for, dropped.
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
#include "server/domain/room_task.h"

struct address;
struct conn;
struct frame;
struct inquiry;
struct room_page;
struct parked;
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
/* Of one room so many wait at most; what is beyond is forgotten, as tasks may be. */
#define TASKS_WAITING_MAX 64

enum partition_state { PARTITION_LOADING, PARTITION_READY };

struct partition {
	char room_id[CODE_CHARS_MAX + 1];
	enum partition_state state;
	struct room *room; /* NULL while loading, and where there is no such room */
	struct parked *parked; /* LOADING: in order; those of a unit that is undone come first */
	struct inquiry *inquiries; /* requests that wait for facts of the directory, in order */
	struct waiting_task *tasks; /* LOADING: in order; before the requests */
	size_t tasks_n;
	struct unit *open;   /* NULL: nothing has been done since the last closed */
	struct unit *flight; /* NULL: nothing is on its way */
	bool is_broken;      /* memory ran out: the open one must fail */
	bool to_resend; /* the store was busy, or the outcome unknown: the flight's commit goes again with the next turn */
	bool is_dirty;  /* in server->dirty */
	bool is_marked; /* in server->marked: some subscription may have something to read */
	bool is_large;  /* and then it had more subscriptions than one turn takes */
	struct subscription *fan_next; /* where the fan-out goes on */
	bool fan_again;         /* more came while it went: go round once more */
	struct update_log log;
	struct frame *full;        /* the latest full update, if somebody holds it still; not a reference */
	struct frame *full_sparse; /* the same without shared data */
	size_t full_bytes; /* of the last full update with shared data; of the longest, if all were without */
	uint64_t notifications_end; /* log offset after the last transient notification; a client that resumes from before it gets a full update, so stale nudges are not replayed */
	struct subscription *subscriptions;
	struct subscription *pending;
	size_t subscriptions_n;
	struct buf group_line;     /* its line in group.rooms as it was sent last; empty: never */
	int64_t used_mono; /* last request or update */
	int64_t rests_mono; /* a commit failed: the room does not end before that */
	struct timer timer;
	struct partition *dirty_next, *dirty_prev;
	struct partition *marked_next, *marked_prev;
	UT_hash_handle hh;        /* by room_id */
	struct ticket ticket;     /* of its load, or of its flight's commit */
	struct room_page *page;        /* being loaded; NULL: none */
	uint64_t load;            /* which load of any partition was its last */
	struct address *asker;    /* for whose guess it is loaded, or waits to be; NULL: none's */
	bool waits_to_load;       /* in asker->loads_waiting */
	struct partition *wait_next, *wait_prev;
};

/* The partition, being loaded if it was not in memory. NULL: no memory for it, or too many. */
struct partition *partition_get(struct server *s, const char *room_id);
/* One that is not in memory, as LOADING, without a load. NULL: no memory for it, or too many. */
struct partition *partition_add(struct server *s, const char *room_id);
/* Load it. False when memory is out. */
bool partition_begin_load(struct server *s, struct partition *p);
/* It could not be loaded: requests that wait are refused, and without subscribers it is dropped. */
void partition_give_up(struct server *s, struct partition *p);
struct partition *partition_find(struct server *s, const char *room_id);
#define ROOMS_FULL "the server is full; try again later"
/* Send a connection the notification that its subscription has ended; of a kick with all that why says. */
void partition_send_ended(struct server *s, struct conn *c, enum notice which, const struct kicked_notice *why);
/* Its PK, in the scratch arena; empty when memory is out. */
struct slice partition_pk(struct server *s, const struct partition *p);
/* What stands for the room in log lines, its first characters: a keyed hash, as a code opens the room. */
struct key_text partition_log_name(const struct server *s, const struct partition *p);
/* The room's task: at once, or when it is loaded. Nothing where that cannot be now; the key is copied. */
void partition_give_task(struct server *s, const char *room_id, room_task_handler *run, struct slice key);
void partition_loaded(struct server *s, struct partition *p, const struct event *e);
/* Throw the state away; subscribers stay, and start over when it has been loaded again. */
void partition_forget_room(struct server *s, struct partition *p);
/* Load it again; where memory is out, a second later. */
void partition_reload(struct server *s, struct partition *p);
void partition_destroy(struct server *s, struct partition *p);
/* A reference to the full update of the room as it is, encoded where no reference exists; NULL when memory is out. */
struct frame *partition_full(struct server *s, struct partition *p, bool with_data);
/* The room ends: connections that hold its full update keep it, no other is sent it. */
void partition_forget_full(struct partition *p);
void partition_timer(struct server *s, struct partition *p);
/* It has work for the next turn. */
void partition_dirty(struct server *s, struct partition *p);
/* Set its timer no later than its room, or its idleness, needs. */
void partition_schedule(struct server *s, struct partition *p);
/* Graces and lifetimes that have ended by now. */
void partition_look(struct server *s, struct partition *p);
bool partition_is_busy(const struct partition *p);

#endif
