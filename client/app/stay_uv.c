/*
 * stay_uv.c - a room on the screen; see stay_uv.h.
 */
#include "client/app/stay_uv.h"

#include <stdlib.h>
#include <string.h>

#include "client/acts/fault_words.h"
#include "client/acts/narrate.h"
#include "client/model/memory.h"
#include "client/tui/actions/action_table.h"
#include "proto/base/format.h"

#define STAY_GOODBYE_MS 1000
#define STAY_SLOW_MS	1000

const struct replica *stay_room(const struct stay *s)
{
	return &room_client_membership(s->client)->room;
}

/* ---- what is kept of it ---- */

/* What could not be kept, or was damaged. */
static void stay_say_kept(struct stay *s, enum err e, const struct errmsg *why)
{
	if (e != OK || why->text[0] != '\0') {
		app_screen_say(s->screen, why->text[0] != '\0' ? why->text : err_text(e));
	}
}

/* Keep the seat's key under its name, once it has both and whenever one changes. */
static void stay_keep_seat(struct stay *s, const struct membership *a)
{
	struct errmsg why = {""};
	if (a->name == NULL) {
		return;
	}
	char *name = memory_text(a->name);
	enum err e = s->o->on_seat(s->o->owner, s->seat_name, name, a->user_key, &why);
	stay_say_kept(s, e, &why);
	free(s->seat_name);
	s->seat_name = name;
}

/* Behind the seat: what is not remembered has no title to remember. */
static void stay_keep_title(struct stay *s, const struct membership *a)
{
	const char *title = a->room.room.title.data == NULL ? "" : a->room.room.title.data;
	struct errmsg why = {""};
	if (s->seat_name == NULL || !a->room.has_state || strcmp(s->title, title) == 0) {
		return;
	}
	(void)format_to(s->title, sizeof(s->title), "%s", title);
	enum err e = s->o->on_title(s->o->owner, s->title, &why);
	stay_say_kept(s, e, &why);
}

static void stay_over(struct stay *s, enum app_end end)
{
	if (s->seat_name != NULL) {
		struct errmsg unseen = {""};
		/* It was used until now. */
		enum err e = s->o->on_title(s->o->owner, s->title, &unseen);
		(void)e; /* that was told when it was kept first */
	}
	s->on_over(s->owner, end);
}

/* ---- what waits for the connection ---- */

static void stay_show_held(struct stay *s)
{
	char words[400];
	offline_queue_words(room_client_held(s->client), words, sizeof(words));
	tui_set_held(s->screen->tui, words);
	app_screen_touch(s->screen);
}

/* A text that was written stays in its editor, which asks again. */
static bool stay_saves_text(const struct request *r)
{
	return r->method == METHOD_MAP_SET || request_has(r, "description");
}

/* Without a connection: the act waits, or is told not to. False where it is not one that waits. */
static bool stay_hold(struct stay *s, struct request *r)
{
	if (room_client_is_up(s->client) || !offline_queue_may(r) || stay_saves_text(r)) {
		return false;
	}
	if (!room_client_hold(s->client, r)) {
		app_screen_answer(s->screen, "Not connected and the queue is full. Not sent");
	}
	stay_show_held(s);
	return true;
}

/* All that was dropped since the connection is back, not only the last of it. */
static void stay_take_held(struct stay *s, struct request *r, const char *dropped)
{
	size_t n = strlen(s->dropped);
	if (r != NULL) {
		room_carry_do_held(&s->carry, r);
	}
	if (dropped[0] != '\0') {
		(void)format_to(s->dropped + n, sizeof(s->dropped) - n, "%s", dropped);
		app_screen_say(s->screen, s->dropped);
	}
	stay_show_held(s);
}

/* ---- what the screen asks for ---- */

static void stay_leave(struct stay *s)
{
	if (s->is_leaving || !room_carry_leave(&s->carry)) {
		stay_over(s, APP_LEFT);
		return;
	}
	s->is_leaving = true; /* a second time is at once */
	room_client_wake_in(s->client, STAY_GOODBYE_MS);
}

static void stay_show_rounds(struct stay *s)
{
	const struct round_history *rounds = &s->carry.rounds;
	tui_set_rounds(s->screen->tui, rounds->items == NULL ? NULL : rounds);
	app_screen_touch(s->screen);
}

void stay_do(struct stay *s, const struct act *act)
{
	struct request *r = act->request;
	if (act->local == LOCAL_LEAVE) {
		stay_leave(s);
		return;
	}
	if (act->local == LOCAL_COPY) {
		app_screen_copy(s->screen, act->text);
		return;
	}
	if ((act->local == LOCAL_NONE && r == NULL) || (r != NULL && stay_hold(s, r))) {
		return;
	}
	bool is_on_its_way = room_carry_do(&s->carry, act);
	if (!is_on_its_way && r != NULL && r->method == METHOD_ROUND_LIST) {
		stay_show_rounds(s);
	}
	if (!is_on_its_way && r != NULL && stay_saves_text(r)) {
		tui_take_saved(s->screen->tui, false);
	}
}

static void stay_on_answer(void *owner, const char *text)
{
	struct stay *s = owner;
	app_screen_answer(s->screen, text);
}

static void stay_on_rounds(void *owner, const struct round_history *rounds)
{
	(void)rounds;
	stay_show_rounds(owner);
}

static void stay_on_saved(void *owner, bool is_done)
{
	struct stay *s = owner;
	tui_take_saved(s->screen->tui, is_done);
	app_screen_touch(s->screen);
}

static void stay_on_addresses(void *owner, const struct server_share_result *share, bool is_told)
{
	struct stay *s = owner;
	invite_place_set(&s->entry.place, share);
	tui_set_place(s->screen->tui, &s->entry.place);
	if (is_told) {
		struct errmsg text;
		bool is_web = s->entry.place.web[0] != '\0';
		errmsg_set(&text, "Shared. Press %s for the join command%s%s%s",
			   action_key_in(ACTION_INVITE, VIEW_ROOM, stay_room(s)).name,
			   is_web ? ", " : "",
			   is_web ? action_key_in(ACTION_QR, VIEW_ROOM, stay_room(s)).name : "",
			   is_web ? " for a QR code" : "");
		app_screen_answer(s->screen, s->entry.place.n == 0 ? INVITE_UNSHARED : text.text);
	}
	app_screen_touch(s->screen);
}

/* What only reads is asked for again when the connection is back. */
static void stay_on_refusal(void *owner, const struct reply *r)
{
	struct stay *s = owner;
	bool is_silent = r->error == ERR_CLOSED && method_rows[r->method].effect == EFFECT_READS;
	if (r->method == METHOD_ROUND_LIST) {
		stay_show_rounds(s);
	}
	if (!is_silent) {
		tui_take_refusal(s->screen->tui, r->method);
		app_screen_answer_fault(s->screen, &r->fault);
	}
}

static void stay_on_left(void *owner)
{
	struct stay *s = owner;
	stay_over(s, s->carry.is_elsewhere ? APP_LEFT_HERE : APP_LEFT);
}

static const struct room_carry_handler stay_carry_handler = {
	.on_refusal = stay_on_refusal,
	.on_left = stay_on_left,
	.on_addresses = stay_on_addresses,
	.on_saved = stay_on_saved,
	.on_answer = stay_on_answer,
	.on_rounds = stay_on_rounds,
};

/* ---- what happens in the room ---- */

static void stay_take_signals(struct stay *s, const struct membership *a, unsigned news)
{
	struct tui *t = s->screen->tui;
	tui_set_now(t, room_client_server_ms(s->client));
	if ((news & MEMBERSHIP_NEWS_NUDGED) != 0) {
		tui_take_nudge(t, a->nudged_by);
	}
	if ((news & MEMBERSHIP_NEWS_REACTION) != 0) {
		tui_take_reaction(t, &a->room, a->reaction_user_id, a->reaction_word);
	}
	if ((news & MEMBERSHIP_NEWS_STALE) != 0) {
		app_screen_answer(s->screen, "The next round has started. Vote again");
	}
	if ((news & MEMBERSHIP_NEWS_EXPIRING) != 0) {
		struct buf text;
		struct errmsg line;
		buf_init(&text, 256);
		narrate_expiring(a->expires_in_ms, &text);
		(void)memory_check(text.error);
		errmsg_set(&line, "%.*s", (int)text.len - 1, text.data);
		app_screen_say(s->screen, line.text);
		buf_finish(&text);
	}
	if ((news & MEMBERSHIP_NEWS_CLOSING) != 0) {
		app_screen_say(s->screen, a->reason);
	}
}

static void stay_take_refusal(struct stay *s, const struct fault *f)
{
	struct app_screen *screen = s->screen;
	app_screen_answer_fault(screen, f);
	if (fault_is_of_name(f)) {
		char line[FAULT_WORDS_BYTES_MAX];
		fault_words(f, line);
		tui_refuse_name(screen->next != NULL ? screen->next : screen->tui, line);
	}
}

static void stay_take_end(struct stay *s, const struct membership *a, unsigned news)
{
	bool is_refused = (news & MEMBERSHIP_NEWS_REFUSED) != 0;
	s->fault = a->fault;
	errmsg_set(&s->why, "%s", a->reason);
	stay_over(s, s->is_leaving ? APP_LEFT : is_refused ? APP_REFUSED : APP_ENDED);
}

/* Hello's answer says where the page for browsers is. */
static void stay_take_page(struct stay *s)
{
	(void)format_to(s->entry.place.web, sizeof(s->entry.place.web), "%s",
			room_client_web(s->client));
	tui_set_place(s->screen->tui, &s->entry.place);
}

/* What others may use: not loopback, and of IPv6 not what is valid on one link alone. */
static bool stay_read_address(const uv_interface_address_t *at, struct machine_address *out)
{
	const struct sockaddr_in6 *six = &at->address.address6;
	bool is_six = six->sin6_family == AF_INET6;
	char host[sizeof(out->host) - 2];
	if (at->is_internal != 0 || (is_six && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))) {
		return false;
	}
	int failed = is_six ? uv_ip6_name(six, host, sizeof(host))
			    : uv_ip4_name(&at->address.address4, host, sizeof(host));
	if (failed != 0) {
		return false;
	}
	(void)format_to(out->host, sizeof(out->host), is_six ? "[%s]" : "%s", host);
	(void)format_to(out->device, sizeof(out->device), "%s", at->name);
	return true;
}

static void stay_show_machine(struct stay *s)
{
	struct machine_address found[MACHINE_ADDRESSES_MAX];
	uv_interface_address_t *all = NULL;
	size_t found_n = 0;
	int n = 0;
	if (uv_interface_addresses(&all, &n) != 0) {
		return;
	}
	for (int i = 0; i < n && found_n < MACHINE_ADDRESSES_MAX; i++) {
		found_n += stay_read_address(&all[i], &found[found_n]);
	}
	uv_free_interface_addresses(all, n);
	tui_set_machine(s->screen->tui, found, found_n);
}

/* A server of our own may have been shared, from here or from another window. */
static void stay_ask_addresses(struct stay *s)
{
	if (s->entry.place.is_own && !s->screen->is_over) {
		stay_show_machine(s);
		room_carry_ask_addresses(&s->carry);
	}
}

static void stay_take_news(struct stay *s, unsigned news)
{
	const struct membership *a = room_client_membership(s->client);
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		stay_take_end(s, a, news);
		return;
	}
	if ((news & (MEMBERSHIP_NEWS_SEAT | MEMBERSHIP_NEWS_JOINED)) != 0) {
		stay_keep_seat(s, a);
		struct errmsg called;
		struct errmsg told = {""}; /* a name that was refused before is no more */
		if ((news & MEMBERSHIP_NEWS_JOINED) != 0 &&
		    membership_tell_called(a, called.text, sizeof(called.text))) {
			errmsg_set(&told, "%s (n to change it)", called.text);
		}
		app_screen_say(s->screen, told.text);
	}
	stay_keep_title(s, a);
	bool is_there = a->room.has_state || a->room.you.is_waiting;
	if (!s->is_in && (news & MEMBERSHIP_NEWS_ROOM) != 0 && is_there) {
		s->is_in = true;
		app_screen_switch(s->screen);
		tui_set_link(s->screen->tui, LINK_LIVE);
		stay_take_page(s);
		stay_ask_addresses(s);
	}
	if (s->screen->is_over) {
		return;
	}
	if (s->is_in) {
		s->o->on_room(s->o->owner, &a->room);
	}
	if ((news & MEMBERSHIP_NEWS_REFUSED) != 0) {
		stay_take_refusal(s, &a->fault);
	}
	stay_take_signals(s, a, news);
	app_screen_touch(s->screen);
}

/* ---- the connection ---- */

static void stay_take_up(struct stay *s)
{
	s->was_up = true;
	presence_throttle_up(&s->presence);
	tui_set_link(s->screen->tui, LINK_LIVE);
	app_screen_say(s->screen, "");
	if (s->is_in) {
		stay_take_page(s);
		stay_ask_addresses(s);
	}
}

static void stay_take_down(struct stay *s, const char *why)
{
	struct errmsg text;
	bool is_on_the_way = !s->was_up || s->screen->next != NULL;
	if (is_on_the_way || s->is_leaving) {
		errmsg_set(&s->why, "%s", why);
		stay_over(s, s->is_leaving ? APP_LEFT : APP_LOST);
		return;
	}
	s->dropped[0] = '\0';
	const char *instead = s->o->on_lost(s->o->owner);
	errmsg_set(&text, "Connection lost: %s. Retrying", why);
	app_screen_lose(s->screen, instead != NULL ? instead : text.text);
}

/* Leaving has taken long enough, or entering so long that a word is due. */
static void stay_take_wake(struct stay *s)
{
	if (s->is_leaving) {
		stay_over(s, APP_LEFT);
	} else if (s->screen->terminal == NULL && s->o->on_slow != NULL) {
		s->o->on_slow(s->o->owner);
	}
}

void stay_take_event(struct stay *s, const struct event *event)
{
	switch (event->kind) {
	case EVENT_UP:
		stay_take_up(s);
		break;
	case EVENT_SILENT: /* from here on the header counts the seconds */
		app_screen_touch(s->screen);
		break;
	case EVENT_DOWN:
		stay_take_down(s, event->why);
		break;
	case EVENT_NEWS:
		stay_take_news(s, event->news);
		break;
	case EVENT_SNAPSHOT:
		if (s->is_in) {
			s->o->on_snapshot(s->o->owner, stay_room(s));
		}
		break;
	case EVENT_HELD:
		stay_take_held(s, event->request, event->why);
		break;
	case EVENT_WAKE:
		stay_take_wake(s);
		break;
	case EVENT_OPEN:
	case EVENT_NOTICE:
	case EVENT_LINE:
	case EVENT_INPUT_END:
	case EVENT_SIGNAL:
	case EVENT_REST:
		break;
	}
}

/* ---- life ---- */

/* Nothing is shown yet; a word about how long it takes waits as long as the person. */
static bool stay_ask_passcode(void *asker, unsigned tries,
			      char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1])
{
	struct stay *s = asker;
	bool has_one = s->o->ask_passcode(s->o->owner, tries, out);
	uv_update_time(&s->screen->loop->uv);
	room_client_wake_in(s->client, STAY_SLOW_MS);
	return has_one;
}

void stay_enter(struct stay *s, struct room_client *client)
{
	struct tui_options o = {
		.is_spectator = s->o->is_spectator,
		.joins_by_itself = s->entry.name[0] != '\0',
		.name_hint = s->entry.name,
		.place = &s->entry.place,
	};
	struct room_entry entry = {
		.room_id = s->entry.room_id,
		.user_key = s->entry.user_key,
		.name = s->entry.name,
		.is_spectator = s->o->is_spectator,
		.passcode = s->entry.passcode,
		.host_key = s->entry.host_key,
		.wants_host = true,
		.ask_passcode = s->o->ask_passcode != NULL && s->o->memory == NULL
					? stay_ask_passcode
					: NULL,
		.asker = s,
		.refuses = tui_refuses,
	};
	app_screen_prepare(s->screen, &o);
	s->client = client;
	s->was_up = room_client_is_up(client);
	presence_throttle_up(&s->presence);
	s->carry = (struct room_carry){
		.client = client,
		.on = &stay_carry_handler,
		.owner = s,
	};
	room_client_wake_in(client, STAY_SLOW_MS);
	room_client_enter(client, &entry);
}

void stay_end(struct stay *s)
{
	if (s->is_in) {
		s->is_in = false;
		s->o->on_left(s->o->owner, stay_room(s), s->carry.is_elsewhere);
	}
}

struct room_client *stay_finish(struct stay *s)
{
	stay_end(s);
	struct room_client *client = s->client;
	s->client = NULL;
	if (client != NULL) {
		room_client_exit(client);
		room_client_forget(client, s);
		room_client_forget(client, &s->carry);
	}
	(void)uv_timer_stop(&s->presence_due);
	app_screen_drop_next(s->screen);
	room_carry_finish(&s->carry);
	free(s->seat_name);
	s->carry = (struct room_carry){.client = NULL};
	s->presence = (struct presence_throttle){.is_made = false};
	s->seat_name = NULL;
	s->title[0] = '\0';
	s->dropped[0] = '\0';
	s->is_leaving = false;
	s->was_up = false;
	return client;
}

void stay_init(struct stay *s, struct app_screen *screen, const struct app_options *o,
	       stay_over_cb on_over, void *owner)
{
	*s = (struct stay){.screen = screen, .o = o, .on_over = on_over, .owner = owner};
	(void)uv_timer_init(&screen->loop->uv, &s->presence_due);
	s->presence_due.data = s;
}

void stay_close(struct stay *s)
{
	uv_close((uv_handle_t *)&s->presence_due, NULL);
}
