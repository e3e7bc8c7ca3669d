/*
 * command_loop_uv.c - see command_loop.h.
 */
#include "server/net/command_loop.h"

#include <stdlib.h>

#include <uv.h>

#include "proto/base/assert.h"
#include "server/net/redis_uv.h"

struct command_loop {
	uv_loop_t loop;
	uv_async_t woken;
	uv_timer_t moment;
	struct redis_uv *nets[COMMAND_LOOP_REDIS_MAX];
	struct tls_context *tls[COMMAND_LOOP_REDIS_MAX];
	size_t nets_n;
};

static void on_woken(uv_async_t *handle)
{
	(void)handle; /* that it ends the wait is all */
}

static void on_moment(uv_timer_t *handle)
{
	(void)handle;
}

enum err command_loop_create(struct command_loop **out, struct errmsg *why)
{
	struct command_loop *loop = calloc(1, sizeof(*loop));
	if (loop == NULL || uv_loop_init(&loop->loop) != 0) {
		free(loop);
		errmsg_set(why, "cannot start: out of memory or descriptors");
		return ERR_NOMEM;
	}
	int failed = uv_async_init(&loop->loop, &loop->woken, on_woken);
	failed = failed != 0 ? failed : uv_timer_init(&loop->loop, &loop->moment);
	*out = loop;
	if (failed != 0) {
		errmsg_set(why, "cannot start: %s", uv_strerror(failed));
		command_loop_destroy(loop);
		*out = NULL;
		return ERR_IO;
	}
	return OK;
}

void command_loop_wake(void *arg)
{
	struct command_loop *loop = arg;
	(void)uv_async_send(&loop->woken);
}

void command_loop_wait(void *arg)
{
	struct command_loop *loop = arg;
	(void)uv_timer_start(&loop->moment, on_moment, COMMAND_LOOP_WAIT_MS, 0);
	(void)uv_run(&loop->loop, UV_RUN_ONCE);
	(void)uv_timer_stop(&loop->moment);
}

enum err command_loop_use_redis(struct command_loop *loop, struct tls_context *tls,
				const struct redis_net **out, struct errmsg *why)
{
	size_t i = loop->nets_n;
	ASSERT_CMP(i, <, COMMAND_LOOP_REDIS_MAX);
	loop->tls[i] = tls;
	loop->nets_n++;
	if (redis_uv_create(&loop->loop, tls, &loop->nets[i]) != OK) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	*out = redis_uv_net(loop->nets[i]);
	return OK;
}

static void command_loop_close_handle(uv_handle_t *handle, void *arg)
{
	(void)arg;
	if (uv_is_closing(handle) == 0) {
		uv_close(handle, NULL);
	}
}

void command_loop_destroy(struct command_loop *loop)
{
	if (loop == NULL) {
		return;
	}
	for (size_t i = 0; i < loop->nets_n; i++) {
		redis_uv_destroy(loop->nets[i]);
	}
	uv_walk(&loop->loop, command_loop_close_handle, NULL);
	(void)uv_run(&loop->loop, UV_RUN_DEFAULT);
	int leaked = uv_loop_close(&loop->loop);
	ASSERT_CMP(leaked, ==, 0);
	for (size_t i = 0; i < loop->nets_n; i++) {
		tls_context_free(loop->tls[i]);
	}
	free(loop);
}
