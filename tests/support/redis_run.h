/*
 * redis_run.h - a redis-server of a test, in a directory of its own; ended by its id.
 *
 * It listens on a unix socket, and on a free port of 127.0.0.1. Waiting is for its line "Ready to
 * accept connections", never for time.
 */
#ifndef TESTS_SUPPORT_REDIS_RUN_H
#define TESTS_SUPPORT_REDIS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define REDIS_RUN_PATH_BYTES 64

struct redis_run {
	pid_t pid;			   /* 0: it does not run */
	char dir[REDIS_RUN_PATH_BYTES];	   /* holds its data, and: */
	char socket[REDIS_RUN_PATH_BYTES]; /* "dir/s" */
	int port;
};

/* Make the directory, and choose the port; nothing runs yet. */
void redis_run_lay(struct redis_run *r);
/* Kill it, and remove the directory. */
void redis_run_clear(struct redis_run *r);

/* Start it with these options besides, NULL at the end, such as "--requirepass", "pw". NULL: none. */
void redis_run_start(struct redis_run *r, const char *const *options);
/* The same, waiting for another line. */
void redis_run_start_until(struct redis_run *r, const char *const *options, const char *says);
/* Start it as a replica of that one, and wait until it has its data. */
void redis_run_follow(struct redis_run *r, const struct redis_run *master);
/* Start it without waiting until it is ready. */
void redis_run_spawn(struct redis_run *r, const char *const *options);
/* Start it as a Sentinel, with these lines in its file besides; waits until it runs. */
void redis_run_watch(struct redis_run *r, const char *lines);
/* SIGKILL, and wait for its end; its data stay. Nothing where it does not run. */
void redis_run_kill(struct redis_run *r);
/* Ask it one command, as people type them, and wait for the answer: at most cap - 1 bytes of it. */
void redis_run_ask(const struct redis_run *r, const char *command, char *out, size_t cap);
/* Whether it serves now: it answers PING, and is not loading its data. */
bool redis_run_serves(const struct redis_run *r);
/*
 * Servers that are started from now on speak TLS on their ports, with the certificate `good` of a directory that
 * certificates.py has made.
 */
void redis_run_use_tls(const char *directory);
bool redis_run_has_tls(void);
/* A port of 127.0.0.1 that was free a moment ago, as was the one REDIS_RUN_BUS above it. */
int redis_run_port(void);
#define REDIS_RUN_BUS 10000 /* from the port of a member of a cluster to the one for the other members */

#endif
