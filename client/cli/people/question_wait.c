/*
 * question_wait.c - see question_wait.h.
 */
#include "client/cli/people/question_wait.h"

#include <stdlib.h>
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "client/model/questions/question_outcome.h"
#include "client/model/questions/question_text.h"
#include "client/model/questions/question_whole.h"
#include "proto/base/format.h"

/* Where the server cannot answer now, it is asked again after this long; so is one whose question should have ended. */
#define WAIT_RETRY_MS 1000

/*
 *   ASK --question.ask--> WATCH --question.watch--> FOLLOW --it has ended--> GET --all pages--> OVER
 *                           ^                          |                      |
 *                           +-- lost, reset, its time -+------- lost ---------+
 */
enum question_wait_phase { WAIT_ASK, WAIT_WATCH, WAIT_FOLLOW, WAIT_GET, WAIT_OVER };

struct question_wait {
	const struct cli *cli;
	const struct question_wish *wish;
	struct server_place place;
	struct sign_in *sign_in;
	struct room_client *client;
	enum question_wait_phase phase;
	char question_id[4 * 64 + 1];
	struct question_view *is; /* as it was told last, without answers; NULL: not yet */
	int64_t version;	  /* of that, on this connection */
	bool is_asked;		  /* an answer is to come */
	struct question_whole whole;
	int expected; /* an option; -1: none */
	int code;
};

static void wait_end(struct question_wait *w, int code)
{
	w->code = code;
	w->phase = WAIT_OVER;
	room_client_stop(w->client);
}

/* ---- what is printed ---- */

/* Who asked and waits reads it on the way, where a person reads; who watches wants nothing else. */
static void wait_print_progress(struct question_wait *w)
{
	char state[QUESTION_STATE_BYTES];
	question_state(w->is, question_now_ms(w->client), state, sizeof(state));
	if (w->wish->ask != NULL) {
		print_progress("%s", state);
	} else if (w->cli->is_json) {
		int code = print_record(&record_question_view, w->is);
		if (code != EXIT_DONE) {
			wait_end(w, code);
		}
	} else if (!print_line("%s", state)) {
		wait_end(w, EXIT_BROKEN);
	}
}

static void wait_print_outcome(struct question_wait *w)
{
	static const int codes[] = {
		[OUTCOME_NONE_YET] = EXIT_TIMED_OUT,  [OUTCOME_ENOUGH] = EXIT_DONE,
		[OUTCOME_UNEXPECTED] = EXIT_NO,	      [OUTCOME_EXPIRED] = EXIT_TIMED_OUT,
		[OUTCOME_CANCELLED] = EXIT_CANCELLED,
	};
	int code = question_print_whole(w->cli, &w->whole, false, question_now_ms(w->client));
	wait_end(w,
		 code == EXIT_DONE ? codes[question_outcome(&w->whole.view, w->expected)] : code);
}

/* It goes on without us: how to come back. */
static int wait_print_farewell(const struct question_wait *w, enum room_client_end end)
{
	const char *why = end == CLIENT_TIMED_OUT ? "timed out (--timeout); " : "";
	char state[QUESTION_STATE_BYTES] = "";
	if (w->question_id[0] == '\0') {
		print_problem(
			"%sthe server did not confirm the question; check with aye question mine",
			why);
		return EXIT_TIMED_OUT;
	}
	if (w->is != NULL) {
		question_state(w->is, question_now_ms(w->client), state, sizeof(state));
	}
	print_problem("%s%s stays open%s%s\n"
		      "To wait on: aye question watch %s\n"
		      "To see the answers: aye question show %s",
		      why, w->question_id, state[0] == '\0' ? "" : ": ", state, w->question_id,
		      w->question_id);
	if (w->cli->is_json && w->is != NULL) {
		(void)print_record(&record_question_view, w->is);
	}
	return EXIT_TIMED_OUT;
}

/* ---- what is asked ---- */

static void wait_on_asked(void *owner, const struct reply *r);
static void wait_on_watched(void *owner, const struct reply *r);
static void wait_on_page(void *owner, const struct reply *r);

/* Without a connection nothing is sent: the phase is asked for again with the next one. */
static void wait_send(struct question_wait *w)
{
	const struct question_params watch = {.question_id = slice_str(w->question_id)};
	const struct question_get_params get = {.question_id = slice_str(w->question_id),
						.cursor = w->whole.cursor};
	enum err e = OK;
	switch (w->phase) {
	case WAIT_ASK:
		e = room_client_call(w->client, METHOD_QUESTION_ASK, w->wish->ask->params,
				     wait_on_asked, w);
		break;
	case WAIT_WATCH:
		e = room_client_call(w->client, METHOD_QUESTION_WATCH, &watch, wait_on_watched, w);
		break;
	case WAIT_GET:
		e = room_client_call(w->client, METHOD_QUESTION_GET, &get, wait_on_page, w);
		break;
	case WAIT_FOLLOW:
	case WAIT_OVER:
		break;
	}
	w->is_asked = e == OK && w->phase != WAIT_FOLLOW;
	if (e != OK && e != ERR_CLOSED) {
		wait_end(w, print_failure(e, NULL));
	}
}

static void wait_begin(struct question_wait *w, enum question_wait_phase phase)
{
	w->phase = phase;
	w->version = 0;
	question_whole_finish(&w->whole);
	wait_send(w);
}

/* ---- what comes ---- */

/* Whether it was expected of it: known as soon as its options are. */
static bool wait_expects(struct question_wait *w)
{
	if (w->wish->expect == NULL || w->expected >= 0) {
		return true;
	}
	w->expected = question_option(&w->is->options, slice_str(w->wish->expect));
	if (w->expected < 0) {
		print_problem("--expect: %s is not one of its options",
			      print_typed(w->wish->expect));
		wait_end(w, EXIT_USAGE);
	}
	return w->expected >= 0;
}

/* When its time is up the server says so, but not at once: it is asked. */
static void wait_wake_at_its_end(struct question_wait *w)
{
	int64_t left_ms = w->is->expires_at - question_now_ms(w->client);
	room_client_wake_in(w->client, left_ms > WAIT_RETRY_MS ? left_ms + 1 : WAIT_RETRY_MS);
}

static void wait_take_view(struct question_wait *w, const struct question_view *view)
{
	bool is_news = w->is == NULL || w->is->status != view->status ||
		       w->is->current_responses != view->current_responses;
	free(w->is);
	w->is = memory_have(record_own(&record_question_view, view));
	if (!wait_expects(w)) {
		return;
	}
	if (question_outcome(w->is, -1) != OUTCOME_NONE_YET) {
		wait_begin(w, WAIT_GET);
		return;
	}
	wait_wake_at_its_end(w);
	if (is_news) {
		wait_print_progress(w);
	}
}

/* Whether there is a result. Too many questions are a refusal of this one; too many reads are not. */
static bool wait_has_result(struct question_wait *w, const struct reply *r)
{
	bool may_change = r->fault.code == FAULT_UNAVAILABLE ||
			  (r->fault.code == FAULT_RATE_LIMITED && w->phase != WAIT_ASK);
	w->is_asked = false;
	if (!r->is_refused) {
		return true;
	}
	if (r->error == ERR_PROTO) {
		print_problem("%s", r->fault.message);
		wait_end(w, EXIT_NO_SERVER);
	} else if (r->error == OK && may_change) {
		room_client_wake_in(w->client, r->fault.retry_after_ms > WAIT_RETRY_MS
						       ? r->fault.retry_after_ms
						       : WAIT_RETRY_MS);
	} else if (r->error == OK) {
		wait_end(w, print_refusal(w->cli, &r->fault));
	}
	return false; /* where the connection is lost, it comes back */
}

static void wait_on_asked(void *owner, const struct reply *r)
{
	struct question_wait *w = owner;
	const struct question_ask_result *asked = r->result;
	if (!wait_has_result(w, r)) {
		return;
	}
	(void)format_to(w->question_id, sizeof(w->question_id), "%.*s", (int)asked->question_id.len,
			asked->question_id.data);
	int code = question_print_asked(w->cli, w->client, asked);
	if (code == EXIT_DONE) {
		wait_begin(w, WAIT_WATCH);
	} else {
		wait_end(w, code);
	}
}

static void wait_on_watched(void *owner, const struct reply *r)
{
	struct question_wait *w = owner;
	const struct question_watch_result *is = r->result;
	if (wait_has_result(w, r)) {
		w->phase = WAIT_FOLLOW;
		w->version = is->version;
		wait_take_view(w, &is->question);
	}
}

static void wait_on_page(void *owner, const struct reply *r)
{
	struct question_wait *w = owner;
	if (!wait_has_result(w, r)) {
		return;
	}
	question_whole_add(&w->whole, r->result);
	if (w->whole.cursor.len > 0) {
		wait_send(w);
	} else {
		wait_print_outcome(w);
	}
}

/* Each has the whole question: what was missed before it does not matter. */
static void wait_take_update(struct question_wait *w, const struct question_update *u)
{
	if (w->phase == WAIT_FOLLOW && u->with_question && u->version > w->version) {
		w->version = u->version;
		wait_take_view(w, &u->question);
	} else if (w->phase == WAIT_FOLLOW && u->reset) {
		wait_begin(w, WAIT_WATCH);
	}
}

static void wait_lose(struct question_wait *w, const struct event *event)
{
	struct errmsg ignored = {""};
	print_progress("connection lost: %s; retrying", print_soft(slice_str(event->why)));
	w->is_asked = false;
	if (w->phase != WAIT_ASK) {
		w->phase = WAIT_WATCH;
	}
	enum err e = server_revive(&w->place, &ignored);
	(void)e; /* the next try tells */
}

static void wait_on_event(void *owner, const struct event *event)
{
	struct question_wait *w = owner;
	const struct sign_in *s = w->sign_in;
	if (w->phase == WAIT_OVER) {
		return;
	}
	if (event->kind == EVENT_OPEN && s != NULL && !s->is_signed_in &&
	    s->fault.code != FAULT_NONE) {
		wait_end(w, print_refusal(w->cli, &s->fault));
	} else if (event->kind == EVENT_OPEN) {
		wait_begin(w, w->phase);
	} else if (event->kind == EVENT_WAKE && !w->is_asked) {
		wait_begin(w, w->phase == WAIT_FOLLOW ? WAIT_WATCH : w->phase);
	} else if (event->kind == EVENT_DOWN) {
		wait_lose(w, event);
	} else if (event->kind == EVENT_NOTICE && event->notice == NOTICE_QUESTION_UPDATE) {
		wait_take_update(w, event->update);
	}
}

int question_wait(struct cli *c, const struct question_wish *wish)
{
	struct question_wait w = {
		.cli = c,
		.wish = wish,
		.phase = wish->ask == NULL ? WAIT_WATCH : WAIT_ASK,
		.expected = -1,
		.code = EXIT_DONE,
	};
	struct fault fault = {0};
	struct errmsg why = {""};
	int code = reach_place(c, &w.place);
	if (code != EXIT_DONE) {
		return code;
	}
	if (wish->ask == NULL) {
		(void)format_to(w.question_id, sizeof(w.question_id), "%s", wish->question_id);
	}
	code = room_command_sign_in(c, &w.place, wish->needs, &w.sign_in);
	if (code != EXIT_DONE) {
		return code;
	}
	struct room_client_options o = {
		.address = w.place.address,
		.sign_in = w.sign_in,
		.keeps_trying = true,
		.on_event = wait_on_event,
		.owner = &w,
	};
	w.client = room_client_open(NULL, &o);
	enum room_client_end end = room_client_run(w.client, c->wait_ms, &fault, &why);
	bool goes_on = end == CLIENT_TIMED_OUT || (end == CLIENT_STOPPED && w.phase != WAIT_OVER);
	code = goes_on ? wait_print_farewell(&w, end)
		       : reach_end(c, &w.place, end, w.code, &fault, &why);
	room_client_close(w.client);
	question_whole_finish(&w.whole);
	free(w.is);
	return code;
}
