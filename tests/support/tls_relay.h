/*
 * tls_relay.h - a process that turns plain connections into TLS, so that what a test
 * says over a unix socket goes to a server's tls:// address.
 *
 * What it is not: a client. It looks at no certificate, and adds and drops nothing:
 * an end of either side is passed on, and while one side takes nothing, nothing is
 * read for it from the other.
 */
#ifndef TESTS_SUPPORT_TLS_RELAY_H
#define TESTS_SUPPORT_TLS_RELAY_H

#include <sys/types.h>

/*
 * Connections to a new unix socket at `path` go to that port of 127.0.0.1. The process
 * ends with ours, or by SIGKILL; -1 where it cannot begin.
 */
pid_t tls_relay_start(const char *path, int port);

#endif
