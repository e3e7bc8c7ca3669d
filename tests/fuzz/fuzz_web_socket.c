/*
 * fuzz_web_socket.c - any bytes as frames of a WebSocket: messages found, translated, and translated
 * back.
 *
 * Besides not breaking anything it holds: pieces say the same as the whole; what becomes a request is
 * one whole message within the limits; and its params, as a notification, have a JSON form.
 */
#include <stdint.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/frame_scan.h"
#include "proto/base/limits.h"
#include "proto/rpc.h"
#include "proto/text/utf8.h"
#include "server/web/web_socket.h"
#include "server/web/web_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct decoder decoder;

static void fuzz_back(struct web_text *t, struct slice message)
{
	struct rpc_message m;
	bool answerable;
	struct buf notice = {.max = 4 * MAX_FRAME_BYTES};
	struct web_queue queue = {0};
	size_t used = 0;
	if (rpc_decode(&decoder, message, &m, &answerable) != OK || m.params == NULL) {
		return; /* the core refuses params that are no map */
	}
	struct buf params = {.max = 2 * MAX_FRAME_BYTES};
	rpc_write_object(&params, m.params);
	rpc_write_notice_raw(&notice, SLICE("room.update"), buf_slice(&params));
	ASSERT_CMP(notice.error, ==, OK);
	struct slice half[] = {slice_of(notice.data, notice.len / 2),
			       slice_of(notice.data + notice.len / 2, notice.len - notice.len / 2)};
	for (int i = 0; i < 2; i++) {
		enum err e = web_text_frames(t, half, 2, SIZE_MAX, &queue, &used);
		ASSERT_CMP(e, ==, OK);
		ASSERT_CMP(used, ==, notice.len);
	}
	ASSERT_CMP(queue.n, ==, 2);
	web_queue_clear(&queue);
	buf_finish(&params);
	buf_finish(&notice);
}

static void fuzz_message(struct web_text *t, struct slice text)
{
	struct slice message;
	struct errmsg why = {""};
	struct frame_scan scan;
	ASSERT(utf8_is_valid(text));
	enum err e = web_text_request(t, text, &message, &why);
	if (e != OK) {
		ASSERT(e == ERR_TOO_LARGE || (e == ERR_INVALID && why.text[0] != '\0'));
		return;
	}
	frame_scan_init(&scan);
	e = frame_scan_value(&scan, message, MAX_FRAME_BYTES);
	ASSERT(e == OK || e == ERR_TOO_LARGE); /* the core's to refuse */
	if (e == OK) {
		ASSERT_CMP(scan.at, ==, message.len);
		fuzz_back(t, message);
	}
}

/* A sum over all that is said, to compare. */
static uint64_t fuzz_hear(struct web_text *t, struct slice all, size_t piece)
{
	struct web_socket s = {0};
	struct web_event e = {.kind = WEB_EVENT_NONE};
	uint64_t sum = 0;
	bool is_over = false;
	while (all.len > 0 && !is_over) {
		struct slice in = slice_of(all.data, all.len < piece ? all.len : piece);
		all = slice_of(all.data + in.len, all.len - in.len);
		do {
			e = web_socket_next(&s, &in, MAX_FRAME_BYTES);
			ASSERT_CMP(e.bytes.len, <=, MAX_FRAME_BYTES);
			if (e.kind != WEB_EVENT_NONE) { /* of these there is one a piece */
				sum = sum * 31 + (uint64_t)e.kind * 7 + (uint64_t)e.close;
			}
			for (size_t i = 0; i < e.bytes.len; i++) {
				sum = sum * 31 + (unsigned char)e.bytes.data[i];
			}
			if (e.kind == WEB_EVENT_MESSAGE && t != NULL) {
				fuzz_message(t, e.bytes);
			}
			is_over = e.kind == WEB_EVENT_BROKEN || e.kind == WEB_EVENT_CLOSE;
		} while (e.kind != WEB_EVENT_NONE && !is_over);
	}
	web_socket_finish(&s);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t bytes = 0;
	uint64_t translations = 0;
	if (size == 0) {
		return 0;
	}
	struct web_text *t = web_text_create(&bytes, &translations);
	struct slice all = slice_of(data + 1, size - 1);
	ASSERT(t != NULL);
	uint64_t whole = fuzz_hear(t, all, SIZE_MAX);
	uint64_t pieces = fuzz_hear(NULL, all, 1 + data[0] % 32);
	ASSERT_CMP(whole, ==, pieces);
	/* As text alone, since masks hide it from the fuzzer. */
	if (utf8_is_valid(all) && all.len <= MAX_FRAME_BYTES) {
		fuzz_message(t, all);
	}
	web_text_destroy(t);
	ASSERT_CMP(bytes, ==, 0);
	return 0;
}
