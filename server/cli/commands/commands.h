/*
 * commands.h - the commands of ayed, besides serving: one row per command.
 *
 * One row feeds the dispatch, the checks of the command line, --help, `ayed help COMMAND`, and
 * the synopsis and commands of ayed(8): there is no second list. The options of a command are in
 * the rows of the options (options.c).
 */
#ifndef SERVER_CLI_COMMANDS_H
#define SERVER_CLI_COMMANDS_H

#include "proto/base/err.h"

/*
 * arguments  as in the usage; least, most: how many words they are
 * run        a command_run; it prints its own output, main prints its errors
 * help       one sentence, without its full stop
 * examples   whole lines of a shell
 */
/* symbol, name, arguments, least, most, run, help, examples */
#define COMMANDS(X)                                                                                \
	X(CHECK, "check", "[DIR]", 0, 1, admin_cmd_check,                                          \
	  "Check every item and index entry of the data in DIR or --store; exit 1 if anything is " \
	  "wrong",                                                                                 \
	  "ayed check /var/lib/ayed\n"                                                             \
	  "ayed check --store redis://10.0.0.5\n")                                                 \
	X(DUMP, "dump", "[DIR]", 0, 1, admin_cmd_dump,                                             \
	  "Print the data in DIR or --store as JSON, one item a line; secrets stay hashed",        \
	  "ayed dump /var/lib/ayed | grep '^{\"pk\":\"ROOM:'\n"                                    \
	  "ayed dump --hidden-votes /var/lib/ayed > ayed.jsonl\n")                                 \
	X(LOAD, "load", "DIR", 1, 1, admin_cmd_load,                                               \
	  "Read such lines from stdin into a directory without data",                              \
	  "ayed load new < ayed.jsonl\n")                                                          \
	X(BACKUP, "backup", "DATA DEST", 2, 2, backup_cmd_backup,                                  \
	  "Copy the data and keys in DATA to a new directory DEST, even while a server uses "      \
	  "them; with --keep, to a new one in DEST named after the time",                          \
	  "ayed backup /var/lib/ayed /mnt/backup/ayed-before-upgrade\n"                            \
	  "ayed backup --keep 7 /var/lib/ayed /mnt/backup/ayed\n"                                  \
	  "ayed backup --every 1d --keep 7 /var/lib/ayed /mnt/backup/ayed\n")                      \
	X(RESTORE, "restore", "BACKUP DATA", 2, 2, backup_cmd_restore,                             \
	  "Restore a backup as the data of a stopped server, into a directory without data",       \
	  "systemctl stop ayed.socket ayed && mkdir /root/ayed.old && mv /var/lib/ayed/* /root/ayed.old\n"     \
	  "ayed restore /mnt/backup/ayed-before-upgrade /var/lib/ayed && systemctl start ayed\n")  \
	X(COPY, "copy", "FROM TO", 2, 2, copy_cmd,                                                 \
	  "Copy all data to a place without any, and check the copy; FROM and TO are lmdb:DIR or " \
	  "an address of Redis, and no server may be using them",                                   \
	  "ayed copy lmdb:/var/lib/ayed redis://10.0.0.5 --key-file /etc/ayed/key\n"               \
	  "ayed copy redis://10.0.0.5 lmdb:/var/lib/ayed --key-file /etc/ayed/key\n")              \
	X(FINGERPRINT, "fingerprint", "DIR", 1, 1, admin_cmd_fingerprint,                          \
	  "Print the fingerprint of the certificate that the server created",                      \
	  "ayed fingerprint /var/lib/ayed\n")                                                      \
	X(KEY, "key", "new|show FILE", 2, 2, key_file_cmd,                                         \
	  "Create the key of servers that share their data, or show the check value of a key: "    \
	  "two files with the same one hold the same key",                                         \
	  "ayed key new /etc/ayed/key\n"                                                           \
	  "ayed key show /var/lib/ayed/server.key\n")                                              \
	X(STATS, "stats", "[ADDR]", 0, 1, stats_cmd,                                               \
	  "Print the counters of the server at the unix socket ADDR; its own user and root only",  \
	  "ayed stats\n"                                                                           \
	  "ayed stats unix:/tmp/ayed.sock --json\n"                                                \
	  "ayed stats --prometheus --output /var/lib/prometheus/node-exporter/ayed.prom\n")        \
	X(HELP, "help", "[COMMAND | limits]", 0, 1, options_print_help,                            \
	  "Print the options, the help of a command, or the limits",                               \
	  "ayed help dump\n"                                                                       \
	  "ayed help limits\n")

#define COMMAND_WORDS_MAX 2 /* the most of any row */

enum command {
	COMMAND_SERVE, /* no command word, only options */
#define COMMAND_ENUM(symbol, ...) COMMAND_##symbol,
	COMMANDS(COMMAND_ENUM)
#undef COMMAND_ENUM
		COMMAND_VERSION,
	COMMAND_COUNT
};

struct options;

/* Run the command. On failure: ERR_* with *why. */
typedef enum err command_run(const struct options *o, struct errmsg *why);

#endif
