/*
 * verb_board.c - aye board, aye stats: what answers have earned, of everybody and of oneself.
 */
#include <string.h>

#include "client/cli/output/local_time.h"
#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "proto/text/decimal.h"

enum { BOARD_LINES_BYTES = 65536 };

static void board_write(const struct leaderboard_get_result *r, struct buf *out)
{
	if (r->entries_n > 0) {
		(void)buf_printf(out, "rank  people  points each\n");
	}
	for (size_t i = 0; i < r->entries_n; i++) {
		const struct board_entry *e = &r->entries[i];
		(void)buf_printf(out, "%4lld  %6lld  %lld or more%s\n", (long long)e->rank,
				 (long long)e->people, (long long)e->points,
				 e->is_me ? "  you" : "");
	}
	if (r->entries_n == 0) {
		(void)buf_printf(
			out, "No board yet. It is updated hourly, once %d people have answered.\n",
			MAX_BOARD_PEOPLE);
	} else {
		char at[LOCAL_TIME_BYTES];
		local_time(r->made_at, LOCAL_MINUTE, at);
		(void)buf_printf(out, "As of %s.\n", at);
	}
	(void)buf_printf(out, "You have %lld points", (long long)r->your_points);
	if (r->with_your_rank) {
		(void)buf_printf(out, ", rank %lld", (long long)r->your_rank);
	}
	(void)buf_printf(out, ".\n");
}

/* Today, this week, or all time; as many as --limit says. */
static int board_fill(const struct cli *c, struct request *r)
{
	const char *limit = c->args.value[OPTION_LIMIT];
	bool is_week = c->args.value[OPTION_WEEK] != NULL;
	bool is_today = c->args.value[OPTION_TODAY] != NULL;
	int64_t n = 0;
	if (is_week && is_today) {
		print_problem("choose --week or --today, not both");
		return EXIT_USAGE;
	}
	if (limit != NULL && !decimal_read(slice_str(limit), 1, MAX_BOARD_PAGE, &n)) {
		print_problem("--limit: %s is not a number from 1 to %d", print_typed(limit),
			      MAX_BOARD_PAGE);
		return EXIT_USAGE;
	}
	request_text(r, "period",
		     words_text(&words_board_period, is_week	? BOARD_WEEKLY
						     : is_today ? BOARD_DAILY
								: BOARD_ALL_TIME));
	if (limit != NULL) {
		request_int(r, "limit", n);
	}
	return EXIT_DONE;
}

int verb_board(struct cli *c)
{
	struct visit v;
	struct request *r;
	struct leaderboard_get_result board;
	struct buf lines;
	int code = verb_method_request(c, &r);
	buf_init(&lines, BOARD_LINES_BYTES);
	code = code == EXIT_DONE ? board_fill(c, r) : code;
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, c->verb->needs);
		if (code == EXIT_DONE) {
			code = visit_call(&v, METHOD_LEADERBOARD_GET, r->params, &board);
		}
		if (code == EXIT_DONE && c->is_json) {
			code = print_record(&record_leaderboard_get_result, &board);
		} else if (code == EXIT_DONE) {
			board_write(&board, &lines);
			code = question_print_lines(&lines);
		}
		room_command_close(&v);
	}
	buf_finish(&lines);
	request_free(r);
	return code;
}

/* ---- one's own ---- */

static void stats_write(const struct stats_get_result *r, struct buf *out)
{
	(void)buf_printf(out, "%lld points, %lld %s, %lld %s in a row", (long long)r->total_points,
			 (long long)r->total_answers, r->total_answers == 1 ? "answer" : "answers",
			 (long long)r->streak_days, r->streak_days == 1 ? "day" : "days");
	if (r->with_rank) {
		(void)buf_printf(out, ", rank %lld", (long long)r->rank);
	}
	(void)buf_printf(out, "\n");
	for (size_t i = 0; i < record_category_counts.n; i++) {
		const struct field *f = &record_category_counts.fields[i];
		int64_t n;
		memcpy(&n, field_member(f, &r->answers_by_category), sizeof(n));
		if (n > 0) {
			(void)buf_printf(out, "%-9s  %lld\n", f->name, (long long)n);
		}
	}
	for (size_t i = 0; i < r->badges_n; i++) {
		(void)buf_printf(out, "Badge: %.*s, ", (int)r->badges[i].name.len,
				 r->badges[i].name.data);
		char day[LOCAL_TIME_BYTES];
		(void)buf_printf(out, "%s", local_time(r->badges[i].earned_at, LOCAL_DAY, day));
		(void)buf_printf(out, "\n");
	}
}

int verb_stats_were_read(struct visit *v, const struct record *rec, const void *result)
{
	struct buf lines;
	if (v->cli->is_json) {
		return print_record(rec, result);
	}
	buf_init(&lines, BOARD_LINES_BYTES);
	stats_write(result, &lines);
	int code = question_print_lines(&lines);
	buf_finish(&lines);
	return code;
}
