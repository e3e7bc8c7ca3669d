/*
 * test_redis_replies.c - what Redis says on a link: replies, errors and garbage at every split, and
 * limits of both sides.
 */
#include "link_kit.h"

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
