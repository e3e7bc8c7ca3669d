/*
 * test_group_defaults.c - what new rooms of a group begin with: owners say so, and members see it.
 */
#include "tests/unit/server/club.h"

static const char *set_defaults(struct club *d, const char *more)
{
	return of_group(d, &d->ada, "group.set_defaults", more);
}

CLUB_TEST(test_a_new_group_has_none, d)
{
	assert_false(says(group_of(d, &d->ada), "defaults"));
}

CLUB_TEST(test_a_deck_takes_the_place_of_another, d)
{
	enrol(d, &d->bob);
	assert_string_equal(set_defaults(d, ",'deck':'fibonacci'"), "ok");
	assert_true(says(group_of(d, &d->bob), "'defaults':{'deck':'fibonacci'}"));
	assert_string_equal(set_defaults(d, ",'valid_sizes':[' 1','2 ','3']"), "ok");
	assert_true(says(group_of(d, &d->bob), "'defaults':{'valid_sizes':['1','2','3']}"));
	assert_string_equal(set_defaults(d, ",'deck':'tshirt'"), "ok");
	assert_true(says(group_of(d, &d->bob), "'defaults':{'deck':'tshirt'}"));
	assert_string_equal(set_defaults(d, ",'deck':null"), "ok");
	assert_false(says(group_of(d, &d->bob), "defaults"));
}

CLUB_TEST(test_fields_of_the_policy_change_one_by_one, d)
{
	assert_string_equal(set_defaults(d, ",'policy':{'lobby':true,'who_reveals':'everyone'}"),
			    "ok");
	assert_true(says(group_of(d, &d->ada), "'lobby':true"));
	assert_string_equal(set_defaults(d, ",'policy':{'quorum':3,'passcode':'sesame'}"), "ok");
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	const char *now = group_of(d, &d->ada);
	assert_true(says(now, "'who_reveals':'everyone'"));
	assert_true(says(now, "'lobby':true"));
	assert_true(says(now, "'auto_reveal':true"));
	assert_true(says(now, "'quorum':3"));
	assert_true(says(now, "'has_passcode':true"));
	assert_false(says(now, "sesame"));
	assert_string_equal(set_defaults(d, ",'policy':{'lobby':false,'passcode':null}"), "ok");
	assert_true(says(group_of(d, &d->ada), "'lobby':false"));
	assert_true(says(group_of(d, &d->ada), "'has_passcode':false"));
	assert_true(says(group_of(d, &d->ada), "'version':4"));
}

CLUB_TEST(test_links_and_times_are_kept_and_taken_away, d)
{
	assert_string_equal(set_defaults(d,
					 ",'link_template':'https://x/{key}','timer_seconds':300"),
			    "ok");
	assert_string_equal(set_defaults(d, ",'reveal_in_seconds':172800"), "ok");
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	assert_true(says(group_of(d, &d->ada),
			 "'defaults':{'link_template':'https://x/{key}','timer_seconds':300,"
			 "'reveal_in_seconds':172800}"));
	assert_string_equal(set_defaults(d, ",'link_template':null,'timer_seconds':0"), "ok");
	assert_true(says(group_of(d, &d->ada), "'defaults':{'reveal_in_seconds':172800}"));
	assert_string_equal(set_defaults(d, ",'reveal_in_seconds':0"), "ok");
	assert_false(says(group_of(d, &d->ada), "defaults"));
}

CLUB_TEST(test_reactions_are_kept_and_taken_away, d)
{
	enrol(d, &d->bob);
	assert_string_equal(set_defaults(d, ",'reactions':[' ship ','🦄']"), "ok");
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	assert_true(says(group_of(d, &d->ada), "'defaults':{'reactions':['ship','🦄']}"));
	assert_string_equal(set_defaults(d, ",'timer_seconds':300"), "ok");
	assert_true(says(group_of(d, &d->ada), "'reactions':['ship'"));
	assert_string_equal(set_defaults(d, ",'reactions':[]"), "ok");
	assert_true(says(group_of(d, &d->ada), "'defaults':{'timer_seconds':300}"));
}

/* As room.create and room.set_policy refuse them. */
CLUB_TEST(test_what_a_room_cannot_have_is_refused, d)
{
	static const struct {
		const char *more, *code;
	} bad[] = {
		{",'deck':'nonsense'", "VALIDATION_ERROR deck"},
		{",'deck':'fibonacci','valid_sizes':['1','2']", "VALIDATION_ERROR deck"},
		{",'deck':null,'valid_sizes':['1','2']", "VALIDATION_ERROR deck"},
		{",'valid_sizes':['1']", "VALIDATION_ERROR valid_sizes"},
		{",'valid_sizes':[]", "VALIDATION_ERROR valid_sizes"},
		{",'valid_sizes':['1','1']", "VALIDATION_ERROR valid_sizes[1]"},
		{",'valid_sizes':['1','a\\u202eb']", "VALIDATION_ERROR valid_sizes[1]"},
		{",'policy':{'lobby':1}", "VALIDATION_ERROR policy.lobby"},
		{",'policy':{'quorum':-1}", "VALIDATION_ERROR policy.quorum"},
		{",'policy':{'nonsense':true}", "VALIDATION_ERROR policy.nonsense"},
		{",'policy':[]", "VALIDATION_ERROR policy"},
		{",'link_template':'https://x/'", "VALIDATION_ERROR link_template"},
		{",'timer_seconds':-1", "VALIDATION_ERROR timer_seconds"},
		{",'timer_seconds':7776001", "VALIDATION_ERROR timer_seconds"},
		{",'reveal_in_seconds':7776001", "VALIDATION_ERROR reveal_in_seconds"},
		{",'reactions':'ship'", "VALIDATION_ERROR reactions"},
		{",'reactions':['1','2','3','4','5','6','7']", "VALIDATION_ERROR reactions"},
		{",'reactions':['a','']", "VALIDATION_ERROR reactions[1]"},
		{",'reactions':['a',' ']", "VALIDATION_ERROR reactions[1]"},
		{",'reactions':['two words']", "VALIDATION_ERROR reactions[0]"},
		{",'reactions':['thirteencells']", "VALIDATION_ERROR reactions[0]"},
		{",'reactions':['🦄🦄🦄🦄🦄🦄🦄']", "VALIDATION_ERROR reactions[0]"},
		{",'reactions':['a','b','a ']", "VALIDATION_ERROR reactions[2]"},
		{",'reactions':['a\\u202eb']", "VALIDATION_ERROR reactions[0]"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *code = set_defaults(d, bad[i].more);
		if (strcmp(code, bad[i].code) != 0) {
			fail_msg("%s: %s", bad[i].more, code);
		}
	}
	assert_true(says(group_of(d, &d->ada), "'version':1"));
}

/* Whatever fails for want of memory can be done when there is some. */
CLUB_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	const char *more = ",'valid_sizes':['1','2'],'policy':{'passcode':'sesame'},"
			   "'link_template':'https://x/{key}','reactions':['ship']";
	heap_fail_nth(nth, false);
	rig_send(d->ada.peer, "group.set_defaults", "'group_id':'%s'%s", d->group, more);
	if (d->ada.peer->is_open) {
		rig_send(d->ada.peer, "group.get", "'group_id':'%s'", d->group);
	}
	heap_fail_never();
	rig_settle(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	assert_string_equal(set_defaults(d, more), "ok");
	assert_true(says(group_of(d, &d->ada), "'valid_sizes':['1','2']"));
	assert_true(says(group_of(d, &d->ada), "'has_passcode':true"));
}
