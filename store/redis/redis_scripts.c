/*
 * redis_scripts.c - the assembler reads the scripts when this is compiled; nothing is generated or found at run time.
 */
#include "store/redis/redis_scripts.h"

#include <stdint.h>

#define REDIS_SCRIPT_BYTES(symbol, file, flags)                                    \
	__asm__(".section .rodata\n"                                               \
		".global redis_script_" #symbol "\n"                               \
		"redis_script_" #symbol ":\n"                                      \
		".ascii \"#!lua" flags "\\n\"\n"                                   \
		".incbin \"store/redis/scripts/" file "\"\n"                       \
		"redis_script_end_" #symbol ":\n"                                  \
		".balign 4\n"                                                      \
		".global redis_script_len_" #symbol "\n"                           \
		"redis_script_len_" #symbol ":\n"                                  \
		".4byte redis_script_end_" #symbol " - redis_script_" #symbol "\n" \
		".previous\n");                                                    \
	extern const char redis_script_##symbol[];                                 \
	extern const uint32_t redis_script_len_##symbol;
REDIS_SCRIPTS(REDIS_SCRIPT_BYTES)
#undef REDIS_SCRIPT_BYTES

void redis_scripts_list(struct slice out[REDIS_SCRIPT_COUNT])
{
#define REDIS_SCRIPT_ROW(symbol, file, flags) \
	out[REDIS_SCRIPT_##symbol] = slice_of(redis_script_##symbol, redis_script_len_##symbol);
	REDIS_SCRIPTS(REDIS_SCRIPT_ROW)
#undef REDIS_SCRIPT_ROW
}
