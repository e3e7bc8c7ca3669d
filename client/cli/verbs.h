/*
 * verbs.h - the table of the verbs of `aye`.
 *
 * A row defines a verb for dispatch, the checks of the command line, `aye --help`, `aye help all`,
 * `aye help VERB` and the shell completion. There is no second list.
 */
#ifndef CLIENT_CLI_VERBS_H
#define CLIENT_CLI_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/acts/word.h"
#include "client/cli/config.h"
#include "client/cli/options.h"
#include "proto/methods.h"

/* The exit codes; stable, since scripts branch on them. */
#define EXIT_CODES(X)                                                                              \
	X(DONE, 0, "done")                                                                         \
	X(REFUSED, 1, "refused by the server")                                                     \
	X(USAGE, 2, "usage error, or a file cannot be read or written")                            \
	X(NO_SERVER, 3, "cannot reach the server, or the connection was lost")                     \
	X(TIMED_OUT, 4, "timed out, or the question expired")                                      \
	X(NO, 5, "the answer was no")                                                              \
	X(CANCELLED, 6, "the question was cancelled")

enum exit_code {
#define EXIT_CODE_ENUM(symbol, code, help) EXIT_##symbol = (code),
	EXIT_CODES(EXIT_CODE_ENUM)
#undef EXIT_CODE_ENUM
};

/*
 * A failure of the machine or the program (no memory, no state directory) ends like an unreachable
 * server.
 */
#define EXIT_BROKEN EXIT_NO_SERVER

/*
 * Groups of verbs, in the order of `aye --help` and the manual.
 */
#define VERB_GROUPS(X)                          \
	X(TAKE_PART, "Take part")               \
	X(LEAD, "Run the vote")                                                                    \
	X(STORIES, "Stories")                   \
	X(ASK, "Ask a human")                   \
	X(TEAM, "Teams and backlogs")           \
	X(LOOK, "Look and export")              \
	X(ROOM, "The room and its members")                                                        \
	X(SERVER, "Server and account")         \
	X(SCRIPTS, "Scripts and shared data")   \
	X(HELP, "Help")

enum verb_group {
#define VERB_GROUP_ENUM(symbol, title) GROUP_##symbol,
	VERB_GROUPS(VERB_GROUP_ENUM)
#undef VERB_GROUP_ENUM
		GROUP_COUNT
};
extern const char *const verb_groups[GROUP_COUNT]; /* their titles */

struct buf;
struct replica;
struct verb;
struct visit;

/* The context of a running verb. */
struct cli {
	const struct verb *verb;   /* its row */
	struct args args;          /* words: those after the verb */
	int64_t answer_ms;         /* how long to wait for an answer */
	int64_t wait_ms;           /* how long to wait for a condition; negative: no limit */
	bool is_json;
	struct config config;      /* for verbs that open a screen: verbs_open_config() */
	struct slices cards;	   /* of the room, if known, for explain(); borrowed */
	/*
	 * Said if the room is not found: which server was asked, and how to ask another; "": no
	 * room is meant.
	 */
	char no_room[240];
	bool is_room_of_env; /* the first word is the code in AYE_ROOM */
	bool was_so;	     /* what is told of the result: the verb's tells_so */
};

/* What a verb needs before it may make its request. */
enum verb_needs {
	NEEDS_SERVER,     /* no room */
	NEEDS_LOGIN,      /* no room; the session of the logged-in user, if any */
	/* no room; that session, or that of the asker, a user without a login (login.h) */
	NEEDS_ASKER,
	NEEDS_NEW_ASKER,  /* the same; creates the asker if there is none. All below need a room */
	NEEDS_RIGHTS,     /* the stored host_key or seat, if any; takes no new seat */
	NEEDS_SEAT,       /* the host_key, or a seat of any kind */
	NEEDS_MEMBER,     /* the host_key, or a seat with a name */
	NEEDS_NAME,       /* a seat with a name */
	NEEDS_KEPT_SEAT,  /* a seat with the user's name, stored for the next verb */
};

struct verb {
	enum verb_group group;
	const char *name;     /* one or two words */
	/*
	 * what follows it; with [CODE] first and words_min not 0, a code that was left out is put
	 * there from the context (room_context.h), so that the handler always has it
	 */
	const char *usage;
	const char *help;     /* one line */
	const char *examples; /* lines, each a command; "": none */
	const unsigned char *options; /* besides --help; ends with OPTION_COUNT; NULL: none */
	size_t words_min; /* these two count the code, even in brackets */
	size_t words_max;
	int (*run)(struct cli *c); /* returns the exit code; NULL: verb_method() */
	const char *alias; /* a second name; NULL: none */
	bool is_first; /* listed by `aye --help` */
	const char *more; /* a further sentence for `aye help VERB`; NULL: none */
	/* The rest is for verb_method(), which makes one request: */
	enum method method;
	const char *act; /* not NULL: the method is KIND.act */
	enum verb_needs needs;
	/* after the room code, if any; the last ones may be optional */
	struct act_word words[ACT_WORDS_MAX];
	/*
	 * The line printed without --json, with fields of the result or numbers of words in {};
	 * NULL: none.
	 */
	const char *says;
	/* the confirmation asked on a terminal, with the last word for the star; NULL: none */
	const char *sure;
	/*
	 * In its place: appends the confirmation, as the room is; false where there is nothing to ask.
	 * NULL: it does not depend on the room.
	 */
	bool (*asks)(const struct replica *room, struct buf *out);
	bool is_for_good; /* it cannot be undone: without a terminal, --yes is required */
	const char *tells; /* like `says`, printed only to a terminal, if nothing else is printed */
	/* instead of `tells` if the last word is '', - or 0, or with --off */
	const char *tells_none;
	/*
	 * Whether the room was as the request wants it before, and what is told instead then. NULL: it
	 * is not looked at.
	 */
	bool (*was_so)(const struct replica *before, const void *params);
	const char *tells_so;
	/* Prints the result instead. Returns the exit code; has reported a failure. */
	int (*done)(struct visit *v, const struct record *rec, const void *result);
};

/* The line for a room in a list (template.h). */
#define ROOM_LINE "{room_id:12}  {users:3} here  round {round:4}  {created_on@}  {title}"

/* Ends with a row whose name is NULL. */
extern const struct verb verbs[];

/*
 * The verb whose name the words start with, the longest match; NULL: none. *used: the number of
 * words in the name.
 */
const struct verb *verbs_find(const struct args *a, size_t *used);

bool verb_takes(const struct verb *v, enum option o);
/* Whether the verb that the words start with takes the option; for options_parse(). */
bool verbs_take(const struct args *a, enum option o);

/* The names of a verb: 0 is its name, 1 its second name; NULL: none. */
const char *verb_name(const struct verb *v, size_t at);
/*
 * The second word of the verb's name "GROUP WORD", or of such a second name; NULL: it has none in
 * this group.
 */
const char *verbs_in_group(const struct verb *v, const char *group);
/* Report an unknown verb, and where similar ones are listed. Returns EXIT_USAGE. */
int verbs_unknown(const struct args *a);

/*
 * Read an option whose value is a span of time into *seconds, which stays if it was not given.
 * Returns false if it cannot be read, which it has reported.
 */
bool verbs_span(const struct cli *c, enum option o, int64_t *seconds);

/*
 * Read the settings into c->config, for verbs that open a screen. Returns the exit code; has
 * reported a failure.
 */
int verbs_open_config(struct cli *c);

/* Parse the command line, find the verb, check and run it. Returns the exit code. */
int verbs_main(int argc, char **argv);

/* The handlers; each returns the exit code, and has reported a failure. */
int verb_method(struct cli *c);
int verb_new(struct cli *c);
int verb_join(struct cli *c);
int verb_serve(struct cli *c);
int verb_relay(struct cli *c);
int verb_ssh_setup(struct cli *c);
int verb_server_known(struct cli *c);
int verb_server_forget(struct cli *c);
int verb_home(struct cli *c);
int verb_inbox(struct cli *c);
int verb_room_forget(struct cli *c);
int verb_status(struct cli *c);
int verb_watch(struct cli *c);
int verb_call(struct cli *c);
int verb_script(struct cli *c);
int verb_mcp(struct cli *c);
int verb_room_create(struct cli *c);
int verb_room_title(struct cli *c);
int verb_room_links(struct cli *c);
int verb_room_show(struct cli *c);
int verb_room_vote(struct cli *c);
int verb_room_policy(struct cli *c);
int verb_qr(struct cli *c);
int verb_story_list(struct cli *c);
int verb_story_import(struct cli *c);
int verb_export(struct cli *c);
int verb_summary(struct cli *c);
int verb_round_list(struct cli *c);
int verb_ask(struct cli *c);
int verb_answer(struct cli *c);
int verb_question_show(struct cli *c);
int verb_question_list(struct cli *c); /* also `question mine` and `question answered` */
int verb_question_watch(struct cli *c);
int verb_board(struct cli *c);
int verb_notify_on(struct cli *c);
int verb_notify_off(struct cli *c);
int verb_list(struct cli *c); /* of any list whose row has the line for an entry */
int verb_invite(struct cli *c);
int verb_team(struct cli *c);
int verb_team_show(struct cli *c);
int verb_team_settings(struct cli *c);
int verb_team_set(struct cli *c);
int verb_backlog_list(struct cli *c);
int verb_backlog_show(struct cli *c);
int verb_backlog_import(struct cli *c);
int verb_backlog_export(struct cli *c);
int verb_item_set(struct cli *c);
int verb_item_expiring(struct cli *c);
int verb_login(struct cli *c);
int verb_logout(struct cli *c);
int verb_whoami(struct cli *c);
int verb_whoami_watch(struct cli *c); /* with --watch */
int verb_data_watch(struct cli *c);
int verb_help(struct cli *c);
int verb_completion(struct cli *c);
int verb_version(struct cli *c);

/* For the member `done` of struct verb: results that one line cannot print. */
int verb_room_was_revealed(struct visit *v, const struct record *rec, const void *result);
bool verb_room_is_hidden(const struct replica *before, const void *params);
bool verb_story_is_listed(const struct replica *before, const void *params);
int verb_room_was_hidden(struct visit *v, const struct record *rec, const void *result);
int verb_room_was_nudged(struct visit *v, const struct record *rec, const void *result);
int verb_room_was_deleted(struct visit *v, const struct record *rec, const void *result);
int verb_story_was_chosen(struct visit *v, const struct record *rec, const void *result);
int verb_story_was_selected(struct visit *v, const struct record *rec, const void *result);
int verb_stories_were_settled(struct visit *v, const struct record *rec, const void *result);
int verb_notify_was_listed(struct visit *v, const struct record *rec, const void *result);
int verb_team_was_entered(struct visit *v, const struct record *rec, const void *result);
int verb_stats_were_read(struct visit *v, const struct record *rec, const void *result);
int verb_timer_was_started(struct visit *v, const struct record *rec, const void *result);
int verb_whoami_was_asked(struct visit *v, const struct record *rec, const void *result);
int verb_data_was_read(struct visit *v, const struct record *rec, const void *result);
int verb_server_was_unshared(struct visit *v, const struct record *rec, const void *result);
int verb_server_has_counted(struct visit *v, const struct record *rec, const void *result);
int verb_server_has_answered(struct visit *v, const struct record *rec, const void *result);

#endif
