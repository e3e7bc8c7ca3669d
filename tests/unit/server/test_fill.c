/*
 * test_fill.c - somebody with a login fills the table: how much one user and one group may put there, and what is
 * left for everybody else when it is full.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/club.h"

#define NOTE_BYTES 4000
#define MIB	   INT64_C(1048576)

/* The longest note, so that few requests take much. */
static const char *note(void)
{
	static char text[NOTE_BYTES + 1];
	memset(text, 'n', NOTE_BYTES);
	return text;
}

static const char *add_to(const struct club_user *u, const char *container)
{
	return rig_code(u->peer, "item.add", "'container_id':'%s','name':'x','note':'%s'",
			container, note());
}

/* Items until one is refused, with that code; returns how many there are. */
static size_t fill(const struct club_user *u, const char *container, const char *code)
{
	const char *outcome;
	size_t n = 0;
	while (strcmp(outcome = add_to(u, container), "ok") == 0) {
		assert_true(++n < 5000);
	}
	assert_string_equal(outcome, code);
	return n;
}

static size_t items_of(struct club *d, const char *container)
{
	return stored_of(d, "CONTAINER", container, "ITEM#");
}

CLUB_TEST(test_a_user_who_fills_the_table_takes_no_room_login_or_reveal_from_others, d)
{
	char items[40], item[32];
	rig_found(&d->r, d->dan.peer, "'valid_sizes':['1','2']");
	rig_follow(d->dan.peer, "");
	rig_must(d->dan.peer, "join", RIG_NONE);
	rig_must(d->dan.peer, "vote", "'vote':'1'");
	store_mem_set_items_max(d->r.store, 400);
	assert_true(fill(&d->ada, d->container, "UNAVAILABLE") > 200);
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "UNAVAILABLE");

	assert_string_equal(rig_code(d->dan.peer, "room.set_revealed",
				     "'room_id':'%s','is_revealed':true", d->r.room_id),
			    "ok");
	struct rig_peer *eve = rig_guest(&d->r, "eve");
	assert_string_equal(rig_code(eve, "room.create", RIG_NONE), "ok");
	(void)login(eve, "eve");
	(void)club_user(d, "fay");

	/* Deleting makes room again, with a key that makes an item of its own as well. */
	(void)snprintf(items, sizeof(items), "%s", d->container);
	const char *page =
		rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", items);
	rig_field(page, "item_id", item, sizeof(item));
	for (int i = 0; i < 3; i++) {
		rig_field(rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1",
				   items),
			  "item_id", item, sizeof(item));
		rig_must(d->ada.peer, "item.remove",
			 "'container_id':'%s','item_id':'%s','idempotency_key':'remove-it-%07d'",
			 items, item, i);
	}
	rig_must(d->ada.peer, "container.delete", "'container_id':'%s'", items);
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
}

static int small_hours(void **state)
{
	struct club *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_USER_BYTES_PER_HOUR] = MIB;
	return club_begin(d);
}

TEST_IN(test_a_user_lets_the_table_grow_by_so_much_an_hour, struct club, d, small_hours,
	scene_finish)
{
	char item[32];
	enrol(d, &d->bob);
	size_t n = fill(&d->ada, d->container, "RATE_LIMITED");
	assert_in_range(n * NOTE_BYTES, MIB / 4 * 3, MIB);
	const char *refusal =
		rig_refused(d->ada.peer, "item.add", "'container_id':'%s','name':'x','note':'%s'",
			    d->container, note());
	int64_t wait_ms = rig_field_number(refusal, "retry_after_ms");
	assert_in_range(wait_ms, 1, HOUR_MS / 100);

	/* What does not grow is no matter, and neither are others. */
	rig_field(rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", d->container),
		  "item_id", item, sizeof(item));
	assert_string_equal(rig_code(d->ada.peer, "item.update",
				     "'container_id':'%s','item_id':'%s','note':'short'",
				     d->container, item),
			    "ok");
	assert_string_equal(add_to(&d->bob, d->container), "ok");

	rig_advance(&d->r, wait_ms);
	assert_string_equal(add_to(&d->ada, d->container), "ok");
	assert_string_equal(add_to(&d->ada, d->container), "RATE_LIMITED");
	assert_int_equal(items_of(d, d->container), n + 2);
}

static int small_group(void **state)
{
	struct club *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_GROUP_BYTES] = 3 * MIB;
	return club_begin(d);
}

static void create_container(struct club *d, char id[32])
{
	rig_field(rig_must(d->ada.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", id, 32);
}

TEST_IN(test_a_group_has_so_much_in_all_its_containers, struct club, d, small_group, scene_finish)
{
	char second[32], third[32], item[32];
	create_container(d, second);
	create_container(d, third);
	assert_string_equal(add_to(&d->ada, second), "ok");
	size_t n = fill(&d->ada, d->container, "QUOTA_EXCEEDED");
	assert_in_range(n * NOTE_BYTES, 2 * MIB / 10 * 9, 2 * MIB);
	assert_string_equal(add_to(&d->ada, third), "QUOTA_EXCEEDED");

	/* From one to the other the group has no more; a group of its own has room for it. */
	rig_field(rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", second),
		  "item_id", item, sizeof(item));
	assert_string_equal(rig_code(d->ada.peer, "item.move",
				     "'container_id':'%s','item_id':'%s','to_container_id':'%s'",
				     second, item, third),
			    "ok");
	assert_string_equal(add_to(&d->ada, second), "QUOTA_EXCEEDED");
	rig_must(d->ada.peer, "container.delete", "'container_id':'%s'", third);
	assert_string_equal(add_to(&d->ada, second), "ok");
	assert_string_equal(add_to(&d->ada, d->container), "QUOTA_EXCEEDED");

	/* Texts that grow count, quantities do not; what is removed is room for others. */
	rig_field(rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'x'", second),
		  "item_id", item, sizeof(item));
	(void)fill(&d->ada, second, "QUOTA_EXCEEDED");
	assert_string_equal(rig_code(d->ada.peer, "item.update",
				     "'container_id':'%s','item_id':'%s','note':'%s'", second, item,
				     note()),
			    "QUOTA_EXCEEDED");
	assert_string_equal(rig_code(d->ada.peer, "item.update",
				     "'container_id':'%s','item_id':'%s','quantity':'12'", second,
				     item),
			    "ok");
	size_t before = items_of(d, second);
	const char *page =
		rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", second);
	rig_field(page, "item_id", item, sizeof(item));
	rig_must(d->ada.peer, "item.remove", "'container_id':'%s','item_id':'%s'", second, item);
	assert_string_equal(add_to(&d->ada, second), "ok");
	assert_int_equal(items_of(d, second), before);
}
