/*
 * stories_view.c - the list of what is to be estimated: choose, add, change,
 * order, remove. What is known of the story in focus stands below the list.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/deck.h"
#include "proto/format.h"

enum { STORIES_VIEW_ROOMY = 18, STORIES_VIEW_DETAIL_ROWS = 5, STORIES_VIEW_PAGE = 8 };

static void stories_view_draw_head(const struct tui *t, const struct replica *room, struct grid *g)
{
	double points = 0;
	size_t settled = 0;
	char sum[32];
	char line[96];
	for (size_t i = 0; i < room->stories_n; i++) {
		double value;
		const char *estimate = room->stories[i].estimate;
		settled += estimate != NULL ? 1 : 0;
		if (estimate != NULL && card_number(slice_str(estimate), &value)) {
			points += value;
		}
	}
	result_number(points, 1, sum, sizeof(sum));
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Stories", -1);
	(void)format_to(line, sizeof(line), "%zu of %zu estimated%ssum %s", settled,
			room->stories_n, t->signs->dot, sum);
	if (room->stories_n > 0) {
		(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	}
}

/* The story that was removed last, as far as the list tells: the last of those off it. */
static const struct story *stories_view_removed(const struct replica *room)
{
	return room->removed_n == 0 ? NULL : &room->stories[room->stories_n + room->removed_n - 1];
}

static void stories_view_draw_detail(const struct tui *t, const struct replica *room,
				     struct grid *g, int y, int height, const struct story *s)
{
	enum { LEFT = 7 };
	int end = y + height;
	if (s->link != NULL && y < end) {
		(void)draw_cut(g, LEFT, y++, STYLE_DIM, s->link, g->width - LEFT - 1, t->signs);
	}
	const char *at = s->notes == NULL ? "" : s->notes;
	while (*at != '\0' && y < end) {
		char line[TUI_MESSAGE_BYTES_MAX];
		size_t len = strcspn(at, "\n");
		(void)format_to(line, sizeof(line), "%.*s", (int)len, at);
		(void)draw_cut(g, LEFT, y++, STYLE_TEXT, line, g->width - LEFT - 1, t->signs);
		at += len + (at[len] == '\n' ? 1 : 0);
	}
	(void)room;
}

static void stories_view_draw_removed(const struct tui *t, const struct replica *room,
				      struct grid *g, int y)
{
	char line[TUI_MESSAGE_BYTES_MAX];
	const struct story *s = stories_view_removed(room);
	(void)format_to(line, sizeof(line), "%zu removed%su restores %s", room->removed_n,
			t->signs->dot, s->title);
	(void)draw_cut(g, 1, y, STYLE_DIM, line, g->width - 2, t->signs);
}

static void stories_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	bool is_roomy = g->height >= STORIES_VIEW_ROOMY;
	int y = is_roomy ? 2 : 1;
	int end = height - (is_roomy ? 1 : 0);
	size_t focus = stories_list_focus(t, room);
	stories_view_draw_head(t, room, g);
	if (room->removed_n > 0 && end - y > 2) {
		stories_view_draw_removed(t, room, g, --end);
	}
	if (room->stories_n == 0) {
		(void)draw_cut(g, 3, y, STYLE_DIM, "No stories yet. a adds one; paste works too.",
			       g->width - 4, t->signs);
		(void)draw_cut(g, 3, y + 1, STYLE_DIM,
			       "Without stories every round is a quick vote.", g->width - 4,
			       t->signs);
		return;
	}
	const struct story *s = &room->stories[focus];
	int detail =
		is_roomy && (s->link != NULL || s->notes != NULL) ? STORIES_VIEW_DETAIL_ROWS : 0;
	stories_list_draw(t, room, g, y, end - y - detail, focus);
	if (detail > 0) {
		stories_view_draw_detail(t, room, g, end - detail + 1, detail - 1, s);
	}
}

static void stories_view_go(struct tui *t, const struct replica *room, size_t at)
{
	if (room->stories_n == 0) {
		return;
	}
	t->story_at = at >= room->stories_n ? room->stories_n - 1 : at;
	(void)format_to(t->story, sizeof(t->story), "%s", room->stories[t->story_at].story_id);
}

static struct ask stories_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	size_t at = stories_list_focus(t, room);
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		stories_view_go(t, room, at > 0 ? at - 1 : 0);
		return (struct ask){0};
	case TUI_KEY_DOWN:
	case 'j':
		stories_view_go(t, room, at + 1);
		return (struct ask){0};
	case TUI_KEY_PAGE_UP:
		stories_view_go(t, room, at > STORIES_VIEW_PAGE ? at - STORIES_VIEW_PAGE : 0);
		return (struct ask){0};
	case TUI_KEY_PAGE_DOWN:
		stories_view_go(t, room, at + STORIES_VIEW_PAGE);
		return (struct ask){0};
	case TUI_KEY_HOME:
		stories_view_go(t, room, 0);
		return (struct ask){0};
	case TUI_KEY_END:
		stories_view_go(t, room, SIZE_MAX);
		return (struct ask){0};
	}
	stories_view_go(t, room, at);
	return tui_act_on_key(t, room, key);
}

const struct view stories_view = {
	.draw = stories_view_draw,
	.take_key = stories_view_take_key,
};
