/*
 * screen_uv.c - keys, frames and lines for the person; see screen_uv.h.
 */
#include "client/app/screen_uv.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "client/acts/fault_words.h"
#include "proto/base/ascii.h"
#include "proto/text/text.h"

static void app_screen_break(struct app_screen *s, const char *why)
{
	if (!s->is_over) {
		s->why = why;
	}
	app_screen_end(s, APP_BROKEN);
}

/* ---- lines for the person ---- */

enum { APP_SCREEN_LINE_BYTES = 400 };

static void app_screen_soften(const char *text, char soft[APP_SCREEN_LINE_BYTES])
{
	soft[text_soften(slice_str(text), soft, APP_SCREEN_LINE_BYTES - 1)] = '\0';
}

void app_screen_say(struct app_screen *s, const char *text)
{
	char soft[APP_SCREEN_LINE_BYTES];
	app_screen_soften(text, soft);
	tui_set_message(s->tui, soft);
	app_screen_touch(s);
}

void app_screen_lose(struct app_screen *s, const char *why)
{
	char soft[APP_SCREEN_LINE_BYTES];
	app_screen_soften(why, soft);
	tui_lose_link(s->tui, soft);
	app_screen_touch(s);
}

void app_screen_answer(struct app_screen *s, const char *text)
{
	char soft[APP_SCREEN_LINE_BYTES];
	app_screen_soften(text, soft);
	soft[0] = ascii_upper(soft[0]);
	tui_tell(s->tui, soft);
	app_screen_touch(s);
}

void app_screen_say_fault(struct app_screen *s, const struct fault *f)
{
	char line[FAULT_WORDS_BYTES_MAX];
	fault_words(f, line);
	app_screen_say(s, line);
}

void app_screen_answer_fault(struct app_screen *s, const struct fault *f)
{
	char line[FAULT_WORDS_BYTES_MAX];
	fault_words(f, line);
	app_screen_answer(s, line);
}

/* ---- frames ---- */

static void app_screen_on_output(uv_poll_t *poll, int status, int events)
{
	struct app_screen *s = poll->data;
	(void)events;
	if (status < 0 || screen_flush(s->terminal) == ERR_IO) {
		app_screen_end(s, APP_LEFT); /* nobody sees it any more */
		return;
	}
	if (!screen_is_writing(s->terminal)) {
		(void)uv_poll_stop(poll);
		if (s->is_behind) {
			app_screen_touch(s);
		}
	}
}

/* Only a terminal that was opened anew leaves something over; else the write has waited for it. */
static void app_screen_watch_output(struct app_screen *s)
{
	if (!s->has_output) {
		s->has_output =
			uv_poll_init(&s->loop->uv, &s->output, screen_output(s->terminal)) == 0;
		s->output.data = s;
	}
	if (!s->has_output || uv_poll_start(&s->output, UV_WRITABLE, app_screen_on_output) != 0) {
		app_screen_break(s, "the terminal cannot be watched");
	}
}

static void app_screen_on_second(uv_timer_t *timer)
{
	app_screen_touch(timer->data);
}

static void app_screen_paint(struct app_screen *s)
{
	/* A clock on the screen goes on by itself; without one nothing wakes us. */
	int64_t ms = tui_changes_in_ms(s->tui, s->on->room(s->owner));
	if (ms < 0) {
		(void)uv_timer_stop(&s->second);
	} else {
		(void)uv_timer_start(&s->second, app_screen_on_second, (uint64_t)ms, 0);
	}
	if (screen_paint(s->terminal, &s->grid) != OK) {
		app_screen_end(s, APP_LEFT); /* nobody sees it any more */
		return;
	}
	tui_set_slow(s->tui, screen_is_writing(s->terminal));
	if (screen_is_writing(s->terminal)) {
		app_screen_watch_output(s);
	}
}

static void app_screen_on_frame(uv_timer_t *timer)
{
	struct app_screen *s = timer->data;
	s->is_behind = screen_is_writing(s->terminal);
	if (s->is_behind) {
		tui_set_slow(s->tui, true);
		return;
	}
	frame_rate_take(&s->pace, uv_now(&s->loop->uv));
	tui_set_now(s->tui, s->on->now_ms(s->owner));
	tui_set_waits(s->tui, s->on->waits_ms(s->owner));
	tui_follow(s->tui, s->on->room(s->owner));
	tui_draw(s->tui, s->on->room(s->owner), &s->grid);
	struct act act = tui_wants(s->tui, s->on->room(s->owner));
	s->on->on_act(s->owner, &act, false);
	if (s->is_over) {
		return;
	}
	struct tui_notice notice =
		tui_take_notice(s->tui, s->on->room(s->owner), (int64_t)uv_now(&s->loop->uv));
	if (notice.text != NULL) {
		screen_notify(s->terminal, notice.text, !notice.is_here);
	}
	app_screen_paint(s);
}

void app_screen_copy(struct app_screen *s, const char *text)
{
	if (s->terminal != NULL) {
		screen_copy(s->terminal, text);
		app_screen_touch(s);
	}
}

void app_screen_touch(struct app_screen *s)
{
	if (!s->is_over && s->terminal != NULL && !uv_is_active((uv_handle_t *)&s->frame)) {
		uint64_t wait_ms = frame_rate_wait_ms(&s->pace, uv_now(&s->loop->uv));
		(void)uv_timer_start(&s->frame, app_screen_on_frame, wait_ms, 0);
	}
}

/* Ask for the terminal's size, and paint everything. */
static void app_screen_resize(struct app_screen *s)
{
	int width;
	int height;
	if (s->terminal != NULL) {
		screen_size(s->terminal, &width, &height);
		grid_resize(&s->grid, width, height);
		app_screen_touch(s);
	}
}

/* ---- keys ---- */

/* What was chosen on the screen counts at once; looks that cannot be made leave those from before. */
static void app_screen_follow_settings(struct app_screen *s)
{
	const struct settings *chosen = tui_settings(s->tui);
	if (memcmp(s->o->settings, chosen, sizeof(*chosen)) == 0) {
		return;
	}
	*s->o->settings = *chosen;
	screen_set_mouse(s->terminal, chosen->value[SETTING_MOUSE] == MOUSE_ON);
	screen_set_links(s->terminal, chosen->value[SETTING_HYPERLINKS]);
	enum err e = screen_set_look(s->terminal, chosen->value[SETTING_THEME],
				     chosen->value[SETTING_COLORS]);
	if (e != OK) {
		app_screen_say(s, err_text(e));
	}
}

static void app_screen_take_act(struct app_screen *s, struct act act)
{
	app_screen_follow_settings(s);
	s->on->on_act(s->owner, &act, true);
}

/* One event of the terminal; whether more may wait. */
static bool app_screen_take_input(struct app_screen *s)
{
	int32_t key = 0;
	struct slice paste = {0};
	const struct replica *room = s->on->room(s->owner);
	tui_set_now(s->tui, s->on->now_ms(s->owner));
	switch (screen_read(s->terminal, &key, &paste)) {
	case SCREEN_NOTHING:
		return false;
	case SCREEN_KEY:
		app_screen_take_act(s, tui_take_key(s->tui, room, key));
		break;
	case SCREEN_MOUSE:
		app_screen_take_act(s, tui_take_mouse(s->tui, room, &s->grid,
						      screen_mouse(s->terminal)));
		break;
	case SCREEN_PASTE:
		app_screen_take_act(s, tui_take_paste(s->tui, room, paste));
		break;
	case SCREEN_CHANGED:
		tui_set_focus(s->tui, FOCUS_UNKNOWN);
		app_screen_resize(s);
		break;
	case SCREEN_FOCUS_IN:
		tui_set_focus(s->tui, FOCUS_HERE);
		break;
	case SCREEN_FOCUS_OUT:
		tui_set_focus(s->tui, FOCUS_AWAY);
		break;
	case SCREEN_GONE:
		app_screen_end(s, APP_LEFT);
		return false;
	}
	app_screen_touch(s);
	return !s->is_over;
}

static void app_screen_on_keys(uv_poll_t *poll, int status, int events)
{
	struct app_screen *s = poll->data;
	(void)events;
	if (status < 0) {
		app_screen_end(s, APP_LEFT);
		return;
	}
	while (app_screen_take_input(s)) {
	}
}

void app_screen_take_signal(struct app_screen *s, int number)
{
	if (number == SIGWINCH) {
		app_screen_resize(s);
	} else if (number != SIGCONT) {
		app_screen_end(s, APP_LEFT);
	} else if (s->terminal != NULL) {
		screen_resume(s->terminal);
		while (app_screen_take_input(s)) {
		}
	}
}

/* ---- what is on it ---- */

static bool app_screen_watch_keys(struct app_screen *s)
{
	int flags = fcntl(STDIN_FILENO, F_GETFL);
	if (flags < 0 || uv_poll_init(&s->loop->uv, &s->keys, STDIN_FILENO) < 0) {
		return false;
	}
	/* uv_poll_init() made the terminal non-blocking, output and the shell's side included. */
	(void)fcntl(STDIN_FILENO, F_SETFL, flags);
	s->has_keys = true;
	s->keys.data = s;
	return uv_poll_start(&s->keys, UV_READABLE, app_screen_on_keys) == 0;
}

static void app_screen_open(struct app_screen *s)
{
	const struct settings *chosen = tui_settings(s->tui);
	struct screen_options o = {.theme = chosen->value[SETTING_THEME],
				   .colors = chosen->value[SETTING_COLORS],
				   .links = chosen->value[SETTING_HYPERLINKS]};
	enum err e = screen_open(&o, &s->terminal);
	if (e == ERR_NOT_FOUND) {
		app_screen_end(s, APP_NO_SCREEN);
	} else if (e != OK) {
		app_screen_break(s, err_text(e));
	} else if (!app_screen_watch_keys(s)) {
		app_screen_break(s, "the terminal cannot be watched");
	} else {
		screen_set_mouse(s->terminal, chosen->value[SETTING_MOUSE] == MOUSE_ON);
		tui_tell(s->tui, s->o->warning == NULL ? "" : s->o->warning);
		app_screen_resize(s);
	}
}

void app_screen_prepare(struct app_screen *s, struct tui_options *o)
{
	o->teams = s->teams;
	o->inbox = s->inbox;
	o->settings = s->o->settings;
	o->ascii = s->o->ascii;
	*(s->tui == NULL ? &s->tui : &s->next) = tui_create(o);
}

void app_screen_drop_next(struct app_screen *s)
{
	tui_destroy(s->next);
	s->next = NULL;
}

void app_screen_switch(struct app_screen *s)
{
	if (s->next != NULL) {
		tui_destroy(s->tui);
		s->tui = s->next;
		s->next = NULL;
	}
	if (s->terminal == NULL) {
		app_screen_open(s);
	}
}

/* ---- life ---- */

void app_screen_init(struct app_screen *s, struct loop *loop, const struct app_options *o,
		     const struct app_screen_handler *on, void *owner)
{
	*s = (struct app_screen){.loop = loop, .o = o, .on = on, .owner = owner};
	(void)uv_timer_init(&loop->uv, &s->frame);
	(void)uv_timer_init(&loop->uv, &s->second);
	s->frame.data = s;
	s->second.data = s;
}

void app_screen_end(struct app_screen *s, enum app_end end)
{
	if (s->is_over) {
		return;
	}
	s->is_over = true;
	s->end = end;
	if (s->has_output) {
		uv_close((uv_handle_t *)&s->output, NULL); /* before its descriptor */
	}
	screen_close(s->terminal);
	s->terminal = NULL;
	uv_close((uv_handle_t *)&s->frame, NULL);
	uv_close((uv_handle_t *)&s->second, NULL);
	if (s->has_keys) {
		uv_close((uv_handle_t *)&s->keys, NULL);
	}
	loop_wake(s->loop);
}

void app_screen_finish(struct app_screen *s)
{
	tui_destroy(s->tui);
	app_screen_drop_next(s);
	grid_finish(&s->grid);
}
