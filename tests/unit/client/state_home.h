/*
 * state_home.h - a state directory of one's own, opened, for tests of what is kept in it.
 */
#ifndef TESTS_UNIT_CLIENT_STATE_HOME_H
#define TESTS_UNIT_CLIENT_STATE_HOME_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "client/cli/state.h"
#include "proto/random.h"
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

static inline int home_open(void **state)
{
	struct home *h = calloc(1, sizeof(*h));
	assert_non_null(h);
	(void)snprintf(h->dir, sizeof(h->dir), "/tmp/aye-test-XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	assert_int_equal(setenv("XDG_STATE_HOME", h->dir, 1), 0);
	assert_true(crypto_start());
	assert_int_equal(state_open(&h->state, &h->why), OK);
	json_set_alloc_funcs(malloc, free); /* so that they fail with the others */
	*state = h;
	return 0;
}

static inline int home_close(void **state)
{
	struct home *h = *state;
	remove_tree(h->dir);
	free(h);
	return 0;
}

#endif
