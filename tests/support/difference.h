/*
 * difference.h - two texts that should be the same, and where they are not.
 */
#ifndef TESTS_SUPPORT_DIFFERENCE_H
#define TESTS_SUPPORT_DIFFERENCE_H

/*
 * Fails the test where actual is not what the file has: shows the first line
 * that differs with some around it, names the file, and how it is written anew.
 */
void assert_as_file(const char *path, const char *expected, const char *actual);

#endif
