/*
 * test_keep_votes.c - rooms whose members come and go: votes that stay without a connection, and reveals by a
 * quorum or a deadline.
 */
#include "tests/unit/server/table.h"

#define DAY_S  86400
#define HOUR_S 3600

static void policy(struct table *t, const char *changes)
{
	(void)rig_must(t->ada, "set_policy", "'policy':{%s}", changes);
}

static void vote(struct rig_peer *p, const char *card)
{
	(void)rig_must(p, "vote", "'vote':'%s'", card);
}

/* A member who sits down, votes and goes. */
static struct rig_peer *passes_by(struct table *t, const char *name, const char *card)
{
	struct rig_peer *p = rig_sit(&t->r, name);
	vote(p, card);
	rig_cut(p);
	return p;
}

TABLE_TEST(test_a_kept_vote_outlasts_its_connection_until_the_round_ends, t)
{
	policy(t, "'keep_votes':true");
	vote(t->bob, "5");
	rig_cut(t->bob);
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob away =5");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host, bob away");
	(void)rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob away =5");
}

TABLE_TEST(test_kept_votes_survive_a_restart_and_wait_for_their_voter, t)
{
	policy(t, "'keep_votes':true,'quorum':3");
	vote(t->bob, "5");
	rig_cut(t->bob);
	rig_cut(t->ada);
	rig_advance(&t->r, 20 * MINUTE_MS);
	rig_crash(&t->r);
	t->r.mono_ms += 123456;
	t->r.wall_ms += 20 * MINUTE_MS;
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away voted");
	assert_true(rig_number(ada, "policy", "quorum") == 3);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_member_who_leaves_takes_a_kept_vote_along, t)
{
	policy(t, "'keep_votes':true");
	vote(t->bob, "5");
	(void)rig_must(t->bob, "leave", RIG_NONE);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
}

TABLE_TEST(test_graces_end_at_once_when_votes_are_kept_no_longer, t)
{
	policy(t, "'keep_votes':true");
	vote(t->bob, "5");
	rig_cut(t->bob);
	rig_advance(&t->r, 5 * MINUTE_MS);
	policy(t, "'keep_votes':false");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
}

TABLE_TEST(test_a_seat_without_a_name_is_not_kept, t)
{
	policy(t, "'keep_votes':true");
	struct rig_peer *watcher = rig_guest(&t->r, "watcher");
	rig_follow(watcher, "");
	rig_cut(watcher);
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

/* ---- a vote that is to be kept ---- */

static void vote_for(struct rig_peer *p, const char *card, long long seconds)
{
	(void)rig_must(p, "vote", "'vote':'%s','keep_seconds':%lld", card, seconds);
}

TABLE_TEST(test_a_vote_that_is_to_be_kept_stays_until_no_reset_of_it_can_be_undone, t)
{
	vote_for(t->bob, "5", MAX_VOTE_KEEP_SECONDS);
	rig_cut(t->bob);
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	rig_cut(rig_sit(&t->r, "eve")); /* whose seat goes, so that all seats are looked at */
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host, bob away");
	(void)rig_must(t->ada, "round.undo_reset", "'room_id':'%s'", t->r.room_id);
	rig_advance(&t->r, 3 * HOUR_MS);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob away =5");
	(void)rig_must(t->ada, "reset", RIG_NONE);
	vote(t->ada, "3");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	(void)rig_must(t->ada, "vote", "'vote':null");
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host");
}

TABLE_TEST(test_a_vote_put_aside_is_kept_until_the_reveal_and_its_seat_with_it, t)
{
	vote_for(t->bob, "5", HOUR_S);
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	rig_cut(t->bob);
	rig_advance(&t->r, 20 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob watches away");
	vote(t->ada, "3");
	(void)rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3");
}

TABLE_TEST(test_it_is_kept_so_long_and_the_seat_with_it, t)
{
	vote_for(t->bob, "5", 120);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	vote_for(eve, "5", HOUR_S);
	rig_cut(eve);
	rig_advance(&t->r, HOUR_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, eve away voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
}

TABLE_TEST(test_less_than_the_grace_of_all_is_as_long_and_another_vote_ends_it, t)
{
	vote_for(t->bob, "5", 1);
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	struct rig_peer *bob = rig_return(t->bob, false);
	vote_for(bob, "5", HOUR_S);
	vote(bob, "8");
	rig_cut(bob);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_restart_begins_its_time_anew, t)
{
	vote_for(t->bob, "5", 1200);
	rig_cut(t->bob);
	rig_advance(&t->r, 15 * MINUTE_MS);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_advance(&t->r, 15 * MINUTE_MS);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away voted");
	rig_advance(&t->r, 5 * MINUTE_MS);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host");
}

TABLE_TEST(test_those_who_leave_their_vote_reveal_nothing_before_somebody_who_is_here_votes, t)
{
	(void)rig_must(t->ada, "leave", RIG_NONE);
	rig_cut(t->ada);
	vote_for(t->bob, "5", HOUR_S);
	assert_string_equal(rig_of(t->bob, "phase"), "'voting'");
	rig_cut(t->bob);
	struct rig_peer *eve = rig_sit(&t->r, "eve");
	vote_for(eve, "8", HOUR_S);
	assert_string_equal(rig_of(eve, "phase"), "'voting'");
	rig_cut(eve);
	rig_advance(&t->r, 5 * MINUTE_MS);
	struct rig_peer *joe = rig_sit(&t->r, "joe");
	vote(joe, "8");
	assert_string_equal(rig_of(joe, "phase"), "'countdown'");
	rig_advance(&t->r, 4000);
	assert_string_equal(rig_table(joe), "#1 open: bob away =5, eve away =8, joe host =8");
}

TABLE_TEST(test_such_a_vote_beside_another_connection_of_its_member_reveals_as_any_does, t)
{
	vote(t->ada, "3");
	struct rig_peer *again = rig_return(t->bob, false);
	vote_for(again, "5", HOUR_S);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

TABLE_TEST(test_a_member_who_left_a_vote_is_here_by_the_connection_that_is_left, t)
{
	(void)rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	policy(t, "'auto_reveal':false");
	struct rig_peer *again = rig_return(t->bob, false);
	vote_for(again, "5", HOUR_S);
	rig_cut(again);
	policy(t, "'auto_reveal':true");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

TABLE_TEST(test_a_member_for_whom_a_script_leaves_a_vote_is_here, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	(void)rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	(void)rig_must(script, "vote", "'vote':'5','keep_seconds':%d,'user_key':'%s'", HOUR_S,
		       t->bob->user_key);
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

TABLE_TEST(test_an_armed_reveal_waits_for_nobody_who_left_a_vote, t)
{
	(void)rig_must(t->ada, "join", "'username':'ada','role':'spectator'");
	vote_for(t->bob, "5", HOUR_S);
	rig_cut(t->bob);
	rig_advance(&t->r, 5 * MINUTE_MS);
	(void)rig_must(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id);
	assert_string_equal(rig_of(t->ada, "phase"), "'revealed'");
}

TABLE_TEST(test_a_time_beyond_the_bound_is_refused, t)
{
	static const long long bad[] = {-1, 0, MAX_VOTE_KEEP_SECONDS + 1};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','keep_seconds':%lld",
					     bad[i]),
				    "VALIDATION_ERROR keep_seconds");
	}
}

/* ---- who leads ---- */

TABLE_TEST(test_where_votes_are_kept_nobody_takes_the_place_of_an_absent_host, t)
{
	policy(t, "'keep_votes':true");
	rig_cut(t->ada);
	rig_advance(&t->r, HOUR_MS);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host away, bob");
	rig_cut(t->bob);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host away, bob");
}

TABLE_TEST(test_where_votes_are_kept_a_host_who_leaves_is_succeeded, t)
{
	policy(t, "'keep_votes':true");
	(void)rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->bob), "#1 hidden: -, bob host");
}

TABLE_TEST(test_the_host_is_succeeded_once_votes_are_kept_no_longer, t)
{
	policy(t, "'keep_votes':true");
	rig_cut(t->ada);
	rig_advance(&t->r, 2 * MINUTE_MS);
	struct rig_peer *script = rig_guest(&t->r, "script");
	(void)rig_must(script, "set_policy", "'policy':{'keep_votes':false},'host_key':'%s'",
		       t->r.host_key);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada away, bob host");
}

/* ---- what reveals ---- */

TABLE_TEST(test_where_votes_are_kept_all_votes_reveal_nothing_by_themselves, t)
{
	policy(t, "'keep_votes':true");
	vote(t->ada, "3");
	vote(t->bob, "5");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	policy(t, "'keep_votes':false");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	policy(t, "'keep_votes':true");
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
}

TABLE_TEST(test_where_votes_are_kept_an_armed_reveal_waits_for_the_absent, t)
{
	policy(t, "'keep_votes':true");
	(void)rig_must(t->ada, "reveal.arm", "'room_id':'%s'", t->r.room_id);
	vote(t->ada, "3");
	rig_cut(t->bob);
	rig_advance(&t->r, HOUR_MS);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	struct rig_peer *bob = rig_return(t->bob, false);
	vote(bob, "5");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host =3, bob =5");
}

TABLE_TEST(test_a_quorum_of_votes_begins_the_countdown_whoever_is_here, t)
{
	policy(t, "'keep_votes':true,'quorum':3");
	(void)passes_by(t, "cyd", "3");
	(void)passes_by(t, "dan", "5");
	rig_advance(&t->r, HOUR_MS);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	(void)passes_by(t, "eve", "8");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	rig_advance(&t->r, 3 * SECOND_MS);
	assert_string_equal(rig_table(t->ada),
			    "#1 open: ada host, bob, cyd away =3, dan away =5, eve away =8");
}

TABLE_TEST(test_a_quorum_needs_no_kept_votes_and_waits_for_more_than_are_here, t)
{
	policy(t, "'quorum':3");
	vote(t->ada, "3");
	vote(t->bob, "5");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	policy(t, "'quorum':1");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	policy(t, "'quorum':3");
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	policy(t, "'quorum':2,'auto_reveal':false");
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	policy(t, "'quorum':0,'auto_reveal':true");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

TABLE_TEST(test_a_member_who_leaves_below_the_quorum_stops_the_countdown, t)
{
	policy(t, "'quorum':2");
	vote(t->ada, "3");
	vote(t->bob, "5");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
	(void)rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
}

TABLE_TEST(test_bots_make_no_quorum_unless_they_count, t)
{
	policy(t, "'quorum':2");
	(void)rig_must(t->bob, "join", "'username':'bob','is_bot':true");
	vote(t->ada, "3");
	vote(t->bob, "5");
	assert_string_equal(rig_of(t->ada, "phase"), "'voting'");
	policy(t, "'bots_count':true");
	assert_string_equal(rig_of(t->ada, "phase"), "'countdown'");
}

TABLE_TEST(test_a_quorum_is_a_number_of_seats, t)
{
	static const char *const bad[] = {"-1", "2501", "'5'"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{'quorum':%s}",
					     bad[i]),
				    "VALIDATION_ERROR policy.quorum");
	}
}

/* ---- deadlines ---- */

TABLE_TEST(test_a_deadline_of_days_reveals_and_the_room_lives_to_show_it, t)
{
	policy(t, "'keep_votes':true");
	(void)passes_by(t, "cyd", "3");
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':%d,'reveal_at_zero':true",
		       t->r.room_id, 2 * DAY_S);
	rig_cut(t->ada);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * DAY_MS - 1);
	struct rig_peer *late = rig_guest(&t->r, "late");
	rig_follow(late, "");
	assert_string_equal(rig_table(late),
			    "#1 hidden: ada host away, bob away, cyd away voted, -");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(late), "#1 open: ada host away, bob away, cyd away =3, -");
	rig_cut(late);
	rig_advance(&t->r, HOUR_MS - 1);
	assert_int_equal(rig_stored(&t->r, "ROOM"), 1);
	rig_advance(&t->r, 3 * MINUTE_MS);
	assert_int_equal(rig_stored(&t->r, "ROOM"), 0);
}

/* A vote that comes after it is not one of that round. */
TABLE_TEST(test_a_deadline_that_passed_while_the_server_was_away_comes_before_a_late_vote, t)
{
	policy(t, "'keep_votes':true");
	vote(t->ada, "3");
	(void)rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':%d,'reveal_at_zero':true",
		       t->r.room_id, 2 * DAY_S);
	rig_crash(&t->r);
	t->r.wall_ms += 2 * DAY_MS + MINUTE_MS;
	struct rig_peer *script = rig_guest(&t->r, "script");
	assert_string_equal(rig_code(script, "vote", "'vote':'5','user_key':'%s'",
				     t->bob->user_key),
			    "CONFLICT");
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 open: ada host =3, bob away");
}
