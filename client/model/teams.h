/*
 * teams.h - the teams of who is logged in, of the one that is open its rooms, backlogs, members and
 * invitations, and the items of the backlog that is open.
 *
 * Every list is read page after page, where something shows it (paged.h); a change of one's own says
 * what of it is read again. A code that was made is kept until its page is left, and nowhere else.
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: teams_init() .. teams_finish().
 */
#ifndef CLIENT_MODEL_TEAMS_H
#define CLIENT_MODEL_TEAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/backlog.h"
#include "client/model/expiring.h"
#include "client/model/invite.h"
#include "client/model/paged.h"
#include "client/model/request.h"
#include "proto/methods.h"
#include "proto/records.h"

/* The lists. `of`: of what each is; what is open of that kind. `order`: of the keys, or that in which rows come. */
/*        symbol       method           rows         record           key            of         order */
#define TEAM_LISTS(X)                                                                                      \
	X(GROUPS,      GROUP_LIST,      groups,      group_entry,     group_id,      NOTHING,   KEYS)  \
	X(ROOMS,       GROUP_ROOMS,     rooms,       group_room,      room_id,       GROUP,     COMING) \
	X(CONTAINERS,  CONTAINER_LIST,  containers,  container_entry, container_id,  GROUP,     KEYS)  \
	X(USERS,       GROUP_USERS,     users,       group_user,      user_id,       GROUP,     COMING) \
	X(INVITATIONS, INVITATION_LIST, invitations, invitation_view, invitation_id, GROUP,     COMING) \
	X(ITEMS,       ITEM_LIST,       items,       item_view,       item_id,       CONTAINER, KEYS)

enum team_list {
#define TEAM_LIST_ENUM(symbol, ...) TEAM_##symbol,
	TEAM_LISTS(TEAM_LIST_ENUM)
#undef TEAM_LIST_ENUM
		TEAM_LISTS_N
};

enum { TEAM_ID_BYTES_MAX = 64 };

/* What is watched of what is open. */
enum team_watch_kind { TEAM_WATCH_GROUP, TEAM_WATCH_CONTAINER, TEAM_WATCHES_N };
struct team_watch {
	enum { TEAM_WATCH_NONE, TEAM_WATCH_ASKED, TEAM_WATCH_ON, TEAM_WATCH_REFUSED } state;
	char id[TEAM_ID_BYTES_MAX + 1];
	int64_t epoch;
	int64_t version;
};

struct teams {
	bool is_open; /* somebody is logged in where we are connected: it can be read and changed */
	struct paged lists[TEAM_LISTS_N];
	char group_id[TEAM_ID_BYTES_MAX + 1]; /* the team that is open; "": none */
	char container_id[TEAM_ID_BYTES_MAX + 1]; /* the backlog that is open; "": none */
	struct team_watch watches[TEAM_WATCHES_N];
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

/* ---- reading ---- */

/* The list that a method reads; TEAM_LISTS_N: none. */
enum team_list teams_list_of(enum method method);
/* The request for its next page, of what is open. The caller's. */
struct request *teams_ask(const struct teams *t, enum team_list which);
/* Whether the method is one of those that read. */
bool teams_reads(enum method method);
/* Such a request is on its way. */
void teams_sent(struct teams *t, const struct request *asked);
/* The answer to such a request; nothing where something else is open by now. */
void teams_take_page(struct teams *t, const struct request *asked, const void *result);
/* It was refused: why, for the person, and the server's retry_after_ms. */
void teams_take_page_refusal(struct teams *t, const struct request *asked, const char *why, int64_t retry_ms);

/* ---- watching: teams_watch.c ---- */

/* The request that watches what is open, or watches no longer what was; NULL: that is done. The caller's. */
struct request *teams_ask_watch(const struct teams *t, enum team_watch_kind kind);
/* Whether the method is one of those. */
bool teams_watches(enum method method);
/* Such a request is on its way; its answer, NULL: it was refused. Called by the functions above. */
void teams_watch_sent(struct teams *t, const struct request *asked);
void teams_watch_answer(struct teams *t, const struct request *asked, const struct watch_result *r);
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
