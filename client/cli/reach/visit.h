/*
 * visit.h - a verb's access to one room: its server and code, the stored keys, the name, a
 * connection.
 *
 * Functions that return an int return an exit code (verbs.h), and have reported a failure on
 * stderr.
 *
 * Life: visit_begin(), visit_look_up(), visit_find(), visit_open() or visit_prepare() ..
 * visit_close().
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
	struct sign_in *sign_in; /* the login there; NULL: none, or another name was given */
	struct room_client *client; /* NULL until visit_open() */
	struct state state;
	struct state_room known; /* what is stored about the room; its name is the seat's */
	char room_id[CODE_CHARS_MAX + 1];
	bool has_stored_seat; /* under that name, or the login's */
	bool has_seat; /* visit_subscribe() has been done */
	char passcode[PASSCODE_BYTES_MAX + 1]; /* of --passcode-file, or typed; "": none */
	enum verb_needs needs; /* room_command.h */
	bool is_guest; /* the seat is only for this visit: room_command.h */
	bool has_joined; /* the seat got its name in this visit: room_command.h */
	struct state_status shown; /* the status last written by visit_keep_status() */
	bool has_shown;
	struct session_summary summary; /* of the current room */
	struct session_summary done; /* of the last room that was left */
	char done_line[INVITE_LINE_BYTES_MAX + 80]; /* the command that saves its data; "": none */
	struct arena arena; /* holds the strings of results */
	int64_t took_ms; /* the duration of the last call */
	bool has_told_unreadable;
};

/*
 * These are for a program with a screen, and print nothing. Errors, with *why set: ERR_IO,
 * ERR_CLOSED,
 * ERR_INVALID or ERR_CORRUPT.
 */
/* Open only the stored state. */
NODISCARD enum err visit_prepare(struct cli *c, struct visit *v, struct errmsg *why);
/* Find the server on which rooms are created, and the login there; may start a server. */
NODISCARD enum err visit_seek(struct visit *v, struct errmsg *why);
/* Use another server. */
void visit_move(struct visit *v, const struct address *server);
/* Select a room, and read what is stored about it. */
NODISCARD enum err visit_choose(struct visit *v, const char *room_id, struct errmsg *why);
/* Whether --name or AYE_NAME gives the name, so that stored names are ignored. */
bool visit_is_named(const struct visit *v);

/* For a room to be created: find the server and open the state; there is no code yet. */
int visit_begin(struct cli *c, struct visit *v);
/*
 * For the room whose code is the first word: find its server and the stored keys; starts no server.
 */
int visit_look_up(struct cli *c, struct visit *v);
/*
 * The same, but starts the user's own server if the room is stored for it; other rooms cannot be
 * there.
 */
int visit_find(struct cli *c, struct visit *v);
/* The same, and connect. */
int visit_open(struct cli *c, struct visit *v);
int visit_connect(struct visit *v);
/* visit_connect() may follow. */
void visit_disconnect(struct visit *v);
/* Free everything; may be called after a failure. */
void visit_close(struct visit *v);

/*
 * The name for joining: --name, AYE_NAME, the seat's, the one used last, or USER. NULL: none. Valid
 * as long as the visit.
 */
const char *visit_name(struct visit *v);

/*
 * Make a request, and wait for its reply. Fills in room_id, host_key and idempotency_key if the
 * params have them and they are not set. On EXIT_DONE, *result is set, with its strings in the
 * visit's arena.
 */
int visit_call(struct visit *v, enum method method, const void *params, void *result);
/* The same by name; params is a MessagePack map, and *value is valid until the next call. */
int visit_call_by_name(struct visit *v, struct slice method, struct slice params, struct slice *value);

/*
 * Take the stored seat, or a new one, and store its key under the name. If the room has a passcode,
 * asks for it if there is a terminal.
 */
int visit_subscribe(struct visit *v, const char *name);
/* For ask_passcode of struct room_entry, with the visit as asker. */
bool visit_ask_passcode(void *visit, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
/* The entry for this room and the stored seat, with this name; valid as long as the visit. */
struct room_entry visit_entry(const struct visit *v, const char *name);

/* Like visit_keep_seat(), but prints nothing: *why describes a failure. */
NODISCARD enum err visit_store_seat(struct visit *v, const char *old_name, const char *name,
				    const char *user_key, struct errmsg *why);
NODISCARD enum err visit_store_host_key(struct visit *v, const char *host_key, struct errmsg *why);
/* Store keys; a failure is reported as a warning. */
void visit_keep_seat(struct visit *v, const char *old_name, const char *name, const char *user_key);
/*
 * The same for a verb: does not make its name the default for other rooms, nor, if the name was
 * given on the command line, its seat the one used last. A bot's seat is stored separately.
 */
void visit_keep_verb_seat(struct visit *v, const char *name, const char *user_key);
void visit_keep_host_key(struct visit *v, const char *host_key);
/* Store the title of a room with a stored seat. */
void visit_keep_title(struct visit *v, const char *title);
/* The same for a verb that has seen the room. */
void visit_keep_verb_title(struct visit *v, const struct replica *room);

/* The room may have changed; call it for each update, for visit_print_summary(). */
void visit_take_room(struct visit *v, const struct replica *room);
/* Write the room's state for `aye status`, if it has changed. Call it on EVENT_SNAPSHOT. */
void visit_keep_status(struct visit *v, const struct replica *room);
/* The same for a verb: leaves the status to another client that is in the room and writes it. */
void visit_keep_verb_status(struct visit *v, const struct replica *room);
/*
 * Update both when the room was left or has ended. @is_elsewhere  another terminal still uses the
 * seat.
 */
void visit_leave_room(struct visit *v, const struct replica *room, bool is_elsewhere);
/*
 * Print a few lines about the last room that was left, and how to save its data; nothing if nothing
 * was done there.
 */
void visit_print_summary(const struct visit *v);

/*
 * Enter the room on a new connection; the caller runs and closes the client.
 * @as_user  use the login, if there is one; false: connect without a login.
 */
struct room_client *visit_enter(struct visit *v, const struct room_entry *entry, bool as_user, event_cb on_event,
				void *owner);
/*
 * Run and close the client. Returns the exit code of reach_end(), given *code at the end of the
 * run.
 */
int visit_follow(struct visit *v, struct room_client *client, const int *code);

/*
 * The connection was lost: restart the user's own server, if it was that. A failure shows at the
 * next attempt. Returns why it stays stopped, a sentence without its full stop; NULL: it does not.
 */
const char *visit_revive_server(struct visit *v);

/* Where the room's server is, for the people invited. */
void visit_invite_place(const struct visit *v, struct invite_place *out);
/*
 * The join command for the room, as run on this machine (invite.h). Static; valid until the next
 * call.
 */
const char *visit_join_line(const struct visit *v);

#endif
