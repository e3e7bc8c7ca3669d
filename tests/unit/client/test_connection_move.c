/*
 * test_connection_move.c - how a connection goes to the home of a room.
 *
 * The server has several nodes in these tests, all behind one address: what hello names decides
 * which one is meant.
 */
#include <stdio.h>
#include <string.h>

#include "tests/unit/client/connection_kit.h"

#define ELSEWHERE "{\"code\":\"ELSEWHERE\",\"message\":\"on another node\",\"room_id\":\"K7QX3M\"}"

static const struct connection_timing timing = {1000, 10000, 2, 16};

struct desk {
	struct line line;
	bool asks_again; /* in on_open, as who is subscribed to something */
	unsigned opens, ups, downs, moves;
	char order[200]; /* of what was answered, and with what */
};

static void note(struct desk *d, const char *word)
{
	size_t n = strlen(d->order);
	(void)snprintf(d->order + n, sizeof(d->order) - n, "%s%s", n > 0 ? " " : "", word);
}

static void desk_on_answer(void *arg, const struct answer *a)
{
	struct desk *d = arg;
	char word[80];
	(void)snprintf(word, sizeof(word), "%s%s", method_rows[a->method].name,
		       a->e != OK	    ? ":closed"
		       : a->refusal != NULL ? ":refused"
					    : "");
	note(d, word);
}

static void desk_ask(struct desk *d, enum method method)
{
	assert_int_equal(connection_request(d->line.link, slice_str(method_rows[method].name),
					    (struct slice){0}, desk_on_answer, d),
			 OK);
}

static void desk_on_open(void *owner)
{
	struct desk *d = owner;
	d->opens++;
	if (d->asks_again) {
		desk_ask(d, METHOD_ROOM_SUBSCRIBE);
	}
}

static void desk_on_up(void *owner)
{
	struct desk *d = owner;
	d->ups++;
}

static void desk_on_move(void *owner)
{
	struct desk *d = owner;
	d->moves++;
}

static void desk_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct desk *d = owner;
	(void)retry_ms;
	d->downs++;
	note(d, why);
}

static void desk_on_notice(void *owner, struct slice method, const struct msgpack_object *params)
{
	(void)owner, (void)method, (void)params;
}

static const struct connection_handler desk_handler = {
	.on_open = desk_on_open,
	.on_up = desk_on_up,
	.on_move = desk_on_move,
	.on_down = desk_on_down,
	.on_notice = desk_on_notice,
};

static void desk_open_at(struct desk *d, void (*opens)(struct scripted *s),
			 const struct scripted_rule *rules, size_t n)
{
	const struct line_way way = {opens, &timing, false, &desk_handler};
	memset(d, 0, sizeof(*d));
	line_open(&d->line, &way, d, rules, n);
}

static void desk_open(struct desk *d, const struct scripted_rule *rules, size_t n)
{
	desk_open_at(d, scripted_open, rules, n);
}

static void desk_until(struct desk *d, const char *order)
{
	while (strcmp(d->order, order) != 0) {
		line_turn(&d->line);
	}
}

/* The client's part alone: hello is not answered yet. */
static void desk_until_open(struct desk *d)
{
	while (d->opens == 0) {
		(void)uv_run(&d->line.loop, UV_RUN_NOWAIT);
	}
}

/* A server that has the room elsewhere, but only for the first that asks. */
static void desk_open_elsewhere(struct desk *d)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.get", .times = 1, .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
	};
	desk_open(d, rules, 1);
	line_until(&d->line, &d->ups, 1);
}

static void assert_hello_names(struct desk *d, size_t nth, const char *room_id)
{
	struct hello_params p;
	const struct scripted_request *hello =
		scripted_find(&d->line.server, METHOD_SESSION_HELLO, nth);
	assert_non_null(hello);
	scripted_read(&d->line.server, hello, &p);
	assert_int_equal(p.room_id.len, strlen(room_id));
	assert_memory_equal(p.room_id.data, room_id, p.room_id.len);
}

/* ---- the claims ---- */

TEST(test_the_room_that_is_named_stands_in_hello)
{
	static struct desk d;
	desk_open(&d, NULL, 0);
	connection_name_room(d.line.link, SLICE("K7QX3M"));
	line_until(&d.line, &d.ups, 1);
	assert_hello_names(&d, 0, "K7QX3M");
	line_close(&d.line);
}

TEST(test_what_is_elsewhere_is_asked_again_there_and_answered_once)
{
	static struct desk d;
	desk_open_elsewhere(&d);
	assert_hello_names(&d, 0, "");
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get");
	assert_int_equal(d.line.server.connections, 2);
	assert_hello_names(&d, 1, "K7QX3M");
	assert_int_equal(d.moves, 1);
	assert_int_equal(d.downs, 0);
	line_close(&d.line);
}

/* In their order; and nothing that was answered is asked again. */
TEST(test_those_made_before_are_answered_first_and_those_made_after_go_along)
{
	static struct desk d;
	desk_open_elsewhere(&d);
	desk_ask(&d, METHOD_GROUP_LIST);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_ask(&d, METHOD_QUESTION_LIST);
	desk_until(&d, "group.list question.list room.get");
	assert_int_equal(scripted_count(&d.line.server, METHOD_GROUP_LIST), 1);
	assert_int_equal(scripted_count(&d.line.server, METHOD_QUESTION_LIST), 1);
	assert_int_equal(scripted_count(&d.line.server, METHOD_ROOM_GET), 2);
	line_close(&d.line);
}

TEST(test_while_it_moves_requests_wait_and_follow_those_of_on_open)
{
	static struct desk d;
	desk_open_elsewhere(&d);
	desk_ask(&d, METHOD_ROOM_GET);
	line_until(&d.line, &d.moves, 1);
	d.asks_again = true;
	assert_true(connection_is_open(d.line.link));
	assert_true(connection_waits_ms(d.line.link) >= 0);
	desk_ask(&d, METHOD_GROUP_LIST);
	desk_until(&d, "room.subscribe room.get group.list");
	assert_int_equal(d.downs, 0);
	line_close(&d.line);
}

TEST(test_who_is_forgotten_while_it_moves_has_no_answer)
{
	static struct desk d;
	desk_open_elsewhere(&d);
	desk_ask(&d, METHOD_ROOM_GET);
	line_until(&d.line, &d.moves, 1);
	connection_forget(d.line.link, &d);
	line_until(&d.line, &d.ups, 2);
	assert_int_equal(scripted_count(&d.line.server, METHOD_ROOM_GET), 1);
	assert_string_equal(d.order, "");
	assert_int_equal(connection_waits_ms(d.line.link), -1);
	line_close(&d.line);
}

/* A connection that was to be for the room from the start, with its first request behind hello. */
TEST(test_hello_may_be_refused_a_few_times_until_the_nodes_agree)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello", .times = 3, .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
	};
	static struct desk d;
	desk_open(&d, rules, 1);
	connection_name_room(d.line.link, SLICE("K7QX3M"));
	d.asks_again = true;
	line_until(&d.line, &d.ups, 1);
	assert_int_equal(d.downs, 0);
	assert_int_equal(scripted_count(&d.line.server, METHOD_SESSION_HELLO), 4);
	line_close(&d.line);
}

/* It refuses fields that it does not know, and what stood behind hello was not done. */
TEST(test_a_server_of_before_is_not_told_of_the_room)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"VALIDATION_ERROR\",\"field\":\"room_id\",\"message\":\"is "
			 "unknown\"}"},
		{.method = "room.get",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAUTHENTICATED\",\"message\":\"say hello first\"}"},
	};
	static struct desk d;
	desk_open(&d, rules, 2);
	connection_name_room(d.line.link, SLICE("K7QX3M"));
	desk_until_open(&d);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get");
	assert_hello_names(&d, 0, "K7QX3M");
	assert_hello_names(&d, 1, "");
	assert_int_equal(d.downs, 0);
	line_close(&d.line);
}

/* Nodes have taken the place of that server: what it did not know does not hold for them. */
TEST(test_what_a_server_of_before_did_not_know_is_said_to_nodes_again)
{
	static const struct scripted_rule rules[] = {
		{.method = "session.hello",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"VALIDATION_ERROR\",\"field\":\"room_id\",\"message\":\"is "
			 "unknown\"}"},
		{.method = "room.get", .times = 1, .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
	};
	static struct desk d;
	desk_open(&d, rules, 2);
	connection_name_room(d.line.link, SLICE("K7QX3M"));
	line_until(&d.line, &d.ups, 1);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get");
	assert_hello_names(&d, 1, "");
	assert_hello_names(&d, 2, "K7QX3M");
	line_close(&d.line);
}

TEST(test_nodes_that_never_agree_are_given_up)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.get", .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
	};
	static struct desk d;
	desk_open(&d, rules, 1);
	line_until(&d.line, &d.ups, 1);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get:closed no server has this room at the moment");
	assert_int_equal(scripted_count(&d.line.server, METHOD_ROOM_GET), 2 + CONNECTION_MOVES_MAX);
	line_close(&d.line);
}

TEST(test_a_home_that_cannot_be_reached_answers_nobody)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.get", .times = 1, .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
		{.method = "session.hello", .times = 1},
		{.method = "session.hello", .act = SCRIPTED_HANGS_UP},
	};
	static struct desk d;
	desk_open(&d, rules, 3);
	line_until(&d.line, &d.ups, 1);
	desk_ask(&d, METHOD_ROOM_GET);
	line_until(&d.line, &d.downs, 1);
	assert_memory_equal(d.order, "room.get:closed ", strlen("room.get:closed "));
	assert_false(connection_is_open(d.line.link));
	line_close(&d.line);
}

/* Whoever keeps subscriptions that nobody would make again. */
TEST(test_a_connection_that_stays_passes_the_answer_on)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.get", .act = SCRIPTED_REFUSES, .json = ELSEWHERE},
	};
	static struct desk d;
	desk_open(&d, rules, 1);
	line_until(&d.line, &d.ups, 1);
	connection_stay(d.line.link);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get:refused");
	assert_int_equal(d.line.server.connections, 1);
	line_close(&d.line);
}

/* ---- nodes with addresses of their own ---- */

static void desk_open_with_home(struct desk *d, struct scripted *home)
{
	static char elsewhere[200];
	const struct scripted_rule rules[] = {
		{.method = "room.get", .times = 1, .act = SCRIPTED_REFUSES, .json = elsewhere},
	};
	scripted_open_tcp(home);
	(void)snprintf(elsewhere, sizeof(elsewhere),
		       "{\"code\":\"ELSEWHERE\",\"message\":\"on another node\","
		       "\"room_id\":\"K7QX3M\",\"home\":\"%s\"}",
		       home->address);
	desk_open_at(d, scripted_open_tcp, rules, 1);
	line_until(&d->line, &d->ups, 1);
	desk_ask(d, METHOD_ROOM_GET);
}

TEST(test_a_home_with_an_address_is_reached_there)
{
	static struct desk d;
	static struct scripted home;
	desk_open_with_home(&d, &home);
	while (strcmp(d.order, "room.get") != 0) {
		line_turn(&d.line);
		scripted_turn(&home, 1);
	}
	assert_int_equal(d.line.server.connections, 1);
	assert_int_equal(home.connections, 1);
	assert_int_equal(scripted_count(&home, METHOD_ROOM_GET), 1);
	assert_int_equal(d.downs, 0);
	line_close(&d.line);
	scripted_close(&home);
}

TEST(test_a_home_that_is_not_at_its_address_is_reached_by_the_server_s)
{
	static struct desk d;
	static struct scripted home;
	desk_open_with_home(&d, &home);
	scripted_close(&home);
	desk_until(&d, "room.get");
	assert_int_equal(d.line.server.connections, 2);
	assert_hello_names(&d, 1, "K7QX3M");
	assert_int_equal(d.downs, 0);
	line_close(&d.line);
}

/* Nobody typed that address, and nothing is pinned to it. */
TEST(test_a_home_is_not_reached_by_a_way_that_is_less_safe)
{
	static const struct scripted_rule rules[] = {
		{.method = "room.get",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"ELSEWHERE\",\"message\":\"on another node\","
			 "\"room_id\":\"K7QX3M\",\"home\":\"unix:/nowhere/at/all\"}"},
	};
	static struct desk d;
	desk_open_at(&d, scripted_open_tcp, rules, 1);
	line_until(&d.line, &d.ups, 1);
	desk_ask(&d, METHOD_ROOM_GET);
	desk_until(&d, "room.get");
	assert_int_equal(d.line.server.connections, 2);
	line_close(&d.line);
}
