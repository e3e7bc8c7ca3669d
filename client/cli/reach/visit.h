/*
 * visit.h - a verb's dealings with one room: its code, our keys, our name.
 */
#ifndef CLIENT_CLI_REACH_VISIT_H
#define CLIENT_CLI_REACH_VISIT_H

#include "client/cli/reach/passcode.h"
#include "client/cli/reach/reach.h"
#include "client/model/invite.h"
#include "client/model/room/session_summary.h"
#include "client/state/state.h"
#include "client/state/state_status.h"

struct visit {
	struct cli *cli;
	struct server_place place;
	struct sign_in *sign_in; /* who is logged in there; NULL: nobody, or another name is told */
	struct room_client *client; /* NULL until visit_open() */
	struct state state;
	struct state_room known; /* what we have of the room; its name is the seat's */
	char room_id[CODE_CHARS_MAX + 1];
	bool has_seat; /* visit_subscribe() has been done */
	char passcode[PASSCODE_BYTES_MAX + 1]; /* of --passcode-file, or typed; "": none */
	enum verb_needs needs; /* room_command.h */
	bool is_guest; /* the seat is only for this visit: room_command.h */
	bool has_joined; /* the seat got its name in this visit: room_command.h */
	struct state_status shown; /* as it was written; visit_keep_status() */
	bool has_shown;
	struct session_summary summary; /* of the room that one is in */
	struct session_summary done; /* of the last that was left */
	char done_line[INVITE_LINE_BYTES_MAX + 80]; /* what keeps it; "": nothing does */
	struct arena arena; /* what results live in */
	int64_t took_ms; /* the last call */
	bool has_told_unreadable;
};

/*
 * For a program with a screen, which has its own way to tell: without a word on
 * stderr. Each ERR_IO, ERR_CLOSED, ERR_INVALID or ERR_CORRUPT with *why.
 */
/* Only the state. */
NODISCARD enum err visit_prepare(struct cli *c, struct visit *v, struct errmsg *why);
/* The server where rooms are made, and who is logged in there; may start one. */
NODISCARD enum err visit_seek(struct visit *v, struct errmsg *why);
/* Another server. */
void visit_move(struct visit *v, const struct address *server);
/* That room, and what is known of it. */
NODISCARD enum err visit_choose(struct visit *v, const char *room_id, struct errmsg *why);
/* Whether --name or AYE_NAME says how one sits down, whatever is remembered. */
bool visit_is_named(const struct visit *v);

/* A room that is about to be made: server and state, no code yet. The exit code, told. */
int visit_begin(struct cli *c, struct visit *v);
/* The room whose code is the first word: where it should be, and our keys; starts no server. */
int visit_look_up(struct cli *c, struct visit *v);
/* Likewise. Our own server is started for a room that we have been in, and not for another, which cannot be there. */
int visit_find(struct cli *c, struct visit *v);
/* Likewise, and connect. */
int visit_open(struct cli *c, struct visit *v);
int visit_connect(struct visit *v);
/* visit_connect() may follow. */
void visit_disconnect(struct visit *v);
/* Accepts whatever the others left. */
void visit_close(struct visit *v);

/*
 * The name to sit down with: --name, AYE_NAME, the seat's, the one used last,
 * USER. NULL where there is none. Valid as long as the visit.
 */
const char *visit_name(struct visit *v);

/*
 * Make a request, and wait for its reply: room_id, host_key and idempotency_key are filled in
 * where the params have them and they are not given. EXIT_DONE: *result is filled, with strings
 * in the visit's arena. Else the exit code, the refusal or the failure having been told.
 */
int visit_call(struct visit *v, enum method method, const void *params, void *result);
/* The same with any name and params, a map as MessagePack; *value is valid until the next. */
int visit_call_by_name(struct visit *v, struct slice method, struct slice params, struct slice *value);

/*
 * Take the seat that we have, or a new one, and remember its key under the
 * name. Where the room has a passcode, asks for it if a person is there.
 */
int visit_subscribe(struct visit *v, const char *name);
/* The ask_passcode of a room_entry, whose asker is the visit. */
bool visit_ask_passcode(void *visit, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
/* What is known of the room and its seat, to enter it under this name; valid as long as the visit. */
struct room_entry visit_entry(const struct visit *v, const char *name);

/* As visit_keep_seat(), without a word on stderr: what went wrong is in *why. */
NODISCARD enum err visit_store_seat(struct visit *v, const char *old_name, const char *name,
				    const char *user_key, struct errmsg *why);
NODISCARD enum err visit_store_host_key(struct visit *v, const char *host_key, struct errmsg *why);
/* Keep keys; failing to is told, and no reason to stop. */
void visit_keep_seat(struct visit *v, const char *old_name, const char *name, const char *user_key);
/*
 * The same for a verb, which makes neither its name the default of other rooms, nor, where the name was given to it, its
 * seat the one that is taken next; a bot's seat is kept apart.
 */
void visit_keep_verb_seat(struct visit *v, const char *name, const char *user_key);
void visit_keep_host_key(struct visit *v, const char *host_key);
/* What a room with a seat of ours is called. */
void visit_keep_title(struct visit *v, const char *title);

/* The room may have changed, which whoever follows it says of each update: for visit_print_summary(). */
void visit_take_room(struct visit *v, const struct replica *room);
/* How it stands, for `aye status`: written where that differs from the last time. On EVENT_SNAPSHOT. */
void visit_keep_status(struct visit *v, const struct replica *room);
/* This window has left it, or it is over; as it was last. is_elsewhere: another window of the same seat has not. For both. */
void visit_leave_room(struct visit *v, const struct replica *room, bool is_elsewhere);
/* What was done in the room that was left last, in a few lines, and how to keep it; nothing where nothing was. */
void visit_print_summary(const struct visit *v);

/*
 * Begin to stay in the room on a connection of its own; the caller runs and closes it.
 * @as_user  as whoever is logged in, else as a stranger.
 */
struct room_client *visit_enter(struct visit *v, const struct room_entry *entry, bool as_user, event_cb on_event,
				void *owner);
/* Run and close it, where nothing else is to be said of the end: the exit code of reach_end(), with what *code is by then. */
int visit_follow(struct visit *v, struct room_client *client, const int *code);

/* The connection was lost: our private server, if it was that, is started again. Best effort; the next try tells. */
void visit_revive_server(struct visit *v);

/* Where the room's server is for those who are invited. */
void visit_invite_place(const struct visit *v, struct invite_place *out);
/* The line that joins the room from here (invite.h). Static, until the next call. */
const char *visit_join_line(const struct visit *v);

#endif
