/*
 * frames.h - from bytes to an outcome, for the tests that feed bad frames.
 */
#ifndef TESTS_UNIT_PROTO_FRAMES_H
#define TESTS_UNIT_PROTO_FRAMES_H

#include <stdlib.h>
#include <string.h>

#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/support/test.h"

enum outcome {
	TAKEN,	       /* a request with params as its row wants them */
	MORE,	       /* a beginning; the rest may come */
	BROKEN,	       /* not MessagePack as we take it: the connection ends */
	LARGE,	       /* beyond a limit: the connection ends */
	NO_MESSAGE,    /* MessagePack, but no message: the connection ends */
	ANSWERABLE,    /* a request gone wrong that can be answered */
	UNKNOWN,       /* a method there is none of */
	REFUSED,       /* VALIDATION_ERROR on a field */
	OTHER_MESSAGE, /* a response or a notification */
};

struct fixture {
	struct decoder decoder;
	struct arena arena;
	size_t frames; /* how many rows of refused frames have run */
};

static inline int fixture_open(void **state)
{
	*state = calloc(1, sizeof(struct fixture));
	return *state == NULL;
}

static inline int fixture_close(void **state)
{
	struct fixture *f = *state;
	decoder_finish(&f->decoder);
	arena_finish(&f->arena);
	free(f);
	return 0;
}

/* A test of a program whose main() has fixture_open() and fixture_close(). */
#define FRAME_TEST(name, f) TEST_IN(name, struct fixture, f, NULL, NULL)

/* Scan `bytes` as if they came in pieces of `first` and then `step` bytes. */
static inline enum err scan_in_pieces(struct slice bytes, size_t first, size_t step, size_t max,
				      size_t *len)
{
	struct frame_scan scan;
	frame_scan_init(&scan);
	enum err e = ERR_MORE;
	size_t have = first < bytes.len ? first : bytes.len;
	for (;;) {
		/* A copy of exactly what has come, so that reading further is caught. */
		char *copy = malloc(have == 0 ? 1 : have);
		assert_non_null(copy);
		if (have > 0) {
			memcpy(copy, bytes.data, have);
		}
		e = frame_scan_value(&scan, slice_of(copy, have), max);
		free(copy);
		assert_true(scan.at <= have);
		if (e != ERR_MORE || have == bytes.len) {
			break;
		}
		have = bytes.len - have < step ? bytes.len : have + step;
	}
	*len = scan.at;
	return e;
}

static inline enum err scan_every_way(struct slice bytes, size_t max, size_t *len)
{
	enum err whole = scan_in_pieces(bytes, bytes.len, 1, max, len);
	size_t other;
	assert_int_equal(scan_in_pieces(bytes, 0, 1, max, &other), whole);
	assert_true(whole != OK || other == *len);
	/* Every split of what is short; of long frames, those near both ends. */
	for (size_t at = 0; at <= bytes.len; at++) {
		if (at > 200 && at + 50 < bytes.len) {
			continue;
		}
		assert_int_equal(scan_in_pieces(bytes, at, bytes.len, max, &other), whole);
		assert_true(whole != OK || other == *len);
	}
	return whole;
}

static inline enum outcome outcome_of(struct fixture *f, struct slice bytes, struct fault *fault)
{
	size_t len = 0;
	switch (scan_every_way(bytes, MAX_FRAME_BYTES, &len)) {
	case OK:
		break;
	case ERR_MORE:
		return MORE;
	case ERR_TOO_LARGE:
		return LARGE;
	default:
		return BROKEN;
	}
	struct rpc_message m;
	bool answerable;
	if (rpc_decode(&f->decoder, slice_of(bytes.data, len), &m, &answerable) != OK) {
		return answerable ? ANSWERABLE : NO_MESSAGE;
	}
	if (m.kind != RPC_REQUEST) {
		return OTHER_MESSAGE;
	}
	enum method method = method_find(m.method);
	if (method == METHOD_COUNT) {
		return UNKNOWN;
	}
	union method_params params;
	enum err e = record_from_object(method_rows[method].params, m.params, RECORD_STRICT,
					&f->arena, &params, fault);
	arena_reset(&f->arena);
	if (e == OK) {
		return TAKEN;
	}
	assert_int_equal(e, ERR_INVALID);
	assert_int_equal(fault->code, FAULT_VALIDATION_ERROR);
	assert_true(fault->message[0] != '\0');
	return REFUSED;
}

static inline void check(struct fixture *f, struct slice bytes, enum outcome want,
			 const char *field)
{
	struct fault fault = {.code = FAULT_NONE};
	enum outcome got = outcome_of(f, bytes, &fault);
	if (got != want) {
		fail_msg("outcome %d instead of %d (%s)", got, want, fault.message);
	}
	if (want == REFUSED) {
		assert_string_equal(fault.field, field);
	}
	f->frames += want == TAKEN || want == OTHER_MESSAGE ? 0 : 1;
}

static inline void check_json(struct fixture *f, const char *json, enum outcome want,
			      const char *field)
{
	struct buf b;
	struct errmsg why;
	buf_init(&b, MAX_FRAME_BYTES);
	assert_int_equal(json_to_bytes(slice_str(json), &b, &why), OK);
	check(f, buf_slice(&b), want, field);
	buf_finish(&b);
}

#define BYTES(literal)                       \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

#endif
