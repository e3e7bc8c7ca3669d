/*
 * screen_uv.c - keys, time and the screen on one loop.
 *
 * Keys become acts; whatever changes is painted, at most 60 times a second and
 * not at all when nothing does. Signals, a terminal that is gone and the end
 * of what is shown close everything the same way, and the terminal is as it
 * was before.
 */
#include "client/app/room_app_parts.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/assert.h"
#include "proto/format.h"
#include "proto/text.h"

/* ---- the end ---- */

void room_app_stop(struct room_app *app, enum room_app_end end)
{
	if (app->is_over) {
		return;
	}
	app->is_over = true;
	app->end = end;
	if (app->has_output) {
		uv_close((uv_handle_t *)&app->output, NULL); /* before its descriptor */
	}
	screen_close(app->screen);
	app->screen = NULL;
	follow_close(app->follow);
	room_app_home_close(app);
	uv_close((uv_handle_t *)&app->frame, NULL);
	uv_close((uv_handle_t *)&app->second, NULL);
	uv_close((uv_handle_t *)&app->said, NULL);
	uv_close((uv_handle_t *)&app->goodbye, NULL);
	uv_close((uv_handle_t *)&app->slow, NULL);
	for (size_t i = 0; i < ROOM_APP_SIGNALS; i++) {
		uv_close((uv_handle_t *)&app->signals[i], NULL);
	}
	if (app->has_keys) {
		uv_close((uv_handle_t *)&app->keys, NULL);
	}
}

void room_app_break(struct room_app *app, const char *why)
{
	errmsg_set(app->why, "%s", why);
	room_app_stop(app, ROOM_APP_BROKEN);
}

/* ---- words ---- */

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

void room_app_say_fault(struct room_app *app, const struct fault *f)
{
	char line[FAULT_LINE_BYTES_MAX];
	fault_line(f, line, sizeof(line));
	room_app_say(app, line);
}

void room_app_answer_fault(struct room_app *app, const struct fault *f)
{
	char line[FAULT_LINE_BYTES_MAX];
	fault_line(f, line, sizeof(line));
	room_app_answer(app, line);
}

/* What was chosen on the screen counts at once; looks that cannot be made leave those from before. */
static void room_app_follow_settings(struct room_app *app)
{
	const struct settings *chosen = tui_settings(app->tui);
	if (memcmp(app->o->settings, chosen, sizeof(*chosen)) == 0) {
		return;
	}
	*app->o->settings = *chosen;
	screen_set_mouse(app->screen, chosen->value[SETTING_MOUSE] == MOUSE_ON);
	enum err e = screen_set_look(app->screen, chosen->value[SETTING_THEME],
				     chosen->value[SETTING_COLORS]);
	if (e != OK) {
		room_app_say(app, err_text(e));
	}
}

/* ---- keys ---- */

static void room_app_take_act(struct room_app *app, struct act act)
{
	room_app_follow_settings(app);
	room_app_do(app, &act);
	room_app_presence_key(app);
}

/* One event of the terminal; whether more may wait. */
static bool room_app_take_event(struct room_app *app)
{
	int32_t key = 0;
	struct slice paste = {0};
	tui_set_now(app->tui, room_app_now(app));
	switch (screen_read(app->screen, &key, &paste)) {
	case SCREEN_NOTHING:
		return false;
	case SCREEN_KEY:
		room_app_take_act(app, tui_take_key(app->tui, room_app_shown(app), key));
		break;
	case SCREEN_MOUSE:
		room_app_take_act(app, tui_take_mouse(app->tui, room_app_shown(app), &app->grid,
						      screen_mouse(app->screen)));
		break;
	case SCREEN_PASTE:
		room_app_take_act(app, tui_take_paste(app->tui, room_app_shown(app), paste));
		break;
	case SCREEN_CHANGED:
		tui_set_focus(app->tui, FOCUS_UNKNOWN);
		room_app_resize(app);
		break;
	case SCREEN_FOCUS_IN:
		tui_set_focus(app->tui, FOCUS_HERE);
		break;
	case SCREEN_FOCUS_OUT:
		tui_set_focus(app->tui, FOCUS_AWAY);
		break;
	case SCREEN_GONE:
		room_app_stop(app, ROOM_APP_LEFT);
		return false;
	}
	room_app_touch(app);
	return !app->is_over;
}

static void room_app_take_events(struct room_app *app)
{
	while (room_app_take_event(app)) {
	}
}

static void room_app_on_keys(uv_poll_t *poll, int status, int events)
{
	struct room_app *app = poll->data;
	(void)events;
	if (status < 0) {
		room_app_stop(app, ROOM_APP_LEFT);
		return;
	}
	room_app_take_events(app);
}

static void room_app_on_signal(uv_signal_t *handle, int number)
{
	struct room_app *app = handle->data;
	if (number == SIGWINCH) {
		room_app_resize(app);
	} else if (number != SIGCONT) {
		room_app_stop(app, ROOM_APP_LEFT);
	} else if (app->screen != NULL) {
		screen_resume(app->screen);
		room_app_take_events(app);
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

void room_app_open_screen(struct room_app *app)
{
	const struct settings *chosen = tui_settings(app->tui);
	struct screen_options o = {.theme = chosen->value[SETTING_THEME],
				   .colors = chosen->value[SETTING_COLORS]};
	enum err e = screen_open(&o, &app->screen);
	if (e == ERR_NOT_FOUND) {
		room_app_stop(app, ROOM_APP_NO_SCREEN);
	} else if (e != OK) {
		room_app_break(app, err_text(e));
	} else if (!room_app_watch_keys(app)) {
		room_app_break(app, "the terminal cannot be watched");
	} else {
		screen_set_mouse(app->screen, chosen->value[SETTING_MOUSE] == MOUSE_ON);
		tui_tell(app->tui, app->o->warning == NULL ? "" : app->o->warning);
		room_app_resize(app);
	}
}

/* ---- life ---- */

static void room_app_open_handles(struct room_app *app)
{
	static const int numbers[ROOM_APP_SIGNALS] = {SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT};
	(void)uv_timer_init(&app->loop, &app->frame);
	(void)uv_timer_init(&app->loop, &app->second);
	(void)uv_timer_init(&app->loop, &app->said);
	(void)uv_timer_init(&app->loop, &app->goodbye);
	(void)uv_timer_init(&app->loop, &app->slow);
	(void)uv_timer_init(&app->loop, &app->home.seek);
	app->frame.data = app;
	app->second.data = app;
	app->said.data = app;
	app->goodbye.data = app;
	app->slow.data = app;
	app->home.seek.data = app;
	for (size_t i = 0; i < ROOM_APP_SIGNALS; i++) {
		(void)uv_signal_init(&app->loop, &app->signals[i]);
		app->signals[i].data = app;
		(void)uv_signal_start(&app->signals[i], room_app_on_signal, numbers[i]);
	}
}

static void room_app_on_slow(uv_timer_t *timer)
{
	const struct room_app *app = timer->data;
	if (app->screen == NULL) {
		app->o->on_slow(app->o->owner);
	}
}

static enum err room_app_begin(struct room_app *app)
{
	enum { SLOW_MS = 1000 };
	if (app->o->memory != NULL) {
		return room_app_home_open(app);
	}
	app->entry = app->o->entry;
	if (app->o->on_slow != NULL) {
		(void)uv_timer_start(&app->slow, room_app_on_slow, SLOW_MS, 0);
	}
	return room_app_enter(app);
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
	room_app_stay_finish(&app);
	recent_rooms_finish(&app.home.recent);
	return app.end;
}
