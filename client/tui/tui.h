/*
 * tui.h - the room screen: keys in, a cell grid and requests out.
 *
 * Pure: draws from the replica into a grid, and turns keys into requests. It never
 * touches the connection, the clock or curses; client/app sends them and
 * screen_curses.c puts the grid on the terminal.
 *
 * Life: tui_create() .. tui_destroy().
 */
#ifndef CLIENT_TUI_TUI_H
#define CLIENT_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/formats/stories_import.h"
#include "client/model/invite.h"
#include "client/model/lists/teams.h"
#include "client/model/questions/inbox.h"
#include "client/model/recent_rooms.h"
#include "client/model/request.h"
#include "client/model/room/replica.h"
#include "client/model/settings.h"
#include "client/tui/widgets/keys.h"
#include "proto/base/err.h"

struct tui;
struct grid; /* client/tui/widgets/grid.h */

/* What the connection is doing, for the header. */
enum link_state { LINK_CONNECTING, LINK_LIVE, LINK_LOST };

/* What a key asks of the client itself; all else is a request to the server. */
enum local_act {
	LOCAL_NONE,
	LOCAL_LEAVE,	     /* the room; at home, the program */
	LOCAL_SAVE_SETTINGS, /* tui_settings(), for the next time */
	LOCAL_ADD_STORIES,   /* stories, one or more */
	LOCAL_ENTER,	     /* at home: room_id and server, as they came; text: the passcode, "" none */
	LOCAL_FORGET,	     /* at home: room_id, server */
	LOCAL_COPY,	     /* text, into the terminal's clipboard */
	LOCAL_STAY	     /* at home: give up going into a room */
};
/*
 * What a key comes to: nothing, a local act, or a request without what all requests have
 * (request.h). All of it is the tui's, and valid until its next call; who keeps the
 * request longer takes a reference.
 *
 * Three requests mean a little more than their method: room.vote without a vote goes
 * with the card that lies there, map.set of the notes may have to make their map, and
 * room.join at home is the name from now on.
 */
struct act {
	enum local_act local;
	struct request *request; /* NULL: none */
	struct feed *feed; /* whose page it asks for; NULL: it is what somebody does */
	const char *text; /* also of map.set: the notes as they are in its value */
	const struct stories_import *stories;
	const char *room_id;
	const char *server; /* "": that of home */
};

/* What home shows: the client's, who may change it between two calls. */
struct home {
	const struct recent_rooms *recent;
	const char *name;   /* how one sits down; NULL or "": none yet */
	bool is_signed_in;  /* the name is a login's */
	const char *server; /* where rooms are made: what to call it; "": not known yet */
	bool is_entering;   /* a room is on its way: Escape gives it up */
	struct inbox *inbox; /* the questions of who is logged in, whose drafts keys change; NULL: none are shown */
};

struct tui_options {
	const struct home *home; /* borrowed: this is home, and what is said of a room means nothing; NULL: a room */
	struct teams *teams; /* of who is logged in; what is open of them is chosen by keys; NULL: none are shown */
	const struct settings *settings; /* copied; NULL: the defaults */
	bool ascii; /* what signs = auto is here: nothing of ours beyond ASCII; what people wrote stays */
	bool is_spectator;    /* the name prompt joins as one who only watches */
	bool opens_inbox;     /* at home: begin with the questions */
	bool joins_by_itself; /* the client knows the name and joins: do not ask for one on entry */
	const char *name_hint; /* how one wants to be called: the name prompt begins with it; copied; NULL: nothing */
	const struct invite_place *place; /* of the room's server, for the invitation; copied; NULL: every aye finds it */
};

struct tui *tui_create(const struct tui_options *o);
void tui_destroy(struct tui *t);

/* What is chosen now: look again after each key. Valid as long as t. */
const struct settings *tui_settings(const struct tui *t);

/* Take one key; returns nothing if it only changed the screen. */
struct act tui_take_key(struct tui *t, const struct replica *room, int32_t key);
/* The same for the mouse, on what tui_draw() drew last. */
struct act tui_take_mouse(struct tui *t, const struct replica *room, const struct grid *g,
			  const struct tui_mouse *m);
/* Pasted text: goes into what is being edited, or becomes stories; never acts as keys. */
struct act tui_take_paste(struct tui *t, const struct replica *room, struct slice text);

/*
 * A request of that method was refused, which tui_tell() says behind this: the line it was
 * typed on opens again with its text, where no key was pressed since.
 */
void tui_take_refusal(struct tui *t, enum method method);

/* What saving notes or a description came to: done, or refused. The replica has the notes by then. */
void tui_take_saved(struct tui *t, bool is_done);

/* At home: the answer to the open question was taken; what came of it is in the inbox. */
void tui_take_answered(struct tui *t);

/* A change of a team was done, and teams.h knows: what was made is shown, what is no more is left. */
void tui_take_team_change(struct tui *t, enum method method);

/* The name that was asked for last, or that the client came with, was refused, as why says: ask for another one. */
void tui_refuse_name(struct tui *t, const char *why);

/* Where the room's server is, in place of what was known. */
void tui_set_place(struct tui *t, const struct invite_place *place);
/* The link's state, and one line for the message row ("" clears it): a refusal, a reconnect
 * countdown. */
void tui_set_link(struct tui *t, enum link_state state);
void tui_set_message(struct tui *t, const char *text);
/* The same until the next key: what became of an act. */
void tui_tell(struct tui *t, const char *text);
/* At home: a room on the list is no more, as why says in a sentence; ask whether to forget it. */
void tui_offer_forget(struct tui *t, const char *server, const char *room_id, const char *why);
/* At home: a room has a passcode, and it was not given, or another was; open the line for it. */
void tui_ask_passcode(struct tui *t, const char *server, const char *room_id, bool was_wrong);
/* After tui_set_now(): how long the server has owed an answer, -1: it owes none. From two seconds on the screen says so. */
void tui_set_waits(struct tui *t, int64_t ms);
/* What waits for the connection, in words; "" nothing. */
void tui_set_held(struct tui *t, const char *words);

/*
 * The server's time, in ms since the epoch, before keys and drawing: timers and
 * countdowns are shown against it. Until it is told none are.
 */
void tui_set_now(struct tui *t, int64_t server_ms);
/* In how many ms the screen will look different by time alone; -1: never. */
int64_t tui_changes_in_ms(const struct tui *t, const struct replica *room);

/* Whether the terminal still has to take the last frame: then nothing is shown moving. */
void tui_set_slow(struct tui *t, bool is_slow);

/* Others wait for our vote, as a member with that name says; NULL or "": somebody. */
void tui_take_nudge(struct tui *t, const char *by);
/*
 * The same in a room that no connection of ours follows, on that server. At home the line stays until the next key, and
 * Enter goes into that room; in a room it is shown for a moment.
 */
void tui_take_nudge_elsewhere(struct tui *t, const char *server, const struct session_nudged *n);
/* A question waits for the user: a line says so for a moment, in a room with the way to it. */
void tui_take_question_notice(struct tui *t, const struct question_notice *n);
/* A member shows a word for a moment. */
void tui_take_reaction(struct tui *t, const struct replica *room, const char *user_id,
		       const char *word);

/* Where the person looks, as far as the terminal tells. */
enum focus { FOCUS_UNKNOWN, FOCUS_HERE, FOCUS_AWAY };
void tui_set_focus(struct tui *t, enum focus focus);
/*
 * What to call the person for, told once; after tui_draw(), which sees what is
 * new. Text of others in it is softened; it never holds a vote or a secret.
 * What comes too soon behind the one before waits, the latest of it, and what
 * is too much for a minute is dropped (notification.h); now_ms is of a clock of this
 * machine, not the server's.
 */
struct tui_notice {
	const char *text; /* valid until the next call; NULL: nothing */
	bool is_here;	  /* the window has the focus: ringing will do */
};
struct tui_notice tui_take_notice(struct tui *t, const struct replica *room, int64_t now_ms);

/* The history as far as it was fetched, after each answer or refusal: borrowed until the next call. NULL: none yet. */
struct round_history; /* client/model/room/round_history.h */
void tui_set_rounds(struct tui *t, const struct round_history *rounds);

/*
 * What the screen needs without a key having been pressed: the newest rounds,
 * where it shows them; at home the questions that wait. Ask after every drawing; says each wish
 * of a room once, and those of the inbox as long as its `read` says that they are wanted.
 */
struct act tui_wants(struct tui *t, const struct replica *room);

/*
 * Whether a request that has waited means something in the room as it is now; if not,
 * why, in one line at out: its command is not allowed any more, or its story is gone.
 */
bool tui_refuses(const struct request *r, const struct replica *room, char *out, size_t cap);

/* What we do now, for the others; *story_id: at which story, valid until the next call, or NULL. */
enum activity tui_doing(struct tui *t, const struct replica *room, const char **story_id);

/* After the room, or the time, has changed, and before drawing: what it means for the screen. Keys look by themselves. */
void tui_follow(struct tui *t, const struct replica *room);
/* Draw everything into the grid, whatever its size. The grid's cursor stands on the focused item.
 */
void tui_draw(const struct tui *t, const struct replica *room, struct grid *g);

#endif
