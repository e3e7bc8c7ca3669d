/*
 * preface.c - see preface.h.
 */
#include "server/core/cluster/preface.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/frame_scan.h"
#include "proto/records/record.h"

/* A node of another version may say more, or less, but always its version. */
#define F_PREFACE_VERSION(F)	  F(INT, version, _, FIELD_REQ, 1, INT32_MAX, "NODE_PREFACE_VERSION")
#define RECORD_preface_version(F) F_PREFACE_VERSION(F)
#define RECORD_preface(F)                                                                     \
	F_PREFACE_VERSION(F)                                                                  \
	F(INT, kind, _, FIELD_REQ, PEER_UNIX, PEER_NETWORK, "enum peer_kind")                 \
	F(INT, uid, _, FIELD_OPT, 0, UINT32_MAX, "Of a unix socket")                          \
	F(BOOL, is_kiosk, _, FIELD_OPT, 0, 0, "Of a unix socket: it is the host's ssh kiosk") \
	F(STR, address, _, FIELD_OPT, 32, 32, "Of all others: the address, in hexadecimal digits")

RECORD_DECLARE(preface_version)
RECORD_DEFINE(preface_version)
RECORD_DECLARE(preface)
RECORD_DEFINE(preface)

static const char digits[] = "0123456789abcdef";

void preface_write(const struct peer *peer, struct buf *out)
{
	char address[2 * sizeof(peer->address)];
	struct preface preface = {.version = NODE_PREFACE_VERSION, .kind = peer->kind};
	for (size_t i = 0; i < sizeof(peer->address); i++) {
		address[2 * i] = digits[peer->address[i] >> 4];
		address[2 * i + 1] = digits[peer->address[i] & 15];
	}
	if (peer->kind == PEER_UNIX) {
		preface.uid = peer->uid;
		preface.with_uid = true;
		preface.is_kiosk = peer->is_kiosk;
	} else {
		preface.address = slice_of(address, sizeof(address));
	}
	record_write(&record_preface, &preface, out);
}

static bool preface_read_address(struct slice text, unsigned char *out)
{
	for (size_t i = 0; i < text.len; i++) {
		const char *digit = memchr(digits, text.data[i], sizeof(digits) - 1);
		if (digit == NULL) {
			return false;
		}
		out[i / 2] = (unsigned char)(out[i / 2] << 4 | (digit - digits));
	}
	return true;
}

static enum err preface_decode(struct slice map, struct arena *arena, struct peer *peer)
{
	struct preface_version head;
	struct preface preface;
	struct fault fault;
	enum err e = record_from_bytes(&record_preface_version, map, RECORD_LENIENT, arena, &head,
				       &fault);
	if (e == OK && head.version != NODE_PREFACE_VERSION) {
		return ERR_VERSION;
	}
	e = e != OK ? e
		    : record_from_bytes(&record_preface, map, RECORD_STRICT, arena, &preface,
					&fault);
	if (e != OK) {
		return e == ERR_NOMEM ? e : ERR_PROTO;
	}
	bool is_unix = preface.kind == PEER_UNIX;
	*peer = (struct peer){
		.kind = (enum peer_kind)preface.kind,
		.is_kiosk = preface.is_kiosk,
		.is_forwarded = true,
		.uid = (uint32_t)preface.uid,
	};
	return preface.with_uid == is_unix && preface.with_address == !is_unix &&
			       (is_unix || !preface.is_kiosk) &&
			       preface_read_address(preface.address, peer->address)
		       ? OK
		       : ERR_PROTO;
}

enum err preface_read(struct slice in, size_t *used, struct peer *peer)
{
	struct frame_scan scan;
	struct arena arena = {0};
	frame_scan_init(&scan);
	enum err e = frame_scan_value(&scan, in, PREFACE_BYTES_MAX);
	if (e == OK) {
		*used = scan.at;
		e = preface_decode(slice_of(in.data, scan.at), &arena, peer);
	}
	arena_finish(&arena);
	return e;
}
