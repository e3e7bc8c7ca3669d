/*
 * fuzz_frame_scan.c - any bytes as a stream of messages: found, decoded, read into the
 * record of the method they name, written again.
 *
 * Besides not breaking anything it holds: pieces find the same messages as
 * the whole, and a record that was read is the same after a round trip.
 */
#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct decoder decoder;
static struct arena arena;

/* Bytes, read back and written again: the same. */
static void fuzz_round_trip(const struct record *rec, const void *value)
{
	struct buf first = {.max = MAX_FRAME_BYTES * 2}, second = {.max = MAX_FRAME_BYTES * 2};
	struct buf json = {.max = MAX_FRAME_BYTES * 16};
	union method_params params;
	struct fault fault;
	struct errmsg why;
	record_write(rec, value, &first);
	ASSERT_CMP(first.error, ==, OK);
	enum err e =
		record_from_bytes(rec, buf_slice(&first), RECORD_STRICT, &arena, &params, &fault);
	ASSERT_CMP(e, ==, OK);
	record_write(rec, &params, &second);
	ASSERT(slice_eq(buf_slice(&first), buf_slice(&second)));
	e = json_from_bytes(buf_slice(&first), &json);
	ASSERT_CMP(e, ==, OK);
	buf_clear(&second);
	e = json_to_bytes(buf_slice(&json), &second, &why);
	ASSERT_CMP(e, ==, OK);
	ASSERT(slice_eq(buf_slice(&first), buf_slice(&second)));
	buf_finish(&first);
	buf_finish(&second);
	buf_finish(&json);
}

static void fuzz_params(const struct record *rec, const struct msgpack_object *map)
{
	union method_params params;
	struct fault fault = {.code = FAULT_NONE};
	enum err e = record_from_object(rec, map, RECORD_STRICT, &arena, &params, &fault);
	if (e == OK) {
		fuzz_round_trip(rec, &params);
	} else {
		ASSERT_CMP(e, ==, ERR_INVALID);
		ASSERT_CMP(fault.code, ==, FAULT_VALIDATION_ERROR);
	}
	e = record_from_object(rec, map, RECORD_LENIENT, &arena, &params, &fault);
	ASSERT(e == OK || e == ERR_INVALID);
	arena_reset(&arena);
}

static void fuzz_message(struct slice bytes)
{
	struct rpc_message m;
	bool answerable;
	if (rpc_decode(&decoder, bytes, &m, &answerable) != OK) {
		return;
	}
	struct buf json = {.max = MAX_FRAME_BYTES * 16};
	if (m.params != NULL && json_from_object(m.params, &json) == OK) {
		ASSERT(memchr(json.data, '\n', json.len) == NULL);
	}
	buf_finish(&json);
	if (m.kind == RPC_REQUEST) {
		enum method method = method_find(m.method);
		if (method != METHOD_COUNT) {
			fuzz_params(method_rows[method].params, m.params);
		}
	} else if (m.kind == RPC_NOTICE) {
		enum notice notice = notice_find(m.method);
		if (notice == NOTICE_ROOM_UPDATE) {
			struct room_update update;
			struct fault fault;
			enum err e = record_from_object(&record_room_update, m.params,
							RECORD_LENIENT, &arena, &update, &fault);
			ASSERT(e == OK || e == ERR_INVALID);
			arena_reset(&arena);
		}
	} else if (m.error != NULL) {
		struct fault fault;
		rpc_read_fault(m.error, NULL, &fault);
	}
}

/* Finding both a method's name and its fields by chance takes for ever; so here the name is given.
 */
static void fuzz_params_alone(enum method method, struct slice params)
{
	struct buf frame = {.max = MAX_FRAME_BYTES * 2};
	rpc_write_request_raw(&frame, 1, slice_str(method_rows[method].name), params);
	struct frame_scan scan;
	frame_scan_init(&scan);
	if (frame.error == OK &&
	    frame_scan_value(&scan, buf_slice(&frame), MAX_FRAME_BYTES) == OK) {
		fuzz_message(slice_of(frame.data, scan.at));
	}
	buf_finish(&frame);
}

static void fuzz_stream(const uint8_t *data, size_t size)
{
	size_t done = 0;
	while (done < size) {
		struct slice rest = slice_of(data + done, size - done);
		struct frame_scan whole, pieces;
		frame_scan_init(&whole);
		frame_scan_init(&pieces);
		enum err e = frame_scan_value(&whole, rest, MAX_FRAME_BYTES);
		enum err f = ERR_MORE;
		for (size_t have = 0; have <= rest.len && f == ERR_MORE; have += 1 + have / 16) {
			f = frame_scan_value(&pieces, slice_of(rest.data, have), MAX_FRAME_BYTES);
		}
		f = f == ERR_MORE ? frame_scan_value(&pieces, rest, MAX_FRAME_BYTES) : f;
		ASSERT_CMP(e, ==, f);
		if (e != OK) {
			break;
		}
		ASSERT_CMP(whole.at, ==, pieces.at);
		ASSERT_CMP(whole.at, <=, rest.len);
		ASSERT_CMP(frame_scan_keys(slice_of(rest.data, whole.at), NULL, 0), <, whole.at);
		fuzz_message(slice_of(rest.data, whole.at));
		done += whole.at;
	}
}

/* The first byte chooses: a stream of messages, or the params of one method. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) {
		return 0;
	}
	if (data[0] < METHOD_COUNT) {
		fuzz_params_alone((enum method)data[0], slice_of(data + 1, size - 1));
	} else {
		fuzz_stream(data + 1, size - 1);
	}
	return 0;
}
