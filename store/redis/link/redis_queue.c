/*
 * redis_queue.c - see redis_queue.h.
 */
#include "store/redis/link/redis_queue.h"

#include <utlist.h>

#include "proto/base/assert.h"

void redis_queue_init(struct redis_queue *q)
{
	*q = (struct redis_queue){.deadline_ms = REDIS_NEVER};
}

void redis_queue_finish(struct redis_queue *q)
{
	ASSERT(q->waiting == NULL && q->due == NULL);
	ASSERT(q->calls == 0 && q->pending == 0);
}

enum err redis_queue_add(struct redis_queue *q, const struct redis_command *c, int64_t now_ms,
			 redis_end_cb *cb, void *arg)
{
	bool is_script = c->script != REDIS_NO_SCRIPT;
	size_t len = 0;
	struct redis_call *call = NULL;
	for (size_t i = 0; i < c->n; i++) {
		len += c->args[i].len;
	}
	if (q->calls >= REDIS_COMMANDS_MAX || len > REDIS_COMMANDS_BYTES ||
	    q->calls_bytes > REDIS_COMMANDS_BYTES - len) {
		return ERR_BUSY;
	}
	enum err e = redis_call_create(CALL_COMMAND, redis_call_of_script, is_script ? 2 : 0,
				       c->args, c->n, &call);
	if (e != OK) {
		return e;
	}
	q->calls++;
	q->calls_bytes += call->len;
	q->pending++;
	call->script = c->script;
	call->cb = cb;
	call->arg = arg;
	call->deadline_ms = now_ms + c->within_ms;
	q->deadline_ms = call->deadline_ms < q->deadline_ms ? call->deadline_ms : q->deadline_ms;
	DL_APPEND(q->waiting, call);
	return OK;
}

void redis_queue_destroy_call(struct redis_queue *q, struct redis_call *call)
{
	if (call->kind == CALL_COMMAND) {
		q->calls--;
		q->calls_bytes -= call->len;
	}
	redis_call_destroy(call);
}

void redis_queue_end(struct redis_queue *q, struct redis_call *call, enum redis_end end,
		     const struct redis_reply *reply)
{
	ASSERT(call->kind == CALL_COMMAND && !call->is_over);
	call->is_over = true;
	q->pending--;
	q->ends[end]++;
	call->cb(call->arg, end, reply);
}

/* ---- out ---- */

void redis_queue_sent(struct redis_queue *q, size_t len)
{
	while (q->waiting != NULL && q->first_sent + len >= q->waiting->len) {
		struct redis_call *call = q->waiting;
		len -= call->len - q->first_sent;
		q->first_sent = 0;
		DL_DELETE(q->waiting, call);
		DL_APPEND(q->due, call);
		q->sent += call->kind == CALL_COMMAND;
	}
	q->first_sent += len;
}

size_t redis_queue_gather(struct redis_queue *q, bool with_commands, char (*shas)[REDIS_SHA_CHARS],
			  struct slice slices[REDIS_QUEUE_SLICES_MAX], size_t *len)
{
	size_t n = 0;
	struct redis_call *call;
	*len = 0;
	DL_FOREACH (q->waiting, call) {
		if (n == REDIS_QUEUE_SLICES_MAX || (!with_commands && call->kind == CALL_COMMAND)) {
			break;
		}
		if (call->kind == CALL_COMMAND && call->script != REDIS_NO_SCRIPT) {
			redis_call_set_script(call, shas[call->script]);
		}
		size_t sent = n == 0 ? q->first_sent : 0;
		slices[n++] = slice_of(call->bytes + sent, call->len - sent);
		*len += call->len - sent;
	}
	return n;
}

/* ---- ends ---- */

static void queue_end_waiting(struct redis_queue *q)
{
	struct redis_call *unsent = q->waiting;
	struct redis_call *call;
	struct redis_call *next;
	q->waiting = NULL;
	DL_FOREACH_SAFE (unsent, call, next) {
		redis_queue_end(q, call, REDIS_END_UNSENT, NULL);
		redis_queue_destroy_call(q, call);
	}
}

void redis_queue_lose(struct redis_queue *q, bool ends_unsent)
{
	struct redis_call *lost = q->due;
	struct redis_call *call;
	struct redis_call *next;
	q->due = NULL;
	q->first_sent = 0;
	DL_FOREACH_SAFE (q->waiting, call, next) {
		if (call->kind != CALL_COMMAND || call->is_over) {
			DL_DELETE(q->waiting, call);
			redis_queue_destroy_call(q, call);
		} else {
			call->was_loaded = false;
		}
	}
	DL_FOREACH_SAFE (lost, call, next) {
		if (call->kind == CALL_COMMAND && !call->is_over) {
			redis_queue_end(q, call, REDIS_END_LOST, NULL);
		}
		redis_queue_destroy_call(q, call);
	}
	if (ends_unsent) {
		queue_end_waiting(q);
	}
}

/* Take the deadline of a command that is not over into account; false: it has passed. */
static bool queue_has_time(const struct redis_call *call, int64_t now_ms, int64_t *earliest_ms)
{
	if (!call->is_over && call->deadline_ms <= now_ms) {
		return false;
	}
	if (!call->is_over && call->deadline_ms < *earliest_ms) {
		*earliest_ms = call->deadline_ms;
	}
	return true;
}

/* What callbacks send is last in `waiting`, and its deadline is in q->deadline_ms. */
void redis_queue_expire(struct redis_queue *q, int64_t now_ms)
{
	struct redis_call *call;
	struct redis_call *next;
	int64_t earliest_ms = REDIS_NEVER;
	q->deadline_ms = REDIS_NEVER;
	DL_FOREACH (q->due, call) {
		if (!queue_has_time(call, now_ms, &earliest_ms)) {
			redis_queue_end(q, call, REDIS_END_LATE, NULL);
		}
	}
	DL_FOREACH_SAFE (q->waiting, call, next) {
		bool is_begun = call == q->waiting && q->first_sent > 0;
		if (queue_has_time(call, now_ms, &earliest_ms)) {
			continue;
		}
		if (is_begun) {
			redis_queue_end(q, call, REDIS_END_LATE, NULL);
		} else {
			DL_DELETE(q->waiting, call);
			redis_queue_end(q, call, REDIS_END_UNSENT, NULL);
			redis_queue_destroy_call(q, call);
		}
	}
	q->deadline_ms = q->deadline_ms < earliest_ms ? q->deadline_ms : earliest_ms;
}
