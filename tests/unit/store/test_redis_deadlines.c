/*
 * test_redis_deadlines.c - commands of a link that are not answered in time or cut, and scripts that
 * Redis has or lacks.
 */
#include "link_kit.h"

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
