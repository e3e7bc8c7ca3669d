/*
 * test_group_rooms.c - rooms of a group: who makes one, who enters without being asked for anything, who may lead it.
 */
#include "tests/support/store_mem.h"
#include "tests/unit/server/club.h"

/* ada owns the group and has made a room of it, bob and cy are members, dan is a stranger. */
static int room_open(void **state)
{
	club_open(state);
	struct club *d = *state;
	char params[64];
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", d->group);
	rig_alias(&d->r, d->group, "GROUP");
	rig_found(&d->r, d->ada.peer, params);
	struct club_user *users[] = {&d->ada, &d->bob, &d->cy, &d->dan};
	for (size_t i = 0; i < 4; i++) {
		strcpy(users[i]->peer->room_id, d->r.room_id);
	}
	rig_follow(d->ada.peer, "");
	rig_must(d->ada.peer, "join", RIG_NONE);
	return 0;
}

static int room_close(void **state)
{
	struct club *d = *state;
	rig_assert_all_same(&d->r);
	return scene_finish(state);
}

#define ROOM_TEST(name, d)	     TEST_IN(name, struct club, d, room_open, room_close)
#define ROOM_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct club, d, nth, room_open, room_close)

static const char *enter(struct club *d, struct rig_peer *p, const char *more)
{
	return rig_code(p, "room.subscribe", "'room_id':'%s'%s", d->r.room_id, more);
}

static void policy(struct club *d, const char *change)
{
	rig_must(d->ada.peer, "set_policy", "'policy':{%s}", change);
}

/* ---- making one ---- */

ROOM_TEST(test_a_room_says_whose_it_is, d)
{
	assert_string_equal(rig_of(d->ada.peer, "group_id"), "'GROUP'");
	rig_crash(&d->r);
	struct rig_peer *cy = rig_guest(&d->r, "guest");
	rig_follow(cy, "");
	assert_string_equal(rig_of(cy, "group_id"), "'GROUP'");
}

CLUB_TEST(test_a_room_of_a_group_is_made_by_a_member_of_it, d)
{
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	enrol(d, &d->bob);
	assert_string_equal(of_group(d, &d->bob, "room.create", ""), "ok");
	assert_string_equal(of_group(d, &d->dan, "room.create", ""), "NOT_FOUND group_id");
	assert_string_equal(rig_code(d->bob.peer, "room.create", "'group_id':'g_nothing'"),
			    "NOT_FOUND group_id");
	assert_string_equal(rig_code(guest, "room.create", "'group_id':'%s'", d->group),
			    "FORBIDDEN");
	rig_must(guest, "session.login", "'user_name':'guest'");
	assert_string_equal(rig_code(guest, "room.create", "'group_id':'%s'", d->group),
			    "FORBIDDEN");
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	assert_string_equal(of_group(d, &d->bob, "room.create", ""), "NOT_FOUND group_id");
}

/* The group's id may be written in lower case; what is stored is not. */
CLUB_TEST(test_the_id_of_the_group_may_come_in_lower_case, d)
{
	char id[32];
	for (size_t i = 0; i <= strlen(d->group); i++) {
		id[i] = d->group[i];
		id[i] = id[i] >= 'A' && id[i] <= 'Z' ? (char)(id[i] + 'a' - 'A') : id[i];
	}
	char params[64];
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", id);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	rig_alias(&d->r, d->group, "GROUP");
	assert_string_equal(rig_of(d->ada.peer, "group_id"), "'GROUP'");
}

CLUB_TEST(test_a_repeated_call_makes_one_room, d)
{
	char first[16], again[16];
	const char *key = ",'idempotency_key':'0123456789abcdef'";
	rig_field(rig_must(d->ada.peer, "room.create", "'group_id':'%s'%s", d->group, key),
		  "room_id", first, sizeof(first));
	rig_field(rig_must(d->ada.peer, "room.create", "'group_id':'%s'%s", d->group, key),
		  "room_id", again, sizeof(again));
	assert_string_equal(first, again);
}

static size_t code_chars(struct rig_peer *p, const char *params)
{
	char code[CODE_CHARS_MAX + 8];
	rig_field(rig_must(p, "room.create", "%s", params), "room_id", code, sizeof(code));
	return strlen(code);
}

/* It lives for weeks, so there is more time to guess it. */
CLUB_TEST(test_the_code_of_a_groups_room_is_longer, d)
{
	static const char key[] = "'idempotency_key':'0123456789abcdef'";
	char of_it[64], of_it_once[128], first[32], again[32];
	(void)snprintf(of_it, sizeof(of_it), "'group_id':'%s'", d->group);
	(void)snprintf(of_it_once, sizeof(of_it_once), "%s,%s", of_it, key);
	assert_int_equal(code_chars(d->ada.peer, ""), CODE_CHARS);
	assert_int_equal(code_chars(d->ada.peer, of_it), CODE_CHARS + 4);
	rig_field(rig_must(d->ada.peer, "room.create", "%s", of_it_once), "room_id", first,
		  sizeof(first));
	assert_int_equal(strlen(first), CODE_CHARS + 4);

	/* A server that is shared from now on: a repeat still finds the room that there is. */
	struct rig_peer *owner = rig_connect_as(&d->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	assert_int_equal(code_chars(d->ada.peer, ""), SHARED_CODE_CHARS);
	assert_int_equal(code_chars(d->ada.peer, of_it), SHARED_CODE_CHARS + 4);
	rig_field(rig_must(d->ada.peer, "room.create", "%s", of_it_once), "room_id", again,
		  sizeof(again));
	assert_string_equal(again, first);
}

static int long_codes(void **state)
{
	struct club *d = scene_init(state, sizeof(*d));
	d->r.config.room_code_chars = CODE_CHARS_MAX - 2;
	return club_begin(d);
}

TEST_IN(test_a_code_is_never_longer_than_any_may_be, struct club, d, long_codes, scene_finish)
{
	char params[128], code[32], again[32];
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','idempotency_key':'0123456789abcdef'", d->group);
	rig_field(rig_must(d->ada.peer, "room.create", "%s", params), "room_id", code,
		  sizeof(code));
	assert_int_equal(strlen(code), CODE_CHARS_MAX);
	rig_field(rig_must(d->ada.peer, "room.create", "%s", params), "room_id", again,
		  sizeof(again));
	assert_string_equal(again, code);
	rig_must(d->bob.peer, "room.subscribe", "'room_id':'%s'", code);
}

CLUB_TEST(test_a_room_begins_with_the_groups_defaults, d)
{
	char params[128];
	rig_alias(&d->r, d->group, "GROUP");
	of_group(d, &d->ada, "group.set_defaults",
		 ",'valid_sizes':['S','M','L'],'policy':{'anonymous':true,'passcode':'secret'}");
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "valid_sizes"), "['S','M','L']");
	assert_true(says(rig_of(d->ada.peer, "policy"), "'anonymous':true"));
	assert_string_equal(enter(d, d->dan.peer, ""), "PASSCODE_REQUIRED");
	assert_string_equal(enter(d, d->dan.peer, ",'passcode':'secret'"), "ok");
	/* What the call says goes before. */
	const char *made =
		rig_must(d->ada.peer, "room.create", "%s,'valid_sizes':['1','2']", params);
	assert_true(says(made, "'valid_sizes':['1','2']"));
	of_group(d, &d->ada, "group.set_defaults", ",'deck':'tshirt'");
	made = rig_must(d->ada.peer, "room.create", "%s", params);
	assert_true(says(made, "'XL'"));
}

CLUB_TEST(test_a_room_begins_with_the_groups_reactions, d)
{
	char params[160];
	rig_alias(&d->r, d->group, "GROUP");
	rig_found(&d->r, d->ada.peer, "");
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "reactions"), "");
	of_group(d, &d->ada, "group.set_defaults", ",'reactions':['ship','it']");
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "reactions"), "['ship','it']");
	/* A room keeps them when those of the group change, and over a restart. */
	of_group(d, &d->ada, "group.set_defaults", ",'reactions':[]");
	rig_crash(&d->r);
	d->ada.peer = resumed(d, &d->ada);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "reactions"), "['ship','it']");
	/* What the call says goes before. */
	of_group(d, &d->ada, "group.set_defaults", ",'reactions':['ship','it']");
	(void)snprintf(params, sizeof(params), "'group_id':'%s','reactions':['hm']", d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "reactions"), "['hm']");
	(void)snprintf(params, sizeof(params), "'group_id':'%s','reactions':[]", d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "reactions"), "");
	assert_string_equal(rig_code(d->ada.peer, "room.create", "'reactions':['a b']"),
			    "VALIDATION_ERROR reactions[0]");
}

CLUB_TEST(test_a_room_begins_with_the_groups_links_and_times, d)
{
	char params[160];
	rig_alias(&d->r, d->group, "GROUP");
	of_group(d, &d->ada, "group.set_defaults",
		 ",'link_template':'https://x/{key}','timer_seconds':300,'reveal_in_seconds':60");
	(void)snprintf(params, sizeof(params), "'group_id':'%s','policy':{'auto_reveal':false}",
		       d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "link_template"), "'https://x/{key}'");
	assert_string_equal(rig_of(d->ada.peer, "timer_seconds"), "300");
	assert_true(says(rig_of(d->ada.peer, "timer"), "'reveal_at_zero':true"));
	rig_must(d->ada.peer, "join", RIG_NONE);
	rig_must(d->ada.peer, "vote", "'vote':'5'");
	rig_advance(&d->r, 59000);
	assert_string_equal(rig_of(d->ada.peer, "is_revealed"), "false");
	rig_advance(&d->r, 1000);
	assert_string_equal(rig_of(d->ada.peer, "is_revealed"), "true");
	/* What the call says goes before. */
	(void)snprintf(params, sizeof(params),
		       "'group_id':'%s','link_template':null,'timer_seconds':0,"
		       "'reveal_in_seconds':0",
		       d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	assert_string_equal(rig_of(d->ada.peer, "link_template"), "");
	assert_string_equal(rig_of(d->ada.peer, "timer_seconds"), "");
	assert_string_equal(rig_of(d->ada.peer, "timer"), "");
}

static const char *policy_of_new_room(struct club *d, const char *more)
{
	static char text[1024];
	char code[CODE_CHARS_MAX + 1];
	rig_field(rig_must(d->ada.peer, "room.create", "'group_id':'%s'%s", d->group, more),
		  "room_id", code, sizeof(code));
	const char *room = rig_must(d->ada.peer, "room.get", "'room_id':'%s'", code);
	(void)snprintf(text, sizeof(text), "%s", strstr(room, "'policy':"));
	return text;
}

/* The group's rules are those that people meet in its rooms, whichever program makes one; and the call goes before. */
CLUB_TEST(test_a_room_begins_with_the_groups_policy_and_what_the_call_changes, d)
{
	assert_true(says(policy_of_new_room(d, ""), "'auto_reveal':true"));
	assert_true(says(policy_of_new_room(d, ",'policy':{'auto_reveal':false}"),
			 "'auto_reveal':false"));
	of_group(d, &d->ada, "group.set_defaults",
		 ",'policy':{'auto_reveal':false,'anonymous':true,'passcode':'secret'}");
	const char *policy = policy_of_new_room(d, "");
	assert_true(says(policy, "'auto_reveal':false"));
	assert_true(says(policy, "'has_passcode':true"));
	policy = policy_of_new_room(d, ",'policy':{'auto_reveal':true,'passcode':null}");
	assert_true(says(policy, "'auto_reveal':true"));
	assert_true(says(policy, "'anonymous':true"));
	assert_true(says(policy, "'has_passcode':false"));
}

/* ---- requests that wait ---- */

/* They are answered, and take effect, as they were sent, though the room and what one of them asks of the group come later. */
ROOM_TEST(test_requests_of_a_connection_keep_their_order_while_the_room_is_loaded, d)
{
	rig_crash(&d->r);
	struct rig_peer *ada = resumed(d, &d->ada), *bob = resumed(d, &d->bob);
	char host_key[64];
	enum { SENT = 6 };
	uint32_t sent[SENT], others;
	(void)snprintf(host_key, sizeof(host_key), ",'host_key':'%s'", d->r.host_key);
	rig_hold(&d->r);
	for (int i = 0; i < SENT;
	     i++) { /* every other one says what she is: nothing is to be asked for it */
		sent[i] = rig_send(ada, "room.set_title", "'room_id':'%s','title':'%c'%s",
				   d->r.room_id, 'a' + i, i % 2 == 0 ? "" : host_key);
	}
	others = rig_send(bob, "room.get", "'room_id':'%s'", d->r.room_id);
	for (int answered = 0, turns = 0; answered < SENT; turns++) {
		assert_in_range(turns, 0, 100);
		rig_let(&d->r, 1);
		for (int i = answered; i < SENT; i++) {
			if (rig_is_answered(ada, sent[i])) {
				assert_int_equal(i, answered);
				answered++;
			}
		}
	}
	rig_release(&d->r);
	for (int i = 0; i < SENT; i++) {
		assert_string_equal(rig_outcome(ada, sent[i]), "ok");
	}
	assert_string_equal(rig_outcome(bob, others), "ok");
	assert_true(says(rig_must(bob, "room.get", "'room_id':'%s'", d->r.room_id), "'title':'f'"));
	assert_string_equal(rig_code(ada, "server.ping", RIG_NONE), "ok");
}

/* ---- listing ---- */

ROOM_TEST(test_rooms_are_listed_the_newest_first_with_who_is_there, d)
{
	char ids[3][16];
	strcpy(ids[0], d->r.room_id);
	for (size_t i = 1; i < 3; i++) {
		rig_advance(&d->r, 1000);
		rig_field(rig_must(d->bob.peer, "room.create", "'group_id':'%s','title':'R%zu'",
				   d->group, i),
			  "room_id", ids[i], sizeof(ids[i]));
	}
	const char *list = rig_must(d->cy.peer, "group.rooms", "'group_id':'%s'", d->group);
	const char *newest = strstr(list, ids[2]), *middle = strstr(list, ids[1]);
	const char *oldest = strstr(list, "'ROOM'");
	assert_true(newest != NULL && middle != NULL && oldest != NULL);
	assert_true(newest < middle && middle < oldest);
	assert_int_equal(rig_field_number(oldest, "users"), 1); /* ada */
	assert_int_equal(rig_field_number(newest, "users"), 0);
	assert_true(says(list, "'title':'R1'"));
	rig_crash(&d->r);
	struct rig_peer *cy = rig_connect(&d->r, "cy");
	login_signed(cy, "cy", &d->cy.key);
	list = rig_must(cy, "group.rooms", "'group_id':'%s'", d->group);
	assert_int_equal(rig_field_number(strstr(list, "'ROOM'"), "users"), 0);
	assert_string_equal(rig_code(cy, "room.delete", "'room_id':'%s','host_key':'%s'",
				     d->r.room_id, d->r.host_key),
			    "ok");
	list = rig_must(cy, "group.rooms", "'group_id':'%s'", d->group);
	assert_null(strstr(list, "'ROOM'"));
}

/* Those that are damaged are left out, also where a page has no others. */
ROOM_TEST(test_pages_go_on_behind_damaged_rooms, d)
{
	enum { ROOMS = 6 };
	char ids[ROOMS][16], pk[32], cursor[128] = "";
	for (size_t i = 0; i < ROOMS; i++) {
		rig_advance(&d->r, 1000);
		rig_field(rig_must(d->bob.peer, "room.create", "'group_id':'%s'", d->group),
			  "room_id", ids[i], sizeof(ids[i]));
	}
	for (size_t i = 1; i < ROOMS; i += 1 + i % 3) { /* 1, 3, 4 */
		(void)snprintf(pk, sizeof(pk), "ROOM:%s", ids[i]);
		store_mem_damage(d->r.store, slice_str(pk), SLICE("ROOM"));
	}
	size_t listed = 0, pages = 0;
	bool is_listed[ROOMS] = {false};
	do {
		char more[160] = "";
		if (cursor[0] != '\0') {
			(void)snprintf(more, sizeof(more), ",'cursor':'%s'", cursor);
		}
		const char *page = rig_must(d->cy.peer, "group.rooms",
					    "'group_id':'%s','limit':1%s", d->group, more);
		for (size_t i = 0; i < ROOMS; i++) {
			listed += says(page, ids[i]);
			is_listed[i] |= says(page, ids[i]);
		}
		cursor[0] = '\0';
		if (says(page, "'cursor'")) {
			rig_field(page, "cursor", cursor, sizeof(cursor));
		}
		assert_in_range(pages++, 0, ROOMS);
	} while (cursor[0] != '\0');
	assert_int_equal(listed, 3);
	assert_true(is_listed[0] && is_listed[2] && is_listed[5]);
}

ROOM_TEST(test_rooms_are_listed_in_pages, d)
{
	char cursor[128];
	size_t n = 1;
	for (size_t i = 0; i < 6; i++) {
		rig_must(d->bob.peer, "room.create", "'group_id':'%s'", d->group);
	}
	const char *page =
		rig_must(d->cy.peer, "group.rooms", "'group_id':'%s','limit':1", d->group);
	while (strstr(page, "'cursor'") != NULL) {
		rig_field(page, "cursor", cursor, sizeof(cursor));
		page = rig_must(d->cy.peer, "group.rooms",
				"'group_id':'%s','limit':1,'cursor':'%s'", d->group, cursor);
		n++;
	}
	assert_int_equal(n, 7);
	assert_string_equal(rig_code(d->bob.peer, "group.rooms", "'group_id':'%s','cursor':'%s'",
				     d->group, cursor),
			    "VALIDATION_ERROR cursor");
	assert_string_equal(of_group(d, &d->dan, "group.rooms", ""), "NOT_FOUND");
}

/* ---- stories to compare with ---- */

static void settled_story(struct club *d, const char *room_id, const char *host_key,
			  const char *key, const char *estimate, char id[32])
{
	const char *added = rig_must(d->bob.peer, "story.add",
				     "'room_id':'%s','host_key':'%s','title':'Of %s','key':'%s',"
				     "'estimate':'%s'",
				     room_id, host_key, key, key, estimate);
	rig_field(added, "story_id", id, 32);
}

ROOM_TEST(test_stories_of_other_rooms_with_an_estimate_are_found, d)
{
	char room_id[16], host_key[64], id[32], small[16];
	const char *made = rig_must(d->bob.peer, "room.create", "'group_id':'%s'", d->group);
	rig_field(made, "room_id", room_id, sizeof(room_id));
	rig_field(made, "host_key", host_key, sizeof(host_key));
	settled_story(d, room_id, host_key, "PAY-2", "5", id);
	settled_story(d, room_id, host_key, "PAY-3", "8", id);
	settled_story(d, room_id, host_key, "PAY-9", "5", id);
	settled_story(d, room_id, host_key, "PAY-4", "5", id);
	rig_must(d->bob.peer, "story.remove", "'room_id':'%s','host_key':'%s','story_id':'%s'",
		 room_id, host_key, id);
	settled_story(d, d->r.room_id, d->r.host_key, "PAY-1", "5", id);

	const char *found =
		rig_must(d->cy.peer, "group.references",
			 "'group_id':'%s','estimate':'5','room_id':'%s'", d->group, d->r.room_id);
	assert_true(says(found, "'key':'PAY-2'") && says(found, "'key':'PAY-9'"));
	assert_false(says(found, "PAY-1") || says(found, "PAY-3") || says(found, "PAY-4"));
	for (size_t i = 0; i <= strlen(d->r.room_id); i++) {
		char c = d->r.room_id[i];
		small[i] = c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
	}
	found = rig_must(d->cy.peer, "group.references",
			 "'group_id':'%s','estimate':'5','room_id':'%s'", d->group, small);
	assert_false(says(found, "PAY-1"));
	found = rig_must(d->cy.peer, "group.references", "'group_id':'%s','estimate':'5'",
			 d->group);
	assert_true(says(found, "'key':'PAY-1'"));
	found = rig_must(d->cy.peer, "group.references", "'group_id':'%s','estimate':'13'",
			 d->group);
	assert_true(says(found, "'stories':[]"));
	assert_string_equal(of_group(d, &d->dan, "group.references", ",'estimate':'5'"),
			    "NOT_FOUND");
}

/* No more than a line can say, of the newest rooms first. */
ROOM_TEST(test_no_more_stories_are_found_than_there_is_place_for, d)
{
	char id[32];
	for (size_t i = 0; i < MAX_REFERENCES + 3; i++) {
		char key[16];
		(void)snprintf(key, sizeof(key), "K-%zu", i);
		settled_story(d, d->r.room_id, d->r.host_key, key, "5", id);
	}
	const char *found = rig_must(d->cy.peer, "group.references",
				     "'group_id':'%s','estimate':'5'", d->group);
	size_t n = 0;
	for (const char *at = strstr(found, "'key'"); at != NULL; at = strstr(at + 1, "'key'")) {
		n++;
	}
	assert_int_equal(n, MAX_REFERENCES);
}

/* ---- its life ---- */

ROOM_TEST(test_a_room_of_a_group_lives_30_days_from_its_last_change, d)
{
	rig_cut(d->ada.peer);
	rig_advance(&d->r, 29 * DAY_MS);
	assert_true(rig_stored(&d->r, "ROOM") == 1);
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	rig_follow(guest, "");
	rig_must(guest, "join", "'username':'guest'");
	rig_cut(guest);
	rig_advance(&d->r, 29 * DAY_MS);
	assert_true(rig_stored(&d->r, "ROOM") == 1);
	rig_advance(&d->r, 2 * DAY_MS);
	assert_true(rig_stored(&d->r, "") == 0);
}

/* ---- its end ---- */

ROOM_TEST(test_a_room_whose_group_has_gone_ends_when_it_is_next_looked_at, d)
{
	rig_hold(&d->r);
	uint32_t call = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	while (!rig_is_answered(d->ada.peer, call)) {
		rig_let(&d->r, 1);
	}
	rig_crash(&d->r); /* before anybody has told the room */
	rig_release(&d->r);
	assert_true(rig_stored(&d->r, "") > 0);
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	(void)rig_send(guest, "room.get", "'room_id':'%s'", d->r.room_id);
	assert_int_equal(rig_stored(&d->r, ""), 0);
}

/* ---- entering ---- */

ROOM_TEST(test_members_enter_without_the_passcode, d)
{
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	policy(d, "'passcode':'secret'");
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
	assert_string_equal(enter(d, d->dan.peer, ""), "PASSCODE_REQUIRED");
	assert_string_equal(enter(d, d->dan.peer, ",'passcode':'wrong'"), "PASSCODE_REQUIRED");
	assert_string_equal(enter(d, guest, ""), "PASSCODE_REQUIRED");
	assert_string_equal(enter(d, d->dan.peer, ",'passcode':'secret'"), "ok");
	assert_string_equal(rig_code(d->cy.peer, "room.get", "'room_id':'%s'", d->r.room_id), "ok");
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->cy, ""), "ok");
	assert_string_equal(enter(d, d->cy.peer, ""), "PASSCODE_REQUIRED");
}

ROOM_TEST(test_members_pass_the_lobby, d)
{
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	policy(d, "'lobby':true");
	assert_string_equal(rig_code(d->cy.peer, "room.get", "'room_id':'%s'", d->r.room_id), "ok");
	assert_string_equal(rig_code(guest, "room.get", "'room_id':'%s'", d->r.room_id),
			    "FORBIDDEN");
	rig_follow(d->bob.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_follow(d->dan.peer, "");
	rig_must(d->dan.peer, "join", RIG_NONE);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob, dan waits");
	/* Once in the group, the next subscription leads in. */
	enrol(d, &d->dan);
	rig_must(d->dan.peer, "subscribe", RIG_NONE);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob, dan");
}

/* The host_key opens the door to those who come, and not to a seat that waits there; membership does. */
ROOM_TEST(test_a_member_with_the_host_key_passes_the_lobby_too, d)
{
	policy(d, "'lobby':true");
	rig_follow(d->dan.peer, "");
	rig_must(d->dan.peer, "join", RIG_NONE);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, dan waits");
	enrol(d, &d->dan);
	rig_must(d->dan.peer, "subscribe", "'host_key':'%s'", d->r.host_key);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, dan");
}

ROOM_TEST(test_a_locked_room_takes_no_member_either, d)
{
	policy(d, "'locked':true");
	assert_string_equal(enter(d, d->bob.peer, ""), "ROOM_LOCKED");
	assert_string_equal(enter(d, d->dan.peer, ""), "ROOM_LOCKED");
}

ROOM_TEST(test_a_member_who_was_kicked_for_good_stays_out, d)
{
	policy(d, "'passcode':'secret'");
	rig_follow(d->bob.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_must(d->ada.peer, "kick", "'user_id':'%s'", d->bob.session.user_id);
	assert_string_equal(enter(d, d->bob.peer, ""), "ROOM_NOT_FOUND");
	rig_cut(d->bob.peer);
}

/* ---- leading ---- */

ROOM_TEST(test_every_owner_of_the_group_may_lead, d)
{
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'"), "ok");
	rig_follow(d->bob.peer, "");
	rig_follow(d->cy.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_must(d->cy.peer, "join", RIG_NONE);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob, cy host");
	assert_string_equal(rig_self(d->cy.peer), "cy voter host");
	assert_string_equal(rig_code(d->bob.peer, "set_title", "'title':'no'"), "FORBIDDEN");
	assert_string_equal(rig_code(d->bob.peer, "set_revealed", "'is_revealed':true"),
			    "FORBIDDEN");
	const struct {
		struct rig_peer *peer;
		const char *code;
	} late[] = {{d->bob.peer, "FORBIDDEN"}, {d->cy.peer, "ok"}};
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(rig_code(late[i].peer, "story.add",
					     "'room_id':'%s','title':'Late','reveal_in_seconds':60",
					     d->r.room_id),
				    late[i].code);
	}
	rig_must(d->cy.peer, "set_title", "'title':'Sprint 12'");
	rig_must(d->cy.peer, "vote", "'vote':'5'");
	rig_must(d->cy.peer, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(d->bob.peer), "#1 open: ada host, bob, cy host =5");
}

/* Rights are looked up when they are used. */
ROOM_TEST(test_who_is_owner_no_longer_leads_no_longer, d)
{
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	rig_follow(d->cy.peer, "");
	rig_must(d->cy.peer, "join", RIG_NONE);
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'member'");
	assert_string_equal(rig_code(d->cy.peer, "set_title", "'title':'no'"), "FORBIDDEN");
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, cy");
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	assert_string_equal(rig_code(d->cy.peer, "set_title", "'title':'yes'"), "ok");
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, cy host");
}

/* A name for the room, from the command line: no seat is needed. */
ROOM_TEST(test_an_owner_may_lead_without_a_seat, d)
{
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	assert_string_equal(rig_code(d->cy.peer, "room.set_title",
				     "'room_id':'%s','title':'Sprint 12'", d->r.room_id),
			    "ok");
	assert_string_equal(rig_code(d->bob.peer, "room.set_title",
				     "'room_id':'%s','title':'Sprint 13'", d->r.room_id),
			    "FORBIDDEN");
}

/* Without a name the owner is no host, and decides who is instead. */
ROOM_TEST(test_an_owner_who_left_may_give_the_place_away_that_is_kept, d)
{
	rig_follow(d->bob.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_follow(d->cy.peer, "");
	rig_must(d->cy.peer, "join", RIG_NONE);
	rig_must(d->ada.peer, "leave", RIG_NONE);
	assert_non_null(strstr(rig_of(d->bob.peer, "host_kept_for"), "@ada"));
	rig_must(d->ada.peer, "set_host", "'user_id':'%s'", d->cy.peer->user_id);
	assert_null(strstr(rig_of(d->bob.peer, "host_kept_for"), "@"));
	rig_must(d->ada.peer, "join", RIG_NONE);
	assert_non_null(strstr(rig_of(d->bob.peer, "host_user_id"), "@cy"));
}

/* An owner leads as a co-host does: the maker stays. */
ROOM_TEST(test_an_owner_does_not_kick_the_rooms_maker, d)
{
	of_user(d, &d->ada, "group.set_role", &d->cy, ",'role':'owner'");
	rig_must(d->ada.peer, "claim_host", "'host_key':'%s'", d->r.host_key);
	rig_follow(d->cy.peer, "");
	rig_must(d->cy.peer, "join", RIG_NONE);
	assert_string_equal(rig_code(d->cy.peer, "kick", "'user_id':'%s'", d->ada.session.user_id),
			    "FORBIDDEN");
}

/* ---- the way there ---- */

ROOM_TEST(test_what_is_sent_behind_an_entry_waits_for_it, d)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	struct rig_peer *bob = d->bob.peer;
	policy(d, "'passcode':'secret'");
	uint32_t calls[] = {
		rig_compose(bob, &b, "subscribe", RIG_NONE),
		rig_compose(bob, &b, "join", RIG_NONE),
		rig_compose(bob, &b, "vote", "'vote':'8'"),
	};
	size_t commits = d->r.commits;
	rig_bytes(bob, buf_slice(&b));
	buf_finish(&b);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(rig_outcome(bob, calls[i]), "ok");
	}
	assert_int_equal(d->r.commits - commits, 1);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob voted");
}

ROOM_TEST(test_a_failed_read_refuses_and_the_next_one_works, d)
{
	policy(d, "'passcode':'secret'");
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	assert_string_equal(enter(d, d->bob.peer, ""), "UNAVAILABLE");
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	assert_string_equal(of_group(d, &d->bob, "room.create", ""), "UNAVAILABLE");
	assert_string_equal(of_group(d, &d->bob, "room.create", ""), "ok");
}

ROOM_TEST(test_a_connection_may_close_while_its_request_waits, d)
{
	rig_hold(&d->r);
	rig_send(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	rig_cut(d->bob.peer);
	rig_release(&d->r);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host");
}

/* The room is loaded anew while a request waits for facts: it waits for that, too, and asks again. */
ROOM_TEST(test_a_request_that_waits_outlives_a_conflict_of_its_room, d)
{
	policy(d, "'passcode':'secret'");
	rig_touch(&d->r);
	rig_hold(&d->r);
	uint32_t title = rig_send(d->ada.peer, "set_title", "'title':'One'");
	uint32_t call = rig_send(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	for (size_t i = 0; i < 20; i++) {
		rig_let(&d->r, 1);
	}
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, title), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, call), "ok");
}

/* Of one connection: what runs again came before what waits for facts. */
ROOM_TEST(test_what_runs_again_goes_before_a_request_that_waits, d)
{
	char item[32];
	struct rig_peer *ada = d->ada.peer;
	rig_field(rig_must(ada, "item.add", "'container_id':'%s','name':'Second'", d->container),
		  "item_id", item, sizeof(item));
	rig_touch(&d->r);
	rig_hold(&d->r);
	uint32_t first = rig_send(ada, "story.add", "'room_id':'%s','title':'First'", d->r.room_id);
	uint32_t second =
		rig_send(ada, "story.add", "'room_id':'%s','container_id':'%s','item_id':'%s'",
			 d->r.room_id, d->container, item);
	rig_release(&d->r); /* the room is read again before the item is */
	assert_string_equal(rig_outcome(ada, first), "ok");
	assert_string_equal(rig_outcome(ada, second), "ok");
	assert_string_equal(rig_stories(ada), "First: todo, Second: todo");
}

/* The same, but the room cannot be read, and nobody follows it: whoever waits is told. */
ROOM_TEST(test_a_request_that_waits_is_refused_with_its_room, d)
{
	struct rig_peer *host = rig_guest(&d->r, "host");
	policy(d, "'passcode':'secret'");
	rig_cut(d->ada.peer);
	rig_touch(&d->r);
	rig_hold(&d->r);
	uint32_t title =
		rig_send(host, "room.set_title", "'room_id':'%s','title':'One','host_key':'%s'",
			 d->r.room_id, d->r.host_key);
	uint32_t call = rig_send(d->bob.peer, "story.add",
				 "'room_id':'%s','container_id':'%s','item_id':'i_0000000000'",
				 d->r.room_id, d->container);
	rig_let(&d->r, 3); /* the commit, and the group; the room is read next, before the item */
	store_mem_fail_reads(d->r.store, 1, ERR_IO);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(host, title), "UNAVAILABLE");
	assert_string_equal(rig_outcome(d->bob.peer, call), "UNAVAILABLE");
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
}

/* An owner whose seat waits in the lobby may read it all; facts are two reads, the rounds one. */
ROOM_TEST(test_a_request_may_wait_for_facts_and_for_history, d)
{
	policy(d, "'lobby':true");
	rig_follow(d->dan.peer, "");
	rig_must(d->dan.peer, "join", RIG_NONE);
	enrol(d, &d->dan);
	of_user(d, &d->ada, "group.set_role", &d->dan, ",'role':'owner'");
	for (size_t i = 0; i < 12; i++) {
		rig_must(d->ada.peer, "vote", "'vote':'5'");
		rig_must(d->ada.peer, "set_revealed", "'is_revealed':true");
		rig_must(d->ada.peer, "reset", RIG_NONE);
	}
	size_t loads = d->r.loads;
	const char *rounds =
		rig_must(d->dan.peer, "round.list", "'room_id':'%s','cursor':'3'", d->r.room_id);
	assert_true(says(rounds, "{'n':2,"));
	assert_int_equal(d->r.loads, loads + 3);
}

ROOM_TEST(test_the_server_stops_while_a_request_waits, d)
{
	rig_hold(&d->r);
	rig_send(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
}

ROOM_HEAP_TEST(test_entering_is_whole_or_none, d, nth)
{
	policy(d, "'passcode':'secret'");
	heap_fail_nth(nth, false);
	uint32_t call = rig_send(d->bob.peer, "room.subscribe", "'room_id':'%s'", d->r.room_id);
	heap_fail_never();
	const char *outcome = rig_outcome(d->bob.peer, call);
	if (strcmp(outcome, "ok") != 0 && d->bob.peer->is_open) {
		assert_string_equal(outcome, "UNAVAILABLE");
		assert_string_equal(enter(d, d->bob.peer, ""), "ok");
	}
}

CLUB_HEAP_TEST(test_making_one_is_whole_or_none, d, nth)
{
	heap_fail_nth(nth, false);
	uint32_t call = rig_send(d->ada.peer, "room.create", "'group_id':'%s'", d->group);
	heap_fail_never();
	const char *outcome = rig_outcome(d->ada.peer, call);
	if (strcmp(outcome, "ok") != 0 && d->ada.peer->is_open) {
		assert_string_equal(outcome, "UNAVAILABLE");
		assert_string_equal(of_group(d, &d->ada, "room.create", ""), "ok");
	}
}
