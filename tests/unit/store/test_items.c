/*
 * test_items.c - the rows, what is made of them, and the small parts below the engines.
 */
#include "fixture.h"

#include <stdio.h>

#include "proto/json.h"
#include "store/index.h"
#include "store/key.h"
#include "store/stored_value.h"
#include "tests/docs/reference_doc.h"
#include "tests/docs/schema_doc.h"

TEST(the_kind_of_an_item_is_the_longest_pattern_that_fits)
{
	static const struct {
		const char *pk, *sk;
		enum item_kind kind;
	} cases[] = {
		{"ROOM:A", "ROOM", ITEM_ROOM},
		{"ROOM:A", "USER:x", ITEM_SEAT},
		{"ROOM:A", "ONCE#c#k", ITEM_ONCE},
		{"ROOM:A", "ROOMS", ITEM_COUNT},
		{"ROOM:A", "USER:", ITEM_COUNT},
		{"ROOM:A", "", ITEM_COUNT},
		{"ROOM:", "ROOM", ITEM_COUNT},
		{"ROO", "ROOM", ITEM_COUNT},
		{"USER:A", "USER:x", ITEM_COUNT},
		{"CONTAINER:c", "CONTAINER", ITEM_CONTAINER},
		{"CONTAINER:c", "ITEM#i", ITEM_ITEM},
		{"CONTAINER:c", "ITEM#", ITEM_COUNT},
		{"GROUP:g", "CONTAINER#c", ITEM_GROUP_CONTAINER},
		{"GROUP:g", "ITEM#i", ITEM_COUNT},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(item_kind_of(slice_str(cases[i].pk), slice_str(cases[i].sk)),
				 cases[i].kind);
	}
}

/* Of an item as JSON. */
static void *stored_before(enum item_kind kind, const char *json, struct arena *arena)
{
	struct buf bytes;
	struct errmsg why;
	struct fault fault;
	void *item = NULL;
	buf_init(&bytes, 4096);
	assert_int_equal(json_to_bytes(slice_str(json), &bytes, &why), OK);
	struct slice copy = arena_copy(arena, buf_slice(&bytes), &(bool){true});
	assert_int_equal(item_decode(kind, copy, RECORD_STRICT, arena, &item, &fault), OK);
	buf_finish(&bytes);
	return item;
}

/* What version 0.1 stored under other names is read under those of today. */
TEST(what_was_stored_under_other_names_is_read)
{
	struct arena arena = {0};
	const struct story_item *story = stored_before(
		ITEM_STORY,
		"{\"created_on\":1,\"updated_on\":1,\"story_id\":\"a\",\"title\":\"T\","
		"\"notes\":\"why\",\"status\":\"todo\"}",
		&arena);
	assert_true(slice_eq(story->description, SLICE("why")));
	const struct seat_item *seat = stored_before(
		ITEM_SEAT,
		"{\"created_on\":1,\"updated_on\":1,\"user_id\":\"a\",\"username\":\"Ada\","
		"\"role\":\"voter\",\"is_bot\":false,\"vote\":\"5\",\"note\":\"n\","
		"\"last_note\":\"l\"}",
		&arena);
	assert_true(slice_eq(seat->comment, SLICE("n")));
	assert_true(slice_eq(seat->last_comment, SLICE("l")));
	arena_finish(&arena);
}

TEST(every_row_differs_from_all_others_by_its_own_key)
{
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		char pk[64], sk[64];
		const struct item_row *row = &item_rows[i];
		format_to(pk, sizeof(pk), "%sx", row->pk_prefix);
		format_to(sk, sizeof(sk), "%s%s", row->sk, row->match == ITEM_SK_PREFIX ? "x" : "");
		assert_int_equal(item_kind_of(slice_str(pk), slice_str(sk)), i);
	}
}

TEST(every_item_has_its_times_and_what_its_indexes_need)
{
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		const struct record *rec = item_rows[i].record;
		bool in_by_expiry = false;
		assert_non_null(record_field(rec, SLICE("created_on")));
		assert_non_null(record_field(rec, SLICE("updated_on")));
		assert_int_equal(record_field(rec, SLICE("expires_at")) != NULL,
				 item_rows[i].expires);
		for (const struct index_row *row = index_rows; row->name != NULL; row++) {
			if (row->kind != i) {
				continue;
			}
			assert_string_equal(row->name, index_names[row->index]);
			const struct field *sort = record_field(rec, slice_str(row->sort));
			assert_non_null(sort);
			assert_int_equal(sort->kind, FIELD_INT);
			const struct field *partition =
				record_field(rec, slice_str(row->partition));
			assert_true(row->partition[0] == '\0' ||
				    (partition != NULL && (partition->kind == FIELD_STR ||
							   partition->kind == FIELD_ENUM ||
							   partition->kind == FIELD_STRS)));
			in_by_expiry = in_by_expiry || row->index == INDEX_BY_EXPIRY;
		}
		assert_int_equal(in_by_expiry, item_rows[i].expires);
	}
}

TEST(keys_are_ordered_as_their_parts_and_never_meet)
{
	static const struct {
		const char *pk, *sk;
	} cases[] = {{"A", ""},	 {"A", "B"},  {"A", "BC"}, {"A", "C"},
		     {"AB", ""}, {"AB", "C"}, {"B", "A"}};
	struct key before = {.len = 0}, key;
	struct slice pk, sk;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		key_of_item(&key, slice_str(cases[i].pk), slice_str(cases[i].sk));
		assert_true(slice_cmp(key_slice(&before), key_slice(&key)) < 0);
		assert_true(key_split(key_slice(&key), &pk, &sk));
		assert_true(slice_eq(pk, slice_str(cases[i].pk)));
		assert_true(slice_eq(sk, slice_str(cases[i].sk)));
		before = key;
	}
	assert_false(key_split(SLICE("no end"), &pk, &sk));
	assert_false(key_split(slice_of("\0x", 2), &pk, &sk));
	assert_false(key_split((struct slice){NULL, 0}, &pk, &sk));
	assert_false(key_fits(slice_of("a\0b", 3), SLICE("x")));
	assert_false(key_fits((struct slice){NULL, 0}, SLICE("x")));
}

TEST(index_entries_are_ordered_by_partition_and_number)
{
	static const int64_t numbers[] = {INT64_MIN, -256, -1, 0, 1, 255, 256, INT64_MAX};
	struct key before = {.len = 0}, key;
	int64_t sort;
	for (int p = 0; p < 2; p++) {
		struct slice partition = slice_str(p == 0 ? "a" : "b");
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
			key_of_entry(&key, partition, numbers[i], SLICE("ROOM:A"));
			assert_true(slice_cmp(key_slice(&before), key_slice(&key)) < 0);
			assert_true(key_entry_in(key_slice(&key), partition, &sort));
			assert_true(sort == numbers[i]);
			assert_false(key_entry_in(key_slice(&key), SLICE(""), &sort));
			before = key;
		}
	}
}

TEST(a_stored_value_opens_only_as_it_was_sealed)
{
	struct buf b;
	uint64_t version;
	struct slice value;
	buf_init(&b, 100);
	stored_value_seal(SLICE("key"), 258, false, SLICE("value"), &b);
	assert_int_equal(b.len, STORED_VALUE_HEAD_BYTES + 5);
	assert_int_equal(stored_value_open(SLICE("key"), buf_slice(&b), &version, &value), OK);
	assert_int_equal(version, 258);
	assert_true(slice_eq(value, SLICE("value")));
	assert_int_equal(stored_value_open(SLICE("kez"), buf_slice(&b), &version, &value),
			 ERR_CORRUPT);
	for (size_t i = 0; i < b.len; i++) {
		b.data[i] = (char)(b.data[i] ^ 0x10);
		assert_int_equal(stored_value_open(SLICE("key"), buf_slice(&b), &version, &value),
				 ERR_CORRUPT);
		b.data[i] = (char)(b.data[i] ^ 0x10);
		assert_int_equal(stored_value_open(SLICE("key"), slice_of(b.data, i), &version,
						   &value),
				 ERR_CORRUPT);
	}
	buf_finish(&b);
}

/* The bytes are those of format 1, where the listing was the version's first byte. */
TEST(a_listed_item_lies_as_it_always_did)
{
	static const char bytes[] = "\x3c\x4d\x64\x7d\x54\x84\x31\x41"
				    "\0\0\0\0\0\0\x01\x02"
				    "value";
	struct buf b;
	buf_init(&b, 100);
	stored_value_seal(SLICE("key"), 258, true, SLICE("value"), &b);
	assert_int_equal(b.len, sizeof(bytes) - 1);
	assert_memory_equal(b.data, bytes, b.len);
	assert_false(stored_value_is_unlisted(buf_slice(&b)));
	buf_finish(&b);
}

TEST(the_listing_is_sealed_and_no_part_of_the_version)
{
	static const uint64_t versions[] = {0, 1, STORED_VALUE_VERSION_MAX};
	struct buf b;
	struct slice value;
	buf_init(&b, 100);
	for (size_t i = 0; i < 2 * sizeof(versions) / sizeof(versions[0]); i++) {
		uint64_t version = 1;
		bool is_listed = i % 2 == 0;
		buf_clear(&b);
		stored_value_seal(SLICE("key"), versions[i / 2], is_listed, SLICE("value"), &b);
		assert_int_equal(stored_value_open(SLICE("key"), buf_slice(&b), &version, &value),
				 OK);
		assert_true(version == versions[i / 2]);
		assert_true(stored_value_is_unlisted(buf_slice(&b)) == !is_listed);
		b.data[8] = (char)(is_listed ? STORED_VALUE_UNLISTED : 0);
		assert_int_equal(stored_value_open(SLICE("key"), buf_slice(&b), &version, &value),
				 ERR_CORRUPT);
	}
	assert_false(stored_value_is_unlisted(slice_of(b.data, STORED_VALUE_HEAD_BYTES - 1)));
	buf_finish(&b);
}

TEST(the_reference_on_the_page_is_that_of_the_rows)
{
	static char page[2 * 65536]; /* one more than may be used, so that it ends */
	struct buf fresh;
	FILE *file = fopen("store/README.md", "r");
	assert_non_null(file);
	size_t len = fread(page, 1, sizeof(page) - 1, file);
	fclose(file);
	assert_true(len < sizeof(page) - 1);
	for (size_t i = 0; schema_doc_sections[i] != NULL; i++) {
		char begin[64];
		format_to(begin, sizeof(begin), "<!-- begin: %s -->\n", schema_doc_sections[i]);
		assert_non_null(strstr(page, begin));
	}
	buf_init(&fresh, 2 * sizeof(page));
	assert_int_equal(reference_doc_fill(slice_of(page, len), schema_doc_write, &fresh), OK);
	assert_int_equal(fresh.len, len);
	assert_memory_equal(fresh.data, page, len);
	buf_finish(&fresh);
}

TEST(an_unknown_section_is_not_found)
{
	struct buf b;
	buf_init(&b, 100);
	assert_int_equal(schema_doc_write("nothing", &b), ERR_NOT_FOUND);
	assert_int_equal(schema_doc_write("items", &b), ERR_TOO_LARGE);
	buf_finish(&b);
}

int main(void)
{
	assert_true(crypto_start());
	return test_run(NULL, NULL);
}
