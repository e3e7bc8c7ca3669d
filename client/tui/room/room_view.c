/*
 * room_view.c - the room: header, story, seats, who is waited for, and the hand
 * or the result; on wide screens stories and history beside it. Each has its
 * own file; this one deals out the rows.
 */
#include "client/tui/tui_state.h"

#include "proto/base/format.h"

enum {
	ROOM_VIEW_ROOMY = 20,
	ROOM_VIEW_TALL = 36,
	ROOM_VIEW_TITLE_LEAST = 4,
	ROOM_VIEW_LINK_LEAST = 18, /* columns from which on the link stands beside the code, */
	ROOM_VIEW_HERE_LEAST = 24  /* and from which on who is here does, too */
};

size_t room_view_here(const struct replica *room, bool with_me)
{
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		n += m->is_connected && !m->is_bot && !m->is_waiting &&
				     (with_me || !replica_is_me(room, m))
			     ? 1
			     : 0;
	}
	return n;
}

int room_view_draw_link(const struct tui *t, struct grid *g, const char *lost)
{
	static const enum style styles[] = {STYLE_WARN, STYLE_GOOD, STYLE_ERROR};
	const char *const words[] = {"connecting", "live", lost};
	const char *const marks[] = {t->signs->connecting, t->signs->live, t->signs->lost};
	char link[48];
	if (tui_silent_s(t) > 0) {
		(void)format_to(link, sizeof(link), "%s%sno answer for %lld s",
				t->signs->connecting, t->signs->connecting[0] == '\0' ? "" : " ",
				(long long)tui_silent_s(t));
		return draw_right(g, g->width - 1, 0, STYLE_WARN, link);
	}
	(void)format_to(link, sizeof(link), "%s%s%s", marks[t->link],
			marks[t->link][0] == '\0' ? "" : " ", words[t->link]);
	return draw_right(g, g->width - 1, 0, styles[t->link], link);
}

/* Who is here, and the connection, as far as there is room for the code; returns their first column. */
static int room_view_draw_here(const struct tui *t, const struct replica *room, struct grid *g)
{
	char here[40];
	if (g->width < ROOM_VIEW_LINK_LEAST) {
		return g->width + 1;
	}
	int x = room_view_draw_link(t, g, "lost");
	if (room->has_state && g->width >= ROOM_VIEW_HERE_LEAST) {
		const char *dot = g->width >= 60 ? t->signs->dot : " ";
		const char *were = t->link == LINK_LIVE ? "" : "were "; /* nobody tells us now */
		(void)format_to(here, sizeof(here), "%zu %shere%s", room_view_here(room, true),
				were, dot);
		x = draw_right(g, x, 0, STYLE_TEXT, here);
	}
	return x;
}

static void room_view_draw_header(const struct tui *t, const struct replica *room, struct grid *g)
{
	bool is_narrow = g->width < ROOM_VIEW_HERE_LEAST;
	int end = room_view_draw_here(t, room, g) - (is_narrow ? 1 : 2);
	int dot = draw_cells(t->signs->dot);
	int x = is_narrow ? 0 : 1;
	const char *code =
		room->room_id[0] == '\0' && room->you.is_waiting ? "lobby" : room->room_id;
	if (g->width >= 30) {
		x += grid_text(g, x, 0, STYLE_TITLE, "aye", -1);
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
	}
	int title = end - x - dot - draw_cells(code);
	if (room->room.title.data != NULL && title >= ROOM_VIEW_TITLE_LEAST) {
		x += draw_cut(g, x, 0, STYLE_STRONG, room->room.title.data, title, t->signs);
		x += grid_text(g, x, 0, STYLE_DIM, t->signs->dot, -1);
	}
	(void)grid_text(g, x, 0, STYLE_TITLE, code, end - x);
}

/* For who is away: where there is height, their names in several rows. */
static int room_view_away_rows(const struct grid *g)
{
	enum { ROWS_EACH = 20, MOST = 4 };
	return draw_between(1, g->height / ROWS_EACH, MOST);
}

/* Rows for those who have no card of their own, where there are at least so many. */
static int room_view_others(const struct tui *t, const struct replica *room, const struct grid *g,
			    int height, int least)
{
	return height < least ? 0 : room_status_others(t, room, g, room_view_away_rows(g));
}

struct grid room_view_scroll(const struct tui *t, const struct replica *room, struct grid *g, int y,
			     int height, int all, int *top)
{
	*top = list_scroll(tui_listing(t, room, VIEW_ROOM), all, draw_shown(all, height));
	return draw_scrolled(g, y, height, all, top, "Up", "Down");
}

/* The hand lies at the bottom; the rest follows from above. */
static void room_view_draw_voting(const struct tui *t, const struct replica *room, struct grid *g,
				  int top, int bottom)
{
	bool is_roomy = g->height >= ROOM_VIEW_ROOMY;
	bool is_alone = room->users.n <= 1;
	int gap = is_roomy ? 1 : 0;
	int others = room_view_others(t, room, g, bottom - top, 5);
	int hand_y = bottom - hand_rows(room, g, is_roomy);
	int welcome = !is_alone || hand_y - top < 5
			      ? 0
			      : room_status_welcome_rows(t, room, g->width, is_roomy);
	struct seats seats;
	seats_count(t, room, &seats);
	int y = top +
		seats_draw(t, room, &seats, g, top, hand_y - 1 - others - gap - welcome - top);
	if (is_alone) {
		room_status_draw_welcome(t, room, g, y + gap, hand_y - 1 - others);
	}
	y += gap + (welcome > 0 ? welcome + gap : 0);
	y = is_roomy ? y : hand_y - 1 - others;
	hand_draw(t, room, g, hand_y, is_roomy);
	if (y >= top && y < hand_y) {
		room_status_draw(t, room, g, y);
	}
	room_status_draw_others(t, room, g, y + 1, others);
}

/* Votes go to stories elsewhere: how far all are with them, in place of cards. */
static void room_view_draw_elsewhere(const struct tui *t, const struct replica *room,
				     struct grid *g, int top, int bottom)
{
	int gap = g->height >= ROOM_VIEW_ROOMY ? 1 : 0;
	int others = bottom - top < 5 ? 0 : room_status_others(t, room, g, 0);
	int welcome = room->users.n > 1 ? 0 : room_status_welcome_rows(t, room, g->width, gap > 0);
	room_status_draw(t, room, g, top);
	top += 1 + gap;
	if (!hand_is_held(room)) {
		bottom -= hand_rows(room, g, gap > 0);
		hand_draw(t, room, g, bottom, gap > 0);
	}
	int rows =
		bottom - top - (welcome > 0 ? welcome + gap : 0) - (others > 0 ? others + gap : 0);
	top += tally_draw(t, room, g, top, rows) + gap;
	if (welcome > 0) {
		room_status_draw_welcome(t, room, g, top, bottom - others);
		top += welcome + gap;
	}
	room_status_draw_others(t, room, g, top, others);
}

/* Where votes may change after the reveal the hand stays in reach, below the result. */
static int room_view_late_hand(const struct replica *room, const struct grid *g)
{
	bool is_open = g->height >= ROOM_VIEW_ROOMY && room->you.username.data != NULL &&
		       room->you.role == ROLE_VOTER && action_is_allowed(ACTION_VOTE, room);
	return is_open ? hand_rows(room, g, false) : 0;
}

/*
 * What the cards say comes first, with the names of all; the seats, which repeat it,
 * are there where they leave all of it its place.
 */
static void room_view_draw_revealed(const struct tui *t, const struct replica *room, struct grid *g,
				    int top, int bottom)
{
	int gap = g->height >= ROOM_VIEW_ROOMY ? 1 : 0;
	int others = room_view_others(t, room, g, bottom - top, 10);
	int hand = room_view_late_hand(room, g);
	struct result r;
	struct seats seats;
	result_init(&r, room, NULL);
	seats_count(t, room, &seats);
	if (hand > 0) {
		bottom -= hand + gap;
		hand_draw(t, room, g, bottom, false);
	}
	bottom -= others > 0 ? others + gap : 0;
	int beside = bottom - top - gap - result_rows(&r, t, g, g->height >= ROOM_VIEW_TALL);
	if (seats_rows(&seats, g, beside) > beside) {
		beside = bottom - top - gap - result_rows(&r, t, g, false);
	}
	r.tells_missing = seats_rows(&seats, g, beside) > beside;
	if (!r.tells_missing) {
		top += seats_draw(t, room, &seats, g, top, beside) + gap;
		if (card_flip_step(t) != CARD_FLIP_OVER) {
			(void)result_draw_title(t, &r, g, top);
			return;
		}
	}
	int rows = result_fit(&r, t, g, bottom - top);
	int scrolled = 0;
	struct grid part = room_view_scroll(t, room, g, top, bottom - top, rows, &scrolled);
	result_draw(t, &r, &part, -scrolled);
	room_status_draw_others(t, room, g, top + (rows < bottom - top ? rows : bottom - top) + gap,
				others);
}

/* Rows that neither cards nor what belongs to them would take, between top and bottom. */
static int room_view_spare(const struct tui *t, const struct replica *room, const struct grid *g,
			   int top, int bottom)
{
	int gap = g->height >= ROOM_VIEW_ROOMY ? 1 : 0;
	int others = room_view_others(t, room, g, bottom - top, 0);
	int rest = 0;
	struct seats seats;
	seats_count(t, room, &seats);
	if (room->room.is_revealed) {
		struct result r;
		result_init(&r, room, NULL);
		int hand = room_view_late_hand(room, g);
		rest = result_rows(&r, t, g, false) + gap + (others > 0 ? others + gap : 0) +
		       (hand > 0 ? hand + gap : 0);
	} else {
		rest = hand_rows(room, g, gap > 0) + 1 + others + 2 * gap +
		       (room->users.n <= 1 ? 2 + gap : 0);
	}
	int height = bottom - top - rest;
	return height - seats_rows(&seats, g, height);
}

/* Rows for what the story says of itself: those to spare, and at least one where there is any room. */
static int room_view_about(const struct tui *t, const struct replica *room, const struct grid *g,
			   int top, int bottom)
{
	int wanted = story_about_rows(room, g);
	int spare = room_view_spare(t, room, g, top, bottom);
	int least = g->height >= ROOM_VIEW_ROOMY ? 1 : 0;
	return wanted < spare ? wanted : spare > least ? spare : wanted > 0 ? least : 0;
}

static void room_view_draw_lobby(const struct replica *room, struct grid *g, int y,
				 const struct tui *t)
{
	bool has_name = room->you.username.data != NULL;
	(void)draw_cut(g, 3, y, STYLE_STRONG, "You are in the lobby.", g->width - 4, t->signs);
	(void)draw_cut(g, 3, y + 1, STYLE_TEXT,
		       has_name ? "Waiting for a host." : "Press n to enter your name.",
		       g->width - 4, t->signs);
}

static void room_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			   int height)
{
	bool has_story = room->has_state && story_line_is_shown(t, room) && g->height > 4;
	int top = (has_story ? 2 : 1) + (g->height >= ROOM_VIEW_ROOMY ? 1 : 0);
	room_view_draw_header(t, room, g);
	if (!room->has_state) {
		if (room->you.is_waiting) {
			room_view_draw_lobby(room, g, top, t);
		} else {
			(void)grid_text(g, 3, top, STYLE_DIM, "Looking for the room", -1);
		}
		return;
	}
	if (has_story) {
		story_line_draw(t, room, g, 1);
	}
	if (height <= top) {
		return;
	}
	struct grid table = grid_part(g, 0, side_draw(t, room, g, top, height - top));
	int about = has_story ? room_view_about(t, room, &table, top, height) : 0;
	story_about_draw(t, room, &table, 2, about);
	top += about;
	if (room->room.is_revealed) {
		room_view_draw_revealed(t, room, &table, top, height);
	} else if (room_status_is_elsewhere(room)) {
		room_view_draw_elsewhere(t, room, &table, top, height);
	} else {
		room_view_draw_voting(t, room, &table, top, height);
	}
	grid_part_cursor(g, &table, 0);
}

static struct act room_view_digit(struct tui *t, const struct replica *room, int digit)
{
	if (room_status_has_no_story(room)) {
		return action_run(t, room, ACTION_VOTE, NULL);
	}
	int card = hand_type_digit(t, &room->room.valid_sizes, digit);
	if (card < 0 && action_is_allowed(ACTION_VOTE, room)) {
		said_reply(t, "No card for key %d. Choose with the arrows", digit);
		return (struct act){0};
	}
	return action_run(t, room, ACTION_VOTE, card < 0 ? NULL : replica_card(room, (size_t)card));
}

/* The cards' letters come first, in either case: whoever types S for Small must not do what S does elsewhere. */
static struct act room_view_letter(struct tui *t, const struct replica *room, int32_t key)
{
	int card = hand_card_of_letter(room, key);
	return card < 0 ? tui_act_on_key(t, room, key)
			: action_run(t, room, ACTION_VOTE, replica_card(room, (size_t)card));
}

static struct act room_view_choose(struct tui *t, const struct replica *room, int32_t key)
{
	const struct asking asking = {.now_ms = t->now_ms};
	if (action_refusal(ACTION_CHOOSE, room, &asking, t->said.reply, sizeof(t->said.reply)) ||
	    room->room.valid_sizes.n == 0) {
		return (struct act){0};
	}
	if (key == TUI_KEY_ENTER) {
		return action_run(t, room, ACTION_VOTE, replica_card(room, hand_focus(t, room)));
	}
	hand_move(t, room, key == TUI_KEY_LEFT ? -1 : 1);
	return (struct act){0};
}

static struct act room_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	if (key >= '0' && key <= '9') {
		return room_view_digit(t, room, (int)(key - '0'));
	}
	if (key == TUI_KEY_LEFT || key == TUI_KEY_RIGHT || key == TUI_KEY_ENTER) {
		return room_view_choose(t, room, key);
	}
	return room_view_letter(t, room, key);
}

static struct act room_view_click(struct tui *t, const struct replica *room, uint32_t which)
{
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if ((uint32_t)list_key(replica_card(room, i)) == which) {
			return hand_lies(room, i)
				       ? (struct act){0}
				       : action_run(t, room, ACTION_VOTE, replica_card(room, i));
		}
	}
	return (struct act){0};
}

const struct view room_view = {
	.click = room_view_click,
	.draw = room_view_draw,
	.take_key = room_view_take_key,
	.rows = &list_of_text,
};
