/*
 * test_record.c - records to MessagePack and back, to JSON and back, and
 * through every allocation that can fail.
 */
#include <stdlib.h>

#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/support/heap.h"
#include "tests/unit/proto/generate.h"

#define ROUNDS	       200
#define OOM_TRIES_MAX  200
#define TEST_BYTES_MAX (1 << 22)

/* One record three times: made up, read from bytes, written again. */
static void round_trip(const struct record *rec, uint64_t seed)
{
	struct arena arena = {0};
	struct generator g = {.state = seed, .arena = &arena};
	struct buf first, second, json;
	struct fault fault = {.code = FAULT_NONE};
	struct errmsg why = {""};
	buf_init(&first, TEST_BYTES_MAX);
	buf_init(&second, TEST_BYTES_MAX);
	buf_init(&json, TEST_BYTES_MAX);
	void *made = generate_memory(&g, rec->size), *got = generate_memory(&g, rec->size);
	generate_record(&g, rec, made);

	record_write(rec, made, &first);
	assert_int_equal(first.error, OK);
	enum err e = record_from_bytes(rec, buf_slice(&first), RECORD_STRICT, &arena, got, &fault);
	if (e != OK) {
		fail_msg("%s, seed %d: %s", rec->name, (int)seed, fault.message);
	}
	assert_same_record(rec, made, got);
	record_write(rec, got, &second);
	assert_true(slice_eq(buf_slice(&first), buf_slice(&second)));

	buf_clear(&second);
	assert_int_equal(json_from_bytes(buf_slice(&first), &json), OK);
	assert_null(memchr(json.data, '\n', json.len));
	assert_int_equal(json_to_bytes(buf_slice(&json), &second, &why), OK);
	assert_true(slice_eq(buf_slice(&first), buf_slice(&second)));
	buf_finish(&first);
	buf_finish(&second);
	buf_finish(&json);
	arena_finish(&arena);
}

TEST(test_every_record_survives_msgpack_and_json)
{
	size_t records = 0;
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++, records++) {
		for (uint64_t seed = 0; seed < ROUNDS; seed++) {
			round_trip(*rec, seed);
		}
	}
	assert_true(records >= 30);
}

TEST(test_descriptors_agree_with_their_structs)
{
	const struct record *update = &record_room_update;
	assert_int_equal(update->size, sizeof(struct room_update));
	const struct field *users = record_field(update, SLICE("users"));
	assert_non_null(users);
	assert_int_equal(users->offset, offsetof(struct room_update, users));
	assert_int_equal(users->offset + sizeof(void *), offsetof(struct room_update, users_n));
	assert_int_equal(users->offset + users->size, offsetof(struct room_update, with_users));
	assert_ptr_equal(users->of, &record_user_view);
	const struct field *room = record_field(update, SLICE("room"));
	assert_int_equal(room->offset + room->size, offsetof(struct room_update, with_room));
	const struct field *full = record_field(update, SLICE("full"));
	assert_int_equal(full->offset + full->size, offsetof(struct room_update, with_full));
	const struct field *gone = record_field(update, SLICE("gone"));
	assert_int_equal(gone->offset + gone->size, offsetof(struct room_update, with_gone));
	const struct field *epoch = record_field(update, SLICE("epoch"));
	assert_int_equal(epoch->offset + epoch->size, offsetof(struct room_update, with_epoch));
	assert_int_equal(record_nothing.n, 0);
	assert_null(record_field(&record_nothing, SLICE("room_id")));
	assert_null(record_field(update, SLICE("")));
	assert_null(record_field(update, SLICE("user")));
	assert_null(record_field(update, SLICE("users\0")));
}

TEST(test_no_record_names_a_field_twice)
{
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++) {
		assert_true((*rec)->n <= 64);
		for (size_t i = 0; i < (*rec)->n; i++) {
			const struct field *f = &(*rec)->fields[i];
			assert_ptr_equal(record_field(*rec, slice_str(f->name)), f);
			assert_true(f->min <= f->max);
			assert_true(f->help[0] != '\0');
		}
	}
}

struct reading {
	struct arena arena;
	struct buf bytes;
	struct fault fault;
};

static void reading_finish(struct reading *r)
{
	arena_finish(&r->arena);
	buf_finish(&r->bytes);
}

static enum err read_json(struct reading *r, const struct record *rec, const char *json,
			  enum record_mode mode, void *out)
{
	struct errmsg why;
	*r = (struct reading){.bytes = {.max = TEST_BYTES_MAX}};
	assert_int_equal(json_to_bytes(slice_str(json), &r->bytes, &why), OK);
	return record_from_bytes(rec, buf_slice(&r->bytes), mode, &r->arena, out, &r->fault);
}

TEST(test_paths_lead_into_lists_and_records)
{
#define USER(vote)                                                                  \
	"{\"user_id\":\"a\",\"username\":null,\"role\":\"voter\",\"is_bot\":false," \
	"\"is_connected\":true,\"is_host\":true,\"has_vote\":true" vote "}"
#define UPDATE(more) "{\"room_id\":\"K7QX3M\",\"epoch\":1,\"since\":1,\"version\":1," more "}"
	static const struct {
		const char *json, *field, *message;
	} rows[] = {
		{UPDATE("\"users\":[" USER("") "," USER("") "," USER("") "," USER(
			 ",\"vote\":5") "]"),
		 "users[3].vote", "must be a string"},
		{UPDATE("\"users\":[" USER(",\"vote\":\"\"") "]"), "users[0].vote",
		 "must be 1 to 64 bytes long"},
		{UPDATE("\"users\":[{}]"), "users[0].user_id", "required"},
		{UPDATE("\"users\":[7]"), "users[0]", "must be a map"},
		{UPDATE("\"users\":7"), "users", "must be a list of maps"},
		{UPDATE("\"users\":[" USER(",\"votes\":\"5\"") "]"), "users[0].votes",
		 "unknown field"},
		{UPDATE("\"room\":{\"title\":null,\"valid_sizes\":[\"1\",2]}"),
		 "room.valid_sizes[1]", "must be a string"},
		{UPDATE("\"room\":{\"title\":null,\"valid_sizes\":[\"1\"]}"), "room.valid_sizes",
		 "must be 2 to 32 strings"},
		{UPDATE("\"room\":{\"round\":0}"), "room.round", "must be at least 1"},
		{UPDATE("\"gone\":[1]"), "gone[0]", "must be a string"},
		{UPDATE("\"full\":1"), "full", "must be true or false"},
		{"[]", "", "must be a map"},
		{"null", "", "must be a map"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading r;
		struct room_update update;
		assert_int_equal(read_json(&r, &record_room_update, rows[i].json, RECORD_STRICT,
					   &update),
				 ERR_INVALID);
		assert_int_equal(r.fault.code, FAULT_VALIDATION_ERROR);
		assert_string_equal(r.fault.field, rows[i].field);
		assert_string_equal(r.fault.message, rows[i].message);
		reading_finish(&r);
	}
}

TEST(test_a_client_skips_what_it_does_not_know)
{
	struct reading r;
	struct room_notice notice;
	const char *json = "{\"colour\":{\"a\":[1]},\"room_id\":\"K7QX3M\",\"since\":null}";
	assert_int_equal(read_json(&r, &record_room_notice, json, RECORD_LENIENT, &notice), OK);
	assert_true(slice_eq(notice.room_id, SLICE("K7QX3M")));
	reading_finish(&r);
	assert_int_equal(read_json(&r, &record_room_notice, json, RECORD_STRICT, &notice),
			 ERR_INVALID);
	assert_string_equal(r.fault.field, "colour");
	reading_finish(&r);
}

TEST(test_nil_empty_and_absent_are_three_things)
{
	struct reading r;
	struct room_create_params p;
	assert_int_equal(read_json(&r, &record_room_create_params, "{\"title\":null}",
				   RECORD_STRICT, &p),
			 OK);
	assert_true(p.with_title && p.title.data == NULL);
	reading_finish(&r);
	assert_int_equal(read_json(&r, &record_room_create_params, "{\"title\":\"\"}",
				   RECORD_STRICT, &p),
			 OK);
	assert_true(p.with_title && p.title.data != NULL && p.title.len == 0);
	reading_finish(&r);
	assert_int_equal(read_json(&r, &record_room_create_params, "{}", RECORD_STRICT, &p), OK);
	assert_true(!p.with_title && p.title.data == NULL);
	assert_true(!p.with_valid_sizes && p.valid_sizes.n == 0);
	reading_finish(&r);
}

TEST(test_integers_keep_all_their_bits)
{
	static const struct {
		const char *json;
		int64_t epoch;
	} rows[] = {
		{"{\"version\":0,\"epoch\":0}", 0},
		{"{\"version\":0,\"epoch\":127}", 127},
		{"{\"version\":0,\"epoch\":128}", 128},
		{"{\"version\":0,\"epoch\":65535}", 65535},
		{"{\"version\":0,\"epoch\":4294967295}", 4294967295},
		{"{\"version\":0,\"epoch\":4294967296}", 4294967296},
		{"{\"version\":0,\"epoch\":9223372036854775807}", INT64_MAX},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reading r;
		struct since since;
		assert_int_equal(read_json(&r, &record_since, rows[i].json, RECORD_STRICT, &since),
				 OK);
		assert_true(since.epoch == rows[i].epoch);
		reading_finish(&r);
	}
}

/* d3 with a value that is not negative, as some encoders write every integer. */
TEST(test_integers_may_come_longer_than_they_need)
{
	struct arena arena = {0};
	struct fault fault;
	struct ping_result ping;
	const struct slice bytes = {"\x81\xa3now\xd3\x00\x00\x00\x00\x00\x00\x00\x07", 14};
	assert_int_equal(record_from_bytes(&record_ping_result, bytes, RECORD_STRICT, &arena, &ping,
					   &fault),
			 OK);
	assert_true(ping.now == 7);
	arena_finish(&arena);
}

TEST(test_bytes_must_be_one_value_and_no_more)
{
	static const struct slice rows[] = {
		{"", 0}, {"\x81", 1}, {"\x80\x80", 2}, {"\xc1", 1}, {"\xdd\xff\xff\xff\xff", 5},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena arena = {0};
		struct fault fault;
		struct nothing out;
		assert_int_equal(record_from_bytes(&record_nothing, rows[i], RECORD_STRICT, &arena,
						   &out, &fault),
				 ERR_PROTO);
		arena_finish(&arena);
	}
}

TEST(test_records_outlive_the_bytes_they_came_from)
{
	struct arena arena = {0};
	struct fault fault;
	struct hello_params hello;
	char bytes[] = "\x82\xa8protocol\x01\xa6"
		       "client\xa5"
		       "aye/1";
	assert_int_equal(record_from_bytes(&record_hello_params, slice_of(bytes, sizeof(bytes) - 1),
					   RECORD_STRICT, &arena, &hello, &fault),
			 OK);
	memset(bytes, 0, sizeof(bytes));
	assert_true(slice_eq(hello.client, SLICE("aye/1")));
	arena_finish(&arena);
}

/* One allocation after the other fails; each time the answer is ERR_NOMEM, and the sanitizers see
 * no leak. */
TEST(test_reading_survives_each_failed_allocation)
{
	struct arena made_in = {0};
	struct generator g = {.state = 7, .arena = &made_in};
	struct room_update made;
	struct buf bytes;
	buf_init(&bytes, TEST_BYTES_MAX);
	generate_record(&g, &record_room_update, &made);
	made.with_gone = true; /* long enough to need more than one block of the arena */
	made.gone.n = 300;
	made.gone.items = generate_memory(&g, made.gone.n * sizeof(*made.gone.items));
	for (size_t i = 0; i < made.gone.n; i++) {
		made.gone.items[i] = generate_text(&g, MAX_CARD_BYTES);
	}
	record_write(&record_room_update, &made, &bytes);
	assert_int_equal(bytes.error, OK);
	size_t failures = 0;
	for (size_t nth = 0;; nth++) {
		assert_true(nth < OOM_TRIES_MAX);
		struct arena arena = {0};
		struct fault fault = {.code = FAULT_NONE};
		struct room_update got;
		heap_fail_nth(nth, false);
		enum err e = record_from_bytes(&record_room_update, buf_slice(&bytes),
					       RECORD_STRICT, &arena, &got, &fault);
		bool failed = heap_has_failed();
		heap_fail_never();
		arena_finish(&arena);
		assert_int_equal(e, failed ? ERR_NOMEM : OK);
		if (!failed) {
			break;
		}
		failures++;
	}
	assert_true(failures >= 2);
	buf_finish(&bytes);
	arena_finish(&made_in);
}

TEST(test_writing_survives_each_failed_allocation)
{
	struct arena arena = {0};
	struct generator g = {.state = 3, .arena = &arena};
	struct room_update made;
	generate_record(&g, &record_room_update, &made);
	for (size_t nth = 0;; nth++) {
		assert_true(nth < OOM_TRIES_MAX);
		struct buf bytes, json;
		buf_init(&bytes, TEST_BYTES_MAX);
		buf_init(&json, TEST_BYTES_MAX);
		heap_fail_nth(nth, true);
		record_write(&record_room_update, &made, &bytes);
		enum err e = bytes.error;
		if (e == OK) {
			e = json_from_bytes(buf_slice(&bytes), &json);
		}
		bool failed = heap_has_failed();
		heap_fail_never();
		assert_int_equal(e, failed ? ERR_NOMEM : OK);
		buf_finish(&bytes);
		buf_finish(&json);
		if (!failed) {
			break;
		}
	}
	arena_finish(&arena);
}

TEST(test_a_buffer_too_small_is_noticed_not_overrun)
{
	struct arena arena = {0};
	struct generator g = {.state = 5, .arena = &arena};
	struct user_view made;
	generate_record(&g, &record_user_view, &made);
	struct buf whole;
	buf_init(&whole, TEST_BYTES_MAX);
	record_write(&record_user_view, &made, &whole);
	for (size_t max = 0; max < whole.len; max++) {
		struct buf b;
		buf_init(&b, max);
		record_write(&record_user_view, &made, &b);
		assert_int_equal(b.error, ERR_TOO_LARGE);
		assert_true(b.len <= max);
		buf_finish(&b);
	}
	buf_finish(&whole);
	arena_finish(&arena);
}

/* What a vote costs once everything is warm: no allocation of ours at all. */
TEST(test_a_vote_is_read_and_answered_without_allocating)
{
	struct buf request, answer;
	struct arena arena = {0};
	struct decoder decoder = {0};
	buf_init(&request, MAX_FRAME_BYTES);
	buf_init(&answer, MAX_FRAME_BYTES);
	struct room_vote_params vote = {.room_id = SLICE("K7QX3M"), .vote = SLICE("5")};
	rpc_write_request(&request, 9, SLICE("room.vote"), &record_room_vote_params, &vote);
	for (int round = 0; round < 3; round++) {
		heap_fail_nth(round == 0 ? 1000 : 0, true);
		struct frame_scan scan;
		struct rpc_message m;
		bool answerable;
		struct room_vote_params got;
		struct fault fault;
		frame_scan_init(&scan);
		enum err scanned = frame_scan_value(&scan, buf_slice(&request), MAX_FRAME_BYTES);
		enum err decoded = rpc_decode(&decoder, buf_slice(&request), &m, &answerable);
		enum err read = record_from_object(&record_room_vote_params, m.params,
						   RECORD_STRICT, &arena, &got, &fault);
		buf_clear(&answer);
		struct room_vote_result result = {.has_vote = true,
						  .version = 7,
						  .with_version = true};
		rpc_write_result(&answer, m.msgid, &record_room_vote_result, &result);
		arena_reset(&arena);
		bool failed = heap_has_failed();
		heap_fail_never();
		assert_int_equal(scanned, OK);
		assert_int_equal(decoded, OK);
		assert_int_equal(read, OK);
		assert_int_equal(answer.error, OK);
		assert_false(failed);
		assert_true(slice_eq(got.vote, SLICE("5")));
	}
	decoder_finish(&decoder);
	arena_finish(&arena);
	buf_finish(&request);
	buf_finish(&answer);
}

static void assert_written(const struct record *rec, const void *in, const char *json)
{
	struct buf bytes, text;
	buf_init(&bytes, TEST_BYTES_MAX);
	buf_init(&text, TEST_BYTES_MAX);
	record_write(rec, in, &bytes);
	assert_int_equal(json_from_bytes(buf_slice(&bytes), &text), OK);
	assert_int_equal(buf_append(&text, "", 1), OK);
	assert_string_equal(text.data, json);
	buf_finish(&bytes);
	buf_finish(&text);
}

TEST(test_what_may_be_left_out_is_written_where_it_says_something)
{
	struct slice ids[] = {SLICE("a")};
	struct group_defaults usual = {.deck = SLICE("d"), .valid_sizes = {ids, 1}};
	struct data_entry entry = {.entry_id = SLICE("k"), .rank = SLICE(""), .is_gone = true};
	struct user_view user = {.user_id = SLICE("u"), .is_host = true, .vote = SLICE("5")};
	assert_written(&record_group_defaults, &usual, "{\"deck\":\"d\",\"valid_sizes\":[\"a\"]}");
	usual.valid_sizes.n = 0;
	assert_written(&record_group_defaults, &usual, "{\"deck\":\"d\"}");
	usual.with_valid_sizes = true;
	assert_written(&record_group_defaults, &usual, "{\"deck\":\"d\",\"valid_sizes\":[]}");
	assert_written(&record_data_entry, &entry, "{\"entry_id\":\"k\",\"is_gone\":true}");
	entry = (struct data_entry){.entry_id = SLICE("k"),
				    .value = SLICE("\x05"),
				    .revision = 2,
				    .with_is_gone = true};
	assert_written(&record_data_entry, &entry,
		       "{\"entry_id\":\"k\",\"value\":5,\"revision\":2,\"is_gone\":false}");
	/* No value of an ENUM, NUM or REC stands for none. */
	assert_written(&record_room_join_params,
		       &(struct room_join_params){.room_id = SLICE("K7QX3M"),
						  .role = ROLE_SPECTATOR},
		       "{\"room_id\":\"K7QX3M\"}");
	/* A delta says what it is told to, no more. */
	assert_written(&record_user_view, &user, "{\"user_id\":\"u\"}");
	user.with_vote = user.with_comment = true;
	assert_written(&record_user_view, &user,
		       "{\"user_id\":\"u\",\"vote\":\"5\",\"comment\":null}");
}

/* Of any record: what it was made from may go, strings end with NUL, and one free() is enough. */
TEST(test_an_owned_copy_outlives_what_it_was_made_from)
{
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++) {
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct arena arena = {0};
			struct generator g = {.state = seed, .arena = &arena};
			void *made = generate_memory(&g, (*rec)->size);
			generate_record(&g, *rec, made);
			heap_fail_nth(0, true);
			void *none = record_own(*rec, made);
			heap_fail_never();
			assert_null(none);
			void *own = record_own(*rec, made);
			assert_non_null(own);
			arena_finish(&arena);
			void *twin = record_own(*rec, own); /* soft text stays as it is */
			assert_non_null(twin);
			assert_same_record(*rec, own, twin);
			if (*rec == &record_room_view || *rec == &record_user_view ||
			    *rec == &record_story_view || *rec == &record_round_view) {
				struct buf again;
				buf_init(&again, 64u << 20);
				record_write(*rec, own, &again); /* asserts that all is in bounds */
				assert_int_equal(again.error, OK);
				buf_finish(&again);
			}
			free(twin);
			free(own);
		}
	}
}

TEST(test_an_owned_copy_may_be_drawn)
{
	struct slice labels[] = {SLICE("a\x1b"), SLICE("")};
	struct group_defaults usual = {.valid_sizes = {labels, 2}};
	struct result_card cards[] = {{.card = SLICE("5"), .votes = 2}};
	struct round_vote votes[] = {{.vote = {"5six", 1}, .username = SLICE("A\nda")}};
	struct round_view in = {.n = 3,
				.votes = votes,
				.votes_n = 1,
				.outcome = SLICE(""),
				.result = {.cards = cards, .cards_n = 1}};
	struct data_entry entry = {.entry_id = SLICE("k"), .value = SLICE("\x91\x1b")};
	struct round_view *own = record_own(&record_round_view, &in);
	assert_non_null(own);
	memset(cards, 'x', sizeof(cards));
	memset(votes, 'x', sizeof(votes));
	assert_int_equal(own->n, 3);
	assert_string_equal(own->votes[0].vote.data, "5");
	assert_string_equal(own->votes[0].username.data, "A da");
	assert_null(own->votes[0].comment.data);
	assert_string_equal(own->outcome.data, "");
	assert_null(own->story.data);
	assert_string_equal(own->result.cards[0].card.data, "5");
	free(own);
	struct group_defaults *soft = record_own(&record_group_defaults, &usual);
	assert_non_null(soft);
	assert_string_equal(soft->valid_sizes.items[0].data, "a\xef\xbf\xbd");
	assert_string_equal(soft->valid_sizes.items[1].data, "");
	free(soft);
	char many[MAX_STORY_TITLE_BYTES];
	memset(many, 0x1b, sizeof(many));
	struct story_view long_one = {.title = slice_of(many, sizeof(many)), .rank = SLICE(" ")};
	struct story_view *cut = record_own(&record_story_view, &long_one);
	assert_non_null(cut);
	assert_in_range(cut->title.len, sizeof(many) - 3, sizeof(many));
	assert_string_equal(cut->rank.data, "\xef\xbf\xbd");
	free(cut);
	struct story_view lines = {.title = SLICE("a\nb"), .description = SLICE("a\nb\x1b\n\n")};
	struct story_view *story = record_own(&record_story_view, &lines);
	assert_non_null(story);
	assert_string_equal(story->title.data, "a b");
	assert_string_equal(story->description.data, "a\nb\xef\xbf\xbd\n\n");
	free(story);
	struct data_entry *raw = record_own(&record_data_entry, &entry);
	assert_non_null(raw);
	assert_true(slice_eq(raw->value, SLICE("\x91\x1b"))); /* an ANY stays as it is */
	free(raw);
}

TEST(test_a_merged_record_keeps_what_a_delta_leaves_out)
{
	struct user_view was = {.user_id = SLICE("u"),
				.username = SLICE("Ada"),
				.with_username = true,
				.confidence = 2,
				.with_confidence = true};
	struct user_view change = {.user_id = SLICE("u"),
				   .with_confidence = true,
				   .comment = SLICE("why"),
				   .with_comment = true};
	heap_fail_nth(0, true);
	assert_null(record_merge(&record_user_view, &was, &change));
	heap_fail_never();
	struct user_view *now = record_merge(&record_user_view, &was, &change);
	assert_non_null(now);
	assert_string_equal(now->username.data, "Ada");
	assert_string_equal(now->comment.data, "why");
	assert_int_equal(now->confidence, 0);
	assert_ptr_not_equal(now->username.data, was.username.data);
	free(now);
	now = record_merge(&record_user_view, NULL, &change);
	assert_non_null(now);
	assert_null(now->username.data);
	free(now);
}

TEST(test_bytes_behind_a_record_are_damage)
{
	struct arena arena = {0};
	struct buf b;
	struct fault fault = {.code = FAULT_NONE};
	struct room_vote_params got;
	struct room_vote_params vote = {.room_id = SLICE("K7QX3M"), .vote = SLICE("5")};
	buf_init(&b, MAX_FRAME_BYTES);
	record_write(&record_room_vote_params, &vote, &b);
	assert_int_equal(record_from_bytes(&record_room_vote_params, buf_slice(&b), RECORD_LENIENT,
					   &arena, &got, &fault),
			 OK);
	assert_int_equal(buf_append(&b, "\xc0", 1), OK);
	assert_int_not_equal(record_from_bytes(&record_room_vote_params, buf_slice(&b),
					       RECORD_LENIENT, &arena, &got, &fault),
			     OK);
	arena_finish(&arena);
	buf_finish(&b);
}
