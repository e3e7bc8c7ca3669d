/*
 * options.h - the command line, as rows.
 *
 * One row per option feeds the parser, every help text and the completion.
 * Which verb takes which is in the verb's own row (verbs.h). Rows may share a
 * name: the verb in front of the option says which of them is meant. A value with
 * dots behind it may be given again and again.
 */
#ifndef CLIENT_CLI_OPTIONS_H
#define CLIENT_CLI_OPTIONS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/err.h"
#include "proto/slice.h"

/*        SYMBOL      name         value       help */
#define OPTIONS(X)                                                                                 \
	X(HELP,       "help",      NULL,       "Show how the verb is used")                        \
	X(VERSION,    "version",   NULL,       "Print the version")                                \
	X(SERVER,     "server",    "ADDR",     "unix:/path, tls://host:port, tcp://host:port or ssh://user@host (default: $AYE_SERVER, the system's socket, your own)") \
	X(JSON,       "json",      NULL,       "Records as the wire has them, one JSON object a line") \
	X(SHORT,      "short",     NULL,       "Without what the room is about; nothing where there is nothing to say") \
	X(TIMEOUT,    "timeout",   "SECONDS",  "Give up waiting after this long")                  \
	X(NAME,       "name",      "NAME",     "Your name in the room (default: $AYE_NAME, the last one, $USER)") \
	X(ASKER,      "name",      "NAME",     "mcp: who asks, a user beside yourself (default: $AYE_NAME, whoever is logged in, $USER's agent)") \
	X(DECK,       "deck",      "DECK",     "A preset, or the cards split by spaces")           \
	X(TITLE,      "title",     "TEXT",     "Shown in everybody's header")                      \
	X(ASYNC,      "async",     NULL,       "Votes stay without their voters: everybody votes when they have time") \
	X(UNTIL,      "until",     "TIME",     "Turn the cards over then: 2d, 8h or 30m from now") \
	X(QUORUM,     "quorum",    "N",        "Turn the cards over once so many have voted")      \
	X(SHARE,      "share",     NULL,       "new: let others reach your own server, on all addresses or on the one behind it") \
	X(LINKS,      "link-template", "URL",  "Where stories are described, with {key} for a story's key") \
	X(SPECTATE,   "spectate",  NULL,       "Sit down without a vote")                          \
	X(BOT,        "bot",       NULL,       "Say that a program sits here")                     \
	X(WAIT,       "wait",      NULL,       "Stay until it is decided: the question has ended, or the cards are turned over") \
	X(COMMENT,    "comment",   "TEXT",     "One line on your vote, shown after the reveal, or on your answer") \
	X(CONFIDENCE, "confidence", "N",       "How sure you are, 1 to 3")                         \
	X(PASSCODE,   "passcode-file", "FILE", "Read the passcode from a file, or from - for standard input") \
	X(KEY,        "key",       "KEY",      "What a tracker calls the story, as PAY-101 or #12; '' takes it away") \
	X(LINK,       "link",      "URL",      "Where the story is described; '' takes it away")   \
	X(DESCRIPTION, "description", "TEXT",     "Lines of text on the story; '' takes them away")   \
	X(ESTIMATE,   "estimate",  "CARD",     "The agreed value; '' takes it away")               \
	X(STATUS,     "status",    "STATUS",   "Of a story: todo, done or skipped; of a question: open, partial, closed, expired or cancelled") \
	X(BEFORE,     "before",    "STORY",    "Put it in front of this one")                      \
	X(AFTER,      "after",     "STORY",    "Put it behind this one")                           \
	X(ALL,        "all",       NULL,       "Removed ones too")                                 \
	X(VOTES,      "all",       NULL,       "csv: a row for each vote, not for each story")    \
	X(FORMAT,     "format",    "FORMAT",   "import: lines, md, csv, tsv or json; export: csv, jira, json, md, html or text") \
	X(STRICT,     "strict",    NULL,       "All or nothing: send nothing if any line is bad")  \
	X(RETRY,      "retry",     "ID",       "Go on with an import that broke off, doubling nothing") \
	X(OUTPUT,     "output",    "FILE",     "Write to a file instead of standard output; also -o") \
	X(WATCH,      "watch",     "FILE",     "Write the file anew whenever the room changes")    \
	X(FOLLOW,     "watch",     NULL,       "whoami: stay, and print each change")              \
	X(REVEAL,     "reveal",    NULL,       "Turn the cards over when the time is up")          \
	X(OFF,        "off",       NULL,       "Undo it")                                     \
	X(LIMIT,      "limit",     "N",        "Show no more than this many") \
	X(PAGES,      "all",       NULL,       "All of them, not only the newest 20")              \
	X(CHOICE,     "option",    "TEXT...",  "An answer to choose from, once for each; also -o; without any, people answer in words") \
	X(NEED,       "need",      "N",        "Answers that are enough, 1 to 50 (default: 5)")    \
	X(OPEN,       "open",      "TIME",     "How long it may be answered, 1m to 1d: 90s, 30m, 8h (default: 1h)") \
	X(AUDIENCE,   "audience",  "AUDIENCE...", "technical, product, ethics, creative or general, once for each") \
	X(ROOM,       "room",      "CODE",     "Only for the members of this room")                \
	X(ANONYMOUS,  "anonymous", NULL,       "Nobody is told whose question it is")              \
	X(EXPECT,     "expect",    "CHOICE",   "End with 5 unless most said this; a tie is not most") \
	X(TODAY,      "today",     NULL,       "Of today, as UTC has it")                          \
	X(WEEK,       "week",      NULL,       "Of this week from Monday, as UTC has it")          \
	X(COMMAND,    "command",   "ADDRESS",  "By the command of the server's keeper, to this address; else to your own clients") \
	X(EVERY,      "every",     "TIME",     "No more than one in this time, 5m to 1d (default: 30m)") \
	X(SURE,       "sure",      "N",        "How sure you are, 1 to 5")                         \
	X(ENDS,       "ends",      "TIME",     "How long the invitation is good, 1m to 30d (default: 1d)") \
	X(USES,       "uses",      "N",        "How many may join by it, 1 to 1000 (default: any number)") \
	X(TEAM,       "team",      "TEAM",     "The team it is of, by its id or what you call it") \
	X(FROM,       "from",      "BACKLOG",  "Take the items of a backlog that have no quantity, in place of a file") \
	X(YES,        "yes",       NULL,       "Do not ask whether it is meant") \
	X(CALLED,     "name",      "TEXT",     "Another name for it") \
	X(UNIT,       "unit",      "TEXT",     "What the quantity counts, as kg or points; '' takes it away") \
	X(QUANTITY,   "quantity",  "N",        "How much there is, as 12 or 0.5; '' takes it away") \
	X(CATEGORY,   "category",  "TEXT",     "What kind of thing it is (default: none)") \
	X(EXPIRY,     "expiry",    "WHEN",     "When it is no longer good, as 2026-12-24 or 7d; '' for never") \
	X(NOTE,       "note",      "TEXT",     "Lines of text on it; '' takes them away") \
	X(GUEST,      "guest",     NULL,       "Log in without a key: the user ends with the session") \
	X(SAME_AS,    "same-as",   "ADDR",     "Sign with the key of another server, now and from now on") \
	X(IF_REVISION, "if-revision", "N",     "Only if that is its revision now; 0: only if it is not there") \
	X(THEME,      "theme",     "THEME",    "How the screen looks: default, contrast, mono, dark or light")  \
	X(COLORS,     "colors",    "N",        "How many colours: auto, none, 8, 16 or 256")       \
	X(ASCII,      "ascii",     NULL,       "Draw with ASCII alone")                            \
	X(CALM,       "calm",      NULL,       "Nothing moves on the screen")                      \
	X(HYPERLINKS, "hyperlinks", "WHEN",    "Whether links can be clicked: auto, on or off")    \
	X(PLAIN,      "plain",     NULL,       "Lines of text in place of a screen")               \
	X(USER,       "user",      "USER",     "The user of the system who they all are (default: vote)") \
	X(KEYS,       "keys",      "FILE",     "Whoever has one of the ssh keys in this file comes in") \
	X(ANY_KEY,    "any-key",   NULL,       "Whoever has an ssh key comes in, whichever it is") \
	X(REMOVE,     "remove",    NULL,       "Take away what was set up") \
	X(ROOT,       "root",      "DIR",      "Set up the system below this directory, such as an image") \
	X(SSH_SESSION, "ssh-session", NULL,    "For sshd alone: serve whoever came in with a key, who asks by SSH_ORIGINAL_COMMAND")

enum option {
#define OPTION_ENUM(symbol, name, value, help) OPTION_##symbol,
	OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
	OPTION_COUNT
};

static_assert(OPTION_COUNT <= UINT8_MAX, "an option fits in a byte of a verb's row");

struct option_row {
	const char *name;
	const char *value; /* what its value is called; NULL: it takes none */
	const char *help;
};
extern const struct option_row option_rows[OPTION_COUNT];

#define ARGS_WORDS_MAX	 40
#define ARGS_REPEATS_MAX 32

/* Points into argv. */
struct args {
	const char *words[ARGS_WORDS_MAX]; /* what is no option, in order */
	size_t words_n;
	const char *value[OPTION_COUNT]; /* NULL: not given; "": given, takes none; of several the first */
	struct {
		enum option option;
		const char *value;
	} repeats[ARGS_REPEATS_MAX]; /* all others, in order */
	size_t repeats_n;
};

/* What the option was given as, the first at 0; NULL behind the last. */
const char *args_value(const struct args *a, enum option o, size_t at);

/* Whether it may be given several times. */
bool option_repeats(enum option o);

/*
 * Sort argv[1..] into words and options. --name VALUE, --name=VALUE, -o VALUE; "--" ends the options.
 *
 * @takes  whether the verb that the words so far name takes an option: of rows with one name the
 *         one that it takes is meant, else the first.
 * ERR_INVALID  unknown or repeated option, a value missing or too many, too many words; *why.
 */
typedef bool (*options_take_cb)(const struct args *a, enum option o);
NODISCARD enum err options_parse(int argc, char **argv, options_take_cb takes, struct args *out, struct errmsg *why);

/* The first option of that name; OPTION_COUNT where there is none. */
enum option options_named(struct slice name);

/* Seconds with up to three decimals as ms, 0.001 to about 11 days. ERR_INVALID. */
NODISCARD enum err options_parse_seconds(const char *text, int64_t *ms);
/*
 * "90s", "5m", "1h" or "2d" as whole seconds, 1 to MAX_TIMER_SECONDS.
 * @bare  seconds of a number without a unit; 0: there is none. ERR_INVALID.
 */
NODISCARD enum err options_parse_time(const char *text, int64_t bare, int64_t *seconds);

#endif
