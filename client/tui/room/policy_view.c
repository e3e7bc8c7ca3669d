/*
 * policy_view.c - who may do what in the room, and what happens by itself; and what a team keeps
 * of that for its new rooms, with their deck, links and times, which is asked before its first one.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/acts/team_settings.h"

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
	enum action action, of_team;
} policy_typed[] = {
	[POLICY_QUORUM - RULES_N] = {"Votes needed to reveal", ACTION_QUORUM, ACTION_TEAM_QUORUM},
	[POLICY_PASSCODE -
		RULES_N] = {"Passcode for newcomers", ACTION_PASSCODE, ACTION_TEAM_PASSCODE},
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

size_t rule_value(const struct policy_view *policy, const struct rule *rule)
{
	const struct field *f = rule_field(rule);
	return f->kind == FIELD_BOOL ? *(const bool *)field_member(f, policy)
				     : (size_t)field_enum(f, policy);
}

/* What the open team keeps; NULL: not known yet. */
static const struct group_defaults *policy_kept(const struct tui *t)
{
	return t->teams == NULL ? NULL : teams_defaults(t->teams);
}

bool rules_shown(const struct tui *t, const struct replica *room, enum view_kind view,
		 struct policy_view *out)
{
	const struct group_defaults *kept = policy_kept(t);
	if (view == VIEW_POLICY) {
		*out = room->room.policy;
	} else if (kept != NULL) {
		team_settings_rules(kept, out);
	}
	return view == VIEW_POLICY || kept != NULL;
}

/* Before all else, where a team makes its first room, the row that makes it. */
static size_t policy_settings_at(enum view_kind view)
{
	return view == VIEW_FIRST_ROOM ? 1 : 0;
}

/* Before the rules of a team, what else it keeps for new rooms. */
static size_t policy_first(enum view_kind view)
{
	return view == VIEW_POLICY ? 0 : policy_settings_at(view) + TEAM_SETTINGS_N;
}

size_t rules_focus(const struct tui *t, const struct replica *room, enum view_kind view)
{
	size_t at = list_at(tui_listing(t, room, view));
	return at < policy_first(view) ? RULES_N : at - policy_first(view);
}

/* ---- columns ---- */

static enum view_kind policy_view_of(const struct list_cell *c)
{
	return (enum view_kind)(c->l.spot - SPOT_ROW);
}

static const char *policy_text(struct list_cell *c)
{
	size_t settings = policy_settings_at(policy_view_of(c));
	size_t first = policy_first(policy_view_of(c));
	return c->at < settings		  ? "Create the room"
	       : c->at < first		  ? team_settings[c->at - settings].label
	       : c->at - first >= RULES_N ? policy_typed[c->at - first - RULES_N].label
					  : rules[c->at - first].label;
}

static const char *policy_is(struct list_cell *c)
{
	enum view_kind view = policy_view_of(c);
	struct policy_view now;
	char text[TEAM_SETTING_BYTES];
	size_t settings = policy_settings_at(view);
	if (c->at < settings || !rules_shown(c->l.t, c->l.room, view, &now)) {
		return NULL;
	}
	if (c->at < policy_first(view)) {
		return list_words(c, "%s",
				  team_setting_text((enum team_setting)(c->at - settings),
						    policy_kept(c->l.t), text));
	}
	size_t at = c->at - policy_first(view);
	if (at == POLICY_PASSCODE) {
		return now.has_passcode ? "set" : "none";
	}
	if (at == POLICY_QUORUM && now.quorum > 0) {
		return list_words(c, "%lld", (long long)now.quorum);
	}
	return at == POLICY_QUORUM ? "all" : rule_word(&rules[at], rule_value(&now, &rules[at]));
}

static enum style policy_style(const struct list_cell *c)
{
	struct list_cell copy = *c;
	char text[COLUMN_TEXT_BYTES];
	copy.out = text;
	const char *is = policy_is(&copy);
	return is != NULL && strcmp(is, "off") == 0 ? STYLE_DIM : STYLE_STRONG;
}

static const struct column policy_columns[] = {
	{.text = policy_text, .grows = true, .is_found = true},
	{.text = policy_is, .style = policy_style},
};

#define ROOM_RULES "Rules of this room"
#define TEAM_RULES "Rules of the team"

/* Beside the title: in full, in short, or not at all. */
static void policy_draw_note(struct grid *g, const char *title, const char *full,
			     const char *in_short)
{
	int room = g->width - 2 - draw_cells(title) - 2;
	const char *note = draw_cells(full) <= room ? full : in_short;
	if (draw_cells(note) <= room) {
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, note);
	}
}

static int policy_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	(void)t;
	if (!room->you.is_host) {
		policy_draw_note(g, ROOM_RULES, "only hosts can change them", "hosts only");
	}
	return y;
}

static int team_policy_draw_head(const struct tui *t, const struct replica *room, struct grid *g,
				 int y)
{
	const struct group_entry *e = t->teams == NULL ? NULL : teams_group(t->teams);
	(void)room;
	if (e != NULL && e->role != GROUP_OWNER) {
		policy_draw_note(g, TEAM_RULES, "only owners can change them", "owners only");
	}
	return y;
}

/* ---- keys ---- */

/* Enter opens the line of what is typed. */
static struct act policy_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_team = t->view != VIEW_POLICY;
	size_t at = list_at(tui_listing(t, room, t->view));
	size_t settings = policy_settings_at(t->view);
	size_t first = policy_first(t->view);
	key = key == ' ' ? TUI_KEY_ENTER : key;
	if (key == TUI_KEY_ENTER && at < settings) {
		return action_run(t, room, ACTION_TEAM_FIRST, NULL);
	}
	if (key == TUI_KEY_ENTER && at < first) {
		return action_run(t, room, (enum action)(ACTION_TEAM_DECK + at - settings), NULL);
	}
	if (key == TUI_KEY_ENTER && at - first >= RULES_N && at - first < POLICY_LINES) {
		size_t typed = at - first - RULES_N;
		return action_run(t, room,
				  is_team ? policy_typed[typed].of_team
					  : policy_typed[typed].action,
				  NULL);
	}
	return tui_act_on_key(t, room, key);
}

const struct view policy_view = {
	.title = ROOM_RULES,
	.head = policy_draw_head,
	.take_key = policy_take_key,
	.rows =
		&(const struct list_rows){
			.n = POLICY_LINES,
			COLUMNS(policy_columns),
			.cells_most = 44,
		},
};

const struct view team_policy_view = {
	.title = TEAM_RULES,
	.head = team_policy_draw_head,
	.take_key = policy_take_key,
	.parent = VIEW_TEAM_ROOMS,
	.is_over = true,
	.team_lists = {1 + TEAM_GROUPS},
	.rows =
		&(const struct list_rows){
			.n = TEAM_SETTINGS_N + POLICY_LINES,
			COLUMNS(policy_columns),
			.cells_most = 60,
		},
};

const struct view first_room_view = {
	.title = "New rooms of the team start with this",
	.footer = "Enter choose  p passcode",
	.take_key = policy_take_key,
	.parent = VIEW_TEAM_ROOMS,
	.team_lists = {1 + TEAM_GROUPS},
	.rows =
		&(const struct list_rows){
			.n = 1 + TEAM_SETTINGS_N + POLICY_LINES,
			COLUMNS(policy_columns),
			.cells_most = 60,
		},
};
