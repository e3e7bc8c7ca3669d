/*
 * shared_conventions.c - the values of shared data that aye reads and writes; see shared_conventions.h.
 */
#include "client/model/room/shared_conventions.h"

#include <string.h>

#include "client/model/memory.h"
#include "proto/text/text.h"

WORDS_DEFINE(activity, ACTIVITY_NOTHING)
RECORD_DEFINE(presence_entry)
RECORD_DEFINE(present)
RECORD_DEFINE(shared_note)

/* A text as the only member of a map: so the checks of records serve a bare value as well. */
#define RECORD_shared_text(F) F(STR, text, _, FIELD_REQ, 0, MAX_DATA_VALUE_BYTES, "A note")
RECORD_DECLARE(shared_text)
RECORD_DEFINE(shared_text)

/* {value, revision} */
#define RECORD_shared_current(F)                                              \
	F(ANY, value, _, FIELD_REQ, 1, MAX_DATA_VALUE_BYTES, "What is there") \
	F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Of that")
RECORD_DECLARE(shared_current)
RECORD_DEFINE(shared_current)

/* What stands before the text in such a map. */
static const char shared_text_head[] = "\x81\xa4text";
enum { SHARED_TEXT_HEAD_BYTES = sizeof(shared_text_head) - 1 };

void shared_text_write(const char *text, struct buf *out)
{
	struct shared_text wrapped = {.text = slice_str(text), .with_text = true};
	struct buf b;
	buf_init(&b, MAX_DATA_VALUE_BYTES + SHARED_TEXT_HEAD_BYTES);
	record_write(&record_shared_text, &wrapped, &b);
	struct slice all = buf_slice(&b);
	if (memory_check(b.error) != OK) {
		out->error = b.error;
	} else {
		(void)buf_append(out, all.data + SHARED_TEXT_HEAD_BYTES,
				 all.len - SHARED_TEXT_HEAD_BYTES);
	}
	buf_finish(&b);
}

enum err shared_text_read(struct slice value, char **out)
{
	struct arena arena = {0};
	struct shared_text wrapped = {0};
	struct fault ignored;
	struct buf b;
	buf_init(&b, MAX_DATA_VALUE_BYTES + SHARED_TEXT_HEAD_BYTES);
	(void)buf_append(&b, shared_text_head, SHARED_TEXT_HEAD_BYTES);
	(void)buf_append_slice(&b, value);
	enum err e = memory_check(b.error);
	if (e == OK) {
		e = memory_check(record_from_bytes(&record_shared_text, buf_slice(&b),
						   RECORD_LENIENT, &arena, &wrapped, &ignored));
	}
	if (e == OK) {
		size_t cap = 3 * wrapped.text.len; /* a byte may become U+FFFD */
		*out = memory_new(cap + 1, 1);
		(*out)[text_soften_lines(wrapped.text, *out, cap)] = '\0';
	}
	buf_finish(&b);
	arena_finish(&arena);
	return e == OK ? OK : ERR_INVALID;
}

enum err shared_current_read(struct slice current, char **out, int64_t *revision)
{
	struct arena arena = {0};
	struct shared_current c = {.revision = 0};
	struct fault ignored;
	enum err e = memory_check(record_from_bytes(&record_shared_current, current, RECORD_LENIENT,
						    &arena, &c, &ignored));
	if (e == OK) {
		e = shared_text_read(c.value, out);
		*revision = c.revision;
	}
	arena_finish(&arena);
	return e == OK ? OK : ERR_INVALID;
}
