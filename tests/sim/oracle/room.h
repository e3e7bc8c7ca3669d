/*
 * room.h - every state a room was in, by looking into the server after each
 * event; what members are told later is compared with these.
 */
#ifndef TESTS_SIM_ORACLE_ROOM_H
#define TESTS_SIM_ORACLE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"
#include "tests/sim/net/view.h"
#include "tests/sim/sizes.h"

struct table_row;
struct world;

/* Who was given which seat, by the answers that left. */
struct owner {
	char user_id[20];
	char user_key[44];
	int member;
};
#define SIM_OWNERS_MAX 512

struct away {
	char user_id[20];
	int64_t since_mono;
	int64_t changed_mono; /* its owner may act with the key alone, without a connection that follows */
	struct view_user last;
};

/* What the last reset took, by what the disk had before its commit. */
struct taken_vote {
	char user_id[20];
	char card[SIM_CARD_BYTES]; /* "": none */
	bool is_unsure;
};
struct taken {
	int64_t round;  /* the one it ended; 0: nothing is known of it */
	uint64_t order; /* of world->delivered, then */
	bool is_back;   /* the commit that is just noted undoes it */
	size_t n;
	struct taken_vote votes[SIM_SEATS_MAX];
};

/* What a seat that only watches had on the table: what it lays when it votes again. */
struct vote_aside {
	char user_id[20];
	char card[SIM_CARD_BYTES]; /* "": none, or none any more */
	bool is_left;		   /* left beside open cards, and not kept with the seat */
};

/* What one node has of a room in memory. */
struct sim_memory {
	bool in_memory;
	int64_t loaded_mono;    /* the last time */
	int64_t countdown_mono; /* since when the countdown runs */
	const char *due;        /* what the server is to do by itself in it, and */
	int64_t due_mono;       /* since when */
	int64_t looked_mono;    /* when it was last looked at */
	struct buf seen;  /* the last look into the server, as bytes */
	struct view now;
	struct view look; /* being read */
	struct view *history[SIM_HISTORY];
	int64_t version_mono[SIM_HISTORY]; /* when that version came about */
	int64_t said_mono[16];             /* when presences were said to others, lately */
	size_t said_n;
	struct away away[SIM_SEATS_MAX];
	size_t away_n;
	int64_t first_version; /* of the present epoch, as it was first seen */
	/* what is durable of the present epoch: everything up to this version */
	int64_t durable_version;
	uint64_t durable_hash;
};

/* Of a room as a node loaded it: another one has written it since. */
struct sim_old_epoch {
	int64_t epoch;
	int64_t since_mono;
};

struct sim_room {
	struct sim_memory *mem; /* of the node whose turn it is: one of these */
	struct sim_memory *memories[SIM_NODES_MAX];
	char id[17];
	char host_key[44];
	char group_id[20]; /* whose room it is; "" nobody's */
	bool had_open_stories; /* at some time: votes have come to the table and gone with their stories */
	bool is_played;   /* somebody plays a round through, when all is calm */
	bool is_public;   /* somebody has been told the code */
	bool was_on_disk;
	bool is_ending;   /* a delete was answered, or its items are gone */
	bool end_is_unknown; /* by a commit of which nobody was told: why it is gone is not known either */
	bool is_deleted;  /* an answer said so */
	int64_t failed_mono;  /* when a commit of it last failed, but for a conflict; 0: none of this server's has */
	bool has_expired; /* its time was over, and nobody deleted it */
	int64_t expires_at;     /* on the disk, before the commit that is just noted */
	bool is_jumped_over;    /* the wall clock has jumped while its last commit was on its way */
	int64_t warned_for;     /* which end those who watch were told of last; 0: none */
	int64_t warned_left_ms; /* how long before it */
	struct taken taken;
	struct vote_aside asides[SIM_SEATS_MAX]; /* of others it is not known */
	size_t asides_n;
	struct owner owners[SIM_OWNERS_MAX];
	size_t owners_n;
	int64_t epochs[256];
	size_t epochs_n;
	/* when it was made: policy.auto_reveal, the link template, and the end of its timer, 0: none */
	bool began_to_reveal;
	char began_links[SIM_NAME_BYTES];
	int64_t began_ends_at;
	int64_t written_epoch; /* of the last commit */
	struct sim_old_epoch olds[16]; /* the latest */
	size_t olds_n; /* of all that were */
};

int room_of_pk(const struct world *w, struct slice pk);
int room_of_id(const struct world *w, struct slice id);
/* The row is of that room. */
bool row_is_in(const struct world *w, const struct table_row *row, int room);
int room_add(struct world *w, struct slice id);
/* Whether one more call to create a room may be sent, so that room_add() has a place whatever becomes of all of them. */
bool room_has_place(const struct world *w);
/* Whether the disk has it; a room that was there and is not has ended. */
bool room_note_disk(struct world *w, int room);
/* A grace of that seat, which may be longer by what its item says of its vote, if that is still there. */
int64_t room_grace_ms(const struct world *w, int room, const char *user_id, enum limit grace);
/* Look at every room in the server: record what changed and judge it. */
void room_look(struct world *w);
const struct view *room_at(const struct sim_room *r, int64_t epoch, int64_t version);
/* Whether a commit of that state brings nothing but its last change to what the disk has: every state since the last
 * commit was seen, and was durably the same. */
bool room_brings_one_change(const struct sim_room *r, const struct view *state);
void room_own(struct sim_room *r, int member, struct slice user_key, struct slice user_id);
/* The seat of that key; NULL where there was none, or more than one. */
const struct owner *room_owner_of_key(const struct sim_room *r, const char *user_key);
/* The member who was given the seat; -1: nobody yet. */
int room_owner(const struct sim_room *r, const char *user_id);
int64_t room_away_since(const struct sim_room *r, const char *user_id);
int64_t room_away_unchanged_since(const struct sim_room *r, const char *user_id);
/* Since when nothing is heard of a seat that is away: using its key alone begins its graces anew. */
int64_t room_alone_since(const struct world *w, int room, const char *user_id);

#endif
