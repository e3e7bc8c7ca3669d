/*
 * verb_export.c - aye export: a room as a file, once or whenever it changes; and aye summary.
 */
#include <stdio.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/formats/summary.h"
#include "client/model/memory.h"
#include "client/state/text_file.h"

/* A thousand rounds of many votes; more than that is no file that anybody opens. */
#define VERB_EXPORT_BYTES (256u << 20)

struct verb_export {
	struct visit *visit;
	struct room_client *client; /* that follows the room, beside the visit's */
	enum export_format format;
	const char *file; /* NULL: standard output */
	bool is_live;
	bool is_votes;
	bool is_all;
	int64_t epoch, version; /* what was written last */
	int code;
};

static int verb_export_put(const struct verb_export *job, struct slice text)
{
	return print_file(job->file, text);
}

/* The room as it is now, with its rounds; the caller finishes both. */
static int verb_export_look(struct visit *v, struct replica *room, struct export_room *x)
{
	struct round_list_result rounds = {0};
	int code = room_command_look(v, room);
	if (code == EXIT_DONE) {
		code = room_command_rounds(v, MAX_ROUNDS_KEPT, &rounds);
	}
	if (code == EXIT_DONE) {
		round_history_take(&x->rounds, &rounds, true);
	}
	return code;
}

static int verb_export_now(struct verb_export *job)
{
	struct replica room;
	struct buf text;
	struct export_room x = {
		.room = &room,
		.is_live = job->is_live,
		.is_votes = job->is_votes,
		.is_all = job->is_all,
	};
	struct export_left left = {0};
	int code = verb_export_look(job->visit, &room, &x);
	buf_init(&text, VERB_EXPORT_BYTES);
	if (code == EXIT_DONE) {
		left = export_write(&x, job->format, &text);
		enum err e = memory_check(text.error);
		code = e == OK ? verb_export_put(job, buf_slice(&text)) : print_failure(e, NULL);
	}
	if (code == EXIT_DONE) {
		print_left_out(&left, job->format, "story", "stories");
		if (export_is_of_tracker(job->format) && !job->is_all &&
		    left.written + left.without_key + left.without_number == 0) {
			print_problem(
				"no story was settled in this room; --all exports other estimates");
		}
		job->epoch = room.epoch;
		job->version = room.version;
	}
	buf_finish(&text);
	round_history_finish(&x.rounds);
	replica_finish(&room);
	arena_reset(&job->visit->arena);
	return code;
}

/* ---- whenever it changes ---- */

/* News that the last file has already is passed over: a busy room is written as fast as it can be
 * read, and no faster. */
static void verb_export_on_event(void *owner, const struct event *event)
{
	struct verb_export *job = owner;
	bool is_news = event->kind == EVENT_NEWS && (event->news & MEMBERSHIP_NEWS_ROOM) != 0 &&
		       (event->news & MEMBERSHIP_NEWS_ENDED) == 0;
	if (!is_news) {
		return;
	}
	const struct replica *room = &room_client_membership(job->client)->room;
	bool is_old = room->epoch == job->epoch && room->version <= job->version;
	if (room->has_state && !is_old) {
		job->code = verb_export_now(job);
		if (job->code != EXIT_DONE) {
			room_client_stop(job->client);
		}
	}
}

static int verb_export_watch(struct verb_export *job)
{
	struct room_entry entry = visit_entry(job->visit, NULL);
	job->client = visit_enter(job->visit, &entry, false, verb_export_on_event, job);
	return visit_follow(job->visit, job->client, &job->code);
}

static int verb_export_options(struct cli *c, struct verb_export *job)
{
	const char *output = c->args.value[OPTION_OUTPUT];
	const char *watch = c->args.value[OPTION_WATCH];
	int code = print_export_format(c, &job->format);
	if (code != EXIT_DONE) {
		return code;
	}
	job->is_all = c->args.value[OPTION_REST] != NULL;
	job->is_votes = c->args.value[OPTION_VOTES] != NULL;
	if (job->is_votes && job->format != EXPORT_CSV) {
		print_problem("--votes needs --format csv; json has them in any case");
		return EXIT_USAGE;
	}
	if (output != NULL && watch != NULL) {
		print_problem("choose --output or --watch, not both");
		return EXIT_USAGE;
	}
	bool is_stdout = output != NULL && strcmp(output, "-") == 0;
	job->file = watch != NULL ? watch : is_stdout ? NULL : output;
	job->is_live = watch != NULL;
	return EXIT_DONE;
}

int verb_export(struct cli *c)
{
	struct visit v = {0};
	struct verb_export job = {.visit = &v};
	int code = verb_export_options(c, &job);
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, NEEDS_SEAT);
		if (code == EXIT_DONE) {
			code = verb_export_now(&job);
		}
		if (code == EXIT_DONE && job.is_live) {
			code = verb_export_watch(&job);
		}
		room_command_close(&v);
	}
	return code;
}

/* ---- the summary ---- */

static int verb_summary_print(const struct cli *c, const struct room_summary *s)
{
	struct buf text;
	if (c->is_json) {
		return print_record(&record_room_summary, s);
	}
	buf_init(&text, VERB_EXPORT_BYTES);
	summary_text(s, &text);
	enum err e = memory_check(text.error);
	int code = e == OK ? print_file(NULL, buf_slice(&text)) : print_failure(e, NULL);
	buf_finish(&text);
	return code;
}

int verb_summary(struct cli *c)
{
	struct visit v;
	struct replica room;
	struct export_room x = {.room = &room};
	struct room_summary s;
	int code = room_command_open(c, &v, NEEDS_SEAT);
	if (code == EXIT_DONE) {
		code = verb_export_look(&v, &room, &x);
		if (code == EXIT_DONE) {
			summary_make(&x, &v.arena, &s);
			code = verb_summary_print(c, &s);
		}
		round_history_finish(&x.rounds);
		replica_finish(&room);
	}
	room_command_close(&v);
	return code;
}
