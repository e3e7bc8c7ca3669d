/*
 * tui.c - the screen as a whole: its life, and which part gets a key.
 */
#include "client/tui/tui_state.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/fault_words.h"
#include "client/model/memory.h"
#include "client/model/story_find.h"
#include "client/model/user_notice.h"
#include "proto/format.h"
#include "proto/text.h"

static const struct view *const tui_views[VIEW_COUNT] = {
#define VIEW_ROW(symbol, module, title) [VIEW_##symbol] = &module,
	VIEWS(VIEW_ROW)
#undef VIEW_ROW
};

struct listing tui_listing(struct tui *t, const struct replica *room, enum view_kind view)
{
	return (struct listing){&t->lists[view], tui_views[view]->rows, t, room,
				(uint8_t)(SPOT_ROW + view)};
}

/* No story is in focus anywhere else but the one that is voted on. */
void tui_open(struct tui *t, enum view_kind view)
{
	if (view == VIEW_HELP) {
		t->help.from = t->view;
	} else {
		t->lists[VIEW_STORIES] = (struct list){0};
	}
	t->lists[view] = (struct list){0};
	t->view = view;
}

void tui_apply_settings(struct tui *t)
{
	uint8_t signs = t->settings.value[SETTING_SIGNS];
	t->signs = signs_of(signs == SIGNS_ASCII || (signs == SIGNS_AUTO && t->ascii));
}

const struct settings *tui_settings(const struct tui *t)
{
	return &t->settings;
}

/* At home there is no room, whatever the client has. */
static const struct replica *tui_room(const struct tui *t, const struct replica *room)
{
	static const struct replica nowhere = {.is_nowhere = true};
	return t->home != NULL ? &nowhere : room;
}

void tui_hint_name(struct tui *t, const char *name)
{
	size_t n = text_soften(slice_str(name), t->name_hint, sizeof(t->name_hint) - 1);
	t->name_hint[n] = '\0';
}

struct tui *tui_create(const struct tui_options *o)
{
	struct tui *t = memory_new(1, sizeof(*t));
	settings_defaults(&t->settings);
	if (o->settings != NULL) {
		t->settings = *o->settings;
	}
	t->ascii = o->ascii;
	tui_apply_settings(t);
	t->is_spectator = o->is_spectator;
	t->joins_by_itself = o->joins_by_itself;
	t->link = LINK_CONNECTING;
	t->home = o->home;
	t->teams = o->teams;
	t->view = o->home != NULL && o->opens_inbox ? VIEW_INBOX : home_base(t);
	if (o->place != NULL) {
		tui_set_place(t, o->place);
	}
	if (o->name_hint != NULL) {
		tui_hint_name(t, o->name_hint);
	}
	return t;
}

void tui_set_place(struct tui *t, const struct invite_place *place)
{
	t->place = *place;
	t->invited = 0;
}

void tui_destroy(struct tui *t)
{
	if (t != NULL) {
		request_free(t->request);
		arena_finish(&t->pasted_texts);
		free(t);
	}
}

void tui_forget_act(struct tui *t)
{
	request_free(t->request);
	t->request = NULL;
	memset(t->entry.secret, 0, sizeof(t->entry.secret));
	t->prompt.sent = METHOD_NONE;
	t->reply[0] = '\0';
	t->is_told = false;
}

struct request *tui_request(struct tui *t, enum action a, enum method method)
{
	request_free(t->request);
	t->request = request_make(method);
	t->request->name = action_rows[a].command;
	return t->request;
}

struct act tui_send(struct tui *t, enum action a)
{
	if (t->request->fault.code == FAULT_NONE) {
		t->news.mine = t->request->method;
		t->news.mine_ms = t->now_ms;
		return (struct act){.request = t->request};
	}
	if (action_rows[a].wrong != NULL) {
		tui_reply(t, "%s", action_rows[a].wrong);
	} else {
		char line[FAULT_WORDS_BYTES_MAX];
		fault_words(&t->request->fault, line);
		tui_reply(t, "%s", line);
	}
	return (struct act){0};
}

/* From now on it is shown for a while. */
static void tui_time_reply(struct tui *t)
{
	t->reply_ends_at = t->now_ms == 0 ? 0 : t->now_ms + TUI_MOMENT_MS;
}

void tui_reply(struct tui *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)format_to_v(t->reply, sizeof(t->reply), format, args);
	va_end(args);
	t->is_told = false;
	tui_time_reply(t);
}

bool tui_shows_reply(const struct tui *t)
{
	return t->reply[0] != '\0' && (t->reply_ends_at == 0 || t->now_ms < t->reply_ends_at);
}

void tui_say(struct tui *t, const char *format, ...)
{
	char line[TUI_MESSAGE_BYTES_MAX];
	va_list args;
	va_start(args, format);
	(void)format_to_v(line, sizeof(line), format, args);
	va_end(args);
	if (t->now_ms == 0) {
		return; /* nobody could say when the moment is over */
	}
	size_t n = t->now_ms < t->moment_ends_at ? strlen(t->moment) : 0;
	if (n + MAX_NAME_BYTES > sizeof(t->moment)) {
		n = 0;
	}
	(void)format_to(t->moment + n, sizeof(t->moment) - n, "%s%s", n > 0 ? "   " : "", line);
	t->moment_ends_at = t->now_ms + TUI_MOMENT_MS;
}

bool tui_is_me(const struct replica *room, const struct user_view *m)
{
	return room->you.user_id.data != NULL &&
	       strcmp(room->you.user_id.data, m->user_id.data) == 0;
}

bool tui_has_vote(const struct replica *room, const struct user_view *m)
{
	return replica_hides_voters(room) && tui_is_me(room, m) ? room->you.vote.data != NULL
								: m->has_vote;
}

const char *tui_name_of(const struct replica *room, const struct user_view *m)
{
	if (tui_is_me(room, m)) {
		return "you";
	}
	return m->username.data == NULL ? "somebody" : m->username.data;
}

bool tui_is_voter(const struct user_view *m)
{
	return m->username.data != NULL && m->role == ROLE_VOTER && !m->is_bot && !m->is_waiting;
}

bool tui_is_absent(const struct replica *room, const struct user_view *m)
{
	return tui_is_voter(m) && !m->is_connected && !tui_is_me(room, m) &&
	       !replica_is_counted(room, m) && !(room->room.is_revealed && m->has_vote);
}

void tui_set_link(struct tui *t, enum link_state state)
{
	if (state == LINK_LIVE && t->link != LINK_LIVE) {
		t->history.mark.is_set = false; /* much may have happened meanwhile */
		t->history.is_fetching = false;
	}
	t->link = state;
}

void tui_set_message(struct tui *t, const char *text)
{
	text = text == NULL ? "" : text;
	if (text[0] == '\0' && t->notice[0] == '\0') {
		return; /* an answer to read stays where there is nothing to take away */
	}
	(void)format_to(t->notice, sizeof(t->notice), "%s", text);
	t->reply[0] = '\0';
}

void tui_tell(struct tui *t, const char *text)
{
	tui_reply(t, "%s", text);
	t->is_told = true;
}

void tui_set_waits(struct tui *t, int64_t ms)
{
	t->waits_since_ms = ms < 0 || t->now_ms == 0 ? 0 : t->now_ms - ms;
}

int64_t tui_silent_s(const struct tui *t)
{
	int64_t ms = t->waits_since_ms == 0 ? 0 : t->now_ms - t->waits_since_ms;
	return t->link == LINK_LIVE && ms >= TUI_SILENT_MS ? ms / 1000 : 0;
}

/* Until it is said that no answer comes, or for how long differs; -1: none is owed. */
static int64_t tui_silence_changes_in(const struct tui *t)
{
	int64_t ms = t->now_ms - t->waits_since_ms;
	return t->waits_since_ms == 0 ? -1
	       : ms < TUI_SILENT_MS   ? TUI_SILENT_MS - ms
				      : 1000 - ms % 1000;
}

void tui_set_held(struct tui *t, const char *words)
{
	(void)format_to(t->held, sizeof(t->held), "%s", words);
}

/*
 * Our own card may have come from elsewhere: another window of ours, or the time before we were
 * away.
 */
static void tui_follow_vote(struct tui *t, const struct replica *room)
{
	const char *vote = room->you.vote.data == NULL ? "" : room->you.vote.data;
	if (strcmp(vote, t->table.seen_vote) == 0) {
		return;
	}
	(void)format_to(t->table.seen_vote, sizeof(t->table.seen_vote), "%s", vote);
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if (strcmp(replica_card(room, i), vote) == 0) {
			t->table.card = i;
		}
	}
}

/* Others are told of it with the reveal, and of us no more than that there is a vote. */
static void tui_follow_deck(struct tui *t, const struct replica *room)
{
	bool is_withdrawn =
		room->you.vote.data != NULL && room->you.is_withdrawn && !room->room.is_revealed;
	if (is_withdrawn && !t->table.seen_withdrawn) {
		tui_reply(t, "Your card %s is not in the new deck: choose again",
			  room->you.vote.data);
		t->is_told = true;
	}
	t->table.seen_withdrawn = is_withdrawn;
}

/* A timer that is gone when its time has come has run out; one that is gone before was stopped. */
static void tui_follow_timer(struct tui *t, const struct replica *room)
{
	enum { CLOCKS_APART_MS = 1500 };
	bool is_gone = t->timer_ends_at != 0 && room->room.timer.ends_at == 0;
	if (is_gone && t->now_ms + CLOCKS_APART_MS >= t->timer_ends_at) {
		tui_say(t, "Time is up");
		notice_of_timer(t);
	}
	t->timer_ends_at = room->room.timer.ends_at;
}

/* Why something was not allowed is told no longer when the cards have been turned over or the next round began. */
static void tui_follow_round(struct tui *t, const struct replica *room)
{
	bool is_other = room->room.round != t->table.seen_round ||
			room->room.is_revealed != t->table.seen_revealed;
	if (is_other && t->table.seen_round != 0 && t->prompt.kind == PROMPT_NONE) {
		t->reply[0] = '\0';
	}
	if (is_other && t->table.seen_round != 0) {
		t->lists[VIEW_ROOM] = (struct list){0};
	}
	t->table.seen_round = room->room.round;
	t->table.seen_revealed = room->room.is_revealed;
}

/* What the room's news mean for the screen: a seat without a name is asked for one, once. */
static void tui_settle(struct tui *t, const struct replica *room)
{
	if (room->you.user_id.data == NULL || (!room->has_state && !room->you.is_waiting)) {
		return;
	}
	tui_follow_vote(t, room);
	tui_follow_round(t, room);
	tui_follow_deck(t, room);
	tui_follow_timer(t, room);
	turn_follow(t, room);
	news_follow(t, room);
	notice_follow(t, room);
	if (room->you.vote.data != NULL || room->room.is_revealed ||
	    room->room.round != t->nudge_round) {
		t->nudge[0] = '\0';
		t->nudge_round = room->room.round;
	}
	if (room->you.username.data != NULL) {
		t->has_asked_name = false;
		t->joins_by_itself = false;
		return;
	}
	if (!t->has_asked_name && !t->joins_by_itself && t->prompt.kind == PROMPT_NONE) {
		t->has_asked_name = true;
		prompt_open_line(t, ACTION_NAME, t->name_hint);
	}
}

void tui_refuse_name(struct tui *t, const char *why)
{
	t->joins_by_itself = false;
	t->has_asked_name =
		t->prompt.kind == PROMPT_NONE; /* else when what is being typed is done */
	if (t->prompt.kind == PROMPT_NONE) {
		prompt_open_line(t, ACTION_NAME, NULL);
		line_editor_set(&t->prompt.line, t->name_hint);
		tui_tell(t, why);
	}
}

/* From any key on the cursor stays on its row: what is done is done to that one. */
struct act tui_act_on_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, t->view);
	if (key == 'q' && t->view != VIEW_ROOM && t->view != VIEW_HOME) {
		key = TUI_KEY_ESCAPE;
	}
	enum action a = action_of_key(t->view, key);
	if (l.rows != NULL) {
		bool has_letters = action_of_key(t->view, 'j') == ACTION_COUNT;
		list_go(l, list_at(l));
		if (a == ACTION_COUNT && has_letters && (key == 'j' || key == 'k')) {
			key = key == 'j' ? TUI_KEY_DOWN : TUI_KEY_UP;
		}
		if (a == ACTION_COUNT && list_take_key(l, key)) {
			return (struct act){0};
		}
	}
	if (a == ACTION_COUNT) {
		if (key > ' ' && key < TUI_KEY_UP && action_is_in(ACTION_HELP, t->view)) {
			tui_reply(t, "That key does nothing here; ? helps");
		}
		return (struct act){0};
	}
	return action_run(t, room, a, NULL);
}

struct act tui_view_key(struct tui *t, const struct replica *room, int32_t key)
{
	const struct view *view = tui_views[t->view];
	bool is_text = t->view == VIEW_WRITING || t->view == VIEW_ITEM_NOTE;
	if (key >= '0' && key <= '9' && t->home == NULL && !is_text) {
		return room_view.take_key(t, room, key);
	}
	return view->take_key == NULL ? tui_act_on_key(t, room, key) : view->take_key(t, room, key);
}

static struct act tui_key(struct tui *t, const struct replica *room, int32_t key)
{
	enum { CTRL_C = 3 };

	room = tui_room(t, room);
	if (key < '0' || key > '9') {
		t->table.digits[0] = '\0';
	}
	tui_forget_act(t);
	t->clicked = (struct spot){0};
	tui_settle(t, room);
	if (key == CTRL_C) {
		/* Twice in a row is a yes. */
		if (t->prompt.kind == PROMPT_CONFIRM && t->prompt.action == ACTION_QUIT) {
			return prompt_take_yes(t, room);
		}
		t->prompt.kind = PROMPT_NONE;
		return action_run(t, room, ACTION_QUIT, NULL);
	}
	if (t->prompt.kind != PROMPT_NONE) {
		return prompt_take_key(t, room, key);
	}
	if (key == TUI_KEY_ESCAPE && t->lists[t->view].filter[0] != '\0') {
		t->lists[t->view].filter[0] = '\0';
		return (struct act){0};
	}
	return tui_view_key(t, room, key);
}

struct act tui_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct act act = tui_key(t, room, key);
	tui_time_reply(t);
	return act;
}

struct act tui_take_mouse(struct tui *t, const struct replica *room, const struct grid *g,
			  const struct tui_mouse *m)
{
	room = tui_room(t, room);
	tui_forget_act(t);
	tui_settle(t, room);
	struct act act = mouse_take(t, room, g, m);
	tui_time_reply(t);
	return act;
}

struct act tui_take_paste(struct tui *t, const struct replica *room, struct slice text)
{
	room = tui_room(t, room);
	tui_forget_act(t);
	if (t->prompt.kind == PROMPT_NONE &&
	    (t->view == VIEW_ANSWER || t->view == VIEW_ITEM_NOTE)) {
		text_editor_insert(&t->answer, text);
		return (struct act){0};
	}
	if (t->home != NULL && t->prompt.kind == PROMPT_NONE) {
		/* the line one was sent, or an item's name */
		(void)act_open_line(t, room,
				    t->view == VIEW_TEAMS     ? ACTION_TEAM_JOIN
				    : t->view == VIEW_BACKLOG ? ACTION_ITEM_ADD
							      : ACTION_COME);
	}
	if (t->prompt.kind == PROMPT_NONE && t->view == VIEW_WRITING) {
		text_editor_insert(&t->writing.sheet, text);
		t->writing.has_typed = true;
		return (struct act){0};
	}
	bool is_adding = t->prompt.kind == PROMPT_LINE && t->prompt.action == ACTION_ADD;
	if (is_adding || (t->prompt.kind == PROMPT_NONE && t->view == VIEW_STORIES)) {
		return act_add_pasted(t, room, text);
	}
	if (t->prompt.kind != PROMPT_LINE) {
		tui_reply(t, action_is_allowed(ACTION_ADD, room)
				     ? "S first: lines pasted there become stories"
				     : "There is no line to paste into");
		return (struct act){0};
	}
	line_editor_insert(&t->prompt.line, text);
	return action_rows[t->prompt.action].is_live
		       ? action_run(t, room, t->prompt.action, t->prompt.line.text)
		       : (struct act){0};
}

/* ---- time, and what others say ---- */

void tui_set_now(struct tui *t, int64_t server_ms)
{
	t->now_ms = server_ms;
}

int64_t tui_changes_in_ms(const struct tui *t, const struct replica *room)
{
	int64_t next = -1;
	room = tui_room(t, room);
	if (t->now_ms == 0) {
		return -1;
	}
	if (t->home != NULL) {
		next = t->view == VIEW_HOME ? home_changes_in_ms(t) : inbox_changes_in_ms(t);
		next = timing_sooner(next, team_changes_in_ms(t));
		return timing_sooner(next, prompt_changes_in_ms(t, room));
	}
	next = timing_sooner(next, prompt_changes_in_ms(t, room));
	next = timing_sooner(next, tui_silence_changes_in(t));
	next = timing_sooner(next, notice_changes_in_ms(t));
	next = timing_sooner(next, turn_changes_in_ms(t));
	for (size_t i = 0; i < t->news.away_n; i++) {
		const struct user_view *m = replica_member(room, t->news.away[i].user_id);
		int64_t until = m == NULL ? 0 : news_waits_until(t, room, m);
		next = timing_sooner(next, timing_second_ends_in(t->now_ms, until));
	}
	next = timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.timer.ends_at));
	return timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.countdown.ends_at));
}

void tui_take_nudge(struct tui *t, const char *by)
{
	bool is_named = by != NULL && by[0] != '\0';
	(void)format_to(t->nudge, sizeof(t->nudge), "%s waits for your vote",
			is_named ? by : "Somebody");
	notice_of_nudge(t);
}

void tui_take_nudge_elsewhere(struct tui *t, const char *server, const struct session_nudged *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_nudge(n, text);
	if (t->home == NULL) {
		tui_say(t, "%s", text);
		notice_of_nudge_elsewhere(t, text);
		return;
	}
	(void)format_to(t->nudge, sizeof(t->nudge), "%s", text);
	home_keep_nudge(t, server, n->room_id);
	notice_of_nudge_elsewhere(t, text);
}

void tui_take_question_notice(struct tui *t, const struct question_notice *n)
{
	char text[USER_NOTICE_BYTES];
	user_notice_of_question(n, t->signs->cut, text);
	notice_of_question(t, text);
	tui_say(t, t->home == NULL ? "%s (aye inbox)" : "%s", text);
}

void tui_take_reaction(struct tui *t, const struct replica *room, const char *user_id,
		       const char *word)
{
	const struct user_view *m = replica_member(room, user_id);
	tui_say(t, "%s: %s", m == NULL ? "somebody" : tui_name_of(room, m), word);
}

/* The table's header tells of the connection; the other views only where something is wrong. */
static void tui_draw_trouble(const struct tui *t, struct grid *g)
{
	bool tells_itself = t->view == VIEW_ROOM || t->view == VIEW_HOME;
	if (!tells_itself && tui_silent_s(t) > 0) {
		char line[48];
		(void)format_to(line, sizeof(line), "  no answer for %lld s",
				(long long)tui_silent_s(t));
		(void)draw_right(g, g->width - 1, 0, STYLE_WARN, line);
	}
	if (!tells_itself && t->link != LINK_LIVE) {
		const char *what = t->link == LINK_LOST ? "  connection lost" : "  connecting";
		(void)draw_right(g, g->width - 1, 0, STYLE_ERROR, what);
	}
}

/* The link of the story in focus: in the list, or the one that is voted on. */
static void tui_set_link_of(struct tui *t, const struct replica *room, struct grid *g)
{
	const struct story_view *s = t->view == VIEW_STORIES
					     ? stories_focus(t, room)
					     : replica_story(room, room->room.story_id.data);
	struct story_link link;
	grid_set_link(g, s == NULL ? NULL : story_link(room, s, &link));
}

/* Away from the table one still sees the round go on, in a line below the view. */
static int tui_round_rows(const struct tui *t, const struct replica *room, const struct grid *g)
{
	enum { LEAST = 8 };
	return t->home == NULL && t->view != VIEW_ROOM && room->has_state && g->height >= LEAST ? 1
												: 0;
}

void tui_draw(struct tui *t, const struct replica *room, struct grid *g)
{
	room = tui_room(t, room);
	tui_settle(t, room);
	grid_clear(g);
	t->history.rows = 0; /* unless a view has a place for it */
	tui_set_link_of(t, room, g);
	int height = g->height - prompt_rows(g) - tui_round_rows(t, room, g);
	tui_views[t->view]->draw(t, room, g, height);
	if (height < g->height - prompt_rows(g)) {
		room_status_draw_round(t, room, g, height);
	}
	tui_draw_trouble(t, g);
	prompt_draw(t, room, g, tui_views[t->view]->footer);
}
