/*
 * export_tracker.c - see export_tracker.h.
 */
#include "client/formats/export_tracker.h"

#include "client/formats/csv.h"
#include "client/formats/import/issue_address.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/deck.h"

enum { ESTIMATE_ANY, ESTIMATE_NUMBER, ESTIMATE_WHOLE };

static const struct tracker_row {
	enum export_format format;
	int estimate;
	bool is_numbered; /* its keys are #12 */
} tracker_rows[] = {
	{EXPORT_JIRA, ESTIMATE_NUMBER, false},
	{EXPORT_GITHUB, ESTIMATE_ANY, true},
	{EXPORT_GITLAB, ESTIMATE_WHOLE, true}, /* its weights are */
};

static const struct tracker_row *tracker_row(enum export_format format)
{
	for (size_t i = 0; i < sizeof(tracker_rows) / sizeof(tracker_rows[0]); i++) {
		if (tracker_rows[i].format == format) {
			return &tracker_rows[i];
		}
	}
	return NULL;
}

bool export_is_of_tracker(enum export_format format)
{
	return tracker_row(format) != NULL;
}

void tracker_begin(struct tracker *t, enum export_format format, struct buf *out)
{
	*t = (struct tracker){.format = format, .out = out};
	if (format == EXPORT_JIRA) {
		csv_put(out, SLICE("Issue key"), true);
		csv_put(out, SLICE("Story Points"), false);
		csv_put(out, SLICE("Summary"), false);
		csv_end_record(out);
	}
}

/* The estimate in the tracker's form; empty: it takes no such one. */
static struct slice tracker_estimate(const struct tracker_row *row, struct slice estimate,
				     char text[32])
{
	double value;
	if (row->estimate == ESTIMATE_ANY) {
		return estimate;
	}
	if (!card_number(estimate, &value)) {
		return (struct slice){0};
	}
	bool is_whole = value >= 0 && value < 1e9 && !((double)(int64_t)value < value);
	if (row->estimate == ESTIMATE_WHOLE && !is_whole) {
		return (struct slice){0};
	}
	return slice_of(text, format_to(text, 32, "%.10g", value));
}

static void tracker_write(const struct tracker *t, const struct tracker_issue *issue,
			  struct slice estimate)
{
	struct slice link = slice_str(issue->link);
	struct issue_address address;
	if (t->format == EXPORT_JIRA) {
		csv_put_guarded(t->out, issue->key, true);
		csv_put(t->out, estimate, false);
		csv_put_guarded(t->out, issue->title, false);
		csv_end_record(t->out);
		return;
	}
	/* An address says of which repository the issue is. */
	bool has_address = t->format == EXPORT_GITHUB && issue_address_read(link, &address) &&
			   slice_eq(slice_str(address.key), issue->key);
	(void)buf_append_slice(t->out, has_address
					       ? link
					       : slice_of(issue->key.data + 1, issue->key.len - 1));
	(void)buf_append_slice(t->out, SLICE("\t"));
	(void)buf_append_slice(t->out, estimate);
	(void)buf_append_slice(t->out, SLICE("\t"));
	(void)buf_append_slice(t->out, issue->title);
	(void)buf_append_slice(t->out, SLICE("\n"));
}

void tracker_put(struct tracker *t, const struct tracker_issue *issue)
{
	const struct tracker_row *row = tracker_row(t->format);
	char text[32];
	if (issue->estimate.len == 0) {
		return;
	}
	struct slice estimate = tracker_estimate(row, issue->estimate, text);
	if (row->is_numbered ? !issue_is_number(issue->key) : issue->key.len == 0) {
		t->left.without_key++;
	} else if (estimate.len == 0) {
		t->left.without_number++;
	} else {
		tracker_write(t, issue, estimate);
		t->left.written++;
	}
}

struct export_left export_tracker(const struct export_room *x, enum export_format format,
				  struct buf *out)
{
	struct tracker t;
	tracker_begin(&t, format, out);
	for (size_t i = 0; i < x->room->stories.n; i++) {
		const struct story_view *s = replica_story_at(x->room, i);
		struct story_link link;
		if (export_has_story(x, s)) {
			tracker_put(&t,
				    &(struct tracker_issue){.key = s->key,
							    .title = s->title,
							    .estimate = s->estimate,
							    .link = story_link(x->room, s, &link)});
		}
	}
	return t.left;
}
