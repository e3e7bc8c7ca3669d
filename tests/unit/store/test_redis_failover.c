/*
 * test_redis_failover.c - the table on a master with replicas and Sentinels, whatever happens to them: no
 * acknowledged commit is lost, none is made twice, and the order stays.
 */
#include "scene.h"

#include "tests/support/redis_group.h"

static struct redis_group group;

static void end_group(void)
{
	redis_group_clear(&group);
}

/* All servers run, and follow one master. */
static void scene_lay(struct scene *s)
{
	scene_begin(s);
	if (group.servers[0].dir[0] == '\0') {
		assert_int_equal(atexit(end_group), 0);
		redis_group_start(&group);
	}
}

static void scene_clear(struct scene *s)
{
	char answer[64];
	scene_end(s);
	redis_group_settle(&group);
	redis_run_ask(redis_group_master(&group), "FLUSHALL", answer, sizeof(answer));
}

#define SCENE_TEST(name, s) TEST_OF(name, struct scene, s, scene_lay(s), scene_clear(s))

static void open_group(struct scene *s)
{
	char url[REDIS_GROUP_URL_BYTES];
	redis_group_url(&group, "", url);
	open_at(s, url);
}

static void begin(struct scene *s)
{
	open_group(s);
	begin_load(s);
}

static struct store_remote remote(struct scene *s)
{
	struct store_status status;
	store_status(s->s, &status);
	return status.remote;
}

static void until_failover(struct scene *s, uint64_t before)
{
	while (remote(s).failovers == before) {
		run(s);
	}
}

static void stop(struct redis_run *r)
{
	assert_int_equal(kill(r->pid, SIGSTOP), 0);
}

static void go_on(struct redis_run *r)
{
	assert_int_equal(kill(r->pid, SIGCONT), 0);
}

static struct redis_run *replica(unsigned nth)
{
	const struct redis_run *master = redis_group_master(&group);
	unsigned i = 0;
	while (&group.servers[i] == master || nth-- > 0) {
		i++;
	}
	return &group.servers[i];
}

SCENE_TEST(a_master_that_is_killed_is_followed_by_another, s)
{
	begin(s);
	struct redis_run *master = redis_group_master(&group);
	redis_run_kill(master);
	until_failover(s, 0);
	end(s);
	redis_group_rejoin(&group, master);
}

SCENE_TEST(a_master_that_hangs_is_left_and_what_it_says_later_counts_for_nothing, s)
{
	begin(s);
	struct redis_run *master = redis_group_master(&group);
	stop(master);
	until_failover(s, 0);
	chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
	go_on(master);
	end(s);
	redis_run_kill(master); /* sooner than Sentinel makes it a replica */
	redis_group_rejoin(&group, master);
}

SCENE_TEST(a_replica_that_is_killed_and_one_that_hangs_stop_nothing_for_long, s)
{
	begin(s);
	struct redis_run *killed = replica(0), *hangs = replica(1);
	redis_run_kill(killed);
	chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
	stop(hangs);
	while (remote(s).waits_missed == 0) {
		run(s);
	}
	go_on(hangs);
	end(s);
	assert_int_equal(remote(s).failovers, 0);
	redis_group_rejoin(&group, killed);
}

/* What the replicas had not received when the master died was acknowledged to nobody. */
SCENE_TEST(replicas_that_were_cut_off_before_the_master_died_have_all_that_counts, s)
{
	char answer[64];
	begin(s);
	struct redis_run *master = redis_group_master(&group);
	redis_run_ask(master, "CLIENT KILL TYPE replica", answer, sizeof(answer));
	store_flush(s->s);
	redis_run_kill(master);
	until_failover(s, 0);
	end(s);
	redis_group_rejoin(&group, master);
}

SCENE_TEST(a_sentinel_that_is_gone_is_passed_over, s)
{
	begin(s);
	struct redis_run *master = redis_group_master(&group);
	stop(&group.sentinels[1]);
	redis_run_kill(master);
	until_failover(s, 0);
	end(s);
	go_on(&group.sentinels[1]);
	redis_group_rejoin(&group, master);
}

SCENE_TEST(commits_stay_in_their_order_over_a_failover, s)
{
	enum { COMMITS = 200 };
	struct row row = {.answered = 0};
	struct in_row commits[COMMITS];
	struct redis_run *master = redis_group_master(&group);
	open_group(s);
	stop(master);
	for (unsigned i = 0; i < COMMITS; i++) {
		row_commit(s->s, &row, &commits[i], i, 20000);
		if (i == COMMITS / 2) { /* the others are called when it is gone */
			redis_run_kill(master);
			s->poll.net.run(&s->poll);
		}
	}
	drain(s);
	assert_int_equal(row.answered, COMMITS);
	redis_group_rejoin(&group, master);
}

/* ---- one after another, by chance: AYE_STORM_ROUNDS of them ---- */

static void lose_master(struct scene *s, bool hangs, bool is_cut)
{
	char answer[64];
	uint64_t before = remote(s).failovers;
	struct redis_run *master = redis_group_master(&group);
	if (is_cut) {
		redis_run_ask(master, "CLIENT KILL TYPE replica", answer, sizeof(answer));
	}
	if (hangs) {
		stop(master);
		until_failover(s, before);
	}
	redis_run_kill(master);
	until_failover(s, before);
	chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
	redis_group_rejoin(&group, master);
}

static void lose_replica(struct scene *s, bool hangs, bool is_restarted)
{
	struct redis_run *one = replica(0), *other = replica(1);
	if (is_restarted) {
		redis_run_kill(one);
	}
	if (hangs) {
		stop(other);
	}
	for (unsigned i = 0; i < 50; i++) {
		run(s);
	}
	if (hangs) {
		go_on(other);
	}
	chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
	if (is_restarted) {
		redis_group_rejoin(&group, one);
	}
}

/* promise: replica-first */
SCENE_TEST(in_a_storm_nothing_acknowledged_is_lost_or_made_twice, s)
{
	const char *rounds = getenv("AYE_STORM_ROUNDS");
	unsigned long n = rounds == NULL ? 1 : strtoul(rounds, NULL, 10);
	begin(s);
	for (unsigned long i = 0; i < n; i++) {
		uint64_t chance = s->poll.net.random(&s->poll) >> 32;
		if (chance % 4 > 0) {
			lose_master(s, chance % 8 > 4, chance % 16 > 7);
		} else {
			lose_replica(s, chance % 8 > 3, chance % 16 > 7);
		}
		redis_group_settle(&group);
	}
	end(s);
}

/* ---- publications ---- */

SCENE_TEST(after_a_failover_topics_are_told_and_publications_go_on, s)
{
	open_group(s);
	store_subscribe(s->s, on_told, s);
	publish(s);
	publish(s);
	assert_int_equal(s->missed, 0);
	struct redis_run *master = redis_group_master(&group);
	redis_run_kill(master);
	publish(s);
	while (s->missed == 0) {
		run(s);
	}
	unsigned told = s->told;
	s->missed = 0;
	publish(s);
	assert_int_equal(s->told, told + 1);
	assert_int_equal(s->missed, 0);
	redis_group_rejoin(&group, master);
}

/* ---- the start ---- */

SCENE_TEST(what_no_sentinel_knows_is_said, s)
{
	char url[128];
	format_to(url, sizeof(url), "redis+sentinel://other@127.0.0.1:%d,127.0.0.1:%d",
		  group.sentinels[0].port, group.sentinels[1].port);
	assert_int_equal(try_open(s, url), ERR_IO);
	assert_non_null(strstr(s->why.text, "does not know of a master named other"));
	assert_int_equal(try_open(s, "redis+sentinel://table@127.0.0.1:1"), ERR_IO);
	assert_non_null(strstr(s->why.text, "the Sentinel at 127.0.0.1:1: Connection refused"));
	/* One of them is no Sentinel, another is not there. */
	format_to(url, sizeof(url), "redis+sentinel://table@127.0.0.1:%d,127.0.0.1:1,127.0.0.1:%d",
		  group.servers[0].port, group.sentinels[2].port);
	assert_int_equal(try_open(s, url), OK);
}
