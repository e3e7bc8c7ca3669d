/*
 * team.h - users who have a key, the groups they are in, and invitations to these.
 *
 *   USER:{user_id}       USER                     the user of a key (session.h), and how many groups they are in
 *                        GROUP#{group_id}         their membership in a group
 *   GROUP:{group_id}     GROUP                    the group, and how many users, owners, containers, invitations it has
 *                        CONTAINER#{container_id} a container of it
 *                        INVITATION#{hash}        what lets others in, under the keyed hash of its code
 *                        REMOVED#{hash}           whom it lets in no more, unless an owner made it later
 *   CONTAINER:{id}       CONTAINER                the container
 *
 * What a group has is counted in its GROUP item, which every transaction that adds
 * or removes some of it reads and writes: so the counts are exact, bounds hold, and
 * of two that would each leave one owner less one comes first.
 *
 * A user is known to those who share a group with them, a group to those who are
 * in it. For everybody else they are as one that does not exist: the same NOT_FOUND
 * after the same reads.
 *
 * A group that is deleted says so in its GROUP item, and is from then on as one that
 * does not exist; so is whatever it has. That goes in steps, each a transaction that
 * begins the next; the GROUP item goes last. A user who is deleted ends likewise (user_delete.c).
 *
 * user.c users, and who knows of them; user_delete.c their end; group.c a group, and
 * finding one; group_defaults.c what its rooms begin with; group_delete.c its end;
 * group_members.c who is in it, and what they may; group_watch.c what they are sent
 * of it; invitation.c invitations, and joining by them; containers and their items
 * are in container.h. The methods' handlers are
 * declared in directory.h.
 */
#ifndef SERVER_DOMAIN_TEAM_TEAM_H
#define SERVER_DOMAIN_TEAM_TEAM_H

#include "server/domain/base/public_id.h"
#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* A group as it stands to the caller. */
struct group {
	struct slice id; /* as it is written; in t->arena */
	const struct group_item *item;
	const struct membership_item *mine;
};

/* Who has sent the request. */
static inline struct slice caller_id(const struct txn *t)
{
	return slice_str(t->session->user_id);
}

/* The item of the group of that id; NULL where there is none, or it is deleted, and while it is not loaded. */
const struct group_item *group_get(struct txn *t, struct slice id);

/*
 * Find the group of that id, for a caller who is in it with at least that role. A
 * handler goes on where this is TXN_DONE, and returns anything else: TXN_MORE, or
 * TXN_REFUSED with NOT_FOUND, the same and after the same reads whether the id has
 * another form, there is no such group, or the caller is not in it; with FORBIDDEN
 * where they are, and no owner.
 */
enum txn_step group_find(struct txn *t, struct slice id, enum group_role least, struct group *g);
/* The same for a user who need not be the caller, of whom there is none where no request began the transaction. */
enum txn_step group_find_of(struct txn *t, struct slice user_id, struct slice id, enum group_role least,
			    struct group *g);

/*
 * Write the group as it is after a change that its members see, and publish the change: the only way to
 * write one, so that none goes unpublished. Once in a transaction for each group.
 *
 * @g       with id and item, as it was.
 * @change  users, gone, ...: lists are copied; what every update begins with and the group itself are filled in here.
 */
void group_write(struct txn *t, const struct group *g, struct group_item now, struct group_update change);

/*
 * The caller, who is in the group, watches an item of it that counts versions, and has that one: the result says so. The
 * watch ends with the membership.
 *
 * @since  as the request has it; NULL: it has none. False where the caller has the item already, and is sent nothing.
 */
bool watch_begin(struct txn *t, const struct group *g, const struct since *at, const struct since *since);

/* As group_write() for a user who has another name: in each of their groups. TXN_MORE, or TXN_DONE. */
enum txn_step group_write_name(struct txn *t, struct slice user_id, const struct user_item *user, struct slice name);

/*
 * The caller is in the group from now on: their membership, and the count of their groups. The group's own counts are the
 * caller's to write. False with t->fault where they are in too many.
 *
 * @user     as user_get() has the caller's own item.
 * @entered  as members see them; in t->arena. NULL: nobody does yet.
 */
bool group_enter(struct txn *t, struct slice group_id, const struct user_item *user, enum group_role role,
		 struct group_user *entered);

/* A user of the group is in it no longer, and counts no more in *now, which the caller writes. */
void group_take_out(struct txn *t, struct slice id, struct group_item *now, struct slice user_id,
		    const struct membership_item *membership);
/* Under which the group remembers that the user was removed; in t->arena. */
struct slice group_removed_sk(struct txn *t, struct slice group_id, struct slice user_id);
/* The user, whose item was read, is in one group less. */
void user_in_fewer(struct txn *t, struct slice user_id);

/* ---- its defaults ---- */

/* What group.get shows of them, in t->arena; false: there are none. */
bool group_view_defaults(const struct group_item *group, struct group_defaults *out);

/* ---- its end ---- */

/* A room of a group that has ended ends, too. @params struct txn_next, with the key of FOLLOW_LOOK_AT_GROUP. */
txn_handler group_of_room_look;
/* Longest time from a step of an end to the next; the sweeper takes that, where the one before was not followed by one. */
#define END_STEP_MS INT64_C(10000)
/* The same where there is nothing to do but wait for rooms. */
#define END_WAIT_MS INT64_C(1000)

/* Mark it as deleted, as it is otherwise in `now`; its end begins when that is durable. */
void group_begin_end(struct txn *t, const struct group *g, struct group_item now);
/* Take a step of the end of a deleted group. @params struct store_item: the GROUP that was found. */
txn_handler group_expire;
/* The same of a user. @params struct store_item: the USER that was found. */
txn_handler user_expire;

/* ---- invitations ---- */

/* Those of the group, expired ones too, all of them. */
struct txn_items group_invitations(struct txn *t, struct slice group_id);

/* It is gone, and counts no more in *now, which the caller writes. */
void invitation_end(struct txn *t, struct slice group_id, struct slice hash, struct group_item *now);

/* Those that a deleted user has made, in groups that they have left. A user_part (directory.h). */
enum user_left invitations_end(struct txn *t, struct slice user_id);

/* Remove one whose time is over. @params struct store_item: the INVITATION that was found. */
txn_handler invitation_expire;

/* ---- users ---- */

/* The item of the user of that id; NULL where there is none, or they are deleted, and while it is not loaded. */
const struct user_item *user_get(struct txn *t, struct slice id);

/* The groups that the user is in, ones that are deleted as well. */
struct txn_items user_memberships(struct txn *t, struct slice user_id);

/*
 * The user, who is to be deleted, is in no group any more; their item is the caller's to write. Groups in which they are alone
 * end. TXN_REFUSED with CONFLICT, which names it, where a group would be without an owner.
 */
enum txn_step user_leave_groups(struct txn *t, struct slice user_id);

/* The SK of the item of that kind behind which a page goes on; empty where `after` is: from the beginning. */
struct slice team_sk(struct txn *t, enum item_kind kind, struct slice after);
/* A name that a request may leave out. */
static inline struct slice name_or(struct slice name, struct slice usual)
{
	return name.len > 0 ? name : usual;
}

#define GROUP_NAME_USUAL     "Team"
#define CONTAINER_NAME_USUAL "Backlog"

#endif
