/*
 * wire_error.c - codes by name, and filling in faults.
 */
#include "proto/wire_error.h"

#include <stdarg.h>
#include <string.h>

#include "proto/format.h"

static const struct {
	const char *name;
	const char *meaning;
} fault_rows[FAULT_COUNT] = {[FAULT_NONE] = {"NONE", "Nothing went wrong"},
#define FAULT_ROW(code, meaning_) [FAULT_##code] = {#code, (meaning_)},
			     FAULT_CODES(FAULT_ROW)
#undef FAULT_ROW
};

const char *fault_code_name(enum fault_code code)
{
	size_t at = (size_t)code;
	return at < FAULT_COUNT ? fault_rows[at].name : "SERVER_ERROR";
}

const char *fault_code_meaning(enum fault_code code)
{
	size_t at = (size_t)code;
	return at < FAULT_COUNT ? fault_rows[at].meaning : "";
}

enum fault_code fault_code_of(struct slice name)
{
	for (int code = FAULT_NONE + 1; code < FAULT_COUNT; code++) {
		if (slice_eq(name, slice_str(fault_rows[code].name))) {
			return (enum fault_code)code;
		}
	}
	return FAULT_NONE;
}

static enum fault_code fault_set_v(struct fault *f, enum fault_code code, const char *field,
				   const char *format, va_list args)
	__attribute__((format(printf, 4, 0)));
static enum fault_code fault_set_v(struct fault *f, enum fault_code code, const char *field,
				   const char *format, va_list args)
{
	struct fault out = {.code = code};
	format_to_v(out.message, sizeof(out.message), format, args);
	format_to(out.field, sizeof(out.field), "%s", field);
	*f = out;
	return code;
}

enum fault_code fault_set(struct fault *f, enum fault_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)fault_set_v(f, code, "", format, args);
	va_end(args);
	return code;
}

enum fault_code fault_set_field(struct fault *f, enum fault_code code, const char *field,
				const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)fault_set_v(f, code, field, format, args);
	va_end(args);
	return code;
}

enum fault_code fault_field(struct fault *f, const char *field, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)fault_set_v(f, FAULT_VALIDATION_ERROR, field, format, args);
	va_end(args);
	return FAULT_VALIDATION_ERROR;
}

bool fault_is_of_name(const struct fault *f)
{
	return f->code == FAULT_NAME_TAKEN || strcmp(f->field, "username") == 0;
}

void fault_line(const struct fault *f, char *out, size_t cap)
{
	(void)format_to(out, cap, "%s%s%s", f->field, f->field[0] == '\0' ? "" : ": ", f->message);
}
