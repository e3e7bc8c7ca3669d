/*
 * print.c - the one place that writes to stdout and stderr.
 */
#include "client/cli/print.h"

#include <stdarg.h>
#include <stdio.h>

#include "client/model/memory.h"
#include "proto/json.h"
#include "proto/limits.h"
#include "proto/records.h"
#include "proto/text.h"

/* A line of JSON is at most this much longer than a frame: six characters for a control byte. */
#define REPORT_LINE_BYTES (24u << 20)

void print_problem(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)fputs("aye: ", stderr);
	(void)vfprintf(stderr, format, args);
	(void)fputc('\n', stderr);
	va_end(args);
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
		struct error_view view = {
			.code = slice_str(fault_code_name(f->code)),
			.message = slice_str(f->message),
			.field = slice_str(f->field),
			.retry_after_ms = f->retry_after_ms,
		};
		(void)print_record_to(stderr, &record_error_view, &view);
		return EXIT_REFUSED;
	}
	const char *message = print_soft(slice_str(f->message));
	if (f->code == FAULT_ROOM_NOT_FOUND && c->no_room[0] != '\0') {
		print_problem("%s", print_soft(slice_str(c->no_room)));
	} else if (f->code == FAULT_PASSCODE_REQUIRED && c->verb != NULL &&
		   (c->verb->options & OPTION_BIT(OPTION_PASSCODE)) != 0) {
		print_problem("%s (--passcode-file FILE gives it)", message);
	} else if (f->field[0] != '\0') {
		print_problem("%s: %s", print_soft(slice_str(f->field)), message);
	} else {
		print_problem("%s", message);
	}
	return EXIT_REFUSED;
}

int print_error_map(struct slice msgpack)
{
	if (print_json_to(stderr, msgpack) != OK) {
		print_problem("the server refused without a reason that can be read");
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
