/*
 * room_app_presence_uv.c - what the person does, told to the others where
 * presence_throttle.h says so. Refusals are for nobody's eyes.
 */
#include "client/app/room_app_parts.h"

static void room_app_presence_on_time(uv_timer_t *timer)
{
	room_app_presence_go(timer->data);
}

static void room_app_presence_look(struct room_app *app, bool is_key)
{
	const char *story_id = NULL;
	enum activity doing = tui_doing(app->tui, &follow_attend(app->follow)->room, &story_id);
	presence_throttle_tell(&app->presence, doing, story_id, is_key);
}

void room_app_presence_key(struct room_app *app)
{
	if (app->is_in) {
		room_app_presence_look(app, true);
	}
}

static enum err room_app_presence_set(struct room_app *app, const struct presence_request *say)
{
	struct presence_entry entry = {
		.doing = say->doing,
		.with_doing = true,
		.story_id = say->story_id == NULL ? (struct slice){0} : slice_str(say->story_id),
	};
	struct buf value;
	buf_init(&value, MAX_DATA_VALUE_BYTES);
	record_write(&record_presence_entry, &entry, &value);
	struct presence_set_params p = {
		.room_id = slice_str(app->entry.room_id),
		.name = SLICE(SHARED_PRESENCE),
		.value = buf_slice(&value),
		.ttl_ms = say->ttl_ms,
	};
	enum err e = value.error;
	e = e == OK ? follow_ask(app->follow, METHOD_PRESENCE_SET, &p) : e;
	buf_finish(&value);
	return e;
}

void room_app_presence_go(struct room_app *app)
{
	struct presence_request say;
	int64_t wait_ms = -1;
	if (app->is_over || !app->is_in || !follow_is_up(app->follow)) {
		return;
	}
	room_app_presence_look(app, false);
	enum method method =
		presence_throttle_next(&app->presence, &follow_attend(app->follow)->room,
				       (int64_t)uv_now(&app->loop), &say, &wait_ms);
	if (wait_ms >= 0) {
		(void)uv_timer_start(&app->said, room_app_presence_on_time, (uint64_t)wait_ms, 0);
	}
	if (method == METHOD_COUNT) {
		return;
	}
	struct data_params p = {.room_id = slice_str(app->entry.room_id),
				.name = SLICE(SHARED_PRESENCE)};
	enum err e = method == METHOD_PRESENCE_SET ? room_app_presence_set(app, &say)
						   : follow_ask(app->follow, method, &p);
	if (e != OK) {
		presence_throttle_answer(&app->presence, method, false);
	}
}

bool room_app_presence_answer(struct room_app *app, enum method method, bool is_done)
{
	bool is_ours = method == METHOD_PRESENCE_CREATE || method == METHOD_PRESENCE_SET ||
		       method == METHOD_PRESENCE_REMOVE;
	if (is_ours) {
		presence_throttle_answer(&app->presence, method, is_done);
		room_app_presence_go(app);
	}
	return is_ours;
}
