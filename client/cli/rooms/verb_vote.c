/*
 * verb_vote.c - aye room vote, aye watch: sitting in a room without a screen.
 */
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/lines/lines_watch.h"

static int verb_vote_print(struct visit *v)
{
	struct room_vote_result r = {.has_vote = strcmp(v->cli->args.words[1], "-") != 0};
	return v->cli->is_json ? print_record(&record_room_vote_result, &r) : EXIT_DONE;
}

/* The room with its open cards, as JSON. */
static int verb_vote_print_room(struct visit *v)
{
	struct room_update u;
	int code = visit_connect(v);
	if (code == EXIT_DONE) {
		code = room_command_get(v, &u);
	}
	if (code == EXIT_DONE) {
		code = print_record(&record_room_update, &u);
	}
	return code;
}

/* 1 to 3, or 0 where it was not given; -1 where it is none of them, told. */
static int verb_vote_confidence(const struct cli *c)
{
	const char *given = c->args.value[OPTION_CONFIDENCE];
	if (given == NULL) {
		return 0;
	}
	if (given[0] < '1' || given[0] > '3' || given[1] != '\0') {
		print_problem("--confidence is 1, 2 or 3");
		return -1;
	}
	return given[0] - '0';
}

int verb_room_vote(struct cli *c)
{
	struct visit v;
	int code = visit_find(c, &v);
	bool waits = c->args.value[OPTION_WAIT] != NULL;
	if (code == EXIT_DONE && waits && c->args.value[OPTION_KEEP_FOR] != NULL) {
		print_problem("--for and --wait exclude each other: with --wait, the vote stays as "
			      "long as the verb waits");
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE && visit_name(&v) == NULL) {
		print_problem("--name NAME is required");
		code = EXIT_USAGE;
	}
	int confidence = verb_vote_confidence(c);
	int64_t keep_seconds = MAX_VOTE_KEEP_SECONDS; /* until the next round */
	if (code == EXIT_DONE &&
	    (confidence < 0 || !verbs_span(c, OPTION_KEEP_FOR, &keep_seconds))) {
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE) {
		bool retracts = strcmp(c->args.words[1], "-") == 0;
		struct lines_wish wish = {
			.name = visit_name(&v),
			.is_bot = c->args.value[OPTION_BOT] != NULL,
			.has_card = true,
			.card = retracts ? NULL : c->args.words[1],
			.comment = c->args.value[OPTION_COMMENT],
			.confidence = confidence,
			.keep_seconds = waits ? 0 : keep_seconds,
			.until_voted = !waits,
			.until_revealed = waits,
			.is_quiet = true,
		};
		code = lines_watch(&v, &wish);
	}
	if (code == EXIT_DONE) {
		code = waits && c->is_json ? verb_vote_print_room(&v) : verb_vote_print(&v);
	}
	visit_close(&v);
	return code;
}

int verb_watch(struct cli *c)
{
	struct visit v;
	struct lines_wish wish = {.name = NULL};
	int code = visit_find(c, &v);
	if (code == EXIT_DONE) {
		code = lines_watch(&v, &wish);
	}
	visit_close(&v);
	return code;
}
