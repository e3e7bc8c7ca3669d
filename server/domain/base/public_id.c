/*
 * public_id.c - see public_id.h.
 */
#include "server/domain/base/public_id.h"

#include "proto/base/format.h"

#define PREFIX_CHARS_MAX 4

struct slice public_id(struct txn *t, const char *prefix, size_t chars, struct slice id)
{
	char code[CODE_CHARS_MAX + 1];
	char text[PREFIX_CHARS_MAX + CODE_CHARS_MAX + 1];
	size_t before = strlen(prefix);
	bool is_formed = id.len == before + chars && memcmp(id.data, prefix, before) == 0 &&
			 code_normalise(slice_of(id.data + before, chars), code);
	size_t len = format_to(text, sizeof(text), "%s%s", is_formed ? prefix : "?",
			       is_formed ? code : "");
	return txn_copy(t, slice_of(text, len));
}

struct slice public_id_make(struct txn *t, const char *prefix)
{
	char code[USER_ID_CHARS + 1];
	char text[PREFIX_CHARS_MAX + USER_ID_CHARS + 1];
	code_make(t->random, code, USER_ID_CHARS);
	size_t len = format_to(text, sizeof(text), "%s%s", prefix, code);
	return txn_copy(t, slice_of(text, len));
}
