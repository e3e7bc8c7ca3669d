/*
 * options.h - the command line, as rows.
 *
 * One row per option feeds the parser, every help text and the completion.
 * Which verb takes which is in the verb's own row (verbs.h). Rows may share a
 * name: the verb in front of the option says which of them is meant.
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
	X(SERVER,     "server",    "ADDR",     "unix:/path or tcp://host:port (default: $AYE_SERVER, the system's socket, your own)") \
	X(JSON,       "json",      NULL,       "Records as the wire has them, one JSON object a line") \
	X(SHORT,      "short",     NULL,       "Without what the room is about; nothing where there is nothing to say") \
	X(TIMEOUT,    "timeout",   "SECONDS",  "Give up waiting after this long")                  \
	X(NAME,       "name",      "NAME",     "Your name in the room (default: $AYE_NAME, the last one, $USER)") \
	X(DECK,       "deck",      "DECK",     "A preset, or the cards split by spaces")           \
	X(TITLE,      "title",     "TEXT",     "Shown in everybody's header")                      \
	X(ASYNC,      "async",     NULL,       "Votes stay without their voters: everybody votes when they have time") \
	X(UNTIL,      "until",     "TIME",     "Turn the cards over then: 2d, 8h or 30m from now") \
	X(QUORUM,     "quorum",    "N",        "Turn the cards over once so many have voted")      \
	X(SHARE,      "share",     NULL,       "new: let others reach your own server, on all addresses or on the one behind it") \
	X(LINKS,      "link-template", "URL",  "Where stories are described, with {key} for a story's key") \
	X(SPECTATE,   "spectate",  NULL,       "Sit down without a vote")                          \
	X(BOT,        "bot",       NULL,       "Say that a program sits here")                     \
	X(WAIT,       "wait",      NULL,       "Stay until the cards are turned over")             \
	X(COMMENT,    "comment",   "TEXT",     "One line on your vote, shown after the reveal")    \
	X(CONFIDENCE, "confidence", "N",       "How sure you are, 1 to 3")                         \
	X(PASSCODE,   "passcode-file", "FILE", "Read the passcode from a file, or from - for standard input") \
	X(KEY,        "key",       "KEY",      "What a tracker calls the story, as PAY-101 or #12; '' takes it away") \
	X(LINK,       "link",      "URL",      "Where the story is described; '' takes it away")   \
	X(DESCRIPTION, "description", "TEXT",     "Lines of text on the story; '' takes them away")   \
	X(ESTIMATE,   "estimate",  "CARD",     "The agreed value; '' takes it away")               \
	X(STATUS,     "status",    "STATUS",   "todo, done or skipped")                            \
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
	X(GUEST,      "guest",     NULL,       "Log in without a key: the user ends with the session") \
	X(SAME_AS,    "same-as",   "ADDR",     "Sign with the key of another server, now and from now on") \
	X(IF_REVISION, "if-revision", "N",     "Only if that is its revision now; 0: only if it is not there") \
	X(THEME,      "theme",     "THEME",    "How the screen looks: default, contrast, mono, dark or light")  \
	X(COLORS,     "colors",    "N",        "How many colours: auto, none, 8, 16 or 256")       \
	X(ASCII,      "ascii",     NULL,       "Draw with ASCII alone")                            \
	X(CALM,       "calm",      NULL,       "Nothing moves on the screen")                      \
	X(HYPERLINKS, "hyperlinks", "WHEN",    "Whether links can be clicked: auto, on or off")    \
	X(PLAIN,      "plain",     NULL,       "Lines of text in place of a screen")               \
	X(SSH_KEY,    "ssh-key",   "SHA256:...", "For sshd alone: be whoever has this key, and do what SSH_ORIGINAL_COMMAND says")

enum option {
#define OPTION_ENUM(symbol, name, value, help) OPTION_##symbol,
	OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
	OPTION_COUNT
};

/* A set of options. */
#define OPTION_BIT(option) (UINT64_C(1) << (option))
static_assert(OPTION_COUNT <= 64, "a set of options has 64 bits");

struct option_row {
	const char *name;
	const char *value; /* what its value is called; NULL: it takes none */
	const char *help;
};
extern const struct option_row option_rows[OPTION_COUNT];

#define ARGS_WORDS_MAX 40

/* Points into argv. */
struct args {
	const char *words[ARGS_WORDS_MAX]; /* what is no option, in order */
	size_t words_n;
	const char *value[OPTION_COUNT]; /* NULL: not given; "": given, takes none */
};

/*
 * Sort argv[1..] into words and options. --name VALUE, --name=VALUE; "--" ends the options.
 *
 * @takes  the options of the verb that the words so far name, as a set: of rows with one name the
 *         one in it is meant, else the first.
 * ERR_INVALID  unknown or repeated option, a value missing or too many, too many words; *why.
 */
NODISCARD enum err options_parse(int argc, char **argv, uint64_t (*takes)(const struct args *a), struct args *out,
				 struct errmsg *why);

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
