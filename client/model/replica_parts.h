/*
 * replica_parts.h - what an update brings, owned, until it is put in place.
 *
 * For replica*.c and shared_conventions.c alone. Every prepare function can fail and
 * changes nothing but the parts; every put function cannot fail.
 */
#ifndef CLIENT_MODEL_REPLICA_PARTS_H
#define CLIENT_MODEL_REPLICA_PARTS_H

#include "client/model/replica.h"

struct replica_next {
	struct member *members;
	size_t members_n;
	char *title;
	char *host_user_id;
	char **cards;
	size_t cards_n;
	char *story_id;
	char *outcome;
	struct room_result *result;
	struct story *stories; /* of a full update; else appended to room that was reserved */
	size_t stories_n;
	struct replica_data data; /* likewise */
	bool presence_is_gone;
	bool notes_are_gone;
};

/* Softened and NUL-terminated; NULL when memory is out. */
char *replica_soften(struct slice text);
/* As above; nil and absent text is NULL and no failure. */
bool replica_soften_nil(struct slice text, bool is_there, char **out);
/* Text of several lines, each softened and its end kept. */
bool replica_soften_lines(struct slice text, bool is_there, char **out);

bool replica_prepare_play(const struct room_view *v, struct replica_next *next);
bool replica_prepare_stories(const struct room_update *u, struct replica_next *next);
/* Room for the stories of a partial update behind those that are there. */
bool replica_reserve_stories(struct replica *r, size_t more);
void replica_drop_play(struct replica_next *next);

bool replica_prepare_data(const struct room_update *u, struct replica_next *next);
bool replica_reserve_data(struct replica *r, const struct replica_data *more);
void replica_put_data(struct replica *r, bool full, struct replica_next *next);
void replica_finish_data(struct replica_data *d);

void replica_put_play(struct replica *r, const struct room_view *v, struct replica_next *next);
void replica_put_stories(struct replica *r, bool full, struct replica_next *next);
void replica_finish_play(struct replica *r);

#endif
