/*
 * room.h - the interface of a room: the only header that the core includes from this directory.
 *
 * The state of one partition in memory, and every change to it. A change is
 * made in memory at once and marked; from the marks come, later and together,
 * the items to write (room_take_ops), the update for everyone
 * (room_write_delta) and the notification for one member alone (room_write_you).
 * Nothing here knows of connections, logs, commits or disks: if a commit fails
 * the whole state is thrown away and loaded again.
 *
 * Secrecy: another's vote is written in exactly one place, room_view.c, and
 * only while the room is revealed.
 *
 * The files of this directory include room_state.h, which has struct room and one header for each subject:
 * seat.h, story.h, round.h, shared_data.h; room_fields.h and room_due.h are tables.
 *
 * Files: room.c state and marks; room_create.c and room_subscribe.c how a connection enters a room;
 * room_dispatch.c callers, rights, requests, and what is due; room_members.c members and the room itself; room_names.c their names;
 * room_hosts.c who is host; room_group.c rooms of a group; room_grace.c connections of a seat; room_policy.c policy, strangers, lobby; room_barred.c
 * keys that a kick has barred; room_votes.c cards and deck; room_left.c cards of those who left; room_reveal.c reveal and time;
 * room_rounds.c rounds; room_result.c the result of a round; room_stories.c stories; room_save.c their estimates on the way to items; room_signals.c nudges and reactions; shared_data*.c and
 * room_presence.c shared data; room_expiry.c lifetime; room_growth.c what it lets the table grow by; room_items.c and room_read.c table; room_view.c wire.
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
#include "server/domain/room_facts.h"
#include "server/domain/room_follow.h"
#include "store/store.h"

struct conn;
struct idempotency_table;
struct machine;
struct machine_trace;
struct room;
struct seat;
struct server;
struct subscription;

/* Of its rounds a room has so many in memory, the last ones; older ones are read from the table when they are asked for. */
#define ROUNDS_IN_MEMORY 8
/* The SK that a round has. */
#define ROUND_SK_BYTES_MAX 32
size_t round_sk_of(int64_t n, char out[ROUND_SK_BYTES_MAX]);

/* Rounds of the table that are not in memory, from first to last in order of their numbers. */
struct rounds_page {
	int64_t first, last;
	size_t n; /* 0: none */
	const struct store_item *items; /* those there were */
	size_t items_n;
};

/* The caller's connection, as room.subscribe and room.unsubscribe find it and as they leave it. */
struct room_subscriber {
	bool is_subscribed;
	struct seat *seat;        /* on which it is subscribed; NULL: none */
	struct key_text user_key; /* that it has shown; "": none */
	unsigned seats_made;      /* by its subscriptions to this room, so far */
	bool may_subscribe;       /* false: to as many rooms as it may, and not to this one */
	int64_t seat_wait_ms;     /* until its address may take another new seat; 0: now */

	/* What came of it. */
	bool is_new;         /* the seat is new: the connection has no copy of the room to resume from */
	bool wants_seat;     /* a new seat of the address's rate was asked for, whether there was one or not */
	bool is_wrong_guess; /* refused as where the room does not exist */
};

/* The request that a handler gets, and its result. Everything outside the room that it may use is in here. */
struct room_call {
	enum method method;
	const void *params; /* struct of the method's params record */
	void *result;       /* struct of its result record, zeroed */
	struct seat *seat;  /* the caller's, or NULL */
	bool is_on_seat;    /* the caller's connection follows the room on it */
	bool has_host_key;  /* the caller has shown the right host_key */
	struct slice account_id;   /* user_id of the connection's login; empty: none */
	struct slice account_name; /* and its name */
	bool is_keyed;             /* a key signed it */
	const struct room_facts *facts; /* what was asked of the directory for the request, about that login; NULL: nothing */
	struct room_subscriber *subscriber; /* of methods with EFFECT_ATTENDS */
	uint64_t caller; /* the connection, for data that it need not be sent back */
	struct random *random;
	const unsigned char *server_key; /* SEED_BYTES, for hashes */
	int64_t wall_ms;
	int64_t mono_ms;
	const int64_t *limits; /* LIMIT_COUNT of them */
	struct arena *arena;   /* strings of the result may live here */
	struct fault *fault;
	struct server *server;
	struct conn *conn; /* the caller's, for growth_wait_ms */
	/* Whether a connection of that login is told what happens in its rooms. */
	bool (*user_is_watched)(const struct server *s, struct slice user_id);
	/* Ms until the caller may let rooms grow by so many bytes; 0: now. NULL: in any case. */
	int64_t (*growth_wait_ms)(const struct room_call *c, int64_t bytes);
	const struct rounds_page *page; /* what was loaded for the call, or NULL */
	struct rounds_page wants; /* with n: a refusal that only says what to load and call again with */
	bool is_damaged;          /* a refusal because the page lacks what it should have */
};

/* ---- life ---- */

/* A room that room.create is to make, before the place for it is known. */
struct room_plan {
	char room_id[CODE_CHARS_MAX + 1];
	struct key_text host_key;
	bool is_derived;    /* ids and host_key follow from the idempotency_key */
	struct facts_wanted wants; /* nothing, or what c->facts has to say before the room can be made */
	struct slice title; /* clean, in the arena; empty: none */
	struct slice link_template; /* likewise */
	struct slices deck; /* likewise */
};
/* Deck, title, link_template, wants and is_derived from c->params, or *c->fault. */
enum fault_code room_plan(struct room_call *c, struct room_plan *plan);
/*
 * Its code and its host_key: derived for a call with an idempotency_key, else random and others each time.
 * @creator  identifies the caller whose repeat a call may be; at most 96 bytes
 */
void room_plan_ids(struct room_call *c, struct slice creator, size_t code_chars, struct room_plan *plan);
/* Whether the room was made by the call that the plan, with its ids, is of, also if its end is being written; false for NULL. */
bool room_was_planned(const struct room *r, const struct room_call *c, const struct room_plan *plan);
/*
 * In the place that plan->room_id names: *at is what stands there. A new room where that is NULL; the
 * same answer again where it was made by the same call; else *c->fault.
 */
enum fault_code on_ROOM_CREATE(struct room **at, struct room_call *c, const struct room_plan *plan);
/* A new epoch: no two rooms, and no two loads of one, are likely to have the same. */
int64_t room_make_epoch(struct random *random);

/*
 * A room from its items. No member is connected; graces begin now.
 * OK with *out NULL where there are no items. ERR_NOMEM. ERR_CORRUPT an item does not decode, or there are
 * fewer or more of them than the ROOM item says, or that item itself is missing.
 * The items need of the rounds only the last ROUNDS_IN_MEMORY.
 */
NODISCARD enum err room_load(const char *room_id, const struct store_item *items, size_t n, int64_t epoch,
			     int64_t mono_ms, int64_t vote_grace_ms, struct room **out);
void room_destroy(struct room *r);

/* For a room that was made or loaded: how long it waits for that before the earliest joined voter stands in. */
void room_await_maker(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms);

/* ---- as it is ---- */

int64_t room_version(const struct room *r);
/* What the last update that was encoded brought. */
int64_t room_shown_version(const struct room *r);
int64_t room_epoch(const struct room *r);
/* Whether it is what it was at that version. */
bool room_is_unchanged(const struct room *r, int64_t version);
/* It ends with the next commit; and it does because its time was over. */
bool room_is_deleted(const struct room *r);
bool room_is_expired(const struct room *r);
/* A subscriber is sent everything, and may not have been sent the warning of the end, or nobody that was warned is
 * there any more: it is due again. */
void room_repeat_warning(struct room *r);
/* A change could not be recorded: the unit of work must fail. */
bool room_is_short_of_memory(const struct room *r);
/* Have the moves of its state machines reported; borrowed, may be NULL. */
void room_trace(struct room *r, const struct machine_trace *trace);
const struct key_text *room_host_hash(const struct room *r);
/* Answers to calls with an idempotency_key. */
struct idempotency_table *room_idempotency(struct room *r);

/* ---- seats ---- */

/* Members who are here: with a name, a connection, and not in the lobby. */
size_t room_users_here(const struct room *r);
/* Whether it is a room of a group: most are not. */
bool room_has_group(const struct room *r);
/* The group whose room it is, empty: none; and its line in group.rooms, valid until the room changes. */
struct slice room_of_group(const struct room *r, struct group_room *line);

/* A seat's way to the table and out of it: enum seat_state. */
extern const struct machine seat_machine;

struct seat *room_seat_by_key(struct room *r, const struct key_text *key_hash);
/* The key as the table has it. */
struct key_text room_hash_host_key(const unsigned char *server_key, struct slice key);
/* The seat that a login has in the room; NULL: none, or nobody is logged in (user_id is empty). */
struct seat *room_account_seat(struct room *r, const unsigned char *server_key, struct slice user_id);
/*
 * For a connection that stays subscribed to a room that was loaded again: the seat that the table has, or, where it
 * was only live, the same once more; the connection is on it. NULL: there is no place for it any more.
 */
struct seat *room_seat_again(struct room *r, struct room_call *c, const struct key_text *user_key);
/* A connection's subscription on the seat has ended. Raises the version where something changed. */
void room_disconnected(struct room *r, struct seat *seat, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);
/* A connection went that the room itself let go. Raise the version with room_end_change(). */
void room_detach(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits);

/* The seat's own key was used on a connection that is not subscribed: its graces begin anew. */
void room_seen(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits);

/* Have room.you sent to the seat with the next unit of work, changed or not. */
void room_tell(struct room *r, struct seat *seat);

/* The core's list of the subscriptions on the seat; the domain never reads it. */
struct subscription **seat_subscriptions(struct seat *seat);
/* Of the user_key: which seat this is. */
const struct key_text *seat_key_hash(const struct seat *seat);
/* Of who sits there: with a login's seat the login's. */
struct slice seat_user_id(const struct seat *seat);
/* The seat is no more; it is freed when the marks are cleared. */
bool seat_is_gone(const struct seat *seat);
/* It waits in the lobby. */
bool seat_is_waiting(const struct seat *seat);
/* The name of the member who has removed it; empty: nobody with a name. Valid until the marks are cleared. */
struct slice seat_kicked_by(const struct seat *seat);
/* No seat is given to the key: it was kicked from a room that asks something of strangers. */
bool room_is_barred(const struct room *r, const struct key_text *key_hash);

/* ---- callers ---- */

struct room_now {
	int64_t mono_ms, wall_ms;
	const int64_t *limits; /* LIMIT_COUNT of them */
};

/* The caller of a request, and what it has shown. */
struct room_caller {
	struct seat *seat;
	bool is_on_seat;           /* the connection follows the room on it */
	struct key_text user_hash; /* of the key that names it; "" where none was shown */
	bool has_host_key;
	bool sent_host_key; /* right or wrong */
	struct slice keyed_id; /* user_id of a login with a key; empty: none */
	const struct room_facts *facts; /* as struct room_call has them */
};
/*
 * Whether the request can be decided only with facts about the caller, who has a login with a key: in a group's room
 * that is one who has no seat yet or may lead it only as an owner of the group; anywhere, one who adds an item as a
 * story. Or with facts about the seat that any caller comes to: see room_end_removed(). *wanted lives as long as the
 * room and the params do.
 */
bool room_wants_facts(const struct room *r, enum method method, const void *params, const struct room_caller *who,
		      struct facts_wanted *wanted);
/*
 * The same as the task room_end_member, at the door: the seat that facts->seat_of had when they were removed from the
 * group ends. So nobody enters on it where the task was lost. NULL is fine.
 */
void room_end_removed(struct room *r, const struct room_facts *facts, const struct room_now *now);
/* The facts about the caller show in their seat: whether they may lead as an owner of the room's group. NULL is fine. */
void room_note_facts(struct room *r, struct seat *seat, const struct room_facts *facts);
/* A stranger needs nothing to enter: the room is neither locked nor has it a passcode. */
bool room_is_open(const struct room *r);
/* Whether the method's row admits the caller. */
enum fault_code room_check_caller(const struct room *r, enum method method, const struct room_caller *who,
				  struct fault *fault);
/*
 * A stranger, with any method, learns of a room only where they could take a
 * seat, and sees it only where a new seat would see it at once. room.subscribe,
 * which may bring a passcode, checks by itself. ROOM_NOT_FOUND: as where there is none.
 * PASSCODE_REQUIRED: the caller has the code and lacks the passcode; a wrong guess all the same.
 */
enum fault_code room_check_stranger(const struct room *r, enum method method, const struct room_caller *who,
				    const unsigned char *server_key, struct fault *fault);

/* ---- changes ---- */

/*
 * Run the handler of c->method. FAULT_NONE, or *c->fault is filled and the
 * room is as it was. Raises the version where something changed, and puts it
 * into the result's `version`.
 */
enum fault_code room_call(struct room *r, struct room_call *c);

/* By how many bytes the room has grown since it was loaded or this was last asked, beyond the most it has held. */
int64_t room_take_growth(struct room *r);

/* Raise the version if something was marked since it was last raised. */
void room_end_change(struct room *r);

/* When room_tick() has something to do next, on the monotonic clock; INT64_MAX: never. */
int64_t room_deadline(const struct room *r, const struct room_now *now);
/* Do all that is due, and raise the version if that changed something. */
void room_tick(struct room *r, const struct room_now *now);
/* The first row of room_due.h that is due and not done yet: its name, or NULL. */
const char *room_due(const struct room *r, const struct room_now *now);

/* Whether its time is over: no member is connected, and expires_at has passed. */
bool room_is_over(const struct room *r, int64_t wall_ms);
/* Remove everything, because its time is over: subscribers are notified. */
void room_expire(struct room *r);

/* Whether anything waits to be written to the table, or to be sent in an update. */
bool room_needs_write(const struct room *r);
bool room_needs_update(const struct room *r);

/* Whether data frames or transient notifications wait. */
bool room_has_notifications(const struct room *r);

/* ---- marks into items, updates and notifications ---- */

/* A transient notification: sent once, part of no state, not stored. The room owns it. */
struct room_notification {
	bool is_for_all;
	struct key_text key_hash; /* else: of the seat it is for */
	bool is_to_sessions; /* of the login whose seat it is, and not to connections on the seat */
	char *bytes;
	size_t len;
	struct room_notification *next;
};

/*
 * One change of shared data as an update of its own: encoded when it happens, sent when it is durable.
 * `whole` goes to subscribers, `for_author` to the connection that made the change and has the value already,
 * `without` to subscriptions that opted out of shared data. The last only keeps since and version in step.
 */
struct data_frame {
	struct buf whole;
	struct buf for_author; /* without the value */
	struct buf without;    /* without the change: since and version alone */
	uint64_t author;       /* room_call's caller; 0: no connection in particular */
	int64_t since, version;
	struct data_frame *next;
};

/* Those since the marks were cleared, in order; borrowed until they are cleared. */
const struct room_notification *room_notifications(struct room *r);
/* The changes of shared data, in order: the caller owns them from now on, data_frame_destroy(). */
struct data_frame *room_take_data_frames(struct room *r);
void data_frame_destroy(struct data_frame *f);

/* Seats whose subscriptions are to end: gone, or kicked. The one behind `after`, from NULL to NULL. */
struct seat *room_ended_seat(const struct room *r, const struct seat *after);
/* Seats that are due a room.you, likewise. */
struct seat *room_told_seat(const struct room *r, const struct seat *after);

/*
 * The operations that bring the table to this state. Keys and values live in
 * the arena. ERR_NOMEM leaves the marks as they are.
 *
 * The first is on the ROOM item, a put or only a check, and expects it as it
 * was loaded or last stored; absent, where the room is new. So a commit that was
 * made on what another process has changed since is a conflict. A process that
 * takes a room over writes its ROOM item, however little it changes.
 */
NODISCARD enum err room_take_ops(struct room *r, int64_t wall_ms, struct arena *arena, struct store_op **ops, size_t *n);
/* Those operations are durable, as the commit of that number. */
void room_stored(struct room *r, const struct store_op *ops, uint64_t version);

/* A login's seat that this unit of work gives or takes: the user's list of rooms changes. */
struct account_change {
	char user_id[CODE_CHARS_MAX + 1];
	enum account_change_kind { ACCOUNT_JOINED, ACCOUNT_LEFT, ACCOUNT_PUT_OUT } kind; /* put out: kicked or in the lobby, and the seat stays */
	struct account_change *next;
};
/* All of them, in the arena; NULL where there are none, or, with *ok false, memory is out. */
struct account_change *room_account_changes(const struct room *r, struct arena *arena, bool *ok);

/* What follows in the directory when those operations are durable, in the arena; NULL: nothing. ERR_NOMEM. */
NODISCARD enum err room_follows(const struct room *r, struct arena *arena, struct room_follow **out);
/* The same when the room was loaded. */
NODISCARD enum err room_follows_load(const struct room *r, struct arena *arena, struct room_follow **out);

/* room.update with what changed since the last one, as a whole notification appended to out (sticky error). */
void room_write_delta(struct room *r, struct arena *arena, struct buf *out);
/* The same with everything; its params are the result of room.get, too. */
void room_write_full(const struct room *r, bool with_data, struct arena *arena, struct buf *out);
/* room.you for one seat. */
void room_write_you(const struct room *r, const struct seat *seat, struct buf *out);

/* Forget all marks: what they asked for has been taken. Seats that are gone are freed: no subscription may be on one any more. */
void room_clear_marks(struct room *r);

/* The refusal to a stranger, whether there is no such room or they may not enter: one message for both, or it would disclose which. */
#define ROOM_UNKNOWN "room not found or closed to you; check the code"

#endif
