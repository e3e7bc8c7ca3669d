/*
 * ssh_confine.h - confine the process that serves a user who came by ssh.
 *
 * Such a user may send anything to a program that talks to a terminal and to ayed;
 * should the program have a flaw, this limits what it can be made to do.
 */
#ifndef CLIENT_KIOSK_SSH_CONFINE_H
#define CLIENT_KIOSK_SSH_CONFINE_H

#include "proto/base/err.h"

/*
 * For the rest of the process, which must have no other thread:
 *
 *   - the environment has only HOME, PATH, TERM, COLORTERM and LC_ALL=C.UTF-8
 *   - it cannot be stopped, leaves no core dump, and no process of its user may trace it
 *   - only the system calls it needs are allowed (seccomp): files are opened only for reading,
 *     nothing in the file system is changed, no process or thread is created, and no sockets but
 *     unix ones; others fail with EPERM, and an attempt to run a program or to trace another
 *     process kills it
 *
 * ERR_IO  the kernel does not support it; with *why. The user must not be served then.
 */
NODISCARD enum err ssh_confine(struct errmsg *why);

#endif
