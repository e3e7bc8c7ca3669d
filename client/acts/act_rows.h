/*
 * act_rows.h - what people can do, a row each. The screen makes its actions of the rows
 * (client/tui/actions/action_table.h), and the command line its verbs (client/cli/verb_table.c).
 *
 * The columns for the screen use names that only the screen knows; a file that leaves them out needs
 * no header of the screen.
 *
 * An action that is also a verb of aye is a row of V or N instead of X: V if the verb has the
 * command's name, with the noun as its second name; N if it has only the noun. After the help, such
 * a row has
 *
 *   the confirmation, with a star for a name, or NULL; the verb asks it only on a terminal;
 *   its words: how each is read, and the field it fills;
 *   the verb's part: group, noun, usage, examples, options, least and most words, what it needs, and
 *   other members of struct verb (verbs.h).
 */
#ifndef CLIENT_ACTS_ACT_ROWS_H
#define CLIENT_ACTS_ACT_ROWS_H

#include "client/acts/word.h"
#include "proto/methods.h"

#define NO_WORDS ({WORD_NONE, NULL})

/* The method of an action without a request. */
#define METHOD_NONE METHOD_COUNT

/* clang-format off */
/*        symbol     in help   where       key               key's name   command      takes          method                needs                                        footer      help; then other members of struct action_row */
#define ACTIONS(X, V, N) \
	X(ENTER,     HOME,     IN_HOME,    TUI_KEY_ENTER,    "Enter",     "enter",     TAKES_RECENT,  NONE,                 NEED_NOTHING,                                "join",    "Join this room", \
	  .refuses = home_refuses_no_room, .local = LOCAL_ENTER, .run = home_about) \
	X(CREATE,    HOME,     IN_HOME,    'c',              "c",         "create",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "create",   "Create a room: title, then cards", \
	  .label = "Title [none]: ", .run = home_begin_create)                                     \
	X(CARDS,     HOME,     IN_DECKS,   'e',              "e",         "",          TAKES_LINE,    ROOM_CREATE,          NEED_NOTHING,                                "",         "Enter your own cards", \
	  .label = "Cards: ", .run = home_cards) \
	X(COME,      HOME,     IN_HOME,    'j',              "j",         "join",      TAKES_LINE,    NONE,                 NEED_NOTHING,                                "join",     "Join a room with its code or a join command", \
	  .label = "Code: ", .run = home_come) \
	X(FORGET,    HOME,     IN_HOME,    'd',              "d",         "forget",    TAKES_RECENT,  NONE,                 NEED_NOTHING,                                "forget",   "Forget this room, your seat and its host key", \
	  .refuses = home_refuses_no_room, .question = home_question, .local = LOCAL_FORGET, .run = home_about) \
	X(KNOCK,     HOME,     IN_HOME,    'p',              "p",         "knock",     TAKES_SECRET,  NONE,                 NEED_NOTHING,                                "passcode", "Join this room with its passcode", \
	  .offers = home_offers_knock, .refuses = home_refuses_no_room, .label = "Passcode (hidden): ", .begin = home_begin_knock, .run = home_knock) \
	X(TEAM_OPEN, TEAMS,    IN_TEAMS,   TUI_KEY_ENTER,    "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "open",     "Open this team", \
	  .refuses = team_refuses_empty, .run = team_open_row) \
	X(TEAM_PART, TEAMS,    IN_TEAM,    TUI_KEY_TAB,      "Tab",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "next",     "Next page of the team; or use the arrows", \
	  .run = team_turn) \
	N(TEAM_NEW,  TEAMS,    IN_TEAMS,   'a',              "a",         "team-new",  TAKES_LINE,    GROUP_CREATE,         NEED_NOTHING,                                "add",      "Create a team, with you as its owner", \
	  NULL, ({WORD_TEXT, "group_name"}, {WORD_TEXT, "container_name"}), (TEAM, "team new", "NAME [BACKLOG]", "aye team new Payments\n" "aye team new Home Groceries", (REACHES), 1, 2, LOGIN, .says = "{group_id}", .more = "Prints its id; BACKLOG is the name of its first backlog", .is_first = true), \
	  .refuses = team_refuses_strangers, .label = "Team name: ", .empty = "A team needs a name") \
	N(TEAM_JOIN, TEAMS,    IN_TEAMS,   'j',              "j",         "team-join", TAKES_LINE,    GROUP_JOIN,           NEED_NOTHING,                                "join",     "Join a team with an invitation code", \
	  NULL, ({WORD_TEXT, "code"}), (TEAM, "team join", "INVITE-CODE", "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server tls://poker.example:2937", (REACHES), 1, 1, LOGIN, .done = verb_team_was_entered, .more = "Prints the team's id", .is_first = true), \
	  .refuses = team_refuses_strangers, .label = "Invitation code: ", .run = team_join)       \
	X(TEAM_ROOM, TEAMS,    IN_TEAM_ROOMS, TUI_KEY_ENTER,  "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "join",     "Join this room of the team", \
	  .refuses = team_refuses_other_room, .run = team_enter) \
	X(TEAM_ROOM_NEW, TEAMS, IN_TEAM_ROOMS, 'a',          "a",         "team-room", TAKES_LINE,    ROOM_CREATE,          NEED_NO_ROOM,                                "add",      "Create a room of this team, with its cards and rules", \
	  .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "title"}}, .refuses = team_refuses_none, .label = "Title [none]: ", .run = team_new_room) \
	X(BACKLOG_OPEN, TEAMS, IN_BACKLOGS | IN_SOURCES, TUI_KEY_ENTER,   "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "open",     "Open this backlog", \
	  .refuses = team_refuses_empty, .run = backlog_open_row) \
	N(BACKLOG_NEW, TEAMS,  IN_BACKLOGS, 'a',             "a",         "backlog-new", TAKES_LINE,  CONTAINER_CREATE,     NEED_NOTHING,                                "add",      "Create a backlog in the team", \
	  NULL, ({WORD_TEAM, "group_id"}, {WORD_TEXT, "container_name"}), (TEAM, "backlog new", "TEAM NAME", "aye backlog new Payments 'Sprint 42'", (REACHES), 2, 2, LOGIN, .says = "{container_id}", .more = "Prints its id"), \
	  .refuses = team_refuses_none, .label = "Backlog name: ", .empty = "A backlog needs a name") \
	N(BACKLOG_RENAME, TEAMS, IN_BACKLOGS, 'e',           "e",         "",          TAKES_LINE,    CONTAINER_RENAME,     NEED_NOTHING,                                "rename",   "Rename a backlog", \
	  NULL, ({WORD_BACKLOG, "container_id"}, {WORD_TEXT, "container_name"}), (TEAM, "backlog rename", "BACKLOG NAME", "aye backlog rename 'Sprint 42' 'Sprint 43'", (REACHES, OPTION_TEAM), 2, 2, LOGIN, .tells = "The backlog was renamed to {1}."), \
	  .refuses = backlog_refuses_members, .label = "Backlog name: ", .empty = "A backlog needs a name", .start = backlog_start_name) \
	N(BACKLOG_DELETE, TEAMS, IN_BACKLOGS, 'd',           "d",         "",          TAKES_ROW,     CONTAINER_DELETE,     NEED_NOTHING,                                "delete",   "Delete a backlog and all its items", \
	  "Delete * and all its items?", ({WORD_BACKLOG, "container_id"}), (TEAM, "backlog delete", "BACKLOG", "aye backlog delete 'Sprint 42' --yes", (REACHES, OPTION_TEAM, OPTION_YES), 1, 1, LOGIN, .tells = "Backlog deleted.", .is_for_good = true), \
	  .refuses = backlog_refuses_members) \
	X(ITEM_STORY, BACKLOG, IN_BACKLOG, 'b',              "b",     "",          TAKES_ROW,     STORY_ADD,            NEED_ROOM,                                   "as story", "In the backlog of a room's team: add this item to the stories", \
	  .offers = item_offers_story, .refuses = team_refuses_empty, .run = item_story) \
	X(ITEM_EDIT, BACKLOG,  IN_BACKLOG, 'e',              "e",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "change",   "Edit the column under the cursor; left and right choose it", \
	  .refuses = team_refuses_empty, .run = item_edit) \
	N(ITEM_ADD,  BACKLOG,  IN_BACKLOG, 'a',              "a",         "item-add",  TAKES_LINE,    ITEM_ADD,             NEED_NOTHING,                                "add",      "Add an item to the backlog", \
	  NULL, ({WORD_BACKLOG, "container_id"}, {WORD_TEXT, "name"}), (TEAM, "item add", "BACKLOG NAME", "aye item add 'Sprint 42' 'Sign in with a passkey' --note 'see the design'\n" "aye item add Pantry Milk --quantity 2 --unit l --expiry 7d", (REACHES, OPTION_TEAM, HOLDS), 2, 2, LOGIN, .says = "{item_id}", .more = "Prints its id"), \
	  .refuses = backlog_refuses_none, .label = "New item: ", .run = act_add) \
	N(ITEM_REMOVE, BACKLOG, IN_BACKLOG, 'd',             "d",         "",          TAKES_ROW,     ITEM_REMOVE,          NEED_NOTHING,                                "remove",   "Delete an item of the backlog", \
	  "Delete *? This cannot be undone.", ({WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}), (TEAM, "item remove", "BACKLOG ITEM", "aye item remove Pantry Milk --yes", (REACHES, OPTION_TEAM, OPTION_IF_REVISION, OPTION_YES), 2, 2, LOGIN, .tells = "{1} was deleted.", .is_for_good = true), \
	  .refuses = team_refuses_empty) \
	X(ITEM_MORE, BACKLOG,  IN_BACKLOG, '+',              "+",         "",          TAKES_ROW,     ITEM_ADJUST,          NEED_NOTHING,                                "",         "Add one to the quantity", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}}, .refuses = item_refuses_uncounted, .fill = item_fill_more, .question = item_question_adjust) \
	X(ITEM_LESS, BACKLOG,  IN_BACKLOG, '-',              "-",         "",          TAKES_ROW,     ITEM_ADJUST,          NEED_NOTHING,                                "",         "Subtract one from the quantity", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}}, .refuses = item_refuses_uncounted, .fill = item_fill_less, .question = item_question_adjust) \
	X(ITEM_SORT, BACKLOG,  IN_BACKLOG, 'z',              "z",         "item-sort", TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "sort",     "Sort by this column; again to reverse; again to reset", \
	  .refuses = item_refuses_none, .run = item_sort) \
	X(ITEM_REREAD, BACKLOG, IN_BACKLOG, 'r',             "r",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Reload the backlog", \
	  .refuses = backlog_refuses_none, .run = item_reread) \
	N(ITEM_ADJUST, BACKLOG, IN_BACKLOG, 0,               ":item-adjust", "item-adjust", TAKES_LINE, ITEM_ADJUST,        NEED_NOTHING,                                "",         "Add to the quantity, or subtract with -", \
	  NULL, ({WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_QUANTITY, "by"}), (TEAM, "item adjust", "BACKLOG ITEM BY", "aye item adjust Pantry Milk -0.5", (REACHES, OPTION_TEAM), 3, 3, LOGIN, .says = "{quantity}", .more = "Prints the new quantity"), \
	  .refuses = item_refuses_uncounted, .label = "Change by (3, -1.5): ")                     \
	X(ITEM_NAME, BACKLOG,  IN_BACKLOG, 0,                ":item-name", "item-name", TAKES_LINE,   ITEM_UPDATE,          NEED_NOTHING,                                "",         "Change the item's name", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_TEXT, "name"}}, .refuses = item_refuses_none, .label = "Name: ", .empty = "An item needs a name", .start = item_start) \
	X(ITEM_QUANTITY, BACKLOG, IN_BACKLOG, 0,             ":item-quantity", "item-quantity", TAKES_LINE, ITEM_UPDATE,    NEED_NOTHING,                                "",         "Change the quantity: 12, 0.5; empty to clear", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_QUANTITY, "quantity"}}, .refuses = item_refuses_none, .label = "Quantity: ", .start = item_start) \
	X(ITEM_UNIT, BACKLOG,  IN_BACKLOG, 0,                ":item-unit", "item-unit", TAKES_LINE,   ITEM_UPDATE,          NEED_NOTHING,                                "",         "Change the unit of the quantity: kg, points", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_TEXT, "unit"}}, .refuses = item_refuses_none, .label = "Unit: ", .wrong = "A unit has up to 20 characters", .start = item_start) \
	X(ITEM_CATEGORY, BACKLOG, IN_BACKLOG, 0,             ":item-category", "item-category", TAKES_LINE, ITEM_UPDATE,    NEED_NOTHING,                                "",         "Change the category", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_TEXT, "category"}}, .refuses = item_refuses_none, .label = "Category: ", .wrong = "A category has up to 50 characters", .start = item_start, .run = item_category) \
	X(ITEM_EXPIRY, BACKLOG, IN_BACKLOG, 0,               ":item-expiry", "item-expiry", TAKES_LINE, ITEM_UPDATE,        NEED_NOTHING,                                "",         "Change when it expires: 2026-12-24; empty to clear", \
	  .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_WHEN, "expiry"}}, .refuses = item_refuses_none, .label = "Expires on: ", .examples = "2026-12-24  2026-12-24 18:30  7d *nothing: never", .start = item_start) \
	X(ITEM_NOTE, BACKLOG,  IN_BACKLOG, TUI_KEY_ENTER,    "Enter",         "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "open",     "Open the item's note; ^S saves it", \
	  .refuses = team_refuses_empty, .run = item_note) \
	X(TEAM_ROLE, TEAMS,    IN_MEMBERS, 'G',              "G",         "",          TAKES_ROW,     GROUP_SET_ROLE,       NEED_NOTHING,                                "role",     "Make this member an owner, or this owner a member again", \
	  .words = {{WORD_TEAM, "group_id"}, {WORD_TEAM_MEMBER, "user_id"}}, .refuses = team_refuses_members, .fill = team_fill_role, .question = team_question_role) \
	N(TEAM_REMOVE, TEAMS,  IN_MEMBERS, 'd',              "d",         "",          TAKES_ROW,     GROUP_REMOVE_USER,    NEED_NOTHING,                                "remove",   "Remove a member from the team", \
	  "Remove * from the team?", ({WORD_TEAM, "group_id"}, {WORD_TEAM_MEMBER, "user_id"}), (TEAM, "team remove", "TEAM MEMBER", "aye team remove Payments Mallory", (REACHES, OPTION_YES), 2, 2, LOGIN, .tells = "{1} was removed."), \
	  .refuses = team_refuses_members) \
	X(TEAM_INVITE, TEAMS,  IN_TEAM,    'I',              "I",         "team-invite", TAKES_LINE,  INVITATION_CREATE,    NEED_NOTHING,                                "invite",   "Create an invitation: how long it is valid, and for how many", \
	  .words = {{WORD_TEAM, "group_id"}, {WORD_SECONDS, "expires_in_seconds"}, {WORD_NUMBER, "uses"}}, .refuses = team_refuses_none, .label = "Duration: ", .examples = "24h  90m  7d *7d 5 for five uses", .start = team_start_invite) \
	N(TEAM_RENEW, TEAMS,   IN_INVITATIONS, 'r',          "r",         "",          TAKES_LINE,    INVITATION_RENEW,     NEED_NOTHING,                                "renew",    "Change when an invitation ends; its code stays", \
	  NULL, ({WORD_TEAM, "group_id"}, {WORD_INVITATION, "invitation_id"}, {WORD_SECONDS, "expires_in_seconds"}), (TEAM, "invite renew", "TEAM INVITATION [TIME]", "aye invite renew Payments v_7HQ2MB4XNA 7d", (REACHES, OPTION_ENDS), 2, 3, LOGIN, .says = "{1} expires {link_expiry_datetime@}"), \
	  .refuses = team_refuses_empty, .label = "Duration from now: ", .examples = "24h  90m  7d", .start = team_start_invite) \
	N(TEAM_REVOKE, TEAMS,  IN_INVITATIONS, 'd',          "d",         "",          TAKES_ROW,     INVITATION_REVOKE,    NEED_NOTHING,                                "revoke",   "Revoke an invitation: its code stops working", \
	  "Revoke this invitation? Its code stops working.", ({WORD_TEAM, "group_id"}, {WORD_INVITATION, "invitation_id"}), (TEAM, "invite revoke", "TEAM INVITATION", "aye invite revoke Payments v_7HQ2MB4XNA", (REACHES, OPTION_YES), 2, 2, LOGIN, .tells = "{1} was revoked."), \
	  .refuses = team_refuses_empty) \
	X(TEAM_COPY, TEAMS,    IN_INVITED, 'I',              "I",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "copy",     "Copy the join command of the new invitation", \
	  .run = team_copy) \
	X(TEAM_RULES, TEAMS,   IN_TEAM,    'P',              "P",         "team-rules", TAKES_NOTHING, NONE,                NEED_NOTHING,                                "rules",    "See and change what the team's new rooms start with", \
	  .refuses = team_refuses_none, .opens = VIEW_TEAM_POLICY) \
	X(TEAM_SWITCH, TEAMS,  IN_TEAM_RULES, TUI_KEY_ENTER, "Enter",    "team-rule", TAKES_RULE,    GROUP_SET_DEFAULTS,   NEED_NOTHING,                                "change",   "Change this setting or rule of the team's new rooms", \
	  .refuses = team_refuses_members, .run = act_switch) \
	X(TEAM_FIRST, TEAMS,   IN_FIRST_ROOM, TUI_KEY_ESCAPE, "Esc",      "",          TAKES_NOTHING, ROOM_CREATE,          NEED_NO_ROOM,                                "skip",     "Create the team's first room with what the team keeps now", \
	  .hint_at = HINT_ALWAYS, .refuses = team_refuses_none, .run = team_create_first) \
	X(TEAM_DECK, TEAMS,    IN_TEAM_RULES, 0,            ":team-deck", "team-deck", TAKES_LINE,   GROUP_SET_DEFAULTS,   NEED_NOTHING,                                "",         "Set the deck of new rooms: a name, or cards", \
	  .refuses = team_refuses_members, .label = "Deck: ", .examples = "fibonacci  tshirt *1 2 3 5 8", .start = team_start_setting, .run = team_set) \
	X(TEAM_LINKS, TEAMS,   IN_TEAM_RULES, 0,            ":team-links", "team-links", TAKES_LINE, GROUP_SET_DEFAULTS,   NEED_NOTHING,                                "",         "Set the link template of new rooms", \
	  .refuses = team_refuses_members, .label = "Link of a story: ", .examples = "https://example.org/{key}", .start = team_start_setting, .run = team_set) \
	X(TEAM_TIMER, TEAMS,   IN_TEAM_RULES, 0,            ":team-timer", "team-timer", TAKES_LINE, GROUP_SET_DEFAULTS,   NEED_NOTHING,                                "",         "Set the usual time of timers in new rooms", \
	  .refuses = team_refuses_members, .label = "Timer: ", .examples = "5m  90s *none", .start = team_start_setting, .run = team_set) \
	X(TEAM_REVEAL, TEAMS,  IN_TEAM_RULES, 0,            ":team-reveal", "team-reveal", TAKES_LINE, GROUP_SET_DEFAULTS, NEED_NOTHING,                                "",         "Set how long after their creation votes in new rooms are revealed", \
	  .refuses = team_refuses_members, .label = "Reveal after creation: ", .examples = "2d  12h *none", .start = team_start_setting, .run = team_set) \
	X(TEAM_REACTIONS, TEAMS, IN_TEAM_RULES, 0,          ":team-reactions", "team-reactions", TAKES_LINE, GROUP_SET_DEFAULTS, NEED_NOTHING,                          "",         "Set the reactions that , and a digit send in new rooms, split by spaces", \
	  .refuses = team_refuses_members, .label = "Reactions: ", .examples = "up to six words or emoji *default", .start = team_start_setting, .run = team_set) \
	X(TEAM_QUORUM, TEAMS,  IN_TEAM_RULES, 0,            ":team-quorum", "team-quorum", TAKES_LINE, GROUP_SET_DEFAULTS, NEED_NOTHING,                                "",         "Reveal votes in new rooms once this many have voted; 0 for everyone", \
	  .words = {{WORD_TEAM, "group_id"}, {WORD_NUMBER, "policy.quorum"}}, .refuses = team_refuses_members, .label = "Votes needed to reveal (0 for everyone): ", .wrong = "Enter a number up to 2500; 0 for everyone") \
	X(TEAM_PASSCODE, TEAMS, IN_TEAM_RULES, 'p',         "p",         "team-passcode", TAKES_SECRET, GROUP_SET_DEFAULTS, NEED_NOTHING,                               "passcode", "Ask newcomers to new rooms for a passcode; empty to clear", \
	  .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "policy.passcode"}}, .refuses = team_refuses_members, .label = "Passcode (hidden): ") \
	N(TEAM_RENAME, TEAMS,  IN_TEAM & ~IN_BACKLOGS, 'e', "e",         "team-rename", TAKES_LINE,  GROUP_RENAME,         NEED_NOTHING,                                "",         "Rename the team", \
	  NULL, ({WORD_TEAM, "group_id"}, {WORD_TEXT, "group_name"}), (TEAM, "team rename", "TEAM NAME", "aye team rename Payments Billing", (REACHES), 2, 2, LOGIN, .tells = "The team was renamed to {1}."), \
	  .refuses = team_refuses_members, .label = "Team name: ", .empty = "A team needs a name", .start = team_start_name) \
	N(TEAM_LEAVE, TEAMS,   IN_TEAM,    'L',              "L",         "team-leave", TAKES_NOTHING, GROUP_LEAVE,        NEED_NOTHING,                                "",         "Leave the team", \
	  "Leave *? You need an invitation to return.", ({WORD_TEAM, "group_id"}), (TEAM, "team leave", "TEAM", "aye team leave Payments", (REACHES, OPTION_YES), 1, 1, LOGIN, .tells = "You left {0}."), \
	  .refuses = team_refuses_none) \
	N(TEAM_DELETE, TEAMS,  IN_TEAM,    'D',              "D",         "team-delete", TAKES_NOTHING, GROUP_DELETE,       NEED_NOTHING,                                "",         "Delete the team with its rooms, backlogs and invitations", \
	  "Delete * with its rooms, backlogs and invitations, for everyone?", ({WORD_TEAM, "group_id"}), (TEAM, "team delete", "TEAM", "aye team delete Payments --yes", (REACHES, OPTION_YES), 1, 1, LOGIN, .tells = "Team deleted.", .is_for_good = true), \
	  .refuses = team_refuses_members) \
	X(OPEN,      INBOX,    IN_QUESTION_LISTS, TUI_KEY_ENTER, "Enter",  "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "open",     "Open this question", \
	  .refuses = inbox_refuses_empty, .run = inbox_open_row) \
	X(ASKED,     INBOX,    IN_QUESTION_LISTS, TUI_KEY_TAB, "Tab",    "asked",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "your own", "See the questions you asked, and their answers; again: back", \
	  .offers = inbox_offers_asked, .refuses = inbox_refuses_strangers, .run = inbox_turn) \
	X(AMEND,     INBOX,    IN_QUESTION_LISTS, 'e',       "e",         "amend",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "change answer", "Edit your last answer while its question is open", \
	  .offers = inbox_offers_answered, .refuses = inbox_refuses_unanswered, .run = inbox_open_answered) \
	X(ASK,       INBOX,    IN_QUESTION_LISTS, 'a',       "a",         "ask",       TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "ask",      "Ask a question", \
	  .refuses = inbox_refuses_strangers, .run = asking_begin) \
	N(ASK_CANCEL, INBOX,   IN_ASKED | IN_OUTCOME, 'd',   "d",         "",          TAKES_NOTHING, QUESTION_CANCEL,      NEED_NOTHING,                                "cancel",   "Cancel your own question", \
	  "Cancel this question? Nobody can answer it then.", ({WORD_QUESTION, "question_id"}), (ASK, "question cancel", "ID", "aye question cancel q_K7QX3M7HQ2", (REACHES, OPTION_YES), 1, 1, ASKER, .tells = "{0} was cancelled."), \
	  .hint_at = HINT_LATE, .refuses = inbox_refuses_ended) \
	X(ASK_MEMBER, TEAMS,   IN_MEMBERS, 'a',              "a",         "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "ask",      "Ask this member of the team a question", \
	  .refuses = team_refuses_empty, .run = asking_begin_to) \
	X(ASK_EDIT,  INBOX,    IN_ASKING,  TUI_KEY_ENTER,    "Enter",     "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "edit",     "Edit this part of your question", \
	  .run = asking_edit) \
	X(ASK_TEXT,  INBOX,    IN_ASKING,  0,                ":ask-text", "ask-text",  TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Edit what you ask", \
	  .refuses = asking_refuses_elsewhere, .label = "Question: ", .start = asking_start, .run = asking_set) \
	X(ASK_OPTIONS, INBOX,  IN_ASKING,  0,                ":ask-options", "ask-options", TAKES_LINE, NONE,               NEED_NOTHING,                                "",         "Edit the options: yes, no, later", \
	  .refuses = asking_refuses_elsewhere, .label = "Options: ", .examples = "yes, no, later *nothing: answers in words", .start = asking_start, .run = asking_set) \
	X(ASK_TO,    INBOX,    IN_ASKING,  0,                ":ask-to",   "ask-to",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Choose who it is for: everyone, a team, a member or a room", \
	  .refuses = asking_refuses_elsewhere, .label = "To: ", .examples = "Payments  Grace  K7QX3M *nothing: everyone", .start = asking_start, .run = asking_set, .complete = complete_ask_to) \
	X(ASK_OPEN,  INBOX,    IN_ASKING,  0,                ":ask-open",  "ask-open",  TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Choose how long it is open, 1m to 30d", \
	  .refuses = asking_refuses_elsewhere, .label = "Open for: ", .examples = "30m  8h  3d *nothing: 1h", .start = asking_start, .run = asking_set) \
	X(ASK_NEED,  INBOX,    IN_ASKING,  0,                ":ask-need",  "ask-need",  TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Choose how many answers it needs, 1 to 50", \
	  .refuses = asking_refuses_elsewhere, .label = "Answers needed: ", .examples = "1  5  50 *nothing: one per person asked", .start = asking_start, .run = asking_set) \
	X(ASK_SEND,  INBOX,    IN_ASKING,  19,               "^S",        "ask-send",  TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "send",     "Ask it", \
	  .refuses = asking_refuses_elsewhere, .run = asking_send) \
	X(CHOICE,    INBOX,    IN_QUESTION, 0,               "0-9",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Choose this option; or use the arrows") \
	X(SEND,      INBOX,    IN_QUESTION, TUI_KEY_ENTER,   "Enter",     "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "send",     "Send your choice, or write your answer first", \
	  .offers = question_offers_choice, .run = question_send) \
	X(WRITE,     INBOX,    IN_QUESTION, 'w',             "w",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "write",    "Write your answer; ^S sends it", \
	  .offers = question_offers_words, .run = question_write) \
	X(REMARK,    INBOX,    IN_QUESTION, 'x',             "x",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "comment",  "Comment on your answer; empty to clear", \
	  .offers = question_offers, .label = "Comment: ", .start = question_start_comment, .run = question_comment) \
	X(CONFIDENCE, INBOX,   IN_QUESTION, 'f',             "f",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "confidence", "Set your confidence, 1 to 5", \
	  .offers = question_offers, .label = "Confidence (1-5): ", .run = question_confidence)    \
	N(PASS,      INBOX,    IN_QUESTION, '>',             ">",         "",          TAKES_NOTHING, QUESTION_SKIP,        NEED_NOTHING,                                "skip",     "Skip a question: it is not shown to you again", \
	  NULL, ({WORD_QUESTION, "question_id"}), (ASK, "question skip", "ID", "aye question skip q_K7QX3M7HQ2", (REACHES), 1, 1, ASKER, .tells = "{0} is not listed for you now."), \
	  .offers = question_offers, .run = question_skip) \
	X(VOTE,      VOTE,     IN_ROOM,    0,                "0-9",       "vote",      TAKES_CARD,    ROOM_VOTE,            NEED_ROOM,                                   "vote",     "Vote with this card (1 then 3 is 13); vote again to change", \
	  .words = {{WORD_CARD, "vote"}}, .run = act_vote, .offers = act_offers_card) \
	X(CHOOSE,    VOTE,     IN_ROOM,    0,                "",          "",          TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "",         "Choose a card in your hand; Enter votes with it", \
	  .right = RIGHT_VOTE) \
	X(RETRACT,   VOTE,     IN_ROOM,    '-',              "-",         "retract",   TAKES_NOTHING, ROOM_VOTE,            NEED_ROOM | NEED_VOTE,                       "retract",  "Retract your vote", \
	  .words = {{WORD_TEXT, "vote"}}) \
	V(CANCEL,    ROUND,    IN_ROOM,    'c',              "c",         "cancel",    TAKES_NOTHING, REVEAL_CANCEL,        NEED_ROOM | NEED_COUNTDOWN,                  "cancel",   "Stop the countdown to the reveal", \
	  NULL, NO_WORDS, (LEAD, "reveal cancel", "[CODE]", "aye cancel K7QX3M", (SITS), 1, 1, MEMBER, .tells = "Countdown stopped."), \
	  .fill = act_fill_token) \
	V(SETTLE,    ROUND,    IN_ROOM,    '=',              "=",         "settle",    TAKES_LINE,    ROUND_SETTLE,         NEED_ROOM | NEED_REVEALED,                   "settle",   "Settle the story's estimate; - clears it", \
	  NULL, ({WORD_CARD, "estimate"}), (LEAD, "round settle", "[CODE] CARD", "aye settle K7QX3M 5\n" "aye settle K7QX3M 5 --story PAY-3", (SITS, OPTION_STORY), 2, 2, MEMBER, .tells = "Settled on {1}.", .tells_none = "Estimate cleared.", .is_first = true), \
	  .offers = act_offers_settle, .label = "Settle on: ", .wrong = "An estimate has up to 8 characters", .start = act_start_settle, .begin = act_begin_settle) \
	V(AGAIN,     ROUND,    IN_ROOM,    'V',              "V",         "again",     TAKES_NOTHING, ROUND_AGAIN,          NEED_ROOM | NEED_REVEALED,                   "again",    "Vote on the same story again", \
	  NULL, NO_WORDS, (LEAD, "round again", "[CODE]", "aye again K7QX3M", (SITS), 1, 1, MEMBER, .says = "Round {round} started.", .is_first = true, .more = "The history keeps this round")) \
	V(REVEAL,    ROUND,    IN_ROOM,    'R',              "R",         "reveal",    TAKES_NOTHING, ROOM_SET_REVEALED,    NEED_ROOM | NEED_HIDDEN | NEED_VOTES,        "reveal",   "Reveal the cards", \
	  NULL, ({WORD_TRUE, "is_revealed"}), (LEAD, "room reveal", "[CODE]", "aye reveal K7QX3M\n" "aye reveal K7QX3M --story PAY-3", (SITS, OPTION_STORY), 1, 1, RIGHTS, .done = verb_room_was_revealed, .is_first = true), \
	  .question = act_question_missing) \
	V(NEXT,      ROUND,    IN_PLAY,    'N',              "N",         "next",      TAKES_NOTHING, STORY_NEXT,           NEED_ROOM,                                   "next",     "Vote on the next story to do", \
	  NULL, NO_WORDS, (STORIES, "story next", "[CODE]", "aye next K7QX3M", (SITS), 1, 1, MEMBER, .done = verb_story_was_chosen, .more = "Ends with 5 if no story is left", .is_first = true), \
	  .run = act_next, .offers = act_offers_next, .question = act_question_next) \
	V(ADMIT,     LEAD,     IN_ROOM,    '+',              "+",         "admit",     TAKES_WAITING, ROOM_ADMIT,           NEED_ROOM | NEED_WAITING,                    "admit",    "Admit a member from the lobby", \
	  NULL, ({WORD_USER, "user_id"}), (ROOM, "room admit", "[CODE] WHO", "aye admit K7QX3M Grace", (SITS), 2, 2, SEAT, .tells = "{1} was admitted."), \
	  .label = "Admit who?")                                                                   \
	V(UNDO,      ROUND,    IN_PLAY,    'U',              "U",         "undo",      TAKES_NOTHING, ROUND_UNDO_RESET,     NEED_ROOM | NEED_UNDO,                       "undo",     "Undo the last reset: its votes count again", \
	  NULL, NO_WORDS, (LEAD, "round undo", "[CODE]", "aye undo K7QX3M", (SITS), 1, 1, MEMBER, .says = "Round {round} was restored.", .more = "Until someone votes")) \
	V(NUDGE,     TALK,     IN_ROOM,    '!',              "!",         "nudge",     TAKES_NOTHING, ROOM_NUDGE,           NEED_ROOM | NEED_HIDDEN | NEED_MISSING,      "nudge",    "Nudge members who have not voted", \
	  NULL, ({WORD_USER, "user_id"}), (LEAD, NULL, "[CODE] [WHO]", "aye nudge K7QX3M Grace", (SITS), 1, 2, MEMBER, .done = verb_room_was_nudged, .is_first = true)) \
	X(STORIES,   LOOK,     IN_ROOM | IN_HISTORY | IN_POLICY | IN_SUMMARY, 'S',              "S",         "stories",   TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "stories",  "See the stories; choose, add, change and order them", \
	  .opens = VIEW_STORIES, .right = RIGHT_READ) \
	X(TIMER,     ROUND,    IN_PLAY,    't',              "t",         "timer",     TAKES_LINE,    TIMER_START,          NEED_ROOM,                                   "timer",    "Start a timer: 5m, 90s, 1:30, 2d; 5m! reveals at its end; stop", \
	  .label = "Timer: ", .examples = "5m  90s  1:30 *5m! reveals at the end", .start = act_start_timer, .run = act_timer, .complete = complete_timer, .question = act_question_timer) \
	V(PAUSE,     ROUND,    IN_PLAY,    0,                ":pause",    "pause",     TAKES_LINE,    ROOM_PAUSE,           NEED_ROOM,                                   "",         "Start a break of so many minutes; 0 ends it", \
	  NULL, ({WORD_NUMBER, "minutes"}), (ROOM, "room pause", "[CODE] MINUTES", "aye pause K7QX3M 10", (SITS), 2, 2, MEMBER, .tells = "A break of {1} min started.", .tells_none = "The break is over."), \
	  .label = "Break, in minutes: ")                                                          \
	X(COMMENT,   TALK,     IN_ROOM,    'x',              "x",         "comment",   TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_VOTE,                       "comment",  "Comment on your vote, shown after the reveal", \
	  .words = {{WORD_TEXT, "comment"}}, .also = "note", .label = "Comment: ", .start = act_start_comment) \
	X(SURE,      TALK,     IN_ROOM,    'f',              "f",         "sure",      TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_CONFIDENCE | NEED_VOTE,     "confidence", "Set the confidence in your vote: 1, 2 or 3", \
	  .words = {{WORD_NUMBER, "confidence"}}, .label = "Confidence (1-3): ", .wrong = "Enter 1 (low), 2 or 3 (high)") \
	V(REACT,     TALK,     IN_PLAY,    ',',              ",",         "react",     TAKES_LINE,    ROOM_REACT,           NEED_ROOM | NEED_NAME,                       "react",    "Show everyone a word or an emoji for a moment", \
	  NULL, ({WORD_TEXT, "word"}), (TAKE_PART, NULL, "[CODE] WORD", "aye react K7QX3M tea? --name Ada", (SITS), 2, 2, NAME, .tells = "Everyone sees {1} for a moment."), \
	  .offers = act_offers_react, .label = "Word or emoji: ", .picks = act_pick_reaction, .wrong = "One word or emoji, up to 12 characters", .check = act_is_one_word) \
	X(INVITE,    LOOK,     IN_INVITING, 'I',              "I",         "invite",    TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "",         "Show and copy the join command; again for other ways in", \
	  .right = RIGHT_READ, .run = act_invite) \
	X(QR,        LOOK,     IN_ROOM | IN_HISTORY | IN_POLICY, 'Q',              "Q",         "qr",        TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "",         "Show a QR code that opens the room on a phone", \
	  .refuses = act_refuses_qr, .of_screen = "Only on the screen; in a shell: aye qr CODE", .opens = VIEW_QR, .right = RIGHT_READ) \
	X(SHARE_AT,  LEAD,     IN_SHARE,   TUI_KEY_ENTER,    "Enter",     "",          TAKES_NOTHING, SERVER_SHARE,         NEED_ROOM,                                   "share",    "Under O: share your own server at this address, or stop sharing it", \
	  .run = act_share_at) \
	X(SHARE_WEB, LEAD,     IN_SHARE,   'w',              "w",         "",          TAKES_NOTHING, SERVER_SHARE,         NEED_ROOM,                                   "also browsers", "Under O: share it at this address, also with browsers", \
	  .run = act_share_at) \
	X(SHARE,     LEAD,     IN_ROOM | IN_SHARE, 'O',      "O",         "share",     TAKES_LINE,    SERVER_SHARE,         NEED_ROOM,                                   "other address", "Open your own server to others: choose an address of this machine", \
	  .words = {{WORD_TEXT, "address"}}, .offers = act_offers_share, .begin = act_begin_share, .refuses = act_refuses_share, .label = "Address [all]: ", .examples = "192.0.2.7  192.0.2.7:2937 *web: also for browsers", .run = act_share) \
	V(UNSHARE,   LEAD,     IN_ROOM | IN_HOME, 0,         ":unshare",  "unshare",   TAKES_NOTHING, SERVER_SHARE,         NEED_NOTHING,                                "",         "Stop sharing your own server; open connections stay", \
	  NULL, ({WORD_TRUE, "unshare"}), (SERVER, "server unshare", "", "aye unshare", (REACHES), 0, 0, SERVER, .done = verb_server_was_unshared, .more = "Only this machine can join its rooms then"), \
	  .refuses = act_refuses_unshare) \
	X(REFERENCES, LOOK,    IN_PLAY,    'F',              "F",         "references", TAKES_LINE,   GROUP_REFERENCES,     NEED_ROOM,                                   "",         "Find stories of the team's other rooms with the same estimate", \
	  .words = {{WORD_CARD, "estimate"}}, .refuses = act_refuses_references, .label = "Estimate: ", .wrong = "An estimate has up to 8 characters", .right = RIGHT_READ, .begin = act_begin_references, .fill = act_fill_references) \
	X(HISTORY,   LOOK,     IN_ROOM | IN_STORIES | IN_POLICY | IN_SUMMARY, 'h',              "h",         "history",   TAKES_NOTHING, ROUND_LIST,           NEED_ROOM,                                   "history",  "See the previous rounds, the newest first", \
	  .opens = VIEW_HISTORY, .run = act_history) \
	X(SUMMARY,   LOOK,     IN_ROOM | IN_STORIES | IN_HISTORY, 'Z',         "Z",         "summary",   TAKES_NOTHING, ROUND_LIST,           NEED_ROOM,                                   "summary",  "See the session's totals, and what to talk about", \
	  .offers = act_offers_summary, .opens = VIEW_SUMMARY, .run = act_summary) \
	X(NOTES,     TALK,     IN_PLAY,    'w',              "w",         "notes",     TAKES_LINE,    MAP_SET,              NEED_ROOM,                                   "notes",    "Write shared notes on this story", \
	  .right = RIGHT_READ, .begin = act_begin_notes, .run = writing_add_line) \
	X(ABOUT,     LOOK,     IN_ROOM,    'v',              "v",         "about",     TAKES_NOTHING, NONE,                 NEED_ROOM | NEED_STORY,                      "",         "Read the whole story: link, description", \
	  .of_screen = "Type story to read it", .opens = VIEW_STORY, .right = RIGHT_READ) \
	V(ARM,       ROUND,    IN_ROOM,    'A',              "A",         "arm",       TAKES_NOTHING, REVEAL_ARM,           NEED_ROOM | NEED_HIDDEN,                     "arm",      "Reveal at once when the last vote is in, or not", \
	  NULL, ({WORD_TRUE, "is_armed"}), (LEAD, "reveal arm", "[CODE]", "aye arm K7QX3M --off", (SITS, OPTION_OFF), 1, 1, MEMBER, .tells = "The last vote reveals at once.", .tells_none = "The last vote does not reveal at once now."), \
	  .fill = act_fill_arm) \
	V(HIDE,      ROUND,    IN_ROOM,    'H',              "H",         "hide",      TAKES_NOTHING, ROOM_SET_REVEALED,    NEED_ROOM | NEED_OPEN,                       "hide",     "Hide the cards again; votes are kept", \
	  NULL, ({WORD_FALSE, "is_revealed"}), (LEAD, "room hide", "[CODE]", "aye hide K7QX3M", (SITS), 1, 1, RIGHTS, .done = verb_room_was_hidden, .tells = "The cards are hidden again.", .was_so = verb_room_is_hidden, .tells_so = "Nothing changed: the cards were hidden already.")) \
	X(INBOX,     LOOK,     IN_REACH,   'i',              "i",         "inbox",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "inbox",    "See the questions for you", \
	  .offers = act_offers_at_home, .refuses = inbox_refuses_strangers, .of_screen = "Only on the screen; in a shell: aye inbox", .opens = VIEW_INBOX, .run = inbox_come) \
	X(TEAMS,     LOOK,     IN_REACH,   'T',              "T",         "teams",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "teams",    "See your teams: their rooms, backlogs, members and invitations", \
	  .offers = act_offers_at_home, .refuses = team_refuses_strangers, .of_screen = "Only on the screen; in a shell: aye team list", .opens = VIEW_TEAMS) \
	X(NAME,      LOOK,     IN_ROOM | IN_HOME, 'n',              "n",         "name",      TAKES_LINE,    ROOM_JOIN,            NEED_NOTHING,                                "name",     "Choose or change your name", \
	  .words = {{WORD_TEXT, "username"}}, .refuses = home_refuses_login, .label = "Your name: ", .empty = "A name needs at least one character", .wrong = "A name is up to 32 columns wide", .start = act_start_name, .fill = act_fill_role, .run = act_name) \
	X(SPECTATE,  VOTE,     IN_ROOM,    's',              "s",         "spectate",  TAKES_NOTHING, ROOM_JOIN,            NEED_ROOM | NEED_NAME,                       "watch",    "Spectate, or vote again: your card returns in the same round", \
	  .fill = act_fill_spectate, .question = act_question_spectate) \
	X(POLICY,    LOOK,     IN_ROOM | IN_STORIES | IN_HISTORY, 'P',              "P",         "rules",     TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "rules",    "See and change the rules: who may do what", \
	  .also = "policy", .opens = VIEW_POLICY, .right = RIGHT_READ) \
	V(TITLE,     LEAD,     IN_ROOM,    'e',              "e",         "title",     TAKES_LINE,    ROOM_SET_TITLE,       NEED_ROOM,                                   "",         "Change the room's title; an empty one clears it", \
	  NULL, ({WORD_TEXT, "title"}), (ROOM, "room title", "[CODE] [TEXT]", "aye title K7QX3M\n" "aye title K7QX3M 'Sprint 43'\n" "aye title K7QX3M ''", (SITS), 1, 2, RIGHTS, .run = verb_room_title, .tells = "The title is now \"{1}\".", .tells_none = "The room has no title now.", .more = "Without TEXT: print it"), \
	  .label = "Title: ", .start = act_start_value) \
	V(LINKS,     LEAD,     IN_PLAY,    0,                ":links",    "links",     TAKES_LINE,    ROOM_SET_LINK_TEMPLATE, NEED_ROOM,                                 "",         "Set where stories are described: https://example.org/{key}", \
	  NULL, ({WORD_TEXT, "link_template"}), (STORIES, "room links", "[CODE] [TEMPLATE]", "aye links K7QX3M 'https://example.org/browse/{key}'", (SITS), 1, 2, RIGHTS, .run = verb_room_links, .tells = "Story links are {1}.", .tells_none = "Stories have no links of their own now.", .more = "An empty TEMPLATE removes it; without TEMPLATE: print it"), \
	  .label = "Address with {key}: ", .wrong = "An address starts with http:// or https:// and contains {key}", .check = act_is_template, .start = act_start_value) \
	V(DECK,      LEAD,     IN_ROOM,    'D',              "D",         "deck",      TAKES_LINE,    ROOM_SET_VALID_SIZES, NEED_ROOM,                                   "",         "Change the cards: a deck's name, or the cards", \
	  NULL, ({WORD_DECK, "valid_sizes"}), (ROOM, "room deck", "[CODE] DECK...", "aye deck K7QX3M tshirt\n" "aye deck K7QX3M fibonacci coffee\n" "aye deck K7QX3M 1 2 3 5 8", (SITS), 2, ARGS_WORDS_MAX, RIGHTS, .tells = "The cards are {valid_sizes}."), \
	  .label = "Cards: ", .empty = "A deck needs at least 2 cards", .begin = act_begin_deck) \
	V(KICK,      LEAD,     IN_ROOM,    'K',              "K",         "kick",      TAKES_MEMBER,  ROOM_KICK,            NEED_ROOM | NEED_OTHERS,                     "",         "Remove a member from the room", \
	  "Remove * from the room?", ({WORD_USER, "user_id"}), (ROOM, "room kick", "[CODE] WHO", "aye kick K7QX3M Grace", (SITS, OPTION_YES), 2, 2, SEAT, .tells = "{1} was removed from the room.", .more = "WHO is a name or a user_id. From a room with a lock or a passcode they are banned; aye unkick lets them join again"), \
	  .label = "Remove who?")                                                                  \
	V(UNKICK,    LEAD,     IN_ROOM,    0,                ":unkick",   "unkick",    TAKES_LINE,    ROOM_UNKICK,          NEED_ROOM,                                   "",         "Unban a member", \
	  NULL, ({WORD_BARRED, "user_id"}), (ROOM, "room unkick", "[CODE] WHO", "aye unkick K7QX3M Grace", (SITS), 2, 2, SEAT, .tells = "{1} was unbanned."), \
	  .label = "Unban: ", .run = act_unkick)                                                   \
	V(COHOST,    LEAD,     IN_ROOM,    'G',              "G",         "cohost",    TAKES_NO_HOST, ROOM_SET_HOST,        NEED_ROOM | NEED_OTHERS,                     "",         "Add a co-host", \
	  "Make * a co-host?", ({WORD_USER, "user_id"}), (ROOM, "room host", "[CODE] WHO", "aye cohost K7QX3M Grace", (SITS, OPTION_YES), 2, 2, SEAT, .tells = "{1} is a host now."), \
	  .label = "Which member as co-host?")                                                     \
	V(UNHOST,    LEAD,     IN_ROOM,    0,                ":unhost",   "unhost",    TAKES_HOST,    ROOM_UNSET_HOST,      NEED_ROOM | NEED_OTHERS,                     "",         "Remove a host", \
	  NULL, ({WORD_USER, "user_id"}), (ROOM, "room unhost", "[CODE] WHO", "aye unhost K7QX3M Grace", (SITS), 2, 2, SEAT, .tells = "{1} is not a host now."), \
	  .label = "Remove which host?")                                                           \
	X(CLAIM,     LEAD,     IN_ROOM,    'C',              "C",         "claim",     TAKES_NOTHING, ROOM_CLAIM_HOST,      NEED_ROOM | NEED_NO_HOST,                    "",         "Become host, if you have the room's host key") \
	V(REJECT,    LEAD,     IN_ROOM,    0,                ":reject",   "reject",    TAKES_WAITING, ROOM_REJECT,          NEED_ROOM | NEED_WAITING,                    "",         "Reject a member in the lobby", \
	  "Reject *?", ({WORD_USER, "user_id"}), (ROOM, "room reject", "[CODE] WHO", "aye reject K7QX3M Mallory", (SITS, OPTION_YES), 2, 2, SEAT, .tells = "{1} was rejected."), \
	  .label = "Reject who?")                                                                  \
	V(RESET,     ROUND,    IN_ROOM,    0,                ":reset",    "reset",     TAKES_NOTHING, ROOM_RESET,           NEED_ROOM,                                   "",         "Clear all votes and start the next round", \
	  NULL, NO_WORDS, (LEAD, "room reset", "[CODE]", "aye reset K7QX3M", (SITS), 1, 1, MEMBER, .says = "Round {round} started."), \
	  .question = act_question_reset) \
	X(QUICK,     ROUND,    IN_PLAY,    0,                ":quick",    "quick",     TAKES_NOTHING, STORY_SELECT,         NEED_ROOM | NEED_STORIES,                    "",         "Start a vote without a story", \
	  .words = {{WORD_TEXT, "story_id"}}, .question = act_question_quick) \
	V(DELETE,    LEAD,     IN_ROOM,    0,                ":delete",   "delete",    TAKES_NOTHING, ROOM_DELETE,          NEED_ROOM,                                   "",         "Delete the room for everyone", \
	  "Delete room * for everyone?", NO_WORDS, (ROOM, "room delete", "CODE", "aye delete K7QX3M --yes", (SITS, OPTION_YES), 1, 1, RIGHTS, .done = verb_room_was_deleted, .tells = "Room deleted.", .is_for_good = true)) \
	X(VOTE_STORY, STORIES, IN_STORIES, 0,                "0-9",       "vote-story", TAKES_TITLE,  ROOM_VOTE,            NEED_ROOM | NEED_STORIES | NEED_TOGETHER,    "vote",     "Vote on this story, if stories are open together: a card, then a comment; - retracts", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_CARD, "vote"}, {WORD_TEXT, "comment"}}, .offers = act_offers_together, .label = "Card: ", .wrong = "Type a card of this room") \
	X(UNVOTED,   VOTE,     IN_PLAY,    0,                "N",         "unvoted",   TAKES_NOTHING, NONE,                 NEED_ROOM | NEED_STORIES | NEED_TOGETHER | NEED_UNVOTED, "next",     "If stories are open together: go to the next one without your vote", \
	  .right = RIGHT_VOTE, .offers = act_offers_together, .run = act_go_unvoted) \
	V(SELECT,    STORIES,  IN_STORIES, 'V',              "V",     "select",    TAKES_STORY,   STORY_SELECT,         NEED_ROOM | NEED_STORIES,                    "vote on",  "Vote on this story", \
	  NULL, ({WORD_STORY, "story_id"}), (STORIES, "story select", "[CODE] STORY", "aye select K7QX3M AB-7\n" "aye select K7QX3M refund\n" "aye select K7QX3M 2", (SITS), 2, 2, MEMBER, .done = verb_story_was_selected, .more = "With - as STORY, no story"), \
	  .run = act_select, .question = act_question_select) \
	V(SETTLE_ALL, STORIES, IN_STORIES, '=',              "=",         "settle-all", TAKES_NOTHING, ROUND_SETTLE_AGREED, NEED_ROOM | NEED_TOGETHER,                    "settle all", "Settle every open story on which the votes agree within one card", \
	  NULL, NO_WORDS, (LEAD, "round settle-all", "[CODE]", "aye settle-all K7QX3M", (SITS, OPTION_YES), 1, 1, MEMBER, .asks = story_settle_question, .done = verb_stories_were_settled, .more = "Needs the votes of the quorum"), \
	  .offers = act_offers_together, .question = act_question_settle_all) \
	X(REVEAL_STORY, STORIES, IN_STORIES, 'R',            "R",         "reveal-story", TAKES_STORY, ROOM_SET_REVEALED,   NEED_ROOM | NEED_STORIES | NEED_TOGETHER,    "reveal",   "Reveal the votes on this story, or hide them again", \
	  .words = {{WORD_STORY, "story_id"}}, .offers = act_offers_together, .refuses = act_refuses_reveal_story, .fill = act_fill_reveal_story, .question = act_question_hide_story) \
	X(COMMENT_STORY, STORIES, IN_STORIES, 'x',           "x",         "",          TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_STORIES | NEED_TOGETHER,    "comment",  "Comment on your vote on this story, shown after its reveal", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_TEXT, "comment"}}, .offers = act_offers_own_vote, .refuses = act_refuses_no_own_vote, .label = "Comment: ", .start = act_start_story_comment, .fill = act_fill_own_vote) \
	X(SURE_STORY, STORIES, IN_STORIES, 'f',              "f",         "",          TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_STORIES | NEED_TOGETHER | NEED_CONFIDENCE, "", "Set the confidence in your vote on this story: 1, 2 or 3", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_NUMBER, "confidence"}}, .refuses = act_refuses_no_own_vote, .label = "Confidence (1-3): ", .wrong = "Enter 1 (low), 2 or 3 (high)", .fill = act_fill_own_vote) \
	V(ADD,       STORIES,  IN_STORIES, 'a',              "a",         "add",       TAKES_LINE,    STORY_ADD,            NEED_ROOM,                                   "add",      "Add a story at the end", \
	  NULL, ({WORD_NEW_STORY, "title"}), (STORIES, "story add", "[CODE] TITLE", "aye add K7QX3M 'Sign in with a passkey' --key AB-7 --link https://tracker.example/AB-7\n" "aye add K7QX3M https://tracker.example/browse/AB-8\n" "aye add K7QX3M 'Sign out' --after 1", (SITS, TELLS, PUTS), 2, 2, MEMBER, .says = "{story_id}", .more = "Prints its story_id; the address of an issue, with a title or alone, gives key and link", .is_first = true), \
	  .label = "New story: ", .run = act_add) \
	X(SOURCES,   STORIES,  IN_STORIES, 'b',              "b",         "backlog",   TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "backlog",  "In a team's room: see its backlogs and add stories from them", \
	  .refuses = sources_refuses, .of_screen = "Type add, or aye story import CODE --from BACKLOG", .right = RIGHT_READ, .run = sources_open) \
	X(INSERT,    STORIES,  IN_STORIES, 'A',              "A",         "insert",    TAKES_TITLE,   STORY_ADD,            NEED_ROOM | NEED_STORIES,                    "",         "Add a story after this one", \
	  .words = {{WORD_STORY, "after"}, {WORD_NEW_STORY, "title"}}, .label = "Story after this: ", .run = act_add) \
	X(EDIT,      STORIES,  IN_STORIES, 'e',              "e",         "edit",      TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "edit",     "Change this story's title", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_TEXT, "title"}}, .label = "Title: ", .empty = "A story needs a title", .start = act_start_value) \
	X(SKIP,      STORIES,  IN_STORIES, '>',              ">",         "skip",      TAKES_STORY,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "skip",     "Skip this story, or set it to do again", \
	  .words = {{WORD_STORY, "story_id"}}, .fill = act_fill_skip) \
	V(REMOVE,    STORIES,  IN_STORIES, 'd',              "d",         "remove",    TAKES_STORY,   STORY_REMOVE,         NEED_ROOM | NEED_STORIES,                    "remove",   "Remove a story from the list", \
	  NULL, ({WORD_STORY, "story_id"}), (STORIES, "story remove", "[CODE] STORY", "aye remove K7QX3M 5", (SITS), 2, 2, MEMBER, .tells = "Story {1} removed. To undo: aye story restore"), \
	  .run = act_remove) \
	X(DESCRIBE,  STORIES,  IN_STORIES, 'E',              "E",         "describe",  TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "describe", "Write this story's description", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_TEXT, "description"}}, .begin = act_begin_description) \
	X(READ,      STORIES,  IN_STORIES, TUI_KEY_ENTER,    "Enter",         "",          TAKES_NOTHING, NONE,                 NEED_ROOM | NEED_STORIES,                    "open",     "Open this story: link, description", \
	  .opens = VIEW_STORY) \
	X(KEY,       STORIES,  IN_STORIES, 0,                ":key",      "key",       TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "",         "Change the story's key in a tracker, such as PAY-101 or #12", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_TEXT, "key"}}, .label = "Key: ", .wrong = "A key is up to 32 columns wide", .start = act_start_value) \
	X(LINK,      STORIES,  IN_STORIES, 'l',              "l",         "link",      TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "link",     "Change this story's link; empty to clear", \
	  .words = {{WORD_STORY, "story_id"}, {WORD_LINK, "link"}}, .label = "Link: ", .start = act_start_value) \
	X(RESTORE,   STORIES,  IN_STORIES, 'u',              "u",         "restore",   TAKES_NOTHING, STORY_RESTORE,        NEED_ROOM | NEED_REMOVED,                    "restore",  "Restore the story removed last", \
	  .fill = act_fill_restore) \
	X(DOWN,      STORIES,  IN_STORIES, 'J',              "J",         "down",      TAKES_STORY,   STORY_MOVE,           NEED_ROOM | NEED_STORIES,                    "down",     "Move this story down", \
	  .words = {{WORD_STORY, "story_id"}}, .run = act_move) \
	X(UP,        STORIES,  IN_STORIES, 'K',              "K",         "up",        TAKES_STORY,   STORY_MOVE,           NEED_ROOM | NEED_STORIES,                    "up",       "Move this story up", \
	  .words = {{WORD_STORY, "story_id"}}, .run = act_move) \
	X(SWITCH,    POLICY,   IN_POLICY,  TUI_KEY_ENTER,    "Enter",     "rule",      TAKES_RULE,    ROOM_SET_POLICY,      NEED_ROOM,                                   "change",   "Turn this rule on or off", \
	  .run = act_switch) \
	X(QUORUM,    POLICY,   IN_POLICY,  0,                ":quorum",   "quorum",    TAKES_LINE,    ROOM_SET_POLICY,      NEED_ROOM,                                   "",         "Reveal once so many have voted; 0 for everyone", \
	  .words = {{WORD_NUMBER, "policy.quorum"}}, .label = "Votes needed to reveal (0 for everyone): ", .wrong = "Enter a number up to 2500; 0 for everyone") \
	X(PASSCODE,  POLICY,   IN_POLICY,  'p',              "p",         "passcode",  TAKES_SECRET,  ROOM_SET_POLICY,      NEED_ROOM,                                   "passcode", "Ask newcomers for a passcode; empty to clear", \
	  .words = {{WORD_TEXT, "policy.passcode"}}, .label = "Passcode (hidden): ") \
	X(CHANGE,    SETTINGS, IN_SETTINGS, TUI_KEY_ENTER,    "Enter",     "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "change",   "Choose the next value of this setting", \
	  .run = act_change) \
	X(SAVE,      SETTINGS, IN_SETTINGS, 19,              "^S",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "save",     "Save the settings; also :set --save", \
	  .local = LOCAL_SAVE_SETTINGS) \
	X(KEEP,      WRITING,  IN_WRITING, 19,               "^S",        "",          TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "save",     "Save notes or a description", \
	  .answers = "y save  n discard  Esc keep editing", .no = writing_drop, .run = act_keep)   \
	X(FILTER,    LOOK,     IN_LISTS,   '/',              "/",         "filter",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "filter",   "Show only the lines that contain a text; Esc shows all", \
	  .hint_at = HINT_LATE, .offers = act_offers_filter, .label = "Filter: ", .is_live = true, .of_screen = "No list to filter here", .start = act_start_filter, .run = act_filter) \
	X(SET,       SCREEN,   IN_ALL,     'o',              "o",         "set",       TAKES_SETTING, NONE,                 NEED_NOTHING,                                "",         "See the settings, or change one: :set theme contrast", \
	  .run = act_set) \
	X(NOTIFY,    SCREEN,   IN_ALL,     0,                ":notify",   "notify",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Ring the bell never (off), when others wait for you (mine), or more (all)", \
	  .of_screen = "Only on the screen", .start = act_start_notify, .run = act_notify, .complete = complete_notify) \
	X(MOUSE,     SCREEN,   IN_ALL,     'm',              "m",         "mouse",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Turn the mouse on or off: click cards and hints", \
	  .of_screen = "Only on the screen", .run = act_mouse)                                     \
	X(REDRAW,    SCREEN,   IN_ALL,     12,               "^L",        "redraw",    TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Redraw the screen", \
	  .of_screen = "Only on the screen")                                                       \
	X(COMMAND,   LOOK,     IN_ALL,     ':',              ":",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "command",  "Type a command by name; Tab completes", \
	  .hint_at = HINT_ALWAYS, .hint_cells_min = 100) \
	X(BACK,      LOOK,     IN_BEFORE,  TUI_KEY_ESCAPE,   "Esc",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "back",     "Return to the previous view", \
	  .hint_at = HINT_ALWAYS, .run = act_back) \
	X(QUIT,      LOOK,     IN_ROOM | IN_HOME, 'q',              "q",         "quit",      TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "leave",    "Leave the room; at home: quit aye", \
	  .hint_at = HINT_ALWAYS, .hint_cells_min = 60, .local = LOCAL_LEAVE, .question = act_question_leave) \
	X(HELP,      LOOK,     IN_ALL,     '?',              "?",         "help",      TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "help",     "Show this help", \
	  .hint_at = HINT_ALWAYS, .opens = VIEW_HELP)
/* clang-format on */

#endif
