/*
 * room_state.h - the state of a room, for the files of this directory: its fields, and the marks
 * of what changed.
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_STATE_H
#define SERVER_DOMAIN_ROOM_ROOM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records/policy.h"
#include "server/domain/base/idempotency.h"
#include "server/domain/base/machine.h"
#include "server/domain/room/data/shared_data.h"
#include "server/domain/room/members/seat.h"
#include "server/domain/room/room.h"
#include "server/domain/room/room_due.h"
#include "server/domain/room/room_fields.h"
#include "server/domain/room/room_handlers.h"
#include "server/domain/room/rounds/round.h"

struct room {
	const struct machine_trace *trace; /* borrowed; may be NULL */
	ROOM_FIELDS(ROOM_FIELD_MEMBER) /* described in room_fields.h */
	char room_id[CODE_CHARS_MAX + 1];
	int64_t epoch;
	int64_t version;       /* counts every change */
	int64_t shown_version; /* version of the last delta */
	int64_t created_on;
	int64_t warned_for; /* the expires_at that the last warning was about */
	int64_t warned_ms;  /* how long before it that warning was */
	int64_t expires_at; /* wall ms, as in the table now or after the next write */
	struct key_text host_key_hash;
	char host_user_id[CODE_CHARS_MAX + 1]; /* "": there is no host */
	/* as shown, not stored: who stands in for a host who is away, and when, wall ms; "", 0: nobody would */
	char next_host_id[CODE_CHARS_MAX + 1];
	int64_t next_host_at;
	/* from when a seat was lost, on the monotonic clock, to when its vote_grace_ms ends, on the wall clock */
	int64_t grace_ahead;
	/* until then the room waits for its creator, and nobody else becomes host */
	int64_t maker_due_mono;
	char *title; /* NULL: none */
	char *link_template; /* likewise */
	struct slices deck; /* one block of memory, cards and their labels */
	struct slices reactions; /* likewise: offered to all; empty: the usual six */
	struct slices old_cards; /* likewise: cards of earlier decks that are still in a vote */
	int64_t story_round; /* how many rounds this story has had, this one included */
	/*
	 * utlist: revealed cards of members who left, so that all cards of the reveal are still
	 * shown
	 */
	struct left_vote *left;
	size_t left_n;
	/* while a round without names is revealed: its result at the reveal */
	struct fixed_result result;
	/*
	 * when the timer ends, unaffected by changes of the wall clock; 0 until the first tick
	 * after a load
	 */
	int64_t timer_mono;
	struct undo undo;
	struct policy policy;
	struct key_text passcode_hash; /* if the policy has_passcode */

	/*
	 * The countdown is not stored: after a restart it starts again if everyone has still
	 * voted.
	 */
	int64_t countdown_mono; /* when it ends; 0: no countdown */
	int64_t countdown_ends_at;
	int64_t countdown_token;

	struct story *stories; /* utlist */
	size_t stories_n;
	size_t stories_bytes;
	size_t story_votes_n;     /* votes on stories that are not at the table */
	size_t story_votes_bytes; /* of the comments on them, and of what was revealed of them */
	size_t revealed_stories_n; /* stories with revealed votes that are not at the table */
	struct past_round *rounds; /* utlist: all rounds, most of them without their view */
	size_t rounds_n;
	size_t rounds_bytes; /* of all views, in memory or not */
	int64_t round_due_mono; /* when the revealed round is recorded again after late votes */

	struct seat *by_key; /* uthash */
	struct seat *seats;  /* utlist */
	size_t seats_n;
	size_t kept_n;      /* seats that seat_is_kept() */
	size_t connected_n; /* seats with a connection */
	struct barred *barred; /* utlist */
	size_t barred_n;
	struct idempotency_table once;
	struct data_store data;

	int64_t most_bytes; /* largest size since the room was loaded: room_growth.c */
	int64_t items_stored; /* the item count in the ROOM item; 0: it has none yet */
	int64_t open_stored;  /* its number of open stories */
	int64_t waits_until;  /* the deadline, as the directory was told: room_waiting.c */
	uint64_t stored_version; /* the store's version of the ROOM item; 0: not stored yet */

	/* marks */
	bool is_expired; /* is_deleted because the room has expired */
	bool is_deleted; /* all items of the partition are to be deleted */
	bool needs_write;   /* the ROOM item */
	bool needs_update;    /* the room's own fields */
	/*
	 * user_id of the caller whose request changed what everyone sees; "": no caller, or one
	 * without a seat
	 */
	char by[CODE_CHARS_MAX + 1];
	bool is_by_several;   /* several callers have changed it, or one without a seat */
	/* all votes were cleared, before the changes that the seats' marks describe */
	bool votes_cleared;
	/* some of `left` that were shown have been removed: the update lists the rest */
	bool left_cleared;
	bool is_short_of_memory; /* a change could not be recorded: the unit of work must fail */
	bool is_touched; /* something changed since the version was last raised */
	bool stories_marked; /* some story is needs_write */
	bool story_votes_marked; /* some story is votes_marked or revealed_marked */
	bool rounds_marked;  /* some round is needs_write */
	bool barred_marked;  /* some barred key is needs_write */
	struct barred *gone_barred; /* their items are to be deleted */
	struct past_round *gone_rounds;
	struct data_frame *data_frames; /* in the order they happened */
	/* a data frame was sent with a later version than a change that is still to be sent */
	bool owes_delta;
	struct room_notification *notifications; /* the last one first */
	struct seat *marked;
	/* removed seats, until that is written and sent; linked by next_marked */
	struct seat *gone;

	/* the first deadline of a story; INT64_MAX: none, 0: they are looked through at the next tick */
	int64_t story_ends_mono;
	int64_t next_grace_mono; /* when the first grace period of a seat ends; INT64_MAX: none */
};

/*
 * Create a room in its first round, marked for writing; the caller sets the rest. NULL when
 * memory is out.
 *
 * @room_id  normalised; copied.
 * @title    clean, empty: none; copied.
 * @deck     clean; copied.
 */
struct room *room_create(const char *room_id, struct slice title, struct slices deck, int64_t wall_ms);

/* ---- for all handlers: room_dispatch.c ---- */

enum fault_code room_out_of_memory(struct room_call *c);
/*
 * Check RIGHT_DELETE_DATA on shared data created by the user made_by; "" if the creator is not
 * known.
 */
enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by);
/*
 * Replace a string; an empty one is stored as NULL. Returns false if memory is out, and changes
 * nothing.
 */
bool room_set_text(char **text, struct slice value);
/*
 * Copy a list and its texts into one block of memory, for free(out->items). Returns false if
 * memory is out.
 */
bool room_copy_texts(struct slices texts, struct slices *out);
/*
 * Start a timer, in place of one that runs, and keep the room until its end and its life beyond.
 * @seconds  at least 1. @reveals  whether it reveals the cards at its end. In room_reveal.c.
 */
void room_start_timer(struct room *r, const struct room_call *c, int64_t seconds, bool reveals);

/* ---- marks: room.c ---- */

/* Return the number of items of the partition, as counted in the ROOM item (items.h). */
int64_t room_count_items(const struct room *r);
/* Return how many stories are open together; 0 without the rule. */
int64_t room_count_open(const struct room *r);
/* Add to *out that the directory must look for people whose votes are awaited. ERR_NOMEM. */
NODISCARD enum err room_follows_waiting(const struct room *r, struct arena *arena, struct room_follow **out);
/* Mark the room's own fields as changed: needs_write and needs_update. */
void room_changed(struct room *r);
/* Append a room.update to out (sticky error); in room_view.c. */
void room_write_update(const struct room_update *u, struct buf *out);

/* ---- growth: room_growth.c ---- */

/*
 * Check whether the caller may make the room grow by so many bytes; if not, RATE_LIMITED with
 * retry_after_ms. Called before anything changes, only by requests that add stories, shared data
 * or a round.
 */
enum fault_code room_check_growth(const struct room *r, struct room_call *c, size_t bytes);

/* ---- life: room_expiry.c ---- */

/* Return how long the room lives after its last change or member. */
int64_t room_life_ms(const struct room *r, const int64_t *limits);
/*
 * Extend the room's life after a change, or while a member is connected. Written at most once a
 * minute.
 */
void room_extend(struct room *r, int64_t wall_ms, int64_t life_ms);
/* Delete the room with all its items. */
void room_delete(struct room *r);

/* ---- room_group.c ---- */

/*
 * Add a follow-up with the key "{room_id}#{rest}", in the arena, to the front of *out. ERR_NOMEM.
 */
NODISCARD enum err room_add_follow(const struct room *r, enum room_follow_kind kind, struct slice rest,
				   struct arena *arena, struct room_follow **out);

/* ---- room_signals.c ---- */

/*
 * Queue a transient notification for one seat, or for all (NULL). Returns false if memory is out.
 */
bool room_notify(struct room *r, const struct seat *seat, enum notice notice, const void *params);

#endif
