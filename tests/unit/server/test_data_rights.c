/*
 * test_data_rights.c - shared data: who may change and delete it, who changed
 * it, and that who says goodbye is present no longer.
 */
#include "tests/unit/server/data.h"

static int lay(void **state)
{
	table_lay(state);
	struct table *t = *state;
	data_must(t->ada, "map.create", "m", "");
	data_must(t->ada, "list.create", "l", "");
	data_must(t->ada, "presence.create", "p", "");
	data_set(t->ada, "m", "k", "1");
	data_push(t->ada, "l", "1");
	rig_advance(&t->r, 1000);
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

#define RIGHTS_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

static void set_editors(struct table *t, const char *who)
{
	rig_must(t->ada, "set_policy", "'policy':{'who_edits_data':'%s'}", who);
}

static const struct {
	const char *method;
	const char *name;
	const char *more;
} changes[] = {
	{"map.create", "m", ""},
	{"map.set", "m", "'key':'k','value':2"},
	{"map.remove", "m", "'key':'none'"},
	{"list.create", "l", ""},
	{"list.push", "l", "'value':2"},
	{"list.insert", "l", "'value':2,'before':'none'"},
	{"list.set", "l", "'value':2,'entry_id':'none'"},
	{"list.move", "l", "'entry_id':'none','before':'none'"},
	{"list.remove", "l", "'entry_id':'none'"},
	{"presence.create", "p", ""},
};

static const struct {
	const char *method;
	const char *name;
} deletes[] = {
	{"map.delete", "m"},
	{"list.delete", "l"},
	{"presence.delete", "p"},
};

/* Whether each change is let through to what it is about; and the words where it is not. */
static void assert_may_change(struct rig_peer *p, bool may, const char *why)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		const char *code =
			data_code(p, changes[i].method, changes[i].name, changes[i].more);
		assert_int_equal(strcmp(code, "FORBIDDEN") != 0, may);
		if (!may) {
			const char *error = data_refused(p, changes[i].method, changes[i].name,
							 changes[i].more);
			assert_non_null(strstr(error, why));
		}
	}
}

static void assert_may_not_delete(struct rig_peer *p, const char *why)
{
	for (size_t i = 0; i < sizeof(deletes) / sizeof(deletes[0]); i++) {
		const char *error = data_refused(p, deletes[i].method, deletes[i].name, "");
		assert_non_null(strstr(error, "'FORBIDDEN'"));
		assert_non_null(strstr(error, why));
	}
}

static void assert_may_delete(struct rig_peer *p)
{
	for (size_t i = 0; i < sizeof(deletes) / sizeof(deletes[0]); i++) {
		assert_string_equal(data_code(p, deletes[i].method, deletes[i].name, ""), "ok");
	}
}

/* Reading, and saying how one is present oneself, is for everybody who sees the room. */
static void assert_may_look(struct rig_peer *p)
{
	assert_string_equal(data_code(p, "map.get", "m", ""), "ok");
	assert_string_equal(data_code(p, "list.get", "l", ""), "ok");
	assert_string_equal(data_code(p, "presence.get", "p", ""), "ok");
	assert_string_equal(data_code(p, "presence.set", "p", "'value':1"), "ok");
	assert_string_equal(data_code(p, "presence.remove", "p", ""), "ok");
}

RIGHTS_TEST(test_those_with_a_name_change_it_where_nothing_else_is_said, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_may_look(cy);
	assert_may_change(cy, false, "choose a name first");
	assert_may_not_delete(cy, "choose a name first");
	assert_may_change(t->bob, true, NULL);
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	assert_may_change(t->bob, true, NULL);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_may_change(t->bob, false, "choose a name first");
}

RIGHTS_TEST(test_a_whole_set_is_deleted_by_a_host_or_its_maker, t)
{
	assert_may_not_delete(t->bob, "only a host or its creator can delete it");
	assert_may_delete(t->ada);
	data_must(t->bob, "map.create", "m", "");
	data_must(t->bob, "list.create", "l", "");
	data_must(t->bob, "presence.create", "p", "");
	rig_crash(&t->r); /* who made it is on the disk */
	t->ada = rig_return(t->ada, false);
	t->bob = rig_return(t->bob, false);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_may_not_delete(cy, "only a host or its creator can delete it");
	assert_may_delete(t->bob);
	data_must(t->bob, "map.create", "m", "");
	data_must(t->ada, "map.delete", "m", "");
}

RIGHTS_TEST(test_everyone_means_everybody_who_sees_the_room, t)
{
	set_editors(t, "everyone");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_may_look(cy);
	assert_may_change(cy, true, NULL);
	assert_may_delete(cy);
}

RIGHTS_TEST(test_host_means_hosts_alone, t)
{
	data_must(t->bob, "map.create", "bobs", "");
	set_editors(t, "host");
	assert_may_look(t->bob);
	assert_may_change(t->bob, false, "only a host can do that here");
	assert_may_not_delete(t->bob, "only a host can do that here");
	assert_string_equal(data_code(t->bob, "map.delete", "bobs", ""), "FORBIDDEN");
	assert_may_change(t->ada, true, NULL);
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	assert_may_delete(t->bob);
}

RIGHTS_TEST(test_a_member_in_the_lobby_sees_and_changes_nothing, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'who_edits_data':'everyone','lobby':true}");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_may_change(cy, false, "you are in the lobby; a host must admit you");
	assert_may_not_delete(cy, "you are in the lobby; a host must admit you");
	assert_string_equal(data_code(cy, "presence.set", "p", "'value':1"), "FORBIDDEN");
}

/* ---- who changed it ---- */

RIGHTS_TEST(test_updates_and_gets_say_who_changed_an_entry, t)
{
	data_set(t->bob, "m", "k", "2");
	assert_non_null(
		strstr(rig_next(t->ada), "'entry_id':'k','value':2,'revision':2,'by':'@bob'"));
	rig_must(t->bob, "leave", RIG_NONE);
	rig_forget(t->ada);
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	t->bob = rig_return(t->bob, false);
	assert_non_null(strstr(data_must(t->bob, "map.get", "m", ""),
			       "{'k':{'value':2,'revision':2,'by':'@bob'}}"));
	assert_non_null(
		strstr(data_must(t->bob, "list.get", "l", ""), "'revision':1,'by':'@ada'}]"));
	rig_forget(t->bob);
	data_must(t->ada, "map.remove", "m", "'key':'k'");
	assert_non_null(strstr(rig_next(t->bob), "{'entry_id':'k','by':'@ada','is_gone':true}"));
}

RIGHTS_TEST(test_a_move_is_by_who_moved_it, t)
{
	char more[64];
	data_push(t->ada, "l", "2");
	(void)snprintf(more, sizeof(more), "'entry_id':'%s','before':'%s'",
		       rig_entry(t->ada, "l", 1), rig_entry(t->ada, "l", 0));
	const char *answer = data_must(t->bob, "list.move", "l", more);
	assert_non_null(strstr(answer, "'rank':'"));
	assert_int_equal(rig_field_number(answer, "revision"), 2);
	assert_non_null(strstr(data_must(t->ada, "list.get", "l", ""),
			       "'value':2,'revision':2,'by':'@bob'},"));
}

/* ---- a get goes together with updates ---- */

RIGHTS_TEST(test_a_get_says_where_it_stands_in_the_chain_of_updates, t)
{
	static const char *const gets[][2] = {{"map.get", "m"},
					      {"list.get", "l"},
					      {"presence.get", "p"}};
	for (size_t i = 0; i < 3; i++) {
		const char *set = data_must(t->ada, "map.set", "m", "'key':'k','value':1");
		long long version = rig_field_number(set, "version");
		const char *got = data_must(t->bob, gets[i][0], gets[i][1], "");
		assert_int_equal(rig_field_number(got, "version"), version);
		assert_non_null(strstr(got, "'epoch':EPOCH"));
	}
}

RIGHTS_TEST(test_a_list_is_read_with_its_ranks, t)
{
	const char *pushed = data_must(t->bob, "list.push", "l", "'value':2");
	const char *rank = strstr(pushed, "'rank':'");
	char entry[64];
	assert_non_null(rank);
	(void)snprintf(entry, sizeof(entry), "%.*s,'value':2", (int)(strcspn(rank + 8, "'") + 9),
		       rank);
	assert_non_null(strstr(data_must(t->ada, "list.get", "l", ""), entry));
}

/* ---- entry_ids of the caller's choice ---- */

RIGHTS_TEST(test_an_entry_may_have_an_id_of_the_callers_choice, t)
{
	assert_non_null(strstr(data_must(t->bob, "list.push", "l", "'value':2,'entry_id':'my-1'"),
			       "{'entry_id':'my-1','rank':"));
	data_must(t->bob, "list.insert", "l", "'value':3,'entry_id':'A_z','before':'my-1'");
	data_must(t->ada, "list.set", "l", "'value':4,'entry_id':'A_z'");
	assert_string_equal(data_code(t->ada, "list.push", "l", "'value':5,'entry_id':'my-1'"),
			    "CONFLICT entry_id");
	assert_string_equal(data_code(t->ada, "list.insert", "l",
				      "'value':5,'entry_id':'A_z','after':'my-1'"),
			    "CONFLICT entry_id");
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	t->bob = rig_return(t->bob, false);
	assert_string_equal(rig_data(t->bob, "list", "l"), "1@1, 4@2, 2@1");
	assert_string_equal(data_code(t->ada, "list.push", "l", "'value':5,'entry_id':'my-1'"),
			    "CONFLICT entry_id");
	data_must(t->ada, "list.remove", "l", "'entry_id':'my-1'");
	data_must(t->ada, "list.push", "l", "'value':6,'entry_id':'my-1'");
}

RIGHTS_TEST(test_an_id_is_made_of_letters_digits_and_two_signs, t)
{
	static const char *const bad[] = {"''",	 "'a b'",      "'a#'", "'\\u00e9'",
					  "'.'", "'a\\u0000'", "7"};
	char more[256];
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(more, sizeof(more), "'value':1,'entry_id':%s", bad[i]);
		assert_string_equal(data_code(t->ada, "list.push", "l", more),
				    "VALIDATION_ERROR entry_id");
	}
	(void)snprintf(more, sizeof(more), "'value':1,'entry_id':'%065d'", 0);
	assert_string_equal(data_code(t->ada, "list.push", "l", more), "VALIDATION_ERROR entry_id");
	(void)snprintf(more, sizeof(more), "'value':1,'entry_id':'%064d'", 0);
	assert_string_equal(data_code(t->ada, "list.push", "l", more), "ok");
	assert_string_equal(data_code(t->ada, "list.push", "l", "'value':1,'entry_id':null"), "ok");
}

RIGHTS_TEST(test_a_repeated_push_is_made_once_whatever_its_id, t)
{
	const char *more = "'value':2,'entry_id':'mine','idempotency_key':'0123456789abcdef'";
	char *first = strdup(data_must(t->bob, "list.push", "l", more));
	assert_string_equal(data_must(t->bob, "list.push", "l", more), first);
	free(first);
}

/* ---- goodbye ---- */

RIGHTS_TEST(test_a_member_that_unsubscribes_is_present_no_longer, t)
{
	data_show(t->bob, "p", "1");
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "@bob=1");
	rig_must(t->bob, "unsubscribe", RIG_NONE);
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
	assert_null(strstr(data_must(t->ada, "presence.get", "p", ""), "@bob"));
	rig_follow(t->bob, "");
}

RIGHTS_TEST(test_a_member_that_unsubscribes_on_one_of_two_connections_is_present_still, t)
{
	data_show(t->bob, "p", "1");
	struct rig_peer *phone = rig_return(t->bob, false);
	rig_must(phone, "unsubscribe", RIG_NONE);
	rig_advance(&t->r, 20000);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "@bob=1");
	rig_must(t->bob, "unsubscribe", RIG_NONE);
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
	rig_follow(t->bob, "");
	rig_follow(phone, "");
}

RIGHTS_TEST(test_a_member_that_leaves_and_stays_subscribed_is_present_no_longer, t)
{
	data_show(t->bob, "p", "1");
	rig_advance(&t->r, 50);
	rig_must(t->bob, "leave", RIG_NONE);
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
	data_show(t->bob, "p", "2"); /* as one who watches */
	rig_advance(&t->r, 50);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "@bob=2");
}

RIGHTS_TEST(test_a_long_ttl_does_not_outlive_a_lost_connection, t)
{
	data_must(t->bob, "presence.set", "p", "'value':1,'ttl_ms':3600000");
	rig_cut(t->bob);
	rig_advance(&t->r, 14999);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "@bob=1");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_data(t->ada, "presence", "p"), "");
}
