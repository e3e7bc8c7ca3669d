/*
 * room_app_paint_uv.c - when a frame is made, and what happens while the
 * terminal has not taken the last one.
 *
 * Happy path: something changes; a frame is made at once, or when the one
 * before is old enough, and goes out in one write. Where nothing changes
 * nothing wakes us.
 * A slow terminal: the rest of a frame goes out as it can. Keys and news are
 * taken all the while, and what they change is painted once, when all is out.
 */
#include "client/app/room_app_parts.h"

#include <time.h>

#include "client/net/follow_uv.h"

/* ---- what is shown ---- */

const struct replica *room_app_shown(const struct room_app *app)
{
	static const struct replica nowhere = {.is_nowhere = true};
	return app->is_in ? &follow_attend(app->follow)->room : &nowhere;
}

int64_t room_app_now(const struct room_app *app)
{
	struct timespec now;
	if (app->is_in) {
		return follow_server_ms(app->follow);
	}
	bool is_known = clock_gettime(CLOCK_REALTIME, &now) == 0;
	return is_known ? (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* ---- when ---- */

static void room_app_on_output(uv_poll_t *poll, int status, int events)
{
	struct room_app *app = poll->data;
	(void)events;
	if (status < 0 || screen_flush(app->screen) == ERR_IO) {
		room_app_stop(app, ROOM_APP_LEFT); /* nobody sees it any more */
		return;
	}
	if (!screen_is_writing(app->screen)) {
		(void)uv_poll_stop(poll);
		if (app->is_behind) {
			room_app_touch(app);
		}
	}
}

/* Only a terminal that was opened anew leaves something over; else the write has waited for it. */
static void room_app_watch_output(struct room_app *app)
{
	if (!app->has_output) {
		app->has_output =
			uv_poll_init(&app->loop, &app->output, screen_output(app->screen)) == 0;
		app->output.data = app;
	}
	if (!app->has_output || uv_poll_start(&app->output, UV_WRITABLE, room_app_on_output) != 0) {
		room_app_break(app, "the terminal cannot be watched");
	}
}

static void room_app_on_second(uv_timer_t *timer)
{
	room_app_touch(timer->data);
}

/* A clock on the screen goes on by itself; without one nothing wakes us. */
static void room_app_wait_second(struct room_app *app)
{
	int64_t ms = tui_changes_in_ms(app->tui, room_app_shown(app));
	if (ms < 0) {
		(void)uv_timer_stop(&app->second);
	} else {
		(void)uv_timer_start(&app->second, room_app_on_second, (uint64_t)ms, 0);
	}
}

static void room_app_paint(struct room_app *app)
{
	enum err e = screen_paint(app->screen, &app->grid);
	if (e == ERR_IO) {
		room_app_stop(app, ROOM_APP_LEFT); /* nobody sees it any more */
	} else if (e != OK) {
		room_app_break(app, err_text(e));
	} else {
		tui_set_slow(app->tui, screen_is_writing(app->screen));
	}
	if (!app->is_over && screen_is_writing(app->screen)) {
		room_app_watch_output(app);
	}
}

static void room_app_on_frame(uv_timer_t *timer)
{
	struct room_app *app = timer->data;
	app->is_behind = screen_is_writing(app->screen);
	if (app->is_behind) {
		tui_set_slow(app->tui, true);
		return;
	}
	frame_rate_take(&app->pace, uv_now(&app->loop));
	tui_set_now(app->tui, room_app_now(app));
	tui_draw(app->tui, room_app_shown(app), &app->grid);
	room_app_want(app);
	struct tui_notice notice =
		tui_take_notice(app->tui, room_app_shown(app), (int64_t)uv_now(&app->loop));
	if (notice.text != NULL) {
		screen_notify(app->screen, notice.text, !notice.is_here);
	}
	room_app_wait_second(app);
	room_app_paint(app);
}

void room_app_touch(struct room_app *app)
{
	if (!app->is_over && app->screen != NULL && !uv_is_active((uv_handle_t *)&app->frame)) {
		uint64_t wait_ms = frame_rate_wait_ms(&app->pace, uv_now(&app->loop));
		(void)uv_timer_start(&app->frame, room_app_on_frame, wait_ms, 0);
	}
}

void room_app_resize(struct room_app *app)
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
