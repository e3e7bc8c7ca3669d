/*
 * verb_notify.c - aye notify on, off and list: how a person hears of new questions.
 */
#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "proto/base/format.h"

enum { NOTIFY_LINES_BYTES = 65536, NOTIFY_ID_BYTES = 65, NOTIFY_SAID_BYTES = 512 };

static int notify_list(struct visit *v, struct subscription_list_result *out)
{
	const struct nothing p = {0};
	return visit_call(v, METHOD_SUBSCRIPTION_LIST, &p, out);
}

/* ---- list ---- */

/* "s_7HQ2MB4XNA2K7QX3  command to ada@example.org, every 30 min, for technical, product" */
static void notify_write(const struct subscription_view *s, struct buf *out)
{
	(void)buf_printf(out, "%.*s  %s%s%.*s, every %lld min, for", (int)s->subscription_id.len,
			 s->subscription_id.data,
			 words_text(&words_subscription_channel, (int)s->channel),
			 s->address.len > 0 ? " to " : "", (int)s->address.len,
			 s->address.len > 0 ? s->address.data : "",
			 (long long)s->min_interval_minutes);
	for (size_t i = 0; i < s->audience.n; i++) {
		(void)buf_printf(out, "%s %.*s", i == 0 ? "" : ",", (int)s->audience.items[i].len,
				 s->audience.items[i].data);
	}
	if (!s->active && s->failures > 0) {
		(void)buf_printf(out, "; off, the command failed %lld times",
				 (long long)s->failures);
	} else if (!s->active) {
		(void)buf_printf(out, "; off");
	}
	(void)buf_printf(out, "\n");
}

int verb_notify_was_listed(struct visit *v, const struct record *rec, const void *result)
{
	const struct subscription_list_result *r = result;
	struct buf lines;
	int code = EXIT_DONE;
	(void)rec;
	buf_init(&lines, NOTIFY_LINES_BYTES);
	for (size_t i = 0; i < r->subscriptions_n && code == EXIT_DONE; i++) {
		if (v->cli->is_json) {
			code = print_record(&record_subscription_view, &r->subscriptions[i]);
		} else {
			notify_write(&r->subscriptions[i], &lines);
		}
	}
	code = code == EXIT_DONE ? question_print_lines(&lines) : code;
	if (code == EXIT_DONE && r->subscriptions_n == 0) {
		print_progress("No notifications. Turn them on: aye notify on.");
	}
	buf_finish(&lines);
	return code;
}

/* ---- on ---- */

/* The one that comes the same way: it is turned on, and changed, not doubled. NULL: none. */
static const struct subscription_view *notify_same(const struct subscription_list_result *all,
						   const struct subscription_create_params *p)
{
	for (size_t i = 0; i < all->subscriptions_n; i++) {
		const struct subscription_view *s = &all->subscriptions[i];
		if (s->channel == p->channel && slice_eq(s->address, p->address)) {
			return s;
		}
	}
	return NULL;
}

/* What has been turned on: for the sentence that says so, when the visit is over. */
struct notify_made {
	char id[NOTIFY_ID_BYTES];
	int64_t minutes; /* the shortest interval between two notifications */
};

/* A person reads a sentence instead (notify_say_made()). */
static int notify_print_made(struct visit *v, const struct record *rec, const void *result,
			     struct slice id, struct notify_made *made)
{
	const char *plain = print_soft(id);
	(void)format_to(made->id, sizeof(made->id), "%s", plain);
	return room_command_say(v, rec, result, print_is_for_a_person() ? NULL : plain);
}

static int notify_turn_on(struct visit *v, struct subscription_create_params *p,
			  struct notify_made *out)
{
	struct subscription_list_result all;
	int code = notify_list(v, &all);
	const struct subscription_view *same = code == EXIT_DONE ? notify_same(&all, p) : NULL;
	if (same != NULL) {
		struct subscription_view now;
		struct subscription_update_params change = {
			.subscription_id = same->subscription_id,
			.min_interval_minutes = p->min_interval_minutes,
			.with_min_interval_minutes = p->with_min_interval_minutes,
			.audience = p->audience,
			.with_audience = p->with_audience,
			.active = true,
			.with_active = true,
		};
		code = visit_call(v, METHOD_SUBSCRIPTION_UPDATE, &change, &now);
		if (code != EXIT_DONE) {
			return code;
		}
		out->minutes = now.min_interval_minutes;
		return notify_print_made(v, &record_subscription_view, &now, now.subscription_id,
					 out);
	}
	struct subscription_create_result made;
	out->minutes = p->with_min_interval_minutes ? p->min_interval_minutes
						    : MAX_SUBSCRIPTION_MINUTES_USUAL;
	code = code == EXIT_DONE ? visit_call(v, METHOD_SUBSCRIPTION_CREATE, p, &made) : code;
	return code != EXIT_DONE ? code
				 : notify_print_made(v, &record_subscription_create_result, &made,
						     made.subscription_id, out);
}

/* What comes where, how often, and how to undo it. */
static int notify_say_made(const struct cli *c, const struct notify_made *made)
{
	const char *address = c->args.value[OPTION_COMMAND];
	char line[NOTIFY_SAID_BYTES];
	if (address != NULL) {
		(void)format_to(line, sizeof(line),
				"New questions are sent to %s by the server's command",
				print_soft(slice_str(address)));
	} else {
		(void)format_to(line, sizeof(line),
				"New questions are shown at home and in rooms while you are there");
	}
	static const char said[] = "%s, at most one every %lld min.\nTo stop: aye notify off %s";
	if (c->is_json || !print_is_for_a_person()) {
		print_progress(said, line, (long long)made->minutes, made->id);
		return EXIT_DONE;
	}
	return print_text(said, line, (long long)made->minutes, made->id) ? EXIT_DONE : EXIT_BROKEN;
}

int verb_notify_on(struct cli *c)
{
	struct visit v;
	struct request *r;
	struct notify_made made = {.minutes = 0};
	bool is_command = c->args.value[OPTION_COMMAND] != NULL;
	int code = verb_method_request(c, &r);
	request_text(r, "channel",
		     words_text(&words_subscription_channel,
				is_command ? CHANNEL_COMMAND : CHANNEL_LIVE));
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, c->verb->needs);
		code = code == EXIT_DONE ? notify_turn_on(&v, r->params, &made) : code;
		room_command_close(&v);
	}
	code = code == EXIT_DONE ? notify_say_made(c, &made) : code;
	request_free(r);
	return code;
}

/* ---- off ---- */

static int notify_delete(struct visit *v, struct slice id)
{
	struct subscription_params p = {.subscription_id = id};
	struct nothing r;
	return visit_call(v, METHOD_SUBSCRIPTION_DELETE, &p, &r);
}

/* One by its id, or all there are. */
int verb_notify_off(struct cli *c)
{
	struct visit v;
	struct subscription_list_result all = {.subscriptions_n = 0};
	int code = room_command_open(c, &v, c->verb->needs);
	if (code == EXIT_DONE && c->args.words_n > 0) {
		code = notify_delete(&v, slice_str(c->args.words[0]));
	} else if (code == EXIT_DONE) {
		code = notify_list(&v, &all);
		for (size_t i = 0; i < all.subscriptions_n && code == EXIT_DONE; i++) {
			code = notify_delete(&v, all.subscriptions[i].subscription_id);
		}
	}
	room_command_close(&v);
	if (code == EXIT_DONE) {
		const char *one = c->args.words_n > 0 ? c->args.words[0] : NULL;
		print_progress("Notifications are off%s%s.", one == NULL ? "" : " by ",
			       one == NULL ? "" : print_soft(slice_str(one)));
	}
	return code;
}
