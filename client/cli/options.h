/*
 * options.h - the table of the options of the command line.
 *
 * A row defines an option for the parser, all help texts and the completion. The
 * options of a verb are in the verb's row (verbs.h). Several rows may share a name:
 * the verb before the option selects the row. A value with dots after it may be
 * repeated.
 */
#ifndef CLIENT_CLI_OPTIONS_H
#define CLIENT_CLI_OPTIONS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/*        SYMBOL      name         value       help */
#define OPTIONS(X)                                                                                 \
	X(HELP,       "help",      NULL,       "Show how the verb is used")                        \
	X(VERSION,    "version",   NULL,       "Print the version")                                \
	X(SERVER,     "server",    "ADDR",     "unix:/path, tls://host:port, tcp://host:port or ssh://user@host (default: $AYE_SERVER, the system's socket, your own)") \
	X(JSON,       "json",      NULL,       "Records as sent by the server, one JSON object a line") \
	X(SHORT,      "short",     NULL,       "Leave out the title; print nothing if there is nothing to report") \
	X(TIMEOUT,    "timeout",   "SECONDS",  "Stop waiting after this long")                     \
	X(NAME,       "name",      "NAME",     "Your name (default: $AYE_NAME, the last one, $USER)") \
	X(ASKER,      "name",      "NAME",     "mcp: who asks, as a user of its own (default: $AYE_NAME, the login, $USER's agent)") \
	X(DECK,       "deck",      "DECK",     "A preset, or the cards split by spaces")           \
	X(TITLE,      "title",     "TEXT",     "The title of the room or story")                       \
	X(ASYNC,      "async",     NULL,       "Keep votes when members leave, so that everyone can vote when they have time") \
	X(TOGETHER,   "all",       NULL,       "new: open all stories together; people vote on each when they have time") \
	X(STORY,      "story",     "STORY",    "An open story instead of the one at the table")    \
	X(UNTIL,      "until",     "TIME",     "Reveal then: 2d, 8h or 30m from now; none for no deadline") \
	X(QUORUM,     "quorum",    "N",        "Reveal once this many have voted")                   \
	X(SHARE,      "share",     NULL,       "new: open your own server to others, on all addresses or on this one") \
	X(WEB,        "web",       NULL,       "Open it to browsers as well, over https; they warn once about its certificate") \
	X(INSECURE_WEB, "insecure-web", NULL,  "Open it to browsers as well, over http: anyone in between can read and change it") \
	X(STOP,       "stop",      NULL,       "Stop your own server; the next command that needs it starts it again") \
	X(LINKS,      "link-template", "URL",  "Where stories are described, with {key} for a story's key; none to skip the team's default") \
	X(SPECTATE,   "spectate",  NULL,       "Join as a spectator")                              \
	X(BOT,        "bot",       NULL,       "Join as a program")                                \
	X(KEEP_FOR,   "for",       "TIME",     "Keep your vote this long after you leave: 2d, 8h or 30m (default: until the next round)") \
	X(WAIT,       "wait",      NULL,       "Wait for the result: until the question has ended or the cards are revealed") \
	X(COMMENT,    "comment",   "TEXT",     "A comment on your vote, shown after the reveal, or on your answer") \
	X(CONFIDENCE, "confidence", "N",       "Your confidence, 1 to 3")                          \
	X(PASSCODE,   "passcode-file", "FILE", "Read the passcode from a file, or from - for standard input") \
	X(KEY,        "key",       "KEY",      "The story's key in a tracker, such as PAY-101 or #12; '' removes it") \
	X(LINK,       "link",      "URL",      "Where the story is described; '' removes it")      \
	X(DESCRIPTION, "description", "TEXT",     "Description of the story; '' removes it")       \
	X(ESTIMATE,   "estimate",  "CARD",     "The estimate; '' removes it")                      \
	X(STATUS,     "status",    "STATUS",   "Of a story: todo, done or skipped; of a question: open, partial, closed, expired or cancelled") \
	X(BEFORE,     "before",    "STORY",    "Move it before this one")                          \
	X(AFTER,      "after",     "STORY",    "Move it after this one")                           \
	X(ALL,        "all",       NULL,       "story list: include removed stories")                             \
	X(REST,       "all",       NULL,       "export: with csv and trackers, all stories with all columns, not only estimates settled here") \
	X(VOTES,      "votes",     NULL,       "export: with csv, one row per vote instead of per story")       \
	X(FORMAT,     "format",    "FORMAT",   "import: lines, md, csv, tsv or json; export: csv, jira, github, gitlab, json, md, html or text") \
	X(AGAIN,      "again",     NULL,       "Add what already exists again instead of updating it") \
	X(STRICT,     "strict",    NULL,       "All or nothing: send nothing if any line is bad")  \
	X(RETRY,      "retry",     "ID",       "Resume an interrupted import without adding anything twice") \
	X(OUTPUT,     "output",    "FILE",     "Write to a file instead of standard output; also -o") \
	X(WATCH,      "watch",     "FILE",     "Update the file whenever the room changes")        \
	X(FOLLOW,     "watch",     NULL,       "whoami: print each change until interrupted")       \
	X(REVEAL,     "reveal",    NULL,       "Reveal when the time is up")                       \
	X(OFF,        "off",       NULL,       "Turn it off again")                                     \
	X(LIMIT,      "limit",     "N",        "Show at most this many")                           \
	X(PAGES,      "all",       NULL,       "questions: show all, not only the newest 20")                 \
	X(CHOICE,     "option",    "TEXT...",  "An option to choose from; repeat it for each; also -o; without any, people answer in words") \
	X(NEED,       "need",      "N",        "Answers needed, 1 to 50 (default: one per person asked, up to 5)")                  \
	X(OPEN,       "open",      "TIME",     "How long it is open, 1m to 30d: 30m, 8h, 3d (default: 1h)") \
	X(AUDIENCE,   "audience",  "AUDIENCE...", "technical, product, ethics, creative or general; may be repeated") \
	X(ROOM,       "room",      "CODE",     "Only for the members of this room")                \
	X(TO,         "to",        "NAME",     "Only for this member of the team or room, or of one of your teams") \
	X(ANONYMOUS,  "anonymous", NULL,       "The asker's name is hidden")                       \
	X(EXPECT,     "expect",    "CHOICE",   "End with 5 unless most chose this; a tie is not most") \
	X(TODAY,      "today",     NULL,       "Of today (UTC)")                                   \
	X(WEEK,       "week",      NULL,       "Of this week from Monday (UTC)")                   \
	X(FLAGGED,    "flagged",   NULL,       "Only those with answers given too soon to be considered") \
	X(COMMAND,    "command",   "ADDRESS",  "Use the command of the server's administrator, to this address, instead of your own clients") \
	X(EVERY,      "every",     "TIME",     "At most one in this time, 5m to 1d (default: 30m)") \
	X(SURE,       "sure",      "N",        "Your confidence, 1 to 5")                          \
	X(ENDS,       "ends",      "TIME",     "How long the invitation is valid, 1m to 30d (default: 1d)") \
	X(USES,       "uses",      "N",        "How many may join with it, 1 to 1000 (default: unlimited)") \
	X(TEAM,       "team",      "TEAM",     "The team, by its id or name")                      \
	X(FROM,       "from",      "BACKLOG",  "Take the items without quantity from a backlog instead of a file") \
	X(YES,        "yes",       NULL,       "Do not ask for confirmation")                      \
	X(CALLED,     "name",      "TEXT",     "item set: the item's new name")                                     \
	X(UNIT,       "unit",      "TEXT",     "The unit of the quantity, such as kg or points; '' removes it") \
	X(QUANTITY,   "quantity",  "N",        "The quantity, such as 12 or 0.5; '' removes it")   \
	X(CATEGORY,   "category",  "TEXT",     "Its category (default: none)")                     \
	X(EXPIRY,     "expiry",    "WHEN",     "When it expires, such as 2026-12-24 or 7d; '' for never") \
	X(NOTE,       "note",      "TEXT",     "A note on it; '' removes it")                      \
	X(GUEST,      "guest",     NULL,       "Log in without a key: the user ends with the session") \
	X(SAME_AS,    "same-as",   "ADDR",     "Use the key of another server here, from now on")  \
	X(IF_REVISION, "if-revision", "N",     "Only if that is its revision now; 0: only if it does not exist") \
	X(THEME,      "theme",     "THEME",    "Colour theme: default, contrast, mono, dark or light") \
	X(COLORS,     "colors",    "N",        "How many colours: auto, none, 8, 16 or 256")       \
	X(ASCII,      "ascii",     NULL,       "Draw with ASCII only")                             \
	X(CALM,       "calm",      NULL,       "No animation")                                     \
	X(HYPERLINKS, "hyperlinks", "WHEN",    "Whether links can be clicked: auto, on or off")    \
	X(PLAIN,      "plain",     NULL,       "Plain lines instead of a screen")                  \
	X(USER,       "user",      "USER",     "The system user they all share (default: vote)")   \
	X(KEYS,       "keys",      "FILE",     "Admit anyone with one of the ssh keys in this file") \
	X(ANY_KEY,    "any-key",   NULL,       "Admit anyone with an ssh key")                     \
	X(REMOVE,     "remove",    NULL,       "Remove what was set up")                           \
	X(ROOT,       "root",      "DIR",      "Set up the system below this directory, such as an image") \
	X(SSH_SESSION, "ssh-session", NULL,    "For sshd only: serve the owner of the key, as SSH_ORIGINAL_COMMAND asks")

enum option {
#define OPTION_ENUM(symbol, name, value, help) OPTION_##symbol,
	OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
	OPTION_COUNT
};

static_assert(OPTION_COUNT <= UINT8_MAX, "an option fits in a byte of a verb's row");

struct option_row {
	const char *name;
	const char *value; /* the placeholder of its value; NULL: it takes none */
	const char *help;
};
extern const struct option_row option_rows[OPTION_COUNT];

#define ARGS_WORDS_MAX	 40
#define ARGS_REPEATS_MAX 32

/* Points into argv. */
struct args {
	const char *words[ARGS_WORDS_MAX]; /* the arguments that are not options, in order */
	size_t words_n;
	/* NULL: not given; "": given, without a value; the first if repeated */
	const char *value[OPTION_COUNT];
	struct {
		enum option option;
		const char *value;
	} repeats[ARGS_REPEATS_MAX]; /* the further values of repeated options, in order */
	size_t repeats_n;
};

/* The values of an option, the first at 0; NULL after the last. */
const char *args_value(const struct args *a, enum option o, size_t at);

/* Whether the option may be repeated. */
bool option_repeats(enum option o);

/*
 * Sort argv[1..] into words and options. --name VALUE, --name=VALUE, -o VALUE; "--" ends the
 * options.
 *
 * @takes  whether the verb named by the words so far takes an option: of rows with the same name,
 *         the first that it takes is used, or else the first.
 * ERR_INVALID  an unknown or repeated option, a missing value or one too many, or too many words;
 *              *why says which.
 */
typedef bool (*options_take_cb)(const struct args *a, enum option o);
NODISCARD enum err options_parse(int argc, char **argv, options_take_cb takes, struct args *out, struct errmsg *why);

/* The first option of that name; OPTION_COUNT: none. */
enum option options_named(struct slice name);

#endif
