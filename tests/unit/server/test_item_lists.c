/*
 * test_item_lists.c - pages of a container's items, and of the items of a group that expire.
 */
#include "tests/unit/server/club.h"

static void add(struct club *d, const char *name, const char *more)
{
	rig_must(d->ada.peer, "item.add", "'container_id':'%s','name':'%s'%s", d->container, name,
		 more);
}

/* The names of all items of all pages, each with a blank behind it; *pages of them. */
static const char *names_of(struct club_user *u, const char *method, const char *params,
			    size_t *pages)
{
	static char names[65536];
	char cursor[160] = "";
	names[0] = '\0';
	*pages = 0;
	do {
		const char *page = cursor[0] == '\0' ? rig_must(u->peer, method, "%s", params)
						     : rig_must(u->peer, method, "%s,'cursor':'%s'",
								params, cursor);
		for (const char *at = page; (at = strstr(at, "'name':'")) != NULL;) {
			at += strlen("'name':'");
			size_t len = strlen(names);
			size_t n = strcspn(at, "'");
			assert_true(len + n + 2 < sizeof(names));
			(void)snprintf(names + len, sizeof(names) - len, "%.*s ", (int)n, at);
		}
		(*pages)++;
		bool has_more = says(page, "'cursor'");
		cursor[0] = '\0';
		if (has_more) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
	} while (cursor[0] != '\0');
	return names;
}

CLUB_TEST(test_items_are_listed_in_the_order_they_were_added, d)
{
	char of[80], name[16];
	size_t pages;
	enrol(d, &d->bob);
	for (int i = 0; i < 10; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		add(d, name, "");
	}
	(void)snprintf(of, sizeof(of), "'container_id':'%s'", d->container);
	assert_string_equal(names_of(&d->ada, "item.list", of, &pages), "0 1 2 3 4 5 6 7 8 9 ");
	assert_int_equal(pages, 1);
	(void)snprintf(of, sizeof(of), "'container_id':'%s','limit':4", d->container);
	assert_string_equal(names_of(&d->ada, "item.list", of, &pages), "0 1 2 3 4 5 6 7 8 9 ");
	assert_int_equal(pages, 3);
}

/* However small the items are, and however large. */
CLUB_TEST(test_a_page_has_256_items_or_what_fits_a_message, d)
{
	char of[80], note[MAX_ITEM_NOTE_BYTES + 1];
	size_t pages;
	for (int i = 0; i < 257; i++) {
		add(d, "x", "");
	}
	(void)snprintf(of, sizeof(of), "'container_id':'%s'", d->container);
	assert_int_equal(strlen(names_of(&d->ada, "item.list", of, &pages)), 2 * 257);
	assert_int_equal(pages, 2);

	memset(note, 'n', sizeof(note) - 1);
	note[sizeof(note) - 1] = '\0';
	found_group(d, &d->ada, "");
	for (int i = 0; i < 30; i++) {
		rig_must(d->ada.peer, "item.add",
			 "'container_id':'%s','name':'x','note':'%s','expiry':5", d->container,
			 note);
	}
	(void)snprintf(of, sizeof(of), "'container_id':'%s'", d->container);
	assert_int_equal(strlen(names_of(&d->ada, "item.list", of, &pages)), 2 * 30);
	assert_int_equal(pages, 3);
	(void)snprintf(of, sizeof(of), "'group_id':'%s','before':6", d->group);
	assert_int_equal(strlen(names_of(&d->ada, "item.expiring", of, &pages)), 2 * 30);
	assert_int_equal(pages, 3);
}

CLUB_TEST(test_a_page_has_the_version_of_its_container, d)
{
	add(d, "x", "");
	add(d, "y", "");
	assert_true(says(rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1",
				  d->container),
			 "'version':3"));
}

/* The place where a page ended may be gone: the next page begins behind it. */
CLUB_TEST(test_a_page_goes_on_behind_an_item_that_was_removed, d)
{
	char cursor[160], id[32];
	enrol(d, &d->bob);
	add(d, "0", "");
	add(d, "1", "");
	add(d, "2", "");
	const char *page =
		rig_must(d->ada.peer, "item.list", "'container_id':'%s','limit':1", d->container);
	rig_field(page, "item_id", id, sizeof(id));
	rig_field(page, "cursor", cursor, sizeof(cursor));
	assert_string_equal(rig_code(d->bob.peer, "item.list", "'container_id':'%s','cursor':'%s'",
				     d->container, cursor),
			    "VALIDATION_ERROR cursor");
	assert_string_equal(rig_code(d->ada.peer, "item.expiring",
				     "'group_id':'%s','before':9,'cursor':'%s'", d->group, cursor),
			    "VALIDATION_ERROR cursor");
	rig_must(d->ada.peer, "item.remove", "'container_id':'%s','item_id':'%s'", d->container,
		 id);
	page = rig_must(d->ada.peer, "item.list", "'container_id':'%s','cursor':'%s'", d->container,
			cursor);
	assert_true(says(page, "'name':'1'"));
	assert_true(says(page, "'name':'2'"));
	assert_false(says(page, "cursor"));
}

/* ---- what expires ---- */

CLUB_TEST(test_what_expires_is_listed_over_all_containers_by_its_time, d)
{
	char of[80];
	size_t pages;
	add(d, "c", ",'expiry':30");
	add(d, "never", "");
	add(d, "a", ",'expiry':10");
	rig_field(rig_must(d->ada.peer, "container.create", "'group_id':'%s'", d->group),
		  "container_id", d->container, sizeof(d->container));
	add(d, "b", ",'expiry':20");
	add(d, "d", ",'expiry':40");
	enrol(d, &d->bob);
	(void)snprintf(of, sizeof(of), "'group_id':'%s','before':40", d->group);
	assert_string_equal(names_of(&d->bob, "item.expiring", of, &pages), "a b c ");
	(void)snprintf(of, sizeof(of), "'group_id':'%s','before':41,'limit':1", d->group);
	assert_string_equal(names_of(&d->ada, "item.expiring", of, &pages), "a b c d ");
	assert_true(says(rig_must(d->ada.peer, "item.expiring",
				  "'group_id':'%s','before':99,"
				  "'limit':2",
				  d->group),
			 d->container));
	assert_string_equal(rig_code(d->ada.peer, "item.expiring", "'group_id':'%s'", d->group),
			    "VALIDATION_ERROR before");
	assert_string_equal(rig_code(d->ada.peer, "item.expiring", "'group_id':'%s','before':0",
				     d->group),
			    "VALIDATION_ERROR before");
}

/* Several that expire at the same ms are each in one page. */
CLUB_TEST(test_pages_of_what_expires_at_once_have_each_once, d)
{
	char of[80], name[16];
	size_t pages, seen = 0;
	for (int i = 0; i < 9; i++) {
		(void)snprintf(name, sizeof(name), "<%d>", i);
		add(d, name, ",'expiry':7");
	}
	(void)snprintf(of, sizeof(of), "'group_id':'%s','before':8,'limit':2", d->group);
	const char *names = names_of(&d->ada, "item.expiring", of, &pages);
	for (int i = 0; i < 9; i++) {
		(void)snprintf(name, sizeof(name), "<%d>", i);
		seen += says(names, name);
	}
	assert_int_equal(seen, 9);
	assert_int_equal(strlen(names), 9 * strlen("<0> "));
}

CLUB_TEST(test_an_expired_item_stays_until_it_is_removed, d)
{
	char of[80];
	size_t pages;
	add(d, "old", ",'expiry':1700000000001");
	rig_advance(&d->r, 2 * DAY_MS);
	d->ada.peer = rig_connect(&d->r, "ada2");
	d->ada.session = login_signed(d->ada.peer, "ada", &d->ada.key);
	(void)snprintf(of, sizeof(of), "'container_id':'%s'", d->container);
	assert_string_equal(names_of(&d->ada, "item.list", of, &pages), "old ");
}
