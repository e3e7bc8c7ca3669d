/*
 * summary.c - see summary.h.
 */
#include "client/formats/summary.h"

#include "client/model/memory.h"
#include "client/model/room/story_find.h"

RECORD_DEFINE(summary_story)
RECORD_DEFINE(room_summary)

bool summary_is_due(const struct replica *room)
{
	for (size_t i = 0; i < room->stories.n; i++) {
		enum story_status status = replica_story_at(room, i)->status;
		if (status == STORY_TODO || status == STORY_VOTING) {
			return false;
		}
	}
	return room->stories.n > 0;
}

/* The last votes that were shown: of stories open together, they become a round only when settled. */
static const struct room_result *summary_result(const struct export_room *x,
						const struct story_view *s,
						const struct round_view *last)
{
	const struct story_votes *votes = replica_story_votes(x->room, s);
	return votes != NULL && votes->revealed_at > 0 ? &votes->result
	       : last == NULL			       ? NULL
						       : &last->result;
}

static struct summary_story summary_story(const struct export_room *x, const struct story_view *s)
{
	size_t rounds;
	const struct round_view *last = export_last_round(x, s->story_id, &rounds);
	const struct room_result *result = summary_result(x, s, last);
	struct summary_story out = {
		.story_id = s->story_id,
		.key = s->key,
		.title = s->title,
		.status = s->status,
		.estimate = s->estimate,
		.rounds = (int64_t)rounds,
		.with_key = s->key.len > 0,
		.with_estimate = s->estimate.len > 0,
	};
	if (result != NULL && result->with_spread_steps) {
		out.spread_steps = result->spread_steps;
		out.with_spread_steps = true;
		out.lowest = result->lowest;
		out.highest = result->highest;
		out.with_lowest = out.with_highest = true;
	}
	return out;
}

static bool summary_is_apart(const struct summary_story *s)
{
	return s->with_spread_steps && s->spread_steps >= SUMMARY_APART_STEPS;
}

/* The widest spread first; as in the list where it is the same. */
static void summary_put_apart(struct room_summary *out, const struct summary_story *s)
{
	size_t at = out->apart_n++;
	while (at > 0 && out->apart[at - 1].spread_steps < s->spread_steps) {
		out->apart[at] = out->apart[at - 1];
		at--;
	}
	out->apart[at] = *s;
}

void summary_make(const struct export_room *x, struct arena *arena, struct room_summary *out)
{
	size_t n = x->room->stories.n;
	*out = (struct room_summary){.room_id = slice_str(x->room->room_id)};
	out->apart = memory_have(arena_alloc(arena, (n + 1) * sizeof(*out->apart)));
	out->without_estimate =
		memory_have(arena_alloc(arena, (n + 1) * sizeof(*out->without_estimate)));
	export_count(x, &out->statistics);
	for (size_t i = 0; i < n; i++) {
		struct summary_story s = summary_story(x, replica_story_at(x->room, i));
		out->compared += s.with_spread_steps;
		if (summary_is_apart(&s)) {
			summary_put_apart(out, &s);
		} else if (s.estimate.len == 0) {
			out->without_estimate[out->without_estimate_n++] = s;
		}
	}
}

/* ---- in words ---- */

void summary_story_words(const struct summary_story *s, bool is_short, struct buf *out)
{
	if (!summary_is_apart(s)) {
		const char *status = words_text(&words_story_status, (int)s->status);
		(void)buf_printf(out, "%s", s->status == STORY_TODO ? "to do" : status);
		return;
	}
	(void)buf_printf(out, "%s to %s", s->lowest.data, s->highest.data);
	if (is_short) {
		return;
	}
	if (s->estimate.len > 0) {
		(void)buf_printf(out, ", settled on %s", s->estimate.data);
	} else {
		(void)buf_printf(out, ", no estimate");
	}
	if (s->rounds > 1) {
		(void)buf_printf(out, ", %lld rounds", (long long)s->rounds);
	}
}

void summary_export_line(const struct room_summary *s, struct buf *out)
{
	(void)buf_printf(out, "aye export %s --format csv -o %s.csv", s->room_id.data,
			 s->room_id.data);
}

static void summary_list(const char *title, const struct summary_story *list, size_t n,
			 struct buf *out)
{
	if (n > 0) {
		(void)buf_printf(out, "%s:\n", title);
	}
	for (size_t i = 0; i < n; i++) {
		struct story_name name;
		(void)buf_printf(out, "  %s: ", story_name_of(list[i].key, list[i].title, &name));
		summary_story_words(&list[i], false, out);
		(void)buf_append_slice(out, SLICE("\n"));
	}
}

void summary_text(const struct room_summary *s, struct buf *out)
{
	for (size_t i = 0; i < EXPORT_LINES_N; i++) {
		size_t before = out->len;
		export_stats_line(&s->statistics, i, out);
		(void)buf_append_slice(out, out->len > before ? SLICE("\n") : SLICE(""));
	}
	summary_list(SUMMARY_APART, s->apart, s->apart_n, out);
	if (s->apart_n == 0 && s->compared > 0) {
		(void)buf_append_slice(out, SLICE(SUMMARY_AGREED "\n"));
	}
	summary_list(SUMMARY_WITHOUT, s->without_estimate, s->without_estimate_n, out);
	(void)buf_append_slice(out, SLICE("To export: "));
	summary_export_line(s, out);
	(void)buf_append_slice(out, SLICE("\n"));
}
