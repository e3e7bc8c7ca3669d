/*
 * redis_call.c - commands, encoded.
 */
#include "store/redis/link/redis_call.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/redis/link/redis_codec.h"

const struct slice redis_call_of_script[2] = {SLICE_INIT("EVALSHA"),
					      SLICE_INIT(
						      "0000000000000000000000000000000000000000")};

enum err redis_call_create(enum redis_call_kind kind, const struct slice *first, size_t first_n,
			   const struct slice *args, size_t n, struct redis_call **out)
{
	struct redis_call *call = calloc(1, sizeof(*call));
	if (call == NULL) {
		return ERR_NOMEM;
	}
	enum err e = redis_codec_command(first, first_n, args, n, &call->bytes, &call->len);
	if (e != OK) {
		free(call);
		return e;
	}
	call->kind = kind;
	call->script = REDIS_NO_SCRIPT;
	call->deadline_ms = REDIS_NEVER;
	*out = call;
	return OK;
}

void redis_call_destroy(struct redis_call *call)
{
	redis_codec_free(call->bytes, call->len);
	free(call);
}

void redis_call_set_script(struct redis_call *call, const char sha[REDIS_SHA_CHARS])
{
	char *at = call->bytes;
	/* Behind the lines of "*n", "$7", EVALSHA and "$40". */
	for (int lines = 0; lines < 4; lines++) {
		at = memchr(at, '\n', call->len - (size_t)(at - call->bytes));
		ASSERT(at != NULL);
		at++;
	}
	memcpy(at, sha, REDIS_SHA_CHARS);
}
