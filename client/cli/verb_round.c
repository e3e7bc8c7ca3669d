/*
 * verb_round.c - aye round, aye reveal, aye timer: how rounds go, and when they end.
 */
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "client/model/export.h"
#include "client/model/memory.h"
#include "proto/decimal.h"

/* ---- rounds ---- */

/* A call without fields of its own whose answer is the round that has begun. */
static int verb_round_go(struct cli *c, enum method method, const char *sentence)
{
	struct visit v;
	struct room_reset_result r;
	struct room_member_params p = {0};
	struct errmsg plain;
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_call(&v, method, &p, &r);
	}
	if (code == EXIT_DONE) {
		errmsg_set(&plain, "Round %lld %s.", (long long)r.round, sentence);
		code = room_command_say(&v, &record_room_reset_result, &r, plain.text);
	}
	room_command_close(&v);
	return code;
}

int verb_room_reset(struct cli *c)
{
	return verb_round_go(c, METHOD_ROOM_RESET, "begins");
}

int verb_round_again(struct cli *c)
{
	return verb_round_go(c, METHOD_ROUND_AGAIN, "begins");
}

int verb_round_undo(struct cli *c)
{
	return verb_round_go(c, METHOD_ROUND_UNDO_RESET, "is back");
}

int verb_round_settle(struct cli *c)
{
	struct version_result r;
	bool takes_back = strcmp(c->args.words[1], "-") == 0;
	struct round_settle_params p = {
		.estimate = takes_back ? (struct slice){0} : slice_str(c->args.words[1]),
	};
	return room_command_run(c, ACT_MEMBER, METHOD_ROUND_SETTLE, &p, &r, NULL);
}

/* One round in one line: "3  2026-11-21T11:04:03Z  Login: Ada 5, Grace 8 -> 5". */
static void verb_round_line(const struct round_view *r, struct buf *line)
{
	char moment[EXPORT_TIME_CHARS + 1];
	buf_clear(line);
	(void)buf_printf(line, "%lld  %s", (long long)r->n, export_time(r->revealed_at, moment));
	if (r->story.len > 0) {
		(void)buf_printf(line, "  %.*s", (int)r->story.len, r->story.data);
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
	enum err e = OK;
	round_history_take(&soft, rounds, true);
	buf_init(&line, 4u << 20);
	for (size_t i = 0; e == OK && i < soft.n; i++) {
		if (v->cli->is_json) {
			e = print_record(&record_round_view, &rounds->rounds[i]);
			continue;
		}
		verb_round_line(soft.items[i], &line);
		e = memory_check(line.error);
		if (e == OK && !print_line("%.*s", (int)line.len, line.data)) {
			e = ERR_IO;
		}
	}
	buf_finish(&line);
	round_history_finish(&soft);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

int verb_round_list(struct cli *c)
{
	struct visit v;
	struct round_list_result rounds;
	const char *limit = c->args.value[OPTION_LIMIT];
	int64_t most = MAX_ROUNDS_KEPT;
	if (limit != NULL && !decimal_read(slice_str(limit), 1, INT32_MAX, &most)) {
		print_problem("--limit: %s is no number from 1", print_soft(slice_str(limit)));
		return EXIT_USAGE;
	}
	int code = room_command_open(c, &v, ACT_READS);
	if (code == EXIT_DONE) {
		code = room_command_rounds(&v, (size_t)most, &rounds);
	}
	if (code == EXIT_DONE) {
		code = verb_round_print(&v, &rounds);
	}
	room_command_close(&v);
	return code;
}

/* ---- the reveal ---- */

int verb_reveal_cancel(struct cli *c)
{
	struct version_result r;
	struct reveal_cancel_params p = {0};
	return room_command_run(c, ACT_MEMBER, METHOD_REVEAL_CANCEL, &p, &r, NULL);
}

int verb_reveal_arm(struct cli *c)
{
	struct version_result r;
	struct reveal_arm_params p = {
		.is_armed = c->args.value[OPTION_OFF] == NULL,
		.with_is_armed = true,
	};
	return room_command_run(c, ACT_MEMBER, METHOD_REVEAL_ARM, &p, &r, NULL);
}

/* ---- time ---- */

/* "90", "90s", "5m" or "1h" as whole seconds; 0 where it is none of them. */
static int64_t verb_timer_seconds(const char *text)
{
	int64_t unit = 1;
	int64_t ms;
	char digits[16];
	size_t len = strlen(text);
	if (len > 0 && strchr("smh", text[len - 1]) != NULL) {
		unit = text[len - 1] == 's' ? 1 : text[len - 1] == 'm' ? 60 : 3600;
		len--;
	}
	if (len == 0 || len >= sizeof(digits)) {
		return 0;
	}
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (options_parse_seconds(digits, &ms) != OK) {
		return 0;
	}
	return ms * unit / 1000;
}

int verb_timer_start(struct cli *c)
{
	struct visit v;
	struct timer_start_result r;
	char moment[EXPORT_TIME_CHARS + 1];
	struct timer_start_params p = {
		.seconds = verb_timer_seconds(c->args.words[1]),
		.reveal_at_zero = c->args.value[OPTION_REVEAL] != NULL,
		.with_reveal_at_zero = true,
	};
	if (p.seconds < 1 || p.seconds > MAX_TIMER_SECONDS) {
		print_problem("%s is no time: seconds, or 90s, 5m, 1h; up to a day",
			      print_soft(slice_str(c->args.words[1])));
		return EXIT_USAGE;
	}
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_call(&v, METHOD_TIMER_START, &p, &r);
	}
	if (code == EXIT_DONE) {
		code = room_command_say(&v, &record_timer_start_result, &r,
					export_time(r.ends_at, moment));
	}
	room_command_close(&v);
	return code;
}

int verb_timer_stop(struct cli *c)
{
	struct version_result r;
	struct room_member_params p = {0};
	return room_command_run(c, ACT_MEMBER, METHOD_TIMER_STOP, &p, &r, NULL);
}
