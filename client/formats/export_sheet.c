/*
 * export_sheet.c - which lines and cells say what happened in a room.
 */
#include "client/formats/export_sheet.h"

#include "client/model/memory.h"
#include "client/model/room/story_find.h"
#include "proto/link.h"
#include "proto/text/utc_time.h"

/* Text in the making: one buf, copied into the arena piece by piece. */
struct sheet_maker {
	const struct export_room *x;
	struct sheet *sheet;
	struct arena *arena;
	struct buf text;
};

/* What was put into the text since the last time. */
static struct slice sheet_take(struct sheet_maker *m)
{
	(void)memory_check(m->text.error);
	struct slice taken = memory_copy(m->arena, buf_slice(&m->text));
	buf_clear(&m->text);
	return taken;
}

static void sheet_line(struct sheet_maker *m)
{
	if (m->sheet->lines_n < SHEET_LINES_MAX) {
		m->sheet->lines[m->sheet->lines_n++] = sheet_take(m);
	}
}

static struct sheet_table *sheet_table(struct sheet_maker *m, const char *title,
				       const char *const *columns, size_t rows_max)
{
	struct sheet_table *t = &m->sheet->tables[m->sheet->tables_n++];
	*t = (struct sheet_table){.title = title};
	while (columns[t->columns_n] != NULL) {
		t->columns[t->columns_n] = columns[t->columns_n];
		t->columns_n++;
	}
	t->cells = memory_have(
		arena_alloc(m->arena, (rows_max * t->columns_n + 1) * sizeof(*t->cells)));
	return t;
}

/* The next row's cells. */
static struct sheet_cell *sheet_row(struct sheet_table *t)
{
	return &t->cells[t->rows_n++ * t->columns_n];
}

/* Only what a browser can open without doing anything else. */
static struct slice sheet_link(struct slice link)
{
	return link_is_web(link) ? link : (struct slice){0};
}

/* ---- lines ---- */

/* How the round stands, without a word about hidden cards. */
static void sheet_now_line(struct sheet_maker *m)
{
	const struct replica *r = m->x->room;
	const struct story_view *s = replica_story(r, r->room.story_id.data);
	size_t voters;
	size_t voted;
	(void)buf_printf(&m->text, "Round %lld", (long long)r->room.round);
	if (s != NULL) {
		struct story_name name;
		(void)buf_printf(&m->text, " on %s", story_name(s, &name));
	}
	replica_count_votes(r, &voters, &voted);
	if (!r->room.is_revealed) {
		(void)buf_printf(&m->text, ": %zu of %zu have voted", voted, voters);
	} else if (r->room.with_result && r->room.result.with_average) {
		(void)buf_printf(&m->text, ": average %.3g, median %.3g, agreement %d%%",
				 r->room.result.average, r->room.result.median,
				 (int)r->room.result.agreement_percent);
	} else if (r->room.with_result && r->room.result.votes > 0) {
		(void)buf_printf(&m->text, ": agreement %d%%",
				 (int)r->room.result.agreement_percent);
	}
	if (r->room.outcome.data != NULL) {
		(void)buf_printf(&m->text, ", settled on %s", r->room.outcome.data);
	}
	sheet_line(m);
}

static void sheet_lines(struct sheet_maker *m, bool with_now)
{
	struct export_stats s;
	export_count(m->x, &s);
	for (size_t i = 0; i < EXPORT_LINES_N; i++) {
		export_stats_line(&s, i, &m->text);
		if (m->text.len > 0) {
			sheet_line(m);
		}
	}
	if (with_now) {
		sheet_now_line(m);
	}
}

/* ---- tables ---- */

static void sheet_member_vote(struct sheet_maker *m, const struct user_view *member)
{
	const char *vote = member->vote.data != NULL	    ? member->vote.data
			   : member->is_waiting		    ? "in the lobby"
			   : member->role == ROLE_SPECTATOR ? "spectator"
			   : member->has_vote		    ? "has voted"
							    : "";
	(void)buf_printf(&m->text, "%s%s", vote, member->is_changed ? " (changed)" : "");
}

static void sheet_members(struct sheet_maker *m)
{
	static const char *const columns[] = {"Member", "Vote", "Comment", NULL};
	const struct replica *r = m->x->room;
	struct sheet_table *t = sheet_table(m, "Members", columns, r->users.n);
	for (size_t i = 0; i < r->users.n; i++) {
		const struct user_view *member = replica_member_at(r, i);
		bool is_away = !member->is_connected && !member->has_vote &&
			       member->vote.data == NULL && !member->is_waiting;
		if (member->username.data == NULL || is_away) {
			continue;
		}
		struct sheet_cell *row = sheet_row(t);
		(void)buf_printf(&m->text, "%s%s%s", member->username.data,
				 member->is_host ? " (host)" : "", member->is_bot ? " (bot)" : "");
		row[0].text = sheet_take(m);
		sheet_member_vote(m, member);
		row[1].text = sheet_take(m);
		row[2].text = member->comment;
	}
}

static void sheet_votes(struct sheet_maker *m, const struct round_view *r)
{
	for (size_t i = 0; i < r->votes_n; i++) {
		const struct round_vote *v = &r->votes[i];
		(void)buf_append_slice(&m->text, i == 0 ? SLICE("") : SLICE(", "));
		if (v->username.len > 0) {
			(void)buf_append_slice(&m->text, v->username);
			(void)buf_append_slice(&m->text, v->is_bot ? SLICE(" (bot) ") : SLICE(" "));
		}
		(void)buf_append_slice(&m->text, v->vote);
		if (v->with_comment && v->comment.len > 0) {
			(void)buf_append_slice(&m->text, SLICE(" ("));
			(void)buf_append_slice(&m->text, v->comment);
			(void)buf_append_slice(&m->text, SLICE(")"));
		}
	}
}

/* How many votes each card has, in the result's order; nothing of a single card. */
static void sheet_bars(struct sheet_maker *m, const struct room_result *r, struct sheet_cell *cell)
{
	int64_t most = 0;
	for (size_t i = 0; i < r->cards_n; i++) {
		most = r->cards[i].votes > most ? r->cards[i].votes : most;
	}
	struct sheet_bar *bars =
		memory_have(arena_alloc(m->arena, (r->cards_n + 1) * sizeof(*bars)));
	for (size_t i = 0; i < r->cards_n; i++) {
		bars[i] = (struct sheet_bar){
			.card = r->cards[i].card,
			.votes = r->cards[i].votes,
			.percent = (int)(most == 0 ? 0 : r->cards[i].votes * 100 / most),
		};
	}
	cell->bars = bars;
	cell->bars_n = r->cards_n;
}

/* Votes, average, median and agreement of a round, in four cells. */
static void sheet_round_cells(struct sheet_maker *m, const struct round_view *r,
			      struct sheet_cell *row)
{
	sheet_votes(m, r);
	row[0].text = sheet_take(m);
	sheet_bars(m, &r->result, &row[0]);
	if (r->result.with_average) {
		(void)buf_printf(&m->text, "%.3g", r->result.average);
		row[1].text = sheet_take(m);
		(void)buf_printf(&m->text, "%.3g", r->result.median);
		row[2].text = sheet_take(m);
	}
	if (r->result.votes > 0) {
		(void)buf_printf(&m->text, "%d%%", (int)r->result.agreement_percent);
		row[3].text = sheet_take(m);
	}
}

static struct sheet_cell sheet_story(struct sheet_maker *m, const struct story_view *s)
{
	struct story_name name;
	struct story_link link;
	(void)story_link(m->x->room, s, &link);
	return (struct sheet_cell){
		.text = memory_copy(m->arena, slice_str(story_name(s, &name))),
		.link = sheet_link(memory_copy(m->arena, slice_str(link.text))),
	};
}

static void sheet_stories(struct sheet_maker *m)
{
	static const char *const columns[] = {"#",     "Story",	  "Estimate", "Status",	   "Rounds",
					      "Votes", "Average", "Median",   "Agreement", NULL};
	const struct replica *r = m->x->room;
	struct sheet_table *t = sheet_table(m, "Stories", columns, r->stories.n);
	for (size_t i = 0; i < r->stories.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		size_t rounds;
		const struct round_view *last = export_last_round(m->x, s->story_id, &rounds);
		struct sheet_cell *row = sheet_row(t);
		(void)buf_printf(&m->text, "%zu", i + 1);
		row[0].text = sheet_take(m);
		row[1] = sheet_story(m, s);
		row[2].text = s->estimate;
		row[3].text = slice_str(words_text(&words_story_status, (int)s->status));
		if (last != NULL) {
			(void)buf_printf(&m->text, "%zu", rounds);
			row[4].text = sheet_take(m);
			sheet_round_cells(m, last, &row[5]);
		}
	}
}

static void sheet_rounds(struct sheet_maker *m)
{
	static const char *const columns[] = {"Round",	 "Story",    "Votes",
					      "Average", "Median",   "Agreement",
					      "Outcome", "Revealed", NULL};
	struct sheet_table *t = sheet_table(m, "Rounds", columns, m->x->rounds.n);
	for (size_t i = 0; i < m->x->rounds.n; i++) {
		const struct round_view *r = export_round_at(m->x, i);
		char moment[UTC_TIME_CHARS + 1];
		struct sheet_cell *row = sheet_row(t);
		(void)buf_printf(&m->text, "%lld", (long long)r->n);
		row[0].text = sheet_take(m);
		struct story_name name;
		row[1].text = memory_copy(m->arena, slice_str(story_name_of_round(r, &name)));
		sheet_round_cells(m, r, &row[2]);
		row[6].text = r->outcome;
		(void)buf_printf(&m->text, "%s", utc_time(r->revealed_at, moment));
		row[7].text = sheet_take(m);
	}
}

/* Fill *out, with its data in the arena. */
static void sheet_make(const struct export_room *x, bool with_members, struct arena *arena,
		       struct sheet *out)
{
	struct sheet_maker m = {.x = x, .sheet = out, .arena = arena};
	const char *title = x->room->room.title.data;
	*out = (struct sheet){.is_live = x->is_live};
	buf_init(&m.text, 1u << 20);
	(void)buf_printf(&m.text, "%s%s%s", title == NULL ? "" : title,
			 title == NULL ? "Room " : " - room ", x->room->room_id);
	out->title = sheet_take(&m);
	sheet_lines(&m, with_members);
	if (x->room->stories.n > 0) {
		sheet_stories(&m);
	}
	if (x->rounds.n > 0) {
		sheet_rounds(&m);
	}
	if (with_members) {
		sheet_members(&m);
	}
	buf_finish(&m.text);
}

void export_sheet(const struct export_room *x, enum export_format format, struct buf *out)
{
	struct arena arena = {0};
	struct sheet s;
	sheet_make(x, format != EXPORT_MARKDOWN, &arena, &s);
	if (format == EXPORT_MARKDOWN) {
		sheet_markdown(&s, out);
	} else if (format == EXPORT_HTML) {
		sheet_html(&s, out);
	} else {
		sheet_text(&s, out);
	}
	arena_finish(&arena);
}
