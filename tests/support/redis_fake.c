/*
 * redis_fake.c - the net, and the server at its other end.
 */
#include "tests/support/redis_fake.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/heap.h"
#include "tests/support/test.h"

#define FAKE_WORDS_MAX 16

/* ---- the net ---- */

static int64_t fake_now(void *arg)
{
	return ((struct fake *)arg)->now_ms;
}

static uint64_t fake_random(void *arg)
{
	return ((struct fake *)arg)->random;
}

static void *fake_attach(void *arg, struct redis_link *link, const struct redis_address *address)
{
	struct fake *f = arg;
	assert_null(f->link);
	assert_string_equal(address->text, f->address.text);
	f->link = link;
	return f;
}

static void fake_detach(void *wire)
{
	struct fake *f = wire;
	f->is_open = false;
	f->is_opening = false;
	f->link = NULL;
}

static void fake_on_opening(void *wire)
{
	struct fake *f = wire;
	assert_false(f->is_open || f->is_opening);
	f->is_opening = true;
	f->opens++;
}

static size_t fake_write(void *wire, const struct slice *slices, size_t n)
{
	struct fake *f = wire;
	size_t taken = 0;
	assert_true(f->is_open);
	heap_pause(true);
	for (size_t i = 0; i < n; i++) {
		size_t len = slices[i].len < f->room ? slices[i].len : f->room;
		assert_in_range(slices[i].len, 1, SIZE_MAX);
		assert_int_equal(buf_append(&f->out, slices[i].data, len), OK);
		f->room -= len;
		taken += len;
	}
	heap_pause(false);
	return taken;
}

static void fake_on_closing(void *wire)
{
	struct fake *f = wire;
	assert_true(f->is_open || f->is_opening);
	f->is_open = false;
	f->is_opening = false;
}

static void fake_wake(void *wire, int64_t at_ms)
{
	struct fake *f = wire;
	f->wake_ms = at_ms;
}

static void fake_on_change(void *arg)
{
	((struct fake *)arg)->changes++;
}

static void fake_on_time(void *arg)
{
	((struct fake *)arg)->times++;
}

static void fake_on_publication(void *arg, struct slice body)
{
	struct fake *f = arg;
	assert_int_equal(buf_printf(&f->published, "%.*s\n", (int)body.len, body.data), OK);
}

/* ---- the server ---- */

static size_t line_end(const struct buf *b, size_t at)
{
	const char *end = at < b->len ? memchr(b->data + at, '\n', b->len - at) : NULL;
	return end == NULL ? 0 : (size_t)(end - b->data) + 1;
}

/* Split off one whole command; returns its length, 0 where it is not whole. */
static size_t take_command(const struct buf *b, struct slice words[FAKE_WORDS_MAX], size_t *n)
{
	size_t at = line_end(b, 0);
	if (at == 0) {
		return 0;
	}
	assert_int_equal(b->data[0], '*');
	*n = (size_t)strtoul(b->data + 1, NULL, 10);
	assert_in_range(*n, 1, FAKE_WORDS_MAX);
	for (size_t i = 0; i < *n; i++) {
		size_t begin = line_end(b, at);
		if (begin == 0) {
			return 0;
		}
		assert_int_equal(b->data[at], '$');
		size_t len = (size_t)strtoul(b->data + at + 1, NULL, 10);
		if (b->len - begin < len + 2) {
			return 0;
		}
		words[i] = slice_of(b->data + begin, len);
		at = begin + len + 2;
	}
	return at;
}

static const char *answer_to(struct fake *f, struct slice word)
{
	static const struct fake_instead usual[] = {
		{"HELLO", FAKE_HELLO},
		{"SELECT", "+OK\r\n"},
		{"INFO", FAKE_INFO},
		{"SCRIPT", "$40\r\n" FAKE_SHA "\r\n"},
		{"PING", "+PONG\r\n"},
		{"SSUBSCRIBE", "*3\r\n$10\r\nssubscribe\r\n$1\r\nc\r\n:1\r\n"},
	};
	for (size_t i = 0; i < sizeof(f->instead) / sizeof(f->instead[0]); i++) {
		if (f->instead[i].word != NULL && slice_eq(word, slice_str(f->instead[i].word))) {
			return f->instead[i].reply;
		}
	}
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (slice_eq(word, slice_str(usual[i].word))) {
			return usual[i].reply;
		}
	}
	return f->replies == NULL || *f->replies == NULL ? "" : *f->replies++;
}

void fake_hear(struct fake *f)
{
	struct slice words[FAKE_WORDS_MAX];
	size_t n = 0;
	size_t len;
	while ((len = take_command(&f->out, words, &n)) > 0) {
		for (size_t i = 0; i < n; i++) {
			(void)buf_append_slice(&f->heard, words[i]);
			(void)buf_append_slice(&f->heard, i + 1 < n ? SLICE(" ") : SLICE("\n"));
		}
		(void)buf_append_slice(&f->in, slice_str(answer_to(f, words[0])));
		buf_drop(&f->out, len);
	}
	assert_int_equal(f->heard.error, OK);
}

void fake_deliver(struct fake *f, size_t piece)
{
	struct buf in = f->in; /* the link may have more to say meanwhile, which is not heard yet */
	buf_init(&f->in, in.max);
	for (size_t at = 0; at < in.len && f->is_open; at += piece) {
		piece = piece < in.len - at ? piece : in.len - at;
		redis_link_on_bytes(f->link, slice_of(in.data + at, piece));
	}
	buf_finish(&in);
}

void fake_talk(struct fake *f)
{
	fake_hear(f);
	while (f->in.len > 0 && f->is_open) {
		fake_deliver(f, SIZE_MAX);
		fake_hear(f);
	}
}

void fake_say(struct fake *f, const char *bytes)
{
	(void)buf_append_slice(&f->in, slice_str(bytes));
	fake_deliver(f, SIZE_MAX);
}

/* ---- life ---- */

void fake_lay(struct fake *f)
{
	*f = (struct fake){
		.net = {.arg = f,
			.now_ms = fake_now,
			.random = fake_random,
			.attach = fake_attach,
			.detach = fake_detach,
			.open = fake_on_opening,
			.write = fake_write,
			.close = fake_on_closing,
			.wake = fake_wake},
		.now_ms = 1000000,
		.wake_ms = INT64_MAX,
		.address = {.text = "redis://h:6379/0"},
		.config = {.net = &f->net,
			   .address = &f->address,
			   .on = {.on_change = fake_on_change,
				  .on_publication = fake_on_publication,
				  .on_time = fake_on_time,
				  .arg = f}},
	};
	buf_init(&f->out, 128u << 20);
	buf_init(&f->heard, 1u << 20);
	buf_init(&f->in, 128u << 20);
	buf_init(&f->published, 1u << 20);
}

void fake_clear(struct fake *f)
{
	redis_link_destroy(f->link);
	buf_finish(&f->out);
	buf_finish(&f->heard);
	buf_finish(&f->in);
	buf_finish(&f->published);
}

void fake_begin(struct fake *f)
{
	struct redis_link *made;
	assert_int_equal(redis_link_create(&f->config, &made), OK);
	assert_ptr_equal(made, f->link);
}

void fake_open(struct fake *f)
{
	assert_true(f->is_opening);
	f->is_opening = false;
	f->is_open = true;
	f->room = SIZE_MAX;
	buf_clear(&f->out);
	buf_clear(&f->in);
	redis_link_on_open(f->link);
}

void fake_greet(struct fake *f)
{
	if (f->link == NULL) {
		fake_begin(f);
	}
	fake_open(f);
	fake_talk(f);
	if (!redis_link_is_ready(f->link)) {
		fail_msg("not ready: %s", redis_link_why(f->link));
	}
	buf_clear(&f->heard);
}

void fake_end(struct fake *f, const char *why)
{
	assert_true(f->is_open || f->is_opening);
	f->is_open = false;
	f->is_opening = false;
	redis_link_on_end(f->link, why);
}

void fake_pass(struct fake *f, int64_t ms)
{
	int64_t end_ms = f->now_ms + ms;
	while (f->wake_ms <= end_ms) {
		f->now_ms = f->wake_ms > f->now_ms ? f->wake_ms : f->now_ms;
		f->wake_ms = INT64_MAX;
		redis_link_on_time(f->link);
	}
	f->now_ms = end_ms;
}
