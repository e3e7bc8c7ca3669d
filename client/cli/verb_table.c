/*
 * verb_table.c - every verb of aye, a row each: help, completion, the manual's check and the way to a handler
 * are made of it. What people do on a screen as well has its row in act_rows.h.
 */
#include "client/acts/act_rows.h"
#include "client/acts/story_words.h"
#include "client/cli/verbs.h"

#define REACHES OPTION_SERVER, OPTION_TIMEOUT, OPTION_JSON
#define SITS	REACHES, OPTION_NAME, OPTION_PASSCODE
#define TELLS \
	OPTION_KEY, OPTION_LINK, OPTION_DESCRIPTION, OPTION_ESTIMATE, OPTION_STATUS, OPTION_UNTIL
#define SHOWS \
	OPTION_THEME, OPTION_COLORS, OPTION_ASCII, OPTION_CALM, OPTION_HYPERLINKS, OPTION_PLAIN
#define PUTS OPTION_BEFORE, OPTION_AFTER
#define MAKES                                                                                  \
	OPTION_DECK, OPTION_TITLE, OPTION_ASYNC, OPTION_TOGETHER, OPTION_UNTIL, OPTION_QUORUM, \
		OPTION_LINKS, OPTION_TEAM
/* A list of the server: verb_list() prints an entry as `says` has it. */
#define LISTS(method_) .run = verb_list, .method = METHOD_##method_, .needs = NEEDS_LOGIN
#define HOLDS	       OPTION_UNIT, OPTION_QUANTITY, OPTION_CATEGORY, OPTION_EXPIRY, OPTION_NOTE
#define ITEM_LINE      "{item_id}  {quantity:8}  {unit:8}  {category~:10}  {expiry#:10}  {name}"
#define TAKES(...)     ((const unsigned char[]){__VA_ARGS__, OPTION_COUNT})

/* One request: what it is, and what it needs; of data, the method has the kind that is told. */
#define CALLS(method_, needs_) .method = METHOD_##method_, .needs = NEEDS_##needs_
#define ACTS(act_)	       .method = METHOD_COUNT, .act = (act_), .needs = NEEDS_KEPT_SEAT

const char *const verb_groups[GROUP_COUNT] = {
#define VERB_GROUP_TITLE(symbol, title) [GROUP_##symbol] = (title),
	VERB_GROUPS(VERB_GROUP_TITLE)
#undef VERB_GROUP_TITLE
};

/*
 * Of the rows of act_rows.h: those with a command are called as that, and by a noun, too; the others by
 * the noun alone.
 */
#define ACT_NOTHING(...)
#define ACT_UNPACK(...)	     __VA_ARGS__
#define ACT_VERB(verb, ...)  ACT_UNPACK verb
#define ACT_EXPAND(row, ...) row(__VA_ARGS__)
#define ACT_ROW(name_, alias_, method_, help_, sure_, words_, group_, usage_, examples_, options_, \
		least_, most_, needs_, ...)                                                        \
	{GROUP_##group_,  name_,	 usage_,                                                   \
	 help_,		  examples_,	 TAKES options_,                                           \
	 least_,	  most_,	 CALLS(method_, needs_),                                   \
	 .alias = alias_, .sure = sure_, .words = {ACT_UNPACK words_},                             \
	 __VA_ARGS__},
#define ACT_COMMAND_ROW(command_, method_, help_, sure_, words_, group_, noun_, ...) \
	ACT_ROW(command_, noun_, method_, help_, sure_, words_, group_, __VA_ARGS__)
#define ACT_NOUN_ROW(method_, help_, sure_, words_, group_, noun_, ...) \
	ACT_ROW(noun_, NULL, method_, help_, sure_, words_, group_, __VA_ARGS__)
#define ACT_COMMAND(symbol, group_, where, key, key_name, command_, takes, method_, needs_, hint, \
		    help_, sure_, words_, ...)                                                    \
	ACT_EXPAND(ACT_COMMAND_ROW, command_, method_, help_, sure_, words_,                      \
		   ACT_VERB(__VA_ARGS__, ))
#define ACT_NOUN(symbol, group_, where, key, key_name, command_, takes, method_, needs_, hint, \
		 help_, sure_, words_, ...)                                                    \
	ACT_EXPAND(ACT_NOUN_ROW, method_, help_, sure_, words_, ACT_VERB(__VA_ARGS__, ))

/* clang-format off */
const struct verb verbs[] = {
	{GROUP_TAKE_PART, "new", "[--share [ADDRESS] [--web]]", "Create a room and join it",
	 "aye new\n"
	 "aye new --title 'Sprint 42' --deck fibonacci\n"
	 "aye new --deck '1 2 3 5 8'\n"
	 "aye new --link-template 'https://example.org/browse/{key}'\n"
	 "aye new --async --until 2d --quorum 5\n"
	 "aye new --async --all --until 2d --quorum 3\n"
	 "aye new --team Payments\n"
	 "aye new --share\n"
	 "aye new --share 192.0.2.7:2937\n"
	 "aye new --share --web",
	 TAKES(SITS, MAKES, SHOWS, OPTION_SPECTATE, OPTION_SHARE, OPTION_WEB, OPTION_INSECURE_WEB), 0, 1, .run = verb_new,
	 .method = METHOD_ROOM_CREATE, .is_first = true, .more = "Without a terminal: print its code and how to join"},
	{GROUP_TAKE_PART, "join", "[CODE]", "Join a room",
	 "aye join K7QX3M\n"
	 "aye join K7QX3M --name Ada --spectate\n"
	 "aye join K7QX3M --server ssh://poker.example",
	 TAKES(SITS, SHOWS, OPTION_SPECTATE), 0, 1, .run = verb_join, .is_first = true, .more = "Without CODE: choose from your recent rooms. Without a terminal: follow it in lines"},
	{GROUP_TAKE_PART, "home", "", "List your recent rooms",
	 "aye\n"
	 "aye --server tls://poker.example:2937\n"
	 "aye home --json",
	 TAKES(OPTION_SERVER, OPTION_JSON, OPTION_NAME,
		 OPTION_SPECTATE, SHOWS), 0, 0, .run = verb_home, .is_first = true, .more = "On a terminal, you can also join or create rooms from it. The same as aye alone"},
	{GROUP_LOOK, "status", "[CODE]", "Print a line about your room, for a prompt or status bar",
	 "aye status\n"
	 "aye status --short\n"
	 "aye status K7QX3M --json --timeout 2",
	 TAKES(REACHES, OPTION_SHORT), 0, 1, .run = verb_status, .is_first = true, .more = "Waits for a server only with --timeout; also counts the questions for you"},
	{GROUP_TAKE_PART, "watch", "[CODE]", "Follow a room as text or JSON lines",
	 "aye watch K7QX3M\n"
	 "aye watch K7QX3M --json --timeout 60",
	 TAKES(REACHES, OPTION_PASSCODE), 1, 1, .run = verb_watch, .is_first = true},
	{GROUP_ROOM, "room create", "[KEY=VALUE]...", "Create a room and print its code, with rules as in room rules; it is revealed automatically only with auto_reveal=on or --quorum",
	 "aye room create --title 'Sprint 42' --json\n"
	 "aye room create auto_reveal=on who_reveals=everyone",
	 TAKES(REACHES, MAKES), 0, ARGS_WORDS_MAX, .run = verb_room_create,
	 .method = METHOD_ROOM_CREATE},
	{GROUP_LOOK, "qr", "[CODE]", "Print a QR code that opens a room on a phone",
	 "aye qr K7QX3M", TAKES(REACHES), 1, 1, .run = verb_qr,
	 .more = "Needs a server with a page for browsers: aye new --share --web"},
	{GROUP_LOOK, "show", "[CODE]", "Print a room", "aye show K7QX3M --json", TAKES(REACHES), 1, 1,
	 .alias = "room show", .run = verb_room_show},
	{GROUP_TAKE_PART, "vote", "[CODE] CARD", "Vote; - retracts your vote",
	 "aye vote 5\n"
	 "aye vote K7QX3M 5 --name Ada --wait\n"
	 "aye vote K7QX3M - --name Ada\n"
	 "aye vote K7QX3M 8 --name estimator --bot --for 10m\n"
	 "aye vote K7QX3M 5 --story PAY-3\n"
	 "aye vote K7QX3M 13 --comment 'two services, one migration' --confidence 2",
	 TAKES(SITS, OPTION_BOT, OPTION_WAIT, OPTION_KEEP_FOR, OPTION_COMMENT,
		 OPTION_CONFIDENCE, OPTION_STORY), 2, 2, .alias = "room vote", .run = verb_room_vote,
	 .method = METHOD_ROOM_VOTE, .words = {{WORD_CARD, "vote"}}, .is_first = true, .more = "The vote stays on the table until the next round; with --wait, as long as the verb waits"},
	{GROUP_ROOM, "room policy", "[CODE] [KEY=VALUE]...", "Set who may do what, and what is automatic; without arguments: print the rules",
	 "aye room policy K7QX3M\n"
	 "aye room policy K7QX3M who_reveals=everyone auto_reveal=off\n"
	 "aye room policy K7QX3M lobby=on --passcode-file secret.txt\n"
	 "aye room policy K7QX3M passcode=off",
	 TAKES(SITS), 1, ARGS_WORDS_MAX, .run = verb_room_policy, .alias = "rules"},
	{GROUP_ROOM, "room keep", "[CODE] DAYS", "Keep the room for days instead of an hour", "aye room keep K7QX3M 14", TAKES(SITS),
	 2, 2, CALLS(ROOM_KEEP, RIGHTS), .words = {{WORD_NUMBER, "days"}}, .says = "{0} is kept until {expires_at@}", .alias = "keep"},
	{GROUP_SERVER, "room forget", "CODE", "Forget a room, your seat and its host key", "aye room forget K7QX3M",
	 TAKES(OPTION_SERVER), 1, 1, .run = verb_room_forget, .alias = "forget"},
	{GROUP_STORIES, "story update", "[CODE] STORY", "Change a story",
	 "aye story update K7QX3M AB-7 --estimate 5\n"
	 "aye story update K7QX3M AB-7 --until 2d\n"
	 "aye story update K7QX3M 3 --title 'Sign in' --description ''", TAKES(SITS, TELLS, OPTION_TITLE), 2, 2,
	 CALLS(STORY_UPDATE, MEMBER), .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} was changed.", .is_first = true, .more = "STORY is a key, a place in the list, the beginning of a title, or a story_id. --until is for those who may reveal"},
	{GROUP_STORIES, "story move", "[CODE] STORY", "Move a story before or after another", "aye story move K7QX3M 5 --before 1",
	 TAKES(SITS, PUTS), 2, 2, CALLS(STORY_MOVE, MEMBER), .words = {{WORD_NEIGHBOUR, NULL}, {WORD_STORY, "story_id"}},
	 .tells = "Story {1} was moved."},
	{GROUP_STORIES, "story restore", "[CODE] STORY", "Restore a removed story to its place",
	 "aye story restore K7QX3M 'Sign out'", TAKES(SITS), 2, 2,
	 CALLS(STORY_RESTORE, MEMBER), .alias = "restore", .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} was restored.",
	 .was_so = verb_story_is_listed, .tells_so = "Nothing changed: story {1} is on the list already."},
	{GROUP_STORIES, "story list", "[CODE]", "Print the stories in order", "aye story list K7QX3M --json --all",
	 TAKES(SITS, OPTION_ALL), 1, 1, .run = verb_story_list, .alias = "stories", .more = "With --json, stories that are open together have is_open, voted and your_vote, and once revealed votes and result"},
	{GROUP_STORIES, "story import", "[CODE] [FILE]", "Add stories from a file or a backlog",
	 "aye story import K7QX3M backlog.csv\n"
	 "gh issue list --json number,title,url,body | aye story import K7QX3M -\n"
	 "aye story import K7QX3M - --format lines < titles.txt\n"
	 "aye story import K7QX3M backlog.json --strict\n"
	 "aye story import K7QX3M --from 'Sprint 42'",
	 TAKES(SITS, OPTION_FORMAT, OPTION_STRICT, OPTION_AGAIN, OPTION_RETRY, OPTION_FROM, OPTION_TEAM), 1, 2,
	 .run = verb_story_import, .alias = "import", .is_first = true, .more = "Lines, Markdown, CSV or JSON, as Jira and GitHub write them; - for standard input"},
	{GROUP_ASK, "ask", "QUESTION|-", "Ask people a question and print its id",
	 "aye ask 'Ship it today?' -o yes -o no --need 3 --open 1h\n"
	 "aye ask 'Ship it today?' -o yes -o no --need 3 --wait --expect yes && ./ship.sh\n"
	 "aye ask 'What would you call this verb?' --audience technical --audience creative\n"
	 "git diff | aye ask - -o merge -o wait\n"
	 "aye ask 'Who broke the build?' --room K7QX3M --anonymous --wait --json\n"
	 "aye ask 'Which week suits you?' --team Payments --open 7d\n"
	 "aye ask 'Can you review it today?' -o yes -o no --to Grace --wait",
	 TAKES(REACHES, OPTION_CHOICE, OPTION_NEED, OPTION_OPEN, OPTION_AUDIENCE,
		 OPTION_TEAM, OPTION_ROOM, OPTION_TO, OPTION_ANONYMOUS, OPTION_WAIT, OPTION_EXPECT, OPTION_NAME),
	 1, 1, .run = verb_ask, .method = METHOD_QUESTION_ASK, .needs = NEEDS_NEW_ASKER, .words = {{WORD_TEXT, "prompt"}}, .is_first = true, .more = "They answer in their own time; - for standard input"},
	{GROUP_ASK, "answer", "ID [CHOICE|TEXT|-]", "Answer a question",
	 "aye answer q_K7QX3M7HQ2 yes --sure 4 --comment 'tested on staging'\n"
	 "aye answer q_K7QX3M7HQ2 - < answer.txt\n"
	 "aye answer q_K7QX3M7HQ2",
	 TAKES(REACHES, OPTION_SURE, OPTION_COMMENT, OPTION_NAME), 1, 2, .run = verb_answer,
	 .method = METHOD_QUESTION_ANSWER, .needs = NEEDS_NEW_ASKER, .words = {{WORD_QUESTION, "question_id"}}, .is_first = true, .more = "Give a choice by its text or number, or an answer in words; - reads standard input. Without an answer, you are prompted"},
	{GROUP_ASK, "inbox", "", "Show the questions waiting for your answer",
	 "aye inbox\n"
	 "aye inbox --plain",
	 TAKES(OPTION_SERVER, OPTION_TIMEOUT, OPTION_JSON, OPTION_NAME, SHOWS),
	 0, 0, .run = verb_inbox, .is_first = true, .more = "Log in, or answer a question, first"},
	{GROUP_ASK, "question list", "", "Print the questions you may answer, the newest first",
	 "aye question list\n"
	 "aye question list --status open\n"
	 "aye question list --audience technical --all --json",
	 TAKES(REACHES, OPTION_STATUS, OPTION_AUDIENCE, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_QUESTION_LIST, .needs = NEEDS_ASKER},
	{GROUP_ASK, "question mine", "", "Print the questions you have asked, the newest first",
	 "aye question mine --status open", TAKES(REACHES, OPTION_STATUS, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_QUESTION_MINE, .needs = NEEDS_ASKER},
	{GROUP_ASK, "question answered", "", "Print what you have answered, the newest first",
	 "aye question answered --limit 5", TAKES(REACHES, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_ANSWER_MINE, .needs = NEEDS_ASKER},
	{GROUP_ASK, "question show", "ID", "Print a question, and the answers you may see",
	 "aye question show q_K7QX3M7HQ2", TAKES(REACHES), 1, 1,
	 .run = verb_question_show, .method = METHOD_QUESTION_GET, .needs = NEEDS_ASKER, .words = {{WORD_QUESTION, "question_id"}}},
	{GROUP_ASK, "question watch", "ID", "Follow a question until it has ended, then print its answers",
	 "aye question watch q_K7QX3M7HQ2 --expect yes", TAKES(REACHES, OPTION_EXPECT), 1, 1,
	 .run = verb_question_watch, .method = METHOD_QUESTION_WATCH, .needs = NEEDS_ASKER, .words = {{WORD_QUESTION, "question_id"}}},
	{GROUP_ASK, "board", "", "Print how many people have how many points, without names: all-time, a week or a day",
	 "aye board\n"
	 "aye board --week --limit 20", TAKES(REACHES, OPTION_WEEK, OPTION_TODAY, OPTION_LIMIT), 0, 0,
	 .run = verb_board, .method = METHOD_LEADERBOARD_GET, .needs = NEEDS_ASKER},
	{GROUP_ASK, "stats", "", "Print your own points, days in a row, and badges", "aye stats --json", TAKES(REACHES), 0, 0,
	 CALLS(STATS_GET, ASKER), .done = verb_stats_were_read},
	{GROUP_ASK, "notify on", "", "Get notifications of new questions: in your own clients, or by the server's command",
	 "aye notify on\n"
	 "aye notify on --every 2h --audience technical\n"
	 "aye notify on --command ada@example.org",
	 TAKES(REACHES, OPTION_COMMAND, OPTION_EVERY, OPTION_AUDIENCE), 0, 0,
	 .run = verb_notify_on, .method = METHOD_SUBSCRIPTION_CREATE, .needs = NEEDS_ASKER},
	{GROUP_ASK, "notify off", "[ID]", "Stop notifications; with an id, of one subscription",
	 "aye notify off", TAKES(REACHES), 0, 1, .run = verb_notify_off, .method = METHOD_SUBSCRIPTION_DELETE, .needs = NEEDS_ASKER,
	 .words = {{WORD_TEXT, "subscription_id"}}},
	{GROUP_ASK, "notify list", "", "Print your subscriptions to notifications", "aye notify list", TAKES(REACHES), 0, 0,
	 CALLS(SUBSCRIPTION_LIST, ASKER), .done = verb_notify_was_listed},
	{GROUP_TEAM, "team", "", "List your teams; if you have one or none, explain what a team is", "aye team", TAKES(REACHES), 0, 0,
	 .run = verb_team, .method = METHOD_GROUP_LIST, .needs = NEEDS_LOGIN, .says = "{group_id}  {role:6}  {group_name}"},
	{GROUP_TEAM, "team list", "", "Print the teams you are in", "aye team list", TAKES(REACHES), 0, 0,
	 LISTS(GROUP_LIST), .says = "{group_id}  {role:6}  {group_name}",
	 .tells_none = "No teams: aye team new NAME to create one, aye team join CODE to join one."},
	{GROUP_TEAM, "team show", "TEAM", "Print a team; TEAM is its id or name",
	 "aye team show Payments", TAKES(REACHES), 1, 1,
	 .run = verb_team_show, .method = METHOD_GROUP_GET, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}}},
	{GROUP_TEAM, "team settings", "TEAM", "Print the deck, links, times and rules of a team's new rooms",
	 "aye team settings Payments", TAKES(REACHES), 1, 1,
	 .run = verb_team_settings, .method = METHOD_GROUP_GET, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}}},
	{GROUP_TEAM, "team set", "TEAM [SETTING=VALUE]...", "Change the settings of a team's new rooms; owners only",
	 "aye team set Payments deck=fibonacci quorum=5 who_reveals=everyone\n"
	 "aye team set Payments link_template='https://example.org/browse/{key}' timer=5m\n"
	 "aye team set Payments reactions='ship it 🎉'\n"
	 "aye team set Payments keep_votes=on reveal_in=2d\n"
	 "aye team set Payments deck='1 2 3 5 8' timer=none",
	 TAKES(REACHES, OPTION_PASSCODE), 1, ARGS_WORDS_MAX, .run = verb_team_set,
	 .method = METHOD_GROUP_SET_DEFAULTS, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}},
	 .more = "Later rooms of the team start with them; rooms that exist stay as they are"},
	{GROUP_TEAM, "team users", "TEAM", "Print the members of a team", "aye team users Payments", TAKES(REACHES), 1, 1,
	 LISTS(GROUP_USERS), .words = {{WORD_TEAM, "group_id"}}, .says = "{user_id}  {role:6}  {joined_on@}  {user_name}"},
	{GROUP_TEAM, "team rooms", "TEAM", "Print the rooms of a team, the newest first, and how many members are in each now", "aye team rooms Payments",
	 TAKES(REACHES), 1, 1,
	 LISTS(GROUP_ROOMS), .words = {{WORD_TEAM, "group_id"}}, .says = ROOM_LINE,
	 .tells_none = "No rooms: aye new --team TEAM to create one."},
	{GROUP_TEAM, "team references", "TEAM ESTIMATE", "Print stories of a team's newest rooms that have an estimate, to compare with",
	 "aye team references Payments 5", TAKES(REACHES), 2, 2,
	 LISTS(GROUP_REFERENCES), .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "estimate"}},
	 .says = "{room_id}  {key:10}  {title}", .tells_none = "No story has that estimate."},
	{GROUP_TEAM, "team role", "TEAM MEMBER owner|member", "Set a member's role: owners may change the team",
	 "aye team role Payments Grace owner", TAKES(REACHES), 3, 3,
	 CALLS(GROUP_SET_ROLE, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEAM_MEMBER, "user_id"}, {WORD_CHOICE, "role"}},
	 .tells = "{1} is {2} now."},
	{GROUP_TEAM, "invite", "TEAM", "Create an invitation and print the join command",
	 "aye invite Payments\n"
	 "aye invite Payments --ends 7d --uses 5", TAKES(REACHES, OPTION_ENDS, OPTION_USES), 1, 1,
	 .run = verb_invite, .method = METHOD_INVITATION_CREATE, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}}, .is_first = true, .more = "Also prints when it expires"},
	{GROUP_TEAM, "invite list", "TEAM", "Print the valid invitations of a team, without their codes",
	 "aye invite list Payments", TAKES(REACHES), 1, 1,
	 LISTS(INVITATION_LIST), .words = {{WORD_TEAM, "group_id"}},
	 .says = "{invitation_id}  expires {link_expiry_datetime@}  uses left {uses_left:4}",
	 .tells_none = "No invitations: aye invite TEAM to create one."},
	{GROUP_TEAM, "backlog list", "[TEAM]", "Print the backlogs of a team, or of all your teams", "aye backlog list Payments", TAKES(REACHES), 0, 1,
	 .run = verb_backlog_list, .method = METHOD_CONTAINER_LIST, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}},
	 .says = "{container_id}  {items:6}  {container_name}",
	 .tells_none = "No backlogs: aye backlog new TEAM NAME to create one."},
	{GROUP_TEAM, "backlog show", "BACKLOG", "Print a backlog with its items; BACKLOG is its id or name",
	 "aye backlog show 'Sprint 42'\n"
	 "aye backlog show Backlog --team Payments", TAKES(REACHES, OPTION_TEAM), 1, 1,
	 .run = verb_backlog_show, .method = METHOD_CONTAINER_GET, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}},
	 .says = ITEM_LINE},
	{GROUP_TEAM, "backlog import", "BACKLOG FILE", "Add items to a backlog from a file",
	 "aye backlog import 'Sprint 42' issues.csv\n"
	 "gh issue list --json number,title,url,body | aye backlog import 'Sprint 42' -\n"
	 "aye backlog import Pantry - --format lines < shopping.txt", TAKES(REACHES, OPTION_TEAM, OPTION_FORMAT, OPTION_STRICT, OPTION_AGAIN, OPTION_RETRY), 2, 2,
	 .run = verb_backlog_import, .method = METHOD_ITEM_ADD, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}}, .is_first = true, .more = "Lines, Markdown, CSV or JSON, as aye, Jira and GitHub write them; - for standard input"},
	{GROUP_TEAM, "backlog export", "BACKLOG", "Write the items of a backlog as csv, jira, github, gitlab, json, md, html or text",
	 "aye backlog export 'Sprint 42' --format csv -o items.csv\n"
	 "aye backlog export 'Sprint 42' --format jira", TAKES(REACHES, OPTION_TEAM, OPTION_FORMAT, OPTION_OUTPUT, OPTION_REST), 1, 1,
	 .run = verb_backlog_export, .method = METHOD_CONTAINER_GET, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}}, .more = "jira, github and gitlab have only items with key and points. Without --format: as the file's name ends, or text on a terminal"},
	{GROUP_TEAM, "item set", "BACKLOG ITEM", "Change an item; ITEM is its id or name",
	 "aye item set Pantry Milk --quantity 3 --expiry 2026-12-24", TAKES(REACHES, OPTION_TEAM, OPTION_CALLED, HOLDS, OPTION_IF_REVISION), 2, 2,
	 .run = verb_item_set, .method = METHOD_ITEM_UPDATE, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}}, .tells = "{1} was changed."},
	{GROUP_TEAM, "item move", "BACKLOG ITEM BACKLOG", "Move an item to another backlog and print its new id",
	 "aye item move 'Sprint 42' 'Sign out' 'Sprint 43'", TAKES(REACHES, OPTION_TEAM, OPTION_IF_REVISION), 3, 3,
	 CALLS(ITEM_MOVE, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_BACKLOG, "to_container_id"}},
	 .says = "{item_id}"},
	{GROUP_TEAM, "item list", "BACKLOG", "Print the items of a backlog in the order they were added", "aye item list Pantry --json",
	 TAKES(REACHES, OPTION_TEAM), 1, 1,
	 LISTS(ITEM_LIST), .words = {{WORD_BACKLOG, "container_id"}}, .says = ITEM_LINE, .tells_none = "The backlog is empty."},
	{GROUP_TEAM, "item expiring", "TEAM [WHEN]", "Print the items of a team that expire within a week, or before a day or time from now",
	 "aye item expiring Home\n"
	 "aye item expiring Home 2026-12-24", TAKES(REACHES), 1, 2,
	 .run = verb_item_expiring, .method = METHOD_ITEM_EXPIRING, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}, {WORD_WHEN, "before"}},
	 .says = "{container_id}  " ITEM_LINE, .tells_none = "Nothing expires until then."},
	{GROUP_LOOK, "export", "[CODE]", "Export stories and votes, or estimates for a tracker",
	 "aye export K7QX3M --format jira -o points.csv\n"
	 "aye export K7QX3M --all -o stories.csv\n"
	 "aye export K7QX3M --format csv --votes -o votes.csv\n"
	 "aye export K7QX3M --format md\n"
	 "aye export K7QX3M --format html --watch /srv/www/room.html",
	 TAKES(SITS, OPTION_FORMAT, OPTION_OUTPUT, OPTION_WATCH,
		 OPTION_REST, OPTION_VOTES), 1, 1,
	 .run = verb_export, .is_first = true, .more = "csv, jira, github and gitlab have only what was settled in this room. Without --format: as the file's name ends, or text on a terminal"},
	{GROUP_LOOK, "summary", "[CODE]", "Print the sum of the estimates, what to talk about, and how to export it",
	 "aye summary K7QX3M\n"
	 "aye summary K7QX3M --json", TAKES(SITS), 1, 1, .run = verb_summary,
	 .more = "To talk about: stories whose last votes are more than one card apart"},
	{GROUP_LOOK, "round list", "[CODE]", "Print the revealed rounds, the newest first",
	 "aye round list K7QX3M --limit 5 --json", TAKES(SITS, OPTION_LIMIT), 1, 1, .run = verb_round_list, .alias = "history"},
	{GROUP_LEAD, "timer start", "[CODE] [TIME]", "Start a timer for everyone, such as 5m or 90s",
	 "aye timer start K7QX3M 5m --reveal", TAKES(SITS, OPTION_REVEAL), 1, 2,
	 CALLS(TIMER_START, MEMBER), .alias = "timer", .words = {{WORD_SECONDS, "seconds"}}, .done = verb_timer_was_started, .is_first = true, .more = "Minutes, or 90s, 5m, 1h, 2d; without TIME, the usual one of the room's team"},
	{GROUP_LEAD, "timer stop", "[CODE]", "Stop the timer", "aye timer stop K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(TIMER_STOP, MEMBER), .tells = "Timer stopped."},
	{GROUP_SERVER, "login", "NAME", "Log in; the first time creates your key and a first team",
	 "aye login Ada\n"
	 "aye login Bot --guest\n"
	 "aye login Ada --server tls://poker.example --same-as unix:/run/ayed/ayed.sock",
	 TAKES(REACHES, OPTION_GUEST, OPTION_SAME_AS), 1, 1, .run = verb_login,
	 .method = METHOD_SESSION_LOGIN, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "user_name"}}, .is_first = true, .more = "You are the same user in every room. A guest gets no team, nor do programs with --json"},
	{GROUP_SERVER, "logout", "", "End the session and free its name", "aye logout", TAKES(REACHES), 0, 0, .run = verb_logout},
	{GROUP_SERVER, "whoami", "", "Print who is logged in, and in which rooms; with --watch each change",
	 "aye whoami --json\n"
	 "aye whoami --watch",
	 TAKES(REACHES, OPTION_FOLLOW), 0, 0, .run = verb_whoami,
	 .method = METHOD_SESSION_WHOAMI, .needs = NEEDS_ASKER, .done = verb_whoami_was_asked},
	{GROUP_SCRIPTS, "data get", "[CODE] KIND NAME [KEY]", "Print shared data, one JSON line per entry; KIND: map, list or presence",
	 "aye data get K7QX3M map notes\n"
	 "aye data get K7QX3M presence status",
	 TAKES(SITS), 3, 4, ACTS("get"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .done = verb_data_was_read},
	{GROUP_SCRIPTS, "data set", "[CODE] KIND NAME [KEY] VALUE", "Set a value, JSON or plain text; KEY: a map's key, a list's entry_id",
	 "aye data set K7QX3M map notes api 'ask the vendor'\n"
	 "aye data set K7QX3M map notes api '{\"n\":2}' --if-revision 1",
	 TAKES(SITS, OPTION_IF_REVISION), 4, 5,
	 ACTS("set"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}, {WORD_JSON, "value"}},
	 .tells = "{2} is set."},
	{GROUP_SCRIPTS, "data remove", "[CODE] KIND NAME [KEY]", "Remove a key, an entry, or your presence",
	 "aye data remove K7QX3M map notes api", TAKES(SITS, OPTION_IF_REVISION), 3, 4,
	 ACTS("remove"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}}, .tells = "Removed from {2}."},
	{GROUP_SCRIPTS, "data push", "[CODE] list NAME VALUE", "Add an entry at the end and print its entry_id",
	 "aye data push K7QX3M list agenda 'retro at 3'", TAKES(SITS), 4, 4,
	 ACTS("push"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_JSON, "value"}}, .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data insert", "[CODE] list NAME before|after ENTRY VALUE", "Add an entry next to another and print its entry_id",
	 "aye data insert K7QX3M list agenda before 7HQ2MB4XNA 'first things first'", TAKES(SITS), 6, 6,
	 ACTS("insert"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}, {WORD_JSON, "value"}},
	 .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data move", "[CODE] list NAME ENTRY before|after ENTRY", "Move an entry before or after another",
	 "aye data move K7QX3M list agenda 7HQ2MB4XNA after 9KD3WPX6RT",
	 TAKES(SITS, OPTION_IF_REVISION), 6, 6,
	 ACTS("move"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_TEXT, "entry_id"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}},
	 .tells = "{3} was moved."},
	{GROUP_SCRIPTS, "data create", "[CODE] KIND NAME", "Create a map, a list or a presence, if it does not exist",
	 "aye data create K7QX3M map notes", TAKES(SITS), 3, 3,
	 ACTS("create"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} exists."},
	{GROUP_SCRIPTS, "data delete", "[CODE] KIND NAME", "Delete it and its contents", "aye data delete K7QX3M map notes", TAKES(SITS),
	 3, 3, ACTS("delete"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} was deleted."},
	{GROUP_SCRIPTS, "data watch", "[CODE] [KIND [NAME [KEY]]]", "Follow changes as JSON lines, starting with the current state",
	 "aye data watch K7QX3M map notes --timeout 60", TAKES(REACHES), 1, 4, .run = verb_data_watch},
	{GROUP_SERVER, "serve", "[ADDRESS]", "Open your own server to others",
	 "aye serve\n"
	 "aye serve 192.0.2.7:2937\n"
	 "aye serve --web\n"
	 "aye serve --stop", TAKES(REACHES, OPTION_WEB, OPTION_INSECURE_WEB, OPTION_STOP, OPTION_YES), 0, 1, .run = verb_serve, .is_first = true, .sure = "Stop your own server? * will close; its rooms are kept.", .is_for_good = true, .more = "On all addresses of this machine, or on one"},
	{GROUP_SERVER, "relay", "", "Connect standard input and output to this machine's server; run by ssh:// on the far side",
	 "ssh poker.example aye relay\n"
	 "aye relay --server unix:/run/ayed/ayed.sock", TAKES(OPTION_SERVER), 0, 0, .run = verb_relay},
	{GROUP_SERVER, "ssh-setup", "", "Give people with only ssh access to this machine's rooms: ssh vote@HOST CODE; for root",
	 "aye ssh-setup --keys team.keys\n"
	 "aye ssh-setup --user poker --any-key\n"
	 "aye ssh-setup --remove",
	 TAKES(OPTION_USER, OPTION_KEYS, OPTION_ANY_KEY, OPTION_REMOVE, OPTION_ROOT), 0, 0, .run = verb_ssh_setup},
	{GROUP_SERVER, "server stats", "", "Print the server's counters; administrator only", "aye server stats --json",
	 TAKES(REACHES), 0, 0, CALLS(SERVER_STATS, SERVER), .done = verb_server_has_counted},
	{GROUP_SERVER, "server ping", "", "Check that the server answers", "aye server ping && echo up", TAKES(REACHES), 0, 0,
	 CALLS(SERVER_PING, SERVER), .done = verb_server_has_answered},
	{GROUP_SERVER, "server questions", "", "List everyone's questions, the newest first; administrator only",
	 "aye server questions\n"
	 "aye server questions --flagged", TAKES(REACHES, OPTION_FLAGGED), 0, 0,
	 .run = verb_list, .method = METHOD_SERVER_QUESTIONS, .needs = NEEDS_LOGIN,
	 .says = "{question_id}  {status:9}  {created_at@}  {user_id}  {prompt}", .tells_none = "No such questions."},
	{GROUP_SERVER, "server answers", "QUESTION", "List the answers of a question, without names; administrator only",
	 "aye server answers q_K7QX3M7HQ2 --json", TAKES(REACHES), 1, 1,
	 .run = verb_list, .method = METHOD_SERVER_ANSWERS, .needs = NEEDS_LOGIN, .words = {{WORD_QUESTION, "question_id"}},
	 .says = "{response_id}  {created_at@}  {option}  {answer}  {comment}", .tells_none = "No answers."},
	{GROUP_SERVER, "server remove", "QUESTION", "Delete a question with all its answers; administrator only",
	 "aye server remove q_K7QX3M7HQ2 --yes", TAKES(REACHES, OPTION_YES), 1, 1,
	 CALLS(SERVER_REMOVE, LOGIN), .words = {{WORD_QUESTION, "question_id"}},
	 .sure = "Delete * with all its answers?", .is_for_good = true, .tells = "{0} was deleted."},
	{GROUP_SERVER, "server remove-answer", "QUESTION ANSWER", "Delete one answer; administrator only",
	 "aye server remove-answer q_K7QX3M7HQ2 r_7HQ2K7QX3M --yes", TAKES(REACHES, OPTION_YES), 2, 2,
	 CALLS(SERVER_REMOVE, LOGIN), .words = {{WORD_QUESTION, "question_id"}, {WORD_TEXT, "response_id"}},
	 .sure = "Delete *?", .is_for_good = true, .tells = "{1} was deleted."},
	{GROUP_SERVER, "server bar", "USER", "Bar a user from logging in, asking and answering, and end their sessions; print the bar's id; administrator only",
	 "aye server bar K7QX3M7HQ2MB4XNA", TAKES(REACHES), 1, 1,
	 CALLS(SERVER_BAR, LOGIN), .words = {{WORD_TEXT, "user_id"}}, .says = "{bar_id}"},
	{GROUP_SERVER, "server bar-author", "QUESTION ANSWER", "Bar the author of an answer, without learning who it is; administrator only",
	 "aye server bar-author q_K7QX3M7HQ2 r_7HQ2K7QX3M", TAKES(REACHES), 2, 2,
	 CALLS(SERVER_BAR, LOGIN), .words = {{WORD_QUESTION, "question_id"}, {WORD_TEXT, "response_id"}}, .says = "{bar_id}"},
	{GROUP_SERVER, "server barred", "", "List the barred users; administrator only", "aye server barred", TAKES(REACHES), 0, 0,
	 .run = verb_list, .method = METHOD_SERVER_BARRED, .needs = NEEDS_LOGIN,
	 .says = "{bar_id}  {barred_at@}  {user_id}  {user_name}  {response_id}", .tells_none = "No barred users."},
	{GROUP_SERVER, "server unbar", "BAR", "Let a barred user return; administrator only", "aye server unbar b_K7QX3M7HQ2MB4XNA", TAKES(REACHES), 1, 1,
	 CALLS(SERVER_UNBAR, LOGIN), .words = {{WORD_TEXT, "bar_id"}}, .tells = "{0} was lifted."},
	{GROUP_SERVER, "server known", "", "List the servers trusted at first contact", "aye server known",
	 TAKES(OPTION_JSON), 0, 0, .run = verb_server_known},
	{GROUP_SERVER, "server forget", "ADDRESS", "Forget a server's fingerprint; ask again at the next contact", "aye server forget 192.0.2.7:2937",
	 0, 1, 1, .run = verb_server_forget},
	{GROUP_SCRIPTS, "call", "METHOD [JSON]", "Send one request and print its result",
	 "aye call server.ping\n"
	 "aye call room.get '{\"room_id\":\"K7QX3M\"}'",
	 TAKES(REACHES), 1, 2, .run = verb_call},
	{GROUP_SCRIPTS, "script", "", "Read requests as JSON lines, write answers and notifications as JSON lines",
	 "aye script < requests.jsonl\n"
	 "echo '{\"id\":1,\"method\":\"room.create\",\"params\":{}}' | aye script",
	 TAKES(OPTION_SERVER, OPTION_TIMEOUT), 0, 0, .run = verb_script},
	{GROUP_SCRIPTS, "mcp", "", "Let an agent ask people: a Model Context Protocol server on standard input and output",
	 "aye mcp --name 'build agent'\n"
	 "aye mcp --server tls://poker.example:2937 --name 'build agent'",
	 TAKES(OPTION_SERVER, OPTION_TIMEOUT, OPTION_ASKER), 0, 0, .run = verb_mcp},
	{GROUP_HELP, "help", "[VERB...]", "Show how a verb is used; all: every verb", "aye help room vote", NULL, 0, 2, .run = verb_help},
	{GROUP_HELP, "completion", "bash|zsh|fish|words [-- WORD...]",
	 "Print the shell's completion script; words: print what could complete the last word",
	 "eval \"$(aye completion bash)\"\n"
	 "aye completion fish | source\n"
	 "aye completion words -- room v",
	 NULL, 1, ARGS_WORDS_MAX, .run = verb_completion},
	{GROUP_HELP, "version", "", "Print the version", "", NULL, 0, 0, .run = verb_version},
	ACTIONS(ACT_NOTHING, ACT_COMMAND, ACT_NOUN)
	{.name = NULL},
};
/* clang-format on */
