/*
 * verbs.h - everything `aye` can be told to do, as rows.
 *
 * One row feeds dispatch, the checks of the command line, `aye --help`,
 * `aye help VERB` and the shell completion: there is no second list.
 */
#ifndef CLIENT_CLI_VERBS_H
#define CLIENT_CLI_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/cli/config.h"
#include "client/cli/find_server.h"
#include "client/cli/options.h"

/* What the program ends with; stable, scripts branch on them. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_REFUSED = 1,  /* by the server; the error is on stderr */
	EXIT_USAGE = 2,    /* what was typed makes no sense */
	EXIT_NO_SERVER = 3, /* cannot reach one, or lost it */
	EXIT_TIMED_OUT = 4, /* waiting for an answer or a condition */
	EXIT_NO = 5         /* the answer was no */
};

/* A failure of this machine or this program (no memory, no state directory): like a server that cannot be reached. */
#define EXIT_BROKEN EXIT_NO_SERVER

/* What every verb is handed. */
struct cli {
	struct args args;          /* words: those behind the verb */
	int64_t answer_ms;         /* how long to wait for an answer */
	int64_t wait_ms;           /* how long to wait for a condition; negative: for ever */
	bool is_json;
	struct config config;      /* for verbs that open a screen: verbs_open_config() */
};

struct verb {
	const char *name;     /* one or two words */
	const char *usage;    /* what follows it */
	const char *help;     /* one line */
	const char *examples; /* lines, each a command; "" none */
	uint64_t options;     /* OPTION_BIT()s beside --help */
	size_t words_min;
	size_t words_max;
	int (*run)(struct cli *c);
};

/* Ends with a row whose name is NULL. */
extern const struct verb verbs[];

/* The row whose name the words begin with, the longest; NULL. *used: how many words it took. */
const struct verb *verbs_find(const struct args *a, size_t *used);

/* Whether the verb has two words and the first is this one. */
bool verbs_in_group(const struct verb *v, const char *group);
/* Say that there is no such verb, and where those that come closest are listed. EXIT_USAGE. */
int verbs_unknown(const struct args *a);

/* Gather the settings into c->config, for verbs that open a screen. The exit code, told. */
int verbs_open_config(struct cli *c);

/* Parse, find, check, run. The exit code. */
int verbs_main(int argc, char **argv);

/* The handlers. */
int verb_new(struct cli *c);
int verb_join(struct cli *c);
int verb_home(struct cli *c);
int verb_room_forget(struct cli *c);
int verb_watch(struct cli *c);
int verb_call(struct cli *c);
int verb_script(struct cli *c);
int verb_room_create(struct cli *c);
int verb_room_show(struct cli *c);
int verb_room_vote(struct cli *c);
int verb_room_reveal(struct cli *c);
int verb_room_hide(struct cli *c);
int verb_room_reset(struct cli *c);
int verb_room_kick(struct cli *c);
int verb_room_unkick(struct cli *c);
int verb_room_delete(struct cli *c);
int verb_room_title(struct cli *c);
int verb_room_deck(struct cli *c);
int verb_room_policy(struct cli *c);
int verb_room_admit(struct cli *c);
int verb_room_reject(struct cli *c);
int verb_room_host(struct cli *c);
int verb_room_unhost(struct cli *c);
int verb_story_add(struct cli *c);
int verb_story_update(struct cli *c);
int verb_story_move(struct cli *c);
int verb_story_remove(struct cli *c);
int verb_story_restore(struct cli *c);
int verb_story_select(struct cli *c);
int verb_story_next(struct cli *c);
int verb_story_list(struct cli *c);
int verb_story_import(struct cli *c);
int verb_export(struct cli *c);
int verb_round_list(struct cli *c);
int verb_round_again(struct cli *c);
int verb_round_undo(struct cli *c);
int verb_round_settle(struct cli *c);
int verb_reveal_cancel(struct cli *c);
int verb_reveal_arm(struct cli *c);
int verb_timer_start(struct cli *c);
int verb_timer_stop(struct cli *c);
int verb_nudge(struct cli *c);
int verb_react(struct cli *c);
int verb_room_keep(struct cli *c);
int verb_login(struct cli *c);
int verb_logout(struct cli *c);
int verb_whoami(struct cli *c);
int verb_whoami_watch(struct cli *c); /* with --watch */
int verb_data_create(struct cli *c);
int verb_data_delete(struct cli *c);
int verb_data_get(struct cli *c);
int verb_data_set(struct cli *c);
int verb_data_remove(struct cli *c);
int verb_data_push(struct cli *c);
int verb_data_insert(struct cli *c);
int verb_data_move(struct cli *c);
int verb_data_watch(struct cli *c);
int verb_server_stats(struct cli *c);
int verb_server_ping(struct cli *c);
int verb_help(struct cli *c);
int verb_completion(struct cli *c);
int verb_version(struct cli *c);

#endif
