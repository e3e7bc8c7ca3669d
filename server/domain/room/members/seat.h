/*
 * seat.h - a member's place in a room, kept under the hash of their user_key.
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
struct subscription;

#define CARD_NONE (-1)

/* What everybody sees of a seat, field by field: bits of seat->needs_update. An update contains those that changed. */
enum seat_field {
	SEAT_NAME = 1 << 0,
	SEAT_ROLE = 1 << 1,
	SEAT_IS_BOT = 1 << 2,
	SEAT_IS_CONNECTED = 1 << 3,
	SEAT_IS_HOST = 1 << 4,
	SEAT_IS_WAITING = 1 << 5,
	SEAT_HAS_VOTE = 1 << 6,
	SEAT_CARD = 1 << 7,       /* the card, comment, confidence and is_changed, as far as there are any: none was sent before */
	SEAT_CARD_ANEW = 1 << 8,  /* the same, and nil for what there is not (any more) */
	SEAT_IS_NEW = 1 << 9,     /* every field: nothing of the seat was sent before */
};

/*
 * A vote off the table: what a reset took and round.undo_reset brings back; or, while is_vote_aside, that of this round,
 * which the seat lays again when it votes again. Never both: who has voted since a reset has ended what it can bring back.
 */
struct last_vote {
	int card; /* of room_card(), or CARD_NONE */
	char *comment;
	int confidence;
	bool is_changed;
};

/*
 * Where a seat stands with the table; seat_move() of room.c is the only way from one to another.
 *
 *   TRANSIENT --worth keeping--> NEW --the unit of work--> STORED
 *       |goes                     |goes                      |goes
 *       v                         v                          v
 *    DROPPED                   REVOKED                    DELETED
 */
enum seat_state {
	SEAT_TRANSIENT, /* live only */
	SEAT_NEW,       /* this unit of work writes its first item: the room is new to its user */
	SEAT_STORED,    /* the table has its item; or has it next, by units of work that were taken */
	SEAT_DELETED,   /* gone from the room, and this unit of work deletes its item */
	SEAT_REVOKED,   /* likewise, within the one that was to write it: what was acknowledged in between needs a commit */
	SEAT_DROPPED,   /* gone from the room; there is no item */
};

/*
 * A member's place in a room. It is written to the table when it first holds something that a new seat of the same
 * key would not: a name, a login's user_id, a host's rights, or admission to a room that does not admit everybody.
 * From then on it is written with every change, and deleted with the seat. Until then it is live state without a
 * commit: a subscriber that only watches writes nothing.
 *
 * What a subscription promised holds without an item. The user_id is derived from the key and the room
 * (room_subscribe.c), so the same key is the same user after a crash, too; and a room that no longer admits everybody
 * (locked, with a passcode or a lobby) writes all its seats in the commit that closes it.
 *
 * The room owns it. Limits: LIMIT_ROOM_SEATS of a room, MAX_SEAT_CONNECTIONS on one.
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
	char *comment;                /* on the vote; NULL: none */
	int confidence;            /* 1 to 3; 0: none given */
	bool is_changed;           /* the vote was changed after the reveal */
	struct last_vote last;
	bool is_vote_aside;        /* it only watches, and had voted in this round: until a reveal or the next round */
	bool is_cohost;
	bool is_creator; /* has shown the host_key on this seat; for good */
	bool is_owner;   /* may lead as an owner of the room's group, when that was last looked at; live, for show */
	bool is_waiting; /* in the lobby */
	unsigned connections;      /* live, never on disk */
	int64_t disconnected_mono; /* since when there is none */
	int64_t nudged_mono;       /* 0: never */
	int64_t reactions_us;      /* as a bucket of the core: when it would be drained */
	struct subscription *subscriptions;     /* the core's list of the subscriptions on this seat; the domain never reads it */

	enum seat_state state; /* from DELETED on: in room->gone, and nowhere else */

	/* What room_clear_marks() clears. */
	bool needs_write;  /* it changed; the item is written where seat_is_kept() */
	unsigned needs_update; /* enum seat_field: what everybody sees of it that changed */
	bool needs_you; /* what it alone may know changed: room.you is to be sent */
	bool is_kicked; /* its subscriptions are to be ended, with a notification */
	char *kicked_by; /* the name of who did it; NULL: nobody with a name */
	bool is_marked; /* in room->marked */

	struct seat *next_marked;
	struct seat *next, *prev; /* in the order in which they were made */
	UT_hash_handle hh;        /* by key_hash.text */
};

/* The table has an item of the seat, or will have with this unit of work. */
static inline bool seat_is_kept(const struct seat *seat)
{
	return seat->state == SEAT_NEW || seat->state == SEAT_STORED;
}

/* It is gone, and its item is deleted. */
static inline bool seat_is_deleted(const struct seat *seat)
{
	return seat->state == SEAT_DELETED || seat->state == SEAT_REVOKED;
}

/* ---- room.c ---- */

struct seat *room_seat_by_id(struct room *r, struct slice user_id);
/* A new seat without a name; the room's limit is the caller's to check. NULL when memory is out. */
struct seat *room_seat_add(struct room *r, const struct key_text *key_hash, struct slice user_id, int64_t wall_ms,
			   int64_t mono_ms);
/* In a full room a seat without a connection makes place where it holds nothing that its key alone would not bring. */
void room_clear_place(struct room *r);

void room_mark_seat(struct room *r, struct seat *seat);
/* Have it written, where it is kept; what changed is shown to nobody. */
void room_store_seat(struct room *r, struct seat *seat);
/* Send these fields of the seat (enum seat_field) with the next update. */
void room_show_seat(struct room *r, struct seat *seat, unsigned fields);
void room_seat_changed(struct room *r, struct seat *seat, unsigned fields); /* needs_write, needs_update and needs_you */
/* After a change of what a seat is worth: see struct seat. Has it written if it is to be kept from now on. */
void room_keep_seat(struct room *r, struct seat *seat);
void room_seat_remove(struct room *r, struct seat *seat);
void room_clear_vote(struct room *r, struct seat *seat);
void last_vote_clear(struct last_vote *last);
/* Take the vote off the table and keep it as the seat's last one. */
void room_put_vote_aside(struct room *r, struct seat *seat);
/* The other way; in a revealed round see room_check_round(). */
void room_lay_vote_again(struct room *r, struct seat *seat, int64_t wall_ms);
/* None comes back: they were laid for a round that is revealed without them, or under another policy. */
void room_forget_votes_aside(struct room *r);
void room_clear_name(struct room *r, struct seat *seat);
void room_set_host(struct room *r, struct seat *seat); /* NULL: nobody */
/* If the host has gone, the earliest joined voter with a connection takes over. */
void room_settle_host(struct room *r, int64_t mono_ms, int64_t vote_grace_ms);
/* Others see who is host, and the seat itself is sent its rights. NULL is fine. */
void room_show_host(struct room *r, struct seat *seat);
/* Has a host's rights: the host, or a co-host. */
bool seat_is_host(const struct room *r, const struct seat *seat);
/* The same, or it may lead as an owner of the room's group: what others see. */
bool seat_shows_host(const struct room *r, const struct seat *seat);
/* Is the one host_user_id names. */
bool seat_is_main_host(const struct room *r, const struct seat *seat);
void room_set_cohost(struct room *r, struct seat *seat, bool is_cohost);
/* Keep the name of the caller who removes the seat. False when memory is out, nothing changed. */
bool room_note_kick(struct seat *seat, const struct room_call *c);
/* The host_key was shown on the seat: who sits there is the creator, and co-hosts do not remove them. */
void room_set_creator(struct room *r, struct seat *seat);

/* room_grace.c */
/* A connection has subscribed on the seat. Raise the version with room_end_change(). */
void room_attach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t vote_grace_ms);
/* A seat that had a connection has none any more, or is gone with those it had. */
void room_lose_connected(struct room *r);

/* The first seat that presents the host_key becomes host in place of the one that stood in. */
void room_offer_host(struct room *r, struct seat *seat);

/* The seat that params.user_id names; NULL with *c->fault NOT_FOUND. */
struct seat *room_find_user(struct room *r, struct room_call *c, struct slice user_id);

/* ---- room_names.c ---- */

/*
 * The name that the seat `own` gets where it wants that one: clean, and in the arena or borrowed from the arguments. Where
 * another member's name is the same, with the next free number behind it. UNAVAILABLE: memory is out.
 */
enum fault_code room_free_name(const struct room *r, struct room_call *c, const struct seat *own, struct slice wanted,
			       struct slice *out);

/* ---- room_policy.c: the lobby, and strangers ---- */

/* Take the seat out of the lobby, if it waits there. */
void room_let_in(struct room *r, struct seat *seat);

/* What a caller who has no seat yet has to show. */
struct room_entrant {
	bool has_host_key; /* which admits under any policy */
	bool is_member;    /* of the room's group: as with the passcode */
	struct slice passcode;
};
/* Whether a stranger may take a seat or read the room: FAULT_NONE, or *fault is the refusal. */
enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key, const struct room_entrant *who,
			     struct fault *fault);

/* ---- room_group.c: rooms of a group ---- */

/* The caller is in the room's group. */
bool room_is_of_member(const struct room *r, const struct room_facts *facts);
/* The caller is an owner of the room's group, and has a co-host's rights. */
bool room_is_led_by(const struct room *r, const struct room_facts *facts);

/* ---- room_barred.c: keys that a kick in a room with a lock or a passcode has barred ---- */

/* A user_key that a kick has barred: see room_barred.c. */
struct barred {
	struct key_text key_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char *username; /* NULL: none */
	int64_t created_on;
	bool needs_write;
	struct barred *next, *prev; /* the oldest first */
};

/* Of a seat that is about to be removed. False when memory is out, nothing changed. */
bool room_bar(struct room *r, const struct seat *seat, int64_t wall_ms);
/* The key may take a seat again; nothing happens where it is not barred. */
void room_unbar(struct room *r, const struct key_text *key_hash);
/* The list for hosts; at most MAX_BARRED to out, which borrows from the room. */
size_t room_view_barred(const struct room *r, struct barred_view *out);
/* Append a key that was read or is new; the list owns it. */
void room_barred_insert(struct room *r, struct barred *b);
void barred_destroy(struct barred *b);
void room_free_barred(struct barred **list);

#endif
