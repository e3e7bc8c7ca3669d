/*
 * replica.h - the client's copy of a room.
 *
 * Applies room.update and room.you in any order, and reports a gap, after which the
 * caller subscribes again with since. Pure: no connection, no screen. Everything
 * drawn or printed about a room comes from here. All text is softened (text_soften),
 * so it is safe to draw, and NUL-terminated; an absent text has data NULL.
 *
 * Life: a zeroed struct .. replica_finish().
 */
#ifndef CLIENT_MODEL_ROOM_REPLICA_H
#define CLIENT_MODEL_ROOM_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/shared_conventions.h"
#include "client/model/rows.h"
#include "proto/records/records.h"
#include "proto/rights.h"

/* The part of the room's shared data that shared_conventions.h defines. */
struct replica_data {
	bool has_presence; /* a member has created it */
	bool has_notes;
	struct rows presents; /* struct present, of members with an activity */
	struct rows notes;    /* struct shared_note */
};

struct replica {
	bool is_nowhere; /* a placeholder without a room, for the home screen */
	char room_id[17];
	bool has_state; /* a full update has arrived at least once */
	int64_t epoch;
	int64_t version;
	struct room_view room; /* zero before the first full update */
	/* the own vote as the server knows it; zero before the first room.you */
	struct room_you you;
	struct rows users;     /* struct user_view, in the order they joined */
	/* struct round_vote: revealed votes of members who have left the room */
	struct rows left;
	struct rows stories;   /* struct story_view, by rank */
	struct rows removed;   /* the same, of removed stories */
	struct rows story_votes; /* struct story_votes: of stories that are open together */
	struct rows own_votes;   /* struct own_vote: the own votes on them */
	struct replica_data data;
	/* of the last update: user_id of the member who caused it; "": not known */
	char by[65];
	int64_t by_since; /* the version that update followed */
	int64_t votes_n; /* if who has voted is hidden: the number of votes of counted members */
	bool i_have_host_key; /* set by the replica's owner: the user has the room's host key */
	/*
	 * Set and owned by the replica's owner: the card that the server has not confirmed yet;
	 * "": a retraction; NULL: none.
	 */
	const char *pending_vote;
	struct room_view *room_block; /* what room and you point into */
	struct room_you *you_block;
};

void replica_finish(struct replica *r);
/* Overwrites *to, which the caller then finishes. The copy has no pending_vote. */
void replica_copy(struct replica *to, const struct replica *from);

/*
 * Apply an update. An update that is not newer than the replica, or is about another room,
 * is ignored and returns OK.
 * ERR_CONFLICT  it does not follow this version (another epoch, or a gap). Nothing was
 *               changed; subscribe again with since.
 */
NODISCARD enum err replica_update(struct replica *r, const struct room_update *u);
void replica_you(struct replica *r, const struct room_you *y);

/* The own card: the pending one, if any, else the one the server knows; NULL: none. */
const char *replica_own_vote(const struct replica *r);

/* ---- queries; returned pointers are valid until the next update ---- */

static inline const struct user_view *replica_member_at(const struct replica *r, size_t i)
{
	return r->users.items[i];
}

/* The stories on the list, followed by the removed ones. */
static inline const struct story_view *replica_story_at(const struct replica *r, size_t i)
{
	return i < r->stories.n ? r->stories.items[i] : r->removed.items[i - r->stories.n];
}

static inline const char *replica_card(const struct replica *r, size_t i)
{
	return r->room.valid_sizes.items[i].data;
}

/*
 * The member who caused the change since that version; NULL: not known, or there were several
 * updates.
 */
const struct user_view *replica_doer(const struct replica *r, int64_t since);
/* The member with that id, or NULL. */
const struct user_view *replica_member(const struct replica *r, const char *user_id);
/* The revealed vote of a member who has left, or NULL. */
const struct round_vote *replica_left(const struct replica *r, struct slice user_id);
/*
 * One vote for each of the users, with an empty card if it is hidden, followed by the votes of
 * members who have left.
 */
size_t replica_votes_n(const struct replica *r);
struct round_vote replica_vote_at(const struct replica *r, size_t i);
/* Whether the vote at i is of a member who has left. */
bool replica_has_gone(const struct replica *r, size_t i);
/* The story with that id, removed or not, or NULL; also for a NULL id. */
const struct story_view *replica_story(const struct replica *r, const char *story_id);
/* Whether the story is the one that is voted on. */
bool replica_is_current(const struct replica *r, const struct story_view *s);
/* Whether the story can be voted on although it is not the one that is voted on. */
bool replica_is_open(const struct replica *r, const struct story_view *s);
/* The votes on a story that is not the one that is voted on; NULL: none. */
const struct story_votes *replica_story_votes(const struct replica *r, const struct story_view *s);
/* The own vote on it; NULL: none. */
const struct own_vote *replica_own_story_vote(const struct replica *r, const struct story_view *s);
/*
 * How many stories wait for votes, the one that is voted on included, and on how many of them the
 * user has voted. Only if stories are open together; otherwise none.
 */
void replica_count_open(const struct replica *r, size_t *open, size_t *voted);
/* Whether the story waits for the user's vote. */
bool replica_awaits_vote(const struct replica *r, const struct story_view *s);
/* The story removed last, or NULL. */
const struct story_view *replica_removed(const struct replica *r);
/* The result of the round, as the server computed it; NULL: the cards are hidden. */
const struct room_result *replica_result(const struct replica *r);
/* The user_id of the banned user with that name or user_id; NULL: there is none, or several. */
const char *replica_barred(const struct replica *r, const char *who);
/* The note of that key, or NULL. */
const struct shared_note *replica_note(const struct replica *r, const char *key);
/*
 * Store an own note that the server acknowledged, since it does not send it back. A later revision
 * by others stays.
 */
void replica_put_note(struct replica *r, const char *key, const char *text, int64_t revision);
/* The member's activity; *story_id is the story it concerns, or NULL. */
enum activity replica_doing(const struct replica *r, const char *user_id, const char **story_id);

/*
 * The own standing in the room, for right_refusal(): a refusal of the server is then known
 * without asking it.
 *
 * @has_host_key  the caller sends the host key with its request.
 */
struct standing replica_standing(const struct replica *r, bool has_host_key);

/*
 * Whether the member counts as a voter: a named, admitted, connected voter (if votes are kept,
 * connected or not); a bot only if the room counts bots.
 */
bool replica_is_counted(const struct replica *r, const struct user_view *m);
/* Whether the member is the own seat. */
bool replica_is_me(const struct replica *r, const struct user_view *m);
/* "you", the name, or "someone" for a member without a name. */
const char *replica_name_of(const struct replica *r, const struct user_view *m);
/* Whether the member has voted, as far as known; the own vote is always known. */
bool replica_has_vote(const struct replica *r, const struct user_view *m);
/*
 * Whether the member's card is part of the round: named and admitted, not a spectator, not a bot.
 */
bool replica_is_voter(const struct user_view *m);
/* Whether a voter is away, is not waited for, and has no revealed card. */
bool replica_is_voter_away(const struct replica *r, const struct user_view *m);
/* Whether the member counts and has not voted yet, as far as known. */
bool replica_is_missing(const struct replica *r, const struct user_view *m);
/*
 * Whether the member is away, is not a host, is not waited for, and has no vote. If there are more
 * than REPLICA_ABSENT_NAMED of these, show only their number.
 */
bool replica_is_absent(const struct replica *r, const struct user_view *m);
enum { REPLICA_ABSENT_NAMED = 3 };
size_t replica_count_absent(const struct replica *r);
/* Whether who has voted is hidden until the reveal; their number is known (votes_n). */
bool replica_hides_voters(const struct replica *r);
/*
 * The number of counted members, and of those who have voted; if who has voted is hidden, including
 * those away.
 */
void replica_count_votes(const struct replica *r, size_t *voters, size_t *voted);

#endif
