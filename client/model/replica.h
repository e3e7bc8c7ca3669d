/*
 * replica.h - a room as the server last described it.
 *
 * Applies room.update and room.you in whatever order they come, and says when
 * its copy no longer follows, so that the caller subscribes again with since.
 * Pure: no connection, no screen. Everything drawn or printed about a room
 * comes from here.
 *
 * Life: a zeroed struct .. replica_finish().
 */
#ifndef CLIENT_MODEL_REPLICA_H
#define CLIENT_MODEL_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/shared_conventions.h"
#include "proto/records.h"
#include "proto/rights.h"

/* All text in here is softened (text_soften) when it comes in, so it is safe to draw as it is. NUL-terminated. */
struct member {
	char *user_id;
	char *username; /* NULL: only watches */
	char *vote;     /* NULL: none, or not shown yet */
	bool is_spectator;
	bool is_bot;
	bool is_connected;
	bool is_host;
	bool has_vote;
	char *note; /* NULL: none, or not shown yet */
	int confidence; /* 1 to 3; 0: none */
	bool is_changed; /* the vote, after the reveal */
	bool is_waiting; /* in the lobby */
};


struct story {
	char *story_id;
	char *rank;
	char *title;
	char *link;     /* NULL: none; softened, but anybody's text: no address to open unseen */
	char *notes;    /* NULL: none; its lines end with newlines, each softened */
	char *estimate; /* NULL: none */
	enum story_status status;
	bool is_removed;
};


struct replica_card {
	char *card;
	int64_t votes;
	char **user_ids; /* whose; none where results are anonymous */
	size_t user_ids_n;
};

/* What the votes say, as the server computed it. Labels are NULL where there is none. */
struct replica_result {
	int64_t votes;
	int64_t withdrawn; /* fell away: the deck no longer had their card */
	struct replica_card *cards; /* with votes, in the deck's order */
	size_t cards_n;
	bool has_average;
	double average;
	double median;
	char *mode;
	int agreement_percent;
	int spread_steps; /* -1: none */
	char *lowest;
	char *highest;
	char *suggestion; /* NULL: talk */
	bool is_unanimous;
};

/* What a member does now, as it says itself. */
struct present {
	char *user_id;
	enum activity doing; /* never ACTIVITY_NOTHING */
	char *story_id;   /* NULL: no story in particular */
};

/* What all write together about a story; not the story's own notes, which say what it is. */
struct shared_note {
	char *key;        /* story_id, or SHARED_NOTES_QUICK */
	char *text;       /* its lines softened; NULL: not text, or ours and not answered yet */
	int64_t revision;
	bool is_gone;     /* only on its way in */
};

/* What shared_conventions.h names of the room's shared data. */
struct replica_data {
	bool has_presence; /* somebody has made it */
	bool has_notes;
	struct present *presents; /* in no order */
	size_t presents_n;
	struct shared_note *notes;
	size_t notes_n;
};

struct barred_member {
	char *user_id;
	char *username; /* NULL: none */
};

struct replica {
	bool is_nowhere; /* this is no room at all, and never becomes one: the person is at home */
	char room_id[17];
	bool has_state; /* a full update has arrived at least once */
	int64_t epoch;
	int64_t version;
	char *title; /* NULL: none */
	char **cards;
	size_t cards_n;
	bool is_revealed;
	int64_t round;
	char *host_user_id; /* NULL: nobody */
	struct member *members; /* in the order they sat down */
	size_t members_n;

	enum room_phase phase;
	struct policy policy;
	char *story_id; /* what is voted on; NULL: nothing in particular */
	int64_t story_round; /* how many times it has been voted on, this round counted */
	int64_t started_at; /* server time, as all of these */
	int64_t countdown_ends_at; /* 0: no countdown */
	int64_t countdown_token;
	int64_t timer_ends_at; /* 0: no timer */
	bool timer_reveals;
	bool is_armed;
	bool can_undo;
	char *outcome; /* what the round was settled with; NULL: nothing yet */
	bool has_result; /* result is there: the cards lie open */
	struct replica_result result;
	int64_t votes_n; /* where who voted is hidden: how many have, of those that count */

	/* By rank; behind the stories_n that are shown come removed_n that were taken off the list. */
	struct story *stories;
	size_t stories_n;
	size_t removed_n;

	struct replica_data data;

	/* from room.you; own vote as the server knows it */
	char *my_user_id;
	char *my_name;
	char *my_vote;
	bool my_vote_is_withdrawn; /* the deck no longer has it: it falls away at the reveal */
	char *my_note;
	int my_confidence; /* 0: none */
	bool i_am_spectator;
	bool i_am_host;
	bool i_have_host_key; /* set by the owner of the copy: the key could make us host */
	bool i_am_waiting; /* in the lobby: there is no room.update until a host lets us in */
	struct barred_member *barred; /* who was kicked for good; only hosts are told */
	size_t barred_n;
};

void replica_finish(struct replica *r);

/* The user_id of the one who was kicked for good and is called that, or has it; NULL: nobody, or several are. */
const char *replica_barred(const struct replica *r, const char *who);

/*
 * ERR_CONFLICT  it does not follow what is here (another epoch, or a gap):
 *               nothing was changed; subscribe again with since.
 * ERR_NOMEM     nothing was changed.
 * An update that is not newer than the copy is taken for a repeat: OK, no change.
 */
NODISCARD enum err replica_update(struct replica *r, const struct room_update *u);
NODISCARD enum err replica_you(struct replica *r, const struct room_you *y);

/* The member with that id, or NULL. Valid until the next update. */
const struct member *replica_member(const struct replica *r, const char *user_id);

/* The story with that id, removed or not, or NULL; also for a NULL id. Valid until the next update. */
const struct story *replica_story(const struct replica *r, const char *story_id);
/* The note of that key, or NULL. Valid until the next update or replica_put_note(). */
const struct shared_note *replica_note(const struct replica *r, const char *key);
/* What the server has acknowledged: it sends us no text of our own. A later one of others stays. ERR_NOMEM. */
NODISCARD enum err replica_put_note(struct replica *r, const char *key, const char *text, int64_t revision);
/* What a member does now; *story_id likewise, or NULL. */
enum activity replica_doing(const struct replica *r, const char *user_id, const char **story_id);


/*
 * How we stand in the room, for right_refusal(): the words with which the
 * server would refuse are then known before it is asked.
 *
 * @has_host_key  the caller shows it with what it asks.
 */
struct standing replica_standing(const struct replica *r, bool has_host_key);

/* A voter with a name who is let in and connected, a bot only where they count. */
bool replica_is_counted(const struct replica *r, const struct member *m);
/* Until the reveal nobody is known to have voted; how many have is. */
bool replica_hides_voters(const struct replica *r);
/* How many are counted, and how many of them have voted; where who voted is hidden, with those who are away. */
void replica_count_votes(const struct replica *r, size_t *voters, size_t *voted);

#endif
