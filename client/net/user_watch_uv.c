/*
 * user_watch_uv.c - session.watch on a link that comes back, with signals and a deadline.
 *
 *   open --session.watch--> asked --answer--> known --update that fits--> known
 *                             ^                 |
 *                             +-- reset or gap -+      lost: as from the beginning
 *
 * Where the server cannot answer now, it is asked again a little later.
 */
#include "client/net/user_watch_uv.h"

#include <signal.h>

#include "client/net/connection_uv.h"
#include "proto/assert.h"
#include "proto/rpc.h"

#define USER_WATCH_SIGNALS  3
#define USER_WATCH_RETRY_MS 1000

struct user_watch {
	uv_loop_t loop;
	uv_signal_t signals[USER_WATCH_SIGNALS];
	uv_timer_t deadline;
	uv_timer_t retry;
	struct connection *link;
	struct sign_in *sign_in;
	const struct user_watch_handler *on;
	void *owner;
	struct user_topic topic;
	bool is_asked; /* updates that do not fit meanwhile are in the answer */
	bool is_stale; /* the topic is of a connection that is lost: versions do not compare */
	bool was_up;
	bool is_over;
	enum watch_end end;
	struct fault *fault;
	struct errmsg *why;
};

static void user_watch_stop(struct user_watch *w, enum watch_end end)
{
	if (w->is_over) {
		return;
	}
	w->is_over = true;
	w->end = end;
	connection_close(w->link);
	for (size_t i = 0; i < USER_WATCH_SIGNALS; i++) {
		uv_close((uv_handle_t *)&w->signals[i], NULL);
	}
	uv_close((uv_handle_t *)&w->deadline, NULL);
	uv_close((uv_handle_t *)&w->retry, NULL);
}

static void user_watch_on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	user_watch_stop(handle->data, WATCH_STOPPED);
}

static void user_watch_on_deadline(uv_timer_t *timer)
{
	user_watch_stop(timer->data, WATCH_TIMED_OUT);
}

/* ---- asking ---- */

static void user_watch_ask(struct user_watch *w);

static void user_watch_on_retry(uv_timer_t *timer)
{
	user_watch_ask(timer->data);
}

static void user_watch_refused(struct user_watch *w, const struct fault *f)
{
	if (w->topic.version > 0 &&
	    (f->code == FAULT_UNAVAILABLE || f->code == FAULT_RATE_LIMITED)) {
		int64_t wait_ms = f->retry_after_ms > USER_WATCH_RETRY_MS ? f->retry_after_ms
									  : USER_WATCH_RETRY_MS;
		w->is_asked = true;
		(void)uv_timer_start(&w->retry, user_watch_on_retry, (uint64_t)wait_ms, 0);
		return;
	}
	*w->fault = *f;
	user_watch_stop(w, WATCH_REFUSED);
}

static void user_watch_take_state(struct user_watch *w, const struct session_watch_result *is)
{
	bool is_news = !user_topic_is(&w->topic, is);
	w->is_stale = false;
	user_topic_set(&w->topic, is);
	if (is_news && !w->on->on_state(w->owner, is)) {
		user_watch_stop(w, WATCH_STOPPED);
	}
}

static void user_watch_on_answer(void *arg, uint32_t id, enum err e,
				 const struct msgpack_object *refusal,
				 const struct msgpack_object *result)
{
	struct user_watch *w = arg;
	struct arena arena = {0};
	struct session_watch_result is;
	struct fault fault;
	(void)id;
	w->is_asked = false;
	if (e != OK) {
		return; /* the link says that it is lost */
	}
	if (refusal != NULL) {
		rpc_read_fault(refusal, &fault);
		user_watch_refused(w, &fault);
		return;
	}
	if (result != NULL && record_from_object(&record_session_watch_result, result,
						 RECORD_LENIENT, &arena, &is, &fault) == OK) {
		user_watch_take_state(w, &is);
	} else {
		errmsg_set(w->why, "the server's answer is not what it should be");
		user_watch_stop(w, WATCH_LOST);
	}
	arena_finish(&arena);
}

static void user_watch_ask(struct user_watch *w)
{
	enum err e = connection_request(w->link, slice_str(method_rows[METHOD_SESSION_WATCH].name),
					(struct slice){0}, user_watch_on_answer, w, NULL);
	w->is_asked = e == OK;
	if (e != OK && e != ERR_CLOSED) {
		user_watch_stop(w, WATCH_NO_MEMORY);
	}
}

/* ---- the link's news ---- */

static void user_watch_on_open(void *owner)
{
	struct user_watch *w = owner;
	if (w->sign_in != NULL && !w->sign_in->is_signed_in &&
	    w->sign_in->fault.code != FAULT_NONE) {
		*w->fault = w->sign_in->fault;
		user_watch_stop(w, WATCH_REFUSED);
		return;
	}
	user_watch_ask(w);
}

static void user_watch_on_up(void *owner)
{
	struct user_watch *w = owner;
	w->was_up = true;
}

static void user_watch_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct user_watch *w = owner;
	(void)retry_ms;
	w->is_asked = false;
	w->is_stale = true;
	(void)uv_timer_stop(&w->retry);
	if (!w->was_up) {
		errmsg_set(w->why, "%s", why);
		user_watch_stop(w, WATCH_LOST);
	}
}

static void user_watch_take_update(struct user_watch *w, const struct session_update *u)
{
	struct user_topic_news news;
	if (w->is_stale) {
		return; /* it will be in the answer */
	}
	switch (user_topic_apply(&w->topic, u, &news)) {
	case USER_TOPIC_OLD:
		return;
	case USER_TOPIC_AGAIN:
		if (!w->is_asked) {
			user_watch_ask(w);
		}
		return;
	case USER_TOPIC_APPLIED:
		break;
	}
	bool goes_on = w->on->on_update(w->owner, u, &news);
	if (!goes_on) {
		user_watch_stop(w, WATCH_STOPPED);
	} else if (news.is_over) {
		errmsg_set(w->why, "this session has ended; log in again");
		user_watch_stop(w, WATCH_ENDED);
	}
}

static void user_watch_on_notice(void *owner, struct slice method,
				 const struct msgpack_object *params)
{
	struct user_watch *w = owner;
	struct arena arena = {0};
	struct session_update u;
	struct fault ignored;
	if (params != NULL && notice_find(method) == NOTICE_SESSION_UPDATE) {
		/* One that cannot be read is missed: the next one does not fit, and it is asked again. */
		if (record_from_object(&record_session_update, params, RECORD_LENIENT, &arena, &u,
				       &ignored) == OK) {
			user_watch_take_update(w, &u);
		}
	}
	arena_finish(&arena);
}

static const struct connection_handler user_watch_link_handler = {
	.on_open = user_watch_on_open,
	.on_up = user_watch_on_up,
	.on_down = user_watch_on_down,
	.on_notice = user_watch_on_notice,
};

/* ---- life ---- */

static void user_watch_open_handles(struct user_watch *w, int64_t timeout_ms)
{
	static const int numbers[USER_WATCH_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < USER_WATCH_SIGNALS; i++) {
		struct sigaction now;
		(void)uv_signal_init(&w->loop, &w->signals[i]);
		w->signals[i].data = w;
		if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
			continue; /* as nohup wants it */
		}
		(void)uv_signal_start(&w->signals[i], user_watch_on_signal, numbers[i]);
	}
	(void)uv_timer_init(&w->loop, &w->deadline);
	(void)uv_timer_init(&w->loop, &w->retry);
	w->deadline.data = w;
	w->retry.data = w;
	if (timeout_ms >= 0) {
		(void)uv_timer_start(&w->deadline, user_watch_on_deadline, (uint64_t)timeout_ms, 0);
	}
}

enum watch_end user_watch_run(const struct address *address, struct sign_in *sign_in,
			      int64_t timeout_ms, const struct user_watch_handler *on, void *owner,
			      struct fault *fault, struct errmsg *why)
{
	struct user_watch w = {
		.sign_in = sign_in, .on = on, .owner = owner, .fault = fault, .why = why};
	if (uv_loop_init(&w.loop) < 0) {
		return WATCH_NO_MEMORY;
	}
	user_watch_open_handles(&w, timeout_ms);
	if (connection_open(&w.loop, address, true, &user_watch_link_handler, &w, &w.link) == OK) {
		connection_sign_in(w.link, sign_in);
	} else {
		user_watch_stop(&w, WATCH_NO_MEMORY);
	}
	(void)uv_run(&w.loop, UV_RUN_DEFAULT);
	int status = uv_loop_close(&w.loop);
	ASSERT_CMP(status, ==, 0);
	user_topic_finish(&w.topic);
	return w.end;
}
