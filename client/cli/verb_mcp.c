/*
 * verb_mcp.c - aye mcp: an agent asks people, by the Model Context Protocol.
 *
 * Lines of standard input go to the protocol (mcp.h), its answers to standard output,
 * where nothing else is written; what it wants of the server goes there. The server is
 * sought, and where it is the person's own started, when the first tool is called.
 *
 *   no connection --a call--> connecting --signed in--> open --lost, or not signed in any more--> no connection
 *
 * A call waits for all of this for the time of --timeout. What was on its way when the
 * connection was lost is sent again with the same idempotency key. Each connection
 * signs in with the token that the state has then, so that several programs of one
 * name have one session, whichever of them began it last.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/known_servers.h"
#include "client/cli/reach/login.h"
#include "client/cli/reach/reach.h"
#include "client/mcp/mcp.h"
#include "client/mcp/mcp_call.h"
#include "client/net/loop_uv.h"
#include "proto/base/format.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"

/* Between two tries to connect, and before a server that cannot do something now is asked again. */
#define MCP_RETRY_MS 500
/* The longest wait for a certificate; the client's messages wait meanwhile. */
#define MCP_LOOK_MS 2000

#define MCP_WHOSE_CELLS 14 /* of the user's name in the name of their program */
#define MCP_NUMBER_MAX	9  /* after so many it is no coincidence */

struct mcp_verb {
	const struct cli *cli;
	struct mcp mcp;
	struct loop loop;
	struct room_client *client; /* NULL: no connection, nor a try */
	struct sign_in *sign_in;    /* of that */
	bool is_own_name;	    /* likewise: by mcp_name(), not that of whoever is logged in */
	int number;		    /* behind the name, as somebody else has it without; 0: none */
	bool is_open;		    /* likewise: requests may be made */
	bool is_lost;		    /* likewise: it is to be closed */
	int64_t try_ms;		    /* loop_clock_ms(): the next try is not before */
	char why[256];		    /* there is no connection */
	bool has_moved;
	bool is_input_over;
	bool gives_up; /* likewise, and a try to connect after that has failed */
	bool is_over;
	int code;
};

/* ---- the server ---- */

/* NULL: nothing was told. */
static const char *mcp_told_name(const struct cli *c)
{
	const char *told = c->args.value[OPTION_ASKER];
	const char *in_environment = getenv("AYE_NAME");
	bool has_environment = in_environment != NULL && in_environment[0] != '\0';
	return told != NULL ? told : has_environment ? in_environment : NULL;
}

/* Told, or whose program it is; with a number where that is somebody else's on this server, as a room numbers names. */
static void mcp_name(const struct mcp_verb *v, char out[MAX_NAME_BYTES + 1])
{
	char whose[MAX_NAME_BYTES + 1] = "someone";
	char name[3 * MAX_NAME_BYTES];
	char number[16] = "";
	const char *told = mcp_told_name(v->cli);
	const char *user = getenv("USER");
	size_t len = 0;
	int32_t bad = 0;
	if (user != NULL && text_clean(slice_str(user), whose, MAX_NAME_BYTES, &len, &bad) == OK &&
	    len > 0) {
		whose[text_fit(slice_of(whose, len), MCP_WHOSE_CELLS)] = '\0';
	}
	if (told != NULL && v->number == 0) {
		(void)format_to(out, MAX_NAME_BYTES + 1, "%s", told);
		return;
	}
	if (told != NULL) {
		(void)format_to(name, sizeof(name), "%s", told);
	} else {
		(void)format_to(name, sizeof(name), "%s's %s", whose,
				v->mcp.client_name[0] == '\0' ? "agent" : v->mcp.client_name);
	}
	if (v->number > 0) {
		(void)format_to(number, sizeof(number), " %d", v->number);
	}
	len = text_fit(slice_str(name), MAX_NAME_CELLS - strlen(number));
	while (len > MAX_NAME_BYTES - strlen(number)) {
		len = text_fit(slice_of(name, len - 1), MAX_NAME_CELLS);
	}
	(void)format_to(out, MAX_NAME_BYTES + 1, "%.*s%s", (int)len, name, number);
}

/* Who asks: whoever is logged in, unless another name was told. */
static struct sign_in *mcp_who(struct mcp_verb *v, const char *server)
{
	char name[MAX_NAME_BYTES + 1];
	const char *told = mcp_told_name(v->cli);
	struct sign_in *stored = login_stored(server);
	v->is_own_name = stored == NULL || (told != NULL && strcmp(told, stored->user_name) != 0);
	if (!v->is_own_name) {
		return stored;
	}
	mcp_name(v, name);
	return login_beside(server, name);
}

static void mcp_on_event(void *owner, const struct event *event);

/* Nothing of this is worth an end: the next call tries again. */
static void mcp_connect(struct mcp_verb *v)
{
	struct server_place place;
	struct errmsg why = {""};
	int64_t look_ms = v->cli->answer_ms < MCP_LOOK_MS ? v->cli->answer_ms : MCP_LOOK_MS;
	v->gives_up = v->is_input_over;
	enum err e = server_find(v->cli->args.value[OPTION_SERVER], &place, &why);
	e = e == OK ? known_server_complete(&place.address, look_ms, &why) : e;
	v->try_ms = loop_clock_ms() + MCP_RETRY_MS;
	if (e == ERR_UNKNOWN) {
		errmsg_set(&why, "%s does not answer", place.address.text);
	}
	if (e == OK) {
		v->sign_in = mcp_who(v, place.address.text);
		e = v->sign_in == NULL ? ERR_IO : OK;
		errmsg_set(&why, "no login can be stored on this machine");
	}
	if (e != OK) {
		(void)format_to(v->why, sizeof(v->why), "%s", print_soft(slice_str(why.text)));
		return;
	}
	(void)format_to(v->why, sizeof(v->why), "%s does not answer", place.address.text);
	const struct room_client_options o = {
		.address = place.address,
		.sign_in = v->sign_in,
		.on_event = mcp_on_event,
		.owner = v,
	};
	v->client = room_client_open(&v->loop, &o);
}

static void mcp_disconnect(struct mcp_verb *v)
{
	room_client_close(v->client);
	v->client = NULL;
	v->is_open = false;
	v->is_lost = false;
	for (struct mcp_call *call = v->mcp.calls; call != NULL; call = call->next) {
		call->is_sent = false;
		call->until_ms = call->is_waiting ? 0 : call->until_ms;
		call->is_waiting = false; /* the watch has ended with the connection */
	}
}

/* ---- calls ---- */

/* A session that has ended is begun again, once for a call; another program may have done so already. */
static void mcp_on_reply(void *owner, const struct reply *r)
{
	struct mcp_call *call = owner;
	struct mcp_verb *v = call->owner;
	bool has_ended = r->error == OK && r->fault.code == FAULT_UNAUTHENTICATED;
	v->has_moved = true;
	if (r->error == ERR_CLOSED) {
		call->is_sent = false;
	} else if (has_ended && !call->has_signed_in_again) {
		call->has_signed_in_again = true;
		call->is_sent = false;
		v->is_lost = true;
		v->try_ms = 0;
		v->gives_up = false;
	} else if (r->error == OK && r->fault.code == FAULT_UNAVAILABLE) {
		call->is_sent = false;
		call->after_ms = loop_clock_ms() + MCP_RETRY_MS;
	} else if (r->error == OK && r->is_refused) {
		mcp_call_take_refusal(&v->mcp, call, &r->fault);
	} else if (r->error != OK) {
		struct fault f;
		fault_set(&f, FAULT_SERVER_ERROR, REPLY_UNREADABLE);
		mcp_call_take_refusal(&v->mcp, call, &f);
	} else {
		mcp_call_take_answer(&v->mcp, call, r->result, room_client_server_ms(v->client));
	}
}

static void mcp_send_call(struct mcp_verb *v, struct mcp_call *call)
{
	char once[REACH_ONCE_CHARS + 1];
	struct request *r = call->request;
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	enum err e = room_client_call(v->client, r->method, r->params, mcp_on_reply, call);
	if (e == OK) {
		call->owner = v;
		call->is_sent = true;
		call->was_sent = true;
	} else if (e != ERR_CLOSED) { /* else it is sent on the next connection */
		mcp_call_take_outage(&v->mcp, call, err_text(e));
	}
}

/* What is over time ends; what may be sent is sent. Returns whether something waits for a connection. */
static bool mcp_turn_calls(struct mcp_verb *v)
{
	int64_t now_ms = loop_clock_ms();
	bool is_waiting = false;
	struct mcp_call *next;
	for (struct mcp_call *call = v->mcp.calls; call != NULL; call = next) {
		next = call->next;
		call->came_ms = call->came_ms == 0 ? now_ms : call->came_ms;
		if (call->is_waiting) { /* no longer than somebody is there to cancel it */
			mcp_call_take_time(&v->mcp, call,
					   v->is_input_over ? call->wait_ms
							    : now_ms - call->came_ms);
		}
		if (call->is_waiting) {
			continue;
		}
		call->until_ms = call->until_ms == 0 ? now_ms + v->cli->answer_ms : call->until_ms;
		bool is_late = now_ms >= call->until_ms || (v->gives_up && v->client == NULL);
		if (is_late) {
			bool is_sent = call->is_sent;
			if (is_sent) {
				room_client_forget(v->client, call);
			}
			mcp_call_take_outage(&v->mcp, call,
					     is_sent ? "it did not answer in time" : v->why);
		} else if (!call->is_sent && v->is_open && now_ms >= call->after_ms) {
			mcp_send_call(v, call);
		} else if (!call->is_sent) {
			is_waiting = true;
		}
	}
	return is_waiting;
}

/* Nobody may ask anything here; a server that cannot say that now is asked again. */
static void mcp_on_stranger(struct mcp_verb *v)
{
	struct fault f = v->sign_in->fault;
	struct mcp_call *next;
	if (f.code == FAULT_NONE) {
		fault_set(&f, FAULT_UNAUTHENTICATED, "the session of %s has ended",
			  v->sign_in->user_name);
	}
	if (f.code == FAULT_UNAVAILABLE) {
		return;
	}
	if (f.code == FAULT_NAME_TAKEN && v->is_own_name && v->number < MCP_NUMBER_MAX) {
		char name[MAX_NAME_BYTES + 1];
		v->number = v->number == 0 ? 2 : v->number + 1;
		v->try_ms = 0;
		v->gives_up = false;
		mcp_name(v, name);
		print_problem("%s is another user here; asking as %s",
			      print_soft(slice_str(v->sign_in->user_name)),
			      print_soft(slice_str(name)));
		return;
	}
	print_problem("%s", print_soft(slice_str(f.message)));
	for (struct mcp_call *call = v->mcp.calls; call != NULL; call = next) {
		next = call->next;
		mcp_call_take_refusal(&v->mcp, call, &f);
	}
}

/* ---- what happens ---- */

static void mcp_on_event(void *owner, const struct event *event)
{
	struct mcp_verb *v = owner;
	v->has_moved = true;
	switch (event->kind) {
	case EVENT_LINE:
		if (event->error == OK) {
			mcp_take_line(&v->mcp, event->line);
		} else {
			mcp_take_long_line(&v->mcp);
		}
		if (v->mcp.calls_n == MCP_CALLS_MAX) {
			loop_hold_lines(&v->loop);
		}
		break;
	case EVENT_INPUT_END:
		v->is_input_over = true;
		if (event->error != OK) {
			v->code = print_failure(event->error, "cannot read standard input");
		}
		break;
	case EVENT_SIGNAL:
		v->is_over = true;
		break;
	case EVENT_OPEN:
		v->is_open = true;
		break;
	case EVENT_DOWN:
		v->is_lost = true;
		(void)format_to(v->why, sizeof(v->why), "%s", print_soft(slice_str(event->why)));
		break;
	case EVENT_NOTICE:
		if (event->notice == NOTICE_QUESTION_UPDATE) {
			mcp_call_take_update(&v->mcp, event->update);
		}
		break;
	case EVENT_UP:
	case EVENT_SILENT:
	case EVENT_NEWS:
	case EVENT_SNAPSHOT:
	case EVENT_HELD:
	case EVENT_WAKE:
	case EVENT_REST:
		break;
	}
}

/* ---- running ---- */

static void mcp_write(struct mcp_verb *v)
{
	const struct buf *out = &v->mcp.out;
	if (out->len > 0 &&
	    (fwrite(out->data, 1, out->len, stdout) != out->len || fflush(stdout) != 0)) {
		v->is_over = true; /* the client is gone */
		v->code = EXIT_BROKEN;
	}
	buf_clear(&v->mcp.out);
}

/* What was held back is read when a call has ended. */
static void mcp_read_on(struct mcp_verb *v)
{
	if (v->loop.is_holding_lines && v->mcp.calls_n < MCP_CALLS_MAX &&
	    loop_take_lines(&v->loop, STDIN_FILENO) != OK) {
		v->code = print_failure(ERR_IO, "cannot read standard input");
		v->is_over = true;
	}
}

/* After each event: what it changed. */
static void mcp_turn(struct mcp_verb *v)
{
	if (v->is_lost) {
		mcp_disconnect(v);
	}
	if (v->is_open && !v->sign_in->is_signed_in) {
		mcp_on_stranger(v);
		mcp_disconnect(v);
	}
	bool is_waiting = mcp_turn_calls(v);
	if (is_waiting && v->client == NULL && loop_clock_ms() >= v->try_ms) {
		mcp_connect(v);
	}
	mcp_write(v);
	mcp_read_on(v);
	v->is_over = v->is_over || (v->is_input_over && v->mcp.calls == NULL);
}

/* Until when nothing has to be done where nothing happens; negative: for ever. */
static int64_t mcp_patience_ms(const struct mcp_verb *v)
{
	int64_t now_ms = loop_clock_ms();
	int64_t at_ms = INT64_MAX;
	for (const struct mcp_call *call = v->mcp.calls; call != NULL; call = call->next) {
		int64_t due_ms = call->is_waiting ? call->came_ms + mcp_call_next_time_ms(call)
						  : call->until_ms;
		at_ms = due_ms < at_ms ? due_ms : at_ms;
		if (!call->is_sent && v->is_open && call->after_ms < at_ms) {
			at_ms = call->after_ms;
		}
		if (!call->is_sent && v->client == NULL && v->try_ms < at_ms) {
			at_ms = v->try_ms;
		}
	}
	return at_ms == INT64_MAX ? -1 : at_ms > now_ms ? at_ms - now_ms : 0;
}

static bool mcp_has_moved(const void *arg)
{
	const struct mcp_verb *v = arg;
	return v->has_moved;
}

static int mcp_check_name(const char *told)
{
	struct slice name = slice_str(told);
	if (told == NULL || (name.len > 0 && name.len <= MAX_NAME_BYTES && utf8_is_valid(name))) {
		return EXIT_DONE;
	}
	print_problem("the asker's name is empty, too long, or not UTF-8");
	return EXIT_USAGE;
}

int verb_mcp(struct cli *c)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct mcp_verb v = {.cli = c, .code = mcp_check_name(mcp_told_name(c))};
	struct server_place place;
	struct errmsg why = {""};
	enum err e = server_seek(c->args.value[OPTION_SERVER], &place, &why);
	if (v.code != EXIT_DONE ||
	    e == ERR_INVALID) { /* anything else may be mended while we run */
		return v.code != EXIT_DONE ? v.code : print_failure(e, why.text);
	}
	if (isatty(STDIN_FILENO)) {
		print_problem("waiting for an agent's messages; aye-verbs(1) describes how an "
			      "agent starts this");
	}
	mcp_init(&v.mcp);
	loop_open(&v.loop, mcp_on_event, &v);
	loop_watch_signals(&v.loop, signals, sizeof(signals) / sizeof(signals[0]));
	v.loop.skips_long_lines = true;
	if (loop_take_lines(&v.loop, STDIN_FILENO) != OK) {
		v.code = print_failure(ERR_IO, "cannot read standard input");
		v.is_over = true;
	}
	while (!v.is_over) {
		v.has_moved = false;
		(void)loop_run(&v.loop, mcp_has_moved, &v, mcp_patience_ms(&v));
		mcp_turn(&v);
	}
	mcp_disconnect(&v);
	mcp_finish(&v.mcp);
	loop_close(&v.loop);
	return v.code;
}
