/*
 * test_redis_cluster.c - the table on a cluster whose slots move, and whose masters are lost, under load.
 */
#include "scene.h"

#include "tests/support/redis_cluster.h"

#define ROOMS 30

static struct redis_cluster cluster;
static char bucket[16]; /* a key of ROOM:A's */

static void end_cluster(void)
{
	redis_cluster_clear(&cluster);
}

static void scene_lay(struct scene *s)
{
	scene_begin(s);
	format_to(bucket, sizeof(bucket), "{b%u}v", item_scope_of(SLICE("ROOM:A")));
	if (cluster.servers[0].dir[0] == '\0') {
		assert_int_equal(atexit(end_cluster), 0);
		redis_cluster_start(&cluster);
	}
}

static void scene_clear(struct scene *s)
{
	char answer[64];
	scene_end(s);
	redis_cluster_settle(&cluster);
	for (unsigned i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		if (redis_cluster_is_master(&cluster.servers[i])) {
			redis_run_ask(&cluster.servers[i], "FLUSHALL", answer, sizeof(answer));
		}
	}
}

#define SCENE_TEST(name, s) TEST_OF(name, struct scene, s, scene_lay(s), scene_clear(s))

static void open_cluster(struct scene *s)
{
	char url[REDIS_CLUSTER_URL_BYTES];
	redis_cluster_url(&cluster, "", url);
	open_at(s, url);
}

static void close_again(struct scene *s)
{
	store_close(s->s);
	s->s = NULL;
}

static void begin(struct scene *s)
{
	open_cluster(s);
	begin_load(s);
}

static void put_rooms(struct scene *s)
{
	for (unsigned i = 0; i < ROOMS; i++) {
		char pk[16];
		struct answer a = {.calls = 0};
		format_to(pk, sizeof(pk), "ROOM:R%02u", i);
		a.scope = item_scope_of(slice_str(pk));
		struct store_op op = op_put(pk, "USER:a", value_seat_of("1", "ada"));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(s->s, &c, on_commit, &a), OK);
		drain(s);
		assert_int_equal(a.e, OK);
	}
}

static struct redis_run *another_master(const struct redis_run *than)
{
	unsigned i = 0;
	while (&cluster.servers[i] == than || !redis_cluster_is_master(&cluster.servers[i])) {
		i++;
	}
	return &cluster.servers[i];
}

/* ---- masters that are lost ---- */

/* With one replica for each master, changes wait until the old master is back as a replica. */
static void until_replaced(struct scene *s, struct redis_run *master, const char *key)
{
	pid_t pid = master->pid;
	struct redis_run *now = NULL;
	master->pid = 0; /* is not asked */
	while (now == NULL) {
		run(s);
		now = redis_cluster_master(&cluster, key);
	}
	master->pid = pid;
}

SCENE_TEST(a_master_that_is_killed_is_followed_by_its_replica, s)
{
	begin(s);
	struct redis_run *master = redis_cluster_master(&cluster, bucket);
	redis_run_kill(master);
	until_replaced(s, master, bucket);
	redis_cluster_rejoin(&cluster, master);
	end(s);
}

SCENE_TEST(a_master_that_hangs_is_left, s)
{
	begin(s);
	struct redis_run *master = redis_cluster_master(&cluster, bucket);
	assert_int_equal(kill(master->pid, SIGSTOP), 0);
	until_replaced(s, master, bucket);
	assert_int_equal(kill(master->pid, SIGCONT), 0);
	end(s);
}

/* A room whose bucket is at another master. */
static void room_elsewhere(const struct redis_run *master, char pk[16])
{
	char key[16];
	unsigned i = 0;
	do {
		format_to(pk, 16, "ROOM:R%02u", i++);
		format_to(key, sizeof(key), "{b%u}v", item_scope_of(slice_str(pk)));
	} while (redis_cluster_master(&cluster, key) == master);
}

/* It hangs for longer than a commit is waited for; what it has in its buffers is lost with it. */
SCENE_TEST(a_commit_that_was_given_up_is_not_made_by_the_next_master, s)
{
	struct answer unknown = {.calls = 0}, other = {.calls = 0}, late = {.calls = 0};
	struct answer early = {.calls = 0}, found = {.calls = 0};
	char elsewhere[16];
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.token = token_of(7), .ops = &op, .n = 1, .now_ms = NOW};
	open_cluster(s);
	struct redis_run *master = redis_cluster_master(&cluster, bucket);
	pid_t pid = master->pid;
	room_elsewhere(master, elsewhere);
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(store_commit(s->s, &c, on_commit, &unknown), OK);
	store_flush(s->s);
	s->poll.net.run(&s->poll);
	s->poll.ahead_ms += 30500;
	drain(s);
	assert_int_equal(unknown.e, ERR_UNKNOWN);

	/*
	 * The room waits until the next master knows that it was given up, and has a replica again; other rooms and
	 * the directory do not.
	 */
	store_load(s->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &early);
	struct store_op op_there = op_put(elsewhere, "USER:a", value_seat("1"));
	struct store_commit there = {.ops = &op_there, .n = 1, .now_ms = NOW};
	other.scope = item_scope_of(slice_str(elsewhere));
	assert_int_equal(store_commit(s->s, &there, on_commit, &other), OK);
	while (other.calls == 0) {
		run(s);
	}
	assert_int_equal(other.e, OK);
	assert_int_equal(early.calls, 0);
	until_replaced(s, master, bucket);
	assert_int_equal(kill(pid, SIGCONT), 0);
	drain(s);
	assert_int_equal(store_commit(s->s, &c, on_commit, &late), OK);
	drain(s);
	assert_int_equal(late.e, ERR_CONFLICT);
	store_load(s->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &found);
	drain(s);
	assert_int_equal(found.e, OK);
	assert_int_equal(found.n, 0);
}

static struct redis_run *replica_of(const struct redis_run *master)
{
	char answer[1024], port[32];
	unsigned i = 0;
	format_to(port, sizeof(port), "master_port:%d\r", master->port);
	do {
		redis_run_ask(&cluster.servers[i++], "INFO replication", answer, sizeof(answer));
	} while (strstr(answer, port) == NULL);
	return &cluster.servers[i - 1];
}

static uint64_t waits_missed(struct scene *s)
{
	struct store_status status;
	store_status(s->s, &status);
	return status.remote.waits_missed;
}

static struct answer seats_of_ada(struct scene *s)
{
	struct answer a = {.calls = 0};
	store_query(s->s,
		    &(struct store_query){.index = INDEX_BY_ACCOUNT,
					  .partition = SLICE("ada"),
					  .to = INT64_MAX,
					  .limit = 100},
		    on_query, &a);
	drain(s);
	assert_int_equal(a.e, OK);
	return a;
}

/* The room is at another master, which loses nothing: the list must not lack it. */
SCENE_TEST(a_room_is_acknowledged_when_a_replica_has_the_entries_that_lead_to_it, s)
{
	struct answer a = {.calls = 0};
	char pk[16], answer[64];
	open_cluster(s);
	struct redis_run *master = redis_cluster_master(&cluster, "{d}p");
	struct redis_run *replica = replica_of(master);
	room_elsewhere(master, pk);
	struct store_op op = op_put(pk, "USER:a", value_seat_of("1", "ada"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	a.scope = item_scope_of(op.pk);
	assert_int_equal(kill(replica->pid, SIGSTOP), 0);
	redis_run_ask(master, "CLIENT KILL TYPE replica", answer, sizeof(answer));
	assert_int_equal(store_commit(s->s, &c, on_commit, &a), OK);
	while (a.calls == 0 && waits_missed(s) == 0) {
		run(s);
	}
	redis_run_kill(master);
	assert_int_equal(kill(replica->pid, SIGCONT), 0);
	until_replaced(s, master, "{d}p");
	redis_cluster_rejoin(&cluster, master);
	drain(s);
	assert_int_equal(a.e, OK);
	assert_int_equal(seats_of_ada(s).n, 1);
}

/* ---- slots that move ---- */

/* Commits find a part of the keys, and wait. */
static void load_for_a_moment(void *arg)
{
	struct scene *s = arg;
	int64_t until_ms = s->poll.net.now_ms(&s->poll) + 300;
	while (s->poll.net.now_ms(&s->poll) < until_ms) {
		run(s);
	}
}

SCENE_TEST(a_slot_that_moves_under_load_is_followed, s)
{
	begin(s);
	for (unsigned i = 0; i < 3; i++) {
		struct redis_run *from = redis_cluster_master(&cluster, bucket);
		struct redis_run *to = another_master(from);
		redis_cluster_move_slot(&cluster, bucket, to, load_for_a_moment, s);
		chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
		assert_ptr_equal(redis_cluster_master(&cluster, bucket), to);
	}
	end(s);
}

SCENE_TEST(commits_stay_in_their_order_while_their_slot_moves, s)
{
	enum { COMMITS = 300 };
	static struct in_row commits[COMMITS];
	struct row row = {.answered = 0};
	open_cluster(s);
	for (unsigned i = 0; i < COMMITS; i++) {
		row_commit(s->s, &row, &commits[i], i, 2000);
		if (i == COMMITS / 3) {
			run(s);
			redis_cluster_move_slot(&cluster, bucket,
						another_master(
							redis_cluster_master(&cluster, bucket)),
						load_for_a_moment, s);
		}
	}
	drain(s);
	assert_int_equal(row.answered, COMMITS);
}

/* ---- one after another, by chance: AYE_STORM_ROUNDS of them ---- */

static void lose_master(struct scene *s, bool hangs, bool is_cut)
{
	char answer[64];
	struct redis_run *master = redis_cluster_master(&cluster, bucket);
	if (is_cut) {
		redis_run_ask(master, "CLIENT KILL TYPE replica", answer, sizeof(answer));
	}
	if (hangs) {
		assert_int_equal(kill(master->pid, SIGSTOP), 0);
		until_replaced(s, master, bucket);
		assert_int_equal(kill(master->pid, SIGCONT), 0);
	} else {
		redis_run_kill(master);
		until_replaced(s, master, bucket);
		redis_cluster_start_again(master);
	}
}

static void lose_replica(struct scene *s, bool hangs)
{
	struct redis_run *replica =
		redis_cluster_replica(&cluster, redis_cluster_master(&cluster, bucket));
	if (hangs) {
		assert_int_equal(kill(replica->pid, SIGSTOP), 0);
	} else {
		redis_run_kill(replica);
	}
	for (unsigned i = 0; i < 50; i++) {
		run(s);
	}
	if (hangs) {
		assert_int_equal(kill(replica->pid, SIGCONT), 0);
	} else {
		redis_cluster_start_again(replica);
	}
}

static void move_bucket(struct scene *s)
{
	struct redis_run *from = redis_cluster_master(&cluster, bucket);
	redis_cluster_move_slot(&cluster, bucket, another_master(from), load_for_a_moment, s);
}

SCENE_TEST(in_a_storm_nothing_acknowledged_is_lost_or_made_twice, s)
{
	const char *rounds = getenv("AYE_STORM_ROUNDS");
	unsigned long n = rounds == NULL ? 1 : strtoul(rounds, NULL, 10);
	begin(s);
	for (unsigned long i = 0; i < n; i++) {
		uint64_t chance = s->poll.net.random(&s->poll) >> 32;
		if (chance % 4 > 1) {
			lose_master(s, chance % 8 > 4, chance % 16 > 7);
		} else if (chance % 4 == 1) {
			lose_replica(s, chance % 8 > 3);
		} else {
			move_bucket(s);
		}
		chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
		redis_cluster_settle(&cluster);
	}
	end(s);
}

/* ---- the directory ---- */

static void nothing(void *arg)
{
	(void)arg;
}

SCENE_TEST(the_directory_moves_and_publications_follow, s)
{
	open_cluster(s);
	store_subscribe(s->s, on_told, s);
	publish(s);
	assert_int_equal(s->missed, 0);
	redis_cluster_move_slot(&cluster, "{d}p",
				another_master(redis_cluster_master(&cluster, "{d}p")), nothing, s);
	publish(s);
	publish(s);
	while (s->missed == 0) {
		run(s);
	}
	unsigned told = s->told, missed = s->missed;
	publish(s);
	assert_int_equal(s->told, told + 1);
	assert_int_equal(s->missed, missed);
}

SCENE_TEST(the_directorys_master_is_killed_and_publications_follow, s)
{
	open_cluster(s);
	store_subscribe(s->s, on_told, s);
	publish(s);
	struct redis_run *master = redis_cluster_master(&cluster, "{d}p");
	redis_run_kill(master);
	until_replaced(s, master, "{d}p");
	redis_cluster_rejoin(&cluster, master);
	publish(s);
	publish(s);
}

/* ---- several masters at once ---- */

SCENE_TEST(what_lies_on_all_masters_is_listed_in_order_and_checked, s)
{
	struct checking checked = {.parts = 0};
	open_cluster(s);
	put_rooms(s);
	assert_int_equal(seats_of_ada(s).n, ROOMS);
	do {
		store_check(s->s, slice_of(checked.cursor, checked.cursor_len), on_check, &checked);
		drain(s);
	} while (checked.e == OK && checked.cursor_len > 0);
	assert_int_equal(checked.e, OK);
	assert_int_equal(checked.entries, 2 * ROOMS); /* and those of the index */
	assert_string_equal(checked.lines, "");
}

SCENE_TEST(the_fullest_master_says_how_much_space_there_is, s)
{
	char answer[64];
	struct store_status status = {.state = STORE_OK};
	open_cluster(s);
	struct redis_run *master =
		another_master(redis_cluster_master(&cluster, "{d}p")); /* not the directory's */
	redis_run_ask(master, "CONFIG SET maxmemory 1mb", answer, sizeof(answer));
	while (status.state != STORE_NEARLY_FULL) {
		run(s);
		store_status(s->s, &status);
	}
	assert_int_equal(status.bytes_max, 1 << 20);
	redis_run_ask(master, "CONFIG SET maxmemory 0", answer, sizeof(answer));
}

SCENE_TEST(a_user_with_the_rights_that_are_needed_is_enough, s)
{
	char url[128], answer[64];
	for (unsigned i = 0; i < REDIS_CLUSTER_SERVERS; i++) {
		redis_run_ask(&cluster.servers[i], FIXTURE_USER " +wait +cluster|slots", answer,
			      sizeof(answer));
		assert_string_equal(answer, "+OK\r\n");
	}
	format_to(url, sizeof(url), "redis+cluster://team:pw@127.0.0.1:%d",
		  cluster.servers[0].port);
	open_at(s, url);
	chains_begin(&s->chains, s->s, &s->poll, "ROOM:A");
	end(s);
}

/* ---- a start while the cluster is down ---- */

/* Who waits for it, and says so; then the servers come back, or the time passes. */
struct waiting {
	struct scene *s;
	bool comes_back;
	unsigned told;
	bool loads; /* until then the cluster is down, or they do not even answer */
	struct redis_run *killed[2];
};

static void start_killed(struct waiting *w)
{
	for (unsigned i = 0; i < 2; i++) {
		redis_cluster_start_again(w->killed[i]);
	}
}

static void on_waiting(void *arg, struct slice line)
{
	struct waiting *w = arg;
	char text[256];
	format_to(text, sizeof(text), "%.*s", (int)line.len, line.data);
	if (strstr(text, "; waiting") == NULL) {
		return;
	}
	bool is_down = strstr(text, "is part of a cluster that is down") != NULL;
	bool is_loading = strstr(text, "is loading its data") != NULL ||
			  strstr(text, "did not answer in time") != NULL;
	/* A replica that starts again follows later. */
	bool is_behind = strstr(text, "too few replicas") != NULL;
	if (!is_down && !(w->loads && is_loading) && !(w->comes_back && is_behind)) {
		fail_msg("%s", text);
	}
	w->told++;
	if (w->comes_back && w->killed[0] != NULL) {
		start_killed(w);
	} else if (!w->comes_back) {
		w->s->poll.ahead_ms += 60000;
	}
}

/* A part of the slots has no server any more. */
static void kill_a_part(struct waiting *w)
{
	struct redis_run *master = another_master(redis_cluster_master(&cluster, "{d}p"));
	w->killed[0] = master;
	w->killed[1] = redis_cluster_replica(&cluster, master);
	redis_run_kill(w->killed[1]);
	redis_run_kill(w->killed[0]);
	redis_cluster_until_down(&cluster);
}

static enum err open_waiting(struct waiting *w)
{
	char url[REDIS_CLUSTER_URL_BYTES];
	struct redis_address address;
	redis_cluster_url(&cluster, "", url);
	assert_int_equal(redis_address_parse(url, &address, &w->s->why), OK);
	struct store_redis_options o = {.net = &w->s->poll.net,
					.address = &address,
					.owner = SLICE("ada"),
					.on_warning = on_waiting,
					.on_warning_arg = w};
	return store_open_redis(&o, &w->s->s, &w->s->why);
}

SCENE_TEST(a_cluster_that_is_down_at_the_start_is_waited_for, s)
{
	struct waiting w = {.s = s, .comes_back = true};
	kill_a_part(&w);
	enum err e = open_waiting(&w);
	assert_string_equal(e == OK ? "" : s->why.text, "");
	assert_in_range(w.told, 1, 3);
}

SCENE_TEST(a_cluster_that_stays_down_is_refused_with_what_to_do, s)
{
	struct waiting w = {.s = s};
	kill_a_part(&w);
	assert_int_equal(open_waiting(&w), ERR_IO);
	assert_int_equal(w.told, 1);
	assert_non_null(strstr(s->why.text, "redis-cli --cluster check"));
	start_killed(&w);
}

SCENE_TEST(servers_that_load_at_the_start_are_waited_for, s)
{
	struct waiting w = {.s = s, .comes_back = true, .loads = true};
	open_cluster(s);
	put_rooms(s);
	close_again(s);
	redis_cluster_load_again(&cluster, 3000);
	enum err e = open_waiting(&w);
	redis_cluster_load_fast(&cluster);
	assert_string_equal(e == OK ? "" : s->why.text, "");
	assert_in_range(w.told, 1, 4); /* of each master, and of replicas that follow later */
}

SCENE_TEST(servers_that_are_no_cluster_are_told, s)
{
	struct redis_run one;
	char url[64];
	redis_run_lay(&one);
	redis_run_start(&one, NULL);
	format_to(url, sizeof(url), "redis+cluster://127.0.0.1:%d", one.port);
	assert_int_equal(try_open(s, url), ERR_IO);
	redis_run_clear(&one);
	assert_non_null(strstr(s->why.text, "does not know the masters of all slots"));
}

/* ---- copies: all masters are read, or filled ---- */

static void open_to(struct scene *s, enum store_redis_use use)
{
	char url[REDIS_CLUSTER_URL_BYTES];
	redis_cluster_url(&cluster, "", url);
	enum err e = try_open_to(s, use, url);
	assert_string_equal(e == OK ? "" : s->why.text, "");
}

/* Which rooms a walk has found so far, and where it goes on. */
struct walked {
	bool has[ROOMS];
	unsigned parts; /* that were answered */
	enum err e;
	char cursor[STORE_CURSOR_BYTES_MAX];
	size_t cursor_len;
};

static void on_walked(void *arg, enum err e, const struct store_item *items, size_t n,
		      struct slice next, bool is_partial)
{
	struct walked *w = arg;
	(void)is_partial;
	w->parts++;
	w->e = e;
	for (size_t i = 0; i < n; i++) {
		const char *digits = items[i].pk.data + strlen("ROOM:R");
		unsigned nth = 10U * (unsigned)(digits[0] - '0') + (unsigned)(digits[1] - '0');
		assert_in_range(nth, 0, ROOMS - 1);
		w->has[nth] = true;
	}
	w->cursor_len = next.len;
	memcpy(w->cursor, next.len == 0 ? "" : next.data, next.len);
}

static void walk_on(struct scene *s, struct walked *w)
{
	store_partitions(s->s, slice_of(w->cursor, w->cursor_len), on_walked, w);
	drain(s);
	assert_int_equal(w->e, OK);
}

static unsigned walked_rooms(const struct walked *w)
{
	unsigned n = 0;
	for (unsigned i = 0; i < ROOMS; i++) {
		n += w->has[i];
	}
	return n;
}

/* A key of the first room that was found, or was not. */
static void key_of_room(const struct walked *w, bool is_found, char key[16])
{
	char pk[16];
	unsigned i = 0;
	while (w->has[i] != is_found) {
		i++;
	}
	format_to(pk, sizeof(pk), "ROOM:R%02u", i);
	format_to(key, 16, "{b%u}v", item_scope_of(slice_str(pk)));
}

/* From a master that is still to be asked to one that has been. */
SCENE_TEST(what_moves_behind_a_walks_back_is_found, s)
{
	struct walked w = {.e = OK};
	char found[16], other[16];
	open_cluster(s);
	put_rooms(s);
	close_again(s);
	open_to(s, STORE_REDIS_READ);
	walk_on(s, &w);
	assert_in_range(walked_rooms(&w), 1, ROOMS - 1);
	key_of_room(&w, true, found);
	key_of_room(&w, false, other);
	redis_cluster_move_slot(&cluster, other, redis_cluster_master(&cluster, found), nothing, s);
	while (w.cursor_len > 0) {
		walk_on(s, &w);
	}
	assert_int_equal(walked_rooms(&w), ROOMS);
}

/*
 * The same while the slot is still on the move: its keys are where the walk has been, and its master is the one that is
 * still to be asked. What follows is the last part of the walk.
 */
static struct redis_move walk_past_a_move(struct scene *s, struct walked *w)
{
	char found[16], other[16];
	open_cluster(s);
	put_rooms(s);
	close_again(s);
	open_to(s, STORE_REDIS_READ);
	walk_on(s, w);
	key_of_room(w, true, found);
	key_of_room(w, false, other);
	struct redis_move move =
		redis_cluster_begin_move(&cluster, other, redis_cluster_master(&cluster, found));
	walk_on(s, w);
	walk_on(s, w);
	assert_in_range(walked_rooms(w), 1, ROOMS - 1);
	store_partitions(s->s, slice_of(w->cursor, w->cursor_len), on_walked, w);
	load_for_a_moment(s);
	return move;
}

SCENE_TEST(a_walk_ends_only_when_no_slot_is_on_the_move, s)
{
	struct walked w = {.e = OK};
	struct redis_move move = walk_past_a_move(s, &w);
	unsigned parts = w.parts;
	redis_cluster_end_move(&cluster, &move);
	assert_int_equal(parts, 3);
	drain(s);
	while (w.e == OK && w.cursor_len > 0) {
		walk_on(s, &w);
	}
	assert_int_equal(walked_rooms(&w), ROOMS);
}

SCENE_TEST(a_walk_beside_a_slot_that_is_long_on_the_move_says_so, s)
{
	struct walked w = {.e = OK};
	struct redis_move move = walk_past_a_move(s, &w);
	s->poll.ahead_ms += 10500;
	drain(s);
	redis_cluster_end_move(&cluster, &move);
	assert_int_equal(w.e, ERR_BUSY);
}

SCENE_TEST(an_unfinished_copy_is_refused_and_begun_again_on_all_masters, s)
{
	static const enum store_redis_use others[] = {STORE_REDIS_SERVE, STORE_REDIS_READ,
						      STORE_REDIS_COPY_FROM};
	char url[REDIS_CLUSTER_URL_BYTES];
	struct walked w = {.e = OK};
	redis_cluster_url(&cluster, "", url);
	open_to(s, STORE_REDIS_COPY_TO);
	put_rooms(s);
	close_again(s);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(try_open_to(s, others[i], url), ERR_CONFLICT);
		assert_non_null(strstr(s->why.text, "has an unfinished copy"));
	}
	open_to(s, STORE_REDIS_COPY_TO);
	do {
		walk_on(s, &w);
	} while (w.cursor_len > 0);
	assert_int_equal(walked_rooms(&w), 0);
	put_rooms(s);
	assert_int_equal(store_redis_finish_copy(s->s, SLICE("ada"), &s->why), OK);
	close_again(s);
	assert_int_equal(try_open_to(s, STORE_REDIS_COPY_TO, url), ERR_CONFLICT);
	assert_non_null(strstr(s->why.text, "already has data"));
	open_to(s, STORE_REDIS_COPY_FROM);
	do {
		walk_on(s, &w);
	} while (w.cursor_len > 0);
	assert_int_equal(walked_rooms(&w), ROOMS);
}
