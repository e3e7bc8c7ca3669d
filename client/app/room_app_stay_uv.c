/*
 * room_app_stay_uv.c - a stay in one room, from entering to leaving.
 *
 * Happy path: the room is followed; with its first update it is put on the
 * screen, which opens for it where it has not; its news are told there until it
 * is left.
 * Failure: before the first update the stay ends with a word about it, at home
 * or behind the program; later the link comes back by itself and the screen
 * says so. The room's end ends the stay.
 */
#include "client/app/room_app_parts.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/model/narrate.h"
#include "proto/format.h"

/* What could not be kept, or was damaged. */
static void room_app_stay_say_kept(struct room_app *app, enum err e, const struct errmsg *why)
{
	if (app->tui != NULL && (e != OK || why->text[0] != '\0')) {
		room_app_say(app, why->text[0] != '\0' ? why->text : err_text(e));
	}
}

/* Keep the seat's key under its name, once it has both and whenever one changes. */
static void room_app_stay_keep_seat(struct room_app *app, const struct membership *a)
{
	char *name = a->name == NULL ? NULL : strdup(a->name);
	if (name == NULL) {
		return;
	}
	struct errmsg why = {""};
	enum err e = app->o->on_seat(app->o->owner, app->seat_name, name, a->user_key, &why);
	room_app_stay_say_kept(app, e, &why);
	free(app->seat_name);
	app->seat_name = name;
}

/* Behind the seat: what is not remembered has no title to remember. */
static void room_app_stay_keep_title(struct room_app *app, const struct membership *a)
{
	const char *title = a->room.room.title.data == NULL ? "" : a->room.room.title.data;
	if (app->seat_name == NULL || !a->room.has_state || strcmp(app->title, title) == 0) {
		return;
	}
	(void)format_to(app->title, sizeof(app->title), "%s", title);
	struct errmsg why = {""};
	enum err e = app->o->on_title(app->o->owner, app->title, &why);
	room_app_stay_say_kept(app, e, &why);
}

static void room_app_stay_tell_signals(struct room_app *app, const struct membership *a,
				       unsigned news)
{
	tui_set_now(app->tui, follow_server_ms(app->follow));
	if ((news & MEMBERSHIP_NEWS_NUDGED) != 0) {
		tui_take_nudge(app->tui, a->nudged_by);
	}
	if ((news & MEMBERSHIP_NEWS_REACTION) != 0) {
		tui_take_reaction(app->tui, &a->room, a->reaction_user_id, a->reaction_word);
	}
}

static void room_app_stay_warn(struct room_app *app, const struct membership *a)
{
	struct buf text;
	struct errmsg line;
	buf_init(&text, 256);
	narrate_expiring(a->expires_in_ms, &text);
	(void)memory_check(text.error);
	errmsg_set(&line, "%.*s", (int)text.len - 1, text.data);
	room_app_say(app, line.text);
	buf_finish(&text);
}

/* The room is there: it takes the place of home, or opens the screen. */
static void room_app_stay_arrive(struct room_app *app)
{
	app->is_in = true;
	if (app->next != NULL) {
		tui_destroy(app->tui);
		app->tui = app->next;
		app->next = NULL;
	} else {
		room_app_open_screen(app);
	}
	tui_set_link(app->tui, LINK_LIVE);
}

static void room_app_stay_tell_refusal(struct room_app *app, const struct fault *f)
{
	room_app_say_fault(app, f);
	if (fault_is_of_name(f)) {
		char line[FAULT_LINE_BYTES_MAX];
		fault_line(f, line, sizeof(line));
		tui_refuse_name(app->next != NULL ? app->next : app->tui, line);
	}
}

static void room_app_stay_tell(struct room_app *app, const struct membership *a, unsigned news)
{
	if ((news & (MEMBERSHIP_NEWS_SEAT | MEMBERSHIP_NEWS_JOINED)) != 0) {
		room_app_stay_keep_seat(app, a);
		room_app_say(app, ""); /* a name that was refused before is no more */
	}
	room_app_stay_keep_title(app, a);
	bool is_there = a->room.has_state || a->room.you.is_waiting;
	if (!app->is_in && (news & MEMBERSHIP_NEWS_ROOM) != 0 && is_there) {
		room_app_stay_arrive(app);
	}
	if (app->is_over) {
		return;
	}
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0) {
		room_app_stay_tell_refusal(app, &a->fault);
	}
	if ((news & MEMBERSHIP_NEWS_STALE) != 0) {
		room_app_say(app, "The next round had begun: choose a card again.");
	}
	if ((news & MEMBERSHIP_NEWS_EXPIRING) != 0) {
		room_app_stay_warn(app, a);
	}
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		room_app_say(app, a->reason);
	}
	room_app_stay_tell_signals(app, a, news);
	tui_set_pending(app->tui, membership_pending_vote(a));
	room_app_held_go(app);
	room_app_touch(app);
}

static void room_app_stay_on_news(void *owner, unsigned news)
{
	struct room_app *app = owner;
	const struct membership *a = follow_attend(app->follow);
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		bool is_refused = (news & MEMBERSHIP_NEWS_REFUSED) != 0;
		*app->fault = a->fault;
		errmsg_set(app->why, "%s", a->reason);
		room_app_stay_over(app, app->is_leaving ? ROOM_APP_LEFT
					: is_refused	? ROOM_APP_REFUSED
							: ROOM_APP_ENDED);
		return;
	}
	room_app_stay_tell(app, a, news);
}

static void room_app_stay_on_link(void *owner, bool is_up, const char *why, int64_t retry_ms)
{
	struct room_app *app = owner;
	(void)retry_ms;
	bool is_on_the_way = !app->was_up || (app->next != NULL);
	if (!is_up && (is_on_the_way || app->is_leaving)) {
		errmsg_set(app->why, "%s", why);
		room_app_stay_over(app, app->is_leaving ? ROOM_APP_LEFT : ROOM_APP_LOST);
		return;
	}
	app->was_up = true;
	if (is_up) {
		presence_throttle_up(&app->presence);
	}
	tui_set_link(app->tui, is_up ? LINK_LIVE : LINK_LOST);
	if (is_up) {
		room_app_say(app, "");
		room_app_held_go(app);
	} else {
		struct errmsg text;
		room_app_held_down(app);
		errmsg_set(&text, "Connection lost: %s. Trying again.", why);
		room_app_say(app, text.text);
		app->o->on_lost(app->o->owner);
	}
}

static void room_app_stay_on_refusal(void *owner, enum method method, const struct fault *f)
{
	struct room_app *app = owner;
	if (method == METHOD_ROOM_LEAVE) {
		room_app_stay_over(app, ROOM_APP_LEFT);
	} else if (!room_app_presence_answer(app, method, false)) {
		room_app_take_refusal(app, method, f);
		room_app_held_done(app);
	}
}

static void room_app_stay_on_done(void *owner, enum method method)
{
	if (method == METHOD_ROOM_LEAVE) {
		room_app_stay_over(owner, ROOM_APP_LEFT);
	} else if (!room_app_presence_answer(owner, method, true)) {
		room_app_held_done(owner);
	}
}

static const struct follow_handler room_app_stay_follow_handler = {
	.on_news = room_app_stay_on_news,
	.on_link = room_app_stay_on_link,
	.on_refusal = room_app_stay_on_refusal,
	.on_done = room_app_stay_on_done,
	.on_result = room_app_on_result,
};

/* ---- the end of it ---- */

void room_app_stay_finish(struct room_app *app)
{
	tui_destroy(app->next);
	app->next = NULL;
	room_carry_finish(&app->carry);
	room_app_held_finish(app);
	app->carry = (struct room_carry){.follow = NULL};
	app->presence = (struct presence_throttle){.is_made = false};
	free(app->seat_name);
	app->seat_name = NULL;
	app->title[0] = '\0';
	app->is_in = false;
	app->is_leaving = false;
	app->was_up = false;
}

void room_app_stay_over(struct room_app *app, enum room_app_end end)
{
	(void)uv_timer_stop(&app->goodbye);
	(void)uv_timer_stop(&app->said);
	if (app->seat_name != NULL) {
		struct errmsg unseen = {""};
		/* It was used until now. */
		enum err e = app->o->on_title(app->o->owner, app->title, &unseen);
		(void)e; /* that was told when it was kept first */
	}
	if (app->o->memory == NULL) {
		room_app_stop(app, end);
	} else {
		room_app_home_return(app, end, follow_attend(app->follow)->is_gone);
	}
}

/* ---- entering ---- */

static enum err room_app_stay_want(struct room_app *app)
{
	struct membership *a = follow_attend(app->follow);
	const struct room_app_entry *entry = &app->entry;
	if (entry->host_key[0] != '\0') {
		membership_want_host(a, entry->host_key);
	}
	membership_want_passcode(a, entry->passcode);
	return entry->name[0] == '\0'
		       ? OK
		       : membership_want_name(a, entry->name, app->o->is_spectator, false);
}

static enum err room_app_stay_follow(struct room_app *app)
{
	const struct room_app_entry *entry = &app->entry;
	if (app->home.link != NULL) {
		return follow_take(&app->loop, &app->home.link, entry->room_id, entry->user_key,
				   &room_app_stay_follow_handler, app, &app->follow);
	}
	enum err e = follow_open(&app->loop, &entry->address, entry->room_id, entry->user_key,
				 &room_app_stay_follow_handler, app, &app->follow);
	if (e == OK) {
		follow_sign_in(app->follow, entry->sign_in);
	}
	return e;
}

enum err room_app_enter(struct room_app *app)
{
	struct tui_options o = {
		.settings = app->o->settings,
		.ascii = app->o->ascii,
		.is_spectator = app->o->is_spectator,
		.joins_by_itself = app->entry.name[0] != '\0',
		.name_hint = app->entry.name,
	};
	*(app->tui == NULL ? &app->tui : &app->next) = tui_create(&o);
	enum err e = room_app_stay_follow(app);
	if (e != OK) {
		return e;
	}
	app->was_up = follow_is_up(app->follow);
	presence_throttle_up(&app->presence);
	app->carry = (struct room_carry){
		.follow = app->follow,
		.room_id = app->entry.room_id,
		.host_key = app->entry.host_key,
		.on = &room_app_carry_handler,
		.owner = app,
	};
	e = room_app_stay_want(app);
	if (e == OK) {
		follow_go(app->follow);
	}
	return e;
}
