/*
 * action_prompt.c - lines that are typed for an action: what they start from, and
 * what becomes of them where that is more than a field of a request.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"
#include "client/tui/writing.h"

#include <string.h>

#include "client/acts/span.h"
#include "client/acts/story_words.h"
#include "proto/base/format.h"
#include "proto/link.h"

/* ---- opening ---- */

struct act act_open_line(struct tui *t, const struct replica *room, enum action a)
{
	const struct story_view *s = stories_focus(t, room);
	action_starts *start = action_rows[a].start;
	t->prompt.action = a;
	prompt_open_line(t, a, start == NULL ? NULL : start(t, room));
	const char *row = team_focus(t);
	(void)format_to(t->prompt.row_id, sizeof(t->prompt.row_id), "%s",
			row != NULL ? row
			: s == NULL ? ""
				    : s->story_id.data);
	return (struct act){0};
}

const char *act_start_name(struct tui *t, const struct replica *room)
{
	if (t->home != NULL) {
		return t->home->name;
	}
	return room->you.username.data != NULL ? room->you.username.data : t->seat.name_hint;
}

const char *act_start_filter(struct tui *t, const struct replica *room)
{
	(void)room;
	return t->lists[t->view].filter;
}

/* What stands in the field now: of the story in focus, where the action is about one, or of the room. */
const char *act_start_value(struct tui *t, const struct replica *room)
{
	bool is_story = action_rows[t->prompt.action].words[0].kind == WORD_STORY;
	const struct record *rec = is_story ? &record_story_view : &record_room_view;
	const void *in = is_story ? (const void *)stories_focus(t, room) : &room->room;
	const struct field *f = record_field(rec, slice_str(action_word(t->prompt.action)->field));
	return in == NULL ? NULL : ((const struct slice *)field_member(f, in))->data;
}

const char *act_start_settle(struct tui *t, const struct replica *room)
{
	return draw_label(t->signs, room->room.outcome.data); /* a suggestion needs no line */
}

const char *act_start_notify(struct tui *t, const struct replica *room)
{
	(void)room;
	return settings_word(&t->settings, SETTING_NOTIFY);
}

const char *act_start_timer(struct tui *t, const struct replica *room)
{
	if (room->room.timer.ends_at != 0) {
		return "stop";
	}
	return room->room.with_timer_seconds
		       ? span_text(room->room.timer_seconds, t->table.timer_span)
		       : "5m";
}

const char *act_start_comment(struct tui *t, const struct replica *room)
{
	(void)t;
	return room->you.comment.data;
}

/* On the open story in focus; NULL: none. */
static const struct own_vote *act_own_vote(const struct tui *t, const struct replica *room)
{
	const struct story_view *s = stories_focus(t, room);
	return s == NULL ? NULL : replica_own_story_vote(room, s);
}

bool act_offers_own_vote(struct tui *t, const struct replica *room)
{
	return act_own_vote(t, room) != NULL;
}

bool act_refuses_no_own_vote(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	const struct story_view *s = stories_focus(t, room);
	struct story_name name;
	(void)arg;
	if (s == NULL || act_own_vote(t, room) != NULL) {
		return false;
	}
	(void)format_to(out, cap,
			replica_is_current(room, s) ? "%s is at the table: press Esc first"
						    : "You have not voted on %s yet",
			story_short(s, &name));
	return true;
}

const char *act_start_story_comment(struct tui *t, const struct replica *room)
{
	const struct own_vote *own = act_own_vote(t, room);
	return own == NULL ? NULL : own->comment.data;
}

/* What comes along with a vote goes with its card. */
void act_fill_own_vote(struct tui *t, const struct replica *room, struct request *r)
{
	const struct own_vote *own = act_own_vote(t, room);
	request_text(r, "vote", own == NULL ? NULL : own->vote.data);
}

/* One suggestion needs no typing. */
struct act act_begin_settle(struct tui *t, const struct replica *room, enum action a,
			    const char *arg)
{
	bool is_clear = room->room.outcome.data == NULL && room->room.with_result &&
			room->room.result.suggestion.data != NULL;
	(void)arg;
	return is_clear ? action_request(t, room, a, room->room.result.suggestion.data)
			: act_open_line(t, room, a);
}

/* Of the own card, if there is one: in the list, that for the story in focus. */
struct act act_begin_references(struct tui *t, const struct replica *room, enum action a,
				const char *arg)
{
	const struct own_vote *own = tui_is_in(t, IN_STORIES) ? act_own_vote(t, room) : NULL;
	const char *card = own != NULL ? own->vote.data : replica_own_vote(room);
	(void)arg;
	return card != NULL ? action_request(t, room, a, card) : act_open_line(t, room, a);
}

/* With the cards there are. */
struct act act_begin_deck(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)arg;
	(void)act_open_line(t, room, a);
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if (i > 0) {
			line_editor_insert(&t->prompt.line, SLICE(" "));
		}
		line_editor_insert(&t->prompt.line,
				   slice_str(draw_label(t->signs, replica_card(room, i))));
	}
	t->prompt.line.is_offered = true;
	return (struct act){0};
}

/* What is written in several lines opens a page. */
struct act act_begin_notes(struct tui *t, const struct replica *room, enum action a,
			   const char *arg)
{
	(void)a, (void)arg;
	writing_open(t, room, WRITING_NOTES, writing_key_here(t, room));
	return (struct act){0};
}

struct act act_begin_description(struct tui *t, const struct replica *room, enum action a,
				 const char *arg)
{
	const struct story_view *s = stories_focus(t, room);
	(void)a, (void)arg;
	if (s != NULL) {
		writing_open(t, room, WRITING_DESCRIPTION, s->story_id.data);
	}
	return (struct act){0};
}

/* ---- what was typed ---- */

struct act act_name(struct tui *t, const struct replica *room, enum action a, const char *name)
{
	if (!room->is_nowhere) {
		tui_hint_name(t, name);
	}
	return action_request(t, room, a, name);
}

struct act act_timer(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	bool is_over = strcmp(line, "stop") == 0 || strcmp(line, "0") == 0;
	char span[EDIT_BYTES_MAX];
	size_t len = strcspn(line, " !");
	const char *behind = line + len + strspn(line + len, " ");
	bool reveals = strcmp(behind, "!") == 0;
	int64_t seconds = 0;
	(void)room;
	(void)format_to(span, sizeof(span), "%.*s", (int)len, line);
	if (!is_over && ((!reveals && behind[0] != '\0') || span_parse(span, 60, &seconds) != OK)) {
		said_reply(t, "Enter 5m, 90s, 1:30, 5m! or stop");
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, is_over ? METHOD_TIMER_STOP : METHOD_TIMER_START);
	if (!is_over) {
		request_int(r, "seconds", seconds);
		request_bool(r, "reveal_at_zero", reveals);
	}
	return tui_send(t, a);
}

/* Or nothing, which takes it away. */
bool act_is_template(const char *typed)
{
	return typed == NULL || typed[0] == '\0' || link_is_template(slice_str(typed));
}

/* Those of the room, which it has from its team, or else the usual ones. */
const char *act_pick_reaction(const struct tui *t, const struct replica *room, size_t nth)
{
	const struct slices *own = &room->room.reactions;
	const size_t n = own->n > 0 ? own->n : MAX_REACTIONS;
	if (nth >= n) {
		return NULL;
	}
	return own->n > 0 ? own->items[nth].data : t->signs->reactions[nth];
}

bool act_is_one_word(const char *typed)
{
	return typed[0] != '\0' && strchr(typed, ' ') == NULL;
}

struct act act_unkick(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	const char *user_id = replica_barred(room, line);
	if (user_id == NULL) {
		said_reply(t, "%s is not banned", line);
		return (struct act){0};
	}
	/* Where that is not all that keeps them out, it says what else does. */
	if (room->room.policy.locked) {
		said_reply(t, "%s can join once the room is not locked", line);
	} else if (room->room.policy.has_passcode) {
		said_reply(t, "%s can join with the passcode", line);
	}
	return action_request(t, room, a, user_id);
}

/* ---- stories ---- */

/* While one adds at the end, or to a backlog, the line stays open for the next. */
struct act act_add(struct tui *t, const struct replica *room, enum action a, const char *title)
{
	if (title[0] == '\0') {
		return (struct act){0};
	}
	if (strcmp(title, PASTE_STORIES) == 0) {
		return act_add_all(t);
	}
	struct act act = action_request(t, room, a, title);
	bool goes_on = a == ACTION_ADD || a == ACTION_ITEM_ADD;
	if (act.request != NULL && goes_on && action_is_in(a, t->view)) {
		prompt_open_line(t, a, NULL);
	}
	return act;
}
