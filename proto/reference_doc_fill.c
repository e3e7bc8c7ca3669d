/*
 * reference_doc_fill.c - putting generated sections where a document marks them.
 */
#include <string.h>

#include "proto/format.h"
#include "proto/reference_doc.h"

#define REFERENCE_NAME_BYTES 32

/* Where `needle` begins in text from `from` on, or text.len. */
static size_t reference_find(struct slice text, size_t from, struct slice needle)
{
	for (size_t at = from; at + needle.len <= text.len; at++) {
		if (memcmp(text.data + at, needle.data, needle.len) == 0) {
			return at;
		}
	}
	return text.len;
}

/* The section's name between `from` and `to`, terminated; false where it is none. */
static bool reference_name(struct slice text, size_t from, size_t to, char *name)
{
	if (to == text.len || to - from >= REFERENCE_NAME_BYTES || to == from) {
		return false;
	}
	memcpy(name, text.data + from, to - from);
	name[to - from] = '\0';
	return memchr(name, '\n', to - from) == NULL;
}

enum err reference_doc_fill(struct slice text,
			    enum err (*write)(const char *section, struct buf *out),
			    struct buf *out)
{
	const struct slice begin = SLICE("<!-- begin: "), mark_end = SLICE(" -->\n");
	size_t done = 0;
	for (;;) {
		size_t at = reference_find(text, done, begin);
		if (at == text.len) {
			return buf_append(out, text.data + done, text.len - done);
		}
		char name[REFERENCE_NAME_BYTES], end[REFERENCE_NAME_BYTES + 16];
		size_t name_ends = reference_find(text, at, mark_end);
		if (!reference_name(text, at + begin.len, name_ends, name)) {
			return ERR_INVALID;
		}
		size_t body = name_ends + mark_end.len;
		format_to(end, sizeof(end), "<!-- end: %s -->", name);
		size_t next = reference_find(text, body, slice_str(end));
		if (next == text.len) {
			return ERR_INVALID;
		}
		buf_append(out, text.data + done, body - done);
		enum err e = write(name, out);
		if (e != OK) {
			return e;
		}
		done = next;
	}
}
