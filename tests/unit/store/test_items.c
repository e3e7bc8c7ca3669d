/*
 * test_items.c - the rows, what is made of them, and the small parts below the engines.
 */
#include "fixture.h"

#include <stdio.h>

#include "proto/json.h"
#include "store/base/index.h"
#include "store/key.h"
#include "store/stored_value.h"
#include "tests/docs/reference_doc.h"
#include "tests/docs/schema_doc.h"

/* Data are where the scope says, so it never changes. */
TEST(rooms_lie_in_buckets_and_all_else_in_the_directory)
{
	assert_int_equal(item_scope_of(SLICE("ROOM:K7QX3M")), 1674);
	assert_int_equal(item_scope_of(SLICE("ROOM:A")), 2773);
	assert_int_equal(item_scope_of(SLICE("USER:A")), ITEM_SCOPE_DIRECTORY);
	assert_int_equal(item_scope_of(SLICE("ROOMS:A")), ITEM_SCOPE_DIRECTORY);
}

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

TEST(every_row_differs_from_all_others_by_its_own_key)
{
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		char sk[64];
		struct item_pk text;
		const struct item_row *row = &item_rows[i];
		struct slice pk = item_pk_of(&text, (enum item_kind)i, SLICE("x"));
		format_to(sk, sizeof(sk), "%s%s", row->sk, row->match == ITEM_SK_PREFIX ? "x" : "");
		assert_int_equal(item_kind_of(pk, slice_str(sk)), i);
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

/* ---- bounds ---- */

#define BOUND(item, ...)                    \
	{                                   \
		&record_##item, __VA_ARGS__ \
	}
#define SAME(item, wire)	  BOUND(item, NULL, &record_##wire, NULL, 0)
#define AS(item, field, wire, as) BOUND(item, field, &record_##wire, as, 0)
#define MOST(item, field, most)	  BOUND(item, field, NULL, NULL, most)
#define OWN(item, field)	  MOST(item, field, 0)

/*
 * Where the wire has what an item holds: the fields of the same names in a record, or one field under another name. What
 * the wire checks in another way has its limit here, and what only the store knows stands for itself.
 */
static const struct {
	const struct record *item;
	const char *field; /* NULL: each that the two have in common */
	const struct record *wire;
	const char *as;
	int64_t most;
} bounds[] = {
	SAME(policy_item, policy_view),
	SAME(undo_item, round_view),
	AS(undo_item, "round", round_view, "n"),
	AS(undo_item, "result", room_view, "result"),
	SAME(round_mark, round_view),
	MOST(round_mark, "bytes", MAX_ROUNDS_BYTES),
	SAME(room_item, room_view),
	SAME(room_item, room_update),
	SAME(room_item, expiring_notice),
	MOST(room_item, "rounds", MAX_ROUNDS_KEPT),
	SAME(seat_item, user_view),
	AS(seat_item, "account", login_result, "user_id"),
	AS(seat_item, "last_vote", user_view, "vote"),
	AS(seat_item, "last_comment", user_view, "comment"),
	AS(seat_item, "keep_seconds", room_vote_params, "keep_seconds"),
	AS(seat_item, "last_confidence", user_view, "confidence"),
	SAME(barred_item, barred_view),
	MOST(round_item, "round", MAX_ROUNDS_BYTES),
	SAME(story_item, story_view),
	SAME(story_vote_item, own_vote),
	AS(story_vote_item, "is_changed", user_view, "is_changed"),
	MOST(seat_item, "story_votes", MAX_STORY_VOTES),
	MOST(story_votes_item, "votes", MAX_ROUNDS_BYTES),
	SAME(unsaved_item, story_view),
	AS(unsaved_item, "user_id", login_result, "user_id"),
	OWN(unsaved_item, "mark"),
	AS(data_item, "entry_id", data_entry, "entry_id"),
	AS(data_item, "by", data_entry, "by"),
	MOST(data_item, "value", MAX_DATA_VALUE_BYTES),
	SAME(token_item, login_result),
	AS(token_item, "utc_offset_minutes", login_params, "utc_offset_minutes"),
	OWN(token_item, "name_key"),
	SAME(user_name_item, login_result),
	SAME(user_item, user_result),
	AS(user_item, "public_key", login_params, "public_key"),
	AS(user_item, "ssh_key", assert_params, "fingerprint"),
	MOST(user_item, "groups", MAX_GROUPS_OF_USER),
	OWN(once_item, "method"),
	MOST(once_item, "result", MAX_FRAME_BYTES),
	MOST(once_item, "sealed", SEALED_CHARS(MAX_FRAME_BYTES)),
	SAME(question_item, question_view),
	AS(question_item, "agent_id", login_result, "user_id"),
	AS(question_item, "flagged_responses", server_question, "flagged_responses"),
	AS(question_item, "ends_at", question_view, "expires_at"),
	OWN(question_item, "notices"),
	SAME(response_item, response_view),
	SAME(response_item, server_answer),
	SAME(subscription_item, subscription_view),
	AS(subscription_item, "user_id", login_result, "user_id"),
	MOST(subscriber_item, "subscriptions", MAX_SUBSCRIPTIONS),
	MOST(asker_item, "open_questions", MAX_QUESTIONS_OPEN),
	SAME(user_barred_item, server_barred_user),
	SAME(badge_item, badge_view),
	SAME(stats_item, stats_get_result),
	OWN(stats_item, "leaderboard"),
	OWN(stats_item, "week"),
	OWN(stats_item, "day"),
	MOST(stats_item, "day_capped", MAX_POINTS_PER_DAY),
	OWN(stats_item, "streak_last_date"),
	SAME(place_item, board_entry),
	OWN(board_item, "partition"),
	MOST(board_item, "places", MAX_BOARD_RANKS),
	SAME(membership_item, group_entry),
	SAME(email_item, user_result),
	SAME(group_defaults_item, group_defaults),
	SAME(group_item, group_get_result),
	MOST(group_item, "owners", MAX_GROUP_USERS),
	MOST(group_item, "containers", MAX_GROUP_CONTAINERS),
	MOST(group_item, "invitations", MAX_GROUP_INVITATIONS),
	SAME(group_container_item, container_entry),
	SAME(item_key_item, item_result),
	SAME(invitation_item, invitation_view),
	SAME(container_item, container_entry),
	SAME(item_item, item_view),
	AS(item_item, "group_id", container_entry, "group_id"),
	AS(user_item, "first_group_id", login_result, "group_id"),
};

/* What the longest value of a record of texts, numbers and lists of such records takes, in MessagePack. */
static int64_t most_bytes(const struct record *rec)
{
	enum { HEAD = 5, NUMBER = 9 };
	int64_t bytes = HEAD;
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		bytes += HEAD + (int64_t)f->name_len + HEAD;
		bytes += f->kind == FIELD_STR	 ? f->max
			 : f->kind == FIELD_RECS ? f->max * most_bytes(f->of)
						 : NUMBER;
	}
	return bytes;
}

/* Whether an item holds all that the wire lets in. What is empty or 0 is not written where it may be absent. */
static bool holds(const struct field *item, const struct field *wire)
{
	bool is_text = item->kind == FIELD_STR || item->kind == FIELD_TEXT;
	bool is_text_there = wire->kind == FIELD_STR || wire->kind == FIELD_TEXT;
	bool is_from_one = (item->flags & FIELD_REQ) == 0 && item->min == 1;
	if (item->kind == FIELD_ANY && wire->kind == FIELD_REC) {
		return item->max >= most_bytes(wire->of);
	}
	if (item->kind != wire->kind && !(is_text && is_text_there)) {
		return true; /* a quantity as a number, a rule as a switch: nothing to compare */
	}
	return (item->min <= wire->min || is_from_one) && item->max >= wire->max &&
	       (item->kind != FIELD_ENUM || item->words == wire->words) &&
	       (item->kind != FIELD_STRS || field_each_bytes(item) >= field_each_bytes(wire));
}

/* How many rows say what bounds the field; each is compared. */
static size_t compare_bounds(const struct record *rec, const struct field *f)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		if (bounds[i].item != rec ||
		    (bounds[i].field != NULL && strcmp(bounds[i].field, f->name) != 0)) {
			continue;
		}
		const char *as = bounds[i].as != NULL ? bounds[i].as : f->name;
		const struct field *wire =
			bounds[i].wire == NULL ? NULL : record_field(bounds[i].wire, slice_str(as));
		assert_true(bounds[i].field == NULL || bounds[i].wire == NULL || wire != NULL);
		n += bounds[i].field != NULL || wire != NULL;
		if ((wire != NULL && !holds(f, wire)) || f->max < bounds[i].most) {
			fail_msg("%s.%s holds less than the wire lets in", rec->name, f->name);
		}
	}
	return n;
}

TEST(an_item_holds_all_that_the_wire_lets_in)
{
	static const struct record *const records[] = {
#define ITEM_RECORD(rec) &record_##rec,
		ITEM_RECORDS(ITEM_RECORD)
#undef ITEM_RECORD
	};
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		for (size_t k = 0; k < records[i]->n; k++) {
			const struct field *f = &records[i]->fields[k];
			/* Keys, hashes and counters have one length, or no bound. */
			bool is_bounded =
				f->min < f->max && f->max < INT64_MAX && f->kind != FIELD_ENUM;
			if (compare_bounds(records[i], f) == 0 && is_bounded) {
				fail_msg("%s.%s is compared with nothing", records[i]->name,
					 f->name);
			}
		}
	}
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		assert_true(bounds[i].field == NULL ||
			    record_field(bounds[i].item, slice_str(bounds[i].field)) != NULL);
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
	/* A cursor may be any bytes. */
	for (size_t len = 0; len < key.len; len++) {
		assert_false(
			key_entry_in(slice_of((const char *)key.bytes, len), SLICE("b"), &sort));
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
