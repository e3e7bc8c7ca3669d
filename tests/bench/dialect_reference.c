/*
 * dialect_reference.c - what reference.c speaks: a kind, a length, a body.
 *
 * Four bytes of header, as the machine has its numbers: uint16_t kind,
 * uint16_t body length. JOIN carries the room's number and is given back as an
 * answer; VOTE carries a payload and goes to all who joined the same room.
 */
#include "tests/bench/reference.h"

#include <string.h>

#include "tests/bench/dialect.h"

static void frame_begin(enum reference_kind kind, size_t len, struct buf *out)
{
	struct reference_head head = {.kind = (uint16_t)kind, .len = (uint16_t)len};
	(void)buf_append(out, &head, sizeof(head));
}

static bool reference_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step > 0) {
		return false;
	}
	frame_begin(REFERENCE_JOIN, sizeof(who->room), out);
	(void)buf_append(out, &who->room, sizeof(who->room));
	return true;
}

static void reference_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	frame_begin(REFERENCE_VOTE, PAYLOAD_BYTES, out);
	payload_write(who, seq, out);
}

static size_t reference_split(struct slice in, struct incoming *out)
{
	struct reference_head head;
	if (in.len < sizeof(head)) {
		return 0;
	}
	memcpy(&head, in.data, sizeof(head));
	size_t len = sizeof(head) + head.len;
	if (head.kind != REFERENCE_JOIN && head.kind != REFERENCE_VOTE) {
		return DIALECT_BAD;
	}
	if (in.len < len) {
		return 0;
	}
	out->kind = INCOMING_STEP;
	if (head.kind == REFERENCE_VOTE &&
	    !payload_read(slice_of(in.data + sizeof(head), head.len), out)) {
		return DIALECT_BAD;
	}
	return len;
}

const struct dialect dialect_reference = {
	.name = "reference",
	.greet = reference_greet,
	.vote = reference_vote,
	.split = reference_split,
};
