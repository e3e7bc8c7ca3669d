/*
 * redis_table.h - the state of the Redis engine. Private to store/redis.
 *
 * Three links to the master: commits and takings go through one, in order; reads through another, so that none
 * waits for a commit; the third has the subscription to publications. Where the address has Sentinels, a
 * fourth asks them for the master (redis_seek.h), and the three follow. A request of store.h is a job: it sends one or
 * more commands, in stages, and what the replies say decides what comes next. A stage that failed is sent
 * again, for as long as the job has time.
 *
 * Happy path of a commit:
 *   FIRST    entries of the directory's indexes for items of a room, if it has any: list.lua
 *   SECOND   commit.lua, one for all commits that wait (redis_batch.c); the answer of each waits until replicas
 *            have it (redis_wait.c), and until all publications before it were passed on
 * of a query:
 *   FIRST    the entries of the page, of each scope that may have some
 *   SECOND   their items, each looked at again; where some do not fit, FIRST again from there
 * A load, a count and a taking have one stage.
 * A commit that ends with ERR_UNKNOWN is made to end in Redis, too, before anything else of its scope is sent.
 *
 * Life: store_open_redis() (redis_open.c) .. store_close().
 */
#ifndef STORE_REDIS_REDIS_TABLE_H
#define STORE_REDIS_REDIS_TABLE_H

#include "store/base/apply.h"
#include "store/base/engine.h"
#include "store/redis/link/redis_args.h"
#include "store/redis/link/redis_link.h"
#include "store/redis/redis_listed.h"
#include "store/redis/redis_scripts.h"
#include "store/redis/start/redis_info.h"
#include "store/redis/start/redis_seek.h"
#include "store/redis/store_redis.h"

#define REDIS_READ_MS	    10000  /* how long a read waits for the server */
#define REDIS_COMMIT_MS	    30000  /* how long a commit is sent again: less than its token's life */
#define REDIS_TOKEN_LIFE_MS 120000
#define REDIS_PAUSE_MS	    50	 /* before what was refused for the moment is sent again */
#define REDIS_MOVE_PAUSE_MS 500 /* the same of the end of a walk, which is a command for each scope */
#define REDIS_TICK_MS	    1000 /* for the lease and the status */
#define REDIS_LEASE_MS	    5000
#define REDIS_BEHIND_MS	    1000 /* a publication that does not come for so long is not waited for */
#define REDIS_NODE_BYTES    16
#define REDIS_CHANNEL_BYTES 16
#define REDIS_MASTERS_MAX   64 /* of a cluster */
#define REDIS_LANES_MAX	    (2 * REDIS_MASTERS_MAX + 2)

/* Of maxmemory: from here on new items of most kinds are refused, from there on all new ones. */
#define REDIS_RESERVE_PERCENT 70
#define REDIS_FULL_PERCENT    80

struct redis_table;
struct redis_job;
struct redis_query;
struct redis_check;
struct redis_batch;

/* What jobs of one kind do. */
struct redis_job_kind {
	/*
	 * Send the commands of the stage, by redis_job_call() or redis_batch_add(). ERR_BUSY: the link takes no more now.
	 * With another error the job ends, or with what was sent before it.
	 */
	enum err (*send)(struct redis_job *job);
	/* One of them was answered. ERR_IO: not as it can be. */
	enum err (*on_reply)(struct redis_job *job, const struct redis_reply *reply);
	/* All were: redis_job_end(), or the next stage by redis_job_again(). */
	void (*on_stage)(struct redis_job *job);
	/* One was not: forget what came; the stage will be sent again, or the job ends. */
	void (*on_failure)(struct redis_job *job);
};

/* The last two are those of a check. */
enum redis_stage { REDIS_STAGE_FIRST, REDIS_STAGE_SECOND, REDIS_STAGE_THIRD, REDIS_STAGE_FOURTH };

/* A link, and the jobs that wait for it. */
struct redis_lane {
	struct redis_table *t;
	struct redis_master *master; /* NULL: of the directory; its links are there from the start */
	bool is_commits;
	struct redis_link *link;     /* NULL: not used yet */
	struct redis_job *waiting; /* utlist, in the order of the calls */
	struct redis_job *again;   /* utlist; before those, as they were sent before; in the order of the calls */
	struct redis_batch *batch; /* commits that leave together; NULL: none, as between two runs */
	struct redis_job *made;	   /* utlist, in that order: commits that replicas may not have yet */
	bool waits;		   /* a WAIT for them is under way */
	bool waits_given_up;	   /* the same for those that were given up */
	int64_t paused_until_ms;
	uint64_t bytes_used, bytes_max; /* of commits: memory of the server */
};

/* A master of a cluster, with the links to it for buckets of rooms. */
struct redis_master {
	struct redis_address address;
	struct redis_lane commits, reads;
	bool is_named; /* a part of the last map */
};

/* A command of a job that follows when those to another server were answered. */
struct redis_later {
	struct redis_later *next; /* utlist */
	int script;
	struct redis_args args;
};

/* Where a walk through all servers is. */
struct redis_walk {
	struct redis_lane *lane; /* of the server, for commands that name no key; NULL: the job's own */
	struct slice rest;	 /* of the cursor, for that server */
	uint64_t map;		 /* of a cluster: the one that it began with */
	bool is_end;		 /* all servers were asked: is the map still that one? */
};

struct redis_job {
	struct redis_job *prev, *next; /* utlist: in its lane, or in `held`; in none while commands are under way */
	struct redis_table *t;
	uint64_t nth; /* in the order of the calls */
	struct redis_lane *lane;
	const struct redis_lane *at; /* of the commands under way */
	struct redis_later *later;   /* utlist */
	struct redis_walk walk;	     /* of a scan */
	bool in_any_order;	     /* answers of the stage may come from several servers at once */
	bool is_flying;		     /* counted in t->flying */
	bool is_alone;		     /* a commit: with others the script has failed */
	const struct redis_job_kind *kind;
	struct store_request *w;
	enum redis_stage stage;
	int64_t until_ms;
	bool was_sent;	      /* a commit: from then on its time counts */
	unsigned scope;	      /* of a commit, a taking or a load */
	unsigned outstanding; /* commands under way */
	enum redis_end failed; /* how the first of them ended that failed; REDIS_END_OK: none */
	enum err error;	       /* why the job ends when all have */
	bool may_be_made;      /* a commit: it was sent, and the answer was lost */
	bool is_moving;	       /* what it asked for was on the move to another server */
	struct store_token token; /* of a commit that was given up: it has no request any more */
	uint64_t number;       /* of the last publication when it was answered */
	char history[REDIS_HISTORY_BYTES]; /* in which that was counted */
	int64_t held_ms;       /* since when it waits for that */
	struct redis_query *query; /* of a query */
	struct redis_check *check; /* of a check */
};

struct redis_table {
	struct store store;
	const struct redis_net *net;
	struct redis_address address;
	struct redis_address master; /* where the links lead */
	struct redis_seek seek;
	struct slice scripts[REDIS_SCRIPT_COUNT];
	struct redis_lane commits, reads;
	struct redis_link *publications;
	int32_t replicas;	 /* that must have a commit before it is acknowledged */
	uint64_t waits_missed;	 /* in which too few of them had it in time */
	char channel[REDIS_CHANNEL_BYTES]; /* of the database's publications: channels are of the whole server */
	char node[REDIS_NODE_BYTES]; /* this opening of the data */
	enum store_redis_use use;
	bool joins;   /* others may have the data open, too; as a node: */
	bool is_node; /* but nobody alone */
	store_damage_cb *on_warning;
	void *on_warning_arg;
	bool is_open;	 /* jobs may be sent */
	bool is_settled; /* no more are taken */
	bool is_lost;	 /* another process has the data open */
	int64_t leave_ms; /* store_redis_hurry(): when that is waited for no longer; 0: not called */
	bool is_left;	 /* it was that time */
	bool is_unsure;	 /* the connection was lost, so that one may have: commits wait for the lease */
	struct redis_job *given_up; /* utlist: answered with ERR_UNKNOWN; what concerns their scopes waits for them */
	unsigned in_doubt[ITEM_BUCKETS + 1]; /* of each scope: how many of these */
	size_t rooms_in_doubt;		     /* of all scopes but the directory */
	size_t jobs;	 /* not in `done` yet */
	struct store_requests done;

	/* publications */
	struct redis_job *held; /* utlist: ended, but they include publications that have not come */
	uint64_t applied;	/* number of the last that was passed on */
	char history[REDIS_HISTORY_BYTES]; /* in which that was counted */
	bool asks_number;
	uint64_t asked_after;	/* `applied` when the number was asked for */
	bool is_behind; /* some may have been missed: ask for the number */
	bool is_torn;	/* reads and publications do not come from one history: connect both again */

	struct redis_listed listed;
	bool listing[ITEM_BUCKETS + 1]; /* a commit of the scope is in its first stage */
	uint64_t calls;

	/* cluster: redis_cluster.c */
	struct redis_master *masters[REDIS_MASTERS_MAX];
	size_t masters_n;
	uint64_t map; /* counts the maps of slots that were another one than before; from 1 on */
	struct redis_master *of_bucket[ITEM_BUCKETS]; /* NULL: no cluster */
	uint16_t slots[ITEM_BUCKETS + 1];	      /* of each scope's tag */
	/* commits of a scope under way, and where: those behind them go nowhere else */
	unsigned flying[ITEM_BUCKETS + 1];
	const struct redis_lane *flying_at[ITEM_BUCKETS + 1];
	unsigned char expiring[ITEM_BUCKETS / 8 + 1]; /* scopes that may have entries of ByExpiry */

	bool leases; /* a renewal is under way */
	int64_t tick_ms; /* of the next one */
	uint64_t bytes_used, bytes_max;
	struct histogram batch;
	struct redis_info info;

	struct redis_args args; /* of the command that is put together */
	struct arena arena;
	struct buf sealed;
};

struct redis_table *redis_table_of(struct store *s);
static inline int64_t redis_now(const struct redis_table *t)
{
	return t->net->now_ms(t->net->arg);
}

/* Others have the data open: no more is written. */
void redis_table_lose(struct redis_table *t);

/* ---- lanes: redis_lane.c ---- */

/* The lane of what concerns the scope. */
struct redis_lane *redis_lane_of(struct redis_table *t, unsigned scope, bool is_commits);
/* All there are: returns how many. */
size_t redis_lanes(struct redis_table *t, struct redis_lane *out[REDIS_LANES_MAX]);
/* Make the link, if the lane has none yet. ERR_NOMEM. */
NODISCARD enum err redis_lane_open(struct redis_lane *lane);
/* Make the link of the subscription. ERR_NOMEM. */
NODISCARD enum err redis_lane_open_publications(struct redis_table *t);
/* Put the job among those that are sent again. */
void redis_lane_return(struct redis_job *job);
/* Put it among those that wait, in the order of the calls. */
void redis_lane_go_on(struct redis_job *job);
/* Send what waits, as far as the link takes it. */
void redis_lane_run(struct redis_lane *lane);
void redis_lanes_run(struct redis_table *t);
/* After an answer: of the lane, or, as in a cluster others may have waited for it, of all. */
void redis_lane_settle(struct redis_lane *lane);
void redis_lanes_flush(struct redis_table *t);
/* End the jobs whose time is over. */
void redis_lane_expire(struct redis_lane *lane, int64_t now_ms);

/* ---- walking over the keys: redis_partitions.c ---- */

#define REDIS_SCAN_CURSOR_MAX 64
#define REDIS_WALK_BYTES      (REDIS_SCAN_CURSOR_MAX + 32) /* of a cursor that names map and server of a cluster, too */

/* Send SCAN for keys of this pattern, to the server that the cursor names. An empty cursor: from the beginning. */
NODISCARD enum err redis_scan(struct redis_job *job, struct slice cursor, struct slice pattern, struct slice count);
/*
 * The keys that it found; *next is the cursor of the next, in cursor[], through all servers. Empty: there are
 * no more. NULL: not such a reply.
 */
const struct redis_reply *redis_scan_found(const struct redis_job *job, const struct redis_reply *reply,
					   char cursor[REDIS_WALK_BYTES], struct slice *next);
/* Whether the reply says nothing but that no slot of a scope is on the move: where one is, the command fails. */
bool redis_scan_is_look(const struct redis_job *job, const struct redis_reply *reply);
/* The same of one server; *next is its own cursor, in the reply. */
const struct redis_reply *redis_scanned(const struct redis_reply *reply, struct slice *next);
/* Split a key "{tag}i:PK"; its kind is the letter. false: it is none of ours. */
bool redis_scanned_pk(struct slice key, char *kind, struct slice *pk);

/* ---- cluster: redis_cluster.c ---- */

/* Find out in which slot each scope lies. */
void redis_cluster_begin(struct redis_table *t);
/* Read the reply of CLUSTER SLOTS; *home: the master of the directory. false: it is none, or not of all scopes. */
bool redis_cluster_read(struct redis_table *t, const struct redis_reply *reply, struct redis_place *home);
/*
 * Where a walk through all servers is that has come to this cursor, which is "" at first. What has moved from a
 * server that is still to be asked to one that was would be missed: so the walk begins again where the map has
 * changed, and ends where it is the same in the end.
 */
struct redis_walk redis_cluster_walk(struct redis_table *t, struct slice cursor);
/* Write the cursor that follows when that server's is `rest`, which is "0" at its end. Returns its length; 0: the end. */
size_t redis_cluster_walked(const struct redis_table *t, const struct redis_walk *walk, struct slice rest,
			    char out[REDIS_WALK_BYTES]);
/* The same at the end of all, where the server has said which map it has: from the beginning, or the end. */
size_t redis_cluster_walked_all(struct redis_table *t, const struct redis_walk *walk, const struct redis_reply *map,
				char out[REDIS_WALK_BYTES]);
/* Leave the masters that have no slots any more. Not to be called in callbacks of their links. */
void redis_cluster_tick(struct redis_table *t);
/* Leave them all. */
void redis_cluster_finish(struct redis_table *t);

/* ---- jobs: redis_job.c ---- */

/* Send the job's stage. false: the link takes no more now; the job stays where it is. */
bool redis_job_send(struct redis_job *job);
/* Its time is over, or nothing will help. */
void redis_job_give_up(struct redis_job *job);
/*
 * Send a command of the job: the words of t->args. Of those to several servers of a cluster, those to the next
 * one follow when the answers of the one before have come, unless the job takes them in any order.
 */
NODISCARD enum err redis_job_call(struct redis_job *job, int script);
/* The same of HGET of the item that a member of an index names; the member must be sound. */
NODISCARD enum err redis_job_get(struct redis_job *job, struct slice member);
/* The job has its result. */
void redis_job_end(struct redis_job *job, enum err result);
/* Send the stage (again), before what waits. */
void redis_job_again(struct redis_job *job);
/* Nobody knows whether they were made, in this order: send them again, before all others, or give them up. */
void redis_jobs_repeat(struct redis_lane *lane, struct redis_job *jobs);
/* Pass the request to store_poll(). */
void redis_table_finish(struct redis_table *t, struct store_request *w);

/* A command of it ended, as that says; true: it was the last of the stage, so the job may be gone. */
bool redis_job_answer(struct redis_job *job, enum redis_end end, const struct redis_reply *reply);
/* The command that it was to be a part of was not sent: it waits again. */
void redis_job_unsent(struct redis_job *job);
/* Nor will it be. */
void redis_job_fail(struct redis_job *job, enum err e);
/* The entries of a commit are written, and where that matters replicas have them: the commit follows. */
void redis_commit_listed(struct redis_job *job);

extern const struct redis_job_kind redis_commit_kind, redis_take_kind; /* redis_commit.c */
extern const struct redis_job_kind redis_load_kind;		       /* redis_load.c */
extern const struct redis_job_kind redis_nodes_kind;		       /* redis_nodes.c */
extern const struct redis_job_kind redis_query_kind, redis_count_kind; /* redis_query.c */
extern const struct redis_job_kind redis_check_kind;		       /* redis_check.c */
extern const struct redis_job_kind redis_partitions_kind;	       /* redis_partitions.c */
void redis_query_destroy(struct redis_query *q);
void redis_check_destroy(struct redis_check *c); /* as the other, accepts NULL */

/* ---- commits, several in one command: redis_batch.c ---- */

/* Add the commit to those that leave together. ERR_BUSY: as redis_job_kind's send; ERR_NOMEM. */
NODISCARD enum err redis_batch_add(struct redis_job *job, enum redis_script script);
/* Send them. false: the link takes no more now; they wait again. */
bool redis_batch_send(struct redis_lane *lane);

/* Parts of their command, which is t->args: redis_commit.c. Errors of the keys are those of t->args. */
struct slice redis_commit_token(struct redis_job *job);
void redis_commit_add_partitions(struct redis_job *job);
void redis_commit_add_indexes(struct redis_job *job);
/* ERR_NOMEM; ERR_CORRUPT, ERR_INVALID: a value cannot be stored. */
NODISCARD enum err redis_commit_add_words(struct redis_job *job);

/* ---- replicas: redis_wait.c ---- */

/*
 * The commit, the taking, or the entries of a commit in a cluster were answered: end it, or go on, when the replicas
 * have it, or send it again.
 */
void redis_wait_for(struct redis_job *job);

/*
 * The commit was refused: end it behind those that were answered before it. What refused it may be one of
 * them, and be lost with it: so it is sent again, too.
 */
void redis_wait_behind(struct redis_job *job, enum err result);
/* Send WAIT, behind a write. Errors as those of redis_link_send(). */
NODISCARD enum err redis_wait_call(struct redis_lane *lane, redis_end_cb *cb, void *arg);
/* Send the WAIT that the link had no room for, before more commits take that. */
void redis_wait_run(struct redis_lane *lane);

/* ---- space ---- */

/* The kinds of new items that Redis' memory has space for: as the states of store.h say. */
static inline enum apply_takes redis_takes(const struct redis_table *t)
{
	uint64_t percent = t->bytes_max == 0 ? 0 : t->bytes_used / (t->bytes_max / 100 + 1);
	return percent < REDIS_RESERVE_PERCENT ? APPLY_TAKES_ALL
	       : percent < REDIS_FULL_PERCENT  ? APPLY_TAKES_RESERVED
					       : APPLY_TAKES_NONE;
}

/* ---- scopes that may have entries of ByExpiry ---- */

static inline bool redis_may_expire(const struct redis_table *t, unsigned scope)
{
	return (t->expiring[scope / 8] >> scope % 8 & 1) != 0;
}

static inline void redis_note_expiring(struct redis_table *t, unsigned scope)
{
	t->expiring[scope / 8] |= (unsigned char)(1U << scope % 8);
}

/* ---- commits of which nobody knows whether they were made: redis_given_up.c ---- */

/* The job, which is in no list, is kept until its commit can no longer be made. */
void redis_give_up(struct redis_job *job);
/* Take the token away from a commit that may still come. Errors as those of redis_link_send(). */
NODISCARD enum err redis_give_up_call(struct redis_lane *lane, unsigned scope,
				      const struct store_token *token, redis_end_cb *cb, void *arg);
/* Send what it takes, for those that are left. */
void redis_given_up_settle(struct redis_table *t);
/* Whether the job must wait for one of them: it concerns the same scope, or may list its items. */
bool redis_given_up_holds(const struct redis_job *job);
void redis_given_up_finish(struct redis_table *t);

/* ---- publications: redis_publication.c ---- */

/* Whether the job is answered only after publications that have not come. */
bool redis_publication_is_due(const struct redis_job *job);
void redis_publication_on_link(void *arg);
void redis_publication_on_body(void *arg, struct slice body);
/* Ask for the number if some may have been missed. */
void redis_publication_tick(struct redis_table *t, int64_t now_ms);

/* ---- replies ---- */

/* The element of an array, or NULL. */
const struct redis_reply *redis_reply_at(const struct redis_reply *reply, size_t i);
/* Read 8 bytes; an empty string is 0. false: neither. */
bool redis_reply_u64(const struct redis_reply *reply, uint64_t *out);

#endif
