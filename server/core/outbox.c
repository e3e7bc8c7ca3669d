/*
 * outbox.c - what a connection alone is to be sent: the rest of a full update
 * that went out in part, then its own words.
 *
 * Most connections have nothing in it at any moment, so they have none; those
 * that were emptied are kept for the next ones, with their memory where it is
 * small.
 */
#include "server/core/core.h"

#include <stdlib.h>

#include <utlist.h>

/*
 * Reading waits when OUT_BYTES are owed, so what can be here at once is that
 * and one answer more; the largest is a full room's, a few MB.
 */
#define OUTBOX_BYTES_MAX   (MAX_OUT_BYTES + ((size_t)16 << 20))
#define OUTBOX_SPARE_MAX   256 /* as many as one turn fills */
#define OUTBOX_SPARE_BYTES 1024

struct outbox *outbox_of(struct server *s, struct conn *c)
{
	if (c->outbox != NULL) {
		return c->outbox;
	}
	struct outbox *box = s->spare_outboxes;
	if (box != NULL) {
		LL_DELETE(s->spare_outboxes, box);
		s->spare_outboxes_n--;
	} else if ((box = calloc(1, sizeof(*box))) == NULL) {
		return NULL;
	}
	box->words.max = OUTBOX_BYTES_MAX;
	c->outbox = box;
	return box;
}

static void outbox_destroy(struct outbox *box)
{
	buf_finish(&box->words);
	free(box);
}

void outbox_drop(struct server *s, struct conn *c)
{
	struct outbox *box = c->outbox;
	if (box == NULL) {
		return;
	}
	c->outbox = NULL;
	frame_unref(box->cut);
	box->cut = NULL;
	buf_clear(&box->words);
	if (s->spare_outboxes_n >= OUTBOX_SPARE_MAX || box->words.capacity > OUTBOX_SPARE_BYTES) {
		outbox_destroy(box);
		return;
	}
	LL_PREPEND(s->spare_outboxes, box);
	s->spare_outboxes_n++;
}

void outbox_finish(struct server *s)
{
	while (s->spare_outboxes != NULL) {
		struct outbox *box = s->spare_outboxes;
		LL_DELETE(s->spare_outboxes, box);
		outbox_destroy(box);
	}
}

size_t outbox_len(const struct conn *c)
{
	return c->outbox == NULL ? 0 : c->outbox->words.len;
}

size_t outbox_gather(const struct conn *c, struct slice *out, size_t max)
{
	const struct outbox *box = c->outbox;
	size_t n = 0;
	if (box != NULL && box->cut != NULL) {
		out[n++] = slice_of(box->cut->bytes + box->cut_at, box->cut->len - box->cut_at);
	}
	if (box != NULL && box->words.len > 0 && n < max) {
		out[n++] = buf_slice(&box->words);
	}
	return n;
}

static size_t take(size_t *n, size_t have)
{
	size_t taken = *n < have ? *n : have;
	*n -= taken;
	return taken;
}

size_t outbox_wrote(struct server *s, struct conn *c, size_t n)
{
	struct outbox *box = c->outbox;
	if (box == NULL) {
		return n;
	}
	if (box->cut != NULL) {
		box->cut_at += take(&n, box->cut->len - box->cut_at);
		if (box->cut_at == box->cut->len) {
			frame_unref(box->cut);
			box->cut = NULL;
		}
	}
	buf_drop(&box->words, take(&n, box->words.len));
	if (box->cut == NULL && box->words.len == 0) {
		outbox_drop(s, c);
	}
	return n;
}
