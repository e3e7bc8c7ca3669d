/*
 * test_request.c - requests filled by the names of their fields.
 */
#include <string.h>

#include "client/model/request.h"
#include "proto/base/buf.h"
#include "tests/support/test.h"

#define KEY "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void assert_refused(const struct request *r, const char *field, const char *message)
{
	assert_int_equal(r->fault.code, FAULT_VALIDATION_ERROR);
	assert_string_equal(r->fault.field, field);
	assert_string_equal(r->fault.message, message);
}

TEST(test_what_is_filled_in_is_written_as_the_method_has_it)
{
	static const char expected[] = "\x83"
				       "\xa7room_id\xa6"
				       "K7QX3M"
				       "\xa5title\xa6Refund"
				       "\xa5"
				       "after\xa2s1";
	struct buf out;
	char title[] = "Refund";
	struct request *r = request_make(METHOD_STORY_ADD);
	request_text(r, "title", title);
	title[0] = 'X'; /* it was copied */
	request_text(r, "after", "s1");
	request_text(r, "room_id", "K7QX3M");
	assert_int_equal(r->fault.code, FAULT_NONE);
	buf_init(&out, 4096);
	record_write(method_rows[r->method].params, r->params, &out);
	assert_int_equal(out.error, OK);
	assert_int_equal(out.len, sizeof(expected) - 1);
	assert_memory_equal(out.data, expected, out.len);
	buf_finish(&out);
	request_free(r);
}

TEST(test_each_kind_of_value_has_its_place)
{
	struct slice cards[] = {SLICE("1"), SLICE("?")};
	struct request *r = request_make(METHOD_TIMER_START);
	const struct timer_start_params *timer = r->params;
	request_int(r, "seconds", 300);
	request_bool(r, "reveal_at_zero", true);
	assert_int_equal(timer->seconds, 300);
	assert_true(timer->reveal_at_zero && timer->with_reveal_at_zero);
	request_free(r);

	r = request_make(METHOD_ROOM_SET_VALID_SIZES);
	const struct room_set_valid_sizes_params *deck = r->params;
	request_texts(r, "valid_sizes", &(struct slices){cards, 2});
	assert_int_equal(deck->valid_sizes.n, 2);
	assert_string_equal(deck->valid_sizes.items[1].data, "?");
	assert_ptr_not_equal(deck->valid_sizes.items[1].data, cards[1].data);
	request_free(r);

	r = request_make(METHOD_MAP_SET);
	const struct map_set_params *set = r->params;
	request_bytes(r, "value", SLICE("\xa2hi"));
	assert_int_equal(set->value.len, 3);
	assert_memory_equal(set->value.data, "\xa2hi", 3);
	request_free(r);

	r = request_make(METHOD_ROOM_JOIN);
	const struct room_join_params *join = r->params;
	request_text(r, "role", "spectator");
	assert_int_equal(join->role, ROLE_SPECTATOR);
	assert_int_equal(r->fault.code, FAULT_NONE);
	request_free(r);
}

TEST(test_a_path_leads_into_a_record)
{
	struct request *r = request_make(METHOD_ROOM_SET_POLICY);
	const struct room_set_policy_params *p = r->params;
	assert_false(request_has(r, "policy.lobby"));
	assert_false(p->with_policy);
	request_bool(r, "policy.lobby", true);
	request_text(r, "policy.who_resets", "everyone");
	assert_true(request_has(r, "policy") && request_has(r, "policy.lobby"));
	assert_true(p->policy.lobby && p->policy.with_lobby);
	assert_int_equal(p->policy.who_resets, WHO_MAY_EVERYONE);
	assert_false(request_has(r, "policy.locked"));
	assert_int_equal(r->fault.code, FAULT_NONE);
	request_free(r);
}

TEST(test_what_people_write_comes_clean_and_within_its_cells)
{
	struct request *r = request_make(METHOD_ROUND_SETTLE);
	const struct round_settle_params *p = r->params;
	request_text(r, "estimate", "  13 ");
	assert_string_equal(p->estimate.data, "13");
	assert_int_equal(p->estimate.len, 2);
	request_text(r, "estimate", "ninecells");
	assert_refused(r, "estimate", "is wider than 8 columns");
	request_free(r);

	r = request_make(METHOD_STORY_UPDATE);
	const struct story_update_params *update = r->params;
	request_text(r, "description", "one \r\ntwo");
	assert_string_equal(update->description.data, "one \ntwo");
	request_text(r, "title", " ");
	assert_refused(r, "title", "must not be blank");
	request_free(r);

	r = request_make(METHOD_ROOM_SET_TITLE);
	request_text(r, "title", "a\x1b[2J");
	assert_refused(r, "title", "has a character that may not be shown (U+001B)");
	request_free(r);
}

TEST(test_the_first_value_that_is_none_is_remembered)
{
	struct request *r = request_make(METHOD_TIMER_START);
	request_int(r, "seconds", 0);
	request_bool(r, "seconds", true);
	request_text(r, "nothing", "x");
	assert_refused(r, "seconds", "must be 1 to 7776000");
	request_free(r);
	static const struct {
		const char *path;
		const char *field;
		const char *message;
	} rows[] = {
		{"nothing", "nothing", "unknown field"},
		{"policy.nothing", "nothing", "unknown field"},
		{"host_key.lobby", "host_key.lobby", "unknown field"},
		{"policy.lobby", "lobby", "is not text"},
		{"policy.who_resets", "who_resets", "must be host or everyone"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = request_make(METHOD_ROOM_SET_POLICY);
		request_text(r, rows[i].path, "x");
		assert_refused(r, rows[i].field, rows[i].message);
		request_free(r);
	}
	r = request_make(METHOD_ROOM_SET_POLICY);
	request_nil(r, "policy.lobby");
	assert_refused(r, "lobby", "is required");
	request_free(r);
	r = request_make(METHOD_ROOM_SET_POLICY);
	request_texts(r, "policy", &(struct slices){NULL, 0});
	assert_refused(r, "policy", "cannot be that");
	request_free(r);
}

/* As it is typed, a value is what its row takes, and nothing is nil where that may be. */
TEST(test_a_typed_value_is_what_its_row_takes)
{
	struct request *r = request_make(METHOD_ROOM_VOTE);
	const struct room_vote_params *p = r->params;
	request_value(r, "vote", NULL);
	request_value(r, "comment", "");
	request_value(r, "confidence", "2");
	assert_true(p->with_vote && p->vote.data == NULL);
	assert_true(p->with_comment && p->comment.data == NULL);
	assert_int_equal(p->confidence, 2);
	assert_int_equal(r->fault.code, FAULT_NONE);
	request_value(r, "confidence", "4");
	assert_refused(r, "confidence", "must be 1 to 3");
	request_free(r);
	r = request_make(METHOD_ROOM_VOTE);
	request_value(r, "confidence", "very");
	assert_refused(r, "confidence", "must be a number");
	request_free(r);
	r = request_make(METHOD_ROOM_SET_POLICY);
	const struct room_set_policy_params *set = r->params;
	request_value(r, "policy.lobby", "on");
	request_value(r, "policy.locked", "false");
	request_value(r, "policy.who_resets", "everyone");
	assert_true(set->policy.lobby && set->policy.with_locked && !set->policy.locked);
	assert_int_equal(set->policy.who_resets, WHO_MAY_EVERYONE);
	assert_int_equal(r->fault.code, FAULT_NONE);
	request_value(r, "policy.lobby", "perhaps");
	assert_refused(r, "lobby", "must be on or off");
	request_free(r);
	r = request_make(METHOD_STORY_UPDATE);
	request_value(r, "title", "");
	assert_refused(r, "title", "must not be blank");
	request_free(r);
}

TEST(test_what_all_have_is_filled_in_where_there_is_a_place_and_nothing)
{
	const struct request_common common = {.room_id = "K7QX3M",
					      .user_key = "",
					      .host_key = KEY,
					      .idempotency_key = KEY};
	struct request *r = request_make(METHOD_ROOM_KICK);
	const struct room_user_params *p = r->params;
	request_text(r, "idempotency_key", "0123456789abcdef");
	request_fill_common(r, &common);
	assert_string_equal(p->room_id.data, "K7QX3M");
	assert_string_equal(p->host_key.data, KEY);
	assert_string_equal(p->idempotency_key.data, "0123456789abcdef");
	request_free(r);

	r = request_make(METHOD_ROUND_LIST);
	request_fill_common(r, &common);
	assert_true(request_has(r, "room_id"));
	assert_int_equal(r->fault.code, FAULT_NONE);
	request_free(r);

	r = request_make(METHOD_ROOM_VOTE);
	request_fill_common(r, &common);
	assert_false(request_has(r, "user_key")); /* it is not known */
	request_free(r);

	r = request_make(METHOD_QUESTION_ASK);
	request_fill_common(r, &common);
	assert_false(request_has(r, "room_id")); /* that would be a question to the room alone */
	request_free(r);
}

TEST(test_a_secret_is_known_as_one)
{
	struct request *r = request_make(METHOD_ROOM_SET_POLICY);
	request_bool(r, "policy.lobby", true);
	assert_false(request_is_secret(r));
	request_value(r, "policy.passcode", "sesame");
	assert_true(request_is_secret(r));
	request_free(r);
}

TEST(test_a_request_lives_as_long_as_its_last_owner)
{
	struct request *r = request_make(METHOD_ROOM_REACT);
	request_text(r, "word", "nice");
	struct request *again = request_ref(r);
	request_free(r);
	assert_string_equal(((const struct room_react_params *)again->params)->word.data, "nice");
	request_free(again);
	request_free(NULL);
}
