/*
 * home_actions.c - what is done at home: going into a room, making one, and
 * keeping the list of those one was in.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/acts/cards.h"
#include "client/model/invite.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

enum view_kind home_base(const struct tui *t)
{
	return t->home != NULL ? VIEW_HOME : VIEW_ROOM;
}

/* ---- the list ---- */

const struct recent_room *home_focus(const struct tui *t)
{
	return list_row(tui_listing(t, NULL, VIEW_HOME));
}

/* The one in focus where the code fits, else the first; NULL where none has it. */
static const struct recent_room *home_room(struct tui *t, const char *room_id)
{
	const struct recent_rooms *recent = t->home->recent;
	const struct recent_room *focus = home_focus(t);
	if (focus == NULL || room_id == NULL || strcmp(focus->room_id, room_id) == 0) {
		return focus;
	}
	for (size_t i = 0; i < recent->n; i++) {
		if (strcmp(recent->rooms[i].room_id, room_id) == 0) {
			return &recent->rooms[i];
		}
	}
	return NULL;
}

/* There is none in focus, nor is one told. */
bool home_refuses_no_room(struct tui *t, const struct replica *nowhere, const char *arg, char *out,
			  size_t cap)
{
	(void)nowhere;
	if (arg != NULL || home_focus(t) != NULL) {
		return false;
	}
	(void)format_to(out, cap, "No rooms yet. Press c to create one, j to join one");
	return true;
}

bool home_refuses_login(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)arg;
	if (!room->is_nowhere || !t->home->is_signed_in) {
		return false;
	}
	(void)format_to(out, cap, "Logged in as %s. To change it: aye logout", t->home->name);
	return true;
}

/* Its code alone was not enough: there may be a passcode. Only where there is one in focus. */
bool home_offers_knock(struct tui *t, const struct replica *nowhere)
{
	(void)nowhere;
	return home_focus(t)->is_gone;
}

bool home_question(struct tui *t, const struct replica *nowhere, const char *room_id, char *out,
		   size_t cap)
{
	(void)nowhere;
	const struct recent_room *room = home_room(t, room_id);
	bool is_host = room != NULL && room->is_host;
	if (is_host) {
		(void)format_to(out, cap, "Forget %s? You lose its host key.", room_id);
	} else {
		(void)format_to(out, cap, "Forget %s? You lose your seat.", room_id);
	}
	return true;
}

void tui_offer_forget(struct tui *t, const char *server, const char *room_id, const char *why)
{
	list_go(tui_listing(t, NULL, VIEW_HOME),
		recent_rooms_find(t->home->recent, server, room_id));
	t->view = VIEW_HOME;
	prompt_ask(t, ACTION_FORGET, room_id, "%s Forget it?", why);
}

/* ---- going in ---- */

static void home_set_entry(struct tui *t, const char *server, const char *room_id)
{
	(void)format_to(t->at_home.entry.server, sizeof(t->at_home.entry.server), "%s", server);
	(void)format_to(t->at_home.entry.room_id, sizeof(t->at_home.entry.room_id), "%s", room_id);
}

static struct act home_local(struct tui *t, enum local_act local)
{
	return (struct act){.local = local,
			    .room_id = t->at_home.entry.room_id,
			    .server = t->at_home.entry.server,
			    .text = t->at_home.entry.secret};
}

void tui_ask_passcode(struct tui *t, const char *server, const char *room_id, bool was_wrong)
{
	t->view = VIEW_HOME;
	home_set_entry(t, server, room_id);
	prompt_open_line(t, ACTION_KNOCK, NULL);
	said_reply(t, was_wrong ? "Wrong passcode for %s" : "%s has a passcode", room_id);
}

/* ---- a nudge from a room ---- */

void home_keep_nudge(struct tui *t, const char *server, struct slice room_id)
{
	(void)format_to(t->at_home.nudged.server, sizeof(t->at_home.nudged.server), "%s", server);
	(void)format_to(t->at_home.nudged.room_id, sizeof(t->at_home.nudged.room_id), "%.*s",
			(int)room_id.len, room_id.data);
}

struct act home_follow_nudge(struct tui *t)
{
	return home_enter(t, t->at_home.nudged.server, t->at_home.nudged.room_id);
}

struct act home_begin_knock(struct tui *t, const struct replica *nowhere, enum action a,
			    const char *arg)
{
	const struct recent_room *room = home_focus(t);
	(void)arg;
	if (room != NULL) {
		home_set_entry(t, room->server, room->room_id);
	}
	return act_open_line(t, nowhere, a);
}

/* What the row does, with a room of the list. */
struct act home_about(struct tui *t, const struct replica *nowhere, enum action a,
		      const char *room_id)
{
	const struct recent_room *room = home_room(t, room_id);
	(void)nowhere;
	if (room == NULL) {
		said_reply(t, "No room %s on the list", room_id);
		return (struct act){0};
	}
	home_set_entry(t, room->server, room->room_id);
	return home_local(t, action_rows[a].local);
}

struct act home_come(struct tui *t, const struct replica *nowhere, enum action a, const char *line)
{
	struct invite invite;
	char team[INVITE_TEAM_CODE_BYTES_MAX + 1];
	struct errmsg why = {""};
	if (line[0] == '\0') {
		return (struct act){0};
	}
	if (invite_team_code(line, team)) { /* what was sent leads into a team */
		return team_refuses_strangers(t, nowhere, line, t->said.reply,
					      sizeof(t->said.reply))
			       ? (struct act){0}
			       : team_join(t, nowhere, a, line);
	}
	if (invite_parse(line, &invite, &why) != OK) {
		said_reply(t, "%s", why.text);
		return (struct act){0};
	}
	return home_enter(t, invite.server, invite.room_id);
}

struct act home_knock(struct tui *t, const struct replica *nowhere, enum action a,
		      const char *passcode)
{
	(void)nowhere, (void)a;
	(void)format_to(t->at_home.entry.secret, sizeof(t->at_home.entry.secret), "%s", passcode);
	return passcode[0] == '\0' ? (struct act){0} : home_local(t, LOCAL_ENTER);
}

struct act home_enter(struct tui *t, const char *server, const char *room_id)
{
	home_set_entry(t, server, room_id);
	return home_local(t, LOCAL_ENTER);
}

/* ---- making one ---- */

struct act home_begin_create(struct tui *t, const struct replica *nowhere, enum action a,
			     const char *title)
{
	(void)nowhere;
	if (draw_cells(title) > MAX_TITLE_CELLS || strlen(title) > MAX_TITLE_BYTES) {
		said_reply(t, "A title is up to %d columns wide", MAX_TITLE_CELLS);
		return (struct act){0};
	}
	bool is_team = a == ACTION_TEAM_ROOM_NEW;
	(void)format_to(t->at_home.title, sizeof(t->at_home.title), "%s", title);
	(void)format_to(t->at_home.group_id, sizeof(t->at_home.group_id), "%s",
			is_team ? t->teams->group_id : "");
	tui_open(t, VIEW_DECKS);
	return (struct act){0};
}

static void home_put_deck(struct request *r, const char *deck)
{
	struct slice items[CARDS_TYPED_MAX];
	if (strpbrk(deck, " ,") != NULL) {
		struct slices cards = {items, cards_split(deck, items, CARDS_TYPED_MAX)};
		request_texts(r, "valid_sizes", &cards);
	} else {
		request_text(r, "deck", deck);
	}
}

/* An owner's choice is kept for all rooms of the team, and the next page asks what else is. */
static struct act home_keep_deck(struct tui *t, const char *deck)
{
	struct request *r = tui_request(t, ACTION_TEAM_DECK, METHOD_GROUP_SET_DEFAULTS);
	request_text(r, "group_id", t->at_home.group_id);
	home_put_deck(r, deck);
	struct act act = tui_send(t, ACTION_TEAM_DECK);
	if (act.request != NULL) {
		tui_open(t, VIEW_FIRST_ROOM);
	}
	return act;
}

struct act home_create(struct tui *t, const char *deck)
{
	const char *group_id = t->at_home.group_id;
	bool is_team = group_id[0] != '\0';
	if (is_team && team_is_owner(t)) {
		return home_keep_deck(t, deck);
	}
	struct request *r = tui_request(t, ACTION_CREATE, METHOD_ROOM_CREATE);
	home_put_deck(r, deck);
	request_value(r, "title", t->at_home.title);
	if (is_team) {
		request_text(r, "group_id", group_id); /* it has the rules of the team */
	} else {
		/* people see the countdown and can stop it */
		request_bool(r, "policy.auto_reveal", true);
	}
	t->view = is_team ? VIEW_TEAM_ROOMS : VIEW_HOME;
	return tui_send(t, ACTION_CREATE);
}

struct act home_cards(struct tui *t, const struct replica *nowhere, enum action a, const char *line)
{
	struct errmsg why = {""};
	(void)nowhere, (void)a;
	if (cards_check(line, &why) != OK) {
		said_reply(t, "%s", why.text);
		return (struct act){0};
	}
	return home_create(t, line);
}
