/*
 * cell.h - what is measured: cells, who competes in them, and what to reach.
 *
 * A cell is one situation (so many rooms, members and votes). Its contenders
 * are run one after the other, A B C A B C ..., an odd number of rounds, each
 * time from a fresh start; then its targets are judged by medians.
 *
 * How to add a cell
 * 1. In a cells_NAME.c write its contenders: who, and how one run goes. Where a
 *    run is "start a server, put a load on it, stop it", that is run_load() with
 *    the server's kind and the load's groups in the row, and nothing else to
 *    write (cells_votes.c). Where more happens in a run, write a function of the
 *    type `cell_run`, which fills a sample: run_start(), run_put_load() and
 *    run_stop() are the parts of an ordinary run; server.h and load.h are below.
 * 2. Write the cell's row: id, title, contenders, the figures that its table
 *    shows, and its targets. A target compares one figure of one contender with
 *    the same of another (a ratio, round by round), or with a number alone.
 * 3. Declare the file's array below and name it in bench_cells (cells.c).
 * A figure that is not here yet is a row in FIGURES.
 */
#ifndef TESTS_BENCH_CELL_H
#define TESTS_BENCH_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/bench/load.h"
#include "tests/bench/server.h"

/* What a run may measure; the unit is part of the name that is printed. */
/*        SYMBOL          json name              heading             decimals */
#define FIGURES(X)                                                                                 \
	X(DELIVERY_NS,    "cpu_ns_per_delivery", "CPU ns/delivery",  0)                            \
	X(DELIVERIES,     "deliveries_per_s",    "deliveries/s",     0)                            \
	X(VOTES,          "votes_per_s",         "votes/s",          0)                            \
	X(VOTE_US,        "cpu_us_per_vote",     "CPU us/vote",      1)                            \
	X(STORE_US,       "cpu_us_of_store_per_vote", "of it Redis' us", 1)                           \
	X(COMMITS,       "commits_per_s",       "commits/s",        0)                            \
	X(COMMIT_US,     "cpu_us_per_commit",   "CPU us/commit",    1)                            \
	X(COMMIT_STORE_US, "cpu_us_of_store_per_commit", "of it Redis' us", 1)                        \
	X(P50_US,         "p50_us",              "p50 us",           0)                            \
	X(P99_US,         "p99_us",              "p99 us",           0)                            \
	X(P999_US,        "p999_us",             "p99.9 us",         0)                            \
	X(CONNECT_US,     "cpu_us_per_connect",  "CPU us/connect",   1)                            \
	X(CONNECTS,       "connects_per_s",      "connects/s",       0)                            \
	X(CONNECTION_BYTES, "bytes_per_connection", "bytes/connection", 0)                         \
	X(SYNCS,          "syncs_per_vote",      "syncs/vote",       3)                            \
	X(START_MS,       "start_ms",            "start ms",         1)                            \
	X(MEMORY_KB,      "memory_kb",           "memory KB",        0)                            \
	X(ENDED,          "rooms_ended_per_s",   "rooms ended/s",    0)                            \
	X(GROWN_KB,       "memory_grown_kb",     "grown KB",         0)                            \
	X(CLIENT_CPU,     "client_cpu_percent",  "CPU % of a core",  2)                            \
	X(FRAMES,         "frames_per_s",        "frames/s",         1)                            \
	X(FRAME_BYTES,    "bytes_per_frame",     "bytes/frame",      0)                            \
	X(UPDATES,        "updates_per_s",       "updates/s",        0)                            \
	X(LIST_US,        "cpu_us_per_list",     "CPU us/list",      1)                            \
	X(MINE_US,        "cpu_us_per_mine",     "CPU us/mine",      1)                            \
	X(BOARD_US,       "cpu_us_per_board",    "CPU us/board",     1)                            \
	X(ANSWER_US,      "cpu_us_per_answer",   "CPU us/answer",    1)                            \
	X(USERS_US,       "cpu_us_per_users",    "CPU us/users",     1)                            \
	X(ITEMS_US,       "cpu_us_per_items",    "CPU us/items",     1)                            \
	X(ADD_US,         "cpu_us_per_add",      "CPU us/add",       1)                            \
	X(ADJUST_US,      "cpu_us_per_adjust",   "CPU us/adjust",    1)                            \
	X(CHANGES,        "changes_per_s",       "changes/s",        0)                            \
	X(CHANGE_US,      "cpu_us_per_change",   "CPU us/change",    1)                            \
	X(TURN_MS,        "longest_turn_ms",     "longest turn ms",  2)                            \
	X(SHAKE_US,       "cpu_us_per_handshake", "CPU us/handshake", 0)                           \
	X(SHAKES,         "handshakes_per_s_of_a_core", "handshakes/s, a core", 0)

enum figure {
#define FIGURE_ENUM(symbol, json, heading, decimals) FIGURE_##symbol,
	FIGURES(FIGURE_ENUM)
#undef FIGURE_ENUM
	FIGURE_COUNT
};

struct figure_row {
	const char *json;
	const char *heading;
	int decimals;
};

extern const struct figure_row figure_rows[FIGURE_COUNT];

/* One run of one contender. */
struct sample {
	bool is_done; /* otherwise `why` */
	char why[LOAD_WHY_BYTES];
	double figures[FIGURE_COUNT]; /* NAN: not measured */
	double others[2];	      /* what others used of the server's and the load's core, 0 to 1 */
	double ours[2];		      /* and what these two used themselves */
	unsigned tries;		      /* this one included; more than one: it was disturbed before */
	/* Of all votes of the run. */
	unsigned long long deliveries, lost, duplicates;
	unsigned long long fulls; /* members that fell behind and were sent everything anew */
};

/* What all runs have in common. */
struct bench {
	bool is_quick;
	unsigned rounds; /* odd */
	double warm_s;
	double window_s;
	const char *dir; /* for the servers' data */
};

struct contender;
typedef void cell_run(const struct bench *b, const struct contender *c, struct sample *out);

struct contender {
	const char *name; /* NULL ends the list */
	enum server_kind server; /* where it is not there, the contender is left out, and that is told */
	cell_run *run;
	struct load_group groups[LOAD_GROUPS_MAX];
	size_t groups_n;	  /* the figures are those of the first group */
	const void *more;	  /* for a run of one's own */
};

struct target {
	const char *what; /* NULL ends the list */
	enum figure figure;
	const char *ours;   /* a contender's name */
	const char *theirs; /* another's: a ratio; NULL: the figure itself */
	bool at_least;	    /* otherwise at most */
	double to_reach;
};

#define CELL_CONTENDERS_MAX 12
#define CELL_TARGETS_MAX    6
#define CELL_FIGURES_MAX    6
#define CELL_ROUNDS_MAX	    15

struct cell {
	const char *id; /* NULL ends the list */
	const char *title;
	struct contender contenders[CELL_CONTENDERS_MAX];
	enum figure figures[CELL_FIGURES_MAX];
	size_t figures_n;
	struct target targets[CELL_TARGETS_MAX];
};

extern const struct cell cells_votes[];
extern const struct cell cells_paced[];
extern const struct cell cells_connect[];
extern const struct cell cells_durable[];
extern const struct cell cells_store[];
extern const struct cell cells_questions[];
extern const struct cell cells_team[];
extern const struct cell cells_client[];
extern const struct cell cells_tls[];
extern const struct cell cells_web[];
extern const struct cell cells_stories[];
extern const struct cell cells_redis[];
extern const struct cell cells_commits[];
extern const struct cell cells_nodes[];

/* All of them, in the order they are run; ends with NULL. */
extern const struct cell *const bench_cells[];

/* A cell_run: a fresh server, the contender's groups on it, stopped again. */
cell_run run_load;
/* The same where nobody votes: the figures of connecting, joining and staying. */
cell_run run_joins;

/* The parts of a run, for cells with more to do between them. */
struct run {
	struct server server;
	struct load_spec spec; /* as run_load() has it; may be changed before run_put_load() */
	struct load_result *result;
	double start_ms;      /* until it accepted connections */
	uint64_t rss_started; /* then */
};
/* @words  more of the command line, NULL at the end, or NULL. False: the sample says why, and there is nothing to stop. */
bool run_start(const struct bench *b, const struct contender *c, const char *const *words, struct run *r,
	       struct sample *out);
void run_put_load(struct run *r, struct sample *out);
void run_stop(struct run *r);

/* Every figure NAN, not done. */
void sample_clear(struct sample *out);
/* The figures that a load's result has; those of the window where there was one. */
void run_sample(const struct load_result *result, struct sample *out);

#endif
