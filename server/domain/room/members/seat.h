/*
 * seat.h - a seat: a member's place in a room, identified by the hash of their user_key.
 */
#ifndef SERVER_DOMAIN_ROOM_MEMBERS_SEAT_H
#define SERVER_DOMAIN_ROOM_MEMBERS_SEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/room_code.h"
#include "proto/records/records.h"
#include "server/domain/base/uthash_config.h"

struct room;
struct room_call;
struct room_facts;
struct story_vote;
struct subscription;

#define CARD_NONE (-1)

/*
 * The fields of a seat that everyone sees: bits of seat->needs_update. An update contains those
 * that changed.
 */
enum seat_field {
	SEAT_NAME = 1 << 0,
	SEAT_ROLE = 1 << 1,
	SEAT_IS_BOT = 1 << 2,
	SEAT_IS_CONNECTED = 1 << 3,
	SEAT_IS_HOST = 1 << 4,
	SEAT_IS_WAITING = 1 << 5,
	SEAT_HAS_VOTE = 1 << 6,
	/* the card, comment, confidence and is_changed, as far as set: nothing was sent before */
	SEAT_CARD = 1 << 7,
	SEAT_CARD_ANEW = 1 << 8,  /* the same, with nil for those that are not set (any more) */
	SEAT_IS_NEW = 1 << 9,     /* all fields: nothing of the seat was sent before */
	SEAT_STORIES_VOTED = 1 << 10,
};

/*
 * A vote that does not count now: either the one that a reset cleared and round.undo_reset
 * restores, or, while is_vote_aside, the one of this round, which is restored when the seat
 * becomes a voter again. Never both: a vote cast after a reset ends what the reset can restore.
 */
struct last_vote {
	int card; /* a card number of room_card(), or CARD_NONE */
	char *comment;
	int confidence;
	bool is_changed;
};

/*
 * How a seat relates to its item in the table; only seat_move() of room.c changes the state.
 *
 *   TRANSIENT --worth keeping--> NEW --unit of work--> STORED
 *       |removed                  |removed               |removed
 *       v                         v                      v
 *    DROPPED                   REVOKED                DELETED
 */
enum seat_state {
	SEAT_TRANSIENT, /* only in memory */
	SEAT_NEW, /* this unit of work writes its first item, and the room is new to its user */
	/* the table has its item, or will have it after units of work that were already taken */
	SEAT_STORED,
	SEAT_DELETED,   /* removed from the room; this unit of work deletes its item */
	/*
	 * Likewise, in the same unit of work that would have written it: what was acknowledged in
	 * between needs a commit.
	 */
	SEAT_REVOKED,
	SEAT_DROPPED,   /* removed from the room; it has no item */
};

/*
 * A member's place in a room. It is written to the table when it first holds something that a new
 * seat with the same key would not have: a name, the user_id of a login, host rights, or
 * admission to a room that does not admit everyone. From then on it is written with every change,
 * and deleted with the seat. Before that it exists only in memory, without a commit: a subscriber
 * who only watches writes nothing.
 *
 * What a subscription promises is kept without an item. The user_id is derived from the key and
 * the room (room_subscribe.c), so the same key is the same user after a crash as well; and a room
 * that stops admitting everyone (lock, passcode or lobby) writes all its seats in the commit that
 * closes it.
 *
 * The room owns the seat. Limits: LIMIT_ROOM_SEATS per room, MAX_SEAT_CONNECTIONS per seat.
 */
struct seat {
	struct key_text key_hash; /* keyed hash of the user_key; part of the item's key */
	char user_id[CODE_CHARS_MAX + 1];
	bool is_account; /* user_id is that of a login, which owns the seat */
	char *username; /* cleaned; NULL while the seat has no name */
	int card;       /* a card number of room_card(), or CARD_NONE */
	enum seat_role role;
	bool is_bot;
	int64_t created_on;
	int64_t joined_at;         /* 0 without a name */
	char *comment;                /* comment on the vote; NULL: none */
	int confidence;            /* 1 to 3; 0: none given */
	bool is_changed;           /* the vote was changed after the reveal */
	int64_t keep_seconds;      /* as sent with the vote: how long it is kept without a connection; 0: not sent */
	struct last_vote last;
	struct story_vote *story_votes; /* utlist: votes on stories that are not at the table */
	struct story_vote *gone_votes;  /* utlist: those that ended, until the marks are cleared */
	size_t gone_votes_n;
	size_t story_votes_n;
	size_t story_comments_bytes;    /* of the comments on them */
	/* a spectator who had voted in this round; until a reveal or the next round */
	bool is_vote_aside;
	bool is_cohost;
	bool is_creator; /* has presented the host_key on this seat; permanent */
	/*
	 * may lead as an owner of the room's group, when last checked; not stored, for display
	 * only
	 */
	bool is_owner;
	bool is_waiting; /* in the lobby */
	/* not stored: came back and is host again, and has been connected since */
	bool is_host_again;
	unsigned connections;      /* not stored */
	/* not stored: one of them has cast a vote that is to be kept, and is expected to go */
	bool is_passing;
	int64_t disconnected_mono; /* since when there are none; what is done with its key starts it anew */
	/* not stored: since when there are none, wall ms, as shown; 0: there are, or not since the room was loaded */
	int64_t away_since;
	int64_t nudged_mono;       /* 0: never */
	/* rate of reactions: when the bucket would be drained, as in the core */
	int64_t reactions_us;
	/* The core's list of the subscriptions on this seat; the domain never reads it. */
	struct subscription *subscriptions;

	enum seat_state state; /* from DELETED on: the seat is only in room->gone */

	/* The marks that room_clear_marks() clears. */
	bool needs_write;  /* it changed; its item is written if seat_is_kept() */
	unsigned needs_update; /* enum seat_field: changed fields that everyone sees */
	bool needs_you; /* something that only this seat may know changed: send room.you */
	bool needs_all_votes; /* with all of story_votes */
	bool is_kicked; /* its subscriptions must end, with a notification */
	/* name of the member who removed it; NULL: a member without a name, or nobody */
	char *kicked_by;
	bool is_marked; /* in room->marked */

	struct seat *next_marked;
	struct seat *next, *prev; /* in the order of creation */
	UT_hash_handle hh;        /* by key_hash.text */
};

/* Return whether the table has an item of the seat, or will have one after this unit of work. */
static inline bool seat_is_kept(const struct seat *seat)
{
	return seat->state == SEAT_NEW || seat->state == SEAT_STORED;
}

/* Return whether the seat is removed and its item is to be deleted. */
static inline bool seat_is_deleted(const struct seat *seat)
{
	return seat->state == SEAT_DELETED || seat->state == SEAT_REVOKED;
}

/* ---- room.c ---- */

struct seat *room_seat_by_id(const struct room *r, struct slice user_id);
/* Add a seat without a name; the caller checks the room's limit. NULL if memory is out. */
struct seat *room_seat_add(struct room *r, const struct key_text *key_hash, struct slice user_id, int64_t wall_ms,
			   int64_t mono_ms);
/*
 * In a full room, remove a seat without a connection that holds nothing its key alone would not
 * restore.
 */
void room_clear_place(struct room *r);

void room_mark_seat(struct room *r, struct seat *seat);
/* Mark the seat's item to be written, if it is kept, without an update for others. */
void room_store_seat(struct room *r, struct seat *seat);
/* Mark these fields (enum seat_field) for the next update. */
void room_show_seat(struct room *r, struct seat *seat, unsigned fields);
/* Send room.you to the seat with the next unit of work. */
void room_tell(struct room *r, struct seat *seat);
/* sets needs_write, needs_update and needs_you */
void room_seat_changed(struct room *r, struct seat *seat, unsigned fields);
/*
 * Call after a change that may make a seat worth keeping (see struct seat): its item is written
 * if it is to be kept from now on.
 */
void room_keep_seat(struct room *r, struct seat *seat);
void room_seat_remove(struct room *r, struct seat *seat);
void room_clear_vote(struct room *r, struct seat *seat);
/* Take the card off the table, wherever else it is kept from now on. */
void room_drop_card(struct room *r, struct seat *seat);
void last_vote_clear(struct last_vote *last);
/* Clear the vote and keep it as the seat's last vote. */
void room_put_vote_aside(struct room *r, struct seat *seat);
/* Restore that vote; in a revealed round see room_check_round(). */
void room_lay_vote_again(struct room *r, struct seat *seat);
/*
 * Discard the votes set aside: the round was revealed without them, or they were cast under
 * another policy.
 */
void room_forget_votes_aside(struct room *r);
void room_clear_name(struct room *r, struct seat *seat);
/* Somebody with the right to has decided who is host: the place is kept for nobody else. */
void room_set_host(struct room *r, struct seat *seat);
/* The seat is losing its name, or is removed: if it was the host, there is none, and its place is kept. */
void room_host_goes(struct room *r, const struct seat *seat);
/* Make the seat host again if its place was kept and it is here: connected, with a name, and not in the lobby. */
void room_host_returns(struct room *r, struct seat *seat);
/* This user's place is not kept: their seat was removed by others, or given up. */
void room_forget_host(struct room *r, struct slice user_id);
/* If the host has left, the connected voter who joined first stands in. */
void room_settle_host(struct room *r, int64_t mono_ms, int64_t vote_grace_ms);
/* Note how far the wall clock is ahead of the monotonic one: others are told when a grace ends. */
void room_note_clocks(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms);
/* Show who stands in next for a host who is away, and when. At the end of each change. */
void room_show_next_host(struct room *r);
/* Send the host role of the seat to others, and its rights to the seat. The seat may be NULL. */
void room_show_host(struct room *r, struct seat *seat);
/* Return whether the seat has host rights, as the host or a co-host. */
bool seat_is_host(const struct room *r, const struct seat *seat);
/* The same, or whether it may lead as an owner of the room's group: what others see. */
bool seat_shows_host(const struct room *r, const struct seat *seat);
/* Return whether the seat is the one in host_user_id. */
bool seat_is_main_host(const struct room *r, const struct seat *seat);
void room_set_cohost(struct room *r, struct seat *seat, bool is_cohost);
/*
 * Record the name of the caller who removes the seat. Returns false if memory is out, and changes
 * nothing.
 */
bool room_note_kick(struct seat *seat, const struct room_call *c);
/*
 * The host_key was presented on the seat: its member is the creator, whom co-hosts cannot remove.
 */
void room_set_creator(struct room *r, struct seat *seat);

/* room_grace.c */
/* A connection has subscribed on the seat. Raise the version with room_end_change(). */
void room_attach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t vote_grace_ms);
/* Look at all graces in this turn: what kept a seat without a connection may be over. */
void room_check_graces(struct room *r);
/* A seat has lost its last connection, or was removed while it had some. */
void room_lose_connected(struct room *r);

/* Make the first seat that presents the host_key the host, in place of a substitute. */
void room_offer_host(struct room *r, struct seat *seat);

/* Return the seat of params.user_id; NULL with *c->fault NOT_FOUND. */
struct seat *room_find_user(struct room *r, struct room_call *c, struct slice user_id);

/* ---- room_names.c ---- */

/*
 * Find the name that the seat `own` gets if it wants `wanted`: cleaned, in the arena or borrowed
 * from the arguments. If another member has the same name, the next free number is appended.
 * UNAVAILABLE: memory is out.
 */
enum fault_code room_free_name(const struct room *r, struct room_call *c, const struct seat *own, struct slice wanted,
			       struct slice *out);

/* ---- room_policy.c: the lobby, and strangers ---- */

/* Admit the seat from the lobby, if it waits there. */
void room_let_in(struct room *r, struct seat *seat);

/* What a caller without a seat presents. */
struct room_entrant {
	bool has_host_key; /* sufficient under any policy */
	bool is_member;    /* a member of the room's group: treated as if the passcode was sent */
	struct slice passcode;
};
/*
 * Return whether a stranger may take a seat or read the room: FAULT_NONE, or *fault is the
 * refusal.
 */
enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key, const struct room_entrant *who,
			     struct fault *fault);

/* ---- room_group.c: rooms of a group ---- */

/* Return whether the caller is in the room's group. */
bool room_is_of_member(const struct room *r, const struct room_facts *facts);
/* Return whether the caller is an owner of the room's group, who has a co-host's rights. */
bool room_is_led_by(const struct room *r, const struct room_facts *facts);

/* ---- room_barred.c: keys banned by a kick from a room with a lock or a passcode ---- */

/* A banned user_key: see room_barred.c. */
struct barred {
	struct key_text key_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char *username; /* NULL: none */
	int64_t created_on;
	bool needs_write;
	struct barred *next, *prev; /* the oldest first */
};

/*
 * Ban the key of a seat that is about to be removed. Returns false if memory is out, and changes
 * nothing.
 */
bool room_bar(struct room *r, const struct seat *seat, int64_t wall_ms);
/* Unban the key; it need not be banned. */
void room_unbar(struct room *r, const struct key_text *key_hash);
/*
 * Write the list for hosts to out, at most MAX_BARRED entries, which borrow from the room.
 * Returns their number.
 */
size_t room_view_barred(const struct room *r, struct barred_view *out);
/* Append a banned key; the list owns it. */
void room_barred_insert(struct room *r, struct barred *b);
void barred_destroy(struct barred *b);
void room_free_barred(struct barred **list);

#endif
