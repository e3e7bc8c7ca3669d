/*
 * stay_presence_uv.c - what the person does, sent to the others where
 * presence_throttle.h says so. Refusals are for nobody's eyes.
 */
#include "client/app/stay_uv.h"

#include "client/model/memory.h"

static void stay_on_presence_due(uv_timer_t *timer)
{
	stay_presence_go(timer->data);
}

static void stay_presence_look(struct stay *s, bool is_key)
{
	const char *story_id = NULL;
	enum activity doing = tui_doing(s->screen->tui, stay_room(s), &story_id);
	presence_throttle_tell(&s->presence, doing, story_id, is_key);
}

void stay_presence_key(struct stay *s)
{
	if (s->is_in) {
		stay_presence_look(s, true);
	}
}

static void stay_on_presence(void *owner, const struct reply *r)
{
	struct stay *s = owner;
	presence_throttle_answer(&s->presence, r->method, !r->is_refused);
	stay_presence_go(s);
}

static enum err stay_presence_set(struct stay *s, const struct presence_request *say)
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
		.room_id = slice_str(s->entry.room_id),
		.name = SLICE(SHARED_PRESENCE),
		.value = buf_slice(&value),
		.ttl_ms = say->ttl_ms,
	};
	(void)memory_check(value.error); /* and it is within the limits */
	enum err e = room_client_call(s->client, METHOD_PRESENCE_SET, &p, stay_on_presence, s);
	buf_finish(&value);
	return e;
}

void stay_presence_go(struct stay *s)
{
	struct presence_request say;
	int64_t wait_ms = -1;
	if (s->screen->is_over || !s->is_in || !room_client_is_up(s->client)) {
		return;
	}
	stay_presence_look(s, false);
	enum method method =
		presence_throttle_next(&s->presence, stay_room(s),
				       (int64_t)uv_now(&s->screen->loop->uv), &say, &wait_ms);
	if (wait_ms >= 0) {
		(void)uv_timer_start(&s->presence_due, stay_on_presence_due, (uint64_t)wait_ms, 0);
	}
	if (method == METHOD_COUNT) {
		return;
	}
	struct data_params p = {.room_id = slice_str(s->entry.room_id),
				.name = SLICE(SHARED_PRESENCE)};
	enum err e = method == METHOD_PRESENCE_SET
			     ? stay_presence_set(s, &say)
			     : room_client_call(s->client, method, &p, stay_on_presence, s);
	if (e != OK) {
		presence_throttle_answer(&s->presence, method, false);
	}
}
