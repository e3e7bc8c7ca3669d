/*
 * process.h - settings of the whole process: signals, descriptors, resource limits.
 */
#ifndef SERVER_CLI_PROCESS_H
#define SERVER_CLI_PROCESS_H

#include <stddef.h>

/*
 * First thing in main: descriptors 0 to 2 exist, those above that whoever started
 * us left open go to no program that we start, SIGPIPE, SIGXFSZ and SIGHUP are ignored, new files are private, and (except under a sanitizer, which
 * needs them) no core dump and no debugger of the same user can read keys.
 */
void process_prepare(void);

/*
 * Call `last` when a signal of the process's own making (SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL) is about to end it;
 * then it says so on standard error, and ends as it would have. `last` must be async-signal-safe.
 */
void process_on_fault(void (*last)(void));

/* Raise the number of open files as far as it goes; returns how many there may be. */
size_t process_raise_files(void);

#endif
