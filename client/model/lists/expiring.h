/*
 * expiring.h - the number of items of the user's teams that expire within a week, per backlog.
 *
 * The teams are read one after the other, up to a limit of pages; the old counts stay until all
 * teams have been read.
 *
 * Pure. Running out of memory ends the program (memory.h).
 *
 * Life: expiring_init() .. expiring_finish().
 */
#ifndef CLIENT_MODEL_LISTS_EXPIRING_H
#define CLIENT_MODEL_LISTS_EXPIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/feed.h"
#include "client/model/rows.h"
#include "proto/records/records.h"

enum { EXPIRING_ID_BYTES_MAX = 64 };

struct expiring {
	bool is_done;	 /* all teams were read */
	int64_t done_at; /* when that was; they are reread after a while */
	struct feed feed; /* of the team being read */
	size_t at;	 /* the index of that team */
	int64_t now_ms;	 /* when reading it started */
	struct expiring_count {
		char group_id[EXPIRING_ID_BYTES_MAX + 1];
		char container_id[EXPIRING_ID_BYTES_MAX + 1];
		size_t n;
	} *counts, *coming;
	size_t counts_n, coming_n;
};

void expiring_init(struct expiring *x);
void expiring_finish(struct expiring *x);
/* The counts may have changed: reread all. */
void expiring_refresh(struct expiring *x);
/* The request to send now for x->feed, for these teams; owned by the caller; NULL: none. */
struct request *expiring_ask(struct expiring *x, const struct rows *groups, int64_t now_ms);
/* The count of a team or a backlog; NULL: all. */
size_t expiring_count(const struct expiring *x, const char *group_id, const char *container_id);

#endif
