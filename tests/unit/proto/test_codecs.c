/*
 * test_codecs.c - what other people's MessagePack codecs make of the same things:
 * integers as floats, absent as nil or as an extension, notifications of their own.
 */
#include "tests/unit/proto/frames.h"

#define CODEC_TEST(name, f) TEST_IN(name, struct fixture, f, fixture_open, fixture_close)

CODEC_TEST(test_a_notification_of_any_form_is_passed_over, f)
{
	static const struct slice rows[] = {
		BYTES("\x93\x02\xa1x\x90"),
		BYTES("\x93\x02\xa1x\x91\x80"),
		BYTES("\x93\x02\xa1x\x91\xa1"
		      "a"),
		BYTES("\x93\x02\xa1x\x91\x01"),
		BYTES("\x93\x02\xa1x\x92\x80\x80"),
		BYTES("\x93\x02\xa1x\x80"),
		BYTES("\x93\x02\xa1x\xc0"),
		BYTES("\x93\x02\xc4\x01x\x90"),
		BYTES("\x93\x02\xc4\x01x\x93\xa1"
		      "a\xc0\x81\x01\x02"),
		BYTES("\x93\x02\x07\x90"),
		BYTES("\x93\x02\xa1\xff\x90"),
		BYTES("\x93\x02\xa1x\x91\xd6\xff\x00\x00\x00\x00"),
		BYTES("\x93\x02\xd4\x00\x00\xd4\x00\x00"),
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(f, rows[i], OTHER_MESSAGE, NULL);
	}
	check(f, (struct slice)BYTES("\x92\x02\xa1x"), NO_MESSAGE, NULL);
	check(f, (struct slice)BYTES("\x94\x02\x01\xa1x\x90"), NO_MESSAGE, NULL);
}

/* Its name could be that of a notification that its receiver knows. */
CODEC_TEST(test_a_notification_in_another_form_has_no_name, f)
{
	static const struct slice rows[] = {
		BYTES("\x93\x02\xa8room.you\x91\xa1x"),
		BYTES("\x93\x02\xa8room.you\x80"),
		BYTES("\x93\x02\xc4\x08room.you\x91\x80"),
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rpc_message m;
		bool answerable;
		assert_int_equal(rpc_decode(&f->decoder, rows[i], &m, &answerable), OK);
		assert_int_equal(m.kind, RPC_NOTICE);
		assert_int_equal(m.method.len, 0);
		assert_null(m.params);
	}
}

CODEC_TEST(test_params_by_position_are_answered, f)
{
	static const struct slice rows[] = {
		BYTES("\x94\x00\x01\xa8room.get\x91\xa6K7QX3M"),
		BYTES("\x94\x00\x01\xa8room.get\x92\x80\x80"),
		BYTES("\x94\x00\x01\xa8room.get\x80"),
		BYTES("\x94\x00\x01\xa8room.get\xc0"),
		BYTES("\x94\x00\x01\xa8room.get\xd4\x00\x00"),
		BYTES("\x94\x00\x01\xd4\x00\x00\x90"),
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(f, rows[i], ANSWERABLE, NULL);
	}
}

/* ---- integers ---- */

#define SINCE_EPOCH                                                                \
	"\x94\x00\x01\xaeroom.subscribe\x91\x82\xa7room_id\xa6K7QX3M\xa5since\x82" \
	"\xa7version\x01\xa5"                                                      \
	"epoch"

CODEC_TEST(test_a_whole_float_is_an_integer, f)
{
	static const struct {
		struct slice bytes;
		enum outcome want;
	} rows[] = {
		{BYTES(SINCE_EPOCH "\xca\x00\x00\x00\x00"), TAKEN},		      /* 0 */
		{BYTES(SINCE_EPOCH "\xca\x80\x00\x00\x00"), TAKEN},		      /* -0 */
		{BYTES(SINCE_EPOCH "\xca\x4f\x80\x00\x00"), TAKEN},		      /* 2^32 */
		{BYTES(SINCE_EPOCH "\xcb\x41\xf0\x00\x00\x00\x00\x00\x00"), TAKEN},   /* 2^32 */
		{BYTES(SINCE_EPOCH "\xcb\x42\xef\xff\xff\xff\xff\xff\xe0"), TAKEN},   /* 2^48 - 1 */
		{BYTES(SINCE_EPOCH "\xcb\x43\x40\x00\x00\x00\x00\x00\x00"), TAKEN},   /* 2^53 */
		{BYTES(SINCE_EPOCH "\xcb\x43\x40\x00\x00\x00\x00\x00\x01"), REFUSED}, /* 2^53 + 2 */
		{BYTES(SINCE_EPOCH "\xcb\xbf\xf0\x00\x00\x00\x00\x00\x00"), REFUSED}, /* -1 */
		{BYTES(SINCE_EPOCH "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), REFUSED}, /* 1.5 */
		{BYTES(SINCE_EPOCH "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), REFUSED}, /* NaN */
		{BYTES(SINCE_EPOCH "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"), REFUSED}, /* infinite */
		{BYTES(SINCE_EPOCH "\xcb\xff\xef\xff\xff\xff\xff\xff\xff"), REFUSED},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(f, rows[i].bytes, rows[i].want,
		      rows[i].want == REFUSED ? "since.epoch" : NULL);
	}
}

TEST(test_a_whole_float_is_read_as_the_integer_it_is)
{
	struct arena arena = {0};
	struct fault fault;
	struct ping_result ping;
	const struct slice bytes = BYTES("\x81\xa3now\xcb\x42\xef\xff\xff\xff\xff\xff\xe0");
	assert_int_equal(record_from_bytes(&record_ping_result, bytes, RECORD_STRICT, &arena, &ping,
					   &fault),
			 OK);
	assert_true(ping.now == (INT64_C(1) << 48) - 1);
	arena_finish(&arena);
}

/* ---- nil ---- */

static bool read_strict(const struct record *rec, const char *json, struct arena *arena, void *out,
			struct fault *fault)
{
	struct buf bytes = {.max = 65536};
	struct errmsg why;
	assert_int_equal(json_to_bytes(slice_str(json), &bytes, &why), OK);
	enum err e = record_from_bytes(rec, buf_slice(&bytes), RECORD_STRICT, arena, out, fault);
	buf_finish(&bytes);
	return e == OK;
}

TEST(test_nil_leaves_an_optional_field_out)
{
	struct arena arena = {0};
	struct fault fault = {.code = FAULT_NONE};
	struct room_subscribe_params p;
	assert_true(read_strict(&record_room_subscribe_params,
				"{\"room_id\":\"K7QX3M\",\"user_key\":null,\"since\":null,"
				"\"passcode\":null,\"data\":null}",
				&arena, &p, &fault));
	assert_false(p.with_user_key || p.with_since || p.with_passcode || p.with_data);
	assert_null(p.user_key.data);
	struct room_set_policy_params policy;
	assert_true(read_strict(&record_room_set_policy_params,
				"{\"room_id\":\"K7QX3M\",\"policy\":{\"who_resets\":null,"
				"\"locked\":null,\"passcode\":null}}",
				&arena, &policy, &fault));
	assert_false(policy.policy.with_who_resets || policy.policy.with_locked);
	assert_true(policy.policy.with_passcode); /* where nil says "none" */
	arena_finish(&arena);
}

CODEC_TEST(test_nil_in_an_optional_field_twice_is_still_twice, f)
{
	check(f,
	      (struct slice)BYTES("\x94\x00\x01\xabroom.create\x91\x82\xafidempotency_key\xc0"
				  "\xafidempotency_key\xc0"),
	      REFUSED, "idempotency_key");
}

CODEC_TEST(test_nil_is_no_value_of_a_required_field, f)
{
	check(f, (struct slice)BYTES("\x94\x00\x01\xa8room.get\x91\x81\xa7room_id\xc0"), REFUSED,
	      "room_id");
}

TEST(test_nil_is_a_shared_value)
{
	struct arena arena = {0};
	struct fault fault = {.code = FAULT_NONE};
	struct data_entry entry;
	struct map_set_params set;
	assert_true(
		read_strict(&record_map_set_params,
			    "{\"room_id\":\"K7QX3M\",\"name\":\"m\",\"key\":\"k\",\"value\":null}",
			    &arena, &set, &fault));
	assert_true(read_strict(&record_data_entry, "{\"entry_id\":\"k\",\"value\":null}", &arena,
				&entry, &fault));
	assert_true(entry.with_value && slice_eq(entry.value, SLICE("\xc0")));
	arena_finish(&arena);
}

/* ---- extension types ---- */

CODEC_TEST(test_an_extension_is_refused_by_the_field_it_is_in, f)
{
	static const struct slice types[] = {
		BYTES("\xc7\x00\x05"),
		BYTES("\xc7\x01\x05z"),
		BYTES("\xc8\x00\x01\x05z"),
		BYTES("\xc9\x00\x00\x00\x01\x05z"),
		BYTES("\xd4\x05\x00"),
		BYTES("\xd5\x05zz"),
		BYTES("\xd6\xffzzzz"),
		BYTES("\xd7\xffzzzzzzzz"),
		BYTES("\xd8\x05zzzzzzzzzzzzzzzz"),
	};
	static const struct {
		struct slice before;
		enum outcome want;
		const char *field;
	} places[] = {
		{BYTES(""), NO_MESSAGE, NULL},
		{BYTES("\x94\x00\x01\xa9room.vote"), ANSWERABLE, NULL},
		{BYTES("\x94\x00\x01\xa9room.vote\x91"), ANSWERABLE, NULL},
		{BYTES("\x94\x00\x01\xa9room.vote\x91\x82\xa7room_id\xa6K7QX3M\xa4vote"), REFUSED,
		 "vote"},
		{BYTES("\x94\x00\x01\xa9room.vote\x91\x82\xa7room_id\xa6K7QX3M\xa8user_key"),
		 REFUSED, "user_key"},
		{BYTES("\x94\x00\x01\xaeroom.subscribe\x91\x82\xa7room_id\xa6K7QX3M\xa5since\x81"
		       "\xa5"
		       "epoch"),
		 REFUSED, "since.epoch"},
		{BYTES("\x94\x00\x01\xa7map.set\x91\x84\xa7room_"
		       "id\xa6K7QX3M\xa4name\xa1m\xa3key\xa1"
		       "k\xa5value\x92\xc0"),
		 REFUSED, "value"},
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (size_t j = 0; j < sizeof(places) / sizeof(places[0]); j++) {
			char frame[128];
			size_t len = places[j].before.len;
			memcpy(frame, places[j].before.data, len);
			memcpy(frame + len, types[i].data, types[i].len);
			check(f, slice_of(frame, len + types[i].len), places[j].want,
			      places[j].field);
		}
	}
}
