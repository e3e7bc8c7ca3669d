/*
 * verb_table.c - every verb of aye, a row each: help, completion, the manual's check and the way to a handler
 * are made of it.
 */
#include "client/cli/verbs.h"

#define REACHES OPTION_SERVER, OPTION_TIMEOUT, OPTION_JSON
#define SITS	REACHES, OPTION_NAME, OPTION_PASSCODE
#define TELLS	OPTION_KEY, OPTION_LINK, OPTION_DESCRIPTION, OPTION_ESTIMATE, OPTION_STATUS
#define SHOWS \
	OPTION_THEME, OPTION_COLORS, OPTION_ASCII, OPTION_CALM, OPTION_HYPERLINKS, OPTION_PLAIN
#define PUTS OPTION_BEFORE, OPTION_AFTER
#define MAKES                                                                               \
	OPTION_DECK, OPTION_TITLE, OPTION_ASYNC, OPTION_UNTIL, OPTION_QUORUM, OPTION_LINKS, \
		OPTION_TEAM
/* A list of the server: verb_list() prints an entry as `says` has it. */
#define LISTS(method_) .run = verb_list, .method = METHOD_##method_, .needs = NEEDS_LOGIN
#define HOLDS	       OPTION_UNIT, OPTION_QUANTITY, OPTION_CATEGORY, OPTION_EXPIRY, OPTION_NOTE
#define ITEM_LINE      "{item_id}  {quantity:8}  {unit:8}  {category:10}  {expiry#:10}  {name}"
#define TAKES(...)     ((const unsigned char[]){__VA_ARGS__, OPTION_COUNT})

/* One request: what it is, and what it needs; of data, the method has the kind that is told. */
#define CALLS(method_, needs_) \
	.run = verb_method, .method = METHOD_##method_, .needs = NEEDS_##needs_
#define ACTS(act_) \
	.run = verb_method, .method = METHOD_COUNT, .act = (act_), .needs = NEEDS_KEPT_SEAT

const char *const verb_groups[GROUP_COUNT] = {
#define VERB_GROUP_TITLE(symbol, title) [GROUP_##symbol] = (title),
	VERB_GROUPS(VERB_GROUP_TITLE)
#undef VERB_GROUP_TITLE
};

/* clang-format off */
const struct verb verbs[] = {
	{GROUP_TAKE_PART, "new", "[--share [ADDRESS]]", "Open a room and go in; without a terminal: print its code and how to join",
	 "aye new\n"
	 "aye new --title 'Sprint 42' --deck fibonacci\n"
	 "aye new --deck '1 2 3 5 8'\n"
	 "aye new --link-template 'https://example.org/browse/{key}'\n"
	 "aye new --async --until 2d --quorum 5\n"
	 "aye new --team Payments\n"
	 "aye new --share\n"
	 "aye new --share 192.0.2.7:2937",
	 TAKES(SITS, MAKES, SHOWS, OPTION_SPECTATE, OPTION_SHARE), 0, 1, .run = verb_new,
	 .method = METHOD_ROOM_CREATE},
	{GROUP_TAKE_PART, "join", "CODE", "Take a seat in a room; without a terminal: follow it in lines",
	 "aye join K7QX3M\n"
	 "aye join K7QX3M --name Ada --spectate\n"
	 "aye join K7QX3M --server ssh://poker.example",
	 TAKES(SITS, SHOWS, OPTION_SPECTATE), 1, 1, .run = verb_join},
	{GROUP_TAKE_PART, "home", "", "The rooms you were in, and the way into others; what aye alone does on a terminal",
	 "aye\n"
	 "aye --server tls://poker.example:2937\n"
	 "aye home --json",
	 TAKES(OPTION_SERVER, OPTION_JSON, OPTION_NAME,
		 OPTION_SPECTATE, SHOWS), 0, 0, .run = verb_home},
	{GROUP_LOOK, "status", "[CODE]", "A line about the room you are in, and how many questions wait, at once, for a prompt or a status bar",
	 "aye status\n"
	 "aye status --short\n"
	 "aye status K7QX3M --json",
	 TAKES(OPTION_SERVER, OPTION_JSON, OPTION_SHORT), 0, 1, .run = verb_status},
	{GROUP_TAKE_PART, "watch", "CODE", "Follow a room in plain sentences, or in JSON lines",
	 "aye watch K7QX3M\n"
	 "aye watch K7QX3M --json --timeout 60",
	 TAKES(REACHES, OPTION_PASSCODE), 1, 1, .run = verb_watch},
	{GROUP_ROOM, "room create", "", "Make a room and print its code",
	 "aye room create --title 'Sprint 42' --json", TAKES(REACHES, MAKES), 0, 0, .run = verb_room_create,
	 .method = METHOD_ROOM_CREATE},
	{GROUP_LOOK, "room show", "CODE", "Print a room as it is now", "aye room show K7QX3M --json", TAKES(REACHES), 1, 1,
	 .alias = "show", .run = verb_room_show},
	{GROUP_TAKE_PART, "room vote", "CODE CARD", "Vote, with - retract the vote; without --wait a vote lasts a minute",
	 "aye room vote K7QX3M 5 --name Ada --wait\n"
	 "aye room vote K7QX3M - --name Ada\n"
	 "aye room vote K7QX3M 8 --name estimator --bot --wait --timeout 600\n"
	 "aye room vote K7QX3M 13 --comment 'two services, one migration' --confidence 2",
	 TAKES(SITS, OPTION_BOT, OPTION_WAIT, OPTION_COMMENT,
		 OPTION_CONFIDENCE), 2, 2, .alias = "vote", .run = verb_room_vote,
	 .method = METHOD_ROOM_VOTE, .words = {{WORD_CARD, "vote"}}},
	{GROUP_LEAD, "room reveal", "CODE", "Turn the cards over and print them", "aye room reveal K7QX3M", TAKES(SITS), 1, 1,
	 .alias = "reveal", CALLS(ROOM_SET_REVEALED, RIGHTS), .words = {{WORD_TRUE, "is_revealed"}}, .done = verb_room_was_revealed},
	{GROUP_LEAD, "room hide", "CODE", "Hide the cards again, keeping the votes", "aye room hide K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(ROOM_SET_REVEALED, RIGHTS), .words = {{WORD_FALSE, "is_revealed"}}, .done = verb_room_was_hidden,
	 .tells = "The cards are hidden again."},
	{GROUP_LEAD, "room reset", "CODE", "Clear all votes and begin the next round", "aye room reset K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(ROOM_RESET, MEMBER), .says = "Round {round} begins."},
	{GROUP_ROOM, "room title", "CODE [TEXT]", "Change the title, or print it; '' takes it away",
	 "aye room title K7QX3M\n"
	 "aye room title K7QX3M 'Sprint 43'\n"
	 "aye room title K7QX3M ''",
	 TAKES(SITS), 1, 2, .run = verb_room_title, .method = METHOD_ROOM_SET_TITLE, .needs = NEEDS_RIGHTS,
	 .words = {{WORD_TEXT, "title"}}, .tells = "The title is now \"{1}\".", .tells_none = "The room has no title now."},
	{GROUP_STORIES, "room links", "CODE TEMPLATE", "Say where stories are described, with {key} for a story's key; '' for nowhere",
	 "aye room links K7QX3M 'https://example.org/browse/{key}'", TAKES(SITS), 2, 2,
	 CALLS(ROOM_SET_LINK_TEMPLATE, RIGHTS), .words = {{WORD_TEXT, "link_template"}},
	 .tells = "Links of stories are {1}.", .tells_none = "Stories have no links of their own now."},
	{GROUP_ROOM, "room deck", "CODE DECK...", "Change the cards: a preset's name, or the cards",
	 "aye room deck K7QX3M tshirt\n"
	 "aye room deck K7QX3M 1 2 3 5 8",
	 TAKES(SITS), 2, ARGS_WORDS_MAX, CALLS(ROOM_SET_VALID_SIZES, RIGHTS), .words = {{WORD_DECK, "valid_sizes"}},
	 .tells = "The cards are {valid_sizes}."},
	{GROUP_ROOM, "room kick", "CODE WHO", "Remove a member, by name or user_id", "aye room kick K7QX3M Grace", TAKES(SITS),
	 2, 2, CALLS(ROOM_KICK, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was removed from the room."},
	{GROUP_ROOM, "room unkick", "CODE WHO", "Let somebody come back who was kicked for good",
	 "aye room unkick K7QX3M Grace", TAKES(SITS), 2, 2,
	 CALLS(ROOM_UNKICK, SEAT), .words = {{WORD_BARRED, "user_id"}}, .tells = "{1} may come back."},
	{GROUP_ROOM, "room policy", "CODE [KEY=VALUE]...", "Say who may do what, and what happens by itself; without words: print it",
	 "aye room policy K7QX3M\n"
	 "aye room policy K7QX3M who_reveals=everyone auto_reveal=off\n"
	 "aye room policy K7QX3M lobby=on --passcode-file secret.txt\n"
	 "aye room policy K7QX3M passcode=off",
	 TAKES(SITS), 1, ARGS_WORDS_MAX, .run = verb_room_policy},
	{GROUP_ROOM, "room admit", "CODE WHO", "Let a member in who waits in the lobby", "aye room admit K7QX3M Grace", TAKES(SITS),
	 2, 2, CALLS(ROOM_ADMIT, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was let in."},
	{GROUP_ROOM, "room reject", "CODE WHO", "Turn a member away who waits in the lobby", "aye room reject K7QX3M Mallory",
	 TAKES(SITS), 2, 2, CALLS(ROOM_REJECT, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was turned away."},
	{GROUP_ROOM, "room host", "CODE WHO", "Make a member host, beside whoever is", "aye room host K7QX3M Grace", TAKES(SITS), 2, 2,
	 CALLS(ROOM_SET_HOST, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} is host now."},
	{GROUP_ROOM, "room unhost", "CODE WHO", "End a member's rights as host", "aye room unhost K7QX3M Grace", TAKES(SITS),
	 2, 2, CALLS(ROOM_UNSET_HOST, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} is host no longer."},
	{GROUP_ROOM, "room keep", "CODE DAYS", "Keep the room for days, not for an hour", "aye room keep K7QX3M 14", TAKES(SITS),
	 2, 2, CALLS(ROOM_KEEP, RIGHTS), .words = {{WORD_NUMBER, "days"}}, .done = verb_room_was_kept},
	{GROUP_ROOM, "room pause", "CODE MINUTES", "Take a break that everybody sees; 0 ends it", "aye room pause K7QX3M 10", TAKES(SITS),
	 2, 2, CALLS(ROOM_PAUSE, MEMBER), .words = {{WORD_NUMBER, "minutes"}},
	 .tells = "A break of {1} min began.", .tells_none = "The break is over."},
	{GROUP_SERVER, "room forget", "CODE", "Take a room off the list of aye home, and its keys with it", "aye room forget K7QX3M",
	 TAKES(OPTION_SERVER), 1, 1, .run = verb_room_forget},
	{GROUP_ROOM, "room delete", "CODE", "End the room for everybody", "aye room delete K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(ROOM_DELETE, RIGHTS), .done = verb_room_was_deleted, .tells = "The room is gone."},
	{GROUP_STORIES, "story add", "CODE TITLE", "Add a story; print its story_id",
	 "aye story add K7QX3M 'Sign in with a passkey' --key AB-7 --link https://tracker.example/AB-7\n"
	 "aye story add K7QX3M 'Sign out' --after 1",
	 TAKES(SITS, TELLS, PUTS), 2, 2, CALLS(STORY_ADD, MEMBER), .words = {{WORD_TEXT, "title"}}, .says = "{story_id}"},
	{GROUP_STORIES, "story update", "CODE STORY", "Change what is given; STORY is a key, a place in the list, the beginning of a title, or a story_id",
	 "aye story update K7QX3M AB-7 --estimate 5\n"
	 "aye story update K7QX3M 3 --title 'Sign in' --description ''", TAKES(SITS, TELLS, OPTION_TITLE), 2, 2,
	 CALLS(STORY_UPDATE, MEMBER), .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} is changed."},
	{GROUP_STORIES, "story move", "CODE STORY", "Put a story before or behind another", "aye story move K7QX3M 5 --before 1",
	 TAKES(SITS, PUTS), 2, 2, CALLS(STORY_MOVE, MEMBER), .words = {{WORD_NEIGHBOUR, NULL}, {WORD_STORY, "story_id"}},
	 .tells = "Story {1} is moved."},
	{GROUP_STORIES, "story remove", "CODE STORY", "Take a story off the list", "aye story remove K7QX3M 5", TAKES(SITS), 2, 2,
	 CALLS(STORY_REMOVE, MEMBER), .words = {{WORD_STORY, "story_id"}},
	 .tells = "Story {1} is off the list; aye story restore restores it."},
	{GROUP_STORIES, "story restore", "CODE STORY", "Restore a removed story to its place",
	 "aye story restore K7QX3M 'Sign out'", TAKES(SITS), 2, 2,
	 CALLS(STORY_RESTORE, MEMBER), .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} is restored."},
	{GROUP_STORIES, "story select", "CODE STORY", "Vote on this story from now on; - for nothing in particular",
	 "aye story select K7QX3M AB-7\n"
	 "aye story select K7QX3M refund\n"
	 "aye story select K7QX3M 2", TAKES(SITS), 2, 2,
	 CALLS(STORY_SELECT, MEMBER), .words = {{WORD_STORY, "story_id"}}, .says = "Round {round} begins."},
	{GROUP_STORIES, "story next", "CODE", "Vote on the next story that is still to do; ends with 5 where none is",
	 "aye story next K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(STORY_NEXT, MEMBER), .done = verb_story_was_chosen},
	{GROUP_STORIES, "story list", "CODE", "Print the stories in their order", "aye story list K7QX3M --json --all",
	 TAKES(SITS, OPTION_ALL), 1, 1, .run = verb_story_list},
	{GROUP_STORIES, "story import", "CODE [FILE]", "Add stories from lines, Markdown, CSV or JSON, as Jira and GitHub write them, - for standard input; or from a backlog",
	 "aye story import K7QX3M backlog.csv\n"
	 "gh issue list --json number,title,url,body | aye story import K7QX3M -\n"
	 "aye story import K7QX3M - --format lines < titles.txt\n"
	 "aye story import K7QX3M backlog.json --strict\n"
	 "aye story import K7QX3M --from 'Sprint 42'",
	 TAKES(SITS, OPTION_FORMAT, OPTION_STRICT, OPTION_RETRY, OPTION_FROM, OPTION_TEAM), 1, 2,
	 .run = verb_story_import},
	{GROUP_ASK, "ask", "QUESTION", "Ask people a question, which they answer in their own time; print its question_id",
	 "aye ask 'Ship it today?' -o yes -o no --need 3 --open 1h\n"
	 "aye ask 'Ship it today?' -o yes -o no --need 3 --wait --expect yes && ./ship.sh\n"
	 "aye ask 'What would you call this verb?' --audience technical --audience creative\n"
	 "aye ask 'Who broke the build?' --room K7QX3M --anonymous --wait --json",
	 TAKES(REACHES, OPTION_CHOICE, OPTION_NEED, OPTION_OPEN, OPTION_AUDIENCE,
		 OPTION_ROOM, OPTION_ANONYMOUS, OPTION_WAIT, OPTION_EXPECT),
	 1, 1, .run = verb_ask, .method = METHOD_QUESTION_ASK, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "prompt"}}},
	{GROUP_ASK, "answer", "ID [CHOICE|TEXT|-]", "Answer a question: a choice by its words or number, or in words, - for standard input; without it: be asked",
	 "aye answer q_K7QX3M7HQ2 yes --sure 4 --comment 'tested on staging'\n"
	 "aye answer q_K7QX3M7HQ2 - < answer.txt\n"
	 "aye answer q_K7QX3M7HQ2",
	 TAKES(REACHES, OPTION_SURE, OPTION_COMMENT), 1, 2, .run = verb_answer,
	 .method = METHOD_QUESTION_ANSWER, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "question_id"}}},
	{GROUP_ASK, "inbox", "", "The questions that wait for your answer; for those who are logged in",
	 "aye inbox\n"
	 "aye inbox --plain",
	 TAKES(OPTION_SERVER, OPTION_TIMEOUT, OPTION_JSON, OPTION_NAME, SHOWS),
	 0, 0, .run = verb_inbox},
	{GROUP_ASK, "question list", "", "Print the questions that you may answer, the newest first",
	 "aye question list\n"
	 "aye question list --status open\n"
	 "aye question list --audience technical --all --json",
	 TAKES(REACHES, OPTION_STATUS, OPTION_AUDIENCE, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_QUESTION_LIST, .needs = NEEDS_LOGIN},
	{GROUP_ASK, "question mine", "", "Print the questions that you asked, the newest first",
	 "aye question mine --status open", TAKES(REACHES, OPTION_STATUS, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_QUESTION_MINE, .needs = NEEDS_LOGIN},
	{GROUP_ASK, "question answered", "", "Print what you have answered, the newest first",
	 "aye question answered --limit 5", TAKES(REACHES, OPTION_LIMIT, OPTION_PAGES), 0, 0,
	 .run = verb_question_list, .method = METHOD_ANSWER_MINE, .needs = NEEDS_LOGIN},
	{GROUP_ASK, "question show", "ID", "Print a question, and its answers as far as you may see them",
	 "aye question show q_K7QX3M7HQ2", TAKES(REACHES), 1, 1,
	 .run = verb_question_show, .method = METHOD_QUESTION_GET, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "question_id"}}},
	{GROUP_ASK, "question watch", "ID", "Follow a question until it has ended, then print its answers",
	 "aye question watch q_K7QX3M7HQ2 --expect yes", TAKES(REACHES, OPTION_EXPECT), 1, 1,
	 .run = verb_question_watch, .method = METHOD_QUESTION_WATCH, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "question_id"}}},
	{GROUP_ASK, "question skip", "ID", "Not be shown a question again", "aye question skip q_K7QX3M7HQ2", TAKES(REACHES), 1, 1,
	 CALLS(QUESTION_SKIP, LOGIN), .words = {{WORD_TEXT, "question_id"}}, .tells = "{0} is no longer listed for you."},
	{GROUP_ASK, "question cancel", "ID", "End your own question", "aye question cancel q_K7QX3M7HQ2", TAKES(REACHES), 1, 1,
	 CALLS(QUESTION_CANCEL, LOGIN), .words = {{WORD_TEXT, "question_id"}}, .tells = "{0} is cancelled."},
	{GROUP_ASK, "board", "", "Who has earned the most points by answering, without names: of all time, a week or a day",
	 "aye board\n"
	 "aye board --week --limit 20", TAKES(REACHES, OPTION_WEEK, OPTION_TODAY, OPTION_LIMIT), 0, 0,
	 .run = verb_board, .method = METHOD_LEADERBOARD_GET, .needs = NEEDS_LOGIN},
	{GROUP_ASK, "stats", "", "Print your own points, days in a row, and badges", "aye stats --json", TAKES(REACHES), 0, 0,
	 CALLS(STATS_GET, LOGIN), .done = verb_stats_were_read},
	{GROUP_ASK, "notify on", "", "Be sent notices of new questions: to your own clients, or by the server's command",
	 "aye notify on\n"
	 "aye notify on --every 2h --audience technical\n"
	 "aye notify on --command ada@example.org",
	 TAKES(REACHES, OPTION_COMMAND, OPTION_EVERY, OPTION_AUDIENCE), 0, 0,
	 .run = verb_notify_on, .method = METHOD_SUBSCRIPTION_CREATE, .needs = NEEDS_LOGIN},
	{GROUP_ASK, "notify off", "[ID]", "No more notices; of one subscription of aye notify list alone",
	 "aye notify off", TAKES(REACHES), 0, 1, .run = verb_notify_off, .method = METHOD_SUBSCRIPTION_DELETE, .needs = NEEDS_LOGIN,
	 .words = {{WORD_TEXT, "subscription_id"}}},
	{GROUP_ASK, "notify list", "", "Print how notices come to you", "aye notify list", TAKES(REACHES), 0, 0,
	 CALLS(SUBSCRIPTION_LIST, LOGIN), .done = verb_notify_was_listed},
	{GROUP_TEAM, "team new", "NAME [BACKLOG]", "Make a team with its first backlog; print its id",
	 "aye team new Payments\n"
	 "aye team new Home Groceries", TAKES(REACHES), 1, 2,
	 CALLS(GROUP_CREATE, LOGIN), .words = {{WORD_TEXT, "group_name"}, {WORD_TEXT, "container_name"}}, .says = "{group_id}"},
	{GROUP_TEAM, "team list", "", "Print the teams you are in", "aye team list", TAKES(REACHES), 0, 0,
	 LISTS(GROUP_LIST), .says = "{group_id}  {role:6}  {group_name}",
	 .tells_none = "You are in no team: aye team new NAME makes one, aye team join CODE enters one."},
	{GROUP_TEAM, "team show", "TEAM", "Print a team; TEAM is its id or what you call it",
	 "aye team show Payments", TAKES(REACHES), 1, 1,
	 .run = verb_team_show, .method = METHOD_GROUP_GET, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}}},
	{GROUP_TEAM, "team users", "TEAM", "Print who is in a team", "aye team users Payments", TAKES(REACHES), 1, 1,
	 LISTS(GROUP_USERS), .words = {{WORD_TEAM, "group_id"}}, .says = "{user_id}  {role:6}  {joined_on@}  {user_name}"},
	{GROUP_TEAM, "team rooms", "TEAM", "Print the rooms of a team, the newest first, and how many members are in each now", "aye team rooms Payments",
	 TAKES(REACHES), 1, 1,
	 LISTS(GROUP_ROOMS), .words = {{WORD_TEAM, "group_id"}}, .says = ROOM_LINE,
	 .tells_none = "The team has no room: aye new --team TEAM makes one."},
	{GROUP_TEAM, "team rename", "TEAM NAME", "Give a team another name", "aye team rename Payments Billing", TAKES(REACHES), 2, 2,
	 CALLS(GROUP_RENAME, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "group_name"}},
	 .tells = "The team is called {1} now."},
	{GROUP_TEAM, "team role", "TEAM MEMBER owner|member", "Make somebody an owner, who may change the team, or a member again",
	 "aye team role Payments Grace owner", TAKES(REACHES), 3, 3,
	 CALLS(GROUP_SET_ROLE, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEAM_MEMBER, "user_id"}, {WORD_CHOICE, "role"}},
	 .tells = "{1} is {2} now."},
	{GROUP_TEAM, "team remove", "TEAM MEMBER", "Take somebody out of a team", "aye team remove Payments Mallory", TAKES(REACHES), 2, 2,
	 CALLS(GROUP_REMOVE_USER, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEAM_MEMBER, "user_id"}},
	 .tells = "{1} is in the team no longer."},
	{GROUP_TEAM, "team leave", "TEAM", "Be in a team no longer", "aye team leave Payments", TAKES(REACHES), 1, 1,
	 CALLS(GROUP_LEAVE, LOGIN), .words = {{WORD_TEAM, "group_id"}}, .tells = "You are in {0} no longer."},
	{GROUP_TEAM, "team delete", "TEAM", "Delete a team with its backlogs, rooms and invitations, for everybody",
	 "aye team delete Payments --yes", TAKES(REACHES, OPTION_YES), 1, 1,
	 .run = verb_team_delete, .method = METHOD_GROUP_DELETE, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}},
	 .tells = "The team is gone."},
	{GROUP_TEAM, "team join", "INVITE-CODE", "Come into a team by the code of an invitation; print the team's id",
	 "aye team join K7QX-3MHQ-2MB4-XNAW-PX6R --server tls://poker.example:2937", TAKES(REACHES), 1, 1,
	 CALLS(GROUP_JOIN, LOGIN), .words = {{WORD_TEXT, "code"}}, .done = verb_team_was_entered},
	{GROUP_TEAM, "invite", "TEAM", "Print a line that lets others into a team: the code, when it ends, and how to join",
	 "aye invite Payments\n"
	 "aye invite Payments --ends 7d --uses 5", TAKES(REACHES, OPTION_ENDS, OPTION_USES), 1, 1,
	 .run = verb_invite, .method = METHOD_INVITATION_CREATE, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}}},
	{GROUP_TEAM, "invite list", "TEAM", "Print the invitations of a team that are good, without their codes",
	 "aye invite list Payments", TAKES(REACHES), 1, 1,
	 LISTS(INVITATION_LIST), .words = {{WORD_TEAM, "group_id"}},
	 .says = "{invitation_id}  ends {link_expiry_datetime@}  uses left {uses_left:4}",
	 .tells_none = "No invitation is good: aye invite TEAM makes one."},
	{GROUP_TEAM, "invite renew", "TEAM INVITATION", "Let an invitation end later, or sooner; its code stays",
	 "aye invite renew Payments i_7HQ2MB4XNA --ends 7d", TAKES(REACHES, OPTION_ENDS), 2, 2,
	 CALLS(INVITATION_RENEW, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "invitation_id"}},
	 .says = "{1} ends {link_expiry_datetime@}"},
	{GROUP_TEAM, "invite revoke", "TEAM INVITATION", "End an invitation", "aye invite revoke Payments i_7HQ2MB4XNA", TAKES(REACHES), 2, 2,
	 CALLS(INVITATION_REVOKE, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "invitation_id"}},
	 .tells = "{1} lets nobody in any longer."},
	{GROUP_TEAM, "backlog new", "TEAM NAME", "Make a backlog in a team; print its id", "aye backlog new Payments 'Sprint 42'", TAKES(REACHES), 2, 2,
	 CALLS(CONTAINER_CREATE, LOGIN), .words = {{WORD_TEAM, "group_id"}, {WORD_TEXT, "container_name"}}, .says = "{container_id}"},
	{GROUP_TEAM, "backlog list", "[TEAM]", "Print the backlogs of a team, or of all your teams", "aye backlog list Payments", TAKES(REACHES), 0, 1,
	 .run = verb_backlog_list, .method = METHOD_CONTAINER_LIST, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}},
	 .says = "{container_id}  {items:6}  {container_name}",
	 .tells_none = "There is no backlog: aye backlog new TEAM NAME makes one."},
	{GROUP_TEAM, "backlog show", "BACKLOG", "Print a backlog with its items; BACKLOG is its id or what it is called",
	 "aye backlog show 'Sprint 42'\n"
	 "aye backlog show 'default container' --team Payments", TAKES(REACHES, OPTION_TEAM), 1, 1,
	 .run = verb_backlog_show, .method = METHOD_CONTAINER_GET, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}},
	 .says = ITEM_LINE},
	{GROUP_TEAM, "backlog rename", "BACKLOG NAME", "Give a backlog another name", "aye backlog rename 'Sprint 42' 'Sprint 43'",
	 TAKES(REACHES, OPTION_TEAM), 2, 2,
	 CALLS(CONTAINER_RENAME, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_TEXT, "container_name"}},
	 .tells = "The backlog is called {1} now."},
	{GROUP_TEAM, "backlog delete", "BACKLOG", "Delete a backlog and all its items", "aye backlog delete 'Sprint 42' --yes",
	 TAKES(REACHES, OPTION_TEAM, OPTION_YES), 1, 1,
	 .run = verb_backlog_delete, .method = METHOD_CONTAINER_DELETE, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}},
	 .tells = "The backlog is gone."},
	{GROUP_TEAM, "backlog import", "BACKLOG FILE", "Add items from lines, Markdown, CSV or JSON, as aye, Jira and GitHub write them; - for standard input",
	 "aye backlog import 'Sprint 42' issues.csv\n"
	 "gh issue list --json number,title,url,body | aye backlog import 'Sprint 42' -\n"
	 "aye backlog import Pantry - --format lines < shopping.txt", TAKES(REACHES, OPTION_TEAM, OPTION_FORMAT, OPTION_STRICT, OPTION_RETRY), 2, 2,
	 .run = verb_backlog_import, .method = METHOD_ITEM_ADD, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}}},
	{GROUP_TEAM, "backlog export", "BACKLOG", "Write the items of a backlog as csv, jira, json, md, html or text",
	 "aye backlog export 'Sprint 42' --format csv -o items.csv\n"
	 "aye backlog export 'Sprint 42' --format jira", TAKES(REACHES, OPTION_TEAM, OPTION_FORMAT, OPTION_OUTPUT), 1, 1,
	 .run = verb_backlog_export, .method = METHOD_CONTAINER_GET, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}}},
	{GROUP_TEAM, "item add", "BACKLOG NAME", "Add an item; print its id",
	 "aye item add 'Sprint 42' 'Sign in with a passkey' --note 'see the design'\n"
	 "aye item add Pantry Milk --quantity 2 --unit l --expiry 7d", TAKES(REACHES, OPTION_TEAM, HOLDS), 2, 2,
	 CALLS(ITEM_ADD, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_TEXT, "name"}}, .says = "{item_id}"},
	{GROUP_TEAM, "item set", "BACKLOG ITEM", "Change what is given of an item; ITEM is its id or what it is called",
	 "aye item set Pantry Milk --quantity 3 --expiry 2026-12-24", TAKES(REACHES, OPTION_TEAM, OPTION_CALLED, HOLDS, OPTION_IF_REVISION), 2, 2,
	 .run = verb_item_set, .method = METHOD_ITEM_UPDATE, .needs = NEEDS_LOGIN, .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}}, .tells = "{1} is changed."},
	{GROUP_TEAM, "item adjust", "BACKLOG ITEM BY", "Add to a quantity, or with - take away from it, and print what it is then",
	 "aye item adjust Pantry Milk -0.5", TAKES(REACHES, OPTION_TEAM), 3, 3,
	 CALLS(ITEM_ADJUST, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_QUANTITY, "by"}},
	 .says = "{quantity}"},
	{GROUP_TEAM, "item move", "BACKLOG ITEM BACKLOG", "Put an item in another backlog; print the id it has there",
	 "aye item move 'Sprint 42' 'Sign out' 'Sprint 43'", TAKES(REACHES, OPTION_TEAM, OPTION_IF_REVISION), 3, 3,
	 CALLS(ITEM_MOVE, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}, {WORD_BACKLOG, "to_container_id"}},
	 .says = "{item_id}"},
	{GROUP_TEAM, "item remove", "BACKLOG ITEM", "Take an item out of a backlog", "aye item remove Pantry Milk",
	 TAKES(REACHES, OPTION_TEAM, OPTION_IF_REVISION), 2, 2,
	 CALLS(ITEM_REMOVE, LOGIN), .words = {{WORD_BACKLOG, "container_id"}, {WORD_ITEM, "item_id"}}, .tells = "{1} is removed."},
	{GROUP_TEAM, "item list", "BACKLOG", "Print the items of a backlog in the order they were added", "aye item list Pantry --json",
	 TAKES(REACHES, OPTION_TEAM), 1, 1,
	 LISTS(ITEM_LIST), .words = {{WORD_BACKLOG, "container_id"}}, .says = ITEM_LINE, .tells_none = "The backlog is empty."},
	{GROUP_TEAM, "item expiring", "TEAM [WHEN]", "Print what expires within a week in all backlogs of a team, or before a day or time from now",
	 "aye item expiring Home\n"
	 "aye item expiring Home 2026-12-24", TAKES(REACHES), 1, 2,
	 .run = verb_item_expiring, .method = METHOD_ITEM_EXPIRING, .needs = NEEDS_LOGIN, .words = {{WORD_TEAM, "group_id"}, {WORD_WHEN, "before"}},
	 .says = "{container_id}  " ITEM_LINE, .tells_none = "Nothing expires until then."},
	{GROUP_LOOK, "export", "CODE", "Write stories, rounds, votes and statistics as csv, jira, json, md, html or text",
	 "aye export K7QX3M --format csv -o estimates.csv\n"
	 "aye export K7QX3M --format csv --all -o votes.csv\n"
	 "aye export K7QX3M --format jira -o points.csv\n"
	 "aye export K7QX3M --format md\n"
	 "aye export K7QX3M --format html --watch /srv/www/room.html",
	 TAKES(SITS, OPTION_FORMAT, OPTION_OUTPUT, OPTION_WATCH,
		 OPTION_VOTES), 1, 1,
	 .run = verb_export},
	{GROUP_LOOK, "round list", "CODE", "Print the rounds that were revealed, the newest first",
	 "aye round list K7QX3M --limit 5 --json", TAKES(SITS, OPTION_LIMIT), 1, 1, .run = verb_round_list},
	{GROUP_LEAD, "round again", "CODE", "Vote on the same story again; the history keeps this round",
	 "aye round again K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(ROUND_AGAIN, MEMBER), .says = "Round {round} begins."},
	{GROUP_LEAD, "round undo", "CODE", "Undo the last reset: its votes count again, until somebody votes", "aye round undo K7QX3M",
	 TAKES(SITS), 1, 1, CALLS(ROUND_UNDO_RESET, MEMBER), .says = "Round {round} is back."},
	{GROUP_LEAD, "round settle", "CODE CARD", "Write the agreed value to the story; - clears it",
	 "aye round settle K7QX3M 5", TAKES(SITS), 2, 2,
	 CALLS(ROUND_SETTLE, MEMBER), .words = {{WORD_CARD, "estimate"}},
	 .tells = "Settled on {1}.", .tells_none = "The estimate is cleared."},
	{GROUP_LEAD, "reveal cancel", "CODE", "Stop the countdown to the reveal", "aye reveal cancel K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(REVEAL_CANCEL, MEMBER), .tells = "The countdown is stopped."},
	{GROUP_LEAD, "reveal arm", "CODE", "Let the last missing vote turn the cards over at once", "aye reveal arm K7QX3M --off",
	 TAKES(SITS, OPTION_OFF), 1, 1, CALLS(REVEAL_ARM, MEMBER), .words = {{WORD_TRUE, "is_armed"}},
	 .tells = "The last missing vote turns the cards over at once.",
	 .tells_none = "The last missing vote no longer turns the cards over at once."},
	{GROUP_LEAD, "timer start", "CODE TIME", "Start a timer that everybody sees: minutes, or 90s, 5m, 1h, 2d",
	 "aye timer start K7QX3M 5m --reveal", TAKES(SITS, OPTION_REVEAL), 2, 2,
	 CALLS(TIMER_START, MEMBER), .words = {{WORD_SECONDS, "seconds"}}, .done = verb_timer_was_started},
	{GROUP_LEAD, "timer stop", "CODE", "Stop it", "aye timer stop K7QX3M", TAKES(SITS), 1, 1,
	 CALLS(TIMER_STOP, MEMBER), .tells = "The timer is stopped."},
	{GROUP_LEAD, "nudge", "CODE [WHO]", "Ring those who have not voted", "aye nudge K7QX3M Grace", TAKES(SITS), 1, 2,
	 CALLS(ROOM_NUDGE, MEMBER), .words = {{WORD_USER, "user_id"}}, .says = "{nudged} rung"},
	{GROUP_TAKE_PART, "react", "CODE WORD", "Show one word or emoji to everybody for a moment", "aye react K7QX3M tea? --name Ada",
	 TAKES(SITS), 2, 2, CALLS(ROOM_REACT, NAME), .words = {{WORD_TEXT, "word"}},
	 .tells = "Everybody sees {1} for a moment."},
	{GROUP_SERVER, "login", "NAME", "Be the same user in every room; the key is made on first use",
	 "aye login Ada\n"
	 "aye login Bot --guest\n"
	 "aye login Ada --server tls://poker.example --same-as unix:/run/ayed/ayed.sock",
	 TAKES(REACHES, OPTION_GUEST, OPTION_SAME_AS), 1, 1, .run = verb_login,
	 .method = METHOD_SESSION_LOGIN, .needs = NEEDS_LOGIN, .words = {{WORD_TEXT, "user_name"}}},
	{GROUP_SERVER, "logout", "", "End the session; its name is free", "aye logout", TAKES(REACHES), 0, 0, .run = verb_logout},
	{GROUP_SERVER, "whoami", "", "Print who is logged in, and in which rooms; with --watch each session and room that comes or goes",
	 "aye whoami --json\n"
	 "aye whoami --watch",
	 TAKES(REACHES, OPTION_FOLLOW), 0, 0, .run = verb_whoami,
	 .method = METHOD_SESSION_WHOAMI, .needs = NEEDS_LOGIN, .done = verb_whoami_was_asked},
	{GROUP_SCRIPTS, "data get", "CODE KIND NAME [KEY]", "Print shared data, a JSON line per entry; KIND: map, list or presence",
	 "aye data get K7QX3M map notes\n"
	 "aye data get K7QX3M presence status",
	 TAKES(SITS), 3, 4, ACTS("get"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .done = verb_data_was_read},
	{GROUP_SCRIPTS, "data set", "CODE KIND NAME [KEY] VALUE", "Set a value, JSON or plain text; KEY: a map's key, a list's entry_id",
	 "aye data set K7QX3M map notes api 'ask the vendor'\n"
	 "aye data set K7QX3M map notes api '{\"n\":2}' --if-revision 1",
	 TAKES(SITS, OPTION_IF_REVISION), 4, 5,
	 ACTS("set"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}, {WORD_JSON, "value"}},
	 .tells = "{2} is set."},
	{GROUP_SCRIPTS, "data remove", "CODE KIND NAME [KEY]", "Remove a key, an entry, or your presence",
	 "aye data remove K7QX3M map notes api", TAKES(SITS, OPTION_IF_REVISION), 3, 4,
	 ACTS("remove"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}}, .tells = "Removed from {2}."},
	{GROUP_SCRIPTS, "data push", "CODE list NAME VALUE", "Add an entry at the end and print its entry_id",
	 "aye data push K7QX3M list agenda 'retro at 3'", TAKES(SITS), 4, 4,
	 ACTS("push"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_JSON, "value"}}, .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data insert", "CODE list NAME before|after ENTRY VALUE", "Add an entry next to another and print its entry_id",
	 "aye data insert K7QX3M list agenda before 7HQ2MB4XNA 'first things first'", TAKES(SITS), 6, 6,
	 ACTS("insert"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}, {WORD_JSON, "value"}},
	 .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data move", "CODE list NAME ENTRY before|after ENTRY", "Put an entry next to another",
	 "aye data move K7QX3M list agenda 7HQ2MB4XNA after 9KD3WPX6RT",
	 TAKES(SITS, OPTION_IF_REVISION), 6, 6,
	 ACTS("move"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_TEXT, "entry_id"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}},
	 .tells = "{3} is moved."},
	{GROUP_SCRIPTS, "data create", "CODE KIND NAME", "Make a map, a list or a presence, if it is not there",
	 "aye data create K7QX3M map notes", TAKES(SITS), 3, 3,
	 ACTS("create"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} is there."},
	{GROUP_SCRIPTS, "data delete", "CODE KIND NAME", "Delete it and all in it", "aye data delete K7QX3M map notes", TAKES(SITS),
	 3, 3, ACTS("delete"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} is deleted."},
	{GROUP_SCRIPTS, "data watch", "CODE [KIND [NAME [KEY]]]", "Follow changes, a JSON line each; first how it is",
	 "aye data watch K7QX3M map notes --timeout 60", TAKES(REACHES), 1, 4, .run = verb_data_watch},
	{GROUP_SERVER, "serve", "[ADDRESS]", "Let others reach your own server: on all addresses of this machine, or on one",
	 "aye serve\n"
	 "aye serve 192.0.2.7:2937", TAKES(REACHES), 0, 1, .run = verb_serve},
	{GROUP_SERVER, "relay", "", "Join standard input and output to this machine's server; what ssh:// runs on the far side",
	 "ssh poker.example aye relay\n"
	 "aye relay --server unix:/run/ayed/ayed.sock", TAKES(OPTION_SERVER), 0, 0, .run = verb_relay},
	{GROUP_SERVER, "ssh-setup", "", "Let people into this machine's rooms who have only ssh: ssh vote@HOST CODE; for root",
	 "aye ssh-setup --keys team.keys\n"
	 "aye ssh-setup --user poker --any-key\n"
	 "aye ssh-setup --remove",
	 TAKES(OPTION_USER, OPTION_KEYS, OPTION_ANY_KEY, OPTION_REMOVE, OPTION_ROOT), 0, 0, .run = verb_ssh_setup},
	{GROUP_SERVER, "server stats", "", "Print what the server has counted; for its owner", "aye server stats --json",
	 TAKES(REACHES), 0, 0, CALLS(SERVER_STATS, SERVER), .done = verb_server_has_counted},
	{GROUP_SERVER, "server ping", "", "See whether the server answers", "aye server ping && echo up", TAKES(REACHES), 0, 0,
	 CALLS(SERVER_PING, SERVER), .done = verb_server_has_answered},
	{GROUP_SERVER, "server known", "", "List the servers whose fingerprint was noted at the first contact", "aye server known",
	 TAKES(OPTION_JSON), 0, 0, .run = verb_server_known},
	{GROUP_SERVER, "server forget", "ADDRESS", "Ask again at the next contact with that server", "aye server forget 192.0.2.7:2937",
	 0, 1, 1, .run = verb_server_forget},
	{GROUP_SCRIPTS, "call", "METHOD [JSON]", "Make one request and print its result",
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
	{GROUP_HELP, "help", "[VERB...]", "Show how a verb is used", "aye help room vote", NULL, 0, 2, .run = verb_help},
	{GROUP_HELP, "completion", "bash|zsh|fish|words [-- WORD...]",
	 "Print what makes the shell complete words; words: what could stand in place of the last one",
	 "eval \"$(aye completion bash)\"\n"
	 "aye completion fish | source\n"
	 "aye completion words -- room v",
	 NULL, 1, ARGS_WORDS_MAX, .run = verb_completion},
	{GROUP_HELP, "version", "", "Print the version", "", NULL, 0, 0, .run = verb_version},
	{.name = NULL},
};
/* clang-format on */
