/*
 * test_redis_link.c - one connection to Redis: the greeting, rests, subscriptions, and how it ends.
 */
#include "link_kit.h"

#include "tests/support/heap_test.h"

/* ---- the greeting ---- */

LINK_TEST(test_the_greeting_is_one_write_and_commands_wait_for_its_end, f)
{
	struct asked a = {0};
	memcpy(f->address.user, "ada", 4);
	memcpy(f->address.password, "pw", 3);
	f->address.database = 3;
	f->config.scripts = scripts;
	f->config.scripts_n = 2;
	fake_begin(f);
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	assert_int_equal(redis_link_greeted(f->link), REDIS_END_UNSENT);
	fake_open(f);
	fake_hear(f);
	assert_heard(f, "HELLO 2 AUTH ada pw SETNAME ayed\nSELECT 3\nSCRIPT LOAD return 1\n"
			"SCRIPT LOAD return 2\nPING\n");
	assert_false(redis_link_is_ready(f->link));
	const char *replies[] = {"$2\r\nhi\r\n", NULL};
	f->replies = replies;
	fake_deliver(f, 1);
	fake_talk(f);
	assert_heard(f, "GET\n");
	assert_ended(&a, OK, "hi");
	assert_true(redis_link_is_ready(f->link));
	assert_int_equal(redis_link_greeted(f->link), REDIS_END_OK);
	assert_string_equal(redis_link_server(f->link)->version, "7.0.15");
	assert_int_equal(redis_link_server(f->link)->major, 7);
	assert_true(redis_link_server(f->link)->is_master);
	assert_int_equal(f->changes, 1);
	assert_string_equal(redis_link_why(f->link), "");
}

LINK_TEST(test_a_password_alone_is_that_of_the_default_user, f)
{
	memcpy(f->address.password, "pw", 3);
	fake_begin(f);
	fake_open(f);
	fake_hear(f);
	assert_heard(f, "HELLO 2 AUTH default pw SETNAME ayed\nPING\n");
}

/* Whatever refuses the greeting: the link rests and tries again, and what waits survives. */
LINK_TEST(test_a_greeting_that_is_refused_is_tried_again, f)
{
	static const struct {
		const char *word, *reply, *why;
		enum redis_end end;
	} rows[] = {
		{"HELLO", "-WRONGPASS invalid username-password pair or user is disabled.\r\n",
		 "redis://h:6379/0 does not accept the user or the password: WRONGPASS invalid "
		 "username-password pair or user is disabled.",
		 REDIS_END_WRONGPASS},
		{"HELLO", "-NOAUTH HELLO must be called with the client already authenticated\r\n",
		 "redis://h:6379/0 requires a password: NOAUTH HELLO must be called with the "
		 "client already authenticated",
		 REDIS_END_NOAUTH},
		{"HELLO", "-ERR max number of clients reached\r\n",
		 "redis://h:6379/0 refused the command: ERR max number of clients reached",
		 REDIS_END_REFUSED},
		/* old ones repeat what they were sent, the password too */
		{"HELLO", "-ERR unknown command `HELLO`, with args beginning with: `2`, `AUTH`\r\n",
		 "redis://h:6379/0 refused the command", REDIS_END_REFUSED},
		{"HELLO", "-ERR what is sesame\r\n", "redis://h:6379/0 refused the command",
		 REDIS_END_REFUSED},
		{"HELLO", "-ERR \x1b[2J\xc3\xa4\r\n",
		 "redis://h:6379/0 refused the command: ERR ?[2J??", REDIS_END_REFUSED},
		{"HELLO", "+OK\r\n", "redis://h:6379/0 does not speak the protocol of Redis",
		 REDIS_END_LOST},
		{"HELLO", "*2\r\n$7\r\nversion\r\n$1\r\nx\r\n",
		 "redis://h:6379/0 does not speak the protocol of Redis", REDIS_END_LOST},
		{"SCRIPT",
		 "-NOPERM this user has no permissions to run the 'script|load' command\r\n",
		 "redis://h:6379/0 denies the user a command or a key: NOPERM this user has no "
		 "permissions to run the 'script|load' command",
		 REDIS_END_NOPERM},
		{"SCRIPT", "$1\r\nx\r\n", "redis://h:6379/0 does not speak the protocol of Redis",
		 REDIS_END_LOST},
		{"PING", "-LOADING Redis is loading the dataset in memory\r\n",
		 "redis://h:6379/0 is loading its data: LOADING Redis is loading the dataset in "
		 "memory",
		 REDIS_END_LOADING},
		{"PING", "-MASTERDOWN Link with MASTER is down\r\n",
		 "redis://h:6379/0 is a replica that has lost its master: MASTERDOWN Link with "
		 "MASTER is down",
		 REDIS_END_MASTERDOWN},
	};
	struct asked a = {0};
	const char *replies[] = {"+OK\r\n", NULL};
	memcpy(f->address.password, "sesame", 7);
	f->config.scripts = scripts;
	f->config.scripts_n = 1;
	f->replies = replies;
	fake_begin(f);
	ask(f, &a, "SET");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f->instead[0] = (struct fake_instead){rows[i].word, rows[i].reply};
		fake_open(f);
		fake_talk(f);
		assert_false(f->is_open);
		assert_string_equal(redis_link_why(f->link), rows[i].why);
		assert_int_equal(redis_link_greeted(f->link), rows[i].end);
		assert_int_equal(a.times, 0);
		fake_pass(f, REDIS_REST_MS_MAX);
	}
	assert_int_equal(f->changes, sizeof(rows) / sizeof(rows[0]));
	f->instead[0] = (struct fake_instead){0};
	fake_greet(f);
	assert_ended(&a, OK, "OK");
}

LINK_TEST(test_a_replica_is_refused_where_a_master_is_needed, f)
{
	f->config.needs_master = true;
	f->instead[0] = (struct fake_instead){
		"HELLO", "*4\r\n$4\r\nrole\r\n$7\r\nreplica\r\n$7\r\nversion\r\n$5\r\n7.0.1\r\n"};
	fake_begin(f);
	fake_open(f);
	fake_talk(f);
	assert_false(f->is_open);
	assert_int_equal(redis_link_greeted(f->link), REDIS_END_READONLY);
	assert_string_equal(redis_link_why(f->link),
			    "redis://h:6379/0 is a replica, not the master");
	f->config.needs_master = false;
	redis_link_destroy(f->link);
	fake_greet(f);
	assert_false(redis_link_server(f->link)->is_master);
}

LINK_TEST(test_a_greeting_that_takes_too_long_ends, f)
{
	fake_begin(f);
	fake_pass(f, REDIS_GREETING_MS - 1);
	assert_true(f->is_opening);
	fake_pass(f, 1);
	assert_false(f->is_opening);
	assert_string_equal(redis_link_why(f->link), "redis://h:6379/0 did not answer in time");
	fake_pass(f, REDIS_REST_MS);
	fake_open(f); /* and now the server is there, but says nothing */
	fake_pass(f, REDIS_GREETING_MS);
	assert_false(f->is_open);
	assert_int_equal(redis_link_greeted(f->link), REDIS_END_LATE);
}

/* ---- rests ---- */

LINK_TEST(test_rests_are_doubled_half_of_each_is_chance_and_they_have_a_bound, f)
{
	fake_begin(f);
	for (int64_t ms = REDIS_REST_MS, i = 0; i < 10; i++) {
		f->random = i % 2 == 0 ? 0 : (uint64_t)(ms / 2);
		int64_t expected_ms = i % 2 == 0 ? ms / 2 : ms / 2 + ms / 2;
		fake_end(f, "connection refused");
		assert_string_equal(redis_link_why(f->link),
				    "redis://h:6379/0: connection refused");
		fake_pass(f, expected_ms - 1);
		assert_false(f->is_opening);
		fake_pass(f, 1);
		assert_true(f->is_opening);
		ms = 2 * ms < REDIS_REST_MS_MAX ? 2 * ms : REDIS_REST_MS_MAX;
	}
	assert_int_equal(f->opens, 11);
	/* A connection that has held for a while makes them short again; another does not. */
	f->random = 0;
	fake_greet(f);
	fake_end(f, "reset");
	fake_pass(f, REDIS_REST_MS);
	assert_false(f->is_opening);
	fake_pass(f, REDIS_REST_MS_MAX);
	fake_greet(f);
	fake_pass(f, REDIS_STEADY_MS);
	fake_end(f, "reset");
	fake_pass(f, REDIS_REST_MS / 2);
	assert_true(f->is_opening);
}

/* ---- subscriptions ---- */

static void subscribe(struct fake *f)
{
	f->config.channel = SLICE("c");
	fake_begin(f);
	fake_open(f);
	fake_hear(f);
	assert_heard(f, "HELLO 2 SETNAME ayed\nPING\nSSUBSCRIBE c\n");
	fake_deliver(f, 1);
	assert_true(redis_link_is_ready(f->link));
}

#define SMESSAGE "*3\r\n$8\r\nsmessage\r\n$1\r\nc\r\n"

LINK_TEST(test_publications_come_in_order_at_every_split, f)
{
	subscribe(f);
	fake_say(f, SMESSAGE "$2\r\nab\r\n" SMESSAGE "$0\r\n\r\n");
	(void)buf_append_slice(&f->in, SLICE(SMESSAGE "$1\r\nc\r\n"));
	fake_deliver(f, 1);
	/* Pings go on; their answers are arrays here. */
	f->instead[0] = (struct fake_instead){"PING", "*2\r\n$4\r\npong\r\n$0\r\n\r\n"};
	fake_pass(f, REDIS_PING_MS);
	fake_talk(f);
	assert_heard(f, "PING\n");
	fake_say(f, SMESSAGE "$1\r\nd\r\n");
	assert_true(f->is_open);
	assert_int_equal(f->published.len, strlen("ab\n\nc\nd\n"));
	assert_memory_equal(f->published.data, "ab\n\nc\nd\n", f->published.len);
}

LINK_TEST(test_a_subscription_that_redis_ends_is_made_again, f)
{
	subscribe(f);
	fake_say(f, "*3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n");
	assert_false(f->is_open);
	assert_int_equal(redis_link_greeted(f->link), REDIS_END_MOVED);
	fake_pass(f, REDIS_REST_MS_MAX);
	fake_greet(f);
	assert_int_equal(f->changes, 3);
}

LINK_TEST(test_publications_of_others_are_garbage, f)
{
	static const char *const rows[] = {
		"*3\r\n$8\r\nsmessage\r\n$1\r\nx\r\n$1\r\nb\r\n",
		"*3\r\n$8\r\nsmessage\r\n$1\r\nc\r\n:1\r\n",
		"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nb\r\n",
		"*2\r\n$8\r\nsmessage\r\n$1\r\nc\r\n",
		"$1\r\nc\r\n",
	};
	subscribe(f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake_say(f, rows[i]);
		assert_false(f->is_open);
		fake_pass(f, REDIS_REST_MS_MAX);
		fake_greet(f);
	}
	assert_int_equal(f->published.len, 0);
}

/* ---- ends ---- */

LINK_TEST(test_a_destroyed_link_ends_each_command_once_and_takes_none, f)
{
	struct asked sent = {0};
	struct asked half = {0};
	struct asked waits = {0};
	fake_greet(f);
	f->room = strlen("*1\r\n$3\r\nGET\r\n") + 3;
	ask(f, &sent, "GET");
	ask(f, &half, "SET");
	ask(f, &waits, "SET");
	redis_link_flush(f->link);
	redis_link_destroy(f->link);
	assert_ended(&sent, LOST, "");
	assert_ended(&half, UNSENT, "");
	assert_ended(&waits, UNSENT, "");
}

static struct redis_link *destroyed;

static void on_end_ask_again(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	enum err *e = arg;
	struct slice word = SLICE("GET");
	struct redis_command c = {REDIS_NO_SCRIPT, &word, 1, 1000};
	(void)reply;
	assert_int_equal(end, REDIS_END_UNSENT);
	*e = redis_link_send(destroyed, &c, on_end_ask_again, arg);
}

LINK_TEST(test_what_is_asked_while_the_link_is_destroyed_is_refused, f)
{
	enum err e = OK;
	struct slice word = SLICE("GET");
	struct redis_command c = {REDIS_NO_SCRIPT, &word, 1, 1000};
	fake_greet(f);
	assert_int_equal(redis_link_send(f->link, &c, on_end_ask_again, &e), OK);
	destroyed = f->link;
	redis_link_destroy(f->link);
	assert_int_equal(e, ERR_CLOSED);
}

LINK_TEST(test_what_callbacks_ask_leaves_with_the_event, f)
{
	struct asked first = {0};
	struct asked second = {0};
	const char *replies[] = {"+a\r\n", "+b\r\n", NULL};
	fake_greet(f);
	f->replies = replies;
	first.again = &second;
	ask(f, &first, "GET");
	redis_link_flush(f->link);
	fake_talk(f);
	assert_heard(f, "GET\nAGAIN\n");
	assert_ended(&second, OK, "b");
}

LINK_TEST(test_a_wish_comes_once_at_its_time_whatever_the_link_waits_for, f)
{
	fake_begin(f);
	redis_link_wake(f->link, f->now_ms + 20);
	fake_pass(f, 19);
	assert_int_equal(f->times, 0);
	fake_pass(f, 1);
	assert_int_equal(f->times, 1);
	fake_pass(f, REDIS_GREETING_MS);
	fake_pass(f, REDIS_REST_MS_MAX);
	assert_int_equal(f->times, 1);
	fake_greet(f);
	redis_link_wake(f->link, f->now_ms + 20);
	redis_link_wake(f->link, f->now_ms + 30);
	fake_pass(f, 20);
	assert_int_equal(f->times, 1);
	fake_pass(f, 10);
	assert_int_equal(f->times, 2);
	redis_link_wake(f->link, f->now_ms - 1);
	fake_pass(f, 0);
	assert_int_equal(f->times, 3);
}

LINK_TEST(test_what_was_not_sent_ends_with_the_connection_where_that_is_wished, f)
{
	struct asked a[3] = {0};
	f->config.ends_unsent = true;
	fake_greet(f);
	ask(f, &a[0], "GET");
	redis_link_flush(f->link);
	f->room = 3; /* of the second's bytes */
	ask(f, &a[1], "GET");
	ask(f, &a[2], "GET");
	redis_link_flush(f->link);
	fake_end(f, "reset");
	assert_ended(&a[0], LOST, "");
	assert_ended(&a[1], UNSENT, "");
	assert_ended(&a[2], UNSENT, "");
	assert_int_equal(redis_link_pending(f->link), 0);
}

/* ---- another server ---- */

LINK_TEST(test_a_link_that_is_moved_connects_to_the_other_server, f)
{
	struct asked due = {0}, later = {0};
	struct redis_address other = {.text = "redis://other:6379/0"};
	const char *replies[] = {"", "+OK\r\n", NULL};
	f->replies = replies;
	fake_greet(f);
	ask(f, &due, "GET");
	redis_link_flush(f->link);
	fake_hear(f);
	redis_link_move(f->link, &other);
	assert_ended(&due, LOST, "");
	assert_false(f->is_open || redis_link_is_ready(f->link));
	assert_non_null(strstr(redis_link_why(f->link), "h:6379/0 is left for another server"));
	ask(f, &later, "SET");
	fake_pass(f, 50);
	fake_open(f);
	fake_talk(f);
	assert_true(redis_link_is_ready(f->link));
	assert_ended(&later, OK, "OK");
	fake_end(f, "reset");
	assert_string_equal(redis_link_why(f->link), "redis://other:6379/0: reset");
	/* While it rests, it keeps its rest. */
	size_t opens = f->opens;
	redis_link_move(f->link, &f->address);
	assert_int_equal(f->opens, opens);
	fake_pass(f, 100);
	assert_int_equal(f->opens, opens + 1);
	fake_end(f, "refused");
	assert_string_equal(redis_link_why(f->link), "redis://h:6379/0: refused");
}

LINK_TEST(test_a_link_that_is_moved_while_it_connects_or_is_greeted_begins_again, f)
{
	struct redis_address other = {.text = "redis://other:6379/0"};
	fake_begin(f);
	redis_link_move(f->link, &other);
	assert_false(f->is_opening);
	fake_pass(f, 50);
	fake_open(f);
	redis_link_move(f->link, &f->address);
	assert_false(f->is_open);
	fake_pass(f, 50);
	fake_greet(f);
}

LINK_TEST(test_a_master_says_in_which_history_its_data_are, f)
{
	f->config.needs_master = true;
	fake_begin(f);
	fake_open(f);
	fake_hear(f);
	assert_heard(f, "HELLO 2 SETNAME ayed\nINFO replication\nPING\n");
	fake_talk(f);
	assert_true(redis_link_is_ready(f->link));
	assert_string_equal(redis_link_server(f->link)->history, "abcdef");
	f->instead[0] = (struct fake_instead){"INFO", "$13\r\nmaster_repl:\n\r\n"};
	fake_end(f, "reset");
	fake_pass(f, 100);
	fake_open(f);
	fake_talk(f);
	assert_string_equal(redis_link_why(f->link),
			    "redis://h:6379/0 does not speak the protocol of Redis");
}

LINK_TEST(test_how_long_a_server_owes_a_reply_is_known, f)
{
	struct asked a = {0};
	const char *replies[] = {"", NULL};
	f->replies = replies;
	fake_greet(f);
	f->now_ms += 1500;
	assert_int_equal(redis_link_silent_ms(f->link), 0);
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_hear(f);
	f->now_ms += 1000;
	assert_int_equal(redis_link_silent_ms(f->link), 1000);
	fake_say(f, "$-1\r\n");
	assert_ended(&a, OK, "nil");
	assert_int_equal(redis_link_silent_ms(f->link), 0);
}

LINK_TEST(test_what_happens_is_counted, f)
{
	struct asked a[2] = {0};
	struct redis_counters n;
	fake_greet(f);
	ask(f, &a[0], "GET");
	ask(f, &a[1], "GET");
	redis_link_flush(f->link);
	fake_say(f, "-OOM no\r\n");
	fake_end(f, "reset");
	redis_link_counters(f->link, &n);
	assert_int_equal(n.attempts, 1);
	assert_int_equal(n.connections, 1);
	assert_int_equal(n.commands, 2);
	assert_int_equal(n.ends[REDIS_END_OOM], 1);
	assert_int_equal(n.ends[REDIS_END_LOST], 1);
	assert_in_range(n.bytes_sent, 26, 200);
	assert_in_range(n.bytes_received, strlen("-OOM no\r\n"), 200);
}

/* ---- memory ---- */

static int lay(void **state)
{
	struct fake *f = malloc(sizeof(*f));
	fake_lay(f);
	*state = f;
	return 0;
}

static int clear(void **state)
{
	fake_clear(*state);
	free(*state);
	return 0;
}

/* Whatever fails for want of memory: the callback runs once, or the call was refused. */
HEAP_TEST_IN(test_memory_that_is_out_ends_commands_once, struct fake, f, nth, lay, clear)
{
	static const char *const replies[] = {"-NOSCRIPT No\r\n", "*2\r\n$2\r\nab\r\n:1\r\n", NULL};
	struct asked a = {0};
	struct redis_link *link = NULL;
	struct slice zero = SLICE("0");
	struct redis_command c = {0, &zero, 1, 60000};
	f->config.scripts = scripts;
	f->config.scripts_n = 1;
	f->replies = replies;
	heap_fail_nth(nth, false);
	enum err e = redis_link_create(&f->config, &link);
	bool is_made = e == OK;
	e = is_made ? redis_link_send(f->link, &c, on_end, &a) : e;
	for (int i = 0; i < 8 && is_made && a.times == 0; i++) {
		if (f->is_opening) {
			fake_open(f);
		}
		heap_pause(true);
		fake_hear(f);
		heap_pause(false);
		fake_deliver(f, SIZE_MAX);
		fake_pass(f, f->is_open ? 0 : REDIS_REST_MS_MAX);
	}
	heap_fail_never();
	assert_true(e == OK || e == ERR_NOMEM);
	assert_int_equal(a.times, e == OK ? 1 : 0);
	assert_true(e != OK || a.end == REDIS_END_OK || a.end == REDIS_END_LOST ||
		    a.end == REDIS_END_NOSCRIPT);
	if (e == OK && a.end == REDIS_END_OK) {
		assert_string_equal(a.reply, "[ab 1]");
	}
}
