/*
 * verbs.h - everything `aye` can be told to do, as rows.
 *
 * One row feeds dispatch, the checks of the command line, `aye --help`, `aye help all`,
 * `aye help VERB` and the shell completion: there is no second list.
 */
#ifndef CLIENT_CLI_VERBS_H
#define CLIENT_CLI_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/acts/word.h"
#include "client/cli/config.h"
#include "client/cli/options.h"
#include "client/cli/reach/find_server.h"
#include "proto/methods.h"

/* What the program ends with; stable, scripts branch on them. */
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

/* A failure of this machine or this program (no memory, no state directory): like a server that cannot be reached. */
#define EXIT_BROKEN EXIT_NO_SERVER

/*
 * What one wants to do, in the order in which `aye --help` and the manual have it; what matters
 * first comes first.
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

struct verb;
struct visit;

/* What every verb is handed. */
struct cli {
	const struct verb *verb;   /* its row */
	struct args args;          /* words: those behind the verb */
	int64_t answer_ms;         /* how long to wait for an answer */
	int64_t wait_ms;           /* how long to wait for a condition; negative: for ever */
	bool is_json;
	struct config config;      /* for verbs that open a screen: verbs_open_config() */
	struct slices cards;	   /* of the room, where they are known, for explain(); borrowed */
	char no_room[200];         /* where the room of the first word is not found: who was asked, and how to ask another; "": no room is meant */
};

/* What a verb needs before it may make its request. */
enum verb_needs {
	NEEDS_SERVER,     /* no room */
	NEEDS_LOGIN,      /* no room; the session of who is logged in, where anybody is */
	NEEDS_ASKER,      /* no room; likewise, or of the user who asks and answers without a login (login.h) */
	NEEDS_NEW_ASKER,  /* likewise, who is made where there is none; all that follow need a room */
	NEEDS_RIGHTS,     /* the host_key, or the seat that we have: nobody takes a seat for it */
	NEEDS_SEAT,       /* the host_key, or a seat of any kind */
	NEEDS_MEMBER,     /* the host_key, or a seat with a name */
	NEEDS_NAME,       /* a seat with a name */
	NEEDS_KEPT_SEAT,  /* the seat of our name, kept for the next verb */
};

struct verb {
	enum verb_group group;
	const char *name;     /* one or two words */
	const char *usage;    /* what follows it */
	const char *help;     /* one line */
	const char *examples; /* lines, each a command; "" none */
	const unsigned char *options; /* those it takes beside --help, up to OPTION_COUNT; NULL: none */
	size_t words_min;
	size_t words_max;
	int (*run)(struct cli *c); /* NULL: verb_method() */
	const char *alias; /* a second name; NULL: none */
	bool is_first; /* one of those that `aye --help` has */
	const char *more; /* a sentence that `aye help VERB` has as well; NULL: none */
	/* The rest is for verb_method(), which makes one request: */
	enum method method;
	const char *act; /* not NULL: the method is KIND.act */
	enum verb_needs needs;
	struct act_word words[ACT_WORDS_MAX]; /* behind the room's code, where it has one; those at the end may be left out */
	/* What is printed without --json: a field of the result, or the number of a word, in {}; NULL: nothing. */
	const char *says;
	const char *sure; /* asked first at a terminal, with the last word at the star; NULL: it is not asked */
	bool is_for_good; /* and elsewhere it takes --yes: there is no way back */
	const char *tells; /* likewise, where it says nothing else and a person reads it */
	const char *tells_none; /* likewise, where its last word is '', - or 0, or --off was said */
	/* Prints the result in place of that: the exit code, told. */
	int (*done)(struct visit *v, const struct record *rec, const void *result);
};

/* A room of a team, in a list (template.h). */
#define ROOM_LINE "{room_id:12}  {users:3} here  round {round:4}  {created_on@}  {title}"

/* Ends with a row whose name is NULL. */
extern const struct verb verbs[];

/* The row whose name the words begin with, the longest; NULL. *used: how many words it took. */
const struct verb *verbs_find(const struct args *a, size_t *used);

bool verb_takes(const struct verb *v, enum option o);
/* Whether the verb that the words begin with takes it; for options_parse(). */
bool verbs_take(const struct args *a, enum option o);

/* Its names, from 0: the one that is written, then its second one; NULL: none. */
const char *verb_name(const struct verb *v, size_t at);
/* The second word of that one of its names that has two and begins with this one; NULL: none. */
const char *verbs_in_group(const struct verb *v, const char *group);
/* Say that there is no such verb, and where those that come closest are listed. EXIT_USAGE. */
int verbs_unknown(const struct args *a);

/* Gather the settings into c->config, for verbs that open a screen. The exit code, told. */
int verbs_open_config(struct cli *c);

/* Parse, find, check, run. The exit code. */
int verbs_main(int argc, char **argv);

/* The handlers. */
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
int verb_room_show(struct cli *c);
int verb_room_vote(struct cli *c);
int verb_room_policy(struct cli *c);
int verb_story_list(struct cli *c);
int verb_story_import(struct cli *c);
int verb_export(struct cli *c);
int verb_round_list(struct cli *c);
int verb_ask(struct cli *c);
int verb_answer(struct cli *c);
int verb_question_show(struct cli *c);
int verb_question_list(struct cli *c); /* and mine, and answered */
int verb_question_watch(struct cli *c);
int verb_board(struct cli *c);
int verb_notify_on(struct cli *c);
int verb_notify_off(struct cli *c);
int verb_list(struct cli *c); /* of a row that says what a line of it is */
int verb_invite(struct cli *c);
int verb_team_show(struct cli *c);
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

/* What is done with a result that a line does not print. */
int verb_room_was_revealed(struct visit *v, const struct record *rec, const void *result);
int verb_room_was_hidden(struct visit *v, const struct record *rec, const void *result);
int verb_room_was_deleted(struct visit *v, const struct record *rec, const void *result);
int verb_story_was_chosen(struct visit *v, const struct record *rec, const void *result);
int verb_notify_was_listed(struct visit *v, const struct record *rec, const void *result);
int verb_team_was_entered(struct visit *v, const struct record *rec, const void *result);
int verb_stats_were_read(struct visit *v, const struct record *rec, const void *result);
int verb_timer_was_started(struct visit *v, const struct record *rec, const void *result);
int verb_whoami_was_asked(struct visit *v, const struct record *rec, const void *result);
int verb_data_was_read(struct visit *v, const struct record *rec, const void *result);
int verb_server_has_counted(struct visit *v, const struct record *rec, const void *result);
int verb_server_has_answered(struct visit *v, const struct record *rec, const void *result);

#endif
