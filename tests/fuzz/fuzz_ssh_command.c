/*
 * fuzz_ssh_command.c - any bytes as a command that came by ssh: what is taken is bounded and clean.
 */
#include <stdint.h>
#include <string.h>

#include "client/model/ssh_command.h"
#include "proto/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_check_text(const char *text)
{
	size_t len = strnlen(text, MAX_NAME_BYTES + 1);
	ASSERT_CMP(len, <=, MAX_NAME_BYTES);
	ASSERT(text[0] != '-'); /* never an option */
	for (size_t i = 0; i < len; i++) {
		ASSERT((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssh_command c;
	if (ssh_command_parse(slice_of(data, size), &c) == OK) {
		ASSERT_CMP(size, <=, SSH_COMMAND_BYTES_MAX);
		ASSERT(c.verb != NULL);
		fuzz_check_text(c.word);
		fuzz_check_text(c.name);
	}
	return 0;
}
