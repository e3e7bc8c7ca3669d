/*
 * screen_uv.h - the terminal on a loop: reads keys and writes frames.
 *
 * Decides when to paint, and passes keys to the views (struct tui). What the views
 * show, and how their acts are carried out, is the owner's business.
 *
 * Happy path: something changes, app_screen_touch(); a frame is drawn at once, or
 * when the last one is old enough, and sent in one write. Without changes the
 * process sleeps.
 * A slow terminal: the rest of a frame is written when the terminal accepts it.
 * Keys and news are handled in the meantime, and painted once the frame is out.
 * If the terminal disappears, the program ends as if the user had quit.
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
	/* The room and the server's time, for the views. */
	const struct replica *(*room)(void *owner);
	int64_t (*now_ms)(void *owner);
	/* How long an answer has been missing, in ms; -1: none is. */
	int64_t (*waits_ms)(void *owner);
	/*
	 * Carry out the act of a key, or with is_key false that of tui_wants() after a drawing; it
	 * may be empty.
	 */
	void (*on_act)(void *owner, const struct act *act, bool is_key);
};

struct app_screen {
	struct loop *loop;
	const struct app_options *o;
	const struct app_screen_handler *on;
	void *owner;
	/* what home and a room show of a login; set before the first tui */
	struct teams *teams;
	struct inbox *inbox;

	struct screen *terminal; /* NULL until there is something to show */
	struct tui *tui;	 /* on the terminal */
	struct tui *next;	 /* of the room being entered, while home is shown; else NULL */
	struct grid grid;
	uv_poll_t keys;
	uv_poll_t output;  /* for the rest of a frame that was not written completely */
	uv_timer_t frame;  /* the next paint */
	uv_timer_t second; /* the next change by time alone */
	struct frame_rate pace;
	bool has_keys;
	bool has_output;
	bool is_behind; /* something changed while the last frame is being written */

	bool is_over;
	enum app_end end;
	const char *why; /* of APP_BROKEN; static */
};

void app_screen_init(struct app_screen *s, struct loop *loop, const struct app_options *o,
		     const struct app_screen_handler *on, void *owner);
/* End the screen, restore the terminal and wake the loop. Only the first call counts. */
void app_screen_end(struct app_screen *s, enum app_end end);
void app_screen_finish(struct app_screen *s);

/*
 * Create the first tui, or, if one is on the screen, the next one. What both home and a room show
 * is filled in here.
 */
void app_screen_prepare(struct app_screen *s, struct tui_options *o);
/*
 * Put the prepared tui on the screen. Opens the terminal for the first one; if that fails, ends the
 * screen.
 */
void app_screen_switch(struct app_screen *s);
/* Drop the prepared tui. */
void app_screen_drop_next(struct app_screen *s);

/* Something has changed: paint soon, or at once if the last frame is old enough. */
void app_screen_touch(struct app_screen *s);
/* Put the text into the terminal's clipboard, with the next frame. */
void app_screen_copy(struct app_screen *s, const char *text);
/* Handle the signal of an EVENT_SIGNAL. */
void app_screen_take_signal(struct app_screen *s, int number);

/* Show a message that stays; the text is softened here. */
void app_screen_say(struct app_screen *s, const char *text);
/* tui_lose_link(); the text is softened here. */
void app_screen_lose(struct app_screen *s, const char *why);
/* Show the result of an act until the next key. */
void app_screen_answer(struct app_screen *s, const char *text);
/* The same for refusals: one that stays, and one until the next key. */
void app_screen_say_fault(struct app_screen *s, const struct fault *f);
void app_screen_answer_fault(struct app_screen *s, const struct fault *f);

#endif
