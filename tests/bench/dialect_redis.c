/*
 * dialect_redis.c - Redis pub/sub.
 *
 * RESP3 (HELLO 3), because there a connection that subscribes may publish too,
 * as a member of a room both listens and votes. Commands may be sent without
 * waiting for answers. Below: votes that are kept.
 * https://redis.io/docs/reference/protocol-spec/
 */
#include <string.h>

#include "proto/base/format.h"
#include "tests/bench/dialect.h"

static bool redis_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step == 0) {
		(void)buf_printf(out, "HELLO 3\r\nSUBSCRIBE room%u\r\n", who->room);
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

/* Of a channel, or, with an s in front, of one that a cluster keeps where its slot is. */
static bool is_push(const struct redis_parts *parts, struct slice kind)
{
	struct slice is = parts->bulk[0];
	return parts->type == '>' &&
	       (slice_eq(is, kind) || (is.len == kind.len + 1 && is.data[0] == 's' &&
				       slice_eq(slice_of(is.data + 1, kind.len), kind)));
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
	} else if (parts.type == '%' || is_push(&parts, SLICE("subscribe"))) {
		out->kind = INCOMING_STEP;
	} else if (is_push(&parts, SLICE("message"))) {
		return parts.n == 3 && payload_read(parts.bulk[2], out) ? len : DIALECT_BAD;
	} else {
		out->kind = INCOMING_OTHER; /* how many a vote was sent to */
	}
	return len;
}

/* ---- a durable vote ---- */

/*
 * What a web application does that keeps votes in Redis: take the room's lock,
 * read its last state, append the new one, give the lock back if it is still
 * one's own, and publish. Each waits for the answer to the one before, as each
 * depends on it. A lock that is taken is asked for again at once.
 */
#define UNLOCK_SCRIPT                                                               \
	"if redis.call('get',KEYS[1])==ARGV[1] then redis.call('del',KEYS[1]) end " \
	"return redis.status_reply('UNLOCKED')"
#define UNLOCK_SHA "c055b108f2e6764a9d8536514114c30adce2b020"

static bool redis_vote_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	(void)redis_greet(who, step, out);
	if (step == 0) {
		(void)buf_printf(out, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%zu\r\n%s\r\n",
				 sizeof(UNLOCK_SCRIPT) - 1, UNLOCK_SCRIPT);
	}
	return step < 3;
}

static size_t decimals(uint32_t n)
{
	size_t len = 1;
	while (n >= 10) {
		n /= 10;
		len++;
	}
	return len;
}

static void redis_lock(const struct speaker *who, uint64_t seq, struct buf *out)
{
	(void)buf_printf(out, "SET lock:room%u %u:%llu NX PX 30000\r\n", who->room, who->member,
			 (unsigned long long)seq);
}

static void redis_go_on(const struct speaker *who, uint64_t seq, struct slice reply,
			struct buf *out)
{
	switch (reply.data[0]) {
	case '_': /* not granted */
		redis_lock(who, seq, out);
		break;
	case '*': /* the last state */
		(void)buf_printf(out,
				 "*5\r\n$4\r\nXADD\r\n$%zu\r\nvotes:room%u\r\n$1\r\n*\r\n"
				 "$4\r\nvote\r\n$%d\r\n",
				 strlen("votes:room") + decimals(who->room), who->room,
				 PAYLOAD_BYTES);
		payload_write(who, seq, out);
		(void)buf_append(out, "\r\n", 2);
		break;
	case '$': /* appended, as this entry */
		(void)buf_printf(out, "EVALSHA " UNLOCK_SHA " 1 lock:room%u %u:%llu\r\n", who->room,
				 who->member, (unsigned long long)seq);
		break;
	default:
		if (slice_eq(reply, SLICE("+OK\r\n"))) {
			(void)buf_printf(out, "XREVRANGE votes:room%u + - COUNT 1\r\n", who->room);
		} else {
			redis_vote(who, seq, out);
		}
	}
}

static size_t redis_vote_split(struct slice in, struct incoming *out)
{
	size_t len = redis_split(in, out);
	if (len == 0 || len == DIALECT_BAD || out->kind != INCOMING_OTHER) {
		return len;
	}
	bool is_sha = in.data[0] == '$' && len == strlen("$40\r\n") + 40 + strlen("\r\n");
	bool is_count = in.data[0] == ':'; /* of PUBLISH: the vote is done */
	out->kind = is_sha ? INCOMING_STEP : is_count ? INCOMING_OTHER : INCOMING_REPLY;
	out->text = slice_of(in.data, len);
	return len;
}

/* ---- the same in a cluster, and on a replica before it is told ---- */

static bool redis_wait_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	if (step == 0) {
		(void)buf_printf(out,
				 "HELLO 3\r\nSSUBSCRIBE {room%u}\r\n"
				 "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%zu\r\n%s\r\n",
				 who->room, sizeof(UNLOCK_SCRIPT) - 1, UNLOCK_SCRIPT);
	}
	return step < 3;
}

static void redis_wait_lock(const struct speaker *who, uint64_t seq, struct buf *out)
{
	(void)buf_printf(out, "SET lock:{room%u} %u:%llu NX PX 30000\r\n", who->room, who->member,
			 (unsigned long long)seq);
}

/* WAIT holds back what follows on its connection: the lock is given back, and the vote told, behind it. */
static void redis_wait_go_on(const struct speaker *who, uint64_t seq, struct slice reply,
			     struct buf *out)
{
	size_t room_len = strlen("{room}") + decimals(who->room);
	switch (reply.data[0]) {
	case '_': /* not granted */
		redis_wait_lock(who, seq, out);
		break;
	case '*': /* the last state */
		(void)buf_printf(out,
				 "*5\r\n$4\r\nXADD\r\n$%zu\r\nvotes:{room%u}\r\n$1\r\n*\r\n"
				 "$4\r\nvote\r\n$%d\r\n",
				 strlen("votes:") + room_len, who->room, PAYLOAD_BYTES);
		payload_write(who, seq, out);
		(void)buf_append(out, "\r\n", 2);
		break;
	case '$': /* appended, as this entry */
		(void)buf_printf(out,
				 "WAIT 1 1000\r\nEVALSHA " UNLOCK_SHA
				 " 1 lock:{room%u} %u:%llu\r\n",
				 who->room, who->member, (unsigned long long)seq);
		break;
	default:
		if (slice_eq(reply, SLICE("+OK\r\n"))) {
			(void)buf_printf(out, "XREVRANGE votes:{room%u} + - COUNT 1\r\n",
					 who->room);
			break;
		}
		(void)buf_printf(out, "*3\r\n$8\r\nSPUBLISH\r\n$%zu\r\n{room%u}\r\n$%d\r\n",
				 room_len, who->room, PAYLOAD_BYTES);
		payload_write(who, seq, out);
		(void)buf_append(out, "\r\n", 2);
	}
}

const struct dialect dialect_redis_wait = {
	.name = "redis",
	.greet = redis_wait_greet,
	.vote = redis_wait_lock,
	.go_on = redis_wait_go_on,
	.split = redis_vote_split,
};

const struct dialect dialect_redis_vote = {
	.name = "redis",
	.greet = redis_vote_greet,
	.vote = redis_lock,
	.go_on = redis_go_on,
	.split = redis_vote_split,
};

const struct dialect dialect_redis = {
	.name = "redis",
	.greet = redis_greet,
	.vote = redis_vote,
	.split = redis_split,
};
