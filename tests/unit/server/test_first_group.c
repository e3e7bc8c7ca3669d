/*
 * test_first_group.c - the group that a login creates for a user who was never in one, and when it gives way.
 */
#include "tests/unit/server/club.h"

/* A login that asks for a first group, with the connection's nonce. */
static uint32_t send_proof(struct rig_peer *p, const char *name, const struct pair *key,
			   const char *nonce)
{
	char signature[SIGNATURE_CHARS + 1];
	sign(key, name, nonce, signature);
	return rig_send(p, "session.login",
			"'user_name':'%s','public_key':'%s','signature':'%s',"
			"'group_name':'Team of %s'",
			name, key->public_key, signature, name);
}

/* The same on a connection that has not said hello yet. */
static uint32_t send_login(struct rig_peer *p, const char *name, const struct pair *key)
{
	char nonce[KEY_CHARS + 1];
	hello(p, nonce);
	return send_proof(p, name, key, nonce);
}

/* The same of a user, on another connection. Returns the answer's result. */
static const char *log_in_for_group(struct club *d, struct club_user *u, const char *name)
{
	bool is_refusal = true;
	u->peer = rig_connect(&d->r, name);
	const char *answer = rig_answer(u->peer, send_login(u->peer, name, &u->key), &is_refusal);
	assert_false(is_refusal);
	u->session = session_of(answer);
	return answer;
}

static struct club_user newcomer(struct club *d, const char *name, char group[32])
{
	struct club_user u = {.key = make_pair((unsigned char)name[0])};
	rig_field(log_in_for_group(d, &u, name), "group_id", group, 32);
	return u;
}

static const char *groups_of(struct club_user *u)
{
	return rig_must(u->peer, "group.list", RIG_NONE);
}

CLUB_TEST(test_a_first_login_creates_a_group_with_a_container, d)
{
	char group[32];
	struct club_user eve = newcomer(d, "eve", group);
	assert_true(says(groups_of(&eve), "'group_name':'Team of eve','role':'owner'"));
	assert_true(says(rig_must(eve.peer, "container.list", "'group_id':'%s'", group),
			 "'container_name':'Backlog'"));
	rig_crash(&d->r);
	eve.peer = resumed(d, &eve);
	assert_true(says(groups_of(&eve), group));
}

CLUB_TEST(test_only_a_login_that_asks_creates_one, d)
{
	struct club_user eve = club_user(d, "eve");
	assert_false(says(groups_of(&eve), "group_id"));
	/* She asks later, and has none yet. */
	assert_true(says(log_in_for_group(d, &eve, "eve"), "group_id"));
	assert_false(says(log_in_for_group(d, &eve, "eve"), "group_id"));
	assert_int_equal(times_in(groups_of(&eve), "group_id"), 1);
}

CLUB_TEST(test_one_who_was_in_a_group_gets_none, d)
{
	char group[32];
	assert_false(says(log_in_for_group(d, &d->ada, "ada"), "group_id"));
	assert_int_equal(times_in(groups_of(&d->ada), "group_id"), 1);
	struct club_user eve = newcomer(d, "eve", group);
	rig_must(eve.peer, "group.delete", "'group_id':'%s'", group);
	rig_settle(&d->r);
	assert_false(says(log_in_for_group(d, &eve, "eve"), "group_id"));
	assert_false(says(groups_of(&eve), "group_id"));
	enrol(d, &d->bob);
	rig_must(d->bob.peer, "group.leave", "'group_id':'%s'", d->group);
	assert_false(says(log_in_for_group(d, &d->bob, "bob"), "group_id"));
	assert_false(says(groups_of(&d->bob), "group_id"));
}

CLUB_TEST(test_a_guest_has_none, d)
{
	struct rig_peer *p = rig_connect(&d->r, "eve");
	rig_hello(p);
	assert_string_equal(rig_code(p, "session.login", "'user_name':'eve','group_name':'Team'"),
			    "VALIDATION_ERROR group_name");
	assert_string_equal(rig_code(p, "session.login", "'user_name':'eve'"), "ok");
}

CLUB_TEST(test_an_unused_one_gives_way_to_the_first_that_is_joined, d)
{
	char group[32];
	struct club_user eve = newcomer(d, "eve", group);
	enrol(d, &eve);
	assert_true(says(groups_of(&eve), d->group));
	assert_false(says(groups_of(&eve), group));
	rig_settle(&d->r);
	assert_int_equal(stored_of(d, "GROUP", group, ""), 0);
	assert_false(says(log_in_for_group(d, &eve, "eve"), "group_id"));
}

CLUB_TEST(test_an_unused_one_gives_way_to_the_first_that_is_created, d)
{
	char group[32];
	struct club_user eve = newcomer(d, "eve", group);
	rig_must(eve.peer, "group.create", "'group_name':'Bills'");
	assert_true(says(groups_of(&eve), "'group_name':'Bills'"));
	assert_false(says(groups_of(&eve), group));
	/* The second of her own stays, unused as it is. */
	rig_must(eve.peer, "group.create", "'group_name':'Taxes'");
	assert_int_equal(times_in(groups_of(&eve), "group_id"), 2);
}

/* Whatever was done with it, it stays. */
CLUB_TEST(test_a_used_one_stays, d)
{
	static const char *const uses[][2] = {
		{"group.rename", "'group_name':'Mine'"},
		{"group.set_defaults", "'deck':'fibonacci'"},
		{"container.create", "'container_name':'Second'"},
		{"invitation.create", "'uses':1"},
		{"room.create", "'title':'Monday'"},
		{"item.add", "'name':'One'"},
		{"container.rename", "'container_name':'Mine'"},
	};
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		char group[32], container[32];
		const char name[] = {(char)('f' + i), 'e', 'e', '\0'};
		struct club_user one = newcomer(d, name, group);
		bool is_in_container = i >= 5;
		rig_field(rig_must(one.peer, "container.list", "'group_id':'%s'", group),
			  "container_id", container, sizeof(container));
		rig_must(one.peer, uses[i][0], "'%s':'%s',%s",
			 is_in_container ? "container_id" : "group_id",
			 is_in_container ? container : group, uses[i][1]);
		rig_settle(&d->r);
		enrol(d, &one);
		if (times_in(groups_of(&one), "group_id") != 2) {
			fail_msg("%s does not keep it", uses[i][0]);
		}
	}
}

/* Two logins of one key at once: one of them creates it. */
CLUB_TEST(test_two_logins_at_once_create_one, d)
{
	struct rig_peer *peers[2];
	struct club_user eve = {.key = make_pair('z')};
	uint32_t asked[2];
	for (size_t i = 0; i < 2; i++) {
		peers[i] = rig_connect(&d->r, i == 0 ? "one" : "two");
		asked[i] = send_login(peers[i], "zoe", &eve.key);
	}
	rig_settle(&d->r);
	bool is_refusal;
	bool first = says(rig_answer(peers[0], asked[0], &is_refusal), "group_id");
	bool second = says(rig_answer(peers[1], asked[1], &is_refusal), "group_id");
	assert_true(first != second);
	(void)log_in_for_group(d, &eve, "zoe");
	assert_int_equal(times_in(groups_of(&eve), "group_id"), 1);
}

/* Whatever fails for want of memory can be done when there is some, once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	char code[40], nonce[KEY_CHARS + 1];
	struct club_user eve = {.key = make_pair('e')};
	invite(d, &d->ada, "", code);
	eve.peer = rig_connect(&d->r, "eve");
	hello(eve.peer, nonce);
	heap_fail_nth(nth, false);
	(void)send_proof(eve.peer, "eve", &eve.key, nonce);
	if (eve.peer->is_open) {
		rig_send(eve.peer, "group.join", "'code':'%s'", code);
	}
	heap_fail_never();
	rig_settle(&d->r);
	(void)log_in_for_group(d, &eve, "eve");
	assert_string_equal(join(&eve, code), "ok");
	rig_settle(&d->r);
	assert_int_equal(times_in(groups_of(&eve), "group_id"), 1);
}
