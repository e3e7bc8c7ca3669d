/*
 * writing_view.c - a text of several lines on the whole screen: what it is
 * about, who else is at it, and how it stands.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/room/story_find.h"
#include "proto/base/format.h"

enum { WRITING_VIEW_LEFT = 2 };

static const char *writing_view_title(const struct writing *w)
{
	return w->what == WRITING_NOTES ? "Notes" : "Description";
}

/* "PAY-118 Refund a split payment", behind its number. */
static void writing_view_about(const struct replica *room, const struct writing *w, char *out,
			       size_t cap)
{
	size_t at = stories_index(room, w->key);
	struct story_name name;
	if (at < room->stories.n) {
		(void)format_to(out, cap, "%zu  %s", at + 1,
				story_name(replica_story_at(room, at), &name));
	} else {
		(void)format_to(out, cap, "%s",
				w->what == WRITING_NOTES && strcmp(w->key, SHARED_NOTES_QUICK) == 0
					? "Quick votes"
					: "A story that was removed");
	}
}

static void writing_view_draw_head(const struct tui *t, const struct replica *room, struct grid *g)
{
	enum { WHO_CELLS = 20, NAME_LEAST = 6 };
	const struct writing *w = &t->writing;
	char line[TUI_MESSAGE_BYTES_MAX];
	(void)grid_text(g, 1, 0, STYLE_TITLE, writing_view_title(w), -1);
	int cells = g->width / 3 > WHO_CELLS ? WHO_CELLS : g->width / 3;
	(void)draw_right(g, g->width - 1, 0, STYLE_STRONG,
			 stories_who(t, room, w->key, cells < NAME_LEAST ? NAME_LEAST : cells, line,
				     sizeof(line)));
	if (g->height > 6) {
		writing_view_about(room, w, line, sizeof(line));
		(void)draw_cut(g, 1, 1, STYLE_DIM, line, g->width - 2, t->signs);
	}
}

/* How it stands; the first that holds. */
static const char *writing_view_state(const struct replica *room, const struct writing *w,
				      enum style *style)
{
	bool is_changed = writing_is_changed(w);
	*style = STYLE_DIM;
	if (w->is_saving) {
		return "Saving";
	}
	if (is_changed && writing_has_news(w, room)) {
		*style = STYLE_WARN;
		return "Others saved too. ^S to merge";
	}
	if (is_changed) {
		*style = STYLE_STRONG;
		return "Not saved yet";
	}
	return w->what == WRITING_NOTES ? "Everyone in the room can edit this"
					: "The story's description, also in exports";
}

static void writing_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	enum style style;
	const struct writing *w = &t->writing;
	bool is_roomy = g->height >= DRAW_ROOMY;
	int top = (g->height > 6 ? 2 : 1) + (is_roomy ? 1 : 0);
	int end = height - (is_roomy ? 2 : 1);
	writing_view_draw_head(t, room, g);
	text_editor_draw(w->sheet, g, WRITING_VIEW_LEFT, top, g->width - WRITING_VIEW_LEFT - 1,
			 end - top);
	const char *state = writing_view_state(room, w, &style);
	(void)draw_cut(g, 1, end + (is_roomy ? 1 : 0), style, state, g->width - 2, t->signs);
}

static struct act writing_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	enum { CTRL_S = 19 };
	struct writing *w = &t->writing;
	size_t len = w->sheet->len;
	writing_follow(t, room);
	switch (key) {
	case CTRL_S:
		return writing_save(t, room);
	case TUI_KEY_ESCAPE:
		writing_leave(t);
		return (struct act){0};
	}
	(void)text_editor_take_key(w->sheet, key);
	w->has_typed = w->has_typed || w->sheet->len != len;
	return (struct act){0};
}

static const char *writing_view_story(const struct tui *t, const struct replica *room)
{
	(void)room;
	return t->writing.key;
}

const struct view writing_view = {
	.is_over = true,
	.sheet = offsetof(struct tui, writing.sheet),
	.story = writing_view_story,
	.draw = writing_view_draw,
	.take_key = writing_view_take_key,
	.footer = "^S save  Esc back  Enter new line",
};
