/*
 * test_group_removed.c - whom an owner has removed stays out: of the group, and of its rooms that ask something of
 * strangers.
 */
#include "tests/unit/server/club.h"

/* bob comes in by ada's code and is removed again; the code. */
static void remove_bob(struct club *d, char code[40])
{
	invite(d, &d->ada, "", code);
	assert_string_equal(join(&d->bob, code), "ok");
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	rig_advance(&d->r, SECOND_MS);
}

CLUB_TEST(test_the_code_that_let_them_in_lets_them_in_no_more, d)
{
	char code[40];
	remove_bob(d, code);
	assert_string_equal(join(&d->bob, code), "FORBIDDEN");
	assert_string_equal(join(&d->cy, code), "ok");
	rig_crash(&d->r);
	d->bob.peer = rig_guest(&d->r, "bob");
	login_signed(d->bob.peer, "bob", &d->bob.key);
	assert_string_equal(join(&d->bob, code), "FORBIDDEN");
}

CLUB_TEST(test_only_a_later_invitation_of_an_owner_lets_them_in, d)
{
	char code[40], members[40], owners[40], early[40];
	invite(d, &d->ada, "", early);
	remove_bob(d, code);
	assert_string_equal(join(&d->cy, code), "ok");
	invite(d, &d->cy, "", members);
	invite(d, &d->ada, "", owners);
	assert_string_equal(join(&d->bob, early), "FORBIDDEN");
	assert_string_equal(join(&d->bob, members), "FORBIDDEN");
	assert_string_equal(join(&d->bob, owners), "ok");
	assert_int_equal(stored_of(d, "GROUP", d->group, "REMOVED#"), 0);
	/* As anybody else from then on: whoever leaves may come back by any. */
	assert_string_equal(of_group(d, &d->bob, "group.leave", ""), "ok");
	assert_string_equal(join(&d->bob, early), "ok");
}

CLUB_TEST(test_renewing_the_code_does_not_let_them_in, d)
{
	char code[40], id[32];
	invite_as(d, &d->ada, "", code, id);
	assert_string_equal(join(&d->bob, code), "ok");
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(of_invitation(d, &d->ada, "invitation.renew", id), "ok");
	assert_string_equal(join(&d->bob, code), "FORBIDDEN");
}

/* A room of the group; bob has entered it as a member, or with its code alone where it is open. */
static void seat_bob(struct club *d, const char *policy)
{
	char params[64];
	enrol(d, &d->bob);
	(void)snprintf(params, sizeof(params), "'group_id':'%s'", d->group);
	rig_found(&d->r, d->ada.peer, params);
	rig_follow(d->ada.peer, "");
	rig_must(d->ada.peer, "join", RIG_NONE);
	if (policy != NULL) {
		rig_must(d->ada.peer, "set_policy", "%s", policy);
	}
	strcpy(d->bob.peer->room_id, d->r.room_id);
	rig_follow(d->bob.peer, "");
	rig_must(d->bob.peer, "join", RIG_NONE);
}

static const char *vote(struct club *d, struct rig_peer *p, const char *more)
{
	return rig_code(p, "room.vote", "'room_id':'%s','vote':'1'%s", d->r.room_id, more);
}

static const char *enter(struct club *d, struct rig_peer *p, const char *more)
{
	return rig_code(p, "room.subscribe", "'room_id':'%s'%s", d->r.room_id, more);
}

static const char *seat_after_removal(struct club *d, const char *policy)
{
	seat_bob(d, policy);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	rig_settle(&d->r);
	return vote(d, d->bob.peer, "");
}

CLUB_TEST(test_their_seat_in_a_room_with_a_passcode_ends, d)
{
	assert_string_not_equal(seat_after_removal(d, "'policy':{'passcode':'sesame'}"), "ok");
	assert_string_equal(enter(d, d->bob.peer, ""), "PASSCODE_REQUIRED");
}

CLUB_TEST(test_their_seat_in_an_open_room_stays, d)
{
	assert_string_equal(seat_after_removal(d, NULL), "ok");
}

/* ---- the server dies between the removal and what follows in the room ---- */

#define CLOSED "'policy':{'passcode':'sesame'}"

/* bob's connection after it. */
static struct rig_peer *bob_again(struct club *d)
{
	struct rig_peer *bob = rig_guest(&d->r, "bob");
	login_signed(bob, "bob", &d->bob.key);
	strcpy(bob->room_id, d->r.room_id);
	return bob;
}

/* @key  bob's user_key as a param, behind a comma. */
static void remove_and_crash(struct club *d, const char *policy, char key[80])
{
	seat_bob(d, policy);
	(void)snprintf(key, 80, ",'user_key':'%s'", d->bob.peer->user_key);
	rig_advance(&d->r, SECOND_MS);
	rig_hold(&d->r);
	uint32_t call = rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
				 d->group, d->bob.session.user_id);
	for (size_t i = 0; i < 20 && !rig_is_answered(d->ada.peer, call); i++) {
		rig_let(&d->r, 1);
	}
	assert_string_equal(rig_outcome(d->ada.peer, call), "ok");
	rig_crash(&d->r);
	rig_release(&d->r);
	d->bob.peer = bob_again(d);
}

CLUB_TEST(test_nobody_enters_on_the_seat_that_a_crash_left, d)
{
	char key[80];
	remove_and_crash(d, CLOSED, key);
	assert_string_equal(enter(d, d->bob.peer, ""), "PASSCODE_REQUIRED");
	assert_string_equal(vote(d, d->bob.peer, key), "PASSCODE_REQUIRED");
}

CLUB_TEST(test_nobody_votes_by_the_key_of_a_seat_that_a_crash_left, d)
{
	char key[80];
	remove_and_crash(d, CLOSED, key);
	assert_string_equal(vote(d, d->bob.peer, key), "PASSCODE_REQUIRED");
}

/* The key of the seat proves no login: whoever has it may come without one. */
CLUB_TEST(test_the_key_of_a_seat_that_a_crash_left_is_worth_nothing_to_a_guest, d)
{
	char key[80];
	remove_and_crash(d, CLOSED, key);
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	assert_string_equal(vote(d, guest, key), "PASSCODE_REQUIRED");
	assert_string_equal(enter(d, guest, key), "PASSCODE_REQUIRED");
}

CLUB_TEST(test_a_seat_that_a_crash_left_in_an_open_room_stays, d)
{
	char key[80];
	remove_and_crash(d, NULL, key);
	assert_string_equal(vote(d, d->bob.peer, key), "ok");
}

/* It is a stranger's seat, by the passcode, and stays as such. */
CLUB_TEST(test_a_seat_that_is_taken_after_the_removal_stays, d)
{
	char key[80];
	remove_and_crash(d, CLOSED, key);
	rig_advance(&d->r, SECOND_MS);
	assert_string_equal(enter(d, d->bob.peer, ",'passcode':'sesame'"), "ok");
	rig_must(d->bob.peer, "join", RIG_NONE);
	rig_crash(&d->r);
	d->bob.peer = bob_again(d);
	assert_string_equal(vote(d, d->bob.peer, key), "ok");
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
}

/* Who was not removed has what they had, by their key alone, too. */
CLUB_TEST(test_the_seats_of_others_outlast_a_crash, d)
{
	seat_bob(d, CLOSED);
	char key[80];
	(void)snprintf(key, sizeof(key), ",'user_key':'%s'", d->bob.peer->user_key);
	rig_crash(&d->r);
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	assert_string_equal(vote(d, guest, key), "ok");
	d->bob.peer = bob_again(d);
	assert_string_equal(vote(d, d->bob.peer, key), "ok");
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
}

/* Facts are asked for first, then the history, and one does not undo the other. */
CLUB_TEST(test_a_guest_on_the_seat_of_a_login_reads_old_rounds, d)
{
	seat_bob(d, CLOSED);
	char key[80];
	(void)snprintf(key, sizeof(key), ",'user_key':'%s'", d->bob.peer->user_key);
	for (size_t i = 0; i < 12; i++) {
		rig_must(d->ada.peer, "vote", "'vote':'5'");
		rig_must(d->ada.peer, "set_revealed", "'is_revealed':true");
		rig_must(d->ada.peer, "reset", RIG_NONE);
	}
	struct rig_peer *guest = rig_guest(&d->r, "guest");
	assert_string_equal(vote(d, guest, key), "ok");
	const char *rounds =
		rig_must(guest, "round.list", "'room_id':'%s','cursor':'3'", d->r.room_id);
	assert_true(says(rounds, "{'n':2,"));
}

/* ---- whose place as host was kept ---- */

/* bob, who was host, has been away until ada stood in and his seat had ended. */
static void bob_is_kept(struct club *d, const char *policy)
{
	seat_bob(d, policy);
	rig_must(d->ada.peer, "set_host", "'user_id':'%s'", d->bob.peer->user_id);
	rig_cut(d->bob.peer);
	for (int i = 0; i < 70; i++) {
		rig_advance(&d->r, MINUTE_MS);
		rig_must(d->ada.peer, "set_title", "'title':'%d'", i);
	}
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host");
	assert_non_null(strstr(rig_of(d->ada.peer, "host_kept_for"), "@"));
}

static void bob_comes_by_the_passcode(struct club *d)
{
	d->bob.peer = bob_again(d);
	assert_string_equal(enter(d, d->bob.peer, ",'passcode':'sesame'"), "ok");
	rig_must(d->bob.peer, "join", RIG_NONE);
}

CLUB_TEST(test_whom_a_group_has_removed_is_not_host_again, d)
{
	bob_is_kept(d, CLOSED);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	rig_settle(&d->r);
	bob_comes_by_the_passcode(d);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob");
}

/* The room hears of it only when bob comes. */
CLUB_TEST(test_nor_after_a_crash, d)
{
	bob_is_kept(d, CLOSED);
	rig_hold(&d->r);
	uint32_t call = rig_send(d->ada.peer, "group.remove_user", "'group_id':'%s','user_id':'%s'",
				 d->group, d->bob.session.user_id);
	for (size_t i = 0; i < 20 && !rig_is_answered(d->ada.peer, call); i++) {
		rig_let(&d->r, 1);
	}
	assert_string_equal(rig_outcome(d->ada.peer, call), "ok");
	rig_crash(&d->r);
	rig_release(&d->r);
	bob_comes_by_the_passcode(d);
	d->ada.peer = rig_return(d->ada.peer, false);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob");
}

/* Of an open room nobody is removed. */
CLUB_TEST(test_who_left_the_group_is_host_again_in_an_open_room, d)
{
	bob_is_kept(d, NULL);
	assert_string_equal(of_user(d, &d->ada, "group.remove_user", &d->bob, ""), "ok");
	rig_settle(&d->r);
	d->bob.peer = bob_again(d);
	assert_string_equal(enter(d, d->bob.peer, ""), "ok");
	rig_must(d->bob.peer, "join", RIG_NONE);
	assert_string_equal(rig_table(d->ada.peer), "#1 hidden: ada host, bob host");
	assert_non_null(strstr(rig_of(d->ada.peer, "host_user_id"), d->bob.peer->user_id));
}

CLUB_TEST(test_a_group_that_ends_forgets_whom_it_removed, d)
{
	char code[40];
	remove_bob(d, code);
	assert_int_equal(stored_of(d, "GROUP", d->group, "REMOVED#"), 1);
	assert_string_equal(of_group(d, &d->ada, "group.delete", ""), "ok");
	rig_advance(&d->r, MINUTE_MS);
	assert_int_equal(stored_of(d, "GROUP", d->group, ""), 0);
}
