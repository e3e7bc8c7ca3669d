/*
 * files.h - make the nth call of our code on files fail.
 *
 * The client's test programs are linked with --wrap for open, write, fsync,
 * rename and close, so the code under test needs no hooks. What libraries do
 * with files is not touched.
 */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The last one means any of them. */
enum files_call { FILES_OPEN, FILES_WRITE, FILES_FSYNC, FILES_RENAME, FILES_CLOSE, FILES_ANY };

/* The nth call of that kind from now (0: the next one) fails with that errno; a close closes all the same. */
void files_fail_nth(enum files_call call, size_t nth, int error);
void files_fail_never(void);
/* Whether a call has failed since files_fail_nth(): false means the walk has passed the last one. */
bool files_has_failed(void);

#endif
