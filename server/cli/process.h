/*
 * process.h - settings of the whole process: signals, descriptors, resource limits.
 */
#ifndef SERVER_CLI_PROCESS_H
#define SERVER_CLI_PROCESS_H

#include <stddef.h>

/*
 * Call first in main. Makes sure that descriptors 0 to 2 exist, that other inherited descriptors
 * are not passed to programs started from here, that SIGPIPE, SIGXFSZ and SIGHUP are ignored,
 * that new files are private, and (except under a sanitizer, which needs them) that no core dump
 * and no debugger of the same user can read keys.
 */
void process_prepare(void);

/*
 * Call `last` when a fault (SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL) is about to end the
 * process; then report it on stderr and end as without this. `last` must be async-signal-safe.
 */
void process_on_fault(void (*last)(void));

/* Raise the limit of open files as far as possible; returns the limit. */
size_t process_raise_files(void);

#endif
