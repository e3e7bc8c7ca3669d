/*
 * test_item_life.c - items of a container: adding, changing, adjusting, moving and removing them.
 */
#include "tests/unit/server/club.h"

/* Add an item to ada's container, with params behind the name, which begin with a comma. */
static void add(struct club *d, struct club_user *u, const char *more, char id[32])
{
	rig_field(rig_must(u->peer, "item.add", "'container_id':'%s','name':'Rice'%s", d->container,
			   more),
		  "item_id", id, 32);
}

/* A method on an item of it. */
static const char *of_item(struct club *d, struct club_user *u, const char *method, const char *id,
			   const char *more)
{
	return rig_code(u->peer, method, "'container_id':'%s','item_id':'%s'%s", d->container, id,
			more);
}

/* The first item of a container as it is listed. */
static const char *first_in(struct club *d, const char *container)
{
	return rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", container);
}

static const char *first_of(struct club *d)
{
	return first_in(d, d->container);
}

static const char *why_not(struct club *d, const char *method, const char *id, const char *more)
{
	return rig_refused(d->ada.peer, method, "'container_id':'%s','item_id':'%s'%s",
			   d->container, id, more);
}

CLUB_TEST(test_an_item_is_shown_as_it_was_given, d)
{
	char id[32], expected[400];
	add(d, &d->ada,
	    ",'unit':'kg','quantity':'1.50','category':'food','expiry':1800000000000,"
	    "'note':'brown\\nor white'",
	    id);
	assert_memory_equal(id, "i_", 2);
	assert_int_equal(strlen(id), 12);
	(void)snprintf(expected, sizeof(expected),
		       "{'items':[{'item_id':'%s','name':'Rice','unit':'kg','quantity':'1.5',"
		       "'category':'food','expiry':1800000000000,'note':'brown\\nor white',"
		       "'created_at':1700000000000,'updated_at':1700000000000,'revision':1}],"
		       "'version':2}",
		       id);
	assert_string_equal(first_of(d), expected);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "ITEM#"), 1);
}

/* ---- keys of trackers ---- */

static const char *add_once(struct club *d, const char *name, const char *more)
{
	return rig_code(d->ada.peer, "item.add",
			"'container_id':'%s','name':'%s','is_unique':true%s", d->container, name,
			more);
}

static void add_named(struct club *d, const char *name, char id[32])
{
	rig_field(rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'%s'", d->container,
			   name),
		  "item_id", id, 32);
}

CLUB_TEST(test_a_key_is_added_once_in_any_case, d)
{
	assert_string_equal(add_once(d, "PAY-1 Refund", ""), "ok");
	assert_string_equal(add_once(d, "PAY-1 Refund", ""), "CONFLICT name");
	assert_string_equal(add_once(d, "pay-1 Other", ""), "CONFLICT name");
	assert_string_equal(add_once(d, "PAY-12 Other", ""), "ok");
	assert_string_equal(add_once(d, "Rice", ""), "ok");
	assert_string_equal(add_once(d, "Rice", ""), "ok"); /* no key */
	assert_string_equal(add_once(d, "#1 a", ",'note':'x\\nhttps://x.example/a/1'"), "ok");
	assert_string_equal(add_once(d, "#1 a", ",'note':'https://x.example/b/1'"), "ok");
	assert_string_equal(add_once(d, "#1 b", ",'note':'https://x.example/b/1'"),
			    "CONFLICT name");
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "KEY#"), 4);
}

CLUB_TEST(test_a_key_goes_and_comes_with_the_name_of_its_item, d)
{
	char id[32], second[32];
	add_named(d, "PAY-1 Refund", id);
	add_named(d, "pay-1 Again", second); /* by hand two have it: the first holds it */
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "KEY#"), 1);
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'name':'PAY-2 Refund'"), "ok");
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "KEY#"), 1);
	assert_string_equal(add_once(d, "PAY-2 x", ""), "CONFLICT name");
	/* One that had none gets it when it is next written. */
	assert_string_equal(of_item(d, &d->ada, "item.update", second, ",'quantity':'3'"), "ok");
	assert_string_equal(add_once(d, "PAY-1 x", ""), "CONFLICT name");
	assert_string_equal(of_item(d, &d->ada, "item.remove", second, ""), "ok");
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'name':'Refund'"), "ok");
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "KEY#"), 0);
	assert_string_equal(add_once(d, "PAY-1 x", ""), "ok");
}

/* Of items and of those without an estimate, as the container is shown. */
static void assert_counts(struct club *d, int items, int unestimated)
{
	char counts[64];
	(void)snprintf(counts, sizeof(counts), "'items':%d,'unestimated':%d,", items, unestimated);
	assert_non_null(
		strstr(rig_must(d->ada.peer, "container.get", "'container_id':'%s'", d->container),
		       counts));
}

/* Neither a quantity nor a card that is none, which stands as the unit. */
CLUB_TEST(test_a_container_counts_items_without_an_estimate, d)
{
	char story[32], milk[32], letter[32];
	assert_counts(d, 0, 0);
	add(d, &d->ada, "", story);
	add(d, &d->ada, ",'quantity':'1.5','unit':'l'", milk);
	add(d, &d->ada, ",'unit':'XL'", letter);
	assert_counts(d, 3, 1);
	assert_string_equal(of_item(d, &d->ada, "item.update", story, ",'quantity':'5'"), "ok");
	assert_counts(d, 3, 0);
	assert_string_equal(of_item(d, &d->ada, "item.update", story, ",'quantity':null"), "ok");
	assert_string_equal(of_item(d, &d->ada, "item.update", letter, ",'unit':null"), "ok");
	assert_counts(d, 3, 2);
	assert_string_equal(of_item(d, &d->ada, "item.adjust", story, ",'by':'1'"), "ok");
	assert_counts(d, 3, 1);
	assert_string_equal(of_item(d, &d->ada, "item.remove", letter, ""), "ok");
	assert_counts(d, 2, 0);
}

CLUB_TEST(test_an_item_needs_a_name_and_no_more, d)
{
	char id[32];
	add(d, &d->ada, "", id);
	const char *item = first_of(d);
	assert_true(says(item, "'name':'Rice','category':'none','created_at'"));
	assert_string_equal(rig_code(d->ada.peer, "item.add", "'container_id':'%s'", d->container),
			    "VALIDATION_ERROR name");
}

CLUB_TEST(test_what_is_given_is_changed_and_nothing_else, d)
{
	static const struct {
		const char *more, *shown;
	} steps[] = {
		{",'name':'Brown rice'", "'name':'Brown rice','unit':'kg','quantity':'2',"},
		{",'quantity':'0'",
		 "'name':'Brown rice','unit':'kg','quantity':'0','category':'food'"},
		{",'quantity':'0.25','unit':'t'", "'unit':'t','quantity':'0.25',"},
		{",'category':'dry'", "'category':'dry','expiry':9,'note':'x'"},
		{",'unit':null", "'name':'Brown rice','quantity':'0.25',"},
		{",'quantity':null", "'name':'Brown rice','category':'dry',"},
		{",'expiry':null", "'category':'dry','note':'x','created_at'"},
		{",'note':null", "'category':'dry','created_at'"},
		{",'expiry':1,'note':'y\\nz'", "'expiry':1,'note':'y\\nz'"},
	};
	char id[32];
	add(d, &d->ada, ",'unit':'kg','quantity':'2','category':'food','expiry':9,'note':'x'", id);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		char stands[120];
		rig_advance(&d->r, SECOND_MS);
		assert_string_equal(of_item(d, &d->ada, "item.update", id, steps[i].more), "ok");
		(void)snprintf(stands, sizeof(stands),
			       "'created_at':1700000000000,'updated_at':%lld,'revision':%zu",
			       1700000000000LL + (long long)(i + 1) * SECOND_MS, i + 2);
		const char *item = first_of(d);
		if (!says(item, steps[i].shown) || !says(item, stands)) {
			fail_msg("%s: %s", steps[i].more, item);
		}
	}
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ""), "ok");
	assert_true(says(first_of(d), "'revision':10"));
}

CLUB_TEST(test_name_and_category_cannot_be_taken_away, d)
{
	char id[32];
	add(d, &d->ada, ",'category':'food'", id);
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'name':null,'category':null"),
			    "ok");
	assert_true(says(first_of(d), "'name':'Rice','category':'food'"));
	assert_true(says(first_of(d), "'revision':1"));
}

/* ---- bounds ---- */

CLUB_TEST(test_bad_values_name_their_field, d)
{
	static const struct {
		const char *more, *outcome;
	} bad[] = {
		{",'name':''", "VALIDATION_ERROR name"},
		{",'name':'a\\u001b'", "VALIDATION_ERROR name"},
		{",'name':'a\\u202eb'", "VALIDATION_ERROR name"},
		{",'name':5", "VALIDATION_ERROR name"},
		{",'unit':''", "VALIDATION_ERROR unit"},
		{",'unit':'123456789012345678901'", "VALIDATION_ERROR unit"},
		{",'category':'a\\nb'", "VALIDATION_ERROR category"},
		{",'quantity':''", "VALIDATION_ERROR quantity"},
		{",'quantity':'1e3'", "VALIDATION_ERROR quantity"},
		{",'quantity':'-0'", "VALIDATION_ERROR quantity"},
		{",'quantity':'-1'", "VALIDATION_ERROR quantity"},
		{",'quantity':'.5'", "VALIDATION_ERROR quantity"},
		{",'quantity':'NaN'", "VALIDATION_ERROR quantity"},
		{",'quantity':'0.001'", "VALIDATION_ERROR quantity"},
		{",'quantity':'1000000000000'", "VALIDATION_ERROR quantity"},
		{",'quantity':'00000000000000000000'", "VALIDATION_ERROR quantity"},
		{",'quantity':true", "VALIDATION_ERROR quantity"},
		{",'expiry':0", "VALIDATION_ERROR expiry"},
		{",'expiry':-1", "VALIDATION_ERROR expiry"},
		{",'expiry':253402300800000", "VALIDATION_ERROR expiry"},
		{",'expiry':'tomorrow'", "VALIDATION_ERROR expiry"},
		{",'note':''", "VALIDATION_ERROR note"},
		{",'note':'a\\u202eb'", "VALIDATION_ERROR note"},
		{",'unit':'12345678901234567890'", "ok"},
		{",'quantity':'999999999999.99'", "ok"},
		{",'expiry':253402300799999", "ok"},
	};
	char id[32];
	add(d, &d->ada, "", id);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *outcome = of_item(d, &d->ada, "item.update", id, bad[i].more);
		if (strcmp(outcome, bad[i].outcome) != 0) {
			fail_msg("%s: %s", bad[i].more, outcome);
		}
		if (strstr(bad[i].more, "name") == NULL) {
			assert_string_equal(rig_code(d->ada.peer, "item.add",
						     "'container_id':'%s','name':'x'%s",
						     d->container, bad[i].more),
					    bad[i].outcome);
		}
	}
}

CLUB_TEST(test_texts_are_as_long_as_they_may_be, d)
{
	static const struct {
		const char *field;
		size_t most;
		const char *letter;
	} rows[] = {
		{"name", MAX_ITEM_NAME_CHARS, "\xf0\x9f\x82\xa1"},
		{"unit", MAX_ITEM_UNIT_CHARS, "\xf0\x9f\x82\xa1"},
		{"category", MAX_ITEM_CATEGORY_CHARS, "\xf0\x9f\x82\xa1"},
		{"note", MAX_ITEM_NOTE_BYTES, "x"},
	};
	char id[32], expected[40];
	char *more = malloc(8192);
	assert_non_null(more);
	add(d, &d->ada, "", id);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)snprintf(expected, sizeof(expected), "VALIDATION_ERROR %s", rows[i].field);
		for (size_t extra = 0; extra < 2; extra++) {
			(void)snprintf(more, 8192, ",'%s':'", rows[i].field);
			for (size_t n = 0; n < rows[i].most + extra; n++) {
				strcat(more, rows[i].letter);
			}
			strcat(more, "'");
			assert_string_equal(of_item(d, &d->ada, "item.update", id, more),
					    extra == 0 ? "ok" : expected);
		}
	}
	free(more);
}

CLUB_TEST(test_a_container_has_as_many_items_as_it_may, d)
{
	char id[32];
	d->r.config.limits[LIMIT_CONTAINER_ITEMS] = 3;
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	for (int i = 0; i < 3; i++) {
		add(d, &d->ada, "", id);
	}
	assert_string_equal(rig_code(d->ada.peer, "item.add", "'container_id':'%s','name':'x'",
				     d->container),
			    "QUOTA_EXCEEDED");
	assert_string_equal(of_item(d, &d->ada, "item.remove", id, ""), "ok");
	add(d, &d->ada, "", id);
}

/* ---- ids ---- */

CLUB_TEST(test_ids_increase_also_where_the_clock_is_set_back, d)
{
	char last[32], id[32];
	add(d, &d->ada, "", last);
	for (int i = 0; i < 40; i++) {
		if (i == 10) {
			d->r.wall_ms -= 5 * DAY_MS;
		} else if (i > 20) {
			rig_advance(&d->r, SECOND_MS);
		}
		add(d, &d->ada, "", id);
		assert_true(strcmp(id, last) > 0);
		strcpy(last, id);
		if (i % 3 == 0) { /* the greatest one is not forgotten with its item */
			of_item(d, &d->ada, "item.remove", id, "");
		}
	}
}

CLUB_TEST(test_an_id_may_come_in_lower_case, d)
{
	char id[32], lower[32];
	add(d, &d->ada, "", id);
	strcpy(lower, id);
	for (char *c = lower; *c != '\0'; c++) {
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	}
	assert_string_equal(of_item(d, &d->ada, "item.update", lower, ",'name':'x'"), "ok");
	assert_string_equal(of_item(d, &d->ada, "item.update", d->container, ",'name':'x'"),
			    "NOT_FOUND");
	assert_string_equal(of_item(d, &d->ada, "item.update", "x\\u0000", ",'name':'x'"),
			    "NOT_FOUND");
}

/* ---- revisions ---- */

CLUB_TEST(test_a_change_may_depend_on_the_revision, d)
{
	char id[32];
	enrol(d, &d->bob);
	add(d, &d->ada, "", id);
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'name':'a','if_revision':1"),
			    "ok");
	assert_string_equal(of_item(d, &d->bob, "item.update", id, ",'name':'b','if_revision':1"),
			    "CONFLICT");
	assert_true(says(why_not(d, "item.update", id, ",'name':'b','if_revision':1"),
			 "its revision is 2, not 1; read it again"));
	assert_string_equal(of_item(d, &d->bob, "item.remove", id, ",'if_revision':3"), "CONFLICT");
	assert_string_equal(of_item(d, &d->bob, "item.move", id,
				    ",'to_container_id':'c_2222222222','if_revision':1"),
			    "CONFLICT");
	assert_string_equal(of_item(d, &d->bob, "item.update", id, ",'if_revision':0"),
			    "VALIDATION_ERROR if_revision");
	assert_string_equal(of_item(d, &d->bob, "item.remove", id, ",'if_revision':2"), "ok");
}

/* Of two who change the same revision at once one is first, and the other is told. */
CLUB_TEST(test_of_two_who_change_one_revision_one_is_refused, d)
{
	char id[32];
	enrol(d, &d->bob);
	add(d, &d->ada, "", id);
	rig_hold(&d->r);
	uint32_t a = rig_send(d->ada.peer, "item.update",
			      "'container_id':'%s','item_id':'%s','name':'a','if_revision':1",
			      d->container, id);
	uint32_t b = rig_send(d->bob.peer, "item.update",
			      "'container_id':'%s','item_id':'%s','name':'b','if_revision':1",
			      d->container, id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, a), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, b), "CONFLICT");
	assert_true(says(first_of(d), "'name':'a'"));
}

/* ---- adjusting ---- */

/* promise: exact-quantity */
CLUB_TEST(test_a_quantity_is_adjusted_exactly, d)
{
	static const struct {
		const char *by, *quantity;
		int revision;
	} steps[] = {
		{"0.2", "0.3", 2},
		{"-0.3", "0", 3},
		{"999999999999.99", "999999999999.99", 4},
		{"0", "999999999999.99", 4},
		{"-999999999998.49", "1.5", 5},
	};
	char id[32], expected[80];
	add(d, &d->ada, ",'quantity':'0.1'", id);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		(void)snprintf(expected, sizeof(expected), "{'quantity':'%s','revision':%d}",
			       steps[i].quantity, steps[i].revision);
		assert_string_equal(rig_must(d->ada.peer, "item.adjust",
					     "'container_id':'%s','item_id':'%s','by':'%s'",
					     d->container, id, steps[i].by),
				    expected);
	}
	assert_true(says(why_not(d, "item.adjust", id, ",'by':'999999999999.99'"), "CONFLICT"));
	assert_true(says(why_not(d, "item.adjust", id, ",'by':'-1.51'"), "only 1.5 left"));
	assert_true(says(first_of(d), "'quantity':'1.5'"));
	assert_true(says(first_of(d), "'revision':5"));
}

CLUB_TEST(test_an_adjustment_is_a_number_and_takes_nothing_from_nothing, d)
{
	static const char *const bad[] = {"-0", "1e3", ".5", "NaN", "--1", "0.001", ""};
	char id[32], more[40];
	add(d, &d->ada, ",'quantity':'1'", id);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(more, sizeof(more), ",'by':'%s'", bad[i]);
		assert_string_equal(of_item(d, &d->ada, "item.adjust", id, more),
				    "VALIDATION_ERROR by");
	}
	of_item(d, &d->ada, "item.update", id, ",'quantity':null");
	assert_string_equal(of_item(d, &d->ada, "item.adjust", id, ",'by':'-1'"), "CONFLICT");
	assert_string_equal(of_item(d, &d->ada, "item.adjust", id, ",'by':'0'"), "CONFLICT");
	assert_string_equal(of_item(d, &d->ada, "item.adjust", id, ",'by':'1.5'"), "ok");
	assert_true(says(first_of(d), "'quantity':'1.5'"));
}

/* As a float of 64 bits may have it: the nearest one to two decimals, and no other. */
CLUB_TEST(test_a_quantity_may_come_as_a_number, d)
{
	static const struct {
		const char *by, *quantity;
	} steps[] = {
		{"2", "3.5"},	    {"-1.25", "2.25"},	 {"0.07", "2.32"},
		{"1e3", "1002.32"}, {"-0.0", "1002.32"}, {"999999998996.69", "999999999999.01"},
	};
	static const char *const bad[] = {"0.001",	   "0.30000000000000004", "1e12", "-1e300",
					  "1000000000000", "-9007199254740993",	  "true", "['1']"};
	char id[32], more[64];
	add(d, &d->ada, ",'quantity':1.5", id);
	assert_true(says(first_of(d), "'quantity':'1.5'"));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const char *result = rig_must(d->ada.peer, "item.adjust",
					      "'container_id':'%s','item_id':'%s','by':%s",
					      d->container, id, steps[i].by);
		(void)snprintf(more, sizeof(more), "'quantity':'%s'", steps[i].quantity);
		assert_true(says(result, more));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(more, sizeof(more), ",'by':%s", bad[i]);
		assert_string_equal(of_item(d, &d->ada, "item.adjust", id, more),
				    "VALIDATION_ERROR by");
		(void)snprintf(more, sizeof(more), ",'quantity':%s", bad[i]);
		assert_string_equal(of_item(d, &d->ada, "item.update", id, more),
				    "VALIDATION_ERROR quantity");
	}
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'quantity':-1"),
			    "VALIDATION_ERROR quantity");
	assert_string_equal(of_item(d, &d->ada, "item.update", id, ",'quantity':12"), "ok");
	assert_true(says(first_of(d), "'quantity':'12'"));
}

/* Twenty at once, each of whom takes one away of ten: ten get it. */
CLUB_TEST(test_adjustments_at_once_are_each_done_or_refused, d)
{
	enum { N = 20 };
	uint32_t ids[N];
	size_t ok = 0;
	char id[32];
	add(d, &d->ada, ",'quantity':'10'", id);
	rig_hold(&d->r);
	for (size_t i = 0; i < N; i++) {
		ids[i] = rig_send(d->ada.peer, "item.adjust",
				  "'container_id':'%s','item_id':'%s','by':'-1'", d->container, id);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < N; i++) {
		ok += strcmp(rig_outcome(d->ada.peer, ids[i]), "ok") == 0;
	}
	assert_int_equal(ok, 10);
	assert_true(says(first_of(d), "'quantity':'0'"));
}

/* ---- moving and removing ---- */

CLUB_TEST(test_an_item_moves_to_another_container_as_it_is, d)
{
	char id[32], moved[32], other[32], older[32], more[80];
	add(d, &d->ada, ",'quantity':'2','unit':'kg','expiry':5,'note':'n'", id);
	rig_field(rig_must(d->ada.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", other, sizeof(other));
	rig_advance(&d->r, SECOND_MS);
	rig_field(rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'older'", other),
		  "item_id", older, sizeof(older));
	(void)snprintf(more, sizeof(more), ",'to_container_id':'%s'", other);
	const char *answer =
		rig_must(d->ada.peer, "item.move", "'container_id':'%s','item_id':'%s'%s",
			 d->container, id, more);
	assert_int_equal(rig_field_number(answer, "revision"), 2);
	rig_field(answer, "item_id", moved, sizeof(moved));
	assert_true(strcmp(moved, older) > 0);
	assert_string_equal(first_of(d), "{'items':[],'version':3}");
	rig_must(d->ada.peer, "item.remove", "'container_id':'%s','item_id':'%s'", other, older);
	const char *item = first_in(d, other);
	assert_true(says(item, moved));
	assert_true(says(item, "'name':'Rice','unit':'kg','quantity':'2','category':'none',"
			       "'expiry':5,'note':'n','created_at':1700000000000,"
			       "'updated_at':1700000001000,'revision':2"));
	assert_string_equal(of_item(d, &d->ada, "item.remove", id, ""), "NOT_FOUND");
	assert_true(
		says(rig_must(d->ada.peer, "container.get", "'container_id':'%s'", d->container),
		     "'items':0"));
	assert_true(says(rig_must(d->ada.peer, "container.get", "'container_id':'%s'", other),
			 "'items':1"));
}

CLUB_TEST(test_an_item_moves_only_between_groups_of_the_caller, d)
{
	char id[32], backlog[32], group[32], more[80];
	add(d, &d->ada, ",'expiry':5", id);
	strcpy(backlog, d->container);
	strcpy(group, d->group);
	found_group(d, &d->bob, "");
	(void)snprintf(more, sizeof(more), ",'to_container_id':'%s'", d->container);
	strcpy(d->container, backlog);
	assert_string_equal(of_item(d, &d->ada, "item.move", id, more), "NOT_FOUND");
	strcpy(d->group, group);
	enrol(d, &d->bob);
	assert_string_equal(of_item(d, &d->bob, "item.move", id, more), "ok");
	assert_true(
		says(rig_must(d->ada.peer, "item.expiring", "'group_id':'%s','before':9", group),
		     "'items':[]"));
}

CLUB_TEST(test_a_move_to_where_it_is_changes_nothing, d)
{
	char id[32], more[80], expected[80];
	add(d, &d->ada, "", id);
	(void)snprintf(more, sizeof(more), ",'to_container_id':'%s'", d->container);
	(void)snprintf(expected, sizeof(expected), "{'item_id':'%s','revision':1}", id);
	assert_string_equal(rig_must(d->ada.peer, "item.move",
				     "'container_id':'%s','item_id':'%s'%s", d->container, id,
				     more),
			    expected);
}

CLUB_TEST(test_a_full_container_takes_no_item, d)
{
	char id[32], other[32], more[80];
	d->r.config.limits[LIMIT_CONTAINER_ITEMS] = 1;
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	add(d, &d->ada, "", id);
	rig_field(rig_must(d->ada.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", other, sizeof(other));
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", other);
	(void)snprintf(more, sizeof(more), ",'to_container_id':'%s'", other);
	assert_string_equal(of_item(d, &d->ada, "item.move", id, more), "QUOTA_EXCEEDED");
	assert_true(says(first_of(d), id));
}

CLUB_TEST(test_a_removed_item_is_gone, d)
{
	char id[32];
	enrol(d, &d->bob);
	add(d, &d->ada, "", id);
	assert_string_equal(of_item(d, &d->bob, "item.remove", id, ""), "ok");
	assert_string_equal(of_item(d, &d->bob, "item.remove", id, ""), "NOT_FOUND");
	assert_string_equal(first_of(d), "{'items':[],'version':3}");
}

/* A member who is removed while their change waits for the table has changed nothing. */
CLUB_TEST(test_a_member_who_is_removed_meanwhile_changes_nothing, d)
{
	char id[32];
	enrol(d, &d->bob);
	add(d, &d->ada, "", id);
	rig_hold(&d->r);
	uint32_t removal =
		rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
			 d->group, d->bob.session.user_id);
	uint32_t change =
		rig_send(d->bob.peer, "item.update",
			 "'container_id':'%s','item_id':'%s','name':'mine'", d->container, id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, removal), "ok");
	const char *outcome = rig_outcome(d->bob.peer, change);
	assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "NOT_FOUND") == 0);
	assert_int_equal(says(first_of(d), "mine"), strcmp(outcome, "ok") == 0);
	assert_string_equal(of_item(d, &d->bob, "item.update", id, ",'name':'again'"), "NOT_FOUND");
}

/* ---- failures ---- */

CLUB_TEST(test_a_repeat_adds_no_second_item, d)
{
	char params[120], first[80];
	(void)snprintf(params, sizeof(params),
		       "'container_id':'%s','name':'x','idempotency_key':'0123456789abcdef'",
		       d->container);
	(void)snprintf(first, sizeof(first), "%s", rig_must(d->ada.peer, "item.add", "%s", params));
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	assert_string_equal(rig_must(d->ada.peer, "item.add", "%s", params), first);
	assert_true(
		says(rig_must(d->ada.peer, "container.get", "'container_id':'%s'", d->container),
		     "'items':1,'unestimated':1,'version':2"));
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail_while_items_are_changed, d, nth)
{
	char id[32], other[32];
	char calls[4][200];
	static const char *const methods[] = {"item.add", "item.update", "item.adjust",
					      "item.move"};
	add(d, &d->ada, ",'quantity':'1'", id);
	rig_field(rig_must(d->ada.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", other, sizeof(other));
	(void)snprintf(calls[0], sizeof(calls[0]), "'container_id':'%s','name':'x','quantity':'5'",
		       other);
	(void)snprintf(calls[1], sizeof(calls[1]), "'container_id':'%s','item_id':'%s','note':'n'",
		       d->container, id);
	(void)snprintf(calls[2], sizeof(calls[2]), "'container_id':'%s','item_id':'%s','by':'1.5'",
		       d->container, id);
	(void)snprintf(calls[3], sizeof(calls[3]),
		       "'container_id':'%s','item_id':'%s','to_container_id':'%s'", d->container,
		       id, other);
	heap_fail_nth(nth, false);
	for (int i = 0; i < 4 && d->ada.peer->is_open; i++) {
		rig_send(d->ada.peer, methods[i], "%s,'idempotency_key':'the-number-of-it-%d'",
			 calls[i], i);
		if (d->ada.peer->is_open) {
			rig_send(d->ada.peer, "item.list", "'container_id':'%s'", d->container);
		}
	}
	heap_fail_never();
	rig_settle(&d->r);
	struct rig_peer *again = resumed(d, &d->ada);
	/* Where the change failed and the move was done, it is for what is not there any more. */
	for (int i = 0; i < 4; i++) {
		const char *outcome =
			rig_code(again, methods[i], "%s,'idempotency_key':'the-number-of-it-%d'",
				 calls[i], i);
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "NOT_FOUND") == 0);
	}
	assert_int_equal(stored_of(d, "CONTAINER", d->container, "ITEM#"), 0);
	assert_int_equal(stored_of(d, "CONTAINER", other, "ITEM#"), 2);
	assert_true(
		says(rig_must(again, "container.get", "'container_id':'%s'", other), "'items':2"));
}
