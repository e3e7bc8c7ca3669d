/*
 * import_send.h - send the lines read from a file, each exactly once.
 *
 * Every line has an idempotency key made of the import's id and its number, so an unanswered line
 * can be sent again without adding it twice: automatically after a lost connection, and with
 * --retry ID after an interrupted run. A few dozen are pending at a time, in the file's order.
 */
#ifndef CLIENT_CLI_ROOMS_IMPORT_SEND_H
#define CLIENT_CLI_ROOMS_IMPORT_SEND_H

#include "client/cli/output/progress.h"
#include "client/cli/reach/room_command.h"
#include "client/formats/import/stories_import.h"

/* What lines become. */
struct import_kind {
	const char *one, *many; /* "story", "stories" */
	enum method add;
	enum method update;     /* METHOD_COUNT: lines never change existing ones */
	enum method remove;     /* undoes an addition */
	const char *id;         /* the field with the id, in both */
	const char *again;      /* how to resume an interrupted run; NULL: with --retry */
	/* the field that a CONFLICT of `add` is about if somebody else has just added it; or NULL */
	const char *known;
	const char *in;         /* the field with the container, in both; NULL: the visit's room */
	/*
	 * Fill the params of `add` from the entry at an index; the container and keys are filled in
	 * by the caller.
	 */
	void (*fill)(const void *from, size_t at, void *params);
	/*
	 * The same for `update`; returns false if the entry is to be added. NULL without `update`.
	 */
	bool (*change)(const void *from, size_t at, void *params);
	/* The line it was read from, or its number in a JSON document. */
	size_t (*line)(const void *from, size_t at);
};

struct import_line;

/*
 * Life: import_send_begin(), set `from` and `n`, import_send_run(), import_send_say(), and always
 * import_send_end().
 */
struct import_send {
	const struct import_kind *kind;
	struct visit *visit;
	const char *in; /* the id of the container, if the kind has one */
	const void *from;
	size_t n;
	bool is_document; /* the entries have numbers in a JSON document instead of lines */
	bool is_strict;   /* all or nothing */
	size_t skipped_n; /* not sent, since they are invalid */
	char id[REACH_ONCE_CHARS + 1];
	size_t known_n; /* exist already; those that differ are among the n, after the new ones */
	size_t added_n;
	size_t changed_n;
	size_t refused_n;
	/* private to import_send.c */
	struct import_line *lines;
	size_t first;  /* all lines before it are answered */
	size_t sent_n; /* sent and not answered */
	size_t answered_n;
	size_t tries;  /* consecutive connections without a line completed */
	size_t pauses; /* consecutive pauses without a line completed */
	bool is_lost;   /* the connection */
	bool has_moved; /* something has happened */
	int code;       /* the exit code of a failed answer */
	struct progress progress;
	int64_t not_before_ms; /* when the server accepts more */
};

/*
 * Set the import's id, a new one or that of --retry, and is_strict. Returns the exit code; has
 * reported a failure.
 */
int import_send_begin(struct import_send *s, const struct import_kind *kind, struct visit *v);
/* Send all lines. Returns the exit code; has reported a failure. */
int import_send_run(struct import_send *s);
/* Report the result. @code  of import_send_run(). Returns the exit code of the verb. */
int import_send_say(const struct import_send *s, int code);
void import_send_end(struct import_send *s);

/* Print the remarks on the lines to stderr. */
void import_send_remarks(const struct stories_import *read, const char *one);
/*
 * Read the file of the second word, or standard input; its format is from --format or its name.
 * Returns the exit code; has reported a failure.
 */
int import_send_load(const struct cli *c, enum import_format *format, struct buf *text);
#define IMPORT_SEND_BYTES (16u << 20) /* the most bytes of a file */

#endif
