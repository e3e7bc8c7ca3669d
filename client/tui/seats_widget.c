/*
 * seats_widget.c - the voters and their cards.
 *
 * The largest shape in which everybody fits is taken: whole cards, small
 * cards, then one line a member, which scrolls where even that is too much.
 * Everybody keeps their place: the order is that of the room.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/narrate_result.h"
#include "proto/format.h"
#include "proto/text.h"

enum {
	SEATS_LEFT = 2,
	SEATS_NAME_CELLS_MOST = 16,
	SEATS_LABEL_CELLS_MOST = 12,
	SEATS_HUGE_ROWS = 20
};

struct seats_shape {
	int card_w, card_h; /* card_h 0: a line, no box */
	int pitch_x, pitch_y;
	int per_row;
	int rows;
};

struct seats_room {
	int voters;
	int label_cells; /* widest card of the deck, at least 1 */
	int name_cells;	 /* widest name with its mark, at most SEATS_NAME_CELLS_MOST */
	bool has_away;
};

/* The name with its mark in at most `cells` cells; the mark survives the cut. */
static void seats_name(const struct tui *t, const struct replica *room, const struct user_view *m,
		       int cells, char *out, size_t cap)
{
	const char *name = tui_name_of(room, m);
	int mark = m->is_host ? 2 : 0;
	struct slice all = slice_str(name);
	bool is_cut = draw_cells(name) > cells - mark;
	size_t n =
		is_cut ? text_fit(all, cells - mark > 1 ? (size_t)(cells - mark - 1) : 0) : all.len;
	(void)format_to(out, cap, "%.*s%s%s%s", (int)n, name, is_cut ? t->signs->cut : "",
			mark > 0 ? " " : "", mark > 0 ? t->signs->host : "");
}

static struct seats_room seats_measure(const struct replica *room)
{
	struct seats_room s = {.label_cells = 1, .name_cells = 3};
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		int cells = draw_cells(replica_card(room, i));
		s.label_cells = cells > s.label_cells ? cells : s.label_cells;
	}
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!tui_is_voter(m)) {
			continue;
		}
		int cells = draw_cells(tui_name_of(room, m)) + (m->is_host ? 2 : 0);
		s.name_cells = cells > s.name_cells ? cells : s.name_cells;
		s.has_away = s.has_away || !m->is_connected;
		s.voters++;
	}
	s.name_cells = s.name_cells > SEATS_NAME_CELLS_MOST ? SEATS_NAME_CELLS_MOST : s.name_cells;
	return s;
}

static int seats_max(int a, int b)
{
	return a > b ? a : b;
}

static void seats_count(struct seats_shape *shape, int voters, int width)
{
	int per_row = (width - SEATS_LEFT) / shape->pitch_x;
	shape->per_row = per_row < 1 ? 1 : per_row;
	shape->rows = (voters + shape->per_row - 1) / shape->per_row;
}

/* The last row needs no gap below it. */
static int seats_height(const struct seats_shape *shape)
{
	int used = shape->card_h == 0 ? 1 : shape->card_h + 1;
	return shape->rows == 0 ? 0 : (shape->rows - 1) * shape->pitch_y + used;
}

static struct seats_shape seats_list(const struct seats_room *s, int width)
{
	int label = seats_max(s->label_cells, 2);
	int line = label + 1 + s->name_cells + (s->has_away ? 5 : 0);
	struct seats_shape shape = {.card_w = label,
				    .card_h = 0,
				    .pitch_x = line + 2,
				    .pitch_y = 1};
	seats_count(&shape, s->voters, width);
	return shape;
}

static struct seats_shape seats_choose(const struct replica *room, int width, int height)
{
	struct seats_room s = seats_measure(room);
	int large = seats_max(7, s.label_cells + 4);
	int small = seats_max(6, s.label_cells + 2);
	int name = s.name_cells > SEATS_LABEL_CELLS_MOST ? SEATS_LABEL_CELLS_MOST : s.name_cells;
	int wide = seats_max(large + 2, name + 2);
	int huge = seats_max(large + 4, 11);
	const struct seats_shape shapes[] = {
		{.card_w = huge,
		 .card_h = 6,
		 .pitch_x = seats_max(huge + 2, name + 2),
		 .pitch_y = 8},
		{.card_w = large, .card_h = 4, .pitch_x = wide, .pitch_y = 6},
		{.card_w = large, .card_h = 4, .pitch_x = wide, .pitch_y = 5},
		{.card_w = large, .card_h = 4, .pitch_x = large + 2, .pitch_y = 5},
		{.card_w = large, .card_h = 4, .pitch_x = large + 1, .pitch_y = 5},
		{.card_w = small,
		 .card_h = 3,
		 .pitch_x = seats_max(small + 2, name + 2),
		 .pitch_y = 4},
		{.card_w = small, .card_h = 3, .pitch_x = small + 2, .pitch_y = 4},
	};
	for (size_t i = height < SEATS_HUGE_ROWS ? 1 : 0; i < sizeof(shapes) / sizeof(shapes[0]);
	     i++) {
		struct seats_shape shape = shapes[i];
		seats_count(&shape, s.voters, width);
		if (seats_height(&shape) <= height && SEATS_LEFT + shape.card_w <= width) {
			return shape;
		}
	}
	return seats_list(&s, width);
}

int seats_rows_least(const struct replica *room, const struct grid *g)
{
	struct seats_room s = seats_measure(room);
	struct seats_shape shape = seats_list(&s, g->width);
	return shape.rows;
}

int seats_rows(const struct replica *room, const struct grid *g, int height)
{
	struct seats_shape shape = seats_choose(room, g->width, height);
	int used = seats_height(&shape);
	return height <= 0 ? 0 : used > height ? height : used;
}

/* Their card is one whose voters speak first. */
static bool seats_speaks_first(const struct replica *room, const struct user_view *m)
{
	const struct room_result *result = replica_result(room);
	return room->room.is_revealed && result != NULL && m->vote.data != NULL &&
	       narrate_is_outlier(result, m->vote);
}

static enum style seats_style(const struct replica *room, const struct user_view *m)
{
	if (!m->is_connected) {
		return STYLE_AWAY;
	}
	if (seats_speaks_first(room, m)) {
		return STYLE_WARN;
	}
	if (tui_is_me(room, m)) {
		return STYLE_OWN;
	}
	return room->room.is_revealed  ? STYLE_CARD_FACE
	       : tui_has_vote(room, m) ? STYLE_CARD_BACK
				       : STYLE_TEXT;
}

/* What lies open is to be read, whether its voter is here or not. */
static enum style seats_face_style(const struct replica *room, const struct user_view *m)
{
	if (!room->room.is_revealed || m->is_connected) {
		return seats_style(room, m);
	}
	return seats_speaks_first(room, m) ? STYLE_WARN : STYLE_CARD_FACE;
}

/* Names are to be read: whether there is a card is the card's to show. */
static enum style seats_name_style(const struct replica *room, const struct user_view *m)
{
	if (!m->is_connected) {
		return STYLE_AWAY;
	}
	return tui_is_me(room, m) ? STYLE_OWN : STYLE_TEXT;
}

/* Our own card lies open to us alone. */
static const char *seats_face(const struct replica *room, const struct user_view *m)
{
	if (!tui_has_vote(room, m)) {
		return NULL;
	}
	return tui_is_me(room, m) && room->you.vote.data != NULL ? room->you.vote.data
								 : m->vote.data;
}

/* What stands where no card lies: a thought while one may still come, a word where there is room. */
static const char *seats_missing(const struct tui *t, const struct replica *room,
				 const struct user_view *m, int cells)
{
	static const char word[] = "choosing";
	if (room->room.is_revealed) {
		return "-";
	}
	if (!doing_is_choosing(room, m)) {
		return t->signs->thinking;
	}
	return cells >= (int)sizeof(word) - 1 ? word : t->signs->choosing;
}

/* As wide as a card looks from the side, on the way from its back to its face. */
static int seats_turned_cells(int cells, enum turn_step step)
{
	switch (step) {
	case TURN_BACK_NARROW:
	case TURN_FACE_NARROW:
		return cells - 2 * ((cells * 3 + 10) / 20);
	case TURN_EDGE:
		return 1;
	case TURN_BACK:
	case TURN_OVER:
		break;
	}
	return cells;
}

/* A label that has no room yet comes with the whole face. */
static void seats_draw_turning(const struct tui *t, const struct replica *room, struct grid *g,
			       int x, int y, const struct seats_shape *shape,
			       const struct user_view *m, enum turn_step step)
{
	bool is_face = step >= TURN_FACE_NARROW;
	enum style style = !m->is_connected ? STYLE_AWAY
			   : is_face	    ? seats_style(room, m)
					    : STYLE_CARD_BACK;
	int cells = seats_turned_cells(shape->card_w, step);
	int inner_h = shape->card_h - 2;
	x += (shape->card_w - cells) / 2;
	if (cells == 1) {
		grid_fill(g, x, y, 1, shape->card_h, style, t->signs->card.down);
		return;
	}
	draw_box(g, x, y, cells, shape->card_h, style, &t->signs->card);
	if (!is_face) {
		grid_fill(g, x + 1, y + 1, cells - 2, inner_h, style, t->signs->back);
	} else if (draw_cells(m->vote.data) <= cells - 2) {
		draw_centred(g, x + 1, y + 1 + (inner_h - 1) / 2, style, m->vote.data, cells - 2,
			     t->signs);
	}
}

static void seats_draw_still(const struct tui *t, const struct replica *room, struct grid *g, int x,
			     int y, const struct seats_shape *shape, const struct user_view *m)
{
	enum style style = seats_style(room, m);
	int inner_w = shape->card_w - 2;
	int inner_h = shape->card_h - 2;
	int middle = y + 1 + (inner_h - 1) / 2;
	const char *face = seats_face(room, m);
	draw_box(g, x, y, shape->card_w, shape->card_h, tui_has_vote(room, m) ? style : STYLE_DIM,
		 &t->signs->card);
	if (face != NULL) {
		draw_centred(g, x + 1, middle, seats_face_style(room, m), face, inner_w, t->signs);
	} else if (tui_has_vote(room, m)) {
		grid_fill(g, x + 1, y + 1, inner_w, inner_h, style, t->signs->back);
	} else if (m->is_connected) {
		draw_centred(g, x + 1, middle + (inner_h > 1 ? 1 : 0), STYLE_DIM,
			     seats_missing(t, room, m, inner_w), inner_w, t->signs);
	}
	if (!m->is_connected && (face == NULL || inner_h > 1)) {
		grid_fill(g, x + 1, y + inner_h, inner_w, 1, style, " ");
		draw_centred(g, x + 1, y + inner_h, style, "away", inner_w, t->signs);
	}
}

static void seats_draw_card(const struct tui *t, const struct replica *room, struct grid *g, int x,
			    int y, const struct seats_shape *shape, const struct user_view *m)
{
	char name[MAX_NAME_BYTES + 16];
	int cells = shape->pitch_x - 1;
	enum turn_step step = turn_is_seen(room, m) ? turn_step(t) : TURN_OVER;
	if (step == TURN_OVER) {
		seats_draw_still(t, room, g, x, y, shape, m);
	} else {
		seats_draw_turning(t, room, g, x, y, shape, m, step);
	}
	seats_name(t, room, m, cells, name, sizeof(name));
	int left = x + shape->card_w / 2 - draw_cells(name) / 2;
	(void)grid_text(g, left < 0 ? 0 : left, y + shape->card_h, seats_name_style(room, m), name,
			cells);
}

/* The same where a card is two cells of a line. */
static void seats_draw_turning_line(const struct tui *t, struct grid *g, int x, int y,
				    enum turn_step step)
{
	if (step == TURN_BACK || step == TURN_BACK_NARROW) {
		grid_fill(g, x, y, step == TURN_BACK ? 2 : 1, 1, STYLE_CARD_BACK, t->signs->back);
	} else {
		grid_fill(g, x, y, 1, 1, STYLE_CARD_BACK, t->signs->card.down);
	}
}

static void seats_draw_line(const struct tui *t, const struct replica *room, struct grid *g, int x,
			    int y, const struct seats_shape *shape, const struct user_view *m)
{
	enum style style = seats_style(room, m);
	const char *face = seats_face(room, m);
	char name[MAX_NAME_BYTES + 16];
	int away = m->is_connected ? 0 : 5;
	enum turn_step step = turn_is_seen(room, m) ? turn_step(t) : TURN_OVER;
	if (step < TURN_FACE_NARROW) {
		seats_draw_turning_line(t, g, x, y, step);
	} else if (face != NULL) {
		(void)draw_cut(g, x, y, seats_face_style(room, m), face, shape->card_w, t->signs);
	} else if (tui_has_vote(room, m)) {
		grid_fill(g, x, y, 2, 1, style, t->signs->back);
	} else {
		(void)grid_text(g, x, y, STYLE_DIM, seats_missing(t, room, m, 1), 1);
	}
	x += shape->card_w + 1;
	int cells = shape->pitch_x - shape->card_w - 3;
	cells = cells > g->width - x ? g->width - x : cells;
	seats_name(t, room, m, cells - away, name, sizeof(name));
	int used = grid_text(g, x, y, seats_name_style(room, m), name, cells - away);
	if (away > 0) {
		(void)grid_text(g, x + used, y, STYLE_AWAY, " away", -1);
	}
}

/* Rows that are out of sight above and below, told on the last line. */
static void seats_draw_more(const struct tui *t, struct grid *g, int y, int top, int shown,
			    int rows)
{
	char line[80];
	(void)t;
	int below = rows - top - shown;
	(void)format_to(line, sizeof(line), "rows %d to %d of %d%s", top + 1, top + shown, rows,
			below > 0 ? ", Down shows more" : ", Up shows more");
	(void)grid_text(g, SEATS_LEFT, y, STYLE_DIM, line, -1);
}

int seats_draw(struct tui *t, const struct replica *room, struct grid *g, int y, int height)
{
	if (height <= 0) {
		return 0;
	}
	struct seats_shape shape = seats_choose(room, g->width, height);
	int shown = shape.rows;
	int used = seats_height(&shape);
	if (used > height) {
		used = height;
		shown = height > 1 ? height - 1 : 1;
		t->table.seats_shown = shown;
		t->table.seats_top = draw_between(0, t->table.seats_top, shape.rows - shown);
		if (height > 1) {
			seats_draw_more(t, g, y + height - 1, t->table.seats_top, shown,
					shape.rows);
		}
	} else {
		t->table.seats_top = 0;
	}
	int place = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!tui_is_voter(m)) {
			continue;
		}
		int row = place / shape.per_row - t->table.seats_top;
		int margin = shape.card_h == 0 ? 0 : (shape.pitch_x - 1 - shape.card_w) / 2;
		int x = SEATS_LEFT + (place % shape.per_row) * shape.pitch_x + margin;
		place++;
		if (row < 0 || row >= shown) {
			continue;
		}
		if (shape.card_h == 0) {
			seats_draw_line(t, room, g, x, y + row, &shape, m);
		} else {
			seats_draw_card(t, room, g, x, y + row * shape.pitch_y, &shape, m);
		}
	}
	return used;
}
