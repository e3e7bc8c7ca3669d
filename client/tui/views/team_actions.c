/*
 * team_actions.c - what is done about teams, their members and their invitations.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

/* The pages of a team, in the order in which Tab shows them. */
static const enum view_kind team_pages[] = {VIEW_TEAM_ROOMS, VIEW_BACKLOGS, VIEW_MEMBERS,
					    VIEW_INVITATIONS};
enum { TEAM_PAGES_N = sizeof(team_pages) / sizeof(team_pages[0]) };

enum team_list team_list_of(enum view_kind view)
{
	switch (view) {
	case VIEW_TEAMS:
		return TEAM_GROUPS;
	case VIEW_TEAM_ROOMS:
		return TEAM_ROOMS;
	case VIEW_BACKLOGS:
	case VIEW_SOURCES:
		return TEAM_CONTAINERS;
	case VIEW_MEMBERS:
		return TEAM_USERS;
	case VIEW_INVITATIONS:
		return TEAM_INVITATIONS;
	case VIEW_BACKLOG:
		return TEAM_ITEMS;
	default:
		return TEAM_LISTS_N;
	}
}

/* The row in focus; NULL: none. */
static const void *team_focus_row(struct tui *t)
{
	enum team_list which = team_list_of(t->view);
	if (t->teams == NULL || which == TEAM_LISTS_N) {
		return NULL;
	}
	const struct rows *rows = teams_rows(t->teams, which);
	size_t at = rows->n == 0 ? 0 : list_at(tui_listing(t, NULL, t->view));
	return rows->n == 0	     ? NULL
	       : which == TEAM_ITEMS ? backlog_item(&t->teams->backlog, rows, at)
				     : rows->items[at];
}

const struct item_view *item_focus(struct tui *t)
{
	return t->view == VIEW_BACKLOG ? team_focus_row(t) : NULL;
}

const char *team_focus(struct tui *t)
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
	/* In a room nobody is told of the login but by its teams. */
	bool is_signed_in =
		t->home != NULL ? t->home->is_signed_in : t->teams != NULL && t->teams->is_open;
	if (t->teams == NULL || !is_signed_in) {
		(void)format_to(out, cap, "Teams are for who is logged in: aye login NAME");
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
		(void)format_to(out, cap, "Open a team first: t at home lists them");
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
		(void)format_to(out, cap,
				t->view == VIEW_TEAMS
					? "You are in no team yet: n makes one, j joins one"
					: "There is nothing here yet");
	}
	return team_focus(t) == NULL;
}

bool team_refuses_members(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	if (team_refuses_none(t, room, arg, out, cap)) {
		return true;
	}
	if (!team_is_owner(t)) {
		(void)format_to(out, cap, "Only owners of the team may do that");
	}
	return !team_is_owner(t);
}

/* ---- requests ---- */

void team_fill(struct tui *t, const struct replica *room, struct request *r)
{
	(void)room;
	request_text(r, "group_id", t->teams->group_id);
}

void team_fill_role(struct tui *t, const struct replica *room, struct request *r)
{
	const struct group_set_role_params *p = r->params;
	const struct group_user *u = teams_user(t->teams, p->user_id);
	bool is_owner = u != NULL && u->role == GROUP_OWNER;
	team_fill(t, room, r);
	request_text(r, "role", is_owner ? "member" : "owner");
}

/* "24h", or "7d 5": the seconds, and how many may use it; 0: any number. */
static bool team_parse_invite(const char *line, int64_t *seconds, int64_t *uses)
{
	char span[16];
	size_t len = strcspn(line, " ");
	const char *rest = line + len + strspn(line + len, " ");
	bool ignored;
	(void)format_to(span, sizeof(span), "%.*s", (int)len, line);
	*uses = 0;
	if (strchr(span, '!') != NULL || !timing_parse(span, seconds, &ignored)) {
		return false;
	}
	for (; *rest >= '0' && *rest <= '9' && *uses <= MAX_INVITATION_USES; rest++) {
		*uses = 10 * *uses + (*rest - '0');
	}
	return *rest == '\0';
}

static struct act team_send_invite(struct tui *t, const struct replica *room, enum action a,
				   const char *line)
{
	int64_t seconds;
	int64_t uses;
	bool is_new = a == ACTION_TEAM_INVITE;
	if (!team_parse_invite(line, &seconds, &uses) || (!is_new && uses > 0)) {
		tui_reply(t, is_new ? "Say how long, and for how many: 24h, 90m, 7d, 7d 5"
				    : "Say how long from now: 24h, 90m, 7d");
		return (struct act){0};
	}
	if (seconds < MAX_INVITATION_SECONDS_MIN || seconds > MAX_INVITATION_SECONDS) {
		tui_reply(t, "An invitation is good for a minute to 30 days");
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, action_rows[a].method);
	team_fill(t, room, r);
	request_int(r, "expires_in_seconds", seconds);
	if (uses > 0) {
		request_int(r, "uses", uses);
	}
	if (!is_new) {
		request_text(r, "invitation_id", t->prompt.story_id);
	}
	return tui_send(t, a);
}

struct act team_invite(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	return team_send_invite(t, room, a, line);
}

struct act team_renew(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	return team_send_invite(t, room, a, line);
}

/* Whether the line leads to a team of this server. */
static bool team_is_here(const struct tui *t, const char *line,
			 char server[RECENT_SERVER_BYTES_MAX + 1])
{
	bool is_here = invite_is_server(line, t->home == NULL ? "" : t->home->server, server);
	for (size_t i = 0; i < t->place.n && !is_here; i++) {
		is_here = invite_is_server(line, t->place.addresses[i], server);
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
		tui_reply(t, "That team is on another server: aye team join CODE --server %s",
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
	(void)format_to(out, cap,
			is_owner ? "Make %s a member like the others?"
				 : "Make %s an owner beside you?",
			team_user_name(t, user_id));
	return true;
}

bool team_question_remove(struct tui *t, const struct replica *room, const char *user_id, char *out,
			  size_t cap)
{
	(void)room;
	(void)format_to(out, cap, "Take %s out of %s?", team_user_name(t, user_id), team_name(t));
	return true;
}

bool team_question_delete(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	(void)room, (void)arg;
	(void)format_to(out, cap,
			"Delete %s with its rooms, backlogs and invitations, for everybody?",
			team_name(t));
	return true;
}

bool team_question_leave(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	(void)room, (void)arg;
	(void)format_to(out, cap, "Leave %s? Only an invitation brings you back.", team_name(t));
	return true;
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
	(void)room, (void)a;
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

void team_go_back(struct tui *t)
{
	if (t->view == VIEW_INVITED) {
		teams_forget_made(t->teams);
	}
	switch (t->view) {
	case VIEW_TEAMS:
		t->view = VIEW_HOME;
		break;
	case VIEW_INVITED:
		t->view = VIEW_INVITATIONS;
		break;
	case VIEW_ITEM_NOTE:
		t->view = VIEW_BACKLOG;
		break;
	case VIEW_BACKLOG:
		t->view = t->home != NULL ? VIEW_BACKLOGS : VIEW_SOURCES;
		break;
	case VIEW_SOURCES:
		t->view = VIEW_STORIES;
		break;
	default:
		t->view = VIEW_TEAMS;
		break;
	}
}

void team_line(const struct tui *t, char out[INVITE_LINE_BYTES_MAX + 1])
{
	invite_team_line(&t->place, t->teams->made.code, out);
}

struct act team_copy(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	if (t->teams->made.code[0] == '\0') {
		return (struct act){0};
	}
	team_line(t, t->copied);
	tui_tell(t, "Copied, where the terminal lets us");
	return (struct act){.local = LOCAL_COPY, .text = t->copied};
}

void tui_take_team_change(struct tui *t, enum method method)
{
	const unsigned pages = IN_HOME | IN_TEAM_PAGES | IN_ITEM_NOTE;
	bool is_shown = ((1U << t->view) & pages) != 0;
	t->backlog.is_note_sent = t->backlog.is_note_sent && method != METHOD_ITEM_UPDATE;
	if (!is_shown) {
		return;
	}
	/* Backlogs and items are shown in a room too; the other pages of a team are not. */
	bool is_at_home = t->home != NULL;
	bool is_item = t->view == VIEW_BACKLOG || t->view == VIEW_ITEM_NOTE;
	if (is_at_home && (method == METHOD_GROUP_CREATE || method == METHOD_GROUP_JOIN)) {
		tui_open(t, team_pages[0]);
	} else if (is_at_home && method == METHOD_INVITATION_CREATE) {
		tui_open(t, VIEW_INVITED);
	} else if (method == METHOD_CONTAINER_DELETE && is_item) {
		tui_open(t, is_at_home ? VIEW_BACKLOGS : VIEW_SOURCES);
		tui_tell(t, "The backlog was deleted");
	} else if (method == METHOD_GROUP_LEAVE || method == METHOD_GROUP_DELETE) {
		bool is_left = t->view != VIEW_TEAMS && t->view != VIEW_HOME;
		if (t->view != VIEW_HOME) {
			tui_open(t, is_at_home ? VIEW_TEAMS : VIEW_ROOM);
		}
		if (is_left && method == METHOD_GROUP_DELETE) {
			tui_tell(t, "The team was deleted");
		}
	}
}

/* ---- reading ---- */

static struct act team_wish(struct tui *t, struct request *r)
{
	if (r == NULL) {
		return (struct act){0};
	}
	request_free(t->request);
	t->request = r;
	return (struct act){.request = r};
}

/* What expires soon in one's teams, of which a page is enough. */
static struct act team_wants_at_home(struct tui *t)
{
	const struct paged *groups = &t->teams->lists[TEAM_GROUPS];
	if (groups->read == PAGED_WANTED) {
		return team_wish(t, teams_ask(t->teams, TEAM_GROUPS));
	}
	return groups->is_known
		       ? team_wish(t, expiring_ask(&t->teams->expiring, &groups->rows, t->now_ms))
		       : (struct act){0};
}

struct act team_wants(struct tui *t)
{
	struct teams *teams = t->teams;
	/* What each view shows, and what it needs of other lists: heads, and names of those who made invitations. */
	static const enum team_list needed[VIEW_COUNT][3] = {
		[VIEW_TEAMS] = {TEAM_GROUPS, TEAM_GROUPS, TEAM_GROUPS},
		[VIEW_TEAM_ROOMS] = {TEAM_ROOMS, TEAM_GROUPS, TEAM_GROUPS},
		[VIEW_BACKLOGS] = {TEAM_CONTAINERS, TEAM_GROUPS, TEAM_GROUPS},
		[VIEW_MEMBERS] = {TEAM_USERS, TEAM_GROUPS, TEAM_GROUPS},
		[VIEW_INVITATIONS] = {TEAM_INVITATIONS, TEAM_USERS, TEAM_GROUPS},
		[VIEW_SOURCES] = {TEAM_CONTAINERS, TEAM_GROUPS, TEAM_GROUPS},
		[VIEW_BACKLOG] = {TEAM_ITEMS, TEAM_CONTAINERS, TEAM_CONTAINERS},
	};
	if (teams == NULL || !teams->is_open || t->link != LINK_LIVE) {
		return (struct act){0};
	}
	if (t->view == VIEW_HOME) {
		return team_wants_at_home(t);
	}
	if (team_list_of(t->view) == TEAM_LISTS_N) {
		return (struct act){0};
	}
	bool is_in_group = ((1U << t->view) & (IN_TEAM | IN_SOURCES | IN_BACKLOG)) != 0;
	struct request *watch = is_in_group ? teams_ask_watch(teams, TEAM_WATCH_GROUP) : NULL;
	if (watch == NULL && t->view == VIEW_BACKLOG) {
		watch = teams_ask_watch(teams, TEAM_WATCH_CONTAINER);
	}
	if (watch != NULL) {
		return team_wish(t, watch);
	}
	if (t->view == VIEW_TEAM_ROOMS && team_changes_in_ms(t) == 0) {
		paged_refresh(&teams->lists[TEAM_ROOMS]);
		t->team_rooms_at_ms = t->now_ms;
	}
	for (size_t i = 0; i < 3; i++) {
		enum team_list which = needed[t->view][i];
		(void)paged_wait(&teams->lists[which], t->now_ms);
		if (teams->lists[which].read == PAGED_WANTED) {
			return team_wish(t, teams_ask(teams, which));
		}
	}
	return (struct act){0};
}
