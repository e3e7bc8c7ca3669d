/*
 * feed.h - a list on the server, read page by page as it is scrolled and reread when it changes;
 * or the state of a watch, whose updates follow.
 *
 * struct feed_kind, a constant, says which method reads the list and what its rows are. A feed
 * returns the next request and takes its result. While a list is reread, the old rows stay until
 * as many new rows have come, or the list has ended:
 *
 *   WANTED --sent--> ASKED --page--> IDLE --scrolled to its end, or changed--> WANTED
 *      ^                |
 *      +---- connection lost, changed while asked, or fewer rows reread than shown;
 *            refused, after a delay
 *
 * Pure. Running out of memory ends the program (memory.h).
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
	enum method list;    /* the method that lists, or watches */
	enum method unwatch; /* of a watch; unused for lists */
	/* the params field with the id of what is read, such as a team; NULL: it needs none */
	const char *of;
	const char *rows;    /* the result field with the rows; NULL: a watch, which has no rows */
	const struct record *entry; /* of a row */
	const char *key, *order; /* for rows_init() */
	int32_t most;  /* the most rows; 0: no limit */
	/*
	 * read up to this many pages before showing them, until there are `most` rows; 0: show each
	 * page
	 */
	uint8_t pages;
	bool is_quiet; /* the user did not ask for it: do not show a refusal */
};

struct feed {
	const struct feed_kind *kind;
	char of[FEED_OF_BYTES_MAX + 1];	  /* the id of what is read; "": nothing is open */
	char left[FEED_OF_BYTES_MAX + 1]; /* the id of a watch to end; "": none */
	enum feed_read read;
	bool is_known; /* a page was read, or the watch was confirmed */
	bool has_more; /* the server has more rows after these */
	bool is_again; /* the list is being reread into `coming` */
	bool is_stale; /* it changed while a request was pending */
	size_t idle_pages; /* consecutive pages without a new row; too many end the list */
	size_t pages;	   /* read into `coming` */
	struct rows rows;
	struct rows coming;
	/* why the last request was refused; "": it was not */
	char refused[FEED_REFUSED_BYTES_MAX + 1];
	int64_t again_in_ms; /* the delay after a refusal */
	int64_t again_at_ms; /* its end, on the clock of feed_wait(); 0: not set yet */
	char *cursor; /* of the next page; NULL: the first */
	int64_t epoch, version; /* of a watch: the state known here */
};

void feed_init(struct feed *f, const struct feed_kind *kind);
void feed_finish(struct feed *f);
/* Forget the rows and what was open. */
void feed_clear(struct feed *f);
/* Open the list or watch of this id. If it is open already, reread a list. */
void feed_open(struct feed *f, struct slice of);

/* It may have changed: reread it from the first page. */
void feed_refresh(struct feed *f);
/* The last row is visible: read the next page, if there is one. */
void feed_more(struct feed *f);
/*
 * The connection was lost: no answer comes, and no watch remains. Start again from the first page.
 */
void feed_lost(struct feed *f);
/*
 * The rest of the delay after a refusal, in ms; -1: there is none. When it is over (0), the request
 * is wanted again.
 */
int64_t feed_wait(struct feed *f, int64_t now_ms);

/* The request to send now, owned by the caller; NULL: none. */
struct request *feed_ask(const struct feed *f);
/* That request was sent. */
void feed_sent(struct feed *f, const struct request *asked);
/*
 * Take the result of the request; ignored if something else is open by now, or none was pending.
 * A list has at most MAX_CONTAINER_ITEMS rows, whatever the server sends.
 */
void feed_take(struct feed *f, const struct request *asked, const void *result);
/*
 * The request was refused. @why  for people. @retry_ms  the delay that the server gave, 0: none;
 * it is kept between 15 s and 60 s.
 */
void feed_take_refusal(struct feed *f, const struct request *asked, const char *why, int64_t retry_ms);

/*
 * Whether an update follows the known state of a watch. FEED_MISSED: there was a gap, and the
 * watch is requested again. FEED_OTHER: the update is about something else; nothing changes.
 */
enum feed_fit { FEED_FITS, FEED_MISSED, FEED_OTHER };
enum feed_fit feed_follow(struct feed *f, struct slice of, int64_t epoch, int64_t since, int64_t version,
			  bool is_reset);
/* The watched object was deleted: request nothing until another is opened. */
void feed_gone(struct feed *f);

#endif
