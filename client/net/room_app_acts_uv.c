/*
 * room_app_acts_uv.c - what the screen asks for, carried out: votes and names
 * through attend.h, which waits with them for a connection, all else at once;
 * and what such acts bring.
 */
#include "client/net/room_app_parts.h"

#include <stdlib.h>
#include <string.h>

#include "client/net/room_acts.h"
#include "proto/format.h"

#define ROOM_APP_GOODBYE_MS 1000

static void room_app_on_goodbye(uv_timer_t *timer)
{
	room_app_stop(timer->data, ROOM_APP_LEFT);
}

static void room_app_leave(struct room_app *app)
{
	struct room_seat_params p = {.room_id = slice_str(app->o->room_id)};
	const struct attend *a = follow_attend(app->follow);
	bool has_name = a->room.my_name != NULL;
	if (app->is_leaving || !has_name || follow_ask(app->follow, METHOD_ROOM_LEAVE, &p) != OK) {
		room_app_stop(app, ROOM_APP_LEFT);
		return;
	}
	app->is_leaving = true; /* a second time is at once */
	(void)uv_timer_start(&app->goodbye, room_app_on_goodbye, ROOM_APP_GOODBYE_MS, 0);
}

static void room_app_vote(struct room_app *app, const char *card)
{
	if (attend_want_vote(follow_attend(app->follow), card) != OK) {
		room_app_say(app, err_text(ERR_NOMEM));
		return;
	}
	follow_go(app->follow);
	tui_set_pending(app->tui, attend_pending_vote(follow_attend(app->follow)));
	if (!follow_is_up(app->follow)) {
		room_app_say(app, "No connection: your vote goes out when it is back.");
	}
}

static void room_app_join(struct room_app *app, const struct ask *ask)
{
	if (attend_want_name(follow_attend(app->follow), ask->text, ask->is_spectator, false) !=
	    OK) {
		room_app_say(app, err_text(ERR_NOMEM));
		return;
	}
	follow_go(app->follow);
}

/* A note, or how sure one is, goes with the card that lies there. */
static void room_app_vote_with(struct room_app *app, const char *note, int confidence)
{
	struct attend *a = follow_attend(app->follow);
	const char *pending = attend_pending_vote(a);
	const char *card = pending != NULL && pending[0] != '\0' ? pending : a->room.my_vote;
	if (card == NULL) {
		return;
	}
	char *own = strdup(card); /* what waits is replaced by this */
	if (own == NULL || attend_want_vote_with(a, own, note, confidence) != OK) {
		room_app_say(app, err_text(ERR_NOMEM));
	}
	free(own);
	follow_go(app->follow);
	tui_set_pending(app->tui, attend_pending_vote(a));
}

static void room_app_ask_server(struct room_app *app, const struct ask *ask)
{
	struct errmsg why = {""};
	if (ask->kind == ASK_HISTORY) {
		app->is_first_page = ask->text[0] == '\0';
	}
	enum err e = room_acts_send(app->follow, app->o->room_id, app->o->host_key, ask, &why);
	if (e == ERR_CLOSED) {
		room_app_answer(app, "No connection: try again in a moment.");
	} else if (e != OK) {
		room_app_answer(app, why.text[0] != '\0' ? why.text : err_text(e));
	}
}

void room_app_do(struct room_app *app, const struct ask *ask)
{
	switch (ask->kind) {
	case ASK_NOTHING:
		return;
	case ASK_VOTE:
		room_app_vote(app, ask->text);
		return;
	case ASK_RETRACT:
		room_app_vote(app, NULL);
		return;
	case ASK_JOIN:
		room_app_join(app, ask);
		return;
	case ASK_LEAVE:
		room_app_leave(app);
		return;
	case ASK_NOTE:
		room_app_vote_with(app, ask->text, 0);
		return;
	case ASK_SURE:
		room_app_vote_with(app, NULL, (int)ask->number);
		return;
	default:
		room_app_ask_server(app, ask);
		return;
	}
}

/* ---- what acts bring ---- */

union room_app_result {
	struct round_list_result rounds;
	struct room_nudge_result nudge;
};

static void room_app_take_rounds(struct room_app *app, const struct round_list_result *page)
{
	if (rounds_take(&app->rounds, page, app->is_first_page) != OK) {
		room_app_say(app, err_text(ERR_NOMEM));
	}
	tui_set_rounds(app->tui, &app->rounds);
	room_app_touch(app);
}

static void room_app_take_nudged(struct room_app *app, int64_t nudged)
{
	char line[80];
	(void)format_to(line, sizeof(line),
			nudged == 0 ? "They were rung a moment ago." : "Rang %lld.",
			(long long)nudged);
	room_app_answer(app, line);
}

void room_app_on_result(void *owner, enum method method, const struct msgpack_object *result)
{
	struct room_app *app = owner;
	struct arena arena = {0};
	struct fault ignored;
	union room_app_result r;
	bool is_wanted = method == METHOD_ROUND_LIST || method == METHOD_ROOM_NUDGE;
	if (is_wanted && record_from_object(method_rows[method].result, result, RECORD_LENIENT,
					    &arena, &r, &ignored) == OK) {
		if (method == METHOD_ROUND_LIST) {
			room_app_take_rounds(app, &r.rounds);
		} else {
			room_app_take_nudged(app, r.nudge.nudged);
		}
	}
	arena_finish(&arena);
}
