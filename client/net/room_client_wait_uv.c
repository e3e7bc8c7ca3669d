/*
 * room_client_wait_uv.c - see room_client_wait_uv.h.
 */
#include "client/net/room_client_wait_uv.h"

#include "client/model/memory.h"
#include "client/net/connection_uv.h"

#define WAIT_SILENT "no answer in time"

struct wait {
	const struct room_client_wait *client;
	bool (*is_so)(const void *arg);
	const void *arg;
};

static bool wait_is_so_or_lost(const void *arg)
{
	const struct wait *w = arg;
	return w->client->is_lost || w->is_so(w->arg);
}

bool room_client_wait(struct room_client *c, bool (*is_so)(const void *arg), const void *arg,
		      int64_t timeout_ms)
{
	struct wait w = {.client = room_client_waiting(c), .is_so = is_so, .arg = arg};
	(void)loop_run(room_client_loop(c), wait_is_so_or_lost, &w, timeout_ms);
	return is_so(arg);
}

static bool wait_may_ask(const void *arg)
{
	return room_client_is_open(arg);
}

static bool wait_is_greeted(const void *arg)
{
	return room_client_is_up(arg);
}

enum err room_client_connect(struct room_client *c, bool needs_hello, int64_t timeout_ms,
			     struct errmsg *why)
{
	/* A person has all the time that the far side gives them, and what is asked behind hello has
	 * its own. */
	bool is_asking = room_client_is_asking(c);
	needs_hello = needs_hello || is_asking;
	timeout_ms = is_asking && timeout_ms >= 0 ? CONNECTION_ASK_MS : timeout_ms;
	const struct room_client_wait *w = room_client_waiting(c);
	if (room_client_wait(c, needs_hello ? wait_is_greeted : wait_may_ask, c, timeout_ms)) {
		return OK;
	}
	errmsg_set(why, "%s", w->is_lost ? w->why.text : WAIT_SILENT);
	return w->is_lost ? ERR_CLOSED : ERR_UNKNOWN;
}

static void wait_on_reply(void *owner, const struct reply *r)
{
	struct room_client_wait *w = room_client_waiting(owner);
	if (r->error != OK) {
		return; /* on_down follows */
	}
	w->has_reply = true;
	w->reply = *r;
	w->reply.value = NULL;
	fault_let_go(&w->reply.fault);
	buf_clear(&w->bytes);
	reply_write(r, &w->bytes);
	(void)memory_check(w->bytes.error);
	w->reply.bytes = buf_slice(&w->bytes);
}

static bool wait_has_reply(const void *arg)
{
	const struct room_client_wait *w = arg;
	return w->has_reply;
}

/* Before hello was answered, nobody was reached. */
static enum err wait_fail(struct room_client *c)
{
	struct room_client_wait *w = room_client_waiting(c);
	enum err e = w->is_lost ? ERR_CLOSED : ERR_UNKNOWN;
	if (e == ERR_UNKNOWN) {
		errmsg_set(&w->why, "%s",
			   w->was_up ? "the server did not answer in time" : WAIT_SILENT);
	}
	if (w->was_up) {
		return e;
	}
	struct errmsg why = w->why;
	errmsg_set(&w->why, "cannot reach %s: %s", w->address.text, why.text);
	return ERR_CLOSED;
}

enum err room_client_ask(struct room_client *c, struct slice method, struct slice params,
			 int64_t timeout_ms, struct reply *out)
{
	struct room_client_wait *w = room_client_waiting(c);
	w->has_reply = false;
	enum err e = room_client_send(c, method, params, wait_on_reply, c);
	if (e != OK) {
		errmsg_set(&w->why, "%s", err_text(e));
		return e;
	}
	if (room_client_wait(c, wait_has_reply, w, timeout_ms)) {
		*out = w->reply;
		return OK;
	}
	room_client_forget(c, c);
	return wait_fail(c);
}

static bool wait_has_seat(const void *arg)
{
	const struct membership *m = arg;
	return (m->phase == MEMBERSHIP_FOLLOWING && m->has_you) || m->phase == MEMBERSHIP_ENDED ||
	       m->retry_ms > 0;
}

enum err room_client_await_seat(struct room_client *c, int64_t timeout_ms, struct reply *out)
{
	if (!room_client_wait(c, wait_has_seat, room_client_membership(c), timeout_ms)) {
		return wait_fail(c);
	}
	const struct membership *m = room_client_membership(c);
	*out = (struct reply){.is_refused = m->phase != MEMBERSHIP_FOLLOWING, .fault = m->fault};
	return OK;
}

enum err room_client_ask_record(struct room_client *c, enum method method, const void *params,
				int64_t timeout_ms, struct arena *arena, void *result,
				struct reply *out)
{
	const struct method_row *row = &method_rows[method];
	struct room_client_wait *w = room_client_waiting(c);
	struct fault f = {0};
	struct buf bytes;
	enum err e = request_write(method, params, &bytes);
	if (e != OK) {
		errmsg_set(&w->why, "%s", err_text(e));
	} else {
		e = room_client_ask(c, slice_str(row->name), buf_slice(&bytes), timeout_ms, out);
	}
	buf_finish(&bytes);
	if (e != OK || out->is_refused) {
		return e;
	}
	e = memory_check(
		record_from_bytes(row->result, out->bytes, RECORD_LENIENT, arena, result, &f));
	if (e != OK) {
		errmsg_set(&w->why, REPLY_UNREADABLE ": %s %s", f.field, f.message);
		return ERR_PROTO;
	}
	return OK;
}

const char *room_client_why(struct room_client *c)
{
	return room_client_waiting(c)->why.text;
}
