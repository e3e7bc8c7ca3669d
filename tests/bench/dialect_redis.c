/*
 * dialect_redis.c - Redis pub/sub.
 *
 * RESP3 (HELLO 3), because there a connection that subscribes may publish too,
 * as a member of a room both listens and votes.
 * https://redis.io/docs/reference/protocol-spec/
 */
#include <string.h>

#include "proto/format.h"
#include "tests/bench/dialect.h"

static bool redis_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step == 0) {
		(void)buf_printf(out, "HELLO 3\r\n");
	} else if (step == 1) {
		(void)buf_printf(out, "SUBSCRIBE room%u\r\n", who->room);
	}
	return step < 2;
}

static void redis_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	char channel[ROOM_NAME_BYTES];
	size_t len = format_to(channel, sizeof(channel), "room%u", who->room);
	(void)buf_printf(out, "*3\r\n$7\r\nPUBLISH\r\n$%zu\r\n%s\r\n$%d\r\n", len, channel,
			 PAYLOAD_BYTES);
	payload_write(who, seq, out);
	(void)buf_append(out, "\r\n", 2);
}

/* One element's header line: its type, its number, and its length with the line's end; 0 for more. */
static size_t redis_line(struct slice in, char *type, long *number)
{
	const char *end = in.len == 0 ? NULL : memchr(in.data, '\n', in.len);
	if (end == NULL) {
		return 0;
	}
	*type = in.data[0];
	*number = 0;
	for (const char *at = in.data + 1; at < end && *at >= '0' && *at <= '9'; at++) {
		*number = *number * 10 + (*at - '0');
		if (*number > (1 << 20)) {
			return DIALECT_BAD;
		}
	}
	return (size_t)(end - in.data) + 1;
}

/* What a message is made of, as far as it matters here: its bulk strings. */
struct redis_parts {
	char type;
	size_t n;
	struct slice bulk[4];
};

/* The whole element with all that it holds: bytes, 0 for more, or DIALECT_BAD. */
static size_t redis_parts(struct slice in, struct redis_parts *parts)
{
	size_t at = 0;
	for (long left = 1; left > 0; left--) {
		char type;
		long number;
		size_t len = redis_line(slice_of(in.data + at, in.len - at), &type, &number);
		if (len == 0 || len == DIALECT_BAD) {
			return len;
		}
		parts->type = at == 0 ? type : parts->type;
		at += len;
		if (type == '*' || type == '>' || type == '~') {
			left += number;
		} else if (type == '%') {
			left += 2 * number;
		} else if (type == '$') {
			if (in.len - at < (size_t)number + 2) {
				return 0;
			}
			if (parts->n < sizeof(parts->bulk) / sizeof(parts->bulk[0])) {
				parts->bulk[parts->n++] = slice_of(in.data + at, (size_t)number);
			}
			at += (size_t)number + 2;
		} else if (strchr(":+-_#,", type) == NULL) {
			return DIALECT_BAD;
		}
	}
	return at;
}

static size_t redis_split(struct slice in, struct incoming *out)
{
	struct redis_parts parts = {0};
	size_t len = redis_parts(in, &parts);
	if (len == 0 || len == DIALECT_BAD) {
		return len;
	}
	if (parts.type == '-') {
		out->kind = INCOMING_REFUSED;
		out->text = slice_of(in.data, len);
	} else if (parts.type == '%' ||
		   (parts.type == '>' && slice_eq(parts.bulk[0], SLICE("subscribe")))) {
		out->kind = INCOMING_STEP;
	} else if (parts.type == '>' && slice_eq(parts.bulk[0], SLICE("message"))) {
		return parts.n == 3 && payload_read(parts.bulk[2], out) ? len : DIALECT_BAD;
	} else {
		out->kind = INCOMING_OTHER; /* how many a vote was sent to */
	}
	return len;
}

const struct dialect dialect_redis = {
	.name = "redis",
	.greet = redis_greet,
	.vote = redis_vote,
	.split = redis_split,
};
