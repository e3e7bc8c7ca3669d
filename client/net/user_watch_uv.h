/*
 * user_watch_uv.h - a user's sessions and rooms, followed by a program that listens.
 *
 * Runs a loop of its own until the handler says stop, a signal comes, the user's
 * session ends, or the time is over. After a loss it connects again, logs in as
 * before and asks again; so it does when an update does not fit.
 *
 * Life:    user_watch_run() begins and ends it all.
 * Threads: one thread.
 */
#ifndef CLIENT_NET_USER_WATCH_UV_H
#define CLIENT_NET_USER_WATCH_UV_H

#include "client/model/user_topic.h"
#include "client/net/watch_uv.h"

/* Each returns whether to go on; what they are given is valid for the call. */
struct user_watch_handler {
	/* How it is: first, and again where it is not as it was known. */
	bool (*on_state)(void *owner, const struct session_watch_result *is);
	bool (*on_update)(void *owner, const struct session_update *u, const struct user_topic_news *news);
};

/*
 * @timeout_ms  negative: none.
 * How it ended, described in *why where that is not plain; *fault for WATCH_REFUSED.
 */
enum watch_end user_watch_run(const struct address *address, struct sign_in *sign_in, int64_t timeout_ms,
			      const struct user_watch_handler *on, void *owner, struct fault *fault,
			      struct errmsg *why);

#endif
