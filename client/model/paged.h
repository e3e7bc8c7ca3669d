/*
 * paged.h - a list of records on the server, read page after page as it is scrolled.
 *
 * Says what is to be read and takes what comes of it. What was read stays as it is while it is read
 * again, until as many rows are there, or all there are:
 *
 *   WANTED --asked--> ASKED --a page--> IDLE --scrolled to its end, or changed--> WANTED
 *      ^                |
 *      +---- lost, changed meanwhile, or fewer rows read again than are shown;
 *            refused, after a while
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: paged_init() .. paged_finish().
 */
#ifndef CLIENT_MODEL_PAGED_H
#define CLIENT_MODEL_PAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/rows.h"
#include "proto/slice.h"

enum paged_read { PAGED_WANTED, PAGED_ASKED, PAGED_IDLE };

enum { PAGED_REFUSED_BYTES_MAX = 267 };

struct paged {
	enum paged_read read;
	bool is_known; /* a page of it was read */
	bool has_more; /* on the server, behind the rows */
	bool is_again; /* all of it is read again, into `coming` */
	bool is_stale; /* it has changed while a page is on its way */
	size_t idle_pages; /* in a row that brought no new row: where they go on and on, the list ends */
	struct rows rows;
	struct rows coming;
	char refused[PAGED_REFUSED_BYTES_MAX + 1]; /* why the last page was; "": it was not */
	int64_t again_in_ms; /* how long then until it is asked for again */
	int64_t again_at_ms; /* when; 0: paged_wait() has not seen it yet */
	char *cursor; /* of the next page; NULL: the first */
};

/* As rows_init() has it. */
void paged_init(struct paged *p, const struct record *record, const char *key, const char *order);
void paged_finish(struct paged *p);
/* Nothing is known of it any more: it is another list. */
void paged_clear(struct paged *p);

/* It may be another by now: read it again from its first page on. */
void paged_refresh(struct paged *p);
/* Its last row is in sight: the next page is wanted, where there is one. */
void paged_more(struct paged *p);
/* The answer to what was asked does not come any more. */
void paged_lost(struct paged *p);
/* The page that was asked for was refused: why, for the person, and how long to wait as the server told, 0: it did not. */
void paged_take_refusal(struct paged *p, const char *why, int64_t retry_ms);
/* How long it waits after that, -1: it does not; where that is over, it is wanted from now on. */
int64_t paged_wait(struct paged *p, int64_t now_ms);
/*
 * A page, asked for with the cursor: n records of the rows' kind, and the cursor behind them, empty where there is no
 * more. A list has MAX_CONTAINER_ITEMS rows at most: what a server makes up has an end.
 */
void paged_take(struct paged *p, const void *array, size_t n, struct slice cursor);

#endif
