/*
 * stay_uv.h - a stay in one room, from entering to leaving.
 *
 * Happy path: stay_enter() with a room client; with its first update the room is
 * put on the screen, which opens for it where it has not; what happens is shown
 * there, and what the screen asks for is carried out, until it is left.
 * Failure: before the first update the stay ends with a word about it; later the
 * connection comes back by itself, the screen says so, and acts wait for it. The
 * room's end ends the stay.
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

/* It is over, whether or not it had begun; fault and why of the stay say more. Calls stay_finish(). */
typedef void (*stay_over_cb)(void *owner, enum app_end end);

struct stay {
	struct app_screen *screen;
	const struct app_options *o;
	struct teams *teams; /* borrowed, for the screen */
	stay_over_cb on_over;
	void *owner;

	struct app_entry entry;	    /* of the room */
	struct room_client *client; /* NULL: there is no stay */
	bool is_in;		    /* the room is on the screen, not only on its way */
	bool was_up;
	bool is_leaving;
	struct fault fault; /* of APP_REFUSED */
	struct errmsg why;  /* of APP_ENDED and APP_LOST */

	struct room_carry carry;
	char dropped[400];		 /* what became of none, since the connection is back */
	struct presence_throttle presence;
	uv_timer_t presence_due;	 /* when what we do may be sent again */
	char *seat_name;		 /* under which the key was kept last; NULL: not yet */
	char title[MAX_TITLE_BYTES + 1]; /* as it was kept last */
};

void stay_init(struct stay *s, struct app_screen *screen, const struct app_options *o, struct teams *teams,
	       stay_over_cb on_over, void *owner);
/* Begin to stay in the room of s->entry, on this client. */
void stay_enter(struct stay *s, struct room_client *client);
/* Whoever was in is so no more, while the room is still known. Part of stay_finish(); once is enough. */
void stay_end(struct stay *s);
/* The client, which is in no room any more; the caller's. */
struct room_client *stay_finish(struct stay *s);
void stay_close(struct stay *s);

const struct replica *stay_room(const struct stay *s);
/* What happens to the client. */
void stay_take_event(struct stay *s, const struct event *event);
/* What the screen asks for while the room is on it. */
void stay_do(struct stay *s, const struct act *act);

/* stay_presence_uv.c: what the person does, sent to the others */
/* After a key, and after anything else; sends what is due. */
void stay_presence_key(struct stay *s);
void stay_presence_go(struct stay *s);

#endif
