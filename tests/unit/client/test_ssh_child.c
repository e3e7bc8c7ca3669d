/*
 * test_ssh_child.c - the ssh that carries a connection, where its end and ours meet.
 *
 * uv_spawn() is named again here, so that a test sees what is so when it is called.
 */
#define _GNU_SOURCE
#include "client/net/transport/ssh_child_uv.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/test.h"

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof(ends) / sizeof(ends[0]) };

static unsigned watched_at_spawn, ended;

static unsigned watched(void)
{
	unsigned n = 0;
	for (size_t i = 0; i < ENDS; i++) {
		struct sigaction now;
		assert_int_equal(sigaction(ends[i], NULL, &now), 0);
		n += now.sa_handler != SIG_DFL;
	}
	return n;
}

int uv_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options)
{
	int (*real)(uv_loop_t *, uv_process_t *, const uv_process_options_t *);
	void *symbol = dlsym(RTLD_NEXT, "uv_spawn");
	memcpy(&real, &symbol, sizeof(real));
	watched_at_spawn = watched();
	uv_process_options_t none = *options;
	none.file = "/nowhere/ssh";
	return real(loop, process, &none);
}

static void on_started(void *owner)
{
	(void)owner;
	fail_msg("started");
}

static void on_end(void *owner, const char *why)
{
	(void)owner;
	assert_non_null(strstr(why, "ssh cannot be run here"));
	ended++;
}

/* A signal that comes when ssh runs and nobody watches would end us, and leave it behind. */
TEST(what_ends_us_is_watched_for_before_ssh_begins)
{
	static const struct ssh_child_handler on = {.on_started = on_started, .on_end = on_end};
	struct address address;
	struct errmsg why;
	uv_loop_t loop;
	int end;
	for (size_t i = 0; i < ENDS; i++) {
		(void)signal(ends[i], SIG_DFL);
	}
	assert_int_equal(address_parse("ssh://ada", &address, &why), OK);
	assert_int_equal(uv_loop_init(&loop), 0);
	assert_non_null(ssh_child_start(&loop, &address, false, &on, NULL, &end));
	assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(watched_at_spawn, ENDS);
	assert_int_equal(ended, 1);
	assert_int_equal(watched(), 0);
	(void)close(end);
	assert_int_equal(uv_loop_close(&loop), 0);
}
