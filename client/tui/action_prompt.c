/*
 * action_prompt.c - lines that are typed for an action: what they start from, and
 * what they ask for when they are done.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"
#include "proto/text.h"

/* ---- opening ---- */

static void act_open_deck(struct tui *t, const struct replica *room)
{
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if (i > 0) {
			line_editor_insert(&t->edit, SLICE(" "));
		}
		line_editor_insert(&t->edit, slice_str(replica_card(room, i)));
	}
}

static const struct story_view *act_focused_story(struct tui *t, const struct replica *room)
{
	return room->stories.n == 0 ? NULL : replica_story_at(room, stories_list_focus(t, room));
}

static const char *act_line_start(struct tui *t, const struct replica *room, enum action a)
{
	const struct story_view *s = act_focused_story(t, room);
	switch (a) {
	case ACTION_NAME:
		if (t->home != NULL) {
			return t->home->name;
		}
		return room->you.username.data != NULL ? room->you.username.data : t->name_hint;
	case ACTION_TITLE:
		return room->room.title.data;
	case ACTION_SETTLE:
		return room->room.outcome.data != NULL || !room->room.with_result
			       ? room->room.outcome.data
			       : room->room.result.mode.data;
	case ACTION_NOTIFY:
		return settings_word(&t->settings, SETTING_NOTIFY);
	case ACTION_TIMER:
		return room->room.timer.ends_at != 0 ? "stop" : "5m";
	case ACTION_NOTE:
		return room->you.note.data;
	case ACTION_EDIT:
		return s == NULL ? NULL : s->title.data;
	case ACTION_LINK:
		return s == NULL ? NULL : s->link.data;
	default:
		return NULL;
	}
}

void act_open_line(struct tui *t, const struct replica *room, enum action a)
{
	const struct story_view *s = act_focused_story(t, room);
	talk_open_line(t, a, act_line_start(t, room, a));
	(void)format_to(t->line_story, sizeof(t->line_story), "%s",
			s == NULL ? "" : s->story_id.data);
	if (a == ACTION_DECK) {
		act_open_deck(t, room);
	}
	if (a == ACTION_KNOCK) {
		home_begin_knock(t);
	}
}

/* ---- what is asked for ---- */

static struct ask act_timer(struct tui *t, const char *line)
{
	bool reveals = false;
	struct ask ask = tui_ask(t, ASK_TIMER, NULL);
	if (strcmp(line, "stop") == 0 || strcmp(line, "0") == 0) {
		return ask;
	}
	if (!timing_parse(line, &ask.number, &reveals)) {
		tui_reply(t, "A timer is 5m, 90s, 1:30, 5m! or stop");
		return (struct ask){0};
	}
	ask.is_on = reveals;
	return ask;
}

static struct ask act_sure(struct tui *t, const char *line)
{
	struct ask ask = tui_ask(t, ASK_SURE, NULL);
	if (line[0] < '1' || line[0] > '3' || line[1] != '\0') {
		tui_reply(t, "1, 2 or 3: not very, fairly, quite sure");
		return (struct ask){0};
	}
	ask.number = line[0] - '0';
	return ask;
}

static struct ask act_react(struct tui *t, const char *word)
{
	if (word[0] == '\0' || strchr(word, ' ') != NULL || draw_cells(word) > MAX_REACTION_CELLS) {
		tui_reply(t, "One word or emoji, up to %d cells", MAX_REACTION_CELLS);
		return (struct ask){0};
	}
	return tui_ask(t, ASK_REACT, word);
}

/* ---- stories from a paste ---- */

/* Stands for what was pasted, where a typed line would stand: none holds a newline. */
static const char act_pasted[] = "\n";

/* Non-empty lines, one after the other, each clean; returns how many. */
static size_t act_paste_lines(struct tui *t, struct slice text)
{
	size_t n = 0;
	size_t len = 0;
	for (size_t at = 0; at < text.len;) {
		char line[EDIT_BYTES_MAX];
		size_t end = at;
		while (end < text.len && text.data[end] != '\n' && text.data[end] != '\r') {
			end++;
		}
		size_t used = text_soften(slice_of(text.data + at, end - at), line, sizeof(line));
		at = end + 1;
		if (used > 0 && len + used + 1 <= TUI_PASTE_BYTES_MAX) {
			memcpy(t->pasted + len, line, used);
			len += used;
			t->pasted[len++] = '\n';
			n++;
		}
	}
	t->pasted[len] = '\0';
	return n;
}

static struct ask act_add_pasted(struct tui *t)
{
	struct ask ask = tui_ask(t, ASK_ADD_STORIES, NULL);
	ask.text = t->pasted; /* longer than what other asks carry */
	return ask;
}

struct ask act_add_lines(struct tui *t, const struct replica *room, struct slice text)
{
	size_t n = act_paste_lines(t, text);
	bool is_line = t->talk == TALK_LINE;
	if (n <= 1) { /* a single one is to be looked at first */
		if (!is_line) {
			(void)act(t, room, ACTION_ADD, NULL);
		}
		if (t->talk == TALK_LINE) {
			line_editor_insert(&t->edit, text);
		}
		return (struct ask){0};
	}
	if (action_refusal(ACTION_ADD, room, t->reply, sizeof(t->reply))) {
		return (struct ask){0};
	}
	if (is_line) {
		return act_add_pasted(t);
	}
	t->talk = TALK_CONFIRM;
	t->sure_action = ACTION_ADD;
	(void)format_to(t->sure_arg, sizeof(t->sure_arg), "%s", act_pasted);
	(void)format_to(t->question, sizeof(t->question), "Add %zu stories?", n);
	return (struct ask){0};
}

/* While one adds at the end, the line stays open for the next. */
static struct ask act_add(struct tui *t, enum action a, const char *title)
{
	bool goes_on = a == ACTION_ADD && t->view == VIEW_STORIES;
	if (title[0] == '\0') {
		return (struct ask){0};
	}
	if (strcmp(title, act_pasted) == 0) {
		return act_add_pasted(t);
	}
	if (goes_on) {
		talk_open_line(t, a, NULL);
	}
	return tui_ask_story(t, ASK_ADD_STORY, a == ACTION_INSERT ? t->line_story : NULL, NULL,
			     title);
}

static struct ask act_rename(struct tui *t, const struct replica *room, const char *title)
{
	if (title[0] == '\0') {
		tui_reply(t, "A story needs a title");
		return (struct ask){0};
	}
	if (replica_story(room, t->line_story) == NULL) {
		tui_reply(t, "That story is gone");
		return (struct ask){0};
	}
	return tui_ask_story(t, ASK_RENAME_STORY, t->line_story, NULL, title);
}

/* Empty: it shall have none. */
static struct ask act_tell_story(struct tui *t, const struct replica *room, enum action a,
				 const char *text)
{
	if (replica_story(room, t->line_story) == NULL) {
		tui_reply(t, "That story is gone");
		return (struct ask){0};
	}
	return tui_ask_story(t, action_rows[a].asks, t->line_story, NULL, text);
}

static struct ask act_name(struct tui *t, const struct replica *room, const char *name)
{
	if (name[0] == '\0') {
		tui_reply(t, "A name needs at least one character");
		return (struct ask){0};
	}
	tui_hint_name(t, name);
	struct ask ask = tui_ask(t, ASK_JOIN, name);
	ask.is_spectator = room->you.username.data != NULL ? room->you.role == ROLE_SPECTATOR
							   : t->is_spectator;
	return ask;
}

static struct ask act_unkick(struct tui *t, const struct replica *room, const char *line)
{
	const char *user_id = replica_barred(room, line);
	if (user_id == NULL) {
		tui_reply(t, "Nobody called %s was removed for good", line);
		return (struct ask){0};
	}
	/* Where that is not all that keeps them out, it says what else does. */
	if (room->room.policy.locked) {
		tui_reply(t, "%s may come back once the room is not locked", line);
	} else if (room->room.policy.has_passcode) {
		tui_reply(t, "%s may come back, with the passcode", line);
	}
	return tui_ask(t, ASK_UNKICK, user_id);
}

struct ask act_line(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	if (a == ACTION_NOTIFY) {
		settings_take(t, slice_str(setting_rows[SETTING_NOTIFY].name), slice_str(line));
		return (struct ask){0};
	}
	if (room->is_nowhere && (a == ACTION_NAME || action_is_of_home(a))) {
		return home_line(t, a, line);
	}
	switch (a) {
	case ACTION_NAME:
		return act_name(t, room, line);
	case ACTION_DECK:
		if (line[0] == '\0') {
			tui_reply(t, "A deck needs at least %d cards", MAX_CARDS_MIN);
			return (struct ask){0};
		}
		break;
	case ACTION_SETTLE:
		if (draw_cells(line) > MAX_CARD_CELLS) {
			tui_reply(t, "A value has up to %d cells", MAX_CARD_CELLS);
			return (struct ask){0};
		}
		break;
	case ACTION_TIMER:
		return act_timer(t, line);
	case ACTION_SURE:
		return act_sure(t, line);
	case ACTION_REACT:
		return act_react(t, line);
	case ACTION_UNKICK:
		return act_unkick(t, room, line);
	case ACTION_ADD:
	case ACTION_INSERT:
		return act_add(t, a, line);
	case ACTION_EDIT:
		return act_rename(t, room, line);
	case ACTION_LINK:
	case ACTION_DESCRIBE:
		return act_tell_story(t, room, a, line);
	case ACTION_NOTES:
		return writing_add_line(t, room, line);
	default:
		break;
	}
	return tui_ask(t, action_rows[a].asks, line);
}
