/*
 * test_data_maps.c - maps: values replaced whole, a revision per key, and
 * compare-and-set.
 */
#include "tests/unit/server/data.h"

static int lay(void **state)
{
	table_lay(state);
	struct table *t = *state;
	data_must(t->ada, "map.create", "m", "");
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

#define MAP_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

MAP_TEST(test_a_value_is_set_and_read_and_replaced_whole, t)
{
	data_set(t->ada, "m", "k", "{'a':{'b':1},'c':[1,null,true,'x']}");
	assert_string_equal(
		data_must(t->bob, "map.get", "m", ""),
		"{'entries':{'k':{'value':{'a':{'b':1},'c':[1,null,true,'x']},'revision':1,"
		"'by':'@ada'}},'epoch':EPOCH,'version':6}");
	data_set(t->bob, "m", "k", "{'a':{'d':2}}");
	assert_string_equal(data_must(t->ada, "map.get", "m", ""),
			    "{'entries':{'k':{'value':{'a':{'d':2}},'revision':2,'by':'@bob'}},"
			    "'epoch':EPOCH,'version':7}");
	data_set(t->bob, "m", "k", "null");
	assert_string_equal(rig_data(t->ada, "map", "m"), "k=null@3");
}

MAP_TEST(test_each_key_counts_its_own_changes, t)
{
	data_set(t->ada, "m", "a", "1");
	data_set(t->bob, "m", "a", "1");
	data_set(t->ada, "m", "b", "1");
	const char *answer = data_must(t->ada, "map.set", "m", "'key':'a','value':1");
	assert_int_equal(rig_field_number(answer, "revision"), 3);
	assert_string_equal(rig_data_truth(t->bob, "map", "m"), "a=1@3, b=1@1");
}

MAP_TEST(test_a_key_that_comes_back_counts_from_the_beginning, t)
{
	data_set(t->ada, "m", "k", "1");
	data_set(t->ada, "m", "k", "2");
	data_must(t->ada, "map.remove", "m", "'key':'k'");
	assert_string_equal(rig_data(t->bob, "map", "m"), "");
	data_set(t->ada, "m", "k", "3");
	assert_string_equal(rig_data(t->bob, "map", "m"), "k=3@1");
	assert_int_equal(rig_stored(&t->r, "MAP#m#"), 1);
}

/* promise: at-its-revision */
MAP_TEST(test_what_is_set_only_at_its_revision_overwrites_nobody, t)
{
	data_set(t->ada, "m", "k", "'ada'");
	data_set(t->bob, "m", "k", "'bob'");
	rig_forget(t->bob);
	const char *error =
		data_refused(t->ada, "map.set", "m", "'key':'k','value':'mine','if_revision':1");
	assert_non_null(strstr(error, "'code':'CONFLICT'"));
	assert_non_null(strstr(error, "'current':{'value':'bob','revision':2,'by':'@bob'}"));
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(data_code(t->ada, "map.set", "m",
				      "'key':'k','value':'mine','if_revision':3"),
			    "CONFLICT");
	assert_string_equal(data_code(t->ada, "map.set", "m",
				      "'key':'k','value':'mine','if_revision':2"),
			    "ok");
	assert_string_equal(rig_data(t->bob, "map", "m"), "k='mine'@3");
}

MAP_TEST(test_revision_zero_means_only_if_it_is_not_there, t)
{
	assert_string_equal(data_code(t->ada, "map.set", "m",
				      "'key':'k','value':1,'if_revision':0"),
			    "ok");
	const char *error =
		data_refused(t->bob, "map.set", "m", "'key':'k','value':2,'if_revision':0");
	assert_non_null(strstr(error, "'current':{'value':1,'revision':1,'by':'@ada'}"));
	error = data_refused(t->bob, "map.set", "m", "'key':'new','value':2,'if_revision':1");
	assert_non_null(strstr(error, "'code':'CONFLICT'"));
	assert_non_null(strstr(error, "'current':{}"));
	assert_string_equal(rig_data(t->bob, "map", "m"), "k=1@1");
}

MAP_TEST(test_of_two_writes_at_the_same_revision_one_succeeds, t)
{
	data_set(t->ada, "m", "k", "0");
	rig_hold(&t->r);
	uint32_t a = data_send(t->ada, "map.set", "m", "'key':'k','value':1,'if_revision':1");
	uint32_t b = data_send(t->bob, "map.set", "m", "'key':'k','value':2,'if_revision':1");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->ada, a), "ok");
	assert_string_equal(rig_outcome(t->bob, b), "CONFLICT");
	assert_string_equal(rig_data(t->bob, "map", "m"), "k=1@2");
}

MAP_TEST(test_removing_can_be_conditional_too, t)
{
	data_set(t->ada, "m", "k", "1");
	data_set(t->ada, "m", "k", "2");
	const char *error = data_refused(t->bob, "map.remove", "m", "'key':'k','if_revision':1");
	assert_non_null(strstr(error, "'current':{'value':2,'revision':2,'by':'@ada'}"));
	assert_string_equal(data_code(t->bob, "map.remove", "m", "'key':'k','if_revision':2"),
			    "ok");
	assert_string_equal(data_code(t->bob, "map.remove", "m", "'key':'k'"), "NOT_FOUND key");
	assert_int_equal(rig_stored(&t->r, "MAP#m#"), 0);
}

MAP_TEST(test_a_key_is_any_text_that_may_be_shown, t)
{
	static const char *const keys[] = {"#", "a#b", "ROOM", "\\u00e9", "a b"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		data_set(t->ada, "m", keys[i], "1");
	}
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':'','value':1"),
			    "VALIDATION_ERROR key");
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':' ','value':1"),
			    "VALIDATION_ERROR key");
	assert_string_equal(data_code(t->ada, "map.set", "m", "'key':'a\\u0000','value':1"),
			    "VALIDATION_ERROR key");
	assert_int_equal(rig_stored(&t->r, "MAP#m#"), 5);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_data(bob, "map", "m"),
			    "#=1@1, ROOM=1@1, a b=1@1, a#b=1@1, \xc3\xa9=1@1");
}

MAP_TEST(test_a_key_of_64_bytes_fits, t)
{
	char name[65];
	char key[66];
	memset(name, 'n', 64);
	memset(key, 'k', 65);
	name[64] = key[65] = '\0';
	data_must(t->ada, "map.create", name, "");
	assert_string_equal(data_raw(t->ada, "map.set", name, key, SLICE("\x01")),
			    "VALIDATION_ERROR key");
	key[64] = '\0';
	assert_string_equal(data_raw(t->ada, "map.set", name, key, SLICE("\x01")), "ok");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_non_null(strstr(rig_data(bob, "map", name), key));
	data_must(rig_return(t->ada, false), "map.delete", name, "");
	assert_int_equal(rig_stored(&t->r, "MAP#n"), 0);
}

MAP_TEST(test_a_repeated_call_is_made_once, t)
{
	const char *more = "'key':'k','value':1,'idempotency_key':'0123456789abcdef'";
	char first[200];
	(void)snprintf(first, sizeof(first), "%s", data_must(t->ada, "map.set", "m", more));
	data_set(t->bob, "m", "k", "2");
	assert_string_equal(data_must(t->ada, "map.set", "m", more), first);
	assert_string_equal(rig_data_truth(t->bob, "map", "m"), "k=2@2");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(data_must(ada, "map.set", "m", more), first);
	assert_string_equal(rig_data(ada, "map", "m"), "k=2@2");
}
