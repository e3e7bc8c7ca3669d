/*
 * web_files.c - the files of client/web, and what is served beside them.
 */
#include "server/web/web_files.h"

#include <sodium.h>

#include "proto/base/embed.h"
#include "proto/records/policy.h"

#define WEB_ETAG_BYTES 16
_Static_assert(WEB_ETAG_CHARS == 2 * WEB_ETAG_BYTES + 2, "two digits a byte, and quotes");

#define WEB_FILE_BYTES(symbol, path, file, type) EMBED(web_file_##symbol, "", "client/web/" file)
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
#define WEB_FILE_ROW(symbol, path_, file, type_)                               \
	out[WEB_FILE_##symbol] = (struct web_file){                            \
		.path = SLICE(path_),                                          \
		.type = SLICE(type_),                                          \
		.bytes = slice_of(web_file_##symbol, web_file_##symbol##_len), \
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
