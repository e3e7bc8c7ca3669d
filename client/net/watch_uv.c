/*
 * watch_uv.c - a loop round follow_uv.h, with signals, a deadline and, where
 * they are wanted, lines of input.
 */
#include "client/net/watch_uv.h"

#include <signal.h>

#include <unistd.h>

#include "client/net/follow_uv.h"
#include "client/net/stdin_lines_uv.h"
#include "proto/assert.h"

#define WATCH_SIGNALS 3

struct watch {
	uv_loop_t loop;
	uv_signal_t signals[WATCH_SIGNALS];
	uv_timer_t deadline;
	uv_prepare_t rest; /* runs when the loop has nothing left to do but wait */
	struct follow *follow;
	struct stdin_lines *lines; /* NULL: none were taken yet, or there are no more */
	bool has_opened_lines;
	bool is_holding; /* lines wait */
	const struct watch_options *o;
	const struct watch_handler *on;
	void *owner;
	bool is_over;
	bool was_up;
	enum watch_end end;
	struct fault *fault;
	struct errmsg *why;
};

static void watch_stop(struct watch *w, enum watch_end end)
{
	if (w->is_over) {
		return;
	}
	w->is_over = true;
	w->end = end;
	follow_close(w->follow);
	stdin_lines_close(w->lines);
	w->lines = NULL;
	for (size_t i = 0; i < WATCH_SIGNALS; i++) {
		uv_close((uv_handle_t *)&w->signals[i], NULL);
	}
	uv_close((uv_handle_t *)&w->deadline, NULL);
	uv_close((uv_handle_t *)&w->rest, NULL);
}

static void watch_on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	watch_stop(handle->data, WATCH_STOPPED);
}

static void watch_on_deadline(uv_timer_t *timer)
{
	watch_stop(timer->data, WATCH_TIMED_OUT);
}

static void watch_on_news(void *owner, unsigned news)
{
	struct watch *w = owner;
	struct membership *a = follow_attend(w->follow);
	bool goes_on = w->on->on_news == NULL || w->on->on_news(w->owner, a, news);
	if ((news & MEMBERSHIP_NEWS_ENDED) != 0) {
		bool is_refused = (news & MEMBERSHIP_NEWS_REFUSED) != 0;
		*w->fault = a->fault;
		errmsg_set(w->why, "%s", a->reason);
		watch_stop(w, is_refused ? WATCH_REFUSED : WATCH_ENDED);
	} else if (!goes_on) {
		watch_stop(w, WATCH_STOPPED);
	}
}

static void watch_on_link(void *owner, bool is_up, const char *why, int64_t retry_ms)
{
	struct watch *w = owner;
	(void)retry_ms;
	w->was_up = w->was_up || is_up;
	if (!is_up && (!w->was_up || w->o->gives_up)) {
		errmsg_set(w->why, "%s", why);
		watch_stop(w, WATCH_LOST);
		return;
	}
	if (w->on->on_link != NULL &&
	    !w->on->on_link(w->owner, follow_attend(w->follow), is_up, why)) {
		watch_stop(w, WATCH_STOPPED);
	}
}

static void watch_on_raw(void *owner, struct slice method, const struct msgpack_object *params)
{
	struct watch *w = owner;
	if (w->on->on_raw != NULL && !w->on->on_raw(w->owner, method, params)) {
		watch_stop(w, WATCH_STOPPED);
	}
}

static void watch_on_refusal(void *owner, enum method method, const struct fault *f)
{
	struct watch *w = owner;
	if (w->on->on_refusal != NULL) {
		w->on->on_refusal(w->owner, method, f);
	}
}

static void watch_on_done(void *owner, enum method method)
{
	struct watch *w = owner;
	if (w->on->on_done != NULL) {
		w->on->on_done(w->owner, method);
	}
}

static void watch_on_result(void *owner, enum method method, const struct msgpack_object *result)
{
	struct watch *w = owner;
	if (w->on->on_result != NULL) {
		w->on->on_result(w->owner, method, result);
	}
}

static const struct follow_handler watch_follow_handler = {
	.on_news = watch_on_news,
	.on_link = watch_on_link,
	.on_raw = watch_on_raw,
	.on_refusal = watch_on_refusal,
	.on_done = watch_on_done,
	.on_result = watch_on_result,
};

/* ---- input ---- */

static bool watch_on_line(void *owner, struct slice line)
{
	struct watch *w = owner;
	w->on->on_line(w->owner, line);
	return !w->is_over && !w->is_holding;
}

static void watch_on_lines_end(void *owner, enum err e)
{
	struct watch *w = owner;
	stdin_lines_close(w->lines);
	w->lines = NULL;
	if (w->on->on_lines_end != NULL) {
		w->on->on_lines_end(w->owner, e);
	}
}

static const struct stdin_lines_handler watch_lines_handler = {
	.on_line = watch_on_line,
	.on_end = watch_on_lines_end,
};

enum err watch_take_lines(struct watch *w)
{
	w->is_holding = false;
	if (w->has_opened_lines) {
		if (w->lines != NULL) {
			stdin_lines_resume(w->lines);
		}
		return OK;
	}
	w->has_opened_lines = true;
	return stdin_lines_open(&w->loop, STDIN_FILENO, &watch_lines_handler, w, &w->lines);
}

void watch_hold_lines(struct watch *w)
{
	w->is_holding = true;
}

static void watch_on_rest(uv_prepare_t *handle)
{
	struct watch *w = handle->data;
	if (w->on->on_rest != NULL) {
		w->on->on_rest(w->owner);
	}
}

/* ---- what the owner may do ---- */

struct follow *watch_follow(struct watch *w)
{
	return w->follow;
}

void watch_end(struct watch *w)
{
	watch_stop(w, WATCH_STOPPED);
}

static void watch_on_end(uv_timer_t *timer)
{
	watch_stop(timer->data, WATCH_STOPPED);
}

void watch_end_in(struct watch *w, uint64_t ms)
{
	(void)uv_timer_start(&w->deadline, watch_on_end, ms, 0);
}

/* ---- life ---- */

static enum err watch_want(struct watch *w)
{
	struct membership *a = follow_attend(w->follow);
	enum err e = OK;
	if (w->o->name != NULL) {
		e = membership_want_name(a, w->o->name, w->o->is_spectator, w->o->is_bot);
	}
	if (e == OK && w->o->has_card) {
		e = membership_want_vote_with(a, w->o->card, w->o->note, w->o->confidence);
	}
	if (w->o->passcode != NULL) {
		membership_want_passcode(a, w->o->passcode);
	}
	if (w->o->host_key[0] != '\0' && w->o->wants_host) {
		membership_want_host(a, w->o->host_key);
	} else if (w->o->host_key[0] != '\0') {
		membership_may_show_host(a, w->o->host_key);
	}
	return e;
}

static void watch_open_handles(struct watch *w)
{
	static const int numbers[WATCH_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < WATCH_SIGNALS; i++) {
		struct sigaction now;
		(void)uv_signal_init(&w->loop, &w->signals[i]);
		w->signals[i].data = w;
		if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
			continue; /* as nohup wants it */
		}
		(void)uv_signal_start(&w->signals[i], watch_on_signal, numbers[i]);
	}
	(void)uv_timer_init(&w->loop, &w->deadline);
	(void)uv_prepare_init(&w->loop, &w->rest);
	w->deadline.data = w;
	w->rest.data = w;
	if (w->o->takes_lines) {
		(void)uv_prepare_start(&w->rest, watch_on_rest);
	}
	if (w->o->timeout_ms >= 0) {
		(void)uv_timer_start(&w->deadline, watch_on_deadline, (uint64_t)w->o->timeout_ms,
				     0);
	}
}

enum watch_end watch_run(const struct watch_options *o, const struct watch_handler *on, void *owner,
			 struct fault *fault, struct errmsg *why)
{
	struct watch w = {.o = o, .on = on, .owner = owner, .fault = fault, .why = why};
	if (uv_loop_init(&w.loop) < 0) {
		return WATCH_NO_MEMORY;
	}
	enum err e = follow_open(&w.loop, &o->address, o->room_id, o->user_key,
				 &watch_follow_handler, &w, &w.follow);
	watch_open_handles(&w);
	if (e == OK) {
		follow_sign_in(w.follow, o->sign_in);
		e = watch_want(&w);
	}
	if (e == OK && on->on_start != NULL) {
		on->on_start(owner, &w);
	}
	if (e != OK) {
		watch_stop(&w, WATCH_NO_MEMORY);
	}
	(void)uv_run(&w.loop, UV_RUN_DEFAULT);
	int status = uv_loop_close(&w.loop);
	ASSERT_CMP(status, ==, 0);
	return w.end;
}
