/*
 * room_app_queue_uv.c - what the screen asks for without a connection: it waits
 * in order, is shown as waiting, and is asked once when the room is known again.
 *
 * Happy path: the connection is back, the room is as new, what waits in
 * membership.h is done; then one act after another, each when the room shows the
 * one before.
 * Failure: what means nothing any more is dropped, with a word. Where the
 * connection ends while an act is on its way, that act is told as refused and
 * not asked again; those behind it wait on.
 */
#include "client/app/room_app_parts.h"

#include <string.h>

#include "proto/format.h"
#include "proto/records.h"

#define ROOM_APP_HELD_WHY_BYTES_MAX 8192

static void room_app_held_show(struct room_app *app)
{
	char words[400];
	offline_queue_words(&app->held.acts, words, sizeof(words));
	tui_set_held(app->tui, words);
	room_app_touch(app);
}

bool room_app_saves_text(const struct request *r)
{
	return r->method == METHOD_MAP_SET || request_has(r, "notes");
}

bool room_app_hold(struct room_app *app, struct request *r)
{
	if (follow_is_up(app->follow) || !offline_queue_may(r) || room_app_saves_text(r)) {
		return false;
	}
	if (!offline_queue_push(&app->held.acts, &follow_attend(app->follow)->room, r)) {
		room_app_answer(app, "No connection, and too much waits already: not taken");
	}
	room_app_held_show(app);
	return true;
}

/* All that was dropped since the connection is back, not only the last of it. */
static void room_app_held_tell(struct room_app *app, const struct buf *why)
{
	struct room_app_held *h = &app->held;
	size_t n = strlen(h->dropped);
	if (why->error != OK || why->len == 0) {
		return;
	}
	(void)format_to(h->dropped + n, sizeof(h->dropped) - n, "%.*s", (int)why->len, why->data);
	room_app_say(app, h->dropped);
}

static bool room_app_held_may_go(struct room_app *app)
{
	struct membership *a = follow_attend(app->follow);
	return app->held.acts.n > 0 && !app->held.is_asked && !app->is_leaving &&
	       follow_is_up(app->follow) && membership_is_settled(a) &&
	       a->room.version >= app->held.done_version;
}

void room_app_held_go(struct room_app *app)
{
	while (app->is_in && room_app_held_may_go(app)) {
		struct buf why;
		buf_init(&why, ROOM_APP_HELD_WHY_BYTES_MAX);
		struct act act = {.request = offline_queue_next(&app->held.acts,
								&follow_attend(app->follow)->room,
								tui_refuses, &why)};
		room_app_held_tell(app, &why);
		buf_finish(&why);
		app->held.is_asked = room_carry_do(&app->carry, &act);
		request_free(act.request);
		room_app_held_show(app);
	}
}

void room_app_held_down(struct room_app *app)
{
	app->held.is_asked = false;
	app->held.done_version = 0; /* what comes next may be counted anew */
	app->held.dropped[0] = '\0';
}

void room_app_held_done(struct room_app *app)
{
	app->held.is_asked = false;
	room_app_held_go(app);
}

void room_app_held_result(struct room_app *app, const struct msgpack_object *result)
{
	struct version_result r;
	struct arena arena = {0};
	struct fault ignored;
	if (app->held.is_asked &&
	    record_from_object(&record_version_result, result, RECORD_LENIENT, &arena, &r,
			       &ignored) == OK &&
	    r.version > app->held.done_version) {
		app->held.done_version = r.version;
	}
	arena_finish(&arena);
}

void room_app_held_finish(struct room_app *app)
{
	offline_queue_finish(&app->held.acts);
	room_app_held_down(app);
}
