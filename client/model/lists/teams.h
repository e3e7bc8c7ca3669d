/*
 * teams.h - the teams of the logged-in user; of the open team its rooms, backlogs, members and
 * invitations; and the items of the open backlog.
 *
 * Each list is a feed (feed.h), read when it is shown; after a change by this user the lists
 * concerned are reread. The code of a new invitation is kept here only, until its page is left.
 *
 * Pure. Running out of memory ends the program (memory.h).
 *
 * Life: teams_init() .. teams_finish().
 */
#ifndef CLIENT_MODEL_LISTS_TEAMS_H
#define CLIENT_MODEL_LISTS_TEAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/feed.h"
#include "client/model/invite.h"
#include "client/model/lists/backlog.h"
#include "client/model/lists/expiring.h"
#include "client/model/request.h"
#include "proto/methods.h"
#include "proto/records/records.h"

enum team_list {
	TEAM_GROUPS,
	TEAM_ROOMS,
	TEAM_CONTAINERS,
	TEAM_USERS,
	TEAM_INVITATIONS,
	TEAM_ITEMS,
	TEAM_LISTS_N
};

/* The watches: the open team, and the open backlog. */
enum team_watch_kind { TEAM_WATCH_GROUP, TEAM_WATCH_CONTAINER, TEAM_WATCHES_N };

enum { TEAM_ID_BYTES_MAX = FEED_OF_BYTES_MAX };

struct teams {
	bool is_open; /* connected and logged in: teams can be read and changed */
	struct feed lists[TEAM_LISTS_N];
	char group_id[TEAM_ID_BYTES_MAX + 1]; /* the team that is open; "": none */
	char container_id[TEAM_ID_BYTES_MAX + 1]; /* the backlog that is open; "": none */
	struct feed watches[TEAM_WATCHES_N];
	struct rows kept; /* of group_get_result: what each team that was watched keeps for new rooms */
	struct expiring expiring;
	struct backlog backlog; /* the order of the open backlog's items */
	struct team_made {
		/* "": none, or not in the form of a code */
		char code[INVITE_TEAM_CODE_BYTES_MAX + 1];
		int64_t ends_at;
	} made; /* the last invitation created, until its page is left */
};

void teams_init(struct teams *t);
void teams_finish(struct teams *t);
/* Forget everything: the server or the user is another one. */
void teams_clear(struct teams *t);
/* The connection was lost: pending requests get no answer. */
void teams_lost(struct teams *t);

/* Open this team, or this backlog. */
void teams_open_group(struct teams *t, struct slice group_id);
void teams_open_container(struct teams *t, struct slice container_id);
/* The row of the open backlog, and of an item of it; NULL: not known. */
const struct container_entry *teams_container(const struct teams *t);
const struct item_view *teams_item(const struct teams *t, struct slice item_id);
/* The row of the open team, and of a member of it; NULL: not known. */
const struct group_entry *teams_group(const struct teams *t);
const struct group_user *teams_user(const struct teams *t, struct slice user_id);
/* What the open team keeps for new rooms; NULL: not known yet. */
const struct group_defaults *teams_defaults(const struct teams *t);
/* Forget the code of the new invitation. */
void teams_forget_made(struct teams *t);

static inline const struct rows *teams_rows(const struct teams *t, enum team_list which)
{
	return &t->lists[which].rows;
}

/* ---- watching: teams_watch.c ---- */

/* A watch was refused: its object may have changed or been deleted, so the lists are reread. */
void teams_take_watch_refusal(struct teams *t);
/* Apply an update. Returns true if the open team, or the open backlog, was deleted. */
bool teams_take_group_update(struct teams *t, const struct group_update *up);
bool teams_take_container_update(struct teams *t, const struct container_update *up);

/* ---- changing ---- */

/* Whether the method changes a team, its contents, members or invitations. */
bool teams_changes(enum method method);
/* The change succeeded: apply its result. */
void teams_take_change(struct teams *t, const struct request *done, const void *result);
/* The change was refused: its object may have changed, so the lists are reread. */
void teams_take_change_refusal(struct teams *t, const struct request *refused);

#endif
