/*
 * err.c - the texts of errors, and descriptions that cannot fail.
 */
#include "proto/base/err.h"

#include <stdarg.h>
#include <string.h>

#include "proto/base/format.h"

const char *err_text(enum err e)
{
	static const char *const texts[] = {
#define ERR_TEXT(symbol, text) [symbol] = (text),
		ERRS(ERR_TEXT)
#undef ERR_TEXT
	};
	size_t at = (size_t)e;
	return at < sizeof(texts) / sizeof(texts[0]) ? texts[at] : "unknown error";
}

void errmsg_set(struct errmsg *m, const char *format, ...)
{
	/* Built aside, because an argument may be the text that is there now. */
	char text[sizeof(m->text)];
	va_list args;
	va_start(args, format);
	size_t len = format_to_v(text, sizeof(text), format, args);
	va_end(args);
	memcpy(m->text, text, len + 1);
}

void errmsg_prefix(struct errmsg *m, const char *prefix)
{
	errmsg_set(m, "%s: %s", prefix, m->text);
}
