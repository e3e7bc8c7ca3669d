/*
 * room_app_acts_uv.c - what the screen asks for, carried out by room_carry_uv.h,
 * and the screen told of it; leaving, which takes a moment.
 */
#include "client/net/room_app_parts.h"

#define ROOM_APP_GOODBYE_MS 1000

static void room_app_on_goodbye(uv_timer_t *timer)
{
	room_app_stop(timer->data, ROOM_APP_LEFT);
}

static void room_app_leave(struct room_app *app)
{
	if (app->is_leaving || !room_carry_leave(&app->carry)) {
		room_app_stop(app, ROOM_APP_LEFT);
		return;
	}
	app->is_leaving = true; /* a second time is at once */
	(void)uv_timer_start(&app->goodbye, room_app_on_goodbye, ROOM_APP_GOODBYE_MS, 0);
}

void room_app_do(struct room_app *app, const struct ask *ask)
{
	if (ask->kind == ASK_NOTHING) {
		return;
	}
	if (ask->kind == ASK_LEAVE) {
		room_app_leave(app);
		return;
	}
	(void)room_carry_do(&app->carry, ask);
	tui_set_pending(app->tui, attend_pending_vote(follow_attend(app->follow)));
}

static void room_app_on_say(void *owner, const char *text)
{
	room_app_say(owner, text);
}

static void room_app_on_answer(void *owner, const char *text)
{
	room_app_answer(owner, text);
}

static void room_app_on_rounds(void *owner, const struct rounds *rounds)
{
	struct room_app *app = owner;
	tui_set_rounds(app->tui, rounds);
	room_app_touch(app);
}

const struct room_carry_handler room_app_carry_handler = {
	.on_say = room_app_on_say,
	.on_answer = room_app_on_answer,
	.on_rounds = room_app_on_rounds,
};

void room_app_on_result(void *owner, enum method method, const struct msgpack_object *result)
{
	struct room_app *app = owner;
	room_carry_take_result(&app->carry, method, result);
}
