/*
 * verb_whoami_watch.c - aye whoami --watch: sessions and rooms, then each change of them.
 *
 * With --json the records as the wire has them: the answer of session.watch,
 * then each session.update and session.nudged; the answer again where something was missed and it
 * is not as it was. After a loss the client connects again, logs in as before and
 * asks again.
 */

#include "client/cli/output/local_time.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/login.h"
#include "client/cli/reach/reach.h"
#include "client/model/lists/user_topic.h"
#include "client/model/questions/user_notice.h"

/* Where the server cannot answer now, it is asked again after this long. */
#define WHOAMI_WATCH_RETRY_MS 1000

/*
 *   open --session.watch--> asked --answer--> known --update that fits--> known
 *                             ^                 |
 *                             +-- reset or gap -+      lost: as from the beginning
 */
struct whoami_watch {
	const struct cli *cli;
	struct room_client *client;
	struct sign_in *sign_in;
	struct user_topic topic;
	bool is_asked; /* updates that do not fit meanwhile are in the answer */
	bool is_stale; /* the topic is of a connection that is lost: versions do not compare */
	int code;
};

/* Whether it goes on. */
static bool whoami_watch_record(struct whoami_watch *w, const struct record *rec, const void *value)
{
	int code = print_record(rec, value);
	w->code = code == EXIT_DONE ? w->code : code;
	return code == EXIT_DONE;
}

static bool whoami_watch_session(const struct session_view *v, bool is_this)
{
	char at[LOCAL_TIME_BYTES];
	return print_line("session %s%s, until %s if idle", print_soft(v->session_id),
			  is_this ? " (this one)" : "", local_time(v->expires_at, LOCAL_CLOCK, at));
}

static bool whoami_watch_print_state(struct whoami_watch *w, const struct session_watch_result *is)
{
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

static bool whoami_watch_print_update(struct whoami_watch *w, const struct session_update *u,
				      const struct user_topic_news *news)
{
	if (w->cli->is_json) {
		return whoami_watch_record(w, &record_session_update, u);
	}
	bool is_fine =
		(!news->has_started ||
		 print_line("session %s started", print_soft(u->started.session_id))) &&
		(!news->has_ended || print_line("session %s ended", print_soft(u->ended))) &&
		(!news->has_name || print_line("%s (user %s)", print_soft(w->topic.is->user_name),
					       print_soft(w->topic.is->user_id))) &&
		(!news->has_joined || print_line("in room %s", print_soft(u->joined))) &&
		(!news->has_left || print_line("left room %s", print_soft(u->left)));
	w->code = is_fine ? w->code : EXIT_BROKEN;
	return is_fine;
}

/* It ends with this code, which was told. */
static void whoami_watch_end(struct whoami_watch *w, int code)
{
	w->code = code;
	room_client_stop(w->client);
}

static void whoami_watch_take_state(struct whoami_watch *w, const struct session_watch_result *is)
{
	bool is_news = !user_topic_is(&w->topic, is);
	w->is_stale = false;
	user_topic_set(&w->topic, is);
	if (is_news && !whoami_watch_print_state(w, is)) {
		room_client_stop(w->client);
	}
}

static void whoami_watch_on_reply(void *owner, const struct reply *r)
{
	struct whoami_watch *w = owner;
	bool may_change = w->topic.version > 0 && (r->fault.code == FAULT_UNAVAILABLE ||
						   r->fault.code == FAULT_RATE_LIMITED);
	int64_t wait_ms = r->fault.retry_after_ms;
	w->is_asked = false;
	if (r->result != NULL) {
		whoami_watch_take_state(w, r->result);
	} else if (r->error == ERR_PROTO) {
		print_problem("%s", r->fault.message);
		whoami_watch_end(w, EXIT_NO_SERVER);
	} else if (r->error == OK && may_change) {
		w->is_asked = true;
		room_client_wake_in(w->client, wait_ms > WHOAMI_WATCH_RETRY_MS
						       ? wait_ms
						       : WHOAMI_WATCH_RETRY_MS);
	} else if (r->error == OK) {
		whoami_watch_end(w, print_refusal(w->cli, &r->fault));
	}
}

static void whoami_watch_ask(struct whoami_watch *w)
{
	struct nothing p = {0};
	enum err e =
		room_client_call(w->client, METHOD_SESSION_WATCH, &p, whoami_watch_on_reply, w);
	w->is_asked = e == OK; /* else there is no connection, or there will be none */
}

static void whoami_watch_take_update(struct whoami_watch *w, const struct session_update *u)
{
	struct user_topic_news news;
	if (w->is_stale) {
		return; /* it will be in the answer */
	}
	switch (user_topic_apply(&w->topic, u, &news)) {
	case USER_TOPIC_OLD:
		return;
	case USER_TOPIC_AGAIN:
		if (!w->is_asked) {
			whoami_watch_ask(w);
		}
		return;
	case USER_TOPIC_APPLIED:
		break;
	}
	if (!whoami_watch_print_update(w, u, &news)) {
		room_client_stop(w->client);
	} else if (news.is_over) {
		print_problem("this session has ended; log in again");
		whoami_watch_end(w, EXIT_DONE);
	}
}

/* A nudge, or a room that waits. Part of no state: told as it comes. */
static void whoami_watch_take_call(struct whoami_watch *w, const struct event *event)
{
	if (w->cli->is_json) {
		if (!whoami_watch_record(w, notice_rows[event->notice].record, event->update)) {
			room_client_stop(w->client);
		}
		return;
	}
	char text[USER_NOTICE_BYTES];
	(void)user_notice_text(event->notice, event->update, "", room_client_server_ms(w->client),
			       text);
	if (!print_line("%s", print_soft(slice_str(text)))) {
		w->code = EXIT_BROKEN;
		room_client_stop(w->client);
	}
}

static void whoami_watch_on_event(void *owner, const struct event *event)
{
	struct whoami_watch *w = owner;
	const struct sign_in *s = w->sign_in;
	if (event->kind == EVENT_OPEN && s != NULL && !s->is_signed_in &&
	    s->fault.code != FAULT_NONE) {
		whoami_watch_end(w, print_refusal(w->cli, &s->fault));
	} else if (event->kind == EVENT_OPEN || event->kind == EVENT_WAKE) {
		whoami_watch_ask(w);
	} else if (event->kind == EVENT_DOWN) {
		w->is_asked = false;
		w->is_stale = true;
	} else if (event->kind == EVENT_NOTICE && event->notice == NOTICE_SESSION_UPDATE) {
		/* One that cannot be read is missed: the next one does not fit, and it is asked again. */
		whoami_watch_take_update(w, event->update);
	} else if (event->kind == EVENT_NOTICE && (event->notice == NOTICE_SESSION_NUDGED ||
						   event->notice == NOTICE_SESSION_WAITING)) {
		whoami_watch_take_call(w, event);
	}
}

int verb_whoami_watch(struct cli *c)
{
	struct server_place place;
	struct fault fault = {0};
	struct errmsg why = {""};
	struct whoami_watch w = {.cli = c, .code = EXIT_DONE};
	int code = reach_place(c, &place);
	if (code != EXIT_DONE) {
		return code;
	}
	w.sign_in = login_asker(place.address.text, NULL);
	struct room_client_options o = {
		.address = place.address,
		.sign_in = w.sign_in,
		.keeps_trying = true,
		.on_event = whoami_watch_on_event,
		.owner = &w,
	};
	w.client = room_client_open(NULL, &o);
	enum room_client_end end = room_client_run(w.client, c->wait_ms, &fault, &why);
	room_client_close(w.client);
	user_topic_finish(&w.topic);
	return reach_end(c, &place, end, w.code, &fault, &why);
}
