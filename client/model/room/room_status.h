/*
 * room_status.h - how a room stands for one person, in a line for a prompt.
 *
 * Holds no vote and no key, so it may be kept in a file. Pure; all text in it is
 * softened.
 */
#ifndef CLIENT_MODEL_ROOM_ROOM_STATUS_H
#define CLIENT_MODEL_ROOM_ROOM_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "proto/base/limits.h"

/* What a line has of a story's or a room's title. */
#define ROOM_STATUS_SUBJECT_CELLS 30
#define ROOM_STATUS_SUBJECT_BYTES (4 * ROOM_STATUS_SUBJECT_CELLS)
#define ROOM_STATUS_LINE_BYTES	  (ROOM_STATUS_SUBJECT_BYTES + MAX_CARD_BYTES + 64)

struct room_status {
	char subject[ROOM_STATUS_SUBJECT_BYTES + 1]; /* the story's key, or else title, or else the room's title; "": none has one */
	char value[MAX_CARD_BYTES + 1]; /* while the cards lie open: what the round was settled with, or is suggested; "": neither */
	int64_t round;
	int64_t voters; /* who is counted, and how many of them have voted */
	int64_t voted;
	bool is_in;       /* the person has a seat with a name, which is connected or needs not be */
	bool is_lobby;    /* they have, and a host has yet to admit them */
	bool is_mine;     /* the round waits for their vote */
	bool is_revealed;
	bool is_settled;
	bool keeps_votes; /* the room goes on without connections */
	bool is_closed;   /* room.get tells it to members alone */
};

/*
 * @name  of the person's seat, where r->you is not theirs; NULL or "": none.
 * @was   as it was known before, or NULL: whether the round waits for them is taken from it where
 *        the room hides who has voted and r->you is not theirs.
 */
void room_status_of(const struct replica *r, const char *name, const struct room_status *was, struct room_status *out);
/* The person has left: what they are told of is over where it needs their connection. */
void room_status_leave(struct room_status *s);
/* Whether the room was ever seen: one that only said no to a stranger has nothing but is_closed. */
bool room_status_is_known(const struct room_status *s);
bool room_status_eq(const struct room_status *a, const struct room_status *b);

/* "3 of 5, waits for you"; "" where there is nothing to say to who is busy with something else. */
void room_status_short(const struct room_status *s, char out[ROOM_STATUS_LINE_BYTES]);
/* "PAY-3: 3 of 5, waits for you", never empty. */
void room_status_line(const struct room_status *s, const char *room_id, char out[ROOM_STATUS_LINE_BYTES]);

#endif
