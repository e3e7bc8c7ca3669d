/*
 * fuzz_settings.c - any bytes as a settings file: reading ends, and what is written is what is read.
 */
#include <stdint.h>
#include <stdlib.h>

#include "client/model/settings.h"
#include "proto/base/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_on_fault(void *owner, size_t line, const char *what)
{
	size_t *lines = owner;
	ASSERT_CMP(line, >, *lines); /* at most one a line, in their order */
	*lines = line;
	ASSERT(what[0] != '\0');
}

static struct settings fuzz_read(struct slice text)
{
	struct settings s;
	size_t lines = 0;
	settings_defaults(&s);
	settings_parse(text, &s, fuzz_on_fault, &lines);
	ASSERT_CMP(lines, <=, text.len + 1);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = slice_of(data, size);
	struct settings s = fuzz_read(text);
	struct buf out;
	buf_init(&out, size + 4096);
	if (settings_format(text, &s, &out) != OK) {
		abort();
	}
	ASSERT(slice_eq(buf_slice(&out), text)); /* nothing was changed */
	buf_clear(&out);
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		s.value[i] = (uint8_t)(s.value[i] == 0 ? 1 : 0);
	}
	if (settings_format(text, &s, &out) != OK) {
		abort();
	}
	struct settings again = fuzz_read(buf_slice(&out));
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		ASSERT_CMP(again.value[i], ==, s.value[i]);
	}
	buf_finish(&out);
	return 0;
}
