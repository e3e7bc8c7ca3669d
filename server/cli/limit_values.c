/*
 * limit_values.c - see limit_values.h.
 */
#include "server/cli/limit_values.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/base/slice.h"
#include "proto/text/decimal.h"
#include "server/cli/data_dir.h"

#define LIMIT_BLANKS " \t\r"
#define LINE_BYTES   200

enum err limit_value_take(const char *text, int64_t limits[LIMIT_COUNT], enum limit *which,
			  struct errmsg *why)
{
	const char *equals = strchr(text, '=');
	struct slice name = slice_of(text, equals == NULL ? strlen(text) : (size_t)(equals - text));
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (!slice_eq(slice_str(limit_rows[i].name), name)) {
			continue;
		}
		if (limit_rows[i].changeable != LIMIT_SET) {
			errmsg_set(why, "%s is part of the protocol and cannot be changed",
				   limit_rows[i].name);
			return ERR_INVALID;
		}
		if (equals == NULL ||
		    !decimal_read(slice_str(equals + 1), 1, INT32_MAX, &limits[i])) {
			errmsg_set(why, "a limit is NAME=NUMBER, with a number from 1 to %ld",
				   (long)INT32_MAX);
			return ERR_INVALID;
		}
		if (which != NULL) {
			*which = (enum limit)i;
		}
		return OK;
	}
	errmsg_set(why, "unknown limit; `ayed help limits` lists them");
	return ERR_INVALID;
}

/* One line, without its newline. */
static enum err limit_line_take(char *line, int64_t limits[LIMIT_COUNT], struct errmsg *why)
{
	line += strspn(line, LIMIT_BLANKS);
	size_t len = strlen(line);
	while (len > 0 && strchr(LIMIT_BLANKS, line[len - 1]) != NULL) {
		line[--len] = '\0';
	}
	return *line == '#' || len == 0 ? OK : limit_value_take(line, limits, NULL, why);
}

enum err limit_values_read(const char *path, int64_t limits[LIMIT_COUNT], struct errmsg *why)
{
	struct buf text;
	buf_init(&text, 2 * DATA_DIR_FILE_BYTES_MAX);
	enum err e = data_dir_read_file(path, false, &text, why);
	unsigned number = 0;
	for (size_t at = 0; e == OK && at < text.len;) {
		char line[LINE_BYTES];
		char where[LINE_BYTES];
		const char *end = memchr(text.data + at, '\n', text.len - at);
		size_t len = end == NULL ? text.len - at : (size_t)(end - text.data) - at;
		size_t n = format_to(line, sizeof(line), "%.*s", (int)len, text.data + at);
		number++;
		at += len + 1;
		if (n == sizeof(line) - 1) {
			errmsg_set(why, "it is too long");
			e = line[strspn(line, LIMIT_BLANKS)] == '#' ? OK : ERR_INVALID;
		} else {
			e = limit_line_take(line, limits, why);
		}
		if (e != OK) {
			(void)format_to(where, sizeof(where), "%.120s line %u", path, number);
			errmsg_prefix(why, where);
		}
	}
	buf_finish(&text);
	return e;
}
