/*
 * rpc.h - MessagePack-RPC messages.
 *
 * Request [0, msgid, method, [params]], response [1, msgid, error, result], notification [2,
 * method, [params]]; params is one map. There is no length prefix. Notifications of other
 * implementations may have any method and params: they are decoded without a method name, so that
 * they can be ignored.
 * https://github.com/msgpack-rpc/msgpack-rpc/blob/master/spec.md
 *
 * Not here: finding a message in a stream (frame_scan.h), the meaning of methods (methods.h).
 */
#ifndef PROTO_RPC_H
#define PROTO_RPC_H

#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/records/record.h"

/* The default port for TCP and TLS; on a telephone keypad it spells AYES. */
#define RPC_PORT "2937"

enum rpc_kind { RPC_REQUEST = 0, RPC_RESPONSE = 1, RPC_NOTICE = 2 };

struct arena;

struct rpc_message {
	enum rpc_kind kind;
	uint32_t msgid;                      /* request, response */
	struct slice method; /* request, notification; "" for a notification of another form */
	const struct msgpack_object *params; /* the map; NULL: an empty array */
	const struct msgpack_object *error;  /* response: NULL for nil */
	const struct msgpack_object *result; /* response: NULL for nil */
};

/* Memory for decoding, reused for each message. Life: a zeroed struct .. decoder_finish(). */
struct decoder {
	struct msgpack_zone *zone;
};
void decoder_finish(struct decoder *d);

/*
 * Decode one message that frame_scan_value() found complete.
 *
 * The result points into `bytes` and the decoder: valid until the next decode with the same
 * decoder, and as long as `bytes`.
 *
 * ERR_PROTO  not a MessagePack-RPC message. If *answerable is set, it was a request whose msgid
 *            is in out->msgid.
 * ERR_NOMEM  memory is out.
 */
NODISCARD enum err rpc_decode(struct decoder *d, struct slice bytes, struct rpc_message *out, bool *answerable);

/* Append a complete message. result and params may be NULL with rec NULL: nil, or an empty map. */
void rpc_write_request(struct buf *b, uint32_t msgid, struct slice method, const struct record *rec, const void *params);
void rpc_write_result(struct buf *b, uint32_t msgid, const struct record *rec, const void *result);
void rpc_write_fault(struct buf *b, uint32_t msgid, const struct fault *f);
/* Return a fault as a record (records.h); its texts point into the fault. */
struct error_view;
struct error_view rpc_fault_view(const struct fault *f);
void rpc_write_notice(struct buf *b, struct slice method, const struct record *rec, const void *params);

/*
 * The same with an inner value that is already encoded; if it is empty, only the bytes before it
 * are appended.
 */
void rpc_write_request_raw(struct buf *b, uint32_t msgid, struct slice method, struct slice params);
void rpc_write_result_raw(struct buf *b, uint32_t msgid, struct slice result);
void rpc_write_notice_raw(struct buf *b, struct slice method, struct slice params);

/*
 * Read the error map of a response, as a client does; unknown codes become SERVER_ERROR with the
 * code in the message.
 *
 * @arena  memory of out->room_id, home and current, valid as long as the arena; NULL: they stay
 *         empty.
 */
void rpc_read_fault(const struct msgpack_object *error, struct arena *arena, struct fault *out);

/* Append one value as MessagePack. */
void rpc_write_object(struct buf *b, const struct msgpack_object *value);

#endif
