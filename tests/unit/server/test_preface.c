/*
 * test_preface.c - what a node is told of a client by another one: what can be said of it, and that
 * nothing else is believed.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/json.h"
#include "server/core/cluster/preface.h"
#include "tests/support/test.h"

static const struct peer peers[] = {
	{.kind = PEER_UNIX, .uid = 0},
	{.kind = PEER_UNIX, .uid = UINT32_MAX},
	{.kind = PEER_UNIX, .uid = 1000, .is_kiosk = true},
	{.kind = PEER_LOOPBACK, .address = {[15] = 1}},
	{.kind = PEER_NETWORK, .address = {0x20, 0x01, 0x0d, 0xb8, 1, 2, 0xfe, 0xff}},
	{.kind = PEER_NETWORK, .address = {[10] = 0xff, [11] = 0xff, 192, 0, 2, 255}},
	{.kind = PEER_NETWORK,
	 .address = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
		     255}},
};
#define PEERS (sizeof(peers) / sizeof(peers[0]))

static struct buf written(const struct peer *peer)
{
	struct buf b = {.max = PREFACE_BYTES_MAX};
	preface_write(peer, &b);
	assert_int_equal(b.error, OK);
	return b;
}

TEST(test_every_peer_arrives_as_it_was_sent)
{
	for (size_t i = 0; i < PEERS; i++) {
		struct buf b = written(&peers[i]);
		struct peer got;
		size_t used = 0;
		assert_int_equal(preface_read(buf_slice(&b), &used, &got), OK);
		assert_int_equal(used, b.len);
		assert_int_equal(got.kind, peers[i].kind);
		assert_int_equal(got.uid, peers[i].uid);
		assert_int_equal(got.is_kiosk, peers[i].is_kiosk);
		assert_memory_equal(got.address, peers[i].address, sizeof(got.address));
		assert_true(got.is_forwarded);
		buf_finish(&b);
	}
}

TEST(test_of_the_owner_nothing_is_said)
{
	struct peer owner = {.kind = PEER_UNIX, .uid = 1000, .is_owner = true};
	struct buf b = written(&owner);
	struct peer got;
	size_t used;
	assert_int_equal(preface_read(buf_slice(&b), &used, &got), OK);
	assert_false(got.is_owner);
	buf_finish(&b);
}

TEST(test_what_comes_behind_it_is_left)
{
	struct buf b = written(&peers[4]);
	struct peer got;
	size_t len = b.len;
	size_t used = 0;
	b.max += 1000;
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(buf_append(&b, "\xc1", 1), OK); /* no MessagePack at all */
	}
	assert_int_equal(preface_read(buf_slice(&b), &used, &got), OK);
	assert_int_equal(used, len);
	buf_finish(&b);
}

TEST(test_cut_anywhere_there_is_more_to_come)
{
	for (size_t i = 0; i < PEERS; i++) {
		struct buf b = written(&peers[i]);
		for (size_t len = 0; len < b.len; len++) {
			/* In memory of its own, so that a read behind its end is found. */
			char *cut = malloc(len + 1);
			struct peer got;
			size_t used;
			assert_non_null(cut);
			memcpy(cut + 1, b.data, len);
			assert_int_equal(preface_read(slice_of(cut + 1, len), &used, &got),
					 ERR_MORE);
			free(cut);
		}
		buf_finish(&b);
	}
}

static enum err read_json(const char *json)
{
	struct buf b = {.max = 4096};
	struct errmsg why;
	struct peer got;
	size_t used;
	assert_int_equal(json_to_bytes(slice_str(json), &b, &why), OK);
	enum err e = preface_read(buf_slice(&b), &used, &got);
	buf_finish(&b);
	return e;
}

#define V4 "00000000000000000000ffffc0000207"

TEST(test_what_a_preface_may_say)
{
	static const char *const rows[] = {
		"{\"version\":1,\"kind\":0,\"uid\":0}",
		"{\"version\":1,\"kind\":0,\"uid\":4294967295,\"is_kiosk\":true}",
		"{\"version\":1,\"kind\":1,\"address\":\"" V4 "\"}",
		"{\"kind\":2,\"address\":\"" V4 "\",\"version\":1}",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(read_json(rows[i]), OK);
	}
}

TEST(test_what_it_must_not_say)
{
	static const char *const rows[] = {
		"null",
		"[]",
		"\"version\"",
		"{}",
		"{\"version\":1}",
		"{\"version\":0,\"kind\":0,\"uid\":1}",
		"{\"version\":-1,\"kind\":0,\"uid\":1}",
		"{\"version\":\"1\",\"kind\":0,\"uid\":1}",
		"{\"version\":1,\"kind\":-1,\"uid\":1}",
		"{\"version\":1,\"kind\":3,\"address\":\"" V4 "\"}",
		"{\"version\":1,\"kind\":0}",
		"{\"version\":1,\"kind\":0,\"uid\":-1}",
		"{\"version\":1,\"kind\":0,\"uid\":4294967296}",
		"{\"version\":1,\"kind\":0,\"uid\":1,\"address\":\"" V4 "\"}",
		"{\"version\":1,\"kind\":0,\"uid\":1,\"is_kiosk\":1}",
		"{\"version\":1,\"kind\":0,\"uid\":1,\"is_owner\":true}",
		"{\"version\":1,\"kind\":1}",
		"{\"version\":1,\"kind\":2}",
		"{\"version\":1,\"kind\":2,\"address\":\"" V4 "\",\"uid\":0}",
		"{\"version\":1,\"kind\":2,\"address\":\"" V4 "\",\"is_kiosk\":true}",
		"{\"version\":1,\"kind\":2,\"address\":\"0000000000000000000FFFFFC0000207\"}",
		"{\"version\":1,\"kind\":2,\"address\":\"0000000000000000000000000000000\"}",
		"{\"version\":1,\"kind\":2,\"address\":\"000000000000000000000000000000000\"}",
		"{\"version\":1,\"kind\":2,\"address\":\"0000000000000000000000000000000g\"}",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(read_json(rows[i]), ERR_PROTO);
	}
}

TEST(test_another_version_is_named_whatever_else_it_says)
{
	assert_int_equal(read_json("{\"version\":2}"), ERR_VERSION);
	assert_int_equal(read_json("{\"version\":2147483647,\"kind\":9,\"more\":[1,2]}"),
			 ERR_VERSION);
	assert_int_equal(read_json("{\"more\":{\"a\":1},\"version\":2,\"uid\":\"x\"}"),
			 ERR_VERSION);
	assert_int_equal(read_json("{\"version\":2147483648}"), ERR_PROTO);
}

TEST(test_its_length_is_bounded_before_it_is_there)
{
	static const struct {
		const char *bytes;
		size_t len;
	} rows[] = {
		{"\xdf\xff\xff\xff\xff", 5},		     /* a map of so many */
		{"\x81\xa7version\xdb\xff\xff\xff\xff", 14}, /* a text of so many bytes */
		{"\x81\xa7version\xda\x00\xa0", 12},
	};
	struct peer got;
	size_t used;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(preface_read(slice_of(rows[i].bytes, rows[i].len), &used, &got),
				 ERR_TOO_LARGE);
	}
	assert_int_equal(preface_read(SLICE("\xc1"), &used, &got), ERR_PROTO);
	assert_int_equal(preface_read(SLICE("GET / HTTP/1.1\r\n"), &used, &got), ERR_PROTO);
}
