/*
 * team.h - users who have a key, their groups, and invitations to groups.
 *
 *   USER:{user_id}       USER                     the user of a key (session.h), and number of
 *                                                 their groups
 *                        GROUP#{group_id}         their membership in a group
 *   GROUP:{group_id}     GROUP                    the group, and its numbers of users, owners,
 *                                                 containers and invitations
 *                        CONTAINER#{container_id} a container of the group
 *                        INVITATION#{hash}        an invitation, under the keyed hash of its code
 *                        REMOVED#{hash}           a removed user, whom only later invitations by an
 *                                                 owner admit
 *   CONTAINER:{id}       CONTAINER                the container
 *
 * The contents of a group are counted in its GROUP item, which every transaction that adds or
 * removes some reads and writes. So the counts are exact and limits are kept; and if two
 * transactions would each remove one of the last two owners, only one succeeds.
 *
 * A user is visible to those who share a group with them, a group to its members. For everyone
 * else they do not seem to exist: the same NOT_FOUND after the same reads.
 *
 * A deleted group is marked in its GROUP item, and from then on it and its contents do not seem
 * to exist. The contents are deleted in steps, each a transaction that starts the next; the GROUP
 * item is deleted last. Users are deleted likewise (user_delete.c).
 *
 * user.c users, and who sees them; user_delete.c deleting users; group.c groups, and finding one;
 * group_defaults.c defaults of new rooms; group_delete.c deleting groups; group_members.c members
 * and their roles; group_watch.c updates to watchers; invitation.c invitations, and joining by
 * them. Containers and items: container.h. The handlers are declared in directory.h.
 */
#ifndef SERVER_DOMAIN_TEAM_TEAM_H
#define SERVER_DOMAIN_TEAM_TEAM_H

#include "server/domain/base/public_id.h"
#include "server/domain/directory.h"
#include "server/domain/txn.h"

/* A group, and the caller's membership. */
struct group {
	struct slice id; /* in its stored spelling; in t->arena */
	const struct group_item *item;
	const struct membership_item *mine;
};

/* Return the user_id of the caller. */
static inline struct slice caller_id(const struct txn *t)
{
	return slice_str(t->session->user_id);
}

/*
 * Return the item of a group; NULL if it does not exist or is deleted, and while it is not
 * loaded.
 */
const struct group_item *group_get(struct txn *t, struct slice id);

/*
 * Find the group with this id, for a caller who is in it with at least the role `least`. A
 * handler continues if this is TXN_DONE, and otherwise returns the result: TXN_MORE, or
 * TXN_REFUSED. NOT_FOUND is the same, after the same reads, whether the id has a wrong form, the
 * group does not exist, or the caller is not in it; FORBIDDEN: the caller is a member but not an
 * owner.
 */
enum txn_step group_find(struct txn *t, struct slice id, enum group_role least, struct group *g);
/* The same for any user; a transaction without a request has no caller. */
enum txn_step group_find_of(struct txn *t, struct slice user_id, struct slice id, enum group_role least,
			    struct group *g);

/*
 * Write a group after a change that its members see, and publish the change. This is the only way
 * to write one, so that every change is published. At most once per group in a transaction.
 *
 * @g       with id and the old item.
 * @change  users, gone, ...: lists are copied; the common fields of updates and the group itself
 *          are filled in here.
 */
void group_write(struct txn *t, const struct group *g, struct group_item now, struct group_update change);

/*
 * Subscribe the caller, who is in the group, to an item of the group that counts versions and has
 * version *at, which the result contains. The subscription ends with the membership.
 *
 * @since  as in the request; NULL: none. Returns false if the caller has this version already,
 *         and is sent nothing.
 */
bool watch_begin(struct txn *t, const struct group *g, const struct since *at, const struct since *since);

/* Publish a user's new name in each of their groups, as group_write(). TXN_MORE, or TXN_DONE. */
enum txn_step group_write_name(struct txn *t, struct slice user_id, const struct user_item *user, struct slice name);

/*
 * Add the caller to the group: writes their membership and their number of groups. The caller of
 * this function writes the group's own counts. Returns false with t->fault if the user is in too
 * many groups.
 *
 * @user     the caller's own item, from user_get().
 * @entered  the new member as others see them; in t->arena. NULL: not wanted.
 */
bool group_enter(struct txn *t, struct slice group_id, const struct user_item *user, enum group_role role,
		 struct group_user *entered);

/*
 * Create the first group of a user who was never in one, as directory_create_first_group(). It is
 * theirs as any other, but gives way to the first that they create or join while it is unused.
 */
struct slice group_create_first(struct txn *t, struct slice user_id, struct slice name, struct user_item *user);
/*
 * Find the first group of a user, if it is still unused: it has no member, container, item,
 * invitation, setting, name or room but those it was created with. TXN_MORE, or TXN_DONE; without
 * one, first->item is NULL. The caller of this function ends it.
 */
enum txn_step group_find_unused(struct txn *t, const struct user_item *user, struct group *first);

/*
 * Remove a user from the group and from the counts in *now, which the caller of this function
 * writes.
 */
void group_take_out(struct txn *t, struct slice id, struct group_item *now, struct slice user_id,
		    const struct membership_item *membership);
/* Return the SK under which the group records that the user was removed; in t->arena. */
struct slice group_removed_sk(struct txn *t, struct slice group_id, struct slice user_id);
/* Subtract one from the number of groups of the user, whose item was read. */
void user_in_fewer(struct txn *t, struct slice user_id);

/* ---- its defaults ---- */

/* Return the defaults as in group.get, in t->arena; false: there are none. */
bool group_view_defaults(const struct group_item *group, struct group_defaults *out);

/* ---- its end ---- */

/*
 * Delete a room whose group has ended. params: struct txn_next, with the key of
 * FOLLOW_LOOK_AT_GROUP.
 */
txn_handler group_of_room_look;
/*
 * The longest time between two steps of a deletion: after it the sweeper continues, if no step
 * has followed.
 */
#define END_STEP_MS INT64_C(10000)
/* The same if there is nothing to do but wait for rooms. */
#define END_WAIT_MS INT64_C(1000)

/* Write `now` marked as deleted; the deletion starts when that is durable. */
void group_begin_end(struct txn *t, const struct group *g, struct group_item now);
/* Do one step of deleting a group. params: struct store_item, the GROUP that was found. */
txn_handler group_expire;
/* Do one step of deleting a user. params: struct store_item, the USER that was found. */
txn_handler user_expire;

/* ---- invitations ---- */

/* Return all invitations of the group, including expired ones. */
struct txn_items group_invitations(struct txn *t, struct slice group_id);

/*
 * Delete an invitation and subtract it from the counts in *now, which the caller of this function
 * writes.
 */
void invitation_end(struct txn *t, struct slice group_id, struct slice hash, struct group_item *now);

/*
 * Delete the invitations of a deleted user in groups that they have left. A user_part
 * (directory.h).
 */
enum user_left invitations_end(struct txn *t, struct slice user_id);

/* Delete an expired invitation. params: struct store_item, the INVITATION that was found. */
txn_handler invitation_expire;

/* ---- users ---- */

/*
 * Return the item of a user; NULL if the user does not exist or is deleted, and while it is not
 * loaded.
 */
const struct user_item *user_get(struct txn *t, struct slice id);

/* Return the memberships of the user, including those in deleted groups. */
struct txn_items user_memberships(struct txn *t, struct slice user_id);

/*
 * Remove a user who is to be deleted from all groups; the caller of this function writes their
 * item. Groups of which they are the only member end. TXN_REFUSED with CONFLICT, naming the
 * group, if a group would be left without an owner.
 */
enum txn_step user_leave_groups(struct txn *t, struct slice user_id);

/* Return the name, or the default if the request left it out. */
static inline struct slice name_or(struct slice name, struct slice usual)
{
	return name.len > 0 ? name : usual;
}

#define GROUP_NAME_USUAL     "Team"
#define CONTAINER_NAME_USUAL "Backlog"

#endif
