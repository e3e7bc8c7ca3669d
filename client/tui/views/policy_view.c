/*
 * policy_view.c - who may do what in the room, and what happens by itself.
 */
#include "client/tui/tui_state.h"

#include <string.h>

enum { POLICY_ROOMY = 18, POLICY_VALUE_CELLS = 8, POLICY_LABEL_CELLS = 40 };

/* clang-format off */
#define RULE(field, label, ...) {field, label, {__VA_ARGS__}},
#define RULE_WHO(F, field, member, is_default, help, label, ...)    RULE(#field, label, "host", "everyone")
#define RULE_SWITCH(F, field, member, is_default, help, label, ...) RULE(#field, label, "off", "on")
const struct rule rules[RULES_N] = {
	POLICY_WHO(RULE_WHO, _)
	RULE("who_edits_data", "Who edits notes and data", "members", "everyone", "host")
	POLICY_SWITCHES(RULE_SWITCH, _)
};
/* clang-format on */

/* Below the switches. */
enum { POLICY_PASSCODE = RULES_N, POLICY_LINES };

size_t rule_words(const struct rule *rule)
{
	return rule->words[2] == NULL ? 2 : 3;
}

size_t rule_value(const struct replica *room, const struct rule *rule)
{
	const struct policy_view *policy = &room->room.policy;
	const struct field *f = record_field(&record_policy_view, slice_str(rule->field));
	return f->kind == FIELD_BOOL ? *(const bool *)field_member(f, policy)
				     : (size_t)field_enum(f, policy);
}

static const char *policy_value(const struct replica *room, size_t at)
{
	if (at == POLICY_PASSCODE) {
		return room->room.policy.has_passcode ? "set" : "none";
	}
	return rules[at].words[rule_value(room, &rules[at])];
}

static void policy_draw_one(const struct tui *t, const struct replica *room, struct grid *g, int y,
			    size_t at)
{
	enum { LABEL_X = 4 };
	bool has_focus = at == t->rule_at;
	const char *label = at == POLICY_PASSCODE ? "Passcode for newcomers" : rules[at].label;
	const char *value = policy_value(room, at);
	bool is_plain = value[0] == 'o' && value[1] == 'f'; /* off */
	int x = g->width - 2 - POLICY_VALUE_CELLS;
	x = x > POLICY_LABEL_CELLS ? POLICY_LABEL_CELLS : x;
	(void)draw_cut(g, LABEL_X, y, has_focus ? STYLE_CHOSEN : STYLE_TEXT, label, x - LABEL_X - 1,
		       t->signs);
	(void)grid_text(g, x, y, is_plain ? STYLE_DIM : STYLE_STRONG, value, POLICY_VALUE_CELLS);
	if (has_focus) {
		(void)grid_text(g, 2, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, LABEL_X, y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_ROW, (uint32_t)at});
}

static void policy_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	int y = g->height >= POLICY_ROOMY ? 2 : 1;
	size_t shown = height > y ? (size_t)(height - y) : 0;
	shown = shown > POLICY_LINES ? POLICY_LINES : shown;
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Rules of this room", -1);
	if (!room->you.is_host) {
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, "the host sets them");
	}
	size_t top = t->rule_at < shown ? 0 : t->rule_at - shown + 1;
	for (size_t i = 0; i < shown; i++) {
		policy_draw_one(t, room, g, y + (int)i, top + i);
	}
}

static struct act policy_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		t->rule_at -= t->rule_at > 0 ? 1 : 0;
		return (struct act){0};
	case TUI_KEY_DOWN:
	case 'j':
		t->rule_at += t->rule_at + 1 < POLICY_LINES ? 1 : 0;
		return (struct act){0};
	case TUI_KEY_HOME:
		t->rule_at = 0;
		return (struct act){0};
	case TUI_KEY_END:
		t->rule_at = POLICY_LINES - 1;
		return (struct act){0};
	case ' ':
		key = TUI_KEY_ENTER;
		break;
	}
	if (key == TUI_KEY_ENTER && t->rule_at == POLICY_PASSCODE) {
		return action_run(t, room, ACTION_PASSCODE, NULL);
	}
	return tui_act_on_key(t, room, key);
}

static bool policy_view_focus(struct tui *t, const struct replica *room, uint32_t which)
{
	(void)room;
	if (which >= POLICY_LINES) {
		return false;
	}
	t->rule_at = which;
	return true;
}

const struct view policy_view = {
	.focus = policy_view_focus,
	.draw = policy_view_draw,
	.take_key = policy_view_take_key,
};
