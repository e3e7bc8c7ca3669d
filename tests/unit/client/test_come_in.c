/*
 * test_come_in.c - what leaves a client before it is answered, and what is told
 * when the answers are no.
 *
 * The server is the test, on a plain socket: it reads what is there, in one
 * read, and answers when and what the test says.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/net/connection_uv.h"
#include "client/net/room_client_uv.h"
#include "proto/frame_scan.h"
#include "proto/rpc.h"
#include "tests/support/test.h"

/* Nothing here takes long; a test that turns this often for nothing is broken. */
#define TURNS_MAX 20000

#define KEY   "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

struct desk {
	struct loop loop;
	char dir[64];
	struct address address;
	int listener;
	int peer;	/* -1: nobody has come */
	uint32_t msgid; /* of the next answer: they are given in the order of the questions */
	struct buf answers;
	struct room_client *client;
	struct connection *link;
	struct sign_in sign_in;
	unsigned kept; /* the token was */
	unsigned ups, downs, tellings, bits, answers_n, refusals_n;
	struct fault refusal; /* the last of those */
	char dropped[200];
	char why[200];
};

/* ---- the server ---- */

static void desk_listen(struct desk *d)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	(void)snprintf(to.sun_path, sizeof(to.sun_path), "%s", d->address.path);
	d->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_true(d->listener >= 0);
	assert_int_equal(bind(d->listener, (struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(listen(d->listener, 8), 0);
	assert_int_equal(fcntl(d->listener, F_SETFL, O_NONBLOCK), 0);
}

static void turn(struct desk *d)
{
	uv_update_time(&d->loop.uv);
	(void)uv_run(&d->loop.uv, UV_RUN_NOWAIT);
}

static int unread(const struct desk *d)
{
	int n = 0;
	assert_int_equal(ioctl(d->peer, FIONREAD, &n), 0);
	return n;
}

/* The methods that one read brings, in their order. */
static void hear(struct desk *d, const char *expected)
{
	static char bytes[65536];
	char heard[256] = "";
	struct decoder decoder = {0};
	while (d->peer < 0) {
		d->peer = accept(d->listener, NULL, NULL);
		if (d->peer < 0) {
			(void)uv_run(&d->loop.uv, UV_RUN_ONCE); /* a pause is over by a timer */
		}
	}
	for (unsigned i = 0; unread(d) == 0; i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
	ssize_t n = recv(d->peer, bytes, sizeof(bytes), 0);
	assert_true(n > 0);
	for (size_t at = 0; at < (size_t)n;) {
		struct rpc_message m;
		struct frame_scan scan;
		bool answerable;
		frame_scan_init(&scan);
		assert_int_equal(frame_scan_value(&scan, slice_of(bytes + at, (size_t)n - at),
						  sizeof(bytes)),
				 OK);
		assert_int_equal(rpc_decode(&decoder, slice_of(bytes + at, scan.at), &m,
					    &answerable),
				 OK);
		size_t len = strlen(heard);
		(void)snprintf(heard + len, sizeof(heard) - len, "%s%.*s", len > 0 ? " " : "",
			       (int)m.method.len, m.method.data);
		at += scan.at;
	}
	decoder_finish(&decoder);
	assert_string_equal(heard, expected);
}

static void hear_nothing(struct desk *d)
{
	for (unsigned i = 0; i < 20; i++) {
		turn(d);
	}
	assert_int_equal(unread(d), 0);
}

static void grant(struct desk *d, enum method method, const void *result)
{
	rpc_write_result(&d->answers, d->msgid++, method_rows[method].result, result);
}

static void refuse(struct desk *d, enum fault_code code, const char *why)
{
	struct fault f = {0};
	fault_set(&f, code, "%s", why);
	rpc_write_fault(&d->answers, d->msgid++, &f);
}

static void grant_hello(struct desk *d)
{
	struct hello_result r = {.protocol = 1,
				 .server = SLICE("test"),
				 .limits = SLICE("\x80"),
				 .nonce = SLICE(KEY)};
	grant(d, METHOD_SESSION_HELLO, &r);
}

/* Everything that was granted and refused leaves in one write. */
static void say(struct desk *d)
{
	assert_int_equal(d->answers.error, OK);
	assert_int_equal(send(d->peer, d->answers.data, d->answers.len, 0), d->answers.len);
	buf_clear(&d->answers);
}

static void turn_until(struct desk *d, const unsigned *count, unsigned wanted)
{
	for (unsigned i = 0; *count < wanted; i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
}

/* ---- the client ---- */

static void on_event(void *owner, const struct event *event)
{
	struct desk *d = owner;
	if (event->kind == EVENT_NEWS) {
		d->tellings++;
		d->bits |= event->news;
	} else if (event->kind == EVENT_UP) {
		d->ups++;
	} else if (event->kind == EVENT_DOWN) {
		d->downs++;
		(void)snprintf(d->why, sizeof(d->why), "%s", event->why);
	} else if (event->kind == EVENT_HELD) {
		(void)snprintf(d->dropped, sizeof(d->dropped), "%s", event->why);
	} else if (event->kind == EVENT_ANSWER) {
		d->answers_n++;
	} else if (event->kind == EVENT_REFUSAL) {
		d->refusals_n++;
		d->refusal = *event->fault;
	}
}

static bool sign(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
		 char signature[SIGNATURE_CHARS + 1])
{
	(void)owner;
	assert_true(slice_eq(text, SLICE("aye-login-1\nAda\n" KEY "\n")));
	memset(public_key, 'P', KEY_CHARS);
	public_key[KEY_CHARS] = '\0';
	memset(signature, 'S', SIGNATURE_CHARS);
	signature[SIGNATURE_CHARS] = '\0';
	return true;
}

static void keep(void *owner, const struct sign_in *s)
{
	struct desk *d = owner;
	(void)s;
	d->kept++;
}

static const struct sign_in_handler sign_in_handler = {.sign = sign, .keep = keep};

static void desk_open(struct desk *d)
{
	char text[100];
	struct errmsg why;
	*d = (struct desk){.dir = "/tmp/aye-come-in-XXXXXX", .peer = -1};
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	assert_non_null(mkdtemp(d->dir));
	(void)snprintf(text, sizeof(text), "unix:%s/s", d->dir);
	assert_int_equal(address_parse(text, &d->address, &why), OK);
	loop_open(&d->loop, NULL, NULL);
	buf_init(&d->answers, 65536);
	desk_listen(d);
}

static void desk_open_client(struct desk *d)
{
	struct room_client_options o = {
		.address = d->address,
		.sign_in = d->sign_in.on == NULL ? NULL : &d->sign_in,
		.keeps_trying = true,
		.on_event = on_event,
		.owner = d,
	};
	d->client = room_client_open(&d->loop, &o);
}

/* An arm of the reveal is what means nothing any more. */
static bool refuses(const struct request *r, const struct replica *room, char *out, size_t cap)
{
	assert_true(room->has_state);
	(void)snprintf(out, cap, "The cards are open");
	return r->method == METHOD_REVEAL_ARM;
}

static void desk_enter(struct desk *d, const char *name)
{
	struct room_entry entry = {.room_id = "K7QX3M", .name = name, .refuses = refuses};
	if (d->client == NULL) {
		desk_open_client(d);
	}
	room_client_enter(d->client, &entry);
}

/* The client that is opened next is this user. */
static void desk_sign_in(struct desk *d, const char *token)
{
	(void)snprintf(d->sign_in.user_name, sizeof(d->sign_in.user_name), "Ada");
	(void)snprintf(d->sign_in.token, sizeof(d->sign_in.token), "%s", token);
	d->sign_in.on = &sign_in_handler;
	d->sign_in.owner = d;
}

static void desk_close(struct desk *d)
{
	room_client_close(d->client);
	connection_close(d->link);
	loop_close(&d->loop);
	buf_finish(&d->answers);
	(void)close(d->peer);
	(void)close(d->listener);
	(void)unlink(d->address.path);
	assert_int_equal(rmdir(d->dir), 0);
}

/* ---- in one write ---- */

static void grant_the_room(struct desk *d)
{
	static struct slice cards[] = {{"1", 1}, {"2", 1}};
	struct room_subscribe_result seat = {.user_key = SLICE(KEY),
					     .user_id = SLICE("U1"),
					     .epoch = 7,
					     .version = 2};
	struct room_join_result name = {.user_id = SLICE("U1"), .version = 2, .with_version = true};
	struct room_you you = {.room_id = SLICE("K7QX3M"),
			       .user_id = SLICE("U1"),
			       .username = SLICE("Ada"),
			       .role = ROLE_VOTER};
	struct room_update room = {
		.room_id = SLICE("K7QX3M"),
		.epoch = 7,
		.since = 2,
		.version = 2,
		.full = true,
		.with_full = true,
		.room = {.valid_sizes = {cards, 2},
			 .round = 1,
			 .phase = PHASE_VOTING,
			 .story_round = 1,
			 .policy = {.who_reveals = WHO_MAY_HOST,
				    .who_resets = WHO_MAY_HOST,
				    .who_edits_stories = WHO_MAY_EVERYONE,
				    .who_edits_data = DATA_EDITORS_MEMBERS}},
		.with_room = true,
	};
	grant(d, METHOD_ROOM_SUBSCRIBE, &seat);
	grant(d, METHOD_ROOM_JOIN, &name);
	rpc_write_notice(&d->answers, SLICE("room.you"), &record_room_you, &you);
	rpc_write_notice(&d->answers, SLICE("room.update"), &record_room_update, &room);
}

#define DESK_TEST(name, d) TEST_OF(name, struct desk, d, desk_open(d), desk_close(d))

DESK_TEST(test_coming_in_is_one_write_and_one_answer, d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	hear_nothing(d);
	assert_false(room_client_is_up(d->client));
	grant_hello(d);
	grant_the_room(d);
	say(d);
	for (unsigned i = 0; !membership_is_settled(room_client_membership(d->client)); i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
	assert_int_equal(d->ups, 1);
	assert_string_equal(room_client_membership(d->client)->room.you.username.data, "Ada");
	hear_nothing(d);
}

DESK_TEST(test_who_only_watches_asks_for_the_room_with_hello, d)
{
	desk_enter(d, NULL);
	hear(d, "session.hello room.subscribe");
}

DESK_TEST(test_a_token_goes_with_hello_and_the_room_waits_for_its_answer, d)
{
	struct session_result r = {.user_id = SLICE("U1"), .user_name = SLICE("Ada")};
	desk_sign_in(d, TOKEN);
	desk_enter(d, "Ada");
	hear(d, "session.hello session.resume");
	grant_hello(d);
	say(d);
	hear_nothing(d);
	grant(d, METHOD_SESSION_RESUME, &r);
	say(d);
	hear(d, "room.subscribe"); /* and not the name: the user's seat may have it */
	assert_int_equal(d->ups, 1);
}

DESK_TEST(test_a_key_signs_what_hello_brings, d)
{
	struct login_result r = {.token = SLICE(TOKEN),
				 .user_id = SLICE("U1"),
				 .user_name = SLICE("Ada")};
	desk_sign_in(d, "");
	desk_enter(d, "Ada");
	hear(d, "session.hello");
	hear_nothing(d);
	grant_hello(d);
	say(d);
	hear(d, "session.login");
	hear_nothing(d);
	grant(d, METHOD_SESSION_LOGIN, &r);
	say(d);
	hear(d, "room.subscribe");
}

DESK_TEST(test_who_may_not_sign_in_comes_in_as_a_stranger, d)
{
	desk_sign_in(d, "");
	desk_enter(d, "Ada");
	hear(d, "session.hello");
	grant_hello(d);
	say(d);
	hear(d, "session.login");
	refuse(d, FAULT_UNAUTHENTICATED, "no");
	say(d);
	hear(d, "room.subscribe room.join");
}

/* ---- no ---- */

DESK_TEST(test_a_refused_hello_is_told_once_and_nothing_behind_it, d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	refuse(d, FAULT_VALIDATION_ERROR, "this server speaks protocol 9");
	refuse(d, FAULT_UNAUTHENTICATED, "call session.hello first");
	refuse(d, FAULT_UNAUTHENTICATED, "call session.hello first");
	say(d);
	turn_until(d, &d->downs, 1);
	assert_string_equal(d->why, "the server refuses us: this server speaks protocol 9");
	assert_int_equal(d->ups, 0);
	assert_int_equal(d->tellings, 0);
	/* The next try comes after a pause, and says the same. */
	(void)close(d->peer);
	d->peer = -1;
	(void)uv_run(&d->loop.uv, UV_RUN_ONCE);
	hear(d, "session.hello room.subscribe room.join");
	assert_int_equal(d->downs, 1);
}

DESK_TEST(test_a_refused_hello_does_not_cost_the_token, d)
{
	desk_sign_in(d, TOKEN);
	desk_enter(d, "Ada");
	hear(d, "session.hello session.resume");
	refuse(d, FAULT_VALIDATION_ERROR, "this server speaks protocol 9");
	refuse(d, FAULT_UNAUTHENTICATED, "call session.hello first");
	say(d);
	turn_until(d, &d->downs, 1);
	assert_string_equal(d->sign_in.token, TOKEN);
	assert_int_equal(d->kept, 0);
}

DESK_TEST(test_a_refused_room_is_told_once_with_its_own_words, d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	refuse(d, FAULT_ROOM_NOT_FOUND, "there is no such room");
	refuse(d, FAULT_UNAUTHENTICATED, "that needs a seat");
	say(d);
	turn_until(d, &d->tellings, 1);
	hear_nothing(d);
	assert_int_equal(d->tellings, 1);
	assert_int_equal(d->bits, MEMBERSHIP_NEWS_ENDED | MEMBERSHIP_NEWS_REFUSED);
	assert_string_equal(room_client_membership(d->client)->fault.message,
			    "there is no such room");
	assert_int_equal(d->ups, 1);
	assert_int_equal(d->downs, 0);
}

/* ---- the link alone ---- */

static void on_answer(void *arg, const struct answer *a)
{
	(void)arg, (void)a;
}

static void ask(struct desk *d, struct slice method)
{
	assert_int_equal(connection_request(d->link, method, (struct slice){0}, on_answer, d, NULL),
			 OK);
}

static void connection_on_open_asks(void *owner)
{
	struct desk *d = owner;
	d->peer = accept(d->listener, NULL, NULL);
	assert_true(d->peer >= 0);
	assert_true(connection_is_stranger(d->link));
	ask(d, SLICE("one"));
	ask(d, SLICE("two"));
	assert_false(connection_is_stranger(d->link));
	assert_int_equal(unread(d), 0); /* not even hello */
}

static void connection_on_up_asks(void *owner)
{
	struct desk *d = owner;
	d->ups++;
	ask(d, SLICE("three"));
	ask(d, SLICE("four"));
	assert_int_equal(unread(d), 0);
}

static void connection_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct desk *d = owner;
	(void)why, (void)retry_ms;
	d->downs++;
}

static void connection_on_notice(void *owner, struct slice method,
				 const struct msgpack_object *params)
{
	(void)owner, (void)method, (void)params;
}

DESK_TEST(test_what_is_asked_in_a_callback_leaves_when_it_returns, d)
{
	static const struct connection_handler asks = {.on_open = connection_on_open_asks,
						       .on_up = connection_on_up_asks,
						       .on_down = connection_on_down,
						       .on_notice = connection_on_notice};
	d->link = connection_open(&d->loop.uv, &d->address, false, &asks, d);
	while (d->peer < 0) {
		turn(d);
	}
	hear(d, "session.hello one two");
	grant_hello(d);
	say(d);
	hear(d, "three four");
	connection_hold(d->link);
	ask(d, SLICE("five"));
	ask(d, SLICE("six"));
	hear_nothing(d);
	connection_let_go(d->link);
	hear(d, "five six");
	assert_int_equal(d->ups, 1);
}

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
	assert_int_equal(room_client_send(d->client, SLICE("room.create"), (struct slice){0}, NULL),
			 OK);
	hear(d, "room.create");
	desk_enter(d, "Ada");
	hear(d, "room.subscribe");
	hear_nothing(d);
}

DESK_TEST(test_a_room_that_is_left_costs_no_connection_and_answers_nothing_more, d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	grant_the_room(d);
	say(d);
	turn_until(d, &d->tellings, 1);
	struct room_get_params p = {.room_id = SLICE("K7QX3M")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_GET, &p, NULL), OK);
	room_client_exit(d->client);
	hear(d, "room.get room.unsubscribe");
	refuse(d, FAULT_FORBIDDEN, "no");
	grant(d, METHOD_ROOM_UNSUBSCRIBE, &(struct version_result){.version = 0});
	unsigned before = d->tellings;
	say(d);
	hear_nothing(d);
	assert_int_equal(d->answers_n + d->refusals_n, 0);
	assert_int_equal(d->tellings, before);
	assert_true(room_client_is_up(d->client));
	desk_enter(d, NULL);
	hear(d, "room.subscribe");
}

/* ---- what was done is shown ---- */

DESK_TEST(test_it_is_settled_when_the_room_shows_what_was_asked_for, d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	grant_the_room(d);
	say(d);
	while (!room_client_is_settled(d->client)) {
		turn(d);
	}
	struct room_set_title_params p = {.room_id = SLICE("K7QX3M"), .title = SLICE("Sprint")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_SET_TITLE, &p, NULL), OK);
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

DESK_TEST(test_a_request_without_an_answer_when_the_connection_ends_is_refused_once, d)
{
	desk_open_client(d);
	hear(d, "session.hello");
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 1);
	struct room_params p = {.room_id = SLICE("K7QX3M")};
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_UNSUBSCRIBE, &p, NULL), OK);
	hear(d, "room.unsubscribe");
	(void)close(d->peer);
	turn_until(d, &d->downs, 1);
	assert_int_equal(d->refusals_n, 1);
	assert_int_equal(d->refusal.code, FAULT_UNAVAILABLE);
	assert_int_equal(room_client_call(d->client, METHOD_ROOM_UNSUBSCRIBE, &p, NULL),
			 ERR_CLOSED);
	d->peer = -1;
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
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	grant_the_room(d);
	say(d);
	while (!room_client_is_settled(d->client)) {
		turn(d);
	}
	(void)close(d->peer);
	d->peer = -1;
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
	assert_string_equal(d->dropped, "What waited was not done (arm): The cards are open.\n");
	assert_int_equal(room_client_held(d->client)->n, 0);
	assert_false(room_client_is_settled(d->client));
}

/* ---- passcodes ---- */

static bool type_passcode(void *asker, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1])
{
	unsigned *asked = asker;
	assert_int_equal(tries, *asked);
	(*asked)++;
	(void)snprintf(out, MEMBERSHIP_PASSCODE_BYTES_MAX + 1, "open");
	return true;
}

/* Come in with that passcode, or none, and be refused. */
static void enter_and_be_refused(struct desk *d, unsigned *asked, const char *passcode,
				 enum fault_code code)
{
	desk_open_client(d);
	struct room_entry entry = {.room_id = "K7QX3M",
				   .passcode = passcode,
				   .ask_passcode = type_passcode,
				   .asker = asked};
	room_client_enter(d->client, &entry);
	hear(d, "session.hello room.subscribe");
	grant_hello(d);
	refuse(d, code, "not so");
	say(d);
}

DESK_TEST(test_a_passcode_is_asked_for_where_one_is_wanted_three_times, d)
{
	unsigned asked = 0;
	enter_and_be_refused(d, &asked, "", FAULT_PASSCODE_REQUIRED);
	for (unsigned tries = 1; tries <= ROOM_PASSCODE_TRIES; tries++) {
		hear(d, "room.subscribe");
		assert_int_equal(asked, tries);
		assert_int_equal(d->tellings, 0);
		refuse(d, FAULT_PASSCODE_REQUIRED, "not so");
		say(d);
	}
	turn_until(d, &d->tellings, 1);
	assert_int_equal(asked, ROOM_PASSCODE_TRIES);
	assert_int_equal(d->bits, MEMBERSHIP_NEWS_ENDED | MEMBERSHIP_NEWS_REFUSED);
}

DESK_TEST(test_for_an_unknown_code_no_passcode_is_asked_for, d)
{
	unsigned asked = 0;
	enter_and_be_refused(d, &asked, "", FAULT_ROOM_NOT_FOUND);
	turn_until(d, &d->tellings, 1);
	assert_int_equal(asked, 0);
	assert_int_equal(d->bits, MEMBERSHIP_NEWS_ENDED | MEMBERSHIP_NEWS_REFUSED);
}

DESK_TEST(test_instead_of_a_passcode_that_was_given_none_is_asked_for, d)
{
	unsigned asked = 0;
	enter_and_be_refused(d, &asked, "sesame", FAULT_PASSCODE_REQUIRED);
	turn_until(d, &d->tellings, 1);
	assert_int_equal(asked, 0);
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
	char expected[400];
	struct room_client *c = begin_early(d);
	refuse(d, FAULT_VALIDATION_ERROR, "this server speaks protocol 9");
	refuse(d, FAULT_UNAUTHENTICATED, "call session.hello first");
	say(d);
	assert_int_equal(ping(c, INT32_MAX, &result), ERR_CLOSED);
	(void)snprintf(expected, sizeof(expected),
		       "cannot reach %s: the server refuses us: this server speaks protocol 9",
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
	(void)close(d->peer);
	d->peer = -1;
	struct room_client *c = begin_early(d);
	assert_int_equal(ping(c, 1, &result), ERR_CLOSED);
	assert_non_null(strstr(room_client_why(c), "cannot reach unix:"));
	assert_non_null(strstr(room_client_why(c), ": no answer in time"));
	room_client_close(c);
}
