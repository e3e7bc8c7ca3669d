/*
 * sim.h - a whole world in one process: the real server core, and around it a
 * fake network, disk and clock, people who use it, and an oracle that watches.
 *
 * Everything follows from one seed, so a failure is a number. The people know
 * only what a client knows; the oracle sees everything and believes nothing:
 * it keeps its own copy of what is durable (table.c) and of every state a room
 * was in (room.c), and judges every frame that leaves (oracle.c).
 *
 *   world.c   life, clock, one step        shell.c    effects, store, crash, restart
 *   net.c     connections                  member.c   what a client understands
 *   acts.c    what people do               room.c     states of a room, one after the other
 *   rules*.c  why a state may follow       oracle.c   what may leave the server
 *   table.c   what is durable              calm.c     what must hold when all is quiet
 *   lives.c   how long rooms live          presence.c  who is present, and how
 *   script.c  scenarios with exact traces  sessions.c  who is logged in
 *
 * Life: world_create() .. world_destroy(). One thread.
 */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/buf.h"
#include "proto/frame_scan.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/core/server.h"
#include "server/domain/machine.h"
#include "store/store.h"
#include "tests/sim/dice.h"
#include "tests/sim/sessions.h"
#include "tests/sim/view.h"

#define SIM_MEMBERS_MAX 50
#define SIM_ROOMS_MAX   6
#define SIM_CONNS_MAX   96
#define SIM_HISTORY     128
#define SIM_STEPS       300
#define SIM_NIGHT_MS    INT64_C(43200000)

/*        SYMBOL       the promise */
#define CLAIMS(X)                                                                                  \
	X(DURABLE,     "what was acknowledged or shown is on disk")                        \
	X(CONVERGE,    "every copy of a room equals the room")                             \
	X(VERSIONS,    "versions have no gap, no repeat, and never go back")               \
	X(SECRECY,     "no vote is seen before the reveal, nothing private by others")     \
	X(ANSWERS,     "every request has exactly one answer, or its connection is gone")  \
	X(BOUNDS,      "limits hold, and nobody is closed without a reason")               \
	X(RULES,       "a room changes only as its rules say")                             \
	X(REPEATS,     "a repeated call has the first result and no second effect")        \
	X(ENDED,       "a room that has ended stays ended")                                \
	X(SESSIONS,    "one session a name, that ends when its time is over and not before")  \
	X(LIFETIMES,   "a room ends when its time is over, and not before")                \
	X(PRESENCE,    "presence is live, its user's alone, and seldom enough")            \
	X(DATA,        "what is set only at its revision overwrites nobody")               \
	X(LIVENESS,    "when all is quiet, everything has been done")                      \
	X(REPEATABLE,  "the same seed gives the same run")

enum claim {
#define CLAIM_ENUM(symbol, promise) CLAIM_##symbol,
	CLAIMS(CLAIM_ENUM)
#undef CLAIM_ENUM
	CLAIM_COUNT
};
extern const char *const claim_names[CLAIM_COUNT];
extern const char *const claim_promises[CLAIM_COUNT];

/* Faults planted in the harness: each must be caught, or the oracle is asleep. */
/*        SYMBOL         name               caught as    what is done */
#define BREAKS(X)                                                                                  \
	X(DROP_COMMIT,   "drop-commit",     DURABLE,   "a commit is reported durable and never made")       \
	X(EARLY_ACK,     "early-ack",       DURABLE,   "a commit is reported durable before it is")         \
	X(OLD_DISK,      "old-disk",        DURABLE,   "a restart finds an older disk")                     \
	X(OTHER_ID,      "other-id",        DURABLE,   "a user_key comes to another user_id")               \
	X(OTHER_VOTE,    "other-vote",      RULES,     "a commit's vote is changed on its way to the disk") \
	X(SHOW_VOTE,     "show-vote",       SECRECY,   "a hidden vote is put into an update")               \
	X(TELL_OTHER,    "tell-other",      SECRECY,   "room.you goes to somebody else")                    \
	X(HINT_VOTE,     "hint-vote",       SECRECY,   "bytes for others depend on a hidden vote")          \
	X(SHOW_NOTE,     "show-note",       SECRECY,   "the note on a hidden vote is put into an update")   \
	X(OPEN_DOOR,     "open-door",       SECRECY,   "who waits in the lobby is sent what members are")   \
	X(OPEN_ROOM,     "open-room",       SECRECY,   "a stranger is let into a locked room")              \
	X(LOSE_UPDATE,   "lose-update",     VERSIONS,  "an update is lost on the way")                      \
	X(REPEAT_UPDATE, "repeat-update",   VERSIONS,  "an update comes twice")                             \
	X(BEND_UPDATE,   "bend-update",     CONVERGE,  "a name is changed in an update")                    \
	X(LOSE_ANSWER,   "lose-answer",     LIVENESS,  "an answer is lost on the way")                      \
	X(REPEAT_ANSWER, "repeat-answer",   ANSWERS,   "an answer comes twice")                             \
	X(CLOSE_SLOW,    "close-slow",      BOUNDS,    "a slow reader is closed early")                     \
	X(NO_TICKS,      "no-ticks",        LIVENESS,  "the server is never told the time")                 \
	X(GHOST_VOTE,    "ghost-vote",      RULES,     "a vote appears that nobody cast")                   \
	X(LOSE_STORY,    "lose-story",      RULES,     "a story is gone that nobody took")           \
	X(BLIND_NAMES,   "blind-names",     SESSIONS,  "two take a name at once, and the store lets both")  \
	X(KEEP_TOKEN,    "keep-token",      SESSIONS,  "a session that was ended stays on the disk")        \
	X(LATE_SESSION,  "late-session",    SESSIONS,  "the server looks at a session as of yesterday")     \
	X(EARLY_SESSION, "early-session",   SESSIONS,  "the server looks at a session as of tomorrow")      \
	X(OTHER_USER,    "other-user",      SECRECY,   "whoami tells of another")                           \
	X(NO_SWEEP,      "no-sweep",        LIFETIMES, "nothing that has expired is ever found")            \
	X(EARLY_END,     "early-end",       LIFETIMES, "the server looks at a room as of tomorrow")         \
	X(LATE_END,      "late-end",        LIFETIMES, "the server looks at a room as of yesterday")        \
	X(FAST_PRESENCE, "fast-presence",   PRESENCE,  "a presence is said too soon after the last time")   \
	X(BEND_PRESENCE, "bend-presence",   PRESENCE,  "a presence shows what its user never set")          \
	X(STAY_PRESENCE, "stay-presence",   PRESENCE,  "who has gone is present still")                     \
	X(DISK_PRESENCE, "disk-presence",   PRESENCE,  "a presence gets on the disk")                       \
	X(LOSE_REVISION, "lose-revision",   DATA,      "the condition of a set is lost on its way")         \
	X(BEND_LIST,     "bend-list",       CONVERGE,  "an entry of a list is put elsewhere in an update")  \
	X(CLOCK_LEAK,    "clock-leak",      REPEATABLE, "a run depends on something besides its seed")

enum sim_break {
	BREAK_NONE,
#define BREAK_ENUM(symbol, name, claim, what) BREAK_##symbol,
	BREAKS(BREAK_ENUM)
#undef BREAK_ENUM
	BREAK_COUNT
};

struct world;

/* ---- requests ---- */

enum op_who { OP_PLAIN, OP_BAD };

/* One request that somebody sent, until the end of the run. */
struct op {
	enum method method; /* METHOD_COUNT: no method of that name */
	uint32_t msgid;
	uint32_t conn; /* serial */
	int member;
	int room;          /* -1: none that exists */
	uint64_t ends_at;  /* offset of its end in what the connection sends */
	size_t bytes;      /* its length */
	char user_id[16];  /* the seat it acts for; "" where that is not certain */
	char user_key[44]; /* shown in it; "": none */
	char target[16];   /* whom or which story it concerns */
	char other[16];    /* story.move: next to which one */
	int64_t token;     /* reveal.cancel; 0: none; map.set: if_revision; -1: none */
	uint64_t value;    /* hash of what is set */
	char text[SIM_NAME_BYTES]; /* clean name or title; "" none */
	char card[SIM_CARD_BYTES]; /* "" none */
	char deck[256];
	char once[40];     /* idempotency_key; "" none */
	bool flag;         /* is_revealed, or role is spectator */
	bool has_role;     /* said; else the seat keeps its own */
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
	bool is_again;     /* a repeat of an earlier one with the same key */
	int64_t dead_mono;
	uint64_t result_hash;
	int64_t delivered_mono;
	int64_t from_epoch, from_version; /* the room when it was delivered */
	uint64_t faults_before;           /* world->faults then */
	uint64_t order;                   /* of delivery */
	/* of a call on a session, when it was delivered: see sessions.c */
	size_t session;         /* index + 1; 0: nobody's */
	int64_t delivered_wall;
	unsigned jumps_before;
	bool is_settled, was_there, was_over, was_live, was_in_use;
	bool was_taken;         /* of a login: somebody else got the name meanwhile */
	char host[20];          /* who had the name, and in which session */
	char name_hash[44];
	bool brings_passcode;
	bool is_unsure;   /* of a vote: says how sure its voter is */
	int64_t was_barred; /* since when its seat's key was, on the disk, when it was delivered; 0: it was not */
	int64_t target_was_barred; /* the same of the one it concerns */
	bool was_ended; /* of a call in a room: its time was over, and it was not in memory */
	struct buf sent;   /* the params as sent, for a repeat; only with once */
};

/* ---- connections ---- */

enum pace { PACE_WHOLE, PACE_PIECES, PACE_BYTES };

/* What one connection follows of one room. */
struct sub {
	bool is_on;      /* the client knows that it is subscribed */
	unsigned asks;   /* room.subscribe calls on their way */
	bool is_leaving; /* room.unsubscribe is on its way */
	bool is_resumed;
	char user_id[16];
	struct view view;
	bool has_you;
	bool you_is_host;
	bool you_is_spectator;
	bool you_is_waiting;
	char you_name[SIM_NAME_BYTES];
	char you_vote[SIM_CARD_BYTES];
	char you_barred[16]; /* the last of those that room.you says were kicked for good; "": none */
};

/* A stream of frames being taken apart. */
struct frames {
	struct buf bytes;
	struct scan scan;
};

/* Whether a connection watches its user's sessions, judged by what left. */
struct sessions_watch {
	bool is_on;
	bool is_unsure; /* its session changed while it asked: whether it watches is not certain */
	int64_t version;
	char user_id[20];
	char own[20]; /* the connection's session when it asked */
};

struct conn {
	uint32_t serial;
	struct conn_id id;
	int member;
	bool server_has; /* between EVENT_OPEN and EVENT_CLOSED */
	bool client_has;
	bool is_paused;
	bool is_blocked;
	bool is_closing; /* FX_CLOSE was performed */
	bool is_without_data; /* subscribes with data: false */
	bool is_desk;         /* for sessions, and nothing else */
	size_t session;       /* index + 1 of the one it has, judged by what left; 0: none */
	struct sessions_watch copy;
	char nonce[44];       /* heard with the last hello */
	enum pace pace;
	size_t pipe_bytes;     /* what the way to the client holds */
	unsigned up_percent;   /* chance to move in a step */
	unsigned down_percent;
	int64_t stalled_until; /* mono; the client reads nothing before */

	struct buf up; /* sent by the client, not yet with the server */
	uint64_t up_moved, up_queued;
	struct buf down; /* left the server, not yet with the client */
	struct frames leaving; /* the oracle's reading, as bytes leave */
	struct frames heard;   /* the client's reading, as they arrive */

	bool said_hello;
	bool is_greeted;
	bool is_broken;       /* sent what is no message */
	bool left_greeted;    /* the server's answer to hello has left */
	bool is_half;         /* stopped in the middle of a message, for ever */
	bool says_nothing;
	int64_t opened_mono;
	int64_t part_mono;    /* since when an unfinished message lies with the server; 0: none */
	int64_t full_mono;    /* since when it took no byte of what waits; 0: nothing waits */
	uint32_t next_msgid;
	struct sub *subs[SIM_ROOMS_MAX];
	bool leaving_on[SIM_ROOMS_MAX]; /* subscribed, judged by what left */
	char leaving_id[SIM_ROOMS_MAX][16];
	char leaving_key[SIM_ROOMS_MAX][44];
	bool shows_other_key[SIM_ROOMS_MAX]; /* than that: which seat it speaks for is not certain */
	bool host_key_shown[SIM_ROOMS_MAX]; /* in some request of this connection, or by having made the room */
	bool user_key_shown[SIM_ROOMS_MAX];
	char my_key[SIM_ROOMS_MAX][44]; /* the seat this connection speaks for */
	char my_id[SIM_ROOMS_MAX][16];
};

/* ---- people ---- */

struct member_room {
	char user_key[44];
	char user_id[16];
	bool has_host_key;
	struct view *last; /* where the copy stood when a connection ended; NULL: nothing to resume */
};

struct member {
	char name[16];
	unsigned conns_max;
	bool is_bot;
	struct member_room rooms[SIM_ROOMS_MAX];
	char token[44];     /* of the last login; "" none */
	char old_token[44]; /* of the one before */
	size_t retry; /* index + 1 of an op to repeat with the same key; 0: none */
	struct peer peer; /* where all its connections come from: a repeated room.create is its caller's */
	bool has_peer;
	bool has_signed_in; /* or tried to: from then on it may be another caller */
};

/* ---- rooms ---- */

/* Who was given which seat, by the answers that left. */
struct owner {
	char user_id[16];
	char user_key[44];
	int member;
};
#define SIM_OWNERS_MAX 512

struct away {
	char user_id[16];
	int64_t since_mono;
	int64_t changed_mono; /* its owner may act with the key alone, without a connection that follows */
	struct view_user last;
};

struct sim_room {
	char id[17];
	char host_key[44];
	bool is_public;   /* somebody has been told the code */
	bool was_on_disk;
	bool is_ending;   /* a delete was answered, or its items are gone */
	bool is_deleted;  /* an answer said so */
	int64_t failed_mono;  /* when a commit of it last failed */
	unsigned failed_step; /* 0: none has */
	bool has_expired; /* its time was over, and nobody deleted it */
	bool in_memory;
	int64_t countdown_mono; /* since when the countdown runs */
	const char *due;        /* what the server is to do by itself in it, and */
	int64_t due_mono;       /* since when */
	struct buf seen;  /* the last look into the server, as bytes */
	struct view now;
	struct view look; /* being read */
	struct view *history[SIM_HISTORY];
	int64_t version_mono[SIM_HISTORY]; /* when that version came about */
	int64_t said_mono[16];             /* when presences were said to others, lately */
	size_t said_n;
	struct away away[SIM_SEATS_MAX];
	size_t away_n;
	struct owner owners[SIM_OWNERS_MAX];
	size_t owners_n;
	int64_t epochs[256];
	size_t epochs_n;
	/* what is durable of the present epoch: everything up to this version */
	int64_t durable_version;
	uint64_t durable_hash;
};

/* A commit between the server and the disk. */
struct sim_commit {
	uint64_t ticket;
	unsigned asked_step; /* when the server asked for it */
	uint64_t sequence;
	int room;
	struct store_op *ops;
	size_t n;
	char *bytes; /* what the ops point into */
	struct view state; /* the room when it was taken */
	bool has_state;
	bool is_dropped; /* a planted fault */
	bool is_busy;    /* the store had no room: it will come again */
	struct sim_commit *next;
};

/* ---- the durable table ---- */

struct table_row {
	uint64_t key_hash;
	char *pk, *sk, *value;
	size_t pk_len, sk_len, value_len;
	enum item_kind kind;
	bool has_name, is_spectator, is_bot, has_vote, is_cohost, is_waiting;
	int64_t joined_at;
	int64_t created_on; /* of a barred key */
	int64_t expires_at; /* of a room, a session, a name; else 0 */
	char hash[44];      /* of a session's token, also in the item of its name */
	char account[20];   /* whose session it is */
	char user_id[16];
	char username[SIM_NAME_BYTES];
	char vote[SIM_CARD_BYTES];
};

struct table {
	struct table_row *rows;
	size_t n;
	size_t capacity;
};

/* ---- the world ---- */

struct world_options {
	uint64_t seed;
	unsigned steps;
	bool is_twin;     /* every vote is the other card of its pair */
	bool is_hidden;   /* no card is ever turned over: what follows from a result is no secret */
	bool is_scripted; /* nothing happens by itself */
	enum sim_break planted;
	FILE *trace; /* NULL: none */
};

/* The declared state machines whose moves are traced and counted. */
#define SIM_MACHINES 1

struct world_figures {
	uint64_t logins, sessions_refused, requests, answers, refusals, updates, fulls, commits, failed_commits, crashes, cuts, stalls, reveals,
		votes, repeats, resumes, transitions, comparisons, stops, ended;
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
	bool is_lagging; /* the store's indexes are */
	bool is_night;   /* at the end of the run */
	bool is_calm; /* no more acts and faults: let everything finish */
	struct server_config config;
	unsigned fault_permille, cut_permille, crash_permille, stall_permille, act_permille;
	unsigned store_percent, tick_late_percent;

	struct server *server;
	uint64_t life; /* counts servers */
	struct store *store;
	struct store *old_store; /* BREAK_OLD_DISK */
	struct effects fx;
	bool must_crash;  /* the store said ERR_UNKNOWN: a shell would stop the process */
	bool is_stopping; /* EVENT_STOP was given */
	int64_t stop_mono;
	uint64_t misses;  /* answers ROOM_NOT_FOUND: enough of them excuse RATE_LIMITED */
	uint64_t faults;  /* commits and loads that failed, restarts: each excuses UNAVAILABLE */
	struct sim_commit *commits; /* oldest first */
	uint64_t commits_made;
	struct {
		uint64_t ticket;
		enum err e;
	} refused[64]; /* commits the store did not take */
	size_t refused_n;

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
	char presences[16][9]; /* what was set lately */
	size_t presences_n;

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
struct clocks world_now(const struct world *w);
/* The first broken claim counts; later ones are its echo. */
void broken(struct world *w, enum claim claim, const char *format, ...) __attribute__((format(printf, 3, 4)));
void trace(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether a planted fault of that kind should happen now; counts it. */
bool planted(struct world *w, enum sim_break which, unsigned one_in);

/* machines.c */
void machines_start(struct world *w);
/* Whether each move that a machine may make was made; else one that was not. */
bool machines_all_moved(const struct world_figures *f, const char **machine, const char **from, const char **to);

/* shell.c */
void shell_start(struct world *w);
void shell_step(struct world *w, const struct event *e);
void shell_turn(struct world *w);
void shell_tick_if_due(struct world *w);
/* Let n store operations happen, and tell the server of what has finished. */
void shell_disk(struct world *w, size_t n);
void shell_output(struct world *w);
void shell_crash(struct world *w);
/* The same, and it is that much later when the server is there again. */
void shell_crash_for(struct world *w, int64_t ms);
void shell_stop(struct world *w);
void shell_finish(struct world *w);

/* commit.c */
void commit_take(struct world *w, const struct effect *fx);
void commit_settle(struct world *w, uint64_t ticket, enum err e);
void commit_forget(struct world *w);
/* Whether the disk that a crash left holds everything that was reported durable. */
void commit_recover(struct world *w, struct store *store);

/* history.c */
/* A room's rounds as they were found on the disk. */
void history_check(struct world *w, const char *room_id, const struct table *found, bool is_calm);

/* net.c */
struct conn *net_open(struct world *w, int member);
void net_deliver(struct world *w, struct conn *c);
void net_deliver_up_to(struct world *w, struct conn *c, size_t bytes);
void net_cut(struct world *w, struct conn *c);
void net_close_by_server(struct world *w, struct conn *c);
void net_write(struct world *w, struct conn *c);
void net_receive(struct world *w, struct conn *c, size_t bytes);
void net_crash(struct world *w);
/* Forget connections that both sides have given up. */
void net_sweep(struct world *w);
struct conn *net_by_id(struct world *w, struct conn_id id);
struct conn *net_by_serial(struct world *w, uint32_t serial);
void net_destroy_all(struct world *w);

/* member.c */
void member_init(struct world *w);
void member_hears(struct world *w, struct conn *c, struct slice bytes);
void member_loses(struct world *w, struct conn *c);
const char *member_name(const struct world *w, int member);
const char *member_at(const struct world *w, const struct conn *c);
/* The member who sits at that seat, or -1. */
int member_of_seat(const struct world *w, int room, const char *user_id);

/* acts.c, acts_desk.c, acts_play.c, acts_data.c */
void acts_desk(struct world *w, struct conn *c);
void acts_data(struct world *w, struct conn *c, int room, const char *once);
/* One act of rounds, timers or stories in a room that the connection follows. */
void acts_play(struct world *w, struct conn *c, int room, bool shows_key, const char *once);
void acts_some(struct world *w, struct conn *c);
/* room.c */
int room_of_pk(const struct world *w, struct slice pk);
int room_of_id(const struct world *w, struct slice id);
int room_add(struct world *w, struct slice id);
/* Whether the disk has it; a room that was there and is not has ended. */
bool room_note_disk(struct world *w, int room);
/* Look at every room in the server: record what changed and judge it. */
void room_look(struct world *w);
const struct view *room_at(const struct sim_room *r, int64_t epoch, int64_t version);
void room_own(struct sim_room *r, int member, struct slice user_key, struct slice user_id);
/* The seat of that key; NULL where there was none, or more than one. */
const struct owner *room_owner_of_key(const struct sim_room *r, const char *user_key);
/* The member who was given the seat; -1: nobody yet. */
int room_owner(const struct sim_room *r, const char *user_id);
int64_t room_away_since(const struct sim_room *r, const char *user_id);
int64_t room_away_unchanged_since(const struct sim_room *r, const char *user_id);

/* rules.c: why a state may follow; answers.c: what an answer promises */
void rules_follow(struct world *w, int room, const struct view *before, const struct view *after);
void rules_granted(struct world *w, const struct op *op, const union method_result *result);
void rules_refused(struct world *w, const struct op *op, const struct fault *f);

/* lives.c: how long rooms live */
void lives_delivered(struct world *w, struct op *op);
void lives_entered(struct world *w, const struct op *op);
/* A commit is about to be noted as durable, and has been. */
void lives_before(struct world *w, int room, int64_t *expires_at);
void lives_after(struct world *w, int room, int64_t expires_at);
void lives_warned(struct world *w, int room, int64_t expires_at);
void lives_told(struct world *w, int room, enum notice notice);
/* A night and half a minute after it, nothing is left of what was over. */
void lives_night(struct world *w);

/* presence.c */
/* The server's state has gone from one to the other. */
void presence_follow(struct world *w, int room, const struct view *before, const struct view *after);
/* An update leaves that is not full. */
void presence_leaves(struct world *w, int room, const struct room_update *u);
void presence_asked(struct world *w, const struct sim_commit *c);
void presence_calm(struct world *w, int room);
/* Whether a copy has those who are present; values that it was not sent aside. */
bool presence_same(const struct view *copy, const struct view *room);

/* oracle.c */
void oracle_effect(struct world *w, const struct effect *fx);
void oracle_leaves(struct world *w, struct conn *c, const char *bytes, size_t len);
void oracle_closed(struct world *w, struct conn *c);
void oracle_step(struct world *w);
void oracle_durable(struct world *w, int room, int64_t epoch, int64_t version, const char *what);
struct op *oracle_op(struct world *w, const struct conn *c, uint32_t msgid);

/* calm.c */
void calm_run(struct world *w);
/* No more acts, no more faults: until nothing moves any more. */
void calm_settle(struct world *w);
void calm_check(struct world *w);

/* table.c */
void table_apply(struct table *t, const struct store_op *ops, size_t n);
void table_put(struct table *t, struct slice pk, struct slice sk, struct slice value);
void table_finish(struct table *t);
bool table_eq(const struct table *a, const struct table *b);
void table_copy_room(struct table *to, const struct table *from, struct slice pk);
bool table_has_room(const struct table *t, const char *room_id);
/* Whether somebody with the host_key has come; *created_on is when the room was made. False without a room. */
bool table_had_host(const struct table *t, const char *room_id, int64_t *created_on);
/* Since when that user's key is barred there; 0: it is not. */
int64_t table_barred(const struct table *t, const char *room_id, const char *user_id);
/* Whether anybody's is. */
bool table_has_barred(const struct table *t, const char *room_id);
/* The item of a session, by its token's hash; of a name, as names compare. NULL: there is none. */
const struct table_row *table_token(const struct table *t, const char *hash);
const struct table_row *table_name(const struct table *t, const char *folded);
/* Whose session an item of a name is about. */
void table_account(struct slice name_item, char out[20]);
const struct table_row *table_seat(const struct table *t, struct slice pk, const char *user_id);
/* The room as the table has it, nobody connected; false where it has none. */
bool table_view(const struct table *t, const char *room_id, struct view *out);
/* What of a view must be on disk, as a hash; equal for a view and the table it came from. */
uint64_t view_durable_hash(const struct view *v);
/* What of that is not in another view, for a person; NULL: nothing. The other may have more seats,
 * fewer of those that view_keeps() not, and a host where this one has none. */
const char *view_differs(const struct view *v, const struct view *other);
/* What differs between a room and what is on disk of it, for a person; NULL: nothing. */
const char *table_differs(const struct table *t, const char *room_id, const struct view *v);

/* print.c */
void print_request(struct world *w, const struct conn *c, const struct op *op);
void print_answer(struct world *w, const struct conn *c, const struct op *op, const struct fault *fault,
		  const union method_result *result);
void print_update(struct world *w, const struct conn *c, const struct room_update *u);
void print_you(struct world *w, const struct conn *c, const struct room_you *y);

/* script.c: run a scenario file and compare; returns false with a message in *why. */
bool script_run(const char *path, FILE *out, char *why, size_t why_cap);

#endif
