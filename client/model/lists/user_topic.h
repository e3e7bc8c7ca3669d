/*
 * user_topic.h - a user's sessions and rooms, from session.watch and session.update.
 *
 * The result of session.watch is the whole state, and each update a change. Versions
 * decide whether an update follows. Removing an unknown entry, or adding a known one,
 * is not an error, since a change states the new value.
 *
 * Life: a zeroed struct .. user_topic_finish().
 */
#ifndef CLIENT_MODEL_LISTS_USER_TOPIC_H
#define CLIENT_MODEL_LISTS_USER_TOPIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/rows.h"
#include "proto/records/records.h"

/* The most sessions, and rooms; beyond that session.watch is requested again. */
#define USER_TOPIC_MAX 4096

#define RECORD_user_room(F) F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "Where the user has a seat")
RECORD_DECLARE(user_room)

struct user_topic {
	int64_t version; /* 0: not known */
	/* the user, and the connection's session; its lists are not used */
	struct session_watch_result *is;
	struct rows sessions; /* struct session_view */
	struct rows rooms;    /* struct user_room */
};

enum user_topic_fit {
	USER_TOPIC_APPLIED,
	USER_TOPIC_OLD,	 /* known already; ignored */
	USER_TOPIC_AGAIN /* an update was missed: call session.watch again */
};

/* The changes made by an applied update. */
struct user_topic_news {
	bool has_started, has_ended, has_joined, has_left;
	bool has_name; /* the name of the connection's session has changed: topic.is->user_name */
	bool is_over; /* the connection's session has ended: no updates follow */
};

void user_topic_finish(struct user_topic *u);

/* Replace everything by the result of session.watch. */
void user_topic_set(struct user_topic *u, const struct session_watch_result *r);
/* Apply all of the update, or none of it. */
enum user_topic_fit user_topic_apply(struct user_topic *u, const struct session_update *up,
				     struct user_topic_news *news);
/* Whether r is the known state: the same user, sessions and rooms, in any order. */
bool user_topic_is(const struct user_topic *u, const struct session_watch_result *r);

#endif
