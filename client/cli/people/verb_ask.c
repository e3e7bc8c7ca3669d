/*
 * verb_ask.c - aye ask, aye question watch: a question to people, and what comes of it.
 */
#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/people/question_wait.h"
#include "client/cli/reach/reach.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "client/model/questions/question_outcome.h"

/* What is expected has to be one of the options, and somebody has to wait for it. */
static int verb_ask_check(const struct cli *c, const struct request *r)
{
	const struct question_ask_params *p = r->params;
	const char *expect = c->args.value[OPTION_EXPECT];
	if (expect == NULL) {
		return EXIT_DONE;
	}
	if (c->args.value[OPTION_WAIT] == NULL || p->options.n == 0) {
		print_problem("--expect needs --wait and --option");
		return EXIT_USAGE;
	}
	if (question_option(&p->options, slice_str(expect)) < 0) {
		print_problem("--expect: %s is not one of the options", print_typed(expect));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* A room's questions are for those who have a seat in it as a user, which nobody has without a login. */
static enum verb_needs verb_ask_needs(const struct cli *c)
{
	return c->args.value[OPTION_ROOM] != NULL ? NEEDS_LOGIN : c->verb->needs;
}

static int verb_ask_only(struct cli *c, const struct request *r)
{
	struct visit v;
	struct question_ask_result asked;
	int code = room_command_open(c, &v, verb_ask_needs(c));
	if (code == EXIT_DONE) {
		code = visit_call(&v, METHOD_QUESTION_ASK, r->params, &asked);
	}
	if (code == EXIT_DONE) {
		code = question_print_asked(c, v.client, &asked);
	}
	room_command_close(&v);
	return code;
}

int verb_ask(struct cli *c)
{
	struct request *r;
	char once[REACH_ONCE_CHARS + 1];
	int code = verb_method_request(c, &r);
	bool has_options = c->args.value[OPTION_CHOICE] != NULL;
	request_text(r, "type", has_options ? "multiple_choice" : "text");
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	if (code == EXIT_DONE) {
		code = verb_ask_check(c, r);
	}
	if (code == EXIT_DONE && c->args.value[OPTION_WAIT] != NULL) {
		struct question_wish wish = {
			.ask = r,
			.needs = verb_ask_needs(c),
			.expect = c->args.value[OPTION_EXPECT],
		};
		code = question_wait(c, &wish);
	} else if (code == EXIT_DONE) {
		code = verb_ask_only(c, r);
	}
	request_free(r);
	return code;
}

int verb_question_watch(struct cli *c)
{
	struct request *r;
	struct question_wish wish = {
		.question_id = c->args.words[0],
		.needs = c->verb->needs,
		.expect = c->args.value[OPTION_EXPECT],
	};
	int code = verb_method_request(c, &r);
	if (code == EXIT_DONE) {
		code = question_wait(c, &wish);
	}
	request_free(r);
	return code;
}
