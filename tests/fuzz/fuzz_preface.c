/*
 * fuzz_preface.c - any bytes as the beginning of a connection from another node.
 *
 * Besides not breaking anything it holds: what is found in the whole is found in no less of it, and
 * a peer that was read is the same after a round trip.
 */
#include <string.h>

#include "proto/base/assert.h"
#include "server/core/cluster/preface.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_round_trip(const struct peer *peer)
{
	struct buf b = {.max = PREFACE_BYTES_MAX};
	struct peer again;
	size_t used = 0;
	preface_write(peer, &b);
	ASSERT_CMP(b.error, ==, OK);
	enum err e = preface_read(buf_slice(&b), &used, &again);
	ASSERT_CMP(e, ==, OK);
	ASSERT_CMP(used, ==, b.len);
	ASSERT(again.kind == peer->kind && again.uid == peer->uid &&
	       again.is_kiosk == peer->is_kiosk &&
	       memcmp(again.address, peer->address, sizeof(again.address)) == 0);
	buf_finish(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice in = slice_of((const char *)data, size);
	struct peer peer = {.kind = PEER_UNIX};
	size_t used = 0;
	enum err e = preface_read(in, &used, &peer);
	if (e == OK) {
		ASSERT_CMP(used, <=, PREFACE_BYTES_MAX);
		ASSERT(peer.is_forwarded && !peer.is_owner);
		fuzz_round_trip(&peer);
		size_t less;
		for (size_t len = 0; len < used; len++) {
			struct peer none;
			enum err cut = preface_read(slice_of(in.data, len), &less, &none);
			ASSERT_CMP(cut, ==, ERR_MORE);
		}
	}
	return 0;
}
