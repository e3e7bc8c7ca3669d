/*
 * line_commands.c - lines instead of keys; see line_commands.h.
 *
 * A tui is kept for what the acts remember, and never drawn: after each line
 * what it would show on its lowest rows, or in another view, is told instead.
 */
#include "client/tui/actions/line_commands.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/summary.h"
#include "client/model/memory.h"
#include "client/tui/actions/action_acts.h"
#include "client/tui/status_text.h"
#include "client/tui/tui_state.h"
#include "proto/base/ascii.h"
#include "proto/text/text.h"

static_assert(LINE_COMMANDS_BYTES_MAX < TUI_TEXT_BYTES_MAX, "a line fits what the acts remember");

struct line_commands {
	struct tui *tui;
};

struct line_commands *line_commands_create(const struct settings *settings, bool is_spectator,
					   const struct invite_place *place)
{
	struct tui_options o = {.settings = settings,
				.is_spectator = is_spectator,
				.joins_by_itself = true,
				.place = place};
	struct line_commands *t = memory_new(1, sizeof(*t));
	t->tui = tui_create(&o);
	t->tui->is_typed = true;
	return t;
}

void line_commands_set_place(struct line_commands *t, const struct invite_place *place)
{
	tui_set_place(t->tui, place);
}

void line_commands_destroy(struct line_commands *t)
{
	if (t != NULL) {
		tui_destroy(t->tui);
		free(t);
	}
}

const struct settings *line_commands_settings(const struct line_commands *t)
{
	return tui_settings(t->tui);
}

void line_commands_set_now(struct line_commands *t, int64_t server_ms)
{
	tui_set_now(t->tui, server_ms);
}

/* ---- help ---- */

/* What to say of a command that only the screen has; NULL: lines have it, too. */
static const char *typed_of_screen(enum action a)
{
	bool is_aside = (action_rows[a].where & ~(uint64_t)(IN_ASIDE | IN_ITEMS)) == 0;
	return is_aside ? "Only on the screen" : action_rows[a].of_screen;
}

/* What neither only a screen has, nor home. */
static bool typed_is_meant(enum action a)
{
	return action_rows[a].command[0] != '\0' && typed_of_screen(a) == NULL &&
	       !action_is_of_home(a);
}

static const char *typed_takes(enum action a)
{
	switch (action_rows[a].takes) {
	case TAKES_NOTHING:
		return "";
	case TAKES_CARD:
		return " CARD";
	case TAKES_MEMBER:
	case TAKES_NO_HOST:
	case TAKES_HOST:
	case TAKES_WAITING:
		return " NAME";
	case TAKES_LINE:
		return " TEXT";
	case TAKES_SECRET:
	case TAKES_ROW:
		return "";
	case TAKES_STORY:
		return " STORY";
	case TAKES_TITLE:
		return " STORY TEXT";
	case TAKES_RECENT:
		return " CODE";
	case TAKES_RULE:
		return " RULE VALUE";
	case TAKES_SETTING:
		return " NAME VALUE";
	}
	return "";
}

static void typed_help_line(enum action a, struct buf *out)
{
	(void)buf_printf(out, "%s%s: %s.\n", action_rows[a].command, typed_takes(a),
			 action_rows[a].help);
}

static void typed_help_one(const struct replica *room, const char *word, struct buf *out)
{
	char why[TUI_MESSAGE_BYTES_MAX];
	enum action a = action_of_command(word, strlen(word));
	enum status what = status_of(slice_str(word));
	if (what != STATUS_COUNT) {
		(void)buf_printf(out, "%s%s: %s.\n", word, telling_rows[what].takes,
				 telling_rows[what].help);
	} else if (a == ACTION_COUNT || !typed_is_meant(a)) {
		(void)buf_printf(out, "No command %s. ? for the list.\n", word);
	} else {
		typed_help_line(a, out);
		const struct asking asking = {.is_typed = true};
		if (action_refusal(a, room, &asking, why, sizeof(why))) {
			(void)buf_printf(out, "Not now: %s.\n", why);
		}
	}
}

/* What is allowed now with its meaning, the rest by name: forty lines are a lot to listen to. */
static void typed_help(const struct replica *room, struct buf *out)
{
	const char *between = "Not allowed now: ";
	(void)buf_printf(out, "Type a card alone, as listed by hand, to vote.\n");
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (typed_is_meant(a) && action_is_allowed(a, room)) {
			typed_help_line(a, out);
		}
	}
	for (enum status what = 0; what < STATUS_COUNT; what++) {
		(void)buf_printf(out, "%s%s: %s.\n", telling_rows[what].command,
				 telling_rows[what].takes, telling_rows[what].help);
	}
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (typed_is_meant(a) && !action_is_allowed(a, room)) {
			(void)buf_printf(out, "%s%s", between, action_rows[a].command);
			between = ", ";
		}
	}
	if (between[0] == ',') {
		(void)buf_printf(out, "; help and one of these explains why.\n");
	}
}

/* ---- what an act has left to be told ---- */

static void typed_tell_pick(const struct tui *t, const struct replica *room, struct buf *out)
{
	const char *between = "";
	(void)buf_printf(out, "Who? Type %s and a name: ", action_rows[t->pick.action].command);
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data != NULL && action_is_for(t->pick.action, room, m)) {
			(void)buf_printf(out, "%s%s", between, m->username.data);
			between = ", ";
		}
	}
	(void)buf_printf(out, ".\n");
}

/* Another view would be open now: it is told, and one is back at the table. The history comes later. */
static void typed_tell_view(struct tui *t, const struct replica *room, struct buf *out)
{
	enum view_kind view = t->view;
	t->view = VIEW_ROOM;
	switch (view) {
	case VIEW_PICK:
		typed_tell_pick(t, room, out);
		break;
	case VIEW_STORIES:
		status_text_stories(room, out);
		break;
	case VIEW_WRITING:
		(void)buf_printf(out, "%s\n",
				 t->writing.sheet->len == 0 ? "None yet." : t->writing.sheet->text);
		break;
	case VIEW_POLICY:
		status_text_rules(room, out);
		break;
	case VIEW_SETTINGS:
		status_text_settings(tui_settings(t), out);
		break;
	case VIEW_HELP:
		typed_help(room, out);
		break;
	default:
		break;
	}
}

/* "(1 yes, 2 no) ": the digits that stand for a line. */
static void typed_tell_picks(const struct tui *t, const struct replica *room, struct buf *out)
{
	const char *pick;
	for (char digit = '1'; (pick = prompt_pick(t, room, digit)) != NULL; digit++) {
		(void)buf_printf(out, "%s%c %s", digit == '1' ? "(" : ", ", digit, pick);
	}
	(void)buf_printf(out, "%s", prompt_pick(t, room, '1') != NULL ? ") " : "");
}

static void typed_tell_prompt(const struct tui *t, const struct replica *room, struct buf *out)
{
	if (t->prompt.kind == PROMPT_CONFIRM) {
		(void)buf_printf(out, "%s Type y or n.\n", t->prompt.question);
	} else if (t->prompt.kind == PROMPT_LINE) {
		(void)buf_printf(out, "%s", prompt_label(t->prompt.action));
		typed_tell_picks(t, room, out);
		(void)buf_printf(out,
				 "type it on a line of its own; %san empty one changes nothing.\n",
				 action_may_be_empty(t->prompt.action) ? "- to clear, " : "");
	}
}

static void typed_tell(struct tui *t, const struct replica *room, struct buf *out)
{
	size_t len = strlen(t->said.reply);
	if (len > 0) {
		bool is_ended = t->said.is_to_copy || t->said.reply[len - 1] == '?';
		(void)buf_printf(out, "%s%s\n", t->said.reply, is_ended ? "" : ".");
	}
	typed_tell_view(t, room, out);
	typed_tell_prompt(t, room, out);
}

/* ---- lines ---- */

/* "-" is how one types nothing where nothing means something. */
static const char *typed_value(enum action a, const char *text)
{
	return action_may_be_empty(a) && strcmp(text, "-") == 0 ? "" : text;
}

static struct act typed_confirm(struct tui *t, const struct replica *room, const char *line,
				struct buf *out)
{
	if (strcmp(line, "y") == 0 || strcmp(line, "yes") == 0) {
		return prompt_take_yes(t, room);
	}
	if (line[0] == '\0' || strcmp(line, "n") == 0 || strcmp(line, "no") == 0) {
		t->prompt.kind = PROMPT_NONE;
		(void)buf_printf(out, "Cancelled.\n");
	}
	return (struct act){0};
}

static struct act typed_answer(struct tui *t, const struct replica *room, const char *line,
			       struct buf *out)
{
	if (line[0] == '\0') {
		t->prompt.kind = PROMPT_NONE;
		(void)buf_printf(out, "No changes.\n");
		return (struct act){0};
	}
	const char *picked = line[1] == '\0' ? prompt_pick(t, room, line[0]) : NULL;
	return prompt_take_line(t, room,
				picked != NULL ? picked : typed_value(t->prompt.action, line));
}

/* The card that a line is, or NULL; one may leave its capitals out. */
static const char *typed_card(const struct tui *t, const struct replica *room, const char *line)
{
	struct slice meant = act_card_meant(t, room, slice_str(line));
	const char *alike = NULL;
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if (slice_eq(room->room.valid_sizes.items[i], meant)) {
			return replica_card(room, i);
		}
		if (ascii_is_alike(slice_str(replica_card(room, i)), slice_str(line))) {
			alike = replica_card(room, i);
		}
	}
	return alike;
}

/* A command with what stands behind it: "settle -", "kick Grace". */
static struct act typed_command(struct tui *t, const struct replica *room, char *line)
{
	size_t end = strcspn(line, " ");
	enum action a = action_of_command(line, end);
	if (a == ACTION_COUNT && !room->has_state) {
		return action_run(t, room, ACTION_VOTE,
				  line); /* nobody knows which cards there are */
	}
	if (a != ACTION_COUNT && typed_of_screen(a) != NULL) {
		tui_tell(t, typed_of_screen(a));
		return (struct act){0};
	}
	return prompt_take_command(t, room, line);
}

static struct act typed_do(struct tui *t, const struct replica *room, char *line, struct buf *out)
{
	size_t end = strcspn(line, " ");
	const char *arg = line + end + (line[end] == ' ' ? 1 : 0);
	bool is_help = strcmp(line, "?") == 0 || slice_eq(slice_of(line, end), SLICE("help"));
	enum status what = status_of(slice_of(line, end));
	if (is_help && arg[0] != '\0') {
		typed_help_one(room, arg, out);
		return (struct act){0};
	}
	if (is_help) {
		typed_help(room, out);
		return (struct act){0};
	}
	if (what != STATUS_COUNT) {
		status_text_tell(what, room, arg, t->now_ms, out);
		return (struct act){0};
	}
	const char *card = typed_card(t, room, line);
	return card != NULL ? action_run(t, room, ACTION_VOTE, card) : typed_command(t, room, line);
}

struct act line_commands_take_line(struct line_commands *typed, const struct replica *room,
				   struct slice line, struct buf *out)
{
	struct tui *t = typed->tui;
	struct act act = {0};
	char text[LINE_COMMANDS_BYTES_MAX + 1];
	tui_forget_act(t);
	if (line.len > LINE_COMMANDS_BYTES_MAX) {
		(void)buf_printf(out, "That line is too long: up to %d bytes. It was ignored.\n",
				 LINE_COMMANDS_BYTES_MAX);
		return act;
	}
	size_t len = text_soften(line, text, sizeof(text) - 1);
	text[len] = '\0';
	if (t->prompt.kind == PROMPT_CONFIRM) {
		act = typed_confirm(t, room, text, out);
	} else if (t->prompt.kind == PROMPT_LINE) {
		act = typed_answer(t, room, text, out);
	} else if (text[0] != '\0') {
		act = typed_do(t, room, text[0] == ':' ? text + 1 : text, out);
	}
	typed_tell(t, room, out);
	return act;
}

struct act line_commands_take_rounds(struct line_commands *typed, const struct replica *room,
				     const struct round_history *rounds, struct buf *out)
{
	struct tui *t = typed->tui;
	struct export_room x = {.room = room};
	struct arena arena = {0};
	struct room_summary s;
	if (!t->history.is_for_summary) {
		status_text_history(rounds, out);
		return (struct act){0};
	}
	if (rounds->cursor != NULL) {
		return history_ask(t, room, rounds->cursor, MAX_PAGE);
	}
	x.rounds = *rounds;
	summary_make(&x, &arena, &s);
	summary_text(&s, out);
	arena_finish(&arena);
	return (struct act){0};
}

struct act line_commands_follow(struct line_commands *typed, const struct replica *room)
{
	struct tui *t = typed->tui;
	return room->has_state && summary_turns_due(t, room)
		       ? act_summary(t, room, ACTION_SUMMARY, NULL)
		       : (struct act){0};
}

void line_commands_refuse_name(struct line_commands *typed, const struct replica *room,
			       struct buf *out)
{
	struct tui *t = typed->tui;
	if (t->prompt.kind == PROMPT_NONE) {
		prompt_open_line(t, ACTION_NAME, NULL);
		typed_tell_prompt(t, room, out);
	}
}

/* ---- the prompt ---- */

bool line_commands_wants_secret(const struct line_commands *t)
{
	return prompt_is_secret(t->tui);
}

void line_commands_prompt(const struct line_commands *t, const struct replica *room,
			  struct buf *out)
{
	switch (t->tui->prompt.kind) {
	case PROMPT_CONFIRM:
		(void)buf_printf(out, "y or n");
		break;
	case PROMPT_LINE: {
		const char *label = prompt_label(t->tui->prompt.action);
		(void)buf_printf(out, "%.*s", (int)strcspn(label, ":"), label);
		break;
	}
	case PROMPT_NONE:
		status_text_place(room, out);
		break;
	}
}
