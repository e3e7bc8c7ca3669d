/*
 * test_load_count.c - lost and repeated deliveries are noticed, merged ones are
 * each counted, and a time is counted from when its vote was due.
 *
 * One room of two members, the first of whom votes; what the server would send
 * is made up.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/load_state.h"
#include "tests/support/test.h"

#define MEMBERS 2
#define CAST_AT 1000
#define SEEN_AT 1100

struct fixture {
	struct dialect dialect;
	struct load_spec spec;
	struct load_result result;
	struct load_room room;
	struct load_room *due[1];
	struct load_conn conns[MEMBERS];
	uint64_t next[MEMBERS];
	uint64_t due_ns[LOAD_RING];
	struct load load;
};

/* What count_cast() says goes nowhere. */
static unsigned votes_said;

static void on_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	(void)who;
	(void)seq;
	(void)out;
	votes_said++;
}

static struct fixture *fixture_open(bool counts_versions, double rate)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	f->dialect = (struct dialect){.counts_versions = counts_versions, .vote = on_vote};
	f->spec.groups[0] = (struct load_group){1, MEMBERS, 1, 4, rate, 0};
	f->spec.groups_n = 1;
	f->room = (struct load_room){.members = f->conns, .version = 10};
	for (uint32_t i = 0; i < MEMBERS; i++) {
		f->conns[i] = (struct load_conn){.fd = -1,
						 .room = &f->room,
						 .who.member = i,
						 .version = 10,
						 .next = &f->next[i]};
	}
	f->conns[0].due_ns = f->due_ns;
	f->load = (struct load){.spec = &f->spec,
				.result = &f->result,
				.dialect = &f->dialect,
				.phase = LOAD_WINDOW,
				.rooms = &f->room,
				.rooms_n = 1,
				.conns = f->conns,
				.conns_n = MEMBERS,
				.due = f->due,
				.now_ns = SEEN_AT,
				.window_to_ns = UINT64_MAX};
	return f;
}

static void fixture_close(struct fixture *f)
{
	free(f->room.early);
	free(f);
}

static void cast(struct fixture *f, uint32_t n)
{
	count_cast(&f->load, &f->conns[0], n, CAST_AT);
}

static void sees(struct fixture *f, uint32_t member, uint64_t seq)
{
	struct incoming m = {.kind = INCOMING_MESSAGE, .seq = seq};
	count_incoming(&f->load, &f->conns[member], &m);
}

static void sees_versions(struct fixture *f, uint32_t member, int64_t since, int64_t version)
{
	struct incoming m = {.kind = INCOMING_VERSION, .since = since, .version = version};
	count_incoming(&f->load, &f->conns[member], &m);
}

static void is_answered(struct fixture *f, uint64_t seq, int64_t version)
{
	struct incoming m = {.kind = INCOMING_ANSWER, .seq = seq, .version = version};
	count_incoming(&f->load, &f->conns[0], &m);
}

static void assert_counted(const struct fixture *f, uint64_t deliveries, uint64_t votes)
{
	assert_int_equal(f->result.groups[0].deliveries, deliveries);
	assert_int_equal(f->result.groups[0].votes, votes);
	assert_string_equal(f->result.why, "");
}

TEST(test_a_vote_ends_when_everybody_has_seen_it)
{
	struct fixture *f = fixture_open(false, 0);
	cast(f, 1);
	assert_int_equal(f->load.pending, 1);
	sees(f, 0, 0);
	assert_int_equal(f->load.pending, 1);
	sees(f, 1, 0);
	assert_int_equal(f->load.pending, 0);
	assert_int_equal(f->load.due_n, 1); /* the room may vote again */
	assert_counted(f, 2, 1);
	count_missing(&f->load);
	assert_int_equal(f->result.lost + f->result.duplicates, 0);
	fixture_close(f);
}

TEST(test_a_delivery_that_comes_twice_is_noticed)
{
	struct fixture *f = fixture_open(false, 0);
	cast(f, 1);
	sees(f, 1, 0);
	sees(f, 1, 0);
	assert_int_equal(f->result.duplicates, 1);
	assert_counted(f, 1, 0);
	fixture_close(f);
}

TEST(test_a_delivery_that_never_comes_is_noticed)
{
	struct fixture *f = fixture_open(false, 0);
	cast(f, 3);
	sees(f, 0, 0);
	sees(f, 0, 1);
	sees(f, 0, 2);
	sees(f, 1, 0);
	sees(f, 1, 2); /* not 1 */
	assert_int_equal(f->result.lost, 1);
	assert_int_equal(f->load.pending, 1);
	cast(f, 1);
	sees(f, 0, 3); /* and the other never sees 3 */
	count_missing(&f->load);
	assert_int_equal(f->result.lost, 2);
	fixture_close(f);
}

TEST(test_a_vote_that_nobody_cast_fails_the_load)
{
	struct fixture *f = fixture_open(false, 0);
	sees(f, 0, 0);
	assert_true(f->load.has_failed);
	fixture_close(f);
}

TEST(test_each_version_in_a_merged_update_is_a_delivery)
{
	struct fixture *f = fixture_open(true, 0);
	cast(f, 3);
	is_answered(f, 0, 11);
	is_answered(f, 1, 12);
	is_answered(f, 2, 13);
	sees_versions(f, 0, 10, 13);
	sees_versions(f, 1, 10, 11);
	sees_versions(f, 1, 11, 13);
	assert_counted(f, 6, 3);
	assert_int_equal(f->load.pending, 0);
	count_missing(&f->load);
	assert_int_equal(f->result.lost + f->result.duplicates, 0);
	fixture_close(f);
}

TEST(test_a_vote_is_under_way_until_its_voter_is_answered)
{
	struct fixture *f = fixture_open(true, 0);
	cast(f, 1);
	sees_versions(f, 0, 10, 11);
	sees_versions(f, 1, 10, 11);
	assert_int_equal(f->load.pending, 1);
	is_answered(f, 0, 11);
	assert_int_equal(f->load.pending, 0);
	fixture_close(f);
}

TEST(test_versions_that_are_left_out_or_repeated_are_noticed)
{
	struct fixture *f = fixture_open(true, 0);
	cast(f, 4);
	sees_versions(f, 0, 10, 12);
	sees_versions(f, 0, 11, 13); /* brings 12 again */
	assert_int_equal(f->result.duplicates, 1);
	sees_versions(f, 0, 13, 14); /* without 13 */
	assert_int_equal(f->result.lost, 1);
	count_missing(&f->load); /* the other has seen none of the four */
	assert_int_equal(f->result.lost, 5);
	fixture_close(f);
}

TEST(test_a_full_update_brings_all_that_was_missing)
{
	struct fixture *f = fixture_open(true, 0);
	struct incoming full = {.kind = INCOMING_VERSION,
				.since = 14,
				.version = 14,
				.is_full = true};
	cast(f, 4);
	count_incoming(&f->load, &f->conns[1], &full);
	sees_versions(f, 0, 10, 14);
	count_missing(&f->load);
	assert_counted(f, 8, 0);
	assert_int_equal(f->result.lost + f->result.duplicates, 0);
	assert_int_equal(f->result.fulls, 1);
	fixture_close(f);
}

TEST(test_an_answer_without_a_vote_fails_the_load)
{
	struct fixture *f = fixture_open(true, 0);
	is_answered(f, 0, 11);
	assert_true(f->load.has_failed);
	fixture_close(f);
}

/* What is seen before the answer waits until it is known since when it was due. */
TEST(test_times_count_from_when_a_vote_was_due)
{
	struct fixture *f = fixture_open(true, 100);
	const struct quantiles *h = &f->result.groups[0].latency_ns;
	cast(f, 1);
	sees_versions(f, 0, 10, 11);
	assert_int_equal(h->n, 0);
	f->load.now_ns = SEEN_AT + 50;
	is_answered(f, 0, 11);
	assert_int_equal(h->n, 1);
	assert_int_equal(quantiles_at(h, 1), SEEN_AT - CAST_AT);
	sees_versions(f, 1, 10, 11);
	assert_int_equal(h->n, 2);
	assert_int_equal(quantiles_at(h, 1), SEEN_AT + 50 - CAST_AT);
	fixture_close(f);
}

TEST(test_votes_due_outside_the_window_have_no_time)
{
	struct fixture *f = fixture_open(false, 100);
	f->load.window_from_ns = CAST_AT + 1;
	cast(f, 1);
	sees(f, 0, 0);
	assert_int_equal(f->result.groups[0].latency_ns.n, 0);
	fixture_close(f);
}

TEST(test_a_room_that_cannot_keep_up_fails_the_load)
{
	struct fixture *f = fixture_open(false, 100);
	votes_said = 0;
	cast(f, LOAD_PENDING_MAX);
	assert_false(f->load.has_failed);
	cast(f, 1);
	assert_true(f->load.has_failed);
	assert_int_equal(votes_said, LOAD_PENDING_MAX);
	fixture_close(f);
}
