/*
 * user_topic.c - see user_topic.h.
 */
#include "client/model/lists/user_topic.h"

#include <stdlib.h>

#include "client/model/memory.h"

RECORD_DEFINE(user_room)

void user_topic_finish(struct user_topic *u)
{
	free(u->is);
	rows_finish(&u->sessions);
	rows_finish(&u->rooms);
	*u = (struct user_topic){0};
}

void user_topic_set(struct user_topic *u, const struct session_watch_result *r)
{
	user_topic_finish(u);
	u->version = r->version;
	u->is = memory_have(record_own(&record_session_watch_result, r));
	rows_init(&u->sessions, &record_session_view, "session_id", NULL);
	rows_init(&u->rooms, &record_user_room, "room_id", NULL);
	for (size_t i = 0; i < r->sessions_n; i++) {
		rows_put(&u->sessions, &r->sessions[i]);
	}
	for (size_t i = 0; i < r->rooms.n; i++) {
		rows_put(&u->rooms, &(struct user_room){.room_id = r->rooms.items[i]});
	}
}

enum user_topic_fit user_topic_apply(struct user_topic *u, const struct session_update *up,
				     struct user_topic_news *news)
{
	*news = (struct user_topic_news){0};
	if (u->version == 0 || up->reset || up->since > u->version ||
	    u->sessions.n >= USER_TOPIC_MAX || u->rooms.n >= USER_TOPIC_MAX) {
		return USER_TOPIC_AGAIN;
	}
	if (up->version <= u->version) {
		return USER_TOPIC_OLD;
	}
	if (up->with_started) {
		news->has_started = rows_find(&u->sessions, up->started.session_id) == NULL;
		rows_put(&u->sessions, &up->started);
	}
	if (up->with_ended) {
		news->has_ended = rows_drop(&u->sessions, up->ended);
		news->is_over = slice_eq(up->ended, u->is->session_id);
	}
	if (up->with_renamed && slice_eq(up->renamed.session_id, u->is->session_id)) {
		struct session_watch_result renamed = *u->is;
		renamed.user_name = up->renamed.user_name;
		news->has_name = !slice_eq(renamed.user_name, u->is->user_name);
		struct session_watch_result *before = u->is;
		u->is = memory_have(record_own(&record_session_watch_result, &renamed));
		free(before);
	}
	if (up->with_joined) {
		news->has_joined = rows_find(&u->rooms, up->joined) == NULL;
		rows_put(&u->rooms, &(struct user_room){.room_id = up->joined});
	}
	if (up->with_left) {
		news->has_left = rows_drop(&u->rooms, up->left);
	}
	u->version = up->version;
	return USER_TOPIC_APPLIED;
}

bool user_topic_is(const struct user_topic *u, const struct session_watch_result *r)
{
	bool is_same = u->version > 0 && slice_eq(u->is->user_id, r->user_id) &&
		       slice_eq(u->is->user_name, r->user_name) && u->sessions.n == r->sessions_n &&
		       u->rooms.n == r->rooms.n;
	for (size_t i = 0; is_same && i < r->sessions_n; i++) {
		is_same = rows_find(&u->sessions, r->sessions[i].session_id) != NULL;
	}
	for (size_t i = 0; is_same && i < r->rooms.n; i++) {
		is_same = rows_find(&u->rooms, r->rooms.items[i]) != NULL;
	}
	return is_same;
}
