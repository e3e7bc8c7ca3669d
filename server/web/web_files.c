/*
 * web_files.c - the assembler reads the files of client/web when this is compiled, so that nothing has
 * to be generated, installed beside the program, or found at run time.
 */
#include "server/web/web_files.h"

#include <sodium.h>
#include <stdint.h>

#include "proto/records/policy.h"

#define WEB_ETAG_BYTES 16
_Static_assert(WEB_ETAG_CHARS == 2 * WEB_ETAG_BYTES + 2, "two digits a byte, and quotes");

/*
 * .incbin looks below the directory in which the compiler runs: the top of the tree. The length is the
 * assembler's, too: to C the two ends would be different objects.
 */
#define WEB_FILE_BYTES(symbol, path, file, type)                           \
	__asm__(".section .rodata\n"                                       \
		".global web_file_" #symbol "\n"                           \
		"web_file_" #symbol ":\n"                                  \
		".incbin \"client/web/" file "\"\n"                        \
		"web_file_end_" #symbol ":\n"                              \
		".balign 4\n"                                              \
		".global web_file_len_" #symbol "\n"                       \
		"web_file_len_" #symbol ":\n"                              \
		".4byte web_file_end_" #symbol " - web_file_" #symbol "\n" \
		".previous\n");                                            \
	extern const char web_file_##symbol[];                             \
	extern const uint32_t web_file_len_##symbol;
WEB_FILES(WEB_FILE_BYTES)
#undef WEB_FILE_BYTES

/* A module of the page: by field of the policy, then by its value, what a client says when it becomes that. */
#define RULE_EDITORS(symbol, word, text) "\t\t" #word ": \"" text "\",\n"
#define RULE_WHO(F, field, member, is_default, help, label, on, off) \
	"\t" #field ": { everyone: \"" on "\", host: \"" off "\" },\n"
#define RULE_SWITCH(F, field, member, is_default, help, label, on, off) \
	"\t" #field ": { true: \"" on "\", false: \"" off "\" },\n"
#define RULE_PASSCODE(on, off) RULE_SWITCH(_, has_passcode, _, _, _, _, on, off)
/* clang-format off */
static const char web_rules[] =
	"export const RULES = {\n"
	"\twho_edits_data: {\n" POLICY_EDITORS(RULE_EDITORS) "\t},\n"
	POLICY_WHO(RULE_WHO, _)
	POLICY_SWITCHES(RULE_SWITCH, _)
	POLICY_PASSCODE(RULE_PASSCODE)
	"};\n";
/* clang-format on */

static void web_file_tag(struct web_file *f)
{
	unsigned char hash[WEB_ETAG_BYTES];
	(void)crypto_generichash(hash, sizeof(hash), (const unsigned char *)f->bytes.data,
				 f->bytes.len, NULL, 0);
	f->etag[0] = '"';
	(void)sodium_bin2hex(f->etag + 1, 2 * sizeof(hash) + 1, hash, sizeof(hash));
	f->etag[WEB_ETAG_CHARS - 1] = '"';
	f->etag[WEB_ETAG_CHARS] = '\0';
}

void web_files_list(struct web_file out[WEB_FILE_COUNT])
{
#define WEB_FILE_ROW(symbol, path_, file, type_)                             \
	out[WEB_FILE_##symbol] = (struct web_file){                          \
		.path = SLICE(path_),                                        \
		.type = SLICE(type_),                                        \
		.bytes = slice_of(web_file_##symbol, web_file_len_##symbol), \
	};
	WEB_FILES(WEB_FILE_ROW)
#undef WEB_FILE_ROW
#define WEB_TEXT_ROW(symbol, path_, text, type_)             \
	out[WEB_FILE_##symbol] = (struct web_file){          \
		.path = SLICE(path_),                        \
		.type = SLICE(type_),                        \
		.bytes = slice_of((text), sizeof(text) - 1), \
	};
	WEB_TEXTS(WEB_TEXT_ROW)
#undef WEB_TEXT_ROW
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		web_file_tag(&out[i]);
	}
}
