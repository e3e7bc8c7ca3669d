/*
 * redis_scripts.c - the texts of the scripts, each behind the line that declares its flags.
 */
#include "store/redis/redis_scripts.h"

#include "proto/base/embed.h"

#define REDIS_SCRIPT_BYTES(symbol, file, flags) \
	EMBED(redis_script_##symbol, "#!lua" flags "\\n", "store/redis/scripts/" file)
REDIS_SCRIPTS(REDIS_SCRIPT_BYTES)
#undef REDIS_SCRIPT_BYTES

void redis_scripts_list(struct slice out[REDIS_SCRIPT_COUNT])
{
#define REDIS_SCRIPT_ROW(symbol, file, flags) \
	out[REDIS_SCRIPT_##symbol] = slice_of(redis_script_##symbol, redis_script_##symbol##_len);
	REDIS_SCRIPTS(REDIS_SCRIPT_ROW)
#undef REDIS_SCRIPT_ROW
}
