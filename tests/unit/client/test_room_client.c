/*
 * test_room_client.c - a client in and out of rooms: what it waits for, what it keeps
 * for a server that is away, and a program that calls from top to bottom.
 */
#include "tests/unit/client/room_client_kit.h"

/* ---- in and out of rooms on one connection ---- */

DESK_TEST(test_a_client_that_is_not_up_yet_enters_a_room, d)
{
	desk_open_client(d);
	hear(d, "session.hello");
	desk_enter(d, "Ada");
	hear(d, "room.subscribe room.join");
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 1);
	hear_nothing(d);
}

/* It may have been in the room before, and have its seat there. */
DESK_TEST(test_on_a_connection_that_was_used_the_name_waits_for_the_seat, d)
{
	desk_open_client(d);
	hear(d, "session.hello");
	assert_int_equal(room_client_send(d->client, SLICE("room.create"), (struct slice){0},
					  on_reply, d),
			 OK);
	hear(d, "room.create");
	desk_enter(d, "Ada");
	hear(d, "room.subscribe");
	hear_nothing(d);
}

static enum err ping_for(struct desk *d, reply_fn *on, void *owner)
{
	return room_client_call(d->client, METHOD_SERVER_PING, &(struct nothing){0}, on, owner);
}

/* What is about it; whoever asks the same server something else has their reply. */
DESK_TEST(test_a_room_that_is_left_costs_no_connection_and_answers_nothing_more, d)
{
	desk_come_in(d);
	struct room_get_params p = {.room_id = SLICE("K7QX3M")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_GET, &p, on_reply, d), OK);
	assert_int_equal(ping_for(d, on_reply, d), OK);
	room_client_exit(d->client);
	hear(d, "room.get server.ping room.unsubscribe");
	refuse(d, FAULT_FORBIDDEN, "no");
	grant(d, METHOD_SERVER_PING, &(struct ping_result){.now = 7});
	grant(d, METHOD_ROOM_UNSUBSCRIBE, &(struct version_result){.version = 0});
	unsigned before = d->tellings;
	say(d);
	turn_until(d, &d->answers_n, 1);
	hear_nothing(d);
	assert_int_equal(d->answers_n + d->refusals_n, 1);
	assert_int_equal(d->tellings, before);
	assert_true(room_client_is_up(d->client));
	desk_enter(d, NULL);
	hear(d, "room.subscribe");
}

/* ---- who asked ---- */

/* One who asks, and what comes of it. */
struct asker {
	struct desk *desk;
	const void *forgets; /* with the first reply; NULL: nobody */
	unsigned replies_n;
	enum err error;
	int64_t now;
};

static void asker_on_reply(void *owner, const struct reply *r)
{
	struct asker *a = owner;
	const struct ping_result *ping = r->result;
	assert_true(r->is_refused == (ping == NULL));
	assert_true(r->is_refused == (r->fault.code != FAULT_NONE));
	a->replies_n++;
	a->error = r->error;
	a->now = ping == NULL ? -1 : ping->now;
	if (a->forgets != NULL) {
		room_client_forget(a->desk->client, a->forgets);
	}
}

static void asker_on_reply_closes(void *owner, const struct reply *r)
{
	struct asker *a = owner;
	asker_on_reply(a, r);
	room_client_close(a->desk->client);
	a->desk->client = NULL;
}

static void desk_up(struct desk *d)
{
	desk_open_client(d);
	hear(d, "session.hello");
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 1);
}

DESK_TEST(test_each_reply_comes_to_who_asked, d)
{
	struct asker ada = {.desk = d};
	struct asker bo = {.desk = d};
	desk_up(d);
	assert_int_equal(ping_for(d, asker_on_reply, &ada), OK);
	assert_int_equal(ping_for(d, asker_on_reply, &bo), OK);
	assert_int_equal(ping_for(d, asker_on_reply, &ada), OK);
	hear(d, "server.ping server.ping server.ping");
	for (int64_t now = 1; now <= 3; now++) {
		grant(d, METHOD_SERVER_PING, &(struct ping_result){.now = now});
	}
	say(d);
	turn_until(d, &ada.replies_n, 2);
	assert_int_equal(ada.now, 3);
	assert_int_equal(bo.replies_n, 1);
	assert_int_equal(bo.now, 2);
}

/* Also from within the reply before it, and where the connection ends. */
DESK_TEST(test_whoever_was_forgotten_has_no_reply, d)
{
	struct asker bo = {.desk = d};
	struct asker ada = {.desk = d, .forgets = &bo};
	desk_up(d);
	assert_int_equal(ping_for(d, asker_on_reply, &bo), OK);
	room_client_forget(d->client, &bo);
	assert_int_equal(ping_for(d, asker_on_reply, &ada), OK);
	assert_int_equal(ping_for(d, asker_on_reply, &bo), OK);
	hear(d, "server.ping server.ping server.ping");
	for (int64_t now = 1; now <= 3; now++) {
		grant(d, METHOD_SERVER_PING, &(struct ping_result){.now = now});
	}
	say(d);
	turn_until(d, &ada.replies_n, 1);
	assert_int_equal(ada.now, 2);
	assert_int_equal(ping_for(d, asker_on_reply, &bo), OK);
	room_client_forget(d->client, &bo);
	hang_up(d);
	turn_until(d, &d->downs, 1);
	assert_int_equal(bo.replies_n, 0);
}

/* The connection ends: each is answered once, also those behind one that closes the client. */
DESK_TEST(test_a_reply_may_close_the_client, d)
{
	struct asker ada = {.desk = d};
	struct asker bo = {.desk = d};
	desk_up(d);
	assert_int_equal(ping_for(d, asker_on_reply_closes, &ada), OK);
	assert_int_equal(ping_for(d, asker_on_reply, &bo), OK);
	hear(d, "server.ping server.ping");
	hang_up(d);
	turn_until(d, &ada.replies_n, 1);
	assert_int_equal(ada.error, ERR_CLOSED);
	for (unsigned i = 0; i < 20; i++) {
		turn(d);
	}
	assert_int_equal(ada.replies_n, 1);
	assert_int_equal(bo.replies_n, 0);
}

DESK_TEST(test_an_answer_that_is_none_of_the_method_s_is_a_refusal, d)
{
	struct asker ada = {.desk = d};
	desk_up(d);
	assert_int_equal(ping_for(d, asker_on_reply, &ada), OK);
	hear(d, "server.ping");
	grant(d, METHOD_ROOM_SET_TITLE, &(struct version_result){.version = 3});
	say(d);
	turn_until(d, &ada.replies_n, 1);
	assert_int_equal(ada.error, ERR_PROTO);
}

/* ---- what was done is shown ---- */

DESK_TEST(test_it_is_settled_when_the_room_shows_what_was_asked_for, d)
{
	desk_come_in(d);
	struct room_set_title_params p = {.room_id = SLICE("K7QX3M"), .title = SLICE("Sprint")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_SET_TITLE, &p, on_reply, d), OK);
	assert_false(room_client_is_settled(d->client)); /* not answered */
	hear(d, "room.set_title");
	grant(d, METHOD_ROOM_SET_TITLE, &(struct version_result){.version = 3});
	say(d);
	turn_until(d, &d->answers_n, 1);
	assert_false(room_client_is_settled(d->client)); /* not shown */
	struct room_update shown = {.room_id = SLICE("K7QX3M"),
				    .epoch = 7,
				    .since = 2,
				    .version = 3};
	rpc_write_notice(&d->answers, SLICE("room.update"), &record_room_update, &shown);
	unsigned before = d->tellings;
	say(d);
	turn_until(d, &d->tellings, before + 1);
	assert_true(room_client_is_settled(d->client));
}

/* Whoever writes down how the room stands does so a few times a second, however much happens in it. */
DESK_TEST(test_a_burst_of_updates_is_one_snapshot_and_the_last_of_them_is_in_it, d)
{
	desk_come_in(d);
	uint64_t began_ms = uv_now(&d->loop.uv);
	unsigned before = d->tellings;
	for (int64_t version = 2; version < 102; version++) {
		struct room_update shown = {.room_id = SLICE("K7QX3M"),
					    .epoch = 7,
					    .since = version,
					    .version = version + 1};
		rpc_write_notice(&d->answers, SLICE("room.update"), &record_room_update, &shown);
	}
	say(d);
	turn_until(d, &d->tellings, before + 100);
	while (d->snapshot_version < 102) {
		(void)uv_run(&d->loop.uv, UV_RUN_ONCE);
	}
	assert_in_range(d->snapshots, 1, 1 + (uv_now(&d->loop.uv) - began_ms) / 200);
}

DESK_TEST(test_a_room_that_was_left_has_no_snapshot, d)
{
	desk_come_in(d);
	unsigned before = d->snapshots;
	room_client_exit(d->client);
	uint64_t left_ms = uv_now(&d->loop.uv);
	room_client_wake_in(d->client, 250);
	while (uv_now(&d->loop.uv) < left_ms + 250) {
		(void)uv_run(&d->loop.uv, UV_RUN_ONCE);
	}
	assert_int_equal(d->snapshots, before);
}

DESK_TEST(test_a_request_without_an_answer_when_the_connection_ends_is_refused_once, d)
{
	desk_open_client(d);
	hear(d, "session.hello");
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 1);
	struct room_params p = {.room_id = SLICE("K7QX3M")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_UNSUBSCRIBE, &p, on_reply, d), OK);
	hear(d, "room.unsubscribe");
	hang_up(d);
	turn_until(d, &d->downs, 1);
	assert_int_equal(d->refusals_n, 1);
	assert_int_equal(d->refusal.code, FAULT_UNAVAILABLE);
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_UNSUBSCRIBE, &p, on_reply, d),
			 ERR_CLOSED);
}

static void hold(struct desk *d, enum method method, const char *name)
{
	struct request *r = request_make(method);
	r->name = name;
	assert_true(room_client_hold(d->client, r));
	request_free(r);
}

DESK_TEST(test_what_is_held_goes_out_in_order_when_the_room_is_known_again, d)
{
	desk_come_in(d);
	hang_up(d);
	d->msgid = 0;
	turn_until(d, &d->downs, 1);
	hold(d, METHOD_ROOM_RESET, "reset");
	hold(d, METHOD_REVEAL_ARM, "arm");
	hold(d, METHOD_STORY_ADD, "add");
	hear(d, "session.hello room.subscribe");
	d->msgid = 3; /* they are numbered on */
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 2);
	hear_nothing(d); /* up, and the room not known */
	grant(d, METHOD_ROOM_SUBSCRIBE,
	      &(struct room_subscribe_result){
		      .user_key = SLICE(KEY), .user_id = SLICE("U1"), .epoch = 7, .version = 2});
	struct room_you you = {.room_id = SLICE("K7QX3M"),
			       .user_id = SLICE("U1"),
			       .username = SLICE("Ada"),
			       .role = ROLE_VOTER};
	rpc_write_notice(&d->answers, SLICE("room.you"), &record_room_you, &you);
	say(d);
	hear(d, "room.reset");
	assert_int_equal(room_client_held(d->client)->n, 2);
	refuse(d, FAULT_FORBIDDEN, "only the host");
	say(d);
	hear(d, "story.add");
	assert_string_equal(d->dropped, "Not sent (arm): The cards are open.\n");
	assert_int_equal(room_client_held(d->client)->n, 0);
	assert_false(room_client_is_settled(d->client));
}

/* ---- a program that goes from top to bottom ---- */

/* A client that has begun while nobody has answered anything. */
static struct room_client *begin_early(struct desk *d)
{
	struct errmsg why = {""};
	struct room_client_options o = {.address = d->address};
	struct room_client *c = room_client_open(NULL, &o);
	assert_int_equal(room_client_connect(c, false, INT32_MAX, &why), OK);
	hear(d, "session.hello");
	return c;
}

static enum err ping(struct room_client *c, int64_t timeout_ms, struct ping_result *result)
{
	struct arena arena = {0};
	struct reply reply = {.is_refused = false};
	enum err e = room_client_ask_record(c, METHOD_SERVER_PING, &(struct nothing){0}, timeout_ms,
					    &arena, result, &reply);
	assert_false(reply.is_refused);
	arena_finish(&arena);
	return e;
}

DESK_TEST(test_the_first_call_does_not_wait_for_hello, d)
{
	struct ping_result result = {.now = 0};
	struct room_client *c = begin_early(d);
	grant_hello(d);
	grant(d, METHOD_SERVER_PING, &(struct ping_result){.now = 7});
	say(d);
	assert_int_equal(ping(c, INT32_MAX, &result), OK);
	assert_int_equal(result.now, 7);
	hear(d, "server.ping");
	room_client_close(c);
}

DESK_TEST(test_a_first_call_behind_a_refused_hello_reaches_nobody, d)
{
	struct ping_result result;
	char expected[640];
	struct room_client *c = begin_early(d);
	refuse(d, FAULT_VALIDATION_ERROR, "this server speaks protocol 9");
	refuse(d, FAULT_UNAUTHENTICATED, "call session.hello first");
	say(d);
	assert_int_equal(ping(c, INT32_MAX, &result), ERR_CLOSED);
	(void)snprintf(expected, sizeof(expected),
		       "cannot reach %s: the server refused: this server speaks protocol 9",
		       d->address.text);
	assert_string_equal(room_client_why(c), expected);
	room_client_close(c);
}

DESK_TEST(test_a_server_that_says_nothing_is_not_reached, d)
{
	struct ping_result result;
	struct errmsg why = {""};
	struct room_client_options o = {.address = d->address};
	struct room_client *waiting = room_client_open(NULL, &o);
	assert_int_equal(room_client_connect(waiting, true, 1, &why), ERR_UNKNOWN);
	assert_string_equal(why.text, "no answer in time");
	hear(d, "session.hello");
	room_client_close(waiting);
	hang_up(d);
	struct room_client *c = begin_early(d);
	assert_int_equal(ping(c, 1, &result), ERR_CLOSED);
	assert_non_null(strstr(room_client_why(c), "cannot reach unix:"));
	assert_non_null(strstr(room_client_why(c), ": no answer in time"));
	room_client_close(c);
}

/* ---- a server of several nodes ---- */

static void refuse_elsewhere(struct desk *d)
{
	struct fault f = {0};
	fault_set(&f, FAULT_ELSEWHERE, "another node has the room");
	f.room_id = SLICE("K7QX3M");
	rpc_write_fault(&d->answers, d->msgid++, &f);
}

DESK_TEST(test_a_room_of_another_node_is_entered_there_without_a_word, d)
{
	desk_up(d);
	desk_enter(d, "Ada");
	hear(d, "room.subscribe room.join");
	refuse_elsewhere(d);
	refuse_elsewhere(d);
	say(d);
	turn_until_closed(d);
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	grant_the_room(d);
	say(d);
	turn_until_settled(d);
	assert_true(room_client_membership(d->client)->has_you);
	assert_int_equal(d->ups, 2);
	assert_int_equal(d->downs, 0);
	assert_int_equal(d->bits & MEMBERSHIP_NEWS_ENDED, 0);
}
