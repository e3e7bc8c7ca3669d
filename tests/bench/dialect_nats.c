/*
 * dialect_nats.c - NATS core publish and subscribe.
 * https://docs.nats.io/reference/reference-protocols/nats-protocol
 */
#include <string.h>

#include "tests/bench/dialect.h"

#define LENGTH_MAX ((size_t)1 << 20)

static bool nats_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step == 1) { /* step 0 waits for the server's INFO */
		(void)buf_printf(out,
				 "CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"c\"}\r\n"
				 "SUB room%u 1\r\nPING\r\n",
				 who->room);
	}
	return step < 2;
}

static void nats_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	(void)buf_printf(out, "PUB room%u %d\r\n", who->room, PAYLOAD_BYTES);
	payload_write(who, seq, out);
	(void)buf_append(out, "\r\n", 2);
}

/* "MSG subject sid length": the number behind the last blank. */
static size_t nats_length(struct slice line)
{
	size_t length = 0;
	size_t at = line.len;
	while (at > 0 && line.data[at - 1] != ' ') {
		at--;
	}
	for (; at < line.len && line.data[at] >= '0' && line.data[at] <= '9'; at++) {
		length = length * 10 + (size_t)(line.data[at] - '0');
		if (length > LENGTH_MAX) {
			break;
		}
	}
	return length;
}

static size_t nats_split(struct slice in, struct incoming *out)
{
	const char *end = in.len == 0 ? NULL : memchr(in.data, '\n', in.len);
	if (end == NULL) {
		return 0;
	}
	size_t len = (size_t)(end - in.data) + 1;
	struct slice line = slice_of(in.data, len >= 2 ? len - 2 : 0);
	out->kind = INCOMING_OTHER;
	if (slice_starts(line, SLICE("MSG "))) {
		size_t body = nats_length(line);
		if (body != PAYLOAD_BYTES) {
			return DIALECT_BAD;
		}
		if (in.len - len < body + 2) {
			return 0;
		}
		return payload_read(slice_of(in.data + len, body), out) ? len + body + 2
									: DIALECT_BAD;
	}
	if (slice_starts(line, SLICE("INFO ")) || slice_eq(line, SLICE("PONG"))) {
		out->kind = INCOMING_STEP;
	} else if (slice_starts(line, SLICE("-ERR"))) {
		out->kind = INCOMING_REFUSED;
		out->text = line;
	} else if (!slice_eq(line, SLICE("PING")) && !slice_eq(line, SLICE("+OK"))) {
		return DIALECT_BAD;
	}
	return len;
}

const struct dialect dialect_nats = {
	.name = "nats",
	.greet = nats_greet,
	.vote = nats_vote,
	.split = nats_split,
};
