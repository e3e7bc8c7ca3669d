/*
 * settings_view.c - how the screen looks and rings; what is chosen counts at
 * once, so the page is its own sample.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

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
		said_reply(t, "No setting %.*s. :set lists them", (int)name.len, name.data);
		return;
	}
	if (value.len > 0) {
		e = settings_set(&t->settings, name, value, &why);
	}
	if (e != OK) {
		said_reply(t, "%s", why.text);
		return;
	}
	tui_apply_settings(t);
	said_reply(t, "%s %s. To keep it: :set --save", setting_rows[which].name,
		   settings_word(&t->settings, which));
	t->said.is_told = true;
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

static const char *settings_name(struct list_cell *c)
{
	return setting_rows[c->at].name;
}

/* Choices side by side; the chosen one between the two is marked by more than its looks. */
static const char *settings_choices(const struct list_cell *c, size_t first, size_t end)
{
	const char *const *choices = setting_rows[c->at].choices;
	size_t len = 0;
	c->out[0] = '\0';
	for (size_t i = first; i < end && choices[i] != NULL; i++) {
		len += format_to(c->out + len, COLUMN_TEXT_BYTES - len, " %s%s", choices[i],
				 i + 1 < end && choices[i + 1] != NULL ? " " : "");
	}
	return c->out;
}

/* Those in front of it go where it would not fit. */
static const char *settings_before(struct list_cell *c)
{
	size_t chosen = c->l.t->settings.value[c->at];
	size_t first = 0;
	while (first < chosen && draw_cells(settings_choices(c, first, chosen)) > c->cells) {
		first++;
	}
	return settings_choices(c, first, chosen);
}

static const char *settings_chosen(struct list_cell *c)
{
	return list_words(c, "[%s]", settings_word(&c->l.t->settings, (enum setting)c->at));
}

static const char *settings_after(struct list_cell *c)
{
	const char *text =
		settings_choices(c, c->l.t->settings.value[c->at] + 1U, COLUMN_TEXT_BYTES);
	return text[0] == ' ' ? text + 1 : text; /* there is a gap in any case */
}

static const struct column settings_columns[] = {
	{.text = settings_name, .is_found = true},
	{.text = settings_before, .grows = true},
	{.text = settings_chosen, .look = STYLE_OWN, .cells = 20, .inside_below = COLUMN_INSIDE},
	{.text = settings_after, .cells = 1, .inside_below = COLUMN_INSIDE},
};

static void settings_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			       int height)
{
	struct listing l = tui_listing(t, room, VIEW_SETTINGS);
	int y = tui_draw_head(t, room, g);
	int shown = draw_between(0, height - y, SETTING_COUNT);
	tui_draw_list(t, room, g, y, y + shown);
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
	.title = "Settings",
	.draw = settings_view_draw,
	.take_key = settings_view_take_key,
	.rows =
		&(const struct list_rows){
			.n = SETTING_COUNT,
			COLUMNS(settings_columns),
		},
};
