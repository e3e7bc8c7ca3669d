/*
 * stories_import.h - parse stories from the output of other programs, and from pasted text.
 *
 * The format is given, or detected:
 *
 *   JSON      an object per line, or one document that is a list of objects or has one in
 *             `stories` or `issues`: aye export, gh --json, the APIs of GitHub, GitLab and Jira
 *   CSV       csv.h, with a header as Jira, Linear, GitLab and aye export write it, or without
 *   tabs      what `gh issue list` and the like print into a pipe
 *   Markdown  lists, task lists and tables, without their markup; other lines are stories too;
 *             a key before a title (PAY-1, #12) is the story's key
 *   lines     each line unchanged
 *
 * The items of a backlog are parsed in the same way; they also have unit, quantity, category
 * and expiry.
 *
 * Everything is checked as the server does it, so that errors are known before anything is
 * sent. Does no I/O.
 */
#ifndef CLIENT_FORMATS_IMPORT_STORIES_IMPORT_H
#define CLIENT_FORMATS_IMPORT_STORIES_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/room/replica.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

enum import_format {
	IMPORT_GUESS,
	IMPORT_LINES,
	IMPORT_MARKDOWN,
	IMPORT_CSV,
	IMPORT_TABS,
	IMPORT_JSON
};

/* Texts are cleaned and NUL-terminated; an absent one has data NULL. */
struct import_story {
	size_t line; /* its first line, from 1; in one JSON document the number of the story */
	struct slice key;
	struct slice title;
	struct slice link;
	struct slice description;
	struct slice estimate;
	enum story_status status; /* never voting */
	struct slice story_id; /* of the room's story that it changes; empty: a new story */
};

/* The same for an item. */
struct import_item {
	size_t line;
	struct slice key;  /* in a tracker, in front of the name; empty: none */
	struct slice name; /* of a story: its key and title */
	struct slice unit;
	struct slice quantity;
	struct slice category;
	struct slice note; /* of a story: its description, and its link below */
	int64_t expiry; /* 0: none */
	struct slice item_id; /* of the backlog's item that it changes; empty: a new item */
};

struct import_remark {
	size_t line;
	/* the whole story was skipped; false: a part of it was changed or dropped */
	bool is_skipped;
	const char *text; /* static, for people: "has no title" */
};

/* After this many remarks parsing stops: the text is probably of another format. */
#define IMPORT_REMARKS_MAX 1000

struct stories_import {
	enum import_format format; /* given or detected */
	bool is_document; /* one JSON document: `line` members are story numbers */
	struct import_story *stories; /* in order */
	size_t stories_n;
	/* those of the end that the room has no place for, of stories_import_fit() */
	size_t left_n;
	size_t left_line; /* of the first of them */
	/* instead of stories, if items are read: up to MAX_CONTAINER_ITEMS */
	struct import_item *items;
	size_t items_n;
	struct import_remark *remarks;
	size_t remarks_n;
	bool is_again; /* set by the caller: what exists is not looked for */
	bool is_given_up; /* parsing stopped after the last remark */
	bool lacks_header; /* no header row: the meaning of the columns was guessed */
};

/*
 * The format named "lines", "md", "csv", "tsv", "json" or "jsonl"; returns false for other names.
 */
bool stories_import_format(struct slice name, enum import_format *out);
/* The ith of these names; NULL after the last. */
const char *stories_import_format_name(size_t i);

/*
 * Parse stories. Invalid parts are reported as remarks in *out, and a key that comes again.
 *
 * @text   any bytes; lines end with LF, CRLF or CR.
 * @deck   an estimate with the number of a card becomes its label: 5.0 becomes 5; may be empty.
 * @arena  holds what *out points to.
 */
void stories_import_read(struct slice text, enum import_format format, struct slices deck,
			 struct arena *arena, struct stories_import *out);

/*
 * Parse items. From other programs' output an item gets the texts that a story would have; a
 * numeric estimate becomes its quantity in points, any other its unit.
 */
void items_import_read(struct slice text, enum import_format format, struct arena *arena,
		       struct stories_import *out);

/*
 * Compare the stories with those of a room, matching by key in any case, or without a key by title
 * and link. #12 of two repositories, as their addresses say, are two stories. A match that differs in title, link or description becomes a change of the room's story, which
 * keeps its estimate and rank; changes are moved after the new stories. A match without a
 * difference is dropped.
 *
 * @arena  holds what *out points to afterwards.
 * Returns the number of matches.
 */
size_t stories_import_compare(struct stories_import *out, const struct replica *room, struct arena *arena);

/* The number of stories that the room does not have: they are the first. */
size_t stories_import_new(const struct stories_import *s);
/*
 * Drop what is more than a room has place for, counting its removed stories, from the end of the new
 * stories.
 */
void stories_import_fit(struct stories_import *out, const struct replica *room);

/*
 * As stories_import_compare(), for items and those of a backlog: matched by the key in any case,
 * which the name of the backlog's begins with, or else by the name, and compared by name and note.
 */
size_t items_import_compare(struct stories_import *out, const struct item_view *const *items, size_t n,
			    struct arena *arena);

/* The number of stories or items skipped. */
size_t stories_import_skipped(const struct stories_import *s);

#endif
