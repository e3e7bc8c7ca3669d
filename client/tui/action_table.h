/*
 * action_table.h - everything one can do on the screen, in one table.
 *
 * A row feeds the keys, the `:` commands and their completion, the footer, the
 * help and the reasons given when something is not allowed now. There is no
 * second list. What an action does is in action_run.c.
 */
#ifndef CLIENT_TUI_ACTION_TABLE_H
#define CLIENT_TUI_ACTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/replica.h"
#include "client/tui/tui.h"
#include "proto/rights.h"

/*        symbol    module        title in the help */
#define VIEWS(X)                             \
	X(ROOM, room_view, "At the table")   \
	X(STORIES, stories_view, "Stories")  \
	X(HISTORY, history_view, "History")  \
	X(WRITING, writing_view, "Writing")  \
	X(POLICY, policy_view, "Rules")      \
	X(SETTINGS, settings_view, "Settings") \
	X(PICK, pick_view, "Choosing")       \
	X(HELP, help_view, "Help")           \
	X(HOME, home_view, "Home")           \
	X(DECKS, decks_view, "Decks")

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
	IN_POLICY = 1 << VIEW_POLICY,
	IN_HOME = 1 << VIEW_HOME,
	IN_DECKS = 1 << VIEW_DECKS,
	IN_SETTINGS = 1 << VIEW_SETTINGS,
	IN_WRITING = 1 << VIEW_WRITING,
	IN_PLAY = IN_ROOM | IN_STORIES,
	IN_PAGES = IN_STORIES | IN_HISTORY | IN_POLICY | IN_SETTINGS,
	IN_ALL = IN_ROOM | IN_PAGES | IN_HOME
};

/* What must hold for an action to be allowed; checked in this order, and each has its reason. */
enum need {
	NEED_NOTHING = 0,
	NEED_ROOM = 1 << 0,	  /* the room has been seen */
	NEED_NAME = 1 << 1,	  /* we sit at the table with a name */
	NEED_NO_HOST = 1 << 2,	  /* we are not host */
	NEED_HIDDEN = 1 << 3,	  /* the cards lie face down */
	NEED_REVEALED = 1 << 4,	  /* the cards lie open */
	NEED_VOTE = 1 << 5,	  /* we have voted */
	NEED_OTHERS = 1 << 6,	  /* somebody else is in the room */
	NEED_COUNTDOWN = 1 << 7,  /* the cards are about to be turned over */
	NEED_UNDO = 1 << 8,	  /* the last reset can be taken back */
	NEED_CONFIDENCE = 1 << 9, /* the room asks how sure one is */
	NEED_WAITING = 1 << 10,	  /* somebody waits in the lobby */
	NEED_MISSING = 1 << 11,	  /* somebody else who is here has not voted */
	NEED_STORIES = 1 << 12,	  /* there are stories */
	NEED_REMOVED = 1 << 13,	  /* a story was taken off the list */
	NEED_LAST = NEED_REMOVED
};

/* What an action wants to know before it can be done. */
enum takes {
	TAKES_NOTHING,
	TAKES_CARD,
	TAKES_MEMBER,  /* one who has come in */
	TAKES_WAITING, /* one who waits in the lobby */
	TAKES_LINE,
	TAKES_SECRET, /* a line that is not shown */
	TAKES_STORY,  /* the one in focus, or its number */
	TAKES_TITLE,  /* a line about the one in focus, or about the one whose number comes first */
	TAKES_RULE,   /* the one in focus, or its name and value */
	TAKES_RECENT, /* at home: the room in focus, or its code */
	TAKES_SETTING /* its name, and the value it gets; none: opens the page of them */
};

/* The right it needs (rights.h), beside what must hold. */
#define ACTION_NO_RIGHT (-1)

/* clang-format off */
/*        symbol     where       key               key's name   command      takes          asks for           right               needs                                        footer      help */
#define ACTIONS(X)                                                                                                                                                                                                        \
	X(ENTER,     IN_HOME,    TUI_KEY_ENTER,    "Enter",     "enter",     TAKES_RECENT,  ASK_ENTER,         ACTION_NO_RIGHT,    NEED_NOTHING,                                "go in",    "Go into this room")                                             \
	X(CREATE,    IN_HOME,    'c',              "c",         "create",    TAKES_LINE,    ASK_CREATE,        ACTION_NO_RIGHT,    NEED_NOTHING,                                "create",   "Make a room: its title, then its cards")                        \
	X(CARDS,     IN_DECKS,   't',              "t",         "",          TAKES_LINE,    ASK_CREATE,        ACTION_NO_RIGHT,    NEED_NOTHING,                                "",         "Type the cards of the new room")                                \
	X(COME,      IN_HOME,    'j',              "j",         "join",      TAKES_LINE,    ASK_ENTER,         ACTION_NO_RIGHT,    NEED_NOTHING,                                "join",     "Go into a room by its code, or by the line you were sent")      \
	X(FORGET,    IN_HOME,    'd',              "d",         "forget",    TAKES_RECENT,  ASK_FORGET,        ACTION_NO_RIGHT,    NEED_NOTHING,                                "forget",   "Take this room off the list, and its keys with it")             \
	X(KNOCK,     IN_HOME,    'p',              "p",         "knock",     TAKES_SECRET,  ASK_ENTER,         ACTION_NO_RIGHT,    NEED_NOTHING,                                "passcode", "Go into this room with its passcode")                           \
	X(VOTE,      IN_ROOM,    0,                "1-9",       "vote",      TAKES_CARD,    ASK_VOTE,          RIGHT_VOTE,         NEED_ROOM,                                   "vote",     "Put down that card; change it as you like")                     \
	X(CHOOSE,    IN_ROOM,    0,                "",          "",          TAKES_NOTHING, ASK_NOTHING,       RIGHT_VOTE,         NEED_ROOM,                                   "",         "Choose a card in your hand; Enter puts it down")                \
	X(RETRACT,   IN_ROOM,    '-',              "-",         "retract",   TAKES_NOTHING, ASK_RETRACT,       RIGHT_VOTE,         NEED_ROOM | NEED_VOTE,                       "retract",  "Take your card back")                                           \
	X(CANCEL,    IN_ROOM,    'c',              "c",         "cancel",    TAKES_NOTHING, ASK_CANCEL,        RIGHT_REVEAL,       NEED_ROOM | NEED_COUNTDOWN,                  "cancel",   "Stop the countdown to the reveal")                              \
	X(SETTLE,    IN_ROOM,    '=',              "=",         "settle",    TAKES_LINE,    ASK_SETTLE,        RIGHT_RESET,        NEED_ROOM | NEED_REVEALED,                   "settle",   "Settle on the suggested value, or on one you type")             \
	X(AGAIN,     IN_ROOM,    'V',              "V",         "again",     TAKES_NOTHING, ASK_AGAIN,         RIGHT_RESET,        NEED_ROOM | NEED_REVEALED,                   "again",    "Vote again on the same; this round stays in the history")       \
	X(REVEAL,    IN_ROOM,    'R',              "R",         "reveal",    TAKES_NOTHING, ASK_REVEAL,        RIGHT_REVEAL,       NEED_ROOM | NEED_HIDDEN,                     "reveal",   "Turn all cards over")                                           \
	X(NEXT,      IN_PLAY,    'N',              "N",         "next",      TAKES_NOTHING, ASK_RESET,         RIGHT_RESET,        NEED_ROOM,                                   "next",     "Go on to the next story, or to the next round without stories") \
	X(ADMIT,     IN_ROOM,    'a',              "a",         "admit",     TAKES_WAITING, ASK_ADMIT,         RIGHT_LEAD,         NEED_ROOM | NEED_WAITING,                    "admit",    "Let somebody in who waits in the lobby")                        \
	X(UNDO,      IN_PLAY,    'U',              "U",         "undo",      TAKES_NOTHING, ASK_UNDO_RESET,    RIGHT_RESET,        NEED_ROOM | NEED_UNDO,                       "undo",     "Bring back the votes that were taken back last")                \
	X(NUDGE,     IN_ROOM,    '!',              "!",         "nudge",     TAKES_NOTHING, ASK_NUDGE,         RIGHT_SIGNAL,       NEED_ROOM | NEED_HIDDEN | NEED_MISSING,      "nudge",    "Ring those who have not voted")                                 \
	X(STORIES,   IN_ROOM | IN_HISTORY | IN_POLICY, 'S', "S",        "stories",   TAKES_NOTHING, ASK_NOTHING,       RIGHT_READ,         NEED_ROOM,                                   "stories",  "See the stories; choose, add, change and order them")           \
	X(TIMER,     IN_PLAY,    't',              "t",         "timer",     TAKES_LINE,    ASK_TIMER,         RIGHT_RESET,        NEED_ROOM,                                   "timer",    "Start a timer: 5m, 90s, 1:30; 5m! reveals at its end; stop")    \
	X(NOTE,      IN_ROOM,    'x',              "x",         "note",      TAKES_LINE,    ASK_NOTE,          RIGHT_VOTE,         NEED_ROOM | NEED_VOTE,                       "note",     "Write a line on your vote, shown after the reveal")             \
	X(SURE,      IN_ROOM,    'f',              "f",         "sure",      TAKES_LINE,    ASK_SURE,          RIGHT_VOTE,         NEED_ROOM | NEED_CONFIDENCE | NEED_VOTE,     "how sure", "Say how sure you are of your vote: 1, 2 or 3")                  \
	X(REACT,     IN_ROOM,    'e',              "e",         "react",     TAKES_LINE,    ASK_REACT,         RIGHT_SIGNAL,       NEED_ROOM | NEED_NAME,                       "react",    "Show everybody a word or an emoji for a moment")                \
	X(HISTORY,   IN_ROOM | IN_STORIES | IN_POLICY, 'h', "h",        "history",   TAKES_NOTHING, ASK_HISTORY,       RIGHT_READ,         NEED_ROOM,                                   "history",  "See the rounds before, the newest first")                       \
	X(NOTES,     IN_PLAY,    'w',              "w",        "notes",     TAKES_LINE,    ASK_SAVE_NOTES,    RIGHT_READ,         NEED_ROOM,                                   "notes",    "Write notes on this story, together with all in the room")       \
	X(ARM,       IN_ROOM,    'A',              "A",         "arm",       TAKES_NOTHING, ASK_ARM,           RIGHT_REVEAL,       NEED_ROOM | NEED_HIDDEN,                     "arm",      "Let the last missing vote reveal at once, or no longer")        \
	X(HIDE,      IN_ROOM,    'H',              "H",         "hide",      TAKES_NOTHING, ASK_HIDE,          RIGHT_REVEAL,       NEED_ROOM | NEED_REVEALED,                   "hide",     "Turn the cards face down again; votes stay")                    \
	X(NAME,      IN_ROOM | IN_HOME, 'n',         "n",         "name",      TAKES_LINE,    ASK_JOIN,          ACTION_NO_RIGHT,    NEED_NOTHING,                                "name",     "Sit down with a name, or change it")                            \
	X(SPECTATE,  IN_ROOM,    's',              "s",         "spectate",  TAKES_NOTHING, ASK_JOIN,          ACTION_NO_RIGHT,    NEED_ROOM | NEED_NAME,                       "watch",    "Only watch, or vote again")                                     \
	X(POLICY,    IN_ROOM | IN_STORIES | IN_HISTORY, 'P', "P",       "rules",     TAKES_NOTHING, ASK_NOTHING,       RIGHT_READ,         NEED_ROOM,                                   "rules",    "See who may do what, and change it")                            \
	X(TITLE,     IN_ROOM,    'T',              "T",         "title",     TAKES_LINE,    ASK_SET_TITLE,     RIGHT_LEAD,         NEED_ROOM,                                   "",         "Change the room's title; an empty one takes it away")           \
	X(DECK,      IN_ROOM,    'D',              "D",         "deck",      TAKES_LINE,    ASK_SET_DECK,      RIGHT_LEAD,         NEED_ROOM,                                   "",         "Change the cards: a deck's name, or cards with blanks between") \
	X(KICK,      IN_ROOM,    'K',              "K",         "kick",      TAKES_MEMBER,  ASK_KICK,          RIGHT_LEAD,         NEED_ROOM | NEED_OTHERS,                     "",         "Remove somebody from the room")                                 \
	X(UNKICK,    IN_ROOM,    0,                ":unkick",   "unkick",    TAKES_LINE,    ASK_UNKICK,        RIGHT_LEAD,         NEED_ROOM,                                   "",         "Let somebody come back who was removed for good")               \
	X(COHOST,    IN_ROOM,    'G',              "G",         "cohost",    TAKES_MEMBER,  ASK_SET_HOST,      RIGHT_LEAD,         NEED_ROOM | NEED_OTHERS,                     "",         "Make somebody host beside you")                                 \
	X(UNHOST,    IN_ROOM,    0,                ":unhost",   "unhost",    TAKES_MEMBER,  ASK_UNSET_HOST,    RIGHT_LEAD,         NEED_ROOM | NEED_OTHERS,                     "",         "Take a host's rights back")                                     \
	X(CLAIM,     IN_ROOM,    'C',              "C",         "claim",     TAKES_NOTHING, ASK_CLAIM_HOST,    ACTION_NO_RIGHT,    NEED_ROOM | NEED_NO_HOST,                    "",         "Become host, if you have the room's host key")                  \
	X(REJECT,    IN_ROOM,    0,                ":reject",   "reject",    TAKES_WAITING, ASK_REJECT,        RIGHT_LEAD,         NEED_ROOM | NEED_WAITING,                    "",         "Turn somebody away who waits in the lobby")                     \
	X(RESET,     IN_ROOM,    0,                ":reset",    "reset",     TAKES_NOTHING, ASK_RESET,         RIGHT_RESET,        NEED_ROOM,                                   "",         "Take all cards back and vote anew")                             \
	X(QUICK,     IN_PLAY,    0,                ":quick",    "quick",     TAKES_NOTHING, ASK_SELECT_STORY,  RIGHT_RESET,        NEED_ROOM | NEED_STORIES,                    "",         "Vote on nothing in particular")                                 \
	X(DELETE,    IN_ROOM,    0,                ":delete",   "delete",    TAKES_NOTHING, ASK_DELETE,        RIGHT_LEAD,         NEED_ROOM,                                   "",         "End the room for everybody")                                    \
	X(SELECT,    IN_STORIES, TUI_KEY_ENTER,    "Enter",     "select",    TAKES_STORY,   ASK_SELECT_STORY,  RIGHT_RESET,        NEED_ROOM | NEED_STORIES,                    "vote on",  "Vote on this story")                                            \
	X(ADD,       IN_STORIES, 'a',              "a",         "add",       TAKES_LINE,    ASK_ADD_STORY,     RIGHT_EDIT_STORIES, NEED_ROOM,                                   "add",      "Add a story at the end")                                        \
	X(INSERT,    IN_STORIES, 'i',              "i",         "insert",    TAKES_TITLE,   ASK_ADD_STORY,     RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "",         "Add a story behind this one")                                   \
	X(EDIT,      IN_STORIES, 'e',              "e",         "edit",      TAKES_TITLE,   ASK_RENAME_STORY,  RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "edit",     "Change this story's title")                                     \
	X(SKIP,      IN_STORIES, 's',              "s",         "skip",      TAKES_STORY,   ASK_MARK_STORY,    RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "skip",     "Skip this story, or put it back among those to do")             \
	X(REMOVE,    IN_STORIES, 'd',              "d",         "remove",    TAKES_STORY,   ASK_REMOVE_STORY,  RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "remove",   "Take this story off the list")                                  \
	X(DESCRIBE,  IN_STORIES, 'E',              "E",        "describe",  TAKES_TITLE,   ASK_DESCRIBE_STORY, RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "describe", "Write this story's description, in several lines")              \
	X(LINK,      IN_STORIES, 'l',              "l",        "link",      TAKES_TITLE,   ASK_LINK_STORY,    RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "link",     "Change this story's link; an empty one takes it away")           \
	X(RESTORE,   IN_STORIES, 'u',              "u",         "restore",   TAKES_NOTHING, ASK_RESTORE_STORY, RIGHT_EDIT_STORIES, NEED_ROOM | NEED_REMOVED,                    "restore",  "Bring back the story that was removed last")                    \
	X(DOWN,      IN_STORIES, 'J',              "J",         "down",      TAKES_STORY,   ASK_MOVE_STORY,    RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "down",     "Move this story down")                                          \
	X(UP,        IN_STORIES, 'K',              "K",         "up",        TAKES_STORY,   ASK_MOVE_STORY,    RIGHT_EDIT_STORIES, NEED_ROOM | NEED_STORIES,                    "up",       "Move this story up")                                            \
	X(SWITCH,    IN_POLICY,  TUI_KEY_ENTER,    "Enter",     "rule",      TAKES_RULE,    ASK_SET_SWITCH,    RIGHT_LEAD,         NEED_ROOM,                                   "change",   "Turn this rule on or off")                                      \
	X(PASSCODE,  IN_POLICY,  'p',              "p",         "passcode",  TAKES_SECRET,  ASK_SET_PASSCODE,  RIGHT_LEAD,         NEED_ROOM,                                   "passcode", "Ask newcomers for a passcode; an empty one takes it away")      \
	X(CHANGE,    IN_SETTINGS,TUI_KEY_ENTER,    "Enter",     "",          TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "change",   "Choose the next value of this setting")                             \
	X(SAVE,      IN_SETTINGS,'s',              "s",         "",          TAKES_NOTHING, ASK_SAVE_SETTINGS, ACTION_NO_RIGHT,    NEED_NOTHING,                                "save",     "Keep the settings for the next time; also :set --save")         \
	X(KEEP,      IN_WRITING, 19,               "^S",       "",          TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_ROOM,                                   "save",     "Save notes or a description")                                    \
	X(BACK,      IN_PAGES,   TUI_KEY_ESCAPE,   "Esc",       "",          TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "back",     "Go back to the table")                                              \
	X(QUIT,      IN_ROOM | IN_HOME, 'q',         "q",         "quit",      TAKES_NOTHING, ASK_LEAVE,         ACTION_NO_RIGHT,    NEED_NOTHING,                                "leave",    "Leave the room; at home: leave aye")                             \
	X(SET,       IN_ALL,     'o',              "o",         "set",       TAKES_SETTING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "",         "See the settings, or change one: :set theme contrast")              \
	X(NOTIFY,    IN_ALL,     0,                ":notify",   "notify",    TAKES_LINE,    ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "",         "Ring never (off), when others wait for you (mine), or more (all)")  \
	X(MOUSE,     IN_ALL,     'm',              "m",         "mouse",     TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "",         "Turn the mouse on or off: clicks choose cards and press hints")                                       \
	X(REDRAW,    IN_ALL,     12,               "^L",        "redraw",    TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "",         "Draw the screen afresh")                                        \
	X(COMMAND,   IN_ALL,     ':',              ":",         "",          TAKES_LINE,    ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "command",  "Type any of these by its name; Tab completes")                  \
	X(HELP,      IN_ALL,     '?',              "?",         "help",      TAKES_NOTHING, ASK_NOTHING,       ACTION_NO_RIGHT,    NEED_NOTHING,                                "help",     "Show this page")
/* clang-format on */

enum action {
#define ACTION_ENUM(symbol, ...) ACTION_##symbol,
	ACTIONS(ACTION_ENUM)
#undef ACTION_ENUM
		ACTION_COUNT
};

struct action_row {
	unsigned where;	      /* enum where */
	int32_t key;	      /* 0: several, or none */
	const char *key_name; /* "" where it depends on the signs: the arrows */
	const char *command;  /* "" where there is none */
	enum takes takes;
	enum ask_kind asks;
	int right;	  /* enum right, or ACTION_NO_RIGHT */
	unsigned needs;	  /* enum need */
	const char *hint; /* in the footer; "" where it is only in the help */
	const char *help;
};

extern const struct action_row action_rows[ACTION_COUNT];

/* ACTION_COUNT where there is none. */
enum action action_of_key(enum view_kind view, int32_t key);
enum action action_of_command(const char *word, size_t len);
static inline bool action_is_in(enum action a, enum view_kind view)
{
	return (action_rows[a].where & (1U << view)) != 0;
}

/* Only done at home, never in a room. */
static inline bool action_is_of_home(enum action a)
{
	return (action_rows[a].where & ~(unsigned)(IN_HOME | IN_DECKS)) == 0;
}

/* Whether it belongs where one is: at home (room->is_nowhere), or in a room. */
bool action_is_here(enum action a, const struct replica *room);
bool action_is_allowed(enum action a, const struct replica *room);

/* Why it is not allowed now, in one line at out, with the key that helps; false where it is allowed. */
bool action_refusal(enum action a, const struct replica *room, char *out, size_t cap);
/* The same for those who have no keys but type: with the command that helps. */
bool action_refusal_typed(enum action a, const struct replica *room, char *out, size_t cap);

#endif
