/*
 * home_uv.c - the list, the server, and new rooms; see home_uv.h.
 *
 * Happy path: the list is shown, the server found behind it and connected to.
 * Failure: what goes wrong is told at home, which stays. A server that is not
 * there is looked for again and again.
 */
#include "client/app/home_uv.h"

#include <string.h>

#include "client/app/room_carry_uv.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

#define APP_HOME_SEEK_AGAIN_MS 5000

static void app_home_answer(struct app_home *h, const struct errmsg *why, enum err e)
{
	app_screen_answer(h->screen, why->text[0] != '\0' ? why->text : err_text(e));
}

/* ---- what is shown ---- */

/* "your own server, shared at 192.0.2.7:2937" */
static void app_home_show_server(struct app_home *h, struct slice address)
{
	char text[ADDRESS_HOST_MAX + 24] = "";
	size_t n = format_to(h->server, sizeof(h->server), "%s", h->place.label);
	text[text_soften(address, text, sizeof(text) - 1)] = '\0';
	const char *host = strstr(text, "://");
	if (host != NULL) {
		(void)format_to(h->server + n, sizeof(h->server) - n, ", shared at %s",
				host + strlen("://"));
	}
	app_screen_touch(h->screen);
}

static void app_home_on_addresses(void *owner, const struct reply *r)
{
	struct app_home *h = owner;
	const struct server_share_result *share = r->result;
	if (share == NULL || h->client == NULL) { /* one that cannot say it says nothing */
		return;
	}
	invite_place_set(&h->place.place, share);
	tui_set_place(h->screen->tui, &h->place.place);
	app_home_show_server(h, share->addresses.n > 0 ? share->addresses.items[0]
						       : (struct slice){0});
}

/* A server of one's own may have been shared, or not any more, in a room or by another aye. */
static void app_home_ask_addresses(struct app_home *h)
{
	const struct server_share_params p = {.address = {0}};
	if (h->place.place.is_own && room_client_is_up(h->client)) {
		enum err e = room_client_call(h->client, METHOD_SERVER_SHARE, &p,
					      app_home_on_addresses, h);
		(void)e; /* they are asked for on the next connection */
	}
}

static void app_home_show_name(struct app_home *h)
{
	const struct sign_in *s = h->has_place ? h->place.sign_in : NULL;
	h->shown.is_signed_in = s != NULL && s->is_signed_in;
	if (h->shown.is_signed_in) {
		(void)format_to(h->name, sizeof(h->name), "%s", s->user_name);
	} else {
		h->o->memory->name(h->o->owner, h->name);
	}
	h->shown.name = h->name;
	h->shown.server = h->has_place ? h->server : "";
	if (h->has_place) {
		tui_set_place(h->screen->tui, &h->place.place);
	}
	app_screen_touch(h->screen);
}

static void app_home_mark(struct app_home *h)
{
	for (size_t i = 0; i < h->recent.n; i++) {
		struct recent_room *room = &h->recent.rooms[i];
		room->is_elsewhere =
			h->has_place && strcmp(room->server, h->place.address.text) != 0;
	}
}

/* What was found to be no more stays marked, as long as the program runs. */
static void app_home_list(struct app_home *h)
{
	struct recent_rooms before = h->recent;
	struct recent_rooms now = {0};
	struct errmsg why = {""};
	h->o->memory->list(h->o->owner, &now, &why);
	if (why.text[0] != '\0') {
		app_home_answer(h, &why, OK);
	}
	for (size_t i = 0; i < before.n; i++) {
		size_t at =
			recent_rooms_find(&now, before.rooms[i].server, before.rooms[i].room_id);
		if (at < now.n) {
			now.rooms[at].is_gone = before.rooms[i].is_gone;
		}
	}
	recent_rooms_finish(&before);
	h->recent = now;
	app_home_mark(h);
}

static void app_home_make(struct app_home *h)
{
	struct tui_options o = {
		.home = &h->shown,
		.opens_inbox = h->o->opens_inbox && h->screen->tui == NULL,
	};
	app_screen_prepare(h->screen, &o);
}

static void app_home_prepare(struct app_home *h)
{
	app_home_make(h);
	app_screen_switch(h->screen);
}

/* ---- the server ---- */

static void app_home_on_seek(uv_timer_t *timer);

static void app_home_seek_in(struct app_home *h, uint64_t ms)
{
	(void)uv_timer_start(&h->seek, app_home_on_seek, ms, 0);
}

static void app_home_on_seek(uv_timer_t *timer)
{
	struct app_home *h = timer->data;
	struct errmsg why = {""};
	if (h->client != NULL || h->screen->is_over) {
		return;
	}
	enum err e = h->o->memory->find(h->o->owner, &h->place, &why);
	h->has_place = e == OK;
	app_home_show_server(h, (struct slice){0});
	app_home_show_name(h);
	app_home_mark(h);
	if (e == OK) {
		struct room_client_options o = {
			.address = h->place.address,
			.sign_in = h->place.sign_in,
			.keeps_trying = true,
			.on_event = h->on_event,
			.owner = h->owner,
		};
		h->client = room_client_open(h->screen->loop, &o);
		return;
	}
	struct errmsg text;
	errmsg_set(&text, "No server: %s. Retrying", why.text[0] != '\0' ? why.text : err_text(e));
	app_screen_lose(h->screen, text.text);
	app_home_seek_in(h, APP_HOME_SEEK_AGAIN_MS);
}

bool app_home_is_at(const struct app_home *h, const struct address *server)
{
	return h->has_place && strcmp(server->text, h->place.address.text) == 0;
}

void app_home_disconnect(struct app_home *h)
{
	room_client_close(h->client);
	h->client = NULL;
	(void)uv_timer_stop(&h->seek);
}

struct room_client *app_home_lend(struct app_home *h)
{
	struct room_client *client = h->client;
	h->client = NULL;
	return client;
}

void app_home_stay(struct app_home *h, const char *why)
{
	if (h->client == NULL) {
		h->has_place = false;
		app_home_seek_in(h, 0);
	}
	app_screen_answer(h->screen, why);
}

void app_home_return(struct app_home *h, struct room_client *client, bool is_on_screen)
{
	h->client = client;
	if (client == NULL) {
		h->has_place = false; /* its login's memory was lent to the other server */
		app_home_seek_in(h, 0);
	}
	h->shown.is_entering = false;
	if (!is_on_screen) {
		app_home_prepare(h);
	}
	bool is_up = client != NULL && room_client_is_up(client);
	tui_set_link(h->screen->tui, is_up ? LINK_LIVE : LINK_CONNECTING);
	app_screen_say(h->screen, "");
	app_home_list(h);
	app_home_show_name(h);
	if (is_up) {
		app_home_ask_addresses(h);
	}
}

/* ---- making a room ---- */

static void app_home_on_created(void *owner, const struct reply *r)
{
	struct app_home *h = owner;
	h->is_creating = false;
	app_screen_say(h->screen, "");
	if (r->error == ERR_CLOSED) {
		app_screen_answer(h->screen, "Connection lost. Try again");
	} else if (r->is_refused) {
		app_screen_answer_fault(h->screen, &r->fault);
	} else {
		h->on_made(h->owner, r->result);
	}
}

/* Whether it is on its way; it is told where it is not. */
static bool app_home_send(struct app_home *h, struct request *r, reply_fn *on)
{
	bool is_up = h->client != NULL && room_client_is_up(h->client);
	enum err e = is_up ? room_client_request(h->client, r, on, h) : ERR_CLOSED;
	if (e != OK) {
		app_screen_answer(h->screen, e == ERR_CLOSED
						     ? "Not connected. Try again in a moment"
						     : err_text(e));
	}
	return e == OK;
}

void app_home_create(struct app_home *h, struct request *r)
{
	if (app_home_send(h, r, app_home_on_created)) {
		h->is_creating = true;
		app_screen_say(h->screen, "Creating a room");
	}
}

static void app_home_on_asked(void *owner, const struct reply *r)
{
	struct app_home *h = owner;
	if (r->is_refused) {
		tui_take_refusal(h->screen->tui, r->method);
		app_screen_answer_fault(h->screen, &r->fault);
	}
}

/* Sharing begins in a room: at home it only ends. */
static void app_home_on_unshared(void *owner, const struct reply *r)
{
	struct app_home *h = owner;
	app_home_on_asked(owner, r);
	app_home_on_addresses(owner, r);
	if (r->result != NULL && h->place.place.n == 0) {
		app_screen_answer(h->screen, INVITE_UNSHARED);
	}
}

void app_home_ask(struct app_home *h, struct request *r)
{
	(void)app_home_send(h, r,
			    r->method == METHOD_SERVER_SHARE ? app_home_on_unshared
							     : app_home_on_asked);
}

/* ---- what happens to the connection ---- */

static void app_home_on_up(struct app_home *h)
{
	const struct sign_in *s = h->place.sign_in;
	bool is_refused = s != NULL && !s->is_signed_in && s->fault.code != FAULT_NONE;
	tui_set_link(h->screen->tui, LINK_LIVE);
	app_home_show_name(h);
	app_home_ask_addresses(h);
	app_screen_say(h->screen, "");
	if (is_refused) {
		app_screen_say_fault(h->screen, &s->fault);
	}
}

static void app_home_on_down(struct app_home *h, const char *why)
{
	struct errmsg text;
	const char *instead = h->o->on_lost(h->o->owner);
	errmsg_set(&text, "Not connected: %s. Retrying", why);
	app_screen_lose(h->screen, instead != NULL ? instead : text.text);
}

void app_home_take_event(struct app_home *h, const struct event *event)
{
	if (event->kind == EVENT_UP) {
		app_home_on_up(h);
	} else if (event->kind == EVENT_DOWN) {
		app_home_on_down(h, event->why);
	}
}

/* ---- the end of a stay ---- */

/* It is no more: where it is on the list, that is offered to be forgotten. */
static void app_home_gone(struct app_home *h, const struct app_entry *entry, const char *text)
{
	size_t at = recent_rooms_find(&h->recent, entry->address.text, entry->room_id);
	if (at < h->recent.n) {
		h->recent.rooms[at].is_gone = true;
		tui_offer_forget(h->screen->tui, entry->address.text, entry->room_id, text);
	} else {
		app_screen_answer(h->screen, text);
	}
}

/* No room has that code; of a locked one it is said that it is locked. */
static void app_home_not_found(struct app_home *h, const struct app_entry *entry)
{
	struct errmsg text;
	bool is_here = app_home_is_at(h, &entry->address);
	if (recent_rooms_find(&h->recent, entry->address.text, entry->room_id) < h->recent.n) {
		errmsg_set(&text, "%s not found.", entry->room_id);
		app_home_gone(h, entry, text.text);
		return;
	}
	errmsg_set(&text, "No %s on %s%s", entry->room_id,
		   is_here ? h->place.label : entry->address.text,
		   is_here ? ". Paste the full join command" : "");
	app_screen_answer(h->screen, text.text);
}

void app_home_explain(struct app_home *h, enum app_end end, const struct app_entry *entry,
		      bool is_gone, const struct fault *fault, const char *why)
{
	struct errmsg text;
	if (end == APP_LEFT_HERE) {
		app_screen_answer(h->screen, ROOM_CARRY_ELSEWHERE);
	} else if (end == APP_REFUSED && fault->code == FAULT_ROOM_NOT_FOUND) {
		app_home_not_found(h, entry);
	} else if (end == APP_REFUSED && fault->code == FAULT_PASSCODE_REQUIRED) {
		tui_ask_passcode(h->screen->tui, entry->address.text, entry->room_id,
				 entry->passcode[0] != '\0');
	} else if (end == APP_REFUSED) {
		app_screen_answer_fault(h->screen, fault);
	} else if (end == APP_ENDED && is_gone) {
		errmsg_set(&text, "%s: %s.", entry->room_id, why);
		app_home_gone(h, entry, text.text);
	} else if (end == APP_ENDED || end == APP_LOST) {
		errmsg_set(&text, "%s%s: %s", end == APP_LOST ? "Cannot reach " : "",
			   end == APP_LOST ? entry->address.text : entry->room_id, why);
		app_screen_answer(h->screen, text.text);
	}
	app_screen_touch(h->screen);
}

/* ---- the rest ---- */

void app_home_forget(struct app_home *h, const char *server, const char *room_id)
{
	struct errmsg why = {""};
	enum err e = h->o->memory->forget(h->o->owner, server, room_id, &why);
	if (e != OK) {
		app_home_answer(h, &why, e);
		return;
	}
	recent_rooms_remove(&h->recent, recent_rooms_find(&h->recent, server, room_id));
	app_screen_touch(h->screen);
}

void app_home_rename(struct app_home *h, const char *name)
{
	struct errmsg why = {""};
	enum err e = h->o->memory->rename(h->o->owner, name, &why);
	if (e != OK || why.text[0] != '\0') {
		app_home_answer(h, &why, e);
	}
	app_home_show_name(h);
}

/* ---- life ---- */

void app_home_init(struct app_home *h, struct app_screen *screen, const struct app_options *o,
		   event_cb on_event,
		   void (*on_made)(void *owner, const struct room_create_result *r), void *owner)
{
	*h = (struct app_home){
		.screen = screen,
		.o = o,
		.on_event = on_event,
		.on_made = on_made,
		.owner = owner,
	};
	h->shown.recent = &h->recent;
	h->shown.server = "";
	(void)uv_timer_init(&screen->loop->uv, &h->seek);
	h->seek.data = h;
}

/* Nothing asks on it any more. */
static bool app_home_has_terminal(const void *arg)
{
	const struct app_home *h = arg;
	return h->screen->is_over || h->client == NULL || !room_client_is_asking(h->client);
}

void app_home_open(struct app_home *h)
{
	app_home_make(h);
	if (h->o->connects_first) {
		app_home_on_seek(&h->seek);
		(void)loop_run(h->screen->loop, app_home_has_terminal, h, -1);
	}
	if (!h->screen->is_over) {
		app_screen_switch(h->screen);
	}
	if (h->screen->is_over) {
		return;
	}
	app_home_list(h);
	app_home_show_name(h);
	if (h->client == NULL) {
		app_screen_say(h->screen, "Looking for a server");
		app_home_seek_in(h, 0); /* behind the first painting */
	}
}

void app_home_close(struct app_home *h)
{
	room_client_close(h->client);
	h->client = NULL;
	uv_close((uv_handle_t *)&h->seek, NULL);
	recent_rooms_finish(&h->recent);
}
