/*
 * option_rows.h - the rows of options.c: the options and the commands of ayed; only for options*.c.
 */
#ifndef SERVER_CLI_OPTION_ROWS_H
#define SERVER_CLI_OPTION_ROWS_H

#include "server/cli/commands/commands.h"

enum option_id {
	OPTION_DATA,
	OPTION_STORE,
	OPTION_KEY_FILE,
	OPTION_LISTEN,
	OPTION_CLUSTER_LISTEN,
	OPTION_ANNOUNCE,
	OPTION_INSECURE_WEB,
	OPTION_WEB_PROXY,
	OPTION_WEB_ORIGIN,
	OPTION_TLS_CERT,
	OPTION_TLS_KEY,
	OPTION_LIMIT,
	OPTION_LIMITS,
	OPTION_ROOM_CODE_LENGTH,
	OPTION_SOCKET_MODE,
	OPTION_MAP_SIZE,
	OPTION_RESERVE,
	OPTION_LOG_LEVEL,
	OPTION_IDLE_EXIT,
	OPTION_NOTIFY_COMMAND,
	OPTION_KIOSK_USER,
	OPTION_ALLOW_ROOT,
	OPTION_HIDDEN_VOTES,
	OPTION_KEEP,
	OPTION_EVERY,
	OPTION_PROMETHEUS,
	OPTION_JSON,
	OPTION_OUTPUT,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_COUNT
};

#define OF_ALL	   (~0U)

struct option_row {
	const char *name;
	const char *argument; /* NULL: takes none */
	unsigned of;	      /* the commands that take it */
	const char *wrong;    /* what it should be; NULL: option_take() says more */
	const char *help;
};
extern const struct option_row option_table[OPTION_COUNT];

struct command_row {
	const char *name; /* NULL: has no word of its own */
	const char *arguments;
	int least, most;
	const char *help;
	const char *examples;
};
extern const struct command_row command_table[COMMAND_COUNT];

/* COMMAND_COUNT: there is none of that name. */
enum command command_find(const char *name);

#endif
