/*
 * print.h - the output of the program.
 *
 * Text from a server or other people is softened or escaped here. Results go to
 * stdout, and reports of failures to stderr.
 */
#ifndef CLIENT_CLI_OUTPUT_PRINT_H
#define CLIENT_CLI_OUTPUT_PRINT_H

#include <stdbool.h>

#include "client/cli/verbs.h"
#include "client/formats/export.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* Print "aye: ..." on stderr, wrapped on a terminal. Text of others must be softened before. */
void print_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a failure after which the program goes on; prints nothing if *why is empty. */
void print_warning(const struct errmsg *why);

/* Print a line about the progress on stderr, if that is a terminal; wrapped. */
void print_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Print a word and its description in two columns; on a terminal the description is wrapped in its
 * column.
 */
void print_row(const char *left, const char *text);

/* Whether stdout is a terminal, so that what was done is printed as well. */
bool print_is_for_a_person(void);

/* How wide the terminal is that stdout is; 0: it is none. */
size_t print_columns(void);

/* Print a line on stdout and flush. Returns false if stdout is closed. */
bool print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for sentences, which are wrapped on a terminal; longer ones than 8 KiB are cut. */
bool print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Like print_line() for a line of JSON from jansson, escaping DEL, which jansson does not. */
bool print_json(const char *json);

/* Like print_line(), without the newline: a prompt. */
bool print_part(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether the next line of standard input is "y" or "yes"; the whole line is taken. */
bool print_read_yes(void);

/* Print MessagePack bytes as a line of JSON on stdout, and flush. */
NODISCARD enum err print_value(struct slice msgpack);
/* The same for a record. Returns the exit code; has reported a failure. */
int print_record(const struct record *rec, const void *value);

/*
 * The same with one more field, `link`: where a browser opens what the record is about. "": without
 * it. The record has fewer than 15 fields.
 */
int print_record_linked(const struct record *rec, const void *value, const char *link);

/* Print a notification as {"method", "params"}. @params  MessagePack; empty: an empty map. */
NODISCARD enum err print_notice(struct slice method, struct slice params);

/*
 * Print a refusal of the server on stderr: its message in the words of the command line, and with
 * is_json its error map. Returns EXIT_REFUSED.
 */
int print_refusal(const struct cli *c, const struct fault *f);

/* The same for what was typed and is not even sent, as the server would refuse it: returns EXIT_USAGE. */
int print_slip(const struct cli *c, const struct fault *f);

/* Print an error map as JSON on stderr. Returns EXIT_REFUSED. */
int print_error_map(struct slice msgpack);

/*
 * Soften text into one of a few static buffers, which are reused in turn; valid for one print_
 * call.
 */
const char *print_soft(struct slice text);

/*
 * The format of --format; else the one that the name of the file to be written ends with; else, on a
 * terminal, text. Returns the exit code; has reported that there is none.
 */
int print_export_format(const struct cli *c, enum export_format *out);

/* Report on stderr what an export in a tracker's format left out; one, many: "story", "stories". */
void print_left_out(const struct export_left *left, enum export_format format, const char *one,
		    const char *many);

/*
 * Replace the file's content by the text; NULL or "-": print it on standard output. Returns the
 * exit code; has reported a failure.
 */
int print_file(const char *name, struct slice text);

/*
 * Quote what was typed for a message: softened, cut if it is long, and in quotes if it is empty or
 * has blanks. Valid as for print_soft().
 */
const char *print_typed(const char *typed);

/* Report a file that cannot be read or written; *why names it. Returns EXIT_USAGE. */
int print_file_failure(const struct errmsg *why);

/* Report a call that failed with e, and return its exit code. @why  what is known. */
int print_failure(enum err e, const char *why);

#endif
