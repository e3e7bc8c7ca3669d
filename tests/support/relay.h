/*
 * relay.h - a process between a test and a server, so that what a test says over a unix socket goes
 * to the server by another way.
 */
#ifndef TESTS_SUPPORT_RELAY_H
#define TESTS_SUPPORT_RELAY_H

#include <sys/types.h>

/* Take connections from the listener for ever, each to that port of 127.0.0.1; returns where it cannot begin. */
typedef void relay_run(int listener, int port);

/*
 * Start a process that runs `run` with a new unix socket at `path`, and has no other descriptors than
 * the standard ones. It ends with ours, or by SIGKILL; -1 where it cannot begin.
 */
pid_t relay_start(const char *path, int port, relay_run *run);

/* A socket that is connected to that port of 127.0.0.1; its kernel buffer is small, so that a reader who stops is noticed soon. -1: failed. */
int relay_connect(int port);

#endif
