/*
 * tui.c - the screen as a whole: its life, and which part gets a key.
 */
#include "client/tui/tui_state.h"

#include <stdlib.h>
#include <string.h>

#include "client/acts/fault_words.h"
#include "client/model/memory.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

static const struct view *const tui_views[VIEW_COUNT] = {
#define VIEW_ROW(symbol, module, title) [VIEW_##symbol] = &module,
	VIEWS(VIEW_ROW)
#undef VIEW_ROW
};

const struct view *view_of(enum view_kind kind)
{
	return tui_views[kind];
}

/* What one comes back to from everywhere: the table, or home. */
static bool tui_is_base(const struct tui *t)
{
	return t->view == home_base(t);
}

struct listing tui_listing(const struct tui *t, const struct replica *room, enum view_kind view)
{
	return (struct listing){&t->lists[view], tui_views[view]->rows,	    t, room,
				t->signs,	 (uint8_t)(SPOT_ROW + view)};
}

/* What one goes back to from a view; VIEW_ROOM stands for the base, also at home. */
static enum view_kind tui_back_of(const struct tui *t, enum view_kind view)
{
	const struct view *v = tui_views[view];
	enum view_kind back = v->is_over ? t->under[view] : v->parent;
	return back == VIEW_ROOM ? home_base(t) : back;
}

/* Whether one comes to one of these views by going back. @views  bits of enum where. */
static bool tui_lies_over(const struct tui *t, uint64_t views)
{
	enum view_kind view = t->view;
	while (view != home_base(t)) {
		view = tui_back_of(t, view);
		if ((IN_VIEW(view) & views) != 0) {
			return true;
		}
	}
	return false;
}

/*
 * A view that lies below the open one is gone back to, so that no view is below itself. There is one
 * team whose pages are open: the teams are not opened above a page of one.
 */
void tui_open(struct tui *t, enum view_kind view)
{
	const uint64_t pages = IN_TEAM_PAGES | IN_ITEM_NOTE;
	bool is_below = tui_lies_over(t, IN_VIEW(view));
	while (is_below && t->view != view) {
		tui_go_back(t);
	}
	if (is_below) {
		return;
	}
	while (view == VIEW_TEAMS && (tui_is_in(t, pages) || tui_lies_over(t, pages))) {
		tui_go_back(t);
	}
	/* No story is in focus anywhere else but the one that is voted on. */
	if (!tui_views[view]->is_over) {
		t->lists[VIEW_STORIES] = (struct list){0};
	}
	t->lists[view] = (struct list){0};
	t->under[view] = t->view == view ? t->under[view] : t->view;
	t->view = view;
}

bool tui_is_in(const struct tui *t, uint64_t views)
{
	return (IN_VIEW(t->view) & views) != 0;
}

void tui_go_back(struct tui *t)
{
	const struct view *view = tui_views[t->view];
	if (view->leave != NULL) {
		view->leave(t);
	}
	t->view = tui_back_of(t, t->view);
	if (tui_is_base(t)) {
		t->lists[VIEW_STORIES] = (struct list){0};
	}
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
	size_t n = text_soften(slice_str(name), t->seat.name_hint, sizeof(t->seat.name_hint) - 1);
	t->seat.name_hint[n] = '\0';
}

struct tui *tui_create(const struct tui_options *o)
{
	struct tui *t = memory_new(1, sizeof(*t));
	t->sight = memory_new(1, sizeof(*t->sight));
	t->sight->tui = t;
	t->lists = t->sight->lists;
	t->answer = &t->sight->answer;
	t->backlog.note = &t->sight->note;
	t->writing.sheet = &t->sight->written;
	settings_defaults(&t->settings);
	if (o->settings != NULL) {
		t->settings = *o->settings;
	}
	t->ascii = o->ascii;
	tui_apply_settings(t);
	t->seat.is_spectator = o->is_spectator;
	t->seat.joins_by_itself = o->joins_by_itself;
	t->link = LINK_CONNECTING;
	t->home = o->home;
	t->teams = o->teams;
	t->inbox = o->inbox;
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
	t->share.place = *place;
	t->share.invited = 0;
}

void tui_destroy(struct tui *t)
{
	if (t != NULL) {
		request_free(t->request);
		arena_finish(&t->pasted.texts);
		free(t->sight);
		free(t);
	}
}

void tui_forget_act(struct tui *t)
{
	request_free(t->request);
	t->request = NULL;
	memset(t->at_home.entry.secret, 0, sizeof(t->at_home.entry.secret));
	t->prompt.sent = METHOD_NONE;
	t->said.reply[0] = '\0';
	t->said.is_told = false;
}

/* In a room nothing says so but the teams. */
bool tui_is_signed_in(const struct tui *t)
{
	return t->home != NULL ? t->home->is_signed_in : t->teams != NULL && t->teams->is_open;
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
		said_reply(t, "%s", action_rows[a].wrong);
	} else {
		char line[FAULT_WORDS_BYTES_MAX];
		fault_words(&t->request->fault, line);
		said_reply(t, "%s", line);
	}
	return (struct act){0};
}

void tui_set_link(struct tui *t, enum link_state state)
{
	if (state == LINK_LIVE && t->link != LINK_LIVE) {
		t->history.mark.is_set = false; /* much may have happened meanwhile */
		t->history.is_fetching = false;
	}
	t->link = state;
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
		said_reply(t, "Your card %s is not in the new deck. Vote again",
			   draw_label(t->signs, room->you.vote.data));
		t->said.is_told = true;
	}
	t->table.seen_withdrawn = is_withdrawn;
}

/* A timer that is gone when its time has come has run out; one that is gone before was stopped. */
static void tui_follow_timer(struct tui *t, const struct replica *room)
{
	enum { CLOCKS_APART_MS = 1500 };
	bool is_gone = t->table.timer_ends_at != 0 && room->room.timer.ends_at == 0;
	if (is_gone && t->now_ms + CLOCKS_APART_MS >= t->table.timer_ends_at) {
		said_moment(t, "Time is up");
		notice_of_timer(t);
	}
	t->table.timer_ends_at = room->room.timer.ends_at;
}

/* Why something was not allowed is told no longer when the cards have been turned over or the next round began. */
static void tui_follow_round(struct tui *t, const struct replica *room)
{
	bool is_other = room->room.round != t->table.seen_round ||
			room->room.is_revealed != t->table.seen_revealed;
	if (is_other && t->table.seen_round != 0 && t->prompt.kind == PROMPT_NONE &&
	    !t->said.is_told) {
		t->said.reply[0] = '\0';
	}
	if (is_other && t->table.seen_round != 0) {
		t->lists[VIEW_ROOM] = (struct list){0};
	}
	t->table.seen_round = room->room.round;
	t->table.seen_revealed = room->room.is_revealed;
}

/* At the last story the summary opens, unless something else is being done. */
static void tui_follow_stories(struct tui *t, const struct replica *room)
{
	if (summary_turns_due(t, room) && tui_is_in(t, IN_ROOM | IN_STORIES) &&
	    t->prompt.kind == PROMPT_NONE) {
		tui_open(t, VIEW_SUMMARY);
	}
}

/* A seat without a name is asked for one, once. */
void tui_follow(struct tui *t, const struct replica *room)
{
	room = tui_room(t, room);
	prompt_follow(t, room);
	if (tui_is_in(t, IN_WRITING)) {
		writing_follow(t, room);
	}
	if (room->you.user_id.data == NULL || (!room->has_state && !room->you.is_waiting)) {
		return;
	}
	tui_follow_vote(t, room);
	tui_follow_round(t, room);
	tui_follow_deck(t, room);
	tui_follow_timer(t, room);
	tui_follow_stories(t, room);
	card_flip_follow(t, room);
	news_follow(t, room);
	notice_follow(t, room);
	if (room->you.vote.data != NULL || room->room.is_revealed ||
	    room->room.round != t->said.nudge_round) {
		t->said.nudge[0] = '\0';
		t->said.nudge_round = room->room.round;
	}
	if (room->you.username.data != NULL) {
		t->seat.has_asked_name = false;
		t->seat.joins_by_itself = false;
		return;
	}
	if (!t->seat.has_asked_name && !t->seat.joins_by_itself && t->prompt.kind == PROMPT_NONE) {
		t->seat.has_asked_name = true;
		prompt_open_line(t, ACTION_NAME, t->seat.name_hint);
	}
}

void tui_refuse_name(struct tui *t, const char *why)
{
	t->seat.joins_by_itself = false;
	t->seat.has_asked_name =
		t->prompt.kind == PROMPT_NONE; /* else when what is being typed is done */
	if (t->prompt.kind == PROMPT_NONE) {
		prompt_open_line(t, ACTION_NAME, NULL);
		line_editor_set(&t->prompt.line, t->seat.name_hint);
		tui_tell(t, why);
	}
}

static bool tui_closes_page(const struct tui *t, int32_t key)
{
	bool closes = key == TUI_KEY_ENTER;
	for (size_t a = 0; a < ACTION_COUNT && !closes; a++) {
		closes = action_rows[a].opens == t->view && action_rows[a].key == key;
	}
	return tui_views[t->view]->is_page && closes;
}

/* From any key on the cursor stays on its row: what is done is done to that one. */
struct act tui_act_on_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, t->view);
	if (tui_closes_page(t, key) || (key == 'q' && !tui_is_base(t))) {
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
			said_reply(t, "No action for that key. ? for help");
		}
		return (struct act){0};
	}
	return action_run(t, room, action_in_room(a, t->view, room), NULL);
}

struct act tui_view_key(struct tui *t, const struct replica *room, int32_t key)
{
	const struct view *view = tui_views[t->view];
	bool is_own = tui_is_in(t, IN_ASIDE) ||
		      (view->takes_digits != NULL && view->takes_digits(t, room));
	if (key >= '0' && key <= '9' && t->home == NULL && view->sheet == 0 && !is_own) {
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
	tui_follow(t, room);
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

/* A card must not go to another story than the one that was in focus when the key was pressed. */
static void tui_keep_story(struct tui *t, const struct replica *room)
{
	struct listing l = tui_listing(t, room, VIEW_STORIES);
	if (tui_is_in(t, IN_STORIES) && room->room.policy.open_stories) {
		list_go(l, list_at(l));
	}
}

struct act tui_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	enum view_kind view = t->view;
	struct act act = tui_key(t, room, key);
	tui_keep_story(t, room);
	said_time_reply(t);
	if (t->view != view || said_shows_reply(t)) {
		said_read(t);
	}
	return act;
}

struct act tui_take_mouse(struct tui *t, const struct replica *room, const struct grid *g,
			  const struct tui_mouse *m)
{
	room = tui_room(t, room);
	tui_forget_act(t);
	tui_follow(t, room);
	struct act act = mouse_take(t, room, g, m);
	said_time_reply(t);
	return act;
}

static struct act tui_paste(struct tui *t, const struct replica *room, struct slice text)
{
	room = tui_room(t, room);
	tui_forget_act(t);
	const struct view *view = tui_views[t->view];
	if (t->prompt.kind == PROMPT_NONE && view->sheet != 0) {
		text_editor_insert(*(struct text_editor **)((char *)t + view->sheet), text);
		t->writing.has_typed = true;
		return (struct act){0};
	}
	if (t->prompt.kind == PROMPT_NONE && view->paste != NULL) {
		return view->paste(t, room, text);
	}
	if (t->prompt.kind == PROMPT_LINE && t->prompt.action == ACTION_ADD) {
		return act_add_pasted(t, room, text);
	}
	if (t->prompt.kind == PROMPT_NONE && (view->pastes != 0 || t->home != NULL)) {
		(void)act_open_line(t, room, view->pastes != 0 ? view->pastes : ACTION_COME);
	}
	if (t->prompt.kind != PROMPT_LINE) {
		said_reply(t, action_is_allowed(ACTION_ADD, room)
				      ? "Press S first, then paste your stories"
				      : "Nothing to paste into here");
		return (struct act){0};
	}
	line_editor_insert(&t->prompt.line, text);
	return action_rows[t->prompt.action].is_live
		       ? action_run(t, room, t->prompt.action, t->prompt.line.text)
		       : (struct act){0};
}

struct act tui_take_paste(struct tui *t, const struct replica *room, struct slice text)
{
	struct act act = tui_paste(t, room, text);
	said_time_reply(t);
	return act;
}

/* ---- time ---- */

void tui_set_now(struct tui *t, int64_t server_ms)
{
	t->now_ms = server_ms;
}

int64_t tui_changes_in_ms(const struct tui *t, const struct replica *room)
{
	const struct view *view = tui_views[t->view];
	room = tui_room(t, room);
	if (t->now_ms == 0) {
		return -1;
	}
	int64_t next = view->changes_in_ms == NULL ? -1 : view->changes_in_ms(t);
	next = timing_sooner(next, prompt_changes_in_ms(t, room));
	if (t->home != NULL) {
		return next;
	}
	next = timing_sooner(next, tui_silence_changes_in(t));
	next = timing_sooner(next, notice_changes_in_ms(t));
	next = timing_sooner(next, card_flip_changes_in_ms(t));
	if (t->view == VIEW_ROOM || t->view == VIEW_PICK) {
		next = timing_sooner(next, away_changes_in_ms(t, room));
	}
	for (size_t i = 0; i < t->news.away_n; i++) {
		const struct user_view *m = replica_member(room, t->news.away[i].user_id);
		int64_t until = m == NULL ? 0 : news_waits_until(t, room, m);
		next = timing_sooner(next, timing_second_ends_in(t->now_ms, until));
	}
	next = timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.timer.ends_at));
	return timing_sooner(next, timing_second_ends_in(t->now_ms, room->room.countdown.ends_at));
}

/* The table's header tells of the connection; the other views only where something is wrong. */
static void tui_draw_trouble(const struct tui *t, struct grid *g)
{
	bool tells_itself = tui_is_base(t);
	if (!tells_itself && tui_silent_s(t) > 0) {
		char line[48];
		(void)format_to(line, sizeof(line), "  no answer for %lld s",
				(long long)tui_silent_s(t));
		draw_right_over(g, g->width - 1, 0, STYLE_WARN, line);
	}
	if (!tells_itself && t->link != LINK_LIVE) {
		const char *what = t->link == LINK_LOST ? "  connection lost" : "  connecting";
		draw_right_over(g, g->width - 1, 0, STYLE_ERROR, what);
	}
}

/* "Teams · 7 and more" */
static void tui_draw_count(const struct tui *t, struct grid *g, const struct view *view, size_t n)
{
	char line[48];
	(void)format_to(line, sizeof(line), "%s%zu%s", t->signs->dot, n,
			view->has_more(t) ? " and more" : "");
	(void)grid_text(g, 1 + draw_cells(view->title), 0, STYLE_DIM, line, -1);
}

void tui_draw_list(const struct tui *t, const struct replica *room, struct grid *g, int y,
		   int height)
{
	const struct view *view = tui_views[t->view];
	struct listing l = tui_listing(t, room, t->view);
	size_t n = list_all(l);
	char why[TUI_WAITS_BYTES_MAX];
	if (n == 0) {
		const char *waits = view->waits == NULL ? "" : view->waits(t, why);
		(void)draw_wrapped(g, 3, y, STYLE_DIM, waits[0] != '\0' ? waits : view->empty,
				   g->width - 4);
		return;
	}
	if (view->has_more != NULL) {
		tui_draw_count(t, g, view, n);
	}
	if (view->rows->is_table || t->link == LINK_LIVE) { /* else that stands there */
		list_draw_titles(l, g, view->rows->is_table ? y : 0);
	}
	y += view->rows->is_table ? 1 : 0;
	list_draw(l, g, y, height - y, true);
}

int tui_draw_head(const struct tui *t, const struct replica *room, struct grid *g)
{
	const struct view *view = tui_views[t->view];
	int y = draw_title(g, view->title == NULL ? "" : view->title);
	return view->head == NULL ? y : view->head(t, room, g, y);
}

/* The link of the story in focus: in the list, or the one that is voted on. */
static void tui_set_link_of(const struct tui *t, const struct replica *room, struct grid *g)
{
	const struct view *view = tui_views[t->view];
	const struct story_view *s =
		replica_story(room, view->story == NULL ? room->room.story_id.data
							: view->story(t, room));
	struct story_link link;
	grid_set_link(g, s == NULL ? NULL : story_link(room, s, &link));
}

/* Away from the table one still sees the round go on, in a line below the view. */
static int tui_round_rows(const struct tui *t, const struct replica *room, const struct grid *g)
{
	enum { LEAST = 8 };
	bool tells_itself =
		tui_is_base(t) || (tui_is_in(t, IN_STORIES) && room_status_is_elsewhere(room));
	return t->home == NULL && !tells_itself && room->has_state && g->height >= LEAST ? 1 : 0;
}

void tui_draw(const struct tui *t, const struct replica *room, struct grid *g)
{
	room = tui_room(t, room);
	grid_clear(g);
	t->sight->history_rows = 0; /* unless a view has a place for it */
	tui_set_link_of(t, room, g);
	int height = g->height - prompt_rows(g) - tui_round_rows(t, room, g);
	if (tui_views[t->view]->draw != NULL) {
		tui_views[t->view]->draw(t, room, g, height);
	} else {
		tui_draw_list(t, room, g, tui_draw_head(t, room, g), height);
	}
	if (height < g->height - prompt_rows(g)) {
		room_status_draw_round(t, room, g, height);
	}
	tui_draw_trouble(t, g);
	prompt_draw(t, room, g, tui_views[t->view]->footer);
}
