/*
 * test_play_reveal.c - when the cards are turned over by themselves, and what
 * stops it.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#define COUNTDOWN_MS 3000

static void vote(struct rig_peer *p, const char *card)
{
	(void)rig_must(p, "vote", "'vote':'%s'", card);
}

static void both_vote(struct table *t)
{
	vote(t->ada, "3");
	vote(t->bob, "5");
}

static void assert_phase(struct rig_peer *p, const char *phase)
{
	char quoted[32];
	(void)snprintf(quoted, sizeof(quoted), "'%s'", phase);
	assert_string_equal(rig_of(p, "phase"), quoted);
}

static void policy(struct table *t, const char *changes)
{
	(void)rig_must(t->ada, "set_policy", "'policy':{%s}", changes);
}

/* ---- the countdown ---- */

TABLE_TEST(test_the_last_vote_begins_a_countdown_of_3_s, t)
{
	vote(t->ada, "3");
	assert_phase(t->bob, "voting");
	assert_string_equal(rig_of(t->bob, "countdown"), "");
	vote(t->bob, "5");
	assert_phase(t->ada, "countdown");
	assert_phase(t->bob, "countdown");
	assert_true(rig_number(t->bob, "countdown", "ends_at") == t->r.wall_ms + COUNTDOWN_MS);
	rig_advance(&t->r, COUNTDOWN_MS - 1);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =5");
	assert_phase(t->bob, "revealed");
	assert_string_equal(rig_of(t->bob, "countdown"), "");
}

TABLE_TEST(test_another_card_leaves_the_countdown_running, t)
{
	both_vote(t);
	rig_advance(&t->r, 2000);
	vote(t->bob, "8");
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
}

/* promise: countdown */
TABLE_TEST(test_a_retracted_vote_stops_the_countdown, t)
{
	both_vote(t);
	rig_advance(&t->r, 2000);
	rig_must(t->bob, "vote", "'vote':null");
	assert_phase(t->ada, "voting");
	rig_advance(&t->r, MINUTE_MS);
	assert_phase(t->ada, "voting");
	vote(t->bob, "5");
	rig_advance(&t->r, COUNTDOWN_MS - 1);
	assert_phase(t->ada, "countdown");
	rig_advance(&t->r, 1);
	assert_phase(t->ada, "revealed");
}

TABLE_TEST(test_revealing_by_hand_ends_the_countdown, t)
{
	both_vote(t);
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_phase(t->bob, "revealed");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_a_reset_stops_the_countdown, t)
{
	both_vote(t);
	rig_must(t->ada, "reset", RIG_NONE);
	assert_phase(t->bob, "voting");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
}

/* Or it would say that there is a vote that the new deck does not have. */
TABLE_TEST(test_no_deck_stops_the_countdown, t)
{
	both_vote(t);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['3','4']");
	assert_phase(t->bob, "countdown");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob");
	assert_int_equal(rig_number(t->bob, "result", "withdrawn"), 1);
}

TABLE_TEST(test_a_deck_that_keeps_all_votes_leaves_the_countdown_running, t)
{
	both_vote(t);
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['5','4','3']");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =5");
}

TABLE_TEST(test_a_countdown_ends_when_nobodys_vote_is_left, t)
{
	rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	vote(t->bob, "5");
	assert_phase(t->ada, "countdown");
	rig_must(t->bob, "leave", RIG_NONE);
	assert_phase(t->ada, "voting");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host watches, -");
}

TABLE_TEST(test_a_clock_that_is_set_does_not_change_the_countdown, t)
{
	both_vote(t);
	t->r.wall_ms += 3600000;
	rig_advance(&t->r, COUNTDOWN_MS - 1);
	assert_phase(t->ada, "countdown");
	t->r.wall_ms -= 7200000;
	rig_advance(&t->r, 1);
	assert_phase(t->ada, "revealed");
}

TABLE_TEST(test_a_countdown_that_ends_while_a_commit_waits_is_shown_with_it, t)
{
	vote(t->ada, "3");
	rig_hold(&t->r);
	uint32_t msgid = rig_send(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, 2 * COUNTDOWN_MS);
	assert_string_equal(rig_outcome(t->bob, msgid), "none");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host voted, bob");
	rig_release(&t->r);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_outcome(t->bob, msgid), "ok");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5");
}

/* ---- stopping it by hand ---- */

TABLE_TEST(test_cancelling_holds_the_reveal_until_the_next_vote, t)
{
	both_vote(t);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	assert_phase(t->bob, "voting");
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_phase(t->bob, "voting");
	rig_must(t->ada, "set_title", "'title':'not a vote'");
	rig_sit(&t->r, "cy");
	assert_phase(t->bob, "voting");
	vote(t->bob, "5"); /* the same card is no new vote */
	assert_phase(t->bob, "voting");
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	rig_must(dan, "leave", RIG_NONE);
	assert_phase(t->bob, "voting");
}

TABLE_TEST(test_the_next_vote_begins_the_countdown_that_was_held, t)
{
	both_vote(t);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	vote(t->bob, "8");
	assert_phase(t->bob, "countdown");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =8");
}

TABLE_TEST(test_the_token_of_this_countdown_stops_it_and_an_older_one_does_not, t)
{
	both_vote(t);
	int64_t stale = rig_number(t->ada, "countdown", "token");
	rig_must(t->bob, "vote", "'vote':null");
	vote(t->bob, "5");
	int64_t fresh = rig_number(t->ada, "countdown", "token");
	assert_true(stale >= 0 && fresh >= 0 && stale != fresh);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s','token':%lld", t->r.room_id,
		 (long long)stale);
	assert_phase(t->ada, "countdown");
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s','token':%lld", t->r.room_id,
		 (long long)fresh);
	assert_phase(t->ada, "voting");
}

TABLE_TEST(test_a_token_from_before_a_restart_stops_nothing, t)
{
	both_vote(t);
	int64_t stale = rig_number(t->ada, "countdown", "token");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_phase(ada, "countdown");
	rig_must(ada, "reveal.cancel", "'room_id':'%s','token':%lld", t->r.room_id,
		 (long long)stale);
	assert_phase(ada, "countdown");
	assert_true(rig_number(ada, "countdown", "token") != stale);
}

TABLE_TEST(test_cancelling_nothing_is_fine_and_changes_nothing, t)
{
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s','token':7", t->r.room_id);
	assert_int_equal(rig_count(t->bob, "room.update"), 0);
	both_vote(t);
	assert_phase(t->bob, "countdown");
}

TABLE_TEST(test_hiding_holds_the_reveal_until_the_next_vote, t)
{
	both_vote(t);
	rig_advance(&t->r, COUNTDOWN_MS);
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
	vote(t->ada, "5");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =5, bob =5");
}

/* ---- who is waited for ---- */

/* promise: countdown */
TABLE_TEST(test_a_latecomer_does_not_stop_the_countdown, t)
{
	both_vote(t);
	rig_advance(&t->r, 1000);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_advance(&t->r, 2000);
	assert_string_equal(rig_table(cy), "#1 open: ada host =3, bob =5, cy");
}

TABLE_TEST(test_a_member_that_leaves_is_waited_for_no_longer, t)
{
	static const char *const ways[] = {"leave", "delete_user", "kick", "spectator"};
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct rig_peer *cy = rig_sit(&t->r, "cy");
		both_vote(t);
		assert_phase(t->ada, "voting");
		if (strcmp(ways[i], "kick") == 0) {
			rig_must(t->ada, "kick", "'user_id':'%s'", cy->user_id);
			rig_forget(cy);
			rig_copies_free(cy);
		} else if (strcmp(ways[i], "spectator") == 0) {
			rig_must(cy, "join", "'username':'cy','role':'spectator'");
		} else {
			rig_must(cy, ways[i], RIG_NONE);
		}
		assert_phase(t->ada, "countdown");
		rig_advance(&t->r, COUNTDOWN_MS);
		assert_phase(t->ada, "revealed");
		rig_must(t->ada, "reset", RIG_NONE);
		if (strcmp(ways[i], "delete_user") == 0) {
			rig_copies_free(cy);
		}
	}
}

TABLE_TEST(test_a_lost_connection_is_waited_for_as_long_as_its_grace, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	both_vote(t);
	rig_cut(cy);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_phase(t->ada, "voting");
	rig_advance(&t->r, 1);
	assert_phase(t->ada, "countdown");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5, cy away");
}

TABLE_TEST(test_a_member_back_within_the_grace_is_waited_for_again, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	both_vote(t);
	rig_cut(cy);
	rig_advance(&t->r, MINUTE_MS - 1);
	cy = rig_return(cy, true);
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_phase(t->ada, "voting");
	vote(cy, "8");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5, cy =8");
}

TABLE_TEST(test_a_voter_that_is_away_holds_nothing_up, t)
{
	vote(t->bob, "5");
	rig_cut(t->bob);
	vote(t->ada, "3");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob away =5");
}

TABLE_TEST(test_spectators_and_watchers_hold_nothing_up, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "join", "'username':'cy','role':'spectator'");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_follow(dan, "");
	both_vote(t);
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5, cy watches, -");
}

TABLE_TEST(test_bots_hold_nothing_up_unless_they_count, t)
{
	struct rig_peer *bot = rig_sit(&t->r, "bot");
	rig_must(bot, "join", "'username':'bot','is_bot':true");
	both_vote(t);
	assert_phase(t->ada, "countdown");
	rig_must(t->ada, "reset", RIG_NONE);
	policy(t, "'bots_count':true");
	both_vote(t);
	assert_phase(t->ada, "voting");
	vote(bot, "8");
	assert_phase(t->ada, "countdown");
}

TABLE_TEST(test_bots_alone_reveal_nothing, t)
{
	rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	rig_must(t->bob, "join", "'username':'bob','is_bot':true");
	vote(t->bob, "5");
	assert_phase(t->ada, "voting");
	policy(t, "'bots_count':true");
	assert_phase(t->ada, "countdown");
}

TABLE_TEST(test_an_empty_table_is_never_revealed_by_itself, t)
{
	rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	rig_must(t->bob, "leave", RIG_NONE);
	rig_advance(&t->r, MINUTE_MS);
	assert_phase(t->ada, "voting");
}

/* ---- arming ---- */

static void arm(struct rig_peer *p, bool is_armed)
{
	(void)rig_must(p, "reveal.arm", "'room_id':'%s','is_armed':%s", p->rig->room_id,
		       is_armed ? "true" : "false");
}

TABLE_TEST(test_armed_the_last_missing_vote_reveals_at_once, t)
{
	vote(t->ada, "3");
	rig_must(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_of(t->bob, "is_armed"), "true");
	assert_phase(t->bob, "voting");
	vote(t->bob, "5");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5");
	assert_string_equal(rig_of(t->bob, "is_armed"), "");
}

TABLE_TEST(test_armed_a_leaver_reveals_at_once, t)
{
	vote(t->ada, "3");
	arm(t->ada, true);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, -");
}

TABLE_TEST(test_armed_works_without_the_countdown_and_through_a_hold, t)
{
	policy(t, "'auto_reveal':false");
	both_vote(t);
	assert_phase(t->ada, "voting");
	arm(t->ada, true);
	assert_phase(t->ada, "revealed");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	arm(t->ada, true);
	assert_phase(t->ada, "revealed");
}

TABLE_TEST(test_arming_can_be_taken_back_and_ends_with_the_round, t)
{
	vote(t->ada, "3");
	arm(t->ada, true);
	arm(t->ada, false);
	assert_string_equal(rig_of(t->bob, "is_armed"), "");
	arm(t->ada, true);
	rig_must(t->ada, "reset", RIG_NONE);
	assert_string_equal(rig_of(t->bob, "is_armed"), "");
	both_vote(t);
	assert_phase(t->bob, "countdown");
}

TABLE_TEST(test_open_cards_cannot_be_armed, t)
{
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_code(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id),
			    "CONFLICT");
}

/* ---- who may, and the policy ---- */

TABLE_TEST(test_only_the_host_reveals_cancels_and_arms_unless_everyone_may, t)
{
	both_vote(t);
	assert_string_equal(rig_code(t->bob, "reveal.cancel", "'room_id':'%s'", t->r.room_id),
			    "FORBIDDEN");
	assert_string_equal(rig_code(t->bob, "reveal.arm", "'room_id':'%s'", t->r.room_id),
			    "FORBIDDEN");
	assert_string_equal(rig_code(t->bob, "set_revealed", "'is_revealed':true"), "FORBIDDEN");
	assert_phase(t->bob, "countdown");
	policy(t, "'who_reveals':'everyone'");
	rig_must(t->bob, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	assert_phase(t->bob, "voting");
	arm(t->bob, true);
	assert_phase(t->bob, "revealed");
	rig_must(t->bob, "set_revealed", "'is_revealed':false");
	assert_phase(t->bob, "voting");
}

TABLE_TEST(test_without_auto_reveal_nothing_happens_by_itself, t)
{
	policy(t, "'auto_reveal':false");
	both_vote(t);
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
}

TABLE_TEST(test_switching_auto_reveal_off_stops_the_countdown_and_on_begins_it, t)
{
	both_vote(t);
	policy(t, "'auto_reveal':false");
	assert_phase(t->bob, "voting");
	rig_advance(&t->r, MINUTE_MS);
	assert_phase(t->bob, "voting");
	policy(t, "'auto_reveal':true");
	assert_phase(t->bob, "countdown");
}

/* ---- restarts ---- */

TABLE_TEST(test_after_a_restart_the_countdown_begins_anew, t)
{
	both_vote(t);
	rig_advance(&t->r, 2000);
	rig_crash(&t->r);
	rig_advance(&t->r, 10);
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_phase(ada, "countdown");
	rig_advance(&t->r, COUNTDOWN_MS - 1);
	assert_phase(bob, "countdown");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(bob), "#1 open: ada host =3, bob =5");
}

TABLE_TEST(test_what_was_held_is_held_after_a_restart, t)
{
	both_vote(t);
	rig_must(t->ada, "reveal.cancel", "'room_id':'%s'", t->r.room_id);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	rig_advance(&t->r, MINUTE_MS / 2);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host voted, bob voted");
	vote(bob, "8");
	assert_phase(ada, "countdown");
	rig_crash(&t->r);
	ada = rig_return(ada, false);
	assert_phase(ada, "countdown");
}

TABLE_TEST(test_what_was_armed_is_armed_after_a_restart, t)
{
	vote(t->ada, "3");
	arm(t->ada, true);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_of(ada, "is_armed"), "true");
	vote(bob, "5");
	assert_string_equal(rig_table(ada), "#1 open: ada host =3, bob =5");
}

TABLE_TEST(test_a_failed_commit_begins_the_countdown_anew_for_everybody, t)
{
	both_vote(t);
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "set_title", "'title':'x'"), "UNAVAILABLE");
	assert_phase(t->ada, "countdown");
	rig_advance(&t->r, COUNTDOWN_MS);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =5");
}
