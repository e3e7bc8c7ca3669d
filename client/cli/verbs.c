/*
 * verbs.c - the table of verbs, and the way from argv to a handler.
 */
#include "client/cli/verbs.h"

#include <string.h>

#include "client/cli/print.h"
#include "client/cli/ssh_session.h"
#include "client/cli/verb_screen.h"
#include "client/model/spelling.h"
#include "proto/format.h"

#define REACHES (OPTION_BIT(OPTION_SERVER) | OPTION_BIT(OPTION_TIMEOUT) | OPTION_BIT(OPTION_JSON))
#define SITS	(REACHES | OPTION_BIT(OPTION_NAME) | OPTION_BIT(OPTION_PASSCODE))
#define TELLS                                                                                \
	(OPTION_BIT(OPTION_KEY) | OPTION_BIT(OPTION_LINK) | OPTION_BIT(OPTION_DESCRIPTION) | \
	 OPTION_BIT(OPTION_ESTIMATE) | OPTION_BIT(OPTION_STATUS))
#define SHOWS                                                                              \
	(OPTION_BIT(OPTION_THEME) | OPTION_BIT(OPTION_COLORS) | OPTION_BIT(OPTION_ASCII) | \
	 OPTION_BIT(OPTION_CALM) | OPTION_BIT(OPTION_HYPERLINKS) | OPTION_BIT(OPTION_PLAIN))
#define PUTS (OPTION_BIT(OPTION_BEFORE) | OPTION_BIT(OPTION_AFTER))
#define MAKES                                                                            \
	(OPTION_BIT(OPTION_DECK) | OPTION_BIT(OPTION_TITLE) | OPTION_BIT(OPTION_ASYNC) | \
	 OPTION_BIT(OPTION_UNTIL) | OPTION_BIT(OPTION_QUORUM) | OPTION_BIT(OPTION_LINKS))

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
	 "aye new --share\n"
	 "aye new --share 192.0.2.7:2937",
	 SITS | MAKES | SHOWS | OPTION_BIT(OPTION_SPECTATE) | OPTION_BIT(OPTION_SHARE), 0, 1, .run = verb_new,
	 .method = METHOD_ROOM_CREATE},
	{GROUP_TAKE_PART, "join", "CODE", "Take a seat in a room; without a terminal: follow it in lines",
	 "aye join K7QX3M\n"
	 "aye join K7QX3M --name Ada --spectate",
	 SITS | SHOWS | OPTION_BIT(OPTION_SPECTATE), 1, 1, .run = verb_join},
	{GROUP_TAKE_PART, "home", "", "The rooms you were in, and the way into others; what aye alone does on a terminal",
	 "aye\n"
	 "aye --server tcp://poker.example:2937\n"
	 "aye home --json",
	 OPTION_BIT(OPTION_SERVER) | OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_NAME) |
		 OPTION_BIT(OPTION_SPECTATE) | SHOWS, 0, 0, .run = verb_home},
	{GROUP_LOOK, "status", "[CODE]", "A line about the room you are in, at once, for a prompt or a status bar",
	 "aye status\n"
	 "aye status --short\n"
	 "aye status K7QX3M --json",
	 OPTION_BIT(OPTION_SERVER) | OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_SHORT), 0, 1, .run = verb_status},
	{GROUP_TAKE_PART, "watch", "CODE", "Follow a room in plain sentences, or in JSON lines",
	 "aye watch K7QX3M\n"
	 "aye watch K7QX3M --json --timeout 60",
	 REACHES | OPTION_BIT(OPTION_PASSCODE), 1, 1, .run = verb_watch},
	{GROUP_ROOM, "room create", "", "Make a room and print its code",
	 "aye room create --title 'Sprint 42' --json", REACHES | MAKES, 0, 0, .run = verb_room_create,
	 .method = METHOD_ROOM_CREATE},
	{GROUP_LOOK, "room show", "CODE", "Print a room as it is now", "aye room show K7QX3M --json", REACHES, 1, 1,
	 .alias = "show", .run = verb_room_show},
	{GROUP_TAKE_PART, "room vote", "CODE CARD", "Vote, with - retract the vote; without --wait a vote lasts a minute",
	 "aye room vote K7QX3M 5 --name Ada --wait\n"
	 "aye room vote K7QX3M - --name Ada\n"
	 "aye room vote K7QX3M 8 --name estimator --bot --wait --timeout 600\n"
	 "aye room vote K7QX3M 13 --comment 'two services, one migration' --confidence 2",
	 SITS | OPTION_BIT(OPTION_BOT) | OPTION_BIT(OPTION_WAIT) | OPTION_BIT(OPTION_COMMENT) |
		 OPTION_BIT(OPTION_CONFIDENCE), 2, 2, .alias = "vote", .run = verb_room_vote,
	 .method = METHOD_ROOM_VOTE, .words = {{WORD_CARD, "vote"}}},
	{GROUP_LEAD, "room reveal", "CODE", "Turn the cards over and print them", "aye room reveal K7QX3M", SITS, 1, 1,
	 .alias = "reveal", CALLS(ROOM_SET_REVEALED, RIGHTS), .words = {{WORD_TRUE, "is_revealed"}}, .done = verb_room_was_revealed},
	{GROUP_LEAD, "room hide", "CODE", "Hide the cards again, keeping the votes", "aye room hide K7QX3M", SITS, 1, 1,
	 CALLS(ROOM_SET_REVEALED, RIGHTS), .words = {{WORD_FALSE, "is_revealed"}}, .done = verb_room_was_hidden,
	 .tells = "The cards are hidden again."},
	{GROUP_LEAD, "room reset", "CODE", "Clear all votes and begin the next round", "aye room reset K7QX3M", SITS, 1, 1,
	 CALLS(ROOM_RESET, MEMBER), .says = "Round {round} begins."},
	{GROUP_ROOM, "room title", "CODE [TEXT]", "Change the title, or print it; '' takes it away",
	 "aye room title K7QX3M\n"
	 "aye room title K7QX3M 'Sprint 43'\n"
	 "aye room title K7QX3M ''",
	 SITS, 1, 2, .run = verb_room_title, .method = METHOD_ROOM_SET_TITLE, .needs = NEEDS_RIGHTS,
	 .words = {{WORD_TEXT, "title"}}, .tells = "The title is now \"{1}\".", .tells_none = "The room has no title now."},
	{GROUP_STORIES, "room links", "CODE TEMPLATE", "Say where stories are described, with {key} for a story's key; '' for nowhere",
	 "aye room links K7QX3M 'https://example.org/browse/{key}'", SITS, 2, 2,
	 CALLS(ROOM_SET_LINK_TEMPLATE, RIGHTS), .words = {{WORD_TEXT, "link_template"}},
	 .tells = "Links of stories are {1}.", .tells_none = "Stories have no links of their own now."},
	{GROUP_ROOM, "room deck", "CODE DECK...", "Change the cards: a preset's name, or the cards",
	 "aye room deck K7QX3M tshirt\n"
	 "aye room deck K7QX3M 1 2 3 5 8",
	 SITS, 2, ARGS_WORDS_MAX, CALLS(ROOM_SET_VALID_SIZES, RIGHTS), .words = {{WORD_DECK, "valid_sizes"}},
	 .tells = "The cards are {valid_sizes}."},
	{GROUP_ROOM, "room kick", "CODE WHO", "Remove a member, by name or user_id", "aye room kick K7QX3M Grace", SITS,
	 2, 2, CALLS(ROOM_KICK, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was removed from the room."},
	{GROUP_ROOM, "room unkick", "CODE WHO", "Let somebody come back who was kicked for good",
	 "aye room unkick K7QX3M Grace", SITS, 2, 2,
	 CALLS(ROOM_UNKICK, SEAT), .words = {{WORD_BARRED, "user_id"}}, .tells = "{1} may come back."},
	{GROUP_ROOM, "room policy", "CODE [KEY=VALUE]...", "Say who may do what, and what happens by itself; without words: print it",
	 "aye room policy K7QX3M\n"
	 "aye room policy K7QX3M who_reveals=everyone auto_reveal=off\n"
	 "aye room policy K7QX3M lobby=on --passcode-file secret.txt\n"
	 "aye room policy K7QX3M passcode=off",
	 SITS, 1, ARGS_WORDS_MAX, .run = verb_room_policy},
	{GROUP_ROOM, "room admit", "CODE WHO", "Let a member in who waits in the lobby", "aye room admit K7QX3M Grace", SITS,
	 2, 2, CALLS(ROOM_ADMIT, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was let in."},
	{GROUP_ROOM, "room reject", "CODE WHO", "Turn a member away who waits in the lobby", "aye room reject K7QX3M Mallory",
	 SITS, 2, 2, CALLS(ROOM_REJECT, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} was turned away."},
	{GROUP_ROOM, "room host", "CODE WHO", "Make a member host, beside whoever is", "aye room host K7QX3M Grace", SITS, 2, 2,
	 CALLS(ROOM_SET_HOST, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} is host now."},
	{GROUP_ROOM, "room unhost", "CODE WHO", "End a member's rights as host", "aye room unhost K7QX3M Grace", SITS,
	 2, 2, CALLS(ROOM_UNSET_HOST, SEAT), .words = {{WORD_USER, "user_id"}}, .tells = "{1} is host no longer."},
	{GROUP_ROOM, "room keep", "CODE DAYS", "Keep the room for days, not for an hour", "aye room keep K7QX3M 14", SITS,
	 2, 2, CALLS(ROOM_KEEP, RIGHTS), .words = {{WORD_NUMBER, "days"}}, .done = verb_room_was_kept},
	{GROUP_ROOM, "room pause", "CODE MINUTES", "Take a break that everybody sees; 0 ends it", "aye room pause K7QX3M 10", SITS,
	 2, 2, CALLS(ROOM_PAUSE, MEMBER), .words = {{WORD_NUMBER, "minutes"}},
	 .tells = "A break of {1} min began.", .tells_none = "The break is over."},
	{GROUP_SERVER, "room forget", "CODE", "Take a room off the list of aye home, and its keys with it", "aye room forget K7QX3M",
	 OPTION_BIT(OPTION_SERVER), 1, 1, .run = verb_room_forget},
	{GROUP_ROOM, "room delete", "CODE", "End the room for everybody", "aye room delete K7QX3M", SITS, 1, 1,
	 CALLS(ROOM_DELETE, RIGHTS), .done = verb_room_was_deleted, .tells = "The room is gone."},
	{GROUP_STORIES, "story add", "CODE TITLE", "Add a story; print its story_id",
	 "aye story add K7QX3M 'Sign in with a passkey' --key AB-7 --link https://tracker.example/AB-7\n"
	 "aye story add K7QX3M 'Sign out' --after 1",
	 SITS | TELLS | PUTS, 2, 2, CALLS(STORY_ADD, MEMBER), .words = {{WORD_TEXT, "title"}}, .says = "{story_id}"},
	{GROUP_STORIES, "story update", "CODE STORY", "Change what is given; STORY is a key, a place in the list, the beginning of a title, or a story_id",
	 "aye story update K7QX3M AB-7 --estimate 5\n"
	 "aye story update K7QX3M 3 --title 'Sign in' --description ''", SITS | TELLS | OPTION_BIT(OPTION_TITLE), 2, 2,
	 CALLS(STORY_UPDATE, MEMBER), .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} is changed."},
	{GROUP_STORIES, "story move", "CODE STORY", "Put a story before or behind another", "aye story move K7QX3M 5 --before 1",
	 SITS | PUTS, 2, 2, CALLS(STORY_MOVE, MEMBER), .words = {{WORD_NEIGHBOUR, NULL}, {WORD_STORY, "story_id"}},
	 .tells = "Story {1} is moved."},
	{GROUP_STORIES, "story remove", "CODE STORY", "Take a story off the list", "aye story remove K7QX3M 5", SITS, 2, 2,
	 CALLS(STORY_REMOVE, MEMBER), .words = {{WORD_STORY, "story_id"}},
	 .tells = "Story {1} is off the list; aye story restore restores it."},
	{GROUP_STORIES, "story restore", "CODE STORY", "Restore a removed story to its place",
	 "aye story restore K7QX3M 'Sign out'", SITS, 2, 2,
	 CALLS(STORY_RESTORE, MEMBER), .words = {{WORD_STORY, "story_id"}}, .tells = "Story {1} is restored."},
	{GROUP_STORIES, "story select", "CODE STORY", "Vote on this story from now on; - for nothing in particular",
	 "aye story select K7QX3M AB-7\n"
	 "aye story select K7QX3M refund\n"
	 "aye story select K7QX3M 2", SITS, 2, 2,
	 CALLS(STORY_SELECT, MEMBER), .words = {{WORD_STORY, "story_id"}}, .says = "Round {round} begins."},
	{GROUP_STORIES, "story next", "CODE", "Vote on the next story that is still to do; ends with 5 where none is",
	 "aye story next K7QX3M", SITS, 1, 1,
	 CALLS(STORY_NEXT, MEMBER), .done = verb_story_was_chosen},
	{GROUP_STORIES, "story list", "CODE", "Print the stories in their order", "aye story list K7QX3M --json --all",
	 SITS | OPTION_BIT(OPTION_ALL), 1, 1, .run = verb_story_list},
	{GROUP_STORIES, "story import", "CODE FILE", "Add stories from lines, Markdown, CSV or JSON, as Jira and GitHub write them; - for standard input",
	 "aye story import K7QX3M backlog.csv\n"
	 "gh issue list --json number,title,url,body | aye story import K7QX3M -\n"
	 "aye story import K7QX3M - --format lines < titles.txt\n"
	 "aye story import K7QX3M backlog.json --strict",
	 SITS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_STRICT) | OPTION_BIT(OPTION_RETRY), 2, 2,
	 .run = verb_story_import},
	{GROUP_LOOK, "export", "CODE", "Write stories, rounds, votes and statistics as csv, jira, json, md, html or text",
	 "aye export K7QX3M --format csv -o estimates.csv\n"
	 "aye export K7QX3M --format csv --all -o votes.csv\n"
	 "aye export K7QX3M --format jira -o points.csv\n"
	 "aye export K7QX3M --format md\n"
	 "aye export K7QX3M --format html --watch /srv/www/room.html",
	 SITS | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_WATCH) |
		 OPTION_BIT(OPTION_VOTES), 1, 1,
	 .run = verb_export},
	{GROUP_LOOK, "round list", "CODE", "Print the rounds that were revealed, the newest first",
	 "aye round list K7QX3M --limit 5 --json", SITS | OPTION_BIT(OPTION_LIMIT), 1, 1, .run = verb_round_list},
	{GROUP_LEAD, "round again", "CODE", "Vote on the same story again; the history keeps this round",
	 "aye round again K7QX3M", SITS, 1, 1,
	 CALLS(ROUND_AGAIN, MEMBER), .says = "Round {round} begins."},
	{GROUP_LEAD, "round undo", "CODE", "Undo the last reset: its votes count again, until somebody votes", "aye round undo K7QX3M",
	 SITS, 1, 1, CALLS(ROUND_UNDO_RESET, MEMBER), .says = "Round {round} is back."},
	{GROUP_LEAD, "round settle", "CODE CARD", "Write the agreed value to the story; - clears it",
	 "aye round settle K7QX3M 5", SITS, 2, 2,
	 CALLS(ROUND_SETTLE, MEMBER), .words = {{WORD_CARD, "estimate"}},
	 .tells = "Settled on {1}.", .tells_none = "The estimate is cleared."},
	{GROUP_LEAD, "reveal cancel", "CODE", "Stop the countdown to the reveal", "aye reveal cancel K7QX3M", SITS, 1, 1,
	 CALLS(REVEAL_CANCEL, MEMBER), .tells = "The countdown is stopped."},
	{GROUP_LEAD, "reveal arm", "CODE", "Let the last missing vote turn the cards over at once", "aye reveal arm K7QX3M --off",
	 SITS | OPTION_BIT(OPTION_OFF), 1, 1, CALLS(REVEAL_ARM, MEMBER), .words = {{WORD_TRUE, "is_armed"}},
	 .tells = "The last missing vote turns the cards over at once.",
	 .tells_none = "The last missing vote no longer turns the cards over at once."},
	{GROUP_LEAD, "timer start", "CODE TIME", "Start a timer that everybody sees: minutes, or 90s, 5m, 1h, 2d",
	 "aye timer start K7QX3M 5m --reveal", SITS | OPTION_BIT(OPTION_REVEAL), 2, 2,
	 CALLS(TIMER_START, MEMBER), .words = {{WORD_SECONDS, "seconds"}}, .done = verb_timer_was_started},
	{GROUP_LEAD, "timer stop", "CODE", "Stop it", "aye timer stop K7QX3M", SITS, 1, 1,
	 CALLS(TIMER_STOP, MEMBER), .tells = "The timer is stopped."},
	{GROUP_LEAD, "nudge", "CODE [WHO]", "Ring those who have not voted", "aye nudge K7QX3M Grace", SITS, 1, 2,
	 CALLS(ROOM_NUDGE, MEMBER), .words = {{WORD_USER, "user_id"}}, .says = "{nudged} rung"},
	{GROUP_TAKE_PART, "react", "CODE WORD", "Show one word or emoji to everybody for a moment", "aye react K7QX3M tea? --name Ada",
	 SITS, 2, 2, CALLS(ROOM_REACT, NAME), .words = {{WORD_TEXT, "word"}},
	 .tells = "Everybody sees {1} for a moment."},
	{GROUP_SERVER, "login", "NAME", "Be the same user in every room; the key is made on first use",
	 "aye login Ada\n"
	 "aye login Bot --guest\n"
	 "aye login Ada --server tcp://poker.example --same-as unix:/run/ayed/ayed.sock",
	 REACHES | OPTION_BIT(OPTION_GUEST) | OPTION_BIT(OPTION_SAME_AS), 1, 1, .run = verb_login},
	{GROUP_SERVER, "logout", "", "End the session; its name is free", "aye logout", REACHES, 0, 0, .run = verb_logout},
	{GROUP_SERVER, "whoami", "", "Print who is logged in, and in which rooms; with --watch each session and room that comes or goes",
	 "aye whoami --json\n"
	 "aye whoami --watch",
	 REACHES | OPTION_BIT(OPTION_FOLLOW), 0, 0, .run = verb_whoami,
	 .method = METHOD_SESSION_WHOAMI, .needs = NEEDS_LOGIN, .done = verb_whoami_was_asked},
	{GROUP_SCRIPTS, "data get", "CODE KIND NAME [KEY]", "Print shared data, a JSON line per entry; KIND: map, list or presence",
	 "aye data get K7QX3M map notes\n"
	 "aye data get K7QX3M presence status",
	 SITS, 3, 4, ACTS("get"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .done = verb_data_was_read},
	{GROUP_SCRIPTS, "data set", "CODE KIND NAME [KEY] VALUE", "Set a value, JSON or plain text; KEY: a map's key, a list's entry_id",
	 "aye data set K7QX3M map notes api 'ask the vendor'\n"
	 "aye data set K7QX3M map notes api '{\"n\":2}' --if-revision 1",
	 SITS | OPTION_BIT(OPTION_IF_REVISION), 4, 5,
	 ACTS("set"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}, {WORD_JSON, "value"}},
	 .tells = "{2} is set."},
	{GROUP_SCRIPTS, "data remove", "CODE KIND NAME [KEY]", "Remove a key, an entry, or your presence",
	 "aye data remove K7QX3M map notes api", SITS | OPTION_BIT(OPTION_IF_REVISION), 3, 4,
	 ACTS("remove"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_KEY, NULL}}, .tells = "Removed from {2}."},
	{GROUP_SCRIPTS, "data push", "CODE list NAME VALUE", "Add an entry at the end and print its entry_id",
	 "aye data push K7QX3M list agenda 'retro at 3'", SITS, 4, 4,
	 ACTS("push"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_JSON, "value"}}, .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data insert", "CODE list NAME before|after ENTRY VALUE", "Add an entry next to another and print its entry_id",
	 "aye data insert K7QX3M list agenda before 7HQ2MB4XNA 'first things first'", SITS, 6, 6,
	 ACTS("insert"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}, {WORD_JSON, "value"}},
	 .says = "{entry_id}"},
	{GROUP_SCRIPTS, "data move", "CODE list NAME ENTRY before|after ENTRY", "Put an entry next to another",
	 "aye data move K7QX3M list agenda 7HQ2MB4XNA after 9KD3WPX6RT",
	 SITS | OPTION_BIT(OPTION_IF_REVISION), 6, 6,
	 ACTS("move"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}, {WORD_TEXT, "entry_id"}, {WORD_PLACE, NULL}, {WORD_TEXT, NULL}},
	 .tells = "{3} is moved."},
	{GROUP_SCRIPTS, "data create", "CODE KIND NAME", "Make a map, a list or a presence, if it is not there",
	 "aye data create K7QX3M map notes", SITS, 3, 3,
	 ACTS("create"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} is there."},
	{GROUP_SCRIPTS, "data delete", "CODE KIND NAME", "Delete it and all in it", "aye data delete K7QX3M map notes", SITS,
	 3, 3, ACTS("delete"), .words = {{WORD_KIND, NULL}, {WORD_TEXT, "name"}}, .tells = "The {1} {2} is deleted."},
	{GROUP_SCRIPTS, "data watch", "CODE [KIND [NAME [KEY]]]", "Follow changes, a JSON line each; first how it is",
	 "aye data watch K7QX3M map notes --timeout 60", REACHES, 1, 4, .run = verb_data_watch},
	{GROUP_SERVER, "serve", "[ADDRESS]", "Let others reach your own server: on all addresses of this machine, or on one",
	 "aye serve\n"
	 "aye serve 192.0.2.7:2937", REACHES, 0, 1, .run = verb_serve},
	{GROUP_SERVER, "server stats", "", "Print what the server has counted; for its owner", "aye server stats --json",
	 REACHES, 0, 0, CALLS(SERVER_STATS, SERVER), .done = verb_server_has_counted},
	{GROUP_SERVER, "server ping", "", "See whether the server answers", "aye server ping && echo up", REACHES, 0, 0,
	 CALLS(SERVER_PING, SERVER), .done = verb_server_has_answered},
	{GROUP_SCRIPTS, "call", "METHOD [JSON]", "Make one request and print its result",
	 "aye call server.ping\n"
	 "aye call room.get '{\"room_id\":\"K7QX3M\"}'",
	 REACHES, 1, 2, .run = verb_call},
	{GROUP_SCRIPTS, "script", "", "Read requests as JSON lines, write answers and notifications as JSON lines",
	 "aye script < requests.jsonl\n"
	 "echo '{\"id\":1,\"method\":\"room.create\",\"params\":{}}' | aye script",
	 OPTION_BIT(OPTION_SERVER) | OPTION_BIT(OPTION_TIMEOUT), 0, 0, .run = verb_script},
	{GROUP_HELP, "help", "[VERB...]", "Show how a verb is used", "aye help room vote", 0, 0, 2, .run = verb_help},
	{GROUP_HELP, "completion", "bash|zsh|fish|words [-- WORD...]",
	 "Print what makes the shell complete words; words: what could stand in place of the last one",
	 "eval \"$(aye completion bash)\"\n"
	 "aye completion fish | source\n"
	 "aye completion words -- room v",
	 0, 1, ARGS_WORDS_MAX, .run = verb_completion},
	{GROUP_HELP, "version", "", "Print the version", "", 0, 0, 0, .run = verb_version},
	{.name = NULL},
};
/* clang-format on */

/* How many of the words the name is made of; 0 where they do not begin with it. */
static size_t verbs_match(const char *name, const struct args *a)
{
	const char *space = strchr(name, ' ');
	size_t first_len = space == NULL ? strlen(name) : (size_t)(space - name);
	if (a->words_n == 0 || strlen(a->words[0]) != first_len ||
	    memcmp(a->words[0], name, first_len) != 0) {
		return 0;
	}
	if (space == NULL) {
		return 1;
	}
	return a->words_n > 1 && strcmp(a->words[1], space + 1) == 0 ? 2 : 0;
}

const struct verb *verbs_find(const struct args *a, size_t *used)
{
	const struct verb *found = NULL;
	*used = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		size_t n = verbs_match(v->name, a);
		n = n == 0 && v->alias != NULL ? verbs_match(v->alias, a) : n;
		if (n > *used) {
			found = v;
			*used = n;
		}
	}
	return found;
}

static int verbs_usage(const struct verb *v, const char *what)
{
	print_problem("%s\nusage: aye %s %s", what, v->name, v->usage);
	return EXIT_USAGE;
}

bool verbs_in_group(const struct verb *v, const char *group)
{
	size_t len = strlen(group);
	return strncmp(v->name, group, len) == 0 && v->name[len] == ' ';
}

/* What was probably meant, by a first word or a second one; of a group, by the second alone. Empty: nobody knows. */
static struct slice verbs_meant(const char *word, const char *group)
{
	struct spelling s = {.typed = slice_str(word)};
	struct slice meant = {0};
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		size_t len = strcspn(v->name, " ");
		struct slice first = slice_of(v->name, len);
		if (group == NULL && spelling_offer(&s, first)) {
			meant = first;
		}
		bool is_asked = group == NULL || verbs_in_group(v, group);
		if (is_asked && v->name[len] == ' ' &&
		    spelling_offer(&s, slice_str(v->name + len + 1))) {
			meant = slice_str(v->name);
		}
	}
	return meant;
}

int verbs_unknown(const struct args *a)
{
	const struct verb *v = verbs;
	while (v->name != NULL && !verbs_in_group(v, a->words[0])) {
		v++;
	}
	bool is_group = v->name != NULL;
	if (is_group && a->words_n == 1) {
		print_problem("%s what? (aye help %s shows what there is)", a->words[0],
			      a->words[0]);
		return EXIT_USAGE;
	}
	struct slice meant = verbs_meant(a->words[is_group], is_group ? a->words[0] : NULL);
	char typed[200];
	(void)format_to(typed, sizeof(typed), "%s%s%s", is_group ? a->words[0] : "",
			is_group ? " " : "", print_soft(slice_str(a->words[is_group])));
	if (meant.len > 0) {
		print_problem("there is no verb %s; did you mean aye %.*s?", typed, (int)meant.len,
			      meant.data);
	} else {
		print_problem("there is no verb %s (aye %s%s shows what there is)", typed,
			      is_group ? "help " : "--help", is_group ? a->words[0] : "");
	}
	return EXIT_USAGE;
}

static int verbs_set_timeout(struct cli *c)
{
	const char *given = c->args.value[OPTION_TIMEOUT];
	c->answer_ms = 10000;
	c->wait_ms = -1;
	if (given == NULL) {
		return EXIT_DONE;
	}
	if (options_parse_seconds(given, &c->answer_ms) != OK) {
		print_problem("--timeout: %s is no number of seconds",
			      print_soft(slice_str(given)));
		return EXIT_USAGE;
	}
	c->wait_ms = c->answer_ms;
	return EXIT_DONE;
}

int verbs_open_config(struct cli *c)
{
	struct errmsg why;
	if (config_open(&c->config, &c->args, &why) != OK) {
		print_problem("--%s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int verbs_run(const struct verb *v, struct cli *c)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (c->args.value[i] != NULL && (v->options & OPTION_BIT(i)) == 0) {
			struct errmsg what;
			errmsg_set(&what, "--%s means nothing to %s", option_rows[i].name, v->name);
			return verbs_usage(v, what.text);
		}
	}
	if (c->args.words_n < v->words_min || c->args.words_n > v->words_max) {
		return verbs_usage(v, c->args.words_n < v->words_min ? "something is missing"
								     : "too many words");
	}
	c->verb = v;
	c->is_json = c->args.value[OPTION_JSON] != NULL;
	int code = verbs_set_timeout(c);
	return code == EXIT_DONE ? v->run(c) : code;
}

static const struct verb *verbs_named(const char *name)
{
	const struct verb *v = verbs;
	while (strcmp(v->name, name) != 0) {
		v++;
	}
	return v;
}

static int verbs_run_words(struct cli *c)
{
	size_t used;
	const struct verb *v = verbs_find(&c->args, &used);
	if (v == NULL) {
		return verbs_unknown(&c->args);
	}
	memmove(c->args.words, c->args.words + used,
		(c->args.words_n - used) * sizeof(c->args.words[0]));
	c->args.words_n -= used;
	return verbs_run(v, c);
}

uint64_t verbs_options(const struct args *a)
{
	size_t used;
	const struct verb *v = verbs_find(a, &used);
	return v == NULL ? 0 : v->options;
}

int verbs_main(int argc, char **argv)
{
	struct cli c = {0};
	struct errmsg why = {""};
	if (options_parse(argc, argv, verbs_options, &c.args, &why) != OK) {
		print_problem("%s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	if (c.args.value[OPTION_SSH_KEY] != NULL) {
		int code = ssh_session_begin(&c.args);
		return code == EXIT_DONE ? verbs_run_words(&c) : code;
	}
	bool wants_help = c.args.value[OPTION_HELP] != NULL;
	if (c.args.words_n == 0 && !wants_help && c.args.value[OPTION_VERSION] != NULL) {
		return verb_version(&c);
	}
	/* Whoever says nothing wants to see home at a terminal, and help elsewhere. */
	if (c.args.words_n == 0 && !wants_help && verb_screen_has_terminal()) {
		return verbs_run(verbs_named("home"), &c);
	}
	if (c.args.words_n == 0 || wants_help) {
		return verb_help(&c);
	}
	return verbs_run_words(&c);
}
