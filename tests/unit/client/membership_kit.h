/*
 * membership_kit.h - a membership, and a server that is the test.
 *
 * It reads the requests that membership_next() gives and answers with records,
 * through the same bytes as on the wire.
 */
#ifndef TESTS_UNIT_CLIENT_MEMBERSHIP_KIT_H
#define TESTS_UNIT_CLIENT_MEMBERSHIP_KIT_H

#include <stdlib.h>
#include <string.h>

#include "client/model/room/membership.h"
#include "proto/rpc.h"
#include "tests/support/test.h"
#include "tests/unit/client/view_kit.h"

#define KEY  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define KEY2 "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

struct desk {
	struct membership a;
	struct buf params; /* of the last request */
	struct arena arena;
	unsigned news; /* all bits since they were looked at */
	int64_t epoch; /* of the room; after a restart it has another */
};

static inline void desk_open(struct desk *d)
{
	static const unsigned char seed[SEED_BYTES] = {1};
	*d = (struct desk){.epoch = 7};
	buf_init(&d->params, 65536);
	membership_start(&d->a, "K7QX3M", "", seed);
}

static inline void desk_close(struct desk *d)
{
	membership_finish(&d->a);
	buf_finish(&d->params);
	arena_finish(&d->arena);
}

/* The next request, which must be this one; its params are read into *params. */
static inline void expect(struct desk *d, enum method method, void *params)
{
	struct fault f;
	buf_clear(&d->params);
	assert_int_equal(membership_next(&d->a, &d->params, &d->news), method);
	if (method != METHOD_COUNT) {
		assert_int_equal(record_from_bytes(method_rows[method].params,
						   buf_slice(&d->params), RECORD_STRICT, &d->arena,
						   params, &f),
				 OK);
	}
}

static inline void expect_nothing(struct desk *d)
{
	expect(d, METHOD_COUNT, NULL);
}

/* An answer to this method, or a notice, comes as bytes. */
static inline void receive(struct desk *d, enum method method, struct buf *bytes)
{
	struct decoder decoder = {0};
	struct rpc_message m;
	bool answerable;
	struct fault f = {0};
	assert_int_equal(rpc_decode(&decoder, buf_slice(bytes), &m, &answerable), OK);
	bool is_notice = m.kind == RPC_NOTICE;
	enum notice notice = is_notice ? notice_find(m.method) : NOTICE_COUNT;
	const struct record *record =
		is_notice ? notice_rows[notice].record : method_rows[method].result;
	void *in = arena_alloc(&d->arena, record->size);
	const struct msgpack_object *o = is_notice ? m.params : m.result;
	bool is_read = m.error == NULL && o != NULL &&
		       record_from_object(record, o, RECORD_LENIENT, &d->arena, in, &f) == OK;
	if (is_notice) {
		d->news |= is_read ? membership_notice(&d->a, notice, in) : 0;
	} else if (m.error != NULL) {
		rpc_read_fault(m.error, NULL, &f);
		d->news |= membership_answer(&d->a, method, OK, &f, NULL);
	} else {
		d->news |= membership_answer(&d->a, method, is_read ? OK : ERR_PROTO,
					     is_read ? NULL : &f, in);
	}
	decoder_finish(&decoder);
	buf_finish(bytes);
}

static inline void answer(struct desk *d, enum method method, const void *result)
{
	struct buf bytes;
	buf_init(&bytes, 65536);
	rpc_write_result(&bytes, 1, method_rows[method].result, result);
	receive(d, method, &bytes);
}

static inline void refuse(struct desk *d, enum method method, enum fault_code code)
{
	struct fault f = {.code = code, .message = "no"};
	struct buf bytes;
	buf_init(&bytes, 65536);
	rpc_write_fault(&bytes, 1, &f);
	receive(d, method, &bytes);
}

static inline void notice(struct desk *d, enum notice kind, const void *params)
{
	struct buf bytes;
	buf_init(&bytes, 65536);
	rpc_write_notice(&bytes, slice_str(notice_rows[kind].name), notice_rows[kind].record,
			 params);
	receive(d, METHOD_COUNT, &bytes);
}

static inline void send_room(struct desk *d, int64_t version, int64_t round)
{
	static struct slice cards[] = {{"1", 1}, {"2", 1}};
	struct room_update u = {
		.room_id = SLICE("K7QX3M"),
		.epoch = d->epoch,
		.since = version,
		.version = version,
		.full = true,
		.with_full = true,
		.room = first_view(cards, 2),
		.with_room = true,
	};
	u.room.round = round;
	notice(d, NOTICE_ROOM_UPDATE, &u);
}

static inline void send_waiting(struct desk *d, const char *name, bool is_waiting)
{
	struct room_you y = {
		.room_id = SLICE("K7QX3M"),
		.user_id = SLICE("U1"),
		.username = slice_str(name),
		.role = ROLE_VOTER,
		.is_waiting = is_waiting,
		.with_is_waiting = true,
	};
	notice(d, NOTICE_ROOM_YOU, &y);
}

static inline void send_you(struct desk *d, const char *name)
{
	struct room_you y = {
		.room_id = SLICE("K7QX3M"),
		.user_id = SLICE("U1"),
		.username = slice_str(name),
		.role = ROLE_VOTER,
	};
	notice(d, NOTICE_ROOM_YOU, &y);
}

static inline void subscribed(struct desk *d, const char *key, int64_t version)
{
	struct room_subscribe_result r = {.user_key = slice_str(key),
					  .user_id = SLICE("U1"),
					  .epoch = d->epoch,
					  .version = version};
	answer(d, METHOD_ROOM_SUBSCRIBE, &r);
}

static inline void enter(struct desk *d, const char *key, int64_t version, int64_t round,
			 const char *name)
{
	struct room_subscribe_params p;
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	expect_nothing(d);
	subscribed(d, key, version);
	send_you(d, name);
	send_room(d, version, round);
}

static inline void joined(struct desk *d)
{
	struct room_join_result r = {.user_id = SLICE("U1"), .version = 1, .with_version = true};
	answer(d, METHOD_ROOM_JOIN, &r);
	send_you(d, "Ada");
}

static inline void voted(struct desk *d)
{
	struct room_vote_result r = {.has_vote = true};
	answer(d, METHOD_ROOM_VOTE, &r);
}

#define DESK_TEST(name, d) TEST_OF(name, struct desk, d, desk_open(d), desk_close(d))

#endif
