/*
 * import_send.c - see import_send.h.
 */
#include "client/cli/rooms/import_send.h"

#include <stdlib.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/model/memory.h"
#include "client/model/request.h"
#include "client/state/text_file.h"
#include "proto/base/format.h"

#define IMPORT_SEND_WINDOW 32  /* sent and not answered; well below what makes a server pause */
#define IMPORT_SEND_TRIES  5   /* connections in a row that bring no answer */
#define IMPORT_SEND_PAUSES 100 /* in a row, in which no line comes to its end */

enum { IMPORT_SEND_PAUSE_MS = 200, IMPORT_SEND_PAUSE_MS_MAX = 60 * 1000 };

enum import_state {
	IMPORT_WAITS,
	IMPORT_SENT,
	IMPORT_ADDED,
	IMPORT_CHANGED,
	IMPORT_KNOWN,
	IMPORT_REFUSED
};

struct import_line {
	struct import_send *send; /* which it is a line of */
	enum import_state state;
	char id[65]; /* of what was added */
};

/* ---- sending ---- */

/* What it is, a change or something new, as its request. */
static struct request *import_send_make(const struct import_send *s, size_t i)
{
	struct request *r = NULL;
	if (s->kind->change != NULL) {
		r = request_make(s->kind->update);
		if (s->kind->change(s->from, i, r->params)) {
			return r;
		}
		request_free(r);
	}
	r = request_make(s->kind->add);
	s->kind->fill(s->from, i, r->params);
	return r;
}

static void import_send_answered(struct import_send *s, size_t i, enum import_state state)
{
	s->lines[i].state = state;
	s->tries = 0;
	s->pauses = 0;
	s->answered_n++;
	s->added_n += state == IMPORT_ADDED;
	s->changed_n += state == IMPORT_CHANGED;
	s->known_n += state == IMPORT_KNOWN;
	s->refused_n += state == IMPORT_REFUSED;
	while (s->first < s->n && s->lines[s->first].state >= IMPORT_ADDED) {
		s->first++;
	}
}

static void import_send_refused(struct import_send *s, size_t i, const struct fault *f)
{
	progress_hide(&s->progress);
	print_problem("%s %zu was refused: %s", s->is_document ? s->kind->one : "line",
		      s->kind->line(s->from, i), print_soft(slice_str(f->message)));
	import_send_answered(s, i, IMPORT_REFUSED);
}

/* Without its id it could not be removed again. */
static int import_send_added(struct import_send *s, size_t i, const struct reply *r)
{
	const struct record *rec = method_rows[s->kind->add].result;
	const struct slice *id = field_member(record_field(rec, slice_str(s->kind->id)), r->result);
	if (id->len == 0) {
		print_problem("the server sent an invalid answer: %s is missing", s->kind->id);
		return EXIT_NO_SERVER;
	}
	(void)format_to(s->lines[i].id, sizeof(s->lines[i].id), "%.*s", (int)id->len, id->data);
	import_send_answered(s, i, IMPORT_ADDED);
	return EXIT_DONE;
}

/* It is sent again, when the server takes more. */
static void import_send_pause(struct import_send *s, size_t i, int64_t told_ms)
{
	int64_t pause_ms = told_ms <= 0				? IMPORT_SEND_PAUSE_MS
			   : told_ms > IMPORT_SEND_PAUSE_MS_MAX ? IMPORT_SEND_PAUSE_MS_MAX
								: told_ms;
	int64_t now_ms = loop_clock_ms();
	s->lines[i].state = IMPORT_WAITS;
	s->pauses += now_ms >= s->not_before_ms; /* else it is the same one */
	s->not_before_ms = now_ms + pause_ms;
}

static bool import_send_is_known(const struct import_send *s, const struct reply *r)
{
	return r->is_refused && r->method == s->kind->add && s->kind->known != NULL &&
	       r->fault.code == FAULT_CONFLICT && strcmp(r->fault.field, s->kind->known) == 0;
}

static void import_send_on_reply(void *owner, const struct reply *r)
{
	struct import_line *line = owner;
	struct import_send *s = line->send;
	size_t i = (size_t)(line - s->lines);
	s->has_moved = true;
	if (r->error == ERR_CLOSED) {
		return; /* it is sent again on the next connection */
	}
	s->sent_n--;
	if (r->error != OK) {
		print_problem("%s", print_soft(slice_str(r->fault.message)));
		s->code = EXIT_NO_SERVER;
	} else if (r->fault.code == FAULT_RATE_LIMITED || r->fault.code == FAULT_UNAVAILABLE) {
		import_send_pause(s, i, r->fault.retry_after_ms);
	} else if (import_send_is_known(s, r)) {
		import_send_answered(s, i, IMPORT_KNOWN);
	} else if (r->is_refused) {
		import_send_refused(s, i, &r->fault);
	} else if (r->method == s->kind->update) {
		import_send_answered(s, i, IMPORT_CHANGED);
	} else {
		s->code = import_send_added(s, i, r);
	}
	progress_show(&s->progress, s->answered_n, s->n);
}

static enum err import_send_one(struct import_send *s, size_t i)
{
	struct visit *v = s->visit;
	struct request *r = import_send_make(s, i);
	char once[65];
	if (s->is_strict && r->method == s->kind->update && s->first < i) {
		request_free(
			r); /* only when all that is new is known to be there: no change is taken back */
		return OK;
	}
	(void)format_to(once, sizeof(once), "%s-%zu", s->id, s->kind->line(s->from, i));
	if (s->kind->in != NULL) {
		request_text(r, s->kind->in, s->in);
	}
	request_fill_common(r, &(struct request_common){
				       .room_id = v->room_id,
				       .host_key = v->known.host_key,
				       .idempotency_key = once,
			       });
	enum err e = room_client_call(v->client, r->method, r->params, import_send_on_reply,
				      &s->lines[i]);
	if (e == OK) {
		s->lines[i].send = s;
		s->lines[i].state = IMPORT_SENT;
		s->sent_n++;
	}
	request_free(r);
	return e;
}

/* In order, so that the list has the file's order: nothing is sent behind one that has to be sent
 * again. */
static enum err import_send_fill(struct import_send *s)
{
	enum err e = OK;
	for (size_t i = s->first; i < s->n && e == OK && s->sent_n < IMPORT_SEND_WINDOW; i++) {
		if (s->lines[i].state == IMPORT_WAITS) {
			e = import_send_one(s, i);
			if (s->lines[i].state == IMPORT_WAITS) {
				break;
			}
		}
	}
	return e;
}

static void import_send_on_event(void *owner, const struct event *event)
{
	struct import_send *s = owner;
	if (event->kind == EVENT_DOWN) {
		s->has_moved = true;
		s->is_lost = true;
	}
}

static bool import_send_has_moved(const void *arg)
{
	const struct import_send *s = arg;
	return s->has_moved;
}

/* A new connection; what was on its way is sent again. */
static int import_send_reconnect(struct import_send *s)
{
	struct visit *v = s->visit;
	if (s->tries++ >= IMPORT_SEND_TRIES) {
		return print_failure(ERR_CLOSED, "the connection was lost several times");
	}
	for (size_t i = s->first; i < s->n; i++) {
		bool is_sent = s->lines[i].state == IMPORT_SENT;
		s->lines[i].state = is_sent ? IMPORT_WAITS : s->lines[i].state;
	}
	s->sent_n = 0;
	s->is_lost = false;
	visit_disconnect(v);
	int code = visit_connect(v);
	if (code == EXIT_DONE && v->room_id[0] != '\0') {
		code = room_command_show_rights(v);
	}
	if (code == EXIT_DONE) {
		room_client_listen(v->client, import_send_on_event, s);
	}
	return code;
}

static int import_send_step(struct import_send *s)
{
	int64_t now_ms = loop_clock_ms();
	bool may_send = now_ms >= s->not_before_ms;
	int64_t patience_ms = may_send ? s->visit->cli->answer_ms : s->not_before_ms - now_ms;
	if (may_send && import_send_fill(s) == ERR_CLOSED) {
		return import_send_reconnect(s);
	}
	s->has_moved = false;
	bool has_moved = room_client_wait(s->visit->client, import_send_has_moved, s, patience_ms);
	if (s->is_lost) {
		return import_send_reconnect(s);
	}
	if (!has_moved && may_send) {
		return print_failure(ERR_UNKNOWN, "the server did not answer in time");
	}
	if (s->code != EXIT_DONE) {
		return s->code;
	}
	return s->pauses > IMPORT_SEND_PAUSES
		       ? print_failure(ERR_UNKNOWN, "the server does not accept it")
		       : EXIT_DONE;
}

/* ---- all or nothing ---- */

/* What was added goes again. */
static void import_send_take_back(struct import_send *s)
{
	enum method method = s->kind->remove;
	for (size_t i = 0; i < s->n; i++) {
		if (s->lines[i].state != IMPORT_ADDED) {
			continue;
		}
		void *result = memory_new(1, method_rows[method].result->size);
		struct request *r = request_make(method);
		request_text(r, s->kind->id, s->lines[i].id);
		if (s->kind->in != NULL) {
			request_text(r, s->kind->in, s->in);
		}
		if (visit_call(s->visit, method, r->params, result) != EXIT_DONE) {
			print_problem("%s %s could not be removed", s->kind->one, s->lines[i].id);
		}
		request_free(r);
		free(result);
	}
	s->added_n = 0;
}

int import_send_run(struct import_send *s)
{
	int code = EXIT_DONE;
	s->lines = memory_new(s->n + 1, sizeof(*s->lines));
	s->progress = progress_begin(s->visit->cli);
	room_client_listen(s->visit->client, import_send_on_event, s);
	while (code == EXIT_DONE && s->answered_n < s->n &&
	       !(s->is_strict && s->refused_n > 0 && s->sent_n == 0)) {
		code = import_send_step(s);
	}
	progress_hide(&s->progress);
	if (code == EXIT_DONE && s->is_strict && s->refused_n > 0) {
		import_send_take_back(s);
	}
	if (code != EXIT_DONE && s->kind->again != NULL) {
		print_problem("%zu of %zu %s were added; %s", s->added_n, s->n, s->kind->many,
			      s->kind->again);
	} else if (code != EXIT_DONE) {
		print_problem("%zu of %zu %s were added; to resume without adding any twice, "
			      "repeat with --retry %s",
			      s->added_n, s->n, s->kind->many, s->id);
	}
	return code == EXIT_DONE && s->refused_n > 0 ? EXIT_REFUSED : code;
}

/* ---- before and after ---- */

int import_send_begin(struct import_send *s, const struct import_kind *kind, struct visit *v)
{
	const char *given = v->cli->args.value[OPTION_RETRY];
	*s = (struct import_send){
		.kind = kind,
		.visit = v,
		.is_strict = v->cli->args.value[OPTION_STRICT] != NULL,
	};
	if (given == NULL) {
		(void)reach_once(s->id);
		return EXIT_DONE;
	}
	if (strlen(given) != REACH_ONCE_CHARS ||
	    strspn(given, "0123456789abcdef") != REACH_ONCE_CHARS) {
		print_problem("--retry: not an id that an import printed");
		return EXIT_USAGE;
	}
	(void)format_to(s->id, sizeof(s->id), "%s", given);
	return EXIT_DONE;
}

int import_send_say(const struct import_send *s, int code)
{
	if (code == EXIT_NO_SERVER) {
		return code;
	}
	size_t skipped = s->skipped_n + s->refused_n;
	const char *what = s->added_n == 1 ? s->kind->one : s->kind->many;
	bool is_told = s->visit->cli->is_json
			       ? print_line("{\"added\":%zu,\"known\":%zu,\"changed\":%zu,"
					    "\"skipped\":%zu,\"import_id\":\"%s\"}",
					    s->added_n, s->known_n, s->changed_n, skipped, s->id)
		       : s->known_n == 0
			       ? print_line("%zu %s added", s->added_n, what)
			       : print_line("%zu %s added, %zu known, %zu of them changed",
					    s->added_n, what, s->known_n, s->changed_n);
	if (!is_told) {
		return EXIT_BROKEN;
	}
	bool is_nothing = s->added_n == 0 && s->known_n == 0 && skipped > 0;
	return code == EXIT_DONE && is_nothing ? EXIT_REFUSED : code;
}

void import_send_end(struct import_send *s)
{
	for (size_t i = s->first; s->visit->client != NULL && s->lines != NULL && i < s->n; i++) {
		if (s->lines[i].state == IMPORT_SENT) {
			room_client_forget(s->visit->client, &s->lines[i]);
		}
	}
	free(s->lines);
	s->lines = NULL;
}

void import_send_remarks(const struct stories_import *read, const char *one)
{
	for (size_t i = 0; i < read->remarks_n; i++) {
		print_problem("%s %zu %s%s", read->is_document ? one : "line",
			      read->remarks[i].line, read->remarks[i].text,
			      read->remarks[i].is_skipped ? "; skipped" : "");
	}
	if (read->is_given_up) {
		print_problem("too many problems; the rest was not read");
	}
}

int import_send_load(const struct cli *c, enum import_format *format, struct buf *text)
{
	struct errmsg why = {""};
	const char *file = c->args.words[1];
	const char *told = c->args.value[OPTION_FORMAT];
	const char *dot = strrchr(file, '.');
	*format = IMPORT_GUESS;
	if (told != NULL && !stories_import_format(slice_str(told), format)) {
		print_problem("--format is lines, md, csv, tsv or json");
		return EXIT_USAGE;
	}
	if (told == NULL && dot != NULL) {
		(void)stories_import_format(slice_str(dot + 1), format);
	}
	enum err e = text_file_read(file, text, &why);
	return e == OK ? EXIT_DONE : print_file_failure(&why);
}
