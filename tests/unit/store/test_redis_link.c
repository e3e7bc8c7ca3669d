/*
 * test_redis_link.c - one connection to Redis: commands and how they end, whatever Redis or the
 * network does.
 */
#include "store/redis/redis_link.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/support/heap_test.h"
#include "tests/support/redis_fake.h"
#include "tests/support/test.h"

#define LINK_TEST(name, f) TEST_OF(name, struct fake, f, fake_lay(f), fake_clear(f))

static const struct slice scripts[] = {SLICE_INIT("return 1"), SLICE_INIT("return 2")};

/* ---- commands, and what became of them ---- */

struct asked {
	struct fake *f;
	unsigned times; /* that the callback ran */
	enum redis_end end;
	char reply[128];
	bool asks_again; /* in the callback */
	struct asked *again;
};

static void write_reply(const struct redis_reply *r, char *out, size_t cap)
{
	size_t len = strlen(out);
	if (r->kind == REDIS_NIL) {
		(void)format_to(out + len, cap - len, "nil");
	} else if (r->kind == REDIS_INTEGER) {
		(void)format_to(out + len, cap - len, "%lld", (long long)r->integer);
	} else if (r->kind != REDIS_ARRAY) {
		(void)format_to(out + len, cap - len, "%.*s", (int)r->text.len,
				r->text.len == 0 ? "" : r->text.data);
	} else {
		(void)format_to(out + len, cap - len, "[");
		for (const struct redis_reply *e = r->first; e != NULL; e = e->next) {
			write_reply(e, out, cap);
			(void)format_to(out + strlen(out), cap - strlen(out),
					e->next == NULL ? "" : " ");
		}
		(void)format_to(out + strlen(out), cap - strlen(out), "]");
	}
}

static void ask(struct fake *f, struct asked *a, const char *word);

static void on_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct asked *a = arg;
	a->times++;
	a->end = end;
	a->reply[0] = '\0';
	bool has_reply =
		end == REDIS_END_OK || end == REDIS_END_REFUSED || redis_ends[end].code.len > 0;
	assert_int_equal(has_reply, reply != NULL);
	if (reply != NULL) {
		write_reply(reply, a->reply, sizeof(a->reply));
	}
	if (a->again != NULL) {
		ask(a->f, a->again, "AGAIN");
	}
}

static enum err ask_within(struct fake *f, struct asked *a, const char *word, int script,
			   int64_t within_ms)
{
	struct slice arg = slice_str(word);
	struct redis_command c = {.script = script, .args = &arg, .n = 1, .within_ms = within_ms};
	a->f = f;
	return redis_link_send(f->link, &c, on_end, a);
}

static void ask(struct fake *f, struct asked *a, const char *word)
{
	assert_int_equal(ask_within(f, a, word, REDIS_NO_SCRIPT, 60000), OK);
}

static void ask_script(struct fake *f, struct asked *a, int script)
{
	assert_int_equal(ask_within(f, a, "0", script, 60000), OK);
}

#define assert_heard(f, text)                                                        \
	do {                                                                         \
		char heard_[4096];                                                   \
		(void)format_to(heard_, sizeof(heard_), "%.*s", (int)(f)->heard.len, \
				(f)->heard.data);                                    \
		buf_clear(&(f)->heard);                                              \
		assert_string_equal(heard_, text);                                   \
	} while (0)

#define assert_ended(a, end_, reply_)                                  \
	do {                                                           \
		assert_int_equal((a)->times, 1);                       \
		assert_string_equal(redis_ends[(a)->end].name, #end_); \
		assert_string_equal((a)->reply, reply_);               \
	} while (0)

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

/* ---- replies ---- */

static const struct {
	const char *bytes, *shown;
} values[] = {
	{"+OK\r\n", "OK"},
	{"+\r\n", ""},
	{":0\r\n", "0"},
	{":-9223372036854775808\r\n", "-9223372036854775808"},
	{":9223372036854775807\r\n", "9223372036854775807"},
	{"$0\r\n\r\n", ""},
	{"$4\r\na\r\nb\r\n", "a\r\nb"},
	{"$-1\r\n", "nil"},
	{"*-1\r\n", "nil"},
	{"*0\r\n", "[]"},
	{"*3\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n*0\r\n", "[1 [a nil] []]"},
	{"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:7\r\n", "[[[[[[[7]]]]]]]"},
	{"*2\r\n-ERR inside\r\n+fine\r\n", "[ERR inside fine]"},
};
#define VALUES (sizeof(values) / sizeof(values[0]))

LINK_TEST(test_replies_are_the_same_at_every_split, f)
{
	struct asked asked[VALUES];
	fake_greet(f);
	for (size_t piece = 1; piece < 100; piece++) {
		memset(asked, 0, sizeof(asked));
		for (size_t i = 0; i < VALUES; i++) {
			ask(f, &asked[i], "GET");
			(void)buf_append_slice(&f->in, slice_str(values[i].bytes));
		}
		redis_link_flush(f->link);
		fake_deliver(f, piece);
		for (size_t i = 0; i < VALUES; i++) {
			assert_ended(&asked[i], OK, values[i].shown);
		}
	}
}

/* Each error of the table, at every split; a demoted master is left when it owes nothing more. */
LINK_TEST(test_each_error_ends_its_command_and_no_other, f)
{
	fake_greet(f);
	for (int end = 0; end < REDIS_END_COUNT; end++) {
		struct slice code = redis_ends[end].code;
		char line[80];
		size_t len = format_to(line, sizeof(line), "-%.*s it is so\r\n+fine\r\n",
				       (int)code.len, code.data);
		bool is_left = redis_ends[end].then == REDIS_THEN_MASTER && end != REDIS_END_MOVED;
		for (size_t cut = 1; cut <= len && code.len > 0; cut++) {
			struct asked first = {0};
			struct asked second = {0};
			ask(f, &first, "GET");
			ask(f, &second, "GET");
			redis_link_flush(f->link);
			redis_link_on_bytes(f->link, slice_of(line, cut));
			if (cut < len) {
				redis_link_on_bytes(f->link, slice_of(line + cut, len - cut));
			}
			assert_int_equal(first.times, 1);
			assert_int_equal(first.end, end);
			assert_ended(&second, OK, "fine");
			assert_int_equal(f->is_open, !is_left);
			if (is_left) {
				assert_int_equal(redis_link_greeted(f->link), end);
				fake_pass(f, REDIS_REST_MS_MAX);
				fake_greet(f);
			}
		}
	}
	struct asked other = {0};
	ask(f, &other, "GET");
	redis_link_flush(f->link);
	fake_say(f, "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
	assert_ended(&other, REFUSED,
		     "WRONGTYPE Operation against a key holding the wrong kind of value");
	/* The code is the whole first word. */
	struct asked near[2] = {0};
	ask(f, &near[0], "GET");
	ask(f, &near[1], "GET");
	redis_link_flush(f->link);
	fake_say(f, "-BUSYKEY Target key name already exists.\r\n-OOM\r\n");
	assert_ended(&near[0], REFUSED, "BUSYKEY Target key name already exists.");
	assert_ended(&near[1], OOM, "OOM");
}

LINK_TEST(test_what_is_asked_of_a_demoted_master_is_asked_of_the_next, f)
{
	struct asked first = {0};
	struct asked second = {0};
	const char *replies[] = {"+fine\r\n", NULL};
	fake_greet(f);
	ask(f, &first, "SET");
	redis_link_flush(f->link);
	first.again = &second; /* in the callback, when the link is being left already */
	fake_say(f, "-READONLY You can't write against a read only replica.\r\n");
	assert_false(f->is_open);
	assert_int_equal(f->out.len, strlen("*1\r\n$3\r\nSET\r\n"));
	assert_int_equal(second.times, 0);
	fake_pass(f, REDIS_REST_MS_MAX);
	f->replies = replies;
	fake_greet(f);
	assert_ended(&second, OK, "fine");
}

static const char *const garbage[] = {
	"\r\n",
	"HTTP/1.1 400 Bad Request\r\n\r\n",
	"?1\r\n",
	"+OK\r\n+OK\r\n", /* one more than was asked for */
	":12x\r\n",
	":\r\n",
	":9223372036854775808\r\n",
	"$-2\r\n",
	"$1x\r\nab\r\n",
	"$3\r\nabcde\r\n", /* longer than it says */
	"$9223372036854775807\r\n*",
	"*-2\r\n",
	"*x\r\n",
	"*2147483648\r\n",
	"*9223372036854775807\r\n",
	"*2\r\n+OK\r\n?\r\n",
	"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:7\r\n",
	"%1\r\n+a\r\n+b\r\n", /* version 3 of the protocol */
	"\x16\x03\x01\x02\x00\x01",
};

/* Lost, or answered where the first of two is good; never twice, and never a crash. */
LINK_TEST(test_garbage_ends_the_connection_at_every_split, f)
{
	fake_greet(f);
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		size_t len = strlen(garbage[i]) > 0 ? strlen(garbage[i]) : 6;
		for (size_t cut = 0; cut <= len; cut++) {
			struct asked a = {0};
			ask(f, &a, "GET");
			redis_link_flush(f->link);
			redis_link_on_bytes(f->link, slice_of(garbage[i], cut));
			if (f->is_open) {
				redis_link_on_bytes(f->link, slice_of(garbage[i] + cut, len - cut));
			}
			if (f->is_open) { /* a string that has not ended is none yet */
				assert_int_equal(garbage[i][0], '$');
				fake_end(f, "end");
			}
			assert_int_equal(a.times, 1);
			assert_true(a.end == REDIS_END_LOST || strcmp(a.reply, "OK") == 0);
			fake_pass(f, REDIS_REST_MS_MAX);
			fake_greet(f);
		}
	}
}

LINK_TEST(test_an_error_that_nobody_asked_for_is_why_the_connection_ends, f)
{
	fake_greet(f);
	fake_say(f, "-ERR max number of clients reached\r\n");
	assert_false(f->is_open);
	assert_string_equal(
		redis_link_why(f->link),
		"redis://h:6379/0 refused the command: ERR max number of clients reached");
}

/* ---- limits ---- */

static void say_many(struct fake *f, const char *what, size_t times)
{
	for (size_t i = 0; i < times; i++) {
		(void)buf_append_slice(&f->in, slice_str(what));
	}
}

static void assert_beyond(struct fake *f, struct asked *a)
{
	assert_false(f->is_open);
	assert_ended(a, LOST, "");
	assert_string_equal(redis_link_why(f->link),
			    "redis://h:6379/0 sent a reply beyond the limits");
	fake_pass(f, REDIS_REST_MS_MAX);
	fake_greet(f);
	*a = (struct asked){0};
}

LINK_TEST(test_replies_beyond_the_limits_end_the_connection, f)
{
	struct asked a = {0};
	fake_greet(f);
	/* A line without an end. */
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	say_many(f, "+", 1);
	say_many(f, "0123456789abcdef", REDIS_REPLY_LINE_MAX / 16);
	fake_deliver(f, 1000);
	assert_true(f->is_open);
	say_many(f, "xx", 1);
	fake_deliver(f, 1);
	assert_beyond(f, &a);
	/* More elements than allowed, announced by the first array, or only by the second. */
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_say(f, "*262144\r\n");
	assert_beyond(f, &a);
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_say(f, "*200000\r\n*62143\r\n");
	assert_true(f->is_open);
	say_many(f, "*0\r\n", 62143);
	fake_deliver(f, SIZE_MAX);
	fake_say(f, "*1\r\n");
	assert_beyond(f, &a);
	/* More bytes than allowed, whatever their number was said to be. */
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_say(f, "$9223372036854775800\r\n");
	say_many(f, "0123456789abcdef", (REDIS_REPLY_BYTES_MAX - 100) / 16);
	fake_deliver(f, SIZE_MAX);
	assert_true(f->is_open);
	say_many(f, "0123456789abcdef", 10);
	fake_deliver(f, SIZE_MAX);
	assert_beyond(f, &a);
}

LINK_TEST(test_the_largest_reply_of_many_elements_comes_whole, f)
{
	struct asked a = {0};
	fake_greet(f);
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_say(f, "*262143\r\n");
	say_many(f, ":1\r\n", 262143);
	fake_deliver(f, 65536);
	assert_int_equal(a.times, 1);
	assert_int_equal(a.end, REDIS_END_OK);
	assert_true(f->is_open);
}

LINK_TEST(test_the_limit_is_of_each_reply_and_not_of_all, f)
{
	fake_greet(f);
	for (int i = 0; i < 3; i++) {
		struct asked a = {0};
		ask(f, &a, "GET");
		redis_link_flush(f->link);
		fake_say(f, "$40000000\r\n");
		say_many(f, "0123456789abcdef", 40000000 / 16);
		say_many(f, "\r\n", 1);
		fake_deliver(f, 65536);
		assert_int_equal(a.times, 1);
		assert_int_equal(a.end, REDIS_END_OK);
	}
}

LINK_TEST(test_too_many_commands_are_refused_and_later_accepted, f)
{
	static struct asked many[REDIS_COMMANDS_MAX];
	struct asked one = {0};
	memset(many, 0, sizeof(many));
	fake_greet(f);
	for (size_t i = 0; i < REDIS_COMMANDS_MAX; i++) {
		ask(f, &many[i], "GET");
	}
	assert_int_equal(redis_link_pending(f->link), REDIS_COMMANDS_MAX);
	assert_int_equal(ask_within(f, &one, "GET", REDIS_NO_SCRIPT, 1), ERR_BUSY);
	redis_link_flush(f->link);
	fake_say(f, "+OK\r\n");
	assert_ended(&many[0], OK, "OK");
	ask(f, &one, "GET");
	redis_link_destroy(f->link);
	assert_ended(&one, UNSENT, "");
	assert_ended(&many[1], LOST, "");
}

LINK_TEST(test_too_many_bytes_are_refused, f)
{
	size_t len = REDIS_COMMANDS_BYTES / 2;
	char *text = calloc(1, len + 1);
	struct slice args[] = {slice_of(text, len), slice_of(text, len), SLICE("x")};
	struct redis_command c = {REDIS_NO_SCRIPT, args, 3, 1000};
	struct asked a = {0};
	fake_greet(f);
	assert_int_equal(redis_link_send(f->link, &c, on_end, &a), ERR_BUSY);
	c.n = 1;
	assert_int_equal(redis_link_send(f->link, &c, on_end, &a), OK);
	assert_int_equal(redis_link_send(f->link, &c, on_end, &a), ERR_BUSY);
	assert_int_equal(a.times, 0);
	redis_link_destroy(f->link);
	assert_ended(&a, UNSENT, "");
	free(text);
}

/* ---- the connection cut ---- */

#define CUT_COMMANDS 3

/* Wherever the connection stops to take bytes: what was sent whole is lost, all else is sent again. */
LINK_TEST(test_commands_cut_at_every_byte_are_lost_or_sent_again, f)
{
	const char *replies[] = {"+a\r\n", "+b\r\n", "+c\r\n", NULL};
	size_t one = strlen("*1\r\n$4\r\nGETx\r\n");
	fake_greet(f);
	for (size_t cut = 0; cut <= CUT_COMMANDS * one; cut++) {
		struct asked asked[CUT_COMMANDS] = {0};
		char word[] = "GETx";
		size_t whole = cut / one;
		f->room = cut;
		for (size_t i = 0; i < CUT_COMMANDS; i++) {
			word[3] = (char)('a' + i);
			ask(f, &asked[i], word);
		}
		redis_link_flush(f->link);
		assert_int_equal(f->out.len, cut);
		fake_end(f, "reset");
		for (size_t i = 0; i < whole; i++) {
			assert_ended(&asked[i], LOST, "");
		}
		fake_pass(f, REDIS_REST_MS_MAX);
		f->replies = replies + whole;
		fake_greet(f);
		for (size_t i = whole; i < CUT_COMMANDS; i++) {
			const char shown[] = {(char)('a' + i), '\0'};
			assert_ended(&asked[i], OK, shown);
		}
		assert_int_equal(redis_link_pending(f->link), 0);
	}
}

LINK_TEST(test_replies_cut_at_every_byte_end_what_they_have_answered, f)
{
	const char *text = "+a\r\n$3\r\nb\r\n\r\n*1\r\n+c\r\n";
	const size_t ends[CUT_COMMANDS] = {4, 13, 21};
	fake_greet(f);
	for (size_t cut = 0; cut <= strlen(text); cut++) {
		struct asked asked[CUT_COMMANDS] = {0};
		for (size_t i = 0; i < CUT_COMMANDS; i++) {
			ask(f, &asked[i], "GET");
		}
		redis_link_flush(f->link);
		redis_link_on_bytes(f->link, slice_of(text, cut));
		fake_end(f, "reset");
		for (size_t i = 0; i < CUT_COMMANDS; i++) {
			assert_int_equal(asked[i].times, 1);
			assert_int_equal(asked[i].end,
					 cut >= ends[i] ? REDIS_END_OK : REDIS_END_LOST);
		}
		fake_pass(f, REDIS_REST_MS_MAX);
		fake_greet(f);
	}
}

LINK_TEST(test_a_connection_that_takes_few_bytes_gets_all_of_them_in_order, f)
{
	struct asked asked[200] = {0};
	static const char *replies[201];
	fake_greet(f);
	f->room = 0;
	for (size_t i = 0; i < 200; i++) {
		replies[i] = ":1\r\n";
		ask(f, &asked[i], "INCR");
	}
	redis_link_flush(f->link);
	f->replies = replies;
	for (size_t sent = 0; sent < 200 * strlen("*1\r\n$4\r\nINCR\r\n"); sent += 7) {
		f->room = 7;
		redis_link_on_room(f->link);
		fake_talk(f);
	}
	for (size_t i = 0; i < 200; i++) {
		assert_ended(&asked[i], OK, "1");
	}
}

/* ---- deadlines ---- */

LINK_TEST(test_a_command_that_is_not_answered_in_time_ends_and_its_reply_is_dropped, f)
{
	struct asked slow = {0};
	struct asked next = {0};
	fake_greet(f);
	assert_int_equal(ask_within(f, &slow, "EVAL", REDIS_NO_SCRIPT, 1000), OK);
	ask(f, &next, "GET");
	redis_link_flush(f->link);
	fake_pass(f, 999);
	assert_int_equal(slow.times, 0);
	fake_pass(f, 1);
	assert_ended(&slow, LATE, "");
	assert_int_equal(redis_link_pending(f->link), 1);
	fake_say(f, "+late\r\n+fine\r\n");
	assert_ended(&slow, LATE, "");
	assert_ended(&next, OK, "fine");
}

LINK_TEST(test_a_command_that_was_not_sent_in_time_was_not_run, f)
{
	struct asked early = {0};
	struct asked later = {0};
	const char *replies[] = {"+fine\r\n", NULL};
	fake_begin(f);
	ask(f, &later, "GET");
	assert_int_equal(ask_within(f, &early, "SET", REDIS_NO_SCRIPT, 1000), OK);
	redis_link_flush(f->link);
	fake_pass(f, 1000);
	assert_ended(&early, UNSENT, "");
	f->replies = replies;
	fake_greet(f);
	assert_ended(&later, OK, "fine");
}

/* The rest of what has begun to leave must follow, else Redis would read the next as a part of it. */
LINK_TEST(test_a_command_whose_time_ends_half_sent_is_sent_whole, f)
{
	struct asked half = {0};
	struct asked next = {0};
	const char *replies[] = {"+half\r\n", "+next\r\n", NULL};
	fake_greet(f);
	f->replies = replies;
	f->room = 5;
	assert_int_equal(ask_within(f, &half, "SET", REDIS_NO_SCRIPT, 1000), OK);
	ask(f, &next, "GET");
	redis_link_flush(f->link);
	fake_pass(f, 1000);
	assert_ended(&half, LATE, "");
	f->room = SIZE_MAX;
	redis_link_on_room(f->link);
	fake_talk(f);
	assert_heard(f, "SET\nGET\n");
	assert_ended(&half, LATE, "");
	assert_ended(&next, OK, "next");
}

LINK_TEST(test_a_command_that_ended_half_sent_is_not_sent_again, f)
{
	struct asked half = {0};
	struct asked next = {0};
	const char *replies[] = {"+next\r\n", NULL};
	fake_greet(f);
	f->room = 5;
	assert_int_equal(ask_within(f, &half, "SET", REDIS_NO_SCRIPT, 1000), OK);
	ask(f, &next, "GET");
	redis_link_flush(f->link);
	fake_pass(f, 1000);
	fake_end(f, "reset");
	fake_pass(f, REDIS_REST_MS_MAX);
	f->replies = replies;
	fake_greet(f);
	assert_ended(&half, LATE, "");
	assert_ended(&next, OK, "next");
}

LINK_TEST(test_each_deadline_is_its_own, f)
{
	struct asked asked[3] = {0};
	const int64_t within_ms[3] = {300, 100, 200};
	fake_greet(f);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(ask_within(f, &asked[i], "GET", REDIS_NO_SCRIPT, within_ms[i]),
				 OK);
	}
	redis_link_flush(f->link);
	for (unsigned passed = 1; passed <= 3; passed++) {
		fake_pass(f, 100);
		assert_int_equal(asked[1].times, 1);
		assert_int_equal(asked[2].times, passed >= 2);
		assert_int_equal(asked[0].times, passed >= 3);
	}
}

LINK_TEST(test_a_server_that_is_silent_while_it_owes_is_left, f)
{
	struct asked a = {0};
	struct asked b = {0};
	fake_greet(f);
	fake_pass(f, REDIS_PING_MS - 1); /* idle so far: that is no silence */
	ask(f, &a, "GET");
	ask(f, &b, "GET");
	redis_link_flush(f->link);
	fake_pass(f, REDIS_SILENT_MS - 1);
	assert_true(f->is_open);
	fake_say(f, "+"); /* a single byte is a sign of life */
	fake_pass(f, REDIS_SILENT_MS - 1);
	assert_true(f->is_open);
	assert_int_equal(a.times, 0);
	fake_pass(f, 1);
	assert_false(f->is_open);
	assert_ended(&a, LOST, "");
	assert_ended(&b, LOST, "");
	assert_string_equal(redis_link_why(f->link), "redis://h:6379/0 did not answer in time");
}

LINK_TEST(test_an_idle_connection_is_pinged_and_left_without_an_answer, f)
{
	fake_greet(f);
	for (int i = 0; i < 3; i++) {
		fake_pass(f, REDIS_PING_MS);
		fake_talk(f);
		assert_heard(f, "PING\n");
	}
	fake_pass(f, REDIS_PING_MS + REDIS_SILENT_MS - 1);
	assert_true(f->is_open);
	fake_pass(f, 1);
	assert_false(f->is_open);
}

LINK_TEST(test_a_connection_that_takes_nothing_is_left, f)
{
	struct asked a = {0};
	fake_greet(f);
	f->room = 0;
	ask(f, &a, "GET");
	redis_link_flush(f->link);
	fake_pass(f, REDIS_SILENT_MS - 1);
	assert_true(f->is_open);
	fake_pass(f, 1);
	assert_false(f->is_open);
	assert_int_equal(a.times, 0); /* not sent: it waits for the next */
	redis_link_destroy(f->link);
	assert_ended(&a, UNSENT, "");
}

/* ---- scripts ---- */

LINK_TEST(test_a_script_is_called_by_the_hash_that_redis_has_given, f)
{
	struct asked a = {0};
	const char *replies[] = {":7\r\n", NULL};
	f->config.scripts = scripts;
	f->config.scripts_n = 2;
	fake_begin(f);
	ask_script(f, &a, 1);
	f->replies = replies;
	fake_open(f);
	fake_talk(f);
	assert_heard(f, "HELLO 2 SETNAME ayed\nSCRIPT LOAD return 1\nSCRIPT LOAD return 2\nPING\n"
			"EVALSHA " FAKE_SHA " 0\n");
	assert_ended(&a, OK, "7");
}

LINK_TEST(test_a_missing_script_is_loaded_and_the_command_sent_again, f)
{
	struct asked a = {0};
	struct asked b = {0};
	struct redis_counters counters;
	const char *replies[] = {"-NOSCRIPT No matching script. Please use EVAL.\r\n", "+b\r\n",
				 "+a\r\n", NULL};
	f->config.scripts = scripts;
	f->config.scripts_n = 1;
	fake_greet(f);
	f->replies = replies;
	ask_script(f, &a, 0);
	ask(f, &b, "GET");
	redis_link_flush(f->link);
	fake_talk(f);
	assert_heard(f,
		     "EVALSHA " FAKE_SHA " 0\nGET\nSCRIPT LOAD return 1\nEVALSHA " FAKE_SHA " 0\n");
	assert_ended(&a, OK, "a");
	assert_ended(&b, OK, "b");
	redis_link_counters(f->link, &counters);
	assert_int_equal(counters.scripts_missing, 1);
}

LINK_TEST(test_a_script_is_loaded_again_on_each_connection, f)
{
	struct asked a = {0};
	const char *replies[] = {"-NOSCRIPT No\r\n", "-NOSCRIPT No\r\n", "+a\r\n", NULL};
	f->config.scripts = scripts;
	f->config.scripts_n = 1;
	fake_greet(f);
	f->replies = replies;
	ask_script(f, &a, 0);
	redis_link_flush(f->link);
	fake_hear(f);
	f->room = 0; /* what follows NOSCRIPT does not leave any more */
	fake_deliver(f, SIZE_MAX);
	fake_end(f, "reset");
	fake_pass(f, REDIS_REST_MS_MAX);
	fake_greet(f);
	assert_ended(&a, OK, "a");
}

LINK_TEST(test_a_script_that_stays_missing_ends_its_command, f)
{
	struct asked a = {0};
	const char *replies[] = {"-NOSCRIPT No\r\n", "-NOSCRIPT No again\r\n", NULL};
	f->config.scripts = scripts;
	f->config.scripts_n = 1;
	fake_greet(f);
	f->replies = replies;
	f->instead[0] = (struct fake_instead){"SCRIPT", "-NOPERM no\r\n"};
	ask_script(f, &a, 0);
	redis_link_flush(f->link);
	fake_talk(f);
	assert_ended(&a, NOSCRIPT, "NOSCRIPT No again");
	assert_true(f->is_open);
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
