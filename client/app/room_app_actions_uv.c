/*
 * room_app_actions_uv.c - what the screen asks for, carried out by room_carry_uv.h,
 * and the screen told of it; leaving, which takes a moment.
 */
#include "client/app/room_app_parts.h"

#define ROOM_APP_GOODBYE_MS 1000

static void room_app_on_goodbye(uv_timer_t *timer)
{
	room_app_stay_over(timer->data, ROOM_APP_LEFT);
}

static void room_app_leave(struct room_app *app)
{
	if (app->is_leaving || !room_carry_leave(&app->carry)) {
		room_app_stay_over(app, ROOM_APP_LEFT);
		return;
	}
	app->is_leaving = true; /* a second time is at once */
	(void)uv_timer_start(&app->goodbye, room_app_on_goodbye, ROOM_APP_GOODBYE_MS, 0);
}

static void room_app_show_rounds(struct room_app *app)
{
	const struct round_history *rounds = &app->carry.rounds;
	tui_set_rounds(app->tui, rounds->items == NULL ? NULL : rounds);
	room_app_touch(app);
}

static void room_app_save(struct room_app *app)
{
	struct errmsg why = {""};
	bool is_saved = app->o->on_save(app->o->owner, &why) == OK;
	if (!is_saved) {
		errmsg_prefix(&why, "Not saved");
	}
	room_app_answer(app, is_saved ? "Saved" : why.text);
}

void room_app_do(struct room_app *app, const struct act *act)
{
	struct request *r = act->request;
	if (act->local == LOCAL_NONE && r == NULL) {
		return;
	}
	if (act->local == LOCAL_SAVE_SETTINGS) {
		room_app_save(app);
		return;
	}
	if (!app->is_in) {
		room_app_home_do(app, act);
		return;
	}
	if (act->local == LOCAL_LEAVE) {
		room_app_leave(app);
		return;
	}
	if (r != NULL && room_app_hold(app, r)) {
		return;
	}
	bool is_on_its_way = room_carry_do(&app->carry, act);
	if (!is_on_its_way && r != NULL && r->method == METHOD_ROUND_LIST) {
		room_app_show_rounds(app);
	}
	if (!is_on_its_way && r != NULL && room_app_saves_text(r)) {
		tui_take_saved(app->tui, false);
	}
	tui_set_pending(app->tui, membership_pending_vote(follow_attend(app->follow)));
}

void room_app_want(struct room_app *app)
{
	struct act act = tui_wants(app->tui, room_app_shown(app));
	room_app_do(app, &act);
	room_app_presence_go(app);
}

void room_app_take_refusal(struct room_app *app, enum method method, const struct fault *f)
{
	bool is_unheard = f->code == FAULT_UNAVAILABLE && !follow_is_up(app->follow);
	if (method == METHOD_ROUND_LIST) {
		room_app_show_rounds(app);
	}
	/* What only reads is asked for again when the connection is back. */
	bool is_silent = is_unheard && method_rows[method].effect == EFFECT_READS;
	if (!room_carry_take_refusal(&app->carry, method, f) && !is_silent) {
		room_app_answer_fault(app, f);
	}
}

static void room_app_on_say(void *owner, const char *text)
{
	room_app_say(owner, text);
}

static void room_app_on_answer(void *owner, const char *text)
{
	room_app_answer(owner, text);
}

static void room_app_on_rounds(void *owner, const struct round_history *rounds)
{
	struct room_app *app = owner;
	tui_set_rounds(app->tui, rounds);
	room_app_touch(app);
}

static void room_app_on_saved(void *owner, bool is_done)
{
	struct room_app *app = owner;
	tui_take_saved(app->tui, is_done);
	room_app_touch(app);
}

const struct room_carry_handler room_app_carry_handler = {
	.on_saved = room_app_on_saved,
	.on_say = room_app_on_say,
	.on_answer = room_app_on_answer,
	.on_rounds = room_app_on_rounds,
};

void room_app_on_result(void *owner, enum method method, const struct msgpack_object *result)
{
	struct room_app *app = owner;
	room_app_held_result(app, result);
	room_carry_take_result(&app->carry, method, result);
}
