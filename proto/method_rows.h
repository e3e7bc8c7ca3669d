/*
 * method_rows.h - every method that the server answers, and every notification that it sends.
 *
 * One row feeds the enum, dispatch, validation, `aye call`, shell completion, the fuzz dictionary
 * and proto/README.md: there is no second list. The name is part of the protocol: add rows
 * freely, but never give a name a new meaning. methods.h explains the columns.
 */
#ifndef PROTO_METHOD_ROWS_H
#define PROTO_METHOD_ROWS_H

/*        SYMBOL                name                    who          where           effect          params                       result                       help */
#define METHODS(X)                                                                                                                                                                                             \
	X(SESSION_HELLO,        "session.hello",        WHO_ANYONE,  WHERE_NOWHERE,  EFFECT_READS,   hello_params,                hello_result,                "Start: agree on the protocol, learn the limits") \
	X(SESSION_LOGIN,         "session.login",         WHO_GREETED, WHERE_USER_NAME, EFFECT_CHANGES, login_params,                login_result,                "Take a name; with a key, the same user every time") \
	X(SESSION_ASSERT,        "session.assert",        WHO_KIOSK,   WHERE_DIRECTORY, EFFECT_ATTENDS, assert_params,               session_result,              "Log in as the user of an ssh key, as asserted by the host's ssh kiosk") \
	X(SESSION_RESUME,        "session.resume",        WHO_GREETED, WHERE_DIRECTORY, EFFECT_ATTENDS, resume_params,               session_result,              "Resume a session on another connection") \
	X(SESSION_WHOAMI,        "session.whoami",        WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     whoami_result,               "The user of this session, and their rooms") \
	X(SESSION_LOGOUT,        "session.logout",        WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, logout_params,               nothing,                     "End the session and free its name") \
	X(SESSION_WATCH,         "session.watch",         WHO_USER, WHERE_DIRECTORY, EFFECT_ATTENDS, nothing,                     session_watch_result,        "Follow the user's sessions and rooms by session.update") \
	X(SESSION_UNWATCH,       "session.unwatch",       WHO_USER, WHERE_DIRECTORY, EFFECT_ATTENDS, nothing,                     nothing,                     "Stop session.update") \
	X(SERVER_PING,          "server.ping",          WHO_ANYONE,  WHERE_NOWHERE,  EFFECT_READS,   nothing,                     ping_result,                 "Check that the server answers, and get its time") \
	X(SERVER_STATS,         "server.stats",         WHO_OWNER,   WHERE_NOWHERE,  EFFECT_READS,   nothing,                     stats_result,                "Counters since the start")                                               \
	X(SERVER_SHARE,         "server.share",         WHO_OWNER,   WHERE_NOWHERE,  EFFECT_ATTENDS, server_share_params,         server_share_result,         "Listen on a TCP address for others too, or stop that; without either, only list the addresses") \
	X(SERVER_QUESTIONS,     "server.questions",     WHO_OWNER,   WHERE_DIRECTORY, EFFECT_READS,  server_questions_params,     server_questions_result,     "Everyone's questions, the newest first") \
	X(SERVER_ANSWERS,       "server.answers",       WHO_OWNER,   WHERE_QUESTION, EFFECT_READS,   server_answers_params,       server_answers_result,       "The answers of a question, without names, and which are flagged") \
	X(SERVER_REMOVE,        "server.remove",        WHO_OWNER,   WHERE_QUESTION, EFFECT_CHANGES, server_remove_params,        nothing,                     "Delete a question with its answers, or one answer") \
	X(SERVER_BAR,           "server.bar",           WHO_OWNER,   WHERE_DIRECTORY, EFFECT_CHANGES, server_bar_params,          server_bar_result,           "Bar a user from logging in, asking and answering; their sessions end") \
	X(SERVER_UNBAR,         "server.unbar",         WHO_OWNER,   WHERE_DIRECTORY, EFFECT_CHANGES, server_unbar_params,        nothing,                     "Let a barred user return") \
	X(SERVER_BARRED,        "server.barred",        WHO_OWNER,   WHERE_DIRECTORY, EFFECT_READS,  server_barred_params,        server_barred_result,        "The barred users") \
	X(ROOM_CREATE,          "room.create",          WHO_GREETED, WHERE_NEW_ROOM, EFFECT_CHANGES, room_create_params,          room_create_result,          "Create a room; its host_key proves who is host") \
	X(ROOM_SUBSCRIBE,       "room.subscribe",       WHO_GREETED, WHERE_ROOM,     EFFECT_ATTENDS, room_subscribe_params,       room_subscribe_result,       "Take a seat without a name, or return to one, and follow the room")   \
	X(ROOM_UNSUBSCRIBE,     "room.unsubscribe",     WHO_GREETED, WHERE_ROOM,     EFFECT_ATTENDS, room_params,                 version_result,              "Stop following; the seat shows as disconnected")                         \
	X(ROOM_JOIN,            "room.join",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_join_params,            room_join_result,            "Name the seat, or change name or role") \
	X(ROOM_LEAVE,           "room.leave",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_leave_params,           room_leave_result,           "Give up name and vote but keep following") \
	X(ROOM_VOTE,            "room.vote",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_vote_params,            room_vote_result,            "Vote, change the vote, or retract it") \
	X(ROOM_SET_VALID_SIZES, "room.set_valid_sizes", WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_valid_sizes_params, room_set_valid_sizes_result, "Change the deck")                                                        \
	X(ROOM_SET_TITLE,       "room.set_title",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_title_params,       version_result,              "Change the title")                                                       \
	X(ROOM_SET_LINK_TEMPLATE, "room.set_link_template", WHO_HOST,  WHERE_ROOM,     EFFECT_CHANGES, room_set_link_template_params, version_result,            "Set how a story's key becomes its link") \
	X(ROOM_SET_REVEALED,    "room.set_revealed",    WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_set_revealed_params,    version_result,              "Reveal the cards, or hide them again") \
	X(ROOM_RESET,           "room.reset",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Hide and clear all votes, start the next round") \
	X(ROOM_KICK,            "room.kick",            WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Remove a member; from a room with a lock or a passcode, ban their key and login") \
	X(ROOM_UNKICK,          "room.unkick",          WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Unban a member") \
	X(ROOM_BARRED,          "room.barred",          WHO_HOST,    WHERE_ROOM,     EFFECT_READS,   room_barred_params,          room_barred_result,          "The banned members") \
	X(ROOM_CLAIM_HOST,      "room.claim_host",      WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_claim_host_params,      version_result,              "Become host by the host_key")                                            \
	X(ROOM_SET_HOST,        "room.set_host",        WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Add a co-host") \
	X(ROOM_SET_POLICY,       "room.set_policy",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_set_policy_params,      version_result,              "Set the rules: who may do what, and what is automatic") \
	X(ROOM_UNSET_HOST,       "room.unset_host",       WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "End a co-host's rights") \
	X(ROOM_ADMIT,            "room.admit",            WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Admit a member from the lobby") \
	X(ROOM_REJECT,           "room.reject",           WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_user_params,            version_result,              "Reject a member in the lobby") \
	X(ROOM_PAUSE,            "room.pause",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_pause_params,           version_result,              "Start a break that everyone sees, or end it; votes still count") \
	X(ROOM_NUDGE,            "room.nudge",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_nudge_params,           room_nudge_result,           "Nudge those who have not voted") \
	X(ROOM_REACT,            "room.react",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_react_params,           version_result,              "Show one word or emoji for a moment") \
	X(ROUND_AGAIN,           "round.again",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Vote on the same story again; the previous round stays in the history") \
	X(ROUND_UNDO_RESET,      "round.undo_reset",      WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          room_reset_result,           "Undo the last reset: its votes count again, until the next vote is cast") \
	X(ROUND_SETTLE,          "round.settle",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, round_settle_params,         version_result,              "Set the story's estimate") \
	X(ROUND_SETTLE_AGREED,   "round.settle_agreed",   WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          round_settle_agreed_result,  "Settle each open story that is revealed, has votes of the quorum, and all of them within one card, on its suggestion") \
	X(ROUND_LIST,            "round.list",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_READS,   page_params,                 round_list_result,           "History, the newest round first") \
	X(REVEAL_CANCEL,         "reveal.cancel",         WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, reveal_cancel_params,        version_result,              "Stop the countdown to the reveal") \
	X(REVEAL_ARM,            "reveal.arm",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, reveal_arm_params,           version_result,              "Let the last missing vote reveal at once") \
	X(TIMER_START,           "timer.start",           WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, timer_start_params,          timer_start_result,          "Start a timer that everyone sees") \
	X(TIMER_STOP,            "timer.stop",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          version_result,              "Stop the timer") \
	X(STORY_ADD,             "story.add",             WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_add_params,            story_result,                "Add a story, at the end or next to another") \
	X(STORY_UPDATE,          "story.update",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_update_params,         version_result,              "Change the given fields of a story") \
	X(STORY_MOVE,            "story.move",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_move_params,           version_result,              "Move a story before or after another") \
	X(STORY_REMOVE,          "story.remove",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_params,                version_result,              "Remove a story") \
	X(STORY_RESTORE,         "story.restore",         WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_params,                version_result,              "Restore a removed story to its place") \
	X(STORY_SELECT,          "story.select",          WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, story_select_params,         room_reset_result,           "Vote on this story from now on") \
	X(STORY_NEXT,            "story.next",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_CHANGES, room_member_params,          story_result,                "Vote on the next story to do") \
	X(STORY_LIST,            "story.list",            WHO_MEMBER,  WHERE_ROOM,     EFFECT_READS,   page_params,                 story_list_result,           "The stories, whole and in order") \
	X(PRESENCE_CREATE,       "presence.create",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Create a presence, if it does not exist") \
	X(PRESENCE_GET,          "presence.get",          WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             presence_get_result,         "Who is present, and their values") \
	X(PRESENCE_DELETE,       "presence.delete",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a presence") \
	X(PRESENCE_SET,          "presence.set",          WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, presence_set_params,         version_result,              "Set your presence; it lasts while you are connected") \
	X(PRESENCE_REMOVE,       "presence.remove",       WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "End your presence") \
	X(MAP_CREATE,            "map.create",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Create a map, if it does not exist") \
	X(MAP_GET,               "map.get",               WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             map_get_result,              "The whole map") \
	X(MAP_DELETE,            "map.delete",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a map and its contents") \
	X(MAP_SET,               "map.set",               WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, map_set_params,              revision_result,             "Set the value of a key") \
	X(MAP_REMOVE,            "map.remove",            WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, map_remove_params,           version_result,              "Remove a key") \
	X(LIST_CREATE,           "list.create",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Create a list, if it does not exist") \
	X(LIST_GET,              "list.get",              WHO_SEATED,  WHERE_ROOM,     EFFECT_READS,   data_get_params,             list_get_result,             "The whole list, in order") \
	X(LIST_DELETE,           "list.delete",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, data_params,                 version_result,              "Delete a list and its contents") \
	X(LIST_PUSH,             "list.push",             WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_push_params,            entry_result,                "Add an entry at the end") \
	X(LIST_INSERT,           "list.insert",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_insert_params,          entry_result,                "Add an entry before or after another") \
	X(LIST_SET,              "list.set",              WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_set_params,             revision_result,             "Set the value of an entry") \
	X(LIST_MOVE,             "list.move",             WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_move_params,            entry_result,                "Move an entry before or after another") \
	X(LIST_REMOVE,           "list.remove",           WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, list_remove_params,          version_result,              "Remove an entry") \
	X(ROOM_KEEP,             "room.keep",             WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_keep_params,            room_keep_result,            "Keep the room for days instead of an hour") \
	X(ROOM_GET,             "room.get",             WHO_GREETED, WHERE_ROOM,     EFFECT_READS,   room_get_params,             room_update,                 "The room as a member without a name sees it, as a full room.update")        \
	X(ROOM_DELETE_USER,     "room.delete_user",     WHO_SEATED,  WHERE_ROOM,     EFFECT_CHANGES, room_seat_params,            version_result,              "Leave the room: name, vote and rights are lost; the user_key can join again as the same user_id") \
	X(ROOM_DELETE,          "room.delete",          WHO_HOST,    WHERE_ROOM,     EFFECT_CHANGES, room_host_params,            nothing,                     "Delete the room for everyone") \
	X(QUESTION_ASK,          "question.ask",          WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, question_ask_params,         question_ask_result,         "Ask people a question, to answer in their own time") \
	X(QUESTION_GET,          "question.get",          WHO_USER, WHERE_QUESTION,  EFFECT_READS,   question_get_params,         question_get_result,         "A question, and the answers the caller may see") \
	X(QUESTION_LIST,         "question.list",         WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   question_list_params,        question_list_result,        "The questions the caller may still answer, the newest first") \
	X(QUESTION_MINE,         "question.mine",         WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   question_mine_params,        question_list_result,        "The caller's own questions, the newest first") \
	X(QUESTION_ANSWER,       "question.answer",       WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_answer_params,      question_answer_result,      "Answer a question, or change the answer while the question is open") \
	X(QUESTION_SKIP,         "question.skip",         WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_change_params,      nothing,                     "Skip a question; it may still be answered") \
	X(QUESTION_CANCEL,       "question.cancel",       WHO_USER, WHERE_QUESTION,  EFFECT_CHANGES, question_change_params,      question_cancel_result,      "Cancel one of the caller's own questions") \
	X(QUESTION_WATCH,        "question.watch",        WHO_USER, WHERE_QUESTION,  EFFECT_ATTENDS, question_params,             question_watch_result,       "Follow a question by question.update until it has ended") \
	X(QUESTION_UNWATCH,      "question.unwatch",      WHO_USER, WHERE_QUESTION,  EFFECT_ATTENDS, question_params,             nothing,                     "Stop question.update") \
	X(ANSWER_MINE,           "answer.mine",           WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   answer_mine_params,          answer_mine_result,          "What the caller has answered, the newest first") \
	X(STATS_GET,             "stats.get",             WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     stats_get_result,            "What the caller has earned by answering") \
	X(LEADERBOARD_GET,       "leaderboard.get",       WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   leaderboard_get_params,      leaderboard_get_result,      "How many users have how many points of a day, a week or all time, without names") \
	X(SUBSCRIPTION_CREATE,   "subscription.create",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_create_params,  subscription_create_result,  "Get notifications of new questions") \
	X(SUBSCRIPTION_UPDATE,   "subscription.update",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_update_params,  subscription_view,           "Change a subscription") \
	X(SUBSCRIPTION_DELETE,   "subscription.delete",  WHO_USER, WHERE_DIRECTORY, EFFECT_CHANGES, subscription_params,         nothing,                     "End a subscription") \
	X(SUBSCRIPTION_LIST,     "subscription.list",    WHO_USER, WHERE_DIRECTORY, EFFECT_READS,   nothing,                     subscription_list_result,    "The caller's subscriptions") \
	X(USER_GET,              "user.get",              WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  user_get_params,             user_result,                 "The caller, or a user who shares a group with them") \
	X(USER_UPDATE,           "user.update",           WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, user_update_params,         user_result,                 "Change the caller's name or e-mail address") \
	X(USER_GET_BY_EMAIL,     "user.get_by_email",     WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  user_get_by_email_params,    user_get_by_email_result,    "The user with this e-mail address, if they share a group with the caller") \
	X(USER_DELETE,           "user.delete",           WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, user_delete_params,         nothing,                     "Delete the caller: sessions, name, address, seats, and groups without other members") \
	X(GROUP_CREATE,          "group.create",          WHO_KEYED, WHERE_DIRECTORY, EFFECT_CHANGES, group_create_params,        group_create_result,         "Create a group with its first container; the caller is its first owner") \
	X(GROUP_LIST,            "group.list",            WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  group_list_params,           group_list_result,           "The caller's groups") \
	X(GROUP_GET,             "group.get",             WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_get_params,            group_get_result,            "A group, by its id or by one of its containers") \
	X(GROUP_IS_USER,         "group.is_user",         WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_is_user_params,        group_is_user_result,        "Whether a user is in a group") \
	X(GROUP_USERS,           "group.users",           WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_users_params,          group_users_result,          "Who is in a group") \
	X(GROUP_ROOMS,           "group.rooms",           WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_rooms_params,          group_rooms_result,          "The rooms of a group, and how many members are in each now") \
	X(GROUP_REFERENCES,      "group.references",      WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   group_references_params,     group_references_result,     "Stories of the group's newest rooms that have an estimate, to compare with") \
	X(GROUP_RENAME,          "group.rename",          WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_rename_params,         nothing,                     "Rename a group; owners only") \
	X(GROUP_LEAVE,           "group.leave",           WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_change_params,         nothing,                     "Leave a group") \
	X(GROUP_REMOVE_USER,     "group.remove_user",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_user_params,           nothing,                     "Remove a user from a group; owners only") \
	X(GROUP_SET_ROLE,        "group.set_role",        WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_set_role_params,       nothing,                     "Set the role of a user of a group: owner or member; owners only") \
	X(GROUP_SET_DEFAULTS,    "group.set_defaults",    WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_set_defaults_params,   nothing,                     "Change the defaults for a group's new rooms; owners only") \
	X(GROUP_DELETE,          "group.delete",          WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, group_change_params,         nothing,                     "Delete a group with all its rooms, containers and invitations; owners only") \
	X(GROUP_JOIN,            "group.join",            WHO_KEYED, WHERE_INVITATION, EFFECT_CHANGES, group_join_params,        group_join_result,           "Join a group with an invitation code") \
	X(GROUP_WATCH,           "group.watch",           WHO_KEYED, WHERE_GROUP,    EFFECT_ATTENDS, group_watch_params,          watch_result,                "Follow a group by group.update; returns changes since the caller's copy") \
	X(GROUP_UNWATCH,         "group.unwatch",         WHO_KEYED, WHERE_GROUP,    EFFECT_ATTENDS, group_params,                nothing,                     "Stop group.update") \
	X(INVITATION_CREATE,     "invitation.create",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_create_params,    invitation_create_result,    "Create an invitation code for a group, valid for a time") \
	X(INVITATION_RENEW,      "invitation.renew",      WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_renew_params,     invitation_renew_result,     "Change how long an invitation is valid, from now; its creator and owners") \
	X(INVITATION_LIST,       "invitation.list",       WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   invitation_list_params,      invitation_list_result,      "The invitations of a group, without their codes") \
	X(INVITATION_REVOKE,     "invitation.revoke",     WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, invitation_revoke_params,    nothing,                     "Revoke an invitation; its creator and owners") \
	X(INVITATION_GET,        "invitation.get",        WHO_KEYED, WHERE_INVITATION, EFFECT_READS, invitation_get_params,       invitation_get_result,       "The group of an invitation code") \
	X(CONTAINER_CREATE,      "container.create",      WHO_KEYED, WHERE_GROUP,    EFFECT_CHANGES, container_create_params,     container_create_result,     "Create a container of items in a group: a backlog, an inventory, a list") \
	X(CONTAINER_GET,         "container.get",         WHO_KEYED, WHERE_CONTAINER, EFFECT_READS,  container_params,            container_entry,             "A container, without its items") \
	X(CONTAINER_RENAME,      "container.rename",      WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, container_rename_params,    nothing,                     "Rename a container") \
	X(CONTAINER_DELETE,      "container.delete",      WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, container_change_params,    nothing,                     "Delete a container and all its items") \
	X(CONTAINER_LIST,        "container.list",        WHO_KEYED, WHERE_DIRECTORY, EFFECT_READS,  container_list_params,       container_list_result,       "The containers of a group, or of all the caller's groups") \
	X(CONTAINER_WATCH,       "container.watch",       WHO_KEYED, WHERE_CONTAINER, EFFECT_ATTENDS, container_watch_params,     watch_result,                "Follow a container by container.update; returns changes since the caller's copy") \
	X(CONTAINER_UNWATCH,     "container.unwatch",     WHO_KEYED, WHERE_CONTAINER, EFFECT_ATTENDS, container_params,           nothing,                     "Stop container.update") \
	X(ITEM_ADD,              "item.add",              WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_add_params,            item_result,                 "Add an item at the end of a container") \
	X(ITEM_UPDATE,           "item.update",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_update_params,         item_result,                 "Change the given fields of an item") \
	X(ITEM_ADJUST,           "item.adjust",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_adjust_params,         item_adjust_result,          "Add to an item's quantity, or subtract from it, in one step") \
	X(ITEM_MOVE,             "item.move",             WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_move_params,           item_result,                 "Move an item to the end of another container") \
	X(ITEM_REMOVE,           "item.remove",           WHO_KEYED, WHERE_CONTAINER, EFFECT_CHANGES, item_remove_params,         nothing,                     "Delete an item") \
	X(ITEM_LIST,             "item.list",             WHO_KEYED, WHERE_CONTAINER, EFFECT_READS,  item_list_params,            item_list_result,            "The items of a container, in the order they were added") \
	X(ITEM_EXPIRING,         "item.expiring",         WHO_KEYED, WHERE_GROUP,    EFFECT_READS,   item_expiring_params,        item_expiring_result,        "Items of a group's containers that expire before a time, the earliest first")

/*        SYMBOL          name              record          help */
#define NOTICES(X)                                                                                 \
	X(ROOM_UPDATE,    "room.update",    room_update,    "What changed in a room, or the whole room") \
	X(ROOM_YOU,       "room.you",       room_you,       "For you alone: your seat, your vote, your rights") \
	X(ROOM_KICKED,    "room.kicked",    kicked_notice,  "You were removed; your subscription has ended") \
	X(ROOM_DELETED,   "room.deleted",   room_notice,    "The room was deleted; your subscription has ended") \
	X(ROOM_NUDGED,    "room.nudged",    nudged_notice,  "Others wait for your vote")             \
	X(ROOM_REACTION,  "room.reaction",  reaction_notice, "A member's short-lived reaction")    \
	X(ROOM_EXPIRING,  "room.expiring",  expiring_notice, "The room is deleted in 5 minutes, or in 1 minute, if unused") \
	X(ROOM_EXPIRED,   "room.expired",   room_notice,    "The room expired; your subscription has ended") \
	X(SESSION_UPDATE, "session.update", session_update, "A session or a room of the user was added or ended") \
	X(SESSION_NUDGED, "session.nudged", session_nudged, "Others wait for the user's vote in a room that the user's connections do not follow") \
	X(SESSION_WAITING, "session.waiting", session_waiting, "A room has open stories on which the user has not voted: once, and again a day before each deadline; on all connections with their login, where one called session.watch") \
	X(QUESTION_UPDATE, "question.update", question_update, "A question was answered, or has ended") \
	X(QUESTION_ENDED,  "question.ended",  question_ended,  "A question of the user has its answers, or its time is up; on all connections with their login") \
	X(QUESTION_NOTICE, "question.notice", question_notice, "A new question the user may answer, as subscribed") \
	X(GROUP_UPDATE, "group.update", group_update, "What changed in a group, or the whole group") \
	X(CONTAINER_UPDATE, "container.update", container_update, "What changed in a container, or the whole container") \
	X(SERVER_CLOSING, "server.closing", closing_notice, "Why the server closes this connection")

#endif
