/*
 * stories_view.c - the list of what is to be estimated: choose, add, change,
 * order, remove. What is known of the story in focus stands below the list.
 */
#include "client/tui/tui_state.h"

#include <limits.h>
#include <string.h>

#include "client/model/story_find.h"
#include "proto/deck.h"
#include "proto/format.h"

enum { STORIES_SIGN_X = 1, STORIES_TITLE_X = 7, STORIES_STATE_CELLS = 8, STORIES_WHO_CELLS = 16 };

size_t stories_count(const struct replica *room, enum story_status status)
{
	size_t n = 0;
	for (size_t i = 0; i < room->stories.n; i++) {
		n += replica_story_at(room, i)->status == status ? 1 : 0;
	}
	return n;
}

size_t stories_estimated(const struct replica *room)
{
	size_t n = 0;
	for (size_t i = 0; i < room->stories.n; i++) {
		n += replica_story_at(room, i)->estimate.data != NULL ? 1 : 0;
	}
	return n;
}

size_t stories_index(const struct replica *room, const char *story_id)
{
	size_t at = 0;
	while (at < room->stories.n &&
	       (story_id == NULL ||
		strcmp(replica_story_at(room, at)->story_id.data, story_id) != 0)) {
		at++;
	}
	return at;
}

size_t stories_focus_at(struct tui *t, const struct replica *room)
{
	return list_at(tui_listing(t, room, VIEW_STORIES));
}

const struct story_view *stories_focus(struct tui *t, const struct replica *room)
{
	return room->stories.n == 0 ? NULL : replica_story_at(room, stories_focus_at(t, room));
}

/* ---- the list: number, title, and at the right what has become of each ---- */

static size_t stories_rows_count(struct listing l)
{
	return l.room->stories.n;
}

static bool stories_shows(struct listing l, size_t at, const char *filter)
{
	struct story_name name;
	return list_matches(story_name(replica_story_at(l.room, at), &name), filter);
}

static uint64_t stories_key(struct listing l, size_t at)
{
	return list_key(replica_story_at(l.room, at)->story_id.data);
}

static bool stories_is_current(const struct replica *room, const struct story_view *s)
{
	return room->room.story_id.data != NULL &&
	       strcmp(room->room.story_id.data, s->story_id.data) == 0;
}

static enum style stories_style(const struct replica *room, const struct story_view *s)
{
	if (stories_is_current(room, s)) {
		return STYLE_STRONG;
	}
	return s->status == STORY_TODO || s->status == STORY_VOTING ? STYLE_TEXT : STYLE_DIM;
}

static void stories_draw_state(const struct replica *room, const struct story_view *s,
			       struct grid *g, int y)
{
	char unsaved[MAX_CARD_BYTES + 2];
	const char *state = s->estimate.data != NULL ? s->estimate.data : "";
	enum style style = STYLE_GOOD;
	if (stories_is_current(room, s) && s->estimate.data == NULL) {
		state = "voting";
		style = STYLE_STRONG;
	} else if (s->status == STORY_SKIPPED) {
		state = "skipped";
		style = STYLE_DIM;
	} else if (s->status == STORY_DONE && s->estimate.data == NULL) {
		state = "done";
	}
	if (s->is_unsaved) { /* below the list it says why */
		(void)format_to(unsaved, sizeof(unsaved), "%s!", state);
		state = unsaved;
		style = STYLE_WARN;
	}
	(void)draw_right(g, g->width - 1, y, style, state);
}

int stories_draw_who(const struct tui *t, const struct replica *room, const char *story_id,
		     struct grid *g, int y, int end, int cells, enum style style)
{
	char who[TUI_MESSAGE_BYTES_MAX];
	doing_at_story(t, room, story_id, cells, who, sizeof(who));
	if (who[0] == '\0') {
		return end;
	}
	int x = draw_right(g, end, y, style, who) - 2;
	(void)grid_text(g, x, y, STYLE_DIM, t->signs->looking, 1);
	return x - 1;
}

static void stories_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { NUMBER_X = 2, NUMBER_CELLS = 3 };
	const struct story_view *s = replica_story_at(l.room, at);
	bool is_current = stories_is_current(l.room, s);
	struct story_name name;
	char number[24];
	(void)format_to(number, sizeof(number), "%*zu", NUMBER_CELLS, at + 1);
	(void)grid_text(g, NUMBER_X, y, is_current ? STYLE_STRONG : STYLE_DIM, number, -1);
	if (is_current) {
		(void)grid_text(g, STORIES_SIGN_X, y, STYLE_STRONG, l.t->signs->current, 1);
	}
	int cells = g->width / 4 > STORIES_WHO_CELLS ? STORIES_WHO_CELLS : g->width / 4;
	int end = stories_draw_who(l.t, l.room, s->story_id.data, g, y,
				   g->width - STORIES_STATE_CELLS - 2, cells, STYLE_DIM);
	(void)draw_cut(g, STORIES_TITLE_X, y, has_cursor ? STYLE_CHOSEN : stories_style(l.room, s),
		       story_name(s, &name), end - STORIES_TITLE_X, l.t->signs);
	stories_draw_state(l.room, s, g, y);
}

/* The one that is voted on. */
static size_t stories_start(struct listing l)
{
	size_t at = stories_index(l.room, l.room->room.story_id.data);
	return at < l.room->stories.n ? at : 0;
}

static const struct list_rows stories_rows = {
	.count = stories_rows_count,
	.shows = stories_shows,
	.key = stories_key,
	.start = stories_start,
	.draw = stories_draw_one,
	.sign_x = STORIES_SIGN_X,
	.cursor_x = STORIES_TITLE_X,
};

/* ---- the page ---- */

static void stories_view_draw_head(const struct tui *t, const struct replica *room, struct grid *g)
{
	double points = 0;
	char sum[32];
	char line[96];
	for (size_t i = 0; i < room->stories.n; i++) {
		double value;
		const char *estimate = replica_story_at(room, i)->estimate.data;
		if (estimate != NULL && card_number(slice_str(estimate), &value)) {
			points += value;
		}
	}
	result_number(points, 1, sum, sizeof(sum));
	(void)format_to(line, sizeof(line), "%zu of %zu estimated%ssum %s", stories_estimated(room),
			room->stories.n, t->signs->dot, sum);
	if (room->stories.n > 0) {
		(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	}
}

/* The story that was removed last, as far as the list tells: the last of those off it. */
static const struct story_view *stories_view_removed(const struct replica *room)
{
	return room->removed.n == 0 ? NULL
				    : replica_story_at(room, room->stories.n + room->removed.n - 1);
}

/* One thing that is known of a story: its label, and its text from there on. */
struct stories_view_part {
	const char *label;
	const char *text; /* NULL or empty: nothing */
	enum style style;
	bool is_link;
};
enum { STORIES_VIEW_PARTS = 4 };

/* Why the estimate does not stand in the backlog that the story came from; NULL: it does. */
static const char *stories_view_unsaved(const struct story_view *s)
{
	if (!s->is_unsaved) {
		return NULL;
	}
	if (!s->with_unsaved_reason) {
		return "The estimate is on its way to the backlog";
	}
	switch (s->unsaved_reason) {
	case UNSAVED_ITEM_GONE:
		return "The backlog has this item no more: the estimate is only here";
	case UNSAVED_NOT_A_MEMBER:
		return "Settled by somebody who is not in the team: the estimate is only here";
	}
	return NULL;
}

static void stories_view_parts(const struct replica *room, const struct story_view *s,
			       struct story_link *link,
			       struct stories_view_part parts[STORIES_VIEW_PARTS])
{
	const struct shared_note *n = replica_note(room, s->story_id.data);
	parts[0] = (struct stories_view_part){"link", story_link(room, s, link), STYLE_DIM, true};
	parts[1] =
		(struct stories_view_part){"description", s->description.data, STYLE_TEXT, false};
	parts[3] =
		(struct stories_view_part){"backlog", stories_view_unsaved(s), STYLE_WARN, false};
	parts[2] = (struct stories_view_part){"notes", n == NULL ? NULL : n->text.data, STYLE_TEXT,
					      false};
}

/* The lines that fit; the last of them says so where there are more. Returns the next row. With g NULL it only counts. */
static int stories_view_draw_part(const struct tui *t, struct grid *g, int y, int end,
				  const struct stories_view_part *p)
{
	enum { LABEL = 1, LEFT = 14 };
	const char *at = p->text == NULL ? "" : p->text;
	if (g != NULL && *at != '\0' && y < end) {
		(void)grid_text(g, LABEL, y, STYLE_DIM, p->label, -1);
	}
	for (; *at != '\0' && y < end; y++) {
		char line[TUI_MESSAGE_BYTES_MAX];
		size_t len = strcspn(at, "\n");
		(void)format_to(line, sizeof(line), "%.*s", (int)len, at);
		at += len + (at[len] == '\n' ? 1 : 0);
		int used = g == NULL ? 0
				     : draw_cut(g, LEFT, y, p->style, line, g->width - LEFT - 3,
						t->signs);
		if (g != NULL && p->is_link) {
			grid_mark_link(g, LEFT, y, used);
		}
		if (g != NULL && *at != '\0' && y == end - 1) {
			(void)grid_text(g, LEFT + used, y, STYLE_DIM, t->signs->cut, 1);
		}
	}
	return y;
}

/* Rows for what is known of the story in focus, a gap above it counted; 0: nothing is. */
static int stories_view_detail_rows(const struct replica *room, const struct story_view *s,
				    int height)
{
	struct story_link link;
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int lines = 0;
	stories_view_parts(room, s, &link, parts);
	for (size_t i = 0; i < STORIES_VIEW_PARTS; i++) {
		lines += stories_view_draw_part(NULL, NULL, 0, INT_MAX, &parts[i]);
	}
	int most = height / 3;
	return lines == 0 ? 0 : lines + 1 > most ? most : lines + 1;
}

static void stories_view_draw_detail(const struct tui *t, const struct replica *room,
				     struct grid *g, int y, int height, const struct story_view *s)
{
	struct story_link link;
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int end = y + height;
	stories_view_parts(room, s, &link, parts);
	for (size_t i = 0; i < STORIES_VIEW_PARTS; i++) {
		int others = 0; /* each of the next ones gets a line at least */
		for (size_t k = i + 1; k < STORIES_VIEW_PARTS; k++) {
			others += stories_view_draw_part(NULL, NULL, 0, 1, &parts[k]);
		}
		y = stories_view_draw_part(t, g, y, end - others, &parts[i]);
	}
}

static void stories_view_draw_removed(const struct tui *t, const struct replica *room,
				      struct grid *g, int y)
{
	char line[TUI_MESSAGE_BYTES_MAX];
	struct story_name name;
	(void)format_to(line, sizeof(line), "%zu removed%su restores %s", room->removed.n,
			t->signs->dot, story_name(stories_view_removed(room), &name));
	(void)draw_cut(g, 1, y, STYLE_DIM, line, g->width - 2, t->signs);
}

static void stories_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	bool is_roomy = g->height >= DRAW_ROOMY;
	int y = draw_title(g, "Stories");
	int end = height - (is_roomy ? 1 : 0);
	stories_view_draw_head(t, room, g);
	if (room->removed.n > 0 && end - y > 2) {
		stories_view_draw_removed(t, room, g, --end);
	}
	if (room->stories.n == 0) {
		y += draw_wrapped(g, 3, y, STYLE_DIM,
				  "No stories yet. a adds one; pasted lines become stories.",
				  g->width - 4);
		if (room->room.group_id.data != NULL) {
			y += draw_wrapped(g, 3, y, STYLE_DIM,
					  "b takes them from a backlog of the team.", g->width - 4);
		}
		(void)draw_wrapped(g, 3, y, STYLE_DIM,
				   "Without stories every round is a quick vote.", g->width - 4);
		return;
	}
	const struct story_view *s = stories_focus(t, room);
	int detail = is_roomy ? stories_view_detail_rows(room, s, end - y) : 0;
	list_draw(tui_listing(t, room, VIEW_STORIES), g, y, end - y - detail, true);
	if (detail > 0) {
		stories_view_draw_detail(t, room, g, end - detail + 1, detail - 1, s);
	}
}

const struct view stories_view = {
	.draw = stories_view_draw,
	.rows = &stories_rows,
};
