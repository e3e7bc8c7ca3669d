/*
 * round.h - rounds of a room: cards, reveal, countdown and timer, result, history.
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

struct room;
struct room_call;
struct seat;

/* An open round that late votes change is written so long after the first of them. */
#define ROUND_LATE_MS    1000

/* A round that was revealed, as its item has it. */
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

/* A card that lies open and has no seat any more: room_left.c. */
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
	struct left_vote *next, *prev; /* in the order in which they were left */
};

/*
 * What the last reset ended, and brings back when it is undone; round 0: nothing. The votes are the seats' last ones.
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
/* Begin the next round on the story (""), all votes taken back; what it ended can be undone. */
void room_next_round(struct room *r, const char *story_id, int64_t wall_ms);
void room_stop_countdown(struct room *r);
/* Whether a countdown begins once enough have voted: a quorum, or everybody. Where votes are kept, who everybody is
 * is not known. */
bool room_reveals_itself(const struct room *r);
/* After every change: begin the countdown, or reveal, if enough have voted. */
void room_settle_reveal(struct room *r, int64_t mono_ms, int64_t wall_ms, const int64_t *limits);
/* Write the revealed round with its present votes into the history, anew if it is there. */
void room_record_round(struct room *r, int64_t wall_ms);
/* A vote has changed the open round: record it within ROUND_LATE_MS. */
void room_round_changed(struct room *r, int64_t mono_ms);
/* Record now what votes have changed, before something else changes their meaning. */
void room_settle_round(struct room *r);
/* After votes may have been restored in a revealed round: it is written again where its record lacks one. */
void room_check_round(struct room *r, int64_t mono_ms);
/* Views that are in the table and not of the last rounds leave memory. The commits of all marks that were cleared are durable. */
void room_forget_views(struct room *r);
void past_round_free(struct past_round *p);
struct past_round *room_past_round(struct room *r, int64_t n); /* NULL: there is none */
/* Take back the way back: the next reset is the first that can be undone. */
void room_forget_undo(struct room *r);
void room_count_story_rounds(struct room *r);
bool room_vote_counts(const struct room *r, const struct seat *seat);

/* room_result.c: the result of the present votes, or the one that was fixed; lists in the arena. False when memory is out. */
bool room_result_of(const struct room *r, struct arena *arena, struct room_result *out);
/* From its reveal on the result of a round without names is fixed: a member who leaves or votes late does not disclose their card by a change of it. */
void room_fix_result(struct room *r);
void fixed_result_clear(struct fixed_result *result);
/* The bytes of a record room_result. False when memory is out. */
bool fixed_result_set(struct fixed_result *result, struct slice bytes);

/* room_left.c: cards that lie open and whose members have left them. */
/* The seat is about to lose its card, by no vote: where it lies open it stays. */
void room_leave_vote(struct room *r, const struct seat *seat);
/* Its voter is back: the card is the seat's again, and lies as it lay. False where there is none. */
bool room_take_left_vote(struct room *r, struct seat *seat, int64_t wall_ms);
/* Those of the open round, by its record: after a load, an undone reset, and with another deck. */
void room_find_left(struct room *r);
void room_forget_left(struct room *r);
struct round_vote left_vote_view(const struct left_vote *v);
/* The cards of the deck that lie there, in the order of the seats, and behind them those that were left; in the arena. NULL when memory is out. */
struct round_vote *room_open_votes(const struct room *r, struct arena *arena, size_t *n);

/* room_votes.c */
bool room_has_votes(const struct room *r);
/* The label of a seat's card; empty for CARD_NONE. Its number is an index into the deck, and beyond that into the cards of earlier decks. */
struct slice room_card(const struct room *r, int card);
bool room_deck_has(const struct room *r, int card);
/* The card with that label; kept with those of earlier decks where the deck has none such. False when memory is out. */
bool room_read_card(struct room *r, struct slice label, int *card);
/* Whether everybody sees the cards, each with its name. */
bool room_shows_cards(const struct room *r);
/* Whether others see that the seat has a vote: an open one that the deck does not have has fallen away. */
bool room_shows_vote(const struct room *r, const struct seat *seat);
/* Whether others may know how many have voted, but not who: until the reveal. */
bool room_hides_voters(const struct room *r);
/* Votes that count. */
int64_t room_count_votes(const struct room *r);
/* Mark who has voted, which is hidden no more. */
void room_show_voters(struct room *r);
/* At the reveal, or with another deck: mark what others see of the votes. */
void room_show_cards(struct room *r, unsigned fields);

/* Cards and their labels into one block of memory, for free(out->items); false when memory is out. */
bool room_copy_deck(struct slices cards, struct slices *out);

#endif
