/*
 * methods.h - every request the server answers, and every notification it sends.
 *
 * One row feeds the enum, dispatch, validation, `aye call`, shell completion,
 * the fuzz dictionary and proto/README.md: there is no second list. The name is
 * sent: add rows freely, never give a name a new meaning.
 */
#ifndef PROTO_METHODS_H
#define PROTO_METHODS_H

#include "proto/records.h"

/* The caller's standing, checked before the handler runs; the finer rights are in rights.h and in the handler. */
enum method_who {
	WHO_ANYONE,  /* even before session.hello */
	WHO_GREETED, /* after session.hello */
	WHO_USER,    /* with a session on this connection */
	WHO_KEYED,   /* with one that a key signed: a lasting user */
	WHO_SEATED,  /* with a user_key, in params or presented before on this connection */
	WHO_MEMBER,  /* with a seat or the host_key; the room's policy says more (rights.h) */
	WHO_HOST,    /* with the host's seat, or the host_key, in params or presented before */
	WHO_OWNER,   /* unix-socket peers with the server's own uid, or root */
	WHO_KIOSK,   /* unix-socket peers with the uid of the host's ssh kiosk (server_config) */
};

/* The partition a method acts on. */
enum method_where {
	WHERE_NOWHERE,  /* the connection and the server itself */
	WHERE_DIRECTORY, /* sessions, users: all partitions that are no rooms */
	WHERE_USER_NAME, /* in the directory, the partition of the name params.user_name */
	WHERE_QUESTION, /* in the directory, the partition of params.question_id */
	WHERE_GROUP,    /* in the directory, the partition of params.group_id */
	WHERE_INVITATION, /* in the directory, the item of params.code */
	WHERE_CONTAINER, /* in the directory, the partition of params.container_id */
	WHERE_NEW_ROOM, /* a room that must not exist yet */
	WHERE_ROOM,     /* params.room_id */
};
#define WHERE_COUNT (WHERE_ROOM + 1)

enum method_effect {
	EFFECT_READS,
	EFFECT_ATTENDS, /* changes what the connection or the process has: a subscription, a session, a listener; safe to repeat */
	EFFECT_CHANGES, /* takes an idempotency_key */
};

/*        SYMBOL                name                    who          where           effect          params                       result                       help */
#define METHODS(X)                                                                                                                                                                                             \
	X(SESSION_HELLO,        "session.hello",        WHO_ANYONE,  WHERE_NOWHERE,  EFFECT_READS,   hello_params,                hello_result,                "Begin: agree on the protocol, learn the limits")                         \
	X(SESSION_LOGIN,         "session.login",         WHO_GREETED, WHERE_USER_NAME, EFFECT_CHANGES, login_params,                login_result,                "Take a name; with a key, the same user every time") \
	X(SESSION_ASSERT,        "session.assert",        WHO_KIOSK,   WHERE_DIRECTORY, EFFECT_ATTENDS, assert_params,               session_result,              "Be the user of an ssh key, by the word of the host's ssh kiosk") \
	X(SESSION_RESUME,        "session.resume",        WHO_GREETED, WHERE_DIRECTORY, EFFECT_ATTENDS, resume_params,               session_result,              "Come back to a session on another connection") \
	X(SESSION_WHOAMI,        "session.whoami",        WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     whoami_result,               "Whose session this is, and in which rooms") \
	X(SESSION_LOGOUT,        "session.logout",        WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, logout_params,               nothing,                     "End the session; its name is free") \
	X(SESSION_WATCH,         "session.watch",         WHO_USER, WHERE_DIRECTORY, EFFECT_ATTENDS, nothing,                     session_watch_result,        "The user's sessions and rooms, and session.update when they change") \
	X(SESSION_UNWATCH,       "session.unwatch",       WHO_USER, WHERE_DIRECTORY, EFFECT_ATTENDS, nothing,                     nothing,                     "No more session.update") \
	X(SERVER_PING,          "server.ping",          WHO_ANYONE,  WHERE_NOWHERE,  EFFECT_READS,   nothing,                     ping_result,                 "See whether the server answers, and its time")                           \
	X(SERVER_STATS,         "server.stats",         WHO_OWNER,   WHERE_NOWHERE,  EFFECT_READS,   nothing,                     stats_result,                "Counters since the start")                                               \
	X(SERVER_SHARE,         "server.share",         WHO_OWNER,   WHERE_NOWHERE,  EFFECT_ATTENDS, server_share_params,         server_share_result,         "Listen on a TCP address for others, too; without one only say where") \
	X(ROOM_CREATE,          "room.create",          WHO_GREETED, WHERE_NEW_ROOM, EFFECT_CHANGES, room_create_params,          room_create_result,          "Make a room; its host_key proves who is host")                      \
	X(ROOM_SUBSCRIBE,       "room.subscribe",       WHO_GREETED, WHERE_ROOM,     EFFECT_ATTENDS, room_subscribe_params,       room_subscribe_result,       "Take a seat without a name, or return to one, and follow the room")   \
	X(ROOM_UNSUBSCRIBE,     "room.unsubscribe",     WHO_GREETED, WHERE_ROOM,     EFFECT_ATTENDS, room_params,                 version_result,              "Stop following; the seat shows as disconnected")                         \
	X(ROOM_JOIN,            "room.join",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_join_params,            room_join_result,            "Put a name on the seat, or change name or role")                         \
	X(ROOM_LEAVE,           "room.leave",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_leave_params,           room_leave_result,           "Take name and vote off the seat; go on watching")                        \
	X(ROOM_VOTE,            "room.vote",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_vote_params,            room_vote_result,            "Choose a card, another card, or none")                                   \
	X(ROOM_SET_VALID_SIZES, "room.set_valid_sizes", WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_valid_sizes_params, room_set_valid_sizes_result, "Change the deck")                                                        \
	X(ROOM_SET_TITLE,       "room.set_title",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_title_params,       version_result,              "Change the title")                                                       \
	X(ROOM_SET_LINK_TEMPLATE, "room.set_link_template", WHO_HOST,  WHERE_ROOM,     EFFECT_CHANGES, room_set_link_template_params, version_result,            "Say how the link of a story without one follows from its key") \
	X(ROOM_SET_REVEALED,    "room.set_revealed",    WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_set_revealed_params,    version_result,              "Turn the cards over, or hide them again")                                \
	X(ROOM_RESET,           "room.reset",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Hide and clear all votes, begin the next round")                         \
	X(ROOM_KICK,            "room.kick",            WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Clear a seat and end its connections' subscription; in a room with a lock or a passcode for good") \
	X(ROOM_UNKICK,          "room.unkick",          WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Let the key of a member who was kicked for good come back") \
	X(ROOM_BARRED,          "room.barred",          WHO_HOST,    WHERE_ROOM,     EFFECT_READS,   room_barred_params,          room_barred_result,          "Who was kicked for good") \
	X(ROOM_CLAIM_HOST,      "room.claim_host",      WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_claim_host_params,      version_result,              "Become host by the host_key")                                            \
	X(ROOM_SET_HOST,        "room.set_host",        WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Make another member host")                                               \
	X(ROOM_SET_POLICY,       "room.set_policy",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_policy_params,      version_result,              "Say who may do what, and what happens by itself") \
	X(ROOM_UNSET_HOST,       "room.unset_host",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "End a co-host's rights") \
	X(ROOM_ADMIT,            "room.admit",            WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Let a member in who waits in the lobby") \
	X(ROOM_REJECT,           "room.reject",           WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Turn a member away who waits in the lobby") \
	X(ROOM_PAUSE,            "room.pause",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_pause_params,           version_result,              "Take a break that everybody sees, or end it; votes go on meanwhile") \
	X(ROOM_NUDGE,            "room.nudge",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_nudge_params,           room_nudge_result,           "Ring those who have not voted") \
	X(ROOM_REACT,            "room.react",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_react_params,           version_result,              "Show one word or emoji for a moment") \
	X(ROUND_AGAIN,           "round.again",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Vote on the same story again; the round before stays in the history") \
	X(ROUND_UNDO_RESET,      "round.undo_reset",      WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Undo the last reset: its votes count again, until the next vote is cast") \
	X(ROUND_SETTLE,          "round.settle",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, round_settle_params,         version_result,              "Write the agreed value to the story") \
	X(ROUND_LIST,            "round.list",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_READS,   page_params,                 round_list_result,           "History, the newest round first") \
	X(REVEAL_CANCEL,         "reveal.cancel",         WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, reveal_cancel_params,        version_result,              "Stop the countdown to the reveal") \
	X(REVEAL_ARM,            "reveal.arm",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, reveal_arm_params,           version_result,              "Let the last missing vote reveal at once") \
	X(TIMER_START,           "timer.start",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, timer_start_params,          timer_start_result,          "Start a timer that everybody sees") \
	X(TIMER_STOP,            "timer.stop",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          version_result,              "Stop it") \
	X(STORY_ADD,             "story.add",             WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_add_params,            story_result,                "Add a story, at the end or next to another") \
	X(STORY_UPDATE,          "story.update",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_update_params,         version_result,              "Change what is given of a story") \
	X(STORY_MOVE,            "story.move",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_move_params,           version_result,              "Put a story before or after another") \
	X(STORY_REMOVE,          "story.remove",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_params,                version_result,              "Take a story off the list") \
	X(STORY_RESTORE,         "story.restore",         WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_params,                version_result,              "Restore a removed story to its place") \
	X(STORY_SELECT,          "story.select",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_select_params,         room_reset_result,           "Vote on this story from now on") \
	X(STORY_NEXT,            "story.next",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          story_result,                "Vote on the next story that is still to do") \
	X(STORY_LIST,            "story.list",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_READS,   page_params,                 story_list_result,           "The stories, whole and in order") \
	X(PRESENCE_CREATE,       "presence.create",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Make a presence, if it is not there") \
	X(PRESENCE_GET,          "presence.get",          WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             presence_get_result,         "Who is present, and how") \
	X(PRESENCE_DELETE,       "presence.delete",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a presence") \
	X(PRESENCE_SET,          "presence.set",          WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, presence_set_params,         version_result,              "Say how you are present; only while you are connected") \
	X(PRESENCE_REMOVE,       "presence.remove",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Be present no longer") \
	X(MAP_CREATE,            "map.create",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Make a map, if it is not there") \
	X(MAP_GET,               "map.get",               WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             map_get_result,              "All of a map") \
	X(MAP_DELETE,            "map.delete",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a map and all in it") \
	X(MAP_SET,               "map.set",               WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, map_set_params,              revision_result,             "Set the value of a key") \
	X(MAP_REMOVE,            "map.remove",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, map_remove_params,           version_result,              "Remove a key") \
	X(LIST_CREATE,           "list.create",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Make a list, if it is not there") \
	X(LIST_GET,              "list.get",              WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             list_get_result,             "All of a list, in order") \
	X(LIST_DELETE,           "list.delete",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a list and all in it") \
	X(LIST_PUSH,             "list.push",             WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_push_params,            entry_result,                "Add an entry at the end") \
	X(LIST_INSERT,           "list.insert",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_insert_params,          entry_result,                "Add an entry before or after another") \
	X(LIST_SET,              "list.set",              WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_set_params,             revision_result,             "Set the value of an entry") \
	X(LIST_MOVE,             "list.move",             WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_move_params,            entry_result,                "Put an entry before or after another") \
	X(LIST_REMOVE,           "list.remove",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_remove_params,          version_result,              "Remove an entry") \
	X(ROOM_KEEP,             "room.keep",             WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_keep_params,            room_keep_result,            "Keep the room for days, not for an hour") \
	X(ROOM_GET,             "room.get",             WHO_GREETED, WHERE_ROOM,     EFFECT_READS,   room_get_params,             room_update,                 "The room as a member without a name sees it, as a full room.update")        \
	X(ROOM_DELETE_USER,     "room.delete_user",     WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_seat_params,            version_result,              "Give up the seat: name, vote and rights are gone; its user_key sits down again as the same user_id") \
	X(ROOM_DELETE,          "room.delete",          WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_host_params,            nothing,                     "End the room for everybody and remove all of it") \
	X(QUESTION_ASK,          "question.ask",          WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, question_ask_params,         question_ask_result,         "Ask people a question, which they answer in their own time") \
	X(QUESTION_GET,          "question.get",          WHO_USER, WHERE_QUESTION,  EFFECT_READS,   question_get_params,         question_get_result,         "A question, and its answers as far as the caller may see them") \
	X(QUESTION_LIST,         "question.list",         WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   question_list_params,        question_list_result,        "What the caller may still answer, the newest first") \
	X(QUESTION_MINE,         "question.mine",         WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   question_mine_params,        question_list_result,        "The caller's own questions, the newest first") \
	X(QUESTION_ANSWER,       "question.answer",       WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_answer_params,      question_answer_result,      "Answer a question, once") \
	X(QUESTION_SKIP,         "question.skip",         WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_change_params,      nothing,                     "Not be shown the question again; it may still be answered") \
	X(QUESTION_CANCEL,       "question.cancel",       WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_change_params,      question_cancel_result,      "End one's own question") \
	X(QUESTION_WATCH,        "question.watch",        WHO_USER, WHERE_QUESTION,  EFFECT_ATTENDS, question_params,             question_watch_result,       "A question, and question.update whenever it changes, until it has ended") \
	X(QUESTION_UNWATCH,      "question.unwatch",      WHO_USER, WHERE_QUESTION,  EFFECT_ATTENDS, question_params,             nothing,                     "No more question.update") \
	X(ANSWER_MINE,           "answer.mine",           WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   answer_mine_params,          answer_mine_result,          "What the caller has answered, the newest first") \
	X(STATS_GET,             "stats.get",             WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     stats_get_result,            "What the caller has earned by answering") \
	X(LEADERBOARD_GET,       "leaderboard.get",       WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   leaderboard_get_params,      leaderboard_get_result,      "Who has the most points of a day, a week or all time, without names") \
	X(SUBSCRIPTION_CREATE,   "subscription.create",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_create_params,  subscription_create_result,  "Be sent notices of new questions") \
	X(SUBSCRIPTION_UPDATE,   "subscription.update",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_update_params,  subscription_view,           "Change a subscription") \
	X(SUBSCRIPTION_DELETE,   "subscription.delete",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_params,         nothing,                     "End a subscription") \
	X(SUBSCRIPTION_LIST,     "subscription.list",    WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     subscription_list_result,    "The caller's subscriptions") \
	X(USER_GET,              "user.get",              WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  user_get_params,             user_result,                 "The caller, or a user who shares a group with them") \
	X(USER_UPDATE,           "user.update",           WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, user_update_params,         user_result,                 "Change the caller's name or e-mail address") \
	X(USER_GET_BY_EMAIL,     "user.get_by_email",     WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  user_get_by_email_params,    user_get_by_email_result,    "The user who has this e-mail address, if they share a group with the caller") \
	X(USER_DELETE,           "user.delete",           WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, user_delete_params,         nothing,                     "End the caller: sessions, name, address, seats, and the groups in which they are alone") \
	X(GROUP_CREATE,          "group.create",          WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, group_create_params,        group_create_result,         "Make a group with its first container; the caller is its first owner") \
	X(GROUP_LIST,            "group.list",            WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  group_list_params,           group_list_result,           "The groups that the caller is in") \
	X(GROUP_GET,             "group.get",             WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_get_params,            group_get_result,            "A group, by its id or by one of its containers") \
	X(GROUP_IS_USER,         "group.is_user",         WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_is_user_params,        group_is_user_result,        "Whether a user is in a group") \
	X(GROUP_USERS,           "group.users",           WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_users_params,          group_users_result,          "Who is in a group") \
	X(GROUP_ROOMS,           "group.rooms",           WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_rooms_params,          group_rooms_result,          "The rooms of a group, and how many are in them now") \
	X(GROUP_RENAME,          "group.rename",          WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_rename_params,         nothing,                     "Give a group another name; for owners") \
	X(GROUP_LEAVE,           "group.leave",           WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_change_params,         nothing,                     "Be in a group no longer") \
	X(GROUP_REMOVE_USER,     "group.remove_user",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_user_params,           nothing,                     "Take a user out of a group; for owners") \
	X(GROUP_SET_ROLE,        "group.set_role",        WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_set_role_params,       nothing,                     "Make a user of a group an owner, or a member again; for owners") \
	X(GROUP_SET_DEFAULTS,    "group.set_defaults",    WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_set_defaults_params,   nothing,                     "Change what new rooms of a group begin with; for owners") \
	X(GROUP_DELETE,          "group.delete",          WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_change_params,         nothing,                     "End a group with all its rooms, containers and invitations, for everybody; for owners") \
	X(GROUP_JOIN,            "group.join",            WHO_KEYED, WHERE_INVITATION, EFFECT_CHANGES, group_join_params,        group_join_result,           "Come into a group by the code of an invitation") \
	X(GROUP_WATCH,           "group.watch",           WHO_KEYED, WHERE_GROUP,    EFFECT_ATTENDS, group_watch_params,          watch_result,                "group.update when the group changes, and how it is now where the caller's copy is none") \
	X(GROUP_UNWATCH,         "group.unwatch",         WHO_KEYED, WHERE_GROUP,    EFFECT_ATTENDS, group_params,                nothing,                     "No more group.update") \
	X(INVITATION_CREATE,     "invitation.create",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_create_params,    invitation_create_result,    "Make a code that lets others into a group, for a time") \
	X(INVITATION_RENEW,      "invitation.renew",      WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_renew_params,     invitation_renew_result,     "Let an invitation be good for longer, or less long, from now; for its maker and owners") \
	X(INVITATION_LIST,       "invitation.list",       WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   invitation_list_params,      invitation_list_result,      "The invitations of a group, without their codes") \
	X(INVITATION_REVOKE,     "invitation.revoke",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_revoke_params,    nothing,                     "End an invitation; for its maker and owners") \
	X(INVITATION_GET,        "invitation.get",        WHO_KEYED, WHERE_INVITATION, EFFECT_READS, invitation_get_params,       invitation_get_result,       "What group a code leads to") \
	X(CONTAINER_CREATE,      "container.create",      WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, container_create_params,     container_create_result,     "Make a container of items in a group: a backlog, an inventory, a list") \
	X(CONTAINER_GET,         "container.get",         WHO_KEYED, WHERE_CONTAINER, EFFECT_READS,  container_params,            container_entry,             "A container, without its items") \
	X(CONTAINER_RENAME,      "container.rename",      WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, container_rename_params,    nothing,                     "Give a container another name") \
	X(CONTAINER_DELETE,      "container.delete",      WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, container_change_params,    nothing,                     "Remove a container and all its items") \
	X(CONTAINER_LIST,        "container.list",        WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  container_list_params,       container_list_result,       "The containers of a group, or of all the caller's groups") \
	X(CONTAINER_WATCH,       "container.watch",       WHO_KEYED, WHERE_CONTAINER, EFFECT_ATTENDS, container_watch_params,     watch_result,                "container.update when the container or an item changes, and how it is now where the caller's copy is none") \
	X(CONTAINER_UNWATCH,     "container.unwatch",     WHO_KEYED, WHERE_CONTAINER, EFFECT_ATTENDS, container_params,           nothing,                     "No more container.update") \
	X(ITEM_ADD,              "item.add",              WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_add_params,            item_result,                 "Add an item to a container, behind all others") \
	X(ITEM_UPDATE,           "item.update",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_update_params,         item_result,                 "Change what is given of an item") \
	X(ITEM_ADJUST,           "item.adjust",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_adjust_params,         item_adjust_result,          "Add to the quantity of an item, or take away from it, in one step") \
	X(ITEM_MOVE,             "item.move",             WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_move_params,           item_result,                 "Move an item to another container, behind all others there") \
	X(ITEM_REMOVE,           "item.remove",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_remove_params,         nothing,                     "Remove an item") \
	X(ITEM_LIST,             "item.list",             WHO_KEYED, WHERE_CONTAINER, EFFECT_READS,  item_list_params,            item_list_result,            "The items of a container, in the order they were added") \
	X(ITEM_EXPIRING,         "item.expiring",         WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   item_expiring_params,        item_expiring_result,        "Items of all containers of a group that expire before a time, the earliest first")

enum method {
#define METHOD_ENUM(symbol, name, who, where, effect, params, result, help) METHOD_##symbol,
	METHODS(METHOD_ENUM)
#undef METHOD_ENUM
	METHOD_COUNT
};

struct method_row {
	const char *name;
	enum method_who who;
	enum method_where where;
	enum method_effect effect;
	const struct record *params;
	const struct record *result;
	const char *help;
};

extern const struct method_row method_rows[METHOD_COUNT];

/* What the params name: the beginning of a partition's PK, or what stands for it, and the field with the rest. NULL: they name none. */
struct method_place {
	const char *pk_prefix;
	const char *field;
};
extern const struct method_place method_places[WHERE_COUNT];

/* METHOD_COUNT where there is none of that name. */
enum method method_find(struct slice name);

/* Room for the params or the result of any method; both unions exist so that nobody guesses a size. */
union method_params {
#define METHOD_PARAMS(symbol, name, who, where, effect, params, result, help) struct params symbol;
	METHODS(METHOD_PARAMS)
#undef METHOD_PARAMS
};
union method_result {
#define METHOD_RESULT(symbol, name, who, where, effect, params, result, help) struct result symbol;
	METHODS(METHOD_RESULT)
#undef METHOD_RESULT
};

/*        SYMBOL          name              record          help */
#define NOTICES(X)                                                                                 \
	X(ROOM_UPDATE,    "room.update",    room_update,    "What changed in a room, or all of it") \
	X(ROOM_YOU,       "room.you",       room_you,       "For you alone: your seat, your vote, your rights") \
	X(ROOM_KICKED,    "room.kicked",    kicked_notice,  "You were removed; your subscription has ended") \
	X(ROOM_DELETED,   "room.deleted",   room_notice,    "The room has ended, and your subscription with it") \
	X(ROOM_NUDGED,    "room.nudged",    nudged_notice,  "Others wait for your vote")             \
	X(ROOM_REACTION,  "room.reaction",  reaction_notice, "A member shows a word for a moment")   \
	X(ROOM_EXPIRING,  "room.expiring",  expiring_notice, "The room ends in 5 minutes, in 1 minute, if nothing happens") \
	X(ROOM_EXPIRED,   "room.expired",   room_notice,    "The room's time is over; it and your subscription have ended") \
	X(SESSION_UPDATE, "session.update", session_update, "A session or a room of the user came or went")   \
	X(SESSION_NUDGED, "session.nudged", session_nudged, "Others wait for the user's vote in a room that none of the user's connections follows") \
	X(QUESTION_UPDATE, "question.update", question_update, "A question was answered, or has ended") \
	X(QUESTION_NOTICE, "question.notice", question_notice, "A question that the user may answer, by a subscription of theirs") \
	X(GROUP_UPDATE, "group.update", group_update, "What changed in a group, or how it is") \
	X(CONTAINER_UPDATE, "container.update", container_update, "What changed in a container, or how it is") \
	X(SERVER_CLOSING, "server.closing", closing_notice, "The server ends this connection, and why")

enum notice {
#define NOTICE_ENUM(symbol, name, record, help) NOTICE_##symbol,
	NOTICES(NOTICE_ENUM)
#undef NOTICE_ENUM
	NOTICE_COUNT
};

struct notice_row {
	const char *name;
	const struct record *record;
	const char *help;
};

extern const struct notice_row notice_rows[NOTICE_COUNT];

/* NOTICE_COUNT where there is none of that name. */
enum notice notice_find(struct slice name);

/* What session.hello calls the version described here. */
#define PROTOCOL_VERSION 1

#endif
