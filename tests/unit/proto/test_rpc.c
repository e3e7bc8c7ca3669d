/*
 * test_rpc.c - the messages we write are the messages that are read.
 */
#include <string.h>

#include "proto/json.h"
#include "proto/records/records.h"
#include "proto/rpc.h"
#include "tests/support/test.h"

struct fixture {
	struct buf bytes;
	struct buf json;
	struct decoder decoder;
	struct rpc_message m;
};

static void fixture_open(struct fixture *f)
{
	*f = (struct fixture){.bytes = {.max = 1 << 16}, .json = {.max = 1 << 16}};
}

static void fixture_close(struct fixture *f)
{
	buf_finish(&f->bytes);
	buf_finish(&f->json);
	decoder_finish(&f->decoder);
}

/* What was written, as JSON, is exactly this; and it decodes. */
static void assert_wrote(struct fixture *f, const char *want)
{
	bool answerable;
	assert_int_equal(f->bytes.error, OK);
	assert_int_equal(json_from_bytes(buf_slice(&f->bytes), &f->json), OK);
	buf_append(&f->json, "", 1);
	assert_string_equal(f->json.data, want);
	assert_int_equal(rpc_decode(&f->decoder, buf_slice(&f->bytes), &f->m, &answerable), OK);
}

TEST(test_requests_have_one_map_as_params)
{
	struct fixture f;
	fixture_open(&f);
	struct hello_params hello = {.protocol = 1, .client = SLICE("aye/1")};
	rpc_write_request(&f.bytes, 7, SLICE("session.hello"), &record_hello_params, &hello);
	assert_wrote(&f, "[0,7,\"session.hello\",[{\"protocol\":1,\"client\":\"aye/1\"}]]");
	assert_int_equal(f.m.kind, RPC_REQUEST);
	assert_int_equal(f.m.msgid, 7);
	assert_true(slice_eq(f.m.method, SLICE("session.hello")));
	assert_non_null(f.m.params);
	fixture_close(&f);
}

TEST(test_a_request_without_params_has_an_empty_map)
{
	struct fixture f;
	fixture_open(&f);
	rpc_write_request(&f.bytes, UINT32_MAX, SLICE("server.ping"), NULL, NULL);
	assert_wrote(&f, "[0,4294967295,\"server.ping\",[{}]]");
	assert_int_equal(f.m.msgid, UINT32_MAX);
	fixture_close(&f);
}

TEST(test_raw_params_travel_as_they_are)
{
	struct fixture f;
	fixture_open(&f);
	rpc_write_request_raw(&f.bytes, 1, SLICE("z"), SLICE("\x81\xa1y\xc3"));
	assert_wrote(&f, "[0,1,\"z\",[{\"y\":true}]]");
	fixture_close(&f);
}

TEST(test_results_come_with_a_nil_error)
{
	struct fixture f;
	fixture_open(&f);
	struct room_vote_result result = {.has_vote = true, .with_version = true, .version = 3};
	rpc_write_result(&f.bytes, 8, &record_room_vote_result, &result);
	assert_wrote(&f, "[1,8,null,{\"has_vote\":true,\"version\":3}]");
	assert_int_equal(f.m.kind, RPC_RESPONSE);
	assert_null(f.m.error);
	assert_non_null(f.m.result);
	fixture_close(&f);
}

TEST(test_an_optional_field_that_is_not_there_is_not_written)
{
	struct fixture f;
	fixture_open(&f);
	struct room_vote_result result = {.has_vote = false};
	rpc_write_result(&f.bytes, 8, &record_room_vote_result, &result);
	assert_wrote(&f, "[1,8,null,{\"has_vote\":false}]");
	fixture_close(&f);
}

TEST(test_a_result_of_nothing_is_nil)
{
	struct fixture f;
	fixture_open(&f);
	rpc_write_result(&f.bytes, 8, NULL, NULL);
	assert_wrote(&f, "[1,8,null,null]");
	assert_null(f.m.result);
	fixture_close(&f);
}

TEST(test_raw_results_travel_as_they_are)
{
	struct fixture f;
	fixture_open(&f);
	rpc_write_result_raw(&f.bytes, 8, SLICE("\x81\xa1y\xc3"));
	assert_wrote(&f, "[1,8,null,{\"y\":true}]");
	fixture_close(&f);
}

TEST(test_notices_have_no_msgid)
{
	struct fixture f;
	fixture_open(&f);
	struct room_notice notice = {.room_id = SLICE("K7QX3M")};
	rpc_write_notice(&f.bytes, SLICE("room.kicked"), &record_room_notice, &notice);
	assert_wrote(&f, "[2,\"room.kicked\",[{\"room_id\":\"K7QX3M\"}]]");
	assert_int_equal(f.m.kind, RPC_NOTICE);
	fixture_close(&f);
}

TEST(test_every_fault_arrives_as_it_was_sent)
{
	for (int code = FAULT_NONE + 1; code < FAULT_COUNT; code++) {
		struct fixture f;
		fixture_open(&f);
		struct fault sent = {.code = (enum fault_code)code, .retry_after_ms = code % 3};
		memcpy(sent.message, "Why \xe2\x88\x9e", 8);
		memcpy(sent.field, "since.epoch", code % 2 == 0 ? 12 : 0);
		(void)fault_bounds(&sent, (enum fault_rule)(code % WORDS_COUNT(fault_rule)),
				   code % 4 - 1, code % 3 == 0 ? INT64_MAX : code % 3 - 1,
				   code % 2 == 0 ? "cells" : "");
		rpc_write_fault(&f.bytes, 5, &sent);
		bool answerable;
		assert_int_equal(rpc_decode(&f.decoder, buf_slice(&f.bytes), &f.m, &answerable),
				 OK);
		assert_null(f.m.result);
		struct fault got;
		rpc_read_fault(f.m.error, NULL, &got);
		assert_int_equal(got.code, code);
		assert_string_equal(got.message, sent.message);
		assert_string_equal(got.field, sent.field);
		assert_int_equal(got.retry_after_ms, sent.retry_after_ms);
		assert_int_equal(got.rule, sent.rule);
		assert_int_equal(got.least, sent.least);
		bool has_most = sent.rule != FAULT_RULE_NONE && sent.rule != FAULT_RULE_CHOICE;
		assert_int_equal(got.most, has_most ? sent.most : INT64_MAX);
		assert_string_equal(got.unit, sent.unit);
		fixture_close(&f);
	}
}

static void read_fault(const char *json, struct fault *out)
{
	struct fixture f;
	struct errmsg why;
	bool answerable;
	fixture_open(&f);
	assert_int_equal(json_to_bytes(slice_str(json), &f.bytes, &why), OK);
	assert_int_equal(rpc_decode(&f.decoder, buf_slice(&f.bytes), &f.m, &answerable), OK);
	assert_non_null(f.m.error);
	rpc_read_fault(f.m.error, NULL, out);
	fixture_close(&f);
}

TEST(test_a_fault_says_which_room_is_elsewhere_and_where)
{
	struct fixture f;
	struct arena arena = {0};
	bool answerable;
	struct fault got;
	fixture_open(&f);
	struct fault sent = {.code = FAULT_ELSEWHERE,
			     .room_id = SLICE("K7QX3M"),
			     .home = SLICE("tls://two.example:2937")};
	rpc_write_fault(&f.bytes, 5, &sent);
	assert_int_equal(rpc_decode(&f.decoder, buf_slice(&f.bytes), &f.m, &answerable), OK);
	rpc_read_fault(f.m.error, &arena, &got);
	assert_true(slice_eq(got.room_id, sent.room_id));
	assert_true(slice_eq(got.home, sent.home));
	fault_let_go(&got);
	assert_int_equal(got.room_id.len + got.home.len, 0);
	rpc_read_fault(f.m.error, NULL, &got);
	assert_int_equal(got.room_id.len + got.home.len, 0);
	arena_finish(&arena);
	fixture_close(&f);
}

TEST(test_a_code_of_a_newer_server_is_shown)
{
	struct fault f;
	read_fault("[1,1,{\"code\":\"TEAPOT\",\"message\":\"Short\",\"lid\":1},null]", &f);
	assert_int_equal(f.code, FAULT_SERVER_ERROR);
	assert_string_equal(f.message, "TEAPOT: Short");
}

TEST(test_errors_of_other_shapes_are_still_errors)
{
	static const char *const rows[] = {
		"[1,1,\"no\",null]",
		"[1,1,{\"message\":\"no code\"},null]",
		"[1,1,{\"code\":5,\"message\":\"no\"},null]",
		"[1,1,[],null]",
		"[1,1,false,null]",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fault f;
		read_fault(rows[i], &f);
		assert_int_equal(f.code, FAULT_SERVER_ERROR);
		assert_true(f.message[0] != '\0');
	}
}

TEST(test_a_server_cannot_move_our_cursor_by_an_error)
{
	struct fault f;
	read_fault("[1,1,{\"code\":\"CONFLICT\",\"message\":\"\\u001b[2Ja\\u202eb\"},null]", &f);
	assert_string_equal(f.message, "\xef\xbf\xbd[2Jab");
}

TEST(test_a_fault_that_is_too_long_is_cut_at_a_character)
{
	struct fault f;
	char text[300];
	memset(text, 'z', sizeof(text));
	memcpy(text + 198, "\xe2\x88\x9e", 4);
	fault_set(&f, FAULT_CONFLICT, "%s", text);
	assert_int_equal(strlen(f.message), 198);
}
