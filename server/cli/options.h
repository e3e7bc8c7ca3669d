/*
 * options.h - the command line of ayed, parsed with the tables that --help prints.
 */
#ifndef SERVER_CLI_OPTIONS_H
#define SERVER_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "server/cli/commands/commands.h"
#include "server/core/server.h"
#include "server/net/streams/address.h"
#include "server/net/streams/peer_cred.h"
#include "server/web/web_request.h"
#include "store/redis/link/redis_address.h"

#define LISTEN_MAX 16

/* Where data are. */
struct options_place {
	const char *directory; /* points into argv; NULL: in Redis, at: */
	struct redis_address redis;
};

struct options {
	enum command command;
	/* words after the command; NULL: none; point into argv */
	const char *words[COMMAND_WORDS_MAX];
	const char *data; /* from --data; NULL: not given; points into argv */
	bool has_redis;	  /* from --store: the table is in Redis, at: */
	struct redis_address redis;
	const char *key_file;	    /* goes with --store; NULL: not given; points into argv */
	struct address listens[LISTEN_MAX];
	size_t listens_n;
	bool is_node; /* from --cluster-listen: one of several servers on one Redis, which reach it at: */
	struct address cluster_listen;
	const char *announce; /* NULL: not given; points into argv */
	bool insecure_web; /* http:// on more than loopback is wanted */
	bool has_web_proxy;
	struct whole_address web_proxy;
	struct web_origins web_origins;
	const char *tls_cert; /* paths, both or none (NULL); point into argv */
	const char *tls_key;
	int64_t limits[LIMIT_COUNT]; /* defaults, and values from --limit */
	bool limits_given[LIMIT_COUNT];
	const char *limits_file; /* a path; NULL: none; points into argv */
	int64_t room_code_chars;
	int64_t map_bytes; /* 0: the store's own default */
	int64_t reserve_bytes;
	enum log_level level;
	int64_t idle_exit_s; /* 0: never */
	bool has_kiosk; /* kiosk_uid is the uid of the host's ssh kiosk */
	uint32_t kiosk_uid;
	const char *notify_command; /* a path; NULL: none; points into argv */
	mode_t socket_mode;
	bool allow_root;
	struct options_place from, to; /* of copy */
	bool with_hidden; /* of dump */
	bool is_json;	  /* output for scripts */
	int64_t keep;	  /* number of backups to keep in a directory; 0: make one backup */
	int64_t every_s;  /* seconds between backups; 0: only one now */
	bool is_prometheus;
	const char *output; /* of stats: path of the output; NULL: stdout; points into argv */
};

/*
 * Parse the command line; options that are not given keep their defaults.
 *
 * ERR_INVALID  *why says which argument is wrong and what it should be.
 */
NODISCARD enum err options_parse(int argc, char **argv, struct options *out, struct errmsg *why);

/*
 * Print help on stdout: all options and limits, or if words[0] names a command, or the limits,
 * only those. Never fails.
 */
NODISCARD enum err options_print_help(const struct options *o, struct errmsg *why);

#endif
