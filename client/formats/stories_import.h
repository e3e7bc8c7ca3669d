/*
 * stories_import.h - stories from what other programs write, and from what people paste.
 *
 * What is read, as the text is found to be, or as it is said to be:
 *
 *   JSON      an object a line, or one document that is a list of them or has one in
 *             `stories` or `issues`: aye export, gh --json, the APIs of GitHub and Jira
 *   CSV       csv.h, with a header as Jira, Linear, GitLab and aye export write it, or without
 *   tabs      what `gh issue list` and the like print into a pipe
 *   Markdown  lists, task lists and tables without their marks; plain lines are stories, too,
 *             and a key in front of one (PAY-1, #12) is its key
 *   lines     each as it is
 *
 * A backlog's items are read the same way; columns and members that only they have are unit, quantity,
 * category and expiry.
 *
 * Everything is checked as the server will check it, so that what is bad is known before
 * anything is sent. Nothing is read or sent here.
 */
#ifndef CLIENT_FORMATS_STORIES_IMPORT_H
#define CLIENT_FORMATS_STORIES_IMPORT_H

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

/* Clean text that ends with NUL; without data where there is none. */
struct import_story {
	size_t line; /* where it began, from 1; in one JSON document which story it is */
	struct slice key;
	struct slice title;
	struct slice link;
	struct slice description;
	struct slice estimate;
	enum story_status status; /* never voting */
	struct slice story_id; /* of the room's story that it changes; empty: it is a new one */
};

/* Clean likewise; texts without data are not there. */
struct import_item {
	size_t line;
	struct slice name; /* of a story: its key and title */
	struct slice unit;
	struct slice quantity;
	struct slice category;
	struct slice note; /* of a story: its description, and its link below */
	int64_t expiry; /* 0: none */
	struct slice item_id; /* of the backlog's item that it changes; empty: it is a new one */
};

struct import_remark {
	size_t line;
	bool is_skipped; /* the whole story; else a part of it was changed or left out */
	const char *text; /* static, for people: "has no title" */
};

/* After so many remarks the rest is not read: it is not what it was taken for. */
#define IMPORT_REMARKS_MAX 1000

struct stories_import {
	enum import_format format; /* what it was taken for */
	bool is_document; /* lines are numbers of stories */
	struct import_story *stories; /* up to MAX_STORIES, in order */
	size_t stories_n;
	struct import_item *items; /* in their place where items are read: up to MAX_CONTAINER_ITEMS */
	size_t items_n;
	struct import_remark *remarks;
	size_t remarks_n;
	bool is_given_up; /* behind the last remark nothing was read */
	bool lacks_header; /* no row names the columns: what they are was guessed */
};

/* "lines", "md", "csv", "tsv", "json" or "jsonl"; false for other names. */
bool stories_import_format(struct slice name, enum import_format *out);
/* All of them, from 0; NULL behind the last. */
const char *stories_import_format_name(size_t i);

/*
 * @text   may be anything; lines end with LF, CRLF or CR.
 * @deck   estimates that are a card's number become that card's label: 5.0 is 5; may be empty.
 * @arena  what *out points into.
 */
void stories_import_read(struct slice text, enum import_format format, struct slices deck,
			 struct arena *arena, struct stories_import *out);

/*
 * The same as items. Of what other programs write an item has the texts that a story would have; an estimate
 * that is a number is its quantity in points, another its unit.
 */
void items_import_read(struct slice text, enum import_format format, struct arena *arena,
		       struct stories_import *out);

/*
 * Compare with what a room has: a story is known by its key, or, where it has none, by its title and link.
 * One that is known and differs in title, link or description changes that one, which keeps its estimate and
 * its place; it is behind the new ones afterwards, and one that differs in nothing is left out.
 *
 * @arena  what *out points into afterwards.
 * Returns how many are known.
 */
size_t stories_import_compare(struct stories_import *out, const struct replica *room, struct arena *arena);

/*
 * The same of items and those of a backlog: one is known by the key that its name begins with, or else by its
 * name, and differs in name or note.
 */
size_t items_import_compare(struct stories_import *out, const struct item_view *const *items, size_t n,
			    struct arena *arena);

/* How many stories or items were skipped. */
size_t stories_import_skipped(const struct stories_import *s);

#endif
