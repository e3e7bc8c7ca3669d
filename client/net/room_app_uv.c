/*
 * room_app_uv.c - keys, updates and the screen on one loop.
 *
 * Happy path: the room is followed; with its first update the screen opens;
 * keys become acts, whatever changes is painted, at most 60 times a second and
 * not at all when nothing does; leaving puts the terminal back.
 * Failure: before the first update the program ends with a word about it and
 * no screen was ever shown; later the link comes back by itself and the screen
 * says so. Signals, a terminal that is gone and the room's end close everything
 * the same way.
 */
#include "client/net/room_app_parts.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/model/narrate.h"
#include "proto/assert.h"
#include "proto/format.h"
#include "proto/text.h"

#define ROOM_APP_FRAME_MS 16

/* ---- the end ---- */

void room_app_stop(struct room_app *app, enum room_app_end end)
{
	if (app->is_over) {
		return;
	}
	app->is_over = true;
	app->end = end;
	screen_close(app->screen);
	app->screen = NULL;
	follow_close(app->follow);
	uv_close((uv_handle_t *)&app->frame, NULL);
	uv_close((uv_handle_t *)&app->second, NULL);
	uv_close((uv_handle_t *)&app->goodbye, NULL);
	for (size_t i = 0; i < ROOM_APP_SIGNALS; i++) {
		uv_close((uv_handle_t *)&app->signals[i], NULL);
	}
	if (app->has_keys) {
		uv_close((uv_handle_t *)&app->keys, NULL);
	}
}

static void room_app_break(struct room_app *app, const char *why)
{
	errmsg_set(app->why, "%s", why);
	room_app_stop(app, ROOM_APP_BROKEN);
}

/* ---- painting ---- */

static void room_app_on_second(uv_timer_t *timer)
{
	room_app_touch(timer->data);
}

/* A clock on the screen goes on by itself; without one nothing wakes us. */
static void room_app_wait_second(struct room_app *app)
{
	int64_t ms = tui_changes_in_ms(app->tui, &follow_attend(app->follow)->room);
	if (ms < 0) {
		(void)uv_timer_stop(&app->second);
	} else {
		(void)uv_timer_start(&app->second, room_app_on_second, (uint64_t)ms, 0);
	}
}

static void room_app_on_frame(uv_timer_t *timer)
{
	struct room_app *app = timer->data;
	app->painted_ms = uv_now(&app->loop);
	tui_set_now(app->tui, follow_server_ms(app->follow));
	tui_draw(app->tui, &follow_attend(app->follow)->room, &app->grid);
	room_app_wait_second(app);
	if (tui_wants_bell(app->tui)) {
		screen_bell(app->screen);
	}
	enum err e = screen_paint(app->screen, &app->grid);
	if (e == ERR_IO) {
		room_app_stop(app, ROOM_APP_LEFT); /* nobody sees it any more */
	} else if (e != OK) {
		room_app_break(app, err_text(e));
	}
}

void room_app_touch(struct room_app *app)
{
	if (app->is_over || app->screen == NULL || uv_is_active((uv_handle_t *)&app->frame)) {
		return;
	}
	uint64_t since_ms = uv_now(&app->loop) - app->painted_ms;
	uint64_t wait_ms = since_ms >= ROOM_APP_FRAME_MS ? 0 : ROOM_APP_FRAME_MS - since_ms;
	(void)uv_timer_start(&app->frame, room_app_on_frame, wait_ms, 0);
}

static void room_app_resize(struct room_app *app)
{
	int width;
	int height;
	if (app->screen == NULL) {
		return;
	}
	screen_size(app->screen, &width, &height);
	if (grid_resize(&app->grid, width, height) != OK) {
		room_app_break(app, err_text(ERR_NOMEM));
		return;
	}
	room_app_touch(app);
}

void room_app_say(struct room_app *app, const char *text)
{
	char soft[400];
	size_t len = text_soften(slice_str(text), soft, sizeof(soft) - 1);
	soft[len] = '\0';
	tui_set_message(app->tui, soft);
	room_app_touch(app);
}

void room_app_answer(struct room_app *app, const char *text)
{
	char soft[400];
	size_t len = text_soften(slice_str(text), soft, sizeof(soft) - 1);
	soft[len] = '\0';
	if (len > 0 && soft[0] >= 'a' && soft[0] <= 'z') {
		soft[0] = (char)(soft[0] - 'a' + 'A');
	}
	tui_tell(app->tui, soft);
	room_app_touch(app);
}

/* ---- keys ---- */

/* One event of the terminal; whether more may wait. */
static bool room_app_take_event(struct room_app *app)
{
	int32_t key = 0;
	struct slice paste = {0};
	switch (screen_read(app->screen, &key, &paste)) {
	case SCREEN_NOTHING:
		return false;
	case SCREEN_KEY: {
		tui_set_now(app->tui, follow_server_ms(app->follow));
		struct ask ask = tui_take_key(app->tui, &follow_attend(app->follow)->room, key);
		room_app_do(app, &ask);
		break;
	}
	case SCREEN_PASTE:
		tui_take_paste(app->tui, paste);
		break;
	case SCREEN_CHANGED:
		room_app_resize(app);
		break;
	case SCREEN_GONE:
		room_app_stop(app, ROOM_APP_LEFT);
		return false;
	}
	room_app_touch(app);
	return !app->is_over;
}

static void room_app_on_keys(uv_poll_t *poll, int status, int events)
{
	struct room_app *app = poll->data;
	(void)events;
	if (status < 0) {
		room_app_stop(app, ROOM_APP_LEFT);
		return;
	}
	while (room_app_take_event(app)) {
	}
}

static void room_app_on_signal(uv_signal_t *handle, int number)
{
	struct room_app *app = handle->data;
	if (number == SIGWINCH) {
		room_app_resize(app);
	} else {
		room_app_stop(app, ROOM_APP_LEFT);
	}
}

/* ---- the screen opens with the first update ---- */

static bool room_app_watch_keys(struct room_app *app)
{
	int flags = fcntl(STDIN_FILENO, F_GETFL);
	if (flags < 0 || uv_poll_init(&app->loop, &app->keys, STDIN_FILENO) < 0) {
		return false;
	}
	/* uv_poll_init() made the terminal non-blocking, output and the shell's side included. */
	(void)fcntl(STDIN_FILENO, F_SETFL, flags);
	app->has_keys = true;
	app->keys.data = app;
	return uv_poll_start(&app->keys, UV_READABLE, room_app_on_keys) == 0;
}

static void room_app_open_screen(struct room_app *app)
{
	struct screen_options o = {.no_color = app->o->no_color};
	enum err e = screen_open(&o, &app->screen);
	if (e == ERR_NOT_FOUND) {
		room_app_stop(app, ROOM_APP_NO_SCREEN);
	} else if (e != OK) {
		room_app_break(app, err_text(e));
	} else if (!room_app_watch_keys(app)) {
		room_app_break(app, "the terminal cannot be watched");
	} else {
		tui_set_link(app->tui, LINK_LIVE);
		room_app_resize(app);
	}
}

/* ---- news ---- */

/* Keep the seat's key under its name, once it has both and whenever one changes. */
static void room_app_keep_seat(struct room_app *app, const struct attend *a)
{
	char *name = a->name == NULL ? NULL : strdup(a->name);
	if (name == NULL) {
		return;
	}
	app->o->on_seat(app->o->owner, app->seat_name, name, a->user_key);
	free(app->seat_name);
	app->seat_name = name;
}

static void room_app_tell_signals(struct room_app *app, const struct attend *a, unsigned news)
{
	tui_set_now(app->tui, follow_server_ms(app->follow));
	if ((news & ATTEND_NEWS_NUDGED) != 0) {
		tui_take_nudge(app->tui, a->nudged_by);
	}
	if ((news & ATTEND_NEWS_REACTION) != 0) {
		tui_take_reaction(app->tui, &a->room, a->reaction_user_id, a->reaction_word);
	}
}

static void room_app_warn(struct room_app *app, const struct attend *a)
{
	struct buf text;
	buf_init(&text, 256);
	if (narrate_expiring(a->expires_in_ms, &text) == OK) {
		struct errmsg line;
		errmsg_set(&line, "%.*s", (int)text.len - 1, text.data);
		room_app_say(app, line.text);
	}
	buf_finish(&text);
}

static void room_app_tell(struct room_app *app, const struct attend *a, unsigned news)
{
	if ((news & (ATTEND_NEWS_SEAT | ATTEND_NEWS_JOINED)) != 0) {
		room_app_keep_seat(app, a);
	}
	bool is_there = a->room.has_state || a->room.i_am_waiting;
	if (app->screen == NULL && (news & ATTEND_NEWS_ROOM) != 0 && is_there) {
		room_app_open_screen(app);
	}
	if (app->is_over) {
		return;
	}
	if ((news & ATTEND_NEWS_REFUSED) != 0) {
		room_app_say(app, a->fault.message);
	}
	if ((news & ATTEND_NEWS_STALE) != 0) {
		room_app_say(app, "The next round had begun: choose a card again.");
	}
	if ((news & ATTEND_NEWS_EXPIRING) != 0) {
		room_app_warn(app, a);
	}
	if ((news & ATTEND_NEWS_CLOSING) != 0) {
		room_app_say(app, a->reason);
	}
	room_app_tell_signals(app, a, news);
	tui_set_pending(app->tui, attend_pending_vote(a));
	room_app_touch(app);
}

static void room_app_on_news(void *owner, unsigned news)
{
	struct room_app *app = owner;
	const struct attend *a = follow_attend(app->follow);
	if ((news & ATTEND_NEWS_ENDED) != 0) {
		bool is_refused = (news & ATTEND_NEWS_REFUSED) != 0;
		*app->fault = a->fault;
		errmsg_set(app->why, "%s", a->reason);
		room_app_stop(app, app->is_leaving ? ROOM_APP_LEFT
				   : is_refused	   ? ROOM_APP_REFUSED
						   : ROOM_APP_ENDED);
		return;
	}
	room_app_tell(app, a, news);
}

static void room_app_on_link(void *owner, bool is_up, const char *why, int64_t retry_ms)
{
	struct room_app *app = owner;
	(void)retry_ms;
	if (!is_up && (!app->was_up || app->is_leaving)) {
		errmsg_set(app->why, "%s", why);
		room_app_stop(app, app->is_leaving ? ROOM_APP_LEFT : ROOM_APP_LOST);
		return;
	}
	app->was_up = true;
	tui_set_link(app->tui, is_up ? LINK_LIVE : LINK_LOST);
	if (is_up) {
		room_app_say(app, "");
	} else {
		struct errmsg text;
		errmsg_set(&text, "Connection lost: %s. Trying again.", why);
		room_app_say(app, text.text);
		app->o->on_lost(app->o->owner);
	}
}

static void room_app_on_refusal(void *owner, enum method method, const struct fault *f)
{
	struct room_app *app = owner;
	if (method == METHOD_ROOM_LEAVE) {
		room_app_stop(app, ROOM_APP_LEFT);
	} else {
		room_app_answer(app, f->message);
	}
}

static void room_app_on_done(void *owner, enum method method)
{
	if (method == METHOD_ROOM_LEAVE) {
		room_app_stop(owner, ROOM_APP_LEFT);
	}
}

static const struct follow_handler room_app_follow_handler = {
	.on_news = room_app_on_news,
	.on_link = room_app_on_link,
	.on_refusal = room_app_on_refusal,
	.on_done = room_app_on_done,
	.on_result = room_app_on_result,
};

/* ---- life ---- */

static void room_app_open_handles(struct room_app *app)
{
	static const int numbers[ROOM_APP_SIGNALS] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT};
	(void)uv_timer_init(&app->loop, &app->frame);
	(void)uv_timer_init(&app->loop, &app->second);
	(void)uv_timer_init(&app->loop, &app->goodbye);
	app->frame.data = app;
	app->second.data = app;
	app->goodbye.data = app;
	for (size_t i = 0; i < ROOM_APP_SIGNALS; i++) {
		(void)uv_signal_init(&app->loop, &app->signals[i]);
		app->signals[i].data = app;
		(void)uv_signal_start(&app->signals[i], room_app_on_signal, numbers[i]);
	}
}

static enum err room_app_want(struct room_app *app)
{
	struct attend *a = follow_attend(app->follow);
	if (app->o->host_key[0] != '\0') {
		attend_want_host(a, app->o->host_key);
	}
	if (app->o->passcode != NULL) {
		attend_want_passcode(a, app->o->passcode);
	}
	return app->o->name == NULL
		       ? OK
		       : attend_want_name(a, app->o->name, app->o->is_spectator, false);
}

static enum err room_app_begin(struct room_app *app)
{
	struct tui_options o = {
		.ascii = app->o->ascii,
		.is_spectator = app->o->is_spectator,
		.joins_by_itself = app->o->name != NULL,
		.name_hint = app->o->name_hint,
	};
	enum err e = tui_create(&o, &app->tui);
	if (e == OK) {
		e = follow_open(&app->loop, &app->o->address, app->o->room_id, app->o->user_key,
				&room_app_follow_handler, app, &app->follow);
	}
	if (e != OK) {
		return e;
	}
	follow_sign_in(app->follow, app->o->sign_in);
	app->carry = (struct room_carry){
		.follow = app->follow,
		.room_id = app->o->room_id,
		.host_key = app->o->host_key,
		.on = &room_app_carry_handler,
		.owner = app,
	};
	return room_app_want(app);
}

enum room_app_end room_app_run(const struct room_app_options *o, struct fault *fault,
			       struct errmsg *why)
{
	struct room_app app = {.o = o, .fault = fault, .why = why};
	if (uv_loop_init(&app.loop) < 0) {
		errmsg_set(why, "%s", err_text(ERR_NOMEM));
		return ROOM_APP_BROKEN;
	}
	room_app_open_handles(&app);
	enum err e = room_app_begin(&app);
	if (e != OK) {
		room_app_break(&app, err_text(e));
	}
	(void)uv_run(&app.loop, UV_RUN_DEFAULT);
	int status = uv_loop_close(&app.loop);
	ASSERT_CMP(status, ==, 0);
	tui_destroy(app.tui);
	grid_finish(&app.grid);
	room_carry_finish(&app.carry);
	free(app.seat_name);
	return app.end;
}
