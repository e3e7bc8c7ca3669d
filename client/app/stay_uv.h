/*
 * stay_uv.h - a stay in one room, from entering to leaving.
 *
 * Happy path: stay_enter() with a room client; the first update puts the room on the
 * screen, opening it if needed; events are shown and acts are carried out until the
 * room is left.
 * Failure: before the first update, a failure ends the stay with a message; later the
 * client reconnects, the screen says so, and acts wait for the connection. The room's
 * end ends the stay.
 *
 * Life:    stay_init(), then any number of stay_enter() .. stay_finish(); stay_close().
 * Threads: loop thread only.
 */
#ifndef CLIENT_APP_STAY_UV_H
#define CLIENT_APP_STAY_UV_H

#include "client/app/room_carry_uv.h"
#include "client/app/screen_uv.h"
#include "client/model/room/presence_throttle.h"
#include "client/net/room_client_uv.h"

/*
 * The stay has ended, even if the room was never shown; see its fault and why. The callback calls
 * stay_finish().
 */
typedef void (*stay_over_cb)(void *owner, enum app_end end);

struct stay {
	struct app_screen *screen;
	const struct app_options *o;
	stay_over_cb on_over;
	void *owner;

	struct app_entry entry;	    /* of the room */
	struct room_client *client; /* NULL: there is no stay */
	bool is_in;		    /* the room is on the screen; false: it is being entered */
	bool was_up;
	bool is_leaving;
	struct fault fault; /* of APP_REFUSED */
	struct errmsg why;  /* of APP_ENDED and APP_LOST */

	struct room_carry carry;
	char dropped[400];		 /* why held requests were dropped since the reconnect */
	struct presence_throttle presence;
	uv_timer_t presence_due;	 /* when the user's activity may be sent again */
	/* the name stored last with the seat's key; NULL: none yet */
	char *seat_name;
	char title[MAX_TITLE_BYTES + 1]; /* stored last */
};

void stay_init(struct stay *s, struct app_screen *screen, const struct app_options *o,
	       stay_over_cb on_over, void *owner);
/* Enter the room of s->entry on this client. */
void stay_enter(struct stay *s, struct room_client *client);
/*
 * Call on_left while the room is still known, if it was on the screen. Part of stay_finish();
 * repeated calls do nothing.
 */
void stay_end(struct stay *s);
/* End the stay, leave the room, and return the client to the caller. */
struct room_client *stay_finish(struct stay *s);
void stay_close(struct stay *s);

const struct replica *stay_room(const struct stay *s);
/* Handle an event of the client. */
void stay_take_event(struct stay *s, const struct event *event);
/* Carry out an act of the screen while the room is on it. */
void stay_do(struct stay *s, const struct act *act);

/* ---- stay_presence_uv.c: the user's activity, sent to the others ---- */

/* Call the first after a key, the second after anything else; they send what is due. */
void stay_presence_key(struct stay *s);
void stay_presence_go(struct stay *s);

#endif
