/*
 * room.h - the interface of a room: the only header of this directory that the core includes.
 *
 * A room is the state of one partition in memory, and the code of every change to it. A change is
 * made in memory at once and marked. Later the marks are turned, together, into the items to
 * write (room_take_ops), the update for all subscribers (room_write_delta) and the notification
 * for one member (room_write_you). The room knows nothing of connections, logs, commits or disks:
 * if a commit fails, the whole state is discarded and loaded again.
 *
 * Secrecy: another member's vote is encoded in exactly one place, room_view.c, and only while the
 * round is revealed.
 *
 * The files of this directory include room_state.h, which has struct room and one header for each
 * subject: seat.h, story.h, round.h, shared_data.h. room_fields.h and room_due.h are tables.
 *
 * Files:
 *   room.c state and marks; room_create.c, room_subscribe.c how a connection enters a room;
 *   room_dispatch.c callers, rights, requests, and what is due; room_members.c members and the
 *   room itself; room_names.c names; room_hosts.c hosts; room_group.c rooms of a group;
 *   room_grace.c connections of a seat; room_policy.c policy, strangers, lobby; room_barred.c
 *   banned keys; room_votes.c cards and deck; room_left.c cards of members who left;
 *   room_reveal.c reveal and timer; room_rounds.c rounds; room_result.c the result of a round;
 *   room_stories.c stories; room_story_votes.c, story_*.c votes on open stories; room_save.c
 *   writing their estimates to items; room_signals.c nudges and reactions; shared_data*.c,
 *   room_presence.c shared data; room_expiry.c lifetime; room_growth.c how much the room lets the
 *   table grow; room_items.c, room_read.c items; room_view.c encoding of updates.
 *
 * Life: on_ROOM_CREATE() or room_load() .. room_destroy().
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_H
#define SERVER_DOMAIN_ROOM_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "proto/methods.h"
#include "server/domain/room_directory.h"
#include "store/store.h"

struct conn;
struct idempotency_table;
struct machine;
struct machine_trace;
struct room;
struct seat;
struct server;
struct subscription;

/*
 * A room keeps this many of its rounds in memory, the last ones; older ones are read from the
 * table on request.
 */
#define ROUNDS_IN_MEMORY 8
/* Write the SK of round n to `out`. Returns its length. */
#define ROUND_SK_BYTES_MAX 32
size_t round_sk_of(int64_t n, char out[ROUND_SK_BYTES_MAX]);

/* Rounds that are only in the table, from number `first` to `last`, in that order. */
struct rounds_page {
	int64_t first, last;
	size_t n; /* 0: none */
	const struct store_item *items; /* those that exist */
	size_t items_n;
};

/* The caller's connection: what room.subscribe and room.unsubscribe get, and what they change. */
struct room_subscriber {
	bool is_subscribed;
	struct seat *seat;        /* the seat on which it is subscribed; NULL: none */
	struct key_text user_key; /* the user_key that the connection presented; "": none */
	unsigned seats_made;      /* new seats made so far by its subscriptions to this room */
	/* false: it is subscribed to the maximum number of rooms, and not to this one */
	bool may_subscribe;
	int64_t seat_wait_ms;     /* until its address may take another new seat; 0: it may now */

	/* Output: */
	bool is_new; /* the seat is new, so the connection has no copy of the room to resume from */
	/* the call counts as a new seat in the rate of its address, whether it got one or not */
	bool wants_seat;
	bool is_wrong_guess; /* refused as if the room did not exist */
};

/*
 * The request that a handler gets, and its result: everything outside the room that a handler may
 * use.
 */
struct room_call {
	enum method method;
	const void *params; /* struct of the method's params record */
	void *result;       /* struct of its result record, zeroed */
	struct seat *seat;  /* the caller's, or NULL */
	bool is_on_seat;    /* the caller's connection is subscribed on that seat */
	bool has_host_key;  /* the caller has presented the right host_key */
	struct slice account_id;   /* user_id of the connection's login; empty: none */
	struct slice account_name; /* the name of that login */
	bool is_keyed;             /* the login was signed with a key */
	/* what the directory says about that login for this request; NULL: nothing */
	const struct room_facts *facts;
	struct room_subscriber *subscriber; /* set for methods with EFFECT_ATTENDS */
	uint64_t caller; /* identifies the connection, which is not sent its own data again */
	struct random *random;
	const unsigned char *server_key; /* SEED_BYTES long; key of the hashes */
	int64_t wall_ms;
	int64_t mono_ms;
	const int64_t *limits; /* LIMIT_COUNT of them */
	struct arena *arena;   /* for strings of the result */
	struct fault *fault;
	struct server *server;
	struct conn *conn; /* of the caller, for growth_wait_ms */
	/*
	 * Whether a connection of that login receives notifications about its user's rooms; true where
	 * that is not known, because it may be connected to another server.
	 */
	bool (*user_is_watched)(const struct server *s, struct slice user_id);
	/*
	 * Ms until the caller may make rooms grow by this many bytes; 0: now. NULL: always
	 * allowed.
	 */
	int64_t (*growth_wait_ms)(const struct room_call *c, int64_t bytes);
	const struct rounds_page *page; /* the rounds that were loaded for the call, or NULL */
	/* n > 0: the refusal only means that these must be loaded, and the call repeated */
	struct rounds_page wants;
	bool is_damaged;          /* refused because the page lacks rounds that it should have */
};

/* ---- life ---- */

/* A room that room.create is to make, before its partition is known. */
struct room_plan {
	char room_id[CODE_CHARS_MAX + 1];
	struct key_text host_key;
	bool is_derived;    /* ids and host_key are derived from the idempotency_key */
	/* what c->facts must contain before the room can be made, or nothing */
	struct facts_wanted wants;
	struct slice title; /* cleaned, in the arena; empty: none */
	struct slice link_template; /* likewise */
	struct slices deck; /* likewise */
	struct slices reactions; /* likewise */
	int64_t timer_seconds, reveal_in_seconds; /* 0: none */
};
/*
 * Set deck, title, link_template, the times, reactions, wants and is_derived from c->params, and
 * what they leave out from the group's defaults. Returns FAULT_NONE, or the code of *c->fault.
 */
enum fault_code room_plan(struct room_call *c, struct room_plan *plan);
/*
 * Set the room's code, which is its id, and its host_key: derived if the call has an
 * idempotency_key, otherwise random and different on each call.
 *
 * @creator  identifies the caller, so that only the same caller can repeat the call; at most 96
 *           bytes
 */
void room_plan_ids(struct room_call *c, struct slice creator, size_t code_chars, struct room_plan *plan);
/*
 * Return whether the room was made by the call that the plan, with its ids, belongs to, even if
 * the room's deletion is being written; false if r is NULL.
 */
bool room_was_planned(const struct room *r, const struct room_call *c, const struct room_plan *plan);
/*
 * Handle room.create in the partition of plan->room_id. *at is the room there, or NULL. If NULL,
 * make a new room; if the room was made by the same call, give the same answer again; otherwise
 * fill in *c->fault.
 */
enum fault_code on_ROOM_CREATE(struct room **at, struct room_call *c, const struct room_plan *plan);
/* Return a new random epoch: two rooms, or two loads of one room, are unlikely to have the same. */
int64_t room_make_epoch(struct random *random);

/*
 * Make a room from its items. No member is connected; grace periods start now. Of the rounds,
 * only the last ROUNDS_IN_MEMORY are needed. OK with *out NULL if there are no items.
 *
 * ERR_NOMEM    memory is out.
 * ERR_CORRUPT  an item does not decode, the ROOM item is missing, or the number of items is not
 *              the one in the ROOM item.
 */
NODISCARD enum err room_load(const char *room_id, const struct store_item *items, size_t n, int64_t epoch,
			     int64_t mono_ms, int64_t vote_grace_ms, struct room **out);
void room_destroy(struct room *r);

/*
 * For a room that was made or loaded: set how long it waits for its creator to become host before
 * the voter who joined first becomes host. That is vote_grace_ms from the creation of the room.
 */
void room_await_maker(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms);

/* ---- as it is ---- */

int64_t room_version(const struct room *r);
/* The version of the last update that was encoded. */
int64_t room_shown_version(const struct room *r);
int64_t room_epoch(const struct room *r);
/* Return whether the room has not changed since that version. */
bool room_is_unchanged(const struct room *r, int64_t version);
/* Return whether the room is deleted by the next commit, and whether that is because it expired. */
bool room_is_deleted(const struct room *r);
bool room_is_expired(const struct room *r);
/*
 * Make the warning of the room's end due again: a subscriber is sent the full state and may not
 * have received the warning, or nobody who received it is connected any more.
 */
void room_repeat_warning(struct room *r);
/* Return whether a change could not be recorded: the unit of work must fail. */
bool room_is_short_of_memory(const struct room *r);
/* Report the transitions of the room's state machines to `trace`; borrowed, may be NULL. */
void room_trace(struct room *r, const struct machine_trace *trace);
const struct key_text *room_host_hash(const struct room *r);
/* The stored answers to calls with an idempotency_key. Valid as long as the room. */
struct idempotency_table *room_idempotency(struct room *r);

/* ---- seats ---- */

/* Return the number of members who are present: with a name, connected, and not in the lobby. */
size_t room_users_here(const struct room *r);
/* Return whether the room belongs to a group. */
bool room_has_group(const struct room *r);
/*
 * Return the id of the room's group, empty if it has none, and fill in its entry for group.rooms.
 * Valid until the room changes.
 */
struct slice room_of_group(const struct room *r, struct group_room *line);

/* The states of a seat, enum seat_state. */
extern const struct machine seat_machine;

struct seat *room_seat_by_key(struct room *r, const struct key_text *key_hash);
/* Return the keyed hash of a host_key, as stored in the table. */
struct key_text room_hash_host_key(const unsigned char *server_key, struct slice key);
/* Return the seat of a login's user in the room; NULL if there is none, or if user_id is empty. */
struct seat *room_account_seat(struct room *r, const unsigned char *server_key, struct slice user_id);
/*
 * For a connection that stays subscribed to a room that was loaded again: return its seat from
 * the table, or make it again if it was not stored. The connection is attached to it. Returns
 * NULL if the room is full, the key is banned, or memory is out.
 */
struct seat *room_seat_again(struct room *r, struct room_call *c, const struct key_text *user_key);
/*
 * A connection's subscription on the seat has ended. Raises the version if that changed
 * something.
 */
void room_disconnected(struct room *r, struct seat *seat, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);
/*
 * The room itself has ended a connection's subscription on the seat. Raise the version with
 * room_end_change().
 */
void room_detach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);

/* The seat's key was used on a connection that is not subscribed: restart its grace periods. */
void room_seen(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits);

/*
 * Send room.you, whole, to the seat with the next unit of work, even if nothing changed: a
 * subscription begins, or has missed one.
 */
void room_tell_all(struct room *r, struct seat *seat);

/* The core's list of the seat's subscriptions; the domain never reads it. */
struct subscription **seat_subscriptions(struct seat *seat);
/* Return the keyed hash of the seat's user_key, which identifies the seat. */
const struct key_text *seat_key_hash(const struct seat *seat);
/* Return the public user_id of the seat; for a login's seat, the user_id of the login. */
struct slice seat_user_id(const struct seat *seat);
/*
 * Return whether the seat has been removed from the room; it is freed when the marks are cleared.
 */
bool seat_is_gone(const struct seat *seat);
/* Return whether the seat waits in the lobby. */
bool seat_is_waiting(const struct seat *seat);
/*
 * Return the name of the member who removed the seat; empty: a member without a name, or nobody.
 * Valid until the marks are cleared.
 */
struct slice seat_kicked_by(const struct seat *seat);
/*
 * Return whether the key is banned, because it was kicked from a room with a lock or a passcode:
 * it gets no seat.
 */
bool room_is_barred(const struct room *r, const struct key_text *key_hash);

/* ---- callers ---- */

struct room_now {
	int64_t mono_ms, wall_ms;
	const int64_t *limits; /* LIMIT_COUNT of them */
};

/* The caller of a request, and the keys it has presented. */
struct room_caller {
	struct seat *seat;
	bool is_on_seat;           /* the connection is subscribed on that seat */
	struct key_text user_hash; /* keyed hash of its user_key; "" if none was presented */
	bool has_host_key;
	bool sent_host_key; /* right or wrong */
	struct slice keyed_id; /* user_id of a login that was signed with a key; empty: none */
	const struct room_facts *facts; /* as in struct room_call */
};
/*
 * Return whether the request can be decided only with facts from the directory. Facts about a
 * caller with a keyed login are needed in a group's room, if the caller has no seat yet or may
 * lead the room only as an owner of the group; and in any room, if the caller adds an item as a
 * story. Facts about the user of the caller's seat: see room_end_removed(). *wanted is valid as
 * long as the room and the params.
 */
bool room_wants_facts(const struct room *r, enum method method, const void *params, const struct room_caller *who,
		      struct facts_wanted *wanted);
/*
 * Do the same as the task room_end_member when a request arrives: if the user facts->seat_of was
 * removed from the group since they got their seat, and the room is not open, remove the seat, and
 * end the place as host that is kept for them. So nobody enters on it if the task was lost, or is
 * host again whose seat had ended before. facts may be NULL.
 */
void room_end_removed(struct room *r, const struct room_facts *facts, const struct room_now *now);
/*
 * Record the facts in the caller's seat: whether the caller may lead the room as an owner of its
 * group. The seat may be NULL.
 */
void room_note_facts(struct room *r, struct seat *seat, const struct room_facts *facts);
/*
 * Return whether a stranger can enter without anything else: the room is not locked and has no
 * passcode.
 */
bool room_is_open(const struct room *r);
/*
 * Check that the caller is what the method's row (`who` in methods.h) requires. Returns
 * FAULT_NONE, or the code of *fault; while the host is away its message says who is host next, and when.
 */
enum fault_code room_check_caller(const struct room *r, enum method method, const struct room_caller *who,
				  int64_t wall_ms, struct fault *fault);
/*
 * Check what a stranger may learn with any method: that the room exists, unless they are barred;
 * its contents, only if a new seat would see them at once. room.subscribe, which may bring a
 * passcode, makes its own checks.
 *
 * ROOM_NOT_FOUND     barred: the same as for a room that does not exist.
 * ROOM_LOCKED        the room takes no strangers; counts as a wrong guess.
 * PASSCODE_REQUIRED  the caller has the code but not the passcode; counts as a wrong guess.
 */
enum fault_code room_check_stranger(const struct room *r, enum method method, const struct room_caller *who,
				    const unsigned char *server_key, struct fault *fault);

/* ---- changes ---- */

/*
 * Run the handler of c->method. Returns FAULT_NONE; otherwise *c->fault is filled in and the room
 * is unchanged. Raises the version if something changed, and writes it to `version` of the
 * result.
 */
enum fault_code room_call(struct room *r, struct room_call *c);

/*
 * Return by how many bytes the room has outgrown its largest size since it was loaded or since
 * the last call.
 */
int64_t room_take_growth(struct room *r);

/* Raise the version if something was marked since it was last raised. */
void room_end_change(struct room *r);

/* Return when room_tick() has work next, on the monotonic clock; INT64_MAX: never. */
int64_t room_deadline(const struct room *r, const struct room_now *now);
/* Do everything that is due, and raise the version if that changed something. */
void room_tick(struct room *r, const struct room_now *now);
/* Return the name of the first row of room_due.h that is due and not done yet, or NULL. */
const char *room_due(const struct room *r, const struct room_now *now);

/* Return whether the room has expired: no member is connected, and expires_at has passed. */
bool room_is_over(const struct room *r, int64_t wall_ms);
/* Delete the room because it has expired; subscribers are notified. */
void room_expire(struct room *r);

/*
 * Return whether items wait to be written to the table, and whether changes wait to be sent in an
 * update.
 */
bool room_needs_write(const struct room *r);
bool room_needs_update(const struct room *r);

/* Return whether data frames or transient notifications wait to be sent. */
bool room_has_notifications(const struct room *r);

/* ---- marks into items, updates and notifications ---- */

/* A transient notification: sent once, not part of the state, not stored. The room owns it. */
struct room_notification {
	bool is_for_all;
	struct key_text key_hash; /* otherwise: the key hash of the seat it is for */
	/* for the sessions of the seat's login, not for the connections on the seat */
	bool is_to_sessions;
	char *bytes;
	size_t len;
	struct room_notification *next;
};

/*
 * One change of shared data, sent as an update of its own: encoded when it happens, sent when it
 * is durable. `whole` goes to subscribers; `for_author` goes to the connection that made the
 * change, which has the value already; `without` goes to subscribers that opted out of shared
 * data, and only keeps their since and version in step.
 */
struct data_frame {
	struct buf whole;
	struct buf for_author; /* without the value */
	struct buf without;    /* without the change: only since and version */
	uint64_t author;       /* `caller` of struct room_call; 0: no particular connection */
	int64_t since, version;
	struct data_frame *next;
};

/* The notifications since the marks were cleared, in order; borrowed until they are cleared. */
const struct room_notification *room_notifications(struct room *r);
/*
 * Take the changes of shared data, in order; the caller now owns them and destroys each with
 * data_frame_destroy().
 */
struct data_frame *room_take_data_frames(struct room *r);
void data_frame_destroy(struct data_frame *f);

/*
 * Iterate over the seats whose subscriptions must end, because the seat was removed or kicked:
 * return the one after `after`. Start with NULL; returns NULL at the end.
 */
struct seat *room_ended_seat(const struct room *r, const struct seat *after);
/* The same for the seats that must be sent room.you. */
struct seat *room_told_seat(const struct room *r, const struct seat *after);

/*
 * Make the operations that bring the table to this state. Keys and values are in the arena.
 * ERR_NOMEM leaves the marks as they are.
 *
 * The first operation is on the ROOM item, a put or only a check, and expects its version as it
 * was loaded or last stored; for a new room it expects the item to be absent. So a commit
 * conflicts if another process has changed the room since. A process that takes over a room
 * writes its ROOM item, however little it changes.
 */
NODISCARD enum err room_take_ops(struct room *r, int64_t wall_ms, struct arena *arena, struct store_op **ops, size_t *n);
/* Record that these operations are durable, as commit number `version`. */
void room_stored(struct room *r, const struct store_op *ops, uint64_t version);

/* A login's user gets or loses a seat with this unit of work: the user's list of rooms changes. */
struct account_change {
	char user_id[CODE_CHARS_MAX + 1];
	/* PUT_OUT: kicked, or waiting in the lobby; the seat stays */
	enum account_change_kind { ACCOUNT_JOINED, ACCOUNT_LEFT, ACCOUNT_PUT_OUT } kind;
	struct account_change *next;
};
/*
 * Return all these changes, in the arena; NULL if there are none, or, with *ok false, if memory
 * is out.
 */
struct account_change *room_account_changes(const struct room *r, struct arena *arena, bool *ok);

/*
 * Set *out to what must follow in the directory when these operations are durable
 * (room_directory.h), in the arena; NULL: nothing. ERR_NOMEM.
 */
NODISCARD enum err room_follows(const struct room *r, struct arena *arena, struct room_follow **out);
/* The same for a room that was just loaded. */
NODISCARD enum err room_follows_load(const struct room *r, struct arena *arena, struct room_follow **out);

/*
 * Append a complete room.update notification with the changes since the last one to `out` (sticky
 * error).
 */
void room_write_delta(struct room *r, struct arena *arena, struct buf *out);
/* The same with the full state; its params are also the result of room.get. */
void room_write_full(const struct room *r, bool with_data, struct arena *arena, struct buf *out);
/* Append room.you for one seat. */
void room_write_you(const struct room *r, const struct seat *seat, struct buf *out);

/*
 * Clear all marks, after everything marked has been taken. Seats that were removed are freed: no
 * subscription may be on one any more.
 */
void room_clear_marks(struct room *r);

/*
 * The refusal to a stranger, both for a room that does not exist and for one that they may not
 * enter: two messages would disclose which.
 */
#define ROOM_UNKNOWN "room not found or closed to you; check the code"

#endif
