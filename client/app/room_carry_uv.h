/*
 * room_carry_uv.h - carries out the user's acts in a subscribed room.
 *
 * Takes the acts of client/tui: votes and names go to membership.h, which holds them
 * until there is a connection; all others are sent at once. Handles their replies.
 * For the screen and for lines mode.
 *
 * Life:    set the members up to owner, all else zeroed .. room_carry_finish().
 * Threads: loop thread only.
 */
#ifndef CLIENT_APP_ROOM_CARRY_UV_H
#define CLIENT_APP_ROOM_CARRY_UV_H

#include "client/model/room/round_history.h"
#include "client/net/room_client_uv.h"
#include "client/tui/tui.h"

/* The message after room_carry_leave() if is_elsewhere. */
#define ROOM_CARRY_ELSEWHERE "left here; you are still in the room in another terminal"

struct room_carry_handler {
	/* The result of an act. Text of the server in it is not softened yet. */
	void (*on_answer)(void *owner, const char *text);
	/* A page of the history has come; rounds: all that was fetched, valid until the next. */
	void (*on_rounds)(void *owner, const struct round_history *rounds);
	/* The addresses at which others reach the server; is_told: it was shared just now. */
	void (*on_addresses)(void *owner, const struct server_share_result *share, bool is_told);
	/*
	 * A story's fields or the notes were saved, or refused; the replica has the notes. May be
	 * NULL.
	 */
	void (*on_saved)(void *owner, bool is_done);
	/* A request was refused, and no message was shown for it. */
	void (*on_refusal)(void *owner, const struct reply *r);
	/* room_carry_leave() has ended, successfully or not. */
	void (*on_left)(void *owner);
};

struct room_carry {
	struct room_client *client; /* set by the caller, like all up to owner; borrowed */
	const struct room_carry_handler *on;
	void *owner;

	struct round_history rounds;
	/* the seat that was left is in use in another terminal: ROOM_CARRY_ELSEWHERE */
	bool is_elsewhere;
	bool is_first_page; /* of the last history request */

	struct request *note; /* the pending map.set of the notes; NULL: none */
	char *note_text;      /* the text that it sets */
	/* stories to add or update; the one at index `added` is pending; NULL: none */
	struct request **adding;
	size_t adding_n;
	size_t added;
	size_t updated; /* of them, stories that were there */
};

/* If the client stays open, call room_client_forget() with this owner before. */
void room_carry_finish(struct room_carry *c);

/*
 * Carry out a request, or LOCAL_ADD_STORIES. Returns false if nothing was sent: on_answer said why,
 * or there was nothing to do.
 */
bool room_carry_do(struct room_carry *c, const struct act *act);
/* Carry out a held request (EVENT_HELD). */
void room_carry_do_held(struct room_carry *c, struct request *r);
/* Ask the user's own server for the addresses at which others reach it; a failure is silent. */
void room_carry_ask_addresses(struct room_carry *c);
/*
 * Leave the seat, unless it is in use in another terminal. Returns false if there is no seat, the
 * room keeps the votes of members who go, or the request cannot be sent now.
 */
bool room_carry_leave(struct room_carry *c);

#endif
