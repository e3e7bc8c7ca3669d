/*
 * rpc.h - MessagePack-RPC messages.
 *
 * Request [0, msgid, method, [params]], response [1, msgid, error, result],
 * notification [2, method, [params]]; params is one map. No length prefix.
 * Notifications of other peers may have any method and params: those are decoded
 * without a name, to be passed over.
 * https://github.com/msgpack-rpc/msgpack-rpc/blob/master/spec.md
 *
 * Not here: finding a message in a stream (frame_scan.h), what a method means (methods.h).
 */
#ifndef PROTO_RPC_H
#define PROTO_RPC_H

#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* The port of an address over TCP or TLS that names none; on a telephone's keys it spells AYES. */
#define RPC_PORT "2937"

enum rpc_kind { RPC_REQUEST = 0, RPC_RESPONSE = 1, RPC_NOTICE = 2 };

struct arena;

struct rpc_message {
	enum rpc_kind kind;
	uint32_t msgid;                      /* request, response */
	struct slice method;                 /* request, notification: "" for one that is not in our form */
	const struct msgpack_object *params; /* request, notification: the map, or NULL for an empty params array */
	const struct msgpack_object *error;  /* response: NULL where it is nil */
	const struct msgpack_object *result; /* response: NULL where it is nil */
};

/* Decoding memory, reused from message to message. Life: a zeroed struct .. decoder_finish(). */
struct decoder {
	struct msgpack_zone *zone;
};
void decoder_finish(struct decoder *d);

/*
 * Decode one message that frame_scan_value() found whole.
 *
 * The result points into `bytes` and the decoder: valid until the next decode
 * with the same decoder, or until `bytes` go.
 *
 * ERR_PROTO  not a MessagePack-RPC message. Where *answerable turns true, the
 *            message was a request whose msgid is in out->msgid.
 * ERR_NOMEM
 */
NODISCARD enum err rpc_decode(struct decoder *d, struct slice bytes, struct rpc_message *out, bool *answerable);

/* Append a whole message. result or params may be NULL with rec NULL: nil, and an empty map. */
void rpc_write_request(struct buf *b, uint32_t msgid, struct slice method, const struct record *rec, const void *params);
void rpc_write_result(struct buf *b, uint32_t msgid, const struct record *rec, const void *result);
void rpc_write_fault(struct buf *b, uint32_t msgid, const struct fault *f);
/* The same as a record (records.h); its texts are the fault's. */
struct error_view;
struct error_view rpc_fault_view(const struct fault *f);
void rpc_write_notice(struct buf *b, struct slice method, const struct record *rec, const void *params);

/* The same where the inner value is MessagePack bytes already; with none, what stands before it. */
void rpc_write_request_raw(struct buf *b, uint32_t msgid, struct slice method, struct slice params);
void rpc_write_result_raw(struct buf *b, uint32_t msgid, struct slice result);
void rpc_write_notice_raw(struct buf *b, struct slice method, struct slice params);

/*
 * Read the error map of a response, as a client does; unknown codes become SERVER_ERROR with the code in the message.
 * @arena  where out->current lives, as long as the arena; NULL: it stays empty.
 */
void rpc_read_fault(const struct msgpack_object *error, struct arena *arena, struct fault *out);

/* One value's MessagePack bytes appended to b. */
void rpc_write_object(struct buf *b, const struct msgpack_object *value);

#endif
