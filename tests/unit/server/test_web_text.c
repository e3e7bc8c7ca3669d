/*
 * test_web_text.c - every request, result and notification as JSON and back, what is no request, and
 * that what goes to many is translated once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/limits.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/web/web_socket.h"
#include "server/web/web_text.h"
#include "tests/support/heap_test.h"
#include "tests/support/test.h"
#include "tests/unit/proto/generate.h"

#define SEEDS	  40
#define BYTES_MAX (64u << 20)
#define ENOUGH	  (1u << 20)

struct office {
	uint64_t frame_bytes;
	uint64_t translations;
	struct web_text *text;
	struct web_queue queue;
	struct arena arena;
	struct buf bytes; /* MessagePack */
	struct buf json;
};

static int office_lay(void **scene)
{
	struct office *o = calloc(1, sizeof(*o));
	assert_non_null(o);
	o->text = web_text_create(&o->frame_bytes, &o->translations);
	assert_non_null(o->text);
	buf_init(&o->bytes, BYTES_MAX);
	buf_init(&o->json, BYTES_MAX);
	*scene = o;
	return 0;
}

static int office_clear(void **scene)
{
	struct office *o = *scene;
	web_queue_clear(&o->queue);
	web_text_destroy(o->text);
	assert_int_equal(o->frame_bytes, 0);
	arena_finish(&o->arena);
	buf_finish(&o->bytes);
	buf_finish(&o->json);
	free(o);
	return 0;
}

#define OFFICE_TEST(name) TEST_IN(name, struct office, o, office_lay, office_clear)

/* A value of the record as MessagePack; valid until the arena is reset. */
static struct slice generate_bytes(struct office *o, const struct record *rec, uint64_t seed)
{
	struct generator g = {.state = seed, .arena = &o->arena};
	struct buf b = {.max = BYTES_MAX};
	bool ok = true;
	void *value = arena_alloc(&o->arena, rec->size);
	assert_non_null(value);
	generate_record(&g, rec, value);
	record_write(rec, value, &b);
	assert_int_equal(b.error, OK);
	struct slice bytes = arena_copy(&o->arena, buf_slice(&b), &ok);
	assert_true(ok);
	buf_finish(&b);
	return bytes;
}

static void json_add(struct office *o, struct slice msgpack)
{
	assert_int_equal(json_from_bytes(msgpack, &o->json), OK);
}

static void clear(struct office *o)
{
	arena_reset(&o->arena);
	buf_clear(&o->bytes);
	buf_clear(&o->json);
	web_queue_clear(&o->queue);
}

/* ---- in ---- */

/* promise: both-forms */
OFFICE_TEST(test_a_request_of_every_method_is_the_same_in_both_forms)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct slice message;
			struct errmsg why = {""};
			clear(o);
			struct slice params = generate_bytes(o, method_rows[m].params, seed);
			rpc_write_request_raw(&o->bytes, UINT32_MAX, slice_str(method_rows[m].name),
					      params);
			buf_printf(&o->json, "{\"id\":%lu,\"method\":\"%s\",\"params\":",
				   (unsigned long)UINT32_MAX, method_rows[m].name);
			json_add(o, params);
			buf_append_slice(&o->json, SLICE("}"));
			enum err e = web_text_request(o->text, buf_slice(&o->json), &message, &why);
			if (o->bytes.len > MAX_FRAME_BYTES) {
				assert_int_not_equal(e, OK);
				continue;
			}
			if (e != OK) {
				fail_msg("%s, seed %lu: %s", method_rows[m].name,
					 (unsigned long)seed, why.text);
			}
			assert_int_equal(message.len, o->bytes.len);
			assert_memory_equal(message.data, o->bytes.data, message.len);
		}
	}
}

OFFICE_TEST(test_a_request_without_params_has_an_empty_map)
{
	struct slice message;
	struct errmsg why;
	assert_int_equal(web_text_request(o->text, SLICE(" {\"method\":\"server.ping\",\"id\":0} "),
					  &message, &why),
			 OK);
	assert_true(
		slice_eq(message, SLICE("\x94\x00\xce\x00\x00\x00\x00\xabserver.ping\x91\x80")) ||
		slice_eq(message, SLICE("\x94\x00\x00\xabserver.ping\x91\x80")));
}

OFFICE_TEST(test_a_text_that_is_no_request_is_refused_without_repeating_it)
{
	static const char *const texts[] = {
		"",
		"secret",
		"{",
		"[]",
		"null",
		"{}",
		"{\"id\":1}",
		"{\"method\":\"server.ping\"}",
		"{\"id\":-1,\"method\":\"secret\"}",
		"{\"id\":4294967296,\"method\":\"secret\"}",
		"{\"id\":1.5,\"method\":\"secret\"}",
		"{\"id\":\"1\",\"method\":\"secret\"}",
		"{\"id\":null,\"method\":\"secret\"}",
		"{\"id\":1,\"method\":7}",
		"{\"id\":1,\"method\":\"\"}",
		"{\"id\":1,\"id\":1,\"method\":\"secret\"}",
		"{\"id\":1,\"method\":\"m\",\"jsonrpc\":\"secret\"}",
		"{\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"secret\"}} {}",
		"{\"id\":1,\"method\":\"m\",\"params\":{\"secret\":1,\"secret\":2}}",
		"{\"id\":1,\"method\":\"m\",\"params\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}",
		"{\"id\":1,\"method\":\"m\",\"params\":{\"a\":1e999}}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct slice message;
		struct errmsg why = {""};
		if (web_text_request(o->text, slice_str(texts[i]), &message, &why) != ERR_INVALID) {
			fail_msg("row %zu is taken for a request", i);
		}
		assert_true(why.text[0] != '\0');
		assert_null(strstr(why.text, "secret"));
	}
}

/* ---- out ---- */

/* What is in the queue's only frame behind its header, as a slice. */
static struct slice only_text(const struct office *o)
{
	assert_int_equal(o->queue.n, 1);
	const struct web_frame *f = o->queue.frames[0];
	size_t len = (unsigned char)f->bytes[1];
	size_t head = len == 126 ? 4 : len == 127 ? 10 : 2;
	assert_int_equal((unsigned char)f->bytes[0], 0x80 | WEB_TEXT);
	return slice_of(f->bytes + head, f->len - head);
}

static void assert_sent(struct office *o)
{
	struct slice piece = buf_slice(&o->bytes);
	size_t used = 0;
	assert_int_equal(web_text_frames(o->text, &piece, 1, ENOUGH, &o->queue, &used), OK);
	assert_int_equal(used, o->bytes.len);
	struct slice text = only_text(o);
	assert_int_equal(text.len, o->json.len);
	assert_memory_equal(text.data, o->json.data, text.len);
}

/* promise: both-forms */
OFFICE_TEST(test_a_result_of_every_method_is_the_same_in_both_forms)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
			clear(o);
			struct slice result = generate_bytes(o, method_rows[m].result, seed);
			rpc_write_result_raw(&o->bytes, 7, result);
			buf_append_slice(&o->json, SLICE("{\"id\":7,\"result\":"));
			json_add(o, result);
			buf_append_slice(&o->json, SLICE("}"));
			assert_sent(o);
		}
	}
}

OFFICE_TEST(test_every_notification_is_the_same_in_both_forms)
{
	for (int i = 0; i < NOTICE_COUNT; i++) {
		for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
			clear(o);
			struct slice params = generate_bytes(o, notice_rows[i].record, seed);
			rpc_write_notice_raw(&o->bytes, slice_str(notice_rows[i].name), params);
			buf_printf(&o->json, "{\"method\":\"%s\",\"params\":", notice_rows[i].name);
			json_add(o, params);
			buf_append_slice(&o->json, SLICE("}"));
			assert_sent(o);
		}
	}
}

OFFICE_TEST(test_an_error_and_an_empty_result_are_said)
{
	struct fault fault = {.code = FAULT_NONE};
	fault_set(&fault, FAULT_NOT_FOUND, "not there");
	rpc_write_fault(&o->bytes, 3, &fault);
	buf_append_slice(&o->json, SLICE("{\"id\":3,\"error\":{\"code\":\"NOT_FOUND\","
					 "\"message\":\"not there\"}}"));
	assert_sent(o);
	clear(o);
	rpc_write_result(&o->bytes, 4, NULL, NULL);
	buf_append_slice(&o->json, SLICE("{\"id\":4,\"result\":null}"));
	assert_sent(o);
}

static void add_update(struct office *o, int64_t version)
{
	struct room_update update = {.room_id = SLICE("K7QX3M"), .epoch = 1, .version = version};
	rpc_write_notice(&o->bytes, SLICE("room.update"), &record_room_update, &update);
	assert_int_equal(o->bytes.error, OK);
}

/* As server_gather() gives them: several in a piece, and one across two. */
OFFICE_TEST(test_messages_are_found_wherever_the_pieces_end)
{
	for (int64_t i = 1; i <= 5; i++) {
		add_update(o, i);
	}
	struct slice all = buf_slice(&o->bytes);
	for (size_t cut = 0; cut <= all.len; cut++) {
		struct slice pieces[] = {slice_of(all.data, cut),
					 {"", 0},
					 slice_of(all.data + cut, all.len - cut)};
		size_t used = 0;
		assert_int_equal(web_text_frames(o->text, pieces, 3, ENOUGH, &o->queue, &used), OK);
		assert_int_equal(used, all.len);
		assert_int_equal(o->queue.n, 5);
		web_queue_clear(&o->queue);
	}
	struct slice most = slice_of(all.data, all.len - 1);
	size_t used = 0;
	assert_int_equal(web_text_frames(o->text, &most, 1, ENOUGH, &o->queue, &used), OK);
	assert_int_equal(o->queue.n, 4);
	assert_int_equal(used, all.len / 5 * 4);
}

OFFICE_TEST(test_translating_stops_when_enough_waits_and_goes_on_from_there)
{
	for (int64_t i = 1; i <= 2 * WEB_QUEUE_FRAMES; i++) {
		add_update(o, i);
	}
	struct slice rest = buf_slice(&o->bytes);
	size_t frames = 0;
	while (rest.len > 0) {
		size_t used = 0;
		assert_int_equal(web_text_frames(o->text, &rest, 1, 1000, &o->queue, &used), OK);
		assert_in_range(o->queue.n, 1, WEB_QUEUE_FRAMES);
		assert_true(o->queue.bytes - o->queue.frames[o->queue.n - 1]->len < 1000);
		frames += o->queue.n;
		web_queue_clear(&o->queue);
		rest = slice_of(rest.data + used, rest.len - used);
	}
	assert_int_equal(frames, 2 * WEB_QUEUE_FRAMES);
	struct slice all = buf_slice(&o->bytes);
	size_t used = 0;
	assert_int_equal(web_text_frames(o->text, &all, 1, ENOUGH, &o->queue, &used), OK);
	assert_int_equal(o->queue.n, WEB_QUEUE_FRAMES);
}

/* The same bytes for a thousand connections: one frame, which all of them hold. */
OFFICE_TEST(test_what_goes_to_many_is_translated_once)
{
	add_update(o, 1);
	add_update(o, 2);
	struct slice piece = buf_slice(&o->bytes);
	struct web_queue queues[10] = {{0}};
	size_t used = 0;
	for (size_t i = 0; i < 1000; i++) {
		struct web_queue *q = &queues[i % 10];
		web_queue_clear(q);
		assert_int_equal(web_text_frames(o->text, &piece, 1, ENOUGH, q, &used), OK);
		assert_int_equal(q->n, 2);
		assert_ptr_equal(q->frames[0], queues[0].frames[0]);
		assert_ptr_equal(q->frames[1], queues[0].frames[1]);
	}
	assert_int_equal(o->translations, 2);
	assert_int_equal(o->frame_bytes, queues[0].bytes);
	for (size_t i = 0; i < 10; i++) {
		web_queue_clear(&queues[i]);
	}
}

/* A message is known by all of its bytes: one that differs in the last is another. */
OFFICE_TEST(test_messages_that_are_alike_are_not_taken_for_each_other)
{
	for (int round = 0; round < 3; round++) {
		for (int64_t i = 1; i <= 20; i++) {
			char want[64];
			clear(o);
			add_update(o, i);
			struct slice piece = buf_slice(&o->bytes);
			size_t used = 0;
			assert_int_equal(web_text_frames(o->text, &piece, 1, ENOUGH, &o->queue,
							 &used),
					 OK);
			(void)snprintf(want, sizeof(want), "\"version\":%d", (int)i);
			struct slice text = only_text(o);
			buf_append_slice(&o->json, text);
			buf_append(&o->json, "", 1);
			const char *found = strstr(o->json.data, want);
			assert_non_null(found);
			assert_true(found[strlen(want)] == '}' || found[strlen(want)] == ',');
		}
	}
}

OFFICE_TEST(test_large_messages_are_not_hoarded)
{
	char *title = malloc(600000);
	assert_non_null(title);
	memset(title, 'a', 600000);
	for (int i = 'a'; i < 'z'; i++) {
		clear(o);
		title[0] = (char)i;
		buf_append_slice(&o->bytes,
				 SLICE("\x93\x02\xa1x\x91\x81\xa1y\xdb\x00\x09\x27\xc0"));
		buf_append(&o->bytes, title, 600000);
		struct slice piece = buf_slice(&o->bytes);
		size_t used = 0;
		assert_int_equal(web_text_frames(o->text, &piece, 1, ENOUGH, &o->queue, &used), OK);
		assert_int_equal(o->queue.n, 1);
		assert_true(o->frame_bytes < 3 * 600000);
	}
	free(title);
}

/* In two pieces, so that it has to be joined as well. */
OFFICE_TEST(test_the_memory_of_a_large_message_is_given_back)
{
	const size_t len = 4u << 20;
	char *title = malloc(len);
	assert_non_null(title);
	memset(title, 'a', len);
	buf_append_slice(&o->bytes, SLICE("\x94\x01\x07\xc0\xdb\x00\x40\x00\x00"));
	buf_append(&o->bytes, title, len);
	free(title);
	struct slice pieces[] = {slice_of(o->bytes.data, 100),
				 slice_of(o->bytes.data + 100, o->bytes.len - 100)};
	size_t used = 0;
	size_t before = heap_bytes();
	assert_int_equal(web_text_frames(o->text, pieces, 2, ENOUGH, &o->queue, &used), OK);
	assert_int_equal(o->queue.n, 1);
	web_queue_clear(&o->queue);
	assert_true(heap_bytes() < before + (1u << 20));
}

OFFICE_TEST(test_the_reason_of_a_closing_is_found)
{
	struct closing_notice closing = {.reason = SLICE("the server is stopping")};
	struct slice reason;
	rpc_write_notice(&o->bytes, SLICE("server.closing"), &record_closing_notice, &closing);
	struct slice pieces[] = {slice_of(o->bytes.data, 10),
				 slice_of(o->bytes.data + 10, o->bytes.len - 10)};
	web_text_reason(o->text, pieces, 2, &reason);
	assert_true(slice_eq(reason, closing.reason));
	clear(o);
	add_update(o, 1);
	struct slice piece = buf_slice(&o->bytes);
	web_text_reason(o->text, &piece, 1, &reason);
	assert_int_equal(reason.len, 0);
}

/* ---- the queue ---- */

TEST(test_a_queue_sends_its_frames_in_order_in_any_pieces)
{
	uint64_t bytes = 0;
	for (size_t step = 1; step <= 12; step++) {
		struct web_queue q = {0};
		struct slice slices[WEB_QUEUE_FRAMES];
		char sent[16];
		size_t len = 0;
		web_queue_add(&q, web_frame_create(&bytes, SLICE("ab"), SLICE("cd")));
		web_queue_add(&q, web_frame_create(&bytes, SLICE("e"), (struct slice){0}));
		web_queue_add(&q, web_frame_create(&bytes, SLICE("fg"), SLICE("hij")));
		while (q.n > 0) {
			size_t n = web_queue_slices(&q, slices);
			size_t want = step;
			size_t taken = 0;
			for (size_t i = 0; i < n && want > 0; i++) {
				size_t part = slices[i].len < want ? slices[i].len : want;
				memcpy(sent + len, slices[i].data, part);
				len += part;
				taken += part;
				want -= part;
			}
			web_queue_sent(&q, taken);
		}
		assert_int_equal(len, 10);
		assert_memory_equal(sent, "abcdefghij", 10);
		assert_int_equal(q.bytes, 0);
		assert_int_equal(bytes, 0);
	}
}

HEAP_TEST_IN(test_without_memory_nothing_breaks_or_leaks, struct office, o, nth, office_lay,
	     office_clear)
{
	size_t used = 0;
	struct slice message;
	struct errmsg why;
	for (int64_t i = 1; i <= 3; i++) {
		add_update(o, i);
	}
	struct slice all = buf_slice(&o->bytes);
	struct slice pieces[] = {slice_of(all.data, 20), slice_of(all.data + 20, all.len - 20)};
	heap_fail_nth(nth, false);
	enum err in = web_text_request(o->text, SLICE("{\"id\":1,\"method\":\"server.ping\"}"),
				       &message, &why);
	enum err out = web_text_frames(o->text, pieces, 2, ENOUGH, &o->queue, &used);
	heap_fail_never();
	assert_true(in == OK || (in == ERR_NOMEM && heap_has_failed()));
	assert_true(out == OK || (out == ERR_NOMEM && heap_has_failed()));
	assert_int_equal(used, all.len / 3 * o->queue.n);
}
