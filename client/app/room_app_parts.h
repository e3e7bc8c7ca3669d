/*
 * room_app_parts.h - what the parts of the terminal program share; only for
 * screen_uv.c, which runs it, room_app_paint_uv.c, which keeps the screen up
 * to date, room_app_stay_uv.c, which stays in a room, room_app_actions_uv.c, which
 * carries out what the screen asks for there, room_app_presence_uv.c, which
 * tells the others what the person does, room_app_queue_uv.c, which keeps what is
 * asked for without a connection, home_uv.c, which is where one comes
 * from, and room_app_create_uv.c, which makes rooms there.
 *
 *   home --- a room is chosen ---> entering --- its first update ---> in
 *     ^                               |                               |
 *     +--- given up, refused, lost ---+---- left, ended, refused -----+
 *
 * Without a home the program begins with entering, and ends where it would go
 * home.
 */
#ifndef CLIENT_APP_ROOM_APP_PARTS_H
#define CLIENT_APP_ROOM_APP_PARTS_H

#include "client/app/room_carry_uv.h"
#include "client/app/screen_uv.h"
#include "client/model/offline_queue.h"
#include "client/model/presence_throttle.h"
#include "client/net/connection_uv.h"
#include "client/net/follow_uv.h"
#include "client/tui/curses/screen_curses.h"
#include "client/tui/frame_rate.h"
#include "client/tui/grid.h"
#include "client/tui/tui.h"

#define ROOM_APP_SIGNALS 5

/* All zero where there is no home. */
struct room_app_home {
	struct home shown; /* what the screen shows, of what follows */
	struct recent_rooms recent;
	char name[ROOM_APP_NAME_BYTES_MAX + 1];
	struct room_app_place place;
	bool has_place;
	struct connection *link; /* to that place; NULL: not connecting, or lent to the follow */
	uv_timer_t seek;   /* the place is looked for, now or again */
	bool is_creating;  /* a room is being made */
};

/* What waits for the connection, in the room that is followed. */
struct room_app_held {
	struct offline_queue acts;
	bool is_asked;        /* one of them is on its way */
	int64_t done_version; /* what the room must reach to show what was done */
	char dropped[400];    /* what became of none, since the connection is back */
};

struct room_app {
	uv_loop_t loop;
	uv_poll_t keys;
	uv_timer_t frame;   /* the next paint */
	uv_timer_t second;  /* when time alone changes the screen */
	uv_timer_t said;    /* when what we do may be told again */
	uv_timer_t goodbye; /* how long leaving may take */
	uv_timer_t slow;    /* how long nothing may be shown without a word */
	uv_signal_t signals[ROOM_APP_SIGNALS];
	uv_poll_t output; /* for the rest of a frame that the terminal did not take whole */
	bool has_keys;
	bool has_output;

	const struct room_app_options *o;
	struct room_app_home home;
	struct room_app_entry entry; /* of the room that is followed */
	struct follow *follow; /* NULL: at home */
	bool is_in;	       /* the room is on the screen, not only on its way */
	struct screen *screen; /* NULL until there is something to show */
	struct tui *tui;       /* what is on the screen */
	struct tui *next;      /* the room's, while home still is; else NULL */
	struct grid grid;
	struct room_carry carry;
	struct room_app_held held;
	struct frame_rate pace;
	bool is_behind; /* something has changed while the last frame is going out */
	struct presence_throttle presence;
	bool was_up;
	bool is_leaving;
	bool is_over;
	char *seat_name; /* under which the key was kept last; NULL: not yet */
	char title[MAX_TITLE_BYTES + 1]; /* as it was kept last */

	enum room_app_end end;
	struct fault *fault;
	struct errmsg *why;
};

/* screen_uv.c */
/* What the views are given; at home that is no room. */
const struct replica *room_app_shown(const struct room_app *app);
/* The time they are drawn at. */
int64_t room_app_now(const struct room_app *app);
void room_app_stop(struct room_app *app, enum room_app_end end);
/* Likewise, for want of memory or a terminal. */
void room_app_break(struct room_app *app, const char *why);
void room_app_open_screen(struct room_app *app);
/* A line for the person that stays; text of others in it is softened here. */
void room_app_say(struct room_app *app, const char *text);
/* What became of an act: gone with the next key. */
void room_app_answer(struct room_app *app, const char *text);
/* Likewise, of a refusal: one that stays, and one that an act met. */
void room_app_say_fault(struct room_app *app, const struct fault *f);
void room_app_answer_fault(struct room_app *app, const struct fault *f);

/* room_app_paint_uv.c */
/* Paint soon: at once where the last time is long enough ago. */
void room_app_touch(struct room_app *app);
/* Ask for the terminal's size, and paint everything. */
void room_app_resize(struct room_app *app);

/* room_app_stay_uv.c */
/* Begin to follow the room of app->entry, on home's connection where it has one. ERR_NOMEM. */
NODISCARD enum err room_app_enter(struct room_app *app);
/* The stay is over, whether or not it had begun: back home, or the end of the program. */
void room_app_stay_over(struct room_app *app, enum room_app_end end);
/* Give back what the stay had; the follow is not among it. */
void room_app_stay_finish(struct room_app *app);

/* home_uv.c */
/* ERR_NOMEM. */
NODISCARD enum err room_app_home_open(struct room_app *app);
void room_app_home_close(struct room_app *app);
void room_app_home_do(struct room_app *app, const struct act *act);
/* At home again, on the screen that was there all the time, or on a new one. */
void room_app_home_settle(struct room_app *app);
/* The same where nothing may have changed hands yet; why is told. */
void room_app_home_stay(struct room_app *app, const char *why);
/* To the room of app->entry, which the owner has chosen. */
void room_app_home_go(struct room_app *app);
/* Back from a room, or from the way there; app->fault and app->why say more of the end. */
void room_app_home_return(struct room_app *app, enum room_app_end end, bool is_gone);

/* room_app_create_uv.c: room.create */
void room_app_home_create(struct room_app *app, struct request *r);

/* room_app_actions_uv.c */
extern const struct room_carry_handler room_app_carry_handler;
void room_app_do(struct room_app *app, const struct act *act);
/* What the screen wants without a key; after every drawing. */
void room_app_want(struct room_app *app);
/* An act was refused, or its connection ended: say so where a person asked for it. */
void room_app_take_refusal(struct room_app *app, enum method method, const struct fault *f);
/* room_app_queue_uv.c */
/* Without a connection: the request waits, or is told not to. False where it is not one that waits. */
bool room_app_hold(struct room_app *app, struct request *r);
/* It saves a text of several lines, which stays in its editor until it is saved. */
bool room_app_saves_text(const struct request *r);
/* After anything that may have brought the room, or the connection, back. */
void room_app_held_go(struct room_app *app);
void room_app_held_down(struct room_app *app);
/* An act was done or refused; its result before that. */
void room_app_held_done(struct room_app *app);
void room_app_held_result(struct room_app *app, const struct msgpack_object *result);
void room_app_held_finish(struct room_app *app);

/* room_app_presence_uv.c */
/* After a key. */
void room_app_presence_key(struct room_app *app);
/* After anything else; says what is due. */
void room_app_presence_go(struct room_app *app);
/* The end of a request; false where it was none of these. */
bool room_app_presence_answer(struct room_app *app, enum method method, bool is_done);

/* As follow_uv.h has it; owner is a struct room_app. */
void room_app_on_result(void *owner, enum method method, const struct msgpack_object *result);

#endif
