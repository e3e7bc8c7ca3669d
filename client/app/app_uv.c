/*
 * app_uv.c - the terminal program: a screen, home, and a stay in one room.
 *
 *   home --- a room is chosen ---> entering --- its first update ---> in
 *     ^                               |                               |
 *     +--- given up, refused, lost ---+---- left, ended, refused -----+
 *
 * Without a home the program begins with entering, and ends where it would go
 * home. The connection is home's, lent to the stay; a room on another server
 * costs it, and a new one on the way back.
 */
#include "client/app/app_uv.h"

#include <signal.h>
#include <time.h>

#include <sodium.h>

#include "client/app/feeds_uv.h"
#include "client/app/home_uv.h"
#include "client/app/inbox_uv.h"
#include "client/app/screen_uv.h"
#include "client/app/stay_uv.h"
#include "client/app/teams_uv.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

struct app {
	struct loop loop;
	const struct app_options *o;
	struct app_screen screen;
	struct app_feeds feeds; /* of both that follow */
	struct app_teams teams;
	struct app_inbox inbox;
	struct app_home home; /* of no use where o->memory is NULL */
	struct stay stay;
};

/* ---- the login ---- */

/* Teams and questions are those of the login on the connection that there is, home's or the room's. */
static void app_follow_login(struct app *app)
{
	bool is_in_stay = app->stay.client != NULL;
	struct room_client *client = is_in_stay ? app->stay.client : app->home.client;
	const struct sign_in *s = is_in_stay ? app->stay.entry.sign_in : app->home.place.sign_in;
	const struct address *server =
		is_in_stay ? &app->stay.entry.address : &app->home.place.address;
	bool is_there = client != NULL && room_client_is_up(client) && s != NULL && s->is_signed_in;
	app_feeds_use(&app->feeds, is_there ? client : NULL);
	app_teams_use(&app->teams, is_there ? client : NULL, server->text);
	app_inbox_use(&app->inbox, is_there ? client : NULL, server->text);
}

/* Before a client is closed. */
static void app_leave_login(struct app *app)
{
	app_feeds_use(&app->feeds, NULL);
	app_teams_use(&app->teams, NULL, "");
	app_inbox_use(&app->inbox, NULL, "");
}

static void app_on_feed_refused(void *owner, const struct feed *feed)
{
	struct app *app = owner;
	if (feed->kind->rows == NULL) {
		teams_take_watch_refusal(&app->teams.teams);
	}
}

/* ---- coming back ---- */

/* At home again, on the screen that was there all the time, or on a new one. */
static void app_settle(struct app *app)
{
	bool is_on_screen = !app->stay.is_in;
	struct room_client *client = stay_finish(&app->stay);
	if (!app_home_is_at(&app->home, &app->stay.entry.address)) {
		app_leave_login(app);
		room_client_close(client);
		client = NULL;
	}
	app_home_return(&app->home, client, is_on_screen);
	app_follow_login(app);
}

/* The same where nothing may have changed hands yet; why is told. */
static void app_stay_home(struct app *app, const struct errmsg *why, enum err e)
{
	if (app->stay.client != NULL) {
		app_settle(app);
	}
	app_home_stay(&app->home, why->text[0] != '\0' ? why->text : err_text(e));
}

static void app_on_stay_over(void *owner, enum app_end end)
{
	struct app *app = owner;
	struct app_entry entry = app->stay.entry;
	bool is_gone = room_client_membership(app->stay.client)->is_gone;
	if (app->o->memory == NULL) {
		app_screen_end(&app->screen, end);
		return;
	}
	app_settle(app);
	app_home_explain(&app->home, end, &entry, is_gone, &app->stay.fault, app->stay.why.text);
	sodium_memzero(&entry, sizeof(entry));
}

/* ---- going in ---- */

/* To the room of stay.entry, which the owner has chosen; on home's connection where it has one. */
static void app_go(struct app *app)
{
	struct errmsg text;
	struct room_client *client = app_home_lend(&app->home);
	const struct app_entry *entry = &app->stay.entry;
	if (client == NULL) {
		struct room_client_options o = {
			.address = entry->address,
			.sign_in = entry->sign_in,
			.keeps_trying = true,
			.on_event = app->home.on_event,
			.owner = app,
		};
		client = room_client_open(&app->loop, &o);
	}
	stay_enter(&app->stay, client);
	if (app->o->memory != NULL) {
		app->home.shown.is_entering = true;
		errmsg_set(&text, "Joining %s. Esc cancels", entry->room_id);
		app_screen_say(&app->screen, text.text);
	}
}

static void app_enter(struct app *app, const struct act *act)
{
	struct app_home *home = &app->home;
	struct address server = home->place.address;
	struct errmsg why = {""};
	bool is_told = act->server[0] != '\0';
	if (is_told && address_parse(act->server, &server, &why) != OK) {
		app_screen_answer(&app->screen, why.text);
		return;
	}
	if (!is_told && !home->has_place) {
		app_screen_answer(&app->screen, "No server yet. Try again in a moment");
		return;
	}
	if (app->stay.client != NULL) {
		app_settle(app); /* another one was on its way */
	}
	bool is_here = app_home_is_at(home, &server);
	if (!is_here) {
		app_leave_login(app);
		app_home_disconnect(home);
	}
	enum err e = app->o->memory->choose(app->o->owner, is_here ? NULL : &server, act->room_id,
					    NULL, &app->stay.entry, &why);
	if (e != OK) {
		app_stay_home(app, &why, e);
		return;
	}
	(void)format_to(app->stay.entry.passcode, sizeof(app->stay.entry.passcode), "%s",
			act->text);
	app_go(app);
}

/* A room was made at home. */
static void app_on_made(void *owner, const struct room_create_result *r)
{
	struct app *app = owner;
	char room_id[CODE_CHARS_MAX + 1];
	char host_key[KEY_CHARS + 1];
	struct errmsg why = {""};
	(void)format_to(room_id, sizeof(room_id), "%.*s", (int)r->room_id.len, r->room_id.data);
	(void)format_to(host_key, sizeof(host_key), "%.*s", (int)r->host_key.len, r->host_key.data);
	enum err e = app->o->memory->choose(app->o->owner, NULL, room_id, host_key,
					    &app->stay.entry, &why);
	sodium_memzero(host_key, sizeof(host_key));
	if (e != OK) {
		app_stay_home(app, &why, e);
		return;
	}
	app_go(app);
	if (why.text[0] != '\0') {
		app_screen_say(&app->screen, why.text);
	}
}

/* ---- what the screen asks for ---- */

static void app_save_settings(struct app *app)
{
	struct errmsg why = {""};
	bool is_saved = app->o->on_save(app->o->owner, &why) == OK;
	if (!is_saved) {
		errmsg_prefix(&why, "Not saved");
	}
	app_screen_answer(&app->screen, is_saved ? "Saved" : why.text);
}

/* Questions and teams; false: it is about neither. */
static bool app_do_login(struct app *app, struct request *r)
{
	return app_inbox_do(&app->inbox, r) || app_teams_do(&app->teams, r);
}

static void app_create_room(void *owner, struct request *r)
{
	struct app *app = owner;
	app_home_create(&app->home, r);
}

static void app_do_at_home(struct app *app, const struct act *act)
{
	enum method method = act->request == NULL ? METHOD_COUNT : act->request->method;
	bool is_going = act->local == LOCAL_ENTER || method == METHOD_ROOM_CREATE;
	bool is_stay = act->local == LOCAL_STAY || method == METHOD_ROOM_CREATE;
	if (is_going && (app->home.is_creating || app->teams.room != NULL)) {
		app_screen_answer(&app->screen, "Already creating a room");
		return;
	}
	if (is_stay && app->stay.client != NULL) {
		app_settle(app);
	}
	if (act->request != NULL && app_do_login(app, act->request)) {
		return;
	}
	if (method == METHOD_ROOM_CREATE) {
		app_teams_create_room(&app->teams, act->request);
	} else if (method == METHOD_ROOM_JOIN) {
		const struct room_join_params *p = act->request->params;
		app_home_rename(&app->home, p->username.data);
	} else if (act->request != NULL) {
		app_home_ask(&app->home, act->request);
	} else if (act->local == LOCAL_ENTER) {
		app_enter(app, act);
	} else if (act->local == LOCAL_COPY) {
		app_screen_copy(&app->screen, act->text);
	} else if (act->local == LOCAL_FORGET) {
		app_home_forget(&app->home, act->server, act->room_id);
	} else if (act->local == LOCAL_LEAVE) {
		app_screen_end(&app->screen, APP_LEFT);
	}
}

static void app_on_act(void *owner, const struct act *act, bool is_key)
{
	struct app *app = owner;
	if (act->local == LOCAL_SAVE_SETTINGS) {
		app_save_settings(app);
	} else if (act->feed != NULL) {
		app_feeds_read(&app->feeds, act->feed, act->request);
	} else if (act->request != NULL && app->stay.is_in && app_do_login(app, act->request)) {
		app_screen_touch(&app->screen);
	} else if (app->stay.is_in) {
		stay_do(&app->stay, act);
	} else {
		app_do_at_home(app, act);
	}
	if (is_key) {
		stay_presence_key(&app->stay);
	} else {
		stay_presence_go(&app->stay);
	}
}

static const struct replica *app_room(void *owner)
{
	static const struct replica nowhere = {.is_nowhere = true};
	const struct app *app = owner;
	return app->stay.is_in ? stay_room(&app->stay) : &nowhere;
}

static int64_t app_now_ms(void *owner)
{
	const struct app *app = owner;
	struct timespec now;
	if (app->stay.is_in) {
		return room_client_server_ms(app->stay.client);
	}
	bool is_known = clock_gettime(CLOCK_REALTIME, &now) == 0;
	return is_known ? (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Home says by itself what it waits for. */
static int64_t app_waits_ms(void *owner)
{
	const struct app *app = owner;
	return app->stay.is_in ? room_client_waits_ms(app->stay.client) : -1;
}

static const struct app_screen_handler app_screen_acts = {
	.room = app_room,
	.now_ms = app_now_ms,
	.waits_ms = app_waits_ms,
	.on_act = app_on_act,
};

/* ---- what comes to a user, from rooms that none of their connections follows and of questions ---- */

/* A refusal is no matter for the person: they are not told of such nudges, then. */
static void app_on_watched(void *owner, const struct reply *r)
{
	(void)owner, (void)r;
}

/* On each connection anew. */
static void app_watch(struct app *app)
{
	bool is_in_stay = app->stay.client != NULL;
	const struct sign_in *s = is_in_stay ? app->stay.entry.sign_in : app->home.place.sign_in;
	struct nothing p = {0};
	if (s != NULL && s->is_signed_in) {
		enum err e = room_client_call(is_in_stay ? app->stay.client : app->home.client,
					      METHOD_SESSION_WATCH, &p, app_on_watched, app);
		(void)e; /* the connection is lost again: it is asked on the next one */
	}
}

/* On the screen of that room everything says so. */
static void app_take_waiting(struct app *app, const char *server, const struct session_waiting *n)
{
	bool is_here = app->stay.client != NULL &&
		       slice_eq(n->room_id, slice_str(app->stay.entry.room_id));
	if (!is_here) {
		tui_take_waiting(app->screen.tui, server, n);
		app_screen_touch(&app->screen);
	}
}

/* Of questions the inbox counts and lists them at home; either is a line for a moment, everywhere. */
static void app_take_notice(struct app *app, const struct event *event)
{
	bool is_in_stay = app->stay.client != NULL;
	const struct address *server =
		is_in_stay ? &app->stay.entry.address : &app->home.place.address;
	tui_set_now(app->screen.tui, app_now_ms(app)); /* the moment begins now */
	if (event->notice == NOTICE_QUESTION_NOTICE) {
		tui_take_question_notice(app->screen.tui, app_room(app), event->update);
		app_inbox_refresh(&app->inbox);
	} else if (event->notice == NOTICE_QUESTION_ENDED) {
		tui_take_question_ended(app->screen.tui, event->update);
		app_inbox_refresh(&app->inbox);
	} else if (event->notice == NOTICE_SESSION_NUDGED) {
		tui_take_nudge_elsewhere(app->screen.tui, server->text, event->update);
		app_screen_touch(&app->screen);
	} else if (event->notice == NOTICE_SESSION_WAITING) {
		app_take_waiting(app, server->text, event->update);
	} else if (event->notice == NOTICE_GROUP_UPDATE) {
		app_teams_take_update(&app->teams,
				      teams_take_group_update(&app->teams.teams, event->update),
				      METHOD_GROUP_DELETE);
	} else if (event->notice == NOTICE_CONTAINER_UPDATE) {
		app_teams_take_update(&app->teams,
				      teams_take_container_update(&app->teams.teams, event->update),
				      METHOD_CONTAINER_DELETE);
	}
}

/* ---- what happens ---- */

static void app_on_event(void *owner, const struct event *event)
{
	struct app *app = owner;
	if (app->screen.is_over) {
		return;
	}
	if (event->kind == EVENT_UP) {
		app_watch(app);
	} else if (event->kind == EVENT_NOTICE) {
		app_take_notice(app, event);
	}
	if (event->kind == EVENT_UP || event->kind == EVENT_DOWN) {
		app_follow_login(app);
	}
	if (event->kind == EVENT_SIGNAL) {
		app_screen_take_signal(&app->screen, event->signal);
	} else if (app->stay.client != NULL) {
		stay_take_event(&app->stay, event);
	} else {
		app_home_take_event(&app->home, event);
	}
}

static bool app_is_over(const void *arg)
{
	const struct app *app = arg;
	return app->screen.is_over;
}

/* ---- life ---- */

enum app_end app_run(const struct app_options *o, struct fault *fault, struct errmsg *why)
{
	static const int signals[] = {SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT};
	struct app app = {.o = o};
	loop_open(&app.loop, app_on_event, &app);
	loop_watch_signals(&app.loop, signals, sizeof(signals) / sizeof(signals[0]));
	app_screen_init(&app.screen, &app.loop, o, &app_screen_acts, &app);
	app_feeds_init(&app.feeds, &app.screen, app_on_feed_refused, &app);
	app_teams_init(&app.teams, &app.screen, app_create_room, &app);
	app_inbox_init(&app.inbox, &app.screen);
	app.screen.teams = &app.teams.teams;
	app.screen.inbox = &app.inbox.inbox;
	app_home_init(&app.home, &app.screen, o, app_on_event, app_on_made, &app);
	stay_init(&app.stay, &app.screen, o, app_on_stay_over, &app);
	if (o->memory != NULL) {
		app_home_open(&app.home);
	} else {
		app.stay.entry = o->entry;
		app_go(&app);
	}
	(void)loop_run(&app.loop, app_is_over, &app, -1);
	*fault = app.stay.fault;
	*why = app.stay.why;
	if (app.screen.end == APP_BROKEN) {
		errmsg_set(why, "%s", app.screen.why);
	}
	stay_end(&app.stay);
	room_client_close(app.stay.client);
	app.stay.client = NULL;
	(void)stay_finish(&app.stay);
	stay_close(&app.stay);
	app_inbox_close(&app.inbox);
	app_home_close(&app.home);
	app_feeds_finish(&app.feeds);
	app_teams_finish(&app.teams);
	loop_close(&app.loop);
	app_screen_finish(&app.screen);
	return app.screen.end;
}
