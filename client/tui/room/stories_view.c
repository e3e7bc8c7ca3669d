/*
 * stories_view.c - the list of what is to be estimated: choose, add, change,
 * order, remove. What is known of the story in focus stands below the list.
 */
#include "client/tui/tui_state.h"

#include <limits.h>
#include <string.h>

#include "client/acts/story_words.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/deck.h"

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

size_t stories_focus_at(const struct tui *t, const struct replica *room)
{
	return list_at(tui_listing(t, room, VIEW_STORIES));
}

const struct story_view *stories_focus(const struct tui *t, const struct replica *room)
{
	return list_row(tui_listing(t, room, VIEW_STORIES));
}

/* Narrower, the head has only what waits for the user, and deadlines leave their room to titles. */
enum { STORIES_VIEW_WIDE = 60 };

/* ---- the list: number, title, and at the right what has become of each ---- */

static const struct rows *stories_rows_of(struct listing l)
{
	return &l.room->stories;
}

static const char *stories_mark(const struct list_cell *c)
{
	return replica_is_current(c->l.room, c->row) ? c->l.signs->current : NULL;
}

static const char *stories_number(struct list_cell *c)
{
	return list_words(c, "%2zu", c->at + 1);
}

static enum style stories_number_style(const struct list_cell *c)
{
	return replica_is_current(c->l.room, c->row) ? STYLE_STRONG : STYLE_DIM;
}

static const char *stories_title(struct list_cell *c)
{
	struct story_name name;
	return list_words(c, "%s", story_name(c->row, &name));
}

static enum style stories_title_style(const struct list_cell *c)
{
	const struct story_view *s = c->row;
	if (replica_is_current(c->l.room, s)) {
		return STYLE_STRONG;
	}
	return s->status == STORY_TODO || s->status == STORY_VOTING ? STYLE_TEXT : STYLE_DIM;
}

const char *stories_who(const struct tui *t, const struct replica *room, const char *story_id,
			int cells, char *out, size_t cap)
{
	size_t n = format_to(out, cap, "%s ", t->signs->looking);
	doing_at_story(t, room, story_id, cells, out + n, cap - n);
	return out[n] == '\0' ? "" : out;
}

static const char *stories_others(struct list_cell *c)
{
	enum { CELLS = 16 };
	const struct story_view *s = c->row;
	int cells = c->width / 4 > CELLS ? CELLS : c->width / 4;
	return stories_who(c->l.t, c->l.room, s->story_id.data, cells, c->out, COLUMN_TEXT_BYTES);
}

static bool stories_is_voted_on(const struct list_cell *c)
{
	const struct story_view *s = c->row;
	return replica_is_current(c->l.room, s) && s->estimate.data == NULL;
}

/* The own card on a story that is open together with others. */
static const char *stories_mine(struct list_cell *c)
{
	const struct own_vote *mine = replica_own_story_vote(c->l.room, c->row);
	return mine == NULL || !replica_is_open(c->l.room, c->row)
		       ? ""
		       : list_words(c, "[%s]", draw_label(c->l.signs, mine->vote.data));
}

/* How many have voted on it, or what they have voted. */
static const char *stories_votes(struct list_cell *c)
{
	const struct story_votes *votes = replica_story_votes(c->l.room, c->row);
	struct buf text = {.max = COLUMN_TEXT_BYTES - 1};
	if (votes == NULL || !replica_is_open(c->l.room, c->row)) {
		return "";
	}
	story_votes_summary(c->l.room, votes, &text);
	const char *words = list_words(c, "%.*s", (int)text.len, text.len == 0 ? "" : text.data);
	buf_finish(&text);
	return words;
}

/* Votes that are far apart are what there is to talk about. */
static enum style stories_votes_style(const struct list_cell *c)
{
	const struct story_votes *votes = replica_story_votes(c->l.room, c->row);
	return votes == NULL || votes->revealed_at == 0 ? STYLE_DIM
	       : story_votes_agree(c->l.room, votes)	? STYLE_GOOD
							: STYLE_WARN;
}

/* What has become of it; why an estimate is not saved, is said below the list. */
static const char *stories_state(struct list_cell *c)
{
	const struct story_view *s = c->row;
	const char *state = stories_is_voted_on(c)	 ? "voting"
			    : s->status == STORY_SKIPPED ? "skipped"
			    : s->estimate.data != NULL	 ? draw_label(c->l.signs, s->estimate.data)
			    : s->status == STORY_DONE	 ? "done"
							 : "";
	struct buf left = {.max = COLUMN_TEXT_BYTES - 1};
	story_ends_in(c->l.room, s, c->l.t->now_ms, c->width < STORIES_VIEW_WIDE, &left);
	const char *words = left.len > 0 ? list_words(c, "%.*s", (int)left.len, left.data) : NULL;
	buf_finish(&left);
	return words != NULL ? words : list_words(c, "%s%s", state, s->is_unsaved ? "!" : "");
}

static enum style stories_state_style(const struct list_cell *c)
{
	const struct story_view *s = c->row;
	return s->is_unsaved				      ? STYLE_WARN
	       : stories_is_voted_on(c)			      ? STYLE_STRONG
	       : s->status == STORY_SKIPPED || s->ends_at > 0 ? STYLE_DIM
							      : STYLE_GOOD;
}

/* clang-format off */
static const struct column stories_columns[] = {
	{.text = stories_number, .style = stories_number_style, .is_right = true},
	{.text = stories_title, .style = stories_title_style, .grows = true, .is_found = true},
	{.text = stories_others, .look = STYLE_DIM, .is_right = true, .inside_below = COLUMN_INSIDE, .gap = 2},
	{.text = stories_mine, .look = STYLE_STRONG, .is_right = true},
	{.text = stories_votes, .style = stories_votes_style, .is_right = true},
	{.text = stories_state, .style = stories_state_style, .is_right = true},
};
/* clang-format on */

/*
 * The one at the table, unless others are open and it is settled; else the first that waits for the own
 * vote, else the first to do.
 */
static size_t stories_start(struct listing l)
{
	size_t n = l.room->stories.n;
	size_t at = stories_index(l.room, l.room->room.story_id.data);
	const struct story_view *s = at < n ? replica_story_at(l.room, at) : NULL;
	size_t open;
	size_t mine;
	replica_count_open(l.room, &open, &mine);
	if (s != NULL && s->estimate.data != NULL && open > 0) {
		at = n;
	}
	if (at == n && hand_is_held(l.room) && n > 0) {
		at = stories_next_unvoted(l.room, n - 1);
	}
	for (size_t i = 0; i < n && at == n; i++) {
		at = replica_story_at(l.room, i)->status == STORY_TODO ? i : n;
	}
	return at < n ? at : 0;
}

/* ---- the page ---- */

static int stories_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
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
	size_t open;
	size_t voted;
	replica_count_open(room, &open, &voted);
	draw_number(points, 1, sum, sizeof(sum));
	size_t n = 0;
	if (open > 0) {
		n = format_to(line, sizeof(line), "you %zu of %zu", voted, open);
	}
	if (open > 0 && g->width >= STORIES_VIEW_WIDE) {
		n += format_to(line + n, sizeof(line) - n, "%s", t->signs->dot);
	}
	if (open == 0 || g->width >= STORIES_VIEW_WIDE) {
		(void)format_to(line + n, sizeof(line) - n, "%zu of %zu estimated%ssum %s",
				stories_estimated(room), room->stories.n, t->signs->dot, sum);
	}
	if (room->stories.n > 0) {
		(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	}
	return y;
}

/* One thing that is known of a story: its label, and its text from there on. */
struct stories_view_part {
	const char *label;
	const char *text; /* NULL or empty: nothing */
	enum style style;
	bool is_link;
};
enum { STORIES_VIEW_PARTS = 6, STORIES_VIEW_TEXT = 2048 };

/* What the parts borrow, beside what the replica has. */
struct stories_view_texts {
	struct story_link link;
	char votes[STORIES_VIEW_TEXT];
	char voters[STORIES_VIEW_TEXT];
};

/* Why the estimate does not stand in the backlog that the story came from; NULL: it does. */
static const char *stories_view_unsaved(const struct story_view *s)
{
	if (!s->is_unsaved) {
		return NULL;
	}
	if (!s->with_unsaved_reason) {
		return "Writing the estimate to the backlog";
	}
	switch (s->unsaved_reason) {
	case UNSAVED_ITEM_GONE:
		return "Backlog item not found. The estimate is only here";
	case UNSAVED_OTHER_UNIT:
		return "The item uses another unit. The estimate is only here";
	case UNSAVED_NOT_A_MEMBER:
		return "Settled by a non-member. The estimate is only here";
	}
	return NULL;
}

/* The votes that were revealed of an open story; to hosts, before that, who has voted on how many. */
static void stories_view_write_votes(const struct replica *room, const struct story_view *s,
				     struct stories_view_texts *texts)
{
	struct buf text = {.max = STORIES_VIEW_TEXT - 1};
	const struct story_votes *votes = replica_story_votes(room, s);
	texts->votes[0] = texts->voters[0] = '\0';
	if (!replica_is_open(room, s)) {
		return;
	}
	if (votes != NULL && votes->revealed_at > 0) {
		story_votes_lines(room, votes, &text);
		(void)format_to(texts->votes, STORIES_VIEW_TEXT, "%.*s", (int)text.len,
				text.len == 0 ? "" : text.data);
	} else if (room->you.is_host) {
		story_voters_line(room, &text);
		(void)format_to(texts->voters, STORIES_VIEW_TEXT, "%.*s", (int)text.len,
				text.len == 0 ? "" : text.data);
	}
	buf_finish(&text);
}

static void stories_view_parts(const struct replica *room, const struct story_view *s,
			       struct stories_view_texts *texts,
			       struct stories_view_part parts[STORIES_VIEW_PARTS])
{
	const struct shared_note *n = replica_note(room, s->story_id.data);
	stories_view_write_votes(room, s, texts);
	parts[4] = (struct stories_view_part){"votes", texts->votes, STYLE_TEXT, false};
	parts[5] = (struct stories_view_part){"voted on", texts->voters, STYLE_TEXT, false};
	parts[0] = (struct stories_view_part){"link", story_link(room, s, &texts->link), STYLE_DIM,
					      true};
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
	struct stories_view_texts texts;
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int lines = 0;
	stories_view_parts(room, s, &texts, parts);
	for (size_t i = 0; i < STORIES_VIEW_PARTS; i++) {
		lines += stories_view_draw_part(NULL, NULL, 0, INT_MAX, &parts[i]);
	}
	int most = height / 3;
	return lines == 0 ? 0 : lines + 1 > most ? most : lines + 1;
}

static void stories_view_draw_detail(const struct tui *t, const struct replica *room,
				     struct grid *g, int y, int height, const struct story_view *s)
{
	struct stories_view_texts texts;
	struct stories_view_part parts[STORIES_VIEW_PARTS];
	int end = y + height;
	stories_view_parts(room, s, &texts, parts);
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
	(void)format_to(line, sizeof(line), "%zu removed%su to restore %s", room->removed.n,
			t->signs->dot, story_name(replica_removed(room), &name));
	(void)draw_cut(g, 1, y, STYLE_DIM, line, g->width - 2, t->signs);
}

/* Where stories are open together: what a digit is for the one in focus, and what one has chosen. */
static void stories_view_draw_hand(const struct tui *t, const struct replica *room, struct grid *g,
				   int y, const struct story_view *s)
{
	const struct own_vote *mine = replica_own_story_vote(room, s);
	struct hand hand = {
		.cards = &room->room.valid_sizes,
		.focus = room->room.valid_sizes.n,
		.own = room->room.valid_sizes.n,
		.own_state = 'm',
		.title = " your card ",
	};
	for (size_t i = 0; i < hand.cards->n && mine != NULL; i++) {
		hand.own = slice_eq(hand.cards->items[i], mine->vote) ? i : hand.own;
	}
	if (replica_is_open(room, s)) {
		hand_draw_framed(t, &hand, g, y);
	}
}

static void stories_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	bool is_roomy = g->height >= DRAW_ROOMY;
	int y = tui_draw_head(t, room, g);
	int end = height - (is_roomy ? 1 : 0);
	const struct story_view *s = stories_focus(t, room);
	size_t open;
	size_t mine;
	replica_count_open(room, &open, &mine);
	if (is_roomy && open > 0 && s != NULL && hand_is_held(room)) {
		end -= hand_rows(room, g, true);
		stories_view_draw_hand(t, room, g, end + 1, s);
	}
	if (room->removed.n > 0 && end - y > 2) {
		stories_view_draw_removed(t, room, g, --end);
	}
	if (room->stories.n == 0) {
		y += draw_wrapped(g, 3, y, STYLE_DIM,
				  "No stories yet. Press a to add one, or paste a list.",
				  g->width - 4);
		if (room->room.group_id.data != NULL) {
			y += draw_wrapped(g, 3, y, STYLE_DIM, "Press b to add them from a backlog.",
					  g->width - 4);
		}
		(void)draw_wrapped(g, 3, y, STYLE_DIM,
				   "Without stories, every round is a quick vote.", g->width - 4);
		return;
	}
	int detail = is_roomy ? stories_view_detail_rows(room, s, end - y) : 0;
	tui_draw_list(t, room, g, y, end - detail);
	if (detail > 0) {
		stories_view_draw_detail(t, room, g, end - detail + 1, detail - 1, s);
	}
}

static const char *stories_focus_id(const struct tui *t, const struct replica *room)
{
	const struct story_view *s = stories_focus(t, room);
	return s == NULL ? NULL : s->story_id.data;
}

/* Where stories are open together, a digit is a card for the story in focus; for the table's, that of the table. */
static bool stories_view_takes_digits(const struct tui *t, const struct replica *room)
{
	const struct story_view *s = stories_focus(t, room);
	return s != NULL && room->room.policy.open_stories && !replica_is_current(room, s);
}

/* "PAY-3 is settled on 5. V to vote again" */
static void stories_view_refuse_vote(struct tui *t, const struct replica *room,
				     const struct story_view *s)
{
	struct story_name name;
	bool is_skipped = s->status == STORY_SKIPPED;
	enum action helper = is_skipped ? ACTION_SKIP : ACTION_SELECT;
	const char *what = is_skipped ? "to set it to do" : "to vote on it again";
	const char *estimate =
		s->estimate.data == NULL ? "" : draw_label(t->signs, s->estimate.data);
	bool may = action_is_allowed(helper, room);
	said_reply(t, "%s is %s%s%s. %s %s", story_short(s, &name),
		   is_skipped		 ? "skipped"
		   : estimate[0] != '\0' ? "settled"
					 : "done",
		   is_skipped || estimate[0] == '\0' ? "" : " on ", is_skipped ? "" : estimate,
		   may ? action_rows[helper].key_name : "Ask a host", what);
}

static struct act stories_view_vote(struct tui *t, const struct replica *room,
				    const struct story_view *s, const char *card)
{
	char typed[EDIT_BYTES_MAX];
	(void)format_to(typed, sizeof(typed), "%s", card);
	(void)format_to(t->prompt.row_id, sizeof(t->prompt.row_id), "%s", s->story_id.data);
	return action_run(t, room, ACTION_VOTE_STORY, typed);
}

static struct act stories_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	const struct story_view *s = stories_focus(t, room);
	bool votes = (key >= '0' && key <= '9') || key == '-';
	if (!votes || !stories_view_takes_digits(t, room)) {
		return tui_act_on_key(t, room, key);
	}
	if (!replica_is_open(room, s)) {
		stories_view_refuse_vote(t, room, s);
		return (struct act){0};
	}
	int card = key == '-' ? 0 : hand_type_digit(t, &room->room.valid_sizes, (int)(key - '0'));
	if (card < 0) {
		said_reply(t, "No card for key %d. Type :vote-story and the card",
			   (int)(key - '0'));
		return (struct act){0};
	}
	return stories_view_vote(t, room, s, key == '-' ? "-" : replica_card(room, (size_t)card));
}

static struct act stories_view_click(struct tui *t, const struct replica *room, uint32_t which)
{
	const struct story_view *s = stories_focus(t, room);
	for (size_t i = 0; s != NULL && i < room->room.valid_sizes.n; i++) {
		if ((uint32_t)list_key(replica_card(room, i)) == which) {
			return stories_view_vote(t, room, s, replica_card(room, i));
		}
	}
	return (struct act){0};
}

const struct view stories_view = {
	.click = stories_view_click,
	.take_key = stories_view_take_key,
	.takes_digits = stories_view_takes_digits,
	.paste = act_add_pasted,
	.story = stories_focus_id,
	.title = "Stories",
	.head = stories_draw_head,
	.rows =
		&(const struct list_rows){
			.rows = stories_rows_of,
			.start = stories_start,
			COLUMNS(stories_columns),
			.chosen = 1,
			.mark = stories_mark,
		},
	.draw = stories_view_draw,
};
