/*
 * test_nodes_know.c - what one of several nodes knows and others want: who watches a user, who is connected,
 * how many are in a room, tasks for rooms. And what a node that is gone told nobody.
 */
#include "tests/unit/server/nodes.h"

/* Of ada's group, with a connection at the second node alone. */
struct member {
	struct pair key;
	struct rig_peer *peer;
	struct session session;
};

static struct member member_at_2(struct nodes *d, const char *group, const char *name)
{
	char code[64];
	struct member m = {.key = make_pair((unsigned char)name[0]),
			   .peer = rig_connect(&d->others[0], name)};
	m.session = login_signed(m.peer, name, &m.key);
	rig_field(rig_must(d->at_1, "invitation.create", "'group_id':'%s'", group), "code", code,
		  sizeof(code));
	rig_must(m.peer, "group.join", "'code':'%s'", code);
	return m;
}

static void group_of_ada(struct nodes *d, char group[32])
{
	rig_field(rig_must(d->at_1, "group.create", "'group_name':'Payments'"), "group_id", group,
		  32);
}

/* A room at the first node where stories are open together, once there are any. */
static void waiting_room(struct nodes *d, const char *group)
{
	char params[64] = "";
	if (group != NULL) {
		(void)snprintf(params, sizeof(params), "'group_id':'%s'", group);
	}
	rig_found(&d->r, d->at_1, params);
	strcpy(d->at_1->room_id, d->r.room_id);
	rig_must(d->at_1, "set_policy", "'policy':{'open_stories':true,'keep_votes':true}");
	rig_follow(d->at_1, "");
	rig_must(d->at_1, "join", "'username':'Ada'");
}

/* dora has a seat in the room, has gone, and watches at the second node. */
static struct rig_peer *dora_away(struct nodes *d)
{
	struct rig_peer *phone = rig_guest(&d->r, "phone");
	struct session dora = login(phone, "Dora");
	strcpy(phone->room_id, d->r.room_id);
	rig_follow(phone, "");
	rig_must(phone, "join", RIG_NONE);
	rig_cut(phone);
	struct rig_peer *desk = rig_guest(&d->others[0], "desk");
	rig_must(desk, "session.resume", "'token':'%s'", dora.token);
	rig_must(desk, "session.watch", RIG_NONE);
	rig_forget(desk);
	return desk;
}

static void pass(struct nodes *d, struct rig_peer *p, int64_t ms)
{
	for (int64_t step = 30 * MINUTE_MS; ms > 0; ms -= step) {
		rig_advance(&d->r, step);
		assert_true(is_logged_in(p) && is_logged_in(d->at_1));
	}
}

/* ---- session.waiting ---- */

static struct member watcher_of_a_room_that_waits(struct nodes *d)
{
	char group[32];
	group_of_ada(d, group);
	struct member bob = member_at_2(d, group, "bob");
	rig_must(bob.peer, "session.watch", RIG_NONE);
	waiting_room(d, group);
	rig_must(d->at_1, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	return bob;
}

NODES_TEST(test_a_room_that_waits_tells_members_of_its_team_who_watch_at_another_node, d)
{
	struct member bob = watcher_of_a_room_that_waits(d);
	assert_int_equal(rig_count(bob.peer, "session.waiting"), 1);
	rig_must(d->at_1, "story.add", "'room_id':'%s','title':'Pay'", d->r.room_id);
	assert_int_equal(rig_count(bob.peer, "session.waiting"), 1);
}

NODES_TEST(test_who_watches_at_two_nodes_is_told_once_on_each_connection, d)
{
	char group[32];
	group_of_ada(d, group);
	struct member bob = member_at_2(d, group, "bob");
	struct rig_peer *at_1 = resumed_at(&d->r, bob.session.token);
	rig_must(bob.peer, "session.watch", RIG_NONE);
	rig_must(at_1, "session.watch", RIG_NONE);
	waiting_room(d, group);
	rig_must(d->at_1, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	rig_advance(&d->r, 1000);
	assert_int_equal(rig_count(bob.peer, "session.waiting"), 1);
	assert_int_equal(rig_count(at_1, "session.waiting"), 1);
}

NODES_TEST(test_a_room_that_waits_tells_members_with_a_seat_who_watch_at_another_node, d)
{
	waiting_room(d, NULL);
	struct rig_peer *dora = dora_away(d);
	rig_must(d->at_1, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	assert_int_equal(rig_count(dora, "session.waiting"), 1);
}

NODES_TEST(test_who_joins_a_team_at_one_node_is_told_at_the_other_of_the_room_that_waits, d)
{
	char group[32], code[64];
	struct pair bobs = make_pair('b');
	group_of_ada(d, group);
	waiting_room(d, group);
	rig_must(d->at_1, "story.add", "'room_id':'%s','title':'Login'", d->r.room_id);
	struct rig_peer *bob = rig_connect(&d->others[0], "bob");
	struct session b = login_signed(bob, "bob", &bobs);
	rig_must(bob, "session.watch", RIG_NONE);
	rig_field(rig_must(d->at_1, "invitation.create", "'group_id':'%s'", group), "code", code,
		  sizeof(code));
	rig_must(resumed_at(&d->r, b.token), "group.join", "'code':'%s'", code);
	assert_int_equal(rig_count(bob, "session.waiting"), 1);
}

/* Whichever node finds it. */
NODES_TEST(test_who_watches_at_another_node_is_told_again_a_day_before_the_deadline, d)
{
	struct member bob = watcher_of_a_room_that_waits(d);
	rig_must(d->at_1, "timer.start", "'room_id':'%s','seconds':172800,'reveal_at_zero':true",
		 d->r.room_id);
	pass(d, bob.peer, 23 * 60 * MINUTE_MS);
	assert_int_equal(rig_count(bob.peer, "session.waiting"), 1);
	pass(d, bob.peer, 2 * 60 * MINUTE_MS);
	assert_int_equal(rig_count(bob.peer, "session.waiting"), 2);
}

/* ---- nudges ---- */

NODES_TEST(test_a_nudge_finds_a_member_who_is_away_at_another_node, d)
{
	rig_found(&d->r, d->at_1, "");
	strcpy(d->at_1->room_id, d->r.room_id);
	rig_follow(d->at_1, "");
	rig_must(d->at_1, "join", "'username':'Ada'");
	struct rig_peer *dora = dora_away(d);
	assert_int_equal(rig_field_number(rig_must(d->at_1, "nudge", RIG_NONE), "nudged"), 1);
	assert_string_equal(rig_heard(dora), "session.nudged");
	rig_advance(&d->r, 31000);
	rig_must(dora, "session.unwatch", RIG_NONE);
	rig_forget(dora);
	rig_must(d->at_1, "nudge", RIG_NONE);
	assert_string_equal(rig_heard(dora), "");
}

/* ---- notices of questions ---- */

NODES_TEST(test_who_is_connected_to_another_node_gets_notices_of_questions, d)
{
	struct rig_peer *bob = rig_guest(&d->others[0], "bob");
	(void)login(bob, "bob");
	rig_must(bob, "subscription.create", "'channel':'live'");
	rig_must(d->at_1, "question.ask",
		 "'prompt':'Shall we ship it?','type':'text','min_responses':1");
	assert_int_equal(rig_count(bob, "question.notice"), 1);
}

/* ---- a node that is gone ---- */

/* The second node is home of a room of the group, and of what happens there the first is told nothing. */
static void told_nothing(struct nodes *d)
{
	char group[32], params[64];
	group_of_ada(d, group);
	(void)snprintf(params, sizeof(params), "'group_id':'%s','title':'Sprint'", group);
	rig_found(&d->others[0], d->at_2, params);
	rig_must(d->at_1, "group.watch", "'group_id':'%s'", group);
	rig_must(d->at_1, "session.watch", RIG_NONE);
	d->r.is_deaf = true;
	rig_must(d->at_2, "room.set_title", "'room_id':'%s','title':'Retro'", d->others[0].room_id);
	rig_forget(d->at_1);
}

/* By which it sees what it was not told. */
NODES_TEST(test_after_a_node_has_died_who_watches_reads_again, d)
{
	told_nothing(d);
	rig_node_ends(&d->r, d->others[0].config.node);
	rig_advance(&d->r, 13000);
	assert_int_equal(rig_count(d->at_1, "group.update"), 1);
	assert_int_equal(rig_count(d->at_1, "session.update"), 1);
	assert_true(says(rig_next(d->at_1), "'reset':true"));
}

/* It had begun to leave, and had not come to the end. */
NODES_TEST(test_after_a_leaving_node_has_died_who_watches_reads_again, d)
{
	told_nothing(d);
	rig_node(&d->r, d->others[0].config.node, true);
	rig_advance(&d->r, 2000);
	rig_node_ends(&d->r, d->others[0].config.node);
	rig_advance(&d->r, 13000);
	assert_int_equal(rig_count(d->at_1, "group.update"), 1);
	assert_int_equal(rig_count(d->at_1, "session.update"), 1);
	assert_true(says(rig_next(d->at_1), "'reset':true"));
}

NODES_TEST(test_a_node_that_has_left_has_told_all_before, d)
{
	told_nothing(d);
	rig_node_is(&d->r, &(struct cluster_node){.number = d->others[0].config.node,
						  .is_leaving = true,
						  .has_left = true});
	rig_advance(&d->r, 2000);
	rig_node_ends(&d->r, d->others[0].config.node);
	rig_advance(&d->r, 13000);
	assert_string_equal(rig_heard(d->at_1), "");
}

/* The room's commit may have been made, and its home closes the connections that it has: others read again. */
NODES_TEST(test_of_a_commit_that_nobody_knows_of_watchers_elsewhere_read_again, d)
{
	char group[32], params[64];
	group_of_ada(d, group);
	(void)snprintf(params, sizeof(params), "'group_id':'%s','title':'Sprint'", group);
	rig_found(&d->r, d->at_1, params);
	rig_must(d->at_2, "group.watch", "'group_id':'%s'", group);
	rig_forget(d->at_2);
	rig_fail_commits(&d->r, 1, ERR_UNKNOWN);
	(void)rig_send(d->at_1, "room.set_title", "'room_id':'%s','title':'Retro'", d->r.room_id);
	assert_true(says(rig_next(d->at_2), "'reset':true"));
}
