/*
 * verb_call.c - aye call: any method, JSON in, JSON out.
 */
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/reach.h"
#include "proto/json.h"

/* The params as MessagePack; EXIT_USAGE where they are no JSON object. */
static int verb_call_params(const char *json, struct buf *out)
{
	struct errmsg why = {""};
	enum err e = json_to_bytes(slice_str(json), out, &why);
	if (e != OK) {
		print_problem("the params are no JSON: %s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int verb_call_await(struct cli *c, struct session *s, uint32_t id)
{
	for (;;) {
		struct session_event event = session_next(s, c->answer_ms);
		if (event.kind == SESSION_LOST) {
			return print_failure(ERR_CLOSED, event.text);
		}
		if (event.kind == SESSION_TIMEOUT) {
			return print_failure(ERR_UNKNOWN, "the server did not answer in time");
		}
		if (event.kind != SESSION_ANSWER || event.id != id) {
			continue;
		}
		if (event.is_refused && c->is_json) {
			return print_error_map(event.value);
		}
		if (event.is_refused) {
			struct fault fault;
			session_read_fault(event.value, &fault);
			return print_refusal(c, &fault);
		}
		enum err e = print_value(event.value);
		return e == OK ? EXIT_DONE : print_failure(e, NULL);
	}
}

static int verb_call_run(struct cli *c, struct session *s, struct slice params)
{
	uint32_t id;
	enum err e = session_send(s, slice_str(c->args.words[0]), params, &id);
	return e == OK ? verb_call_await(c, s, id) : print_failure(e, NULL);
}

int verb_call(struct cli *c)
{
	struct place place;
	struct session *s = NULL;
	struct buf params;
	buf_init(&params, MAX_FRAME_BYTES);
	int code = verb_call_params(c->args.words_n > 1 ? c->args.words[1] : "{}", &params);
	if (code == EXIT_DONE) {
		code = reach_server(c, &place, &s);
	}
	if (code == EXIT_DONE) {
		code = verb_call_run(c, s, buf_slice(&params));
	}
	session_close(s);
	buf_finish(&params);
	return code;
}
