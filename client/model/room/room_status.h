/*
 * room_status.h - the state of a room for one user, in a line for a shell prompt.
 *
 * Contains no votes and no keys, so it may be stored in a file. Pure; all text in it
 * is softened.
 */
#ifndef CLIENT_MODEL_ROOM_ROOM_STATUS_H
#define CLIENT_MODEL_ROOM_ROOM_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "proto/base/limits.h"

/* The most of a story's or a room's title in a line. */
#define ROOM_STATUS_SUBJECT_CELLS 30
#define ROOM_STATUS_SUBJECT_BYTES (4 * ROOM_STATUS_SUBJECT_CELLS)
#define ROOM_STATUS_LINE_BYTES	  (ROOM_STATUS_SUBJECT_BYTES + MAX_CARD_BYTES + 64)

struct room_status {
	/* the story's key, else its title, else the room's title; "": none */
	char subject[ROOM_STATUS_SUBJECT_BYTES + 1];
	/* after the reveal: the estimate, else the suggested card; "": neither */
	char value[MAX_CARD_BYTES + 1];
	int64_t round;
	/*
	 * the counted members, and of those the ones who have voted; where stories are open together,
	 * the open stories, and on how many of them the user has voted
	 */
	int64_t voters;
	int64_t voted;
	bool is_in;       /* the user has a seat with a name, which is connected or need not be */
	bool is_lobby;    /* the user waits in the lobby */
	bool is_mine;     /* the round waits for the user's vote */
	bool is_revealed;
	bool is_settled;
	bool keeps_votes; /* votes count without a connection */
	bool is_closed;   /* room.get is for members only */
};

/*
 * @name  the name of the user's seat, if r->you is not of the user; NULL or "": none.
 * @was   the last known status, or NULL: is_mine is taken from it if the room hides who has voted
 *        and r->you is not of the user.
 */
void room_status_of(const struct replica *r, const char *name, const struct room_status *was, struct room_status *out);
/* The user has left the room: clear what needs a connection. */
void room_status_leave(struct room_status *s);
/* Whether the room was ever seen; after a refusal to non-members only is_closed is set. */
bool room_status_is_known(const struct room_status *s);
bool room_status_eq(const struct room_status *a, const struct room_status *b);

/* Write a short line without the subject; "" if there is nothing that concerns the user. */
void room_status_short(const struct room_status *s, char out[ROOM_STATUS_LINE_BYTES]);
/* Write a line with the subject, such as PAY-3; never empty. */
void room_status_line(const struct room_status *s, const char *room_id, char out[ROOM_STATUS_LINE_BYTES]);

#endif
