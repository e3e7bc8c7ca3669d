/*
 * state_home.h - a state directory of one's own, opened, for tests of what is kept in it.
 */
#ifndef TESTS_UNIT_CLIENT_STATE_HOME_H
#define TESTS_UNIT_CLIENT_STATE_HOME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/state/state.h"
#include "proto/keys/random.h"
#include "tests/support/test.h"

struct home {
	char dir[64];
	struct state state;
	struct errmsg why;
};

static inline void remove_tree(const char *dir)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static inline void home_open(struct home *h)
{
	*h = (struct home){.dir = "/tmp/aye-test-XXXXXX"};
	assert_non_null(mkdtemp(h->dir));
	assert_int_equal(setenv("XDG_STATE_HOME", h->dir, 1), 0);
	assert_true(crypto_start());
	assert_int_equal(state_open(&h->state, &h->why), OK);
}

static inline void home_close(struct home *h)
{
	remove_tree(h->dir);
}

#define HOME_TEST(name, h) TEST_OF(name, struct home, h, home_open(h), home_close(h))

static inline void home_path(const struct home *h, char out[PATH_MAX], const char *name)
{
	(void)snprintf(out, PATH_MAX, "%s/%s", h->state.dir, name);
}

/* The file of that name in the state directory, or in a directory of it. */
static inline void home_write(const struct home *h, const char *name, const char *text)
{
	char path[PATH_MAX];
	home_path(h, path, name);
	char *slash = strrchr(path, '/');
	*slash = '\0';
	(void)mkdir(path, 0700);
	*slash = '/';
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

#endif
