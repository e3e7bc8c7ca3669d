/*
 * export.h - a room written down for others: stories, estimates, rounds, votes, statistics.
 *
 * CSV and JSON are for programs, and stories_import.h takes the stories back
 * from them as they were. Markdown, HTML and text are for people. All text of
 * members is escaped for where it goes: it can open no formula, tag, attribute,
 * table cell or mention. Nothing secret is known here.
 */
#ifndef CLIENT_FORMATS_EXPORT_H
#define CLIENT_FORMATS_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "client/model/room/round_history.h"
#include "proto/base/buf.h"
#include "proto/base/slice.h"

enum export_format { EXPORT_CSV, EXPORT_JIRA, EXPORT_JSON, EXPORT_MARKDOWN, EXPORT_HTML, EXPORT_TEXT };

struct export_room {
	const struct replica *room;
	struct round_history rounds; /* borrowed */
	bool is_votes; /* EXPORT_CSV: a row a vote in place of a row a story */
	bool is_live; /* written anew whenever the room changes: a page then asks for itself again */
};

/* todo: what is being voted on counts too; voting_ms: from the start of each round to its reveal, together. */
#define RECORD_export_stats(F)                                                         \
	F(INT, stories, _, FIELD_REQ, 0, INT64_MAX, "Without removed ones")            \
	F(INT, done, _, FIELD_REQ, 0, INT64_MAX, "Of them")                            \
	F(INT, skipped, _, FIELD_REQ, 0, INT64_MAX, "Of them")                         \
	F(INT, todo, _, FIELD_REQ, 0, INT64_MAX, "Of them")                            \
	F(INT, estimated_at_once, _, FIELD_REQ, 0, INT64_MAX, "Stories with an estimate and a single round") \
	F(INT, rounds, _, FIELD_REQ, 0, INT64_MAX, "Rounds")                           \
	F(INT, votes, _, FIELD_REQ, 0, INT64_MAX, "Votes in them")                     \
	F(INT, voting_ms, _, FIELD_REQ, 0, INT64_MAX, "How long they took")            \
	F(NUM, points, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the estimates that are numbers") \
	F(INT, agreement_percent, _, FIELD_OPT, 0, 100, "Mean of the rounds with votes")
RECORD_DECLARE(export_stats)

/* "csv", "jira", "json", "md", "html" or "text"; false for other names. */
bool export_format_of(struct slice name, enum export_format *out);
/* All of them, from 0; NULL behind the last. */
const char *export_format_name(size_t i);

void export_count(const struct export_room *x, struct export_stats *out);

/* Append all of it; the buffer's sticky error tells of what does not fit. */
void export_write(const struct export_room *x, enum export_format format, struct buf *out);

/* ---- for its own files ---- */

#define EXPORT_TIME_CHARS 20
/* "2026-11-21T11:04:03Z"; "" for 0. */
const char *export_time(int64_t at_ms, char out[EXPORT_TIME_CHARS + 1]);
/* The rounds as they came, the oldest first. */
static inline const struct round_view *export_round_at(const struct export_room *x, size_t i)
{
	return x->rounds.items[x->rounds.n - 1 - i];
}
/* The last round on that story, or NULL; *n: how many there were. */
const struct round_view *export_last_round(const struct export_room *x, struct slice story_id, size_t *n);

void export_csv(const struct export_room *x, struct buf *out);
void export_jira(const struct export_room *x, struct buf *out);
void export_json(const struct export_room *x, struct buf *out);

#endif
