/*
 * test_redis_replicas.c - commits that are acknowledged only when replicas have them.
 */
#include "chains.h"
#include "place.h"

static const char *const as_master[] = {"--repl-diskless-sync-delay", "0", NULL};

static void start(struct place *p, unsigned replicas)
{
	redis_run_start(&p->server, as_master);
	for (unsigned i = 0; i < replicas; i++) {
		redis_run_lay(&p->replicas[i]);
		redis_run_follow(&p->replicas[i], &p->server);
	}
}

static void open_with(struct place *p, const char *settings)
{
	enum err e = place_open_as(p, "", settings, "");
	assert_string_equal(e == OK ? "" : p->why.text, "");
}

static void stop(struct redis_run *r)
{
	assert_int_equal(kill(r->pid, SIGSTOP), 0);
}

static void go_on(struct redis_run *r)
{
	assert_int_equal(kill(r->pid, SIGCONT), 0);
}

static uint64_t waits_missed(struct place *p)
{
	struct store_status status;
	store_status(p->s, &status);
	return status.remote.waits_missed;
}

static void run(struct place *p)
{
	(void)store_poll(p->s);
	p->poll.net.run(&p->poll);
}

static void begin_vote(struct place *p, struct answer *a, const char *sk, const char *vote)
{
	struct store_op op = op_put("ROOM:A", sk, value_seat(vote));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	op.expect = STORE_EXPECT_ABSENT;
	*a = (struct answer){.scope = item_scope_of(op.pk)};
	assert_int_equal(store_commit(p->s, &c, on_commit, a), OK);
}

/* What a replica has of the room. */
static bool replica_has(const struct redis_run *r, const char *sk)
{
	char command[128], answer[64];
	format_to(command, sizeof(command), "HEXISTS {b%u}i:ROOM:A %s",
		  item_scope_of(SLICE("ROOM:A")), sk);
	redis_run_ask(r, command, answer, sizeof(answer));
	return strcmp(answer, ":1\r\n") == 0;
}

/* promise: replica-first */
PLACE_TEST(with_replicas_one_has_each_commit_before_it_is_acknowledged, p)
{
	start(p, 1);
	open_with(p, "?volatile=1");
	for (unsigned i = 0; i < 50; i++) {
		struct answer a;
		char sk[16];
		format_to(sk, sizeof(sk), "USER:%02u", i);
		begin_vote(p, &a, sk, "1");
		drain(p);
		assert_int_equal(a.e, OK);
		assert_true(replica_has(&p->replicas[0], sk));
	}
}

static void replica_goes_on(struct place *p)
{
	if (strstr(p->warning, "; waiting") != NULL) {
		go_on(&p->replicas[0]);
	}
}

/* Of a process that was killed before its replicas had what it committed last. */
PLACE_TEST(what_was_committed_before_a_start_is_read_when_replicas_have_it, p)
{
	start(p, 1);
	open_with(p, "?volatile=1&replicas=0");
	stop(&p->replicas[0]);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	place_close(p);
	p->on_warning = replica_goes_on;
	open_with(p, "?volatile=1&replicas=1");
	assert_non_null(strstr(p->warning, "has changes that too few replicas have yet; waiting"));
	assert_true(replica_has(&p->replicas[0], "USER:a"));
}

PLACE_TEST(a_user_needs_one_right_more_to_wait_for_replicas, p)
{
	start(p, 1);
	assert_string_equal(ask(p, FIXTURE_USER), "+OK\r\n");
	assert_int_equal(place_open_as(p, "team:pw@", "?volatile=1", ""), ERR_IO);
	assert_non_null(strstr(p->why.text, "denies the user a command"));
	assert_string_equal(ask(p, FIXTURE_USER " +wait"), "+OK\r\n");
	assert_int_equal(place_open_as(p, "team:pw@", "?volatile=1", ""), OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
}

PLACE_TEST(without_replicas_nothing_is_waited_for, p)
{
	start(p, 0);
	open_with(p, "?volatile=1");
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	assert_string_equal(p->warning, "");
	redis_run_lay(
		&p->replicas[0]); /* one that comes later changes nothing before the next start */
	redis_run_follow(&p->replicas[0], &p->server);
	stop(&p->replicas[0]);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat("1"))).e, OK);
}

PLACE_TEST(a_person_may_wish_not_to_wait, p)
{
	start(p, 1);
	open_with(p, "?volatile=1&replicas=0");
	stop(&p->replicas[0]);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	assert_string_equal(p->warning, "");
}

PLACE_TEST(replicas_that_nobody_has_are_refused_and_one_alone_is_warned_of, p)
{
	start(p, 1);
	assert_int_equal(place_open_as(p, "", "?volatile=1&replicas=2", ""), ERR_INVALID);
	assert_non_null(strstr(p->why.text, "has fewer replicas (1) than replicas= asks for"));
	open_with(p, "?volatile=1");
	assert_non_null(strstr(p->warning, "add a replica"));
	store_close(p->s);
	p->s = NULL;
	p->warning[0] = '\0';
	redis_run_lay(&p->replicas[1]);
	redis_run_follow(&p->replicas[1], &p->server);
	open_with(p, "?volatile=1");
	assert_string_equal(p->warning, "");
	store_close(p->s);
	p->s = NULL;
	open_with(p, "?volatile=1&replicas=2");
	assert_non_null(strstr(p->warning, "add a replica"));
}

/* Behind it, others of the same room: their order stays. */
PLACE_TEST(while_no_replica_answers_commits_wait_and_each_is_made_once, p)
{
	struct answer a, b, c;
	start(p, 1);
	open_with(p, "?volatile=1");
	stop(&p->replicas[0]);
	begin_vote(p, &a, "USER:a", "1");
	begin_vote(p, &b, "USER:b", "2");
	while (waits_missed(p) < 2) { /* both were sent again by then */
		run(p);
	}
	begin_vote(p, &c, "USER:c", "3");
	while (waits_missed(p) < 3) {
		run(p);
	}
	assert_int_equal(a.calls + b.calls + c.calls, 0);
	go_on(&p->replicas[0]);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_int_equal(b.e, OK);
	assert_int_equal(c.e, OK);
	assert_true(a.version < b.version && b.version < c.version);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1 USER:b=2@2 USER:c=3@3");
}

PLACE_TEST(reads_and_publications_wait_for_no_replica, p)
{
	struct heard h = {0};
	struct answer a = {.scope = ITEM_SCOPE_DIRECTORY};
	struct store_op op = op_of(STORE_DELETE, "ASKER:ada", "ASKER");
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("body")};
	struct answer loaded = {.calls = 0};
	start(p, 1);
	open_with(p, "?volatile=1");
	store_subscribe(p->s, on_heard, &h);
	stop(&p->replicas[0]);
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	while (h.others == 0) {
		run(p);
	}
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loaded);
	while (loaded.calls == 0) {
		run(p);
	}
	assert_int_equal(a.calls, 0);
	go_on(&p->replicas[0]);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_int_equal(h.others, 1); /* it came again by its token */
}

/* The vote is made, its replica hangs, and time passes. */
static void begin_unknown(struct place *p)
{
	struct answer a;
	begin_vote(p, &a, "USER:a", "1");
	while (waits_missed(p) == 0) {
		run(p);
	}
	p->poll.ahead_ms += 29000 - 2000; /* a second has passed, or a little more */
	uint64_t missed = waits_missed(p);
	while (waits_missed(p) == missed) {
		run(p);
	}
	assert_int_equal(a.calls, 0);
	p->poll.ahead_ms += 4000;
	while (a.calls == 0) {
		run(p);
	}
	assert_int_equal(a.e, ERR_UNKNOWN);
}

/* The next server has neither the entry nor the commit behind it. */
PLACE_TEST(an_entry_that_was_lost_with_a_master_is_written_again_with_its_commit, p)
{
	struct answer a = {.scope = item_scope_of(SLICE("ROOM:A"))};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	start(p, 1);
	open_with(p, "?volatile=1");
	stop(&p->replicas[0]);
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	while (waits_missed(p) == 0) {
		run(p);
	}
	redis_run_kill(&p->server);
	redis_run_start(&p->server, as_master);
	go_on(&p->replicas[0]);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_int_equal(seats_of(p, "ada").n, 1);
}

/* Written a moment ago, by a master that is no more. */
PLACE_TEST(an_entry_that_was_lost_with_a_master_is_written_again_with_the_next_commit, p)
{
	start(p, 0);
	open_with(p, "?volatile=1");
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"));
	assert_int_equal(commit_one(p, op).e, OK);
	assert_int_equal(seats_of(p, "ada").n, 1);
	redis_run_kill(&p->server);
	redis_run_start(&p->server, as_master);
	assert_int_equal(commit_one(p, op).e, OK);
	assert_int_equal(seats_of(p, "ada").n, 1);
}

/* Who reads it could be told of a vote, or told that it is made, that a failover takes back. */
PLACE_TEST(what_no_replica_has_after_30_s_nobody_knows_and_nobody_reads_before_one_has_it, p)
{
	struct answer found = {.scope = item_scope_of(SLICE("ROOM:A"))}, other = {.calls = 0};
	start(p, 1);
	open_with(p, "?volatile=1");
	stop(&p->replicas[0]);
	begin_unknown(p);
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &found);
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:B")}, on_items, &other);
	uint64_t missed = waits_missed(p);
	while (other.calls == 0 || waits_missed(p) < missed + 2) {
		run(p);
	}
	assert_int_equal(other.e, OK);
	assert_int_equal(found.calls, 0);
	go_on(&p->replicas[0]);
	while (found.calls == 0) {
		run(p);
	}
	assert_int_equal(found.e, OK);
	assert_int_equal(found.n, 1);
}

PLACE_TEST(a_bucket_that_was_taken_is_one_when_a_replica_knows, p)
{
	struct fixture_theirs t = {0};
	struct store_take take = {.bucket = 7, .fence = {{1}}};
	char answer[64];
	start(p, 1);
	open_with(p, "?volatile=1");
	stop(&p->replicas[0]);
	assert_int_equal(store_take(p->s, &take, on_their_take, &t), OK);
	while (waits_missed(p) == 0) {
		run(p);
	}
	assert_int_equal(t.calls, 0);
	go_on(&p->replicas[0]);
	drain(p);
	assert_int_equal(t.e, OK);
	redis_run_ask(&p->replicas[0], "EXISTS {b7}h", answer, sizeof(answer));
	assert_string_equal(answer, ":1\r\n");
}

/* Two kinds of bad luck at once: replicas hang now and then, and the master is killed. */
PLACE_TEST(killed_while_commits_wait_nothing_acknowledged_is_lost_or_done_twice, p)
{
	static struct chains c;
	redis_run_start(&p->server, with_files);
	redis_run_lay(&p->replicas[0]);
	redis_run_follow(&p->replicas[0], &p->server);
	open_with(p, "");
	chains_begin(&c, p->s, &p->poll, "ROOM:A");
	for (unsigned n = 1; n <= 2; n++) {
		uint64_t missed = waits_missed(p);
		chains_until(&c, n * 300);
		stop(&p->replicas[0]);
		while (waits_missed(p) == missed) {
			run(p);
		}
		redis_run_kill(&p->server);
		go_on(&p->replicas[0]);
		redis_run_start(&p->server, with_files);
	}
	chains_until(&c, 3 * 300);
	chains_end(&c);
}
