/*
 * web_frame.c - see web_frame.h.
 */
#include "server/web/web_frame.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/wipe.h"

struct web_frame *web_frame_create(uint64_t *bytes_all, struct slice head, struct slice body)
{
	struct web_frame *f = malloc(sizeof(*f) + head.len + body.len);
	if (f == NULL) {
		return NULL;
	}
	*f = (struct web_frame){.refs = 1, .bytes_all = bytes_all, .len = head.len + body.len};
	if (head.len > 0) {
		memcpy(f->bytes, head.data, head.len);
	}
	if (body.len > 0) {
		memcpy(f->bytes + head.len, body.data, body.len);
	}
	*bytes_all += f->len;
	return f;
}

struct web_frame *web_frame_ref(struct web_frame *f)
{
	f->refs++;
	return f;
}

void web_frame_unref(struct web_frame *f)
{
	if (f == NULL || --f->refs > 0) {
		return;
	}
	*f->bytes_all -= f->len;
	wipe(f->bytes, f->len);
	free(f);
}

/* ---- queues ---- */

bool web_queue_is_full(const struct web_queue *q)
{
	return q->n == WEB_QUEUE_FRAMES;
}

void web_queue_add(struct web_queue *q, struct web_frame *f)
{
	ASSERT_CMP(q->n, <, WEB_QUEUE_FRAMES);
	q->frames[q->n++] = f;
	q->bytes += f->len;
}

size_t web_queue_slices(const struct web_queue *q, struct slice out[WEB_QUEUE_FRAMES])
{
	for (size_t i = 0; i < q->n; i++) {
		size_t skip = i == 0 ? q->sent : 0;
		out[i] = slice_of(q->frames[i]->bytes + skip, q->frames[i]->len - skip);
	}
	return q->n;
}

void web_queue_sent(struct web_queue *q, size_t len)
{
	size_t whole = 0;
	ASSERT_CMP(len, <=, q->bytes);
	q->bytes -= len;
	q->sent += len;
	while (whole < q->n && q->sent >= q->frames[whole]->len) {
		q->sent -= q->frames[whole]->len;
		web_frame_unref(q->frames[whole]);
		whole++;
	}
	q->n -= whole;
	memmove(q->frames, q->frames + whole, q->n * sizeof(q->frames[0]));
}

void web_queue_clear(struct web_queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		web_frame_unref(q->frames[i]);
	}
	*q = (struct web_queue){0};
}
