/*
 * fault_words.c - see fault_words.h.
 */
#include "client/acts/fault_words.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/base/slice.h"
#include "proto/text/decimal.h"

/* Fields that the screens call something else. */
static const struct {
	const char *field, *word, *one; /* one: of several, with its number */
} fault_fields[] = {
	{"username", "name", NULL},
	{"user_name", "name", NULL},
	{"user_id", "person", NULL},
	{"valid_sizes", "cards", "card"},
	{"reactions", "reactions", "reaction"},
	{"vote", "card", NULL},
	{"selected_option", "answer", NULL},
	{"estimate", "value", NULL},
	{"outcome", "value", NULL},
	{"link_template", "link address", NULL},
	{"group_name", "team's name", NULL},
	{"group_id", "team", NULL},
	{"container_name", "backlog's name", NULL},
	{"container_id", "backlog", NULL},
	{"to_container_id", "backlog", NULL},
	{"item_id", "item", NULL},
	{"story_id", "story", NULL},
	{"room_id", "room code", NULL},
	{"by", "quantity", NULL},
	{"expires_in_seconds", "time it ends", NULL},
	{"seconds", "time", NULL},
	{"prompt", "question", NULL},
	{"min_responses", "answers", NULL},
	{"timeout_seconds", "time", NULL},
};

const char *fault_field_word(const char *field, bool is_one)
{
	const char *word = field;
	for (size_t i = 0; i < sizeof(fault_fields) / sizeof(fault_fields[0]); i++) {
		if (strcmp(fault_fields[i].field, field) == 0) {
			bool has_one = is_one && fault_fields[i].one != NULL;
			word = has_one ? fault_fields[i].one : fault_fields[i].word;
		}
	}
	return word;
}

void fault_words(const struct fault *f, char out[FAULT_WORDS_BYTES_MAX])
{
	char word[sizeof(f->field)];
	const char *dot = strrchr(f->field, '.');
	const char *last = dot == NULL ? f->field : dot + 1; /* policy.quorum */
	size_t len = strcspn(last, "[");
	size_t digits = 0;
	int64_t at = last[len] == '\0'
			     ? -1
			     : decimal_front(slice_str(last + len + 1), INT32_MAX - 1, &digits);
	(void)format_to(word, sizeof(word), "%.*s", (int)len, last);
	const char *shown = fault_field_word(word, at >= 0);
	for (char *c = word; *c != '\0'; c++) {
		*c = (char)(*c == '_' ? ' ' : *c);
	}
	if (at >= 0) {
		(void)format_to(out, FAULT_WORDS_BYTES_MAX, "%s %lld: %s", shown, (long long)at + 1,
				f->message);
	} else {
		(void)format_to(out, FAULT_WORDS_BYTES_MAX, "%s%s%s", shown,
				shown[0] == '\0' ? "" : ": ", f->message);
	}
}
