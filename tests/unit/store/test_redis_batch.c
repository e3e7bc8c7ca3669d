/*
 * test_redis_batch.c - commits that leave in one command: each has its own result, and none another's.
 */
#include "place.h"

#define COMMITS 50

static void call(struct place *p, struct answer *a, const struct store_op *op, unsigned char token)
{
	struct store_commit c = {.token = token == 0 ? (struct store_token){{0}} : token_of(token),
				 .ops = op,
				 .n = 1,
				 .now_ms = NOW};
	*a = (struct answer){.scope = item_scope_of(op->pk)};
	assert_int_equal(store_commit(p->s, &c, on_commit, a), OK);
}

/* Scripts that made commits, or were asked to. */
static long scripts(struct place *p)
{
	static char answer[65536];
	redis_run_ask(&p->server, "INFO commandstats", answer, sizeof(answer));
	const char *at = strstr(answer, "cmdstat_mget:calls=");
	return at == NULL ? 0 : strtol(at + strlen("cmdstat_mget:calls="), NULL, 10);
}

PLACE_TEST(commits_that_wait_together_leave_in_one_command, p)
{
	static struct answer answers[COMMITS];
	char pk[COMMITS][16];
	struct store_status status;
	place_open(p, NULL);
	for (unsigned i = 0; i < COMMITS; i++) {
		format_to(pk[i], sizeof(pk[i]), "ROOM:R%u", i);
		struct store_op op = op_put(pk[i], "USER:a", value_seat("1"));
		call(p, &answers[i], &op, 0);
	}
	drain(p);
	for (unsigned i = 0; i < COMMITS; i++) {
		assert_int_equal(answers[i].e, OK);
		assert_string_equal(load_room(p, pk[i]).text, "USER:a=1@1");
	}
	assert_int_equal(scripts(p), 1);
	store_status(p->s, &status);
	assert_int_equal(status.batch.sum, COMMITS);
}

/* The second of three is refused; the third is made from what the first wrote. */
PLACE_TEST(a_commit_that_conflicts_is_the_only_one_that_is_not_made, p)
{
	struct answer answers[3];
	place_open(p, NULL);
	struct store_op first = op_put("ROOM:A", "USER:a", value_seat("1"));
	first.expect = STORE_EXPECT_ABSENT;
	call(p, &answers[0], &first, 0);
	struct store_op second = op_put("ROOM:A", "USER:a", value_seat("2"));
	second.expect = STORE_EXPECT_ABSENT;
	call(p, &answers[1], &second, 0);
	struct store_op third = op_put("ROOM:A", "USER:b", value_seat("3"));
	call(p, &answers[2], &third, 0);
	drain(p);
	assert_int_equal(scripts(p), 1);
	assert_int_equal(answers[0].e, OK);
	assert_int_equal(answers[1].e, ERR_CONFLICT);
	assert_int_equal(answers[2].e, OK);
	assert_true(answers[2].version > answers[0].version);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1 USER:b=3@2");
}

PLACE_TEST(a_token_that_comes_twice_at_once_makes_one_commit, p)
{
	struct answer answers[2];
	place_open(p, NULL);
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	op.expect = STORE_EXPECT_ABSENT;
	call(p, &answers[0], &op, 7);
	op.value = value_seat("1");
	call(p, &answers[1], &op, 7);
	drain(p);
	assert_int_equal(scripts(p), 1);
	assert_int_equal(answers[0].e, OK);
	assert_int_equal(answers[1].e, OK);
	assert_int_equal(answers[0].version, answers[1].version);
}

/* Its script fails on the way, when those before it were made. */
PLACE_TEST(a_commit_that_a_script_fails_at_takes_no_other_with_it, p)
{
	static const char *const rooms[] = {"ROOM:A", "ROOM:B", "ROOM:C"};
	struct answer answers[3];
	char command[64];
	place_open(p, NULL);
	format_to(command, sizeof(command), "SET {b%u}i:ROOM:B damaged",
		  item_scope_of(SLICE("ROOM:B")));
	(void)ask(p, command);
	for (unsigned i = 0; i < 3; i++) {
		struct store_op op = op_put(rooms[i], "USER:a", value_seat("1"));
		op.expect = STORE_EXPECT_ABSENT;
		call(p, &answers[i], &op, 0);
	}
	drain(p);
	assert_int_equal(answers[0].e, OK);
	assert_int_equal(answers[1].e, ERR_UNKNOWN);
	assert_int_equal(answers[2].e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1");
	assert_string_equal(load_room(p, "ROOM:C").text, "USER:a=1@1");
}

/* Redis refuses what writes, all of it; what deletes goes in commands of its own. */
PLACE_TEST(while_redis_is_full_deletes_beside_others_are_made, p)
{
	struct answer answers[3];
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	(void)ask(p, "CONFIG SET maxmemory 1");
	struct store_op put = op_put("ROOM:A", "USER:b", value_seat("1"));
	struct store_op gone = op_of(STORE_DELETE, "ROOM:A", "USER:a");
	call(p, &answers[0], &put, 0);
	call(p, &answers[1], &gone, 0);
	put.value = value_seat("1");
	call(p, &answers[2], &put, 0);
	drain(p);
	assert_int_equal(answers[0].e, ERR_FULL);
	assert_int_equal(answers[1].e, OK);
	assert_int_equal(answers[2].e, ERR_FULL);
	(void)ask(p, "CONFIG SET maxmemory 0");
	assert_string_equal(load_room(p, "ROOM:A").text, "");
}

/* More than a batch takes, in number and in bytes. */
PLACE_TEST(more_than_one_command_takes_stays_in_its_order, p)
{
	enum { MANY = 300 };
	static struct answer answers[MANY];
	char expected[32];
	place_open(p, NULL);
	for (unsigned i = 0; i < MANY; i++) {
		char vote[8];
		format_to(vote, sizeof(vote), "%u", i % 100);
		struct store_op op = op_put("ROOM:A", "USER:a", value_seat(vote));
		call(p, &answers[i], &op, 0);
	}
	drain(p);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(answers[i].e, OK);
		assert_int_equal(answers[i].nth, i + 1);
	}
	format_to(expected, sizeof(expected), "USER:a=%d@%d", (MANY - 1) % 100, MANY);
	assert_string_equal(load_room(p, "ROOM:A").text, expected);
	assert_in_range(scripts(p), 2, MANY / 10);
}
