/*
 * fuzz_web_head.c - any bytes as requests of HTTP: read, judged, answered.
 *
 * Besides not breaking anything it holds: pieces give the same head, or the same refusal, as the
 * whole; what is kept is bounded; and each whole head has an answer.
 */
#include <stdint.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/limits.h"
#include "server/web/http_head.h"
#include "server/web/web_reply.h"
#include "server/web/web_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns how many bytes were used. */
static size_t fuzz_take(struct http_head *h, struct slice in, size_t piece)
{
	size_t used = 0;
	while (h->state == HTTP_HEAD_MORE && used < in.len) {
		size_t len = in.len - used < piece ? in.len - used : piece;
		used += http_head_take(h, slice_of(in.data + used, len));
		ASSERT_CMP(used, <=, in.len);
		ASSERT_CMP(h->raw.len, <=, MAX_WEB_HEAD_BYTES);
	}
	return used;
}

static void fuzz_same(const struct http_head *a, const struct http_head *b)
{
	ASSERT_CMP(a->state, ==, b->state);
	if (a->state == HTTP_HEAD_REFUSED) {
		ASSERT_CMP(a->status, ==, b->status);
	}
	if (a->state != HTTP_HEAD_WHOLE) {
		return;
	}
	ASSERT(slice_eq(http_head_path(a), http_head_path(b)));
	ASSERT_CMP(a->is_upgrade, ==, b->is_upgrade);
	for (int i = 0; i < HTTP_FIELD_COUNT; i++) {
		ASSERT(slice_eq(http_head_field(a, (enum http_field)i),
				http_head_field(b, (enum http_field)i)));
	}
}

static void fuzz_answer(const struct http_head *h, unsigned bits)
{
	static const struct web_origins origins = {.n = 1, .items = {{"https://poker.example"}}};
	struct web_file files[WEB_FILE_COUNT];
	struct buf b = {.max = WEB_REPLY_BYTES_MAX};
	const struct web_reply reply = {.wall_ms = 1, .keeps_alive = h->keeps_alive};
	web_files_list(files);
	const struct web_way way = {.is_tls = (bits & 1) != 0,
				    .is_proxied = (bits & 2) != 0,
				    .origins = &origins,
				    .files = files};
	struct web_want want = web_request_want(h, &way);
	switch (want.kind) {
	case WEB_WANT_FILE:
	case WEB_WANT_SAME:
		web_reply_file(&b, &reply, want.file, want.kind == WEB_WANT_SAME);
		break;
	case WEB_WANT_SOCKET:
		ASSERT_CMP(want.key.len, ==, 24);
		ASSERT(!way.is_proxied || want.forwarded.len > 0);
		web_reply_socket(&b, "accept", want.names_protocol);
		break;
	case WEB_WANT_HEALTH:
		web_reply_status(&b, &reply, 200, "ok");
		break;
	case WEB_WANT_NOTHING:
		ASSERT_CMP(want.status, >=, 400);
		web_reply_status(&b, &reply, want.status, want.why);
		break;
	}
	ASSERT_CMP(b.error, ==, OK);
	buf_finish(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct http_head whole;
	struct http_head pieces;
	if (size == 0) {
		return 0;
	}
	struct slice in = slice_of(data + 1, size - 1);
	http_head_init(&whole);
	http_head_init(&pieces);
	size_t used = fuzz_take(&whole, in, SIZE_MAX);
	size_t used_too = fuzz_take(&pieces, in, 1 + data[0] % 16);
	fuzz_same(&whole, &pieces);
	if (whole.state == HTTP_HEAD_WHOLE) {
		ASSERT_CMP(used, ==, used_too);
		fuzz_answer(&whole, data[0] >> 6);
	}
	http_head_finish(&whole);
	http_head_finish(&pieces);
	return 0;
}
