/*
 * story_vote.h - votes on stories that are open together (the policy's open_stories).
 *
 * A room votes on one story at its table: those votes are the cards of the seats (round.h). With
 * open_stories, every other story that is to do can be voted on as well. Such votes are kept with
 * their seats until the story is settled. What a story's reveal showed is kept with the story: it
 * stays as it was shown when a member leaves, and changes only by a later vote.
 *
 * A story that is selected brings its votes to the table, and one that is left there without an
 * estimate takes them back. So the votes on a story are in one place at any time.
 */
#ifndef SERVER_DOMAIN_ROOM_ROUNDS_STORY_VOTE_H
#define SERVER_DOMAIN_ROOM_ROUNDS_STORY_VOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/records/records.h"
#include "store/items.h"

struct room;
struct room_call;
struct seat;
struct story;

/*
 * The vote of a seat on a story that is not at the table. Limits: STORY_VOTES and
 * STORY_COMMENTS_BYTES of one seat, ROOM_STORY_VOTES of a room.
 */
struct story_vote {
	struct seat *seat;
	struct story *story;
	char card[MAX_CARD_BYTES + 1];	/* a label: the deck may change before the reveal */
	char *comment;			/* NULL: none */
	int confidence;			/* 0: none given */
	bool is_changed;		/* cast or changed after the story's reveal */
	bool needs_you;			/* it was cast or changed: room.you has it */
	struct story_vote *next, *prev; /* utlist: the story's votes */
	struct story_vote *next_of_seat, *prev_of_seat; /* utlist: the seat's votes */
};

/* Return whether a request's story_id is of another story than the table's; empty: the table's. */
bool story_is_elsewhere(const struct room *r, struct slice story_id);
/* Return whether the story can be voted on although it is not at the table. */
bool room_story_is_open(const struct room *r, const struct story *s);

/*
 * Handle room.vote on a story that is not at the table; the card and the confidence of the params
 * are checked. Refusals: NOT_FOUND, CONFLICT (not open; its votes are fixed), TOO_LARGE.
 */
enum fault_code room_vote_on_story(struct room *r, struct room_call *c);
/* Handle room.set_revealed with the story_id of a story that is not at the table. */
enum fault_code room_set_story_revealed(struct room *r, struct room_call *c);
/* Handle round.settle with the story_id of a story that is not at the table. */
enum fault_code room_settle_open_story(struct room *r, struct room_call *c);

/* Reveal the open stories that have enough votes by the policy's quorum, if it reveals at all. */
void room_reveal_enough(struct room *r, int64_t wall_ms);
/* Reveal all open stories that have votes, as a timer does. */
void room_reveal_stories(struct room *r, int64_t wall_ms);

/* The story comes to the table, where no votes are: lay its votes there, as far as revealed. */
void room_lay_story_votes(struct room *r, struct story *s, int64_t wall_ms);
/*
 * Whether the votes at the table can leave it with their story, within the limits of each seat and
 * of the room: FAULT_NONE, or TOO_LARGE.
 */
enum fault_code room_check_park(const struct room *r, struct room_call *c);
/* The table's story is left without an estimate: take its votes from the table, as they are. */
void room_park_votes(struct room *r, struct story *s);

/* The seat ends or loses its name: its votes end that are not revealed. */
void room_end_story_votes(struct room *r, struct seat *seat);
/* The story was opened or closed: how many stories its voters have voted on changes for others. */
void room_story_opened(struct room *r, struct story *s);
/* Who may know what of the votes that were revealed, or which count, has changed: show them anew. */
void room_show_stories_again(struct room *r);
/* Which votes count has changed: mark all stories with votes. */
void room_recount_story_votes(struct room *r);
/* Return whether an item of revealed votes must be written or deleted. */
bool room_story_votes_need_write(const struct room *r);

/* Return on how many open stories the seat has voted. */
size_t seat_stories_voted(const struct room *r, const struct seat *seat);
/*
 * Add story_votes to the update, in the arena: of all stories that have votes, or of those that
 * changed. Returns false if memory is out.
 */
bool room_view_story_votes(const struct room *r, bool all, struct arena *arena,
			   struct room_update *u);
/*
 * Write to `out` what room.you says of the seat's votes: all, or those that changed and those that
 * ended; at most OWN_VOTES_MAX, which borrow from them. Returns their number.
 */
#define OWN_VOTES_MAX (2 * MAX_STORY_VOTES)
size_t seat_view_story_votes(const struct seat *seat, struct own_vote out[OWN_VOTES_MAX]);
/* Forget what the marks of the seat say of its votes. */
void seat_clear_story_marks(struct seat *seat);
/* Free all votes of a seat that is destroyed with the room, or is no longer in it. */
void seat_free_story_votes(struct seat *seat);
/* Write the seat's votes for its item, which borrows from them. Returns their number. */
size_t seat_story_vote_items(const struct seat *seat, struct story_vote_item out[MAX_STORY_VOTES]);
/* A vote of a seat's item, whose story is loaded. Returns false if memory is out. */
bool room_read_story_vote(struct room *r, struct seat *seat, const struct story_vote_item *item);
/*
 * The revealed votes of a story's item. ERR_NOMEM; ERR_CORRUPT if they do not decode.
 */
NODISCARD enum err room_read_story_votes(struct room *r, struct story *s, struct slice votes);

/* Set the deadline of a story, so many seconds from now; 0: none. The caller marks the story. */
void room_story_set_end(struct room *r, struct story *s, int64_t seconds, int64_t wall_ms);

/* ---- among the files of story votes alone ---- */

/* The seat's vote on the story; NULL: none. */
struct story_vote *story_vote_find(const struct seat *seat, const struct story *s);
/* Add a vote without a card to both lists. Returns NULL if memory is out. */
struct story_vote *story_vote_add(struct room *r, struct seat *seat, struct story *s);
/* Set or clear the comment, which the vote owns from now on. */
void story_vote_set_comment(struct room *r, struct story_vote *v, char *comment);
/* End the vote, and keep it until its member has been told. */
void story_vote_remove(struct room *r, struct story_vote *v);
/* What others see of the votes on the story has changed. */
void story_mark(struct room *r, struct story *s);
/* Whether its votes wait for the next one before they are revealed by themselves. */
void story_hold(struct room *r, struct story *s, bool is_held);
/* A seat's vote on the story was cast, changed or has ended. */
void story_mark_vote(struct room *r, struct seat *seat, struct story *s);
/* Return whether votes of the seat count: those of a spectator wait, as at the table. */
bool story_seat_counts(const struct room *r, const struct seat *seat);
/* Return how many votes on the story count. */
int64_t story_count_votes(const struct room *r, const struct story *s);
/* Refuse with TOO_LARGE: `whose` votes are at most so many. */
enum fault_code story_refuse_votes(struct room_call *c, int64_t most, const char *whose);
/*
 * Whether so many more votes of the seat, and so many more bytes of comments, are within the limits:
 * FAULT_NONE, or TOO_LARGE.
 */
enum fault_code story_check_place(const struct room *r, struct room_call *c,
				  const struct seat *seat, size_t votes, size_t comment_bytes);

/* Whether more may be revealed in the room, besides what is: FAULT_NONE, or TOO_LARGE. */
enum fault_code story_check_results(const struct room *r, struct room_call *c);

/* What was revealed is hidden again, settled, or at the table: forget it here. */
void story_revealed_clear(struct room *r, struct story *s);
/* Encode the votes and their result. Returns false if memory is out. */
bool story_revealed_set(struct room *r, struct story *s, struct story_votes *shown);
/* Decode them; `out` borrows from the story and the arena. Returns false if memory is out. */
bool story_revealed_read(const struct story *s, struct arena *arena, struct story_votes *out);
/* What was revealed, as the room's present round; borrows likewise. Returns false if memory is out. */
bool story_round_view(const struct room *r, const struct story *s, struct arena *arena,
		      struct round_view *out);
/* Reveal the votes on the story. The room is short of memory if it cannot. */
void story_reveal(struct room *r, struct story *s, int64_t wall_ms);
/* Return whether as many have voted as reveal the story by themselves. */
bool story_has_enough(const struct room *r, const struct story *s);
/*
 * A vote after the reveal takes its voter's place in what was shown, or is added to it. @had_vote:
 * whose card was not shown then was withdrawn, and is so no longer.
 */
void story_show_late_vote(struct room *r, const struct story_vote *v, bool had_vote);

#endif
