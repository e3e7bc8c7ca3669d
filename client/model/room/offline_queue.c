/*
 * offline_queue.c - a short queue of requests; see offline_queue.h.
 */
#include "client/model/room/offline_queue.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/rights.h"

void offline_queue_finish(struct offline_queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		request_free(q->items[i].request);
	}
	q->n = 0;
}

/* Stories, rules and hosts outlive a round. */
static bool queue_is_of_round(const struct request *r)
{
	enum right right = right_of_method(r->method);
	return right == RIGHT_REVEAL || right == RIGHT_RESET || right == RIGHT_SIGNAL;
}

bool offline_queue_may(const struct request *r)
{
	enum right right = right_of_method(r->method);
	return method_rows[r->method].effect == EFFECT_CHANGES && !request_is_secret(r) &&
	       (queue_is_of_round(r) || right == RIGHT_LEAD || right == RIGHT_EDIT_STORIES);
}

bool offline_queue_push(struct offline_queue *q, const struct replica *room, struct request *r)
{
	if (q->n == OFFLINE_QUEUE_MAX) {
		return false;
	}
	q->items[q->n++] = (struct queued_request){request_ref(r), room->room.round};
	return true;
}

void offline_queue_words(const struct offline_queue *q, char *out, size_t cap)
{
	size_t n = 0;
	out[0] = '\0';
	for (size_t i = 0; i < q->n; i++) {
		if (i == 0) {
			n = format_to(out, cap, "%zu %s for the connection: ", q->n,
				      q->n == 1 ? "act waits" : "acts wait");
		}
		n += format_to(out + n, cap - n, "%s%s", i == 0 ? "" : ", ",
			       q->items[i].request->name);
	}
}

struct request *offline_queue_next(struct offline_queue *q, const struct replica *room,
				   offline_refuses *refuses, struct buf *out)
{
	enum { WHY_BYTES_MAX = 400 };
	char why[WHY_BYTES_MAX];
	while (q->n > 0) {
		struct queued_request first = q->items[0];
		q->n--;
		memmove(q->items, q->items + 1, q->n * sizeof(q->items[0]));
		if (queue_is_of_round(first.request) && first.round != room->room.round) {
			(void)format_to(why, sizeof(why), "The next round has started");
		} else if (!refuses(first.request, room, why, sizeof(why))) {
			return first.request;
		}
		(void)buf_printf(out, "Not sent (%s): %s.\n", first.request->name, why);
		request_free(first.request);
	}
	return NULL;
}
