/*
 * rlimits.h - settings of the whole process: signals, descriptors, resource limits.
 */
#ifndef SERVER_NET_RLIMITS_H
#define SERVER_NET_RLIMITS_H

#include <stddef.h>

/*
 * First thing in main: descriptors 0 to 2 exist, those above that whoever started
 * us left open go to no program that we start, SIGPIPE, SIGXFSZ and SIGHUP are ignored, new files are private, and (except under a sanitizer, which
 * needs them) no core dump and no debugger of the same user can read keys.
 */
void process_prepare(void);

/* Raise the number of open files as far as it goes; returns how many there may be. */
size_t process_raise_files(void);

#endif
