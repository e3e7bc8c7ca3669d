/*
 * export.c - what all formats share: times, statistics, softened rounds.
 */
#include "client/model/export.h"

#include <string.h>

#include "client/model/export_sheet.h"
#include "proto/deck.h"
#include "proto/format.h"
#include "proto/text.h"

bool export_format_of(struct slice name, enum export_format *out)
{
	static const struct {
		const char *name;
		enum export_format format;
	} rows[] = {{"csv", EXPORT_CSV},
		    {"json", EXPORT_JSON},
		    {"md", EXPORT_MARKDOWN},
		    {"html", EXPORT_HTML},
		    {"text", EXPORT_TEXT}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (slice_eq(name, slice_str(rows[i].name))) {
			*out = rows[i].format;
			return true;
		}
	}
	return false;
}

/* ---- time ---- */

/* Year, month and day of a count of days since 1970-01-01, in the Gregorian calendar; years are
 * taken from March on, so that the leap day is their last. */
static void export_date(int64_t days, int *year, int *month, int *day)
{
	int64_t since = days + 719468; /* since 0000-03-01 */
	int64_t era = since / 146097;
	int64_t of_era = since % 146097;
	int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
	int64_t march_month = (5 * of_year + 2) / 153;
	*day = (int)(of_year - (153 * march_month + 2) / 5 + 1);
	*month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
	*year = (int)(years + era * 400 + (*month <= 2));
}

const char *export_time(int64_t at_ms, char out[EXPORT_TIME_CHARS + 1])
{
	const int64_t last_ms = 253402300799999; /* the end of the year 9999 */
	int year;
	int month;
	int day;
	if (at_ms <= 0 || at_ms > last_ms) {
		out[0] = '\0';
		return out;
	}
	export_date(at_ms / 86400000, &year, &month, &day);
	int s = (int)(at_ms / 1000 % 86400);
	format_to(out, EXPORT_TIME_CHARS + 1, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day,
		  s / 3600, s / 60 % 60, s % 60);
	return out;
}

/* ---- rounds ---- */

static void export_soften_text(struct slice *text, struct arena *arena, bool *ok)
{
	if (text->len == 0) {
		return;
	}
	char *out = arena_alloc(arena, 3 * text->len);
	*ok = *ok && out != NULL;
	*text = out == NULL ? (struct slice){0}
			    : slice_of(out, text_soften(*text, out, 3 * text->len));
}

static void export_soften_round(struct round_view *r, struct arena *arena, bool *ok)
{
	struct slice *texts[] = {&r->story_id,	       &r->story,	  &r->outcome,
				 &r->result.mode,      &r->result.lowest, &r->result.highest,
				 &r->result.suggestion};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		export_soften_text(texts[i], arena, ok);
	}
	for (size_t i = 0; i < r->votes_n; i++) {
		export_soften_text(&r->votes[i].vote, arena, ok);
		export_soften_text(&r->votes[i].user_id, arena, ok);
		export_soften_text(&r->votes[i].username, arena, ok);
		export_soften_text(&r->votes[i].note, arena, ok);
	}
	for (size_t i = 0; i < r->result.cards_n; i++) {
		export_soften_text(&r->result.cards[i].card, arena, ok);
	}
}

enum err export_soften(struct round_view *rounds, size_t n, struct arena *arena)
{
	bool ok = true;
	for (size_t i = 0; i < n; i++) {
		export_soften_round(&rounds[i], arena, &ok);
	}
	return ok ? OK : ERR_NOMEM;
}

const struct round_view *export_last_round(const struct export_room *x, const char *story_id,
					   size_t *n)
{
	const struct round_view *last = NULL;
	*n = 0;
	for (size_t i = 0; i < x->rounds_n; i++) {
		if (slice_eq(x->rounds[i].story_id, slice_str(story_id))) {
			last = &x->rounds[i];
			(*n)++;
		}
	}
	return last;
}

/* ---- statistics ---- */

static void export_count_story(const struct export_room *x, const struct story_view *s,
			       struct export_stats *out)
{
	double number;
	size_t rounds;
	out->stories++;
	out->done += s->status == STORY_DONE;
	out->skipped += s->status == STORY_SKIPPED;
	out->todo += s->status == STORY_TODO || s->status == STORY_VOTING;
	(void)export_last_round(x, s->story_id.data, &rounds);
	out->at_once += s->estimate.data != NULL && rounds == 1;
	if (s->estimate.data != NULL && card_number(s->estimate, &number)) {
		out->points += number;
		out->has_points = true;
	}
}

void export_count(const struct export_room *x, struct export_stats *out)
{
	int64_t agreement = 0;
	int64_t with_votes = 0;
	*out = (struct export_stats){.rounds = x->rounds_n};
	for (size_t i = 0; i < x->room->stories.n; i++) {
		export_count_story(x, replica_story_at(x->room, i), out);
	}
	for (size_t i = 0; i < x->rounds_n; i++) {
		const struct round_view *r = &x->rounds[i];
		out->votes += r->votes_n;
		if (r->revealed_at > r->started_at) {
			out->voting_ms += r->revealed_at - r->started_at;
		}
		if (r->result.votes > 0) {
			agreement += r->result.agreement_percent;
			with_votes++;
		}
	}
	if (with_votes > 0) {
		out->has_agreement = true;
		out->agreement_percent = (int)((agreement + with_votes / 2) / with_votes);
	}
}

/* ---- the door ---- */

enum err export_write(const struct export_room *x, enum export_format format, struct buf *out)
{
	switch (format) {
	case EXPORT_CSV:
		export_csv(x, out);
		return out->error;
	case EXPORT_JSON:
		export_json(x, out);
		return out->error;
	case EXPORT_MARKDOWN:
	case EXPORT_HTML:
	case EXPORT_TEXT:
		return export_sheet(x, format, out);
	}
	return ERR_INVALID;
}
