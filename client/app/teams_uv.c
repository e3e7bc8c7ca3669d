/*
 * teams_uv.c - see teams_uv.h.
 */
#include "client/app/teams_uv.h"

#include <string.h>

#include "client/model/fault_words.h"
#include "client/model/memory.h"
#include "proto/format.h"

/* The first change; one that cannot be sent now waits for the next connection. */
static void app_teams_send_change(struct app_teams *x)
{
	if (x->changes_n > 0 && x->client != NULL) {
		enum err e = room_client_request(x->client, x->changes[0], &x->change_id);
		(void)e; /* as if it were lost on the way */
	}
}

static void app_teams_drop_reading(struct app_teams *x)
{
	request_free(x->reading);
	x->reading = NULL;
}

static void app_teams_drop_change(struct app_teams *x)
{
	request_free(x->changes[0]);
	x->changes_n--;
	memmove(&x->changes[0], &x->changes[1], x->changes_n * sizeof(x->changes[0]));
}

void app_teams_use(struct app_teams *x, struct room_client *client, const char *server)
{
	bool is_other = client != NULL && strcmp(server, x->server) != 0;
	if (client == x->client && !is_other) {
		return;
	}
	app_teams_drop_reading(x);
	x->client = client;
	x->change_id = 0;
	x->teams.is_open = client != NULL;
	if (is_other) {
		while (x->changes_n > 0) {
			app_teams_drop_change(x);
		}
		teams_clear(&x->teams);
		(void)format_to(x->server, sizeof(x->server), "%s", server);
	} else {
		teams_lost(&x->teams);
	}
	app_teams_send_change(x);
	app_screen_touch(x->screen); /* what is shown says what is read */
}

/* ---- requests ---- */

static void app_teams_change(struct app_teams *x, struct request *r)
{
	if (x->changes_n == APP_TEAMS_CHANGES_MAX) {
		app_screen_answer(x->screen, "Too much waits already: not taken");
		return;
	}
	x->changes[x->changes_n++] = request_ref(r);
	if (x->client == NULL) {
		app_screen_answer(x->screen, "No connection: this is done when it is back");
	} else if (x->changes_n == 1) {
		app_teams_send_change(x);
	}
}

bool app_teams_do(struct app_teams *x, struct request *r)
{
	if (teams_changes(r->method)) {
		app_teams_change(x, r);
		return true;
	}
	if (!teams_reads(r->method)) {
		return false;
	}
	if (x->reading == NULL && x->client != NULL &&
	    room_client_request(x->client, r, &x->reading_id) == OK) {
		x->reading = request_ref(r);
		teams_sent(&x->teams, r);
	}
	return true;
}

/* ---- their ends ---- */

static void app_teams_take_reading(struct app_teams *x, const struct event *event,
				   const void *result)
{
	bool is_lost = event->kind == EVENT_REFUSAL && event->error != OK;
	if (result != NULL) {
		teams_take_page(&x->teams, x->reading, result);
	} else if (!is_lost) { /* what is lost is read on the next connection */
		char why[FAULT_WORDS_BYTES_MAX] = "The server's answer is not what it should be";
		if (event->kind == EVENT_REFUSAL) {
			fault_words(event->fault, why);
		}
		teams_take_page_refusal(&x->teams, x->reading, why,
					event->kind == EVENT_REFUSAL ? event->fault->retry_after_ms
								     : 0);
	}
	if (event->kind == EVENT_REFUSAL && !is_lost &&
	    x->reading->method != METHOD_ITEM_EXPIRING) {
		app_screen_answer_fault(
			x->screen, event->fault); /* nobody asked for what home tells by itself */
	}
	app_teams_drop_reading(x);
}

static void app_teams_take_change(struct app_teams *x, const struct event *event,
				  const void *result)
{
	const struct request *r = x->changes[0];
	if (event->kind == EVENT_REFUSAL && event->error != OK) {
		return; /* app_teams_use() goes on with the next connection */
	}
	if (result != NULL) {
		teams_take_change(&x->teams, r, result);
		tui_take_team_change(x->screen->tui, r->method);
	} else {
		teams_take_change_refusal(&x->teams, r);
	}
	if (event->kind == EVENT_REFUSAL) {
		tui_take_refusal(x->screen->tui, r->method);
		app_screen_answer_fault(x->screen, event->fault);
	}
	app_teams_drop_change(x);
	app_teams_send_change(x);
}

/* The result of the method in memory of the arena; NULL: it is none. */
static void *app_teams_result(const struct event *event, struct arena *arena)
{
	const struct record *record = method_rows[event->method].result;
	struct fault ignored;
	void *out = memory_have(arena_alloc(arena, record->size));
	if (event->kind != EVENT_ANSWER) {
		return NULL;
	}
	memset(out, 0, record->size);
	if (event->value == NULL) {
		return record->n == 0 ? out : NULL;
	}
	return memory_check(record_from_object(record, event->value, RECORD_LENIENT, arena, out,
					       &ignored)) == OK
		       ? out
		       : NULL;
}

bool app_teams_take_event(struct app_teams *x, const struct event *event)
{
	struct arena arena = {0};
	bool is_end = event->kind == EVENT_ANSWER || event->kind == EVENT_REFUSAL;
	bool is_page = is_end && teams_reads(event->method);
	bool is_change = is_end && teams_changes(event->method);
	if (!is_page && !is_change) {
		return false;
	}
	/* An answer to nothing else is of the connection, or of the room, before. */
	if (is_page && x->reading != NULL && x->reading_id == event->id) {
		app_teams_take_reading(x, event, app_teams_result(event, &arena));
	} else if (is_change && x->changes_n > 0 && x->change_id == event->id) {
		app_teams_take_change(x, event, app_teams_result(event, &arena));
	}
	arena_finish(&arena);
	app_screen_touch(x->screen);
	return true;
}

/* ---- what others change ---- */

void app_teams_take_notice(struct app_teams *x, const struct event *event)
{
	enum notice notice = notice_find(event->name);
	struct arena arena = {0};
	struct fault ignored;
	union {
		struct group_update group;
		struct container_update container;
	} up;
	bool is_group = notice == NOTICE_GROUP_UPDATE;
	if ((!is_group && notice != NOTICE_CONTAINER_UPDATE) || event->value == NULL) {
		return;
	}
	const struct record *record = is_group ? &record_group_update : &record_container_update;
	memset(&up, 0, sizeof(up));
	if (memory_check(record_from_object(record, event->value, RECORD_LENIENT, &arena, &up,
					    &ignored)) == OK) {
		bool is_gone = is_group ? teams_take_group_update(&x->teams, &up.group)
					: teams_take_container_update(&x->teams, &up.container);
		if (is_gone) {
			tui_take_team_change(x->screen->tui, is_group ? METHOD_GROUP_DELETE
								      : METHOD_CONTAINER_DELETE);
		}
	}
	arena_finish(&arena);
	app_screen_touch(x->screen);
}

/* ---- life ---- */

void app_teams_init(struct app_teams *x, struct app_screen *screen)
{
	*x = (struct app_teams){.screen = screen};
	teams_init(&x->teams);
}

void app_teams_finish(struct app_teams *x)
{
	app_teams_drop_reading(x);
	while (x->changes_n > 0) {
		app_teams_drop_change(x);
	}
	teams_finish(&x->teams);
}
