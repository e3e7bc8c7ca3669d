/*
 * payload.c - a vote as the servers carry it that know nothing of votes.
 */
#include "tests/bench/dialect.h"

#include <string.h>

#define PAYLOAD_MARK 0x65794161U

struct payload {
	uint32_t mark;
	uint32_t publisher;
	uint64_t seq;
	char rest[PAYLOAD_BYTES - 16];
};

_Static_assert(sizeof(struct payload) >= PAYLOAD_BYTES, "the payload is written from its struct");

void payload_write(const struct speaker *who, uint64_t seq, struct buf *out)
{
	struct payload p = {.mark = PAYLOAD_MARK, .publisher = who->member, .seq = seq};
	memset(p.rest, 'v', sizeof(p.rest));
	(void)buf_append(out, &p, PAYLOAD_BYTES);
}

bool payload_read(struct slice payload, struct incoming *out)
{
	struct payload p;
	if (payload.len != PAYLOAD_BYTES) {
		return false;
	}
	memcpy(&p, payload.data, PAYLOAD_BYTES);
	out->kind = INCOMING_MESSAGE;
	out->publisher = p.publisher;
	out->seq = p.seq;
	return p.mark == PAYLOAD_MARK;
}
