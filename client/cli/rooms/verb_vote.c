/*
 * verb_vote.c - aye room vote, aye watch: sitting in a room without a screen.
 */
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/lines/lines_watch.h"
#include "proto/base/format.h"

/* Who waited has read the result. */
static int verb_vote_print(struct visit *v, bool has_waited)
{
	const char *card = v->cli->args.words[1];
	struct room_vote_result r = {.has_vote = strcmp(card, "-") != 0};
	char said[MAX_CARD_BYTES + 32] = "Your vote was retracted.";
	if (r.has_vote) {
		(void)format_to(said, sizeof(said), "You voted %s.", card);
	}
	return room_command_say(v, &record_room_vote_result, &r, has_waited ? NULL : said);
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

/* On a story that is open beside the table's: the seat stays, as its votes do. */
static int verb_vote_on_story(struct cli *c)
{
	struct visit v;
	char story_id[ROOM_COMMAND_ID_BYTES];
	char once[REACH_ONCE_CHARS + 1];
	struct room_vote_result result;
	const char *card = c->args.words[1];
	int confidence = verb_vote_confidence(c);
	int code = confidence < 0 ? EXIT_USAGE : EXIT_DONE;
	bool says_how_long =
		c->args.value[OPTION_WAIT] != NULL || c->args.value[OPTION_KEEP_FOR] != NULL;
	if (code == EXIT_DONE && says_how_long) {
		print_problem(
			"leave out --wait and --for with --story: such a vote stays until the "
			"story is settled");
		code = EXIT_USAGE;
	}
	if (code != EXIT_DONE) {
		return code;
	}
	code = room_command_open(c, &v, NEEDS_KEPT_SEAT);
	if (code == EXIT_DONE) {
		code = room_command_story(&v, c->args.value[OPTION_STORY], false, story_id);
	}
	if (code == EXIT_DONE) {
		code = room_command_join(&v);
	}
	if (code == EXIT_DONE) {
		(void)reach_once(once);
		struct room_vote_params p = {
			.room_id = slice_str(v.room_id),
			.story_id = slice_str(story_id),
			.vote = strcmp(card, "-") == 0 ? (struct slice){0} : slice_str(card),
			.comment = slice_str(c->args.value[OPTION_COMMENT]),
			.with_comment = c->args.value[OPTION_COMMENT] != NULL,
			.confidence = confidence,
			.idempotency_key = slice_str(once),
		};
		code = visit_call(&v, METHOD_ROOM_VOTE, &p, &result);
	}
	v.has_joined = v.has_joined && code != EXIT_DONE; /* the name stays with the vote */
	if (code == EXIT_DONE) {
		char said[MAX_STORY_TITLE_BYTES + MAX_CARD_BYTES + 64];
		const char *story = c->args.value[OPTION_STORY];
		if (result.has_vote) {
			(void)format_to(said, sizeof(said), "You voted %s on %s.", card, story);
		} else {
			(void)format_to(said, sizeof(said), "Your vote on %s was retracted.",
					story);
		}
		code = room_command_say(&v, &record_room_vote_result, &result, said);
	}
	room_command_close(&v);
	return code;
}

int verb_room_vote(struct cli *c)
{
	if (c->args.value[OPTION_STORY] != NULL) {
		return verb_vote_on_story(c);
	}
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
		code = waits && c->is_json ? verb_vote_print_room(&v) : verb_vote_print(&v, waits);
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
