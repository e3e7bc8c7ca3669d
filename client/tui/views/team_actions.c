/*
 * team_actions.c - what is done about teams, their members and their invitations.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <assert.h>
#include <string.h>

#include "client/acts/team_settings.h"

#include "proto/base/format.h"

/* The pages of a team, in the order in which Tab shows them. */
static const enum view_kind team_pages[] = {VIEW_TEAM_ROOMS, VIEW_BACKLOGS, VIEW_MEMBERS,
					    VIEW_INVITATIONS};
enum { TEAM_PAGES_N = sizeof(team_pages) / sizeof(team_pages[0]) };

enum team_list team_list_of(enum view_kind view)
{
	uint8_t first = view_of(view)->team_lists[0];
	return first == 0 ? TEAM_LISTS_N : (enum team_list)(first - 1);
}

/* The row in focus; NULL: none. */
static const void *team_focus_row(const struct tui *t)
{
	enum team_list which = team_list_of(t->view);
	if (t->teams == NULL || which == TEAM_LISTS_N) {
		return NULL;
	}
	return list_row(tui_listing(t, NULL, t->view));
}

const struct item_view *item_focus(const struct tui *t)
{
	return tui_is_in(t, IN_BACKLOG) ? team_focus_row(t) : NULL;
}

const char *team_focus(const struct tui *t)
{
	const void *row = team_focus_row(t);
	struct slice id;
	if (row == NULL) {
		return NULL;
	}
	const struct rows *rows = teams_rows(t->teams, team_list_of(t->view));
	memcpy(&id, field_member(rows->key, row), sizeof(id));
	return id.data;
}

bool team_is_owner(const struct tui *t)
{
	const struct group_entry *g = t->teams == NULL ? NULL : teams_group(t->teams);
	return g != NULL && g->role == GROUP_OWNER;
}

static const char *team_name(const struct tui *t)
{
	const struct group_entry *g = teams_group(t->teams);
	return g == NULL ? "the team" : g->group_name.data;
}

/* ---- why not ---- */

bool team_refuses_strangers(struct tui *t, const struct replica *room, const char *arg, char *out,
			    size_t cap)
{
	(void)room, (void)arg;
	if (t->teams == NULL || !tui_is_signed_in(t)) {
		(void)format_to(out, cap, "Log in to use teams: aye login NAME");
		return true;
	}
	return false;
}

bool team_refuses_none(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	if (team_refuses_strangers(t, room, arg, out, cap)) {
		return true;
	}
	if (t->teams->group_id[0] == '\0') {
		(void)format_to(out, cap, "Open a team first: press %s",
				action_rows[ACTION_TEAMS].key_name);
	}
	return t->teams->group_id[0] == '\0';
}

bool team_refuses_empty(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	if (team_refuses_strangers(t, room, arg, out, cap)) {
		return true;
	}
	if (team_focus(t) == NULL) {
		(void)format_to(out, cap, "Nothing here yet");
	}
	return team_focus(t) == NULL;
}

/* From a room one goes back to that one alone: others are entered from home. */
bool team_refuses_other_room(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	if (team_refuses_empty(t, room, arg, out, cap)) {
		return true;
	}
	bool is_other = !room->is_nowhere && strcmp(team_focus(t), room->room_id) != 0;
	if (is_other) {
		(void)format_to(out, cap, "%s", ACTION_ONLY_AT_HOME);
	}
	return is_other;
}

bool team_refuses_members(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	if (team_refuses_none(t, room, arg, out, cap)) {
		return true;
	}
	if (!team_is_owner(t)) {
		(void)format_to(out, cap, "Only team owners can do that");
	}
	return !team_is_owner(t);
}

/* ---- requests ---- */

void team_fill_role(struct tui *t, const struct replica *room, struct request *r)
{
	const struct group_set_role_params *p = r->params;
	const struct group_user *u = teams_user(t->teams, p->user_id);
	bool is_owner = u != NULL && u->role == GROUP_OWNER;
	(void)room;
	request_text(r, "role", is_owner ? "member" : "owner");
}

/* Whether the line leads to a team of this server. */
static bool team_is_here(const struct tui *t, const char *line,
			 char server[RECENT_SERVER_BYTES_MAX + 1])
{
	bool is_here = invite_is_server(line, t->home == NULL ? "" : t->home->server, server);
	for (size_t i = 0; i < t->share.place.n && !is_here; i++) {
		is_here = invite_is_server(line, t->share.place.addresses[i], server);
	}
	return is_here;
}

struct act team_join(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	char code[INVITE_TEAM_CODE_BYTES_MAX + 1];
	char server[RECENT_SERVER_BYTES_MAX + 1];
	(void)room, (void)a;
	if (line[0] == '\0') {
		return (struct act){0};
	}
	if (!team_is_here(t, line, server)) {
		said_reply(t, "That team is on another server: aye team join CODE --server %s",
			   server);
		return (struct act){0};
	}
	request_text(tui_request(t, ACTION_TEAM_JOIN, METHOD_GROUP_JOIN), "code",
		     invite_team_code(line, code) ? code : line);
	return tui_send(t, ACTION_TEAM_JOIN);
}

/* ---- lines and questions ---- */

const char *team_start_invite(struct tui *t, const struct replica *room)
{
	(void)t, (void)room;
	return "24h";
}

const char *team_start_name(struct tui *t, const struct replica *room)
{
	(void)room;
	return team_name(t);
}

static const char *team_user_name(const struct tui *t, const char *user_id)
{
	const struct group_user *u = teams_user(t->teams, slice_str(user_id));
	return u == NULL ? "them" : u->user_name.data;
}

bool team_question_role(struct tui *t, const struct replica *room, const char *user_id, char *out,
			size_t cap)
{
	const struct group_user *u = teams_user(t->teams, slice_str(user_id));
	bool is_owner = u != NULL && u->role == GROUP_OWNER;
	(void)room;
	(void)format_to(out, cap, is_owner ? "Make %s a member?" : "Make %s an owner?",
			team_user_name(t, user_id));
	return true;
}

const char *team_called(const struct tui *t, enum word_kind kind, const char *id)
{
	if (kind == WORD_TEAM) {
		return team_name(t);
	}
	if (kind == WORD_TEAM_MEMBER) {
		return team_user_name(t, id);
	}
	if (kind == WORD_BACKLOG) {
		return backlog_name(t, id);
	}
	const struct item_view *item =
		kind == WORD_ITEM ? teams_item(t->teams, slice_str(id)) : NULL;
	return item == NULL ? id : item->name.data;
}

/* ---- what it keeps for new rooms ---- */

/* Its actions stand in the order of the settings. */
static_assert((int)ACTION_TEAM_REACTIONS - (int)ACTION_TEAM_DECK == (int)TEAM_SETTING_REACTIONS,
	      "an action for each setting");

const char *team_start_setting(struct tui *t, const struct replica *room)
{
	enum team_setting s = (enum team_setting)(t->prompt.action - ACTION_TEAM_DECK);
	const struct group_defaults *d = teams_defaults(t->teams);
	char text[TEAM_SETTING_BYTES];
	(void)room;
	(void)format_to(t->team.setting, sizeof(t->team.setting), "%s",
			d == NULL ? "" : team_setting_text(s, d, text));
	return strcmp(t->team.setting, team_settings[s].none) == 0 ? NULL : t->team.setting;
}

struct act team_set(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	char why[WORD_WHY_BYTES];
	struct request *r = tui_request(t, a, METHOD_GROUP_SET_DEFAULTS);
	(void)room;
	request_text(r, "group_id", t->teams->group_id);
	if (!team_setting_fill(r, (enum team_setting)(a - ACTION_TEAM_DECK), line, why)) {
		said_reply(t, "%s", why);
		return (struct act){0};
	}
	return tui_send(t, a);
}

/* The first room of a team that keeps no deck asks for one, and an owner for the rest. */
struct act team_new_room(struct tui *t, const struct replica *room, enum action a,
			 const char *title)
{
	const struct group_defaults *d = teams_defaults(t->teams);
	const struct feed *rooms = &t->teams->lists[TEAM_ROOMS];
	bool has_deck = d == NULL || d->deck.len > 0 || d->valid_sizes.n > 0;
	if (has_deck || !rooms->is_known || rooms->rows.n > 0 || t->is_typed) {
		return action_request(t, room, a, title);
	}
	struct act act = home_begin_create(t, room, a, title);
	if (t->view == VIEW_DECKS && team_is_owner(t)) {
		tui_tell(t, "The team keeps the deck you choose");
	}
	return act;
}

struct act team_create_first(struct tui *t, const struct replica *room, enum action a,
			     const char *arg)
{
	struct request *r = tui_request(t, a, METHOD_ROOM_CREATE);
	(void)room, (void)arg;
	request_text(r, "group_id", t->at_home.group_id);
	request_value(r, "title", t->at_home.title);
	t->view = VIEW_TEAM_ROOMS;
	return tui_send(t, a);
}

/* ---- from page to page ---- */

struct act team_open_row(struct tui *t, const struct replica *room, enum action a, const char *id)
{
	(void)room, (void)a;
	teams_open_group(t->teams, slice_str(id));
	tui_open(t, team_pages[0]);
	return (struct act){0};
}

struct act team_enter(struct tui *t, const struct replica *room, enum action a, const char *room_id)
{
	(void)a;
	if (!room->is_nowhere) {
		tui_open(t, VIEW_ROOM); /* the row is refused unless it is this one */
		return (struct act){0};
	}
	return home_enter(t, "", room_id);
}

void team_go_aside(struct tui *t, int by)
{
	int at = 0;
	while (at + 1 < TEAM_PAGES_N && team_pages[at] != t->view) {
		at++;
	}
	t->view = team_pages[(at + by + TEAM_PAGES_N) % TEAM_PAGES_N];
}

struct act team_turn(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	team_go_aside(t, 1);
	return (struct act){0};
}

void team_line(const struct tui *t, char out[INVITE_LINE_BYTES_MAX + 1])
{
	invite_team_line(&t->share.place, t->teams->made.code, out);
}

struct act team_copy(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	if (t->teams->made.code[0] == '\0') {
		return (struct act){0};
	}
	team_line(t, t->share.copied);
	tui_tell(t, "Copied, if the terminal allows it");
	return (struct act){.local = LOCAL_COPY, .text = t->share.copied};
}

void tui_take_team_change(struct tui *t, enum method method)
{
	const uint64_t pages = IN_HOME | IN_TEAM_PAGES | IN_ITEM_NOTE;
	bool is_shown = tui_is_in(t, pages);
	t->backlog.is_note_sent = t->backlog.is_note_sent && method != METHOD_ITEM_UPDATE;
	if (!is_shown) {
		return;
	}
	bool is_item = tui_is_in(t, IN_BACKLOG | IN_ITEM_NOTE);
	bool is_source = is_item ? backlog_is_source(t) : tui_is_in(t, IN_SOURCES);
	if (!is_source && (method == METHOD_GROUP_CREATE || method == METHOD_GROUP_JOIN)) {
		tui_open(t, team_pages[0]);
	} else if (!is_source && method == METHOD_INVITATION_CREATE) {
		tui_open(t, VIEW_INVITED);
	} else if (method == METHOD_CONTAINER_DELETE && is_item) {
		tui_open(t, is_source ? VIEW_SOURCES : VIEW_BACKLOGS);
		tui_tell(t, "The backlog was deleted");
	} else if (method == METHOD_GROUP_LEAVE || method == METHOD_GROUP_DELETE) {
		bool is_left = !tui_is_in(t, IN_TEAMS | IN_HOME);
		if (!tui_is_in(t, IN_HOME)) {
			tui_open(t, is_source ? VIEW_ROOM : VIEW_TEAMS);
		}
		if (is_left && method == METHOD_GROUP_DELETE) {
			tui_tell(t, "The team was deleted");
		}
	}
}

/* ---- reading ---- */

/* What expires soon in one's teams, of which a page is enough. */
static struct act team_wants_at_home(struct tui *t)
{
	struct feed *groups = &t->teams->lists[TEAM_GROUPS];
	struct expiring *x = &t->teams->expiring;
	if (groups->read == FEED_WANTED || !groups->is_known) {
		return tui_wish(t, groups, NULL);
	}
	struct request *r = expiring_ask(x, &groups->rows, t->now_ms);
	return r == NULL ? (struct act){0} : tui_wish(t, &x->feed, r);
}

/* The next page, before one comes to the last row. */
static void team_want_more(struct tui *t)
{
	struct feed *list = &t->teams->lists[team_list_of(t->view)];
	struct listing l = tui_listing(t, NULL, t->view);
	if (list->rows.n > 0 && list_at(l) + l.list->page + 1 >= list->rows.n) {
		feed_more(list);
	}
}

/* Teams and members, who are called by their names. The only team need not be opened first. */
static struct act team_wants_for_asking(struct tui *t)
{
	struct teams *teams = t->teams;
	struct feed *groups = &teams->lists[TEAM_GROUPS];
	struct act wish = tui_wish(t, groups, NULL);
	if (wish.request != NULL || !groups->is_known) {
		return wish;
	}
	if (teams->group_id[0] == '\0' && groups->rows.n == 1) {
		const struct group_entry *only = groups->rows.items[0];
		teams_open_group(teams, only->group_id);
	}
	if (teams->group_id[0] == '\0') {
		return wish;
	}
	feed_more(&teams->lists[TEAM_USERS]);
	return tui_wish(t, &teams->lists[TEAM_USERS], NULL);
}

struct act team_wants(struct tui *t)
{
	struct teams *teams = t->teams;
	const uint8_t *needed = view_of(t->view)->team_lists;
	if (teams == NULL || !teams->is_open || t->link != LINK_LIVE) {
		return (struct act){0};
	}
	if (tui_is_in(t, IN_ASKING)) {
		return team_wants_for_asking(t);
	}
	if (tui_is_in(t, IN_HOME)) {
		return team_wants_at_home(t);
	}
	if (team_list_of(t->view) == TEAM_LISTS_N) {
		return (struct act){0};
	}
	struct act wish = {0};
	if (tui_is_in(t, IN_TEAM | IN_TEAM_RULES | IN_SOURCES | IN_BACKLOG)) {
		wish = tui_wish(t, &teams->watches[TEAM_WATCH_GROUP], NULL);
	}
	if (wish.request == NULL && tui_is_in(t, IN_BACKLOG)) {
		wish = tui_wish(t, &teams->watches[TEAM_WATCH_CONTAINER], NULL);
	}
	if (wish.request != NULL) {
		return wish;
	}
	if (tui_is_in(t, IN_TEAM_ROOMS) && team_changes_in_ms(t) == 0) {
		feed_refresh(&teams->lists[TEAM_ROOMS]);
		t->team.rooms_at_ms = t->now_ms;
	}
	team_want_more(t);
	for (size_t i = 0; i < TEAM_LISTS_SHOWN && needed[i] > 0 && wish.request == NULL; i++) {
		struct feed *list = &teams->lists[needed[i] - 1];
		(void)feed_wait(list, t->now_ms);
		wish = tui_wish(t, list, NULL);
	}
	return wish;
}
