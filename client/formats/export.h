/*
 * export.h - export of a room: stories, estimates, rounds, votes, statistics.
 *
 * CSV and JSON are for programs, and stories_import.h reads the stories back
 * unchanged. Jira's, GitHub's and GitLab's formats take estimates back into a tracker
 * (export_tracker.h). Markdown, HTML and text are for people. All text of members is escaped
 * for its context: it cannot start a formula, tag, attribute, table cell or mention.
 * No secrets are exported.
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

enum export_format {
	EXPORT_CSV,
	EXPORT_JIRA,
	EXPORT_GITHUB,
	EXPORT_GITLAB,
	EXPORT_JSON,
	EXPORT_MARKDOWN,
	EXPORT_HTML,
	EXPORT_TEXT
};

struct export_room {
	const struct replica *room;
	struct round_history rounds; /* borrowed */
	bool is_votes; /* EXPORT_CSV: one row per vote instead of per story */
	/*
	 * CSV and trackers: all stories, with all columns, not only those with an estimate from a
	 * round in this room
	 */
	bool is_all;
	bool is_live; /* the file is rewritten when the room changes: an HTML page reloads itself */
};

/*
 * todo includes the story being voted on; voting_ms is the time from start to reveal of all
 * rounds; what rounds share counts once.
 */
#define RECORD_export_stats(F)                                                         \
	F(INT, stories, _, FIELD_REQ, 0, INT64_MAX, "Without removed ones")            \
	F(INT, done, _, FIELD_REQ, 0, INT64_MAX, "Of them")                            \
	F(INT, skipped, _, FIELD_REQ, 0, INT64_MAX, "Of them")                         \
	F(INT, todo, _, FIELD_REQ, 0, INT64_MAX, "Of them")                            \
	F(INT, estimated_at_once, _, FIELD_REQ, 0, INT64_MAX, "Stories with an estimate and a single round") \
	F(INT, rounds, _, FIELD_REQ, 0, INT64_MAX, "Rounds")                           \
	F(INT, votes, _, FIELD_REQ, 0, INT64_MAX, "Votes in them")                     \
	F(INT, voting_ms, _, FIELD_REQ, 0, INT64_MAX, "How long they took; what they share counts once") \
	F(NUM, points, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the estimates that are numbers") \
	F(INT, agreement_percent, _, FIELD_OPT, 0, 100, "Mean of the rounds with votes")
RECORD_DECLARE(export_stats)

/* What a tracker's format did with the stories that the export is of. */
struct export_left {
	size_t written;
	size_t without_key;    /* or the key is none of that tracker */
	size_t without_number; /* the estimate is not the number that its field takes */
};

/*
 * The format named "csv", "jira", "github", "gitlab", "json", "md", "html" or "text"; returns false
 * for other names.
 */
bool export_format_of(struct slice name, enum export_format *out);
/* The ith of these names; NULL after the last. */
const char *export_format_name(size_t i);

/* Whether its rows are issues with estimates, to be taken back by a tracker. */
bool export_is_of_tracker(enum export_format format);

void export_count(const struct export_room *x, struct export_stats *out);
/* Append the nth line about them; nothing if there is nothing to say. */
enum { EXPORT_LINES_N = 3 };
void export_stats_line(const struct export_stats *s, size_t nth, struct buf *out);

/*
 * Append the export to *out; a failure is in the buffer's error. Returns what a tracker's format
 * left out, and zeros for other formats.
 */
struct export_left export_write(const struct export_room *x, enum export_format format, struct buf *out);

/* ---- for the export files only ---- */

/* The rounds, the oldest first. */
static inline const struct round_view *export_round_at(const struct export_room *x, size_t i)
{
	return x->rounds.items[x->rounds.n - 1 - i];
}
/* The last round on that story, or NULL; *n: the number of rounds on it. */
const struct round_view *export_last_round(const struct export_room *x, struct slice story_id, size_t *n);

/* Whether CSV and trackers have it: the estimate is from a round in this room, or is_all. */
bool export_has_story(const struct export_room *x, const struct story_view *s);

void export_csv(const struct export_room *x, struct buf *out);
struct export_left export_tracker(const struct export_room *x, enum export_format format, struct buf *out);
/* All stories, with the columns that Jira's importer knows. */
void export_jira(const struct export_room *x, struct buf *out);
void export_json(const struct export_room *x, struct buf *out);

#endif
