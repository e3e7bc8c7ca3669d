/*
 * room_carry_uv.h - what a person asks for, carried out in a followed room.
 *
 * Takes the acts of client/tui: votes and names go through membership.h, which
 * waits with them for a connection, all else is sent at once; and reads what
 * such acts bring. For the screen and for those who go without one.
 *
 * Life:    fill in what is given, all else zeroed .. room_carry_finish().
 * Threads: loop thread only.
 */
#ifndef CLIENT_APP_ROOM_CARRY_UV_H
#define CLIENT_APP_ROOM_CARRY_UV_H

#include "client/model/room/round_history.h"
#include "client/net/room_client_uv.h"
#include "client/tui/tui.h"

/* What is said behind room_carry_leave() where is_elsewhere. */
#define ROOM_CARRY_ELSEWHERE "left here; you are still in the room in another terminal"

struct room_carry_handler {
	/* A line for the person that stays true for a while. */
	void (*on_say)(void *owner, const char *text);
	/* What became of an act. The server's words in it are not softened yet. */
	void (*on_answer)(void *owner, const char *text);
	/* A page of the history has come; all of it that was fetched, valid until the next. */
	void (*on_rounds)(void *owner, const struct round_history *rounds);
	/* Where others reach the server; is_told: because it was shared just now. */
	void (*on_addresses)(void *owner, const struct server_share_result *share, bool is_told);
	/* A story's fields or the notes were saved, or refused; the replica has the notes. May be NULL. */
	void (*on_saved)(void *owner, bool is_done);
	/* A request was refused, and nothing was said of it. */
	void (*on_refusal)(void *owner, const struct reply *r);
	/* room_carry_leave() is over, either way. */
	void (*on_left)(void *owner);
};

struct room_carry {
	struct room_client *client; /* given, with all up to owner; borrowed */
	const struct room_carry_handler *on;
	void *owner;

	struct round_history rounds;
	bool is_elsewhere; /* what we left is in use in another window: ROOM_CARRY_ELSEWHERE */
	bool is_first_page; /* of the history that was asked for last */

	struct request *note; /* map.set of the notes, on its way; NULL: none */
	char *note_text;      /* what it sets */
	struct request **adding; /* stories, of which the one behind those added is on its way; NULL: none */
	size_t adding_n;
	size_t added;
};

/* Nothing of what was sent comes any more where the client is not closed: room_client_forget() it before. */
void room_carry_finish(struct room_carry *c);

/*
 * Carry it out: a request, or LOCAL_ADD_STORIES. False where nothing is on its way: told
 * through on_answer, or there was nothing to do.
 */
bool room_carry_do(struct room_carry *c, const struct act *act);
/* One that was held (EVENT_HELD). */
void room_carry_do_held(struct room_carry *c, struct request *r);
/* Ask our own server where others reach it; one that cannot say it says nothing. */
void room_carry_ask_addresses(struct room_carry *c);
/* Give the seat up, unless it is in use in another window; false where there is none to give up, where the room keeps the
 * votes of those who go, or no way to say so now. */
bool room_carry_leave(struct room_carry *c);

#endif
