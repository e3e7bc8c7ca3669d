/*
 * stories_list.c - stories as lines: number, title, and at the right what has
 * become of each. For the stories view, and beside the table on wide screens.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum { STORIES_STATE_CELLS = 8, STORIES_WHO_CELLS = 16 };

size_t stories_list_count(const struct replica *room, enum story_status status)
{
	size_t n = 0;
	for (size_t i = 0; i < room->stories.n; i++) {
		n += replica_story_at(room, i)->status == status ? 1 : 0;
	}
	return n;
}

size_t stories_list_focus(struct tui *t, const struct replica *room)
{
	const char *id = t->story[0] != '\0' ? t->story : room->room.story_id.data;
	for (size_t i = 0; id != NULL && i < room->stories.n; i++) {
		if (strcmp(replica_story_at(room, i)->story_id.data, id) == 0) {
			t->story_at = i;
			break;
		}
	}
	if (t->story_at >= room->stories.n) {
		t->story_at = room->stories.n == 0 ? 0 : room->stories.n - 1;
	}
	return t->story_at;
}

static bool stories_list_is_current(const struct replica *room, const struct story_view *s)
{
	return room->room.story_id.data != NULL &&
	       strcmp(room->room.story_id.data, s->story_id.data) == 0;
}

static enum style stories_list_style(const struct replica *room, const struct story_view *s)
{
	if (stories_list_is_current(room, s)) {
		return STYLE_STRONG;
	}
	return s->status == STORY_TODO || s->status == STORY_VOTING ? STYLE_TEXT : STYLE_DIM;
}

static void stories_list_draw_state(const struct replica *room, const struct story_view *s,
				    struct grid *g, int y)
{
	const char *state = s->estimate.data != NULL ? s->estimate.data : "";
	enum style style = STYLE_GOOD;
	if (stories_list_is_current(room, s) && s->estimate.data == NULL) {
		state = "voting";
		style = STYLE_STRONG;
	} else if (s->status == STORY_SKIPPED) {
		state = "skipped";
		style = STYLE_DIM;
	} else if (s->status == STORY_DONE && s->estimate.data == NULL) {
		state = "done";
	}
	(void)draw_right(g, g->width - 1, y, style, state);
}

/* Who looks at it, in front of column `end`; returns where the title has to end. */
static int stories_list_draw_who(const struct tui *t, const struct replica *room,
				 const struct story_view *s, struct grid *g, int y, int end)
{
	char who[TUI_MESSAGE_BYTES_MAX];
	int most = g->width / 4;
	doing_at_story(t, room, s->story_id.data,
		       most > STORIES_WHO_CELLS ? STORIES_WHO_CELLS : most, who, sizeof(who));
	if (who[0] == '\0') {
		return end;
	}
	int x = draw_right(g, end, y, STYLE_DIM, who) - 2;
	(void)grid_text(g, x, y, STYLE_DIM, t->signs->looking, 1);
	return x - 1;
}

static void stories_list_draw_one(const struct tui *t, const struct replica *room, struct grid *g,
				  int y, size_t at, bool has_focus)
{
	enum { NUMBER_X = 2, NUMBER_CELLS = 3, TITLE_X = NUMBER_X + NUMBER_CELLS + 2 };
	const struct story_view *s = replica_story_at(room, at);
	char number[24];
	(void)format_to(number, sizeof(number), "%*zu", NUMBER_CELLS, at + 1);
	(void)grid_text(g, NUMBER_X, y, stories_list_is_current(room, s) ? STYLE_STRONG : STYLE_DIM,
			number, -1);
	int end = stories_list_draw_who(t, room, s, g, y, g->width - STORIES_STATE_CELLS - 2);
	(void)draw_cut(g, TITLE_X, y, has_focus ? STYLE_CHOSEN : stories_list_style(room, s),
		       s->title.data, end - TITLE_X, t->signs);
	stories_list_draw_state(room, s, g, y);
	if (has_focus) {
		(void)grid_text(g, 1, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, TITLE_X, y);
	} else if (stories_list_is_current(room, s)) {
		(void)grid_text(g, 1, y, STYLE_STRONG, t->signs->current, 1);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_STORY, mouse_which(s->story_id.data)});
}

void stories_list_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
		       int height, size_t focus)
{
	bool is_focused = focus != SIZE_MAX;
	size_t shown = height < 0 ? 0 : (size_t)height;
	for (size_t i = 0; !is_focused && i < room->stories.n; i++) {
		if (stories_list_is_current(room, replica_story_at(room, i))) {
			focus = i;
		}
	}
	size_t at = focus == SIZE_MAX ? 0 : focus;
	/* The focus stays in the middle where there is more on both sides. */
	size_t top = at < shown / 2 ? 0 : at - shown / 2;
	size_t last = room->stories.n > shown ? room->stories.n - shown : 0;
	top = top > last ? last : top;
	for (size_t i = 0; i < shown && top + i < room->stories.n; i++) {
		stories_list_draw_one(t, room, g, y + (int)i, top + i,
				      is_focused && top + i == focus);
	}
}
