/*
 * policy_view.c - who may do what in the room, and what happens by itself.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

/* clang-format off */
#define RULE(F, field, member, is_default, help, label, ...) {#field, label},
const struct rule rules[RULES_N] = {
	POLICY_WHO(RULE, _)
	{"who_edits_data", "Who edits notes and data"},
	POLICY_SWITCHES(RULE, _)
};
#undef RULE
/* clang-format on */

/* Below the switches, what is typed. */
enum { POLICY_QUORUM = RULES_N, POLICY_PASSCODE, POLICY_LINES };
static const struct {
	const char *label;
	enum action action;
} policy_typed[] = {
	[POLICY_QUORUM - RULES_N] = {"Votes needed to reveal", ACTION_QUORUM},
	[POLICY_PASSCODE - RULES_N] = {"Passcode for newcomers", ACTION_PASSCODE},
};

static const struct field *rule_field(const struct rule *rule)
{
	return record_field(&record_policy_view, slice_str(rule->field));
}

size_t rule_words(const struct rule *rule)
{
	const struct field *f = rule_field(rule);
	return f->kind == FIELD_BOOL ? 2 : (size_t)f->words->n;
}

const char *rule_word(const struct rule *rule, size_t value)
{
	const struct field *f = rule_field(rule);
	return f->kind != FIELD_BOOL ? words_text(f->words, (int)value) : value != 0 ? "on" : "off";
}

size_t rule_value(const struct replica *room, const struct rule *rule)
{
	const struct policy_view *policy = &room->room.policy;
	const struct field *f = rule_field(rule);
	return f->kind == FIELD_BOOL ? *(const bool *)field_member(f, policy)
				     : (size_t)field_enum(f, policy);
}

static const char *policy_value(const struct replica *room, size_t at,
				char number[COLUMN_TEXT_BYTES])
{
	if (at == POLICY_PASSCODE) {
		return room->room.policy.has_passcode ? "set" : "none";
	}
	if (at == POLICY_QUORUM && room->room.policy.quorum > 0) {
		(void)format_to(number, COLUMN_TEXT_BYTES, "%lld",
				(long long)room->room.policy.quorum);
		return number;
	}
	return at == POLICY_QUORUM ? "all" : rule_word(&rules[at], rule_value(room, &rules[at]));
}

static const char *policy_label(size_t at)
{
	return at >= RULES_N ? policy_typed[at - RULES_N].label : rules[at].label;
}

static const char *policy_text(struct list_cell *c)
{
	return policy_label(c->at);
}

static const char *policy_is(struct list_cell *c)
{
	return policy_value(c->l.room, c->at, c->out);
}

static enum style policy_style(const struct list_cell *c)
{
	char number[COLUMN_TEXT_BYTES];
	return strcmp(policy_value(c->l.room, c->at, number), "off") == 0 ? STYLE_DIM
									  : STYLE_STRONG;
}

static const struct column policy_columns[] = {
	{.text = policy_text, .grows = true, .is_found = true},
	{.text = policy_is, .style = policy_style},
};

static int policy_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	(void)t;
	if (!room->you.is_host) {
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, "only hosts can change them");
	}
	return y;
}

static struct act policy_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	key = key == ' ' ? TUI_KEY_ENTER : key;
	size_t at = list_at(tui_listing(t, room, VIEW_POLICY));
	if (key == TUI_KEY_ENTER && at >= RULES_N && at < POLICY_LINES) {
		return action_run(t, room, policy_typed[at - RULES_N].action, NULL);
	}
	return tui_act_on_key(t, room, key);
}

const struct view policy_view = {
	.title = "Rules of this room",
	.head = policy_draw_head,
	.take_key = policy_view_take_key,
	.rows =
		&(const struct list_rows){
			.n = POLICY_LINES,
			COLUMNS(policy_columns),
			.cells_most = 44,
		},
};
