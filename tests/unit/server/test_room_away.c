/*
 * test_room_away.c - several connections of one seat, lost ones, and coming back.
 */
#include "tests/unit/server/table.h"

/* ---- one seat, several connections ---- */

TABLE_TEST(test_two_connections_with_one_key_are_one_seat, t)
{
	struct rig_peer *phone = rig_return(t->bob, false);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	rig_must(phone, "vote", "'vote':'5'");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	assert_string_equal(rig_self(phone), "bob voter =5");
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_string_equal(rig_self(phone), "bob voter =8");
	assert_string_equal(rig_table(phone), "#1 hidden: ada host, bob voted");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(phone), "#1 open: ada host, bob =8");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host, bob =8");
}

TABLE_TEST(test_a_seat_is_here_until_its_last_connection_goes, t)
{
	struct rig_peer *phone = rig_return(t->bob, false);
	rig_cut(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	rig_cut(phone);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_seat_takes_8_connections, t)
{
	for (size_t i = 1; i < MAX_SEAT_CONNECTIONS; i++) {
		rig_return(t->bob, false);
	}
	struct rig_peer *ninth = rig_guest(&t->r, "ninth");
	assert_string_equal(rig_code(ninth, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "TOO_LARGE");
	rig_cut(t->bob);
	assert_string_equal(rig_code(ninth, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ok");
}

TABLE_TEST(test_subscribing_twice_on_one_connection_changes_nothing, t)
{
	rig_must(t->bob, "subscribe", RIG_NONE);
	rig_must(t->bob, "subscribe", "'user_key':'%s'", t->bob->user_key);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	rig_cut(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_malformed_user_key_is_refused, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "subscribe", "'user_key':'short'"),
			    "VALIDATION_ERROR user_key");
	assert_string_equal(rig_code(cy, "subscribe",
				     "'user_key':'!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'"),
			    "VALIDATION_ERROR user_key");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

/* ---- keys that a connection has shown ---- */

TABLE_TEST(test_a_user_key_is_remembered_for_the_connection, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_must(script, "vote", "'vote':'8'");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
	struct rig_peer *other = rig_guest(&t->r, "other");
	assert_string_equal(rig_code(other, "vote", "'vote':'1'"), "UNAUTHENTICATED");
}

TABLE_TEST(test_subscribing_uses_the_key_the_connection_has_shown, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_must(script, "subscribe", RIG_NONE);
	assert_string_equal(rig_self(script), "bob voter =5");
	assert_string_equal(rig_table(script), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_an_unknown_user_key_is_no_seat, t)
{
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5','user_key':'%s'", t->r.host_key),
			    "UNAUTHENTICATED");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
}

TABLE_TEST(test_one_connection_may_act_on_two_seats_by_naming_the_key, t)
{
	rig_must(t->bob, "vote", "'vote':'5','user_key':'%s'", t->ada->user_key);
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_string_equal(rig_self(t->ada), "ada voter host =5");
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

/* ---- two rooms ---- */

TABLE_TEST(test_one_connection_follows_two_rooms, t)
{
	char first[CODE_CHARS_MAX + 1];
	strcpy(first, t->r.room_id);
	rig_found(&t->r, t->ada, "'deck':'tshirt'");
	rig_must(t->bob, "room.subscribe", "'room_id':'%s'", t->r.room_id);
	rig_must(t->bob, "room.join", "'room_id':'%s','username':'Robert'", t->r.room_id);
	rig_must(t->bob, "room.vote", "'room_id':'%s','vote':'XL'", t->r.room_id);
	rig_must(t->bob, "room.vote", "'room_id':'%s','vote':'5'", first);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	strcpy(t->bob->room_id, t->r.room_id);
	assert_string_equal(rig_table(t->bob), "#1 hidden: Robert voted");
	assert_string_equal(rig_self(t->bob), "Robert voter =XL");
}

TABLE_TEST(test_a_connection_follows_at_most_32_rooms, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	for (size_t i = 0; i <= MAX_CONNECTION_ROOMS; i++) {
		rig_found(&t->r, t->ada, "");
		strcpy(cy->room_id, t->r.room_id);
		assert_string_equal(rig_code(cy, "subscribe", RIG_NONE),
				    i < MAX_CONNECTION_ROOMS ? "ok" : "TOO_LARGE");
	}
	strcpy(t->ada->room_id, t->bob->room_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

/* ---- going ---- */

TABLE_TEST(test_a_lost_connection_shows_as_away_at_once, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
}

/* Of a room that was read from the table it is not known since when. */
TABLE_TEST(test_since_when_a_seat_is_away_is_shown_until_it_is_back_or_the_room_loaded_again, t)
{
	rig_cut(t->bob);
	int64_t gone_ms = t->r.wall_ms;
	rig_advance(&t->r, 5 * MINUTE_MS);
	const char *room = rig_must(t->ada, "room.get", "'room_id':'%s'", t->r.room_id);
	assert_int_equal(rig_field_number(room, "away_since"), gone_ms);
	t->bob = rig_return(t->bob, false);
	room = rig_must(t->ada, "room.get", "'room_id':'%s'", t->r.room_id);
	assert_null(strstr(room, "away_since"));
	rig_cut(t->bob);
	rig_crash(&t->r);
	t->ada = rig_return(t->ada, false);
	room = rig_must(t->ada, "room.get", "'room_id':'%s'", t->r.room_id);
	assert_non_null(strstr(room, "'is_connected':false"));
	assert_null(strstr(room, "away_since"));
}

TABLE_TEST(test_unsubscribing_shows_as_away_and_ends_the_updates, t)
{
	rig_must(t->bob, "unsubscribe", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	rig_forget(t->bob);
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(t->bob), "");
	assert_string_equal(rig_code(t->bob, "unsubscribe", RIG_NONE), "CONFLICT");
	rig_copies_free(t->bob);
}

/* promise: kept-a-minute */
TABLE_TEST(test_coming_back_within_a_minute_keeps_name_and_vote, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS - 1);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_self(bob), "bob voter =5");
	rig_advance(&t->r, 11 * MINUTE_MS);
	assert_string_equal(rig_self(bob), "bob voter =5");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_after_a_minute_the_vote_is_gone, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
	rig_advance(&t->r, 9 * MINUTE_MS - 1);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_self(bob), "bob voter");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_after_ten_minutes_the_name_is_gone_too, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 10 * MINUTE_MS);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_self(bob), "- voter");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, -");
}

TABLE_TEST(test_a_seat_without_a_name_goes_after_a_minute, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	rig_cut(cy);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, - away");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_each_loss_begins_the_minute_anew, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	rig_advance(&t->r, MINUTE_MS - 1000);
	struct rig_peer *bob = rig_return(t->bob, false);
	rig_cut(bob);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

/* As a program votes for its owner, without following the room. */
TABLE_TEST(test_whoever_votes_while_away_has_another_minute, t)
{
	rig_cut(t->bob);
	rig_advance(&t->r, 50000);
	struct rig_peer *script = rig_guest(&t->r, "script");
	rig_must(script, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_advance(&t->r, 59999);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

TABLE_TEST(test_a_clock_that_is_set_does_not_end_the_minute, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_cut(t->bob);
	t->r.wall_ms += INT64_C(86400000);
	rig_advance(&t->r, MINUTE_MS - 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
	t->r.wall_ms -= INT64_C(2) * 86400000;
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

/* ---- resuming ---- */

TABLE_TEST(test_resuming_brings_the_missing_frames_only, t)
{
	rig_cut(t->bob);
	rig_must(t->ada, "vote", "'vote':'5'");
	rig_must(t->ada, "vote", "'vote':null");
	uint64_t fulls = server_counters(t->r.server)->full_updates;
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host, bob");
	assert_int_equal(server_counters(t->r.server)->full_updates, fulls);
	assert_int_equal(rig_count(bob, "room.update"), 4); /* away, vote, no vote, back */
}

TABLE_TEST(test_resuming_where_nothing_is_missing_brings_nothing, t)
{
	struct rig_copy *c = rig_copy(t->bob, t->bob->room_id);
	rig_must(t->bob, "subscribe", "'since':{'epoch':%lld,'version':%lld}", (long long)c->epoch,
		 (long long)c->version);
	assert_string_equal(rig_heard(t->bob), "room.you");
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(t->bob), "room.you room.update");
}

TABLE_TEST(test_resuming_from_what_never_was_brings_everything, t)
{
	struct rig_copy *c = rig_copy(t->bob, t->bob->room_id);
	const int64_t since[][2] = {
		{c->epoch + 1, c->version},
		{c->epoch, c->version + 1},
		{c->epoch, INT64_MAX},
		{0, 0},
	};
	for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++) {
		rig_forget(t->bob);
		rig_must(t->bob, "subscribe", "'since':{'epoch':%lld,'version':%lld}",
			 (long long)since[i][0], (long long)since[i][1]);
		assert_string_equal(rig_heard(t->bob), "room.you room.update");
		assert_non_null(strstr(rig_next(t->bob), "room.you"));
		assert_non_null(strstr(rig_next(t->bob), "'full':true"));
	}
}

TABLE_TEST(test_resuming_after_a_restart_brings_everything, t)
{
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_int_equal(rig_count(bob, "room.update"), 1);
	assert_string_equal(rig_table(bob), "#1 hidden: ada host away, bob");
}

TEST(test_resuming_from_what_the_log_no_longer_has_brings_everything)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOM_LOG_BYTES, 4096);
	struct rig_peer *bob = rig_sit(&r, "bob");
	rig_forget(bob);
	rig_cut(bob);
	for (size_t i = 0; i < 100; i++) {
		rig_must(ada, "reset", RIG_NONE);
	}
	bob = rig_return(bob, true);
	assert_int_equal(rig_count(bob, "room.update"), 1);
	assert_string_equal(rig_table(bob), "#101 hidden: - host, bob");
	rig_assert_all_same(&r);
	rig_finish(&r);
}

/* ---- two connections on a seat ---- */

TABLE_TEST(test_of_two_windows_one_is_closed_without_a_loss, t)
{
	struct rig_peer *window = rig_return(t->bob, false);
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_non_null(strstr(rig_must(window, "leave", "'if_last':true"), "'is_kept':true"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	rig_cut(window);
	assert_null(strstr(rig_must(t->bob, "leave", "'if_last':true"), "is_kept':true"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, -");
}

/* The connection that asks is none of the others, whether or not it follows the room. */
TABLE_TEST(test_a_script_that_leaves_counts_the_windows_and_not_itself, t)
{
	struct rig_peer *script = rig_guest(&t->r, "script");
	strcpy(script->room_id, t->r.room_id);
	assert_non_null(strstr(rig_must(script, "leave", "'if_last':true,'user_key':'%s'",
					t->bob->user_key),
			       "'is_kept':true"));
	rig_cut(t->bob);
	assert_null(strstr(rig_must(script, "leave", "'if_last':true"), "is_kept':true"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, - away");
}

TABLE_TEST(test_leaving_for_good_leaves_with_all_windows, t)
{
	struct rig_peer *window = rig_return(t->bob, false);
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(window, "leave", RIG_NONE);
	assert_string_equal(rig_self(t->bob), "- voter");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, -");
}
