/*
 * verb_call.c - aye call: any method, JSON in, JSON out.
 */
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/visit.h"
#include "proto/json.h"

/* The params as MessagePack; EXIT_USAGE where they are no JSON object. */
static int verb_call_params(const char *json, struct buf *out)
{
	struct errmsg why = {""};
	enum err e = json_to_bytes(slice_str(json), out, &why);
	if (e != OK) {
		print_problem("the params are not JSON: %s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int verb_call_run(struct visit *v, struct slice params)
{
	struct slice value;
	int code = visit_call_by_name(v, slice_str(v->cli->args.words[0]), params, &value);
	if (code != EXIT_DONE) {
		return code;
	}
	enum err e = print_value(value);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

int verb_call(struct cli *c)
{
	struct visit v = {.cli = c};
	struct buf params;
	buf_init(&params, MAX_FRAME_BYTES);
	int code = verb_call_params(c->args.words_n > 1 ? c->args.words[1] : "{}", &params);
	if (code == EXIT_DONE) {
		code = reach_server(c, &v.place, &v.client);
	}
	if (code == EXIT_DONE) {
		code = verb_call_run(&v, buf_slice(&params));
	}
	visit_close(&v);
	buf_finish(&params);
	return code;
}
