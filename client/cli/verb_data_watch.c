/*
 * verb_data_watch.c - aye data watch: changes of shared data as JSON lines.
 *
 * A line per changed entry, {kind, name, entry_id, value?, revision?, by?, is_gone?},
 * and {kind, name, is_gone} where all of it was deleted. A full update gives what
 * there is. Entries that came to be as they were known are printed again: a
 * reader that keeps the last line of each entry_id is right.
 */
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/reach.h"
#include "client/cli/visit.h"
#include "client/net/watch_uv.h"

struct data_watch {
	struct visit *visit;
	const char *kind; /* NULL: any, as below */
	const char *name;
	const char *id;
	int code;
};

/*         one line */
#define RECORD_data_line(F)                                                                \
	F(ENUM, kind, data_kind, FIELD_REQ, 0, WORDS_LAST(data_kind), "What it is")        \
	F(STR, name, _, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "Whose entry")                  \
	F(STR, entry_id, _, FIELD_OPT, 1, MAX_DATA_NAME_BYTES, "user_id, key or entry_id") \
	F(STR, rank, _, FIELD_OPT, 1, 64, "In a list: order, compare as bytes")            \
	F(ANY, value, _, FIELD_OPT, 1, MAX_DATA_VALUE_BYTES, "Absent where it is gone")    \
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
	enum err e = print_record(&record_data_line, line);
	w->code = e == OK ? w->code : print_failure(e, NULL);
	return e == OK;
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

static bool data_watch_on_raw(void *owner, struct slice method, const struct msgpack_object *params)
{
	struct data_watch *w = owner;
	struct room_update u;
	struct arena arena = {0};
	struct fault ignored;
	bool goes_on = true;
	if (params != NULL && notice_find(method) == NOTICE_ROOM_UPDATE &&
	    record_from_object(&record_room_update, params, RECORD_LENIENT, &arena, &u, &ignored) ==
		    OK) {
		goes_on = data_watch_update(w, &u);
	}
	arena_finish(&arena);
	return goes_on;
}

int verb_data_watch(struct cli *c)
{
	struct visit v;
	struct fault fault = {0};
	struct errmsg why = {""};
	struct data_watch w = {
		.visit = &v,
		.kind = c->args.words_n > 1 ? c->args.words[1] : NULL,
		.name = c->args.words_n > 2 ? c->args.words[2] : NULL,
		.id = c->args.words_n > 3 ? c->args.words[3] : NULL,
	};
	static const struct watch_handler handler = {.on_raw = data_watch_on_raw};
	int code = visit_find(c, &v);
	if (code == EXIT_DONE) {
		struct watch_options o = {
			.address = v.place.address,
			.room_id = v.room_id,
			.user_key = "",
			.host_key = v.known.host_key,
			.timeout_ms = c->wait_ms,
		};
		enum watch_end end = watch_run(&o, &handler, &w, &fault, &why);
		code = reach_watch_end(c, &v.place, end, w.code, &fault, &why);
	}
	visit_close(&v);
	return code;
}
