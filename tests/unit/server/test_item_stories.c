/*
 * test_item_stories.c - items of a container as stories of a room.
 */
#include "tests/unit/server/backlog.h"

BACKLOG_TEST(test_an_item_becomes_a_story_that_says_where_it_is_from, d)
{
	struct item login = add_item(d, "'name':'Login','note':'With a key.\\nNo password.'");
	rig_alias(&d->r, login.id, "ITEM");
	assert_string_equal(add_story(d, d->bob.peer, &login, ""), "ok");
	const char *list = stories_of(d);
	assert_true(says(list, "'title':'Login'"));
	assert_true(says(list, "'description':'With a key.\\nNo password.'"));
	assert_true(says(list, "'item':{'container_id':'BACKLOG','item_id':'ITEM'}"));
	assert_false(says(list, "is_unsaved"));
	rig_crash(&d->r);
	d->ada.peer = rig_connect(&d->r, "ada");
	login_signed(d->ada.peer, "ada", &d->ada.key);
	rig_must(d->ada.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	assert_true(says(stories_of(d), "'item':{'container_id':'BACKLOG','item_id':'ITEM'}"));
}

BACKLOG_TEST(test_what_is_counted_in_anything_but_points_is_no_story, d)
{
	struct item milk = add_item(d, "'name':'Milk','quantity':'1.5','unit':'l'");
	struct item login = add_item(d, "'name':'Login','quantity':'3','unit':'points'");
	struct item eggs = add_item(d, "'name':'Eggs','quantity':'12'");
	struct item salt = add_item(d, "'name':'Salt','unit':'kg'");
	assert_string_equal(add_story(d, d->bob.peer, &milk, ""), "CONFLICT item_id");
	const char *why = rig_refused(d->bob.peer, "story.add",
				      "'room_id':'%s','container_id':'%s','item_id':'%s'",
				      d->r.room_id, d->container, milk.id);
	assert_true(says(why, "'message':'Milk has a quantity: 1.5 l'"));
	assert_false(says(stories_of(d), "Milk"));
	assert_string_equal(add_story(d, d->bob.peer, &login, ""), "ok");
	assert_string_equal(add_story(d, d->bob.peer, &eggs, ""), "ok");
	assert_string_equal(add_story(d, d->bob.peer, &salt, ""), "ok");
}

BACKLOG_TEST(test_what_the_call_says_goes_before_what_the_item_does, d)
{
	struct item login = add_item(d, "'name':'Login','note':'Lines'");
	assert_string_equal(add_story(d, d->bob.peer, &login, ",'title':'Sign in','key':'PAY-1'"),
			    "ok");
	assert_true(says(stories_of(d), "'title':'Sign in'"));
	assert_true(says(stories_of(d), "'key':'PAY-1'"));
	assert_true(says(stories_of(d), "'description':'Lines'"));
}

BACKLOG_TEST(test_a_change_of_the_story_keeps_where_it_is_from, d)
{
	struct item login = add_item(d, "'name':'Login'");
	assert_string_equal(add_story(d, d->bob.peer, &login, ""), "ok");
	char id[65];
	rig_field(stories_of(d), "story_id", id, sizeof(id));
	rig_must(d->bob.peer, "story.update", "'room_id':'%s','story_id':'%s','title':'Sign in'",
		 d->r.room_id, id);
	assert_true(says(stories_of(d), "'item':{'container_id':'BACKLOG'"));
}

BACKLOG_TEST(test_who_may_not_read_the_item_learns_nothing_of_it, d)
{
	struct item login = add_item(d, "'name':'Login'");
	struct item nothing = {"i_AAAAAAAAAA"};
	struct rig_peer *guest = rig_sit(&d->r, "guest");
	rig_must(d->ada.peer, "room.set_policy", "'room_id':'%s','policy':{}", d->r.room_id);
	assert_string_equal(add_story(d, d->dan.peer, &login, ""), "NOT_FOUND item_id");
	assert_string_equal(add_story(d, d->bob.peer, &nothing, ""), "NOT_FOUND item_id");
	assert_string_equal(add_story(d, guest, &login, ""), "FORBIDDEN");
	assert_string_equal(rig_code(d->bob.peer, "story.add", "'room_id':'%s','item_id':'%s'",
				     d->r.room_id, login.id),
			    "VALIDATION_ERROR container_id");
	assert_string_equal(rig_code(d->bob.peer, "story.add", "'room_id':'%s'", d->r.room_id),
			    "VALIDATION_ERROR title");
	assert_false(says(stories_of(d), "Login"));
}

BACKLOG_HEAP_TEST(test_adding_one_is_whole_or_none, d, nth)
{
	struct item login = add_item(d, "'name':'Login','note':'Lines'");
	heap_fail_nth(nth, false);
	uint32_t call = rig_send(d->bob.peer, "story.add",
				 "'room_id':'%s','container_id':'%s','item_id':'%s'", d->r.room_id,
				 d->container, login.id);
	heap_fail_never();
	const char *outcome = rig_outcome(d->bob.peer, call);
	bool is_added = says(stories_of(d), "'title':'Login'");
	assert_true(is_added == (strcmp(outcome, "ok") == 0) || !d->bob.peer->is_open);
}
