/*
 * action_table.h - everything one can do on the screen, in one table.
 *
 * A row feeds the keys, the `:` commands and their completion, the footer, the
 * help, what a line is asked for with, what a question says, the request that is
 * made (a method, and the field that what was typed goes into) and the reasons given
 * when something is not allowed now. There is no second list. Where a field is not
 * all there is to it, the row names a function of action_run.c, action_prompt.c or a view.
 */
#ifndef CLIENT_TUI_ACTION_TABLE_H
#define CLIENT_TUI_ACTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/replica.h"
#include "client/tui/tui.h"
#include "proto/rights.h"
#include "proto/slice.h"

/*        symbol    module        title in the help */
#define VIEWS(X)                             \
	X(ROOM, room_view, "At the table")   \
	X(STORIES, stories_view, "Stories")  \
	X(HISTORY, history_view, "History")  \
	X(WRITING, writing_view, "Writing")  \
	X(STORY, story_view, "The story")    \
	X(POLICY, policy_view, "Rules")      \
	X(SETTINGS, settings_view, "Settings") \
	X(PICK, pick_view, "Choosing")       \
	X(HELP, help_view, "Help")           \
	X(HOME, home_view, "Home")           \
	X(DECKS, decks_view, "Decks")        \
	X(INBOX, inbox_view, "Inbox")        \
	X(ASKED, asked_view, "Your questions") \
	X(QUESTION, question_page, "A question") \
	X(ANSWER, answer_view, "Your answer") \
	X(POINTS, points_view, "Answered")   \
	X(OUTCOME, outcome_view, "Answers")  \
	X(TEAMS, teams_view, "Teams")        \
	X(TEAM_ROOMS, team_rooms_view, "Rooms") \
	X(MEMBERS, members_view, "Members")  \
	X(INVITATIONS, invitations_view, "Invitations") \
	X(INVITED, invited_view, "An invitation") \
	X(BACKLOGS, backlogs_view, "Backlogs") \
	X(SOURCES, sources_view, "Backlogs of the team") \
	X(BACKLOG, backlog_view, "A backlog") \
	X(ITEM_NOTE, item_note_view, "The note")

enum view_kind {
#define VIEW_ENUM(symbol, ...) VIEW_##symbol,
	VIEWS(VIEW_ENUM)
#undef VIEW_ENUM
		VIEW_COUNT
};

/* Where a key works; the command works wherever a line can be typed. */
enum where {
	IN_ROOM = 1 << VIEW_ROOM,
	IN_STORIES = 1 << VIEW_STORIES,
	IN_HISTORY = 1 << VIEW_HISTORY,
	IN_STORY = 1 << VIEW_STORY,
	IN_POLICY = 1 << VIEW_POLICY,
	IN_HOME = 1 << VIEW_HOME,
	IN_DECKS = 1 << VIEW_DECKS,
	IN_SETTINGS = 1 << VIEW_SETTINGS,
	IN_WRITING = 1 << VIEW_WRITING,
	IN_PICK = 1 << VIEW_PICK,
	IN_HELP = 1 << VIEW_HELP,
	IN_INBOX = 1 << VIEW_INBOX,
	IN_ASKED = 1 << VIEW_ASKED,
	IN_QUESTION = 1 << VIEW_QUESTION,
	IN_ANSWER = 1 << VIEW_ANSWER,
	IN_POINTS = 1 << VIEW_POINTS,
	IN_OUTCOME = 1 << VIEW_OUTCOME,
	IN_TEAMS = 1 << VIEW_TEAMS,
	IN_TEAM_ROOMS = 1 << VIEW_TEAM_ROOMS,
	IN_MEMBERS = 1 << VIEW_MEMBERS,
	IN_INVITATIONS = 1 << VIEW_INVITATIONS,
	IN_INVITED = 1 << VIEW_INVITED,
	IN_BACKLOGS = 1 << VIEW_BACKLOGS,
	IN_SOURCES = 1 << VIEW_SOURCES,
	IN_BACKLOG = 1 << VIEW_BACKLOG,
	IN_ITEM_NOTE = 1 << VIEW_ITEM_NOTE,
	IN_PLAY = IN_ROOM | IN_STORIES,
	IN_PAGES = IN_STORIES | IN_HISTORY | IN_POLICY | IN_SETTINGS,
	IN_QUESTION_LISTS = IN_INBOX | IN_ASKED,
	IN_QUESTIONS = IN_QUESTION_LISTS | IN_QUESTION | IN_POINTS | IN_OUTCOME,
	IN_TEAM = IN_TEAM_ROOMS | IN_BACKLOGS | IN_MEMBERS | IN_INVITATIONS, /* the pages of a team */
	IN_ITEMS = IN_SOURCES | IN_BACKLOG | IN_ITEM_NOTE, /* in a room, too */
	IN_TEAM_PAGES = IN_TEAMS | IN_TEAM | IN_INVITED | IN_SOURCES | IN_BACKLOG,
	IN_ALL = IN_ROOM | IN_PAGES | IN_HOME | IN_QUESTIONS | IN_TEAM_PAGES,
	IN_LISTS = IN_PAGES | IN_STORY | IN_PICK | IN_DECKS | IN_HELP | IN_HOME | IN_QUESTION_LISTS | IN_TEAMS | IN_TEAM | IN_SOURCES | IN_BACKLOG,
	IN_BEFORE = (IN_LISTS & ~IN_HOME) | IN_QUESTIONS | IN_INVITED, /* something else, to go back to */
	IN_OWN_HOME = IN_HOME | IN_DECKS | IN_QUESTIONS | IN_ANSWER | (IN_TEAM_PAGES & ~IN_ITEMS) /* where no room is */
};

/*
 * What must hold for an action to be allowed, in the order in which it is checked:
 * the reason where it does not, and the action that would help, or COUNT.
 */
/*        symbol      holds where                          reason                                      helps */
#define NEEDS(X)                                                                                                          \
	X(ROOM,       room->has_state,                     "The room is not here yet",                 COUNT)                \
	X(NAME,       room->you.username.data != NULL,               "You have no name here yet",                NAME)                 \
	X(NO_HOST,    !room->you.is_host,                    "You are host already",                     COUNT)                \
	X(HIDDEN,     !room->room.is_revealed,                  "The cards lie open already",               COUNT)                \
	X(VOTES,      action_anybody_voted(room),          "Nobody has voted yet",                     COUNT)                \
	X(REVEALED,   room->room.is_revealed,                   "Reveal the votes first",                   REVEAL)               \
	X(OPEN,       room->room.is_revealed,                   "The cards are hidden already",          COUNT)                \
	X(VOTE,       replica_own_vote(room) != NULL,               "You have no card on the table",            COUNT)                \
	X(OTHERS,     room->users.n > 1,                 "Nobody else is here",                      COUNT)                \
	X(COUNTDOWN,  room->room.phase == PHASE_COUNTDOWN,      "No countdown runs",                        COUNT)                \
	X(UNDO,       room->room.can_undo,                      "There is no reset to undo",           COUNT)                \
	X(CONFIDENCE, room->room.policy.confidence,             "This room does not ask how sure you are",  COUNT)                \
	X(WAITING,    action_anybody_waits(room),          "Nobody waits in the lobby",                COUNT)                \
	X(MISSING,    action_anybody_else_is_missing(room), "Everybody else has voted",                COUNT)                \
	X(STORIES,    room->stories.n > 0,                 "There are no stories yet",                 ADD)                  \
	X(STORY,      replica_story(room, room->room.story_id.data) != NULL, "No story is voted on", STORIES)     \
	X(REMOVED,    room->removed.n > 0,                 "No story was removed",                     COUNT)

enum need_at {
#define NEED_AT_ENUM(symbol, ...) NEED_AT_##symbol,
	NEEDS(NEED_AT_ENUM)
#undef NEED_AT_ENUM
		NEED_AT_COUNT
};
enum need {
	NEED_NOTHING = 0,
#define NEED_ENUM(symbol, ...) NEED_##symbol = 1 << NEED_AT_##symbol,
	NEEDS(NEED_ENUM)
#undef NEED_ENUM
};

/* What an action wants to know before it can be done. */
enum takes {
	TAKES_NOTHING,
	TAKES_CARD,
	TAKES_MEMBER,  /* anybody else in the room */
	TAKES_NO_HOST, /* likewise, who has come in and is no host */
	TAKES_HOST,    /* a host; that may be ourselves */
	TAKES_WAITING, /* a member who waits in the lobby */
	TAKES_LINE,
	TAKES_SECRET, /* a line that is not shown */
	TAKES_STORY,  /* the one in focus, or one by its number, its key or the beginning of its title */
	TAKES_TITLE,  /* a line about the one in focus, or about the one whose number or key comes first */
	TAKES_RULE,   /* the one in focus, or its name and value */
	TAKES_ROW,    /* of a list of teams.h: the one in focus, by its id */
	TAKES_RECENT, /* at home: the room in focus, or its code */
	TAKES_SETTING /* its name, and the value it gets; none: opens the page of them */
};

/* Where in the footer a hint stands; within one place in the order of the table. */
enum hint_place {
	HINT_OWN,    /* first, as far as there is room: what only this view has */
	HINT_SHARED, /* then what it shares with the table; follows from IN_ROOM */
	HINT_LATE,   /* then what fixed hints have behind them, too */
	HINT_ALWAYS  /* at the end, in a room of its own */
};

/*
 * What one wants to do, in the order in which the help has it. The keys of a group with a view are
 * those of that view alone: opened there the help begins with them.
 */
/*        symbol    view      title */
#define HELP_GROUPS(X)                                                  \
	X(HOME,     HOME,     "At home")                                \
	X(VOTE,     ROOM,     "Vote")                                   \
	X(LOOK,     ROOM,     "Look around, and leave")                 \
	X(TALK,     ROOM,     "Talk")                                   \
	X(ROUND,    ROOM,     "Lead the voting")                        \
	X(LEAD,     ROOM,     "The room and who is in it")              \
	X(STORIES,  STORIES,  "In the stories (S)")                     \
	X(POLICY,   POLICY,   "In the rules (P)")                       \
	X(SETTINGS, SETTINGS, "In the settings (o)")                    \
	X(WRITING,  WRITING,  "While writing notes (w) or a description (E)") \
	X(INBOX,    INBOX,    "In the inbox (i)")                       \
	X(TEAMS,    TEAMS,    "In the teams (t)")                       \
	X(BACKLOG,  BACKLOG,  "In a backlog")                           \
	X(SCREEN,   ROOM,     "The screen")

enum help_group {
#define HELP_GROUP_ENUM(symbol, view, title) HELP_##symbol,
	HELP_GROUPS(HELP_GROUP_ENUM)
#undef HELP_GROUP_ENUM
		HELP_GROUP_COUNT
};

struct help_group_row {
	enum view_kind view; /* VIEW_ROOM: of no view alone */
	const char *title;
};
extern const struct help_group_row help_groups[HELP_GROUP_COUNT];

/* Of an action that makes no request. */
#define METHOD_NONE METHOD_COUNT

/* clang-format off */
/*        symbol     in help   where       key               key's name   command      takes          method                needs                                        footer      help; then what else struct action_row has for it */
#define ACTIONS(X) \
	X(ENTER,     HOME,     IN_HOME,    TUI_KEY_ENTER,    "Enter",     "enter",     TAKES_RECENT,  NONE,                 NEED_NOTHING,                                "go in",    "Go into this room", \
	  .refuses = home_refuses_no_room, .local = LOCAL_ENTER, .run = home_about) \
	X(CREATE,    HOME,     IN_HOME,    'c',              "c",         "create",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "create",   "Make a room: its title, then its cards", \
	  .label = "Title, if any: ", .run = home_begin_create) \
	X(CARDS,     HOME,     IN_DECKS,   't',              "t",         "",          TAKES_LINE,    ROOM_CREATE,          NEED_NOTHING,                                "",         "Type the cards of the new room", \
	  .label = "Cards: ", .run = home_cards) \
	X(COME,      HOME,     IN_HOME,    'j',              "j",         "join",      TAKES_LINE,    NONE,                 NEED_NOTHING,                                "join",     "Go into a room by its code, or by the line you were sent", \
	  .label = "Code: ", .run = home_come) \
	X(FORGET,    HOME,     IN_HOME,    'd',              "d",         "forget",    TAKES_RECENT,  NONE,                 NEED_NOTHING,                                "forget",   "Take this room off the list, and its keys with it", \
	  .refuses = home_refuses_no_room, .question = home_question, .local = LOCAL_FORGET, .run = home_about) \
	X(KNOCK,     HOME,     IN_HOME,    'p',              "p",         "knock",     TAKES_SECRET,  NONE,                 NEED_NOTHING,                                "passcode", "Go into this room with its passcode", \
	  .offers = home_offers_knock, .refuses = home_refuses_no_room, .label = "Passcode (hidden): ", .begin = home_begin_knock, .run = home_knock) \
	X(INBOX,     HOME,     IN_HOME,    'i',              "i",         "inbox",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "inbox",    "See the questions that wait for your answer", \
	  .refuses = inbox_refuses_strangers, .opens = VIEW_INBOX) \
	X(TEAMS,     HOME,     IN_HOME,    't',              "t",         "teams",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "teams",    "See your teams: their rooms, backlogs, members and invitations", \
	  .refuses = team_refuses_strangers, .opens = VIEW_TEAMS) \
	X(TEAM_OPEN, TEAMS,    IN_TEAMS,   TUI_KEY_ENTER,    "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "open",     "Open this team", \
	  .refuses = team_refuses_empty, .run = team_open_row) \
	X(TEAM_PART, TEAMS,    IN_TEAM,    TUI_KEY_TAB,      "Tab",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "next",     "Go on to the team's next page; the arrows do, too", \
	  .run = team_turn) \
	X(TEAM_NEW,  TEAMS,    IN_TEAMS,   'n',              "n",         "team-new",  TAKES_LINE,    GROUP_CREATE,         NEED_NOTHING,                                "new",      "Make a team, with you as its owner", \
	  .refuses = team_refuses_strangers, .field = "group_name", .label = "Name of the new team: ", .empty = "A team needs a name") \
	X(TEAM_JOIN, TEAMS,    IN_TEAMS,   'j',              "j",         "team-join", TAKES_LINE,    GROUP_JOIN,           NEED_NOTHING,                                "join",     "Come into a team by its invitation: the code, or the line you were sent", \
	  .refuses = team_refuses_strangers, .label = "Code of the invitation: ", .run = team_join) \
	X(TEAM_ROOM, TEAMS,    IN_TEAM_ROOMS, TUI_KEY_ENTER,  "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "join",     "Go into this room of the team", \
	  .refuses = team_refuses_empty, .run = team_enter) \
	X(TEAM_ROOM_NEW, TEAMS, IN_TEAM_ROOMS, 'n',          "n",         "team-room", TAKES_LINE,    ROOM_CREATE,          NEED_NOTHING,                                "new",      "Make a room of this team, with the cards and rules that it begins with", \
	  .refuses = team_refuses_none, .field = "title", .fill = team_fill, .label = "Title, if any: ") \
	X(BACKLOG_OPEN, TEAMS, IN_BACKLOGS | IN_SOURCES, TUI_KEY_ENTER,   "Enter",     "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "open",     "Open this backlog", \
	  .refuses = team_refuses_empty, .run = backlog_open_row) \
	X(BACKLOG_NEW, TEAMS,  IN_BACKLOGS, 'n',             "n",         "backlog-new", TAKES_LINE,  CONTAINER_CREATE,     NEED_NOTHING,                                "new",      "Make a backlog in this team", \
	  .refuses = team_refuses_none, .field = "container_name", .fill = team_fill, .label = "Name of the new backlog: ", .empty = "A backlog needs a name") \
	X(BACKLOG_RENAME, TEAMS, IN_BACKLOGS, 'e',           "e",         "",          TAKES_LINE,    CONTAINER_RENAME,     NEED_NOTHING,                                "rename",   "Give this backlog another name", \
	  .refuses = backlog_refuses_members, .field = "container_name", .fill = backlog_fill_row, .label = "Name of the backlog: ", .empty = "A backlog needs a name", .start = backlog_start_name) \
	X(BACKLOG_DELETE, TEAMS, IN_BACKLOGS, 'd',           "d",         "",          TAKES_ROW,     CONTAINER_DELETE,     NEED_NOTHING,                                "delete",   "Delete this backlog with all its items", \
	  .refuses = backlog_refuses_members, .field = "container_id", .question = backlog_question_delete) \
	X(ITEM_STORY, BACKLOG, IN_BACKLOG, TUI_KEY_ENTER,    "Enter",     "",          TAKES_ROW,     STORY_ADD,            NEED_ROOM,                                   "as story", "In a room: add this item as a story; at home: change this field", \
	  .refuses = team_refuses_empty, .run = item_story) \
	X(ITEM_EDIT, BACKLOG,  IN_BACKLOG, 'e',              "e",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "change",   "Change the field under the cursor; left and right choose it", \
	  .refuses = team_refuses_empty, .run = item_edit) \
	X(ITEM_ADD,  BACKLOG,  IN_BACKLOG, 'a',              "a",         "item-add",  TAKES_LINE,    ITEM_ADD,             NEED_NOTHING,                                "add",      "Add items, one name after the other", \
	  .refuses = backlog_refuses_none, .field = "name", .label = "New item: ", .run = item_add) \
	X(ITEM_REMOVE, BACKLOG, IN_BACKLOG, 'd',             "d",         "",          TAKES_ROW,     ITEM_REMOVE,          NEED_NOTHING,                                "remove",   "Remove this item for good", \
	  .refuses = team_refuses_empty, .field = "item_id", .fill = item_fill, .question = item_question_remove) \
	X(ITEM_MORE, BACKLOG,  IN_BACKLOG, '+',              "+",         "",          TAKES_ROW,     ITEM_ADJUST,          NEED_NOTHING,                                "",         "Add one to the quantity", \
	  .refuses = item_refuses_uncounted, .field = "item_id", .fill = item_fill_more) \
	X(ITEM_LESS, BACKLOG,  IN_BACKLOG, '-',              "-",         "",          TAKES_ROW,     ITEM_ADJUST,          NEED_NOTHING,                                "",         "Take one away from the quantity", \
	  .refuses = item_refuses_uncounted, .field = "item_id", .fill = item_fill_less) \
	X(ITEM_SORT, BACKLOG,  IN_BACKLOG, 's',              "s",         "item-sort", TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "sort",     "Sort by this field; again: the other way; once more: as they were added", \
	  .refuses = team_refuses_empty, .run = item_sort) \
	X(ITEM_REREAD, BACKLOG, IN_BACKLOG, 'r',             "r",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Read the backlog again", \
	  .refuses = backlog_refuses_none, .run = item_reread) \
	X(ITEM_ADJUST, BACKLOG, IN_BACKLOG, 0,               ":item-adjust", "item-adjust", TAKES_LINE, ITEM_ADJUST,        NEED_NOTHING,                                "",         "Add so much to the quantity, or with - take it away: :item-adjust -1.5", \
	  .refuses = item_refuses_uncounted, .field = "by", .fill = item_fill_row, .label = "Add, or with - take away: ") \
	X(ITEM_NAME, BACKLOG,  IN_BACKLOG, 0,                ":item-name", "item-name", TAKES_LINE,   ITEM_UPDATE,          NEED_NOTHING,                                "",         "Change the item's name", \
	  .refuses = team_refuses_empty, .field = "name", .fill = item_fill_row, .label = "Name: ", .empty = "An item needs a name", .start = item_start) \
	X(ITEM_QUANTITY, BACKLOG, IN_BACKLOG, 0,             ":item-quantity", "item-quantity", TAKES_LINE, ITEM_UPDATE,    NEED_NOTHING,                                "",         "Change how much there is: 12, 0.5; an empty line takes it away", \
	  .refuses = team_refuses_empty, .field = "quantity", .fill = item_fill_row, .check = item_is_quantity, .wrong = "A quantity is 0 or more, as 12 or 0.5, with up to two decimals", .label = "Quantity: ", .start = item_start) \
	X(ITEM_UNIT, BACKLOG,  IN_BACKLOG, 0,                ":item-unit", "item-unit", TAKES_LINE,   ITEM_UPDATE,          NEED_NOTHING,                                "",         "Change what the quantity counts: kg, points", \
	  .refuses = team_refuses_empty, .field = "unit", .fill = item_fill_row, .label = "Unit: ", .wrong = "A unit has up to 20 characters", .start = item_start) \
	X(ITEM_CATEGORY, BACKLOG, IN_BACKLOG, 0,             ":item-category", "item-category", TAKES_LINE, ITEM_UPDATE,    NEED_NOTHING,                                "",         "Change what kind of thing it is", \
	  .refuses = team_refuses_empty, .label = "Category: ", .wrong = "A category has up to 50 characters", .start = item_start, .run = item_category) \
	X(ITEM_EXPIRY, BACKLOG, IN_BACKLOG, 0,               ":item-expiry", "item-expiry", TAKES_LINE, ITEM_UPDATE,        NEED_NOTHING,                                "",         "Change when it expires: 2026-12-24; an empty line takes it away", \
	  .refuses = team_refuses_empty, .label = "Expires on: ", .examples = "2026-12-24  2026-12-24 18:30 *nothing: never", .start = item_start, .run = item_expiry_typed) \
	X(ITEM_NOTE, BACKLOG,  IN_BACKLOG, 'w',              "w",         "",          TAKES_ROW,     NONE,                 NEED_NOTHING,                                "note",     "Write the item's note, in several lines; ^S saves it", \
	  .refuses = team_refuses_empty, .run = item_note) \
	X(TEAM_ROLE, TEAMS,    IN_MEMBERS, TUI_KEY_ENTER,    "Enter",     "",          TAKES_ROW,     GROUP_SET_ROLE,       NEED_NOTHING,                                "role",     "Make this member an owner, or this owner a member again", \
	  .refuses = team_refuses_members, .field = "user_id", .fill = team_fill_role, .question = team_question_role) \
	X(TEAM_REMOVE, TEAMS,  IN_MEMBERS, 'd',              "d",         "",          TAKES_ROW,     GROUP_REMOVE_USER,    NEED_NOTHING,                                "remove",   "Take this member out of the team", \
	  .refuses = team_refuses_members, .field = "user_id", .fill = team_fill, .question = team_question_remove) \
	X(TEAM_INVITE, TEAMS,  IN_TEAM,    'i',              "i",         "team-invite", TAKES_LINE,  INVITATION_CREATE,    NEED_NOTHING,                                "invite",   "Make an invitation: how long it is good, and for how many", \
	  .refuses = team_refuses_none, .label = "Good for: ", .examples = "24h  90m  7d *7d 5 lets five in", .start = team_start_invite, .run = team_invite) \
	X(TEAM_RENEW, TEAMS,   IN_INVITATIONS, 'r',          "r",         "",          TAKES_LINE,    INVITATION_RENEW,     NEED_NOTHING,                                "renew",    "Let this invitation be good for so long from now", \
	  .refuses = team_refuses_empty, .label = "Good from now for: ", .examples = "24h  90m  7d", .start = team_start_invite, .run = team_renew) \
	X(TEAM_REVOKE, TEAMS,  IN_INVITATIONS, 'd',          "d",         "",          TAKES_ROW,     INVITATION_REVOKE,    NEED_NOTHING,                                "revoke",   "End this invitation: its code lets nobody in any more", \
	  .refuses = team_refuses_empty, .field = "invitation_id", .fill = team_fill, .sure = "End this invitation? Its code lets nobody in any more.") \
	X(TEAM_COPY, TEAMS,    IN_INVITED, 'c',              "c",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "copy",     "Copy the line of the new invitation", \
	  .run = team_copy) \
	X(TEAM_RENAME, TEAMS,  IN_TEAM,    'T',              "T",         "team-rename", TAKES_LINE,  GROUP_RENAME,         NEED_NOTHING,                                "",         "Give the team another name", \
	  .refuses = team_refuses_members, .field = "group_name", .fill = team_fill, .label = "Name of the team: ", .empty = "A team needs a name", .start = team_start_name) \
	X(TEAM_LEAVE, TEAMS,   IN_TEAM,    'L',              "L",         "team-leave", TAKES_NOTHING, GROUP_LEAVE,        NEED_NOTHING,                                "",         "Be in the team no longer", \
	  .refuses = team_refuses_none, .fill = team_fill, .question = team_question_leave) \
	X(TEAM_DELETE, TEAMS,  IN_TEAM,    'D',              "D",         "team-delete", TAKES_NOTHING, GROUP_DELETE,       NEED_NOTHING,                                "",         "Delete the team with its rooms, backlogs and invitations, for everybody", \
	  .refuses = team_refuses_members, .fill = team_fill, .question = team_question_delete) \
	X(OPEN,      INBOX,    IN_QUESTION_LISTS, TUI_KEY_ENTER, "Enter",  "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "open",     "Open this question", \
	  .refuses = inbox_refuses_empty, .run = inbox_open_row) \
	X(ASKED,     INBOX,    IN_QUESTION_LISTS, TUI_KEY_TAB, "Tab",    "asked",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "your own", "See the questions you have asked, and their answers; again: back", \
	  .offers = inbox_offers_asked, .refuses = inbox_refuses_strangers, .run = inbox_turn) \
	X(CHOICE,    INBOX,    IN_QUESTION, 0,               "0-9",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Choose this option; the arrows do, too") \
	X(SEND,      INBOX,    IN_QUESTION, TUI_KEY_ENTER,   "Enter",     "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "send",     "Send what you have chosen; what is to be written is written first", \
	  .offers = question_offers_choice, .run = question_send) \
	X(WRITE,     INBOX,    IN_QUESTION, 'w',             "w",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "write",    "Write your answer, in several lines; ^S sends it", \
	  .offers = question_offers_words, .run = question_write) \
	X(REMARK,    INBOX,    IN_QUESTION, 'x',             "x",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "comment",  "Add a comment to your answer; an empty one takes it away", \
	  .offers = question_offers, .label = "Comment: ", .start = question_start_comment, .run = question_comment) \
	X(CONFIDENCE, INBOX,   IN_QUESTION, 'f',             "f",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "how sure", "Say how sure you are, from 1 to 5", \
	  .offers = question_offers, .label = "How sure, 1 to 5: ", .run = question_confidence) \
	X(PASS,      INBOX,    IN_QUESTION, 's',             "s",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "skip",     "Skip this question: it is not shown to you again", \
	  .offers = question_offers, .run = question_skip) \
	X(VOTE,      VOTE,     IN_ROOM,    0,                "0-9",       "vote",      TAKES_CARD,    ROOM_VOTE,            NEED_ROOM,                                   "vote",     "Put down that card; 1 then 3 is 13; change it as you like", \
	  .field = "vote", .run = act_vote, .complete = complete_cards) \
	X(CHOOSE,    VOTE,     IN_ROOM,    0,                "",          "",          TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "",         "Choose a card in your hand; Enter puts it down", \
	  .right = RIGHT_VOTE) \
	X(RETRACT,   VOTE,     IN_ROOM,    '-',              "-",         "retract",   TAKES_NOTHING, ROOM_VOTE,            NEED_ROOM | NEED_VOTE,                       "retract",  "Retract your vote", \
	  .field = "vote") \
	X(CANCEL,    ROUND,    IN_ROOM,    'c',              "c",         "cancel",    TAKES_NOTHING, REVEAL_CANCEL,        NEED_ROOM | NEED_COUNTDOWN,                  "cancel",   "Stop the countdown to the reveal", \
	  .fill = act_fill_token) \
	X(SETTLE,    ROUND,    IN_ROOM,    '=',              "=",         "settle",    TAKES_LINE,    ROUND_SETTLE,         NEED_ROOM | NEED_REVEALED,                   "settle",   "Settle on the suggested value, or on one you type", \
	  .offers = act_offers_settle, .field = "estimate", .label = "Settle on: ", .wrong = "A value has up to 8 cells", .start = act_start_settle, .begin = act_begin_settle, .complete = complete_cards) \
	X(AGAIN,     ROUND,    IN_ROOM,    'V',              "V",         "again",     TAKES_NOTHING, ROUND_AGAIN,          NEED_ROOM | NEED_REVEALED,                   "again",    "Vote again on the same; this round stays in the history") \
	X(REVEAL,    ROUND,    IN_ROOM,    'R',              "R",         "reveal",    TAKES_NOTHING, ROOM_SET_REVEALED,    NEED_ROOM | NEED_HIDDEN | NEED_VOTES,        "reveal",   "Turn all cards over", \
	  .field = "is_revealed", .value = "true", .question = act_question_missing) \
	X(NEXT,      ROUND,    IN_PLAY,    'N',              "N",         "next",      TAKES_NOTHING, STORY_NEXT,           NEED_ROOM,                                   "next",     "Go on to the next story, or to the next round without stories", \
	  .run = act_next, .question = act_question_next) \
	X(ADMIT,     LEAD,     IN_ROOM,    'a',              "a",         "admit",     TAKES_WAITING, ROOM_ADMIT,           NEED_ROOM | NEED_WAITING,                    "admit",    "Let somebody in who waits in the lobby", \
	  .field = "user_id", .label = "Let whom in?") \
	X(UNDO,      ROUND,    IN_PLAY,    'U',              "U",         "undo",      TAKES_NOTHING, ROUND_UNDO_RESET,     NEED_ROOM | NEED_UNDO,                       "undo",     "Undo the last reset: its votes count again") \
	X(NUDGE,     TALK,     IN_ROOM,    '!',              "!",         "nudge",     TAKES_NOTHING, ROOM_NUDGE,           NEED_ROOM | NEED_HIDDEN | NEED_MISSING,      "nudge",    "Ring those who have not voted") \
	X(STORIES,   LOOK,     IN_ROOM | IN_HISTORY | IN_POLICY, 'S',              "S",         "stories",   TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "stories",  "See the stories; choose, add, change and order them", \
	  .opens = VIEW_STORIES, .right = RIGHT_READ) \
	X(TIMER,     ROUND,    IN_PLAY,    't',              "t",         "timer",     TAKES_LINE,    TIMER_START,          NEED_ROOM,                                   "timer",    "Start a timer: 5m, 90s, 1:30, 2d; 5m! reveals at its end; stop", \
	  .label = "Timer: ", .examples = "5m  90s  1:30 *5m! reveals at the end", .start = act_start_timer, .run = act_timer, .complete = complete_timer) \
	X(PAUSE,     ROUND,    IN_PLAY,    0,                ":pause",    "pause",     TAKES_LINE,    ROOM_PAUSE,           NEED_ROOM,                                   "",         "Take a break of so many minutes; 0 ends it", \
	  .field = "minutes", .label = "Minutes of the break: ", .wrong = "A break is of minutes, up to 1440; 0 ends it") \
	X(COMMENT,   TALK,     IN_ROOM,    'x',              "x",         "comment",   TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_VOTE,                       "comment",  "Write a line on your vote, shown after the reveal", \
	  .also = "note", .field = "comment", .label = "Comment on your vote: ", .start = act_start_comment) \
	X(SURE,      TALK,     IN_ROOM,    'f',              "f",         "sure",      TAKES_LINE,    ROOM_VOTE,            NEED_ROOM | NEED_CONFIDENCE | NEED_VOTE,     "how sure", "Say how sure you are of your vote: 1, 2 or 3", \
	  .field = "confidence", .label = "How sure, 1 to 3: ", .wrong = "1, 2 or 3: not very, fairly, quite sure") \
	X(REACT,     TALK,     IN_ROOM,    'e',              "e",         "react",     TAKES_LINE,    ROOM_REACT,           NEED_ROOM | NEED_NAME,                       "react",    "Show everybody a word or an emoji for a moment", \
	  .field = "word", .label = "Word or emoji: ", .wrong = "One word or emoji, up to 12 cells", .check = act_is_one_word) \
	X(INVITE,    LOOK,     IN_ROOM | IN_HISTORY | IN_POLICY, 'i',              "i",         "invite",    TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "",         "Show and copy the line that others join with; again: another", \
	  .right = RIGHT_READ, .run = act_invite) \
	X(SHARE,     LEAD,     IN_ROOM,    'I',              "I",         "share",     TAKES_LINE,    SERVER_SHARE,         NEED_ROOM,                                   "",         "Let others reach your own server, on all addresses or on one", \
	  .refuses = act_refuses_share, .field = "address", .label = "Share at (Enter: all): ", .run = act_share) \
	X(HISTORY,   LOOK,     IN_ROOM | IN_STORIES | IN_POLICY, 'h',              "h",         "history",   TAKES_NOTHING, ROUND_LIST,           NEED_ROOM,                                   "history",  "See the rounds before, the newest first", \
	  .opens = VIEW_HISTORY, .run = act_history) \
	X(NOTES,     TALK,     IN_PLAY,    'w',              "w",         "notes",     TAKES_LINE,    MAP_SET,              NEED_ROOM,                                   "notes",    "Write notes on this story, together with all in the room", \
	  .right = RIGHT_READ, .begin = act_begin_notes, .run = writing_add_line) \
	X(ABOUT,     LOOK,     IN_ROOM,    'd',              "d",         "about",     TAKES_NOTHING, NONE,                 NEED_ROOM | NEED_STORY,                      "",         "Read all of the story that is voted on: its link, its description", \
	  .of_screen = "Type story to read it", .opens = VIEW_STORY, .right = RIGHT_READ) \
	X(ARM,       ROUND,    IN_ROOM,    'A',              "A",         "arm",       TAKES_NOTHING, REVEAL_ARM,           NEED_ROOM | NEED_HIDDEN,                     "arm",      "Let the last missing vote reveal at once, or no longer", \
	  .fill = act_fill_arm) \
	X(HIDE,      ROUND,    IN_ROOM,    'H',              "H",         "hide",      TAKES_NOTHING, ROOM_SET_REVEALED,    NEED_ROOM | NEED_OPEN,                       "hide",     "Hide the cards again; votes stay", \
	  .field = "is_revealed", .value = "false") \
	X(NAME,      LOOK,     IN_ROOM | IN_HOME, 'n',              "n",         "name",      TAKES_LINE,    ROOM_JOIN,            NEED_NOTHING,                                "name",     "Sit down with a name, or change it", \
	  .refuses = home_refuses_login, .field = "username", .label = "Your name: ", .empty = "A name needs at least one character", .wrong = "A name has up to 32 cells", .start = act_start_name, .fill = act_fill_role, .run = act_name) \
	X(SPECTATE,  VOTE,     IN_ROOM,    's',              "s",         "spectate",  TAKES_NOTHING, ROOM_JOIN,            NEED_ROOM | NEED_NAME,                       "watch",    "Only watch, or vote again: in the same round your card is back", \
	  .fill = act_fill_spectate, .question = act_question_spectate) \
	X(POLICY,    LOOK,     IN_ROOM | IN_STORIES | IN_HISTORY, 'P',              "P",         "rules",     TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "rules",    "See who may do what, and change it", \
	  .also = "policy", .opens = VIEW_POLICY, .right = RIGHT_READ) \
	X(TITLE,     LEAD,     IN_ROOM,    'T',              "T",         "title",     TAKES_LINE,    ROOM_SET_TITLE,       NEED_ROOM,                                   "",         "Change the room's title; an empty one takes it away", \
	  .field = "title", .label = "Title: ", .start = act_start_title) \
	X(LINKS,     LEAD,     IN_PLAY,    0,                ":links",    "links",     TAKES_LINE,    ROOM_SET_LINK_TEMPLATE, NEED_ROOM,                                 "",         "Say where stories are described: https://example.org/{key}", \
	  .field = "link_template", .label = "Address with {key}: ", .wrong = "An address has http:// or https:// in front and {key} in it", .check = act_is_template, .start = act_start_links) \
	X(DECK,      LEAD,     IN_ROOM,    'D',              "D",         "deck",      TAKES_LINE,    ROOM_SET_VALID_SIZES, NEED_ROOM,                                   "",         "Change the cards: a deck's name, or cards with blanks between", \
	  .label = "Cards: ", .empty = "A deck needs at least 2 cards", .begin = act_begin_deck, .run = act_deck, .complete = complete_decks) \
	X(KICK,      LEAD,     IN_ROOM,    'K',              "K",         "kick",      TAKES_MEMBER,  ROOM_KICK,            NEED_ROOM | NEED_OTHERS,                     "",         "Remove somebody from the room", \
	  .field = "user_id", .label = "Remove whom?", .sure = "Remove * from the room?") \
	X(UNKICK,    LEAD,     IN_ROOM,    0,                ":unkick",   "unkick",    TAKES_LINE,    ROOM_UNKICK,          NEED_ROOM,                                   "",         "Let somebody come back who was removed for good", \
	  .field = "user_id", .label = "Who may come back: ", .run = act_unkick) \
	X(COHOST,    LEAD,     IN_ROOM,    'G',              "G",         "cohost",    TAKES_NO_HOST, ROOM_SET_HOST,        NEED_ROOM | NEED_OTHERS,                     "",         "Make somebody host beside you", \
	  .field = "user_id", .label = "Make whom host beside you?", .sure = "Make * host beside you?") \
	X(UNHOST,    LEAD,     IN_ROOM,    0,                ":unhost",   "unhost",    TAKES_HOST,    ROOM_UNSET_HOST,      NEED_ROOM | NEED_OTHERS,                     "",         "End a host's rights", \
	  .field = "user_id", .label = "Whose rights as host to end?") \
	X(CLAIM,     LEAD,     IN_ROOM,    'C',              "C",         "claim",     TAKES_NOTHING, ROOM_CLAIM_HOST,      NEED_ROOM | NEED_NO_HOST,                    "",         "Become host, if you have the room's host key") \
	X(REJECT,    LEAD,     IN_ROOM,    0,                ":reject",   "reject",    TAKES_WAITING, ROOM_REJECT,          NEED_ROOM | NEED_WAITING,                    "",         "Turn somebody away who waits in the lobby", \
	  .field = "user_id", .label = "Turn whom away?", .sure = "Turn * away?") \
	X(RESET,     ROUND,    IN_ROOM,    0,                ":reset",    "reset",     TAKES_NOTHING, ROOM_RESET,           NEED_ROOM,                                   "",         "Clear all votes and vote anew", \
	  .question = act_question_reset) \
	X(QUICK,     ROUND,    IN_PLAY,    0,                ":quick",    "quick",     TAKES_NOTHING, STORY_SELECT,         NEED_ROOM | NEED_STORIES,                    "",         "Vote on nothing in particular", \
	  .field = "story_id", .question = act_question_quick) \
	X(DELETE,    LEAD,     IN_ROOM,    0,                ":delete",   "delete",    TAKES_NOTHING, ROOM_DELETE,          NEED_ROOM,                                   "",         "End the room for everybody", \
	  .sure = "End this room for everybody?") \
	X(SELECT,    STORIES,  IN_STORIES, TUI_KEY_ENTER,    "Enter",     "select",    TAKES_STORY,   STORY_SELECT,         NEED_ROOM | NEED_STORIES,                    "vote on",  "Vote on this story", \
	  .about = "story_id", .run = act_select, .question = act_question_select) \
	X(ADD,       STORIES,  IN_STORIES, 'a',              "a",         "add",       TAKES_LINE,    STORY_ADD,            NEED_ROOM,                                   "add",      "Add a story at the end", \
	  .field = "title", .label = "New story: ", .run = act_add) \
	X(SOURCES,   STORIES,  IN_STORIES, 'b',              "b",         "backlog",   TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "backlog",  "In a room of a team: see its backlogs, whose items become stories", \
	  .refuses = sources_refuses, .of_screen = "Type add, or aye story import CODE --from BACKLOG", .right = RIGHT_READ, .run = sources_open) \
	X(INSERT,    STORIES,  IN_STORIES, 'i',              "i",         "insert",    TAKES_TITLE,   STORY_ADD,            NEED_ROOM | NEED_STORIES,                    "",         "Add a story behind this one", \
	  .about = "after", .field = "title", .label = "Story behind this: ", .run = act_add) \
	X(EDIT,      STORIES,  IN_STORIES, 'e',              "e",         "edit",      TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "edit",     "Change this story's title", \
	  .about = "story_id", .field = "title", .label = "Title: ", .empty = "A story needs a title", .start = act_start_edit) \
	X(SKIP,      STORIES,  IN_STORIES, 's',              "s",         "skip",      TAKES_STORY,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "skip",     "Skip this story, or put it back among those to do", \
	  .about = "story_id", .fill = act_fill_skip) \
	X(REMOVE,    STORIES,  IN_STORIES, 'd',              "d",         "remove",    TAKES_STORY,   STORY_REMOVE,         NEED_ROOM | NEED_STORIES,                    "remove",   "Take this story off the list", \
	  .about = "story_id", .run = act_remove) \
	X(DESCRIBE,  STORIES,  IN_STORIES, 'E',              "E",         "describe",  TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "describe", "Write this story's description, in several lines", \
	  .about = "story_id", .field = "description", .begin = act_begin_description) \
	X(KEY,       STORIES,  IN_STORIES, 0,                ":key",      "key",       TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "",         "Change what a tracker calls this story, as PAY-101 or #12", \
	  .about = "story_id", .field = "key", .label = "Key: ", .wrong = "A key has up to 32 cells", .start = act_start_key) \
	X(LINK,      STORIES,  IN_STORIES, 'l',              "l",         "link",      TAKES_TITLE,   STORY_UPDATE,         NEED_ROOM | NEED_STORIES,                    "link",     "Change this story's link; an empty one takes it away", \
	  .about = "story_id", .field = "link", .label = "Link: ", .wrong = "A link has http:// or https:// in front", .check = act_is_link, .start = act_start_link) \
	X(RESTORE,   STORIES,  IN_STORIES, 'u',              "u",         "restore",   TAKES_NOTHING, STORY_RESTORE,        NEED_ROOM | NEED_REMOVED,                    "restore",  "Restore the story that was removed last", \
	  .fill = act_fill_restore) \
	X(DOWN,      STORIES,  IN_STORIES, 'J',              "J",         "down",      TAKES_STORY,   STORY_MOVE,           NEED_ROOM | NEED_STORIES,                    "down",     "Move this story down", \
	  .about = "story_id", .run = act_move) \
	X(UP,        STORIES,  IN_STORIES, 'K',              "K",         "up",        TAKES_STORY,   STORY_MOVE,           NEED_ROOM | NEED_STORIES,                    "up",       "Move this story up", \
	  .about = "story_id", .run = act_move) \
	X(SWITCH,    POLICY,   IN_POLICY,  TUI_KEY_ENTER,    "Enter",     "rule",      TAKES_RULE,    ROOM_SET_POLICY,      NEED_ROOM,                                   "change",   "Turn this rule on or off", \
	  .run = act_switch) \
	X(QUORUM,    POLICY,   IN_POLICY,  0,                ":quorum",   "quorum",    TAKES_LINE,    ROOM_SET_POLICY,      NEED_ROOM,                                   "",         "Reveal once so many have voted; 0: once all have", \
	  .field = "policy.quorum", .label = "Votes that are enough; 0: all of those here: ", .wrong = "A number of votes, up to 2500; 0: all of those here") \
	X(PASSCODE,  POLICY,   IN_POLICY,  'p',              "p",         "passcode",  TAKES_SECRET,  ROOM_SET_POLICY,      NEED_ROOM,                                   "passcode", "Ask newcomers for a passcode; an empty one takes it away", \
	  .field = "policy.passcode", .label = "Passcode (hidden): ") \
	X(CHANGE,    SETTINGS, IN_SETTINGS, TUI_KEY_ENTER,    "Enter",     "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "change",   "Choose the next value of this setting", \
	  .run = act_change) \
	X(SAVE,      SETTINGS, IN_SETTINGS, 's',              "s",         "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "save",     "Keep the settings for the next time; also :set --save", \
	  .local = LOCAL_SAVE_SETTINGS) \
	X(KEEP,      WRITING,  IN_WRITING, 19,               "^S",        "",          TAKES_NOTHING, NONE,                 NEED_ROOM,                                   "save",     "Save notes or a description", \
	  .answers = "y save  n throw it away  Esc go on", .no = writing_drop, .run = act_keep) \
	X(FILTER,    LOOK,     IN_LISTS,   '/',              "/",         "filter",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "filter",   "Show only lines of a list with a text you type; Esc shows all", \
	  .hint_at = HINT_LATE, .offers = act_offers_filter, .label = "Filter: ", .is_live = true, .of_screen = "There is no list to filter", .start = act_start_filter, .run = act_filter) \
	X(SET,       SCREEN,   IN_ALL,     'o',              "o",         "set",       TAKES_SETTING, NONE,                 NEED_NOTHING,                                "",         "See the settings, or change one: :set theme contrast", \
	  .run = act_set) \
	X(NOTIFY,    SCREEN,   IN_ALL,     0,                ":notify",   "notify",    TAKES_LINE,    NONE,                 NEED_NOTHING,                                "",         "Ring never (off), when others wait for you (mine), or more (all)", \
	  .of_screen = "Only a screen rings", .start = act_start_notify, .run = act_notify, .complete = complete_notify) \
	X(MOUSE,     SCREEN,   IN_ALL,     'm',              "m",         "mouse",     TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Turn the mouse on or off: clicks choose cards and press hints", \
	  .of_screen = "There is no screen to click on", .run = act_mouse) \
	X(REDRAW,    SCREEN,   IN_ALL,     12,               "^L",        "redraw",    TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "",         "Draw the screen afresh", \
	  .of_screen = "There is no screen to draw") \
	X(COMMAND,   LOOK,     IN_ALL,     ':',              ":",         "",          TAKES_LINE,    NONE,                 NEED_NOTHING,                                "command",  "Type any of these by its name; Tab completes", \
	  .hint_at = HINT_ALWAYS, .hint_cells_min = 100) \
	X(BACK,      LOOK,     IN_BEFORE,  TUI_KEY_ESCAPE,   "Esc",       "",          TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "back",     "Go back", \
	  .hint_at = HINT_ALWAYS, .run = act_back) \
	X(QUIT,      LOOK,     IN_ROOM | IN_HOME, 'q',              "q",         "quit",      TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "leave",    "Leave the room; at home: leave aye", \
	  .hint_at = HINT_ALWAYS, .hint_cells_min = 60, .local = LOCAL_LEAVE, .question = act_question_leave) \
	X(HELP,      LOOK,     IN_ALL,     '?',              "?",         "help",      TAKES_NOTHING, NONE,                 NEED_NOTHING,                                "help",     "Show this page", \
	  .hint_at = HINT_ALWAYS, .opens = VIEW_HELP)
/* clang-format on */

enum action {
#define ACTION_ENUM(symbol, ...) ACTION_##symbol,
	ACTIONS(ACTION_ENUM)
#undef ACTION_ENUM
		ACTION_COUNT
};

struct tui;
struct completions; /* tui_state.h */

/* @arg  what was typed or chosen; NULL: nothing. */
typedef struct act action_runs(struct tui *t, const struct replica *room, enum action a, const char *arg);
typedef void action_fills(struct tui *t, const struct replica *room, struct request *r);
/* NULL: with nothing. */
typedef const char *action_starts(struct tui *t, const struct replica *room);
/* Why it cannot be done with the list, or the name, as they are; false where it can. */
typedef bool action_refuses(struct tui *t, const struct replica *room, const char *arg, char *out, size_t cap);
/* Whether it is of any use now. */
typedef bool action_offers(struct tui *t, const struct replica *room);
/* False where nothing would be lost, so that there is nothing to ask. */
typedef bool action_questions(struct tui *t, const struct replica *room, const char *arg, char *out, size_t cap);
typedef void action_completes(const struct replica *room, struct slice typed, struct completions *c);

struct action_row {
	enum help_group group; /* in the help */
	unsigned where;	      /* enum where */
	int32_t key;	      /* 0: several, or none */
	const char *key_name; /* "" where it depends on the signs: the arrows */
	const char *command;  /* "" where there is none */
	enum takes takes;
	enum method method; /* of the request it makes, or METHOD_NONE */
	unsigned needs;	    /* enum need, beside the right to the method */
	const char *hint;   /* in the footer; "" where it is only in the help */
	const char *help;

	/* in the footer, and beside what must hold */
	enum hint_place hint_at;
	int hint_cells_min;	 /* how wide a screen whose footer has it is at least */
	action_offers *offers;	 /* whether the footer has it where it is allowed; NULL: always */
	action_refuses *refuses; /* what `needs` cannot say, as it is no matter of the room; NULL: nothing */

	/* the request, field by field */
	const char *field;  /* for what was typed or chosen */
	const char *value;  /* what goes there where nothing is typed or chosen; NULL: nil */
	const char *about;  /* for the story_id of the story in focus */
	action_fills *fill; /* for the rest */
	const char *empty;  /* the reply to an empty line, where that is no value */
	const char *wrong;  /* the reply to what is no value of the field; NULL: as the field says it */
	bool (*check)(const char *typed); /* what the field cannot say; NULL: nothing */

	/* the line it is typed on, and the question before it */
	const char *label;	     /* "Your name: "; of one that takes a member, the question whom; NULL: ":" */
	const char *examples;	     /* of what can be typed, below it, a dot at the star; NULL: what completes it */
	bool is_live;		     /* done with every key, so that it is seen; Escape does it with nothing */
	action_starts *start;	     /* what the line begins with */
	action_completes *complete;  /* what could be typed, beside what `takes` says */
	const char *sure;	     /* the question before it, always; a member's name at the star */
	action_questions *question;  /* likewise, where something would be lost */
	const char *answers;	     /* what can be answered; NULL: yes or no */
	void (*no)(struct tui *t);   /* what the answer no does; NULL: nothing */

	/* other ways */
	const char *also; /* another name of the command; NULL: none */
	enum right right;	/* where there is no method, or another right than its own is enough */
	enum local_act local;	/* what it is instead of a request, or what `run` makes of it */
	enum view_kind opens;	/* the view that it opens first; not VIEW_ROOM */
	action_runs *begin;	/* without an argument, instead of opening a line */
	action_runs *run;	/* instead of the request that the fields make */
	const char *of_screen;	/* the reply where there is none; NULL: it is no matter of screens */
};

extern const struct action_row action_rows[ACTION_COUNT];

/* ACTION_COUNT where there is none. */
enum action action_of_key(enum view_kind view, int32_t key);
/* By its name, its other name, or the beginning of one that no two actions share. */
enum action action_of_command(const char *word, size_t len);
/*
 * What to press for an action in a view, as far as it is allowed: where a card of our hand has
 * its letter that is its command, ":stories", and no key.
 */
struct action_key {
	int32_t key;   /* 0: several, or none */
	char name[16]; /* "" where it depends on the signs: the arrows */
};
struct action_key action_key_in(enum action a, enum view_kind view, const struct replica *room);
/* What its hint in the footer says. */
const char *action_hint(enum action a, const struct replica *room);
/* The commands that begin like that, "reset, restore"; how many. */
size_t action_begun(const char *word, char *out, size_t cap);
/* The command that was probably meant; NULL: nobody knows. */
const char *action_meant(const char *word);
static inline bool action_is_in(enum action a, enum view_kind view)
{
	return (action_rows[a].where & (1U << view)) != 0;
}

/* Only done at home, never in a room. */
static inline bool action_is_of_home(enum action a)
{
	return (action_rows[a].where & ~(unsigned)IN_OWN_HOME) == 0;
}

/* Whether it belongs where one is: at home (room->is_nowhere), or in a room. */
bool action_is_here(enum action a, const struct replica *room);
bool action_is_allowed(enum action a, const struct replica *room);

/* The right it needs (rights.h), beside what must hold. */
enum right action_right(enum action a);
/* Whether in this room, by its rules, a host may do it and others who sit at the table may not. */
bool action_is_for_hosts(enum action a, const struct replica *room);

/* Whether it is done to a member, and to this one. */
bool action_takes_member(enum action a);
bool action_is_for(enum action a, const struct replica *room, const struct user_view *m);

/* Whether nothing, typed, is something: the room has no title any more. */
bool action_may_be_empty(enum action a);

/* Why it is not allowed now, in one line at out, with the key that helps; false where it is allowed. */
bool action_refusal(enum action a, const struct replica *room, char *out, size_t cap);
/* The same for those who have no keys but type: with the command that helps. */
bool action_refusal_typed(enum action a, const struct replica *room, char *out, size_t cap);

#endif
