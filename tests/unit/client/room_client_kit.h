/*
 * room_client_kit.h - a client, and a server that is the test.
 *
 * The server is a plain socket: the test reads what is there, in one read, and
 * answers when and what it wants.
 */
#ifndef TESTS_UNIT_CLIENT_ROOM_CLIENT_KIT_H
#define TESTS_UNIT_CLIENT_ROOM_CLIENT_KIT_H

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
#include "client/net/room_client_wait_uv.h"
#include "proto/base/frame_scan.h"
#include "proto/rpc.h"
#include "tests/support/test.h"
#include "tests/unit/client/view_kit.h"

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
	unsigned ups, downs, tellings, bits, snapshots, answers_n, refusals_n;
	int64_t snapshot_version; /* of the room, as the last of those found it */
	struct fault refusal; /* the last of those */
	char dropped[200];
	char why[200];
};

/* ---- the server ---- */

static inline void desk_listen(struct desk *d)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	(void)snprintf(to.sun_path, sizeof(to.sun_path), "%s", d->address.path);
	d->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_true(d->listener >= 0);
	assert_int_equal(bind(d->listener, (struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(listen(d->listener, 8), 0);
	assert_int_equal(fcntl(d->listener, F_SETFL, O_NONBLOCK), 0);
}

static inline void turn(struct desk *d)
{
	uv_update_time(&d->loop.uv);
	(void)uv_run(&d->loop.uv, UV_RUN_NOWAIT);
}

static inline int unread(const struct desk *d)
{
	int n = 0;
	assert_int_equal(ioctl(d->peer, FIONREAD, &n), 0);
	return n;
}

/* The methods that one read brings, in their order. */
static inline void hear(struct desk *d, const char *expected)
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

static inline void hear_nothing(struct desk *d)
{
	for (unsigned i = 0; i < 20; i++) {
		turn(d);
	}
	assert_int_equal(unread(d), 0);
}

static inline void grant(struct desk *d, enum method method, const void *result)
{
	rpc_write_result(&d->answers, d->msgid++, method_rows[method].result, result);
}

static inline void refuse(struct desk *d, enum fault_code code, const char *why)
{
	struct fault f = {0};
	fault_set(&f, code, "%s", why);
	rpc_write_fault(&d->answers, d->msgid++, &f);
}

static inline void grant_hello(struct desk *d)
{
	struct hello_result r = {.protocol = 1,
				 .server = SLICE("test"),
				 .limits = SLICE("\x80"),
				 .nonce = SLICE(KEY)};
	grant(d, METHOD_SESSION_HELLO, &r);
}

/* Everything that was granted and refused leaves in one write. */
static inline void say(struct desk *d)
{
	assert_int_equal(d->answers.error, OK);
	assert_int_equal(send(d->peer, d->answers.data, d->answers.len, 0), d->answers.len);
	buf_clear(&d->answers);
}

static inline void turn_until(struct desk *d, const unsigned *count, unsigned wanted)
{
	for (unsigned i = 0; *count < wanted; i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
}

static inline void turn_until_settled(struct desk *d)
{
	for (unsigned i = 0; !room_client_is_settled(d->client); i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
}

/* The connection is lost. */
static inline void hang_up(struct desk *d)
{
	(void)close(d->peer);
	d->peer = -1;
}

/* The client has closed it. */
static inline void turn_until_closed(struct desk *d)
{
	char byte;
	for (unsigned i = 0; recv(d->peer, &byte, 1, MSG_DONTWAIT) != 0; i++) {
		assert_in_range(i, 0, TURNS_MAX);
		turn(d);
	}
	hang_up(d);
}

/* ---- the client ---- */

static inline void on_reply(void *owner, const struct reply *r)
{
	struct desk *d = owner;
	d->answers_n += !r->is_refused;
	d->refusals_n += r->is_refused;
	d->refusal = r->fault;
}

static inline void on_event(void *owner, const struct event *event)
{
	struct desk *d = owner;
	if (event->kind == EVENT_NEWS) {
		d->tellings++;
		d->bits |= event->news;
	} else if (event->kind == EVENT_SNAPSHOT) {
		d->snapshots++;
		d->snapshot_version = room_client_membership(d->client)->room.version;
	} else if (event->kind == EVENT_UP) {
		d->ups++;
	} else if (event->kind == EVENT_DOWN) {
		d->downs++;
		(void)snprintf(d->why, sizeof(d->why), "%s", event->why);
	} else if (event->kind == EVENT_HELD) {
		(void)snprintf(d->dropped, sizeof(d->dropped), "%s", event->why);
		if (event->request != NULL) {
			assert_int_equal(
				room_client_request(d->client, event->request, on_reply, d), OK);
		}
	}
}

static inline bool sign(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
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

static inline void keep(void *owner, const struct sign_in *s)
{
	struct desk *d = owner;
	(void)s;
	d->kept++;
}

static const struct sign_in_handler sign_in_handler = {.sign = sign, .keep = keep};

static inline void desk_open(struct desk *d)
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

static inline void desk_open_client(struct desk *d)
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
static inline bool refuses(const struct request *r, const struct replica *room, char *out,
			   size_t cap)
{
	assert_true(room->has_state);
	(void)snprintf(out, cap, "The cards are open");
	return r->method == METHOD_REVEAL_ARM;
}

static inline void desk_enter(struct desk *d, const char *name)
{
	struct room_entry entry = {.room_id = "K7QX3M", .name = name, .refuses = refuses};
	if (d->client == NULL) {
		desk_open_client(d);
	}
	room_client_enter(d->client, &entry);
}

/* The client that is opened next is this user. */
static inline void desk_sign_in(struct desk *d, const char *token)
{
	(void)snprintf(d->sign_in.user_name, sizeof(d->sign_in.user_name), "Ada");
	(void)snprintf(d->sign_in.token, sizeof(d->sign_in.token), "%s", token);
	d->sign_in.on = &sign_in_handler;
	d->sign_in.owner = d;
}

static inline void desk_close(struct desk *d)
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

/* ---- a room ---- */

static inline void grant_the_room(struct desk *d)
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
		.room = first_view(cards, 2),
		.with_room = true,
	};
	grant(d, METHOD_ROOM_SUBSCRIBE, &seat);
	grant(d, METHOD_ROOM_JOIN, &name);
	rpc_write_notice(&d->answers, SLICE("room.you"), &record_room_you, &you);
	rpc_write_notice(&d->answers, SLICE("room.update"), &record_room_update, &room);
}

/* Ada has come in, and the room shows it. */
static inline void desk_come_in(struct desk *d)
{
	desk_enter(d, "Ada");
	hear(d, "session.hello room.subscribe room.join");
	grant_hello(d);
	grant_the_room(d);
	say(d);
	turn_until_settled(d);
}

#define DESK_TEST(name, d) TEST_OF(name, struct desk, d, desk_open(d), desk_close(d))

#endif
