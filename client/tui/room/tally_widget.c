/*
 * tally_widget.c - where stories are open together, and none of them is at the table: who has voted on
 * how many, in place of cards that nobody can put down.
 *
 * A line each, with a bar; where there are too many for that, without bars in columns, which
 * scroll. Who is away stands here as well, since the votes wait for them all the same.
 */
#include "client/tui/tui_state.h"

#include "client/acts/narrate.h"
#include "proto/base/format.h"

enum {
	TALLY_LEFT = 3,
	TALLY_NAME_CELLS_MOST = 32,
	TALLY_NAME_CELLS_LEAST = 12, /* of names in columns */
	TALLY_BAR_CELLS_LEAST = 6,
	TALLY_BAR_CELLS_MOST = 48,
	TALLY_LONG = 60, /* cells from which on it is told how long one is away */
	TALLY_GAP = 2
};

struct tally {
	size_t open, mine;	    /* stories */
	int n;			    /* members */
	int name, count, bar, away; /* cells of each; 0: it is left out */
	int per_row, pitch;
};

/* The voters, we first; NULL: that was all. @at  0 at first */
static const struct user_view *tally_next(const struct replica *room, size_t *at)
{
	size_t n = room->users.n;
	while (*at < 2 * n) {
		size_t i = (*at)++;
		const struct user_view *m = replica_member_at(room, i < n ? i : i - n);
		if (replica_is_voter(m) && replica_is_me(room, m) == (i < n)) {
			return m;
		}
	}
	return NULL;
}

/* "3 of 12"; "" of others, where who has voted is hidden. */
static const char *tally_count(const struct tally *y, const struct replica *room,
			       const struct user_view *m, char *out, size_t cap)
{
	bool is_me = replica_is_me(room, m);
	(void)format_to(out, cap, "%zu of %zu", is_me ? y->mine : (size_t)m->stories_voted,
			y->open);
	return replica_hides_voters(room) && !is_me ? "" : out;
}

static void tally_lay_out(const struct tui *t, const struct replica *room, const struct grid *g,
			  int height, struct tally *y)
{
	const struct user_view *m;
	char count[48];
	char words[AWAY_BYTES];
	int away = 0;
	size_t at = 0;
	*y = (struct tally){.per_row = 1};
	replica_count_open(room, &y->open, &y->mine);
	while ((m = tally_next(room, &at)) != NULL) {
		int name = draw_cells(replica_name_of(room, m)) + (m->is_host ? 2 : 0);
		int cells = draw_cells(tally_count(y, room, m, count, sizeof(count)));
		y->name = name > y->name ? name : y->name;
		y->count = cells > y->count ? cells : y->count;
		away = !m->is_connected && draw_cells(narrate_away(m, t->now_ms, words)) > away
			       ? draw_cells(words)
			       : away;
		y->n++;
	}
	y->away = away == 0 ? 0
			    : 1 + (g->width < TALLY_LONG || y->n > height ? (int)sizeof("away") - 1
									  : away);
	y->name = y->name > TALLY_NAME_CELLS_MOST ? TALLY_NAME_CELLS_MOST : y->name;
	int rest = g->width - TALLY_LEFT - y->name - TALLY_GAP - y->count - TALLY_GAP - y->away - 1;
	y->name = rest >= 0 ? y->name : y->name + rest > 3 ? y->name + rest : 3;
	y->bar = rest < TALLY_BAR_CELLS_LEAST || replica_hides_voters(room)
			 ? 0
			 : draw_between(0, rest, TALLY_BAR_CELLS_MOST);
	if (y->n > height) {
		y->bar = 0;
		y->name = y->name > TALLY_NAME_CELLS_LEAST ? TALLY_NAME_CELLS_LEAST : y->name;
		y->pitch = y->name + y->count + y->away + 2 * TALLY_GAP + 1;
		y->per_row = draw_between(1, (g->width - TALLY_LEFT) / y->pitch, y->n);
	}
}

static void tally_draw_member(const struct tui *t, const struct replica *room, struct grid *g,
			      int x, int row, const struct tally *y, const struct user_view *m)
{
	char name[MAX_NAME_BYTES + 16];
	char count[48];
	bool is_me = replica_is_me(room, m);
	size_t voted = is_me ? y->mine : (size_t)m->stories_voted;
	enum style style = !m->is_connected ? STYLE_AWAY : is_me ? STYLE_OWN : STYLE_TEXT;
	seats_name(t, room, m, y->name, name, sizeof(name));
	(void)grid_text(g, x, row, style, name, y->name);
	x += y->name + TALLY_GAP + y->count;
	(void)draw_right(g, x, row, voted == y->open ? STYLE_GOOD : style,
			 tally_count(y, room, m, count, sizeof(count)));
	x += TALLY_GAP;
	if (y->bar > 0 && voted > 0) {
		draw_bar(g, x, row, y->bar, (int64_t)voted, (int64_t)y->open,
			 voted == y->open ? STYLE_GOOD : STYLE_CARD_BACK, t->signs);
	}
	x += y->bar > 0 ? y->bar + 1 : 0;
	if (!m->is_connected) {
		char away[AWAY_BYTES];
		(void)grid_text(g, x, row, STYLE_AWAY, away_text(t, m, y->away - 1, away), -1);
	}
}

int tally_draw(const struct tui *t, const struct replica *room, struct grid *g, int y, int height)
{
	struct tally tally;
	const struct user_view *m;
	size_t at = 0;
	int top = 0;
	if (height <= 0) {
		return 0;
	}
	tally_lay_out(t, room, g, height, &tally);
	int rows = (tally.n + tally.per_row - 1) / tally.per_row;
	struct grid part = room_view_scroll(t, room, g, y, height, rows, &top);
	for (int i = 0; (m = tally_next(room, &at)) != NULL; i++) {
		int row = i / tally.per_row - top;
		if (row >= 0 && row < part.height) {
			tally_draw_member(t, room, &part,
					  TALLY_LEFT + i % tally.per_row * tally.pitch, row, &tally,
					  m);
		}
	}
	return rows > height ? height : rows;
}
