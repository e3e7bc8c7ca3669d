/*
 * room.h - a room: its seats, its votes, and the rules between them.
 *
 * The state of one partition in memory, and every change to it. A change is
 * made in memory at once and marked; from the marks come, later and together,
 * the items to write (room_take_ops), the update for everyone
 * (room_write_delta) and the words for one member alone (room_write_you).
 * Nothing here knows of connections, logs, commits or disks: if a commit fails
 * the whole state is thrown away and loaded again.
 *
 * Secrecy: another's vote is written in exactly one place, room_view.c, and
 * only while the room is revealed.
 *
 * Files: room.c state and marks; room_grace.c graces and who is host; room_expiry.c
 * lifetime; room_reveal.c reveal and time; room_votes.c cards and deck; room_rounds.c
 * rounds; room_result.c what votes say; room_stories.c and room_story_text.c stories;
 * room_policy.c who may do what; room_hosts.c hosts; room_barred.c who was kicked for good; room_signals.c nudges and
 * reactions; shared_data_methods.c and room_presence.c shared data; room_items.c and
 * room_read.c table; room_view.c wire; room_members.c members, dispatch.
 *
 * Life: room_create() or room_load() .. room_destroy().
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_H
#define SERVER_DOMAIN_ROOM_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/domain/uthash_config.h"

#include "proto/arena.h"
#include "proto/buf.h"
#include "proto/key_hash.h"
#include "proto/limits.h"
#include "proto/methods.h"
#include "proto/random.h"
#include "proto/rights.h"
#include "proto/room_code.h"
#include "proto/slice.h"
#include "proto/wire_error.h"
#include "server/domain/idempotency.h"
#include "server/domain/rank.h"
#include "server/domain/room/shared_data.h"
#include "store/store.h"

struct subscription;

#define CARD_NONE (-1)

/* What everybody sees of a seat, field by field: bits of seat->needs_update. An update has those that changed. */
enum seat_field {
	SEAT_NAME = 1 << 0,
	SEAT_ROLE = 1 << 1,
	SEAT_IS_BOT = 1 << 2,
	SEAT_IS_CONNECTED = 1 << 3,
	SEAT_IS_HOST = 1 << 4,
	SEAT_IS_WAITING = 1 << 5,
	SEAT_HAS_VOTE = 1 << 6,
	SEAT_CARD = 1 << 7,       /* the card, note, confidence and is_changed, as far as there are any: nobody knew of one */
	SEAT_CARD_ANEW = 1 << 8,  /* the same, and what there is not (any more) said as well */
	SEAT_IS_NEW = 1 << 9,     /* all that there is: nobody was sent anything of the seat before */
};

/* A vote that a reset took and round.undo_reset brings back. */
struct last_vote {
	int card; /* of room_card(), or CARD_NONE */
	char *note;
	int confidence;
	bool is_changed;
};

/*
 * A seat is written to the table when it first holds something that whoever sat
 * down with its key anew would not be given: a name, a login's user_id, a host's
 * rights, or a place that the room does not give to anybody who comes. From then
 * on it is written with every change, and deleted when it goes. Until then it is
 * live state, and costs the disk nothing: who only looks on commits nothing.
 *
 * What a subscription promised holds without an item. The user_id follows from
 * the key and the room (subscription.c), so the same key is the same person after a
 * crash, too; and a room that ceases to take everybody (locked, with a passcode
 * or a lobby) writes all who sit there in the commit that shuts it.
 */
struct seat {
	struct key_text key_hash; /* of the user_key: which item this is */
	char user_id[CODE_CHARS_MAX + 1];
	bool is_account; /* user_id is that of a login, whose seat this is */
	char *username; /* clean; NULL while the seat only watches */
	int card;       /* of room_card(), or CARD_NONE */
	enum seat_role role;
	bool is_bot;
	int64_t created_on;
	int64_t joined_at;         /* 0 without a name */
	int64_t voted_at;          /* 0 without a vote */
	char *note;                /* on the vote; NULL: none */
	int confidence;            /* 1 to 3; 0: none given */
	bool is_changed;           /* the vote was changed after the reveal */
	struct last_vote last;     /* what the last reset took */
	bool is_cohost;
	bool is_waiting; /* in the lobby */
	unsigned connections;      /* live, never on disk */
	int64_t disconnected_mono; /* since when there is none */
	int64_t nudged_mono;       /* 0: never */
	int64_t reactions_us;      /* as a bucket of the core: when it would be drained */
	struct subscription *subscriptions;     /* the core's list of who follows on this seat; the domain never looks into it */

	bool is_new_kept; /* is_kept since the marks were last cleared: the room is new to its user */
	bool is_kept;   /* the table has an item of it, or will have with this unit of work; stays until it goes */

	/* What room_clear_marks() clears. */
	bool needs_write;  /* it changed; the item is written where it is_kept */
	unsigned needs_update; /* enum seat_field: what everybody sees of it that changed */
	bool needs_you;   /* what it alone may know changed */
	bool is_kicked; /* its connections are to be told and let go */
	bool is_marked; /* in room->marked */
	bool is_gone;   /* in room->gone, and nowhere else */

	struct seat *next_marked;
	struct seat *next, *prev; /* in the order they sat down */
	UT_hash_handle hh;        /* by key_hash.text */
};

/* Who may do what, and what happens by itself. room.set_policy has the meanings. */
struct policy {
	bool everyone_reveals;
	bool everyone_resets;
	bool everyone_edits_stories;
	bool auto_reveal;
	bool vote_after_reveal;
	bool anonymous;
	bool locked;
	bool lobby;
	bool bots_count;
	bool confidence;
	enum data_editors data_editors;
	bool has_passcode;
	struct key_text passcode_hash;
};


struct story {
	char story_id[USER_ID_CHARS + 1];
	struct rank rank;
	struct rank stored_rank; /* which key its item has; "" before it is written */
	char *title;
	char *link;     /* NULL: none; so are the next two */
	char *notes;
	char *estimate;
	enum story_status status;
	bool is_removed;
	int64_t created_on;
	bool needs_write; /* its item, and what everybody sees of it */
	struct story *next, *prev; /* in the order of the list */
};

/* Of its rounds a room has so many in memory, the last ones; older ones are read from the table when they are asked for. */
#define ROUNDS_IN_MEMORY 8
/* An open round that late votes change is written so long after the first of them. */
#define ROUND_LATE_MS    1000

/* A round whose cards were turned over, as its item has it. */
struct past_round {
	int64_t n;
	char story_id[USER_ID_CHARS + 1]; /* "" for a quick vote */
	int64_t created_on; /* 0: only its item knows */
	char *view; /* MessagePack of its round_view; NULL: only in the table */
	size_t view_len; /* also then */
	bool needs_write;
	struct past_round *next, *prev; /* the oldest first */
};

/* The record room_result as bytes; len 0: none. */
struct fixed_result {
	char *bytes;
	size_t len;
};

/* What the last reset ended; round 0: nothing to undo. The votes are the seats' last_card. */
struct undo {
	struct fixed_result result;
	int64_t round;
	bool was_revealed;
	int64_t started_at;
	int64_t revealed_at;
	char story_id[USER_ID_CHARS + 1];
	char outcome[MAX_CARD_BYTES + 1];
};

/* A notification that is said once and belongs to no state. */
struct room_notification {
	bool is_for_all;
	struct key_text key_hash; /* else: whose */
	char *bytes;
	size_t len;
	struct room_notification *next;
};

/*
 * One change of shared data, as its own update: encoded when it happens, said
 * when it is durable. Who made it, and who wants none of it, get it without.
 */
struct data_frame {
	struct buf whole;
	struct buf for_author; /* without the value */
	struct buf without;    /* only that a version has passed */
	uint64_t author;       /* room_call's caller; 0: nobody in particular */
	int64_t since, version;
	struct data_frame *next;
};

/* A user_key that a kick has barred: see room_barred.c. */
struct barred {
	struct key_text key_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char *username; /* NULL: none */
	int64_t created_on;
	bool needs_write;
	struct barred *next, *prev; /* the oldest first */
};

struct room {
	char room_id[CODE_CHARS_MAX + 1];
	int64_t epoch;
	int64_t version;       /* counts every change */
	int64_t shown_version; /* what the last delta brought */
	int64_t created_on;
	int64_t warned_for; /* of which expires_at subscribers were told, and */
	int64_t warned_ms;  /* how long before it, the last time */
	int64_t expires_at; /* wall ms, as it is or will be in the table */
	struct key_text host_key_hash;
	char host_user_id[CODE_CHARS_MAX + 1]; /* "" where nobody is */
	bool had_host; /* somebody with the host_key has come: until then whoever leads only stands in */
	int64_t maker_due_mono; /* until then the room waits for that, and nobody stands in */
	char *title; /* NULL without one */
	struct slices deck; /* one block of memory, cards and their labels */
	struct slices old_cards; /* likewise: cards of earlier decks on which a vote lies still */
	bool is_revealed;
	int64_t round;
	int64_t story_round; /* how many times this story has been voted on, with this round */
	int64_t started_at;
	int64_t revealed_at; /* 0 while hidden */
	struct fixed_result result; /* while a round without names lies open: what its votes said at the reveal */
	char story_id[USER_ID_CHARS + 1];
	char outcome[MAX_CARD_BYTES + 1];
	bool is_armed;
	int64_t timer_ends_at; /* wall ms, as people see it; 0: none runs */
	int64_t timer_mono;    /* when it really ends: a clock that is set changes no timer; 0 until the first tick after a load */
	bool timer_reveals;
	struct undo undo;
	struct policy policy;

	/* The countdown is live state: after a restart it begins anew if everybody has still voted. */
	int64_t countdown_mono; /* when it ends; 0: none runs */
	int64_t countdown_ends_at;
	int64_t countdown_token;
	bool is_held; /* stopped by hand, until the next vote */

	struct story *stories; /* utlist */
	size_t stories_n;
	size_t stories_bytes;
	struct past_round *rounds; /* utlist: all there are, though most of them without their view */
	size_t rounds_n;
	size_t rounds_bytes; /* of all views, in memory or not */
	bool is_round_late;  /* late votes have changed the open round since it was recorded; the seats' items have them */
	int64_t round_due_mono; /* when it is recorded then */
	bool lacks_rounds;   /* loaded from an item that does not list them: load it again with all of them */

	struct seat *by_key; /* uthash */
	struct seat *seats;  /* utlist */
	size_t seats_n;
	size_t kept_n;      /* seats with is_kept */
	size_t connected_n; /* seats with a connection */
	struct barred *barred; /* utlist */
	size_t barred_n;
	struct idempotency_table once;
	struct data_store data;

	int64_t items_stored; /* the count in the ROOM item; 0: it has none yet */

	/* marks */
	bool is_new;     /* not in the table yet */
	bool is_expired; /* and it is because its time was over */
	bool is_deleted; /* everything under the PK is to go */
	bool needs_write;   /* the ROOM item */
	bool needs_update;    /* the room's own fields */
	bool votes_cleared; /* everybody's vote was taken, before what the seats' marks tell */
	bool is_short_of_memory; /* a change could not be recorded: the unit of work must fail */
	bool is_touched; /* something changed since the version was last raised */
	bool stories_marked; /* some story is needs_write */
	bool rounds_marked;  /* some round is needs_write */
	bool barred_marked;  /* some barred key is needs_write */
	struct barred *gone_barred; /* whose items are to go */
	struct past_round *gone_rounds;
	struct data_frame *data_frames; /* in the order they happened */
	bool owes_delta; /* a data frame has passed the version of a change that is still to be shown */
	struct room_notification *words; /* the last said first */
	struct seat *marked;
	struct seat *gone; /* seats that are no more, until that was written and told; by next_marked */

	int64_t next_grace_mono; /* when some seat's grace ends; INT64_MAX: none */
};

/* Rounds of the table that are not in memory, from first to last in order of their numbers. */
struct rounds_page {
	int64_t first, last;
	size_t n; /* 0: none */
	const struct store_item *items; /* those there were */
	size_t items_n;
};

/* What a handler is given, and where it answers. Everything outside the room that it may use is in here. */
struct room_call {
	enum method method;
	const void *params; /* struct of the method's params record */
	void *result;       /* struct of its result record, zeroed */
	struct seat *seat;  /* the caller's, or NULL */
	bool has_host_key;  /* the caller has shown the right host_key */
			struct slice account_name; /* of the login whose seat it is; empty: none */
	uint64_t caller; /* the connection, for data that it need not be sent back */
	struct random *random;
	const unsigned char *server_key; /* SEED_BYTES, for hashes */
	int64_t wall_ms;
	int64_t mono_ms;
	const int64_t *limits; /* LIMIT_COUNT of them */
	struct arena *arena;   /* strings of the result may live here */
	struct fault *fault;
	const struct rounds_page *page; /* what was loaded for the call, or NULL */
	struct rounds_page wants; /* with n: a refusal that only says what to load and call again with */
	bool is_damaged;          /* a refusal because the page lacks what it should have */
};

/* ---- life ---- */

struct room_founding {
	const char *room_id; /* normalised */
	struct key_text host_key_hash;
	struct slice title;  /* clean; empty: none */
	struct slices deck;  /* clean; copied */
	int64_t epoch;
	int64_t wall_ms;
	int64_t life_ms;
};
/* A new room, marked for writing. NULL when memory is out. */
struct room *room_create(const struct room_founding *f);

/*
 * A room from its items. Nobody is connected; graces begin now.
 * OK with *out NULL where there are no items. ERR_NOMEM. ERR_CORRUPT an item does not decode, or there are
 * fewer or more of them than the ROOM item says, or that item itself is missing.
 */
/*
 * The items need of the rounds only the last ROUNDS_IN_MEMORY, unless it lacks_rounds.
 */
NODISCARD enum err room_load(const char *room_id, const struct store_item *items, size_t n, int64_t epoch,
			     int64_t mono_ms, int64_t vote_grace_ms, struct room **out);
void room_destroy(struct room *r);
/* A room that lacks_rounds was loaded with all of them: its item is written anew, with the list of those that stay. */
void room_list_rounds(struct room *r);

/* ---- seats ---- */

struct seat *room_seat_by_key(struct room *r, const struct key_text *key_hash);
struct seat *room_seat_by_id(struct room *r, struct slice user_id);
/* When a seat taken now sat down: later than all before it, so that their order survives the table. */
int64_t room_seat_time(const struct room *r, int64_t wall_ms);
/* A new seat without a name. NULL with *fault ROOM_FULL or UNAVAILABLE. */
struct seat *room_seat_add(struct room *r, const struct key_text *key_hash, const char *user_id, int64_t wall_ms,
			   int64_t mono_ms, int64_t seats_max, struct fault *fault);

/* A connection came to the seat, or one went. Raise the version with room_end_change(). */
void room_attach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t vote_grace_ms);
void room_detach(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits);

/* The seat's own key was used without a connection that follows: its graces begin anew. */
void room_seen(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits);

/* Have room.you said to the seat with the next unit of work, changed or not. */
void room_tell(struct room *r, struct seat *seat);

/* The first to sit down with the host_key becomes host, whoever stood in. */
void room_offer_host(struct room *r, struct seat *seat);
/* For a room that was made or loaded: how long it waits for that before the earliest joined voter stands in. */
void room_await_maker(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms);
/* Somebody with the host_key decides who leads: nobody stands in any more. */
void room_maker_came(struct room *r);

/* ---- changes ---- */

/*
 * Run the handler of c->method. FAULT_NONE, or *c->fault is filled and the
 * room is as it was. Raises the version where something changed, and puts it
 * into the result's `version`.
 */
enum fault_code room_call(struct room *r, struct room_call *c);

/* Raise the version if something was marked since it was last raised. */
void room_end_change(struct room *r);

/* When room_tick() has something to do next, on the monotonic clock; INT64_MAX: never. */
int64_t room_deadline(const struct room *r, int64_t mono_ms, int64_t wall_ms);
/* Countdown and timer that have ended, and graces: votes, names and seats go, the host's place is handed on. */
void room_tick(struct room *r, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);

/* Push the end of its life away: a change, or a member who is here. Written at most once a minute. */
void room_extend(struct room *r, int64_t wall_ms, int64_t life_ms);
/* Keep it at least until then. */
void room_keep(struct room *r, int64_t until_ms);
/* Whether its time is over: no member is connected, and expires_at has passed. */
bool room_is_over(const struct room *r, int64_t wall_ms);
/* Remove everything. */
void room_delete(struct room *r);
/* The same because its time is over: subscribers are told so. */
void room_expire(struct room *r);

/* Whether anything waits to be written, or to be shown or told. */
bool room_needs_write(const struct room *r);
bool room_needs_update(const struct room *r);

/* ---- marks into items and words ---- */

/*
 * The operations that bring the table to this state. Keys and values live in
 * the arena. ERR_NOMEM leaves the marks as they are.
 */
NODISCARD enum err room_take_ops(struct room *r, int64_t wall_ms, struct arena *arena, struct store_op **ops, size_t *n);

/* How many items the partition has, as the ROOM item counts them (items.h). */
int64_t room_count_items(const struct room *r);
/* A login's seat that this unit of work gives or takes: the user's list of rooms changes. */
struct account_change {
	char user_id[CODE_CHARS_MAX + 1];
	bool has_left;
	struct account_change *next;
};
/* All of them, in the arena; NULL where there are none, or, with *ok false, memory is out. */
struct account_change *room_account_changes(const struct room *r, struct arena *arena, bool *ok);

/* room.update with what changed since the last one, as a whole notification appended to out (sticky error). */
void room_write_delta(struct room *r, struct arena *arena, struct buf *out);
/* The same with everything; its params are the result of room.get, too. */
void room_write_full(const struct room *r, bool with_data, struct arena *arena, struct buf *out);
/* room.you for one seat. */
void room_write_you(const struct room *r, const struct seat *seat, struct buf *out);

/* Forget all marks: what they asked for has been taken. Seats that are gone are freed: nobody may follow on one any more. */
void room_clear_marks(struct room *r);

/* What a stranger is told of a room that is not there, or not for them: the same words, or it would tell which. */
#define ROOM_UNKNOWN "there is no such room for you; check the code, and the passcode if it has one"

/*
 * Whether a stranger may take a seat, or look: FAULT_NONE, or *fault says no.
 * @has_host_key lets in anybody who has it.
 */
enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key, struct slice passcode,
			     bool has_host_key, struct fault *fault);

/* ---- for the files of this module ---- */

enum fault_code room_out_of_memory(struct room_call *c);
/* The clean form of text, in the arena. Faults name `field`. */
/* FAULT_NONE, or *c->fault says why the caller may not. */
enum fault_code room_check_right(const struct room *r, struct room_call *c, enum right right);
/* RIGHT_DELETE_DATA on something that the user_id made_by made; "" where nobody knows. */
enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by);
/* Replace a string; empty and NULL are the same. False when memory is out, nothing changed. */
/* room_expiry.c: tell subscribers that the end is near; put it off while a member is here. */
void room_tick_life(struct room *r, int64_t wall_ms, const int64_t *limits);
/* When its life has to be looked at next, wall ms; INT64_MAX: not while nobody follows it. */
int64_t room_life_deadline(const struct room *r, int64_t wall_ms);
bool room_set_text(char **text, struct slice value);

/* room_reveal.c */
void room_reveal(struct room *r, int64_t wall_ms);
void room_hide(struct room *r);
/* Begin the next round on the story (""), all votes taken back; what it ended can be undone. */
void room_next_round(struct room *r, const char *story_id, int64_t wall_ms);
void room_stop_countdown(struct room *r);
/* After every change: begin the countdown, or reveal, if everybody has voted. */
void room_settle_reveal(struct room *r, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);
/* Write the round that lies open into the history as the table stands, anew if it is there. */
void room_record_round(struct room *r, int64_t wall_ms);
/* A vote has changed the open round: record it within ROUND_LATE_MS. */
void room_round_changed(struct room *r, int64_t mono_ms);
/* Record now what votes have changed, before something else changes what they say. */
void room_settle_round(struct room *r);
/* After cards may have come back into an open round: it is written again where it lacks one that lies on the table now. */
void room_check_round(struct room *r, int64_t mono_ms);
/* Those too many or too large together go, the oldest first. */
void room_trim_rounds(struct room *r);
/* Views that are in the table and not of the last rounds leave memory. The commits of all marks that were cleared are durable. */
void room_forget_views(struct room *r);
void past_round_free(struct past_round *p);
struct past_round *room_past_round(struct room *r, int64_t n); /* NULL: there is none */
/* The SK that a round has. */
#define ROUND_SK_BYTES_MAX 32
size_t round_sk_of(int64_t n, char out[ROUND_SK_BYTES_MAX]);
/* Take back the way back: the next reset is the first that can be undone. */
void room_forget_undo(struct room *r);
void room_count_story_rounds(struct room *r);
void room_tick_play(struct room *r, int64_t mono_ms, int64_t wall_ms);
bool room_vote_counts(const struct room *r, const struct seat *seat);
enum fault_code on_set_revealed(struct room *r, struct room_call *c);
enum fault_code on_reset(struct room *r, struct room_call *c);
enum fault_code on_undo_reset(struct room *r, struct room_call *c);
enum fault_code on_settle(struct room *r, struct room_call *c);
enum fault_code on_round_list(struct room *r, struct room_call *c);
enum fault_code on_reveal_cancel(struct room *r, struct room_call *c);
enum fault_code on_reveal_arm(struct room *r, struct room_call *c);
enum fault_code on_timer_start(struct room *r, struct room_call *c);
enum fault_code on_timer_stop(struct room *r, struct room_call *c);

/* room_result.c: what the votes on the table say, or said when that was fixed; lists in the arena. False when memory is out. */
bool room_result_of(const struct room *r, struct arena *arena, struct room_result *out);
/* From its reveal on the result of a round without names is fixed: nobody who leaves, or votes late, shows by it what their card is. */
void room_fix_result(struct room *r);
void fixed_result_clear(struct fixed_result *result);
/* The bytes of a record room_result. False when memory is out. */
bool fixed_result_set(struct fixed_result *result, struct slice bytes);

/* room_stories.c */
struct story *room_story(struct room *r, struct slice story_id);
void room_story_changed(struct room *r, struct story *s);
/* Another status; marks it where it is another. */
void room_story_set_status(struct room *r, struct story *s, enum story_status status);
/* Another estimate, or none. False when memory is out, nothing changed. */
bool room_story_set_estimate(struct room *r, struct story *s, struct slice estimate);
/* Put a story that was read or made into the list where its rank says. */
void room_story_insert(struct room *r, struct story *s);
enum fault_code on_story_add(struct room *r, struct room_call *c);
enum fault_code on_story_update(struct room *r, struct room_call *c);
enum fault_code on_story_move(struct room *r, struct room_call *c);
enum fault_code on_story_remove(struct room *r, struct room_call *c);
enum fault_code on_story_restore(struct room *r, struct room_call *c);
enum fault_code on_story_select(struct room *r, struct room_call *c);
enum fault_code on_story_next(struct room *r, struct room_call *c);
enum fault_code on_story_list(struct room *r, struct room_call *c);

/* room_story_text.c */
void story_destroy(struct story *s);
size_t story_bytes(const struct story *s);
void room_view_story(const struct story *s, struct story_view *out);
/* The fields of story.add and story.update; with_... says which are given. */
struct story_text {
	bool with_title, with_link, with_notes, with_estimate, with_status;
	struct slice title, link, notes, estimate;
	enum story_status status;
};
/* All or nothing; false when memory is out. */
bool story_text_apply(struct story *s, const struct story_text *t);
/* Whether the text fits in place of the story's own; s is NULL for a new one. */
enum fault_code room_check_story_fits(const struct room *r, struct room_call *c, const struct story *s,
				      const struct story_text *t);

/* room_policy.c */
void policy_defaults(struct policy *p);
void policy_view_of(const struct policy *p, struct policy_view *out);
enum fault_code on_set_policy(struct room *r, struct room_call *c);
/* Out of the lobby, if the seat is in it. */
void room_let_in(struct room *r, struct seat *seat);
enum fault_code on_admit(struct room *r, struct room_call *c);
enum fault_code on_reject(struct room *r, struct room_call *c);

/* room_signals.c */
/* Say a notification once, to one seat or (NULL) to all. False when memory is out. */
bool room_notify(struct room *r, const struct seat *seat, enum notice notice, const void *params);
enum fault_code on_nudge(struct room *r, struct room_call *c);
enum fault_code on_react(struct room *r, struct room_call *c);

/* shared_data_methods.c, room_presence.c */
enum fault_code room_data_call(struct room *r, struct room_call *c);
enum fault_code room_presence_call(struct room *r, struct room_call *c);
/* The set that params.name names; NULL with *c->fault NOT_FOUND. */
struct data_set *room_data_find(struct room *r, struct room_call *c, enum data_kind kind, struct slice name);
enum fault_code room_data_create(struct room *r, struct room_call *c, enum data_kind kind);
enum fault_code room_data_delete(struct room *r, struct room_call *c, enum data_kind kind);
/* shared_data_value.c: `replaced` is the length of the value it replaces; 0 for a new entry. */
enum fault_code room_data_check_value(const struct room *r, struct room_call *c, struct slice value, size_t replaced);
/* Say a change in a frame of its own: one entry, or with NULL the set. */
void room_emit_data(struct room *r, const struct data_set *set, const struct data_entry_state *e, bool with_value,
		    bool is_gone, uint64_t author);
void data_frame_destroy(struct data_frame *f);
void room_free_data_frames(struct room *r);
void room_tick_presence(struct room *r, int64_t mono_ms, const int64_t *limits);
int64_t room_presence_deadline(const struct room *r);
/* Somebody went: look whose presence ends with it. */
void room_presence_detached(struct room *r, int64_t mono_ms, const int64_t *limits);
/* The seat goes: what it was present with goes with the next look, though its key sit down anew before. */
void room_presence_gone(struct room *r, const struct seat *seat);
/* The seat is present nowhere any more. */
void room_presence_end(struct room *r, const struct seat *seat, int64_t mono_ms);
/* What room_write_delta() and the frames are chained by. */
void room_settle_version(struct room *r);

/* room_votes.c */
bool room_has_votes(const struct room *r);
/* The label of a seat's card. Its number is an index into the deck, and beyond that into the cards of earlier decks. */
struct slice room_card(const struct room *r, int card);
bool room_deck_has(const struct room *r, int card);
/* The card with that label; kept with those of earlier decks where the deck has none such. False when memory is out. */
bool room_read_card(struct room *r, struct slice label, int *card);
/* Whether everybody sees the cards, each with its name. */
bool room_shows_cards(const struct room *r);
/* Whether others see that the seat has a vote: an open one that the deck does not have has fallen away. */
bool room_shows_vote(const struct room *r, const struct seat *seat);
/* The cards are turned, or another deck lies under them: mark what others see of those that are there. */
void room_show_cards(struct room *r, unsigned fields);
enum fault_code on_vote(struct room *r, struct room_call *c);
enum fault_code on_set_valid_sizes(struct room *r, struct room_call *c);

/* room_hosts.c: the seat that params.user_id names; NULL with *c->fault NOT_FOUND. */
struct seat *room_find_user(struct room *r, struct room_call *c, struct slice user_id);
enum fault_code on_kick(struct room *r, struct room_call *c);
enum fault_code on_claim_host(struct room *r, struct room_call *c);
enum fault_code on_set_host(struct room *r, struct room_call *c);
enum fault_code on_unset_host(struct room *r, struct room_call *c);

/* room_barred.c: keys that a kick in a room with a lock or a passcode has barred. */
bool room_is_barred(const struct room *r, const struct key_text *key_hash);
/* Of a seat that is about to be removed. False when memory is out, nothing changed. */
bool room_bar(struct room *r, const struct seat *seat, int64_t wall_ms);
/* The key may come again; nothing where it is not barred. */
void room_unbar(struct room *r, const struct key_text *key_hash);
enum fault_code on_unkick(struct room *r, struct room_call *c);
/* For hosts; at most MAX_BARRED of them to out. */
size_t room_view_barred(const struct room *r, struct barred_view *out);
/* One that was read, or is new; the list owns it. */
void room_barred_insert(struct room *r, struct barred *b);
void barred_destroy(struct barred *b);
void room_free_barred(struct barred **list);

/* Cards and their labels into one block of memory, for free(out->items); false when memory is out. */
bool room_copy_deck(struct slices cards, struct slices *out);
void room_mark_seat(struct room *r, struct seat *seat);
/* Show these fields of it (enum seat_field) with the next update. */
void room_show_seat(struct room *r, struct seat *seat, unsigned fields);
void room_seat_changed(struct room *r, struct seat *seat, unsigned fields); /* store, show and tell */
/* After a change of what a seat is worth: see struct seat. Has it written if it is to be kept from now on. */
void room_keep_seat(struct room *r, struct seat *seat);
void room_changed(struct room *r);                         /* the room's own fields: store and show */
void room_seat_remove(struct room *r, struct seat *seat);
void room_clear_vote(struct room *r, struct seat *seat);
/* The same by the seat's own doing: the open round is not recorded first. */
void room_take_vote(struct room *r, struct seat *seat);
void last_vote_clear(struct last_vote *last);
void room_clear_name(struct room *r, struct seat *seat);
void room_set_host(struct room *r, struct seat *seat); /* NULL: nobody */
/* If the host has gone, the earliest joined voter who is here takes over. */
void room_settle_host(struct room *r, int64_t mono_ms, int64_t vote_grace_ms);
/* Has a host's rights: the host, or a co-host. */
bool seat_is_host(const struct room *r, const struct seat *seat);
/* Is the one host_user_id names. */
bool seat_is_main_host(const struct room *r, const struct seat *seat);
void room_set_cohost(struct room *r, struct seat *seat, bool is_cohost);

#endif
