/*
 * action_run.c - what each action does: a request, a question, or a change of the
 * screen. Nothing here touches the connection.
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"
#include "client/tui/writing.h"

#include <string.h>

#include "client/acts/cards.h"
#include "client/acts/story_words.h"
#include "client/formats/summary.h"
#include "proto/base/format.h"

/* ---- hints ---- */

bool act_offers_settle(struct tui *t, const struct replica *room)
{
	(void)t;
	return room->room.outcome.data == NULL;
}

bool act_offers_card(struct tui *t, const struct replica *room)
{
	(void)t;
	return !room_status_has_no_story(room);
}

bool act_offers_together(struct tui *t, const struct replica *room)
{
	return action_in_room(ACTION_NEXT, t->view, room) == ACTION_UNVOTED;
}

/* Whoever goes through open stories is in the list all the time; else there is more to do in it. */
bool act_offers_react(struct tui *t, const struct replica *room)
{
	return !tui_is_in(t, IN_STORIES) || act_offers_together(t, room);
}

bool act_offers_next(struct tui *t, const struct replica *room)
{
	return action_in_room(ACTION_NEXT, t->view, room) == ACTION_NEXT;
}

/* Elsewhere the footer has no place for it, and a question that comes names the key. */
bool act_offers_at_home(struct tui *t, const struct replica *room)
{
	(void)room;
	return tui_is_in(t, IN_HOME);
}

bool act_offers_filter(struct tui *t, const struct replica *room)
{
	return list_all(tui_listing(t, room, t->view)) > 1;
}

/* ---- questions ---- */

static const char *act_name_of(const struct replica *room, const char *user_id)
{
	const struct user_view *m = user_id == NULL ? NULL : replica_member(room, user_id);
	return m == NULL ? "them" : replica_name_of(room, m);
}

/* What a word of the action stands for where it is in focus: the id; NULL: none. */
static const char *act_in_focus(struct tui *t, const struct replica *room, enum action a,
				enum word_kind kind, const char *arg)
{
	enum takes takes = action_rows[a].takes;
	const char *row = takes == TAKES_ROW ? arg : t->prompt.row_id;
	if (kind == WORD_STORY) {
		const struct story_view *s = takes == TAKES_TITLE
						     ? replica_story(room, t->prompt.row_id)
						     : stories_focus(t, room);
		return s == NULL ? NULL : s->story_id.data;
	}
	if (kind == WORD_QUESTION) {
		return inbox_focus(t)->question_id.data; /* the row refuses where there is none */
	}
	if (kind == WORD_TEAM) {
		return t->teams->group_id;
	}
	return kind == WORD_BACKLOG && tui_is_in(t, IN_BACKLOG) ? t->teams->container_id : row;
}

/* What people call what the action is about: its last word. */
static const char *act_called(struct tui *t, const struct replica *room, enum action a,
			      const char *arg)
{
	const struct act_word *w = action_rows[a].words;
	if (w->kind == WORD_NONE) {
		return room->room_id;
	}
	while (w[1].kind != WORD_NONE) {
		w++;
	}
	return word_is_in_focus(w->kind)
		       ? team_called(t, w->kind, act_in_focus(t, room, a, w->kind, arg))
		       : act_name_of(room, arg);
}

/* The question before it; false where there is nothing to ask. */
static bool act_question(struct tui *t, const struct replica *room, enum action a, const char *arg,
			 char *out, size_t cap)
{
	const struct action_row *row = &action_rows[a];
	if (row->sure == NULL) {
		return row->question != NULL && row->question(t, room, arg, out, cap);
	}
	word_put_name(row->sure, act_called(t, room, a, arg), out, cap);
	return true;
}

/* ---- requests ---- */

struct slice act_card_meant(const struct tui *t, const struct replica *room, struct slice typed)
{
	struct slice outcome = room->room.outcome;
	if (!t->is_typed && t->signs != signs_of(true)) {
		return typed;
	}
	struct slice card = draw_label_meant(&room->room.valid_sizes, typed);
	return outcome.data == NULL || !slice_eq(card, typed)
		       ? card
		       : draw_label_meant(&(struct slices){&outcome, 1}, typed);
}

/* The card, or the cards of a deck with blanks between them, as the room has them. */
static void act_put_cards(const struct tui *t, const struct replica *room, enum word_kind kind,
			  const char *typed, char *out, size_t cap)
{
	struct slice cards[CARDS_TYPED_MAX] = {slice_str(typed)};
	size_t n = kind == WORD_DECK ? cards_split(typed, cards, CARDS_TYPED_MAX) : 1;
	size_t len = 0;
	out[0] = '\0';
	for (size_t i = 0; i < n && len < cap; i++) {
		struct slice card = act_card_meant(t, room, cards[i]);
		len += format_to(out + len, cap - len, "%s%.*s", i == 0 ? "" : " ", (int)card.len,
				 card.len == 0 ? "" : card.data);
	}
}

/*
 * The words of the row into the request: what is in focus, then what was typed. Of several words that are typed, those
 * that have no blanks in them end at one. False: told why it cannot be.
 */
static bool act_fill_words(struct tui *t, const struct replica *room, enum action a,
			   struct request *r, const char *arg)
{
	const struct action_row *row = &action_rows[a];
	char typed[EDIT_BYTES_MAX];
	char cards[EDIT_BYTES_MAX];
	char why[WORD_WHY_BYTES];
	const char *rest = arg;
	for (const struct act_word *w = row->words; w->kind != WORD_NONE; w++) {
		if (word_is_in_focus(w->kind)) {
			const char *id = act_in_focus(t, room, a, w->kind, arg);
			if (w->kind == WORD_STORY && id == NULL) {
				said_reply(t, "Story not found");
				return false;
			}
			request_text(r, w->field, id);
			continue;
		}
		bool is_short =
			w->kind == WORD_SECONDS || w->kind == WORD_NUMBER || w->kind == WORD_CARD;
		size_t len = rest == NULL			  ? 0
			     : is_short && w[1].kind != WORD_NONE ? strcspn(rest, " ")
								  : strlen(rest);
		(void)format_to(typed, sizeof(typed), "%.*s", (int)len, rest == NULL ? "" : rest);
		if (rest == NULL && w->kind == WORD_USER) {
			return true;
		}
		bool is_cards = rest != NULL && (w->kind == WORD_CARD || w->kind == WORD_DECK);
		if (is_cards) {
			act_put_cards(t, room, w->kind, typed, cards, sizeof(cards));
		}
		if (!word_fill(r, w, NULL, is_cards ? cards : typed, t->now_ms, why)) {
			said_reply(t, "%s", row->wrong == NULL ? why : row->wrong);
			return false;
		}
		rest = rest == NULL ? NULL : rest + len + strspn(rest + len, " ");
		if (rest == NULL || rest[0] == '\0') {
			return true;
		}
	}
	return true;
}

struct act action_request(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct action_row *row = &action_rows[a];
	if (row->check != NULL && !row->check(arg)) {
		said_reply(t, "%s", row->wrong);
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, row->method);
	if (!act_fill_words(t, room, a, r, arg)) {
		return (struct act){0};
	}
	if (row->fill != NULL) {
		row->fill(t, room, r);
	}
	return tui_send(t, a);
}

void act_fill_references(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t;
	request_text(r, "group_id", room->room.group_id.data);
	request_text(r, "room_id", room->room_id); /* its own stories stand on the screen */
}

bool act_refuses_references(struct tui *t, const struct replica *room, const char *arg, char *out,
			    size_t cap)
{
	(void)t, (void)arg;
	if (room->room.group_id.data != NULL) {
		return false;
	}
	(void)format_to(out, cap, "Only in a team's room: its other rooms are looked through");
	return true;
}

void act_fill_token(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t;
	request_int(r, "token", room->room.countdown.token);
}

void act_fill_arm(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t;
	request_bool(r, "is_armed", !room->room.is_armed);
}

/* At home a name has no role. */
void act_fill_role(struct tui *t, const struct replica *room, struct request *r)
{
	bool is_spectator = room->you.username.data != NULL ? room->you.role == ROLE_SPECTATOR
							    : t->seat.is_spectator;
	if (!room->is_nowhere) {
		request_text(r, "role", is_spectator ? "spectator" : "voter");
	}
}

void act_fill_spectate(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t;
	request_text(r, "username", room->you.username.data);
	request_text(r, "role", room->you.role == ROLE_SPECTATOR ? "voter" : "spectator");
}

void act_fill_skip(struct tui *t, const struct replica *room, struct request *r)
{
	bool is_skipped = stories_focus(t, room)->status == STORY_SKIPPED;
	request_text(r, "status", is_skipped ? "todo" : "skipped");
}

void act_fill_restore(struct tui *t, const struct replica *room, struct request *r)
{
	(void)t;
	request_text(r, "story_id", replica_removed(room)->story_id.data);
}

/* Shown votes are hidden again. */
static bool act_story_is_shown(const struct tui *t, const struct replica *room)
{
	const struct story_view *s = stories_focus(t, room);
	const struct story_votes *votes = replica_story_votes(room, s);
	return replica_is_current(room, s) ? room->room.is_revealed
					   : votes != NULL && votes->revealed_at > 0;
}

bool act_refuses_reveal_story(struct tui *t, const struct replica *room, const char *arg, char *out,
			      size_t cap)
{
	const struct story_view *s = stories_focus(t, room);
	const struct story_votes *votes = s == NULL ? NULL : replica_story_votes(room, s);
	struct story_name name;
	(void)arg;
	bool has_some = votes != NULL && (votes->voted > 0 || votes->revealed_at > 0);
	if (s == NULL || replica_is_current(room, s) || has_some) {
		return false;
	}
	(void)format_to(out, cap, "Nobody has voted on %s yet", story_short(s, &name));
	return true;
}

void act_fill_reveal_story(struct tui *t, const struct replica *room, struct request *r)
{
	request_bool(r, "is_revealed", !act_story_is_shown(t, room));
}

bool act_question_hide_story(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	struct story_name name;
	(void)arg;
	if (stories_focus(t, room) == NULL || !act_story_is_shown(t, room)) {
		return false;
	}
	(void)format_to(out, cap, "Hide the votes on %s again?",
			story_short(stories_focus(t, room), &name));
	return true;
}

bool act_question_settle_all(struct tui *t, const struct replica *room, const char *arg, char *out,
			     size_t cap)
{
	struct buf question = {.max = cap};
	(void)t, (void)arg;
	bool is_asked = story_settle_question(room, &question);
	(void)format_to(out, cap, "%.*s", (int)question.len, is_asked ? question.data : "");
	buf_finish(&question);
	return is_asked;
}

/* ---- more than a request ---- */

struct act act_vote(struct tui *t, const struct replica *room, enum action a, const char *card)
{
	struct slice meant = act_card_meant(t, room, slice_str(card));
	if (room_status_has_no_story(room)) {
		said_reply(t,
			   t->is_typed ? "No story at the table. Type vote, a story and a card"
				       : "No story at the table: press %s to vote",
			   action_key_in(ACTION_STORIES, VIEW_ROOM, room).name);
		return (struct act){0};
	}
	for (size_t i = 0; card != NULL && i < room->room.valid_sizes.n; i++) {
		if (slice_eq(room->room.valid_sizes.items[i], meant)) {
			t->table.card = i;
			t->table.choosing_round = 0;
			return action_request(t, room, a, replica_card(room, i));
		}
	}
	said_reply(t, card == NULL ? "Which card?" : "No card %s here", card);
	return (struct act){0};
}

/* Behind or in front of the neighbour it changes places with; nothing at the ends. */
struct act act_move(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	size_t at = stories_focus_at(t, room);
	bool is_up = a == ACTION_UP;
	(void)arg;
	if (is_up ? at == 0 : at + 1 >= room->stories.n) {
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, METHOD_STORY_MOVE);
	request_text(r, "story_id", replica_story_at(room, at)->story_id.data);
	request_text(r, is_up ? "before" : "after",
		     replica_story_at(room, is_up ? at - 1 : at + 1)->story_id.data);
	return tui_send(t, a);
}

struct act act_select(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	t->view = VIEW_ROOM;
	return action_request(t, room, a, arg);
}

/* The line below takes its place. */
struct act act_remove(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	struct act act = action_request(t, room, a, arg);
	size_t at = stories_focus_at(t, room);
	bool is_next = at + 1 < room->stories.n &&
		       !replica_is_current(room, room->stories.items[at]); /* it is refused */
	list_go(tui_listing(t, room, VIEW_STORIES), is_next ? at + 1 : at);
	return act;
}

/* On to a story where there is one to go to, else to another round of quick votes. */
struct act act_next(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	bool has_story = room->room.story_id.data != NULL || stories_count(room, STORY_TODO) > 0;
	bool is_last = room->room.story_id.data != NULL && summary_is_due(room);
	(void)arg;
	if (is_last && !t->is_typed) {
		tui_open(t, VIEW_SUMMARY);
	}
	(void)tui_request(t, a, has_story ? METHOD_STORY_NEXT : METHOD_ROOM_RESET);
	return tui_send(t, a);
}

struct act act_history(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	t->history.is_for_summary = false;
	return history_ask(t, room, NULL, 0);
}

/* Of the room or of a team: "lobby on", or the next value of the rule in focus where nothing is typed and it can be seen. */
struct act act_switch(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	enum view_kind view = a == ACTION_SWITCH	    ? VIEW_POLICY
			      : tui_is_in(t, IN_FIRST_ROOM) ? VIEW_FIRST_ROOM
							    : VIEW_TEAM_POLICY;
	size_t at = rules_focus(t, room, view);
	const struct rule *rule = &rules[at < RULES_N ? at : 0];
	struct policy_view now;
	size_t len = line == NULL ? 0 : strcspn(line, " ");
	char path[64];
	if (line == NULL && !action_is_in(a, t->view)) {
		said_reply(t, "Which rule? Example: rule lobby on");
		return (struct act){0};
	}
	for (size_t i = 0; line != NULL; i++) {
		if (i == RULES_N) {
			said_reply(t, "No rule %.*s", (int)len, line);
			return (struct act){0};
		}
		if (slice_eq(slice_str(rules[i].field), slice_of(line, len))) {
			rule = &rules[i];
			break;
		}
	}
	if (!rules_shown(t, room, view, &now)) {
		said_reply(t, "Still loading the team");
		return (struct act){0};
	}
	const char *next = rule_word(rule, (rule_value(&now, rule) + 1) % rule_words(rule));
	struct request *r = tui_request(t, a, action_rows[a].method);
	(void)format_to(path, sizeof(path), "policy.%s", rule->field);
	request_value(r, path, line == NULL ? next : line + len + strspn(line + len, " "));
	if (view != VIEW_POLICY) {
		request_text(r, "group_id", t->teams->group_id);
	}
	return tui_send(t, a);
}

/*
 * From the story in focus on, then from the first; from the table, from its story on, or from the
 * first.
 */
struct act act_go_unvoted(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	bool is_in_list = tui_is_in(t, IN_STORIES) || t->lists[VIEW_STORIES].is_kept;
	size_t voting = stories_index(room, room->room.story_id.data);
	size_t last = room->stories.n - 1;
	size_t next = stories_next_unvoted(room, is_in_list	 ? stories_focus_at(t, room)
						 : voting < last ? voting
								 : last);
	struct story_name name;
	(void)a, (void)arg;
	if (t->is_typed) {
		said_reply(t, "Next: %zu, %s", next + 1,
			   story_name(replica_story_at(room, next), &name));
	} else if (!tui_is_in(t, IN_STORIES)) {
		tui_open(t, VIEW_STORIES);
	}
	list_go(tui_listing(t, room, VIEW_STORIES), next);
	return (struct act){0};
}

struct act act_back(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	tui_go_back(t);
	return (struct act){0};
}

struct act act_filter(struct tui *t, const struct replica *room, enum action a, const char *text)
{
	struct listing l = tui_listing(t, room, t->view);
	(void)a;
	if (!action_is_in(ACTION_FILTER, t->view)) {
		said_reply(t, "No list to filter here");
		return (struct act){0};
	}
	(void)format_to(l.list->filter, sizeof(l.list->filter), "%s", text);
	if (list_shown(l) == 0 && list_all(l) > 0) {
		said_reply(t, "No line contains %s: showing all", text);
		t->said.is_told = true;
	}
	return (struct act){0};
}

struct act act_mouse(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	uint8_t *mouse = &t->settings.value[SETTING_MOUSE];
	(void)room, (void)a, (void)arg;
	*mouse = *mouse == MOUSE_ON ? MOUSE_OFF : MOUSE_ON;
	tui_tell(t, *mouse == MOUSE_ON ? "mouse is on; select text with Shift" : "mouse is off");
	return (struct act){0};
}

/* ---- doing ---- */

static bool act_is_refused(struct tui *t, const struct replica *room, enum action a)
{
	const struct asking asking = {.is_typed = t->is_typed, .now_ms = t->now_ms};
	return action_refusal(a, room, &asking, t->said.reply, sizeof(t->said.reply));
}

bool action_is_possible(const struct tui *t, enum action a, const struct replica *room)
{
	char why[TUI_MESSAGE_BYTES_MAX];
	action_refuses *refuses = action_rows[a].refuses;
	return action_is_allowed(a, room) &&
	       (refuses == NULL || !refuses(t->sight->tui, room, NULL, why, sizeof(why)));
}

static bool act_takes_line(enum takes takes)
{
	return takes == TAKES_LINE || takes == TAKES_SECRET || takes == TAKES_TITLE;
}

struct act action_run_surely(struct tui *t, const struct replica *room, enum action a,
			     const char *arg)
{
	const struct action_row *row = &action_rows[a];
	if (act_is_refused(t, room, a)) {
		return (struct act){0};
	}
	if (act_takes_line(row->takes) && arg == NULL) {
		return row->begin != NULL ? row->begin(t, room, a, NULL)
					  : act_open_line(t, room, a);
	}
	if (act_takes_line(row->takes) && row->empty != NULL && arg[0] == '\0') {
		said_reply(t, "%s", row->empty);
		return (struct act){0};
	}
	if (action_takes_member(a) && replica_member(room, arg) == NULL) {
		said_reply(t, "They have already left");
		return (struct act){0};
	}
	if (row->opens != VIEW_ROOM) {
		tui_open(t, row->opens);
	}
	if (row->run != NULL) {
		return row->run(t, room, a, arg);
	}
	return row->method != METHOD_NONE ? action_request(t, room, a, arg)
					  : (struct act){.local = row->local};
}

/* The only one who waits; NULL where there are several. */
static const char *act_only_waiting(const struct replica *room)
{
	const char *found = NULL;
	for (size_t i = 0; i < room->users.n; i++) {
		if (replica_member_at(room, i)->is_waiting) {
			if (found != NULL) {
				return NULL;
			}
			found = replica_member_at(room, i)->user_id.data;
		}
	}
	return found;
}

struct act action_run(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct action_row *row = &action_rows[a];
	if (act_is_refused(t, room, a) ||
	    (row->refuses != NULL &&
	     row->refuses(t, room, arg, t->said.reply, sizeof(t->said.reply)))) {
		return (struct act){0};
	}
	if (row->takes == TAKES_RECENT && arg == NULL) {
		arg = home_focus(t)->room_id;
	}
	if (row->takes == TAKES_ROW && arg == NULL) {
		arg = team_focus(t);
	}
	if (row->takes == TAKES_WAITING && arg == NULL) {
		arg = act_only_waiting(room);
	}
	if (action_takes_member(a) && arg == NULL) {
		tui_open(t, VIEW_PICK);
		t->pick.action = a;
		return (struct act){0};
	}
	char question[TUI_MESSAGE_BYTES_MAX];
	if (act_question(t, room, a, arg, question, sizeof(question))) {
		prompt_ask(t, a, arg, "%s", question);
		t->prompt.is_live = row->question != NULL;
		return (struct act){0};
	}
	return action_run_surely(t, room, a, arg);
}
