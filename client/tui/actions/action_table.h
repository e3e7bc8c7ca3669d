/*
 * action_table.h - the table of all actions on the screen, made of the rows of act_rows.h.
 *
 * A row defines the keys, the `:` command and its completion, the footer, the help,
 * the prompt, the confirmation, the request (a method, and the field for what was
 * typed) and the reason shown if the action is not allowed now. There is no second
 * list. If fields are not enough, the row names a function of action_run.c,
 * action_prompt.c or a view.
 */
#ifndef CLIENT_TUI_ACTION_TABLE_H
#define CLIENT_TUI_ACTION_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/acts/act_rows.h"
#include "client/acts/word.h"
#include "client/model/room/replica.h"
#include "client/tui/tui.h"
#include "proto/base/slice.h"
#include "proto/rights.h"

/*        symbol    module        title in the help */
#define VIEWS(X)                             \
	X(ROOM, room_view, "At the table")   \
	X(STORIES, stories_view, "Stories")  \
	X(HISTORY, history_view, "History")  \
	X(SUMMARY, summary_view, "Summary")  \
	X(SHARE, share_view, "Sharing")      \
	X(WRITING, writing_view, "Writing")  \
	X(STORY, story_view, "The story")    \
	X(QR, qr_view, "On a phone")         \
	X(POLICY, policy_view, "Rules")      \
	X(SETTINGS, settings_view, "Settings") \
	X(PICK, pick_view, "Choosing")       \
	X(HELP, help_view, "Help")           \
	X(HOME, home_view, "Home")           \
	X(DECKS, decks_view, "Decks")        \
	X(INBOX, inbox_view, "Inbox")        \
	X(ASKED, asked_view, "Your questions") \
	X(ASKING, asking_view, "A new question") \
	X(QUESTION, question_page, "A question") \
	X(ANSWER, answer_view, "Your answer") \
	X(OUTCOME, outcome_view, "Answers")  \
	X(TEAMS, teams_view, "Teams")        \
	X(TEAM_ROOMS, team_rooms_view, "Rooms") \
	X(MEMBERS, members_view, "Members")  \
	X(INVITATIONS, invitations_view, "Invitations") \
	X(INVITED, invited_view, "An invitation") \
	X(TEAM_POLICY, team_policy_view, "Rules of the team") \
	X(FIRST_ROOM, first_room_view, "The first room of a team") \
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

static_assert(VIEW_COUNT <= 64, "a view is a bit of a uint64_t");
/*
 * The views where a key works, as bits; the command works wherever a line can be typed. There are
 * more than an int has bits, so this is an extension of C11 that gcc and clang have.
 */
__extension__ enum where {
#define VIEW_BIT(symbol, ...) IN_##symbol = UINT64_C(1) << VIEW_##symbol,
	VIEWS(VIEW_BIT)
#undef VIEW_BIT
	IN_PLAY = IN_ROOM | IN_STORIES,
	IN_PAGES = IN_STORIES | IN_HISTORY | IN_POLICY | IN_SETTINGS,
	IN_QUESTION_LISTS = IN_INBOX | IN_ASKED,
	IN_QUESTIONS = IN_QUESTION_LISTS | IN_ASKING | IN_QUESTION | IN_OUTCOME,
	/* the pages of a team */
	IN_TEAM = IN_TEAM_ROOMS | IN_BACKLOGS | IN_MEMBERS | IN_INVITATIONS,
	IN_ITEMS = IN_SOURCES | IN_BACKLOG | IN_ITEM_NOTE, /* also in a room */
	IN_TEAM_RULES = IN_TEAM_POLICY | IN_FIRST_ROOM,
	IN_TEAM_PAGES = IN_TEAMS | IN_TEAM | IN_INVITED | IN_TEAM_RULES | IN_SOURCES | IN_BACKLOG,
	IN_ALL = IN_ROOM | IN_PAGES | IN_HOME | IN_QUESTIONS | IN_TEAM_PAGES,
	IN_LISTS = IN_PAGES | IN_STORY | IN_PICK | IN_DECKS | IN_HELP | IN_HOME | IN_QUESTION_LISTS | IN_TEAMS | IN_TEAM | IN_TEAM_RULES | IN_SOURCES | IN_BACKLOG,
	/* views with another to go back to */
	IN_BEFORE = (IN_LISTS & ~(uint64_t)(IN_HOME | IN_FIRST_ROOM)) | IN_SUMMARY | IN_SHARE | IN_QR | IN_QUESTIONS | IN_INVITED,
	/* where letters are text */
	IN_TEXTS = IN_WRITING | IN_ANSWER | IN_ITEM_NOTE,
	IN_EVERYWHERE = (UINT64_C(1) << VIEW_COUNT) - 1,
	/* on the way to a new room */
	IN_STEPS = IN_DECKS | IN_FIRST_ROOM,
	/* where one goes to questions and teams, and where they are */
	IN_REACH = IN_EVERYWHERE & ~(uint64_t)(IN_TEXTS | IN_STEPS),
	IN_ASIDE = IN_QUESTIONS | IN_ANSWER | (IN_TEAM_PAGES & ~(uint64_t)IN_ITEMS),
	/* views that exist only at home, and all that exist there */
	IN_OWN_HOME = IN_HOME | IN_STEPS,
	/* where others are invited into the room, if there is one: elsewhere, to a team */
	IN_INVITING = IN_REACH & ~(uint64_t)(IN_OWN_HOME | IN_TEAMS | IN_TEAM | IN_INVITED | IN_TEAM_POLICY),
	IN_AT_HOME = IN_OWN_HOME | IN_ASIDE | IN_ITEMS | IN_SETTINGS
};

#define IN_VIEW(view) (UINT64_C(1) << (view))

#define ACTION_ONLY_AT_HOME "Only at home: leave this room first"

/*
 * The conditions for actions, in the order in which they are checked: the reason shown if
 * one does not hold, and the action that would help, or COUNT.
 */
/*
 *        symbol      holds if                             reason
 * helps
 */
#define NEEDS(X)                                                                                                          \
	X(ROOM,       room->has_state,                     "Still loading the room",                 COUNT) \
	X(NO_ROOM,    room->is_nowhere,                    ACTION_ONLY_AT_HOME,                    COUNT) \
	X(NAME,       room->you.username.data != NULL,               "Choose a name first",                NAME) \
	X(NO_HOST,    !room->you.is_host,                    "You are already a host",                     COUNT) \
	X(HIDDEN,     !room->room.is_revealed,                  "Already revealed",               COUNT) \
	X(VOTES,      action_anybody_voted(room),          "Nobody has voted yet",                     COUNT)                \
	X(REVEALED,   room->room.is_revealed,                   "Reveal the votes first",                   REVEAL)               \
	X(OPEN,       room->room.is_revealed,                   "The cards are already hidden",          COUNT) \
	X(VOTE,       replica_own_vote(room) != NULL,               "You have not voted yet",            COUNT) \
	X(OTHERS,     room->users.n > 1,                 "Nobody else is here",                      COUNT)                \
	X(COUNTDOWN,  room->room.phase == PHASE_COUNTDOWN,      "No countdown in progress",                        COUNT) \
	X(UNDO,       room->room.can_undo,                      "No reset to undo",           COUNT) \
	X(CONFIDENCE, room->room.policy.confidence,             "This room does not record confidence",  COUNT) \
	X(WAITING,    action_anybody_waits(room),          "The lobby is empty",                COUNT) \
	X(MISSING,    action_anybody_else_is_missing(room), "Everyone else has voted",                COUNT) \
	X(STORIES,    room->stories.n > 0,                 "No stories yet",                 ADD)  \
	X(TOGETHER,   room->room.policy.open_stories,      "Stories are voted on one at a time here", POLICY) \
	X(UNVOTED,    action_any_story_waits(room),        "No open story without your vote",      COUNT) \
	X(STORY,      replica_story(room, room->room.story_id.data) != NULL, "No story selected", STORIES) \
	X(REMOVED,    room->removed.n > 0,                 "No removed story",                     COUNT)

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

/* The argument of an action. */
enum takes {
	TAKES_NOTHING,
	TAKES_CARD,
	TAKES_MEMBER,  /* another member of the room */
	TAKES_NO_HOST, /* another admitted member who is not a host */
	TAKES_HOST,    /* a host, possibly the own seat */
	TAKES_WAITING, /* a member in the lobby */
	TAKES_LINE,
	TAKES_SECRET, /* a line that is not shown */
	/* the one in focus, or one by its number, its key or the start of its title */
	TAKES_STORY,
	/* a line about the story in focus, or about the one whose number or key it starts with */
	TAKES_TITLE,
	TAKES_RULE,   /* the one in focus, or a name and a value */
	TAKES_ROW,    /* of a list of teams.h: the one in focus, by its id */
	TAKES_RECENT, /* at home: the room in focus, or a room code */
	TAKES_SETTING /* a name and a value; without them, it opens the settings */
};

/* The place of a hint in the footer; hints in one place are in the order of the table. */
enum hint_place {
	HINT_OWN,    /* first, as far as there is room: those of this view only */
	HINT_SHARED, /* then those shared with the room view; the default for rows with IN_ROOM */
	HINT_LATE,   /* then those that also follow fixed hints */
	HINT_ALWAYS  /* at the end, in space reserved for it */
};

/*
 * Groups of actions, in the order of the help. A group with a view has the keys of that view only:
 * help opened there starts with the group.
 */
/*        symbol    view      title */
#define HELP_GROUPS(X)                                                  \
	X(HOME,     HOME,     "At home")                                \
	X(VOTE,     ROOM,     "Vote")                                   \
	X(LOOK,     ROOM,     "Look around, and leave")                 \
	X(TALK,     ROOM,     "Talk")                                   \
	X(ROUND,    ROOM,     "Run the vote")                                                      \
	X(LEAD,     ROOM,     "The room and its members")                                          \
	X(STORIES,  STORIES,  "In the stories (S)")                     \
	X(POLICY,   POLICY,   "In the rules (P)")                       \
	X(SETTINGS, SETTINGS, "In the settings (o)")                    \
	X(WRITING,  WRITING,  "While writing notes (w) or a description (E)") \
	X(INBOX,    INBOX,    "In the inbox (i)")                       \
	X(TEAMS,    TEAMS,    "In the teams (T)")                       \
	X(BACKLOG,  BACKLOG,  "In a backlog")                           \
	X(SCREEN,   ROOM,     "The screen")

enum help_group {
#define HELP_GROUP_ENUM(symbol, view, title) HELP_##symbol,
	HELP_GROUPS(HELP_GROUP_ENUM)
#undef HELP_GROUP_ENUM
		HELP_GROUP_COUNT
};

struct help_group_row {
	enum view_kind view; /* VIEW_ROOM: of no single view */
	const char *title;
};
extern const struct help_group_row help_groups[HELP_GROUP_COUNT];

enum action {
#define ACTION_ENUM(symbol, ...) ACTION_##symbol,
	ACTIONS(ACTION_ENUM, ACTION_ENUM, ACTION_ENUM)
#undef ACTION_ENUM
		ACTION_COUNT
};

struct tui;
struct completions; /* tui_state.h */

/* @arg  what was typed or chosen; NULL: nothing. */
typedef struct act action_runs(struct tui *t, const struct replica *room, enum action a, const char *arg);
typedef void action_fills(struct tui *t, const struct replica *room, struct request *r);
/* NULL: an empty line. */
typedef const char *action_starts(struct tui *t, const struct replica *room);
/*
 * Write why the action is impossible with the list, or the name, as they are; false: it is
 * possible.
 */
typedef bool action_refuses(struct tui *t, const struct replica *room, const char *arg, char *out, size_t cap);
/* Whether the action is useful now. */
typedef bool action_offers(struct tui *t, const struct replica *room);
/* Write the confirmation; false: nothing would be lost, so none is needed. */
typedef bool action_questions(struct tui *t, const struct replica *room, const char *arg, char *out, size_t cap);
/* The line that a digit alone stands for, from 0 on; NULL: none. */
typedef const char *action_picks(const struct tui *t, const struct replica *room, size_t nth);
typedef void action_completes(const struct tui *t, const struct replica *room, struct slice typed, struct completions *c);

struct action_row {
	enum help_group group; /* in the help */
	uint64_t where;	      /* enum where */
	int32_t key;	      /* 0: several, or none */
	const char *key_name; /* "": it depends on the signs, for the arrow keys */
	const char *command;  /* "": none */
	enum takes takes;
	enum method method; /* of the request it makes, or METHOD_NONE */
	unsigned needs;	    /* enum need, besides the right to call the method */
	const char *hint;   /* in the footer; "": it is only in the help */
	const char *help;

	/* the footer, and further conditions */
	enum hint_place hint_at;
	int hint_cells_min;	 /* the least width of a screen whose footer shows it */
	action_offers *offers;	 /* whether the footer shows it when it is allowed; NULL: always */
	action_refuses *refuses; /* a condition that does not depend on the room; NULL: none */

	/*
	 * the request: the fields that the row in focus, then the typed or chosen words fill; NULL
	 * or no word is nil
	 */
	struct act_word words[ACT_WORDS_MAX];
	action_fills *fill; /* fills the other fields */
	const char *empty;  /* the reply to an empty line, if that is not a value */
	/* the reply to a value that the field does not accept; NULL: the field's own message */
	const char *wrong;
	bool (*check)(const char *typed); /* a further check of the value; NULL: none */

	/* the prompt and the confirmation */
	/* "Your name: "; for an action on a member, the question who; NULL: ":" */
	const char *label;
	/* below the line; a star stands for a dot; NULL: the completions */
	const char *examples;
	action_picks *picks; /* shown in their place; NULL: none */
	/* run on every key, to show its effect; Escape runs it with an empty line */
	bool is_live;
	action_starts *start;	     /* the initial text of the line */
	action_completes *complete;  /* completions besides those of `takes` */
	/* the confirmation, always asked; the object replaces the star (word.h) */
	const char *sure;
	action_questions *question;  /* a confirmation asked only if something would be lost */
	const char *answers;	     /* the possible answers; NULL: yes or no */
	void (*no)(struct tui *t);   /* called on the answer no; NULL: nothing */

	/* other */
	const char *also; /* another name of the command; NULL: none */
	/* for an action without a method, or if another right than the method's is enough */
	enum right right;
	enum local_act local;	/* done instead of a request, or the result of `run` */
	enum view_kind opens;	/* the view that it opens first; not VIEW_ROOM */
	action_runs *begin;	/* called without an argument, instead of opening a line */
	action_runs *run;	/* called instead of making the request from the fields */
	/* the reply in lines mode, which has no screen; NULL: it works there */
	const char *of_screen;
};

extern const struct action_row action_rows[ACTION_COUNT];

/* ACTION_COUNT: none. */
enum action action_of_key(enum view_kind view, int32_t key);
/*
 * Return what an action is there. N goes to the next story, which is the host's next for all at the
 * table, or where stories are open together everybody's own next; I invites into the room, or
 * without one from a backlog to its team.
 */
enum action action_in_room(enum action a, enum view_kind view, const struct replica *room);
/* The action with that command, second name, or unambiguous prefix of one; ACTION_COUNT: none. */
enum action action_of_command(const char *word, size_t len);
/*
 * The key for an action in a view. If the room has a card with that letter, the command, such as
 * ":stories", is used instead, and key is 0.
 */
struct action_key {
	int32_t key;   /* 0: several, or none */
	char name[16]; /* "": it depends on the signs, for the arrow keys */
};
struct action_key action_key_in(enum action a, enum view_kind view, const struct replica *room);
/* The text of its hint in the footer. */
const char *action_hint(enum action a, const struct replica *room);
/* Write the commands that start with the word, "reset, restore"; returns their number. */
size_t action_begun(const char *word, char *out, size_t cap);
/* The command closest to a mistyped word; NULL: none is close. */
const char *action_meant(const char *word);
static inline bool action_is_in(enum action a, enum view_kind view)
{
	return (action_rows[a].where & IN_VIEW(view)) != 0;
}

/* Whether it is available only at home, never in a room. */
static inline bool action_is_of_home(enum action a)
{
	return (action_rows[a].where & ~(uint64_t)IN_OWN_HOME) == 0;
}

/* Whether it is available here: at home (room->is_nowhere), or in a room. */
bool action_is_here(enum action a, const struct replica *room);
bool action_is_allowed(enum action a, const struct replica *room);

/* Whether by this room's rules hosts may do it and other members may not. */
bool action_is_for_hosts(enum action a, const struct replica *room);

/* Whether its argument is a member; whether this member can be the argument. */
bool action_takes_member(enum action a);
bool action_is_for(enum action a, const struct replica *room, const struct user_view *m);

/* The word that its argument fills; its kind is WORD_NONE if there is none. */
const struct act_word *action_word(enum action a);

/* Whether an empty line is a value: it clears the room's title, for example. */
bool action_may_be_empty(enum action a);

/* Who asks for an action, and when. */
struct asking {
	bool is_typed;	/* in plain mode: help is a command, not a key */
	int64_t now_ms; /* of the server's clock, for how long something lasts; 0: not known */
};
/* Write, in one line, why it is not allowed now, and what helps; false: it is allowed. out may be NULL. */
bool action_refusal(enum action a, const struct replica *room, const struct asking *asking, char *out, size_t cap);

#endif
