/*
 * redis_scripts.h - the scripts that the table on Redis runs, from store/redis/scripts.
 *
 * A script runs alone and whole; each says above its first line what KEYS and ARGV are.
 */
#ifndef STORE_REDIS_REDIS_SCRIPTS_H
#define STORE_REDIS_REDIS_SCRIPTS_H

#include "proto/base/slice.h"

/* Scripts that declare themselves by #!lua are refused before they begin: while Redis is full, loads, is a replica. */
/*        symbol    file           flags */
#define REDIS_SCRIPTS(X)                               \
	X(COMMIT,  "commit.lua", "")                   \
	X(DELETES, "commit.lua", " flags=allow-oom")   \
	X(LOAD,    "load.lua",   " flags=no-writes")   \
	X(TAKE,    "take.lua",   " flags=allow-oom")   \
	X(GIVE_UP, "give_up.lua", " flags=allow-oom")  \
	X(LIST,    "list.lua",   "")                   \
	X(UNLIST,  "unlist.lua", " flags=allow-oom")   \
	X(LEASE,   "lease.lua",  " flags=allow-oom")   \
	X(NODES,   "nodes.lua",  " flags=allow-oom")   \
	X(CHECK,   "check.lua",  " flags=no-writes")   \
	X(MISSING, "missing.lua", " flags=no-writes")  \
	X(ENTRY,   "entry.lua",  " flags=no-writes")

enum redis_script {
#define REDIS_SCRIPT_ENUM(symbol, file, flags) REDIS_SCRIPT_##symbol,
	REDIS_SCRIPTS(REDIS_SCRIPT_ENUM)
#undef REDIS_SCRIPT_ENUM
	REDIS_SCRIPT_COUNT
};

/* Fill in the texts, which are part of the program. */
void redis_scripts_list(struct slice out[REDIS_SCRIPT_COUNT]);

#endif
