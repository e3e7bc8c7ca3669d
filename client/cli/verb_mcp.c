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

#include "client/cli/login.h"
#include "client/cli/print.h"
#include "client/cli/reach.h"
#include "client/mcp/mcp.h"
#include "client/model/memory.h"
#include "client/net/loop_uv.h"
#include "proto/format.h"
#include "proto/rpc.h"
#include "proto/utf8.h"

/* Between two tries to connect, and before a server that cannot do something now is asked again. */
#define MCP_RETRY_MS 500

struct mcp_verb {
	const struct cli *cli;
	struct mcp mcp;
	struct loop loop;
	struct room_client *client; /* NULL: no connection, nor a try */
	struct sign_in *sign_in;    /* of that */
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

/* Who asks: told, else whoever is logged in, else a name that says whose agent it is. */
static struct sign_in *mcp_who(const struct cli *c, const char *server)
{
	char agent[MAX_NAME_BYTES + 1];
	const char *told = mcp_told_name(c);
	const char *user = getenv("USER");
	struct sign_in *stored = login_stored(server);
	if (stored != NULL && (told == NULL || strcmp(told, stored->user_name) == 0)) {
		return stored;
	}
	bool has_user = user != NULL && user[0] != '\0' && utf8_is_valid(slice_str(user));
	(void)format_to(agent, sizeof(agent), "%.40s%s", has_user ? user : "somebody", "'s agent");
	return login_beside(server, told != NULL ? told : agent);
}

static void mcp_on_event(void *owner, const struct event *event);

/* Nothing of this is worth an end: the next call tries again. */
static void mcp_connect(struct mcp_verb *v)
{
	struct place place;
	struct errmsg why = {""};
	v->try_ms = loop_clock_ms() + MCP_RETRY_MS;
	v->gives_up = v->is_input_over;
	enum err e = server_find(v->cli->args.value[OPTION_SERVER], &place, &why);
	if (e == OK) {
		v->sign_in = mcp_who(v->cli, place.address.text);
		e = v->sign_in == NULL ? ERR_IO : OK;
		errmsg_set(&why, "no login can be kept on this machine");
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
	}
}

/* ---- calls ---- */

/* NULL: it was answered, or is nothing of ours. */
static struct mcp_call *mcp_sent_call(struct mcp_verb *v, uint32_t id)
{
	struct mcp_call *call = v->mcp.calls;
	while (call != NULL && !(call->is_sent && call->sent_id == id)) {
		call = call->next;
	}
	return call;
}

static void mcp_send_call(struct mcp_verb *v, struct mcp_call *call)
{
	char once[REACH_ONCE_CHARS + 1];
	struct request *r = call->request;
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	enum err e = room_client_call(v->client, r->method, r->params, &call->sent_id);
	if (e == OK) {
		call->is_sent = true;
		call->was_sent = true;
	} else if (e != ERR_CLOSED) { /* else it is sent on the next connection */
		mcp_take_outage(&v->mcp, call, err_text(e));
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
		call->until_ms = call->until_ms == 0 ? now_ms + v->cli->answer_ms : call->until_ms;
		bool is_late = now_ms >= call->until_ms || (v->gives_up && v->client == NULL);
		if (is_late) {
			mcp_take_outage(&v->mcp, call,
					call->is_sent ? "it did not answer in time" : v->why);
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
	print_problem("%s", print_soft(slice_str(f.message)));
	for (struct mcp_call *call = v->mcp.calls; call != NULL; call = next) {
		next = call->next;
		mcp_take_refusal(&v->mcp, call, &f);
	}
}

/* ---- what happens ---- */

static void mcp_on_answer(struct mcp_verb *v, const struct event *event)
{
	struct mcp_call *call = mcp_sent_call(v, event->id);
	struct buf value;
	if (call == NULL) {
		return;
	}
	buf_init(&value, MCP_OUT_BYTES_MAX);
	if (event->value != NULL) {
		rpc_write_object(&value, event->value);
	} else {
		(void)buf_append(&value, "\xc0", 1);
	}
	(void)memory_check(value.error);
	mcp_take_answer(&v->mcp, call, buf_slice(&value), room_client_server_ms(v->client));
	buf_finish(&value);
}

/* A session that has ended is begun again, once for a call; another program may have done so already. */
static void mcp_on_refusal(struct mcp_verb *v, const struct event *event)
{
	struct mcp_call *call = mcp_sent_call(v, event->id);
	if (call == NULL) {
		return;
	}
	bool has_ended = event->error == OK && event->fault->code == FAULT_UNAUTHENTICATED;
	if (event->error != OK) { /* the connection is lost */
		call->is_sent = false;
	} else if (has_ended && !call->has_signed_in_again) {
		call->has_signed_in_again = true;
		call->is_sent = false;
		v->is_lost = true;
		v->try_ms = 0;
		v->gives_up = false;
	} else if (event->fault->code == FAULT_UNAVAILABLE) {
		call->is_sent = false;
		call->after_ms = loop_clock_ms() + MCP_RETRY_MS;
	} else {
		mcp_take_refusal(&v->mcp, call, event->fault);
	}
}

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
		break;
	case EVENT_INPUT_END:
		v->is_input_over = true;
		if (event->error != OK) {
			v->code = print_failure(event->error, "standard input cannot be read");
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
	case EVENT_ANSWER:
		mcp_on_answer(v, event);
		break;
	case EVENT_REFUSAL:
		mcp_on_refusal(v, event);
		break;
	case EVENT_UP:
	case EVENT_SILENT:
	case EVENT_NOTICE:
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
	v->is_over = v->is_over || (v->is_input_over && v->mcp.calls == NULL);
}

/* Until when nothing has to be done where nothing happens; negative: for ever. */
static int64_t mcp_patience_ms(const struct mcp_verb *v)
{
	int64_t now_ms = loop_clock_ms();
	int64_t at_ms = INT64_MAX;
	for (const struct mcp_call *call = v->mcp.calls; call != NULL; call = call->next) {
		at_ms = call->until_ms < at_ms ? call->until_ms : at_ms;
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
	print_problem("the name of who asks is empty, too long, or not UTF-8");
	return EXIT_USAGE;
}

int verb_mcp(struct cli *c)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct mcp_verb v = {.cli = c, .code = mcp_check_name(mcp_told_name(c))};
	struct place place;
	struct errmsg why = {""};
	enum err e = server_seek(c->args.value[OPTION_SERVER], &place, &why);
	if (v.code != EXIT_DONE ||
	    e == ERR_INVALID) { /* anything else may be mended while we run */
		return v.code != EXIT_DONE ? v.code : print_failure(e, why.text);
	}
	if (isatty(STDIN_FILENO)) {
		print_problem(
			"waiting for an agent's messages; aye(1) says how an agent starts this");
	}
	mcp_init(&v.mcp);
	loop_open(&v.loop, mcp_on_event, &v);
	loop_watch_signals(&v.loop, signals, sizeof(signals) / sizeof(signals[0]));
	v.loop.skips_long_lines = true;
	if (loop_take_lines(&v.loop, STDIN_FILENO) != OK) {
		v.code = print_failure(ERR_IO, "standard input cannot be read");
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
