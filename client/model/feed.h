/*
 * feed.h - something of the server's that is read, and read again when it has changed: a list,
 * page after page as it is scrolled; or the beginning of a watch, whose updates follow.
 *
 * What it is of, how it is asked for and what its rows are is its kind's, which is a row of data.
 * A feed says what is to be asked now, and takes what comes of it. What was read stays as it is
 * while it is read again, until as many rows are there, or all there are:
 *
 *   WANTED --asked--> ASKED --a page--> IDLE --scrolled to its end, or changed--> WANTED
 *      ^                |
 *      +---- lost, changed meanwhile, or fewer rows read again than are shown;
 *            refused, after a while
 *
 * Pure. Memory that is out ends the program (memory.h).
 *
 * Life: feed_init() .. feed_finish().
 */
#ifndef CLIENT_MODEL_FEED_H
#define CLIENT_MODEL_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/request.h"
#include "client/model/rows.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

enum feed_read { FEED_WANTED, FEED_ASKED, FEED_IDLE };

enum { FEED_OF_BYTES_MAX = 64, FEED_REFUSED_BYTES_MAX = 267 };

struct feed_kind {
	enum method list;    /* or watch */
	enum method unwatch; /* of a watch; of lists nothing */
	const char *of;	     /* the field that says of what it is; NULL: there is one for everybody */
	const char *rows;    /* the field of the result; NULL: a watch, which has none */
	const struct record *entry;
	const char *key, *order; /* as rows_init() has it */
	int32_t most;  /* rows; 0: as many as there are */
	uint8_t pages; /* shown as one: so many are read where they have fewer rows than that; 0: each by itself */
	bool is_quiet; /* nobody asked for it: a refusal is no matter for a person */
};

struct feed {
	const struct feed_kind *kind;
	char of[FEED_OF_BYTES_MAX + 1];	  /* "": nothing is open */
	char left[FEED_OF_BYTES_MAX + 1]; /* what is watched and should not be any more; "": nothing */
	enum feed_read read;
	bool is_known; /* a page of it was read, or the watch has begun */
	bool has_more; /* on the server, behind the rows */
	bool is_again; /* all of it is read again, into `coming` */
	bool is_stale; /* it has changed while a page is on its way */
	size_t idle_pages; /* in a row that brought no new row: where they go on and on, the list ends */
	size_t pages;	   /* into `coming` */
	struct rows rows;
	struct rows coming;
	char refused[FEED_REFUSED_BYTES_MAX + 1]; /* why the last page was; "": it was not */
	int64_t again_in_ms; /* how long then until it is asked for again */
	int64_t again_at_ms; /* when; 0: feed_wait() has not seen it yet */
	char *cursor; /* of the next page; NULL: the first */
	int64_t epoch, version; /* of a watch: what is known */
};

void feed_init(struct feed *f, const struct feed_kind *kind);
void feed_finish(struct feed *f);
/* Nothing is known of it any more. */
void feed_clear(struct feed *f);
/* It is of this from now on. A list that was already is read again: it was left for a while. */
void feed_open(struct feed *f, struct slice of);

/* It may be another by now: read it again from its first page on. */
void feed_refresh(struct feed *f);
/* Its last row is in sight: the next page is wanted, where there is one. */
void feed_more(struct feed *f);
/* The answer to what was asked does not come any more. */
void feed_lost(struct feed *f);
/* How long it waits after a refusal, -1: it does not; where that is over, it is wanted from now on. */
int64_t feed_wait(struct feed *f, int64_t now_ms);

/* What is to be asked now; NULL: nothing. The caller's. */
struct request *feed_ask(const struct feed *f);
/* That is on its way. */
void feed_sent(struct feed *f, const struct request *asked);
/*
 * Its result; nothing where something else is open by now, or it was not waited for. A list has
 * MAX_CONTAINER_ITEMS rows at most: what a server makes up has an end.
 */
void feed_take(struct feed *f, const struct request *asked, const void *result);
/* It was refused: why, for the person, and how long to wait as the server told, 0: it did not. */
void feed_take_refusal(struct feed *f, const struct request *asked, const char *why, int64_t retry_ms);

/*
 * Whether an update follows what is known of a watch. Where something was missed, it is watched
 * again; where it is of something else, nothing happens.
 */
enum feed_fit { FEED_FITS, FEED_MISSED, FEED_OTHER };
enum feed_fit feed_follow(struct feed *f, struct slice of, int64_t epoch, int64_t since, int64_t version,
			  bool is_reset);
/* What is watched is gone: there is nothing to watch until another is opened. */
void feed_gone(struct feed *f);

#endif
