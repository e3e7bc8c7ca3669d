/*
 * print.c - results, problems and prompts, each in one form; see print.h.
 */
#include "client/cli/output/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/acts/word.h"
#include "client/cli/output/explain.h"
#include "client/state/text_file.h"
#include "client/model/memory.h"
#include "proto/base/assert.h"
#include "proto/records/record_pack.h"
#include "proto/rpc.h"
#include "proto/base/format.h"
#include "proto/json.h"
#include "proto/base/limits.h"
#include "proto/records/records.h"
#include "proto/text/text.h"

/* A line of JSON is at most this much longer than a frame: six characters for a control byte. */
#define REPORT_LINE_BYTES (24u << 20)

/* Longer problems, which nobody reads to their end, are cut. */
enum { PRINT_PROBLEM_BYTES = 8192 };

/* How wide the terminal is that a file is; 0 where it is none. */
static size_t print_cells(int fd)
{
	struct winsize size;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t print_columns(void)
{
	return print_cells(STDOUT_FILENO);
}

/* The bytes of the text that form its first line, broken at a blank or "\n"; 0 cells: no limit. */
static size_t print_fitting(const char *text, size_t cells)
{
	size_t line = strcspn(text, "\n");
	size_t fits = text_fit(slice_of(text, line), cells);
	if (cells == 0 || fits == line) {
		return line;
	}
	/* The blank behind the last word may stand outside. */
	size_t end = fits;
	while (end > 0 && text[end] != ' ') {
		end--;
	}
	return end > 0 ? end : fits > 0 ? fits : line;
}

static void print_wrapped(FILE *to, const char *text)
{
	size_t cells = print_cells(fileno(to));
	for (const char *at = text; *at != '\0';) {
		size_t fits = print_fitting(at, cells);
		(void)fprintf(to, "%.*s\n", (int)fits, at);
		at += fits;
		at += *at == ' ' || *at == '\n';
	}
}

void print_problem(const char *format, ...)
{
	char text[PRINT_PROBLEM_BYTES];
	va_list args;
	va_start(args, format);
	size_t len = format_to(text, sizeof(text), "aye: ");
	(void)format_to_v(text + len, sizeof(text) - len, format, args);
	va_end(args);
	print_wrapped(stderr, text);
}

void print_progress(const char *format, ...)
{
	char text[PRINT_PROBLEM_BYTES];
	if (isatty(STDERR_FILENO) == 0) {
		return;
	}
	va_list args;
	va_start(args, format);
	(void)format_to_v(text, sizeof(text), format, args);
	va_end(args);
	print_wrapped(stderr, text);
}

void print_row(const char *left, const char *text)
{
	enum { INDENT = 23, TEXT_CELLS_MIN = 20 };
	size_t cells = print_cells(STDOUT_FILENO);
	cells = cells >= INDENT + TEXT_CELLS_MIN ? cells - INDENT : 0;
	(void)printf("  %-*s ", INDENT - 3, left);
	for (const char *at = text; *at != '\0';) {
		size_t fits = print_fitting(at, cells);
		(void)printf("%*s%.*s\n", at == text ? 0 : INDENT, "", (int)fits, at);
		at += fits + (at[fits] == ' ');
	}
}

bool print_is_for_a_person(void)
{
	return isatty(STDOUT_FILENO) != 0;
}

bool print_line(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)vprintf(format, args);
	(void)putchar('\n');
	va_end(args);
	return fflush(stdout) == 0;
}

bool print_text(const char *format, ...)
{
	char text[PRINT_PROBLEM_BYTES];
	va_list args;
	va_start(args, format);
	(void)format_to_v(text, sizeof(text), format, args);
	va_end(args);
	print_wrapped(stdout, text);
	return fflush(stdout) == 0;
}

bool print_json(const char *json)
{
	for (const char *at = json; *at != '\0'; at++) {
		if (*at == 0x7f) {
			(void)fputs("\\u007f", stdout);
		} else {
			(void)putchar(*at);
		}
	}
	(void)putchar('\n');
	return fflush(stdout) == 0;
}

bool print_part(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)vprintf(format, args);
	va_end(args);
	return fflush(stdout) == 0;
}

bool print_read_yes(void)
{
	char line[8];
	bool is_read = fgets(line, sizeof(line), stdin) != NULL;
	bool is_whole = !is_read || strchr(line, '\n') != NULL;
	line[is_read ? strcspn(line, "\r\n") : 0] = '\0';
	for (int c = is_whole ? '\n' : getchar(); c != '\n' && c != EOF;) {
		c = getchar();
	}
	return strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0;
}

static enum err print_json_to(FILE *to, struct slice msgpack)
{
	struct buf line;
	buf_init(&line, REPORT_LINE_BYTES);
	enum err e = memory_check(json_from_bytes(msgpack, &line));
	if (e == OK) {
		e = memory_check(buf_append(&line, "\n", 1));
	}
	if (e == OK && (fwrite(line.data, 1, line.len, to) != line.len || fflush(to) != 0)) {
		e = ERR_IO;
	}
	buf_finish(&line);
	return e;
}

enum err print_value(struct slice msgpack)
{
	return print_json_to(stdout, msgpack);
}

/* A short MessagePack string; longer method names do not exist and are cut. */
static void print_pack_text(struct buf *out, struct slice text)
{
	size_t len = text.len < 32 ? text.len : 31;
	unsigned char header = (unsigned char)(0xa0 | len);
	(void)buf_append(out, &header, 1);
	(void)buf_append(out, text.data, len);
}

enum err print_notice(struct slice method, struct slice params)
{
	struct buf both;
	buf_init(&both, REPORT_LINE_BYTES);
	(void)buf_append(&both, "\x82", 1);
	print_pack_text(&both, SLICE("method"));
	print_pack_text(&both, method);
	print_pack_text(&both, SLICE("params"));
	(void)buf_append_slice(&both, params.len > 0 ? params : SLICE("\x80"));
	enum err e = memory_check(both.error);
	e = e == OK ? print_value(buf_slice(&both)) : e;
	buf_finish(&both);
	return e;
}

static enum err print_record_to(FILE *to, const struct record *rec, const void *value)
{
	struct buf bytes;
	buf_init(&bytes, REPORT_LINE_BYTES);
	record_write(rec, value, &bytes);
	enum err e = memory_check(bytes.error);
	e = e == OK ? print_json_to(to, buf_slice(&bytes)) : e;
	buf_finish(&bytes);
	return e;
}

int print_refusal(const struct cli *c, const struct fault *f)
{
	if (c->is_json) {
		struct error_view view = rpc_fault_view(f);
		view.current = (struct slice){0};
		(void)print_record_to(stderr, &record_error_view, &view);
		return EXIT_REFUSED;
	}
	char text[EXPLAIN_BYTES_MAX];
	explain(c, f, text);
	bool takes_passcode = c->verb != NULL && verb_takes(c->verb, OPTION_PASSCODE);
	if (f->code == FAULT_ROOM_NOT_FOUND && c->no_room[0] != '\0') {
		print_problem("%s", print_soft(slice_str(c->no_room)));
	} else if (f->code == FAULT_UNAUTHENTICATED && c->verb != NULL) {
		const char *server = c->args.value[OPTION_SERVER];
		const char *before = server == NULL ? "" : " --server ";
		const char *told = server == NULL ? "" : print_soft(slice_str(server));
		if (c->verb->needs == NEEDS_RIGHTS) {
			print_problem("only hosts can do that, or members if the room's rules "
				      "allow it. To join: aye join %s%s%s",
				      print_soft(slice_str(c->args.words[0])), before, told);
		} else {
			print_problem("%s. Log in: aye login NAME%s%s", text, before, told);
		}
	} else if (f->code == FAULT_PASSCODE_REQUIRED && takes_passcode) {
		print_problem("%s. Give it with --passcode-file FILE", text);
	} else {
		print_problem("%s", text);
	}
	return EXIT_REFUSED;
}

int print_slip(const struct cli *c, const struct fault *f)
{
	(void)print_refusal(c, f);
	return EXIT_USAGE;
}

int print_error_map(struct slice msgpack)
{
	if (print_json_to(stderr, msgpack) != OK) {
		print_problem("the server refused without a readable reason");
	}
	return EXIT_REFUSED;
}

const char *print_soft(struct slice text)
{
	static char ring[4][1024];
	static size_t at;
	at = (at + 1) % 4;
	size_t len = text_soften(text, ring[at], sizeof(ring[at]) - 1);
	ring[at][len] = '\0';
	return ring[at];
}

const char *print_typed(const char *typed)
{
	static char ring[4][WORD_QUOTE_BYTES];
	static size_t at;
	at = (at + 1) % 4;
	return word_quote(typed, ring[at]);
}

int print_file_failure(const struct errmsg *why)
{
	print_problem("%s", print_soft(slice_str(why->text)));
	return EXIT_USAGE;
}

int print_export_format(const struct cli *c, enum export_format *out)
{
	const char *const *value = c->args.value;
	const char *file =
		value[OPTION_OUTPUT] != NULL ? value[OPTION_OUTPUT] : value[OPTION_WATCH];
	const char *dot = file == NULL ? NULL : strrchr(file, '.');
	const char *end = dot == NULL ? NULL : strcmp(dot, ".txt") == 0 ? "text" : dot + 1;
	bool is_shown = file == NULL && print_is_for_a_person();
	const char *name = value[OPTION_FORMAT] != NULL ? value[OPTION_FORMAT]
			   : is_shown			? "text"
							: end;
	if (name != NULL && export_format_of(slice_str(name), out)) {
		return EXIT_DONE;
	}
	print_problem("give --format csv, jira, github, gitlab, json, md, html or text");
	return EXIT_USAGE;
}

void print_left_out(const struct export_left *left, enum export_format format, const char *one,
		    const char *many)
{
	if (left->without_key > 0) {
		print_problem("%zu %s without %s left out", left->without_key,
			      left->without_key == 1 ? one : many,
			      format == EXPORT_JIRA ? "a key" : "an issue number");
	}
	if (left->without_number > 0) {
		print_problem("%zu %s left out: the estimate is not a %snumber",
			      left->without_number, left->without_number == 1 ? one : many,
			      format == EXPORT_GITLAB ? "whole " : "");
	}
}

int print_file(const char *name, struct slice text)
{
	struct errmsg why = {""};
	if (name != NULL && strcmp(name, "-") != 0) {
		enum err e = text_file_replace(name, text, &why);
		return e == OK ? EXIT_DONE : print_file_failure(&why);
	}
	bool is_written = fwrite(text.data, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
	return is_written ? EXIT_DONE : print_failure(ERR_IO, "cannot write to standard output");
}

void print_warning(const struct errmsg *why)
{
	if (why->text[0] != '\0') {
		print_problem("%s", print_soft(slice_str(why->text)));
	}
}

int print_failure(enum err e, const char *why)
{
	bool is_told = why != NULL && why[0] != '\0';
	print_problem("%s", is_told ? print_soft(slice_str(why)) : err_text(e));
	if (e == ERR_UNKNOWN) {
		return EXIT_TIMED_OUT;
	}
	return e == ERR_INVALID ? EXIT_USAGE : EXIT_NO_SERVER;
}

int print_record(const struct record *rec, const void *value)
{
	enum err e = print_record_to(stdout, rec, value);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

int print_record_linked(const struct record *rec, const void *value, const char *link)
{
	enum { FIXMAP_MOST = 15 };
	struct buf bytes;
	msgpack_packer p;
	if (link[0] == '\0') {
		return print_record(rec, value);
	}
	ASSERT_CMP(rec->n, <, FIXMAP_MOST);
	buf_init(&bytes, REPORT_LINE_BYTES);
	record_write(rec, value, &bytes);
	enum err e = memory_check(bytes.error);
	if (e == OK) {
		bytes.data[0]++; /* the number of its fields, in the byte of the map */
		msgpack_packer_init(&p, &bytes, record_pack_bytes);
		record_pack_text(&p, SLICE("link"));
		record_pack_text(&p, slice_str(link));
		e = memory_check(bytes.error);
	}
	e = e == OK ? print_json_to(stdout, buf_slice(&bytes)) : e;
	buf_finish(&bytes);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}
