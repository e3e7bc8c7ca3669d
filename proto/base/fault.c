/*
 * fault.c - codes by name, and filling in faults.
 */
#include "proto/base/fault.h"

#include <stdarg.h>
#include <string.h>

#include "proto/base/format.h"

static const char *const fault_names[FAULT_COUNT] = {[FAULT_NONE] = "NONE",
#define FAULT_NAME(code, meaning) [FAULT_##code] = #code,
						     FAULT_CODES(FAULT_NAME)
#undef FAULT_NAME
};

const char *fault_code_name(enum fault_code code)
{
	size_t at = (size_t)code;
	return at < FAULT_COUNT ? fault_names[at] : "SERVER_ERROR";
}

enum fault_code fault_code_of(struct slice name)
{
	for (int code = FAULT_NONE + 1; code < FAULT_COUNT; code++) {
		if (slice_eq(name, slice_str(fault_names[code]))) {
			return (enum fault_code)code;
		}
	}
	return FAULT_NONE;
}

enum fault_code fault_set_field(struct fault *f, enum fault_code code, const char *field,
				const char *format, ...)
{
	/* Built aside, because an argument may be of what is there now. */
	struct fault out = {.code = code};
	va_list args;
	va_start(args, format);
	format_to_v(out.message, sizeof(out.message), format, args);
	va_end(args);
	format_to(out.field, sizeof(out.field), "%s", field);
	*f = out;
	return code;
}

enum fault_code fault_bounds(struct fault *f, enum fault_rule rule, int64_t least, int64_t most,
			     const char *unit)
{
	f->rule = rule;
	f->least = least;
	f->most = most;
	format_to(f->unit, sizeof(f->unit), "%s", unit);
	return f->code;
}

void fault_let_go(struct fault *f)
{
	f->room_id = f->home = f->current = (struct slice){0};
}

bool fault_is_of_name(const struct fault *f)
{
	return f->code == FAULT_NAME_TAKEN || strcmp(f->field, "username") == 0;
}

void fault_line(const struct fault *f, char *out, size_t cap)
{
	(void)format_to(out, cap, "%s%s%s", f->field, f->field[0] == '\0' ? "" : ": ", f->message);
}
