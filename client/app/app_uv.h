/*
 * app_uv.h - the terminal program: one room on the screen until it is left,
 * or home, from which rooms are entered.
 *
 * Life:    app_run() does everything, and restores the terminal at the end.
 * Threads: one thread. The owner's callbacks may block; nothing else happens
 *          until they return.
 */
#ifndef CLIENT_APP_APP_UV_H
#define CLIENT_APP_APP_UV_H

#include <stdbool.h>

#include "client/model/invite.h"
#include "client/model/recent_rooms.h"
#include "client/model/room/membership.h"
#include "client/model/settings.h"
#include "client/model/sign_in.h"
#include "client/net/transport/address.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"

#define APP_NAME_BYTES_MAX (4 * MAX_NAME_BYTES)

/* How to enter a room. */
struct app_entry {
	struct address address;
	char room_id[CODE_CHARS_MAX + 1]; /* upper case */
	char user_key[KEY_CHARS + 1];     /* "": a new seat */
	char name[APP_NAME_BYTES_MAX + 1]; /* "": the screen asks for it */
	char host_key[KEY_CHARS + 1];     /* "": none */
	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]; /* for a new seat; "": none */
	struct sign_in *sign_in;          /* borrowed; NULL: no login */
	struct invite_place place;        /* of its server, for the join command */
};

/* The server on which rooms are created. */
struct app_place {
	struct address address;
	struct sign_in *sign_in; /* borrowed; NULL: no login there */
	char label[ADDRESS_HOST_MAX + 16]; /* its name on the screen */
	struct invite_place place;	 /* for team invitations */
};

/* The stored state that home needs from its owner. On a failure, *why is for people. */
struct app_memory {
	/* Replace *out by the recent rooms. */
	void (*list)(void *owner, struct recent_rooms *out, struct errmsg *why);
	/* The name for new rooms; "": not known. */
	void (*name)(void *owner, char out[APP_NAME_BYTES_MAX + 1]);
	/* Store that name. */
	enum err (*rename)(void *owner, const char *name, struct errmsg *why);
	/* Find the server on which rooms are created; may start one. */
	enum err (*find)(void *owner, struct app_place *out, struct errmsg *why);
	/*
	 * Select the room for all later calls, and return what is stored about it.
	 * @server    NULL: that of the last find.
	 * @host_key  of a new room, to be stored; else NULL. If that fails, *why has a warning.
	 */
	enum err (*choose)(void *owner, const struct address *server, const char *room_id,
			   const char *host_key, struct app_entry *out, struct errmsg *why);
	enum err (*forget)(void *owner, const char *server, const char *room_id, struct errmsg *why);
};

struct app_options {
	struct app_entry entry; /* the room to enter, if memory is NULL */
	const struct app_memory *memory; /* start at home; NULL: show only that one room */
	bool opens_inbox; /* home starts in the inbox */
	/* open home's screen only after ssh, which may prompt, has connected or failed */
	bool connects_first;
	bool is_spectator;
	struct settings *settings; /* borrowed; updated with the choices made on the screen */
	bool ascii; /* the meaning of signs = auto */
	const char *warning; /* the first message on the screen; NULL or "": none */
	/*
	 * Store the key and name of the seat; old_name: the seat's previous name, or NULL. On a
	 * failure, *why is for people, and the program goes on.
	 */
	enum err (*on_seat)(void *owner, const char *old_name, const char *name, const char *user_key,
			    struct errmsg *why);
	/* Store the title of the room of that seat; "": none. Failures as in on_seat. */
	enum err (*on_title)(void *owner, const char *title, struct errmsg *why);
	/* The current room may have changed; called for each of its updates. */
	void (*on_room)(void *owner, const struct replica *room);
	/*
	 * The same, at most five times a second (EVENT_SNAPSHOT), for writing the state to a file.
	 */
	void (*on_snapshot)(void *owner, const struct replica *room);
	/*
	 * The room was left, or has ended; its last state. is_elsewhere: the seat is in use in
	 * another terminal.
	 */
	void (*on_left)(void *owner, const struct replica *room, bool is_elsewhere);
	/*
	 * The connection was lost, or an attempt failed; the next attempt follows. May start a
	 * server. Returns what to say in place of the reason; NULL: nothing.
	 */
	const char *(*on_lost)(void *owner);
	/* There has been nothing to show for a while; called once, and only without a home. */
	void (*on_slow)(void *owner);
	/*
	 * Ask for a passcode before the screen opens; only without a home. As in struct room_entry.
	 */
	bool (*ask_passcode)(void *owner, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
	/* Store the settings. Returns ERR_IO or another error, with *why. */
	enum err (*on_save)(void *owner, struct errmsg *why);
	void *owner;
};

enum app_end {
	APP_LEFT,      /* by the user, at the end of the terminal, or by a signal */
	APP_LEFT_HERE, /* the same, while the seat is in use in another terminal */
	APP_ENDED,     /* the user was removed, or the room has ended: *why */
	APP_REFUSED,   /* the room could not be entered: *fault */
	APP_LOST,      /* the server was never reached: *why */
	APP_NO_SCREEN, /* the terminal cannot show a screen: use lines mode instead */
	APP_BROKEN     /* no memory, or no terminal: *why */
};

/* Run the program until it ends. *o is borrowed for the call. */
enum app_end app_run(const struct app_options *o, struct fault *fault, struct errmsg *why);

#endif
