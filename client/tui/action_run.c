/*
 * action_run.c - what each action does: a request, a question, or a change of the
 * screen. Nothing here touches the connection.
 */
#include "client/tui/action_acts.h"
#include "client/tui/tui_state.h"
#include "client/tui/writing.h"

#include <string.h>

#include "proto/format.h"
#include "proto/text.h"

/* ---- hints ---- */

bool act_offers_settle(struct tui *t, const struct replica *room)
{
	(void)t;
	return room->room.outcome.data == NULL;
}

bool act_offers_filter(struct tui *t, const struct replica *room)
{
	return list_all(tui_listing(t, room, t->view)) > 1;
}

/* ---- questions ---- */

static const char *act_name_of(const struct replica *room, const char *user_id)
{
	const struct user_view *m = user_id == NULL ? NULL : replica_member(room, user_id);
	return m == NULL ? "them" : tui_name_of(room, m);
}

/*
 * What will be done, then which votes it takes that nobody has seen: open cards have been seen,
 * hidden ones would go unseen. False where there are none.
 */
static bool act_question_votes(const struct replica *room, const char *what, char *out, size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	size_t n = format_to(out, cap, "%s", what);
	replica_count_votes(room, &voters, &voted);
	if (voted > 0 && !room->room.is_revealed) {
		(void)format_to(out + n, cap - n, " %zu %s not turned over.", voted,
				voted == 1 ? "vote was" : "votes were");
	}
	return voted > 0 && !room->room.is_revealed;
}

/* "Go on to PAY-5 Refund a split…?" */
static bool act_question_story(const struct tui *t, const struct replica *room, const char *what,
			       const struct story_view *s, char *out, size_t cap)
{
	enum { TITLE_CELLS_MAX = 24 };
	char line[TUI_MESSAGE_BYTES_MAX];
	size_t at = 0;
	size_t used = 0;
	size_t cells = 0;
	while (at < s->title.len && used + cells <= TITLE_CELLS_MAX) {
		size_t next = at;
		(void)text_next(s->title, &next, &cells);
		if (used + cells <= TITLE_CELLS_MAX) {
			used += cells;
			at = next;
		}
	}
	(void)format_to(line, sizeof(line), "%s %.*s%s?", what, (int)at, s->title.data,
			at < s->title.len ? t->signs->cut : "");
	return act_question_votes(room, line, out, cap);
}

/* The first story to do behind the one that is voted on, else the first of all: as the server goes on. */
static const struct story_view *act_next_story(const struct replica *room)
{
	size_t n = room->stories.n;
	size_t current = stories_index(room, room->room.story_id.data);
	for (size_t i = 0; i < n; i++) {
		size_t from = current < n ? current + 1 : 0;
		const struct story_view *s = replica_story_at(room, (from + i) % n);
		if (s->status == STORY_TODO) {
			return s;
		}
	}
	return NULL;
}

bool act_question_next(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	const struct story_view *s = act_next_story(room);
	(void)arg;
	return s == NULL ? act_question_votes(room, "Begin the next round?", out, cap)
			 : act_question_story(t, room, "Go on to", s, out, cap);
}

bool act_question_select(struct tui *t, const struct replica *room, const char *arg, char *out,
			 size_t cap)
{
	const struct story_view *s = stories_focus(t, room);
	(void)arg;
	return s == NULL ? act_question_votes(room, "Vote on it?", out, cap)
			 : act_question_story(t, room, "Vote on", s, out, cap);
}

bool act_question_quick(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)t, (void)arg;
	return act_question_votes(room, "Vote on nothing in particular?", out, cap);
}

bool act_question_reset(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)t, (void)arg;
	return act_question_votes(room, "Clear all votes?", out, cap);
}

bool act_question_missing(struct tui *t, const struct replica *room, const char *arg, char *out,
			  size_t cap)
{
	size_t voters = 0;
	size_t voted = 0;
	(void)t, (void)arg;
	replica_count_votes(room, &voters, &voted);
	if (voted < voters) {
		(void)format_to(out, cap, "%zu of %zu have not voted. Reveal?", voters - voted,
				voters);
	} else {
		(void)format_to(out, cap, "All have voted by now. Reveal?");
	}
	return voted < voters;
}

/* Who only watches has no card on the table: not this one, which the server keeps for them, nor one on its way there. */
bool act_question_spectate(struct tui *t, const struct replica *room, const char *arg, char *out,
			   size_t cap)
{
	const char *card = replica_own_vote(room);
	(void)t, (void)arg;
	if (card != NULL) {
		(void)format_to(out, cap,
				room->pending_vote != NULL
					? "Stop voting? Your %s is not on the table yet."
					: "Stop voting? Your %s comes back if you vote again in "
					  "this round.",
				card);
	}
	return card != NULL && room->you.role == ROLE_VOTER;
}

/* What would be lost with it: a text, what waits for the connection, a room's host. */
bool act_question_leave(struct tui *t, const struct replica *room, const char *arg, char *out,
			size_t cap)
{
	(void)arg;
	if (writing_is_unsaved(t)) {
		(void)format_to(out, cap, "What you wrote is not saved. Leave?");
		return true;
	}
	if (t->held[0] != '\0') {
		(void)format_to(out, cap, "%s. Leave?", t->held);
		return true;
	}
	size_t others = room_view_here(room, false);
	(void)format_to(out, cap, "You host, and %zu %s here. Leave?", others,
			others == 1 ? "other is" : "others are");
	return room->you.is_host && others > 0;
}

/* The question before it; false where there is nothing to ask. */
static bool act_question(struct tui *t, const struct replica *room, enum action a, const char *arg,
			 char *out, size_t cap)
{
	const struct action_row *row = &action_rows[a];
	if (row->sure == NULL) {
		return row->question != NULL && row->question(t, room, arg, out, cap);
	}
	size_t n = strcspn(row->sure, "*");
	bool names = row->sure[n] == '*';
	(void)format_to(out, cap, "%.*s%s%s", (int)n, row->sure,
			names ? act_name_of(room, arg) : "", row->sure + n + (names ? 1 : 0));
	return true;
}

/* ---- requests ---- */

struct act action_request(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct action_row *row = &action_rows[a];
	const struct story_view *s = NULL;
	if (row->about != NULL) {
		s = row->takes == TAKES_TITLE ? replica_story(room, t->prompt.story_id)
					      : stories_focus(t, room);
		if (s == NULL) {
			tui_reply(t, "That story is gone");
			return (struct act){0};
		}
	}
	if (row->check != NULL && !row->check(arg)) {
		tui_reply(t, "%s", row->wrong);
		return (struct act){0};
	}
	struct request *r = tui_request(t, a, row->method);
	if (row->about != NULL) {
		request_text(r, row->about, s->story_id.data);
	}
	if (row->field != NULL) {
		request_value(r, row->field, arg == NULL ? row->value : arg);
	}
	if (row->fill != NULL) {
		row->fill(t, room, r);
	}
	return tui_send(t, a);
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
							    : t->is_spectator;
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
	request_text(r, "story_id",
		     replica_story_at(room, room->stories.n + room->removed.n - 1)->story_id.data);
}

/* ---- more than a request ---- */

struct act act_vote(struct tui *t, const struct replica *room, enum action a, const char *card)
{
	for (size_t i = 0; card != NULL && i < room->room.valid_sizes.n; i++) {
		if (strcmp(replica_card(room, i), card) == 0) {
			t->table.card = i;
			t->table.choosing_round = 0;
			return action_request(t, room, a, card);
		}
	}
	tui_reply(t, card == NULL ? "Which card?" : "There is no card %s", card);
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
	list_go(tui_listing(t, room, VIEW_STORIES), at + 1 < room->stories.n ? at + 1 : at);
	return act;
}

/* On to a story where there is one to go to, else to another round of quick votes. */
struct act act_next(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	bool has_story = room->room.story_id.data != NULL || stories_count(room, STORY_TODO) > 0;
	(void)arg;
	(void)tui_request(t, a, has_story ? METHOD_STORY_NEXT : METHOD_ROOM_RESET);
	return tui_send(t, a);
}

/* One address after the other, where there are several. */
struct act act_invite(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	size_t nth = t->place.n > 0 ? t->invited++ % t->place.n : 0;
	invite_line(&t->place, nth, room->room_id, t->copied);
	tui_reply(t, "%s", t->copied);
	return t->is_typed ? (struct act){0} : (struct act){.local = LOCAL_COPY, .text = t->copied};
}

bool act_refuses_share(struct tui *t, const struct replica *room, const char *arg, char *out,
		       size_t cap)
{
	(void)room, (void)arg;
	if (t->place.is_own) {
		return false;
	}
	(void)format_to(out, cap, "Only a server of your own can be shared");
	return true;
}

struct act act_share(struct tui *t, const struct replica *room, enum action a, const char *typed)
{
	char address[INVITE_LINE_BYTES_MAX + 1];
	invite_share_address(typed, address);
	return action_request(t, room, a, address);
}

struct act act_history(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)a, (void)arg;
	return history_ask(t, room, NULL, 0);
}

/* "lobby on", or the next value of the rule in focus where nothing is typed and it can be seen. */
struct act act_switch(struct tui *t, const struct replica *room, enum action a, const char *line)
{
	size_t at = list_at(tui_listing(t, room, VIEW_POLICY));
	const struct rule *rule = &rules[at < RULES_N ? at : 0];
	size_t len = line == NULL ? 0 : strcspn(line, " ");
	char path[64];
	if (line == NULL && t->view != VIEW_POLICY) {
		tui_reply(t, "Say which rule, as in rule lobby on; rules shows them all");
		return (struct act){0};
	}
	for (size_t i = 0; line != NULL; i++) {
		if (i == RULES_N) {
			tui_reply(t, "There is no rule %.*s", (int)len, line);
			return (struct act){0};
		}
		if (slice_eq(slice_str(rules[i].field), slice_of(line, len))) {
			rule = &rules[i];
			break;
		}
	}
	const char *next = rule_word(rule, (rule_value(room, rule) + 1) % rule_words(rule));
	(void)format_to(path, sizeof(path), "policy.%s", rule->field);
	request_value(tui_request(t, a, METHOD_ROOM_SET_POLICY), path,
		      line == NULL ? next : line + len + strspn(line + len, " "));
	return tui_send(t, a);
}

/* At the table no story is in focus but the one that is voted on; help goes back to where it was opened. */
struct act act_back(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	(void)room, (void)a, (void)arg;
	if (t->view == VIEW_HELP) {
		t->view = t->help.from;
		return (struct act){0};
	}
	if (action_is_in(ACTION_BACK, t->view) && ((1U << t->view) & IN_QUESTIONS) != 0) {
		inbox_go_back(t);
		return (struct act){0};
	}
	if (((1U << t->view) & (IN_TEAM_PAGES | IN_ITEMS)) != 0) {
		team_go_back(t);
		return (struct act){0};
	}
	t->lists[VIEW_STORIES] = (struct list){0};
	t->view = home_base(t);
	return (struct act){0};
}

struct act act_filter(struct tui *t, const struct replica *room, enum action a, const char *text)
{
	struct listing l = tui_listing(t, room, t->view);
	(void)a;
	if (!action_is_in(ACTION_FILTER, t->view)) {
		tui_reply(t, "There is no list here to filter");
		return (struct act){0};
	}
	(void)format_to(l.list->filter, sizeof(l.list->filter), "%s", text);
	if (list_shown(l) == 0 && list_all(l) > 0) {
		tui_reply(t, "No line has %s in it: all are shown", text);
		t->is_told = true;
	}
	return (struct act){0};
}

struct act act_mouse(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	uint8_t *mouse = &t->settings.value[SETTING_MOUSE];
	(void)room, (void)a, (void)arg;
	*mouse = *mouse == MOUSE_ON ? MOUSE_OFF : MOUSE_ON;
	tui_tell(t, *mouse == MOUSE_ON ? "mouse is on; with Shift the terminal selects text"
				       : "mouse is off");
	return (struct act){0};
}

/* ---- doing ---- */

static bool act_is_refused(struct tui *t, const struct replica *room, enum action a)
{
	return t->is_typed ? action_refusal_typed(a, room, t->reply, sizeof(t->reply))
			   : action_refusal(a, room, t->reply, sizeof(t->reply));
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
		tui_reply(t, "%s", row->empty);
		return (struct act){0};
	}
	if (action_takes_member(a) && replica_member(room, arg) == NULL) {
		tui_reply(t, "They have left already");
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
	    (row->refuses != NULL && row->refuses(t, room, arg, t->reply, sizeof(t->reply)))) {
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
