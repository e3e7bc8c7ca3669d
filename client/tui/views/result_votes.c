/*
 * result_votes.c - votes that say more than their card: a note, how sure one
 * is, a change after the reveal, a bot's. One line each.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum { RESULT_VOTE_NAME_CELLS = 16 };

static size_t result_votes_n(const struct result *r)
{
	return r->past != NULL ? r->past->votes_n : r->room->users.n;
}

/* The nth, of the room's members or of a past round's votes; a vote without data is not shown. */
static struct round_vote result_vote(const struct result *r, size_t nth)
{
	if (r->past != NULL) {
		return r->past->votes[nth];
	}
	const struct user_view *m = replica_member_at(r->room, nth);
	return (struct round_vote){
		.user_id = m->user_id,
		.vote = m->vote,
		.username = slice_str(tui_name_of(r->room, m)),
		.note = m->note,
		.confidence = m->confidence,
		.is_changed = m->is_changed,
		.is_bot = m->is_bot,
	};
}

/* A bot's card stands below the table already; of a past round it stands nowhere else. */
static bool result_says_more(const struct result *r, const struct round_vote *v)
{
	bool is_said = v->note.data != NULL || v->confidence > 0 || v->is_changed ||
		       (v->is_bot && r->past != NULL);
	return v->vote.data != NULL && v->username.data != NULL && is_said;
}

size_t result_remarks(const struct result *r)
{
	size_t n = 0;
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		n += result_says_more(r, &v) ? 1 : 0;
	}
	return n;
}

/* "bot, changed, sure 3/3" */
static void result_marks(const struct round_vote *v, char *out, size_t cap)
{
	size_t n = format_to(out, cap, "%s", v->is_bot ? "bot" : "");
	if (v->is_changed) {
		n += format_to(out + n, cap - n, "%schanged", n > 0 ? ", " : "");
	}
	if (v->confidence > 0) {
		(void)format_to(out + n, cap - n, "%ssure %d/3", n > 0 ? ", " : "",
				(int)v->confidence);
	}
}

void result_draw_vote(const struct tui *t, const struct result *r, struct grid *g, int y,
		      size_t nth)
{
	char marks[64];
	int label = result_label_cells(r);
	size_t i = 0;
	struct round_vote v = {0};
	for (; i < result_votes_n(r); i++) {
		v = result_vote(r, i);
		if (result_says_more(r, &v) && nth-- == 0) {
			break;
		}
	}
	if (i == result_votes_n(r)) {
		return;
	}
	(void)grid_text(g, 3 + label - draw_cells(v.vote.data), y, STYLE_STRONG, v.vote.data,
			label);
	int x = 3 + label + 2;
	int name = g->width / 4 < RESULT_VOTE_NAME_CELLS ? g->width / 4 : RESULT_VOTE_NAME_CELLS;
	bool is_me = v.user_id.data != NULL && r->room->you.user_id.data != NULL &&
		     slice_eq(v.user_id, r->room->you.user_id);
	(void)draw_cut(g, x, y, is_me ? STYLE_OWN : STYLE_TEXT, is_me ? "you" : v.username.data,
		       name, t->signs);
	x += name + 2;
	result_marks(&v, marks, sizeof(marks));
	if (marks[0] != '\0') {
		x += grid_text(g, x, y, v.is_changed ? STYLE_WARN : STYLE_DIM, marks, -1) + 2;
	}
	(void)draw_cut(g, x, y, STYLE_TEXT, v.note.data, g->width - 1 - x, t->signs);
}
