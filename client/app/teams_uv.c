/*
 * teams_uv.c - see teams_uv.h.
 */
#include "client/app/teams_uv.h"

#include <string.h>

#include "proto/base/format.h"

static void app_teams_drop_change(struct app_teams *x)
{
	request_free(x->changes[0]);
	x->changes_n--;
	memmove(&x->changes[0], &x->changes[1], x->changes_n * sizeof(x->changes[0]));
}

/* ---- changing ---- */

static void app_teams_send_change(struct app_teams *x);

/* With the room that waits for all changes. */
static void app_teams_go_on(struct app_teams *x)
{
	if (x->changes_n == 0 && x->room != NULL) {
		x->create(x->owner, x->room);
		request_free(x->room);
		x->room = NULL;
	}
}

static void app_teams_on_changed(void *owner, const struct reply *r)
{
	struct app_teams *x = owner;
	const struct request *change = x->changes[0];
	if (r->error == ERR_CLOSED) {
		return; /* app_teams_use() goes on with the next connection */
	}
	if (r->result != NULL) {
		teams_take_change(&x->teams, change, r->result);
		tui_take_team_change(x->screen->tui, change->method);
	} else {
		teams_take_change_refusal(&x->teams, change);
		tui_take_refusal(x->screen->tui, change->method);
		app_screen_answer_fault(x->screen, &r->fault);
	}
	app_teams_drop_change(x);
	app_teams_send_change(x);
	app_teams_go_on(x);
	app_screen_touch(x->screen);
}

/* The first change; one that cannot be sent now waits for the next connection. */
static void app_teams_send_change(struct app_teams *x)
{
	if (x->changes_n > 0 && x->client != NULL) {
		enum err e = room_client_request(x->client, x->changes[0], app_teams_on_changed, x);
		(void)e; /* as if it were lost on the way */
	}
}

bool app_teams_do(struct app_teams *x, struct request *r)
{
	if (!teams_changes(r->method)) {
		return false;
	}
	if (x->changes_n == APP_TEAMS_CHANGES_MAX) {
		app_screen_answer(x->screen, "The queue is full. Not sent");
		return true;
	}
	x->changes[x->changes_n++] = request_ref(r);
	if (x->client == NULL) {
		app_screen_answer(x->screen, "Not connected. This is sent on reconnect");
	} else if (x->changes_n == 1) {
		app_teams_send_change(x);
	}
	return true;
}

void app_teams_create_room(struct app_teams *x, struct request *r)
{
	request_free(x->room);
	x->room = request_ref(r);
	app_teams_go_on(x);
}

void app_teams_use(struct app_teams *x, struct room_client *client, const char *server)
{
	bool is_other = client != NULL && strcmp(server, x->server) != 0;
	if (client == x->client && !is_other) {
		return;
	}
	if (x->client != NULL) {
		room_client_forget(x->client, x);
	}
	x->client = client;
	x->teams.is_open = client != NULL;
	if (is_other) {
		while (x->changes_n > 0) {
			app_teams_drop_change(x);
		}
		request_free(x->room);
		x->room = NULL;
		teams_clear(&x->teams);
		(void)format_to(x->server, sizeof(x->server), "%s", server);
	} else {
		teams_lost(&x->teams);
	}
	app_teams_send_change(x);
	app_screen_touch(x->screen); /* what is shown says what is read */
}

/* ---- what others change ---- */

void app_teams_take_update(struct app_teams *x, bool is_gone, enum method by)
{
	if (is_gone) {
		tui_take_team_change(x->screen->tui, by);
	}
	app_screen_touch(x->screen);
}

/* ---- life ---- */

void app_teams_init(struct app_teams *x, struct app_screen *screen, app_teams_create_fn *create,
		    void *owner)
{
	*x = (struct app_teams){.screen = screen, .create = create, .owner = owner};
	teams_init(&x->teams);
}

void app_teams_finish(struct app_teams *x)
{
	while (x->changes_n > 0) {
		app_teams_drop_change(x);
	}
	request_free(x->room);
	teams_finish(&x->teams);
}
