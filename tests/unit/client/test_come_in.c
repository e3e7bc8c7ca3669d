/*
 * test_come_in.c - what leaves a client before it is answered, and what its owner is
 * told when the answers are no.
 */
#include "tests/unit/client/room_client_kit.h"

/* ---- in one write ---- */

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
	assert_string_equal(d->why, "the server refused: this server speaks protocol 9");
	assert_int_equal(d->ups, 0);
	assert_int_equal(d->tellings, 0);
	/* The next try comes after a pause, and says the same. */
	hang_up(d);
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
	assert_int_equal(connection_request(d->link, method, (struct slice){0}, on_answer, d), OK);
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
