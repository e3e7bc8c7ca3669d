/*
 * export.c - what all formats share: times and statistics.
 */
#include "client/formats/export.h"

#include "client/formats/export_sheet.h"
#include "proto/base/format.h"
#include "proto/deck.h"

RECORD_DEFINE(export_stats)

static const struct {
	const char *name;
	enum export_format format;
} export_formats[] = {{"csv", EXPORT_CSV},	 {"jira", EXPORT_JIRA}, {"github", EXPORT_GITHUB},
		      {"gitlab", EXPORT_GITLAB}, {"json", EXPORT_JSON}, {"md", EXPORT_MARKDOWN},
		      {"html", EXPORT_HTML},	 {"text", EXPORT_TEXT}};

const char *export_format_name(size_t i)
{
	return i < sizeof(export_formats) / sizeof(export_formats[0]) ? export_formats[i].name
								      : NULL;
}

bool export_format_of(struct slice name, enum export_format *out)
{
	for (size_t i = 0; export_format_name(i) != NULL; i++) {
		if (slice_eq(name, slice_str(export_formats[i].name))) {
			*out = export_formats[i].format;
			return true;
		}
	}
	return false;
}

/* ---- statistics ---- */

const struct round_view *export_last_round(const struct export_room *x, struct slice story_id,
					   size_t *n)
{
	const struct round_view *last = NULL;
	*n = 0;
	for (size_t i = 0; i < x->rounds.n; i++) {
		if (slice_eq(export_round_at(x, i)->story_id, story_id)) {
			last = export_round_at(x, i);
			(*n)++;
		}
	}
	return last;
}

bool export_has_story(const struct export_room *x, const struct story_view *s)
{
	bool is_settled = false;
	for (size_t i = 0; i < x->rounds.n && s->estimate.len > 0 && !x->is_all && !is_settled;
	     i++) {
		const struct round_view *r = x->rounds.items[i];
		is_settled = r->outcome.len > 0 && slice_eq(r->story_id, s->story_id);
	}
	return x->is_all || is_settled;
}

static void export_count_story(const struct export_room *x, const struct story_view *s,
			       struct export_stats *out)
{
	double number;
	size_t rounds;
	out->stories++;
	out->done += s->status == STORY_DONE;
	out->skipped += s->status == STORY_SKIPPED;
	out->todo += s->status == STORY_TODO || s->status == STORY_VOTING;
	(void)export_last_round(x, s->story_id, &rounds);
	out->estimated_at_once += s->estimate.data != NULL && rounds == 1;
	if (s->estimate.data != NULL && card_number(s->estimate, &number)) {
		out->points += number;
		out->with_points = true;
	}
}

/* Of the rounds that go on after that, the one that started first; NULL: there is none. */
static const struct round_view *export_round_after(const struct export_room *x, int64_t at)
{
	const struct round_view *first = NULL;
	for (size_t i = 0; i < x->rounds.n; i++) {
		const struct round_view *r = export_round_at(x, i);
		if (r->revealed_at > at && r->revealed_at > r->started_at &&
		    (first == NULL || r->started_at < first->started_at)) {
			first = r;
		}
	}
	return first;
}

/* Stories that are open together have rounds at the same time. */
static int64_t export_voting_ms(const struct export_room *x)
{
	int64_t ms = 0;
	int64_t at = INT64_MIN;
	const struct round_view *r;
	while ((r = export_round_after(x, at)) != NULL) {
		ms += r->revealed_at - (r->started_at > at ? r->started_at : at);
		at = r->revealed_at;
	}
	return ms;
}

void export_count(const struct export_room *x, struct export_stats *out)
{
	int64_t agreement = 0;
	int64_t with_votes = 0;
	*out = (struct export_stats){.rounds = (int64_t)x->rounds.n,
				     .voting_ms = export_voting_ms(x)};
	for (size_t i = 0; i < x->room->stories.n; i++) {
		export_count_story(x, replica_story_at(x->room, i), out);
	}
	for (size_t i = 0; i < x->rounds.n; i++) {
		const struct round_view *r = export_round_at(x, i);
		out->votes += (int64_t)r->votes_n;
		if (r->result.votes > 0) {
			agreement += r->result.agreement_percent;
			with_votes++;
		}
	}
	if (with_votes > 0) {
		out->with_agreement_percent = true;
		out->agreement_percent = (agreement + with_votes / 2) / with_votes;
	}
}

static void export_minutes(struct buf *out, int64_t ms)
{
	int64_t s = ms / 1000;
	if (s < 120) {
		(void)buf_printf(out, "%lld s", (long long)s);
	} else {
		(void)buf_printf(out, "%lld min", (long long)((s + 30) / 60));
	}
}

static void export_stories_line(const struct export_stats *s, struct buf *out)
{
	if (s->stories == 0) {
		return;
	}
	(void)buf_printf(out, "Stories: %lld (%lld done, %lld to do, %lld skipped)",
			 (long long)s->stories, (long long)s->done, (long long)s->todo,
			 (long long)s->skipped);
	if (s->with_points) {
		(void)buf_printf(out, ", %.10g points", s->points);
	}
}

static void export_rounds_line(const struct export_stats *s, struct buf *out)
{
	if (s->rounds == 0) {
		return;
	}
	(void)buf_printf(out, "Rounds: %lld, votes: %lld", (long long)s->rounds,
			 (long long)s->votes);
	if (s->with_agreement_percent) {
		(void)buf_printf(out, ", agreement %d%% on average", (int)s->agreement_percent);
	}
	(void)buf_printf(out, ", ");
	export_minutes(out, s->voting_ms);
	(void)buf_printf(out, " of voting");
}

static void export_at_once_line(const struct export_stats *s, struct buf *out)
{
	if (s->rounds > 0 && s->estimated_at_once > 0) {
		(void)buf_printf(out, "Estimated in a single round: %lld",
				 (long long)s->estimated_at_once);
	}
}

void export_stats_line(const struct export_stats *s, size_t nth, struct buf *out)
{
	static void (*const lines[EXPORT_LINES_N])(const struct export_stats *,
						   struct buf *) = {export_stories_line,
								    export_rounds_line,
								    export_at_once_line};
	lines[nth](s, out);
}

/* ---- the door ---- */

struct export_left export_write(const struct export_room *x, enum export_format format,
				struct buf *out)
{
	struct export_left left = {0};
	switch (format) {
	case EXPORT_CSV:
		export_csv(x, out);
		break;
	case EXPORT_JIRA:
	case EXPORT_GITHUB:
	case EXPORT_GITLAB:
		if (format == EXPORT_JIRA && x->is_all) {
			export_jira(x, out);
		} else {
			left = export_tracker(x, format, out);
		}
		break;
	case EXPORT_JSON:
		export_json(x, out);
		break;
	case EXPORT_MARKDOWN:
	case EXPORT_HTML:
	case EXPORT_TEXT:
		export_sheet(x, format, out);
		break;
	}
	return left;
}
