/*
 * records_team.h - the records of users, groups, invitations, containers and items.
 *
 * A part of records.h. Uses the rows for shared fields of records.h and records_question.h.
 */
#ifndef PROTO_RECORDS_RECORDS_TEAM_H
#define PROTO_RECORDS_RECORDS_TEAM_H

#include "proto/text/quantity.h"

#define F_GROUP_ID(F) F(STR, group_id, _, FIELD_REQ, 1, 64, "The group; lower case is accepted")
#define F_OF_GROUP(F) F(STR, group_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The group")
#define F_GROUP_USER_ID(F) F(STR, user_id, _, FIELD_REQ, 1, 64, "The user")
#define F_OF_USER(F) F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")
#define F_EMAIL(F, flags, help) F(TEXT, email_address, 0, flags, 1, MAX_EMAIL_BYTES, help)
#define F_ITS_GROUP_NAME(F) F_WRITTEN(F, group_name, FIELD_REQ | FIELD_LINE, MAX_TEAM_NAME_CHARS, "Its name")
#define F_GROUP_ROLE(F, help) F(ENUM, role, group_role, FIELD_REQ, 0, WORDS_LAST(group_role), help)
#define F_JOINED_ON(F) F(INT, joined_on, _, FIELD_REQ, 0, INT64_MAX, "When they joined")
#define F_GROUP_VERSION(F) F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The group's version when this was read: it counts changes its members can see")
#define F_TEAM_PAGE(F)                                                                             \
	F(INT, limit, _, FIELD_OPT, 1, MAX_TEAM_PAGE, "Most entries of the page; default as many as fit. A page may have fewer and not be the last") \
	F_QUESTION_CURSOR(F, "The cursor of the previous page of the same list; absent for the first")

/* ---- users ---- */
#define RECORD_user_get_params(F) F(STR, user_id, _, FIELD_OPT, 1, 64, "The user; absent: the caller")
#define RECORD_user_update_params(F)                                                               \
	F(STR, user_name, _, FIELD_OPT, 1, 4 * MAX_NAME_BYTES, "The new name, as of session.login; it takes effect at once") \
	F_EMAIL(F, FIELD_NIL, "The new address, checked for its form only; nil removes it")        \
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
	F_CHARS(F, group_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "Its name; default `Team`")      \
	F_CHARS(F, container_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "The name of its first container; default `Backlog`") \
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
#define F_GROUP_DEFAULTS(F) F(REC, defaults, group_defaults, FIELD_OPT, 0, 0, "Defaults of its new rooms; absent: those of other rooms")
#define RECORD_group_defaults(F)                                                                   \
	F(STR, deck, _, FIELD_OPT | FIELD_LINE, 1, 32, "Name of a preset deck; or")                \
	F(STRS, valid_sizes, _, FIELD_OPT | FIELD_LINE, 0, 32, "the cards; neither: as without a group") \
	F(REC, policy, policy_view, FIELD_OPT, 0, 0, "Absent: as without a group")                 \
	F(STR, link_template, _, FIELD_OPT | FIELD_LINE, 1, MAX_LINK_TEMPLATE_BYTES, "As in room.create; absent: none") \
	F(INT, timer_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "As in room.create; absent: none") \
	F(INT, reveal_in_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "As in room.create; absent: no timer starts") \
	F(TEXTS, reactions, MAX_REACTION_CELLS, FIELD_OPT, 1, MAX_REACTIONS, "As in room.create; absent: the usual six")
#define RECORD_group_get_result(F)                                                                 \
	F_OF_GROUP(F)                                                                              \
	F_ITS_GROUP_NAME(F)                                                                        \
	F_GROUP_DEFAULTS(F)                                                                        \
	F_GROUP_ROLE(F, "The caller's")                                                            \
	F(INT, users, _, FIELD_REQ, 1, MAX_GROUP_USERS, "How many members it has")                 \
	F_GROUP_VERSION(F)
#define RECORD_group_is_user_params(F) F_GROUP_ID(F) F_GROUP_USER_ID(F)
#define RECORD_group_is_user_result(F) F(BOOL, is_user, _, FIELD_REQ, 0, 0, "Whether the user is in the group")
#define RECORD_group_users_params(F) F_GROUP_ID(F) F_TEAM_PAGE(F)
#define RECORD_group_user(F)                                                                       \
	F_OF_USER(F)                                                                               \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The user's name")         \
	F_GROUP_ROLE(F, "Their role: owners also rename, set roles, remove users")                 \
	F_JOINED_ON(F)
#define RECORD_group_users_result(F)                                                               \
	F(RECS, users, group_user, FIELD_REQ, 0, MAX_TEAM_PAGE, "The members, in the order they joined") \
	F_GROUP_VERSION(F)                                                                         \
	F_QUESTION_NEXT(F)
#define RECORD_group_rooms_params(F) F_GROUP_ID(F) F_TEAM_PAGE(F)
#define RECORD_group_room(F)                                                                       \
	F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "Its code")                              \
	F(STR, title, _, FIELD_OPT | FIELD_LINE, 1, MAX_TITLE_BYTES, "Its title")                  \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of its round")                           \
	F(INT, users, _, FIELD_REQ, 0, INT64_MAX, "How many members are in it now")                \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When it was created")
#define RECORD_group_rooms_result(F)                                                               \
	F(RECS, rooms, group_room, FIELD_REQ, 0, MAX_TEAM_PAGE, "The newest first")                \
	F_QUESTION_NEXT(F)
#define RECORD_group_references_params(F)                                                          \
	F_GROUP_ID(F)                                                                              \
	F(STR, estimate, _, FIELD_REQ | FIELD_LINE, 1, MAX_CARD_BYTES, "The estimate they have")   \
	F(STR, room_id, _, FIELD_OPT, 6, 16, "A room whose stories are left out")
#define RECORD_group_reference(F)                                                                  \
	F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "Its room")                              \
	F(STR, title, _, FIELD_REQ | FIELD_LINE, 1, MAX_STORY_TITLE_BYTES, "Its title")            \
	F(STR, key, _, FIELD_OPT | FIELD_LINE, 1, MAX_STORY_KEY_BYTES, "What a tracker calls it")
#define RECORD_group_references_result(F)                                                          \
	F(STR, estimate, _, FIELD_REQ | FIELD_LINE, 1, MAX_CARD_BYTES, "The estimate they have")   \
	F(RECS, stories, group_reference, FIELD_REQ, 0, MAX_REFERENCES, "Of the newest rooms first")
#define RECORD_group_rename_params(F)                                                              \
	F_GROUP_ID(F)                                                                              \
	F_CHARS(F, group_name, FIELD_REQ, 1, MAX_TEAM_NAME_CHARS, "Its new name")                  \
	F_ONCE(F)
#define RECORD_group_change_params(F) F_GROUP_ID(F) F_ONCE(F)
#define RECORD_group_user_params(F) F_GROUP_ID(F) F_GROUP_USER_ID(F) F_ONCE(F)
#define RECORD_group_set_role_params(F)                                                            \
	F_GROUP_ID(F)                                                                              \
	F_GROUP_USER_ID(F)                                                                         \
	F_GROUP_ROLE(F, "Their new role")                                                          \
	F_ONCE(F)
#define RECORD_group_set_defaults_params(F)                                                        \
	F_GROUP_ID(F)                                                                              \
	F(STRS, valid_sizes, _, FIELD_OPT, 0, 64, "The cards, as in room.create")                  \
	F(STR, deck, _, FIELD_NIL, 1, 32, "Name of a preset deck, instead of valid_sizes; nil: as without a group") \
	F(REC, policy, policy_change, FIELD_OPT, 0, 0, "The fields to change, as in room.set_policy") \
	F_LINK_TEMPLATE(F, FIELD_NIL)                                                              \
	F_ROOM_HABITS(F)                                                                           \
	F_ONCE(F)

/* ---- invitations ---- */
#define F_INVITATION_ID(F) F(STR, invitation_id, _, FIELD_REQ, 1, 64, "The invitation; lower case is accepted")
#define F_OF_INVITATION(F) F(STR, invitation_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The invitation; admits nobody")
#define F_INVITATION_CODE(F) F(STR, code, _, FIELD_REQ_SECRET, 1, MAX_INVITATION_CODE_BYTES, "The code; lower case and without dashes is accepted")
#define F_INVITATION_SECONDS(F) F(INT, expires_in_seconds, _, FIELD_OPT, MAX_INVITATION_SECONDS_MIN, MAX_INVITATION_SECONDS, "How long it is valid from now; default 24 h")
#define F_LINK_EXPIRY(F) F(INT, link_expiry_datetime, _, FIELD_REQ, 0, INT64_MAX, "When it expires")
#define F_USES_LEFT(F) F(INT, uses_left, _, FIELD_OPT, 1, MAX_INVITATION_USES, "How many uses are left; absent: unlimited")
#define RECORD_invitation_create_params(F)                                                         \
	F_GROUP_ID(F)                                                                              \
	F_INVITATION_SECONDS(F)                                                                    \
	F(INT, uses, _, FIELD_OPT, 1, MAX_INVITATION_USES, "How many uses it has; absent: unlimited") \
	F_ONCE(F)
#define RECORD_invitation_create_result(F)                                                         \
	F_OF_INVITATION(F)                                                                         \
	F(STR, code, _, FIELD_REQ_SECRET | FIELD_ID, 1, MAX_INVITATION_CODE_BYTES, "Admits anyone who has it; shown once, 20 letters in fours") \
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
	F(STR, created_by, _, FIELD_REQ | FIELD_ID, 1, 64, "user_id of its creator")               \
	F_LINK_EXPIRY(F)                                                                           \
	F_USES_LEFT(F)
#define RECORD_invitation_list_result(F)                                                           \
	F(RECS, invitations, invitation_view, FIELD_REQ, 0, MAX_TEAM_PAGE, "The valid ones, the oldest first") \
	F_QUESTION_NEXT(F)
#define RECORD_invitation_revoke_params(F) F_GROUP_ID(F) F_INVITATION_ID(F) F_ONCE(F)
#define RECORD_invitation_get_params(F) F_INVITATION_CODE(F)
#define RECORD_invitation_get_result(F) F_ITS_GROUP_NAME(F) F_LINK_EXPIRY(F) F_USES_LEFT(F)
#define RECORD_group_join_params(F) F_INVITATION_CODE(F) F_ONCE(F)
#define RECORD_group_join_result(F) F_OF_GROUP(F) F_ITS_GROUP_NAME(F)

/* ---- containers ---- */
#define F_CONTAINER_ID(F) F(STR, container_id, _, FIELD_REQ, 1, 64, "The container; lower case is accepted")
#define F_OF_CONTAINER(F) F(STR, container_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The container")
#define F_CONTAINER_VERSION(F) F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The container's version when this was read: it counts changes of its name and items")
#define RECORD_container_create_params(F)                                                          \
	F_GROUP_ID(F)                                                                              \
	F_CHARS(F, container_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "Its name; default `Backlog`") \
	F_ONCE(F)
#define RECORD_container_create_result(F) F_OF_CONTAINER(F)
#define RECORD_container_params(F) F_CONTAINER_ID(F)
#define RECORD_container_change_params(F) F_CONTAINER_ID(F) F_ONCE(F)
#define RECORD_container_entry(F)                                                                  \
	F_OF_CONTAINER(F)                                                                          \
	F_WRITTEN(F, container_name, FIELD_REQ | FIELD_LINE, MAX_TEAM_NAME_CHARS, "Its name")      \
	F_OF_GROUP(F)                                                                              \
	F(INT, items, _, FIELD_REQ, 0, INT64_MAX, "How many items it has")                         \
	F(INT, unestimated, _, FIELD_OPT, 0, INT64_MAX, "How many of them have neither quantity nor unit, like a story without an estimate; absent: not known") \
	F_CONTAINER_VERSION(F)
#define RECORD_container_rename_params(F)                                                          \
	F_CONTAINER_ID(F)                                                                          \
	F_CHARS(F, container_name, FIELD_REQ, 1, MAX_TEAM_NAME_CHARS, "Its new name")              \
	F_ONCE(F)
#define RECORD_container_list_params(F)                                                            \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "The group; absent: all the caller's groups")        \
	F_TEAM_PAGE(F)
#define RECORD_container_list_result(F)                                                            \
	F(RECS, containers, container_entry, FIELD_REQ, 0, MAX_TEAM_PAGE, "By group, in the order of their ids") \
	F_QUESTION_NEXT(F)

/* ---- items ---- */
#define ITEM_CATEGORY_USUAL "none"
#define ITEM_EXPIRY_MAX	    INT64_C(253402300799999) /* the last ms of the year 9999 */
#define F_ITEM_ID(F) F(STR, item_id, _, FIELD_REQ, 1, 64, "The item; lower case is accepted")
#define F_ITEM_NAME(F, flags) F_CHARS(F, name, flags, 1, MAX_ITEM_NAME_CHARS, "Its name")
#define F_ITEM_CATEGORY(F, help) F_CHARS(F, category, FIELD_OPT, 1, MAX_ITEM_CATEGORY_CHARS, help)
#define F_ITEM_NILABLE(F)                                                                          \
	F_CHARS(F, unit, FIELD_NIL, 1, MAX_ITEM_UNIT_CHARS, "The unit of its quantity, such as kg or points; nil: none") \
	F(STR, quantity, _, FIELD_NIL | FIELD_QUANTITY, 1, QUANTITY_BYTES_MAX, "Its quantity, such as 12 or 0.5, up to 999999999999.99; nil: not known") \
	F(INT, expiry, _, FIELD_NIL, 1, ITEM_EXPIRY_MAX, "When it expires, up to the year 9999; nil: never. Nothing happens to it then") \
	F(TEXT, note, 0, FIELD_NIL | FIELD_LINES, 1, MAX_ITEM_NOTE_BYTES, "A note; nil: none")
#define F_ITEM_IF_REVISION(F) F(INT, if_revision, _, FIELD_OPT, 1, INT64_MAX, "Only if that is its revision now; else CONFLICT")
#define F_ITEM_REVISION(F) F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Counts the item's changes, from 1")
#define RECORD_item_add_params(F)                                                                  \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_NAME(F, FIELD_REQ)                                                                  \
	F_ITEM_CATEGORY(F, "Its category; default `none`")                                         \
	F_ITEM_NILABLE(F)                                                                          \
	F(BOOL, is_unique, _, FIELD_OPT, 0, 0, "Refuse if another item's name starts with the same key, such as PAY-101, in any case; #12 also with the same address in the last line of the note") \
	F_ONCE(F)
#define RECORD_item_update_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F_ITEM_NAME(F, FIELD_OPT)                                                                  \
	F_ITEM_CATEGORY(F, "Its category")                                                         \
	F_ITEM_NILABLE(F)                                                                          \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define RECORD_item_result(F)                                                                      \
	F(STR, item_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The item; a moved one gets another id")   \
	F_ITEM_REVISION(F)
#define RECORD_item_adjust_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F(STR, by, _, FIELD_REQ | FIELD_QUANTITY, 1, QUANTITY_BYTES_MAX, "The change of the quantity: 2, -1.5") \
	F_ONCE(F)
#define RECORD_item_adjust_result(F)                                                               \
	F(STR, quantity, _, FIELD_REQ | FIELD_LINE, 1, QUANTITY_BYTES_MAX, "The quantity now")     \
	F_ITEM_REVISION(F)
#define RECORD_item_move_params(F)                                                                 \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F(STR, to_container_id, _, FIELD_REQ, 1, 64, "Its new container, of this group or another of the caller's") \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define RECORD_item_remove_params(F)                                                               \
	F_CONTAINER_ID(F)                                                                          \
	F_ITEM_ID(F)                                                                               \
	F_ITEM_IF_REVISION(F)                                                                      \
	F_ONCE(F)
#define F_ITEM_VIEW(F)                                                                             \
	F(STR, item_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The item; ids start with the time, so they sort in the order of adding") \
	F_WRITTEN(F, name, FIELD_REQ | FIELD_LINE, MAX_ITEM_NAME_CHARS, "Its name")                \
	F_WRITTEN(F, unit, FIELD_OPT | FIELD_LINE, MAX_ITEM_UNIT_CHARS, "The unit of its quantity") \
	F(STR, quantity, _, FIELD_OPT | FIELD_LINE, 1, QUANTITY_BYTES_MAX, "Its quantity")         \
	F_WRITTEN(F, category, FIELD_REQ | FIELD_LINE, MAX_ITEM_CATEGORY_CHARS, "Its category")    \
	F(INT, expiry, _, FIELD_OPT, 1, ITEM_EXPIRY_MAX, "When it expires")                        \
	F(STR, note, _, FIELD_OPT | FIELD_LINES, 1, MAX_ITEM_NOTE_BYTES, "A note")                 \
	F(INT, created_at, _, FIELD_REQ, 0, INT64_MAX, "When it was added to its first container") \
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
	F(RECS, items, expiring_item, FIELD_REQ, 0, MAX_TEAM_PAGE, "The one that expires first comes first") \
	F_QUESTION_NEXT(F)

/* ---- watching ---- */
#define F_WATCH_SINCE(F) F(REC, since, since, FIELD_OPT, 0, 0, "The version of the caller's copy; if nothing has changed since, no full update follows")
#define RECORD_watch_result(F)                                                                     \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Versions count within one epoch")               \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The caller's version from now on; updates continue from it")
/*
 * The first fields of every update of a group or a container: F_TOPIC with the versions stored in
 * the table.
 */
#define F_STORED_TOPIC(F)                                                                          \
	F_TOPIC(F)                                                                                 \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Changed since the last update: call again")     \
	F(BOOL, full, _, FIELD_OPT, 0, 0, "true: replaces everything except what is paged, which must be paged again; absent: only what changed") \
	F(BOOL, is_deleted, _, FIELD_OPT, 0, 0, "true: it was deleted, and the watch has ended")
#define RECORD_group_watch_params(F) F_GROUP_ID(F) F_WATCH_SINCE(F)
#define RECORD_group_params(F) F_GROUP_ID(F)
#define RECORD_group_view(F)                                                                       \
	F_ITS_GROUP_NAME(F)                                                                        \
	F(INT, users, _, FIELD_REQ, 0, MAX_GROUP_USERS, "How many members it has")                 \
	F_GROUP_DEFAULTS(F)
#define RECORD_group_update(F)                                                                     \
	F_STORED_TOPIC(F)                                                                          \
	F_OF_GROUP(F)                                                                              \
	F(REC, group, group_view, FIELD_OPT, 0, 0, "The whole group")                              \
	F(RECS, users, group_user, FIELD_OPT, 0, MAX_TEAM_PAGE, "Users who joined or changed, each complete; a full update has none: group.users pages them") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, MAX_TEAM_PAGE, "Ids of users, containers and rooms that were removed") \
	F(RECS, rooms, group_room, FIELD_OPT, 0, MAX_TEAM_PAGE, "A room that is new or whose entry in group.rooms changed; without a version: since is version. A full update has none: group.rooms pages them") \
	F(RECS, containers, container_entry, FIELD_OPT, 0, MAX_GROUP_CONTAINERS, "Containers that are new or renamed; in a full update all, except those in later updates. Their item counts are of that time")
#define RECORD_container_watch_params(F) F_CONTAINER_ID(F) F_WATCH_SINCE(F)
#define RECORD_container_update(F)                                                                 \
	F_STORED_TOPIC(F)                                                                          \
	F_OF_CONTAINER(F)                                                                          \
	F(REC, container, container_entry, FIELD_OPT, 0, 0, "The whole container")                 \
	F(RECS, items, item_view, FIELD_OPT, 0, MAX_TEAM_PAGE, "Items that are new or changed, each complete; a full update has none: item.list pages them") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, MAX_TEAM_PAGE, "item_ids of the items that were removed")

/* Inner records first. */
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
	X(group_references_params)                                                                 \
	X(group_reference)                                                                         \
	X(group_references_result)                                                                 \
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
