/*
 * verb_round.c - aye round list, and when a timer ends.
 */
#include <string.h>

#include "client/acts/span.h"
#include "client/cli/output/local_time.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "client/model/room/round_history.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"
#include "proto/text/utc_time.h"

/* One round in one line: "3  2026-11-21T11:04:03Z  Login: Ada 5, Grace 8 -> 5". */
static void verb_round_line(const struct round_view *r, struct buf *line)
{
	char moment[UTC_TIME_CHARS + 1];
	buf_clear(line);
	(void)buf_printf(line, "%lld  %s", (long long)r->n, utc_time(r->revealed_at, moment));
	if (r->story.len > 0) {
		struct story_name name;
		(void)buf_printf(line, "  %s", story_name_of_round(r, &name));
	}
	for (size_t i = 0; i < r->votes_n; i++) {
		const struct round_vote *v = &r->votes[i];
		(void)buf_printf(line, "%s%.*s%s%.*s", i == 0 ? ":  " : ", ", (int)v->username.len,
				 v->username.len == 0 ? "" : v->username.data,
				 v->username.len == 0 ? "" : " ", (int)v->vote.len, v->vote.data);
	}
	if (r->result.withdrawn > 0) {
		(void)buf_printf(line, "%s%lld withdrawn", r->votes_n == 0 ? ":  " : ", ",
				 (long long)r->result.withdrawn);
	}
	if (r->outcome.len > 0) {
		(void)buf_printf(line, "  -> %.*s", (int)r->outcome.len, r->outcome.data);
	}
}

static int verb_round_print(struct visit *v, const struct round_list_result *rounds)
{
	struct round_history soft = {0};
	struct buf line;
	int code = EXIT_DONE;
	round_history_take(&soft, rounds, true);
	buf_init(&line, 4u << 20);
	for (size_t i = 0; code == EXIT_DONE && i < soft.n; i++) {
		if (v->cli->is_json) {
			code = print_record(&record_round_view, &rounds->rounds[i]);
			continue;
		}
		verb_round_line(soft.items[i], &line);
		enum err e = memory_check(line.error);
		if (e == OK && !print_line("%.*s", (int)line.len, line.data)) {
			e = ERR_IO;
		}
		code = e == OK ? EXIT_DONE : print_failure(e, NULL);
	}
	buf_finish(&line);
	round_history_finish(&soft);
	return code;
}

int verb_round_list(struct cli *c)
{
	struct visit v;
	struct round_list_result rounds;
	const char *limit = c->args.value[OPTION_LIMIT];
	int64_t most = MAX_ROUNDS_KEPT;
	if (limit != NULL && !decimal_read(slice_str(limit), 1, INT32_MAX, &most)) {
		print_problem("--limit: %s is not a number from 1", print_typed(limit));
		return EXIT_USAGE;
	}
	int code = room_command_open(c, &v, NEEDS_SEAT);
	if (code == EXIT_DONE) {
		code = room_command_rounds(&v, (size_t)most, &rounds);
	}
	if (code == EXIT_DONE) {
		code = verb_round_print(&v, &rounds);
	}
	room_command_close(&v);
	return code;
}

/* Until when, for programs; for people how long that is, too. */
int verb_timer_was_started(struct visit *v, const struct record *rec, const void *result)
{
	const struct timer_start_result *r = result;
	const struct args *a = &v->cli->args;
	char moment[UTC_TIME_CHARS + 1];
	char until[LOCAL_TIME_BYTES], line[120];
	if (!print_is_for_a_person()) {
		return room_command_say(v, rec, r, utc_time(r->ends_at, moment));
	}
	int64_t seconds;
	char span[SPAN_TEXT_BYTES];
	bool is_told = a->words_n > 1 && span_parse(a->words[1], 60, &seconds) == OK;
	(void)format_to(line, sizeof(line), "Timer set%s%s%s until %s.", is_told ? " for " : "",
			is_told ? span_text(seconds, span) : "", is_told ? "," : "",
			local_time(r->ends_at, LOCAL_SECOND, until));
	return room_command_say(v, rec, r, line);
}
