/*
 * test_redis_table.c - the table on Redis when Redis ends, hangs, is full, or is not one that could have
 * it; and what only this engine keeps.
 */
#include "chains.h"
#include "place.h"

#include "tests/support/heap.h"
#include "tests/support/redis_fake.h"

/* ---- a server that ends ---- */

#define KILLS	  4
#define LIFE_ACKS 400

PLACE_TEST(killed_under_load_nothing_acknowledged_is_lost_or_done_twice, p)
{
	static struct chains c;
	place_open(p, with_files);
	chains_begin(&c, p->s, &p->poll, "ROOM:A");
	for (unsigned n = 1; n <= KILLS; n++) {
		chains_until(&c, n * LIFE_ACKS);
		store_flush(p->s); /* commits are under way */
		redis_run_kill(&p->server);
		redis_run_start(&p->server, with_files);
	}
	chains_until(&c, (KILLS + 1) * LIFE_ACKS);
	chains_end(&c);
}

PLACE_TEST(a_commit_whose_entries_are_written_first_is_not_overtaken, p)
{
	struct row row = {.answered = 0};
	struct in_row commits[2] = {{&row, 0}, {&row, 1}};
	place_open(p, NULL);
	for (unsigned i = 0; i < 2; i++) {
		struct store_op op =
			op_put("ROOM:A", "USER:a",
			       value_seat_of(i == 0 ? "1" : "2", i == 0 ? "ada" : NULL));
		struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
		assert_int_equal(store_commit(p->s, &c, on_in_row, &commits[i]), OK);
	}
	drain(p);
	assert_int_equal(row.answered, 2);
	assert_int_equal(seats_of(p, "ada").n, 0);
}

/* More than the socket takes: some were sent, some not. */
PLACE_TEST(commits_stay_in_their_order_over_a_lost_connection, p)
{
	enum { COMMITS = 200 };
	struct row row = {.answered = 0};
	struct in_row commits[COMMITS];
	place_open(p, with_files);
	assert_int_equal(kill(p->server.pid, SIGSTOP), 0);
	for (unsigned i = 0; i < COMMITS; i++) {
		row_commit(p->s, &row, &commits[i], i, 20000);
		if (i == COMMITS / 2) { /* the others are called when it is gone */
			redis_run_kill(&p->server);
			p->poll.net.run(&p->poll);
		}
	}
	redis_run_start(&p->server, with_files);
	drain(p);
	assert_int_equal(row.answered, COMMITS);
}

PLACE_TEST(a_server_that_loads_is_waited_for, p)
{
	/* Three seconds for 300 keys; connections are looked at for each kilobyte of the file. */
	static const char *const slow[] = {"--key-load-delay", "10000",
					   "--loading-process-events-interval-bytes", "1024", NULL};
	static const char *const plain[] = {"--rdbcompression", "no", NULL};
	struct answer a = {.scope = item_scope_of(SLICE("ROOM:A"))};
	struct store_op op = op_put("ROOM:A", "USER:b", value_seat("2"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, plain);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	(void)ask(p,
		  "EVAL \"for i = 1, 300 do redis.call('SET', 'k' .. i, ('x'):rep(100)) end\" 0");
	assert_string_equal(ask(p, "SAVE"), "+OK\r\n");
	redis_run_kill(&p->server);
	(void)unlink(p->server.socket);
	redis_run_spawn(&p->server, slow);
	op.value = value_seat("2");
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	do {
		(void)store_poll(p->s);
		p->poll.net.run(&p->poll);
	} while (access(p->server.socket, F_OK) != 0);
	assert_string_equal(ask(p, "GET k1"),
			    "-LOADING Redis is loading the dataset in memory\r\n");
	assert_int_equal(a.calls, 0);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1 USER:b=2@2");
}

PLACE_TEST(what_waits_for_a_server_that_is_gone_ends_in_time, p)
{
	struct answer loaded = {.calls = 0}, committed = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, NULL);
	redis_run_kill(&p->server);
	while (store_poll(p->s)) {
	}
	p->poll.net.run(&p->poll); /* that it is gone */
	assert_int_equal(store_commit(p->s, &c, on_commit, &committed), OK);
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &loaded);
	store_flush(p->s);
	p->poll.ahead_ms += 10500;
	while (loaded.calls == 0) {
		p->poll.net.run(&p->poll);
		(void)store_poll(p->s);
	}
	assert_int_equal(loaded.e, ERR_IO);
	assert_int_equal(committed.calls, 0);
	p->poll.ahead_ms += 20500;
	drain(p);
	assert_int_equal(committed.e, ERR_IO); /* it was never sent */
}

/* Tokens of the last 2 minutes are most of what SCAN visits. */
PLACE_TEST(a_part_of_the_partitions_may_have_none, p)
{
	struct answer part = {.calls = 0};
	size_t found = 0, parts = 0;
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	(void)ask(p, "EVAL \"for i = 1, 5000 do redis.call('SET', '{d}t:' .. i, '') end\" 0");
	do {
		store_partitions(p->s, slice_of((const char *)part.cursor, part.cursor_len),
				 on_query, &part);
		drain(p);
		assert_int_equal(part.e, OK);
		found += part.n;
		parts++;
	} while (part.cursor_len > 0);
	assert_true(parts > 1);
	assert_int_equal(found, 1);
}

/* The server hangs for longer than a commit is waited for. */
static void give_up(struct place *p, const struct store_commit *c)
{
	struct answer a = {.calls = 0};
	assert_int_equal(kill(p->server.pid, SIGSTOP), 0);
	assert_int_equal(store_commit(p->s, c, on_commit, &a), OK);
	store_flush(p->s);
	p->poll.net.run(&p->poll);
	p->poll.ahead_ms += 30500;
	drain(p);
	assert_int_equal(a.e, ERR_UNKNOWN);
}

/* The command was in the buffers of the server: it runs before what is called since. */
PLACE_TEST(a_commit_whose_answer_never_comes_is_unknown_and_the_engine_goes_on, p)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	struct store_status status;
	place_open(p, NULL);
	give_up(p, &c);
	store_status(p->s, &status);
	assert_true(status.state != STORE_BROKEN);
	assert_int_equal(kill(p->server.pid, SIGCONT), 0);
	assert_string_equal(load_room(p, "ROOM:A").text,
			    "USER:a=1@0"); /* by no commit known here */
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat("2"))).e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@0 USER:b=2@1");
	store_status(p->s, &status);
	assert_int_equal(status.state, STORE_OK);
}

/* As where the network lets it through at last: it comes when the room was read without it. */
PLACE_TEST(a_commit_that_was_given_up_is_not_made_when_it_comes_at_last, p)
{
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.token = token_of(7), .ops = &op, .n = 1, .now_ms = NOW};
	struct answer late = {.calls = 0};
	place_open(p, with_files);
	give_up(p, &c);
	redis_run_kill(&p->server); /* and what was in its buffers is gone */
	redis_run_start(&p->server, with_files);
	assert_string_equal(load_room(p, "ROOM:A").text, "");
	assert_int_equal(store_commit(p->s, &c, on_commit, &late), OK);
	drain(p);
	assert_int_equal(late.e, ERR_CONFLICT);
	assert_string_equal(load_room(p, "ROOM:A").text, "");
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat("2"))).e, OK);
}

PLACE_TEST(a_server_that_hung_is_asked_again_and_a_commit_is_made_once, p)
{
	struct answer a = {.calls = 0};
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, NULL);
	op.expect = STORE_EXPECT_ABSENT;
	a.scope = item_scope_of(op.pk);
	assert_int_equal(kill(p->server.pid, SIGSTOP), 0);
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	store_flush(p->s);
	p->poll.ahead_ms += 6000; /* it is silent for longer than it may be */
	for (int i = 0; i < 3; i++) {
		p->poll.net.run(&p->poll);
	}
	assert_int_equal(a.calls, 0);
	assert_int_equal(kill(p->server.pid, SIGCONT), 0);
	drain(p);
	assert_int_equal(a.e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:a=1@1");
}

/* ---- a server that is full ---- */

static void wait_for_state(struct place *p, enum store_state state)
{
	struct store_status status;
	do {
		p->poll.net.run(&p->poll);
		store_status(p->s, &status);
	} while (status.state != state);
}

PLACE_TEST(while_redis_is_full_only_deletes_are_made, p)
{
	struct store_status status = {.state = STORE_OK};
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat("1"))).e, OK);
	(void)ask(p, "CONFIG SET maxmemory 1mb");
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:c", value_seat("1"))).e, ERR_FULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:d", value_seat_of("1", "ada"))).e,
			 ERR_FULL);
	assert_int_equal(commit_one(p, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, OK);
	assert_string_equal(load_room(p, "ROOM:A").text, "USER:b=1@2");
	wait_for_state(p, STORE_NEARLY_FULL);
	store_status(p->s, &status);
	assert_int_equal(status.bytes_max, 1 << 20);
	(void)ask(p, "CONFIG SET maxmemory 0");
	wait_for_state(p, STORE_OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:c", value_seat("1"))).e, OK);
}

/* So that its memory is used to this percentage; what connections take comes and goes. */
static void set_used(struct place *p, unsigned percent)
{
	char command[64];
	const char *used = strstr(ask(p, "INFO memory"), "used_memory:");
	assert_non_null(used);
	format_to(command, sizeof(command), "CONFIG SET maxmemory %llu",
		  strtoull(used + strlen("used_memory:"), NULL, 10) * 100 / percent);
	(void)ask(p, command);
}

PLACE_TEST(before_redis_is_full_new_items_are_refused_kind_by_kind, p)
{
	place_open(p, NULL);
	struct asker_item asker = {.created_on = NOW, .updated_on = NOW, .open_questions = 1};
	struct store_op room = op_put("ROOM:A", "USER:a", value_seat("1"));
	assert_int_equal(commit_one(p, room).e, OK);
	(void)ask(p, "SETRANGE filler 50000000 x");
	set_used(p, 75);
	wait_for_state(p, STORE_RESERVING);
	room.sk = SLICE("USER:b");
	room.value = value_seat("1");
	assert_int_equal(commit_one(p, room).e, OK);
	struct store_op question =
		op_put("ASKER:ada", "ASKER", value_of(&record_asker_item, &asker));
	assert_int_equal(commit_one(p, question).e, ERR_FULL);
	set_used(p, 90);
	wait_for_state(p, STORE_NEARLY_FULL);
	room.value = value_seat("2");
	assert_int_equal(commit_one(p, room).e, OK);
	room.sk = SLICE("USER:c");
	assert_int_equal(commit_one(p, room).e, ERR_FULL);
}

/* ---- entries of rooms' items in the directory ---- */

PLACE_TEST(an_entry_without_its_item_is_shown_to_nobody_and_goes_after_its_minute, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	assert_int_equal(seats_of(p, "ada").n, 1);
	assert_int_equal(commit_one(p, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, OK);
	assert_int_equal(seats_of(p, "ada").n, 0);
	assert_int_equal(seats_of(p, "ada").n, 0);
	assert_string_equal(ask(p, "ZCARD {d}x:SeatsOfUser"), ":1\r\n");
	(void)ask(p, "DEL {d}a"); /* as after a minute */
	assert_int_equal(seats_of(p, "ada").n, 0);
	assert_int_equal(seats_of(p, "ada").n, 0); /* by then the removal was made */
	assert_int_equal(commit_one(p, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, OK);
	assert_string_equal(ask(p, "ZCARD {d}x:SeatsOfUser"), ":0\r\n");
}

PLACE_TEST(a_vote_that_changes_no_entry_writes_none, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	(void)ask(p, "DEL {d}a");
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("2", "ada"))).e,
			 OK);
	assert_string_equal(ask(p, "EXISTS {d}a"), ":0\r\n");
	p->poll.ahead_ms += 21000; /* it is not known for longer than that */
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("3", "ada"))).e,
			 OK);
	assert_string_equal(ask(p, "EXISTS {d}a"), ":1\r\n");
}

/* ---- versions ---- */

PLACE_TEST(versions_ascend_although_the_clock_was_set_back, p)
{
	char command[256];
	place_open(p, NULL);
	format_to(command, sizeof(command),
		  "EVAL \"redis.call('SET', KEYS[1], struct.pack('>I8', 4e15)) return 1\" 1 {b%u}v",
		  item_scope_of(SLICE("ROOM:A")));
	(void)ask(p, command); /* the last commit was made in the year 2096 */
	struct answer a = commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1")));
	assert_true(a.version == UINT64_C(4000000000000001));
	a = commit_one(p, op_put("ROOM:A", "USER:a", value_seat("2")));
	assert_true(a.version == UINT64_C(4000000000000002));
	assert_true(load_room(p, "ROOM:A").version == a.version);
	assert_true(commit_one(p, op_put("ROOM:B", "USER:a", value_seat("1"))).version <
		    UINT64_C(4000000000000000));
}

/* ---- damage ---- */

/* A command about a key of the room's bucket. */
static void ask_scoped(struct place *p, const char *word, const char *key, const char *pk)
{
	char command[256];
	format_to(command, sizeof(command), "%s {b%u}%s", word, item_scope_of(slice_str(pk)), key);
	(void)ask(p, command);
}

PLACE_TEST(a_check_finds_what_readers_would_miss, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat("1"))).e, OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "ONCE#b", value_once(5, 4))).e, OK);
	assert_string_equal(problems(p), "");
	ask_scoped(p, "ZREM", "o:ROOM:A USER:a", "ROOM:A");
	assert_string_equal(problems(p), "item ROOM:A USER:a: is missing from its partition\n");
	ask_scoped(p, "ZADD", "o:ROOM:A 0 USER:a", "ROOM:A");
	ask_scoped(p, "DEL", "x:ByExpiry", "ROOM:A");
	assert_string_equal(problems(p), "item ROOM:A ONCE#b: is missing from an index\n");
	ask_scoped(p, "HDEL", "i:ROOM:A ONCE#b", "ROOM:A");
	ask_scoped(p, "HSET", "i:ROOM:A USER:a garbage-of-more-than-twenty-bytes", "ROOM:A");
	ask_scoped(p, "ZREM", "o:ROOM:A ONCE#b", "ROOM:A");
	assert_string_equal(problems(p), "item ROOM:A USER:a: the checksum does not match\n");
	assert_int_equal(load_room(p, "ROOM:A").e, ERR_CORRUPT);
}

/* An entry of a room's item is in the directory, without anything that would tell at the item. */
PLACE_TEST(a_check_finds_items_that_the_directory_does_not_list, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat_of("1", "bob"))).e,
			 OK);
	assert_string_equal(problems(p), "");
	(void)ask(p, "ZREMRANGEBYRANK {d}x:SeatsOfUser 0 0");
	assert_string_equal(problems(p), "item ROOM:A USER:a: is missing from an index\n");
}

PLACE_TEST(a_check_finds_what_lists_an_item_that_does_not_exist, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "ONCE#b", value_once(5, 4))).e, OK);
	/* Left behind a room's item: that is as it should be. */
	assert_int_equal(commit_one(p, op_of(STORE_DELETE, "ROOM:A", "USER:a")).e, OK);
	assert_string_equal(ask(p, "ZCARD {d}x:SeatsOfUser"), ":1\r\n");
	assert_string_equal(problems(p), "");
	ask_scoped(p, "HDEL", "i:ROOM:A ONCE#b", "ROOM:A");
	assert_string_equal(problems(p),
			    "partition ROOM:A ONCE#b: lists an item that does not exist\n"
			    "ByExpiry ROOM:A ONCE#b: points to no item\n");
	ask_scoped(p, "DEL", "o:ROOM:A", "ROOM:A");
	assert_string_equal(problems(p), "ByExpiry ROOM:A ONCE#b: points to no item\n");
	ask_scoped(p, "DEL", "x:ByExpiry", "ROOM:A");
	assert_string_equal(problems(p), "");
	ask_scoped(p, "ZADD", "x:ByExpiry 0 x", "ROOM:A");
	assert_string_equal(problems(p), "ByExpiry  : has an entry that is damaged\n");
}

/* Pages of an index, and entries that the directory has of items of rooms: more than a part or a script takes. */
PLACE_TEST(a_check_of_many_entries_sees_them_all, p)
{
	enum { MANY = 1500 };
	struct checking k = {.parts = 0};
	char sk[32];
	place_open(p, NULL);
	for (int i = 0; i < MANY; i++) {
		format_to(sk, sizeof(sk), "USER:%04d", i);
		assert_int_equal(commit_one(p, op_put("ROOM:A", sk, value_seat_of("1", "ada"))).e,
				 OK);
		format_to(sk, sizeof(sk), "ONCE#%04d", i);
		assert_int_equal(commit_one(p, op_put("ROOM:A", sk, value_once(5, 4))).e, OK);
	}
	do {
		store_check(p->s, slice_of(k.cursor, k.cursor_len), on_check, &k);
		drain(p);
	} while (k.e == OK && k.cursor_len > 0);
	assert_int_equal(k.e, OK);
	assert_string_equal(k.lines, "");
	assert_int_equal(k.items, 2 * MANY);
	assert_int_equal(k.entries, 4 * MANY); /* and as many of indexes */
	(void)ask(p, "ZREMRANGEBYRANK {d}x:SeatsOfUser 1200 1201");
	ask_scoped(p, "HDEL", "i:ROOM:A ONCE#0000 ONCE#1499", "ROOM:A");
	ask_scoped(p, "ZREM", "o:ROOM:A ONCE#0000 ONCE#1499", "ROOM:A");
	k = (struct checking){.parts = 0};
	do {
		store_check(p->s, slice_of(k.cursor, k.cursor_len), on_check, &k);
		drain(p);
	} while (k.e == OK && k.cursor_len > 0);
	assert_int_equal(k.problems, 4);
}

PLACE_TEST(a_damaged_item_keeps_no_others_of_an_index, p)
{
	place_open(p, NULL);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:a", value_seat_of("1", "ada"))).e,
			 OK);
	assert_int_equal(commit_one(p, op_put("ROOM:A", "USER:b", value_seat_of("1", "ada"))).e,
			 OK);
	ask_scoped(p, "HSET", "i:ROOM:A USER:a garbage", "ROOM:A");
	struct answer a = seats_of(p, "ada");
	assert_int_equal(a.e, OK);
	assert_int_equal(a.n, 2);
	assert_true(a.is_partial);
}

/* ---- publications ---- */

/* Neither the 30 s of a commit nor the 10 s of a read: some pass on the clock, and none is left to wait for. */
PLACE_TEST(in_a_hurry_a_server_that_hangs_is_not_waited_for, p)
{
	struct answer made = {.scope = item_scope_of(SLICE("ROOM:A"))}, read = made, late = made;
	struct store_op op = op_put("ROOM:A", "USER:a", value_seat("1"));
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	place_open(p, with_files);
	assert_int_equal(kill(p->server.pid, SIGSTOP), 0);
	assert_int_equal(store_commit(p->s, &c, on_commit, &made), OK);
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &read);
	store_flush(p->s);
	store_redis_hurry(p->s);
	p->poll.ahead_ms += 2000;
	drain(p);
	assert_int_equal(made.e, ERR_UNKNOWN);
	assert_int_equal(read.e, ERR_IO);
	store_load(p->s, &(struct store_load){.pk = SLICE("ROOM:A")}, on_items, &late);
	drain(p);
	assert_int_equal(late.e, ERR_CLOSED);
	place_close(p);
	assert_int_equal(kill(p->server.pid, SIGCONT), 0);
}

PLACE_TEST(what_is_published_while_the_connection_is_lost_is_told_as_missed, p)
{
	struct heard h = {0};
	place_open(p, NULL);
	store_subscribe(p->s, on_heard, &h);
	(void)ask(p, "CLIENT KILL TYPE pubsub");
	(void)ask(p, "INCR {d}p");
	(void)ask(p, "INCR {d}p");
	while (h.number < 2) {
		(void)store_poll(p->s);
		p->poll.net.run(&p->poll);
	}
	assert_int_equal(h.missed, 1);
	(void)ask(p, "EVAL \"return redis.call('SPUBLISH', '{d}c', "
		     "struct.pack('>I8', redis.call('INCR', '{d}p')) .. 'body')\" 0");
	while (h.number < 3) {
		(void)store_poll(p->s);
		p->poll.net.run(&p->poll);
	}
	assert_int_equal(h.others, 1);
}

static void publish(struct place *p, struct answer *a)
{
	struct store_op op = op_of(STORE_DELETE, "ASKER:ada", "ASKER");
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("body")};
	assert_int_equal(store_commit(p->s, &c, on_commit, a), OK);
}

static void hear(struct place *p, struct heard *h, unsigned others)
{
	while (h->others < others) {
		(void)store_poll(p->s);
		p->poll.net.run(&p->poll);
	}
}

static void on_heard_anew(void *arg, uint64_t number, struct slice body)
{
	struct heard *h = arg;
	h->number = number;
	h->missed += body.len == 0;
	h->others += body.len > 0;
}

/* Channels are of the whole server. */
PLACE_TEST(what_another_database_publishes_is_not_heard, p)
{
	struct heard h = {0};
	struct answer a = {.scope = ITEM_SCOPE_DIRECTORY};
	place_open(p, NULL);
	store_subscribe(p->s, on_heard_anew, &h);
	struct store *first = p->s;
	assert_int_equal(place_open_as(p, "", "?volatile=1&db=1", ""), OK);
	for (unsigned i = 0; i < 3; i++) {
		publish(p, &a);
		drain(p);
	}
	store_close(p->s);
	p->s = first;
	fixture_forget_commits();
	publish(p, &a);
	drain(p);
	assert_int_equal(h.missed, 0);
	assert_int_equal(h.others, 1);
	assert_int_equal(h.number, 1);
}

PLACE_TEST(a_redis_that_counts_from_less_is_heard_all_the_same, p)
{
	struct heard h = {0};
	struct answer a = {.scope = ITEM_SCOPE_DIRECTORY};
	place_open(p, NULL);
	store_subscribe(p->s, on_heard_anew, &h);
	for (unsigned i = 1; i <= 3; i++) {
		publish(p, &a);
		hear(p, &h, i);
	}
	assert_int_equal(h.missed, 0);
	redis_run_kill(&p->server); /* it keeps nothing */
	redis_run_start(&p->server, NULL);
	while (h.missed == 0) {
		(void)store_poll(p->s);
		p->poll.net.run(&p->poll);
	}
	assert_int_equal(h.number, 0);
	publish(p, &a);
	hear(p, &h, 4);
	assert_int_equal(h.number, 1);
	drain(p);
	assert_int_equal(a.e, OK);
}
