/*
 * prompt.c - the two lowest rows: a line being typed, a question, or the last
 * message; and below it what could be pressed now.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/room/story_find.h"
#include "proto/base/format.h"

int prompt_rows(const struct grid *g)
{
	return g->height >= 6 ? 2 : g->height >= 2 ? 1 : 0;
}

void prompt_open_line(struct tui *t, enum action a, const char *text)
{
	t->prompt.kind = PROMPT_LINE;
	t->prompt.action = a;
	line_editor_offer(&t->prompt.line, text);
}

void prompt_ask(struct tui *t, enum action a, const char *arg, const char *question, ...)
{
	struct prompt *p = &t->prompt;
	va_list args;
	va_start(args, question);
	(void)format_to_v(p->question, sizeof(p->question), question, args);
	va_end(args);
	p->kind = PROMPT_CONFIRM;
	p->is_live = false;
	p->action = a;
	(void)format_to(p->arg, sizeof(p->arg), "%s", arg == NULL ? "" : arg);
}

struct act prompt_take_yes(struct tui *t, const struct replica *room)
{
	struct prompt *p = &t->prompt;
	p->kind = PROMPT_NONE;
	return action_run_surely(t, room, p->action, p->arg[0] == '\0' ? NULL : p->arg);
}

bool prompt_is_secret(const struct tui *t)
{
	return t->prompt.kind == PROMPT_LINE && action_rows[t->prompt.action].takes == TAKES_SECRET;
}

const char *prompt_label(enum action a)
{
	return action_rows[a].label == NULL ? ":" : action_rows[a].label;
}

/* The member a typed name means: NULL where none or several have it. */
static const struct user_view *prompt_member(const struct replica *room, enum action a,
					     const char *name)
{
	const struct user_view *found = NULL;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data == NULL || !action_is_for(a, room, m) ||
		    strcmp(m->username.data, name) != 0) {
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
static const char *prompt_story(struct tui *t, const struct replica *room, const char *arg,
				size_t len)
{
	char word[EDIT_BYTES_MAX];
	struct story_found found;
	(void)format_to(word, sizeof(word), "%.*s", (int)len, arg);
	if (len == 0) {
		said_reply(t, "Which story? Start with its number or key");
		return NULL;
	}
	story_find(room, word, false, &found);
	size_t place = found.one == NULL ? 0 : story_place(room, found.one);
	if (place == 0) {
		char why[STORY_FOUND_TEXT_MAX];
		story_found_text(room, &found, word, why, sizeof(why));
		said_reply(t, "%s", found.one == NULL ? why : "That story was removed");
		return NULL;
	}
	list_go(tui_listing(t, room, VIEW_STORIES), place - 1);
	(void)format_to(t->prompt.row_id, sizeof(t->prompt.row_id), "%s", found.one->story_id.data);
	return arg + len + strspn(arg + len, " ");
}

/* Without a number it is the one in focus: in the list, or the one that is voted on. */
static bool prompt_shows_story(const struct tui *t, const struct replica *room, enum action a)
{
	bool opens_line = action_rows[a].takes == TAKES_TITLE; /* which tells before it does */
	return !t->is_typed &&
	       (opens_line || view_of(t->view)->story != NULL || room->room.story_id.data != NULL);
}

static struct act prompt_story_command(struct tui *t, const struct replica *room, enum action a,
				       const char *arg)
{
	bool takes_line = action_rows[a].takes == TAKES_TITLE;
	bool is_in_focus = arg[0] == '\0' && prompt_shows_story(t, room, a);
	/* "select the refund" is one story; "edit 3 A title" one and its title. */
	size_t len = takes_line ? strcspn(arg, " ") : strlen(arg);
	const char *rest = is_in_focus ? arg : prompt_story(t, room, arg, len);
	if (rest == NULL) {
		return (struct act){0};
	}
	return action_run(t, room, a, rest[0] == '\0' ? NULL : rest);
}

struct act prompt_take_command(struct tui *t, const struct replica *room, char *line)
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
		char begun[TUI_MESSAGE_BYTES_MAX];
		line[end] = '\0';
		if (action_begun(line, begun, sizeof(begun)) > 1) {
			said_reply(t, "%s could be %s", line, begun);
			return (struct act){0};
		}
		const char *meant = action_meant(line);
		said_reply(t,
			   meant == NULL ? "No command %s. ? for the list"
					 : "No command %s. Did you mean %s?",
			   line, meant);
		return (struct act){0};
	}
	if (a == ACTION_VOTE && strchr(arg, ' ') != NULL && room->room.policy.open_stories) {
		a = ACTION_VOTE_STORY; /* "vote PAY-3 5" */
	}
	enum takes takes = action_rows[a].takes;
	if (action_takes_member(a) && arg[0] != '\0') {
		const struct user_view *m = prompt_member(room, a, arg);
		return action_run(t, room, a, m == NULL ? NULL : m->user_id.data);
	}
	if (takes == TAKES_STORY || takes == TAKES_TITLE) {
		return prompt_story_command(t, room, a, arg);
	}
	if (takes == TAKES_LINE && strcmp(arg, "-") == 0 && action_may_be_empty(a)) {
		return action_run(t, room, a, "");
	}
	if (takes == TAKES_SECRET) {
		arg[0] = '\0'; /* it stood on the screen: asked for again, hidden */
	}
	return action_run(t, room, a, arg[0] == '\0' ? NULL : arg);
}

/* The line is open again with what was typed, to be mended: the next letters are no commands. */
static void prompt_open_again(struct tui *t, enum action a)
{
	t->prompt.kind = PROMPT_LINE;
	t->prompt.action = a;
	t->prompt.line.is_offered = false;
}

struct act prompt_take_line(struct tui *t, const struct replica *room, const char *line)
{
	enum action a = t->prompt.action;
	char typed[EDIT_BYTES_MAX];
	(void)format_to(typed, sizeof(typed), "%s", line); /* the action may change either */
	t->prompt.kind = PROMPT_NONE;
	struct act act = a == ACTION_COMMAND ? prompt_take_command(t, room, typed)
					     : action_run(t, room, a, typed);
	bool is_refused = act.request == NULL && act.local == LOCAL_NONE && !t->said.is_told &&
			  t->said.reply[0] != '\0';
	if (is_refused && t->prompt.kind == PROMPT_NONE) {
		prompt_open_again(t, a);
	} else if (action_rows[a].takes == TAKES_SECRET) {
		memset(t->prompt.line.text, 0, sizeof(t->prompt.line.text));
	} else if (act.request != NULL && t->prompt.kind == PROMPT_NONE) {
		t->prompt.sent = act.request->method;
	}
	memset(typed, 0, sizeof(typed));
	return act;
}

const char *prompt_pick(const struct tui *t, const struct replica *room, int32_t digit)
{
	action_picks *picks = action_rows[t->prompt.action].picks;
	return picks == NULL || digit < '1' || digit > '9' ? NULL
							   : picks(t, room, (size_t)(digit - '1'));
}

void tui_take_refusal(struct tui *t, enum method method)
{
	if (t->prompt.kind == PROMPT_NONE && t->prompt.sent == method && method != METHOD_NONE) {
		prompt_open_again(t, t->prompt.action);
	}
	t->prompt.sent = METHOD_NONE;
	if (method == METHOD_ITEM_UPDATE && t->backlog.is_note_sent) {
		item_note_again(t);
	}
}

static struct act prompt_line_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_live = action_rows[t->prompt.action].is_live;
	switch (key) {
	case TUI_KEY_ESCAPE:
		t->prompt.kind = PROMPT_NONE;
		return is_live ? action_run(t, room, t->prompt.action, "") : (struct act){0};
	case TUI_KEY_ENTER:
		return prompt_take_line(t, room, t->prompt.line.text);
	case TUI_KEY_TAB:
		complete_apply(t, room);
		return (struct act){0};
	case TUI_KEY_BACKSPACE:
		if (t->prompt.line.len == 0 && t->prompt.action == ACTION_COMMAND) {
			t->prompt.kind = PROMPT_NONE;
			return (struct act){0};
		}
		break;
	}
	const char *picked = t->prompt.line.len == 0 ? prompt_pick(t, room, key) : NULL;
	if (picked != NULL) {
		return prompt_take_line(t, room, picked);
	}
	(void)line_editor_take_key(&t->prompt.line, key);
	return is_live ? action_run(t, room, t->prompt.action, t->prompt.line.text)
		       : (struct act){0};
}

static struct act prompt_confirm_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case 'y':
	case 'Y':
	case TUI_KEY_ENTER:
		return prompt_take_yes(t, room);
	case 'n':
	case 'N':
	case 'q':
		t->prompt.kind = PROMPT_NONE;
		if (action_rows[t->prompt.action].no != NULL) {
			action_rows[t->prompt.action].no(t);
		}
		break;
	case TUI_KEY_ESCAPE:
		t->prompt.kind = PROMPT_NONE;
		break;
	}
	return (struct act){0};
}

struct act prompt_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	return t->prompt.kind == PROMPT_LINE ? prompt_line_key(t, room, key)
					     : prompt_confirm_key(t, room, key);
}

/* ---- hints ---- */

enum { PROMPT_HINT_GAP = 2 };

/* "S stories"; a command that is its own hint stands alone: ":stories". */
struct hint {
	struct action_key key;
	const char *words;
	int cells;
};

static struct hint prompt_hint(const struct tui *t, const struct replica *room, enum action a)
{
	struct hint h = {action_key_in(a, t->view, room), action_hint(a, room), 0};
	if (h.key.name[0] == '\0') {
		(void)format_to(h.key.name, sizeof(h.key.name), "%s", t->signs->arrows);
	}
	if (h.key.name[0] == ':' && strcmp(h.key.name + 1, h.words) == 0) {
		h.words = "";
	}
	h.cells = draw_cells(h.key.name) + (h.words[0] == '\0' ? 0 : 1 + draw_cells(h.words));
	return h;
}

/* Whether the footer of this view has it there now. */
static bool prompt_has_hint(const struct tui *t, const struct replica *room, const struct grid *g,
			    enum action a, enum hint_place place)
{
	const struct action_row *row = &action_rows[a];
	/* To vote again stands in front, where voters have their cards; so does the way to the next vote. */
	bool is_in_front =
		a == ACTION_UNVOTED || (a == ACTION_SPECTATE && room->you.role == ROLE_SPECTATOR);
	bool is_shared = row->hint_at == HINT_OWN && (row->where & IN_ROOM) != 0 && !is_in_front;
	return row->hint[0] != '\0' && action_is_in(a, t->view) &&
	       (is_shared ? HINT_SHARED : row->hint_at) == place &&
	       g->width >= row->hint_cells_min && action_is_possible(t, a, room) &&
	       (row->offers == NULL || row->offers(t->sight->tui, room));
}

/* The hints of one place, as far as they fit before `end`; returns where the next would stand. */
static int prompt_draw_hints_at(const struct tui *t, const struct replica *room, struct grid *g,
				int x, int y, int end, enum hint_place place)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (!prompt_has_hint(t, room, g, a, place)) {
			continue;
		}
		struct hint h = prompt_hint(t, room, a);
		if (x + h.cells <= end) {
			int used = grid_text(g, x, y, STYLE_STRONG, h.key.name, -1);
			(void)grid_text(g, x + used + 1, y, STYLE_DIM, h.words, -1);
			mouse_mark_key(g, x, y, h.cells, h.key.key);
			x += h.cells + PROMPT_HINT_GAP;
		} else if (place != HINT_ALWAYS) {
			break; /* what comes first in the table matters most */
		}
	}
	return x;
}

/* @footer  fixed hints in place of what only this view has and of what it shares; NULL: none. */
static void prompt_draw_hints(const struct tui *t, const struct replica *room, struct grid *g,
			      int y, const char *footer)
{
	int end = g->width - 1;
	int x = 1;
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (prompt_has_hint(t, room, g, a, HINT_ALWAYS)) {
			end -= prompt_hint(t, room, a).cells + PROMPT_HINT_GAP;
		}
	}
	if (footer != NULL) {
		x += draw_cut(g, x, y, STYLE_DIM, footer, end - x, t->signs) + PROMPT_HINT_GAP;
		mouse_mark_hints(g, 1, y, footer);
	}
	for (enum hint_place place = footer == NULL ? HINT_OWN : HINT_LATE; place < HINT_ALWAYS;
	     place++) {
		x = prompt_draw_hints_at(t, room, g, x, y, end, place);
	}
	(void)prompt_draw_hints_at(t, room, g, x, y, g->width, HINT_ALWAYS);
}

/* ---- drawing ---- */

/* What could be typed; false where nothing is known, or it stands there already. */
static bool prompt_completes(const struct tui *t, const struct replica *room, struct completions *c)
{
	complete_line(t, room, c);
	bool is_there = c->n == 1 && !t->prompt.line.is_offered &&
			c->word[0].len == t->prompt.line.cursor - c->start;
	return c->n > 0 && !is_there;
}

/* Before column `end`. */
static void prompt_draw_completions(const struct tui *t, const struct completions *c,
				    struct grid *g, int y, int end)
{
	int x = 1;
	for (size_t i = 0; i < c->n; i++) {
		char word[TUI_MESSAGE_BYTES_MAX];
		(void)format_to(word, sizeof(word), "%.*s", (int)c->word[i].len, c->word[i].data);
		int width = draw_cells(word);
		if (x + width >= end) {
			(void)grid_text(g, x, y, STYLE_DIM, t->signs->cut, -1);
			return;
		}
		(void)grid_text(g, x, y, STYLE_DIM, word, -1);
		x += width + PROMPT_HINT_GAP;
	}
}

/* What can be typed, as the row says it. */
static void prompt_draw_examples(const struct tui *t, const char *examples, struct grid *g, int y,
				 int end)
{
	size_t n = strcspn(examples, "*");
	char line[TUI_MESSAGE_BYTES_MAX];
	(void)format_to(line, sizeof(line), "%.*s%s%s", (int)n, examples,
			examples[n] == '*' ? t->signs->dot : "",
			examples + n + (examples[n] == '*' ? 1 : 0));
	(void)draw_cut(g, 1, y, STYLE_DIM, line, end - 1, t->signs);
}

/* "1 yes  2 no", as many as fit; a click is the digit. */
static void prompt_draw_picks(const struct tui *t, const struct replica *room, struct grid *g,
			      int y, int end)
{
	const char *pick;
	int x = 1;
	for (char digit[] = "1"; (pick = prompt_pick(t, room, digit[0])) != NULL; digit[0]++) {
		int cells = 2 + draw_cells(pick);
		if (x + cells > end) {
			return;
		}
		(void)grid_text(g, x, y, STYLE_STRONG, digit, -1);
		(void)grid_text(g, x + 2, y, STYLE_DIM, pick, -1);
		mouse_mark_key(g, x, y, cells, digit[0]);
		x += cells + PROMPT_HINT_GAP;
	}
}

/* Why the last line was refused, or what can be typed; and how to get out, unless that leaves too little. */
static void prompt_draw_below(const struct tui *t, const struct replica *room, struct grid *g,
			      int y)
{
	enum { LEAST = 50 };
	struct completions c = {0};
	const char *examples = action_rows[t->prompt.action].examples;
	bool is_live = action_rows[t->prompt.action].is_live;
	const char *out = is_live ? "Esc show all" : "Esc cancel";
	int end = g->width - 1 - draw_cells(out) - PROMPT_HINT_GAP;
	bool has_picks = prompt_pick(t, room, '1') != NULL;
	if (!said_shows_reply(t) && examples == NULL && !has_picks &&
	    !prompt_completes(t, room, &c)) {
		const char *hints = is_live ? "Enter keep  Esc show all" : "Enter ok  Esc cancel";
		(void)grid_text(g, 1, y, STYLE_DIM, hints, -1);
		mouse_mark_hints(g, 1, y, hints);
		return;
	}
	if (g->width < LEAST || (said_shows_reply(t) && draw_cells(t->said.reply) >= end)) {
		end = g->width - 1;
	} else {
		mouse_mark_hints(g, draw_right(g, g->width - 1, y, STYLE_DIM, out), y, out);
	}
	if (said_shows_reply(t)) {
		(void)draw_cut(g, 1, y, STYLE_WARN, t->said.reply, end - 1, t->signs);
	} else if (has_picks) {
		prompt_draw_picks(t, room, g, y, end);
	} else if (examples != NULL) {
		prompt_draw_examples(t, examples, g, y, end);
	} else {
		prompt_draw_completions(t, &c, g, y, end);
	}
}

static void prompt_draw_line(const struct tui *t, const struct replica *room, struct grid *g, int y,
			     int footer_y)
{
	int x = 1 + grid_text(g, 1, y, STYLE_STRONG, prompt_label(t->prompt.action), -1);
	if (prompt_is_secret(t)) {
		grid_cursor(g, x, y);
	} else {
		line_editor_draw(&t->prompt.line, g, x, y, g->width - x - 1);
	}
	if (footer_y != y) {
		prompt_draw_below(t, room, g, footer_y);
	}
}

void prompt_follow(struct tui *t, const struct replica *room)
{
	struct prompt *p = &t->prompt;
	if (p->kind == PROMPT_CONFIRM && p->is_live) {
		(void)action_rows[p->action].question(t, room, p->arg[0] == '\0' ? NULL : p->arg,
						      p->question, sizeof(p->question));
	}
}

static void prompt_draw_confirm(const struct tui *t, struct grid *g, int y, int footer_y)
{
	const char *answers = " y / n";
	int width = g->width - 2 - draw_cells(answers);
	bool is_long = draw_cells(t->prompt.question) > width;
	if (is_long && footer_y > y &&
	    draw_wrapped(NULL, 0, 0, STYLE_WARN, t->prompt.question, width) == 2) {
		(void)draw_wrapped(g, 1, y, STYLE_WARN, t->prompt.question, width);
		(void)grid_text(g, 1 + width, footer_y, STYLE_STRONG, answers, -1);
		grid_cursor(g, 1 + width + draw_cells(answers), footer_y);
		return;
	}
	int used = draw_cut(g, 1, y, STYLE_WARN, t->prompt.question, width, t->signs);
	(void)grid_text(g, 1 + used, y, STYLE_STRONG, answers, -1);
	grid_cursor(g, 1 + used + draw_cells(answers), y);
	if (footer_y != y) {
		const char *own = action_rows[t->prompt.action].answers;
		const char *hints = own == NULL ? "y Enter yes  n Esc no" : own;
		(void)grid_text(g, 1, footer_y, STYLE_DIM, hints, -1);
		mouse_mark_hints(g, 1, footer_y, hints);
	}
}

/* "Filter: refund · 2 of 12"; false where all of a list is shown. */
static bool prompt_filter(const struct tui *t, const struct replica *room, char *out, size_t cap)
{
	struct listing l = tui_listing(t, room, t->view);
	size_t n = format_to(out, cap, "Filter: %s", l.list->filter);
	if (l.list->filter[0] != '\0' && l.rows->columns != NULL) {
		(void)format_to(out + n, cap - n, "%s%zu of %zu", t->signs->dot, list_shown(l),
				list_all(l));
	}
	return l.list->filter[0] != '\0';
}

/* "Break: 9:42"; false where there is none. */
static bool prompt_pause(const struct tui *t, const struct replica *room, char *out, size_t cap)
{
	char left[24];
	timing_text(timing_left(t->now_ms, room->room.pause_ends_at), left, sizeof(left));
	(void)format_to(out, cap, "Break: %s", left);
	return t->now_ms != 0 && room->room.pause_ends_at > t->now_ms;
}

/* Without the oldest of several messages that do not fit: the newest says how things are. */
static const char *prompt_newest(const struct tui *t, const char *message, int rows, int cells)
{
	const char *gap = message == t->said.moment ? strstr(message, SAID_GAP) : NULL;
	while (gap != NULL && draw_wrapped(NULL, 0, 0, STYLE_TEXT, message, cells) > rows) {
		message = gap + strlen(SAID_GAP);
		gap = strstr(message, SAID_GAP);
	}
	return message;
}

/* With a single row the message stands in for the footer, and so it does where one row is too
 * little. */
static void prompt_draw_message(const struct tui *t, const struct replica *room, struct grid *g,
				int y, int footer_y, const char *footer)
{
	char lasting[TUI_MESSAGE_BYTES_MAX];
	enum style style;
	char made[TUI_MESSAGE_BYTES_MAX];
	const char *message = said_message(t, room, &style, made, sizeof(made));
	if (message[0] == '\0' && (prompt_filter(t, room, lasting, sizeof(lasting)) ||
				   prompt_pause(t, room, lasting, sizeof(lasting)))) {
		message = lasting;
	}
	int cells = g->width - 2;
	if (message == t->said.reply && strcmp(message, t->share.copied) == 0) {
		int rows = draw_command_rows(g->width, message);
		int first = rows == 1 ? y : g->height - rows;
		if (first < 0) {
			return;
		}
		grid_fill(g, 0, first, g->width, rows, STYLE_TEXT, " ");
		(void)draw_command(g, 1, first, message);
		if (rows == 1 && footer_y > y) {
			prompt_draw_hints(t, room, g, footer_y, footer);
		}
		return;
	}
	message = prompt_newest(t, message, footer_y > y ? 2 : 1, cells);
	if (footer_y > y && draw_cells(message) > cells &&
	    draw_wrapped(NULL, 0, 0, style, message, cells) == 2) {
		(void)draw_wrapped(g, 1, y, style, message, cells);
		return;
	}
	(void)draw_cut(g, 1, y, style, message, cells, t->signs);
	if (footer_y == y && message[0] != '\0') {
		return;
	}
	prompt_draw_hints(t, room, g, footer_y, footer);
}

void prompt_draw(const struct tui *t, const struct replica *room, struct grid *g,
		 const char *footer)
{
	int rows = prompt_rows(g);
	if (rows == 0) {
		return;
	}
	int y = g->height - rows;
	int footer_y = g->height - 1;
	/* A view may have drawn as if there were room. */
	grid_fill(g, 0, y, g->width, rows, STYLE_TEXT, " ");
	switch (t->prompt.kind) {
	case PROMPT_LINE:
		prompt_draw_line(t, room, g, y, footer_y);
		break;
	case PROMPT_CONFIRM:
		prompt_draw_confirm(t, g, y, footer_y);
		break;
	case PROMPT_NONE:
		prompt_draw_message(t, room, g, y, footer_y, footer);
		break;
	}
}

int64_t prompt_changes_in_ms(const struct tui *t, const struct replica *room)
{
	int64_t next = t->said.moment[0] != '\0' && t->now_ms < t->said.moment_ends_at
			       ? t->said.moment_ends_at - t->now_ms
			       : -1;
	if (said_shows_reply(t) && t->said.reply_ends_at != 0) {
		next = timing_sooner(next, t->said.reply_ends_at - t->now_ms);
	}
	next = timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.next_host_at));
	return timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.pause_ends_at));
}
