/*
 * redis_reply.c - the table of how commands end, and errors of Redis found in it.
 */
#include "store/redis/link/redis_reply.h"

#include <string.h>

const struct redis_end_row redis_ends[REDIS_END_COUNT] = {
#define REDIS_END_ROW(symbol, code, then, says) \
	{#symbol, SLICE_INIT(code), REDIS_THEN_##then, says},
	REDIS_ENDS(REDIS_END_ROW)
#undef REDIS_END_ROW
};

enum redis_end redis_end_of(const struct redis_reply *reply)
{
	if (reply->kind != REDIS_ERROR) {
		return REDIS_END_OK;
	}
	struct slice text = reply->text;
	const char *space = text.len == 0 ? NULL : memchr(text.data, ' ', text.len);
	struct slice word =
		slice_of(text.data, space == NULL ? text.len : (size_t)(space - text.data));
	for (int i = 0; i < REDIS_END_COUNT; i++) {
		if (word.len > 0 && slice_eq(redis_ends[i].code, word)) {
			return (enum redis_end)i;
		}
	}
	return REDIS_END_REFUSED;
}
