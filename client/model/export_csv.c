/*
 * export_csv.c - one table for everything: a row per story, then one per round and per vote.
 *
 * The first column says what a row is, so that a spreadsheet's filter, or
 * `aye story import`, takes what it wants. A removed story is a row of kind
 * `removed`.
 */
#include "client/model/csv.h"
#include "client/model/export.h"
#include "proto/format.h"

/* clang-format off */
#define EXPORT_CSV_COLUMNS(X)                                                          \
	X(record) X(story_id) X(title) X(link) X(notes) X(status) X(estimate) X(round) \
	X(username) X(role) X(is_bot) X(vote) X(note) X(confidence) X(is_changed)      \
	X(started_at) X(revealed_at) X(votes) X(withdrawn) X(average) X(median) X(mode)             \
	X(agreement_percent) X(spread_steps) X(lowest) X(highest) X(suggestion) X(outcome)
/* clang-format on */

/* A row as text; what is empty stays an empty cell. */
struct export_row {
#define EXPORT_CSV_MEMBER(name) struct slice name;
	EXPORT_CSV_COLUMNS(EXPORT_CSV_MEMBER)
#undef EXPORT_CSV_MEMBER
	char numbers[9][32]; /* what the cells of numbers point to */
	size_t numbers_n;
};

static void export_row(const struct export_row *row, struct buf *out)
{
	bool is_first = true;
#define EXPORT_CSV_CELL(name)                      \
	csv_put_guarded(out, row->name, is_first); \
	is_first = false;
	EXPORT_CSV_COLUMNS(EXPORT_CSV_CELL)
#undef EXPORT_CSV_CELL
	csv_end_record(out);
}

static struct slice export_number(struct export_row *row, double value)
{
	char *text = row->numbers[row->numbers_n++];
	size_t len = format_to(text, sizeof(row->numbers[0]), "%.10g", value);
	return slice_of(text, len);
}

static struct slice export_moment(struct export_row *row, int64_t at_ms)
{
	char *text = row->numbers[row->numbers_n++];
	return slice_str(export_time(at_ms, text));
}

static void export_result(struct export_row *row, const struct round_view *r)
{
	const struct room_result *result = &r->result;
	row->started_at = export_moment(row, r->started_at);
	row->revealed_at = export_moment(row, r->revealed_at);
	row->votes = export_number(row, (double)result->votes);
	if (result->with_withdrawn) {
		row->withdrawn = export_number(row, (double)result->withdrawn);
	}
	if (result->with_average) {
		row->average = export_number(row, result->average);
		row->median = export_number(row, result->median);
	}
	if (result->votes > 0) {
		row->agreement_percent = export_number(row, (double)result->agreement_percent);
	}
	if (result->with_spread_steps) {
		row->spread_steps = export_number(row, (double)result->spread_steps);
	}
	row->mode = result->mode;
	row->lowest = result->lowest;
	row->highest = result->highest;
	row->suggestion = result->suggestion;
	row->outcome = r->outcome;
}

static void export_story(const struct export_room *x, const struct story_view *s, struct buf *out)
{
	size_t rounds;
	const struct round_view *last = export_last_round(x, s->story_id, &rounds);
	struct export_row row = {
		.record = s->is_removed ? SLICE("removed") : SLICE("story"),
		.story_id = s->story_id,
		.title = s->title,
		.link = s->link,
		.notes = s->notes,
		.status = slice_str(words_text(&words_story_status, (int)s->status)),
		.estimate = s->estimate,
	};
	if (last != NULL) {
		row.round = export_number(&row, (double)rounds);
		export_result(&row, last);
	}
	export_row(&row, out);
}

static void export_round(const struct round_view *r, struct buf *out)
{
	struct export_row row = {.record = SLICE("round"),
				 .story_id = r->story_id,
				 .title = r->story};
	row.round = export_number(&row, (double)r->n);
	export_result(&row, r);
	export_row(&row, out);
}

static void export_vote(const struct round_view *r, const struct round_vote *v, struct buf *out)
{
	struct export_row row = {
		.record = SLICE("vote"),
		.story_id = r->story_id,
		.title = r->story,
		.username = v->username,
		.role = words_seat_role.list[v->role],
		.is_bot = v->is_bot ? SLICE("yes") : SLICE("no"),
		.vote = v->vote,
		.note = v->with_note ? v->note : (struct slice){0},
		.is_changed = v->is_changed ? SLICE("yes") : SLICE("no"),
	};
	row.round = export_number(&row, (double)r->n);
	if (v->with_confidence) {
		row.confidence = export_number(&row, (double)v->confidence);
	}
	export_row(&row, out);
}

void export_csv(const struct export_room *x, struct buf *out)
{
	static const struct export_row header = {
#define EXPORT_CSV_NAME(name) .name = {#name, sizeof(#name) - 1},
		EXPORT_CSV_COLUMNS(EXPORT_CSV_NAME)
#undef EXPORT_CSV_NAME
	};
	export_row(&header, out);
	for (size_t i = 0; i < x->room->stories.n + x->room->removed.n; i++) {
		export_story(x, replica_story_at(x->room, i), out);
	}
	for (size_t i = 0; i < x->rounds.n; i++) {
		const struct round_view *r = export_round_at(x, i);
		export_round(r, out);
		for (size_t k = 0; k < r->votes_n; k++) {
			export_vote(r, &r->votes[k], out);
		}
	}
}
