/*
 * json.h - conversion of MessagePack values to JSON and back.
 *
 * One to one for all values of the protocol: nil, booleans, integers, floats, UTF-8 strings,
 * arrays, maps with string keys (in order). Binary data have no JSON form and are refused. JSON
 * text is parsed by jansson.
 */
#ifndef PROTO_JSON_H
#define PROTO_JSON_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

struct msgpack_object;

/*
 * Append one line of JSON (no newline, no spaces) for a MessagePack value. Control and invisible
 * characters are escaped, so the line is safe to print. On failure nothing is appended.
 *
 * ERR_PROTO    the bytes are not a single value.
 * ERR_INVALID  binary, ext, NaN or infinite floats, keys that are not strings, deeper than
 *              FRAME_DEPTH.
 * ERR_NOMEM, ERR_TOO_LARGE  also kept in the buffer.
 */
NODISCARD enum err json_from_bytes(struct slice msgpack, struct buf *out);
NODISCARD enum err json_from_object(const struct msgpack_object *value, struct buf *out);
/* The same for a string, including its quotes. ERR_INVALID: it is not UTF-8. */
NODISCARD enum err json_from_text(struct slice text, struct buf *out);

/*
 * Append the MessagePack form of JSON text; on failure nothing.
 *
 * ERR_INVALID  not JSON, repeated keys, deeper than FRAME_DEPTH, or an integer beyond signed 64
 *              bits; *why says where, without repeating the text, which may contain a key.
 * ERR_NOMEM, ERR_TOO_LARGE  also kept in the buffer.
 */
NODISCARD enum err json_to_bytes(struct slice json, struct buf *out, struct errmsg *why);

#endif
