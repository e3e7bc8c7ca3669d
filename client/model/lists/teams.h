/*
 * teams.h - the teams of who is logged in, of the one that is open its rooms, backlogs, members and
 * invitations, and the items of the backlog that is open.
 *
 * Every list is a feed (feed.h), read where something shows it; a change of one's own says
 * what of it is read again. A code that was made is kept until its page is left, and nowhere else.
 *
 * Pure. Memory that is out ends the program (memory.h).
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

/* What is watched of what is open. */
enum team_watch_kind { TEAM_WATCH_GROUP, TEAM_WATCH_CONTAINER, TEAM_WATCHES_N };

enum { TEAM_ID_BYTES_MAX = FEED_OF_BYTES_MAX };

struct teams {
	bool is_open; /* somebody is logged in where we are connected: it can be read and changed */
	struct feed lists[TEAM_LISTS_N];
	char group_id[TEAM_ID_BYTES_MAX + 1]; /* the team that is open; "": none */
	char container_id[TEAM_ID_BYTES_MAX + 1]; /* the backlog that is open; "": none */
	struct feed watches[TEAM_WATCHES_N];
	struct expiring expiring;
	struct backlog backlog; /* how its items stand */
	struct team_made {
		char code[INVITE_TEAM_CODE_BYTES_MAX + 1]; /* "": none, or none of an invitation's form */
		int64_t ends_at;
	} made; /* the invitation that was made last, until it was looked at */
};

void teams_init(struct teams *t);
void teams_finish(struct teams *t);
/* Nothing is known any more: another server, or another user. */
void teams_clear(struct teams *t);
/* Answers to what was asked do not come any more. */
void teams_lost(struct teams *t);

/* Look at this team, or at this backlog, from now on. */
void teams_open_group(struct teams *t, struct slice group_id);
void teams_open_container(struct teams *t, struct slice container_id);
/* The open backlog as the list has it, and an item of it; NULL: not known. */
const struct container_entry *teams_container(const struct teams *t);
const struct item_view *teams_item(const struct teams *t, struct slice item_id);
/* The open team as the list has it, and the name of a member of it; NULL: not known. */
const struct group_entry *teams_group(const struct teams *t);
const struct group_user *teams_user(const struct teams *t, struct slice user_id);
/* Nobody shall read the code any more. */
void teams_forget_made(struct teams *t);

static inline const struct rows *teams_rows(const struct teams *t, enum team_list which)
{
	return &t->lists[which].rows;
}

/* ---- watching: teams_watch.c ---- */

/* The watch was refused: what is watched may be another by now, or gone. */
void teams_take_watch_refusal(struct teams *t);
/* What has changed. True: the open team, or the open backlog, was deleted. */
bool teams_take_group_update(struct teams *t, const struct group_update *up);
bool teams_take_container_update(struct teams *t, const struct container_update *up);

/* ---- changing ---- */

/* Whether the method changes a team, an invitation, or who is in what. */
bool teams_changes(enum method method);
/* It was done: what it says is known from now on. */
void teams_take_change(struct teams *t, const struct request *done, const void *result);
/* It was refused: what it is about may be another by now. */
void teams_take_change_refusal(struct teams *t, const struct request *refused);

#endif
