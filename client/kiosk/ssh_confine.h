/*
 * ssh_confine.h - what is left to the process of somebody who came in over ssh.
 *
 * They may type whatever they like into a program that speaks to a terminal and to
 * ayed; should they ever make it do something else, this is what holds.
 */
#ifndef CLIENT_KIOSK_SSH_CONFINE_H
#define CLIENT_KIOSK_SSH_CONFINE_H

#include "proto/base/err.h"

/*
 * For the rest of the process, which must have no other thread:
 *
 *   - no variable of the environment but HOME, PATH, TERM, COLORTERM and LC_ALL=C.UTF-8
 *   - it cannot be stopped, leaves no core dump, and nobody of its user may look into it
 *   - system calls are those that it needs (seccomp): no file is opened but to be read, nothing
 *     in the file system is changed, no process or thread is begun, no socket is made but unix
 *     ones; whatever else is asked for is EPERM, and a try to run a program or to look into
 *     another process ends it
 *
 * ERR_IO  the kernel gives no seccomp, or no privileges can be left off; with *why. Nobody is to be served then.
 */
NODISCARD enum err ssh_confine(struct errmsg *why);

#endif
