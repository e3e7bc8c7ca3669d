/*
 * app_uv.h - the terminal program: a room on the screen until it is left,
 * or home, from which one goes into rooms and comes back.
 *
 * Life:    app_run() begins and ends it all; the terminal is afterwards
 *          as it was before.
 * Threads: one thread. What the owner is asked for may take a while; nothing
 *          else happens meanwhile.
 */
#ifndef CLIENT_APP_APP_UV_H
#define CLIENT_APP_APP_UV_H

#include <stdbool.h>

#include "client/model/invite.h"
#include "client/model/recent_rooms.h"
#include "client/model/room/membership.h"
#include "client/model/settings.h"
#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"

#define APP_NAME_BYTES_MAX (4 * MAX_NAME_BYTES)

/* All it takes to go into a room. */
struct app_entry {
	struct address address;
	char room_id[CODE_CHARS_MAX + 1]; /* upper case */
	char user_key[KEY_CHARS + 1];     /* "": a new seat */
	char name[APP_NAME_BYTES_MAX + 1]; /* "": the screen asks */
	char host_key[KEY_CHARS + 1];     /* "": not ours */
	char passcode[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]; /* for a new seat; "": none */
	struct sign_in *sign_in;          /* borrowed; NULL: a stranger */
	struct invite_place place;        /* of its server, for the invitation */
};

/* The server where rooms are made. */
struct app_place {
	struct address address;
	struct sign_in *sign_in; /* borrowed; NULL: nobody is logged in there */
	char label[ADDRESS_HOST_MAX + 16]; /* what to call it */
	struct invite_place place;	 /* for invitations into teams */
};

/* What home asks of its owner; where it fails, *why is for the person. */
struct app_memory {
	/* The rooms one was in, in place of what was in *out. */
	void (*list)(void *owner, struct recent_rooms *out, struct errmsg *why);
	/* How one sits down in a new room; "": not known. */
	void (*name)(void *owner, char out[APP_NAME_BYTES_MAX + 1]);
	/* Be called that from now on. */
	enum err (*rename)(void *owner, const char *name, struct errmsg *why);
	/* Find the server where rooms are made; may start one. */
	enum err (*find)(void *owner, struct app_place *out, struct errmsg *why);
	/*
	 * The room that all else is about from now on, and what is known of it.
	 * @server    NULL: that of the last find.
	 * @host_key  of a room that was just made: keep it; else NULL. Failing to is a warning in *why.
	 */
	enum err (*choose)(void *owner, const struct address *server, const char *room_id,
			   const char *host_key, struct app_entry *out, struct errmsg *why);
	enum err (*forget)(void *owner, const char *server, const char *room_id, struct errmsg *why);
};

struct app_options {
	struct app_entry entry; /* straight into that room, where there is no memory */
	const struct app_memory *memory; /* begin at home; NULL: the program is that one room */
	bool opens_inbox; /* home begins with the questions */
	bool connects_first; /* home's screen waits until ssh, which may ask on the terminal, has connected or failed */
	bool is_spectator;
	struct settings *settings; /* borrowed; follows what is chosen on the screen */
	bool ascii; /* what signs = auto is here */
	const char *warning; /* stands on the screen at first; NULL or "": nothing */
	/*
	 * The seat has a key and a name worth keeping; old_name: what the same seat was called before, or NULL.
	 * Where that fails, *why is for the person; it is no reason to stop.
	 */
	enum err (*on_seat)(void *owner, const char *old_name, const char *name, const char *user_key,
			    struct errmsg *why);
	/* Likewise: the room where we have such a seat is called that; "": nothing. */
	enum err (*on_title)(void *owner, const char *title, struct errmsg *why);
	/* The room that one is in, whenever it may have changed: as often as its updates come. */
	void (*on_room)(void *owner, const struct replica *room);
	/* The same, five times a second at most (EVENT_SNAPSHOT): for what is written down. */
	void (*on_snapshot)(void *owner, const struct replica *room);
	/* It was left, or is over; as it was last. is_elsewhere: the same seat is in use in another window. */
	void (*on_left)(void *owner, const struct replica *room, bool is_elsewhere);
	/* The connection was lost, or could not be made again; the next try follows. May start a server. */
	void (*on_lost)(void *owner);
	/* Nothing is there to be shown yet, for a while; once, and not where there is a home. */
	void (*on_slow)(void *owner);
	/* Ask for a passcode, while nothing is shown yet; not where there is a home. As in struct room_entry. */
	bool (*ask_passcode)(void *owner, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
	/* Keep the settings for the next time. ERR_IO and so on, with *why. */
	enum err (*on_save)(void *owner, struct errmsg *why);
	void *owner;
};

enum app_end {
	APP_LEFT,      /* as the person wished, or at the end of the terminal or by a signal */
	APP_LEFT_HERE, /* likewise, while the same seat is in use in another window */
	APP_ENDED,     /* removed, or the room is no more: *why */
	APP_REFUSED,   /* the room was not to be entered: *fault */
	APP_LOST,      /* the server could not be reached at all: *why */
	APP_NO_SCREEN, /* the terminal cannot show it: go on in lines instead */
	APP_BROKEN     /* no memory, no terminal: *why */
};

enum app_end app_run(const struct app_options *o, struct fault *fault, struct errmsg *why);

#endif
