/*
 * policy_view.c - who may do what in the room, and what happens by itself.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum { POLICY_LABEL_X = 4, POLICY_VALUE_CELLS = 8, POLICY_LABEL_CELLS = 40 };

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
	[POLICY_QUORUM - RULES_N] = {"Votes enough to reveal", ACTION_QUORUM},
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
				char number[POLICY_VALUE_CELLS + 1])
{
	if (at == POLICY_PASSCODE) {
		return room->room.policy.has_passcode ? "set" : "none";
	}
	if (at == POLICY_QUORUM && room->room.policy.quorum > 0) {
		(void)format_to(number, POLICY_VALUE_CELLS + 1, "%lld",
				(long long)room->room.policy.quorum);
		return number;
	}
	return at == POLICY_QUORUM ? "all" : rule_word(&rules[at], rule_value(room, &rules[at]));
}

static const char *policy_label(size_t at)
{
	return at >= RULES_N ? policy_typed[at - RULES_N].label : rules[at].label;
}

static bool policy_shows(struct listing l, size_t at, const char *filter)
{
	(void)l;
	return list_matches(policy_label(at), filter);
}

static void policy_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	char number[POLICY_VALUE_CELLS + 1];
	const char *value = policy_value(l.room, at, number);
	bool is_plain = value[0] == 'o' && value[1] == 'f'; /* off */
	int x = g->width - 2 - POLICY_VALUE_CELLS;
	x = x > POLICY_LABEL_CELLS ? POLICY_LABEL_CELLS : x;
	(void)draw_cut(g, POLICY_LABEL_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT,
		       policy_label(at), x - POLICY_LABEL_X - 1, l.t->signs);
	(void)grid_text(g, x, y, is_plain ? STYLE_DIM : STYLE_STRONG, value, POLICY_VALUE_CELLS);
}

static const struct list_rows policy_rows = {
	.n = POLICY_LINES,
	.shows = policy_shows,
	.draw = policy_draw_one,
	.sign_x = 2,
	.cursor_x = POLICY_LABEL_X,
};

static void policy_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	int y = draw_title(g, "Rules of this room");
	if (!room->you.is_host) {
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, "the host sets them");
	}
	list_draw(tui_listing(t, room, VIEW_POLICY), g, y, height - y, true);
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
	.draw = policy_view_draw,
	.take_key = policy_view_take_key,
	.rows = &policy_rows,
};
