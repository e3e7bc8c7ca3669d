/*
 * test_membership.c - what is asked next, whatever the connection does.
 */
#include "tests/unit/client/membership_kit.h"

DESK_TEST(test_it_enters_sits_down_and_votes_in_that_order, d)
{
	struct room_join_params join;
	struct room_vote_params vote;
	membership_want_name(&d->a, "Ada", false, false);
	membership_want_vote(&d->a, "2");
	expect_nothing(d);
	enter(d, KEY, 1, 1, NULL);
	assert_true((d->news & MEMBERSHIP_NEWS_SEAT) != 0);
	assert_string_equal(d->a.user_key, KEY);
	expect(d, METHOD_ROOM_JOIN, &join);
	assert_true(slice_eq(join.username, SLICE("Ada")));
	expect_nothing(d);
	joined(d);
	expect(d, METHOD_ROOM_VOTE, &vote);
	assert_true(slice_eq(vote.vote, SLICE("2")));
	assert_string_equal(d->a.room.pending_vote, "2");
	voted(d);
	assert_null(d->a.room.pending_vote);
	expect_nothing(d);
}

DESK_TEST(test_a_name_that_is_taken_is_told_and_asked_for_again_after_a_loss, d)
{
	char told[100];
	struct room_join_params join;
	struct room_join_result r = {.user_id = SLICE("U1"), .username = SLICE("Grace 2")};
	membership_want_name(&d->a, "Grace", false, false);
	enter(d, KEY, 1, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &join);
	answer(d, METHOD_ROOM_JOIN, &r);
	assert_true((d->news & MEMBERSHIP_NEWS_JOINED) != 0);
	assert_true(membership_tell_called(&d->a, told, sizeof(told)));
	assert_string_equal(told, "Grace is taken; you are Grace 2");
	send_you(d, "Grace 2");
	expect_nothing(d);
	membership_down(&d->a);
	enter(d, KEY, 1, 1, "Grace 2");
	expect(d, METHOD_ROOM_JOIN, &join);
	assert_true(slice_eq(join.username, SLICE("Grace")));
	r.username = SLICE("Grace");
	answer(d, METHOD_ROOM_JOIN, &r);
	assert_false(membership_tell_called(&d->a, told, sizeof(told)));
}

DESK_TEST(test_it_is_settled_when_the_room_shows_what_was_done, d)
{
	struct room_join_params join;
	struct room_vote_params vote;
	struct room_vote_result r = {.has_vote = true, .version = 3, .with_version = true};
	membership_want_name(&d->a, "Ada", false, false);
	assert_false(membership_is_settled(&d->a)); /* the room is not known */
	enter(d, KEY, 1, 1, NULL);
	assert_false(membership_is_settled(&d->a));
	expect(d, METHOD_ROOM_JOIN, &join);
	assert_false(membership_is_settled(&d->a));
	joined(d);
	assert_true(membership_is_settled(&d->a));
	membership_want_vote(&d->a, "2");
	assert_false(membership_is_settled(&d->a));
	expect(d, METHOD_ROOM_VOTE, &vote);
	answer(d, METHOD_ROOM_VOTE, &r);
	assert_false(membership_is_settled(&d->a)); /* acknowledged, and not shown yet */
	send_room(d, 3, 1);
	assert_true(membership_is_settled(&d->a));
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &vote);
	refuse(d, METHOD_ROOM_VOTE, FAULT_FORBIDDEN);
	assert_true(membership_is_settled(&d->a)); /* a no is an answer */
	membership_down(&d->a);
	assert_false(membership_is_settled(&d->a));
}

DESK_TEST(test_a_seat_that_has_its_name_is_not_joined_again, d)
{
	membership_want_name(&d->a, "  Ada ", false, false);
	enter(d, KEY, 1, 1, "Ada");
	expect_nothing(d);
}

/* Somebody leaves, or changes the name in another window: that is not undone from here. */
DESK_TEST(test_a_name_that_the_seat_had_is_not_given_back_while_one_is_there, d)
{
	membership_want_name(&d->a, "Ada", false, false);
	enter(d, KEY, 1, 1, "Ada");
	expect_nothing(d);
	send_you(d, NULL);
	expect_nothing(d);
	send_you(d, "Ada L.");
	expect_nothing(d);
	assert_true(membership_is_settled(&d->a));
	membership_down(&d->a);
	enter(d, KEY, 2, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &(struct room_join_params){0});
}

DESK_TEST(test_it_comes_back_with_since_and_the_same_key, d)
{
	struct room_subscribe_params p;
	enter(d, KEY, 4, 1, NULL);
	membership_down(&d->a);
	expect_nothing(d);
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_since);
	assert_int_equal(p.since.epoch, 7);
	assert_int_equal(p.since.version, 4);
	assert_true(slice_eq(p.user_key, SLICE(KEY)));
}

DESK_TEST(test_a_seat_that_lost_its_name_gets_it_back_as_a_new_act, d)
{
	struct room_join_params first;
	struct room_join_params again;
	membership_want_name(&d->a, "Ada", false, false);
	enter(d, KEY, 1, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &first);
	joined(d);
	membership_down(&d->a);
	enter(d, KEY2, 9, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &again);
	assert_string_equal(d->a.user_key, KEY2);
	assert_false(slice_eq(first.idempotency_key, again.idempotency_key));
}

DESK_TEST(test_an_unanswered_vote_is_sent_again_as_the_same_act, d)
{
	struct room_vote_params first;
	struct room_vote_params again;
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &first);
	membership_answer(&d->a, METHOD_ROOM_VOTE, ERR_CLOSED, NULL, NULL);
	membership_down(&d->a);
	enter(d, KEY, 2, 1, "Ada");
	expect(d, METHOD_ROOM_VOTE, &again);
	assert_true(slice_eq(first.idempotency_key, again.idempotency_key));
}

/* The loss alone is enough: what became of each request need not have been told. */
DESK_TEST(test_what_was_on_its_way_when_the_connection_went_is_sent_again, d)
{
	struct room_vote_params vote;
	struct room_claim_host_params claim;
	membership_want_host(&d->a, KEY2);
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &vote);
	expect(d, METHOD_ROOM_CLAIM_HOST, &claim);
	membership_down(&d->a);
	enter(d, KEY, 2, 1, "Ada");
	expect(d, METHOD_ROOM_VOTE, &vote);
	expect(d, METHOD_ROOM_CLAIM_HOST, &claim);
}

DESK_TEST(test_of_several_votes_chosen_while_away_the_latest_is_sent, d)
{
	struct room_vote_params vote;
	enter(d, KEY, 1, 1, "Ada");
	membership_down(&d->a);
	membership_want_vote(&d->a, "1");
	membership_want_vote(&d->a, "2");
	membership_want_vote(&d->a, NULL);
	assert_string_equal(d->a.room.pending_vote, "");
	enter(d, KEY, 2, 1, "Ada");
	expect(d, METHOD_ROOM_VOTE, &vote);
	assert_true(vote.with_vote);
	assert_null(vote.vote.data);
	voted(d);
	expect_nothing(d);
}

DESK_TEST(test_a_vote_changed_on_its_way_is_sent_after_the_answer, d)
{
	struct room_vote_params first;
	struct room_vote_params second;
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &first);
	membership_want_vote(&d->a, "2");
	expect_nothing(d);
	voted(d);
	assert_string_equal(d->a.room.pending_vote, "2");
	expect(d, METHOD_ROOM_VOTE, &second);
	assert_false(slice_eq(first.idempotency_key, second.idempotency_key));
	voted(d);
	assert_null(d->a.room.pending_vote);
}

DESK_TEST(test_a_vote_changed_on_its_way_is_sent_after_a_refusal_too, d)
{
	struct room_vote_params vote;
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &vote);
	membership_want_vote(&d->a, "2");
	refuse(d, METHOD_ROOM_VOTE, FAULT_FORBIDDEN);
	assert_string_equal(d->a.room.pending_vote, "2");
	expect(d, METHOD_ROOM_VOTE, &vote);
	assert_true(slice_eq(vote.vote, SLICE("2")));
}

DESK_TEST(test_a_confirmed_vote_is_pending_until_the_replica_shows_it, d)
{
	struct room_vote_params vote;
	struct room_vote_result confirmed = {.has_vote = true, .version = 2, .with_version = true};
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &vote);
	answer(d, METHOD_ROOM_VOTE, &confirmed);
	assert_string_equal(d->a.room.pending_vote, "1");
	expect_nothing(d);
	send_room(d, 2, 1);
	assert_null(d->a.room.pending_vote);
	expect_nothing(d);
}

/* The server has started again: the room it has now, as of this version, is another's. */
static void restart(struct desk *d, int64_t version)
{
	struct room_subscribe_params p;
	membership_down(&d->a);
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_int_equal(p.since.epoch, d->epoch);
	d->epoch++;
	subscribed(d, KEY, version);
}

DESK_TEST(test_a_copy_of_another_epoch_decides_nothing_whatever_its_version, d)
{
	struct room_join_params join;
	struct room_vote_params vote;
	membership_want_name(&d->a, "Ada", false, false);
	enter(d, KEY, 9, 1, "Ada");
	membership_want_vote(&d->a, "1");
	restart(d, 2);
	send_you(d, NULL);
	expect_nothing(d);
	assert_false(membership_is_settled(&d->a));
	send_room(d, 2, 1);
	expect(d, METHOD_ROOM_JOIN, &join);
	joined(d);
	expect(d, METHOD_ROOM_VOTE, &vote);
	assert_true(slice_eq(vote.vote, SLICE("1")));
	restart(d, 2);
	send_room(d, 2, 1);
	expect_nothing(d); /* whose seat that is there is not known yet */
	send_you(d, NULL);
	expect(d, METHOD_ROOM_JOIN, &join);
}

static void vote_and_confirm(struct desk *d, const char *card, int64_t version)
{
	struct room_vote_params vote;
	struct room_vote_result confirmed = {.has_vote = true,
					     .version = version,
					     .with_version = true};
	membership_want_vote(&d->a, card);
	expect(d, METHOD_ROOM_VOTE, &vote);
	answer(d, METHOD_ROOM_VOTE, &confirmed);
	assert_string_equal(d->a.room.pending_vote, card);
}

DESK_TEST(test_a_vote_confirmed_before_a_restart_is_not_pending_after_it, d)
{
	enter(d, KEY, 1, 1, "Ada");
	vote_and_confirm(d, "1", 9);
	restart(d, 2);
	send_you(d, "Ada");
	assert_string_equal(d->a.room.pending_vote, "1");
	send_room(d, 2, 1);
	assert_null(d->a.room.pending_vote);
	assert_true(membership_is_settled(&d->a));
	expect_nothing(d);
}

DESK_TEST(test_a_room_that_goes_on_in_another_epoch_is_played_on_in, d)
{
	enter(d, KEY, 9, 1, "Ada");
	vote_and_confirm(d, "1", 12);
	d->epoch++;
	d->news = 0;
	send_room(d, 9, 1); /* the server has read it again; the subscription is the same */
	assert_true((d->news & MEMBERSHIP_NEWS_ROOM) != 0);
	assert_null(d->a.room.pending_vote);
	assert_true(membership_is_settled(&d->a));
	vote_and_confirm(d, "2", 10);
	send_room(d, 10, 1);
	assert_null(d->a.room.pending_vote);
}

DESK_TEST(test_a_vote_of_an_earlier_round_is_dropped, d)
{
	struct room_subscribe_params p;
	enter(d, KEY, 1, 1, "Ada");
	membership_down(&d->a);
	membership_want_vote(&d->a, "1");
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	subscribed(d, KEY, 3);
	send_you(d, "Ada");
	expect_nothing(d); /* the copy is still of version 1 */
	send_room(d, 3, 2);
	d->news = 0;
	expect_nothing(d);
	assert_true((d->news & MEMBERSHIP_NEWS_STALE) != 0);
	assert_null(d->a.room.pending_vote);
}

DESK_TEST(test_a_vote_on_its_way_when_the_next_round_begins_is_decided_by_its_answer, d)
{
	struct room_vote_params vote;
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "1");
	expect(d, METHOD_ROOM_VOTE, &vote);
	d->news = 0;
	send_room(d, 2, 2);
	expect_nothing(d);
	assert_int_equal(d->news & MEMBERSHIP_NEWS_STALE, 0);
	assert_string_equal(d->a.room.pending_vote, "1");
	voted(d);
	assert_null(d->a.room.pending_vote);
	expect_nothing(d);
}

DESK_TEST(test_after_two_gaps_a_full_update_of_the_version_that_is_there_replaces_it, d)
{
	struct room_subscribe_params p;
	struct room_update gap = {.room_id = SLICE("K7QX3M"), .epoch = 7, .since = 5, .version = 6};
	enter(d, KEY, 1, 1, "Ada");
	for (int i = 0; i < 2; i++) {
		notice(d, NOTICE_ROOM_UPDATE, &gap);
		expect(d, METHOD_ROOM_SUBSCRIBE, &p);
		assert_int_equal(p.with_since, i == 0);
		subscribed(d, KEY, 1);
	}
	d->news = 0;
	send_room(d, 1, 5);
	assert_int_equal(d->a.room.room.round, 5);
	assert_true((d->news & MEMBERSHIP_NEWS_ROOM) != 0);
}

DESK_TEST(test_a_gap_makes_it_subscribe_again_and_then_without_since, d)
{
	struct room_subscribe_params p;
	struct room_update gap = {.room_id = SLICE("K7QX3M"), .epoch = 7, .since = 5, .version = 6};
	enter(d, KEY, 1, 1, "Ada");
	notice(d, NOTICE_ROOM_UPDATE, &gap);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_since);
	notice(d, NOTICE_ROOM_UPDATE, &gap);
	expect_nothing(d);
	subscribed(d, KEY, 9);
	notice(d, NOTICE_ROOM_UPDATE, &gap);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_false(p.with_since);
	subscribed(d, KEY, 9);
	send_room(d, 9, 1);
	assert_int_equal(d->a.room.version, 9);
	expect_nothing(d);
	/* All is well again: the next gap is the first. */
	gap.since = 11;
	gap.version = 12;
	notice(d, NOTICE_ROOM_UPDATE, &gap);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_since);
}

DESK_TEST(test_not_now_is_tried_again_and_no_is_the_end, d)
{
	struct room_subscribe_params p;
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	refuse(d, METHOD_ROOM_SUBSCRIBE, FAULT_UNAVAILABLE);
	expect_nothing(d);
	assert_true(d->a.retry_ms > 0);
	membership_retry(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	membership_answer(&d->a, METHOD_ROOM_SUBSCRIBE, OK,
			  &(struct fault){.code = FAULT_RATE_LIMITED, .retry_after_ms = 54321},
			  NULL);
	expect_nothing(d);
	assert_int_equal(d->a.retry_ms, 54321); /* as the server asks */
	membership_retry(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	refuse(d, METHOD_ROOM_SUBSCRIBE, FAULT_ROOM_NOT_FOUND);
	assert_int_equal(d->news, MEMBERSHIP_NEWS_ENDED | MEMBERSHIP_NEWS_REFUSED);
	assert_int_equal(d->a.phase, MEMBERSHIP_ENDED);
	membership_down(&d->a);
	membership_up(&d->a);
	expect_nothing(d);
}

DESK_TEST(test_a_refused_vote_is_told_and_not_repeated, d)
{
	struct room_vote_params vote;
	enter(d, KEY, 1, 1, "Ada");
	membership_want_vote(&d->a, "99");
	expect(d, METHOD_ROOM_VOTE, &vote);
	d->news = 0;
	refuse(d, METHOD_ROOM_VOTE, FAULT_VALIDATION_ERROR);
	assert_true((d->news & MEMBERSHIP_NEWS_REFUSED) != 0);
	assert_null(d->a.room.pending_vote);
	expect_nothing(d);
}

TEST(test_being_removed_and_the_rooms_end_are_the_end)
{
	static const enum notice kinds[] = {NOTICE_ROOM_KICKED, NOTICE_ROOM_DELETED};
	struct room_notice other = {.room_id = SLICE("AAAAAA")};
	struct room_notice ours = {.room_id = SLICE("K7QX3M")};
	struct kicked_notice others_kick = {.room_id = other.room_id};
	struct kicked_notice our_kick = {.room_id = ours.room_id};
	for (size_t i = 0; i < 2; i++) {
		struct desk d;
		desk_open(&d);
		enter(&d, KEY, 1, 1, "Ada");
		d.news = 0;
		notice(&d, kinds[i], i == 0 ? (const void *)&others_kick : &other);
		assert_int_equal(d.news, 0);
		notice(&d, kinds[i], i == 0 ? (const void *)&our_kick : &ours);
		assert_int_equal(d.news, MEMBERSHIP_NEWS_ENDED);
		expect_nothing(&d);
		desk_close(&d);
	}
}

/* Home offers to forget the room that nobody can come back to, and no other. */
TEST(test_a_room_that_has_gone_differs_from_one_that_we_were_removed_from)
{
	static const struct {
		enum notice kind;
		bool is_gone;
	} rows[] = {
		{NOTICE_ROOM_KICKED, false},
		{NOTICE_ROOM_DELETED, true},
		{NOTICE_ROOM_EXPIRED, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		struct room_notice ends = {.room_id = SLICE("K7QX3M")};
		struct kicked_notice kick = {.room_id = ends.room_id};
		bool is_kick = rows[i].kind == NOTICE_ROOM_KICKED;
		desk_open(&d);
		enter(&d, KEY, 1, 1, "Ada");
		notice(&d, rows[i].kind, is_kick ? (const void *)&kick : &ends);
		assert_int_equal(d.a.phase, MEMBERSHIP_ENDED);
		assert_int_equal(d.a.is_gone, rows[i].is_gone);
		desk_close(&d);
	}
}

TEST(test_who_removed_us_and_how_to_come_back_is_said)
{
	static const struct {
		const char *by;
		bool is_barred;
		const char *reason;
	} rows[] = {
		{"Grace", false, "Grace removed you from the room; to rejoin: aye join K7QX3M"},
		{"Grace", true,
		 "Grace removed you from the room; you are banned until a host unbans you "
		 "(:unkick, or aye room unkick)"},
		{NULL, true,
		 "you were removed from the room; you are banned until a host unbans you (:unkick, "
		 "or aye room unkick)"},
		{NULL, false, "you were removed from the room"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct desk d;
		struct kicked_notice ours = {
			.room_id = SLICE("K7QX3M"),
			.by = slice_str(rows[i].by),
			.is_barred = rows[i].is_barred,
			.with_is_barred = true,
		};
		desk_open(&d);
		enter(&d, KEY, 1, 1, "Ada");
		notice(&d, NOTICE_ROOM_KICKED, &ours);
		assert_string_equal(d.a.reason, rows[i].reason);
		desk_close(&d);
	}
}

/* Who leads shows the key at once; who only watches does so where a stranger is refused, and no more. */
TEST(test_the_host_key_comes_in_where_a_stranger_does_not)
{
	struct desk d;
	struct room_subscribe_params p;
	desk_open(&d);
	membership_want_host(&d.a, KEY2);
	membership_up(&d.a);
	expect(&d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_host_key && slice_eq(p.host_key, SLICE(KEY2)));
	desk_close(&d);

	desk_open(&d);
	membership_may_show_host(&d.a, KEY2, false);
	membership_up(&d.a);
	expect(&d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_false(p.with_host_key);
	d.news = 0;
	refuse(&d, METHOD_ROOM_SUBSCRIBE, FAULT_ROOM_NOT_FOUND);
	assert_int_equal(d.news, 0);
	expect(&d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_host_key && slice_eq(p.host_key, SLICE(KEY2)));
	refuse(&d, METHOD_ROOM_SUBSCRIBE, FAULT_ROOM_NOT_FOUND);
	assert_true((d.news & MEMBERSHIP_NEWS_REFUSED) != 0);
	desk_close(&d);
}

TEST(test_the_host_key_is_used_only_where_there_is_no_host)
{
	struct desk d;
	struct room_claim_host_params claim;
	desk_open(&d);
	membership_want_host(&d.a, KEY2);
	enter(&d, KEY, 1, 1, "Ada");
	expect(&d, METHOD_ROOM_CLAIM_HOST, &claim);
	assert_true(slice_eq(claim.host_key, SLICE(KEY2)));
	answer(&d, METHOD_ROOM_CLAIM_HOST, &(struct version_result){0});
	expect_nothing(&d);
	desk_close(&d);

	desk_open(&d);
	membership_want_host(&d.a, KEY2);
	enter(&d, KEY, 1, 1, NULL);
	expect_nothing(&d); /* not before the seat has a name */
	d.a.room.room.host_user_id = SLICE("U2");
	send_you(&d, "Ada");
	expect_nothing(&d);
	desk_close(&d);
}

DESK_TEST(test_a_copy_older_than_the_join_does_not_make_it_claim_host, d)
{
	struct room_join_params join;
	struct room_join_result r = {.user_id = SLICE("U1"), .version = 2, .with_version = true};
	struct room_claim_host_params claim;
	membership_want_host(&d->a, KEY2);
	membership_want_name(&d->a, "Ada", false, false);
	enter(d, KEY, 1, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &join);
	answer(d, METHOD_ROOM_JOIN, &r);
	send_you(d, "Ada");
	expect_nothing(d); /* version 1 knows nothing of who came with the join */
	send_room(d, 2, 1);
	expect(d, METHOD_ROOM_CLAIM_HOST, &claim);
}

DESK_TEST(test_a_copy_of_another_epoch_than_the_join_lets_it_claim_host, d)
{
	struct room_join_params join;
	struct room_join_result r = {.user_id = SLICE("U1"), .version = 9, .with_version = true};
	struct room_claim_host_params claim;
	membership_want_host(&d->a, KEY2);
	membership_want_name(&d->a, "Ada", false, false);
	enter(d, KEY, 1, 1, NULL);
	expect(d, METHOD_ROOM_JOIN, &join);
	answer(d, METHOD_ROOM_JOIN, &r);
	restart(d, 2);
	send_you(d, "Ada");
	send_room(d, 2, 1);
	expect(d, METHOD_ROOM_CLAIM_HOST, &claim);
}

DESK_TEST(test_in_the_lobby_it_gives_its_name_and_keeps_the_vote_for_later, d)
{
	struct room_subscribe_params p;
	struct room_join_params join;
	struct room_vote_params vote;
	membership_want_passcode(&d->a, "sesame");
	membership_want_name(&d->a, "Ada", false, false);
	membership_want_vote_with(&d->a, "2", "small", 3);
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(slice_eq(p.passcode, SLICE("sesame")));
	subscribed(d, KEY, 3);
	send_waiting(d, NULL, true);
	assert_true(d->a.room.you.is_waiting);
	expect(d, METHOD_ROOM_JOIN, &join);
	assert_true(slice_eq(join.username, SLICE("Ada")));
	answer(d, METHOD_ROOM_JOIN, &(struct room_join_result){.user_id = SLICE("U1")});
	send_waiting(d, "Ada", true);
	expect_nothing(d);
	send_waiting(d, "Ada", false);
	expect_nothing(d);
	send_room(d, 4, 1);
	expect(d, METHOD_ROOM_VOTE, &vote);
	assert_true(slice_eq(vote.comment, SLICE("small")));
	assert_int_equal(vote.confidence, 3);
}

DESK_TEST(test_nudges_and_reactions_are_news_without_anything_that_hurts, d)
{
	enter(d, KEY, 1, 1, "Ada");
	d->news = 0;
	struct nudged_notice nudge = {.room_id = SLICE("K7QX3M"),
				      .by = SLICE("Gra\033ce"),
				      .with_by = true};
	notice(d, NOTICE_ROOM_NUDGED, &nudge);
	assert_int_equal(d->news, MEMBERSHIP_NEWS_NUDGED);
	assert_null(strchr(d->a.nudged_by, '\033'));
	d->news = 0;
	struct reaction_notice reaction = {.room_id = SLICE("K7QX3M"),
					   .user_id = SLICE("U2"),
					   .word = SLICE("tea?")};
	notice(d, NOTICE_ROOM_REACTION, &reaction);
	assert_int_equal(d->news, MEMBERSHIP_NEWS_REACTION);
	assert_string_equal(d->a.reaction_user_id, "U2");
	assert_string_equal(d->a.reaction_word, "tea?");
	d->news = 0;
	reaction.room_id = SLICE("OTHER2");
	notice(d, NOTICE_ROOM_REACTION, &reaction);
	assert_int_equal(d->news, 0);
}
