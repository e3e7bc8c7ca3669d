/*
 * user_topic.h - a user's sessions and rooms, as session.watch and session.update say.
 *
 * The answer of session.watch is the whole state, each update one change of it.
 * Versions say which update fits; what is not known, or known already, is no
 * error: a change says what holds from then on.
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

/* Sessions and rooms, each; what goes beyond is asked for again. */
#define USER_TOPIC_MAX 4096

#define RECORD_user_room(F) F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "Where the user has a seat")
RECORD_DECLARE(user_room)

struct user_topic {
	int64_t version; /* 0: nothing is known */
	struct session_watch_result *is; /* who the user is, and the session of the connection; not its lists */
	struct rows sessions; /* struct session_view */
	struct rows rooms;    /* struct user_room */
};

enum user_topic_fit {
	USER_TOPIC_APPLIED,
	USER_TOPIC_OLD,	 /* known already: dropped */
	USER_TOPIC_AGAIN /* something was missed: session.watch has to be asked again */
};

/* What an update that was applied has changed. */
struct user_topic_news {
	bool has_started, has_ended, has_joined, has_left;
	bool has_name; /* the connection's own session has another: topic.is->user_name */
	bool is_over; /* the connection's own session has ended: nothing follows */
};

void user_topic_finish(struct user_topic *u);

/* What session.watch answered, in place of all that was known. */
void user_topic_set(struct user_topic *u, const struct session_watch_result *r);
/* All of the update or nothing of it. */
enum user_topic_fit user_topic_apply(struct user_topic *u, const struct session_update *up,
				     struct user_topic_news *news);
/* Whether r says what is known: the user, the sessions and the rooms, in any order. */
bool user_topic_is(const struct user_topic *u, const struct session_watch_result *r);

#endif
