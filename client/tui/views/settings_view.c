/*
 * settings_view.c - how the screen looks and rings; what is chosen counts at
 * once, so the page is its own sample.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

enum { SETTINGS_ROOMY = 18, SETTINGS_NAME_CELLS = 9 };

/* ---- changing ---- */

static void settings_tell(struct tui *t, enum setting which)
{
	tui_reply(t, "%s %s; :set --save keeps it", setting_rows[which].name,
		  settings_word(&t->settings, which));
}

/* The next choice of the setting in focus, or the one before. */
static void settings_change(struct tui *t, int by)
{
	enum setting which = (enum setting)t->setting_at;
	int n = 1; /* there is always one */
	while (setting_rows[which].choices[n] != NULL) {
		n++;
	}
	t->settings.value[which] = (uint8_t)((t->settings.value[which] + n + by) % n);
	tui_apply_settings(t);
}

/* One of them, and what it is now in the reply; an empty value only asks. */
static void settings_take(struct tui *t, struct slice name, struct slice value)
{
	struct errmsg why;
	enum setting which = settings_find(name);
	enum err e = OK;
	if (which == SETTING_COUNT) {
		tui_reply(t, "There is no setting %.*s; :set lists them", (int)name.len, name.data);
		return;
	}
	if (value.len > 0) {
		e = settings_set(&t->settings, name, value, &why);
	}
	if (e != OK) {
		tui_reply(t, "%s", why.text);
		return;
	}
	tui_apply_settings(t);
	settings_tell(t, which);
}

struct act act_set(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	(void)room, (void)a;
	if (line == NULL) {
		t->view = VIEW_SETTINGS;
		return (struct act){0};
	}
	if (strcmp(line, "--save") == 0) {
		return (struct act){.local = LOCAL_SAVE_SETTINGS};
	}
	size_t len = strcspn(line, " =");
	const char *value = line + len + strspn(line + len, " =");
	settings_take(t, slice_of(line, len), slice_str(value));
	return (struct act){0};
}

struct act act_notify(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	(void)room, (void)a;
	settings_take(t, slice_str(setting_rows[SETTING_NOTIFY].name), slice_str(line));
	return (struct act){0};
}

struct act act_change(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	settings_change(t, 1);
	return (struct act){0};
}

/* ---- drawing ---- */

/* Its choices side by side, the chosen one marked by more than its looks. */
static void settings_draw_choices(const struct tui *t, struct grid *g, int x, int y, size_t at)
{
	const struct setting_row *row = &setting_rows[at];
	for (uint8_t i = 0; row->choices[i] != NULL; i++) {
		bool is_chosen = t->settings.value[at] == i;
		enum style style = is_chosen ? STYLE_OWN : STYLE_TEXT;
		x += grid_text(g, x, y, style, is_chosen ? "[" : " ", 1);
		x += grid_text(g, x, y, style, row->choices[i], -1);
		x += grid_text(g, x, y, style, is_chosen ? "]" : " ", 1);
	}
}

static void settings_draw_one(const struct tui *t, struct grid *g, int y, size_t at)
{
	enum { MARK_X = 1, NAME_X = 3 };
	bool has_focus = at == t->setting_at;
	(void)grid_text(g, NAME_X, y, has_focus ? STYLE_CHOSEN : STYLE_TEXT, setting_rows[at].name,
			SETTINGS_NAME_CELLS - 1);
	settings_draw_choices(t, g, NAME_X + SETTINGS_NAME_CELLS, y, at);
	if (has_focus) {
		(void)grid_text(g, MARK_X, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, NAME_X, y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_ROW, (uint32_t)at});
}

static void settings_view_draw(struct tui *t, const struct replica *room, struct grid *g,
			       int height)
{
	int y = g->height >= SETTINGS_ROOMY ? 2 : 1;
	int shown = height - y;
	(void)room;
	shown = shown < 0 ? 0 : shown > SETTING_COUNT ? SETTING_COUNT : shown;
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Settings", -1);
	size_t top = (int)t->setting_at < shown ? 0 : t->setting_at - (size_t)shown + 1;
	for (int i = 0; i < shown; i++) {
		settings_draw_one(t, g, y + i, top + (size_t)i);
	}
	const char *help = setting_rows[t->setting_at].help;
	int lines = draw_wrapped(NULL, 0, 0, STYLE_DIM, help, g->width - 4);
	y += shown + (y + shown + 1 + lines <= height ? 1 : 0);
	if (y + lines <= height) {
		(void)draw_wrapped(g, 3, y, STYLE_DIM, help, g->width - 4);
	}
}

static struct act settings_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		t->setting_at -= t->setting_at > 0 ? 1 : 0;
		return (struct act){0};
	case TUI_KEY_DOWN:
	case 'j':
		t->setting_at += t->setting_at + 1 < SETTING_COUNT ? 1 : 0;
		return (struct act){0};
	case TUI_KEY_HOME:
		t->setting_at = 0;
		return (struct act){0};
	case TUI_KEY_END:
		t->setting_at = SETTING_COUNT - 1;
		return (struct act){0};
	case TUI_KEY_LEFT:
		settings_change(t, -1);
		return (struct act){0};
	case TUI_KEY_RIGHT:
	case ' ':
		key = TUI_KEY_ENTER;
		break;
	}
	return tui_act_on_key(t, room, key);
}

static bool settings_view_focus(struct tui *t, const struct replica *room, uint32_t which)
{
	(void)room;
	if (which >= SETTING_COUNT) {
		return false;
	}
	t->setting_at = which;
	return true;
}

const struct view settings_view = {
	.focus = settings_view_focus,
	.draw = settings_view_draw,
	.take_key = settings_view_take_key,
};
