/*
 * test_story_saves.c - the estimate of a story goes back to the item that it was made from: in two
 * commits, once, whatever is lost between them.
 */
#include "tests/unit/server/backlog.h"

/* The item as it is listed, from its name on. */
static const char *item_of(struct club *d, const struct item *item)
{
	const char *list = rig_must(d->ada.peer, "item.list", "'container_id':'%s'", d->container);
	const char *at = strstr(list, item->id);
	return at == NULL ? "" : at;
}

static bool item_says(struct club *d, const struct item *item, const char *text)
{
	return says(item_of(d, item), text);
}

/* The item is a story, which is voted on and revealed. */
static struct item open_item(struct club *d)
{
	struct item item = add_item(d, "'name':'Login'");
	char id[65];
	rig_field(rig_must(d->bob.peer, "story.add",
			   "'room_id':'%s','container_id':'%s','item_id':'%s'", d->r.room_id,
			   d->container, item.id),
		  "story_id", id, sizeof(id));
	rig_must(d->ada.peer, "room.set_policy",
		 "'room_id':'%s','policy':{'who_reveals':'everyone','who_resets':'everyone'}",
		 d->r.room_id);
	rig_must(d->ada.peer, "story.select", "'room_id':'%s','story_id':'%s'", d->r.room_id, id);
	rig_must(d->ada.peer, "vote", "'vote':'5'");
	rig_must(d->ada.peer, "set_revealed", "'is_revealed':true");
	return item;
}

static uint32_t send_settle(struct club_user *u, const char *card)
{
	return rig_send(u->peer, "round.settle", "'room_id':'%s','estimate':%s", u->peer->room_id,
			card);
}

static void settle(struct club_user *u, const char *card)
{
	assert_string_equal(rig_outcome(u->peer, send_settle(u, card)), "ok");
}

/* Whether the story of ada's copy says so. */
static bool story_says(struct club *d, const char *text)
{
	return says(stories_of(d), text);
}

/* How many marks the table has. */
static size_t marks(struct club *d)
{
	return rig_stored(&d->r, "UNSAVED#");
}

/* The power goes, and ada comes back. */
static void crash(struct club *d)
{
	rig_crash(&d->r);
	rig_release(&d->r);
	d->ada.peer = rig_connect(&d->r, "ada");
	login_signed(d->ada.peer, "ada", &d->ada.key);
	strcpy(d->ada.peer->room_id, d->r.room_id);
}

static void comes_back(struct club *d)
{
	rig_must(d->ada.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
}

/* ---- what is written ---- */

BACKLOG_TEST(test_a_number_becomes_the_items_quantity_in_points, d)
{
	struct item login = open_item(d);
	settle(&d->bob, "'5'");
	assert_true(item_says(d, &login, "'unit':'points','quantity':'5'"));
	assert_false(story_says(d, "is_unsaved"));
	assert_int_equal(marks(d), 0);
	settle(&d->bob, "'13'");
	assert_true(item_says(d, &login, "'quantity':'13'"));
}

BACKLOG_TEST(test_another_card_becomes_the_items_unit_alone, d)
{
	struct item login = open_item(d);
	settle(&d->bob, "'5'");
	settle(&d->bob, "'XL'");
	assert_true(item_says(d, &login, "'unit':'XL'"));
	assert_false(item_says(d, &login, "'quantity'"));
}

BACKLOG_TEST(test_an_item_that_is_counted_in_another_unit_meanwhile_is_left_as_it_is, d)
{
	struct item login = open_item(d);
	rig_must(d->ada.peer, "item.update",
		 "'container_id':'%s','item_id':'%s','quantity':'1.5','unit':'l'", d->container,
		 login.id);
	settle(&d->bob, "'5'");
	assert_true(item_says(d, &login, "'unit':'l','quantity':'1.5'"));
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'other_unit'"));
	assert_int_equal(marks(d), 0);
	crash(d);
	comes_back(d);
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'other_unit'"));
	rig_must(d->ada.peer, "item.update", "'container_id':'%s','item_id':'%s','unit':'points'",
		 d->container, login.id);
	d->bob.peer = rig_connect(&d->r, "bob");
	login_signed(d->bob.peer, "bob", &d->bob.key);
	strcpy(d->bob.peer->room_id, d->r.room_id);
	rig_must(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	settle(&d->bob, "'5'");
	assert_true(item_says(d, &login, "'unit':'points','quantity':'5'"));
	assert_false(story_says(d, "is_unsaved"));
}

/* A number that is no quantity in hundredths is not rounded to one. */
BACKLOG_TEST(test_the_number_of_a_card_is_kept_exactly_or_not_at_all, d)
{
	static const struct {
		const char *card, *shown;
	} rows[] = {
		{"'\u00bd'", "'unit':'points','quantity':'0.5'"},
		{"'0.25'", "'unit':'points','quantity':'0.25'"},
		{"'\u00be'", "'unit':'points','quantity':'0.75'"},
		{"'0'", "'unit':'points','quantity':'0'"},
		{"'1.005'", "'unit':'1.005','category'"},
		{"'1/3'", "'unit':'1/3','category'"},
		{"'?'", "'unit':'?','category'"},
	};
	struct item login = open_item(d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		settle(&d->bob, rows[i].card);
		if (!item_says(d, &login, rows[i].shown)) {
			fail_msg("%s: no %s", rows[i].card, rows[i].shown);
		}
	}
}

BACKLOG_TEST(test_settling_on_nothing_leaves_the_item_as_it_is, d)
{
	struct item login = open_item(d);
	settle(&d->bob, "'5'");
	settle(&d->bob, "null");
	assert_true(item_says(d, &login, "'quantity':'5'"));
	assert_false(story_says(d, "is_unsaved"));
}

BACKLOG_TEST(test_a_story_that_is_from_nowhere_is_written_nowhere, d)
{
	rig_must(d->bob.peer, "story.add", "'room_id':'%s','title':'Other'", d->r.room_id);
	rig_must(d->ada.peer, "story.next", "'room_id':'%s'", d->r.room_id);
	rig_must(d->ada.peer, "vote", "'vote':'5'");
	rig_must(d->ada.peer, "set_revealed", "'is_revealed':true");
	size_t commits = d->r.commits;
	settle(&d->ada, "'5'");
	assert_int_equal(d->r.commits - commits, 1);
	assert_false(story_says(d, "is_unsaved"));
}

/* ---- what is not ---- */

BACKLOG_TEST(test_who_is_no_member_settles_for_the_room_alone, d)
{
	struct item login = open_item(d);
	struct rig_peer *guest = rig_sit(&d->r, "guest");
	settle(&d->dan, "'5'");
	assert_true(story_says(d, "'estimate':'5'"));
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'not_a_member'"));
	assert_false(item_says(d, &login, "'quantity'"));
	assert_int_equal(marks(d), 0);
	rig_must(guest, "round.settle", "'room_id':'%s','estimate':'8'", d->r.room_id);
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'not_a_member'"));
	/* A member settles again. */
	settle(&d->bob, "'8'");
	assert_false(story_says(d, "is_unsaved"));
	assert_true(item_says(d, &login, "'quantity':'8'"));
}

BACKLOG_TEST(test_an_item_that_is_gone_is_said_to_be, d)
{
	struct item login = open_item(d);
	rig_must(d->ada.peer, "item.remove", "'container_id':'%s','item_id':'%s'", d->container,
		 login.id);
	settle(&d->bob, "'5'");
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'item_gone'"));
	assert_int_equal(marks(d), 0);
	crash(d);
	comes_back(d);
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'item_gone'"));
	rig_must(d->ada.peer, "container.delete", "'container_id':'%s'", d->container);
	rig_must(d->ada.peer, "round.settle", "'room_id':'%s','estimate':'5'", d->r.room_id);
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'item_gone'"));
}

BACKLOG_TEST(test_a_membership_that_has_gone_meanwhile_is_said_to_have, d)
{
	struct item login = open_item(d);
	rig_hold(&d->r);
	uint32_t call = send_settle(&d->bob, "'5'");
	rig_let(&d->r, 1);
	assert_string_equal(rig_outcome(d->bob.peer, call), "ok");
	uint32_t out = rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
				d->group, d->bob.session.user_id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, out), "ok");
	/* Whichever was first. */
	bool is_written = item_says(d, &login, "'quantity':'5'");
	assert_true(is_written !=
		    story_says(d, "'is_unsaved':true,'unsaved_reason':'not_a_member'"));
	settle(&d->bob, "'8'");
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'not_a_member'"));
}

/*
 * Bob leaves and settles, and the disk is busy with his leaving for so long that the sweeper looks after the mark, too: by
 * then he is back. What came of the mark first is what comes of it, so that the story does not say that the item lacks
 * what it has.
 */
BACKLOG_TEST(test_what_came_of_a_mark_first_comes_of_it, d)
{
	struct item login = open_item(d);
	char code[40];
	invite(d, &d->ada, "", code);
	rig_hold(&d->r);
	uint32_t leave = rig_send(d->bob.peer, "group.leave", "'group_id':'%s'", d->group);
	uint32_t call = send_settle(&d->bob, "'5'");
	rig_let(&d->r, 3); /* what the one reads, and the commit of the other */
	assert_string_equal(rig_outcome(d->bob.peer, call), "ok");
	store_mem_fail_commits(d->r.store, SIZE_MAX, ERR_BUSY);
	rig_let(&d->r, 40);
	uint32_t back = rig_send(d->bob.peer, "group.join", "'code':'%s'", code);
	for (size_t i = 0; i < 30; i++) {
		rig_let(&d->r, 40);
		rig_advance(&d->r, SECOND_MS);
	}
	store_mem_fail_commits(d->r.store, 0, ERR_BUSY);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob.peer, leave), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, back), "ok");
	assert_int_equal(marks(d), 0);
	assert_true(story_says(d, "'is_unsaved':true,'unsaved_reason':'not_a_member'"));
	assert_false(item_says(d, &login, "'quantity'"));
}

/* ---- two commits ---- */

/* After how many steps of the store the settlement is answered, the item written, the mark gone. */
static void settle_steps(struct club *d, size_t steps)
{
	rig_hold(&d->r);
	(void)send_settle(&d->bob, "'5'");
	for (size_t i = 0; i < steps; i++) {
		rig_let(&d->r, 1);
	}
}

BACKLOG_TEST(test_until_the_item_is_written_the_story_says_so, d)
{
	struct item login = open_item(d);
	settle_steps(d, 1);
	assert_true(says(rig_stories(d->ada.peer), "done 5"));
	uint32_t list = rig_send(d->ada.peer, "story.list", "'room_id':'%s'", d->r.room_id);
	bool is_refusal;
	assert_true(says(rig_answer(d->ada.peer, list, &is_refusal), "'is_unsaved':true"));
	rig_release(&d->r);
	assert_false(story_says(d, "is_unsaved"));
	assert_true(item_says(d, &login, "'quantity':'5'"));
}

/* Wherever the server ends, the next one finishes. */
BACKLOG_TEST(test_a_restart_at_any_step_goes_on_from_the_mark, d)
{
	struct item login = open_item(d);
	for (size_t steps = 1; steps < 14; steps++) {
		rig_must(d->ada.peer, "item.update",
			 "'container_id':'%s','item_id':'%s','quantity':null", d->container,
			 login.id);
		d->bob.peer = rig_connect(&d->r, "bob");
		login_signed(d->bob.peer, "bob", &d->bob.key);
		strcpy(d->bob.peer->room_id, d->r.room_id);
		rig_must(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
		rig_must(d->bob.peer, "join", RIG_NONE);
		settle_steps(d, steps);
		crash(d);
		rig_advance(&d->r, 30 * SECOND_MS);
		comes_back(d);
		assert_int_equal(marks(d), 0);
		assert_false(story_says(d, "is_unsaved"));
		assert_true(item_says(d, &login, "'quantity':'5'"));
	}
}

/* The item is written, the mark is not gone yet, and somebody changes the item: that is the last word. */
BACKLOG_TEST(test_a_repeat_does_not_write_over_what_others_have_written, d)
{
	struct item login = open_item(d);
	size_t commits = d->r.commits;
	rig_hold(&d->r);
	(void)send_settle(&d->bob, "'5'");
	while (d->r.commits < commits + 3) { /* the third is under way, and is lost */
		rig_let(&d->r, 1);
	}
	crash(d);
	rig_must(d->ada.peer, "item.update", "'container_id':'%s','item_id':'%s','quantity':'8'",
		 d->container, login.id);
	assert_int_equal(marks(d), 1);
	rig_advance(&d->r, 30 * SECOND_MS);
	assert_int_equal(marks(d), 0);
	assert_true(item_says(d, &login, "'quantity':'8'"));
}

BACKLOG_TEST(test_the_last_of_two_settlements_is_written_last, d)
{
	struct item login = open_item(d);
	rig_hold(&d->r);
	uint32_t first = send_settle(&d->bob, "'5'");
	rig_let(&d->r, 1);
	uint32_t second = send_settle(&d->ada, "'8'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob.peer, first), "ok");
	assert_string_equal(rig_outcome(d->ada.peer, second), "ok");
	assert_true(item_says(d, &login, "'quantity':'8'"));
	assert_false(story_says(d, "is_unsaved"));
	assert_int_equal(marks(d), 0);
}

BACKLOG_TEST(test_settling_on_nothing_takes_back_what_is_not_durable_yet, d)
{
	struct item login = open_item(d);
	rig_hold(&d->r);
	(void)rig_send(d->ada.peer, "set_title", "'title':'x'");
	(void)send_settle(&d->bob, "'5'"); /* behind that commit, and in one with the next */
	(void)send_settle(&d->bob, "null");
	rig_release(&d->r);
	assert_false(item_says(d, &login, "'quantity'"));
	assert_false(story_says(d, "is_unsaved"));
	assert_int_equal(marks(d), 0);
}

/* In one commit with the settlement: what is written is what was settled on. */
BACKLOG_TEST(test_an_estimate_typed_by_hand_is_not_what_was_settled, d)
{
	struct item login = open_item(d);
	char id[65];
	rig_field(stories_of(d), "story_id", id, sizeof(id));
	rig_hold(&d->r);
	(void)rig_send(d->ada.peer, "set_title", "'title':'x'");
	(void)send_settle(&d->bob, "'5'");
	(void)rig_send(d->ada.peer, "story.update",
		       "'room_id':'%s','story_id':'%s','estimate':null", d->r.room_id, id);
	rig_release(&d->r);
	assert_true(item_says(d, &login, "'quantity':'5'"));
	crash(d);
	comes_back(d);
	assert_false(story_says(d, "is_unsaved"));
}

BACKLOG_TEST(test_failed_commits_write_it_once, d)
{
	struct item login = open_item(d);
	settle(&d->bob, "'5'");
	assert_true(item_says(d, &login, "'quantity':'5','category':'none'"));
	assert_int_equal(rig_field_number(item_of(d, &login), "revision"), 2);
	settle_steps(d, 1);
	store_mem_fail_commits(d->r.store, 1, ERR_IO);
	rig_release(&d->r);
	assert_int_equal(marks(d), 1);
	rig_advance(&d->r, 30 * SECOND_MS);
	assert_int_equal(marks(d), 0);
	assert_false(story_says(d, "is_unsaved"));
	assert_int_equal(rig_field_number(item_of(d, &login), "revision"), 3);
}

/* The room's settlement, the item's change, and the room's taking note of that: any of them. */
BACKLOG_TEST(test_commits_of_unknown_outcome_write_it_once, d)
{
	struct item login = open_item(d);
	for (size_t step = 0; step < 3; step++) {
		rig_hold(&d->r);
		(void)send_settle(&d->ada, "'5'");
		rig_let(&d->r, step);
		store_mem_lose_answers(d->r.store, 1);
		rig_release(&d->r);
		assert_int_equal(server_counters(d->r.server)->commits_unknown, 1);
		crash(d);
		comes_back(d);
		rig_advance(&d->r, 30 * SECOND_MS);
		assert_int_equal(marks(d), 0);
		assert_false(story_says(d, "is_unsaved"));
		assert_int_equal(rig_field_number(item_of(d, &login), "revision"),
				 2 + (int64_t)step);
	}
}

BACKLOG_TEST(test_who_changes_the_item_at_once_loses_nothing, d)
{
	struct item login = open_item(d);
	rig_hold(&d->r);
	uint32_t call = send_settle(&d->bob, "'5'");
	rig_let(&d->r, 1);
	uint32_t update = rig_send(d->ada.peer, "item.update",
				   "'container_id':'%s','item_id':'%s','note':'Lines'",
				   d->container, login.id);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->bob.peer, call), "ok");
	assert_string_equal(rig_outcome(d->ada.peer, update), "ok");
	assert_true(item_says(d, &login, "'quantity':'5'"));
	assert_true(item_says(d, &login, "'note':'Lines'"));
	assert_int_equal(rig_field_number(item_of(d, &login), "revision"), 3);
}

BACKLOG_HEAP_TEST(test_nothing_is_lost_where_memory_is_out, d, nth)
{
	struct item login = open_item(d);
	heap_fail_nth(nth, false);
	uint32_t call = send_settle(&d->bob, "'5'");
	heap_fail_never();
	bool is_done = strcmp(rig_outcome(d->bob.peer, call), "ok") == 0;
	rig_advance(&d->r, 30 * SECOND_MS);
	assert_int_equal(marks(d), 0);
	if (is_done) {
		assert_true(item_says(d, &login, "'quantity':'5'"));
	}
	if (d->ada.peer->is_open) {
		assert_false(story_says(d, "is_unsaved"));
	}
}
