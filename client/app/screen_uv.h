/*
 * screen_uv.h - the terminal on a loop: keys come in, frames go out.
 *
 * Knows when to paint and what keys mean to the views (struct tui); what they
 * show, and what is done about their acts, is its owner's business.
 *
 * Happy path: something changes, app_screen_touch(); a frame is made at once, or
 * when the one before is old enough, and goes out in one write. Where nothing
 * changes nothing wakes us.
 * A slow terminal: the rest of a frame goes out as it can. Keys and news are
 * taken all the while, and what they change is painted once, when all is out.
 * A terminal that is gone ends the program as the person would.
 *
 * Life:    app_screen_init() .. app_screen_end() .. app_screen_finish().
 * Threads: loop thread only.
 */
#ifndef CLIENT_APP_SCREEN_UV_H
#define CLIENT_APP_SCREEN_UV_H

#include "client/app/app_uv.h"
#include "client/net/loop_uv.h"
#include "client/tui/curses/frame_rate.h"
#include "client/tui/curses/screen_curses.h"
#include "client/tui/tui.h"
#include "client/tui/widgets/grid.h"

struct app_screen_handler {
	/* What the views are given, and the time they are drawn at. */
	const struct replica *(*room)(void *owner);
	int64_t (*now_ms)(void *owner);
	/* How long the server has owed an answer; -1: it owes none. */
	int64_t (*waits_ms)(void *owner);
	/* What is to be done for a key, or else by itself, after every drawing; nothing, too. */
	void (*on_act)(void *owner, const struct act *act, bool is_key);
};

struct app_screen {
	struct loop *loop;
	const struct app_options *o;
	const struct app_screen_handler *on;
	void *owner;

	struct screen *terminal; /* NULL until there is something to show */
	struct tui *tui;	 /* what is on it */
	struct tui *next;	 /* the room's, while home still is shown; else NULL */
	struct grid grid;
	uv_poll_t keys;
	uv_poll_t output;  /* for the rest of a frame that the terminal did not take whole */
	uv_timer_t frame;  /* the next paint */
	uv_timer_t second; /* when time alone changes the screen */
	struct frame_rate pace;
	bool has_keys;
	bool has_output;
	bool is_behind; /* something has changed while the last frame is going out */

	bool is_over;
	enum app_end end;
	const char *why; /* of APP_BROKEN; static */
};

void app_screen_init(struct app_screen *s, struct loop *loop, const struct app_options *o,
		     const struct app_screen_handler *on, void *owner);
/* Give the terminal back: it is over, for this reason. The loop wakes; the first call counts. */
void app_screen_end(struct app_screen *s, enum app_end end);
void app_screen_finish(struct app_screen *s);

/* Make views: of what is shown from now on, or, where something is on the screen, of what will follow it. */
void app_screen_prepare(struct app_screen *s, const struct tui_options *o);
/* What was prepared takes the place of what is on the screen. The terminal opens for the first; where that fails, it is over. */
void app_screen_switch(struct app_screen *s);
/* It is not to come. */
void app_screen_drop_next(struct app_screen *s);

/* Something has changed: paint soon, at once where the last time is long enough ago. */
void app_screen_touch(struct app_screen *s);
/* Put the text into the terminal's clipboard, with the next frame. */
void app_screen_copy(struct app_screen *s, const char *text);
/* As EVENT_SIGNAL has it. */
void app_screen_take_signal(struct app_screen *s, int number);

/* A line for the person that stays; text of others in it is softened here. */
void app_screen_say(struct app_screen *s, const char *text);
/* What became of an act: gone with the next key. */
void app_screen_answer(struct app_screen *s, const char *text);
/* Likewise, of a refusal: one that stays, and one that an act met. */
void app_screen_say_fault(struct app_screen *s, const struct fault *f);
void app_screen_answer_fault(struct app_screen *s, const struct fault *f);

#endif
