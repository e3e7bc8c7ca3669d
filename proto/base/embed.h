/*
 * embed.h - a file of the tree as a part of the program, read by the assembler when the .c file is compiled, so that
 * nothing has to be generated, installed beside the program, or found at run time.
 */
#ifndef PROTO_BASE_EMBED_H
#define PROTO_BASE_EMBED_H

#include <stdint.h>

/*
 * Define `name`, the bytes, and `name_len`, how many they are, for this file alone to use; once in the program.
 *
 * @before  what stands before the file's own bytes, as the assembler's .ascii has it; "": nothing
 * @file    below the directory in which the compiler runs: the top of the tree
 *
 * The length is the assembler's, too: to C the two ends would be different objects.
 */
#define EMBED(name, before, file)                            \
	__asm__(".section .rodata\n"                         \
		".global " #name "\n" #name ":\n"            \
		".ascii \"" before "\"\n"                    \
		".incbin \"" file "\"\n" #name "_end:\n"     \
		".balign 4\n"                                \
		".global " #name "_len\n" #name "_len:\n"    \
		".4byte " #name "_end - " #name "\n"         \
		".previous\n");                              \
	extern const char name[];                            \
	extern const uint32_t name##_len;

#endif
