/*
 * print.h - what the program prints.
 *
 * All text that came from a server or a stranger is softened or escaped on its
 * way out. Results go to stdout, everything about failures to stderr.
 */
#ifndef CLIENT_CLI_OUTPUT_PRINT_H
#define CLIENT_CLI_OUTPUT_PRINT_H

#include <stdbool.h>

#include "client/cli/verbs.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* "aye: ..." on stderr, wrapped where that is a terminal; the text is ours or was softened. */
void print_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of what went wrong and is no reason to stop; nothing where nothing did. */
void print_warning(const struct errmsg *why);

/* A line on stderr, where that is a terminal, about what goes on meanwhile. */
void print_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many bytes of the text make its first line, which breaks at a blank or "\n"; 0 cells: no limit. */
size_t print_fitting(const char *text, size_t cells);

/* A word and what it means, beside it; on a terminal wrapped below the beginning of that. */
void print_row(const char *left, const char *text);

/* Whether stdout is a terminal, where what was done is told as well. */
bool print_is_for_a_person(void);

/* A line on stdout, flushed. False where stdout is gone. */
bool print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for a line of JSON that jansson wrote: DEL, which it leaves as it is, is escaped. */
bool print_json(const char *json);

/* The same without its end: a prompt. */
bool print_part(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* MessagePack bytes as a line of JSON on stdout, flushed. */
NODISCARD enum err print_value(struct slice msgpack);
/* A record likewise: EXIT_DONE, or the exit code, told. */
int print_record(const struct record *rec, const void *value);

/* A notification as {"method", "params"}; params as MessagePack, empty for an empty map. */
NODISCARD enum err print_notice(struct slice method, struct slice params);

/* What the server said no to: its message in the words of the command line, and with is_json its error map, on stderr. EXIT_REFUSED. */
int print_refusal(const struct cli *c, const struct fault *f);

/* An error map as it came, as JSON on stderr. EXIT_REFUSED. */
int print_error_map(struct slice msgpack);

/* Text of others, softened, in one of a few static buffers that are reused in turn: for one print_ call. */
const char *print_soft(struct slice text);

/* All of a text in the file's place, or on standard output where it is NULL or "-". The exit code, told. */
int print_file(const char *name, struct slice text);

/*
 * What was typed, in a sentence about it: softened, its beginning where it is long, and in quotes
 * where it is nothing or has blanks. As print_soft().
 */
const char *print_typed(const char *typed);

/* A file that cannot be read or written is a mistake on the command line: *why names it. EXIT_USAGE. */
int print_file_failure(const struct errmsg *why);

/* The exit code of a call that failed with e, after a word about it on stderr. why: what is known. */
int print_failure(enum err e, const char *why);

#endif
