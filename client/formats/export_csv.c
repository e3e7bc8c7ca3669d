/*
 * export_csv.c - tables for spreadsheets and trackers, each of one kind of row.
 *
 * A row a story, with what its last round came to; or a row a vote, with its round; or a row a
 * story in the columns that Jira's importer knows. stories_import.h takes the stories back.
 * Only what goes back into a tracker: export_tracker.c.
 */
#include "client/formats/csv.h"
#include "client/formats/export.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/deck.h"
#include "proto/text/utc_time.h"

/* A row in the making. */
struct export_row {
	struct buf *out;
	bool has_cells;
};

static void export_cell(struct export_row *row, struct slice text)
{
	csv_put_guarded(row->out, text, !row->has_cells);
	row->has_cells = true;
}

static void export_number(struct export_row *row, bool is_there, double value)
{
	char text[32];
	size_t len = is_there ? format_to(text, sizeof(text), "%.10g", value) : 0;
	csv_put(row->out, slice_of(text, len), !row->has_cells);
	row->has_cells = true;
}

/* With two decimals at most. */
static void export_mean(struct export_row *row, bool is_there, double value)
{
	double hundredths = value * 100;
	int64_t nearest = (int64_t)(hundredths + (hundredths < 0 ? -0.5 : 0.5));
	export_number(row, is_there, (double)nearest / 100);
}

static void export_moment(struct export_row *row, int64_t at_ms)
{
	char text[UTC_TIME_CHARS + 1];
	export_cell(row, slice_str(utc_time(at_ms, text)));
}

static void export_end(struct export_row *row)
{
	csv_end_record(row->out);
	row->has_cells = false;
}

static void export_names(struct export_row *row, const char *const names[])
{
	for (size_t i = 0; names[i] != NULL; i++) {
		export_cell(row, slice_str(names[i]));
	}
}

static void export_header(struct export_row *row, const char *const names[])
{
	export_names(row, names);
	export_end(row);
}

/* What the votes of a round say; of none, empty cells. */
static void export_result(struct export_row *row, const struct room_result *r)
{
	const struct room_result nothing = {0};
	bool is_there = r != NULL;
	r = is_there ? r : &nothing;
	export_number(row, is_there, (double)r->votes);
	export_mean(row, r->with_average, r->average);
	export_mean(row, r->with_average, r->median);
	export_cell(row, r->mode);
	export_number(row, r->votes > 0, (double)r->agreement_percent);
	export_cell(row, r->lowest);
	export_cell(row, r->highest);
}

/* All columns; without link, description and status, what is told of a story that was settled here. */
static void export_stories(const struct export_room *x, struct buf *out)
{
	static const char *const all[] = {"key",  "title",	 "estimate", "status",
					  "link", "description", NULL};
	static const char *const some[] = {"key", "title", "estimate", NULL};
	static const char *const result[] = {"rounds", "votes",	  "average",
					     "median", "mode",	  "agreement_percent",
					     "lowest", "highest", NULL};
	struct export_row row = {.out = out};
	export_names(&row, x->is_all ? all : some);
	export_header(&row, result);
	for (size_t i = 0; i < x->room->stories.n; i++) {
		const struct story_view *s = replica_story_at(x->room, i);
		struct story_link link;
		size_t rounds;
		if (!export_has_story(x, s)) {
			continue;
		}
		const struct round_view *last = export_last_round(x, s->story_id, &rounds);
		export_cell(&row, s->key);
		export_cell(&row, s->title);
		export_cell(&row, s->estimate);
		if (x->is_all) {
			export_cell(&row,
				    slice_str(words_text(&words_story_status, (int)s->status)));
			export_cell(&row, slice_str(story_link(x->room, s, &link)));
			export_cell(&row, s->description);
		}
		export_number(&row, true, (double)rounds);
		export_result(&row, last == NULL ? NULL : &last->result);
		export_end(&row);
	}
}

static void export_vote(struct export_row *row, const struct round_view *r,
			const struct round_vote *v)
{
	export_number(row, true, (double)r->n);
	export_cell(row, r->key);
	export_cell(row, r->story);
	export_moment(row, r->started_at);
	export_moment(row, r->revealed_at);
	export_cell(row, v == NULL ? (struct slice){0} : v->username);
	export_cell(row, v == NULL ? (struct slice){0} : words_seat_role.list[v->role]);
	export_cell(row, v == NULL ? (struct slice){0} : v->is_bot ? SLICE("yes") : SLICE("no"));
	export_cell(row, v == NULL ? (struct slice){0} : v->vote);
	export_cell(row, v == NULL || !v->with_comment ? (struct slice){0} : v->comment);
	export_number(row, v != NULL && v->with_confidence, v == NULL ? 0 : (double)v->confidence);
	export_cell(row, v == NULL	 ? (struct slice){0}
			 : v->is_changed ? SLICE("yes")
					 : SLICE("no"));
	export_result(row, &r->result);
	export_cell(row, r->outcome);
	export_end(row);
}

/* A round without votes has a row without a voter. */
static void export_votes(const struct export_room *x, struct buf *out)
{
	static const char *const names[] = {"round",
					    "story_key",
					    "story_title",
					    "started_at",
					    "revealed_at",
					    "username",
					    "role",
					    "is_bot",
					    "vote",
					    "comment",
					    "confidence",
					    "is_changed",
					    "votes",
					    "average",
					    "median",
					    "mode",
					    "agreement_percent",
					    "lowest",
					    "highest",
					    "outcome",
					    NULL};
	struct export_row row = {.out = out};
	export_header(&row, names);
	for (size_t i = 0; i < x->rounds.n; i++) {
		const struct round_view *r = export_round_at(x, i);
		for (size_t k = 0; k < r->votes_n; k++) {
			export_vote(&row, r, &r->votes[k]);
		}
		if (r->votes_n == 0) {
			export_vote(&row, r, NULL);
		}
	}
}

void export_csv(const struct export_room *x, struct buf *out)
{
	if (x->is_votes) {
		export_votes(x, out);
	} else {
		export_stories(x, out);
	}
}

/* Points are a number there: an estimate that is none is left out. */
void export_jira(const struct export_room *x, struct buf *out)
{
	static const char *const names[] = {"Issue key", "Summary",	"Story Points",
					    "Link",	 "Description", NULL};
	struct export_row row = {.out = out};
	export_header(&row, names);
	for (size_t i = 0; i < x->room->stories.n; i++) {
		const struct story_view *s = replica_story_at(x->room, i);
		struct story_link link;
		double points = 0;
		bool is_number = s->estimate.len > 0 && card_number(s->estimate, &points);
		export_cell(&row, s->key);
		export_cell(&row, s->title);
		export_number(&row, is_number, points);
		export_cell(&row, slice_str(story_link(x->room, s, &link)));
		export_cell(&row, s->description);
		export_end(&row);
	}
}
