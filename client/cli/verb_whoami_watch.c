/*
 * verb_whoami_watch.c - aye whoami --watch: sessions and rooms, then each change of them.
 *
 * With --json the records as the wire has them: the answer of session.watch,
 * then each session.update; the answer again where something was missed and it
 * is not as it was.
 */
#include <time.h>

#include "client/cli/login.h"
#include "client/cli/print.h"
#include "client/cli/reach.h"
#include "client/net/user_watch_uv.h"

struct whoami_watch {
	const struct cli *cli;
	int code;
};

/* Whether it goes on. */
static bool whoami_watch_record(struct whoami_watch *w, const struct record *rec, const void *value)
{
	enum err e = print_record(rec, value);
	w->code = e == OK ? w->code : print_failure(e, NULL);
	return e == OK;
}

static bool whoami_watch_session(const struct session_view *v, bool is_this)
{
	time_t ends = (time_t)(v->expires_at / 1000);
	struct tm local;
	char at[40] = "";
	if (localtime_r(&ends, &local) != NULL) {
		(void)strftime(at, sizeof(at), "%H:%M", &local);
	}
	return print_line("session %s%s, until %s if idle", print_soft(v->session_id),
			  is_this ? " (this one)" : "", at);
}

static bool whoami_watch_on_state(void *owner, const struct session_watch_result *is)
{
	struct whoami_watch *w = owner;
	if (w->cli->is_json) {
		return whoami_watch_record(w, &record_session_watch_result, is);
	}
	bool is_fine =
		print_line("%s (user %s)", print_soft(is->user_name), print_soft(is->user_id));
	for (size_t i = 0; i < is->sessions_n && is_fine; i++) {
		bool is_this = slice_eq(is->sessions[i].session_id, is->session_id);
		is_fine = whoami_watch_session(&is->sessions[i], is_this);
	}
	for (size_t i = 0; i < is->rooms.n && is_fine; i++) {
		is_fine = print_line("in room %s", print_soft(is->rooms.items[i]));
	}
	w->code = is_fine ? w->code : EXIT_BROKEN;
	return is_fine;
}

static bool whoami_watch_on_update(void *owner, const struct session_update *u,
				   const struct user_topic_news *news)
{
	struct whoami_watch *w = owner;
	if (w->cli->is_json) {
		return whoami_watch_record(w, &record_session_update, u);
	}
	bool is_fine = (!news->has_started ||
			print_line("session %s began", print_soft(u->started.session_id))) &&
		       (!news->has_ended || print_line("session %s ended", print_soft(u->ended))) &&
		       (!news->has_joined || print_line("in room %s", print_soft(u->joined))) &&
		       (!news->has_left || print_line("left room %s", print_soft(u->left)));
	w->code = is_fine ? w->code : EXIT_BROKEN;
	return is_fine;
}

int verb_whoami_watch(struct cli *c)
{
	static const struct user_watch_handler handler = {
		.on_state = whoami_watch_on_state,
		.on_update = whoami_watch_on_update,
	};
	struct place place;
	struct fault fault = {0};
	struct errmsg why = {""};
	struct whoami_watch w = {.cli = c, .code = EXIT_DONE};
	int code = reach_place(c, &place);
	if (code == EXIT_DONE) {
		enum watch_end end =
			user_watch_run(&place.address, login_stored(place.address.text), c->wait_ms,
				       &handler, &w, &fault, &why);
		code = reach_watch_end(c, &place, end, w.code, &fault, &why);
	}
	return code;
}
