/*
 * replica.h - a room as the server last described it: its records, owned.
 *
 * Applies room.update and room.you in whatever order they come, and says when
 * its copy no longer follows, so that the caller subscribes again with since.
 * Pure: no connection, no screen. Everything drawn or printed about a room
 * comes from here. All text in here is softened (text_soften), so it is safe to
 * draw as it is, and ends with NUL; what is not there has no data.
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

/* What shared_conventions.h names of the room's shared data. */
struct replica_data {
	bool has_presence; /* somebody has made it */
	bool has_notes;
	struct rows presents; /* struct present, of those who do something */
	struct rows notes;    /* struct shared_note */
};

struct replica {
	bool is_nowhere; /* this is no room at all, and never becomes one: the person is at home */
	char room_id[17];
	bool has_state; /* a full update has arrived at least once */
	int64_t epoch;
	int64_t version;
	struct room_view room; /* zero before the first full update */
	struct room_you you;   /* own vote as the server knows it; zero before the first room.you */
	struct rows users;     /* struct user_view, in the order they sat down */
	struct rows left;      /* struct round_vote: open cards whose members have left them */
	struct rows stories;   /* struct story_view, by rank */
	struct rows removed;   /* likewise, those that were taken off the list */
	struct replica_data data;
	char by[65];      /* of the last update: user_id of the member whose deed it shows; "": not known */
	int64_t by_since; /* the version it followed */
	int64_t votes_n; /* where who voted is hidden: how many have, of those that count */
	bool i_have_host_key; /* set by the owner of the copy: the key could make us host */
	const char *pending_vote; /* likewise, and the owner's: the card that the server is still to confirm; "": it is taken back, NULL: none */
	struct room_view *room_block; /* what room and you point into */
	struct room_you *you_block;
};

void replica_finish(struct replica *r);
/* *to is overwritten, and finished as any other. */
void replica_copy(struct replica *to, const struct replica *from);

/*
 * All of the update, or ERR_CONFLICT where it does not follow what is here (another
 * epoch, or a gap): nothing was changed; subscribe again with since.
 * An update that is not newer than the copy is taken for a repeat, and one of another
 * room passes by: OK, no change.
 */
NODISCARD enum err replica_update(struct replica *r, const struct room_update *u);
void replica_you(struct replica *r, const struct room_you *y);

/* The own card, the one that is still to be confirmed before the one that lies there; NULL: none. */
const char *replica_own_vote(const struct replica *r);

/* ---- looking; what is returned is valid until the next update ---- */

static inline const struct user_view *replica_member_at(const struct replica *r, size_t i)
{
	return r->users.items[i];
}

/* Behind those on the list come the removed ones. */
static inline const struct story_view *replica_story_at(const struct replica *r, size_t i)
{
	return i < r->stories.n ? r->stories.items[i] : r->removed.items[i - r->stories.n];
}

static inline const char *replica_card(const struct replica *r, size_t i)
{
	return r->room.valid_sizes.items[i].data;
}

/* The member whose deed made the room what it is since that version; NULL: not known, or several updates have come. */
const struct user_view *replica_doer(const struct replica *r, int64_t since);
/* The member with that id, or NULL. */
const struct user_view *replica_member(const struct replica *r, const char *user_id);
/* The open card that the user has left, or NULL. */
const struct round_vote *replica_left(const struct replica *r, struct slice user_id);
/* A vote for each of the users, without data where nobody may know it, and behind them those that were left. */
size_t replica_votes_n(const struct replica *r);
struct round_vote replica_vote_at(const struct replica *r, size_t i);
/* The nth of them is of one who is not in the room any more. */
bool replica_has_gone(const struct replica *r, size_t i);
/* The story with that id, removed or not, or NULL; also for a NULL id. */
const struct story_view *replica_story(const struct replica *r, const char *story_id);
/* What the votes say, as the server computed it; NULL: the cards are hidden. */
const struct room_result *replica_result(const struct replica *r);
/* The user_id of the one who was kicked for good and is called that, or has it; NULL: nobody, or several are. */
const char *replica_barred(const struct replica *r, const char *who);
/* The note of that key, or NULL. */
const struct shared_note *replica_note(const struct replica *r, const char *key);
/* What the server has acknowledged: it sends us no text of our own. A later one of others stays. */
void replica_put_note(struct replica *r, const char *key, const char *text, int64_t revision);
/* What a member does now; *story_id likewise, or NULL. */
enum activity replica_doing(const struct replica *r, const char *user_id, const char **story_id);

/*
 * How we stand in the room, for right_refusal(): the words with which the
 * server would refuse are then known before it is asked.
 *
 * @has_host_key  the caller shows it with what it asks.
 */
struct standing replica_standing(const struct replica *r, bool has_host_key);

/* A voter with a name who is let in and connected (where votes are kept: connected or not), a bot only where they count. */
bool replica_is_counted(const struct replica *r, const struct user_view *m);
/*
 * Away, no host, waited for by nobody, and without a card on the table: where there are more of them than
 * REPLICA_ABSENT_NAMED, their number says all.
 */
bool replica_is_absent(const struct replica *r, const struct user_view *m);
enum { REPLICA_ABSENT_NAMED = 3 };
size_t replica_count_absent(const struct replica *r);
/* Until the reveal nobody is known to have voted; how many have is. */
bool replica_hides_voters(const struct replica *r);
/* How many are counted, and how many of them have voted; where who voted is hidden, with those who are away. */
void replica_count_votes(const struct replica *r, size_t *voters, size_t *voted);

#endif
