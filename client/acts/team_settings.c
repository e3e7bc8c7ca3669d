/*
 * team_settings.c - see team_settings.h.
 */
#include "client/acts/team_settings.h"

#include <assert.h>
#include <string.h>

#include "client/acts/span.h"
#include "proto/base/format.h"

/* clang-format off */
#define TEAM_SETTING_ROW(symbol, ...) [TEAM_SETTING_##symbol] = {__VA_ARGS__},
const struct team_setting_row team_settings[TEAM_SETTINGS_N] = {
	TEAM_SETTINGS(TEAM_SETTING_ROW)
};
#undef TEAM_SETTING_ROW
/* clang-format on */

static_assert((int)TEAM_SETTING_BYTES > (int)MAX_LINK_TEMPLATE_BYTES, "a template fits, too");

enum team_setting team_setting_find(struct slice name)
{
	enum team_setting s = 0;
	while (s < TEAM_SETTINGS_N && !slice_eq(slice_str(team_settings[s].name), name)) {
		s++;
	}
	return s;
}

static void team_setting_write_list(const struct slices *words, char out[TEAM_SETTING_BYTES])
{
	size_t len = 0;
	for (size_t i = 0; i < words->n; i++) {
		len += format_to(out + len, TEAM_SETTING_BYTES - len, "%s%.*s", i == 0 ? "" : " ",
				 (int)words->items[i].len, words->items[i].data);
	}
}

const char *team_setting_text(enum team_setting s, const struct group_defaults *d,
			      char out[TEAM_SETTING_BYTES])
{
	const struct field *f =
		record_field(&record_group_defaults, slice_str(team_settings[s].field));
	struct slice text = s == TEAM_SETTING_DECK    ? d->deck
			    : s == TEAM_SETTING_LINKS ? d->link_template
						      : (struct slice){0};
	const struct slices *list = s == TEAM_SETTING_DECK	  ? &d->valid_sizes
				    : s == TEAM_SETTING_REACTIONS ? &d->reactions
								  : NULL;
	if (text.len > 0) {
		(void)format_to(out, TEAM_SETTING_BYTES, "%.*s", (int)text.len, text.data);
	} else if (list != NULL && list->n > 0) {
		team_setting_write_list(list, out);
	} else if (team_settings[s].kind == WORD_SECONDS && field_with(f, d)) {
		(void)span_text(*(const int64_t *)field_member(f, d), out);
	} else {
		(void)format_to(out, TEAM_SETTING_BYTES, "%s", team_settings[s].none);
	}
	return out;
}

bool team_setting_is_none(enum team_setting s, const char *typed)
{
	return typed[0] == '\0' || strcmp(typed, "off") == 0 ||
	       strcmp(typed, team_settings[s].none) == 0;
}

bool team_setting_fill(struct request *r, enum team_setting s, const char *typed,
		       char why[WORD_WHY_BYTES])
{
	const struct team_setting_row *row = &team_settings[s];
	bool is_none = team_setting_is_none(s, typed);
	if (is_none && row->kind == WORD_SECONDS) {
		request_int(r, row->field, 0);
	} else if (is_none && row->kind == WORD_REACTIONS) {
		request_texts(r, row->field, &(struct slices){.n = 0});
	} else if (is_none) {
		request_nil(r, s == TEAM_SETTING_DECK ? "deck" : row->field);
	} else {
		return word_fill(r, &(struct act_word){row->kind, row->field}, NULL, typed, 0, why);
	}
	return true;
}

void team_settings_rules(const struct group_defaults *d, struct policy_view *out)
{
	struct policy usual;
	if (d->with_policy) {
		*out = d->policy;
		return;
	}
	policy_defaults(&usual);
	policy_to_view(&usual, out);
}
