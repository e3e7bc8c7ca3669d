/*
 * fuzz_ssh_command.c - any bytes as a command that came by ssh: what is taken is bounded and clean.
 */
#include <stdint.h>
#include <string.h>

#include "client/model/ssh_command.h"
#include "proto/base/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_check_text(const char *text, size_t max)
{
	size_t len = strnlen(text, max + 1);
	ASSERT_CMP(len, <=, max);
	ASSERT(text[0] != '-' || text[1] == '\0'); /* standard input, and never an option */
	for (size_t i = 0; i < len; i++) {
		ASSERT((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssh_command c;
	if (ssh_command_parse(slice_of(data, size), &c) == OK) {
		ASSERT_CMP(size, <=, SSH_COMMAND_BYTES_MAX);
		ASSERT(c.verb != NULL && c.act != NULL);
		fuzz_check_text(c.words[0], SSH_COMMAND_BYTES_MAX);
		fuzz_check_text(c.words[1], SSH_COMMAND_BYTES_MAX);
		fuzz_check_text(c.name, MAX_NAME_BYTES);
		ASSERT_CMP(c.options_n, <=, MAX_QUESTION_OPTIONS);
		for (size_t i = 0; i < c.options_n; i++) {
			ASSERT(c.options[i][0] != '\0');
			fuzz_check_text(c.options[i], SSH_COMMAND_BYTES_MAX);
		}
	}
	return 0;
}
