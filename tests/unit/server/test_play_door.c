/*
 * test_play_door.c - who comes in: locked rooms, passcodes, the lobby.
 */
#include "tests/unit/server/table.h"

#include "tests/unit/server/play.h"

#define NOT_FOUND \
	"{'code':'ROOM_NOT_FOUND','message':'room not found or closed to you; check the code'}"
#define LOCKED	       "{'code':'ROOM_LOCKED','message':'the room is locked; ask its host to unlock it'}"
#define WANTS_PASSCODE "{'code':'PASSCODE_REQUIRED','message':'the room has a passcode'}"
#define WRONG_PASSCODE "{'code':'PASSCODE_REQUIRED','message':'wrong passcode'}"

/* ---- locked ---- */

TABLE_TEST(test_a_locked_room_says_that_it_is_locked_and_nothing_else, t)
{
	play_policy(t->ada, "'locked':true");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_refused(cy, "subscribe", RIG_NONE), LOCKED);
	assert_string_equal(rig_refused(cy, "get", RIG_NONE), LOCKED);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_members_come_back_to_a_locked_room, t)
{
	play_policy(t->ada, "'locked':true,'passcode':'sesame'");
	rig_cut(t->bob);
	struct rig_peer *bob = rig_return(t->bob, true);
	play_vote(bob, "5");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_the_host_key_opens_a_locked_room, t)
{
	play_policy(t->ada, "'locked':true,'passcode':'sesame','lobby':true");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "set_title", "'title':'x','host_key':'%s'", t->r.host_key);
	rig_follow(cy, "");
	assert_string_equal(rig_self(cy), "- voter");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, -");
}

TABLE_TEST(test_the_right_passcode_shows_that_the_room_is_locked, t)
{
	play_policy(t->ada, "'locked':true,'passcode':'sesame'");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_refused(cy, "subscribe", "'passcode':'sesame'"), LOCKED);
	assert_string_equal(rig_code(cy, "subscribe", "'passcode':'open'"), "PASSCODE_REQUIRED");
}

TABLE_TEST(test_an_unlocked_room_takes_new_seats_again, t)
{
	play_policy(t->ada, "'locked':true");
	play_policy(t->ada, "'locked':false");
	rig_sit(&t->r, "cy");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
}

/* ---- passcodes ---- */

/* The method as a stranger may call it, on no room and on this one: one answer, whatever it would do. */
static void assert_shut(struct table *t, enum method method, const char *also, const char *expected)
{
	struct rig_peer *cy =
		rig_connect_as(&t->r, "cy", PEER_UNIX, (unsigned char)(1 + method), false);
	const char *const rooms[] = {"222222", t->r.room_id};
	rig_hello(cy);
	for (size_t i = 0; i < 2; i++) {
		char *params = rig_least_params(method, rooms[i], also);
		const char *answer = rig_refused(cy, method_rows[method].name, "%s", params);
		if (strcmp(answer, i == 0 ? NOT_FOUND : expected) != 0) {
			fail_msg("%s {%s}: %s", method_rows[method].name, params, answer);
		}
		free(params);
	}
	rig_cut(cy);
}

TABLE_TEST(test_to_strangers_a_shut_room_says_what_shuts_it_and_nothing_else, t)
{
	static const char *const policies[] = {"'passcode':'sesame'",
					       "'passcode':null,'locked':true",
					       "'passcode':'sesame','locked':true,'lobby':true"};
	static const char *const also[] = {NULL, "passcode", "since", "host_key"};
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		play_policy(t->ada, policies[i]);
		for (size_t k = 0; k < sizeof(also) / sizeof(also[0]); k++) {
			bool brings_one = k == 1;
			for (enum method m = 0; m < METHOD_COUNT; m++) {
				bool is_asked = method_rows[m].where == WHERE_ROOM &&
						(also[k] == NULL ||
						 record_field(method_rows[m].params,
							      slice_str(also[k])) != NULL);
				if (is_asked) {
					assert_shut(t, m, also[k],
						    i == 1	 ? LOCKED
						    : brings_one ? WRONG_PASSCODE
								 : WANTS_PASSCODE);
				}
			}
			rig_advance(&t->r, 61000);
		}
	}
}

TABLE_TEST(test_the_right_passcode_opens_and_is_asked_for_once, t)
{
	play_policy(t->ada, "'passcode':'open sesame'");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "'passcode':'open sesame'");
	rig_must(cy, "join", "'username':'cy'");
	rig_cut(cy);
	cy = rig_return(cy, true);
	rig_must(cy, "get", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
}

TABLE_TEST(test_a_passcode_is_compared_to_the_byte, t)
{
	play_policy(t->ada, "'passcode':'Sesame'");
	static const char *const wrong[] = {"sesame", "Sesame ", "Sesam", "Sesamee", " Sesame"};
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_string_equal(rig_code(cy, "subscribe", "'passcode':'%s'", wrong[i]),
				    "PASSCODE_REQUIRED");
	}
	assert_string_equal(rig_code(cy, "subscribe", "'passcode':'Sesame'"), "ok");
}

TABLE_TEST(test_a_passcode_can_be_changed_and_taken_away, t)
{
	play_policy(t->ada, "'passcode':'one'");
	play_policy(t->ada, "'passcode':'two'");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "subscribe", "'passcode':'one'"), "PASSCODE_REQUIRED");
	play_policy(t->ada, "'passcode':null");
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ok");
	assert_string_equal(rig_code(rig_guest(&t->r, "dan"), "subscribe", "'passcode':'any'"),
			    "ok");
}

TABLE_TEST(test_a_passcode_survives_a_restart, t)
{
	play_policy(t->ada, "'passcode':'sesame'");
	rig_crash(&t->r);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "PASSCODE_REQUIRED");
	assert_string_equal(rig_code(cy, "subscribe", "'passcode':'sesame'"), "ok");
}

TABLE_TEST(test_a_wrong_passcode_counts_as_a_guess_of_the_address, t)
{
	static const char *const ways[][2] = {{"room.subscribe", ",'passcode':'wrong'"},
					      {"room.get", ""},
					      {"room.vote", ",'vote':'5'"}};
	play_policy(t->ada, "'passcode':'sesame'");
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
		unsigned char host = (unsigned char)(10 + w);
		struct rig_peer *cy = rig_connect_as(&t->r, "cy", PEER_NETWORK, host, false);
		rig_hello(cy);
		for (int64_t i = 0; i < MAX_ROOM_MISSES_PER_MINUTE; i++) {
			assert_string_equal(rig_code(cy, ways[w][0], "'room_id':'%s'%s",
						     t->r.room_id, ways[w][1]),
					    "PASSCODE_REQUIRED");
		}
		assert_string_equal(rig_code(cy, "subscribe", "'passcode':'sesame'"),
				    "RATE_LIMITED");
		rig_advance(&t->r, 61000);
		assert_string_equal(rig_code(cy, "subscribe", "'passcode':'sesame'"), "ok");
		rig_cut(cy);
	}
}

/* Knocking takes nothing of what a connection may have. */
TABLE_TEST(test_a_wrong_passcode_leaves_nothing_behind, t)
{
	char first[CODE_CHARS_MAX + 1];
	struct rig_peer *cy = rig_connect_as(&t->r, "cy", PEER_UNIX, 0, true);
	rig_hello(cy);
	strcpy(first, t->r.room_id);
	for (size_t i = 0; i < MAX_CONNECTION_ROOMS; i++) {
		rig_found(&t->r, t->ada, "");
		rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
		strcpy(cy->room_id, t->r.room_id);
		assert_string_equal(rig_code(cy, "subscribe", "'passcode':'wrong'"),
				    "PASSCODE_REQUIRED");
	}
	strcpy(cy->room_id, first);
	strcpy(t->ada->room_id, first);
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ok");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, -");
}

/* ---- the lobby ---- */

static struct rig_peer *knock(struct table *t, const char *name)
{
	struct rig_peer *p = rig_guest(&t->r, name);
	rig_follow(p, "");
	return p;
}

/* promise: lobby */
TABLE_TEST(test_a_member_in_the_lobby_is_sent_that_and_nothing_of_the_room, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = knock(t, "cy");
	assert_string_equal(rig_heard(cy), "room.you");
	assert_string_equal(rig_self(cy), "- voter waits");
	rig_forget(cy);
	play_vote(t->bob, "5");
	play_story(t->bob, "Secret plan");
	rig_must(t->bob, "react", "'word':'hush'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_advance(&t->r, 120000);
	assert_string_equal(rig_heard(cy), "");
	assert_string_equal(rig_code(cy, "get", RIG_NONE), "FORBIDDEN");
	assert_string_equal(rig_code(cy, "story.list", "'room_id':'%s'", t->r.room_id),
			    "FORBIDDEN");
	assert_string_equal(rig_code(cy, "round.list", "'room_id':'%s'", t->r.room_id),
			    "FORBIDDEN");
	rig_must(cy, "subscribe", "'user_key':'%s'", cy->user_key);
	assert_false(play_was_sent(cy, "Secret"));
	assert_false(play_was_sent(cy, "ada"));
}

TABLE_TEST(test_members_see_the_lobby_and_its_names, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = knock(t, "cy");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, - waits");
	rig_must(cy, "join", "'username':'cy'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, cy waits");
	assert_string_equal(rig_self(cy), "cy voter waits");
	assert_int_equal(rig_count(cy, "room.update"), 0);
}

TABLE_TEST(test_admitted_one_gets_everything_and_follows, t)
{
	play_story(t->bob, "Login");
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(cy);
	rig_must(t->ada, "admit", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_heard(cy), "room.you room.update");
	assert_string_equal(rig_self(cy), "cy voter");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, cy");
	assert_string_equal(rig_stories(cy), "Login: todo");
	play_vote(cy, "5");
	rig_assert_all_same(&t->r);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, cy voted");
}

TABLE_TEST(test_rejected_one_is_let_go_and_may_knock_again, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(cy);
	rig_must(t->ada, "reject", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_heard(cy), "room.kicked");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
	rig_must(cy, "subscribe", "'user_key':'%s'", cy->user_key);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, - waits");
	assert_int_equal(rig_count(cy, "room.update"), 0);
}

TABLE_TEST(test_only_hosts_admit_and_reject_and_only_from_the_lobby, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	static const char *const acts[] = {"admit", "reject"};
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(rig_code(t->bob, acts[i], "'user_id':'%s'", cy->user_id),
				    "FORBIDDEN");
		assert_string_equal(rig_code(cy, acts[i], "'user_id':'%s'", cy->user_id),
				    "FORBIDDEN");
		assert_string_equal(rig_code(t->ada, acts[i], "'user_id':'%s'", t->bob->user_id),
				    "CONFLICT");
		assert_string_equal(rig_code(t->ada, acts[i], "'user_id':'NOBODY'"),
				    "NOT_FOUND user_id");
	}
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob, cy waits");
}

/* It is the only word they are sent: it must come, even if they read nothing for a while. */
TABLE_TEST(test_a_slow_member_of_the_lobby_is_sent_so_when_it_reads, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_window(cy, 0);
	rig_send(cy, "server.ping", RIG_NONE);
	rig_send(cy, "subscribe", RIG_NONE);
	assert_string_equal(rig_heard(cy), "");
	rig_window(cy, RIG_UNBOUNDED);
	assert_string_equal(rig_heard(cy), "answer answer room.you");
}

TABLE_TEST(test_a_repeated_subscribe_in_the_lobby_is_answered_the_same, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = knock(t, "cy");
	rig_forget(cy);
	rig_must(cy, "subscribe", RIG_NONE);
	assert_string_equal(rig_heard(cy), "room.you");
}

TABLE_TEST(test_without_a_lobby_all_in_it_are_admitted, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct rig_peer *dan = knock(t, "dan");
	play_policy(t->ada, "'lobby':false");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, cy, -");
	assert_string_equal(rig_table(dan), "#1 hidden: ada host, bob, cy, -");
}

TABLE_TEST(test_members_stay_in_when_a_lobby_is_made, t)
{
	play_policy(t->ada, "'lobby':true");
	rig_cut(t->bob);
	struct rig_peer *bob = rig_return(t->bob, true);
	play_vote(bob, "5");
	assert_string_equal(rig_table(bob), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_stranger_does_not_look_past_the_lobby, t)
{
	play_policy(t->ada, "'lobby':true");
	assert_string_equal(rig_code(rig_guest(&t->r, "cy"), "get", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_a_member_in_the_lobby_holds_up_no_reveal_is_not_rung_and_inherits_nothing, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(cy);
	assert_string_equal(rig_must(t->ada, "nudge", RIG_NONE), "{'nudged':1,'version':7}");
	play_vote(t->ada, "3");
	play_vote(t->bob, "5");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_code(t->ada, "set_host", "'user_id':'%s'", cy->user_id),
			    "CONFLICT");
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_of(t->bob, "host_user_id"), "null");
	assert_string_equal(rig_heard(cy), "");
}

TABLE_TEST(test_one_who_is_let_in_follows_a_host_who_has_gone, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	rig_cut(t->ada);
	rig_advance(&t->r, 61000);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host away, bob watches, cy waits");
	rig_must(t->bob, "admit", "'user_id':'%s','host_key':'%s'", cy->user_id, t->r.host_key);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada away, bob watches, cy host");
	assert_string_equal(rig_self(cy), "cy voter host");
}

TABLE_TEST(test_where_the_lobby_goes_one_who_waited_follows_a_host_who_has_gone, t)
{
	play_policy(t->ada, "'lobby':true");
	rig_sit(&t->r, "cy");
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	rig_cut(t->ada);
	rig_advance(&t->r, 61000);
	rig_must(t->bob, "set_policy", "'policy':{'lobby':false},'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada away, bob watches, cy host");
}

TABLE_TEST(test_waiting_survives_a_restart, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_crash(&t->r);
	cy = rig_return(cy, false);
	assert_string_equal(rig_heard(cy), "room.you");
	assert_string_equal(rig_self(cy), "cy voter waits");
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_must(ada, "admit", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob away, cy");
}

/* After a restart all are away: whoever comes first takes no place of one who was let in. */
TEST(test_an_admission_that_was_never_used_survives_a_restart_of_a_full_room)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOM_SEATS, 3);
	rig_must(ada, "join", "'username':'ada'");
	play_policy(ada, "'lobby':true");
	struct rig_peer *cy = rig_guest(&r, "cy");
	rig_follow(cy, "");
	rig_must(ada, "admit", "'user_id':'%s'", cy->user_id);
	struct rig_peer *dora = rig_guest(&r, "dora");
	rig_follow(dora, "");
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, -, - waits");
	rig_crash(&r);
	struct rig_peer *eve = rig_guest(&r, "eve");
	assert_string_equal(rig_code(eve, "subscribe", RIG_NONE), "ok"); /* in dora's place */
	struct rig_peer *fay = rig_guest(&r, "fay");
	assert_string_equal(rig_code(fay, "subscribe", RIG_NONE), "ROOM_FULL");
	cy = rig_return(cy, false);
	assert_string_equal(rig_self(cy), "- voter");
	ada = rig_return(ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, -, - waits");
	rig_finish(&r);
}

TABLE_TEST(test_a_failed_commit_shows_nothing_to_the_lobby, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "admit", "'user_id':'%s'", cy->user_id),
			    "UNAVAILABLE");
	assert_int_equal(rig_count(cy, "room.update"), 0);
	assert_string_equal(rig_self(cy), "cy voter waits");
	rig_must(t->ada, "admit", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob, cy");
}

TABLE_TEST(test_a_claim_of_the_room_admits_the_claimant, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "claim_host", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_table(cy), "#1 hidden: ada, bob, cy host");
	assert_string_equal(rig_self(cy), "cy voter host");
}

TABLE_TEST(test_a_kicked_member_waits_in_the_lobby_again, t)
{
	play_policy(t->ada, "'lobby':true");
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_forget(t->bob);
	rig_copies_free(t->bob);
	rig_must(t->bob, "subscribe", "'user_key':'%s'", t->bob->user_key);
	assert_string_equal(rig_heard(t->bob), "room.you");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, - waits");
}

TABLE_TEST(test_a_member_in_the_lobby_may_leave, t)
{
	play_policy(t->ada, "'lobby':true");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "unsubscribe", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy waits away");
	rig_must(cy, "delete_user", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}
