/*
 * import_send.h - what was read of a file, sent line by line, each exactly once.
 *
 * Every line has an idempotency key made of the import's id and its number, so what was sent and
 * not answered is sent again without doubling: after a lost connection by itself, and after a
 * broken run with --retry ID. A few dozen are on their way at a time, in the file's order.
 */
#ifndef CLIENT_CLI_ROOMS_IMPORT_SEND_H
#define CLIENT_CLI_ROOMS_IMPORT_SEND_H

#include "client/cli/output/progress.h"
#include "client/cli/reach/room_command.h"
#include "client/formats/stories_import.h"

/* What lines become. */
struct import_kind {
	const char *one, *many; /* "story", "stories" */
	enum method add;
	enum method update;     /* METHOD_COUNT: none is known already */
	enum method remove;     /* takes one back */
	const char *id;         /* the field of both that names it */
	const char *again;      /* how to go on after a broken run; NULL: with --retry */
	const char *in;         /* the field of both that says where; NULL: the visit's room */
	/* What was read at that place, as params of `add`; where, keys and the idempotency key are filled in. */
	void (*fill)(const void *from, size_t at, void *params);
	/* The same, as params of `update`: false where it is to be added. NULL where there is no `update`. */
	bool (*change)(const void *from, size_t at, void *params);
	/* The line it was read from, or its number in a document. */
	size_t (*line)(const void *from, size_t at);
};

struct import_line;

/*
 * Life: import_send_begin(), set what is read, import_send_run(), import_send_say(), import_send_end() in any case.
 */
struct import_send {
	const struct import_kind *kind;
	struct visit *visit;
	const char *in; /* the id of what lines are put in, where the kind says so */
	const void *from;
	size_t n;
	bool is_document; /* lines are numbers of what is in it */
	bool is_strict;   /* all or nothing */
	size_t skipped_n; /* were not even sent */
	char id[REACH_ONCE_CHARS + 1];
	size_t known_n; /* are there already; of those that differ, which are among the n, behind the new ones, the rest was left out */
	size_t added_n;
	size_t changed_n;
	size_t refused_n;
	/* import_send.c's own */
	struct import_line *lines;
	size_t first;  /* all before it are answered */
	size_t sent_n; /* and not answered */
	size_t answered_n;
	size_t tries;  /* connections in a row that brought no line to its end */
	size_t pauses; /* in a row, in which no line came to its end */
	bool is_lost;   /* the connection */
	bool has_moved; /* something has happened */
	int code;       /* what went wrong with an answer */
	struct progress progress;
	int64_t not_before_ms; /* when the server takes more */
};

/* The import's id, a new one or that of --retry, and whether --strict was said. The exit code, told. */
int import_send_begin(struct import_send *s, const struct import_kind *kind, struct visit *v);
/* Send them all. The exit code, told. */
int import_send_run(struct import_send *s);
/* Say what came of it: the exit code of the verb where import_send_run() ended with `code`. */
int import_send_say(const struct import_send *s, int code);
void import_send_end(struct import_send *s);

/* What was wrong with the lines, on stderr. */
void import_send_remarks(const struct stories_import *read, const char *one);
/* The file of the second word, or standard input, and what it is by --format or its name. The exit code, told. */
int import_send_load(const struct cli *c, enum import_format *format, struct buf *text);
#define IMPORT_SEND_BYTES (16u << 20) /* of a file */

#endif
