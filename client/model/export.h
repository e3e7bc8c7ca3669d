/*
 * export.h - a room written down for others: stories, estimates, rounds, votes, statistics.
 *
 * CSV and JSON are for programs, and stories_import.h takes the stories back
 * from them as they were. Markdown, HTML and text are for people. All text of
 * members is escaped for where it goes: it can open no formula, tag, attribute,
 * table cell or mention. Nothing secret is known here.
 */
#ifndef CLIENT_MODEL_EXPORT_H
#define CLIENT_MODEL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/replica.h"
#include "proto/arena.h"
#include "proto/buf.h"
#include "proto/slice.h"

enum export_format { EXPORT_CSV, EXPORT_JSON, EXPORT_MARKDOWN, EXPORT_HTML, EXPORT_TEXT };

struct export_room {
	const struct replica *room;
	const struct round_view *rounds; /* the oldest first, softened */
	size_t rounds_n;
	bool is_live; /* written anew whenever the room changes: a page then asks for itself again */
};

struct export_stats {
	size_t stories; /* without removed ones */
	size_t done, skipped, todo; /* todo: what is being voted on counts too */
	double points; /* of the estimates that are numbers */
	bool has_points;
	size_t at_once; /* stories with an estimate and a single round */
	size_t rounds;
	size_t votes;
	bool has_agreement;
	int agreement_percent; /* mean of the rounds with votes */
	int64_t voting_ms; /* from the start of each round to its reveal, together */
};

/* "csv", "json", "md", "html" or "text"; false for other names. */
bool export_format_of(struct slice name, enum export_format *out);

/* Make the texts of rounds as they came safe to show; what replaces them is in the arena. ERR_NOMEM. */
NODISCARD enum err export_soften(struct round_view *rounds, size_t n, struct arena *arena);

void export_count(const struct export_room *x, struct export_stats *out);

/* Append all of it. ERR_NOMEM, ERR_TOO_LARGE: out holds a part. */
NODISCARD enum err export_write(const struct export_room *x, enum export_format format, struct buf *out);

/* ---- for its own files ---- */

#define EXPORT_TIME_CHARS 20
/* "2026-11-21T11:04:03Z"; "" for 0. */
const char *export_time(int64_t at_ms, char out[EXPORT_TIME_CHARS + 1]);
/* The last round on that story, or NULL; *n: how many there were. */
const struct round_view *export_last_round(const struct export_room *x, const char *story_id, size_t *n);

void export_csv(const struct export_room *x, struct buf *out);
void export_json(const struct export_room *x, struct buf *out);

#endif
