/*
 * test_data_sets.c - presences, maps and lists as such: their names, their
 * beginning and end, and how much a room may hold.
 */
#include "tests/unit/server/data.h"

static const char *const kinds[] = {"presence", "map", "list"};

static const char *method_of(const char *kind, const char *verb)
{
	static char method[32];
	(void)snprintf(method, sizeof(method), "%s.%s", kind, verb);
	return method;
}

TABLE_TEST(test_what_was_created_is_there_and_empty, t)
{
	for (size_t i = 0; i < 3; i++) {
		data_must(t->ada, method_of(kinds[i], "create"), "notes", "");
		assert_non_null(strstr(data_must(t->bob, method_of(kinds[i], "get"), "notes", ""),
				       i == 2 ? "{'entries':[]," : "{'entries':{},"));
		assert_non_null(strstr(rig_next(t->bob), kinds[i]));
	}
}

TABLE_TEST(test_creating_what_is_there_changes_nothing, t)
{
	for (size_t i = 0; i < 3; i++) {
		data_must(t->ada, method_of(kinds[i], "create"), "notes", "");
	}
	data_set(t->ada, "notes", "a", "1");
	long long version =
		rig_field_number(data_must(t->ada, "map.create", "notes", ""), "version");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rig_field_number(data_must(t->bob, method_of(kinds[i], "create"),
							    "notes", ""),
						  "version"),
				 version);
	}
	assert_string_equal(rig_data(t->bob, "map", "notes"), "a=1@1");
}

TABLE_TEST(test_a_name_is_one_set_of_each_kind, t)
{
	data_must(t->ada, "map.create", "x", "");
	assert_string_equal(data_code(t->ada, "list.get", "x", ""), "NOT_FOUND name");
	data_must(t->ada, "list.create", "x", "");
	data_push(t->ada, "x", "1");
	data_set(t->ada, "x", "k", "2");
	data_must(t->ada, "list.delete", "x", "");
	assert_string_equal(rig_data(t->bob, "map", "x"), "k=2@1");
	assert_string_equal(data_code(t->bob, "list.get", "x", ""), "NOT_FOUND name");
}

TABLE_TEST(test_what_is_not_there_cannot_be_used, t)
{
	static const struct {
		const char *method;
		const char *more;
	} uses[] = {
		{"presence.get", ""},
		{"presence.delete", ""},
		{"presence.set", "'value':1"},
		{"presence.remove", ""},
		{"map.get", ""},
		{"map.delete", ""},
		{"map.set", "'key':'k','value':1"},
		{"map.remove", "'key':'k'"},
		{"list.get", ""},
		{"list.delete", ""},
		{"list.push", "'value':1"},
		{"list.insert", "'value':1,'before':'x'"},
		{"list.set", "'value':1,'entry_id':'x'"},
		{"list.move", "'entry_id':'x','before':'y'"},
		{"list.remove", "'entry_id':'x'"},
	};
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		assert_string_equal(data_code(t->ada, uses[i].method, "none", uses[i].more),
				    "NOT_FOUND name");
	}
	assert_string_equal(rig_heard(t->bob), "");
}

TABLE_TEST(test_what_was_deleted_is_gone_for_all, t)
{
	for (size_t i = 0; i < 3; i++) {
		data_must(t->ada, method_of(kinds[i], "create"), "notes", "");
		rig_forget(t->bob);
		data_must(t->ada, method_of(kinds[i], "delete"), "notes", "");
		assert_non_null(strstr(rig_next(t->bob), "'is_gone':true"));
		assert_string_equal(data_code(t->ada, method_of(kinds[i], "delete"), "notes", ""),
				    "NOT_FOUND name");
	}
	assert_int_equal(rig_stored(&t->r, "MAP#"), 0);
	assert_int_equal(rig_stored(&t->r, "LIST#"), 0);
	assert_int_equal(rig_stored(&t->r, "PRESENCE#"), 0);
}

TABLE_TEST(test_deleting_takes_all_that_is_in_it_and_nothing_else, t)
{
	data_must(t->ada, "map.create", "a", "");
	data_must(t->ada, "map.create", "ab", "");
	data_set(t->ada, "a", "k", "1");
	data_set(t->ada, "a", "b", "2");
	data_set(t->ada, "ab", "k", "3");
	assert_int_equal(rig_stored(&t->r, "MAP#"), 5);
	data_must(t->ada, "map.delete", "a", "");
	assert_int_equal(rig_stored(&t->r, "MAP#"), 2);
	assert_int_equal(rig_stored(&t->r, "MAP#ab"), 2);
	assert_string_equal(rig_data(t->bob, "map", "ab"), "k=3@1");
}

TABLE_TEST(test_names_are_clean_and_short_and_without_the_sign_that_splits, t)
{
	char name[80];
	memset(name, 'n', sizeof(name));
	name[64] = '\0';
	for (size_t i = 0; i < 3; i++) {
		const char *create = method_of(kinds[i], "create");
		assert_string_equal(data_code(t->ada, create, name, ""), "ok");
		name[64] = 'n';
		name[65] = '\0';
		assert_string_equal(data_code(t->ada, create, name, ""), "VALIDATION_ERROR name");
		name[64] = '\0';
		assert_string_equal(data_code(t->ada, create, "a#b", ""), "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "#", ""), "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "a\\u0007b", ""),
				    "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "a\\u202eb", ""),
				    "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "a\\nb", ""),
				    "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "", ""), "VALIDATION_ERROR name");
		assert_string_equal(data_code(t->ada, create, "  ", ""), "VALIDATION_ERROR name");
	}
}

/* Whoever creates "é" in two code points and asks for it so must find it. */
TABLE_TEST(test_a_name_is_found_as_it_was_written, t)
{
	static const char *const written[] = {"e\\u0301", " spaced ", "a  b", "\\u00e9"};
	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		data_must(t->ada, "map.create", written[i], "");
		assert_string_equal(data_code(t->bob, "map.get", written[i], ""), "ok");
		assert_string_equal(data_code(t->bob, "map.set", written[i],
					      "'key':'e\\u0301','value':1"),
				    "ok");
		assert_string_equal(data_code(t->ada, "map.remove", written[i], "'key':'e\\u0301'"),
				    "ok");
		assert_string_equal(data_code(t->ada, "map.delete", written[i], ""), "ok");
	}
}

TABLE_TEST(test_a_room_has_a_hundred_names_and_no_more, t)
{
	char name[16];
	for (int i = 0; i < MAX_DATA_NAMES; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		data_must(t->ada, method_of(kinds[i % 3], "create"), name, "");
	}
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(data_code(t->ada, method_of(kinds[i], "create"), "one more",
					      ""),
				    "TOO_LARGE name");
	}
	assert_string_equal(data_code(t->ada, "map.create", "n1", ""), "ok");
	data_must(t->ada, "map.delete", "n1", "");
	assert_string_equal(data_code(t->ada, "list.create", "one more", ""), "ok");
}

TABLE_TEST(test_a_client_without_a_seat_has_no_part_in_it, t)
{
	data_must(t->ada, "map.create", "notes", "");
	struct rig_peer *stranger = rig_guest(&t->r, "stranger");
	assert_string_equal(data_code(stranger, "map.get", "notes", ""), "UNAUTHENTICATED");
	assert_string_equal(data_code(stranger, "map.set", "notes", "'key':'k','value':1"),
			    "UNAUTHENTICATED");
	assert_string_equal(data_code(stranger, "map.create", "mine", ""), "UNAUTHENTICATED");
}

TABLE_TEST(test_a_member_in_the_lobby_sees_and_changes_nothing, t)
{
	data_must(t->ada, "map.create", "notes", "");
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	rig_must(cy, "join", "'username':'cy'");
	assert_string_equal(data_code(cy, "map.get", "notes", ""), "FORBIDDEN");
	assert_string_equal(data_code(cy, "map.set", "notes", "'key':'k','value':1"), "FORBIDDEN");
	data_set(t->ada, "notes", "k", "1");
	assert_string_equal(rig_data(cy, "map", "notes"), "");
	rig_must(t->ada, "admit", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_data(cy, "map", "notes"), "k=1@1");
}

TABLE_TEST(test_all_of_it_ends_with_the_room, t)
{
	data_must(t->ada, "map.create", "m", "");
	data_must(t->ada, "list.create", "l", "");
	data_must(t->ada, "presence.create", "p", "");
	data_set(t->ada, "m", "k", "1");
	data_push(t->ada, "l", "1");
	rig_must(t->ada, "delete", RIG_NONE);
	rig_cut(t->ada);
	rig_cut(t->bob);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

/* ---- how large ---- */

TABLE_TEST(test_a_value_has_at_most_16_kib, t)
{
	static const char *const methods[] = {"presence.set", "map.set", "list.push"};
	for (size_t i = 0; i < 3; i++) {
		struct buf fits = data_value_of(MAX_DATA_VALUE_BYTES);
		struct buf larger = data_value_of(MAX_DATA_VALUE_BYTES + 1);
		data_must(t->ada, method_of(kinds[i], "create"), "v", "");
		const char *key = i == 1 ? "k" : NULL;
		assert_string_equal(data_raw(t->ada, methods[i], "v", key, buf_slice(&fits)), "ok");
		assert_string_equal(data_raw(t->ada, methods[i], "v", key, buf_slice(&larger)),
				    "TOO_LARGE value");
		buf_finish(&fits);
		buf_finish(&larger);
	}
}

/* However many values are in it: a message's own limit is wider. */
TABLE_TEST(test_a_value_of_16_kib_may_hold_a_value_a_byte, t)
{
	char bytes[MAX_DATA_VALUE_BYTES];
	memset(bytes, 1, sizeof(bytes));
	bytes[0] = '\xdc';
	bytes[1] = (char)((sizeof(bytes) - 3) >> 8);
	bytes[2] = (char)((sizeof(bytes) - 3) & 0xff);
	data_must(t->ada, "map.create", "m", "");
	assert_string_equal(data_raw(t->ada, "map.set", "m", "k", slice_of(bytes, sizeof(bytes))),
			    "ok");
}

/* Others would be cut off by their own decoders. */
TABLE_TEST(test_a_value_is_what_every_client_can_read, t)
{
	const struct slice bad[] = {
		SLICE("\xc4\x01x"),		       /* bytes */
		SLICE("\xa2\xff\xfe"),		       /* text that is not UTF-8 */
		SLICE("\x91\xcb\x7f\xf8\0\0\0\0\0\0"), /* not a number */
		SLICE("\x91\xca\x7f\x80\0\0"),	       /* infinite */
		SLICE("\x81\x01\x02"),		       /* a key that is no text */
		SLICE("\x81\xa1\xff\x02"),
	};
	data_must(t->ada, "map.create", "m", "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(data_raw(t->ada, "map.set", "m", "k", bad[i]),
				    "VALIDATION_ERROR value");
	}
	assert_string_equal(rig_data(t->bob, "map", "m"), "");
}

/* Clients differ in which of the two they would take. */
TABLE_TEST(test_a_key_stands_once_in_each_map_of_a_value, t)
{
	static const char *const methods[] = {"presence.set", "map.set", "list.push"};
	const struct slice bad[] = {
		SLICE("\x82\xa1k\x01\xa1k\x02"),
		SLICE("\x82\xa1k\x01\xd9\x01k\x02"),		  /* written in another way */
		SLICE("\x83\xa0\x01\xa1k\x01\xa0\x01"),		  /* empty, and not side by side */
		SLICE("\x92\xc0\x81\xa1k\x82\xa1l\x90\xa1l\xc0"), /* deeper */
	};
	const struct slice good[] = {
		SLICE("\x82\xa1k\x01\xa1K\x02"),
		SLICE("\x92\x81\xa1k\x01\x81\xa1k\x01"),   /* in two maps */
		SLICE("\x82\xa1k\x81\xa1k\x01\xa1l\xa1k"), /* in the one inside, and as a value */
	};
	for (size_t m = 0; m < 3; m++) {
		const char *key = m == 1 ? "k" : NULL;
		data_must(t->ada, method_of(kinds[m], "create"), "v", "");
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			assert_string_equal(data_raw(t->ada, methods[m], "v", key, bad[i]),
					    "VALIDATION_ERROR value");
		}
		for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
			assert_string_equal(data_raw(t->ada, methods[m], "v", key, good[i]), "ok");
		}
	}
}

/* As many keys as a value has room for, the last of them the first again or not. */
TABLE_TEST(test_a_repeated_key_is_found_among_thousands, t)
{
	enum { KEYS = 3000 };
	char bytes[3 + 4 * KEYS] = {'\xde', (char)(KEYS >> 8), (char)(KEYS & 0xff)};
	for (size_t i = 0; i < KEYS; i++) {
		char *at = bytes + 3 + 4 * i;
		at[0] = '\xa2';
		at[1] = (char)(' ' + i / 90);
		at[2] = (char)(' ' + i % 90);
		at[3] = 1;
	}
	data_must(t->ada, "map.create", "m", "");
	assert_string_equal(data_raw(t->ada, "map.set", "m", "k", slice_of(bytes, sizeof(bytes))),
			    "ok");
	memcpy(bytes + sizeof(bytes) - 4, bytes + 3, 4);
	assert_string_equal(data_raw(t->ada, "map.set", "m", "k", slice_of(bytes, sizeof(bytes))),
			    "VALIDATION_ERROR value");
}

TABLE_TEST(test_a_value_is_at_most_8_levels_deep, t)
{
	static const char *const methods[] = {"presence.set", "map.set", "list.push"};
	for (size_t i = 0; i < 3; i++) {
		const char *key = i == 1 ? "k" : NULL;
		data_must(t->ada, method_of(kinds[i], "create"), "v", "");
		for (size_t depth = 7; depth <= 10; depth++) {
			struct buf deep = data_value_deep(depth);
			assert_string_equal(data_raw(t->ada, methods[i], "v", key,
						     buf_slice(&deep)),
					    depth <= 8 ? "ok" : "TOO_LARGE value");
			buf_finish(&deep);
		}
	}
}

TABLE_TEST(test_a_room_holds_1_mib_and_has_room_again_when_something_goes, t)
{
	char key[16];
	size_t n = 0;
	struct buf value = data_value_of(MAX_DATA_VALUE_BYTES);
	data_must(t->ada, "map.create", "m", "");
	data_must(t->ada, "list.create", "l", "");
	data_must(t->ada, "presence.create", "p", "");
	for (const char *outcome = "ok"; strcmp(outcome, "ok") == 0; n++) {
		assert_in_range(n, 0, 64);
		(void)snprintf(key, sizeof(key), "k%zu", n);
		outcome = data_raw(t->ada, "map.set", "m", key, buf_slice(&value));
	}
	n--;
	assert_in_range(n, 62, 64);
	assert_string_equal(data_raw(t->ada, "map.set", "m", "x", buf_slice(&value)),
			    "TOO_LARGE value");
	assert_string_equal(data_raw(t->ada, "list.push", "l", NULL, buf_slice(&value)),
			    "TOO_LARGE value");
	assert_string_equal(data_raw(t->ada, "presence.set", "p", NULL, buf_slice(&value)),
			    "TOO_LARGE value");
	assert_string_equal(data_raw(t->ada, "map.set", "m", "k0", buf_slice(&value)), "ok");
	data_must(t->ada, "map.remove", "m", "'key':'k1'");
	assert_string_equal(data_raw(t->ada, "list.push", "l", NULL, buf_slice(&value)), "ok");
	assert_string_equal(data_raw(t->ada, "map.set", "m", "k1", buf_slice(&value)),
			    "TOO_LARGE value");
	data_must(t->ada, "map.delete", "m", "");
	for (size_t i = 1; i < n; i++) {
		assert_string_equal(data_raw(t->ada, "list.push", "l", NULL, buf_slice(&value)),
				    "ok");
	}
	/* All of it comes back from the table, and counts as it did. */
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(data_raw(ada, "list.push", "l", NULL, buf_slice(&value)),
			    "TOO_LARGE value");
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), n);
	buf_finish(&value);
}

static bool set_takes(struct table *t, const char *key, size_t len)
{
	struct buf value = data_value_of(len);
	const char *outcome = data_raw(t->ada, "map.set", "m", key, buf_slice(&value));
	bool ok = strcmp(outcome, "ok") == 0;
	assert_true(ok || strcmp(outcome, "TOO_LARGE value") == 0);
	buf_finish(&value);
	return ok;
}

/* Filled with shorter and shorter values under long keys, with a little less room each time. */
TABLE_TEST(test_what_is_there_can_be_replaced_in_a_full_room, t)
{
	char key[MAX_DATA_NAME_BYTES + 1];
	char last[MAX_DATA_NAME_BYTES + 1];
	char gone[MAX_DATA_NAME_BYTES + 16];
	data_must(t->ada, "map.create", "m", "");
	for (size_t n = 0, len = MAX_DATA_VALUE_BYTES; len >= 512; n++) {
		(void)snprintf(key, sizeof(key), "%064zu", n);
		len = set_takes(t, key, len) ? len : len / 2;
	}
	(void)snprintf(key, sizeof(key), "%064d", 0);
	(void)snprintf(last, sizeof(last), "%064d", 999);
	(void)snprintf(gone, sizeof(gone), "'key':'%s'", last);
	for (size_t less = 16; less < 640; less += 16) {
		(void)data_code(t->ada, "map.remove", "m", gone);
		assert_true(set_takes(t, key, MAX_DATA_VALUE_BYTES - less));
		(void)set_takes(t, last, 512);
		assert_true(set_takes(t, key, MAX_DATA_VALUE_BYTES - less));
		assert_true(set_takes(t, key, MAX_DATA_VALUE_BYTES - less - 1));
	}
}

TABLE_TEST(test_a_map_has_a_thousand_keys, t)
{
	char key[16];
	data_must(t->ada, "map.create", "m", "");
	rig_cut(t->bob);
	for (int i = 0; i < MAX_MAP_KEYS; i++) {
		(void)snprintf(key, sizeof(key), "k%d", i);
		data_set(t->ada, "m", key, "1");
	}
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':'more','value':1"),
			    "TOO_LARGE key");
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':'k5','value':2"), "ok");
	data_must(t->ada, "map.remove", "m", "'key':'k5'");
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':'more','value':1"), "ok");
}

TABLE_TEST(test_a_list_has_ten_thousand_entries, t)
{
	struct slice value = SLICE("\x01");
	data_must(t->ada, "list.create", "l", "");
	rig_cut(t->bob);
	for (int i = 0; i < MAX_LIST_ENTRIES; i++) {
		if (i % 500 == 0) {
			rig_advance(&t->r, 1000); /* requests a second are bounded, too */
			rig_forget(t->ada);
			buf_clear(&t->ada->in);
			t->ada->read_at = 0;
		}
		assert_string_equal(data_raw(t->ada, "list.push", "l", NULL, value), "ok");
	}
	assert_string_equal(data_raw(t->ada, "list.push", "l", NULL, value), "TOO_LARGE");
	data_must(t->ada, "list.delete", "l", "");
	assert_int_equal(rig_stored(&t->r, "LIST#"), 0);
}
