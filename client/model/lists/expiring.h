/*
 * expiring.h - how many items of one's teams expire within a week, by the backlog they are in.
 *
 * Asked of one team after the other, page after page up to a number of those; what was known stays
 * until all have answered.
 *
 * Pure. Memory that is out ends the program (memory.h).
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
	bool is_done;	 /* all were asked */
	int64_t done_at; /* when that was; they are asked again after a while */
	struct feed feed; /* of the team that is asked */
	size_t at;	 /* which of the teams that is */
	int64_t now_ms;	 /* when it was asked first */
	struct expiring_count {
		char group_id[EXPIRING_ID_BYTES_MAX + 1];
		char container_id[EXPIRING_ID_BYTES_MAX + 1];
		size_t n;
	} *counts, *coming;
	size_t counts_n, coming_n;
};

void expiring_init(struct expiring *x);
void expiring_finish(struct expiring *x);
/* It may be another by now. */
void expiring_refresh(struct expiring *x);
/* What is to be asked now of x->feed, of these teams; NULL: nothing. The caller's. */
struct request *expiring_ask(struct expiring *x, const struct rows *groups, int64_t now_ms);
/* How many, in a team or in a backlog; NULL: in all. */
size_t expiring_count(const struct expiring *x, const char *group_id, const char *container_id);

#endif
