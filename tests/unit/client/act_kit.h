/*
 * act_kit.h - what a key or a line came to, asserted.
 */
#ifndef TESTS_UNIT_CLIENT_ACT_KIT_H
#define TESTS_UNIT_CLIENT_ACT_KIT_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/tui/tui.h"

enum { REQUEST_SHOWN_BYTES_MAX = 20000 };

/*
 * A field of a request as text, in out: a number, true or false, a word, strings with
 * blanks between them, a note's text as it is sent; "(nil)", and "(absent)" where it was not filled in.
 */
static inline void request_show(const struct request *r, const char *name, char out[REQUEST_SHOWN_BYTES_MAX])
{
	const void *in;
	const struct field *f = request_field(r, name, &in);
	assert_non_null(f);
	const void *member = field_member(f, in);
	struct slice text = {0};
	if (!field_with(f, in)) {
		text = SLICE("(absent)");
	} else if (f->kind == FIELD_BOOL) {
		bool is_on;
		memcpy(&is_on, member, sizeof(is_on));
		text = is_on ? SLICE("true") : SLICE("false");
	} else if (f->kind == FIELD_ENUM) {
		text = f->words->list[field_enum(f, in)];
	} else if (f->kind == FIELD_INT) {
		int64_t number;
		memcpy(&number, member, sizeof(number));
		(void)snprintf(out, REQUEST_SHOWN_BYTES_MAX, "%" PRId64, number);
		return;
	} else if (f->kind == FIELD_STRS) {
		struct slices texts;
		size_t n = 0;
		memcpy(&texts, member, sizeof(texts));
		out[0] = '\0';
		for (size_t i = 0; i < texts.n; i++) {
			n += (size_t)snprintf(out + n, REQUEST_SHOWN_BYTES_MAX - n, "%s%s", i == 0 ? "" : " ",
					      texts.items[i].data);
		}
		return;
	} else if (f->kind == FIELD_ANY) {
		memcpy(&text, member, sizeof(text));
		assert_true(text.len > 0);
		unsigned char head = (unsigned char)text.data[0];
		size_t skip = head < 0xc0 ? 1 : head == 0xd9 ? 2 : head == 0xda ? 3 : 5;
		assert_true(text.len >= skip);
		text = slice_of(text.data + skip, text.len - skip);
	} else {
		memcpy(&text, member, sizeof(text));
		text = text.data == NULL ? SLICE("(nil)") : text;
	}
	(void)snprintf(out, REQUEST_SHOWN_BYTES_MAX, "%.*s", (int)text.len, text.data);
}

static inline void assert_nothing(struct act act)
{
	assert_int_equal(act.local, LOCAL_NONE);
	assert_null(act.request);
}

static inline void assert_local(struct act act, enum local_act local)
{
	assert_int_equal(act.local, local);
	assert_null(act.request);
}

/* A request of that method; then pairs of a field and what request_show() has for it, NULL behind them. */
static inline void assert_request(struct act act, enum method method, ...)
{
	static char shown[REQUEST_SHOWN_BYTES_MAX];
	va_list pairs;
	assert_int_equal(act.local, LOCAL_NONE);
	assert_non_null(act.request);
	assert_string_equal(method_rows[act.request->method].name, method_rows[method].name);
	assert_int_equal(act.request->fault.code, FAULT_NONE);
	va_start(pairs, method);
	for (const char *name; (name = va_arg(pairs, const char *)) != NULL;) {
		request_show(act.request, name, shown);
		assert_string_equal(shown, va_arg(pairs, const char *));
	}
	va_end(pairs);
}

#endif
