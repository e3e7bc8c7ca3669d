/*
 * test_play_stories.c - what there is to estimate: adding, changing, choosing.
 *
 * Their order, and several people changing it at once, is in test_play_order.c.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/unit/server/play.h"

static const char *story_code(struct rig_peer *p, const char *method, const char *params)
{
	return rig_code(p, method, "'room_id':'%s'%s%s", p->rig->room_id,
			params[0] == '\0' ? "" : ",", params);
}

static void act(struct rig_peer *p, const char *method, const char *title)
{
	(void)rig_must(p, method, "'room_id':'%s','story_id':'%s'", p->rig->room_id,
		       rig_story(p, title));
}

static void update(struct rig_peer *p, const char *title, const char *changes)
{
	(void)rig_must(p, "story.update", "'room_id':'%s','story_id':'%s',%s", p->rig->room_id,
		       rig_story(p, title), changes);
}

static void next(struct rig_peer *p)
{
	(void)rig_must(p, "story.next", "'room_id':'%s'", p->rig->room_id);
}

/* ---- adding ---- */

TABLE_TEST(test_an_added_story_is_shown_to_everybody_with_all_it_has, t)
{
	const char *result = rig_must(t->bob, "story.add",
				      "'room_id':'%s','title':' Login  page ',"
				      "'key':' PAY-1 ','link':'https://example.org/1',"
				      "'description':'one\\ntwo','status':'done','estimate':'5'",
				      t->r.room_id);
	assert_non_null(strstr(result, "'story_id':'"));
	assert_non_null(strstr(result, "'version':"));
	assert_string_equal(rig_stories(t->ada), "Login page: done 5");
	assert_non_null(strstr(rig_next(t->ada), "'title':'Login page',"
						 "'key':'PAY-1','link':'https://example.org/1',"
						 "'description':'one\\ntwo','status':'done',"
						 "'estimate':'5'}]"));
}

/* As two imports at once ask for it. */
TABLE_TEST(test_a_key_that_has_to_be_unique_is_refused_where_a_story_has_it, t)
{
	static const struct {
		const char *params, *code;
	} rows[] = {
		{"'title':'a','key':'PAY-1','is_unique':true", "ok"},
		{"'title':'b','key':'PAY-1','is_unique':true", "CONFLICT key"},
		{"'title':'b','key':'pay-1','is_unique':true", "CONFLICT key"},
		{"'title':'b','key':'PAY-12','is_unique':true", "ok"},
		{"'title':'c','key':'PAY-1'", "ok"},
		{"'title':'d','is_unique':true", "ok"},
		{"'title':'e','is_unique':true", "ok"},
		{"'title':'f','key':'#1','link':'https://x.example/a/1','is_unique':true", "ok"},
		{"'title':'g','key':'#1','link':'https://x.example/b/1','is_unique':true", "ok"},
		{"'title':'h','key':'#1','link':'https://x.example/b/1','is_unique':true",
		 "CONFLICT key"},
		{"'title':'h','key':'#1','is_unique':true", "CONFLICT key"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(story_code(t->bob, "story.add", rows[i].params), rows[i].code);
	}
	act(t->bob, "story.remove", "b");
	assert_string_equal(story_code(t->bob, "story.add", rows[3].params), "ok");
}

TABLE_TEST(test_stories_are_added_at_the_end_or_next_to_another, t)
{
	play_story(t->ada, "a");
	play_story(t->bob, "b");
	rig_must(t->bob, "story.add", "'room_id':'%s','title':'c','before':'%s'", t->r.room_id,
		 rig_story(t->bob, "a"));
	rig_must(t->bob, "story.add", "'room_id':'%s','title':'d','after':'%s'", t->r.room_id,
		 rig_story(t->bob, "a"));
	rig_must(t->bob, "story.add", "'room_id':'%s','title':'e','after':'%s'", t->r.room_id,
		 rig_story(t->bob, "b"));
	assert_string_equal(rig_stories(t->ada), "c: todo, a: todo, d: todo, b: todo, e: todo");
}

TABLE_TEST(test_a_story_that_is_none_is_refused_by_its_field, t)
{
	char long_title[900];
	play_story(t->ada, "a");
	memset(long_title, 'x', 201);
	strcpy(long_title + 201, "'");
	memmove(long_title + 9, long_title, 203);
	memcpy(long_title, "'title':'", 9);
	const char *const bad[][2] = {
		{"", "title"},
		{"'title':''", "title"},
		{"'title':'   '", "title"},
		{"'title':'a\\u001b[2J'", "title"},
		{"'title':'a\\u202eb'", "title"},
		{"'title':'a\\nb'", "title"},
		{"'title':null", "title"},
		{"'title':5", "title"},
		{long_title, "title"},
		{"'title':'x','link':'a\\u0007'", "link"},
		{"'title':'x','link':5", "link"},
		{"'title':'x','description':'a\\u0000b'", "description"},
		{"'title':'x','description':'a\\nb\\u001bc'", "description"},
		{"'title':'x','status':'voting'", "status"},
		{"'title':'x','status':'finished'", "status"},
		{"'title':'x','estimate':'123456789'", "estimate"},
		{"'title':'x','before':'NOBODY'", "before"},
		{"'title':'x','after':'NOBODY'", "after"},
		{"'title':'x','before':'a','after':'b'", "after"},
		{"'title':'x','colour':'red'", "colour"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *code = story_code(t->bob, "story.add", bad[i][0]);
		const char *field = strchr(code, ' ');
		if (field == NULL || strcmp(field + 1, bad[i][1]) != 0) {
			fail_msg("%s: %s", bad[i][0], code);
		}
	}
	assert_string_equal(rig_stories(t->ada), "a: todo");
	assert_int_equal(rig_stored(&t->r, "STORY#"), 1);
}

TABLE_TEST(test_a_title_is_up_to_200_cells, t)
{
	char title[601];
	for (size_t i = 0; i < 200; i++) {
		memcpy(title + 3 * i, "\xe2\x82\xac", 4);
	}
	play_story(t->ada, title);
	assert_int_equal(rig_count(t->bob, "room.update"), 1);
	assert_string_equal(rig_code(t->bob, "story.add", "'room_id':'%s','title':'%sx'",
				     t->r.room_id, title),
			    "VALIDATION_ERROR title");
}

TABLE_TEST(test_hostile_titles_and_notes_travel_as_they_are_and_come_back, t)
{
	static const char *const titles[] = {"=1+1",
					     "+cmd|calc",
					     "-2",
					     "@SUM(A1)",
					     "<script>alert(1)</script>",
					     "%s%n%x",
					     "../../etc/passwd",
					     "STORY#V",
					     "a,b;c|d",
					     "\xf0\x9f\x92\xa9 emoji",
					     "null",
					     "true"};
	size_t n = sizeof(titles) / sizeof(titles[0]);
	for (size_t i = 0; i < n; i++) {
		play_story(t->bob, titles[i]);
	}
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	const char *at = rig_stories(ada);
	for (size_t i = 0; i < n; i++) {
		at = strstr(at, titles[i]);
		assert_non_null(at);
	}
}

TABLE_TEST(test_notes_keep_their_lines_and_blanks, t)
{
	static const char *const notes[][2] = {
		{"one\\ntwo", "one\\ntwo"},
		{"one\\r\\ntwo\\r\\n", "one\\ntwo"},
		{" \\n\\n  one\\n\\ntwo", "  one\\n\\ntwo"},
		{"  one   \\n\\ttwo  ", "  one   \\n\\ttwo"},
		{"e\\u0301\\nx", "\xc3\xa9\\nx"},
	};
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
		char expected[64];
		(void)snprintf(expected, sizeof(expected), "'description':'%s'", notes[i][1]);
		rig_forget(t->ada);
		rig_must(t->bob, "story.add", "'room_id':'%s','title':'x','description':'%s'",
			 t->r.room_id, notes[i][0]);
		const char *heard = rig_next(t->ada);
		if (strstr(heard, expected) == NULL) {
			fail_msg("%s is not in %s", expected, heard);
		}
	}
}

TABLE_TEST(test_notes_are_up_to_4_KiB, t)
{
	char notes[MAX_STORY_DESCRIPTION_BYTES + 1];
	memset(notes, 'n', sizeof(notes) - 1);
	notes[sizeof(notes) - 1] = '\0';
	for (size_t i = 100; i < sizeof(notes) - 1; i += 100) {
		memcpy(notes + i, "x", 1);
	}
	assert_string_equal(rig_code(t->bob, "story.add",
				     "'room_id':'%s','title':'x','description':'%s'", t->r.room_id,
				     notes),
			    "ok");
	assert_string_equal(rig_code(t->bob, "story.add",
				     "'room_id':'%s','title':'x','description':'%sn'", t->r.room_id,
				     notes),
			    "VALIDATION_ERROR description");
}

TABLE_TEST(test_a_repeated_call_adds_one_story, t)
{
	char first[256];
	static const char *const params = "'title':'x','idempotency_key':'0123456789abcdef'";
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(t->bob, "story.add", "'room_id':'%s',%s", t->r.room_id, params));
	assert_string_equal(rig_must(t->bob, "story.add", "'room_id':'%s',%s", t->r.room_id,
				     params),
			    first);
	assert_string_equal(rig_stories(t->ada), "x: todo");
}

/* ---- limits ---- */

TABLE_TEST(test_a_room_takes_500_stories_removed_ones_counted, t)
{
	char title[32];
	for (int i = 0; i < MAX_STORIES; i++) {
		(void)snprintf(title, sizeof(title), "story %d", i);
		play_story(t->bob, title);
	}
	assert_string_equal(story_code(t->bob, "story.add", "'title':'one more'"), "TOO_LARGE");
	act(t->bob, "story.remove", "story 7");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'one more'"), "TOO_LARGE");
	update(t->bob, "story 8", "'title':'still changes'");
	assert_int_equal(rig_stored(&t->r, "STORY#"), MAX_STORIES);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_int_equal(times_in(rig_stories(cy), ": todo"), MAX_STORIES);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(story_code(ada, "story.add", "'title':'one more'"), "TOO_LARGE");
}

/* Fill the room's text to less than `left` bytes below its limit. */
static void fill_text(struct table *t, size_t left)
{
	char notes[MAX_STORY_DESCRIPTION_BYTES + 1];
	size_t bytes = 0;
	memset(notes, 'n', sizeof(notes));
	notes[sizeof(notes) - 1] = '\0';
	while (bytes + 1 + left < MAX_STORIES_BYTES) {
		size_t rest = MAX_STORIES_BYTES - left - bytes - 1;
		size_t len = rest < sizeof(notes) - 1 ? rest : sizeof(notes) - 1;
		rig_must(t->bob, "story.add", "'room_id':'%s','title':'x','description':'%.*s'",
			 t->r.room_id, (int)len, notes);
		bytes += len + 1;
	}
}

TABLE_TEST(test_all_text_together_is_bounded_and_shrinking_always_fits, t)
{
	fill_text(t, 10);
	assert_string_equal(story_code(t->bob, "story.add", "'title':'12345678901'"), "TOO_LARGE");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'1234567890'"), "ok");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'y'"), "TOO_LARGE");
	update(t->bob, "1234567890", "'title':'abcdefghij'");
	assert_string_equal(rig_code(t->bob, "story.update",
				     "'room_id':'%s','story_id':'%s','title':'abcdefghijk'",
				     t->r.room_id, rig_story(t->bob, "abcdefghij")),
			    "TOO_LARGE");
	update(t->bob, "abcdefghij", "'title':'abc'");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'1234567'"), "ok");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'y'"), "TOO_LARGE");
}

TABLE_TEST(test_settled_estimates_come_and_go_without_using_up_the_room, t)
{
	play_story(t->ada, "x");
	play_select(t->ada, "x");
	play_open(t, "3", "5");
	for (size_t i = 0; i < 3; i++) {
		rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'12345678'",
			 t->r.room_id);
		update(t->bob, "x", "'estimate':null");
	}
	assert_string_equal(story_code(t->bob, "story.add", "'title':'y'"), "ok");
	fill_text(t, 10);
}

/* ---- changing ---- */

TABLE_TEST(test_updating_changes_what_is_given_and_nothing_else, t)
{
	rig_must(t->bob, "story.add", "'room_id':'%s','title':'a','link':'l','description':'n'",
		 t->r.room_id);
	update(t->ada, "a", "'title':'b'");
	assert_non_null(strstr(play_stories(t->bob),
			       "'title':'b','link':'l','description':'n','status':'todo'}"));
	update(t->ada, "b", "'link':null,'estimate':'8'");
	assert_non_null(strstr(play_stories(t->bob),
			       "'title':'b','description':'n','status':'todo','estimate':'8'}"));
	update(t->ada, "b", "'status':'skipped','description':null,'estimate':null");
	assert_non_null(strstr(play_stories(t->bob), "'title':'b','status':'skipped'}"));
}

TABLE_TEST(test_a_refused_update_changes_nothing, t)
{
	play_story(t->bob, "a");
	assert_string_equal(rig_code(t->bob, "story.update",
				     "'room_id':'%s','story_id':'%s','title':'b','status':'voting'",
				     t->r.room_id, rig_story(t->bob, "a")),
			    "VALIDATION_ERROR status");
	assert_string_equal(story_code(t->bob, "story.update", "'story_id':'x','title':'b'"),
			    "NOT_FOUND story_id");
	assert_string_equal(rig_stories(t->ada), "a: todo");
}

TABLE_TEST(test_a_story_keeps_its_id_whatever_happens_to_it, t)
{
	char id[64];
	play_story(t->bob, "a");
	play_story(t->bob, "b");
	(void)snprintf(id, sizeof(id), "%s", rig_story(t->bob, "a"));
	update(t->bob, "a", "'title':'c'");
	rig_must(t->bob, "story.move", "'room_id':'%s','story_id':'%s','after':'%s'", t->r.room_id,
		 id, rig_story(t->bob, "b"));
	act(t->bob, "story.remove", "c");
	act(t->bob, "story.restore", "c");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_stories(bob), "b: todo, c: todo");
	assert_string_equal(rig_story(bob, "c"), id);
}

/* ---- removing ---- */

TABLE_TEST(test_a_removed_story_keeps_its_place_until_it_is_restored, t)
{
	play_story(t->ada, "a");
	play_story(t->ada, "b");
	play_story(t->ada, "c");
	act(t->bob, "story.remove", "b");
	assert_string_equal(rig_stories(t->ada), "a: todo, -b: todo, c: todo");
	act(t->bob, "story.remove", "b");
	play_story(t->ada, "d");
	act(t->bob, "story.restore", "b");
	act(t->bob, "story.restore", "b");
	assert_string_equal(rig_stories(t->ada), "a: todo, b: todo, c: todo, d: todo");
}

TABLE_TEST(test_the_story_that_is_voted_on_cannot_be_removed, t)
{
	play_story(t->ada, "a");
	play_select(t->ada, "a");
	assert_string_equal(rig_code(t->bob, "story.remove", "'room_id':'%s','story_id':'%s'",
				     t->r.room_id, rig_story(t->bob, "a")),
			    "CONFLICT");
	assert_string_equal(rig_stories(t->bob), "a: voting");
}

TABLE_TEST(test_a_removed_story_is_not_voted_on, t)
{
	play_story(t->ada, "a");
	act(t->bob, "story.remove", "a");
	assert_string_equal(rig_code(t->ada, "story.select", "'room_id':'%s','story_id':'%s'",
				     t->r.room_id, rig_story(t->ada, "a")),
			    "CONFLICT");
	next(t->ada);
	assert_string_equal(rig_of(t->bob, "story_id"), "null");
}

/* ---- choosing ---- */

TABLE_TEST(test_selecting_a_story_makes_it_the_one_that_is_voted_on, t)
{
	play_story(t->ada, "a");
	play_story(t->ada, "b");
	play_select(t->ada, "b");
	assert_string_equal(rig_stories(t->bob), "a: todo, b: voting");
	rig_alias(&t->r, rig_story(t->bob, "b"), "STORY-B");
	assert_string_equal(rig_of(t->bob, "story_id"), "'STORY-B'");
	assert_int_equal(rig_number(t->bob, "round", NULL), 1); /* nobody had voted yet */
	play_select(t->ada, "a");
	assert_string_equal(rig_stories(t->bob), "a: voting, b: todo");
	rig_must(t->ada, "story.select", "'room_id':'%s','story_id':null", t->r.room_id);
	assert_string_equal(rig_stories(t->bob), "a: todo, b: todo");
	assert_string_equal(rig_of(t->bob, "story_id"), "null");
}

TABLE_TEST(test_selecting_another_story_after_a_vote_begins_the_next_round, t)
{
	play_story(t->ada, "a");
	play_story(t->ada, "b");
	play_select(t->ada, "a");
	play_vote(t->bob, "5");
	const char *result = rig_must(t->ada, "story.select", "'room_id':'%s','story_id':'%s'",
				      t->r.room_id, rig_story(t->ada, "b"));
	assert_non_null(strstr(result, "'round':2"));
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
	assert_string_equal(rig_stories(t->bob), "a: todo, b: voting");
}

TABLE_TEST(test_selecting_the_same_story_changes_nothing, t)
{
	play_story(t->ada, "a");
	play_select(t->ada, "a");
	play_vote(t->bob, "5");
	rig_forget(t->bob);
	play_select(t->ada, "a");
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_next_takes_what_is_to_do_from_here_on_and_then_from_the_top, t)
{
	play_story(t->ada, "a");
	play_story(t->ada, "b");
	play_story(t->ada, "c");
	play_story(t->ada, "d");
	update(t->ada, "c", "'status':'skipped'");
	play_select(t->ada, "b");
	play_open(t, "3", "5");
	rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'5'", t->r.room_id);
	next(t->ada);
	assert_string_equal(rig_stories(t->bob), "a: todo, b: done 5, c: skipped, d: voting");
	next(t->ada);
	assert_string_equal(rig_stories(t->bob), "a: voting, b: done 5, c: skipped, d: todo");
	next(t->ada);
	assert_string_equal(rig_stories(t->bob), "a: todo, b: done 5, c: skipped, d: voting");
}

TABLE_TEST(test_next_is_nothing_where_nothing_is_left_to_do, t)
{
	play_story(t->ada, "a");
	play_select(t->ada, "a");
	play_open(t, "3", "5");
	rig_must(t->ada, "round.settle", "'room_id':'%s','estimate':'5'", t->r.room_id);
	const char *result = rig_must(t->ada, "story.next", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(result, "'story_id':null"));
	assert_string_equal(rig_of(t->bob, "story_id"), "null");
	assert_string_equal(rig_stories(t->bob), "a: done 5");
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_next_begins_with_the_first, t)
{
	play_story(t->ada, "a");
	play_story(t->ada, "b");
	next(t->ada);
	assert_string_equal(rig_stories(t->bob), "a: voting, b: todo");
}

TABLE_TEST(test_choosing_is_the_hosts_and_editing_everyones_unless_told_otherwise, t)
{
	play_story(t->bob, "a");
	assert_string_equal(story_code(t->bob, "story.next", ""), "FORBIDDEN");
	assert_string_equal(story_code(t->bob, "story.select", "'story_id':null"), "FORBIDDEN");
	play_policy(t->ada, "'who_edits_stories':'host','who_resets':'everyone'");
	assert_string_equal(story_code(t->bob, "story.next", ""), "ok");
	assert_string_equal(story_code(t->bob, "story.add", "'title':'b'"), "FORBIDDEN");
	assert_string_equal(story_code(t->ada, "story.add", "'title':'b'"), "ok");
	assert_string_equal(rig_stories(t->bob), "a: voting, b: todo");
}

/* ---- reading ---- */

TABLE_TEST(test_the_list_is_read_page_by_page_removed_ones_last, t)
{
	static const char *const titles[] = {"a", "b", "c", "d", "e"};
	char seen[16] = "";
	char cursor[96] = "";
	for (size_t i = 0; i < 5; i++) {
		play_story(t->ada, titles[i]);
	}
	act(t->ada, "story.remove", "b");
	for (int page = 0; page < 3; page++) {
		const char *text = rig_must(t->bob, "story.list", "'room_id':'%s','limit':2%s",
					    t->r.room_id, cursor);
		for (const char *at = strstr(text, "'title':'"); at != NULL;
		     at = strstr(at + 1, "'title':'")) {
			strncat(seen, at + 9, 1);
		}
		const char *more = strstr(text, "'cursor':'");
		assert_int_equal(more != NULL, page < 2);
		if (more != NULL) {
			(void)snprintf(cursor, sizeof(cursor), ",'cursor':'%.*s'",
				       (int)strcspn(more + 10, "'"), more + 10);
		}
	}
	assert_string_equal(seen, "acdeb");
	assert_string_equal(story_code(t->bob, "story.list", "'cursor':'NOBODY'"),
			    "VALIDATION_ERROR cursor");
}

TABLE_TEST(test_a_page_of_long_stories_stays_near_the_size_of_a_message, t)
{
	fill_text(t, 400000);
	size_t before = t->bob->in.len;
	assert_non_null(strstr(play_stories(t->bob), "'cursor':"));
	assert_in_range(t->bob->in.len - before, 1, 2 * MAX_FRAME_BYTES);
}

/* ---- restarts ---- */

TABLE_TEST(test_stories_survive_a_restart_with_all_they_have, t)
{
	rig_must(t->bob, "story.add",
		 "'room_id':'%s','title':'a','link':'l','description':'n\\nm','estimate':'13'",
		 t->r.room_id);
	play_story(t->bob, "b");
	play_story(t->bob, "c");
	play_story(t->bob, "d");
	act(t->bob, "story.remove", "c");
	update(t->bob, "d", "'status':'skipped'");
	play_select(t->ada, "b");
	char *before = strdup(play_stories(t->ada));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(play_stories(ada), before);
	assert_string_equal(rig_stories(ada), "a: todo 13, b: voting, -c: todo, d: skipped");
	free(before);
}
