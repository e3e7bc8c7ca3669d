/*
 * test_data_frames.c - how shared data reaches those who follow: in order,
 * without a gap, once, and not back to the one who said it.
 */
#include "tests/unit/server/data.h"

static int lay(void **state)
{
	table_lay(state);
	struct table *t = *state;
	data_must(t->ada, "map.create", "m", "");
	data_must(t->ada, "list.create", "l", "");
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

#define FRAMES_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

static struct rig_peer *sit_without_data(struct table *t)
{
	struct rig_peer *p = rig_guest(&t->r, "sparing");
	rig_follow(p, "'data':false");
	rig_forget(p);
	return p;
}

FRAMES_TEST(test_a_change_is_one_frame_with_the_value, t)
{
	data_set(t->ada, "m", "k", "'v'");
	const char *frame = rig_next(t->bob);
	assert_non_null(strstr(frame, "'data':[{'kind':'map','name':'m','entries':[{'entry_id':'k',"
				      "'value':'v','revision':1,'by':'@ada'}]}]}"));
	assert_null(strstr(frame, "'room':"));
	assert_null(strstr(frame, "'users':"));
	assert_string_equal(rig_heard(t->bob), "");
}

FRAMES_TEST(test_the_author_is_not_sent_the_value_but_its_other_connection_is, t)
{
	struct rig_peer *phone = rig_return(t->ada, false);
	rig_forget(phone);
	rig_forget(t->ada);
	data_set(t->ada, "m", "k", "'secret-of-ada'");
	const char *frame = rig_next(t->ada);
	assert_non_null(strstr(frame, "'entry_id':'k','revision':1"));
	assert_null(strstr(frame, "secret-of-ada"));
	assert_string_equal(rig_data(phone, "map", "m"), "k='secret-of-ada'@1");
	assert_string_equal(rig_data(t->bob, "map", "m"), "k='secret-of-ada'@1");
	assert_string_equal(rig_data(t->ada, "map", "m"), "k=?@1");
	data_set(phone, "m", "k", "'other'");
	assert_string_equal(rig_data(t->ada, "map", "m"), "k='other'@2");
}

FRAMES_TEST(test_frames_come_in_the_order_of_the_changes, t)
{
	char value[40];
	rig_hold(&t->r);
	for (int i = 0; i < 20; i++) {
		(void)snprintf(value, sizeof(value), "'key':'k','value':%d", i);
		data_send(i % 2 == 0 ? t->ada : t->bob, "map.set", "m", value);
	}
	rig_release(&t->r);
	assert_string_equal(rig_data_truth(t->bob, "map", "m"), "k=19@20");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_string_equal(rig_data(cy, "map", "m"), "k=19@20");
	int64_t last = 0;
	while (rig_next(t->bob)[0] != '\0') {
		const char *at = strstr(t->bob->line, "'revision':");
		if (at != NULL) {
			int64_t revision = strtoll(at + 11, NULL, 10);
			assert_true(revision == last + 1);
			last = revision;
		}
	}
	assert_int_equal(last, 20);
}

/* Votes and data in one unit of work, in every order of six: whoever follows has no gap. */
FRAMES_TEST(test_votes_and_data_in_one_commit_make_one_chain, t)
{
	struct rig_peer *sparing = sit_without_data(t);
	for (unsigned mix = 0; mix < 64; mix++) {
		rig_hold(&t->r);
		rig_send(t->ada, "set_title", "'title':'%u'", mix);
		for (unsigned i = 0; i < 6; i++) {
			if ((mix >> i & 1) != 0) {
				rig_send(t->bob, "vote", "'vote':'%s'", i % 2 == 0 ? "3" : "5");
			} else {
				char more[64];
				(void)snprintf(more, sizeof(more), "'key':'%u','value':%u", i, mix);
				data_send(t->ada, "map.set", "m", more);
			}
		}
		rig_release(&t->r);
		rig_forget(t->ada);
		rig_forget(t->bob);
		rig_forget(sparing);
		rig_assert_all_same(&t->r);
		struct rig_peer *late = rig_return(t->bob, mix % 2 == 0);
		rig_assert_same(late);
		rig_cut(t->bob);
		t->bob = late;
	}
}

FRAMES_TEST(test_a_subscriber_without_data_has_none_and_no_gap, t)
{
	struct rig_peer *sparing = sit_without_data(t);
	data_set(t->ada, "m", "k", "'v'");
	rig_must(t->bob, "vote", "'vote':'5'");
	data_push(t->bob, "l", "1");
	data_must(t->ada, "map.delete", "m", "");
	assert_false(rig_copy(sparing, sparing->room_id)->has_data);
	assert_int_equal(rig_copy(sparing, sparing->room_id)->version,
			 rig_copy(t->bob, t->bob->room_id)->version);
	while (rig_next(sparing)[0] != '\0') {
		assert_null(strstr(sparing->line, "'data'"));
	}
	rig_assert_same(sparing);
	assert_string_equal(rig_table(sparing), rig_truth(t->bob));
}

/* It cannot go on from a copy that it made without. */
FRAMES_TEST(test_a_subscriber_that_asks_for_data_later_gets_everything, t)
{
	data_set(t->ada, "m", "a", "1");
	struct rig_peer *sparing = sit_without_data(t);
	data_set(t->ada, "m", "b", "2");
	const struct rig_copy *copy = rig_copy(sparing, sparing->room_id);
	rig_must(sparing, "subscribe", "'data':true,'since':{'epoch':%lld,'version':%lld}",
		 (long long)copy->epoch, (long long)copy->version);
	assert_string_equal(rig_data(sparing, "map", "m"), "a=1@1, b=2@1");
}

FRAMES_TEST(test_a_full_update_has_all_of_it_or_none, t)
{
	data_set(t->ada, "m", "a", "1");
	data_set(t->bob, "m", "b", "[2]");
	data_push(t->ada, "l", "'x'");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_string_equal(rig_data(cy, "map", "m"), "a=1@1, b=[2]@1");
	assert_string_equal(rig_data(cy, "list", "l"), "'x'@1");
	struct rig_peer *sparing = rig_guest(&t->r, "sparing");
	rig_follow(sparing, "'data':false");
	assert_false(rig_copy(sparing, sparing->room_id)->has_data);
	/* Both kinds begin in the same unit of work. */
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	struct rig_peer *eve = rig_guest(&t->r, "eve");
	uint32_t d = rig_send(dan, "subscribe", RIG_NONE);
	uint32_t e = rig_send(eve, "subscribe", "'data':false");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(dan, d), "ok");
	assert_string_equal(rig_outcome(eve, e), "ok");
	assert_true(rig_copy(dan, dan->room_id)->has_data);
	assert_false(rig_copy(eve, eve->room_id)->has_data);
}

FRAMES_TEST(test_a_client_that_reconnects_resumes_where_it_stopped, t)
{
	data_set(t->ada, "m", "a", "1");
	rig_assert_same(t->bob);
	rig_cut(t->bob);
	data_set(t->ada, "m", "a", "2");
	data_push(t->ada, "l", "'x'");
	rig_must(t->ada, "vote", "'vote':'5'");
	data_set(t->ada, "m", "b", "3");
	t->bob = rig_return(t->bob, true);
	rig_assert_same(t->bob);
	assert_string_equal(rig_data(t->bob, "map", "m"), "a=2@2, b=3@1");
	for (const char *n = rig_next(t->bob); n[0] != '\0'; n = rig_next(t->bob)) {
		assert_null(strstr(n, "'full':true"));
	}
}

/* What is kept for clients that resume is measured by all they would else be sent. */
FRAMES_TEST(test_a_subscriber_without_data_does_not_shorten_what_others_resume_from, t)
{
	struct buf value = data_value_of(MAX_DATA_VALUE_BYTES);
	for (int i = 0; i < 8; i++) {
		char key[16];
		(void)snprintf(key, sizeof(key), "k%d", i);
		assert_string_equal(data_raw(t->ada, "map.set", "m", key, buf_slice(&value)), "ok");
	}
	buf_finish(&value);
	rig_cut(rig_sit(&t->r, "cy"));
	sit_without_data(t);
	uint64_t fulls = server_counters(t->r.server)->full_updates;
	rig_cut(t->bob);
	for (int i = 0; i < 40; i++) {
		rig_must(t->ada, "set_title", "'title':'%d'", i);
	}
	t->bob = rig_return(t->bob, true);
	rig_assert_same(t->bob);
	assert_int_equal(server_counters(t->r.server)->full_updates, fulls);
}

/* A change of the room and one of its data in one commit are two frames: who has only the first goes
 * on with the second. */
FRAMES_TEST(test_a_client_cut_off_between_two_frames_of_a_commit_has_no_gap, t)
{
	for (size_t taken = 0; taken < 700; taken++) {
		rig_window(t->bob, taken);
		rig_hold(&t->r);
		rig_send(t->ada, "set_title", "'title':'is on its way'");
		rig_send(t->ada, "set_title", "'title':'%zu'", taken);
		data_send(t->ada, "map.set", "m", "'key':'k','value':1");
		rig_release(&t->r);
		rig_cut(t->bob);
		rig_must(t->ada, "set_title", "'title':'t'");
		t->bob = rig_return(t->bob, true);
		rig_assert_same(t->bob);
		rig_forget(t->ada);
		rig_advance(&t->r, 10);
	}
}

/* Its own frames, too, in full: a new connection is not the one that said them. */
FRAMES_TEST(test_an_author_that_comes_back_is_sent_what_it_may_have_missed, t)
{
	rig_window(t->ada, 0);
	data_send(t->ada, "map.set", "m", "'key':'k','value':'mine'");
	rig_cut(t->ada);
	t->ada = rig_return(t->ada, true);
	assert_string_equal(rig_data(t->ada, "map", "m"), "k='mine'@1");
}

FRAMES_TEST(test_a_write_may_end_at_every_byte, t)
{
	struct rig_peer *sparing = sit_without_data(t);
	struct rig_peer *readers[] = {t->ada, t->bob, sparing};
	for (size_t who = 0; who < 3; who++) {
		for (size_t cut = 0; cut < 700; cut++) {
			rig_window(readers[who], cut);
			data_send(t->ada, "map.set", "m", "'key':'k','value':'a value'");
			rig_send(readers[who] == t->bob ? t->ada : t->bob, "vote", "'vote':'%s'",
				 cut % 2 == 0 ? "3" : "5");
			rig_window(readers[who], RIG_UNBOUNDED);
			rig_assert_same(readers[who]);
			rig_forget(t->ada);
			rig_forget(t->bob);
			rig_forget(sparing);
			rig_advance(&t->r, 10);
		}
	}
}

/* Author, others and sparing readers that fall behind the log get all of it anew. */
FRAMES_TEST(test_a_subscriber_that_falls_behind_gets_a_full_update, t)
{
	struct rig_peer *sparing = sit_without_data(t);
	struct buf value = data_value_of(MAX_DATA_VALUE_BYTES);
	rig_window(t->bob, 10);
	rig_window(sparing, 10);
	for (int i = 0; i < 60; i++) {
		char key[16];
		(void)snprintf(key, sizeof(key), "k%d", i % 30);
		assert_string_equal(data_raw(t->ada, "map.set", "m", key, buf_slice(&value)), "ok");
	}
	rig_window(t->bob, RIG_UNBOUNDED);
	rig_window(sparing, RIG_UNBOUNDED);
	rig_assert_all_same(&t->r);
	buf_finish(&value);
}

FRAMES_TEST(test_after_a_restart_it_is_as_it_was, t)
{
	data_set(t->ada, "m", "a", "{'x':[1,2]}");
	data_set(t->ada, "m", "a", "{'x':[3]}");
	data_set(t->bob, "m", "b", "null");
	data_push(t->ada, "l", "'x'");
	data_push(t->ada, "l", "'y'");
	data_must(t->ada, "map.create", "empty", "");
	char *map = strdup(rig_data_truth(t->bob, "map", "m"));
	char *list = strdup(rig_data_truth(t->bob, "list", "l"));
	char id[32];
	(void)snprintf(id, sizeof(id), "%s", rig_entry(t->bob, "l", 1));
	rig_crash(&t->r);
	t->bob = rig_return(t->bob, false);
	assert_string_equal(rig_data(t->bob, "map", "m"), map);
	assert_string_equal(rig_data(t->bob, "list", "l"), list);
	assert_string_equal(rig_entry(t->bob, "l", 1), id);
	assert_non_null(strstr(data_must(t->bob, "map.get", "empty", ""), "{'entries':{},"));
	free(map);
	free(list);
}

FRAMES_TEST(test_what_was_not_stored_did_not_happen, t)
{
	data_set(t->ada, "m", "k", "1");
	data_push(t->ada, "l", "'x'");
	char more[128];
	(void)snprintf(more, sizeof(more), "'entry_id':'%s'", rig_entry(t->bob, "l", 0));
	static const char *const acts[][3] = {
		{"map.set", "m", "'key':'k','value':2"},
		{"map.set", "m", "'key':'n','value':2"},
		{"map.remove", "m", "'key':'k'"},
		{"map.delete", "m", ""},
		{"map.create", "n", ""},
		{"list.push", "l", "'value':1"},
		{"list.remove", "l", NULL},
		{"list.delete", "l", ""},
	};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		rig_fail_commits(&t->r, 1, ERR_IO);
		assert_string_equal(data_code(t->ada, acts[i][0], acts[i][1],
					      acts[i][2] == NULL ? more : acts[i][2]),
				    "UNAVAILABLE");
		assert_string_equal(rig_data(t->bob, "map", "m"), "k=1@1");
		assert_string_equal(rig_data(t->bob, "list", "l"), "'x'@1");
		assert_string_equal(rig_data_truth(t->bob, "map", "m"), "k=1@1");
		rig_assert_all_same(&t->r);
	}
	assert_string_equal(data_code(t->ada, "map.get", "n", ""), "NOT_FOUND name");
}

/* Nothing of the old one is in the new one, on the wire or on the disk. */
FRAMES_TEST(test_a_set_may_be_deleted_and_made_again_in_one_commit, t)
{
	data_set(t->ada, "m", "old", "1");
	data_push(t->ada, "l", "'old'");
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	data_send(t->ada, "map.set", "m", "'key':'older','value':1");
	data_send(t->ada, "map.delete", "m", "");
	data_send(t->bob, "map.create", "m", "");
	data_send(t->bob, "map.set", "m", "'key':'new','value':2");
	data_send(t->ada, "list.delete", "l", "");
	data_send(t->ada, "list.create", "l", "");
	data_send(t->ada, "list.push", "l", "'value':'new'");
	rig_release(&t->r);
	assert_string_equal(rig_data(t->ada, "map", "m"), "new=2@1");
	assert_string_equal(rig_data(t->bob, "list", "l"), "'new'@1");
	assert_int_equal(rig_stored(&t->r, "MAP#m#"), 1);
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), 1);
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	assert_string_equal(rig_data(t->ada, "map", "m"), "new=2@1");
	assert_string_equal(rig_data(t->ada, "list", "l"), "'new'@1");
}

FRAMES_TEST(test_a_change_of_data_keeps_the_room, t)
{
	struct rig_peer *ada = rig_guest(&t->r, "script");
	rig_cut(t->bob);
	rig_cut(t->ada);
	for (size_t i = 0; i < 3; i++) {
		rig_advance(&t->r, 9 * 60000);
		char more[128];
		(void)snprintf(more, sizeof(more), "'key':'k','value':1,'user_key':'%s'",
			       t->ada->user_key);
		data_must(ada, "map.set", "m", more);
	}
	rig_advance(&t->r, 59 * 60000);
	assert_int_equal(rig_stored(&t->r, "ROOM"), 1);
	rig_advance(&t->r, 3 * 60000);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}
