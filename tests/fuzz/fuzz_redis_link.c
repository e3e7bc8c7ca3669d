/*
 * fuzz_redis_link.c - any bytes as replies of Redis: to commands, to the greeting, on a subscription, to
 * scripts.
 *
 * Besides not breaking anything it holds: pieces say the same as the whole; each command ends once;
 * a reply has the elements that it says it has, and not more than the limits allow.
 *
 * The first byte of an input says what is answered, the second how long pieces are.
 */
#include <stdint.h>
#include <string.h>

#include "proto/base/assert.h"
#include "store/redis/link/redis_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COMMANDS 6
#define HELLO	 "*4\r\n$7\r\nversion\r\n$5\r\n7.0.1\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
#define SHA	 "$40\r\n0123456789abcdef0123456789abcdef01234567\r\n"

enum scene { ANSWERS, GREETING, SUBSCRIPTION, SCRIPTS, SCENES };

static const char *const greetings[SCENES] = {
	[ANSWERS] = HELLO "+PONG\r\n",
	[GREETING] = "",
	[SUBSCRIPTION] = HELLO "+PONG\r\n*3\r\n$10\r\nssubscribe\r\n$1\r\nc\r\n:1\r\n",
	[SCRIPTS] = HELLO SHA "+PONG\r\n",
};

/* What a link says, summed up to compare; and the net that it is told through. */
struct heard {
	uint64_t sum;
	bool is_open;
	struct redis_link *link;
	unsigned ends[COMMANDS];
};

static struct heard *heard;

static void hear(uint64_t what)
{
	heard->sum = (heard->sum ^ what) * 1099511628211U;
}

static void hear_bytes(struct slice s)
{
	hear(s.len);
	for (size_t i = 0; i < s.len; i++) {
		hear((unsigned char)s.data[i]);
	}
}

/* ---- the net ---- */

static int64_t net_now(void *arg)
{
	(void)arg;
	return 1000;
}

static uint64_t net_random(void *arg)
{
	(void)arg;
	return 0;
}

static void *net_attach(void *arg, struct redis_link *link, const struct redis_address *address)
{
	(void)arg, (void)address;
	heard->link = link;
	return heard;
}

static void net_nothing(void *wire)
{
	(void)wire;
}

static size_t net_write(void *wire, const struct slice *slices, size_t n)
{
	size_t len = 0;
	ASSERT(wire == heard && heard->is_open);
	for (size_t i = 0; i < n; i++) {
		len += slices[i].len;
	}
	return len;
}

static void net_close(void *wire)
{
	ASSERT(wire == heard && heard->is_open);
	heard->is_open = false;
}

static void net_wake(void *wire, int64_t at_ms)
{
	(void)wire, (void)at_ms;
}

static const struct redis_net net = {
	.now_ms = net_now,
	.random = net_random,
	.attach = net_attach,
	.detach = net_nothing,
	.open = net_nothing,
	.write = net_write,
	.close = net_close,
	.wake = net_wake,
};

/* ---- what is heard ---- */

/* As deep as the codec goes. Returns the number of elements in it, with itself. */
static size_t hear_reply(const struct redis_reply *r)
{
	size_t nodes = 1;
	size_t n = 0;
	hear(r->kind);
	hear((uint64_t)r->integer);
	hear_bytes(r->text);
	for (const struct redis_reply *e = r->first; e != NULL; e = e->next) {
		nodes += hear_reply(e);
		n++;
	}
	ASSERT_CMP(n, ==, r->n);
	ASSERT(r->kind == REDIS_ARRAY || n == 0);
	return nodes;
}

static void on_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	unsigned *times = arg;
	ASSERT_CMP(*times, ==, 0);
	(*times)++;
	hear((uint64_t)(times - heard->ends));
	hear(end);
	bool has_reply =
		end == REDIS_END_OK || end == REDIS_END_REFUSED || redis_ends[end].code.len > 0;
	ASSERT(has_reply == (reply != NULL));
	if (reply != NULL) {
		ASSERT_CMP(hear_reply(reply), <=, REDIS_REPLY_NODES_MAX);
	}
}

static void on_change(void *arg)
{
	(void)arg;
	hear_bytes(slice_str(redis_link_why(heard->link)));
	hear(redis_link_greeted(heard->link));
}

static void on_publication(void *arg, struct slice body)
{
	(void)arg;
	hear_bytes(body);
}

/* ---- an input ---- */

static void say(struct slice bytes, size_t piece)
{
	for (size_t at = 0; at < bytes.len && heard->is_open; at += piece) {
		piece = piece < bytes.len - at ? piece : bytes.len - at;
		redis_link_on_bytes(heard->link, slice_of(bytes.data + at, piece));
	}
}

static void ask(enum scene scene, unsigned *times)
{
	struct slice word = SLICE("0");
	struct redis_command c = {scene == SCRIPTS ? 0 : REDIS_NO_SCRIPT, &word, 1, 1000};
	enum err e = redis_link_send(heard->link, &c, on_end, times);
	ASSERT_CMP(e, ==, OK);
}

static uint64_t run(enum scene scene, struct slice bytes, size_t piece)
{
	static const struct slice script = SLICE_INIT("return 1");
	static const struct redis_address address = {.text = "redis://h", .password = "sesame"};
	struct heard all = {.is_open = true};
	struct redis_link *link;
	bool asks = scene == ANSWERS || scene == SCRIPTS;
	struct redis_link_config c = {.net = &net,
				      .address = &address,
				      .channel = scene == SUBSCRIPTION ? SLICE("c")
								       : (struct slice){0},
				      .scripts = &script,
				      .scripts_n = scene == SCRIPTS,
				      .on = {.on_change = on_change,
					     .on_publication = on_publication}};
	heard = &all;
	enum err e = redis_link_create(&c, &link);
	ASSERT_CMP(e, ==, OK);
	redis_link_on_open(link);
	say(slice_str(greetings[scene]), SIZE_MAX);
	for (size_t i = 0; i < COMMANDS && asks; i++) {
		ask(scene, &all.ends[i]);
	}
	redis_link_flush(link);
	say(bytes, piece);
	ASSERT(strstr(redis_link_why(link), "sesame") == NULL);
	if (all.is_open) {
		all.is_open = false;
		redis_link_on_end(link, "end");
	}
	redis_link_destroy(link);
	for (size_t i = 0; i < COMMANDS; i++) {
		ASSERT_CMP(all.ends[i], ==, asks ? 1 : 0);
	}
	return all.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2) {
		return 0;
	}
	enum scene scene = (enum scene)(data[0] % SCENES);
	struct slice bytes = slice_of(data + 2, size - 2);
	uint64_t whole = run(scene, bytes, SIZE_MAX);
	uint64_t pieces = run(scene, bytes, 1 + data[1] % 32);
	/* A script that is missing is sent again between two pieces, and not in the midst of one. */
	ASSERT(scene == SCRIPTS || whole == pieces);
	return 0;
}
