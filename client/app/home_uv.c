/*
 * home_uv.c - home: the server is found and connected to, and rooms
 * are entered, come back from and forgotten.
 *
 * Happy path: the list is shown, the server found behind it; a room is chosen
 * or made; the connection is lent to it and comes back with the person. A room
 * on another server costs the connection, and a new one on the way back.
 * Failure: what goes wrong is told at home, which stays. A server that is not
 * there is looked for again and again.
 */
#include "client/app/room_app_parts.h"

#include <string.h>

#include <sodium.h>

#include "proto/format.h"

#define ROOM_APP_SEEK_AGAIN_MS 5000

/* ---- what is shown ---- */

static void room_app_home_show_name(struct room_app *app)
{
	struct room_app_home *home = &app->home;
	const struct sign_in *s = home->has_place ? home->place.sign_in : NULL;
	home->shown.is_signed_in = s != NULL && s->is_signed_in;
	if (home->shown.is_signed_in) {
		(void)format_to(home->name, sizeof(home->name), "%s", s->user_name);
	} else {
		app->o->memory->name(app->o->owner, home->name);
	}
	home->shown.name = home->name;
	home->shown.server = home->has_place ? home->place.label : "";
	room_app_touch(app);
}

static void room_app_home_mark(struct room_app *app)
{
	struct room_app_home *home = &app->home;
	for (size_t i = 0; i < home->recent.n; i++) {
		struct recent_room *room = &home->recent.rooms[i];
		room->is_elsewhere =
			home->has_place && strcmp(room->server, home->place.address.text) != 0;
	}
}

/* What was found to be no more stays marked, as long as the program runs. */
static void room_app_home_list(struct room_app *app)
{
	struct recent_rooms before = app->home.recent;
	struct recent_rooms now = {0};
	struct errmsg why = {""};
	enum err e = app->o->memory->list(app->o->owner, &now, &why);
	if (e != OK || why.text[0] != '\0') {
		room_app_answer(app, why.text[0] != '\0' ? why.text : err_text(e));
	}
	for (size_t i = 0; i < before.n; i++) {
		size_t at =
			recent_rooms_find(&now, before.rooms[i].server, before.rooms[i].room_id);
		if (at < now.n) {
			now.rooms[at].is_gone = before.rooms[i].is_gone;
		}
	}
	recent_rooms_finish(&before);
	app->home.recent = now;
	room_app_home_mark(app);
}

static void room_app_home_show(struct room_app *app)
{
	struct tui_options o = {
		.home = &app->home.shown,
		.settings = app->o->settings,
		.ascii = app->o->ascii,
	};
	tui_destroy(app->tui);
	app->tui = tui_create(&o);
}

/* ---- the server ---- */

static void room_app_home_on_up(void *owner)
{
	struct room_app *app = owner;
	const struct sign_in *s = app->home.place.sign_in;
	bool is_refused = s != NULL && !s->is_signed_in && s->fault.code != FAULT_NONE;
	tui_set_link(app->tui, LINK_LIVE);
	room_app_home_show_name(app);
	room_app_say(app, "");
	if (is_refused) {
		room_app_say_fault(app, &s->fault);
	}
}

static void room_app_home_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct room_app *app = owner;
	struct errmsg text;
	(void)retry_ms;
	errmsg_set(&text, "No connection: %s. Trying again.", why);
	tui_set_link(app->tui, LINK_LOST);
	room_app_say(app, text.text);
	app->o->on_lost(app->o->owner);
}

/* Of a room that was left: it goes on, but not for us. */
static void room_app_home_on_notice(void *owner, struct slice method,
				    const struct msgpack_object *params)
{
	(void)owner, (void)method, (void)params;
}

static const struct connection_handler room_app_home_link_handler = {
	.on_up = room_app_home_on_up,
	.on_down = room_app_home_on_down,
	.on_notice = room_app_home_on_notice,
};

static void room_app_home_on_seek(uv_timer_t *timer);

static void room_app_home_seek_in(struct room_app *app, uint64_t ms)
{
	(void)uv_timer_start(&app->home.seek, room_app_home_on_seek, ms, 0);
}

static void room_app_home_connect(struct room_app *app)
{
	struct room_app_home *home = &app->home;
	enum err e = connection_open(&app->loop, &home->place.address, true,
				     &room_app_home_link_handler, app, &home->link);
	if (e != OK) {
		room_app_break(app, err_text(e));
		return;
	}
	connection_sign_in(home->link, home->place.sign_in);
}

static void room_app_home_on_seek(uv_timer_t *timer)
{
	struct room_app *app = timer->data;
	struct errmsg why = {""};
	if (app->home.link != NULL || app->follow != NULL) {
		return;
	}
	enum err e = app->o->memory->find(app->o->owner, &app->home.place, &why);
	app->home.has_place = e == OK;
	room_app_home_show_name(app);
	room_app_home_mark(app);
	if (e == OK) {
		room_app_home_connect(app);
		return;
	}
	struct errmsg text;
	errmsg_set(&text, "No server: %s. Trying again.",
		   why.text[0] != '\0' ? why.text : err_text(e));
	tui_set_link(app->tui, LINK_LOST);
	room_app_say(app, text.text);
	room_app_home_seek_in(app, ROOM_APP_SEEK_AGAIN_MS);
}

/* ---- going in ---- */

static bool room_app_home_is_here(const struct room_app *app, const struct address *server)
{
	return app->home.has_place && strcmp(server->text, app->home.place.address.text) == 0;
}

/* The connection comes back, if it is home's; the room is told that nobody follows it any more. */
static void room_app_home_take_back(struct room_app *app)
{
	struct follow *f = app->follow;
	struct room_params p = {.room_id = slice_str(app->entry.room_id)};
	app->follow = NULL;
	if (!room_app_home_is_here(app, &app->entry.address)) {
		follow_close(f);
		app->home.has_place = false; /* its login's memory was lent to the other server */
		room_app_home_seek_in(app, 0);
		return;
	}
	enum err e = follow_attend(f)->phase == MEMBERSHIP_ENDED
			     ? OK
			     : follow_ask(f, METHOD_ROOM_UNSUBSCRIBE, &p);
	if (e != OK && e != ERR_CLOSED) {
		/* It could not even be queued: a new connection follows nothing. Without one,
		 * nothing is followed. */
		follow_close(f);
		room_app_home_connect(app);
		return;
	}
	app->home.link = follow_release(f);
	connection_hand_over(app->home.link, &room_app_home_link_handler, app);
}

void room_app_home_settle(struct room_app *app)
{
	bool was_in = app->is_in;
	room_app_home_take_back(app);
	room_app_stay_finish(app);
	app->home.shown.is_entering = false;
	if (was_in) {
		room_app_home_show(app);
	}
	if (app->is_over) {
		return;
	}
	bool is_up = app->home.link != NULL && connection_is_up(app->home.link);
	tui_set_link(app->tui, is_up ? LINK_LIVE : LINK_CONNECTING);
	room_app_say(app, "");
	room_app_home_list(app);
	room_app_home_show_name(app);
}

void room_app_home_stay(struct room_app *app, const char *why)
{
	if (app->follow != NULL) {
		room_app_home_settle(app);
	} else if (app->home.link == NULL) {
		app->home.has_place = false;
		room_app_home_seek_in(app, 0);
	}
	if (!app->is_over) {
		room_app_answer(app, why);
	}
}

void room_app_home_go(struct room_app *app)
{
	struct errmsg text;
	enum err e = room_app_enter(app);
	if (e != OK) {
		tui_destroy(app->next);
		app->next = NULL;
		room_app_home_stay(app, err_text(e));
		return;
	}
	app->home.shown.is_entering = true;
	errmsg_set(&text, "Going into %s. Esc stays here.", app->entry.room_id);
	room_app_say(app, text.text);
}

static void room_app_home_enter(struct room_app *app, const struct act *act)
{
	struct address server = app->home.place.address;
	struct errmsg why = {""};
	bool is_told = act->server[0] != '\0';
	if (is_told && address_parse(act->server, &server, &why) != OK) {
		room_app_answer(app, why.text);
		return;
	}
	if (!is_told && !app->home.has_place) {
		room_app_answer(app, "No server has been found yet: try again in a moment");
		return;
	}
	if (app->follow != NULL) {
		room_app_home_settle(app); /* another one was on its way */
	}
	bool is_here = room_app_home_is_here(app, &server);
	if (!is_here) {
		connection_close(app->home.link); /* before a login there takes this one's memory */
		app->home.link = NULL;
		(void)uv_timer_stop(&app->home.seek);
	}
	enum err e = app->o->memory->choose(app->o->owner, is_here ? NULL : &server, act->room_id,
					    NULL, &app->entry, &why);
	if (e != OK) {
		room_app_home_stay(app, why.text[0] != '\0' ? why.text : err_text(e));
		return;
	}
	(void)format_to(app->entry.passcode, sizeof(app->entry.passcode), "%s", act->text);
	room_app_home_go(app);
}

/* ---- coming back ---- */

/* Unknown, full and locked rooms are one to a stranger; a passcode may help with one of them. */
static void room_app_home_not_found(struct room_app *app, const struct room_app_entry *entry)
{
	struct recent_rooms *recent = &app->home.recent;
	size_t at = recent_rooms_find(recent, entry->address.text, entry->room_id);
	struct errmsg why;
	if (entry->passcode[0] != '\0') {
		room_app_answer(app, "No such room, or not its passcode");
	} else if (at < recent->n) {
		recent->rooms[at].is_gone = true;
		errmsg_set(&why, "There is no %s.", entry->room_id);
		tui_offer_forget(app->tui, entry->address.text, entry->room_id, why.text);
	} else {
		tui_ask_passcode(app->tui, entry->address.text, entry->room_id);
	}
}

static void room_app_home_gone(struct room_app *app, const struct room_app_entry *entry)
{
	struct recent_rooms *recent = &app->home.recent;
	size_t at = recent_rooms_find(recent, entry->address.text, entry->room_id);
	struct errmsg text;
	errmsg_set(&text, "%s: %s.", entry->room_id, app->why->text);
	if (at < recent->n) {
		recent->rooms[at].is_gone = true;
		tui_offer_forget(app->tui, entry->address.text, entry->room_id, text.text);
	} else {
		room_app_answer(app, text.text);
	}
}

static void room_app_home_explain(struct room_app *app, enum room_app_end end,
				  const struct room_app_entry *entry, bool is_gone)
{
	struct errmsg text;
	switch (end) {
	case ROOM_APP_REFUSED:
		if (app->fault->code == FAULT_ROOM_NOT_FOUND) {
			room_app_home_not_found(app, entry);
		} else {
			room_app_answer_fault(app, app->fault);
		}
		return;
	case ROOM_APP_ENDED:
		if (is_gone) {
			room_app_home_gone(app, entry);
			return;
		}
		errmsg_set(&text, "%s: %s", entry->room_id, app->why->text);
		room_app_answer(app, text.text);
		return;
	case ROOM_APP_LOST:
		errmsg_set(&text, "Cannot reach %s: %s", entry->address.text, app->why->text);
		room_app_answer(app, text.text);
		return;
	case ROOM_APP_LEFT:
	case ROOM_APP_NO_SCREEN:
	case ROOM_APP_BROKEN:
		return;
	}
}

void room_app_home_return(struct room_app *app, enum room_app_end end, bool is_gone)
{
	struct room_app_entry entry = app->entry;
	room_app_home_settle(app);
	if (!app->is_over) {
		room_app_home_explain(app, end, &entry, is_gone);
		room_app_touch(app);
	}
	sodium_memzero(&entry, sizeof(entry));
}

/* ---- the rest ---- */

static void room_app_home_forget(struct room_app *app, const struct act *act)
{
	struct errmsg why = {""};
	enum err e = app->o->memory->forget(app->o->owner, act->server, act->room_id, &why);
	if (e != OK) {
		room_app_answer(app, why.text[0] != '\0' ? why.text : err_text(e));
		return;
	}
	recent_rooms_remove(&app->home.recent,
			    recent_rooms_find(&app->home.recent, act->server, act->room_id));
	room_app_touch(app);
}

static void room_app_home_rename(struct room_app *app, const char *name)
{
	struct errmsg why = {""};
	enum err e = app->o->memory->rename(app->o->owner, name, &why);
	if (e != OK || why.text[0] != '\0') {
		room_app_answer(app, why.text[0] != '\0' ? why.text : err_text(e));
	}
	room_app_home_show_name(app);
}

void room_app_home_do(struct room_app *app, const struct act *act)
{
	enum method method = act->request == NULL ? METHOD_COUNT : act->request->method;
	bool is_going = act->local == LOCAL_ENTER || method == METHOD_ROOM_CREATE;
	if (is_going && app->home.is_creating) {
		room_app_answer(app, "A room is being made: one moment");
	} else if (method == METHOD_ROOM_CREATE) {
		room_app_home_create(app, act->request);
	} else if (method == METHOD_ROOM_JOIN) {
		const struct room_join_params *p = act->request->params;
		room_app_home_rename(app, p->username.data);
	} else if (act->local == LOCAL_ENTER) {
		room_app_home_enter(app, act);
	} else if (act->local == LOCAL_FORGET) {
		room_app_home_forget(app, act);
	} else if (act->local == LOCAL_STAY && app->follow != NULL) {
		room_app_home_settle(app);
	} else if (act->local == LOCAL_LEAVE) {
		room_app_stop(app, ROOM_APP_LEFT);
	}
}

/* ---- life ---- */

enum err room_app_home_open(struct room_app *app)
{
	app->home.shown.recent = &app->home.recent;
	app->home.shown.server = "";
	room_app_home_show(app);
	room_app_open_screen(app);
	if (app->is_over) {
		return OK;
	}
	room_app_home_list(app);
	room_app_home_show_name(app);
	room_app_say(app, "Looking for a server.");
	room_app_home_seek_in(app, 0); /* behind the first painting */
	return OK;
}

void room_app_home_close(struct room_app *app)
{
	connection_close(app->home.link);
	app->home.link = NULL;
	uv_close((uv_handle_t *)&app->home.seek, NULL);
}
