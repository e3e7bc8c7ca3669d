/*
 * test_room_host.c - who is host, who follows as host, and what only a host may do.
 */
#include "tests/unit/server/play.h"

/* ---- the key ---- */

TABLE_TEST(test_the_creator_is_host_from_its_first_seat_on, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_follow(dan, "");
	assert_string_equal(rig_table(dan), "#1 hidden: -");
	rig_follow(cy, "");
	assert_string_equal(rig_table(dan), "#1 hidden: -, - host");
	assert_string_equal(rig_self(cy), "- voter host");
	assert_string_equal(rig_self(dan), "- voter");
}

TABLE_TEST(test_the_creator_may_act_as_host_without_a_seat, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "");
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	rig_must(cy, "reset", RIG_NONE);
	assert_string_equal(rig_table(dan), "#2 hidden: dan");
}

TABLE_TEST(test_a_host_key_works_from_any_connection_and_is_remembered, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "reset", RIG_NONE), "UNAUTHENTICATED");
	rig_must(cy, "reset", "'host_key':'%s'", t->r.host_key);
	rig_must(cy, "reset", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#3 hidden: ada host, bob");
}

TABLE_TEST(test_a_wrong_host_key_is_forbidden_and_not_remembered, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "reset", "'host_key':'%s'", t->bob->user_key),
			    "FORBIDDEN");
	assert_string_equal(rig_code(cy, "reset", "'host_key':'short'"),
			    "VALIDATION_ERROR host_key");
	assert_string_equal(rig_code(cy, "reset", RIG_NONE), "UNAUTHENTICATED");
}

TABLE_TEST(test_a_host_key_opens_its_own_room_only, t)
{
	char first_key[KEY_CHARS + 1];
	strcpy(first_key, t->r.host_key);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	assert_string_equal(rig_code(dan, "delete", "'host_key':'%s'", first_key), "FORBIDDEN");
}

/* ---- what only a host may do ---- */

TABLE_TEST(test_everybody_but_the_host_is_forbidden_to_run_the_room, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_follow(dan, "");
	struct rig_peer *const others[] = {t->bob, cy, dan};
	for (size_t i = 0; i < 3; i++) {
		struct rig_peer *p = others[i];
		const char *code = p == cy ? "UNAUTHENTICATED" : "FORBIDDEN"; /* no seat */
		assert_string_equal(rig_code(p, "set_revealed", "'is_revealed':true"), code);
		assert_string_equal(rig_code(p, "reset", RIG_NONE), code);
		assert_string_equal(rig_code(p, "set_valid_sizes", "'valid_sizes':['a','b']"),
				    "FORBIDDEN");
		assert_string_equal(rig_code(p, "set_title", "'title':'x'"), "FORBIDDEN");
		assert_string_equal(rig_code(p, "kick", "'user_id':'%s'", t->ada->user_id),
				    "FORBIDDEN");
		assert_string_equal(rig_code(p, "set_host", "'user_id':'%s'", t->bob->user_id),
				    "FORBIDDEN");
		assert_string_equal(rig_code(p, "delete", RIG_NONE), "FORBIDDEN");
	}
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, -");
}

TABLE_TEST(test_the_host_may_set_the_title, t)
{
	rig_must(t->ada, "set_title", "'title':'Sprint 43'");
	assert_non_null(strstr(rig_next(t->bob), "'title':'Sprint 43'"));
	rig_must(t->ada, "set_title", "'title':null");
	assert_non_null(strstr(rig_next(t->bob), "'title':null"));
}

/* ---- succession ---- */

TABLE_TEST(test_the_earliest_joined_voter_follows_a_host_who_leaves, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	rig_advance(&t->r, 10);
	rig_sit(&t->r, "dan");
	rig_advance(&t->r, 10);
	rig_must(cy, "join", "'username':'cy'");
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(cy), "#1 hidden: -, -, cy, dan host");
}

TABLE_TEST(test_another_name_or_role_leaves_the_order_in_which_members_joined, t)
{
	rig_advance(&t->r, 1000);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_advance(&t->r, 1000);
	rig_must(t->bob, "join", "'username':'Robert'");
	rig_must(t->bob, "join", "'username':'Robert','role':'spectator'");
	rig_must(t->bob, "join", "'username':'Robert','role':'voter'");
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(cy), "#1 hidden: -, Robert host, cy");
}

TABLE_TEST(test_spectators_bots_and_those_away_do_not_inherit, t)
{
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "join", "'username':'cy','is_bot':true");
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	rig_sit(&t->r, "eve");
	rig_cut(dan);
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(cy), "#1 hidden: -, bob watches, cy bot, dan away, eve host");
}

TABLE_TEST(test_leaving_last_leaves_the_room_without_a_host, t)
{
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: -, -");
	assert_string_equal(rig_code(t->bob, "reset", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_the_first_to_join_a_room_without_host_becomes_host, t)
{
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->ada, "leave", RIG_NONE);
	rig_must(t->bob, "join", "'username':'bob'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: -, bob host");
	assert_string_equal(rig_code(t->bob, "reset", RIG_NONE), "ok");
}

TABLE_TEST(test_a_room_waits_a_minute_for_its_creator, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "");
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	assert_string_equal(rig_table(dan), "#1 hidden: dan");
	assert_string_equal(rig_code(dan, "reset", RIG_NONE), "FORBIDDEN");
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(dan), "#1 hidden: dan");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(dan), "#1 hidden: dan host");
}

/* A rule that no longer keeps votes has all seats looked at, within that minute. */
TABLE_TEST(test_the_minute_ends_though_seats_were_looked_at_before, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "'policy':{'keep_votes':true}");
	struct rig_peer *dan = rig_sit(&t->r, "dan");
	rig_must(cy, "set_policy", "'host_key':'%s','policy':{'keep_votes':false}", t->r.host_key);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(dan), "#1 hidden: dan host");
}

TABLE_TEST(test_a_host_who_is_lost_stays_host_for_a_minute, t)
{
	rig_cut(t->ada);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host away, bob");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada away, bob host");
	assert_string_equal(rig_self(t->bob), "bob voter host");
}

TABLE_TEST(test_a_host_who_deletes_itself_is_followed, t)
{
	rig_must(t->ada, "delete_user", RIG_NONE);
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob host");
	rig_copies_free(t->ada);
}

/* ---- who is next ---- */

TABLE_TEST(test_while_a_host_is_away_all_see_who_stands_in_next_and_when, t)
{
	rig_advance(&t->r, 10);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_cut(t->ada);
	assert_non_null(strstr(rig_of(cy, "next_host_user_id"), "@bob"));
	int64_t at = rig_number(cy, "next_host_at", NULL);
	assert_int_equal(at, t->r.wall_ms + MINUTE_MS);
	rig_advance(&t->r, 20000);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_non_null(strstr(rig_of(cy, "next_host_user_id"), "@cy"));
	assert_int_equal(rig_number(cy, "next_host_at", NULL), at);
	rig_return(t->ada, false);
	assert_null(strstr(rig_of(cy, "next_host_user_id"), "@"));
}

static void assert_message(const char *error, const char *message)
{
	char expected[200];
	(void)snprintf(expected, sizeof(expected), "'message':'%s'", message);
	assert_non_null(strstr(error, expected));
}

TABLE_TEST(test_a_refusal_to_a_member_says_when_there_is_a_host_again, t)
{
	rig_advance(&t->r, 10);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	assert_message(rig_refused(cy, "reset", RIG_NONE), "only a host can do that here");
	rig_cut(t->ada);
	rig_advance(&t->r, 20000);
	assert_message(rig_refused(cy, "reset", RIG_NONE),
		       "only a host can do that here; ada is away, and bob becomes host in 40 s");
	assert_message(rig_refused(t->bob, "set_title", "'title':'x'"),
		       "only a host can do that; ada is away, and you become host in 40 s");
}

TABLE_TEST(test_a_refusal_names_nobody_to_who_is_not_in_the_room, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	rig_must(dan, "subscribe", RIG_NONE);
	rig_must(dan, "join", "'username':'dan'");
	rig_cut(t->ada);
	assert_null(strstr(rig_refused(cy, "set_title", "'title':'x'"), "ada"));
	assert_null(strstr(rig_refused(dan, "set_title", "'title':'x'"), "ada"));
	assert_null(strstr(rig_refused(dan, "reset", RIG_NONE), "ada"));
}

TABLE_TEST(test_nobody_is_next_where_nobody_would_stand_in, t)
{
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	rig_cut(t->ada);
	assert_null(strstr(rig_of(t->bob, "next_host_user_id"), "@"));
	struct rig_peer *ada = rig_return(t->ada, false);
	rig_must(t->bob, "join", "'username':'bob','role':'voter'");
	rig_must(ada, "set_policy", "'policy':{'keep_votes':true}");
	rig_cut(ada);
	assert_null(strstr(rig_of(t->bob, "next_host_user_id"), "@"));
}

/* ---- a host who comes back ---- */

/* ada is away, and bob stands in. */
static void ada_goes(struct table *t)
{
	rig_cut(t->ada);
	rig_advance(&t->r, MINUTE_MS);
	assert_non_null(strstr(rig_table(t->bob), "#1 hidden: ada away, bob host"));
}

static struct rig_peer *back_with_key(struct table *t, const struct rig_peer *who, const char *name)
{
	struct rig_peer *p = rig_guest(&t->r, name);
	rig_must(p, "subscribe", "'user_key':'%s'", who->user_key);
	return p;
}

TABLE_TEST(test_a_host_who_comes_back_is_host_again_and_the_stand_in_is_not, t)
{
	ada_goes(t);
	assert_non_null(strstr(rig_of(t->bob, "host_kept_for"), "@ada"));
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
	assert_null(strstr(rig_of(t->bob, "host_kept_for"), "@"));
	assert_string_equal(rig_self(t->bob), "bob voter");
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "ok");
	assert_string_equal(rig_code(t->bob, "reset", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_only_who_came_back_as_host_reads_so, t)
{
	ada_goes(t);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_non_null(strstr(play_you(ada), "'is_host_again':true"));
	assert_null(strstr(play_you(t->bob), "is_host_again"));
	rig_cut(ada);
	ada = rig_return(ada, false);
	assert_null(strstr(play_you(ada), "is_host_again"));
}

TABLE_TEST(test_a_host_who_left_is_host_again_with_a_name, t)
{
	rig_must(t->ada, "leave", RIG_NONE);
	rig_cut(t->ada);
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob host");
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob host, -");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob, ada host");
	assert_non_null(strstr(play_you(ada), "'is_host_again':true"));
}

TABLE_TEST(test_a_host_who_came_back_to_a_lobby_is_host_again_once_admitted, t)
{
	rig_must(t->ada, "leave", RIG_NONE);
	rig_cut(t->ada);
	rig_advance(&t->r, 2 * MINUTE_MS);
	rig_must(t->bob, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "FORBIDDEN");
	rig_must(t->bob, "admit", "'user_id':'%s'", t->ada->user_id);
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "ok");
	assert_string_equal(rig_code(t->bob, "reset", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_the_first_host_is_kept_when_one_stand_in_follows_another, t)
{
	rig_sit(&t->r, "cy");
	ada_goes(t);
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#1 hidden: ada away, bob, cy host");
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob, cy");
}

TABLE_TEST(test_a_cohost_who_stood_in_is_a_cohost_still, t)
{
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->ada->user_id);
	ada_goes(t);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob host");
	assert_non_null(strstr(rig_of(ada, "host_user_id"), "@ada"));
}

/* On the screen that is "Add a co-host": whoever stands in does not decide about the place of the host. */
TABLE_TEST(test_a_stand_in_who_names_another_host_ends_no_place, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	ada_goes(t);
	rig_must(t->bob, "set_host", "'user_id':'%s'", cy->user_id);
	assert_non_null(strstr(rig_of(t->bob, "host_user_id"), "@cy"));
	assert_non_null(strstr(rig_of(t->bob, "host_kept_for"), "@ada"));
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob host, cy");
	assert_non_null(strstr(rig_of(ada, "host_user_id"), "@ada"));
}

/* Whoever a stand-in named stands in, too. */
TABLE_TEST(test_nor_does_whom_a_stand_in_named, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	ada_goes(t);
	rig_must(t->bob, "set_host", "'user_id':'%s'", cy->user_id);
	rig_must(cy, "set_host", "'user_id':'%s'", t->bob->user_id);
	assert_non_null(strstr(rig_of(cy, "host_kept_for"), "@ada"));
	rig_must(cy, "set_host", "'user_id':'%s'", cy->user_id);
	assert_null(strstr(rig_of(cy, "host_kept_for"), "@"));
}

TABLE_TEST(test_a_stand_in_may_name_the_host_who_is_away, t)
{
	ada_goes(t);
	rig_must(t->bob, "set_host", "'user_id':'%s'", t->ada->user_id);
	assert_null(strstr(rig_of(t->bob, "host_kept_for"), "@"));
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob host");
	assert_null(strstr(play_you(ada), "is_host_again"));
}

TABLE_TEST(test_a_host_whom_the_key_chose_meanwhile_stays_host, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	ada_goes(t);
	rig_must(t->bob, "set_host", "'user_id':'%s','host_key':'%s'", cy->user_id, t->r.host_key);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada, bob host, cy host");
	assert_non_null(strstr(rig_of(ada, "host_user_id"), "@cy"));
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_a_stand_in_who_is_chosen_by_hand_stays_host, t)
{
	ada_goes(t);
	rig_must(t->bob, "set_host", "'user_id':'%s'", t->bob->user_id);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada, bob host");
	assert_string_equal(rig_self(ada), "ada voter");
}

TABLE_TEST(test_a_stand_in_who_claims_the_room_stays_host, t)
{
	ada_goes(t);
	rig_must(t->bob, "claim_host", "'host_key':'%s'", t->r.host_key);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada, bob host");
}

TABLE_TEST(test_the_place_of_a_host_who_was_removed_is_not_kept, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "kick", "'host_key':'%s','user_id':'%s'", t->r.host_key, t->ada->user_id);
	rig_copies_free(t->ada);
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada, bob host");
}

TABLE_TEST(test_the_place_of_a_host_who_was_turned_away_from_the_lobby_is_not_kept, t)
{
	ada_goes(t);
	rig_advance(&t->r, 10 * MINUTE_MS);
	rig_must(t->bob, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	rig_must(t->bob, "reject", "'user_id':'%s'", t->ada->user_id);
	rig_copies_free(ada);
	rig_must(t->bob, "set_policy", "'policy':{'lobby':false}");
	ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob host, ada");
}

TABLE_TEST(test_a_kick_while_away_ends_the_place_that_is_kept, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	ada_goes(t);
	rig_must(cy, "kick", "'host_key':'%s','user_id':'%s'", t->r.host_key, t->ada->user_id);
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada, bob host");
}

TABLE_TEST(test_a_host_who_gave_the_seat_up_comes_back_as_a_member, t)
{
	rig_must(t->ada, "delete_user", RIG_NONE);
	rig_copies_free(t->ada);
	struct rig_peer *ada = back_with_key(t, t->ada, "ada");
	rig_must(ada, "join", "'username':'ada'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: bob host, ada");
}

TABLE_TEST(test_a_place_is_kept_over_a_restart, t)
{
	ada_goes(t);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_table(bob), "#1 hidden: ada away, bob host");
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host, bob");
	assert_string_equal(rig_code(ada, "reset", RIG_NONE), "ok");
}

/* ---- claim_host, set_host ---- */

TABLE_TEST(test_claiming_with_the_key_always_works, t)
{
	assert_string_equal(rig_code(t->bob, "claim_host", "'host_key':'%s'", t->r.host_key), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada, bob host");
	assert_string_equal(rig_self(t->ada), "ada voter");
	assert_string_equal(rig_self(t->bob), "bob voter host");
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_code(t->bob, "claim_host", "'host_key':'%s'", t->r.host_key), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: -, - host");
}

TABLE_TEST(test_claiming_with_a_wrong_key_is_forbidden, t)
{
	assert_string_equal(rig_code(t->bob, "claim_host", "'host_key':'%s'", t->bob->user_key),
			    "FORBIDDEN");
	assert_string_equal(rig_code(t->bob, "claim_host", RIG_NONE), "VALIDATION_ERROR host_key");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_claiming_needs_a_seat, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "claim_host", "'host_key':'%s'", t->r.host_key),
			    "UNAUTHENTICATED");
}

TABLE_TEST(test_the_host_may_hand_the_room_to_a_member, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(t->ada, "join", "'username':'ada'");
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob host"); /* a co-host now */
	assert_non_null(strstr(rig_of(t->ada, "host_user_id"), "@bob"));
	assert_string_equal(rig_code(t->bob, "reset", RIG_NONE), "ok");
	assert_string_equal(rig_code(t->bob, "set_host", "'user_id':'NOBODY'"),
			    "NOT_FOUND user_id");
	rig_follow(cy, "");
	assert_string_equal(rig_code(t->bob, "set_host", "'user_id':'%s'", cy->user_id),
			    "CONFLICT");
}

TABLE_TEST(test_a_member_who_is_away_for_long_does_not_stay_host, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * MINUTE_MS);
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_cohost_who_is_away_for_long_does_not_stay_host_either, t)
{
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->ada->user_id);
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * MINUTE_MS);
	rig_must(t->ada, "unset_host", "'user_id':'%s'", t->ada->user_id);
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

/* ---- kicking ---- */

TABLE_TEST(test_a_kick_clears_name_vote_and_connection, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->bob);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, - away");
	assert_string_equal(rig_next(t->bob), "room.kicked {'room_id':'ROOM','by':'ada'}");
	rig_must(t->ada, "vote", "'vote':'8'");
	assert_string_equal(rig_next(t->bob), "");
	assert_true(t->bob->is_open);
	rig_copies_free(t->bob);
}

TABLE_TEST(test_a_kicked_member_may_return_with_its_key, t)
{
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->bob, "subscribe", "'user_key':'%s'", t->bob->user_key);
	rig_must(t->bob, "join", "'username':'bob'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
}

TABLE_TEST(test_a_kick_ends_every_connection_of_the_seat, t)
{
	struct rig_peer *again = rig_return(t->bob, false);
	rig_forget(again);
	rig_forget(t->bob);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_heard(t->bob), "room.kicked");
	assert_string_equal(rig_heard(again), "room.kicked");
	rig_copies_free(t->bob);
	rig_copies_free(again);
}

TABLE_TEST(test_a_member_that_is_away_can_be_kicked, t)
{
	rig_cut(t->bob);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, - away");
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
}

/* Without a name its seat has nothing to keep, and its grace is over. */
TABLE_TEST(test_the_seat_of_one_who_is_away_for_long_goes_with_a_kick, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
}

TABLE_TEST(test_nobody_kicks_itself_or_a_stranger, t)
{
	assert_string_equal(rig_code(t->ada, "kick", "'user_id':'%s'", t->ada->user_id),
			    "CONFLICT");
	assert_string_equal(rig_code(t->ada, "kick", "'user_id':'22222'"), "NOT_FOUND user_id");
	assert_string_equal(rig_code(t->ada, "kick", "'user_id':'%s'", t->bob->user_key),
			    "NOT_FOUND user_id");
}

TABLE_TEST(test_a_host_kicked_by_the_key_is_followed, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "kick", "'host_key':'%s','user_id':'%s'", t->r.host_key, t->ada->user_id);
	assert_string_equal(rig_table(t->bob), "#1 hidden: - away, bob host");
	rig_copies_free(t->ada);
}

/* ---- deleting ---- */

TABLE_TEST(test_deleting_is_sent_to_everyone_and_removes_every_item, t)
{
	rig_must(t->bob, "vote", "'vote':'5','idempotency_key':'0123456789abcdef'");
	assert_int_equal(rig_stored(&t->r, ""), 4);
	rig_forget(t->ada);
	rig_forget(t->bob);
	rig_must(t->ada, "delete", RIG_NONE);
	assert_string_equal(rig_next(t->ada), "room.deleted {'room_id':'ROOM'}");
	assert_string_equal(rig_next(t->bob), "room.deleted {'room_id':'ROOM'}");
	assert_int_equal(rig_stored(&t->r, ""), 0);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ROOM_NOT_FOUND");
	assert_string_equal(rig_code(t->ada, "subscribe", RIG_NONE), "ROOM_NOT_FOUND");
	rig_copies_free(t->ada);
	rig_copies_free(t->bob);
}

TABLE_TEST(test_a_deleted_room_stays_deleted_after_a_crash, t)
{
	rig_must(t->ada, "delete", RIG_NONE);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_guest(&t->r, "bob");
	assert_string_equal(rig_code(bob, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ROOM_NOT_FOUND");
}
