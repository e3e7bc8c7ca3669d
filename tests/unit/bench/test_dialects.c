/*
 * test_dialects.c - each dialect splits a stream of its server as it was meant,
 * however the bytes are cut, and refuses what is no message of its protocol.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/bench/dialect.h"
#include "tests/bench/reference.h"
#include "tests/support/test.h"

#define MESSAGES_MAX 8

struct stream {
	const struct dialect *dialect;
	struct buf bytes;
	struct incoming expected[MESSAGES_MAX];
	size_t n;
};

static struct stream stream_of(const struct dialect *d)
{
	return (struct stream){.dialect = d, .bytes = {.max = 65536}};
}

static void say(struct stream *s, const char *text)
{
	assert_int_equal(buf_append(&s->bytes, text, strlen(text)), OK);
}

static void expect(struct stream *s, struct incoming m)
{
	assert_true(s->n < MESSAGES_MAX);
	s->expected[s->n++] = m;
}

static void assert_same(const struct incoming *got, const struct incoming *want)
{
	assert_int_equal(got->kind, want->kind);
	if (want->kind == INCOMING_MESSAGE) {
		assert_int_equal(got->publisher, want->publisher);
		assert_int_equal(got->seq, want->seq);
	}
	if (want->kind == INCOMING_VERSION) {
		assert_int_equal(got->since, want->since);
		assert_int_equal(got->is_full, want->is_full);
	}
	if (want->kind == INCOMING_ANSWER) {
		assert_int_equal(got->seq, want->seq);
	}
	assert_int_equal(got->version, want->version);
	if (want->text.len > 0) {
		assert_int_equal(got->text.len, want->text.len);
		assert_memory_equal(got->text.data, want->text.data, want->text.len);
	}
}

/* Every message is whole at its last byte and not before; finishes the stream. */
static void check(struct stream *s)
{
	size_t at = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct incoming m = INCOMING_NOTHING;
		size_t len = s->dialect->split(slice_of(s->bytes.data + at, s->bytes.len - at), &m);
		assert_true(len > 0 && len <= s->bytes.len - at);
		assert_same(&m, &s->expected[i]);
		for (size_t cut = 0; cut < len; cut++) {
			/* In memory of its own, so that a read beyond it is seen. */
			char *part = malloc(cut + 1);
			assert_non_null(part);
			memcpy(part, s->bytes.data + at, cut);
			m = INCOMING_NOTHING;
			assert_int_equal(s->dialect->split(slice_of(part, cut), &m), 0);
			free(part);
		}
		at += len;
	}
	assert_int_equal(at, s->bytes.len);
	buf_finish(&s->bytes);
}

static void assert_refuses(const struct dialect *d, const void *bytes, size_t len)
{
	struct incoming m = INCOMING_NOTHING;
	assert_true(d->split(slice_of(bytes, len), &m) == DIALECT_BAD);
}

static const struct speaker member = {.room_name = "K7QX3M", .room = 7, .member = 3};

#define STEP	     ((struct incoming){.kind = INCOMING_STEP, .version = -1})
#define OTHER	     ((struct incoming){.kind = INCOMING_OTHER, .version = -1})
#define VOTE(number) ((struct incoming){INCOMING_MESSAGE, 3, (number), 0, -1, false, {0}})

/* ---- the peers ---- */

TEST(test_redis_is_split)
{
	struct stream s = stream_of(&dialect_redis);
	say(&s, "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nmodules\r\n*0\r\n");
	expect(&s, STEP);
	say(&s, ">3\r\n$9\r\nsubscribe\r\n$5\r\nroom7\r\n:1\r\n");
	expect(&s, STEP);
	say(&s, ">3\r\n$7\r\nmessage\r\n$5\r\nroom7\r\n$100\r\n");
	payload_write(&member, 41, &s.bytes);
	say(&s, "\r\n");
	expect(&s, VOTE(41));
	say(&s, ":10\r\n");
	expect(&s, OTHER);
	say(&s, "-ERR no\r\n");
	expect(&s, (struct incoming){INCOMING_REFUSED, 0, 0, 0, -1, false, SLICE("-ERR no\r\n")});
	check(&s);
}

static void say_frame(struct stream *s, const char *text)
{
	const char head[] = {(char)0x81, (char)strlen(text)}; /* below 126 */
	assert_in_range(strlen(text), 0, 125);
	assert_int_equal(buf_append(&s->bytes, head, sizeof(head)), OK);
	say(s, text);
}

TEST(test_a_websocket_is_split)
{
	static const char update[] =
		"{\"method\":\"room.update\",\"params\":{\"room_id\":\"K7QX3M\","
		"\"epoch\":1,\"since\":41,\"version\":42,\"users\":[]}}";
	static const char make[] = "{\"id\":3221225473,\"result\":{\"room_id\":\"K7QX3M\"}}";
	struct stream s = stream_of(&dialect_web);
	say(&s, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
	expect(&s, OTHER);
	say_frame(&s, "{\"id\":2147483649,\"result\":{}}");
	expect(&s, STEP);
	say_frame(&s, update);
	expect(&s, (struct incoming){INCOMING_VERSION, 0, 0, 41, 42, false, {0}});
	say_frame(&s, make);
	expect(&s, (struct incoming){INCOMING_ROOM, 0, 0, 0, -1, false, SLICE("K7QX3M")});
	say_frame(&s, "{\"id\":41,\"result\":{\"version\":42}}");
	expect(&s, (struct incoming){INCOMING_ANSWER, 0, 41, 0, 42, false, {0}});
	check(&s);
	assert_refuses(&dialect_web, "HTTP/1.1 403", 12);
	assert_refuses(&dialect_web, "\x01\x00", 2);
}

struct step {
	const char *reply;
	const char *next;
};

/* Each reply calls for the next command, and the last one makes the vote be seen. */
static void assert_steps(const struct dialect *dialect, const struct step *steps, size_t n)
{
	struct stream s = stream_of(dialect);
	for (size_t i = 0; i < n; i++) {
		struct buf next = {.max = 1024};
		struct slice reply = slice_str(steps[i].reply);
		say(&s, steps[i].reply);
		expect(&s, (struct incoming){INCOMING_REPLY, 0, 0, 0, -1, false, reply});
		s.dialect->go_on(&member, 41, reply, &next);
		assert_true(slice_starts(buf_slice(&next), slice_str(steps[i].next)));
		buf_finish(&next);
	}
	say(&s, ":10\r\n");
	expect(&s, OTHER);
	check(&s);
}

TEST(test_a_durable_vote_in_redis_is_five_commands_in_order)
{
	static const struct step steps[] = {
		{"_\r\n", "SET lock:room7 3:41 NX PX 30000\r\n"},
		{"+OK\r\n", "XREVRANGE votes:room7 + - COUNT 1\r\n"},
		{"*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$4\r\nvote\r\n$1\r\n5\r\n",
		 "*5\r\n$4\r\nXADD\r\n$11\r\nvotes:room7\r\n$1\r\n*\r\n$4\r\nvote\r\n$100\r\n"},
		{"$3\r\n2-0\r\n", "EVALSHA "},
		{"+UNLOCKED\r\n", "*3\r\n$7\r\nPUBLISH\r\n$5\r\nroom7\r\n$100\r\n"},
	};
	assert_steps(&dialect_redis_vote, steps, sizeof(steps) / sizeof(steps[0]));
}

TEST(test_in_a_cluster_a_replica_has_it_before_the_lock_is_given_back)
{
	static const struct step steps[] = {
		{"_\r\n", "SET lock:{room7} 3:41 NX PX 30000\r\n"},
		{"+OK\r\n", "XREVRANGE votes:{room7} + - COUNT 1\r\n"},
		{"*0\r\n",
		 "*5\r\n$4\r\nXADD\r\n$13\r\nvotes:{room7}\r\n$1\r\n*\r\n$4\r\nvote\r\n$100\r\n"},
		{"$3\r\n2-0\r\n", "WAIT 1 1000\r\nEVALSHA "},
		{"+UNLOCKED\r\n", "*3\r\n$8\r\nSPUBLISH\r\n$7\r\n{room7}\r\n$100\r\n"},
	};
	assert_steps(&dialect_redis_wait, steps, sizeof(steps) / sizeof(steps[0]));
	struct stream s = stream_of(&dialect_redis_wait);
	say(&s, ">3\r\n$10\r\nssubscribe\r\n$7\r\n{room7}\r\n:1\r\n");
	expect(&s, STEP);
	check(&s);
}

TEST(test_nats_is_split)
{
	struct stream s = stream_of(&dialect_nats);
	say(&s, "INFO {\"server_id\":\"x\"}\r\n");
	expect(&s, STEP);
	say(&s, "PONG\r\n");
	expect(&s, STEP);
	say(&s, "MSG room7 1 100\r\n");
	payload_write(&member, 0, &s.bytes);
	say(&s, "\r\n");
	expect(&s, VOTE(0));
	say(&s, "PING\r\n");
	expect(&s, OTHER);
	say(&s, "-ERR 'Slow Consumer'\r\n");
	expect(&s, (struct incoming){INCOMING_REFUSED, 0, 0, 0, -1, false,
				     SLICE("-ERR 'Slow Consumer'")});
	check(&s);
}

TEST(test_mqtt_is_split)
{
	struct stream s = stream_of(&dialect_mqtt);
	(void)buf_append(&s.bytes, "\x20\x02\x00\x00", 4);
	expect(&s, STEP);
	(void)buf_append(&s.bytes, "\x90\x03\x00\x01\x00", 5);
	expect(&s, STEP);
	/* What a member publishes is what the others are sent. */
	dialect_mqtt.vote(&member, 1234567890123, &s.bytes);
	expect(&s, VOTE(1234567890123));
	(void)buf_append(&s.bytes, "\x20\x02\x00\x05", 4);
	expect(&s, (struct incoming){.kind = INCOMING_REFUSED, .version = -1});
	check(&s);
}

TEST(test_the_reference_is_split)
{
	struct stream s = stream_of(&dialect_reference);
	assert_true(dialect_reference.greet(&member, 0, &s.bytes));
	assert_false(dialect_reference.greet(&member, 1, &s.bytes));
	expect(&s, STEP);
	dialect_reference.vote(&member, 5, &s.bytes);
	expect(&s, VOTE(5));
	check(&s);
}

/* ---- aye, by frames that the product itself writes ---- */

static void write_update(struct stream *s, bool is_full, int64_t since, int64_t version)
{
	struct user_view users[] = {{.user_id = SLICE("K7QX3MABCD"),
				     .username = SLICE("Ada"),
				     .role = ROLE_VOTER,
				     .has_vote = true},
				    {.user_id = SLICE("K7QX3MABCE"), .role = ROLE_VOTER}};
	struct room_update u = {.room_id = SLICE("K7QX3M"),
				.epoch = INT64_C(1700000000000),
				.since = since,
				.version = version,
				.full = is_full,
				.with_full = is_full,
				.users = users,
				.users_n = 2,
				.with_users = true};
	rpc_write_notice(&s->bytes, SLICE("room.update"), &record_room_update, &u);
	expect(s, (struct incoming){INCOMING_VERSION, 0, 0, since, version, is_full, {0}});
}

TEST(test_aye_updates_are_split)
{
	struct stream s = stream_of(&dialect_aye);
	struct room_you you = {.room_id = SLICE("K7QX3M"),
			       .user_id = SLICE("K7QX3MABCD"),
			       .role = ROLE_VOTER};
	write_update(&s, true, 3, 3);
	write_update(&s, false, 3, 4);
	write_update(&s, false, 4, 70000);
	rpc_write_notice(&s.bytes, SLICE("room.you"), &record_room_you, &you);
	expect(&s, OTHER);
	check(&s);
}

TEST(test_aye_answers_are_split)
{
	struct stream s = stream_of(&dialect_aye);
	struct room_vote_result vote = {.has_vote = true, .version = 300, .with_version = true};
	struct room_subscribe_result seat = {.user_key = SLICE(
						     "abcdefghijabcdefghijabcdefghijabcdefghijabc"),
					     .user_id = SLICE("K7QX3MABCD"),
					     .version = 12};
	struct slice cards[] = {SLICE("1"), SLICE("2")};
	struct room_create_result room = {.room_id = SLICE("K7QX3M"),
					  .host_key = SLICE(
						  "abcdefghijabcdefghijabcdefghijabcdefghijabc"),
					  .valid_sizes = {cards, 2}};
	struct fault fault = {0};
	rpc_write_result(&s.bytes, 41, &record_room_vote_result, &vote);
	expect(&s, (struct incoming){INCOMING_ANSWER, 0, 41, 0, 300, false, {0}});
	rpc_write_result(&s.bytes, 0x80000000U, &record_room_subscribe_result, &seat);
	expect(&s, (struct incoming){.kind = INCOMING_STEP, .version = 12});
	rpc_write_result(&s.bytes, 0xc0000009U, &record_room_create_result, &room);
	expect(&s, (struct incoming){INCOMING_ROOM, 0, 0, 0, -1, false, SLICE("K7QX3M")});
	assert_int_equal(fault_field(&fault, "vote", "is none"), FAULT_VALIDATION_ERROR);
	rpc_write_fault(&s.bytes, 42, &fault);
	expect(&s, (struct incoming){.kind = INCOMING_REFUSED, .version = -1});
	check(&s);
}

/* Everything is said in one step, and the others only count the answers to it. */
TEST(test_a_member_sets_up_without_waiting)
{
	static const struct {
		const struct dialect *dialect;
		unsigned speaks_at; /* nats waits for the server's INFO */
		unsigned answers;
	} rows[] = {
		{&dialect_aye, 0, 3},	     {&dialect_redis, 0, 2}, {&dialect_redis_vote, 0, 3},
		{&dialect_redis_wait, 0, 3}, {&dialect_mqtt, 0, 2},  {&dialect_nats, 1, 2},
		{&dialect_reference, 0, 1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out = {.max = 4096};
		unsigned step = 0;
		for (; rows[i].dialect->greet(&member, step, &out); step++) {
			assert_int_equal(out.len > 0, step == rows[i].speaks_at);
			buf_clear(&out);
		}
		assert_int_equal(step, rows[i].answers);
		assert_int_equal(out.len, 0);
		buf_finish(&out);
	}
}

TEST(test_the_maker_of_rooms_says_only_hello)
{
	struct buf out = {.max = 4096};
	struct speaker maker = {.room_name = ""};
	assert_true(dialect_aye.greet(&maker, 0, &out));
	assert_true(out.len > 0);
	assert_false(dialect_aye.greet(&maker, 1, &out));
	buf_finish(&out);
}

/* Otherwise a load of publishers who are all that is waited for would find its rooms closed. */
TEST(test_a_room_is_made_that_does_not_reveal_by_itself)
{
	struct buf out = {.max = 4096};
	struct decoder decoder = {0};
	struct arena arena = {0};
	struct rpc_message m;
	struct room_create_params p;
	struct fault f;
	bool answerable;
	dialect_aye.make(9, &out);
	assert_int_equal(rpc_decode(&decoder, buf_slice(&out), &m, &answerable), OK);
	assert_int_equal(m.kind, RPC_REQUEST);
	assert_int_equal(m.msgid, 0xc0000009U);
	assert_int_equal(method_find(m.method), METHOD_ROOM_CREATE);
	assert_int_equal(record_from_object(&record_room_create_params, m.params, RECORD_STRICT,
					    &arena, &p, &f),
			 OK);
	assert_false(p.policy.auto_reveal);
	arena_finish(&arena);
	decoder_finish(&decoder);
	buf_finish(&out);
}

/* A vote for the card that lies there already would change nothing. */
TEST(test_votes_alternate)
{
	struct buf first = {.max = 4096};
	struct buf second = {.max = 4096};
	dialect_aye.vote(&member, 0, &first);
	dialect_aye.vote(&member, 1, &second);
	assert_int_equal(first.len, second.len);
	assert_int_equal(first.data[first.len - 1], '5');
	assert_int_equal(second.data[second.len - 1], '8');
	buf_finish(&first);
	buf_finish(&second);
}

/* ---- what is none ---- */

TEST(test_what_is_no_message_is_refused)
{
	static const char redis_short[] = ">3\r\n$7\r\nmessage\r\n$5\r\nroom7\r\n$2\r\nno\r\n";
	static const unsigned char join_kind_9[] = {9, 0, 4, 0, 1, 1, 1, 1};
	assert_refuses(&dialect_redis, "hello\r\n", 7);
	assert_refuses(&dialect_redis, "$99999999999\r\n", 14);
	assert_refuses(&dialect_redis, redis_short, sizeof(redis_short) - 1);
	assert_refuses(&dialect_nats, "hello\r\n", 7);
	assert_refuses(&dialect_nats, "MSG room7 1 9999999999999\r\n", 27);
	assert_refuses(&dialect_mqtt, "\x30\xff\xff\xff\xff", 5);
	assert_refuses(&dialect_mqtt, "\x30\x03\x00\x09x", 5);
	assert_refuses(&dialect_mqtt, "\xc0\x00", 2);
	assert_refuses(&dialect_reference, join_kind_9, sizeof(join_kind_9));
	assert_refuses(&dialect_aye, "\x81\x01\x02", 3);
	assert_refuses(&dialect_aye, "\x93\x02\xc1", 3);
	assert_refuses(&dialect_aye, "\x94\x00\x01\xa1x\x90", 6);
}
