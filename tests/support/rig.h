/*
 * rig.h - a server core with a table in memory and a clock that tests move.
 *
 * Peers send requests and receive messages; a test decides when time passes, and
 * when commits happen, wait or fail. Each message that a peer receives is stored as
 * JSON text, with apostrophes for quotes and with names for what is random
 * (rig_alias()), so that a test states a whole message in one line. Each peer has a
 * copy of the rooms it subscribes to, as a client does; an update that does not
 * follow the one before fails the test, whatever the test is about.
 *
 * Everything is inside one thread and one function call: no sockets, no waiting.
 * Assertions are cmocka's. What tests/sim needs it has itself.
 *
 * Files: rig.c the server's surroundings; rig_cluster.c other nodes; rig_peer.c connections and messages;
 * rig_copy.c the copies of rooms; rig_room.c rooms as their members see them.
 */
#ifndef TESTS_SUPPORT_RIG_H
#define TESTS_SUPPORT_RIG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/keys/key_hash.h"
#include "proto/base/limits.h"
#include "proto/methods.h"
#include "proto/keys/room_code.h"
#include "proto/base/slice.h"
#include "server/core/server.h"
#include "tests/support/store_mem.h"
#include "store/store.h"
#include "tests/support/test.h"

#define RIG_WALL      INT64_C(1700000000000)
#define RIG_UNBOUNDED SIZE_MAX

struct json_t;
struct rig;

/* A message that a peer received. */
#define RIG_ALIAS_LISTS 256
#define RIG_NODES	 8

struct rig_message {
	bool is_answer;
	bool is_refusal;
	uint32_t msgid; /* of an answer */
	char *name;	/* of a notice */
	struct json_t *value; /* the result, the error map, or the notice's params */
	struct rig_message *next, *prev;
};

/* A room as one peer knows it. */
struct rig_copy {
	char room_id[CODE_CHARS_MAX + 1];
	int64_t epoch;
	int64_t version;
	struct json_t *room;
	struct json_t *users;
	struct json_t *left; /* cards that users have left */
	struct json_t *stories; /* in the order of their ranks */
	struct json_t *story_votes; /* by story_id: of stories that are open together */
	struct json_t *
		data; /* "map notes": {entry_id: entry}; a value that the peer set itself may be old */
	bool has_data; /* the subscription brings shared data */
	struct json_t *you;
	struct rig_copy *next;
};

struct rig_peer {
	struct rig *rig;
	char name[16];
	struct conn_id id;
	bool is_open;	/* neither side has closed */
	bool is_paused; /* the server reads no more */
	bool is_blocked;
	size_t window; /* bytes its socket takes before it blocks */
	size_t writes; /* how many the server has made to it */
	struct buf in; /* every byte it was sent */
	size_t read_at;
	uint32_t last_msgid;
	struct rig_message *heard; /* utlist, in order */
	struct rig_copy *copies;
	char room_id[CODE_CHARS_MAX + 1]; /* for methods that are named without "room." */
	char user_id[CODE_CHARS_MAX + 1];
	char user_key[KEY_CHARS + 1];
	char *line; /* what the last verb returned */
};

struct rig {
	struct server_config config; /* change it between rig_init() and rig_start() */
	struct server *server;
	struct store *store;
	struct effects fx;
	int64_t wall_ms;
	int64_t mono_ms;
	uint64_t life;	   /* counts servers: answers for an earlier one are dropped */
	bool is_sheltered; /* allocations of the server do not count now (heap.h) */
	struct rig_command { /* FX_COMMANDs, in order */
		uint64_t ticket;
		char *input;
	} *commands;
	size_t commands_n;
	bool is_shared;	   /* others reach it by TCP: FX_SHARE */
	bool holds;	   /* the store does nothing by itself */
	size_t busy;	   /* so many commits are refused with ERR_BUSY */
	size_t commits;	   /* FX_COMMITs performed */
	size_t ops;	   /* operations in them that write */
	size_t loads;
	struct rig_asked { /* FX_RENEW, FX_LIST that wait for their answers */
		enum effect_kind kind;
		uint64_t ticket;
		struct cluster_node node;
	} asked[4];
	size_t asked_n;
	struct cluster_node nodes[RIG_NODES]; /* that have a key; the server's own is not among them */
	size_t nodes_n;
	struct cluster_node own; /* the server's key; number 0: none was written yet */
	int64_t own_until_ms;	 /* the end of its life, in mono_ms */
	struct rig_forward { /* the last FX_FORWARD */
		struct conn_id conn;
		uint64_t ticket;
		char address[NODE_ADDRESS_CHARS + 1];
		struct buf input;
	} forward;
	size_t forwards; /* how many there were */
	struct rig *next_node;	 /* the next of those that rig_join() has joined, in a ring */
	bool has_joined;	 /* the store is the first node's */
	bool is_deaf;		 /* it hears no publication, and a gap with the first after that */
	bool has_missed;
	uint64_t published;	 /* number of the last publication */
	bool fails_asked;	 /* instead of being answered they fail */
	struct buf log;		 /* FX_LOG lines, behind them a NUL */
	size_t log_lines;	 /* of them, those that are not only for debugging */
	struct buf order;	 /* slots that were written to, as uint32_t, in order */
	struct rig_peer **peers; /* by slot; stay until rig_finish() */
	size_t peers_n, peers_capacity;
	struct event *later;
	size_t later_n, later_capacity;
	struct rig_alias *aliases[RIG_ALIAS_LISTS]; /* by the first byte of what they stand for */
	char room_id[CODE_CHARS_MAX + 1]; /* of rig_found() */
	char host_key[KEY_CHARS + 1];
};

/* ---- life ---- */

#define RIG_UNHINDERED 1000000
/* rig_init(), change r->config, rig_start(); or rig_open() for both. */
void rig_init(struct rig *r);
void rig_start(struct rig *r);
void rig_open(struct rig *r);
void rig_finish(struct rig *r);
/* From now on rooms, seats and logins of one peer are limited as they are by default; rig_init() lifts that. */
void rig_limit_peers(struct rig *r);

/* The power goes: peers are cut, and a new server begins with what is durable. */
void rig_crash(struct rig *r);

/* ---- time and the store ---- */

/* Turns until nothing more happens by itself. Every function below that sends something ends with it. */
void rig_settle(struct rig *r);
/* Let time pass on both clocks, with every tick that comes due. */
void rig_advance(struct rig *r, int64_t ms);
/* One tick now. */
void rig_tick(struct rig *r);
/* While held, loads, queries and commits wait, and what a node asks about the cluster. */
void rig_hold(struct rig *r);
/* Let the oldest n happen, and hold the others. */
void rig_let(struct rig *r, size_t n);
/* Everything that waits happens, and all that comes later. */
void rig_release(struct rig *r);
void rig_fail_commits(struct rig *r, size_t n, enum err e);
/* Another process writes the ROOM item of rig_found(), at once: what is on its way was made on an older one. */
void rig_touch(struct rig *r);
void rig_stop(struct rig *r);
/* What the nth run of the command was given, a line with apostrophes and aliases; which must be. Valid until the peer's next verb. */
const char *rig_command(struct rig_peer *p, size_t nth);
/* That run has ended so, and settle. */
void rig_command_ended(struct rig *r, size_t nth, enum err e);
/* How many items of the rig's room the table has whose SK begins so. The store must not be held. */
size_t rig_stored(struct rig *r, const char *sk_prefix);
/* The same of any partition. */
size_t rig_stored_in(struct rig *r, const char *pk, const char *sk_prefix);

/* ---- a cluster: the server is RIG_NODE of it where the test sets config.node to that ---- */

#define RIG_NODE 1
/* The list of nodes has this one from now on, or says that it is leaving; or has it no more. */
void rig_node(struct rig *r, uint64_t number, bool is_leaving);
void rig_node_is(struct rig *r, const struct cluster_node *node);
void rig_node_ends(struct rig *r, uint64_t number);
/*
 * One more node on the table of `first`, which has been started as a node; in place of rig_start().
 * What settles one or lets time pass settles all. rig_finish() it before `first`.
 */
void rig_join(struct rig *r, struct rig *first);
/* A number that is none of the list's, and would make that node home of the rig's room. */
uint64_t rig_rival(const struct rig *r);
/* Another node takes the bucket of the rig's room. */
void rig_rival_takes(struct rig *r);
/* Whether any node has the bucket of the rig's room. */
bool rig_is_taken(struct rig *r);
/* The node of the last FX_FORWARD cannot be reached. */
void rig_unreached(struct rig *r);

/* ---- peers ---- */

/* A user of the unix socket, another one for another name. */
struct rig_peer *rig_connect(struct rig *r, const char *name);
/* From 10.0.0.`host`, for PEER_NETWORK and PEER_LOOPBACK; the user 1000 + host, for PEER_UNIX; the owner of the
 * server where is_owner. */
struct rig_peer *rig_connect_as(struct rig *r, const char *name, enum peer_kind kind,
				unsigned char host, bool is_owner);
/* From any peer. */
struct rig_peer *rig_open_as(struct rig *r, const char *name, const struct peer *peer);
/* rig_connect() and session.hello. */
struct rig_peer *rig_guest(struct rig *r, const char *name);
void rig_hello(struct rig_peer *p);
/* The connection is gone, from the peer's side. */
void rig_cut(struct rig_peer *p);
/* The peer sends no more, but reads on. */
void rig_eof(struct rig_peer *p);
/* Have it send what cannot be passed on as a message, for this reason. */
void rig_broken(struct rig_peer *p, const char *reason);
/* Bytes to the server, as they are. */
void rig_bytes(struct rig_peer *p, struct slice bytes);
/* The socket takes `window` more bytes, then blocks; RIG_UNBOUNDED lets everything through. */
void rig_window(struct rig_peer *p, size_t window);

/*
 * A request. Method without a dot: of rooms, with room_id put before the params.
 * The params are the inside of a JSON map, apostrophes for quotes, printf-like.
 */
#define RIG_NONE       "%s", "" /* no params */
#define RIG_FORMAT(at) __attribute__((format(printf, at, at + 1)))
/* Send it, and settle; returns the msgid. */
uint32_t rig_send(struct rig_peer *p, const char *method, const char *params, ...) RIG_FORMAT(3);
/* Append its bytes to out instead, for what is to arrive together. */
uint32_t rig_compose(struct rig_peer *p, struct buf *out, const char *method, const char *params,
		     ...) RIG_FORMAT(4);
/* Take the answer out of what was received: the message, or NULL where none came. Valid until the peer is gone. */
const char *rig_answer(struct rig_peer *p, uint32_t msgid, bool *is_refusal);
bool rig_is_answered(struct rig_peer *p, uint32_t msgid);
/* Send and take the answer, which must be there: a result, or an error. Valid until the peer's next verb. */
const char *rig_must(struct rig_peer *p, const char *method, const char *params, ...) RIG_FORMAT(3);
const char *rig_refused(struct rig_peer *p, const char *method, const char *params, ...)
	RIG_FORMAT(3);
/* The code of a refusal that must come: "FORBIDDEN". With a field: "VALIDATION_ERROR username". */
const char *rig_code(struct rig_peer *p, const char *method, const char *params, ...) RIG_FORMAT(3);
/* The answer to a request that was sent before, likewise: the code, or "ok", or "none". */
const char *rig_outcome(struct rig_peer *p, uint32_t msgid);

/*
 * Params with no more than the method's record asks for, in the room unless that is NULL; and with the optional
 * field `also`, unless that is NULL. free() it.
 */
char *rig_least_params(enum method method, const char *room_id, const char *also);

/* The next notice, "room.update {'room_id':...}"; "" where there is none. Valid until the peer's next verb. */
const char *rig_next(struct rig_peer *p);
/* Names of all that was received and not taken, in order: "answer room.you room.update". */
const char *rig_heard(struct rig_peer *p);
/* How many notices of that name wait. */
size_t rig_count(struct rig_peer *p, const char *notice);
/* Forget what was received so far. */
void rig_forget(struct rig_peer *p);

/* The first value of that key in a message, which must be there: a string, which must fit, or a number. */
void rig_field(const char *text, const char *key, char *out, size_t size);
int64_t rig_field_number(const char *text, const char *key);

/* Have `text` read as `alias` wherever messages are rendered. */
void rig_alias(struct rig *r, const char *text, const char *alias);
/* text with apostrophes and aliases; free() it. */
char *rig_render(const struct rig *r, const char *text);

/* ---- rooms ---- */

/* room.create with these params; the room becomes everybody's. As people make theirs, it reveals by itself, unless the
 * params have a policy. */
void rig_found(struct rig *r, struct rig_peer *p, const char *params);
/* room.subscribe with these params; keeps user_id and user_key, calls them @name and KEY-name, and the first epoch EPOCH. */
void rig_follow(struct rig_peer *p, const char *params);
/* A guest that subscribes to the room and joins it under that name. */
struct rig_peer *rig_sit(struct rig *r, const char *name);
/* A new connection on p's seat, with p's copies and key, that resumes where p stopped. */
struct rig_peer *rig_return(struct rig_peer *p, bool resumes);

/*
 * The room as the peer's copy has it:
 *   "#1 hidden: ada host voted, bob away, - , cy watches, bo bot"
 *   "#2 open: ada host =5"
 * "-" is a seat without a name; "nothing" where there is no copy. Co-hosts are
 * hosts too; a member in the lobby "waits"; a vote changed after the reveal
 * has a "*" behind it.
 */
const char *rig_table(struct rig_peer *p);
/*
 * The stories as the peer's copy has them, removed ones in their places:
 *   "Login: done 5, Search: voting, -Old: todo"
 */
const char *rig_stories(struct rig_peer *p);
/*
 * The votes on stories that are open together, in the order of the stories: "Login 2 voted, Pay ada=5 bob=8* (5)",
 * the suggestion in brackets, and behind a bar on how many each member has voted: "| ada 2". As the peer knows it;
 * fails where a full update would say something else.
 */
const char *rig_story_votes(struct rig_peer *p);
/* A member of the room in the peer's copy as JSON with apostrophes and aliases: rig_of(p, "countdown"); "" without. */
const char *rig_of(struct rig_peer *p, const char *member);
/* A number in it, by a path of two names at most: rig_number(p, "countdown", "token"); -1 without. */
int64_t rig_number(struct rig_peer *p, const char *member, const char *inner);
/* The story_id of the one with that title, which must be there. Valid until the copy changes. */
const char *rig_story(struct rig_peer *p, const char *title);
/* The same as the server has it; "nothing" where the room is not in its memory. Sheltered. Valid until the peer's next verb. */
const char *rig_truth(struct rig_peer *p);
/*
 * Shared data as the peer's copy has it, "" where the set is not there: a map or
 * presence in the order of its ids, a list in the order of its ranks:
 *   "a=1@1, b=[2]@3"          rig_data(p, "map", "notes"): value and revision
 *   "1@1, 'x'@2"              a list, without the entry_ids
 *   "@ada={'at':1}"           a presence
 * A value the peer was never sent is "?".
 */
const char *rig_data(struct rig_peer *p, const char *kind, const char *name);
/* The same as the server has it. Sheltered. */
const char *rig_data_truth(struct rig_peer *p, const char *kind, const char *name);
/* entry_id of the nth of a list in the copy, which must be there. Valid until the copy changes. */
const char *rig_entry(struct rig_peer *p, const char *list, size_t nth);
/* What the peer knows of itself: "bob voter =5", "- spectator host". */
const char *rig_self(struct rig_peer *p);
struct rig_copy *rig_copy(struct rig_peer *p, const char *room_id);
/* The copy equals what the server has, member by member. */
void rig_assert_same(struct rig_peer *p);
/* The same for every open peer that follows. */
void rig_assert_all_same(struct rig *r);

/* ---- for the files of this module ---- */

void rig_step(struct rig *r, struct event *e);
/* Around what the server does: its allocations count, the rig's do not. */
void rig_enter(const struct rig *r);
void rig_leave(void);
void rig_later(struct rig *r, const struct event *e);
void rig_ask(struct rig *r, const struct effect *fx);
void rig_forward(struct rig *r, const struct effect *fx);
void rig_answer_asked(struct rig *r);
void rig_subscribe(struct rig *r);
void rig_part(struct rig *r);
struct rig_peer *rig_peer_of(struct rig *r, struct conn_id id);
void rig_deliver(struct rig_peer *p);
/* Decode what has arrived. */
void rig_read(struct rig_peer *p);
void rig_peer_free(struct rig_peer *p);
/* A room.update or room.you was received. */
void rig_hear(struct rig_peer *p, const char *notice, const struct json_t *params);
void rig_copies_free(struct rig_peer *p);
/* The shared data of a room.update; the members of users without their votes. */
void rig_copy_data(struct rig_copy *c, const struct json_t *update);
void rig_copy_no_votes(struct json_t *users);

#endif
