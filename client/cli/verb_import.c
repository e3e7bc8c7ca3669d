/*
 * verb_import.c - aye story import: stories from a file, each sent exactly once.
 *
 * Every story has an idempotency key made of the import's id and its line, so
 * what was sent and not answered is sent again without doubling: after a lost
 * connection by itself, and after a broken run with --retry ID.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "client/cli/text_file.h"
#include "client/model/stories_import.h"
#include "client/model/memory.h"
#include "proto/format.h"

#define VERB_IMPORT_BYTES  (16u << 20)
#define VERB_IMPORT_WINDOW 32 /* sent and not answered; well below what makes a server pause */
#define VERB_IMPORT_TRIES  5  /* connections in a row that bring no answer */
#define VERB_IMPORT_BAR	   40
#define VERB_IMPORT_BAR_MS 1000 /* a shorter import needs no progress bar */

enum verb_import_state { IMPORT_WAITS, IMPORT_SENT, IMPORT_ADDED, IMPORT_REFUSED };

struct verb_import {
	struct visit *visit;
	struct stories_import stories;
	char id[REACH_ONCE_CHARS + 1];
	enum verb_import_state state[MAX_STORIES];
	uint32_t request[MAX_STORIES];
	char story_id[MAX_STORIES][65]; /* of those that were added */
	size_t sent_n;			/* and not answered */
	size_t answered_n;
	size_t added_n;
	size_t refused_n;
	size_t tries;
	bool is_lost;	/* the connection */
	bool has_moved; /* something has happened */
	int code;	/* what went wrong with an answer */
	bool is_strict;
	bool is_shown; /* a progress bar is on the terminal */
	int64_t begun_ms;
	int64_t not_before_ms; /* when the server takes more */
};

/* ---- the bar ---- */

static void verb_import_show(struct verb_import *im)
{
	size_t n = im->stories.stories_n;
	size_t full = n == 0 ? 0 : im->answered_n * VERB_IMPORT_BAR / n;
	char bar[VERB_IMPORT_BAR + 1];
	if (isatty(STDERR_FILENO) != 1 || im->visit->cli->is_json ||
	    loop_clock_ms() - im->begun_ms < VERB_IMPORT_BAR_MS) {
		return;
	}
	memset(bar, '.', VERB_IMPORT_BAR);
	memset(bar, '#', full);
	bar[VERB_IMPORT_BAR] = '\0';
	(void)fprintf(stderr, "\r[%s] %zu of %zu", bar, im->answered_n, n);
	(void)fflush(stderr);
	im->is_shown = true;
}

static void verb_import_hide(struct verb_import *im)
{
	if (im->is_shown) {
		(void)fprintf(stderr, "\r%*s\r", VERB_IMPORT_BAR + 24, "");
		im->is_shown = false;
	}
}

/* ---- sending ---- */

static enum err verb_import_send(struct verb_import *im, size_t i)
{
	const struct import_story *s = &im->stories.stories[i];
	struct visit *v = im->visit;
	char once[65];
	size_t once_len = format_to(once, sizeof(once), "%s-%zu", im->id, s->line);
	struct story_add_params p = {
		.room_id = slice_str(v->room_id),
		.host_key = slice_str(v->known.host_key),
		.key = s->key,
		.title = s->title,
		.link = s->link,
		.description = s->description,
		.estimate = s->estimate,
		.status = s->status,
		.with_status = true,
		.idempotency_key = slice_of(once, once_len),
	};
	enum err e = room_client_call(v->client, METHOD_STORY_ADD, &p, &im->request[i]);
	if (e == OK) {
		im->state[i] = IMPORT_SENT;
		im->sent_n++;
	}
	return e;
}

/* In order, so that the list has the file's order: nothing is sent behind one that has to be sent
 * again. */
static enum err verb_import_fill(struct verb_import *im)
{
	enum err e = OK;
	for (size_t i = 0; i < im->stories.stories_n && e == OK; i++) {
		if (im->sent_n == VERB_IMPORT_WINDOW) {
			break;
		}
		if (im->state[i] == IMPORT_WAITS) {
			e = verb_import_send(im, i);
		}
	}
	return e;
}

static void verb_import_refused(struct verb_import *im, size_t i, const struct fault *f)
{
	verb_import_hide(im);
	print_problem("%s %zu was refused: %s", im->stories.is_document ? "story" : "line",
		      im->stories.stories[i].line, print_soft(slice_str(f->message)));
	im->state[i] = IMPORT_REFUSED;
	im->refused_n++;
	im->answered_n++;
}

/* Without its story_id a story could not be removed again. */
static int verb_import_added(struct verb_import *im, size_t i, const struct msgpack_object *value)
{
	struct story_result r = {0};
	struct fault f = {.field = "story_id", .message = "is missing"};
	struct arena arena = {0};
	enum err e = value == NULL
			     ? ERR_PROTO
			     : memory_check(record_from_object(&record_story_result, value,
							       RECORD_LENIENT, &arena, &r, &f));
	bool is_fine = e == OK && r.story_id.len > 0;
	if (is_fine) {
		format_to(im->story_id[i], sizeof(im->story_id[i]), "%.*s", (int)r.story_id.len,
			  r.story_id.data);
		im->state[i] = IMPORT_ADDED;
		im->added_n++;
		im->answered_n++;
	} else {
		print_problem("the server's answer is not what it should be: %s %s",
			      print_soft(slice_str(f.field)), print_soft(slice_str(f.message)));
	}
	arena_finish(&arena);
	return is_fine ? EXIT_DONE : EXIT_NO_SERVER;
}

static void verb_import_answer(struct verb_import *im, const struct event *event)
{
	size_t i = 0;
	while (i < im->stories.stories_n &&
	       (im->state[i] != IMPORT_SENT || im->request[i] != event->id)) {
		i++;
	}
	if (i == im->stories.stories_n || event->error != OK) {
		return;
	}
	im->sent_n--;
	im->tries = 0;
	if (event->kind == EVENT_ANSWER) {
		im->code = verb_import_added(im, i, event->value);
	} else if (event->fault->code == FAULT_RATE_LIMITED ||
		   event->fault->code == FAULT_UNAVAILABLE) {
		int64_t pause_ms = event->fault->retry_after_ms;
		im->state[i] = IMPORT_WAITS;
		im->not_before_ms = loop_clock_ms() + (pause_ms > 0 ? pause_ms : 200);
		im->tries++;
	} else {
		verb_import_refused(im, i, event->fault);
	}
}

static void verb_import_on_event(void *owner, const struct event *event)
{
	struct verb_import *im = owner;
	im->has_moved = true;
	if (event->kind == EVENT_ANSWER || event->kind == EVENT_REFUSAL) {
		verb_import_answer(im, event);
		verb_import_show(im);
	} else if (event->kind == EVENT_DOWN) {
		im->is_lost = true;
	}
}

static bool verb_import_has_moved(const void *arg)
{
	const struct verb_import *im = arg;
	return im->has_moved;
}

/* A new connection; what was on its way is sent again. */
static int verb_import_reconnect(struct verb_import *im)
{
	struct visit *v = im->visit;
	if (im->tries++ >= VERB_IMPORT_TRIES) {
		return print_failure(ERR_CLOSED, "the connection was lost again and again");
	}
	for (size_t i = 0; i < im->stories.stories_n; i++) {
		im->state[i] = im->state[i] == IMPORT_SENT ? IMPORT_WAITS : im->state[i];
	}
	im->sent_n = 0;
	im->is_lost = false;
	visit_disconnect(v);
	int code = visit_connect(v);
	code = code == EXIT_DONE ? room_command_show_rights(v) : code;
	if (code == EXIT_DONE) {
		room_client_listen(v->client, verb_import_on_event, im);
	}
	return code;
}

static int verb_import_step(struct verb_import *im)
{
	int64_t now_ms = loop_clock_ms();
	bool may_send = now_ms >= im->not_before_ms;
	int64_t patience_ms = may_send ? im->visit->cli->answer_ms : im->not_before_ms - now_ms;
	if (may_send && verb_import_fill(im) == ERR_CLOSED) {
		return verb_import_reconnect(im);
	}
	im->has_moved = false;
	bool has_moved =
		room_client_wait(im->visit->client, verb_import_has_moved, im, patience_ms);
	if (im->is_lost) {
		return verb_import_reconnect(im);
	}
	if (!has_moved && may_send) {
		return print_failure(ERR_UNKNOWN, "the server did not answer in time");
	}
	if (im->code != EXIT_DONE) {
		return im->code;
	}
	return im->tries > 1000 ? print_failure(ERR_UNKNOWN, "the server does not take it")
				: EXIT_DONE;
}

/* ---- all or nothing ---- */

/* What was added goes again; stories that were removed are out of sight for everybody. */
static void verb_import_take_back(struct verb_import *im)
{
	for (size_t i = 0; i < im->stories.stories_n; i++) {
		struct version_result r;
		struct story_params p = {.story_id = slice_str(im->story_id[i])};
		if (im->state[i] == IMPORT_ADDED &&
		    room_command_call(im->visit, METHOD_STORY_REMOVE, &p, &r) != EXIT_DONE) {
			print_problem("story %s could not be removed again", im->story_id[i]);
		}
	}
	im->added_n = 0;
}

static int verb_import_run(struct verb_import *im)
{
	int code = EXIT_DONE;
	im->begun_ms = loop_clock_ms();
	while (code == EXIT_DONE && im->answered_n < im->stories.stories_n &&
	       !(im->is_strict && im->refused_n > 0 && im->sent_n == 0)) {
		code = verb_import_step(im);
	}
	verb_import_hide(im);
	if (code == EXIT_DONE && im->is_strict && im->refused_n > 0) {
		verb_import_take_back(im);
	}
	if (code != EXIT_DONE) {
		print_problem("%zu of %zu stories were added; to go on without doubling any, "
			      "repeat with --retry %s",
			      im->added_n, im->stories.stories_n, im->id);
	}
	return code == EXIT_DONE && im->refused_n > 0 ? EXIT_REFUSED : code;
}

/* ---- before anything is sent ---- */

static void verb_import_remarks(const struct stories_import *s)
{
	for (size_t i = 0; i < s->remarks_n; i++) {
		print_problem("%s %zu %s%s", s->is_document ? "story" : "line", s->remarks[i].line,
			      s->remarks[i].text, s->remarks[i].is_skipped ? "; skipped" : "");
	}
	if (s->lacks_header) {
		print_problem("no row names the columns: taken as title, link and description, "
			      "with a key in front where one is");
	}
	if (s->is_given_up) {
		print_problem("so much is wrong with it that the rest was not read");
	}
}

static int verb_import_format(const struct cli *c, const char *file, enum import_format *out)
{
	const char *told = c->args.value[OPTION_FORMAT];
	const char *dot = strrchr(file, '.');
	*out = IMPORT_GUESS;
	if (told != NULL && !stories_import_format(slice_str(told), out)) {
		print_problem("--format is lines, md, csv, tsv or json");
		return EXIT_USAGE;
	}
	if (told == NULL && dot != NULL) {
		(void)stories_import_format(slice_str(dot + 1), out);
	}
	return EXIT_DONE;
}

static int verb_import_load(struct cli *c, enum import_format *format, struct buf *text)
{
	struct errmsg why = {""};
	const char *file = c->args.words[1];
	int code = verb_import_format(c, file, format);
	enum err e = code == EXIT_DONE ? text_file_read(file, text, &why) : OK;
	return e == OK ? code : print_file_failure(&why);
}

/* The stories, with the deck's labels; where it has to be all or nothing, whether it can be all. */
static int verb_import_read(struct verb_import *im, struct slice text, enum import_format format,
			    struct arena *arena)
{
	struct stories_import *s = &im->stories;
	struct replica r;
	int code = room_command_look(im->visit, &r);
	if (code == EXIT_DONE) {
		stories_import_read(text, format, r.room.valid_sizes, arena, s);
		verb_import_remarks(s);
	}
	size_t has = r.stories.n + r.removed.n;
	replica_finish(&r);
	if (code != EXIT_DONE || !im->is_strict) {
		return code;
	}
	if (s->remarks_n > 0) {
		print_problem("nothing was sent");
		return EXIT_REFUSED;
	}
	if (has + s->stories_n > MAX_STORIES) {
		print_problem("the room has %zu stories of at most %d, removed ones counted; "
			      "nothing was sent",
			      has, MAX_STORIES);
		return EXIT_REFUSED;
	}
	return EXIT_DONE;
}

static int verb_import_id(const struct cli *c, char id[REACH_ONCE_CHARS + 1])
{
	const char *given = c->args.value[OPTION_RETRY];
	if (given == NULL) {
		(void)reach_once(id);
		return EXIT_DONE;
	}
	if (strlen(given) != REACH_ONCE_CHARS ||
	    strspn(given, "0123456789abcdef") != REACH_ONCE_CHARS) {
		print_problem("--retry: that is no id that an import gave");
		return EXIT_USAGE;
	}
	format_to(id, REACH_ONCE_CHARS + 1, "%s", given);
	return EXIT_DONE;
}

static int verb_import_say(const struct verb_import *im)
{
	struct visit *v = im->visit;
	size_t skipped = stories_import_skipped(&im->stories) + im->refused_n;
	bool is_told = v->cli->is_json
			       ? print_line("{\"added\":%zu,\"skipped\":%zu,\"import_id\":\"%s\"}",
					    im->added_n, skipped, im->id)
			       : print_line("%zu %s added", im->added_n,
					    im->added_n == 1 ? "story" : "stories");
	if (!is_told) {
		return EXIT_BROKEN;
	}
	return im->added_n == 0 && skipped > 0 ? EXIT_REFUSED : EXIT_DONE;
}

int verb_story_import(struct cli *c)
{
	static struct verb_import im; /* large, and there is one */
	struct visit v = {0};
	struct arena arena = {0};
	struct buf text;
	enum import_format format;
	buf_init(&text, VERB_IMPORT_BYTES);
	im = (struct verb_import){.visit = &v, .is_strict = c->args.value[OPTION_STRICT] != NULL};
	int code = verb_import_id(c, im.id);
	if (code == EXIT_DONE) {
		code = verb_import_load(c, &format, &text);
	}
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, NEEDS_MEMBER);
		if (code == EXIT_DONE) {
			code = verb_import_read(&im, buf_slice(&text), format, &arena);
		}
		if (code == EXIT_DONE) {
			room_client_listen(v.client, verb_import_on_event, &im);
			code = verb_import_run(&im);
			int said = code == EXIT_NO_SERVER ? code : verb_import_say(&im);
			code = code == EXIT_DONE || said == EXIT_BROKEN ? said : code;
		}
		room_command_close(&v);
	}
	buf_finish(&text);
	arena_finish(&arena);
	return code;
}
