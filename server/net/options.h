/*
 * options.h - the command line of ayed, from one table that --help prints.
 */
#ifndef SERVER_NET_OPTIONS_H
#define SERVER_NET_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/err.h"
#include "proto/limits.h"
#include "server/core/server.h"
#include "server/net/address.h"

enum command {
	COMMAND_SERVE,
	COMMAND_CHECK,
	COMMAND_DUMP,
	COMMAND_LOAD,
	COMMAND_FINGERPRINT,
	COMMAND_HELP,
	COMMAND_HELP_LIMITS,
	COMMAND_VERSION
};

#define LISTEN_MAX 16

struct options {
	enum command command;
	const char *data; /* NULL where not given; points into argv */
	struct address listens[LISTEN_MAX];
	size_t listens_n;
	const char *tls_cert; /* paths, both or none: NULL; point into argv */
	const char *tls_key;
	int64_t limits[LIMIT_COUNT];
	int64_t room_code_chars;
	int64_t map_bytes; /* 0: the store's own default */
	int64_t reserve_bytes;
	enum log_level level;
	int64_t idle_exit_s; /* 0: never */
	bool has_kiosk; /* kiosk_uid is that of the host's ssh kiosk */
	uint32_t kiosk_uid;
	const char *notify_command; /* a path; NULL: none; points into argv */
	mode_t socket_mode;
	bool with_hidden; /* a dump's */
};

/*
 * Read the command line; what is not named keeps its default.
 *
 * ERR_INVALID  *why says which argument is wrong and what it should be.
 */
NODISCARD enum err options_parse(int argc, char **argv, struct options *out, struct errmsg *why);

/* What --help and `help limits` print, on stdout. */
void options_print_help(void);
void options_print_limits(void);

#endif
