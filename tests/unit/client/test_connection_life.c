/*
 * test_connection_life.c - how a connection is watched over, lost and come back to.
 *
 * Times are given in milliseconds and never asserted: what a pause is to be,
 * the link says; what happens in time is waited for.
 */
#include <stdio.h>
#include <string.h>

#include "tests/unit/client/connection_kit.h"

#define NOT_TODAY "{\"code\":\"UNAVAILABLE\",\"message\":\"not today\"}"
#define NOT_YOU	  "{\"code\":\"FORBIDDEN\",\"message\":\"not you\"}"

enum { PAUSES_MAX = 64 };

struct desk {
	struct line line;
	unsigned ups, downs, closed, silences;
	int64_t pauses[PAUSES_MAX]; /* as on_down told them */
	char why[200];
};

static void desk_on_up(void *owner)
{
	struct desk *d = owner;
	d->ups++;
}

static void desk_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct desk *d = owner;
	assert_true(d->downs < PAUSES_MAX);
	d->pauses[d->downs++] = retry_ms;
	(void)snprintf(d->why, sizeof(d->why), "%s", why);
}

static void desk_on_notice(void *owner, struct slice method, const struct msgpack_object *params)
{
	(void)owner, (void)method, (void)params;
}

static void desk_on_silent(void *owner)
{
	struct desk *d = owner;
	assert_true(connection_waits_ms(d->line.link) >= 0);
	d->silences++;
}

static const struct connection_handler desk_handler = {
	.on_up = desk_on_up,
	.on_silent = desk_on_silent,
	.on_down = desk_on_down,
	.on_notice = desk_on_notice,
};

static void desk_on_answer(void *arg, const struct answer *a)
{
	struct desk *d = arg;
	d->closed += a->e == ERR_CLOSED;
}

static void desk_open(struct desk *d, const struct connection_timing *timing, bool keeps_trying,
		      const struct scripted_rule *rules, size_t n)
{
	const struct line_way way = {scripted_open, timing, keeps_trying, &desk_handler};
	memset(d, 0, sizeof(*d));
	line_open(&d->line, &way, d, rules, n);
}

/* ---- the claims ---- */

TEST(test_after_a_connection_that_was_up_the_pauses_begin_short_again)
{
	static const struct connection_timing timing = {1000, 10000, 2, 64};
	static const struct scripted_rule rules[] = {
		{.method = "session.hello", .times = 7, .act = SCRIPTED_REFUSES, .json = NOT_YOU},
	};
	static struct desk d;
	desk_open(&d, &timing, true, rules, 1);
	line_until(&d.line, &d.ups, 1);
	assert_int_equal(d.downs, 7);
	for (unsigned i = 0; i < 7; i++) {
		int64_t full_ms = 2 << i < 64 ? 2 << i : 64;
		assert_in_range(d.pauses[i], full_ms / 2, full_ms);
	}
	scripted_drop(&d.line.server);
	line_until(&d.line, &d.downs, 8);
	assert_in_range(d.pauses[7], 1, 2);
	line_close(&d.line);
}

TEST(test_pauses_are_between_half_and_whole_and_not_all_the_same)
{
	enum { TRIES = 14, LAST_MS = 40 };
	static const struct connection_timing timing = {1000, 10000, LAST_MS, LAST_MS};
	static const struct scripted_rule rules[] = {
		{.method = "session.hello", .act = SCRIPTED_REFUSES, .json = NOT_TODAY},
	};
	static struct desk d;
	bool is_mixed = false;
	desk_open(&d, &timing, true, rules, 1);
	line_until(&d.line, &d.downs, TRIES);
	for (unsigned i = 0; i < TRIES; i++) {
		assert_in_range(d.pauses[i], LAST_MS / 2, LAST_MS);
		is_mixed = is_mixed || d.pauses[i] != d.pauses[0];
	}
	assert_true(is_mixed);
	line_close(&d.line);
}

/* As a node does while nobody has the room: it is there, and soon somebody will have it. */
TEST(test_a_server_that_is_unavailable_is_asked_again_soon)
{
	static const struct connection_timing timing = {1000, 10000, 2, 64};
	static const struct scripted_rule rules[] = {
		{.method = "session.hello", .times = 7, .act = SCRIPTED_REFUSES, .json = NOT_TODAY},
	};
	static struct desk d;
	desk_open(&d, &timing, true, rules, 1);
	line_until(&d.line, &d.ups, 1);
	for (unsigned i = 0; i < 7; i++) {
		int64_t full_ms = 2 << (i < 2 ? i : 2);
		assert_in_range(d.pauses[i], full_ms / 2, full_ms);
	}
	line_close(&d.line);
}

/* To a server that says hello, and nothing any more then. */
static void desk_open_silent(struct desk *d, const struct connection_timing *timing)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello"},
		{.act = SCRIPTED_IS_SILENT},
	};
	desk_open(d, timing, true, rules, 2);
	line_until(&d->line, &d->ups, 1);
}

TEST(test_a_silent_server_is_pinged_once_and_then_given_up)
{
	static const struct connection_timing timing = {10, 10000, 5000, 5000};
	static struct desk d;
	desk_open_silent(&d, &timing);
	assert_int_equal(connection_request(d.line.link, SLICE("room.get"), (struct slice){0},
					    desk_on_answer, &d),
			 OK);
	line_until(&d.line, &d.downs, 1);
	assert_string_equal(d.why, "the server is silent");
	assert_int_equal(scripted_count(&d.line.server, METHOD_SERVER_PING), 1);
	assert_int_equal(d.closed, 1);
	assert_int_equal(d.silences, 1);
	line_close(&d.line);
}

TEST(test_an_idle_client_is_told_of_a_silent_server_before_it_is_given_up)
{
	static const struct connection_timing timing = {50, 10000, 5000, 5000};
	static struct desk d;
	desk_open_silent(&d, &timing);
	assert_int_equal(connection_waits_ms(d.line.link), -1);
	line_until(&d.line, &d.silences, 1);
	assert_int_equal(d.downs, 0);
	assert_int_equal(scripted_count(&d.line.server, METHOD_SERVER_PING), 1);
	line_until(&d.line, &d.downs, 1);
	assert_int_equal(d.silences, 1);
	line_close(&d.line);
}

/* Longer than a period each time the client stands still with the answer in its socket. */
TEST(test_a_server_that_answers_pings_is_kept)
{
	static const struct connection_timing timing = {1, 10000, 5000, 5000};
	static struct desk d;
	desk_open(&d, &timing, true, NULL, 0);
	while (scripted_count(&d.line.server, METHOD_SERVER_PING) < 8) {
		line_turn(&d.line);
		uv_sleep(2);
	}
	assert_int_equal(d.ups, 1);
	assert_int_equal(d.downs, 0);
	assert_int_equal(d.line.server.connections, 1);
	line_close(&d.line);
}

TEST(test_a_server_that_does_not_answer_hello_is_given_up)
{
	static const struct connection_timing timing = {1000, 10, 5000, 5000};
	static const struct scripted_rule rules[] = {{.act = SCRIPTED_IS_SILENT}};
	static struct desk d;
	desk_open(&d, &timing, false, rules, 1);
	line_until(&d.line, &d.downs, 1);
	assert_string_equal(d.why, "the server did not answer in time");
	assert_int_equal(d.pauses[0], -1);
	line_close(&d.line);
}
