/*
 * verb_keep.c - aye room keep: a room that lives for days.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/cli/print.h"
#include "client/cli/visit.h"
#include "proto/decimal.h"

static int verb_keep_say(const struct visit *v, const struct room_keep_result *r)
{
	char at[40] = "";
	struct tm local;
	time_t ends = (time_t)(r->expires_at / 1000);
	if (v->cli->is_json) {
		enum err e = print_record(&record_room_keep_result, r);
		return e == OK ? EXIT_DONE : print_failure(e, NULL);
	}
	if (localtime_r(&ends, &local) != NULL) {
		(void)strftime(at, sizeof(at), "%Y-%m-%d %H:%M", &local);
	}
	return print_line("%s is kept until %s", v->room_id, at) ? EXIT_DONE : EXIT_BROKEN;
}

int verb_room_keep(struct cli *c)
{
	struct visit v;
	char once[REACH_ONCE_CHARS + 1];
	int64_t days = 0;
	if (!decimal_read(slice_str(c->args.words[1]), 1, MAX_ROOM_KEEP_DAYS, &days)) {
		print_problem("%s is no number of days from 1 to %d",
			      print_soft(slice_str(c->args.words[1])), MAX_ROOM_KEEP_DAYS);
		return EXIT_USAGE;
	}
	int code = visit_open(c, &v);
	code = code == EXIT_DONE ? visit_show_rights(&v) : code;
	if (code == EXIT_DONE) {
		struct room_keep_result r;
		struct room_keep_params p = {
			.room_id = slice_str(v.room_id),
			.host_key = visit_host_key(&v),
			.days = days,
			.idempotency_key = reach_once(once),
		};
		code = visit_call(&v, METHOD_ROOM_KEEP, &p, &r);
		code = code == EXIT_DONE ? verb_keep_say(&v, &r) : code;
	}
	visit_close(&v);
	return code;
}
