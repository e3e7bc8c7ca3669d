/*
 * room_state.h - a room as the files of this directory have it: its state, and the marks of what changed.
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
#include "server/domain/room/rounds/story.h"

struct room {
	const struct machine_trace *trace; /* borrowed; may be NULL */
	ROOM_FIELDS(ROOM_FIELD_MEMBER) /* room_fields.h has the meanings */
	char room_id[CODE_CHARS_MAX + 1];
	int64_t epoch;
	int64_t version;       /* counts every change */
	int64_t shown_version; /* what the last delta brought */
	int64_t created_on;
	int64_t warned_for; /* which expires_at the last warning was about, and */
	int64_t warned_ms;  /* how long before it, the last time */
	int64_t expires_at; /* wall ms, as it is or will be in the table */
	struct key_text host_key_hash;
	char host_user_id[CODE_CHARS_MAX + 1]; /* "" where nobody is */
	int64_t maker_due_mono; /* until then the room waits for its maker, and nobody stands in */
	char *title; /* NULL without one */
	char *link_template; /* likewise */
	struct slices deck; /* one block of memory, cards and their labels */
	struct slices old_cards; /* likewise: cards of earlier decks that votes still have */
	int64_t story_round; /* how many times this story has been voted on, with this round */
	struct left_vote *left; /* utlist: with them the open cards are those that were turned over */
	size_t left_n;
	struct fixed_result result; /* while a round without names is revealed: the result at its reveal */
	int64_t timer_mono;    /* when it really ends: a clock that is set changes no timer; 0 until the first tick after a load */
	struct undo undo;
	struct policy policy;
	struct key_text passcode_hash; /* where the policy has_passcode */

	/* The countdown is live state: after a restart it begins anew if everybody has still voted. */
	int64_t countdown_mono; /* when it ends; 0: none runs */
	int64_t countdown_ends_at;
	int64_t countdown_token;

	struct story *stories; /* utlist */
	size_t stories_n;
	size_t stories_bytes;
	struct past_round *rounds; /* utlist: all there are, though most of them without their view */
	size_t rounds_n;
	size_t rounds_bytes; /* of all views, in memory or not */
	int64_t round_due_mono; /* when it is recorded then */

	struct seat *by_key; /* uthash */
	struct seat *seats;  /* utlist */
	size_t seats_n;
	size_t kept_n;      /* seats that seat_is_kept() */
	size_t connected_n; /* seats with a connection */
	struct barred *barred; /* utlist */
	size_t barred_n;
	struct idempotency_table once;
	struct data_store data;

	int64_t most_bytes; /* that it has held since it was loaded: room_growth.c */
	int64_t items_stored; /* the count in the ROOM item; 0: it has none yet */
	uint64_t stored_version; /* of the ROOM item, as the store numbers it; 0: it is in no table yet */

	/* marks */
	bool is_expired; /* and it is because its time was over */
	bool is_deleted; /* everything under the PK is to go */
	bool needs_write;   /* the ROOM item */
	bool needs_update;    /* the room's own fields */
	char by[CODE_CHARS_MAX + 1]; /* user_id of whose request changed it for everybody; "": nobody's, or a caller's without a seat */
	bool is_by_several;   /* there were several such callers, or one without a seat */
	bool votes_cleared; /* all votes were taken back, before the changes that the seats' marks name */
	bool left_cleared;  /* some of `left` that were shown are no longer there: those there are follow */
	bool is_short_of_memory; /* a change could not be recorded: the unit of work must fail */
	bool is_touched; /* something changed since the version was last raised */
	bool stories_marked; /* some story is needs_write */
	bool rounds_marked;  /* some round is needs_write */
	bool barred_marked;  /* some barred key is needs_write */
	struct barred *gone_barred; /* whose items are to go */
	struct past_round *gone_rounds;
	struct data_frame *data_frames; /* in the order they happened */
	bool owes_delta; /* a data frame has passed the version of a change that is still to be shown */
	struct room_notification *notifications; /* the last one first */
	struct seat *marked;
	struct seat *gone; /* seats that are no more, until that was written and sent; by next_marked */

	int64_t next_grace_mono; /* when some seat's grace ends; INT64_MAX: none */
};

/*
 * A new room of the first round, marked for writing; its caller sets the rest. NULL when memory is out.
 * @room_id is normalised, @title clean (empty: none), @deck clean; all three are copied.
 */
struct room *room_create(const char *room_id, struct slice title, struct slices deck, int64_t wall_ms);

/* ---- for all handlers: room_dispatch.c ---- */

enum fault_code room_out_of_memory(struct room_call *c);
/* RIGHT_DELETE_DATA on a container that the user_id made_by created; "" where that is not known. */
enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by);
/* Replace a string; empty and NULL are the same. False when memory is out, nothing changed. */
bool room_set_text(char **text, struct slice value);
/* What room.create and room.set_link_template may say: empty, or a template (proto/link.h). */
enum fault_code room_check_link_template(struct room_call *c, struct slice text);

/* ---- marks: room.c ---- */

/* How many items the partition has, as the ROOM item counts them (items.h). */
int64_t room_count_items(const struct room *r);
/* The room's own fields have changed: needs_write and needs_update. */
void room_changed(struct room *r);
/* room_view.c: room.update, appended to out (sticky error). */
void room_write_update(const struct room_update *u, struct buf *out);

/* ---- growth: room_growth.c ---- */

/*
 * Whether the caller may let the room hold so many bytes more; else RATE_LIMITED with retry_after_ms. Asked before
 * anything changes, by what adds stories, shared data or a round, and by nothing else.
 */
enum fault_code room_check_growth(const struct room *r, struct room_call *c, size_t bytes);

/* ---- life: room_expiry.c ---- */

/* How long it lives from its last change or member. */
int64_t room_life_ms(const struct room *r, const int64_t *limits);
/* Put off the end of its life: after a change, or while a member is connected. Written at most once a minute. */
void room_extend(struct room *r, int64_t wall_ms, int64_t life_ms);
/* Remove everything. */
void room_delete(struct room *r);

/* ---- room_group.c ---- */

/* Put what follows with the key "{room_id}#{rest}", in the arena, in front of *out. ERR_NOMEM. */
NODISCARD enum err room_add_follow(const struct room *r, enum room_follow_kind kind, struct slice rest,
				   struct arena *arena, struct room_follow **out);

/* ---- room_signals.c ---- */

/* Queue a transient notification for one seat or (NULL) for all. False when memory is out. */
bool room_notify(struct room *r, const struct seat *seat, enum notice notice, const void *params);

#endif
