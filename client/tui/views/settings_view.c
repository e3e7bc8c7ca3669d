/*
 * settings_view.c - how the screen looks and rings; what is chosen counts at
 * once, so the page is its own sample.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

enum { SETTINGS_NAME_X = 3, SETTINGS_NAME_CELLS = 11 };

/* ---- changing ---- */

/* The next choice of the setting in focus, or the one before. */
static void settings_change(struct tui *t, int by)
{
	enum setting which = (enum setting)list_at(tui_listing(t, NULL, VIEW_SETTINGS));
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
	tui_reply(t, "%s %s; :set --save keeps it", setting_rows[which].name,
		  settings_word(&t->settings, which));
	t->is_told = true;
}

struct act act_set(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	(void)room, (void)a;
	if (line == NULL) {
		tui_open(t, VIEW_SETTINGS);
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

/* Its choices side by side, the chosen one marked by more than its looks; those in front of it go where it would not fit. */
static void settings_draw_choices(const struct tui *t, struct grid *g, int x, int y, size_t at)
{
	const struct setting_row *row = &setting_rows[at];
	uint8_t first = 0;
	int cells = 0; /* up to the chosen one's end */
	for (uint8_t i = 0; i <= t->settings.value[at]; i++) {
		cells += draw_cells(row->choices[i]) + 2;
	}
	while (first < t->settings.value[at] && x + cells > g->width) {
		cells -= draw_cells(row->choices[first++]) + 2;
	}
	for (uint8_t i = first; row->choices[i] != NULL; i++) {
		bool is_chosen = t->settings.value[at] == i;
		enum style style = is_chosen ? STYLE_OWN : STYLE_TEXT;
		x += grid_text(g, x, y, style, is_chosen ? "[" : " ", 1);
		x += grid_text(g, x, y, style, row->choices[i], -1);
		x += grid_text(g, x, y, style, is_chosen ? "]" : " ", 1);
	}
}

static bool settings_shows(struct listing l, size_t at, const char *filter)
{
	(void)l;
	return list_matches(setting_rows[at].name, filter);
}

static void settings_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	(void)grid_text(g, SETTINGS_NAME_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT,
			setting_rows[at].name, SETTINGS_NAME_CELLS - 1);
	settings_draw_choices(l.t, g, SETTINGS_NAME_X + SETTINGS_NAME_CELLS, y, at);
}

static const struct list_rows settings_rows = {
	.n = SETTING_COUNT,
	.shows = settings_shows,
	.draw = settings_draw_one,
	.sign_x = 1,
	.cursor_x = SETTINGS_NAME_X,
};

static void settings_view_draw(struct tui *t, const struct replica *room, struct grid *g,
			       int height)
{
	struct listing l = tui_listing(t, room, VIEW_SETTINGS);
	int y = draw_title(g, "Settings");
	int shown = draw_between(0, height - y, SETTING_COUNT);
	list_draw(l, g, y, shown, true);
	const char *help = setting_rows[list_at(l)].help;
	int lines = draw_wrapped(NULL, 0, 0, STYLE_DIM, help, g->width - 4);
	y += shown + (y + shown + 1 + lines <= height ? 1 : 0);
	if (y + lines <= height) {
		(void)draw_wrapped(g, 3, y, STYLE_DIM, help, g->width - 4);
	}
}

static struct act settings_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key == TUI_KEY_LEFT) {
		settings_change(t, -1);
		return (struct act){0};
	}
	bool is_next = key == TUI_KEY_RIGHT || key == ' ';
	return tui_act_on_key(t, room, is_next ? TUI_KEY_ENTER : key);
}

const struct view settings_view = {
	.draw = settings_view_draw,
	.take_key = settings_view_take_key,
	.rows = &settings_rows,
};
