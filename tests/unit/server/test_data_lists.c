/*
 * test_data_lists.c - lists: entries that keep their ids, an order by rank that
 * is the same for all.
 */
#include "server/domain/base/rank.h"
#include "tests/unit/server/data.h"

static int lay(void **state)
{
	table_lay(state);
	struct table *t = *state;
	data_fill(t->ada, "l", "abc");
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

#define LIST_TEST(name, t) TEST_IN(name, struct table, t, lay, scene_clear)

/* A list method on the nth entry as bob sees it; `place` ("before", "after", "") names the other.
 */
static const char *act(struct table *t, const char *method, size_t nth, const char *place,
		       size_t other, const char *more)
{
	char params[512];
	int n = snprintf(params, sizeof(params), "'entry_id':'%s'", rig_entry(t->bob, "l", nth));
	if (place[0] != '\0') {
		n += snprintf(params + n, sizeof(params) - (size_t)n, ",'%s':'%s'", place,
			      rig_entry(t->bob, "l", other));
	}
	(void)snprintf(params + n, sizeof(params) - (size_t)n, "%s", more);
	return data_code(t->ada, method, "l", params);
}

static void insert(struct table *t, const char *place, size_t other, const char *value)
{
	char params[512];
	(void)snprintf(params, sizeof(params), "'%s':'%s','value':'%s'", place,
		       rig_entry(t->bob, "l", other), value);
	data_must(t->ada, "list.insert", "l", params);
}

/* The letters of the values, in bob's order, which must be the server's. */
static const char *letters(struct table *t)
{
	static char text[1024];
	size_t n = 0;
	const char *at = rig_data(t->bob, "list", "l");
	for (; (at = strchr(at, '\'')) != NULL; at += 3) {
		text[n++] = at[1];
	}
	text[n] = '\0';
	rig_assert_all_same(&t->r);
	return text;
}

LIST_TEST(test_entries_come_in_the_order_they_were_pushed, t)
{
	assert_string_equal(rig_data(t->bob, "list", "l"), "'a'@1, 'b'@1, 'c'@1");
	const char *answer = data_must(t->bob, "list.get", "l", "");
	const char *a = strstr(answer, "'value':'a'");
	const char *c = strstr(answer, "'value':'c'");
	assert_true(a != NULL && c != NULL && a < c);
	assert_int_equal(rig_field_number(data_must(t->ada, "list.push", "l", "'value':'d'"),
					  "revision"),
			 1);
}

LIST_TEST(test_an_entry_goes_before_or_after_another, t)
{
	insert(t, "before", 0, "1");
	assert_string_equal(letters(t), "1abc");
	insert(t, "after", 0, "2");
	assert_string_equal(letters(t), "12abc");
	insert(t, "after", 4, "3");
	assert_string_equal(letters(t), "12abc3");
	insert(t, "before", 5, "4");
	assert_string_equal(letters(t), "12abc43");
}

LIST_TEST(test_an_entry_keeps_its_id_and_value_when_it_moves, t)
{
	char id[32];
	(void)snprintf(id, sizeof(id), "%s", rig_entry(t->bob, "l", 0));
	assert_string_equal(act(t, "list.move", 0, "after", 2, ""), "ok");
	assert_string_equal(letters(t), "bca");
	assert_string_equal(rig_entry(t->bob, "l", 2), id);
	assert_string_equal(rig_data(t->bob, "list", "l"), "'b'@1, 'c'@1, 'a'@2");
	assert_string_equal(act(t, "list.move", 2, "before", 0, ""), "ok");
	assert_string_equal(letters(t), "abc");
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), 3);
}

LIST_TEST(test_moving_next_to_where_it_is_leaves_the_order, t)
{
	static const struct {
		size_t nth;
		const char *place;
		size_t other;
	} moves[] = {{0, "before", 1}, {1, "after", 0}, {1, "before", 2}, {2, "after", 1},
		     {0, "before", 0}, {1, "after", 1}, {2, "after", 2},  {1, "before", 1}};
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		assert_string_equal(act(t, "list.move", moves[i].nth, moves[i].place,
					moves[i].other, ""),
				    "ok");
		assert_string_equal(letters(t), "abc");
		assert_int_equal(rig_stored(&t->r, "LIST#l#"), 3);
	}
}

LIST_TEST(test_a_place_is_before_or_after_and_not_both, t)
{
	char more[256];
	(void)snprintf(more, sizeof(more), "'value':1,'before':'%s','after':'%s'",
		       rig_entry(t->bob, "l", 0), rig_entry(t->bob, "l", 1));
	assert_string_equal(data_code(t->ada, "list.insert", "l", more), "VALIDATION_ERROR after");
	assert_string_equal(data_code(t->ada, "list.insert", "l", "'value':1"),
			    "VALIDATION_ERROR before");
	assert_string_equal(act(t, "list.move", 0, "", 0, ""), "VALIDATION_ERROR before");
	assert_string_equal(data_code(t->ada, "list.insert", "l", "'value':1,'before':'none'"),
			    "NOT_FOUND before");
	assert_string_equal(data_code(t->ada, "list.insert", "l", "'value':1,'after':'none'"),
			    "NOT_FOUND after");
	assert_string_equal(act(t, "list.move", 0, "", 0, ",'after':'none'"), "NOT_FOUND after");
	assert_string_equal(data_code(t->ada, "list.move", "l", "'entry_id':'none','after':'none'"),
			    "NOT_FOUND entry_id");
	assert_string_equal(letters(t), "abc");
}

LIST_TEST(test_setting_moving_and_removing_can_be_conditional, t)
{
	assert_string_equal(act(t, "list.set", 0, "", 0, ",'value':'A','if_revision':1"), "ok");
	assert_string_equal(act(t, "list.set", 0, "", 0, ",'value':'x','if_revision':1"),
			    "CONFLICT");
	assert_string_equal(act(t, "list.move", 0, "after", 2, ",'if_revision':1"), "CONFLICT");
	assert_string_equal(act(t, "list.remove", 0, "", 0, ",'if_revision':1"), "CONFLICT");
	assert_string_equal(act(t, "list.remove", 0, "", 0, ",'if_revision':0"), "CONFLICT");
	assert_string_equal(letters(t), "Abc");
	assert_string_equal(act(t, "list.move", 0, "after", 2, ",'if_revision':2"), "ok");
	assert_string_equal(act(t, "list.remove", 2, "", 0, ",'if_revision':3"), "ok");
	assert_string_equal(letters(t), "bc");
}

LIST_TEST(test_a_conflict_shows_what_is_there, t)
{
	char more[128];
	(void)snprintf(more, sizeof(more), "'entry_id':'%s','value':1,'if_revision':7",
		       rig_entry(t->bob, "l", 1));
	assert_non_null(strstr(data_refused(t->ada, "list.set", "l", more),
			       "'current':{'value':'b','revision':1,'by':'@ada'}"));
}

LIST_TEST(test_what_was_removed_cannot_be_used, t)
{
	char more[128];
	(void)snprintf(more, sizeof(more), "'entry_id':'%s'", rig_entry(t->bob, "l", 1));
	data_must(t->ada, "list.remove", "l", more);
	assert_string_equal(letters(t), "ac");
	assert_string_equal(data_code(t->bob, "list.remove", "l", more), "NOT_FOUND entry_id");
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), 2);
}

/* Old keys go before new ones come, also where one entry takes another's place in one commit. */
LIST_TEST(test_places_that_change_hands_in_one_commit_lose_nothing, t)
{
	char ids[3][32];
	char more[256];
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(ids[i], sizeof(ids[i]), "%s", rig_entry(t->bob, "l", i));
	}
	rig_hold(&t->r);
	rig_send(t->bob, "set_title", "'title':'x','host_key':'%s'", t->r.host_key);
	(void)snprintf(more, sizeof(more), "'entry_id':'%s'", ids[2]);
	data_send(t->ada, "list.remove", "l", more);
	data_send(t->ada, "list.push", "l", "'value':'d'");
	(void)snprintf(more, sizeof(more), "'entry_id':'%s','after':'%s'", ids[0], ids[1]);
	data_send(t->bob, "list.move", "l", more);
	(void)snprintf(more, sizeof(more), "'entry_id':'%s','before':'%s'", ids[0], ids[1]);
	data_send(t->bob, "list.move", "l", more);
	data_send(t->ada, "list.push", "l", "'value':'e'");
	rig_release(&t->r);
	assert_string_equal(letters(t), "abde");
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), 4);
	rig_crash(&t->r);
	t->bob = rig_return(t->bob, false);
	assert_string_equal(letters(t), "abde");
}

/* Always between the same two: ranks grow until the list is numbered afresh. */
LIST_TEST(test_ranks_that_grow_long_are_numbered_afresh, t)
{
	size_t longest = 0;
	size_t shortened = 0;
	size_t before = 0;
	for (size_t i = 0; i < 600; i++) {
		insert(t, "after", i % 2 == 0 ? 0 : 1, i % 26 == 0 ? "z" : "y");
		const struct rig_copy *c = rig_copy(t->bob, t->bob->room_id);
		assert_non_null(c);
		size_t len = 0;
		while (rig_next(t->bob)[0] != '\0') {
			const char *at = strstr(t->bob->line, "'rank':'");
			len = at == NULL ? len : strcspn(at + 8, "'");
		}
		assert_true(len <= RANK_CHARS_MAX);
		shortened += len < before;
		longest = len > longest ? len : longest;
		before = len;
	}
	assert_true(longest > 20);
	assert_true(shortened > 0);
	assert_int_equal(strlen(letters(t)), 603);
	assert_int_equal(rig_stored(&t->r, "LIST#l#"), 603);
}

/* The one who makes it necessary is told the new ranks, too, and nobody is sent a value for it. */
LIST_TEST(test_a_fresh_numbering_reaches_everybody_and_the_disk, t)
{
	char before[8192];
	for (size_t i = 0; i < 260; i++) {
		insert(t, "after", 0, "y");
	}
	(void)snprintf(before, sizeof(before), "%s", rig_data(t->bob, "list", "l"));
	rig_assert_all_same(&t->r);
	rig_crash(&t->r);
	t->bob = rig_return(t->bob, false);
	assert_string_equal(rig_data(t->bob, "list", "l"), before);
}

LIST_TEST(test_a_repeated_push_is_one_entry, t)
{
	char first[256];
	const char *more = "'value':'d','idempotency_key':'0123456789abcdef'";
	(void)snprintf(first, sizeof(first), "%s", data_must(t->ada, "list.push", "l", more));
	assert_string_equal(data_must(t->ada, "list.push", "l", more), first);
	assert_string_equal(letters(t), "abcd");
}
