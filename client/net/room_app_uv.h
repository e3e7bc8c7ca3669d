/*
 * room_app_uv.h - the terminal program: a room on the screen until it is left.
 *
 * Life:    room_app_run() begins and ends it all; the terminal is afterwards
 *          as it was before.
 * Threads: one thread.
 */
#ifndef CLIENT_NET_ROOM_APP_UV_H
#define CLIENT_NET_ROOM_APP_UV_H

#include <stdbool.h>

#include "client/model/settings.h"
#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "proto/err.h"
#include "proto/fault.h"

struct room_app_options {
	struct address address;
	const char *room_id;   /* upper case */
	const char *user_key;  /* "": a new seat */
	const char *name;      /* NULL: the screen asks */
	const char *name_hint; /* what it suggests then; NULL: nothing */
	struct sign_in *sign_in; /* borrowed; NULL: a stranger */
	bool is_spectator;
	const char *host_key; /* "": not ours */
	const char *passcode; /* for a new seat; NULL or "": none */
	struct settings *settings; /* borrowed; follows what is chosen on the screen */
	bool ascii; /* what signs = auto is here */
	const char *warning; /* stands on the screen at first; NULL or "": nothing */
	/* The seat has a key and a name worth keeping; old_name: what the same seat was called before, or NULL. */
	void (*on_seat)(void *owner, const char *old_name, const char *name, const char *user_key);
	/* The connection was lost, or could not be made again; the next try follows. May start a server. */
	void (*on_lost)(void *owner);
	/* Keep the settings for the next time. ERR_IO and so on, with *why. */
	enum err (*on_save)(void *owner, struct errmsg *why);
	void *owner;
};

enum room_app_end {
	ROOM_APP_LEFT,      /* as the person wished, or at the end of the terminal or by a signal */
	ROOM_APP_ENDED,     /* removed, or the room is no more: *why */
	ROOM_APP_REFUSED,   /* the room was not to be entered: *fault */
	ROOM_APP_LOST,      /* the server could not be reached at all: *why */
	ROOM_APP_NO_SCREEN, /* the terminal cannot show it: follow in lines instead */
	ROOM_APP_BROKEN     /* no memory, no terminal: *why */
};

enum room_app_end room_app_run(const struct room_app_options *o, struct fault *fault, struct errmsg *why);

#endif
