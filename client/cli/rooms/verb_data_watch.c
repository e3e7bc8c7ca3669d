/*
 * verb_data_watch.c - aye data watch: changes of shared data as JSON lines.
 *
 * A line per changed entry, {kind, name, entry_id, value?, revision?, by?, is_gone?},
 * and {kind, name, is_gone} where all of it was deleted. A full update gives what
 * there is. Entries that came to be as they were known are printed again: a
 * reader that keeps the last line of each entry_id is right.
 */
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/visit.h"

struct data_watch {
	struct visit *visit;
	struct room_client *client;
	const char *kind; /* NULL: any, as below */
	const char *name;
	const char *id;
	int code;
};

/*         one line */
#define RECORD_data_line(F)                                                                \
	F(ENUM, kind, data_kind, FIELD_REQ, 0, WORDS_LAST(data_kind), "Its kind")          \
	F(STR, name, _, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "Whose entry")                  \
	F(STR, entry_id, _, FIELD_OPT, 1, MAX_DATA_NAME_BYTES, "user_id, key or entry_id") \
	F(STR, rank, _, FIELD_OPT, 1, 64, "In a list: order, compare as bytes")            \
	F(ANY, value, _, FIELD_OPT, 1, MAX_DATA_VALUE_BYTES, "Absent if deleted")          \
	F(INT, revision, _, FIELD_OPT, 1, INT64_MAX, "In a map or list")                   \
	F(STR, by, _, FIELD_OPT, 1, 64, "user_id of who changed it last")                  \
	F(BOOL, is_gone, _, FIELD_OPT, 0, 0, "It was removed")

RECORD_DECLARE(data_line)
RECORD_DEFINE(data_line)

static bool data_watch_fits(const char *wanted, struct slice is)
{
	return wanted == NULL || slice_eq(slice_str(wanted), is);
}

static bool data_watch_print(struct data_watch *w, const struct data_line *line)
{
	int code = print_record(&record_data_line, line);
	w->code = code == EXIT_DONE ? w->code : code;
	return code == EXIT_DONE;
}

/* Whether it goes on. */
static bool data_watch_tell(struct data_watch *w, const struct data_change *c)
{
	struct data_line line = {.kind = c->kind, .name = c->name};
	if (c->with_is_gone && c->is_gone) {
		line.is_gone = true;
		return data_watch_print(w, &line);
	}
	for (size_t i = 0; i < c->entries_n; i++) {
		const struct data_entry *e = &c->entries[i];
		line.entry_id = e->entry_id;
		line.rank = e->rank;
		line.value = e->value;
		line.revision = e->revision;
		line.by = e->by;
		line.is_gone = e->is_gone;
		if (data_watch_fits(w->id, e->entry_id) && !data_watch_print(w, &line)) {
			return false;
		}
	}
	return true;
}

static bool data_watch_update(struct data_watch *w, const struct room_update *u)
{
	bool goes_on = true;
	if (!slice_eq(u->room_id, slice_str(w->visit->room_id))) {
		return true;
	}
	for (size_t i = 0; i < u->data_n && goes_on; i++) {
		const struct data_change *c = &u->data[i];
		if (data_watch_fits(w->kind,
				    slice_str(words_text(&words_data_kind, (int)c->kind))) &&
		    data_watch_fits(w->name, c->name)) {
			goes_on = data_watch_tell(w, c);
		}
	}
	return goes_on;
}

static void data_watch_on_event(void *owner, const struct event *event)
{
	struct data_watch *w = owner;
	if (event->kind == EVENT_NOTICE && event->notice == NOTICE_ROOM_UPDATE &&
	    !data_watch_update(w, event->update)) {
		room_client_stop(w->client);
	}
}

int verb_data_watch(struct cli *c)
{
	struct visit v;
	struct data_watch w = {
		.visit = &v,
		.kind = c->args.words_n > 1 ? c->args.words[1] : NULL,
		.name = c->args.words_n > 2 ? c->args.words[2] : NULL,
		.id = c->args.words_n > 3 ? c->args.words[3] : NULL,
	};
	int code = visit_find(c, &v);
	if (code == EXIT_DONE) {
		struct room_entry entry = visit_entry(&v, NULL);
		entry.user_key = "";
		w.client = visit_enter(&v, &entry, false, data_watch_on_event, &w);
		code = visit_follow(&v, w.client, &w.code);
	}
	visit_close(&v);
	return code;
}
