/*
 * expiring.h - how many items of one's teams expire within a week, by the backlog they are in.
 *
 * Asked of one team after the other, page after page up to a number of those; what was known stays
 * until all have answered.
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: a zeroed struct .. expiring_finish().
 */
#ifndef CLIENT_MODEL_EXPIRING_H
#define CLIENT_MODEL_EXPIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/request.h"
#include "client/model/rows.h"
#include "proto/records.h"

enum { EXPIRING_ID_BYTES_MAX = 64, EXPIRING_PAGES_MAX = 4 };

struct expiring {
	bool is_done;	 /* all were asked */
	int64_t done_at; /* when that was; they are asked again after a while */
	bool is_asked;	 /* a page is on its way */
	size_t at;	 /* which of the teams is asked, */
	char *cursor;	 /* for which page; NULL: the first */
	size_t pages;	 /* that it had so far */
	struct expiring_count {
		char group_id[EXPIRING_ID_BYTES_MAX + 1];
		char container_id[EXPIRING_ID_BYTES_MAX + 1];
		size_t n;
	} *counts, *coming;
	size_t counts_n, coming_n;
};

void expiring_finish(struct expiring *x);
/* It may be another by now. */
void expiring_refresh(struct expiring *x);
/* What is to be asked now, of these teams; NULL: nothing. The caller's. */
struct request *expiring_ask(struct expiring *x, const struct rows *groups, int64_t now_ms);
/* It is on its way; its answer; or it was refused. */
void expiring_sent(struct expiring *x);
void expiring_take(struct expiring *x, const struct request *asked, const struct item_expiring_result *r);
void expiring_take_refusal(struct expiring *x);
/* How many, in a team or in a backlog; NULL: in all. */
size_t expiring_count(const struct expiring *x, const char *group_id, const char *container_id);

#endif
