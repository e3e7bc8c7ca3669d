/*
 * test_notice_subscriptions.c - subscriptions to notices: their bounds, whose they are, and how long they last.
 */
#include "tests/unit/server/desk.h"

static struct rig_peer *person(struct desk *d, const char *name)
{
	struct rig_peer *p = guest(d, name);
	(void)login(p, name);
	return p;
}

static int desk_with_command(void **state)
{
	struct desk *d = scene_init(state, sizeof(*d));
	d->r.config.has_command = true;
	d->r.config.limits[LIMIT_SUBSCRIPTIONS_PER_HOUR] = 1000;
	rig_start(&d->r);
	d->ada = person(d, "ada");
	d->bob = person(d, "bob");
	return 0;
}

#define SUBSCRIPTION_TEST(name, d) TEST_IN(name, struct desk, d, desk_with_command, scene_clear)
#define SUBSCRIPTION_HEAP_TEST(name, d, nth) \
	HEAP_TEST_IN(name, struct desk, d, nth, desk_with_command, scene_clear)

/* Make one; its id is valid until the next. */
static const char *subscribe(struct rig_peer *p, const char *params)
{
	static char id[32];
	rig_field(rig_must(p, "subscription.create", "%s", params), "subscription_id", id,
		  sizeof(id));
	return id;
}

static void on_listed(void *arg, enum err e, const struct store_item *items, size_t n,
		      struct slice next, bool is_partial)
{
	(void)is_partial;
	(void)items, (void)next;
	assert_int_equal(e, OK);
	*(size_t *)arg = n;
}

/* How many subscriptions the index lists as active. */
static size_t listed(struct desk *d)
{
	size_t n = SIZE_MAX;
	struct store_query q = {.index = INDEX_BY_LAST_NOTIFIED,
				.partition = SLICE("active"),
				.to = INT64_MAX,
				.limit = 100};
	store_query(d->r.store, &q, on_listed, &n);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	return n;
}

SUBSCRIPTION_TEST(test_what_a_subscription_does_not_say_has_defaults, d)
{
	const char *id = subscribe(d->ada, "'channel':'live'");
	rig_alias(&d->r, id, "LIVE");
	assert_string_equal(
		rig_must(d->ada, "subscription.list", RIG_NONE),
		"{'subscriptions':[{'subscription_id':'LIVE','channel':'live','min_interval_"
		"minutes':30,"
		"'audience':['technical','product','ethics','creative','general'],'active':true,"
		"'failures':0,'created_at':1700000000000}]}");
	assert_string_equal(rig_must(d->bob, "subscription.list", RIG_NONE),
			    "{'subscriptions':[]}");
}

SUBSCRIPTION_TEST(test_a_new_subscription_is_active, d)
{
	assert_true(says(rig_must(d->ada, "subscription.create", "'channel':'live'"),
			 "'status':'active'"));
	assert_int_equal(listed(d), 1);
}

SUBSCRIPTION_TEST(test_each_bound_of_a_subscription_is_kept, d)
{
	static const struct {
		const char *params;
		const char *code;
	} rows[] = {
		{"'channel':'live','min_interval_minutes':4",
		 "VALIDATION_ERROR min_interval_minutes"},
		{"'channel':'live','min_interval_minutes':5", "ok"},
		{"'channel':'live','min_interval_minutes':1440", "ok"},
		{"'channel':'live','min_interval_minutes':1441",
		 "VALIDATION_ERROR min_interval_minutes"},
		{"'channel':'live','audience':[]", "VALIDATION_ERROR audience"},
		{"'channel':'live','audience':['all']", "VALIDATION_ERROR audience"},
		{"'channel':'live','audience':['ethics','ethics']", "VALIDATION_ERROR audience"},
		{"'channel':'live','audience':['ethics','product']", "ok"},
		{"'channel':'live','address':'ada'", "VALIDATION_ERROR address"},
		{"'channel':'mail'", "VALIDATION_ERROR channel"},
		{"'channel':'command'", "VALIDATION_ERROR address"},
		{"'channel':'command','address':''", "VALIDATION_ERROR address"},
		{"'channel':'command','address':'  '", "VALIDATION_ERROR address"},
		{"'channel':'command','address':'a\\u202eb'", "VALIDATION_ERROR address"},
		{"'channel':'command','address':'a\\nb'", "VALIDATION_ERROR address"},
		{"'channel':'command','address':'ada@example.org'", "ok"},
		{"", "VALIDATION_ERROR channel"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *code = rig_code(d->ada, "subscription.create", "%s", rows[i].params);
		if (strcmp(code, rows[i].code) != 0) {
			fail_msg("{%s}: %s, not %s", rows[i].params, code, rows[i].code);
		}
	}
	char address[260];
	memset(address, 'a', sizeof(address));
	assert_string_equal(rig_code(d->ada, "subscription.create",
				     "'channel':'command','address':'%.200s'", address),
			    "ok");
	assert_string_equal(rig_code(d->ada, "subscription.create",
				     "'channel':'command','address':'%.201s'", address),
			    "VALIDATION_ERROR address");
}

/* Folded and trimmed, as all that people write is. */
SUBSCRIPTION_TEST(test_an_address_is_stored_clean, d)
{
	subscribe(d->ada, "'channel':'command','address':'  ada   lovelace '");
	assert_true(
		says(rig_must(d->ada, "subscription.list", RIG_NONE), "'address':'ada lovelace'"));
}

DESK_TEST(test_a_server_without_a_command_has_no_such_channel, d)
{
	struct rig_peer *cy = person(d, "cy");
	const char *refusal =
		rig_refused(cy, "subscription.create", "'channel':'command','address':'a'");
	assert_true(says(refusal, "'field':'channel'"));
	assert_true(says(refusal, "--notify-command"));
}

SUBSCRIPTION_TEST(test_a_user_has_twenty_subscriptions_at_most, d)
{
	char id[32];
	for (size_t i = 0; i < MAX_SUBSCRIPTIONS; i++) {
		(void)snprintf(id, sizeof(id), "%s", subscribe(d->ada, "'channel':'live'"));
	}
	assert_string_equal(rig_code(d->ada, "subscription.create", "'channel':'live'"),
			    "QUOTA_EXCEEDED");
	assert_string_equal(rig_code(d->bob, "subscription.create", "'channel':'live'"), "ok");
	assert_string_equal(rig_code(d->ada, "subscription.delete", "'subscription_id':'%s'", id),
			    "ok");
	assert_string_equal(rig_code(d->ada, "subscription.create", "'channel':'live'"), "ok");
	assert_int_equal(listed(d), MAX_SUBSCRIPTIONS + 1);
}

DESK_TEST(test_a_user_makes_ten_an_hour, d)
{
	struct rig_peer *cy = person(d, "cy");
	for (size_t i = 0; i < MAX_SUBSCRIPTIONS_PER_HOUR; i++) {
		subscribe(cy, "'channel':'live'");
	}
	assert_string_equal(rig_code(cy, "subscription.create", "'channel':'live'"),
			    "RATE_LIMITED");
	rig_advance(&d->r, LIFE_MS / 10);
	assert_string_equal(rig_code(cy, "subscription.create", "'channel':'live'"), "ok");
}

SUBSCRIPTION_TEST(test_an_update_changes_what_it_names, d)
{
	char id[32];
	(void)snprintf(id, sizeof(id), "%s",
		       subscribe(d->ada,
				 "'channel':'command','address':'a','audience':['ethics']"));
	rig_alias(&d->r, id, "ID");
	assert_string_equal(
		rig_must(d->ada, "subscription.update",
			 "'subscription_id':'%s','min_interval_minutes':60", id),
		"{'subscription_id':'ID','channel':'command','address':'a','min_interval_minutes':"
		"60,"
		"'audience':['ethics'],'active':true,'failures':0,'created_at':1700000000000}");
	assert_string_equal(
		rig_must(d->ada, "subscription.update",
			 "'subscription_id':'%s','address':'b','audience':['creative'],'active':"
			 "false",
			 id),
		"{'subscription_id':'ID','channel':'command','address':'b','min_interval_minutes':"
		"60,"
		"'audience':['creative'],'active':false,'failures':0,'created_at':1700000000000}");
	assert_int_equal(listed(d), 0);
	rig_must(d->ada, "subscription.update", "'subscription_id':'%s','active':true", id);
	assert_int_equal(listed(d), 1);
	assert_string_equal(rig_code(d->ada, "subscription.update",
				     "'subscription_id':'%s','address':''", id),
			    "VALIDATION_ERROR address");
	const char *live = subscribe(d->ada, "'channel':'live'");
	assert_string_equal(rig_code(d->ada, "subscription.update",
				     "'subscription_id':'%s','address':'b'", live),
			    "VALIDATION_ERROR address");
}

/* One answer, so that it tells nothing: another form, none of that id, another's. */
SUBSCRIPTION_TEST(test_only_ones_own_subscriptions_exist, d)
{
	const char *bobs = subscribe(d->bob, "'channel':'live'");
	const char *const ids[] = {"s_AAAAAAAAAA", "q_AAAAAAAAAA", "s_!", "x", bobs};
	char first[400];
	(void)snprintf(first, sizeof(first), "%s",
		       rig_refused(d->ada, "subscription.update", "'subscription_id':'%s'",
				   ids[0]));
	assert_true(says(first, "'code':'NOT_FOUND'"));
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		size_t loads = d->r.loads;
		assert_string_equal(rig_refused(d->ada, "subscription.update",
						"'subscription_id':'%s'", ids[i]),
				    first);
		assert_string_equal(rig_refused(d->ada, "subscription.delete",
						"'subscription_id':'%s'", ids[i]),
				    first);
		assert_int_equal(d->r.loads, loads + 2);
	}
	assert_int_equal(listed(d), 1);
}

SUBSCRIPTION_TEST(test_a_repeat_makes_no_second_subscription, d)
{
	static const char params[] = "'channel':'live','idempotency_key':'0123456789abcdef'";
	char first[200];
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(d->ada, "subscription.create", "%s", params));
	assert_string_equal(rig_must(d->ada, "subscription.create", "%s", params), first);
	assert_int_equal(listed(d), 1);
}

/* A guest who logs in again is another user; somebody with a key is the same. */
DESK_TEST(test_a_guests_subscriptions_go_with_the_guest, d)
{
	const struct pair k = make_pair(1);
	(void)login_signed(d->ada, "ada", &k);
	struct rig_peer *cy = person(d, "cy");
	struct rig_peer *dan = person(d, "dan");
	subscribe(d->ada, "'channel':'live'");
	subscribe(cy, "'channel':'live'");
	subscribe(dan, "'channel':'live'");
	for (int i = 0; i < 5; i++) { /* dan goes on calling */
		rig_advance(&d->r, LIFE_MS / 2);
		rig_must(dan, "server.ping", RIG_NONE);
		rig_must(dan, "session.whoami", RIG_NONE);
	}
	assert_int_equal(listed(d), 2);
	assert_true(says(rig_must(dan, "subscription.list", RIG_NONE), "'live'"));
	rig_advance(&d->r, 4 * LIFE_MS);
	assert_int_equal(listed(d), 1);
}

/* Whatever fails for want of memory can be done when there is some; nobody has more than they were told of, but for a
 * request whose answer was lost. */
SUBSCRIPTION_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	char id[32];
	(void)snprintf(id, sizeof(id), "%s", subscribe(d->ada, "'channel':'live'"));
	heap_fail_nth(nth, false);
	static const char *const methods[] = {"update", "list", "create", "delete"};
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]) && d->ada->is_open; i++) {
		char name[40];
		(void)snprintf(name, sizeof(name), "subscription.%s", methods[i]);
		if (strcmp(methods[i], "create") == 0) {
			rig_send(d->ada, name, "'channel':'command','address':'a'");
		} else if (strcmp(methods[i], "list") == 0) {
			rig_send(d->ada, name, RIG_NONE);
		} else {
			rig_send(d->ada, name, "'subscription_id':'%s'", id);
		}
	}
	heap_fail_never();
	rig_settle(&d->r);
	size_t n = listed(d);
	assert_in_range(n, 0, 2);
	char pk[80];
	(void)snprintf(pk, sizeof(pk), "SUBSCRIPTION:%s", id);
	bool is_left = rig_stored_in(&d->r, pk, "") == 1;
	assert_string_equal(rig_code(d->bob, "subscription.create", "'channel':'live'"), "ok");
	assert_int_equal(listed(d), n + 1);
	assert_true(n > 0 || !is_left);
}

/* The index has those that are active, and no others, whatever was done to them. */
SUBSCRIPTION_TEST(test_the_index_has_what_is_active_after_whatever_was_done, d)
{
	char ids[12][32];
	size_t n = 0;
	uint32_t dice = 1;
	d->ada = person(d, "eve");
	for (int step = 0; step < 300; step++) {
		dice = dice * 1664525 + 1013904223;
		uint32_t what = (dice >> 16) % 4;
		size_t which = n == 0 ? 0 : (dice >> 24) % n;
		if (what == 0 && n < sizeof(ids) / sizeof(ids[0])) {
			(void)snprintf(ids[n++], sizeof(ids[0]), "%s",
				       subscribe(d->ada, "'channel':'live'"));
		} else if (what == 1 && n > 0) {
			rig_must(d->ada, "subscription.delete", "'subscription_id':'%s'",
				 ids[which]);
			memmove(ids[which], ids[--n], sizeof(ids[0]));
		} else if (n > 0) {
			rig_must(d->ada, "subscription.update",
				 "'subscription_id':'%s','active':%s", ids[which],
				 what == 2 ? "true" : "false");
		}
		size_t active = 0;
		const char *list = rig_must(d->ada, "subscription.list", RIG_NONE);
		for (const char *at = list; (at = strstr(at, "'active':true")) != NULL; at++) {
			active++;
		}
		assert_int_equal(listed(d), active);
	}
}
