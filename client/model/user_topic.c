/*
 * user_topic.c - see user_topic.h.
 */
#include "client/model/user_topic.h"

#include <stdlib.h>
#include <string.h>

#include "proto/format.h"

void user_topic_finish(struct user_topic *u)
{
	free(u->sessions);
	free(u->rooms);
	*u = (struct user_topic){0};
}

/* False where it does not fit. */
static bool take_text(char *out, size_t size, struct slice text)
{
	if (text.len == 0 || text.len >= size) {
		return false;
	}
	format_to(out, size, "%.*s", (int)text.len, text.data);
	return true;
}

static size_t session_at(const struct user_topic *u, struct slice id)
{
	size_t i = 0;
	while (i < u->sessions_n && !slice_eq(slice_str(u->sessions[i].session_id), id)) {
		i++;
	}
	return i;
}

static size_t room_at(const struct user_topic *u, struct slice id)
{
	size_t i = 0;
	while (i < u->rooms_n && !slice_eq(slice_str(u->rooms[i].room_id), id)) {
		i++;
	}
	return i;
}

static bool take_session(struct user_session *out, const struct session_view *v)
{
	out->created_on = v->created_on;
	out->expires_at = v->expires_at;
	return take_text(out->session_id, sizeof(out->session_id), v->session_id);
}

/* Space for n sessions and m rooms. */
static enum err reserve(struct user_topic *u, size_t n, size_t m)
{
	if (n > USER_TOPIC_MAX || m > USER_TOPIC_MAX) {
		return ERR_TOO_LARGE;
	}
	if (n > u->sessions_cap) {
		struct user_session *grown = realloc(u->sessions, (n + 8) * sizeof(*grown));
		if (grown == NULL) {
			return ERR_NOMEM;
		}
		u->sessions = grown;
		u->sessions_cap = n + 8;
	}
	if (m > u->rooms_cap) {
		struct user_room *grown = realloc(u->rooms, (m + 8) * sizeof(*grown));
		if (grown == NULL) {
			return ERR_NOMEM;
		}
		u->rooms = grown;
		u->rooms_cap = m + 8;
	}
	return OK;
}

/* One entry for each id; what a list has twice counts once. */
static enum err take_lists(struct user_topic *u, const struct session_watch_result *r)
{
	enum err e = reserve(u, r->sessions_n, r->rooms.n);
	for (size_t i = 0; i < r->sessions_n && e == OK; i++) {
		size_t at = session_at(u, r->sessions[i].session_id);
		if (!take_session(&u->sessions[at], &r->sessions[i])) {
			e = ERR_TOO_LARGE;
		} else {
			u->sessions_n += at == u->sessions_n;
		}
	}
	for (size_t i = 0; i < r->rooms.n && e == OK; i++) {
		size_t at = room_at(u, r->rooms.items[i]);
		if (!take_text(u->rooms[at].room_id, sizeof(u->rooms[at].room_id),
			       r->rooms.items[i])) {
			e = ERR_TOO_LARGE;
		} else {
			u->rooms_n += at == u->rooms_n;
		}
	}
	return e;
}

enum err user_topic_set(struct user_topic *u, const struct session_watch_result *r)
{
	struct user_topic is = {.version = r->version};
	enum err e = OK;
	if (!take_text(is.user_id, sizeof(is.user_id), r->user_id) ||
	    !take_text(is.user_name, sizeof(is.user_name), r->user_name) ||
	    !take_text(is.session_id, sizeof(is.session_id), r->session_id)) {
		e = ERR_TOO_LARGE;
	}
	if (e == OK) {
		e = take_lists(&is, r);
	}
	if (e != OK) {
		user_topic_finish(&is);
		return e;
	}
	user_topic_finish(u);
	*u = is;
	return OK;
}

/* What follows has room: nothing here fails. */
static void install(struct user_topic *u, const struct session_update *up,
		    const struct user_session *started, const struct user_room *joined,
		    struct user_topic_news *news)
{
	if (up->with_started) {
		size_t at = session_at(u, up->started.session_id);
		news->has_started = at == u->sessions_n;
		u->sessions[at] = *started;
		u->sessions_n += news->has_started;
	}
	if (up->with_ended) {
		size_t at = session_at(u, up->ended);
		news->has_ended = at < u->sessions_n;
		news->is_over = slice_eq(up->ended, slice_str(u->session_id));
		u->sessions_n -= news->has_ended;
		memmove(&u->sessions[at], &u->sessions[at + news->has_ended],
			(u->sessions_n - at) * sizeof(*u->sessions));
	}
	if (up->with_joined) {
		size_t at = room_at(u, up->joined);
		news->has_joined = at == u->rooms_n;
		u->rooms[at] = *joined;
		u->rooms_n += news->has_joined;
	}
	if (up->with_left) {
		size_t at = room_at(u, up->left);
		news->has_left = at < u->rooms_n;
		u->rooms_n -= news->has_left;
		memmove(&u->rooms[at], &u->rooms[at + news->has_left],
			(u->rooms_n - at) * sizeof(*u->rooms));
	}
}

enum user_topic_fit user_topic_apply(struct user_topic *u, const struct session_update *up,
				     struct user_topic_news *news)
{
	struct user_session started;
	struct user_room joined;
	*news = (struct user_topic_news){0};
	if (u->version == 0 || (up->with_reset && up->reset) || up->since > u->version) {
		return USER_TOPIC_AGAIN;
	}
	if (up->version <= u->version) {
		return USER_TOPIC_OLD;
	}
	if ((up->with_started && !take_session(&started, &up->started)) ||
	    (up->with_joined && !take_text(joined.room_id, sizeof(joined.room_id), up->joined)) ||
	    reserve(u, u->sessions_n + 1, u->rooms_n + 1) != OK) {
		return USER_TOPIC_AGAIN;
	}
	install(u, up, &started, &joined, news);
	u->version = up->version;
	return USER_TOPIC_APPLIED;
}

bool user_topic_is(const struct user_topic *u, const struct session_watch_result *r)
{
	bool is_same = u->version > 0 && slice_eq(slice_str(u->user_id), r->user_id) &&
		       slice_eq(slice_str(u->user_name), r->user_name) &&
		       u->sessions_n == r->sessions_n && u->rooms_n == r->rooms.n;
	for (size_t i = 0; is_same && i < r->sessions_n; i++) {
		is_same = session_at(u, r->sessions[i].session_id) < u->sessions_n;
	}
	for (size_t i = 0; is_same && i < r->rooms.n; i++) {
		is_same = room_at(u, r->rooms.items[i]) < u->rooms_n;
	}
	return is_same;
}
