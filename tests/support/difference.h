/*
 * difference.h - texts that files expect: read, compared, written anew.
 *
 * With AYE_UPDATE_SCREENS=1, which is what `make screens` sets, what a test makes
 * becomes what is expected.
 */
#ifndef TESTS_SUPPORT_DIFFERENCE_H
#define TESTS_SUPPORT_DIFFERENCE_H

#include <stdbool.h>

bool expected_is_written(void);
void expected_write(const char *path, const char *text);
/* The whole of it, which the caller frees. Fails the test where there is no such file. */
char *expected_read(const char *path);

/*
 * Fails the test where actual is not what the file has: shows the first line
 * that differs with some around it, names the file, and how it is written anew.
 */
void assert_expected(const char *path, const char *expected, const char *actual);
/* Likewise; reads the file, having written it where that is asked for. */
void assert_as_file(const char *path, const char *actual);

#endif
