/*
 * round.h - rounds of a room: cards, reveal, countdown and timer, result, history; its stories
 * and their order.
 */
#ifndef SERVER_DOMAIN_ROOM_ROUNDS_ROUND_H
#define SERVER_DOMAIN_ROOM_ROUNDS_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/deck.h"
#include "proto/keys/room_code.h"
#include "proto/records/records.h"
#include "server/domain/base/rank.h"
#include "server/domain/room/rounds/story_vote.h"

struct room;
struct room_call;
struct seat;

/* The delay after the first late vote until a revealed round is written again. */
#define ROUND_LATE_MS    1000

/* A revealed round, as in its item. */
struct past_round {
	int64_t n;
	char story_id[USER_ID_CHARS + 1]; /* "": a vote without a story */
	int64_t created_on; /* 0: only known in the item */
	char *view; /* MessagePack of its round_view; NULL: only in the table */
	size_t view_len; /* also set if view is NULL */
	bool needs_write;
	struct past_round *next, *prev; /* the oldest first */
};

/* What a reveal fixed, encoded: a room_result, or the story_votes of one story; len 0: none. */
struct fixed_result {
	char *bytes;
	size_t len;
};

/* A revealed card whose member has left: room_left.c. */
struct left_vote {
	char user_id[CODE_CHARS_MAX + 1];
	char *username;
	char card[MAX_CARD_BYTES + 1];
	char *comment; /* NULL: none */
	enum seat_role role;
	bool is_bot;
	int confidence; /* 0: none given */
	bool is_changed;
	bool needs_update;
	struct left_vote *next, *prev; /* in the order in which the members left */
};

/*
 * What the last reset ended, and undoing it restores; round 0: nothing. The votes are in
 * last_vote of the seats.
 *
 * Rows:  X(KIND, field of undo_item, field of room_fields.h)
 */
#define UNDO_FIELDS(X)                                                                             \
	X(INT, round, round)                                                                       \
	X(BOOL, was_revealed, is_revealed)                                                         \
	X(INT, started_at, started_at)                                                             \
	X(INT, revealed_at, revealed_at)                                                           \
	X(TEXT, story_id, story_id)                                                                \
	X(TEXT, outcome, outcome)

struct undo {
	struct fixed_result result;
	int64_t round;
	bool is_revealed;
	int64_t started_at;
	int64_t revealed_at;
	char story_id[USER_ID_CHARS + 1];
	char outcome[MAX_CARD_BYTES + 1];
};

/* room_reveal.c, room_rounds.c */
void room_reveal(struct room *r, int64_t wall_ms);
/* Start the next round on the story ("": none) and clear all votes; what it ended can be undone. */
void room_next_round(struct room *r, const char *story_id, int64_t wall_ms);
void room_stop_countdown(struct room *r);
/*
 * Return whether a countdown starts once enough members have voted: a quorum, or everyone. If
 * votes of absent members are kept, it is not known who everyone is.
 */
bool room_reveals_itself(const struct room *r);
/* Return whether members without a connection keep their seats and votes. */
bool room_keeps_votes(const struct room *r);
/* Call after every change: start the countdown, or reveal, if enough members have voted. */
void room_settle_reveal(struct room *r, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);
/* Record the revealed round with its current votes in the history, replacing an earlier record. */
void room_record_round(struct room *r, int64_t wall_ms);
/* A vote has changed the revealed round: record it again within ROUND_LATE_MS. */
void room_round_changed(struct room *r, int64_t mono_ms);
/* Record late votes now, before something else changes their meaning. */
void room_settle_round(struct room *r);
/*
 * Record a round as given, replacing an earlier record: the table's, or the one before it that
 * has no record. Returns false if memory is out.
 */
bool room_record_view(struct room *r, const struct round_view *view, int64_t wall_ms);
/*
 * Give the table's round the next number, so that another can be recorded under the one it had.
 * Returns false if memory is out.
 */
bool room_renumber_round(struct room *r, int64_t wall_ms);
/* Decode the table's round as recorded, into the arena. Returns false if there is none. */
bool room_recorded_round(const struct room *r, struct arena *arena, struct round_view *out);
/* Forget the record of the table's round, which is not over: its votes leave the table. */
void room_forget_round(struct room *r);
/* Count the rounds of a story before the table's, plus one. */
int64_t room_story_round(const struct room *r, const char *story_id);
/* Leave out of the votes whose they are. Returns false if memory is out. */
bool room_take_names(const struct room *r, struct arena *arena, struct round_vote **votes, size_t n_votes);
/*
 * Call after votes may have been restored in a revealed round: it is recorded again if its record
 * lacks one.
 */
void room_check_round(struct room *r, int64_t mono_ms);
/*
 * Free the views of rounds that are in the table and older than the last ones. The commits of all
 * cleared marks must be durable.
 */
void room_forget_views(struct room *r);
void past_round_free(struct past_round *p);
struct past_round *room_past_round(struct room *r, int64_t n); /* NULL if there is none */
/* Forget what can be undone; the next reset can be undone again. */
void room_forget_undo(struct room *r);
void room_count_story_rounds(struct room *r);
bool room_vote_counts(const struct room *r, const struct seat *seat);

/*
 * room_result.c: compute the result of the current votes, or return the fixed one; lists are in
 * the arena. Returns false if memory is out.
 */
bool room_result_of(const struct room *r, struct arena *arena, struct room_result *out);
/* The same of other votes; those for cards that the deck lacks are withdrawn. */
bool room_result_of_votes(const struct room *r, struct arena *arena, const struct round_vote *votes, size_t n,
			  struct room_result *out);
/*
 * Fix the result of a round without names from its reveal on, so that a member who leaves or
 * votes late does not disclose their card by changing it.
 */
void room_fix_result(struct room *r);
void fixed_result_clear(struct fixed_result *result);
/* Set an encoded room_result. Returns false if memory is out. */
bool fixed_result_set(struct fixed_result *result, struct slice bytes);

/* room_left.c: revealed cards whose members have left. */
/* The seat is about to lose its card, but not by a vote: if it is revealed, keep it. */
void room_leave_vote(struct room *r, const struct seat *seat);
/*
 * The member has returned: give the card back to the seat, unchanged. Returns false if there is
 * none, or if the seat is not a voter's.
 */
bool room_take_left_vote(struct room *r, struct seat *seat);
/*
 * Restore the left cards of the revealed round from its record: after a load, an undone reset,
 * and a change of the deck.
 */
void room_find_left(struct room *r);
void room_forget_left(struct room *r);
struct round_vote left_vote_view(const struct left_vote *v);
/*
 * Return the revealed cards that the deck has: first those of seats, in the order of the seats,
 * then those of members who left; in the arena. NULL if memory is out.
 */
struct round_vote *room_open_votes(const struct room *r, struct arena *arena, size_t *n);

/* room_votes.c */
bool room_has_votes(const struct room *r);
/*
 * Return the label of a card; empty for CARD_NONE. The number is an index into the deck, followed
 * by the cards of earlier decks.
 */
struct slice room_card(const struct room *r, int card);
bool room_deck_has(const struct room *r, int card);
/*
 * Find the card with this label; if the deck has none, it is added to the cards of earlier decks.
 * Returns false if memory is out.
 */
bool room_read_card(struct room *r, struct slice label, int *card);
/* Return whether everyone sees the cards with their names. */
bool room_shows_cards(const struct room *r);
/*
 * Return whether others see that the seat has a vote: a revealed card that is not in the deck is
 * not shown.
 */
bool room_shows_vote(const struct room *r, const struct seat *seat);
/*
 * Return whether others see only how many have voted, not who: with hidden voters until the
 * reveal.
 */
bool room_hides_voters(const struct room *r);
/* Return the number of votes that count. */
int64_t room_count_votes(const struct room *r);
/* Mark for the update who has voted, which is not hidden any more. */
void room_show_voters(struct room *r);
/*
 * At the reveal, or after a change of the deck: mark for the update what others see of the votes.
 */
void room_show_cards(struct room *r, unsigned fields);

/* ---- stories ---- */

/*
 * A story is kept as the record that subscribers receive; its texts are in one block of memory
 * that the story owns. A removed story keeps its place until the room is deleted, so that it can
 * be restored there. Limits: MAX_STORIES, including removed ones, and MAX_STORIES_BYTES for the
 * texts of all.
 */
struct story {
	char story_id[USER_ID_CHARS + 1];
	struct rank rank;
	struct rank stored_rank; /* the rank in the key of its item; "" before it is written */
	/*
	 * title, key, link, description, estimate, item, status, is_removed, unsaved_reason and ends_at;
	 * empty ones are absent
	 */
	struct story_view text;
	char *block;             /* holds its strings */
	int64_t created_on;
	int64_t ends_mono; /* text.ends_at on the monotonic clock; 0: not known yet */
	int64_t waits_until; /* text.ends_at as the directory was told: room_waiting.c */
	/*
	 * A pending write of its estimate to the backlog item that it was made from: see
	 * room_save.c.
	 */
	char save_mark[USER_ID_CHARS + 1]; /* identifies the settlement; "": nothing is pending */
	char save_user[CODE_CHARS_MAX + 1]; /* user_id of the member who settled */
	char save_card[MAX_CARD_BYTES + 1]; /* the card settled on */
	/* save_mark was set, changed or cleared: the UNSAVED item must be written or deleted */
	bool save_changed;
	bool needs_write; /* the item, and the update, must be written */
	/* While it is not at the table: its votes (story_vote.h), and what its reveal showed of them. */
	struct story_vote *votes; /* utlist */
	struct fixed_result revealed; /* its story_votes; len 0: they are hidden */
	int64_t revealed_at;
	size_t shown_n;   /* votes in `revealed` */
	bool is_held;     /* hidden again by hand: not revealed automatically before the next vote */
	bool votes_marked;    /* its votes changed: the update has them */
	bool revealed_marked; /* `revealed` was set, changed or cleared: so is its VOTES item */
	struct story *next, *prev; /* in the order of the list */
};

/* NULL if the room has no such story */
struct story *room_story(struct room *r, struct slice story_id);
void room_story_changed(struct room *r, struct story *s);
/* Change the status, and mark the story if it is a different one. */
void room_story_set_status(struct room *r, struct story *s, enum story_status status);
/*
 * Replace the texts of a story in the list by copies. Returns false if memory is out, and changes
 * nothing.
 */
bool room_story_set_text(struct room *r, struct story *s, struct story_view text);
/*
 * Insert a new story with this text and rank into the list, which owns it. NULL if memory is out.
 */
struct story *room_story_insert(struct room *r, struct story_view text, struct rank rank);
void story_destroy(struct story *s);
/*
 * The story was settled with its estimate, or with none: if it was made from a backlog item,
 * write the estimate to it.
 */
void room_save_story(struct room *r, struct story *s, const struct room_call *c);
/*
 * Set the story's estimate, and its status: done, or `open` if the estimate is empty; the backlog
 * item that it was made from follows. Returns false if memory is out, and changes nothing.
 */
bool room_story_settle(struct room *r, struct story *s, struct slice estimate, enum story_status open,
		       const struct room_call *c);
/* Return the story of that id; NULL with *c->fault NOT_FOUND in `field`. */
struct story *room_find_story(struct room *r, struct room_call *c, const char *field, struct slice story_id);
/* Return the story as it is sent; borrows from the story. */
struct story_view story_view(const struct story *s);

#endif
