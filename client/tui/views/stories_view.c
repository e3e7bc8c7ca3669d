/*
 * stories_view.c - the list of what is to be estimated: choose, add, change,
 * order, remove. What is known of the story in focus stands below the list.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/deck.h"
#include "proto/format.h"

enum { STORIES_VIEW_ROOMY = 18, STORIES_VIEW_PAGE = 8 };

static void stories_view_draw_head(const struct tui *t, const struct replica *room, struct grid *g)
{
	double points = 0;
	size_t settled = 0;
	char sum[32];
	char line[96];
	for (size_t i = 0; i < room->stories.n; i++) {
		double value;
		const char *estimate = replica_story_at(room, i)->estimate.data;
		settled += estimate != NULL ? 1 : 0;
		if (estimate != NULL && card_number(slice_str(estimate), &value)) {
			points += value;
		}
	}
	result_number(points, 1, sum, sizeof(sum));
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Stories", -1);
	(void)format_to(line, sizeof(line), "%zu of %zu estimated%ssum %s", settled,
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
};
enum { STORIES_VIEW_PARTS = 3 };

static void stories_view_parts(const struct replica *room, const struct story_view *s,
			       struct stories_view_part parts[STORIES_VIEW_PARTS])
{
	const struct shared_note *n = replica_note(room, s->story_id.data);
	parts[0] = (struct stories_view_part){"link", s->link.data, STYLE_DIM};
	parts[1] = (struct stories_view_part){"about", s->notes.data, STYLE_TEXT};
	parts[2] = (struct stories_view_part){"notes", n == NULL ? NULL : n->text.data, STYLE_TEXT};
}

static int stories_view_part_lines(const struct stories_view_part *p)
{
	int lines = 0;
	for (const char *at = p->text == NULL ? "" : p->text; *at != '\0';) {
		size_t len = strcspn(at, "\n");
		at += len + (at[len] == '\n' ? 1 : 0);
		lines++;
	}
	return lines;
}

/* The lines that fit; the last of them says so where there are more. Returns the next row. */
static int stories_view_draw_part(const struct tui *t, struct grid *g, int y, int end,
				  const struct stories_view_part *p)
{
	enum { LABEL = 1, LEFT = 7 };
	const char *at = p->text == NULL ? "" : p->text;
	if (*at != '\0' && y < end) {
		(void)grid_text(g, LABEL, y, STYLE_DIM, p->label, -1);
	}
	while (*at != '\0' && y < end) {
		char line[TUI_MESSAGE_BYTES_MAX];
		size_t len = strcspn(at, "\n");
		(void)format_to(line, sizeof(line), "%.*s", (int)len, at);
		at += len + (at[len] == '\n' ? 1 : 0);
		int used = draw_cut(g, LEFT, y, p->style, line, g->width - LEFT - 3, t->signs);
		if (*at != '\0' && y == end - 1) {
			(void)grid_text(g, LEFT + used, y, STYLE_DIM, t->signs->cut, 1);
		}
		y++;
	}
	return y;
}

/* Rows for what is known of the story in focus, a gap above it counted; 0: nothing is. */
static int stories_view_detail_rows(const struct replica *room, const struct story_view *s,
				    int height)
{
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int lines = 0;
	stories_view_parts(room, s, parts);
	for (size_t i = 0; i < STORIES_VIEW_PARTS; i++) {
		lines += stories_view_part_lines(&parts[i]);
	}
	int most = height / 3;
	return lines == 0 ? 0 : lines + 1 > most ? most : lines + 1;
}

static void stories_view_draw_detail(const struct tui *t, const struct replica *room,
				     struct grid *g, int y, int height, const struct story_view *s)
{
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int end = y + height;
	stories_view_parts(room, s, parts);
	for (size_t i = 0; i < STORIES_VIEW_PARTS; i++) {
		int others = 0; /* each of the next ones gets a line at least */
		for (size_t k = i + 1; k < STORIES_VIEW_PARTS; k++) {
			others += stories_view_part_lines(&parts[k]) > 0 ? 1 : 0;
		}
		y = stories_view_draw_part(t, g, y, end - others, &parts[i]);
	}
}

static void stories_view_draw_removed(const struct tui *t, const struct replica *room,
				      struct grid *g, int y)
{
	char line[TUI_MESSAGE_BYTES_MAX];
	const struct story_view *s = stories_view_removed(room);
	(void)format_to(line, sizeof(line), "%zu removed%su restores %s", room->removed.n,
			t->signs->dot, s->title.data);
	(void)draw_cut(g, 1, y, STYLE_DIM, line, g->width - 2, t->signs);
}

static void stories_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	bool is_roomy = g->height >= STORIES_VIEW_ROOMY;
	int y = is_roomy ? 2 : 1;
	int end = height - (is_roomy ? 1 : 0);
	size_t focus = stories_list_focus(t, room);
	stories_view_draw_head(t, room, g);
	if (room->removed.n > 0 && end - y > 2) {
		stories_view_draw_removed(t, room, g, --end);
	}
	if (room->stories.n == 0) {
		y += draw_wrapped(g, 3, y, STYLE_DIM,
				  "No stories yet. a adds one; pasted lines become stories.",
				  g->width - 4);
		(void)draw_wrapped(g, 3, y, STYLE_DIM,
				   "Without stories every round is a quick vote.", g->width - 4);
		return;
	}
	const struct story_view *s = replica_story_at(room, focus);
	int detail = is_roomy ? stories_view_detail_rows(room, s, end - y) : 0;
	stories_list_draw(t, room, g, y, end - y - detail, focus);
	if (detail > 0) {
		stories_view_draw_detail(t, room, g, end - detail + 1, detail - 1, s);
	}
}

static void stories_view_go(struct tui *t, const struct replica *room, size_t at)
{
	if (room->stories.n == 0) {
		return;
	}
	t->story_at = at >= room->stories.n ? room->stories.n - 1 : at;
	(void)format_to(t->story, sizeof(t->story), "%s",
			replica_story_at(room, t->story_at)->story_id.data);
}

static struct act stories_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	size_t at = stories_list_focus(t, room);
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		stories_view_go(t, room, at > 0 ? at - 1 : 0);
		return (struct act){0};
	case TUI_KEY_DOWN:
	case 'j':
		stories_view_go(t, room, at + 1);
		return (struct act){0};
	case TUI_KEY_PAGE_UP:
		stories_view_go(t, room, at > STORIES_VIEW_PAGE ? at - STORIES_VIEW_PAGE : 0);
		return (struct act){0};
	case TUI_KEY_PAGE_DOWN:
		stories_view_go(t, room, at + STORIES_VIEW_PAGE);
		return (struct act){0};
	case TUI_KEY_HOME:
		stories_view_go(t, room, 0);
		return (struct act){0};
	case TUI_KEY_END:
		stories_view_go(t, room, SIZE_MAX);
		return (struct act){0};
	}
	stories_view_go(t, room, at);
	return tui_act_on_key(t, room, key);
}

const struct view stories_view = {
	.draw = stories_view_draw,
	.take_key = stories_view_take_key,
};
