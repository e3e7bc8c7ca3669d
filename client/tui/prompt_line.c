/*
 * prompt_line.c - the two lowest rows: a line being typed, a question, or the last
 * message; and below it what could be pressed now.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/story_find.h"
#include "proto/format.h"

int talk_rows(const struct grid *g)
{
	return g->height >= 6 ? 2 : g->height >= 2 ? 1 : 0;
}

void talk_open_line(struct tui *t, enum action a, const char *text)
{
	t->talk = TALK_LINE;
	t->line_action = a;
	t->is_secret = action_rows[a].takes == TAKES_SECRET;
	line_editor_set(&t->edit, text);
}

const char *talk_label(enum action a)
{
	return action_rows[a].label == NULL ? ":" : action_rows[a].label;
}

/* The member a typed name means: NULL where none or several have it. */
static const struct user_view *talk_member(const struct replica *room, enum action a,
					   const char *name)
{
	const struct user_view *found = NULL;
	bool only_waiting = action_rows[a].takes == TAKES_WAITING;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data == NULL || (tui_is_me(room, m) && a != ACTION_UNHOST) ||
		    (only_waiting && !m->is_waiting) || strcmp(m->username.data, name) != 0) {
			continue;
		}
		if (found != NULL) {
			return NULL;
		}
		found = m;
	}
	return found;
}

/* The story that the first `len` bytes mean becomes the one in focus; what stands behind them, or NULL. */
static const char *talk_story(struct tui *t, const struct replica *room, const char *arg,
			      size_t len)
{
	char word[EDIT_BYTES_MAX];
	struct story_found found;
	(void)format_to(word, sizeof(word), "%.*s", (int)len, arg);
	if (len == 0) {
		tui_reply(t, "Which story? Its number or its key comes first");
		return NULL;
	}
	story_find(room, word, false, &found);
	size_t place = found.one == NULL ? 0 : story_place(room, found.one);
	if (place == 0) {
		char why[STORY_FOUND_TEXT_MAX];
		story_found_text(room, &found, word, why, sizeof(why));
		tui_reply(t, "%s", found.one == NULL ? why : "That story was removed");
		return NULL;
	}
	list_go(tui_listing(t, room, VIEW_STORIES), place - 1);
	(void)format_to(t->line_story, sizeof(t->line_story), "%s", found.one->story_id.data);
	return arg + len + strspn(arg + len, " ");
}

/* Without a number it is the one in focus: in the list, or the one that is voted on. */
static bool talk_shows_story(const struct tui *t, const struct replica *room, enum action a)
{
	bool opens_line = action_rows[a].takes == TAKES_TITLE; /* which tells before it does */
	return !t->is_typed &&
	       (opens_line || t->view == VIEW_STORIES || room->room.story_id.data != NULL);
}

static struct act talk_story_command(struct tui *t, const struct replica *room, enum action a,
				     const char *arg)
{
	bool takes_line = action_rows[a].takes == TAKES_TITLE;
	bool is_in_focus = arg[0] == '\0' && talk_shows_story(t, room, a);
	/* "select the refund" is one story; "edit 3 A title" one and its title. */
	size_t len = takes_line ? strcspn(arg, " ") : strlen(arg);
	const char *rest = is_in_focus ? arg : talk_story(t, room, arg, len);
	if (rest == NULL) {
		return (struct act){0};
	}
	return action_run(t, room, a, rest[0] == '\0' ? NULL : rest);
}

struct act talk_take_command(struct tui *t, const struct replica *room, char *line)
{
	size_t end = strcspn(line, " ");
	char *arg = line + end + strspn(line + end, " ");
	for (size_t n = strlen(arg); n > 0 && arg[n - 1] == ' '; n--) {
		arg[n - 1] = '\0';
	}
	if (end == 0) {
		return (struct act){0};
	}
	enum action a = action_of_command(line, end);
	if (a == ACTION_COUNT) {
		line[end] = '\0';
		tui_reply(t, "There is no command %s; ? lists them", line);
		return (struct act){0};
	}
	enum takes takes = action_rows[a].takes;
	if ((takes == TAKES_MEMBER || takes == TAKES_WAITING) && arg[0] != '\0') {
		const struct user_view *m = talk_member(room, a, arg);
		return action_run(t, room, a, m == NULL ? NULL : m->user_id.data);
	}
	if (takes == TAKES_STORY || takes == TAKES_TITLE) {
		return talk_story_command(t, room, a, arg);
	}
	if (takes == TAKES_SECRET) {
		arg[0] = '\0'; /* it stood on the screen: asked for again, hidden */
	}
	return action_run(t, room, a, arg[0] == '\0' ? NULL : arg);
}

struct act talk_take_line(struct tui *t, const struct replica *room, const char *line)
{
	t->talk = TALK_NONE;
	struct act act = action_run(t, room, t->line_action, line);
	bool is_refused = act.request == NULL && act.local == LOCAL_NONE && t->reply[0] != '\0';
	if (is_refused && t->talk == TALK_NONE && action_rows[t->line_action].is_mended) {
		t->talk = TALK_LINE;
	}
	return act;
}

static struct act talk_finish_line(struct tui *t, const struct replica *room)
{
	char line[EDIT_BYTES_MAX];
	memcpy(line, t->edit.text, t->edit.len + 1);
	t->talk = TALK_NONE;
	if (t->is_secret) {
		line_editor_set(&t->edit, NULL);
	}
	if (t->line_action == ACTION_COMMAND) {
		return talk_take_command(t, room, line);
	}
	return talk_take_line(t, room, line);
}

static struct act talk_line_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_live = action_rows[t->line_action].is_live;
	switch (key) {
	case TUI_KEY_ESCAPE:
		t->talk = TALK_NONE;
		return is_live ? action_run(t, room, t->line_action, "") : (struct act){0};
	case TUI_KEY_ENTER:
		return talk_finish_line(t, room);
	case TUI_KEY_TAB:
		complete_apply(t, room);
		return (struct act){0};
	case TUI_KEY_BACKSPACE:
		if (t->edit.len == 0 && t->line_action == ACTION_COMMAND) {
			t->talk = TALK_NONE;
			return (struct act){0};
		}
		break;
	}
	(void)line_editor_take_key(&t->edit, key);
	return is_live ? action_run(t, room, t->line_action, t->edit.text) : (struct act){0};
}

static struct act talk_confirm_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case 'y':
	case 'Y':
	case TUI_KEY_ENTER:
		t->talk = TALK_NONE;
		return action_run_surely(t, room, t->sure_action,
					 t->sure_arg[0] == '\0' ? NULL : t->sure_arg);
	case 'n':
	case 'N':
	case 'q':
		t->talk = TALK_NONE;
		if (t->sure_action == ACTION_KEEP) {
			writing_drop(t);
		}
		break;
	case TUI_KEY_ESCAPE:
		t->talk = TALK_NONE;
		break;
	}
	return (struct act){0};
}

struct act talk_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	return t->talk == TALK_LINE ? talk_line_key(t, room, key) : talk_confirm_key(t, room, key);
}

static int talk_hint(const struct tui *t, struct grid *g, int x, int y, int end, enum action a)
{
	const struct action_row *row = &action_rows[a];
	const char *key = row->key_name[0] == '\0' ? t->signs->arrows : row->key_name;
	int width = draw_cells(key) + 1 + draw_cells(row->hint);
	if (x + width > end) {
		return x;
	}
	int used = grid_text(g, x, y, STYLE_STRONG, key, -1);
	(void)grid_text(g, x + used + 1, y, STYLE_DIM, row->hint, -1);
	mouse_mark_key(g, x, y, width, row->key);
	return x + width + 2;
}

/* The hints of one view's own actions, or of those it shares with the table; as much as fits. */
static int talk_draw_some(struct tui *t, const struct replica *room, struct grid *g, int x, int y,
			  int end, bool is_shared)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		bool is_meant = action_is_in(a, t->view) && action_rows[a].hint[0] != '\0' &&
				((action_rows[a].where & IN_ROOM) != 0) == is_shared;
		bool is_last = a == ACTION_HELP || a == ACTION_COMMAND || a == ACTION_BACK ||
			       a == ACTION_FILTER;
		if (!is_meant || is_last || !action_is_allowed(a, room) || !home_hints(t, a) ||
		    (a == ACTION_SETTLE && room->room.outcome.data != NULL)) {
			continue;
		}
		int next = talk_hint(t, g, x, y, end, a);
		if (next == x) {
			break; /* what comes first in the table matters most */
		}
		x = next;
	}
	return x;
}

/* Behind all others, where there is something to filter. */
static int talk_hint_filter(struct tui *t, const struct replica *room, struct grid *g, int x, int y,
			    int end)
{
	bool is_useful =
		action_is_in(ACTION_FILTER, t->view) && list_all(tui_listing(t, room, t->view)) > 1;
	return is_useful ? talk_hint(t, g, x, y, end, ACTION_FILTER) : x;
}

/* What is allowed now; help and the way back always, and the command line where there is room. */
static void talk_draw_hints(struct tui *t, const struct replica *room, struct grid *g, int y)
{
	enum { HELP_CELLS = 6, COMMAND_CELLS = 11, BACK_CELLS = 10, COMMAND_FROM = 60 };
	bool has_command = g->width >= COMMAND_FROM;
	bool has_back = action_is_in(ACTION_BACK, t->view);
	int end = g->width - 1 - HELP_CELLS - (has_command ? COMMAND_CELLS : 0) -
		  (has_back ? BACK_CELLS : 0) - 2;
	int x = talk_draw_some(t, room, g, 1, y, end, false);
	x = talk_draw_some(t, room, g, x, y, end, true);
	x = talk_hint_filter(t, room, g, x, y, end);
	if (has_back) {
		x = talk_hint(t, g, x, y, g->width, ACTION_BACK);
	}
	if (has_command) {
		x = talk_hint(t, g, x, y, g->width, ACTION_COMMAND);
	}
	(void)talk_hint(t, g, x, y, g->width, ACTION_HELP);
}

static void talk_draw_completions(const struct tui *t, const struct replica *room, struct grid *g,
				  int y)
{
	struct completions c;
	complete_line(t, room, &c);
	int x = 1;
	for (size_t i = 0; i < c.n; i++) {
		char word[TUI_MESSAGE_BYTES_MAX];
		(void)format_to(word, sizeof(word), "%.*s", (int)c.word[i].len, c.word[i].data);
		int width = draw_cells(word);
		if (x + width >= g->width - 1) {
			(void)grid_text(g, x, y, STYLE_DIM, t->signs->cut, -1);
			return;
		}
		(void)grid_text(g, x, y, STYLE_DIM, word, -1);
		x += width + 2;
	}
	if (c.n == 0) {
		const char *hints = action_rows[t->line_action].is_live
					    ? "Enter keep it  Esc show all"
					    : "Enter ok  Esc cancel";
		(void)grid_text(g, 1, y, STYLE_DIM, hints, -1);
		mouse_mark_hints(g, 1, y, hints);
	}
}

static void talk_draw_line(const struct tui *t, const struct replica *room, struct grid *g, int y,
			   int footer_y)
{
	int x = 1 + grid_text(g, 1, y, STYLE_STRONG, talk_label(t->line_action), -1);
	if (t->is_secret) {
		grid_cursor(g, x, y);
	} else {
		line_editor_draw(&t->edit, g, x, y, g->width - x - 1);
	}
	if (footer_y == y) {
		return;
	}
	if (t->reply[0] != '\0') {
		(void)draw_cut(g, 1, footer_y, STYLE_WARN, t->reply, g->width - 2, t->signs);
	} else {
		talk_draw_completions(t, room, g, footer_y);
	}
}

static void talk_draw_confirm(const struct tui *t, struct grid *g, int y, int footer_y)
{
	const char *answers = " y / n";
	int width = g->width - 2 - draw_cells(answers);
	bool is_long = draw_cells(t->question) > width;
	if (is_long && footer_y > y &&
	    draw_wrapped(NULL, 0, 0, STYLE_WARN, t->question, width) == 2) {
		(void)draw_wrapped(g, 1, y, STYLE_WARN, t->question, width);
		(void)grid_text(g, 1 + width, footer_y, STYLE_STRONG, answers, -1);
		grid_cursor(g, 1 + width + draw_cells(answers), footer_y);
		return;
	}
	int used = draw_cut(g, 1, y, STYLE_WARN, t->question, width, t->signs);
	(void)grid_text(g, 1 + used, y, STYLE_STRONG, answers, -1);
	grid_cursor(g, 1 + used + draw_cells(answers), y);
	if (footer_y != y) {
		const char *hints = t->sure_action == ACTION_KEEP
					    ? "y save  n throw it away  Esc go on"
					    : "y Enter yes  n Esc no";
		(void)grid_text(g, 1, footer_y, STYLE_DIM, hints, -1);
		mouse_mark_hints(g, 1, footer_y, hints);
	}
}

/* The answer to the last key, a reaction, what waits, the client's word, or that others wait. */
static const char *talk_message(const struct tui *t, enum style *style)
{
	*style = STYLE_STRONG;
	if (t->reply[0] != '\0') {
		*style = STYLE_WARN;
		return t->reply;
	}
	if (t->moment[0] != '\0' && t->now_ms < t->moment_ends_at) {
		return t->moment;
	}
	if (t->held[0] != '\0') {
		*style = STYLE_WARN;
		return t->held;
	}
	if (t->notice[0] == '\0' && t->nudge[0] != '\0') {
		*style = STYLE_WARN;
		return t->nudge;
	}
	return t->notice;
}

/* "Filter: refund · 2 of 12"; false where all of a list is shown. */
static bool talk_filter(struct tui *t, const struct replica *room, char *out, size_t cap)
{
	struct listing l = tui_listing(t, room, t->view);
	size_t n = format_to(out, cap, "Filter: %s", l.list->filter);
	if (l.list->filter[0] != '\0' && l.rows->shows != NULL) {
		(void)format_to(out + n, cap - n, "%s%zu of %zu", t->signs->dot, list_shown(l),
				list_all(l));
	}
	return l.list->filter[0] != '\0';
}

/* "Break: 9:42"; false where there is none. */
static bool talk_pause(const struct tui *t, const struct replica *room, char *out, size_t cap)
{
	char left[24];
	timing_text(timing_left(t->now_ms, room->room.pause_ends_at), left, sizeof(left));
	(void)format_to(out, cap, "Break: %s", left);
	return t->now_ms != 0 && room->room.pause_ends_at > t->now_ms;
}

/* With a single row the message stands in for the footer, and so it does where one row is too
 * little. */
static void talk_draw_message(struct tui *t, const struct replica *room, struct grid *g, int y,
			      int footer_y, const char *footer)
{
	char lasting[TUI_MESSAGE_BYTES_MAX];
	enum style style;
	const char *message = talk_message(t, &style);
	if (message[0] == '\0' && (talk_filter(t, room, lasting, sizeof(lasting)) ||
				   talk_pause(t, room, lasting, sizeof(lasting)))) {
		message = lasting;
	}
	int cells = g->width - 2;
	if (footer_y > y && draw_cells(message) > cells &&
	    draw_wrapped(NULL, 0, 0, style, message, cells) == 2) {
		(void)draw_wrapped(g, 1, y, style, message, cells);
		return;
	}
	(void)draw_cut(g, 1, y, style, message, cells, t->signs);
	if (footer_y == y && message[0] != '\0') {
		return;
	}
	if (footer != NULL) {
		int x = 1 + draw_cut(g, 1, footer_y, STYLE_DIM, footer, g->width - 2, t->signs);
		mouse_mark_hints(g, 1, footer_y, footer);
		(void)talk_hint_filter(t, room, g, x + 2, footer_y, g->width - 1);
	} else {
		talk_draw_hints(t, room, g, footer_y);
	}
}

void talk_draw(struct tui *t, const struct replica *room, struct grid *g, const char *footer)
{
	int rows = talk_rows(g);
	if (rows == 0) {
		return;
	}
	int y = g->height - rows;
	int footer_y = g->height - 1;
	switch (t->talk) {
	case TALK_LINE:
		talk_draw_line(t, room, g, y, footer_y);
		break;
	case TALK_CONFIRM:
		talk_draw_confirm(t, g, y, footer_y);
		break;
	case TALK_NONE:
		talk_draw_message(t, room, g, y, footer_y, footer);
		break;
	}
}

int64_t talk_changes_in_ms(const struct tui *t, const struct replica *room)
{
	int64_t next = t->moment[0] != '\0' && t->now_ms < t->moment_ends_at
			       ? t->moment_ends_at - t->now_ms
			       : -1;
	return timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.pause_ends_at));
}
