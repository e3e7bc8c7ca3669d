/*
 * export_tracker.h - estimates as a tracker takes them back.
 *
 * A row per issue that has a key and an estimate, with nothing in it that would clear or
 * overwrite other fields there. What the tracker cannot take is left out and counted.
 *
 *   jira            CSV for its importer: Issue key, Story Points, Summary
 *   github, gitlab  lines for the shell's read: issue, estimate and title, with tabs between
 */
#ifndef CLIENT_FORMATS_EXPORT_TRACKER_H
#define CLIENT_FORMATS_EXPORT_TRACKER_H

#include "client/formats/export.h"

struct tracker_issue {
	struct slice key, title, estimate;
	const char *link; /* a web address, or "" */
};

struct tracker {
	enum export_format format;
	struct buf *out;
	struct export_left left;
};

/* Write the header, if the format has one. */
void tracker_begin(struct tracker *t, enum export_format format, struct buf *out);
/* Write an issue, or count it in t->left. One without an estimate is neither. */
void tracker_put(struct tracker *t, const struct tracker_issue *issue);

#endif
