/*
 * records_team.h - the records of users, of the groups they are in, of invitations, containers and items: a part of records.h,
 * whose rows of fields that many records share they use, as those of records_question.h.
 */
#ifndef PROTO_RECORDS_TEAM_H
#define PROTO_RECORDS_TEAM_H

#include "proto/quantity.h"

#define F_GROUP_ID(F) F(STR, group_id, _, FIELD_REQ, 1, 64, "The group; lower case is accepted")
#define F_OF_GROUP(F) F(STR, group_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The group")
#define F_GROUP_USER_ID(F) F(STR, user_id, _, FIELD_REQ, 1, 64, "Whom it concerns")
#define F_OF_USER(F) F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")
#define F_EMAIL(F, flags, help) F(TEXT, email_address, 0, flags, 1, MAX_EMAIL_BYTES, help)
#define F_ITS_GROUP_NAME(F) F_WRITTEN(F, group_name, FIELD_REQ | FIELD_LINE, MAX_TEAM_NAME_CHARS, "What it is called")
#define F_GROUP_ROLE(F, help) F(ENUM, role, group_role, FIELD_REQ, 0, WORDS_LAST(group_role), help)
#define F_JOINED_ON(F) F(INT, joined_on, _, FIELD_REQ, 0, INT64_MAX, "Since when")
#define F_GROUP_VERSION(F) F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The group's when this was read: it counts changes of what its members see")
#define F_TEAM_PAGE(F)                                                                             \
	F(INT, limit, _, FIELD_OPT, 1, MAX_TEAM_PAGE, "Most entries of the page; default all that a page takes. A page may have fewer and not be the last") \
	F_QUESTION_CURSOR(F, "The cursor of the page before, of the same list; absent for the first")

/* ---- users ---- */
#define RECORD_user_get_params(F) F(STR, user_id, _, FIELD_OPT, 1, 64, "The user; absent: the caller")
#define RECORD_user_update_params(F)                                                               \
	F(STR, user_name, _, FIELD_OPT, 1, 4 * MAX_NAME_BYTES, "The new name, as of session.login; the session has it at once") \
	F_EMAIL(F, FIELD_NIL, "The new address, checked for its form only; nil takes it away")     \
	F_ONCE(F)
#define RECORD_user_delete_params(F) F_ONCE(F)
#define RECORD_user_result(F)                                                                      \
	F_OF_USER(F)                                                                               \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The name of the last login, or a later one") \
	F(STR, email_address, _, FIELD_OPT | FIELD_LINE, 1, MAX_EMAIL_BYTES, "To the user alone")
#define RECORD_user_get_by_email_params(F) F_EMAIL(F, FIELD_REQ, "The address; compared case-folded")
#define RECORD_user_get_by_email_result(F) F_OF_USER(F)

/* ---- groups ---- */
#define RECORD_group_create_params(F)                                                              \
	F_CHARS(F, group_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "What it is called; default `default group`") \
	F_CHARS(F, container_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "What its first container is called; default `default container`") \
	F_ONCE(F)
#define RECORD_group_create_result(F)                                                              \
	F_OF_GROUP(F)                                                                              \
	F(STR, container_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Its first container")
#define RECORD_group_list_params(F) F_TEAM_PAGE(F)
#define RECORD_group_entry(F)                                                                      \
	F_OF_GROUP(F)                                                                              \
	F_ITS_GROUP_NAME(F)                                                                        \
	F_GROUP_ROLE(F, "The caller's")                                                            \
	F_JOINED_ON(F)
#define RECORD_group_list_result(F)                                                                \
	F(RECS, groups, group_entry, FIELD_REQ, 0, MAX_TEAM_PAGE, "The caller's groups, in the order of their ids") \
	F_QUESTION_NEXT(F)
#define RECORD_group_get_params(F)                                                                 \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "The group; or")                                     \
	F(STR, container_id, _, FIELD_OPT, 1, 64, "one of its containers")
#define F_GROUP_DEFAULTS(F) F(REC, defaults, group_defaults, FIELD_OPT, 0, 0, "What its new rooms begin with; absent: what other rooms do")
#define RECORD_group_defaults(F)                                                                   \
	F(STR, deck, _, FIELD_OPT | FIELD_LINE, 1, 32, "Name of a preset deck; or")                \
	F(STRS, valid_sizes, _, FIELD_OPT | FIELD_LINE, 0, 32, "the cards; neither: as without a group") \
	F(REC, policy, policy_view, FIELD_OPT, 0, 0, "Absent: as without a group")
#define RECORD_group_get_result(F)                                                                 \
	F_OF_GROUP(F)                                                                              \
	F_ITS_GROUP_NAME(F)                                                                        \
	F_GROUP_DEFAULTS(F)                                                                        \
	F_GROUP_ROLE(F, "The caller's")                                                            \
	F(INT, users, _, FIELD_REQ, 1, MAX_GROUP_USERS, "How many are in it")                      \
	F_GROUP_VERSION(F)
#define RECORD_group_is_user_params(F) F_GROUP_ID(F) F_GROUP_USER_ID(F)
#define RECORD_group_is_user_result(F) F(BOOL, is_user, _, FIELD_REQ, 0, 0, "Whether the user is in the group")
#define RECORD_group_users_params(F) F_GROUP_ID(F) F_TEAM_PAGE(F)
#define RECORD_group_user(F)                                                                       \
	F_OF_USER(F)                                                                               \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The user's name")         \
	F_GROUP_ROLE(F, "What they may: owners also rename, set roles, remove users")              \
	F_JOINED_ON(F)
#define RECORD_group_users_result(F)                                                               \
	F(RECS, users, group_user, FIELD_REQ, 0, MAX_TEAM_PAGE, "Who is in it, in the order they came") \
	F_GROUP_VERSION(F)                                                                         \
	F_QUESTION_NEXT(F)
#define RECORD_group_rooms_params(F) F_GROUP_ID(F) F_TEAM_PAGE(F)
#define RECORD_group_room(F)                                                                       \
	F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "Its code")                              \
	F(STR, title, _, FIELD_OPT | FIELD_LINE, 1, MAX_TITLE_BYTES, "Its title")                  \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of its round")                           \
	F(INT, users, _, FIELD_REQ, 0, INT64_MAX, "How many members are there now")                \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When it was made")
#define RECORD_group_rooms_result(F)                                                               \
	F(RECS, rooms, group_room, FIELD_REQ, 0, MAX_TEAM_PAGE, "The newest first")                \
	F_QUESTION_NEXT(F)
#define RECORD_group_rename_params(F)                                                              \
	F_GROUP_ID(F)                                                                              \
	F_CHARS(F, group_name, FIELD_REQ, 1, MAX_TEAM_NAME_CHARS, "What it is called from now on") \
	F_ONCE(F)
#define RECORD_group_change_params(F) F_GROUP_ID(F) F_ONCE(F)
#define RECORD_group_user_params(F) F_GROUP_ID(F) F_GROUP_USER_ID(F) F_ONCE(F)
#define RECORD_group_set_role_params(F)                                                            \
	F_GROUP_ID(F)                                                                              \
	F_GROUP_USER_ID(F)                                                                         \
	F_GROUP_ROLE(F, "What they may from now on")                                               \
	F_ONCE(F)
#define RECORD_group_set_defaults_params(F)                                                        \
	F_GROUP_ID(F)                                                                              \
	F(STRS, valid_sizes, _, FIELD_OPT, 0, 64, "The cards, as in room.create")                  \
	F(STR, deck, _, FIELD_NIL, 1, 32, "Name of a preset deck, instead of valid_sizes; nil: as without a group") \
	F(REC, policy, policy_change, FIELD_OPT, 0, 0, "The fields to change, as in room.set_policy") \
	F_ONCE(F)

/* ---- invitations ---- */
#define F_INVITATION_ID(F) F(STR, invitation_id, _, FIELD_REQ, 1, 64, "The invitation; lower case is accepted")
#define F_OF_INVITATION(F) F(STR, invitation_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The invitation; lets nobody in")
#define F_INVITATION_CODE(F) F(STR, code, _, FIELD_REQ_SECRET, 1, MAX_INVITATION_CODE_BYTES, "The code; lower case and without dashes is accepted")
#define F_INVITATION_SECONDS(F) F(INT, expires_in_seconds, _, FIELD_OPT, MAX_INVITATION_SECONDS_MIN, MAX_INVITATION_SECONDS, "How long it is good from now; default 24 h")
#define F_LINK_EXPIRY(F) F(INT, link_expiry_datetime, _, FIELD_REQ, 0, INT64_MAX, "When it ends")
#define F_USES_LEFT(F) F(INT, uses_left, _, FIELD_OPT, 1, MAX_INVITATION_USES, "How many more may join by it; absent: any number")
#define RECORD_invitation_create_params(F)                                                         \
	F_GROUP_ID(F)                                                                              \
	F_INVITATION_SECONDS(F)                                                                    \
	F(INT, uses, _, FIELD_OPT, 1, MAX_INVITATION_USES, "How many may join by it; absent: any number") \
	F_ONCE(F)
#define RECORD_invitation_create_result(F)                                                         \
	F_OF_INVITATION(F)                                                                         \
	F(STR, code, _, FIELD_REQ_SECRET | FIELD_ID, 1, MAX_INVITATION_CODE_BYTES, "Lets in who has it; shown once, 20 letters in fours") \
	F_LINK_EXPIRY(F)
#define RECORD_invitation_renew_params(F)                                                          \
	F_GROUP_ID(F)                                                                              \
	F_INVITATION_ID(F)                                                                         \
	F_INVITATION_SECONDS(F)                                                                    \
	F_ONCE(F)
#define RECORD_invitation_renew_result(F) F_LINK_EXPIRY(F)
#define RECORD_invitation_list_params(F) F_GROUP_ID(F) F_TEAM_PAGE(F)
#define RECORD_invitation_view(F)                                                                  \
	F_OF_INVITATION(F)                                                                         \
	F(STR, created_by, _, FIELD_REQ | FIELD_ID, 1, 64, "user_id of the user who made it")      \
	F_LINK_EXPIRY(F)                                                                           \
	F_USES_LEFT(F)
#define RECORD_invitation_list_result(F)                                                           \
	F(RECS, invitations, invitation_view, FIELD_REQ, 0, MAX_TEAM_PAGE, "Those that are good, the oldest first") \
	F_QUESTION_NEXT(F)
#define RECORD_invitation_revoke_params(F) F_GROUP_ID(F) F_INVITATION_ID(F) F_ONCE(F)
#define RECORD_invitation_get_params(F) F_INVITATION_CODE(F)
#define RECORD_invitation_get_result(F) F_ITS_GROUP_NAME(F) F_LINK_EXPIRY(F) F_USES_LEFT(F)
#define RECORD_group_join_params(F) F_INVITATION_CODE(F) F_ONCE(F)
#define RECORD_group_join_result(F) F_OF_GROUP(F) F_ITS_GROUP_NAME(F)

/* ---- containers ---- */
#define F_CONTAINER_ID(F) F(STR, container_id, _, FIELD_REQ, 1, 64, "The container; lower case is accepted")
#define F_OF_CONTAINER(F) F(STR, container_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The container")
#define F_CONTAINER_VERSION(F) F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The container's when this was read: it counts changes of its name and items")
#define RECORD_container_create_params(F)                                                          \
	F_GROUP_ID(F)                                                                              \
	F_CHARS(F, container_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "What it is called; default `default container`") \
	F_ONCE(F)
#define RECORD_container_create_result(F) F_OF_CONTAINER(F)
#define RECORD_container_params(F) F_CONTAINER_ID(F)
#define RECORD_container_change_params(F) F_CONTAINER_ID(F) F_ONCE(F)
#define RECORD_container_entry(F)                                                                  \
	F_OF_CONTAINER(F)                                                                          \
	F_WRITTEN(F, container_name, FIELD_REQ | FIELD_LINE, MAX_TEAM_NAME_CHARS, "What it is called") \
	F_OF_GROUP(F)                                                                              \
	F(INT, items, _, FIELD_REQ, 0, INT64_MAX, "How many items are in it")                      \
	F_CONTAINER_VERSION(F)
#define RECORD_container_rename_params(F)                                                          \
	F_CONTAINER_ID(F)                                                                          \
	F_CHARS(F, container_name, FIELD_REQ, 1, MAX_TEAM_NAME_CHARS, "What it is called from now on") \
	F_ONCE(F)
#define RECORD_container_list_params(F)                                                            \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "The group; absent: all the caller's groups")        \
	F_TEAM_PAGE(F)
#define RECORD_container_list_result(F)                                                            \
	F(RECS, containers, container_entry, FIELD_REQ, 0, MAX_TEAM_PAGE, "Group by group, in the order of their ids") \
	F_QUESTION_NEXT(F)

/* ---- items ---- */
#define ITEM_CATEGORY_USUAL "none"
#define ITEM_EXPIRY_MAX	    INT64_C(253402300799999) /* the last ms of the year 9999 */
#define F_ITEM_ID(F) F(STR, item_id, _, FIELD_REQ, 1, 64, "The item; lower case is accepted")
#define F_ITEM_NAME(F, flags) F_CHARS(F, name, flags, 1, MAX_ITEM_NAME_CHARS, "What it is called")
#define F_ITEM_CATEGORY(F, help) F_CHARS(F, category, FIELD_OPT, 1, MAX_ITEM_CATEGORY_CHARS, help)
#define F_ITEM_NILABLE(F)                                                                          \
	F_CHARS(F, unit, FIELD_NIL, 1, MAX_ITEM_UNIT_CHARS, "What its quantity counts, as kg or points; nil: nothing") \
	F(STR, quantity, _, FIELD_NIL, 1, QUANTITY_BYTES_MAX, "How much there is, as 12 or 0.5, up to 999999999999.99; nil: that is not known") \
	F(INT, expiry, _, FIELD_NIL, 1, ITEM_EXPIRY_MAX, "When it is no longer good, up to the year 9999; nil: never. Nothing happens to it then") \
	F(TEXT, note, 0, FIELD_NIL | FIELD_LINES, 1, MAX_ITEM_NOTE_BYTES, "What else there is to say, in lines; nil: nothing")
#define F_ITEM_IF_REVISION(F) F(INT, if_revision, _, FIELD_OPT, 1, INT64_MAX, "Only if that is its revision now; else CONFLICT")
#define F_ITEM_REVISION(F) F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Counts the item's changes, from 1")
#define RECORD_item_add_params(F)                                                                  \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_NAME(F, FIELD_REQ)                                                                  \
	F_ITEM_CATEGORY(F, "What kind of thing it is; default `none`")                             \
	F_ITEM_NILABLE(F)                                                                          \
	F_ONCE(F)
#define RECORD_item_update_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F_ITEM_NAME(F, FIELD_OPT)                                                                  \
	F_ITEM_CATEGORY(F, "What kind of thing it is")                                             \
	F_ITEM_NILABLE(F)                                                                          \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define RECORD_item_result(F)                                                                      \
	F(STR, item_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The item; one that was moved has another there") \
	F_ITEM_REVISION(F)
#define RECORD_item_adjust_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F(STR, by, _, FIELD_REQ, 1, QUANTITY_BYTES_MAX, "What is added to the quantity, or with a - before it taken away: 2, -1.5") \
	F_ONCE(F)
#define RECORD_item_adjust_result(F)                                                               \
	F(STR, quantity, _, FIELD_REQ | FIELD_LINE, 1, QUANTITY_BYTES_MAX, "How much there is now") \
	F_ITEM_REVISION(F)
#define RECORD_item_move_params(F)                                                                 \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F(STR, to_container_id, _, FIELD_REQ, 1, 64, "Where it goes, a container of this group or another of the caller's") \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define RECORD_item_remove_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define F_ITEM_VIEW(F)                                                                             \
	F(STR, item_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The item; ids begin with the time, so their order is that in which items were added") \
	F_WRITTEN(F, name, FIELD_REQ | FIELD_LINE, MAX_ITEM_NAME_CHARS, "What it is called")       \
	F_WRITTEN(F, unit, FIELD_OPT | FIELD_LINE, MAX_ITEM_UNIT_CHARS, "What its quantity counts") \
	F(STR, quantity, _, FIELD_OPT | FIELD_LINE, 1, QUANTITY_BYTES_MAX, "How much there is") \
	F_WRITTEN(F, category, FIELD_REQ | FIELD_LINE, MAX_ITEM_CATEGORY_CHARS, "What kind of thing it is") \
	F(INT, expiry, _, FIELD_OPT, 1, ITEM_EXPIRY_MAX, "When it is no longer good")              \
	F(STR, note, _, FIELD_OPT | FIELD_LINES, 1, MAX_ITEM_NOTE_BYTES, "What else there is to say, in lines") \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was added, wherever that was")     \
	F(INT, updated_at, _, FIELD_REQ, 0, INT64_MAX, "When it was last changed")                 \
	F_ITEM_REVISION(F)
#define RECORD_item_view(F) F_ITEM_VIEW(F)
#define RECORD_item_list_params(F) F_CONTAINER_ID(F) F_TEAM_PAGE(F)
#define RECORD_item_list_result(F)                                                                 \
	F(RECS, items, item_view, FIELD_REQ, 0, MAX_TEAM_PAGE, "In the order they were added")     \
	F_CONTAINER_VERSION(F)                                                                     \
	F_QUESTION_NEXT(F)
#define RECORD_item_expiring_params(F)                                                             \
	F_GROUP_ID(F)                                                                              \
	F(INT, before, _, FIELD_REQ, 1, INT64_MAX, "Only what expires before that")                \
	F_TEAM_PAGE(F)
#define RECORD_expiring_item(F) F_OF_CONTAINER(F) F_ITEM_VIEW(F)
#define RECORD_item_expiring_result(F)                                                             \
	F(RECS, items, expiring_item, FIELD_REQ, 0, MAX_TEAM_PAGE, "The one that expires first at the front") \
	F_QUESTION_NEXT(F)

/* ---- watching ---- */
#define F_WATCH_SINCE(F) F(REC, since, since, FIELD_OPT, 0, 0, "Where the caller's copy stands: where nothing has changed since, no full update follows")
#define RECORD_watch_result(F)                                                                     \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Versions count within one epoch")               \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "What the caller has then; updates continue from it")
/* What every update of a group or a container begins with: F_TOPIC, of versions that the table has. */
#define F_STORED_TOPIC(F)                                                                          \
	F_TOPIC(F)                                                                                 \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Another epoch than the last: call again")       \
	F(BOOL, full, _, FIELD_OPT, 0, 0, "true: replaces all but what is paged, which is to be paged anew; absent: only what changed") \
	F(BOOL, is_deleted, _, FIELD_OPT, 0, 0, "true: it has ended, and the watch with it")
#define RECORD_group_watch_params(F) F_GROUP_ID(F) F_WATCH_SINCE(F)
#define RECORD_group_params(F) F_GROUP_ID(F)
#define RECORD_group_view(F)                                                                       \
	F_ITS_GROUP_NAME(F)                                                                        \
	F(INT, users, _, FIELD_REQ, 0, MAX_GROUP_USERS, "How many are in it")                      \
	F_GROUP_DEFAULTS(F)
#define RECORD_group_update(F)                                                                     \
	F_STORED_TOPIC(F)                                                                          \
	F_OF_GROUP(F)                                                                              \
	F(REC, group, group_view, FIELD_OPT, 0, 0, "The group, whole")                             \
	F(RECS, users, group_user, FIELD_OPT, 0, MAX_TEAM_PAGE, "Users who came, or of whom something changed, each whole; a full update has none: group.users pages them") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, MAX_TEAM_PAGE, "Ids of users, containers and rooms that it has no longer") \
	F(RECS, rooms, group_room, FIELD_OPT, 0, MAX_TEAM_PAGE, "A room that is new, or of which something in its line of group.rooms is; of no version: since is version. A full update has none: group.rooms pages them") \
	F(RECS, containers, container_entry, FIELD_OPT, 0, MAX_GROUP_CONTAINERS, "Containers that are new or have another name; in a full update all of them, but for those that come in updates behind it. How many items are in one is as of then")
#define RECORD_container_watch_params(F) F_CONTAINER_ID(F) F_WATCH_SINCE(F)
#define RECORD_container_update(F)                                                                 \
	F_STORED_TOPIC(F)                                                                          \
	F_OF_CONTAINER(F)                                                                          \
	F(REC, container, container_entry, FIELD_OPT, 0, 0, "The container, whole")                \
	F(RECS, items, item_view, FIELD_OPT, 0, MAX_TEAM_PAGE, "Items that are new or changed, each whole; a full update has none: item.list pages them") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, MAX_TEAM_PAGE, "item_ids of those that are in it no longer")

/* Inner ones first. */
#define TEAM_RECORDS(X)                                                                            \
	X(user_get_params)                                                                         \
	X(user_update_params)                                                                      \
	X(user_delete_params)                                                                      \
	X(user_result)                                                                             \
	X(user_get_by_email_params)                                                                \
	X(user_get_by_email_result)                                                                \
	X(group_create_params)                                                                     \
	X(group_create_result)                                                                     \
	X(group_list_params)                                                                       \
	X(group_entry)                                                                             \
	X(group_list_result)                                                                       \
	X(group_defaults)                                                                          \
	X(group_get_params)                                                                        \
	X(group_get_result)                                                                        \
	X(group_is_user_params)                                                                    \
	X(group_is_user_result)                                                                    \
	X(group_users_params)                                                                      \
	X(group_user)                                                                              \
	X(group_users_result)                                                                      \
	X(group_rooms_params)                                                                      \
	X(group_room)                                                                              \
	X(group_rooms_result)                                                                      \
	X(group_rename_params)                                                                     \
	X(group_change_params)                                                                     \
	X(group_user_params)                                                                       \
	X(group_set_role_params)                                                                   \
	X(group_set_defaults_params)                                                               \
	X(invitation_create_params)                                                                \
	X(invitation_create_result)                                                                \
	X(invitation_renew_params)                                                                 \
	X(invitation_renew_result)                                                                 \
	X(invitation_list_params)                                                                  \
	X(invitation_view)                                                                         \
	X(invitation_list_result)                                                                  \
	X(invitation_revoke_params)                                                                \
	X(invitation_get_params)                                                                   \
	X(invitation_get_result)                                                                   \
	X(group_join_params)                                                                       \
	X(group_join_result)                                                                       \
	X(container_create_params)                                                                 \
	X(container_create_result)                                                                 \
	X(container_params)                                                                        \
	X(container_change_params)                                                                 \
	X(container_entry)                                                                         \
	X(container_rename_params)                                                                 \
	X(container_list_params)                                                                   \
	X(container_list_result)                                                                   \
	X(item_add_params)                                                                         \
	X(item_update_params)                                                                      \
	X(item_result)                                                                             \
	X(item_adjust_params)                                                                      \
	X(item_adjust_result)                                                                      \
	X(item_move_params)                                                                        \
	X(item_remove_params)                                                                      \
	X(item_view)                                                                               \
	X(item_list_params)                                                                        \
	X(item_list_result)                                                                        \
	X(item_expiring_params)                                                                    \
	X(expiring_item)                                                                           \
	X(item_expiring_result)                                                                    \
	X(watch_result)                                                                            \
	X(group_watch_params)                                                                      \
	X(group_params)                                                                            \
	X(group_view)                                                                              \
	X(group_update)                                                                            \
	X(container_watch_params)                                                                  \
	X(container_update)

#endif
