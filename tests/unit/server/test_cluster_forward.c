/*
 * test_cluster_forward.c - a connection that means a room of another node, at the node where it
 * came (the entry) and at the room's home: two servers, and a test that carries the bytes.
 */
#include "tests/unit/server/cluster.h"

#include "proto/base/format.h"
#include "server/core/cluster/preface.h"
#include "server/core/cluster/rendezvous.h"
#include "tests/support/heap_test.h"

#define HOME_AT "10.0.0.1:7000"

/* ada and bob are at the home, RIG_NODE; the entry knows of it, and has no room. */
struct pair {
	struct table t;
	struct rig entry;
	uint64_t entry_number;
};

/* A number by which the home of the room is RIG_NODE still. */
static uint64_t number_for_entry(const struct rig *home)
{
	struct item_pk pk;
	unsigned bucket = item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(home->room_id)));
	uint64_t nodes[] = {RIG_NODE, 2};
	while (rendezvous_home(nodes, 2, bucket) != RIG_NODE) {
		nodes[1]++;
	}
	return nodes[1];
}

static void entry_knows(struct pair *d, const char *address, uint32_t version)
{
	struct cluster_node home = {.number = RIG_NODE,
				    .preface_version = version,
				    .items_version = 1};
	strcpy(home.address, address);
	strcpy(home.announce, "tls://ayed1:7433");
	rig_node_is(&d->entry, &home);
	rig_advance(&d->entry, 2000);
}

static int pair_lay(void **state)
{
	struct pair *d = scene_init(state, sizeof(*d));
	d->t.r.config.node = RIG_NODE;
	strcpy(d->t.r.config.node_address, HOME_AT);
	strcpy(d->t.r.config.node_announce, "tls://ayed1:7433");
	d->t.r.config.has_kiosk = true;
	d->t.r.config.kiosk_uid = 1099;
	int failed = table_begin(&d->t);
	d->entry_number = number_for_entry(&d->t.r);
	rig_init(&d->entry);
	d->entry.config.node = d->entry_number;
	d->entry.config.has_kiosk = true;
	d->entry.config.kiosk_uid = 1099;
	rig_start(&d->entry);
	entry_knows(d, HOME_AT, NODE_PREFACE_VERSION);
	return failed;
}

static int pair_clear(void **state)
{
	struct pair *d = *state;
	rig_finish(&d->entry);
	return scene_clear(state);
}

#define PAIR_TEST(name, d) TEST_IN(name, struct pair, d, pair_lay, pair_clear)

static uint32_t compose_hello(struct rig_peer *p, struct buf *out, const char *room_id)
{
	return rig_compose(p, out, "session.hello", "'protocol':1,'client':'cy','room_id':'%s'",
			   room_id);
}

static void say_hello(const struct pair *d, struct rig_peer *p)
{
	struct buf b = {.max = RIG_UNBOUNDED};
	(void)compose_hello(p, &b, d->t.r.room_id);
	rig_bytes(p, buf_slice(&b));
	buf_finish(&b);
}

static struct rig_peer *forwarded_from(struct pair *d, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(&d->entry, "cy", kind, host, false);
	say_hello(d, p);
	return p;
}

/* What was forwarded last comes to the home. */
static struct rig_peer *arrives(struct pair *d)
{
	struct slice bytes = buf_slice(&d->entry.forward.input);
	struct peer peer;
	size_t used = 0;
	assert_int_equal(preface_read(bytes, &used, &peer), OK);
	struct rig_peer *p = rig_open_as(&d->t.r, "cy", &peer);
	strcpy(p->room_id, d->t.r.room_id);
	p->last_msgid = 100;
	rig_bytes(p, slice_of(bytes.data + used, bytes.len - used));
	return p;
}

PAIR_TEST(test_a_hello_goes_to_the_rooms_home_with_all_behind_it, d)
{
	struct buf b = {.max = RIG_UNBOUNDED};
	struct rig_peer *cy = rig_connect_as(&d->entry, "cy", PEER_NETWORK, 7, false);
	struct peer peer;
	size_t used = 0;
	(void)compose_hello(cy, &b, d->t.r.room_id);
	(void)rig_compose(cy, &b, "room.subscribe", "'room_id':'%s'", d->t.r.room_id);
	assert_int_equal(buf_append(&b, "\x94\x00\x07", 3), OK); /* half a message */
	rig_bytes(cy, buf_slice(&b));
	assert_int_equal(d->entry.forwards, 1);
	assert_string_equal(d->entry.forward.address, HOME_AT);
	assert_string_equal(rig_heard(cy), "");
	struct slice sent = buf_slice(&d->entry.forward.input);
	assert_int_equal(preface_read(sent, &used, &peer), OK);
	assert_int_equal(peer.kind, PEER_NETWORK);
	assert_memory_equal(peer.address, "\0\0\0\0\0\0\0\0\0\0\377\377\012\0\0\7", 16);
	assert_true(slice_eq(slice_of(sent.data + used, sent.len - used), buf_slice(&b)));
	buf_finish(&b);
}

PAIR_TEST(test_what_came_before_the_hello_is_answered_here, d)
{
	struct buf b = {.max = RIG_UNBOUNDED};
	struct rig_peer *cy = rig_connect(&d->entry, "cy");
	uint32_t ping = rig_compose(cy, &b, "server.ping", RIG_NONE);
	size_t before = b.len;
	(void)compose_hello(cy, &b, d->t.r.room_id);
	rig_bytes(cy, buf_slice(&b));
	assert_string_equal(rig_outcome(cy, ping), "ok");
	struct peer peer;
	size_t used = 0;
	assert_int_equal(preface_read(buf_slice(&d->entry.forward.input), &used, &peer), OK);
	assert_int_equal(d->entry.forward.input.len - used, b.len - before);
	buf_finish(&b);
}

PAIR_TEST(test_a_hello_in_pieces_is_forwarded_whole, d)
{
	struct buf b = {.max = RIG_UNBOUNDED};
	struct rig_peer *cy = rig_connect(&d->entry, "cy");
	(void)compose_hello(cy, &b, d->t.r.room_id);
	for (size_t i = 0; i < b.len; i++) {
		assert_int_equal(d->entry.forwards, 0);
		rig_bytes(cy, slice_of(b.data + i, 1));
	}
	assert_int_equal(d->entry.forwards, 1);
	struct slice sent = buf_slice(&d->entry.forward.input);
	assert_memory_equal(sent.data + sent.len - b.len, b.data, b.len);
	buf_finish(&b);
}

PAIR_TEST(test_at_its_home_it_is_served_as_any_other, d)
{
	forwarded_from(d, PEER_NETWORK, 7);
	struct rig_peer *cy = arrives(d);
	assert_string_equal(rig_heard(cy), "answer");
	rig_must(cy, "subscribe", RIG_NONE);
	rig_must(cy, "join", "'username':'Cy'");
	rig_must(cy, "vote", "'vote':'5'");
	assert_string_equal(rig_table(d->t.ada), "#1 hidden: ada host, bob, Cy voted");
}

PAIR_TEST(test_the_home_says_where_it_is, d)
{
	struct rig_peer *cy = rig_connect(&d->t.r, "cy");
	char home[64];
	rig_field(rig_must(cy, "session.hello", "'protocol':1,'client':'cy','room_id':'%s'",
			   d->t.r.room_id),
		  "home", home, sizeof(home));
	assert_string_equal(home, "tls://ayed1:7433");
	struct rig_peer *guest = rig_guest(&d->entry, "dee");
	rig_field(rig_refused(guest, "room.get", "'room_id':'%s'", d->t.r.room_id), "home", home,
		  sizeof(home));
	assert_string_equal(home, "tls://ayed1:7433");
}

PAIR_TEST(test_a_connection_is_forwarded_once_at_the_most, d)
{
	forwarded_from(d, PEER_NETWORK, 7);
	/* The home's list is another by now: the entry is home of all. */
	struct cluster_node entry = {.number = rig_rival(&d->t.r), .preface_version = 1};
	strcpy(entry.address, "10.0.0.2:7000");
	rig_node_is(&d->t.r, &entry);
	rig_advance(&d->t.r, 2000);
	struct rig_peer *cy = arrives(d);
	assert_int_equal(d->t.r.forwards, 0);
	assert_string_equal(rig_outcome(cy, 1), "ELSEWHERE");
}

PAIR_TEST(test_who_has_said_hello_is_not_forwarded, d)
{
	struct rig_peer *cy = rig_guest(&d->entry, "cy");
	assert_string_equal(rig_code(cy, "session.hello",
				     "'protocol':1,'client':'cy','room_id':'%s'", d->t.r.room_id),
			    "ELSEWHERE");
	assert_int_equal(d->entry.forwards, 0);
}

PAIR_TEST(test_nothing_goes_to_a_node_that_does_not_listen_or_speaks_another_version, d)
{
	for (int i = 0; i < 3; i++) {
		entry_knows(d, i == 0 ? "" : HOME_AT, i == 1 ? 2 : NODE_PREFACE_VERSION);
		struct rig_peer *cy = rig_connect(&d->entry, "cy");
		say_hello(d, cy);
		assert_int_equal(d->entry.forwards, i == 2);
		assert_string_equal(rig_outcome(cy, 1), i == 2 ? "none" : "ELSEWHERE");
	}
}

PAIR_TEST(test_where_the_home_cannot_be_reached_the_hello_is_refused, d)
{
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	rig_unreached(&d->entry);
	assert_string_equal(rig_outcome(cy, 1), "UNAVAILABLE");
	assert_string_equal(rig_heard(cy), "server.closing");
	assert_false(cy->is_open);
	assert_int_equal(server_counters(d->entry.server)->forwards_now, 0);
	assert_int_equal(server_counters(d->entry.server)->forwards_failed, 1);
}

PAIR_TEST(test_who_is_gone_by_then_hears_nothing, d)
{
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	rig_cut(cy);
	rig_unreached(&d->entry);
	assert_int_equal(server_counters(d->entry.server)->forwards_failed, 0);
	assert_int_equal(server_counters(d->entry.server)->forwards_now, 0);
}

PAIR_TEST(test_it_ends_when_the_home_is_in_the_list_no_more, d)
{
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	rig_advance(&d->entry, 60000); /* nothing is expected of it meanwhile */
	assert_true(cy->is_open);
	rig_node_ends(&d->entry, RIG_NODE);
	rig_advance(&d->entry, 4000);
	assert_false(cy->is_open);
	assert_string_equal(rig_heard(cy), "");
}

/* A frozen node sends nothing of its own; what others send to its clients is theirs. */
PAIR_TEST(test_it_lasts_while_the_entry_is_frozen, d)
{
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	rig_hold(&d->entry);
	rig_advance(&d->entry, 20000);
	rig_release(&d->entry);
	rig_advance(&d->entry, 20000);
	assert_true(cy->is_open);
	rig_node_ends(&d->entry, RIG_NODE);
	rig_advance(&d->entry, 4000);
	assert_false(cy->is_open);
}

PAIR_TEST(test_a_hello_that_a_frozen_entry_reads_late_is_forwarded_then, d)
{
	rig_hold(&d->entry);
	rig_advance(&d->entry, 5000);
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	assert_int_equal(d->entry.forwards, 0);
	assert_true(cy->is_paused);
	rig_release(&d->entry);
	rig_advance(&d->entry, 100);
	assert_int_equal(d->entry.forwards, 1);
	assert_false(cy->is_paused);
}

PAIR_TEST(test_it_ends_without_a_word_when_the_entry_ends, d)
{
	struct rig_peer *cy = forwarded_from(d, PEER_NETWORK, 7);
	rig_stop(&d->entry);
	assert_false(cy->is_open);
	assert_string_equal(rig_heard(cy), "");
	assert_true(server_is_idle(d->entry.server));
}

PAIR_TEST(test_the_entry_counts_it_to_its_address, d)
{
	d->entry.config.limits[LIMIT_CONNECTIONS_PER_ADDRESS] = 2;
	assert_int_equal(server_set_limits(d->entry.server, d->entry.config.limits), OK);
	forwarded_from(d, PEER_NETWORK, 7);
	forwarded_from(d, PEER_NETWORK, 7);
	assert_true(forwarded_from(d, PEER_NETWORK, 8)->is_open);
	struct rig_peer *third = rig_connect_as(&d->entry, "cy", PEER_NETWORK, 7, false);
	assert_string_equal(rig_heard(third), "server.closing");
}

/* ---- whose limits hold at the home ---- */

PAIR_TEST(test_guesses_at_the_home_are_those_of_the_clients_address, d)
{
	forwarded_from(d, PEER_NETWORK, 7);
	struct rig_peer *cy = arrives(d);
	for (size_t i = 0; i < MAX_ROOM_MISSES_PER_MINUTE; i++) {
		assert_string_equal(rig_code(cy, "room.get", "'room_id':'222222'"),
				    "ROOM_NOT_FOUND");
	}
	assert_string_equal(rig_code(cy, "room.get", "'room_id':'222222'"), "RATE_LIMITED");
	struct rig_peer *same = rig_connect_as(&d->t.r, "cy", PEER_NETWORK, 7, false);
	rig_hello(same);
	assert_string_equal(rig_code(same, "room.get", "'room_id':'222222'"), "RATE_LIMITED");
	forwarded_from(d, PEER_NETWORK, 8);
	assert_string_equal(rig_code(arrives(d), "room.get", "'room_id':'222222'"),
			    "ROOM_NOT_FOUND");
}

PAIR_TEST(test_the_owner_of_the_entry_is_no_owner_at_the_home, d)
{
	struct rig_peer *owner = rig_connect_as(&d->entry, "owner", PEER_UNIX, 5, true);
	say_hello(d, owner);
	assert_string_equal(rig_code(arrives(d), "server.stats", RIG_NONE), "FORBIDDEN");
}

PAIR_TEST(test_the_kiosk_of_the_entry_is_believed, d)
{
	static const char *const outcomes[] = {"FORBIDDEN", "ok"};
	for (unsigned char i = 0; i < 2; i++) {
		forwarded_from(d, PEER_UNIX, (unsigned char)(98 + i));
		struct rig_peer *cy = arrives(d);
		assert_string_equal(
			rig_code(cy, "session.assert",
				 "'fingerprint':'SHA256:"
				 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA','user_name':'Cy'"),
			outcomes[i]);
	}
}

/* By uid at the home itself: the other node's word is no word of its own users. */
PAIR_TEST(test_a_uid_that_is_the_kiosks_at_the_home_is_none_there, d)
{
	rig_finish(&d->entry);
	rig_init(&d->entry);
	d->entry.config.node = d->entry_number;
	rig_start(&d->entry);
	entry_knows(d, HOME_AT, NODE_PREFACE_VERSION);
	forwarded_from(d, PEER_UNIX, 99);
	assert_string_equal(
		rig_code(arrives(d), "session.assert",
			 "'fingerprint':'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'"),
		"FORBIDDEN");
}

/* ---- without memory ---- */

HEAP_TEST_IN(test_without_memory_it_is_forwarded_or_ended, struct pair, d, nth, pair_lay,
	     pair_clear)
{
	struct rig_peer *cy = rig_connect_as(&d->entry, "cy", PEER_NETWORK, 7, false);
	struct buf b = {.max = RIG_UNBOUNDED};
	uint32_t hello = compose_hello(cy, &b, d->t.r.room_id);
	heap_fail_nth(nth, false);
	rig_bytes(cy, buf_slice(&b));
	heap_fail_never();
	buf_finish(&b);
	rig_advance(&d->entry, 1001);
	bool is_refused = strcmp(rig_outcome(cy, hello), "UNAVAILABLE") == 0;
	assert_true(is_refused || cy->is_open == (d->entry.forwards == 1));
	if (cy->is_open) {
		rig_cut(cy);
	}
	assert_int_equal(server_counters(d->entry.server)->forwards_now, 0);
}
