/*
 * web_frame.h - bytes for a browser or WebSocket client, shared by all connections that wait to send
 * them.
 *
 * A page's file, or a message of a room, is encoded once however many receive it; a connection that
 * cannot send holds references, not copies.
 *
 * Life: web_frame_create() .. the last web_frame_unref(). Memory is wiped, as messages may contain
 * keys.
 */
#ifndef SERVER_WEB_WEB_FRAME_H
#define SERVER_WEB_WEB_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

struct web_frame {
	unsigned refs;
	uint64_t *bytes_all; /* the memory of all frames together is counted here */
	size_t len;
	char bytes[];
};

/*
 * Create a frame with one reference, of `head` followed by `body`; NULL if memory is out.
 *
 * @bytes_all  must outlive the frame.
 */
struct web_frame *web_frame_create(uint64_t *bytes_all, struct slice head, struct slice body);
struct web_frame *web_frame_ref(struct web_frame *f);
void web_frame_unref(struct web_frame *f); /* f may be NULL */

#define WEB_QUEUE_FRAMES 64

/* Frames in the order in which they are sent. Life: a zeroed struct .. web_queue_clear(). */
struct web_queue {
	size_t n;
	size_t bytes; /* that are not sent */
	size_t sent;  /* of the first frame */
	struct web_frame *frames[WEB_QUEUE_FRAMES];
};

bool web_queue_is_full(const struct web_queue *q);
/* Append a frame, whose reference the queue takes. There must be space. */
void web_queue_add(struct web_queue *q, struct web_frame *f);
/* List what is not sent; returns the number of slices, which are valid until the next change. */
size_t web_queue_slices(const struct web_queue *q, struct slice out[WEB_QUEUE_FRAMES]);
/* Report that so many bytes were sent. */
void web_queue_sent(struct web_queue *q, size_t len);
void web_queue_clear(struct web_queue *q);

#endif
