/*
 * tui.h - the screen of a room or of home: keys in, a grid of cells and requests out.
 *
 * Pure: draws the replica into a grid, and turns keys into requests. It does not use
 * the connection, the clock or curses; client/app sends the requests, and
 * screen_curses.c writes the grid to the terminal.
 *
 * Life: tui_create() .. tui_destroy().
 */
#ifndef CLIENT_TUI_TUI_H
#define CLIENT_TUI_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/formats/import/stories_import.h"
#include "client/model/invite.h"
#include "client/model/lists/teams.h"
#include "client/model/questions/inbox.h"
#include "client/model/recent_rooms.h"
#include "client/model/request.h"
#include "client/model/room/replica.h"
#include "client/model/settings.h"
#include "client/tui/widgets/keys.h"

struct tui;
struct grid; /* client/tui/widgets/grid.h */

/* The state of the connection, for the header. */
enum link_state { LINK_CONNECTING, LINK_LIVE, LINK_LOST };

/* Acts that the client carries out itself; all others are requests to the server. */
enum local_act {
	LOCAL_NONE,
	LOCAL_LEAVE,	     /* leave the room; at home, quit */
	LOCAL_SAVE_SETTINGS, /* store tui_settings() */
	LOCAL_ADD_STORIES,   /* add `stories`, one or more */
	/* at home: enter the room room_id on server, as given; text: the passcode, "": none */
	LOCAL_ENTER,
	LOCAL_FORGET,	     /* at home: forget the room room_id on server */
	LOCAL_COPY,	     /* copy `text` to the terminal's clipboard */
	LOCAL_STAY	     /* at home: cancel entering a room */
};
/*
 * The result of a key: nothing, a local act, or a request without the params common to all
 * requests (request.h). Owned by the tui, and valid until its next call; to keep the request
 * longer, take a reference.
 *
 * Three requests mean more than their method: room.vote without a vote changes the comment or
 * confidence of the own vote, map.set of the notes may need their map created first, and
 * room.join at home sets the name for later.
 */
struct act {
	enum local_act local;
	struct request *request; /* NULL: none */
	/* the feed to read with it; NULL: the request is an action of the user */
	struct feed *feed;
	const char *text; /* also for map.set: the text of the notes in its value */
	const struct stories_import *stories;
	const char *room_id;
	const char *server; /* "": the server of home */
};

/* The data of home, owned by the client, which may change it between calls. */
struct home {
	const struct recent_rooms *recent;
	const char *name;   /* for joining rooms; NULL or "": none yet */
	bool is_signed_in;  /* the name is of a login */
	/* the name shown for the server that creates rooms; "": not known yet */
	const char *server;
	bool is_entering;   /* a room is being entered; Escape cancels */
};

struct tui_options {
	/* borrowed; this is home, and room arguments are ignored; NULL: a room */
	const struct home *home;
	/* of the logged-in user; borrowed; keys change what is open; NULL: not shown */
	struct teams *teams;
	/* the questions for them, with drafts that keys change; borrowed; NULL: not shown */
	struct inbox *inbox;
	const struct settings *settings; /* copied; NULL: the defaults */
	/* the meaning of signs = auto: ASCII signs only; text of people is not changed */
	bool ascii;
	bool is_spectator;    /* the name prompt joins as a spectator */
	bool opens_inbox;     /* at home: start in the inbox */
	/* the client knows the name and joins: do not ask for a name on entry */
	bool joins_by_itself;
	const char *name_hint; /* the initial text of the name prompt; copied; NULL: none */
	/* the room's server, for the join command; copied; NULL: the default server */
	const struct invite_place *place;
};

struct tui *tui_create(const struct tui_options *o);
void tui_destroy(struct tui *t);

/* The settings as chosen now; look again after each key. Valid as long as t. */
const struct settings *tui_settings(const struct tui *t);

/* An address of this machine by which others may reach it. */
enum { MACHINE_ADDRESSES_MAX = 16 };
struct machine_address {
	char host[56]; /* in numbers; [IPV6] */
	char device[24];
};
/* Set the addresses offered for sharing; copied. */
void tui_set_machine(struct tui *t, const struct machine_address *list, size_t n);

/* Take one key; the act is empty if it only changed the screen. */
struct act tui_take_key(struct tui *t, const struct replica *room, int32_t key);
/* The same for the mouse, on what tui_draw() drew last. */
struct act tui_take_mouse(struct tui *t, const struct replica *room, const struct grid *g,
			  const struct tui_mouse *m);
/*
 * Take pasted text: it goes into what is being edited, or becomes stories, but never acts as keys.
 */
struct act tui_take_paste(struct tui *t, const struct replica *room, struct slice text);

/*
 * A request of that method was refused, as a following tui_tell() says: open the line that it
 * was typed on again with its text, unless a key was pressed since.
 */
void tui_take_refusal(struct tui *t, enum method method);

/*
 * Saving notes or a description succeeded or was refused. The replica must have the notes by then.
 */
void tui_take_saved(struct tui *t, bool is_done);

/* At home: the server accepted the answer to the open question; the inbox has been updated. */
void tui_take_answered(struct tui *t, const struct question_answer_result *r);
/* The question that was written on the screen is asked. */
void tui_take_asked(struct tui *t, const struct question_ask_result *asked);

/*
 * A change of a team succeeded, and teams.h has it: show what was created, and leave what was
 * deleted.
 */
void tui_take_team_change(struct tui *t, enum method method);

/*
 * The last wanted name, typed or given by the client, was refused: prompt for another. @why  shown
 * to the user.
 */
void tui_refuse_name(struct tui *t, const char *why);

/* Set where the room's server is; copied. */
void tui_set_place(struct tui *t, const struct invite_place *place);
/* Set the link state, and one line for the message row ("" clears it): a refusal, a reconnect
 * countdown. */
void tui_set_link(struct tui *t, enum link_state state);
void tui_set_message(struct tui *t, const char *text);
/* The link is lost, and why, for the message row. Where it was lost before, one more try has failed:
 * an answer that stands over the message stays. */
void tui_lose_link(struct tui *t, const char *why);
/* Show a message until the next key: the result of an act. */
void tui_tell(struct tui *t, const char *text);
/* At home: a room on the list no longer exists; ask whether to forget it. @why  a sentence. */
void tui_offer_forget(struct tui *t, const char *server, const char *room_id, const char *why);
/* At home: a room's passcode was missing or wrong; prompt for it. */
void tui_ask_passcode(struct tui *t, const char *server, const char *room_id, bool was_wrong);
/*
 * After tui_set_now(): how long an answer has been missing, in ms; -1: none is. From two seconds on
 * the screen says so.
 */
void tui_set_waits(struct tui *t, int64_t ms);
/* Set the line about requests that wait for the connection; "": none. */
void tui_set_held(struct tui *t, const char *words);

/*
 * Set the server's time, in ms since the epoch; call it before keys and drawing. Timers
 * and countdowns are relative to it, and not shown until it is set.
 */
void tui_set_now(struct tui *t, int64_t server_ms);
/* The time in ms until the screen changes without an event; -1: never. */
int64_t tui_changes_in_ms(const struct tui *t, const struct replica *room);

/* Whether the last frame is still being written to the terminal: then nothing is animated. */
void tui_set_slow(struct tui *t, bool is_slow);

/* A member nudged this user to vote. @by  the member's name; NULL or "": not known. */
void tui_take_nudge(struct tui *t, const char *by);
/*
 * The same from a room on that server to which this client is not subscribed. At home the line
 * stays until the next key, and Enter enters that room; in a room it is shown temporarily.
 */
void tui_take_nudge_elsewhere(struct tui *t, const char *server, const struct session_nudged *n);
/* The same where the room waits for the user's votes. The caller leaves out the room on the screen. */
void tui_take_waiting(struct tui *t, const char *server, const struct session_waiting *n);
/* A question waits for the user: say so temporarily, in a room with how to reach it. */
void tui_take_question_notice(struct tui *t, const struct replica *room,
			      const struct question_notice *n);
/* A question of the user's has ended: say so temporarily. */
void tui_take_question_ended(struct tui *t, const struct question_ended *n);
/* Show a member's reaction temporarily. */
void tui_take_reaction(struct tui *t, const struct replica *room, const char *user_id,
		       const char *word);

/* Whether the terminal's window has the focus, as far as the terminal reports it. */
enum focus { FOCUS_UNKNOWN, FOCUS_HERE, FOCUS_AWAY };
void tui_set_focus(struct tui *t, enum focus focus);
/*
 * A desktop notification for the user, returned once; call it after tui_draw(), which
 * finds what is new. Text of others in it is softened; it never holds a vote or a secret.
 * One that comes too soon after the last waits, and a later one replaces it; those above
 * the limit for a minute are dropped (notification.h). now_ms is of a local clock, not
 * the server's.
 */
struct tui_notice {
	const char *text; /* valid until the next call; NULL: none */
	bool is_here;	  /* the window has the focus: ringing the bell is enough */
};
struct tui_notice tui_take_notice(struct tui *t, const struct replica *room, int64_t now_ms);

/*
 * Set the part of the history fetched so far, after each answer or refusal; borrowed until the next
 * call. NULL: none yet.
 */
struct round_history; /* client/model/room/round_history.h */
void tui_set_rounds(struct tui *t, const struct round_history *rounds);

/*
 * A request that the screen needs without a key: the newest rounds, if it shows them; at home
 * the waiting questions. Call it after every drawing. A request of a room is returned once,
 * those of the inbox as long as its `read` says that they are wanted.
 */
struct act tui_wants(struct tui *t, const struct replica *room);

/*
 * Whether a request that has waited no longer applies to the room: its command is not allowed
 * now, or its story was removed. Writes why to out, in one line. An offline_refuses.
 */
bool tui_refuses(const struct request *r, const struct replica *room, char *out, size_t cap);

/*
 * The user's activity, for the presence seen by others; *story_id: the story, valid until the next
 * call, or NULL.
 */
enum activity tui_doing(struct tui *t, const struct replica *room, const char **story_id);

/*
 * Update the screen's state; call it after the room or the time has changed, before drawing. Keys
 * do it themselves.
 */
void tui_follow(struct tui *t, const struct replica *room);
/* Draw everything into the grid, whatever its size. The grid's cursor is on the focused item. */
void tui_draw(const struct tui *t, const struct replica *room, struct grid *g);

#endif
