/*
 * world.h - a whole world in one process: the real server core, and around it a
 * fake network, disk and clock, people who use it, and an oracle that watches.
 *
 * Everything follows from one seed, so a failure is a number. The people know
 * only what a client knows; the oracle sees everything and believes nothing:
 * it keeps its own copy of what is durable (disk/table.c) and of every state a
 * room was in (oracle/room.c), and judges every frame that leaves.
 *
 *   world/     the loop of a run, its clock and its dice, scenarios, several servers on one table, the calm at the end
 *   net/       connections, what a client understands, requests on their way
 *   disk/      the store between the server and what is durable
 *   oracle/    what holds for everything: frames, answers, states, causes
 *   features/  what people do with rooms, sessions, data, and why that may change
 *
 * Life: world_create() .. world_destroy(). One thread.
 */
#ifndef TESTS_SIM_WORLD_WORLD_H
#define TESTS_SIM_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/base/buf.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/core/server.h"
#include "server/domain/base/machine.h"
#include "store/store.h"
#include "tests/sim/disk/commit.h"
#include "tests/sim/disk/engine.h"
#include "tests/sim/disk/master.h"
#include "tests/sim/disk/table.h"
#include "tests/sim/disk/watcher.h"
#include "tests/sim/features/points.h"
#include "tests/sim/features/sessions.h"
#include "tests/sim/net/member.h"
#include "tests/sim/net/net.h"
#include "tests/sim/oracle/claims.h"
#include "tests/sim/oracle/fields.h"
#include "tests/sim/oracle/oracle.h"
#include "tests/sim/oracle/room.h"
#include "tests/sim/sizes.h"
#include "tests/sim/world/cluster.h"
#include "tests/sim/world/dice.h"
#include "tests/sim/world/node.h"

struct world_options {
	uint64_t seed;
	unsigned steps;
	bool is_twin;     /* every vote is the other card of its pair */
	bool is_hidden;   /* no card is ever turned over: what follows from a result is no secret */
	bool is_scripted; /* nothing happens by itself */
	size_t nodes;     /* so many servers; 0: as the seed says */
	enum sim_break planted;
	FILE *trace; /* NULL: none */
};

/* The declared state machines whose moves are traced and counted. */
#define SIM_MACHINES 2

struct world_figures {
	uint64_t logins, sessions_refused, requests, answers, refusals, updates, fulls, commits, failed_commits, crashes, cuts, stalls, reveals,
		votes, repeats, resumes, transitions, comparisons, stops, ended, saves;
	uint64_t granted[METHOD_COUNT];
	uint64_t moves[SIM_MACHINES][MACHINE_STATES_MAX][MACHINE_STATES_MAX];
};

struct world {
	struct world_options o;
	struct dice dice;
	unsigned step;

	/* clocks and figures of this world */
	int64_t mono_ms, wall_ms;
	int64_t calm_since;
	unsigned jumps;      /* of the wall clock, so far */
	unsigned jump_step;  /* of the last of them */
	int64_t set_back_ms; /* by how much the wall clock is behind where it would be from its furthest */
	bool is_team;    /* most people are logged in, and work in groups */
	bool is_lagging; /* the store's indexes are */
	bool is_batched; /* a commit of the directory may be of several transactions, of which only the last states are seen */
	bool is_night;   /* at the end of the run */
	int64_t night_ms;
	bool is_calm; /* no more acts and faults: let everything finish */
	struct server_config config;
	unsigned fault_permille, cut_permille, crash_permille, stall_permille, act_permille;
	unsigned store_percent, tick_late_percent;

	struct sim_node nodes[SIM_NODES_MAX]; /* the processes; mostly there is one */
	size_t nodes_n;
	struct sim_node *node; /* whose turn it is: world_enter() */
	struct sim_cluster cluster; /* of several */
	struct view *loaded; /* a load comes late to one of them: the room as it was in the table; or NULL */
	struct store *store;
	struct sim_master master; /* the store is one, in some worlds, */
	struct sim_engine other;  /* and this another process' way to it, which has no server */
	struct sim_watcher watchers[2]; /* in both processes */
	struct store *old_store; /* BREAK_OLD_DISK */
	struct store *old_backup; /* BREAK_OLD_BACKUP */
	unsigned unknown_until; /* it said that and went on: up to that step those who wait for the commit are closed */
	bool must_end_unsure; /* in a scenario: so it is, once, where an answer is lost */
	struct sim_notice { /* that left: on which connection, of which server, in which life of it */
		uint64_t what; /* hash of question and user */
		uint32_t serial;
		const struct sim_node *node;
		uint64_t life;
	} notices[SIM_NOTICES_MAX];
	size_t notices_n;
	struct sim_run { /* of the command, that a commit allows */
		char input[80]; /* begins so */
		bool is_due;
	} runs[SIM_NOTICES_MAX];
	size_t runs_n;
	unsigned addresses; /* that were given to subscriptions */

	uint64_t misses;  /* answers ROOM_NOT_FOUND, PASSCODE_REQUIRED and, to the code of an invitation, NOT_FOUND: enough of them excuse RATE_LIMITED */
	uint64_t faults;  /* commits and loads that failed, restarts: each excuses UNAVAILABLE; a room's conflict does not */
	uint64_t conflicts; /* of the directory, which are among the faults: its transactions run again */
	struct sim_commit *commits; /* oldest first */

	struct member members[SIM_MEMBERS_MAX];
	size_t members_n;
	struct conn *conns[SIM_CONNS_MAX];
	size_t conns_n;
	uint32_t serials;
	uint32_t generations[SIM_CONNS_MAX];
	struct sim_room rooms[SIM_ROOMS_MAX];
	size_t rooms_n;
	size_t rooms_wanted;
	struct op *ops;
	size_t ops_n, ops_capacity;
	size_t ops_first; /* all before it are done with */
	uint64_t delivered; /* counts */
	struct table table;
	struct sessions sessions;
	struct sim_points points;
	char presences[16][9]; /* what was set lately */
	size_t presences_n;
	char codes[16][28]; /* of invitations, as they were heard lately */
	size_t codes_n;     /* of all that were heard */
	struct sim_deleted {
		char id[20];
		int64_t mono; /* since when it says so on the disk */
	} deleted[64];        /* groups, the latest */
	size_t deleted_n;     /* of all that were */
	struct sim_left { /* somebody left a group, or is its owner no more */
		char user_id[20], group_id[20];
		bool was_owner;
		int64_t mono;
	} left[128]; /* the latest */
	size_t left_n; /* of all that were */
	struct sim_save { /* an estimate that is to be written to an item, by the mark that the settlement left */
		int room;
		char story_id[20], mark[20], container_id[20], item_id[20], user_id[20];
		char card[SIM_CARD_BYTES];
		int64_t mono;	  /* since when it is on the disk */
		unsigned written; /* so often it was */
		bool is_refused;  /* it was remembered that it never will be */
		bool is_over;	  /* the mark has gone, or another took its place */
	} saves[256]; /* the latest */
	size_t saves_n; /* of all that were */
	struct sim_went { /* a deleted user, whose USER item is gone */
		char user_id[20];
		int64_t mono;
	} went[16];    /* the latest */
	size_t went_n; /* of all that were */
	int64_t unbarred_mono;	/* when the server's owner last let a barred user come back */

	struct shown_thing shown[SIM_SHOWN_MAX];

	struct decoder decoder;
	struct arena arena;
	struct buf scratch;

	/* the verdict */
	bool is_broken;
	enum claim broken;
	char why[512];
	uint64_t hash;   /* of all effects and output */
	uint64_t public; /* of all that others may see before a reveal */
	unsigned planted_times;
	struct world_figures figures;
	struct machine_trace machine_trace;
};

/* world.c */
struct world *world_create(const struct world_options *o);
void world_destroy(struct world *w);
/* Run to the end, or to the first broken claim. */
void world_run(struct world *w);
void world_advance(struct world *w, int64_t ms);
/* What happens from now on happens at that node, and what is known of rooms in memory is of that one. */
void world_enter(struct world *w, struct sim_node *node);
struct clocks world_now(const struct world *w);
void trace(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* oracle/machines.c */
void machines_start(struct world *w);
/* Print how many of the moves that machines may make were made, and which were not. Returns how many were not. */
unsigned machines_report(const struct world_figures *f);

/* shell.c */
void shell_start(struct world *w);
void shell_step(struct world *w, const struct event *e);
void shell_turn(struct world *w);
/* The node of the turn takes a bucket, or gives it up. */
void shell_take(struct world *w, uint64_t ticket, const struct store_take *take);
/* It ends at once, while the others go on. */
void shell_kill(struct world *w);
/* Each node that runs has a turn. */
void shell_each(struct world *w, void (*does)(struct world *w));
/* The end of a commit, for the engine: a store_commit_cb. */
void shell_on_commit(void *arg, enum err e, uint64_t version);
void shell_tick_if_due(struct world *w);
/* Let n store operations happen, and tell the server of what has finished. */
void shell_disk(struct world *w, size_t n);
void shell_output(struct world *w);
void shell_crash(struct world *w);
/* The same, and it is that much later when the server is there again. */
void shell_crash_for(struct world *w, int64_t ms);
void shell_stop(struct world *w);
void shell_finish(struct world *w);
/* The server begins anew with what that store has, which is the world's from now on. */
void shell_restore(struct world *w, struct store *store);

/* restore.c: take a backup now and then, and see that it can be restored. */
void restore_step(struct world *w);

/* calm.c */
void calm_run(struct world *w);
/* No more acts, no more faults: until nothing moves any more. */
void calm_settle(struct world *w);
void calm_check(struct world *w);

/* script.c: run a scenario file and compare; returns false with a message in *why. */
bool script_run(const char *path, FILE *out, char *why, size_t why_cap);

#endif
