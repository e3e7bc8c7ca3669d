/*
 * seats_widget.c - the voters and their cards.
 *
 * The largest shape in which everybody fits is taken: cards of several sizes,
 * then one line a member, which scrolls where even that is too much. We come
 * first, then who is waited for, then the others, each of them in the order in
 * which they sat down. Who is away has no place here: they are counted below
 * (room_status.c). Their cards lie here where votes are kept, and when they are open.
 */
#include "client/tui/tui_state.h"

#include <limits.h>
#include <string.h>

#include "client/acts/narrate.h"
#include "client/acts/narrate_result.h"
#include "client/tui/widgets/large_label.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

enum {
	SEATS_LEFT = 2,
	SEATS_NAME_CELLS_MOST = 16,
	SEATS_LABEL_CELLS_MOST = 12,
	SEATS_TALL = 28,  /* rows of a screen from which on cards are larger, and names whole */
	SEATS_MODEST = 5, /* rows of the largest card that a story's text makes room for */
};

struct seats_shape {
	int screen_rows;    /* the screen has to have, for this shape */
	bool has_large;	    /* faces are large signs, for which two have room */
	int card_w, card_h; /* card_h 0: a line, no box; else odd, so that there is a middle */
	int pitch_x, pitch_y;
	int per_row;
	int rows;
};

/* The order in which they sit; at SEATS_NOWHERE sits nobody. */
enum seats_rank { SEATS_OURS, SEATS_MISSING, SEATS_OTHERS, SEATS_AWAY, SEATS_NOWHERE };

static enum seats_rank seats_rank(const struct replica *room, const struct user_view *m)
{
	if (!replica_is_voter(m) || replica_is_voter_away(room, m)) {
		return SEATS_NOWHERE;
	}
	if (replica_is_me(room, m)) {
		return SEATS_OURS;
	}
	if (!m->is_connected) {
		return SEATS_AWAY;
	}
	/* Where nobody may know who has voted, the order does not tell. */
	return m->has_vote || replica_hides_voters(room) ? SEATS_OTHERS : SEATS_MISSING;
}

/* One after the other, in their order; a zeroed walk begins. NULL: that was all. */
struct seats_walk {
	enum seats_rank rank;
	size_t at;
};

static const struct user_view *seats_next(const struct replica *room, struct seats_walk *w)
{
	for (; w->rank < SEATS_NOWHERE; w->rank++, w->at = 0) {
		while (w->at < room->users.n) {
			const struct user_view *m = replica_member_at(room, w->at++);
			if (seats_rank(room, m) == w->rank) {
				return m;
			}
		}
	}
	return NULL;
}

/* The name with its mark in at most `cells` cells; the mark survives the cut. */
void seats_name(const struct tui *t, const struct replica *room, const struct user_view *m,
		int cells, char *out, size_t cap)
{
	const char *name = replica_name_of(room, m);
	int mark = m->is_host ? 2 : 0;
	struct slice all = slice_str(name);
	bool is_cut = draw_cells(name) > cells - mark;
	size_t n =
		is_cut ? text_fit(all, cells - mark > 1 ? (size_t)(cells - mark - 1) : 0) : all.len;
	(void)format_to(out, cap, "%.*s%s%s%s", (int)n, name, is_cut ? t->signs->cut : "",
			mark > 0 ? " " : "", mark > 0 ? t->signs->host : "");
}

void seats_count(const struct tui *t, const struct replica *room, struct seats *s)
{
	struct seats_walk w = {0};
	const struct user_view *m;
	*s = (struct seats){.label_cells = 1, .name_cells = 3};
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		int cells = draw_cells(draw_label(t->signs, replica_card(room, i)));
		s->label_cells = cells > s->label_cells ? cells : s->label_cells;
	}
	while ((m = seats_next(room, &w)) != NULL) {
		int cells = draw_cells(replica_name_of(room, m)) + (m->is_host ? 2 : 0);
		s->name_cells = cells > s->name_cells ? cells : s->name_cells;
		s->has_away = s->has_away || !m->is_connected;
		s->n++;
	}
}

static int seats_max(int a, int b)
{
	return a > b ? a : b;
}

static void seats_deal(struct seats_shape *shape, int voters, int width)
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

/* Whether the screen is meant for it, and all have a place. */
static bool seats_fit(struct seats_shape *shape, const struct seats *s, const struct grid *g,
		      int height, int most)
{
	seats_deal(shape, (int)s->n, g->width);
	return g->height >= shape->screen_rows && shape->card_h <= most &&
	       seats_height(shape) <= height && SEATS_LEFT + shape->card_w <= g->width;
}

/*
 * The largest in which all fit; the last, a line each, where none does. No card is higher than
 * `most`. Large cards whose names are whole come before larger ones whose names are cut.
 */
static struct seats_shape seats_choose(const struct seats *s, const struct grid *g, int height,
				       int most)
{
	bool is_tall = g->height >= SEATS_TALL;
	int large = seats_max(7, s->label_cells + 4);
	int small = seats_max(6, s->label_cells + 2);
	int name = s->name_cells > SEATS_LABEL_CELLS_MOST ? SEATS_LABEL_CELLS_MOST : s->name_cells;
	int wide = seats_max(large + 2, name + 2);
	int huge = seats_max(large + 4, 11);
	int giant = seats_max(large + 10, 17);
	int line = seats_max(s->label_cells, 2);
	int listed = is_tall || s->name_cells < SEATS_NAME_CELLS_MOST ? s->name_cells
								      : SEATS_NAME_CELLS_MOST;
	struct seats_shape shapes[] = {
		/*screen     large  card             pitch */
		{56, true, giant + 42, 23, giant + 44, 25, 0, 0},
		{56, true, giant + 28, 19, giant + 30, 21, 0, 0},
		{56, true, giant + 16, 15, giant + 18, 17, 0, 0},
		{48, true, giant + 16, 13, giant + 18, 15, 0, 0},
		{40, true, giant, 9, giant + 2, 11, 0, 0},
		{40, true, giant, 7, giant + 2, 9, 0, 0},
		{SEATS_TALL, false, huge, 7, seats_max(huge + 2, name + 2), 9, 0, 0},
		{0, false, large, 5, wide, 7, 0, 0},
		{0, false, large, 5, wide, 6, 0, 0},
		{0, false, large, 3, wide, 5, 0, 0},
		{0, false, large, 3, wide, 4, 0, 0},
		{0, false, small, 3, small + 2, 4, 0, 0},
		{0, false, line, 0, line + 1 + listed + (s->has_away ? 5 : 0) + 2, 1, 0, 0},
	};
	size_t last = sizeof(shapes) / sizeof(shapes[0]) - 1;
	for (size_t i = 0; shapes[i].has_large; i++) {
		struct seats_shape named = shapes[i];
		named.pitch_x = seats_max(named.pitch_x, s->name_cells + 2);
		if (named.pitch_x <= g->width && seats_fit(&named, s, g, height, most)) {
			return named;
		}
	}
	for (size_t i = 0; i < last; i++) {
		if (seats_fit(&shapes[i], s, g, height, most)) {
			return shapes[i];
		}
	}
	seats_deal(&shapes[last], (int)s->n, g->width);
	return shapes[last];
}

int seats_rows(const struct seats *s, const struct grid *g, int height)
{
	struct seats_shape shape = seats_choose(s, g, height, SEATS_MODEST);
	return seats_height(&shape);
}

/* Those who are to speak first stand out; an open card is read whoever is away. */
static enum style seats_style(const struct replica *room, const struct user_view *m)
{
	const struct room_result *result = replica_result(room);
	bool is_open = result != NULL && m->vote.data != NULL;
	if (is_open && narrate_is_outlier(result, m->vote)) {
		return STYLE_WARN;
	}
	if (!m->is_connected && !is_open) {
		return STYLE_AWAY;
	}
	if (replica_is_me(room, m)) {
		return STYLE_OWN;
	}
	return room->room.is_revealed	   ? STYLE_CARD_FACE
	       : replica_has_vote(room, m) ? STYLE_CARD_BACK
					   : STYLE_TEXT;
}

/* Names are to be read: whether there is a card is the card's to show. */
static enum style seats_name_style(const struct replica *room, const struct user_view *m)
{
	if (!m->is_connected) {
		return STYLE_AWAY;
	}
	return replica_is_me(room, m) ? STYLE_OWN : STYLE_TEXT;
}

/* Our own card lies open to us alone. */
static const char *seats_face(const struct replica *room, const struct user_view *m)
{
	if (!replica_has_vote(room, m)) {
		return NULL;
	}
	return replica_is_me(room, m) && room->you.vote.data != NULL ? room->you.vote.data
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
static int seats_turned_cells(int cells, enum card_flip_step step)
{
	switch (step) {
	case CARD_FLIP_BACK_NARROW:
	case CARD_FLIP_FACE_NARROW:
		return cells - 2 * ((cells * 3 + 10) / 20);
	case CARD_FLIP_EDGE:
		return 1;
	case CARD_FLIP_BACK:
	case CARD_FLIP_OVER:
		break;
	}
	return cells;
}

/* A label that has no room yet comes with the whole face. */
static void seats_draw_turning(const struct tui *t, const struct replica *room, struct grid *g,
			       int x, int y, const struct seats_shape *shape,
			       const struct user_view *m, enum card_flip_step step)
{
	bool is_face = step >= CARD_FLIP_FACE_NARROW;
	enum style style = is_face ? seats_style(room, m) : STYLE_CARD_BACK;
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
	} else if (draw_cells(draw_label(t->signs, m->vote.data)) <= cells - 2) {
		draw_centred(g, x + 1, y + shape->card_h / 2, style,
			     draw_label(t->signs, m->vote.data), cells - 2, t->signs);
	}
}

/* Below the face of who is away is a row that says so, where there is one. */
static void seats_draw_face(const struct tui *t, struct grid *g, int x, int y,
			    const struct seats_shape *shape, const struct user_view *m,
			    enum style style, const char *face)
{
	int inner_w = shape->card_w - 2;
	int inner_h = shape->card_h - 2;
	bool has_large = shape->has_large && (m->is_connected || inner_h > LARGE_LABEL_ROWS);
	if (!has_large ||
	    !large_label_draw(g, x + 1, y + 1, inner_w, inner_h, style, face, t->signs->bar[8])) {
		draw_centred(g, x + 1, y + shape->card_h / 2, style, draw_label(t->signs, face),
			     inner_w, t->signs);
	}
}

static void seats_draw_still(const struct tui *t, const struct replica *room, struct grid *g, int x,
			     int y, const struct seats_shape *shape, const struct user_view *m)
{
	enum style style = seats_style(room, m);
	int inner_w = shape->card_w - 2;
	int inner_h = shape->card_h - 2;
	int middle = y + shape->card_h / 2;
	const char *face = seats_face(room, m);
	draw_box(g, x, y, shape->card_w, shape->card_h,
		 replica_has_vote(room, m) ? style : STYLE_DIM, &t->signs->card);
	if (face != NULL) {
		seats_draw_face(t, g, x, y, shape, m, style, face);
	} else if (replica_has_vote(room, m)) {
		grid_fill(g, x + 1, y + 1, inner_w, inner_h, style, t->signs->back);
	} else if (m->is_connected) {
		draw_centred(g, x + 1, middle, STYLE_DIM, seats_missing(t, room, m, inner_w),
			     inner_w, t->signs);
	}
	if (!m->is_connected && (face == NULL || inner_h > 1)) {
		char away[AWAY_BYTES];
		grid_fill(g, x + 1, y + inner_h, inner_w, 1, STYLE_AWAY, " ");
		draw_centred(g, x + 1, y + inner_h, STYLE_AWAY, away_text(t, m, inner_w, away),
			     inner_w, t->signs);
	}
}

static void seats_draw_card(const struct tui *t, const struct replica *room, struct grid *g, int x,
			    int y, const struct seats_shape *shape, const struct user_view *m)
{
	char name[MAX_NAME_BYTES + 16];
	int cells = shape->pitch_x - 1;
	enum card_flip_step step = card_flip_is_seen(room, m) ? card_flip_step(t) : CARD_FLIP_OVER;
	if (step == CARD_FLIP_OVER) {
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
				    enum card_flip_step step)
{
	if (step == CARD_FLIP_BACK || step == CARD_FLIP_BACK_NARROW) {
		grid_fill(g, x, y, step == CARD_FLIP_BACK ? 2 : 1, 1, STYLE_CARD_BACK,
			  t->signs->back);
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
	char away[AWAY_BYTES];
	int away_cells = m->is_connected ? 0 : 5;
	enum card_flip_step step = card_flip_is_seen(room, m) ? card_flip_step(t) : CARD_FLIP_OVER;
	if (step < CARD_FLIP_FACE_NARROW) {
		seats_draw_turning_line(t, g, x, y, step);
	} else if (face != NULL) {
		(void)draw_cut(g, x, y, style, draw_label(t->signs, face), shape->card_w, t->signs);
	} else if (replica_has_vote(room, m)) {
		grid_fill(g, x, y, 2, 1, style, t->signs->back);
	} else {
		(void)grid_text(g, x, y, STYLE_DIM, seats_missing(t, room, m, 1), 1);
	}
	x += shape->card_w + 1;
	int cells = shape->pitch_x - shape->card_w - 3;
	cells = cells > g->width - x ? g->width - x : cells;
	seats_name(t, room, m, cells - away_cells, name, sizeof(name));
	int used = grid_text(g, x, y, seats_name_style(room, m), name, cells - away_cells);
	if (away_cells > 0) {
		(void)grid_text(g, x + used + 1, y, STYLE_AWAY,
				away_text(t, m, cells - used - 1, away), -1);
	}
}

int seats_draw(const struct tui *t, const struct replica *room, const struct seats *s,
	       struct grid *g, int y, int height)
{
	if (height <= 0) {
		return 0;
	}
	struct seats_shape shape = seats_choose(s, g, height, INT_MAX);
	int used = seats_height(&shape);
	int top = 0;
	struct grid part = room_view_scroll(t, room, g, y, height, used, &top);
	struct seats_walk w = {0};
	const struct user_view *m;
	int margin = shape.card_h == 0 ? 0 : (shape.pitch_x - 1 - shape.card_w) / 2;
	for (int place = 0; (m = seats_next(room, &w)) != NULL; place++) {
		int row = place / shape.per_row * shape.pitch_y - top;
		int x = SEATS_LEFT + (place % shape.per_row) * shape.pitch_x + margin;
		if (row < 0 || row >= part.height) {
			continue;
		}
		if (shape.card_h == 0) {
			seats_draw_line(t, room, &part, x, row, &shape, m);
		} else {
			seats_draw_card(t, room, &part, x, row, &shape, m);
		}
	}
	return used > height ? height : used;
}
